// SPDX-License-Identifier: Apache-2.0
// Expat's events as a tree of located elements. Expat tells where a tag begins but not where its
// attributes stand: these are found by going once more through the tag, which is known to be well
// formed by then. Nothing of a document type is read, so that no entity can grow or reach outside of
// the text, and depth and number of elements are bounded.
#include "io/xml_tree.h"

#include <expat.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    XML_Parser parser;
    const ElvXmlSource* source;
    ElvPool* pool;
    ElvError* error;
    ElvStatus status;
    ElvXml* root;
    ElvXml* open; // innermost element not yet ended
    int depth, n_element;
} Loader;

// ---- failures

static void place(const Loader* loader, int line, int column) {
    loader->error->line = line;
    loader->error->column = column;
    (void)snprintf(loader->error->file, sizeof loader->error->file, "%s",
                   loader->source->file ? loader->source->file : "");
}

static int current_line(const Loader* loader) {
    return (int)XML_GetCurrentLineNumber(loader->parser);
}

static int current_column(const Loader* loader) {
    return (int)XML_GetCurrentColumnNumber(loader->parser) + 1;
}

// the first failure ends the parsing
static void stop(Loader* loader, const char* message) {
    if (loader->status == ELV_OK) {
        loader->status = elv_error_set(loader->error, ELV_ERROR_INPUT, "", "", "%s", message);
        place(loader, current_line(loader), current_column(loader));
        (void)XML_StopParser(loader->parser, XML_FALSE);
    }
}

static void stop_memory(Loader* loader) {
    if (loader->status == ELV_OK) {
        loader->status =
            elv_error_set(loader->error, ELV_ERROR_MEMORY, "", "", "no memory for the file");
        (void)XML_StopParser(loader->parser, XML_FALSE);
    }
}

// ---- places of attributes

typedef struct {
    const char* at;
    const char* end;
    int line, column;
} Cursor;

static void step(Cursor* cursor) {
    char c = *cursor->at++;
    bool is_pair = c == '\r' && cursor->at < cursor->end && *cursor->at == '\n';
    if (c == '\n' || (c == '\r' && !is_pair)) {
        cursor->line++;
        cursor->column = 1;
    } else if (((unsigned char)c & 0xC0) != 0x80) {
        cursor->column++;
    }
}

static void skip_to(Cursor* cursor, const char* stops) {
    while (cursor->at < cursor->end && !strchr(stops, *cursor->at)) {
        step(cursor);
    }
}

// attributes come in the order of the text; until found they stand where their element does
static void locate_attributes(const Loader* loader, const ElvXml* element) {
    long start = (long)XML_GetCurrentByteIndex(loader->parser);
    if (start < 0 || (size_t)start >= loader->source->size) {
        return;
    }
    Cursor cursor = {loader->source->text + start, loader->source->text + loader->source->size,
                     element->line, element->column};
    for (int i = 0; i < element->n_attribute; i++) {
        skip_to(&cursor, "=");
        skip_to(&cursor, "\"'");
        if (cursor.at == cursor.end) {
            return;
        }
        const char quote[2] = {*cursor.at, '\0'};
        step(&cursor);
        element->attribute[i].line = cursor.line;
        element->attribute[i].column = cursor.column;
        skip_to(&cursor, quote);
        if (cursor.at < cursor.end) {
            step(&cursor);
        }
    }
}

// ---- events

static bool copy_attributes(Loader* loader, ElvXml* element, const XML_Char** pairs) {
    int n = 0;
    while (pairs[2 * n]) {
        n++;
    }
    element->attribute = elv_pool_take(loader->pool, (size_t)n, sizeof *element->attribute);
    if (!element->attribute) {
        return false;
    }
    for (int i = 0; i < n; i++) {
        ElvXmlAttribute* attribute = &element->attribute[i];
        attribute->name = elv_pool_string(loader->pool, pairs[2 * i]);
        attribute->value = elv_pool_string(loader->pool, pairs[2 * i + 1]);
        attribute->line = element->line;
        attribute->column = element->column;
        if (!attribute->name || !attribute->value) {
            return false;
        }
    }
    element->n_attribute = n;
    return true;
}

static void XMLCALL begin_element(void* user, const XML_Char* name, const XML_Char** pairs) {
    Loader* loader = user;
    if (loader->status != ELV_OK) {
        return;
    }
    if (++loader->n_element > ELV_XML_MAX_ELEMENTS) {
        stop(loader, "the file has too many elements (limit 200000)");
        return;
    }
    if (++loader->depth > ELV_XML_MAX_DEPTH) {
        stop(loader, "elements are nested too deep (limit 64)");
        return;
    }
    ElvXml* element = elv_pool_take(loader->pool, 1, sizeof *element);
    if (!element) {
        stop_memory(loader);
        return;
    }
    element->line = current_line(loader);
    element->column = current_column(loader);
    element->name = elv_pool_string(loader->pool, name);
    if (!element->name || !copy_attributes(loader, element, pairs)) {
        stop_memory(loader);
        return;
    }
    locate_attributes(loader, element);

    // hang it into the tree
    ElvXml* parent = loader->open;
    element->parent = parent;
    if (!parent) {
        loader->root = element;
    } else if (parent->last) {
        parent->last->next = element;
        parent->last = element;
    } else {
        parent->first = parent->last = element;
    }
    loader->open = element;
}

static void XMLCALL end_element(void* user, const XML_Char* name) {
    (void)name;
    Loader* loader = user;
    if (loader->status == ELV_OK && loader->open) {
        loader->open = loader->open->parent;
        loader->depth--;
    }
}

static void XMLCALL begin_doctype(void* user,
                                  const XML_Char* name,
                                  const XML_Char* system_id,
                                  const XML_Char* public_id,
                                  int has_subset) {
    (void)name;
    (void)system_id;
    (void)public_id;
    (void)has_subset;
    stop(user, "document types (<!DOCTYPE ...>) and their entities are not read: remove it");
}

// ---- the whole

static ElvStatus fail_syntax(Loader* loader) {
    enum XML_Error code = XML_GetErrorCode(loader->parser);
    if (code == XML_ERROR_NO_MEMORY) {
        return elv_error_set(loader->error, ELV_ERROR_MEMORY, "", "", "no memory for the file");
    }
    const char* text = XML_ErrorString(code);
    (void)elv_error_set(loader->error, ELV_ERROR_INPUT, "", "", "not XML in UTF-8: %s",
                        text ? text : "unknown problem");
    place(loader, current_line(loader), current_column(loader));
    return ELV_ERROR_INPUT;
}

ElvStatus elv_xml_parse(const ElvXmlSource* source, ElvPool* pool, ElvXml** root, ElvError* error) {
    *root = NULL;
    Loader loader = {.source = source, .pool = pool, .error = error};
    if (source->size > ELV_XML_MAX_BYTES) {
        (void)elv_error_set(error, ELV_ERROR_INPUT, "", "", "the file is too large (limit 16 MiB)");
        place(&loader, 1, 1);
        return ELV_ERROR_INPUT;
    }
    loader.parser = XML_ParserCreate("UTF-8");
    if (!loader.parser) {
        return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "no memory for the file");
    }
    XML_SetUserData(loader.parser, &loader);
    XML_SetElementHandler(loader.parser, begin_element, end_element);
    XML_SetStartDoctypeDeclHandler(loader.parser, begin_doctype);
    enum XML_Status parsed =
        XML_Parse(loader.parser, source->size ? source->text : "", (int)source->size, XML_TRUE);
    if (parsed != XML_STATUS_OK && loader.status == ELV_OK) {
        loader.status = fail_syntax(&loader);
    }
    XML_ParserFree(loader.parser);
    *root = loader.status == ELV_OK ? loader.root : NULL;
    return loader.status;
}

// ---- looking at elements

const ElvXml* elv_xml_next(const ElvXml* child, const char* name) {
    for (child = child->next; child && strcmp(child->name, name) != 0;) {
        child = child->next;
    }
    return child;
}

const ElvXml* elv_xml_child(const ElvXml* element, const char* name) {
    const ElvXml* first = element->first;
    return !first || strcmp(first->name, name) == 0 ? first : elv_xml_next(first, name);
}

const ElvXmlAttribute* elv_xml_attribute(const ElvXml* element, const char* name) {
    for (int i = 0; i < element->n_attribute; i++) {
        if (strcmp(element->attribute[i].name, name) == 0) {
            return &element->attribute[i];
        }
    }
    return NULL;
}
