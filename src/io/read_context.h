// SPDX-License-Identifier: Apache-2.0
// What every part of the model reader shares: the spec in the making, the element in hand, the
// parameters known so far, and located failures. Read functions return true on success; on failure
// they have filled reader->error and return false, so that steps are chained by &&.
#ifndef ELVER_IO_READ_CONTEXT_H
#define ELVER_IO_READ_CONTEXT_H

#include "elver/spec.h"
#include "io/yaml_tree.h"

/// Another name of a body: that of the joint that carries it in its URDF.
typedef struct {
    const char* name;
    const char* element;
} ElvReadAlias;

typedef struct {
    ElvPool pool;            // the tree, and arrays until the spec has copied them
    ElvYaml* root;           // whole document, overrides put in
    ElvSpec* spec;           // in the making
    ElvError* error;         // never NULL
    const char* element;     // named in messages: "arm", "loads[2]", "" outside of elements
    ElvParameter* parameter; // (n_parameter), known so far
    int n_parameter;
    const char** note; // (n_note), what people should know of
    int n_note;
    ElvReadAlias* alias; // (n_alias)
    int n_alias;
} ElvReader;

/// Fail at a node with a formatted message; returns false.
bool elv_read_fail(ElvReader* reader, const ElvYaml* node, const char* format, ...)
    ELV_PRINTF(3, 4);

enum { ELV_READ_LABEL = 128 };

/// What messages call a value: "mass", or "force[2]" for an item of a list; "" for the root.
void elv_read_label(const ElvYaml* node, char label[ELV_READ_LABEL]);

/// Key of a value, or of the list that it is in; "" where there is none.
const char* elv_read_key(const ElvYaml* node);

/// Fail with "'key': expected WHAT, found …"; returns false.
bool elv_read_fail_expected(ElvReader* reader, const ElvYaml* node, const char* what);

/// Fail for want of memory; returns false.
bool elv_read_fail_memory(ElvReader* reader);

/// node must be a map (what: "a map with the keys of a joint") with none but the n known keys.
bool elv_read_keys(
    ElvReader* reader, const ElvYaml* node, const char* what, const char* const* keys, size_t n);

/// Fail at the first of n keys that the map has: "'KEY' does not go with REASON".
bool elv_read_refuse(
    ElvReader* reader, const ElvYaml* map, const char* const* keys, size_t n, const char* reason);

/// Value of a key that must be there; NULL after a failure located at the map.
const ElvYaml*
elv_read_required(ElvReader* reader, const ElvYaml* map, const char* key, const char* what);

/// node must be one of n words; NULL words are skipped. what: "a joint type".
bool elv_read_choice(ElvReader* reader,
                     const ElvYaml* node,
                     const char* what,
                     const char* const* words,
                     size_t n,
                     int* choice);

/// The only key of a map that is among n words (others are left alone): *value its value, *choice
/// its index. None, or more than one, is a failure.
bool elv_read_one_of(ElvReader* reader,
                     const ElvYaml* map,
                     const char* what,
                     const char* const* words,
                     size_t n,
                     const ElvYaml** value,
                     int* choice);

/// Read each item of a list; messages name an item by its place, "loads[2]", until it says its name.
bool elv_read_items(ElvReader* reader,
                    const ElvYaml* list,
                    bool (*read_item)(ElvReader* reader, const ElvYaml* item));

/// node must be a scalar that is not empty.
bool elv_read_text(ElvReader* reader, const ElvYaml* node, const char** text);

/// The same for a key that may be missing; *text is then left as it is.
bool elv_read_text_at(ElvReader* reader, const ElvYaml* map, const char* key, const char** text);

#endif
