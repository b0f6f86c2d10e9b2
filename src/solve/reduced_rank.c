// SPDX-License-Identifier: Apache-2.0
// How near rows are to losing a direction, and what imposed motions would take there (reduced.h).
//
// Let s be the smallest singular value of J, u and h its vectors: u^T J = s h^T. Velocities along h
// are -u^T c_1 / s. Where s falls to zero they stay finite if u^T c_1 falls as fast: the posture is
// gone through. Where it does not they have a pole, c_1 is not in the range of J any more
// [ALI (3.44), (3.54)], and no motion goes through; u^T c_1, shared out over the rows of u, is the
// slip that one would need.
#include "solve/reduced.h"

#include <math.h>
#include <string.h>

static double dot(int n, const double* a, const double* b) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

bool elv_reduced_at(ElvReduced* reduced, ElvData* data, ElvState* state) {
    elv_device_place(reduced->model, data, state);
    return elv_reduced_rows(reduced, data, state, ELV_ROWS_ALL);
}

double elv_reduced_nearness(ElvReduced* reduced, int rank, ElvLost* lost) {
    ElvRowSpace* space = &reduced->space;
    lost->n_active = space->m;
    lost->nearness = 0.0;
    lost->is_known = rank > 0 && rank <= space->k;
    if (!lost->is_known) {
        return 0.0;
    }
    elv_row_space_resolve(space);
    int kept = space->rank;
    space->rank = rank - 1;
    elv_row_space_lost(space, 0, lost->u);
    elv_row_space_kernel(space, 0, lost->h);
    space->rank = kept;
    lost->nearness = space->sigma[0] > 0.0 ? space->sigma[rank - 1] / space->sigma[0] : 0.0;
    return lost->nearness;
}

bool elv_reduced_is_across(const ElvReduced* reduced, const ElvLost* from, const ElvLost* to) {
    bool is_same = from->is_known && to->is_known && from->n_active == to->n_active;
    return is_same && dot(from->n_active, from->u, to->u) * dot(reduced->n, from->h, to->h) < 0.0;
}

// rates of the defects of active rows while nothing that is free moves; the trial is the state so
static bool set_imposed(ElvReduced* r, ElvData* data, const ElvState* state) {
    bool is_finite = true;
    elv_state_copy(r->trial, state);
    for (int k = 0; k < r->n; k++) {
        r->trial->v[r->coordinate[k]] = 0.0;
    }
    elv_kinematics(r->model, data, r->trial);
    elv_border_motion(r->model, data, r->trial, 1, 0.0, r->c);
    for (int i = 0; i < r->space.m; i++) {
        r->defect[i] = r->c[r->row[r->active[i]]];
        is_finite = is_finite && isfinite(r->defect[i]);
    }
    return is_finite;
}

double
elv_reduced_share(ElvReduced* reduced, ElvData* data, const ElvState* state, const ElvLost* lost) {
    const double ROUNDING = 1e-12;
    ElvReduced* r = reduced;
    double all = 0.0;
    if (!lost->is_known || !set_imposed(r, data, state)) {
        return 0.0;
    }
    for (int i = 0; i < r->space.m; i++) {
        all = hypot(all, r->space.scale[i] * r->defect[i]);
    }
    r->fastest = fmax(r->fastest, all);
    double along = dot(r->space.m, lost->u, r->defect);
    // the nearest motion misses rows by their part of u
    memset(r->c, 0, (size_t)r->model->nz * sizeof *r->c);
    for (int i = 0; i < r->space.m; i++) {
        double scale = r->space.scale[i];
        r->c[r->row[r->active[i]]] = lost->u[i] / (scale * scale) * along;
    }
    elv_reduced_choose_missed(r);
    return fabs(along) > ROUNDING * r->fastest ? fabs(along) / all : 0.0;
}
