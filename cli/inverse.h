// SPDX-License-Identifier: Apache-2.0
// The parts of `elver inverse`: what is recorded, the rows, what is said of them.
#ifndef ELVER_CLI_INVERSE_H
#define ELVER_CLI_INVERSE_H

#include "run.h"

typedef struct {
    Run run; // first: the callbacks of a run take it
    ElvInverseReport report;
    ElvInverseKind kind;
    bool is_static;     // rows are of loads
    double t_missed;    // first load at which the tip was not reached
    int n_own;          // columns beside the signals, the last ones
    ElvSignals* drives; // efforts of all drives, then their velocities
    int n_drive;        // components
    double* value;      // of drives                        (2 n_drive)
    double* effort;     // largest, by component            (n_drive)
    double* power;      // largest, by component            (n_drive)
} Inverse;

// inverse_signals.c

/// Signals of the model file, or those that its inverse problem has by default, and columns beside them.
ElvStatus inverse_make_signals(Inverse* inverse, ElvError* error);

/// Signals of all drives, for the summary.
ElvStatus inverse_make_drives(Inverse* inverse, ElvError* error);

/// Values of the columns beside the signals, from the last row of the report.
void inverse_fill_own(Inverse* inverse);

// inverse_summary.c

/// Why there are no more rows, and which ones did not reach the tip; on stderr.
void inverse_print_failure(const Inverse* inverse);
void inverse_print_missed(const Inverse* inverse);

/// What was found: for people on stderr, or as JSON on stdout.
void inverse_print_summary(const Inverse* inverse);

#endif
