// SPDX-License-Identifier: Apache-2.0
// `elver statics`: one row a load under the column `load`, in every format; rows that are kept when
// an equilibrium is lost; exit codes; the summary as JSON; the `statics:` block and its errors.
#define _POSIX_C_SOURCE 200809L

#include "cli_process.h"

#include "elver/elver.h"

#include <hdf5.h>

// a motor lifts a pendulum of 1 m and 10 N: sin(q) = -t/10
static const char motor_text[] = "elver: 1\n"
                                 "name: motor\n"
                                 "gravity: [0, 0, -10]\n"
                                 "tree:\n"
                                 "  - body: bob\n"
                                 "    joint: {revolute: {axis: y, force: \"t\"}}\n"
                                 "    mass: 1\n"
                                 "    center: [0, 0, -1]\n"
                                 "    inertia: [0.1, 0.1, 0.1]\n"
                                 "statics: {loads: [5, 9]}\n"
                                 "record: {signals: [bob.q, energy.gravity]}\n";

enum { MAX_ROW = 16 };

/// The rows of CSV text.
typedef struct {
    char head[256];
    double load[MAX_ROW], q[MAX_ROW];
    int n;
} Rows;

static Rows parse(const char* text) {
    Rows rows = {.n = 0};
    const char* end = strchr(text, '\n');
    assert_non_null(end);
    snprintf(rows.head, sizeof rows.head, "%.*s", (int)(end - text), text);
    for (const char* line = end + 1; *line != '\0'; line = strchr(line, '\n') + 1) {
        assert_true(rows.n < MAX_ROW);
        assert_int_equal(sscanf(line, "%lf,%lf", &rows.load[rows.n], &rows.q[rows.n]), 2);
        rows.n++;
    }
    return rows;
}

static void check_rows(const Rows* rows, int n) {
    static const double load[2] = {5.0, 9.0};
    assert_string_equal(rows->head, "load,bob.q.0,energy.gravity");
    assert_int_equal(rows->n, n);
    for (int i = 0; i < n; i++) {
        CHECK_NEAR(rows->load[i], load[i], 0.0);
        CHECK_NEAR(fabs(rows->q[i]), asin(load[i] / 10.0), 1e-10);
    }
}

static void test_rows_on_standard_output(void** context) {
    Process* p = *context;
    write_text(p, "motor.yaml", motor_text);
    run(p, "statics motor.yaml");
    CHECK_CODE(p, 0);
    Rows rows = parse(p->out);
    check_rows(&rows, 2);
    CHECK_ERR(p, "motor: 2 equilibria, load 5 to 9");
    CHECK_ERR(p, "stable: a minimum of the energy");

    run(p, "statics motor.yaml -o -");
    CHECK_CODE(p, 0);
    rows = parse(p->out);
    check_rows(&rows, 2);

    // no loads: the equilibrium at 0
    run(p, "statics @pendulum");
    CHECK_CODE(p, 0);
    rows = parse(p->out);
    assert_int_equal(rows.n, 1);
    CHECK_NEAR(rows.load[0], 0.0, 0.0);
}

static void test_files(void** context) {
    Process* p = *context;
    static char text[OUTPUT_SIZE];
    write_text(p, "motor.yaml", motor_text);
    run(p, "statics motor.yaml -o out.csv");
    CHECK_CODE(p, 0);
    assert_string_equal(p->out, "");
    CHECK_ERR(p, "out.csv (2 rows of 2 columns)");
    read_text(p, "out.csv", text);
    Rows rows = parse(text);
    check_rows(&rows, 2);

    run(p, "statics motor.yaml -o out.npy");
    CHECK_CODE(p, 0);
    FILE* stream = fopen(path_of(p, "out.npy"), "rb");
    assert_non_null(stream);
    char head[96];
    assert_int_equal(fread(head, 1, sizeof head, stream), sizeof head);
    fclose(stream);
    head[95] = '\0';
    assert_non_null(strstr(head + 10, "('load', '<f8'), ('bob.q.0'"));

    run(p, "statics motor.yaml -o folder");
    CHECK_CODE(p, 0);
    assert_true(has_file(p, "folder/trajectory.csv") && has_file(p, "folder/trajectory.h5") &&
                has_file(p, "folder/model.yaml"));

    // loads under their own name, and where readers of trajectories look for times
    for (int i = 0; i < 2; i++) {
        double load[2] = {0.0, 0.0};
        hid_t file = H5Fopen(path_of(p, "folder/trajectory.h5"), H5F_ACC_RDONLY, H5P_DEFAULT);
        hid_t dataset = H5Dopen2(file, i == 0 ? "load" : "t", H5P_DEFAULT);
        assert_true(dataset >= 0);
        H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, load);
        H5Dclose(dataset);
        H5Fclose(file);
        CHECK_NEAR(load[0], 5.0, 0.0);
        CHECK_NEAR(load[1], 9.0, 0.0);
    }

    // the model that was stored finds the same, and a run may start from the last equilibrium
    run(p, "statics folder/trajectory.h5");
    CHECK_CODE(p, 0);
    rows = parse(p->out);
    check_rows(&rows, 2);
    run(p, "run motor.yaml --restart folder --duration 0.01 --signal bob.q");
    CHECK_CODE(p, 0);
    CHECK_NEAR(strtod(strchr(p->out, '\n') + 1, NULL), 9.0, 0.0);
}

static void test_lost_equilibrium_keeps_rows(void** context) {
    Process* p = *context;
    static char text[OUTPUT_SIZE];
    write_text(p, "motor.yaml", motor_text);
    run(p, "statics motor.yaml --set statics.loads=[5,9,12,13] -o out.csv");
    CHECK_CODE(p, 1);
    CHECK_ERR(p, "the equilibrium is lost on the way to load 12");
    CHECK_ERR(p, "bob");
    CHECK_ERR(p, "the rows until then are kept in out.csv");
    read_text(p, "out.csv", text);
    Rows rows = parse(text);
    check_rows(&rows, 2);

    run(p, "statics motor.yaml --set statics.loads=[5,9,12]");
    CHECK_CODE(p, 1);
    rows = parse(p->out);
    check_rows(&rows, 2);

    // nothing found, nothing left
    run(p, "statics @floating-beam -o none.csv");
    CHECK_CODE(p, 1);
    CHECK_ERR(p, "'rod.joint' can move freely");
    assert_false(has_file(p, "none.csv") || has_file(p, "none.csv.part"));
}

static void test_json(void** context) {
    Process* p = *context;
    write_text(p, "motor.yaml", motor_text);
    run(p, "statics motor.yaml --json -o out.csv");
    CHECK_CODE(p, 0);
    assert_true(is_balanced_json(p->out));
    CHECK_NEAR(json_number(p->out, "equilibria"), 2.0, 0.0);
    CHECK_NEAR(json_number(p->out, "load"), 9.0, 0.0);
    CHECK_NEAR(fabs(json_number(p->out, "bob.q.0")), asin(0.9), 1e-10);
    assert_true(json_number(p->out, "residual") <= 1e-10);
    CHECK_OUT(p, "\"complete\": true");
    CHECK_OUT(p, "\"stability\": \"stable\"");

    run(p, "statics motor.yaml --json --set statics.loads=[12]");
    CHECK_CODE(p, 1);
    assert_true(is_balanced_json(p->out));
    CHECK_OUT(p, "\"complete\": false");
    CHECK_OUT(p, "no equilibrium was found at load 12");
}

static void test_usage(void** context) {
    Process* p = *context;
    write_text(p, "motor.yaml", motor_text);
    run(p, "statics");
    CHECK_CODE(p, 2);
    run(p, "statics --help");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "usage: elver statics MODEL");
    run(p, "help statics");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "usage: elver statics MODEL");
    run(p, "statics nowhere.yaml");
    CHECK_CODE(p, 2);
    run(p, "statics motor.yaml --loads 3");
    CHECK_CODE(p, 2);
    run(p, "statics motor.yaml --json -o -");
    CHECK_CODE(p, 2);
    run(p, "statics motor.yaml -o no/folder/out.csv");
    CHECK_CODE(p, 2);
    run(p, "static motor.yaml");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "statics");
}

// errors of the block have a place
static void test_block(void** context) {
    Process* p = *context;
    static const char* const bad[][2] = {
        {"statics: {lods: [1]}", "m.yaml:3:11: statics: unknown key 'lods', did you mean 'loads'?"},
        {"statics: {loads: [1, x]}", "m.yaml:3:22:"},
        {"statics: {loads: []}", "m.yaml:3:18:"},
        {"statics: {method: relax}", "expected newton, relaxation, projective or shooting"},
        {"statics: {tolerance: 0}", "m.yaml:3:22: statics: tolerance must be between 0 and 1"},
        {"statics: {damping: -1}", "damping must be positive"},
        {"statics: {method: projective, gain: -1}", "m.yaml:3:37: statics: gain must be positive"},
        {"statics: {gain: 3}",
         "m.yaml:3:11: statics: 'gain' does not belong to the method newton: it is used by "
         "projective"},
        {"statics: {method: shooting, gain: 3}", "'gain' does not belong to the method shooting"},
        {"statics: {method: shooting, damping: 3}", "used by newton, relaxation, projective"},
        {"statics: {method: shooting, max_steps: 3}", "'max_steps' does not belong"},
        {"statics: {max_iterations: 0}", "from 1 to"},
        {"statics: {max_halvings: 1.5}", "whole number"},
        {"statics: {max_steps: 0}", "from 1 to"},
        {"statics: 3", "m.yaml:3:10:"},
        {"statics: {segments: 3}",
         "m.yaml:3:11: statics: 'segments' does not belong to the method newton"},
        {"statics: {method: shooting, segments: 0}", "from 1 to 256"},
        {"statics: {method: shooting, steps: -1}", "from 0 to"},
        {"statics: {method: shooting, space_tol: 0}", "space_tol must be between 0 and 1"},
        {"statics: {method: shooting, solver: powell}", "levenberg-marquardt or dogleg"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char text[256];
        snprintf(text, sizeof text, "elver: 1\ntree: [{body: a}]\n%s\n", bad[i][0]);
        write_text(p, "m.yaml", text);
        run(p, "check m.yaml");
        CHECK_CODE(p, 2);
        CHECK_ERR(p, bad[i][1]);
    }
    // what is read is written back
    write_text(
        p, "m.yaml",
        "elver: 1\nparameters: {k: 3}\ntree: [{body: a}]\n"
        "statics: {method: projective, loads: [1, 2*k, 1e-3], tolerance: 1e-8,\n"
        "          max_iterations: 7, max_halvings: 5, damping: 0.25, gain: 3, max_steps: 90}\n");
    run(p, "export m.yaml");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "statics: {method: projective, loads: [1, 6, 0.001], tolerance: 1e-8, "
                 "max_iterations: 7, max_halvings: 5, damping: 0.25, gain: 3, max_steps: 90}");
    write_text(
        p, "m.yaml",
        "elver: 1\ntree: [{body: a}]\n"
        "statics: {method: shooting, segments: 7, steps: 30, space_tol: 1e-6, solver: dogleg}\n");
    run(p, "export m.yaml");
    CHECK_OUT(p, "statics: {method: shooting, ");
    CHECK_OUT(p, "segments: 7, steps: 30, space_tol: 1e-6, solver: dogleg}");
}

// rows, summary and refusals of shooting
static void test_shooting(void** context) {
    Process* p = *context;
    write_text(p, "m.yaml",
               "elver: 1\n"
               "tree:\n  - {rod: r, length: 1, stiffness: [1, 1, 1, 1, 1, 1], inertia: [1, 1, 1, "
               "1, 1, 1], "
               "strain: {bend_z: 1}}\n"
               "loads: [{torque: [0, 0, \"t\"], at: r.tip}]\n"
               "statics: {method: shooting, segments: 2, loads: [1, 2]}\n"
               "record: {signals: [r.strain(0.5), r.stress(0.5).moment.z, r.q, energy.elastic]}\n");
    run(p, "statics m.yaml -o -");
    CHECK_CODE(p, 0);
    // a circle: curvature, moment, coordinate of the one mode, energy
    CHECK_OUT(p, "\n2,0,0,2,1,0,0,2,2");
    CHECK_ERR(p, "2 segments, ");
    run(p, "statics m.yaml --json");
    CHECK_OUT(p, "\"segments\": 2");
    run(p, "statics @gripper --set statics.method=shooting");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "'right' is a second branch");
}

// a Def is checked by itself too
static void test_def_is_checked(void** unused) {
    (void)unused;
    ElvSpec* spec = NULL;
    ElvError error;
    double load[2] = {1.0, NAN};
    CHECK_STATUS(elv_spec_create("x", &spec, &error), &error);
    ElvStaticsDef good = elv_statics_def_default();
    good.load = load;
    good.n_load = 1;
    CHECK_STATUS(elv_spec_set_statics(spec, &good, &error), &error);
    for (int i = 0; i < 6; i++) {
        ElvStaticsDef def = good;
        def.n_load = i == 0 ? 2 : i == 1 ? -1 : 1;
        def.load = i == 2 ? NULL : load;
        def.method = i == 3 ? ELV_N_STATICS_METHOD : def.method;
        def.damping = i == 4 ? NAN : def.damping;
        def.tolerance = i == 5 ? NAN : def.tolerance;
        assert_int_equal(elv_spec_set_statics(spec, &def, &error), ELV_ERROR_INPUT);
        assert_string_equal(error.element, "statics");
    }
    elv_spec_free(spec);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_PROCESS(test_rows_on_standard_output),
        WITH_PROCESS(test_files),
        WITH_PROCESS(test_lost_equilibrium_keeps_rows),
        WITH_PROCESS(test_json),
        WITH_PROCESS(test_usage),
        WITH_PROCESS(test_block),
        WITH_PROCESS(test_shooting),
        cmocka_unit_test(test_def_is_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
