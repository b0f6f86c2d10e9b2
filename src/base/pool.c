// SPDX-License-Identifier: Apache-2.0
// A growing pool of memory that is freed as a whole. Each request is its own block in a list: specs
// and models are built once, so simplicity (and exact sanitizer bounds) win over speed.
#include "base/pool.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { POOL_ALIGN = 64 };

struct ElvPoolBlock {
    ElvPoolBlock* next;
};

void* elv_pool_take(ElvPool* pool, size_t count, size_t size) {
    if (size > 0 && count > (SIZE_MAX / 2 - POOL_ALIGN) / size) {
        return NULL;
    }
    // a header of one alignment unit, then the payload
    size_t bytes = POOL_ALIGN + (count * size + POOL_ALIGN - 1) / POOL_ALIGN * POOL_ALIGN;
    ElvPoolBlock* block = aligned_alloc(POOL_ALIGN, bytes);
    if (!block) {
        return NULL;
    }
    memset(block, 0, bytes);
    block->next = pool->head;
    pool->head = block;
    return (unsigned char*)block + POOL_ALIGN;
}

char* elv_pool_string(ElvPool* pool, const char* text) {
    return elv_pool_copy(pool, text, strlen(text) + 1, 1);
}

void* elv_pool_copy(ElvPool* pool, const void* from, size_t count, size_t size) {
    void* to = elv_pool_take(pool, count, size);
    if (to && count * size > 0) {
        memcpy(to, from, count * size);
    }
    return to;
}

void* elv_pool_grow(ElvPool* pool, void* array, int count, size_t size) {
    // capacities are 4, 8, 16, …: a full array is copied into one of twice the size
    if (array && (count < 4 || (count & (count - 1)) != 0)) {
        return array;
    }
    void* grown = elv_pool_take(pool, count < 4 ? 4 : 2 * (size_t)count, size);
    if (grown && array && count > 0) {
        memcpy(grown, array, (size_t)count * size);
    }
    return grown;
}

void elv_pool_free(ElvPool* pool) {
    while (pool->head) {
        ElvPoolBlock* next = pool->head->next;
        free(pool->head);
        pool->head = next;
    }
}
