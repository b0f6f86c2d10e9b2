// SPDX-License-Identifier: Apache-2.0
// Parts of `elver gait`.
#ifndef ELVER_CLI_GAIT_H
#define ELVER_CLI_GAIT_H

#include "analysis.h"

/// Words of the command.
typedef struct {
    const char* model;
    const char* out;
    const char* over;       // or NULL
    const char* connection; // or NULL
    bool is_json;
    double from, to, period; // period 0: to be found
    int points;
    CliOverrides overrides;
} GaitOptions;

typedef struct {
    GaitOptions options;
    CliModel loaded;
    ElvState* state;
    ElvConnection kind;
    int n_free, n_imposed;
    double* A; // at the start               (n_free x n_imposed)
    double* F; // of the first two           (n_free)
    ElvLocomotionReport report;
    ElvCompatibility compatibility;
    ElvGait gait;
    bool has_gait;
    char no_gait[ELV_SIZE_MESSAGE]; // why there is none
} Gait;

/// "NODE.K" of a velocity component, or "NODE" of a joint with one.
void gait_name(const ElvModel* model, int i_v, char text[2 * ELV_SIZE_NAME]);

/// Write the field to the file of the options. Prints why it fails and returns an exit code.
int gait_write_field(Gait* gait);

#endif
