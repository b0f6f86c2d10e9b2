// SPDX-License-Identifier: Apache-2.0
// The parts of `elver statics`: words, loads one by one, paths through limit points.
#ifndef ELVER_CLI_STATICS_H
#define ELVER_CLI_STATICS_H

#include "run.h"

/// A limit point or bifurcation that was met.
typedef struct {
    ElvContinuationKind kind;
    double load;
    double* null_vector; // (nv)
} CriticalPoint;

typedef struct {
    Run run; // first: the callbacks of a run take it
    // words
    bool is_path;       // --continue
    bool has_stability; // a column of it
    bool is_study;      // --mode-study
    int branch, branch_at;
    double max_step;
    int max_points;
    // results
    ElvStaticsReport report;
    ElvContinuationReport path;
    ElvStabilityReport stability; // of the last equilibrium
    bool is_judged;
    ElvError undecided; // why a stability is not known
    int n_undecided;    // rows without
    double load_start;
    CriticalPoint* critical; // (n_critical)
    int n_critical;
} Statics;

/// Returns true to go on; else *code is the exit code (statics_options.c).
bool statics_parse(int argc, char** argv, Statics* statics, int* code);

/// Follow the path (statics_path.c); fills run.status and run.error.
void statics_follow(Statics* statics);

/// What the path met: for people on stderr, as members of a JSON object on stdout.
void statics_print_path(const Statics* statics);
void statics_json_path(const Statics* statics);

/// Whether the path has left where it was asked to; complains if not, and returns an exit code.
int statics_check_branch(const Statics* statics);

void statics_free_path(Statics* statics);

#endif
