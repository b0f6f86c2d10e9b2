// SPDX-License-Identifier: Apache-2.0
// The command line, without simulating: usage, exit codes, messages, check, info, list, export.
#define _POSIX_C_SOURCE 200809L

#include "cli_process.h"

#include <dirent.h>
#include <sys/resource.h>

static const char good_text[] = "elver: 1\n"
                                "name: pendulum\n"
                                "gravity: [0, 0, -9.81]\n"
                                "parameters: {m: 2}\n"
                                "tree:\n"
                                "  - body: bob\n"
                                "    joint: {revolute: {axis: y, position: 0.5}}\n"
                                "    mass: \"m\"\n"
                                "    center: [0, 0, -1]\n"
                                "    inertia: [0.1, 0.1, 0.1]\n"
                                "simulate: {method: explicit, duration: 0.5}\n"
                                "record: {every: 0.1, signals: [bob.q, energy]}\n";

// the mistake is in line 4, column 5
static const char bad_text[] = "elver: 1\n"
                               "tree:\n"
                               "  - body: bob\n"
                               "    mas: 2\n";

static void test_usage(void** context) {
    Process* p = *context;
    run(p, "");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "usage: elver COMMAND");
    assert_string_equal(p->out, "");

    run(p, "--help");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "usage: elver COMMAND");
    assert_string_equal(p->err, "");

    run(p, "--version");
    CHECK_CODE(p, 0);
    int major = -1;
    int minor = -1;
    int patch = -1;
    assert_int_equal(sscanf(p->out, "elver %d.%d.%d\n", &major, &minor, &patch), 3);
}

static void test_help_of_every_command(void** context) {
    Process* p = *context;
    static const char* const command[] = {"run", "check", "info", "list", "export", "help"};
    for (int i = 0; i < 6; i++) {
        char words[64];
        char expected[64];
        snprintf(expected, sizeof expected, "usage: elver %s", command[i]);
        snprintf(words, sizeof words, "help %s", command[i]);
        run(p, words);
        CHECK_CODE(p, 0);
        CHECK_OUT(p, expected);
        snprintf(words, sizeof words, "%s --help", command[i]);
        run(p, words);
        CHECK_CODE(p, 0);
        CHECK_OUT(p, expected);
    }
    run(p, "help");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "check");
}

static void test_unknown_words(void** context) {
    Process* p = *context;
    run(p, "chekc");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "did you mean 'check'?");
    run(p, "zzzzzz");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "unknown command 'zzzzzz'");
    run(p, "help rnu");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "did you mean 'run'?");
    run(p, "run --durration 3");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "unknown option '--durration', did you mean '--duration'?");
    run(p, "info -z x");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "unknown option '-z'");
    run(p, "run --duration");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "needs a value");
    run(p, "run --json=yes");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "takes no value");
    run(p, "check --set length x.yaml");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "KEY=VALUE");
    run(p, "check a.yaml b.yaml");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "one model at a time");
    run(p, "check");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "which model?");
}

static void test_model_files(void** context) {
    Process* p = *context;
    run(p, "check none.yaml");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "cannot read 'none.yaml'");

    write_text(p, "bad.yaml", bad_text);
    run(p, "check bad.yaml");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "bad.yaml:4:5: ");
    CHECK_ERR(p, "did you mean 'mass'?");
    assert_string_equal(p->out, "");

    write_text(p, "good.yaml", good_text);
    run(p, "check good.yaml");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "good.yaml: good: 1 node, 1 degree of freedom\n");
    assert_string_equal(p->err, "");

    // a dash begins no operand unless told so
    write_text(p, "-good.yaml", good_text);
    run(p, "check -- -good.yaml");
    CHECK_CODE(p, 0);

    // values put over the file are checked like the file
    run(p, "check good.yaml --set m=3 --set bob.mass=1");
    CHECK_CODE(p, 0);
    run(p, "check good.yaml --set bob.mass=-1");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "--set bob.mass=-1");
    run(p, "check good.yaml --set record.signals=[bob.positon]");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "did you mean 'bob.position'?");
}

// a pipe gives its text once
static void test_model_from_a_pipe(void** context) {
    Process* p = *context;
    write_text(p, "good.yaml", good_text);
    run(p, "export good.yaml");
    char* expected = strdup(p->out);
    static const char* const words[] = {"check /dev/stdin", "export /dev/stdin"};
    for (int i = 0; i < 2; i++) {
        int end[2];
        assert_int_equal(pipe(end), 0);
        assert_int_equal(write(end[1], good_text, strlen(good_text)), strlen(good_text));
        close(end[1]);
        int before = dup(STDIN_FILENO);
        dup2(end[0], STDIN_FILENO);
        close(end[0]);
        run(p, words[i]);
        dup2(before, STDIN_FILENO);
        close(before);
        CHECK_CODE(p, 0);
    }
    assert_string_equal(p->out, expected);
    free(expected);
}

static void test_standard_input(void** context) {
    Process* p = *context;
    write_text(p, "stdin", good_text);
    run(p, "check -");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "<stdin>: good: 1 node, 1 degree of freedom\n");
    write_text(p, "stdin", bad_text);
    run(p, "check -");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "<stdin>:4:5: ");
}

// a path does not make up the type of a joint, but adds keys to what is there
static void test_override_paths(void** context) {
    Process* p = *context;
    write_text(p, "good.yaml", good_text);
    run(p, "check good.yaml --set bob.joint.revolute.damping=0.1 --set bob.pose.xyz=[0,0,1]");
    CHECK_CODE(p, 0);
    run(p, "check good.yaml --set bob.joint.prismatic.damping=0.1");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "'joint' has no 'prismatic'");
    write_text(p, "fixed.yaml", "elver: 1\ntree: [{body: bob, mass: 1}]\n");
    run(p, "check fixed.yaml --set bob.joint.revolute.damping=0.1");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "'joint' has no 'revolute'");
    run(p, "check fixed.yaml --set bob.joint={prismatic:|{axis:|x,|damping:|0.1}}");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "1 degree of freedom");
    run(p, "check fixed.yaml --set simulate.duration=2");
    CHECK_CODE(p, 0);
}

// a body without mass on a joint that can move has no acceleration
static void test_check_finds_a_singular_model(void** context) {
    Process* p = *context;
    write_text(p, "good.yaml", good_text);
    run(p, "check good.yaml --set m=0 --set bob.inertia=[0,0,0]");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "good.yaml:6:5: bob: ");
}

static void test_examples(void** context) {
    Process* p = *context;

    // every model file of the source tree is listed, and good
    DIR* folder = opendir(ELVER_SOURCE_DIR "/models");
    assert_non_null(folder);
    int n_model = 0;
    run(p, "list");
    CHECK_CODE(p, 0);
    char* list = strdup(p->out);
    for (const struct dirent* entry = readdir(folder); entry; entry = readdir(folder)) {
        const char* ending = strstr(entry->d_name, ".yaml");
        if (ending) {
            char line[280];
            snprintf(line, sizeof line, "@%.*s ", (int)(ending - entry->d_name), entry->d_name);
            check_contains_at(list, line, "the list", __LINE__);
            snprintf(line, sizeof line, "check @%.*s", (int)(ending - entry->d_name),
                     entry->d_name);
            run(p, line);
            CHECK_CODE(p, 0);
            n_model++;
        }
    }
    closedir(folder);
    free(list);
    assert_true(n_model > 0);

    run(p, "list --json");
    CHECK_CODE(p, 0);
    assert_true(is_balanced_json(p->out));
    run(p, "info @rigid-chian");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "did you mean '@rigid-chain'?");
    run(p, "info rigid-chain");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "did you mean the example '@rigid-chain'?");
    run(p, "info @../models/rigid-chain");
    CHECK_CODE(p, 2);
    run(p, "list @rigid-chain");
    CHECK_CODE(p, 2);
}

static void test_examples_of_a_chosen_folder(void** context) {
    Process* p = *context;
    write_text(p, "mine.yaml", good_text);
    setenv("ELVER_MODELS", p->folder, 1);
    run(p, "list");
    unsetenv("ELVER_MODELS");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "@mine ");
    CHECK_OUT(p, "pendulum");
    CHECK_OUT(p, "@rigid-chain ");
}

static void test_info(void** context) {
    Process* p = *context;
    write_text(p, "good.yaml", good_text);
    run(p, "info good.yaml");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "pendulum");
    CHECK_OUT(p, "revolute");
    CHECK_OUT(p, "energy.total");

    // the pendulum hangs 1 m below the pivot, 0.5 rad off: V = -m g cos(0.5)
    run(p, "info good.yaml --json");
    CHECK_CODE(p, 0);
    assert_true(is_balanced_json(p->out));
    CHECK_NEAR(json_number(p->out, "mass"), 2.0, 0.0);
    CHECK_NEAR(json_number(p->out, "nv"), 1.0, 0.0);
    const char* start = strstr(p->out, "\"start\"");
    assert_non_null(start);
    CHECK_NEAR(json_number(start, "gravity"), -2.0 * 9.81 * cos(0.5), 1e-13);
    CHECK_NEAR(json_number(start, "kinetic"), 0.0, 0.0);
}

static void test_export_round_trip(void** context) {
    Process* p = *context;
    write_text(p, "good.yaml", good_text);
    run(p, "export good.yaml --set bob.mass=5 -o copy.yaml");
    CHECK_CODE(p, 0);
    assert_string_equal(p->out, "");
    run(p, "check copy.yaml");
    CHECK_CODE(p, 0);

    // the copy's copy is the copy, on stdout too
    run(p, "export copy.yaml");
    CHECK_CODE(p, 0);
    char* text = read_whole(p, "copy.yaml");
    assert_string_equal(p->out, text);
    free(text);

    // what it says at the start is the same, and has the value that was put over it
    run(p, "info good.yaml --set bob.mass=5 --json");
    char* expected = strdup(p->out);
    run(p, "info copy.yaml --json");
    assert_string_equal(p->out, expected);
    CHECK_NEAR(json_number(p->out, "mass"), 5.0, 0.0);
    free(expected);

    run(p, "export good.yaml -o none/copy.yaml");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "cannot write 'none/copy.yaml'");
}

// a limit on the size of files stands for the full disk: what was there stays
static void test_export_on_a_full_disk(void** context) {
    Process* p = *context;
    write_text(p, "good.yaml", good_text);
    write_text(p, "copy.yaml", "old");
    struct rlimit before;
    getrlimit(RLIMIT_FSIZE, &before);
    struct rlimit limit = {100, before.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    run(p, "export good.yaml -o copy.yaml");
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, SIG_DFL);
    CHECK_CODE(p, 1);
    CHECK_ERR(p, "cannot write 'copy.yaml'");
    CHECK_TRUE(!has_file(p, "copy.yaml.part"));
    char* text = read_whole(p, "copy.yaml");
    assert_string_equal(text, "old");
    free(text);

    // nothing else is left behind; devices and links are written as they are
    run(p, "export good.yaml -o copy.yaml");
    CHECK_CODE(p, 0);
    CHECK_TRUE(!has_file(p, "copy.yaml.part"));
    run(p, "export good.yaml -o /dev/stdout");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "pendulum");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_PROCESS(test_usage),
        WITH_PROCESS(test_help_of_every_command),
        WITH_PROCESS(test_unknown_words),
        WITH_PROCESS(test_model_files),
        WITH_PROCESS(test_model_from_a_pipe),
        WITH_PROCESS(test_standard_input),
        WITH_PROCESS(test_override_paths),
        WITH_PROCESS(test_check_finds_a_singular_model),
        WITH_PROCESS(test_examples),
        WITH_PROCESS(test_examples_of_a_chosen_folder),
        WITH_PROCESS(test_info),
        WITH_PROCESS(test_export_round_trip),
        WITH_PROCESS(test_export_on_a_full_disk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
