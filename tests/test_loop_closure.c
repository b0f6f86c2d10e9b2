// SPDX-License-Identifier: Apache-2.0
// How a loop is held together: by springs, whose error falls like their compliance; by multipliers with
// springs to help Newton, to the same motion as without; and the energy of what is passive, springs of
// joints and closures included.
#include "loop_mechanism.h"

enum { N_POSE = 7, WRENCH = 7, GAP = 13 };

// the mechanism closed by a hinge with further keys
static LoopRun* run_closure(const char* keys, const LoopOptions* options, double damping) {
    char loop[256];
    snprintf(loop, sizeof loop, "  - {loop: apex, between: [right.tip, end], %s}\n", keys);
    Mechanism m = {.damping = damping, .loop = loop};
    Robot robot = mechanism(&m);
    LoopRun* run = loop_simulate(&robot, options);
    robot_free(&robot);
    return run;
}

static const LoopOptions damped = {
    .method = ELV_METHOD_GENERALIZED_ALPHA,
    .step = 0.005,
    .t_end = 0.5,
    .every = 0.05,
    .signal = {"coupler.position", "coupler.orientation", "loop.apex.wrench", "loop.apex.gap"}};

// ---- springs

// the gap is the wrench over the stiffness; in the plane there are forces alone
static void check_springs(const LoopRun* run, double penalty) {
    // before the first step the loop is closed
    for (int i = 1; i < run->n_row; i++) {
        const double* value = run->value[i];
        CHECK_NEAR(array_norm(value + WRENCH + 3, 3), penalty * value[GAP + 1], 1e-10 * penalty);
        CHECK_NEAR(value[GAP], 0.0, 1e-12);
    }
}

static void test_penalty(void** unused) {
    (void)unused;
    static const double penalty[4] = {1e4, 1e5, 1e6, 1e7};
    LoopRun* exact = run_closure("joint: revolute, axis: z", &damped, 0.01);
    double error[4];
    for (int i = 0; i < 4; i++) {
        char keys[128];
        snprintf(keys, sizeof keys,
                 "joint: revolute, axis: z, closure: penalty, penalty: [1e5, %g]", penalty[i]);
        LoopRun* run = run_closure(keys, &damped, 0.01);
        error[i] = loop_distance(run, exact, 0, N_POSE);
        check_springs(run, penalty[i]);
        free(run);
    }
    // the first springs are so soft that they swing
    CHECK_TRUE(error[0] < 1e-2 && error[3] > 1e-7);
    CHECK_NEAR(error[1] / error[2], 10.0, 1.0);
    CHECK_NEAR(error[2] / error[3], 10.0, 0.5);
    free(exact);
}

// A body hangs on the ground by a universal joint that is turned by a right angle: the moment which the
// springs resist turns with it.
static void test_turned_universal(void** unused) {
    (void)unused;
    LoopOptions options = {.method = ELV_METHOD_GENERALIZED_ALPHA,
                           .step = 0.005,
                           .t_end = 0.3,
                           .every = 0.05,
                           .signal = {"loop.cross.wrench", "loop.cross.gap"}};
    Robot robot = loop_robot(
        "gravity: [1, 2, -9.81]\n"
        "tree:\n"
        "  - {body: bob, joint: {free: {position: {rpy: [0, 0, pi/2]}}}, mass: 0.5,\n"
        "     center: [0.1, 0.2, -0.1], inertia: [0.01, 0.01, 0.01]}\n"
        "loops:\n"
        "  - {loop: cross, between: [world, bob], joint: {universal: {axis: z, axis2: y}},\n"
        "     closure: penalty, penalty: [1e3, 1e4]}\n"
        "simulate: {duration: 1}\n");
    LoopRun* run = loop_simulate(&robot, &options);
    for (int i = 1; i < run->n_row; i++) {
        const double* value = run->value[i];
        CHECK_NEAR(array_norm(value + 3, 3), 1e4 * value[7], 1e-6);
        // the axes are no longer at a right angle: its cosine
        double moment = array_norm(value, 3);
        CHECK_NEAR(moment, 1e3 * value[6], value[6] * value[6] * moment);
        CHECK_TRUE(value[6] > 1e-5);
    }
    free(run);
    robot_free(&robot);
}

// ---- multipliers with springs

static void test_augmented(void** unused) {
    (void)unused;
    static const double penalty[3] = {1e2, 1e4, 1e7};
    LoopRun* exact = run_closure("joint: revolute, axis: z", &damped, 0.01);
    for (int i = 0; i < 3; i++) {
        char keys[128];
        snprintf(keys, sizeof keys, "joint: revolute, axis: z, closure: augmented, penalty: %g",
                 penalty[i]);
        LoopRun* run = run_closure(keys, &damped, 0.01);
        CHECK_TRUE(loop_distance(run, exact, 0, N_POSE) < 1e-9);
        CHECK_TRUE(loop_distance(run, exact, WRENCH, GAP) < 1e-4);
        for (int k = 0; k < run->n_row; k++) {
            CHECK_TRUE(run->value[k][GAP] < 1e-10 && run->value[k][GAP + 1] < 1e-10);
        }
        free(run);
    }
    free(exact);
}

// ---- energy

static double energy_error(ElvMethod method, const char* keys, double step) {
    LoopOptions options = {.method = method,
                           .step = step,
                           .t_end = IS_SANITIZED ? 0.1 : 0.3,
                           .every = 0.01,
                           .spectral_radius = 1.0,
                           .signal = {"loop.apex.gap"}};
    LoopRun* run = run_closure(keys, &options, 0.0);
    double worst = 0.0;
    for (int i = 0; i < run->n_row; i++) {
        worst = fmax(worst, fabs(run->energy[i] - run->energy[0]));
    }
    free(run);
    return worst;
}

// methods without damping keep the energy of 9 J to second order, with springs in the joint or in the closure
static void test_energy(void** unused) {
    (void)unused;
    static const ElvMethod method[2] = {ELV_METHOD_NEWMARK, ELV_METHOD_GENERALIZED_ALPHA};
    static const char* const keys[3] = {
        "joint: revolute, axis: z",
        "joint: {revolute: {axis: z, stiffness: 2, rest: acos(0.4) - 3}}",
        "joint: revolute, axis: z, closure: penalty, penalty: 1e3"};
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 3; k++) {
            double coarse = energy_error(method[i], keys[k], 0.0025);
            double fine = energy_error(method[i], keys[k], 0.00125);
            CHECK_TRUE(fine > 1e-9 && coarse < 1e-3);
            CHECK_NEAR(coarse / fine, 4.0, 0.2 * 4.0);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_penalty),
        cmocka_unit_test(test_turned_universal),
        cmocka_unit_test(test_augmented),
        cmocka_unit_test(test_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
