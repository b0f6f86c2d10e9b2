// SPDX-License-Identifier: Apache-2.0
// Model files into specs and models. The text becomes a tree of located nodes, overrides are put
// over it, the tree is interpreted into a spec, and the spec compiled; an error of any of these
// leaves with a place in the file. Everything made on the way is freed on every path.
#include "elver/io.h"
#include "io/read_locate.h"
#include "io/read_model.h"
#include "io/read_override.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char* text;
    size_t size;
    const char* name;
    const ElvOverride* override_list;
    int n_override;
} Request;

// ---- text

static bool read_tree(ElvReader* reader, const Request* request) {
    ElvYamlSource source = {
        .text = request->text, .size = request->size, .file = request->name, .is_located = true};
    ElvYaml* root = NULL;
    if (elv_yaml_parse(&source, &reader->pool, &root, reader->error) != ELV_OK) {
        return false;
    }
    reader->root = root;
    if (!elv_read_version(reader)) {
        return false;
    }
    for (int i = 0; i < request->n_override; i++) {
        if (!elv_read_override(reader, root, &request->override_list[i])) {
            return false;
        }
    }
    return elv_read_version(reader) && elv_read_model(reader);
}

static bool compile(ElvReader* reader, ElvModel** model) {
    ElvStatus status = elv_spec_compile(reader->spec, model, reader->error);
    if (status == ELV_ERROR_INPUT) {
        elv_read_place(reader->root, reader->error);
    }
    return status == ELV_OK;
}

// one of spec and model is wanted, the other NULL
static ElvStatus
read_request(const Request* request, ElvSpec** spec, ElvModel** model, ElvError* error) {
    ElvError own;
    elv_error_clear(&own);
    ElvReader reader = {.error = &own, .element = ""};
    bool is_read = read_tree(&reader, request) && (!model || compile(&reader, model));
    if (is_read && spec) {
        *spec = reader.spec;
    } else {
        elv_spec_free(reader.spec);
    }
    elv_pool_free(&reader.pool);
    if (is_read) {
        return ELV_OK;
    }

    // whoever failed has said why
    assert(own.status != ELV_OK);
    if (error) {
        *error = own;
    }
    return own.status;
}

// ---- files

static ElvStatus fail_file(const char* path, const char* reason, ElvError* error) {
    (void)elv_error_set(error, ELV_ERROR_FILE, "", "", "cannot read '%.200s': %s", path, reason);
    if (error) {
        (void)snprintf(error->file, sizeof error->file, "%s", path);
    }
    return ELV_ERROR_FILE;
}

// whole file, one byte more than the limit at most: the parser refuses what exceeds it
static ElvStatus load(const char* path, char** text, size_t* size, ElvError* error) {
    FILE* file = fopen(path, "rb");
    if (!file) {
        return fail_file(path, strerror(errno), error);
    }
    size_t capacity = 64 * 1024;
    *size = 0;
    *text = malloc(capacity);
    while (*text && *size <= ELV_YAML_MAX_BYTES) {
        size_t n = fread(*text + *size, 1, capacity - *size, file);
        *size += n;
        if (n == 0) {
            break;
        }
        if (*size == capacity) {
            capacity *= 2;
            char* larger = realloc(*text, capacity);
            if (!larger) {
                free(*text);
            }
            *text = larger;
        }
    }
    int failure = ferror(file) ? errno : 0;
    (void)fclose(file);
    if (!*text) {
        return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "no memory for the file '%.200s'",
                             path);
    }
    if (failure) {
        free(*text);
        return fail_file(path, strerror(failure), error);
    }
    return ELV_OK;
}

static ElvStatus read_file(const char* path,
                           const ElvOverride* override_list,
                           int n_override,
                           ElvSpec** spec,
                           ElvModel** model,
                           ElvError* error) {
    char* text = NULL;
    size_t size = 0;
    elv_error_clear(error);
    ElvStatus status = load(path, &text, &size, error);
    if (status != ELV_OK) {
        return status;
    }
    Request request = {text, size, path, override_list, n_override};
    status = read_request(&request, spec, model, error);
    free(text);
    return status;
}

// ---- public

ElvStatus elv_spec_read_file(const char* path,
                             const ElvOverride* override_list,
                             int n_override,
                             ElvSpec** spec,
                             ElvError* error) {
    *spec = NULL;
    return read_file(path, override_list, n_override, spec, NULL, error);
}

ElvStatus elv_spec_read_text(const char* text,
                             size_t size,
                             const char* name,
                             const ElvOverride* override_list,
                             int n_override,
                             ElvSpec** spec,
                             ElvError* error) {
    *spec = NULL;
    elv_error_clear(error);
    Request request = {text, size, name ? name : "", override_list, n_override};
    return read_request(&request, spec, NULL, error);
}

ElvStatus elv_model_read_file(const char* path,
                              const ElvOverride* override_list,
                              int n_override,
                              ElvModel** model,
                              ElvError* error) {
    *model = NULL;
    return read_file(path, override_list, n_override, NULL, model, error);
}

ElvStatus elv_model_read_text(const char* text,
                              size_t size,
                              const char* name,
                              const ElvOverride* override_list,
                              int n_override,
                              ElvModel** model,
                              ElvError* error) {
    *model = NULL;
    elv_error_clear(error);
    Request request = {text, size, name ? name : "", override_list, n_override};
    return read_request(&request, NULL, model, error);
}

void elv_error_locate(const char* text, size_t size, const char* name, ElvError* error) {
    ElvYamlSource source = {.text = text, .size = size, .file = name, .is_located = true};
    ElvPool pool = {0};
    ElvYaml* root = NULL;
    if (error->file[0] == '\0' && elv_yaml_parse(&source, &pool, &root, NULL) == ELV_OK) {
        // "arm.joint" belongs to "arm"
        char owner[ELV_SIZE_NAME];
        (void)snprintf(owner, sizeof owner, "%.*s", (int)strcspn(error->element, "."),
                       error->element);
        if (elv_read_find_item(root, error->element)) {
            elv_read_place(root, error);
        } else if (elv_read_find_item(root, owner)) {
            ElvError own = *error;
            (void)snprintf(own.element, sizeof own.element, "%s", owner);
            (void)snprintf(own.field, sizeof own.field, "%s",
                           error->element + strlen(owner) + (error->element[strlen(owner)] == '.'));
            elv_read_place(root, &own);
            error->line = own.line;
            error->column = own.column;
            memcpy(error->file, own.file, sizeof error->file);
        }
    }
    elv_pool_free(&pool);
}
