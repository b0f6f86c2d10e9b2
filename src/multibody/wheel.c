// SPDX-License-Identifier: Apache-2.0
// Ideal wheels as devices (wheel.h): rows on the velocity of a frame in its own axes, forces along
// them, and the exact tangents of both. Variations, with Z the spatial variation of the pose: d_eta
// = Ad_g^-1 Z_dot; forces turn with the frame.
#include "multibody/wheel.h"

#include "base/number_text.h"
#include "base/spec_names.h"
#include "joint/variation.h"
#include "multibody/device_command.h"

#include <math.h>

static const ElvWheel* as_wheel(const ElvDevice* device) {
    return (const ElvWheel*)device;
}

bool elv_device_is_wheel(const ElvDevice* device) {
    return device->ops == &ELV_WHEEL_OPS || device->ops == &ELV_WHEEL_LOOSE_OPS;
}

bool elv_wheel_is_driven(const ElvWheel* wheel) {
    return wheel->drive == ELV_WHEEL_ROTATION || wheel->drive == ELV_WHEEL_RATE;
}

bool elv_wheel_is_rolling(const ElvWheel* wheel, int k) {
    return wheel->is_omni || k > 0;
}

ElvVec3 elv_wheel_direction(const ElvWheel* wheel, int k) {
    return elv_wheel_is_rolling(wheel, k) ? wheel->ahead : wheel->side;
}

static ElvPose pose_of(const ElvWheel* wheel, const ElvData* data) {
    return elv_pose_compose(data->port[wheel->frame.port].g, wheel->frame.pose);
}

// linear velocity of the frame under a spatial twist, in its own axes
static ElvVec3 velocity_of(const ElvWheel* wheel, const ElvData* data, ElvTwist V) {
    return elv_twist_transform_inv(pose_of(wheel, data), V).lin;
}

// rotation of the wheel by its law, which of a rate has no angle; in statics t is a load
static ElvJet rotation_of(const ElvWheel* wheel, const ElvScene* scene) {
    ElvJet angle = {0.0, 0.0, 0.0};
    if (elv_wheel_is_driven(wheel)) {
        angle = elv_law_eval(wheel->law, scene->state->t, 0.0);
    }
    if (wheel->drive == ELV_WHEEL_RATE) {
        angle.dd = angle.d;
        angle.d = angle.v;
        angle.v = 0.0;
    }
    if (scene->data->is_static) {
        angle.d = angle.dd = 0.0;
    }
    return angle;
}

static double torque_of(const ElvWheel* wheel, const ElvScene* scene) {
    bool is_given = wheel->drive == ELV_WHEEL_TORQUE;
    return is_given ? scene->data->load * elv_law_value(wheel->law, scene->state->t, 0.0) : 0.0;
}

// ---- forces

// of the ground on the frame: along its axis and ahead
static void forces_of(const ElvWheel* wheel, const ElvScene* scene, double force[2]) {
    force[0] = 0.0;
    force[1] = torque_of(wheel, scene) / wheel->radius;
    for (int k = 0; k < wheel->device.n_z; k++) {
        force[elv_wheel_is_rolling(wheel, k)] += scene->state->z[wheel->device.i_z + k];
    }
}

// a force at the frame in its axes, as a wrench in the one frame
static ElvWrench wrench_of(const ElvWheel* wheel, const ElvData* data, ElvVec3 force) {
    ElvVec3 zero = elv_vec3(0.0, 0.0, 0.0);
    return elv_wrench_transform(pose_of(wheel, data), elv_wrench(zero, force));
}

static ElvWrench wrench_now(const ElvWheel* wheel, const ElvScene* scene) {
    double force[2];
    forces_of(wheel, scene, force);
    ElvVec3 sum = elv_vec3_scale(force[0], wheel->side);
    return wrench_of(wheel, scene->data, elv_vec3_add_scaled(sum, force[1], wheel->ahead));
}

static void load(const ElvDevice* device, const ElvScene* scene) {
    ElvWrench* W = &scene->data->W[as_wheel(device)->frame.port];
    *W = elv_wrench_sub(*W, wrench_now(as_wheel(device), scene));
}

// d(-W) = ad_Z^T W
static void variation(const ElvDevice* device, const ElvScene* scene) {
    const ElvWheel* wheel = as_wheel(device);
    ElvWrench W = wrench_now(wheel, scene);
    int p = wheel->frame.port;
    elv_variation_follower(&W, 1.0, scene->data->K + (size_t)p * 6 * ELV_N_VARIATION);
    scene->data->has_K[p] = true;
}

static void column(const ElvDevice* device, const ElvScene* scene, int k, double* residual) {
    (void)residual;
    const ElvWheel* wheel = as_wheel(device);
    double W[6];
    double* e = scene->data->e + (size_t)wheel->frame.port * 6;
    elv_wrench_to_array(wrench_of(wheel, scene->data, elv_wheel_direction(wheel, k)), W);
    for (int i = 0; i < 6; i++) {
        e[i] -= W[i];
    }
}

// ---- rows: n . V = 0 [ALI (3.42)], u . V = R theta_dot [ALI (3.40), (3.50)]

static void equation(const ElvDevice* device, const ElvScene* scene, double* c, double* size) {
    const ElvWheel* wheel = as_wheel(device);
    ElvVec3 V = velocity_of(wheel, scene->data, scene->data->port[wheel->frame.port].V);
    double half = scene->rule && scene->rule->step > 0.0 ? scene->rule->step : 1.0;
    double rolled = wheel->radius * rotation_of(wheel, scene).d;
    // nothing moves in statics
    bool is_still = scene->rule && scene->data->is_static;
    for (int k = 0; k < device->n_z; k++) {
        double slip = elv_vec3_dot(elv_wheel_direction(wheel, k), V);
        c[k] = is_still ? 0.0 : slip - (elv_wheel_is_rolling(wheel, k) ? rolled : 0.0);
        size[k] = wheel->length * elv_closure_resolution(scene) / half;
    }
}

// slips have no positions: level 0 is empty
static void motion(const ElvDevice* device, const ElvScene* scene, int level, double h, double* c) {
    const ElvWheel* wheel = as_wheel(device);
    const ElvMotion* at = &scene->data->port[wheel->frame.port];
    ElvJet angle = rotation_of(wheel, scene);
    ElvVec3 V = velocity_of(wheel, scene->data, level == 2 ? at->A : at->V);
    double rolled = wheel->radius * (level == 2 ? angle.dd : angle.d);
    double weight = level == 2 && h > 0.0 ? h : 1.0;
    for (int k = 0; k < device->n_z; k++) {
        double slip = elv_vec3_dot(elv_wheel_direction(wheel, k), V);
        slip -= elv_wheel_is_rolling(wheel, k) ? rolled : 0.0;
        c[k] = level == 0 ? 0.0 : weight * slip;
    }
}

static bool is_on_velocities(const ElvDevice* device, int k) {
    (void)device;
    (void)k;
    return true;
}

// Variation of the velocity in the frame's axes; where accelerations alone vary, of these, and from
// one equilibrium to another wheels roll as displacements do.
static ElvVec3 vary_velocity(const ElvWheel* wheel, const ElvScene* scene) {
    const double* x = scene->data->x + (size_t)wheel->frame.port * ELV_N_VARIATION;
    bool is_motion = scene->rule && scene->rule->is_motion;
    bool is_static = scene->rule && scene->data->is_static;
    int level = is_motion ? 12 : is_static ? 0 : 6;
    return velocity_of(wheel, scene->data, elv_twist_from_array(x + level));
}

static void row(const ElvDevice* device,
                const ElvScene* scene,
                const double* d_nu,
                const double* d_z,
                double* d_c) {
    (void)d_nu;
    (void)d_z;
    const ElvWheel* wheel = as_wheel(device);
    ElvVec3 d_V = vary_velocity(wheel, scene);
    for (int k = 0; k < device->n_z; k++) {
        d_c[k] = elv_vec3_dot(elv_wheel_direction(wheel, k), d_V);
    }
}

static ElvStatus check(const ElvDevice* device, double t, ElvError* error) {
    const ElvWheel* wheel = as_wheel(device);
    const char* field = elv_wheel_drive_names[wheel->drive];
    char when[ELV_NUMBER_TEXT];
    if (wheel->law && !isfinite(elv_law_value(wheel->law, t, 0.0))) {
        return elv_error_set(error, ELV_ERROR_NUMERIC, device->name, field,
                             "the %s of wheel '%s' is not a number %s", field, device->name,
                             elv_time_text(t, when));
    }
    return ELV_OK;
}

// ---- what is measured

static const char* const label_pair[] = {"side", "ahead"};
static const char* const unit_angle[] = {"rad"};
static const char* const unit_rate[] = {"rad/s"};
static const char* const unit_torque[] = {"N m"};
static const char* const unit_power[] = {"W"};
static const char* const unit_force[] = {"N", "N"};
static const char* const unit_slip[] = {"m/s", "m/s"};

enum { ANGLE, RATE, TORQUE, POWER, FORCE, SLIP, N_QUANTITY };

static const ElvDeviceQuantity quantities[N_QUANTITY] = {
    {"angle", 1, NULL, unit_angle},       {"rate", 1, NULL, unit_rate},
    {"torque", 1, NULL, unit_torque},     {"power", 1, NULL, unit_power},
    {"force", 2, label_pair, unit_force}, {"slip", 2, label_pair, unit_slip},
};

static void measure(const ElvDevice* device, const ElvScene* scene, int i, double* value) {
    const ElvWheel* wheel = as_wheel(device);
    ElvVec3 V = velocity_of(wheel, scene->data, scene->data->port[wheel->frame.port].V);
    double ahead = elv_vec3_dot(wheel->ahead, V);
    ElvJet law = rotation_of(wheel, scene);
    bool is_given = elv_wheel_is_driven(wheel);
    double force[2];
    forces_of(wheel, scene, force);
    switch (i) {
    case ANGLE:
        value[0] = wheel->i_angle >= 0 ? scene->state->z[wheel->i_angle] : law.v;
        break;
    case RATE:
        value[0] = ahead / wheel->radius;
        break;
    case TORQUE:
        // of its motor: what rolling takes, by power                            [ALI (3.86)]
        value[0] = wheel->drive == ELV_WHEEL_FREE ? 0.0 : force[1] * wheel->radius;
        break;
    case POWER:
        value[0] = wheel->drive == ELV_WHEEL_FREE ? 0.0 : force[1] * ahead;
        break;
    case FORCE:
        value[0] = force[0];
        value[1] = force[1];
        break;
    default:
        value[0] = elv_vec3_dot(wheel->side, V);
        value[1] = is_given ? ahead - wheel->radius * law.d : 0.0;
        break;
    }
}

const ElvDeviceOps ELV_WHEEL_OPS = {
    .kind = "wheel",
    .quantity = quantities,
    .n_quantity = N_QUANTITY,
    .measure = measure,
    .load = load,
    .equation = equation,
    .motion = motion,
    .is_loose = is_on_velocities,
    .variation = variation,
    .column = column,
    .row = row,
    .check = check,
    .commands = &ELV_WHEEL_COMMANDS,
};

// an omnidirectional wheel without a given rotation: nothing is held, a torque may push
const ElvDeviceOps ELV_WHEEL_LOOSE_OPS = {
    .kind = "wheel",
    .quantity = quantities,
    .n_quantity = N_QUANTITY,
    .measure = measure,
    .load = load,
    .variation = variation,
    .check = check,
    .commands = &ELV_WHEEL_COMMANDS,
};

// ---- the angle: z_dot = u . V / R

static const ElvWheelAngle* as_angle(const ElvDevice* device) {
    return (const ElvWheelAngle*)device;
}

static void angle_initial(const ElvDevice* device, double* z) {
    (void)device;
    z[0] = 0.0;
}

static void
angle_equation(const ElvDevice* device, const ElvScene* scene, double* c, double* size) {
    const ElvWheel* wheel = as_angle(device)->wheel;
    ElvVec3 V = velocity_of(wheel, scene->data, scene->data->port[wheel->frame.port].V);
    c[0] = elv_vec3_dot(wheel->ahead, V) / wheel->radius;
    size[0] = elv_vec3_norm(V) / wheel->radius;
}

static void angle_column(const ElvDevice* device, const ElvScene* scene, int k, double* residual) {
    (void)device;
    (void)scene;
    (void)k;
    (void)residual;
}

static void angle_row(const ElvDevice* device,
                      const ElvScene* scene,
                      const double* d_nu,
                      const double* d_z,
                      double* d_c) {
    (void)d_nu;
    (void)d_z;
    const ElvWheel* wheel = as_angle(device)->wheel;
    const double* x = scene->data->x + (size_t)wheel->frame.port * ELV_N_VARIATION;
    ElvVec3 d_V = velocity_of(wheel, scene->data, elv_twist_from_array(x + 6));
    d_c[0] = elv_vec3_dot(wheel->ahead, d_V) / wheel->radius;
}

static const ElvDeviceQuantity angle_quantities[] = {
    {"value", 1, NULL, unit_angle},
};

static void angle_measure(const ElvDevice* device, const ElvScene* scene, int i, double* value) {
    (void)i;
    value[0] = scene->state->z[device->i_z];
}

const ElvDeviceOps ELV_WHEEL_ANGLE_OPS = {
    .kind = "wheel_angle",
    .quantity = angle_quantities,
    .n_quantity = 1,
    .measure = angle_measure,
    .initial = angle_initial,
    .equation = angle_equation,
    .column = angle_column,
    .row = angle_row,
};
