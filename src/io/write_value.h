// SPDX-License-Identifier: Apache-2.0
// YAML text in the making, and the values that model files are made of. The first failure stays:
// whatever is written after it is ignored, so that callers check once, at the end.
#ifndef ELVER_IO_WRITE_VALUE_H
#define ELVER_IO_WRITE_VALUE_H

#include "elver/spec.h"

typedef struct {
    char* text; // NUL-terminated once something is written
    size_t size, capacity;
    ElvStatus status;
    ElvError* error;
    const char* element; // named in errors
} ElvWriter;

/// Keys in a flow map {a: 1, b: 2}: writes "{" or ", " before the key, and counts.
typedef struct {
    ElvWriter* writer;
    int n;
} ElvWriteMap;

void elv_write(ElvWriter* writer, const char* format, ...) ELV_PRINTF(2, 3);

/// Text as a YAML string in double quotes.
void elv_write_quoted(ElvWriter* writer, const char* text);

/// A name or frame reference: plain where YAML allows it, else in quotes.
void elv_write_word(ElvWriter* writer, const char* text);

/// The shortest decimal that reads back as the same double.
void elv_write_number(ElvWriter* writer, double value);

/// [a, b, …]
void elv_write_numbers(ElvWriter* writer, const double* value, int n);
void elv_write_vec3(ElvWriter* writer, ElvVec3 value);

/// {xyz: […], quaternion: […]}
void elv_write_pose(ElvWriter* writer, const ElvPose* pose);
bool elv_pose_is_identity(const ElvPose* pose);

/// A number, "formula" or {table: …}; a callback is a failure.
void elv_write_law(ElvWriter* writer, const ElvLawDef* law);
void elv_write_laws(ElvWriter* writer, const ElvLawDef* law, int n);

/// Whether a law is that constant.
bool elv_law_def_is(const ElvLawDef* law, double value);

/// {key: law, …} of the strains for which is_given.
void elv_write_strain_laws(ElvWriter* writer,
                           const ElvLawDef law[ELV_N_STRAIN],
                           const bool is_given[ELV_N_STRAIN]);

/// Begin a key of a flow map; end the map ("{}" if it has no keys).
void elv_write_key(ElvWriteMap* map, const char* key);
void elv_write_map_end(ElvWriteMap* map);

#endif
