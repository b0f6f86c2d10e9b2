// SPDX-License-Identifier: Apache-2.0
// The types of lumped joints, one file each (joint_<name>.c).
//
// A table whose spring, rate and impose are NULL has scalar coordinates: q_k is a number, v_k its
// rate, its spring acts on q_k - rest_k and its laws give q_k. lumped.c treats these in one place.
#ifndef ELVER_JOINT_JOINT_TYPES_H
#define ELVER_JOINT_JOINT_TYPES_H

#include "joint/lumped.h"

extern const ElvLumpedType elv_joint_fixed;
extern const ElvLumpedType elv_joint_revolute;
extern const ElvLumpedType elv_joint_prismatic;
extern const ElvLumpedType elv_joint_helical;
extern const ElvLumpedType elv_joint_cylindrical;
extern const ElvLumpedType elv_joint_universal;
extern const ElvLumpedType elv_joint_planar;
extern const ElvLumpedType elv_joint_spherical;
extern const ElvLumpedType elv_joint_free;

#endif
