// SPDX-License-Identifier: Apache-2.0
// The laws of a model: every kind compiled with the model's parameters, variables refused where
// they have no place, errors that name the element and the key, and all freed together.
#include "law/law_set.h"

#include "check.h"

static const ElvParameter parameters[] = {{"a", 2.0}, {"b", 0.5}};

typedef struct {
    ElvPool pool;
    ElvLawSet set;
} Laws;

static void laws_open(Laws* laws) {
    memset(laws, 0, sizeof *laws);
    laws->set.pool = &laws->pool;
    laws->set.parameter = parameters;
    laws->set.n_parameter = 2;
}

static void laws_close(Laws* laws) {
    elv_law_set_free(&laws->set);
    CHECK_TRUE(laws->set.n_law == 0);
    elv_pool_free(&laws->pool);
}

static const ElvLaw* add(Laws* laws, ElvLawDef def, int allowed) {
    const ElvLaw* law = NULL;
    ElvError error;
    CHECK_STATUS(elv_law_set_add(&laws->set, &def, allowed, "arm", "length", &law, &error), &error);
    CHECK_TRUE(law != NULL);
    return law;
}

static void check_refused(Laws* laws, ElvLawDef def, int allowed, const char* word) {
    const ElvLaw* law = NULL;
    ElvError error;
    elv_error_clear(&error);
    ElvStatus status = elv_law_set_add(&laws->set, &def, allowed, "arm", "section", &law, &error);
    CHECK_TRUE(status == ELV_ERROR_INPUT && error.status == ELV_ERROR_INPUT);
    assert_string_equal(error.element, "arm");
    assert_string_equal(error.field, "section");
    CHECK_TRUE(strstr(error.message, word) != NULL);
    CHECK_TRUE(law == NULL);
    // without a place for the message it fails all the same
    status = elv_law_set_add(&laws->set, &def, allowed, "arm", "section", &law, NULL);
    CHECK_TRUE(status == ELV_ERROR_INPUT && law == NULL);
}

static void ramp(void* user, double t, double s, ElvJet* jet) {
    jet->v = *(const double*)user * t + s;
    jet->d = *(const double*)user;
}

static void test_kinds(void** state) {
    (void)state;
    Laws laws;
    laws_open(&laws);
    double slope = 3.0;
    const double x[2] = {0.0, 2.0};
    const double y[2] = {1.0, 5.0};
    const ElvLaw* constant = add(&laws, elv_law_def_value(1.5), ELV_LAW_OF_NOTHING);
    const ElvLaw* formula =
        add(&laws, elv_law_def_formula("a*t + b*s"), ELV_LAW_OF_T | ELV_LAW_OF_S);
    const ElvLaw* table =
        add(&laws, elv_law_def_table(ELV_VARIABLE_T, ELV_TABLE_LINEAR, x, y, 2), ELV_LAW_OF_T);
    const ElvLaw* callback = add(&laws, elv_law_def_callback(ramp, &slope), ELV_LAW_OF_T);
    CHECK_TRUE(laws.set.n_law == 4);
    CHECK_NEAR(elv_law_value(constant, 9.0, 9.0), 1.5, 0.0);
    CHECK_NEAR(elv_law_value(formula, 3.0, 0.5), 6.25, 0.0);
    CHECK_NEAR(elv_law_value(table, 1.0, 0.0), 3.0, 0.0);
    CHECK_NEAR(elv_law_value(callback, 2.0, 0.25), 6.25, 0.0);
    laws_close(&laws);
}

static void test_variables(void** state) {
    (void)state;
    Laws laws;
    laws_open(&laws);
    ElvLawDef of_t = elv_law_def_formula("1 + t");
    ElvLawDef of_s = elv_law_def_formula("1 + s");
    ElvLawDef of_both = elv_law_def_formula("s*t");
    check_refused(&laws, of_t, ELV_LAW_OF_S, "time");
    check_refused(&laws, of_s, ELV_LAW_OF_T, "station");
    check_refused(&laws, of_t, ELV_LAW_OF_NOTHING, "time");
    check_refused(&laws, of_both, ELV_LAW_OF_S, "time");
    check_refused(&laws, of_both, ELV_LAW_OF_T, "station");
    add(&laws, of_t, ELV_LAW_OF_T);
    add(&laws, of_s, ELV_LAW_OF_S);
    add(&laws, of_both, ELV_LAW_OF_T | ELV_LAW_OF_S);
    add(&laws, elv_law_def_formula("a + b"), ELV_LAW_OF_NOTHING);
    const double x[2] = {0.0, 1.0};
    check_refused(&laws, elv_law_def_table(ELV_VARIABLE_T, ELV_TABLE_STEP, x, x, 2), ELV_LAW_OF_S,
                  "time");
    // a callback may look at what it likes
    double slope = 1.0;
    add(&laws, elv_law_def_callback(ramp, &slope), ELV_LAW_OF_NOTHING);
    laws_close(&laws);
}

static void test_bad_laws(void** state) {
    (void)state;
    Laws laws;
    laws_open(&laws);
    check_refused(&laws, elv_law_def_formula("2*unknown"), ELV_LAW_OF_T, "unknown");
    check_refused(&laws, elv_law_def_formula("2*("), ELV_LAW_OF_T, "");
    check_refused(&laws, elv_law_def_value((double)NAN), ELV_LAW_OF_T, "");
    check_refused(&laws, elv_law_def_callback(NULL, NULL), ELV_LAW_OF_T, "");
    ElvLawDef odd = elv_law_def_value(0.0);
    odd.kind = (ElvLawKind)17;
    check_refused(&laws, odd, ELV_LAW_OF_T, "kind");
    // the column of a formula's error is kept
    ElvError error;
    const ElvLaw* law = NULL;
    ElvLawDef def = elv_law_def_formula("1 + oops");
    CHECK_TRUE(elv_law_set_add(&laws.set, &def, ELV_LAW_OF_T, "arm", "force", &law, &error) !=
               ELV_OK);
    CHECK_TRUE(error.column == 5);
    CHECK_TRUE(laws.set.n_law == 0);
    laws_close(&laws);
}

// addresses handed out stay good while the set grows
static void test_many(void** state) {
    (void)state;
    Laws laws;
    laws_open(&laws);
    const ElvLaw* law[100];
    for (int i = 0; i < 100; i++) {
        law[i] = add(&laws, elv_law_def_value(i), ELV_LAW_OF_NOTHING);
    }
    for (int i = 0; i < 100; i++) {
        CHECK_TRUE(laws.set.law[i] == law[i] && elv_law_value(law[i], 0.0, 0.0) == i);
    }
    laws_close(&laws);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_variables),
        cmocka_unit_test(test_bad_laws),
        cmocka_unit_test(test_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
