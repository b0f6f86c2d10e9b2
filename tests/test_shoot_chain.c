// SPDX-License-Identifier: Apache-2.0
// Shooting over joints, bodies and rods in series, against modes enough; tips that are held; what it says where it
// fails, and what is left then.
#include "shoot_case.h"

#define ROD                                                                                        \
    "length: 0.4, section: {circle: {diameter: 0.02}}, material: {density: 1000, young: 2e7, "     \
    "poisson: 0.4}"

// signals of a text with `%s` for its strains, by modes and by shooting
static void check_same(const char* text, const char* strain, int segments, double tol) {
    ModelCase many = case_open(text, strain);
    ElvStaticsDef method = elv_model_statics(many.model);
    ShootPath modal = shoot_path(many.model, &method);
    method.method = ELV_STATICS_SHOOTING;
    method.shooting.segments = segments;
    ShootPath strong = shoot_path(many.model, &method);
    case_close(&many);
    for (int i = 0; i < modal.n; i++) {
        for (int k = 0; k < modal.n_column; k++) {
            double size = fmax(1.0, fabs(modal.value[i][k]));
            if (!(fabs(modal.value[i][k] - strong.value[i][k]) <= tol * size)) {
                fail_msg("row %d, column %d: modes %.12g, shooting %.12g", i, k, modal.value[i][k],
                         strong.value[i][k]);
            }
        }
    }
}

// two rods and three bodies, loads everywhere, a chamber, a muscle, a stress and a strain controller
static const char SERIES[] =
    "gravity: [0, 0, -9.81]\n"
    "tree:\n"
    "  - {rod: one, pose: {xyz: [0.1, 0.2, 0.3], rpy: [0.3, 0.2, 0.1]}, " ROD ", %s}\n"
    "  - {body: ring, parent: one.at(0.5), mass: 0.05, center: [0, 0.02, 0], inertia: [0, 0, 0]}\n"
    "  - {body: hub, parent: one.tip, pose: {xyz: [0.02, 0, 0]}, mass: 0.05, inertia: [0, 0, 0]}\n"
    "  - {rod: two, parent: hub, pose: {xyz: [0.01, 0, 0], rpy: [0, 0.4, 0]}, " ROD
    ", elements: [{to: 0.2, strain: {kirchhoff: 8}}, {to: 0.3, strain: {kirchhoff: 8}}, {to: 0.7, "
    "strain: {kirchhoff: 8}}, {to: 1, strain: {kirchhoff: 8}}]}\n"
    "  - {body: hand, parent: two.tip, mass: 0.02, center: [0.03, 0, 0], inertia: [0, 0, 0]}\n"
    "actuators:\n"
    "  - {chamber: c, path: {rod: one, y: 0.004}, area: 1e-4, pressure: \"2e4*t\"}\n"
    "  - {muscle: m, path: {rod: one, z: 0.004}, force: \"2*(1 - s)\", activation: \"0.5*t\"}\n"
    "  - {tendon: t, path: {rod: two, y: \"0.01*(1 - s)\"}, tension: \"4*t\"}\n"
    "loads:\n"
    "  - {force: [0.02, 0.04, \"0.1*t\"], torque: [0.01, 0, 0.02], at: hand}\n"
    "  - {force: [0, 0.05, 0.1], at: hand, frame: local}\n"
    "  - {force: [0, 0.1, 0], at: two.at(0.3)}\n"
    "  - {distributed: [0, 0.01, 0, 0.1, 0.2, 0.3], rod: two, from: 0.2, to: 0.7}\n"
    "statics: {loads: [0.5, 1]}\n"
    "record: {signals: [hand.position, hand.orientation, one.at(0.5).position, ring.position,\n"
    "   one.stress(0), two.stress(0.25), energy, com, chamber.c.volume, muscle.m.length]}\n";

static void test_rods_and_bodies_in_series(void** state) {
    (void)state;
    // strains are not smooth where something stands or ends: elements end there too
    static const char strain[] =
        "elements: [{to: 0.5, strain: {reissner: 10}}, {to: 1, strain: {reissner: 10}}]";
    for (int segments = 1; segments <= 5; segments += 2) {
        check_same(SERIES, strain, segments, 1e-7);
    }
}

static const char JOINT[] =
    "gravity: [0, 0, -9.81]\n"
    "tree:\n"
    "  - {body: base, joint: %s, mass: 0.2, center: [0.02, 0.01, 0],\n"
    "     inertia: [1e-3, 1e-3, 1e-3], pose: {rpy: [0.2, 0, 0]}}\n"
    "  - {rod: rod, parent: base, pose: {xyz: [0.1, 0, 0], rpy: [0, 0.3, 0]}, " ROD
    ", strain: {kirchhoff: 12}}\n"
    "loads:\n"
    "  - {force: [0, \"0.1*t\", 0.05], at: rod.tip}\n"
    "  - {force: [0, 0.3, 0], at: base, frame: local}\n"
    "statics: {loads: [0.3, 1]}\n"
    "record: {signals: [base.position, base.orientation, rod.tip.position, base.q,\n"
    "  base.effort, energy]}\n";

static void test_joints_at_the_root(void** state) {
    (void)state;
    static const char* const joint[] = {
        "{revolute: {axis: y, stiffness: 3}}",
        "{prismatic: {axis: z, stiffness: 30}}",
        "{universal: {axis: y, axis2: z, stiffness: [3, 4]}}",
        "{planar: {axis: y, stiffness: [3, 20, 30]}}",
        "{spherical: {stiffness: [2, 3, 4]}}",
        "{free: {stiffness: [2, 3, 4, 20, 30, 40]}}",
        "{revolute: {axis: y, stiffness: 3, force: \"0.5*t\"}}",
        "{revolute: {axis: y, motion: \"0.5*t\"}}",
        "{free: {motion: {rpy: [0.1, \"0.2*t\", 0], xyz: [0, 0, \"0.1*t\"]}}}",
    };
    for (size_t i = 0; i < sizeof joint / sizeof joint[0]; i++) {
        check_same(JOINT, joint[i], i % 2 == 0 ? 1 : 3, 1e-8);
    }
}

// ---- held tips

static ElvShooting* open_shooting(const ElvModel* model, int segments) {
    ElvShooting* shooting = NULL;
    ElvError error;
    ElvStaticsDef method = elv_model_statics(model);
    method.shooting.segments = segments;
    CHECK_STATUS(elv_shoot_create(model, &method, &shooting, &error), &error);
    return shooting;
}

// the wrench that holds a tip where a load has brought it is that load
static void test_tip_that_is_held(void** state) {
    (void)state;
    for (int segments = 1; segments <= 3; segments += 2) {
        ModelCase c = case_open(
            "gravity: [0, 0, -9.81]\n"
            "tree:\n  - {rod: rod, " ROD ", strain: {reissner: 1}}\n"
            "loads:\n  - {force: [0.1, \"0.2*t\", 0.1], torque: [0.02, 0.01, \"0.05*t\"], "
            "at: rod.tip, frame: local, while: \"t > 0\"}\n");
        ElvShooting* shooting = open_shooting(c.model, segments);
        ElvError error;
        ElvPose tip, middle, again;
        CHECK_STATUS(elv_shoot_statics(shooting, 1.0, &error), &error);
        elv_shoot_section(shooting, 0, 1.0, &tip, NULL, NULL);
        elv_shoot_section(shooting, 0, 0.37, &middle, NULL, NULL);
        elv_shoot_free(shooting);
        // the same pose without the load, from the shape at rest
        shooting = open_shooting(c.model, segments);
        elv_shoot_hold_tip(shooting, &tip);
        CHECK_STATUS(elv_shoot_statics(shooting, 0.0, &error), &error);
        const double expected[6] = {0.02, 0.01, 0.05, 0.1, 0.2, 0.1};
        double held[6];
        elv_wrench_to_array(elv_shoot_tip_wrench(shooting), held);
        CHECK_ARRAY_NEAR(held, expected, 6, 1e-8);
        elv_shoot_section(shooting, 0, 0.37, &again, NULL, NULL);
        CHECK_ARRAY_NEAR(&again.p.x, &middle.p.x, 3, 1e-9);
        elv_shoot_section(shooting, 0, 1.0, &again, NULL, NULL);
        CHECK_ARRAY_NEAR(&again.p.x, &tip.p.x, 3, 1e-9);
        // let go
        elv_shoot_hold_tip(shooting, NULL);
        CHECK_STATUS(elv_shoot_statics(shooting, 1.0, &error), &error);
        elv_shoot_section(shooting, 0, 1.0, &again, NULL, NULL);
        CHECK_ARRAY_NEAR(&again.p.x, &tip.p.x, 3, 1e-9);
        elv_shoot_free(shooting);
        case_close(&c);
    }
}

// a rod that floats, held at its tip alone, is the clamped rod seen from the other end
static void test_floating_rod_held_at_its_tip(void** state) {
    (void)state;
    ModelCase c = case_open("gravity: [0, 0, -9.81]\n"
                            "tree:\n  - {rod: clamped, " ROD ", strain: {kirchhoff: 1}}\n");
    ModelCase f =
        case_open("gravity: [0, 0, -9.81]\n"
                  "tree:\n  - {rod: floating, joint: free, " ROD ", strain: {kirchhoff: 1}}\n");
    ElvShooting* clamped = open_shooting(c.model, 1);
    ElvShooting* floating = open_shooting(f.model, 1);
    ElvError error;
    ElvPose root = elv_pose_identity();
    // its axis runs towards the tip that is held: turned about z
    root.R = elv_so3_exp(elv_vec3(0.0, 0.0, 3.14159265358979323846));
    CHECK_STATUS(elv_shoot_statics(clamped, 0.0, &error), &error);
    elv_shoot_hold_tip(floating, &root);
    CHECK_STATUS(elv_shoot_statics(floating, 0.0, &error), &error);
    for (int i = 0; i <= 4; i++) {
        ElvPose a, b;
        elv_shoot_section(clamped, 0, 0.25 * i, &a, NULL, NULL);
        elv_shoot_section(floating, 1, 1.0 - 0.25 * i, &b, NULL, NULL);
        CHECK_ARRAY_NEAR(&b.p.x, &a.p.x, 3, 1e-9);
    }
    elv_shoot_free(clamped);
    elv_shoot_free(floating);
    case_close(&c);
    case_close(&f);
}

// ---- failures

static void
check_failure(const char* text, ElvStatus status, const char* element, const char* why) {
    ModelCase c = case_open("%s", text);
    ElvShooting* shooting = open_shooting(c.model, 1);
    ElvError error;
    CHECK_TRUE(elv_shoot_statics(shooting, 1.0, &error) == status);
    if (strcmp(error.element, element) != 0 || !strstr(error.message, why)) {
        fail_msg("element '%s', message '%s'", error.element, error.message);
    }
    elv_shoot_free(shooting);
    case_close(&c);
}

// what nothing resists can be seen before anything is computed
static void test_strains_without_stiffness_are_refused(void** state) {
    (void)state;
    ModelCase c = case_open("tree:\n  - {rod: rod, length: 1, stiffness: [1, 0, 1, 1, 1, 1], "
                            "damping: [1, 1, 1, 1, 1, 1], inertia: [1, 1, 1, 1, 1, 1], "
                            "strain: {kirchhoff: 1}}\n");
    ElvError error;
    CHECK_TRUE(elv_chain_check(c.model, true, &error) == ELV_ERROR_INPUT);
    CHECK_TRUE(strcmp(error.element, "rod") == 0 && strstr(error.message, "bend_y") != NULL);
    // in time the damping resists
    CHECK_STATUS(elv_chain_check(c.model, false, &error), &error);
    case_close(&c);
}

static void test_failures_name_what_failed(void** state) {
    (void)state;
    check_failure("gravity: [0, 0, -9.81]\n"
                  "tree:\n  - {rod: rod, joint: {revolute: {axis: z}}, " ROD
                  ", strain: {kirchhoff: 1}}\n",
                  ELV_ERROR_SINGULAR, "rod.joint", "nothing resists");
    check_failure(
        "tree:\n  - {rod: rod, length: 1, stiffness: [1, 0, 1, 1, 1, 1], inertia: [1, 1, 1, 1, 1, "
        "1], strain: {kirchhoff: 1}}\n",
        ELV_ERROR_SINGULAR, "rod", "nothing resists a free strain");
    check_failure("tree:\n  - {rod: rod, " ROD ", strain: {kirchhoff: 1}}\n"
                  "loads:\n  - {force: [0, \"1e9*t\", 0], at: rod.tip, frame: local}\n"
                  "statics: {max_halvings: 2, max_iterations: 5}\n",
                  ELV_ERROR_NUMERIC, "rod", "segments");
    check_failure("tree:\n  - {rod: rod, " ROD ", strain: {kirchhoff: 1}}\n"
                  "actuators:\n  - {tendon: t, path: {rod: rod, y: 0.005}, tension: \"-t\"}\n",
                  ELV_ERROR_NUMERIC, "t", "cannot push");
}

static void test_last_equilibrium_stays_after_a_failure(void** state) {
    (void)state;
    ModelCase c = case_open("tree:\n  - {rod: rod, " ROD ", strain: {kirchhoff: 1}}\n"
                            "loads:\n  - {force: [0, \"t\", 0], at: rod.tip, frame: local}\n"
                            "statics: {max_halvings: 1, max_iterations: 4}\n");
    ElvShooting* shooting = open_shooting(c.model, 1);
    ElvError error;
    ElvPose before, after;
    CHECK_STATUS(elv_shoot_statics(shooting, 0.2, &error), &error);
    elv_shoot_section(shooting, 0, 0.9, &before, NULL, NULL);
    CHECK_TRUE(elv_shoot_statics(shooting, 1e9, &error) == ELV_ERROR_NUMERIC);
    elv_shoot_section(shooting, 0, 0.9, &after, NULL, NULL);
    CHECK_ARRAY_NEAR(&after.p.x, &before.p.x, 3, 1e-9);
    elv_shoot_hand_out(shooting, c.data, c.state);
    CHECK_NEAR(c.state->t, 0.2, 0.0);
    // and one can go on from there
    CHECK_STATUS(elv_shoot_statics(shooting, 0.3, &error), &error);
    elv_shoot_free(shooting);
    case_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rods_and_bodies_in_series),
        cmocka_unit_test(test_joints_at_the_root),
        cmocka_unit_test(test_tip_that_is_held),
        cmocka_unit_test(test_floating_rod_held_at_its_tip),
        cmocka_unit_test(test_strains_without_stiffness_are_refused),
        cmocka_unit_test(test_failures_name_what_failed),
        cmocka_unit_test(test_last_equilibrium_stays_after_a_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
