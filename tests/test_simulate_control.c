// SPDX-License-Identifier: Apache-2.0
// Controllers of a simulation: a wheel of inertia I under a torque u that is held over each interval h of its PD law moves
// by q += h v + h^2 u / 2I, v += h u / I, exactly. An explicit method gives that to its tolerance if it forgets, at
// each call, the torque before.
#include "check.h"

#include "elver/elver.h"

#include <string.h>

static const double EVERY = 0.05;
static const double INERTIA = 2.0;

static const char MODEL[] =
    "elver: 1\n"
    "tree:\n"
    "  - {body: wheel, joint: {revolute: {axis: y, force: 0}}, mass: 1, inertia: [2, 2, 2]}\n"
    "simulate: {method: explicit, duration: 1}\n";

typedef struct {
    double u;
    int n_call;
    int n_last;  // the call that stops; 0: none
    double q, v; // by the closed form
} Loop;

static void hold(void* user, double t, double s, ElvJet* jet) {
    (void)t;
    (void)s;
    *jet = (ElvJet){((const Loop*)user)->u, 0.0, 0.0};
}

static bool control(void* user, const ElvState* state) {
    Loop* loop = user;
    // the state is that of the closed form, and the time a multiple of the interval
    CHECK_NEAR(state->t, EVERY * loop->n_call, 1e-12);
    CHECK_NEAR(state->q[0], loop->q, 1e-6);
    CHECK_NEAR(state->v[0], loop->v, 1e-6);
    double u = 20.0 * (1.0 - loop->q) - 12.0 * loop->v;
    loop->u = 20.0 * (1.0 - state->q[0]) - 12.0 * state->v[0];
    loop->q += EVERY * loop->v + EVERY * EVERY * u / (2.0 * INERTIA);
    loop->v += EVERY * u / INERTIA;
    return ++loop->n_call != loop->n_last;
}

static ElvStatus simulate(Loop* loop, double every, double* t_end) {
    ElvError error;
    elv_error_clear(&error);
    ElvSpec* spec = NULL;
    ElvModel* model = NULL;
    ElvState* state = NULL;
    ElvLawDef law = elv_law_def_callback(hold, loop);
    CHECK_STATUS(elv_spec_read_text(MODEL, strlen(MODEL), "wheel", NULL, 0, &spec, &error), &error);
    CHECK_STATUS(elv_spec_set_law(spec, "wheel.effort.0", &law, &error), &error);
    CHECK_STATUS(elv_spec_compile(spec, &model, &error), &error);
    CHECK_STATUS(elv_state_create(model, &state, &error), &error);
    ElvSimulateOptions options = elv_simulate_options_default(model, state);
    options.control = control;
    options.control_every = every;
    options.user = loop;
    ElvStatus status = elv_simulate(model, state, &options, NULL, &error);
    *t_end = state->t;
    elv_state_free(state);
    elv_model_free(model);
    elv_spec_free(spec);
    return status;
}

static void test_closed_form(void** state) {
    (void)state;
    Loop loop = {0};
    double t_end;
    CHECK_TRUE(simulate(&loop, EVERY, &t_end) == ELV_OK);
    // not called at the end, where nothing would be held
    CHECK_TRUE(loop.n_call == 20);
    CHECK_NEAR(t_end, 1.0, 1e-12);
}

static void test_stop_and_refusal(void** state) {
    (void)state;
    Loop loop = {.n_last = 5};
    double t_end;
    CHECK_TRUE(simulate(&loop, EVERY, &t_end) == ELV_ERROR_CANCELLED);
    CHECK_TRUE(loop.n_call == 5);
    CHECK_NEAR(t_end, 4.0 * EVERY, 1e-12);
    loop = (Loop){0};
    CHECK_TRUE(simulate(&loop, 0.0, &t_end) == ELV_ERROR_INPUT);
    CHECK_TRUE(loop.n_call == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_closed_form),
                                       cmocka_unit_test(test_stop_and_refusal)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
