// SPDX-License-Identifier: Apache-2.0
// Long commands on a terminal: a line that tells how far they are, and Ctrl-C, after which what there is is whole and the
// exit code is 1. The terminal is a pseudo-terminal that the test holds the other end of.
#define _XOPEN_SOURCE 700

#include "cli_process.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <time.h>

static const char model_text[] =
    "elver: 1\n"
    "name: pendulum\n"
    "gravity: [0, 0, -9.81]\n"
    "tree:\n"
    "  - body: bob\n"
    "    joint: {revolute: {axis: y, position: 0.5}}\n"
    "    mass: 2\n"
    "    center: [0, 0, -1]\n"
    "    inertia: [0.1, 0.1, 0.1]\n"
    "simulate: {method: generalized-alpha, step: 1e-3, duration: 3e7}\n"
    "record: {every: 0.1, signals: [bob.q, energy]}\n";

// ---- a terminal

typedef struct {
    int held; // our end
    char name[64];
    size_t n; // of p->err
} Terminal;

static Terminal open_terminal(void) {
    Terminal terminal = {posix_openpt(O_RDWR | O_NOCTTY), "", 0};
    // a machine without pseudo-terminals, such as a bare root directory
    if (terminal.held < 0) {
        skip();
    }
    assert_int_equal(grantpt(terminal.held), 0);
    assert_int_equal(unlockpt(terminal.held), 0);
    snprintf(terminal.name, sizeof terminal.name, "%s", ptsname(terminal.held));
    return terminal;
}

// start the program with the terminal as its standard error
static pid_t start_on(Process* p, const Terminal* terminal, const char* words) {
    remove(path_of(p, "stderr"));
    assert_int_equal(symlink(terminal->name, path_of(p, "stderr")), 0);
    memset(p->err, 0, OUTPUT_SIZE);
    return start(p, words);
}

// what the program writes, for at most so many milliseconds or until part is there; false at the end
static bool listen_to(Process* p, Terminal* terminal, int ms, const char* part) {
    struct timespec begin;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (;;) {
        clock_gettime(CLOCK_MONOTONIC, &now);
        long passed = (now.tv_sec - begin.tv_sec) * 1000 + (now.tv_nsec - begin.tv_nsec) / 1000000;
        struct pollfd poll_fd = {terminal->held, POLLIN, 0};
        if (passed >= ms || (part && strstr(p->err, part))) {
            return true;
        }
        if (poll(&poll_fd, 1, (int)(ms - passed)) > 0) {
            ssize_t n = read(terminal->held, p->err + terminal->n, OUTPUT_SIZE - 1 - terminal->n);
            if (n <= 0) {
                return false;
            }
            terminal->n += (size_t)n;
        }
    }
}

static void end_on(Process* p, Terminal* terminal, pid_t child) {
    int status = 0;
    while (listen_to(p, terminal, 30000, NULL)) {
    }
    waitpid(child, &status, 0);
    p->code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    close(terminal->held);
    remove(path_of(p, "stderr"));
}

// run a command that would take days until its line is there, then press Ctrl-C
static void interrupt(Process* p, const char* words) {
    Terminal terminal = open_terminal();
    pid_t child = start_on(p, &terminal, words);
    bool is_running = listen_to(p, &terminal, 30000, " left");
    if (!is_running || !strstr(p->err, " left")) {
        kill(child, SIGKILL);
        fail_msg("no progress by '%s': %s", words, p->err);
    }
    kill(child, SIGINT);
    end_on(p, &terminal, child);
    CHECK_CODE(p, 1);
    CHECK_ERR(p, "interrupted");
    CHECK_ERR(p, " %  ");
}

static size_t count_lines(const Process* p, const char* name) {
    char* text = calloc(OUTPUT_SIZE, 1);
    size_t n = 0;
    read_text(p, name, text);
    for (const char* c = text; *c != '\0'; c++) {
        n += *c == '\n';
    }
    free(text);
    return n;
}

// ---- commands

static void test_run(void** context) {
    Process* p = *context;
    write_text(p, "model.yaml", model_text);
    interrupt(p, "run model.yaml -o out.csv");
    CHECK_ERR(p, "t = ");
    CHECK_ERR(p, " of 3e+07 s");
    CHECK_ERR(p, " steps  ");
    CHECK_ERR(p, " iterations");
    assert_true(count_lines(p, "out.csv") > 1);
    assert_false(has_file(p, "out.csv.part"));
    interrupt(p, "run model.yaml -o out.h5");
    run(p, "plot out.h5 bob.q --terminal");
    CHECK_CODE(p, 0);
    CHECK_ERR(p, "was interrupted or failed: it ends at t = ");
}

// a quiet run and one into a file write none of it
static void test_quiet(void** context) {
    Process* p = *context;
    write_text(p, "model.yaml", model_text);
    Terminal terminal = open_terminal();
    pid_t child = start_on(p, &terminal, "run model.yaml -q -o out.csv");
    listen_to(p, &terminal, 1000, NULL);
    kill(child, SIGINT);
    end_on(p, &terminal, child);
    CHECK_CODE(p, 1);
    assert_null(strstr(p->err, " left"));
    assert_null(strchr(p->err, '%'));
    child = start(p, "run model.yaml -o out.csv");
    struct timespec time = {1, 0};
    nanosleep(&time, NULL);
    kill(child, SIGINT);
    finish(p, child);
    CHECK_CODE(p, 1);
    CHECK_ERR(p, "interrupted at t = ");
    assert_null(strchr(p->err, '%'));
    assert_null(strchr(p->err, '\r'));
}

static void test_narrow_terminal(void** context) {
    Process* p = *context;
    write_text(p, "model.yaml", model_text);
    Terminal terminal = open_terminal();
    struct winsize size = {24, 30, 0, 0};
    assert_int_equal(ioctl(terminal.held, TIOCSWINSZ, &size), 0);
    pid_t child = start_on(p, &terminal, "run model.yaml -o out.csv");
    listen_to(p, &terminal, 30000, " %  t = ");
    listen_to(p, &terminal, 500, NULL);
    // no line is longer than the terminal is wide
    for (const char* at = strchr(p->err, '\r'); at; at = strchr(at + 1, '\r')) {
        const char* end = strstr(at, "\x1b[K");
        assert_true(!end || end - at <= 30);
    }
    kill(child, SIGINT);
    end_on(p, &terminal, child);
    CHECK_CODE(p, 1);
}

// as many loads as take some time
static void test_statics(void** context) {
    Process* p = *context;
    FILE* stream = fopen(path_of(p, "model.yaml"), "wb");
    fputs("elver: 1\n"
          "gravity: [0, 0, -9.81]\n"
          "tree:\n"
          "  - {rod: arm, length: 1, section: {circle: {diameter: 0.02}},\n"
          "     material: {density: 1000, young: 1e7}, strain: {bend_y: 6, bend_z: 6}}\n"
          "loads:\n"
          "  - {at: arm.tip, force: [0, t, 0]}\n"
          "record: {signals: [arm.tip.position]}\n"
          "statics:\n"
          "  loads: [0",
          stream);
    for (int i = 1; i < 50000; i++) {
        fprintf(stream, ", %d.%d", i % 3, i % 7);
    }
    fputs("]\n", stream);
    fclose(stream);
    interrupt(p, "statics model.yaml -o out.csv");
    CHECK_ERR(p, "load = ");
    CHECK_ERR(p, " rows  ");
    CHECK_ERR(p, " iterations  ");
    assert_true(count_lines(p, "out.csv") > 1);
}

static void test_inverse(void** context) {
    Process* p = *context;
    interrupt(p, "inverse @four-bar --duration 1e6 --every 1e-3 -o out.csv");
    CHECK_ERR(p, "t = ");
    assert_true(count_lines(p, "out.csv") > 1);
}

static void test_gait(void** context) {
    Process* p = *context;
    interrupt(p, "gait @ellipse-swimmer --points 2000 -o out.csv");
    CHECK_ERR(p, "point ");
    CHECK_ERR(p, "kept in out.csv");
    assert_true(count_lines(p, "out.csv") > 1);
}

// whether a process has a handler for Ctrl-C
static bool is_listening(pid_t child) {
    char path[64];
    char line[256];
    unsigned long caught = 0;
    snprintf(path, sizeof path, "/proc/%ld/status", (long)child);
    FILE* file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) {
        if (strncmp(line, "SigCgt:", 7) == 0) {
            caught = strtoul(line + 7, NULL, 16);
        }
    }
    if (file) {
        fclose(file);
    }
    return (caught >> (SIGINT - 1)) & 1;
}

// a command that says nothing while it computes: Ctrl-C half a second after it listens, and how long it takes from then on, s
static double interrupt_silent(Process* p, const char* words) {
    struct timespec half = {0, 500000000}, begin, end;
    pid_t child = start(p, words);
    for (int i = 0; i < 60 && !is_listening(child); i++) {
        nanosleep(&half, NULL);
    }
    nanosleep(&half, NULL);
    clock_gettime(CLOCK_MONOTONIC, &begin);
    kill(child, SIGINT);
    finish(p, child);
    clock_gettime(CLOCK_MONOTONIC, &end);
    CHECK_CODE(p, 1);
    CHECK_ERR(p, "interrupted");
    return (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
}

/// No more than this after Ctrl-C, s; on a machine with nothing else to do it is a few milliseconds.
static const double PATIENCE = 5.0;

// Within one equilibrium, one cycle, one search: a motor that is stronger than gravity beyond t = 9.81 turns its bob for a
// million steps of a fictitious time.
static void test_one_solve(void** context) {
    Process* p = *context;
    write_text(p, "spin.yaml",
               "elver: 1\n"
               "name: spin\n"
               "gravity: [0, 0, -9.81]\n"
               "tree:\n"
               "  - {body: bob, joint: {revolute: {axis: y, force: \"t\"}}, mass: 1,\n"
               "     center: [0, 0, -1], inertia: [0.1, 0.1, 0.1]}\n"
               "statics: {method: relaxation, max_steps: 1000000, loads: [1, 50]}\n"
               "record: {signals: [bob.q]}\n");
    CHECK_TRUE(interrupt_silent(p, "statics spin.yaml -o out.csv") < PATIENCE);
    CHECK_ERR(p, "interrupted after 1 row");
    CHECK_ERR(p, "kept in out.csv");
    assert_int_equal(count_lines(p, "out.csv"), 2);
    CHECK_TRUE(interrupt_silent(p, "statics spin.yaml --set statics.loads=[50] -o none.csv") <
               PATIENCE);
    CHECK_ERR(p, "there is no row");
    // the equilibrium that a run starts from
    CHECK_TRUE(interrupt_silent(p, "run spin.yaml --set simulate.start=statics --set "
                                   "bob.joint.revolute.force=50 -o run.csv") < PATIENCE);
    CHECK_ERR(p, "nothing was recorded");
    CHECK_TRUE(interrupt_silent(p, "gait @falling-cat --period 1e7 -o field.csv") < PATIENCE);
    assert_null(strstr(p->err, "kept in"));
    assert_false(has_file(p, "field.csv"));
}

// studies too: what they print is not a trajectory, and nothing is kept
static void test_study(void** context) {
    Process* p = *context;
    static const char* const name[] = {"p23-table1", "ocp-dtc", "methods", "rkmk-table3"};
    for (size_t i = 0; i < sizeof name / sizeof name[0]; i++) {
        char words[64];
        snprintf(words, sizeof words, "reproduce %s", name[i]);
        interrupt(p, words);
        CHECK_ERR(p, "of a run: t = ");
        CHECK_ERR(p, "elver reproduce: interrupted");
    }
}

static void test_view(void** context) {
    Process* p = *context;
    write_text(p, "model.yaml", model_text);
    interrupt(p, "view model.yaml -o page.html");
    CHECK_ERR(p, " s; page.html has it up to there");
    assert_true(has_file(p, "page.html"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_PROCESS(test_run),     WITH_PROCESS(test_quiet),   WITH_PROCESS(test_narrow_terminal),
        WITH_PROCESS(test_statics), WITH_PROCESS(test_inverse), WITH_PROCESS(test_gait),
        WITH_PROCESS(test_study),   WITH_PROCESS(test_view),    WITH_PROCESS(test_one_solve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
