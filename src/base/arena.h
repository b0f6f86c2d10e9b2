// SPDX-License-Identifier: Apache-2.0
// One block of memory, laid out by a function that runs twice: first measuring, then placing. Parts that
// need room only for the time of an operation may share it.
#ifndef ELVER_BASE_ARENA_H
#define ELVER_BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>

/// base NULL: measuring, size counts. base set: placing into a block of that size.
typedef struct {
    unsigned char* base;
    size_t size;
    // room that is shared; without it, every part has its own
    bool is_shared;
    unsigned char* scratch;
    size_t n_scratch;    // taken by the part in hand
    size_t most_scratch; // by any part so far
} ElvArena;

enum { ELV_ARENA_ALIGN = 64 };

static inline size_t elv_arena_bytes(size_t count, size_t item) {
    return (count * item + ELV_ARENA_ALIGN - 1) / ELV_ARENA_ALIGN * ELV_ARENA_ALIGN;
}

/// Room for count items of the given size, aligned to 64 bytes; NULL while measuring.
static inline void* elv_arena_take(ElvArena* arena, size_t count, size_t item) {
    size_t offset = arena->size;
    arena->size = offset + elv_arena_bytes(count, item);
    return arena->base ? arena->base + offset : NULL;
}

/// The same for what nobody reads after the operation that wrote it: other parts may use that room then.
static inline void* elv_arena_take_scratch(ElvArena* arena, size_t count, size_t item) {
    if (!arena->is_shared) {
        return elv_arena_take(arena, count, item);
    }
    size_t offset = arena->n_scratch;
    arena->n_scratch = offset + elv_arena_bytes(count, item);
    arena->most_scratch =
        arena->n_scratch > arena->most_scratch ? arena->n_scratch : arena->most_scratch;
    return arena->scratch ? arena->scratch + offset : NULL;
}

/// The next part begins: what the last one took of the shared room is free again.
static inline void elv_arena_next(ElvArena* arena) {
    arena->n_scratch = 0;
}

#endif
