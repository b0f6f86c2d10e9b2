// SPDX-License-Identifier: Apache-2.0
// Pairs of the explicit method where the rate depends on t alone: a body that floats, moved by
// another whose way is imposed. Its momentum is zero, so that its velocity is a law of t, and its
// place an integral; an error estimate that only sees how rates depend on places would let steps
// grow until nothing of the law is left.
#include "pendulum.h"

// the way u = sin(t^3): periods of the velocity from seconds down to 2 pi/75 s at t = 5 s
static const char* const chirp_text =
    "tree:\n"
    "  - {body: hull, joint: {prismatic: {axis: x}}, mass: 3}\n"
    "  - {body: load, parent: hull, joint: {prismatic: {axis: x, motion: \"sin(t^3)\"}}, mass: 1}\n"
    "simulate: {method: connection, connection: mechanical, duration: 5}\n";

// 3 x + (x + u) = 0
static double chirp_place(double t) {
    return -0.25 * sin(t * t * t);
}

// largest error of the place at fifty times, and the steps that were taken
static double chirp_error(int order, double tol, long* n_step) {
    ModelCase c = case_open("%s", chirp_text);
    ElvSimulateDef options = elv_model_simulate(c.model);
    options.order = order;
    options.rel_tol = options.abs_tol = tol;
    ElvIntegrator* integrator = start_integrator(&c, &options);
    double error = 0.0;
    for (int i = 1; i <= 50; i++) {
        double t = 0.1 * i;
        integrate_to(integrator, t, c.state);
        error = fmax(error, fabs(c.state->q[0] - chirp_place(t)));
    }
    *n_step = elv_integrator_report(integrator).n_step;
    elv_integrator_free(integrator);
    case_close(&c);
    return error;
}

// a step may be off by its tolerance, tol (1 + |x|) < 1.25 tol, and a quadrature carries errors
// along unchanged
static void test_quadrature(void** state) {
    (void)state;
    // that of order 2 would need 100 times more steps at 1e-9 than at 1e-5, and that of order 7
    // does not see errors of quadratures
    static const int ORDER[] = {3, 4, 5, 6, 8};
    for (int i = 0; i < 5; i++) {
        int order = ORDER[i];
        for (double tol = 1e-5; tol > 5e-10; tol *= 1e-2) {
            long n_step = 0;
            double error = chirp_error(order, tol, &n_step);
            print_message("order %d, tolerance %.0e: %ld steps, error %.2e\n", order, tol, n_step,
                          error);
            CHECK_TRUE(error < 1.25 * tol * (double)n_step);
        }
    }
}

// one step over the whole of the law cannot be right, and is not taken for right
static void test_long_step(void** state) {
    (void)state;
    long n_step = 0;
    ModelCase c = case_open("%s", chirp_text);
    ElvSimulateDef options = elv_model_simulate(c.model);
    options.order = 8;
    options.rel_tol = options.abs_tol = 1e-6;
    ElvIntegrator* integrator = start_integrator(&c, &options);
    integrate_to(integrator, 5.0, c.state);
    ElvIntegratorReport report = elv_integrator_report(integrator);
    n_step = report.n_step;
    // 125/(2 pi) periods, of which a step of order 8 does not cover one
    CHECK_TRUE(n_step > 20);
    CHECK_NEAR(c.state->q[0], chirp_place(5.0), 1.25e-6 * (double)n_step);
    elv_integrator_free(integrator);
    case_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quadrature),
        cmocka_unit_test(test_long_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
