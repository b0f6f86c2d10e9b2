// SPDX-License-Identifier: Apache-2.0
// Places of a model file from the element and field that an error names.
#ifndef ELVER_IO_READ_LOCATE_H
#define ELVER_IO_READ_LOCATE_H

#include "io/read_context.h"

enum { ELV_LOOP_NAME = 32 };

/// What a loop without a name is called, by its index in the list: "loop1" is the first.
void elv_loop_default_name(int index, char name[ELV_LOOP_NAME]);

/// Item of the tree, of the frames, actuators, loops or constraints with that name, or NULL.
ElvYaml* elv_read_find_item(const ElvYaml* root, const char* name);

/// The name of such an item that is nearer to a word than the nearest so far (which may be NULL), or
/// that one.
const char* elv_read_suggest_item(const ElvYaml* root, const char* word, const char* nearest);

/// After an add to the spec: true when status is ELV_OK; otherwise the error is placed within the
/// item that was added.
bool elv_read_added(ElvReader* reader, const ElvYaml* item, ElvStatus status);

/// Place an error of the compilation by its element and field.
void elv_read_place(const ElvYaml* root, ElvError* error);

#endif
