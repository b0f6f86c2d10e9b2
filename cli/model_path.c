// SPDX-License-Identifier: Apache-2.0
// Where models lie: "@name" is name.yaml in the first of these folders that has it: $ELVER_MODELS,
// share/elver/models beside the program's own folder, the source tree the program was built from,
// the place it was configured to be installed to. POSIX: folders and links.
#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier): POSIX's own name

#include "cli.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char ending[] = ".yaml";

void cli_model_folders(void (*visit)(void* user, const char* folder), void* user) {
    const char* chosen = getenv("ELVER_MODELS");
    if (chosen && chosen[0] != '\0') {
        visit(user, chosen);
    }

    // PREFIX/bin/elver has its models in PREFIX/share/elver/models
    char folder[CLI_PATH];
    const char* const beside = "/../share/elver/models";
    ssize_t n = readlink("/proc/self/exe", folder, sizeof folder - 64);
    if (n > 0) {
        folder[n] = '\0';
        char* slash = strrchr(folder, '/');
        if (slash) {
            memcpy(slash, beside, strlen(beside) + 1);
            visit(user, folder);
        }
    }
#ifdef ELVER_BUILD_MODEL_DIR
    visit(user, ELVER_BUILD_MODEL_DIR);
#endif
#ifdef ELVER_INSTALL_MODEL_DIR
    visit(user, ELVER_INSTALL_MODEL_DIR);
#endif
}

// ---- one example

typedef struct {
    const char* name;
    char* path; // (CLI_PATH), empty until it is found
} Search;

static void look_in(void* user, const char* folder) {
    Search* search = user;
    char path[CLI_PATH];
    int n = snprintf(path, sizeof path, "%s/%s%s", folder, search->name, ending);
    if (search->path[0] == '\0' && n < CLI_PATH && access(path, R_OK) == 0) {
        memcpy(search->path, path, (size_t)n + 1);
    }
}

static bool find_example(const char* name, char path[CLI_PATH]) {
    Search search = {name, path};
    path[0] = '\0';
    if (name[0] != '\0' && !strchr(name, '/')) {
        cli_model_folders(look_in, &search);
    }
    return path[0] != '\0';
}

static bool complain_example(const char* command, const char* name) {
    CliNames names;
    const char* nearest = NULL;
    if (cli_model_names(&names)) {
        nearest = elv_suggest(name, (const char* const*)names.name, names.n);
    }
    if (nearest) {
        cli_complain(command, CLI_USAGE, "there is no example '@%s', did you mean '@%s'?", name,
                     nearest);
    } else {
        cli_complain(command, CLI_USAGE, "there is no example '@%s'; 'elver list' names them",
                     name);
    }
    cli_names_free(&names);
    return false;
}

bool cli_model_path(const char* command, const char* model, char path[CLI_PATH]) {
    if (model[0] == '@') {
        return find_example(model + 1, path) || complain_example(command, model + 1);
    }
    if (strcmp(model, "-") != 0 && access(model, F_OK) != 0) {
        int code = errno;
        if (find_example(model, path)) {
            cli_complain(command, CLI_USAGE,
                         "cannot read '%s': %s; did you mean the example '@%s'?", model,
                         strerror(code), model);
        } else {
            cli_complain(command, CLI_USAGE, "cannot read '%s': %s", model, strerror(code));
        }
        return false;
    }
    if (snprintf(path, CLI_PATH, "%s", model) >= CLI_PATH) {
        cli_complain(command, CLI_USAGE, "the file name is too long");
        return false;
    }
    return true;
}

// ---- all examples

typedef struct {
    CliNames* names;
    bool is_full; // out of memory
} Gathering;

static bool has_name(const CliNames* names, const char* name, size_t n) {
    for (size_t i = 0; i < names->n; i++) {
        if (strlen(names->name[i]) == n && memcmp(names->name[i], name, n) == 0) {
            return true;
        }
    }
    return false;
}

static bool add_name(CliNames* names, const char* name, size_t n) {
    char** grown = realloc(names->name, (names->n + 1) * sizeof *grown);
    if (!grown) {
        return false;
    }
    names->name = grown;
    names->name[names->n] = strndup(name, n);
    if (!names->name[names->n]) {
        return false;
    }
    names->n++;
    return true;
}

static void gather(void* user, const char* folder) {
    Gathering* gathering = user;
    DIR* stream = opendir(folder);
    if (!stream) {
        return;
    }
    for (const struct dirent* entry = readdir(stream); entry; entry = readdir(stream)) {
        size_t n = strlen(entry->d_name);
        size_t n_ending = strlen(ending);
        bool is_model = n > n_ending && entry->d_name[0] != '.' &&
                        strcmp(entry->d_name + n - n_ending, ending) == 0;
        if (is_model && !has_name(gathering->names, entry->d_name, n - n_ending) &&
            !add_name(gathering->names, entry->d_name, n - n_ending)) {
            gathering->is_full = true;
        }
    }
    closedir(stream);
}

static int compare_names(const void* a, const void* b) {
    return strcmp(*(char* const*)a, *(char* const*)b);
}

bool cli_model_names(CliNames* names) {
    *names = (CliNames){NULL, 0};
    Gathering gathering = {names, false};
    cli_model_folders(gather, &gathering);
    if (names->n > 0) {
        qsort(names->name, names->n, sizeof *names->name, compare_names);
    }
    return !gathering.is_full;
}

void cli_names_free(CliNames* names) {
    for (size_t i = 0; i < names->n; i++) {
        free(names->name[i]);
    }
    free(names->name);
    *names = (CliNames){NULL, 0};
}
