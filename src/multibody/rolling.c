// SPDX-License-Identifier: Apache-2.0
// Wheels as devices (rolling.h): the wrench of the contact on both bodies, six equations, and the exact rows
// and columns of both in the bordered tangent. The height is a constraint on positions, the slip one on
// velocities that no positions follow from                                                   [P23 (7)].
#include "multibody/rolling.h"

#include <math.h>

/// Rows: height, slips, and the moment about the contact.
enum { HEIGHT = ELV_CONTACT_NORMAL, SIDEWAYS = ELV_CONTACT_SIDEWAYS, MOMENT = 3 };

static const ElvRolling* as_rolling(const ElvDevice* device) {
    return (const ElvRolling*)device;
}

// whether row i is a constraint on the motion; else it is one on the wrench
static bool holds(const ElvRolling* rolling, int i) {
    return i < MOMENT && !(i == SIDEWAYS && rolling->slips_sideways);
}

// a wrench about the world's origin, given by six numbers, about that of the one frame
static ElvWrench wrench_of(const ElvData* data, const double* z) {
    ElvWrench W = elv_wrench_from_array(z);
    W.mom = elv_vec3_sub(W.mom, elv_vec3_cross(data->origin, W.frc));
    return W;
}

static ElvWrench wrench_now(const ElvRolling* rolling, const ElvScene* scene) {
    return wrench_of(scene->data, scene->state->z + rolling->device.i_z);
}

// while it is mounted, the wheel stands off the plane by what is left of the height at the start
static double height_of(const ElvRolling* rolling, const ElvData* data, const ElvContact* contact) {
    double open = 1.0 - data->closure;
    return contact->height - (open != 0.0 ? open * data->gap[rolling->i_gap].lin.z : 0.0);
}

// the rows of the wrench: no force sideways, no moment about the contact
static void
wrench_rows(const ElvRolling* rolling, const ElvContact* contact, const ElvWrench* W, double* c) {
    ElvVec3 moment = elv_vec3_sub(W->mom, elv_vec3_cross(contact->p, W->frc));
    if (!holds(rolling, SIDEWAYS)) {
        c[SIDEWAYS] = elv_vec3_dot(contact->e[SIDEWAYS], W->frc);
    }
    c[MOMENT] = moment.x;
    c[MOMENT + 1] = moment.y;
    c[MOMENT + 2] = moment.z;
}

// ---- operations

static ElvVec3 point(const ElvDevice* device, const ElvData* data) {
    const ElvFrame* wheel = &as_rolling(device)->end[1];
    return elv_pose_apply(data->port[wheel->port].g, wheel->pose.p);
}

static void load(const ElvDevice* device, const ElvScene* scene) {
    const ElvRolling* rolling = as_rolling(device);
    ElvWrench W = wrench_now(rolling, scene);
    ElvWrench* on_plane = &scene->data->W[rolling->end[0].port];
    ElvWrench* on_wheel = &scene->data->W[rolling->end[1].port];
    *on_wheel = elv_wrench_sub(*on_wheel, W);
    *on_plane = elv_wrench_add(*on_plane, W);
}

static void equation(const ElvDevice* device, const ElvScene* scene, double* c, double* size) {
    const ElvRolling* rolling = as_rolling(device);
    ElvContact contact = elv_rolling_contact(rolling, scene->data);
    ElvWrench W = wrench_now(rolling, scene);
    const ElvTwist V[2] = {contact.side[0].V, contact.side[1].V};
    double half = scene->rule && scene->rule->step > 0.0 ? scene->rule->step : 1.0;
    double height = rolling->length * elv_closure_resolution(scene);
    double force = elv_vec3_norm(W.frc);
    elv_contact_slip(&contact, V, c);
    c[HEIGHT] = height_of(rolling, scene->data, &contact);
    wrench_rows(rolling, &contact, &W, c);
    for (int i = 0; i < 6; i++) {
        size[i] = i == HEIGHT         ? height
                  : holds(rolling, i) ? height / half
                  : i < MOMENT        ? force
                                      : force * rolling->length + fabs(c[i]);
    }
}

static bool is_effort(const ElvDevice* device, int k) {
    return !holds(as_rolling(device), k);
}

static void motion(const ElvDevice* device, const ElvScene* scene, int level, double h, double* c) {
    const ElvRolling* rolling = as_rolling(device);
    ElvContact contact = elv_rolling_contact(rolling, scene->data);
    const ElvTwist V[2] = {contact.side[0].V, contact.side[1].V};
    for (int i = 0; i < 6; i++) {
        c[i] = 0.0;
    }
    if (level == 0) {
        c[HEIGHT] = height_of(rolling, scene->data, &contact);
    } else if (level == 1) {
        elv_contact_slip(&contact, V, c);
    } else {
        ElvWrench W = wrench_now(rolling, scene);
        elv_contact_slip_dot(&contact, rolling->radius, c);
        for (int i = 0; i < MOMENT && h > 0.0; i++) {
            c[i] *= i == HEIGHT ? h * h : h;
        }
        wrench_rows(rolling, &contact, &W, c);
    }
    if (level < 2 && !holds(rolling, SIDEWAYS)) {
        c[SIDEWAYS] = 0.0;
    }
}

static void column(const ElvDevice* device, const ElvScene* scene, int k, double* residual) {
    (void)residual;
    const ElvRolling* rolling = as_rolling(device);
    double unit[6] = {0.0};
    double W[6];
    unit[k] = 1.0;
    elv_wrench_to_array(wrench_of(scene->data, unit), W);
    double* on_plane = scene->data->e + (size_t)rolling->end[0].port * 6;
    double* on_wheel = scene->data->e + (size_t)rolling->end[1].port * 6;
    for (int i = 0; i < 6; i++) {
        on_plane[i] += W[i];
        on_wheel[i] -= W[i];
    }
}

// variation of the rows of the wrench: of the wrench itself, and of the contact under Z (NULL: still)
static void vary_wrench_rows(const ElvRolling* rolling,
                             const ElvContact* contact,
                             const ElvWrench* W,
                             const ElvWrench* d_W,
                             const ElvTwist* Z,
                             double* d_c) {
    wrench_rows(rolling, contact, d_W, d_c);
    if (!Z) {
        return;
    }
    ElvContactRate move = elv_contact_move(contact, rolling->radius, Z);
    ElvVec3 d_moment = elv_vec3_cross(W->frc, move.p);
    if (!holds(rolling, SIDEWAYS)) {
        d_c[SIDEWAYS] += elv_vec3_dot(move.e[SIDEWAYS], W->frc);
    }
    d_c[MOMENT] += d_moment.x;
    d_c[MOMENT + 1] += d_moment.y;
    d_c[MOMENT + 2] += d_moment.z;
}

static void row(const ElvDevice* device,
                const ElvScene* scene,
                const double* d_nu,
                const double* d_z,
                double* d_c) {
    (void)d_nu;
    const ElvRolling* rolling = as_rolling(device);
    ElvContact contact = elv_rolling_contact(rolling, scene->data);
    ElvWrench W = wrench_now(rolling, scene);
    ElvWrench d_W = wrench_of(scene->data, d_z + device->i_z);
    bool is_motion = scene->rule && scene->rule->is_motion;
    ElvTwist Z[2], d_V[2];
    for (int i = 0; i < 2; i++) {
        const double* x = scene->data->x + (size_t)rolling->end[i].port * ELV_N_VARIATION;
        Z[i] = elv_twist_from_array(is_motion ? x + 12 : x);
        d_V[i] =
            elv_twist_add(elv_twist_from_array(x + 6), elv_twist_bracket(Z[i], contact.side[i].V));
    }
    bool is_static = scene->rule && scene->data->is_static;
    if (is_motion || is_static) {
        // accelerations move height and slip as twists do, and from one equilibrium to another wheels roll
        elv_contact_slip(&contact, Z, d_c);
    } else {
        double d_height[3];
        elv_contact_slip(&contact, Z, d_height);
        elv_contact_vary_slip(&contact, rolling->radius, Z, d_V, d_c);
        d_c[HEIGHT] = d_height[HEIGHT];
    }
    vary_wrench_rows(rolling, &contact, &W, &d_W, is_motion ? NULL : Z, d_c);
}

static void open_gap(const ElvDevice* device, const ElvScene* scene) {
    const ElvRolling* rolling = as_rolling(device);
    double height = elv_rolling_contact(rolling, scene->data).height;
    ElvVec3 zero = elv_vec3(0.0, 0.0, 0.0);
    scene->data->gap[rolling->i_gap] = elv_twist(zero, elv_vec3(0.0, 0.0, height));
}

// ---- what is measured

static const char* const label_vector[] = {"x", "y", "z"};
static const char* const unit_gap[] = {"m"};
static const char* const unit_drift[] = {"m/s"};
static const char* const unit_force[] = {"N", "N", "N"};
static const char* const unit_contact[] = {"m", "m", "m"};

enum { GAP, DRIFT, FORCE, NORMAL_FORCE, CONTACT, N_QUANTITY };

static const ElvDeviceQuantity quantities[N_QUANTITY] = {
    {"gap", 1, NULL, unit_gap},
    {"drift", 1, NULL, unit_drift},
    {"force", 3, label_vector, unit_force},
    {"normal_force", 1, NULL, unit_force},
    {"contact", 3, label_vector, unit_contact},
};

static void write_vector(ElvVec3 x, double* value) {
    value[0] = x.x;
    value[1] = x.y;
    value[2] = x.z;
}

static void measure(const ElvDevice* device, const ElvScene* scene, int i, double* value) {
    const ElvRolling* rolling = as_rolling(device);
    ElvContact contact = elv_rolling_contact(rolling, scene->data);
    ElvVec3 force = wrench_now(rolling, scene).frc;
    double slip[6];
    switch (i) {
    case GAP:
        value[0] = fabs(contact.height);
        break;
    case DRIFT:
        motion(device, scene, 1, 0.0, slip);
        value[0] = elv_vec3_norm(elv_vec3(slip[0], slip[1], slip[2]));
        break;
    case FORCE:
        write_vector(force, value);
        break;
    case NORMAL_FORCE:
        value[0] = elv_vec3_dot(contact.e[ELV_CONTACT_NORMAL], force);
        break;
    default:
        write_vector(elv_vec3_add(scene->data->origin, contact.p), value);
        break;
    }
}

static bool is_on_velocities(const ElvDevice* device, int k) {
    (void)device;
    return k != HEIGHT;
}

const ElvDeviceOps ELV_ROLLING_OPS = {
    .kind = "rolling",
    .quantity = quantities,
    .n_quantity = N_QUANTITY,
    .measure = measure,
    .load = load,
    .equation = equation,
    .point = point,
    .is_effort = is_effort,
    .motion = motion,
    .is_loose = is_on_velocities,
    .open = open_gap,
    .column = column,
    .row = row,
};
