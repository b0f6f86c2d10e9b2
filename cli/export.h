// SPDX-License-Identifier: Apache-2.0
// The parts of `elver export`: models as text, tables of signals, moving pictures.
#ifndef ELVER_CLI_EXPORT_H
#define ELVER_CLI_EXPORT_H

#include "cli.h"

typedef struct {
    const char* input;   // as given, or NULL
    const char* out;     // or NULL
    const char** signal; // (n_signal)
    int n_signal;
    bool is_quiet;
    CliOverrides overrides;
} ExportOptions;

/// Signals of a trajectory as .csv or .npy: those asked for, or all that were recorded (export_table.c). Returns an exit
/// code, as the next.
int export_table(const ExportOptions* options);

/// A trajectory as .glb or .pvd (export_view.c).
int export_view(const ExportOptions* options);

#endif
