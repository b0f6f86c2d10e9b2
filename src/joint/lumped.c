// SPDX-License-Identifier: Apache-2.0
// Lumped joints behind the joint interface: one implementation for all types, which differ by
// their tables alone (joint_types.h).
//
// With the screws S = Ad_(g_root g(q)) s of the moving frame in the one frame:
//     V = V_root + S v,   A = A_root + S a + ad_(V_root) S v + Ad_g s_dot v,
//     W_root = W,         tau = S^T W + rotor inertia a.
// A body frame that is fixed in the moving frame shares V, A and W with it.
#include "joint/lumped.h"

#include "joint/chart.h"
#include "joint/joint_types.h"

#include <math.h>

enum { N_V_MAX = 6 };

static const ElvLumpedType* const lumped_types[ELV_N_JOINT_TYPE] = {
    [ELV_JOINT_FIXED] = &elv_joint_fixed,
    [ELV_JOINT_REVOLUTE] = &elv_joint_revolute,
    [ELV_JOINT_PRISMATIC] = &elv_joint_prismatic,
    [ELV_JOINT_HELICAL] = &elv_joint_helical,
    [ELV_JOINT_CYLINDRICAL] = &elv_joint_cylindrical,
    [ELV_JOINT_UNIVERSAL] = &elv_joint_universal,
    [ELV_JOINT_PLANAR] = &elv_joint_planar,
    [ELV_JOINT_SPHERICAL] = &elv_joint_spherical,
    [ELV_JOINT_FREE] = &elv_joint_free,
};

static const ElvLumped* as_lumped(const ElvJoint* joint) {
    return (const ElvLumped*)joint;
}

// ---- kinematics

static void* layout(const ElvJoint* joint, ElvArena* arena) {
    (void)joint;
    return elv_arena_take(arena, 1, sizeof(ElvLumpedWork));
}

static ElvVec3 locate(const ElvJoint* joint, const double* q) {
    const ElvLumped* lumped = as_lumped(joint);
    return lumped->type->pose(lumped, q).p;
}

static void forward(const ElvJoint* joint,
                    void* work,
                    const ElvJointInput* in,
                    const ElvMotion* root,
                    ElvMotion* port) {
    const ElvLumped* lumped = as_lumped(joint);
    const ElvLumpedType* type = lumped->type;
    ElvTwist* S = ((ElvLumpedWork*)work)->S;

    // moving frame, and its screws in the one frame                              [P23 (34), (40)]
    ElvPose g = elv_pose_compose(root->g, type->pose(lumped, in->q));
    ElvTwist s[N_V_MAX];
    type->screws(lumped, in->q, s);
    ElvTwist V_rel = elv_twist_zero();
    ElvTwist A_rel = elv_twist_zero();
    for (int k = 0; k < type->n_v; k++) {
        S[k] = elv_twist_transform(g, s[k]);
        V_rel = elv_twist_add_scaled(V_rel, in->v[k], S[k]);
        A_rel = elv_twist_add_scaled(A_rel, in->a[k], S[k]);
    }

    // velocity products: the frame turns in the one frame, the screws in the frame      [P23 (40)]
    A_rel = elv_twist_add(A_rel, elv_twist_bracket(root->V, V_rel));
    if (type->bias) {
        ElvTwist bias = type->bias(lumped, in->q, in->v);
        A_rel = elv_twist_add(A_rel, elv_twist_transform(g, bias));
    }

    // transfer from the root to the body                                              [P23 (39)]
    port->g = elv_pose_compose(g, lumped->body_pose);
    port->V = elv_twist_add(root->V, V_rel);
    port->A = elv_twist_add(root->A, A_rel);
}

static void screws(const ElvJoint* joint, void* work, ElvTwist* screw) {
    const ElvTwist* S = ((const ElvLumpedWork*)work)->S;
    for (int k = 0; k < joint->n_v && screw; k++) {
        screw[k] = S[k];
    }
}

static void rate(const ElvJoint* joint, const double* q, const double* v, double* q_dot) {
    const ElvLumpedType* type = as_lumped(joint)->type;
    if (type->rate) {
        type->rate(q, v, q_dot);
        return;
    }
    for (int k = 0; k < type->n_v; k++) {
        q_dot[k] = v[k];
    }
}

// ---- wrenches and inertia

static void backward(const ElvJoint* joint,
                     void* work,
                     const ElvJointInput* in,
                     const ElvWrench* port,
                     ElvWrench* root,
                     double* tau) {
    const ElvLumped* lumped = as_lumped(joint);
    const ElvTwist* S = ((const ElvLumpedWork*)work)->S;

    // the wrench is handed on as it is, and projected on the screws             [P23 (43), (47)]
    ElvWrench W = *port;
    *root = W;
    for (int k = 0; k < joint->n_v; k++) {
        tau[k] = elv_power(S[k], W) + lumped->rotor_inertia[k] * in->a[k];
    }
}

static void composite(const ElvJoint* joint,
                      void* work,
                      const ElvInertia* port,
                      ElvInertia* root,
                      ElvWrench* momentum,
                      double* M,
                      int ld) {
    const ElvLumped* lumped = as_lumped(joint);
    const ElvTwist* S = ((const ElvLumpedWork*)work)->S;
    ElvInertia I = *port;
    *root = I;

    // M = S^T I S + rotor inertias, symmetric to the bit; no equation of the papers, see
    // docs/theory/mass-matrix.md
    for (int k = 0; k < joint->n_v && M; k++) {
        momentum[k] = elv_inertia_apply(I, S[k]);
        for (int i = 0; i <= k; i++) {
            double entry = elv_power(S[i], momentum[k]);
            M[i * ld + k] = entry;
            M[k * ld + i] = entry;
        }
        M[k * ld + k] += lumped->rotor_inertia[k];
    }
}

// ---- imposed motion and initial state

// coordinates and their rates from the jets of an imposed motion
static void
impose_jets(const ElvLumpedType* type, const ElvJet* law, double* q, double* v, double* a) {
    if (type->impose) {
        type->impose(law, q, v, a);
        return;
    }
    for (int k = 0; k < type->n_v; k++) {
        q[k] = law[k].v;
        v[k] = law[k].d;
        a[k] = law[k].dd;
    }
}

static void impose(const ElvJoint* joint, double t, double* q, double* v, double* a) {
    const ElvLumped* lumped = as_lumped(joint);
    const ElvLumpedType* type = lumped->type;
    if (joint->is_motion_driven) {
        ElvJet jet[N_V_MAX] = {{0.0, 0.0, 0.0}};
        for (int k = 0; k < type->n_law_motion; k++) {
            jet[k] = elv_law_eval(lumped->law[k], t, 0.0);
        }
        impose_jets(type, jet, q, v, a);
    }

    // the quaternion stands first
    if (type->n_q > type->n_v) {
        ElvQuat unit = elv_quat_normalize(elv_quat(q[0], q[1], q[2], q[3]));
        q[0] = unit.w;
        q[1] = unit.x;
        q[2] = unit.y;
        q[3] = unit.z;
    }
}

static void initial(const ElvJoint* joint, double* q, double* v) {
    const ElvLumped* lumped = as_lumped(joint);
    for (int k = 0; k < joint->n_q; k++) {
        q[k] = lumped->q0[k];
    }
    for (int k = 0; k < joint->n_v; k++) {
        v[k] = lumped->v0[k];
    }
}

// ---- charts: joints with a quaternion have one of SO(3) x R^3, the others are vectors

static void chart_rates(const ElvJoint* joint,
                        const double* q,
                        const double* v,
                        const double* a,
                        double* w,
                        double* w_dot) {
    if (joint->n_q > joint->n_v) {
        elv_group_rates(joint->n_v, q, v, a, w, w_dot);
    } else {
        elv_vector_rates(joint, q, v, a, w, w_dot);
    }
}

static void chart_state(const ElvJoint* joint,
                        const double* q_n,
                        const double* nu,
                        const double* w,
                        const double* w_dot,
                        double* q,
                        double* v,
                        double* a) {
    if (joint->n_q > joint->n_v) {
        elv_group_state(joint->n_v, q_n, nu, w, w_dot, q, v, a);
    } else {
        elv_vector_state(joint, q_n, nu, w, w_dot, q, v, a);
    }
}

static bool chart_unknown(const ElvJoint* joint,
                          const double* nu,
                          const double* q,
                          const double* v,
                          const double* vdot,
                          double a,
                          double b,
                          double* N0,
                          double* N1,
                          double* N2) {
    if (joint->n_q > joint->n_v) {
        elv_group_unknown(joint->n_v, nu, q, v, vdot, a, b, N0, N1, N2);
        return true;
    }
    return false;
}

static const ElvJointOps lumped_ops = {
    .layout = layout,
    .locate = locate,
    .forward = forward,
    .backward = backward,
    .screws = screws,
    .composite = composite,
    .efforts = elv_lumped_efforts,
    .channel = elv_lumped_channel,
    .integral = elv_lumped_integral,
    .drive = elv_lumped_drive,
    .measure = elv_lumped_measure,
    .power = elv_lumped_power,
    .rate = rate,
    .impose = impose,
    .initial = initial,
    .tangent = elv_lumped_tangent,
    .chart_rates = chart_rates,
    .chart_state = chart_state,
    .chart_unknown = chart_unknown,
};

// ---- compilation

// unit vector along a; false if a is zero or not finite
static bool normalize(ElvVec3 a, ElvVec3* unit) {
    if (!isfinite(a.x) || !isfinite(a.y) || !isfinite(a.z)) {
        return false;
    }
    // by the largest component first, so that no square overflows or vanishes
    double largest = fmax(fabs(a.x), fmax(fabs(a.y), fabs(a.z)));
    if (largest == 0.0) {
        return false;
    }
    a = elv_vec3(a.x / largest, a.y / largest, a.z / largest);
    *unit = elv_vec3_scale(1.0 / elv_vec3_norm(a), a);
    return true;
}

// axes of the plane normal to a unit axis, right-handed with it: for an axis along x, y or z these
// are the next two of x, y, z in cyclic order
void elv_plane_axes(ElvVec3 axis, ElvVec3 plane[2]) {
    double x = fabs(axis.x), y = fabs(axis.y), z = fabs(axis.z);
    ElvVec3 next = elv_vec3(1.0, 0.0, 0.0);
    if (x >= y && x >= z) {
        next = elv_vec3(0.0, 1.0, 0.0);
    } else if (y >= z) {
        next = elv_vec3(0.0, 0.0, 1.0);
    }
    ElvVec3 normal = elv_vec3_add_scaled(next, -elv_vec3_dot(axis, next), axis);
    plane[0] = elv_vec3_scale(1.0 / elv_vec3_norm(normal), normal);
    plane[1] = elv_vec3_cross(axis, plane[0]);
}

static ElvStatus
init_axes(ElvLumped* lumped, const ElvJointDef* def, const char* element, ElvError* error) {
    // types without axes ignore what is given
    if (def->type == ELV_JOINT_FIXED || def->type == ELV_JOINT_SPHERICAL ||
        def->type == ELV_JOINT_FREE) {
        return ELV_OK;
    }
    if (!normalize(def->axis, &lumped->axis)) {
        return elv_error_set(error, ELV_ERROR_INPUT, element, "joint.axis",
                             "the axis of a %s joint must be finite and not zero",
                             elv_joint_type_name(def->type));
    }
    if (def->type == ELV_JOINT_PLANAR) {
        elv_plane_axes(lumped->axis, lumped->plane);
    }
    if (def->type == ELV_JOINT_UNIVERSAL) {
        if (!normalize(def->axis2, &lumped->axis2)) {
            return elv_error_set(
                error, ELV_ERROR_INPUT, element, "joint.axis2",
                "the second axis of a universal joint must be finite and not zero");
        }
        if (elv_vec3_norm(elv_vec3_cross(lumped->axis, lumped->axis2)) <= ELV_PARALLEL_SINE) {
            return elv_error_set(error, ELV_ERROR_INPUT, element, "joint.axis2",
                                 "the two axes of a universal joint must not be parallel");
        }
    }
    return ELV_OK;
}

// initial coordinates: those of a motion imposed by the given numbers, at rest
static void init_state(ElvLumped* lumped, const ElvJointDef* def) {
    ElvJet jet[N_V_MAX];
    double v[N_V_MAX], a[N_V_MAX];
    for (int k = 0; k < N_V_MAX; k++) {
        jet[k] = (ElvJet){def->position[k], 0.0, 0.0};
    }
    impose_jets(lumped->type, jet, lumped->q0, v, a);
    for (int k = 0; k < lumped->type->n_v; k++) {
        lumped->v0[k] = def->velocity[k];
    }
}

ElvStatus elv_lumped_init(ElvLumped* lumped,
                          const ElvJointDef* def,
                          ElvPose body_pose,
                          const ElvLaw* const law[6],
                          const ElvLaw* const target[6],
                          const char* element,
                          ElvError* error) {
    const ElvLumpedType* type = elv_lumped_type(def->type);
    if (!type) {
        return elv_error_set(error, ELV_ERROR_INPUT, element, "joint.type",
                             "unknown type of joint: %d", (int)def->type);
    }
    *lumped = (ElvLumped){0};
    lumped->type = type;
    lumped->joint.ops = &lumped_ops;
    lumped->joint.n_q = type->n_q;
    lumped->joint.n_v = type->n_v;
    lumped->joint.n_port = 1;
    lumped->joint.is_motion_driven = def->drive == ELV_DRIVE_MOTION;
    lumped->pitch = def->pitch;
    lumped->drive = def->drive;
    lumped->body_pose = body_pose;
    for (int k = 0; k < N_V_MAX; k++) {
        lumped->damping[k] = def->damping[k];
        lumped->stiffness[k] = def->stiffness[k];
        lumped->rest[k] = def->rest[k];
        lumped->gear[k] = def->gear[k];
        lumped->rotor_inertia[k] = def->gear[k] * def->gear[k] * def->rotor_inertia[k];
        lumped->law[k] = law ? law[k] : NULL;
    }
    init_state(lumped, def);
    elv_joint_control_init(&lumped->control, def, type->n_v, type->n_q == type->n_v, lumped->q0,
                           target);
    lumped->joint.n_channel = lumped->control.n_channel;
    return init_axes(lumped, def, element, error);
}

const ElvLumpedType* elv_lumped_type(ElvJointType type) {
    bool is_known = (int)type >= 0 && type < ELV_N_JOINT_TYPE;
    return is_known ? lumped_types[type] : NULL;
}
