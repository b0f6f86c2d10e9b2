// SPDX-License-Identifier: Apache-2.0
// Modes and stability of closed robots: beams held at both ends against Euler and Bernoulli, linkages with springs,
// dampers and weights against their closed forms, robots against the same ones cut elsewhere, sliders, gears and
// skates on springs; what is refused.
#include "linear_case.h"

#include "beam_roots.h"

static const double PI = 3.14159265358979323846;

static ElvModes* modes_of(const ModelCase* c) {
    ElvError error;
    ElvModes* modes = NULL;
    CHECK_STATUS(elv_modes_create(c->model, c->state, &modes, &error), &error);
    return modes;
}

static ElvStabilityReport judge(const ModelCase* c) {
    ElvError error;
    ElvStabilityReport report;
    CHECK_STATUS(elv_stability(c->model, c->state, &report, &error), &error);
    return report;
}

static ElvStaticsReport settle(ModelCase* c, double t, double tolerance) {
    ElvError error;
    ElvStaticsReport report;
    ElvStaticsDef options = elv_model_statics(c->model);
    options.tolerance = tolerance;
    CHECK_STATUS(elv_statics_solve(c->model, c->state, t, &options, &report, &error), &error);
    return report;
}

// ---- beams

static const char wire[] = "tree:\n"
                           "  - {rod: rod, length: 1, section: {circle: {diameter: 1e-3}}, %s\n"
                           "     material: {density: 7800, young: 2.1e11}, strain: {%s}}\n"
                           "loops:\n"
                           "%s";

static const char clamp[] =
    "  - {loop: a, joint: fixed, between: [world, rod.tip], pose: {xyz: [1, 0, 0]}%s}\n";

// frequencies z^2 sqrt(EI / rho A) / 2 pi; the inertia of the section takes off a share (z d / 4)^2 / 2
static void check_beam(const ModelCase* c, BeamEquation f, int n_mode, int n_same) {
    double unit = sqrt(2.1e11 * 1e-6 / 16.0 / 7800.0) / (2.0 * PI);
    ElvModes* modes = modes_of(c);
    CHECK_TRUE(modes->n_mode == n_mode && modes->n_rigid == 0 && !modes->is_damped);
    for (int i = 0; i < 4 * n_same; i++) {
        double z = beam_root(f, NULL, 1.0, 0.1, i / n_same);
        CHECK_NEAR(modes->mode[i].frequency, unit * z * z, 1e-5 * unit * z * z);
    }
    elv_modes_free(modes);
}

static double beam_hinged(const void* beam, double z) {
    (void)beam;
    return sin(z);
}

static void test_beams(void** unused) {
    (void)unused;
    char loop[512];
    snprintf(loop, sizeof loop, clamp, "");
    // clamped at both ends: cos z cosh z = 1, as if free; 2 of the 6 constraints hold anything
    ModelCase c = case_open(wire, "", "bend_z: 14", loop);
    check_beam(&c, beam_free, 12, 1);
    case_close(&c);
    // in the plane across as well; the springs of an augmented closure help Newton alone
    snprintf(loop, sizeof loop, clamp, ", closure: augmented, penalty: 1");
    c = case_open(wire, "", "bend_z: 14, bend_y: 14", loop);
    check_beam(&c, beam_free, 24, 2);
    case_close(&c);
    c = case_open(wire, "joint: {revolute: {axis: z}},", "bend_z: 14",
                  "  - {joint: revolute, between: [world, rod.tip], pose: {xyz: [1, 0, 0]}}\n");
    check_beam(&c, beam_hinged, 14, 1);
    case_close(&c);
}

// closed twice, or by springs that get stiffer: the same, or nearer and nearer
static void test_closures(void** unused) {
    (void)unused;
    char loops[1024];
    double frequency[4];
    for (int i = 0; i < 4; i++) {
        char how[64] = "";
        char one[256];
        if (i >= 2) {
            snprintf(how, sizeof how, ", closure: penalty, penalty: %g", i == 2 ? 1e3 : 1e4);
        }
        snprintf(one, sizeof one, clamp, how);
        snprintf(loops, sizeof loops, "%s%s", one,
                 i == 1
                     ? "  - {joint: revolute, between: [world, rod.tip], pose: {xyz: [1, 0, 0]}}\n"
                     : "");
        ModelCase c = case_open(wire, "", "bend_z: 10", loops);
        ElvModes* modes = modes_of(&c);
        frequency[i] = modes->mode[0].frequency;
        elv_modes_free(modes);
        case_close(&c);
    }
    CHECK_NEAR(frequency[1], frequency[0], 1e-9 * frequency[0]);
    double first = frequency[0] - frequency[2];
    double second = frequency[0] - frequency[3];
    CHECK_TRUE(first > 0.0 && second > 0.0);
    // errors of order 1/k
    CHECK_NEAR(first / second, 10.0, 0.1);
}

// ---- linkages

/// A parallelogram on two cranks of length r and inertia J: the coupler of mass m does not turn, so that
/// (2 J + m r^2) theta_ddot + d theta_dot + (k + k_loop) theta = 0, with d and k_loop in the joint of the loop.
static const char linkage[] =
    "tree:\n"
    "  - {body: left, joint: {revolute: {axis: z, position: %.17g, rest: %.17g, stiffness: 3}},\n"
    "     mass: 1e-9, inertia: [0.01, 0.01, 0.02]}\n"
    "  - {body: coupler, parent: left, pose: {xyz: [0, 0.3, 0]}, mass: 2,\n"
    "     joint: {revolute: {axis: z, position: %.17g}}, center: [0.35, 0.1, 0],\n"
    "     inertia: [0.1, 0.1, 0.1]}\n"
    "  - {body: right, pose: {xyz: [0.7, 0, 0]}, joint: {revolute: {axis: z, position: %.17g}},\n"
    "     mass: 1e-9, inertia: [0.01, 0.01, 0.02]}\n"
    "frames:\n"
    "  - {name: far, on: coupler, pose: {xyz: [0.7, 0, 0]}}\n"
    "  - {name: top, on: right, pose: {xyz: [0, 0.3, 0]}}\n"
    "loops:\n"
    "  - {loop: pin, between: [far, top], joint: {revolute: {axis: z, rest: %.17g, stiffness: 1,\n"
    "     damping: %g}}}\n"
    "loads:\n"
    "  - {force: [0, \"-t\", 0], at: coupler}\n";

static ModelCase open_linkage(double angle, double damping) {
    return case_open(linkage, angle, angle, -angle, angle, angle, damping);
}

static void test_linkage(void** unused) {
    (void)unused;
    double inertia = 2.0 * 0.02 + 2.0 * 0.09;
    for (int i = 0; i < 3; i++) {
        // no weight: at any angle; five constraints of which two count
        ModelCase c = open_linkage(0.5 * i, 0.0);
        ElvModes* modes = modes_of(&c);
        CHECK_TRUE(modes->n_mode == 1 && !modes->is_damped);
        CHECK_NEAR(modes->mode[0].frequency, sqrt(4.0 / inertia) / (2.0 * PI), 1e-9);
        // the cranks turn together, the coupler turns back against its own
        CHECK_NEAR(modes->shape[1] / modes->shape[0], -1.0, 1e-9);
        CHECK_NEAR(modes->shape[2] / modes->shape[0], 1.0, 1e-9);
        elv_modes_free(modes);
        case_close(&c);
    }
    // with a damper in the joint that closes the loop
    ModelCase c = open_linkage(0.4, 0.1);
    ElvModes* modes = modes_of(&c);
    CHECK_TRUE(modes->is_damped && modes->n_mode == 1);
    CHECK_NEAR(modes->mode[0].re, -0.05 / inertia, 1e-9);
    CHECK_NEAR(hypot(modes->mode[0].re, modes->mode[0].im), sqrt(4.0 / inertia), 1e-9);
    elv_modes_free(modes);
    case_close(&c);
}

// upright, under a weight t at r = 0.3, stable up to t = 4 / 0.3; there it goes on, unstable. Started beyond that it
// is left to fall to where 4 theta = 0.3 t sin(theta).
static void test_upright(void** unused) {
    (void)unused;
    double inertia = 2.0 * 0.02 + 2.0 * 0.09;
    static const double weight[] = {-50.0, 12.0, 13.3, 14.0};
    ModelCase c = open_linkage(0.0, 0.0);
    for (int i = 0; i < 4; i++) {
        double stiffness = 4.0 - 0.3 * weight[i];
        bool is_stable = stiffness > 0.0;
        ElvStaticsReport report = settle(&c, weight[i], 1e-10);
        CHECK_NEAR(c.state->q[0], 0.0, 1e-9);
        CHECK_TRUE(report.stability == (is_stable ? ELV_STABILITY_STABLE : ELV_STABILITY_UNSTABLE));
        ElvStabilityReport stability = judge(&c);
        CHECK_TRUE(stability.is_conservative && stability.stability == report.stability);
        CHECK_NEAR(stability.eigenvalue, stiffness / inertia, 1e-7);
        CHECK_TRUE(stability.n_negative == (is_stable ? 0 : 1));
        CHECK_NEAR(stability.growth, is_stable ? 0.0 : sqrt(-stiffness / inertia), 1e-7);
    }
    case_close(&c);
    c = open_linkage(0.0, 0.0);
    c.state->q[0] = c.state->q[2] = 1e-3;
    c.state->q[1] = -1e-3;
    CHECK_TRUE(settle(&c, 14.0, 1e-10).stability == ELV_STABILITY_STABLE);
    CHECK_TRUE(fabs(c.state->q[0]) > 0.1);
    CHECK_NEAR(4.0 * c.state->q[0], 4.2 * sin(c.state->q[0]), 1e-8);
    case_close(&c);
}

// nothing holds a triangle of bars in its corner: neither stable nor not
static void test_neutral(void** unused) {
    (void)unused;
    ModelCase c = case_open(
        "tree:\n"
        "  - {body: a, joint: {revolute: {axis: z}}, mass: 1, inertia: [0.1, 0.1, 0.1]}\n"
        "  - {body: b, parent: a, pose: {xyz: [1, 0, 0]}, mass: 1, inertia: [0.1, 0.1, 0.1],\n"
        "     joint: {revolute: {axis: z, position: 2.0943951023931953}}}\n"
        "  - {body: c, parent: b, pose: {xyz: [1, 0, 0]}, mass: 1, inertia: [0.1, 0.1, 0.1],\n"
        "     joint: {revolute: {axis: z, position: 2.0943951023931953}}}\n"
        "frames:\n  - {name: end, on: c, pose: {xyz: [1, 0, 0]}}\n"
        "loops:\n  - {joint: revolute, between: [world, end]}\n");
    ElvModes* modes = modes_of(&c);
    CHECK_TRUE(modes->n_mode == 1 && modes->n_rigid == 1);
    CHECK_TRUE(judge(&c).stability == ELV_STABILITY_UNKNOWN);
    elv_modes_free(modes);
    case_close(&c);
}

// ---- the same robot, cut elsewhere

static void check_same_modes(const ModelCase* a, const ModelCase* b) {
    ElvModes* modes[2] = {modes_of(a), modes_of(b)};
    CHECK_TRUE(modes[0]->n_mode == modes[1]->n_mode);
    for (int i = 0; i < modes[0]->n_mode; i++) {
        double size = hypot(modes[0]->mode[i].re, modes[0]->mode[i].im);
        CHECK_NEAR(modes[1]->mode[i].re, modes[0]->mode[i].re, 1e-7 * size);
        CHECK_NEAR(modes[1]->mode[i].im, modes[0]->mode[i].im, 1e-7 * size);
    }
    elv_modes_free(modes[0]);
    elv_modes_free(modes[1]);
}

// the continuum parallel robot, its second leg hung on the first, and its foot closed by a loop with the motor
static const char other_cpr[] =
    "materials:\n  steel: {density: 7800, young: 2.1e11}\n"
    "tree:\n"
    "  - rod: leg1\n"
    "    pose: {xyz: [0, 0.35, 0]}\n"
    "    joint: {revolute: {axis: z, position: -asin(0.35), force: \"%s\"}}\n"
    "    length: 1\n"
    "    section: {explicit: {area: 3.1416e-6, inertia_y: 1.5708e-12, inertia_z: 1.5708e-12}}\n"
    "    material: steel\n"
    "    strain: {bend_z: 5}\n"
    "    basis: chebyshev\n"
    "  - rod: leg2\n"
    "    parent: leg1.tip\n"
    "    joint: {revolute: {axis: z, position: pi + 2*asin(0.35)}}\n"
    "    length: 1\n"
    "    section: {explicit: {area: 3.1416e-6, inertia_y: 1.5708e-12, inertia_z: 1.5708e-12}}\n"
    "    material: steel\n"
    "    strain: {bend_z: 5}\n"
    "    basis: chebyshev\n"
    "loops:\n"
    "  - {between: [world, leg2.tip], pose: {xyz: [0, -0.35, 0]},\n"
    "     joint: {revolute: {axis: z, force: \"%s\"}}}\n";

static void test_other_cut(void** unused) {
    (void)unused;
    static const double load[] = {1.25, 1.75, 4.3};
    for (size_t i = 0; i < sizeof load / sizeof load[0]; i++) {
        double t = load[i];
        char force[2][32];
        snprintf(force[0], 32, "%.17g",
                 t < 2.0 ? 0.5 * t : 1.0 + 0.07 * (1.0 - cos(2.0 * PI * (t - 4.0))));
        snprintf(force[1], 32, "%.17g", t < 2.0 ? -0.5 * t : -1.0);
        ModelCase a = open_example("cpr");
        ModelCase b = case_open(other_cpr, force[0], force[1]);
        (void)settle(&a, t, 1e-12);
        (void)settle(&b, t, 1e-12);
        check_same_modes(&a, &b);
        case_close(&a);
        case_close(&b);
    }
    // a platform on six legs, or floating and held by them
    ModelCase a = open_example("stewart-gough");
    ModelCase b = open_example("stewart-gough-floating");
    (void)settle(&a, 1.0, 1e-12);
    (void)settle(&b, 1.0, 1e-12);
    check_same_modes(&a, &b);
    case_close(&a);
    case_close(&b);
}

// ---- sliders and couplings

// a bead on a rod: across it moves with the rod, as one that is fixed there, along it on its own spring
static void test_slider(void** unused) {
    (void)unused;
    static const char rod[] =
        "tree:\n"
        "  - {rod: rod, length: 1, section: {circle: {diameter: 0.01}}, strain: {bend_z: 8},\n"
        "     material: {density: 7800, young: 2.1e11}}\n"
        "%s";
    ModelCase c = case_open(
        rod, "  - {body: bead, pose: {xyz: [0.6, 0, 0]}, mass: 0.5, inertia: [1e-6, 1e-6, 1e-6],\n"
             "     joint: {planar: {axis: z, stiffness: [1, 50, 0]}}}\n"
             "loops:\n  - {slider: ring, point: bead, rod: rod, station: 0.6}\n");
    ModelCase fixed = case_open(
        rod, "  - {body: bead, parent: rod.at(0.6), mass: 0.5, inertia: [1e-15, 1e-15, 1e-15]}\n");
    ElvModes* modes = modes_of(&c);
    ElvModes* expected = modes_of(&fixed);
    CHECK_TRUE(modes->n_mode == expected->n_mode + 2);
    CHECK_NEAR(modes->mode[0].frequency, 10.0 / (2.0 * PI), 1e-9);
    // its turn on a spring of its own is the fifth
    CHECK_NEAR(modes->mode[4].frequency, 1e3 / (2.0 * PI), 1e-6);
    for (int i = 0; i < 3; i++) {
        double frequency = expected->mode[i].frequency;
        CHECK_NEAR(modes->mode[1 + i].frequency, frequency, 1e-7 * frequency);
    }
    elv_modes_free(modes);
    elv_modes_free(expected);
    case_close(&c);
    case_close(&fixed);
}

// theta_1 = 2 theta_2
static void test_gear(void** unused) {
    (void)unused;
    ModelCase c =
        case_open("tree:\n"
                  "  - {body: pinion, joint: {revolute: {axis: z, stiffness: 3}}, inertia: [1, 1, "
                  "0.2], mass: 1}\n"
                  "  - {body: wheel, joint: {revolute: {axis: z, stiffness: 4}}, inertia: [1, 1, "
                  "0.6], mass: 1}\n"
                  "constraints:\n"
                  "  - {coupling: gear, joints: [{joint: pinion}, {joint: wheel, factor: -2}]}\n");
    ElvModes* modes = modes_of(&c);
    CHECK_TRUE(modes->n_mode == 1);
    CHECK_NEAR(modes->mode[0].frequency, sqrt((4.0 * 3.0 + 4.0) / (4.0 * 0.2 + 0.6)) / (2.0 * PI),
               1e-10);
    CHECK_NEAR(modes->shape[0] / modes->shape[1], 2.0, 1e-12);
    elv_modes_free(modes);
    case_close(&c);
}

// ---- constraints on velocities

// a body on springs, that a blade lets move ahead and turn alone: y_dot = -a theta_dot at the centre
static void test_skate(void** unused) {
    (void)unused;
    for (int i = 0; i < 2; i++) {
        double a = 0.3 * i;
        ModelCase c = case_open(
            "tree:\n"
            "  - {body: skate, joint: {planar: {axis: z, stiffness: [5, 7, 11]}}, mass: 2,\n"
            "     inertia: [1, 1, 0.4]}\n"
            "frames:\n  - {name: blade, on: skate, pose: {xyz: [%g, 0, 0]}}\n"
            "constraints:\n  - {velocity: edge, at: blade, direction: y}\n",
            a);
        ElvModes* modes = modes_of(&c);
        // what the blade keeps is another equilibrium, not a motion
        CHECK_TRUE(modes->n_mode == 2 && modes->n_rigid == 0);
        double turn = sqrt((5.0 + 11.0 * a * a) / (0.4 + 2.0 * a * a)) / (2.0 * PI);
        double ahead = sqrt(7.0 / 2.0) / (2.0 * PI);
        CHECK_NEAR(modes->mode[0].frequency, fmin(turn, ahead), 1e-9);
        CHECK_NEAR(modes->mode[1].frequency, fmax(turn, ahead), 1e-9);
        elv_modes_free(modes);
        case_close(&c);
    }
}

// ---- what is refused

static void test_refused(void** unused) {
    (void)unused;
    ElvError error;
    ElvModes* modes = NULL;
    ElvStabilityReport report;
    ModelCase c = open_linkage(0.4, 0.0);
    c.state->v[0] = c.state->v[2] = 0.1;
    c.state->v[1] = -0.1;
    CHECK_TRUE(elv_modes_create(c.model, c.state, &modes, &error) == ELV_ERROR_INPUT);
    CHECK_TRUE(strcmp(error.element, "pin") == 0 && strstr(error.message, "rest") != NULL);
    memset(c.state->v, 0, 3 * sizeof(double));
    c.state->q[2] += 0.1;
    CHECK_TRUE(elv_modes_create(c.model, c.state, &modes, &error) == ELV_ERROR_INPUT);
    CHECK_TRUE(strcmp(error.element, "pin") == 0 && strstr(error.message, "keep") != NULL);
    CHECK_TRUE(elv_stability(c.model, c.state, &report, &error) == ELV_ERROR_INPUT);
    CHECK_TRUE(report.stability == ELV_STABILITY_UNKNOWN);
    case_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_beams),   cmocka_unit_test(test_closures),
        cmocka_unit_test(test_linkage), cmocka_unit_test(test_upright),
        cmocka_unit_test(test_neutral), cmocka_unit_test(test_other_cut),
        cmocka_unit_test(test_slider),  cmocka_unit_test(test_gear),
        cmocka_unit_test(test_skate),   cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
