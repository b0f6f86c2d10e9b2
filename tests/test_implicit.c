// SPDX-License-Identifier: Apache-2.0
// Order of the implicit methods on motions with rotations, rods, drives and loads that jump, against an
// explicit method of order 8; dense output; numerical damping.
#include "pendulum.h"

/// A model, how long it runs, and the coarsest of three steps.
typedef struct {
    const char* name;
    const char* text;
    const char* frame; // whose pose is compared
    double t_end, step;
} Problem;

static const Problem problems[] = {
    // an asymmetric top, thrown: gyroscopic terms, and a reference point off the centre of mass
    {"tumbling body",
     "tree:\n"
     "  - {body: box, mass: 2, inertia: [1, 2, 2.6], center: [0.3, -0.2, 0.1],\n"
     "     joint: {free: {velocity: [1, 2, 0.3, 0.5, -1, 0.2]}}}\n",
     "box", 1.0, 0.02},
    // a top on a spherical joint, under gravity
    {"spherical pendulum",
     "gravity: [0, 0, -9.81]\n"
     "tree:\n"
     "  - {body: bob, mass: 1, inertia: [0.1, 0.12, 0.05], center: [0.1, 0, -0.6],\n"
     "     joint: {spherical: {velocity: [1, 2, 5]}}}\n",
     "bob", 1.0, 0.01},
    // a free soft rod with a body at its tip
    {"flying rod",
     "tree:\n"
     "  - {rod: rod, joint: {free: {velocity: [0.3, 1, -0.4, 1, 0, 0]}}, length: 1,\n"
     "     stiffness: [2, 2, 3, 100, 100, 100], inertia: [0.1, 0.1, 0.1, 1, 1, 1],\n"
     "     strain: {kirchhoff: 2}, initial: {bend_y: 1, bend_z: \"2*s\"}}\n"
     "  - {body: tip, parent: rod.tip, mass: 0.3, inertia: [0.01, 0.02, 0.03],\n"
     "     joint: {revolute: {axis: y, stiffness: 1, damping: 0.1}}}\n"
     "loads: [{force: [0, 0, \"sin(3*t)\"], at: tip, frame: local}]\n",
     "tip", 1.0, 0.005},
    // a carriage whose motion is imposed carries a damped arm
    {"driven arm",
     "gravity: [0, -9.81, 0]\n"
     "tree:\n"
     "  - {body: cart, mass: 1, joint: {planar: {axis: z,\n"
     "     motion: [\"0.5*sin(2*t)\", \"0.2*sin(3*t)\", \"0.1*t^2\"]}}}\n"
     "  - {body: arm, parent: cart, mass: 1, inertia: [0.1, 0.1, 0.1], center: [0.5, 0, 0],\n"
     "     joint: {universal: {axis: x, axis2: z, damping: 0.2, velocity: [1, 0]}}}\n"
     "  - {rod: whip, parent: arm, pose: {xyz: [1, 0, 0]}, length: 0.5, strain: {bend_z: 2},\n"
     "     section: {circle: {diameter: 0.04}}, material: {density: 500, young: 3e6,\n"
     "     damping: 0.01}}\n",
     "whip.tip", 1.0, 0.01},
};

enum { N_PROBLEM = sizeof problems / sizeof problems[0] };

static const ElvMethod methods[] = {ELV_METHOD_NEWMARK, ELV_METHOD_HHT,
                                    ELV_METHOD_GENERALIZED_ALPHA, ELV_METHOD_BDF2};

static ElvSimulateDef implicit_options(ElvMethod method, double step) {
    ElvSimulateDef options = elv_simulate_def_default();
    options.method = method;
    options.step = step;
    // errors of the time steps alone
    options.newton_tol = 1e-12;
    return options;
}

// pose of the frame at the end, 12 numbers
static void simulate(const Problem* problem, const ElvSimulateDef* options, double pose[12]) {
    ModelCase c = case_open("%s", problem->text);
    ElvIntegrator* integrator = start_integrator(&c, options);
    integrate_to(integrator, problem->t_end, c.state);
    ElvPose g = case_pose(&c, problem->frame);
    memcpy(pose, &g.R.m[0][0], 9 * sizeof *pose);
    pose[9] = g.p.x;
    pose[10] = g.p.y;
    pose[11] = g.p.z;
    elv_integrator_free(integrator);
    case_close(&c);
}

static void exact_pose(const Problem* problem, double pose[12]) {
    ElvSimulateDef options = explicit_options();
    options.order = 8;
    options.rel_tol = options.abs_tol = 1e-13;
    simulate(problem, &options, pose);
}

// errors at three steps, each half of the one before
static void
measure(const Problem* problem, ElvSimulateDef options, const double exact[12], double error[3]) {
    double pose[12];
    for (int i = 0; i < 3; i++) {
        options.step = problem->step / (1 << i);
        simulate(problem, &options, pose);
        error[i] = largest_difference(pose, exact, 12);
    }
    print_message("%s, method %d: errors %.2e %.2e %.2e\n", problem->name, (int)options.method,
                  error[0], error[1], error[2]);
    // well above what the reference and Newton leave
    CHECK_TRUE(error[2] > 1e-9);
}

static void check_order(const Problem* problem, ElvSimulateDef options, const double exact[12]) {
    double error[3];
    measure(problem, options, exact, error);
    CHECK_NEAR(log2(error[0] / error[1]), 2.0, 0.2);
    CHECK_NEAR(log2(error[1] / error[2]), 2.0, 0.1);
}

static void test_order(void** state) {
    (void)state;
    for (int i = 0; i < N_PROBLEM; i++) {
        double exact[12];
        exact_pose(&problems[i], exact);
        for (int m = 0; m < 4; m++) {
            check_order(&problems[i], implicit_options(methods[m], 0.0), exact);
        }
    }
}

// the whole range of parameters keeps the order
static void test_parameters(void** state) {
    (void)state;
    double exact[12];
    exact_pose(&problems[1], exact);
    for (int i = 0; i <= 2; i++) {
        ElvSimulateDef options = implicit_options(ELV_METHOD_GENERALIZED_ALPHA, 0.0);
        options.spectral_radius = 0.5 * i;
        check_order(&problems[1], options, exact);
        options = implicit_options(ELV_METHOD_HHT, 0.0);
        options.alpha = i / 6.0;
        check_order(&problems[1], options, exact);
    }
    ElvSimulateDef options = implicit_options(ELV_METHOD_NEWMARK, 0.0);
    options.beta = 0.3;
    check_order(&problems[1], options, exact);
}

// a force that jumps, and a torque with corners, none at a multiple of the step. What a cut step leaves
// over depends on where it is cut: at a third of a step every second halving, so that the steps to
// compare are those that differ by four.
static void test_breakpoints(void** state) {
    (void)state;
    const Problem jump = {
        "jump",
        "gravity: [0, 0, -9.81]\n"
        "tree:\n"
        "  - {body: bob, mass: 1, inertia: [0.1, 0.12, 0.05], center: [0.1, 0, -0.6],\n"
        "     joint: {spherical: {velocity: [1, 2, 1]}}}\n"
        "loads:\n"
        "  - {force: [20, 0, 0], at: bob, while: \"t < 1/3\"}\n"
        "  - {torque: [0, \"5*triangle(t, 1/6, 5/6)\", 0], force: [0, 0, 0], at: bob}\n"
        "simulate: {duration: 1}\n",
        "bob", 1.0, 0.01};
    double exact[12];
    exact_pose(&jump, exact);
    for (int m = 0; m < 4; m++) {
        double error[3];
        measure(&jump, implicit_options(methods[m], 0.0), exact, error);
        CHECK_NEAR(0.5 * log2(error[0] / error[2]), 2.0, 0.1);
    }
}

// ---- steps of other lengths

// limits cut the steps at every 0.7 and 0.3 of one: ratios of lengths from 0.4 to 2.3
static void test_unequal_steps(void** state) {
    (void)state;
    double exact[12];
    const Problem* problem = &problems[0];
    exact_pose(problem, exact);
    for (int m = 0; m < 4; m++) {
        double error[3];
        for (int i = 0; i < 3; i++) {
            int n = 50 << i;
            ModelCase c = case_open("%s", problem->text);
            ElvSimulateDef options = implicit_options(methods[m], 1.0);
            ElvIntegrator* integrator = start_integrator(&c, &options);
            for (int k = 0; k < n; k++) {
                integrate_to(integrator, (k + 0.7) / n, c.state);
                integrate_to(integrator, (k + 1.0) / n, c.state);
            }
            CHECK_TRUE(elv_integrator_report(integrator).n_step == 2 * n);
            ElvPose g = case_pose(&c, problem->frame);
            error[i] = largest_difference(&g.R.m[0][0], exact, 9);
            elv_integrator_free(integrator);
            case_close(&c);
        }
        CHECK_NEAR(log2(error[0] / error[1]), 2.0, 0.2);
        CHECK_NEAR(log2(error[1] / error[2]), 2.0, 0.1);
    }
}

// dense output is as good as the steps: the pendulum between them against its closed form
static void test_dense_output(void** state) {
    (void)state;
    for (int m = 0; m < 4; m++) {
        double error[2] = {0.0, 0.0};
        for (int i = 0; i < 2; i++) {
            ModelCase c = case_open("%s", pendulum_text);
            ElvSimulateDef options = implicit_options(methods[m], i == 0 ? 0.005 : 0.0025);
            ElvIntegrator* integrator = start_integrator(&c, &options);
            ElvState* between = NULL;
            ElvError e;
            CHECK_STATUS(elv_state_create(c.model, &between, &e), &e);
            while (c.state->t < 1.0) {
                double t0 = c.state->t;
                CHECK_STATUS(elv_integrator_step(integrator, 1.0, c.state, &e), &e);
                for (int k = 1; k <= 4; k++) {
                    double t = t0 + 0.25 * k * (c.state->t - t0);
                    CHECK_STATUS(elv_integrator_interpolate(integrator, t, between, &e), &e);
                    CHECK_NEAR(between->t, t, 0.0);
                    error[i] = fmax(error[i], fabs(between->q[0] - pendulum_angle(t)));
                }
            }
            CHECK_TRUE(elv_integrator_interpolate(integrator, 0.5, between, &e) != ELV_OK);
            elv_state_free(between);
            elv_integrator_free(integrator);
            case_close(&c);
        }
        CHECK_NEAR(log2(error[0] / error[1]), 2.0, 0.1);
    }
}

// a coordinate without mass follows its spring and damper: x_dot = 1 - x
static void test_massless_coordinate(void** state) {
    (void)state;
    for (int m = 0; m < 4; m++) {
        ModelCase c = case_open("tree:\n"
                                "  - {body: ghost, mass: 0, joint: {prismatic: {axis: x,\n"
                                "     stiffness: 1, damping: 1, force: 1}}}\n");
        ElvSimulateDef options = implicit_options(methods[m], 0.001);
        ElvIntegrator* integrator = start_integrator(&c, &options);
        integrate_to(integrator, 1.0, c.state);
        CHECK_NEAR(c.state->q[0], 1.0 - exp(-1.0), 2e-3);
        elv_integrator_free(integrator);
        case_close(&c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),        cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_breakpoints),  cmocka_unit_test(test_unequal_steps),
        cmocka_unit_test(test_dense_output), cmocka_unit_test(test_massless_coordinate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
