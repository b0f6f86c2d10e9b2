// SPDX-License-Identifier: Apache-2.0
// The parts of `elver statics`: words, loads one by one, stability, paths through limit points.
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

// ---- stability (statics_stability.c)

/// Whether equilibria are found by shooting, and judged by conjugate points.
bool statics_is_shooting(const Statics* statics);

/// Append the column of stability, if there is to be one.
ElvStatus statics_append_column(Statics* statics, ElvError* error);

/// Its value in a row.
double statics_judge_row(Statics* statics, const ElvModel* model, const ElvState* state);

/// What the motion of the modes about the last equilibrium tells.
void statics_judge(Statics* statics);

/// The verdict on the last equilibrium: for people on stderr, as members of a JSON object on stdout.
void statics_print_stability(const Statics* statics);
void statics_json_stability(const Statics* statics);

// ---- paths

/// Follow the path (statics_path.c); fills run.status and run.error.
void statics_follow(Statics* statics);

/// What the path met: for people on stderr, as members of a JSON object on stdout.
void statics_print_path(const Statics* statics);
void statics_json_path(const Statics* statics);

/// Whether the path has left where it was asked to; complains if not, and returns an exit code.
int statics_check_branch(const Statics* statics);

void statics_free_path(Statics* statics);

#endif
