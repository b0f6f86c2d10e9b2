// SPDX-License-Identifier: Apache-2.0
// A rod of the strong form against the modal one at its nodes: section tables, actuation by its generalised
// effort, distributed loads.
#include "strong_rod_case.h"

#include "rod/rod_segment.h"

static const double LENGTH = 0.6;

static void test_pieces_cover_the_rod_and_end_where_something_jumps(void** state) {
    (void)state;
    StrongCase x;
    strong_set_up(&x, true);
    static const double jump[] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 0.9};
    double s = 0.0;
    for (int i = 0; i < x.strong.n_piece; i++) {
        const ElvStrongPiece* piece = &x.strong.piece[i];
        CHECK_NEAR(piece->s0, s, 0.0);
        CHECK_NEAR(piece->h, LENGTH * (piece->s1 - piece->s0), 1e-15);
        CHECK_TRUE(piece->n_free == 6);
        s = piece->s1;
        for (size_t k = 0; k < sizeof jump / sizeof jump[0]; k++) {
            CHECK_TRUE(!(piece->s0 + 1e-9 < jump[k] && jump[k] < piece->s1 - 1e-9));
        }
    }
    CHECK_NEAR(s, 1.0, 0.0);
    CHECK_TRUE(!x.strong.is_linear);
    strong_tear_down(&x);
}

static void test_section_is_that_of_the_modal_rod_at_its_nodes(void** state) {
    (void)state;
    StrongCase x;
    strong_set_up(&x, true);
    const ElvRod* rod = &x.c.rod;
    double K[ROD_NV * ROD_NV] = {0.0};
    double D[ROD_NV * ROD_NV] = {0.0};
    int n_v = rod->joint.n_v;
    for (int i_segment = 0; i_segment < rod->n_segment; i_segment++) {
        const ElvRodSegment* seg = &rod->segment[i_segment];
        for (int i = 0; i < seg->n_node; i++) {
            int n = seg->i_node + i;
            StrongPlace p;
            strong_place(&p, &x, rod->s[n]);
            CHECK_ARRAY_NEAR(&p.station.inertia.J.m[0][0], &rod->inertia[n].J.m[0][0], 27, 0.0);
            CHECK_NEAR(p.station.mass, rod->mass[n], 0.0);
            double xi_o[6], expected[6];
            elv_twist_to_array(p.station.xi_o, xi_o);
            elv_twist_to_array(rod->active->xi_o[n], expected);
            CHECK_ARRAY_NEAR(xi_o, expected, 6, 0.0);
            elv_rod_add_generalised(seg, i, n_v, rod->weight[n], &p.station.H, K);
            elv_rod_add_generalised(seg, i, n_v, rod->weight[n], &p.station.D, D);
        }
    }
    // the same sums in the same order
    CHECK_ARRAY_NEAR(K, rod->K, (size_t)(n_v * n_v), 1e-15);
    CHECK_ARRAY_NEAR(D, rod->D, (size_t)(n_v * n_v), 1e-15);
    strong_tear_down(&x);
}

static void test_actuation_has_the_efforts_of_the_modal_rod(void** state) {
    (void)state;
    StrongCase x;
    strong_set_up(&x, true);
    const ElvRod* rod = &x.c.rod;
    x.c.in.t = STRONG_INSTANT.t;
    x.c.in.load = STRONG_INSTANT.load;
    // inputs of the channels as their devices would set them
    for (int i = 0; i < STRONG_FIBRE; i++) {
        x.c.u[i] = STRONG_INSTANT.load * elv_law_value(x.input[i], STRONG_INSTANT.t, 0.0);
    }
    double expected[ROD_NV], actual[ROD_NV] = {0.0};
    rod_case_active_efforts(&x.c, expected);
    for (int i_segment = 0; i_segment < rod->n_segment; i_segment++) {
        const ElvRodSegment* seg = &rod->segment[i_segment];
        for (int i = 0; i < seg->n_node; i++) {
            int n = seg->i_node + i;
            const double* phi = seg->phi + i * seg->n_col;
            ElvTwist xi = elv_rod_strain_at(rod, x.c.q, rod->s[n]);
            ElvTwist xi_dot = elv_rod_combine(seg, phi, x.c.v);
            StrongPlace p;
            double stress[6];
            strong_place(&p, &x, rod->s[n]);
            elv_strong_actuation(&x.strong, &p.station, &p.drive, xi, xi_dot, stress, NULL, NULL);
            elv_rod_project(seg, i, -rod->weight[n], stress, actual);
        }
    }
    CHECK_TRUE(array_largest(expected, rod->joint.n_v) > 0.1);
    CHECK_ARRAY_NEAR(actual, expected, (size_t)rod->joint.n_v,
                     1e-13 * array_largest(expected, rod->joint.n_v));
    strong_tear_down(&x);
}

static void test_wrench_is_weight_and_distributed_load(void** state) {
    (void)state;
    StrongCase x;
    strong_set_up(&x, true);
    ElvPose g = elv_pose(elv_so3_exp(elv_vec3(0.4, -1.0, 0.7)), elv_vec3(1.0, 2.0, 3.0));
    for (int i = 0; i < 9; i++) {
        double s = 0.05 + 0.1 * i;
        StrongPlace p;
        double F[6], expected[6];
        strong_place(&p, &x, s);
        elv_wrench_to_array(elv_strong_wrench(&p.station, &p.drive, &g, elv_twist_zero()), F);
        ElvWrench W = elv_wrench_scale(STRONG_INSTANT.load,
                                       elv_rod_distributed(&x.c.rod, &g, s, 0.7, 0.0, NULL));
        ElvVec3 gravity = elv_mat3_apply_transpose(g.R, STRONG_INSTANT.gravity);
        W.frc = elv_vec3_add_scaled(W.frc, p.station.mass, gravity);
        elv_wrench_to_array(W, expected);
        CHECK_ARRAY_NEAR(F, expected, 6, 1e-14);
        // central differences of second order: 1e-5 squared, and rounding over 1e-5
        ElvTwist d = elv_twist(elv_vec3(0.3, -0.8, 0.5), elv_vec3(1.0, -2.0, 0.3));
        ElvPose plus = elv_pose_compose(g, elv_se3_exp(elv_twist_scale(1e-5, d)));
        ElvPose minus = elv_pose_compose(g, elv_se3_exp(elv_twist_scale(-1e-5, d)));
        p.station.moment = elv_vec3(0.1, 0.2, -0.3);
        elv_wrench_to_array(
            elv_wrench_scale(
                5e4,
                elv_wrench_sub(elv_strong_wrench(&p.station, &p.drive, &plus, elv_twist_zero()),
                               elv_strong_wrench(&p.station, &p.drive, &minus, elv_twist_zero()))),
            expected);
        elv_wrench_to_array(elv_strong_wrench_variation(&p.station, &p.drive, &g, elv_twist_zero(),
                                                        d, elv_twist_zero()),
                            F);
        CHECK_ARRAY_NEAR(F, expected, 6, 1e-8);
    }
    strong_tear_down(&x);
}

static void test_friction_is_refused(void** state) {
    (void)state;
    StrongCase x;
    strong_set_up(&x, true);
    ElvError error;
    x.fibre[1].friction = 0.1;
    CHECK_TRUE(elv_strong_rod_init(&x.strong, &x.c.rod, x.input, &x.pool, &error) ==
               ELV_ERROR_INPUT);
    CHECK_TRUE(strstr(error.message, "friction") != NULL);
    strong_tear_down(&x);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces_cover_the_rod_and_end_where_something_jumps),
        cmocka_unit_test(test_section_is_that_of_the_modal_rod_at_its_nodes),
        cmocka_unit_test(test_actuation_has_the_efforts_of_the_modal_rod),
        cmocka_unit_test(test_wrench_is_weight_and_distributed_load),
        cmocka_unit_test(test_friction_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
