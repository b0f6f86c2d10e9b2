// SPDX-License-Identifier: Apache-2.0
// Checks of bodies and named frames.
#include "multibody/body_inertia.h"
#include "multibody/spec_check.h"

ElvStatus elv_check_body(const ElvSpec* spec, const ElvBodyDef* def, ElvError* error) {
    if (!elv_check_name(spec, def->name, "body", error) ||
        !elv_check_reference(def->name, "parent", def->parent, error) ||
        !elv_check_pose(def->name, "pose", &def->pose, error) ||
        !elv_check_joint(def->name, &def->joint, error) ||
        !elv_check_pose(def->name, "body_pose", &def->body_pose, error) ||
        !elv_check_not_negative(def->name, "resistance", def->resistance, 6, "N m s and N s/m",
                                error) ||
        !elv_check_not_negative(def->name, "added_inertia", def->added_inertia, 6, "kg m^2 and kg",
                                error) ||
        !elv_check_body_fluid(def, error)) {
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
