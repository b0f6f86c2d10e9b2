// SPDX-License-Identifier: Apache-2.0
// Couplings of joints: rows and derivatives against differences, a gear train, a rack and a driven pinion with
// closed forms, an equilibrium over a gear, and what cannot be coupled.
#include "bad_file.h"
#include "constraint_case.h"
#include "elver/statics.h"

// coordinates of five joints, one of them at the root of a rod, one imposed
static const char text[] =
    "gravity: [0, 0, -9.81]\n"
    "tree:\n"
    "  - {body: base, joint: {planar: {axis: z}}, mass: 1, inertia: [0.1, 0.2, 0.15]}\n"
    "  - {body: arm, parent: base, pose: {xyz: [0.1, 0, 0]}, joint: {universal: {axis: x, axis2: "
    "y}},\n"
    "     mass: 1, center: [0.1, 0.2, 0], inertia: [0.1, 0.2, 0.15]}\n"
    "  - {body: crank, parent: arm, joint: {revolute: {axis: y, motion: \"sin(3*t)\"}}, mass: 1,\n"
    "     inertia: [0.1, 0.1, 0.1]}\n"
    "  - {body: slide, parent: crank, joint: {cylindrical: {axis: [1, 1, 0]}}, mass: 1,\n"
    "     center: [0, 0.1, 0], inertia: [0.1, 0.1, 0.1]}\n"
    "  - rod: whip\n"
    "    parent: slide\n"
    "    joint: {revolute: {axis: z}}\n"
    "    length: 0.5\n"
    "    section: {circle: {diameter: 0.02}}\n"
    "    material: {density: 1000, young: 1e6, poisson: 0.4}\n"
    "    strain: {kirchhoff: 2}\n"
    "constraints:\n"
    "  - {coupling: first, joints: [{joint: base, factor: 2, component: 1}, {joint: whip, factor: "
    "-3},\n"
    "     {joint: crank, factor: 0.5}], equals: \"0.3*cos(2*t)\"}\n"
    "  - {coupling: second, joints: [{joint: arm, component: 1}, {joint: slide, component: 1}]}\n";

static void test_rows(void** unused) {
    (void)unused;
    ModelCase c = case_open("%s", text);
    for (uint64_t seed = 1; seed <= 6; seed++) {
        constraint_tangent(&c, seed);
        constraint_acceleration(&c, seed);
    }
    case_close(&c);
}

static bool is_asked(int level, int k) {
    (void)level;
    (void)k;
    return true;
}

static void test_levels(void** unused) {
    (void)unused;
    ModelCase c = case_open("%s", text);
    for (uint64_t seed = 1; seed <= 6; seed++) {
        constraint_levels(&c, seed, is_asked);
        constraint_mount(&c, seed);
    }
    case_close(&c);
}

// ---- a gear train (models/gear-train.yaml)

static const double TORQUE = 0.2, RATE = 3.0, RATIO = 4.0, WHEEL = 0.05;
static const double TOGETHER = 1e-3 + 0.05 / 16.0;

// angles of the motor and the wheel, and the effort of the gear: on the wheel n times as large
static void gear_exact(double t, double* x) {
    double acceleration = TORQUE / TOGETHER * sin(RATE * t);
    x[0] = TORQUE / (TOGETHER * RATE) * (t - sin(RATE * t) / RATE);
    x[1] = -x[0] / RATIO;
    x[2] = -WHEEL * acceleration / (RATIO * RATIO);
}

static void gear_numbers(const double* value, double* x) {
    memcpy(x, value, 3 * sizeof *x);
}

static const char* const gear_signal[] = {"motor.q", "wheel.q", "coupling.gear.effort",
                                          "coupling.gear.gap", "coupling.gear.drift"};

static void test_gear_converges(void** unused) {
    (void)unused;
    // the effort, of another size, is looked at below
    const ConstraintForm form = {gear_signal, 3, 2, gear_numbers, gear_exact};
    ElvModel* model = constraint_model("gear-train");
    constraint_converge(model, &form, ELV_METHOD_GENERALIZED_ALPHA, 0.01, 1.0);
    constraint_converge(model, &form, ELV_METHOD_NEWMARK, 0.01, 1.0);
    elv_model_free(model);
}

static void see_gear(ConstraintRun* run, ElvData* data, const ElvState* state) {
    (void)data;
    double x[3];
    gear_exact(state->t, x);
    // second order: (w dt)^2 = 1e-3 of the largest effort, 0.15 N m, with room for a factor of five
    CHECK_NEAR(run->value[2], x[2], 5e-3 * 0.15);
    // the tolerance of Newton, 1e-9, times the sum of the factors; rates are what 0.01 s makes of it
    CHECK_NEAR(run->value[3], 0.0, 5e-9);
    CHECK_NEAR(run->value[4], 0.0, 5e-7);
}

static void test_gear_holds(void** unused) {
    (void)unused;
    ElvModel* model = constraint_model("gear-train");
    ConstraintRun run = {.method = ELV_METHOD_GENERALIZED_ALPHA,
                         .step = 0.01,
                         .t_end = 4.0,
                         .signal = gear_signal,
                         .n_signal = 5,
                         .see = see_gear};
    constraint_run(model, &run);
    elv_model_free(model);
}

// ---- a rack and its pinion, whose motion is imposed

// The rack follows at once; the drive carries its inertia, r^2 m, with that of the pinion. Where positions are
// imposed, generalized-alpha needs a while until accelerations are of second order.
static void see_rack(ConstraintRun* run, ElvData* data, const ElvState* state) {
    double angle = sin(4.0 * state->t);
    double effort[2];
    CHECK_NEAR(run->value[0], angle, 1e-14);
    // the tolerance of Newton, 1e-9, times the sum of the factors
    CHECK_NEAR(run->value[1], -0.1 * angle, 1.1e-9);
    elv_drive_efforts(run->model, data, state, effort);
    if (state->t >= 0.5) {
        // second order: (w dt)^2 = 6.4e-5 of the largest effort, 0.8 N m
        CHECK_NEAR(effort[0], -16.0 * angle * (0.02 + 0.01 * 3.0), 6.4e-5 * 0.8);
    }
}

static void test_rack(void** unused) {
    (void)unused;
    static const char* const signal[] = {"pinion.q", "rack.q"};
    ModelCase c = case_open(
        "tree:\n"
        "  - {body: pinion, joint: {revolute: {axis: z, motion: \"sin(4*t)\"}}, mass: 1,\n"
        "     inertia: [0.02, 0.02, 0.02]}\n"
        "  - {body: rack, joint: {prismatic: {axis: x}}, mass: 3, inertia: [0.1, 0.1, 0.1]}\n"
        "constraints:\n"
        "  - {coupling: teeth, joints: [{joint: pinion, factor: 0.1}, {joint: rack}]}\n");
    ConstraintRun run = {.method = ELV_METHOD_GENERALIZED_ALPHA,
                         .step = 0.002,
                         .t_end = 1.0,
                         .signal = signal,
                         .n_signal = 2,
                         .see = see_rack};
    constraint_run(c.model, &run);
    case_close(&c);
}

// ---- one joint, led by a law

// it starts where the law does not, and follows all the same
static void test_law(void** unused) {
    (void)unused;
    static const char* const signal[] = {"arm.q", "arm.v", "coupling.lead.effort"};
    ModelCase c = case_open(
        "tree: [{body: arm, joint: {revolute: {axis: z, position: 0.1, velocity: 2}}, mass: 1,\n"
        "        inertia: [1, 1, 1]}]\n"
        "constraints: [{coupling: lead, joints: [{joint: arm, factor: 2}], equals: cos(3*t)}]\n");
    ConstraintRun run = {.method = ELV_METHOD_GENERALIZED_ALPHA,
                         .step = 0.005,
                         .t_end = 2.0,
                         .signal = signal,
                         .n_signal = 3};
    constraint_run(c.model, &run);
    // twice the angle is the law; rates are of second order: (w dt)^2 = 2.25e-4 of the largest
    CHECK_NEAR(run.value[0], 0.5 * cos(6.0), 1e-9);
    CHECK_NEAR(run.value[1], -1.5 * sin(6.0), 2.25e-4 * 1.5);
    CHECK_NEAR(run.value[2], -2.25 * cos(6.0), 2.25e-4 * 2.25);
    case_close(&c);
}

// ---- statics

// A load of 6 N m on a wheel without a spring: over the gear it turns the other one, which has one. By the
// factors 1 and 2 the efforts are z and 2 z.
static void test_statics(void** unused) {
    (void)unused;
    ModelCase c = case_open(
        "tree:\n"
        "  - {body: spring, joint: {revolute: {axis: z, stiffness: 10, position: 0.7}}, mass: 1,\n"
        "     inertia: [1, 1, 1]}\n"
        "  - {body: loose, joint: {revolute: {axis: z}}, mass: 1, inertia: [1, 1, 1]}\n"
        "loads: [{torque: [0, 0, 6], at: loose}]\n"
        "constraints: [{coupling: gear, joints: [{joint: spring}, {joint: loose, factor: 2}]}]\n");
    ElvError error;
    ElvStaticsReport report;
    ElvStaticsOptions options = elv_statics_options_default(c.model);
    CHECK_STATUS(elv_statics_run(c.model, c.state, &options, &report, &error), &error);
    CHECK_NEAR(c.state->z[0], -3.0, 1e-8);
    CHECK_NEAR(c.state->q[0], -0.3, 1e-9);
    CHECK_NEAR(c.state->q[1], 0.15, 1e-9);
    case_close(&c);
}

// ---- what cannot be coupled

#define TWO                                                                                        \
    "elver: 1\ntree:\n  - {body: ball, joint: spherical, mass: 1, inertia: [1, 1, 1]}\n"           \
    "  - {body: hinge, joint: revolute, mass: 1, inertia: [1, 1, 1]}\n"                            \
    "  - {body: block, mass: 1}\n"                                                                 \
    "  - {body: led, joint: {revolute: {motion: t}}, mass: 1}\n"                                   \
    "  - {rod: arm, length: 1, section: {circle: {diameter: 0.1}},\n"                              \
    "     material: {density: 1000, young: 1e6}}\nconstraints:\n"

static void test_errors(void** unused) {
    (void)unused;
    static const BadFile files[] = {
        {TWO "  - {coupling: a, joints: [{joint: ball}]}\n", 10, 36, "neither spherical nor free"},
        {TWO "  - {coupling: a, joints: [{joint: hing}]}\n", 10, 36, "did you mean 'hinge'?"},
        {TWO "  - {coupling: a, joints: [{joint: nobody}]}\n", 10, 36, "no body or rod is named"},
        {TWO "  - {coupling: a, joints: [{joint: hinge, component: 1}]}\n", 10, 54,
         "has 1 coordinate: there is no component 1"},
        {TWO "  - {coupling: a, joints: [{joint: block}]}\n", 10, 36, "has 0 coordinates"},
        {TWO "  - {coupling: a, joints: [{joint: hinge}, {joint: arm}]}\n", 10, 52,
         "it has no joint to couple"},
        {TWO "  - {coupling: a, joints: [{joint: led}]}\n", 10, 27, "nothing is left to tie"},
    };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        check_bad_text(files[i].text, strlen(files[i].text), &files[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),           cmocka_unit_test(test_levels),
        cmocka_unit_test(test_gear_converges), cmocka_unit_test(test_gear_holds),
        cmocka_unit_test(test_rack),           cmocka_unit_test(test_law),
        cmocka_unit_test(test_statics),        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
