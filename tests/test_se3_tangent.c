// SPDX-License-Identifier: Apache-2.0
// Tangent maps of SE(3) against 60-digit values (1e-13 of each block's size), their identities, and
// central differences, whose error must fall by 4 when the step is halved.
#include "elver/lie.h"

#include "lie_reference.h"
#include "lie_sample.h"

static const double tol = 1e-13;

static double largest6(ElvMat6 a) {
    double x[36];
    memcpy(x, a.m, sizeof(x));
    return sample_largest(x, 36);
}

static ElvMat6 identity6(void) {
    ElvMat6 a = {{{0.0}}};
    for (int i = 0; i < 6; i++) {
        a.m[i][i] = 1.0;
    }
    return a;
}

// actual = [A 0; B A] with [A; B] given row by row
static void check_reference(ElvMat6 actual, const double left_half[18]) {
    double upper = tol * sample_largest(left_half, 9);
    double lower = tol * sample_largest(left_half + 9, 9);
    for (size_t i = 0; i < 3; i++) {
        CHECK_ARRAY_NEAR(actual.m[i], left_half + 3 * i, 3, upper);
        CHECK_ARRAY_NEAR(actual.m[i + 3], left_half + 9 + 3 * i, 3, lower);
        CHECK_ARRAY_NEAR(actual.m[i + 3] + 3, left_half + 3 * i, 3, upper);
        for (size_t j = 3; j < 6; j++) {
            CHECK_TRUE(actual.m[i][j] == 0.0);
        }
    }
}

static void test_tangents_match_reference(void** state) {
    (void)state;
    for (int i = 0; i < N_LIE_REFERENCE; i++) {
        const LieReference* r = &lie_reference[i];
        ElvTwist x = elv_twist_from_array(r->x);
        ElvTwist x_dot = elv_twist_from_array(r->x_dot);
        ElvTwist a = elv_twist_from_array(r->a);
        check_reference(elv_se3_tangent(x), r->T);
        check_reference(elv_se3_tangent_inv(x), r->T_inv);
        check_reference(elv_se3_tangent_dot(x, x_dot), r->T_dot);
        check_reference(elv_se3_tangent_inv_dot(x, x_dot), r->T_inv_dot);
        check_reference(elv_se3_tangent_diff(x, a), r->T_diff);
        check_reference(elv_se3_tangent_inv_diff(x, a), r->T_inv_diff);
    }
}

static void test_tangent_inverse(void** state) {
    (void)state;
    CheckRandom random = check_random(31);
    for (int i = 0; i < 50; i++) {
        for (int j = 0; j < N_SAMPLE_ANGLE; j++) {
            ElvVec3 ang = sample_axis(&random, sample_angles[j]);
            ElvTwist x = elv_twist(ang, sample_axis(&random, 3.0));
            ElvMat6 T = elv_se3_tangent(x), T_inv = elv_se3_tangent_inv(x);
            double size = (1.0 + largest6(T)) * (1.0 + largest6(T_inv));
            CHECK_MAT6_NEAR(elv_mat6_mul(T, T_inv), identity6(), tol * size);
            // Ad_exp(x) T(x) = T(-x): the same rate seen from the other side
            ElvMat6 Ad = elv_pose_adjoint(elv_se3_exp(x));
            CHECK_MAT6_NEAR(elv_mat6_mul(Ad, T), elv_se3_tangent(elv_twist_scale(-1.0, x)),
                            tol * (1.0 + largest6(Ad)) * (1.0 + largest6(T)));
            // the derivative of T T^-1 = 1
            ElvTwist u = sample_twist(&random, 1.0);
            ElvMat6 T_dot = elv_se3_tangent_dot(x, u), T_inv_dot = elv_se3_tangent_inv_dot(x, u);
            ElvMat6 left = elv_mat6_mul(T_dot, T_inv), right = elv_mat6_mul(T, T_inv_dot);
            size *= (1.0 + largest6(T_dot)) + (1.0 + largest6(T_inv_dot));
            for (int k = 0; k < 36; k++) {
                CHECK_NEAR(left.m[k / 6][k % 6] + right.m[k / 6][k % 6], 0.0, tol * size);
            }
        }
    }
}

// eta = (g^-1 g_dot) of g = exp(x + t u) by central differences of step h
static ElvTwist body_twist_by_difference(ElvTwist x, ElvTwist u, double h) {
    ElvPose g = elv_se3_exp(x);
    ElvPose plus = elv_se3_exp(elv_twist_add_scaled(x, h, u));
    ElvPose minus = elv_se3_exp(elv_twist_add_scaled(x, -h, u));
    ElvMat3 R_dot = elv_mat3_scale(0.5 / h, elv_mat3_sub(plus.R, minus.R));
    ElvVec3 p_dot = elv_vec3_scale(0.5 / h, elv_vec3_sub(plus.p, minus.p));
    ElvMat3 omega_hat = elv_mat3_mul(elv_mat3_transpose(g.R), R_dot);
    ElvVec3 omega = elv_vec3(0.5 * (omega_hat.m[2][1] - omega_hat.m[1][2]),
                             0.5 * (omega_hat.m[0][2] - omega_hat.m[2][0]),
                             0.5 * (omega_hat.m[1][0] - omega_hat.m[0][1]));
    return elv_twist(omega, elv_mat3_apply_transpose(g.R, p_dot));
}

static void test_tangent_is_the_body_twist(void** state) {
    (void)state;
    CheckRandom random = check_random(32);
    for (int i = 0; i < 20; i++) {
        for (int j = 0; j < N_SAMPLE_ANGLE; j++) {
            ElvVec3 ang = sample_axis(&random, sample_angles[j]);
            ElvTwist x = elv_twist(ang, sample_axis(&random, 3.0));
            ElvTwist u = sample_twist(&random, 1.0);
            ElvTwist eta = elv_mat6_apply(elv_se3_tangent(x), u);
            double error[2];
            for (int k = 0; k < 2; k++) {
                double d[6];
                ElvTwist quotient = body_twist_by_difference(x, u, k == 0 ? 4e-3 : 2e-3);
                elv_twist_to_array(elv_twist_sub(quotient, eta), d);
                error[k] = sample_largest(d, 6);
            }
            CHECK_NEAR(error[0] / error[1], 4.0, 0.1);
        }
    }
}

static double
difference_error(ElvMat6 (*f)(ElvTwist), ElvTwist x, ElvTwist u, double h, ElvMat6 f_dot) {
    ElvMat6 plus = f(elv_twist_add_scaled(x, h, u));
    ElvMat6 minus = f(elv_twist_add_scaled(x, -h, u));
    ElvMat6 error;
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            error.m[i][j] = 0.5 / h * (plus.m[i][j] - minus.m[i][j]) - f_dot.m[i][j];
        }
    }
    return largest6(error);
}

static void check_second_order(ElvMat6 (*f)(ElvTwist), ElvTwist x, ElvTwist u, ElvMat6 f_dot) {
    double coarse = difference_error(f, x, u, 4e-3, f_dot);
    double fine = difference_error(f, x, u, 2e-3, f_dot);
    CHECK_NEAR(coarse / fine, 4.0, 0.1);
}

static void test_dot_matches_differences(void** state) {
    (void)state;
    CheckRandom random = check_random(33);
    for (int i = 0; i < 20; i++) {
        for (int j = 0; j < N_SAMPLE_ANGLE; j++) {
            ElvVec3 ang = sample_axis(&random, sample_angles[j]);
            ElvTwist x = elv_twist(ang, sample_axis(&random, 3.0));
            ElvTwist u = sample_twist(&random, 1.0);
            check_second_order(elv_se3_tangent, x, u, elv_se3_tangent_dot(x, u));
            check_second_order(elv_se3_tangent_inv, x, u, elv_se3_tangent_inv_dot(x, u));
        }
    }
}

// the Jacobian of T(x) a applied to u is the derivative of T along u applied to a
static void check_diff(ElvMat6 diff, ElvMat6 dot, ElvTwist a, ElvTwist u) {
    double actual[6], expected[6];
    elv_twist_to_array(elv_mat6_apply(diff, u), actual);
    elv_twist_to_array(elv_mat6_apply(dot, a), expected);
    CHECK_ARRAY_NEAR(actual, expected, 6, tol * (1.0 + largest6(diff) + largest6(dot)));
}

static void test_diff_agrees_with_dot(void** state) {
    (void)state;
    CheckRandom random = check_random(34);
    for (int i = 0; i < 50; i++) {
        for (int j = 0; j < N_SAMPLE_ANGLE; j++) {
            ElvVec3 ang = sample_axis(&random, sample_angles[j]);
            ElvTwist x = elv_twist(ang, sample_axis(&random, 3.0));
            ElvTwist a = sample_twist(&random, 1.0), u = sample_twist(&random, 1.0);
            check_diff(elv_se3_tangent_diff(x, a), elv_se3_tangent_dot(x, u), a, u);
            check_diff(elv_se3_tangent_inv_diff(x, a), elv_se3_tangent_inv_dot(x, u), a, u);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tangents_match_reference),
        cmocka_unit_test(test_tangent_inverse),
        cmocka_unit_test(test_tangent_is_the_body_twist),
        cmocka_unit_test(test_dot_matches_differences),
        cmocka_unit_test(test_diff_agrees_with_dot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
