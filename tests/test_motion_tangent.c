// SPDX-License-Identifier: Apache-2.0
// The Jacobian of a step by shooting against central differences of its own residual, at points far from a solution:
// every joint, with and without the equation of accelerations, bodies and loads, laws that are not affine.
#include "model_case.h"

#include "strong/motion.h"

#define ROD                                                                                        \
    "length: 0.4, section: {circle: {diameter: 0.02}}, material: {density: 1200, young: 2e7, "     \
    "poisson: 0.4, damping: 0.01}, "

static const char CHAIN[] =
    "gravity: [0, 3, -9.81]\n"
    "tree:\n"
    "  - {body: base, joint: %s, mass: 0.5, center: [0.02, 0, 0], inertia: [0.01, 0.02, 0.01]}\n"
    "  - {rod: one, parent: base, pose: {xyz: [0.05, 0, 0], rpy: [0, 0.3, 0.5]}, " ROD
    "strain: {reissner: 3}}\n"
    "  - {body: hub, parent: one.tip, pose: {xyz: [0.02, 0, 0], rpy: [0.5, 0.2, 0]}, mass: 0.05,\n"
    "     inertia: [1e-4, 1e-4, 2e-4]}\n"
    "  - {rod: two, parent: hub, " ROD "strain: {kirchhoff: 3}}\n"
    "  - {body: hand, parent: two.tip, mass: 0.03, center: [0.03, 0, 0.01], inertia: [1e-4, 1e-4, "
    "1e-4]}\n"
    "loads:\n"
    "  - {force: [0, 0.3, 0.1], at: hand}\n"
    "  - {force: [0, 0, \"0.5*s\"], rod: one}\n"
    "actuators:\n"
    "  - {tendon: t, path: {rod: one, z: 0.006}, tension: 1, strain_dependence: %s}\n";

// the same in water that flows: drag, lift, buoyancy and added mass, and a rod by elongated body theory
static const char WET[] =
    "gravity: [0, 3, -9.81]\n"
    "fluid: {density: 1000, current: [0.4, \"0.3*sin(3*t)\", -0.2]}\n"
    "tree:\n"
    "  - {body: base, joint: %s, mass: 0.5, center: [0.02, 0, 0], inertia: [0.01, 0.02, 0.01],\n"
    "     fluid: {buoyancy: true, volume: 3e-4, drag: [1e-3, 2e-3, 3e-3]}}\n"
    "  - {rod: one, parent: base, pose: {xyz: [0.05, 0, 0], rpy: [0, 0.3, 0.5]}, " ROD
    "strain: {reissner: 3}, fluid: {buoyancy: true, drag: {normal: 1.1, tangential: 0.02}, lift: "
    "0.4, "
    "added_mass: 1}}\n"
    "  - {body: hub, parent: one.tip, pose: {xyz: [0.02, 0, 0], rpy: [0.5, 0.2, 0]}, mass: 0.05,\n"
    "     inertia: [1e-4, 1e-4, 2e-4], resistance: [0, 0, 0, 0.1, 0.2, 0.1]}\n"
    "  - {rod: two, parent: hub, " ROD
    "strain: {bend_y: 3, bend_z: 3}, fluid: {added_mass: 1, lighthill: true}}\n"
    "actuators:\n"
    "  - {tendon: t, path: {rod: one, z: 0.006}, tension: 1, strain_dependence: %s}\n";

enum { N_MAX = 512 };

static double difference(ElvMotionShooting* s, int column, double h, double* d) {
    static double step[N_MAX], r[2][N_MAX];
    memset(step, 0, sizeof step);
    for (int i = 0; i < 2; i++) {
        step[column] = i == 0 ? h : -h;
        s->cut.problem.move(s, step);
        CHECK_TRUE(s->cut.problem.residual(s, r[i]));
    }
    double most = 0.0;
    for (int i = 0; i < s->cut.problem.n; i++) {
        d[i] = (r[0][i] - r[1][i]) / (2.0 * h);
        most = fmax(most, fabs(d[i]));
    }
    return most;
}

static void check_jacobian(
    const char* text, const char* joint, const char* depends, bool has_accelerations, int n) {
    ModelCase c = case_open(text, joint, depends);
    ElvSimulateDef def = elv_simulate_def_default();
    ElvIntegrator* integrator = NULL;
    ElvError error;
    def.method = ELV_METHOD_SHOOTING;
    def.step = 0.02;
    def.shooting.segments = n;
    def.shooting.steps = 24;
    def.has_accelerations = has_accelerations;
    CHECK_STATUS(elv_integrator_create(c.model, &def, &integrator, &error), &error);
    elv_state_reset(c.model, c.state);
    CHECK_STATUS(elv_integrator_start(integrator, c.state, &error), &error);
    ElvMotionShooting* s = (ElvMotionShooting*)integrator;
    CHECK_STATUS(elv_integrator_step(integrator, 1.0, c.state, &error), &error);
    elv_motion_scheme_begin(s, 0.02);
    CHECK_STATUS(elv_motion_drive(s, 0.04, &error), &error);
    // away from the solution; what a long segment starts with grows on its way
    double size = n == 1 ? 1e-4 : 0.02;
    CheckRandom random = check_random(9);
    static double step[N_MAX], d[N_MAX];
    CHECK_TRUE(s->cut.problem.n <= N_MAX);
    for (int i = 0; i < s->cut.problem.n; i++) {
        step[i] = check_uniform(&random, -size, size);
    }
    s->cut.problem.move(s, step);
    CHECK_TRUE(s->cut.problem.residual(s, d));
    s->cut.problem.accept(s);
    elv_band_clear(&s->cut.work.J);
    CHECK_TRUE(s->cut.problem.jacobian(s, &s->cut.work.J));
    double worst = 0.0;
    for (int j = 0; j < s->cut.problem.n; j++) {
        double most = difference(s, j, n == 1 ? 1e-6 : 1e-5, d);
        for (int i = 0; i < s->cut.problem.n; i++) {
            bool is_inside = i - j <= s->cut.problem.below && j - i <= s->cut.problem.above;
            double exact = is_inside ? *elv_band_at(&s->cut.work.J, i, j) : 0.0;
            worst = fmax(worst, fabs(exact - d[i]) / fmax(most, 1.0));
        }
    }
    print_message("%-20.20s %s %d segments, %d unknowns: %.1e\n", joint,
                  has_accelerations ? "full" : "local", n, s->cut.problem.n, worst);
    // rounding over the difference, times growth (1e6 over a single segment, 1e4 over others)
    CHECK_NEAR(worst, 0.0, n == 1 ? 1e-5 : 1e-6);
    elv_integrator_free(integrator);
    case_close(&c);
}

static void test_jacobian_is_the_derivative(void** state) {
    (void)state;
    static const char DRIVEN[] = "{revolute: {axis: z, motion: \"t^2\"}}";
    static const char PASSIVE[] = "{revolute: {axis: y, stiffness: 1, damping: 0.1}}";
    for (int is_full = 0; is_full < 2; is_full++) {
        check_jacobian(CHAIN, DRIVEN, "false", is_full == 1, 1);
        check_jacobian(CHAIN, PASSIVE, "true", is_full == 1, 4);
        check_jacobian(CHAIN, "spherical", "false", is_full == 1, 3);
        check_jacobian(CHAIN, "free", "true", is_full == 1, 1);
        check_jacobian(CHAIN, "free", "false", is_full == 1, 5);
        check_jacobian(WET, "free", "false", is_full == 1, 4);
        check_jacobian(WET, PASSIVE, "true", is_full == 1, 5);
    }
}

// wherever a lane is lost: among others that are not, in a rod whose law takes iterations and in one whose law does not
static void test_lost_shots_say_so(void** state) {
    (void)state;
    ModelCase c = case_open(CHAIN, "free", "true");
    ElvSimulateDef def = elv_simulate_def_default();
    ElvIntegrator* integrator = NULL;
    ElvError error;
    static double r[N_MAX];
    def.method = ELV_METHOD_SHOOTING;
    def.step = 0.02;
    def.shooting.segments = 5;
    CHECK_STATUS(elv_integrator_create(c.model, &def, &integrator, &error), &error);
    elv_state_reset(c.model, c.state);
    CHECK_STATUS(elv_integrator_start(integrator, c.state, &error), &error);
    ElvMotionShooting* s = (ElvMotionShooting*)integrator;
    CHECK_STATUS(elv_integrator_step(integrator, 1.0, c.state, &error), &error);
    elv_motion_scheme_begin(s, 0.02);
    CHECK_STATUS(elv_motion_drive(s, 0.04, &error), &error);
    for (int k = 0; k < 5; k++) {
        double step[N_MAX] = {0.0};
        s->cut.problem.move(s, step);
        CHECK_TRUE(s->cut.problem.residual(s, r) && s->lost == -1);
        s->cut.trial.at[k].lam.mom.y += 1e3;
        CHECK_TRUE(!s->cut.problem.residual(s, r));
        CHECK_TRUE(s->law == ELV_ERROR_NUMERIC);
        CHECK_TRUE(s->lost >= s->cut.first[k] && s->lost < s->cut.first[k + 1]);
    }
    elv_integrator_free(integrator);
    case_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_jacobian_is_the_derivative),
        cmocka_unit_test(test_lost_shots_say_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
