// SPDX-License-Identifier: Apache-2.0
// Four numbers at once: a vector type of the compiler, which falls back to pairs or single numbers where
// the machine has no wider registers. Every operation is done lane by lane in IEEE arithmetic and
// nothing is contracted, so that a lane holds the same bits on every machine.
#ifndef ELVER_BASE_REAL4_H
#define ELVER_BASE_REAL4_H

#include <stddef.h>
#include <string.h>

typedef double ElvReal4 __attribute__((vector_size(32)));

/// Small functions on vectors are always inlined: no vector crosses a call.
#define ELV_INLINE static inline __attribute__((always_inline))

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define ELV_IS_SANITIZED 1
#endif
#endif

/// Compile a function twice, for registers of four numbers and for any machine, and choose when the
/// program is loaded: gcc on x86 with glibc. Elsewhere, and under sanitizers, which are not ready when the
/// choice is made, the function is compiled once.
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__GLIBC__) &&       \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(ELV_IS_SANITIZED)
#define ELV_VECTOR_CLONES __attribute__((target_clones("avx", "default")))
#else
#define ELV_VECTOR_CLONES
#endif

ELV_INLINE ElvReal4 elv_real4_load(const double* x) {
    ElvReal4 v;
    memcpy(&v, x, sizeof v);
    return v;
}

ELV_INLINE void elv_real4_store(double* x, ElvReal4 v) {
    memcpy(x, &v, sizeof v);
}

ELV_INLINE ElvReal4 elv_real4(double x) {
    return (ElvReal4){x, x, x, x};
}

/// Zero in the lanes before `first`.
ELV_INLINE ElvReal4 elv_real4_from_lane(ElvReal4 x, int first) {
    return (ElvReal4){first > 0 ? 0.0 : x[0], first > 1 ? 0.0 : x[1], first > 2 ? 0.0 : x[2], x[3]};
}

/// Four indices, one per lane. Past the end of n items the last one is repeated: lanes that are too many
/// compute and store it again.
typedef struct {
    size_t at[4];
} ElvQuad;

ELV_INLINE ElvQuad elv_quad(int i, int n) {
    ElvQuad quad;
    for (int lane = 0; lane < 4; lane++) {
        quad.at[lane] = (size_t)(i + lane < n ? i + lane : n - 1);
    }
    return quad;
}

/// x[stride at], lane by lane.
ELV_INLINE ElvReal4 elv_real4_gather(const double* x, size_t stride, const ElvQuad* q) {
    return (ElvReal4){x[stride * q->at[0]], x[stride * q->at[1]], x[stride * q->at[2]],
                      x[stride * q->at[3]]};
}

ELV_INLINE void elv_real4_scatter(ElvReal4 v, double* x, size_t stride, const ElvQuad* q) {
    x[stride * q->at[0]] = v[0];
    x[stride * q->at[1]] = v[1];
    x[stride * q->at[2]] = v[2];
    x[stride * q->at[3]] = v[3];
}

#endif
