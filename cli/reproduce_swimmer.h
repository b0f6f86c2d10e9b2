// SPDX-License-Identifier: Apache-2.0
// Inside of the figures of swimmers: runs of shipped models with some signals recorded.
#ifndef ELVER_CLI_REPRODUCE_SWIMMER_H
#define ELVER_CLI_REPRODUCE_SWIMMER_H

#include "reproduce.h"

/// Signals of a run, a row for each record, the first column the time.
typedef struct {
    int n, n_column;
    double* value; // (n x n_column)
    int capacity;
    ElvSignals* signals;
    ElvRecordCallback look; // called as well, with user; NULL: nothing
    void* user;
} SwimmerRun;

/// Run the example `model`, with n_set changes "KEY=VALUE", and record signals every so often. run:
/// all zero but for look and user; free it in any case. Prints why it fails and returns an exit
/// code.
int swimmer_run(const char* model,
                const char* const* set,
                int n_set,
                const char* const* signal,
                int n_signal,
                double every,
                SwimmerRun* run);
void swimmer_run_free(SwimmerRun* run);

static inline double swimmer_at(const SwimmerRun* run, int row, int column) {
    return run->value[(size_t)row * (size_t)run->n_column + (size_t)column];
}

/// Open a CSV for writing; NULL with *code where that fails.
FILE* swimmer_open(const char* out, int* code);

#endif
