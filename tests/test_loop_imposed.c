// SPDX-License-Identifier: Apache-2.0
// Frames that loops lead by laws of time: the wrench that a body needs for a motion which the steps follow
// exactly, and for any other one to second order; and loops on robots that float, far away from the
// origin of the world.
#include "loop_mechanism.h"

// ---- imposed poses

static const char* const led =
    "gravity: [1, 2, -9.81]\n"
    "tree:\n"
    "  - {body: box, joint: free, mass: 2, inertia: [0.1, 0.2, 0.3]}\n"
    "loops:\n"
    "  - {loop: hand, between: [world, box], joint: fixed, pose: {xyz: [%s], rpy: [%s]}}\n"
    "simulate: {duration: 1}\n";

static LoopOptions led_options(double step) {
    LoopOptions options = {.method = ELV_METHOD_GENERALIZED_ALPHA,
                           .step = step,
                           .t_end = 1.0,
                           .every = 0.1,
                           .signal = {"loop.hand.wrench_second", "box.position"}};
    return options;
}

// constant accelerations are followed exactly: force m (a - g), turned into the body, and moment I_z psi''
static void test_constant_acceleration(void** unused) {
    (void)unused;
    Robot robot = loop_robot(led, "\"1.5*t^2\", \"-t^2\", \"2*t^2\"", "0, 0, \"2*t^2\"");
    LoopOptions options = led_options(0.01);
    // an error of a position makes one of an acceleration, over the square of the step
    options.newton_tol = 1e-13;
    LoopRun* run = loop_simulate(&robot, &options);
    for (int i = 0; i < run->n_row; i++) {
        double t = run->t[i];
        ElvVec3 force = elv_vec3(2.0 * (3.0 - 1.0), 2.0 * (-2.0 - 2.0), 2.0 * (4.0 + 9.81));
        ElvMat3 R = elv_so3_exp(elv_vec3(0.0, 0.0, 2.0 * t * t));
        ElvVec3 own = elv_mat3_apply_transpose(R, force);
        const double expected[9] = {0.0,   0.0,         0.3 * 4.0, own.x,      own.y,
                                    own.z, 1.5 * t * t, -t * t,    2.0 * t * t};
        CHECK_ARRAY_NEAR(run->value[i], expected, 9, 1e-9);
    }
    free(run);
    robot_free(&robot);
}

// the same by a joint of the tree, which moves exactly
static int
drive_of_box(const ElvModel* model, ElvData* data, const ElvState* state, double* value) {
    elv_drive_efforts(model, data, state, value);
    return 6;
}

// Any motion, from a place where the body is not to begin with: its wrench is that of a driven joint.
static void test_any_motion(void** unused) {
    (void)unused;
    static const double step[3] = {0.02, 0.01, 0.005};
    const char* xyz = "\"0.2 + 0.1*sin(3*t)\", \"0.3*cos(2*t)\", \"0.1*t^3\"";
    const char* rpy = "\"0.5*sin(2*t)\", \"0.3 + 0.2*t\", \"-0.4*cos(3*t)\"";
    Robot joint = loop_robot("gravity: [1, 2, -9.81]\n"
                             "tree:\n"
                             "  - {body: box, joint: {free: {motion: {xyz: [%s], rpy: [%s]}}},\n"
                             "     mass: 2, inertia: [0.1, 0.2, 0.3]}\n"
                             "simulate: {duration: 1}\n",
                             xyz, rpy);
    LoopOptions options = led_options(0.01);
    options.signal[0] = NULL;
    options.extra = drive_of_box;
    LoopRun* exact = loop_simulate(&joint, &options);
    double error[3];
    for (int i = 0; i < 3; i++) {
        Robot robot = loop_robot(led, xyz, rpy);
        options = led_options(step[i]);
        LoopRun* run = loop_simulate(&robot, &options);
        error[i] = loop_distance(run, exact, 0, 6);
        // the very start is consistent
        CHECK_ARRAY_NEAR(run->value[0], exact->value[0], 6, 1e-9);
        free(run);
        robot_free(&robot);
    }
    // N and N m, of 20: second order, from the first steps on
    CHECK_TRUE(error[2] > 1e-5 && error[0] < 1e-2);
    CHECK_TRUE(error[0] / error[1] > 3.2 && error[1] / error[2] > 3.2);
    free(exact);
    robot_free(&joint);
}

// ---- far away

static LoopRun* run_floating(double x, double y, double z) {
    Mechanism m = {.damping = 0.01, .is_floating = true, .place = {x, y, z}};
    LoopOptions options = {.method = ELV_METHOD_GENERALIZED_ALPHA,
                           .step = 0.005,
                           .t_end = IS_SANITIZED ? 0.1 : 0.5,
                           .every = 0.05,
                           .signal = {"left.joint.q", "right.joint.q", "coupler.q",
                                      "loop.apex.wrench", "loop.apex.gap"}};
    Robot robot = mechanism(&m);
    // it turns, so that the loop is loaded every way
    ElvNodeInfo base = elv_model_node(robot.model, 0);
    for (int k = 0; k < 3; k++) {
        robot.state->v[base.i_v + k] = 0.5 + k;
    }
    LoopRun* run = loop_simulate(&robot, &options);
    robot_free(&robot);
    return run;
}

// the place of a robot does not matter: rounding of 1 km is 1e-13 m
static void test_far(void** unused) {
    (void)unused;
    LoopRun* near = run_floating(0.0, 0.0, 0.0);
    LoopRun* far = run_floating(1000.0, -700.0, 500.0);
    // N and N m, of forces of 2 N: a gap of 1e-13 m over the square of a step, times a mass
    CHECK_TRUE(loop_distance(far, near, 0, 3) < 1e-9);
    CHECK_TRUE(loop_distance(far, near, 3, 9) < 1e-6);
    for (int i = 0; i < far->n_row; i++) {
        CHECK_TRUE(far->value[i][9] < 1e-10 && far->value[i][10] < 1e-10);
    }
    free(near);
    free(far);
}

// ---- from a copy of the state

static void check_same(const ElvState* a, const ElvState* b) {
    CHECK_TRUE(a->t == b->t);
    CHECK_TRUE(memcmp(a->q, b->q, (size_t)a->nq * sizeof *a->q) == 0);
    CHECK_TRUE(memcmp(a->v, b->v, (size_t)a->nv * sizeof *a->v) == 0);
    CHECK_TRUE(memcmp(a->a, b->a, (size_t)a->nv * sizeof *a->a) == 0);
    CHECK_TRUE(memcmp(a->z, b->z, (size_t)a->nz * sizeof *a->z) == 0);
}

static void
take_steps(const ElvModel* model, const ElvSimulateDef* method, ElvState* state, int n) {
    ElvError error;
    ElvIntegrator* integrator = NULL;
    CHECK_STATUS(elv_integrator_create(model, method, &integrator, &error), &error);
    CHECK_STATUS(elv_integrator_start(integrator, state, &error), &error);
    for (int i = 0; i < n; i++) {
        CHECK_STATUS(elv_integrator_step(integrator, 1.0, state, &error), &error);
    }
    elv_integrator_free(integrator);
}

static void test_restart(void** unused) {
    (void)unused;
    static const ElvMethod method[] = {ELV_METHOD_NEWMARK, ELV_METHOD_HHT,
                                       ELV_METHOD_GENERALIZED_ALPHA, ELV_METHOD_BDF2};
    for (int i = 0; i < 8; i++) {
        Mechanism m = {.damping = 0.01};
        Robot robot = mechanism(&m);
        ElvSimulateDef options = elv_model_simulate(robot.model);
        options.method = method[i % 4];
        options.step = 0.005;
        options.projects_velocity = i >= 4;
        ElvState* whole = copy_state(&robot, robot.state);
        ElvState* parts = copy_state(&robot, robot.state);
        take_steps(robot.model, &options, whole, 30);
        take_steps(robot.model, &options, parts, 17);
        take_steps(robot.model, &options, parts, 13);
        check_same(whole, parts);
        elv_state_free(whole);
        elv_state_free(parts);
        robot_free(&robot);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_constant_acceleration),
        cmocka_unit_test(test_any_motion),
        cmocka_unit_test(test_far),
        cmocka_unit_test(test_restart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
