// SPDX-License-Identifier: Apache-2.0
// The laws of devices as inputs: exact variations of the residual and of the devices' equations per
// unit of a law. They are read off the equations in tendon.c, chamber.c, velocity_control.c, pattern.c,
// loop.c and wheel.c.
#include "multibody/device_command.h"

#include "multibody/loop.h"
#include "multibody/pattern.h"
#include "multibody/tendon.h"
#include "multibody/velocity_control.h"
#include "multibody/wheel.h"

#include <string.h>

static const double TWO_PI = 6.283185307179586476925;

// residual -= effort of a channel
static void
add_channel(const ElvScene* scene, int i_node, int i_channel, double factor, double* residual) {
    const ElvNode* node = &scene->model->node[i_node];
    const ElvChannel* channel = &scene->data->channel[i_channel];
    for (int k = 0; k < node->joint->n_v; k++) {
        residual[node->i_v + k] -= factor * channel->effort[k];
    }
}

// ---- tendons

static const char* tendon_name(const ElvDevice* device, int i) {
    bool is_tension = ((const ElvTendon*)device)->pull == ELV_PULL_TENSION;
    return i > 0 ? NULL : is_tension ? "tension" : "pull";
}

static const ElvLaw** tendon_law(ElvDevice* device, int i) {
    (void)i;
    return &((ElvTendon*)device)->law;
}

// what unit of the first tension leaves stretch i with, if no unknown stands between; -1: itself
static double left_by(const ElvTendon* tendon, const ElvScene* scene, int i) {
    if (i < 0) {
        return 1.0;
    }
    const ElvTendonStretch* stretch = &tendon->stretch[i];
    return stretch->i_z < 0 ? scene->data->channel[stretch->i_channel].factor : 0.0;
}

static void
vary_tension(const ElvTendon* tendon, const ElvScene* scene, double* residual, double* d_c) {
    double load = scene->data->load;
    for (int i = 0; i < tendon->n_stretch; i++) {
        const ElvTendonStretch* stretch = &tendon->stretch[i];
        if (stretch->i_z < 0) {
            add_channel(scene, stretch->i_node, stretch->i_channel, load, residual);
        } else if (i > 0) {
            d_c[stretch->i_z] = -load * left_by(tendon, scene, i - 1);
        }
    }
    for (int i = 0; i < tendon->n_strand; i++) {
        const ElvTendonStrand* strand = &tendon->strand[i];
        ElvVec3 unit = elv_tendon_span(scene, strand).unit;
        double left = load * left_by(tendon, scene, strand->stretch);
        d_c[strand->i_z] = -left * unit.x;
        d_c[strand->i_z + 1] = -left * unit.y;
        d_c[strand->i_z + 2] = -left * unit.z;
    }
}

static void
vary_tendon(const ElvDevice* device, const ElvScene* scene, int i, double* residual, double* d_c) {
    (void)i;
    const ElvTendon* tendon = (const ElvTendon*)device;
    memset(d_c, 0, (size_t)device->n_z * sizeof *d_c);
    if (tendon->pull == ELV_PULL_TENSION) {
        vary_tension(tendon, scene, residual, d_c);
    } else {
        // a taut one is stretched by what is pulled
        d_c[0] = elv_tendon_is_taut(tendon, scene) ? -scene->data->load : 0.0;
    }
}

const ElvDeviceCommands ELV_TENDON_COMMANDS = {
    .size = sizeof(ElvTendon),
    .name = tendon_name,
    .law = tendon_law,
    .vary = vary_tendon,
};

// ---- chambers

static const char* chamber_name(const ElvDevice* device, int i) {
    (void)device;
    return i > 0 ? NULL : "pressure";
}

static const ElvLaw** chamber_law(ElvDevice* device, int i) {
    (void)i;
    return &((ElvChamber*)device)->pressure;
}

static void
vary_chamber(const ElvDevice* device, const ElvScene* scene, int i, double* residual, double* d_c) {
    (void)i;
    (void)d_c;
    int i_channel = ((const ElvChamber*)device)->i_channel;
    int i_node = 0;
    while (i_node + 1 < scene->model->n_node &&
           i_channel >=
               scene->model->node[i_node].i_channel + scene->model->node[i_node].joint->n_channel) {
        i_node++;
    }
    add_channel(scene, i_node, i_channel, scene->data->load, residual);
}

const ElvDeviceCommands ELV_CHAMBER_COMMANDS = {
    .size = sizeof(ElvChamber),
    .name = chamber_name,
    .law = chamber_law,
    .vary = vary_chamber,
};

// ---- velocity controllers

static const char* velocity_name(const ElvDevice* device, int i) {
    static const char* const name[] = {"angular.x", "angular.y", "angular.z",
                                       "linear.x",  "linear.y",  "linear.z"};
    (void)device;
    return i < 6 ? name[i] : NULL;
}

static const ElvLaw** velocity_law(ElvDevice* device, int i) {
    return &((ElvVelocityControl*)device)->velocity[i];
}

// d_e = R^T of the unit, in the axes of the frame; d_F = kp d_e
static void vary_velocity(
    const ElvDevice* device, const ElvScene* scene, int i, double* residual, double* d_c) {
    (void)residual;
    const ElvVelocityControl* control = (const ElvVelocityControl*)device;
    int port = control->frame.port;
    ElvPose g = elv_pose_compose(scene->data->port[port].g, control->frame.pose);
    double unit[6] = {0.0};
    double F[6];
    unit[i] = 1.0;
    ElvTwist wanted = elv_twist_from_array(unit);
    elv_twist_to_array(elv_twist(elv_mat3_apply_transpose(g.R, wanted.ang),
                                 elv_mat3_apply_transpose(g.R, wanted.lin)),
                       d_c);
    for (int k = 0; k < 6; k++) {
        F[k] = control->kp[k] * d_c[k];
    }
    double W[6];
    elv_wrench_to_array(elv_wrench_transform(g, elv_wrench_from_array(F)), W);
    double* e = scene->data->e + (size_t)port * 6;
    for (int k = 0; k < 6; k++) {
        e[k] -= W[k];
    }
}

const ElvDeviceCommands ELV_VELOCITY_COMMANDS = {
    .size = sizeof(ElvVelocityControl),
    .name = velocity_name,
    .law = velocity_law,
    .vary = vary_velocity,
};

// ---- patterns

static const char* pattern_name(const ElvDevice* device, int i) {
    (void)device;
    return i > 1 ? NULL : i == 0 ? "frequency" : "amplitude";
}

static const ElvLaw** pattern_law(ElvDevice* device, int i) {
    ElvPattern* pattern = (ElvPattern*)device;
    return i == 0 ? &pattern->frequency : &pattern->amplitude;
}

static void
vary_pattern(const ElvDevice* device, const ElvScene* scene, int i, double* residual, double* d_c) {
    (void)scene;
    (void)residual;
    const ElvPattern* pattern = (const ElvPattern*)device;
    for (int k = 0; k < pattern->n_oscillator; k++) {
        d_c[k] = i == 0 ? TWO_PI : 0.0;
        d_c[pattern->n_oscillator + k] = i == 0 ? 0.0 : pattern->rate;
    }
}

const ElvDeviceCommands ELV_PATTERN_COMMANDS = {
    .size = sizeof(ElvPattern),
    .name = pattern_name,
    .law = pattern_law,
    .vary = vary_pattern,
};

// ---- loops

// the row of motor i, or -1
static int motor_row(const ElvLoop* loop, int i) {
    for (int k = 0; k < 6; k++) {
        const ElvLoopRow* row = &loop->row[k];
        if (row->law && !elv_loop_row_holds(row) && i-- == 0) {
            return k;
        }
    }
    return -1;
}

static const char* loop_name(const ElvDevice* device, int i) {
    static const char* const name[] = {"effort.0", "effort.1", "effort.2"};
    return i < 3 && motor_row((const ElvLoop*)device, i) >= 0 ? name[i] : NULL;
}

static const ElvLaw** loop_law(ElvDevice* device, int i) {
    ElvLoop* loop = (ElvLoop*)device;
    return &loop->row[motor_row(loop, i)].law;
}

static void
vary_loop(const ElvDevice* device, const ElvScene* scene, int i, double* residual, double* d_c) {
    (void)residual;
    memset(d_c, 0, (size_t)device->n_z * sizeof *d_c);
    d_c[motor_row((const ElvLoop*)device, i)] = -scene->data->load;
}

const ElvDeviceCommands ELV_LOOP_COMMANDS = {
    .size = sizeof(ElvLoop),
    .name = loop_name,
    .law = loop_law,
    .vary = vary_loop,
};

// ---- wheels

static const char* wheel_name(const ElvDevice* device, int i) {
    return i == 0 && ((const ElvWheel*)device)->drive == ELV_WHEEL_TORQUE ? "torque" : NULL;
}

static const ElvLaw** wheel_law(ElvDevice* device, int i) {
    (void)i;
    return &((ElvWheel*)device)->law;
}

// it pushes with torque / R
static void
vary_wheel(const ElvDevice* device, const ElvScene* scene, int i, double* residual, double* d_c) {
    (void)i;
    (void)residual;
    const ElvWheel* wheel = (const ElvWheel*)device;
    ElvPose g = elv_pose_compose(scene->data->port[wheel->frame.port].g, wheel->frame.pose);
    ElvVec3 push = elv_vec3_scale(scene->data->load / wheel->radius, wheel->ahead);
    double W[6];
    double* e = scene->data->e + (size_t)wheel->frame.port * 6;
    elv_wrench_to_array(elv_wrench_transform(g, elv_wrench(elv_vec3(0.0, 0.0, 0.0), push)), W);
    memset(d_c, 0, (size_t)device->n_z * sizeof *d_c);
    for (int k = 0; k < 6; k++) {
        e[k] -= W[k];
    }
}

const ElvDeviceCommands ELV_WHEEL_COMMANDS = {
    .size = sizeof(ElvWheel),
    .name = wheel_name,
    .law = wheel_law,
    .vary = vary_wheel,
};
