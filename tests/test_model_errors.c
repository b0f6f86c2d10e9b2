// SPDX-License-Identifier: Apache-2.0
// What the model reader says of bad files: every kind of error has its line, its column and a
// message that helps.
#include "bad_file.h"

#include "io/yaml_tree.h"

#include <stdlib.h>

// ---- kinds of errors

static void test_unknown_keys(void** state) {
    (void)state;
    const BadFile files[] = {
        {"elver: 1\ntre: []\n", 2, 1, "x.yaml:2:1: unknown key 'tre', did you mean 'tree'?"},
        {ROD "    lenght: 2\n", 7, 5,
         "x.yaml:7:5: arm: unknown key 'lenght', did you mean 'length'?"},
        {BODY "    weight: 2\n", 5, 5, "box: unknown key 'weight', expected body, parent, pose"},
        {HEAD "  - bdoy: box\n", 3, 5, "unknown key 'bdoy', did you mean 'body'?"},
        {HEAD "  - mass: 1\n", 3, 5, "begins with 'body: NAME' or 'rod: NAME'"},
        {BODY "    joint: {revolut: {}}\n", 5, 13, "did you mean 'revolute'?"},
        {BODY "    joint: revolut\n", 5, 12, "unknown joint type 'revolut', did you mean"},
        {BODY "    joint: {revolute: {pitch: 1}}\n", 5, 24, "a revolute joint has no 'pitch'"},
        {BODY "    joint: {revolute: {dampng: 1}}\n", 5, 24, "did you mean 'damping'?"},
        {BODY "    shape: {ball: {}}\n", 5, 13, "unknown key 'ball', expected"},
        {ROD "    strain: {bend_x: 1}\n", 7, 14, "unknown key 'bend_x', did you mean 'bend_"},
        {ROD "    basis: legendr\n", 7, 12, "unknown basis 'legendr', did you mean 'legendre'?"},
        {BODY "    pose: {xyz: [0, 0, 0], rot: [0, 0, 0]}\n", 5, 28, "unknown key 'rot'"},
        {BODY "simulate: {methd: explicit}\n", 5, 12, "simulate: unknown key 'methd'"},
        {BODY "simulate: {method: newmork}\n", 5, 20, "did you mean 'newmark'?"},
        {BODY "simulate: {method: hht, beta: 0.25}\n", 5, 25,
         "'beta' does not belong to the method hht: it is used by newmark"},
        {BODY "simulate: {order: 4}\n", 5, 12,
         "does not belong to the method generalized-alpha: it is used by explicit"},
        {BODY "simulate: {method: explicit, newton_tol: 1e-8}\n", 5, 30,
         "it is used by newmark, hht, generalized-alpha, bdf2"},
        {BODY "simulate: {rel_tol: 1e-6}\n", 5, 12, "with 'adaptive: true'"},
        {BODY "simulate: {start: static}\n", 5, 19, "did you mean 'statics'?"},
        {BODY "simulate: {adaptive: yes please}\n", 5, 22, "true or false"},
        {BODY "loads:\n  - {force: [0, 0, 1], on: box}\n", 6, 24, "loads[0]: unknown key 'on'"},
    };
    CHECK_BAD_FILES(files);
}

static void test_wrong_types(void** state) {
    (void)state;
    const BadFile files[] = {
        {"[1, 2]\n", 1, 1, "a model file is a map of keys"},
        {"elver: 2\ntree: []\n", 1, 8, "expected format version 1, found '2'"},
        {"tree: []\n", 1, 1, "missing key 'elver'"},
        {"elver: 1\n", 1, 1, "missing key 'tree'"},
        {"elver: 1\ntree: 3\n", 2, 7, "'tree': expected a list of bodies and rods, found '3'"},
        {"elver: 1\ntree: []\n", 2, 7, "expected a list of bodies and rods, found a list"},
        {HEAD "  - box\n", 3, 5, "expected 'body: NAME ...'"},
        {HEAD "  - body: [a]\n", 3, 11, "'body': expected text, found a list"},
        {HEAD "  - body: a\n    mass: [1]\n", 4, 11, "a: 'mass': expected a number, found a list"},
        {HEAD "  - body: a\n    mass:\n", 4, 10, "'mass': expected a number, found nothing"},
        {BODY "    center: [1, 2]\n", 5, 13,
         "'center': expected a list of 3 numbers, found a list of 2"},
        {BODY "    center: {x: 1}\n", 5, 13, "'center': expected a list of 3 numbers, found a map"},
        {BODY "    inertia: 3\n", 5, 14, "expected [Ixx, Iyy, Izz]"},
        {BODY "    joint: [free]\n", 5, 12, "expected a joint type"},
        {BODY "    joint: {free: {}, fixed: {}}\n", 5, 23, "a joint is one of 'free' and 'fixed'"},
        {BODY "    joint: {}\n", 5, 12, "a joint needs one of the keys fixed, revolute"},
        {BODY "    joint: {planar: {rest: 1}}\n", 5, 28, "'rest': expected a list of 3 numbers"},
        {BODY "    joint: {universal: {axis: 3}}\n", 5, 31, "'axis': expected an axis: x, y, z"},
        {ROD "    strain: {bend_y: 1.5}\n", 7, 22, "expected a whole number from 0 to"},
        {ROD "    strain: 3\n", 7, 13, "expected a map of modes by strain"},
        {ROD "    nodes: -3\n", 7, 12, "expected a whole number from 0 to"},
        {BODY "simulate: {method: explicit, order: 4.5}\n", 5, 37,
         "expected a whole number from 2 to 8"},
        {BODY "record: {signals: energy}\n", 5, 19, "expected a list of signals, found 'energy'"},
        {BODY "gravity: -9.81\n", 5, 10, "'gravity': expected a list of 3 numbers, found '-9.81'"},
        {BODY "parameters: [a]\n", 5, 13, "expected a map of parameters"},
        {BODY "materials: {steel: 3}\n", 5, 20, "steel: 'steel': expected a material"},
    };
    CHECK_BAD_FILES(files);
}

static void test_units(void** state) {
    (void)state;
    const BadFile files[] = {
        {HEAD "  - body: a\n    mass: 5 kg\n", 4, 11, "write 5 instead of '5 kg'"},
        {HEAD "  - body: a\n    mass: 20g\n", 4, 11, "write 0.02 instead of '20g'"},
        {HEAD "  - rod: a\n    length: 40 cm\n    section: {circle: {diameter: 0.1}}\n"
              "    material: {density: 1, young: 1}\n",
         4, 13,
         "x.yaml:4:13: a: values are SI numbers without a unit: write 0.4 instead of '40 cm'"},
        {ROD "    pose: {rpy: [0, 90 deg, 0]}\n", 7, 21,
         "write 1.5707963267949 instead of '90 deg'"},
        {BODY "materials: {m: {young: 2 GPa}}\n", 5, 24, "write 2e9 instead of '2 GPa'"},
        {BODY "materials: {m: {young: 1.5MPa}}\n", 5, 24, "write 1.5e6 instead of '1.5MPa'"},
        {BODY "simulate: {duration: 10 ms}\n", 5, 22, "write 0.01 instead of '10 ms'"},
        {BODY "loads:\n  - {force: [5N, 0, 0], at: box}\n", 6, 14, "write 5 instead of '5N'"},
        {ROD "    reference: {bend_y: 5 s}\n", 7, 25, "(a product is written 5*s)"},
        // advice only where the key can be of that kind
        {HEAD "  - body: a\n    mass: 40 cm\n", 4, 11, "'mass' is a number in kg, found '40 cm'"},
        {ROD "    reference: {bend_y: 40 cm}\n", 7, 25, "'bend_y' is a number, found '40 cm'"},
        {BODY "    joint: {prismatic: {position: 5 mm}}\n", 5, 35, "write 0.005 instead"},
        {BODY "parameters: {L: 40 cm}\n", 5, 17, "write 0.4 instead of '40 cm'"},
        {HEAD "  - body: a\n    mass: 0,4\n", 4, 11,
         "'mass': the decimal mark is a point: write 0.4 instead of '0,4'"},
    };
    CHECK_BAD_FILES(files);
}

static void test_numbers(void** state) {
    (void)state;
    const BadFile files[] = {
        {HEAD "  - body: a\n    mass: NaN\n", 4, 11, "expected a finite number, found 'NaN'"},
        {HEAD "  - body: a\n    mass: .inf\n", 4, 11, "expected a finite number, found '.inf'"},
        {HEAD "  - body: a\n    mass: -Infinity\n", 4, 11, "expected a finite number"},
        {HEAD "  - body: a\n    mass: 1e400\n", 4, 11, "expected a finite number, found '1e400'"},
        {HEAD "  - body: a\n    mass: 1/0\n", 4, 11, "finite"},
        {HEAD "  - body: a\n    mass: -1\n", 4, 11, "x.yaml:4:11: a: mass must not be negative"},
        {HEAD "  - body: a\n    mass: true\n", 4, 11, "unknown name 'true'"},
        {ROD "  - rod: b\n    length: 0\n    section: {circle: {diameter: 0.1}}\n"
             "    material: {density: 1, young: 1}\n",
         8, 13, "b: length must be positive"},
        {BODY "    inertia: [1, 1, 5]\n", 5, 14, "inertia is impossible"},
        {BODY "    inertia: [[1, 0, 0], [0.5, 1, 0], [0, 0, 1]]\n", 5, 14, "must be symmetric"},
        {BODY "    pose: {quaternion: [0, 0, 0, 0]}\n", 5, 24, "must not be zero"},
        {BODY "    joint: {revolute: {axis: [0, 0, 0]}}\n", 5, 30, "has no direction"},
        {BODY "    joint: {revolute: {damping: -1}}\n", 5, 33, "must not be negative"},
        {BODY "simulate: {duration: -1}\n", 5, 22, "simulate: duration must be positive"},
        {BODY "simulate: {method: newmark, gamma: 0.4}\n", 5, 36, "gamma must be from 0.5 to 1.5"},
        {BODY "simulate: {method: newmark, beta: 0}\n", 5, 35, "beta must be positive"},
        {BODY "simulate: {method: hht, alpha: 0.4}\n", 5, 32, "alpha must be from 0 to 0.333"},
        {BODY "simulate: {spectral_radius: 1.1}\n", 5, 29, "spectral_radius must be from 0 to 1"},
        {BODY "simulate: {newton_tol: 2}\n", 5, 24, "newton_tol must be between 0 and 1"},
        {BODY "simulate: {max_halvings: 61}\n", 5, 26, "a whole number from 0 to 60"},
        {BODY "record: {every: 0}\n", 5, 17, "every must be positive"},
        {HEAD "  - rod: a\n    length: 1\n    section: {circle: {diameter: 0.1}}\n"
              "    material: {density: 1}\n    strain: {bend_y: 1}\n",
         6, 15, "a: the material has no 'young', but the rod has modes of bend_y"},
        {BODY "  - {rod: a, length: 1, section: {circle: {diameter: 0.1}}, material: m,\n"
              "     strain: {stretch: 1}}\nmaterials: {m: {density: 1, shear: 1}}\n",
         5, 71, "a: the material has no 'young', but the rod has modes of stretch"},
        {BODY "materials: {m: {density: -2}}\n", 5, 26, "m: 'density' must not be negative"},
    };
    CHECK_BAD_FILES(files);
}

static void test_formulas(void** state) {
    (void)state;
    const BadFile files[] = {
        // the column is that of the fault within the formula, behind the quote
        {HEAD "  - body: a\n    mass: \"2 + foo\"\n", 4, 16, "unknown name 'foo'"},
        {HEAD "  - body: a\n    mass: 2 + foo\n", 4, 15, "unknown name 'foo'"},
        {HEAD "  - body: a\n    mass: 2*t\n", 4, 11, "'mass' may not depend on t, only on the"},
        {ROD "    reference: {bend_y: t}\n", 7, 25,
         "'bend_y' may not depend on t, only on s and the parameters"},
        {BODY "loads:\n  - {force: [s, 0, 0], at: box}\n", 6, 14, "may not depend on s, only on t"},
        {BODY "parameters: {a: b, b: 1}\n", 5, 17, "'b' is used before it is defined"},
        {HEAD "  - body: a\n    mass: heavy\n", 4, 11,
         "'mass': unknown name 'heavy': a formula may use pi, e and the parameters; t and s are"},
        {BODY "loads:\n  - {force: [0, 0, s], at: box}\n", 6, 20,
         "'force[2]' may not depend on s, only on t"},
        {BODY "loads:\n  - {force: [0, 2t, 0], at: box}\n", 6, 17,
         "'force[1]': a product needs its sign: write 2*t"},
        {HEAD "  - body: a\n    joint: {revolute: {force: 3 t + 1}}\n", 4, 31, "write 3*t + 1"},
        {BODY "parameters: {t: 1}\n", 5, 14, "would hide the time"},
        {BODY "parameters: {2x: 1}\n", 5, 14, "cannot be the name of a parameter"},
        {BODY "loads:\n  - {force: [0, 0, {table: {s: [0, 1], values: [1, 2]}}], at: box}\n", 6, 29,
         "may not depend on s, only on t"},
        {BODY "loads:\n  - {force: [0, 0, {table: {t: [0, 1, 1], values: [1, 2, 3]}}], at: box}\n",
         6, 39, "'t' must increase from value to value, found 1 after 1"},
        {BODY "loads:\n  - {force: [0, 0, {table: {t: [0, 1], values: [1]}}], at: box}\n", 6, 48,
         "'values' has 1 numbers, but 't' has 2"},
        {BODY "loads:\n  - {force: [0, 0, {tabel: 1}], at: box}\n", 6, 21, "did you mean 'table'?"},
        {BODY "    joint: {revolute: {motion: t, position: 1}}\n", 5, 35, "remove 'position'"},
        {BODY "    joint: {revolute: {motion: t, force: 1}}\n", 5, 24, "not by both"},
    };
    CHECK_BAD_FILES(files);
}

static void test_references(void** state) {
    (void)state;
    const BadFile files[] = {
        {BODY "    parent: bax\n", 5, 13,
         "box: no body, rod or frame is named 'bax', did you mean 'box'?"},
        {BODY "    parent: zzz.tip\n", 5, 13, "named 'zzz'"},
        {BODY "    parent: b\n  - body: b\n    parent: box\n", 5, 13, "form a cycle"},
        {BODY "    parent: box\n", 5, 13, "form a cycle"},
        {ROD "  - body: b\n    parent: arm\n", 8, 13, "'arm' is a rod: say where on it"},
        {BODY "  - body: box\n    mass: 2\n", 5, 11, "box: names must be unique"},
        {BODY "frames:\n  - {name: box, on: world}\n", 6, 12, "names must be unique"},
        {BODY "frames:\n  - {name: f, on: f}\n", 6, 19, "cycle"},
        {BODY "loads:\n  - {force: [0, 0, 1], at: bix}\n", 6, 28, "loads[0]: no body"},
        {BODY "loads:\n  - {force: [0, 0, 1], rod: box}\n", 6, 29, "'box' is a body"},
        {ROD "actuators:\n  - {stress: {bend_y: 1}, rod: am}\n", 8, 32, "did you mean 'arm'?"},
        {BODY "record: {signals: [energy, box.positoin]}\n", 5, 28, "record: "},
        {ROD "  - rod: b\n    length: 1\n    section: {circle: {radius: 1}}\n    material: steel\n",
         10, 15, "unknown material 'steel': the file has no 'materials'"},
        {ROD "  - rod: b\n    length: 1\n    section: {circle: {radius: 1}}\n    material: stel\n"
             "materials: {steel: {density: 1, young: 1}}\n",
         10, 15, "unknown material 'stel', did you mean 'steel'?"},
    };
    CHECK_BAD_FILES(files);
}

static void test_rods(void** state) {
    (void)state;
    const BadFile files[] = {
        // empty rods
        {HEAD "  - rod: arm\n", 3, 5, "arm: missing key 'length'"},
        {HEAD "  - rod: arm\n    length: 1\n", 3, 5, "arm: missing key 'section'"},
        {HEAD "  - rod: arm\n    length: 1\n    section: {circle: {radius: 1}}\n", 3, 5,
         "arm: missing key 'material'"},
        {HEAD
         "  - rod: arm\n    length: 1\n    section: {circle: {}}\n    material: {density: 1}\n",
         5, 23, "needs one of the keys diameter or radius"},
        {HEAD "  - rod: arm\n    length: 1\n    section: {tube: {outer: 1, inner: 2}}\n"
              "    material: {density: 1, young: 1}\n",
         5, 21, "must be smaller than its outer size"},
        {HEAD "  - rod: arm\n    length: 1\n    section: {circle: {radius: -1}}\n"
              "    material: {density: 1, young: 1}\n",
         5, 32, "must be positive"},
        {HEAD "  - rod: arm\n    length: 1\n    section: {circle: {radius: 1}}\n    material: m\n"
              "materials:\n  m: {density: 1, young: 1, poisson: 0.7}\n",
         8, 38, "material.poisson must be above -1 and at most 0.5"},
        {ROD "    elements: [{to: 0.5, strain: {planar: 1}}, {to: 0.4}]\n", 7, 53,
         "increasing stations"},
        {ROD "    elements: [{strain: {planar: 1}}, {}]\n", 7, 16, "missing key 'to'"},
        {ROD "    elements: [{}]\n    nodes: 3\n", 8, 5,
         "a rod with 'elements' has 'nodes' in them"},
        {ROD
         "    strain: {bend_y: 3}\n    basis: {bend_y: {table: {s: [0, 1], modes: [[1, 1]]}}}\n",
         8, 21, "the table has 1 modes, but 'strain' gives bend_y 3"},
        {ROD "    basis: {table: {s: [0, 1], modes: [[1, 1]]}}\n", 7, 12,
         "no strain takes the modes"},
        {ROD "    stiffness: [1, 2, 3]\n", 7, 16, "expected a list of 6 (the diagonal)"},
        {ROD "loads:\n  - {distributed: [0, 0, 0, 0, 0, 1], rod: arm, from: 2}\n", 8, 55,
         "loads[0]: 'from' must be a station"},
        {ROD "loads:\n  - {distributed: [0, 0, 0, 0, 0, 1], at: arm.tip}\n", 8, 5,
         "missing key 'rod'"},
    };
    CHECK_BAD_FILES(files);
}

// ---- YAML itself

static void test_yaml(void** state) {
    (void)state;
    const BadFile files[] = {
        {"", 1, 1, "the file is empty"},
        {"# nothing\n", 1, 1, "the file is empty"},
        // a byte order mark is no character of the first line
        {"\xEF\xBB\xBF"
         "elver: 2\n",
         1, 8, "expected format version 1, found '2'"},
        {"elver: 1\nname: a\nname: b\n", 3, 1, "key 'name' is given twice (first on line 2)"},
        {"elver: 1\nname: &a b\n", 2, 7, "anchors (&name) are not used"},
        {"elver: 1\nname: *a\n", 2, 7, "aliases (*name) are not used"},
        {"elver: 1\nname: !!str b\n", 2, 7, "tags (!name) are not used"},
        {"elver: 1\n---\nelver: 1\n", 2, 1, "several documents"},
        {"elver: 1\ntree: [1, 2\n", 3, 1, "not YAML: did not find expected ',' or ']'"},
        {"elver: 1\n\ttree: []\n", 2, 1, "indent with spaces, not with tabs"},
        {"elver: 1\n? [a]\n: 2\n", 2, 3, "a key must be a single word"},
        {"elver: 1\nname: \"a\\0b\"\n", 2, 7, "must not contain the character"},
        {"elver: 1\nname: \xff\xfe\n", 2, 7, "the file must be UTF-8 text"},
        {"elver: 1\nname: caf\xe9\n", 2, 10, "the file must be UTF-8 text"},
    };
    CHECK_BAD_FILES(files);
}

static void test_yaml_limits(void** state) {
    (void)state;
    // 64 levels within the map of the file are one too many
    char deep[256] = "elver: 1\nname: ";
    size_t start = strlen(deep);
    memset(deep + start, '[', 64);
    BadFile too_deep = {deep, 2, 7 + 63, "values are nested too deep (limit 64)"};
    check_bad_text(deep, start + 64, &too_deep);

    // a byte over the limit
    size_t size = (size_t)ELV_YAML_MAX_BYTES + 1;
    char* text = malloc(size);
    assert_non_null(text);
    memset(text, ' ', size);
    BadFile too_large = {"(16 MiB of blanks)", 1, 1, "the file is too large (limit 16 MiB)"};
    check_bad_text(text, size, &too_large);
    free(text);
}

static void test_files(void** state) {
    (void)state;
    ElvModel* model = NULL;
    ElvSpec* spec = NULL;
    ElvError error;
    char text[1024];
    assert_int_equal(elv_model_read_file("no/such.yaml", NULL, 0, &model, &error), ELV_ERROR_FILE);
    elv_error_format(&error, text, sizeof text);
    CHECK_TRUE(strstr(text, "no/such.yaml: cannot read 'no/such.yaml'") == text);
    assert_int_equal(elv_spec_read_file(".", NULL, 0, &spec, &error), ELV_ERROR_FILE);
    assert_null(model);
    assert_null(spec);
    // an error is not needed
    assert_int_equal(elv_spec_read_text("a: 1", 4, NULL, NULL, 0, &spec, NULL), ELV_ERROR_INPUT);
    assert_null(spec);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unknown_keys), cmocka_unit_test(test_wrong_types),
        cmocka_unit_test(test_units),        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_formulas),     cmocka_unit_test(test_references),
        cmocka_unit_test(test_rods),         cmocka_unit_test(test_yaml),
        cmocka_unit_test(test_yaml_limits),  cmocka_unit_test(test_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
