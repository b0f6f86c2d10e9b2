// SPDX-License-Identifier: Apache-2.0
// Ideal contacts of rods as devices (rod_contact.h): rows on the twist of a section, and wrenches
// along them.
#include "multibody/rod_contact.h"

#include "base/number_text.h"
#include "joint/variation.h"

#include <math.h>
#include <string.h>

/// Stations beyond the ends by no more than this are at the ends.
static const double END_SLACK = 1e-9;

static const ElvRodContact* as_contact(const ElvDevice* device) {
    return (const ElvRodContact*)device;
}

// rows of a twist in section axes
static void
hold(const ElvRodContact* contact, const ElvTwist* twist, double weight, double* value) {
    double all[6];
    elv_twist_to_array(*twist, all);
    for (int k = 0; k < contact->device.n_z; k++) {
        value[k] = weight * all[contact->component[k]];
    }
}

// ---- forces

static ElvWrench local_wrench(const ElvRodContact* contact, const double* z) {
    double all[6] = {0.0};
    for (int k = 0; k < contact->device.n_z; k++) {
        all[contact->component[k]] = z[k];
    }
    return elv_wrench_from_array(all);
}

// where the wrench enters the tree: at the section, or at the root of its rod, with efforts on the
// coordinates beside
static int port_of(const ElvRodContact* contact, const ElvModel* model) {
    return contact->is_port ? contact->at.port : model->node[contact->i_node].parent_port;
}

static ElvWrench wrench_now(const ElvRodContact* contact, const ElvScene* scene) {
    const double* z = scene->state->z + contact->device.i_z;
    if (!elv_contact_is_active(contact, scene->state->t)) {
        return elv_wrench_zero();
    }
    return elv_wrench_transform(elv_contact_pose(contact, scene), local_wrench(contact, z));
}

static void load(const ElvDevice* device, const ElvScene* scene) {
    const ElvRodContact* contact = as_contact(device);
    ElvWrench W = wrench_now(contact, scene);
    ElvWrench* on_rod = &scene->data->W[port_of(contact, scene->model)];
    ElvWrench* on_obstacle = &scene->data->W[contact->on.port];
    *on_rod = elv_wrench_sub(*on_rod, W);
    *on_obstacle = elv_wrench_add(*on_obstacle, W);
}

static void effort(const ElvDevice* device, const ElvScene* scene, double* upsilon) {
    const ElvRodContact* contact = as_contact(device);
    const ElvNode* node = &scene->model->node[contact->i_node];
    ElvWrench W = wrench_now(contact, scene);
    for (int k = 0; k < node->joint->n_v && elv_contact_is_active(contact, scene->state->t); k++) {
        double Q = elv_power(elv_contact_point(contact, scene)->J[k], W);
        upsilon[node->i_v + k] += Q;
        scene->data->effort[node->i_v + k] += fabs(Q);
    }
}

// d(-W) = ad_Z^T W
static void variation(const ElvDevice* device, const ElvScene* scene) {
    const ElvRodContact* contact = as_contact(device);
    ElvWrench W = wrench_now(contact, scene);
    int p = contact->at.port;
    elv_variation_follower(&W, 1.0, scene->data->K + (size_t)p * 6 * ELV_N_VARIATION);
    scene->data->has_K[p] = true;
}

static void column(const ElvDevice* device, const ElvScene* scene, int k, double* residual) {
    const ElvRodContact* contact = as_contact(device);
    const ElvNode* node = &scene->model->node[contact->i_node];
    double unit[6] = {0.0};
    double W[6];
    if (!elv_contact_is_active(contact, scene->state->t)) {
        return;
    }
    unit[k] = 1.0;
    ElvWrench about =
        elv_wrench_transform(elv_contact_pose(contact, scene), local_wrench(contact, unit));
    double* on_rod = scene->data->e + (size_t)port_of(contact, scene->model) * 6;
    double* on_obstacle = scene->data->e + (size_t)contact->on.port * 6;
    elv_wrench_to_array(about, W);
    for (int i = 0; i < 6; i++) {
        on_rod[i] -= W[i];
        on_obstacle[i] += W[i];
    }
    for (int j = 0; j < node->joint->n_v && !contact->is_port; j++) {
        residual[node->i_v + j] -= elv_power(elv_contact_point(contact, scene)->J[j], about);
    }
}

// ---- rows                                                                     [ALI (5.35)-(5.40)]

// what a contact holds at zero: the twist against the obstacle, of the section [ALI (5.35), (5.40)]
// or of the place on the rod [ALI (5.36)-(5.38)]
static ElvTwist held_rate(const ElvRodContact* contact, const ElvMeeting* meeting) {
    return contact->sweeps ? elv_twist_add(meeting->rel, meeting->swept) : meeting->rel;
}

static void equation(const ElvDevice* device, const ElvScene* scene, double* c, double* size) {
    const ElvRodContact* contact = as_contact(device);
    ElvMeeting meeting = elv_contact_meet(contact, scene, false);
    double half = scene->rule && scene->rule->step > 0.0 ? scene->rule->step : 1.0;
    // nothing moves in statics
    bool is_still = scene->rule && scene->data->is_static;
    bool acts = elv_contact_is_active(contact, scene->state->t);
    ElvTwist held = held_rate(contact, &meeting);
    hold(contact, &held, is_still ? 0.0 : 1.0, c);
    for (int k = 0; k < device->n_z; k++) {
        bool is_turn = contact->component[k] < 3;
        c[k] = acts ? c[k] : scene->state->z[device->i_z + k];
        size[k] = (is_turn ? 1.0 : contact->length) * elv_closure_resolution(scene) / half;
        size[k] = acts ? size[k] : 1.0;
    }
}

// no positions: level 0 is empty
static void motion(const ElvDevice* device, const ElvScene* scene, int level, double h, double* c) {
    const ElvRodContact* contact = as_contact(device);
    memset(c, 0, (size_t)device->n_z * sizeof *c);
    if (level == 0) {
        return;
    }
    if (!elv_contact_is_active(contact, scene->state->t)) {
        for (int k = 0; k < device->n_z && level == 2; k++) {
            c[k] = scene->state->z[device->i_z + k];
        }
        return;
    }
    ElvMeeting meeting = elv_contact_meet(contact, scene, level == 2);
    ElvTwist held = level == 2 ? meeting.second : held_rate(contact, &meeting);
    hold(contact, &held, level == 2 && h > 0.0 ? h : 1.0, c);
}

static bool is_on_velocities(const ElvDevice* device, int k) {
    (void)device;
    (void)k;
    return true;
}

static bool is_turn(const ElvDevice* device, int k) {
    return as_contact(device)->component[k] < 3;
}

// Variation of the section's twist against the obstacle, in section axes; where accelerations alone
// vary, of these, and from one equilibrium to another sections move as displacements do
static ElvTwist
vary_twist(const ElvRodContact* contact, const ElvScene* scene, const double* d_nu) {
    const ElvNode* node = &scene->model->node[contact->i_node];
    const double* x = scene->data->x;
    bool is_motion = scene->rule && scene->rule->is_motion;
    bool is_static = scene->rule && scene->data->is_static;
    int level = is_motion ? 12 : is_static ? 0 : 6;
    int from = port_of(contact, scene->model) * ELV_N_VARIATION + level;
    ElvPose g = elv_contact_pose(contact, scene);
    ElvTwist d_V = elv_twist_from_array(x + from);
    for (int k = 0; k < node->joint->n_v && !contact->is_port; k++) {
        double d_a = scene->data->unknown[contact->i_node].b * d_nu[node->i_v + k];
        d_V = elv_twist_add_scaled(d_V, d_a, elv_contact_point(contact, scene)->J[k]);
    }
    d_V = elv_twist_sub(d_V, elv_twist_from_array(x + contact->on.port * ELV_N_VARIATION + level));
    return elv_twist_transform_inv(g, d_V);
}

static void row(const ElvDevice* device,
                const ElvScene* scene,
                const double* d_nu,
                const double* d_z,
                double* d_c) {
    const ElvRodContact* contact = as_contact(device);
    if (!elv_contact_is_active(contact, scene->state->t)) {
        memcpy(d_c, d_z + device->i_z, (size_t)device->n_z * sizeof *d_c);
        return;
    }
    ElvTwist d_twist = vary_twist(contact, scene, d_nu);
    hold(contact, &d_twist, 1.0, d_c);
}

static void* layout(const ElvDevice* device, const ElvModel* model, ElvArena* arena) {
    ElvRodPoint* point = elv_arena_take(arena, 1, sizeof *point);
    ElvRodPoint placed = {0};
    elv_rod_point_layout(elv_contact_rod(as_contact(device), model), arena, &placed);
    if (point) {
        *point = placed;
    }
    return point;
}

// ---- messages

static bool is_within(double s) {
    return s >= -END_SLACK && s <= 1.0 + END_SLACK;
}

static ElvStatus check(const ElvDevice* device, double t, ElvError* error) {
    const ElvRodContact* contact = as_contact(device);
    char when[ELV_NUMBER_TEXT];
    double acts = elv_law_value(contact->when, t, 0.0);
    double s = contact->i_station >= 0 ? 0.5 : elv_law_value(contact->station, t, 0.0);
    if (!isfinite(acts)) {
        return elv_error_set(error, ELV_ERROR_NUMERIC, device->name, "while",
                             "'while' of contact '%s' is not a number %s", device->name,
                             elv_time_text(t, when));
    }
    if (acts != 0.0 && !is_within(s)) {
        return elv_error_set(error, ELV_ERROR_NUMERIC, device->name, "station",
                             "the station of contact '%s' is %.9g %s, beyond its rod: stations go "
                             "from 0 to 1; let 'while' end the contact before",
                             device->name, s, elv_time_text(t, when));
    }
    for (int k = 0; k < 3 && acts != 0.0 && contact->has_preload; k++) {
        if (!isfinite(elv_law_value(contact->preload[k], t, 0.0))) {
            return elv_error_set(error, ELV_ERROR_NUMERIC, device->name, "preload",
                                 "the preload of contact '%s' is not a number %s", device->name,
                                 elv_time_text(t, when));
        }
    }
    return ELV_OK;
}

static ElvStatus
range(const ElvDevice* device, const ElvModel* model, const ElvState* state, ElvError* error) {
    (void)model;
    const ElvRodContact* contact = as_contact(device);
    if (contact->i_station < 0 || !elv_contact_is_active(contact, state->t) ||
        is_within(state->z[contact->i_station])) {
        return ELV_OK;
    }
    return elv_error_set(error, ELV_ERROR_NUMERIC, device->name, "station",
                         "contact '%s' has slid off its rod (t = %.9g): let 'while' end it before",
                         device->name, state->t);
}

// ---- what is measured

static const char* const label_wrench[] = {"mx", "my", "mz", "fx", "fy", "fz"};
static const char* const unit_wrench[] = {"N m", "N m", "N m", "N", "N", "N"};
static const char* const unit_slip[] = {"m/s"};
static const char* const unit_one[] = {"1"};

static const char* const unit_force[] = {"N"};

enum { STATION, WRENCH, SLIP, PUSH, N_QUANTITY };

static const ElvDeviceQuantity quantities[N_QUANTITY] = {
    {"station", 1, NULL, unit_one},
    {"wrench", 6, label_wrench, unit_wrench},
    {"slip", 1, NULL, unit_slip},
    {"push", 1, NULL, unit_force},
};

bool elv_rod_contact_push(const ElvDevice* device, const ElvState* state, double* push) {
    bool is_contact =
        device->ops == &ELV_ROD_CONTACT_OPS || device->ops == &ELV_ROD_CONTACT_POINT_OPS;
    const ElvRodContact* contact = is_contact ? as_contact(device) : NULL;
    if (!contact || contact->i_push < 0 || !elv_contact_is_active(contact, state->t)) {
        return false;
    }
    *push = contact->side * state->z[device->i_z + contact->i_push];
    return true;
}

static bool preload(const ElvDevice* device, double t, double* z) {
    const ElvRodContact* contact = as_contact(device);
    memset(z, 0, (size_t)device->n_z * sizeof *z);
    if (!contact->has_preload || !elv_contact_is_active(contact, t)) {
        return false;
    }
    bool is_wanted = false;
    for (int k = 0; k < device->n_z; k++) {
        int axis = contact->component[k] - 3;
        z[k] = axis >= 0 ? elv_law_value(contact->preload[axis], t, 0.0) : 0.0;
        is_wanted = is_wanted || z[k] != 0.0;
    }
    return is_wanted;
}

static void measure(const ElvDevice* device, const ElvScene* scene, int i, double* value) {
    const ElvRodContact* contact = as_contact(device);
    bool acts = elv_contact_is_active(contact, scene->state->t);
    double slip[6] = {0.0};
    double sum = 0.0;
    switch (i) {
    case STATION:
        value[0] = elv_contact_station(contact, scene).v;
        break;
    case WRENCH:
        elv_wrench_to_array(local_wrench(contact, scene->state->z + device->i_z), value);
        for (int k = 0; k < 6 && !acts; k++) {
            value[k] = 0.0;
        }
        break;
    case PUSH:
        value[0] = 0.0;
        (void)elv_rod_contact_push(device, scene->state, value);
        break;
    default:
        motion(device, scene, 1, 0.0, slip);
        // turns as they move what is one length of the robot away
        for (int k = 0; k < device->n_z && acts; k++) {
            double part = slip[k] * (contact->component[k] < 3 ? contact->length : 1.0);
            sum += part * part;
        }
        value[0] = sqrt(sum);
        break;
    }
}

ElvWrench elv_rod_contact_beyond(
    const ElvModel* model, ElvData* data, const ElvState* state, int i_node, double s) {
    ElvScene scene = {model, data, state, NULL};
    ElvWrench sum = elv_wrench_zero();
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        if (device->ops != &ELV_ROD_CONTACT_POINT_OPS || as_contact(device)->i_node != i_node) {
            continue;
        }
        const ElvRodContact* contact = as_contact(device);
        if (elv_contact_is_active(contact, state->t) &&
            elv_contact_station(contact, &scene).v > s) {
            sum = elv_wrench_add(sum, wrench_now(contact, &scene));
        }
    }
    return sum;
}

ElvStatus elv_rod_contact_refuse(const ElvModel* model, ElvError* error) {
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        if (device->ops == &ELV_ROD_CONTACT_OPS && as_contact(device)->has_preload) {
            return elv_error_set(error, ELV_ERROR_INPUT, device->name, "preload",
                                 "contact '%s' has a preload: simulate the model with 'method: "
                                 "explicit', or remove it",
                                 device->name);
        }
        if (device->ops == &ELV_ROD_CONTACT_POINT_OPS) {
            return elv_error_set(error, ELV_ERROR_INPUT, device->name, "",
                                 "contact '%s' moves along its rod or with its obstacle: simulate "
                                 "the model with 'method: explicit', or hold a constant station "
                                 "on the world",
                                 device->name);
        }
    }
    return ELV_OK;
}

const ElvDeviceOps ELV_ROD_CONTACT_OPS = {
    .kind = "contact",
    .quantity = quantities,
    .n_quantity = N_QUANTITY,
    .measure = measure,
    .load = load,
    .equation = equation,
    .motion = motion,
    .is_loose = is_on_velocities,
    .is_turn = is_turn,
    .variation = variation,
    .column = column,
    .row = row,
    .preload = preload,
    .check = check,
};

const ElvDeviceOps ELV_ROD_CONTACT_POINT_OPS = {
    .kind = "contact",
    .quantity = quantities,
    .n_quantity = N_QUANTITY,
    .measure = measure,
    .layout = layout,
    .load = load,
    .effort = effort,
    .equation = equation,
    .motion = motion,
    .is_loose = is_on_velocities,
    .is_turn = is_turn,
    .column = column,
    .row = row,
    .preload = preload,
    .check = check,
    .range = range,
};
