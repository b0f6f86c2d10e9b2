// SPDX-License-Identifier: Apache-2.0
// The `simulate:` block from a file to a file and on the command line: what each method reads, what is
// written back, and what `elver run --method` and `elver info` say.
#define _POSIX_C_SOURCE 200809L

#include "cli_process.h"

#include "elver/elver.h"

#define BODY                                                                                       \
    "elver: 1\ntree:\n  - {body: mass, mass: 1, joint: {prismatic: {axis: x, stiffness: 9,\n"      \
    "     position: 1}}}\n"

static ElvSimulateDef read_simulate(const char* text) {
    ElvModel* model = NULL;
    ElvError error;
    CHECK_STATUS(elv_model_read_text(text, strlen(text), "case", NULL, 0, &model, &error), &error);
    ElvSimulateDef def = elv_model_simulate(model);
    elv_model_free(model);
    return def;
}

static bool same_def(const ElvSimulateDef* a, const ElvSimulateDef* b) {
    return a->method == b->method && a->duration == b->duration && a->step == b->step &&
           a->rel_tol == b->rel_tol && a->abs_tol == b->abs_tol && a->max_steps == b->max_steps &&
           a->starts_static == b->starts_static && a->order == b->order && a->beta == b->beta &&
           a->gamma == b->gamma && a->alpha == b->alpha &&
           a->spectral_radius == b->spectral_radius && a->is_adaptive == b->is_adaptive &&
           a->reuse_jacobian == b->reuse_jacobian && a->newton_tol == b->newton_tol &&
           a->max_iterations == b->max_iterations && a->max_halvings == b->max_halvings;
}

static void test_defaults(void** state) {
    (void)state;
    ElvSimulateDef read = read_simulate(BODY);
    ElvSimulateDef expected = elv_simulate_def_default();
    CHECK_TRUE(same_def(&read, &expected));
    CHECK_TRUE(read.method == ELV_METHOD_GENERALIZED_ALPHA && read.spectral_radius == 0.9);
    // a method alone changes nothing else
    read = read_simulate(BODY "simulate: {method: bdf2}\n");
    expected.method = ELV_METHOD_BDF2;
    CHECK_TRUE(same_def(&read, &expected));
}

static void test_every_key(void** state) {
    (void)state;
    ElvSimulateDef expected = elv_simulate_def_default();
    expected.method = ELV_METHOD_NEWMARK;
    expected.duration = 3.0;
    expected.step = 0.02;
    expected.starts_static = true;
    expected.max_steps = 77;
    expected.beta = 0.3;
    expected.gamma = 0.6;
    expected.is_adaptive = true;
    expected.rel_tol = 1e-4;
    expected.abs_tol = 1e-5;
    expected.reuse_jacobian = false;
    expected.newton_tol = 1e-7;
    expected.max_iterations = 9;
    expected.max_halvings = 3;
    ElvSimulateDef read = read_simulate(
        BODY "simulate: {method: newmark, duration: 3, step: 0.02, start: statics, max_steps: 77,\n"
             "  beta: 0.3, gamma: 0.6, adaptive: true, rel_tol: 1e-4, abs_tol: 1e-5,\n"
             "  reuse_jacobian: false, newton_tol: 1e-7, max_iterations: 9, max_halvings: 3}\n");
    CHECK_TRUE(same_def(&read, &expected));

    expected = elv_simulate_def_default();
    expected.method = ELV_METHOD_HHT;
    expected.alpha = 0.2;
    read = read_simulate(BODY "simulate: {method: hht, alpha: 0.2, start: model}\n");
    CHECK_TRUE(same_def(&read, &expected));

    expected = elv_simulate_def_default();
    expected.spectral_radius = 0.25;
    read = read_simulate(BODY "simulate: {spectral_radius: 0.25, adaptive: false}\n");
    CHECK_TRUE(same_def(&read, &expected));

    expected = elv_simulate_def_default();
    expected.method = ELV_METHOD_EXPLICIT;
    expected.order = 7;
    expected.rel_tol = 1e-3;
    read = read_simulate(BODY "simulate: {method: explicit, order: 7, rel_tol: 1e-3}\n");
    CHECK_TRUE(same_def(&read, &expected));
}

// what is written reads back as the same, for every method
static void test_round_trip(void** state) {
    (void)state;
    static const char* const blocks[] = {
        "simulate: {method: newmark, beta: 0.3, gamma: 0.55, step: 0.1, newton_tol: 1e-6}\n",
        "simulate: {method: hht, alpha: 0.123, start: statics, max_iterations: 5}\n",
        "simulate: {spectral_radius: 0.1, adaptive: true, rel_tol: 1e-3, reuse_jacobian: false}\n",
        "simulate: {method: bdf2, max_halvings: 0, max_steps: 5}\n",
        "simulate: {method: explicit, order: 3, abs_tol: 1e-4}\n",
    };
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        char text[1024], *written = NULL;
        ElvSpec* spec = NULL;
        ElvError error;
        snprintf(text, sizeof text, "%s%s", BODY, blocks[i]);
        CHECK_STATUS(elv_spec_read_text(text, strlen(text), "case", NULL, 0, &spec, &error),
                     &error);
        CHECK_STATUS(elv_spec_write_text(spec, &written, &error), &error);
        ElvSimulateDef before = read_simulate(text), after = read_simulate(written);
        CHECK_TRUE(same_def(&after, &before));
        elv_text_free(written);
        elv_spec_free(spec);
    }
}

// ---- the command line

static int open_model(void** context) {
    int status = open_process(context);
    write_text(*context, "model.yaml",
               BODY "simulate: {duration: 1, step: 0.01}\n"
                    "record: {every: 0.1, signals: [mass.q, energy]}\n");
    return status;
}

static double last_value(const char* text) {
    const char* line = strrchr(text, '\n');
    while (line > text && line[-1] != '\n') {
        line--;
    }
    return strtod(strchr(line, ',') + 1, NULL);
}

// x = cos 3t, by every method, with an error of its own
static void test_run_method(void** context) {
    Process* p = *context;
    static const char* const words[] = {
        "run model.yaml -q --method generalized-alpha", "run model.yaml -q --method newmark",
        "run model.yaml -q --method hht", "run model.yaml -q --method=bdf2",
        "run model.yaml -q --method explicit"};
    double value[5];
    for (int i = 0; i < 5; i++) {
        run(p, words[i]);
        CHECK_CODE(p, 0);
        value[i] = last_value(p->out);
        CHECK_NEAR(value[i], cos(3.0), 1e-2);
        for (int k = 0; k < i; k++) {
            CHECK_TRUE(value[i] != value[k]);
        }
    }
    CHECK_NEAR(value[4], cos(3.0), 1e-6);
    run(p, "run model.yaml --method newmork");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "unknown method 'newmork', did you mean 'newmark'?");
    run(p, "run model.yaml --rel-tol 1e-3");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "'rel_tol' has no effect on the fixed steps of the method generalized-alpha");
    run(p, "run model.yaml -q --set simulate.adaptive=true --rel-tol 1e-3");
    CHECK_CODE(p, 0);
}

static void test_newton_in_the_summary(void** context) {
    Process* p = *context;
    run(p, "run model.yaml -o out.csv");
    CHECK_CODE(p, 0);
    CHECK_ERR(p, "steps     100 accepted, 0 rejected");
    CHECK_ERR(p, "Newton    100 iterations (1 a step), 100 tangents, 0 steps cut");
    run(p, "run model.yaml --json -o out.csv");
    CHECK_NEAR(json_number(p->out, "newton_iterations"), 100.0, 0.0);
    CHECK_NEAR(json_number(p->out, "tangents"), 100.0, 0.0);
    CHECK_NEAR(json_number(p->out, "halvings"), 0.0, 0.0);
    // an explicit method has no Newton
    run(p, "run model.yaml -o out.csv --method explicit");
    CHECK_CODE(p, 0);
    assert_null(strstr(p->err, "Newton"));
}

static void test_info(void** context) {
    Process* p = *context;
    run(p, "info model.yaml");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "simulate    generalized-alpha, duration 1 s, step 0.01 s, spectral_radius 0.9");
    run(p, "info model.yaml --set simulate.method=newmark --set simulate.start=statics");
    CHECK_OUT(p,
              "newmark, duration 1 s, step 0.01 s, beta 0.25, gamma 0.5, newton_tol 1e-09, start "
              "from equilibrium");
    // in equilibrium the spring is at rest
    CHECK_OUT(p, "total 0 J");
    run(p, "info model.yaml --json --set simulate.method=hht");
    CHECK_CODE(p, 0);
    CHECK_TRUE(is_balanced_json(p->out));
    CHECK_OUT(p, "\"method\": \"hht\", \"start\": \"model\"");
    CHECK_NEAR(json_number(p->out, "alpha"), 0.05, 0.0);
    CHECK_NEAR(json_number(p->out, "newton_tol"), 1e-9, 0.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_every_key),
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test_setup_teardown(test_run_method, open_model, close_process),
        cmocka_unit_test_setup_teardown(test_newton_in_the_summary, open_model, close_process),
        cmocka_unit_test_setup_teardown(test_info, open_model, close_process),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
