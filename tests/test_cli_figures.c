// SPDX-License-Identifier: Apache-2.0
// Figures of `elver reproduce` as files: numbers of a few cheap ones against closed forms, tables, drawings, what is refused,
// and the gallery, which is there and whole also where most figures fail.
#define _POSIX_C_SOURCE 200809L

#include "cli_process.h"

#include <math.h>
#include <time.h>

// without gnuplot a figure fails, after its numbers are written
static void check_made(const Process* p, int line) {
    check_code_at(p, has_gnuplot() ? 0 : 1, line);
}

// ---- rows of a CSV file: panel, curve, x, y

static const char* next_line(const char* line) {
    const char* end = strchr(line, '\n');
    return end && end[1] ? end + 1 : NULL;
}

// the y of a curve at x; how many rows the curve has, in *n
static double value_at(const char* csv, const char* curve, double x, int* n) {
    double value = NAN;
    *n = 0;
    for (const char* line = next_line(csv); line; line = next_line(line)) {
        if (strncmp(line, curve, strlen(curve)) != 0) {
            continue;
        }
        char* at = NULL;
        double x_here = strtod(line + strlen(curve), &at);
        assert_int_equal(*at, ',');
        if (fabs(x_here - x) < 1e-9) {
            value = strtod(at + 1, NULL);
        }
        ++*n;
    }
    return value;
}

static char* read_csv(const Process* p, const char* name) {
    char* text = calloc(OUTPUT_SIZE, 1);
    assert_non_null(text);
    read_text(p, name, text);
    assert_true(strncmp(text, "panel,curve,x,y\n", 16) == 0);
    return text;
}

// ---- pictures

// an arc of curvature k = C/EI in a plane tilted by 45 degrees: the tip is at (sin k/k, (1 - cos k)/k/sqrt(2), ...)
static void test_rollup(void** context) {
    Process* p = *context;
    run(p, "reproduce p20-fig3 -o out");
    check_made(p, __LINE__);
    char* csv = read_csv(p, "out/p20-fig3.csv");
    for (int i = 1; i <= 5; i++) {
        int n = 0;
        double k = i / (1e8 * 3.14159265358979323846e-8 / 4.0);
        CHECK_NEAR(value_at(csv, "tip,x,", i, &n), sin(k) / k, 1e-8);
        assert_int_equal(n, 51);
        CHECK_NEAR(value_at(csv, "tip,y,", i, &n), (1.0 - cos(k)) / k / sqrt(2.0), 1e-8);
        CHECK_NEAR(value_at(csv, "tip,z,", i, &n), -(1.0 - cos(k)) / k / sqrt(2.0), 1e-8);
    }
    free(csv);
    assert_true(has_file(p, "out/p20-fig3.html"));
    assert_false(has_file(p, "out/p20-fig3.csv.part"));
    assert_false(has_file(p, "out/p20-fig3.svg.part"));
    if (has_gnuplot()) {
        char* svg = calloc(OUTPUT_SIZE, 1);
        assert_non_null(svg);
        read_text(p, "out/p20-fig3.svg", svg);
        check_contains_at(svg, "<svg", "the picture", __LINE__);
        check_contains_at(svg, "torque (N m)", "the picture", __LINE__);
        check_contains_at(svg, "[P20 fig 3]", "the picture", __LINE__);
        free(svg);
        CHECK_OUT(p, "the paper: ");
        CHECK_OUT(p, "here: ");
        CHECK_OUT(p, "elver statics @rollup");
        CHECK_OUT(p, "out/p20-fig3.svg");
    }
}

// a stride is l (1 - J_0(2)), J_0(2) = 0.223890779141235668; the published one is a point of its own
static void test_inchworm(void** context) {
    Process* p = *context;
    run(p, "reproduce ali-fig6.12");
    check_made(p, __LINE__);
    char* csv = read_csv(p, "ali-fig6.12.csv");
    int n = 0;
    for (int i = 0; i <= 7; i++) {
        CHECK_NEAR(value_at(csv, "(a) height,here,", 2.0 * i, &n), i * (1.0 - 0.223890779141235668),
                   1e-7);
    }
    CHECK_NEAR(value_at(csv, "(a) height,published stride,", 2.0, &n), 0.766, 0.0);
    assert_int_equal(n, 1);
    free(csv);
}

// x = -(c/w) (w t + epsilon (1 - cos(w t))), w = 2 pi c: whole periods of 20 s bring 1 m each
static void test_earthworm(void** context) {
    Process* p = *context;
    run(p, "reproduce ali-fig6.5 -o .");
    check_made(p, __LINE__);
    char* csv = read_csv(p, "ali-fig6.5.csv");
    int n = 0;
    for (int i = 0; i <= 5; i++) {
        CHECK_NEAR(value_at(csv, "(a) position,,", 20.0 * i, &n), -i, 1e-8);
        CHECK_NEAR(value_at(csv, "(b) speed,,", 20.0 * i, &n), -0.05, 1e-8);
    }
    free(csv);
}

// torques of a snake by the balance of power and by the recursion of the thesis: of axles, leaves of the tree, they are the
// same; joint 10 is passive by the first one
static void test_torques(void** context) {
    Process* p = *context;
    run(p, "reproduce ali-fig4.9");
    check_made(p, __LINE__);
    run(p, "reproduce ali-fig4.8");
    check_made(p, __LINE__);
    char* bars = read_csv(p, "ali-fig4.9.csv");
    char* curve = read_csv(p, "ali-fig4.8.csv");
    int n = 0;
    double largest = 0.0;
    for (int i = 1; i <= 19; i += 2) {
        double ours = value_at(bars, "(a) t = 10 s,t = 10 s,", i, &n);
        CHECK_NEAR(value_at(bars, "(b) by the recursion of the thesis,t = 10 s,", i, &n), ours,
                   1e-12);
        largest = fmax(largest, fabs(ours));
    }
    CHECK_TRUE(largest > 1e-6);
    CHECK_NEAR(value_at(bars, "(a) t = 10 s,t = 10 s,", 10.0, &n), 0.0, 1e-9);
    double torque = value_at(bars, "(b) by the recursion of the thesis,t = 10 s,", 10.0, &n);
    CHECK_TRUE(fabs(torque) > 1e-3);
    CHECK_NEAR(value_at(curve, "\"joint 10, by the recursion of the thesis\",,", 10.0, &n), torque,
               1e-6);
    assert_int_equal(n, 201);
    free(bars);
    free(curve);
}

// ---- lines and tables

static void test_tables(void** context) {
    Process* p = *context;
    run(p, "reproduce rkmk-table1");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "Young's modulus");
    CHECK_OUT(p, "8e3 Pa");
    assert_false(has_file(p, "rkmk-table1.csv"));
    run(p, "reproduce p20-table1 -o tables");
    CHECK_CODE(p, 0);
    char* text = calloc(OUTPUT_SIZE, 1);
    assert_non_null(text);
    read_text(p, "tables/p20-table1.csv", text);
    check_contains_at(text, "routing,y,z,model\n", "the table", __LINE__);
    check_contains_at(text, "cross,R_b (1 - 2 X)/2,0,@cable-cross\n", "the table", __LINE__);
    free(text);
}

static void test_lines(void** context) {
    Process* p = *context;
    run(p, "reproduce p23-fig1");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "a drawing: ");
    run(p, "reproduce");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "p23-fig6 ");
    CHECK_OUT(p, "ali-fig8.16 ");
    CHECK_OUT(p, "ocp-gauss ");
}

static void test_refused(void** context) {
    Process* p = *context;
    run(p, "reproduce p23-fig60");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "did you mean 'p23-fig6'?");
    run(p, "reproduce p20-fig3 --json");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "takes -o FOLDER alone");
    run(p, "reproduce p20-fig3 -o none/deep");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "cannot make the folder 'none/deep'");
    write_text(p, "file", "");
    run(p, "reproduce all -o file");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "is no folder");
    run(p, "reproduce p20-fig3 -o -");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "not to standard output");
    run(p, "reproduce all --quick");
    CHECK_CODE(p, 2);
}

// ---- the gallery

// tags of XML close as they open; returns how many there are
static int count_tags(const char* text) {
    enum { MAX_DEPTH = 32, MAX_TAG = 32 };
    char open[MAX_DEPTH][MAX_TAG];
    int depth = 0;
    int n = 0;
    for (const char* at = strchr(text, '<'); at; at = strchr(at + 1, '<')) {
        const char* end = strchr(at, '>');
        assert_non_null(end);
        if (at[1] == '!') {
            continue;
        }
        n++;
        char name[MAX_TAG] = "";
        sscanf(at + 1 + (at[1] == '/'), "%31[a-z0-9]", name);
        if (at[1] == '/') {
            assert_true(depth > 0);
            assert_string_equal(open[--depth], name);
        } else if (end[-1] != '/') {
            assert_true(depth < MAX_DEPTH);
            snprintf(open[depth++], MAX_TAG, "%s", name);
        }
    }
    assert_int_equal(depth, 0);
    return n;
}

static int count(const char* text, const char* part) {
    int n = 0;
    for (const char* at = strstr(text, part); at; at = strstr(at + 1, part)) {
        n++;
    }
    return n;
}

// what links name is on the page, once, or a file of the folder
static void check_links(const Process* p, const char* page) {
    int n = 0;
    for (const char* at = strstr(page, "href=\""); at; at = strstr(at + 1, "href=\"")) {
        char target[96] = "";
        char wanted[128];
        sscanf(at + 6, "%95[^\"]", target);
        if (target[0] == '#') {
            snprintf(wanted, sizeof wanted, " id=\"%s\"", target + 1);
            assert_int_equal(count(page, wanted), 1);
        } else {
            snprintf(wanted, sizeof wanted, "page/%s", target);
            assert_true(has_file(p, wanted));
        }
        n++;
    }
    CHECK_TRUE(n > 100);
}

// drawings are folded away behind what is computed, in every paper; examples that they name lead to a figure
static void check_order(const char* page) {
    const char* computed = strstr(page, "<article id=\"p23-table1\" class=\"table\"");
    const char* folded = strstr(page, "<details><summary>8 entries with nothing to compute");
    const char* drawing = strstr(page, "<article id=\"p23-fig1\" class=\"drawing line\"");
    assert_non_null(computed);
    assert_non_null(folded);
    assert_non_null(drawing);
    assert_true(computed < folded && folded < drawing);
    assert_true(drawing < strstr(page, "<h2 id=\"list1\">"));
    check_contains_at(page, "<a href=\"#p23-table1\">", "the page", __LINE__);
    check_contains_at(page, "<code>docs/theory/implicit.md</code>", "the page", __LINE__);
    // one is one
    assert_null(strstr(page, ">1 figures"));
    assert_null(strstr(page, " 1 tables"));
    assert_null(strstr(page, " 0 drawings"));
}

// a folder in which every example but @rollup is broken
static void break_examples(Process* p) {
    char name[64];
    char file[80];
    run(p, "list");
    CHECK_CODE(p, 0);
    for (const char* line = p->out; line; line = next_line(line)) {
        if (sscanf(line, "@%63[a-z0-9.-]", name) == 1 && strcmp(name, "rollup") != 0) {
            snprintf(file, sizeof file, "%s.yaml", name);
            write_text(p, file, "elver: 1\nbroken: true\n");
        }
    }
    assert_true(has_file(p, "snake-2d.yaml"));
    run(p, "export @rollup -o rollup.yaml");
    CHECK_CODE(p, 0);
}

// figures of the example that is left are made, the others fail and are named, the page has them all
static void test_gallery(void** context) {
    Process* p = *context;
    char* page = calloc(OUTPUT_SIZE, 1);
    assert_non_null(page);
    run(p, "reproduce");
    // four lines are studies
    int n_figure = count(p->out, "\n  ") - 4;
    break_examples(p);
    setenv("ELVER_MODELS", p->folder, 1);
    run(p, "reproduce all -o page");
    unsetenv("ELVER_MODELS");
    CHECK_CODE(p, 1);
    CHECK_ERR(p, "failed:");
    CHECK_ERR(p, " p23-fig5");
    assert_true(has_file(p, "page/p20-fig3.csv"));
    assert_true(has_file(p, "page/rkmk-table1.csv"));
    assert_false(has_file(p, "page/p23-fig5.csv"));
    read_text(p, "page/index.html", page);
    CHECK_TRUE(count_tags(page) > 10 * n_figure);
    assert_int_equal(count(page, "<article id="), n_figure);
    // a small one to jump by and the picture itself
    assert_int_equal(count(page, "<img "), has_gnuplot() ? 2 * 3 : 0);
    check_contains_at(page, "<article id=\"ali-fig8.16\"", "the page", __LINE__);
    check_contains_at(page, "elver reproduce p20-fig3\n", "the page", __LINE__);
    check_contains_at(page, "href=\"p20-fig3.html\">View in 3D</a>", "the page", __LINE__);
    check_contains_at(page, "There is no picture", "the page", __LINE__);
    check_links(p, page);
    check_order(page);
    free(page);
}

// Ctrl-C: what was made is kept, and the page shows it
static void test_stopped(void** context) {
    Process* p = *context;
    pid_t child = start(p, "reproduce all -o page");
    const struct timespec moment = {0, 20000000};
    for (int i = 0; i < 1500 && !has_file(p, "page/p23-fig5.csv"); i++) {
        nanosleep(&moment, NULL);
    }
    kill(child, SIGINT);
    finish(p, child);
    CHECK_CODE(p, 1);
    CHECK_ERR(p, "what was made is kept");
    assert_true(has_file(p, "page/p23-fig5.csv"));
    assert_true(has_file(p, "page/index.html"));
    assert_false(has_file(p, "page/ali-fig8.16.csv"));
}

// what a study has printed before it is stopped is no text of it
static void test_stopped_study(void** context) {
    Process* p = *context;
    pid_t child = start(p, "reproduce p23-fig16 -o page");
    const struct timespec moment = {0, 20000000};
    for (int i = 0; i < 1500 && !has_file(p, "page/p23-fig16.txt.part"); i++) {
        nanosleep(&moment, NULL);
    }
    assert_true(has_file(p, "page/p23-fig16.txt.part"));
    nanosleep(&moment, NULL);
    kill(child, SIGINT);
    finish(p, child);
    CHECK_CODE(p, 1);
    assert_false(has_file(p, "page/p23-fig16.txt"));
    assert_false(has_file(p, "page/p23-fig16.txt.part"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_PROCESS(test_rollup),        WITH_PROCESS(test_inchworm), WITH_PROCESS(test_earthworm),
        WITH_PROCESS(test_torques),       WITH_PROCESS(test_tables),   WITH_PROCESS(test_lines),
        WITH_PROCESS(test_refused),       WITH_PROCESS(test_gallery),  WITH_PROCESS(test_stopped),
        WITH_PROCESS(test_stopped_study),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
