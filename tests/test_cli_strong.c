// SPDX-License-Identifier: Apache-2.0
// Methods without modes from the command line: failures that say which they are and keep the rows before, a critical step that is
// foretold, stability by conjugate points, and trajectories from which a method with modes goes on.
#define _POSIX_C_SOURCE 200809L

#include "cli_process.h"

#include "elver/elver.h"

static const char ROD[] =
    "elver: 1\n"
    "tree:\n"
    "  - {rod: rod, length: 0.4, section: {circle: {radius: 1e-3}}, strain: {bend_z: 6},\n"
    "     material: {density: 8000, young: 2.07e9, poisson: 0.3}}\n"
    "loads: [{force: [0, \"%s\", 0], at: rod.tip}]\n"
    "simulate: {%s}\n"
    "statics: {method: shooting, loads: [0.01, 0.02, %s]}\n"
    "record: {every: 0.01, signals: [rod.tip.position, energy.total]}\n";

static void
write_rod(const Process* p, const char* force, const char* simulate, const char* last_load) {
    char text[1024];
    snprintf(text, sizeof text, ROD, force, simulate, last_load);
    write_text(p, "rod.yaml", text);
}

// rows of CSV text behind the header, none of which has a word in it
static int count_rows(const char* text) {
    int n = -1;
    for (const char* c = text; *c != '\0'; c++) {
        n += *c == '\n';
    }
    const char* body = strchr(text, '\n');
    assert_non_null(body);
    assert_null(strstr(body, "nan"));
    assert_null(strstr(body, "inf"));
    return n;
}

static int rows_of(const Process* p, const char* name) {
    char* text = read_whole(p, name);
    int n = count_rows(text);
    free(text);
    return n;
}

// number i of the last line of CSV text
static double last_value(const char* text, int i) {
    const char* line = text;
    for (const char* c = text; *c != '\0'; c++) {
        line = *c == '\n' && c[1] != '\0' ? c + 1 : line;
    }
    for (; i > 0; i--) {
        line = strchr(line, ',') + 1;
    }
    return strtod(line, NULL);
}

// ---- failures

static void check_failure(Process* p, int code, const char* failure, const char* help) {
    char member[64];
    CHECK_CODE(p, code);
    CHECK_TRUE(is_balanced_json(p->out));
    snprintf(member, sizeof member, "\"failure\": \"%s\"", failure);
    CHECK_OUT(p, member);
    CHECK_OUT(p, "\"complete\": false");
    CHECK_OUT(p, help);
    CHECK_ERR(p, help);
}

static void test_runs_that_fail(void** context) {
    Process* p = *context;
    static const char* const METHODS[] = {"method: shooting, segments: 1",
                                          "method: rkmk, nodes: 41", "method: till, nodes: 41"};
    for (int i = 0; i < 3; i++) {
        // a step far below the critical one: at rest it goes well
        char simulate[128];
        snprintf(simulate, sizeof simulate, "%s, step: 1e-4, duration: 0.05", METHODS[i]);
        write_rod(p, "if(t < 0.025, 0, 0.2)", simulate, "0.03");
        run(p, "run rod.yaml --json -o out.csv");
        check_failure(p, 1, "step too short", "segments");
        CHECK_ERR(p, "warning: steps of 0.0001 s are below the critical one");
        CHECK_ERR(p, "what was recorded until then is kept in out.csv");
        CHECK_NEAR(json_number(p->out, "critical_step"), i == 0 ? 1.57e-3 : 1.18e-3, 1e-5);
        // t = 0, 0.01, 0.02 and the last good state
        CHECK_TRUE(rows_of(p, "out.csv") == (int)json_number(p->out, "records"));
        CHECK_TRUE(rows_of(p, "out.csv") == 4);
        CHECK_TRUE(json_number(p->out, "t_end") >= 0.025 - 1e-12);
        // no warning when it is quiet
        run(p, "run rod.yaml -q");
        CHECK_CODE(p, 1);
        assert_null(strstr(p->err, "warning"));
    }
    write_rod(p, "if(t < 0.05, 0.01, 1e9)", "method: shooting, step: 0.01, duration: 0.1", "0.03");
    run(p, "run rod.yaml --json -o out.csv");
    check_failure(p, 1, "diverged", "a method with modes");
    assert_null(strstr(p->err, "warning"));
    CHECK_TRUE(rows_of(p, "out.csv") == 6);
    // a trajectory is whole, too
    run(p, "run rod.yaml -q -o out.h5");
    CHECK_CODE(p, 1);
    CHECK_TRUE(has_file(p, "out.h5") && !has_file(p, "out.h5.part"));
}

static void test_no_stiffness(void** context) {
    Process* p = *context;
    static const char* const METHODS[] = {"shooting", "rkmk", "till"};
    for (int k = 0; k < 2; k++) {
        char text[512];
        snprintf(text, sizeof text,
                 "elver: 1\n"
                 "tree:\n"
                 "  - {rod: rod, length: 1, stiffness: [1, 1, %s, 1, 1, 1], inertia: [1, 1, 1, "
                 "1, 1, 1], strain: {bend_z: 3}}\n"
                 "loads: [{force: [0, \"0.1*t\", 0], at: rod.tip}]\n"
                 "statics: {method: shooting, loads: [0, 1]}\n"
                 "record: {signals: [rod.tip.position]}\n",
                 k == 0 ? "0" : "1e-15");
        write_text(p, "weak.yaml", text);
        for (int i = 0; i < 4; i++) {
            char words[128];
            snprintf(words, sizeof words, "run weak.yaml --method %s --json -o out.csv",
                     METHODS[i < 3 ? i : 0]);
            run(p, i < 3 ? words : "statics weak.yaml --json -o loads.csv");
            if (k == 0) {
                // it cannot even start: a bad model
                CHECK_CODE(p, 2);
                CHECK_ERR(p, "weak.yaml:3:5: rod: nothing resists the strain bend_z");
            } else if (i < 3) {
                check_failure(p, 2, "singular", "resists");
            } else {
                // the row without load
                check_failure(p, 1, "singular", "resists");
                CHECK_NEAR(json_number(p->out, "equilibria"), 1.0, 0.0);
            }
        }
        CHECK_TRUE(has_file(p, "loads.csv") == (k == 1));
    }
}

static void test_equilibria_that_fail(void** context) {
    Process* p = *context;
    write_rod(p, "t", "method: newmark", "1e7");
    run(p, "statics rod.yaml --json -o loads.csv");
    CHECK_CODE(p, 1);
    CHECK_TRUE(is_balanced_json(p->out));
    CHECK_OUT(p, "\"failure\": \"");
    CHECK_NEAR(json_number(p->out, "equilibria"), 2.0, 0.0);
    CHECK_TRUE(rows_of(p, "loads.csv") == 2);
    CHECK_ERR(p, "the rows until then are kept in loads.csv");
    // what is told of the last equilibrium is finite
    assert_null(strstr(p->out, "\"space_error\": null"));
    run(p, "statics rod.yaml --set statics.loads=[0.1] --set statics.space_tol=1e-18 --json");
    check_failure(p, 1, "inaccurate", "statics.space_tol");
}

// ---- the summary

static void test_summary_has_the_error_along_the_rods(void** context) {
    Process* p = *context;
    write_rod(p, "0.1*smooth(t, 0, 0.05)", "method: shooting, step: 0.005, duration: 0.1", "0.03");
    run(p, "run rod.yaml -o out.csv");
    CHECK_CODE(p, 0);
    CHECK_ERR(p, "  shooting  10 segments, ");
    CHECK_ERR(p, "of the length in a step in time");
    CHECK_ERR(p, "critical time step about 1.6e-05 s");
    run(p, "run rod.yaml --json");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "\"failure\": null");
    double few = json_number(p->out, "space_error");
    CHECK_TRUE(few > 0.0 && few < 1e-6);
    run(p, "run rod.yaml --json --set simulate.steps=80");
    CHECK_TRUE(json_number(p->out, "space_error") < 0.1 * few);
    CHECK_NEAR(json_number(p->out, "steps_along_rods"), 80.0, 0.0);
}

// ---- stability

// a column buckles in one plane: n + 1/2 half waves of the part beyond a conjugate point
static void test_conjugate_points_of_a_column(void** context) {
    Process* p = *context;
    run(p, "statics @euler-buckling --set statics.method=shooting --stability --json --set "
           "statics.loads=[0.5,0.99,1.01,8.9,9.1,10]");
    CHECK_CODE(p, 0);
    CHECK_TRUE(is_balanced_json(p->out));
    CHECK_OUT(p, "\"stability\": \"unstable\"");
    CHECK_OUT(p, "\"sections_resist\": true");
    CHECK_NEAR(json_number(p->out, "unstable_directions"), 2.0, 0.0);
    const char* points = strstr(p->out, "\"conjugate_points\"");
    assert_non_null(points);
    CHECK_NEAR(json_number(points, "s"), 1.0 - 1.0 / sqrt(10.0), 1e-8);
    // rows: by Morse as many as eigenvalues of the modal tangent below zero, 0 below 1, 1 to 9, 2 to 25
    run(p, "statics @euler-buckling --set statics.method=shooting --stability --set "
           "statics.loads=[0.5,0.99,1.01,8.9,9.1,26]");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "unstable_directions\n0.5,");
    CHECK_TRUE(count_rows(p->out) == 6);
    CHECK_NEAR(last_value(p->out, 6), 3.0, 0.0);
    static const char* const LOAD[] = {"0.5", "0.99", "1.01", "8.9", "9.1"};
    static const double EXPECTED[] = {0.0, 0.0, 1.0, 1.0, 2.0};
    for (int i = 0; i < 5; i++) {
        char words[256];
        for (int k = 0; k < 2; k++) {
            snprintf(words, sizeof words,
                     "statics @euler-buckling --set statics.method=%s --stability --set "
                     "statics.loads=[%s]",
                     k == 0 ? "shooting" : "newton", LOAD[i]);
            run(p, words);
            CHECK_CODE(p, 0);
            double value = last_value(p->out, 6);
            // the modes agree: their lowest eigenvalue is below zero where there is a conjugate point
            CHECK_TRUE(k == 0 ? value == EXPECTED[i] : (value < 0.0) == (EXPECTED[i] > 0.0));
            CHECK_ERR(p, EXPECTED[i] > 0.0 ? "stability  unstable" : "stability  stable");
        }
    }
    // for people, each with its rod and station
    run(p, "statics @euler-buckling --set statics.method=shooting --set statics.loads=[4]");
    CHECK_ERR(p, "stability  unstable: the energy falls in 1 direction\n");
    CHECK_ERR(p, "conjugate  rod 'column' at s = 0.5\n");
}

// the verdict is that of the modes on shipped models of all kinds
static void test_verdicts_of_shipped_models(void** context) {
    Process* p = *context;
    static const char* const MODEL[] = {"bend45",         "tacr-convergent", "tacr-spiral",
                                        "cable-parallel", "rollup",          "follower-force"};
    for (size_t i = 0; i < sizeof MODEL / sizeof *MODEL; i++) {
        char verdict[2][64];
        for (int k = 0; k < 2; k++) {
            char words[256];
            snprintf(words, sizeof words, "statics @%s --json --set statics.method=%s", MODEL[i],
                     k == 0 ? "shooting" : "newton");
            run(p, words);
            CHECK_CODE(p, 0);
            CHECK_TRUE(is_balanced_json(p->out));
            const char* at = strstr(p->out, "\"stability\": \"");
            assert_non_null(at);
            snprintf(verdict[k], sizeof verdict[k], "%.24s", at);
        }
        if (strcmp(verdict[0], verdict[1]) != 0) {
            fail_msg("%s: %s, by modes %s", MODEL[i], verdict[0], verdict[1]);
        }
    }
    // a load without potential: the motion of the modes is asked
    run(p, "statics @follower-force --set statics.method=shooting --stability");
    CHECK_ERR(p, "stability  not decided: a load has no potential");
    CHECK_ERR(p, "modes      ");
    CHECK_ERR(p, "13 rows without stability, where its column is -1");
    CHECK_NEAR(last_value(p->out, 14), -1.0, 0.0);
    // paths are followed with modes
    run(p, "statics @euler-buckling --continue --set statics.method=shooting");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "statics.method=newton");
}

// ---- trajectories

static void test_modes_go_on_from_a_trajectory(void** context) {
    Process* p = *context;
    static const char* const METHODS[] = {"method: shooting", "method: rkmk, nodes: 81"};
    for (int i = 0; i < 2; i++) {
        char simulate[128];
        snprintf(simulate, sizeof simulate, "%s, step: 0.005, duration: 0.1", METHODS[i]);
        write_rod(p, "0.1*smooth(t, 0, 0.05)", simulate, "0.03");
        run(p, "run rod.yaml -q -o out.h5");
        CHECK_CODE(p, 0);
        run(p, "run rod.yaml -q -o out.csv");
        char* text = read_whole(p, "out.csv");
        double end[3] = {last_value(text, 0), last_value(text, 1), last_value(text, 2)};
        free(text);
        // the first row of a run with modes is the last one of the other
        run(p, "run rod.yaml -q --restart out.h5 --set "
               "simulate={method:|newmark,|step:|0.005,|duration:|0.005}");
        CHECK_CODE(p, 0);
        const char* row = strchr(p->out, '\n') + 1;
        CHECK_NEAR(strtod(row, NULL), end[0], 1e-12);
        double x = 0.0, y = 0.0;
        assert_int_equal(sscanf(strchr(row, ',') + 1, "%lf,%lf", &x, &y), 2);
        // as near as six modes come
        CHECK_NEAR(x, end[1], 1e-5);
        CHECK_NEAR(y, end[2], 1e-5);
        CHECK_TRUE(fabs(y) > 1e-3);
        // fields are not in the file
        run(p, "run rod.yaml -q --restart out.h5");
        CHECK_CODE(p, 2);
        CHECK_ERR(p, "cannot restart");
    }
}

// ---- figures

static void test_figures(void** context) {
    Process* p = *context;
    run(p, "reproduce");
    CHECK_OUT(p, "ocp-singular");
    CHECK_OUT(p, "ocp-gauss");
    run(p, "reproduce ocp-singular");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "e^(2l/r)");
    CHECK_OUT(p, "fails");
    run(p, "reproduce ocp-gauss");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "@tacr-release, a manipulator");
    CHECK_OUT(p, "@flying-stick, a locomotor");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_runs_that_fail, open_process, close_process),
        cmocka_unit_test_setup_teardown(test_no_stiffness, open_process, close_process),
        cmocka_unit_test_setup_teardown(test_equilibria_that_fail, open_process, close_process),
        cmocka_unit_test_setup_teardown(test_summary_has_the_error_along_the_rods, open_process,
                                        close_process),
        cmocka_unit_test_setup_teardown(test_conjugate_points_of_a_column, open_process,
                                        close_process),
        cmocka_unit_test_setup_teardown(test_verdicts_of_shipped_models, open_process,
                                        close_process),
        cmocka_unit_test_setup_teardown(test_modes_go_on_from_a_trajectory, open_process,
                                        close_process),
        cmocka_unit_test_setup_teardown(test_figures, open_process, close_process),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
