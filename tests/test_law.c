// SPDX-License-Identifier: Apache-2.0
// Laws as a type: the four kinds, NULL, deep copies, what each depends on, refused input,
// derivatives by s.
#include "check.h"
#include "elver/law.h"

#include <stdlib.h>

static void twice_t(void* user, double t, double s, ElvJet* jet) {
    double factor = *(const double*)user;
    jet->v = factor * t + s;
    jet->d = factor;
    jet->dd = 0.0;
}

static void leave_jet(void* user, double t, double s, ElvJet* jet) {
    (void)user;
    (void)t;
    (void)s;
    (void)jet;
}

static void test_null_is_zero(void** state) {
    (void)state;
    ElvJet jet = elv_law_eval(NULL, 3.0, 0.5);
    CHECK_TRUE(jet.v == 0.0 && jet.d == 0.0 && jet.dd == 0.0);
    CHECK_TRUE(elv_law_value(NULL, 1.0, 1.0) == 0.0);
    CHECK_TRUE(elv_law_kind(NULL) == ELV_LAW_CONSTANT);
    CHECK_TRUE(!elv_law_depends_on_t(NULL) && !elv_law_depends_on_s(NULL));
    CHECK_TRUE(elv_law_text(NULL) == NULL);
    CHECK_TRUE(elv_law_table_data(NULL, NULL, NULL, NULL, NULL) == 0);
    CHECK_TRUE(elv_law_breakpoints(NULL, ELV_VARIABLE_T, 0.0, 1.0, NULL, 0) == 0);
    elv_law_free(NULL);
    ElvLaw* copy = NULL;
    CHECK_STATUS(elv_law_copy(NULL, &copy, NULL), NULL);
    CHECK_TRUE(copy == NULL);
}

static void test_constant(void** state) {
    (void)state;
    ElvLaw* law = NULL;
    ElvError error;
    CHECK_STATUS(elv_law_constant(2.5, &law, &error), &error);
    ElvJet jet = elv_law_eval(law, 7.0, 0.3);
    CHECK_TRUE(jet.v == 2.5 && jet.d == 0.0 && jet.dd == 0.0);
    CHECK_TRUE(elv_law_kind(law) == ELV_LAW_CONSTANT && elv_law_text(law) == NULL);
    CHECK_TRUE(!elv_law_depends_on_t(law) && !elv_law_depends_on_s(law));
    ElvLaw* copy = NULL;
    CHECK_STATUS(elv_law_copy(law, &copy, &error), &error);
    elv_law_free(law);
    CHECK_TRUE(elv_law_value(copy, 0.0, 0.0) == 2.5);
    elv_law_free(copy);

    CHECK_TRUE(elv_law_constant((double)NAN, &law, &error) == ELV_ERROR_INPUT && law == NULL);
    CHECK_TRUE(elv_law_constant((double)INFINITY, &law, NULL) == ELV_ERROR_INPUT && law == NULL);
}

static void test_callback(void** state) {
    (void)state;
    ElvLaw* law = NULL;
    ElvLaw* copy = NULL;
    ElvError error;
    double factor = 2.0;
    CHECK_STATUS(elv_law_callback(twice_t, &factor, &law, &error), &error);
    CHECK_STATUS(elv_law_copy(law, &copy, &error), &error);
    elv_law_free(law);

    // the copy shares the user pointer
    factor = 3.0;
    ElvJet jet = elv_law_eval(copy, 2.0, 0.25);
    CHECK_TRUE(jet.v == 6.25 && jet.d == 3.0 && jet.dd == 0.0);
    CHECK_TRUE(elv_law_kind(copy) == ELV_LAW_CALLBACK);
    CHECK_TRUE(elv_law_depends_on_t(copy) && elv_law_depends_on_s(copy));
    elv_law_free(copy);

    // what a callback leaves alone is zero
    CHECK_STATUS(elv_law_callback(leave_jet, NULL, &law, &error), &error);
    jet = elv_law_eval(law, 1.0, 1.0);
    CHECK_TRUE(jet.v == 0.0 && jet.d == 0.0 && jet.dd == 0.0);
    elv_law_free(law);
    CHECK_TRUE(elv_law_callback(NULL, NULL, &law, &error) == ELV_ERROR_INPUT && law == NULL);
}

static void test_formula_copy_is_deep(void** state) {
    (void)state;
    ElvLaw* law = NULL;
    ElvLaw* copy = NULL;
    ElvError error;
    char text[] = "k*t^2 + s";
    char name[] = "k";
    ElvParameter parameter = {name, 4.0};
    CHECK_STATUS(elv_law_formula(text, &parameter, 1, &law, &error), &error);

    // neither the text nor the parameters need to outlive the call
    memset(text, '?', sizeof text - 1);
    name[0] = '?';
    parameter.value = 0.0;
    CHECK_STATUS(elv_law_copy(law, &copy, &error), &error);
    CHECK_TRUE(elv_law_text(copy) != elv_law_text(law));
    elv_law_free(law);
    CHECK_TRUE(strcmp(elv_law_text(copy), "k*t^2 + s") == 0);
    ElvJet jet = elv_law_eval(copy, 3.0, 0.5);
    CHECK_TRUE(jet.v == 36.5 && jet.d == 24.0 && jet.dd == 8.0);
    elv_law_free(copy);
}

static void test_table_copy_and_data(void** state) {
    (void)state;
    double x[] = {0.0, 1.0, 2.0};
    double y[] = {0.0, 1.0, 0.0};
    ElvLaw* law = NULL;
    ElvLaw* copy = NULL;
    ElvError error;
    CHECK_STATUS(elv_law_table(ELV_VARIABLE_S, ELV_TABLE_CUBIC, x, y, 3, &law, &error), &error);
    CHECK_STATUS(elv_law_copy(law, &copy, &error), &error);
    elv_law_free(law);
    memset(x, 0xFF, sizeof x);
    memset(y, 0xFF, sizeof y);

    ElvVariable variable = ELV_VARIABLE_T;
    ElvTableKind kind = ELV_TABLE_STEP;
    const double* knots = NULL;
    const double* values = NULL;
    CHECK_TRUE(elv_law_table_data(copy, &variable, &kind, &knots, &values) == 3);
    CHECK_TRUE(variable == ELV_VARIABLE_S && kind == ELV_TABLE_CUBIC);
    CHECK_TRUE(knots[1] == 1.0 && knots[2] == 2.0 && values[1] == 1.0 && values[2] == 0.0);
    CHECK_TRUE(elv_law_table_data(copy, NULL, NULL, NULL, NULL) == 3);
    CHECK_NEAR(elv_law_value(copy, 0.0, 0.5), 0.6875, 1e-15);
    CHECK_TRUE(elv_law_kind(copy) == ELV_LAW_TABLE && elv_law_text(copy) == NULL);
    elv_law_free(copy);
}

static void test_what_formulas_depend_on(void** state) {
    (void)state;
    static const struct {
        const char* text;
        bool on_t, on_s;
    } cases[] = {{"1 + pi", false, false},
                 {"t", true, false},
                 {"s^2", false, true},
                 {"sin(t - s)", true, true},
                 {"if(s < 0.5, t, 0)", true, true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ElvLaw* law = NULL;
        ElvError error;
        CHECK_STATUS(elv_law_formula(cases[i].text, NULL, 0, &law, &error), &error);
        CHECK_TRUE(elv_law_kind(law) == ELV_LAW_FORMULA);
        CHECK_TRUE(elv_law_depends_on_t(law) == cases[i].on_t);
        CHECK_TRUE(elv_law_depends_on_s(law) == cases[i].on_s);
        elv_law_free(law);
    }
    ElvLaw* law = NULL;
    CHECK_TRUE(elv_law_formula(NULL, NULL, 0, &law, NULL) == ELV_ERROR_INPUT && law == NULL);
}

// ---- derivatives by s

// closed forms, time held
static void test_formula_by_s(void** state) {
    (void)state;
    ElvLaw* law = NULL;
    ElvError error;
    CHECK_STATUS(elv_law_formula("t^2*sin(3*s) + exp(s)", NULL, 0, &law, &error), &error);
    ElvJet jet = elv_law_eval_s(law, 2.0, 0.4);
    CHECK_NEAR(jet.v, 4.0 * sin(1.2) + exp(0.4), 1e-15);
    CHECK_NEAR(jet.d, 12.0 * cos(1.2) + exp(0.4), 1e-14);
    CHECK_NEAR(jet.dd, -36.0 * sin(1.2) + exp(0.4), 1e-14);
    elv_law_free(law);
    CHECK_STATUS(elv_law_constant(2.5, &law, &error), &error);
    jet = elv_law_eval_s(law, 2.0, 0.4);
    CHECK_TRUE(jet.v == 2.5 && jet.d == 0.0 && jet.dd == 0.0);
    elv_law_free(law);
    jet = elv_law_eval_s(NULL, 2.0, 0.4);
    CHECK_TRUE(jet.v == 0.0 && jet.d == 0.0 && jet.dd == 0.0);
}

// the natural spline through (0, 0), (1, 1), (2, 0) is (3 s - s^3)/2 before its middle; a table of t
// does not change along s
static void test_table_by_s(void** state) {
    (void)state;
    const double x[3] = {0.0, 1.0, 2.0};
    const double y[3] = {0.0, 1.0, 0.0};
    ElvLaw* law = NULL;
    ElvError error;
    CHECK_STATUS(elv_law_table(ELV_VARIABLE_S, ELV_TABLE_CUBIC, x, y, 3, &law, &error), &error);
    ElvJet jet = elv_law_eval_s(law, 1.3, 0.6);
    CHECK_NEAR(jet.v, 0.5 * (1.8 - 0.216), 1e-15);
    CHECK_NEAR(jet.d, 0.5 * (3.0 - 1.08), 1e-15);
    CHECK_NEAR(jet.dd, -1.8, 1e-15);
    elv_law_free(law);
    CHECK_STATUS(elv_law_table(ELV_VARIABLE_T, ELV_TABLE_CUBIC, x, y, 3, &law, &error), &error);
    jet = elv_law_eval_s(law, 0.6, 1.3);
    CHECK_NEAR(jet.v, 0.792, 1e-15);
    CHECK_TRUE(jet.d == 0.0 && jet.dd == 0.0);
    elv_law_free(law);
}

// a wave in s that must not be called outside [0, 1]
static void wave_of_s(void* user, double t, double s, ElvJet* jet) {
    *(bool*)user = *(const bool*)user && s >= 0.0 && s <= 1.0;
    jet->v = t * sin(6.0 * s);
}

// five values 1e-3 apart: h^4 times fifth derivatives, 7776e-12/5 at the ends, and 1e-16/h^2 of rounding
static void test_callback_by_s(void** state) {
    (void)state;
    ElvLaw* law = NULL;
    ElvError error;
    bool is_inside = true;
    CHECK_STATUS(elv_law_callback(wave_of_s, &is_inside, &law, &error), &error);
    for (int i = 0; i <= 20; i++) {
        double s = i / 20.0;
        ElvJet jet = elv_law_eval_s(law, 1.5, s);
        CHECK_TRUE(jet.v == 1.5 * sin(6.0 * s));
        CHECK_NEAR(jet.d, 9.0 * cos(6.0 * s), 3e-9);
        // third-order at the ends, where the quartic is one-sided: 5/6 h^3 times the fifth derivative
        CHECK_NEAR(jet.dd, -54.0 * sin(6.0 * s), i == 0 || i == 20 ? 1.2e-5 : 1e-8);
    }
    CHECK_TRUE(is_inside);
    elv_law_free(law);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_null_is_zero),
        cmocka_unit_test(test_constant),
        cmocka_unit_test(test_callback),
        cmocka_unit_test(test_formula_copy_is_deep),
        cmocka_unit_test(test_table_copy_and_data),
        cmocka_unit_test(test_what_formulas_depend_on),
        cmocka_unit_test(test_formula_by_s),
        cmocka_unit_test(test_table_by_s),
        cmocka_unit_test(test_callback_by_s),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
