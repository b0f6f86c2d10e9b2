// SPDX-License-Identifier: Apache-2.0
// Constraints written in C as devices (own_constraint.h): rows, forces along them, tangents.
#include "multibody/own_constraint.h"

#include "multibody/own_point.h"

#include <math.h>
#include <string.h>

static const ElvOwnConstraint* as_own(const ElvDevice* device) {
    return (const ElvOwnConstraint*)device;
}

// ---- forces

// wrench of unknown 6 f on frame f in the one frame
static ElvWrench wrench_of(const ElvOwnConstraint* own, const double* z, ElvVec3 origin, int f) {
    ElvWrench W = elv_wrench_from_array(z + own->n_row + (size_t)6 * (size_t)f);
    W.mom = elv_vec3_sub(W.mom, elv_vec3_cross(origin, W.frc));
    return W;
}

static void load(const ElvDevice* device, const ElvScene* scene) {
    const ElvOwnConstraint* own = as_own(device);
    for (int f = 0; f < own->n_frame; f++) {
        ElvWrench* W = &scene->data->W[own->frame[f].port];
        *W = elv_wrench_sub(*W,
                            wrench_of(own, scene->state->z + device->i_z, scene->data->origin, f));
    }
}

static int i_effort(const ElvOwnConstraint* own) {
    return own->n_row + 6 * own->n_frame;
}

static void effort(const ElvDevice* device, const ElvScene* scene, double* upsilon) {
    const ElvOwnConstraint* own = as_own(device);
    const double* z = scene->state->z + device->i_z + i_effort(own);
    for (int i = 0; i < own->n_joint; i++) {
        int i_v = scene->model->node[own->joint[i].i_node].i_v + own->joint[i].component;
        upsilon[i_v] += z[i];
        scene->data->effort[i_v] += fabs(z[i]);
    }
}

static void column(const ElvDevice* device, const ElvScene* scene, int k, double* residual) {
    const ElvOwnConstraint* own = as_own(device);
    int f = (k - own->n_row) / 6;
    if (k >= i_effort(own)) {
        const ElvCoupled* joint = &own->joint[k - i_effort(own)];
        const ElvNode* node = &scene->model->node[joint->i_node];
        bool is_driven = elv_joint_is_driven(node->joint, joint->component);
        residual[node->i_v + joint->component] -= is_driven ? 0.0 : 1.0;
    } else if (k >= own->n_row) {
        double unit[ELV_OWN_ROWS_MAX + ELV_OWN_MAX_COLUMN] = {0.0};
        double W[6];
        double* e = scene->data->e + (size_t)own->frame[f].port * 6;
        unit[k] = 1.0;
        elv_wrench_to_array(wrench_of(own, unit, scene->data->origin, f), W);
        for (int i = 0; i < 6; i++) {
            e[i] -= W[i];
        }
    }
}

// ---- equations

// wrenches in body axes and efforts, as J sees them   (n_column)
static void
efforts_seen(const ElvOwnConstraint* own, const ElvScene* scene, const double* z, double* F) {
    for (int f = 0; f < own->n_frame; f++) {
        ElvPose g = elv_own_pose(own, scene, f);
        ElvWrench W = wrench_of(own, z, scene->data->origin, f);
        elv_wrench_to_array(elv_wrench_transform_inv(g, W), F + (size_t)6 * (size_t)f);
    }
    for (int i = 0; i < own->n_joint; i++) {
        F[6 * own->n_frame + i] = z[i_effort(own) + i];
    }
}

// F - J^T lambda, behind the rows in c; sizes of these
static void balance(const ElvOwnConstraint* own,
                    const double* lambda,
                    const double* J,
                    const double* F,
                    double* c,
                    double* size) {
    int n = elv_own_columns(own);
    for (int k = 0; k < n; k++) {
        c[own->n_row + k] = F[k];
        size[own->n_row + k] = fabs(F[k]);
        for (int i = 0; i < own->n_row; i++) {
            c[own->n_row + k] -= J[i * n + k] * lambda[i];
            size[own->n_row + k] += fabs(J[i * n + k] * lambda[i]);
        }
    }
}

static void equation(const ElvDevice* device, const ElvScene* scene, double* c, double* size) {
    const ElvOwnConstraint* own = as_own(device);
    const double* z = scene->state->z + device->i_z;
    double J[ELV_OWN_MAX_J] = {0.0};
    double F[ELV_OWN_MAX_COLUMN] = {0.0};
    ElvOwnPoint point = elv_own_point(own, scene);
    double half = scene->rule && scene->rule->step > 0.0 ? scene->rule->step : 1.0;
    elv_own_ask(own, &point, c, J);
    for (int i = 0; i < own->n_row; i++) {
        double metric = 0.0;
        for (int k = 0; k < elv_own_columns(own); k++) {
            bool is_angle = k < 6 * own->n_frame && k % 6 < 3;
            metric =
                fmax(metric, fabs(J[i * elv_own_columns(own) + k]) * (is_angle ? 1.0 : own->size));
        }
        size[i] = metric * (own->is_velocity[i] ? 1.0 / half : elv_closure_resolution(scene));
        // nothing moves in statics
        bool is_still = own->is_velocity[i] && scene->rule && scene->data->is_static;
        c[i] = is_still ? 0.0 : c[i];
    }
    efforts_seen(own, scene, z, F);
    balance(own, z, J, F, c, size);
}

static bool is_effort(const ElvDevice* device, int k) {
    return k >= as_own(device)->n_row;
}

static bool is_loose(const ElvDevice* device, int k) {
    return k < as_own(device)->n_row && as_own(device)->is_velocity[k];
}

static void motion(const ElvDevice* device, const ElvScene* scene, int level, double h, double* c) {
    const ElvOwnConstraint* own = as_own(device);
    double size[ELV_OWN_ROWS_MAX + ELV_OWN_MAX_COLUMN];
    ElvOwnPoint point = elv_own_point(own, scene);
    equation(device, scene, c, size);
    for (int i = 0; i < own->n_row; i++) {
        bool is_rate = own->is_velocity[i];
        double weight = h <= 0.0 ? 1.0 : is_rate ? h : h * h;
        if (level == 2) {
            c[i] = weight * elv_own_derivative(own, scene, &point, i, 2);
        } else if (level == 1) {
            c[i] = is_rate ? c[i] : elv_own_derivative(own, scene, &point, i, 1);
        } else {
            c[i] = is_rate ? 0.0 : c[i];
        }
    }
    for (int k = own->n_row; k < device->n_z && level < 2; k++) {
        c[k] = 0.0;
    }
}

// ---- rows

// direction of the arguments under data->x and d_nu; in the unknowns of accelerations these alone
static ElvOwnDirection
vary(const ElvOwnConstraint* own, const ElvScene* scene, const double* d_nu) {
    ElvOwnDirection d = {0};
    bool is_motion = scene->rule && scene->rule->is_motion;
    for (int f = 0; f < own->n_frame; f++) {
        const double* x = scene->data->x + (size_t)own->frame[f].port * ELV_N_VARIATION;
        ElvPose g = elv_own_pose(own, scene, f);
        d.shift[f] = elv_twist_transform_inv(g, elv_twist_from_array(is_motion ? x + 12 : x));
        d.d_eta[f] = elv_twist_transform_inv(g, elv_twist_from_array(is_motion ? x + 12 : x + 6));
    }
    for (int i = 0; i < own->n_joint; i++) {
        const ElvNode* node = &scene->model->node[own->joint[i].i_node];
        const ElvUnknown* unknown = &scene->data->unknown[own->joint[i].i_node];
        double step = d_nu[node->i_v + own->joint[i].component];
        step = elv_joint_is_driven(node->joint, own->joint[i].component) ? 0.0 : step;
        d.d_q[i] = (is_motion ? unknown->b : unknown->c) * step;
        d.d_v[i] = (is_motion ? unknown->b : unknown->a) * step;
    }
    return d;
}

// J times the change of velocities, or of positions
static double along(const ElvOwnConstraint* own, const ElvOwnDirection* d, const double* J, int i) {
    const double* row = J + (size_t)i * (size_t)elv_own_columns(own);
    double sum = 0.0;
    for (int f = 0; f < own->n_frame; f++) {
        double x[6];
        elv_twist_to_array(d->d_eta[f], x);
        for (int k = 0; k < 6; k++) {
            sum += row[6 * f + k] * x[k];
        }
    }
    for (int k = 0; k < own->n_joint; k++) {
        sum += row[6 * own->n_frame + k] * d->d_v[k];
    }
    return sum;
}

// on the way to another equilibrium displacements keep to what is asked of velocities
static void keep_to_velocities(const ElvOwnConstraint* own,
                               const ElvOwnDirection* d,
                               const double* J,
                               double* d_c) {
    ElvOwnDirection displaced = *d;
    memcpy(displaced.d_eta, d->shift, sizeof displaced.d_eta);
    memcpy(displaced.d_v, d->d_q, sizeof displaced.d_v);
    for (int i = 0; i < own->n_row; i++) {
        d_c[i] = own->is_velocity[i] ? along(own, &displaced, J, i) : d_c[i];
    }
}

static void row(const ElvDevice* device,
                const ElvScene* scene,
                const double* d_nu,
                const double* d_z,
                double* d_c) {
    const ElvOwnConstraint* own = as_own(device);
    const double* z = scene->state->z + device->i_z;
    bool is_motion = scene->rule && scene->rule->is_motion;
    double phi[ELV_OWN_ROWS_MAX];
    double J[ELV_OWN_MAX_J] = {0.0};
    double d_J[ELV_OWN_MAX_J] = {0.0};
    double F[ELV_OWN_MAX_COLUMN] = {0.0};
    double size[ELV_OWN_ROWS_MAX + ELV_OWN_MAX_COLUMN];
    ElvOwnPoint point = elv_own_point(own, scene);
    ElvOwnDirection d = vary(own, scene, d_nu);
    elv_own_ask(own, &point, phi, J);
    if (is_motion) {
        for (int i = 0; i < own->n_row; i++) {
            d_c[i] = along(own, &d, J, i);
        }
    } else {
        elv_own_differentiate(own, &point, &d, d_c, d_J);
    }
    if (!is_motion && scene->rule && scene->data->is_static) {
        keep_to_velocities(own, &d, J, d_c);
    }
    // d(F - J^T lambda): by d_z, by the turn of body axes, and by J
    efforts_seen(own, scene, d_z + device->i_z, F);
    for (int f = 0; f < own->n_frame && !is_motion; f++) {
        double turned[6];
        const double* x = scene->data->x + (size_t)own->frame[f].port * ELV_N_VARIATION;
        ElvWrench W = wrench_of(own, z, scene->data->origin, f);
        ElvWrench d_W = elv_twist_coad(elv_twist_from_array(x), W);
        ElvPose g = elv_own_pose(own, scene, f);
        elv_wrench_to_array(elv_wrench_transform_inv(g, d_W), turned);
        for (int k = 0; k < 6; k++) {
            F[6 * f + k] += turned[k];
        }
    }
    balance(own, d_z + device->i_z, J, F, d_c, size);
    for (int k = 0; k < elv_own_columns(own) && !is_motion; k++) {
        for (int i = 0; i < own->n_row; i++) {
            d_c[own->n_row + k] -= d_J[i * elv_own_columns(own) + k] * z[i];
        }
    }
}

// ---- what is measured

static const char* const unit_row[] = {"-"};

enum { DEFECT, MULTIPLIER, N_QUANTITY };

static const ElvDeviceQuantity quantities[N_QUANTITY] = {
    {"defect", 0, NULL, unit_row},
    {"multiplier", 0, NULL, unit_row},
};

static int count(const ElvDevice* device, int i) {
    (void)i;
    return as_own(device)->n_row;
}

static void measure(const ElvDevice* device, const ElvScene* scene, int i, double* value) {
    const ElvOwnConstraint* own = as_own(device);
    if (i == MULTIPLIER) {
        memcpy(value, scene->state->z + device->i_z, (size_t)own->n_row * sizeof *value);
        return;
    }
    ElvOwnPoint point = elv_own_point(own, scene);
    elv_own_ask(own, &point, value, NULL);
}

const ElvDeviceOps ELV_OWN_CONSTRAINT_OPS = {
    .kind = "constraint",
    .quantity = quantities,
    .n_quantity = N_QUANTITY,
    .measure = measure,
    .count = count,
    .load = load,
    .effort = effort,
    .equation = equation,
    .is_effort = is_effort,
    .motion = motion,
    .is_loose = is_loose,
    .column = column,
    .row = row,
};
