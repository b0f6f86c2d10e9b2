// SPDX-License-Identifier: Apache-2.0
// Linear models of closed robots: where constant loads, and a motor in the joint of a loop, lead against equilibria
// beside, and step responses against the simulation.
#include "linear_case.h"

#include "elver/integrate.h"
#include "linalg/lu.h"

static ElvStaticsReport settle(ModelCase* c, double t, double tolerance) {
    ElvError error;
    ElvStaticsReport report;
    ElvStaticsDef options = elv_model_statics(c->model);
    options.tolerance = tolerance;
    CHECK_STATUS(elv_statics_solve(c->model, c->state, t, &options, &report, &error), &error);
    return report;
}

enum { N_OUTPUT = 5, ALONG = 3 };

static const char* const outputs[N_OUTPUT] = {
    "leg1.tip.position.x", "leg2.tip.position.y", "leg2.stress(0.3).moment.z",
    "loop.apex.wrench.force.x", "loop.apex.wrench.force.y"};

// the robot under a load at its apex, near the one of its file at t = 1.5
static ModelCase open_loaded(double force, double damping) {
    char text[2][64];
    char path[512];
    ElvError error;
    ModelCase c = {0};
    snprintf(text[0], sizeof text[0], "%g", damping);
    snprintf(text[1], sizeof text[1], "[{force: [%.17g, 0.02, 0], at: leg1.tip}]", force);
    const ElvOverride set[] = {{"mu", text[0]}, {"loads", text[1]}};
    snprintf(path, sizeof path, "%s/models/cpr.yaml", ELVER_SOURCE_DIR);
    CHECK_STATUS(elv_model_read_file(path, set, 2, &c.model, &error), &error);
    CHECK_STATUS(elv_data_create(c.model, &c.data, &error), &error);
    CHECK_STATUS(elv_state_create(c.model, &c.state, &error), &error);
    c.nv = c.state->nv;
    (void)settle(&c, 3.0, 1e-13);
    return c;
}

static void signals_of(ModelCase* c, double* y) {
    ElvError error;
    ElvSignals* signals = NULL;
    CHECK_STATUS(elv_signals_create(c->model, outputs, N_OUTPUT, &signals, &error), &error);
    elv_residual(c->model, c->data, c->state, c->state->aux);
    elv_signals_eval(signals, c->model, c->data, c->state, y);
    elv_signals_free(signals);
}

// D - C A^-1 B
static void gain_of(const ElvLinearModel* m, double* gain) {
    int n = m->n_state;
    size_t size = (size_t)n * (size_t)n;
    double* LU = calloc(size + (size_t)n, sizeof *LU);
    int* pivot = calloc((size_t)n, sizeof *pivot);
    CHECK_TRUE(LU != NULL && pivot != NULL && m->n_input == 1);
    double* x = LU + size;
    memcpy(LU, m->A, size * sizeof *LU);
    memcpy(x, m->B, (size_t)n * sizeof *x);
    CHECK_TRUE(elv_lu_factor(n, LU, pivot) < 0);
    elv_lu_solve(n, LU, pivot, 1, x);
    for (int i = 0; i < m->n_output; i++) {
        gain[i] = m->D[i];
        for (int k = 0; k < n; k++) {
            gain[i] -= m->C[i * n + k] * x[k];
        }
    }
    free(LU);
    free(pivot);
}

// against differences of order 4 of equilibria
static void test_gains(void** unused) {
    (void)unused;
    static const char* const input[] = {"loads[0].force.x"};
    static const double at[4] = {-2.0, -1.0, 1.0, 2.0};
    static const double step = 1e-3;
    ElvError error;
    ElvLinearModel* m = NULL;
    ModelCase c = open_loaded(0.05, 0.0);
    CHECK_STATUS(elv_linear_model_create(c.model, c.state, input, 1, outputs, N_OUTPUT, &m, &error),
                 &error);
    // 12 coordinates, 2 of which the loop takes
    CHECK_TRUE(m->n_state == 20 && m->n_input == 1);
    double gain[N_OUTPUT];
    double y[4][N_OUTPUT];
    gain_of(m, gain);
    for (int i = 0; i < 4; i++) {
        ModelCase beside = open_loaded(0.05 + at[i] * step, 0.0);
        signals_of(&beside, y[i]);
        case_close(&beside);
    }
    for (int i = 0; i < N_OUTPUT; i++) {
        double exact = (y[0][i] - 8.0 * y[1][i] + 8.0 * y[2][i] - y[3][i]) / (12.0 * step);
        CHECK_NEAR(gain[i], exact, 1e-6 * fmax(fabs(exact), 1.0));
    }
    elv_linear_model_free(m);
    case_close(&c);
}

/// A linkage of three bars, held by a spring, with a motor in the joint that closes it.
static ModelCase open_motor(double torque) {
    double x = cos(0.3) + 1.2 * cos(1.3) + cos(2.7);
    double y = sin(0.3) + 1.2 * sin(1.3) + sin(2.7);
    ModelCase c = case_open(
        "tree:\n"
        "  - {body: a, joint: {revolute: {axis: z, position: 0.3, stiffness: 2}}, mass: 1,\n"
        "     center: [0.5, 0, 0], inertia: [0.1, 0.1, 0.1]}\n"
        "  - {body: b, parent: a, pose: {xyz: [1, 0, 0]}, mass: 2, center: [0.6, 0, 0],\n"
        "     joint: {revolute: {axis: z, position: 1}}, inertia: [0.1, 0.1, 0.1]}\n"
        "  - {body: c, parent: b, pose: {xyz: [1.2, 0, 0]}, mass: 1, center: [0.5, 0, 0],\n"
        "     joint: {revolute: {axis: z, position: 1.4}}, inertia: [0.1, 0.1, 0.1]}\n"
        "frames:\n"
        "  - {name: end, on: c, pose: {xyz: [1, 0, 0]}}\n"
        "loops:\n"
        "  - {loop: foot, between: [world, end], pose: {xyz: [%.17g, %.17g, 0]},\n"
        "     joint: {revolute: {axis: z, force: %.17g}}}\n",
        x, y, torque);
    (void)settle(&c, 0.0, 1e-12);
    return c;
}

// the motor against equilibria beside, by coordinates and by the wrench that closes the loop
static void test_motor(void** unused) {
    (void)unused;
    enum { N = 4 };
    static const char* const names[N] = {"a.q.0", "c.q.0", "loop.foot.wrench.force.x",
                                         "loop.foot.effort"};
    static const double at[4] = {-2.0, -1.0, 1.0, 2.0};
    static const double step = 2e-3;
    ElvError error;
    ElvLinearModel* m = NULL;
    ModelCase c = open_motor(0.3);
    CHECK_STATUS(elv_linear_model_create(c.model, c.state, NULL, 0, names, N, &m, &error), &error);
    CHECK_TRUE(m->n_state == 2 && m->n_input == 1);
    CHECK_TRUE(strcmp(m->input_name[0], "loop.foot.effort.0") == 0);
    double gain[N];
    double y[4][N];
    gain_of(m, gain);
    for (int i = 0; i < 4; i++) {
        ElvSignals* signals = NULL;
        ModelCase beside = open_motor(0.3 + at[i] * step);
        CHECK_STATUS(elv_signals_create(beside.model, names, N, &signals, &error), &error);
        elv_residual(beside.model, beside.data, beside.state, beside.state->aux);
        elv_signals_eval(signals, beside.model, beside.data, beside.state, y[i]);
        elv_signals_free(signals);
        case_close(&beside);
    }
    for (int i = 0; i < N; i++) {
        double exact = (y[0][i] - 8.0 * y[1][i] + 8.0 * y[2][i] - y[3][i]) / (12.0 * step);
        CHECK_TRUE(fabs(exact) > 1e-3);
        CHECK_NEAR(gain[i], exact, 1e-7 * fmax(fabs(exact), 1.0));
    }
    CHECK_NEAR(gain[3], 1.0, 1e-12);
    elv_linear_model_free(m);
    case_close(&c);
}

// what the robot does within a time when its load changes at once, by steps of length dt
static void simulate(double force, double t, double dt, double* y) {
    ElvError error;
    ModelCase c = open_loaded(0.05, 1e-3);
    ModelCase loaded = open_loaded(force, 1e-3);
    ElvSimulateOptions options = elv_simulate_options_default(loaded.model, c.state);
    options.method.method = ELV_METHOD_NEWMARK;
    options.method.step = dt;
    options.t_end = c.state->t + t;
    CHECK_STATUS(elv_simulate(loaded.model, c.state, &options, NULL, &error), &error);
    elv_state_copy(loaded.state, c.state);
    signals_of(&loaded, y);
    case_close(&loaded);
    case_close(&c);
}

// the difference is that of the steps, of order 2
static void test_step_response(void** unused) {
    (void)unused;
    static const char* const input[] = {"loads[0].force.x"};
    static const double change = 1e-3;
    static const double duration = 0.25;
    ElvError error;
    ElvLinearModel* m = NULL;
    ModelCase c = open_loaded(0.05, 1e-3);
    CHECK_STATUS(elv_linear_model_create(c.model, c.state, input, 1, outputs, N_OUTPUT, &m, &error),
                 &error);
    double u = 1.0;
    double linear[N_OUTPUT];
    double base[N_OUTPUT];
    double miss[2][N_OUTPUT];
    linear_response(m, &u, duration, linear);
    signals_of(&c, base);
    for (int k = 0; k < 2; k++) {
        double y[2][N_OUTPUT];
        double dt = k == 0 ? 2e-3 : 1e-3;
        simulate(0.05 - change, duration, dt, y[0]);
        simulate(0.05 + change, duration, dt, y[1]);
        for (int i = 0; i < N_OUTPUT; i++) {
            double exact = (y[1][i] - y[0][i]) / (2.0 * change);
            miss[k][i] = linear[i] - base[i] - exact;
        }
    }
    for (int i = 0; i < N_OUTPUT; i++) {
        if (i == ALONG) {
            // carried at once: the steps do not matter, what Newton leaves of the force does
            CHECK_NEAR(miss[1][i], 0.0, 5e-5 * fabs(linear[i] - base[i]));
        } else {
            CHECK_NEAR(miss[0][i] / miss[1][i], 4.0, 0.4);
        }
    }
    elv_linear_model_free(m);
    case_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gains),
        cmocka_unit_test(test_motor),
        cmocka_unit_test(test_step_response),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
