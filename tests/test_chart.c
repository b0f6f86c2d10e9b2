// SPDX-License-Identifier: Apache-2.0
// Charts of a time step: where they start, what they do to poses, and the variations N0, N1, N2 of the
// unknown against central differences of the state itself.
#include "check.h"
#include "joint/chart.h"

#include "elver/lie.h"

enum { NQ = 7, NV = 6 };

/// A point of the chart and the state it gives; n_v = 3 (spherical) or 6 (free).
typedef struct {
    int n_v;
    double q_n[NQ], nu[NV], f[NV], h[NV];
    double a, b;
} Point;

typedef struct {
    double q[NQ], v[NV], vdot[NV];
} State;

static void random_array(CheckRandom* r, int n, double size, double* x) {
    for (int i = 0; i < n; i++) {
        x[i] = check_uniform(r, -size, size);
    }
}

static Point random_point(uint64_t seed, int n_v) {
    CheckRandom r = check_random(seed);
    Point p = {.n_v = n_v, .a = check_uniform(&r, 0.0, 30.0), .b = check_uniform(&r, 0.0, 300.0)};
    random_array(&r, NQ, 1.0, p.q_n);
    random_array(&r, NV, 1.0, p.nu);
    random_array(&r, NV, 1.0, p.f);
    random_array(&r, NV, 1.0, p.h);
    double size =
        sqrt(p.q_n[0] * p.q_n[0] + p.q_n[1] * p.q_n[1] + p.q_n[2] * p.q_n[2] + p.q_n[3] * p.q_n[3]);
    for (int i = 0; i < 4; i++) {
        p.q_n[i] /= size;
    }
    return p;
}

static State state_at(const Point* p, const double* nu) {
    State s;
    double w[NV], w_dot[NV];
    memset(&s, 0, sizeof s);
    for (int i = 0; i < p->n_v; i++) {
        w[i] = p->a * nu[i] + p->f[i];
        w_dot[i] = p->b * nu[i] + p->h[i];
    }
    elv_group_state(p->n_v, p->q_n, nu, w, w_dot, s.q, s.v, s.vdot);
    return s;
}

static ElvMat3 rotation(const State* s) {
    return elv_quat_to_matrix(elv_quat(s->q[0], s->q[1], s->q[2], s->q[3]));
}

static ElvVec3 vector(const double* x) {
    return elv_vec3(x[0], x[1], x[2]);
}

// R = R_n exp(Theta), r = r_n + d, V = R^T r_dot, V_dot = R^T r_ddot - Omega x V
static void test_state(void** state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        Point p = random_point(seed, 6);
        State s = state_at(&p, p.nu);
        State n = {{0}, {0}, {0}};
        memcpy(n.q, p.q_n, sizeof n.q);
        ElvMat3 R = rotation(&s);
        ElvMat3 expected = elv_mat3_mul(rotation(&n), elv_so3_exp(vector(p.nu)));
        CHECK_ARRAY_NEAR(&R.m[0][0], &expected.m[0][0], 9, 1e-14);
        double r_dot[3], r_ddot[3];
        for (int i = 0; i < 3; i++) {
            CHECK_NEAR(s.q[4 + i], p.q_n[4 + i] + p.nu[3 + i], 0.0);
            CHECK_NEAR(s.v[i], p.a * p.nu[i] + p.f[i], 0.0);
            CHECK_NEAR(s.vdot[i], p.b * p.nu[i] + p.h[i], 0.0);
            r_dot[i] = p.a * p.nu[3 + i] + p.f[3 + i];
            r_ddot[i] = p.b * p.nu[3 + i] + p.h[3 + i];
        }
        ElvVec3 V = vector(s.v + 3);
        ElvVec3 V_w = elv_mat3_apply(R, V);
        ElvVec3 A_w =
            elv_mat3_apply(R, elv_vec3_add(vector(s.vdot + 3), elv_vec3_cross(vector(s.v), V)));
        CHECK_ARRAY_NEAR(&V_w.x, r_dot, 3, 1e-12);
        CHECK_ARRAY_NEAR(&A_w.x, r_ddot, 3, 1e-10);
    }
}

// at nu = 0 the chart gives its start back, and the rates it was given
static void test_origin(void** state) {
    (void)state;
    for (int n_v = 3; n_v <= 6; n_v += 3) {
        for (uint64_t seed = 1; seed <= 50; seed++) {
            Point p = random_point(seed, n_v);
            double w[NV], w_dot[NV], zero[NV] = {0.0};
            State s;
            elv_group_rates(n_v, p.q_n, p.f, p.h, w, w_dot);
            elv_group_state(n_v, p.q_n, zero, w, w_dot, s.q, s.v, s.vdot);
            CHECK_ARRAY_NEAR(s.q, p.q_n, n_v == 6 ? 7 : 4, 1e-15);
            CHECK_ARRAY_NEAR(s.v, p.f, (size_t)n_v, 1e-14);
            CHECK_ARRAY_NEAR(s.vdot, p.h, (size_t)n_v, 1e-14);
        }
    }
}

// ---- variations

// u = (R^T delta R, R^T delta r), and the variations of v and vdot, by central differences along k
static void differences(const Point* p, int k, double u[6], double d_v[6], double d_vdot[6]) {
    const double h = 1e-5;
    double nu[2][NV];
    State s[2], middle = state_at(p, p->nu);
    for (int side = 0; side < 2; side++) {
        memcpy(nu[side], p->nu, sizeof nu[side]);
        nu[side][k] += side == 0 ? -h : h;
        s[side] = state_at(p, nu[side]);
    }
    ElvMat3 R = rotation(&middle);
    ElvMat3 d_R = elv_mat3_scale(0.5 / h, elv_mat3_sub(rotation(&s[1]), rotation(&s[0])));
    ElvMat3 turn = elv_mat3_mul(elv_mat3_transpose(R), d_R);
    ElvVec3 d_r = elv_vec3_scale(0.5 / h, elv_vec3_sub(vector(s[1].q + 4), vector(s[0].q + 4)));
    ElvVec3 shift = elv_mat3_apply_transpose(R, d_r);
    u[0] = 0.5 * (turn.m[2][1] - turn.m[1][2]);
    u[1] = 0.5 * (turn.m[0][2] - turn.m[2][0]);
    u[2] = 0.5 * (turn.m[1][0] - turn.m[0][1]);
    u[3] = shift.x;
    u[4] = shift.y;
    u[5] = shift.z;
    for (int i = 0; i < p->n_v; i++) {
        d_v[i] = (s[1].v[i] - s[0].v[i]) / (2.0 * h);
        d_vdot[i] = (s[1].vdot[i] - s[0].vdot[i]) / (2.0 * h);
    }
}

static void
check_column(const Point* p, int k, const double* N0, const double* N1, const double* N2) {
    double u[6] = {0.0}, d_v[6] = {0.0}, d_vdot[6] = {0.0};
    double column[3][6] = {{0.0}}, eta[6] = {0.0}, eta_dot[6] = {0.0}, expected[6];
    int n = p->n_v;
    differences(p, k, u, d_v, d_vdot);
    State s = state_at(p, p->nu);
    for (int i = 0; i < n; i++) {
        column[0][i] = N0[i * n + k];
        column[1][i] = N1[i * n + k];
        column[2][i] = N2[i * n + k];
        eta[i] = s.v[i];
        eta_dot[i] = s.vdot[i];
    }
    // differences of order h^2 = 1e-10 times third derivatives, rounding 1e-16 b / h
    double tol = 1e-7 * (1.0 + p->a + p->b);
    CHECK_ARRAY_NEAR(column[0], u, (size_t)n, 1e-9);
    // d_eta = u_dot + ad_eta u
    ElvTwist U = elv_twist_from_array(column[0]);
    ElvTwist U_dot = elv_twist_from_array(column[1]);
    ElvTwist U_ddot = elv_twist_from_array(column[2]);
    ElvTwist d_eta = elv_twist_add(U_dot, elv_twist_bracket(elv_twist_from_array(eta), U));
    elv_twist_to_array(d_eta, expected);
    CHECK_ARRAY_NEAR(d_v, expected, (size_t)n, tol);
    // d_eta_dot = u_ddot + ad_eta_dot u + ad_eta u_dot
    ElvTwist d_eta_dot = elv_twist_add(U_ddot, elv_twist_bracket(elv_twist_from_array(eta_dot), U));
    d_eta_dot = elv_twist_add(d_eta_dot, elv_twist_bracket(elv_twist_from_array(eta), U_dot));
    elv_twist_to_array(d_eta_dot, expected);
    CHECK_ARRAY_NEAR(d_vdot, expected, (size_t)n, tol);
}

static void test_unknown(void** state) {
    (void)state;
    for (int n_v = 3; n_v <= 6; n_v += 3) {
        for (uint64_t seed = 1; seed <= 50; seed++) {
            Point p = random_point(seed, n_v);
            State s = state_at(&p, p.nu);
            double N[3][36];
            elv_group_unknown(n_v, p.nu, s.q, s.v, s.vdot, p.a, p.b, N[0], N[1], N[2]);
            for (int k = 0; k < n_v; k++) {
                check_column(&p, k, N[0], N[1], N[2]);
            }
        }
    }
}

// plain coordinates: q = q_n + nu, and rates as they are
static void test_vectors(void** state) {
    (void)state;
    ElvJoint joint = {.n_q = 4, .n_v = 4};
    const double q_n[4] = {1, 2, 3, 4}, nu[4] = {0.1, 0.2, 0.3, 0.4};
    const double w[4] = {5, 6, 7, 8}, w_dot[4] = {9, 10, 11, 12};
    double q[4], v[4], a[4], rate[4], rate_dot[4];
    elv_vector_state(&joint, q_n, nu, w, w_dot, q, v, a);
    for (int i = 0; i < 4; i++) {
        CHECK_NEAR(q[i], q_n[i] + nu[i], 0.0);
    }
    elv_vector_rates(&joint, q, v, a, rate, rate_dot);
    CHECK_ARRAY_NEAR(rate, w, 4, 0.0);
    CHECK_ARRAY_NEAR(rate_dot, w_dot, 4, 0.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_state),
        cmocka_unit_test(test_origin),
        cmocka_unit_test(test_unknown),
        cmocka_unit_test(test_vectors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
