// SPDX-License-Identifier: Apache-2.0
// Devices of a model from the actuators of its spec. A tendon's path becomes stretches along rods and
// straight strands between points that are not always the same; its length is that of the initial
// configuration.
#include "multibody/compile_device.h"
#include "multibody/integral_control.h"
#include "multibody/tendon.h"
#include "multibody/velocity_control.h"

#include <math.h>
#include <string.h>

ElvStatus elv_compile_add_device(ElvCompiler* c, ElvDevice* device, const char* name) {
    ElvModel* model = c->model;
    ElvDevice** list = elv_pool_grow(&model->pool, model->device, model->n_device, sizeof(void*));
    device->name = elv_pool_string(&model->pool, name);
    if (!list || !device->name) {
        return elv_compile_no_memory(c);
    }
    device->i_z = model->nz;
    device->i_device = model->n_device;
    model->is_constrained = model->is_constrained || device->ops->motion;
    model->device = list;
    list[model->n_device++] = device;
    model->nz += device->n_z;
    return ELV_OK;
}

ElvStatus
elv_compile_rod_node(const ElvCompiler* c, const char* rod, const char* element, int* i_node) {
    int i_element = 0;
    ElvStatus status = elv_compile_find_rod(c, rod, element, &i_element);
    *i_node = status == ELV_OK ? c->node_of[i_element] : -1;
    return status;
}

int elv_compile_channel(const ElvCompiler* c, int i_actuator, int i_node) {
    return c->model->node[i_node].i_channel + c->channel_of[c->first_part[i_actuator]];
}

static ElvStatus compile_chamber(ElvCompiler* c, int i_actuator) {
    const ElvChamberDef* def = &c->spec->actuator[i_actuator].as.chamber;
    ElvChamber* chamber = elv_pool_take(&c->model->pool, 1, sizeof *chamber);
    if (!chamber) {
        return elv_compile_no_memory(c);
    }
    int i_node = 0;
    ElvStatus status = elv_compile_rod_node(c, def->path.rod, def->name, &i_node);
    if (status == ELV_OK) {
        status = elv_law_set_add(&c->model->laws, &def->pressure, ELV_LAW_OF_T, def->name,
                                 "pressure", &chamber->pressure, c->error);
    }
    if (status != ELV_OK) {
        return status;
    }
    chamber->device.ops = &ELV_CHAMBER_OPS;
    chamber->i_channel = elv_compile_channel(c, i_actuator, i_node);
    return elv_compile_add_device(c, &chamber->device, def->name);
}

static ElvStatus compile_velocity_control(ElvCompiler* c, const ElvVelocityControlDef* def) {
    ElvVelocityControl* control = elv_pool_take(&c->model->pool, 1, sizeof *control);
    if (!control) {
        return elv_compile_no_memory(c);
    }
    ElvResolved resolved;
    ElvStatus status = elv_compile_resolve(c, def->at, def->name, "at", &resolved);
    for (int k = 0; k < 6 && status == ELV_OK; k++) {
        control->kp[k] = def->kp[k];
        control->ki[k] = def->ki[k];
        status = elv_law_set_add(&c->model->laws, &def->velocity[k], ELV_LAW_OF_T, def->name,
                                 k < 3 ? "angular" : "linear", &control->velocity[k], c->error);
    }
    if (status != ELV_OK) {
        return status;
    }
    control->frame = elv_compile_frame(c, &resolved);
    control->device.ops = &ELV_VELOCITY_CONTROL_OPS;
    control->device.n_z = 6;
    control->device.is_differential = true;
    return elv_compile_add_device(c, &control->device, def->name);
}

// ---- paths

// a tendon in the making
typedef struct {
    ElvTendon* tendon;
    ElvTendonStretch* stretch;
    ElvTendonStrand* strand;
    ElvData* data; // for poses at trial states
    ElvState* state;
} Path;

enum { N_TRIAL = 4 };

// trial state i: the initial one, then others at random
static void place_trial(const ElvModel* model, Path* path, int i) {
    unsigned seed = 12345u + (unsigned)i;
    elv_state_reset(model, path->state);
    for (int k = 0; k < model->nq && i > 0; k++) {
        seed = seed * 1664525u + 1013904223u;
        path->state->q[k] += 0.2 * ((double)(seed >> 8) / (double)(1u << 24) - 0.5);
    }
    // drives move as well
    path->state->t = 0.37 * i;
    elv_state_impose(model, path->state);
    elv_kinematics(model, path->data, path->state);
}

static double distance(const Path* path, const ElvFrame* a, const ElvFrame* b) {
    ElvVec3 p = elv_pose_apply(path->data->port[a->port].g, a->pose.p);
    ElvVec3 q = elv_pose_apply(path->data->port[b->port].g, b->pose.p);
    return elv_vec3_norm(elv_vec3_sub(p, q)) / (1.0 + elv_vec3_norm(p));
}

// a strand between two points, none where they are always the same
static ElvStatus
join(ElvCompiler* c, Path* path, const ElvFrame* from, const ElvFrame* to, const char* name) {
    static const double same = 1e-9;
    int n_same = 0;
    bool is_same_at_start = false;
    for (int i = 0; i < N_TRIAL; i++) {
        place_trial(c->model, path, i);
        bool is_same = distance(path, from, to) <= same;
        n_same += is_same;
        is_same_at_start = i == 0 ? is_same : is_same_at_start;
    }
    if (n_same == N_TRIAL) {
        return ELV_OK;
    }
    if (is_same_at_start) {
        return elv_error_set(
            c->error, ELV_ERROR_INPUT, name, "path",
            "two parts of the path of '%s' meet at the start but come apart as the "
            "robot moves: a strand without length has no direction; set the two "
            "points apart",
            name);
    }
    ElvTendonStrand* strand = &path->strand[path->tendon->n_strand++];
    strand->end[0] = *from;
    strand->end[1] = *to;
    strand->stretch = path->tendon->n_stretch - 1;
    return ELV_OK;
}

// the point of a path at a station of a rod
static ElvStatus rod_point(
    ElvCompiler* c, const ElvPathDef* part, int i_node, double s, const char* name, ElvFrame* at) {
    const ElvNode* node = &c->model->node[i_node];
    const ElvLaw *y, *z;
    ElvStatus status =
        elv_law_set_add(&c->model->laws, &part->y, ELV_LAW_OF_S, name, "path.y", &y, c->error);
    if (status == ELV_OK) {
        status =
            elv_law_set_add(&c->model->laws, &part->z, ELV_LAW_OF_S, name, "path.z", &z, c->error);
    }
    if (status != ELV_OK) {
        return status;
    }
    at->port = node->i_port;
    for (int i = 0; i < node->joint->n_port; i++) {
        double station = c->model->port[node->i_port + i].station;
        if (fabs(station - s) < fabs(c->model->port[at->port].station - s)) {
            at->port = node->i_port + i;
        }
    }
    ElvVec3 p = elv_vec3(0.0, elv_law_value(y, 0.0, s), elv_law_value(z, 0.0, s));
    at->pose = elv_pose(elv_mat3_identity(), p);
    return ELV_OK;
}

// the two ends of a part, which are one for a point
static ElvStatus
part_ends(ElvCompiler* c, const ElvPathDef* part, int i_node, const char* name, ElvFrame end[2]) {
    if (part->rod) {
        ElvStatus status = rod_point(c, part, i_node, part->from, name, &end[0]);
        return status == ELV_OK ? rod_point(c, part, i_node, part->to, name, &end[1]) : status;
    }
    ElvResolved resolved;
    ElvStatus status = elv_compile_resolve(c, part->at, name, "path.at", &resolved);
    if (status == ELV_OK) {
        end[0] = elv_compile_frame(c, &resolved);
        end[0].pose.p = elv_pose_apply(end[0].pose, part->point);
        end[1] = end[0];
    }
    return status;
}

static ElvStatus walk_path(ElvCompiler* c, int i_actuator, Path* path) {
    const ElvTendonDef* def = &c->spec->actuator[i_actuator].as.tendon;
    ElvFrame last = {0};
    for (int i = 0; i < def->n_path; i++) {
        const ElvPathDef* part = &def->path[i];
        ElvFrame end[2];
        int i_node = -1;
        ElvStatus status =
            part->rod ? elv_compile_rod_node(c, part->rod, def->name, &i_node) : ELV_OK;
        if (status == ELV_OK && def->n_path > 1) {
            status = part_ends(c, part, i_node, def->name, end);
            if (status == ELV_OK && i > 0) {
                status = join(c, path, &last, &end[0], def->name);
            }
            last = end[1];
        }
        if (status != ELV_OK) {
            return status;
        }
        if (part->rod) {
            ElvTendonStretch* stretch = &path->stretch[path->tendon->n_stretch++];
            stretch->i_node = i_node;
            stretch->i_channel =
                c->model->node[i_node].i_channel + c->channel_of[c->first_part[i_actuator] + i];
        }
    }
    return ELV_OK;
}

// ---- tendons

// number the unknowns of a tendon
static void number_unknowns(const ElvTendonDef* def, Path* path) {
    ElvTendon* tendon = path->tendon;
    int n = def->pull == ELV_PULL_LENGTH ? 3 : 0;
    for (int i = 0; i < tendon->n_stretch; i++) {
        path->stretch[i].i_z = i > 0 && def->friction > 0.0 ? n++ : -1;
    }
    for (int i = 0; i < tendon->n_strand; i++) {
        path->strand[i].i_z = n;
        n += 3;
    }
    tendon->device.n_z = n;
}

static ElvStatus compile_tendon(ElvCompiler* c, int i_actuator, Path* path) {
    const ElvTendonDef* def = &c->spec->actuator[i_actuator].as.tendon;
    ElvPool* pool = &c->model->pool;
    size_t n = (size_t)def->n_path;
    ElvTendon* tendon = path->tendon = elv_pool_take(pool, 1, sizeof *tendon);
    path->stretch = elv_pool_take(pool, n, sizeof *path->stretch);
    path->strand = elv_pool_take(pool, n, sizeof *path->strand);
    if (!tendon || !path->stretch || !path->strand) {
        return elv_compile_no_memory(c);
    }
    tendon->stretch = path->stretch;
    tendon->strand = path->strand;
    tendon->pull = def->pull;
    tendon->stiffness = def->stiffness;
    tendon->length = def->slack; // to which its length at the start is added
    bool is_explicit = def->pull == ELV_PULL_TENSION || def->stiffness > 0.0;
    tendon->device.ops = is_explicit ? &ELV_TENDON_EXPLICIT_OPS : &ELV_TENDON_OPS;
    ElvStatus status =
        elv_law_set_add(&c->model->laws, &def->law, ELV_LAW_OF_T, def->name,
                        def->pull == ELV_PULL_TENSION ? "tension" : "pull", &tendon->law, c->error);
    if (status == ELV_OK) {
        status = walk_path(c, i_actuator, path);
    }
    if (status != ELV_OK) {
        return status;
    }
    number_unknowns(def, path);
    return elv_compile_add_device(c, &tendon->device, def->name);
}

// lengths of the tendons at the start
static ElvStatus measure_tendons(ElvCompiler* c) {
    ElvModel* model = c->model;
    ElvData* data = NULL;
    ElvState* state = NULL;
    ElvStatus status = elv_data_create(model, &data, c->error);
    status = status == ELV_OK ? elv_state_create(model, &state, c->error) : status;
    if (status == ELV_OK) {
        ElvScene scene = {model, data, state, NULL};
        elv_device_see(model, data, state);
        for (int i = 0; i < model->n_device; i++) {
            const ElvDeviceOps* ops = model->device[i]->ops;
            if (ops == &ELV_TENDON_OPS || ops == &ELV_TENDON_EXPLICIT_OPS) {
                ElvTendon* tendon = (ElvTendon*)model->device[i];
                tendon->length += elv_tendon_measure(tendon, &scene).length;
            }
        }
    }
    elv_state_free(state);
    elv_data_free(data);
    return status;
}

static ElvStatus compile_actuator(ElvCompiler* c, int i, Path* path) {
    const ElvActuator* actuator = &c->spec->actuator[i];
    switch (actuator->kind) {
    case ELV_ACTUATOR_TENDON:
        return compile_tendon(c, i, path);
    case ELV_ACTUATOR_CHAMBER:
        return compile_chamber(c, i);
    case ELV_ACTUATOR_MUSCLE:
        return elv_compile_muscle(c, i);
    case ELV_ACTUATOR_VELOCITY_CONTROL:
        return compile_velocity_control(c, &actuator->as.velocity_control);
    case ELV_ACTUATOR_STRESS:
    case ELV_ACTUATOR_PATTERN:
    case ELV_ACTUATOR_STRAIN_CONTROL:
    case ELV_ACTUATOR_STRESS_LAW:
        break;
    }
    return ELV_OK;
}

// the integrals of the controllers of joints
static ElvStatus compile_integrals(ElvCompiler* c) {
    ElvModel* model = c->model;
    for (int j = 0; j < model->n_node; j++) {
        for (int i = 0; i < elv_integral_control_count(&model->node[j]); i++) {
            ElvIntegralControl* control = elv_pool_take(&model->pool, 1, sizeof *control);
            if (!control) {
                return elv_compile_no_memory(c);
            }
            elv_integral_control_init(control, model, j, i);
            ElvStatus status = elv_compile_add_device(c, &control->device, model->node[j].name);
            if (status != ELV_OK) {
                return status;
            }
        }
    }
    return ELV_OK;
}

static bool has_controller(const ElvJointDef* joint) {
    bool has_one = joint->callback != NULL;
    for (int k = 0; k < 6; k++) {
        has_one = has_one || joint->kp[k] != 0.0 || joint->kd[k] != 0.0 || joint->ki[k] != 0.0;
    }
    return has_one;
}

// whether anything but drives, loads and stress fields does work
static bool is_active(const ElvSpec* spec) {
    for (int i = 0; i < spec->n_actuator; i++) {
        if (spec->actuator[i].kind != ELV_ACTUATOR_STRESS) {
            return true;
        }
    }
    for (int i = 0; i < spec->n_element; i++) {
        const ElvElement* element = &spec->element[i];
        if (has_controller(element->is_rod ? &element->rod.joint : &element->body.joint)) {
            return true;
        }
    }
    return false;
}

ElvStatus elv_compile_devices(ElvCompiler* c) {
    c->model->is_active = is_active(c->spec);
    if (c->spec->n_actuator == 0) {
        ElvStatus integrals = compile_integrals(c);
        return integrals == ELV_OK ? elv_compile_constraints(c) : integrals;
    }
    // the tree without devices, at trial states
    Path path = {0};
    ElvStatus status = elv_data_create(c->model, &path.data, c->error);
    status = status == ELV_OK ? elv_state_create(c->model, &path.state, c->error) : status;
    for (int i = 0; i < c->spec->n_actuator && status == ELV_OK; i++) {
        status = compile_actuator(c, i, &path);
    }
    // unknowns that do not start at 0 would be written into the trial state: these come last
    for (int i = 0; i < c->spec->n_actuator && status == ELV_OK; i++) {
        if (c->spec->actuator[i].kind == ELV_ACTUATOR_PATTERN) {
            status = elv_compile_pattern(c, &c->spec->actuator[i].as.pattern);
        }
    }
    elv_state_free(path.state);
    elv_data_free(path.data);
    if (status == ELV_OK) {
        status = compile_integrals(c);
    }
    if (status == ELV_OK) {
        status = measure_tendons(c);
    }
    return status == ELV_OK ? elv_compile_constraints(c) : status;
}
