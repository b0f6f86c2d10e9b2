// SPDX-License-Identifier: Apache-2.0
// Actuators that cannot do what their laws say, and a controller that drives its robot away: the run
// ends with an error that names the element, and what was recorded before stays, all of it numbers.
#include "actuation_case.h"
#include "model_case.h"

/// An actuator whose law is good before T_BAD and bad after it.
typedef struct {
    const char* name;
    const char* text; // of the actuator
} BadCase;

static const double T_BAD = 0.25; // s
static const double STEP = 0.01;  // s

static const BadCase bad_cases[] = {
    {"negative", "{tendon: negative, path: {rod: rod, y: 0.005}, tension: \"4*(0.25 - t)\"}"},
    {"undefined", "{tendon: undefined, path: {rod: rod, y: 0.005}, tension: \"sqrt(0.25 - t)\"}"},
    {"infinite",
     "{tendon: infinite, path: {rod: rod, y: 0.005}, tension: \"if(t < 0.25, 1, exp(4000*t))\"}"},
    {"length", "{tendon: length, path: {rod: rod, y: 0.005}, pull: \"0.001*sqrt(0.25 - t)\"}"},
    {"suction", "{chamber: suction, rod: rod, y: 0.005, area: 1e-5, pressure: \"1e4*(0.25 - t)\"}"},
    {"vacuum", "{chamber: vacuum, rod: rod, y: 0.005, area: 1e-5, pressure: \"log(0.25 - t)^2\"}"},
    {"strong", "{muscle: strong, rod: rod, y: 0.005, force: 1, activation: \"4*t\"}"},
    {"slack", "{muscle: slack, rod: rod, y: 0.005, force: 1, activation: \"0.25 - t\"}"},
    {"lost", "{muscle: lost, rod: rod, y: 0.005, force: 1, activation: \"sqrt(0.25 - t)*s\"}"},
};

static const char* const model_text =
    "tree:\n"
    "  - rod: rod\n"
    "    length: 0.5\n"
    "    section: {circle: {radius: 0.01}}\n"
    "    material: {density: 1000, young: 1e6, poisson: 0.4, damping: 0.01}\n"
    "    strain: {bend_y: 2, bend_z: 2, stretch: 1}\n"
    "actuators: [%s]\n"
    "statics: {loads: [0.05, 0.1, 0.2, 0.3]}\n"
    "record: {every: 0.01, signals: [rod.tip.position, rod.q, rod.v, energy]}\n";

static void check_names(const ElvError* error, const char* name) {
    if (strcmp(error->element, name) != 0 || !strstr(error->message, name)) {
        print_error("'%s' is not named: element '%s', field '%s', message '%s'\n", name,
                    error->element, error->field, error->message);
        fail();
    }
}

static void check_finite(const Trace* trace) {
    for (int i = 0; i < trace->n_row; i++) {
        CHECK_TRUE(isfinite(trace->t[i]));
        for (int k = 0; k < trace->n_column; k++) {
            CHECK_TRUE(isfinite(trace->value[i][k]));
        }
    }
}

static void check_state_finite(const ElvState* state) {
    for (int i = 0; i < state->nv; i++) {
        CHECK_TRUE(isfinite(state->q[i]) && isfinite(state->v[i]) && isfinite(state->a[i]));
    }
    for (int k = 0; k < state->nz; k++) {
        CHECK_TRUE(isfinite(state->z[k]));
    }
}

static void check_motion(const BadCase* bad, ElvMethod method) {
    ElvError error;
    ModelCase c = case_open(model_text, bad->text);
    Trace* trace = trace_create(c.model, NULL, 0);
    ElvSimulateOptions options = elv_simulate_options_default(c.model, c.state);
    options.method.method = method;
    options.method.step = STEP;
    options.t_end = 1.0;
    options.record = trace_record;
    options.user = trace;
    ElvStatus status = elv_simulate(c.model, c.state, &options, NULL, &error);
    CHECK_TRUE(status == ELV_ERROR_NUMERIC);
    check_names(&error, bad->name);
    check_finite(trace);
    check_state_finite(c.state);
    // as far as the law was good, less a step that had looked ahead
    CHECK_TRUE(c.state->t <= T_BAD + 1e-9 && c.state->t >= T_BAD - 1.5 * STEP);
    CHECK_NEAR(trace->t[trace->n_row - 1], c.state->t, 0.0);
    CHECK_TRUE(trace->n_row >= 24);
    trace_free(trace);
    case_close(&c);
}

static void test_motion(void** unused) {
    (void)unused;
    static const ElvMethod methods[] = {ELV_METHOD_EXPLICIT, ELV_METHOD_NEWMARK,
                                        ELV_METHOD_GENERALIZED_ALPHA};
    for (size_t i = 0; i < sizeof bad_cases / sizeof *bad_cases; i++) {
        for (int k = 0; k < 3; k++) {
            // a length that is given asks for an implicit method
            if (methods[k] != ELV_METHOD_EXPLICIT || strcmp(bad_cases[i].name, "length") != 0) {
                check_motion(&bad_cases[i], methods[k]);
            }
        }
    }
}

static void test_statics(void** unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof bad_cases / sizeof *bad_cases; i++) {
        ElvError error;
        ModelCase c = case_open(model_text, bad_cases[i].text);
        Trace* trace = trace_create(c.model, NULL, 0);
        ElvStaticsOptions options = elv_statics_options_default(c.model);
        options.record = trace_record;
        options.user = trace;
        ElvStatus status = elv_statics_run(c.model, c.state, &options, NULL, &error);
        CHECK_TRUE(status == ELV_ERROR_NUMERIC);
        check_names(&error, bad_cases[i].name);
        CHECK_TRUE(trace->n_row == 3 && c.state->t == 0.2);
        check_finite(trace);
        check_state_finite(c.state);
        trace_free(trace);
        case_close(&c);
    }
}

// whether a body or rod of the model is called so
static bool has_node(const ElvModel* model, const char* name) {
    for (int i = 0; i < elv_model_n_node(model); i++) {
        if (strcmp(elv_model_node(model, i).name, name) == 0) {
            return true;
        }
    }
    return false;
}

// the velocities of the drones are driven away from the wanted ones, by e in 0.01 ms
static void check_unstable(ElvMethod method) {
    ElvError error;
    const ElvOverride set[] = {{"kP", "-1000"}};
    ElvModel* model = example_model("drones", set, 1);
    Robot robot = robot_of(model);
    Trace* trace = trace_create(model, NULL, 0);
    ElvSimulateOptions options = elv_simulate_options_default(model, robot.state);
    bool is_explicit = method == ELV_METHOD_EXPLICIT;
    options.method.method = method;
    // an explicit method could follow for long, in steps that shrink
    options.method.step = is_explicit ? 0.0 : options.method.step;
    options.method.max_steps = is_explicit ? 500 : 0;
    options.record = trace_record;
    options.user = trace;
    ElvStatus status = elv_simulate(model, robot.state, &options, NULL, &error);
    CHECK_TRUE(status != ELV_OK && status != ELV_ERROR_MEMORY && error.status == status);
    CHECK_TRUE(is_explicit ? strcmp(error.element, "simulate") == 0
                           : has_node(model, error.element));
    CHECK_TRUE(is_explicit || strstr(error.message, "the controller 'pilot"));
    CHECK_TRUE(trace->n_row >= 2 && robot.state->t > 0.0 && robot.state->t < options.t_end);
    CHECK_NEAR(trace->t[trace->n_row - 1], robot.state->t, 0.0);
    check_finite(trace);
    check_state_finite(robot.state);
    trace_free(trace);
    robot_free(&robot);
}

static void test_unstable(void** unused) {
    (void)unused;
    check_unstable(ELV_METHOD_NEWMARK);
    check_unstable(ELV_METHOD_GENERALIZED_ALPHA);
    check_unstable(ELV_METHOD_EXPLICIT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_motion),
        cmocka_unit_test(test_statics),
        cmocka_unit_test(test_unstable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
