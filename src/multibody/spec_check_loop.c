// SPDX-License-Identifier: Apache-2.0
// Checks of loops and the joints that close them. Such a joint has no coordinates of its own, so that what a joint
// of the tree has beyond its springs, dampers and drive is refused, and its angles are known up to turns alone.
#include "multibody/spec_check.h"

#include <math.h>
#include <string.h>

// pi, and what rounding of degrees adds
static const double half_turn = 3.141592653589793 * (1.0 + 1e-12);

static bool is_zero(const ElvLawDef* law) {
    return law->kind == ELV_LAW_CONSTANT && law->value == 0.0;
}

// the key of what joints of loops do not have, or NULL
static const char* surplus_key(const ElvJointDef* joint) {
    ElvJointDef other = elv_joint_def_default();
    const struct {
        const char* key;
        const double* value;
        const double* fallback;
    } list[] = {
        {"joint.friction", joint->friction, other.friction},
        {"joint.friction_speed", joint->friction_speed, other.friction_speed},
        {"joint.lower", joint->lower, other.lower},
        {"joint.upper", joint->upper, other.upper},
        {"joint.stop_stiffness", joint->stop_stiffness, other.stop_stiffness},
        {"joint.stop_damping", joint->stop_damping, other.stop_damping},
        {"joint.stop_width", joint->stop_width, other.stop_width},
        {"joint.gear", joint->gear, other.gear},
        {"joint.rotor_inertia", joint->rotor_inertia, other.rotor_inertia},
        {"joint.kp", joint->kp, other.kp},
        {"joint.kd", joint->kd, other.kd},
        {"joint.ki", joint->ki, other.ki},
        {"joint.max_effort", joint->max_effort, other.max_effort},
        {"joint.position", joint->position, other.position},
        {"joint.velocity", joint->velocity, other.velocity},
    };
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        for (int k = 0; k < 6; k++) {
            // true for NaN as well
            if (!(list[i].value[k] == list[i].fallback[k])) {
                return list[i].key;
            }
        }
    }
    for (int k = 0; k < 6; k++) {
        if (!is_zero(&joint->target[k])) {
            return "joint.target";
        }
    }
    return joint->pitch == other.pitch ? NULL : "joint.pitch";
}

// how many coordinates of a joint are angles that are known up to turns; they come first
static int count_angles(ElvJointType type) {
    switch (type) {
    case ELV_JOINT_REVOLUTE:
    case ELV_JOINT_CYLINDRICAL:
    case ELV_JOINT_PLANAR:
        return 1;
    case ELV_JOINT_UNIVERSAL:
        return 2;
    default:
        return 0;
    }
}

static bool check_rest(const char* name, const ElvJointDef* joint, ElvError* error) {
    for (int k = 0; k < count_angles(joint->type); k++) {
        if (fabs(joint->rest[k]) > half_turn) {
            return elv_check_fail(error, name, "joint.rest",
                                  "the angle of a loop is known from -pi to pi, got a rest of %g: "
                                  "springs over several turns need the joint in the tree; cut the "
                                  "loop elsewhere",
                                  joint->rest[k]);
        }
    }
    return true;
}

static bool check_loop_joint(const char* name, const ElvJointDef* joint, ElvError* error) {
    if (joint->type == ELV_JOINT_HELICAL || joint->type == ELV_JOINT_FREE) {
        return elv_check_fail(error, name, "joint", "a %s joint cannot close a loop: %s",
                              elv_joint_type_name(joint->type),
                              joint->type == ELV_JOINT_FREE
                                  ? "it ties nothing; take the loop away, or use fixed, revolute, "
                                    "prismatic, cylindrical, universal, planar or spherical"
                                  : "put that joint into the tree and cut the loop elsewhere");
    }
    const char* key = surplus_key(joint);
    if (key || joint->callback) {
        key = key ? key : "joint";
        return elv_check_fail(error, name, key,
                              "a joint that closes a loop has no %s: put that joint into the tree "
                              "and cut the loop elsewhere",
                              joint->callback ? "callback" : key + strlen("joint."));
    }
    return elv_check_joint(name, joint, error) && check_rest(name, joint, error);
}

static bool check_penalty(const ElvLoopDef* def, ElvError* error) {
    const char* unit = "N m/rad and N/m";
    const double* penalty = def->penalty;
    if (def->closure == ELV_CLOSURE_EXACT) {
        return (penalty[0] == 0.0 && penalty[1] == 0.0) ||
               elv_check_fail(error, def->name, "penalty",
                              "'penalty' has no effect on an exact loop: take it away, or write "
                              "'closure: penalty' or 'closure: augmented'");
    }
    if (penalty[0] == 0.0 && penalty[1] == 0.0) {
        return elv_check_fail(error, def->name, "penalty",
                              "the springs of the loop have no stiffness: give 'penalty' in %s",
                              unit);
    }
    // a spherical joint has no springs against rotation, unless that is imposed
    bool is_free_to_turn = def->joint.type == ELV_JOINT_SPHERICAL &&
                           def->joint.drive != ELV_DRIVE_MOTION && penalty[0] == 0.0;
    return (is_free_to_turn || elv_check_positive(def->name, "penalty", penalty[0], unit, error)) &&
           elv_check_positive(def->name, "penalty", penalty[1], unit, error);
}

bool elv_check_loop(const ElvSpec* spec, const ElvLoopDef* def, ElvError* error) {
    if (!elv_check_name(spec, def->name, "loop", error) ||
        !elv_check_pair(def->name, "between[0]", def->first, "between[1]", def->second, error) ||
        !elv_check_laws(def->name, "pose.rpy", def->pose, 3, error) ||
        !elv_check_laws(def->name, "pose.xyz", def->pose + 3, 3, error) ||
        !check_loop_joint(def->name, &def->joint, error)) {
        return false;
    }
    if ((unsigned)def->closure > ELV_CLOSURE_AUGMENTED) {
        return elv_check_fail(error, def->name, "closure", "unknown kind of closure (%d)",
                              (int)def->closure);
    }
    return check_penalty(def, error);
}
