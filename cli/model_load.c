// SPDX-License-Identifier: Apache-2.0
// Reading models with the values that the command line puts over them. The model is read once
// compiled, so that errors of the compilation have a line and a column, and once as a spec, which
// can be written back.
#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier): POSIX's own name

#include "cli.h"

#include <stdlib.h>
#include <string.h>

// ---- overrides

bool cli_override(CliOverrides* list, const char* key, const char* value) {
    ElvOverride* grown = realloc(list->item, ((size_t)list->n + 1) * sizeof *grown);
    if (!grown) {
        return false;
    }
    list->item = grown;
    char* key_copy = strdup(key);
    char* value_copy = strdup(value);
    if (!key_copy || !value_copy) {
        free(key_copy);
        free(value_copy);
        return false;
    }
    list->item[list->n].key = key_copy;
    list->item[list->n].value = value_copy;
    list->n++;
    return true;
}

bool cli_override_set(const char* command, CliOverrides* list, const char* text) {
    const char* equals = strchr(text, '=');
    if (!equals || equals == text) {
        cli_complain(command, CLI_USAGE,
                     "--set takes KEY=VALUE, as in --set arm.length=0.5; '%s' is not of that form",
                     text);
        return false;
    }
    char* key = strndup(text, (size_t)(equals - text));
    bool is_good = key && cli_override(list, key, equals + 1);
    free(key);
    if (!is_good) {
        cli_complain(command, CLI_FAILED, "out of memory");
    }
    return is_good;
}

void cli_overrides_free(CliOverrides* list) {
    for (int i = 0; i < list->n; i++) {
        free((char*)list->item[i].key);
        free((char*)list->item[i].value);
    }
    free(list->item);
    *list = (CliOverrides){NULL, 0};
}

// ---- models

static bool is_trajectory(const char* path) {
    const char* dot = strrchr(path, '.');
    return dot && (strcmp(dot, ".h5") == 0 || strcmp(dot, ".hdf5") == 0);
}

// a model file
static ElvStatus read_file(const CliOverrides* list, CliModel* model, ElvError* error) {
    ElvStatus status = elv_model_read_file(model->path, list->item, list->n, &model->model, error);
    if (status == ELV_OK) {
        status = elv_spec_read_file(model->path, list->item, list->n, &model->spec, error);
    }
    return status;
}

// the model stored in a trajectory
static ElvStatus read_stored(const CliOverrides* list, CliModel* model, ElvError* error) {
    char* text = NULL;
    ElvStatus status = elv_trajectory_read_model(model->path, &text, error);
    if (status != ELV_OK) {
        return status;
    }
    size_t size = strlen(text);
    status =
        elv_model_read_text(text, size, model->path, list->item, list->n, &model->model, error);
    if (status == ELV_OK) {
        status =
            elv_spec_read_text(text, size, model->path, list->item, list->n, &model->spec, error);
    }
    elv_text_free(text);
    return status;
}

int cli_model_load(const char* command,
                   const char* name,
                   const CliOverrides* list,
                   CliModel* model) {
    model->spec = NULL;
    model->model = NULL;
    if (!name) {
        return cli_complain(command, CLI_USAGE,
                            "which model? 'elver %s --help' shows how to say it", command);
    }
    if (!cli_model_path(command, name, model->path)) {
        return CLI_USAGE;
    }
    ElvError error;
    elv_error_clear(&error);
    ElvStatus status = is_trajectory(model->path) ? read_stored(list, model, &error)
                                                  : read_file(list, model, &error);
    if (status != ELV_OK) {
        cli_complain_error(command, CLI_USAGE, &error);
        cli_model_free(model);
        return status == ELV_ERROR_MEMORY ? CLI_FAILED : CLI_USAGE;
    }
    return CLI_DONE;
}

void cli_model_free(CliModel* model) {
    elv_spec_free(model->spec);
    elv_model_free(model->model);
    model->spec = NULL;
    model->model = NULL;
}
