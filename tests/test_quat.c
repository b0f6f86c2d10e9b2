// SPDX-License-Identifier: Apache-2.0
// Quaternions and roll-pitch-yaw angles: conversions to and from matrices, products, rates.
#include "elver/lie.h"

#include "lie_sample.h"

static const double tol = 1e-14;

// |a - b| up to the common sign of a quaternion
static double quat_distance(ElvQuat a, ElvQuat b) {
    double dot = a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
    double sign = dot < 0.0 ? -1.0 : 1.0;
    return elv_quat_norm(
        elv_quat(a.w - sign * b.w, a.x - sign * b.x, a.y - sign * b.y, a.z - sign * b.z));
}

static void test_matrix_round_trip(void** state) {
    (void)state;
    CheckRandom random = check_random(11);
    for (int i = 0; i < 1000; i++) {
        ElvQuat q = sample_quat(&random);
        ElvMat3 R = elv_quat_to_matrix(q);
        ElvQuat back = elv_quat_from_matrix(R);
        CHECK_NEAR(quat_distance(back, q), 0.0, tol);
        CHECK_NEAR(elv_quat_norm(back), 1.0, tol);
        CHECK_TRUE(back.w >= 0.0);
        CHECK_MAT3_NEAR(elv_quat_to_matrix(back), R, tol);
        // any length gives the same rotation
        ElvQuat longer = elv_quat(3.0 * q.w, 3.0 * q.x, 3.0 * q.y, 3.0 * q.z);
        CHECK_MAT3_NEAR(elv_quat_to_matrix(longer), R, tol);
    }
}

// one component near 1 and the rest near 0: every branch at its centre, and the ties between them
static void test_matrix_round_trip_branches(void** state) {
    (void)state;
    const double small[] = {0.0, 1e-12, -1e-6, 1e-3};
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 4; k++) {
            double c[4] = {small[k], small[k], small[k], small[k]};
            c[i] = 1.0;
            ElvQuat q = elv_quat_normalize(elv_quat(c[0], c[1], c[2], c[3]));
            ElvQuat back = elv_quat_from_matrix(elv_quat_to_matrix(q));
            CHECK_NEAR(quat_distance(back, q), 0.0, tol);
            CHECK_TRUE(back.w >= 0.0);
        }
        for (int j = 0; j < i; j++) {
            double c[4] = {0.0, 0.0, 0.0, 0.0};
            c[i] = c[j] = 1.0;
            ElvQuat q = elv_quat_normalize(elv_quat(c[0], c[1], c[2], c[3]));
            ElvQuat back = elv_quat_from_matrix(elv_quat_to_matrix(q));
            CHECK_NEAR(quat_distance(back, q), 0.0, tol);
            CHECK_TRUE(back.w >= 0.0);
        }
    }
}

static void test_product_composes(void** state) {
    (void)state;
    CheckRandom random = check_random(12);
    for (int i = 0; i < 200; i++) {
        ElvQuat a = sample_quat(&random), b = sample_quat(&random);
        ElvMat3 product = elv_mat3_mul(elv_quat_to_matrix(a), elv_quat_to_matrix(b));
        CHECK_MAT3_NEAR(elv_quat_to_matrix(elv_quat_mul(a, b)), product, tol);
        ElvQuat e = elv_quat_mul(a, elv_quat(a.w, -a.x, -a.y, -a.z));
        CHECK_NEAR(quat_distance(e, elv_quat_identity()), 0.0, tol);
    }
}

static void test_log_ignores_sign_and_length(void** state) {
    (void)state;
    CheckRandom random = check_random(13);
    for (int i = 0; i < 200; i++) {
        ElvQuat q = sample_quat(&random);
        ElvVec3 log = elv_quat_log(q);
        CHECK_VEC3_NEAR(elv_quat_log(elv_quat(-q.w, -q.x, -q.y, -q.z)), log, tol);
        CHECK_VEC3_NEAR(elv_quat_log(elv_quat(2.0 * q.w, 2.0 * q.x, 2.0 * q.y, 2.0 * q.z)), log,
                        tol);
        CHECK_NEAR(quat_distance(elv_quat_exp(log), q), 0.0, tol);
    }
    CHECK_VEC3_NEAR(elv_quat_log(elv_quat(-1.0, 0.0, 0.0, 0.0)), elv_vec3(0.0, 0.0, 0.0), 0.0);
}

// q_dot against central differences of q exp(t omega): errors fall by 4
static void test_rate_matches_differences(void** state) {
    (void)state;
    CheckRandom random = check_random(14);
    for (int i = 0; i < 50; i++) {
        ElvQuat q = sample_quat(&random);
        ElvVec3 omega = sample_axis(&random, 2.0);
        ElvQuat rate = elv_quat_rate(q, omega);
        double error[2];
        for (int k = 0; k < 2; k++) {
            double h = k == 0 ? 2e-2 : 1e-2;
            ElvQuat p = elv_quat_mul(q, elv_quat_exp(elv_vec3_scale(h, omega)));
            ElvQuat m = elv_quat_mul(q, elv_quat_exp(elv_vec3_scale(-h, omega)));
            double s = 0.5 / h;
            error[k] = elv_quat_norm(elv_quat(s * (p.w - m.w) - rate.w, s * (p.x - m.x) - rate.x,
                                              s * (p.y - m.y) - rate.y, s * (p.z - m.z) - rate.z));
        }
        CHECK_NEAR(error[0] / error[1], 4.0, 0.1);
    }
}

static void test_rpy_is_a_product_about_fixed_axes(void** state) {
    (void)state;
    CheckRandom random = check_random(15);
    for (int i = 0; i < 200; i++) {
        ElvVec3 rpy = sample_vec3(&random, 4.0);
        ElvMat3 x = elv_so3_exp(elv_vec3(rpy.x, 0.0, 0.0));
        ElvMat3 y = elv_so3_exp(elv_vec3(0.0, rpy.y, 0.0));
        ElvMat3 z = elv_so3_exp(elv_vec3(0.0, 0.0, rpy.z));
        CHECK_MAT3_NEAR(elv_so3_from_rpy(rpy.x, rpy.y, rpy.z), elv_mat3_mul(z, elv_mat3_mul(y, x)),
                        tol);
    }
}

static void test_rpy_round_trip(void** state) {
    (void)state;
    CheckRandom random = check_random(16);
    for (int i = 0; i < 200; i++) {
        // away from pitch = +-pi/2 the angles come back; the error grows as 1/cos(pitch) <= 15
        ElvVec3 rpy = elv_vec3(check_uniform(&random, -3.1, 3.1), check_uniform(&random, -1.5, 1.5),
                               check_uniform(&random, -3.1, 3.1));
        ElvMat3 R = elv_so3_from_rpy(rpy.x, rpy.y, rpy.z);
        CHECK_VEC3_NEAR(elv_so3_to_rpy(R), rpy, 15.0 * tol);
        // any rotation comes back as a matrix
        R = elv_quat_to_matrix(sample_quat(&random));
        rpy = elv_so3_to_rpy(R);
        CHECK_MAT3_NEAR(elv_so3_from_rpy(rpy.x, rpy.y, rpy.z), R, tol);
        CHECK_TRUE(fabs(rpy.y) <= 0.5 * sample_pi);
    }
}

// with pitch near +-pi/2 roll and yaw are not unique, but the rotation is
static void test_rpy_gimbal_lock(void** state) {
    (void)state;
    CheckRandom random = check_random(17);
    const double gaps[] = {0.0, 1e-16, 1e-12, 1e-8, 1e-4};
    for (int i = 0; i < 50; i++) {
        for (size_t k = 0; k < sizeof(gaps) / sizeof(gaps[0]); k++) {
            double pitch = (i % 2 == 0 ? 1.0 : -1.0) * (0.5 * sample_pi - gaps[k]);
            double roll = check_uniform(&random, -3.0, 3.0);
            ElvMat3 R = elv_so3_from_rpy(roll, pitch, check_uniform(&random, -3.0, 3.0));
            ElvVec3 rpy = elv_so3_to_rpy(R);
            CHECK_MAT3_NEAR(elv_so3_from_rpy(rpy.x, rpy.y, rpy.z), R, tol);
        }
    }
    // an exact lock: x axis to -z
    ElvMat3 R = {{{0.0, 0.0, 1.0}, {0.0, 1.0, 0.0}, {-1.0, 0.0, 0.0}}};
    CHECK_VEC3_NEAR(elv_so3_to_rpy(R), elv_vec3(0.0, 0.5 * sample_pi, 0.0), tol);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matrix_round_trip),
        cmocka_unit_test(test_matrix_round_trip_branches),
        cmocka_unit_test(test_product_composes),
        cmocka_unit_test(test_log_ignores_sign_and_length),
        cmocka_unit_test(test_rate_matches_differences),
        cmocka_unit_test(test_rpy_is_a_product_about_fixed_axes),
        cmocka_unit_test(test_rpy_round_trip),
        cmocka_unit_test(test_rpy_gimbal_lock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
