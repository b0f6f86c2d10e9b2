// SPDX-License-Identifier: Apache-2.0
// Derivatives of the inverse dynamics on random trees, at every kind of joint and along rods, against central differences of
// elv_idm along random directions: the difference falls with slope 2 until rounding shows.
#include "random_tree.h"

enum { N_TREE = IS_SANITIZED ? 20 : 80 };

static const double STEP = 1e-2;

// tau (nv) at a displacement h d of coordinates (part 0), velocities (1) or accelerations (2)
static void
tau_beside(const Robot* robot, int part, const double* d, double h, ElvState* to, double* tau) {
    double* step = new_array(robot->nv);
    elv_state_copy(to, robot->state);
    for (int i = 0; i < robot->nv; i++) {
        step[i] = h * d[i];
        to->v[i] += part == 1 ? step[i] : 0.0;
        to->a[i] += part == 2 ? step[i] : 0.0;
    }
    if (part == 0) {
        elv_configuration_integrate(robot->model, robot->state->q, step, to->q);
    }
    elv_idm(robot->model, robot->data, to, tau);
    free(step);
}

// how far central differences of step h are from the derivative
static double
miss(const Robot* robot, int part, const double* d, double h, const double* expected) {
    ElvState* beside = copy_state(robot, robot->state);
    double* up = new_array(robot->nv);
    double* down = new_array(robot->nv);
    tau_beside(robot, part, d, h, beside, up);
    tau_beside(robot, part, d, -h, beside, down);
    for (int i = 0; i < robot->nv; i++) {
        up[i] = (up[i] - down[i]) / (2.0 * h);
    }
    double error = array_distance(up, expected, robot->nv);
    elv_state_free(beside);
    free(up);
    free(down);
    return error;
}

static void
check_part(const Robot* robot, int part, CheckRandom* r, const double* D, uint64_t seed) {
    double* d = new_array(robot->nv);
    double* expected = new_array(robot->nv);
    double* tau = new_array(robot->nv);
    for (int i = 0; i < robot->nv; i++) {
        // columns of imposed motions are left out
        d[i] = elv_model_is_driven(robot->model, i) ? 0.0 : check_uniform(r, -1.0, 1.0);
    }
    array_apply(robot->nv, D, d, expected);
    elv_idm(robot->model, robot->data, robot->state, tau);
    // rounding of the efforts, over the step
    double rounding = 1e-12 * (1.0 + array_norm(tau, robot->nv)) / STEP;
    double coarse = miss(robot, part, d, STEP, expected);
    double fine = miss(robot, part, d, STEP / 4.0, expected);
    // a sixteenth is left, and a little of the next order
    CHECK_BOUND(fine, coarse / 12.0 + 4.0 * rounding, seed);
    CHECK_BOUND(fine, 1e-3 * array_norm(expected, robot->nv) + rounding, seed);
    free(d);
    free(expected);
    free(tau);
}

static void check_tree(uint64_t seed, bool has_drives) {
    RandomOptions options = random_options();
    options.is_smooth = seed % 2 == 0;
    options.has_drives = has_drives;
    CheckRandom r = check_random(seed);
    Robot robot = random_tree(&r, &options);
    random_state(&r, &robot, 1.0);
    int n = robot.nv * robot.nv;
    double* D[3] = {new_array(n), new_array(n), new_array(n)};
    elv_idm_derivatives(robot.model, robot.data, robot.state, D[0], D[1], D[2]);
    for (int part = 0; part < 3; part++) {
        check_part(&robot, part, &r, D[part], seed);
        // one at a time gives the same
        double* alone = new_array(n);
        elv_idm_derivatives(robot.model, robot.data, robot.state, part == 0 ? alone : NULL,
                            part == 1 ? alone : NULL, part == 2 ? alone : NULL);
        CHECK_ARRAY_NEAR(alone, D[part], (size_t)n, 0.0);
        free(alone);
    }
    for (int part = 0; part < 3; part++) {
        free(D[part]);
    }
    robot_free(&robot);
}

static void test_derivatives(void** context) {
    (void)context;
    for (uint64_t seed = 1; seed <= N_TREE; seed++) {
        check_tree(seed, false);
    }
}

// imposed motions stay; the columns of the others do not mind them
static void test_derivatives_with_drives(void** context) {
    (void)context;
    for (uint64_t seed = 1; seed <= N_TREE / 4; seed++) {
        check_tree(seed, true);
    }
}

// a pendulum in closed form: tau = m l^2 a + m g l sin q, nothing by the velocity
static void test_pendulum(void** context) {
    (void)context;
    const double m = 2.0, l = 0.7, g = 9.81, q = 0.4;
    ElvSpec* spec = new_spec();
    ElvBodyDef body = elv_body_def_default();
    body.name = "bob";
    body.joint.type = ELV_JOINT_REVOLUTE;
    body.joint.axis = elv_vec3(0.0, 1.0, 0.0);
    body.joint.stiffness[0] = 3.0;
    body.joint.damping[0] = 5.0;
    body.mass = m;
    body.center = elv_vec3(0.0, 0.0, -l);
    add_body(spec, &body);
    elv_spec_set_gravity(spec, elv_vec3(0.0, 0.0, -g));
    Robot robot = robot_compile(spec);
    robot.state->q[0] = q;
    robot.state->v[0] = 1.5;
    robot.state->a[0] = -2.0;
    double D[3];
    elv_idm_derivatives(robot.model, robot.data, robot.state, &D[0], &D[1], &D[2]);
    // springs and dampers are not in it
    CHECK_NEAR(D[0], m * g * l * cos(q), 1e-13);
    CHECK_NEAR(D[1], 0.0, 1e-13);
    CHECK_NEAR(D[2], m * l * l, 1e-13);
    robot_free(&robot);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_derivatives),
        cmocka_unit_test(test_derivatives_with_drives),
        cmocka_unit_test(test_pendulum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
