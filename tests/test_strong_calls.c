// SPDX-License-Identifier: Apache-2.0
// Methods without modes as a program calls them: starts on the way, options that no file has checked, and workspaces that
// are used for something else afterwards.
#include "finite_case.h"

#include "elver/strong.h"
#include "multibody/data.h"
#include "solve/integrator.h"

static const char ARM[] =
    "gravity: [0, 0, -9.81]\n"
    "tree:\n"
    "  - {body: base, joint: {revolute: {axis: y, damping: 0.02}}, mass: 0.2, inertia: [1e-3, "
    "1e-3, 1e-3]}\n"
    "  - {rod: arm, parent: base, length: 0.4, section: {circle: {diameter: 0.02}}, strain: "
    "{kirchhoff: 3},\n"
    "     material: {density: 1000, young: 1e7, damping: 0.02}}\n";

static ElvSimulateDef method_of(ElvMethod method) {
    ElvSimulateDef def = finite_method(method, 0.01, 11, 2, ELV_RUNGE_RK4, ELV_HISTORY_CUBIC);
    def.shooting.segments = 4;
    return def;
}

// ---- starts

static void step_to(ElvIntegrator* integrator, double t, ElvState* state) {
    ElvError error;
    while (state->t < t) {
        CHECK_STATUS(elv_integrator_step(integrator, t, state, &error), &error);
    }
}

// the tip after 0.2 s, with n starts on the way at 0.1 s, each of which forgets what the state says of the rod
static ElvVec3 tip_with_starts(ElvMethod method, int n) {
    ModelCase c = case_open("%s", ARM);
    ElvSimulateDef def = method_of(method);
    ElvIntegrator* integrator = NULL;
    ElvError error;
    CHECK_STATUS(elv_integrator_create(c.model, &def, &integrator, &error), &error);
    CHECK_STATUS(elv_integrator_start(integrator, c.state, &error), &error);
    step_to(integrator, 0.1, c.state);
    for (int i = 0; i < n; i++) {
        CHECK_STATUS(elv_integrator_start(integrator, c.state, &error), &error);
        CHECK_TRUE(elv_integrator_report(integrator).n_step == 0);
        CHECK_NEAR(c.state->t, 0.1, 0.0);
    }
    step_to(integrator, 0.2, c.state);
    integrator->ops->see(integrator, c.state, c.data);
    ElvVec3 tip = elv_frame_pose(c.model, c.data, case_frame(&c, "arm.tip")).p;
    elv_integrator_free(integrator);
    case_close(&c);
    return tip;
}

static void test_a_start_on_the_way_goes_on(void** state) {
    (void)state;
    const ElvMethod methods[] = {ELV_METHOD_RKMK, ELV_METHOD_TILL, ELV_METHOD_SHOOTING};
    for (int i = 0; i < 3; i++) {
        ElvVec3 expected = tip_with_starts(methods[i], 0);
        // it has fallen by then
        CHECK_TRUE(expected.z < -0.05);
        for (int n = 1; n <= 2; n++) {
            ElvVec3 tip = tip_with_starts(methods[i], n);
            // to the same bits
            CHECK_ARRAY_NEAR(&tip.x, &expected.x, 3, 0.0);
        }
    }
}

// another time is another start: all is as at first
static void test_a_start_elsewhere_begins_anew(void** state) {
    (void)state;
    const ElvMethod methods[] = {ELV_METHOD_RKMK, ELV_METHOD_SHOOTING};
    for (int i = 0; i < 2; i++) {
        ModelCase c = case_open("%s", ARM);
        ElvSimulateDef def = method_of(methods[i]);
        ElvIntegrator* integrator = NULL;
        ElvError error;
        ElvVec3 tip[2];
        CHECK_STATUS(elv_integrator_create(c.model, &def, &integrator, &error), &error);
        for (int k = 0; k < 2; k++) {
            elv_state_reset(c.model, c.state);
            CHECK_STATUS(elv_integrator_start(integrator, c.state, &error), &error);
            step_to(integrator, 0.1, c.state);
            integrator->ops->see(integrator, c.state, c.data);
            tip[k] = elv_frame_pose(c.model, c.data, case_frame(&c, "arm.tip")).p;
        }
        CHECK_ARRAY_NEAR(&tip[0].x, &tip[1].x, 3, 0.0);
        elv_integrator_free(integrator);
        case_close(&c);
    }
}

// accelerations of a start that are no numbers are an error of the start, not zeros
static void test_a_start_without_accelerations_fails(void** state) {
    (void)state;
    ModelCase c = case_open(
        "tree:\n"
        "  - {body: base, joint: {revolute: {axis: y, force: \"sqrt(t - 1)\"}}, mass: 0.2, "
        "inertia: [1e-3, 1e-3, 1e-3]}\n"
        "  - {rod: arm, parent: base, length: 0.4, section: {circle: {diameter: 0.02}}, "
        "strain: {kirchhoff: 3}, material: {density: 1000, young: 1e7}}\n");
    ElvSimulateDef def = method_of(ELV_METHOD_SHOOTING);
    ElvIntegrator* integrator = NULL;
    ElvError error;
    CHECK_STATUS(elv_integrator_create(c.model, &def, &integrator, &error), &error);
    CHECK_TRUE(elv_integrator_start(integrator, c.state, &error) == ELV_ERROR_NUMERIC);
    elv_integrator_free(integrator);
    case_close(&c);
}

// where nothing has a mass there are no accelerations, and none are needed
static void test_a_start_without_mass(void** state) {
    (void)state;
    ModelCase c = case_open("tree:\n"
                            "  - {rod: arm, length: 0.4, stiffness: [1, 1, 1, 1e3, 1e3, 1e3], "
                            "damping: [1, 1, 1, 1, 1, 1], inertia: [0, 0, 0, 0, 0, 0], strain: "
                            "{kirchhoff: 3}}\n"
                            "loads: [{force: [0, 0.1, 0], at: arm.tip}]\n");
    ElvSimulateDef def = method_of(ELV_METHOD_SHOOTING);
    ElvIntegrator* integrator = NULL;
    ElvError error;
    CHECK_STATUS(elv_integrator_create(c.model, &def, &integrator, &error), &error);
    CHECK_STATUS(elv_integrator_start(integrator, c.state, &error), &error);
    step_to(integrator, 0.05, c.state);
    integrator->ops->see(integrator, c.state, c.data);
    CHECK_TRUE(elv_frame_pose(c.model, c.data, case_frame(&c, "arm.tip")).p.y > 0.0);
    elv_integrator_free(integrator);
    case_close(&c);
}

// ---- options

static void check_refused(const ElvModel* model, const ElvSimulateDef* def, const char* field) {
    ElvIntegrator* integrator = NULL;
    ElvError error;
    CHECK_TRUE(elv_integrator_create(model, def, &integrator, &error) == ELV_ERROR_INPUT);
    CHECK_TRUE(integrator == NULL && strcmp(error.field, field) == 0);
}

static void test_options_from_c_are_checked(void** state) {
    (void)state;
    ModelCase c = case_open("%s", ARM);
    ElvError error;
    ElvShooting* shooting = NULL;
    ElvStaticsDef statics = elv_statics_def_default();
    statics.shooting.segments = 0;
    CHECK_TRUE(elv_shoot_create(c.model, &statics, &shooting, &error) == ELV_ERROR_INPUT);
    CHECK_TRUE(shooting == NULL && strcmp(error.field, "segments") == 0);

    ElvSimulateDef def = method_of(ELV_METHOD_SHOOTING);
    double step = 1.0;
    def.shooting.segments = 0;
    check_refused(c.model, &def, "segments");
    CHECK_TRUE(elv_shoot_critical_step(c.model, &def, &step, &error) == ELV_ERROR_INPUT);
    CHECK_NEAR(step, 0.0, 0.0);
    def = method_of(ELV_METHOD_SHOOTING);
    def.scheme = ELV_METHOD_BDF2;
    check_refused(c.model, &def, "scheme");
    def = method_of(ELV_METHOD_RKMK);
    def.finite.space = (ElvRunge)ELV_N_RUNGE;
    check_refused(c.model, &def, "space");
    def = method_of(ELV_METHOD_TILL);
    def.finite.nodes = 1;
    check_refused(c.model, &def, "nodes");
    case_close(&c);
}

// ---- workspaces

// a workspace that showed fields goes back to coordinates as soon as it evaluates them
static void test_a_workspace_lets_go_of_fields(void** state) {
    (void)state;
    ModelCase c = case_open("%s", ARM);
    ElvStaticsDef statics = elv_statics_def_default();
    ElvShooting* shooting = NULL;
    ElvError error;
    double tau[16];
    ElvTwist expected, strain;
    CHECK_TRUE(c.nv <= 16);
    int i_rod = 1;
    CHECK_STATUS(elv_shoot_create(c.model, &statics, &shooting, &error), &error);
    for (int way = 0; way < 2; way++) {
        case_randomize(&c, 5, 0.3);
        c.state->q[0] = 1.0;
        elv_idm(c.model, c.data, c.state, tau);
        ElvEnergy energy = elv_energy(c.model, c.data, c.state);
        elv_rod_section(c.model, c.data, c.state, i_rod, 0.5, NULL, &expected, NULL);
        CHECK_STATUS(elv_shoot_statics(shooting, 0.0, &error), &error);
        elv_shoot_hand_out(shooting, c.data, c.state);
        CHECK_TRUE(c.data->source != NULL);
        case_randomize(&c, 5, 0.3);
        c.state->q[0] = 1.0;
        if (way == 0) {
            elv_kinematics(c.model, c.data, c.state);
        } else {
            elv_idm(c.model, c.data, c.state, tau);
        }
        CHECK_TRUE(c.data->source == NULL && !c.data->is_static);
        elv_rod_section(c.model, c.data, c.state, i_rod, 0.5, NULL, &strain, NULL);
        CHECK_NEAR(strain.ang.y, expected.ang.y, 0.0);
        CHECK_NEAR(elv_energy(c.model, c.data, c.state).elastic, energy.elastic, 0.0);
    }
    elv_shoot_free(shooting);
    // nothing of the solver is read any more
    CHECK_TRUE(isfinite(elv_energy(c.model, c.data, c.state).elastic));
    case_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_start_on_the_way_goes_on),
        cmocka_unit_test(test_a_start_elsewhere_begins_anew),
        cmocka_unit_test(test_a_start_without_accelerations_fails),
        cmocka_unit_test(test_a_start_without_mass),
        cmocka_unit_test(test_options_from_c_are_checked),
        cmocka_unit_test(test_a_workspace_lets_go_of_fields),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
