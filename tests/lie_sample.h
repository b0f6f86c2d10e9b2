// SPDX-License-Identifier: Apache-2.0
// Seeded random vectors, twists, poses and inertias for the tests of the Lie layer, and the largest
// entry of an array as the size that relative tolerances refer to.
#ifndef ELVER_TESTS_LIE_SAMPLE_H
#define ELVER_TESTS_LIE_SAMPLE_H

#include "elver/lie.h"

#include "check.h"

static const double sample_pi = 3.141592653589793;

// angles on both sides of the threshold of lie/coefficients.h (sqrt(10) = 3.1623), below 2 pi
enum { N_SAMPLE_ANGLE = 11 };
static const double sample_angles[N_SAMPLE_ANGLE] = {0.0, 1e-9, 1e-5, 1e-2, 0.3, 1.0,
                                                     2.0, 3.1,  3.2,  4.5,  6.0};

static inline ElvVec3 sample_vec3(CheckRandom* r, double size) {
    double x = check_uniform(r, -size, size);
    double y = check_uniform(r, -size, size);
    double z = check_uniform(r, -size, size);
    return elv_vec3(x, y, z);
}

/// a vector of given length
static inline ElvVec3 sample_axis(CheckRandom* r, double length) {
    ElvVec3 v = sample_vec3(r, 1.0);
    double n = elv_vec3_norm(v);
    while (n < 0.1) {
        v = sample_vec3(r, 1.0);
        n = elv_vec3_norm(v);
    }
    return elv_vec3_scale(length / n, v);
}

static inline ElvTwist sample_twist(CheckRandom* r, double size) {
    ElvVec3 ang = sample_vec3(r, size);
    return elv_twist(ang, sample_vec3(r, size));
}

static inline ElvWrench sample_wrench(CheckRandom* r, double size) {
    ElvVec3 mom = sample_vec3(r, size);
    return elv_wrench(mom, sample_vec3(r, size));
}

/// unit quaternion from four uniform numbers: no exponential involved
static inline ElvQuat sample_quat(CheckRandom* r) {
    ElvQuat q;
    do {
        double w = check_uniform(r, -1.0, 1.0);
        double x = check_uniform(r, -1.0, 1.0);
        double y = check_uniform(r, -1.0, 1.0);
        double z = check_uniform(r, -1.0, 1.0);
        q = elv_quat(w, x, y, z);
    } while (elv_quat_norm(q) < 0.1);
    return elv_quat_normalize(q);
}

static inline ElvPose sample_pose(CheckRandom* r, double size) {
    ElvMat3 R = elv_quat_to_matrix(sample_quat(r));
    return elv_pose(R, sample_vec3(r, size));
}

/// A A^T + 1: symmetric and positive
static inline ElvMat3 sample_positive(CheckRandom* r) {
    ElvMat3 a;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            a.m[i][j] = check_uniform(r, -1.0, 1.0);
        }
    }
    return elv_mat3_add(elv_mat3_mul(a, elv_mat3_transpose(a)), elv_mat3_identity());
}

static inline double sample_largest(const double* x, size_t n) {
    double largest = 0.0;
    for (size_t i = 0; i < n; i++) {
        largest = fmax(largest, fabs(x[i]));
    }
    return largest;
}

static inline void check_vec3_near_at(
    ElvVec3 actual, ElvVec3 expected, double tol, const char* what, const char* file, int line) {
    const double a[3] = {actual.x, actual.y, actual.z};
    const double e[3] = {expected.x, expected.y, expected.z};
    check_array_near_at(a, e, 3, tol, what, file, line);
}

static inline void check_mat3_near_at(
    ElvMat3 actual, ElvMat3 expected, double tol, const char* what, const char* file, int line) {
    for (int i = 0; i < 3; i++) {
        check_array_near_at(actual.m[i], expected.m[i], 3, tol, what, file, line);
    }
}

static inline void check_mat6_near_at(
    ElvMat6 actual, ElvMat6 expected, double tol, const char* what, const char* file, int line) {
    for (int i = 0; i < 6; i++) {
        check_array_near_at(actual.m[i], expected.m[i], 6, tol, what, file, line);
    }
}

#define CHECK_VEC3_NEAR(actual, expected, tol)                                                     \
    check_vec3_near_at((actual), (expected), (tol), #actual, __FILE__, __LINE__)
#define CHECK_MAT3_NEAR(actual, expected, tol)                                                     \
    check_mat3_near_at((actual), (expected), (tol), #actual, __FILE__, __LINE__)
#define CHECK_MAT6_NEAR(actual, expected, tol)                                                     \
    check_mat6_near_at((actual), (expected), (tol), #actual, __FILE__, __LINE__)

#endif
