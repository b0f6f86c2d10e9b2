// SPDX-License-Identifier: Apache-2.0
// Model files into specs and models. The text becomes a tree of located nodes, overrides are put
// over it, the tree is interpreted into a spec, and the spec compiled; an error of any of these
// leaves with a place in the file. Everything made on the way is freed on every path.
#include "elver/io.h"
#include "io/file_text.h"
#include "io/read_locate.h"
#include "io/read_model.h"
#include "io/read_override.h"
#include "io/urdf.h"
#include "multibody/spec.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char* text;
    size_t size;
    const char* name;
    const ElvOverride* override_list;
    int n_override;
    bool is_urdf; // else the text tells
} Request;

// ---- text

// the nodes of a model file, or of a model that is one robot; source is not NULL for the latter
static bool parse_tree(ElvReader* reader, const Request* request, const ElvXmlSource* robot) {
    ElvYamlSource source = {
        .text = request->text, .size = request->size, .file = request->name, .is_located = true};
    ElvYaml* root = NULL;
    if (robot ? !elv_urdf_wrap(reader, robot, &root)
              : elv_yaml_parse(&source, &reader->pool, &root, reader->error) != ELV_OK) {
        return false;
    }
    reader->root = root;
    return elv_read_version(reader) && elv_urdf_open(reader, root);
}

// overrides of the import come before it, since others may be for what it brings
static bool put_overrides(ElvReader* reader, const Request* request, bool is_option) {
    for (int i = 0; i < request->n_override; i++) {
        const ElvOverride* override = &request->override_list[i];
        if (elv_urdf_is_option(override->key) == is_option &&
            !elv_read_override(reader, reader->root, override)) {
            return false;
        }
    }
    return true;
}

static bool expand_tree(ElvReader* reader, const Request* request) {
    ElvXmlSource robot = {request->text, request->size, request->name};
    bool is_robot = request->is_urdf || elv_urdf_is(&robot);
    return parse_tree(reader, request, is_robot ? &robot : NULL) &&
           put_overrides(reader, request, true) && elv_read_version(reader) &&
           elv_urdf_expand(reader, reader->root, is_robot ? &robot : NULL);
}

static bool read_tree(ElvReader* reader, const Request* request) {
    if (!expand_tree(reader, request) || !put_overrides(reader, request, false) ||
        !elv_read_version(reader) || !elv_read_model(reader)) {
        return false;
    }
    for (int i = 0; i < reader->n_note; i++) {
        if (!elv_spec_add_note(reader->spec, reader->note[i])) {
            return elv_read_fail_memory(reader);
        }
    }
    return true;
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

static ElvStatus read_file(const char* path,
                           const ElvOverride* override_list,
                           int n_override,
                           ElvSpec** spec,
                           ElvModel** model,
                           ElvError* error) {
    char* text = NULL;
    size_t size = 0;
    elv_error_clear(error);
    ElvStatus status = elv_file_text(path, ELV_YAML_MAX_BYTES, &text, &size, error);
    if (status != ELV_OK) {
        return status;
    }
    Request request = {text, size, path, override_list, n_override, false};
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
    Request request = {text, size, name ? name : "", override_list, n_override, false};
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
    Request request = {text, size, name ? name : "", override_list, n_override, false};
    return read_request(&request, NULL, model, error);
}

// "arm.joint" belongs to "arm"
static void place_owner(const ElvYaml* root, ElvError* error) {
    char owner[ELV_SIZE_NAME];
    (void)snprintf(owner, sizeof owner, "%.*s", (int)strcspn(error->element, "."), error->element);
    // an item, or a key of the model, "fluid", and what it lists, "loads[0]"
    char key[ELV_SIZE_NAME];
    (void)snprintf(key, sizeof key, "%.*s", (int)strcspn(error->element, "["), error->element);
    bool is_key = !elv_read_find_item(root, owner) && elv_yaml_get(root, key);
    if (elv_read_find_item(root, error->element) || is_key) {
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

ElvStatus elv_spec_read_urdf_text(
    const char* text, size_t size, const char* name, ElvSpec** spec, ElvError* error) {
    *spec = NULL;
    elv_error_clear(error);
    Request request = {text, size, name ? name : "", NULL, 0, true};
    return read_request(&request, spec, NULL, error);
}

void elv_error_locate(const char* text, size_t size, const char* name, ElvError* error) {
    ElvError own;
    ElvReader reader = {.error = &own, .element = ""};
    Request request = {text, size, name, NULL, 0, false};
    if (error->file[0] == '\0' && expand_tree(&reader, &request)) {
        place_owner(reader.root, error);
    }
    elv_pool_free(&reader.pool);
}
