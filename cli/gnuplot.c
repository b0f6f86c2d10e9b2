// SPDX-License-Identifier: Apache-2.0
// Plots through gnuplot: its script and data go through a pipe to its standard input, its SVG from
// its standard output to a temporary file that is renamed at the end, or to ours. No shell and no file name is
// involved, so names may hold anything. POSIX: processes and pipes.
#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier): POSIX's own name

#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NO_GNUPLOT = 127 };

void cli_gnuplot_quoted(FILE* stream, const char* text, size_t n) {
    fputc('\'', stream);
    for (size_t i = 0; i < n; i++) {
        if (text[i] == '\'') {
            fputc('\'', stream);
        }
        fputc(text[i] >= 0 && text[i] < ' ' ? ' ' : text[i], stream);
    }
    fputc('\'', stream);
}

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
static int feed(CliScript write, const void* user, pid_t child, int input) {
    struct sigaction ignore = {0};
    struct sigaction before;
    ignore.sa_handler = SIG_IGN;
    sigemptyset(&ignore.sa_mask);
    sigaction(SIGPIPE, &ignore, &before);
    FILE* stream = fdopen(input, "w");
    if (stream) {
        write(stream, user);
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
static int draw(CliScript write, const void* user, int file) {
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
    return feed(write, user, child, ends[1]);
}

static int explain(const char* command, int code, const char* path) {
    if (code == NO_GNUPLOT) {
        return cli_complain(
            command, CLI_FAILED,
            "no plot: gnuplot is not installed; the package is gnuplot-nox on Debian "
            "and Ubuntu, gnuplot elsewhere");
    }
    return cli_complain(command, CLI_FAILED, "no plot: gnuplot failed on '%s'", path);
}

int cli_gnuplot(const char* command, const char* path, CliScript write, const void* user) {
    if (!path) {
        fflush(stdout);
        fflush(stderr);
        int code = draw(write, user, STDOUT_FILENO);
        return code == 0 ? CLI_DONE : explain(command, code, "standard output");
    }
    char part[CLI_PATH + 8];
    snprintf(part, sizeof part, "%s.part", path);
    int file = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0) {
        return cli_complain(command, CLI_FAILED, "cannot write '%s': %s", path, strerror(errno));
    }
    fflush(stdout);
    fflush(stderr);
    int code = draw(write, user, file);
    bool is_closed = close(file) == 0;
    if (code == 0 && is_closed && rename(part, path) == 0) {
        return CLI_DONE;
    }
    remove(part);
    return explain(command, code, path);
}
