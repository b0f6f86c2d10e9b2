// SPDX-License-Identifier: Apache-2.0
// Trajectory files: every format gives back exactly the numbers it was given, nothing appears under
// a final name before it is whole, and what is not finite or not writable is refused.
#define _POSIX_C_SOURCE 200809L

#include "trajectory_sample.h"

#include "io/trajectory.h"

#include <signal.h>
#include <sys/resource.h>

static void test_csv_round_trip(void** context) {
    const Fixture* f = *context;
    char path[160];
    write_trajectory(f, path_in(f, "out.csv", path), N_RECORD, true);
    check_csv(f, path, N_RECORD);
    remove(path);
}

static void test_csv_numbers_are_short(void** context) {
    const Fixture* f = *context;
    char path[160];
    ElvTrajectoryWriter* writer = NULL;
    ElvError error;
    elv_error_clear(&error);
    CHECK_STATUS(elv_trajectory_create(path_in(f, "out.csv", path), f->model, f->signals, NULL,
                                       &writer, &error),
                 &error);
    const double value[N_COLUMN] = {0.1, -2.0, 1e-20, 0.30000000000000004};
    f->state->t = 0.25;
    CHECK_STATUS(elv_trajectory_append(writer, f->state, value, &error), &error);
    CHECK_STATUS(elv_trajectory_close(writer, true, &error), &error);
    size_t size = 0;
    char* text = read_file(path, &size);
    assert_string_equal(strchr(text, '\n') + 1, "0.25,0.1,-2,1e-20,0.30000000000000004\n");
    free(text);
    remove(path);
}

// ---- NPY

static void test_npy_round_trip(void** context) {
    const Fixture* f = *context;
    char path[160];
    write_trajectory(f, path_in(f, "out.npy", path), N_RECORD, true);
    size_t size = 0;
    char* bytes = read_file(path, &size);

    // version 1.0, a header that ends at a multiple of 64 with a newline
    assert_memory_equal(bytes, "\x93NUMPY\x01\x00", 8);
    size_t n_header = 10 + (size_t)(unsigned char)bytes[8] + 256 * (size_t)(unsigned char)bytes[9];
    assert_int_equal(n_header % 64, 0);
    assert_int_equal(bytes[n_header - 1], '\n');
    static const char expected[] =
        "{'descr': [('t', '<f8'), ('arm.position.x', '<f8'), ('arm.position.y', '<f8'), "
        "('arm.position.z', '<f8'), ('energy.total', '<f8'), ], 'fortran_order': False, "
        "'shape': (300,)}";
    assert_memory_equal(bytes + 10, expected, strlen(expected));

    // then the numbers, t first
    size_t n_row = 8 * (1 + N_COLUMN);
    assert_int_equal(size, n_header + N_RECORD * n_row);
    for (int i = 0; i < N_RECORD; i++) {
        double value[N_COLUMN];
        double row[1 + N_COLUMN];
        make_record(i, f->state, value);
        memcpy(row, bytes + n_header + (size_t)i * n_row, n_row);
        check_same(row, &f->state->t, 1);
        check_same(row + 1, value, N_COLUMN);
    }
    free(bytes);
    remove(path);
}

// header of a file whose columns have names made from a format, through the format's own function
static char* npy_header(const Fixture* f, const char* format, int n_column, size_t* size) {
    char path[160];
    char(*name)[32] = calloc((size_t)n_column, sizeof *name);
    const char** list = calloc((size_t)n_column, sizeof *list);
    for (int i = 0; i < n_column; i++) {
        snprintf(name[i], sizeof name[i], "%s%d", format, i);
        list[i] = name[i];
    }
    ElvTrajectoryLayout layout = {.name = list, .unit = list, .n_column = n_column};
    ElvPool pool = {NULL};
    ElvTrajectoryFile* file = NULL;
    path_in(f, "out.npy", path);
    CHECK_STATUS(elv_trajectory_open_npy(&pool, path, path, &layout, &file, NULL), NULL);
    CHECK_STATUS(file->ops->finish(file, true, NULL), NULL);
    char* bytes = read_file(path, size);
    elv_pool_free(&pool);
    free(list);
    free(name);
    remove(path);
    return bytes;
}

static void test_npy_versions(void** context) {
    const Fixture* f = *context;
    // 5000 columns need a length of four bytes: version 2; names beyond ASCII: version 3
    const char* const format[] = {"signal", "\xc3\xa9t\xc3\xa9"};
    const int n_column[] = {5000, 1};
    for (int k = 0; k < 2; k++) {
        size_t size = 0;
        char* bytes = npy_header(f, format[k], n_column[k], &size);
        assert_int_equal(bytes[6], 2 + k);
        size_t n = 0;
        for (int i = 0; i < 4; i++) {
            n += (size_t)(unsigned char)bytes[8 + i] << (8 * i);
        }
        assert_int_equal(12 + n, size);
        assert_int_equal(size % 64, 0);
        assert_non_null(strstr(bytes + 12, "'shape': (0,)}"));
        free(bytes);
    }

    // quotes and backslashes are escaped
    size_t size = 0;
    char* bytes = npy_header(f, "a'b\\c", 1, &size);
    assert_non_null(strstr(bytes + 10, "('a\\'b\\\\c0', '<f8')"));
    free(bytes);
}

static void test_hdf5_round_trip(void** context) {
    const Fixture* f = *context;
    char path[160];
    write_trajectory(f, path_in(f, "out.h5", path), N_RECORD, true);
    check_hdf5(f, path, N_RECORD, 1);
    remove(path);

    // cut short, and with exactly one block of the writer
    write_trajectory(f, path_in(f, "out.hdf5", path), 128, false);
    check_hdf5(f, path, 128, 0);
    remove(path);
}

// ---- folder

static void test_folder(void** context) {
    const Fixture* f = *context;
    char folder[160];
    char path[160];
    // twice: the second time the folder is there
    for (int time = 0; time < 2; time++) {
        write_trajectory(f, path_in(f, "results", folder), 5, true);
    }
    check_csv(f, path_in(f, "results/trajectory.csv", path), 5);
    remove(path);
    check_hdf5(f, path_in(f, "results/trajectory.h5", path), 5, 1);

    // a folder may stand for the trajectory in it
    ElvError error;
    elv_error_clear(&error);
    char* text = NULL;
    CHECK_STATUS(elv_trajectory_read_model(folder, &text, &error), &error);
    elv_text_free(text);
    remove(path);
    size_t size = 0;
    text = read_file(path_in(f, "results/model.yaml", path), &size);
    // under the line by which it is known to be replaceable
    const char mark[] = "# written by elver\n";
    assert_memory_equal(text, mark, strlen(mark));
    assert_string_equal(text + strlen(mark), model_text);
    free(text);
    remove(path);
    assert_int_equal(rmdir(folder), 0);
}

// ---- life of the files

static const char* const all_names[] = {"out.csv", "out.h5", "out.npy", "results"};

static void test_file_appears_when_closed(void** context) {
    const Fixture* f = *context;
    for (int k = 0; k < 3; k++) {
        char path[160];
        char part[176];
        ElvError error;
        elv_error_clear(&error);
        ElvTrajectoryWriter* writer = NULL;
        path_in(f, all_names[k], path);
        snprintf(part, sizeof part, "%s.part", path);
        CHECK_STATUS(elv_trajectory_create(path, f->model, f->signals, NULL, &writer, &error),
                     &error);
        assert_true(exists(part));
        assert_false(exists(path));
        CHECK_STATUS(elv_trajectory_close(writer, true, &error), &error);
        assert_false(exists(part));
        assert_true(exists(path));

        // without a text there is no model to read; without records no state
        if (k == 1) {
            char* text = NULL;
            assert_int_equal(elv_trajectory_read_model(path, &text, &error), ELV_ERROR_INPUT);
            assert_null(text);
            assert_int_equal(elv_trajectory_read_state(path, f->model, 0.0, f->state, &error),
                             ELV_ERROR_INPUT);
            assert_non_null(strstr(error.message, "no record"));
        }
        remove(path);
    }
}

// the folder of the fixture must be empty afterwards
static void test_discard_leaves_nothing(void** context) {
    const Fixture* f = *context;
    for (int k = 0; k < 4; k++) {
        char path[160];
        double value[N_COLUMN];
        ElvError error;
        elv_error_clear(&error);
        ElvTrajectoryWriter* writer = NULL;
        CHECK_STATUS(elv_trajectory_create(path_in(f, all_names[k], path), f->model, f->signals,
                                           model_text, &writer, &error),
                     &error);
        make_record(0, f->state, value);
        CHECK_STATUS(elv_trajectory_append(writer, f->state, value, &error), &error);
        elv_trajectory_discard(writer);
        assert_false(exists(path));
    }
    elv_trajectory_discard(NULL);
}

static void test_refuses_what_is_not_finite(void** context) {
    const Fixture* f = *context;
    char path[160];
    double value[N_COLUMN];
    ElvError error;
    elv_error_clear(&error);
    ElvTrajectoryWriter* writer = NULL;
    CHECK_STATUS(elv_trajectory_create(path_in(f, "results", path), f->model, f->signals, NULL,
                                       &writer, &error),
                 &error);
    make_record(0, f->state, value);
    CHECK_STATUS(elv_trajectory_append(writer, f->state, value, &error), &error);

    // a signal, then each part of the state
    make_record(1, f->state, value);
    value[2] = NAN;
    assert_int_equal(elv_trajectory_append(writer, f->state, value, &error), ELV_ERROR_NUMERIC);
    assert_non_null(strstr(error.message, "'arm.position.z'"));
    value[2] = -INFINITY;
    assert_int_equal(elv_trajectory_append(writer, f->state, value, NULL), ELV_ERROR_NUMERIC);
    double* const place[] = {&f->state->t, &f->state->q[3], &f->state->v[6], &f->state->a[0]};
    static const char* const word[] = {"time", "q[3]", "v[6]", "a[0]"};
    for (int k = 0; k < 4; k++) {
        make_record(1, f->state, value);
        *place[k] = NAN;
        assert_int_equal(elv_trajectory_append(writer, f->state, value, &error), ELV_ERROR_NUMERIC);
        assert_non_null(strstr(error.message, word[k]));
    }

    // what was refused has left no trace
    make_record(1, f->state, value);
    CHECK_STATUS(elv_trajectory_append(writer, f->state, value, &error), &error);
    CHECK_STATUS(elv_trajectory_close(writer, true, &error), &error);
    char file[160];
    check_csv(f, path_in(f, "results/trajectory.csv", file), 2);
    remove(file);
    check_hdf5(f, path_in(f, "results/trajectory.h5", file), 2, 1);
    remove(file);
    assert_int_equal(rmdir(path), 0);
}

// ---- a full disk

// append until it fails; returns how many records were taken
static int fill_disk(const Fixture* f, const char* path) {
    ElvError error;
    elv_error_clear(&error);
    ElvTrajectoryWriter* writer = NULL;
    CHECK_STATUS(elv_trajectory_create(path, f->model, f->signals, model_text, &writer, &error),
                 &error);
    ElvStatus status = ELV_OK;
    int n_record = 0;
    while (status == ELV_OK && n_record < 100000) {
        double value[N_COLUMN];
        make_record(n_record, f->state, value);
        status = elv_trajectory_append(writer, f->state, value, &error);
        n_record += status == ELV_OK;
    }
    assert_int_equal(status, ELV_ERROR_FILE);
    assert_non_null(strstr(error.message, "File too large"));
    status = elv_trajectory_close(writer, false, &error);
    assert_true(status == ELV_OK || status == ELV_ERROR_FILE);
    return n_record;
}

// a limit on the size of files stands for the full disk: what is left has whole records alone
static void test_full_disk(void** context) {
    const Fixture* f = *context;
    char path[160];
    struct rlimit before;
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    struct rlimit limit = {200000, before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);

    int n_record = fill_disk(f, path_in(f, "out.h5", path));
    check_hdf5(f, path, n_record, 0);
    remove(path);

    size_t size = 0;
    n_record = fill_disk(f, path_in(f, "out.csv", path));
    char* bytes = read_file(path, &size);
    int n_line = 0;
    for (size_t i = 0; i < size; i++) {
        n_line += bytes[i] == '\n';
    }
    free(bytes);
    assert_true(n_line > 100 && n_line - 1 <= n_record);
    check_csv(f, path, n_line - 1);
    remove(path);

    n_record = fill_disk(f, path_in(f, "out.npy", path));
    bytes = read_file(path, &size);
    size_t n_header = 10 + (size_t)(unsigned char)bytes[8] + 256 * (size_t)(unsigned char)bytes[9];
    size_t n_row = 8 * (1 + N_COLUMN);
    long n_kept = strtol(strstr(bytes + 10, "'shape': (") + strlen("'shape': ("), NULL, 10);
    assert_true(n_kept > 100 && n_kept <= n_record);
    assert_int_equal(size, n_header + (size_t)n_kept * n_row);
    free(bytes);
    remove(path);
    setrlimit(RLIMIT_FSIZE, &before);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_FIXTURE(test_csv_round_trip),
        WITH_FIXTURE(test_csv_numbers_are_short),
        WITH_FIXTURE(test_npy_round_trip),
        WITH_FIXTURE(test_npy_versions),
        WITH_FIXTURE(test_hdf5_round_trip),
        WITH_FIXTURE(test_folder),
        WITH_FIXTURE(test_file_appears_when_closed),
        WITH_FIXTURE(test_discard_leaves_nothing),
        WITH_FIXTURE(test_refuses_what_is_not_finite),
        WITH_FIXTURE(test_full_disk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
