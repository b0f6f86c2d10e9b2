// SPDX-License-Identifier: Apache-2.0
// The top level of model files.
#ifndef ELVER_IO_READ_MODEL_H
#define ELVER_IO_READ_MODEL_H

#include "io/read_context.h"

enum { ELV_FORMAT_VERSION = 1, ELV_N_TOP_KEY = 18 };

/// Keys that a model file may have.
extern const char* const elv_top_keys[ELV_N_TOP_KEY];

/// Check that reader->root is a map of this format's version.
bool elv_read_version(ElvReader* reader);

/// Interpret reader->root, whose version has been checked, into a new spec, reader->spec.
bool elv_read_model(ElvReader* reader);

#endif
