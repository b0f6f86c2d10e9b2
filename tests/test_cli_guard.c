// SPDX-License-Identifier: Apache-2.0
// `elver run` and the files of its user: what must not be overwritten, what is refused before the
// simulation, and what is said of runs that stop early.
#define _POSIX_C_SOURCE 200809L

#include "cli_process.h"

static const char model_text[] = "elver: 1\n"
                                 "gravity: [0, 0, -9.81]\n"
                                 "tree:\n"
                                 "  - body: bob\n"
                                 "    joint: {revolute: {axis: y, position: 0.5}}\n"
                                 "    mass: 2\n"
                                 "    center: [0, 0, -1]\n"
                                 "    inertia: [0.1, 0.1, 0.1]\n"
                                 "simulate: {method: explicit, duration: 0.5}\n"
                                 "record: {every: 0.1, signals: [bob.q, energy.total]}\n";

static int open_model(void** context) {
    int status = open_process(context);
    write_text(*context, "model.yaml", model_text);
    return status;
}

static void check_model_is_kept(const Process* p) {
    char* text = read_whole(p, "model.yaml");
    assert_string_equal(text, model_text);
    free(text);
}

static void test_keeps_the_model(void** context) {
    Process* p = *context;
    assert_int_equal(symlink("model.yaml", path_of(p, "link.csv")), 0);
    static const char* const words[] = {
        "run model.yaml -o .",
        "run model.yaml -o ./",
        "run model.yaml -o model.yaml",
        "run model.yaml -o link.csv",
        "statics model.yaml -o .",
        "run @pendulum -o .",
        "export model.yaml -o model.yaml",
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        run(p, words[i]);
        CHECK_CODE(p, 2);
        CHECK_ERR(p, "would be overwritten");
        check_model_is_kept(p);
        assert_false(has_file(p, "trajectory.h5"));
        assert_false(has_file(p, "trajectory.h5.part"));
    }

    // what Elver wrote is replaced
    for (int i = 0; i < 2; i++) {
        run(p, "run model.yaml -q -o results");
        CHECK_CODE(p, 0);
    }
}

static void test_keeps_trajectories_it_reads(void** context) {
    Process* p = *context;
    run(p, "run model.yaml -q -o r.h5");
    CHECK_CODE(p, 0);
    run(p, "run model.yaml -q -o results");
    CHECK_CODE(p, 0);
    static const char* const words[] = {
        "run model.yaml --restart r.h5 -o r.h5",
        "run r.h5 -o ./r.h5",
        "statics r.h5 -o r.h5",
        "run model.yaml --restart results -o results",
        "run model.yaml --restart results/trajectory.h5 -o results/",
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        run(p, words[i]);
        CHECK_CODE(p, 2);
        CHECK_ERR(p, "would be overwritten");
    }
    run(p, "run model.yaml -q --restart r.h5 -o r2.h5");
    CHECK_CODE(p, 0);
}

static void test_restart_of_another_model(void** context) {
    Process* p = *context;
    run(p, "run model.yaml -q -o r.h5");
    run(p, "run model.yaml -q --restart r.h5 --set bob.mass=3");
    CHECK_CODE(p, 0);
    run(p, "run @pendulum --restart r.h5");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "another model");
    CHECK_ERR(p, "body 'bob', revolute joint");
    run(p, "run model.yaml --restart r.h5 --restart-time 0.7");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "its records are from 0 to 0.5");
    run(p, "run model.yaml -q --restart r.h5 --restart-time 0.59");
    CHECK_CODE(p, 0);
}

static void test_unknown_endings(void** context) {
    Process* p = *context;
    run(p, "run model.yaml -o x.txt");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, ".csv, .h5 (or .hdf5) or .npy");
    assert_false(has_file(p, "x.txt"));
    run(p, "run model.yaml -o out.csv --plot a.jpg");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "plots are .svg, .png or .pdf");
    run(p, "run model.yaml -o out.csv --plot=a.csv");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "plots are .svg, .png or .pdf");
}

static void test_nothing_to_record(void** context) {
    Process* p = *context;
    run(p, "run model.yaml --duration 3e7 --set record.signals=[] -o out.csv --plot");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "--signal");
    assert_false(has_file(p, "out.csv"));
    run(p, "run model.yaml --set record.signals=[] -o out.csv");
    CHECK_CODE(p, 0);
    CHECK_ERR(p, "warning: the model records no signals");
    run(p, "run model.yaml --set record.signals=[] -o out.h5");
    CHECK_CODE(p, 0);
    assert_null(strstr(p->err, "warning"));
}

// a massless body that a torque turns has no motion; one that a spring holds has one, implicitly
static void test_singular_start(void** context) {
    Process* p = *context;
    write_text(p, "light.yaml",
               "elver: 1\n"
               "parameters: {k: 0}\n"
               "tree:\n"
               "  - body: bob\n"
               "    joint: {revolute: {axis: y, stiffness: \"k\", force: 1}}\n"
               "simulate: {duration: 0.1}\n"
               "record: {every: 0.1, signals: [bob.q]}\n");
    static const char* const command[] = {"check", "run -q"};
    for (int i = 0; i < 2; i++) {
        char words[160];
        snprintf(words, sizeof words, "%s light.yaml", command[i]);
        run(p, words);
        CHECK_CODE(p, 2);
        CHECK_ERR(p, "singular");
        snprintf(words, sizeof words, "%s light.yaml --set k=1", command[i]);
        run(p, words);
        CHECK_CODE(p, 0);
    }
}

// the model is bad from the start, for run as for check
static void test_singular_mass(void** context) {
    Process* p = *context;
    run(p, "run model.yaml --set bob.mass=0 --set bob.inertia=[0,0,0] -o out.csv");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "nothing was recorded");
    assert_null(strstr(p->err, "bob.q"));
    assert_false(has_file(p, "out.csv"));
}

// the last record, the summary and its signals are of one time
static void test_failure_ends_with_the_last_good_state(void** context) {
    Process* p = *context;
    run(p, "run model.yaml --set simulate.max_steps=20 --json -o out.csv");
    CHECK_CODE(p, 1);
    double t_end = json_number(p->out, "t_end");
    double q = json_number(p->out, "bob.q.0");
    char* text = read_whole(p, "out.csv");
    size_t n = strlen(text);
    text[n - 1] = '\0';
    const char* line = strrchr(text, '\n') + 1;
    double t_last = 0.0;
    double q_last = 0.0;
    assert_int_equal(sscanf(line, "%lf,%lf", &t_last, &q_last), 2);
    // JSON and CSV have the digits that read back exactly
    CHECK_NEAR(t_last, t_end, 0.0);
    CHECK_NEAR(q_last, q, 0.0);
    assert_true(t_end > 0.0 && t_end < 0.5);
    assert_true(fabs(t_end / 0.1 - round(t_end / 0.1)) > 1e-6);
    free(text);
}

static void test_summary(void** context) {
    Process* p = *context;
    run(p, "run model.yaml -o out.csv");
    CHECK_CODE(p, 0);
    CHECK_ERR(p, "model.yaml: t = 0 to 0.5 s");
    CHECK_ERR(p, "  bob.q  (");
    CHECK_ERR(p, "  energy.total  (");
    run(p, "run model.yaml -o out.csv --signal bob.position.x --signal bob.position.z");
    CHECK_ERR(p, "  bob.position.x, z  (");
    run(p, "statics model.yaml -o out.csv --set record.signals=[energy.total]");
    CHECK_CODE(p, 0);
    CHECK_ERR(p, "(1 row of 1 column)");
}

int main(void) {
#define WITH_MODEL(test) cmocka_unit_test_setup_teardown(test, open_model, close_process)
    const struct CMUnitTest tests[] = {
        WITH_MODEL(test_keeps_the_model),
        WITH_MODEL(test_keeps_trajectories_it_reads),
        WITH_MODEL(test_restart_of_another_model),
        WITH_MODEL(test_unknown_endings),
        WITH_MODEL(test_nothing_to_record),
        WITH_MODEL(test_singular_start),
        WITH_MODEL(test_singular_mass),
        WITH_MODEL(test_failure_ends_with_the_last_good_state),
        WITH_MODEL(test_summary),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
