// SPDX-License-Identifier: Apache-2.0
// Steps chosen by the error estimate: the true error of each step stays near the tolerance, the error
// at the end falls with it, and steps are short where the motion is fast.
#include "pendulum.h"

static const ElvMethod methods[] = {ELV_METHOD_NEWMARK, ELV_METHOD_HHT,
                                    ELV_METHOD_GENERALIZED_ALPHA, ELV_METHOD_BDF2};

static ElvSimulateDef adaptive_options(ElvMethod method, double tol) {
    ElvSimulateDef options = elv_simulate_def_default();
    options.method = method;
    options.is_adaptive = true;
    options.step = 0.5;
    options.rel_tol = options.abs_tol = tol;
    options.newton_tol = 1e-11;
    return options;
}

// the state t later, by an explicit method of order 8
static double exact_after(ModelCase* c, const ElvState* from, double t_end) {
    ElvSimulateDef options = explicit_options();
    options.order = 8;
    options.rel_tol = options.abs_tol = 1e-12;
    elv_state_copy(c->state, from);
    ElvIntegrator* integrator = start_integrator(c, &options);
    integrate_to(integrator, t_end, c->state);
    double q = c->state->q[0];
    elv_integrator_free(integrator);
    return q;
}

// error of every single step of the pendulum, over tol (|q| + 1), after the restart has died away
static void test_local_error(void** state) {
    (void)state;
    for (int m = 0; m < 4; m++) {
        const double tol = 1e-6;
        ModelCase c = case_open("%s", pendulum_text);
        ModelCase exact = case_open("%s", pendulum_text);
        ElvSimulateDef options = adaptive_options(methods[m], tol);
        ElvIntegrator* integrator = start_integrator(&c, &options);
        ElvState* before = NULL;
        CHECK_STATUS(elv_state_create(c.model, &before, NULL), NULL);
        double worst = 0.0, sum = 0.0;
        int n = 0;
        while (c.state->t < 2.0) {
            elv_state_copy(before, c.state);
            CHECK_STATUS(elv_integrator_step(integrator, 2.0, c.state, NULL), NULL);
            before->step_past = 0.0;
            double q = exact_after(&exact, before, c.state->t);
            double error = fabs(c.state->q[0] - q) / (tol * (fabs(q) + 1.0));
            if (n++ >= 5) {
                worst = fmax(worst, error);
                sum += error;
            }
        }
        print_message("method %d: %d steps, error over tolerance: mean %.2f, largest %.2f\n",
                      (int)methods[m], n, sum / (n - 5), worst);
        // the estimate aims at (0.9)^3; what the rate's own error adds is of the same order
        CHECK_TRUE(worst < 3.0);
        CHECK_TRUE(sum / (n - 5) > 0.1);
        elv_state_free(before);
        elv_integrator_free(integrator);
        case_close(&c);
        case_close(&exact);
    }
}

// error per step held at tol: steps are as tol^(1/3), and errors add up to tol^(2/3)
static void test_global_error(void** state) {
    (void)state;
    for (int m = 0; m < 4; m++) {
        double error[2];
        long n_step[2];
        for (int i = 0; i < 2; i++) {
            ModelCase c = case_open("%s", pendulum_text);
            ElvSimulateDef options = adaptive_options(methods[m], i == 0 ? 1e-5 : 1e-8);
            ElvIntegrator* integrator = start_integrator(&c, &options);
            error[i] = 0.0;
            while (c.state->t < 2.0) {
                CHECK_STATUS(elv_integrator_step(integrator, 2.0, c.state, NULL), NULL);
                error[i] = fmax(error[i], fabs(c.state->q[0] - pendulum_angle(c.state->t)));
            }
            n_step[i] = elv_integrator_report(integrator).n_step;
            elv_integrator_free(integrator);
            case_close(&c);
        }
        print_message("method %d: %ld and %ld steps, errors %.2e and %.2e\n", (int)methods[m],
                      n_step[0], n_step[1], error[0], error[1]);
        // a thousandth of the tolerance: ten times the steps, a hundredth of the error
        CHECK_NEAR((double)n_step[1] / (double)n_step[0], 10.0, 2.0);
        CHECK_TRUE(error[0] / error[1] > 50.0 && error[0] / error[1] < 200.0);
    }
}

// a spring a hundred times stiffer acts for a while: steps follow
static void test_steps_follow_the_motion(void** state) {
    (void)state;
    for (int m = 0; m < 4; m++) {
        ModelCase c =
            case_open("tree:\n"
                      "  - {body: mass, mass: 1, joint: {prismatic: {axis: x,\n"
                      "     stiffness: 1, position: 1, damping: 0.1,\n"
                      "     force: \"smooth(t, 4, 4.5)*10*sin(60*t)*(1 - smooth(t, 6, 6.5))\"}}}\n"
                      "simulate: {duration: 10}\n");
        ElvSimulateDef options = adaptive_options(methods[m], 1e-5);
        ElvIntegrator* integrator = start_integrator(&c, &options);
        double calm = 0.0, busy = 0.0, late = 0.0;
        int n_calm = 0, n_busy = 0, n_late = 0;
        while (c.state->t < 10.0) {
            double t = c.state->t;
            CHECK_STATUS(elv_integrator_step(integrator, 10.0, c.state, NULL), NULL);
            double dt = c.state->t - t;
            CHECK_TRUE(dt <= 0.5 * (1.0 + 1e-12));
            if (t > 1.0 && t < 3.8) {
                calm += dt;
                n_calm++;
            } else if (t > 4.6 && t < 5.9) {
                busy += dt;
                n_busy++;
            } else if (t > 7.5) {
                late += dt;
                n_late++;
            }
        }
        CHECK_TRUE(calm / n_calm > 3.0 * busy / n_busy);
        CHECK_TRUE(late / n_late > 2.0 * busy / n_busy);
        elv_integrator_free(integrator);
        case_close(&c);
    }
}

// coordinates that pass through zero, rotations and positions far away do not make steps small
static void test_sizes(void** state) {
    (void)state;
    long n[2];
    for (int i = 0; i < 2; i++) {
        ModelCase c = case_open("tree:\n"
                                "  - {body: box, mass: 1, inertia: [1, 2, 2.5],\n"
                                "     joint: {free: {position: {xyz: [%g, 0, 0]},\n"
                                "     velocity: [0.1, 1, 0.2, 1, 0, 0]}}}\n",
                                i == 0 ? 0.0 : 1e6);
        ElvSimulateDef options = adaptive_options(ELV_METHOD_GENERALIZED_ALPHA, 1e-5);
        ElvIntegrator* integrator = start_integrator(&c, &options);
        integrate_to(integrator, 5.0, c.state);
        n[i] = elv_integrator_report(integrator).n_step;
        elv_integrator_free(integrator);
        case_close(&c);
    }
    // far away only the position may err more, in proportion
    CHECK_TRUE(n[0] > 20 && n[0] < 1000);
    CHECK_TRUE(n[1] <= n[0] && n[1] > n[0] / 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_local_error),
        cmocka_unit_test(test_global_error),
        cmocka_unit_test(test_steps_follow_the_motion),
        cmocka_unit_test(test_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
