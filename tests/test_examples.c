// SPDX-License-Identifier: Apache-2.0
// Every model in models/ is read and simulated: each record must be finite and at its time. Models
// without dissipation keep their energy, to what the tolerance of the integrator allows: a step that
// errs by rel_tol in the state errs by 2 rel_tol in the energy, so n steps err by at most
// 2 n rel_tol. What the heads of the files promise (periods, impulses, symmetries) is checked by
// tests of its own.
#define _POSIX_C_SOURCE 200809L

#include "check.h"

#include "elver/elver.h"

#include <dirent.h>
#include <stdlib.h>

enum { MAX_PATH = 512 };

static const double PI = 3.14159265358979323846;

/// How far a model is simulated here, and from when on its energy is constant.
typedef struct {
    const char* name;
    double duration; // s
    double conserved_from;
} Example;

// models that are not listed run for DEFAULT_DURATION, without the check of the energy
static const double DEFAULT_DURATION = 0.1;
static const Example examples[] = {
    {"branching-tree", 0.1, 0.0},       {"cantilever-swing", 0.6, INFINITY},
    {"curved-rod", 0.2, 0.0},           {"double-pendulum", 2.0, 0.0},
    {"driven-joint", 0.2, INFINITY},    {"flying-rod", 2.5, 2.0},
    {"gripper", 0.1, INFINITY},         {"joint-zoo", 0.4, 0.0},
    {"pcs-arm", 0.01, INFINITY},        {"pendulum", 4.0, 0.0},
    {"reissner-rod", 0.7, 0.5},         {"rigid-chain", 2.0, 0.0},
    {"string-pendulum", 0.2, INFINITY}, {"tumbling-box", 6.0, 0.0},
};

/// One simulation: what to record, and what it has seen.
typedef struct {
    ElvModel* model;
    ElvState* state;
    ElvSignals* signals;
    double* value;
    double rel_tol;
    long n_record;
    long n_step;
    double t_last;
    bool is_finite;
    // energies from conserved_from on
    double conserved_from;
    double energy_low, energy_high, energy_scale;
    void (*watch)(void* seen, double t, const double* value);
    void* seen;
} Run;

static bool record(void* user, const ElvModel* model, ElvData* data, const ElvState* state) {
    Run* run = user;
    elv_signals_eval(run->signals, model, data, state, run->value);
    for (int i = 0; i < elv_signals_n_column(run->signals); i++) {
        run->is_finite &= isfinite(run->value[i]) != 0;
    }
    run->n_record++;
    run->t_last = state->t;
    if (state->t >= run->conserved_from) {
        ElvEnergy energy = elv_energy(model, data, state);
        double total = energy.kinetic + energy.elastic + energy.gravity;
        run->energy_low = fmin(run->energy_low, total);
        run->energy_high = fmax(run->energy_high, total);
        run->energy_scale = fmax(run->energy_scale, energy.kinetic + energy.elastic);
    }
    if (run->watch) {
        run->watch(run->seen, state->t, run->value);
    }
    return true;
}

static Run open_run(const char* name, const char* const* signal, int n_signal) {
    char path[MAX_PATH];
    ElvError error;
    Run run = {.is_finite = true,
               .conserved_from = INFINITY,
               .energy_low = INFINITY,
               .energy_high = -INFINITY};
    snprintf(path, sizeof path, "%s/models/%s.yaml", ELVER_SOURCE_DIR, name);
    CHECK_STATUS(elv_model_read_file(path, NULL, 0, &run.model, &error), &error);
    CHECK_STATUS(elv_state_create(run.model, &run.state, &error), &error);
    ElvRecordDef own = elv_model_record(run.model);
    CHECK_STATUS(elv_signals_create(run.model, signal ? signal : own.signal,
                                    signal ? n_signal : own.n_signal, &run.signals, &error),
                 &error);
    run.value = calloc((size_t)elv_signals_n_column(run.signals) + 1, sizeof *run.value);
    CHECK_TRUE(run.value != NULL);
    return run;
}

static void close_run(Run* run) {
    free(run->value);
    elv_signals_free(run->signals);
    elv_state_free(run->state);
    elv_model_free(run->model);
}

// to t_end, in the intervals of the model file unless given
static void simulate(Run* run, double t_end, double every) {
    ElvError error;
    ElvIntegratorReport report;
    ElvSimulateOptions options = elv_simulate_options_default(run->model, run->state);
    run->rel_tol = options.method.rel_tol;
    options.t_end = t_end;
    options.record_every = every > 0.0 ? every : options.record_every;
    options.record = record;
    options.user = run;
    CHECK_STATUS(elv_simulate(run->model, run->state, &options, &report, &error), &error);
    run->n_step = report.n_step;
    CHECK_TRUE(run->is_finite);
    CHECK_NEAR(run->t_last, t_end, 0.0);
    // records at the start, at every multiple of the interval and at the end
    CHECK_NEAR((double)run->n_record, ceil(t_end / options.record_every - 1e-6) + 1.0, 0.0);
}

static void check_example(const char* name) {
    Run run = open_run(name, NULL, 0);
    double duration = DEFAULT_DURATION;
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
        if (strcmp(examples[i].name, name) == 0) {
            duration = examples[i].duration;
            run.conserved_from = examples[i].conserved_from;
        }
    }
    simulate(&run, duration, 0.0);
    if (run.conserved_from < INFINITY) {
        double tol = 2.0 * (double)run.n_step * run.rel_tol * run.energy_scale;
        CHECK_TRUE(run.energy_scale > 0.0);
        CHECK_NEAR(run.energy_high, run.energy_low, tol);
    }
    close_run(&run);
}

static int is_model(const struct dirent* entry) {
    size_t n = strlen(entry->d_name);
    return n > 5 && strcmp(entry->d_name + n - 5, ".yaml") == 0;
}

static void test_every_model_runs(void** state) {
    (void)state;
    struct dirent** entry = NULL;
    int n = scandir(ELVER_SOURCE_DIR "/models", &entry, is_model, alphasort);
    CHECK_TRUE(n >= (int)(sizeof examples / sizeof examples[0]));
    for (int i = 0; i < n; i++) {
        char name[MAX_PATH];
        snprintf(name, sizeof name, "%.*s", (int)strlen(entry[i]->d_name) - 5, entry[i]->d_name);
        // the last name printed is the one that failed
        print_message("%s\n", name);
        check_example(name);
        free(entry[i]);
    }
    free(entry);
}

// ---- what the heads of the files promise

// T = 2 pi sqrt(2 L / (3 g)) / agm(1, cos(theta / 2)); after it the bar is back and at rest
static void test_pendulum_period(void** state) {
    (void)state;
    double a = 1.0, b = cos(0.5);
    for (int i = 0; i < 6; i++) {
        double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    Run run = open_run("pendulum", NULL, 0);
    double period = 2.0 * PI * sqrt(2.0 / (3.0 * 9.81)) / a;
    CHECK_NEAR(period, 1.74660, 5e-6);
    simulate(&run, period, 0.0);
    double tol = 2.0 * (double)run.n_step * run.rel_tol;
    CHECK_NEAR(run.state->q[0], 1.0, tol);
    CHECK_NEAR(run.state->v[0], 0.0, 10.0 * tol);
    close_run(&run);
}

// a quarter of a circle of length 1 ends at (2/pi, 2/pi)
static void test_curved_rod_start(void** state) {
    (void)state;
    ElvError error;
    double expected[3] = {2.0 / PI, 2.0 / PI, 0.0};
    Run run = open_run("curved-rod", NULL, 0);
    ElvData* data = NULL;
    CHECK_STATUS(elv_data_create(run.model, &data, &error), &error);
    elv_kinematics(run.model, data, run.state);
    elv_signals_eval(run.signals, run.model, data, run.state, run.value);
    // one Magnus step is exact for a constant strain: rounding alone is left
    CHECK_ARRAY_NEAR(run.value, expected, 3, 1e-14);
    elv_data_free(data);
    close_run(&run);
}

typedef struct {
    double linear[3], angular[3];
    bool is_set;
    double drift;
} Momenta;

// after the push (2 s) both momenta keep the values of the first record
static void watch_momenta(void* seen, double t, const double* value) {
    Momenta* momenta = seen;
    if (t < 2.0) {
        return;
    }
    for (int i = 0; i < 3; i++) {
        if (!momenta->is_set) {
            momenta->linear[i] = value[i];
            momenta->angular[i] = value[3 + i];
        }
        momenta->drift = fmax(momenta->drift, fabs(value[i] - momenta->linear[i]));
        momenta->drift = fmax(momenta->drift, fabs(value[3 + i] - momenta->angular[i]));
    }
    momenta->is_set = true;
}

// impulse of the force: half of its base 2 s times its peak 8 N, along x
static void test_flying_rod_impulse(void** state) {
    (void)state;
    static const char* const signal[] = {"momentum"};
    double impulse[3] = {8.0, 0.0, 0.0};
    Momenta momenta = {0};
    Run run = open_run("flying-rod", signal, 1);
    run.watch = watch_momenta;
    run.seen = &momenta;
    simulate(&run, 3.0, 0.1);
    // rel_tol a step, times the largest momentum (about 90 kg m^2/s)
    double tol = 100.0 * (double)run.n_step * run.rel_tol;
    CHECK_ARRAY_NEAR(momenta.linear, impulse, 3, tol);
    CHECK_NEAR(momenta.drift, 0.0, tol);
    CHECK_TRUE(elv_vec3_norm(elv_vec3(momenta.angular[0], momenta.angular[1], momenta.angular[2])) >
               10.0);
    close_run(&run);
}

// largest difference between one finger and the mirror image of the other, and the way closed
typedef struct {
    double asymmetry, first, last;
} Fingers;

static void watch_fingers(void* seen, double t, const double* value) {
    Fingers* fingers = seen;
    fingers->first = t == 0.0 ? value[1] : fingers->first;
    fingers->last = value[1];
    fingers->asymmetry = fmax(fingers->asymmetry, fabs(value[1] + value[4]));
    fingers->asymmetry = fmax(fingers->asymmetry, fabs(value[2] - value[5]));
}

static void test_gripper_is_symmetric(void** state) {
    (void)state;
    static const char* const signal[] = {"left.tip.position", "right.tip.position"};
    Fingers fingers = {0};
    Run run = open_run("gripper", signal, 2);
    run.watch = watch_fingers;
    run.seen = &fingers;
    simulate(&run, 0.45, 0.05);
    // both fingers see the same steps: they differ by rounding alone, a few eps times 0.3 m a step
    CHECK_NEAR(fingers.asymmetry, 0.0, 1e-15 * (double)run.n_step);
    CHECK_TRUE(fingers.last < fingers.first - 0.005);
    close_run(&run);
}

// largest distance of the turntable from its table's knots, of the torque from its formula
typedef struct {
    double angle_error, torque_error;
} Drives;

static void watch_drives(void* seen, double t, const double* value) {
    Drives* drives = seen;
    double knot = t < 0.25 ? 0.0 : 0.2;
    drives->angle_error = fmax(drives->angle_error, fabs(value[0] - knot));
    double torque = 1.0 + 0.5 * sin(2.0 * PI * t);
    drives->torque_error = fmax(drives->torque_error, fabs(value[1] - torque));
}

static void test_driven_joint_follows_its_laws(void** state) {
    (void)state;
    static const char* const signal[] = {"turntable.q", "arm.effort"};
    Drives drives = {0};
    Run run = open_run("driven-joint", signal, 2);
    run.watch = watch_drives;
    run.seen = &drives;
    simulate(&run, 0.5, 0.5);
    CHECK_NEAR(drives.angle_error, 0.0, 1e-14);
    CHECK_NEAR(drives.torque_error, 0.0, 1e-14);
    close_run(&run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_model_runs),
        cmocka_unit_test(test_pendulum_period),
        cmocka_unit_test(test_curved_rod_start),
        cmocka_unit_test(test_flying_rod_impulse),
        cmocka_unit_test(test_gripper_is_symmetric),
        cmocka_unit_test(test_driven_joint_follows_its_laws),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
