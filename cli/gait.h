// SPDX-License-Identifier: Apache-2.0
// Parts of `elver gait`.
#ifndef ELVER_CLI_GAIT_H
#define ELVER_CLI_GAIT_H

#include "analysis.h"
#include "progress.h"

/// Words of the command.
typedef struct {
    const char* model;
    const char* out;
    const char* over;       // or NULL
    const char* connection; // or NULL
    bool is_json, has_plot, is_quiet;
    const char* plot;        // SVG, or NULL: a name of its own
    double from, to, period; // period 0: to be found
    double start;            // of the cycle, s
    bool has_range;          // from or to is given
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
    // what motors of wheels add at the start, where shape and motors decide on all; or NULL
    // (n_free)
    double* motors;
    ElvLocomotionReport report;
    ElvCompatibility compatibility;
    ElvGait gait;
    bool has_gait;
    // by the dynamics from the state of the model, where constraints leave something free
    ElvGait own;
    bool has_own;
    double* change;                 // of free velocities in it, or NULL (n_free)
    char no_gait[ELV_SIZE_MESSAGE]; // why there is none
    char plot[CLI_PATH];            // empty: none
} Gait;

/// The connection over a grid of imposed coordinates, one or two of them.
typedef struct {
    int n_over;                      // coordinates
    int place[2];                    // among imposed velocities
    int i_q[2];                      // and coordinates
    double lo[2], hi[2];             // their range
    size_t n_point;                  // along each
    size_t n_row, width;             // a row: coordinates, A of each, curvature where there are two
    double* value;                   // (n_row x width)
    char (*name)[6 * ELV_SIZE_NAME]; // of the columns    (width)
} GaitField;

extern const char* const gait_connection_names[ELV_N_CONNECTION];

/// "NODE.K" of a velocity component, or "NODE" of a joint with one.
void gait_name(const ElvModel* model, int i_v, char text[2 * ELV_SIZE_NAME]);

/// Choose the coordinates of a field: as the options say, or the first two, or the only one where
/// one will do.
int gait_field_choose(const Gait* gait, bool takes_one, GaitField* field);

/// Fill a field over its range. Free with gait_field_free, also after a failure.
int gait_field_fill(Gait* gait, GaitField* field);
void gait_field_free(GaitField* field);

/// Draw the connection, its curvature and the gait to the file of the plot.
int gait_plot(Gait* gait);

void gait_print_people(const Gait* gait);
void gait_print_json(const Gait* gait);

/// Write the field to the file of the options. Prints why it fails and returns an exit code.
int gait_write_field(Gait* gait);

#endif
