// SPDX-License-Identifier: Apache-2.0
// How far a long command is, in one line on stderr; and the wish to stop it (Ctrl-C).
#ifndef ELVER_CLI_PROGRESS_H
#define ELVER_CLI_PROGRESS_H

#include "elver/elver.h"

#include <stdbool.h>

/// A clock that only runs forward, s.
double cli_clock(void);

/// A line that is written over a few times a second; none when stderr is no terminal.
typedef struct {
    bool is_shown;
    bool is_printed;
    double start, end;            // of what is counted: time, records, loads
    double wall_start, wall_last; // s
} CliProgress;

void cli_progress_start(CliProgress* progress, double start, double end, bool is_quiet);

/// Whether the line is old enough to be written again: ask before what it says is put together.
bool cli_progress_is_due(const CliProgress* progress);

/// Write "40 %  DETAIL  12 s left", x being between start and end; no more than the terminal is wide.
void cli_progress_print(CliProgress* progress, double x, const char* format, ...) ELV_PRINTF(3, 4);

/// Erase the line.
void cli_progress_clear(CliProgress* progress);

/// From here on SIGINT and SIGTERM ask the command to stop; the second one ends the program.
void cli_catch_signals(void);
bool cli_is_interrupted(void);

/// The same as a stop of computations.
ElvStop cli_stop(void);

#endif
