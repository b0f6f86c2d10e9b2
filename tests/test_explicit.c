// SPDX-License-Identifier: Apache-2.0
// The explicit integrator: the order of every pair measured, errors that follow the tolerance, the
// pendulum in closed form, dense output, restarts, jumps of laws, and failures that leave
// the state alone.
#include "pendulum.h"

// a damped pendulum whose torque makes the angle sin(3 t) + cos(2 t)/2: nonlinear, not autonomous
static const char* const forced_text =
    "gravity: [0, -9.81, 0]\n"
    "tree:\n"
    "  - body: bob\n"
    "    joint: {revolute: {axis: z, position: 0.5, velocity: 3, damping: 0.3,\n"
    "      force: \"0.25*(-9*sin(3*t) - 2*cos(2*t)) + 0.3*(3*cos(3*t) - sin(2*t))\n"
    "              + 4.905*sin(sin(3*t) + 0.5*cos(2*t))\"}}\n"
    "    mass: 1\n"
    "    center: [0, -0.5, 0]\n"
    "simulate: {method: explicit, duration: 10}\n";

static double forced_angle(double t) {
    return sin(3.0 * t) + 0.5 * cos(2.0 * t);
}

// largest error of the angle at seven times; n_evaluation may be NULL
static double forced_error(const ElvSimulateDef* options, long* n_evaluation) {
    ModelCase c = case_open("%s", forced_text);
    ElvIntegrator* integrator = start_integrator(&c, options);
    double error = 0.0;
    for (int i = 1; i <= 7; i++) {
        double t = 0.43 * i;
        integrate_to(integrator, t, c.state);
        error = fmax(error, fabs(c.state->q[0] - forced_angle(t)));
    }
    if (n_evaluation) {
        *n_evaluation = elv_integrator_report(integrator).n_evaluation;
    }
    elv_integrator_free(integrator);
    case_close(&c);
    return error;
}

// ---- accuracy

// tolerances too loose to matter, so that the largest step is the step; order 7 uses the pair of 8
static void test_order_of_each_pair(void** state) {
    (void)state;
    const double step[9] = {0.0, 0.0, 0.005, 0.005, 0.03, 0.03, 0.06, 0.12, 0.12};
    for (int order = 2; order <= 8; order++) {
        ElvSimulateDef options = explicit_options();
        options.order = order;
        options.rel_tol = options.abs_tol = 1e6;
        options.step = step[order];
        double coarse = forced_error(&options, NULL);
        options.step = 0.5 * step[order];
        double fine = forced_error(&options, NULL);
        double measured = log2(coarse / fine);
        double expected = order == 7 ? 8.0 : order;
        print_message("order %d: errors %.2e, %.2e, measured %.2f\n", order, coarse, fine,
                      measured);
        CHECK_TRUE(measured > expected - 0.4 && measured < expected + 0.6);
    }
}

// the error follows the tolerance, and the work grows as tol^(-1/p)
static void test_tolerances(void** state) {
    (void)state;
    for (int order = 2; order <= 8; order++) {
        double last = 0.0;
        long last_work = 0;
        double p = order == 7 ? 8.0 : order;
        double tight = order == 2 ? 1e-6 : order == 3 ? 1e-8 : 1e-10;
        for (double tol = 1e-4; tol > 0.5 * tight; tol *= 0.01) {
            ElvSimulateDef options = explicit_options();
            options.order = order;
            options.rel_tol = options.abs_tol = tol;
            long work = 0;
            double error = forced_error(&options, &work);
            // local errors of about tol in a few hundred steps
            CHECK_TRUE(error < 100.0 * tol);
            if (last > 0.0) {
                CHECK_TRUE(error < 0.1 * last);
                double slope = log((double)work / (double)last_work) / log(100.0);
                CHECK_TRUE(slope * p > 0.4 && slope * p < 1.4);
            }
            last = error;
            last_work = work;
        }
    }
}

static void test_pendulum(void** state) {
    (void)state;
    const int order[2] = {5, 8};
    for (int k = 0; k < 2; k++) {
        ModelCase c = case_open("%s", pendulum_text);
        ElvSimulateDef options = explicit_options();
        options.order = order[k];
        options.rel_tol = options.abs_tol = 1e-12;
        ElvIntegrator* integrator = start_integrator(&c, &options);
        for (int i = 1; i <= 20; i++) {
            double t = 0.25 * i;
            integrate_to(integrator, t, c.state);
            CHECK_NEAR(c.state->q[0], pendulum_angle(t), 1e-10);
        }
        elv_integrator_free(integrator);
        // after three periods 4 K/omega it is back at rest
        elv_state_reset(c.model, c.state);
        integrator = start_integrator(&c, &options);
        integrate_to(integrator, 3.0 * 4.0 * elliptic_K(sin(1.0)) / sqrt(9.81 / 0.5), c.state);
        CHECK_NEAR(c.state->q[0], 2.0, 1e-10);
        CHECK_NEAR(c.state->v[0], 0.0, 1e-9);
        elv_integrator_free(integrator);
        case_close(&c);
    }
}

// ---- steps and dense output

// between the ends of a step the interpolant is as good as the steps; outside it is refused
static void test_dense_output(void** state) {
    (void)state;
    ModelCase c = case_open("%s", pendulum_text);
    ElvSimulateDef options = explicit_options();
    ElvIntegrator* integrator = start_integrator(&c, &options);
    ElvState* between = NULL;
    CHECK_STATUS(elv_state_create(c.model, &between, NULL), NULL);
    double at_end = 0.0;
    double inside = 0.0;
    while (c.state->t < 3.0) {
        double t0 = c.state->t;
        CHECK_STATUS(elv_integrator_step(integrator, 3.0, c.state, NULL), NULL);
        at_end = fmax(at_end, fabs(c.state->q[0] - pendulum_angle(c.state->t)));
        for (int i = 0; i <= 4; i++) {
            double t = i == 4 ? c.state->t : t0 + 0.25 * i * (c.state->t - t0);
            CHECK_STATUS(elv_integrator_interpolate(integrator, t, between, NULL), NULL);
            CHECK_TRUE(between->t == t);
            inside = fmax(inside, fabs(between->q[0] - pendulum_angle(t)));
            // accelerations are those of the dynamics: -(g/l) sin(theta)
            CHECK_NEAR(between->a[0], -9.81 / 0.5 * sin(between->q[0]), 1e-12);
        }
        // at the end it is the state itself
        CHECK_TRUE(between->q[0] == c.state->q[0] && between->v[0] == c.state->v[0]);
    }
    print_message("at step ends %.2e, between %.2e\n", at_end, inside);
    CHECK_TRUE(at_end < 1e-6 && inside < 2.0 * at_end);
    double kept = between->q[0];
    ElvError error;
    CHECK_TRUE(elv_integrator_interpolate(integrator, 1.0, between, &error) == ELV_ERROR_STEP);
    CHECK_TRUE(elv_integrator_interpolate(integrator, 3.5, between, NULL) == ELV_ERROR_STEP);
    CHECK_TRUE(between->q[0] == kept && between->t == 3.0);
    elv_state_free(between);
    elv_integrator_free(integrator);
    case_close(&c);
}

// steps end at the limit, never exceed the largest step, and are counted
static void test_limits(void** state) {
    (void)state;
    ModelCase c = case_open("%s", pendulum_text);
    ElvSimulateDef options = explicit_options();
    options.step = 0.02;
    ElvIntegrator* integrator = start_integrator(&c, &options);
    long n = 0;
    while (c.state->t < 0.5) {
        double t0 = c.state->t;
        CHECK_STATUS(elv_integrator_step(integrator, 0.5, c.state, NULL), NULL);
        CHECK_TRUE(c.state->t > t0 && c.state->t - t0 < 0.02 * (1.0 + 1e-12));
        n++;
        ElvIntegratorReport report = elv_integrator_report(integrator);
        CHECK_TRUE(report.n_step == n && report.n_evaluation >= n);
        CHECK_NEAR(report.last_step, c.state->t - t0, 1e-15);
    }
    CHECK_TRUE(c.state->t == 0.5);
    // nothing to do
    double q = c.state->q[0];
    CHECK_STATUS(elv_integrator_step(integrator, 0.5, c.state, NULL), NULL);
    CHECK_STATUS(elv_integrator_step(integrator, 0.2, c.state, NULL), NULL);
    CHECK_TRUE(c.state->t == 0.5 && c.state->q[0] == q);
    elv_integrator_free(integrator);
    case_close(&c);
}

// ---- restarts

static void test_restart(void** state) {
    (void)state;
    ModelCase c = case_open("%s", forced_text);
    ElvSimulateDef options = explicit_options();
    ElvIntegrator* integrator = start_integrator(&c, &options);
    integrate_to(integrator, 1.0, c.state);
    ElvState* checkpoint = NULL;
    CHECK_STATUS(elv_state_create(c.model, &checkpoint, NULL), NULL);
    elv_state_copy(checkpoint, c.state);
    integrate_to(integrator, 2.5, c.state);
    double whole = c.state->q[0];
    // the same integrator, then a new one, from the copy
    for (int i = 0; i < 2; i++) {
        elv_state_copy(c.state, checkpoint);
        if (i == 1) {
            elv_integrator_free(integrator);
            integrator = NULL;
            CHECK_STATUS(elv_integrator_create(c.model, &options, &integrator, NULL), NULL);
        }
        CHECK_STATUS(elv_integrator_start(integrator, c.state, NULL), NULL);
        CHECK_TRUE(elv_integrator_report(integrator).n_step == 0);
        integrate_to(integrator, 2.5, c.state);
        CHECK_NEAR(c.state->q[0], whole, 1e-7);
        CHECK_NEAR(c.state->q[0], forced_angle(2.5), 1e-6);
    }
    elv_state_free(checkpoint);
    elv_integrator_free(integrator);
    case_close(&c);
}

// ---- jumps of laws

// 2 kg under 1 N until t = 0.3, -3 N after it: two parabolas
static void check_parabolas(const ElvState* state) {
    double t = state->t;
    double before = fmin(t, 0.3);
    double after = fmax(t - 0.3, 0.0);
    double v = 0.5 * before;
    CHECK_NEAR(state->q[0], 0.5 * v * before + v * after - 0.75 * after * after, 1e-14);
    CHECK_NEAR(state->v[0], v - 1.5 * after, 1e-14);
}

// steps see a law from their own side of its jump, whatever it gives at the jump itself: every pair
// is exact on parabolas, at a tolerance that would let the wrong force in one stage pass. So do
// steps of an integrator that is started at the jump.
static void test_jump(void** state) {
    (void)state;
    const char* const law[2] = {"if(t < 0.3, 1, -3)", "if(t <= 0.3, 1, -3)"};
    for (int k = 0; k < 14; k++) {
        ModelCase c =
            case_open("tree:\n"
                      "  - {body: a, joint: {prismatic: {axis: x, force: \"%s\"}}, mass: 2}\n"
                      "simulate: {method: explicit, duration: 1}\n",
                      law[k % 2]);
        ElvSimulateDef options = explicit_options();
        options.order = 2 + k / 2;
        options.rel_tol = options.abs_tol = 1.0;
        ElvIntegrator* integrator = start_integrator(&c, &options);
        ElvState* at_jump = NULL;
        CHECK_STATUS(elv_state_create(c.model, &at_jump, NULL), NULL);
        while (c.state->t < 1.0) {
            CHECK_STATUS(elv_integrator_step(integrator, 1.0, c.state, NULL), NULL);
            check_parabolas(c.state);
            if (c.state->t == 0.3) {
                elv_state_copy(at_jump, c.state);
            }
        }
        CHECK_TRUE(at_jump->t == 0.3);
        CHECK_STATUS(elv_integrator_start(integrator, at_jump, NULL), NULL);
        while (at_jump->t < 1.0) {
            CHECK_STATUS(elv_integrator_step(integrator, 1.0, at_jump, NULL), NULL);
            check_parabolas(at_jump);
        }
        elv_state_free(at_jump);
        elv_integrator_free(integrator);
        case_close(&c);
    }
}

static void test_same_bits(void** state) {
    (void)state;
    double q[2], v[2], t[2];
    for (int i = 0; i < 2; i++) {
        ModelCase c = case_open("%s", forced_text);
        ElvSimulateDef options = explicit_options();
        ElvIntegrator* integrator = start_integrator(&c, &options);
        for (int k = 0; k < 100; k++) {
            CHECK_STATUS(elv_integrator_step(integrator, 1e3, c.state, NULL), NULL);
        }
        q[i] = c.state->q[0];
        v[i] = c.state->v[0];
        t[i] = c.state->t;
        elv_integrator_free(integrator);
        case_close(&c);
    }
    CHECK_TRUE(q[0] == q[1] && v[0] == v[1] && t[0] == t[1]);
}

// ---- quaternions

// a tumbling body without torque: unit quaternions in every output, angular momentum kept
static void test_unit_quaternions(void** state) {
    (void)state;
    ModelCase c = case_open("tree:\n"
                            "  - {body: box, mass: 1, inertia: [1, 2, 2.5],\n"
                            "     joint: {free: {velocity: [0.1, 3, 0.2, 1, 2, 3]}}}\n"
                            "simulate: {method: explicit, duration: 10}\n");
    ElvSimulateDef options = explicit_options();
    ElvIntegrator* integrator = start_integrator(&c, &options);
    ElvState* between = NULL;
    CHECK_STATUS(elv_state_create(c.model, &between, NULL), NULL);
    ElvMomentum start = elv_momentum(c.model, c.data, c.state);
    while (c.state->t < 5.0) {
        double t0 = c.state->t;
        CHECK_STATUS(elv_integrator_step(integrator, 5.0, c.state, NULL), NULL);
        double t = 0.5 * (t0 + c.state->t);
        CHECK_STATUS(elv_integrator_interpolate(integrator, t, between, NULL), NULL);
        const ElvState* const out[2] = {c.state, between};
        for (int i = 0; i < 2; i++) {
            const double* q = out[i]->q;
            CHECK_NEAR(elv_quat_norm(elv_quat(q[0], q[1], q[2], q[3])), 1.0, 4e-16);
            ElvMomentum now = elv_momentum(c.model, c.data, out[i]);
            CHECK_ARRAY_NEAR(&now.angular.x, &start.angular.x, 3, 1e-5);
        }
    }
    elv_state_free(between);
    elv_integrator_free(integrator);
    case_close(&c);
}

// ---- failures

static void check_unchanged(const ElvState* state, const ElvState* before) {
    CHECK_TRUE(state->t == before->t);
    CHECK_ARRAY_NEAR(state->q, before->q, (size_t)state->nq, 0.0);
    CHECK_ARRAY_NEAR(state->v, before->v, (size_t)state->nv, 0.0);
    CHECK_ARRAY_NEAR(state->a, before->a, (size_t)state->nv, 0.0);
}

// steps until one fails: its status, with the state of before
static void check_failure(const char* text, ElvStatus expected, const char* element, bool is_told) {
    ModelCase c = case_open("%s", text);
    ElvSimulateDef options = explicit_options();
    ElvIntegrator* integrator = start_integrator(&c, &options);
    ElvState* before = NULL;
    CHECK_STATUS(elv_state_create(c.model, &before, NULL), NULL);
    ElvStatus status = ELV_OK;
    ElvError error;
    elv_error_clear(&error);
    while (status == ELV_OK && c.state->t < 2.0) {
        elv_state_copy(before, c.state);
        status = elv_integrator_step(integrator, 2.0, c.state, is_told ? &error : NULL);
    }
    CHECK_TRUE(status == expected);
    CHECK_TRUE(!is_told || (error.status == expected && strstr(error.element, element)));
    check_unchanged(c.state, before);
    elv_state_free(before);
    elv_integrator_free(integrator);
    case_close(&c);
}

// two slides in a row with one mass, turned against each other by a drive: when they become
// parallel, slowly or at once, the mass matrix is singular
#define SINGULAR_TEXT(motion)                                                                      \
    "tree:\n"                                                                                      \
    "  - {body: a, joint: {prismatic: {axis: x, velocity: 1}}, mass: 0}\n"                         \
    "  - {body: b, parent: a, joint: {revolute: {axis: z, motion: \"" motion "\"}}, mass: 0}\n"    \
    "  - {body: c, parent: b, joint: {prismatic: {axis: x}}, mass: 1}\n"

// a force that has no value after t = 0.5
static const char* const undefined_text =
    "tree:\n"
    "  - {body: a, joint: {prismatic: {axis: x, force: \"sqrt(0.5 - t)\"}}, mass: 1}\n";

static void test_failures(void** state) {
    (void)state;
    for (int is_told = 0; is_told < 2; is_told++) {
        check_failure(SINGULAR_TEXT("max(1 - t, 0)"), ELV_ERROR_SINGULAR, "c", is_told);
        check_failure(SINGULAR_TEXT("if(t < 1, 1, 0)"), ELV_ERROR_SINGULAR, "c", is_told);
        check_failure(undefined_text, ELV_ERROR_NUMERIC, "a", is_told);
    }
    // singular from the start: start fails
    ModelCase c = case_open("tree:\n"
                            "  - {body: a, joint: {prismatic: {axis: x}}, mass: 0}\n");
    ElvSimulateDef options = explicit_options();
    ElvIntegrator* integrator = NULL;
    ElvError error;
    CHECK_STATUS(elv_integrator_create(c.model, &options, &integrator, &error), &error);
    CHECK_TRUE(elv_integrator_start(integrator, c.state, &error) == ELV_ERROR_SINGULAR);
    assert_string_equal(error.element, "a");
    elv_integrator_free(integrator);
    // an order that does not exist
    options.order = 9;
    CHECK_TRUE(elv_integrator_create(c.model, &options, &integrator, &error) == ELV_ERROR_INPUT);
    CHECK_TRUE(integrator == NULL);
    elv_integrator_free(NULL);
    case_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_of_each_pair),
        cmocka_unit_test(test_tolerances),
        cmocka_unit_test(test_pendulum),
        cmocka_unit_test(test_dense_output),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_restart),
        cmocka_unit_test(test_jump),
        cmocka_unit_test(test_same_bits),
        cmocka_unit_test(test_unit_quaternions),
        cmocka_unit_test(test_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
