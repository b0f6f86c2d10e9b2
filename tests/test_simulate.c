// SPDX-License-Identifier: Apache-2.0
// Whole simulations: jumps of laws landed upon (closed forms to rounding, which a step across the
// jump would miss), recording times to the bit, cancelling, limits, failures, identical bits.
#include "elver/integrate.h"
#include "model_case.h"

enum { N_MAX = 2000 };

/// What the callbacks see and do.
typedef struct {
    int n_record;
    double t[N_MAX], x[N_MAX], v[N_MAX], a[N_MAX];
    long n_progress;
    double t_progress;
    int stop_record;    // cancel at this record, 0 = never
    long stop_progress; // cancel at this step, 0 = never
} Log;

static bool on_record(void* user, const ElvModel* model, ElvData* data, const ElvState* state) {
    Log* log = user;
    (void)model;
    (void)data;
    CHECK_TRUE(log->n_record < N_MAX);
    log->t[log->n_record] = state->t;
    log->x[log->n_record] = state->q[0];
    log->v[log->n_record] = state->v[0];
    log->a[log->n_record] = state->a[0];
    log->n_record++;
    return log->n_record != log->stop_record;
}

static bool on_progress(void* user, double t, const ElvIntegratorReport* report) {
    Log* log = user;
    log->n_progress++;
    CHECK_TRUE(t > log->t_progress && report->n_step == log->n_progress);
    log->t_progress = t;
    return log->n_progress != log->stop_progress;
}

static ElvSimulateOptions make_options(const ModelCase* c, Log* log) {
    ElvSimulateOptions options = elv_simulate_options_default(c->model, c->state);
    options.record = on_record;
    options.progress = on_progress;
    options.user = log;
    return options;
}

// ---- jumps

// a free mass of 2 kg pushed by 1 N until t = 0.3: a parabola, then a line
static void check_push(const char* joint, const char* load, int order, double rel_tol) {
    ModelCase c =
        case_open("tree:\n"
                  "  - {body: mass, mass: 2, joint: {prismatic: %s}}\n"
                  "%s"
                  "simulate: {method: explicit, duration: 1, order: %d, rel_tol: %g, abs_tol: %g}\n"
                  "record: {every: 0.07}\n",
                  joint, load, order, rel_tol, rel_tol);
    Log log = {0};
    ElvSimulateOptions options = make_options(&c, &log);
    ElvError error;
    CHECK_STATUS(elv_simulate(c.model, c.state, &options, NULL, &error), &error);
    CHECK_TRUE(log.n_record == 16);
    for (int i = 0; i < log.n_record; i++) {
        double t = log.t[i];
        double until = t < 0.3 ? t : 0.3;
        // between its steps the pair of order 2 has straight lines, good to the tolerance
        double tol = order == 2 && t < 0.3 ? rel_tol : 1e-12;
        CHECK_NEAR(log.x[i], 0.25 * until * until + 0.5 * until * (t - until), tol);
        CHECK_NEAR(log.v[i], 0.5 * until, 1e-12);
        CHECK_NEAR(log.a[i], t < 0.3 ? 0.5 : 0.0, 1e-14);
    }
    case_close(&c);
}

// every way to write the jump, loose tolerances too: steps of every pair are exact on a parabola
static void test_force_step(void** state) {
    (void)state;
    for (int order = 2; order <= 8; order++) {
        for (int i = 0; i < 2; i++) {
            double rel_tol = i == 0 ? 1e-8 : 1e-2;
            check_push("{axis: x, force: \"if(t < 0.3, 1, 0)\"}", "", order, rel_tol);
            check_push("{axis: x, force: {table: {t: [0, 0.3], values: [1, 0],\n"
                       "            interpolation: step}}}",
                       "", order, rel_tol);
            check_push("{axis: x}", "loads: [{force: [1, 0, 0], at: mass, while: \"t < 0.3\"}]\n",
                       order, rel_tol);
        }
    }
}

// a square wave: twelve jumps, closed form piece by piece
static void test_square_wave(void** state) {
    (void)state;
    ModelCase c =
        case_open("tree:\n"
                  "  - {body: mass, mass: 1, joint: {prismatic: {axis: x,\n"
                  "     force: \"if(mod(t, 0.25) < 0.1, 1, -0.5)\"}}}\n"
                  "simulate: {method: explicit, duration: 1.5, rel_tol: 1e-3, abs_tol: 1e-3}\n"
                  "record: {every: 0.01}\n");
    Log log = {0};
    ElvSimulateOptions options = make_options(&c, &log);
    CHECK_STATUS(elv_simulate(c.model, c.state, &options, NULL, NULL), NULL);
    CHECK_TRUE(log.n_record == 151);
    double x = 0.0;
    double v = 0.0;
    double t = 0.0;
    int i = 0;
    for (int piece = 0; piece < 12; piece++) {
        double a = piece % 2 ? -0.5 : 1.0;
        double end = 0.25 * (piece / 2) + (piece % 2 ? 0.25 : 0.1);
        for (; i < log.n_record && log.t[i] < end + 1e-12; i++) {
            double dt = log.t[i] - t;
            CHECK_NEAR(log.x[i], x + v * dt + 0.5 * a * dt * dt, 1e-12);
            CHECK_NEAR(log.v[i], v + a * dt, 1e-12);
        }
        x += v * (end - t) + 0.5 * a * (end - t) * (end - t);
        v += a * (end - t);
        t = end;
    }
    CHECK_TRUE(i == log.n_record);
    case_close(&c);
}

// jumps are met also long after the duration of the model file
static void test_late_jump(void** state) {
    (void)state;
    ModelCase c =
        case_open("tree:\n"
                  "  - {body: mass, mass: 1, joint: {prismatic: {axis: x,\n"
                  "     force: \"if(t < 20.3, 0, 1)\"}}}\n"
                  "simulate: {method: explicit, duration: 1, rel_tol: 1e-3, abs_tol: 1e-3}\n"
                  "record: {every: 1}\n");
    Log log = {0};
    c.state->t = 20.0;
    ElvSimulateOptions options = make_options(&c, &log);
    CHECK_TRUE(options.t_end == 21.0);
    CHECK_STATUS(elv_simulate(c.model, c.state, &options, NULL, NULL), NULL);
    CHECK_NEAR(c.state->q[0], 0.5 * 0.7 * 0.7, 1e-12);
    CHECK_NEAR(c.state->v[0], 0.7, 1e-12);
    case_close(&c);
}

// ---- records

static ModelCase open_oscillator(void) {
    return case_open("tree:\n"
                     "  - {body: mass, mass: 1, joint: {prismatic: {axis: x, stiffness: 40,\n"
                     "     damping: 0.3, position: 1}}}\n"
                     "simulate: {method: explicit, duration: 1}\n"
                     "record: {every: 0.1}\n");
}

// t_start + i every, to the bit, and the end itself; for dense output and for steps that stop
static void check_times(double t_start, double t_end, double every, int order, int n_expected) {
    ModelCase c = open_oscillator();
    Log log = {0};
    c.state->t = t_start;
    ElvSimulateOptions options = make_options(&c, &log);
    options.record_every = every;
    options.t_end = t_end;
    options.method.order = order;
    CHECK_STATUS(elv_simulate(c.model, c.state, &options, NULL, NULL), NULL);
    CHECK_TRUE(log.n_record == n_expected);
    for (int i = 0; i < log.n_record - 1; i++) {
        CHECK_TRUE(log.t[i] == t_start + i * every);
    }
    CHECK_TRUE(log.t[log.n_record - 1] == t_end && c.state->t == t_end);
    // the last record is the last state
    CHECK_TRUE(log.x[log.n_record - 1] == c.state->q[0]);
    case_close(&c);
}

static void test_record_times(void** state) {
    (void)state;
    for (int order = 5; order <= 8; order += 3) {
        check_times(0.0, 1.0, 0.1, order, 11);
        check_times(0.0, 0.7, 0.1, order, 8); // 7 * 0.1 > 0.7 in binary
        check_times(0.0, 1.0, 0.3, order, 5); // 0.9, then the end
        check_times(0.0, 0.5, 2.0, order, 2); // the ends alone
        check_times(3.2, 4.0, 0.1, order, 9);
        check_times(0.0, 1.0, 0.001, order, 1001);
    }
}

// records between steps against the closed form x = exp(-d t)(cos w t + d/w sin w t)
static void test_record_values(void** state) {
    (void)state;
    for (int order = 5; order <= 8; order += 3) {
        ModelCase c = open_oscillator();
        Log log = {0};
        ElvSimulateOptions options = make_options(&c, &log);
        options.record_every = 0.013;
        options.method.order = order;
        options.method.rel_tol = options.method.abs_tol = 1e-10;
        ElvIntegratorReport report;
        CHECK_STATUS(elv_simulate(c.model, c.state, &options, &report, NULL), NULL);
        double d = 0.15;
        double w = sqrt(40.0 - d * d);
        for (int i = 0; i < log.n_record; i++) {
            double t = log.t[i];
            double x = exp(-d * t) * (cos(w * t) + d / w * sin(w * t));
            double v = -exp(-d * t) * (w + d * d / w) * sin(w * t);
            // global error of a few tolerances, dense output included
            CHECK_NEAR(log.x[i], x, 1e-8);
            CHECK_NEAR(log.v[i], v, 1e-7);
            CHECK_NEAR(log.a[i], -40.0 * log.x[i] - 0.3 * log.v[i], 1e-12);
        }
        CHECK_TRUE(report.n_step == log.n_progress && log.t_progress == 1.0);
        CHECK_TRUE(report.n_evaluation > report.n_step && report.last_step > 0.0);
        case_close(&c);
    }
}

// the workspace given to the recorder holds the state recorded
static bool on_pose(void* user, const ElvModel* model, ElvData* data, const ElvState* state) {
    ElvFrame frame;
    CHECK_STATUS(elv_model_frame(model, "mass", &frame, NULL), NULL);
    ElvPose pose = elv_frame_pose(model, data, frame);
    ElvTwist rate = elv_frame_twist_dot(model, data, frame);
    CHECK_TRUE(pose.p.x == state->q[0] && rate.lin.x == state->a[0]);
    ++*(int*)user;
    return true;
}

static void test_recorder_workspace(void** state) {
    (void)state;
    ModelCase c = open_oscillator();
    ElvSimulateOptions options = elv_simulate_options_default(c.model, c.state);
    int n = 0;
    options.record = on_pose;
    options.user = &n;
    CHECK_STATUS(elv_simulate(c.model, c.state, &options, NULL, NULL), NULL);
    CHECK_TRUE(n == 11);
    case_close(&c);
}

// ---- stops

static void test_cancel(void** state) {
    (void)state;
    ModelCase c = open_oscillator();
    ElvError error;
    // by the recorder, amid the many records of one step: nothing more is recorded
    Log by_record = {.stop_record = 50};
    ElvSimulateOptions options = make_options(&c, &by_record);
    options.record_every = 1e-3;
    CHECK_TRUE(elv_simulate(c.model, c.state, &options, NULL, &error) == ELV_ERROR_CANCELLED);
    CHECK_TRUE(error.status == ELV_ERROR_CANCELLED && by_record.n_record == 50);
    CHECK_TRUE(c.state->t >= by_record.t[49] && c.state->t < 1.0);
    // at the very first record: the state is the first
    Log at_once = {.stop_record = 1};
    elv_state_reset(c.model, c.state);
    options = make_options(&c, &at_once);
    CHECK_TRUE(elv_simulate(c.model, c.state, &options, NULL, NULL) == ELV_ERROR_CANCELLED);
    CHECK_TRUE(at_once.n_record == 1 && at_once.n_progress == 0 && c.state->t == 0.0);
    // by the progress callback, after three steps
    Log by_progress = {.stop_progress = 3};
    elv_state_reset(c.model, c.state);
    options = make_options(&c, &by_progress);
    ElvIntegratorReport report;
    CHECK_TRUE(elv_simulate(c.model, c.state, &options, &report, &error) == ELV_ERROR_CANCELLED);
    CHECK_TRUE(by_progress.n_progress == 3 && report.n_step == 3);
    CHECK_TRUE(c.state->t == by_progress.t_progress);
    case_close(&c);
}

static void test_max_steps(void** state) {
    (void)state;
    ModelCase c = open_oscillator();
    Log log = {0};
    ElvError error;
    ElvSimulateOptions options = make_options(&c, &log);
    options.method.max_steps = 5;
    CHECK_TRUE(elv_simulate(c.model, c.state, &options, NULL, &error) == ELV_ERROR_STEP);
    assert_string_equal(error.element, "simulate");
    assert_string_equal(error.field, "max_steps");
    CHECK_TRUE(log.n_progress == 5 && c.state->t == log.t_progress && c.state->t < 1.0);
    // exactly enough is enough
    Log whole = {0};
    elv_state_reset(c.model, c.state);
    options = make_options(&c, &whole);
    ElvIntegratorReport report;
    CHECK_STATUS(elv_simulate(c.model, c.state, &options, &report, &error), &error);
    Log again = {0};
    elv_state_reset(c.model, c.state);
    options = make_options(&c, &again);
    options.method.max_steps = report.n_step;
    CHECK_STATUS(elv_simulate(c.model, c.state, &options, &report, &error), &error);
    case_close(&c);
}

static void test_refused_options(void** state) {
    (void)state;
    ModelCase c = open_oscillator();
    ElvError error;
    const double every[] = {0.0, -1.0, (double)NAN, 0.1, 0.1, 0.1};
    const double t_end[] = {1.0, 1.0, 1.0, 0.0, -1.0, (double)NAN};
    for (int i = 0; i < 6; i++) {
        ElvSimulateOptions options = elv_simulate_options_default(c.model, c.state);
        options.record_every = every[i];
        options.t_end = t_end[i];
        CHECK_TRUE(elv_simulate(c.model, c.state, &options, NULL, &error) == ELV_ERROR_INPUT);
        assert_string_equal(error.element, "simulate");
        CHECK_TRUE(c.state->t == 0.0 && c.state->q[0] == 1.0);
    }
    case_close(&c);
}

// the dynamics have no value after t = 0.5: the state ends just before, the records are kept
static void test_failure_keeps_last_good_state(void** state) {
    (void)state;
    ModelCase c = case_open("tree:\n"
                            "  - {body: mass, mass: 1, joint: {prismatic: {axis: x,\n"
                            "     force: \"sqrt(0.5 - t)\"}}}\n"
                            "simulate: {method: explicit, duration: 1}\n"
                            "record: {every: 0.1}\n");
    Log log = {0};
    ElvError error;
    ElvSimulateOptions options = make_options(&c, &log);
    CHECK_TRUE(elv_simulate(c.model, c.state, &options, NULL, &error) == ELV_ERROR_NUMERIC);
    assert_string_equal(error.element, "mass");
    CHECK_TRUE(c.state->t > 0.49 && c.state->t <= 0.5 && c.state->t == log.t_progress);
    CHECK_TRUE(log.n_record == 5 || log.n_record == 6);
    // x'' = sqrt(1/2 - t): v = 2/3 (0.5^(3/2) - (0.5 - t)^(3/2))
    double left = pow(0.5 - c.state->t, 1.5);
    CHECK_NEAR(c.state->v[0], 2.0 / 3.0 * (pow(0.5, 1.5) - left), 1e-6);
    case_close(&c);
}

// the same model and options: the same bits in every record, whatever ran before
static void test_same_bits(void** state) {
    (void)state;
    static Log log[2];
    memset(log, 0, sizeof log);
    for (int i = 0; i < 2; i++) {
        ModelCase c = case_open("gravity: [0, 0, -9.81]\n"
                                "tree:\n"
                                "  - rod: rod\n"
                                "    length: 1\n"
                                "    section: {circle: {diameter: 0.02}}\n"
                                "    material: {density: 1000, young: 1e6, damping: 0.01}\n"
                                "    strain: {bend_y: 2, bend_z: 2}\n"
                                "    initial: {bend_z: 1}\n"
                                "simulate: {method: explicit, duration: 0.1}\n"
                                "record: {every: 0.001}\n");
        ElvSimulateOptions options = make_options(&c, &log[i]);
        CHECK_STATUS(elv_simulate(c.model, c.state, &options, NULL, NULL), NULL);
        case_close(&c);
        test_recorder_workspace(state);
    }
    CHECK_TRUE(log[0].n_record == 101 && memcmp(&log[0], &log[1], sizeof log[0]) == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_force_step),
        cmocka_unit_test(test_square_wave),
        cmocka_unit_test(test_late_jump),
        cmocka_unit_test(test_record_times),
        cmocka_unit_test(test_record_values),
        cmocka_unit_test(test_recorder_workspace),
        cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_max_steps),
        cmocka_unit_test(test_refused_options),
        cmocka_unit_test(test_failure_keeps_last_good_state),
        cmocka_unit_test(test_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
