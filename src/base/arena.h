// SPDX-License-Identifier: Apache-2.0
// One block of memory, laid out by a function that runs twice: first measuring, then placing.
#ifndef ELVER_BASE_ARENA_H
#define ELVER_BASE_ARENA_H

#include <stddef.h>

/// base NULL: measuring, size counts. base set: placing into a block of that size.
typedef struct {
    unsigned char* base;
    size_t size;
} ElvArena;

enum { ELV_ARENA_ALIGN = 64 };

/// Room for count items of the given size, aligned to 64 bytes; NULL while measuring.
static inline void* elv_arena_take(ElvArena* arena, size_t count, size_t item) {
    size_t offset = arena->size;
    size_t bytes = (count * item + ELV_ARENA_ALIGN - 1) / ELV_ARENA_ALIGN * ELV_ARENA_ALIGN;
    arena->size = offset + bytes;
    return arena->base ? arena->base + offset : NULL;
}

#endif
