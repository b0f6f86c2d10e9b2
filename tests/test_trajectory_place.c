// SPDX-License-Identifier: Apache-2.0
// Where trajectories go: names that are refused, names of folders, and files that stay.
#define _POSIX_C_SOURCE 200809L

#include "trajectory_sample.h"

static void check_create_fails(const Fixture* f, const char* path, const char* word) {
    ElvError error;
    elv_error_clear(&error);
    ElvTrajectoryWriter* writer = NULL;
    ElvStatus status =
        elv_trajectory_create(path, f->model, f->signals, model_text, &writer, &error);
    assert_int_equal(status, ELV_ERROR_FILE);
    assert_null(writer);
    if (!strstr(error.message, word)) {
        print_error("'%s' is not in: %s\n", word, error.message);
        fail();
    }
}

static void test_refuses_bad_paths(void** context) {
    const Fixture* f = *context;
    char path[160];
    check_create_fails(f, path_in(f, "none/out.csv", path), "folder does not exist");
    check_create_fails(f, path_in(f, "none/out.h5", path), "folder does not exist");
    check_create_fails(f, path_in(f, "none/out.npy", path), "folder does not exist");
    check_create_fails(f, path_in(f, "none/results", path), "folder does not exist");
    check_create_fails(f, "", "empty");

    // a folder where a file should be, and the reverse
    assert_int_equal(mkdir(path_in(f, "out.h5", path), 0777), 0);
    check_create_fails(f, path, "directory");
    assert_int_equal(rmdir(path), 0);
    fclose(fopen(path_in(f, "results", path), "wb"));
    check_create_fails(f, path, "no folder");
    remove(path);

    // a parent that is a file; an ending that is none of ours, unless it is a folder's
    fclose(fopen(path_in(f, "file", path), "wb"));
    check_create_fails(f, path_in(f, "file/out.csv", path), "Not a directory");
    remove(path_in(f, "file", path));
    check_create_fails(f, path_in(f, "out.mat", path), ".csv, .h5 (or .hdf5) or .npy");
    check_create_fails(f, path_in(f, "out.txt", path), "not in '.txt'");
}

static const char* const folder_names[] = {"run-2.3", "run.d/", ".run", "there.d"};

static void test_folder_names(void** context) {
    const Fixture* f = *context;
    char folder[160];
    char path[160];
    assert_int_equal(mkdir(path_in(f, "there.d", folder), 0777), 0);
    for (int i = 0; i < 4; i++) {
        static const char* const inside[] = {"trajectory.csv", "trajectory.h5", "model.yaml"};
        write_trajectory(f, path_in(f, folder_names[i], folder), 2, true);
        for (int k = 0; k < 3; k++) {
            snprintf(path, sizeof path, "%.100s/%s", folder, inside[k]);
            assert_int_equal(remove(path), 0);
        }
        assert_int_equal(rmdir(folder), 0);
    }
}

// a model of someone else in the folder stays, and nothing is written beside it
static void test_keeps_a_foreign_model(void** context) {
    const Fixture* f = *context;
    char folder[160];
    char path[160];
    assert_int_equal(mkdir(path_in(f, "results", folder), 0777), 0);
    FILE* stream = fopen(path_in(f, "results/model.yaml", path), "wb");
    fputs("elver: 1\n", stream);
    fclose(stream);
    check_create_fails(f, folder, "would be overwritten");
    size_t size = 0;
    char* text = read_file(path, &size);
    assert_string_equal(text, "elver: 1\n");
    free(text);
    remove(path);
    assert_int_equal(rmdir(folder), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_FIXTURE(test_refuses_bad_paths),
        WITH_FIXTURE(test_folder_names),
        WITH_FIXTURE(test_keeps_a_foreign_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
