// SPDX-License-Identifier: Apache-2.0
// Values put over those of a model file before it is interpreted (--set KEY=VALUE).
#ifndef ELVER_IO_READ_OVERRIDE_H
#define ELVER_IO_READ_OVERRIDE_H

#include "elver/io.h"
#include "io/read_context.h"

/// Put one value into the tree. The key is the name of a parameter, or a path: a body, rod or frame
/// by name, or a key of the file, then keys and list indices (from 0), separated by dots. Keys that
/// are not there are added, and judged by the reader.
bool elv_read_override(ElvReader* reader, ElvYaml* root, const ElvOverride* override);

#endif
