// SPDX-License-Identifier: Apache-2.0
// Words of the model format for the enumerations of a spec; reader and writer share them. Each
// array is indexed by its enumeration.
#ifndef ELVER_IO_FORMAT_NAMES_H
#define ELVER_IO_FORMAT_NAMES_H

#include "base/spec_names.h"

enum {
    ELV_N_TABLE_NAME = 3,
    ELV_N_AXES_NAME = 2,
    ELV_N_CLOSURE_NAME = 3,
    ELV_N_VELOCITIES_NAME = 2,
    ELV_N_WHEEL_NAME = 2,
    ELV_N_CONTACT_NAME = 2,
    ELV_N_PUSH_NAME = 6,
    ELV_N_VOLUME_NAME = 2,
    ELV_N_BDF_NAME = 2,
    ELV_N_ACTUATOR_NAME_KEY = 5,
    ELV_N_LOOP_NAME_KEY = 2,
    ELV_N_CONSTRAINT_NAME_KEY = 5
};

extern const char* const elv_shape_names[ELV_N_SHAPE]; // NULL for "none"
extern const char* const elv_basis_names[ELV_N_BASIS];
extern const char* const elv_space_names[ELV_N_SPACE];
extern const char* const elv_table_names[ELV_N_TABLE_NAME];
extern const char* const elv_axes_names[ELV_N_AXES_NAME];
extern const char* const elv_method_names[ELV_N_METHOD];
extern const char* const elv_connection_names[ELV_N_CONNECTION];
extern const char* const elv_bdf_names[ELV_N_BDF_NAME]; // by order - 1
extern const char* const elv_runge_names[ELV_N_RUNGE];
extern const char* const elv_history_names[ELV_N_HISTORY];
extern const char* const elv_statics_names[ELV_N_STATICS_METHOD];
extern const char* const elv_reach_names[ELV_N_REACH_BY];
extern const char* const elv_shoot_solver_names[ELV_N_SHOOT_SOLVER];

extern const char* const elv_closure_names[ELV_N_CLOSURE_NAME];
extern const char* const elv_velocities_names[ELV_N_VELOCITIES_NAME]; // by projects_velocity

extern const char* const elv_wheel_names[ELV_N_WHEEL_NAME]; // by is_omni

extern const char* const elv_contact_names[ELV_N_CONTACT_NAME];
extern const char* const elv_push_names[ELV_N_PUSH_NAME];
extern const char* const elv_volume_names[ELV_N_VOLUME_NAME];

/// Keys of actuators, loops and constraints that give them a name.
extern const char* const elv_actuator_name_keys[ELV_N_ACTUATOR_NAME_KEY];
extern const char* const elv_loop_name_keys[ELV_N_LOOP_NAME_KEY];
extern const char* const elv_constraint_name_keys[ELV_N_CONSTRAINT_NAME_KEY];

#endif
