// SPDX-License-Identifier: Apache-2.0
// Places of a model file from the element and field that an error names.
#ifndef ELVER_IO_READ_LOCATE_H
#define ELVER_IO_READ_LOCATE_H

#include "io/read_context.h"

/// Item of the tree, of the frames or of the actuators with that name, or NULL.
ElvYaml* elv_read_find_item(const ElvYaml* root, const char* name);

/// After an add to the spec: true when status is ELV_OK; otherwise the error is placed within the
/// item that was added.
bool elv_read_added(ElvReader* reader, const ElvYaml* item, ElvStatus status);

/// Place an error of the compilation by its element and field.
void elv_read_place(const ElvYaml* root, ElvError* error);

#endif
