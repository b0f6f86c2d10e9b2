// SPDX-License-Identifier: Apache-2.0
// A reader of the chunks of docs/viewer.md, written from that page alone.
#ifndef ELVER_TESTS_VIEW_CHUNK_H
#define ELVER_TESTS_VIEW_CHUNK_H

#include "check.h"

#include <stdlib.h>
#include <zlib.h>

typedef struct {
    int n, m;
    double* t;      // (n)
    double* offset; // (m)
    double* quantum;
    double* value; // number j of record i at i m + j
} Chunk;

static inline uint32_t chunk_word(const unsigned char* p) {
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline double chunk_float(const unsigned char* p) {
    uint32_t word = chunk_word(p);
    float x;
    memcpy(&x, &word, sizeof x);
    return (double)x;
}

static inline double chunk_double(const unsigned char* p) {
    uint64_t bits = (uint64_t)chunk_word(p + 4) << 32 | chunk_word(p);
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline unsigned char* chunk_inflate(const unsigned char* packed, size_t size, size_t* n) {
    size_t room = 1 << 16;
    for (;;) {
        unsigned char* raw = malloc(room);
        assert_non_null(raw);
        uLongf n_raw = (uLongf)room;
        int code = uncompress(raw, &n_raw, packed, (uLong)size);
        if (code == Z_OK) {
            *n = n_raw;
            return raw;
        }
        CHECK_TRUE(code == Z_BUF_ERROR && room < (size_t)1 << 30);
        free(raw);
        room *= 4;
    }
}

static inline Chunk chunk_read(const unsigned char* packed, size_t size) {
    size_t n_raw;
    unsigned char* raw = chunk_inflate(packed, size, &n_raw);
    CHECK_TRUE(n_raw >= 8);
    size_t n = chunk_word(raw), m = chunk_word(raw + 4);
    CHECK_TRUE(n_raw == 8 + 8 * n + 8 * m + 4 * m * n);
    Chunk chunk = {.n = (int)n, .m = (int)m};
    chunk.t = calloc(n + 1, sizeof(double));
    chunk.offset = calloc(m + 1, sizeof(double));
    chunk.quantum = calloc(m + 1, sizeof(double));
    chunk.value = calloc(n * m + 1, sizeof(double));
    const unsigned char* offset = raw + 8 + 8 * n;
    const unsigned char* plane = offset + 8 * m;
    for (size_t i = 0; i < n; i++) {
        chunk.t[i] = chunk_double(raw + 8 + 8 * i);
    }
    for (size_t j = 0; j < m; j++) {
        int32_t k = 0;
        chunk.offset[j] = chunk_float(offset + 4 * j);
        chunk.quantum[j] = chunk_float(offset + 4 * m + 4 * j);
        for (size_t i = 0; i < n; i++) {
            uint32_t w = 0;
            for (size_t b = 0; b < 4; b++) {
                w |= (uint32_t)plane[b * m * n + j * n + i] << (8 * b);
            }
            k += (int32_t)(w >> 1) ^ -(int32_t)(w & 1);
            chunk.value[i * m + j] = chunk.offset[j] + chunk.quantum[j] * k;
        }
    }
    free(raw);
    return chunk;
}

static inline void chunk_free(Chunk* chunk) {
    free(chunk->t);
    free(chunk->offset);
    free(chunk->quantum);
    free(chunk->value);
}

#endif
