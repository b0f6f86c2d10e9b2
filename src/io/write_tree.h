// SPDX-License-Identifier: Apache-2.0
// Items of the tree as YAML.
#ifndef ELVER_IO_WRITE_TREE_H
#define ELVER_IO_WRITE_TREE_H

#include "io/write_value.h"

/// "joint: {TYPE: {…}}" as a value.
void elv_write_joint(ElvWriter* writer, const ElvJointDef* joint);

/// "- body: NAME" and "- rod: NAME" with their keys, indented as items of the tree.
void elv_write_body(ElvWriter* writer, const ElvBodyDef* body);
void elv_write_rod(ElvWriter* writer, const ElvRodDef* rod);

/// A line "    key: " of an item, to be followed by its value.
void elv_write_line(ElvWriter* writer, const char* key);

#endif
