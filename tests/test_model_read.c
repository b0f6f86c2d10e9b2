// SPDX-License-Identifier: Apache-2.0
// The model reader: what each key of the format becomes in a spec, and overrides. Expected values
// are worked out by hand from the texts in model_sample.h.
#include "check.h"

#include "elver/io.h"
#include "model_sample.h"
#include "multibody/spec.h"

static const double pi = 3.14159265358979323846;

static ElvSpec* read_spec(const char* text, const ElvOverride* overrides, int n) {
    ElvSpec* spec = NULL;
    ElvError error;
    ElvStatus status =
        elv_spec_read_text(text, strlen(text), "x.yaml", overrides, n, &spec, &error);
    char message[1024] = "";
    if (status != ELV_OK) {
        elv_error_format(&error, message, sizeof message);
        print_error("%s\n", message);
    }
    CHECK_STATUS(status, &error);
    return spec;
}

static const ElvElement* find(const ElvSpec* spec, const char* name) {
    for (int i = 0; i < spec->n_element; i++) {
        if (strcmp(elv_element_name(&spec->element[i]), name) == 0) {
            return &spec->element[i];
        }
    }
    fail_msg("no element %s", name);
    return NULL;
}

static void check_text(const char* actual, const char* expected) {
    assert_string_equal(actual, expected);
}

// ---- whole files

static void test_arm(void** state) {
    (void)state;
    ElvSpec* spec = read_spec(sample_arm, NULL, 0);
    check_text(spec->name, "tendon arm");
    CHECK_NEAR(spec->gravity.z, -9.81, 0.0);
    assert_int_equal(spec->n_parameter, 2);
    CHECK_NEAR(spec->parameter[1].value, 1e6, 0.0);

    assert_int_equal(spec->n_element, 2);
    const ElvRodDef* rod = &find(spec, "arm")->rod;
    check_text(rod->parent, "world");
    CHECK_NEAR(rod->length, 0.4, 0.0);
    assert_int_equal(rod->section.kind, ELV_SECTION_CIRCLE);
    check_text(rod->section.outer[0].text, "2*R*(1 - 0.5*s)");
    CHECK_NEAR(rod->material.young, 1e6, 0.0);
    CHECK_NEAR(rod->material.poisson, 0.45, 0.0);
    assert_int_equal(rod->n_element, 1);
    int modes[ELV_N_STRAIN] = {1, 3, 3, 0, 0, 0};
    for (int i = 0; i < ELV_N_STRAIN; i++) {
        assert_int_equal(rod->element[0].modes[i], modes[i]);
        assert_int_equal(rod->element[0].basis[i], ELV_BASIS_LEGENDRE);
    }

    const ElvBodyDef* body = &find(spec, "gripper")->body;
    check_text(body->parent, "arm.tip");
    assert_int_equal(body->joint.type, ELV_JOINT_REVOLUTE);
    CHECK_NEAR(body->joint.axis.y, 1.0, 0.0);
    CHECK_NEAR(body->joint.axis.z, 0.0, 0.0);
    CHECK_TRUE(body->has_inertia);
    CHECK_NEAR(body->inertia.m[1][1], 1e-5, 0.0);

    assert_int_equal(spec->n_load, 1);
    assert_int_equal(spec->load[0].kind, ELV_LOAD_WRENCH);
    check_text(spec->load[0].wrench.at, "arm.at(0.5)");
    check_text(spec->load[0].wrench.wrench[5].text, "-5*t");
    check_text(spec->load[0].wrench.when.text, "t < 1");
    assert_int_equal(spec->load[0].wrench.axes, ELV_AXES_WORLD);
    CHECK_NEAR(spec->simulate.duration, 2.0, 0.0);
    CHECK_NEAR(spec->simulate.rel_tol, 1e-6, 0.0);
    CHECK_NEAR(spec->simulate.abs_tol, elv_simulate_def_default().abs_tol, 0.0);
    CHECK_NEAR(spec->record.every, 0.02, 0.0);
    assert_int_equal(spec->record.n_signal, 2);
    check_text(spec->record.signal[1], "energy");
    elv_spec_free(spec);
}

static void test_bodies(void** state) {
    (void)state;
    ElvSpec* spec = read_spec(sample_joints, NULL, 0);
    CHECK_NEAR(spec->parameter[1].value, 0.6, 1e-16);

    // poses: rpy as in URDF, quaternions of any length
    const ElvBodyDef* base = &find(spec, "base")->body;
    ElvMat3 R = elv_so3_from_rpy(0.1, -0.2, 0.3);
    CHECK_ARRAY_NEAR(&base->pose.R.m[0][0], &R.m[0][0], 9, 0.0);
    CHECK_NEAR(base->pose.p.y, 0.3, 0.0);
    CHECK_NEAR(base->mass, 0.6, 1e-16);
    CHECK_NEAR(base->inertia.m[1][2], -2e-4, 0.0);
    const ElvBodyDef* turn = &find(spec, "turn")->body;
    ElvQuat q = elv_quat_normalize(elv_quat(0.9, 0.1, -0.2, 0.3));
    ElvMat3 expected = elv_quat_to_matrix(q);
    CHECK_ARRAY_NEAR(&turn->body_pose.R.m[0][0], &expected.m[0][0], 9, 1e-15);

    // shapes
    assert_int_equal(turn->shape.kind, ELV_SHAPE_BOX);
    CHECK_NEAR(turn->shape.size[2], 0.3, 0.0);
    CHECK_NEAR(turn->shape.pose.p.z, 0.05, 0.0);
    CHECK_NEAR(turn->density, 1200.0, 0.0);
    CHECK_TRUE(!turn->has_inertia);
    const ElvBodyDef* screw = &find(spec, "screw")->body;
    assert_int_equal(screw->shape.kind, ELV_SHAPE_CAPSULE);
    CHECK_NEAR(screw->shape.size[1], 0.1, 0.0);
    assert_int_equal(find(spec, "can")->body.shape.kind, ELV_SHAPE_SPHERE);
    const ElvBodyDef* cross = &find(spec, "cross")->body;
    assert_int_equal(cross->shape.kind, ELV_SHAPE_ELLIPSOID);
    CHECK_NEAR(cross->inertia.m[0][2], 0.002, 0.0);
    CHECK_NEAR(cross->inertia.m[2][1], -0.001, 0.0);

    // frames and loads
    assert_int_equal(spec->n_frame, 2);
    check_text(spec->frame[1].on, "grip");
    CHECK_NEAR(spec->frame[0].pose.R.m[1][1], -1.0, 0.0);
    assert_int_equal(spec->load[0].wrench.axes, ELV_AXES_LOCAL);
    CHECK_NEAR(spec->load[0].wrench.wrench[2].value, 3.0, 0.0);
    CHECK_NEAR(spec->load[1].wrench.wrench[2].value, 1.0, 0.0);
    check_text(spec->load[1].wrench.wrench[3].text, "M");
    assert_int_equal(spec->simulate.order, 4);
    assert_int_equal(spec->simulate.max_steps, 1000);
    elv_spec_free(spec);
}

static void test_joints(void** state) {
    (void)state;
    ElvSpec* spec = read_spec(sample_joints, NULL, 0);
    const ElvJointDef* turn = &find(spec, "turn")->body.joint;
    assert_int_equal(turn->drive, ELV_DRIVE_FORCE);
    check_text(turn->law[0].text, "sin(2*pi*t)");
    CHECK_NEAR(turn->axis.x, 1.0, 0.0);
    CHECK_NEAR(turn->rest[0], 0.2, 0.0);
    CHECK_NEAR(turn->rotor_inertia[0], 1e-3, 0.0);
    CHECK_NEAR(turn->velocity[0], -0.5, 0.0);

    const ElvJointDef* slide = &find(spec, "slide")->body.joint;
    assert_int_equal(slide->drive, ELV_DRIVE_MOTION);
    CHECK_NEAR(slide->axis.x, -1.0, 0.0);
    assert_int_equal(slide->law[0].kind, ELV_LAW_TABLE);
    assert_int_equal(slide->law[0].table, ELV_TABLE_CUBIC);
    assert_int_equal(slide->law[0].variable, ELV_VARIABLE_T);
    assert_int_equal(slide->law[0].n, 3);
    CHECK_NEAR(slide->law[0].y[2], 0.05, 0.0);

    CHECK_NEAR(find(spec, "screw")->body.joint.pitch, 0.01, 0.0);
    const ElvJointDef* can = &find(spec, "can")->body.joint;
    double damping[6] = {0.2, 0.2, 0, 0, 0, 0};
    CHECK_ARRAY_NEAR(can->damping, damping, 6, 0.0);
    CHECK_NEAR(can->stiffness[1], 2.0, 0.0);
    const ElvJointDef* cross = &find(spec, "cross")->body.joint;
    CHECK_NEAR(cross->axis2.z, 0.1, 0.0);
    check_text(cross->law[1].text, "M*t^2");
    const ElvJointDef* puck = &find(spec, "puck")->body.joint;
    assert_int_equal(puck->law[2].table, ELV_TABLE_STEP);
    CHECK_NEAR(puck->position[2], 0.3, 0.0);

    // rotations by name: roll, pitch, yaw, then x, y, z
    const ElvJointDef* ball = &find(spec, "ball")->body.joint;
    double rpy[6] = {0.1, 0.2, 0.3, 0, 0, 0};
    CHECK_ARRAY_NEAR(ball->position, rpy, 6, 0.0);
    check_text(find(spec, "rider")->body.joint.law[1].text, "sin(t)");
    double xyz[6] = {0, 0, 0, 1, 2, 3};
    CHECK_ARRAY_NEAR(find(spec, "ship")->body.joint.position, xyz, 6, 0.0);
    check_text(find(spec, "drone")->body.joint.law[4].text, "t^2");
    assert_int_equal(find(spec, "plain")->body.joint.type, ELV_JOINT_FREE);
    elv_spec_free(spec);
}

static void test_rods(void** state) {
    (void)state;
    ElvSpec* spec = read_spec(sample_rods, NULL, 0);
    const ElvRodDef* plain = &find(spec, "plain")->rod;
    ElvMat3 R = elv_so3_from_rpy(0.0, pi / 2, 0.0);
    CHECK_ARRAY_NEAR(&plain->pose.R.m[0][0], &R.m[0][0], 9, 0.0);
    check_text(plain->section.outer[0].text, "2*(D)");
    CHECK_NEAR(plain->material.shear, 8e10, 0.0);
    CHECK_NEAR(plain->material.damping[4], 1e-4, 0.0);
    assert_int_equal(plain->joint.type, ELV_JOINT_REVOLUTE);

    const ElvRodDef* tube = &find(spec, "tube")->rod;
    CHECK_TRUE(tube->section.is_hollow && tube->section.has_torsion);
    CHECK_NEAR(tube->section.inner[0].value, 0.01, 0.0);
    CHECK_NEAR(tube->section.shear_factor.value, 0.9, 0.0);
    CHECK_NEAR(tube->material.damping[5], 6.0, 0.0);
    assert_int_equal(tube->element[0].nodes, 12);
    assert_int_equal(tube->element[0].modes[ELV_STRAIN_SHEAR_Z], 2);
    assert_int_equal(tube->element[0].basis[ELV_STRAIN_BEND_Z], ELV_BASIS_CHEBYSHEV);
    assert_int_equal(tube->element[0].basis[ELV_STRAIN_STRETCH], ELV_BASIS_LEGENDRE);
    check_text(tube->reference[ELV_STRAIN_BEND_Y].text, "0.1*s");
    CHECK_NEAR(tube->reference[ELV_STRAIN_STRETCH].value, 1.01, 0.0);
    CHECK_TRUE(tube->has_initial[ELV_STRAIN_TWIST] && !tube->has_initial[ELV_STRAIN_BEND_Y]);
    check_text(tube->initial_rate[ELV_STRAIN_BEND_Z].text, "s");

    const ElvRodDef* oval = &find(spec, "oval")->rod;
    CHECK_NEAR(oval->section.inner[1].value, 0.015, 0.0);
    CHECK_NEAR(oval->material.damping[ELV_STRAIN_TWIST], 0.2, 0.0);
    CHECK_NEAR(oval->material.damping[ELV_STRAIN_BEND_Z], 0.0, 0.0);
    const ElvBasisTable* table = &oval->element[0].table[ELV_STRAIN_BEND_Y];
    assert_int_equal(table->n_mode, 2);
    CHECK_NEAR(table->value[4], 1.0, 0.0);
    elv_spec_free(spec);
}

static void test_rod_elements(void** state) {
    (void)state;
    ElvSpec* spec = read_spec(sample_rods, NULL, 0);
    const ElvRodDef* bar = &find(spec, "bar")->rod;
    assert_int_equal(bar->section.outer[0].kind, ELV_LAW_TABLE);
    assert_int_equal(bar->section.outer[0].table, ELV_TABLE_LINEAR);
    assert_int_equal(bar->section.outer[0].variable, ELV_VARIABLE_S);
    assert_int_equal(bar->n_element, 3);
    CHECK_NEAR(bar->element[1].to, 0.5, 0.0);
    CHECK_NEAR(bar->element[2].to, 1.0, 0.0);
    assert_int_equal(bar->element[0].modes[ELV_STRAIN_BEND_Z], 3);
    assert_int_equal(bar->element[1].basis[ELV_STRAIN_BEND_Y], ELV_BASIS_HERMITE);
    assert_int_equal(bar->element[2].basis[ELV_STRAIN_BEND_Y], ELV_BASIS_TABLE);

    const ElvRodDef* given = &find(spec, "given")->rod;
    CHECK_NEAR(given->section.inertia_z.value, 2e-9, 0.0);
    assert_int_equal(given->element[0].modes[ELV_STRAIN_BEND_Y], 2);
    assert_int_equal(given->element[0].modes[ELV_STRAIN_BEND_Z], 3);
    const ElvRodDef* matrix = &find(spec, "matrix")->rod;
    assert_int_equal(matrix->stiffness.n, 6);
    assert_int_equal(matrix->inertia.n, 36);
    CHECK_NEAR(matrix->inertia.entry[7].value, 1e-3, 0.0);
    check_text(matrix->stiffness.entry[3].text, "4 + s");
    assert_int_equal(matrix->section.kind, ELV_SECTION_NONE);

    assert_int_equal(spec->load[0].kind, ELV_LOAD_DISTRIBUTED);
    CHECK_NEAR(spec->load[0].distributed.to, 0.75, 0.0);
    check_text(spec->load[0].distributed.wrench[3].text, "s*t");
    CHECK_NEAR(spec->load[1].distributed.wrench[5].value, -1.0, 0.0);
    assert_int_equal(spec->n_actuator, 2);
    check_text(spec->actuator[0].as.stress.stress[ELV_STRAIN_STRETCH].text, "s");
    CHECK_NEAR(spec->actuator[0].as.stress.from, 0.1, 0.0);
    CHECK_NEAR(spec->actuator[1].as.stress.stress[ELV_STRAIN_BEND_Z].value, 1.0, 0.0);
    elv_spec_free(spec);
}

// the complete example of the format's document is a model
static void test_document(void** state) {
    (void)state;
    FILE* file = fopen(ELVER_SOURCE_DIR "/docs/model-format.md", "rb");
    assert_non_null(file);
    static char text[1 << 16];
    size_t size = fread(text, 1, sizeof text - 1, file);
    (void)fclose(file);
    text[size] = '\0';
    char* begin = strstr(text, "```yaml\nelver: 1");
    assert_non_null(begin);
    begin += strlen("```yaml\n");
    char* end = strstr(begin, "```");
    assert_non_null(end);
    ElvModel* model = NULL;
    ElvError error;
    CHECK_STATUS(elv_model_read_text(begin, (size_t)(end - begin), "model-format.md", NULL, 0,
                                     &model, &error),
                 &error);
    assert_int_equal(elv_model_nv(model), 8);
    elv_model_free(model);
}

// ---- overrides

static void test_override_values(void** state) {
    (void)state;
    const ElvOverride overrides[] = {
        {"R", "0.02"},
        {"arm.length", "20*R"},
        {"gravity", "[0, 0, 0]"},
        {"gravity[1]", "-1"},
        {"materials.silicone.young", "2e6"},
        {"gripper.joint.revolute.damping", "0.5"},
        {"simulate.duration", "7"},
        {"simulate.order", "3"},
        {"loads[0].at", "gripper"},
        {"record.signals", "[com]"},
        {"arm.joint", "revolute"},
        {"arm.joint.revolute.stiffness", "3"},
        {"arm.pose.xyz", "[0, 0, 1]"},
    };
    ElvSpec* spec = read_spec(sample_arm, overrides, sizeof overrides / sizeof overrides[0]);
    const ElvRodDef* arm = &find(spec, "arm")->rod;
    CHECK_NEAR(spec->parameter[0].value, 0.02, 0.0);
    CHECK_NEAR(arm->length, 0.4, 1e-16);
    CHECK_NEAR(spec->gravity.y, -1.0, 0.0);
    CHECK_NEAR(spec->gravity.z, 0.0, 0.0);
    CHECK_NEAR(arm->material.young, 2e6, 0.0);
    CHECK_NEAR(find(spec, "gripper")->body.joint.damping[0], 0.5, 0.0);
    CHECK_NEAR(spec->simulate.duration, 7.0, 0.0);
    assert_int_equal(spec->simulate.order, 3);
    check_text(spec->load[0].wrench.at, "gripper");
    assert_int_equal(spec->record.n_signal, 1);
    assert_int_equal(arm->joint.type, ELV_JOINT_REVOLUTE);
    CHECK_NEAR(arm->joint.stiffness[0], 3.0, 0.0);
    CHECK_NEAR(arm->pose.p.z, 1.0, 0.0);
    elv_spec_free(spec);
}

static void test_override_errors(void** state) {
    (void)state;
    static const struct {
        const char *key, *value, *expected;
    } cases[] = {
        {"arm.lenght", "1",
         "--set arm.lenght=1: arm: unknown key 'lenght', did you mean 'length'?"},
        {"am.length", "1", "--set am.length=1: the model has no 'am' to set, did you mean 'arm'?"},
        {"E2", "1", "did you mean 'E'?"},
        {"qqqq", "1", "the model has no 'qqqq' to set: give a parameter"},
        {"arm", "1", "--set arm=1: 'arm' is an element of the model"},
        {"arm.length", "40 cm", "--set arm.length=40 cm: arm: values are SI numbers"},
        {"arm.length", "", "--set arm.length=: the value is missing"},
        {"arm.length", "[1", "--set arm.length=[1: not YAML"},
        {"arm.length", "-1", "--set arm.length=-1: arm: length must be positive"},
        {"arm..length", "1", "is no key"},
        {"arm.length.", "1", "is no key"},
        {"", "1", "is no key"},
        {"arm.length.x", "1", "there is no key 'x' within the value '0.4'"},
        {"loads[3].at", "arm.tip", "'3' is no item of the list, which has 1"},
        {"gripper.parent", "arn.tip", "--set gripper.parent=arn.tip: gripper: "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ElvModel* model = NULL;
        ElvError error;
        ElvOverride override = {cases[i].key, cases[i].value};
        ElvStatus status = elv_model_read_text(sample_arm, strlen(sample_arm), "x.yaml", &override,
                                               1, &model, &error);
        char text[1024];
        elv_error_format(&error, text, sizeof text);
        if (status != ELV_ERROR_INPUT || !strstr(text, cases[i].expected)) {
            fail_msg("%s=%s: got '%s', expected '%s'", cases[i].key, cases[i].value, text,
                     cases[i].expected);
        }
        assert_null(model);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arm),
        cmocka_unit_test(test_bodies),
        cmocka_unit_test(test_joints),
        cmocka_unit_test(test_rods),
        cmocka_unit_test(test_rod_elements),
        cmocka_unit_test(test_document),
        cmocka_unit_test(test_override_values),
        cmocka_unit_test(test_override_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
