// SPDX-License-Identifier: Apache-2.0
// Trajectories that are opened and read record by record, for the tests of that. The including file defines
// _POSIX_C_SOURCE.
#ifndef ELVER_TESTS_TRAJECTORY_OPEN_CASE_H
#define ELVER_TESTS_TRAJECTORY_OPEN_CASE_H

#include "trajectory_sample.h"

static inline ElvTrajectory* open_good(const char* path) {
    ElvTrajectory* trajectory = NULL;
    ElvError error;
    elv_error_clear(&error);
    CHECK_STATUS(elv_trajectory_open(path, &trajectory, &error), &error);
    return trajectory;
}

// record i, with its state where read is one
static inline void
check_record(const Fixture* f, ElvTrajectory* trajectory, long i, ElvState* read) {
    ElvError error;
    elv_error_clear(&error);
    double expected[N_COLUMN];
    double value[N_COLUMN] = {0};
    double t = 0.0;
    make_record((int)i, f->state, expected);
    CHECK_STATUS(elv_trajectory_read(trajectory, i, f->model, &t, read, value, &error), &error);
    check_same(&t, &f->state->t, 1);
    check_same(value, expected, N_COLUMN);
    if (read) {
        check_same(&read->t, &f->state->t, 1);
        check_same(read->q, f->state->q, (size_t)read->nq);
        check_same(read->v, f->state->v, (size_t)read->nv);
        check_same(read->a, f->state->a, (size_t)read->nv);
    }
}

static inline void write_bytes(const char* path, const char* bytes, size_t n) {
    FILE* stream = fopen(path, "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(bytes, 1, n, stream), n);
    fclose(stream);
}

#endif
