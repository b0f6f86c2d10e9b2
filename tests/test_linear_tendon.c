// SPDX-License-Identifier: Apache-2.0
// Linear models and modes of rods with tendons and chambers: how far small inputs lead against equilibria
// beside, step responses against the simulation, tendons that do not stretch as the limit of stiff ones.
#include "linear_case.h"

#include "elver/integrate.h"
#include "linalg/lu.h"

// ---- where constant inputs lead

/// A rod with an actuator, whose law has one %g, and what is looked at.
typedef struct {
    const char* actuator;
    const char* load; // force at the tip; "0" or a %g of its own
    const char* input;
    double value, step;
} Case;

static const char rod[] =
    "gravity: [0, 0, -1]\n"
    "tree:\n"
    "  - {rod: rod, length: 0.4, section: {circle: {radius: 0.01}}, material: {density: 1100, "
    "young: 2e6,\n"
    "     poisson: 0.45, damping: 0.01}, strain: {bend_y: 3, bend_z: 3, twist: 2, stretch: 2}}\n"
    "actuators:\n  - %s\n"
    "loads:\n  - {force: [0, %s, 0], at: rod.tip}\n";

static ModelCase open_case(const Case* one, double value) {
    char actuator[512];
    char load[64];
    bool is_load = one->load[0] == '%';
    snprintf(load, sizeof load, "%s", "0.02");
    snprintf(actuator, sizeof actuator, "%s", one->actuator);
    char* at = strstr(actuator, "VALUE");
    if (is_load) {
        snprintf(load, sizeof load, "%.17g", value);
    } else {
        char rest[512];
        CHECK_TRUE(at != NULL);
        snprintf(rest, sizeof rest, "%s", at + strlen("VALUE"));
        snprintf(at, sizeof actuator - (size_t)(at - actuator), "%.17g%s", value, rest);
    }
    ModelCase c = case_open(rod, actuator, load);
    ElvStaticsDef options = elv_statics_def_default();
    ElvError error;
    options.tolerance = 1e-13;
    CHECK_STATUS(elv_statics_solve(c.model, c.state, 0.0, &options, NULL, &error), &error);
    return c;
}

static void signals_at(const Case* one, double value, const char* const* name, int n, double* y) {
    ElvError error;
    ElvSignals* signals = NULL;
    ModelCase c = open_case(one, value);
    CHECK_STATUS(elv_signals_create(c.model, name, n, &signals, &error), &error);
    elv_residual(c.model, c.data, c.state, c.state->aux);
    elv_signals_eval(signals, c.model, c.data, c.state, y);
    elv_signals_free(signals);
    case_close(&c);
}

// D - C A^-1 B
static void gain_of(const ElvLinearModel* m, double* gain) {
    size_t n = (size_t)m->n_state;
    double* LU = calloc(n * n + n, sizeof *LU);
    int* pivot = calloc(n, sizeof *pivot);
    CHECK_TRUE(LU != NULL && pivot != NULL && m->n_input == 1);
    double* x = LU + n * n;
    memcpy(LU, m->A, n * n * sizeof *LU);
    memcpy(x, m->B, n * sizeof *x);
    CHECK_TRUE(elv_lu_factor((int)n, LU, pivot) < 0);
    elv_lu_solve((int)n, LU, pivot, 1, x);
    for (int i = 0; i < m->n_output; i++) {
        gain[i] = m->D[i];
        for (size_t k = 0; k < n; k++) {
            gain[i] -= m->C[(size_t)i * n + k] * x[k];
        }
    }
    free(LU);
    free(pivot);
}

static void test_gains(void** unused) {
    (void)unused;
    enum { N = 7 };
    static const Case cases[] = {
        {"{tendon: a, path: {rod: rod, y: 0.006, z: 0.002}, tension: VALUE}", "0",
         "tendon.a.tension", 2.0, 0.02},
        // a strand, a turn with friction, another strand
        {"{tendon: a, path: [{at: world, point: [-0.05, 0.02, 0.01]}, {rod: rod, to: 0.6, y: "
         "0.006},\n"
         "     {rod: rod, from: 0.7, y: 0.006, z: 0.003}, {at: world, point: [0.3, 0.3, 0]}],\n"
         "     friction: 0.3, tension: VALUE}",
         "0", "tendon.a.tension", 1.5, 0.01},
        {"{tendon: a, path: [{rod: rod, y: 0.006}], pull: VALUE, stiffness: 300}", "0",
         "tendon.a.pull", 0.006, 1e-4},
        {"{tendon: a, path: [{at: world, point: [0, 0.05, 0]}, {rod: rod, from: 0.5, y: 0.006}],\n"
         "     pull: VALUE, stiffness: 500, friction: 0.2}",
         "0", "tendon.a.pull", 0.006, 1e-4},
        // slack: nothing happens
        {"{tendon: a, path: [{rod: rod, y: 0.006}], pull: VALUE, stiffness: 300}", "0",
         "tendon.a.pull", -0.05, 1e-4},
        // the tension of a tendon that does not stretch, under a load; with friction too
        {"{tendon: a, path: [{rod: rod, y: 0.006}], pull: 0.004}", "%", "loads[0].force.y", 0.02,
         1e-4},
        {"{tendon: a, path: [{at: world, point: [0, 0.05, 0]}, {rod: rod, from: 0.5, y: 0.006}],\n"
         "     pull: 0.004, friction: 0.2}",
         "%", "loads[0].force.y", 0.02, 1e-4},
        {"{chamber: a, rod: rod, y: 0.004, area: 2e-5, pressure: VALUE}", "0", "chamber.a.pressure",
         2e4, 200.0},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const Case* one = &cases[k];
        bool is_chamber = strstr(one->actuator, "chamber") != NULL;
        const char* const names[] = {"rod.tip.position.x",
                                     "rod.tip.position.y",
                                     "rod.strain(0.3).bend_z",
                                     "rod.stress(0.3).moment.z",
                                     "rod.stress(0.3).force.x",
                                     is_chamber ? "chamber.a.pressure" : "tendon.a.tension",
                                     is_chamber ? "chamber.a.volume" : "tendon.a.length"};
        ElvError error;
        ElvLinearModel* m = NULL;
        ModelCase c = open_case(one, one->value);
        CHECK_STATUS(
            elv_linear_model_create(c.model, c.state, &one->input, 1, names, N, &m, &error),
            &error);
        double gain[N];
        double y[4][N];
        gain_of(m, gain);
        for (int i = 0; i < 4; i++) {
            static const double at[4] = {-2.0, -1.0, 1.0, 2.0};
            signals_at(one, one->value + at[i] * one->step, names, N, y[i]);
        }
        for (int i = 0; i < N; i++) {
            // order 4: its error falls by 16 with half the step
            double exact = (y[0][i] - 8.0 * y[1][i] + 8.0 * y[2][i] - y[3][i]) / (12.0 * one->step);
            double noise = 1e-11 * fmax(fabs(y[1][i]), 1.0) / one->step;
            CHECK_NEAR(gain[i], exact, 1e-7 * fabs(exact) + noise);
        }
        elv_linear_model_free(m);
        case_close(&c);
    }
}

// ---- step responses

enum { N_OUTPUT = 6 };

static const char* const outputs[N_OUTPUT] = {"rod.tip.position.y",     "rod.tip.position.x",
                                              "rod.tip.acceleration.y", "tendon.left.length",
                                              "tendon.right.tension",   "rod.stress(0.2).moment.z"};

// one tendon under a tension that is stepped; one by length, elastic, with a strand and friction
static const char arm[] =
    "gravity: [0, 0, -1]\n"
    "tree:\n"
    "  - {rod: rod, length: 0.4, section: {circle: {radius: 0.01}}, material: {density: 1100, "
    "young: 2e6,\n"
    "     poisson: 0.45, damping: 0.01}, strain: {bend_y: 2, bend_z: 2}}\n"
    "actuators:\n"
    "  - {tendon: left, path: {rod: rod, y: 0.006, z: 0.002}, tension: \"1 + %g*(t >= 0)\"}\n"
    "  - {tendon: right, path: [{at: world, point: [-0.02, -0.02, 0]}, {rod: rod, y: -0.006}],\n"
    "     pull: \"0.01 + %g*(t >= 0)\", stiffness: 40, friction: 0.2}\n";

static ModelCase open_arm(double u) {
    ElvError error;
    ModelCase c = case_open(arm, u, 0.005 * u);
    ElvStaticsDef options = elv_statics_def_default();
    options.tolerance = 1e-13;
    CHECK_STATUS(elv_statics_solve(c.model, c.state, -1.0, &options, NULL, &error), &error);
    c.state->t = 0.0;
    return c;
}

static void nonlinear_response(double u, double t, double* y) {
    ElvError error;
    ElvSignals* signals = NULL;
    ModelCase c = open_arm(u);
    CHECK_STATUS(elv_signals_create(c.model, outputs, N_OUTPUT, &signals, &error), &error);
    ElvSimulateOptions options = elv_simulate_options_default(c.model, c.state);
    options.method.method = ELV_METHOD_EXPLICIT;
    options.method.rel_tol = 1e-12;
    options.method.abs_tol = 1e-14;
    options.t_end = t;
    CHECK_STATUS(elv_simulate(c.model, c.state, &options, NULL, &error), &error);
    CHECK_STATUS(elv_forward_dynamics(c.model, c.data, c.state, &error), &error);
    elv_residual(c.model, c.data, c.state, c.state->aux);
    elv_signals_eval(signals, c.model, c.data, c.state, y);
    elv_signals_free(signals);
    case_close(&c);
}

static void test_step_response(void** unused) {
    (void)unused;
    ElvError error;
    ElvLinearModel* linear = NULL;
    ModelCase c = open_arm(0.0);
    CHECK_STATUS(
        elv_linear_model_create(c.model, c.state, NULL, 0, outputs, N_OUTPUT, &linear, &error),
        &error);
    CHECK_TRUE(linear->n_state == 8 && linear->n_input == 2);
    assert_string_equal(linear->input_name[0], "tendon.left.tension");
    assert_string_equal(linear->input_name[1], "tendon.right.pull");
    double off[2][N_OUTPUT];
    for (int k = 0; k < 2; k++) {
        double step = k == 0 ? 0.02 : 0.01;
        double u[2] = {step, 0.005 * step};
        double exact[N_OUTPUT];
        double found[N_OUTPUT];
        nonlinear_response(step, 0.2, exact);
        linear_response(linear, u, 0.2, found);
        for (int i = 0; i < N_OUTPUT; i++) {
            off[k][i] = found[i] - exact[i];
            // the step is seen at all
            CHECK_TRUE(fabs(exact[i] - linear->y[i]) > 2.0 * fabs(off[k][i]));
        }
    }
    // an error of second order falls by 4
    for (int i = 0; i < N_OUTPUT; i++) {
        CHECK_NEAR(off[0][i] / off[1][i], 4.0, 0.2);
    }
    elv_linear_model_free(linear);
    case_close(&c);
}

// ---- tendons that do not stretch

static const char* const taut[] = {
    "{tendon: a, path: [{rod: rod, y: 0.006}], pull: 0.004%s}",
    "{tendon: a, path: [{at: world, point: [0, 0.05, 0]}, {rod: rod, from: 0.5, y: 0.006}],\n"
    "     pull: 0.004%s}",
    "{tendon: a, path: [{at: world, point: [0, 0.05, 0]}, {rod: rod, from: 0.5, y: 0.006}],\n"
    "     pull: 0.004, friction: 0.3%s}"};

enum { N_FIRST = 5 };

// eigenvalues of the first modes with a stiffness, 0 for none
static int first_modes(const char* tendon, double stiffness, double* re, double* im) {
    char actuator[512];
    char text[64] = "";
    ElvError error;
    ElvModes* modes = NULL;
    if (stiffness > 0.0) {
        snprintf(text, sizeof text, ", stiffness: %g", stiffness);
    }
    snprintf(actuator, sizeof actuator, tendon, text);
    const Case one = {actuator, "%", "", 0.0, 0.0};
    ModelCase c = open_case(&one, 0.02);
    CHECK_TRUE(c.state->z[0] > 0.01);
    CHECK_STATUS(elv_modes_create(c.model, c.state, &modes, &error), &error);
    for (int i = 0; i < N_FIRST; i++) {
        re[i] = modes->mode[i].re;
        im[i] = modes->mode[i].im;
    }
    int n_mode = modes->n_mode;
    elv_modes_free(modes);
    case_close(&c);
    return n_mode;
}

static void test_stiff_limit(void** unused) {
    (void)unused;
    for (size_t k = 0; k < sizeof taut / sizeof taut[0]; k++) {
        double re[3][N_FIRST];
        double im[3][N_FIRST];
        int n_rigid = first_modes(taut[k], 0.0, re[0], im[0]);
        int n_stiff = first_modes(taut[k], 1e6, re[1], im[1]);
        (void)first_modes(taut[k], 2e6, re[2], im[2]);
        // one motion fewer
        CHECK_TRUE(n_rigid < n_stiff);
        for (int i = 0; i < N_FIRST; i++) {
            double size = hypot(re[0][i], im[0][i]);
            double off[2] = {im[1][i] - im[0][i], im[2][i] - im[0][i]};
            // of the order of the stiffness of the rod, some N/m, against that of the tendon
            CHECK_NEAR(off[0], 0.0, 1e-2 * size);
            // out-of-plane modes hardly feel it
            if (fabs(off[0]) > 1e-6 * size) {
                CHECK_NEAR(off[0] / off[1], 2.0, 0.02);
            }
        }
    }
}

// poles of the linear model are the modes, and the tension acts on the motion that is left only
static void test_rigid_poles(void** unused) {
    (void)unused;
    static const char* const names[] = {"tendon.a.length", "tendon.a.rate"};
    for (size_t k = 0; k < sizeof taut / sizeof taut[0]; k++) {
        char actuator[512];
        ElvError error;
        ElvModes* modes = NULL;
        ElvLinearModel* m = NULL;
        snprintf(actuator, sizeof actuator, taut[k], "");
        const Case one = {actuator, "%", "", 0.0, 0.0};
        ModelCase c = open_case(&one, 0.02);
        CHECK_STATUS(elv_modes_create(c.model, c.state, &modes, &error), &error);
        CHECK_STATUS(elv_linear_model_create(c.model, c.state, NULL, 0, names, 2, &m, &error),
                     &error);
        CHECK_TRUE(m->n_state == 2 * (c.nv - 1) && m->n_input == 0);
        double re[MAX_STATE];
        double im[MAX_STATE];
        eigenvalues(m->n_state, m->A, re, im);
        for (int i = 0; i < modes->n_mode; i++) {
            double nearest = INFINITY;
            for (int j = 0; j < m->n_state; j++) {
                nearest =
                    fmin(nearest, hypot(re[j] - modes->mode[i].re, im[j] - modes->mode[i].im));
            }
            double size = hypot(modes->mode[i].re, modes->mode[i].im);
            CHECK_TRUE(nearest <= 1e-6 * size);
        }
        // neither length nor rate can change
        CHECK_TRUE(largest(m->C, (size_t)(2 * m->n_state)) < 1e-9);
        elv_modes_free(modes);
        elv_linear_model_free(m);
        // what is pulled would act by its acceleration
        const char* const pull[] = {"tendon.a.pull"};
        CHECK_TRUE(elv_linear_model_create(c.model, c.state, pull, 1, names, 2, &m, &error) ==
                   ELV_ERROR_INPUT);
        CHECK_TRUE(strstr(error.message, "stiffness") != NULL);
        // and a state in motion has other equations
        c.state->v[0] = 0.1;
        CHECK_TRUE(elv_modes_create(c.model, c.state, &modes, &error) == ELV_ERROR_INPUT);
        CHECK_TRUE(strstr(error.message, "rest") != NULL);
        case_close(&c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gains),
        cmocka_unit_test(test_step_response),
        cmocka_unit_test(test_stiff_limit),
        cmocka_unit_test(test_rigid_poles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
