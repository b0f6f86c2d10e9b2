// SPDX-License-Identifier: Apache-2.0
// First guesses of a step: what is resolved is extrapolated, what is not keeps its velocity, each joint by
// itself; and the order of the guesses, with and without a step before.
#include "pendulum.h"
#include "solve/predictor.h"

// two oscillators that are let go; omega dt = 0.05 and 50
static const char* const pair_text =
    "tree:\n"
    "  - {body: slow, mass: 1, joint: {prismatic: {axis: x, stiffness: 25, position: 0.1}}}\n"
    "  - {body: fast, mass: 1, joint: {prismatic: {axis: y, stiffness: 25e6, position: 0.1}}}\n";

static const double DT = 0.01;

// steps of Newmark, and the state after them
static ModelCase open_pair(int n_step) {
    ModelCase c = case_open("%s", pair_text);
    ElvSimulateDef options = elv_simulate_def_default();
    options.method = ELV_METHOD_NEWMARK;
    options.step = DT;
    ElvIntegrator* integrator = start_integrator(&c, &options);
    for (int i = 0; i < n_step; i++) {
        CHECK_STATUS(elv_integrator_step(integrator, 1.0, c.state, NULL), NULL);
    }
    elv_integrator_free(integrator);
    return c;
}

// from rest the trapezoidal rule goes by dt^2/2 a / (1 + (omega dt)^2/4): that is how far it is foretold
static void test_trust(void** state) {
    (void)state;
    ElvSimulateDef options = elv_simulate_def_default();
    options.method = ELV_METHOD_NEWMARK;
    ElvScheme scheme = elv_scheme_from_options(&options);
    ModelCase c = open_pair(1);
    const double omega_dt[2] = {0.05, 50.0};
    for (int i = 0; i < 2; i++) {
        double expected = 1.0 / (1.0 + 0.25 * omega_dt[i] * omega_dt[i]);
        CHECK_NEAR(elv_scheme_trust(&scheme, i, 1, c.state, c.state->v), expected, 1e-6);
    }
    // both together: the fast one has all the weight
    CHECK_TRUE(elv_scheme_trust(&scheme, 0, 2, c.state, c.state->v) < 0.01);
    c.state->step_past = 0.0;
    CHECK_NEAR(elv_scheme_trust(&scheme, 1, 1, c.state, c.state->v), 1.0, 0.0);
    case_close(&c);
}

// the guess against the increment that the step then takes
static void test_guess(void** state) {
    (void)state;
    ModelCase c = open_pair(1), next = open_pair(2);
    ElvSimulateDef options = elv_simulate_def_default();
    ElvProblem problem;
    ElvError error;
    options.method = ELV_METHOD_NEWMARK;
    ElvScheme scheme = elv_scheme_from_options(&options);
    CHECK_STATUS(elv_problem_create(c.model, &problem, &error), &error);
    elv_predict(&problem, &scheme, ELV_PREDICT_AS_BEFORE, DT, c.state, c.state->v);
    // the slow one errs by (omega dt)^2 of its way
    CHECK_NEAR(problem.nu[0], next.state->nu_past[0], 0.0025 * fabs(next.state->nu_past[0]));
    // the plain extrapolation of the other is off by hundreds of times its amplitude of 0.1
    double plain[2];
    elv_scheme_extrapolate(&scheme, 2, DT, c.state, c.state->v, plain);
    CHECK_TRUE(fabs(plain[1] - next.state->nu_past[1]) > 10.0);
    CHECK_NEAR(problem.nu[1], next.state->nu_past[1], 1.0);
    elv_predict(&problem, &scheme, ELV_PREDICT_CONSTANT_VELOCITY, DT, c.state, c.state->v);
    CHECK_NEAR(problem.nu[1], DT * c.state->v[1], 0.0);
    elv_predict(&problem, &scheme, ELV_PREDICT_REST, DT, c.state, c.state->v);
    CHECK_TRUE(problem.nu[0] == 0.0 && problem.nu[1] == 0.0 && !problem.is_current);
    elv_problem_free(&problem);
    case_close(&c);
    case_close(&next);
}

// without a step before the best one comes first, evaluated; later the boldest, without a look
static void test_order(void** state) {
    (void)state;
    ElvSimulateDef options = elv_simulate_def_default();
    options.method = ELV_METHOD_NEWMARK;
    ElvScheme scheme = elv_scheme_from_options(&options);
    for (int n_step = 0; n_step <= 5; n_step += 5) {
        ModelCase c = open_pair(n_step);
        ElvProblem problem;
        ElvError error;
        ElvPredictor order[ELV_N_PREDICTOR];
        CHECK_STATUS(elv_problem_create(c.model, &problem, &error), &error);
        CHECK_TRUE(elv_consistent_acceleration(&problem, c.state));
        elv_problem_chart(&problem, c.state);
        elv_scheme_begin(&scheme, 2, DT, c.state, c.state->v, c.state->a, &problem.a, &problem.b,
                         problem.f, problem.h);
        int n = elv_predictor_order(&problem, &scheme, DT, c.state, c.state->v, order);
        CHECK_TRUE(n_step == 0 ? n >= 2 : n == 0);
        CHECK_TRUE((order[0] == ELV_PREDICT_AS_BEFORE) == (n_step > 0));
        CHECK_TRUE(order[0] + order[1] + order[2] == 3 && order[0] != order[1]);
        double nu = problem.nu[1];
        elv_predict(&problem, &scheme, order[0], DT, c.state, c.state->v);
        CHECK_NEAR(problem.nu[1], nu, 0.0);
        elv_problem_free(&problem);
        case_close(&c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trust),
        cmocka_unit_test(test_guess),
        cmocka_unit_test(test_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
