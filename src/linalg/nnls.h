// SPDX-License-Identifier: Apache-2.0
// Least squares with unknowns that must not be negative: min |A x - b|, x >= 0, by the active-set method of Lawson
// and Hanson. Rows come one by one and are rotated into a triangle at once: only n + 1 rows are kept, and A^T A
// is never formed.
#ifndef ELVER_LINALG_NNLS_H
#define ELVER_LINALG_NNLS_H

#include <stdbool.h>

typedef struct {
    int n;
    double* R;     // triangle of [A b]                        ((n + 1) x (n + 1))
    double* Q;     // scratch: the columns in use, factored    ((n + 1) x (n + 1))
    double* z;     // scratch: (n)
    double* slope; // scratch: (n)
    int* used;     // columns in use, in the order in which they came (n)
    bool* is_used; // (n)
} ElvNnls;

/// Numbers of room for n unknowns, beside `used` and `is_used`.
static inline int elv_nnls_size(int n) {
    return 2 * (n + 1) * (n + 1) + 2 * n;
}

/// Begin without rows. room: (elv_nnls_size(n)); used, is_used: (n).
void elv_nnls_start(ElvNnls* nnls, int n, double* room, int* used, bool* is_used);

/// Add a row of [A b]: (n + 1), overwritten.
void elv_nnls_add(ElvNnls* nnls, double* row);

/// x (n); returns |A x - b|. Of columns that repeat others as few as will do are above zero. Rows may be added
/// afterwards.
double elv_nnls_solve(ElvNnls* nnls, double* x);

#endif
