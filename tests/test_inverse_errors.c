// SPDX-License-Identifier: Apache-2.0
// Mechanisms whose efforts the imposed motion does not determine, or that cannot move as asked: errors name the
// joint, rod or loop, and what was found before is kept.
#include "inverse_case.h"

#define LINK "mass: 0.7, center: [0.1, 0.02, 0.01], inertia: [0.002, 0.006, 0.007]"

// a four-bar: joint of the crank, its length, joint of the rocker, more of the loop, more of the tree
static const char four_bar[] =
    "gravity: [0, -9.81, 0]\n"
    "tree:\n"
    "  - {body: crank, joint: {revolute: {axis: z, %s}}, " LINK "}\n"
    "  - {body: coupler, parent: crank, pose: {xyz: [%g, 0, 0]},\n"
    "     joint: {revolute: {axis: z, position: 0.37}}, " LINK "}\n"
    "  - {body: rocker, pose: {xyz: [0.4, 0, 0]}, joint: {revolute: {axis: z, %s}}, " LINK "}\n"
    "%s"
    "frames:\n"
    "  - {name: coupler_end, on: coupler, pose: {xyz: [0.35, 0, 0]}}\n"
    "  - {name: rocker_end, on: rocker, pose: {xyz: [0.25, 0, 0]}}\n"
    "loops:\n"
    "  - {loop: pin, between: [coupler_end, rocker_end], joint: {revolute: {axis: z}}%s}\n";

static const char turning[] = "motion: \"0.3 + 3*t\"";
static const char loose_rocker[] = "position: 1.7";

static void check_text(const char* text, const char* part) {
    if (!strstr(text, part)) {
        print_error("'%s' is not in '%s'\n", part, text);
        fail();
    }
}

// the first sample fails with a status, an element and words; the state stays
static void check_refused(ModelCase c, ElvStatus status, const char* element, const char* words) {
    double tau[INVERSE_MAX];
    double q[INVERSE_MAX + 4];
    ElvInverse* solver = NULL;
    ElvError error;
    size_t nq = (size_t)c.state->nq;
    CHECK_TRUE(nq <= INVERSE_MAX + 4);
    CHECK_STATUS(elv_inverse_create(c.model, &solver, &error), &error);
    memcpy(q, c.state->q, nq * sizeof *q);
    CHECK_TRUE(elv_inverse_at(solver, 0.0, c.state, tau, &error) == status);
    assert_string_equal(error.element, element);
    check_text(error.message, words);
    check_text(error.message, element);
    CHECK_ARRAY_NEAR(c.state->q, q, nq, 0.0);
    elv_inverse_free(solver);
    case_close(&c);
}

// ---- motions that are left open

static void test_free_motion(void** context) {
    (void)context;
    // nothing leads the linkage: the joint next to the ground is named
    check_refused(case_open(four_bar, "position: 0.3", 0.1, loose_rocker, "", ""),
                  ELV_ERROR_SINGULAR, "crank", "impose its joint");
    // a pendulum beside it is on its own, however many constraints repeat each other in the loop
    check_refused(
        case_open(four_bar, turning, 0.1, loose_rocker,
                  "  - {body: weight, parent: coupler, joint: {revolute: {axis: z}}, " LINK "}\n",
                  ""),
        ELV_ERROR_SINGULAR, "weight", "moves freely");
    // without loops
    check_refused(case_open("tree:\n  - {body: ball, joint: free, mass: 1, inertia: [1, 1, 1]}\n"),
                  ELV_ERROR_SINGULAR, "ball", "moves freely");
    // a joint that nothing resists at all
    check_refused(case_open("tree:\n  - {body: bar, joint: {revolute: {axis: z}}}\n"),
                  ELV_ERROR_SINGULAR, "bar", "moves freely");
}

static void test_free_rod(void** context) {
    (void)context;
    check_refused(case_open("tree:\n"
                            "  - {rod: arm, length: 0.5, section: {circle: {radius: 0.01}},\n"
                            "     material: {density: 1000, young: 1e7}, strain: {bend_z: 2},\n"
                            "     joint: {revolute: {axis: z, motion: t}}}\n"
                            "loops: [{loop: hold, between: [world, arm.tip], joint: planar}]\n"),
                  ELV_ERROR_SINGULAR, "arm", "leave out its modes");
}

// a coupler between two balls may spin about its own axis
static void test_idle_spin(void** context) {
    (void)context;
    check_refused(
        case_open("tree:\n"
                  "  - {body: crank, joint: {revolute: {axis: z, motion: \"3*t\"}}, " LINK "}\n"
                  "  - {body: coupler, parent: crank, pose: {xyz: [0.05, 0, 0.05]}, " LINK ",\n"
                  "     joint: spherical}\n"
                  "  - {body: rocker, pose: {xyz: [0.45, -0.1, 0.05], rpy: [0.3, 0.2, 2.0]}, " LINK
                  ",\n"
                  "     joint: {revolute: {axis: z}}}\n"
                  "frames:\n"
                  "  - {name: coupler_end, on: coupler, pose: {xyz: [0.4, 0, 0]}}\n"
                  "  - {name: rocker_end, on: rocker, pose: {xyz: [0.3, 0.02, 0]}}\n"
                  "loops: [{loop: ball, between: [coupler_end, rocker_end], joint: spherical}]\n"),
        ELV_ERROR_SINGULAR, "coupler", "moves freely");
}

// ---- efforts that are left open

// a parallelogram: law of the left crank, joint of the right one
static const char parallelogram[] =
    "tree:\n"
    "  - {body: left, joint: {revolute: {axis: z, motion: \"%s\"}}, " LINK "}\n"
    "  - {body: bar, parent: left, pose: {xyz: [0.2, 0, 0]}, " LINK ",\n"
    "     joint: {revolute: {axis: z, position: -1}}}\n"
    "  - {body: right, pose: {xyz: [0.5, 0, 0]}, joint: {revolute: {axis: z, %s}}, " LINK "}\n"
    "frames:\n"
    "  - {name: bar_end, on: bar, pose: {xyz: [0.5, 0, 0]}}\n"
    "  - {name: right_end, on: right, pose: {xyz: [0.2, 0, 0]}}\n"
    "loops: [{loop: pin, between: [bar_end, right_end], joint: {revolute: {axis: z}}}]\n";

// two drives of one freedom may push against each other; a parallelogram lets both turn alike
static void test_rival_drives(void** context) {
    (void)context;
    ModelCase c = case_open(parallelogram, "1 + t", "motion: \"1 + t\"");
    double tau[3];
    ElvInverse* solver = NULL;
    ElvError error;
    CHECK_STATUS(elv_inverse_create(c.model, &solver, &error), &error);
    CHECK_TRUE(elv_inverse_at(solver, 0.0, c.state, tau, &error) == ELV_ERROR_SINGULAR);
    CHECK_TRUE(strcmp(error.element, "left") == 0 || strcmp(error.element, "right") == 0);
    check_text(error.message, "other drives work against it");
    elv_inverse_free(solver);
    case_close(&c);
    // with one of them all is determined
    InverseCase one = {.model = case_open(parallelogram, "1 + t", "position: 1")};
    inverse_start(&one);
    inverse_solve(&one, 0.3);
    CHECK_NEAR(one.model.state->q[2], 1.3, 1e-12);
    inverse_close(&one);
}

// ---- constraints that do not tell positions

static void check_loose(ModelCase c, const char* element) {
    ElvInverse* solver = NULL;
    ElvError error;
    CHECK_TRUE(elv_inverse_create(c.model, &solver, &error) == ELV_ERROR_INPUT);
    CHECK_TRUE(solver == NULL);
    assert_string_equal(error.element, element);
    check_text(error.message, "simulate");
    case_close(&c);
}

static void test_loose(void** context) {
    (void)context;
    check_loose(
        case_open(four_bar, turning, 0.1, loose_rocker, "", ", closure: penalty, penalty: 1e5"),
        "pin");
    check_loose(case_open("tree:\n"
                          "  - {body: skate, joint: {planar: {axis: z}}, " LINK "}\n"
                          "constraints: [{velocity: blade, at: skate, direction: y}]\n"),
                "blade");
}

// ---- mechanisms that cannot move as asked

// A crank of 0.3 m cannot turn: beyond |d + a e(theta)| = b + c the links do not reach
static void test_dead_point(void** context) {
    (void)context;
    ModelCase c = case_open(four_bar, turning, 0.3, loose_rocker, "", "");
    ElvInverseOptions options = elv_inverse_options_default(c.model);
    ElvInverseReport report;
    ElvError error;
    options.duration = 2.0;
    options.every = 0.05;
    // a^2 + d^2 - 2 a d cos(theta) = (b + c)^2
    double theta = acos((0.09 + 0.16 - 0.36) / 0.24);
    double t_dead = (theta - 0.3) / 3.0;
    CHECK_TRUE(elv_inverse_run(c.model, c.state, &options, &report, &error) == ELV_ERROR_NUMERIC);
    assert_string_equal(error.element, "pin");
    check_text(error.message, "'pin' cannot be closed at t = 0.6");
    check_text(error.message, "dead point");
    // how far it came: almost there, where speeds are without bound
    const char* at = strstr(error.message, "followed to t = ");
    CHECK_TRUE(at != NULL);
    CHECK_NEAR(strtod(at + strlen("followed to t = "), NULL), t_dead, 1e-5);
    // the last good sample
    double t_last = 0.05 * floor(t_dead / 0.05);
    CHECK_NEAR(c.state->t, t_last, 1e-12);
    CHECK_TRUE(report.n_sample == (long)lround(t_last / 0.05) + 1);
    CHECK_NEAR(c.state->q[0], 0.3 + 3.0 * t_last, 1e-12);
    case_close(&c);
}

// led by the rocker, the linkage has a dead point where crank and coupler are in line
static void test_dead_crank(void** context) {
    (void)context;
    // |d + c e(psi)| = a + b
    double psi = acos((0.45 * 0.45 - 0.16 - 0.0625) / 0.2);
    char motion[96];
    (void)snprintf(motion, sizeof motion, "motion: \"%.17g + 0.3*(1 - t)\"", psi);
    ModelCase c = case_open(four_bar, "position: 0.9", 0.1, motion, "", "");
    double tau[3];
    ElvInverse* solver = NULL;
    ElvError error;
    CHECK_STATUS(elv_inverse_create(c.model, &solver, &error), &error);
    CHECK_STATUS(elv_inverse_at(solver, 0.5, c.state, tau, &error), &error);
    double q = c.state->q[0];
    CHECK_TRUE(elv_inverse_at(solver, 1.1, c.state, tau, &error) == ELV_ERROR_NUMERIC);
    assert_string_equal(error.element, "pin");
    CHECK_NEAR(c.state->q[0], q, 0.0);
    CHECK_NEAR(c.state->t, 0.5, 0.0);
    elv_inverse_free(solver);
    case_close(&c);
}

// a flat parallelogram may go on in two ways, and loads of its bar are carried by none of its joints
static void test_singular_position(void** context) {
    (void)context;
    ModelCase c = case_open(parallelogram, "0.5 - t", "position: 0.5");
    double tau[3];
    ElvInverse* solver = NULL;
    ElvError error;
    CHECK_STATUS(elv_inverse_create(c.model, &solver, &error), &error);
    CHECK_STATUS(elv_inverse_at(solver, 0.4, c.state, tau, &error), &error);
    CHECK_TRUE(elv_inverse_at(solver, 0.5, c.state, tau, &error) == ELV_ERROR_SINGULAR);
    check_text(error.message, "at t = 0.5 the mechanism is in a singular position");
    CHECK_TRUE(strcmp(error.element, "bar") == 0 || strcmp(error.element, "right") == 0);
    // beyond it the parallelogram goes on
    CHECK_STATUS(elv_inverse_at(solver, 0.7, c.state, tau, &error), &error);
    CHECK_NEAR(c.state->q[2], -0.2, 1e-9);
    elv_inverse_free(solver);
    case_close(&c);
}

static void test_cannot_meet(void** context) {
    (void)context;
    check_refused(case_open(four_bar, "motion: \"3.1 + t\"", 0.3, loose_rocker, "", ""),
                  ELV_ERROR_NUMERIC, "pin", "cannot be closed at t = 0");
}

// a law that jumps would tear the loop
static void test_jump(void** context) {
    (void)context;
    ModelCase c =
        case_open(four_bar, "motion: \"if(t < 0.5, 0.3, 2.5)\"", 0.1, loose_rocker, "", "");
    double tau[3];
    ElvInverse* solver = NULL;
    ElvError error;
    CHECK_STATUS(elv_inverse_create(c.model, &solver, &error), &error);
    CHECK_STATUS(elv_inverse_at(solver, 0.4, c.state, tau, &error), &error);
    CHECK_TRUE(elv_inverse_at(solver, 0.6, c.state, tau, &error) == ELV_ERROR_NUMERIC);
    check_text(error.message, "jump after t = 0.5");
    elv_inverse_free(solver);
    case_close(&c);
}

static void test_bad_law(void** context) {
    (void)context;
    ModelCase c = case_open(four_bar, "motion: \"0.3 + sqrt(0.5 - t)\"", 0.1, loose_rocker, "", "");
    double tau[3];
    ElvInverse* solver = NULL;
    ElvError error;
    CHECK_STATUS(elv_inverse_create(c.model, &solver, &error), &error);
    CHECK_TRUE(elv_inverse_at(solver, 0.6, c.state, tau, &error) == ELV_ERROR_NUMERIC);
    CHECK_NEAR(c.state->t, 0.0, 0.0);
    elv_inverse_free(solver);
    case_close(&c);
}

static void test_bad_options(void** context) {
    (void)context;
    ModelCase c = case_open(four_bar, turning, 0.1, loose_rocker, "", "");
    ElvInverseOptions options = elv_inverse_options_default(c.model);
    ElvError error;
    ElvInverseReport report = {.n_sample = -1, .n_step = -1};
    options.every = 0.0;
    CHECK_TRUE(elv_inverse_run(c.model, c.state, &options, &report, &error) == ELV_ERROR_INPUT);
    CHECK_TRUE(report.n_sample == 0 && report.n_step == 0);
    options.every = 0.1;
    options.duration = -1.0;
    CHECK_TRUE(elv_inverse_run(c.model, c.state, &options, NULL, &error) == ELV_ERROR_INPUT);
    options.duration = options.t_start = 1.5e308;
    CHECK_TRUE(elv_inverse_run(c.model, c.state, &options, NULL, &error) == ELV_ERROR_INPUT);
    case_close(&c);
}

// times that no step leads to
static void test_bad_times(void** context) {
    (void)context;
    ModelCase c = case_open(four_bar, turning, 0.1, loose_rocker, "", "");
    const double bad[] = {NAN, INFINITY, -INFINITY};
    double tau[3];
    ElvInverse* solver = NULL;
    ElvError error;
    CHECK_STATUS(elv_inverse_create(c.model, &solver, &error), &error);
    for (int i = 0; i < 3; i++) {
        c.state->t = 0.0;
        CHECK_TRUE(elv_inverse_at(solver, bad[i], c.state, tau, &error) == ELV_ERROR_INPUT);
        check_text(error.message, "finite");
        c.state->t = bad[i];
        CHECK_TRUE(elv_inverse_at(solver, 0.0, c.state, tau, &error) == ELV_ERROR_INPUT);
        check_text(error.message, "finite");
    }
    // and it goes on
    c.state->t = 0.0;
    CHECK_STATUS(elv_inverse_at(solver, 0.1, c.state, tau, &error), &error);
    elv_inverse_free(solver);
    case_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_free_motion), cmocka_unit_test(test_free_rod),
        cmocka_unit_test(test_idle_spin),   cmocka_unit_test(test_rival_drives),
        cmocka_unit_test(test_loose),       cmocka_unit_test(test_dead_point),
        cmocka_unit_test(test_dead_crank),  cmocka_unit_test(test_singular_position),
        cmocka_unit_test(test_cannot_meet), cmocka_unit_test(test_jump),
        cmocka_unit_test(test_bad_law),     cmocka_unit_test(test_bad_options),
        cmocka_unit_test(test_bad_times),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
