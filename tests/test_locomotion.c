// SPDX-License-Identifier: Apache-2.0
// Classes of robots [ALI table 3.1] from the rank of their constraints, and imposed motions that
// constraints do not allow: found before anything moves, with the constraint and the slip it would
// need.
#include "locomotion_case.h"

// ---- parts of model texts

#define PLANAR "  - {body: base, joint: planar, mass: 2, inertia: [1, 1, 1]}\n"
#define AXLE(name, x, law)                                                                         \
    "  - {body: " name ", parent: base, pose: {xyz: [" x                                           \
    ", 0, 0]}, joint: {revolute: {axis: z, motion: \"" law                                         \
    "\"}}, mass: 0.1, inertia: [1, 1, 1]}\n"
#define WHEEL(name, at) "  - {wheel: " name ", at: " at ", radius: 0.1}\n"
#define DRIVEN(name, at, law)                                                                      \
    "  - {wheel: " name ", at: " at ", radius: 0.1, rotation: \"" law "\"}\n"

/// What is known of a robot.
typedef struct {
    const char* text;
    ElvLocomotionClass kind;
    const char* group;
    int n_group, n_other, n_imposed;
    int n_row, rank, n_kernel, n_actuated, n_free;
    const char* word; // of the reason
} Robot;

static const Robot robots[] = {
    // an arm on an imposed base
    {"tree:\n  - {body: base, joint: {revolute: {motion: \"sin(t)\"}}, mass: 1, inertia: [1, 1, "
     "1]}\n",
     ELV_LOCOMOTION_IMPOSED, "", 0, 0, 1, 0, 0, 0, 0, 0, "torques alone"},
    // a satellite, and the same as a pendulum
    {"tree:\n  - {body: base, joint: spherical, mass: 1, inertia: [1, 1, 1]}\n"
     "  - {body: rotor, parent: base, joint: {revolute: {motion: \"t\"}}, mass: 1, inertia: [1, 1, "
     "1]}\n",
     ELV_LOCOMOTION_FLOATING, "SO(3)", 3, 0, 1, 0, 0, 3, 0, 3, "mechanical connection"},
    {"gravity: [0, 0, -9.81]\n"
     "tree:\n  - {body: base, joint: spherical, mass: 1, center: [0.1, 0, 0], inertia: [1, 1, 1]}\n"
     "  - {body: rotor, parent: base, joint: {revolute: {motion: \"t\"}}, mass: 1, inertia: [1, 1, "
     "1]}\n",
     ELV_LOCOMOTION_FORCED, "SO(3)", 3, 0, 1, 0, 0, 3, 0, 3, "follow from the dynamics"},
    // gravity that the ground takes is no force on what is free
    {"gravity: [0, 0, -9.81]\ntree:\n" PLANAR AXLE("a", "0.2", "sin(t)"), ELV_LOCOMOTION_FLOATING,
     "SE(2)", 3, 0, 1, 0, 0, 3, 0, 3, "mechanical connection"},
    // two passive axles: a snakeboard without a rider
    {"tree:\n" PLANAR AXLE("a", "0.2", "0.5*sin(t)")
         AXLE("b", "-0.2", "-0.5*sin(t)") "constraints:\n" WHEEL("wa", "a") WHEEL("wb", "b"),
     ELV_LOCOMOTION_UNDER, "SE(2)", 3, 0, 2, 2, 2, 1, 0, 1, "reduced dynamics"},
    // three passive axles, that meet in one point at t = 0
    {"tree:\n" PLANAR AXLE("a", "0.2", "sin(t)") AXLE("b", "-0.2", "0.5*sin(t)")
         AXLE("c", "0", "0") "constraints:\n" WHEEL("wa", "a") WHEEL("wb", "b") WHEEL("wc", "c"),
     ELV_LOCOMOTION_CONSTRAINED, "SE(2)", 3, 0, 3, 3, 3, 0, 0, 0, "kinematic connection"},
    // two axles, one wheel driven: a car
    {"tree:\n" PLANAR AXLE("a", "0.2", "0.5*sin(t)") "constraints:\n" WHEEL("front", "a")
         DRIVEN("back", "base", "3*t"),
     ELV_LOCOMOTION_ACTUATED, "SE(2)", 3, 0, 1, 3, 3, 1, 1, 0, "shape and motors"},
    // one driven wheel, one that rolls: a unicycle
    {"tree:\n" PLANAR "constraints:\n" DRIVEN("left", "base", "3*t"), ELV_LOCOMOTION_MIXED, "SE(2)",
     3, 0, 0, 2, 2, 2, 1, 1, "reduced dynamics"},
    // a trailer whose joint is passive
    {"tree:\n" PLANAR "  - {body: trailer, parent: base, pose: {xyz: [-0.5, 0, 0]}, joint: "
     "revolute, mass: 1, inertia: [1, 1, 1]}\n"
     "frames: [{name: axle, on: trailer, pose: {xyz: [-0.4, 0, 0]}}]\n"
     "constraints:\n" DRIVEN("back", "base", "3*t") WHEEL(
         "behind",
         "axle") "  - {velocity: steered, at: base, rows: [[0, 0, 1, 0, 0, 0]], equals: 0.1}\n",
     ELV_LOCOMOTION_ACTUATED, "SE(2)", 3, 1, 0, 4, 4, 1, 1, 0, "passive joints"},
    // along a rail
    {"tree:\n  - {body: base, joint: {prismatic: {axis: x}}, mass: 1, inertia: [1, 1, 1]}\n"
     "constraints:\n" DRIVEN("w", "base", "t"),
     ELV_LOCOMOTION_ACTUATED, "R", 1, 0, 0, 2, 1, 1, 1, 0, "shape and motors"},
};

static void test_classes(void** unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof robots / sizeof robots[0]; i++) {
        const Robot* robot = &robots[i];
        ModelCase c = case_open("%s", robot->text);
        ElvLocomotionReport report;
        ElvError error;
        CHECK_STATUS(elv_locomotion_classify(c.model, c.state, &report, &error), &error);
        if (report.kind != robot->kind || !strstr(report.reason, robot->word)) {
            print_error("robot %zu: %s: %s\n", i, elv_locomotion_class_text(report.kind),
                        report.reason);
            fail();
        }
        assert_string_equal(report.group, robot->group);
        assert_int_equal(report.n_group, robot->n_group);
        assert_int_equal(report.n_other, robot->n_other);
        assert_int_equal(report.n_imposed, robot->n_imposed);
        assert_int_equal(report.n_row, robot->n_row);
        assert_int_equal(report.rank, robot->rank);
        assert_int_equal(report.n_redundant, robot->n_row - robot->rank);
        assert_int_equal(report.n_kernel, robot->n_kernel);
        assert_int_equal(report.n_actuated, robot->n_actuated);
        assert_int_equal(report.n_free, robot->n_free);
        case_close(&c);
    }
}

// rows that depend on each other for an instant
static void test_singular(void** unused) {
    (void)unused;
    ModelCase c = case_open("%s", robots[5].text);
    ElvLocomotionReport report;
    ElvError error;
    CHECK_STATUS(elv_locomotion_classify(c.model, c.state, &report, &error), &error);
    CHECK_TRUE(report.is_singular);
    c.state->t = 0.5;
    CHECK_STATUS(elv_locomotion_classify(c.model, c.state, &report, &error), &error);
    CHECK_TRUE(!report.is_singular);
    assert_int_equal(report.n_wheel, 3);
    assert_int_equal(report.n_motor, 0);
    assert_string_equal(report.root, "base");
    case_close(&c);
}

static void test_examples(void** unused) {
    (void)unused;
    static const struct {
        const char* name;
        ElvLocomotionClass kind;
        int rank;
    } example[] = {{"satellite", ELV_LOCOMOTION_FLOATING, 0},
                   {"snakeboard", ELV_LOCOMOTION_UNDER, 2},
                   {"snake-wheeled", ELV_LOCOMOTION_CONSTRAINED, 10},
                   {"four-bar", ELV_LOCOMOTION_CONSTRAINED, 2},
                   {"knife-edge", ELV_LOCOMOTION_UNDER, 1}};
    for (size_t i = 0; i < sizeof example / sizeof example[0]; i++) {
        ElvModel* model = constraint_model(example[i].name);
        ElvState* state = NULL;
        ElvLocomotionReport report;
        ElvError error;
        CHECK_STATUS(elv_state_create(model, &state, &error), &error);
        CHECK_STATUS(elv_close_loops(model, state, NULL, &error), &error);
        CHECK_STATUS(elv_locomotion_classify(model, state, &report, &error), &error);
        assert_int_equal(report.kind, example[i].kind);
        assert_int_equal(report.rank, example[i].rank);
        elv_state_free(state);
        elv_model_free(model);
    }
}

// ---- compatibility

static ElvStatus ask(const char* text, double t_end, ElvCompatibility* report, ElvError* error) {
    ModelCase c = case_open("%s", text);
    ElvStatus status = elv_locomotion_compatibility(c.model, c.state, t_end, report, error);
    // names live in the model
    report->constraint = report->constraint[0] ? "some" : "";
    case_close(&c);
    return status;
}

// two motors that want 1 and 1.2 m/s of one body: 0.1 m/s each at the least
static void test_motors(void** unused) {
    (void)unused;
    ElvCompatibility report;
    ElvError error;
    assert_int_equal(ask("tree:\n" PLANAR "constraints:\n" DRIVEN("a", "base", "10*t")
                             DRIVEN("b", "base", "12*t"),
                         1.0, &report, &error),
                     ELV_ERROR_NUMERIC);
    CHECK_TRUE(!report.is_compatible);
    CHECK_NEAR(report.slip, 0.1, 1e-12);
    assert_string_equal(report.constraint, "some");
    CHECK_TRUE(strstr(error.message, "would have to slip by 0.1 m/s"));
    // later only
    assert_int_equal(ask("tree:\n" PLANAR "constraints:\n" DRIVEN("a", "base", "10*t")
                             DRIVEN("b", "base", "10*t + if(t < 5, 0, (t - 5)^2)"),
                         10.0, &report, &error),
                     ELV_ERROR_NUMERIC);
    // at the end 10 rad/s more of the one: 0.5 m/s each
    CHECK_NEAR(report.slip, 0.5, 1e-2);
    CHECK_TRUE(report.t > 9.5 && report.n_sample > 50);
    // agreement
    CHECK_STATUS(ask("tree:\n" PLANAR "constraints:\n" DRIVEN("a", "base", "10*t")
                         DRIVEN("b", "base", "10*t"),
                     10.0, &report, &error),
                 &error);
    CHECK_TRUE(report.is_compatible && report.slip == 0.0);
    assert_string_equal(report.constraint, "");
    // no number after 0.5 s: that is no slip
    assert_int_equal(ask("tree:\n" PLANAR "constraints:\n" DRIVEN("a", "base", "sqrt(0.5 - t)")
                             DRIVEN("b", "base", "sqrt(0.5 - t)"),
                         1.0, &report, &error),
                     ELV_ERROR_NUMERIC);
    CHECK_TRUE(!report.is_compatible && !strstr(error.message, "slip"));
    assert_string_equal(report.constraint, "");
    assert_string_equal(error.element, "a");
    // nor is it one of a single wheel, which agrees with all that is a number
    assert_int_equal(ask("tree:\n" PLANAR "constraints:\n" DRIVEN("a", "base", "sqrt(0.5 - t)"),
                         1.0, &report, &error),
                     ELV_ERROR_NUMERIC);
    CHECK_TRUE(!report.is_compatible && !strstr(error.message, "slip"));
    assert_string_equal(error.element, "a");
}

// contacts count while they act: none up to 0.2 s, then an anchor
static void test_late_contact(void** unused) {
    (void)unused;
    ModelCase c =
        case_open("tree:\n"
                  "  - {body: head, joint: planar}\n"
                  "  - {rod: worm, parent: head, length: 1, inertia: [1e-3, 1e-3, 1e-3, 1, 1, 1],\n"
                  "     motion: {bend_z: \"sin(t)*cos(3*s)\"}}\n"
                  "constraints:\n"
                  "  - {contact: foot, rod: worm, type: anchor, station: 0, while: \"t >= 0.2\"}\n"
                  "simulate: {method: explicit, duration: %s}\n",
                  "1");
    ElvLocomotionReport report;
    ElvError error;
    for (int is_late = 0; is_late < 2; is_late++) {
        c.state->t = is_late ? 0.3 : 0.0;
        CHECK_STATUS(elv_locomotion_classify(c.model, c.state, &report, &error), &error);
        assert_int_equal(report.kind,
                         is_late ? ELV_LOCOMOTION_CONSTRAINED : ELV_LOCOMOTION_FLOATING);
        assert_int_equal(report.n_row, is_late ? 6 : 0);
        assert_int_equal(report.rank, is_late ? 3 : 0);
        assert_int_equal(report.n_free, is_late ? 0 : 3);
        CHECK_TRUE(!report.is_singular);
    }
    case_close(&c);
}

// a push that comes later is an external force
static void test_late_force(void** unused) {
    (void)unused;
    static const char text[] = "tree:\n" PLANAR AXLE(
        "a", "0.2", "sin(t)") "loads:\n"
                              "  - {at: base, force: [\"if(t < 3, 0, 1)\", 0, 0]}\n"
                              "simulate: {duration: %s}\n";
    for (int is_long = 0; is_long < 2; is_long++) {
        ModelCase c = case_open(text, is_long ? "5" : "2");
        ElvLocomotionReport report;
        ElvError error;
        CHECK_STATUS(elv_locomotion_classify(c.model, c.state, &report, &error), &error);
        assert_int_equal(report.kind, is_long ? ELV_LOCOMOTION_FORCED : ELV_LOCOMOTION_FLOATING);
        case_close(&c);
    }
}

// a fourth axle of a snake whose joints are all imposed; where one is passive there is nothing to
// say, up to the instant at which the other three meet in a point
static void test_fourth_axle(void** unused) {
    (void)unused;
    static const char chain[] =
        "tree:\n"
        "  - {body: b0, joint: planar, mass: 1, inertia: [1, 1, 1]}\n"
        "  - {body: b1, parent: b0, pose: {xyz: [1, 0, 0]}, joint: {revolute: {axis: z, motion: "
        "\"0.5*sin(t)\"}},\n"
        "     mass: 1, inertia: [1, 1, 1]}\n"
        "  - {body: b2, parent: b1, pose: {xyz: [1, 0, 0]}, joint: {revolute: {axis: z, motion: "
        "\"0.5*sin(t + 1)\"}},\n"
        "     mass: 1, inertia: [1, 1, 1]}\n"
        "  - {body: b3, parent: b2, pose: {xyz: [1, 0, 0]}, joint: {revolute: {axis: z%s}},\n"
        "     mass: 1, inertia: [1, 1, 1]}\n"
        "frames: [{name: a3, on: b3, pose: {xyz: [0.5, 0, 0]}}]\n"
        "constraints:\n" WHEEL("w0", "b0") WHEEL("w1", "b1") WHEEL("w2", "b2")
            WHEEL("w3", "a3") "simulate: {method: explicit, duration: 5}\n";
    for (int is_free = 0; is_free < 2; is_free++) {
        ModelCase c = case_open(chain, is_free ? "" : ", motion: \"0.5*sin(t + 2)\"");
        ElvCompatibility report;
        ElvError error;
        ElvStatus status = elv_locomotion_compatibility(c.model, c.state, 5.0, &report, &error);
        assert_int_equal(status, ELV_ERROR_NUMERIC);
        if (is_free) {
            // zeros of the determinant of the three rows, with the rank of [rows, rates] one more
            CHECK_NEAR(report.t, report.t < 3.0 ? 1.1579 : 4.2995, 2e-4);
            CHECK_STATUS(elv_locomotion_compatibility(c.model, c.state, 1.1, &report, &error),
                         &error);
        } else {
            CHECK_TRUE(report.slip > 0.01 && report.constraint[0] == 'w');
            // a run says so before it starts
            ElvSimulateOptions options = elv_simulate_options_default(c.model, c.state);
            for (int i = 0; i < 2; i++) {
                options.method.method = i == 0 ? ELV_METHOD_EXPLICIT : ELV_METHOD_GENERALIZED_ALPHA;
                ElvIntegratorReport run = {.n_step = -1};
                assert_int_equal(elv_simulate(c.model, c.state, &options, &run, &error),
                                 ELV_ERROR_NUMERIC);
                CHECK_TRUE(strstr(error.message, "would have to slip"));
                CHECK_TRUE(error.element[0] == 'w' && run.n_step == 0 && c.state->t == 0.0);
            }
        }
        case_close(&c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_classes),      cmocka_unit_test(test_singular),
        cmocka_unit_test(test_examples),     cmocka_unit_test(test_motors),
        cmocka_unit_test(test_fourth_axle),  cmocka_unit_test(test_late_force),
        cmocka_unit_test(test_late_contact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
