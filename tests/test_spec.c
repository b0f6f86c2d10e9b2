// SPDX-License-Identifier: Apache-2.0
// Specs: defaults, copies that outlive what they were made from, growth, and adds that fail without
// a trace. What a single Def may hold is tested by test_spec_check.c and test_body_inertia.c.
#include "multibody/spec.h"

#include "caller_memory.h"
#include "check.h"
#include "multibody/spec_copy.h"

static ElvSpec* spec_create(void) {
    ElvSpec* spec = NULL;
    ElvError error;
    CHECK_STATUS(elv_spec_create("machine", &spec, &error), &error);
    return spec;
}

// ---- defaults

static void check_zero_laws(const ElvLawDef* law, int n) {
    for (int i = 0; i < n; i++) {
        CHECK_TRUE(law[i].kind == ELV_LAW_CONSTANT);
        CHECK_NEAR(law[i].value, 0.0, 0.0);
    }
}

static void check_identity(ElvPose g) {
    ElvPose identity = elv_pose_identity();
    CHECK_ARRAY_NEAR(&g.R.m[0][0], &identity.R.m[0][0], 9, 0.0);
    CHECK_NEAR(elv_vec3_norm(g.p), 0.0, 0.0);
}

static void test_tree_defaults(void** state) {
    (void)state;
    ElvBodyDef body = elv_body_def_default();
    CHECK_TRUE(!body.name && strcmp(body.parent, "world") == 0);
    check_identity(body.pose);
    check_identity(body.body_pose);
    check_identity(body.shape.pose);
    CHECK_TRUE(body.mass == 0.0 && body.density == 0.0 && !body.has_inertia);
    CHECK_TRUE(body.shape.kind == ELV_SHAPE_NONE);
    CHECK_TRUE(body.joint.type == ELV_JOINT_FIXED && body.joint.drive == ELV_DRIVE_PASSIVE);
    CHECK_TRUE(body.joint.axis.z == 1.0 && body.joint.axis2.y == 1.0);
    CHECK_NEAR(elv_vec3_norm(body.joint.axis) + elv_vec3_norm(body.joint.axis2), 2.0, 0.0);
    check_zero_laws(body.joint.law, 6);

    ElvRodDef rod = elv_rod_def_default();
    CHECK_TRUE(!rod.name && strcmp(rod.parent, "world") == 0 && rod.joint.type == ELV_JOINT_FIXED);
    check_identity(rod.pose);
    CHECK_TRUE(rod.length == 0.0 && rod.n_element == 0 && !rod.element);
    CHECK_TRUE(rod.section.kind == ELV_SECTION_NONE && !rod.section.is_hollow);
    CHECK_NEAR(rod.section.shear_factor.value, 1.0, 0.0);
    for (int i = 0; i < ELV_N_STRAIN; i++) {
        CHECK_NEAR(rod.reference[i].value, i == ELV_STRAIN_STRETCH ? 1.0 : 0.0, 0.0);
        CHECK_TRUE(!rod.has_initial[i]);
    }
    check_zero_laws(rod.initial_rate, ELV_N_STRAIN);
    CHECK_TRUE(rod.stiffness.n == 0 && rod.inertia.n == 0 && rod.damping.n == 0);

    ElvElementDef element = elv_element_def_default();
    CHECK_TRUE(element.to == 1.0 && element.nodes == 0);
    for (int i = 0; i < ELV_N_STRAIN; i++) {
        CHECK_TRUE(element.modes[i] == 0 && element.basis[i] == ELV_BASIS_LEGENDRE);
    }
}

static void test_other_defaults(void** state) {
    (void)state;
    ElvFrameDef frame = elv_frame_def_default();
    CHECK_TRUE(strcmp(frame.on, "world") == 0);
    check_identity(frame.pose);
    ElvWrenchDef wrench = elv_wrench_def_default();
    CHECK_TRUE(wrench.axes == ELV_AXES_WORLD && wrench.when.value == 1.0);
    check_zero_laws(wrench.wrench, 6);
    ElvDistributedDef distributed = elv_distributed_def_default();
    CHECK_TRUE(distributed.from == 0.0 && distributed.to == 1.0 && distributed.when.value == 1.0);
    check_zero_laws(distributed.wrench, 6);
    ElvStressDef stress = elv_stress_def_default();
    CHECK_TRUE(stress.from == 0.0 && stress.to == 1.0 && stress.when.value == 1.0);
    check_zero_laws(stress.stress, ELV_N_STRAIN);

    // a new spec simulates and records by the defaults, without gravity
    ElvSpec* spec = spec_create();
    CHECK_TRUE(strcmp(spec->name, "machine") == 0);
    CHECK_NEAR(elv_vec3_norm(spec->gravity), 0.0, 0.0);
    CHECK_TRUE(spec->simulate.method == ELV_METHOD_GENERALIZED_ALPHA);
    CHECK_NEAR(spec->simulate.spectral_radius, 0.9, 0.0);
    CHECK_TRUE(spec->simulate.order == 5 && !spec->simulate.starts_static);
    CHECK_NEAR(spec->simulate.duration, 1.0, 0.0);
    CHECK_NEAR(spec->simulate.rel_tol, 1e-8, 0.0);
    CHECK_NEAR(spec->simulate.abs_tol, 1e-10, 0.0);
    CHECK_TRUE(spec->simulate.step == 0.0 && spec->simulate.max_steps == 0);
    CHECK_NEAR(spec->record.every, 0.01, 0.0);
    CHECK_TRUE(spec->record.n_signal == 0);
    elv_spec_free(spec);
    elv_spec_free(NULL);
}

// ---- deep copies

static void law_zero(void* user, double t, double s, ElvJet* jet) {
    (void)t;
    (void)s;
    jet->v = jet->d = jet->dd = *(const double*)user;
}

static void test_law_copy(void** state) {
    (void)state;
    Caller caller = {{NULL}, {0}, 0};
    ElvPool pool = {NULL};
    double x[3] = {0.0, 1.0, 3.0};
    double y[3] = {5.0, -6.0, 7.0};
    double user = 4.0;
    ElvLawDef formula = caller_formula(&caller, "sin(t)");
    ElvLawDef table =
        elv_law_def_table(ELV_VARIABLE_S, ELV_TABLE_CUBIC, caller_copy(&caller, x, sizeof x),
                          caller_copy(&caller, y, sizeof y), 3);
    ElvLawDef callback = elv_law_def_callback(law_zero, &user);
    // pointers that a kind does not use are not followed
    ElvLawDef constant = elv_law_def_value(2.5);
    constant.n = 1000;
    constant.text = NULL;
    CHECK_TRUE(elv_law_def_own(&pool, &formula) && elv_law_def_own(&pool, &table));
    CHECK_TRUE(elv_law_def_own(&pool, &callback) && elv_law_def_own(&pool, &constant));
    caller_free(&caller);

    CHECK_TRUE(formula.kind == ELV_LAW_FORMULA && strcmp(formula.text, "sin(t)") == 0);
    CHECK_TRUE(table.kind == ELV_LAW_TABLE && table.n == 3);
    CHECK_TRUE(table.variable == ELV_VARIABLE_S && table.table == ELV_TABLE_CUBIC);
    CHECK_ARRAY_NEAR(table.x, x, 3, 0.0);
    CHECK_ARRAY_NEAR(table.y, y, 3, 0.0);
    CHECK_TRUE(callback.callback == law_zero && callback.user == &user);
    CHECK_TRUE(constant.value == 2.5 && constant.n == 0);
    elv_pool_free(&pool);
}

static void test_body_copy(void** state) {
    (void)state;
    Caller caller = {{NULL}, {0}, 0};
    ElvSpec* spec = spec_create();
    ElvBodyDef def = elv_body_def_default();
    def.name = caller_text(&caller, "gripper");
    def.parent = caller_text(&caller, "arm.tip");
    def.pose.p.x = 0.25;
    def.joint.type = ELV_JOINT_UNIVERSAL;
    def.joint.drive = ELV_DRIVE_MOTION;
    def.joint.law[0] = caller_formula(&caller, "t");
    def.joint.law[1] = caller_formula(&caller, "2*t");
    def.mass = 0.5;
    ElvError error;
    CHECK_STATUS(elv_spec_add_body(spec, &def, &error), &error);
    caller_free(&caller);

    CHECK_TRUE(spec->n_element == 1 && !spec->element[0].is_rod);
    const ElvBodyDef* body = &spec->element[0].body;
    CHECK_TRUE(strcmp(elv_element_name(&spec->element[0]), "gripper") == 0);
    CHECK_TRUE(strcmp(body->parent, "arm.tip") == 0);
    CHECK_TRUE(body->joint.type == ELV_JOINT_UNIVERSAL);
    CHECK_TRUE(strcmp(body->joint.law[1].text, "2*t") == 0);
    CHECK_TRUE(body->mass == 0.5 && body->pose.p.x == 0.25);
    elv_spec_free(spec);
}

// a rod that uses every pointer there is
static ElvRodDef caller_rod(Caller* caller, const double* station, const double* value) {
    ElvElementDef element[2] = {elv_element_def_default(), elv_element_def_default()};
    element[0].to = 0.5;
    element[0].modes[ELV_STRAIN_BEND_Y] = 2;
    element[0].basis[ELV_STRAIN_BEND_Y] = ELV_BASIS_TABLE;
    element[0].table[ELV_STRAIN_BEND_Y].n_station = 3;
    element[0].table[ELV_STRAIN_BEND_Y].n_mode = 2;
    element[0].table[ELV_STRAIN_BEND_Y].station = caller_copy(caller, station, 3 * sizeof *station);
    element[0].table[ELV_STRAIN_BEND_Y].value = caller_copy(caller, value, 6 * sizeof *value);
    element[1].modes[ELV_STRAIN_TWIST] = 3;
    element[1].nodes = 7;
    ElvRodDef def = elv_rod_def_default();
    def.name = caller_text(caller, "arm");
    def.parent = caller_text(caller, "base");
    def.length = 0.4;
    def.section.kind = ELV_SECTION_ELLIPSE;
    def.section.outer[0] = caller_formula(caller, "0.02 - 0.01*s");
    def.section.outer[1] = caller_formula(caller, "0.03");
    def.section.is_hollow = true;
    def.section.inner[0] = caller_formula(caller, "0.001");
    def.section.inner[1] = caller_formula(caller, "0.002");
    def.section.has_torsion = true;
    def.section.torsion = caller_formula(caller, "1e-9");
    def.material.density = 1000.0;
    def.material.young = 1e6;
    def.damping.n = 36;
    for (int i = 0; i < 36; i++) {
        def.damping.entry[i] = caller_formula(caller, i == 35 ? "s^2" : "0.5");
    }
    def.reference[ELV_STRAIN_BEND_Z] = caller_formula(caller, "3*s");
    def.initial[ELV_STRAIN_BEND_Y] = caller_formula(caller, "4*s");
    def.has_initial[ELV_STRAIN_BEND_Y] = true;
    def.initial_rate[ELV_STRAIN_SHEAR_Z] = caller_formula(caller, "5*s");
    def.element = caller_copy(caller, element, sizeof element);
    def.n_element = 2;
    return def;
}

static void test_rod_copy(void** state) {
    (void)state;
    Caller caller = {{NULL}, {0}, 0};
    ElvSpec* spec = spec_create();
    double station[3] = {0.0, 0.25, 1.0};
    double value[6] = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0};
    ElvRodDef def = caller_rod(&caller, station, value);
    ElvError error;
    CHECK_STATUS(elv_spec_add_rod(spec, &def, &error), &error);
    caller_free(&caller);

    CHECK_TRUE(spec->n_element == 1 && spec->element[0].is_rod);
    const ElvRodDef* rod = &spec->element[0].rod;
    CHECK_TRUE(strcmp(rod->name, "arm") == 0 && strcmp(rod->parent, "base") == 0);
    CHECK_TRUE(strcmp(rod->section.outer[0].text, "0.02 - 0.01*s") == 0);
    CHECK_TRUE(strcmp(rod->section.outer[1].text, "0.03") == 0);
    CHECK_TRUE(strcmp(rod->section.inner[1].text, "0.002") == 0);
    CHECK_TRUE(strcmp(rod->section.torsion.text, "1e-9") == 0);
    CHECK_TRUE(strcmp(rod->damping.entry[0].text, "0.5") == 0);
    CHECK_TRUE(strcmp(rod->damping.entry[35].text, "s^2") == 0);
    CHECK_TRUE(strcmp(rod->reference[ELV_STRAIN_BEND_Z].text, "3*s") == 0);
    CHECK_TRUE(strcmp(rod->initial[ELV_STRAIN_BEND_Y].text, "4*s") == 0);
    CHECK_TRUE(strcmp(rod->initial_rate[ELV_STRAIN_SHEAR_Z].text, "5*s") == 0);
    CHECK_TRUE(rod->n_element == 2 && rod->element[0].to == 0.5 && rod->element[1].nodes == 7);
    const ElvBasisTable* table = &rod->element[0].table[ELV_STRAIN_BEND_Y];
    CHECK_ARRAY_NEAR(table->station, station, 3, 0.0);
    CHECK_ARRAY_NEAR(table->value, value, 6, 0.0);
    elv_spec_free(spec);
}

static void test_load_copies(void** state) {
    (void)state;
    Caller caller = {{NULL}, {0}, 0};
    ElvSpec* spec = spec_create();
    ElvError error;
    ElvFrameDef frame = elv_frame_def_default();
    frame.name = caller_text(&caller, "eye");
    frame.on = caller_text(&caller, "arm.at(0.5)");
    CHECK_STATUS(elv_spec_add_frame(spec, &frame, &error), &error);
    ElvWrenchDef wrench = elv_wrench_def_default();
    wrench.at = caller_text(&caller, "eye");
    wrench.wrench[5] = caller_formula(&caller, "-t");
    wrench.when = caller_formula(&caller, "t < 1");
    CHECK_STATUS(elv_spec_add_wrench(spec, &wrench, &error), &error);
    ElvDistributedDef distributed = elv_distributed_def_default();
    distributed.rod = caller_text(&caller, "arm");
    distributed.axes = ELV_AXES_LOCAL;
    distributed.wrench[0] = caller_formula(&caller, "s");
    distributed.when = caller_formula(&caller, "t < 2");
    CHECK_STATUS(elv_spec_add_distributed(spec, &distributed, &error), &error);
    ElvStressDef stress = elv_stress_def_default();
    stress.rod = caller_text(&caller, "arm");
    stress.stress[2] = caller_formula(&caller, "s*t");
    stress.when = caller_formula(&caller, "t < 3");
    CHECK_STATUS(elv_spec_add_stress(spec, &stress, &error), &error);
    const char* signal[2] = {caller_text(&caller, "eye.position"), caller_text(&caller, "energy")};
    ElvRecordDef record = elv_record_def_default();
    record.signal = caller_copy(&caller, signal, sizeof signal);
    record.n_signal = 2;
    CHECK_STATUS(elv_spec_set_record(spec, &record, &error), &error);
    caller_free(&caller);

    CHECK_TRUE(spec->n_frame == 1 && strcmp(spec->frame[0].name, "eye") == 0);
    CHECK_TRUE(strcmp(spec->frame[0].on, "arm.at(0.5)") == 0);
    CHECK_TRUE(spec->n_load == 2 && spec->load[0].kind == ELV_LOAD_WRENCH);
    CHECK_TRUE(strcmp(spec->load[0].wrench.at, "eye") == 0);
    CHECK_TRUE(strcmp(spec->load[0].wrench.wrench[5].text, "-t") == 0);
    CHECK_TRUE(strcmp(spec->load[0].wrench.when.text, "t < 1") == 0);
    CHECK_TRUE(spec->load[1].kind == ELV_LOAD_DISTRIBUTED);
    CHECK_TRUE(strcmp(spec->load[1].distributed.rod, "arm") == 0);
    CHECK_TRUE(spec->load[1].distributed.axes == ELV_AXES_LOCAL);
    CHECK_TRUE(strcmp(spec->load[1].distributed.wrench[0].text, "s") == 0);
    CHECK_TRUE(strcmp(spec->load[1].distributed.when.text, "t < 2") == 0);
    CHECK_TRUE(spec->n_actuator == 1 && strcmp(spec->actuator[0].as.stress.rod, "arm") == 0);
    CHECK_TRUE(strcmp(spec->actuator[0].as.stress.stress[2].text, "s*t") == 0);
    CHECK_TRUE(strcmp(spec->actuator[0].as.stress.when.text, "t < 3") == 0);
    CHECK_TRUE(spec->record.n_signal == 2 && strcmp(spec->record.signal[1], "energy") == 0);
    elv_spec_free(spec);
}

// ---- growth and failure

static void test_growth(void** state) {
    (void)state;
    enum { N = 70 };
    ElvSpec* spec = spec_create();
    ElvError error;
    for (int i = 0; i < N; i++) {
        char name[32];
        ElvBodyDef body = elv_body_def_default();
        ElvFrameDef frame = elv_frame_def_default();
        ElvWrenchDef wrench = elv_wrench_def_default();
        ElvStressDef stress = elv_stress_def_default();
        wrench.at = stress.rod = body.name = frame.name = name;
        snprintf(name, sizeof name, "body%d", i);
        CHECK_STATUS(elv_spec_add_body(spec, &body, &error), &error);
        CHECK_STATUS(elv_spec_add_wrench(spec, &wrench, &error), &error);
        CHECK_STATUS(elv_spec_add_stress(spec, &stress, &error), &error);
        CHECK_STATUS(elv_spec_set_parameter(spec, name, i, &error), &error);
        snprintf(name, sizeof name, "frame%d", i);
        CHECK_STATUS(elv_spec_add_frame(spec, &frame, &error), &error);
    }
    // a parameter that is known changes in place
    CHECK_STATUS(elv_spec_set_parameter(spec, "body3", -3.0, &error), &error);
    CHECK_TRUE(spec->n_element == N && spec->n_frame == N && spec->n_load == N);
    CHECK_TRUE(spec->n_actuator == N && spec->n_parameter == N);
    for (int i = 0; i < N; i++) {
        char name[32];
        snprintf(name, sizeof name, "body%d", i);
        CHECK_TRUE(strcmp(spec->element[i].body.name, name) == 0);
        CHECK_TRUE(strcmp(spec->load[i].wrench.at, name) == 0);
        CHECK_TRUE(strcmp(spec->actuator[i].as.stress.rod, name) == 0);
        CHECK_TRUE(strcmp(spec->parameter[i].name, name) == 0);
        CHECK_NEAR(spec->parameter[i].value, i == 3 ? -3.0 : i, 0.0);
        snprintf(name, sizeof name, "frame%d", i);
        CHECK_TRUE(strcmp(spec->frame[i].name, name) == 0);
    }
    elv_spec_free(spec);
}

static void test_failed_adds_leave_no_trace(void** state) {
    (void)state;
    ElvSpec* spec = spec_create();
    ElvBodyDef body = elv_body_def_default();
    ElvRodDef rod = elv_rod_def_default();
    ElvFrameDef frame = elv_frame_def_default();
    ElvWrenchDef wrench = elv_wrench_def_default();
    ElvDistributedDef distributed = elv_distributed_def_default();
    ElvStressDef stress = elv_stress_def_default();
    ElvSimulateDef simulate = elv_simulate_def_default();
    simulate.duration = -1.0;
    ElvRecordDef record = elv_record_def_default();
    record.every = 0.0;
    // none has what it needs; errors need not be asked for
    CHECK_TRUE(elv_spec_add_body(spec, &body, NULL) == ELV_ERROR_INPUT);
    CHECK_TRUE(elv_spec_add_rod(spec, &rod, NULL) == ELV_ERROR_INPUT);
    CHECK_TRUE(elv_spec_add_frame(spec, &frame, NULL) == ELV_ERROR_INPUT);
    CHECK_TRUE(elv_spec_add_wrench(spec, &wrench, NULL) == ELV_ERROR_INPUT);
    CHECK_TRUE(elv_spec_add_distributed(spec, &distributed, NULL) == ELV_ERROR_INPUT);
    CHECK_TRUE(elv_spec_add_stress(spec, &stress, NULL) == ELV_ERROR_INPUT);
    CHECK_TRUE(elv_spec_set_simulate(spec, &simulate, NULL) == ELV_ERROR_INPUT);
    CHECK_TRUE(elv_spec_set_record(spec, &record, NULL) == ELV_ERROR_INPUT);
    CHECK_TRUE(elv_spec_set_parameter(spec, "t", 1.0, NULL) == ELV_ERROR_INPUT);
    CHECK_TRUE(spec->n_element == 0 && spec->n_frame == 0 && spec->n_load == 0);
    CHECK_TRUE(spec->n_actuator == 0 && spec->n_parameter == 0);
    CHECK_TRUE(spec->simulate.duration == 1.0 && spec->record.every == 0.01);
    // a good one is taken
    simulate.duration = 3.0;
    elv_spec_set_gravity(spec, elv_vec3(0.0, 0.0, -9.81));
    CHECK_STATUS(elv_spec_set_simulate(spec, &simulate, NULL), NULL);
    CHECK_TRUE(spec->simulate.duration == 3.0 && spec->gravity.z == -9.81);
    elv_spec_free(spec);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tree_defaults), cmocka_unit_test(test_other_defaults),
        cmocka_unit_test(test_law_copy),      cmocka_unit_test(test_body_copy),
        cmocka_unit_test(test_rod_copy),      cmocka_unit_test(test_load_copies),
        cmocka_unit_test(test_growth),        cmocka_unit_test(test_failed_adds_leave_no_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
