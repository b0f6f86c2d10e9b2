// SPDX-License-Identifier: Apache-2.0
// Stress and strain of a rod of the strong form: derivatives and the inverse against differences and the law itself.
#include "strong_rod_case.h"

static void random_strain(CheckRandom* r, double xi[6], double rate[6]) {
    for (int k = 0; k < 6; k++) {
        xi[k] = k < 3 ? check_uniform(r, -2.0, 2.0) : (k == 3) + check_uniform(r, -0.1, 0.1);
        rate[k] = check_uniform(r, -1.0, 1.0);
    }
}

static void test_derivatives_of_the_stress_agree_with_differences(void** state) {
    (void)state;
    StrongCase x;
    strong_set_up(&x, true);
    CheckRandom r = check_random(11);
    for (int i = 0; i < 10; i++) {
        double xi[6], rate[6], stress[6];
        ElvMat6 K, D;
        StrongPlace p;
        strong_place(&p, &x, 0.05 + 0.1 * i);
        random_strain(&r, xi, rate);
        elv_strong_stress(&x.strong, &p.station, &p.drive, elv_twist_from_array(xi),
                          elv_twist_from_array(rate), stress, &K, &D);
        for (int k = 0; k < 12; k++) {
            double* entry = k < 6 ? &xi[k] : &rate[k - 6];
            double keep = *entry;
            double plus[6], minus[6];
            double h = 1e-5;
            *entry = keep + h;
            elv_strong_stress(&x.strong, &p.station, &p.drive, elv_twist_from_array(xi),
                              elv_twist_from_array(rate), plus, NULL, NULL);
            *entry = keep - h;
            elv_strong_stress(&x.strong, &p.station, &p.drive, elv_twist_from_array(xi),
                              elv_twist_from_array(rate), minus, NULL, NULL);
            *entry = keep;
            for (int j = 0; j < 6; j++) {
                double exact = k < 6 ? K.m[j][k] : D.m[j][k - 6];
                // h^2 times third derivatives of order 1, rounding of stresses of order 40 over h
                CHECK_NEAR((plus[j] - minus[j]) / (2.0 * h), exact, 2e-8);
            }
        }
    }
    strong_tear_down(&x);
}

// the strain for a stress from a guess, and its compliance by differences
static void check_inverse(const StrongCase* x,
                          const StrongPlace* p,
                          const double stress[6],
                          double c,
                          ElvTwist rate_0,
                          ElvTwist guess,
                          const double xi[6]) {
    double again[6];
    ElvMat6 C;
    CHECK_TRUE(elv_strong_strain(&x->strong, &p->station, &p->drive, elv_wrench_from_array(stress),
                                 c, rate_0, &guess, &C) == ELV_OK);
    elv_twist_to_array(guess, again);
    CHECK_ARRAY_NEAR(again, xi, 6, 1e-12);
    for (int k = 0; k < 6; k++) {
        double h = 1e-5;
        ElvTwist end[2] = {guess, guess};
        for (int side = 0; side < 2; side++) {
            double lam[6];
            memcpy(lam, stress, sizeof lam);
            lam[k] += side == 0 ? -h : h;
            CHECK_TRUE(elv_strong_strain(&x->strong, &p->station, &p->drive,
                                         elv_wrench_from_array(lam), c, rate_0, &end[side],
                                         NULL) == ELV_OK);
        }
        double column[6];
        elv_twist_to_array(elv_twist_scale(0.5 / h, elv_twist_sub(end[1], end[0])), column);
        for (int j = 0; j < 6; j++) {
            CHECK_NEAR(column[j], C.m[j][k], 1e-7);
        }
    }
}

static void test_strain_inverts_the_stress(void** state) {
    (void)state;
    StrongCase x;
    strong_set_up(&x, true);
    CheckRandom r = check_random(5);
    for (int i = 0; i < 20; i++) {
        double xi[6], rate[6], stress[6];
        StrongPlace p;
        strong_place(&p, &x, 0.025 + 0.05 * i);
        random_strain(&r, xi, rate);
        double c = i % 2 == 0 ? 0.0 : 3.0;
        ElvTwist strain = elv_twist_from_array(xi);
        ElvTwist rate_0 = elv_twist_from_array(rate);
        ElvTwist xi_dot = elv_twist_add_scaled(rate_0, c, strain);
        elv_strong_stress(&x.strong, &p.station, &p.drive, strain, xi_dot, stress, NULL, NULL);
        check_inverse(&x, &p, stress, c, rate_0, p.station.xi_o, xi);
    }
    strong_tear_down(&x);
}

// curvatures alone, without a stress law: from near the answer, and from far
static void test_curvatures_invert_the_stress(void** state) {
    (void)state;
    StrongCase x;
    strong_set_up(&x, true);
    ElvStrongPiece piece[ELV_MAX_BREAKS];
    for (int i = 0; i < x.strong.n_piece; i++) {
        piece[i] = x.strong.piece[i];
        piece[i].n_free = 3;
        for (int k = 0; k < 6; k++) {
            piece[i].free[k] = k;
            piece[i].is_free[k] = k < 3;
        }
    }
    x.strong.piece = piece;
    x.strong.fields.n_law = 0;
    CheckRandom r = check_random(6);
    for (int i = 0; i < 20; i++) {
        double xi[6], rate[6], stress[6];
        StrongPlace p;
        strong_place(&p, &x, 0.025 + 0.05 * i);
        random_strain(&r, xi, rate);
        ElvTwist strain = elv_twist_from_array(xi);
        strain.lin = p.station.xi_o.lin;
        elv_twist_to_array(strain, xi);
        double c = i % 2 == 0 ? 0.0 : 3.0;
        ElvTwist rate_0 = elv_twist_from_array(rate);
        ElvTwist xi_dot = elv_twist_add_scaled(rate_0, c, strain);
        elv_strong_stress(&x.strong, &p.station, &p.drive, strain, xi_dot, stress, NULL, NULL);
        // forces say nothing
        stress[3] = stress[4] = stress[5] = check_uniform(&r, -9.0, 9.0);
        check_inverse(&x, &p, stress, c, rate_0, p.station.xi_o, xi);
        strain.ang.x += 1e-4;
        check_inverse(&x, &p, stress, c, rate_0, strain, xi);
    }
    strong_tear_down(&x);
}

// with the compliance of another load at hand
static void test_affine_strain_is_the_same(void** state) {
    (void)state;
    StrongCase x;
    strong_set_up(&x, false);
    CHECK_TRUE(x.strong.is_linear);
    CheckRandom r = check_random(7);
    for (int i = 0; i < 10; i++) {
        double lam[6], rate[6], expected[6], actual[6];
        StrongPlace p;
        strong_place(&p, &x, 0.05 + 0.1 * i);
        random_strain(&r, lam, rate);
        double c = i % 2 == 0 ? 0.0 : 3.0;
        ElvTwist rate_0 = elv_twist_from_array(rate);
        ElvTwist xi = p.station.xi_o, other = p.station.xi_o;
        ElvMat6 C;
        CHECK_TRUE(elv_strong_strain(&x.strong, &p.station, &p.drive, elv_wrench_zero(), c,
                                     elv_twist_zero(), &other, &C) == ELV_OK);
        CHECK_TRUE(elv_strong_strain(&x.strong, &p.station, &p.drive, elv_wrench_from_array(lam), c,
                                     rate_0, &xi, NULL) == ELV_OK);
        elv_strong_strain_affine(&x.strong, &p.station, &p.drive, elv_wrench_from_array(lam), c,
                                 rate_0, &C, &other);
        elv_twist_to_array(xi, expected);
        elv_twist_to_array(other, actual);
        // strains of order 10 and roundings of a solution
        CHECK_ARRAY_NEAR(actual, expected, 6, 1e-13);
    }
    strong_tear_down(&x);
}

static void test_strains_without_modes_keep_their_value_at_rest(void** state) {
    (void)state;
    StrongCase x;
    ElvElementDef element;
    ElvError error;
    memset(&x, 0, sizeof x);
    rod_case_begin(&x.c);
    ElvRodDef def = rod_case_def(&element, ELV_BASIS_PIECEWISE_CONSTANT, 4, ELV_SPACE_QUADRATURE);
    element.modes[ELV_STRAIN_TWIST] = 0;
    element.modes[ELV_STRAIN_SHEAR_Y] = 0;
    rod_case_build(&x.c, &def, NULL, 0, &x.fields);
    CHECK_STATUS(elv_strong_rod_init(&x.strong, &x.c.rod, NULL, &x.pool, &error), &error);
    // knots of the basis are no cuts of the rod
    CHECK_TRUE(x.strong.n_piece == 1 && x.strong.piece[0].n_free == 4 && x.strong.is_linear);
    ElvStrongStation station;
    ElvStrongDrive drive;
    ElvStrongInput in = {.load = 1.0};
    CHECK_STATUS(elv_strong_station(&x.strong, 0, 0.25, NULL, &station, &error), &error);
    elv_strong_drive(&x.strong, &station, &in, NULL, &drive);
    ElvTwist xi = elv_twist_zero();
    ElvMat6 C;
    const double lam[6] = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0};
    CHECK_TRUE(elv_strong_strain(&x.strong, &station, &drive, elv_wrench_from_array(lam), 0.0,
                                 elv_twist_zero(), &xi, &C) == ELV_OK);
    // xi_o + H^-1 lam on the free ones: 1 / 0.5 and 1 / 40
    const double expected[6] = {0.25, 2.0, 3.5, 1.025, 0.0, 0.025};
    double actual[6];
    elv_twist_to_array(xi, actual);
    CHECK_ARRAY_NEAR(actual, expected, 6, 1e-14);
    CHECK_NEAR(C.m[0][0], 0.0, 0.0);
    CHECK_NEAR(C.m[3][3], 0.025, 1e-16);
    strong_tear_down(&x);
}

static void test_a_strain_that_nothing_resists_is_singular(void** state) {
    (void)state;
    StrongCase x;
    strong_set_up(&x, false);
    StrongPlace p;
    ElvError error;
    strong_place(&p, &x, 0.5);
    p.station.H.m[1][1] = 0.0;
    ElvTwist xi = p.station.xi_o;
    ElvStatus status = elv_strong_strain(&x.strong, &p.station, &p.drive, elv_wrench_zero(), 0.0,
                                         elv_twist_zero(), &xi, NULL);
    CHECK_TRUE(status == ELV_ERROR_SINGULAR);
    CHECK_TRUE(elv_strong_strain_error(&x.strong, &p.station, status, &error) == status);
    CHECK_TRUE(strstr(error.message, "'rod'") != NULL && strstr(error.message, "0.5") != NULL);
    strong_tear_down(&x);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_derivatives_of_the_stress_agree_with_differences),
        cmocka_unit_test(test_strain_inverts_the_stress),
        cmocka_unit_test(test_curvatures_invert_the_stress),
        cmocka_unit_test(test_affine_strain_is_the_same),
        cmocka_unit_test(test_strains_without_modes_keep_their_value_at_rest),
        cmocka_unit_test(test_a_strain_that_nothing_resists_is_singular),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
