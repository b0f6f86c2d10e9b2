// SPDX-License-Identifier: Apache-2.0
// Couplings as devices (coupling.h): a constraint on positions whose row and column are the factors.
// Joints whose motion is imposed count with their coordinates, which nothing varies.
#include "multibody/coupling.h"

#include "base/number_text.h"

#include <math.h>

static const ElvCoupling* as_coupling(const ElvDevice* device) {
    return (const ElvCoupling*)device;
}

// the sum and its two time derivatives
static ElvJet sum_of(const ElvCoupling* coupling, const ElvScene* scene) {
    ElvJet sum = {0.0, 0.0, 0.0};
    for (int i = 0; i < coupling->n; i++) {
        const ElvCoupled* one = &coupling->coupled[i];
        const ElvNode* node = &scene->model->node[one->i_node];
        int i_v = node->i_v + one->component;
        sum.v += one->factor * scene->state->q[node->i_q + one->component];
        sum.d += one->factor * scene->state->v[i_v];
        sum.dd += one->factor * scene->state->a[i_v];
    }
    return sum;
}

static ElvJet defect_of(const ElvCoupling* coupling, const ElvScene* scene) {
    ElvJet sum = sum_of(coupling, scene);
    ElvJet value = elv_law_eval(coupling->value, scene->state->t, 0.0);
    // in statics t is a load
    bool is_static = scene->data->is_static;
    double open = 1.0 - scene->data->closure;
    ElvJet defect = {sum.v - value.v, sum.d - (is_static ? 0.0 : value.d),
                     sum.dd - (is_static ? 0.0 : value.dd)};
    defect.v -= open != 0.0 ? open * scene->data->gap[coupling->i_gap].lin.x : 0.0;
    return defect;
}

// ---- operations

static void effort(const ElvDevice* device, const ElvScene* scene, double* upsilon) {
    const ElvCoupling* coupling = as_coupling(device);
    double z = scene->state->z[device->i_z];
    for (int i = 0; i < coupling->n; i++) {
        const ElvCoupled* one = &coupling->coupled[i];
        int i_v = scene->model->node[one->i_node].i_v + one->component;
        upsilon[i_v] += one->factor * z;
        scene->data->effort[i_v] += fabs(one->factor * z);
    }
}

static void equation(const ElvDevice* device, const ElvScene* scene, double* c, double* size) {
    const ElvCoupling* coupling = as_coupling(device);
    c[0] = defect_of(coupling, scene).v;
    size[0] = coupling->size * elv_closure_resolution(scene);
}

static void motion(const ElvDevice* device, const ElvScene* scene, int level, double h, double* c) {
    ElvJet defect = defect_of(as_coupling(device), scene);
    double weight = h > 0.0 ? h * h : 1.0;
    c[0] = level == 0 ? defect.v : level == 1 ? defect.d : weight * defect.dd;
}

static void column(const ElvDevice* device, const ElvScene* scene, int k, double* residual) {
    (void)k;
    const ElvCoupling* coupling = as_coupling(device);
    for (int i = 0; i < coupling->n; i++) {
        const ElvCoupled* one = &coupling->coupled[i];
        const ElvNode* node = &scene->model->node[one->i_node];
        if (!elv_joint_is_driven(node->joint, one->component)) {
            residual[node->i_v + one->component] -= one->factor;
        }
    }
}

static void row(const ElvDevice* device,
                const ElvScene* scene,
                const double* d_nu,
                const double* d_z,
                double* d_c) {
    (void)d_z;
    const ElvCoupling* coupling = as_coupling(device);
    bool is_motion = scene->rule && scene->rule->is_motion;
    d_c[0] = 0.0;
    for (int i = 0; i < coupling->n; i++) {
        const ElvCoupled* one = &coupling->coupled[i];
        const ElvNode* node = &scene->model->node[one->i_node];
        const ElvUnknown* unknown = &scene->data->unknown[one->i_node];
        if (!elv_joint_is_driven(node->joint, one->component)) {
            // scalar coordinates: d_q = c d_nu, d_q_ddot = b d_nu
            d_c[0] += one->factor * (is_motion ? unknown->b : unknown->c) *
                      d_nu[node->i_v + one->component];
        }
    }
}

static void open_gap(const ElvDevice* device, const ElvScene* scene) {
    const ElvCoupling* coupling = as_coupling(device);
    double value = elv_law_value(coupling->value, scene->state->t, 0.0);
    double gap = sum_of(coupling, scene).v - value;
    scene->data->gap[coupling->i_gap] = elv_twist(elv_vec3(0.0, 0.0, 0.0), elv_vec3(gap, 0.0, 0.0));
}

static ElvStatus check(const ElvDevice* device, double t, ElvError* error) {
    char when[ELV_NUMBER_TEXT];
    if (!isfinite(elv_law_value(as_coupling(device)->value, t, 0.0))) {
        return elv_error_set(error, ELV_ERROR_NUMERIC, device->name, "equals",
                             "'equals' of '%s' is not a number %s", device->name,
                             elv_time_text(t, when));
    }
    return ELV_OK;
}

// ---- what is measured

static const char* const unit_gap[] = {"rad or m"};
static const char* const unit_drift[] = {"rad/s or m/s"};
static const char* const unit_effort[] = {"N m or N"};

enum { GAP, DRIFT, EFFORT, N_QUANTITY };

static const ElvDeviceQuantity quantities[N_QUANTITY] = {
    {"gap", 1, NULL, unit_gap},
    {"drift", 1, NULL, unit_drift},
    {"effort", 1, NULL, unit_effort},
};

static void measure(const ElvDevice* device, const ElvScene* scene, int i, double* value) {
    ElvJet defect = defect_of(as_coupling(device), scene);
    value[0] = i == GAP     ? fabs(defect.v)
               : i == DRIFT ? fabs(defect.d)
                            : scene->state->z[device->i_z];
}

const ElvDeviceOps ELV_COUPLING_OPS = {
    .kind = "coupling",
    .quantity = quantities,
    .n_quantity = N_QUANTITY,
    .measure = measure,
    .effort = effort,
    .equation = equation,
    .motion = motion,
    .open = open_gap,
    .column = column,
    .row = row,
    .check = check,
};
