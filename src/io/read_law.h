// SPDX-License-Identifier: Apache-2.0
// Laws of model files: a number, a formula of t or s, or a table.
#ifndef ELVER_IO_READ_LAW_H
#define ELVER_IO_READ_LAW_H

#include "io/read_value.h"

/// A law of the given variables (ELV_READ_T, ELV_READ_S, both). Its arrays live in the pool.
bool elv_read_law(ElvReader* reader, const ElvYaml* node, unsigned variables, ElvLawDef* law);

/// A list of exactly n laws.
bool elv_read_laws(
    ElvReader* reader, const ElvYaml* node, int n, unsigned variables, ElvLawDef* law);

/// The same for a key that may be missing; the law is then left as it is.
bool elv_read_law_at(
    ElvReader* reader, const ElvYaml* map, const char* key, unsigned variables, ElvLawDef* law);

/// Multiply a law that has been read by a positive factor.
bool elv_read_scale_law(ElvReader* reader, double factor, ElvLawDef* law);

#endif
