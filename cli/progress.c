// SPDX-License-Identifier: Apache-2.0
// Progress lines on stderr when that is a terminal, a few times a second; and the wish to stop
// (Ctrl-C), which computations hear between their steps. POSIX: clocks, signals, terminals.
#define _DEFAULT_SOURCE // NOLINT(bugprone-reserved-identifier): sizes of terminals

#include "progress.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

static const double interval = 0.1; // s between two lines

enum { LINE_SIZE = 256 };

// set by the handler, read between steps: what signals can touch must be static
static volatile sig_atomic_t is_interrupted = 0;

static void on_signal(int number) {
    (void)number;
    is_interrupted = 1;
}

void cli_catch_signals(void) {
    struct sigaction action = {0};
    action.sa_handler = on_signal;
    action.sa_flags = (int)SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

bool cli_is_interrupted(void) {
    return is_interrupted != 0;
}

static bool is_stopped(void* user) {
    (void)user;
    return cli_is_interrupted();
}

ElvStop cli_stop(void) {
    ElvStop stop = {is_stopped, NULL};
    return stop;
}

double cli_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void cli_progress_start(CliProgress* progress, double start, double end, bool is_quiet) {
    double now = cli_clock();
    progress->is_shown = !is_quiet && isatty(STDERR_FILENO);
    progress->is_printed = false;
    progress->start = start;
    progress->end = end;
    progress->wall_start = now;
    progress->wall_last = now;
}

bool cli_progress_is_due(const CliProgress* progress) {
    return progress->is_shown && cli_clock() - progress->wall_last >= interval;
}

// seconds as "1:23:45", "2:05" or "7 s"
static void format_time(double seconds, char* text, size_t size) {
    if (seconds < 60.0) {
        snprintf(text, size, "%.0f s", seconds);
        return;
    }
    long whole = seconds < 1e9 ? (long)seconds : 1000000000;
    if (whole < 3600) {
        snprintf(text, size, "%ld:%02ld", whole / 60, whole % 60);
    } else {
        snprintf(text, size, "%ld:%02ld:%02ld", whole / 3600, whole / 60 % 60, whole % 60);
    }
}

// a line that is wrapped could not be written over
static int terminal_width(void) {
    struct winsize size;
    memset(&size, 0, sizeof size);
    bool is_known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
    int width = is_known ? size.ws_col - 1 : 79;
    return width < LINE_SIZE ? width : LINE_SIZE - 1;
}

void cli_progress_print(CliProgress* progress, double x, const char* format, ...) {
    double now = cli_clock();
    double whole = progress->end - progress->start;
    double done = whole != 0.0 ? (x - progress->start) / whole : 0.0;
    done = done < 0.0 ? 0.0 : done > 1.0 ? 1.0 : done;
    char detail[LINE_SIZE];
    char left[32] = "?";
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(detail, sizeof detail, format, arguments);
    va_end(arguments);
    if (done > 0.0) {
        format_time((now - progress->wall_start) * (1.0 - done) / done, left, sizeof left);
    }
    char line[2 * LINE_SIZE];
    snprintf(line, sizeof line, "%3.0f %%  %s  %s left", 100.0 * done, detail, left);
    fprintf(stderr, "\r%.*s\x1b[K", terminal_width(), line);
    fflush(stderr);
    progress->wall_last = now;
    progress->is_printed = true;
}

void cli_progress_clear(CliProgress* progress) {
    if (progress->is_printed) {
        fputs("\r\x1b[K", stderr);
        fflush(stderr);
        progress->is_printed = false;
    }
}
