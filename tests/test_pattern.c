// SPDX-License-Identifier: Apache-2.0
// Patterns and the muscles that they activate: the bordered tangent against central differences, two
// oscillators against the closed form of their transient, a chain that falls into step, order in time,
// explicit against implicit runs; signals, and laws that leave their range.
#include "border_case.h"
#include "elver/signal.h"

#define PI 3.14159265358979323846

// ---- the tangent

// a floating rod with muscles of a pattern and of a law; the pattern comes before a tendon with a strand
static const char driven[] =
    "tree:\n"
    "  - {body: base, joint: free, mass: 1, inertia: [0.02, 0.03, 0.04]}\n"
    "  - rod: arm\n"
    "    parent: base\n"
    "    length: 0.5\n"
    "    section: {circle: {diameter: 0.02}}\n"
    "    material: {density: 1000, young: 1e6, poisson: 0.4, damping: 1e-2}\n"
    "    strain: {kirchhoff: 3, stretch: 1}\n"
    "actuators:\n"
    "  - {pattern: rhythm, oscillators: 3, frequency: \"1 + t\", amplitude: 0.8, phase_lag: 0.7,\n"
    "     coupling: 4, rate: 3, feedback: 30}\n"
    "  - {muscle: a, rod: arm, to: 0.6, y: \"0.008*cos(3*s)\", z: \"0.008*sin(3*s)\", force: \"9 - "
    "s\",\n"
    "     pattern: rhythm, oscillator: 1}\n"
    "  - {muscle: b, rod: arm, from: 0.3, y: -0.006, force: 7, pattern: rhythm, phase: 2}\n"
    "  - {muscle: c, rod: arm, z: 0.005, force: 5, pattern: rhythm, oscillator: 1, phase: -1}\n"
    "  - {muscle: d, rod: arm, z: -0.005, force: 6, activation: \"0.5 + 0.5*sin(t - 4*s)\"}\n"
    "  - {tendon: cord, path: [{at: base, point: [-0.1, 0.02, 0]}, {rod: arm, y: 0.005}], tension: "
    "2}\n"
    "  - {pattern: beat, frequency: 2}\n"
    "  - {muscle: e, rod: arm, y: \"0.003*s\", force: 4, pattern: beat}\n";

static void test_tangent(void** unused) {
    (void)unused;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        ModelCase c = case_open("%s", driven);
        // three of the strand, two of each oscillator
        CHECK_TRUE(c.model->nz == 3 + 6 + 2);
        ElvProblem problem = border_start(c.model, seed);
        // slope 2, then rounding
        double coarse = border_error(&problem, 1e-2, seed);
        double fine = border_error(&problem, 1e-3, seed);
        CHECK_TRUE(coarse > 0.0 && fine < coarse / 50.0);
        CHECK_NEAR(border_error(&problem, 1e-5, seed), 0.0, 1e-8);
        elv_problem_free(&problem);
        case_close(&c);
    }
}

// ---- runs

static void run(ModelCase* c, ElvMethod method, double step, double t_end) {
    ElvError error;
    ElvIntegratorReport report;
    ElvSimulateOptions options = elv_simulate_options_default(c->model, c->state);
    options.method.method = method;
    options.method.step = step;
    options.method.newton_tol = 1e-13;
    options.method.rel_tol = 1e-11;
    options.method.abs_tol = 1e-13;
    options.t_end = t_end;
    CHECK_STATUS(elv_simulate(c->model, c->state, &options, &report, &error), &error);
}

static const char alone[] =
    "tree: [{body: box, mass: 1, inertia: [1, 1, 1], joint: {revolute: {stiffness: 3, position: "
    "1}}}]\n"
    "actuators: [{pattern: p, oscillators: %d, frequency: \"1 + 0.5*t\", amplitude: 0.7,\n"
    "             phase_lag: 0.9, coupling: %g, rate: 2}]\n";

// two oscillators out of step by delta = phi_0 - phi_1 - lag: delta' = -2 w sin(delta), so that
// tan(delta/2) = tan(delta_0/2) exp(-2 w t); r = 0.7 (1 - exp(-2 t)); the mean phase goes by the frequency
enum { DELTA, AMPLITUDE, MEAN, N_ERROR };

static void pair_error(ElvMethod method, double step, double error[N_ERROR]) {
    const double delta_0 = 2.0;
    const double w = 0.5;
    double t = 1.6;
    ModelCase c = case_open(alone, 2, w);
    double* z = c.state->z;
    // at the start in step
    CHECK_NEAR(z[0] - z[1], 0.9, 1e-15);
    CHECK_TRUE(z[2] == 0.0 && z[3] == 0.0);
    z[0] += delta_0;
    double mean = 0.5 * (z[0] + z[1]);
    run(&c, method, step, t);
    double delta = 2.0 * atan(tan(0.5 * delta_0) * exp(-2.0 * w * t));
    error[DELTA] = fabs(z[0] - z[1] - 0.9 - delta);
    error[AMPLITUDE] = fabs(z[3] - 0.7 * (1.0 - exp(-2.0 * t)));
    error[MEAN] = fabs(0.5 * (z[0] + z[1]) - mean - 2.0 * PI * (t + 0.25 * t * t));
    CHECK_TRUE(z[2] == z[3]);
    case_close(&c);
}

static void test_pair(void** unused) {
    (void)unused;
    const ElvMethod methods[2] = {ELV_METHOD_NEWMARK, ELV_METHOD_GENERALIZED_ALPHA};
    double error[3][N_ERROR];
    for (int m = 0; m < 2; m++) {
        for (int i = 0; i < 3; i++) {
            pair_error(methods[m], 0.04 / (1 << i), error[i]);
            // the trapezoidal rule is exact where the frequency is linear in t, and each pulls the
            // other as it is pulled: what Newton leaves, 1e-13 of some 20 rad in each of 160 steps
            CHECK_NEAR(error[i][MEAN], 0.0, 1e-9);
        }
        for (int k = DELTA; k <= AMPLITUDE; k++) {
            CHECK_TRUE(error[2][k] < 1e-4);
            CHECK_NEAR(error[0][k] / error[1][k], 4.0, 0.1);
            CHECK_NEAR(error[1][k] / error[2][k], 4.0, 0.1);
        }
    }
    pair_error(ELV_METHOD_EXPLICIT, 0.0, error[0]);
    for (int k = 0; k < N_ERROR; k++) {
        CHECK_NEAR(error[0][k], 0.0, 1e-9);
    }
}

// a chain from random phases: differences die at least as exp(-w (2 - 2 cos(pi/n)) t) near the end, which
// is e^-38 here
static void test_lock(void** unused) {
    (void)unused;
    enum { N = 5 };
    for (uint64_t seed = 1; seed <= 4; seed++) {
        ModelCase c = case_open(alone, N, 10.0);
        CheckRandom random = check_random(seed);
        double* z = c.state->z;
        double before[N];
        for (int i = 0; i < N; i++) {
            z[i] += check_uniform(&random, -0.7, 0.7);
        }
        run(&c, ELV_METHOD_GENERALIZED_ALPHA, 0.01, 10.0);
        memcpy(before, z, sizeof before);
        for (int i = 0; i + 1 < N; i++) {
            CHECK_NEAR(z[i] - z[i + 1], 0.9, 1e-9);
        }
        // all at the frequency of the pattern, 1 + 0.5 t
        run(&c, ELV_METHOD_GENERALIZED_ALPHA, 0.01, 10.5);
        for (int i = 0; i < N; i++) {
            CHECK_NEAR(z[i] - before[i], 2.0 * PI * (0.5 + 0.25 * 10.25), 1e-7);
        }
        CHECK_NEAR(z[N], 0.7, 1e-6);
        case_close(&c);
    }
}

// ---- a rod that is driven

static const char wave[] =
    "tree:\n"
    "  - rod: arm\n"
    "    length: 0.4\n"
    "    section: {circle: {radius: 0.02}}\n"
    "    material: {density: 1000, young: 1e5, poisson: 0.45, damping: 0.02}\n"
    "    strain: {bend_z: 3}\n"
    "actuators:\n"
    "  - {pattern: rhythm, oscillators: 2, frequency: 1, phase_lag: 1.5, rate: 8}\n"
    "  - {muscle: left0, rod: arm, to: 0.5, y: 0.015, force: 3, pattern: rhythm}\n"
    "  - {muscle: right0, rod: arm, to: 0.5, y: -0.015, force: 3, pattern: rhythm, phase: pi}\n"
    "  - {muscle: left1, rod: arm, from: 0.5, y: 0.015, force: 3, pattern: rhythm, oscillator: "
    "1}\n";

// the strains at t = 0.7: errors fall by 4, and what extrapolation leaves is an error of higher order
static void test_methods(void** unused) {
    (void)unused;
    enum { NQ = 3 };
    const ElvMethod methods[2] = {ELV_METHOD_NEWMARK, ELV_METHOD_GENERALIZED_ALPHA};
    ModelCase c = case_open("%s", wave);
    run(&c, ELV_METHOD_EXPLICIT, 0.0, 0.7);
    double exact[NQ], q[3][NQ], error[3];
    memcpy(exact, c.state->q, sizeof exact);
    double size = largest(exact, NQ);
    case_close(&c);
    CHECK_TRUE(size > 0.5);
    for (int m = 0; m < 2; m++) {
        for (int i = 0; i < 3; i++) {
            c = case_open("%s", wave);
            run(&c, methods[m], 0.004 / (1 << i), 0.7);
            memcpy(q[i], c.state->q, sizeof exact);
            error[i] = largest_difference(q[i], exact, NQ) / size;
            case_close(&c);
        }
        CHECK_TRUE(error[2] < 1e-4);
        CHECK_NEAR(error[0] / error[1], 4.0, 0.4);
        CHECK_NEAR(error[1] / error[2], 4.0, 0.2);
        for (int k = 0; k < NQ; k++) {
            CHECK_NEAR((4.0 * q[2][k] - q[1][k]) / 3.0, exact[k], error[2] * size / 20.0);
        }
    }
}

// ---- muscles

// an actuator on a rod whose strains are all free
static const char rod[] = "tree:\n"
                          "  - rod: arm\n"
                          "    length: 0.5\n"
                          "    section: {circle: {radius: 0.02}}\n"
                          "    material: {density: 1000, young: 1e6, poisson: 0.4}\n"
                          "    strain: {%s}\n"
                          "actuators:\n"
                          "  - {%s, rod: arm, from: 0.2, to: 0.9}\n";

// at y = d a tension T is the stress -d T in bend_z and T in stretch: in the plane at any strain, in space
// for directions of the strain at rest
static void test_travelling(void** unused) {
    (void)unused;
    static const char muscle[] = "muscle: m, y: 0.01, force: \"3 - s\", activation: \"0.5 + "
                                 "0.4*sin(6*t - 5*s)\", strain_dependence: %s";
    static const char stress[] = "stress: {bend_z: \"-0.01*(3 - s)*(0.5 + 0.4*sin(6*t - 5*s))\", "
                                 "stretch: \"(3 - s)*(0.5 + 0.4*sin(6*t - 5*s))\"}";
    for (int k = 0; k < 2; k++) {
        char text[512];
        const char* strain = k == 0 ? "bend_z: 4, stretch: 3" : "reissner: 3";
        snprintf(text, sizeof text, muscle, k == 0 ? "true" : "false");
        ModelCase a = case_open(rod, strain, text);
        ModelCase b = case_open(rod, strain, stress);
        double r[2][32];
        CHECK_TRUE(a.nv == b.nv && a.nv <= 32);
        for (uint64_t seed = 1; seed <= 5; seed++) {
            ModelCase* both[2] = {&a, &b};
            for (int i = 0; i < 2; i++) {
                case_randomize(both[i], seed, 0.3);
                both[i]->state->t = 0.37 * (double)seed;
                elv_residual(both[i]->model, both[i]->data, both[i]->state, r[i]);
            }
            CHECK_ARRAY_NEAR(r[0], r[1], (size_t)a.nv, 1e-12 * largest(r[1], (size_t)a.nv));
        }
        case_close(&a);
        case_close(&b);
    }
}

// ---- signals

static ElvSignals* make_signals(const ElvModel* model, const char* const* name, int n) {
    ElvError error;
    ElvSignals* signals = NULL;
    CHECK_STATUS(elv_signals_create(model, name, n, &signals, &error), &error);
    return signals;
}

static void test_signals(void** unused) {
    (void)unused;
    static const char* const names[] = {"pattern.rhythm.phase", "pattern.rhythm.amplitude.2",
                                        "muscle.c.length",      "muscle.c.rate",
                                        "muscle.c.activation",  "muscle.d.length"};
    static const char* const columns[] = {"pattern.rhythm.phase.0", "pattern.rhythm.phase.1",
                                          "pattern.rhythm.phase.2", "pattern.rhythm.amplitude.2",
                                          "muscle.c.length",        "muscle.c.rate",
                                          "muscle.c.activation",    "muscle.d.length"};
    ModelCase c = case_open("%s", driven);
    ElvSignals* signals = make_signals(c.model, names, 6);
    double value[8], side[2][8];
    assert_int_equal(elv_signals_n_column(signals), 8);
    for (int i = 0; i < 8; i++) {
        assert_string_equal(elv_signals_column_name(signals, i), columns[i]);
    }
    assert_string_equal(elv_signals_column_unit(signals, 2), "rad");
    // unknowns of the strand come first: devices without patterns are made before
    double* z = c.state->z + 3;
    CheckRandom random = check_random(8);
    for (int k = 0; k < 6; k++) {
        z[k] = check_uniform(&random, 0.1, 0.9);
    }
    for (int k = 7; k < c.state->nq; k++) {
        c.state->q[k] = check_uniform(&random, -0.3, 0.3);
        c.state->v[k - 1] = check_uniform(&random, -0.3, 0.3);
    }
    // the rate of the length is its difference along the motion
    double q[64];
    memcpy(q, c.state->q, (size_t)c.state->nq * sizeof *q);
    for (int i = 0; i < 2; i++) {
        for (int k = 7; k < c.state->nq; k++) {
            c.state->q[k] = q[k] + (i == 0 ? -1e-4 : 1e-4) * c.state->v[k - 1];
        }
        elv_signals_eval(signals, c.model, c.data, c.state, side[i]);
    }
    memcpy(c.state->q, q, (size_t)c.state->nq * sizeof *q);
    elv_signals_eval(signals, c.model, c.data, c.state, value);
    CHECK_ARRAY_NEAR(value, z, 3, 0.0);
    CHECK_NEAR(value[3], z[5], 0.0);
    CHECK_NEAR(value[5], (side[1][4] - side[0][4]) / 2e-4, 1e-9);
    CHECK_NEAR(value[6], 0.5 * z[4] * (1.0 + cos(z[1] - 1.0)), 1e-15);
    CHECK_TRUE(fabs(value[7] - 0.5) > 1e-4 && fabs(value[7] - 0.5) < 0.2);
    elv_signals_free(signals);
    case_close(&c);
}

static void test_missing_signals(void** unused) {
    (void)unused;
    static const char* const names[][2] = {
        {"muscle.d.activation", "muscle 'd' has no 'activation'; it has length, rate"},
        {"pattern.rhythm.speed", "pattern 'rhythm' has no 'speed'; it has phase, amplitude"},
        {"pattern.rhythm.phase.3", "pattern.rhythm.phase"}};
    ModelCase c = case_open("%s", driven);
    for (int i = 0; i < 3; i++) {
        ElvSignals* signals = NULL;
        ElvError error;
        assert_int_equal(elv_signals_create(c.model, &names[i][0], 1, &signals, &error),
                         ELV_ERROR_INPUT);
        CHECK_TRUE(strstr(error.message, names[i][1]) != NULL);
    }
    case_close(&c);
}

// ---- laws that leave their range

static void test_range(void** unused) {
    (void)unused;
    static const char* const actuators[][3] = {
        {"{muscle: m, rod: arm, force: 1, activation: \"2*t*s\"}", "m", "muscle 'm' is 1"},
        {"{muscle: m, rod: arm, force: 1, activation: \"sqrt(0.5 - t)\"}", "m",
         "muscle 'm' is not a number"},
        {"{pattern: p, frequency: 1, amplitude: \"2*t\"}", "p", "pattern 'p' is 1"},
        {"{pattern: p, frequency: \"sqrt(0.5 - t)\"}", "p", "pattern 'p' is not a number"}};
    const ElvMethod methods[2] = {ELV_METHOD_EXPLICIT, ELV_METHOD_GENERALIZED_ALPHA};
    for (int i = 0; i < 8; i++) {
        const char* const* actuator = actuators[i / 2];
        ModelCase c = case_open("tree:\n"
                                "  - rod: arm\n"
                                "    length: 0.5\n"
                                "    section: {circle: {radius: 0.02}}\n"
                                "    material: {density: 1000, young: 1e5, damping: 0.01}\n"
                                "    strain: {bend_z: 1}\n"
                                "actuators:\n"
                                "  - %s\n",
                                actuator[0]);
        ElvError error;
        ElvIntegratorReport report;
        ElvSimulateOptions options = elv_simulate_options_default(c.model, c.state);
        options.method.method = methods[i % 2];
        options.method.step = 0.01;
        options.t_end = 1.0;
        assert_int_equal(elv_simulate(c.model, c.state, &options, &report, &error),
                         ELV_ERROR_NUMERIC);
        assert_string_equal(error.element, actuator[1]);
        CHECK_TRUE(strstr(error.message, actuator[2]) != NULL);
        CHECK_TRUE(c.state->t > 0.4 && c.state->t < 0.52);
        case_close(&c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tangent),
        cmocka_unit_test(test_pair),
        cmocka_unit_test(test_lock),
        cmocka_unit_test(test_methods),
        cmocka_unit_test(test_travelling),
        cmocka_unit_test(test_signals),
        cmocka_unit_test(test_missing_signals),
        cmocka_unit_test(test_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
