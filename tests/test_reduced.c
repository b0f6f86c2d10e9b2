// SPDX-License-Identifier: Apache-2.0
// Explicit integration under constraints: closed forms of a skate and of a rolling disk, reactions
// against those of implicit steps, loops that stay closed, a mechanism that goes through a posture
// where its constraints lose a direction, imposed motions that jump, and states between steps.
#include "constraint_case.h"
#include "solve/reduced.h"

static const double G = 9.81;

static void use_tight(ElvSimulateDef* options) {
    options->method = ELV_METHOD_EXPLICIT;
    options->order = 8;
    options->rel_tol = 1e-11;
    options->abs_tol = 1e-13;
    options->step = 0.0;
}

/// A run that ends at t_end, its signals there.
static ElvIntegratorReport run_to(const ElvModel* model,
                                  const ElvSimulateDef* method,
                                  double t_end,
                                  const char* const* signal,
                                  int n_signal,
                                  double* value) {
    ElvError error;
    ElvState* state = NULL;
    ElvData* data = NULL;
    ElvSignals* signals = NULL;
    ElvIntegratorReport report;
    double tau[64];
    CHECK_STATUS(elv_state_create(model, &state, &error), &error);
    CHECK_STATUS(elv_data_create(model, &data, &error), &error);
    CHECK_STATUS(elv_signals_create(model, signal, n_signal, &signals, &error), &error);
    ElvSimulateOptions options = elv_simulate_options_default(model, state);
    options.method = *method;
    options.record_every = t_end;
    options.t_end = t_end;
    CHECK_STATUS(elv_simulate(model, state, &options, &report, &error), &error);
    elv_idm(model, data, state, tau);
    elv_signals_eval(signals, model, data, state, value);
    elv_signals_free(signals);
    elv_data_free(data);
    elv_state_free(state);
    return report;
}

// ---- a skate on a slope (models/knife-edge.yaml)

static void test_skate(void** unused) {
    (void)unused;
    static const char* const signal[] = {"skate.q", "skate.v", "constraint.blade.wrench_second",
                                         "constraint.blade.drift"};
    const double alpha = 0.3, omega = 2.0, t = 3.3;
    double b = G * sin(alpha) / (2.0 * omega * omega), value[14];
    ElvModel* model = constraint_model("knife-edge");
    ElvSimulateDef method = elv_model_simulate(model);
    use_tight(&method);
    ElvIntegratorReport report = run_to(model, &method, t, signal, 4, value);
    const double expected[] = {omega * t,
                               b * sin(omega * t) * sin(omega * t),
                               b * (omega * t - 0.5 * sin(2.0 * omega * t)),
                               omega,
                               b * omega * sin(2.0 * omega * t),
                               b * omega * (1.0 - cos(2.0 * omega * t)),
                               0.0,
                               0.0,
                               0.0,
                               0.0,
                               2.0 * G * sin(alpha) * sin(omega * t),
                               0.0};
    CHECK_ARRAY_NEAR(value, expected, 12, 1e-9);
    CHECK_NEAR(largest(value + 12, 2), 0.0, 1e-14);
    CHECK_NEAR(report.closure.drift, 0.0, 1e-14);
    elv_model_free(model);
}

// ---- a disk in a circle (models/rolling-disk.yaml): its centre goes round with the rate W

static void test_disk(void** unused) {
    (void)unused;
    static const char* const signal[] = {"disk.position", "energy.total", "rolling.wheel.gap",
                                         "rolling.wheel.force"};
    const double r = 0.3, R = 0.5, theta = 1.1, t = 3.7, m = 2.0;
    double W = sqrt(4.0 * G * cos(theta) / (sin(theta) * (6.0 * R + r * cos(theta))));
    double value[8];
    ElvModel* model = constraint_model("rolling-disk");
    ElvSimulateDef method = elv_model_simulate(model);
    use_tight(&method);
    ElvIntegratorReport report = run_to(model, &method, t, signal, 4, value);
    const double place[] = {R * cos(W * t), R * sin(W * t), r * sin(theta)};
    const double force[] = {-m * W * W * R * cos(W * t), -m * W * W * R * sin(W * t), m * G};
    // the circle is not stable: errors of 1e-11 grow
    CHECK_ARRAY_NEAR(value, place, 3, 1e-8);
    CHECK_ARRAY_NEAR(value + 5, force, 3, 1e-7);
    CHECK_NEAR(value[4], 0.0, 1e-14);
    CHECK_TRUE(report.closure.gap < 1e-14 && report.closure.drift < 1e-14);
    elv_model_free(model);
}

// ---- a crank and a rocker, their pin redundant: reactions are the smallest, as for implicit steps

// implicit steps converge to the explicit motion, and its wrench, with order 2
static void test_four_bar(void** unused) {
    (void)unused;
    static const char* const signal[] = {"rocker.q", "rocker.v", "crank.effort", "loop.pin.wrench"};
    double exact[9], value[9], error[2] = {0.0};
    ElvModel* model = constraint_model("four-bar");
    ElvSimulateDef method = elv_model_simulate(model);
    use_tight(&method);
    ElvIntegratorReport report = run_to(model, &method, 0.8, signal, 4, exact);
    assert_int_equal(report.closure.n_redundant, 3);
    CHECK_TRUE(report.closure.gap < 1e-14 && report.closure.drift < 1e-13);
    CHECK_TRUE(report.closure.opened > 1e-3);
    for (int i = 0; i < 2; i++) {
        method = elv_model_simulate(model);
        method.step = ldexp(1e-3, -i);
        (void)run_to(model, &method, 0.8, signal, 4, value);
        error[i] = largest_difference(value, exact, 9);
    }
    CHECK_NEAR(log2(error[0] / error[1]), 2.0, 0.1);
    CHECK_TRUE(error[1] < 1e-4);
    elv_model_free(model);
}

// ---- loops with springs and motors: the same

static const char springs[] =
    "gravity: [0, -9.81, 0]\n"
    "tree:\n"
    "  - {body: crank, joint: {revolute: {axis: z, position: 1}}, mass: 1, center: [0.25, 0, 0],\n"
    "     inertia: [0.1, 0.1, 0.1]}\n"
    "  - {body: block, joint: {free: {position: {xyz: [0.7, 1.1, 0]}}}, mass: 0.7,\n"
    "     inertia: [0.02, 0.03, 0.04]}\n"
    "  - {body: bob, joint: {free: {position: {xyz: [0.7, 0.8, 0]}, velocity: [0, 1, 2, 0, 0, "
    "0]}},\n"
    "     mass: 0.3, inertia: [0.01, 0.02, 0.02]}\n"
    "frames:\n"
    "  - {name: tip, on: crank, pose: {xyz: [0.5, 0, 0]}}\n"
    "  - {name: eye, on: bob, pose: {xyz: [0, 0.3, 0.1]}}\n"
    "loops:\n"
    "  - {loop: rod, between: [tip, block], joint: {prismatic: {axis: x, stiffness: 30, rest: "
    "0.7,\n"
    "     damping: 0.2, force: \"sin(3*t)\"}}}\n"
    "  - {loop: ball, between: [block, eye], joint: {spherical: {stiffness: 2, damping: 0.1}}}\n"
    "simulate: {duration: 1}\n";

static void test_springs(void** unused) {
    (void)unused;
    static const char* const signal[] = {"crank.q", "bob.twist", "loop.rod.wrench",
                                         "loop.ball.wrench"};
    ModelCase c = case_open("%s", springs);
    double exact[19], value[19], error[2] = {0.0};
    ElvSimulateDef method = elv_model_simulate(c.model);
    use_tight(&method);
    (void)run_to(c.model, &method, 0.5, signal, 4, exact);
    for (int i = 0; i < 2; i++) {
        method = elv_model_simulate(c.model);
        method.step = ldexp(1e-3, -i);
        (void)run_to(c.model, &method, 0.5, signal, 4, value);
        error[i] = largest_difference(value, exact, 19);
    }
    CHECK_NEAR(log2(error[0] / error[1]), 2.0, 0.2);
    CHECK_TRUE(error[1] < 1e-3);
    case_close(&c);
}

// ---- a parallelogram that lies flat at t = 1: its constraints lose a direction, and the cranks
// stay parallel. The kinetic energy is that of cranks and of a coupler that does not turn: their
// speed is constant.

static const char parallelogram[] =
    "tree:\n"
    "  - {body: left, joint: {revolute: {axis: z, position: 1, velocity: -1}}, mass: 1,\n"
    "     center: [0.2, 0, 0], inertia: [0.1, 0.1, 0.1]}\n"
    "  - {body: coupler, parent: left, pose: {xyz: [1, 0, 0]},\n"
    "     joint: {revolute: {axis: z, position: -1, velocity: 1}}, mass: 1, inertia: [0.1, 0.1, "
    "0.1]}\n"
    "  - {body: right, pose: {xyz: [2, 0, 0]},\n"
    "     joint: {revolute: {axis: z, position: 1, velocity: -1}}, mass: 2, center: [0.3, 0, 0],\n"
    "     inertia: [0.1, 0.1, 0.1]}\n"
    "frames:\n"
    "  - {name: end, on: coupler, pose: {xyz: [2, 0, 0]}}\n"
    "  - {name: head, on: right, pose: {xyz: [1, 0, 0]}}\n"
    "loops: [{loop: pin, between: [end, head], joint: revolute}]\n"
    "simulate: {duration: 2}\n";

static void test_flat(void** unused) {
    (void)unused;
    static const char* const signal[] = {"left.q", "coupler.q", "right.q", "left.v"};
    ModelCase c = case_open("%s", parallelogram);
    double value[4];
    for (int k = 0; k < 3; k++) {
        ElvSimulateDef method = elv_model_simulate(c.model);
        use_tight(&method);
        method.order = 4 + 2 * k;
        // the last run ends a step where the mechanism is flat
        double t = k < 2 ? 2.0 : 1.0;
        (void)run_to(c.model, &method, t, signal, 4, value);
        const double expected[] = {1.0 - t, t - 1.0, 1.0 - t, -1.0};
        CHECK_ARRAY_NEAR(value, expected, 4, 1e-7);
    }
    case_close(&c);
}

// ---- between steps velocities satisfy constraints as well, and so do positions

static void test_between(void** unused) {
    (void)unused;
    static const char* const name[] = {"four-bar", "snake-wheeled", "rolling-disk"};
    for (int i = 0; i < 3; i++) {
        ElvModel* model = constraint_model(name[i]);
        ElvSimulateDef method = elv_model_simulate(model);
        ElvIntegrator* integrator = NULL;
        ElvState *state = NULL, *between = NULL;
        ElvData* data = NULL;
        ElvError error;
        double c[64];
        method.method = ELV_METHOD_EXPLICIT;
        method.order = 5;
        method.rel_tol = 1e-7;
        method.abs_tol = 1e-9;
        method.step = 0.0;
        CHECK_STATUS(elv_integrator_create(model, &method, &integrator, &error), &error);
        CHECK_STATUS(elv_state_create(model, &state, &error), &error);
        CHECK_STATUS(elv_state_create(model, &between, &error), &error);
        CHECK_STATUS(elv_data_create(model, &data, &error), &error);
        CHECK_STATUS(elv_integrator_start(integrator, state, &error), &error);
        for (int step = 0; step < 100; step++) {
            double t = state->t;
            CHECK_STATUS(elv_integrator_step(integrator, 100.0, state, &error), &error);
            t = t + 0.37 * (state->t - t);
            CHECK_STATUS(elv_integrator_interpolate(integrator, t, between, &error), &error);
            elv_kinematics(model, data, between);
            for (int level = 0; level < 2; level++) {
                elv_border_motion(model, data, between, level, 0.0, c);
                CHECK_NEAR(largest(c, (size_t)between->nz), 0.0, 1e-13);
            }
        }
        elv_integrator_free(integrator);
        elv_state_free(state);
        elv_state_free(between);
        elv_data_free(data);
        elv_model_free(model);
    }
}

// ---- a rate that jumps: the sledge is led at 1 m/s, from t = 0.5 on at 3 m/s, with no other force

static void test_jump(void** unused) {
    (void)unused;
    static const char* const signal[] = {"sledge.q", "sledge.v"};
    ModelCase c = case_open("tree: [{body: sledge, joint: {planar: {velocity: [0, 1, 0]}}, mass: "
                            "1, inertia: [1, 1, 1]}]\n"
                            "constraints: [{velocity: lead, at: sledge, direction: x, equals: "
                            "\"if(t < 0.5, 1, 3)\"}]\n");
    double value[6];
    ElvSimulateDef method = elv_model_simulate(c.model);
    use_tight(&method);
    (void)run_to(c.model, &method, 1.0, signal, 2, value);
    const double expected[] = {0.0, 2.0, 0.0, 0.0, 3.0, 0.0};
    CHECK_ARRAY_NEAR(value, expected, 6, 1e-10);
    case_close(&c);
}

// ---- what cannot be

static void test_refused(void** unused) {
    (void)unused;
    ElvIntegrator* integrator = NULL;
    ElvError error;
    ElvSimulateDef method = elv_simulate_def_default();
    method.method = ELV_METHOD_EXPLICIT;
    ModelCase c = case_open("tree: [{body: a, joint: planar, mass: 1, inertia: [1, 1, 1]}]\n"
                            "loops: [{loop: soft, between: [world, a], joint: revolute, closure: "
                            "penalty, penalty: 1e3}]\n");
    assert_int_equal(elv_integrator_create(c.model, &method, &integrator, &error), ELV_ERROR_INPUT);
    assert_string_equal(error.element, "soft");
    case_close(&c);
    // nothing resists what a constraint leaves free
    c = case_open("tree: [{body: a, joint: planar}]\n"
                  "constraints: [{velocity: blade, at: a, direction: y}]\n");
    CHECK_STATUS(elv_integrator_create(c.model, &method, &integrator, &error), &error);
    assert_int_equal(elv_integrator_start(integrator, c.state, &error), ELV_ERROR_SINGULAR);
    assert_string_equal(error.element, "a");
    elv_integrator_free(integrator);
    case_close(&c);
}

// ---- bodies without mass move where constraints decide on all

static void test_massless(void** unused) {
    (void)unused;
    static const char* const signal[] = {"a.q", "wheel.w.force"};
    ModelCase c =
        case_open("tree: [{body: a, joint: planar}]\n"
                  "constraints:\n"
                  "  - {wheel: w, at: a, radius: 0.1, rotation: \"20*t\"}\n"
                  "  - {velocity: turn, at: a, rows: [[0, 0, 1, 0, 0, 0]], equals: 0.5}\n");
    double value[5];
    ElvSimulateDef method = elv_model_simulate(c.model);
    use_tight(&method);
    (void)run_to(c.model, &method, 2.0, signal, 2, value);
    const double expected[] = {1.0, 4.0 * sin(1.0), 4.0 * (1.0 - cos(1.0)), 0.0, 0.0};
    CHECK_ARRAY_NEAR(value, expected, 5, 1e-9);
    case_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_skate),    cmocka_unit_test(test_disk),
        cmocka_unit_test(test_four_bar), cmocka_unit_test(test_springs),
        cmocka_unit_test(test_flat),     cmocka_unit_test(test_between),
        cmocka_unit_test(test_jump),     cmocka_unit_test(test_refused),
        cmocka_unit_test(test_massless),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
