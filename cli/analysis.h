// SPDX-License-Identifier: Apache-2.0
// What `elver modes` and `elver linearize` share: the state they look at, and tables in files.
#ifndef ELVER_CLI_ANALYSIS_H
#define ELVER_CLI_ANALYSIS_H

#include "cli.h"

enum { CLI_MAX_NAMES = 256 };

/// Words of both commands.
typedef struct {
    const char* model;
    const char* out;
    bool is_json;
    bool is_initial; // the initial shape, not an equilibrium
    double load;     // NaN: that of the model file
    int count;       // modes to show; 0: not said
    bool is_all;     // all modes
    const char* input[CLI_MAX_NAMES];
    int n_input;
    const char* signal[CLI_MAX_NAMES];
    int n_signal;
    CliOverrides overrides;
} AnalysisOptions;

/// Returns true to go on; else *code is the exit code. Free the overrides either way.
bool analysis_parse(
    const char* command, int argc, char** argv, AnalysisOptions* options, int* code);

/// The state to look at: at rest, in the initial shape if asked for or if that is in balance, else in the
/// equilibrium at the last of statics.loads or at the load given.
ElvStatus analysis_rest(const ElvModel* model,
                        const AnalysisOptions* options,
                        ElvState** state,
                        ElvError* error);

/// Write rows of numbers as CSV or, if path ends in .npy, as NPY; name NULL: without heads, a plain
/// matrix. Prints why it fails and returns an exit code.
int analysis_write_table(const char* command,
                         const char* path,
                         const char* const* name,
                         size_t n_row,
                         size_t n_column,
                         const double* value);

#endif
