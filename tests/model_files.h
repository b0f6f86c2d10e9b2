// SPDX-License-Identifier: Apache-2.0
// The model files that tests go through: every models/*.yaml, and the samples of model_sample.h.
#ifndef ELVER_TESTS_MODEL_FILES_H
#define ELVER_TESTS_MODEL_FILES_H

#include "check.h"

#include "model_sample.h"

#include <dirent.h>
#include <stdlib.h>

enum { MODEL_FILES_MAX = 128 };

typedef struct {
    char* text[MODEL_FILES_MAX]; // NUL-terminated
    char name[MODEL_FILES_MAX]
             [1024]; // of files with their folder, beside which they may have others
    int n;
} ModelFiles;

static inline char* model_file_load(const char* path) {
    FILE* file = fopen(path, "rb");
    assert_non_null(file);
    char* text = calloc(1, 1 << 20);
    assert_non_null(text);
    size_t size = fread(text, 1, (1 << 20) - 1, file);
    CHECK_TRUE(size > 0 && feof(file));
    (void)fclose(file);
    return text;
}

static inline void model_files_add(ModelFiles* files, const char* name, char* text) {
    CHECK_TRUE(files->n < MODEL_FILES_MAX);
    (void)snprintf(files->name[files->n], sizeof files->name[0], "%.1000s", name);
    files->text[files->n++] = text;
}

static inline int model_files_compare(const void* a, const void* b) {
    return strcmp(a, b);
}

/// Sorted by name, so that every run sees them in the same order.
static inline void model_files_open(ModelFiles* files) {
    static const char* const samples[] = {"sample_arm",    "sample_joints",    "sample_rods",
                                          "sample_motion", "sample_actuators", "sample_loops",
                                          "sample_fluid"};
    const char* const texts[] = {sample_arm,       sample_joints, sample_rods, sample_motion,
                                 sample_actuators, sample_loops,  sample_fluid};
    memset(files, 0, sizeof *files);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char* copy = calloc(1, strlen(texts[i]) + 1);
        assert_non_null(copy);
        memcpy(copy, texts[i], strlen(texts[i]));
        model_files_add(files, samples[i], copy);
    }

    char names[MODEL_FILES_MAX][128];
    int n = 0;
    DIR* folder = opendir(ELVER_SOURCE_DIR "/models");
    for (struct dirent* entry; folder && (entry = readdir(folder));) {
        size_t length = strlen(entry->d_name);
        if (length > 5 && strcmp(entry->d_name + length - 5, ".yaml") == 0 &&
            n < MODEL_FILES_MAX - 7) {
            (void)snprintf(names[n++], sizeof names[0], "%.120s", entry->d_name);
        }
    }
    if (folder) {
        (void)closedir(folder);
    }
    qsort(names, (size_t)n, sizeof names[0], model_files_compare);
    for (int i = 0; i < n; i++) {
        char path[1024];
        (void)snprintf(path, sizeof path, "%s/models/%.120s", ELVER_SOURCE_DIR, names[i]);
        model_files_add(files, path, model_file_load(path));
    }
}

static inline void model_files_close(ModelFiles* files) {
    for (int i = 0; i < files->n; i++) {
        free(files->text[i]);
    }
}

#endif
