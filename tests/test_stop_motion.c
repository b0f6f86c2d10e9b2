// SPDX-License-Identifier: Apache-2.0
// Motions that the caller stops within a step, at every call one after the other: the state is the one before that step,
// records are kept, and a start from there goes on as if nothing had been. Cycles of gaits, their periods, and inverse
// problems are stopped alike.
#include "stop_case.h"

#include "elver/inverse.h"
#include "elver/locomotion.h"

enum { MAX_ROW = 256 };

// ---- steps

// a rod on a hinge, swung by a force
static const char SWING[] =
    "gravity: [9.81, 0, 0]\n"
    "tree:\n"
    "  - {rod: rod, joint: {revolute: {axis: z, position: 0.4, damping: 0.05}}, length: 0.5,\n"
    "     section: {circle: {diameter: 0.01}}, strain: {bend_z: 4}, basis: legendre,\n"
    "     material: {density: 1100, young: 2e8, poisson: 0.4, damping: 0.01}}\n"
    "loads:\n"
    "  - {force: [0, \"0.5*sin(9*t)\", 0], at: rod.tip}\n"
    "simulate: {method: %s, step: %s, duration: 0.1}\n";

// to t_end, with a new start from where it was stopped; whether it was
static bool run_to(ModelCase* c, ElvIntegrator* integrator, double t_end, const StopAt* own) {
    ElvError error;
    ElvState* before = copy_of(c);
    bool is_stopped = false;
    while (c->state->t < t_end) {
        elv_state_copy(before, c->state);
        ElvStatus status = elv_integrator_step(integrator, t_end, c->state, &error);
        if (status != ELV_OK) {
            check_stopped(status, &error, own);
            CHECK_TRUE(is_same_state(c->state, before) && !is_stopped);
            is_stopped = true;
            CHECK_STATUS(elv_integrator_start(integrator, c->state, &error), &error);
        }
    }
    elv_state_free(before);
    return is_stopped;
}

// tol: of coordinates; 0: to the same bits
static void check_steps(ModelCase c, int n_step, double tol) {
    ElvSimulateDef options = elv_model_simulate(c.model);
    ElvIntegrator* integrator = NULL;
    ElvError error;
    StopAt own = {0, 0};
    options.stop = stop_by(&own);
    double t_end = n_step * (options.step > 0.0 ? options.step : 0.01);
    CHECK_STATUS(elv_integrator_create(c.model, &options, &integrator, &error), &error);
    CHECK_STATUS(elv_integrator_start(integrator, c.state, &error), &error);
    int n_start = own.n_call;
    CHECK_TRUE(!run_to(&c, integrator, t_end, &own));
    ElvState* found = copy_of(&c);
    int n_call = own.n_call;
    CHECK_TRUE(n_call - n_start >= n_step);
    for (int at = n_start + 1; at <= n_call; at = next_stop(at, n_call)) {
        elv_integrator_free(integrator);
        own = (StopAt){0, at};
        elv_state_reset(c.model, c.state);
        CHECK_STATUS(elv_integrator_create(c.model, &options, &integrator, &error), &error);
        CHECK_STATUS(elv_integrator_start(integrator, c.state, &error), &error);
        CHECK_TRUE(run_to(&c, integrator, t_end, &own));
        CHECK_TRUE(c.state->t == found->t);
        CHECK_ARRAY_NEAR(c.state->q, found->q, (size_t)found->nq, tol);
        CHECK_ARRAY_NEAR(c.state->v, found->v, (size_t)found->nv, 1e3 * tol);
    }
    elv_integrator_free(integrator);
    elv_state_free(found);
    case_close(&c);
}

// implicit methods go on by their memory, in the State alone
static void test_implicit(void** unused) {
    (void)unused;
    static const char* const METHOD[] = {"newmark", "hht", "generalized-alpha", "bdf2"};
    for (int i = 0; i < 4; i++) {
        check_steps(case_open(SWING, METHOD[i], "0.005"), 6, 0.0);
        check_steps(case_open(SWING, METHOD[i], "0.005, adaptive: true"), 4, 0.0);
    }
    check_steps(open_model("cpr", NULL, 0), 2, 0.0);
}

// pairs of Runge and Kutta choose their first step anew: as near as their tolerances of 1e-8
static void test_explicit(void** unused) {
    (void)unused;
    check_steps(case_open(SWING, "explicit", "0.005"), 2, 1e-7);
    check_steps(open_model("falling-cat", NULL, 0), 5, 1e-9);
}

// Methods without modes keep their fields. What is left of Newton's residual, 1e-9 of the wrenches, depends on the first
// guess.
static void test_strong(void** unused) {
    (void)unused;
    check_steps(case_open(SWING, "rkmk", "0.02, nodes: 41"), 5, 1e-6);
    check_steps(case_open(SWING, "till", "0.02, nodes: 41"), 5, 1e-6);
    check_steps(case_open(SWING, "shooting", "0.01, segments: 4"), 6, 1e-6);
}

// ---- runs

typedef struct {
    int n;
    double t[MAX_ROW], q[MAX_ROW];
} Rows;

static bool on_record(void* user, const ElvModel* model, ElvData* data, const ElvState* state) {
    (void)model;
    (void)data;
    Rows* rows = user;
    CHECK_TRUE(rows->n < MAX_ROW);
    rows->t[rows->n] = state->t;
    rows->q[rows->n++] = state->q[0];
    return true;
}

// a run ends with its last good state as its last record, be it stopped in its equilibrium, its start or a step
static void check_run(ModelCase c, bool is_static) {
    ElvSimulateOptions options = elv_simulate_options_default(c.model, c.state);
    ElvIntegratorReport report;
    ElvError error;
    static Rows all, rows;
    StopAt own = {0, 0};
    all.n = 0;
    options.method.starts_static = is_static;
    options.method.stop = stop_by(&own);
    options.record_every = 0.01;
    options.t_end = 0.05;
    options.record = on_record;
    options.user = &all;
    CHECK_STATUS(elv_simulate(c.model, c.state, &options, &report, &error), &error);
    CHECK_TRUE(all.n == 6);
    int n_call = own.n_call;
    int n_first = 0; // stopped before the first record
    options.user = &rows;
    for (int at = 1; at <= n_call; at = next_stop(at, n_call)) {
        own = (StopAt){0, at};
        rows.n = 0;
        elv_state_reset(c.model, c.state);
        ElvStatus status = elv_simulate(c.model, c.state, &options, &report, &error);
        check_stopped(status, &error, &own);
        n_first += rows.n == 0;
        for (int i = 0; i < rows.n; i++) {
            // the last one may lie between two records
            bool is_last = i == rows.n - 1 && rows.t[i] != all.t[i];
            CHECK_TRUE(is_last || (rows.t[i] == all.t[i] && rows.q[i] == all.q[i]));
        }
        CHECK_TRUE(c.state->t == (rows.n > 0 ? rows.t[rows.n - 1] : 0.0));
    }
    CHECK_TRUE((n_first > 0) == is_static);
    case_close(&c);
}

static void test_runs(void** unused) {
    (void)unused;
    check_run(case_open(SWING, "generalized-alpha", "0.004"), false);
    check_run(case_open(SWING, "explicit", "0.004"), false);
    check_run(case_open(SWING, "generalized-alpha", "0.004"), true);
}

// ---- gaits

static void test_gaits(void** unused) {
    (void)unused;
    static const char* const NAME[] = {"falling-cat", "ellipse-swimmer", "snakeboard"};
    for (int i = 0; i < 3; i++) {
        ModelCase c = open_model(NAME[i], NULL, 0);
        ElvGait gait, found;
        ElvError error;
        StopAt own = {0, 0};
        ElvStop stop = stop_by(&own);
        elv_state_impose(c.model, c.state);
        ElvState* start = copy_of(&c);
        CHECK_STATUS(elv_gait_displacement(c.model, c.state, ELV_CONNECTION_MECHANICAL, 0.0, &stop,
                                           &found, &error),
                     &error);
        int n_call = own.n_call;
        int n_period = 0;
        for (int at = 1; at <= n_call; at = next_stop(at, n_call)) {
            own = (StopAt){0, at};
            ElvStatus status = elv_gait_displacement(c.model, c.state, ELV_CONNECTION_MECHANICAL,
                                                     0.0, &stop, &gait, &error);
            check_stopped(status, &error, &own);
            n_period += strstr(error.message, "period") != NULL;
            CHECK_TRUE(is_same_state(c.state, start));
        }
        // in the search for the period, and in the cycle, which has a step and more
        CHECK_TRUE(n_period > 0 && n_call > found.n_step);
        CHECK_STATUS(elv_gait_displacement(c.model, c.state, ELV_CONNECTION_MECHANICAL, 0.0, NULL,
                                           &gait, &error),
                     &error);
        CHECK_TRUE(gait.period == found.period && gait.net.p.x == found.net.p.x);
        elv_state_free(start);
        case_close(&c);
    }
}

// ---- inverse problems

// of joints, and of strains with a free root
static void test_inverse(void** unused) {
    (void)unused;
    static const char* const NAME[] = {"four-bar", "swimmer-imposed"};
    for (int i = 0; i < 2; i++) {
        ModelCase c = open_model(NAME[i], NULL, 0);
        ElvInverseOptions options = elv_inverse_options_default(c.model);
        ElvInverseReport report;
        ElvError error;
        static Rows all, rows;
        StopAt own = {0, 0};
        all.n = 0;
        options.duration = 0.5;
        options.every = 0.1;
        options.record = on_record;
        options.user = &all;
        options.stop = stop_by(&own);
        CHECK_STATUS(elv_inverse_run(c.model, c.state, &options, &report, &error), &error);
        int n_call = own.n_call;
        CHECK_TRUE(all.n == 6 && n_call > 5);
        options.user = &rows;
        for (int at = 1; at <= n_call; at = next_stop(at, n_call)) {
            own = (StopAt){0, at};
            rows.n = 0;
            elv_state_reset(c.model, c.state);
            ElvStatus status = elv_inverse_run(c.model, c.state, &options, &report, &error);
            check_stopped(status, &error, &own);
            CHECK_TRUE(report.n_sample == rows.n && rows.n < all.n);
            CHECK_TRUE(memcmp(rows.q, all.q, (size_t)rows.n * sizeof *all.q) == 0);
        }
        case_close(&c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_implicit), cmocka_unit_test(test_explicit),
        cmocka_unit_test(test_strong),   cmocka_unit_test(test_runs),
        cmocka_unit_test(test_gaits),    cmocka_unit_test(test_inverse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
