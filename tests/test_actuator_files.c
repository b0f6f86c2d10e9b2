// SPDX-License-Identifier: Apache-2.0
// Actuators in model files: what is read from a text that uses every key, what is written reads back
// to the bit, random specs too. Bad files: test_actuator_errors.c.
#include "check.h"
#include "elver/io.h"
#include "model_sample.h"
#include "random_actuator.h"
#include "same_actuator.h"

static ElvSpec* read_spec(const char* text, const ElvOverride* override, int n_override) {
    ElvSpec* spec = NULL;
    ElvError error;
    ElvStatus status =
        elv_spec_read_text(text, strlen(text), "x.yaml", override, n_override, &spec, &error);
    if (status != ELV_OK) {
        fail_msg("%d:%d: %s\n%s", error.line, error.column, error.message, text);
    }
    return spec;
}

static const ElvActuator* find(const ElvSpec* spec, const char* name) {
    for (int i = 0; i < spec->n_actuator; i++) {
        const char* other = elv_actuator_name(&spec->actuator[i]);
        if (other && strcmp(other, name) == 0) {
            return &spec->actuator[i];
        }
    }
    fail_msg("no actuator is named %s", name);
    return NULL;
}

// ---- reading

static void test_tendons(void** state) {
    (void)state;
    ElvSpec* spec = read_spec(sample_actuators, NULL, 0);
    assert_int_equal(spec->n_actuator, 15);

    const ElvTendonDef* left = &find(spec, "left")->as.tendon;
    CHECK_TRUE(left->n_path == 1 && left->pull == ELV_PULL_TENSION && !left->neglects_strain);
    assert_string_equal(left->path[0].rod, "arm");
    CHECK_TRUE(left->path[0].from == 0.0 && left->path[0].to == 1.0 && !left->path[0].is_outside);
    assert_string_equal(left->path[0].y.text, "0.8*R*(1 - 0.5*s)");
    assert_string_equal(left->law.text, "T + 2*sin(5*pi*t)");
    CHECK_TRUE(left->friction == 0.0 && left->stiffness == 0.0 && left->slack == 0.0);

    const ElvTendonDef* through = &find(spec, "long")->as.tendon;
    CHECK_TRUE(through->n_path == 4 && through->neglects_strain);
    CHECK_NEAR(through->friction, 0.1, 0.0);
    CHECK_TRUE(!through->path[0].rod && !through->path[3].rod);
    assert_string_equal(through->path[0].at, "world");
    CHECK_NEAR(through->path[0].point.x, -0.1, 0.0);
    CHECK_NEAR(through->path[1].from, 0.1, 0.0);
    CHECK_NEAR(through->path[1].z.value, 0.004, 0.0);
    CHECK_NEAR(through->path[2].to, 0.9, 0.0);
    assert_int_equal(through->path[2].y.kind, ELV_LAW_TABLE);
    assert_string_equal(through->path[3].at, "hand");

    const ElvTendonDef* drum = &find(spec, "drum")->as.tendon;
    CHECK_TRUE(drum->n_path == 1 && drum->pull == ELV_PULL_LENGTH && !drum->neglects_strain);
    CHECK_TRUE(drum->path[0].from == 1.0 && drum->path[0].to == 0.25);
    CHECK_TRUE(drum->path[0].is_outside);
    CHECK_NEAR(drum->stiffness, 1e4, 0.0);
    CHECK_NEAR(drum->slack, 0.002, 0.0);
    elv_spec_free(spec);
}

static void test_others(void** state) {
    (void)state;
    ElvSpec* spec = read_spec(sample_actuators, NULL, 0);
    const ElvChamberDef* bellow = &find(spec, "bellow")->as.chamber;
    assert_string_equal(bellow->path.rod, "finger");
    CHECK_NEAR(bellow->path.to, 0.5, 0.0);
    assert_string_equal(bellow->area.text, "1e-5*(1 + s)");
    assert_string_equal(bellow->pressure.text, "1e4*t");
    // the part of a path may stand in the actuator itself
    const ElvChamberDef* bag = &find(spec, "bag")->as.chamber;
    assert_string_equal(bag->path.rod, "finger");
    CHECK_NEAR(bag->path.from, 0.25, 0.0);
    CHECK_NEAR(bag->path.z.value, -0.005, 0.0);
    CHECK_TRUE(bag->neglects_strain && !bellow->neglects_strain);

    const ElvMuscleDef* dorsal = &find(spec, "dorsal")->as.muscle;
    CHECK_NEAR(dorsal->path.y.value, 0.003, 0.0);
    assert_string_equal(dorsal->force.text, "2*(1 - s)");
    const ElvMuscleDef* ventral = &find(spec, "ventral")->as.muscle;
    CHECK_NEAR(ventral->path.to, 0.75, 0.0);
    CHECK_NEAR(ventral->activation.value, 0.25, 0.0);
    CHECK_TRUE(ventral->neglects_strain && !ventral->pattern);

    const ElvStrainControlDef* bend = &spec->actuator[10].as.strain_control;
    assert_string_equal(bend->rod, "finger");
    CHECK_NEAR(bend->from, 0.5, 0.0);
    CHECK_NEAR(bend->kp[ELV_STRAIN_BEND_Y].value, 0.01, 0.0);
    assert_string_equal(bend->kp[ELV_STRAIN_BEND_Z].text, "0.01*s");
    CHECK_NEAR(bend->kd[ELV_STRAIN_BEND_Z].value, 1e-4, 0.0);
    CHECK_TRUE(bend->has_target[ELV_STRAIN_BEND_Y] && bend->has_target[ELV_STRAIN_TWIST]);
    CHECK_TRUE(!bend->has_target[ELV_STRAIN_BEND_Z]);
    assert_string_equal(bend->target[ELV_STRAIN_BEND_Y].text, "2*sin(t)*s");
    const ElvStrainControlDef* damp = &spec->actuator[11].as.strain_control;
    CHECK_NEAR(damp->kp[ELV_STRAIN_STRETCH].value, 0.0, 0.0);
    CHECK_NEAR(damp->kd[ELV_STRAIN_STRETCH].value, 0.1, 0.0);

    const ElvVelocityControlDef* cruise = &find(spec, "cruise")->as.velocity_control;
    assert_string_equal(cruise->at, "hand");
    CHECK_ARRAY_NEAR(cruise->kp, ((double[6]){0.5, 0.5, 0.5, 0.5, 0.5, 0.5}), 6, 0.0);
    CHECK_ARRAY_NEAR(cruise->ki, ((double[6]){0.0, 0.0, 0.0, 1.0, 1.0, 1.0}), 6, 0.0);
    CHECK_NEAR(cruise->velocity[2].value, 0.0, 0.0);
    assert_string_equal(cruise->velocity[3].text, "0.1*t");
    CHECK_NEAR(cruise->velocity[5].value, 0.2, 0.0);
    const ElvVelocityControlDef* steady = &find(spec, "steady")->as.velocity_control;
    assert_string_equal(steady->velocity[2].text, "sin(t)");
    CHECK_NEAR(steady->kp[0], 0.0, 0.0);

    assert_int_equal(spec->actuator[14].kind, ELV_ACTUATOR_STRESS);
    elv_spec_free(spec);
}

static void test_patterns(void** state) {
    (void)state;
    ElvSpec* spec = read_spec(sample_actuators, NULL, 0);
    const ElvMuscleDef* flexor = &find(spec, "flexor")->as.muscle;
    assert_string_equal(flexor->pattern, "rhythm");
    assert_int_equal(flexor->oscillator, 2);
    CHECK_NEAR(flexor->phase, 1.5707963267948966, 0.0);
    CHECK_TRUE(flexor->activation.kind == ELV_LAW_CONSTANT && flexor->activation.value == 0.0);
    const ElvPatternDef* rhythm = &find(spec, "rhythm")->as.pattern;
    assert_int_equal(rhythm->oscillators, 3);
    assert_string_equal(rhythm->frequency.text, "1 + 0.1*t");
    CHECK_NEAR(rhythm->amplitude.value, 0.5, 0.0);
    CHECK_NEAR(rhythm->phase_lag, 0.8, 0.0);
    CHECK_NEAR(rhythm->coupling, 12.0, 0.0);
    CHECK_NEAR(rhythm->rate, 4.0, 0.0);
    const ElvPatternDef* beat = &find(spec, "beat")->as.pattern;
    CHECK_TRUE(beat->oscillators == 1 && beat->amplitude.value == 1.0 && beat->phase_lag == 0.0);
    CHECK_TRUE(beat->coupling == 10.0 && beat->rate == 5.0 && beat->frequency.value == 2.0);
    elv_spec_free(spec);
}

static void test_overrides(void** state) {
    (void)state;
    const ElvOverride overrides[] = {
        {"left.tension", "7"},     {"long.path[1].z", "0.003"},         {"drum.friction", "0.2"},
        {"bag.pressure", "2e3*t"}, {"cruise.kp", "[1, 2, 3, 4, 5, 6]"}, {"actuators[14].to", "0.5"},
        {"rhythm.coupling", "3"},  {"flexor.oscillator", "1"}};
    ElvSpec* spec = read_spec(sample_actuators, overrides, 8);
    CHECK_NEAR(find(spec, "left")->as.tendon.law.value, 7.0, 0.0);
    CHECK_NEAR(find(spec, "long")->as.tendon.path[1].z.value, 0.003, 0.0);
    CHECK_NEAR(find(spec, "drum")->as.tendon.friction, 0.2, 0.0);
    assert_string_equal(find(spec, "bag")->as.chamber.pressure.text, "2e3*t");
    CHECK_NEAR(find(spec, "cruise")->as.velocity_control.kp[5], 6.0, 0.0);
    CHECK_NEAR(spec->actuator[14].as.stress.to, 0.5, 0.0);
    CHECK_NEAR(find(spec, "rhythm")->as.pattern.coupling, 3.0, 0.0);
    assert_int_equal(find(spec, "flexor")->as.muscle.oscillator, 1);
    elv_spec_free(spec);

    ElvOverride wrong = {"lft.tension", "7"};
    ElvError error;
    assert_int_equal(elv_spec_read_text(sample_actuators, strlen(sample_actuators), "x.yaml",
                                        &wrong, 1, &spec, &error),
                     ELV_ERROR_INPUT);
    CHECK_TRUE(strstr(error.message, "did you mean 'left'?") != NULL);
}

// ---- writing

static void check_round_trip(const ElvSpec* spec) {
    char* text = NULL;
    char* again = NULL;
    ElvError error;
    CHECK_STATUS(elv_spec_write_text(spec, &text, &error), &error);
    ElvSpec* back = read_spec(text, NULL, 0);
    assert_int_equal(back->n_actuator, spec->n_actuator);
    for (int i = 0; i < spec->n_actuator; i++) {
        check_same_actuator(&back->actuator[i], &spec->actuator[i]);
    }
    CHECK_STATUS(elv_spec_write_text(back, &again, &error), &error);
    assert_string_equal(again, text);
    elv_spec_free(back);
    elv_text_free(text);
    elv_text_free(again);
}

static void test_round_trip(void** state) {
    (void)state;
    ElvSpec* spec = read_spec(sample_actuators, NULL, 0);
    check_round_trip(spec);
    elv_spec_free(spec);
}

static ElvSpec* empty_spec(void) {
    ElvSpec* spec = NULL;
    ElvError error;
    CHECK_STATUS(elv_spec_create("random", &spec, &error), &error);
    CHECK_STATUS(elv_spec_set_parameter(spec, "K", 0.25, &error), &error);
    ElvBodyDef body = elv_body_def_default();
    body.name = "box";
    CHECK_STATUS(elv_spec_add_body(spec, &body, &error), &error);
    return spec;
}

static void test_random_round_trip(void** state) {
    (void)state;
    RandomParts parts = {.random = check_random(20)};
    for (int k = 0; k < 200; k++) {
        ElvSpec* spec = empty_spec();
        int n = 1 + check_integer(&parts.random, 8);
        for (int i = 0; i < n; i++) {
            random_actuator(&parts, spec, i);
        }
        check_round_trip(spec);
        elv_spec_free(spec);
    }
}

static void no_stress(void* user,
                      double t,
                      double s,
                      const double* xi,
                      const double* xi_dot,
                      double* stress,
                      double* K,
                      double* D) {
    (void)user, (void)t, (void)s, (void)xi, (void)xi_dot, (void)stress, (void)K, (void)D;
}

static void pull(void* user, double t, double s, ElvJet* jet) {
    (void)user, (void)t, (void)s, (void)jet;
}

// what is a C function has no spelling
static void test_callbacks(void** state) {
    (void)state;
    ElvSpec* spec = read_spec(sample_actuators, NULL, 0);
    ElvError error;
    char* text = NULL;
    ElvStressLawDef law = elv_stress_law_def_default();
    law.rod = "arm";
    law.callback = no_stress;
    CHECK_STATUS(elv_spec_add_stress_law(spec, &law, &error), &error);
    assert_int_equal(elv_spec_write_text(spec, &text, &error), ELV_ERROR_INPUT);
    assert_null(text);
    assert_string_equal(error.element, "actuators[15]");
    CHECK_TRUE(strstr(error.message, "C callback") != NULL);
    elv_spec_free(spec);

    spec = empty_spec();
    ElvPathDef path = elv_path_def_default();
    path.rod = "arm";
    ElvTendonDef tendon = elv_tendon_def_default();
    tendon.name = "cord";
    tendon.path = &path;
    tendon.n_path = 1;
    tendon.law = elv_law_def_callback(pull, NULL);
    CHECK_STATUS(elv_spec_add_tendon(spec, &tendon, &error), &error);
    assert_int_equal(elv_spec_write_text(spec, &text, &error), ELV_ERROR_INPUT);
    assert_null(text);
    assert_string_equal(error.element, "cord");
    elv_spec_free(spec);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tendons),    cmocka_unit_test(test_others),
        cmocka_unit_test(test_patterns),   cmocka_unit_test(test_overrides),
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_random_round_trip),
        cmocka_unit_test(test_callbacks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
