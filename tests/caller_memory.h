// SPDX-License-Identifier: Apache-2.0
// Memory of a caller, overwritten before it is freed: what still points to it shows.
#ifndef ELVER_TESTS_CALLER_MEMORY_H
#define ELVER_TESTS_CALLER_MEMORY_H

#include "check.h"
#include "elver/spec.h"

#include <stdlib.h>

typedef struct {
    void* block[256];
    size_t size[256];
    int n;
} Caller;

static inline void* caller_copy(Caller* caller, const void* from, size_t size) {
    CHECK_TRUE(caller->n < 256);
    void* block = malloc(size);
    CHECK_TRUE(block);
    memcpy(block, from, size);
    caller->block[caller->n] = block;
    caller->size[caller->n++] = size;
    return block;
}

static inline const char* caller_text(Caller* caller, const char* text) {
    return caller_copy(caller, text, strlen(text) + 1);
}

static inline ElvLawDef caller_formula(Caller* caller, const char* text) {
    return elv_law_def_formula(caller_text(caller, text));
}

static inline void caller_free(Caller* caller) {
    for (int i = 0; i < caller->n; i++) {
        memset(caller->block[i], 0xFF, caller->size[i]);
        free(caller->block[i]);
    }
    caller->n = 0;
}

#endif
