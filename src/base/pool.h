// SPDX-License-Identifier: Apache-2.0
// A growing pool of memory that is freed as a whole: what specs and models are made of.
#ifndef ELVER_BASE_POOL_H
#define ELVER_BASE_POOL_H

#include <stddef.h>

typedef struct ElvPoolBlock ElvPoolBlock;

typedef struct {
    ElvPoolBlock* head;
} ElvPool;

/// Zeroed memory, aligned to 64 bytes, or NULL when there is none left. size 0 gives a valid
/// pointer.
void* elv_pool_take(ElvPool* pool, size_t count, size_t size);

/// Copies; NULL when there is no memory left.
char* elv_pool_string(ElvPool* pool, const char* text);
void* elv_pool_copy(ElvPool* pool, const void* from, size_t count, size_t size);

/// An array of count elements with room for one more, moved when it must grow. Returns the array,
/// or NULL when there is no memory left; counting is left to the caller.
void* elv_pool_grow(ElvPool* pool, void* array, int count, size_t size);

void elv_pool_free(ElvPool* pool);

#endif
