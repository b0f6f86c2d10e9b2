// SPDX-License-Identifier: Apache-2.0
// Trajectories for the tests of their files: a seeded sequence of records, written by the library
// and compared, bit by bit, with what the test itself reads. A fixture is a folder of its own, which
// must be empty at the end. The including file defines _POSIX_C_SOURCE.
#ifndef ELVER_TESTS_TRAJECTORY_SAMPLE_H
#define ELVER_TESTS_TRAJECTORY_SAMPLE_H

#include "check.h"
#include "elver/elver.h"

#include <float.h>
#include <hdf5.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const char model_text[] =
    "elver: 1\n"
    "name: two joints\n"
    "tree:\n"
    "  - {body: ball, mass: 1, inertia: [1, 1, 1], joint: {free: {}}}\n"
    "  - {body: arm, mass: 1, inertia: [1, 1, 1], parent: ball,\n"
    "     joint: {revolute: {axis: y}}}\n";

static const char* const signal_name[] = {"arm.position", "energy.total"};
enum { N_COLUMN = 4, N_RECORD = 300 }; // more records than a block of the HDF5 writer

typedef struct {
    ElvModel* model;
    ElvSignals* signals;
    ElvState* state;
    char folder[64];
} Fixture;

static inline int open_fixture(void** context) {
    Fixture* f = calloc(1, sizeof *f);
    ElvError error;
    elv_error_clear(&error);
    CHECK_STATUS(
        elv_model_read_text(model_text, strlen(model_text), "test", NULL, 0, &f->model, &error),
        &error);
    CHECK_STATUS(elv_signals_create(f->model, signal_name, 2, &f->signals, &error), &error);
    CHECK_STATUS(elv_state_create(f->model, &f->state, &error), &error);
    assert_int_equal(elv_signals_n_column(f->signals), N_COLUMN);
    strcpy(f->folder, "/tmp/elver-trajectory-XXXXXX");
    assert_non_null(mkdtemp(f->folder));
    *context = f;
    return 0;
}

static inline int close_fixture(void** context) {
    Fixture* f = *context;
    elv_state_free(f->state);
    elv_signals_free(f->signals);
    elv_model_free(f->model);
    // fails, and so does the test, if anything was left there
    int status = rmdir(f->folder);
    free(f);
    return status;
}

static inline const char* path_in(const Fixture* f, const char* name, char path[160]) {
    snprintf(path, 160, "%s/%s", f->folder, name);
    return path;
}

static inline bool exists(const char* path) {
    return access(path, F_OK) == 0;
}

// a number of any size: random mantissa and exponent, and now and then a special one
static inline double any_number(CheckRandom* random) {
    static const double special[] = {0.0, -0.0, 1.0, 0.1, DBL_MAX, -DBL_MIN, 4.9e-324, 1.0 / 3.0};
    if (check_integer(random, 4) == 0) {
        return special[check_integer(random, 8)];
    }
    return ldexp(check_uniform(random, -1.0, 1.0), check_integer(random, 2000) - 1000);
}

// record number i of a seeded sequence; times are increasing
static inline void make_record(int i, ElvState* state, double value[N_COLUMN]) {
    CheckRandom random = check_random(1000 + (uint64_t)i);
    state->t = 0.1 * i + 1.0 / 3.0;
    for (int k = 0; k < state->nq; k++) {
        state->q[k] = any_number(&random);
    }
    for (int k = 0; k < state->nv; k++) {
        state->v[k] = any_number(&random);
        state->a[k] = any_number(&random);
    }
    for (int k = 0; k < N_COLUMN; k++) {
        value[k] = any_number(&random);
    }
}

static inline void
write_trajectory(const Fixture* f, const char* path, int n_record, bool is_complete) {
    ElvError error;
    elv_error_clear(&error);
    ElvTrajectoryWriter* writer = NULL;
    CHECK_STATUS(elv_trajectory_create(path, f->model, f->signals, model_text, &writer, &error),
                 &error);
    for (int i = 0; i < n_record; i++) {
        double value[N_COLUMN];
        make_record(i, f->state, value);
        CHECK_STATUS(elv_trajectory_append(writer, f->state, value, &error), &error);
    }
    CHECK_STATUS(elv_trajectory_close(writer, is_complete, &error), &error);
}

// equal to the last bit, signs of zero included
static inline void check_same(const double* actual, const double* expected, size_t n) {
    CHECK_ARRAY_NEAR(actual, expected, n, 0.0);
    assert_memory_equal(actual, expected, n * sizeof *actual);
}

// a whole file as memory; free it
static inline char* read_file(const char* path, size_t* size) {
    FILE* stream = fopen(path, "rb");
    assert_non_null(stream);
    assert_int_equal(fseek(stream, 0, SEEK_END), 0);
    *size = (size_t)ftell(stream);
    rewind(stream);
    char* bytes = calloc(*size + 1, 1);
    assert_int_equal(fread(bytes, 1, *size, stream), *size);
    fclose(stream);
    return bytes;
}

static inline void check_csv(const Fixture* f, const char* path, int n_record) {
    size_t size = 0;
    char* text = read_file(path, &size);
    char* line = strtok(text, "\n");
    assert_string_equal(line, "t,arm.position.x,arm.position.y,arm.position.z,energy.total");
    for (int i = 0; i < n_record; i++) {
        double value[N_COLUMN];
        make_record(i, f->state, value);
        line = strtok(NULL, "\n");
        assert_non_null(line);
        double row[1 + N_COLUMN];
        for (int k = 0; k <= N_COLUMN; k++) {
            char* end = NULL;
            row[k] = strtod(line, &end);
            assert_int_equal(*end, k < N_COLUMN ? ',' : '\0');
            line = end + 1;
        }
        check_same(row, &f->state->t, 1);
        check_same(row + 1, value, N_COLUMN);
    }
    assert_null(strtok(NULL, "\n"));
    free(text);
}

static inline void check_dataset(hid_t file, const char* name, const double* expected, size_t n) {
    hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
    hid_t space = H5Dget_space(dataset);
    assert_int_equal(H5Sget_simple_extent_npoints(space), n);
    double* actual = calloc(n, sizeof *actual);
    assert_true(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, actual) >= 0);
    check_same(actual, expected, n);
    free(actual);
    H5Sclose(space);
    H5Dclose(dataset);
}

static inline void
check_hdf5_texts(hid_t file, const char* name, const char* const* expected, size_t n) {
    hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
    hid_t type = H5Dget_type(dataset);
    hid_t space = H5Dget_space(dataset);
    char* text[N_COLUMN] = {NULL};
    assert_int_equal(H5Sget_simple_extent_npoints(space), n);
    assert_true(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0);
    for (size_t i = 0; i < n; i++) {
        assert_string_equal(text[i], expected[i]);
    }
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, text);
    H5Sclose(space);
    H5Tclose(type);
    H5Dclose(dataset);
}

static inline int read_int_attribute(hid_t file, const char* name) {
    int value = -1;
    hid_t attribute = H5Aopen(file, name, H5P_DEFAULT);
    assert_true(H5Aread(attribute, H5T_NATIVE_INT, &value) >= 0);
    H5Aclose(attribute);
    return value;
}

static inline void check_hdf5(const Fixture* f, const char* path, int n_record, int is_complete) {
    size_t nq = (size_t)f->state->nq;
    size_t nv = (size_t)f->state->nv;
    size_t n = (size_t)n_record;
    double* all = calloc(n * (1 + nq + 2 * nv + N_COLUMN) + 1, sizeof *all);
    double *t = all, *q = t + n, *v = q + n * nq, *a = v + n * nv, *signals = a + n * nv;
    for (size_t i = 0; i < n; i++) {
        make_record((int)i, f->state, signals + i * N_COLUMN);
        t[i] = f->state->t;
        memcpy(q + i * nq, f->state->q, nq * sizeof *q);
        memcpy(v + i * nv, f->state->v, nv * sizeof *v);
        memcpy(a + i * nv, f->state->a, nv * sizeof *a);
    }
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0);
    check_dataset(file, "t", t, n);
    check_dataset(file, "q", q, n * nq);
    check_dataset(file, "v", v, n * nv);
    check_dataset(file, "a", a, n * nv);
    check_dataset(file, "signals/values", signals, n * N_COLUMN);
    static const char* const names[] = {"arm.position.x", "arm.position.y", "arm.position.z",
                                        "energy.total"};
    static const char* const units[] = {"m", "m", "m", "J"};
    check_hdf5_texts(file, "signals/names", names, N_COLUMN);
    check_hdf5_texts(file, "signals/units", units, N_COLUMN);
    assert_int_equal(read_int_attribute(file, "format"), 1);
    assert_int_equal(read_int_attribute(file, "complete"), is_complete);
    H5Fclose(file);
    free(all);
}

#define WITH_FIXTURE(test) cmocka_unit_test_setup_teardown(test, open_fixture, close_fixture)

#endif
