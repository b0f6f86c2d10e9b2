// SPDX-License-Identifier: Apache-2.0
// The model writer: what it writes reads back as the same model. Two models are the same when they
// have the same coordinates, initial state, mass matrix and residual at random states and times,
// for which the oracle is the model of the original text. Also numbers as text, in any locale.
#include "check.h"

#include "base/number_text.h"
#include "elver/dynamics.h"
#include "elver/io.h"
#include "model_files.h"

#include <locale.h>

static ElvSpec* read_spec(const char* text, const char* name) {
    ElvSpec* spec = NULL;
    ElvError error;
    ElvStatus status = elv_spec_read_text(text, strlen(text), name, NULL, 0, &spec, &error);
    if (status != ELV_OK) {
        char message[1024];
        elv_error_format(&error, message, sizeof message);
        fail_msg("%s\n%s", message, text);
    }
    return spec;
}

static char* rewrite(const char* text, const char* name) {
    ElvSpec* spec = read_spec(text, name);
    char* written = NULL;
    ElvError error;
    CHECK_STATUS(elv_spec_write_text(spec, &written, &error), &error);
    elv_spec_free(spec);
    return written;
}

static ElvModel* compile(const char* text, const char* name) {
    ElvSpec* spec = read_spec(text, name);
    ElvModel* model = NULL;
    ElvError error;
    CHECK_STATUS(elv_spec_compile(spec, &model, &error), &error);
    elv_spec_free(spec);
    return model;
}

// ---- comparison of models

typedef struct {
    ElvModel* model;
    ElvState* state;
    ElvData* data;
    double* M; // (nv x nv)
    double* r; // (nv)
} Side;

static Side open_side(const char* text, const char* name) {
    Side side = {.model = compile(text, name)};
    ElvError error;
    size_t n = (size_t)elv_model_nv(side.model);
    CHECK_STATUS(elv_state_create(side.model, &side.state, &error), &error);
    CHECK_STATUS(elv_data_create(side.model, &side.data, &error), &error);
    side.M = calloc(n * n + 1, sizeof *side.M);
    side.r = calloc(n + 1, sizeof *side.r);
    assert_non_null(side.M);
    assert_non_null(side.r);
    return side;
}

static void close_side(Side* side) {
    free(side->M);
    free(side->r);
    elv_data_free(side->data);
    elv_state_free(side->state);
    elv_model_free(side->model);
}

static void evaluate(Side* side) {
    elv_state_impose(side->model, side->state);
    elv_kinematics(side->model, side->data, side->state);
    elv_mass_matrix(side->model, side->data, side->state, side->M);
    elv_residual(side->model, side->data, side->state, side->r);
}

static double largest(const double* x, size_t n) {
    double most = 0.0;
    for (size_t i = 0; i < n; i++) {
        CHECK_TRUE(isfinite(x[i]));
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

// rotations pass through quaternions of 16 digits: some 1e-15 of relative error, amplified by the
// length of a chain of a dozen bodies; a wrong key would change leading digits
static void check_same(Side* a, Side* b, CheckRandom* random) {
    const double tol = 1e-12;
    size_t nv = (size_t)a->state->nv;
    a->state->t = b->state->t = check_uniform(random, 0.0, 1.5);
    for (int i = 0; i < a->state->nq; i++) {
        a->state->q[i] = b->state->q[i] += check_uniform(random, -0.1, 0.1);
    }
    for (size_t i = 0; i < nv; i++) {
        a->state->v[i] = b->state->v[i] = check_uniform(random, -1.0, 1.0);
        a->state->a[i] = b->state->a[i] = check_uniform(random, -1.0, 1.0);
    }
    evaluate(a);
    evaluate(b);
    CHECK_ARRAY_NEAR(b->M, a->M, nv * nv, tol * largest(a->M, nv * nv));
    CHECK_ARRAY_NEAR(b->r, a->r, nv, tol * largest(a->r, nv));
}

static void check_same_head(const ElvModel* a, const ElvModel* b) {
    assert_string_equal(elv_model_name(a), elv_model_name(b));
    assert_int_equal(elv_model_nq(a), elv_model_nq(b));
    assert_int_equal(elv_model_nv(a), elv_model_nv(b));
    assert_int_equal(elv_model_n_node(a), elv_model_n_node(b));
    CHECK_NEAR(elv_model_mass(b), elv_model_mass(a), 1e-14 * elv_model_mass(a));
    ElvSimulateDef run_a = elv_model_simulate(a);
    ElvSimulateDef run_b = elv_model_simulate(b);
    CHECK_NEAR(run_b.duration, run_a.duration, 0.0);
    CHECK_NEAR(run_b.step, run_a.step, 0.0);
    CHECK_NEAR(run_b.rel_tol, run_a.rel_tol, 0.0);
    CHECK_NEAR(run_b.abs_tol, run_a.abs_tol, 0.0);
    assert_int_equal(run_b.order, run_a.order);
    assert_int_equal(run_b.max_steps, run_a.max_steps);
    ElvRecordDef record_a = elv_model_record(a);
    ElvRecordDef record_b = elv_model_record(b);
    CHECK_NEAR(record_b.every, record_a.every, 0.0);
    assert_int_equal(record_b.n_signal, record_a.n_signal);
    for (int i = 0; i < record_a.n_signal; i++) {
        assert_string_equal(record_b.signal[i], record_a.signal[i]);
    }
    double breaks_a[64];
    double breaks_b[64];
    size_t n_break = elv_model_breakpoints(a, 0.0, 10.0, breaks_a, 64);
    assert_int_equal(elv_model_breakpoints(b, 0.0, 10.0, breaks_b, 64), n_break);
    CHECK_TRUE(n_break <= 64);
    CHECK_ARRAY_NEAR(breaks_b, breaks_a, n_break, 0.0);
}

static void test_round_trip(void** state) {
    (void)state;
    ModelFiles files;
    model_files_open(&files);
    for (int i = 0; i < files.n; i++) {
        char* written = rewrite(files.text[i], files.name[i]);
        Side a = open_side(files.text[i], files.name[i]);
        Side b = open_side(written, "written");
        check_same_head(a.model, b.model);
        CHECK_ARRAY_NEAR(b.state->q, a.state->q, (size_t)a.state->nq, 1e-14);
        CHECK_ARRAY_NEAR(b.state->v, a.state->v, (size_t)a.state->nv, 1e-14);
        CheckRandom random = check_random(7);
        for (int k = 0; k < 3; k++) {
            check_same(&a, &b, &random);
        }
        close_side(&a);
        close_side(&b);
        elv_text_free(written);
    }
    model_files_close(&files);
}

// without rotations nothing is rounded, and a second pass changes nothing
static void test_stable_text(void** state) {
    (void)state;
    char* once = rewrite(sample_arm, "once");
    char* twice = rewrite(once, "twice");
    assert_string_equal(once, twice);
    elv_text_free(once);
    elv_text_free(twice);
}

static void test_names(void** state) {
    (void)state;
    ElvSpec* spec = NULL;
    ElvError error;
    const char* name = "a \"quoted\" \\ name: with # and\ttab, \xc3\xa9";
    CHECK_STATUS(elv_spec_create(name, &spec, &error), &error);
    ElvBodyDef body = elv_body_def_default();
    body.name = "null";
    body.mass = 1.0;
    CHECK_STATUS(elv_spec_add_body(spec, &body, &error), &error);
    char* text = NULL;
    CHECK_STATUS(elv_spec_write_text(spec, &text, &error), &error);
    elv_spec_free(spec);
    ElvModel* model = compile(text, "names");
    assert_string_equal(elv_model_name(model), name);
    assert_string_equal(elv_model_node(model, 0).name, "null");
    elv_model_free(model);
    elv_text_free(text);
}

static void push(void* user, double t, double s, ElvJet* jet) {
    (void)user;
    (void)t;
    (void)s;
    jet->v = 1.0;
    jet->d = jet->dd = 0.0;
}

static void test_callback(void** state) {
    (void)state;
    ElvSpec* spec = read_spec(sample_arm, "arm");
    ElvError error;
    ElvWrenchDef load = elv_wrench_def_default();
    load.at = "arm.tip";
    load.wrench[4] = elv_law_def_callback(push, NULL);
    CHECK_STATUS(elv_spec_add_wrench(spec, &load, &error), &error);
    char* text = NULL;
    assert_int_equal(elv_spec_write_text(spec, &text, &error), ELV_ERROR_INPUT);
    assert_null(text);
    assert_string_equal(error.element, "loads[1]");
    CHECK_TRUE(strstr(error.message, "C callback") != NULL);
    elv_spec_free(spec);
}

// ---- numbers

static void check_numbers(void) {
    CheckRandom random = check_random(11);
    for (int i = 0; i < 20000; i++) {
        // any finite bits
        uint64_t bits = check_random_bits(&random);
        double x = 0.0;
        memcpy(&x, &bits, sizeof x);
        if (!isfinite(x)) {
            continue;
        }
        char text[ELV_NUMBER_TEXT];
        elv_number_print(x, 17, text);
        double back = 0.0;
        assert_int_equal(elv_number_scan(text, &back), strlen(text));
        CHECK_NEAR(back, x, 0.0);
    }
}

static void test_numbers(void** state) {
    (void)state;
    static const struct {
        double value;
        const char* text;
    } cases[] = {
        {0.0, "0"},
        {0.1, "0.1"},
        {-2.5, "-2.5"},
        {1000.0, "1000"},
        {999999.0, "999999"},
        {1e6, "1e6"},
        {2.1e11, "2.1e11"},
        {1e-6, "1e-6"},
        {1e-10, "1e-10"},
        {1e100, "1e100"},
        {1e-100, "1e-100"},
        {120000.0, "120000"},
        {0.30000000000000004, "0.30000000000000004"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[ELV_NUMBER_TEXT];
        elv_number_print(cases[i].value, 17, text);
        assert_string_equal(text, cases[i].text);
    }
    static const char* const no_numbers[] = {"", "-", ".", "e5", "+.", "nan", "inf", "x1", " 1"};
    for (size_t i = 0; i < sizeof no_numbers / sizeof no_numbers[0]; i++) {
        double value = 0.0;
        assert_int_equal(elv_number_scan(no_numbers[i], &value), 0);
    }
    double value = 0.0;
    assert_int_equal(elv_number_scan("1e", &value), 1);
    assert_int_equal(elv_number_scan("1.e+", &value), 2);
    assert_int_equal(elv_number_scan(".5cm", &value), 2);
    CHECK_NEAR(value, 0.5, 0.0);
    check_numbers();

    // with a decimal comma, where such a locale is installed
    static const char* const locales[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE.utf8",
                                          "nl_NL.UTF-8"};
    for (size_t i = 0; i < sizeof locales / sizeof locales[0]; i++) {
        if (setlocale(LC_NUMERIC, locales[i])) {
            check_numbers();
            break;
        }
    }
    (void)setlocale(LC_NUMERIC, "C");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_stable_text),
        cmocka_unit_test(test_names),      cmocka_unit_test(test_callback),
        cmocka_unit_test(test_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
