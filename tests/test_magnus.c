// SPDX-License-Identifier: Apache-2.0
// The Magnus step: exact where strains commute, its moments those of a parabola, odd under
// reversal, and of order 6 on a strongly varying strain against Runge-Kutta on matrices. A wrong
// sign or factor of a commutator lowers the measured order to 2 or 4.
#include "rod/magnus.h"

#include "check.h"

static ElvTwist random_twist(CheckRandom* random, double size) {
    double x[6];
    for (int i = 0; i < 6; i++) {
        x[i] = check_uniform(random, -size, size);
    }
    return elv_twist_from_array(x);
}

static void check_twist(ElvTwist actual, ElvTwist expected, double tol) {
    double a[6], b[6];
    elv_twist_to_array(actual, a);
    elv_twist_to_array(expected, b);
    CHECK_ARRAY_NEAR(a, b, 6, tol);
}

// a strain whose axis turns along the rod
static ElvTwist strain_at(double X) {
    return elv_twist(elv_vec3(2.0 * cos(3.0 * X), 3.0 * sin(2.0 * X) - 1.0, 4.0 * X * (1.0 - X)),
                     elv_vec3(1.0 + 0.2 * sin(5.0 * X), 0.3 * cos(4.0 * X), 0.1 * exp(X)));
}

static void moments(double X, double h, ElvTwist a[3]) {
    for (int m = 0; m < 3; m++) {
        a[m] = elv_twist_zero();
        for (int p = 0; p < ELV_MAGNUS_POINT; p++) {
            a[m] = elv_twist_add_scaled(a[m], h * ELV_MAGNUS_MOMENT[m][p],
                                        strain_at(X + h * ELV_MAGNUS_NODE[p]));
        }
    }
}

static ElvPose magnus_pose(int n_step) {
    ElvPose g = elv_pose_identity();
    double h = 1.0 / n_step;
    for (int i = 0; i < n_step; i++) {
        ElvTwist a[3];
        moments(i * h, h, a);
        g = elv_pose_compose(g, elv_se3_exp(elv_magnus_log(a)));
    }
    return g;
}

// g' = g hat(xi) on the twelve numbers of a pose
static ElvPose pose_rate(ElvPose g, double X) {
    ElvTwist xi = strain_at(X);
    return elv_pose(elv_mat3_mul(g.R, elv_mat3_hat(xi.ang)), elv_mat3_apply(g.R, xi.lin));
}

static ElvPose pose_add(ElvPose g, double h, ElvPose rate) {
    return elv_pose(elv_mat3_add(g.R, elv_mat3_scale(h, rate.R)),
                    elv_vec3_add_scaled(g.p, h, rate.p));
}

// the classical method of order 4 with 10000 steps: error about 1e-14
static ElvPose reference_pose(void) {
    enum { N = 10000 };
    ElvPose g = elv_pose_identity();
    double h = 1.0 / N;
    for (int i = 0; i < N; i++) {
        double X = i * h;
        ElvPose k1 = pose_rate(g, X);
        ElvPose k2 = pose_rate(pose_add(g, 0.5 * h, k1), X + 0.5 * h);
        ElvPose k3 = pose_rate(pose_add(g, 0.5 * h, k2), X + 0.5 * h);
        ElvPose k4 = pose_rate(pose_add(g, h, k3), X + h);
        g = pose_add(g, h / 6.0, k1);
        g = pose_add(g, h / 3.0, k2);
        g = pose_add(g, h / 3.0, k3);
        g = pose_add(g, h / 6.0, k4);
    }
    return g;
}

static double pose_distance(ElvPose a, ElvPose b) {
    double sum = 0.0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double d = a.R.m[i][j] - b.R.m[i][j];
            sum += d * d;
        }
    }
    ElvVec3 d = elv_vec3_sub(a.p, b.p);
    return sqrt(sum + elv_vec3_dot(d, d));
}

static void test_order_six(void** state) {
    (void)state;
    ElvPose reference = reference_pose();
    double last = 0.0;
    // from the asymptotic range down to 1e-10, well above the reference's error
    for (int n_step = 4; n_step <= 32; n_step *= 2) {
        double error = pose_distance(magnus_pose(n_step), reference);
        if (last > 0.0) {
            double order = log2(last / error);
            print_message("%3d steps: error %.3e, order %.2f\n", n_step, error, order);
            CHECK_TRUE(order > 5.7 && order < 6.4);
        }
        last = error;
    }
    CHECK_TRUE(last < 1e-9);
}

// constant strain: the logarithm is h xi itself
static void test_constant_strain(void** state) {
    (void)state;
    CheckRandom random = check_random(1);
    for (int trial = 0; trial < 20; trial++) {
        ElvTwist a[3] = {random_twist(&random, 3.0), elv_twist_zero(), elv_twist_zero()};
        check_twist(elv_magnus_log(a), a[0], 0.0);
    }
}

// strains along one screw commute: Omega is the integral of b0 + b1 tau + b2 tau^2
static void test_commuting_strain(void** state) {
    (void)state;
    CheckRandom random = check_random(2);
    for (int trial = 0; trial < 20; trial++) {
        ElvTwist screw = random_twist(&random, 1.0);
        ElvTwist a[3];
        double b[3];
        for (int m = 0; m < 3; m++) {
            b[m] = check_uniform(&random, -2.0, 2.0);
            a[m] = elv_twist_scale(b[m], screw);
        }
        check_twist(elv_magnus_log(a), elv_twist_scale(b[0] + b[2] / 12.0, screw), 1e-14);
    }
}

// the same path run backwards: Omega changes its sign
static void test_reversal(void** state) {
    (void)state;
    CheckRandom random = check_random(3);
    for (int trial = 0; trial < 20; trial++) {
        ElvTwist a[3], back[3];
        for (int m = 0; m < 3; m++) {
            a[m] = random_twist(&random, 1.0);
            back[m] = elv_twist_scale(m == 1 ? 1.0 : -1.0, a[m]);
        }
        check_twist(elv_magnus_log(back), elv_twist_scale(-1.0, elv_magnus_log(a)), 1e-15);
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
        cmocka_unit_test(test_order_six),        cmocka_unit_test(test_constant_strain),
        cmocka_unit_test(test_commuting_strain), cmocka_unit_test(test_reversal),
        cmocka_unit_test(test_moments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
