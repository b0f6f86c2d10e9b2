// SPDX-License-Identifier: Apache-2.0
// Frame references as text: "world", "BODY", "ROD.root", "ROD.tip", "ROD.at(0.5)", "FRAME".
#ifndef ELVER_MULTIBODY_FRAME_REFERENCE_H
#define ELVER_MULTIBODY_FRAME_REFERENCE_H

#include "elver/status.h"

#include <stdbool.h>

enum { ELV_REFERENCE_NAME = 128 };

/// A reference taken apart: a name and, for rods, a station in [0, 1].
typedef struct {
    char name[ELV_REFERENCE_NAME];
    bool has_station;
    double station;
} ElvFrameReference;

/// Parse a reference; false if it has not one of the forms above. *end (if not NULL) is set to the
/// first character after it; without end the whole text must be used.
bool elv_frame_reference_parse(const char* text, ElvFrameReference* reference, const char** end);

#endif
