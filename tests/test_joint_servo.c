// SPDX-License-Identifier: Apache-2.0
// Motions of joints with friction, stops, controllers and gears against closed forms: creep and slip of a
// block, bounces with and without loss, damped oscillation, tracking, the period of a geared pendulum,
// the speed that friction leaves to a spinning ball, equilibria that a controller holds.
#include "pendulum.h"

#include "elver/statics.h"

typedef struct {
    ElvMethod method;
    double step;
} Way;

static const Way explicitly = {ELV_METHOD_EXPLICIT, 0.0};

// highest and lowest total energy on the way
typedef struct {
    double low, high;
} Range;

static bool watch(void* user, const ElvModel* model, ElvData* data, const ElvState* state) {
    Range* range = user;
    ElvEnergy energy = elv_energy(model, data, state);
    double total = energy.kinetic + energy.elastic + energy.gravity;
    range->low = fmin(range->low, total);
    range->high = fmax(range->high, total);
    return true;
}

/// Run a case to time t; explicit runs have errors of 1e-10 and less a step.
static Range run_to(ModelCase* c, Way way, double t) {
    ElvError error;
    ElvIntegratorReport report;
    Range range = {INFINITY, -INFINITY};
    ElvSimulateOptions options = elv_simulate_options_default(c->model, c->state);
    options.method.method = way.method;
    options.method.step = way.step;
    options.method.rel_tol = 1e-11;
    options.method.abs_tol = 1e-13;
    options.method.spectral_radius = 1.0;
    options.t_end = t;
    options.record_every = 1e-3;
    options.record = watch;
    options.user = &range;
    CHECK_STATUS(elv_simulate(c->model, c->state, &options, &report, &error), &error);
    return range;
}

/// Errors of state->v[0] at time t with implicit steps h and h/2 from the expected value.
static void speed_errors(const char* text, double h, double t, double expected, double e[2]) {
    for (int i = 0; i < 2; i++) {
        ModelCase c = case_open("%s", text);
        run_to(&c, (Way){ELV_METHOD_GENERALIZED_ALPHA, i == 0 ? h : 0.5 * h}, t);
        e[i] = fabs(c.state->v[0] - expected);
        case_close(&c);
    }
}

// ---- friction

static const char* const block_text =
    "tree: [{body: block, joint: {prismatic: {axis: x, friction: 5, friction_speed: 0.01,\n"
    "                                         force: %g}}, mass: 2}]\n";

// below the threshold the block creeps at v_s atanh(F/F_c): a bound of v_s for F up to 0.76 F_c
static void test_creep(void** unused) {
    (void)unused;
    ModelCase c = case_open(block_text, 3.0);
    run_to(&c, explicitly, 0.2);
    // 50 time constants m v_s / F_c
    CHECK_NEAR(c.state->v[0], 0.01 * atanh(0.6), 1e-11);
    case_close(&c);
    c = case_open(block_text, 3.0);
    run_to(&c, (Way){ELV_METHOD_BDF2, 0.01}, 0.5);
    // steps far longer than the time constant end at the same speed
    CHECK_NEAR(c.state->v[0], 0.01 * atanh(0.6), 1e-9);
    case_close(&c);
}

// above it: m v_s / (F^2 - F_c^2) (F y + F_c ln(cosh y - F_c/F sinh y)) = t, y = v / v_s, which for
// y >> 1 is linear in y
static void test_slip(void** unused) {
    (void)unused;
    double F = 8.0, F_c = 5.0, m = 2.0, v_s = 0.01, t = 1.0;
    double v = (t * (F * F - F_c * F_c) / m - v_s * F_c * log((F - F_c) / (2.0 * F))) / (F + F_c);
    ModelCase c = case_open(block_text, F);
    run_to(&c, explicitly, t);
    CHECK_NEAR(c.state->v[0], v, 1e-9);
    case_close(&c);

    // implicit steps of a quarter of the time constant: order 2
    char text[256];
    double e[2];
    snprintf(text, sizeof text, block_text, F);
    speed_errors(text, 1e-3, t, v, e);
    CHECK_TRUE(e[0] < 1e-3 * v);
    CHECK_NEAR(e[0] / e[1], 4.0, 0.5);
}

// a ball that spins about one axis: I w_dot = -F tanh(w / v_s), so sinh(w / v_s) decays
static void test_spin(void** unused) {
    (void)unused;
    ModelCase c = case_open("tree: [{body: ball, mass: 1, inertia: [0.5, 0.5, 0.5], joint: "
                            "{spherical: {friction: 0.3, friction_speed: 0.8, "
                            "velocity: [0, 2, 0]}}}]\n");
    run_to(&c, explicitly, 1.5);
    double w = 0.8 * asinh(sinh(2.0 / 0.8) * exp(-0.3 * 1.5 / (0.5 * 0.8)));
    CHECK_NEAR(c.state->v[1], w, 1e-9);
    CHECK_NEAR(c.state->v[0], 0.0, 1e-12);
    case_close(&c);
}

// ---- stops

static const char* const bounce_text =
    "tree: [{body: ball, joint: {prismatic: {axis: x, lower: 0, stop_stiffness: 1e4, "
    "stop_damping: %g, stop_width: %g, position: 0.1, velocity: -%g}}, mass: 0.5}]\n";

static void test_elastic_bounce(void** unused) {
    (void)unused;
    const double width[3] = {1e-4, 2e-3, 1.0};
    for (int i = 0; i < 3; i++) {
        ModelCase c = case_open(bounce_text, 0.0, width[i], 1.0);
        Range range = run_to(&c, explicitly, 0.5);
        CHECK_NEAR(c.state->v[0], 1.0, 1e-8);
        CHECK_TRUE(range.high - range.low < 1e-8);
        case_close(&c);
    }
    // the energy stays through the bounce in small implicit steps as well
    ModelCase c = case_open(bounce_text, 0.0, 2e-3, 1.0);
    Range range = run_to(&c, (Way){ELV_METHOD_NEWMARK, 2e-5}, 0.2);
    CHECK_TRUE(range.high - range.low < 1e-4 * 0.25);
    CHECK_NEAR(c.state->v[0], 1.0, 1e-4);
    case_close(&c);
}

// speed after an impact at x = c v: (1 + y^2)^(3/2) + y^3 = (1 + x^2)^(3/2) - x^3, by bisection
static double rebound(double x) {
    double wanted = pow(1.0 + x * x, 1.5) - x * x * x;
    double low = 0.0, high = x;
    for (int i = 0; i < 80; i++) {
        double y = 0.5 * (low + high);
        if (pow(1.0 + y * y, 1.5) + y * y * y < wanted) {
            low = y;
        } else {
            high = y;
        }
    }
    return 0.5 * (low + high);
}

static void test_damped_bounce(void** unused) {
    (void)unused;
    const double c_v[3][2] = {{0.3, 1.0}, {0.05, 1.0}, {2.0, 0.5}};
    for (int i = 0; i < 3; i++) {
        double damping = c_v[i][0], v = c_v[i][1];
        ModelCase c = case_open(bounce_text, damping, 2e-3, v);
        run_to(&c, explicitly, 0.5);
        CHECK_NEAR(c.state->v[0], rebound(damping * v) / damping, 1e-8);
        case_close(&c);
    }
    // what the format says of small speeds: a loss of 2/3 c v
    CHECK_NEAR(1.0 - rebound(0.01) / 0.01, 2.0 / 3.0 * 0.01, 1e-4);
}

// ---- controllers and gears

// I q_ddot + kd q_dot + kp q = 0 with I = 0.3 + 3^2 0.02
static void test_pd(void** unused) {
    (void)unused;
    double I = 0.48, kp = 20.0, kd = 1.2, q0 = 0.7, t = 1.3;
    double rate = 0.5 * kd / I, omega = sqrt(kp / I - rate * rate);
    double q = q0 * exp(-rate * t) * (cos(omega * t) + rate / omega * sin(omega * t));
    double v = -q0 * exp(-rate * t) * kp / I / omega * sin(omega * t);
    const char* text = "tree: [{body: arm, mass: 1, inertia: [0.2, 0.2, 0.3], joint: {revolute: {"
                       "kp: 20, kd: 1.2, gear: 3, rotor_inertia: 0.02, position: 0.7}}}]\n";
    ModelCase c = case_open("%s", text);
    run_to(&c, explicitly, t);
    CHECK_NEAR(c.state->q[0], q, 1e-9);
    CHECK_NEAR(c.state->v[0], v, 1e-9);
    double effort;
    elv_drive_efforts(c.model, c.data, c.state, &effort);
    CHECK_NEAR(effort, -kp * q - kd * v, 1e-8);
    case_close(&c);
    double e[2];
    speed_errors(text, 0.01, t, v, e);
    CHECK_NEAR(e[0] / e[1], 4.0, 0.2);
}

// I e_ddot + kd e_dot + kp e = I q_d_ddot: a joint that is on a ramp stays on it, exactly
static void test_tracking(void** unused) {
    (void)unused;
    ModelCase c =
        case_open("tree: [{body: arm, mass: 1, inertia: [1, 1, 1], joint: {revolute: {"
                  "kp: 5, kd: 2, target: 0.2 + 0.3*t, position: 0.2, velocity: 0.3}}}]\n");
    run_to(&c, (Way){ELV_METHOD_GENERALIZED_ALPHA, 0.05}, 2.0);
    CHECK_NEAR(c.state->q[0], 0.8, 1e-12);
    CHECK_NEAR(c.state->v[0], 0.3, 1e-12);
    case_close(&c);
}

// under its limit a controller accelerates like a constant effort: v = M t / I
static void test_saturation(void** unused) {
    (void)unused;
    ModelCase c = case_open("tree: [{body: arm, mass: 1, inertia: [1, 1, 0.5], joint: {revolute: {"
                            "kp: 1000, target: 100, max_effort: 2}}}]\n");
    run_to(&c, (Way){ELV_METHOD_GENERALIZED_ALPHA, 0.01}, 1.0);
    // tanh(49000) is 1 to the bit
    CHECK_NEAR(c.state->v[0], 4.0, 1e-9);
    CHECK_NEAR(c.state->q[0], 2.0, 1e-9);
    case_close(&c);
}

// m l^2 + n^2 J turns under m g l sin: after one period 4 K(sin 1) / omega the pendulum is back
static void test_geared_pendulum(void** unused) {
    (void)unused;
    double omega = sqrt(9.81 * 0.5 / (0.25 + 10.0 * 10.0 * 0.002));
    double period = 4.0 * elliptic_K(sin(1.0)) / omega;
    ModelCase c =
        case_open("gravity: [0, -9.81, 0]\ntree: [{body: bob, mass: 1, center: [0, -0.5, 0],"
                  " joint: {revolute: {gear: 10, rotor_inertia: 0.002, position: 2}}}]\n");
    Range range = run_to(&c, explicitly, period);
    CHECK_NEAR(c.state->q[0], 2.0, 1e-8);
    CHECK_NEAR(c.state->v[0], 0.0, 1e-8);
    CHECK_TRUE(range.high - range.low < 1e-8);
    case_close(&c);
}

// a motor torque of 0.1 t behind a reversing gear
static void test_geared_drive(void** unused) {
    (void)unused;
    ModelCase c = case_open("tree: [{body: arm, mass: 1, inertia: [1, 1, 2], joint: {revolute: {"
                            "gear: -5, force: 0.1*t}}}]\n");
    run_to(&c, explicitly, 2.0);
    CHECK_NEAR(c.state->v[0], -0.5 * 2.0 * 2.0 / 2.0 / 2.0, 1e-10);
    double effort;
    elv_drive_efforts(c.model, c.data, c.state, &effort);
    CHECK_NEAR(effort, -1.0, 1e-14);
    case_close(&c);
}

// ---- equilibria

// kp (t - q) = m g l cos q, whatever kd is: in statics t is a load and has no rate
static void test_statics(void** unused) {
    (void)unused;
    ModelCase c =
        case_open("gravity: [0, -9.81, 0]\ntree: [{body: arm, mass: 1, center: [0.5, 0, 0],"
                  " joint: {revolute: {kp: 30, kd: 7, target: t}}}]\n");
    ElvError error;
    ElvStaticsDef options = elv_statics_def_default();
    for (double t = 0.0; t < 1.6; t += 0.5) {
        CHECK_STATUS(elv_statics_solve(c.model, c.state, t, &options, NULL, &error), &error);
        double q = c.state->q[0];
        CHECK_NEAR(30.0 * (t - q), 9.81 * 0.5 * cos(q), 1e-8);
    }
    case_close(&c);
}

// a body that rests on a stop: k (p - w/2) = m g
static void test_rest_on_stop(void** unused) {
    (void)unused;
    ModelCase c =
        case_open("gravity: [0, 0, -9.81]\ntree: [{body: ball, mass: 2, joint: {prismatic: "
                  "{axis: z, lower: 0.1, stop_stiffness: 1e3, stop_damping: 1, "
                  "position: 0.2}}}]\n");
    run_to(&c, (Way){ELV_METHOD_GENERALIZED_ALPHA, 1e-3}, 20.0);
    double depth = 2.0 * 9.81 / 1e3 + 0.5e-3;
    // 20 s: the last bounces decay like 1/t, below the width of the stop
    CHECK_NEAR(c.state->q[0], 0.1 - depth, 1e-3);
    ElvError error;
    ElvStaticsDef options = elv_statics_def_default();
    CHECK_STATUS(elv_statics_solve(c.model, c.state, 20.0, &options, NULL, &error), &error);
    CHECK_NEAR(c.state->q[0], 0.1 - depth, 1e-12);
    case_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_creep),
        cmocka_unit_test(test_slip),
        cmocka_unit_test(test_spin),
        cmocka_unit_test(test_elastic_bounce),
        cmocka_unit_test(test_damped_bounce),
        cmocka_unit_test(test_pd),
        cmocka_unit_test(test_tracking),
        cmocka_unit_test(test_saturation),
        cmocka_unit_test(test_geared_pendulum),
        cmocka_unit_test(test_geared_drive),
        cmocka_unit_test(test_statics),
        cmocka_unit_test(test_rest_on_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
