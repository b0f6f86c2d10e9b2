// SPDX-License-Identifier: Apache-2.0
// The algebra of elver/vec3.h and elver/lie.h for four sections at once, one per lane: same names with
// a 4, same formulas. Values are loaded from arrays of the plain types and stored back.
#ifndef ELVER_LIE_LIE4_H
#define ELVER_LIE_LIE4_H

#include "base/real4.h"
#include "elver/lie.h"

typedef struct {
    ElvReal4 x, y, z;
} ElvVec3x4;

typedef struct {
    ElvReal4 m[3][3];
} ElvMat3x4;

typedef struct {
    ElvVec3x4 ang, lin;
} ElvTwist4;

typedef struct {
    ElvVec3x4 mom, frc;
} ElvWrench4;

typedef struct {
    ElvMat3x4 R;
    ElvVec3x4 p;
} ElvPose4;

// ---- vectors

ELV_INLINE ElvVec3x4 elv_vec3x4(ElvReal4 x, ElvReal4 y, ElvReal4 z) {
    return (ElvVec3x4){x, y, z};
}

/// The same vector in every lane.
ELV_INLINE ElvVec3x4 elv_vec3x4_same(ElvVec3 v) {
    return elv_vec3x4(elv_real4(v.x), elv_real4(v.y), elv_real4(v.z));
}

ELV_INLINE ElvVec3x4 elv_vec3x4_add(ElvVec3x4 a, ElvVec3x4 b) {
    return elv_vec3x4(a.x + b.x, a.y + b.y, a.z + b.z);
}

ELV_INLINE ElvVec3x4 elv_vec3x4_sub(ElvVec3x4 a, ElvVec3x4 b) {
    return elv_vec3x4(a.x - b.x, a.y - b.y, a.z - b.z);
}

ELV_INLINE ElvVec3x4 elv_vec3x4_scale(ElvReal4 s, ElvVec3x4 a) {
    return elv_vec3x4(s * a.x, s * a.y, s * a.z);
}

/// a + s b
ELV_INLINE ElvVec3x4 elv_vec3x4_add_scaled(ElvVec3x4 a, double s, ElvVec3x4 b) {
    return elv_vec3x4(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

ELV_INLINE ElvReal4 elv_vec3x4_dot(ElvVec3x4 a, ElvVec3x4 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

ELV_INLINE ElvVec3x4 elv_vec3x4_cross(ElvVec3x4 a, ElvVec3x4 b) {
    return elv_vec3x4(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

// ---- matrices

/// A v
ELV_INLINE ElvVec3x4 elv_mat3x4_apply(const ElvMat3x4* a, ElvVec3x4 v) {
    return elv_vec3x4(a->m[0][0] * v.x + a->m[0][1] * v.y + a->m[0][2] * v.z,
                      a->m[1][0] * v.x + a->m[1][1] * v.y + a->m[1][2] * v.z,
                      a->m[2][0] * v.x + a->m[2][1] * v.y + a->m[2][2] * v.z);
}

/// A^T v
ELV_INLINE ElvVec3x4 elv_mat3x4_apply_transpose(const ElvMat3x4* a, ElvVec3x4 v) {
    return elv_vec3x4(a->m[0][0] * v.x + a->m[1][0] * v.y + a->m[2][0] * v.z,
                      a->m[0][1] * v.x + a->m[1][1] * v.y + a->m[2][1] * v.z,
                      a->m[0][2] * v.x + a->m[1][2] * v.y + a->m[2][2] * v.z);
}

ELV_INLINE ElvVec3x4 elv_mat3x4_column(const ElvMat3x4* a, int j) {
    return elv_vec3x4(a->m[0][j], a->m[1][j], a->m[2][j]);
}

ELV_INLINE ElvVec3x4 elv_mat3x4_row(const ElvMat3x4* a, int i) {
    return elv_vec3x4(a->m[i][0], a->m[i][1], a->m[i][2]);
}

/// A B
ELV_INLINE ElvMat3x4 elv_mat3x4_mul(const ElvMat3x4* a, const ElvMat3x4* b) {
    ElvMat3x4 c;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            c.m[i][j] = a->m[i][0] * b->m[0][j] + a->m[i][1] * b->m[1][j] + a->m[i][2] * b->m[2][j];
        }
    }
    return c;
}

/// R A R^T
ELV_INLINE ElvMat3x4 elv_mat3x4_rotate(const ElvMat3x4* R, const ElvMat3x4* a) {
    ElvMat3x4 half = elv_mat3x4_mul(R, a);
    ElvMat3x4 c;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            c.m[i][j] = elv_vec3x4_dot(elv_mat3x4_row(&half, i), elv_mat3x4_row(R, j));
        }
    }
    return c;
}

// ---- twists and wrenches

ELV_INLINE ElvTwist4 elv_twist4_add(ElvTwist4 a, ElvTwist4 b) {
    return (ElvTwist4){elv_vec3x4_add(a.ang, b.ang), elv_vec3x4_add(a.lin, b.lin)};
}

/// a + s b
ELV_INLINE ElvTwist4 elv_twist4_add_scaled(ElvTwist4 a, double s, ElvTwist4 b) {
    return (ElvTwist4){elv_vec3x4_add_scaled(a.ang, s, b.ang),
                       elv_vec3x4_add_scaled(a.lin, s, b.lin)};
}

ELV_INLINE ElvTwist4 elv_twist4_sub(ElvTwist4 a, ElvTwist4 b) {
    return (ElvTwist4){elv_vec3x4_sub(a.ang, b.ang), elv_vec3x4_sub(a.lin, b.lin)};
}

ELV_INLINE ElvTwist4 elv_twist4_scale(double s, ElvTwist4 a) {
    return (ElvTwist4){elv_vec3x4_scale(elv_real4(s), a.ang),
                       elv_vec3x4_scale(elv_real4(s), a.lin)};
}

ELV_INLINE ElvWrench4 elv_wrench4_add(ElvWrench4 a, ElvWrench4 b) {
    return (ElvWrench4){elv_vec3x4_add(a.mom, b.mom), elv_vec3x4_add(a.frc, b.frc)};
}

ELV_INLINE ElvWrench4 elv_wrench4_sub(ElvWrench4 a, ElvWrench4 b) {
    return (ElvWrench4){elv_vec3x4_sub(a.mom, b.mom), elv_vec3x4_sub(a.frc, b.frc)};
}

/// Ad_g v
ELV_INLINE ElvTwist4 elv_twist4_transform(const ElvPose4* g, ElvTwist4 v) {
    ElvVec3x4 ang = elv_mat3x4_apply(&g->R, v.ang);
    ElvVec3x4 lin = elv_mat3x4_apply(&g->R, v.lin);
    return (ElvTwist4){ang, elv_vec3x4_add(lin, elv_vec3x4_cross(g->p, ang))};
}

/// Ad_g^-1 v
ELV_INLINE ElvTwist4 elv_twist4_transform_inv(const ElvPose4* g, ElvTwist4 v) {
    ElvVec3x4 lin = elv_vec3x4_sub(v.lin, elv_vec3x4_cross(g->p, v.ang));
    return (ElvTwist4){elv_mat3x4_apply_transpose(&g->R, v.ang),
                       elv_mat3x4_apply_transpose(&g->R, lin)};
}

/// Ad_(g^-1)^T f
ELV_INLINE ElvWrench4 elv_wrench4_transform(const ElvPose4* g, ElvWrench4 f) {
    ElvVec3x4 frc = elv_mat3x4_apply(&g->R, f.frc);
    ElvVec3x4 mom = elv_mat3x4_apply(&g->R, f.mom);
    return (ElvWrench4){elv_vec3x4_add(mom, elv_vec3x4_cross(g->p, frc)), frc};
}

/// Ad_g^T f
ELV_INLINE ElvWrench4 elv_wrench4_transform_inv(const ElvPose4* g, ElvWrench4 f) {
    ElvVec3x4 mom = elv_vec3x4_sub(f.mom, elv_vec3x4_cross(g->p, f.frc));
    return (ElvWrench4){elv_mat3x4_apply_transpose(&g->R, mom),
                        elv_mat3x4_apply_transpose(&g->R, f.frc)};
}

/// ad_v w
ELV_INLINE ElvTwist4 elv_twist4_bracket(ElvTwist4 v, ElvTwist4 w) {
    return (ElvTwist4){
        elv_vec3x4_cross(v.ang, w.ang),
        elv_vec3x4_add(elv_vec3x4_cross(v.lin, w.ang), elv_vec3x4_cross(v.ang, w.lin))};
}

/// ad_v^T f
ELV_INLINE ElvWrench4 elv_twist4_coad(ElvTwist4 v, ElvWrench4 f) {
    return (ElvWrench4){
        elv_vec3x4_add(elv_vec3x4_cross(f.mom, v.ang), elv_vec3x4_cross(f.frc, v.lin)),
        elv_vec3x4_cross(f.frc, v.ang)};
}

// ---- arrays of the plain types: stride in numbers

enum { ELV_TWIST_STRIDE = 6, ELV_POSE_STRIDE = 12 };
_Static_assert(sizeof(ElvTwist) == ELV_TWIST_STRIDE * sizeof(double), "twists are six numbers");
_Static_assert(sizeof(ElvWrench) == ELV_TWIST_STRIDE * sizeof(double), "wrenches are six numbers");
_Static_assert(sizeof(ElvPose) == ELV_POSE_STRIDE * sizeof(double), "poses are twelve numbers");

ELV_INLINE ElvVec3x4 elv_vec3x4_load(const double* x, size_t stride, const ElvQuad* q) {
    return elv_vec3x4(elv_real4_gather(x, stride, q), elv_real4_gather(x + 1, stride, q),
                      elv_real4_gather(x + 2, stride, q));
}

ELV_INLINE void elv_vec3x4_store(ElvVec3x4 v, double* x, size_t stride, const ElvQuad* q) {
    elv_real4_scatter(v.x, x, stride, q);
    elv_real4_scatter(v.y, x + 1, stride, q);
    elv_real4_scatter(v.z, x + 2, stride, q);
}

ELV_INLINE ElvMat3x4 elv_mat3x4_load(const double* x, size_t stride, const ElvQuad* q) {
    ElvMat3x4 a;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            a.m[i][j] = elv_real4_gather(x + 3 * i + j, stride, q);
        }
    }
    return a;
}

ELV_INLINE ElvPose4 elv_pose4_load(const ElvPose* g, const ElvQuad* q) {
    return (ElvPose4){elv_mat3x4_load(&g->R.m[0][0], ELV_POSE_STRIDE, q),
                      elv_vec3x4_load(&g->p.x, ELV_POSE_STRIDE, q)};
}

ELV_INLINE ElvTwist4 elv_twist4_load(const ElvTwist* v, const ElvQuad* q) {
    return (ElvTwist4){elv_vec3x4_load(&v->ang.x, ELV_TWIST_STRIDE, q),
                       elv_vec3x4_load(&v->lin.x, ELV_TWIST_STRIDE, q)};
}

ELV_INLINE void elv_twist4_store(ElvTwist4 v, ElvTwist* to, const ElvQuad* q) {
    elv_vec3x4_store(v.ang, &to->ang.x, ELV_TWIST_STRIDE, q);
    elv_vec3x4_store(v.lin, &to->lin.x, ELV_TWIST_STRIDE, q);
}

ELV_INLINE ElvWrench4 elv_wrench4_load(const ElvWrench* f, const ElvQuad* q) {
    return (ElvWrench4){elv_vec3x4_load(&f->mom.x, ELV_TWIST_STRIDE, q),
                        elv_vec3x4_load(&f->frc.x, ELV_TWIST_STRIDE, q)};
}

ELV_INLINE void elv_wrench4_store(ElvWrench4 f, ElvWrench* to, const ElvQuad* q) {
    elv_vec3x4_store(f.mom, &to->mom.x, ELV_TWIST_STRIDE, q);
    elv_vec3x4_store(f.frc, &to->frc.x, ELV_TWIST_STRIDE, q);
}

#endif
