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

    // records lie 0.1 apart: asked a little beside each, before, after, and for the last
    const double asked[] = {0.3, 1.0 / 3.0 + 0.04, 1.0 / 3.0 + 20.06, 30.3, NAN, INFINITY};
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

    // further than an interval from all of them
    const double far[] = {0.2, 30.4, -5.0, 1e9};
    for (int k = 0; k < 4; k++) {
        assert_int_equal(elv_trajectory_read_state(path, f->model, far[k], read, &error),
                         ELV_ERROR_INPUT);
        assert_non_null(strstr(error.message, "its records are from 0.333333333 to 30.2333333"));
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

// models with as many coordinates, but of another structure: the first difference is told
static void test_refuses_other_structures(void** context) {
    const Fixture* f = *context;
    static const struct {
        const char* text;
        const char* message;
    } other[] = {
        {"elver: 1\ntree:\n"
         "  - {body: ball, mass: 1, inertia: [1, 1, 1], joint: {free: {}}}\n"
         "  - {body: leg, mass: 1, inertia: [1, 1, 1], parent: ball,\n"
         "     joint: {revolute: {axis: y}}}\n",
         "there node 1 is body 'arm', revolute joint, 1 coordinate, parent 'ball'; here it is body "
         "'leg'"},
        {"elver: 1\ntree:\n"
         "  - {body: ball, mass: 1, inertia: [1, 1, 1], joint: {free: {}}}\n"
         "  - {body: arm, mass: 1, inertia: [1, 1, 1], parent: ball,\n"
         "     joint: {prismatic: {axis: y}}}\n",
         "here it is body 'arm', prismatic joint"},
        {"elver: 1\ntree:\n"
         "  - {body: ball, mass: 1, inertia: [1, 1, 1], joint: {free: {}}}\n"
         "  - {rod: arm, length: 1, parent: ball, section: {circle: {diameter: 0.1}},\n"
         "     material: {density: 1, young: 1}, strain: {bend_y: 1}}\n",
         "here it is rod 'arm', modes {bend_y 1}"},
        {"elver: 1\ntree:\n"
         "  - {body: ball, mass: 1, inertia: [1, 1, 1], joint: {free: {}}}\n"
         "  - {body: arm, mass: 1, inertia: [1, 1, 1], parent: ball,\n"
         "     joint: {revolute: {axis: y}}}\n"
         "  - {body: tool, mass: 1, parent: arm}\n",
         "it has 2 nodes, and this model has 3"},
    };
    char path[160];
    write_trajectory(f, path_in(f, "out.h5", path), 3, true);
    for (size_t i = 0; i < sizeof other / sizeof other[0]; i++) {
        ElvModel* model = NULL;
        ElvState* state = NULL;
        ElvError error;
        elv_error_clear(&error);
        CHECK_STATUS(elv_model_read_text(other[i].text, strlen(other[i].text), "test", NULL, 0,
                                         &model, &error),
                     &error);
        CHECK_STATUS(elv_state_create(model, &state, &error), &error);
        assert_int_equal(state->nq, f->state->nq);
        assert_int_equal(elv_trajectory_read_state(path, model, NAN, state, &error),
                         ELV_ERROR_INPUT);
        if (!strstr(error.message, other[i].message)) {
            fail_msg("%s\nexpected: %s", error.message, other[i].message);
        }
        elv_state_free(state);
        elv_model_free(model);
    }
    remove(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_FIXTURE(test_hdf5_state_is_read_back),
        WITH_FIXTURE(test_refuses_to_read_other_files),
        WITH_FIXTURE(test_refuses_other_structures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
