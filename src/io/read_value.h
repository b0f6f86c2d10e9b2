// SPDX-License-Identifier: Apache-2.0
// Numbers, lists of numbers, vectors and poses of model files. A number may be written as a formula
// of the parameters.
#ifndef ELVER_IO_READ_VALUE_H
#define ELVER_IO_READ_VALUE_H

#include "io/read_context.h"

/// What a formula may depend on, besides the parameters.
enum { ELV_READ_NO_VARIABLE = 0, ELV_READ_T = 1, ELV_READ_S = 2, ELV_READ_PLACE = 4 };

/// A scalar that may be a number: *is_number tells whether it is one, and *value which; otherwise
/// it has been checked not to be empty, nan, infinite or a number with a unit.
bool elv_read_literal(ElvReader* reader, const ElvYaml* node, bool* is_number, double* value);

/// Compile a formula to check it and what it depends on; *value is its value at t = s = 0.
bool elv_read_formula(ElvReader* reader, const ElvYaml* node, unsigned variables, double* value);

/// A finite number, or a formula of the parameters that gives one.
bool elv_read_number(ElvReader* reader, const ElvYaml* node, double* value);

/// A whole number within [lo, hi]; hi = LONG_MAX / 2 is no limit.
bool elv_read_integer(ElvReader* reader, const ElvYaml* node, long lo, long hi, long* value);

/// A list of exactly n numbers.
bool elv_read_numbers(ElvReader* reader, const ElvYaml* node, int n, double* value);

/// A list of any length but 0, in the pool.
bool elv_read_number_list(ElvReader* reader, const ElvYaml* node, double** value, int* n);

bool elv_read_vec3(ElvReader* reader, const ElvYaml* node, ElvVec3* value);

/// {xyz: [x, y, z], rpy: [roll, pitch, yaw]} or {xyz: …, quaternion: [w, x, y, z]}
bool elv_read_pose(ElvReader* reader, const ElvYaml* node, ElvPose* pose);

/// The same for keys that may be missing; the value is then left as it is.
bool elv_read_number_at(ElvReader* reader, const ElvYaml* map, const char* key, double* value);
bool elv_read_flag_at(ElvReader* reader, const ElvYaml* map, const char* key, bool* value);
bool elv_read_vec3_at(ElvReader* reader, const ElvYaml* map, const char* key, ElvVec3* value);
bool elv_read_pose_at(ElvReader* reader, const ElvYaml* map, const char* key, ElvPose* pose);

#endif
