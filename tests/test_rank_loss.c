// SPDX-License-Identifier: Apache-2.0
// Postures in which constraints lose a direction. Where the imposed motion needs that direction no
// velocity exists: it is found before a run, and by every method that steps into it, also where the
// posture depends on what is free. Others are gone through and reported.
//
// The oracle is plain trigonometry of axles on a chain: rows, their determinant, and the combination
// u of rows that vanishes with it. Any motion has slips s with u . s = u . c, c what the shape asks.
#include "locomotion_case.h"

enum { N_METHOD = 4 };

static const ElvMethod methods[N_METHOD] = {ELV_METHOD_EXPLICIT, ELV_METHOD_GENERALIZED_ALPHA,
                                            ELV_METHOD_BDF2, ELV_METHOD_CONNECTION};

#define BODY ", mass: 1, inertia: [1, 1, 1]}\n"
#define HINGE(name, parent, motion)                                                                \
    "  - {body: " name ", parent: " parent                                                         \
    ", pose: {xyz: [1, 0, 0]}, joint: {revolute: {axis: z" motion "}}" BODY
#define WHEEL(name, at) "  - {wheel: " name ", at: " at ", radius: 0.1}\n"

// ---- three axles, one metre apart

static const char three_axles[] =
    "tree:\n  - {body: b0, joint: planar" BODY HINGE("b1", "b0", ", motion: \"0.4*sin(t + 0.3)\"")
        HINGE("b2", "b1", ", motion: \"0.5*sin(2*t + 1)\"") "constraints:\n" WHEEL("w0", "b0")
            WHEEL("w1", "b1") WHEEL("w2", "b2") "simulate: {duration: %s}\n";

/// Rows of the axles on (vx, vy, spin) of the first body, and what the hinges ask of them.
typedef struct {
    double row[3][3], c[3];
} Axles;

static Axles axles_at(double t) {
    const double angle[3] = {0.0, 0.4 * sin(t + 0.3), 0.5 * sin(2.0 * t + 1.0)};
    const double rate[3] = {0.0, 0.4 * cos(t + 0.3), cos(2.0 * t + 1.0)};
    Axles a;
    double x = 0.0, y = 0.0, vx = 0.0, vy = 0.0, heading = 0.0, spin = 0.0;
    for (int i = 0; i < 3; i++) {
        if (i > 0) {
            x += cos(heading);
            y += sin(heading);
            vx -= spin * sin(heading);
            vy += spin * cos(heading);
        }
        heading += angle[i];
        spin += rate[i];
        a.row[i][0] = -sin(heading);
        a.row[i][1] = cos(heading);
        a.row[i][2] = x * cos(heading) + y * sin(heading);
        a.c[i] = -sin(heading) * vx + cos(heading) * vy;
    }
    return a;
}

// cofactors of the last column: where the determinant is zero, the combination of rows that vanishes
static double determinant(const Axles* a, double u[3]) {
    double sum = 0.0;
    for (int i = 0; i < 3; i++) {
        const double* p = a->row[(i + 1) % 3];
        const double* q = a->row[(i + 2) % 3];
        u[i] = p[0] * q[1] - p[1] * q[0];
        sum += u[i] * a->row[i][2];
    }
    return sum;
}

// the zero of the determinant that is nearest to a time
static double zero_near(double t) {
    double u[3], best = INFINITY;
    const double STEP = 1e-3;
    for (double a = t - 0.2; a < t + 0.2; a += STEP) {
        double from = a, to = a + STEP;
        Axles at = axles_at(from), end = axles_at(to);
        bool is_up = determinant(&at, u) < 0.0;
        if (is_up == (determinant(&end, u) < 0.0)) {
            continue;
        }
        for (int i = 0; i < 60; i++) {
            double middle = 0.5 * (from + to);
            at = axles_at(middle);
            *((determinant(&at, u) < 0.0) == is_up ? &from : &to) = middle;
        }
        best = fabs(from - t) < fabs(best - t) ? from : best;
    }
    return best;
}

// a slip that some motion has at a singular instant: with r_i the slips, u . r = u . c, the largest
// is no less than |u . c| over the sum of |u|; slips that are parts of u have products of one sign,
// so that it is no more than |u . c| over its own |u|
static void check_slip(double t, double slip, int worst) {
    double u[3];
    Axles a = axles_at(t);
    CHECK_NEAR(determinant(&a, u), 0.0, 1e-7);
    double asked = fabs(u[0] * a.c[0] + u[1] * a.c[1] + u[2] * a.c[2]);
    CHECK_TRUE(asked > 0.01);
    CHECK_TRUE(slip * (fabs(u[0]) + fabs(u[1]) + fabs(u[2])) > asked * (1.0 - 1e-6));
    CHECK_TRUE(slip * fabs(u[worst]) < asked * (1.0 + 1e-6));
}

static void test_pole_ahead(void** unused) {
    (void)unused;
    ModelCase c = case_open(three_axles, "8");
    ElvCompatibility report;
    ElvError error;
    assert_int_equal(elv_locomotion_compatibility(c.model, c.state, 8.0, &report, &error),
                     ELV_ERROR_NUMERIC);
    CHECK_TRUE(!report.is_compatible && report.constraint[0] == 'w');
    CHECK_NEAR(report.t, zero_near(report.t), 1e-10);
    check_slip(report.t, report.slip, report.constraint[1] - '0');
    CHECK_TRUE(strstr(error.message, "would have to slip by"));
    // the first of them is at 0.72 s: before it all is well
    double first = zero_near(0.72);
    CHECK_TRUE(fabs(first - 0.72) < 0.01);
    CHECK_STATUS(elv_locomotion_compatibility(c.model, c.state, first - 0.01, &report, &error),
                 &error);
    CHECK_TRUE(report.is_compatible);
    for (int i = 0; i < N_METHOD; i++) {
        ElvSimulateOptions options = elv_simulate_options_default(c.model, c.state);
        options.method.method = methods[i];
        ElvIntegratorReport run = {.n_step = -1};
        assert_int_equal(elv_simulate(c.model, c.state, &options, &run, &error), ELV_ERROR_NUMERIC);
        CHECK_TRUE(strstr(error.message, "would have to slip by"));
        CHECK_TRUE(run.n_step == 0 && c.state->t == 0.0);
    }
    ElvGait gait;
    assert_int_equal(elv_gait_displacement(c.model, c.state, ELV_CONNECTION_MECHANICAL, 6.0, NULL,
                                           &gait, &error),
                     ELV_ERROR_NUMERIC);
    CHECK_TRUE(strstr(error.message, "would have to slip by"));
    case_close(&c);
}

// ---- steps

// a run by single steps, which nothing is asked of before; returns where it stops
static double step_on(ModelCase* c, ElvMethod method, double step, double tol, ElvError* error) {
    enum { MOST = 20000 };
    ElvSimulateDef options = elv_model_simulate(c->model);
    ElvIntegrator* integrator = NULL;
    options.method = method;
    options.step = step;
    options.rel_tol = tol;
    options.abs_tol = 0.01 * tol;
    CHECK_STATUS(elv_integrator_create(c->model, &options, &integrator, error), error);
    elv_state_reset(c->model, c->state);
    CHECK_STATUS(elv_integrator_start(integrator, c->state, error), error);
    ElvStatus status = ELV_OK;
    double before = -1.0, t_end = elv_model_simulate(c->model).duration;
    int n = 0;
    for (; n < MOST && status == ELV_OK && c->state->t < t_end; n++) {
        before = c->state->t;
        status = elv_integrator_step(integrator, t_end, c->state, error);
    }
    elv_integrator_free(integrator);
    assert_int_equal(status, ELV_ERROR_NUMERIC);
    // the state is as it was before the step
    CHECK_TRUE(n < MOST && c->state->t == before);
    CHECK_TRUE(error->element[0] == 'w' && strcmp(error->field, "motion") == 0);
    CHECK_TRUE(strstr(error->message, "would have to slip by"));
    return c->state->t;
}

// no method steps over a pole, by whatever steps, nor blames stiffness or a dead point
static void test_pole_stepped(void** unused) {
    (void)unused;
    ModelCase c = case_open(three_axles, "8");
    double pole = zero_near(0.72);
    ElvError error;
    for (int i = 0; i < N_METHOD; i++) {
        bool is_runge = methods[i] == ELV_METHOD_EXPLICIT || methods[i] == ELV_METHOD_CONNECTION;
        for (int is_fine = 0; is_fine < 2; is_fine++) {
            double step = is_runge ? 0.0 : is_fine ? 0.001 : 0.01;
            double t = step_on(&c, methods[i], step, is_fine ? 1e-8 : 1e-3, &error);
            // the last state is before the pole, or so near that speeds have no bound
            CHECK_TRUE(t < pole + 1e-4 && t > pole - 0.1);
        }
    }
    case_close(&c);
}

// the second hinge of four axles is passive: where the axles meet nobody knows ahead
static void test_free_posture(void** unused) {
    (void)unused;
    ModelCase c = case_open(
        "tree:\n  - {body: b0, joint: planar" BODY HINGE(
            "b1", "b0", ", motion: \"0.4*sin(t + 0.3)\"") HINGE("b2", "b1", "")
            HINGE("b3", "b2", ", motion: \"0.5*sin(2*t + 1)\"") "constraints:\n" WHEEL("w0", "b0")
                WHEEL("w1", "b1") WHEEL("w2", "b2") WHEEL("w3", "b3") "simulate: {duration: %s}\n",
        "8");
    ElvError error;
    double pole = step_on(&c, ELV_METHOD_EXPLICIT, 0.0, 1e-10, &error);
    for (int i = 0; i < N_METHOD; i++) {
        bool is_runge = methods[i] == ELV_METHOD_EXPLICIT || methods[i] == ELV_METHOD_CONNECTION;
        double t = step_on(&c, methods[i], is_runge ? 0.0 : 0.005, 1e-4, &error);
        CHECK_NEAR(t, pole, 0.02);
    }
    case_close(&c);
}

// ---- rows that come to depend on each other, and stay so

// hinges that end up turning against each other: axles that meet in one point from t = 1 s on, while
// the outer ones are asked to come nearer to each other and apart
static void test_lost_for_good(void** unused) {
    (void)unused;
    ModelCase c = case_open(
        "parameters: {l: 0.3}\n"
        "tree:\n"
        "  - {body: middle, joint: planar, mass: 2, inertia: [0.06, 0.06, 0.06]}\n"
        "  - {body: rear, parent: middle, pose: {xyz: [\"-l\", 0, 0]}, joint: {revolute: {axis: z, "
        "motion: \"0.3*sin(2*t)\"}}, mass: 2, center: [\"-l\", 0, 0], inertia: [0.06, 0.06, "
        "0.06]}\n"
        "  - {body: front, parent: middle, pose: {xyz: [l, 0, 0]}, joint: {revolute: {axis: z, "
        "motion: \"-0.3*sin(2*t) + 0.4*(1 - smooth(t, 0, 1))\"}}, mass: 2, center: [l, 0, 0], "
        "inertia: [0.06, 0.06, 0.06]}\n"
        "frames: [{name: ra, on: rear, pose: {xyz: [\"-l\", 0, 0]}},\n"
        "  {name: fa, on: front, pose: {xyz: [l, 0, 0]}}]\n"
        "constraints:\n" WHEEL("wm", "middle") WHEEL("wr", "ra")
            WHEEL("wf", "fa") "simulate: {duration: %s}\n",
        "3");
    ElvCompatibility report;
    ElvError error;
    assert_int_equal(elv_locomotion_compatibility(c.model, c.state, 3.0, &report, &error),
                     ELV_ERROR_NUMERIC);
    CHECK_TRUE(report.t > 1.0 && report.slip > 0.01);
    // a cycle that nobody looked at before ends too
    ElvGait gait;
    assert_int_equal(elv_gait_displacement(c.model, c.state, ELV_CONNECTION_MECHANICAL, 3.0, NULL,
                                           &gait, &error),
                     ELV_ERROR_NUMERIC);
    for (int i = 0; i < N_METHOD; i++) {
        double t =
            step_on(&c, methods[i], methods[i] == ELV_METHOD_EXPLICIT ? 0.0 : 0.01, 1e-6, &error);
        CHECK_TRUE(t > 0.8 && t < 1.1);
    }
    case_close(&c);
}

// ---- postures that are gone through

static void check_losses(ElvMethod method, double step) {
    const double PI = 3.14159265358979323846;
    ElvModel* model = constraint_model("snake-wheeled");
    ElvState* state = NULL;
    ElvError error;
    CHECK_STATUS(elv_state_create(model, &state, &error), &error);
    ElvSimulateOptions options = elv_simulate_options_default(model, state);
    ElvIntegratorReport report;
    options.method.method = method;
    options.method.step = step;
    options.t_end = 7.0;
    CHECK_STATUS(elv_simulate(model, state, &options, &report, &error), &error);
    // the first three axles are imposed: their laws alone say when, but for rounding
    assert_int_equal(report.rank_loss.n, 3);
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(report.rank_loss.t[k], k * PI, 1e-10);
    }
    elv_state_free(state);
    elv_model_free(model);
}

static void test_gone_through(void** unused) {
    (void)unused;
    check_losses(ELV_METHOD_EXPLICIT, 0.0);
    check_losses(ELV_METHOD_GENERALIZED_ALPHA, 0.01);
}

// a wave of the hinges of three axles with two wheels each, more rows than velocities: it goes
// through p + q = 0 twice a period
static void test_redundant_rows(void** unused) {
    (void)unused;
    ElvModel* model = constraint_model("three-axle");
    ElvState* state = NULL;
    ElvError error;
    CHECK_STATUS(elv_state_create(model, &state, &error), &error);
    ElvSimulateOptions options = elv_simulate_options_default(model, state);
    ElvIntegratorReport report;
    CHECK_STATUS(elv_simulate(model, state, &options, &report, &error), &error);
    CHECK_TRUE(report.rank_loss.n >= 2);
    for (int i = 0; i < report.rank_loss.n && i < ELV_RANK_LOSS_MAX; i++) {
        state->t = report.rank_loss.t[i];
        elv_state_impose(model, state);
        // rear and front hinge: opposite angles
        CHECK_NEAR(state->q[3] + state->q[4], 0.0, 1e-9);
    }
    elv_state_free(state);
    elv_model_free(model);
}

// a motor law that agrees but for some milliseconds
static void test_bump(void** unused) {
    (void)unused;
    ModelCase c = case_open(
        "tree:\n  - {body: base, joint: planar" BODY "constraints:\n"
        "  - {wheel: a, at: base, radius: 0.1, rotation: \"10*t\"}\n"
        "  - {wheel: b, at: base, radius: 0.1, rotation: \"10*t + 3*exp(-((t - 5.037)/%s)^2)\"}\n"
        "simulate: {duration: 10}\n",
        "0.003");
    ElvCompatibility report;
    ElvError error;
    assert_int_equal(elv_locomotion_compatibility(c.model, c.state, 10.0, &report, &error),
                     ELV_ERROR_NUMERIC);
    CHECK_NEAR(report.t, 5.037, 0.01);
    case_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pole_ahead),   cmocka_unit_test(test_pole_stepped),
        cmocka_unit_test(test_free_posture), cmocka_unit_test(test_lost_for_good),
        cmocka_unit_test(test_gone_through), cmocka_unit_test(test_redundant_rows),
        cmocka_unit_test(test_bump),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
