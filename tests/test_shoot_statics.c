// SPDX-License-Identifier: Apache-2.0
// Statics by shooting on the shipped examples: closed forms, numbers made by an independent program (tests/golden),
// and the modal solution with many modes.
#include "golden.h"
#include "shoot_case.h"

static const double PI = 3.14159265358979323846;

// bent by a torque C about (0, 1, 1)/sqrt(2) into an arc of curvature C/EI, more than two turns
static void test_rollup_is_a_circle(void** state) {
    (void)state;
    const ElvOverride set[] = {{"statics.loads", "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]"},
                               {"record.signals", "[rod.tip.position]"}};
    double EI = 1e8 * PI * 1e-8 / 4.0;
    for (int segments = 1; segments <= 7; segments += 3) {
        ShootPath path = shoot_shipped("rollup", set, 2, segments, ELV_SHOOT_LEVENBERG);
        for (int i = 0; i < path.n; i++) {
            double kappa = path.load[i] / EI;
            double lift = (1.0 - cos(kappa)) / kappa / sqrt(2.0);
            // space_tol, of 1 m
            CHECK_NEAR(path.value[i][0], sin(kappa) / kappa, 2e-10);
            CHECK_NEAR(path.value[i][1], lift, 2e-10);
            CHECK_NEAR(path.value[i][2], -lift, 2e-10);
        }
    }
}

static void test_follower_force_is_the_elastica(void** state) {
    (void)state;
    double golden[GOLDEN_ROW][GOLDEN_COLUMN];
    int n = golden_read("follower-force", golden);
    for (int k = 0; k < 4; k++) {
        ShootPath path = shoot_shipped("follower-force", NULL, 0, k % 2 == 0 ? 1 : 6,
                                       k < 2 ? ELV_SHOOT_LEVENBERG : ELV_SHOOT_DOGLEG);
        CHECK_TRUE(path.n == n);
        for (int i = 0; i < n; i++) {
            CHECK_NEAR(path.value[i][0], golden[i][1], 1e-9 * 100.0);
            CHECK_NEAR(path.value[i][1], golden[i][2], 1e-9 * 100.0);
        }
    }
    // one increment finds what thirteen do
    const ElvOverride at_once[] = {{"statics.loads", "[13e4]"}};
    ShootPath path = shoot_shipped("follower-force", at_once, 1, 1, ELV_SHOOT_LEVENBERG);
    CHECK_NEAR(path.value[0][0], golden[n - 1][1], 1e-9 * 100.0);
    CHECK_NEAR(path.value[0][1], golden[n - 1][2], 1e-9 * 100.0);
}

// six strains: confirmed by a boundary value solver to all digits printed
static void test_bend45(void** state) {
    (void)state;
    static const double tip[3] = {15.68480053, 47.15043857, 53.47485879};
    ShootPath path = shoot_shipped("bend45", NULL, 0, 1, ELV_SHOOT_LEVENBERG);
    CHECK_ARRAY_NEAR(path.value[2], tip, 3, 2e-8);
    // fewer free strains: the modal solution
    static const char* const model[] = {"bend45-kirchhoff", "bend45-inextensible"};
    static const char* const key[] = {"bend.strain.extensible_kirchhoff", "bend.strain.kirchhoff"};
    for (int i = 0; i < 2; i++) {
        const ElvOverride set[] = {{key[i], "14"}};
        ShootPath modal = shoot_shipped(model[i], set, 1, 0, ELV_SHOOT_LEVENBERG);
        ShootPath strong = shoot_shipped(model[i], NULL, 0, 3, ELV_SHOOT_LEVENBERG);
        CHECK_TRUE(shoot_difference(&modal, &strong, 0, 3) < 1e-9 * 100.0);
        // strain at the root, and the elastic energy
        CHECK_TRUE(shoot_difference(&modal, &strong, 3, 6) < 1e-8);
        for (int row = 0; row < modal.n; row++) {
            CHECK_NEAR(strong.value[row][9], modal.value[row][9], 1e-9 * modal.value[row][9]);
        }
    }
}

// the tendon robot of [OCP] test 1, with its tendon as the paper has it and as it is
static void check_robot(const char* name, const char* depends) {
    // the tip, then length and tension of the tendon
    static const char modes[] = "{twist: 16, bend_y: 16, bend_z: 16}";
    const ElvOverride set[] = {{"rod.strain", modes}, {"tendon.strain_dependence", depends}};
    ShootPath modal = shoot_shipped(name, set, 2, 0, ELV_SHOOT_LEVENBERG);
    for (int segments = 1; segments <= 4; segments += 3) {
        ShootPath strong = shoot_shipped(name, set + 1, 1, segments, ELV_SHOOT_LEVENBERG);
        double d = shoot_difference(&modal, &strong, 0, 3);
        print_message("%s, strain dependence %s, %d segments: %.2g m from 16 modes\n", name,
                      depends, segments, d);
        CHECK_TRUE(d < 1e-8);
        CHECK_TRUE(shoot_difference(&modal, &strong, 3, 2) < 1e-8);
    }
}

static void test_tendon_robots_are_the_modal_ones(void** state) {
    (void)state;
    check_robot("tacr-convergent", "false");
    check_robot("tacr-convergent", "true");
    check_robot("tacr-spiral", "false");
    check_robot("tacr-spiral", "true");
}

// what five modes miss: the paper has 1.4 % of the length for the spiral
static void test_five_modes_of_the_spiral(void** state) {
    (void)state;
    const ElvOverride set[] = {{"rod.strain", "{twist: 5, bend_y: 5, bend_z: 5}"}};
    ShootPath modal = shoot_shipped("tacr-spiral", set, 1, 0, ELV_SHOOT_LEVENBERG);
    ShootPath strong = shoot_shipped("tacr-spiral", NULL, 0, 1, ELV_SHOOT_LEVENBERG);
    double most = 0.0;
    double relative = 0.0;
    for (int i = 0; i < modal.n; i++) {
        const double* tip = strong.value[i];
        double sum = 0.0;
        for (int k = 0; k < 3; k++) {
            double d = modal.value[i][k] - tip[k];
            sum += d * d;
        }
        most = fmax(most, sqrt(sum) / 0.4);
        relative = fmax(relative, sqrt(sum) / hypot(tip[0] - 0.4, hypot(tip[1], tip[2])));
    }
    print_message("tip of the spiral with 5 modes: off by %.2f %% of the length, %.2f %% of its "
                  "displacement at most (paper: 1.4 %%)\n",
                  100.0 * most, 100.0 * relative);
    CHECK_TRUE(most > 1e-3 && most < 1.4e-2);
}

// as many steps as asked for, or as many as the tolerance takes
static void test_steps(void** state) {
    (void)state;
    const ElvOverride few[] = {{"statics.method", "shooting"}, {"statics.steps", "4"}};
    const ElvOverride tight[] = {{"statics.method", "shooting"}, {"statics.space_tol", "1e-13"}};
    const ElvOverride loose[] = {{"statics.method", "shooting"}, {"statics.space_tol", "1e-4"}};
    ShootPath a = shoot_shipped("tacr-spiral", few, 2, 1, ELV_SHOOT_LEVENBERG);
    ShootPath b = shoot_shipped("tacr-spiral", tight, 2, 1, ELV_SHOOT_LEVENBERG);
    ShootPath c = shoot_shipped("tacr-spiral", loose, 2, 1, ELV_SHOOT_LEVENBERG);
    CHECK_TRUE(a.report.shooting.n_step == 4 && a.report.shooting.n_refinement == 0);
    CHECK_TRUE(b.report.shooting.n_refinement > 0 && b.report.shooting.space_error <= 1e-13);
    CHECK_TRUE(c.report.shooting.n_step < b.report.shooting.n_step);
    // the estimate holds
    CHECK_TRUE(shoot_difference(&a, &b, 0, 3) <= 0.4 * a.report.shooting.space_error);
    CHECK_TRUE(shoot_difference(&c, &b, 0, 3) <= 0.4 * 1e-4);
    CHECK_TRUE(shoot_difference(&a, &b, 0, 3) > 1e-9);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rollup_is_a_circle),
        cmocka_unit_test(test_follower_force_is_the_elastica),
        cmocka_unit_test(test_bend45),
        cmocka_unit_test(test_tendon_robots_are_the_modal_ones),
        cmocka_unit_test(test_five_modes_of_the_spiral),
        cmocka_unit_test(test_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
