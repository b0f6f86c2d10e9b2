// SPDX-License-Identifier: Apache-2.0
// Plots through gnuplot: its script and data go through a pipe to its standard input, its SVG from
// its standard output to a temporary file that is renamed at the end. No shell and no file name is
// involved, so names may hold anything. POSIX: processes and pipes.
#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier): POSIX's own name

#include "run.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PANEL_HEIGHT = 230, PANEL_WIDTH = 900, MAX_POINT = 4000, NO_GNUPLOT = 127 };

static int count_panels(const Run* run) {
    int n = 0;
    for (int i = 0; i < run->n_column; i += run_next_group(run, i).n) {
        n++;
    }
    return n;
}

// ---- script

// text in single quotes, as gnuplot reads it
static void write_quoted(FILE* stream, const char* text, size_t n) {
    fputc('\'', stream);
    for (size_t i = 0; i < n; i++) {
        if (text[i] == '\'') {
            fputc('\'', stream);
        }
        fputc(text[i] >= 0 && text[i] < ' ' ? ' ' : text[i], stream);
    }
    fputc('\'', stream);
}

// records as a data block; long histories are thinned to what a picture can show
static void write_data(FILE* stream, const Run* run) {
    size_t width = 1 + (size_t)run->n_column;
    size_t stride = (run->n_record + MAX_POINT - 1) / MAX_POINT;
    fputs("$data << END_OF_DATA\n", stream);
    for (size_t i = 0; i < run->n_record; i++) {
        if (i % stride != 0 && i + 1 < run->n_record) {
            continue;
        }
        for (size_t j = 0; j < width; j++) {
            fprintf(stream, "%s%.9g", j > 0 ? " " : "", run->history[i * width + j]);
        }
        fputc('\n', stream);
    }
    fputs("END_OF_DATA\n", stream);
}

// an interval with some room at both ends, never empty
static void write_range(FILE* stream, char axis, double lo, double hi, double room) {
    double pad = hi > lo ? room * (hi - lo) : 0.1 * fmax(fabs(lo), 1e-9);
    fprintf(stream, "set %crange [%.17g:%.17g]\n", axis, lo - pad, hi + pad);
}

static void write_ranges(FILE* stream, const Run* run, RunGroup panel) {
    size_t width = 1 + (size_t)run->n_column;
    const double* first = run->history;
    double lo = first[1 + panel.first];
    double hi = lo;
    for (size_t i = 0; i < run->n_record; i++) {
        for (int k = 0; k < panel.n; k++) {
            double value = run->history[i * width + 1 + (size_t)(panel.first + k)];
            lo = fmin(lo, value);
            hi = fmax(hi, value);
        }
    }
    write_range(stream, 'x', first[0], run->history[(run->n_record - 1) * width], 0.0);
    write_range(stream, 'y', lo, hi, 0.05);
}

static void write_panel(FILE* stream, const Run* run, RunGroup panel) {
    const char* name = elv_signals_column_name(run->signals, panel.first);
    const char* unit = elv_signals_column_unit(run->signals, panel.first);
    write_ranges(stream, run, panel);
    fputs("set title ", stream);
    write_quoted(stream, name, panel.n_stem);
    fputs("\nset ylabel ", stream);
    write_quoted(stream, unit, strlen(unit));
    fputs("\nplot ", stream);
    for (int k = 0; k < panel.n; k++) {
        const char* column = elv_signals_column_name(run->signals, panel.first + k);
        const char* label = strlen(column) > panel.n_stem ? column + panel.n_stem + 1 : column;
        fprintf(stream, "%s$data using 1:%d with lines lw 1.5 title ", k > 0 ? ", " : "",
                panel.first + k + 2);
        write_quoted(stream, label, strlen(label));
    }
    fputc('\n', stream);
}

static void write_script(FILE* stream, const Run* run) {
    int n_panel = count_panels(run);
    const char* model = elv_model_name(run->loaded.model);
    write_data(stream, run);
    fprintf(stream,
            "set terminal svg size %d,%d dynamic background rgb 'white' font 'sans,12' noenhanced\n"
            "set multiplot layout %d,1 title ",
            PANEL_WIDTH, 40 + PANEL_HEIGHT * n_panel, n_panel);
    write_quoted(stream, model, strlen(model));
    fputs("\n"
          "set grid\n"
          "set key outside right top\n"
          "set lmargin 14\n"
          "set rmargin 16\n"
          "set bmargin 3.5\n"
          "set format y '%.4g'\n"
          "set xlabel 't (s)'\n",
          stream);
    for (int i = 0; i < run->n_column;) {
        RunGroup panel = run_next_group(run, i);
        write_panel(stream, run, panel);
        i += panel.n;
    }
    fputs("unset multiplot\n", stream);
}

// ---- process

// start gnuplot with the pipe's reading end as stdin and the file as stdout
static pid_t start_gnuplot(const int ends[2], int file) {
    pid_t child = fork();
    if (child != 0) {
        return child;
    }
    dup2(ends[0], STDIN_FILENO);
    dup2(file, STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    execlp("gnuplot", "gnuplot", "-", (char*)NULL);
    _exit(NO_GNUPLOT);
}

// feed the script and wait; a gnuplot that dies early must not end us with SIGPIPE
static int feed(const Run* run, pid_t child, int input) {
    struct sigaction ignore = {0};
    struct sigaction before;
    ignore.sa_handler = SIG_IGN;
    sigemptyset(&ignore.sa_mask);
    sigaction(SIGPIPE, &ignore, &before);
    FILE* stream = fdopen(input, "w");
    if (stream) {
        write_script(stream, run);
        fclose(stream);
    } else {
        close(input);
    }
    sigaction(SIGPIPE, &before, NULL);

    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// run gnuplot into an open file; returns its exit code, or -1
static int draw(const Run* run, int file) {
    int ends[2];
    if (pipe(ends) != 0) {
        return -1;
    }
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    pid_t child = start_gnuplot(ends, file);
    close(ends[0]);
    if (child < 0) {
        close(ends[1]);
        return -1;
    }
    return feed(run, child, ends[1]);
}

bool run_can_plot(const Run* run) {
    char part[CLI_PATH + 8];
    if (run->plot[0] == '\0') {
        return true;
    }
    snprintf(part, sizeof part, "%s.part", run->plot);
    FILE* stream = fopen(part, "wb");
    if (!stream) {
        cli_complain(run->options.command, CLI_USAGE, "cannot write '%s': %s", run->plot,
                     strerror(errno));
        return false;
    }
    fclose(stream);
    remove(part);
    return true;
}

int run_plot(const Run* run) {
    if (run->n_column == 0) {
        return cli_complain(run->options.command, CLI_FAILED, "no plot: no signals were recorded");
    }
    char part[CLI_PATH + 8];
    snprintf(part, sizeof part, "%s.part", run->plot);
    int file = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0) {
        return cli_complain(run->options.command, CLI_FAILED, "cannot write '%s': %s", run->plot,
                            strerror(errno));
    }
    fflush(stdout);
    fflush(stderr);
    int code = draw(run, file);
    bool is_closed = close(file) == 0;
    if (code == 0 && is_closed && rename(part, run->plot) == 0) {
        return CLI_DONE;
    }
    remove(part);
    if (code == NO_GNUPLOT) {
        return cli_complain(
            run->options.command, CLI_FAILED,
            "no plot: gnuplot is not installed; the package is gnuplot-nox on Debian "
            "and Ubuntu, gnuplot elsewhere");
    }
    return cli_complain(run->options.command, CLI_FAILED, "no plot: gnuplot failed on '%s'",
                        run->plot);
}
