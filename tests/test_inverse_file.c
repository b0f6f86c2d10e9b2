// SPDX-License-Identifier: Apache-2.0
// Inverse problems in model files: the key `motion` of rods and the block `inverse`, read, written back, and refused.
#include "bad_file.h"

#include "elver/elver.h"
#include "multibody/spec.h"

static const char FILE_TIP[] =
    "elver: 1\n"
    "parameters: {r: 0.1}\n"
    "tree:\n"
    "  - {rod: arm, length: 1, section: {circle: {diameter: 0.1}}, material: {young: 1e6}, strain: "
    "{planar: 2}}\n"
    "actuators:\n"
    "  - {tendon: a, path: {rod: arm, y: 0.02}, tension: 0}\n"
    "statics: {method: shooting, loads: [0, 1]}\n"
    "inverse: {tip: {xyz: [0.9, \"r*cos(t)\", {table: {t: [0, 1], values: [0, 2]}}], rpy: [0, t, "
    "0.5]}, by: wrench}\n";

static const char FILE_MOTION[] =
    "elver: 1\n"
    "parameters: {k: 2}\n"
    "tree:\n"
    "  - rod: arm\n"
    "    length: 1\n"
    "    section: {circle: {diameter: 0.1}}\n"
    "    material: {density: 1000, young: 1e6}\n"
    "    strain: {bend_y: 1, stretch: 2}\n"
    "    motion: {stretch: \"1 + 0.1*sin(t)*s\", bend_y: {table: {s: [0, 0.5, 1], values: [0, 1, "
    "0]}}}\n"
    "inverse: {static: true, steps: 48}\n";

static ElvSpec* read_spec(const char* text) {
    ElvSpec* spec;
    ElvError error;
    CHECK_STATUS(elv_spec_read_text(text, strlen(text), "x.yaml", NULL, 0, &spec, &error), &error);
    return spec;
}

// the spec of what a spec is written as
static ElvSpec* write_and_read(const ElvSpec* spec) {
    char* text;
    ElvError error;
    CHECK_STATUS(elv_spec_write_text(spec, &text, &error), &error);
    ElvSpec* again = read_spec(text);
    elv_text_free(text);
    return again;
}

static void test_tip(void** unused) {
    (void)unused;
    ElvSpec* first = read_spec(FILE_TIP);
    ElvSpec* second = write_and_read(first);
    const ElvSpec* const both[] = {first, second};
    for (int i = 0; i < 2; i++) {
        const ElvInverseDef* def = &both[i]->inverse;
        CHECK_TRUE(def->has_tip && def->has_rotation && def->by == ELV_BY_WRENCH);
        CHECK_TRUE(!def->is_static && def->steps == 0);
        // roll, pitch, yaw before x, y, z
        CHECK_TRUE(strcmp(def->tip[1].text, "t") == 0 && def->tip[2].value == 0.5);
        CHECK_TRUE(def->tip[3].value == 0.9 && strcmp(def->tip[4].text, "r*cos(t)") == 0);
        CHECK_TRUE(def->tip[5].kind == ELV_LAW_TABLE && def->tip[5].n == 2 &&
                   def->tip[5].y[1] == 2.0);
        ElvModel* model;
        ElvError error;
        CHECK_STATUS(elv_spec_compile(both[i], &model, &error), &error);
        CHECK_TRUE(elv_inverse_kind(model) == ELV_INVERSE_TIP && elv_inverse_is_static(model));
        CHECK_TRUE(elv_model_inverse(model).by == ELV_BY_WRENCH);
        elv_model_free(model);
    }
    elv_spec_free(second);
    elv_spec_free(first);
}

static void test_motion(void** unused) {
    (void)unused;
    ElvSpec* first = read_spec(FILE_MOTION);
    ElvSpec* second = write_and_read(first);
    const ElvSpec* const both[] = {first, second};
    for (int i = 0; i < 2; i++) {
        const ElvRodDef* rod = &both[i]->element[0].rod;
        for (int k = 0; k < ELV_N_STRAIN; k++) {
            CHECK_TRUE(rod->has_motion[k] == (k == ELV_STRAIN_BEND_Y || k == ELV_STRAIN_STRETCH));
        }
        CHECK_TRUE(strcmp(rod->motion[ELV_STRAIN_STRETCH].text, "1 + 0.1*sin(t)*s") == 0);
        CHECK_TRUE(rod->motion[ELV_STRAIN_BEND_Y].n == 3);
        CHECK_TRUE(both[i]->inverse.is_static && both[i]->inverse.steps == 48);
        ElvModel* model;
        ElvError error;
        CHECK_STATUS(elv_spec_compile(both[i], &model, &error), &error);
        CHECK_TRUE(elv_model_node(model, 0).is_imposed);
        CHECK_TRUE(elv_inverse_kind(model) == ELV_INVERSE_STRAINS);
        elv_model_free(model);
    }
    elv_spec_free(second);
    elv_spec_free(first);
}

// an empty map imposes nothing, and what is as by default is not written
static void test_nothing(void** unused) {
    (void)unused;
    ElvSpec* spec;
    ElvError error;
    char* text;
    const ElvOverride set[] = {{"arm.motion", "{}"}, {"inverse", "{static: false}"}};
    CHECK_STATUS(
        elv_spec_read_text(FILE_MOTION, strlen(FILE_MOTION), "x.yaml", set, 2, &spec, &error),
        &error);
    CHECK_STATUS(elv_spec_write_text(spec, &text, &error), &error);
    CHECK_TRUE(!strstr(text, "motion") && !strstr(text, "inverse"));
    elv_text_free(text);
    elv_spec_free(spec);
}

#define TIP                                                                                        \
    ROD "    strain: {planar: 1}\n"                                                                \
        "actuators:\n"                                                                             \
        "  - {tendon: a, path: {rod: arm, y: 0.02}, tension: 0}\n"

static void test_bad_files(void** unused) {
    (void)unused;
    static const BadFile files[] = {
        // rods: keys after ROD begin on line 7
        {ROD "    strain: {bend_z: 1}\n    motion: {bend: t}\n", 8, 14,
         "arm: unknown key 'bend', expected twist, bend_y"},
        {ROD "    strain: {bend_z: 1}\n    motion: {bend_z: q}\n", 8, 22, "unknown name 'q'"},
        {ROD "    strain: {bend_z: 1}\n    motion: 3\n", 8, 13, "a map of laws by strain"},
        {ROD "    strain: {bend_z: 1}\n    moton: {bend_z: t}\n", 8, 5, "did you mean 'motion'?"},
        // the block: keys after TIP begin on line 10
        {TIP "inverse: 3\n", 10, 10, "expected a map {tip: {xyz: [...]}, by: tensions}"},
        {TIP "inverse: {tipp: {xyz: [1, 0, 0]}}\n", 10, 11, "did you mean 'tip'?"},
        {TIP "inverse: {tip: {rpy: [0, 0, 0]}}\n", 10, 16, "inverse: missing key 'xyz'"},
        {TIP "inverse: {tip: {xyz: [1, 0]}}\n", 10, 22, "expected a list of 3"},
        {TIP "inverse: {tip: {xyz: [1, 0, s]}}\n", 10, 29, "inverse: "},
        {TIP "inverse: {tip: {xyz: [1, 0, 0]}, by: tension}\n", 10, 38,
         "unknown means 'tension', did you mean 'tensions'?"},
        {TIP "inverse: {by: wrench}\n", 10, 11, "'by' goes with 'tip'"},
        {TIP "inverse: {tip: {xyz: [1, 0, 0]}, steps: 9}\n", 10, 34,
         "'steps' goes with imposed strains"},
        {TIP "inverse: {tip: {xyz: [1, 0, 0]}, static: true}\n", 10, 34,
         "'static' goes with imposed strains"},
        {TIP "inverse: {steps: 5000}\n", 10, 18, "a whole number from 0 to 4096"},
        {TIP "inverse: {static: yess}\n", 10, 19, "value (true or false)"},
        {ROD "    strain: {planar: 1}\ninverse: {tip: {xyz: [1, 0, 0]}}\n", 8, 10,
         "inverse: there is no tendon and no chamber"},
        {TIP "inverse: {tip: {xyz: [1, 0, 1/0]}}\n", 10, 29, "the formula gives an infinite value"},
        {ROD "    strain: {bend_z: 1}\n    motion: {bend_z: t}\nactuators:\n  - {tendon: a, path: "
             "{rod: arm, y: 0.02}, tension: 0}\ninverse: {tip: {xyz: [1, 0, 0]}}\n",
         8, 13, "arm: the strains of rod 'arm' are imposed, and so is the place of the tip"},
    };
    CHECK_BAD_FILES(files);
}

// the same by structs
static void test_spec(void** unused) {
    (void)unused;
    ElvSpec* spec;
    ElvError error;
    CHECK_STATUS(elv_spec_create("x", &spec, &error), &error);
    ElvInverseDef def = elv_inverse_def_default();
    CHECK_TRUE(!def.has_tip && !def.is_static && def.steps == 0 && def.by == ELV_BY_TENSIONS);
    CHECK_STATUS(elv_spec_set_inverse(spec, &def, &error), &error);
    def.by = ELV_N_REACH_BY;
    CHECK_TRUE(elv_spec_set_inverse(spec, &def, &error) == ELV_ERROR_INPUT);
    CHECK_TRUE(strcmp(error.element, "inverse") == 0 && strcmp(error.field, "by") == 0);
    def = elv_inverse_def_default();
    def.steps = -1;
    CHECK_TRUE(elv_spec_set_inverse(spec, &def, &error) == ELV_ERROR_INPUT);
    CHECK_TRUE(strcmp(error.field, "steps") == 0);
    def = elv_inverse_def_default();
    def.has_tip = true;
    def.tip[4].value = NAN;
    CHECK_TRUE(elv_spec_set_inverse(spec, &def, &error) == ELV_ERROR_INPUT);
    CHECK_TRUE(strncmp(error.field, "tip.xyz", 7) == 0);
    elv_spec_free(spec);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tip),     cmocka_unit_test(test_motion),
        cmocka_unit_test(test_nothing), cmocka_unit_test(test_bad_files),
        cmocka_unit_test(test_spec),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
