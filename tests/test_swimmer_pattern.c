// SPDX-License-Identifier: Apache-2.0
// Patterns that feel the body. One oscillator on a rod whose bending is imposed falls into step with it as Adler's
// equation says, or slips at its beat; the swimmer of models/swimmer-pattern.yaml swims, its rhythm waits for the body
// by just what its muscles tell it, and its accounts of energy close.
#include "model_case.h"

#include "elver/elver.h"

#define PI 3.14159265358979323846

// ---- one oscillator

// A rod of length 1 with a curvature -k cos(w t), d the distance of two muscles from its axis: their lengths are
// 1 +- d k cos(w t), so that x = A cos(w t) with A = d k. The mean of g x sin(phi) over a turn is (g A / 2) sin(theta),
// theta = phi - w t: in step at sin(theta) = -2 delta / (g A), cos(theta) < 0, while |delta| < g A / 2 for the
// detuning delta = 2 pi f - w; else theta goes on by sqrt(delta^2 - (g A / 2)^2) in the mean.       [Adler]
static double slip_rate(double delta, double pull, double t_0, double t_1) {
    const double w = 40.0;
    const double A = 0.05;
    double slip[2];
    ModelCase c = case_open(
        "tree: [{rod: r, length: 1, section: {circle: {radius: 0.02}}, strain: {bend_z: 1},\n"
        "        material: {density: 1000, young: 1e5, poisson: 0.4},\n"
        "        motion: {bend_z: \"%.17g*cos(%.17g*t)\"}}]\n"
        "actuators:\n"
        "  - {pattern: p, frequency: %.17g, feedback: %.17g}\n"
        "  - {muscle: a, rod: r, y: 0.01, force: 1, pattern: p}\n"
        "  - {muscle: b, rod: r, y: -0.01, force: 1, pattern: p, phase: pi}\n"
        "simulate: {method: explicit, rel_tol: 1e-8, abs_tol: 1e-10}\n",
        -A / 0.01, w, (w + delta) / (2.0 * PI), 2.0 * pull / A);
    for (int k = 0; k < 2; k++) {
        ElvError error;
        ElvSimulateOptions options = elv_simulate_options_default(c.model, c.state);
        options.t_end = k == 0 ? t_0 : t_1;
        options.record_every = 1.0;
        CHECK_STATUS(elv_simulate(c.model, c.state, &options, NULL, &error), &error);
        slip[k] = c.state->z[0] - w * options.t_end;
    }
    if (fabs(delta) < pull) {
        // the phase in step, but for the ripple of size pull / (2 w) and what averaging leaves
        CHECK_NEAR(sin(slip[1]), -delta / pull, 0.05);
        CHECK_TRUE(cos(slip[1]) < 0.0);
    }
    case_close(&c);
    return (slip[1] - slip[0]) / (t_1 - t_0);
}

static void test_entrainment(void** unused) {
    (void)unused;
    const double pull = 1.0;
    const double turn = 2.0 * PI / 40.0;
    // times are whole turns of the bending, so that the ripple is the same at both
    for (int sign = -1; sign <= 1; sign += 2) {
        CHECK_NEAR(slip_rate(0.6 * sign, pull, 100 * turn, 160 * turn), 0.0, 1e-3);
        // four beats of 2 pi / sqrt(3) s; corrections are of order pull / w
        double beat = 2.0 * PI / sqrt(3.0);
        double t_1 = round(4.0 * beat / turn) * turn;
        CHECK_NEAR(slip_rate(2.0 * sign, pull, turn, t_1 + turn), sign * sqrt(3.0), 0.05);
    }
    // without feedback the oscillator does not feel the body
    CHECK_NEAR(slip_rate(0.6, 0.0, turn, 100 * turn), 0.6, 1e-8);
}

// ---- the swimmer

typedef struct {
    ElvSignals* signals;
    double last[20]; // phases, lengths left and right
    double felt;     // integral of the sum of x sin(phi) over all oscillators
    double t;
    long n;
} Watch;

// sum of x_i sin(phi_i) from recorded lengths and phases
static double felt_of(const double* value) {
    double sum = 0.0;
    for (int i = 0; i < 5; i++) {
        double left = value[5 + i];
        double right = value[10 + i];
        sum += (left - right) / (left + right) * sin(value[i]);
    }
    return sum;
}

static bool watch(void* user, const ElvModel* model, ElvData* data, const ElvState* state) {
    Watch* w = user;
    double value[20];
    elv_signals_eval(w->signals, model, data, state, value);
    if (w->n > 0) {
        w->felt += 0.5 * (state->t - w->t) * (felt_of(value) + felt_of(w->last));
    }
    memcpy(w->last, value, sizeof value);
    w->t = state->t;
    w->n++;
    return true;
}

typedef struct {
    double speed;   // towards -x, over the second half, m/s
    double drift;   // across, m/s
    double slip;    // of the mean phase against 2 pi f t, rad
    double felt;    // what the muscles told, rad
    double spread;  // largest difference of a phase lag from 2 pi / 5
    double closing; // error of the accounts, relative
    double fluid;   // share of the work that the fluid takes
} Swim;

static Swim swim(const char* feedback, ElvMethod method, double t_end) {
    static const char* const names[] = {
        "pattern.rhythm.phase", "muscle.left0.length",  "muscle.left1.length",
        "muscle.left2.length",  "muscle.left3.length",  "muscle.left4.length",
        "muscle.right0.length", "muscle.right1.length", "muscle.right2.length",
        "muscle.right3.length", "muscle.right4.length"};
    ModelCase c = {0};
    ElvError error;
    Watch w = {0};
    // explicit steps must resolve what the damping of the material does to the shortest mode
    const ElvOverride set[] = {{"g", feedback}, {"body.strain.bend_z", "4"}};
    int n_set = method == ELV_METHOD_EXPLICIT ? 2 : 1;
    CHECK_STATUS(elv_model_read_file(ELVER_SOURCE_DIR "/models/swimmer-pattern.yaml", set, n_set,
                                     &c.model, &error),
                 &error);
    CHECK_STATUS(elv_data_create(c.model, &c.data, &error), &error);
    CHECK_STATUS(elv_state_create(c.model, &c.state, &error), &error);
    CHECK_STATUS(elv_signals_create(c.model, names, 11, &w.signals, &error), &error);
    CHECK_TRUE(elv_signals_n_column(w.signals) == 15);
    ElvVec3 center[2];
    double start = 0.0;
    for (int i = 0; i < 5; i++) {
        start += c.state->z[i] / 5.0;
    }
    for (int k = 0; k < 2; k++) {
        ElvSimulateOptions options = elv_simulate_options_default(c.model, c.state);
        options.method.method = method;
        options.method.step = method == ELV_METHOD_EXPLICIT ? 0.0 : options.method.step;
        options.method.rel_tol = 1e-10;
        options.method.abs_tol = 1e-12;
        options.t_end = 0.5 * (k + 1) * t_end;
        options.record_every = 0.01;
        options.record = watch;
        options.user = &w;
        CHECK_STATUS(elv_simulate(c.model, c.state, &options, NULL, &error), &error);
        center[k] = elv_momentum(c.model, c.data, c.state).center;
    }
    const ElvWork* work = &c.state->work;
    double mean = 0.0;
    Swim s = {0};
    for (int i = 0; i < 5; i++) {
        mean += c.state->z[i] / 5.0;
        double lag = i > 0 ? c.state->z[i - 1] - c.state->z[i] - 0.4 * PI : 0.0;
        s.spread = fmax(s.spread, fabs(lag));
    }
    s.speed = (center[0].x - center[1].x) / (0.5 * t_end);
    s.drift = (center[0].y - center[1].y) / (0.5 * t_end);
    s.slip = mean - start - 2.0 * PI * t_end;
    s.felt = strtod(feedback, NULL) * w.felt / 5.0;
    s.closing = elv_work_error(c.model, c.data, c.state) / work->actuators;
    s.fluid = work->fluid / work->actuators;
    elv_signals_free(w.signals);
    case_close(&c);
    return s;
}

static void test_swims(void** unused) {
    (void)unused;
    double t_end = IS_SANITIZED ? 4.0 : 10.0;
    Swim free = swim("0", ELV_METHOD_GENERALIZED_ALPHA, t_end);
    Swim slow = swim("20", ELV_METHOD_GENERALIZED_ALPHA, t_end);
    Swim fast = swim("-20", ELV_METHOD_GENERALIZED_ALPHA, t_end);
    // forwards, against the wave; straight on
    CHECK_TRUE(free.speed > 0.05 && slow.speed > 0.05 && fast.speed > 0.05);
    CHECK_TRUE(fabs(slow.drift) < 0.1 * slow.speed);
    // neighbours pull each other alike: what the mean phase falls behind is what the muscles told, and the fluid
    // holds the body back: positive feedback waits for it, negative runs away from it
    CHECK_NEAR(free.slip, 0.0, 1e-6);
    CHECK_TRUE(slow.slip < -0.05 * t_end && fast.slip > 0.05 * t_end);
    CHECK_NEAR(slow.slip, slow.felt, 0.01 * fabs(slow.slip));
    CHECK_NEAR(fast.slip, fast.felt, 0.01 * fabs(fast.slip));
    // the chain holds together
    CHECK_TRUE(free.spread < 1e-6 && slow.spread > 1e-3 && slow.spread < 0.3);
    // steps of a fiftieth of a turn: (2 omega dt)^2/12 of a power of twice the rhythm (tests/test_swimmer_work.c)
    CHECK_NEAR(slow.closing, 0.0, 6e-3);
    CHECK_TRUE(slow.fluid > 0.1 && slow.fluid < 1.0);
}

static void test_closes(void** unused) {
    (void)unused;
    Swim exact = swim("20", ELV_METHOD_EXPLICIT, IS_SANITIZED ? 0.2 : 1.0);
    CHECK_NEAR(exact.closing, 0.0, 1e-9);
    CHECK_NEAR(exact.slip, exact.felt, 0.01 * fabs(exact.slip));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_entrainment),
        cmocka_unit_test(test_swims),
        cmocka_unit_test(test_closes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
