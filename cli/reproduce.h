// SPDX-License-Identifier: Apache-2.0
// Figures and tables of the papers, each in a file of its own. Each prints itself and returns an exit code.
#ifndef ELVER_CLI_REPRODUCE_H
#define ELVER_CLI_REPRODUCE_H

#include "cli.h"

/// What may be asked of a figure beside its name.
typedef struct {
    const char* out; // CSV, or NULL
    bool has_plot;
    const char* plot; // SVG, or NULL: a name of its own
    bool is_quick;    // less of everything
    bool is_json;
} ReproduceOptions;

/// Cost of four single rods.                                                        [P23 table I]
int reproduce_p23_table1(void);

/// Errors of six schemes of finite differences.                                   [RKMK table III]
int reproduce_rkmk_table3(void);

/// Critical time steps of shooting.                                             [OCP (87)-(88)]
int reproduce_ocp_dtc(void);

/// Forward dynamics as a singular Riccati sweep.                               [OCP appendix 2]
int reproduce_ocp_singular(void);

/// Gauss' constraint of accelerations.                                           [OCP (28)-(36)]
int reproduce_ocp_gauss(void);

/// The swimmer with tendons: torques and speed.                                     [P23 fig 16]
int reproduce_p23_fig16(const ReproduceOptions* options);

/// The swimmer with controlled strains: velocity of its head.                          [OCP fig 6]
int reproduce_ocp_fig6(const ReproduceOptions* options);

/// One rod by six methods.
int reproduce_methods(const ReproduceOptions* options);

// ---- runs (reproduce_simulate.c)

/// elv_simulate with a progress line; Ctrl-C ends it, with ELV_ERROR_CANCELLED.
ElvStatus reproduce_simulate(const ElvModel* model,
                             ElvState* state,
                             const ElvSimulateOptions* options,
                             ElvIntegratorReport* report,
                             ElvError* error);

/// ELV_ERROR_CANCELLED after Ctrl-C: for loops without runs.
ElvStatus reproduce_check(ElvError* error);

// ---- the tip of a rod (reproduce_trace.c)

/// Where the tip of the rod "rod" has been.
typedef struct {
    ElvFrame tip;
    ElvVec3* at; // (n)
    int n, capacity;
    ElvIntegratorReport report;
    double cpu; // s
} ReproducePath;

/// Simulate from rest, or what the method starts from, until its duration is over, and note the tip at t = 0 and every
/// so often. path: all zero, or traced before; free it in any case.
ElvStatus reproduce_trace(const ElvModel* model,
                          const ElvSimulateDef* method,
                          double every,
                          ReproducePath* path,
                          ElvError* error);
void reproduce_path_free(ReproducePath* path);

/// Returns false without memory. to: all zero.
bool reproduce_path_copy(const ReproducePath* from, ReproducePath* to);

/// Largest distance of two paths at any time; infinite if one is longer.
double reproduce_distance(const ReproducePath* path, const ReproducePath* other);

// ---- shooting over the rods of p23-table1 (reproduce_shooting.c)

typedef struct {
    const char* title;
    const ElvModel* model;
    double published; // CPU seconds per simulated second; negative: it fails
    int segments;     // with which it gets through
} ReproduceRod;

/// Print the head of the table, and a row.
void reproduce_shooting_head(void);
ElvStatus reproduce_shooting(const ReproduceRod* rod, ElvError* error);

#endif
