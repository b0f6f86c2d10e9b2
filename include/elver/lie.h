// SPDX-License-Identifier: Apache-2.0
// SO(3) and SE(3): poses, twists, wrenches, exponentials, logarithms and tangent maps.
// Conventions: angular before linear; right-multiplied kinematics, g_dot = g hat(eta); a tangent
// map T is defined by eta = T(x) x_dot for g = exp(x).
#ifndef ELVER_LIE_H
#define ELVER_LIE_H

#include "elver/status.h"
#include "elver/vec3.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Pose g_ab of frame b in frame a: x_a = R x_b + p.
typedef struct {
    ElvMat3 R;
    ElvVec3 p;
} ElvPose;

/// Twist (angular; linear), rad/s and m/s (or per metre for strains).
typedef struct {
    ElvVec3 ang, lin;
} ElvTwist;

/// Wrench (moment; force), N m and N.
typedef struct {
    ElvVec3 mom, frc;
} ElvWrench;

/// 6x6 matrix, row-major, angular rows and columns first.
typedef struct {
    double m[6][6];
} ElvMat6;

/// Symmetric 6x6 inertia [J H; H^T M]. A rigid body of mass m with centre c has H = m hat(c),
/// M = m 1 and J taken about the frame's origin; M need not be isotropic (added mass).
typedef struct {
    ElvMat3 J, H, M;
} ElvInertia;

static inline ElvTwist elv_twist(ElvVec3 ang, ElvVec3 lin) {
    ElvTwist v;
    v.ang = ang;
    v.lin = lin;
    return v;
}

static inline ElvTwist elv_twist_zero(void) {
    return elv_twist(elv_vec3(0.0, 0.0, 0.0), elv_vec3(0.0, 0.0, 0.0));
}

static inline ElvTwist elv_twist_add(ElvTwist a, ElvTwist b) {
    return elv_twist(elv_vec3_add(a.ang, b.ang), elv_vec3_add(a.lin, b.lin));
}

static inline ElvTwist elv_twist_sub(ElvTwist a, ElvTwist b) {
    return elv_twist(elv_vec3_sub(a.ang, b.ang), elv_vec3_sub(a.lin, b.lin));
}

static inline ElvTwist elv_twist_scale(double s, ElvTwist a) {
    return elv_twist(elv_vec3_scale(s, a.ang), elv_vec3_scale(s, a.lin));
}

/// a + s b
static inline ElvTwist elv_twist_add_scaled(ElvTwist a, double s, ElvTwist b) {
    return elv_twist(elv_vec3_add_scaled(a.ang, s, b.ang), elv_vec3_add_scaled(a.lin, s, b.lin));
}

static inline ElvTwist elv_twist_from_array(const double x[6]) {
    return elv_twist(elv_vec3(x[0], x[1], x[2]), elv_vec3(x[3], x[4], x[5]));
}

static inline void elv_twist_to_array(ElvTwist v, double x[6]) {
    x[0] = v.ang.x;
    x[1] = v.ang.y;
    x[2] = v.ang.z;
    x[3] = v.lin.x;
    x[4] = v.lin.y;
    x[5] = v.lin.z;
}

static inline ElvWrench elv_wrench(ElvVec3 mom, ElvVec3 frc) {
    ElvWrench f;
    f.mom = mom;
    f.frc = frc;
    return f;
}

static inline ElvWrench elv_wrench_zero(void) {
    return elv_wrench(elv_vec3(0.0, 0.0, 0.0), elv_vec3(0.0, 0.0, 0.0));
}

static inline ElvWrench elv_wrench_add(ElvWrench a, ElvWrench b) {
    return elv_wrench(elv_vec3_add(a.mom, b.mom), elv_vec3_add(a.frc, b.frc));
}

static inline ElvWrench elv_wrench_sub(ElvWrench a, ElvWrench b) {
    return elv_wrench(elv_vec3_sub(a.mom, b.mom), elv_vec3_sub(a.frc, b.frc));
}

static inline ElvWrench elv_wrench_scale(double s, ElvWrench a) {
    return elv_wrench(elv_vec3_scale(s, a.mom), elv_vec3_scale(s, a.frc));
}

/// a + s b
static inline ElvWrench elv_wrench_add_scaled(ElvWrench a, double s, ElvWrench b) {
    return elv_wrench(elv_vec3_add_scaled(a.mom, s, b.mom), elv_vec3_add_scaled(a.frc, s, b.frc));
}

static inline ElvWrench elv_wrench_from_array(const double x[6]) {
    return elv_wrench(elv_vec3(x[0], x[1], x[2]), elv_vec3(x[3], x[4], x[5]));
}

static inline void elv_wrench_to_array(ElvWrench f, double x[6]) {
    x[0] = f.mom.x;
    x[1] = f.mom.y;
    x[2] = f.mom.z;
    x[3] = f.frc.x;
    x[4] = f.frc.y;
    x[5] = f.frc.z;
}

/// Power of a wrench on a twist, W.
static inline double elv_power(ElvTwist v, ElvWrench f) {
    return elv_vec3_dot(v.ang, f.mom) + elv_vec3_dot(v.lin, f.frc);
}

static inline ElvPose elv_pose(ElvMat3 R, ElvVec3 p) {
    ElvPose g;
    g.R = R;
    g.p = p;
    return g;
}

static inline ElvPose elv_pose_identity(void) {
    return elv_pose(elv_mat3_identity(), elv_vec3(0.0, 0.0, 0.0));
}

/// g_ac = g_ab g_bc
static inline ElvPose elv_pose_compose(ElvPose g_ab, ElvPose g_bc) {
    return elv_pose(elv_mat3_mul(g_ab.R, g_bc.R),
                    elv_vec3_add(g_ab.p, elv_mat3_apply(g_ab.R, g_bc.p)));
}

static inline ElvPose elv_pose_inverse(ElvPose g_ab) {
    return elv_pose(elv_mat3_transpose(g_ab.R),
                    elv_vec3_scale(-1.0, elv_mat3_apply_transpose(g_ab.R, g_ab.p)));
}

/// Point x_b in frame a.
static inline ElvVec3 elv_pose_apply(ElvPose g_ab, ElvVec3 x_b) {
    return elv_vec3_add(g_ab.p, elv_mat3_apply(g_ab.R, x_b));
}

/// Ad_g V: the twist V_b of frame b seen from frame a.
static inline ElvTwist elv_twist_transform(ElvPose g_ab, ElvTwist v_b) {
    ElvVec3 ang = elv_mat3_apply(g_ab.R, v_b.ang);
    ElvVec3 lin = elv_mat3_apply(g_ab.R, v_b.lin);
    return elv_twist(ang, elv_vec3_add(lin, elv_vec3_cross(g_ab.p, ang)));
}

/// Ad_g^-1 V
static inline ElvTwist elv_twist_transform_inv(ElvPose g_ab, ElvTwist v_a) {
    ElvVec3 lin = elv_vec3_sub(v_a.lin, elv_vec3_cross(g_ab.p, v_a.ang));
    return elv_twist(elv_mat3_apply_transpose(g_ab.R, v_a.ang),
                     elv_mat3_apply_transpose(g_ab.R, lin));
}

/// Ad_(g^-1)^T F: the wrench F_b of frame b seen from frame a; power is kept.
static inline ElvWrench elv_wrench_transform(ElvPose g_ab, ElvWrench f_b) {
    ElvVec3 frc = elv_mat3_apply(g_ab.R, f_b.frc);
    ElvVec3 mom = elv_mat3_apply(g_ab.R, f_b.mom);
    return elv_wrench(elv_vec3_add(mom, elv_vec3_cross(g_ab.p, frc)), frc);
}

/// Ad_g^T F: the wrench F_a of frame a seen from frame b.
static inline ElvWrench elv_wrench_transform_inv(ElvPose g_ab, ElvWrench f_a) {
    ElvVec3 mom = elv_vec3_sub(f_a.mom, elv_vec3_cross(g_ab.p, f_a.frc));
    return elv_wrench(elv_mat3_apply_transpose(g_ab.R, mom),
                      elv_mat3_apply_transpose(g_ab.R, f_a.frc));
}

/// ad_v w = [v, w]
static inline ElvTwist elv_twist_bracket(ElvTwist v, ElvTwist w) {
    return elv_twist(elv_vec3_cross(v.ang, w.ang),
                     elv_vec3_add(elv_vec3_cross(v.lin, w.ang), elv_vec3_cross(v.ang, w.lin)));
}

/// ad_v^T f: power(ad_v w, f) = power(w, ad_v^T f)
static inline ElvWrench elv_twist_coad(ElvTwist v, ElvWrench f) {
    ElvVec3 mom = elv_vec3_add(elv_vec3_cross(f.mom, v.ang), elv_vec3_cross(f.frc, v.lin));
    return elv_wrench(mom, elv_vec3_cross(f.frc, v.ang));
}

/// Momentum (or inertial wrench) of a twist: [J H; H^T M] v
static inline ElvWrench elv_inertia_apply(ElvInertia I, ElvTwist v) {
    return elv_wrench(
        elv_vec3_add(elv_mat3_apply(I.J, v.ang), elv_mat3_apply(I.H, v.lin)),
        elv_vec3_add(elv_mat3_apply_transpose(I.H, v.ang), elv_mat3_apply(I.M, v.lin)));
}

static inline ElvInertia elv_inertia_zero(void) {
    ElvInertia I;
    I.J = elv_mat3_zero();
    I.H = elv_mat3_zero();
    I.M = elv_mat3_zero();
    return I;
}

static inline ElvInertia elv_inertia_add(ElvInertia a, ElvInertia b) {
    a.J = elv_mat3_add(a.J, b.J);
    a.H = elv_mat3_add(a.H, b.H);
    a.M = elv_mat3_add(a.M, b.M);
    return a;
}

static inline ElvInertia elv_inertia_scale(double s, ElvInertia a) {
    a.J = elv_mat3_scale(s, a.J);
    a.H = elv_mat3_scale(s, a.H);
    a.M = elv_mat3_scale(s, a.M);
    return a;
}

// ---- inertia (src/lie/inertia.c)

/// Rigid body of mass m and centre c, with rotational inertia J_c about the centre, frame axes.
ELV_API ElvInertia elv_inertia_rigid(double mass, ElvVec3 center, ElvMat3 J_c);

/// Ad_g^-T I Ad_g^-1: the inertia I_b of frame b seen from frame a.
ELV_API ElvInertia elv_inertia_transform(ElvPose g_ab, ElvInertia I_b);

// ---- SO(3) (src/lie/so3.c)

ELV_API ElvMat3 elv_so3_exp(ElvVec3 theta);

/// Rotation vector of R, angle in [0, pi]; accurate near 0 and near pi.
ELV_API ElvVec3 elv_so3_log(ElvMat3 R);

/// T(theta): body angular velocity Omega = T(theta) theta_dot for R = exp(theta).
ELV_API ElvMat3 elv_so3_tangent(ElvVec3 theta);

/// T(theta)^-1, for |theta| < 2 pi.
ELV_API ElvMat3 elv_so3_tangent_inv(ElvVec3 theta);

/// d/dt T(theta) along theta_dot.
ELV_API ElvMat3 elv_so3_tangent_dot(ElvVec3 theta, ElvVec3 theta_dot);

/// d/dt T(theta)^-1 along theta_dot.
ELV_API ElvMat3 elv_so3_tangent_inv_dot(ElvVec3 theta, ElvVec3 theta_dot);

/// Jacobian in theta of T(theta) a, with a held fixed.
ELV_API ElvMat3 elv_so3_tangent_diff(ElvVec3 theta, ElvVec3 a);

/// Jacobian in theta of T(theta)^-1 a, with a held fixed.
ELV_API ElvMat3 elv_so3_tangent_inv_diff(ElvVec3 theta, ElvVec3 a);

ELV_API ElvQuat elv_quat_from_matrix(ElvMat3 R);
ELV_API ElvQuat elv_quat_exp(ElvVec3 theta);
ELV_API ElvVec3 elv_quat_log(ElvQuat q);

/// Quaternion rate 1/2 q (0, Omega) of a body angular velocity; keeps the length of q.
static inline ElvQuat elv_quat_rate(ElvQuat q, ElvVec3 omega) {
    return elv_quat_mul(q, elv_quat(0.0, 0.5 * omega.x, 0.5 * omega.y, 0.5 * omega.z));
}

/// Rotation of roll, pitch, yaw about fixed axes x, y, z (URDF): R = Rz(yaw) Ry(pitch) Rx(roll).
ELV_API ElvMat3 elv_so3_from_rpy(double roll, double pitch, double yaw);

/// Inverse of elv_so3_from_rpy, pitch in [-pi/2, pi/2].
ELV_API ElvVec3 elv_so3_to_rpy(ElvMat3 R);

// ---- SE(3) (src/lie/se3.c, src/lie/se3_tangent.c)

ELV_API ElvPose elv_se3_exp(ElvTwist x);
ELV_API ElvTwist elv_se3_log(ElvPose g);

/// T(x): body twist eta = T(x) x_dot for g = exp(x).
ELV_API ElvMat6 elv_se3_tangent(ElvTwist x);
ELV_API ElvMat6 elv_se3_tangent_inv(ElvTwist x);
ELV_API ElvMat6 elv_se3_tangent_dot(ElvTwist x, ElvTwist x_dot);
ELV_API ElvMat6 elv_se3_tangent_inv_dot(ElvTwist x, ElvTwist x_dot);

/// Jacobian in x of T(x) a (of T(x)^-1 a), with a held fixed.
ELV_API ElvMat6 elv_se3_tangent_diff(ElvTwist x, ElvTwist a);
ELV_API ElvMat6 elv_se3_tangent_inv_diff(ElvTwist x, ElvTwist a);

/// The matrices of Ad_g, ad_v and of an inertia, for those who need them dense.
ELV_API ElvMat6 elv_pose_adjoint(ElvPose g);
ELV_API ElvMat6 elv_twist_adjoint(ElvTwist v);
ELV_API ElvMat6 elv_inertia_matrix(ElvInertia I);
ELV_API ElvMat6 elv_mat6_mul(ElvMat6 a, ElvMat6 b);
ELV_API ElvTwist elv_mat6_apply(ElvMat6 a, ElvTwist v);

#ifdef __cplusplus
}
#endif

#endif
