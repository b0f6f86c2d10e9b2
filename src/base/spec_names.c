// SPDX-License-Identifier: Apache-2.0
// Names of strains, joint types and drives of wheels, in the order of their enumerations. Values outside of an
// enumeration, which a C program may give, have the name "?".
#include "base/spec_names.h"

const char* const elv_strain_names[ELV_N_STRAIN] = {
    [ELV_STRAIN_TWIST] = "twist",     [ELV_STRAIN_BEND_Y] = "bend_y",
    [ELV_STRAIN_BEND_Z] = "bend_z",   [ELV_STRAIN_STRETCH] = "stretch",
    [ELV_STRAIN_SHEAR_Y] = "shear_y", [ELV_STRAIN_SHEAR_Z] = "shear_z",
};

const char* const elv_joint_names[ELV_N_JOINT_TYPE] = {
    [ELV_JOINT_FIXED] = "fixed",
    [ELV_JOINT_REVOLUTE] = "revolute",
    [ELV_JOINT_PRISMATIC] = "prismatic",
    [ELV_JOINT_HELICAL] = "helical",
    [ELV_JOINT_CYLINDRICAL] = "cylindrical",
    [ELV_JOINT_UNIVERSAL] = "universal",
    [ELV_JOINT_PLANAR] = "planar",
    [ELV_JOINT_SPHERICAL] = "spherical",
    [ELV_JOINT_FREE] = "free",
};

const char* const elv_wheel_drive_names[ELV_N_WHEEL_DRIVE] = {
    [ELV_WHEEL_FREE] = "none",
    [ELV_WHEEL_ROTATION] = "rotation",
    [ELV_WHEEL_TORQUE] = "torque",
    [ELV_WHEEL_RATE] = "rate",
};

const char* elv_strain_name(ElvStrain strain) {
    return (unsigned)strain < ELV_N_STRAIN ? elv_strain_names[strain] : "?";
}

const char* elv_joint_type_name(ElvJointType type) {
    return (unsigned)type < ELV_N_JOINT_TYPE ? elv_joint_names[type] : "?";
}
