// SPDX-License-Identifier: Apache-2.0
// Joints of model files.
#ifndef ELVER_IO_READ_JOINT_H
#define ELVER_IO_READ_JOINT_H

#include "io/read_context.h"

/// The name of a joint type, or {TYPE: {axis: …, damping: …, …}}.
bool elv_read_joint(ElvReader* reader, const ElvYaml* node, ElvJointDef* joint);

#endif
