// SPDX-License-Identifier: Apache-2.0
// libyaml's events as a tree of located nodes. A model file is plain data: whatever makes YAML more
// than that (anchors, tags, several documents, repeated keys) is refused here, so that no reader
// above has to think of it. Nesting is followed with an explicit stack of bounded depth, and nodes
// are cut from large chunks of the pool, so that no input can exhaust the stack or the memory.
#include "io/yaml_tree.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <yaml.h>

enum { CHUNK_BYTES = 64 * 1024 };

typedef struct {
    const ElvYamlSource* source;
    ElvPool* pool;
    ElvError* error;
    ElvYaml* root;
    ElvYaml* open[ELV_YAML_MAX_DEPTH];    // lists and maps not yet ended
    ElvYaml* pending[ELV_YAML_MAX_DEPTH]; // key that waits for its value, by depth
    int depth;
    int n_node;
    unsigned char* chunk;
    size_t chunk_left;
} Loader;

// ---- nodes

static void* take(Loader* loader, size_t size) {
    size = (size + 7) / 8 * 8;
    if (size > CHUNK_BYTES / 4) {
        return elv_pool_take(loader->pool, 1, size);
    }
    if (size > loader->chunk_left) {
        loader->chunk = elv_pool_take(loader->pool, 1, CHUNK_BYTES);
        loader->chunk_left = loader->chunk ? CHUNK_BYTES : 0;
    }
    if (!loader->chunk) {
        return NULL;
    }
    void* memory = loader->chunk;
    loader->chunk += size;
    loader->chunk_left -= size;
    return memory;
}

static ElvStatus fail_at(Loader* loader, yaml_mark_t mark, const char* message) {
    (void)elv_error_set(loader->error, ELV_ERROR_INPUT, "", "", "%s", message);
    ElvYaml place = {.file = loader->source->file};
    if (loader->source->is_located) {
        place.line = (int)mark.line + 1;
        place.column = (int)mark.column + 1;
    }
    elv_yaml_locate(&place, loader->error);
    return ELV_ERROR_INPUT;
}

static ElvStatus fail_memory(Loader* loader) {
    return elv_error_set(loader->error, ELV_ERROR_MEMORY, "", "", "no memory for the model file");
}

static ElvYamlStyle scalar_style(yaml_scalar_style_t style) {
    if (style == YAML_SINGLE_QUOTED_SCALAR_STYLE || style == YAML_DOUBLE_QUOTED_SCALAR_STYLE) {
        return ELV_YAML_QUOTED;
    }
    bool is_block = style == YAML_LITERAL_SCALAR_STYLE || style == YAML_FOLDED_SCALAR_STYLE;
    return is_block ? ELV_YAML_BLOCK : ELV_YAML_PLAIN;
}

static ElvStatus make_node(Loader* loader, const yaml_event_t* event, ElvYaml** node) {
    if (++loader->n_node > ELV_YAML_MAX_NODES) {
        return fail_at(loader, event->start_mark, "the file has too many values (limit 2000000)");
    }
    *node = take(loader, sizeof **node);
    if (!*node) {
        return fail_memory(loader);
    }
    (*node)->file = loader->source->file;
    (*node)->line = loader->source->is_located ? (int)event->start_mark.line + 1 : 0;
    (*node)->column = loader->source->is_located ? (int)event->start_mark.column + 1 : 0;
    if (event->type != YAML_SCALAR_EVENT) {
        (*node)->kind = event->type == YAML_MAPPING_START_EVENT ? ELV_YAML_MAP : ELV_YAML_LIST;
        return ELV_OK;
    }

    const unsigned char* value = event->data.scalar.value;
    size_t length = event->data.scalar.length;
    if (memchr(value, '\0', length)) {
        return fail_at(loader, event->start_mark, "text must not contain the character \\0");
    }
    char* text = take(loader, length + 1);
    if (!text) {
        return fail_memory(loader);
    }
    memcpy(text, value, length);
    text[length] = '\0';
    (*node)->text = text;
    (*node)->style = scalar_style(event->data.scalar.style);
    return ELV_OK;
}

// ---- events

// anchors and tags may stand before any value
static ElvStatus check_plain(Loader* loader, const yaml_event_t* event) {
    const yaml_char_t* anchor = NULL;
    const yaml_char_t* tag = NULL;
    if (event->type == YAML_SCALAR_EVENT) {
        anchor = event->data.scalar.anchor;
        tag = event->data.scalar.tag;
    } else if (event->type == YAML_SEQUENCE_START_EVENT) {
        anchor = event->data.sequence_start.anchor;
        tag = event->data.sequence_start.tag;
    } else {
        anchor = event->data.mapping_start.anchor;
        tag = event->data.mapping_start.tag;
    }
    if (anchor) {
        return fail_at(loader, event->start_mark,
                       "anchors (&name) are not used in model files: name the value under "
                       "'parameters' or 'materials', or write it out");
    }
    if (tag) {
        return fail_at(loader, event->start_mark,
                       "tags (!name) are not used in model files: write the value alone");
    }
    return ELV_OK;
}

static ElvStatus check_key(Loader* loader, const yaml_event_t* event, const ElvYaml* key) {
    const ElvYaml* map = loader->open[loader->depth - 1];
    if (map->n >= ELV_YAML_MAX_KEYS) {
        return fail_at(loader, event->start_mark, "a map has too many keys (limit 4096)");
    }
    const ElvYaml* other = elv_yaml_get(map, key->text);
    if (!other) {
        return ELV_OK;
    }
    char message[ELV_SIZE_MESSAGE];
    if (other->key->line > 0) {
        (void)snprintf(message, sizeof message, "key '%.80s' is given twice (first on line %d)",
                       key->text, other->key->line);
    } else {
        (void)snprintf(message, sizeof message, "key '%.80s' is given twice", key->text);
    }
    return fail_at(loader, event->start_mark, message);
}

static ElvStatus add_value(Loader* loader, const yaml_event_t* event) {
    ElvStatus status = check_plain(loader, event);
    if (status != ELV_OK) {
        return status;
    }
    ElvYaml* parent = loader->depth > 0 ? loader->open[loader->depth - 1] : NULL;
    ElvYaml** pending = loader->depth > 0 ? &loader->pending[loader->depth - 1] : NULL;
    bool is_key = parent && parent->kind == ELV_YAML_MAP && !*pending;
    if (is_key && event->type != YAML_SCALAR_EVENT) {
        return fail_at(loader, event->start_mark, "a key must be a single word");
    }

    ElvYaml* node = NULL;
    status = make_node(loader, event, &node);
    if (status != ELV_OK) {
        return status;
    }
    if (is_key) {
        *pending = node;
        return check_key(loader, event, node);
    }
    if (parent) {
        elv_yaml_append(parent, *pending, node);
        *pending = NULL;
    } else {
        loader->root = node;
    }

    // lists and maps stay open until their end event
    if (node->kind != ELV_YAML_SCALAR) {
        if (loader->depth == ELV_YAML_MAX_DEPTH) {
            return fail_at(loader, event->start_mark, "values are nested too deep (limit 64)");
        }
        loader->open[loader->depth] = node;
        loader->pending[loader->depth] = NULL;
        loader->depth++;
    }
    return ELV_OK;
}

static ElvStatus handle(Loader* loader, const yaml_event_t* event) {
    switch (event->type) {
    case YAML_SCALAR_EVENT:
    case YAML_SEQUENCE_START_EVENT:
    case YAML_MAPPING_START_EVENT:
        return add_value(loader, event);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        loader->depth--;
        return ELV_OK;
    case YAML_ALIAS_EVENT:
        return fail_at(loader, event->start_mark,
                       "aliases (*name) are not used in model files: name the value under "
                       "'parameters' or 'materials'; formulas that begin with * need quotes");
    case YAML_DOCUMENT_START_EVENT:
        if (loader->root) {
            return fail_at(loader, event->start_mark,
                           "the file holds several documents ('---'): a model file is one");
        }
        return ELV_OK;
    default:
        return ELV_OK;
    }
}

// ---- errors of libyaml

// libyaml gives the byte, not the line, of characters that it cannot decode
static yaml_mark_t mark_of_byte(const ElvYamlSource* source, size_t offset) {
    yaml_mark_t mark = {0};
    for (size_t i = 0; i < offset && i < source->size; i++) {
        unsigned char c = (unsigned char)source->text[i];
        if (c == '\n') {
            mark.line++;
            mark.column = 0;
        } else if ((c & 0xC0) != 0x80) {
            mark.column++;
        }
    }
    return mark;
}

static bool line_has_tab(const ElvYamlSource* source, size_t line) {
    const char* at = source->text;
    const char* end = source->text + source->size;
    for (size_t i = 0; at && i < line; i++) {
        at = memchr(at, '\n', (size_t)(end - at));
        at = at ? at + 1 : NULL;
    }
    const char* stop = at ? memchr(at, '\n', (size_t)(end - at)) : NULL;
    return at && memchr(at, '\t', (size_t)((stop ? stop : end) - at));
}

static ElvStatus fail_syntax(Loader* loader, const yaml_parser_t* parser) {
    if (parser->error == YAML_MEMORY_ERROR) {
        return fail_memory(loader);
    }
    const char* problem = parser->problem ? parser->problem : "unknown problem";
    char message[ELV_SIZE_MESSAGE];
    if (parser->error == YAML_READER_ERROR) {
        (void)snprintf(message, sizeof message, "the file must be UTF-8 text: %s", problem);
        return fail_at(loader, mark_of_byte(loader->source, parser->problem_offset), message);
    }

    bool has_tab = line_has_tab(loader->source, parser->problem_mark.line);
    (void)snprintf(message, sizeof message, "not YAML: %s%s%s%s", problem,
                   parser->context ? " " : "", parser->context ? parser->context : "",
                   has_tab ? " (indent with spaces, not with tabs)" : "");
    return fail_at(loader, parser->problem_mark, message);
}

// some editors begin UTF-8 text with a byte order mark: it is no part of the document
static ElvYamlSource without_mark(const ElvYamlSource* source) {
    ElvYamlSource body = *source;
    if (body.size >= 3 && memcmp(body.text, "\xEF\xBB\xBF", 3) == 0) {
        body.text += 3;
        body.size -= 3;
    }
    return body;
}

ElvStatus
elv_yaml_parse(const ElvYamlSource* given, ElvPool* pool, ElvYaml** root, ElvError* error) {
    *root = NULL;
    ElvYamlSource body = without_mark(given);
    const ElvYamlSource* source = &body;
    Loader loader = {.source = source, .pool = pool, .error = error};
    yaml_mark_t start = {0};
    if (source->size > ELV_YAML_MAX_BYTES) {
        return fail_at(&loader, start, "the file is too large (limit 16 MiB)");
    }
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser)) {
        return fail_memory(&loader);
    }
    yaml_parser_set_input_string(&parser, (const unsigned char*)source->text, source->size);
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);

    ElvStatus status = ELV_OK;
    for (bool is_done = false; !is_done && status == ELV_OK;) {
        yaml_event_t event;
        if (!yaml_parser_parse(&parser, &event)) {
            status = fail_syntax(&loader, &parser);
            break;
        }
        status = handle(&loader, &event);
        is_done = event.type == YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);

    if (status == ELV_OK && !loader.root) {
        status = fail_at(&loader, start,
                         source->is_located ? "the file is empty: a model begins with 'elver: 1'"
                                            : "the value is missing");
    }
    *root = status == ELV_OK ? loader.root : NULL;
    return status;
}

// ---- looking at nodes

ElvYaml* elv_yaml_get(const ElvYaml* node, const char* key) {
    if (!node || node->kind != ELV_YAML_MAP) {
        return NULL;
    }
    for (ElvYaml* child = node->first; child; child = child->next) {
        if (strcmp(child->key->text, key) == 0) {
            return child;
        }
    }
    return NULL;
}

ElvYaml* elv_yaml_item(const ElvYaml* node, int i) {
    ElvYaml* child = node ? node->first : NULL;
    for (; child && i > 0; i--) {
        child = child->next;
    }
    return i < 0 ? NULL : child;
}

bool elv_yaml_is(const ElvYaml* node, const char* text) {
    return node && node->kind == ELV_YAML_SCALAR && strcmp(node->text, text) == 0;
}

void elv_yaml_append(ElvYaml* parent, ElvYaml* key, ElvYaml* child) {
    child->key = key;
    child->next = NULL;
    child->parent = parent;
    child->index = parent->n;
    if (parent->last) {
        parent->last->next = child;
    } else {
        parent->first = child;
    }
    parent->last = child;
    parent->n++;
}

const char* elv_yaml_describe(const ElvYaml* node) {
    if (node->kind == ELV_YAML_LIST) {
        return "a list";
    }
    if (node->kind == ELV_YAML_MAP) {
        return "a map";
    }
    if (node->text[0] == '\0') {
        return "nothing";
    }
    return "text";
}

void elv_yaml_locate(const ElvYaml* node, ElvError* error) {
    error->line = node->line;
    error->column = node->column;
    (void)snprintf(error->file, sizeof error->file, "%s", node->file ? node->file : "");
}
