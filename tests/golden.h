// SPDX-License-Identifier: Apache-2.0
// Tables of numbers made by independent programs: tests/golden/NAME.csv.
#ifndef ELVER_TESTS_GOLDEN_H
#define ELVER_TESTS_GOLDEN_H

#include "check.h"

#include <stdio.h>
#include <stdlib.h>

enum { GOLDEN_ROW = 64, GOLDEN_COLUMN = 16 };

/// Rows of a table without its first line; returns their number.
static inline int golden_read(const char* name, double value[GOLDEN_ROW][GOLDEN_COLUMN]) {
    char file[512];
    char line[1024];
    int n = 0;
    snprintf(file, sizeof file, "%s/tests/golden/%s.csv", ELVER_SOURCE_DIR, name);
    FILE* stream = fopen(file, "rb");
    assert_non_null(stream);
    CHECK_TRUE(fgets(line, sizeof line, stream) != NULL);
    for (; fgets(line, sizeof line, stream); n++) {
        CHECK_TRUE(n < GOLDEN_ROW);
        char* at = line;
        for (int i = 0; i < GOLDEN_COLUMN && *at != '\0'; i++) {
            value[n][i] = strtod(at, &at);
            at += *at == ',' || *at == '\n' ? 1 : 0;
        }
    }
    (void)fclose(stream);
    return n;
}

#endif
