// SPDX-License-Identifier: Apache-2.0
// Conjugate points beside the modal tangent: the number of directions in which the energy falls is the same, for
// columns with bodies on springs, bent columns on both sides of stability, rolled-up beams, tendon robots, rods
// twisted and pushed between two clamps; from modes and from shooting.
#include "model_case.h"

#include "elver/analysis.h"
#include "elver/strong.h"
#include "elver/strong_inverse.h"

#define PI 3.14159265358979323846

static ElvConjugateReport judge(const ModelCase* c) {
    ElvConjugateReport report;
    ElvError error;
    CHECK_STATUS(elv_conjugate_points_state(c->model, c->state, &report, &error), &error);
    return report;
}

// the same verdict as the tangent's; returns directions in which the energy falls
static int check_same(const ModelCase* c) {
    ElvStabilityReport modal;
    ElvError error;
    CHECK_STATUS(elv_stability(c->model, c->state, &modal, &error), &error);
    ElvConjugateReport report = judge(c);
    CHECK_TRUE(report.is_stiff);
    CHECK_TRUE(report.is_conservative == modal.is_conservative);
    if (modal.is_conservative) {
        CHECK_TRUE(report.stability == modal.stability);
        CHECK_TRUE(report.n_negative == modal.n_negative);
    }
    return report.n_negative;
}

// straight up against gravity: two rods, a hub between, a ball on top, on joints with springs
static void test_columns_with_bodies(void** unused) {
    (void)unused;
    static const char* const JOINT[] = {"fixed", "{revolute: {axis: y, stiffness: %g}}",
                                        "{universal: {axis: y, axis2: z, stiffness: [%g, 0.8]}}",
                                        "{prismatic: {axis: y, stiffness: %g}}"};
    CheckRandom random = check_random(17);
    int seen[8] = {0};
    for (int trial = 0; trial < 40; trial++) {
        char joint[128];
        double spring = pow(10.0, check_uniform(&random, -1.5, 1.5));
        // the format of a joint without a spring takes no number
        const char* format = JOINT[trial % 4];
        if (trial % 4 == 0) {
            snprintf(joint, sizeof joint, "fixed");
        } else {
            const char* hole = strstr(format, "%g");
            snprintf(joint, sizeof joint, "%.*s%g%s", (int)(hole - format), format, spring,
                     hole + 2);
        }
        // every other round under a fifth of the weight; drawn one after the other: the order of a call's arguments is the compiler's
        static const double RANGE[6][2] = {{0.3, 2.0}, {0.3, 2.0}, {0.0, 0.3},
                                           {0.1, 1.0}, {0.1, 1.0}, {0.0, 0.6}};
        double x[6];
        for (int i = 0; i < 6; i++) {
            x[i] = check_uniform(&random, RANGE[i][0], RANGE[i][1]);
        }
        ModelCase c = case_open(
            "gravity: [%g, 0, 0]\n"
            "tree:\n"
            "  - {body: base, joint: %s, mass: 0.1, inertia: [0.01, 0.01, 0.01]}\n"
            "  - {rod: one, parent: base, length: 0.5, stiffness: [1, %g, %g, 100, 50, 50], "
            "inertia: [0.01, 0.01, 0.01, %g, %g, %g],\n"
            "     strain: {twist: 2, bend_y: 7, bend_z: 7}}\n"
            "  - {body: hub, parent: one.tip, mass: %g, inertia: [0.01, 0.01, 0.01]}\n"
            "  - {rod: two, parent: hub, length: 0.4, stiffness: [1, %g, %g, 100, 50, 50], "
            "inertia: [0.01, 0.01, 0.01, 0.3, 0.3, 0.3],\n"
            "     strain: {kirchhoff: 6}}\n"
            "  - {body: ball, parent: two.tip, mass: %g, center: [0.1, 0, 0], inertia: [0.01, "
            "0.01, 0.01]}\n",
            trial % 8 < 4 ? -10.0 : -2.0, joint, x[0], x[1], 0.5, 0.5, 0.5, x[2], x[3], x[4], x[5]);
        // straight it is in balance
        int n = check_same(&c);
        CHECK_TRUE(n < 8);
        seen[n]++;
        case_close(&c);
    }
    // both verdicts were met, and more than one direction
    CHECK_TRUE(seen[0] > 2 && seen[1] > 2 && seen[2] > 0);
}

// bent on a hinge with a spring, by gravity; and nothing that holds the root
static void test_bent_on_a_joint(void** unused) {
    (void)unused;
    for (int k = 0; k < 4; k++) {
        ModelCase c = case_open(
            "gravity: [-10, 0, -2]\n"
            "tree:\n"
            "  - {body: base, joint: {revolute: {axis: y, stiffness: %g}}, mass: 0.1, inertia: "
            "[0.01, 0.01, 0.01]}\n"
            "  - {rod: rod, parent: base, length: 0.5, stiffness: [1, 1, 1, 100, 50, 50], inertia: "
            "[0.01, 0.01, 0.01, 1, 1, 1], strain: {kirchhoff: 8}}\n"
            "  - {body: ball, parent: rod.tip, mass: 0.2, inertia: [0.01, 0.01, 0.01]}\n",
            0.3 + k);
        ElvStaticsDef options = elv_model_statics(c.model);
        ElvError error;
        CHECK_STATUS(elv_statics_solve(c.model, c.state, 0.0, &options, NULL, &error), &error);
        CHECK_TRUE(fabs(c.state->q[0]) > 0.05);
        check_same(&c);
        case_close(&c);
    }
    ModelCase c = case_open(
        "tree:\n"
        "  - {body: base, joint: free, mass: 0.1, inertia: [0.01, 0.01, 0.01]}\n"
        "  - {rod: rod, parent: base, length: 0.5, stiffness: [1, 1, 1, 100, 50, 50], inertia: "
        "[0.01, 0.01, 0.01, 1, 1, 1], strain: {kirchhoff: 2}}\n");
    CHECK_TRUE(judge(&c).stability == ELV_STABILITY_UNKNOWN);
    case_close(&c);
}

// Euler's column beyond its loads: straight, bent once (a minimum), bent in an S (falls in one direction)
static void test_bent_columns(void** unused) {
    (void)unused;
    static const struct {
        double load; // in critical loads
        double mode; // of the first guess, in quarter waves; 0: straight
        int n_negative;
    } CASE[] = {{0.5, 0.0, 0}, {1.5, 0.0, 1}, {1.5, 1.0, 0}, {12.0, 0.0, 2}, {12.0, 3.0, 1}};
    double critical = PI * PI / 4.0;
    for (size_t i = 0; i < sizeof CASE / sizeof *CASE; i++) {
        ModelCase c =
            case_open("tree:\n"
                      "  - {rod: rod, length: 1, stiffness: [1, 1, 1, 1, 1, 1], inertia: [1e-3, "
                      "1e-3, 1e-3, 1, 1, 1], strain: {bend_z: 14},\n"
                      "     initial: {bend_z: \"%g*cos(%g*s)\"}}\n"
                      "loads:\n  - {force: [\"-t\", 0, 0], at: rod.tip}\n",
                      CASE[i].mode > 0.0 ? 1.5 * CASE[i].mode : 0.0, CASE[i].mode * PI / 2.0);
        ElvStaticsDef options = elv_model_statics(c.model);
        ElvError error;
        double t = CASE[i].load * critical;
        c.state->t = t;
        CHECK_STATUS(elv_statics_solve(c.model, c.state, t, &options, NULL, &error), &error);
        ElvStabilityReport modal;
        CHECK_STATUS(elv_stability(c.model, c.state, &modal, &error), &error);
        CHECK_TRUE(modal.n_negative == CASE[i].n_negative);
        CHECK_TRUE(check_same(&c) == CASE[i].n_negative);
        case_close(&c);
    }
}

// ---- shipped models

static ModelCase open_shipped(const char* name) {
    char path[512];
    ModelCase c = {0};
    ElvError error;
    snprintf(path, sizeof path, "%s/models/%s.yaml", ELVER_SOURCE_DIR, name);
    CHECK_STATUS(elv_model_read_file(path, NULL, 0, &c.model, &error), &error);
    CHECK_STATUS(elv_data_create(c.model, &c.data, &error), &error);
    CHECK_STATUS(elv_state_create(c.model, &c.state, &error), &error);
    c.nv = c.state->nv;
    return c;
}

// rolled up and bent beams, tendon robots; loads without potential are told as such
static void test_shipped_models(void** unused) {
    (void)unused;
    static const char* const NAME[] = {"rollup",         "bend45",          "bend45-inextensible",
                                       "follower-force", "cable-parallel",  "cable-convergent",
                                       "cable-spiral",   "cable-truncated", "tacr-convergent",
                                       "tacr-spiral"};
    int n_conservative = 0;
    for (size_t i = 0; i < sizeof NAME / sizeof *NAME; i++) {
        ModelCase c = open_shipped(NAME[i]);
        ElvStaticsDef options = elv_model_statics(c.model);
        ElvError error;
        for (int k = 0; k < options.n_load; k += 2) {
            CHECK_STATUS(
                elv_statics_solve(c.model, c.state, options.load[k], &options, NULL, &error),
                &error);
            CHECK_TRUE(check_same(&c) == 0 || !judge(&c).is_conservative);
            n_conservative += judge(&c).is_conservative;
        }
        case_close(&c);
    }
    CHECK_TRUE(n_conservative > 15);
}

// a beam rolled up in its plane several times, where the torque has a potential
static void test_rolled_up_in_the_plane(void** unused) {
    (void)unused;
    ModelCase c =
        case_open("tree:\n"
                  "  - {rod: rod, length: 1, stiffness: [1, 1, 1, 1, 1, 1], inertia: [1e-3, 1e-3, "
                  "1e-3, 1, 1, 1], strain: {bend_z: 2, stretch: 1, shear_y: 1}}\n"
                  "loads:\n  - {torque: [0, 0, \"t\"], at: rod.tip}\n");
    for (int k = 1; k <= 3; k++) {
        ElvStaticsDef options = elv_model_statics(c.model);
        ElvError error;
        CHECK_STATUS(elv_statics_solve(c.model, c.state, 2.0 * PI * k, &options, NULL, &error),
                     &error);
        CHECK_TRUE(check_same(&c) == 0);
        ElvConjugateReport report = judge(&c);
        CHECK_TRUE(report.stability == ELV_STABILITY_STABLE && report.n_point == 0);
    }
    case_close(&c);
}

// a tendon robot that stands against gravity: the straight one falls when it is too heavy, and the tendon makes
// it bend; by modes and by shooting
static void test_standing_tendon_robot(void** unused) {
    (void)unused;
    int seen[2] = {0};
    for (int k = 0; k < 6; k++) {
        double mass = 0.01 + 0.04 * k;
        ModelCase c =
            case_open("gravity: [-9.81, 0, 0]\n"
                      "tree:\n"
                      "  - {rod: rod, length: 0.4, section: {circle: {radius: 2e-3}}, material: "
                      "{density: 2000, young: 2e9, poisson: 0.3},\n"
                      "     strain: {extensible_kirchhoff: 8}}\n"
                      "  - {body: ball, parent: rod.tip, mass: %g, inertia: [1e-5, 1e-5, 1e-5]}\n"
                      "actuators:\n"
                      "  - {tendon: a, path: {rod: rod, y: \"0.01*(1 - 0.5*s)\", z: 0.002, "
                      "outside: true}, tension: \"t\"}\n"
                      "  - {tendon: b, path: {rod: rod, y: \"-0.01*(1 - 0.5*s)\", z: -0.002, "
                      "outside: true}, tension: \"t\"}\n",
                      mass);
        ElvStaticsDef options = elv_model_statics(c.model);
        ElvShooting* shooting;
        ElvConjugateReport report;
        ElvError error;
        CHECK_STATUS(elv_shoot_create(c.model, &options, &shooting, &error), &error);
        CHECK_STATUS(elv_shoot_statics(shooting, 20.0, &error), &error);
        CHECK_STATUS(elv_conjugate_points_shooting(shooting, &report, &error), &error);
        // the same equilibrium with modes: that nearest to the one found
        elv_shoot_hand_out(shooting, c.data, c.state);
        ElvStabilityReport modal;
        CHECK_STATUS(elv_stability(c.model, c.state, &modal, &error), &error);
        CHECK_TRUE(report.is_conservative && modal.is_conservative);
        CHECK_TRUE(report.n_negative == modal.n_negative && report.stability == modal.stability);
        seen[report.n_negative > 0]++;
        elv_shoot_free(shooting);
        case_close(&c);
    }
    CHECK_TRUE(seen[0] > 0 && seen[1] > 0);
}

// ---- between two clamps

typedef struct {
    const ElvModel* model;
    ElvData* data;
    const ElvState* state;
    const ElvModel* open; // the same rod without the loop
    int n_seen, n_stable;
} Clamped;

static void loop_section(void* user, int i_node, double s, ElvPose* pose, ElvWrench* lam) {
    const Clamped* c = user;
    elv_rod_section(c->model, c->data, c->state, i_node, s, pose, NULL, lam);
}

static bool compare(void* user, const ElvModel* model, ElvData* data, const ElvState* state) {
    Clamped* c = user;
    ElvStabilityReport modal;
    ElvConjugateReport report;
    ElvError error;
    c->model = model;
    c->data = data;
    c->state = state;
    ElvEquilibrium equilibrium = {.is_tip_held = true, .section = loop_section, .user = c};
    CHECK_STATUS(elv_stability(model, state, &modal, &error), &error);
    CHECK_STATUS(elv_conjugate_points(c->open, &equilibrium, 0, &report, &error), &error);
    CHECK_TRUE(report.is_stiff && report.is_conservative && modal.is_conservative);
    CHECK_TRUE(report.stability == modal.stability && report.n_negative == modal.n_negative);
    c->n_seen++;
    c->n_stable += report.stability == ELV_STABILITY_STABLE;
    return true;
}

// a flat rod clamped at both ends, bent, then turned by one end: with modes and a closed loop, and as a chain whose
// tip is held. A round one could turn about the line between its clamps
#define FLAT                                                                                       \
    "  - {rod: rod, length: 1, stiffness: [0.8, 1, %g, 200, 100, 100], inertia: [1e-3, 1e-3, "     \
    "1e-3, 1, 1, 1], strain: {reissner: %d}}\n"

static void test_rod_between_clamps(void** unused) {
    (void)unused;
    for (int i = 0; i < 3; i++) {
        static const double WEAK[3] = {0.5, 0.9, 1.4};
        ModelCase c = case_open("tree:\n" FLAT "loops:\n"
                                "  - {loop: clamp, between: [world, rod.tip], joint: fixed,\n"
                                "     pose: {xyz: [\"1 - 0.3*min(t, 1)\", 0.05, 0.02], rpy: "
                                "[\"4*max(0, t - 1)\", 0, 0]}}\n"
                                "statics: {loads: [0, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.6, "
                                "1.8, 2, 2.2, 2.4, 2.6, 2.8, 3]}\n",
                                WEAK[i], 10);
        ModelCase open = case_open("tree:\n" FLAT, WEAK[i], 1);
        Clamped clamped = {.open = open.model};
        ElvStaticsOptions options = elv_statics_options_default(c.model);
        ElvError error;
        options.record = compare;
        options.user = &clamped;
        CHECK_STATUS(elv_statics_run(c.model, c.state, &options, NULL, &error), &error);
        CHECK_TRUE(clamped.n_seen == 17 && clamped.n_stable > 2 && clamped.n_stable < 15);
        case_close(&open);
        case_close(&c);
    }
}

// a round rod between clamps on one line may turn about it, as a whole and within itself: its equilibria are neutral.
// Off the line they are not
static void test_round_rod_between_clamps(void** unused) {
    (void)unused;
    ModelCase c = case_open("tree:\n  - {rod: rod, length: 1, stiffness: [0.8, 1, 1, 500, 200, "
                            "200], inertia: [1, 1, 1, 1, 1, 1], strain: {reissner: 1}}\n");
    ElvStaticsDef options = elv_model_statics(c.model);
    ElvShooting* shooting;
    ElvConjugateReport report;
    ElvError error;
    CHECK_STATUS(elv_shoot_create(c.model, &options, &shooting, &error), &error);
    // from an arc of one radian to a bow between clamps on one line
    for (int k = 20; k >= 0; k--) {
        double share = k / 20.0;
        ElvPose tip =
            elv_pose(elv_so3_exp(elv_vec3(0.0, 0.0, share)),
                     elv_vec3(0.8 + share * (sin(1.0) - 0.8), share * (1.0 - cos(1.0)), 0.0));
        elv_shoot_hold_tip(shooting, &tip);
        CHECK_STATUS(elv_shoot_statics(shooting, 0.0, &error), &error);
        CHECK_STATUS(elv_conjugate_points_shooting(shooting, &report, &error), &error);
        CHECK_TRUE(report.is_conservative && report.defect < 1e-8);
        CHECK_TRUE(report.stability == (k > 0 ? ELV_STABILITY_STABLE : ELV_STABILITY_UNKNOWN));
    }
    // one direction, whose conjugate point is the root itself
    CHECK_TRUE(report.n_negative <= 1);
    CHECK_TRUE(report.n_point == 0 || report.point[0].s < 1e-6);
    elv_shoot_free(shooting);
    case_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns_with_bodies),
        cmocka_unit_test(test_bent_columns),
        cmocka_unit_test(test_bent_on_a_joint),
        cmocka_unit_test(test_shipped_models),
        cmocka_unit_test(test_rolled_up_in_the_plane),
        cmocka_unit_test(test_standing_tendon_robot),
        cmocka_unit_test(test_rod_between_clamps),
        cmocka_unit_test(test_round_rod_between_clamps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
