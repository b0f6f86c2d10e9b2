// SPDX-License-Identifier: Apache-2.0
// Names of strains, joint types and drives of wheels as model files spell them: the one table behind the public
// functions of elver/spec.h, for those that need all the names of a kind.
#ifndef ELVER_BASE_SPEC_NAMES_H
#define ELVER_BASE_SPEC_NAMES_H

#include "elver/spec.h"

extern const char* const elv_strain_names[ELV_N_STRAIN];           // by ElvStrain
extern const char* const elv_joint_names[ELV_N_JOINT_TYPE];        // by ElvJointType
extern const char* const elv_wheel_drive_names[ELV_N_WHEEL_DRIVE]; // by ElvWheelDrive

#endif
