// SPDX-License-Identifier: Apache-2.0
// YAML text as a tree of nodes that know where they stand: scalars, lists and maps.
#ifndef ELVER_IO_YAML_TREE_H
#define ELVER_IO_YAML_TREE_H

#include "base/pool.h"
#include "elver/status.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    ELV_YAML_MAX_BYTES = 16 * 1024 * 1024,
    ELV_YAML_MAX_DEPTH = 64,
    ELV_YAML_MAX_NODES = 2000000,
    ELV_YAML_MAX_KEYS = 4096
};

typedef enum { ELV_YAML_SCALAR, ELV_YAML_LIST, ELV_YAML_MAP } ElvYamlKind;

/// How a scalar was written; quotes shift the columns of what is inside.
typedef enum { ELV_YAML_PLAIN, ELV_YAML_QUOTED, ELV_YAML_BLOCK } ElvYamlStyle;

typedef struct ElvYaml ElvYaml;

/// A node. The children of a list or map are chained by next, in the order of the text; a child of
/// a map has its key, which is a scalar node.
struct ElvYaml {
    ElvYamlKind kind;
    ElvYamlStyle style; // scalars
    int line, column;   // 1-based, in characters; 0 when the text is no file
    int n;              // children
    const char* file;   // name of the text, for messages
    const char* text;   // scalars, NUL-terminated UTF-8 without NUL inside
    ElvYaml* key;       // children of maps
    ElvYaml* parent;    // list or map, NULL for the root
    int index;          // among the children of the parent
    ElvYaml* first;
    ElvYaml* last;
    ElvYaml* next;
};

/// What to parse. Nodes of a text that is_located carry lines and columns.
typedef struct {
    const char* text;
    size_t size;
    const char* file;
    bool is_located;
} ElvYamlSource;

/// Parse one document. Duplicate keys, anchors, aliases, tags, several documents, text that is not
/// UTF-8 and what exceeds the limits above are errors with a place. *root lives in the pool, and is
/// NULL on failure. error must not be NULL.
ELV_NODISCARD ElvStatus elv_yaml_parse(const ElvYamlSource* source,
                                       ElvPool* pool,
                                       ElvYaml** root,
                                       ElvError* error);

/// Value of a key, or NULL when node is no map or has no such key.
ElvYaml* elv_yaml_get(const ElvYaml* node, const char* key);

/// Child number i, or NULL.
ElvYaml* elv_yaml_item(const ElvYaml* node, int i);

/// Whether node is a scalar with that text.
bool elv_yaml_is(const ElvYaml* node, const char* text);

/// Put child at the end of a list, or of a map under key (NULL for lists).
void elv_yaml_append(ElvYaml* parent, ElvYaml* key, ElvYaml* child);

/// "text", "nothing", "a list", "a map": what was found, for messages.
const char* elv_yaml_describe(const ElvYaml* node);

/// Put the node's place into an error.
void elv_yaml_locate(const ElvYaml* node, ElvError* error);

#endif
