// SPDX-License-Identifier: Apache-2.0
// Limits of the finite differences: steps too short for a shot, elements too long for their fields, and what the
// interpolation of the past takes from a motion as steps get shorter.
#include "finite_case.h"

/// A driven arm that bends and does not stretch, with a weight at its tip.
#define ARM                                                                                        \
    "gravity: [0, 0, -9.81]\n"                                                                     \
    "tree:\n"                                                                                      \
    "  - {rod: arm, joint: {revolute: {axis: y, motion: \"0.5*sin(2*pi*t)\"}}, length: 0.5,\n"     \
    "     section: {circle: {diameter: 0.02}}, material: {density: 1100, young: 5e7, damping: "    \
    "0.01},\n"                                                                                     \
    "     strain: {bend_y: 8}}\n"                                                                  \
    "  - {body: weight, parent: arm.tip, mass: 0.05, inertia: [1e-5, 1e-5, 1e-5]}\n"

static const double LENGTH = 0.5;

static ElvSimulateDef method_of(ElvMethod method, double step, int nodes) {
    ElvSimulateDef def = elv_simulate_def_default();
    def.method = method;
    def.step = step;
    def.finite.nodes = nodes;
    return def;
}

// rounding that grows towards the tip ends a run; where it stays small steps are taken
static void test_no_step_is_kept_with_a_residual(void** state) {
    (void)state;
    ModelCase c = case_open(ARM);
    static const ElvMethod methods[] = {ELV_METHOD_RKMK, ELV_METHOD_TILL};
    for (int i = 0; i < 2; i++) {
        ElvSimulateDef def = method_of(methods[i], 1e-5, 21);
        FinitePath* path = finite_run(&c, "arm.tip", &def, 1e-4, 0.002);
        CHECK_TRUE(path->status == ELV_ERROR_STEP);
        CHECK_TRUE(strstr(path->error.message, "rounding leaves") != NULL);
        CHECK_TRUE(strstr(path->error.message, "dt = 1e-05 s") != NULL);
        CHECK_TRUE(strstr(path->error.message, "longer ones") != NULL);
        CHECK_TRUE(path->report.last_residual <= 1e-6);
        free(path);
        def.step = 1e-4;
        path = finite_run(&c, "arm.tip", &def, 1e-4, 0.01);
        CHECK_STATUS(path->status, &path->error);
        CHECK_TRUE(path->report.last_residual <= 1e-6);
        free(path);
    }
    case_close(&c);
}

// one element for a rod that vibrates: no record may show it longer than it is
static void test_shapes_that_no_rod_has_are_refused(void** state) {
    (void)state;
    ModelCase c = case_open(ARM);
    static const ElvHistory histories[] = {ELV_HISTORY_LINEAR, ELV_HISTORY_CUBIC};
    for (int i = 0; i < 2; i++) {
        ElvSimulateDef def = method_of(ELV_METHOD_RKMK, 0.005, 2);
        def.finite.interpolation = histories[i];
        FinitePath* path = finite_run(&c, "arm.tip", &def, 0.005, 0.1);
        CHECK_TRUE(path->status == ELV_ERROR_STEP);
        CHECK_TRUE(strcmp(path->error.element, "arm") == 0);
        CHECK_TRUE(strstr(path->error.message, "more nodes") != NULL);
        for (int k = 0; k < path->n; k++) {
            CHECK_TRUE(elv_vec3_norm(path->p[k]) <= 1.006 * LENGTH);
        }
        free(path);
    }
    case_close(&c);
}

static double height_at(const ModelCase* c, const ElvSimulateDef* def, double t) {
    FinitePath* path = finite_run(c, "arm.tip", def, t, t);
    CHECK_STATUS(path->status, &path->error);
    double z = path->p[path->n - 1].z;
    free(path);
    return z;
}

// By default shorter steps are better: order 2 towards what modes give. The old default, linear, went away from it: at
// 21 nodes and 1.25 ms by 2 mm.
static void test_shorter_steps_are_better(void** state) {
    (void)state;
    static const double END = 0.25;
    ModelCase c = case_open(ARM);
    ElvSimulateDef modes = method_of(ELV_METHOD_NEWMARK, 0.000625, 21);
    double expected = height_at(&c, &modes, END);
    double error[3];
    for (int i = 0; i < 3; i++) {
        ElvSimulateDef def = method_of(ELV_METHOD_RKMK, 0.005 / (1 << i), 41);
        error[i] = fabs(height_at(&c, &def, END) - expected);
    }
    double order[2] = {log2(error[0] / error[1]), log2(error[1] / error[2])};
    print_message("errors %.3g, %.3g, %.3g m: orders %.2f, %.2f\n", error[0], error[1], error[2],
                  order[0], order[1]);
    CHECK_NEAR(order[0], 2.0, 0.4);
    CHECK_NEAR(order[1], 2.0, 0.4);
    // the default of nodes too
    ElvSimulateDef def = method_of(ELV_METHOD_RKMK, 0.00125, 21);
    CHECK_NEAR(height_at(&c, &def, END), expected, 3e-4);
    case_close(&c);
}

static ElvFiniteDamping damping_of(const ModelCase* c, const ElvSimulateDef* def) {
    ElvFiniteDamping damping;
    ElvError error;
    CHECK_STATUS(elv_finite_damping(c->model, def, &damping, &error), &error);
    return damping;
}

// Damping of a sine by the interpolation: its mean over the stages of RK4 (1, 4, 1)/6 of an element loses what the middle
// does, 2/3 of it. The middle of a chord loses 1 - cos(k ds/2), that of the cubic (9 cos(k ds/2) - cos(3 k ds/2))/8 - 1.
static void test_damping_of_the_interpolation(void** state) {
    (void)state;
    ModelCase c =
        case_open("tree:\n  - {rod: arm, length: 0.5, section: {circle: {diameter: 0.02}},\n"
                  "     material: {density: 1100, young: 5e7}, strain: {bend_y: 8}}\n");
    const double dt = 0.001;
    const double k = 2.0 * acos(-1.0) / LENGTH;
    // EI k^4 = rho A w^2, with I = A d^2/16
    double w = k * k * sqrt(5e7 * 0.02 * 0.02 / 16.0 / 1100.0);
    for (int nodes = 21; nodes <= 81; nodes = 2 * nodes - 1) {
        double a = 0.5 * k * LENGTH / (nodes - 1);
        ElvSimulateDef def = method_of(ELV_METHOD_TILL, dt, nodes);
        double cubic = 2.0 / 3.0 * (1.0 - (9.0 * cos(a) - cos(3.0 * a)) / 8.0) / (w * dt);
        CHECK_NEAR(damping_of(&c, &def).interpolation, cubic, 0.1 * cubic);
        def.finite.interpolation = ELV_HISTORY_LINEAR;
        double linear = 2.0 / 3.0 * (1.0 - cos(a)) / (w * dt);
        CHECK_NEAR(damping_of(&c, &def).interpolation, linear, 0.1 * linear);
        CHECK_NEAR(damping_of(&c, &def).time, pow(w * dt, 3.0) / 4.0, 1e-9);
        // stages at nodes alone interpolate nothing
        def.finite.space = ELV_RUNGE_RK2;
        CHECK_NEAR(damping_of(&c, &def).interpolation, 0.0, 0.0);
    }
    case_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_step_is_kept_with_a_residual),
        cmocka_unit_test(test_shapes_that_no_rod_has_are_refused),
        cmocka_unit_test(test_shorter_steps_are_better),
        cmocka_unit_test(test_damping_of_the_interpolation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
