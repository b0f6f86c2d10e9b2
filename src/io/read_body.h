// SPDX-License-Identifier: Apache-2.0
// Rigid bodies of model files.
#ifndef ELVER_IO_READ_BODY_H
#define ELVER_IO_READ_BODY_H

#include "io/read_context.h"

/// An item "- body: NAME …" of the tree.
bool elv_read_body(ElvReader* reader, const ElvYaml* node, ElvBodyDef* body);

#endif
