// SPDX-License-Identifier: Apache-2.0
// Steps that resolve nothing: the stiff cantilever at dt = 0.1 s over four decades of stiffness [P23
// section X.A], a thin wire whose twist rattles at 800 Hz, or unwinds from several turns, and an oscillator
// of any frequency inside the integrator. The start of the first is the same for all stiffnesses, since
// the force grows with them.
#include "implicit_case.h"
#include "pendulum.h"

static const double factors[] = {0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0};

enum { N_FACTOR = sizeof factors / sizeof factors[0] };

/// Weight of the rod times half its length, J: the energy of the rod hanging straight is minus this.
static double hanging_energy(void) {
    const double pi = 3.14159265358979323846;
    return 8000.0 * pi * 1e-6 * 0.4 * 9.81 * 0.2;
}

static ImplicitRun run_cantilever(double factor, ElvMethod method) {
    char E[32], f[32];
    snprintf(E, sizeof E, "%.17g", 2e11 * factor);
    snprintf(f, sizeof f, "%.17g", 10.0 * factor);
    const ElvOverride overrides[2] = {{"E", E}, {"f", f}};
    ImplicitRun run = {.model = "cantilever-stiff",
                       .method = method,
                       .step = 0.1,
                       .t_end = 10.0,
                       .every = 0.1,
                       .overrides = overrides,
                       .n_override = 2};
    run_simulate(&run, "rod");
    // from where it would hang at rest
    for (int i = 0; i < run.n_row; i++) {
        run.energy[i] += hanging_energy();
    }
    return run;
}

static double mean_energy(const ImplicitRun* run, int first, int last) {
    double sum = 0.0;
    for (int i = first; i < last; i++) {
        sum += run->energy[i];
    }
    return sum / (last - first);
}

// Newmark keeps the energy of linear motions; here it wanders, within twice the start and without trend
static void test_newmark_is_bounded(void** state) {
    (void)state;
    for (int i = 0; i < N_FACTOR; i++) {
        ImplicitRun run = run_cantilever(factors[i], ELV_METHOD_NEWMARK);
        CHECK_TRUE(run.n_row == 101 && run.report.n_step == 100);
        for (int k = 0; k < run.n_row; k++) {
            CHECK_TRUE(run.energy[k] < 2.0 * run.energy[0]);
        }
        CHECK_TRUE(mean_energy(&run, 50, 100) < 1.1 * mean_energy(&run, 0, 50));
        run_free(&run);
    }
}

// generalized-alpha never has more than it started with
static void test_generalized_alpha_dissipates(void** state) {
    (void)state;
    for (int i = 0; i < N_FACTOR; i++) {
        ImplicitRun run = run_cantilever(factors[i], ELV_METHOD_GENERALIZED_ALPHA);
        for (int k = 0; k < run.n_row; k++) {
            CHECK_TRUE(run.energy[k] <= run.energy[0] * (1.0 + 1e-9));
        }
        CHECK_TRUE(run.energy[100] < 0.95 * run.energy[0]);
        run_free(&run);
    }
}

// ---- the thin wire

static ImplicitRun run_wire(ElvMethod method, double step, double t_end) {
    ImplicitRun run = {
        .model = "thin-twist", .method = method, .step = step, .t_end = t_end, .every = 0.01};
    run_simulate(&run, "wire");
    return run;
}

// every method gets through without a cut step, and near to where the explicit one is
static void test_thin_twist(void** state) {
    (void)state;
    const ElvMethod method[] = {ELV_METHOD_GENERALIZED_ALPHA, ELV_METHOD_NEWMARK, ELV_METHOD_HHT,
                                ELV_METHOD_BDF2};
    // an explicit method follows the twist by steps of 2e-5 s
    ImplicitRun exact = run_wire(ELV_METHOD_EXPLICIT, 0.0, 0.1);
    for (int m = 0; m < 4; m++) {
        ImplicitRun run = run_wire(method[m], m == 0 ? 0.0 : 0.01, 5.0);
        CHECK_TRUE(run.report.n_halving == 0 && run.report.n_step == 500);
        double start = run.stored[0];
        for (int i = 0; i < run.n_row; i++) {
            CHECK_NEAR(run.energy[i], run.energy[0], 0.25 * start);
        }
        // the tip has moved by decimetres within 0.1 s, and the bending is resolved
        for (int k = 4; k <= 6; k++) {
            CHECK_NEAR(run.row[10][k], exact.row[10][k], 0.01);
        }
        run_free(&run);
    }
    run_free(&exact);
}

// let go with a twist of up to 10 rad, straight or bent by 1 rad: no method that damps creates energy
static void test_wire_unwinds(void** state) {
    (void)state;
    static const char* const initial[] = {"{twist: 0.3, bend_y: 1}", "{twist: 1, bend_y: 1}",
                                          "{twist: 3}", "{twist: 3, bend_y: 1}",
                                          "{twist: 10, bend_y: 1}"};
    const ElvMethod method[] = {ELV_METHOD_GENERALIZED_ALPHA, ELV_METHOD_HHT};
    for (int i = 0; i < 5; i++) {
        const ElvOverride overrides[] = {{"wire.initial", initial[i]}, {"simulate.start", "model"}};
        for (int m = 0; m < (IS_SANITIZED ? 1 : 2); m++) {
            ImplicitRun run = {.model = "thin-twist",
                               .method = method[m],
                               .step = 0.01,
                               .t_end = IS_SANITIZED ? 0.1 : 2.0,
                               .every = 0.01,
                               .overrides = overrides,
                               .n_override = 2};
            run_simulate(&run, "wire");
            for (int k = 0; k < run.n_row; k++) {
                CHECK_TRUE(run.energy[k] <= run.energy[0] + 0.05 * run.stored[0]);
            }
            run_free(&run);
        }
    }
}

// Newmark has nothing to damp it with: the twist stirs up everything, and the error says what would
static void test_newmark_says_why(void** state) {
    (void)state;
    ElvModel* model = NULL;
    ElvState* start = NULL;
    ElvError error;
    const ElvOverride overrides[] = {{"wire.initial", "{twist: 3, bend_y: 1}"},
                                     {"simulate.start", "model"},
                                     {"simulate.max_halvings", "2"}};
    CHECK_STATUS(elv_model_read_file(ELVER_SOURCE_DIR "/models/thin-twist.yaml", overrides, 3,
                                     &model, &error),
                 &error);
    CHECK_STATUS(elv_state_create(model, &start, &error), &error);
    ElvSimulateOptions options = elv_simulate_options_default(model, start);
    ElvIntegratorReport report;
    options.method.method = ELV_METHOD_NEWMARK;
    options.method.step = 0.01;
    assert_int_equal(elv_simulate(model, start, &options, &report, &error), ELV_ERROR_STEP);
    CHECK_TRUE(strstr(error.message, "generalized-alpha") != NULL);
    elv_state_free(start);
    elv_model_free(model);
}

// ---- an oscillator in the integrator

// stiffness 1e12, mass 1
static ModelCase open_oscillator(double rho) {
    return case_open("tree:\n"
                     "  - {body: mass, mass: 1, joint: {prismatic: {axis: x,\n"
                     "     stiffness: 1e12, position: 1e-3, velocity: 1}}}\n"
                     "simulate: {spectral_radius: %g, duration: 10, step: 0.01}\n",
                     rho);
}

// in the middle of a run a stiff mode decays by rho a step
static void test_radius_at_infinity(void** state) {
    (void)state;
    for (int i = 1; i <= 9; i += 2) {
        double rho = 0.1 * i;
        ModelCase c = open_oscillator(rho);
        ElvSimulateDef options = elv_model_simulate(c.model);
        // as if steps had been made before: nothing is calmed or filtered
        c.state->step_past = 0.01;
        c.state->n_calm = 3;
        c.state->aux_lead = (rho - 1.0) / (rho + 1.0) * 0.01;
        c.state->effort[0] = 1e9;
        ElvIntegrator* integrator = start_integrator(&c, &options);
        // roots of multiplicity three: v_n = (p + q n + r n^2) (-rho)^n, so that third differences of
        // v_n / (-rho)^n vanish
        double y[8], scale = 0.0;
        for (int n = 0; n < 8; n++) {
            y[n] = c.state->v[0] / pow(-rho, n);
            scale = fmax(scale, fabs(y[n]));
            integrate_to(integrator, 0.01 * (n + 1), c.state);
        }
        for (int n = 1; n + 3 < 8; n++) {
            double third = y[n + 3] - 3.0 * y[n + 2] + 3.0 * y[n + 1] - y[n];
            // Newton's tolerance, amplified by 1 / rho^8
            CHECK_NEAR(third, 0.0, 1e-5 * scale);
        }
        CHECK_TRUE(fabs(y[7]) > 0.1);
        elv_integrator_free(integrator);
        case_close(&c);
    }
}

// at the start it is calmed: after three steps it is gone, whatever rho is; but rho = 1 keeps it
static void test_start_is_calmed(void** state) {
    (void)state;
    for (int i = 1; i <= 10; i += 3) {
        ModelCase c = open_oscillator(0.1 * i);
        ElvSimulateDef options = elv_model_simulate(c.model);
        ElvIntegrator* integrator = start_integrator(&c, &options);
        integrate_to(integrator, 0.03, c.state);
        bool is_gone = fabs(c.state->q[0]) < 1e-6 * 1e-3 && fabs(c.state->v[0]) < 1e-4;
        CHECK_TRUE(is_gone == (i < 10));
        elv_integrator_free(integrator);
        case_close(&c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_newmark_is_bounded),
        cmocka_unit_test(test_generalized_alpha_dissipates),
        cmocka_unit_test(test_thin_twist),
        cmocka_unit_test(test_wire_unwinds),
        cmocka_unit_test(test_newmark_says_why),
        cmocka_unit_test(test_radius_at_infinity),
        cmocka_unit_test(test_start_is_calmed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
