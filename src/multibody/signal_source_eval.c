// SPDX-License-Identifier: Apache-2.0
// The value of a signal's source, the whole quantity. Frames are read from the workspace as the last
// elv_idm left it: twists are in the frame's own axes there, and turned to world axes here.
// Coordinates come from the state, sums over the robot are computed anew.
#include "multibody/signal_source.h"

#include <string.h>

static void put_vec3(double* raw, ElvVec3 x) {
    raw[0] = x.x;
    raw[1] = x.y;
    raw[2] = x.z;
}

// quantities of a frame
static void
eval_frame(const ElvSignalSource* source, const ElvModel* model, const ElvData* data, double* raw) {
    ElvPose g = elv_frame_pose(model, data, source->frame);
    ElvTwist eta = elv_frame_twist(model, data, source->frame);
    if (source->kind == ELV_SIGNAL_POSITION) {
        put_vec3(raw, g.p);
    } else if (source->kind == ELV_SIGNAL_ORIENTATION) {
        ElvQuat quat = elv_quat_from_matrix(g.R);
        raw[0] = quat.w;
        put_vec3(raw + 1, elv_vec3(quat.x, quat.y, quat.z));
    } else if (source->kind == ELV_SIGNAL_VELOCITY) {
        put_vec3(raw, elv_mat3_apply(g.R, eta.lin));
    } else if (source->kind == ELV_SIGNAL_ANGULAR_VELOCITY) {
        put_vec3(raw, elv_mat3_apply(g.R, eta.ang));
    } else if (source->kind == ELV_SIGNAL_ACCELERATION) {
        // d/dt (R V) = R (V_dot + Omega x V)
        ElvTwist eta_dot = elv_frame_twist_dot(model, data, source->frame);
        ElvVec3 turn = elv_vec3_cross(eta.ang, eta.lin);
        put_vec3(raw, elv_mat3_apply(g.R, elv_vec3_add(eta_dot.lin, turn)));
    } else {
        elv_twist_to_array(eta, raw);
    }
}

// strain or internal wrench at a station of a rod
static void eval_section(const ElvSignalSource* source,
                         const ElvModel* model,
                         ElvData* data,
                         const ElvState* state,
                         double* raw) {
    ElvTwist strain;
    ElvWrench lam;
    if (source->kind == ELV_SIGNAL_ACTUATION) {
        elv_rod_actuation(model, data, state, source->i_node, source->s, raw);
        return;
    }
    bool is_strain = source->kind == ELV_SIGNAL_STRAIN;
    elv_rod_section(model, data, state, source->i_node, source->s, NULL, is_strain ? &strain : NULL,
                    is_strain ? NULL : &lam);
    if (is_strain) {
        elv_twist_to_array(strain, raw);
    } else {
        elv_wrench_to_array(lam, raw);
    }
}

static void eval_slice(const double* from, int i_first, int n, double* raw) {
    memcpy(raw, from + i_first, (size_t)n * sizeof *raw);
}

// what the drives of n coordinates put in, from the given one on
static double eval_power(const double* effort, const ElvState* state, int i_first, int n) {
    double sum = 0.0;
    for (int i = i_first; i < i_first + n; i++) {
        sum += effort[i] * state->v[i];
    }
    return sum;
}

// accounts of energy: powers, or what a run has made of them
static void eval_account(const ElvSignalSource* source,
                         const ElvModel* model,
                         ElvData* data,
                         const ElvState* state,
                         double* raw) {
    if (source->kind == ELV_SIGNAL_WORK) {
        put_vec3(raw, elv_vec3(state->work.actuators, state->work.loads, state->work.dissipated));
        raw[3] = state->work.fluid;
        raw[4] = elv_work_error(model, data, state);
        return;
    }
    ElvPowers powers = elv_powers(model, data, state);
    put_vec3(raw, elv_vec3(powers.actuators, powers.loads, powers.dissipated));
    raw[3] = powers.fluid;
}

// sums over the whole robot
static void eval_invariant(const ElvSignalSource* source,
                           const ElvModel* model,
                           ElvData* data,
                           const ElvState* state,
                           double* raw) {
    if (source->kind == ELV_SIGNAL_ENERGY) {
        ElvEnergy energy = elv_energy(model, data, state);
        put_vec3(raw, elv_vec3(energy.kinetic, energy.elastic, energy.gravity));
        raw[3] = energy.kinetic + energy.elastic + energy.gravity;
        return;
    }
    ElvMomentum momentum = elv_momentum(model, data, state);
    if (source->kind == ELV_SIGNAL_COM) {
        put_vec3(raw, momentum.center);
    } else {
        put_vec3(raw, momentum.linear);
        put_vec3(raw + 3, momentum.angular);
    }
}

void elv_signal_source_eval(const ElvSignalSource* source,
                            const ElvModel* model,
                            ElvData* data,
                            const ElvState* state,
                            const double* effort,
                            double* raw) {
    const ElvNodeInfo* node = &source->node;
    switch (source->kind) {
    case ELV_SIGNAL_Q:
        eval_slice(state->q, node->i_q, node->n_q, raw);
        break;
    case ELV_SIGNAL_V:
        eval_slice(state->v, node->i_v, node->n_v, raw);
        break;
    case ELV_SIGNAL_A:
        eval_slice(state->a, node->i_v, node->n_v, raw);
        break;
    case ELV_SIGNAL_EFFORT:
    case ELV_SIGNAL_EFFORT_PROJECTIVE:
        eval_slice(effort, node->i_v, node->n_v, raw);
        break;
    case ELV_SIGNAL_POWER:
        raw[0] = eval_power(effort, state, node->i_v, node->n_v);
        break;
    case ELV_SIGNAL_POWER_ALL:
        raw[0] = eval_power(effort, state, 0, state->nv);
        break;
    case ELV_SIGNAL_STRAIN:
    case ELV_SIGNAL_STRESS:
    case ELV_SIGNAL_ACTUATION:
        eval_section(source, model, data, state, raw);
        break;
    case ELV_SIGNAL_ENERGY:
    case ELV_SIGNAL_MOMENTUM:
    case ELV_SIGNAL_COM:
        eval_invariant(source, model, data, state, raw);
        break;
    case ELV_SIGNAL_POWERS:
    case ELV_SIGNAL_WORK:
        eval_account(source, model, data, state, raw);
        break;
    case ELV_SIGNAL_DEVICE:
        elv_signal_device_eval(source, data, state, raw);
        break;
    default:
        eval_frame(source, model, data, raw);
        break;
    }
}
