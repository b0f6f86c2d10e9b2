// SPDX-License-Identifier: Apache-2.0
// A point at any station of a rod against differences of elv_rod_pose_at by coordinates, station
// and time, and, where the station is a port, against what the rod computes for its ports.
#include "rod_point_case.h"

static void put_pose(ElvPose g, double* out) {
    memcpy(out, &g.R.m[0][0], 9 * sizeof *out);
    memcpy(out + 9, &g.p.x, 3 * sizeof *out);
}

// the twist Z of a derivative of a pose, delta g = hat(Z) g
static ElvTwist spatial(ElvPose g, const double* d) {
    ElvMat3 d_R;
    memcpy(&d_R.m[0][0], d, 9 * sizeof *d);
    ElvMat3 hat = elv_mat3_mul(d_R, elv_mat3_transpose(g.R));
    ElvVec3 ang = elv_vec3(hat.m[2][1], hat.m[0][2], hat.m[1][0]);
    return elv_twist(ang, elv_vec3_sub(elv_vec3(d[9], d[10], d[11]), elv_vec3_cross(ang, g.p)));
}

static void put_place(const PointCase* p, double* out) {
    put_pose(p->point.g, out);
    memcpy(out + 12, &p->point.tangent.x, 3 * sizeof *out);
}

// ---- J by coordinates

// pose and tangent of the point
static void by_coordinate(PointCase* p, int k, double e, double* out) {
    move_coordinate(p, k, e);
    put_place(p, out);
}

// nodes chosen by the rod leave 1e-9; differences less than that (h^6, rounding 1e-15 / h)
static void check_jacobian(PointCase* p) {
    for (int i = 0; i < N_STATION; i++) {
        place(p, STATION[i]);
        for (int k = 0; k < p->c.rod.joint.n_v; k++) {
            double d[N_OUT];
            differentiate(p, by_coordinate, k, 0.04, 15, d);
            CHECK_TWIST_NEAR(p->point.J[k], spatial(p->point.g, d), 1e-9);
            ElvVec3 rate = elv_rod_point_tangent_rate(&p->point, p->point.J[k], p->point.J_ds[k]);
            CHECK_ARRAY_NEAR(&rate.x, d + 12, 3, 1e-9);
        }
    }
}

static void test_jacobian(void** state) {
    (void)state;
    for_all(check_jacobian);
}

// one segment bent by a full turn, and in all other ways, by modes up to degree 6: stations between
// nodes are as good as nodes
static void test_full_turn(void** state) {
    (void)state;
    enum { MODES = 7 };
    for (int i = 0; i < 2; i++) {
        ElvElementDef element;
        const ElvRodFields none = {0};
        PointCase p;
        rod_case_begin(&p.c);
        ElvSpaceMethod space = i ? ELV_SPACE_SPECTRAL : ELV_SPACE_QUADRATURE;
        ElvRodDef def = rod_case_def(&element, ELV_BASIS_LEGENDRE, MODES, space);
        def.length = 1.0;
        rod_case_build(&p.c, &def, NULL, 0, &none);
        rod_case_randomize(&p.c, 3, 2.0);
        for (int k = 0; k < p.c.rod.joint.n_v; k++) {
            p.c.q[k] /= k % MODES + 1;
        }
        p.c.q[MODES] = 2.0 * 3.14159265358979323846;
        p.root = (ElvMotion){.g = elv_pose_identity()};
        layout_point(&p);
        forward(&p);
        check_jacobian(&p);
        close_point(&p);
    }
}

// ---- along the rod

static void by_station(PointCase* p, int k, double e, double* out) {
    (void)k;
    move_station(p, e);
    put_place(p, out);
}

static void column_by_station(PointCase* p, int k, double e, double* out) {
    move_station(p, e);
    elv_twist_to_array(p->point.J[k], out);
}

// away from the ends of segments, where derivatives jump; those of an interpolation lose a digit or
// so
static void check_along(PointCase* p) {
    static const double inside[4] = {0.06, 0.22, 0.54, 0.93};
    for (int i = 0; i < 4; i++) {
        place(p, inside[i]);
        double d[N_OUT];
        differentiate(p, by_station, 0, 0.02, 15, d);
        ElvTwist xi = elv_rod_strain_at(&p->c.rod, p->c.q, inside[i]);
        ElvTwist expected = spatial(p->point.g, d);
        ElvTwist actual = elv_twist_scale(p->c.rod.length, elv_twist_transform(p->point.g, xi));
        CHECK_TWIST_NEAR(actual, expected, 1e-8);
        ElvVec3 turn = elv_vec3_scale(p->c.rod.length, p->point.curvature);
        CHECK_ARRAY_NEAR(&turn.x, &expected.ang.x, 3, 1e-8);
        CHECK_ARRAY_NEAR(&p->point.tangent.x, d + 9, 3, 1e-8);
        CHECK_ARRAY_NEAR(&p->point.tangent_ds.x, d + 12, 3, 1e-8);
        for (int k = 0; k < p->c.rod.joint.n_v; k++) {
            differentiate(p, column_by_station, k, 0.02, 6, d);
            CHECK_TWIST_NEAR(p->point.J_ds[k], elv_twist_from_array(d), 1e-8);
        }
    }
}

static void test_along(void** state) {
    (void)state;
    for_all(check_along);
}

// ---- ports

// what the rod computes for a port: the same sums at Gauss nodes; the spectral method integrates in
// section frames, which is the same up to its spatial error
static void check_ports(PointCase* p) {
    RodCase* c = &p->c;
    static ElvTwist screw[ROD_PORT * ROD_NV];
    bool is_spectral = c->rod.space == ELV_SPACE_SPECTRAL;
    double tol = is_spectral ? 1e-9 : 1e-13;
    c->rod.joint.ops->screws(&c->rod.joint, c->work, screw);
    for (int i = 0; i < c->rod.joint.n_port; i++) {
        place(p, c->rod.station[i]);
        ElvTwist V, A;
        elv_rod_point_motion(&c->rod, c->work, &p->point, c->v, c->a, &V, &A);
        CHECK_TWIST_NEAR(V, p->port[i].V, tol);
        CHECK_TWIST_NEAR(A, p->port[i].A, 10.0 * tol);
        // rotations by other Magnus steps
        CHECK_ARRAY_NEAR(&p->point.g.R.m[0][0], &p->port[i].g.R.m[0][0], 9, 1e-9);
        CHECK_ARRAY_NEAR(&p->point.g.p.x, &p->port[i].g.p.x, 3, is_spectral ? 1e-12 : 1e-14);
        for (int k = 0; k < c->rod.joint.n_v; k++) {
            CHECK_TWIST_NEAR(p->point.J[k], screw[i * c->rod.joint.n_v + k], tol);
        }
    }
}

static void test_ports(void** state) {
    (void)state;
    for_all(check_ports);
}

// ---- motion

// pose of the point at time t, root and coordinates in accelerated motion
static ElvPose pose_at_time(PointCase* p, const double* q0, ElvPose g0, double t) {
    for (int k = 0; k < p->c.rod.joint.n_v; k++) {
        p->c.q[k] = q0[k] + t * (p->c.v[k] + 0.5 * t * p->c.a[k]);
    }
    ElvTwist path = elv_twist_scale(t, elv_twist_add_scaled(p->root.V, 0.5 * t, p->root.A));
    p->root.g = elv_pose_compose(elv_se3_exp(path), g0);
    forward(p);
    return elv_rod_pose_at(&p->c.rod, p->c.work, p->c.q, p->s);
}

// log(g(t) g(0)^-1) = t V + t^2/2 A + ...: odd and even part, extrapolated over t, t/2, t/4
static void time_differences(PointCase* p, ElvTwist* V, ElvTwist* A) {
    double q0[ROD_NV], part[2][N_LEVEL][6];
    ElvPose g0 = p->root.g;
    ElvPose back = elv_pose_inverse(p->point.g);
    memcpy(q0, p->c.q, sizeof q0);
    for (int i = 0; i < N_LEVEL; i++) {
        double t = 0.04 / (1 << i);
        ElvTwist after = elv_se3_log(elv_pose_compose(pose_at_time(p, q0, g0, t), back));
        ElvTwist before = elv_se3_log(elv_pose_compose(pose_at_time(p, q0, g0, -t), back));
        elv_twist_to_array(elv_twist_scale(0.5 / t, elv_twist_sub(after, before)), part[0][i]);
        elv_twist_to_array(elv_twist_scale(1.0 / (t * t), elv_twist_add(after, before)),
                           part[1][i]);
    }
    (void)pose_at_time(p, q0, g0, 0.0);
    memcpy(p->c.q, q0, sizeof q0);
    for (int c = 0; c < 2; c++) {
        double d[6];
        for (int j = 0; j < 6; j++) {
            d[j] = extrapolate(part[c][0][j], part[c][1][j], part[c][2][j]);
        }
        *(c == 0 ? V : A) = elv_twist_from_array(d);
    }
}

// second differences: rounding 1e-15 / t^2 with t = 0.01, terms of order t^6 below that
static void check_motion(PointCase* p) {
    for (int i = 0; i < N_STATION; i++) {
        ElvTwist V, A, V_d, A_d;
        place(p, STATION[i]);
        elv_rod_point_motion(&p->c.rod, p->c.work, &p->point, p->c.v, p->c.a, &V, &A);
        time_differences(p, &V_d, &A_d);
        CHECK_TWIST_NEAR(V, V_d, 1e-8);
        CHECK_TWIST_NEAR(A, A_d, 1e-7);
        elv_rod_point_motion(&p->c.rod, p->c.work, &p->point, p->c.v, NULL, &V_d, NULL);
        CHECK_TWIST_NEAR(V, V_d, 0.0);
    }
}

static void test_motion(void** state) {
    (void)state;
    for_all(check_motion);
}

// ---- stations that are none

static void check_outside(PointCase* p) {
    place(p, -0.5);
    CHECK_TRUE(p->point.s == 0.0);
    CHECK_ARRAY_NEAR(&p->point.g.p.x, &p->root.g.p.x, 3, 1e-15);
    place(p, 7.0);
    CHECK_TRUE(p->point.s == 1.0);
    CHECK_ARRAY_NEAR(&p->point.g.p.x, &p->port[3].g.p.x, 3, 1e-12);
    place(p, NAN);
    CHECK_TRUE(isnan(p->point.g.p.x) && isnan(p->point.J[0].lin.x));
}

static void test_outside(void** state) {
    (void)state;
    for_all(check_outside);
}

// a rod without coordinates: its shape at rest
static void test_rigid(void** state) {
    (void)state;
    ElvElementDef element;
    const ElvRodFields none = {0};
    PointCase p;
    rod_case_begin(&p.c);
    ElvRodDef def = rod_case_def(&element, ELV_BASIS_LEGENDRE, 0, ELV_SPACE_QUADRATURE);
    def.reference[ELV_STRAIN_TWIST] = elv_law_def_value(0.0);
    def.reference[ELV_STRAIN_BEND_Z] = elv_law_def_value(2.0);
    rod_case_build(&p.c, &def, NULL, 0, &none);
    CheckRandom r = check_random(1);
    p.root = (ElvMotion){elv_pose_identity(), random_twist(&r), random_twist(&r)};
    layout_point(&p);
    forward(&p);
    place(&p, 0.7);
    double angle = 2.0 * 0.7 * def.length;
    const double r_expected[3] = {sin(angle) / 2.0, (1.0 - cos(angle)) / 2.0, 0.0};
    const double tangent[3] = {0.6 * cos(angle), 0.6 * sin(angle), 0.0};
    const double tangent_ds[3] = {-0.72 * sin(angle), 0.72 * cos(angle), 0.0};
    const double curvature[3] = {0.0, 0.0, 2.0};
    CHECK_ARRAY_NEAR(&p.point.g.p.x, r_expected, 3, 1e-12);
    CHECK_ARRAY_NEAR(&p.point.tangent.x, tangent, 3, 1e-12);
    CHECK_ARRAY_NEAR(&p.point.tangent_ds.x, tangent_ds, 3, 1e-12);
    CHECK_ARRAY_NEAR(&p.point.curvature.x, curvature, 3, 1e-12);
    ElvTwist V, A;
    elv_rod_point_motion(&p.c.rod, p.c.work, &p.point, p.c.v, p.c.a, &V, &A);
    CHECK_TWIST_NEAR(V, p.root.V, 0.0);
    CHECK_TWIST_NEAR(A, p.root.A, 0.0);
    double no[1];
    elv_rod_point_force_variation(&p.c.rod, p.c.work, &p.point, elv_wrench_zero(), no, no, no);
    close_point(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_jacobian), cmocka_unit_test(test_full_turn),
        cmocka_unit_test(test_along),    cmocka_unit_test(test_ports),
        cmocka_unit_test(test_motion),   cmocka_unit_test(test_outside),
        cmocka_unit_test(test_rigid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
