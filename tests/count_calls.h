// SPDX-License-Identifier: Apache-2.0
// An allocator that counts its calls, in place of that of the C library: for one program with glibc
// and without sanitizers, which bring their own.
#ifndef ELVER_TESTS_COUNT_CALLS_H
#define ELVER_TESTS_COUNT_CALLS_H

#include <stdlib.h>

// the allocator of the C library under its other names
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* block, size_t size);
void* __libc_memalign(size_t alignment, size_t size);

static volatile long n_call;

void* malloc(size_t size) {
    n_call++;
    return __libc_malloc(size);
}

void* calloc(size_t count, size_t size) {
    n_call++;
    return __libc_calloc(count, size);
}

void* realloc(void* block, size_t size) {
    n_call++;
    return __libc_realloc(block, size);
}

void* aligned_alloc(size_t alignment, size_t size) {
    n_call++;
    return __libc_memalign(alignment, size);
}

#endif
