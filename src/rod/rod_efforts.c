// SPDX-License-Identifier: Apache-2.0
// Internal efforts and sums of a rod:
//     Upsilon = Q_ad - K q - D q_dot                                   [P20 (25)-(27), P23 (23), (33)]
// with Q_ad in rod_active.c, and its energies and momenta by the same quadrature.
#include "rod/rod.h"

#include "rod/fluid.h"
#include "rod/rod_active.h"
#include "rod/rod_segment.h"
#include "rod/rod_volume.h"

#include <math.h>
#include <string.h>

void elv_rod_efforts(
    const ElvJoint* joint, void* work, const ElvJointInput* in, double* upsilon, double* size) {
    const ElvRod* rod = (const ElvRod*)joint;
    for (int k = 0; k < joint->n_v; k++) {
        upsilon[k] = size[k] = 0.0;
    }
    // what acts
    elv_rod_active_efforts(rod, work, in, upsilon);
    for (int k = 0; k < joint->n_v; k++) {
        size[k] = fabs(upsilon[k]);
    }
    // what resists
    if (rod->is_elastic) {
        elv_rod_subtract_product(joint->n_v, rod->K, in->q, upsilon);
        elv_rod_subtract_product(joint->n_v, rod->D, in->v, upsilon);
    }
    for (int k = 0; k < joint->n_v; k++) {
        size[k] = fmax(size[k], fabs(upsilon[k]));
    }
}

void elv_rod_measure(const ElvJoint* joint, void* work, const ElvJointInput* in, ElvMeasure* sum) {
    const ElvRod* rod = (const ElvRod*)joint;
    const ElvRodWork* w = work;
    for (int i = 0; i < rod->n_node; i++) {
        double weight = rod->weight[i];
        ElvTwist eta = elv_twist_transform_inv(w->g[i], w->V[i]);
        ElvWrench momentum = elv_inertia_apply(elv_rod_inertia(rod, w)[i], eta);
        ElvVec3 moment = elv_vec3_add(elv_vec3_scale(rod->mass[i], w->g[i].p),
                                      elv_mat3_apply(w->g[i].R, rod->moment[i]));
        sum->kinetic += 0.5 * weight * elv_power(eta, momentum);
        sum->gravity -= weight * elv_vec3_dot(moment, in->gravity);
        sum->momentum =
            elv_wrench_add_scaled(sum->momentum, weight, elv_wrench_transform(w->g[i], momentum));
        sum->mass += weight * rod->mass[i];
        sum->moment = elv_vec3_add_scaled(sum->moment, weight, moment);
    }
    elv_rod_fluid_measure(rod, w, in, sum);
    // 1/2 q^T K q                                                                        [P20 (26)]
    size_t n = rod->is_elastic ? (size_t)joint->n_v : 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            sum->elastic += 0.5 * in->q[i] * rod->K[i * n + j] * in->q[j];
        }
    }
}

// q^T v of the internal actuation
static double active_power(const ElvRod* rod, ElvRodWork* work, const ElvJointInput* in) {
    if (!rod->active) {
        return 0.0;
    }
    double* Q = work->power;
    memset(Q, 0, (size_t)rod->joint.n_v * sizeof *Q);
    elv_rod_active_efforts(rod, work, in, Q);
    double sum = 0.0;
    for (int k = 0; k < rod->joint.n_v; k++) {
        sum += Q[k] * in->v[k];
    }
    return sum;
}

void elv_rod_power(const ElvJoint* joint, void* work, const ElvJointInput* in, ElvJointPower* sum) {
    const ElvRod* rod = (const ElvRod*)joint;
    ElvRodWork* w = work;
    sum->actuators += active_power(rod, w, in);
    for (int i = 0; i < rod->n_node && rod->n_distributed > 0; i++) {
        ElvWrench load = elv_rod_distributed(rod, &w->g[i], rod->s[i], in->t, 0.0, NULL);
        ElvTwist eta = elv_twist_transform_inv(w->g[i], w->V[i]);
        sum->loads += in->load * rod->weight[i] * elv_power(eta, load);
    }
    // v^T D v
    size_t n = rod->is_elastic ? (size_t)joint->n_v : 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            sum->dissipated += in->v[i] * rod->D[i * n + j] * in->v[j];
        }
    }
}
