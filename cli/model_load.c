// SPDX-License-Identifier: Apache-2.0
// Reading models with the values that the command line puts over them. The text is read once, since
// a pipe gives it once, and interpreted twice: compiled, so that errors of the compilation have a
// line and a column, and as a spec, which can be written back.
#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier): POSIX's own name

#include "cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// ---- overrides

bool cli_override(CliOverrides* list, const char* option, const char* key, const char* value) {
    size_t n = (size_t)list->n + 1;
    ElvOverride* grown = realloc(list->item, n * sizeof *grown);
    if (!grown) {
        return false;
    }
    list->item = grown;
    const char** options = realloc(list->option, n * sizeof *options);
    if (!options) {
        return false;
    }
    list->option = options;
    char* key_copy = strdup(key);
    char* value_copy = strdup(value);
    if (!key_copy || !value_copy) {
        free(key_copy);
        free(value_copy);
        return false;
    }
    list->item[list->n].key = key_copy;
    list->item[list->n].value = value_copy;
    list->option[list->n] = option;
    list->n++;
    return true;
}

int cli_override_set(const char* command, CliOverrides* list, const char* text) {
    const char* equals = strchr(text, '=');
    if (!equals || equals == text) {
        return cli_complain(
            command, CLI_USAGE,
            "--set takes KEY=VALUE, as in --set arm.length=0.5; '%s' is not of that form", text);
    }
    char* key = strndup(text, (size_t)(equals - text));
    bool is_good = key && cli_override(list, NULL, key, equals + 1);
    free(key);
    return is_good ? CLI_DONE : cli_complain(command, CLI_FAILED, "out of memory");
}

void cli_overrides_free(CliOverrides* list) {
    for (int i = 0; i < list->n; i++) {
        free((char*)list->item[i].key);
        free((char*)list->item[i].value);
    }
    free(list->item);
    free(list->option);
    *list = (CliOverrides){NULL, NULL, 0};
}

// an error of a value that an option stands for names the option, not the override it became
static void name_option(const CliOverrides* list, ElvError* error) {
    for (int i = 0; i < list->n; i++) {
        char label[CLI_PATH];
        int n = snprintf(label, sizeof label, "--set %s=", list->item[i].key);
        if (list->option[i] && strncmp(error->file, label, (size_t)n) == 0) {
            snprintf(error->file, sizeof error->file, "%s", list->option[i]);
            error->element[0] = '\0';
            error->line = 0;
        }
    }
}

// ---- models

static bool is_trajectory(const char* path) {
    const char* dot = strrchr(path, '.');
    return dot && (strcmp(dot, ".h5") == 0 || strcmp(dot, ".hdf5") == 0);
}

// far above what the library takes, so that it is the library that refuses
enum { FIRST_SIZE = 1 << 16, MAX_SIZE = 1 << 28 };

static ElvStatus fail_read(const char* path, int code, ElvError* error) {
    (void)elv_error_set(error, ELV_ERROR_FILE, NULL, NULL, "cannot read '%.200s': %s", path,
                        strerror(code));
    snprintf(error->file, sizeof error->file, "%.*s", (int)sizeof error->file - 1, path);
    return ELV_ERROR_FILE;
}

// all that a stream gives; NULL when there is no memory
static char* read_stream(FILE* stream, size_t* size) {
    char* text = NULL;
    size_t room = FIRST_SIZE;
    *size = 0;
    for (size_t n = 1; n > 0 && *size < MAX_SIZE; *size += n) {
        if (!text || *size == room) {
            room = text ? 2 * room : room;
            char* grown = realloc(text, room);
            if (!grown) {
                free(text);
                return NULL;
            }
            text = grown;
        }
        n = fread(text + *size, 1, room - *size, stream);
    }
    return text;
}

// the text of a model file; "-" is standard input
static ElvStatus read_file(CliModel* model, char** text, size_t* size, ElvError* error) {
    bool is_stdin = strcmp(model->path, "-") == 0;
    if (is_stdin) {
        snprintf(model->path, sizeof model->path, "<stdin>");
    }
    const char* path = model->path;
    FILE* stream = is_stdin ? stdin : fopen(path, "rb");
    if (!stream) {
        return fail_read(path, errno, error);
    }
    *text = read_stream(stream, size);
    int code = ferror(stream) ? errno : 0;
    if (!is_stdin) {
        fclose(stream);
    }
    if (!*text) {
        return elv_error_set(error, ELV_ERROR_MEMORY, NULL, NULL, "out of memory");
    }
    if (code != 0) {
        free(*text);
        return fail_read(path, code, error);
    }
    return ELV_OK;
}

static ElvStatus interpret(
    const CliOverrides* list, const char* text, size_t size, CliModel* model, ElvError* error) {
    ElvStatus status =
        elv_model_read_text(text, size, model->path, list->item, list->n, &model->model, error);
    if (status == ELV_OK) {
        status =
            elv_spec_read_text(text, size, model->path, list->item, list->n, &model->spec, error);
    }
    return status;
}

// a model file, or the model stored in a trajectory
static ElvStatus read_model(const CliOverrides* list, CliModel* model, ElvError* error) {
    char* text = NULL;
    size_t size = 0;
    if (!is_trajectory(model->path)) {
        ElvStatus status = read_file(model, &text, &size, error);
        if (status == ELV_OK) {
            status = interpret(list, text, size, model, error);
            model->text = text;
            model->n_text = size;
        }
        return status;
    }
    ElvStatus status = elv_trajectory_read_model(model->path, &text, error);
    if (status == ELV_OK) {
        status = interpret(list, text, strlen(text), model, error);
        elv_text_free(text);
    }
    return status;
}

int cli_model_load(const char* command,
                   const char* name,
                   const CliOverrides* list,
                   CliModel* model) {
    model->spec = NULL;
    model->model = NULL;
    model->text = NULL;
    if (!name) {
        return cli_complain(command, CLI_USAGE,
                            "which model? 'elver %s --help' shows how to say it", command);
    }
    if (!cli_model_path(command, name, model->path)) {
        return CLI_USAGE;
    }
    ElvError error;
    elv_error_clear(&error);
    ElvStatus status = read_model(list, model, &error);
    if (status != ELV_OK) {
        int code = status == ELV_ERROR_MEMORY ? CLI_FAILED : CLI_USAGE;
        cli_model_free(model);
        name_option(list, &error);
        return cli_complain_error(command, code, &error);
    }
    return CLI_DONE;
}

const char* cli_model_title(const CliModel* model) {
    const char* name = elv_model_name(model->model);
    if (name && name[0] != '\0') {
        return name;
    }
    const char* slash = strrchr(model->path, '/');
    return slash ? slash + 1 : model->path;
}

void cli_model_free(CliModel* model) {
    elv_spec_free(model->spec);
    elv_model_free(model->model);
    free(model->text);
    model->spec = NULL;
    model->model = NULL;
    model->text = NULL;
}

void cli_model_locate(const CliModel* model, ElvError* error) {
    if (model->text && error->element[0] != '\0') {
        elv_error_locate(model->text, model->n_text, model->path, error);
    }
}

int cli_count_loops(const ElvModel* model) {
    static const char* const kind[] = {"loop",  "slider",   "constraint", "rolling",
                                       "wheel", "coupling", "contact"};
    int n = 0;
    for (int i = 0; i < elv_model_n_device(model); i++) {
        const char* own = elv_model_device(model, i).kind;
        for (size_t k = 0; k < sizeof kind / sizeof kind[0]; k++) {
            n += strcmp(own, kind[k]) == 0;
        }
    }
    return n;
}
