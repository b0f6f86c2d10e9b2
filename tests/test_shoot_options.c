// SPDX-License-Identifier: Apache-2.0
// Options of shooting in statics from a file to a file, what does not belong, and a start in time from such statics.
#include "check.h"

#include "elver/elver.h"

#include <stdio.h>
#include <string.h>

#define BODY                                                                                       \
    "elver: 1\ntree:\n  - {rod: rod, length: 0.4, section: {circle: {diameter: 0.02}},\n"          \
    "     material: {density: 1000, young: 1e7, damping: 0.02}, strain: {bend_z: 6}}\n"            \
    "loads: [{force: [0, \"if(t < 0, 1, 0.5)\", 0], at: rod.tip}]\n"

static ElvModel* read_model(const char* text) {
    ElvModel* model = NULL;
    ElvError error;
    CHECK_STATUS(elv_model_read_text(text, strlen(text), "case", NULL, 0, &model, &error), &error);
    return model;
}

static ElvStaticsDef read_statics(const char* text) {
    ElvModel* model = read_model(text);
    ElvStaticsDef def = elv_model_statics(model);
    // the loads go with the model
    def.load = NULL;
    elv_model_free(model);
    return def;
}

static void test_keys(void** state) {
    (void)state;
    ElvStaticsDef def = read_statics(BODY "statics: {method: shooting}\n");
    CHECK_TRUE(def.method == ELV_STATICS_SHOOTING && def.shooting.segments == 1 &&
               def.shooting.steps == 0 && def.shooting.solver == ELV_SHOOT_LEVENBERG);
    CHECK_NEAR(def.shooting.space_tol, 1e-10, 0.0);
    def = read_statics(BODY "statics: {method: shooting, segments: 256, steps: 4096, space_tol: "
                            "1e-7, solver: dogleg, tolerance: 1e-9, max_iterations: 12}\n");
    CHECK_TRUE(def.shooting.segments == 256 && def.shooting.steps == 4096 &&
               def.shooting.solver == ELV_SHOOT_DOGLEG && def.max_iterations == 12);
    CHECK_NEAR(def.shooting.space_tol, 1e-7, 0.0);
    CHECK_NEAR(def.tolerance, 1e-9, 0.0);
}

static void test_round_trip(void** state) {
    (void)state;
    static const char* const blocks[] = {
        "method: shooting",
        "method: shooting, segments: 7, steps: 12, solver: dogleg, space_tol: 3e-8, loads: [1, 2]",
        "method: shooting, solver: levenberg-marquardt, tolerance: 1e-8, max_halvings: 3",
    };
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        char text[1024];
        char* written = NULL;
        ElvSpec* spec = NULL;
        ElvError error;
        snprintf(text, sizeof text, BODY "statics: {%s}\n", blocks[i]);
        CHECK_STATUS(elv_spec_read_text(text, strlen(text), "case", NULL, 0, &spec, &error),
                     &error);
        CHECK_STATUS(elv_spec_write_text(spec, &written, &error), &error);
        ElvStaticsDef a = read_statics(text), b = read_statics(written);
        CHECK_TRUE(a.method == b.method && a.n_load == b.n_load);
        CHECK_TRUE(memcmp(&a.shooting, &b.shooting, sizeof a.shooting) == 0);
        CHECK_TRUE(a.max_halvings == b.max_halvings && a.max_iterations == b.max_iterations);
        CHECK_NEAR(a.tolerance, b.tolerance, 0.0);
        elv_text_free(written);
        elv_spec_free(spec);
    }
}

static void check_bad(const char* block, const char* why) {
    char text[1024];
    ElvModel* model = NULL;
    ElvError error;
    snprintf(text, sizeof text, BODY "statics: {%s}\n", block);
    CHECK_TRUE(elv_model_read_text(text, strlen(text), "case", NULL, 0, &model, &error) ==
               ELV_ERROR_INPUT);
    if (!strstr(error.message, why) || error.line != 6) {
        fail_msg("%s: line %d: %s", block, error.line, error.message);
    }
}

static void test_bad_values(void** state) {
    (void)state;
    check_bad("method: shooting, segments: 0", "1");
    check_bad("method: shooting, segments: 257", "256");
    check_bad("method: shooting, segments: 1.5", "whole");
    check_bad("method: shooting, steps: -1", "0");
    check_bad("method: shooting, steps: 4097", "4096");
    check_bad("method: shooting, space_tol: 0", "space_tol");
    check_bad("method: shooting, space_tol: -1e-3", "space_tol");
    check_bad("method: shooting, solver: newton", "levenberg-marquardt");
    check_bad("method: shooting, solvr: dogleg", "solver");
    check_bad("method: newton, segments: 2", "'segments' does not belong to the method newton");
    check_bad("gain: 3", "used by projective");
    check_bad("method: shooting, max_steps: 3", "used by newton, relaxation, projective");
    check_bad("steps: 2", "'steps' does not belong to the method newton");
    check_bad("method: relaxation, space_tol: 1e-3",
              "'space_tol' does not belong to the method relaxation");
    check_bad("method: newton, solver: dogleg", "'solver' does not belong to the method newton");
}

// ---- start: statics

typedef struct {
    ElvFrame tip;
    ElvVec3 first;
    int n;
} Start;

static bool record(void* user, const ElvModel* model, ElvData* data, const ElvState* state) {
    Start* start = user;
    if (start->n++ == 0) {
        CHECK_NEAR(state->t, 0.0, 0.0);
        start->first = elv_frame_pose(model, data, start->tip).p;
    }
    return true;
}

// the first record is the equilibrium under what acted before t = 0, for every method and both statics
static void test_start_from_statics(void** state) {
    (void)state;
    static const char* const METHODS[] = {"newmark", "shooting", "rkmk", "till"};
    static const char* const STATICS[] = {"newton", "shooting"};
    ElvModel* held = read_model(BODY);
    ElvShooting* shooting = NULL;
    ElvStaticsDef def = elv_statics_def_default();
    ElvPose tip;
    ElvError error;
    CHECK_STATUS(elv_shoot_create(held, &def, &shooting, &error), &error);
    CHECK_STATUS(elv_shoot_statics(shooting, -1.0, &error), &error);
    elv_shoot_section(shooting, 0, 1.0, &tip, NULL, NULL);
    for (int i = 0; i < 8; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 BODY "simulate: {method: %s, start: statics, duration: 0.01, step: 0.005}\n"
                      "statics: {method: %s}\n",
                 METHODS[i / 2], STATICS[i % 2]);
        ElvModel* model = read_model(text);
        ElvState* now = NULL;
        Start start = {.n = 0};
        CHECK_STATUS(elv_state_create(model, &now, &error), &error);
        CHECK_STATUS(elv_model_frame(model, "rod.tip", &start.tip, &error), &error);
        ElvSimulateOptions options = elv_simulate_options_default(model, now);
        options.record = record;
        options.user = &start;
        CHECK_STATUS(elv_simulate(model, now, &options, NULL, &error), &error);
        // six modes of the strain are off by as much
        CHECK_TRUE(start.n > 1);
        CHECK_ARRAY_NEAR(&start.first.x, &tip.p.x, 3, 1e-6);
        elv_state_free(now);
        elv_model_free(model);
    }
    elv_shoot_free(shooting);
    elv_model_free(held);
}

// ---- states of methods without modes

/// The tip of the fields and that of the coordinates in the state, at a record.
typedef struct {
    ElvFrame tip;
    ElvData* own;
    double most;    // distance
    double fastest; // of velocities
    ElvVec3 last;
} Tips;

static bool compare(void* user, const ElvModel* model, ElvData* data, const ElvState* state) {
    Tips* tips = user;
    ElvTwist eta = elv_frame_twist(model, data, tips->tip);
    tips->last = elv_frame_pose(model, data, tips->tip).p;
    elv_kinematics(model, tips->own, state);
    ElvVec3 p = elv_frame_pose(model, tips->own, tips->tip).p;
    ElvTwist own = elv_frame_twist(model, tips->own, tips->tip);
    tips->most = fmax(tips->most, elv_vec3_norm(elv_vec3_sub(p, tips->last)));
    tips->fastest = fmax(tips->fastest, elv_vec3_norm(elv_vec3_sub(own.lin, eta.lin)));
    return true;
}

// coordinates of rods in records and at the end are those of the fields, as near as the modes come
static void test_states_have_coordinates_of_rods(void** state) {
    (void)state;
    static const char* const METHODS[] = {"shooting", "rkmk", "till"};
    for (int i = 0; i < 3; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 BODY "simulate: {method: %s, duration: 0.1, step: 0.005%s}\n"
                      "record: {every: 0.005}\n",
                 METHODS[i], i > 0 ? ", nodes: 41, interpolation: cubic" : "");
        ElvModel* model = read_model(text);
        ElvState* now = NULL;
        ElvError error;
        Tips tips = {.most = 0.0};
        CHECK_STATUS(elv_state_create(model, &now, &error), &error);
        CHECK_STATUS(elv_data_create(model, &tips.own, &error), &error);
        CHECK_STATUS(elv_model_frame(model, "rod.tip", &tips.tip, &error), &error);
        ElvSimulateOptions options = elv_simulate_options_default(model, now);
        options.record = compare;
        options.user = &tips;
        CHECK_STATUS(elv_simulate(model, now, &options, NULL, &error), &error);
        print_message("%s: %.1e m, %.1e m/s\n", METHODS[i], tips.most, tips.fastest);
        // it has moved by far more
        CHECK_TRUE(tips.last.y > 0.02);
        CHECK_TRUE(tips.most < 1e-6 && tips.fastest < 1e-4);
        elv_kinematics(model, tips.own, now);
        ElvVec3 end = elv_frame_pose(model, tips.own, tips.tip).p;
        CHECK_ARRAY_NEAR(&end.x, &tips.last.x, 3, 1e-6);
        elv_data_free(tips.own);
        elv_state_free(now);
        elv_model_free(model);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys),
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_bad_values),
        cmocka_unit_test(test_start_from_statics),
        cmocka_unit_test(test_states_have_coordinates_of_rods),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
