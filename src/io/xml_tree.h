// SPDX-License-Identifier: Apache-2.0
// XML text as a tree of elements and attributes that know where they stand. Text between tags,
// comments and processing instructions are left out.
#ifndef ELVER_IO_XML_TREE_H
#define ELVER_IO_XML_TREE_H

#include "base/pool.h"
#include "elver/status.h"

enum {
    ELV_XML_MAX_BYTES = 16 * 1024 * 1024,
    ELV_XML_MAX_DEPTH = 64,
    ELV_XML_MAX_ELEMENTS = 200000
};

typedef struct {
    const char* name;
    const char* value;
    int line, column; // of the value, 1-based, in characters
} ElvXmlAttribute;

typedef struct ElvXml ElvXml;

/// An element. Children are chained by next, in the order of the text.
struct ElvXml {
    const char* name;
    int line, column;           // of its '<', 1-based, in characters
    ElvXmlAttribute* attribute; // (n_attribute)
    int n_attribute;
    ElvXml* parent; // NULL for the root
    ElvXml* first;
    ElvXml* last;
    ElvXml* next;
};

typedef struct {
    const char* text;
    size_t size;
    const char* file; // name of the text, for messages
} ElvXmlSource;

/// Parse one document of UTF-8 text. Document types, and with them entities of one's own, and what
/// exceeds the limits above are errors with a place. *root lives in the pool, and is NULL on
/// failure. error must not be NULL.
ELV_NODISCARD ElvStatus elv_xml_parse(const ElvXmlSource* source,
                                      ElvPool* pool,
                                      ElvXml** root,
                                      ElvError* error);

/// First child of that name, or NULL; the next one after it, or NULL.
const ElvXml* elv_xml_child(const ElvXml* element, const char* name);
const ElvXml* elv_xml_next(const ElvXml* child, const char* name);

/// Attribute of that name, or NULL.
const ElvXmlAttribute* elv_xml_attribute(const ElvXml* element, const char* name);

#endif
