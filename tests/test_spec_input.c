// SPDX-License-Identifier: Apache-2.0
// Inputs of a spec: every model lists them, a constant that comes through an input moves a model by the same bits
// as the same constant in its file, and names that are not known are answered with the nearest one.
#include "elver/elver.h"

#include "model_files.h"

enum { N_STEP = 3 };

static const char arm[] = "elver: 1\n"
                          "parameters: {pull: 1.5}\n"
                          "gravity: [0, 0, -9.81]\n"
                          "tree:\n"
                          "  - body: base\n"
                          "    joint: {revolute: {axis: z, force: 0.2}}\n"
                          "    mass: 1\n"
                          "    inertia: [0.1, 0.1, 0.1]\n"
                          "  - rod: rod\n"
                          "    parent: base\n"
                          "    length: 0.4\n"
                          "    section: {circle: {radius: 0.01}}\n"
                          "    material: {density: 1000, young: 1e6, poisson: 0.3}\n"
                          "    strain: {bend_y: 2, bend_z: 2}\n"
                          "actuators:\n"
                          "  - tendon: left\n"
                          "    path: {rod: rod, y: 0.005}\n"
                          "    tension: 2*pull\n"
                          "loads:\n"
                          "  - at: rod.tip\n"
                          "    force: [0, 0.1, 0]\n"
                          "simulate: {method: generalized-alpha, duration: 1, step: 0.01}\n";

// beside the files that models of models/ read
#define PLACE ELVER_SOURCE_DIR "/models/test"

static void held(void* user, double t, double s, ElvJet* jet) {
    (void)t;
    (void)s;
    *jet = (ElvJet){*(const double*)user, 0.0, 0.0};
}

static ElvSpec* read_spec(const char* text, const ElvOverride* list, int n) {
    ElvSpec* spec = NULL;
    ElvError error;
    elv_error_clear(&error);
    ElvStatus status = elv_spec_read_text(text, strlen(text), PLACE, list, n, &spec, &error);
    CHECK_STATUS(status, &error);
    return spec;
}

// coordinates, velocities and unknowns after a few steps; how many, or -1 where the model does not start
static int run_steps(const ElvSpec* spec, double* out, int capacity) {
    ElvModel* model = NULL;
    ElvState* state = NULL;
    ElvIntegrator* integrator = NULL;
    ElvError error;
    elv_error_clear(&error);
    CHECK_STATUS(elv_spec_compile(spec, &model, &error), &error);
    CHECK_STATUS(elv_state_create(model, &state, &error), &error);
    ElvSimulateDef method = elv_model_simulate(model);
    ElvStatus status = elv_integrator_create(model, &method, &integrator, &error);
    if (status == ELV_OK) {
        status = elv_integrator_start(integrator, state, &error);
    }
    for (int i = 0; i < N_STEP && status == ELV_OK; i++) {
        status = elv_integrator_step(integrator, state->t + 0.01, state, &error);
    }
    int n = -1;
    if (status == ELV_OK) {
        n = 0;
        CHECK_TRUE(state->nq + state->nv + state->nz <= capacity);
        for (int i = 0; i < state->nq; i++) {
            out[n++] = state->q[i];
        }
        for (int i = 0; i < state->nv; i++) {
            out[n++] = state->v[i];
        }
        for (int i = 0; i < state->nz; i++) {
            out[n++] = state->z[i];
        }
    }
    elv_integrator_free(integrator);
    elv_state_free(state);
    elv_model_free(model);
    return n;
}

static void check_same(const char* name, const double* a, int n_a, const double* b, int n_b) {
    if (n_a != n_b || (n_a > 0 && memcmp(a, b, (size_t)n_a * sizeof *a) != 0)) {
        print_error("%s: %d and %d numbers, or other bits\n", name, n_a, n_b);
        fail();
    }
}

enum { ROOM = 8192 };
static double first[ROOM], second[ROOM];

static void lists_inputs(void** context) {
    (void)context;
    static const struct {
        const char *name, *unit;
        double value;
    } expected[] = {{"base.effort.0", "N m", 0.2},
                    {"loads[0].force.y", "N", 0.1},
                    {"tendon.left.tension", "N", 3.0}};
    ElvSpec* spec = read_spec(arm, NULL, 0);
    assert_int_equal(elv_spec_n_input(spec), 3);
    for (int i = 0; i < 3; i++) {
        ElvInputInfo info;
        ElvError error;
        CHECK_STATUS(elv_spec_input(spec, i, &info, &error), &error);
        assert_string_equal(info.name, expected[i].name);
        assert_string_equal(info.unit, expected[i].unit);
        CHECK_NEAR(info.value, expected[i].value, 0.0);
        CHECK_TRUE(info.min <= info.value && info.value < info.max);
        CHECK_TRUE(!info.is_motion && !info.is_field);
    }
    ElvInputInfo none;
    ElvError error;
    assert_int_equal(elv_spec_input(spec, 3, &none, &error), ELV_ERROR_INPUT);
    assert_int_equal(elv_spec_n_parameter(spec), 1);
    assert_string_equal(elv_spec_parameter(spec, 0).name, "pull");
    CHECK_NEAR(elv_spec_parameter(spec, 0).value, 1.5, 0.0);
    elv_spec_free(spec);
}

// the value in the file, and the same through the input
static void gives_the_bits_of_the_file(void** context) {
    (void)context;
    static const struct {
        const char *input, *key, *text;
        double value;
    } change[] = {{"tendon.left.tension", "left.tension", "4.7", 4.7},
                  {"base.effort.0", "base.joint", "{revolute: {axis: z, force: -0.3}}", -0.3},
                  {"loads[0].force.z", "loads", "[{at: rod.tip, force: [0, 0.1, 0.25]}]", 0.25}};
    for (size_t i = 0; i < sizeof change / sizeof change[0]; i++) {
        ElvOverride list[1] = {{change[i].key, change[i].text}};
        ElvSpec* filed = read_spec(arm, list, 1);
        ElvSpec* steered = read_spec(arm, NULL, 0);
        double value = change[i].value;
        ElvLawDef law = elv_law_def_callback(held, &value);
        ElvError error;
        int n_before = run_steps(steered, first, ROOM);
        CHECK_STATUS(elv_spec_set_law(steered, change[i].input, &law, &error), &error);
        int n_steered = run_steps(steered, second, ROOM);
        CHECK_TRUE(n_before > 0 && memcmp(first, second, (size_t)n_before * sizeof *first) != 0);
        int n_filed = run_steps(filed, first, ROOM);
        check_same(change[i].input, first, n_filed, second, n_steered);
        elv_spec_free(filed);
        elv_spec_free(steered);
    }
}

// every input of a model at its initial value, once as constants and once as callbacks
static void check_model(const char* name, const char* text) {
    ElvSpec* constant = read_spec(text, NULL, 0);
    ElvSpec* callback = read_spec(text, NULL, 0);
    int n = elv_spec_n_input(constant);
    static double value[1024];
    CHECK_TRUE(n <= 1024);
    for (int i = 0; i < n; i++) {
        ElvInputInfo info;
        ElvError error;
        ElvLaw* law = NULL;
        CHECK_STATUS(elv_spec_input(constant, i, &info, &error), &error);
        CHECK_STATUS(elv_spec_get_law(constant, info.name, &law, &error), &error);
        CHECK_TRUE(isfinite(info.value) && info.min <= info.value && info.value <= info.max);
        CHECK_TRUE(info.min < info.max && info.kind[0] != '\0' && info.unit[0] != '\0');
        elv_law_free(law);
        value[i] = info.value;
    }
    for (int i = 0; i < n; i++) {
        ElvInputInfo info;
        ElvError error;
        CHECK_STATUS(elv_spec_input(callback, i, &info, &error), &error);
        ElvLawDef held_law = elv_law_def_callback(held, &value[i]);
        CHECK_STATUS(elv_spec_set_law(callback, info.name, &held_law, &error), &error);
        // what is constantly 0 leaves the list: names do not
        ElvLawDef fixed = elv_law_def_value(value[i]);
        CHECK_STATUS(elv_spec_set_law(constant, info.name, &fixed, &error), &error);
    }
    check_same(name, first, run_steps(constant, first, ROOM), second,
               run_steps(callback, second, ROOM));
    elv_spec_free(constant);
    elv_spec_free(callback);
}

static void every_model_has_its_inputs(void** context) {
    (void)context;
    ModelFiles files;
    model_files_open(&files);
    for (int i = 0; i < files.n; i += IS_SANITIZED ? 5 : 1) {
        check_model(files.name[i], files.text[i]);
    }
    model_files_close(&files);
}

// names of the linear model's inputs; rates of targets are no laws of their own
static int check_linear(const char* name, const char* text) {
    ElvSpec* spec = read_spec(text, NULL, 0);
    ElvModel* model = NULL;
    ElvState* state = NULL;
    ElvLinearModel* linear = NULL;
    ElvError error;
    CHECK_STATUS(elv_spec_compile(spec, &model, &error), &error);
    CHECK_STATUS(elv_state_create(model, &state, &error), &error);
    int n = 0;
    if (elv_model_nv(model) <= 60 &&
        elv_linear_model_create(model, state, NULL, 0, NULL, 0, &linear, &error) == ELV_OK) {
        for (int i = 0; i < linear->n_input; i++) {
            ElvLaw* law = NULL;
            if (!strstr(linear->input_name[i], ".target_rate.")) {
                if (elv_spec_get_law(spec, linear->input_name[i], &law, &error) != ELV_OK) {
                    print_error("%s: %s\n", name, error.message);
                    fail();
                }
                elv_law_free(law);
                n++;
            }
        }
        elv_linear_model_free(linear);
    }
    elv_state_free(state);
    elv_model_free(model);
    elv_spec_free(spec);
    return n;
}

static void has_the_names_of_linear_models(void** context) {
    (void)context;
    ModelFiles files;
    model_files_open(&files);
    int n = 0;
    for (int i = 0; i < files.n; i += IS_SANITIZED ? 5 : 1) {
        n += check_linear(files.name[i], files.text[i]);
    }
    CHECK_TRUE(IS_SANITIZED || n > 20);
    model_files_close(&files);
}

static void suggests_names(void** context) {
    (void)context;
    ElvSpec* spec = read_spec(arm, NULL, 0);
    ElvLaw* law = NULL;
    ElvError error;
    ElvLawDef zero = elv_law_def_value(0.0);
    assert_int_equal(elv_spec_get_law(spec, "tendon.left.tenson", &law, &error), ELV_ERROR_INPUT);
    assert_non_null(strstr(error.message, "'tendon.left.tension'"));
    assert_int_equal(elv_spec_set_law(spec, "base.efort.0", &zero, &error), ELV_ERROR_INPUT);
    assert_non_null(strstr(error.message, "'base.effort.0'"));
    assert_int_equal(elv_spec_set_law(spec, "nothing like it", &zero, &error), ELV_ERROR_INPUT);
    assert_null(strstr(error.message, "did you mean"));

    // a law that is none changes nothing
    ElvLawDef bad = elv_law_def_callback(NULL, NULL);
    assert_int_equal(elv_spec_set_law(spec, "tendon.left.tension", &bad, &error), ELV_ERROR_INPUT);
    CHECK_STATUS(elv_spec_get_law(spec, "tendon.left.tension", &law, &error), &error);
    CHECK_NEAR(elv_law_value(law, 0.0, 0.0), 3.0, 0.0);
    elv_law_free(law);
    elv_spec_free(spec);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_inputs),
        cmocka_unit_test(gives_the_bits_of_the_file),
        cmocka_unit_test(every_model_has_its_inputs),
        cmocka_unit_test(has_the_names_of_linear_models),
        cmocka_unit_test(suggests_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
