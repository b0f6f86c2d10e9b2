// SPDX-License-Identifier: Apache-2.0
// Checks of joints: axes, springs, friction, stops, drives and controllers. What a joint cannot use, and
// what would have no effect, is refused: nobody should tune a number in vain.
#include "joint/lumped.h"
#include "multibody/spec_check.h"

#include <math.h>

// ---- axes and drives

bool elv_check_axis(const char* element, const char* field, ElvVec3 axis, ElvError* error) {
    double length = elv_vec3_norm(axis);
    if (!isfinite(length) || !(length > 0.0)) {
        return elv_check_fail(error, element, field,
                              "%s (%g, %g, %g) has no direction: give a finite vector that is not "
                              "zero",
                              field, axis.x, axis.y, axis.z);
    }
    return true;
}

static bool has_axis(ElvJointType type) {
    return type != ELV_JOINT_FIXED && type != ELV_JOINT_SPHERICAL && type != ELV_JOINT_FREE;
}

static bool check_axes(const char* element, const ElvJointDef* joint, ElvError* error) {
    if (!has_axis(joint->type)) {
        return true;
    }
    if (!elv_check_axis(element, "joint.axis", joint->axis, error)) {
        return false;
    }
    if (joint->type != ELV_JOINT_UNIVERSAL) {
        return true;
    }
    if (!elv_check_axis(element, "joint.axis2", joint->axis2, error)) {
        return false;
    }
    double sine = elv_vec3_norm(elv_vec3_cross(joint->axis, joint->axis2)) /
                  elv_vec3_norm(joint->axis) / elv_vec3_norm(joint->axis2);
    if (!(sine > ELV_PARALLEL_SINE)) {
        return elv_check_fail(error, element, "joint.axis2",
                              "the two axes of a universal joint must not be parallel: give "
                              "joint.axis2 another direction than joint.axis");
    }
    return true;
}

static bool check_drive(const char* element, const ElvJointDef* joint, ElvError* error) {
    if ((unsigned)joint->drive > ELV_DRIVE_MOTION) {
        return elv_check_fail(error, element, "joint", "unknown kind of drive (%d)",
                              (int)joint->drive);
    }
    const char* field = joint->drive == ELV_DRIVE_MOTION ? "joint.motion" : "joint.force";
    if (joint->type == ELV_JOINT_FIXED && joint->drive != ELV_DRIVE_PASSIVE) {
        return elv_check_fail(error, element, field,
                              "a fixed joint has nothing to drive: take %s away or choose another "
                              "type of joint",
                              field);
    }
    if (joint->type == ELV_JOINT_FIXED && joint->callback) {
        return elv_check_fail(error, element, "joint", "a fixed joint has nothing to control");
    }
    return elv_check_laws(element, field, joint->law, 6, error);
}

// ---- friction, stops, motors

// finite and greater than zero, by component
static bool check_positive(const char* element,
                           const char* field,
                           const double* value,
                           const char* unit,
                           ElvError* error) {
    for (int k = 0; k < 6; k++) {
        if (!elv_check_positive(element, field, value[k], unit, error)) {
            return false;
        }
    }
    return true;
}

static bool check_friction(const char* element, const ElvJointDef* joint, ElvError* error) {
    return elv_check_not_negative(element, "joint.friction", joint->friction, 6, "N m or N",
                                  error) &&
           check_positive(element, "joint.friction_speed", joint->friction_speed, "rad/s or m/s",
                          error);
}

// limits of one component
static bool check_limits(const char* element, const ElvJointDef* joint, int k, ElvError* error) {
    double lower = joint->lower[k];
    double upper = joint->upper[k];
    if (isnan(lower) || lower == INFINITY) {
        return elv_check_fail(error, element, "joint.lower",
                              "joint.lower must be a number, or -infinity for no limit, got %g",
                              lower);
    }
    if (isnan(upper) || upper == -INFINITY) {
        return elv_check_fail(error, element, "joint.upper",
                              "joint.upper must be a number, or infinity for no limit, got %g",
                              upper);
    }
    if (!(lower < upper)) {
        return elv_check_fail(error, element, "joint.lower",
                              "joint.lower (%g) must be below joint.upper (%g)", lower, upper);
    }
    bool has_limit = isfinite(lower) || isfinite(upper);
    const char* field = isfinite(lower) ? "joint.lower" : "joint.upper";
    if (has_limit && joint->stop_stiffness[k] == 0.0) {
        return elv_check_fail(error, element, field,
                              "%s needs a stop: give its stiffness, joint.stop_stiffness, in "
                              "N m/rad or N/m",
                              field);
    }
    return true;
}

static bool check_stops(const char* element, const ElvJointDef* joint, ElvError* error) {
    const char* per = "s/rad or s/m";
    if (!elv_check_not_negative(element, "joint.stop_stiffness", joint->stop_stiffness, 6,
                                "N m/rad or N/m", error) ||
        !elv_check_not_negative(element, "joint.stop_damping", joint->stop_damping, 6, per,
                                error) ||
        !check_positive(element, "joint.stop_width", joint->stop_width, "rad or m", error)) {
        return false;
    }
    bool has_limit = false;
    bool has_stiffness = false;
    for (int k = 0; k < 6; k++) {
        if (!check_limits(element, joint, k, error)) {
            return false;
        }
        has_limit = has_limit || isfinite(joint->lower[k]) || isfinite(joint->upper[k]);
        has_stiffness = has_stiffness || joint->stop_stiffness[k] > 0.0;
    }
    if (has_stiffness && !has_limit) {
        return elv_check_fail(error, element, "joint.stop_stiffness",
                              "there is no stop without a limit: give joint.lower or joint.upper");
    }
    return true;
}

static bool check_motor(const char* element, const ElvJointDef* joint, ElvError* error) {
    if (!elv_check_finite(element, "joint.gear", joint->gear, 6, error)) {
        return false;
    }
    for (int k = 0; k < 6; k++) {
        if (joint->gear[k] == 0.0) {
            return elv_check_fail(error, element, "joint.gear",
                                  "joint.gear must not be 0: give the turns of the motor for one "
                                  "turn of the joint, 1 without a gear");
        }
    }
    return elv_check_not_negative(element, "joint.rotor_inertia", joint->rotor_inertia, 6,
                                  "kg m^2 or kg", error);
}

// ---- controllers

static bool has_gain(const ElvJointDef* joint) {
    for (int k = 0; k < 6; k++) {
        if (joint->kp[k] != 0.0 || joint->kd[k] != 0.0 || joint->ki[k] != 0.0) {
            return true;
        }
    }
    return false;
}

static bool check_gains(const char* element, const ElvJointDef* joint, ElvError* error) {
    static const char* const field[3] = {"joint.kp", "joint.kd", "joint.ki"};
    const double* gain[3] = {joint->kp, joint->kd, joint->ki};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 6; k++) {
            if (!elv_check_finite(element, field[i], gain[i], 6, error)) {
                return false;
            }
            if (gain[i][k] < 0.0) {
                return elv_check_fail(error, element, field[i],
                                      "%s must not be negative, got %g: the controller would drive "
                                      "the joint away from its target",
                                      field[i], gain[i][k]);
            }
        }
    }
    for (int k = 0; k < 6; k++) {
        if (!(joint->max_effort[k] > 0.0)) {
            return elv_check_fail(error, element, "joint.max_effort",
                                  "joint.max_effort must be positive, got %g; give it in N m or N, "
                                  "or leave it out for no limit",
                                  joint->max_effort[k]);
        }
    }
    return true;
}

// whether a law is more than the constant 0
static bool is_given(const ElvLawDef* law) {
    return law->kind != ELV_LAW_CONSTANT || law->value != 0.0;
}

// the keys of a controller that is not there
static const char* idle_key(const ElvJointDef* joint) {
    for (int k = 0; k < 6; k++) {
        if (is_given(&joint->target[k])) {
            return "joint.target";
        }
        if (isfinite(joint->max_effort[k])) {
            return "joint.max_effort";
        }
    }
    return NULL;
}

static bool check_control(const char* element, const ElvJointDef* joint, ElvError* error) {
    if (!check_gains(element, joint, error) ||
        !elv_check_laws(element, "joint.target", joint->target, 6, error)) {
        return false;
    }
    const char* idle = has_gain(joint) ? NULL : idle_key(joint);
    if (idle) {
        return elv_check_fail(error, element, idle,
                              "%s belongs to a controller: give it gains, joint.kp, joint.kd or "
                              "joint.ki",
                              idle);
    }
    bool is_imposed = joint->drive == ELV_DRIVE_MOTION;
    if (is_imposed && (has_gain(joint) || joint->callback)) {
        return elv_check_fail(error, element, "joint.motion",
                              "an imposed motion leaves nothing to control: take joint.motion or "
                              "the controller away");
    }
    return true;
}

// what needs coordinates that are numbers, on joints whose are not
static bool check_scalar(const char* element, const ElvJointDef* joint, ElvError* error) {
    if (joint->type != ELV_JOINT_SPHERICAL && joint->type != ELV_JOINT_FREE) {
        return true;
    }
    bool has_limit = false;
    for (int k = 0; k < 6; k++) {
        has_limit = has_limit || isfinite(joint->lower[k]) || isfinite(joint->upper[k]);
    }
    if (has_limit || has_gain(joint)) {
        return elv_check_fail(error, element, "joint",
                              "a %s joint has no %s: its coordinates are a rotation; a C callback "
                              "can act on it",
                              elv_joint_type_name(joint->type),
                              has_limit ? "limits" : "position controller");
    }
    return true;
}

// ---- joints

bool elv_check_joint(const char* element, const ElvJointDef* joint, ElvError* error) {
    if ((unsigned)joint->type >= ELV_N_JOINT_TYPE) {
        return elv_check_fail(error, element, "joint", "unknown type of joint (%d)",
                              (int)joint->type);
    }
    const char* unit = "SI units";
    return check_axes(element, joint, error) &&
           elv_check_finite(element, "joint.pitch", &joint->pitch, 1, error) &&
           elv_check_not_negative(element, "joint.damping", joint->damping, 6, unit, error) &&
           elv_check_not_negative(element, "joint.stiffness", joint->stiffness, 6, unit, error) &&
           check_motor(element, joint, error) && check_friction(element, joint, error) &&
           check_stops(element, joint, error) && check_control(element, joint, error) &&
           check_scalar(element, joint, error) &&
           elv_check_finite(element, "joint.rest", joint->rest, 6, error) &&
           elv_check_finite(element, "joint.position", joint->position, 6, error) &&
           elv_check_finite(element, "joint.velocity", joint->velocity, 6, error) &&
           check_drive(element, joint, error);
}
