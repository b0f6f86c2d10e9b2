// SPDX-License-Identifier: Apache-2.0
// Checks of bodies, their joints, and named frames.
#include "joint/lumped.h"
#include "multibody/body_inertia.h"
#include "multibody/spec_check.h"

#include <math.h>

// a direction of any length, as long as it has one
static bool
check_axis(const char* element, const char* field, const ElvVec3* axis, ElvError* error) {
    double length = elv_vec3_norm(*axis);
    if (!isfinite(length) || !(length > 0.0)) {
        return elv_check_fail(error, element, field,
                              "%s (%g, %g, %g) has no direction: give a finite vector that is not "
                              "zero",
                              field, axis->x, axis->y, axis->z);
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
    if (!check_axis(element, "joint.axis", &joint->axis, error)) {
        return false;
    }
    if (joint->type != ELV_JOINT_UNIVERSAL) {
        return true;
    }
    if (!check_axis(element, "joint.axis2", &joint->axis2, error)) {
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
    return elv_check_laws(element, field, joint->law, 6, error);
}

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
           elv_check_not_negative(element, "joint.rotor_inertia", joint->rotor_inertia, 6, unit,
                                  error) &&
           elv_check_finite(element, "joint.rest", joint->rest, 6, error) &&
           elv_check_finite(element, "joint.position", joint->position, 6, error) &&
           elv_check_finite(element, "joint.velocity", joint->velocity, 6, error) &&
           check_drive(element, joint, error);
}

ElvStatus elv_check_body(const ElvSpec* spec, const ElvBodyDef* def, ElvError* error) {
    if (!elv_check_name(spec, def->name, "body", error) ||
        !elv_check_reference(def->name, "parent", def->parent, error) ||
        !elv_check_pose(def->name, "pose", &def->pose, error) ||
        !elv_check_joint(def->name, &def->joint, error) ||
        !elv_check_pose(def->name, "body_pose", &def->body_pose, error)) {
        return ELV_ERROR_INPUT;
    }
    ElvMassProperties ignored;
    return elv_body_inertia(def, &ignored, error);
}

ElvStatus elv_check_frame(const ElvSpec* spec, const ElvFrameDef* def, ElvError* error) {
    if (!elv_check_name(spec, def->name, "frame", error) ||
        !elv_check_reference(def->name, "on", def->on, error) ||
        !elv_check_pose(def->name, "pose", &def->pose, error)) {
        return ELV_ERROR_INPUT;
    }
    return ELV_OK;
}
