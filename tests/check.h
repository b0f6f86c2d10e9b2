// SPDX-License-Identifier: Apache-2.0
// Test macros over cmocka: comparisons of doubles and arrays that print file, line, both values and
// the tolerance, and a small seeded random generator.
#ifndef ELVER_TESTS_CHECK_H
#define ELVER_TESTS_CHECK_H

#include "elver/status.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

// instrumented builds are slow: tests take smaller samples there
#if defined(__SANITIZE_ADDRESS__) || defined(ELVER_INSTRUMENTED)
#define IS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define IS_SANITIZED 1
#endif
#endif
#ifndef IS_SANITIZED
#define IS_SANITIZED 0
#endif

/// xorshift64* generator; a test owns its seed.
typedef struct {
    uint64_t state;
    uint64_t seed;
} CheckRandom;

static inline CheckRandom check_random(uint64_t seed) {
    CheckRandom r = {seed * 0x9E3779B97F4A7C15u + 0x1234567u, seed};
    return r;
}

static inline uint64_t check_random_bits(CheckRandom* r) {
    r->state ^= r->state >> 12;
    r->state ^= r->state << 25;
    r->state ^= r->state >> 27;
    return r->state * 0x2545F4914F6CDD1Du;
}

/// uniform in [lo, hi)
static inline double check_uniform(CheckRandom* r, double lo, double hi) {
    return lo + (hi - lo) * ((double)(check_random_bits(r) >> 11) * 0x1p-53);
}

/// uniform in 0 … n - 1
static inline int check_integer(CheckRandom* r, int n) {
    return (int)(check_random_bits(r) % (uint64_t)n);
}

static inline void check_near_at(
    double actual, double expected, double tol, const char* what, const char* file, int line) {
    // written so that NaN fails
    if (!(fabs(actual - expected) <= tol)) {
        print_error("%s:%d: %s = %.17g, expected %.17g, difference %.3g, tolerance %.3g\n", file,
                    line, what, actual, expected, fabs(actual - expected), tol);
        _fail(file, line);
    }
}

static inline void check_array_near_at(const double* actual,
                                       const double* expected,
                                       size_t n,
                                       double tol,
                                       const char* what,
                                       const char* file,
                                       int line) {
    for (size_t i = 0; i < n; i++) {
        if (!(fabs(actual[i] - expected[i]) <= tol)) {
            print_error("%s:%d: %s[%zu] = %.17g, expected %.17g, difference %.3g, tolerance %.3g\n",
                        file, line, what, i, actual[i], expected[i], fabs(actual[i] - expected[i]),
                        tol);
            _fail(file, line);
        }
    }
}

static inline void check_true_at(int condition, const char* what, const char* file, int line) {
    if (!condition) {
        print_error("%s:%d: not true: %s\n", file, line, what);
        _fail(file, line);
    }
}

static inline void
check_status_at(ElvStatus status, const ElvError* error, const char* file, int line) {
    if (status != ELV_OK) {
        print_error("%s:%d: status '%s': %s\n", file, line, elv_status_text(status),
                    error ? error->message : "");
        _fail(file, line);
    }
}

#define CHECK_NEAR(actual, expected, tol)                                                          \
    check_near_at((actual), (expected), (tol), #actual, __FILE__, __LINE__)
#define CHECK_ARRAY_NEAR(actual, expected, n, tol)                                                 \
    check_array_near_at((actual), (expected), (n), (tol), #actual, __FILE__, __LINE__)
#define CHECK_TRUE(condition)       check_true_at(!!(condition), #condition, __FILE__, __LINE__)
#define CHECK_STATUS(status, error) check_status_at((status), (error), __FILE__, __LINE__)

#endif
