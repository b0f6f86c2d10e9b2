// SPDX-License-Identifier: Apache-2.0
// `elver reproduce`: its words, the figure of the six methods (orders, limits, files; the reference against a seventh
// method), and what p23-table1 says of shooting: stiff rods run in one segment, soft ones do not.
#define _POSIX_C_SOURCE 200809L

#include "cli_process.h"

static void test_words(void** context) {
    Process* p = *context;
    run(p, "reproduce");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "p23-table1");
    CHECK_OUT(p, "rkmk-table3");
    CHECK_OUT(p, "ocp-dtc");
    CHECK_OUT(p, "methods");

    run(p, "reproduce method");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "did you mean 'methods'?");
    run(p, "reproduce methods ocp-dtc");
    CHECK_CODE(p, 2);
    run(p, "reproduce ocp-dtc --json");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "takes no options");
    run(p, "reproduce methods --plot tip.png");
    CHECK_CODE(p, 2);
    run(p, "reproduce methods -o none/tip.csv");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "none/tip.csv");
    run(p, "reproduce methods -o -");
    CHECK_CODE(p, 2);
    run(p, "reproduce p23-fig16 --json");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "takes -o and --quick alone");
}

// ---- swimmers

static void test_swimmers(void** context) {
    Process* p = *context;
    run(p, "reproduce p23-fig16 --quick -o torque.csv");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "C behind, deg");
    CHECK_OUT(p, "one more mode in each rod");
    run(p, "reproduce ocp-fig6 --quick -o head.csv");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "controlled from imposed, shooting");
    CHECK_OUT(p, "Riccati from modal");
}

// ---- six methods

// the text of a method, and in it the runs one after the other
static const char* method_in(const char* json, const char* name) {
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"name\": \"%s\"", name);
    const char* at = strstr(json, quoted);
    assert_non_null(at);
    return at;
}

static const char* second_run(const char* method) {
    const char* at = strstr(method, "{");
    assert_non_null(at);
    at = strstr(at + 1, "{");
    assert_non_null(at);
    return at;
}

// order 2, and a limit that lies much nearer to the reference than the runs that lead to it. Steps are 5 and 2.5 ms, the rod swings with
// 2.5 and 15 Hz, w dt = 0.24 at the finer: what is left by extrapolation is w dt times as small where the error has all powers of the
// step (backward differences), its square where it has the even ones
static void check_method(const char* json, const char* name, double left) {
    const char* method = method_in(json, name);
    const char* fine = second_run(method);
    double error = json_number(fine, "error");
    CHECK_NEAR(json_number(fine, "step"), 0.0025, 1e-15);
    CHECK_NEAR(json_number(fine, "order"), 2.0, 0.1);
    CHECK_NEAR(json_number(fine, "limit_error"), 0.0, left * error);
    // an error that is none would prove nothing
    CHECK_TRUE(error > 1e-6);
}

static void check_explicit(const char* json) {
    const char* method = method_in(json, "modal explicit");
    double coarse = json_number(method, "error");
    double fine = json_number(second_run(method), "error");
    CHECK_TRUE(fine < 1e-5);
    CHECK_TRUE(fine < 0.01 * coarse);
}

enum { N_COLUMN = 22, N_ROW = 21 };

// the last row of the file, and how many there are
static int last_row(const Process* p, const char* name, int n_column, double* value) {
    char* text = calloc(OUTPUT_SIZE, 1);
    assert_non_null(text);
    read_text(p, name, text);
    int n = 0;
    for (char* line = strchr(text, '\n'); line && line[1] != '\0'; line = strchr(line + 1, '\n')) {
        char* at = line + 1;
        for (int k = 0; k < n_column; k++) {
            value[k] = strtod(at, &at);
            assert_true(*at == (k + 1 < n_column ? ',' : '\n'));
            at++;
        }
        n++;
    }
    free(text);
    return n;
}

// the reference against backward differences with modes, of order 2: 5.6e-5 m at 2.5 ms, 2.2e-6 at 0.5 ms
static void check_reference(Process* p, const double* row) {
    double other[4];
    run(p, "run @one-rod -q --method bdf2 --step 0.0005 --duration 0.2 --signal rod.tip.position "
           "-o bdf2.csv");
    CHECK_CODE(p, 0);
    assert_int_equal(last_row(p, "bdf2.csv", 4, other), N_ROW);
    CHECK_NEAR(other[0], row[0], 1e-12);
    CHECK_ARRAY_NEAR(&row[N_COLUMN - 3], &other[1], 3, 1e-5);
}

static void test_methods(void** context) {
    Process* p = *context;
    run(p, has_gnuplot() ? "reproduce methods --quick --json -o tip.csv --plot"
                         : "reproduce methods --quick --json -o tip.csv");
    CHECK_CODE(p, 0);
    assert_true(is_balanced_json(p->out));
    check_method(p->out, "modal implicit", 0.06);
    check_method(p->out, "shooting", 0.06);
    check_method(p->out, "shooting without accelerations", 0.06);
    check_method(p->out, "rkmk", 0.24);
    check_method(p->out, "till", 0.24);
    check_explicit(p->out);
    double motion = json_number(p->out, "motion");
    CHECK_TRUE(json_number(p->out, "limits_apart") < 1e-4 * motion);
    CHECK_TRUE(json_number(p->out, "apart") < 1e-3 * motion);

    // t, six methods, the reference; all at one place at the end
    double row[N_COLUMN];
    assert_int_equal(last_row(p, "tip.csv", N_COLUMN, row), N_ROW);
    CHECK_NEAR(row[0], 0.2, 1e-12);
    for (int k = 0; k < 6; k++) {
        CHECK_ARRAY_NEAR(&row[1 + 3 * k], &row[N_COLUMN - 3], 3, 1e-3 * motion);
    }
    if (has_gnuplot()) {
        char* text = calloc(OUTPUT_SIZE, 1);
        assert_non_null(text);
        read_text(p, "methods.svg", text);
        check_contains_at(text, "<svg", "the plot", __LINE__);
        check_contains_at(text, "shooting without accelerations", "the plot", __LINE__);
        free(text);
    }
    check_reference(p, row);
}

// ---- shooting over the rods of p23-table1

#define ONE_SEGMENT                                                                                \
    "method:|shooting,|step:|0.01,|duration:|0.1,|segments:|1,|solver:|dogleg,|newton_tol:|1e-4"

static void test_stiff_rods_run(void** context) {
    Process* p = *context;
    run(p, "run @cantilever-stiff -o tip.csv --set simulate={" ONE_SEGMENT ",|start:|statics}");
    CHECK_CODE(p, 0);
    assert_null(strstr(p->err, "below the critical one"));
    run(p, "run @flying-rod-stiff -o tip.csv --set simulate={" ONE_SEGMENT "}");
    CHECK_CODE(p, 0);
    assert_null(strstr(p->err, "below the critical one"));
}

static void test_soft_rods_fail(void** context) {
    Process* p = *context;
    run(p, "run @cantilever-soft -o tip.csv --set simulate={" ONE_SEGMENT ",|start:|statics}");
    CHECK_CODE(p, 1);
    CHECK_ERR(p, "below the critical one");
    CHECK_ERR(p, "after 0 steps");
    run(p, "run @flying-rod-soft -o tip.csv --set simulate={" ONE_SEGMENT "}");
    CHECK_CODE(p, 1);
    CHECK_ERR(p, "below the critical one");
    CHECK_ERR(p, "after 0 steps");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_PROCESS(test_words),          WITH_PROCESS(test_swimmers),
        WITH_PROCESS(test_methods),        WITH_PROCESS(test_stiff_rods_run),
        WITH_PROCESS(test_soft_rods_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
