// SPDX-License-Identifier: Apache-2.0
// A fluid in the strong form, an instant at a time: inverse dynamics by Riccati equations against the
// modal recursions, shooting at rest against modes, the first steps of shooting in time, refusals; on
// the shipped swimmers and on chains with drag, lift, buoyancy and a current. Longer motions:
// test_swimmer_strong.c.
#include "swimmer_case.h"

#include "elver/statics.h"
#include "elver/strong.h"
#include "elver/strong_inverse.h"
#include "multibody/model.h"

// ---- inverse dynamics

#define WET                                                                                        \
    "gravity: [0, 1, -9.81]\n"                                                                     \
    "fluid: {density: 1000, current: [0.4, \"0.3*sin(3*t)\", -0.2]}\n"                             \
    "tree:\n"                                                                                      \
    "  - {body: base, joint: %s, mass: 0.5, center: [0.02, 0, 0], inertia: [0.01, 0.02, 0.01],\n"  \
    "     fluid: {buoyancy: true, volume: 3e-4, drag: [1e-3, 2e-3, 3e-3]}}\n"                      \
    "  - {rod: one, parent: base, pose: {xyz: [0.05, 0, 0], rpy: [0, 0.3, 0.5]}, length: 0.4,\n"   \
    "     section: {ellipse: {y: \"0.02 + 0.01*s\", z: 0.03}}, material: {density: 1200, young: "  \
    "2e7, poisson: 0.4},\n"                                                                        \
    "     strain: {%s}, fluid: {buoyancy: true, drag: {normal: 1.1, tangential: 0.02}, "           \
    "lift: 0.4, added_mass: 1%s}}\n"                                                               \
    "  - {body: hub, parent: one.tip, pose: {rpy: [0.5, 0.2, 0]}, mass: 0.05,\n"                   \
    "     inertia: [1e-4, 1e-4, 2e-4], resistance: [0, 0, 0, 0.1, 0.2, 0.1]}\n"                    \
    "  - {rod: two, parent: hub, length: 0.3, section: {ellipse: {y: 0.01, z: \"0.02 + "           \
    "0.02*s\"}},\n"                                                                                \
    "     material: {density: 1000, young: 2e7, poisson: 0.4}, strain: {%s},\n"                    \
    "     fluid: {added_mass: 1, lighthill: true}}\n"

// stresses at stations and the effort at the root, beside those of the IDM; both err by 1e-10
static void check_riccati(ModelCase* c, bool has_root) {
    ElvRiccati* riccati = NULL;
    ElvError error;
    double tau[128];
    CHECK_TRUE(c->nv <= 128);
    CHECK_STATUS(elv_riccati_create(c->model, 64, &riccati, &error), &error);
    CHECK_STATUS(elv_riccati_solve_state(riccati, c->state, false, &error), &error);
    elv_idm(c->model, c->data, c->state, tau);
    double size = 0.0;
    for (int i = 0; i < c->model->n_node; i++) {
        for (int k = 0; k <= 10 && c->model->node[i].info.is_rod; k++) {
            ElvWrench lam;
            ElvRiccatiSection section;
            double actual[6], expected[6];
            // a pointed nose has no section
            double s = fmax(0.1 * k, 1e-3);
            elv_rod_section(c->model, c->data, c->state, i, s, NULL, NULL, &lam);
            CHECK_STATUS(elv_riccati_section(riccati, i, s, &section, &error), &error);
            elv_wrench_to_array(section.lam, actual);
            elv_wrench_to_array(lam, expected);
            size = fmax(size, largest(expected, 6));
            CHECK_ARRAY_NEAR(actual, expected, 6, 1e-8 * size);
        }
    }
    CHECK_TRUE(size > 1e-3);
    if (has_root) {
        ElvRiccatiRoot root = elv_riccati_root(riccati);
        CHECK_ARRAY_NEAR(root.effort, tau, (size_t)c->model->node[0].joint->n_v, 1e-8 * size);
    }
    elv_riccati_free(riccati);
}

static ModelCase shipped(const char* name, const ElvOverride* set, int n_set) {
    ModelCase c = {.model = swim_model(name, set, n_set)};
    ElvError error;
    CHECK_STATUS(elv_data_create(c.model, &c.data, &error), &error);
    CHECK_STATUS(elv_state_create(c.model, &c.state, &error), &error);
    c.nv = c.state->nv;
    return c;
}

// random motions of the shipped fish, one rod and three, one of them rigid
static void test_riccati_of_swimmers(void** unused) {
    (void)unused;
    // as many nodes as motions of this size take
    const ElvOverride nodes[] = {{"body.nodes", "24"}};
    const ElvOverride tendon_nodes[] = {
        {"head.nodes", "24"}, {"trunk.nodes", "24"}, {"tail.nodes", "24"}};
    for (uint64_t seed = 1; seed <= (IS_SANITIZED ? 1 : 3); seed++) {
        ModelCase shape = shipped("swimmer-shape", nodes, 1);
        case_randomize(&shape, seed, 0.5);
        check_riccati(&shape, true);
        case_close(&shape);
        ModelCase tendon = shipped("swimmer-tendon", tendon_nodes, 3);
        case_randomize(&tendon, seed, 0.5);
        check_riccati(&tendon, true);
        case_close(&tendon);
    }
}

// every load of a fluid, and slender rods whose free strains meet Phi
static void test_riccati_in_a_current(void** unused) {
    (void)unused;
    for (uint64_t seed = 1; seed <= (IS_SANITIZED ? 1 : 3); seed++) {
        ModelCase c = case_open(WET, "free", "reissner: 2", ", lighthill: true", "reissner: 2");
        case_randomize(&c, seed, 0.5);
        c.state->t = 0.3;
        check_riccati(&c, true);
        case_close(&c);
    }
}

// resistance and added inertia by numbers, without a fluid of the model
static void test_riccati_of_coefficients(void** unused) {
    (void)unused;
    ModelCase c = case_open(
        "tree:\n"
        "  - {rod: rod, joint: free, length: 0.5, section: {circle: {radius: 0.01}}, material: "
        "{density: 1000, young: 1e6},\n"
        "     strain: {reissner: 2}, resistance: [0, 0, 0, 0.1, 0.2, 0.3], added_inertia: [0, 0, "
        "0, 0, 0.3, 0.2]}\n"
        "  - {body: tip, parent: rod.tip, mass: 0.1, resistance: [0, 0, 0, 1, 1, 1], "
        "added_inertia: [0, 0, 0, 0.1, 0.1, 0.1]}\n");
    case_randomize(&c, 4, 0.5);
    check_riccati(&c, true);
    case_close(&c);
}

// ---- the first steps in time

// The fish that a controller bends, from rest: modes and shooting make the same steps by the same
// formula. The motion is smooth, so that modes leave nothing of the way, however short it is; what is
// left is what Newton's method leaves.
static void test_first_steps(void** unused) {
    (void)unused;
    static const char* const signal[] = {"body.root.position", "body.tip.position"};
    const ElvOverride set[] = {{"simulate", "{method: shooting, scheme: newmark, step: 0.01}"}};
    Swim modes = swim_run("swimmer-shape", NULL, 0, 0.05, signal, 2);
    Swim shot = swim_run("swimmer-shape", set, 1, 0.05, signal, 2);
    double distance = swim_distance(&modes, &shot, 1, 7);
    double moved = swim_moved(&shot, 1, 7);
    print_message("first steps: %.1e m apart, moved by %.1e m\n", distance, moved);
    CHECK_TRUE(moved > 1e-5);
    CHECK_TRUE(distance < 1e-5 * moved);
    swim_free(&modes);
    swim_free(&shot);
}

// ---- shooting at rest

static const char* const STRESS[] = {"one.stress(0.3)", "two.stress(0.4)"};

/// Signals at a load.
typedef struct {
    ElvSignals* signals;
    double value[12];
} Stress;

static bool stress_record(void* user, const ElvModel* model, ElvData* data, const ElvState* state) {
    Stress* stress = user;
    elv_signals_eval(stress->signals, model, data, state, stress->value);
    return true;
}

// a chain that a current bends: many modes find the same shape, and both methods hand out Lambda;
// stresses converge as strains do, one order behind the places
static void test_statics_in_a_current(void** unused) {
    (void)unused;
    ElvVec3 tip[2];
    Stress stress[2] = {{.signals = NULL}, {.signals = NULL}};
    for (int i = 0; i < 2; i++) {
        ModelCase c = case_open(WET "statics: {method: %s}\n", "fixed", "reissner: 8", "",
                                "bend_y: 8, bend_z: 8", i == 0 ? "newton" : "shooting");
        ElvError error;
        ElvStaticsOptions options = elv_statics_options_default(c.model);
        ElvStaticsReport report;
        CHECK_STATUS(elv_signals_create(c.model, STRESS, 2, &stress[i].signals, &error), &error);
        CHECK_TRUE(elv_signals_n_column(stress[i].signals) == 12);
        options.record = stress_record;
        options.user = &stress[i];
        CHECK_STATUS(elv_statics_run(c.model, c.state, &options, &report, &error), &error);
        // shooting leaves the coordinates that come nearest
        tip[i] = case_pose(&c, "two.tip").p;
        elv_signals_free(stress[i].signals);
        case_close(&c);
    }
    CHECK_ARRAY_NEAR(&tip[1].x, &tip[0].x, 3, 1e-7);
    CHECK_ARRAY_NEAR(stress[1].value, stress[0].value, 12, 1e-6 * largest(stress[0].value, 12));
}

// ---- refusals

// bending meets Phi of added inertia about y and z
static void test_refusal_of_bending(void** unused) {
    (void)unused;
    static const char* const added[2] = {"0, 0, 0, 0, 1, 1", "0, 0, 0.1, 0, 1, 1"};
    for (int i = 0; i < 2; i++) {
        ModelCase c = case_open(
            "fluid: {density: 1000}\ntree:\n"
            "  - {rod: rod, length: 1, section: {circle: {radius: 0.01}}, material: {density: "
            "1000, young: 1e6}, strain: {bend_z: 2},\n"
            "     added_inertia: [%s], fluid: {lighthill: true}}\n",
            added[i]);
        ElvSimulateDef def = elv_simulate_def_default();
        ElvIntegrator* integrator = NULL;
        ElvError error;
        def.method = ELV_METHOD_SHOOTING;
        ElvStatus status = elv_integrator_create(c.model, &def, &integrator, &error);
        CHECK_TRUE(status == (i == 0 ? ELV_OK : ELV_ERROR_INPUT));
        CHECK_TRUE(i == 0 || strstr(error.message, "bend_z"));
        elv_integrator_free(integrator);
        case_close(&c);
    }
}

static void test_refusal(void** unused) {
    (void)unused;
    ModelCase c = case_open(WET, "free", "reissner: 2", "", "kirchhoff: 2");
    ElvSimulateDef def = elv_simulate_def_default();
    ElvIntegrator* integrator = NULL;
    ElvError error;
    def.method = ELV_METHOD_SHOOTING;
    CHECK_TRUE(elv_integrator_create(c.model, &def, &integrator, &error) == ELV_ERROR_INPUT);
    CHECK_TRUE(strstr(error.message, "'two'") && strstr(error.message, "twist"));
    case_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_riccati_of_swimmers),     cmocka_unit_test(test_riccati_in_a_current),
        cmocka_unit_test(test_riccati_of_coefficients), cmocka_unit_test(test_first_steps),
        cmocka_unit_test(test_statics_in_a_current),    cmocka_unit_test(test_refusal),
        cmocka_unit_test(test_refusal_of_bending),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
