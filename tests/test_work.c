// SPDX-License-Identifier: Apache-2.0
// Accounts of energy of a run. By the explicit method they close to its tolerance, with actuators of all kinds, loads,
// dampers, fluids and constraints; by implicit methods what is left falls with the square of the step, and in a motion
// without work it is what the method damps. Also: who keeps accounts, signals, records between steps, restarts.
#include "model_case.h"

#include "elver/elver.h"

#include <stdio.h>

/// Relative tolerance of explicit steps; accounts gather it over some hundred steps.
static const double TOLERANCE = IS_SANITIZED ? 1e-8 : 1e-11;

static ElvSimulateOptions options_of(const ModelCase* c, ElvMethod method, double step) {
    ElvSimulateOptions options = elv_simulate_options_default(c->model, c->state);
    options.method.method = method;
    options.method.step = step;
    options.method.rel_tol = TOLERANCE;
    options.method.abs_tol = 1e-2 * TOLERANCE;
    options.method.newton_tol = 1e-12;
    options.method.is_adaptive = false;
    options.method.keeps_work = true;
    return options;
}

static double run(ModelCase* c, ElvMethod method, double step, double t_end) {
    ElvError error;
    ElvSimulateOptions options = options_of(c, method, step);
    options.t_end = t_end;
    CHECK_STATUS(elv_simulate(c->model, c->state, &options, NULL, &error), &error);
    CHECK_TRUE(c->state->work.is_kept);
    return elv_work_error(c->model, c->data, c->state);
}

// all that went through the accounts
static double turnover(const ElvWork* work) {
    return fabs(work->actuators) + fabs(work->loads) + fabs(work->dissipated) + fabs(work->fluid);
}

// ---- explicit runs

// a servo against friction, a stop and gravity; a tendon arm with damping under loads; a locomotor of imposed strains
// on a free joint in a fluid; a free body that a fluid slows down; muscles of a pattern
static const char mixed[] =
    "gravity: [0, 0, -9.81]\n"
    "tree:\n"
    "  - {body: servo, joint: {revolute: {axis: -y, gear: 50, rotor_inertia: 1e-5, damping: 0.05,\n"
    "     friction: 0.4, friction_speed: 0.05, kp: 60, kd: 4, ki: 50, target: sin(4*t),\n"
    "     max_effort: 20, upper: 0.6, stop_stiffness: 500, stop_damping: 0.5, stop_width: 0.05}},\n"
    "     mass: 1, center: [0.2, 0, 0], inertia: [0.01, 0.02, 0.02]}\n"
    "  - {rod: arm, parent: world, length: 0.4, section: {circle: {diameter: 0.02}},\n"
    "     material: {density: 1000, young: 1e5, poisson: 0.4, damping: 0.005},\n"
    "     strain: {bend_y: 2, bend_z: 2}}\n"
    "  - {rod: worm, parent: world, joint: free, length: 0.4, section: {circle: {diameter: "
    "0.02}},\n"
    "     material: {density: 1000, young: 1e5, poisson: 0.4, damping: 0.005},\n"
    "     strain: {bend_y: 2, bend_z: 3}, motion: {bend_z: \"5*sin(6*t - 8*s)\"},\n"
    "     resistance: [0, 0, 1e-3, 1, 2, 2]}\n"
    "  - {body: stone, parent: world, joint: free, mass: 1, center: [0.1, 0, 0],\n"
    "     inertia: [0.01, 0.02, 0.02], resistance: [0.1, 0.2, 0.1, 1, 2, 1]}\n"
    "actuators:\n"
    "  - {tendon: pull, path: {rod: arm, y: 0.008}, tension: \"2 + sin(5*t)\"}\n"
    "  - {pattern: rhythm, frequency: 2, feedback: 4}\n"
    "  - {muscle: up, rod: arm, z: 0.008, force: 2, pattern: rhythm}\n"
    "  - {muscle: down, rod: arm, z: -0.008, force: 2, pattern: rhythm, phase: pi}\n"
    "  - {strain_control: arm, kp: {bend_y: 1e-3}, kd: {bend_y: 1e-4}, target: {bend_y: 2*t}}\n"
    "loads:\n"
    "  - {force: [0, \"0.1*sin(9*t)\", 0.1], at: arm.tip}\n"
    "  - {force: [0, 0, 0.5], rod: arm, frame: local, while: \"t > 0.25\"}\n"
    "  - {wrench: [0, 0, 0.05, 0, 0.2, 0], at: stone, frame: local}\n";

static void test_mixed(void** unused) {
    (void)unused;
    ModelCase c = case_open("%s", mixed);
    double error = run(&c, ELV_METHOD_EXPLICIT, 0.0, IS_SANITIZED ? 0.3 : 0.5);
    const ElvWork* work = &c.state->work;
    CHECK_TRUE(fabs(work->actuators) > 0.1 && fabs(work->loads) > 1e-3);
    CHECK_TRUE(work->dissipated > 1e-2 && work->fluid > 1e-2);
    CHECK_NEAR(error, 0.0, 100.0 * TOLERANCE * turnover(work));
    case_close(&c);
}

// a model of the source tree
static ModelCase open_file(const char* name) {
    ModelCase c = {0};
    ElvError error;
    char path[512];
    snprintf(path, sizeof path, "%s/models/%s.yaml", ELVER_SOURCE_DIR, name);
    CHECK_STATUS(elv_model_read_file(path, NULL, 0, &c.model, &error), &error);
    CHECK_STATUS(elv_data_create(c.model, &c.data, &error), &error);
    CHECK_STATUS(elv_state_create(c.model, &c.state, &error), &error);
    c.nv = c.state->nv;
    return c;
}

// constraints that move by themselves, wheels with motors, loops with dampers and springs, sliders
static void test_constraints(void** unused) {
    (void)unused;
    static const char* const names[] = {"four-bar", "car", "snakeboard", "gripper",
                                        "string-pendulum"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        ModelCase c = open_file(names[i]);
        double error = run(&c, ELV_METHOD_EXPLICIT, 0.0, 0.1);
        CHECK_TRUE(turnover(&c.state->work) > 1e-5);
        CHECK_NEAR(error, 0.0, 100.0 * TOLERANCE * turnover(&c.state->work));
        case_close(&c);
    }
}

// two pendulums joined at their ends, with a motor, a spring and a damper in the loop, and a bead that slides with
// friction on a rod
static const char joined[] =
    "gravity: [0, -9.81, 0]\n"
    "tree:\n"
    "  - {body: a, joint: {revolute: {axis: z, position: 0.3}}, mass: 1, center: [0.2, 0, 0],\n"
    "     inertia: [0.01, 0.01, 0.01]}\n"
    "  - {body: b, parent: a, pose: {xyz: [0.4, 0, 0]}, joint: {revolute: {axis: z, position: "
    "-1}},\n"
    "     mass: 1, center: [0.3, 0, 0], inertia: [0.01, 0.01, 0.01]}\n"
    "  - {body: c, parent: world, pose: {xyz: [0.5, 0, 0]}, joint: {revolute: {axis: z, position: "
    "1}},\n"
    "     mass: 1, center: [0.2, 0, 0], inertia: [0.01, 0.01, 0.01]}\n"
    "  - {rod: wire, parent: world, pose: {xyz: [0, 1, 0]}, length: 1, strain: {bend_z: 2},\n"
    "     section: {circle: {diameter: 0.02}}, material: {density: 1000, young: 1e7, poisson: "
    "0.4}}\n"
    "  - {body: bead, parent: world, joint: {free: {position: {xyz: [0.4, 1, 0]},\n"
    "     stiffness: [1e-3, 1e-3, 1e-3, 0, 0, 0]}}, mass: 0.05, inertia: [1e-4, 1e-4, 1e-4]}\n"
    "frames:\n"
    "  - {name: of_b, on: b, pose: {xyz: [0.4, 0, 0]}}\n"
    "  - {name: of_c, on: c, pose: {xyz: [0.3, 0, 0]}}\n"
    "loops:\n"
    "  - {loop: apex, between: [of_b, of_c], joint: {revolute: {axis: z, damping: 0.1,\n"
    "     stiffness: 2, rest: 0.4, force: \"2*sin(5*t)\"}}}\n"
    "  - {slider: ring, point: bead, rod: wire, station: 0.4, damping: 0.3, force: 0.4}\n";

static void test_joined(void** unused) {
    (void)unused;
    ModelCase c = case_open("%s", joined);
    double error = run(&c, ELV_METHOD_EXPLICIT, 0.0, 0.15);
    CHECK_TRUE(c.state->work.dissipated > 1e-3 && fabs(c.state->work.actuators) > 1e-2);
    // velocities are projected on the constraints after each step, to rounding of what these hold
    CHECK_NEAR(error, 0.0, 1000.0 * TOLERANCE * turnover(&c.state->work));
    case_close(&c);
}

// without inertia the fluid takes at once what motors put in
static void test_first_order(void** unused) {
    (void)unused;
    ModelCase c = open_file("three-link-swimmer");
    (void)run(&c, ELV_METHOD_CONNECTION, 0.0, 0.7);
    CHECK_TRUE(c.state->work.actuators > 0.1);
    CHECK_NEAR(c.state->work.actuators, c.state->work.fluid, 1e-9 * c.state->work.fluid);
    case_close(&c);
}

// ---- implicit runs

static const char swing[] =
    "gravity: [0, -9.81, 0]\n"
    "tree: [{body: a, joint: {revolute: {axis: z%s}}, mass: 1, center: [0.5, 0, 0],\n"
    "        inertia: [0.05, 0.05, 0.05]}]\n";

static void test_order(void** unused) {
    (void)unused;
    static const char* const joints[] = {
        "", ", force: \"3*sin(4*t)\", damping: 0.2, friction: 0.3, friction_speed: 0.5",
        ", motion: \"sin(3*t)\", damping: 0.3"};
    for (int i = 0; i < 3; i++) {
        double error[3];
        for (int k = 0; k < 3; k++) {
            ModelCase c = case_open(swing, joints[i]);
            error[k] = fabs(run(&c, ELV_METHOD_NEWMARK, 0.01 / (1 << k), 1.0));
            CHECK_TRUE(i == 0 || turnover(&c.state->work) > 0.1);
            case_close(&c);
        }
        CHECK_TRUE(error[0] > 0.0 && error[0] < 1e-2);
        CHECK_NEAR(error[0] / error[1], 4.0, 0.3);
        CHECK_NEAR(error[1] / error[2], 4.0, 0.15);
    }
}

// nothing but springs and inertia: what is missing is what the method damps, and it damps
static void test_damping(void** unused) {
    (void)unused;
    static const char plucked[] =
        "tree: [{rod: r, length: 1, section: {circle: {diameter: 0.01}}, strain: {bend_z: 4},\n"
        "        material: {density: 1000, young: 1e8, poisson: 0.3}}]\n";
    const double radius[3] = {1.0, 0.9, 0.3};
    double lost[3];
    for (int k = 0; k < 3; k++) {
        ModelCase c = case_open("%s", plucked);
        ElvError error;
        for (int i = 0; i < c.nv; i++) {
            c.state->q[i] = 0.3;
        }
        double start = elv_energy(c.model, c.data, c.state).elastic;
        ElvSimulateOptions options = options_of(&c, ELV_METHOD_GENERALIZED_ALPHA, 0.005);
        options.method.spectral_radius = radius[k];
        options.t_end = 0.5;
        CHECK_STATUS(elv_simulate(c.model, c.state, &options, NULL, &error), &error);
        ElvEnergy end = elv_energy(c.model, c.data, c.state);
        CHECK_TRUE(turnover(&c.state->work) == 0.0);
        lost[k] = -elv_work_error(c.model, c.data, c.state) / start;
        CHECK_NEAR(lost[k], 1.0 - (end.kinetic + end.elastic) / start, 1e-12);
        case_close(&c);
    }
    // in a step of 0.005 s the first mode, of 2.8 rad/s, turns by 0.014 rad, the fourth, of 96 rad/s, by 0.5 rad
    CHECK_TRUE(fabs(lost[0]) < 1e-3);
    CHECK_TRUE(lost[1] > 1e-2 && lost[2] > 1.5 * lost[1] && lost[2] < 1.0);
}

// ---- keeping

// the error of the account at each record
typedef struct {
    double worst, size;
    long n;
} Watch;

static bool watch(void* user, const ElvModel* model, ElvData* data, const ElvState* state) {
    Watch* w = user;
    double error = fabs(elv_work_error(model, data, state));
    w->worst = error > w->worst ? error : w->worst;
    w->size = turnover(&state->work) > w->size ? turnover(&state->work) : w->size;
    w->n++;
    return true;
}

// records within steps have the accounts of their instant, across a load that is switched on
static void test_records(void** unused) {
    (void)unused;
    const double tolerance[2] = {1e-6 + 1000.0 * TOLERANCE, 2e-3};
    for (int k = 0; k < 2; k++) {
        ModelCase c = case_open("%s", mixed);
        ElvError error;
        Watch w = {0.0, 0.0, 0};
        ElvSimulateOptions options =
            options_of(&c, k == 0 ? ELV_METHOD_EXPLICIT : ELV_METHOD_NEWMARK, k == 0 ? 0.0 : 2e-3);
        options.record_every = 0.0137;
        options.record = watch;
        options.user = &w;
        options.t_end = 0.3;
        CHECK_STATUS(elv_simulate(c.model, c.state, &options, NULL, &error), &error);
        CHECK_TRUE(w.n > 20);
        CHECK_NEAR(w.worst, 0.0, tolerance[k] * w.size);
        case_close(&c);
    }
}

// two halves of a run go on with one account; without being asked none is kept, and the motion is the same
static void test_kept(void** unused) {
    (void)unused;
    ElvError error;
    ModelCase whole = case_open(swing, ", force: 2, damping: 0.2");
    ModelCase parts = case_open(swing, ", force: 2, damping: 0.2");
    ModelCase none = case_open(swing, ", force: 2, damping: 0.2");
    (void)run(&whole, ELV_METHOD_NEWMARK, 0.01, 1.0);
    (void)run(&parts, ELV_METHOD_NEWMARK, 0.01, 0.5);
    (void)run(&parts, ELV_METHOD_NEWMARK, 0.01, 1.0);
    ElvSimulateOptions options = options_of(&none, ELV_METHOD_NEWMARK, 0.01);
    options.method.keeps_work = false;
    options.t_end = 1.0;
    CHECK_STATUS(elv_simulate(none.model, none.state, &options, NULL, &error), &error);
    CHECK_NEAR(parts.state->work.actuators, whole.state->work.actuators, 1e-13);
    CHECK_NEAR(parts.state->work.dissipated, whole.state->work.dissipated, 1e-13);
    CHECK_TRUE(!none.state->work.is_kept && none.state->work.actuators == 0.0);
    CHECK_TRUE(elv_work_error(none.model, none.data, none.state) == 0.0);
    CHECK_TRUE(none.state->q[0] == whole.state->q[0] && none.state->v[0] == whole.state->v[0]);
    elv_state_reset(whole.model, whole.state);
    CHECK_TRUE(!whole.state->work.is_kept);
    case_close(&whole);
    case_close(&parts);
    case_close(&none);
}

static void test_signals(void** unused) {
    (void)unused;
    static const char* const names[] = {"work", "power", "power.actuators", "power.fluid"};
    static const char* const columns[] = {"work.actuators",  "work.loads", "work.dissipated",
                                          "work.fluid",      "work.error", "power",
                                          "power.actuators", "power.fluid"};
    ModelCase c = case_open(
        "tree: [{body: a, joint: {revolute: {axis: z, force: 2, damping: 0.2}}, mass: 1,\n"
        "        inertia: [1, 1, 1], resistance: [0, 0, 0.5, 0, 0, 0]}]\n"
        "simulate: {method: explicit}\n"
        "record: {every: 0.1, signals: [work.fluid]}\n");
    ElvError error;
    ElvSignals* signals = NULL;
    double value[8];
    double tau[1];
    CHECK_STATUS(elv_signals_create(c.model, names, 4, &signals, &error), &error);
    CHECK_TRUE(elv_signals_n_column(signals) == 8);
    for (int i = 0; i < 8; i++) {
        assert_string_equal(elv_signals_column_name(signals, i), columns[i]);
        assert_string_equal(elv_signals_column_unit(signals, i), i < 5 ? "J" : "W");
    }
    // a recorded work signal keeps the account
    ElvSimulateOptions options = elv_simulate_options_default(c.model, c.state);
    options.t_end = 1.0;
    CHECK_STATUS(elv_simulate(c.model, c.state, &options, NULL, &error), &error);
    elv_idm(c.model, c.data, c.state, tau);
    elv_signals_eval(signals, c.model, c.data, c.state, value);
    // v = 2 (1 - e^(-0.7 t)) / 0.7
    double v = 2.0 * (1.0 - exp(-0.7)) / 0.7;
    double angle = 2.0 / 0.7 * (1.0 - (1.0 - exp(-0.7)) / 0.7);
    CHECK_NEAR(value[0], 2.0 * angle, 1e-6);
    CHECK_NEAR(value[5], 2.0 * v, 1e-6);
    CHECK_NEAR(value[6], 2.0 * v, 1e-6);
    CHECK_NEAR(value[7], 0.5 * v * v, 1e-6);
    CHECK_NEAR(value[2] / value[3], 0.4, 1e-9);
    CHECK_NEAR(value[4], 0.0, 1e-6);
    elv_signals_free(signals);
    const char* wrong = "power.motors";
    CHECK_TRUE(elv_signals_create(c.model, &wrong, 1, &signals, &error) == ELV_ERROR_INPUT);
    CHECK_TRUE(strstr(error.message, "actuators, loads, dissipated, fluid") != NULL);
    const char* work = "work.loads";
    CHECK_STATUS(elv_signals_create(c.model, &work, 1, &signals, &error), &error);
    CHECK_TRUE(elv_signals_refuse_modal(signals, "shooting", &error) == ELV_ERROR_INPUT);
    CHECK_TRUE(strstr(error.message, "record energy and power.fluid") != NULL);
    elv_signals_free(signals);
    case_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mixed),   cmocka_unit_test(test_constraints),
        cmocka_unit_test(test_joined),  cmocka_unit_test(test_first_order),
        cmocka_unit_test(test_order),   cmocka_unit_test(test_damping),
        cmocka_unit_test(test_records), cmocka_unit_test(test_kept),
        cmocka_unit_test(test_signals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
