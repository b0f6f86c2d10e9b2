// SPDX-License-Identifier: Apache-2.0
// Joints of model files.
#ifndef ELVER_IO_READ_JOINT_H
#define ELVER_IO_READ_JOINT_H

#include "io/read_context.h"

/// The name of a joint type, or {TYPE: {axis: …, damping: …, …}}.
bool elv_read_joint(ElvReader* reader, const ElvYaml* node, ElvJointDef* joint);

/// The joint of an item that may have it, its axes within it or, of a plain type, beside it:
/// {joint: revolute, axis: z}.
bool elv_read_item_joint(ElvReader* reader, const ElvYaml* item, ElvJointDef* joint);

/// A key that may be missing: x, y, z, -x, -y, -z or [x, y, z].
bool elv_read_axis(ElvReader* reader, const ElvYaml* map, const char* key, ElvVec3* axis);

#endif
