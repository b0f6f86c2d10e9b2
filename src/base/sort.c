// SPDX-License-Identifier: Apache-2.0
// Shell's sort, in place: the system's qsort may take memory, and integrators look for breakpoints
// within a step.
#include "base/sort.h"

void elv_sort_doubles(double* x, size_t n) {
    for (size_t gap = n / 2; gap > 0; gap = gap == 2 ? 1 : (size_t)((double)gap / 2.2)) {
        for (size_t i = gap; i < n; i++) {
            double value = x[i];
            size_t k = i;
            for (; k >= gap && x[k - gap] > value; k -= gap) {
                x[k] = x[k - gap];
            }
            x[k] = value;
        }
    }
}
