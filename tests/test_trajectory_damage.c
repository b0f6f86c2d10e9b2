// SPDX-License-Identifier: Apache-2.0
// Damaged and foreign trajectories: every one ends in a message, and none harms the program.
#define _POSIX_C_SOURCE 200809L

#include "trajectory_open_case.h"

// read whatever can be read; every failure must have a message
static void read_all(const Fixture* f, const char* path) {
    ElvTrajectory* trajectory = NULL;
    ElvError error;
    elv_error_clear(&error);
    if (elv_trajectory_open(path, &trajectory, &error) != ELV_OK) {
        assert_true(strlen(error.message) > 10);
        assert_null(trajectory);
        return;
    }
    long n = elv_trajectory_n_record(trajectory);
    size_t n_signal = (size_t)elv_trajectory_n_signal(trajectory);
    double* value = calloc(n_signal + 1, sizeof *value);
    for (size_t k = 0; k < n_signal; k++) {
        assert_non_null(elv_trajectory_signal_name(trajectory, (int)k));
        assert_non_null(elv_trajectory_signal_unit(trajectory, (int)k));
    }
    for (long i = 0; i < n && i < 2 * N_RECORD; i++) {
        double t = 0.0;
        elv_error_clear(&error);
        bool has_state = elv_trajectory_has_states(trajectory) && i % 2 == 0;
        if (elv_trajectory_read(trajectory, i, f->model, &t, has_state ? f->state : NULL, value,
                                &error) != ELV_OK) {
            assert_true(strlen(error.message) > 10);
        }
    }
    free(value);
    elv_trajectory_free(trajectory);
}

// the structure within an HDF5 file is left alone: its own library does not survive all that can
// be wrong with it
static void test_damaged_files(void** context) {
    const Fixture* f = *context;
    static const char* const name[] = {"out.h5", "out.csv"};
    CheckRandom random = check_random(77);
    for (int k = 0; k < 2; k++) {
        char path[160];
        size_t n = 0;
        write_trajectory(f, path_in(f, name[k], path), 20, true);
        char* whole = read_file(path, &n);
        char* bytes = malloc(n);
        for (int trial = 0; trial < 300; trial++) {
            // cut off anywhere; some bytes changed
            size_t n_left = (size_t)check_integer(&random, (int)n);
            memcpy(bytes, whole, n);
            if (k == 1 && trial % 4 > 0) {
                n_left = n;
                for (int j = 0; j <= trial % 8; j++) {
                    bytes[check_integer(&random, (int)n)] = (char)check_integer(&random, 256);
                }
            }
            write_bytes(path, bytes, n_left);
            read_all(f, path);
        }
        // noise with the right beginning
        for (size_t j = 0; j < n; j++) {
            bytes[j] = (char)check_integer(&random, 256);
        }
        memcpy(bytes, whole, 8);
        write_bytes(path, bytes, n);
        read_all(f, path);
        free(bytes);
        free(whole);
        remove(path);
    }
}

// lines with a NUL, as a crash leaves them, are records that cannot be read, wherever it stands; a
// blank line is none
static void test_nul_in_csv(void** context) {
    const Fixture* f = *context;
    char path[160];
    path_in(f, "out.csv", path);
    static const struct {
        const char* line;
        size_t n;
    } damaged[] = {{"\0", 1}, {"\0, 2", 4}, {"1,2\0garbage", 11}, {" \0", 2}};
    for (size_t k = 0; k < sizeof damaged / sizeof damaged[0]; k++) {
        // more records than a block of the reader has
        FILE* file = fopen(path, "wb");
        fputs("t,a\n \t\r\n", file);
        for (int i = 0; i < 600; i++) {
            if (i == 100) {
                fwrite(damaged[k].line, 1, damaged[k].n, file);
                fputc('\n', file);
            }
            fprintf(file, "%d,%d\n", i, 2 * i);
        }
        fclose(file);
        ElvTrajectory* trajectory = open_good(path);
        assert_int_equal(elv_trajectory_n_record(trajectory), 601);
        ElvError error;
        double value = NAN;
        assert_int_equal(elv_trajectory_read(trajectory, 0, NULL, NULL, NULL, &value, &error),
                         ELV_ERROR_INPUT);
        assert_non_null(strstr(error.message, "record 100 is damaged"));
        // blocks after it are whole
        CHECK_STATUS(elv_trajectory_read(trajectory, 600, NULL, NULL, NULL, &value, &error),
                     &error);
        CHECK_NEAR(value, 2.0 * 599.0, 0.0);
        elv_trajectory_free(trajectory);
    }
    remove(path);
}

// names in quotes may have line ends of any kind; the one that ends the header is cut
static void test_header_with_line_ends(void** context) {
    const Fixture* f = *context;
    char path[160];
    path_in(f, "out.csv", path);
    static const char text[] = "t,\"a\r\nb\",c\r\n0,1,2\r\n";
    write_bytes(path, text, sizeof text - 1);
    ElvTrajectory* trajectory = open_good(path);
    assert_int_equal(elv_trajectory_n_signal(trajectory), 2);
    assert_string_equal(elv_trajectory_signal_name(trajectory, 0), "a\r\nb");
    assert_string_equal(elv_trajectory_signal_name(trajectory, 1), "c");
    double value[2];
    ElvError error;
    CHECK_STATUS(elv_trajectory_read(trajectory, 0, NULL, NULL, NULL, value, &error), &error);
    CHECK_NEAR(value[1], 2.0, 0.0);
    elv_trajectory_free(trajectory);
    remove(path);
}

// a number that is none, put where the coordinates are
static void test_state_not_finite(void** context) {
    const Fixture* f = *context;
    char path[160];
    double value[N_COLUMN];
    size_t n = 0;
    write_trajectory(f, path_in(f, "out.h5", path), 20, true);
    char* bytes = read_file(path, &n);
    make_record(13, f->state, value);
    size_t size = (size_t)f->state->nq * sizeof *f->state->q;
    size_t at = 0;
    while (at + size < n && memcmp(bytes + at, f->state->q, size) != 0) {
        at++;
    }
    assert_true(at + size < n);
    const double none = NAN;
    memcpy(bytes + at + sizeof none, &none, sizeof none);
    write_bytes(path, bytes, n);
    free(bytes);

    ElvTrajectory* trajectory = open_good(path);
    ElvError error;
    assert_int_equal(elv_trajectory_read(trajectory, 13, f->model, NULL, f->state, value, &error),
                     ELV_ERROR_INPUT);
    assert_non_null(strstr(error.message, "not finite in /q"));
    check_record(f, trajectory, 12, NULL);
    elv_trajectory_free(trajectory);
    remove(path);
}

// HDF5 files whose parts have other shapes than those of a trajectory
static void test_foreign_hdf5(void** context) {
    const Fixture* f = *context;
    char path[160];
    path_in(f, "out.h5", path);
    static const struct {
        const char* name;
        int rank;
        bool is_text;
        const char* message; // NULL: it is no harm
    } part[] = {
        {"q", 1, false, NULL},
        {"q", 3, false, NULL},
        {"z", 2, false, NULL},
        {"model", 2, false, "its /model is no text"},
        {"nodes", 1, false, "its /nodes is no list of texts"},
        {"model", 1, true, "its /model is no text"},
    };
    for (size_t k = 0; k < sizeof part / sizeof part[0]; k++) {
        hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
        hsize_t size[] = {2, 3, 4};
        hid_t line = H5Screate_simple(1, size, NULL);
        H5Dclose(
            H5Dcreate2(file, "t", H5T_NATIVE_INT, line, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
        hid_t space = H5Screate_simple(part[k].rank, size, NULL);
        hid_t text = H5Tcopy(H5T_C_S1);
        H5Tset_size(text, H5T_VARIABLE);
        H5Dclose(H5Dcreate2(file, part[k].name, part[k].is_text ? text : H5T_NATIVE_DOUBLE, space,
                            H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
        H5Tclose(text);
        H5Sclose(space);
        H5Sclose(line);
        H5Fclose(file);

        ElvTrajectory* trajectory = NULL;
        ElvError error;
        elv_error_clear(&error);
        ElvStatus status = elv_trajectory_open(path, &trajectory, &error);
        if (part[k].message) {
            assert_int_equal(status, ELV_ERROR_INPUT);
            assert_non_null(strstr(error.message, part[k].message));
            continue;
        }
        CHECK_STATUS(status, &error);
        assert_int_equal(elv_trajectory_n_record(trajectory), 2);
        assert_false(elv_trajectory_has_states(trajectory));
        assert_int_equal(elv_trajectory_read(trajectory, 0, f->model, NULL, f->state, NULL, &error),
                         ELV_ERROR_INPUT);
        assert_non_null(strstr(error.message, "/q is missing or too short"));
        elv_trajectory_free(trajectory);
    }
    remove(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_FIXTURE(test_damaged_files),         WITH_FIXTURE(test_nul_in_csv),
        WITH_FIXTURE(test_header_with_line_ends), WITH_FIXTURE(test_state_not_finite),
        WITH_FIXTURE(test_foreign_hdf5),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
