// SPDX-License-Identifier: Apache-2.0
// Where a trajectory goes: one file, whose ending says the format, or a folder of several.
#ifndef ELVER_IO_TRAJECTORY_PLACE_H
#define ELVER_IO_TRAJECTORY_PLACE_H

#include "io/trajectory.h"

/// First line of the model that is written into a folder: such a file may be replaced.
extern const char elv_trajectory_model_mark[];

/// The format of the file that path names; *open_format is NULL for a folder. A name with an ending
/// that is not known is refused, unless a folder of that name is there or a slash ends it.
ElvStatus elv_trajectory_format(const char* path, ElvTrajectoryOpen* open_format, ElvError* error);

/// Why path cannot be made, for people; code is that of errno, 0 if it is not known.
const char* elv_trajectory_reason(const char* path, int code);

/// Refuse to write a model to path when a file is there that a writer did not make.
ElvStatus elv_trajectory_check_model(const char* path, ElvError* error);

/// "body 'bob', revolute joint, 1 coordinate, parent 'world'": what must agree for a state of one
/// model to be one of another.
void elv_trajectory_describe_node(const ElvModel* model, int i_node, char* text, size_t size);

#endif
