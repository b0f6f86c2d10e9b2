// SPDX-License-Identifier: Apache-2.0
// Sorting of numbers.
#ifndef ELVER_BASE_SORT_H
#define ELVER_BASE_SORT_H

#include <stddef.h>

/// Sort n numbers, none of them NaN, from the smallest to the largest. x may be NULL if n is 0.
void elv_sort_doubles(double* x, size_t n);

#endif
