// SPDX-License-Identifier: Apache-2.0
// The Magnus step: exact where curvatures commute, its moments those of a parabola, odd under
// reversal, and of order 6 on a strongly varying curvature against Runge-Kutta on matrices. A wrong
// sign or factor of a commutator lowers the measured order to 2 or 4.
#include "rod/magnus.h"

#include "check.h"

static ElvVec3 random_vec3(CheckRandom* random, double size) {
    double x = check_uniform(random, -size, size);
    double y = check_uniform(random, -size, size);
    return elv_vec3(x, y, check_uniform(random, -size, size));
}

static void check_vec3(ElvVec3 actual, ElvVec3 expected, double tol) {
    double a[3] = {actual.x, actual.y, actual.z};
    double b[3] = {expected.x, expected.y, expected.z};
    CHECK_ARRAY_NEAR(a, b, 3, tol);
}

// a curvature whose axis turns along the rod
static ElvVec3 curvature_at(double X) {
    return elv_vec3(2.0 * cos(3.0 * X), 3.0 * sin(2.0 * X) - 1.0, 4.0 * X * (1.0 - X));
}

static void moments(double X, double h, ElvVec3 a[3]) {
    for (int m = 0; m < 3; m++) {
        a[m] = elv_vec3(0.0, 0.0, 0.0);
        for (int p = 0; p < ELV_MAGNUS_POINT; p++) {
            a[m] = elv_vec3_add_scaled(a[m], h * ELV_MAGNUS_MOMENT[m][p],
                                       curvature_at(X + h * ELV_MAGNUS_NODE[p]));
        }
    }
}

static ElvMat3 magnus_rotation(int n_step) {
    ElvMat3 R = elv_mat3_identity();
    double h = 1.0 / n_step;
    for (int i = 0; i < n_step; i++) {
        ElvVec3 a[3];
        moments(i * h, h, a);
        R = elv_mat3_mul(R, elv_so3_exp(elv_magnus_log(a)));
    }
    return R;
}

// R' = R hat(K) on the nine numbers of a matrix
static ElvMat3 rotation_rate(ElvMat3 R, double X) {
    return elv_mat3_mul(R, elv_mat3_hat(curvature_at(X)));
}

static ElvMat3 add(ElvMat3 R, double h, ElvMat3 rate) {
    return elv_mat3_add(R, elv_mat3_scale(h, rate));
}

// the classical method of order 4 with 10000 steps: error about 1e-14
static ElvMat3 reference_rotation(void) {
    enum { N = 10000 };
    ElvMat3 R = elv_mat3_identity();
    double h = 1.0 / N;
    for (int i = 0; i < N; i++) {
        double X = i * h;
        ElvMat3 k1 = rotation_rate(R, X);
        ElvMat3 k2 = rotation_rate(add(R, 0.5 * h, k1), X + 0.5 * h);
        ElvMat3 k3 = rotation_rate(add(R, 0.5 * h, k2), X + 0.5 * h);
        ElvMat3 k4 = rotation_rate(add(R, h, k3), X + h);
        R = add(R, h / 6.0, k1);
        R = add(R, h / 3.0, k2);
        R = add(R, h / 3.0, k3);
        R = add(R, h / 6.0, k4);
    }
    return R;
}

static double distance(ElvMat3 a, ElvMat3 b) {
    double sum = 0.0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double d = a.m[i][j] - b.m[i][j];
            sum += d * d;
        }
    }
    return sqrt(sum);
}

static void test_order_six(void** state) {
    (void)state;
    ElvMat3 reference = reference_rotation();
    double last = 0.0;
    // from the asymptotic range down to 1e-10, well above the reference's error
    for (int n_step = 4; n_step <= 32; n_step *= 2) {
        double error = distance(magnus_rotation(n_step), reference);
        if (last > 0.0) {
            double order = log2(last / error);
            print_message("%3d steps: error %.3e, order %.2f\n", n_step, error, order);
            CHECK_TRUE(order > 5.7 && order < 6.4);
        }
        last = error;
    }
    CHECK_TRUE(last < 1e-9);
}

// constant curvature: the logarithm is h K itself
static void test_constant_curvature(void** state) {
    (void)state;
    CheckRandom random = check_random(1);
    for (int trial = 0; trial < 20; trial++) {
        ElvVec3 a[3] = {random_vec3(&random, 3.0), {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
        check_vec3(elv_magnus_log(a), a[0], 0.0);
    }
}

// curvatures about one axis commute: Omega is the integral of b0 + b1 tau + b2 tau^2
static void test_commuting_curvature(void** state) {
    (void)state;
    CheckRandom random = check_random(2);
    for (int trial = 0; trial < 20; trial++) {
        ElvVec3 axis = random_vec3(&random, 1.0);
        ElvVec3 a[3];
        double b[3];
        for (int m = 0; m < 3; m++) {
            b[m] = check_uniform(&random, -2.0, 2.0);
            a[m] = elv_vec3_scale(b[m], axis);
        }
        check_vec3(elv_magnus_log(a), elv_vec3_scale(b[0] + b[2] / 12.0, axis), 1e-14);
    }
}

// the same path run backwards: Omega changes its sign
static void test_reversal(void** state) {
    (void)state;
    CheckRandom random = check_random(3);
    for (int trial = 0; trial < 20; trial++) {
        ElvVec3 a[3], back[3];
        for (int m = 0; m < 3; m++) {
            a[m] = random_vec3(&random, 1.0);
            back[m] = elv_vec3_scale(m == 1 ? 1.0 : -1.0, a[m]);
        }
        check_vec3(elv_magnus_log(back), elv_vec3_scale(-1.0, elv_magnus_log(a)), 1e-15);
    }
}

// the three points are Gauss points, and the moments give back a parabola's coefficients
static void test_moments(void** state) {
    (void)state;
    CHECK_NEAR(ELV_MAGNUS_NODE[0], 0.5 - sqrt(0.15), 1e-16);
    CHECK_NEAR(ELV_MAGNUS_NODE[1], 0.5, 0.0);
    CHECK_NEAR(ELV_MAGNUS_NODE[2], 0.5 + sqrt(0.15), 1e-16);
    for (int k = 0; k < 3; k++) {
        for (int m = 0; m < 3; m++) {
            double sum = 0.0;
            for (int p = 0; p < ELV_MAGNUS_POINT; p++) {
                sum += ELV_MAGNUS_MOMENT[m][p] * pow(ELV_MAGNUS_NODE[p] - 0.5, k);
            }
            CHECK_NEAR(sum, k == m ? 1.0 : 0.0, 1e-15);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_six),
        cmocka_unit_test(test_constant_curvature),
        cmocka_unit_test(test_commuting_curvature),
        cmocka_unit_test(test_reversal),
        cmocka_unit_test(test_moments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
