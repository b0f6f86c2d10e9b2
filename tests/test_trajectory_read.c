// SPDX-License-Identifier: Apache-2.0
// Reading trajectories back: states and models to the last bit, and files that are something else.
#define _POSIX_C_SOURCE 200809L

#include "trajectory_sample.h"

static const char still_text[] = "elver: 1\n"
                                 "name: still\n"
                                 "tree:\n"
                                 "  - {body: stone, mass: 1}\n";

static void test_hdf5_state_is_read_back(void** context) {
    const Fixture* f = *context;
    char path[160];
    write_trajectory(f, path_in(f, "out.h5", path), N_RECORD, true);
    ElvError error;
    elv_error_clear(&error);
    ElvState* read = NULL;
    CHECK_STATUS(elv_state_create(f->model, &read, &error), &error);

    // records lie 0.1 apart: asked a little beside each, far before, far after, and for the last
    const double asked[] = {-5.0, 1.0 / 3.0 + 0.04, 1.0 / 3.0 + 20.06, 1e9, NAN, INFINITY};
    const int expected[] = {0, 0, 201, N_RECORD - 1, N_RECORD - 1, N_RECORD - 1};
    for (int k = 0; k < 6; k++) {
        double value[N_COLUMN];
        make_record(expected[k], f->state, value);
        CHECK_STATUS(elv_trajectory_read_state(path, f->model, asked[k], read, &error), &error);
        check_same(&read->t, &f->state->t, 1);
        check_same(read->q, f->state->q, (size_t)read->nq);
        check_same(read->v, f->state->v, (size_t)read->nv);
        check_same(read->a, f->state->a, (size_t)read->nv);
    }

    char* text = NULL;
    CHECK_STATUS(elv_trajectory_read_model(path, &text, &error), &error);
    assert_string_equal(text, model_text);
    elv_text_free(text);
    elv_state_free(read);
    remove(path);
}

static void test_refuses_to_read_other_files(void** context) {
    const Fixture* f = *context;
    char path[160];
    char* text = NULL;
    ElvError error;
    elv_error_clear(&error);

    // missing; not HDF5; HDF5, but no trajectory
    path_in(f, "out.h5", path);
    assert_int_equal(elv_trajectory_read_model(path, &text, &error), ELV_ERROR_FILE);
    FILE* stream = fopen(path, "wb");
    fputs("t,x\n", stream);
    fclose(stream);
    assert_int_equal(elv_trajectory_read_state(path, f->model, 0.0, f->state, &error),
                     ELV_ERROR_FILE);
    assert_non_null(strstr(error.message, "no HDF5 file"));
    H5Fclose(H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
    assert_int_equal(elv_trajectory_read_state(path, f->model, 0.0, f->state, &error),
                     ELV_ERROR_INPUT);
    assert_non_null(strstr(error.message, "no trajectory"));

    // of another model: the state stays as it was
    write_trajectory(f, path, 3, true);
    ElvModel* still = NULL;
    ElvState* state = NULL;
    CHECK_STATUS(
        elv_model_read_text(still_text, strlen(still_text), "test", NULL, 0, &still, &error),
        &error);
    CHECK_STATUS(elv_state_create(still, &state, &error), &error);
    assert_int_equal(elv_trajectory_read_state(path, still, 0.0, state, &error), ELV_ERROR_INPUT);
    assert_non_null(strstr(error.message, "another model"));
    CHECK_NEAR(state->t, 0.0, 0.0);
    assert_int_equal(elv_trajectory_read_state(path, f->model, 0.0, state, &error),
                     ELV_ERROR_INPUT);
    remove(path);

    // a model without coordinates has trajectories too
    ElvTrajectoryWriter* writer = NULL;
    CHECK_STATUS(elv_trajectory_create(path, still, NULL, still_text, &writer, &error), &error);
    state->t = 2.5;
    CHECK_STATUS(elv_trajectory_append(writer, state, NULL, &error), &error);
    CHECK_STATUS(elv_trajectory_close(writer, true, &error), &error);
    state->t = 0.0;
    CHECK_STATUS(elv_trajectory_read_state(path, still, NAN, state, &error), &error);
    CHECK_NEAR(state->t, 2.5, 0.0);
    elv_state_free(state);
    elv_model_free(still);
    remove(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_FIXTURE(test_hdf5_state_is_read_back),
        WITH_FIXTURE(test_refuses_to_read_other_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
