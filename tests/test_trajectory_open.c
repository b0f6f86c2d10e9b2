// SPDX-License-Identifier: Apache-2.0
// Trajectories opened and read record by record: to the last bit what was written, in any order;
// statics, runs cut short, tables of other programs.
#define _POSIX_C_SOURCE 200809L

#include "trajectory_open_case.h"

#include <fcntl.h>
#include <sys/wait.h>

static void check_names(const ElvTrajectory* trajectory, bool has_units) {
    static const char* const name[] = {"arm.position.x", "arm.position.y", "arm.position.z",
                                       "energy.total"};
    static const char* const unit[] = {"m", "m", "m", "J"};
    assert_int_equal(elv_trajectory_n_signal(trajectory), N_COLUMN);
    for (int k = 0; k < N_COLUMN; k++) {
        assert_string_equal(elv_trajectory_signal_name(trajectory, k), name[k]);
        assert_string_equal(elv_trajectory_signal_unit(trajectory, k), has_units ? unit[k] : "");
    }
}

// all records forwards, then some here and there: blocks are left and come back
static void check_records(const Fixture* f, ElvTrajectory* trajectory, bool has_states) {
    static const long jump[] = {N_RECORD - 1, 0, 255, 256, 254, 257, 100};
    ElvState* read = NULL;
    ElvError error;
    if (has_states) {
        CHECK_STATUS(elv_state_create(f->model, &read, &error), &error);
    }
    assert_int_equal(elv_trajectory_n_record(trajectory), N_RECORD);
    for (long i = 0; i < N_RECORD; i++) {
        check_record(f, trajectory, i, read);
    }
    for (size_t k = 0; k < sizeof jump / sizeof jump[0]; k++) {
        check_record(f, trajectory, jump[k], read);
    }
    elv_state_free(read);
}

static void test_reads_what_was_written(void** context) {
    const Fixture* f = *context;
    static const char* const name[] = {"out.h5", "out.csv", "out.hdf5"};
    for (int k = 0; k < 3; k++) {
        char path[160];
        bool is_csv = k == 1;
        write_trajectory(f, path_in(f, name[k], path), N_RECORD, true);
        ElvTrajectory* trajectory = open_good(path);
        check_names(trajectory, !is_csv);
        assert_true(elv_trajectory_is_complete(trajectory));
        assert_false(elv_trajectory_is_statics(trajectory));
        assert_int_equal(elv_trajectory_has_states(trajectory), !is_csv);
        if (is_csv) {
            assert_null(elv_trajectory_model_text(trajectory));
        } else {
            assert_string_equal(elv_trajectory_model_text(trajectory), model_text);
        }
        check_records(f, trajectory, !is_csv);
        elv_trajectory_free(trajectory);
        remove(path);
    }
}

// a folder is read from its HDF5 file, and from its table when that is gone
static void test_folder(void** context) {
    const Fixture* f = *context;
    char path[160];
    char file[192];
    write_trajectory(f, path_in(f, "out", path), N_RECORD, true);
    ElvTrajectory* trajectory = open_good(path);
    assert_true(elv_trajectory_has_states(trajectory));
    check_records(f, trajectory, true);
    elv_trajectory_free(trajectory);

    snprintf(file, sizeof file, "%s/trajectory.h5", path);
    remove(file);
    trajectory = open_good(path);
    assert_false(elv_trajectory_has_states(trajectory));
    check_records(f, trajectory, false);
    elv_trajectory_free(trajectory);

    // without either the message names the first
    snprintf(file, sizeof file, "%s/trajectory.csv", path);
    remove(file);
    ElvError error;
    assert_int_equal(elv_trajectory_open(path, &trajectory, &error), ELV_ERROR_FILE);
    assert_non_null(strstr(error.message, "trajectory.h5': No such file"));
    assert_null(trajectory);
    snprintf(file, sizeof file, "%s/model.yaml", path);
    remove(file);
    rmdir(path);
}

static void test_incomplete_and_empty(void** context) {
    const Fixture* f = *context;
    char path[160];
    write_trajectory(f, path_in(f, "out.h5", path), 7, false);
    ElvTrajectory* trajectory = open_good(path);
    assert_false(elv_trajectory_is_complete(trajectory));
    assert_int_equal(elv_trajectory_n_record(trajectory), 7);
    check_record(f, trajectory, 6, NULL);

    // records that are not there; states of nothing
    ElvError error;
    double t = 0.0;
    for (long i = -1; i < 8; i += 8) {
        assert_int_equal(elv_trajectory_read(trajectory, i, f->model, &t, NULL, NULL, &error),
                         ELV_ERROR_INPUT);
        assert_non_null(strstr(error.message, "has no record"));
    }
    assert_int_equal(elv_trajectory_read(trajectory, 0, NULL, &t, f->state, NULL, &error),
                     ELV_ERROR_INPUT);
    elv_trajectory_free(trajectory);

    static const char* const name[] = {"out.h5", "out.csv"};
    for (int k = 0; k < 2; k++) {
        write_trajectory(f, path_in(f, name[k], path), 0, true);
        trajectory = open_good(path);
        assert_int_equal(elv_trajectory_n_record(trajectory), 0);
        check_names(trajectory, k == 0);
        assert_int_equal(elv_trajectory_read(trajectory, 0, NULL, &t, NULL, NULL, &error),
                         ELV_ERROR_INPUT);
        elv_trajectory_free(trajectory);
        remove(path);
    }
    elv_trajectory_free(NULL);
}

static void test_statics(void** context) {
    const Fixture* f = *context;
    static const char* const name[] = {"out.h5", "out.csv"};
    for (int k = 0; k < 2; k++) {
        char path[160];
        double value[N_COLUMN];
        ElvError error;
        elv_error_clear(&error);
        ElvTrajectoryWriter* writer = NULL;
        CHECK_STATUS(elv_trajectory_create_statics(path_in(f, name[k], path), f->model, f->signals,
                                                   NULL, &writer, &error),
                     &error);
        make_record(3, f->state, value);
        CHECK_STATUS(elv_trajectory_append(writer, f->state, value, &error), &error);
        CHECK_STATUS(elv_trajectory_close(writer, true, &error), &error);
        ElvTrajectory* trajectory = open_good(path);
        assert_true(elv_trajectory_is_statics(trajectory));
        assert_null(elv_trajectory_model_text(trajectory));
        double t = 0.0;
        CHECK_STATUS(elv_trajectory_read(trajectory, 0, NULL, &t, NULL, NULL, &error), &error);
        check_same(&t, &f->state->t, 1);
        elv_trajectory_free(trajectory);
        remove(path);
    }
}

// ---- tables of other programs

static void test_csv_of_others(void** context) {
    const Fixture* f = *context;
    char path[160];
    // a mark, two-character line ends, quotes, spaces, blank lines
    static const char text[] = "\xef\xbb\xbft,\"a,b\",\"say \"\"x\"\"\"\r\n"
                               "0, 1.5 ,-2e3\r\n\r\n.5,+.25,1e400\r\n  \r\n1,2,3\r\n  ";
    write_bytes(path_in(f, "out.csv", path), text, strlen(text));
    ElvTrajectory* trajectory = open_good(path);
    assert_int_equal(elv_trajectory_n_record(trajectory), 3);
    assert_true(elv_trajectory_is_complete(trajectory));
    assert_int_equal(elv_trajectory_n_signal(trajectory), 2);
    assert_string_equal(elv_trajectory_signal_name(trajectory, 0), "a,b");
    assert_string_equal(elv_trajectory_signal_name(trajectory, 1), "say \"x\"");
    static const double expected[3][3] = {{0, 1.5, -2e3}, {0.5, 0.25, INFINITY}, {1, 2, 3}};
    for (int i = 0; i < 3; i++) {
        ElvError error;
        double row[3] = {0};
        CHECK_STATUS(elv_trajectory_read(trajectory, i, NULL, row, NULL, row + 1, &error), &error);
        assert_memory_equal(row, expected[i], sizeof row);
    }
    elv_trajectory_free(trajectory);

    // the last line was cut off, maybe within its last number: what is before it counts
    static const char* const torn[] = {"t,x,y\n0,1,2\n1,3,4\n2,5",
                                       "t,x,y\n0,1,2\n1,3,4\n2,5,1.25e-0",
                                       "t,x,y\n0,1,2\n1,3,4\n2,5,6"};
    for (size_t k = 0; k < sizeof torn / sizeof torn[0]; k++) {
        write_bytes(path, torn[k], strlen(torn[k]));
        trajectory = open_good(path);
        assert_int_equal(elv_trajectory_n_record(trajectory), 2);
        assert_false(elv_trajectory_is_complete(trajectory));
        elv_trajectory_free(trajectory);
    }
    remove(path);
}

static void test_bad_csv(void** context) {
    const Fixture* f = *context;
    static const struct {
        const char* text;
        size_t n; // 0: to its end
        bool is_opened;
        const char* message;
    } bad[] = {
        {"", 0, false, "does not begin with a line of names"},
        {"\n1,2\n", 0, false, "does not begin with a line of names"},
        {"t,x\0y\n1,2\n", 10, false, "does not begin with a line of names"},
        {"t,\"x\n1,2\n", 0, false, "does not begin with a line of names"},
        {"x,y\n1,2\n", 0, false, "neither t nor load"},
        {"elver: 1\n", 0, false, "neither t nor load"},
        {"t,x\n1\n2,3\n", 0, true, "record 0 has fewer columns than the header"},
        {"t,x\n1,\n2,3\n", 0, true, "record 0 has fewer columns than the header"},
        {"t,x\n1,2,3\n", 0, true, "record 0 has more columns than the header"},
        {"t,x\n1,nan\n", 0, true, "record 0 has a word that is no number"},
        {"t,x\n1,2 3\n", 0, true, "record 0 has a word that is no number"},
        {"t,x\n1,0x10\n", 0, true, "record 0 has a word that is no number"},
    };
    char path[160];
    path_in(f, "out.csv", path);
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        ElvTrajectory* trajectory = NULL;
        ElvError error;
        elv_error_clear(&error);
        write_bytes(path, bad[k].text, bad[k].n > 0 ? bad[k].n : strlen(bad[k].text));
        ElvStatus status = elv_trajectory_open(path, &trajectory, &error);
        assert_int_equal(status == ELV_OK, bad[k].is_opened);
        if (status == ELV_OK) {
            double row[2];
            status = elv_trajectory_read(trajectory, 0, NULL, row, NULL, row + 1, &error);
        }
        if (status == ELV_OK || !strstr(error.message, bad[k].message)) {
            fail_msg("%s\nexpected: %s", error.message, bad[k].message);
        }
        elv_trajectory_free(trajectory);
    }
    remove(path);
}

static void test_no_states(void** context) {
    const Fixture* f = *context;
    char path[160];
    path_in(f, "out.csv", path);
    // no state is in a table; neither a pipe nor another format is read
    ElvTrajectory* trajectory = NULL;
    ElvError error;
    write_trajectory(f, path, 2, true);
    trajectory = open_good(path);
    assert_int_equal(elv_trajectory_read(trajectory, 0, f->model, NULL, f->state, NULL, &error),
                     ELV_ERROR_INPUT);
    assert_non_null(strstr(error.message, "has no states"));
    elv_trajectory_free(trajectory);
    remove(path);
    assert_int_equal(mkfifo(path, 0600), 0);
    pid_t child = fork();
    if (child == 0) {
        _exit(open(path, O_WRONLY) < 0);
    }
    assert_int_equal(elv_trajectory_open(path, &trajectory, &error), ELV_ERROR_FILE);
    waitpid(child, NULL, 0);
    remove(path);
    write_trajectory(f, path_in(f, "out.npy", path), 2, true);
    assert_int_equal(elv_trajectory_open(path, &trajectory, &error), ELV_ERROR_FILE);
    assert_non_null(strstr(error.message, "are read from .h5, .csv"));
    remove(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_FIXTURE(test_reads_what_was_written),
        WITH_FIXTURE(test_folder),
        WITH_FIXTURE(test_incomplete_and_empty),
        WITH_FIXTURE(test_statics),
        WITH_FIXTURE(test_csv_of_others),
        WITH_FIXTURE(test_bad_csv),
        WITH_FIXTURE(test_no_states),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
