// SPDX-License-Identifier: Apache-2.0
// A planar mechanism that a loop closes: on either side of its coupler, at every step, by constraints that
// repeat each other, in a tilted plane, twice, and where it cannot be closed at all.
#include "loop_mechanism.h"

enum { N_ANGLE = 5, WRENCH = 5, N_WRENCH = 6 };

static LoopOptions options_of(double step) {
    LoopOptions options = {.method = ELV_METHOD_GENERALIZED_ALPHA,
                           .step = step,
                           .t_end = 0.5,
                           .every = 0.05,
                           .signal = {"coupler.position", "coupler.orientation"}};
    return options;
}

// ---- both cuts

static LoopRun* run_cut(bool is_cut_left, double step) {
    Mechanism m = {.is_cut_left = is_cut_left, .damping = 0.01};
    LoopOptions options = options_of(step);
    Robot robot = mechanism(&m);
    LoopRun* run = loop_simulate(&robot, &options);
    robot_free(&robot);
    return run;
}

// cut left or right of the coupler, it is the same robot: its steps differ by their errors alone
static void test_cuts(void** unused) {
    (void)unused;
    LoopRun* coarse[2];
    LoopRun* fine[2];
    for (int cut = 0; cut < 2; cut++) {
        coarse[cut] = run_cut(cut == 1, 0.002);
        fine[cut] = run_cut(cut == 1, 0.001);
    }
    double before = loop_distance(coarse[0], coarse[1], 0, 7);
    double after = loop_distance(fine[0], fine[1], 0, 7);
    CHECK_TRUE(after > 1e-7);
    CHECK_NEAR(before / after, 4.0, 0.05 * 4.0);
    for (int cut = 0; cut < 2; cut++) {
        loop_extrapolate(coarse[cut], fine[cut]);
    }
    CHECK_TRUE(loop_distance(fine[0], fine[1], 0, 7) < 1e-6);
    // they move
    CHECK_TRUE(fabs(fine[0]->value[fine[0]->n_row - 1][0] - fine[0]->value[0][0]) > 0.1);
    for (int cut = 0; cut < 2; cut++) {
        free(coarse[cut]);
        free(fine[cut]);
    }
}

// ---- closure at every step

static void test_closure(void** unused) {
    (void)unused;
    static const double step[] = {0.01, 0.005, 0.002, 0.001};
    double drift[4];
    for (int i = 0; i < 4; i++) {
        for (int projects = 0; projects < 2; projects++) {
            Mechanism m = {.damping = 0.01};
            Robot robot = mechanism(&m);
            LoopRun run = {.n_row = 0};
            LoopOptions options = options_of(step[i]);
            options.projects_velocity = projects;
            ElvSimulateOptions all = loop_options(&robot, &options);
            loop_measure_steps(&robot, &all.method, IS_SANITIZED ? 0.1 : 0.5, &run);
            CHECK_BOUND(run.gap, 1e-10, (uint64_t)i);
            CHECK_TRUE(!projects || run.drift < 1e-9);
            drift[i] = projects ? drift[i] : run.drift;
            robot_free(&robot);
        }
    }
    // velocities that are left alone drift with the error of the method
    CHECK_TRUE(drift[3] > 1e-6 && drift[0] < 0.1);
    CHECK_NEAR(drift[2] / drift[3], 4.0, 0.2 * 4.0);
}

// ---- constraints that repeat each other

#define HINGE(name) "  - {loop: " name ", joint: revolute, axis: z, between: [right.tip, end]}\n"
#define SLEEVE(name)                                                                               \
    "  - {loop: " name ", joint: cylindrical, axis: z, between: [right.tip, end]}\n"
#define BALL(name) "  - {loop: " name ", joint: spherical, between: [right.tip, end]}\n"
#define CROSS(name)                                                                                \
    "  - {loop: " name ", joint: {universal: {axis: z, axis2: x}}, between: [right.tip, end]}\n"

// angles and bending, and the wrench of "apex", of a mechanism at every step
static LoopRun*
run_mechanism(const char* loop, const char* strain, bool is_tilted, const char* more) {
    Mechanism m = {.damping = 0.01, .loop = loop, .strain = strain};
    LoopOptions options = {.method = ELV_METHOD_GENERALIZED_ALPHA,
                           .step = 0.005,
                           .t_end = IS_SANITIZED ? 0.1 : 0.5,
                           .every = 0.005,
                           .signal = {"left.joint.q", "right.joint.q", "coupler.q",
                                      "left.strain(0.5).bend_z", "right.strain(0.5).bend_z",
                                      "loop.apex.wrench_first", more}};
    if (is_tilted) {
        m.tilt[0] = 0.3;
        m.tilt[1] = -0.7;
        m.tilt[2] = 1.1;
    }
    Robot robot = mechanism(&m);
    LoopRun* run = loop_simulate(&robot, &options);
    CHECK_TRUE(run->n_column == N_ANGLE + N_WRENCH * (more ? 2 : 1));
    robot_free(&robot);
    return run;
}

// The legs bend in the plane alone, so that constraints on all that leaves the plane repeat what holds anyway.
// With legs that bend and twist every way no constraint repeats another, and the motion is the same: it
// stays in the plane. The smallest wrench is the one without moments and forces that do nothing.
static void test_redundant(void** unused) {
    (void)unused;
    static const char* const loop[] = {HINGE("apex"), SLEEVE("apex"), BALL("apex"), CROSS("apex")};
    LoopRun* free_legs =
        run_mechanism(HINGE("apex"), "bend_z: 3, bend_y: 2, twist: 2", false, NULL);
    for (int i = 0; i < 4; i++) {
        for (int tilt = 0; tilt < 2; tilt++) {
            LoopRun* run = run_mechanism(loop[i], NULL, tilt == 1, NULL);
            CHECK_TRUE(loop_distance(run, free_legs, 0, N_ANGLE) < 1e-9);
            // N and N m, of forces up to 20 N
            CHECK_TRUE(loop_distance(run, free_legs, WRENCH, WRENCH + N_WRENCH) < 1e-6);
            free(run);
        }
    }
    free(free_legs);
}

// one component of a shared wrench in three rows, the last of which is i: curvature
static double bend_of(const LoopRun* run, int i, int k) {
    return run->value[i][k] - 2.0 * run->value[i - 1][k] + run->value[i - 2][k];
}

// what two loops share is the whole, and neither jumps
static void check_shares(const LoopRun* run, const LoopRun* once, bool is_even) {
    for (int i = 0; i < run->n_row; i++) {
        double size = array_norm(once->value[i] + WRENCH, N_WRENCH);
        for (int k = WRENCH; k < WRENCH + N_WRENCH; k++) {
            double own = run->value[i][k];
            double other = run->value[i][k + N_WRENCH];
            CHECK_NEAR(own + other, once->value[i][k], 1e-6);
            CHECK_TRUE(!is_even || fabs(own - other) < 1e-6);
            CHECK_TRUE(fabs(own) < 1e-6 + size);
            // against the curvature of the whole, from the first step on
            CHECK_TRUE(i < 3 || fabs(bend_of(run, i, k)) < 0.05 + 2.0 * fabs(bend_of(once, i, k)));
        }
    }
}

// Two loops in the place of one share its wrench: evenly, if they are alike, and always without jumps.
static void test_twice(void** unused) {
    (void)unused;
    static const char* const loop[] = {HINGE("apex") HINGE("again"), BALL("apex") HINGE("again"),
                                       HINGE("again") SLEEVE("apex")};
    LoopRun* once = run_mechanism(HINGE("apex"), NULL, false, NULL);
    for (int i = 0; i < 3; i++) {
        for (int tilt = 0; tilt < 2; tilt++) {
            LoopRun* run = run_mechanism(loop[i], NULL, tilt == 1, "loop.again.wrench_first");
            CHECK_TRUE(loop_distance(run, once, 0, N_ANGLE) < 1e-9);
            check_shares(run, once, i == 0);
            free(run);
        }
    }
    free(once);
}

// ---- what cannot be closed

static void test_open(void** unused) {
    (void)unused;
    static const char* const loop[] = {HINGE("apex"), BALL("apex"), BALL("other") HINGE("apex")};
    for (int i = 0; i < 3; i++) {
        Mechanism m = {.damping = 0.01, .loop = loop[i], .offset = 0.01};
        LoopOptions options = options_of(0.01);
        Robot robot = mechanism(&m);
        LoopRun* run = loop_try(&robot, &options);
        CHECK_TRUE(run->status == ELV_ERROR_NUMERIC);
        CHECK_TRUE(strstr(run->error.message, "cannot be closed") != NULL);
        CHECK_TRUE(strstr(run->error.message, "0.01") != NULL);
        CHECK_TRUE(strcmp(run->error.element, i == 2 ? "other" : "apex") == 0);
        free(run);
        robot_free(&robot);
    }
}

// a sleeve lets the offset pass: closed, and at the given place on its axis
static void test_sleeve(void** unused) {
    (void)unused;
    Mechanism m = {.damping = 0.01, .loop = SLEEVE("apex"), .offset = 0.01};
    LoopOptions options = options_of(0.01);
    options.signal[1] = "loop.apex.coordinate";
    options.signal[2] = "loop.apex.gap";
    Robot robot = mechanism(&m);
    LoopRun* run = loop_simulate(&robot, &options);
    for (int i = 0; i < run->n_row; i++) {
        CHECK_NEAR(run->value[i][4], -0.01, 1e-12);
        CHECK_TRUE(run->value[i][5] < 1e-10 && run->value[i][6] < 1e-10);
    }
    free(run);
    robot_free(&robot);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cuts),      cmocka_unit_test(test_closure),
        cmocka_unit_test(test_redundant), cmocka_unit_test(test_twice),
        cmocka_unit_test(test_open),      cmocka_unit_test(test_sleeve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
