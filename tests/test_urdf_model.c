// SPDX-License-Identifier: Apache-2.0
// What a model makes of robots in URDF: the same as the bodies written out in YAML, placed, named and
// driven as the key `urdf` says, with overrides, notes and export as of any other model.
#include "check.h"

#include "elver/elver.h"
#include "multibody/spec.h"

#include <stdlib.h>

#define MODELS ELVER_SOURCE_DIR "/models/"

enum { MAX_V = 40 };

// ---- helpers

static ElvModel*
read_model(const char* text, const char* name, const ElvOverride* override, int n_override) {
    ElvModel* model = NULL;
    ElvError error;
    CHECK_STATUS(
        elv_model_read_text(text, strlen(text), name, override, n_override, &model, &error),
        &error);
    return model;
}

static ElvSpec* read_spec(const char* text, const char* name, const char* key, const char* value) {
    ElvSpec* spec = NULL;
    ElvError error;
    const ElvOverride override = {key, value};
    CHECK_STATUS(
        elv_spec_read_text(text, strlen(text), name, &override, key ? 1 : 0, &spec, &error),
        &error);
    return spec;
}

static const ElvBodyDef* find_body(const ElvSpec* spec, const char* name) {
    for (int i = 0; i < spec->n_element; i++) {
        if (!spec->element[i].is_rod && strcmp(spec->element[i].body.name, name) == 0) {
            return &spec->element[i].body;
        }
    }
    fail_msg("no body '%s'", name);
    return NULL;
}

static double largest(const double* x, int n) {
    double value = 1.0;
    for (int i = 0; i < n; i++) {
        value = fmax(value, fabs(x[i]));
    }
    return value;
}

// efforts, mass matrix and accelerations of two models at the same random state, relative to the
// largest of each
static void check_same(const ElvModel* a, const ElvModel* b, double tol) {
    static double M[2][MAX_V * MAX_V];
    double tau[2][MAX_V];
    const ElvModel* model[2] = {a, b};
    ElvState* state[2];
    ElvData* data[2];
    ElvError error;
    CheckRandom r = check_random(3);
    int nv = elv_model_nv(a);
    CHECK_TRUE(nv == elv_model_nv(b) && elv_model_nq(a) == elv_model_nq(b) && nv <= MAX_V);
    for (int k = 0; k < 2; k++) {
        CHECK_STATUS(elv_state_create(model[k], &state[k], &error), &error);
        CHECK_STATUS(elv_data_create(model[k], &data[k], &error), &error);
    }
    for (int i = 0; i < state[0]->nq; i++) {
        state[0]->q[i] = check_uniform(&r, -1.0, 1.0);
    }
    for (int i = 0; i < nv; i++) {
        state[0]->v[i] = check_uniform(&r, -1.0, 1.0);
        state[0]->a[i] = check_uniform(&r, -1.0, 1.0);
    }
    elv_state_impose(a, state[0]); // unit quaternions
    elv_state_copy(state[1], state[0]);
    for (int k = 0; k < 2; k++) {
        elv_idm(model[k], data[k], state[k], tau[k]);
        elv_mass_matrix(model[k], data[k], state[k], M[k]);
        CHECK_STATUS(elv_forward_dynamics(model[k], data[k], state[k], &error), &error);
    }
    CHECK_ARRAY_NEAR(tau[0], tau[1], (size_t)nv, tol * largest(tau[1], nv));
    CHECK_ARRAY_NEAR(M[0], M[1], (size_t)(nv * nv), tol * largest(M[1], nv * nv));
    CHECK_ARRAY_NEAR(state[0]->a, state[1]->a, (size_t)nv, tol * largest(state[1]->a, nv));
    for (int k = 0; k < 2; k++) {
        elv_data_free(data[k]);
        elv_state_free(state[k]);
    }
}

// ---- robots and what they mean

static const char* const zoo =
    "<robot name='zoo'>\n"
    "<link name='a'><inertial><origin xyz='0.1 0 0'/><mass value='2'/>\n"
    "  <inertia ixx='0.3' ixy='0.01' iyy='0.3' izz='0.4'/></inertial></link>\n"
    "<link name='b'><inertial><mass value='1'/><inertia ixx='0.1' iyy='0.1' izz='0.1'/>"
    "</inertial></link>\n"
    "<link name='c'><inertial><mass value='3'/><inertia ixx='0.2' iyy='0.1' izz='0.2'/>"
    "</inertial></link>\n"
    "<link name='d'><inertial><mass value='1'/><inertia ixx='0.1' iyy='0.1' izz='0.1'/>"
    "</inertial></link>\n"
    "<joint name='jb' type='planar'><parent link='a'/><child link='b'/>\n"
    "  <origin xyz='1 0 0' rpy='0.1 0.2 0.3'/><axis xyz='0 2 0'/></joint>\n"
    "<joint name='jc' type='floating'><parent link='b'/><child link='c'/></joint>\n"
    "<joint name='jd' type='prismatic'><parent link='c'/><child link='d'/>\n"
    "  <dynamics damping='2' friction='0.5'/><limit lower='-1' upper='2' effort='9' "
    "velocity='9'/></joint>\n"
    "</robot>\n";

static void test_same_as_yaml(void** state) {
    (void)state;
    static const char* const yaml =
        "elver: 1\ngravity: [0, 0, -9.81]\ntree:\n"
        "  - {body: a, mass: 2, center: [0.1, 0, 0], inertia: [0.3, 0.3, 0.4, 0.01, 0, 0]}\n"
        "  - {body: b, parent: a, pose: {xyz: [1, 0, 0], rpy: [0.1, 0.2, 0.3]}, mass: 1,\n"
        "     inertia: [0.1, 0.1, 0.1], joint: {planar: {axis: y}}}\n"
        "  - {body: c, parent: b, mass: 3, inertia: [0.2, 0.1, 0.2], joint: free}\n"
        "  - {body: d, parent: c, mass: 1, inertia: [0.1, 0.1, 0.1],\n"
        "     joint: {prismatic: {axis: x, damping: 2, friction: 0.5}}}\n";
    ElvModel* a = read_model(zoo, "zoo.urdf", NULL, 0);
    ElvModel* b = read_model(yaml, "zoo.yaml", NULL, 0);
    assert_string_equal(elv_model_name(a), "zoo");
    check_same(a, b, 0.0);
    elv_model_free(b);
    elv_model_free(a);
}

// by the ending of the name, and by how the text begins
static void test_recognised(void** state) {
    (void)state;
    ElvSpec* spec = NULL;
    ElvError error;
    elv_model_free(read_model(zoo, "<stdin>", NULL, 0));
    elv_model_free(read_model("<robot name='x'><link name='a'/></robot>", NULL, NULL, 0));
    elv_model_free(read_model("\xEF\xBB\xBF<robot><link name='a'/></robot>", "", NULL, 0));
    CHECK_STATUS(elv_spec_read_urdf_text(zoo, strlen(zoo), "zoo", &spec, &error), &error);
    CHECK_TRUE(spec->n_element == 4 && spec->gravity.z == -9.81);
    elv_spec_free(spec);
    CHECK_TRUE(elv_spec_read_urdf_text("elver: 1\n", 9, "x.yaml", &spec, &error) ==
               ELV_ERROR_INPUT);
    assert_null(spec);
}

// what is seen of a link is not what it weighs
static void test_shapes(void** state) {
    (void)state;
    static const char* const plain =
        "<robot name='s'><link name='a'><inertial><origin xyz='0.1 0.2 0.3' rpy='1 0 0'/>"
        "<mass value='2'/><inertia ixx='1' iyy='2' izz='2.5'/></inertial></link></robot>";
    static const char* const seen =
        "<robot name='s'><link name='a'><inertial><origin xyz='0.1 0.2 0.3' rpy='1 0 0'/>"
        "<mass value='2'/><inertia ixx='1' iyy='2' izz='2.5'/></inertial>"
        "<visual><origin xyz='5 0 0' rpy='0.3 0.2 0.1'/><geometry><cylinder radius='0.1' "
        "length='3'/></geometry></visual></link></robot>";
    const ElvOverride base = {"urdf.base", "free"};
    ElvModel* a = read_model(plain, "a.urdf", &base, 1);
    ElvModel* b = read_model(seen, "b.urdf", &base, 1);
    check_same(a, b, 0.0);
    elv_model_free(b);
    elv_model_free(a);

    // x of our cylinder along z of theirs
    ElvSpec* spec = read_spec(seen, "b.urdf", NULL, NULL);
    const ElvShapeDef* shape = &find_body(spec, "a")->shape;
    ElvMat3 R = elv_so3_from_rpy(0.3, 0.2, 0.1);
    CHECK_TRUE(shape->kind == ELV_SHAPE_CYLINDER && shape->size[0] == 0.1 && shape->size[1] == 3);
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(shape->pose.R.m[i][0], R.m[i][2], 1e-15);
    }
    CHECK_NEAR(shape->pose.p.x, 5.0, 0.0);
    elv_spec_free(spec);
}

static void test_mimic(void** state) {
    (void)state;
    static const char* const robot =
        "<robot name='m'><link name='a'/>"
        "<link name='b'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>"
        "</link><link name='c'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/>"
        "</inertial></link>"
        "<joint name='j' type='revolute'><parent link='a'/><child link='b'/><origin xyz='0 1 0'/>"
        "</joint><joint name='k' type='prismatic'><parent link='a'/><child link='c'/>"
        "<axis xyz='0 0 1'/><mimic joint='j' multiplier='-2' offset='0.25'/></joint></robot>";
    ElvModel* model = read_model(robot, "m.urdf", NULL, 0);
    ElvState* at = NULL;
    ElvError error;
    CHECK_STATUS(elv_state_create(model, &at, &error), &error);
    CHECK_NEAR(at->q[1], 0.25, 0.0);
    ElvSimulateOptions options = elv_simulate_options_default(model, at);
    options.t_end = 0.5;
    CHECK_STATUS(elv_simulate(model, at, &options, NULL, &error), &error);
    // both moments of inertia are 1 and the load of 1 kg falls: (4 + 1) q'' = -2 (-g), kept to the
    // tolerance of Newton
    CHECK_NEAR(at->q[1], -2.0 * at->q[0] + 0.25, 1e-8);
    CHECK_NEAR(at->q[0], 0.5 * 2.0 * 9.81 / 5.0 * 0.25, 1e-6);
    elv_state_free(at);
    elv_model_free(model);
}

// ---- the key `urdf`

static void test_options(void** state) {
    (void)state;
    static const char* const yaml =
        "elver: 1\nurdf:\n"
        "  - {file: urdf-arm.urdf, prefix: left_, pose: {xyz: [0, 1, 0]},\n"
        "     joints: {waist: {position: 0.5, damping: 7, force: \"2*t\"}},\n"
        "     stops: {revolute: {stiffness: 100, damping: 0.5}}}\n"
        "  - {file: urdf-arm.urdf, prefix: right_, parent: truck, base: {planar: {axis: z}}}\n"
        "tree:\n  - {body: truck, mass: 100}\n";
    ElvSpec* spec = read_spec(yaml, MODELS "x.yaml", NULL, NULL);
    CHECK_TRUE(spec->n_element == 17);
    const ElvBodyDef* base = find_body(spec, "left_base");
    CHECK_TRUE(base->joint.type == ELV_JOINT_FIXED && base->pose.p.y == 1.0);
    const ElvBodyDef* column = find_body(spec, "left_column");
    CHECK_TRUE(column->joint.type == ELV_JOINT_REVOLUTE && column->joint.position[0] == 0.5);
    CHECK_TRUE(column->joint.damping[0] == 7.0 && column->joint.drive == ELV_DRIVE_FORCE);
    CHECK_TRUE(column->joint.lower[0] == -3.0 && column->joint.upper[0] == 3.0);
    CHECK_TRUE(column->joint.stop_stiffness[0] == 100.0 && column->joint.stop_damping[0] == 0.5);
    CHECK_TRUE(column->joint.stop_width[0] == 1e-3);
    // continuous joints have no limits, and robots of which no stops are asked none that act
    CHECK_TRUE(isinf(find_body(spec, "left_wrist")->joint.lower[0]));
    CHECK_TRUE(isinf(find_body(spec, "right_column")->joint.lower[0]));
    base = find_body(spec, "right_base");
    CHECK_TRUE(base->joint.type == ELV_JOINT_PLANAR);
    assert_string_equal(base->parent, "truck");
    elv_spec_free(spec);
}

// a root called world is the world, unless a prefix makes it a body
static void test_world(void** state) {
    (void)state;
    static const char* const robot =
        "<robot name='w'><link name='world'/><link name='a'/><joint name='j' type='fixed'>"
        "<parent link='world'/><child link='a'/></joint></robot>";
    ElvSpec* spec = read_spec(robot, "w.urdf", NULL, NULL);
    CHECK_TRUE(spec->n_element == 1);
    assert_string_equal(spec->element[0].body.parent, "world");
    elv_spec_free(spec);
    spec = read_spec(robot, "w.urdf", "urdf.prefix", "my_");
    CHECK_TRUE(spec->n_element == 2);
    assert_string_equal(find_body(spec, "my_a")->parent, "my_world");
    elv_spec_free(spec);
}

static void test_overrides(void** state) {
    (void)state;
    ElvSpec* spec = read_spec(zoo, "zoo.urdf", "d.joint.prismatic.damping", "5");
    CHECK_NEAR(find_body(spec, "d")->joint.damping[0], 5.0, 0.0);
    elv_spec_free(spec);
    spec = read_spec(zoo, "zoo.urdf", "gravity", "[0, 0, 0]");
    CHECK_NEAR(spec->gravity.z, 0.0, 0.0);
    elv_spec_free(spec);
    spec = read_spec(zoo, "zoo.urdf", "urdf.base", "spherical");
    CHECK_TRUE(find_body(spec, "a")->joint.type == ELV_JOINT_SPHERICAL);
    elv_spec_free(spec);
    // the short form too
    spec = read_spec("elver: 1\nurdf: urdf-arm.urdf\n", MODELS "x.yaml", "urdf.base", "free");
    CHECK_TRUE(find_body(spec, "base")->joint.type == ELV_JOINT_FREE);
    elv_spec_free(spec);
}

typedef struct {
    const char* yaml;
    int line, column;
    const char* message;
} Bad;

static void test_bad_options(void** state) {
    (void)state;
    const Bad bad[] = {
        {"urdf: none.urdf\n", 2, 7, "urdf: cannot read"},
        {"urdf: .\n", 2, 7, "it is not a file"},
        {"urdf: {base: free}\n", 2, 7, "missing key 'file'"},
        {"urdf: {file: urdf-arm.urdf, bsae: free}\n", 2, 29, "did you mean 'base'?"},
        {"urdf: {file: urdf-arm.urdf, base: fre}\n", 2, 35, "did you mean 'free'?"},
        {"urdf: {file: urdf-arm.urdf, joints: {wast: {}}}\n", 2, 38,
         "no joint 'wast', did you mean 'waist'?"},
        {"urdf: {file: urdf-arm.urdf, joints: {waist: {kq: 2}}}\n", 2, 46, "unknown key 'kq'"},
        {"urdf: {file: urdf-arm.urdf, joints: {waist: 2}}\n", 2, 45, "keys of the joint"},
        {"urdf: {file: urdf-arm.urdf, joints: {tool_mount: {kp: 2}}}\n", 2, 38, "is fixed"},
        {"urdf: {file: urdf-arm.urdf, stops: {ball: {}}}\n", 2, 37, "unknown key 'ball'"},
        {"urdf: {file: urdf-arm.urdf, parent: trunk}\n", 2, 37, "'trunk'"},
        {"urdf: [urdf-arm.urdf, urdf-arm.urdf]\n", 4, 3, "names must be unique"},
        {"urdf: urdf-arm.urdf\ntree: 3\n", 3, 7, "expected a list of bodies and rods"},
        {"urdf:\n", 2, 6, "expected a file, or a robot"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char text[512];
        char message[1024];
        ElvModel* model = NULL;
        ElvError error;
        snprintf(text, sizeof text, "elver: 1\n%s", bad[i].yaml);
        ElvStatus status =
            elv_model_read_text(text, strlen(text), MODELS "x.yaml", NULL, 0, &model, &error);
        elv_error_format(&error, message, sizeof message);
        elv_model_free(model);
        if (status != ELV_ERROR_INPUT || error.line != bad[i].line ||
            error.column != bad[i].column || !strstr(message, bad[i].message)) {
            fail_msg("%s\nexpected at %d:%d: %s\nfor:\n%s", message, bad[i].line, bad[i].column,
                     bad[i].message, text);
        }
    }
}

// ---- notes and export

static void test_notes(void** state) {
    (void)state;
    static const char* const robot =
        "<robot name='n'>\n<link name='a.b'><inertial><mass value='1'/>"
        "<inertia ixx='1' iyy='1' izz='3'/></inertial>\n"
        "<visual><geometry><mesh filename='x.stl'/></geometry></visual>\n"
        "<visual><geometry><mesh filename='y.stl'/></geometry></visual>\n"
        "<collision><geometry><sphere radius='1'/></geometry></collision>\n"
        "<collision><geometry><sphere radius='2'/></geometry></collision>\n"
        "</link></robot>\n";
    ElvSpec* spec = read_spec(robot, "n.urdf", NULL, NULL);
    CHECK_TRUE(elv_spec_n_note(spec) == 4);
    assert_non_null(strstr(elv_spec_note(spec, 0), "n.urdf:3:1: meshes are not read"));
    assert_non_null(strstr(elv_spec_note(spec, 0), "(2 times)"));
    assert_non_null(strstr(elv_spec_note(spec, 1), "n.urdf:6:1: a link is shown by its first"));
    assert_non_null(strstr(elv_spec_note(spec, 2), "n.urdf:2:1: what is no letter"));
    assert_non_null(strstr(elv_spec_note(spec, 3), "n.urdf:2:45: an inertia that no"));
    CHECK_TRUE(find_body(spec, "a_b")->is_unphysical);
    elv_spec_free(spec);

    spec = read_spec(zoo, "zoo.urdf", NULL, NULL);
    CHECK_TRUE(elv_spec_n_note(spec) == 1);
    assert_non_null(strstr(elv_spec_note(spec, 0), "zoo.urdf:11:41: limits of joints do not act"));
    elv_spec_free(spec);
}

static void check_export(const char* path, double tol) {
    ElvSpec* spec = NULL;
    ElvModel* a = NULL;
    char* text = NULL;
    ElvError error;
    CHECK_STATUS(elv_spec_read_file(path, NULL, 0, &spec, &error), &error);
    CHECK_STATUS(elv_spec_write_text(spec, &text, &error), &error);
    CHECK_STATUS(elv_spec_compile(spec, &a, &error), &error);
    ElvModel* b = read_model(text, "x.yaml", NULL, 0);
    check_same(a, b, tol);
    elv_text_free(text);
    elv_model_free(b);
    elv_model_free(a);
    elv_spec_free(spec);
}

// rotations become quaternions: equal to rounding, 1e-16, times the condition of the mass matrix
static void test_export(void** state) {
    (void)state;
    check_export(MODELS "urdf-arm.urdf", 1e-10);
    check_export(MODELS "urdf-arm-rod.yaml", 1e-10);
    check_export(ELVER_SOURCE_DIR "/tests/data/humanoid.urdf", 1e-10);
    check_export(ELVER_SOURCE_DIR "/tests/data/gripper.urdf", 1e-10);
    check_export(ELVER_SOURCE_DIR "/tests/corpus/urdf/shapes.urdf", 1e-10);
}

// an error of a run names the line of the link
static void test_located(void** state) {
    (void)state;
    ElvError error;
    elv_error_clear(&error);
    (void)elv_error_set(&error, ELV_ERROR_SINGULAR, "d", "", "no mass");
    elv_error_locate(zoo, strlen(zoo), "zoo.urdf", &error);
    CHECK_TRUE(error.line == 6 && error.column == 1);
    assert_string_equal(error.file, "zoo.urdf");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_as_yaml), cmocka_unit_test(test_recognised),
        cmocka_unit_test(test_shapes),       cmocka_unit_test(test_mimic),
        cmocka_unit_test(test_options),      cmocka_unit_test(test_world),
        cmocka_unit_test(test_overrides),    cmocka_unit_test(test_bad_options),
        cmocka_unit_test(test_notes),        cmocka_unit_test(test_export),
        cmocka_unit_test(test_located),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
