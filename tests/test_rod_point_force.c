// SPDX-License-Identifier: Apache-2.0
// What a wrench at any station of a rod does to its coordinates, and how that varies with them,
// with the root and with the station: against differences, and at ports against the tangent of the
// rod.
#include "rod_point_case.h"

// J^T W
static void put_forces(PointCase* p, double* Q) {
    memset(Q, 0, ROD_NV * sizeof *Q);
    elv_rod_point_force(&p->c.rod, &p->point, p->W, Q);
}

static void forces_by_coordinate(PointCase* p, int k, double e, double* Q) {
    move_coordinate(p, k, e);
    put_forces(p, Q);
}

static void forces_by_root(PointCase* p, int k, double e, double* Q) {
    double Z[6] = {0.0};
    ElvPose g = p->root.g;
    Z[k] = e;
    p->root.g = elv_pose_compose(elv_se3_exp(elv_twist_from_array(Z)), g);
    forward(p);
    place(p, p->s);
    put_forces(p, Q);
    p->root.g = g;
}

static void forces_by_station(PointCase* p, int k, double e, double* Q) {
    (void)k;
    move_station(p, e);
    put_forces(p, Q);
}

// |W| is about 1; by s only where the derivative does not jump
static void check_variation(PointCase* p) {
    static double H[ROD_NV * ROD_NV], H_root[ROD_NV * 6], H_ds[ROD_NV];
    int n_v = p->c.rod.joint.n_v;
    for (int i = 0; i < N_STATION; i++) {
        double d[N_OUT];
        memset(H, 0, sizeof H);
        memset(H_root, 0, sizeof H_root);
        memset(H_ds, 0, sizeof H_ds);
        place(p, STATION[i]);
        elv_rod_point_force_variation(&p->c.rod, p->c.work, &p->point, p->W, H, H_root, H_ds);
        for (int l = 0; l < n_v; l++) {
            differentiate(p, forces_by_coordinate, l, 0.04, n_v, d);
            for (int k = 0; k < n_v; k++) {
                CHECK_NEAR(H[k * n_v + l], d[k], 1e-9);
            }
        }
        for (int l = 0; l < 6; l++) {
            differentiate(p, forces_by_root, l, 0.04, n_v, d);
            for (int k = 0; k < n_v; k++) {
                CHECK_NEAR(H_root[k * 6 + l], d[k], 1e-9);
            }
        }
        if (STATION[i] == SMOOTH_STATION) {
            differentiate(p, forces_by_station, 0, 0.02, n_v, d);
            CHECK_ARRAY_NEAR(H_ds, d, (size_t)n_v, 1e-8);
        }
    }
}

static void test_variation(void** state) {
    (void)state;
    for_all(check_variation);
}

// parts may be left out, and what is there is added to
static void test_parts(void** state) {
    (void)state;
    static double H[2][ROD_NV * ROD_NV], H_root[2][ROD_NV * 6], H_ds[2][ROD_NV];
    PointCase p;
    open_point(&p, 4, ELV_SPACE_QUADRATURE);
    const ElvRod* rod = &p.c.rod;
    place(&p, 0.618);
    elv_rod_point_force_variation(rod, p.c.work, &p.point, p.W, H[0], H_root[0], H_ds[0]);
    elv_rod_point_force_variation(rod, p.c.work, &p.point, p.W, NULL, NULL, H_ds[1]);
    elv_rod_point_force_variation(rod, p.c.work, &p.point, p.W, NULL, H_root[1], NULL);
    elv_rod_point_force_variation(rod, p.c.work, &p.point, p.W, H[1], NULL, NULL);
    int n_v = rod->joint.n_v;
    CHECK_ARRAY_NEAR(H[1], H[0], (size_t)(n_v * n_v), 0.0);
    CHECK_ARRAY_NEAR(H_root[1], H_root[0], (size_t)(n_v * 6), 0.0);
    CHECK_ARRAY_NEAR(H_ds[1], H_ds[0], (size_t)n_v, 0.0);
    elv_rod_point_force_variation(rod, p.c.work, &p.point, p.W, H[1], NULL, NULL);
    for (int i = 0; i < n_v * n_v; i++) {
        CHECK_NEAR(H[1][i], 2.0 * H[0][i], 1e-15);
    }
    close_point(&p);
}

// ---- ports

// a rod at rest without weight that a wrench pulls at a port: its tangent is K_ee and the variation
static void check_port_tangent(PointCase* p) {
    RodCase* c = &p->c;
    int n_v = c->rod.joint.n_v;
    static double Xq[ROD_PORT * 18 * ROD_NV], P[ROD_PORT * 6 * ROD_NV], Qq[ROD_NV * ROD_NV];
    static double Qx[ROD_NV * 18], Wq[6 * ROD_NV], Wx[6 * 18], H[ROD_NV * ROD_NV],
        H_root[ROD_NV * 6];
    ElvJointTangent tangent = {Xq, P, Qq, Qx, Wq, Wx};
    ElvUnknown unknown = {.c = 1.0};
    double tau[ROD_NV], Q[ROD_NV] = {0.0};
    memset(c->v, 0, sizeof c->v);
    memset(c->a, 0, sizeof c->a);
    p->root.V = p->root.A = elv_twist_zero();
    forward(p);
    for (int i = 1; i < c->rod.joint.n_port; i++) {
        ElvWrench port[ROD_PORT] = {{{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}};
        ElvWrench root;
        port[i] = p->W;
        c->rod.joint.ops->backward(&c->rod.joint, c->work, &c->in, port, &root, tau);
        c->rod.joint.ops->tangent(&c->rod.joint, c->work, &c->in, &unknown, &p->root, port, false,
                                  &tangent);
        place(p, c->rod.station[i]);
        memset(Q, 0, sizeof Q);
        elv_rod_point_force(&c->rod, &p->point, p->W, Q);
        memcpy(H, c->rod.K, (size_t)(n_v * n_v) * sizeof *H);
        memset(H_root, 0, sizeof H_root);
        elv_rod_point_force_variation(&c->rod, c->work, &p->point, p->W, H, H_root, NULL);
        bool is_spectral = c->rod.space == ELV_SPACE_SPECTRAL;
        double tol = is_spectral ? 1e-9 : 1e-13;
        CHECK_ARRAY_NEAR(Q, tau, (size_t)n_v, tol);
        CHECK_ARRAY_NEAR(H, Qq, (size_t)(n_v * n_v), tol * (1.0 + array_largest(Qq, n_v * n_v)));
        for (int k = 0; k < n_v; k++) {
            CHECK_ARRAY_NEAR(H_root + 6 * k, Qx + 18 * k, 6, tol);
        }
    }
}

static void test_port_tangent(void** state) {
    (void)state;
    for_all(check_port_tangent);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_variation),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_port_tangent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
