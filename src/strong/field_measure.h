// SPDX-License-Identifier: Apache-2.0
// What a view answers as an ElvFieldSource.
#ifndef ELVER_STRONG_FIELD_MEASURE_H
#define ELVER_STRONG_FIELD_MEASURE_H

#include "strong/field_view.h"

ElvFieldSource elv_field_source(ElvFieldView* view);

#endif
