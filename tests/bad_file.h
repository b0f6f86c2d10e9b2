// SPDX-License-Identifier: Apache-2.0
// Model files that must be refused, with the place and a part of the message of each. Lines and
// columns are counted by hand in the texts.
#ifndef ELVER_TESTS_BAD_FILE_H
#define ELVER_TESTS_BAD_FILE_H

#include "check.h"
#include "elver/io.h"

typedef struct {
    const char* text;
    int line, column;
    const char* message; // part of the formatted error
} BadFile;

// a file whose first lines are right; what follows begins on line 3
#define HEAD "elver: 1\ntree:\n"
// a rod that ends on line 6; keys after it begin on line 7, at column 5
#define ROD                                                                                        \
    HEAD "  - rod: arm\n    length: 1\n    section: {circle: {diameter: 0.1}}\n"                   \
         "    material: {density: 1000, young: 1e6}\n"
// a body that ends on line 4; keys after it begin on line 5, at column 5
#define BODY HEAD "  - body: box\n    mass: 1\n"

static inline void check_bad_text(const char* text, size_t size, const BadFile* expected) {
    ElvModel* model = NULL;
    ElvError error;
    char message[1024];
    ElvStatus status = elv_model_read_text(text, size, "x.yaml", NULL, 0, &model, &error);
    if (status == ELV_OK) {
        elv_model_free(model);
        fail_msg("no error for:\n%s", text);
    }
    elv_error_format(&error, message, sizeof message);
    if (status != ELV_ERROR_INPUT || error.line != expected->line ||
        error.column != expected->column || !strstr(message, expected->message)) {
        fail_msg("%s\nexpected at %d:%d: %s\nfor:\n%s", message, expected->line, expected->column,
                 expected->message, text);
    }
    assert_null(model);
    assert_string_equal(error.file, "x.yaml");
}

static inline void check_bad_files(const BadFile* files, size_t n) {
    for (size_t i = 0; i < n; i++) {
        check_bad_text(files[i].text, strlen(files[i].text), &files[i]);
    }
}

#define CHECK_BAD_FILES(files) check_bad_files((files), sizeof(files) / sizeof(files)[0])

#endif
