// SPDX-License-Identifier: Apache-2.0
// The Jacobian of static shooting against central differences of its own residual, away from an equilibrium: joints, bodies
// and loads, laws that are not affine, a tip that is held. It comes with the residual of the point or by itself, and is
// that of the accepted point whatever was tried since.
#include "model_case.h"

#include "strong/shoot_statics.h"

#define ROD                                                                                        \
    "length: 0.4, section: {circle: {diameter: 0.02}}, material: {density: 1200, young: 2e7, "     \
    "poisson: 0.4}, "

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
    "  - {tendon: t, path: {rod: two, z: 0.006}, tension: 1, strain_dependence: %s}\n";

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
    "  - {tendon: t, path: {rod: two, z: 0.006}, tension: 1, strain_dependence: %s}\n";

enum { N_MAX = 64 };

static void take_jacobian(ElvShooting* s, double J[N_MAX][N_MAX]) {
    elv_band_clear(&s->work.J);
    CHECK_TRUE(elv_shoot_jacobian(s, &s->work.J));
    memset(J, 0, N_MAX * sizeof J[0]);
    for (int i = 0; i < s->problem.n; i++) {
        for (int j = 0; j < s->problem.n; j++) {
            bool is_inside = i - j <= s->problem.below && j - i <= s->problem.above;
            J[i][j] = is_inside ? *elv_band_at(&s->work.J, i, j) : 0.0;
        }
    }
}

// the point moved by random numbers and accepted; with_columns: its variations come with the residual
static void go_on(ElvShooting* s, CheckRandom* random, bool with_columns) {
    double step[N_MAX], r[N_MAX];
    for (int i = 0; i < s->problem.n; i++) {
        step[i] = check_uniform(random, -0.02, 0.02);
    }
    s->problem.move(s, step);
    s->norm = with_columns ? INFINITY : 0.0;
    CHECK_TRUE(s->problem.residual(s, r));
    CHECK_TRUE(s->has_column == with_columns);
    s->problem.accept(s);
}

static double compare(double a[N_MAX][N_MAX], double b[N_MAX][N_MAX]) {
    double worst = 0.0;
    for (int i = 0; i < N_MAX * N_MAX; i++) {
        worst = fmax(worst, fabs(a[i / N_MAX][i % N_MAX] - b[i / N_MAX][i % N_MAX]));
    }
    return worst;
}

static void differ(ElvShooting* s, double h, double D[N_MAX][N_MAX]) {
    memset(D, 0, N_MAX * sizeof D[0]);
    for (int j = 0; j < s->problem.n; j++) {
        double step[N_MAX] = {0.0}, r[2][N_MAX];
        for (int side = 0; side < 2; side++) {
            step[j] = side == 0 ? h : -h;
            s->problem.move(s, step);
            CHECK_TRUE(s->problem.residual(s, r[side]));
        }
        for (int i = 0; i < s->problem.n; i++) {
            D[i][j] = (r[0][i] - r[1][i]) / (2.0 * h);
        }
    }
}

static void check_jacobian(
    const char* text, const char* joint, const char* depends, int segments, bool is_held) {
    static double J[N_MAX][N_MAX], again[N_MAX][N_MAX], D[N_MAX][N_MAX];
    ModelCase c = case_open(text, joint, depends);
    ElvStaticsDef def = elv_statics_def_default();
    ElvShooting* s = NULL;
    ElvError error;
    def.method = ELV_STATICS_SHOOTING;
    def.shooting.segments = segments;
    CHECK_STATUS(elv_shoot_create(c.model, &def, &s, &error), &error);
    CHECK_STATUS(elv_shoot_statics(s, 0.0, &error), &error);
    CHECK_TRUE(s->problem.n <= N_MAX);
    ElvPose tip = elv_pose(elv_so3_exp(elv_vec3(0.1, 0.2, -0.3)), elv_vec3(0.7, 0.1, -0.1));
    elv_shoot_hold_tip(s, is_held ? &tip : NULL);
    CheckRandom random = check_random(4);
    go_on(s, &random, true);
    take_jacobian(s, J);
    // points that are tried and left are no matter, whether their variations are known or not
    differ(s, 1e-5, D);
    s->norm = INFINITY;
    CHECK_TRUE(s->problem.residual(s, again[0]) && s->has_column);
    take_jacobian(s, again);
    double mixed = compare(J, again);
    double worst = compare(J, D);
    print_message("%-12.12s %d segments, %d unknowns: %.1e, again %.1e\n", joint, segments,
                  s->problem.n, worst, mixed);
    CHECK_NEAR(mixed, 0.0, 0.0);
    // third derivatives of up to 1e3 times h^2, rounding over h
    CHECK_NEAR(worst, 0.0, 1e-7);
    go_on(s, &random, false);
    take_jacobian(s, J);
    differ(s, 1e-5, D);
    CHECK_NEAR(compare(J, D), 0.0, 1e-7);
    elv_shoot_free(s);
    case_close(&c);
}

static void test_jacobian_is_the_derivative(void** state) {
    (void)state;
    static const char PASSIVE[] = "{revolute: {axis: y, stiffness: 1}}";
    check_jacobian(CHAIN, "fixed", "false", 1, false);
    check_jacobian(CHAIN, "fixed", "true", 4, false);
    check_jacobian(CHAIN, PASSIVE, "true", 1, false);
    check_jacobian(CHAIN, PASSIVE, "false", 3, true);
    check_jacobian(CHAIN, "{spherical: {stiffness: 2}}", "true", 2, false);
    check_jacobian(WET, "fixed", "false", 1, false);
    check_jacobian(WET, PASSIVE, "true", 3, false);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_jacobian_is_the_derivative)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
