// SPDX-License-Identifier: Apache-2.0
// A rod behind the joint interface: its coordinates are plain numbers, so the remaining
// operations are copies.
#include "rod/rod.h"

#include "joint/chart.h"
#include "rod/rod_active.h"
#include "rod/rod_motion.h"
#include "rod/spectral.h"

static ElvVec3 rod_locate(const ElvJoint* joint, const double* q) {
    (void)joint;
    (void)q;
    return elv_vec3(0.0, 0.0, 0.0);
}

static void rod_drive(const ElvJoint* joint, const ElvJointInput* in, double* effort) {
    (void)in;
    for (int k = 0; k < joint->n_v; k++) {
        effort[k] = elv_joint_is_driven(joint, k) ? effort[k] : 0.0;
    }
}

static void rod_rate(const ElvJoint* joint, const double* q, const double* v, double* q_dot) {
    (void)q;
    for (int k = 0; k < joint->n_v; k++) {
        q_dot[k] = v[k];
    }
}

static void rod_initial(const ElvJoint* joint, double* q, double* v) {
    const ElvRod* rod = (const ElvRod*)joint;
    for (int k = 0; k < joint->n_v; k++) {
        q[k] = rod->q0[k];
        v[k] = rod->v0[k];
    }
}

// plain coordinates
static bool rod_unknown(const ElvJoint* joint,
                        const double* nu,
                        const double* q,
                        const double* v,
                        const double* vdot,
                        double a,
                        double b,
                        double* N0,
                        double* N1,
                        double* N2) {
    (void)joint, (void)nu, (void)q, (void)v, (void)vdot, (void)a, (void)b;
    (void)N0, (void)N1, (void)N2;
    return false;
}

const ElvJointOps ELV_ROD_OPS = {
    .layout = elv_rod_layout,
    .locate = rod_locate,
    .forward = elv_rod_forward_sweep,
    .backward = elv_rod_backward_sweep,
    .screws = elv_rod_screws,
    .composite = elv_rod_composite,
    .efforts = elv_rod_efforts,
    .drive = rod_drive,
    .measure = elv_rod_measure,
    .power = elv_rod_power,
    .rate = rod_rate,
    .impose = elv_rod_impose,
    .check = elv_rod_check,
    .initial = rod_initial,
    .tangent = elv_rod_tangent,
    .channel = elv_rod_channel,
    .chart_rates = elv_vector_rates,
    .chart_state = elv_vector_state,
    .chart_unknown = rod_unknown,
};

const ElvJointOps ELV_SPECTRAL_OPS = {
    .layout = elv_spectral_layout,
    .locate = rod_locate,
    .forward = elv_spectral_forward,
    .backward = elv_spectral_backward,
    .screws = elv_spectral_screws,
    .composite = elv_spectral_composite,
    .efforts = elv_rod_efforts,
    .drive = rod_drive,
    .measure = elv_rod_measure,
    .power = elv_rod_power,
    .rate = rod_rate,
    .impose = elv_rod_impose,
    .check = elv_rod_check,
    .initial = rod_initial,
    .tangent = elv_spectral_tangent,
    .channel = elv_rod_channel,
    .chart_rates = elv_vector_rates,
    .chart_state = elv_vector_state,
    .chart_unknown = rod_unknown,
};
