// SPDX-License-Identifier: Apache-2.0
// elv_close_loops: the four-bar linkage against its closed form (four_bar.h), motion and pin force; degrees
// of freedom counted by hand; layouts that cannot be closed; and what the command line tells of them.
#define _POSIX_C_SOURCE 200809L

#include "cli_process.h"
#include "elver/elver.h"
#include "four_bar.h"

static const double PI = 3.14159265358979323846;

/// Newton closes to rounding, on equations that are well-conditioned.
static const double TOL = 1e-11;

static ElvModel* read_example(const char* name) {
    char path[512];
    ElvModel* model = NULL;
    ElvError error;
    snprintf(path, sizeof path, "%s/models/%s.yaml", ELVER_SOURCE_DIR, name);
    CHECK_STATUS(elv_model_read_file(path, NULL, 0, &model, &error), &error);
    return model;
}

static void test_four_bar(void** context) {
    (void)context;
    ElvModel* model = read_example("four-bar");
    ElvState* state = NULL;
    ElvError error;
    ElvClosureReport closure;
    CHECK_STATUS(elv_state_create(model, &state, &error), &error);
    CHECK_STATUS(elv_close_loops(model, state, &closure, &error), &error);
    FourBar bar = four_bar_default();
    FourBarMotion m = four_bar_at(&bar, 0.3, 2.0 * PI, 0.0);
    CHECK_NEAR(state->t, 0.0, 0.0);
    // angles but for full turns
    CHECK_NEAR(remainder(state->q[1] - (m.q[1] - m.q[0]), 2.0 * PI), 0.0, TOL);
    CHECK_NEAR(remainder(state->q[2] - m.q[2], 2.0 * PI), 0.0, TOL);
    CHECK_NEAR(state->v[1], m.v[1] - m.v[0], 10.0 * TOL);
    CHECK_NEAR(state->v[2], m.v[2], 10.0 * TOL);
    CHECK_NEAR(state->a[2], m.a[2], 1e3 * TOL);
    // z: the wrench in world axes, first its moment
    CHECK_NEAR(state->z[3], m.pin.x, 1e3 * TOL);
    CHECK_NEAR(state->z[4], m.pin.y, 1e3 * TOL);
    // the angles of the file are given to two digits
    CHECK_TRUE(closure.opened > 1e-4 && closure.opened < 1e-2);
    CHECK_TRUE(closure.gap < 1e-13 && closure.drift < 1e-12);
    // of five constraints of a hinge three hold in the plane already
    assert_int_equal(closure.n_redundant, 3);
    assert_string_equal(closure.redundant, "pin");
    elv_state_free(state);
    elv_model_free(model);
}

// velocities that are free, by hand
static void test_freedom(void** context) {
    (void)context;
    static const struct {
        const char* name;
        int n_free;
    } example[] = {
        {"four-bar", 0},     // its crank is driven
        {"cpr", 10},         // two hinges and ten modes, less two for the hinge in the plane
        {"knife-edge", 2},   // planar, less one
        {"rolling-disk", 3}, // free, less height and slip
        {"bead-on-rod", 10}, // six modes and a free bead, less two across the wire
        {"gear-train", 1},
    };
    for (size_t i = 0; i < sizeof example / sizeof example[0]; i++) {
        ElvModel* model = read_example(example[i].name);
        ElvState* state = NULL;
        ElvError error;
        ElvClosureReport closure;
        CHECK_STATUS(elv_state_create(model, &state, &error), &error);
        CHECK_STATUS(elv_close_loops(model, state, &closure, &error), &error);
        assert_int_equal(closure.n_free, example[i].n_free);
        elv_state_free(state);
        elv_model_free(model);
    }
}

// a tree stays as it is
static void test_tree(void** context) {
    (void)context;
    ElvModel* model = read_example("pendulum");
    ElvState* state = NULL;
    ElvError error;
    ElvClosureReport closure;
    CHECK_STATUS(elv_state_create(model, &state, &error), &error);
    double q = state->q[0];
    CHECK_STATUS(elv_close_loops(model, state, &closure, &error), &error);
    CHECK_NEAR(state->q[0], q, 0.0);
    CHECK_NEAR(closure.opened, 0.0, 0.0);
    assert_int_equal(closure.n_redundant, 0);
    elv_state_free(state);
    elv_model_free(model);
}

// ---- the command line

// links of 1 m whose ends are to meet a point 3 m away; a slack one reaches 1.5 m
static const char far_text[] =
    "elver: 1\n"
    "name: far\n"
    "parameters: {x: 3}\n"
    "tree:\n"
    "  - {body: one, joint: {revolute: {axis: z, position: 0.4}}, mass: 1, "
    "inertia: [1, 1, 1]}\n"
    "  - {body: two, parent: one, pose: {xyz: [1, 0, 0]}, joint: {revolute: "
    "{axis: z, position: -1}}, mass: 1, inertia: [1, 1, 1]}\n"
    "frames: [{name: end, on: two, pose: {xyz: [1, 0, 0]}}]\n"
    "loops: [{loop: pin, between: [world, end], joint: {revolute: {axis: "
    "z}}, pose: {xyz: [x, 0, 0]}}]\n"
    "record: {signals: [loop.pin.gap]}\n";

static void test_command_line(void** context) {
    Process* p = *context;
    run(p, "info @four-bar");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "degrees of freedom 3 (0 with drives and loops)");
    CHECK_OUT(p, "loops and constraints 1, closed from an opening of 0.0021 m or rad; 3 redundant");
    run(p, "info @four-bar --json");
    CHECK_CODE(p, 0);
    assert_true(is_balanced_json(p->out));
    CHECK_NEAR(json_number(p->out, "redundant_constraints"), 3.0, 0.0);
    run(p, "check @four-bar");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "3 degrees of freedom, 0 with drives and loops");

    write_text(p, "far.yaml", far_text);
    run(p, "check far.yaml");
    CHECK_CODE(p, 0);
    CHECK_ERR(p, "note: 'pin' cannot be closed at the start");
    run(p, "info far.yaml");
    CHECK_CODE(p, 0);
    CHECK_ERR(p, "note: 'pin' cannot be closed at the start");
    CHECK_OUT(p, "loops and constraints 1, open by");
    run(p, "check far.yaml --set x=1.5");
    CHECK_CODE(p, 0);
    assert_string_equal(p->err, "");
}

// messages that tell what loops do not have
static void test_messages(void** context) {
    Process* p = *context;
    run(p, "run @four-bar --method explicit --set pin.closure=penalty --set pin.penalty=[1e3,1e5]");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "an explicit method closes 'pin' exactly");
    run(p, "check @twist-push --set record.signals=[loop.clamp.coordinate]");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "has no such number, as a fixed joint has no coordinate");
    run(p, "statics @twist-push --json -o out.csv");
    CHECK_CODE(p, 0);
    assert_true(is_balanced_json(p->out));
    CHECK_TRUE(json_number(p->out, "loop_gap") < 1e-9);
    CHECK_OUT(p, "\"redundant_constraints\": ");
    CHECK_OUT(p, "\"loose\": ");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_four_bar), cmocka_unit_test(test_freedom),
        cmocka_unit_test(test_tree),     WITH_PROCESS(test_command_line),
        WITH_PROCESS(test_messages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
