// SPDX-License-Identifier: Apache-2.0
// A rod clamped at both ends, twisted by one turn and pushed into a loop ([P20] test 3): against numbers of an
// independent program that minimises the energy under the constraints (tests/golden/twist-push.csv), against
// what is exact, and the heavy rod against the balance of all forces.
//
// Tolerances. The reference closes its constraints to 2e-7 m and has the same modes; its energy, which is
// stationary but for the forces of some 100 N on that gap, is good to 1e-8 of itself, shapes and torsions
// to 1e-6. The azimuth of the loop is free, and not compared.
#include "actuation_case.h"

static const double PI = 3.14159265358979323846;
static const double LENGTH = 20.0;
static const double BEND = 2.1e11 * 3.14159265358979323846 * 0.0176 * 0.0176 * 0.0176 * 0.0176 / 64;
static const double TWIST =
    8.1e10 * 3.14159265358979323846 * 0.0176 * 0.0176 * 0.0176 * 0.0176 / 32;

enum { X, Y, Z, ENERGY, TORSION_0, MOMENT = 7, FORCE = 10, GAP = 13 };

// the light rod with n modes of bending, at the loads of its file or others
static Trace* push(const char* n_modes, const char* loads) {
    const ElvOverride set[] = {{"record.signals",
                                "[rod.at(0.5).position, energy.elastic, rod.strain(0).twist, "
                                "rod.strain(0.5).twist, rod.strain(1).twist, loop.clamp.wrench, "
                                "loop.clamp.gap]"},
                               {"rod.strain", n_modes},
                               {"statics.loads", loads}};
    return example_statics("twist-push", set, loads ? 3 : 2);
}

static int row_at(const Trace* trace, double t) {
    for (int i = 0; i < trace->n_row; i++) {
        if (fabs(trace->t[i] - t) < 1e-9) {
            return i;
        }
    }
    print_error("no load %g\n", t);
    fail();
    return -1;
}

// ---- the light rod

static void check_reference(const Trace* trace, const Reference* r, const char* prefix) {
    char name[32];
    snprintf(name, sizeof name, "%s.x", prefix);
    int i_x = reference_column(r, name);
    for (int i = 0; i < r->n_row; i++) {
        const double* expected = r->value[i] + i_x;
        const double* own = trace->value[row_at(trace, 2.0 - r->value[i][0])];
        CHECK_NEAR(own[X], 0.5 * LENGTH * r->value[i][0], 1e-10);
        CHECK_NEAR(own[X], expected[0], 2e-7);
        CHECK_NEAR(hypot(own[Y], own[Z]), expected[1], 1e-6 * expected[1]);
        CHECK_ARRAY_NEAR(own + TORSION_0, expected + 2, 3, 1e-6);
        CHECK_NEAR(own[ENERGY], expected[5], 1e-8 * expected[5]);
    }
    for (int i = 0; i < trace->n_row; i++) {
        CHECK_ARRAY_NEAR(trace->value[i] + GAP, ((double[]){0.0, 0.0}), 2, 1e-10);
    }
}

static void test_reference(void** unused) {
    (void)unused;
    Reference* r = reference_read("twist-push");
    CHECK_TRUE(r->n_row == 16);
    Trace* coarse = push("{twist: 3, bend_y: 5, bend_z: 5}", NULL);
    Trace* fine = push("{twist: 5, bend_y: 9, bend_z: 9}", NULL);
    check_reference(coarse, r, "n5");
    check_reference(fine, r, "n9");
    for (int i = 0; i < r->n_row; i++) {
        double x = r->value[i][0];
        const double* a = coarse->value[row_at(coarse, 2.0 - x)] + TORSION_0;
        const double* b = fine->value[row_at(fine, 2.0 - x)] + TORSION_0;
        if (x > 0.35) {
            // the torsion of a round rod is uniform where no couple acts along it: nearly so with nine modes
            CHECK_TRUE(fabs(a[1] - a[0]) > 1e-3 && fabs(b[1] - b[0]) < 0.01 * fabs(a[1] - a[0]));
        } else {
            // all of it is converted where the ends are near: the loop is plane
            CHECK_ARRAY_NEAR(a, ((double[]){0.0, 0.0, 0.0}), 3, 1e-9);
            CHECK_ARRAY_NEAR(b, ((double[]){0.0, 0.0, 0.0}), 3, 1e-9);
        }
    }
    trace_free(coarse);
    trace_free(fine);
    free(r);
}

// A straight rod turned by 2 pi t has torsion 2 pi t/l, whatever its modes: exact but for rounding. Nothing
// determines its tension: the smallest one is none.
static void test_twisted(void** unused) {
    (void)unused;
    Trace* trace = push("{twist: 3, bend_y: 5, bend_z: 5}", "[0, 0.25, 0.5, 0.75, 1]");
    for (int i = 0; i < trace->n_row; i++) {
        const double* own = trace->value[i];
        double K1 = 2.0 * PI * trace->t[i] / LENGTH;
        const double shape[] = {0.5 * LENGTH, 0.0, 0.0};
        const double torsion[] = {K1, K1, K1};
        const double wrench[] = {TWIST * K1, 0.0, 0.0, 0.0, 0.0, 0.0};
        CHECK_ARRAY_NEAR(own, shape, 3, 1e-10);
        CHECK_ARRAY_NEAR(own + TORSION_0, torsion, 3, 1e-12);
        CHECK_NEAR(own[ENERGY], 0.5 * TWIST * K1 * K1 * LENGTH, 1e-9);
        CHECK_ARRAY_NEAR(own + MOMENT, wrench, 6, 1e-7);
    }
    trace_free(trace);
}

// Where both ends are at one place, the rod is a circle of circumference l, plane and without torsion: constant
// curvatures 2 pi/l in the axes of its sections, which any modes hold. No force, and the couple of that bending.
static void test_circle(void** unused) {
    (void)unused;
    Trace* trace = push("{twist: 3, bend_y: 5, bend_z: 5}", NULL);
    const double* own = trace->value[row_at(trace, 2.0)];
    double kappa = 2.0 * PI / LENGTH;
    CHECK_NEAR(own[X], 0.0, 1e-9);
    CHECK_NEAR(hypot(own[Y], own[Z]), 2.0 / kappa, 1e-9);
    CHECK_NEAR(own[ENERGY], 0.5 * BEND * kappa * kappa * LENGTH, 1e-7);
    CHECK_ARRAY_NEAR(own + TORSION_0, ((double[]){0.0, 0.0, 0.0}), 3, 1e-10);
    CHECK_NEAR(own[MOMENT], 0.0, 1e-7);
    CHECK_NEAR(hypot(own[MOMENT + 1], own[MOMENT + 2]), BEND * kappa, 1e-7);
    CHECK_ARRAY_NEAR(own + FORCE, ((double[]){0.0, 0.0, 0.0}), 3, 1e-7);
    trace_free(trace);
}

// ---- the heavy rod

static void test_heavy(void** unused) {
    (void)unused;
    Trace* trace = example_statics("twist-push-heavy", NULL, 0);
    int i_mid = trace_column(trace, "rod.at(0.5).position.x");
    int i_root = trace_column(trace, "rod.stress(0).moment.x");
    int i_tip = trace_column(trace, "loop.clamp.wrench.moment.x");
    double weight = 9.81 * 7800.0 * PI / 4.0 * 0.0176 * 0.0176 * LENGTH;
    for (int i = 0; i < trace->n_row; i++) {
        const double* own = trace->value[i];
        // the ground pulls at the root by what the rod does not
        double force[3], moment[3];
        for (int k = 0; k < 3; k++) {
            moment[k] = own[i_tip + k] - own[i_root + k];
            force[k] = own[i_tip + 3 + k] - own[i_root + 3 + k];
        }
        CHECK_ARRAY_NEAR(force, ((double[]){0.0, 0.0, weight}), 3, 1e-6);
        // half a turn about the vertical through the middle takes the robot to itself: each end carries half
        CHECK_NEAR(own[i_tip + 5], 0.5 * weight, 1e-6);
        CHECK_NEAR(own[i_mid + 1], 0.0, 1e-8);
        CHECK_NEAR(own[i_mid], 0.5 * LENGTH * (1.0 - fmax(0.0, trace->t[i] - 1.0)), 1e-9);
        CHECK_TRUE(own[i_mid + 2] < -0.1);
        // moments about the root: weight at the middle, force of the clamp at its place
        double x_tip = 2.0 * own[i_mid];
        CHECK_NEAR(moment[0], 0.0, 1e-6);
        CHECK_NEAR(moment[1] - x_tip * own[i_tip + 5] + own[i_mid] * weight, 0.0, 1e-6);
        CHECK_NEAR(moment[2] + x_tip * own[i_tip + 4], 0.0, 1e-6);
    }
    trace_free(trace);
}

// ---- both

// The wrench of the clamp does the work that the rod stores: dE/dt = 2 pi M_x while it is turned, -l F_x while
// it is pushed. Central differences over h and h/2, extrapolated, are wrong by O(h^4): h = 0.01 of paths that
// bend over 0.1 and more leaves 1e-4 of what O(h^2) would leave, which is 1e-2 at most.
static double energy_at(const Trace* trace, double t) {
    const double* own = trace->value[row_at(trace, t)];
    return own[trace_column(trace, "energy.elastic")] + own[trace_column(trace, "energy.gravity")];
}

static void check_work(const char* model) {
    static const double around[] = {0.5, 1.2, 1.5, 1.8, 2.2};
    static const double h = 0.01;
    const ElvOverride set[] = {
        {"record.signals", "[energy.elastic, energy.gravity, loop.clamp.wrench]"},
        {"statics.loads", "[0, 0.49, 0.495, 0.5, 0.505, 0.51, 0.75, 1, 1.05, 1.1, 1.19, 1.195, "
                          "1.2, 1.205, 1.21, 1.3, "
                          "1.4, 1.49, 1.495, 1.5, 1.505, 1.51, 1.6, 1.7, 1.79, 1.795, 1.8, 1.805, "
                          "1.81, 1.9, 2, 2.1, "
                          "2.19, 2.195, 2.2, 2.205, 2.21]"}};
    Trace* trace = example_statics(model, set, 2);
    int i_wrench = trace_column(trace, "loop.clamp.wrench.moment.x");
    for (int i = 0; i < 5; i++) {
        double t = around[i];
        double whole = (energy_at(trace, t + h) - energy_at(trace, t - h)) / (2.0 * h);
        double half = (energy_at(trace, t + 0.5 * h) - energy_at(trace, t - 0.5 * h)) / h;
        double rate = (4.0 * half - whole) / 3.0;
        const double* wrench = trace->value[row_at(trace, t)] + i_wrench;
        CHECK_NEAR(rate, t < 1.0 ? 2.0 * PI * wrench[0] : -LENGTH * wrench[3], 1e-6 * fabs(rate));
    }
    trace_free(trace);
}

static void test_work(void** unused) {
    (void)unused;
    check_work("twist-push");
    check_work("twist-push-heavy");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reference), cmocka_unit_test(test_twisted),
        cmocka_unit_test(test_circle),    cmocka_unit_test(test_work),
        cmocka_unit_test(test_heavy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
