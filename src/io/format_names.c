// SPDX-License-Identifier: Apache-2.0
// Words of the model format, in the order of their enumerations.
#include "io/format_names.h"

#include <stddef.h>

const char* const elv_shape_names[ELV_N_SHAPE] = {
    [ELV_SHAPE_NONE] = NULL,         [ELV_SHAPE_SPHERE] = "sphere",
    [ELV_SHAPE_BOX] = "box",         [ELV_SHAPE_CYLINDER] = "cylinder",
    [ELV_SHAPE_CAPSULE] = "capsule", [ELV_SHAPE_ELLIPSOID] = "ellipsoid",
};

const char* const elv_basis_names[ELV_N_BASIS] = {
    [ELV_BASIS_MONOMIAL] = "monomial",
    [ELV_BASIS_LEGENDRE] = "legendre",
    [ELV_BASIS_CHEBYSHEV] = "chebyshev",
    [ELV_BASIS_PIECEWISE_CONSTANT] = "piecewise_constant",
    [ELV_BASIS_PIECEWISE_LINEAR] = "piecewise_linear",
    [ELV_BASIS_HERMITE] = "hermite",
    [ELV_BASIS_TABLE] = "table",
};

const char* const elv_space_names[ELV_N_SPACE] = {
    [ELV_SPACE_QUADRATURE] = "quadrature",
    [ELV_SPACE_SPECTRAL] = "spectral",
};

const char* const elv_table_names[ELV_N_TABLE_NAME] = {
    [ELV_TABLE_STEP] = "step",
    [ELV_TABLE_LINEAR] = "linear",
    [ELV_TABLE_CUBIC] = "cubic",
};

const char* const elv_axes_names[ELV_N_AXES_NAME] = {
    [ELV_AXES_WORLD] = "world",
    [ELV_AXES_LOCAL] = "local",
};

const char* const elv_method_names[ELV_N_METHOD] = {
    [ELV_METHOD_EXPLICIT] = "explicit",
    [ELV_METHOD_NEWMARK] = "newmark",
    [ELV_METHOD_HHT] = "hht",
    [ELV_METHOD_GENERALIZED_ALPHA] = "generalized-alpha",
    [ELV_METHOD_BDF2] = "bdf2",
    [ELV_METHOD_RKMK] = "rkmk",
    [ELV_METHOD_TILL] = "till",
    [ELV_METHOD_SHOOTING] = "shooting",
    [ELV_METHOD_CONNECTION] = "connection",
};

const char* elv_method_name(ElvMethod method) {
    return (unsigned)method < ELV_N_METHOD ? elv_method_names[method] : NULL;
}

const char* const elv_connection_names[ELV_N_CONNECTION] = {
    [ELV_CONNECTION_MECHANICAL] = "mechanical",
    [ELV_CONNECTION_STOKES] = "stokes",
};

const char* const elv_bdf_names[ELV_N_BDF_NAME] = {"bdf1", "bdf2"};

const char* const elv_runge_names[ELV_N_RUNGE] = {
    [ELV_RUNGE_EULER] = "euler",
    [ELV_RUNGE_RK2] = "rk2",
    [ELV_RUNGE_RK4] = "rk4",
};

const char* const elv_history_names[ELV_N_HISTORY] = {
    [ELV_HISTORY_LINEAR] = "linear",
    [ELV_HISTORY_CUBIC] = "cubic",
};

const char* const elv_statics_names[ELV_N_STATICS_METHOD] = {
    [ELV_STATICS_NEWTON] = "newton",
    [ELV_STATICS_RELAXATION] = "relaxation",
    [ELV_STATICS_PROJECTIVE] = "projective",
    [ELV_STATICS_SHOOTING] = "shooting",
};

const char* const elv_shoot_solver_names[ELV_N_SHOOT_SOLVER] = {
    [ELV_SHOOT_LEVENBERG] = "levenberg-marquardt",
    [ELV_SHOOT_DOGLEG] = "dogleg",
};

const char* const elv_reach_names[ELV_N_REACH_BY] = {
    [ELV_BY_TENSIONS] = "tensions",
    [ELV_BY_WRENCH] = "wrench",
};

const char* const elv_closure_names[ELV_N_CLOSURE_NAME] = {
    [ELV_CLOSURE_EXACT] = "exact",
    [ELV_CLOSURE_PENALTY] = "penalty",
    [ELV_CLOSURE_AUGMENTED] = "augmented",
};

const char* const elv_velocities_names[ELV_N_VELOCITIES_NAME] = {"free", "project"};

const char* const elv_wheel_names[ELV_N_WHEEL_NAME] = {"fixed", "omni"};

const char* const elv_contact_names[ELV_N_CONTACT_NAME] = {"anchor", "ring"};
const char* const elv_volume_names[ELV_N_VOLUME_NAME] = {"free", "kept"};
const char* const elv_push_names[ELV_N_PUSH_NAME] = {"-z", "-y", "-x", "x", "y", "z"};

const char* const elv_actuator_name_keys[ELV_N_ACTUATOR_NAME_KEY] = {
    "tendon", "chamber", "muscle", "pattern", "velocity_control",
};

const char* const elv_loop_name_keys[ELV_N_LOOP_NAME_KEY] = {"loop", "slider"};

const char* const elv_constraint_name_keys[ELV_N_CONSTRAINT_NAME_KEY] = {
    "velocity", "rolling", "wheel", "contact", "coupling",
};
