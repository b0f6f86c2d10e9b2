// SPDX-License-Identifier: Apache-2.0
// Tendons of given length (@tendon-by-length): tensions that are results. The tendons are straight lines
// y = +-0.008 (1 - 0.3 s) in a rod of 0.3 m, so their length at rest is 0.3 sqrt(1 + 0.008^2), by hand.
//
// Newton leaves a residual of 1e-10 of the largest effort (1 N) and of the length (0.3 m), and the arm
// moves by 0.07 m a newton: tips that agree do so to 1e-10 m, and 1e-9 m is asked.
#include "actuation_case.h"

static const double SAME = 1e-9; // m

static double length_at_rest(void) {
    return 0.3 * sqrt(1.0 + 0.008 * 0.008);
}

/// Columns of the example.
typedef struct {
    int tip, pulled_T, pulled_L, paid_T, paid_L;
} Columns;

static Columns columns_of(const Trace* trace) {
    Columns c = {
        trace_column(trace, "rod.tip.position.x"), trace_column(trace, "tendon.pulled.tension"),
        trace_column(trace, "tendon.pulled.length"), trace_column(trace, "tendon.paid.tension"),
        trace_column(trace, "tendon.paid.length")};
    return c;
}

// ---- equilibria

// the tensions found, given to the same tendons as laws, make the same shape
static void check_fed_back(const Trace* trace, int row) {
    Columns c = columns_of(trace);
    const double* value = trace->value[row];
    char actuators[512], loads[64];
    snprintf(actuators, sizeof actuators,
             "[{tendon: pulled, path: {rod: rod, y: \"0.8*r*(1 - 0.3*s)\"}, tension: %.17g},\n"
             " {tendon: paid, path: {rod: rod, y: \"-0.8*r*(1 - 0.3*s)\"}, tension: %.17g}]",
             value[c.pulled_T], value[c.paid_T]);
    snprintf(loads, sizeof loads, "[%.17g]", trace->t[row]);
    const ElvOverride set[] = {{"actuators", actuators}, {"statics.loads", loads}};
    Trace* twin = example_statics("tendon-by-length", set, 2);
    CHECK_ARRAY_NEAR(twin->value[0] + c.tip, value + c.tip, 3, SAME);
    CHECK_NEAR(twin->value[0][c.pulled_L], value[c.pulled_L], SAME);
    CHECK_NEAR(twin->value[0][c.paid_L], value[c.paid_L], SAME);
    trace_free(twin);
}

static void test_one_is_slack(void** unused) {
    (void)unused;
    Trace* trace = example_statics("tendon-by-length", NULL, 0);
    Columns c = columns_of(trace);
    CHECK_TRUE(trace->n_row == 5);
    for (int i = 0; i < trace->n_row; i++) {
        const double* value = trace->value[i];
        CHECK_TRUE(value[c.pulled_T] > 0.0);
        CHECK_NEAR(value[c.pulled_L], length_at_rest() - trace->t[i], 1e-10);
        // paid out by more than the arm takes: nothing pulls, exactly
        CHECK_TRUE(value[c.paid_T] == 0.0 && !signbit(value[c.paid_T]));
        CHECK_TRUE(value[c.paid_L] < length_at_rest() + trace->t[i]);
        check_fed_back(trace, i);
    }
    trace_free(trace);
}

// both tendons a millimetre too short: the arm is pressed, and both pull while it bends
static void test_both_are_taut(void** unused) {
    (void)unused;
    const ElvOverride set[] = {{"pulled.slack", "-1e-3"},
                               {"paid.slack", "-1e-3"},
                               {"statics.loads", "[0, 1e-4, 2e-4, 4e-4]"}};
    Trace* trace = example_statics("tendon-by-length", set, 3);
    Columns c = columns_of(trace);
    double free_length = length_at_rest() - 1e-3;
    for (int i = 0; i < trace->n_row; i++) {
        const double* value = trace->value[i];
        CHECK_TRUE(value[c.pulled_T] > 0.0 && value[c.paid_T] > 0.0);
        CHECK_NEAR(value[c.pulled_L], free_length - trace->t[i], 1e-10);
        CHECK_NEAR(value[c.paid_L], free_length + trace->t[i], 1e-10);
        check_fed_back(trace, i);
    }
    // straight: 0.3 sqrt(Gamma^2 + 0.008^2) is the length, EA (1 - Gamma) the force of both along the axis
    double Gamma = sqrt(free_length * free_length / 0.09 - 0.008 * 0.008);
    double EA = 1e6 * acos(-1.0) * 1e-4;
    double tension = 0.5 * EA * (1.0 - Gamma) / Gamma * (free_length / 0.3);
    CHECK_NEAR(trace->value[0][c.pulled_T], tension, 1e-8);
    CHECK_NEAR(trace->value[0][c.paid_T], tension, 1e-8);
    const double tip[3] = {0.3 * Gamma, 0.0, 0.0};
    CHECK_ARRAY_NEAR(trace->value[0] + c.tip, tip, 3, SAME);
    trace_free(trace);
}

// a spring of stiffness k in line with the arm's own, some 400 N/m: what it changes is c/k (1 + O(400/k))
static void test_stiffness_towards_rigid(void** unused) {
    (void)unused;
    static const char* const stiffness[] = {"1e5", "1e6", "1e7"};
    double before = 0.0;
    Trace* rigid = example_statics("tendon-by-length", NULL, 0);
    Columns c = columns_of(rigid);
    int last = rigid->n_row - 1;
    for (int k = 0; k < 3; k++) {
        const ElvOverride set[] = {{"pulled.stiffness", stiffness[k]},
                                   {"paid.stiffness", stiffness[k]}};
        Trace* trace = example_statics("tendon-by-length", set, 2);
        const double* value = trace->value[last];
        double difference = trace_distance(trace, last, c.tip, rigid->value[last] + c.tip);
        // the tendon is longer by T/k, and that alone is why
        double give = value[c.pulled_T] / strtod(stiffness[k], NULL);
        CHECK_NEAR(value[c.pulled_L], length_at_rest() - trace->t[last] + give, 1e-10);
        CHECK_TRUE(value[c.paid_T] == 0.0);
        CHECK_TRUE(difference > 0.0);
        if (k > 0) {
            CHECK_NEAR(before / difference, 10.0, 0.01 * 10.0);
        }
        before = difference;
        trace_free(trace);
    }
    trace_free(rigid);
}

// ---- motion: taut, slack and taut again

static double pulled_at(double t) {
    double pi = acos(-1.0);
    return 0.006 * sin(pi * t) * sin(pi * t) * cos(pi * t);
}

/// Phases of a tendon that have lasted: 0, then taut, 1, then slack, 2, then taut again, 3.
typedef struct {
    int phase, n_row; // rows in which the next phase has lasted
    bool was_taut;    // in the last row
    double gap, way;  // length given - length in the last row, and its change before that
} Phases;

enum { LASTING = 50 }; // rows, a quarter of a second

static void note_phase(Phases* phases, bool is_taut) {
    phases->n_row = is_taut == (phases->phase % 2 == 0) ? phases->n_row + 1 : 0;
    if (phases->n_row == LASTING) {
        phases->phase++;
        phases->n_row = 0;
    }
}

// one tendon at one time: its length is at most the one given, and that one where it pulls. But for the step in
// which a slack one lands: that ends within a quarter of the way of a step, and 1/2 leaves room for the step
// being faster than the one before
static void check_tendon(double tension, double length, double given, Phases* phases) {
    bool is_taut = tension > 0.0;
    double allowed = fmax(1e-9, is_taut && !phases->was_taut ? 0.5 * fabs(phases->way) : 0.0);
    CHECK_TRUE(tension >= 0.0);
    CHECK_TRUE(length <= given + allowed);
    if (is_taut) {
        CHECK_NEAR(length, given, allowed);
    }
    note_phase(phases, is_taut);
    phases->was_taut = is_taut;
    phases->way = given - length - phases->gap;
    phases->gap = given - length;
}

static void check_motion(ElvMethod method) {
    const ElvOverride set[] = {{"pulled.pull", "0.006*sin(pi*t)^2*cos(pi*t)"},
                               {"paid.pull", "-0.006*sin(pi*t)^2*cos(pi*t)"}};
    Motion motion = {.method = method, .step = 0.005, .t_end = 2.0, .every = 0.005};
    Trace* trace = example_motion("tendon-by-length", set, 2, &motion);
    Columns c = columns_of(trace);
    Phases pulled = {0}, paid = {0};
    CHECK_TRUE(trace->n_row == 401);
    for (int i = 0; i < trace->n_row; i++) {
        const double* value = trace->value[i];
        double pull = pulled_at(trace->t[i]);
        check_tendon(value[c.pulled_T], value[c.pulled_L], length_at_rest() - pull, &pulled);
        check_tendon(value[c.paid_T], value[c.paid_L], length_at_rest() + pull, &paid);
    }
    // pulled in and paid out in turns, one against the other
    CHECK_TRUE(pulled.phase >= 3 && paid.phase >= 3);
    trace_free(trace);
}

static void test_motion(void** unused) {
    (void)unused;
    check_motion(ELV_METHOD_GENERALIZED_ALPHA);
    check_motion(ELV_METHOD_BDF2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_is_slack),
        cmocka_unit_test(test_both_are_taut),
        cmocka_unit_test(test_stiffness_towards_rigid),
        cmocka_unit_test(test_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
