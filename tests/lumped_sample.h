// SPDX-License-Identifier: Apache-2.0
// Random lumped joints, motions through their states, and differences of poses, for test_lumped.c.
#ifndef ELVER_TESTS_LUMPED_SAMPLE_H
#define ELVER_TESTS_LUMPED_SAMPLE_H

#include "joint/lumped.h"

#include "check.h"

enum { N_TRIAL = 5, N_WORK = 1024 };

/// A random joint with its state, the motion of its root, and a workspace.
typedef struct {
    CheckRandom random;
    ElvJointDef def;
    ElvLumped lumped;
    const ElvJointOps* ops;
    int n_v;
    double q[7], v[6], a[6];
    ElvPose g_root;
    ElvTwist eta, eta_dot; // of the root, in its own frame
    ElvLaw* law[6];
    _Alignas(ELV_ARENA_ALIGN) unsigned char work[N_WORK];
} Sample;

// ---- random joints

static inline ElvVec3 random_vec3(CheckRandom* r, double size) {
    double x = check_uniform(r, -size, size);
    double y = check_uniform(r, -size, size);
    double z = check_uniform(r, -size, size);
    return elv_vec3(x, y, z);
}

static inline ElvTwist random_twist(CheckRandom* r, double size) {
    ElvVec3 ang = random_vec3(r, size);
    return elv_twist(ang, random_vec3(r, size));
}

static inline void random_array(CheckRandom* r, double lo, double hi, double x[6]) {
    for (int k = 0; k < 6; k++) {
        x[k] = check_uniform(r, lo, hi);
    }
}

// laws whose derivatives are all at work at every time
static inline void sample_laws(Sample* c) {
    ElvError error;
    for (int k = 0; k < 6; k++) {
        char text[80];
        snprintf(text, sizeof text, "%.3f + %.3f*sin(%.3f*t + %.3f)",
                 check_uniform(&c->random, -0.5, 0.5), check_uniform(&c->random, 0.3, 0.8),
                 check_uniform(&c->random, 1.0, 2.0), check_uniform(&c->random, 0.0, 3.0));
        CHECK_STATUS(elv_law_formula(text, NULL, 0, &c->law[k], &error), &error);
    }
}

static inline void sample_free(Sample* c) {
    for (int k = 0; k < 6; k++) {
        elv_law_free(c->law[k]);
    }
}

// compile the sample's definition into poisoned memory
static inline void sample_compile(Sample* c) {
    ElvError error;
    ElvPose body_pose = elv_se3_exp(random_twist(&c->random, 1.0));
    const ElvLaw* law[6];
    for (int k = 0; k < 6; k++) {
        law[k] = c->law[k];
    }
    memset(&c->lumped, 0xFF, sizeof c->lumped);
    CHECK_STATUS(elv_lumped_init(&c->lumped, &c->def, body_pose, law, NULL, "body", &error),
                 &error);
    c->ops = c->lumped.joint.ops;
    c->n_v = c->lumped.joint.n_v;

    // the layout takes the same room when measuring and when placing
    ElvArena measuring = {0};
    ElvArena placing = {.base = c->work};
    CHECK_TRUE(c->ops->layout(&c->lumped.joint, &measuring) == NULL);
    CHECK_TRUE(c->ops->layout(&c->lumped.joint, &placing) == c->work);
    CHECK_TRUE(measuring.size == placing.size && placing.size <= N_WORK);
    memset(c->work, 0xFF, N_WORK);
}

static inline Sample sample_joint(ElvJointType type, ElvDrive drive, int trial) {
    Sample c;
    memset(&c, 0, sizeof c);
    c.random = check_random((uint64_t)(100 * (trial + 1) + (int)type));
    c.def = elv_joint_def_default();
    c.def.type = type;
    c.def.drive = drive;
    c.def.axis = elv_vec3_add(random_vec3(&c.random, 1.0), elv_vec3(0.2, 0.0, 1.2));
    c.def.axis2 = elv_vec3_add(random_vec3(&c.random, 1.0), elv_vec3(0.0, -2.2, 0.0));
    c.def.pitch = check_uniform(&c.random, 0.1, 0.5);
    random_array(&c.random, 0.5, 2.0, c.def.damping);
    random_array(&c.random, 1.0, 4.0, c.def.stiffness);
    random_array(&c.random, -1.0, 1.0, c.def.rest);
    random_array(&c.random, 0.5, 2.0, c.def.rotor_inertia);
    random_array(&c.random, -1.0, 1.0, c.def.position);
    random_array(&c.random, -1.0, 1.0, c.def.velocity);
    random_array(&c.random, -1.0, 1.0, c.a);
    c.g_root = elv_se3_exp(random_twist(&c.random, 1.5));
    c.eta = random_twist(&c.random, 1.0);
    c.eta_dot = random_twist(&c.random, 1.0);
    sample_laws(&c);
    sample_compile(&c);
    c.ops->initial(&c.lumped.joint, c.q, c.v);
    CHECK_ARRAY_NEAR(c.v, c.def.velocity, (size_t)c.n_v, 0.0);
    return c;
}

// ---- trajectories through the sampled state

// root: g exp(eta t + eta_dot t^2/2) has twist eta and twist rate eta_dot at t = 0
static inline ElvMotion root_at(const Sample* c, double t) {
    ElvTwist x = elv_twist_add_scaled(elv_twist_scale(t, c->eta), 0.5 * t * t, c->eta_dot);
    ElvMotion root;
    root.g = elv_pose_compose(c->g_root, elv_se3_exp(x));
    root.V = elv_twist_transform(c->g_root, c->eta);
    root.A = elv_twist_transform(c->g_root, c->eta_dot);
    return root;
}

// coordinates at time t of a motion with the given v and a at t = 0
static inline void
coordinates_at(const Sample* c, const double* v, const double* a, double t, double* q) {
    double x[6];
    for (int k = 0; k < c->n_v; k++) {
        x[k] = t * v[k] + 0.5 * t * t * a[k];
    }
    if (c->def.type != ELV_JOINT_SPHERICAL && c->def.type != ELV_JOINT_FREE) {
        for (int k = 0; k < c->n_v; k++) {
            q[k] = c->q[k] + x[k];
        }
        return;
    }

    // rotation: R exp(Omega t + Omega_dot t^2/2)
    ElvQuat q0 = elv_quat(c->q[0], c->q[1], c->q[2], c->q[3]);
    ElvQuat q1 = elv_quat_mul(q0, elv_quat_exp(elv_vec3(x[0], x[1], x[2])));
    q[0] = q1.w;
    q[1] = q1.x;
    q[2] = q1.y;
    q[3] = q1.z;
    if (c->def.type == ELV_JOINT_FREE) {
        // position: p_dot = R V, p_ddot = R (V_dot + Omega x V)
        ElvVec3 turn = elv_vec3_cross(elv_vec3(v[0], v[1], v[2]), elv_vec3(v[3], v[4], v[5]));
        ElvVec3 y = elv_vec3_add_scaled(elv_vec3(x[3], x[4], x[5]), 0.5 * t * t, turn);
        y = elv_mat3_apply(elv_quat_to_matrix(q0), y);
        q[4] = c->q[4] + y.x;
        q[5] = c->q[5] + y.y;
        q[6] = c->q[6] + y.z;
    }
}

static inline ElvMotion
run_forward(Sample* c, ElvMotion root, const double* q, const double* v, const double* a) {
    ElvJointInput in = {.load = 1.0, .t = 0.7, .q = q, .v = v, .a = a};
    ElvMotion port;
    c->ops->forward(&c->lumped.joint, c->work, &in, &root, &port);
    return port;
}

static inline ElvMotion resting_root(const Sample* c) {
    ElvMotion root = {c->g_root, elv_twist_zero(), elv_twist_zero()};
    return root;
}

// elastic energy that measure adds; besides it only the rotors' kinetic energy
static inline double energy_at(Sample* c, const double* q) {
    ElvJointInput in = {.load = 1.0, .q = q, .v = c->v, .a = c->a};
    ElvMeasure sum;
    memset(&sum, 0, sizeof sum);
    sum.elastic = 3.0;
    c->ops->measure(&c->lumped.joint, c->work, &in, &sum);
    double rotors = 0.0;
    for (int k = 0; k < c->lumped.joint.n_v; k++) {
        rotors += 0.5 * c->lumped.rotor_inertia[k] * c->v[k] * c->v[k];
    }
    CHECK_NEAR(sum.kinetic, rotors, 1e-15 * rotors);
    CHECK_NEAR(fabs(sum.gravity) + fabs(sum.mass), 0.0, 0.0);
    return sum.elastic - 3.0;
}

// ---- differences

// axial vector of the antisymmetric part
static inline ElvVec3 axial(ElvMat3 a) {
    return elv_vec3(0.5 * (a.m[2][1] - a.m[1][2]), 0.5 * (a.m[0][2] - a.m[2][0]),
                    0.5 * (a.m[1][0] - a.m[0][1]));
}

/// Body twist and its rate from three poses of times -h, 0, h: R^T R_dot = hat(Omega), and R^T
/// R_ddot = hat(Omega_dot) + hat(Omega)^2, whose second term is symmetric; V likewise.
static inline void
difference_poses(const ElvPose g[3], double h, ElvTwist* eta, ElvTwist* eta_dot) {
    ElvMat3 R_t = elv_mat3_transpose(g[1].R);
    ElvMat3 R_dot = elv_mat3_scale(0.5 / h, elv_mat3_sub(g[2].R, g[0].R));
    ElvMat3 R_sum = elv_mat3_add(elv_mat3_sub(g[2].R, g[1].R), elv_mat3_sub(g[0].R, g[1].R));
    ElvMat3 R_ddot = elv_mat3_scale(1.0 / (h * h), R_sum);
    ElvVec3 p_dot = elv_vec3_scale(0.5 / h, elv_vec3_sub(g[2].p, g[0].p));
    ElvVec3 p_sum = elv_vec3_add(elv_vec3_sub(g[2].p, g[1].p), elv_vec3_sub(g[0].p, g[1].p));
    ElvVec3 p_ddot = elv_vec3_scale(1.0 / (h * h), p_sum);

    eta->ang = axial(elv_mat3_mul(R_t, R_dot));
    eta->lin = elv_mat3_apply(R_t, p_dot);
    eta_dot->ang = axial(elv_mat3_mul(R_t, R_ddot));
    eta_dot->lin = elv_vec3_sub(elv_mat3_apply(R_t, p_ddot), elv_vec3_cross(eta->ang, eta->lin));
}

static inline double twist_distance(ElvTwist a, ElvTwist b) {
    ElvTwist d = elv_twist_sub(a, b);
    return sqrt(elv_vec3_dot(d.ang, d.ang) + elv_vec3_dot(d.lin, d.lin));
}

/// Distances of a motion's twist and twist rate, body axes, from those of three poses around it.
static inline void
pose_errors(const ElvPose g[3], double h, const ElvMotion* motion, double* e_V, double* e_A) {
    ElvTwist eta, eta_dot;
    difference_poses(g, h, &eta, &eta_dot);
    *e_V = twist_distance(eta, elv_twist_transform_inv(motion->g, motion->V));
    *e_A = twist_distance(eta_dot, elv_twist_transform_inv(motion->g, motion->A));
}

static const double steps[2] = {8e-3, 4e-3};

/// Errors of central differences at the two steps h: truncation of the order of h^2 (unit speeds in
/// a space of unit size: third and fourth derivatives up to some hundreds), falling by 4. Rounding
/// is 1e-15/h^2 < 1e-10 in a second difference; errors below that (straight motions) have no slope.
static inline void check_slope(const double e[2]) {
    CHECK_TRUE(e[1] < 1e-3);
    if (e[0] > 1e-9) {
        CHECK_NEAR(e[0] / e[1], 4.0, 0.2);
    } else {
        CHECK_TRUE(e[1] < 1e-9);
    }
}

#endif
