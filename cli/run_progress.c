// SPDX-License-Identifier: Apache-2.0
// The progress line of `elver run`, on stderr when that is a terminal, a few times a second; and
// the wish to stop (Ctrl-C), which the simulation hears after each step. POSIX: clocks, signals.
#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier): POSIX's own name

#include "run.h"

#include <signal.h>
#include <time.h>
#include <unistd.h>

static const double interval = 0.1; // s between two lines

// set by the handler, read by the callbacks: what signals can touch must be static
static volatile sig_atomic_t is_interrupted = 0;

static void on_signal(int number) {
    (void)number;
    is_interrupted = 1;
}

void run_catch_signals(void) {
    struct sigaction action = {0};
    action.sa_handler = on_signal;
    action.sa_flags = (int)SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

bool run_is_interrupted(void) {
    return is_interrupted != 0;
}

static double wall_time(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void run_progress_start(RunProgress* progress, double t_start, double t_end, bool is_quiet) {
    double now = wall_time();
    progress->is_shown = !is_quiet && isatty(STDERR_FILENO);
    progress->is_printed = false;
    progress->t_start = t_start;
    progress->t_end = t_end;
    progress->wall_start = now;
    progress->wall_last = now;
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

bool run_progress_step(void* user, double t, const ElvIntegratorReport* report) {
    RunProgress* progress = &((Run*)user)->progress;
    if (is_interrupted) {
        return false;
    }
    if (!progress->is_shown) {
        return true;
    }
    double now = wall_time();
    if (now - progress->wall_last < interval) {
        return true;
    }
    progress->wall_last = now;
    double done = (t - progress->t_start) / (progress->t_end - progress->t_start);
    char left[32] = "?";
    if (done > 0.0) {
        format_time((now - progress->wall_start) * (1.0 - done) / done, left, sizeof left);
    }
    fprintf(stderr, "\r%3.0f %%  t = %.4g of %.4g s  %ld steps  %s left\x1b[K", 100.0 * done, t,
            progress->t_end, report->n_step, left);
    fflush(stderr);
    progress->is_printed = true;
    return true;
}

void run_progress_clear(RunProgress* progress) {
    if (progress->is_printed) {
        fputs("\r\x1b[K", stderr);
        progress->is_printed = false;
    }
}
