// SPDX-License-Identifier: Apache-2.0
// `elver run`: what it writes where, what its options change, restarts, failures, interruption,
// plots.
#define _POSIX_C_SOURCE 200809L

#include "cli_process.h"

#include <time.h>

// a pendulum with a torque that is switched on by a parameter and has a pole at t = 0.3
static const char model_text[] =
    "elver: 1\n"
    "name: pendulum\n"
    "gravity: [0, 0, -9.81]\n"
    "parameters: {pole: 0}\n"
    "tree:\n"
    "  - body: bob\n"
    "    joint: {revolute: {axis: y, position: 0.5, force: \"pole/(0.3 - t)^3\"}}\n"
    "    mass: 2\n"
    "    center: [0, 0, -1]\n"
    "    inertia: [0.1, 0.1, 0.1]\n"
    "simulate: {method: explicit, duration: 0.5}\n"
    "record: {every: 0.1, signals: [bob.q, energy]}\n";

static int open_model(void** context) {
    int status = open_process(context);
    write_text(*context, "model.yaml", model_text);
    return status;
}

static int count_lines(const char* text) {
    int n = 0;
    for (const char* c = text; *c != '\0'; c++) {
        n += *c == '\n';
    }
    return n;
}

// numbers of the last line of CSV text; returns how many
static int last_row(const char* text, double* value, int n_max) {
    const char* line = text;
    for (const char* c = text; *c != '\0'; c++) {
        if (*c == '\n' && c[1] != '\0') {
            line = c + 1;
        }
    }
    int n = 0;
    char* end = NULL;
    for (const char* c = line; n < n_max; c = end + 1) {
        value[n++] = strtod(c, &end);
        if (*end != ',') {
            break;
        }
    }
    return n;
}

static const char header[] =
    "t,bob.q.0,energy.kinetic,energy.elastic,energy.gravity,energy.total\n";

static void test_csv_file(void** context) {
    Process* p = *context;
    run(p, "run model.yaml -o out.csv");
    CHECK_CODE(p, 0);
    assert_string_equal(p->out, "");
    CHECK_ERR(p, "out.csv (6 records of 5 columns)");
    // no progress line into a file or a pipe
    assert_null(strchr(p->err, '\r'));
    char* text = read_whole(p, "out.csv");
    assert_memory_equal(text, header, strlen(header));
    assert_int_equal(count_lines(text), 7);
    double row[6];
    assert_int_equal(last_row(text, row, 6), 6);
    CHECK_NEAR(row[0], 0.5, 1e-12);

    // stdout that is no terminal receives the same; -o - too
    run(p, "run model.yaml --quiet");
    CHECK_CODE(p, 0);
    assert_string_equal(p->out, text);
    assert_string_equal(p->err, "");
    run(p, "run model.yaml -q -o -");
    assert_string_equal(p->out, text);
    free(text);
}

static void test_options(void** context) {
    Process* p = *context;
    run(p, "run model.yaml -q --duration 0.25 --every=0.05 --signal com --signal bob.v");
    CHECK_CODE(p, 0);
    assert_int_equal(strncmp(p->out, "t,com.x,com.y,com.z,bob.v.0\n", 28), 0);
    assert_int_equal(count_lines(p->out), 7);
    double row[5];
    last_row(p->out, row, 5);
    CHECK_NEAR(row[0], 0.25, 1e-12);

    // a largest step of 1 ms makes at least 500 steps; tighter tolerances make more steps
    run(p, "run model.yaml --json --step 0.001");
    assert_true(json_number(p->out, "steps") >= 500.0);
    run(p, "run model.yaml --json --rel-tol 1e-4 --abs-tol 1e-6");
    double n_loose = json_number(p->out, "steps");
    run(p, "run model.yaml --json --rel-tol 1e-12 --abs-tol 1e-14");
    assert_true(json_number(p->out, "steps") > 2.0 * n_loose);

    run(p, "run model.yaml --duration x");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "--duration: 'x' is not a number");
    run(p, "run model.yaml --duration=-1");
    CHECK_CODE(p, 2);
    run(p, "run model.yaml --signal bob.qq");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "did you mean 'bob.q'?");
    run(p, "run model.yaml --restart-time 1");
    CHECK_CODE(p, 2);
    run(p, "run model.yaml -o - --json");
    CHECK_CODE(p, 2);
}

static void test_json(void** context) {
    Process* p = *context;
    run(p, "run model.yaml -o out.h5 --json --quiet");
    CHECK_CODE(p, 0);
    assert_true(is_balanced_json(p->out));
    CHECK_OUT(p, "\"complete\": true");
    CHECK_OUT(p, "\"out\": \"out.h5\"");
    CHECK_NEAR(json_number(p->out, "records"), 6.0, 0.0);
    CHECK_NEAR(json_number(p->out, "t_end"), 0.5, 1e-12);

    // the pendulum keeps its energy of 17 J: 1e-8 a step over some hundred steps
    CHECK_NEAR(json_number(p->out, "energy_change"), 0.0, 17.0 * 1e-6);
    CHECK_NEAR(json_number(p->out, "total"), -2.0 * 9.81 * cos(0.5), 17.0 * 1e-6);
}

// a trajectory holds the model it was made from, with everything put over it
static void test_stored_model(void** context) {
    Process* p = *context;
    run(p, "run model.yaml -q -o out.h5 --duration 0.2 --set bob.mass=3 --signal bob.q");
    CHECK_CODE(p, 0);
    run(p, "run out.h5 -q");
    CHECK_CODE(p, 0);
    char* text = strdup(p->out);
    run(p, "run model.yaml -q --duration 0.2 --set bob.mass=3 --signal bob.q");
    assert_string_equal(p->out, text);
    free(text);
    run(p, "info out.h5 --json");
    CHECK_NEAR(json_number(p->out, "mass"), 3.0, 0.0);
    run(p, "info model.yaml.h5");
    CHECK_CODE(p, 2);
}

static void test_folder(void** context) {
    Process* p = *context;
    run(p, "run model.yaml -q -o results");
    CHECK_CODE(p, 0);
    assert_true(has_file(p, "results/trajectory.csv"));
    assert_true(has_file(p, "results/trajectory.h5"));
    assert_true(has_file(p, "results/model.yaml"));
    run(p, "check results/model.yaml");
    CHECK_CODE(p, 0);
}

static void test_restart(void** context) {
    Process* p = *context;
    double whole[6];
    double second[6];
    run(p, "run @rigid-chain -q --duration 0.6 --signal end.position");
    CHECK_CODE(p, 0);
    last_row(p->out, whole, 4);
    run(p, "run @rigid-chain -q --duration 0.3 --signal end.position -o first.h5");
    CHECK_CODE(p, 0);
    run(p, "run @rigid-chain -q --duration 0.3 --signal end.position --restart first.h5");
    CHECK_CODE(p, 0);
    assert_non_null(strstr(p->out, "\n0.3,"));
    last_row(p->out, second, 4);
    // local errors of 1e-10 on both sides, amplified by the motion of 0.6 s
    CHECK_ARRAY_NEAR(second, whole, 4, 1e-7);

    // from the record nearest to 0.1
    run(p, "run @rigid-chain -q --duration 0.5 --signal end.position --restart first.h5 "
           "--restart-time 0.1004");
    CHECK_CODE(p, 0);
    assert_non_null(strstr(p->out, "\n0.1,"));
    last_row(p->out, second, 4);
    CHECK_ARRAY_NEAR(second, whole, 4, 1e-7);

    run(p, "run model.yaml --restart first.h5");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "another model");
    run(p, "run model.yaml --restart model.yaml");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "no HDF5 file");
    run(p, "run model.yaml --restart none.h5");
    CHECK_CODE(p, 2);
}

// a year of simulated time would not end: what cannot be written is refused first
static void test_unwritable_output(void** context) {
    Process* p = *context;
    static const char* const out[] = {"none/out.csv", "none/out.h5", "none/out.npy", "none/out",
                                      "model.yaml"};
    for (int i = 0; i < 5; i++) {
        char words[128];
        snprintf(words, sizeof words, "run model.yaml --duration 3e7 -o %s", out[i]);
        run(p, words);
        CHECK_CODE(p, 2);
        CHECK_ERR(p, out[i]);
    }
    run(p, "run model.yaml --duration 3e7 -o out.csv --plot none/plot.svg");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "none/plot.svg");
    assert_false(has_file(p, "out.csv"));
    assert_false(has_file(p, "out.csv.part"));
}

static void test_full_standard_output(void** context) {
    Process* p = *context;
    assert_int_equal(symlink("/dev/full", path_of(p, "stdout")), 0);
    run(p, "run model.yaml -q");
    CHECK_CODE(p, 1);
    CHECK_ERR(p, "standard output");
    run(p, "list");
    CHECK_CODE(p, 1);
    remove(path_of(p, "stdout"));
}

// ---- ends before the end

static void test_failed_computation(void** context) {
    Process* p = *context;
    run(p, "run model.yaml --set simulate.max_steps=5 --every 0.001 -o out.csv");
    CHECK_CODE(p, 1);
    CHECK_ERR(p, "stopped at t = ");
    CHECK_ERR(p, "after 5 steps");
    CHECK_ERR(p, "what was recorded until then is kept in out.csv");
    char* text = read_whole(p, "out.csv");
    assert_true(count_lines(text) > 1);
    assert_true(count_lines(text) < 502);
    free(text);

    run(p, "run model.yaml --set simulate.max_steps=5 --json -o out.h5");
    CHECK_CODE(p, 1);
    assert_true(is_balanced_json(p->out));
    CHECK_OUT(p, "\"complete\": false");
    assert_true(has_file(p, "out.h5"));
}

// the torque grows without bound at t = 0.3: no number that is not finite reaches the file
static void test_numerical_failure(void** context) {
    Process* p = *context;
    run(p, "run model.yaml --set pole=1 --set simulate.max_steps=20000 --every 0.01 -o out.csv");
    CHECK_CODE(p, 1);
    CHECK_ERR(p, "stopped at t = ");
    char* text = read_whole(p, "out.csv");
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
    double row[6];
    last_row(text, row, 6);
    assert_true(row[0] > 0.2 && row[0] <= 0.3 + 1e-9);
    free(text);
}

static void pause_ms(long ms) {
    struct timespec time = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&time, NULL);
}

static void test_interruption(void** context) {
    Process* p = *context;
    pid_t child = start(p, "run model.yaml --duration 3e7 --every 1 -o out.csv");
    for (int i = 0; i < 500 && !has_file(p, "out.csv.part"); i++) {
        pause_ms(10);
    }
    pause_ms(200);
    kill(child, SIGINT);
    finish(p, child);
    CHECK_CODE(p, 1);
    CHECK_ERR(p, "interrupted at t = ");
    assert_false(has_file(p, "out.csv.part"));
    char* text = read_whole(p, "out.csv");
    assert_memory_equal(text, header, strlen(header));
    assert_true(count_lines(text) >= 2);
    free(text);
}

// ---- plots

static void test_plot(void** context) {
    Process* p = *context;
    if (!has_gnuplot()) {
        skip();
    }
    char* text = calloc(OUTPUT_SIZE, 1);
    run(p, "run model.yaml -o out.h5 --plot");
    CHECK_CODE(p, 0);
    CHECK_ERR(p, "out.svg");
    read_text(p, "out.svg", text);
    check_contains_at(text, "<svg", "the plot", __LINE__);
    check_contains_at(text, "bob.q", "the plot", __LINE__);
    check_contains_at(text, "kinetic", "the plot", __LINE__);
    check_contains_at(text, "energy (J)", "the plot", __LINE__);

    // other kinds of pictures begin with their own signs
    run(p, "run model.yaml -q -o out.h5 --plot out.png");
    CHECK_CODE(p, 0);
    read_text(p, "out.png", text);
    assert_memory_equal(text, "\x89PNG", 4);
    run(p, "run model.yaml -q -o out.h5 --plot=out.pdf");
    CHECK_CODE(p, 0);
    read_text(p, "out.pdf", text);
    assert_memory_equal(text, "%PDF", 4);

    // names with spaces and quotes; a plot beside the files of a folder; constant signals
    run(p, "run model.yaml -q -o results --plot it's|\"a\"|$(plot).svg");
    CHECK_CODE(p, 0);
    assert_true(has_file(p, "it's \"a\" $(plot).svg"));
    run(p, "run model.yaml -q -o results --plot --signal world.position");
    CHECK_CODE(p, 0);
    assert_true(has_file(p, "results/trajectory.svg"));
    assert_string_equal(p->err, "");
    free(text);
}

static void test_plot_without_gnuplot(void** context) {
    Process* p = *context;
    char* path = strdup(getenv("PATH"));
    setenv("PATH", "/nonexistent", 1);
    run(p, "run model.yaml -q -o out.csv --plot");
    setenv("PATH", path, 1);
    free(path);
    CHECK_CODE(p, 1);
    CHECK_ERR(p, "gnuplot-nox");
    assert_true(has_file(p, "out.csv"));
    assert_false(has_file(p, "out.svg"));
    assert_false(has_file(p, "out.svg.part"));
}

int main(void) {
#define WITH_MODEL(test) cmocka_unit_test_setup_teardown(test, open_model, close_process)
    const struct CMUnitTest tests[] = {
        WITH_MODEL(test_csv_file),
        WITH_MODEL(test_options),
        WITH_MODEL(test_json),
        WITH_MODEL(test_stored_model),
        WITH_MODEL(test_folder),
        WITH_MODEL(test_restart),
        WITH_MODEL(test_unwritable_output),
        WITH_MODEL(test_full_standard_output),
        WITH_MODEL(test_failed_computation),
        WITH_MODEL(test_numerical_failure),
        WITH_MODEL(test_interruption),
        WITH_MODEL(test_plot),
        WITH_MODEL(test_plot_without_gnuplot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
