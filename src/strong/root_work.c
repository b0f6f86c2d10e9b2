// SPDX-License-Identifier: Apache-2.0
// The workspace of a search for roots: a Jacobian, its factors and those of its normal equations, all bands, and
// vectors, in one block.
#include "strong/root_solve.h"

#include <stdlib.h>
#include <string.h>

static void* layout(ElvBand* J, ElvBand* normal, ElvRootWork* w, double* at) {
    size_t n = (size_t)J->n;
    size_t size = elv_band_size(J->n, J->below, J->above);
    J->a = at;
    w->factor = *J;
    w->factor.a = J->a + size;
    normal->a = w->factor.a + size;
    w->r = normal->a + elv_band_size(normal->n, normal->below, normal->above);
    w->trial = w->r + n;
    w->newton = w->trial + n;
    w->gradient = w->newton + n;
    w->step = w->gradient + n;
    w->product = w->step + n;
    return w->product + n;
}

ElvStatus elv_root_work_create(const ElvRootProblem* problem, ElvRootWork* work, ElvError* error) {
    memset(work, 0, sizeof *work);
    int half = problem->below + problem->above;
    size_t n = (size_t)problem->n;
    work->J = (ElvBand){problem->n, problem->below, problem->above, NULL};
    work->normal = (ElvBand){problem->n, half, half, NULL};
    size_t n_real = 2 * elv_band_size(problem->n, problem->below, problem->above) +
                    elv_band_size(problem->n, half, half) + 6 * n;
    work->block = calloc(n_real * sizeof(double) + 2 * n * sizeof(int) + 1, 1);
    if (!work->block) {
        return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    work->pivot = layout(&work->J, &work->normal, work, work->block);
    work->normal_pivot = work->pivot + n;
    return ELV_OK;
}

void elv_root_work_free(ElvRootWork* work) {
    free(work->block);
    memset(work, 0, sizeof *work);
}
