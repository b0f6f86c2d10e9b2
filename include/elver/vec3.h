// SPDX-License-Identifier: Apache-2.0
// 3-vectors, 3x3 matrices and unit quaternions: structs by value, everything inline.
#ifndef ELVER_VEC3_H
#define ELVER_VEC3_H

#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    double x, y, z;
} ElvVec3;

/// Row-major: m[row][column].
typedef struct {
    double m[3][3];
} ElvMat3;

/// Unit quaternion (w, x, y, z), scalar first.
typedef struct {
    double w, x, y, z;
} ElvQuat;

static inline ElvVec3 elv_vec3(double x, double y, double z) {
    ElvVec3 v;
    v.x = x;
    v.y = y;
    v.z = z;
    return v;
}

static inline ElvVec3 elv_vec3_add(ElvVec3 a, ElvVec3 b) {
    return elv_vec3(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline ElvVec3 elv_vec3_sub(ElvVec3 a, ElvVec3 b) {
    return elv_vec3(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline ElvVec3 elv_vec3_scale(double s, ElvVec3 a) {
    return elv_vec3(s * a.x, s * a.y, s * a.z);
}

/// a + s b
static inline ElvVec3 elv_vec3_add_scaled(ElvVec3 a, double s, ElvVec3 b) {
    return elv_vec3(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

static inline double elv_vec3_dot(ElvVec3 a, ElvVec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline ElvVec3 elv_vec3_cross(ElvVec3 a, ElvVec3 b) {
    return elv_vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline double elv_vec3_norm(ElvVec3 a) {
    return sqrt(elv_vec3_dot(a, a));
}

static inline ElvMat3 elv_mat3_zero(void) {
    ElvMat3 a;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            a.m[i][j] = 0.0;
        }
    }
    return a;
}

static inline ElvMat3 elv_mat3_diag(double x, double y, double z) {
    ElvMat3 a = elv_mat3_zero();
    a.m[0][0] = x;
    a.m[1][1] = y;
    a.m[2][2] = z;
    return a;
}

static inline ElvMat3 elv_mat3_identity(void) {
    return elv_mat3_diag(1.0, 1.0, 1.0);
}

/// hat(v): elv_mat3_hat(v) w = v x w
static inline ElvMat3 elv_mat3_hat(ElvVec3 v) {
    ElvMat3 a = elv_mat3_zero();
    a.m[0][1] = -v.z;
    a.m[0][2] = v.y;
    a.m[1][0] = v.z;
    a.m[1][2] = -v.x;
    a.m[2][0] = -v.y;
    a.m[2][1] = v.x;
    return a;
}

static inline ElvMat3 elv_mat3_add(ElvMat3 a, ElvMat3 b) {
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            a.m[i][j] += b.m[i][j];
        }
    }
    return a;
}

static inline ElvMat3 elv_mat3_sub(ElvMat3 a, ElvMat3 b) {
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            a.m[i][j] -= b.m[i][j];
        }
    }
    return a;
}

static inline ElvMat3 elv_mat3_scale(double s, ElvMat3 a) {
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            a.m[i][j] *= s;
        }
    }
    return a;
}

static inline ElvMat3 elv_mat3_transpose(ElvMat3 a) {
    ElvMat3 b;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            b.m[i][j] = a.m[j][i];
        }
    }
    return b;
}

static inline ElvMat3 elv_mat3_mul(ElvMat3 a, ElvMat3 b) {
    ElvMat3 c;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            c.m[i][j] = a.m[i][0] * b.m[0][j] + a.m[i][1] * b.m[1][j] + a.m[i][2] * b.m[2][j];
        }
    }
    return c;
}

/// A v
static inline ElvVec3 elv_mat3_apply(ElvMat3 a, ElvVec3 v) {
    return elv_vec3(a.m[0][0] * v.x + a.m[0][1] * v.y + a.m[0][2] * v.z,
                    a.m[1][0] * v.x + a.m[1][1] * v.y + a.m[1][2] * v.z,
                    a.m[2][0] * v.x + a.m[2][1] * v.y + a.m[2][2] * v.z);
}

/// A^T v
static inline ElvVec3 elv_mat3_apply_transpose(ElvMat3 a, ElvVec3 v) {
    return elv_vec3(a.m[0][0] * v.x + a.m[1][0] * v.y + a.m[2][0] * v.z,
                    a.m[0][1] * v.x + a.m[1][1] * v.y + a.m[2][1] * v.z,
                    a.m[0][2] * v.x + a.m[1][2] * v.y + a.m[2][2] * v.z);
}

static inline ElvVec3 elv_mat3_column(ElvMat3 a, int j) {
    return elv_vec3(a.m[0][j], a.m[1][j], a.m[2][j]);
}

static inline double elv_mat3_det(ElvMat3 a) {
    return elv_vec3_dot(elv_mat3_column(a, 0),
                        elv_vec3_cross(elv_mat3_column(a, 1), elv_mat3_column(a, 2)));
}

static inline ElvQuat elv_quat(double w, double x, double y, double z) {
    ElvQuat q;
    q.w = w;
    q.x = x;
    q.y = y;
    q.z = z;
    return q;
}

static inline ElvQuat elv_quat_identity(void) {
    return elv_quat(1.0, 0.0, 0.0, 0.0);
}

static inline double elv_quat_norm(ElvQuat q) {
    return sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
}

static inline ElvQuat elv_quat_normalize(ElvQuat q) {
    double s = 1.0 / elv_quat_norm(q);
    return elv_quat(s * q.w, s * q.x, s * q.y, s * q.z);
}

static inline ElvQuat elv_quat_mul(ElvQuat a, ElvQuat b) {
    return elv_quat(a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
                    a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                    a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                    a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w);
}

/// Rotation matrix of a quaternion of any nonzero length.
static inline ElvMat3 elv_quat_to_matrix(ElvQuat q) {
    double s = 2.0 / (q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    ElvMat3 r;
    r.m[0][0] = 1.0 - s * (q.y * q.y + q.z * q.z);
    r.m[0][1] = s * (q.x * q.y - q.w * q.z);
    r.m[0][2] = s * (q.x * q.z + q.w * q.y);
    r.m[1][0] = s * (q.x * q.y + q.w * q.z);
    r.m[1][1] = 1.0 - s * (q.x * q.x + q.z * q.z);
    r.m[1][2] = s * (q.y * q.z - q.w * q.x);
    r.m[2][0] = s * (q.x * q.z - q.w * q.y);
    r.m[2][1] = s * (q.y * q.z + q.w * q.x);
    r.m[2][2] = 1.0 - s * (q.x * q.x + q.y * q.y);
    return r;
}

#ifdef __cplusplus
}
#endif

#endif
