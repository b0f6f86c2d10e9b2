// SPDX-License-Identifier: Apache-2.0
// Located failures of the model reader, and the checks of keys and words that all its parts use.
#include "io/read_context.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool elv_read_fail(ElvReader* reader, const ElvYaml* node, const char* format, ...) {
    char message[ELV_SIZE_MESSAGE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    const char* field = node->key ? node->key->text : "";
    (void)elv_error_set(reader->error, ELV_ERROR_INPUT, reader->element, field, "%s", message);
    elv_yaml_locate(node, reader->error);
    return false;
}

const char* elv_read_key(const ElvYaml* node) {
    while (node && !node->key) {
        node = node->parent;
    }
    return node ? node->key->text : "";
}

void elv_read_label(const ElvYaml* node, char label[ELV_READ_LABEL]) {
    // lists are at most two deep where numbers are
    char item[64] = "";
    const ElvYaml* list = node->parent;
    if (!node->key && list && list->key) {
        (void)snprintf(item, sizeof item, "[%d]", node->index);
    } else if (!node->key && list && list->parent && list->parent->key) {
        (void)snprintf(item, sizeof item, "[%d][%d]", list->index, node->index);
    }
    (void)snprintf(label, ELV_READ_LABEL, "%.60s%s", elv_read_key(node), item);
}

bool elv_read_fail_expected(ElvReader* reader, const ElvYaml* node, const char* what) {
    char found[64];
    if (node->kind == ELV_YAML_SCALAR && node->text[0] != '\0') {
        (void)snprintf(found, sizeof found, "'%.40s'", node->text);
    } else if (node->kind == ELV_YAML_LIST) {
        (void)snprintf(found, sizeof found, "a list of %d", node->n);
    } else {
        (void)snprintf(found, sizeof found, "%s", elv_yaml_describe(node));
    }
    if (node->key || node->kind == ELV_YAML_SCALAR) {
        char label[ELV_READ_LABEL];
        elv_read_label(node, label);
        return elv_read_fail(reader, node, "'%s': expected %s, found %s", label, what, found);
    }
    return elv_read_fail(reader, node, "expected %s, found %s", what, found);
}

bool elv_read_fail_memory(ElvReader* reader) {
    (void)elv_error_set(reader->error, ELV_ERROR_MEMORY, reader->element, "",
                        "no memory for the model");
    return false;
}

// ---- keys

// "a, b or c", cut to what fits
static void list_words(char* text, size_t size, const char* const* words, size_t n) {
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < n; i++) {
        if (!words[i]) {
            continue;
        }
        bool is_last = i + 1 == n;
        const char* separator = used == 0 ? "" : is_last ? " or " : ", ";
        int written = snprintf(text + used, size - used, "%s%s", separator, words[i]);
        if (written < 0 || used + (size_t)written >= size) {
            return;
        }
        used += (size_t)written;
    }
}

static int find_word(const char* text, const char* const* words, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (words[i] && strcmp(text, words[i]) == 0) {
            return (int)i;
        }
    }
    return -1;
}

// the word nearest to a key of a map, those first that the map does not have yet
static const char*
nearest_key(const ElvYaml* map, const char* key, const char* const* words, size_t n) {
    const char* pair[2] = {NULL, NULL};
    for (size_t i = 0; i < n; i++) {
        pair[1] = words[i] && !elv_yaml_get(map, words[i]) ? words[i] : NULL;
        pair[0] = elv_suggest(key, pair, 2);
    }
    return pair[0] ? pair[0] : elv_suggest(key, words, n);
}

// fail at node with a suggestion (NULL: none), or with the list of what is known
static bool fail_unknown(ElvReader* reader,
                         const ElvYaml* node,
                         const char* what,
                         const char* nearest,
                         const char* const* words,
                         size_t n) {
    if (nearest) {
        return elv_read_fail(reader, node, "unknown %s '%.80s', did you mean '%s'?", what,
                             node->text, nearest);
    }
    char known[320];
    list_words(known, sizeof known, words, n);
    return elv_read_fail(reader, node, "unknown %s '%.80s', expected %s", what, node->text, known);
}

bool elv_read_keys(
    ElvReader* reader, const ElvYaml* node, const char* what, const char* const* keys, size_t n) {
    if (node->kind != ELV_YAML_MAP) {
        return elv_read_fail_expected(reader, node, what);
    }
    for (const ElvYaml* child = node->first; child; child = child->next) {
        if (find_word(child->key->text, keys, n) < 0) {
            const char* nearest = nearest_key(node, child->key->text, keys, n);
            return fail_unknown(reader, child->key, "key", nearest, keys, n);
        }
    }
    return true;
}

bool elv_read_refuse(
    ElvReader* reader, const ElvYaml* map, const char* const* keys, size_t n, const char* reason) {
    for (size_t i = 0; i < n; i++) {
        const ElvYaml* value = elv_yaml_get(map, keys[i]);
        if (value) {
            return elv_read_fail(reader, value->key, "'%s' does not go with %s", keys[i], reason);
        }
    }
    return true;
}

const ElvYaml*
elv_read_required(ElvReader* reader, const ElvYaml* map, const char* key, const char* what) {
    const ElvYaml* value = elv_yaml_get(map, key);
    if (!value) {
        (void)elv_read_fail(reader, map, "missing key '%s' (%s)", key, what);
    }
    return value;
}

// ---- words

bool elv_read_choice(ElvReader* reader,
                     const ElvYaml* node,
                     const char* what,
                     const char* const* words,
                     size_t n,
                     int* choice) {
    if (node->kind != ELV_YAML_SCALAR || node->text[0] == '\0') {
        char known[320];
        list_words(known, sizeof known, words, n);
        char expected[400];
        (void)snprintf(expected, sizeof expected, "a %s: %s", what, known);
        return elv_read_fail_expected(reader, node, expected);
    }
    *choice = find_word(node->text, words, n);
    return *choice >= 0 ||
           fail_unknown(reader, node, what, elv_suggest(node->text, words, n), words, n);
}

bool elv_read_one_of(ElvReader* reader,
                     const ElvYaml* map,
                     const char* what,
                     const char* const* words,
                     size_t n,
                     const ElvYaml** value,
                     int* choice) {
    *value = NULL;
    for (const ElvYaml* child = map->first; child; child = child->next) {
        int found = find_word(child->key->text, words, n);
        if (found >= 0 && *value) {
            return elv_read_fail(reader, child->key, "a %s is one of '%s' and '%s', not both", what,
                                 words[*choice], words[found]);
        }
        if (found >= 0) {
            *value = child;
            *choice = found;
        }
    }
    if (!*value) {
        char known[320];
        list_words(known, sizeof known, words, n);
        return elv_read_fail(reader, map, "a %s needs one of the keys %s", what, known);
    }
    return true;
}

bool elv_read_items(ElvReader* reader,
                    const ElvYaml* list,
                    bool (*read_item)(ElvReader* reader, const ElvYaml* item)) {
    if (list->kind != ELV_YAML_LIST) {
        return elv_read_fail_expected(reader, list, "a list");
    }
    for (const ElvYaml* item = list->first; item; item = item->next) {
        char place[ELV_READ_LABEL];
        elv_read_label(item, place);
        reader->element = place;
        bool is_read = read_item(reader, item);
        reader->element = "";
        if (!is_read) {
            return false;
        }
    }
    return true;
}

bool elv_read_text(ElvReader* reader, const ElvYaml* node, const char** text) {
    if (node->kind != ELV_YAML_SCALAR || node->text[0] == '\0') {
        return elv_read_fail_expected(reader, node, "text");
    }
    *text = node->text;
    return true;
}

bool elv_read_text_at(ElvReader* reader, const ElvYaml* map, const char* key, const char** text) {
    const ElvYaml* node = elv_yaml_get(map, key);
    return !node || elv_read_text(reader, node, text);
}
