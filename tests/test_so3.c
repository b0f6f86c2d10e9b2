// SPDX-License-Identifier: Apache-2.0
// Rotations: exp, log and tangent maps against 60-digit values (1e-13 of the operand's size), and
// their identities on random input on both sides of the threshold of the coefficients.
//
// Identities are held to 1e-13 times the size of the factors: some hundred roundings. Derivatives
// are held against central differences, whose error must fall by 4 when the step is halved: a
// wrong derivative leaves a constant error and a ratio of 1.
#include "elver/lie.h"

#include "lie_reference.h"
#include "lie_sample.h"

static const double tol = 1e-13;

// the first 3 rows of a 6x3 reference
static ElvMat3 upper_block(const double* left_half) {
    ElvMat3 a;
    memcpy(a.m, left_half, sizeof(a.m));
    return a;
}

static double largest3(ElvMat3 a) {
    double x[9];
    memcpy(x, a.m, sizeof(x));
    return sample_largest(x, 9);
}

static void check_reference(ElvMat3 actual, const double* left_half) {
    CHECK_MAT3_NEAR(actual, upper_block(left_half), tol * sample_largest(left_half, 9));
}

static void test_exp_and_log_match_reference(void** state) {
    (void)state;
    for (int i = 0; i < N_LIE_REFERENCE; i++) {
        const LieReference* r = &lie_reference[i];
        ElvVec3 theta = elv_vec3(r->x[0], r->x[1], r->x[2]);
        ElvMat3 R = upper_block(r->R);
        CHECK_MAT3_NEAR(elv_so3_exp(theta), R, tol);
        CHECK_MAT3_NEAR(elv_quat_to_matrix(elv_quat_exp(theta)), R, tol);
        CHECK_NEAR(elv_quat_norm(elv_quat_exp(theta)), 1.0, tol);
        CHECK_MAT3_NEAR(elv_so3_exp(elv_so3_log(R)), R, tol);
        // at pi itself both signs of the vector are right: the line above covers it
        if (fabs(elv_vec3_norm(theta) - sample_pi) > 1e-13) {
            ElvVec3 log = elv_vec3(r->log[0], r->log[1], r->log[2]);
            CHECK_VEC3_NEAR(elv_so3_log(R), log, tol * sample_largest(r->log, 3));
            CHECK_VEC3_NEAR(elv_quat_log(elv_quat_exp(theta)), log, tol * elv_vec3_norm(theta));
        }
    }
}

static void test_tangents_match_reference(void** state) {
    (void)state;
    for (int i = 0; i < N_LIE_REFERENCE; i++) {
        const LieReference* r = &lie_reference[i];
        ElvVec3 theta = elv_vec3(r->x[0], r->x[1], r->x[2]);
        ElvVec3 theta_dot = elv_vec3(r->x_dot[0], r->x_dot[1], r->x_dot[2]);
        ElvVec3 a = elv_vec3(r->a[0], r->a[1], r->a[2]);
        check_reference(elv_so3_tangent(theta), r->T);
        check_reference(elv_so3_tangent_inv(theta), r->T_inv);
        check_reference(elv_so3_tangent_dot(theta, theta_dot), r->T_dot);
        check_reference(elv_so3_tangent_inv_dot(theta, theta_dot), r->T_inv_dot);
        check_reference(elv_so3_tangent_diff(theta, a), r->T_diff);
        check_reference(elv_so3_tangent_inv_diff(theta, a), r->T_inv_diff);
    }
}

static void test_exp_is_a_rotation(void** state) {
    (void)state;
    CheckRandom random = check_random(1);
    for (int i = 0; i < 200; i++) {
        ElvVec3 theta = sample_vec3(&random, 20.0);
        ElvMat3 R = elv_so3_exp(theta);
        CHECK_MAT3_NEAR(elv_mat3_mul(R, elv_mat3_transpose(R)), elv_mat3_identity(), tol);
        CHECK_NEAR(elv_mat3_det(R), 1.0, tol);
        // a rotation keeps its axis, and is twice the rotation of half the angle
        CHECK_VEC3_NEAR(elv_mat3_apply(R, theta), theta, tol * elv_vec3_norm(theta));
        ElvMat3 half = elv_so3_exp(elv_vec3_scale(0.5, theta));
        CHECK_MAT3_NEAR(elv_mat3_mul(half, half), R, tol);
    }
}

static void test_exp_turns_counterclockwise(void** state) {
    (void)state;
    ElvMat3 R = elv_so3_exp(elv_vec3(0.0, 0.0, 0.5 * sample_pi));
    CHECK_VEC3_NEAR(elv_mat3_apply(R, elv_vec3(1.0, 0.0, 0.0)), elv_vec3(0.0, 1.0, 0.0), 1e-15);
}

static void test_log_inverts_exp(void** state) {
    (void)state;
    CheckRandom random = check_random(2);
    const double angles[] = {0.0, 1e-300, 1e-160, 1e-20, 1e-9, 1e-3, 1.0, 3.0, 3.14, 3.1415926};
    for (int i = 0; i < 200; i++) {
        for (size_t j = 0; j < sizeof(angles) / sizeof(angles[0]); j++) {
            ElvVec3 theta = sample_axis(&random, angles[j]);
            CHECK_VEC3_NEAR(elv_so3_log(elv_so3_exp(theta)), theta, tol * angles[j]);
        }
        ElvMat3 R = elv_quat_to_matrix(sample_quat(&random));
        CHECK_MAT3_NEAR(elv_so3_exp(elv_so3_log(R)), R, tol);
        CHECK_TRUE(elv_vec3_norm(elv_so3_log(R)) <= sample_pi * (1.0 + 1e-15));
    }
}

static void test_log_at_half_turn(void** state) {
    (void)state;
    CheckRandom random = check_random(3);
    for (int i = 0; i < 200; i++) {
        // R = 2 n n^T - 1, without any exponential
        ElvVec3 n = sample_axis(&random, 1.0);
        ElvMat3 R = elv_quat_to_matrix(elv_quat(0.0, n.x, n.y, n.z));
        ElvVec3 log = elv_so3_log(R);
        double sign = elv_vec3_dot(log, n) < 0.0 ? -1.0 : 1.0;
        CHECK_VEC3_NEAR(log, elv_vec3_scale(sign * sample_pi, n), tol);
    }
}

static void test_tangent_inverse(void** state) {
    (void)state;
    CheckRandom random = check_random(4);
    for (int i = 0; i < 50; i++) {
        for (int j = 0; j < N_SAMPLE_ANGLE; j++) {
            ElvVec3 theta = sample_axis(&random, sample_angles[j]);
            ElvMat3 T = elv_so3_tangent(theta), T_inv = elv_so3_tangent_inv(theta);
            double size = largest3(T_inv);
            CHECK_MAT3_NEAR(elv_mat3_mul(T, T_inv), elv_mat3_identity(), tol * size);
            // exp(theta) T(theta) = T(theta)^T: the same rate seen from the other side
            CHECK_MAT3_NEAR(elv_mat3_mul(elv_so3_exp(theta), T), elv_mat3_transpose(T), tol);
        }
    }
}

// largest entry of (f(theta + h u) - f(theta - h u))/2h - f_dot, f a matrix of theta
static double
difference_error(ElvMat3 (*f)(ElvVec3), ElvVec3 theta, ElvVec3 u, double h, ElvMat3 f_dot) {
    ElvMat3 plus = f(elv_vec3_add_scaled(theta, h, u));
    ElvMat3 minus = f(elv_vec3_add_scaled(theta, -h, u));
    ElvMat3 quotient = elv_mat3_scale(0.5 / h, elv_mat3_sub(plus, minus));
    return largest3(elv_mat3_sub(quotient, f_dot));
}

static void check_second_order(ElvMat3 (*f)(ElvVec3), ElvVec3 theta, ElvVec3 u, ElvMat3 f_dot) {
    double coarse = difference_error(f, theta, u, 2e-2, f_dot);
    double fine = difference_error(f, theta, u, 1e-2, f_dot);
    // near 0 the odd part of T^-1 is linear and its quotient exact: only rounding (1e-14) is left
    if (coarse > 5e-12) {
        CHECK_NEAR(coarse / fine, 4.0, 0.1);
    }
}

static void test_derivatives_match_differences(void** state) {
    (void)state;
    CheckRandom random = check_random(5);
    for (int i = 0; i < 20; i++) {
        for (int j = 0; j < N_SAMPLE_ANGLE; j++) {
            ElvVec3 theta = sample_axis(&random, sample_angles[j]);
            ElvVec3 u = sample_axis(&random, 1.0);
            // R_dot = R hat(T theta_dot)
            ElvVec3 omega = elv_mat3_apply(elv_so3_tangent(theta), u);
            ElvMat3 R_dot = elv_mat3_mul(elv_so3_exp(theta), elv_mat3_hat(omega));
            check_second_order(elv_so3_exp, theta, u, R_dot);
            check_second_order(elv_so3_tangent, theta, u, elv_so3_tangent_dot(theta, u));
            check_second_order(elv_so3_tangent_inv, theta, u, elv_so3_tangent_inv_dot(theta, u));
        }
    }
}

// the Jacobian of T(theta) a applied to u is the derivative of T along u applied to a
static void test_diff_agrees_with_dot(void** state) {
    (void)state;
    CheckRandom random = check_random(6);
    for (int i = 0; i < 50; i++) {
        for (int j = 0; j < N_SAMPLE_ANGLE; j++) {
            ElvVec3 theta = sample_axis(&random, sample_angles[j]);
            ElvVec3 a = sample_vec3(&random, 1.0), u = sample_vec3(&random, 1.0);
            ElvMat3 T_dot = elv_so3_tangent_dot(theta, u);
            CHECK_VEC3_NEAR(elv_mat3_apply(elv_so3_tangent_diff(theta, a), u),
                            elv_mat3_apply(T_dot, a), tol);
            T_dot = elv_so3_tangent_inv_dot(theta, u);
            CHECK_VEC3_NEAR(elv_mat3_apply(elv_so3_tangent_inv_diff(theta, a), u),
                            elv_mat3_apply(T_dot, a), tol * (1.0 + largest3(T_dot)));
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exp_and_log_match_reference),
        cmocka_unit_test(test_tangents_match_reference),
        cmocka_unit_test(test_exp_is_a_rotation),
        cmocka_unit_test(test_exp_turns_counterclockwise),
        cmocka_unit_test(test_log_inverts_exp),
        cmocka_unit_test(test_log_at_half_turn),
        cmocka_unit_test(test_tangent_inverse),
        cmocka_unit_test(test_derivatives_match_differences),
        cmocka_unit_test(test_diff_agrees_with_dot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
