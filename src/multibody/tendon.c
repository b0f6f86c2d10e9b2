// SPDX-License-Identifier: Apache-2.0
// Tendons as devices [P23 (32), P20 (13)-(16), (28)]. A tendon is a chain of stretches along rods, each
// a channel whose input is the tension where it begins, and of straight strands between points. Its
// length is a function of the configuration, and without friction its efforts are -T dL/dq.
//
// Unknowns, as far as there are any: the tension, if the length is given; the tension at the beginning
// of every later stretch, if there is friction; the force of every strand, three numbers. Equations:
//     T = 0 or L = L_free + T / stiffness          taut or slack, whichever holds
//     T_i = factor_(i-1) T_(i-1)                   what friction leaves                [Capstan]
//     f = T d / |d|                                d from the first end to the second
#include "multibody/tendon.h"

#include "base/number_text.h"
#include "joint/variation.h"
#include "multibody/device_command.h"

#include <math.h>

enum { ROW = ELV_N_VARIATION };

static const ElvTendon* as_tendon(const ElvDevice* device) {
    return (const ElvTendon*)device;
}

// ---- tensions

// tension where a stretch begins
static double stretch_tension(const ElvTendon* tendon, const ElvScene* scene, int i) {
    int i_z = tendon->stretch[i].i_z;
    return i_z < 0 ? elv_tendon_first_tension(tendon, scene)
                   : scene->state->z[tendon->device.i_z + i_z];
}

// tension of a strand: what leaves the stretch before it
static double strand_tension(const ElvTendon* tendon, const ElvScene* scene, int i) {
    int before = tendon->strand[i].stretch;
    if (before < 0) {
        return elv_tendon_first_tension(tendon, scene);
    }
    const ElvChannel* channel = &scene->data->channel[tendon->stretch[before].i_channel];
    return channel->factor * stretch_tension(tendon, scene, before);
}

// ---- strands

static ElvVec3 strand_force(const ElvTendon* tendon, const ElvScene* scene, int i) {
    const double* f = scene->state->z + tendon->device.i_z + tendon->strand[i].i_z;
    return elv_vec3(f[0], f[1], f[2]);
}

static ElvVec3
vary_separation(const ElvScene* scene, const ElvTendonStrand* strand, const ElvTendonSpan* span) {
    // d_p1 - d_p0 under data->x
    const double* x0 = scene->data->x + (size_t)strand->end[0].port * ROW;
    const double* x1 = scene->data->x + (size_t)strand->end[1].port * ROW;
    return elv_vec3_sub(elv_span_rate(elv_twist_from_array(x1), span->p[1]),
                        elv_span_rate(elv_twist_from_array(x0), span->p[0]));
}

// ---- operations

static void input(const ElvDevice* device, const ElvScene* scene) {
    const ElvTendon* tendon = as_tendon(device);
    for (int i = 0; i < tendon->n_stretch; i++) {
        scene->data->u[tendon->stretch[i].i_channel] = stretch_tension(tendon, scene, i);
    }
}

static void load(const ElvDevice* device, const ElvScene* scene) {
    const ElvTendon* tendon = as_tendon(device);
    ElvData* data = scene->data;
    for (int i = 0; i < tendon->n_strand; i++) {
        const ElvTendonStrand* strand = &tendon->strand[i];
        ElvTendonSpan span = elv_tendon_span(scene, strand);
        ElvVec3 f = strand_force(tendon, scene, i);
        ElvWrench* W0 = &data->W[strand->end[0].port];
        ElvWrench* W1 = &data->W[strand->end[1].port];
        *W0 = elv_wrench_sub(*W0, elv_span_wrench(span.p[0], f));
        *W1 = elv_wrench_add(*W1, elv_span_wrench(span.p[1], f));
    }
}

static void variation(const ElvDevice* device, const ElvScene* scene) {
    const ElvTendon* tendon = as_tendon(device);
    ElvData* data = scene->data;
    for (int i = 0; i < tendon->n_strand; i++) {
        const ElvTendonStrand* strand = &tendon->strand[i];
        ElvTendonSpan span = elv_tendon_span(scene, strand);
        ElvVec3 f = strand_force(tendon, scene, i);
        for (int k = 0; k < 2; k++) {
            int p = strand->end[k].port;
            elv_variation_dead_force(span.p[k], f, k == 0 ? 1.0 : -1.0,
                                     data->K + (size_t)p * 6 * ROW);
            data->has_K[p] = true;
        }
    }
}

static void equation(const ElvDevice* device, const ElvScene* scene, double* c, double* size) {
    const ElvTendon* tendon = as_tendon(device);
    if (tendon->pull == ELV_PULL_LENGTH) {
        elv_tendon_length_equation(tendon, scene, c, size);
    }
    for (int i = 1; i < tendon->n_stretch; i++) {
        int i_z = tendon->stretch[i].i_z;
        if (i_z >= 0) {
            const ElvChannel* channel = &scene->data->channel[tendon->stretch[i - 1].i_channel];
            double left = channel->factor * stretch_tension(tendon, scene, i - 1);
            double tension = stretch_tension(tendon, scene, i);
            c[i_z] = tension - left;
            size[i_z] = fabs(tension) + fabs(left);
        }
    }
    for (int i = 0; i < tendon->n_strand; i++) {
        double tension = strand_tension(tendon, scene, i);
        ElvVec3 unit = elv_tendon_span(scene, &tendon->strand[i]).unit;
        ElvVec3 f = strand_force(tendon, scene, i);
        const double defect[3] = {f.x - tension * unit.x, f.y - tension * unit.y,
                                  f.z - tension * unit.z};
        for (int k = 0; k < 3; k++) {
            c[tendon->strand[i].i_z + k] = defect[k];
            size[tendon->strand[i].i_z + k] = fabs(tension) + elv_vec3_norm(f);
        }
    }
}

// effort of unit tension at the beginning of a stretch
static void
add_stretch_column(const ElvTendon* tendon, const ElvScene* scene, int i, double* residual) {
    const ElvTendonStretch* stretch = &tendon->stretch[i];
    const ElvNode* node = &scene->model->node[stretch->i_node];
    const ElvChannel* channel = &scene->data->channel[stretch->i_channel];
    for (int k = 0; k < node->joint->n_v; k++) {
        residual[node->i_v + k] -= channel->effort[k];
    }
}

static void column(const ElvDevice* device, const ElvScene* scene, int k, double* residual) {
    const ElvTendon* tendon = as_tendon(device);
    for (int i = 0; i < tendon->n_stretch; i++) {
        int i_z = tendon->stretch[i].i_z;
        // the first tension is unknown 0 where the length is given
        bool is_first = i_z < 0 && tendon->pull == ELV_PULL_LENGTH && k == 0;
        if (i_z == k || is_first) {
            add_stretch_column(tendon, scene, i, residual);
        }
    }
    for (int i = 0; i < tendon->n_strand; i++) {
        const ElvTendonStrand* strand = &tendon->strand[i];
        int axis = k - strand->i_z;
        if (axis < 0 || axis > 2) {
            continue;
        }
        ElvTendonSpan span = elv_tendon_span(scene, strand);
        ElvVec3 unit = elv_vec3(axis == 0, axis == 1, axis == 2);
        for (int end = 0; end < 2; end++) {
            double W[6];
            double* e = scene->data->e + (size_t)strand->end[end].port * 6;
            elv_wrench_to_array(elv_span_wrench(span.p[end], unit), W);
            for (int j = 0; j < 6; j++) {
                e[j] += end == 0 ? -W[j] : W[j];
            }
        }
    }
}

// ---- rows

// sum of gradient and d_nu over the coordinates of a stretch
static double
along(const ElvScene* scene, const ElvTendonStretch* stretch, const double* g, const double* d_nu) {
    const ElvNode* node = &scene->model->node[stretch->i_node];
    double sum = 0.0;
    for (int k = 0; k < node->joint->n_v; k++) {
        sum += elv_joint_is_driven(node->joint, k) ? 0.0 : g[k] * d_nu[node->i_v + k];
    }
    return scene->data->unknown[stretch->i_node].c * sum;
}

static double d_first(const ElvTendon* tendon, const double* d_z) {
    return tendon->pull == ELV_PULL_LENGTH ? d_z[tendon->device.i_z] : 0.0;
}

static double d_stretch(const ElvTendon* tendon, const double* d_z, int i) {
    int i_z = tendon->stretch[i].i_z;
    return i_z < 0 ? d_first(tendon, d_z) : d_z[tendon->device.i_z + i_z];
}

// variation of the tension that leaves a stretch; -1: of the first tension
static double d_left(
    const ElvTendon* tendon, const ElvScene* scene, int i, const double* d_nu, const double* d_z) {
    if (i < 0) {
        return d_first(tendon, d_z);
    }
    const ElvTendonStretch* stretch = &tendon->stretch[i];
    const ElvChannel* channel = &scene->data->channel[stretch->i_channel];
    return channel->factor * d_stretch(tendon, d_z, i) +
           stretch_tension(tendon, scene, i) * along(scene, stretch, channel->d_factor, d_nu);
}

static double vary_length(const ElvTendon* tendon, const ElvScene* scene, const double* d_nu) {
    double d_length = 0.0;
    for (int i = 0; i < tendon->n_stretch; i++) {
        const ElvTendonStretch* stretch = &tendon->stretch[i];
        d_length += along(scene, stretch, scene->data->channel[stretch->i_channel].d_value, d_nu);
    }
    for (int i = 0; i < tendon->n_strand; i++) {
        ElvTendonSpan span = elv_tendon_span(scene, &tendon->strand[i]);
        d_length += elv_vec3_dot(span.unit, vary_separation(scene, &tendon->strand[i], &span));
    }
    return d_length;
}

static void row(const ElvDevice* device,
                const ElvScene* scene,
                const double* d_nu,
                const double* d_z,
                double* d_c) {
    const ElvTendon* tendon = as_tendon(device);
    if (tendon->pull == ELV_PULL_LENGTH) {
        elv_tendon_length_rows(tendon, scene, vary_length(tendon, scene, d_nu), d_z, d_c);
    }
    for (int i = 1; i < tendon->n_stretch; i++) {
        if (tendon->stretch[i].i_z >= 0) {
            d_c[tendon->stretch[i].i_z] =
                d_stretch(tendon, d_z, i) - d_left(tendon, scene, i - 1, d_nu, d_z);
        }
    }
    for (int i = 0; i < tendon->n_strand; i++) {
        const ElvTendonStrand* strand = &tendon->strand[i];
        ElvTendonSpan span = elv_tendon_span(scene, strand);
        double tension = strand_tension(tendon, scene, i);
        double d_tension = d_left(tendon, scene, strand->stretch, d_nu, d_z);
        // d(unit) = (1 - unit unit^T) (d_p1 - d_p0) / |d|
        ElvVec3 d_d = vary_separation(scene, strand, &span);
        ElvVec3 d_unit = elv_vec3_scale(
            1.0 / span.length, elv_vec3_add_scaled(d_d, -elv_vec3_dot(span.unit, d_d), span.unit));
        ElvVec3 d_f =
            elv_vec3_add(elv_vec3_scale(d_tension, span.unit), elv_vec3_scale(tension, d_unit));
        const double* df = d_z + device->i_z + strand->i_z;
        d_c[strand->i_z] = df[0] - d_f.x;
        d_c[strand->i_z + 1] = df[1] - d_f.y;
        d_c[strand->i_z + 2] = df[2] - d_f.z;
    }
}

// ---- values at once

static void resolve(const ElvDevice* device, const ElvScene* scene, double* z) {
    const ElvTendon* tendon = as_tendon(device);
    if (tendon->pull == ELV_PULL_LENGTH) {
        elv_tendon_start(device, scene, z);
        z[0] = fmax(0.0, tendon->stiffness * z[1]);
    }
    for (int i = 1; i < tendon->n_stretch; i++) {
        if (tendon->stretch[i].i_z >= 0) {
            const ElvChannel* channel = &scene->data->channel[tendon->stretch[i - 1].i_channel];
            z[tendon->stretch[i].i_z] = channel->factor * stretch_tension(tendon, scene, i - 1);
        }
    }
    for (int i = 0; i < tendon->n_strand; i++) {
        const ElvTendonStrand* strand = &tendon->strand[i];
        ElvVec3 f =
            elv_vec3_scale(strand_tension(tendon, scene, i), elv_tendon_span(scene, strand).unit);
        z[strand->i_z] = f.x;
        z[strand->i_z + 1] = f.y;
        z[strand->i_z + 2] = f.z;
    }
}

static ElvStatus check(const ElvDevice* device, double t, ElvError* error) {
    char when[ELV_NUMBER_TEXT];
    const ElvTendon* tendon = as_tendon(device);
    double value = elv_law_value(tendon->law, t, 0.0);
    bool is_tension = tendon->pull == ELV_PULL_TENSION;
    if (!isfinite(value)) {
        return elv_error_set(
            error, ELV_ERROR_NUMERIC, device->name, is_tension ? "tension" : "pull",
            "the %s of tendon '%s' is not a number %s", is_tension ? "tension" : "pulled length",
            device->name, elv_time_text(t, when));
    }
    if (is_tension && value < 0.0) {
        return elv_error_set(error, ELV_ERROR_NUMERIC, device->name, "tension",
                             "the tension of tendon '%s' is %.6g N %s: a tendon cannot "
                             "push; max(0, ...) in its law keeps it slack",
                             device->name, value, elv_time_text(t, when));
    }
    return ELV_OK;
}

const ElvDeviceOps ELV_TENDON_OPS = {
    .kind = "tendon",
    .quantity = ELV_TENDON_QUANTITY,
    .n_quantity = ELV_N_TENDON_QUANTITY,
    .measure = elv_tendon_signal,
    .input = input,
    .load = load,
    .equation = equation,
    .variation = variation,
    .column = column,
    .row = row,
    .start = elv_tendon_start,
    .check = check,
    .commands = &ELV_TENDON_COMMANDS,
};

const ElvDeviceOps ELV_TENDON_EXPLICIT_OPS = {
    .kind = "tendon",
    .quantity = ELV_TENDON_QUANTITY,
    .n_quantity = ELV_N_TENDON_QUANTITY,
    .measure = elv_tendon_signal,
    .input = input,
    .load = load,
    .equation = equation,
    .variation = variation,
    .column = column,
    .row = row,
    .start = elv_tendon_start,
    .resolve = resolve,
    .check = check,
    .commands = &ELV_TENDON_COMMANDS,
};
