// SPDX-License-Identifier: Apache-2.0
// Observed orders of the finite differences as they are by default, in the length of elements and in the step.
#include "finite_case.h"

enum { N_LEVEL = 3 };

/// One refinement: errors of runs with ever finer grids against a fine one.
typedef struct {
    double error[N_LEVEL];
    double order[N_LEVEL - 1];
} Study;

static ModelCase open_rod(const char* motion) {
    return case_open(RKMK_HEAD "  - {rod: rod, " RKMK_ROD
                               ", joint: {revolute: {axis: z, motion: \"%s\"}}}\n",
                     0.0, motion);
}

static Study refine(const char* motion,
                    const ElvSimulateDef* level,
                    const ElvSimulateDef* fine,
                    const char* title) {
    ModelCase c = open_rod(motion);
    Study study;
    FinitePath* reference = finite_run(&c, "rod.tip", fine, 0.1, 0.6);
    for (int i = 0; i < N_LEVEL; i++) {
        FinitePath* path = finite_run(&c, "rod.tip", &level[i], 0.1, 0.6);
        study.error[i] = finite_distance(path, reference);
        free(path);
    }
    for (int i = 0; i + 1 < N_LEVEL; i++) {
        study.order[i] = log2(study.error[i] / study.error[i + 1]);
    }
    print_message("%-34s errors %.2e %.2e %.2e m, orders %.2f %.2f\n", title, study.error[0],
                  study.error[1], study.error[2], study.order[0], study.order[1]);
    free(reference);
    case_close(&c);
    return study;
}

// elements halved at a fixed step: errors against many elements of the highest order
static void check_space(
    ElvMethod method, ElvRunge space, ElvHistory interpolation, double order, const char* title) {
    ElvSimulateDef level[N_LEVEL];
    for (int i = 0; i < N_LEVEL; i++) {
        level[i] = finite_method(method, 0.01, (10 << i) + 1, 2, space, interpolation);
    }
    ElvSimulateDef fine = finite_method(method, 0.01, 121, 2, ELV_RUNGE_RK4, ELV_HISTORY_CUBIC);
    Study study = refine("1.875*smooth(t, 0, 0.5)", level, &fine, title);
    // asymptotic by the second pair, and on its way there before
    CHECK_NEAR(study.order[0], order, 0.35);
    CHECK_NEAR(study.order[1], order, 0.2);
}

static void test_orders_along_the_rod(void** state) {
    (void)state;
    check_space(ELV_METHOD_RKMK, ELV_RUNGE_EULER, ELV_HISTORY_LINEAR, 1.0, "rkmk, Euler");
    check_space(ELV_METHOD_RKMK, ELV_RUNGE_RK2, ELV_HISTORY_LINEAR, 2.0, "rkmk, RK2");
    // linear interpolation of the history costs RK4 two orders, the cubic through four nodes none
    check_space(ELV_METHOD_RKMK, ELV_RUNGE_RK4, ELV_HISTORY_LINEAR, 2.0,
                "rkmk, RK4, linear history");
    check_space(ELV_METHOD_RKMK, ELV_RUNGE_RK4, ELV_HISTORY_CUBIC, 4.0, "rkmk, RK4, cubic history");
    check_space(ELV_METHOD_TILL, ELV_RUNGE_RK4, ELV_HISTORY_LINEAR, 2.0,
                "till, RK4, linear history");
    check_space(ELV_METHOD_TILL, ELV_RUNGE_RK4, ELV_HISTORY_CUBIC, 4.0, "till, RK4, cubic history");
}

// steps halved on one grid, whose own error is 1e-5 m at the shortest
static Study check_time(const char* motion, int order, const char* title) {
    ElvSimulateDef level[N_LEVEL];
    for (int i = 0; i < N_LEVEL; i++) {
        level[i] = finite_method(ELV_METHOD_RKMK, 0.01 / (1 << i), 41, order, ELV_RUNGE_RK4,
                                 ELV_HISTORY_CUBIC);
    }
    ElvSimulateDef fine =
        finite_method(ELV_METHOD_RKMK, 0.000625, 41, 2, ELV_RUNGE_RK4, ELV_HISTORY_CUBIC);
    return refine(motion, level, &fine, title);
}

static void test_orders_in_time(void** state) {
    (void)state;
    Study study = check_time("1.875*smooth(t, 0, 0.5)", 2, "BDF2, smooth motion");
    CHECK_NEAR(study.order[1], 2.0, 0.25);
    // the fine run has an error of its own, 1/16 of the last one's: 0.1 of the order
    study = check_time(RKMK_MOTION, 2, "BDF2, acceleration that jumps");
    CHECK_NEAR(study.order[1], 2.0, 0.25);
    study = check_time(RKMK_MOTION, 1, "BDF1, acceleration that jumps");
    CHECK_NEAR(study.order[1], 1.0, 0.15);
}

// a motion whose acceleration jumps between the steps of the grid: steps end there, and the order stays
static void test_steps_end_at_breakpoints(void** state) {
    (void)state;
    Study study = check_time("if(t < 0.1234, 0, 20*(t - 0.1234)^2)", 2, "BDF2, jump off the grid");
    CHECK_NEAR(study.order[1], 2.0, 0.3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orders_along_the_rod),
        cmocka_unit_test(test_orders_in_time),
        cmocka_unit_test(test_steps_end_at_breakpoints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
