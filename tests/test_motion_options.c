// SPDX-License-Identifier: Apache-2.0
// Options of shooting in time from a file to a file: a scheme with its own parameters, and none of the others'.
#include "check.h"

#include "elver/elver.h"

#include <stdio.h>
#include <string.h>

#define BODY                                                                                       \
    "elver: 1\ntree:\n  - {rod: rod, length: 0.4, section: {circle: {diameter: 0.02}},\n"          \
    "     material: {density: 1000, young: 1e8, damping: 0.02}, strain: {reissner: 2}}\n"

static ElvSimulateDef read_simulate(const char* text) {
    ElvModel* model = NULL;
    ElvError error;
    CHECK_STATUS(elv_model_read_text(text, strlen(text), "case", NULL, 0, &model, &error), &error);
    ElvSimulateDef def = elv_model_simulate(model);
    elv_model_free(model);
    return def;
}

static void check_same(const ElvSimulateDef* a, const ElvSimulateDef* b) {
    CHECK_TRUE(a->method == b->method && a->has_accelerations == b->has_accelerations);
    CHECK_TRUE(a->shooting.segments == b->shooting.segments);
    CHECK_TRUE(a->shooting.steps == b->shooting.steps);
    CHECK_TRUE(a->shooting.solver == b->shooting.solver);
    CHECK_NEAR(a->step, b->step, 0.0);
    CHECK_NEAR(a->newton_tol, b->newton_tol, 0.0);
    CHECK_NEAR(a->gamma, b->gamma, 0.0);
    CHECK_TRUE(a->max_iterations == b->max_iterations);
    if (a->has_accelerations) {
        CHECK_TRUE(a->scheme == b->scheme);
        CHECK_NEAR(a->beta, b->beta, 0.0);
        CHECK_NEAR(a->alpha, b->alpha, 0.0);
        CHECK_NEAR(a->spectral_radius, b->spectral_radius, 0.0);
    }
}

static void write_and_read(const ElvSpec* spec, const ElvSimulateDef* before) {
    ElvError error;
    char* written = NULL;
    CHECK_STATUS(elv_spec_write_text(spec, &written, &error), &error);
    ElvSimulateDef after = read_simulate(written);
    check_same(before, &after);
    elv_text_free(written);
}

static void test_round_trip(void** state) {
    (void)state;
    static const char* const blocks[] = {
        "method: shooting",
        "method: shooting, step: 0.002, segments: 7, steps: 12, solver: dogleg",
        "method: shooting, newton_tol: 1e-8, max_iterations: 9",
        "method: shooting, scheme: newmark, beta: 0.3, gamma: 0.6",
        "method: shooting, scheme: hht, alpha: 0.1",
        "method: shooting, scheme: generalized-alpha, spectral_radius: 0.7",
        "method: shooting, accelerations: false, gamma: 0.75",
        "method: shooting, accelerations: false, scheme: newmark",
    };
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        char text[1024];
        ElvSpec* spec = NULL;
        ElvError error;
        snprintf(text, sizeof text, BODY "simulate: {%s}\n", blocks[i]);
        ElvSimulateDef before = read_simulate(text);
        CHECK_TRUE(before.method == ELV_METHOD_SHOOTING);
        CHECK_STATUS(elv_spec_read_text(text, strlen(text), "case", NULL, 0, &spec, &error),
                     &error);
        write_and_read(spec, &before);
        elv_spec_free(spec);
    }
}

// from C a scheme may stand beside `accelerations: false`, where it has no effect: a file is written that can be read
static void test_a_scheme_without_effect_is_not_written(void** state) {
    (void)state;
    ElvSpec* spec = NULL;
    ElvError error;
    CHECK_STATUS(elv_spec_read_text(BODY, strlen(BODY), "case", NULL, 0, &spec, &error), &error);
    for (ElvMethod scheme = ELV_METHOD_NEWMARK; scheme <= ELV_METHOD_GENERALIZED_ALPHA; scheme++) {
        ElvSimulateDef def = elv_simulate_def_default();
        def.method = ELV_METHOD_SHOOTING;
        def.has_accelerations = false;
        def.scheme = scheme;
        CHECK_STATUS(elv_spec_set_simulate(spec, &def, &error), &error);
        write_and_read(spec, &def);
    }
    elv_spec_free(spec);
}

static void check_bad(const char* block, const char* why) {
    char text[1024];
    ElvModel* model = NULL;
    ElvError error;
    snprintf(text, sizeof text, BODY "simulate: {method: shooting, %s}\n", block);
    CHECK_TRUE(elv_model_read_text(text, strlen(text), "case", NULL, 0, &model, &error) ==
               ELV_ERROR_INPUT);
    if (!strstr(error.message, why) || error.line != 5) {
        fail_msg("%s: line %d: %s", block, error.line, error.message);
    }
}

static void test_parameters_belong_to_a_scheme(void** state) {
    (void)state;
    check_bad("alpha: 0.1", "'alpha' does not belong to the scheme newmark: it is used by hht");
    check_bad("spectral_radius: 0.8", "does not belong to the scheme newmark");
    check_bad("scheme: hht, beta: 0.3", "does not belong to the scheme hht");
    check_bad("scheme: generalized-alpha, alpha: 0.1", "does not belong");
    check_bad("scheme: bdf2", "scheme");
    check_bad("accelerations: false, beta: 0.3", "'beta' has no effect without");
    check_bad("accelerations: false, scheme: hht", "'scheme' has no effect without");
    check_bad("scheme: generalized-alpha, accelerations: false", "'scheme' has no effect without");
    check_bad("segments: 0", "1");
    check_bad("nodes: 5", "does not belong to the method shooting");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_a_scheme_without_effect_is_not_written),
        cmocka_unit_test(test_parameters_belong_to_a_scheme),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
