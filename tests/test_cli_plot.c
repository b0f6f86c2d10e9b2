// SPDX-License-Identifier: Apache-2.0
// `elver plot`: runs and signals among its words, what is computed from states, formats, messages. That a curve is there
// is seen from its place in the SVG.
#define _POSIX_C_SOURCE 200809L

#include "cli_process.h"

static const char model_text[] = "elver: 1\n"
                                 "name: pendulum\n"
                                 "gravity: [0, 0, -9.81]\n"
                                 "tree:\n"
                                 "  - body: bob\n"
                                 "    joint: {revolute: {axis: y, position: 0.5}}\n"
                                 "    mass: 2\n"
                                 "    center: [0, 0, -1]\n"
                                 "    inertia: [0.1, 0.1, 0.1]\n"
                                 "simulate: {method: explicit, duration: 0.5}\n"
                                 "record: {every: 0.01, signals: [bob.q, energy]}\n";

static int open_runs(void** context) {
    int status = open_process(context);
    Process* p = *context;
    write_text(p, "model.yaml", model_text);
    run(p, "run model.yaml -q -o one.h5");
    CHECK_CODE(p, 0);
    return status;
}

#define CHECK_IN(text, part) check_contains_at((text), (part), "the figure", __LINE__)

static void test_defaults(void** context) {
    Process* p = *context;
    run(p, "plot one.h5");
    CHECK_CODE(p, 0);
    CHECK_ERR(p, "one.svg: 2 panels, 1 run, 51 records");
    assert_string_equal(p->out, "");
    char* text = read_whole(p, "one.svg");
    CHECK_IN(text, "<svg");
    CHECK_IN(text, "bob.q (rad)");
    CHECK_IN(text, "energy (J)");
    CHECK_IN(text, "kinetic");
    CHECK_IN(text, "t (s)");
    free(text);
    run(p, "plot one.h5 --quiet -o other.svg energy.total");
    CHECK_CODE(p, 0);
    assert_string_equal(p->err, "");
    text = read_whole(p, "other.svg");
    assert_null(strstr(text, "bob.q"));
    assert_null(strstr(text, "kinetic"));
    CHECK_IN(text, "total");
    free(text);
}

static void test_formats(void** context) {
    Process* p = *context;
    static const struct {
        const char* name;
        const char* begin;
    } format[] = {{"f.svg", "<?xml"}, {"f.png", "\x89PNG"}, {"f.pdf", "%PDF"}};
    for (int i = 0; i < 3; i++) {
        char words[64];
        snprintf(words, sizeof words, "plot one.h5 -o %s --title It's|a|title", format[i].name);
        run(p, words);
        CHECK_CODE(p, 0);
        char* text = read_whole(p, format[i].name);
        assert_memory_equal(text, format[i].begin, strlen(format[i].begin));
        free(text);
    }
    run(p, "plot one.h5 -o f.bmp");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, ".svg, .png or .pdf");
    run(p, "plot one.h5 -o none/f.svg");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "none/f.svg");

    // letters, on standard output
    run(p, "plot one.h5 --terminal energy");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "energy (J)");
    CHECK_OUT(p, "kinetic");
    CHECK_OUT(p, "****");
    assert_string_equal(p->err, "");
    run(p, "plot one.h5 --terminal -o f.svg");
    CHECK_CODE(p, 2);
}

// what was not recorded is computed: here the same numbers by both ways
static void test_from_states(void** context) {
    Process* p = *context;
    run(p, "run model.yaml -q -o two.h5 --signal bob.position");
    CHECK_CODE(p, 0);
    run(p, "plot two.h5 energy -q -o computed.svg");
    CHECK_CODE(p, 0);
    run(p, "plot one.h5 energy -q -o recorded.svg");
    CHECK_CODE(p, 0);
    char* computed = read_whole(p, "computed.svg");
    char* recorded = read_whole(p, "recorded.svg");
    assert_string_equal(computed, recorded);
    free(computed);
    free(recorded);

    // tables have no states; accounts of a run are none of its states
    run(p, "run model.yaml -q -o two.csv --signal bob.position");
    run(p, "plot two.csv bob.position -q -o table.svg");
    CHECK_CODE(p, 0);
    run(p, "plot two.csv energy");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "'two.csv' has no signal 'energy'");
    run(p, "plot two.h5 work");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "was not recorded");
}

static void test_several_runs(void** context) {
    Process* p = *context;
    run(p, "run model.yaml -q -o folder --set bob.mass=3");
    CHECK_CODE(p, 0);
    run(p, "plot one.h5 folder/ energy.total bob.q -o both.svg");
    CHECK_CODE(p, 0);
    CHECK_ERR(p, "2 panels, 2 runs, 102 records");
    char* text = read_whole(p, "both.svg");
    CHECK_IN(text, "one: total");
    CHECK_IN(text, "folder: total");
    // one component: one colour, whatever the run, and dashes for the second
    CHECK_IN(text, "rgb( 11,  60, 111)");
    assert_null(strstr(text, "rgb(217, 115,  13)"));
    CHECK_IN(text, "stroke-dasharray");
    free(text);

    // files of one name are told apart by their folders
    assert_int_equal(mkdir(path_of(p, "sub"), 0777), 0);
    run(p, "run model.yaml -q -o sub/one.h5");
    run(p, "plot one.h5 sub/one.h5 energy.total -q -o same.svg");
    CHECK_CODE(p, 0);
    text = read_whole(p, "same.svg");
    CHECK_IN(text, "sub/one.h5: total");
    free(text);

    // a run that lacks a signal is named, and the others are drawn
    run(p, "run model.yaml -q -o some.csv --signal bob.v");
    run(p, "plot one.h5 some.csv energy.total bob.v -o some.svg");
    CHECK_CODE(p, 0);
    CHECK_ERR(p, "note: 'some.csv' has no signal 'energy.total'");
}

static void test_choices(void** context) {
    Process* p = *context;
    run(p, "plot one.h5 *.kinetic b* -o star.svg");
    CHECK_CODE(p, 0);
    char* text = read_whole(p, "star.svg");
    CHECK_IN(text, "kinetic");
    CHECK_IN(text, "bob.q");
    assert_null(strstr(text, "gravity"));
    free(text);
    run(p, "plot one.h5 bob.position.x bob.position.z bob.q energy --together -o units.svg");
    CHECK_CODE(p, 0);
    CHECK_ERR(p, "3 panels");
    text = read_whole(p, "units.svg");
    CHECK_IN(text, "bob.position.x");
    CHECK_IN(text, "energy.total");
    free(text);
    // elements of the model, whether they were recorded or not; of one element what was recorded
    run(p, "plot one.h5 b*.acceleration.z -o elements.svg");
    CHECK_CODE(p, 0);
    CHECK_ERR(p, "1 panel, ");
    text = read_whole(p, "elements.svg");
    CHECK_IN(text, "bob.acceleration");
    free(text);
    run(p, "plot one.h5 bob.* -o own.svg");
    CHECK_CODE(p, 0);
    CHECK_ERR(p, "note: 'bob.*' stands for what 'one.h5' has recorded");
    run(p, "plot one.h5 z*");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "no signal 'z*'");

    run(p, "plot one.h5 --from 0.095 --to 0.205 -o part.svg");
    CHECK_CODE(p, 0);
    CHECK_ERR(p, "11 records");
    run(p, "plot one.h5 --from 7");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "no record lies between");
    run(p, "plot one.h5 --from 2 --to 1");
    CHECK_CODE(p, 2);

    run(p, "plot one.h5 energy --x bob.q.0 -o phase.svg");
    CHECK_CODE(p, 0);
    CHECK_ERR(p, "1 panel");
    text = read_whole(p, "phase.svg");
    CHECK_IN(text, "bob.q.0 (rad)");
    assert_null(strstr(text, "t (s)"));
    free(text);
    run(p, "plot one.h5 bob.q --x energy");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "one column");
}

// with a program that repeats its input in place of gnuplot: of a long history peaks are kept, and nothing is made up
static void test_long_history(void** context) {
    Process* p = *context;
    FILE* stream = fopen(path_of(p, "long.csv"), "wb");
    fputs("t,a,b\n", stream);
    for (int i = 0; i < 50000; i++) {
        fprintf(stream, "%d,%d,%d\n", i, i == 12345 ? 7 : 0, i == 43210 ? -9 : 1);
    }
    fclose(stream);
    assert_int_equal(mkdir(path_of(p, "bin"), 0777), 0);
    write_text(p, "bin/gnuplot", "#!/bin/sh\nexec /bin/cat\n");
    assert_int_equal(chmod(path_of(p, "bin/gnuplot"), 0755), 0);
    char* path = strdup(getenv("PATH"));
    setenv("PATH", path_of(p, "bin"), 1);
    run(p, "plot long.csv -o long.svg");
    setenv("PATH", path, 1);
    free(path);
    CHECK_CODE(p, 0);
    CHECK_ERR(p, "50000 records");
    char* text = read_whole(p, "long.svg");
    CHECK_IN(text, "\n12345 7 1\n");
    CHECK_IN(text, "\n43210 0 -9\n");
    CHECK_IN(text, "\n0 0 1\n");
    CHECK_IN(text, "\n49999 0 1\n");
    int n_line = 0;
    for (const char* c = text; *c != '\0'; c++) {
        n_line += *c == '\n';
    }
    assert_true(n_line > 1000 && n_line < 5000);
    free(text);
}

static void test_statics(void** context) {
    Process* p = *context;
    run(p, "statics @rollup -q -o loads.h5");
    CHECK_CODE(p, 0);
    run(p, "plot loads.h5 -q -o loads.svg");
    CHECK_CODE(p, 0);
    char* text = read_whole(p, "loads.svg");
    CHECK_IN(text, ">load<");
    free(text);
    run(p, "plot loads.h5 one.h5 com -q");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "over loads");
}

static void test_messages(void** context) {
    Process* p = *context;
    static const struct {
        const char* words;
        const char* message;
    } bad[] = {
        {"plot", "name a trajectory"},
        {"plot model.yaml", "'model.yaml' is no trajectory"},
        {"plot none.h5", "cannot read 'none.h5': No such file"},
        {"plot one.h5 enrgy", "did you mean 'energy'?"},
        {"plot one.h5 bob.qq", "did you mean 'bob.q'?"},
        {"plot one.h5 --frm 1", "--frm"},
        {"plot one.h5 -o one.h5", "figures are"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        run(p, bad[i].words);
        CHECK_CODE(p, 2);
        CHECK_ERR(p, bad[i].message);
        assert_string_equal(p->out, "");
    }
    write_text(p, "garbage.h5", "garbage");
    run(p, "plot garbage.h5");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "no HDF5 file");
    run(p, "plot --help");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "usage: elver plot");

    char* path = strdup(getenv("PATH"));
    setenv("PATH", "/nonexistent", 1);
    run(p, "plot one.h5 -o f.svg");
    setenv("PATH", path, 1);
    free(path);
    CHECK_CODE(p, 1);
    CHECK_ERR(p, "gnuplot-nox");
    assert_false(has_file(p, "f.svg"));
    assert_false(has_file(p, "f.svg.part"));
}

int main(void) {
    enum { EXIT_SKIP = 77 };
#define WITH_RUNS(test) cmocka_unit_test_setup_teardown(test, open_runs, close_process)
    const struct CMUnitTest words[] = {WITH_RUNS(test_messages), WITH_RUNS(test_long_history)};
    const struct CMUnitTest pictures[] = {
        WITH_RUNS(test_defaults),     WITH_RUNS(test_formats), WITH_RUNS(test_from_states),
        WITH_RUNS(test_several_runs), WITH_RUNS(test_choices), WITH_RUNS(test_statics),
    };
    int n_failed = cmocka_run_group_tests(words, NULL, NULL);
    if (!has_gnuplot()) {
        return n_failed > 0 ? n_failed : EXIT_SKIP;
    }
    return n_failed + cmocka_run_group_tests(pictures, NULL, NULL);
}
