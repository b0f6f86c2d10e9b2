// SPDX-License-Identifier: Apache-2.0
// What a tendon measures: its length, how fast it changes, its tension, and the gradient of its length
// by the coordinates. Without friction -gradient is its column of the actuation matrix L(q) [P20 (28)].
#include "multibody/tendon.h"

#include <string.h>

double elv_tendon_first_tension(const ElvTendon* tendon, const ElvScene* scene) {
    if (tendon->pull == ELV_PULL_LENGTH) {
        return scene->state->z[tendon->device.i_z];
    }
    // an inverse problem may have found another than that of the law
    if (scene->data->source && tendon->n_stretch > 0) {
        return scene->data->u[tendon->stretch[0].i_channel];
    }
    return scene->data->load * elv_law_value(tendon->law, scene->state->t, 0.0);
}

ElvTendonSpan elv_tendon_span(const ElvScene* scene, const ElvTendonStrand* strand) {
    ElvTendonSpan span;
    for (int i = 0; i < 2; i++) {
        const ElvFrame* end = &strand->end[i];
        span.p[i] = elv_pose_apply(scene->data->port[end->port].g, end->pose.p);
    }
    ElvVec3 d = elv_vec3_sub(span.p[1], span.p[0]);
    span.length = elv_vec3_norm(d);
    span.unit = elv_vec3_scale(1.0 / span.length, d);
    return span;
}

ElvTendonMeasure elv_tendon_measure(const ElvTendon* tendon, const ElvScene* scene) {
    ElvTendonMeasure measure = {0.0, 0.0, elv_tendon_first_tension(tendon, scene)};
    for (int i = 0; i < tendon->n_stretch; i++) {
        const ElvChannel* channel = &scene->data->channel[tendon->stretch[i].i_channel];
        measure.length += channel->value;
        measure.rate += channel->rate;
    }
    for (int i = 0; i < tendon->n_strand; i++) {
        const ElvTendonStrand* strand = &tendon->strand[i];
        ElvTendonSpan span = elv_tendon_span(scene, strand);
        ElvTwist V0 = scene->data->port[strand->end[0].port].V;
        ElvTwist V1 = scene->data->port[strand->end[1].port].V;
        ElvVec3 rate = elv_vec3_sub(elv_span_rate(V1, span.p[1]), elv_span_rate(V0, span.p[0]));
        measure.length += span.length;
        measure.rate += elv_vec3_dot(span.unit, rate);
    }
    return measure;
}

// dL/dq: stretches by their channels, strands by unit forces at their ends, projected
static void gradient(const ElvTendon* tendon, const ElvScene* scene, double* value) {
    ElvData* data = scene->data;
    memset(value, 0, (size_t)scene->model->nv * sizeof *value);
    for (int i = 0; i < tendon->n_stretch; i++) {
        const ElvTendonStretch* stretch = &tendon->stretch[i];
        const ElvNode* node = &scene->model->node[stretch->i_node];
        for (int k = 0; k < node->joint->n_v; k++) {
            value[node->i_v + k] += data->channel[stretch->i_channel].d_value[k];
        }
    }
    if (tendon->n_strand == 0) {
        return;
    }
    memset(data->e, 0, (size_t)scene->model->n_port * 6 * sizeof *data->e);
    for (int i = 0; i < tendon->n_strand; i++) {
        ElvTendonSpan span = elv_tendon_span(scene, &tendon->strand[i]);
        for (int end = 0; end < 2; end++) {
            double W[6];
            double* e = data->e + (size_t)tendon->strand[i].end[end].port * 6;
            elv_wrench_to_array(elv_span_wrench(span.p[end], span.unit), W);
            for (int k = 0; k < 6; k++) {
                e[k] += end == 0 ? -W[k] : W[k];
            }
        }
    }
    elv_project_wrenches(scene->model, data, value);
}

static const char* const unit_length[] = {"m"};
static const char* const unit_rate[] = {"m/s"};
static const char* const unit_tension[] = {"N"};
static const char* const unit_gradient[] = {"m"};

enum { LENGTH, RATE, TENSION, GRADIENT };

const ElvDeviceQuantity ELV_TENDON_QUANTITY[ELV_N_TENDON_QUANTITY] = {
    [LENGTH] = {"length", 1, NULL, unit_length},
    [RATE] = {"rate", 1, NULL, unit_rate},
    [TENSION] = {"tension", 1, NULL, unit_tension},
    [GRADIENT] = {"gradient", 0, NULL, unit_gradient},
};

void elv_tendon_signal(const ElvDevice* device, const ElvScene* scene, int i, double* value) {
    const ElvTendon* tendon = (const ElvTendon*)device;
    if (i == GRADIENT) {
        gradient(tendon, scene, value);
        return;
    }
    ElvTendonMeasure measure = elv_tendon_measure(tendon, scene);
    value[0] = i == LENGTH ? measure.length : i == RATE ? measure.rate : measure.tension;
}
