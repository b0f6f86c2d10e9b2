// SPDX-License-Identifier: Apache-2.0
// Joints of model files. Joints of one coordinate take plain values, others lists with one value for
// each; spherical and free joints name their coordinates {rpy: [...], xyz: [...]}.
#include "io/read_joint.h"

#include "io/format_names.h"
#include "io/read_law.h"
#include "joint/lumped.h"

#include <math.h>

typedef enum {
    KEY_AXIS,
    KEY_AXIS2,
    KEY_PITCH,
    KEY_DAMPING,
    KEY_STIFFNESS,
    KEY_REST,
    KEY_FRICTION,
    KEY_FRICTION_SPEED,
    KEY_LOWER,
    KEY_UPPER,
    KEY_STOP_STIFFNESS,
    KEY_STOP_DAMPING,
    KEY_STOP_WIDTH,
    KEY_GEAR,
    KEY_ROTOR_INERTIA,
    KEY_FORCE,
    KEY_MOTION,
    KEY_KP,
    KEY_KD,
    KEY_KI,
    KEY_TARGET,
    KEY_MAX_EFFORT,
    KEY_POSITION,
    KEY_VELOCITY,
    N_KEY
} JointKey;

static const char* const joint_keys[N_KEY] = {
    [KEY_AXIS] = "axis",
    [KEY_AXIS2] = "axis2",
    [KEY_PITCH] = "pitch",
    [KEY_DAMPING] = "damping",
    [KEY_STIFFNESS] = "stiffness",
    [KEY_REST] = "rest",
    [KEY_FRICTION] = "friction",
    [KEY_FRICTION_SPEED] = "friction_speed",
    [KEY_LOWER] = "lower",
    [KEY_UPPER] = "upper",
    [KEY_STOP_STIFFNESS] = "stop_stiffness",
    [KEY_STOP_DAMPING] = "stop_damping",
    [KEY_STOP_WIDTH] = "stop_width",
    [KEY_GEAR] = "gear",
    [KEY_ROTOR_INERTIA] = "rotor_inertia",
    [KEY_FORCE] = "force",
    [KEY_MOTION] = "motion",
    [KEY_KP] = "kp",
    [KEY_KD] = "kd",
    [KEY_KI] = "ki",
    [KEY_TARGET] = "target",
    [KEY_MAX_EFFORT] = "max_effort",
    [KEY_POSITION] = "position",
    [KEY_VELOCITY] = "velocity",
};

static int n_dof(const ElvJointDef* joint) {
    return elv_lumped_type(joint->type)->n_v;
}

// joints whose coordinates are a rotation, and perhaps a position
static bool is_spatial(const ElvJointDef* joint) {
    return joint->type == ELV_JOINT_SPHERICAL || joint->type == ELV_JOINT_FREE;
}

static bool has_key(const ElvJointDef* joint, JointKey key) {
    switch (key) {
    case KEY_AXIS:
        return n_dof(joint) > 0 && !is_spatial(joint);
    case KEY_AXIS2:
        return joint->type == ELV_JOINT_UNIVERSAL;
    case KEY_PITCH:
        return joint->type == ELV_JOINT_HELICAL;
    case KEY_REST:
    case KEY_LOWER:
    case KEY_UPPER:
    case KEY_STOP_STIFFNESS:
    case KEY_STOP_DAMPING:
    case KEY_STOP_WIDTH:
    case KEY_KP:
    case KEY_KD:
    case KEY_KI:
    case KEY_TARGET:
    case KEY_MAX_EFFORT:
        return n_dof(joint) > 0 && !is_spatial(joint);
    default:
        return n_dof(joint) > 0;
    }
}

static bool check_keys(ElvReader* reader, const ElvYaml* node, const ElvJointDef* joint) {
    if (!elv_read_keys(reader, node, "a map with the keys of a joint", joint_keys, N_KEY)) {
        return false;
    }
    for (int i = 0; i < N_KEY; i++) {
        const ElvYaml* value = elv_yaml_get(node, joint_keys[i]);
        if (value && !has_key(joint, (JointKey)i)) {
            return elv_read_fail(reader, value->key, "a %s joint has no '%s'",
                                 elv_joint_names[joint->type], joint_keys[i]);
        }
    }
    return true;
}

// ---- values by component

bool elv_read_axis(ElvReader* reader, const ElvYaml* map, const char* key, ElvVec3* axis) {
    static const char* const words[] = {"x", "y", "z", "-x", "-y", "-z"};
    const ElvYaml* node = elv_yaml_get(map, key);
    if (!node) {
        return true;
    }
    if (node->kind == ELV_YAML_LIST) {
        return elv_read_vec3(reader, node, axis);
    }
    int choice = 0;
    if (node->kind == ELV_YAML_MAP || !elv_read_choice(reader, node, "axis", words, 6, &choice)) {
        return elv_read_fail_expected(reader, node, "an axis: x, y, z, -x, -y, -z or [x, y, z]");
    }
    double unit[3] = {0.0, 0.0, 0.0};
    unit[choice % 3] = choice < 3 ? 1.0 : -1.0;
    *axis = elv_vec3(unit[0], unit[1], unit[2]);
    return true;
}

// one number, or a list with one for each of n components; is_repeated: one number stands for all
static bool read_components(
    ElvReader* reader, const ElvYaml* map, JointKey key, int n, bool is_repeated, double value[6]) {
    const ElvYaml* node = elv_yaml_get(map, joint_keys[key]);
    if (!node) {
        return true;
    }
    if (node->kind != ELV_YAML_SCALAR || (n > 1 && !is_repeated)) {
        return elv_read_numbers(reader, node, n, value);
    }
    double all = 0.0;
    if (!elv_read_number(reader, node, &all)) {
        return false;
    }
    for (int i = 0; i < n; i++) {
        value[i] = all;
    }
    return true;
}

// a number, or .inf or -.inf where there is no limit
static bool read_limit(ElvReader* reader, const ElvYaml* node, double* value) {
    static const char* const words[] = {".inf", "+.inf", "-.inf", "inf", "+inf", "-inf"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (elv_yaml_is(node, words[i])) {
            *value = words[i][0] == '-' ? -INFINITY : INFINITY;
            return true;
        }
    }
    return elv_read_number(reader, node, value);
}

// the same as components, where some may be without a limit
static bool read_limits(
    ElvReader* reader, const ElvYaml* map, JointKey key, int n, bool is_repeated, double value[6]) {
    const ElvYaml* node = elv_yaml_get(map, joint_keys[key]);
    bool is_list = node && node->kind == ELV_YAML_LIST && node->n == n;
    // what is neither a list of n nor one number has its message there
    if (!node || (!is_list && (node->kind != ELV_YAML_SCALAR || (n > 1 && !is_repeated)))) {
        return read_components(reader, map, key, n, is_repeated, value);
    }
    const ElvYaml* item = is_list ? node->first : node;
    for (int i = 0; i < n; i++) {
        if (!read_limit(reader, item, &value[i])) {
            return false;
        }
        item = is_list ? item->next : item;
    }
    return true;
}

// {rpy: [3], xyz: [3]}; spherical joints have no xyz
static bool check_spatial(ElvReader* reader, const ElvYaml* node, const ElvJointDef* joint) {
    static const char* const words[] = {"rpy", "xyz"};
    bool is_free = joint->type == ELV_JOINT_FREE;
    const char* what = is_free ? "{rpy: [...], xyz: [...]}" : "{rpy: [roll, pitch, yaw]}";
    return elv_read_keys(reader, node, what, words, is_free ? 2 : 1);
}

static bool read_position(ElvReader* reader, const ElvYaml* map, ElvJointDef* joint) {
    const ElvYaml* node = elv_yaml_get(map, "position");
    if (!node || !is_spatial(joint)) {
        return read_components(reader, map, KEY_POSITION, n_dof(joint), false, joint->position);
    }
    const ElvYaml* rpy = elv_yaml_get(node, "rpy");
    const ElvYaml* xyz = elv_yaml_get(node, "xyz");
    return check_spatial(reader, node, joint) &&
           (!rpy || elv_read_numbers(reader, rpy, 3, joint->position)) &&
           (!xyz || elv_read_numbers(reader, xyz, 3, joint->position + 3));
}

// ---- drives

// one law for joints of one component, else a list
static bool read_laws(ElvReader* reader, const ElvYaml* node, int n, ElvLawDef* law) {
    if (n == 1 && node->kind != ELV_YAML_LIST) {
        return elv_read_law(reader, node, ELV_READ_T, law);
    }
    return elv_read_laws(reader, node, n, ELV_READ_T, law);
}

static bool read_motion(ElvReader* reader, const ElvYaml* node, ElvJointDef* joint) {
    if (!is_spatial(joint)) {
        return read_laws(reader, node, n_dof(joint), joint->law);
    }
    const ElvYaml* rpy = elv_yaml_get(node, "rpy");
    const ElvYaml* xyz = elv_yaml_get(node, "xyz");
    return check_spatial(reader, node, joint) &&
           (!rpy || elv_read_laws(reader, rpy, 3, ELV_READ_T, joint->law)) &&
           (!xyz || elv_read_laws(reader, xyz, 3, ELV_READ_T, joint->law + 3));
}

static bool read_drive(ElvReader* reader, const ElvYaml* map, ElvJointDef* joint) {
    const ElvYaml* force = elv_yaml_get(map, "force");
    const ElvYaml* motion = elv_yaml_get(map, "motion");
    if (force && motion) {
        return elv_read_fail(reader, motion->key,
                             "a joint is driven by 'force' or by 'motion', not by both");
    }
    if (force) {
        joint->drive = ELV_DRIVE_FORCE;
        return read_laws(reader, force, n_dof(joint), joint->law);
    }
    if (!motion) {
        return true;
    }

    // the laws give where the joint is at every time
    const ElvYaml* start = elv_yaml_get(map, "position");
    start = start ? start : elv_yaml_get(map, "velocity");
    if (start) {
        return elv_read_fail(reader, start->key, "'motion' gives the %s at t = 0: remove '%s'",
                             start->key->text, start->key->text);
    }
    joint->drive = ELV_DRIVE_MOTION;
    return read_motion(reader, motion, joint);
}

// ---- friction, stops, controllers

static bool read_stops(ElvReader* reader, const ElvYaml* map, ElvJointDef* joint) {
    int n = n_dof(joint);
    return read_limits(reader, map, KEY_LOWER, n, false, joint->lower) &&
           read_limits(reader, map, KEY_UPPER, n, false, joint->upper) &&
           read_components(reader, map, KEY_STOP_STIFFNESS, n, true, joint->stop_stiffness) &&
           read_components(reader, map, KEY_STOP_DAMPING, n, true, joint->stop_damping) &&
           read_components(reader, map, KEY_STOP_WIDTH, n, true, joint->stop_width);
}

static bool read_control(ElvReader* reader, const ElvYaml* map, ElvJointDef* joint) {
    int n = n_dof(joint);
    const ElvYaml* target = elv_yaml_get(map, "target");
    return read_components(reader, map, KEY_KP, n, true, joint->kp) &&
           read_components(reader, map, KEY_KD, n, true, joint->kd) &&
           read_components(reader, map, KEY_KI, n, true, joint->ki) &&
           (!target || read_laws(reader, target, n, joint->target)) &&
           read_limits(reader, map, KEY_MAX_EFFORT, n, true, joint->max_effort);
}

// ---- joints

static bool read_keys(ElvReader* reader, const ElvYaml* map, ElvJointDef* joint) {
    int n = n_dof(joint);
    return check_keys(reader, map, joint) && elv_read_axis(reader, map, "axis", &joint->axis) &&
           elv_read_axis(reader, map, "axis2", &joint->axis2) &&
           elv_read_number_at(reader, map, "pitch", &joint->pitch) &&
           read_components(reader, map, KEY_DAMPING, n, true, joint->damping) &&
           read_components(reader, map, KEY_STIFFNESS, n, true, joint->stiffness) &&
           read_components(reader, map, KEY_REST, n, false, joint->rest) &&
           read_components(reader, map, KEY_FRICTION, n, true, joint->friction) &&
           read_components(reader, map, KEY_FRICTION_SPEED, n, true, joint->friction_speed) &&
           read_stops(reader, map, joint) &&
           read_components(reader, map, KEY_GEAR, n, true, joint->gear) &&
           read_components(reader, map, KEY_ROTOR_INERTIA, n, true, joint->rotor_inertia) &&
           read_drive(reader, map, joint) && read_control(reader, map, joint) &&
           read_position(reader, map, joint) &&
           read_components(reader, map, KEY_VELOCITY, n, false, joint->velocity);
}

bool elv_read_joint(ElvReader* reader, const ElvYaml* node, ElvJointDef* joint) {
    int choice = 0;
    *joint = elv_joint_def_default();
    if (node->kind == ELV_YAML_SCALAR) {
        bool is_known =
            elv_read_choice(reader, node, "joint type", elv_joint_names, ELV_N_JOINT_TYPE, &choice);
        joint->type = (ElvJointType)choice;
        return is_known;
    }
    const ElvYaml* map = NULL;
    if (!elv_read_keys(reader, node, "a joint type, or {TYPE: {...}}", elv_joint_names,
                       ELV_N_JOINT_TYPE) ||
        !elv_read_one_of(reader, node, "joint", elv_joint_names, ELV_N_JOINT_TYPE, &map, &choice)) {
        return false;
    }
    joint->type = (ElvJointType)choice;

    // "revolute:" with nothing after it has its defaults
    return elv_yaml_is(map, "") || read_keys(reader, map, joint);
}

bool elv_read_item_joint(ElvReader* reader, const ElvYaml* item, ElvJointDef* joint) {
    static const JointKey beside[] = {KEY_AXIS, KEY_AXIS2};
    const ElvYaml* node = elv_yaml_get(item, "joint");
    *joint = elv_joint_def_default();
    if (node && !elv_read_joint(reader, node, joint)) {
        return false;
    }
    for (int i = 0; i < 2; i++) {
        const char* key = joint_keys[beside[i]];
        const ElvYaml* value = elv_yaml_get(item, key);
        if (value && !has_key(joint, beside[i])) {
            return elv_read_fail(reader, value->key, "a %s joint has no '%s'",
                                 elv_joint_names[joint->type], key);
        }
        if (value && node && node->kind != ELV_YAML_SCALAR) {
            return elv_read_fail(
                reader, value->key,
                "'%s' stands beside a joint that has keys of its own: write 'joint: "
                "{%s: {%s: ...}}'",
                key, elv_joint_names[joint->type], key);
        }
    }
    return elv_read_axis(reader, item, "axis", &joint->axis) &&
           elv_read_axis(reader, item, "axis2", &joint->axis2);
}
