// SPDX-License-Identifier: Apache-2.0
// The four-bar linkage against its solution in closed form (four_bar.h): motion, torque of the crank and
// force of the pin by inverse dynamics to rounding, and by time integration to the order of the method.
#include "check.h"
#include "elver/elver.h"
#include "four_bar.h"

#include <stdlib.h>

static const double PI = 3.14159265358979323846;

/// Errors of an algorithm that solves well-conditioned equations, relative to the sizes of its results.
static const double TOL = 1e-9;

/// A law of the crank, for the library and by hand.
typedef struct {
    const char* text;
    void (*at)(double t, double value[3]);
} Law;

static void steady(double t, double value[3]) {
    value[0] = 0.3 + 2.0 * PI * t;
    value[1] = 2.0 * PI;
    value[2] = 0.0;
}

static void faster(double t, double value[3]) {
    value[0] = 0.3 + 6.0 * t * t - t * t * t;
    value[1] = 12.0 * t - 3.0 * t * t;
    value[2] = 12.0 - 6.0 * t;
}

static void to_and_fro(double t, double value[3]) {
    value[0] = 0.3 + 2.0 * sin(5.0 * t);
    value[1] = 10.0 * cos(5.0 * t);
    value[2] = -50.0 * sin(5.0 * t);
}

static const Law laws[] = {
    {"0.3 + 2*pi*t", steady}, {"0.3 + 6*t^2 - t^3", faster}, {"0.3 + 2*sin(5*t)", to_and_fro}};

enum { N_LAW = 3 };

// ---- the model

static ElvModel* read_model(const ElvOverride* overrides, int n) {
    ElvModel* model = NULL;
    ElvError error;
    CHECK_STATUS(
        elv_model_read_file(ELVER_SOURCE_DIR "/models/four-bar.yaml", overrides, n, &model, &error),
        &error);
    return model;
}

static ElvModel* read_with_law(const Law* law) {
    ElvOverride motion = {"crank.joint.revolute.motion", law->text};
    return read_model(&motion, 1);
}

typedef struct {
    ElvModel* model;
    ElvInverse* solver;
    ElvState* state;
    ElvData* data;
    ElvSignals* signals; // force of the pin
} Case;

static Case open_case(const Law* law) {
    static const char* const names[] = {"loop.pin.wrench"};
    Case c = {.model = read_with_law(law)};
    ElvError error;
    CHECK_STATUS(elv_inverse_create(c.model, &c.solver, &error), &error);
    CHECK_STATUS(elv_state_create(c.model, &c.state, &error), &error);
    CHECK_STATUS(elv_data_create(c.model, &c.data, &error), &error);
    CHECK_STATUS(elv_signals_create(c.model, names, 1, &c.signals, &error), &error);
    return c;
}

static void close_case(Case* c) {
    elv_signals_free(c->signals);
    elv_data_free(c->data);
    elv_state_free(c->state);
    elv_inverse_free(c->solver);
    elv_model_free(c->model);
}

static double solve(Case* c, double t) {
    double tau[3];
    ElvError error;
    CHECK_STATUS(elv_inverse_at(c->solver, t, c->state, tau, &error), &error);
    CHECK_NEAR(tau[1], 0.0, 1e-12);
    CHECK_NEAR(tau[2], 0.0, 1e-12);
    return tau[0];
}

static double wrap(double angle) {
    return angle - 2.0 * PI * floor((angle + PI) / (2.0 * PI));
}

// ---- inverse dynamics

// joint coordinates are relative to the parent: coupler against crank
static void check_motion(const Case* c, const FourBarMotion* exact) {
    const ElvState* s = c->state;
    double size_v = fabs(exact->v[0]) + fabs(exact->v[1]) + fabs(exact->v[2]);
    double size_a = size_v * size_v + fabs(exact->a[0]) + fabs(exact->a[1]) + fabs(exact->a[2]);
    CHECK_NEAR(s->q[0], exact->q[0], TOL);
    CHECK_NEAR(wrap(s->q[1] - (exact->q[1] - exact->q[0])), 0.0, TOL);
    CHECK_NEAR(wrap(s->q[2] - exact->q[2]), 0.0, TOL);
    CHECK_NEAR(s->v[0], exact->v[0], TOL * size_v);
    CHECK_NEAR(s->v[1], exact->v[1] - exact->v[0], TOL * size_v);
    CHECK_NEAR(s->v[2], exact->v[2], TOL * size_v);
    CHECK_NEAR(s->a[0], exact->a[0], TOL * size_a);
    CHECK_NEAR(s->a[1], exact->a[1] - exact->a[0], TOL * size_a);
    CHECK_NEAR(s->a[2], exact->a[2], TOL * size_a);
}

static void check_efforts(Case* c, const FourBarMotion* exact, double torque) {
    double wrench[6];
    double tau[3];
    double force = 1.0 + fabs(exact->pin.x) + fabs(exact->pin.y);
    CHECK_NEAR(exact->torque_again, exact->torque, 1e-11 * (1.0 + fabs(exact->torque)));
    CHECK_NEAR(torque, exact->torque, TOL * (0.1 + fabs(exact->torque)));
    elv_idm(c->model, c->data, c->state, tau);
    elv_signals_eval(c->signals, c->model, c->data, c->state, wrench);
    CHECK_NEAR(wrench[3], exact->pin.x, TOL * force);
    CHECK_NEAR(wrench[4], exact->pin.y, TOL * force);
    // the plane carries nothing across, and a hinge no moment about its axis
    const double others[4] = {wrench[0], wrench[1], wrench[2], wrench[5]};
    const double zero[4] = {0.0};
    CHECK_ARRAY_NEAR(others, zero, 4, 1e-12 * force);
}

static void test_closed_form(void** context) {
    (void)context;
    FourBar bar = four_bar_default();
    for (int i = 0; i < N_LAW; i++) {
        Case c = open_case(&laws[i]);
        for (int k = 0; k <= 60; k++) {
            double t = 0.03 * k;
            double law[3];
            laws[i].at(t, law);
            FourBarMotion exact = four_bar_at(&bar, law[0], law[1], law[2]);
            double torque = solve(&c, t);
            check_motion(&c, &exact);
            check_efforts(&c, &exact, torque);
        }
        close_case(&c);
    }
}

// the initial angles of the file are rough: they are closed, to the nearest
static void test_start(void** context) {
    (void)context;
    Case c = open_case(&laws[0]);
    FourBar bar = four_bar_default();
    FourBarMotion exact = four_bar_at(&bar, 0.3, 2.0 * PI, 0.0);
    double rough = fabs(wrap(c.state->q[2] - exact.q[2]));
    CHECK_TRUE(rough > 1e-3 && rough < 1e-2);
    (void)solve(&c, 0.0);
    CHECK_NEAR(wrap(c.state->q[2] - exact.q[2]), 0.0, 1e-13);
    close_case(&c);
}

// ---- energy

static double energy_at(Case* c, double t) {
    (void)solve(c, t);
    elv_kinematics(c->model, c->data, c->state);
    ElvEnergy e = elv_energy(c->model, c->data, c->state);
    return e.kinetic + e.gravity;
}

// The power of the crank is the rate of the energy, here by differences of eighth order: with
// h = 2 ms and harmonics up to 5 turns a second, (2 pi 5)^9 h^8 / 630 = 1e-10 of the energy
static void test_power(void** context) {
    (void)context;
    static const double weight[4] = {4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0};
    const double h = 2e-3;
    Case c = open_case(&laws[0]);
    for (double t = 0.1; t < 1.0; t += 0.17) {
        double power = solve(&c, t) * 2.0 * PI;
        double rate = 0.0;
        for (int k = 0; k < 4; k++) {
            double step = h * (k + 1);
            rate += weight[k] / h * (energy_at(&c, t + step) - energy_at(&c, t - step));
        }
        CHECK_NEAR(rate, power, 1e-9 * (1.0 + fabs(power)));
    }
    close_case(&c);
}

// what a whole turn takes is nothing; sums over a period of a smooth function are exact
static void test_turn(void** context) {
    (void)context;
    Case c = open_case(&laws[0]);
    double sum = 0.0;
    double size = 0.0;
    for (int k = 0; k < 200; k++) {
        double torque = solve(&c, 0.005 * k);
        sum += torque / 200.0;
        size = fmax(size, fabs(torque));
    }
    CHECK_TRUE(size > 0.5);
    CHECK_NEAR(sum, 0.0, 1e-11 * size);
    close_case(&c);
}

// ---- time integration

typedef struct {
    ElvSignals* signals;
    const Law* law;
    double worst[3]; // of torque, force and speed of the rocker
} Comparison;

static bool compare(void* user, const ElvModel* model, ElvData* data, const ElvState* state) {
    Comparison* comparison = user;
    FourBar bar = four_bar_default();
    double law[3];
    double value[8];
    comparison->law->at(state->t, law);
    FourBarMotion exact = four_bar_at(&bar, law[0], law[1], law[2]);
    elv_signals_eval(comparison->signals, model, data, state, value);
    double* worst = comparison->worst;
    worst[0] = fmax(worst[0], fabs(value[0] - exact.torque));
    worst[1] = fmax(worst[1], hypot(value[4] - exact.pin.x, value[5] - exact.pin.y));
    worst[2] = fmax(worst[2], fabs(value[7] - exact.v[2]));
    return true;
}

// errors of a run of a model
static ElvIntegratorReport
simulate(const ElvModel* model, const Law* law, ElvSimulateDef method, double worst[3]) {
    static const char* const names[] = {"crank.effort", "loop.pin.wrench", "rocker.v"};
    ElvState* state = NULL;
    Comparison comparison = {.law = law};
    ElvIntegratorReport report;
    ElvError error;
    CHECK_STATUS(elv_state_create(model, &state, &error), &error);
    CHECK_STATUS(elv_signals_create(model, names, 3, &comparison.signals, &error), &error);
    ElvSimulateOptions options = elv_simulate_options_default(model, state);
    options.method = method;
    options.record_every = 0.02;
    options.record = compare;
    options.user = &comparison;
    CHECK_STATUS(elv_simulate(model, state, &options, &report, &error), &error);
    memcpy(worst, comparison.worst, 3 * sizeof *worst);
    elv_signals_free(comparison.signals);
    elv_state_free(state);
    return report;
}

static void integrate(ElvMethod method, bool is_projected, double step, double worst[3]) {
    ElvModel* model = read_with_law(&laws[0]);
    ElvSimulateDef options = elv_model_simulate(model);
    options.method = method;
    options.step = step;
    options.projects_velocity = is_projected;
    (void)simulate(model, &laws[0], options, worst);
    elv_model_free(model);
}

// Errors of order 2 fall by 4 as the step halves, from the first record on; what a start sets off may be of
// higher order
static void check_order(ElvMethod method, bool is_projected) {
    double coarse[3];
    double fine[3];
    integrate(method, is_projected, 2e-3, coarse);
    integrate(method, is_projected, 1e-3, fine);
    for (int i = 0; i < 2; i++) {
        CHECK_TRUE(fine[i] > 1e-7);
        CHECK_TRUE(coarse[i] > 3.3 * fine[i]);
    }
    // torque and force: some (2 pi h)^2 = 4e-5 of their sizes, 1 N m and 5 N
    CHECK_TRUE(fine[0] < 4e-5 && fine[1] < 5.0 * 4e-5);
    if (is_projected) {
        CHECK_NEAR(fine[2], 0.0, 1e-11);
    } else {
        CHECK_NEAR(log2(coarse[2] / fine[2]), 2.0, 0.1);
    }
}

static void test_integration(void** context) {
    (void)context;
    check_order(ELV_METHOD_BDF2, false);
    for (int i = 0; i < 2; i++) {
        check_order(ELV_METHOD_GENERALIZED_ALPHA, i == 1);
        check_order(ELV_METHOD_HHT, i == 1);
        check_order(ELV_METHOD_NEWMARK, i == 1);
    }
}

// steps of changing length leave no errors of another order behind
static void test_adaptive(void** context) {
    (void)context;
    double worst[3];
    ElvOverride adaptive = {"simulate", "{method: generalized-alpha, adaptive: true, step: 0.02, "
                                        "rel_tol: 1e-7, abs_tol: 1e-7, duration: 1}"};
    ElvModel* model = read_model(&adaptive, 1);
    ElvIntegratorReport report = simulate(model, &laws[0], elv_model_simulate(model), worst);
    elv_model_free(model);
    // steps of 3 ms in the mean
    CHECK_TRUE(report.n_step > 150 && report.n_step < 600);
    CHECK_TRUE(worst[0] < 4e-4 && worst[1] < 5.0 * 4e-4 && worst[2] < 4e-4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_closed_form), cmocka_unit_test(test_start),
        cmocka_unit_test(test_power),       cmocka_unit_test(test_turn),
        cmocka_unit_test(test_integration), cmocka_unit_test(test_adaptive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
