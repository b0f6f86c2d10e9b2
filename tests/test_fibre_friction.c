// SPDX-License-Identifier: Apache-2.0
// Capstan friction of a fibre: against the angle that its direction sweeps in space, and closed forms
// on an arc and on a helix. The corner of the norm is rounded off, so that theta may lack 1e-6.
#include "fibre_case.h"

// any rod: the angle that the direction sweeps in space
static void test_turning_in_space(void** state) {
    (void)state;
    for (int space = 0; space < ELV_N_SPACE; space++) {
        RodCase c;
        rod_case_begin(&c);
        ElvRodFibre fibre = spiral(&c);
        fibre.friction = 0.4;
        open_spiral(&c, (ElvSpaceMethod)space, &fibre);
        for (uint64_t seed = 1; seed <= 3; seed++) {
            double effort[ROD_NV], d_value[ROD_NV], d_factor[ROD_NV];
            double theta = 0.0;
            rod_case_randomize(&c, seed, 5.0);
            rod_case_forward(&c);
            for (int i = 0; i < c.rod.n_node; i++) {
                if (c.rod.s[i] > FROM && c.rod.s[i] < TO) {
                    theta += c.rod.weight[i] * elv_vec3_norm(turning_at(&c, c.rod.s[i]));
                }
            }
            ElvChannel channel = rod_case_channel(&c, 0, effort, d_value, d_factor);
            CHECK_NEAR(-log(channel.factor) / 0.4, theta - 0.5e-6, 0.51e-6);
        }
        rod_case_end(&c);
    }
}

// on an arc of angle phi the tension falls by e^(-mu phi), whatever the offset; theta may lack 1e-6,
// the rounding of its corner
static void test_capstan_on_an_arc(void** state) {
    (void)state;
    for (int variant = 0; variant < 8; variant++) {
        bool is_reversed = variant & 1;
        RodCase c;
        rod_case_begin(&c);
        ElvRodFibre fibre = {.from = 0.25,
                             .to = 0.75,
                             .is_reversed = is_reversed,
                             .y = rod_case_law(&c, variant & 4 ? "0.05" : "0"),
                             .z = rod_case_law(&c, "0.02"),
                             .sign = 1.0,
                             .friction = 0.3};
        open_planar(&c, variant & 2 ? ELV_SPACE_SPECTRAL : ELV_SPACE_QUADRATURE, &fibre);
        double effort[ROD_NV], d_value[ROD_NV], d_factor[ROD_NV];
        double K = -5.0;
        double phi = 5.0 * 0.5 * 0.6;
        c.q[0] = K;
        c.u[0] = 2.0;
        ElvChannel channel = rod_case_channel(&c, 0, effort, d_value, d_factor);
        CHECK_NEAR(-log(channel.factor) / 0.3, phi - 0.5e-6, 0.51e-6);
        // mode 0 of K_3: d_theta = -0.3 for a bend the other way
        CHECK_NEAR(d_factor[0], 0.3 * channel.factor * 0.3, 1e-12);
        for (int i = 0; i <= 4; i++) {
            double s = 0.25 + 0.125 * i;
            double turned = phi * (is_reversed ? 0.75 - s : s - 0.25) / 0.5;
            double T = elv_rod_fibre_tension(&c.rod, c.work, &c.in, 0, s);
            CHECK_NEAR(T, 2.0 * exp(-0.3 * turned), 2.0 * 0.3 * 1e-6);
        }
        CHECK_TRUE(elv_rod_fibre_tension(&c.rod, c.work, &c.in, 0, 0.24) == 0.0);
        rod_case_end(&c);
    }
}

// moments of the tension e^(-mu K X) itself: Q_0 = d integral of T dX for an offset d
static void test_capstan_effort(void** state) {
    (void)state;
    RodCase c;
    rod_case_begin(&c);
    ElvRodFibre fibre = {.to = 1.0,
                         .is_reversed = true,
                         .y = rod_case_law(&c, "0.04"),
                         .sign = 1.0,
                         .friction = 0.5};
    open_planar(&c, ELV_SPACE_QUADRATURE, &fibre);
    double effort[ROD_NV], d_value[ROD_NV], d_factor[ROD_NV];
    c.q[0] = 4.0;
    (void)rod_case_channel(&c, 0, effort, d_value, d_factor);
    double integral = (1.0 - exp(-0.5 * 4.0 * 0.6)) / (0.5 * 4.0);
    // relative to tensions lowered by 0.5e-6 at most
    CHECK_NEAR(effort[0], 0.04 * integral, 1e-6 * 0.04 * integral);
    CHECK_NEAR(effort[3], -integral, 1e-6 * integral);
    rod_case_end(&c);
}

// a helix of k radians a length on a straight rod turns by k sin(alpha), tan(alpha) = r k / l
static void test_capstan_on_a_helix(void** state) {
    (void)state;
    RodCase c;
    rod_case_begin(&c);
    ElvRodFibre fibre = {.to = 1.0,
                         .y = rod_case_law(&c, "0.05*cos(9*s)"),
                         .z = rod_case_law(&c, "0.05*sin(9*s)"),
                         .sign = 1.0,
                         .friction = 0.2};
    open_planar(&c, ELV_SPACE_QUADRATURE, &fibre);
    double effort[ROD_NV], d_value[ROD_NV], d_factor[ROD_NV];
    double slope = 0.05 * 9.0 / 0.6;
    double theta = 9.0 * slope / sqrt(1.0 + slope * slope);
    ElvChannel channel = rod_case_channel(&c, 0, effort, d_value, d_factor);
    CHECK_NEAR(-log(channel.factor) / 0.2, theta - 0.5e-6, 0.51e-6);
    CHECK_NEAR(channel.value, sqrt(0.6 * 0.6 + 0.45 * 0.45), 1e-14);
    rod_case_end(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_turning_in_space),
        cmocka_unit_test(test_capstan_on_an_arc),
        cmocka_unit_test(test_capstan_effort),
        cmocka_unit_test(test_capstan_on_a_helix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
