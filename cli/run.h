// SPDX-License-Identifier: Apache-2.0
// The parts of `elver run`, most of which `elver statics` and `elver inverse` share: options, recording,
// progress, summary, plot.
#ifndef ELVER_CLI_RUN_H
#define ELVER_CLI_RUN_H

#include "cli.h"
#include "progress.h"

typedef struct {
    const char* command; // whose options these are
    const char* model;
    const char* out; // or NULL
    const char* restart;
    double restart_time; // NaN: the last record
    bool has_plot;
    const char* plot; // given name, or NULL
    bool is_json;
    bool is_study; // --mode-study
    bool is_quiet;
    CliOverrides overrides;
} RunOptions;

typedef struct {
    RunOptions options;
    CliModel loaded;
    ElvState* state;
    ElvSignals* signals;
    int n_column;
    ElvTrajectoryWriter* writer; // NULL without a file
    bool is_csv;                 // CSV on stdout
    bool is_static;              // rows are of loads, not of times
    char plot[CLI_PATH];         // empty without a plot

    // filled by recording
    double* value;   // last record                  (n_column)
    double* history; // all of them, for the plot    (n_record x (1 + n_column))
    size_t n_record;
    size_t n_room; // of history, in records
    ElvEnergy energy_start;
    double work_error;     // of the accounts of energy at the last record, J
    double energy_most;    // kinetic and elastic energy at any record, where accounts are kept, J
    ElvEnergy energy_last; // of methods without modes, whose state alone does not tell
    ElvMomentum momentum_last;
    ElvFluidDry dry; // worst of all records: added inertia above the surface
    double t_dry;    // and the first time of that, s
    ElvStatus record_status;
    ElvError record_error;

    // filled by the simulation
    CliProgress progress;
    double t_start, t_end;
    ElvIntegratorReport report;
    double cpu; // s
    ElvStatus status;
    ElvError error;
    bool is_complete;
    bool is_plotted;
} Run;

// run_work.c

/// Accounts of energy, where they are kept: a line for people, a member of a JSON object.
void run_print_work(const Run* run);
void run_json_work(const Run* run);

// run_water.c

/// Keep what has left the water with its added inertia; print it.
void run_watch_water(Run* run, const ElvModel* model, ElvData* data, const ElvState* state);
void run_print_water(const Run* run);
void run_json_water(const Run* run);

// run_options.c

/// Returns true to go on; else *code is the exit code.
bool run_parse(const char* command, int argc, char** argv, RunOptions* options, int* code);

/// Name of the plot: as given, OUT with .svg, or the model's name with .svg.
bool run_plot_name(Run* run);

// run_output.c

/// Open the file of the results, or choose standard output. is_static: rows are of loads, not of times.
ElvStatus run_open_output(Run* run, bool is_static, ElvError* error);

/// Let the results appear; without any row nothing is left.
void run_close_output(Run* run);

/// CPU time of the program so far, s.
double run_cpu_time(void);

/// Free all that a run holds, but not itself.
void run_release(Run* run);

// run_record.c

/// Columns that belong together: neighbours with the same name up to the last dot, and one unit.
typedef struct {
    int first, n;
    size_t n_stem; // length of the shared name
} RunGroup;

RunGroup run_next_group(const Run* run, int first);

/// Header line of CSV on stdout; first: its first column, "t" or "load".
void run_csv_header(const Run* run, const char* first);

/// Callback of elv_simulate; user is a Run*.
bool run_record(void* user, const ElvModel* model, ElvData* data, const ElvState* state);

// run_progress.c

/// Callback of elv_simulate; user is a Run*. Stops when the user has asked to.
bool run_progress_step(void* user, double t, const ElvIntegratorReport* report);

/// After a row of `elver statics` or `elver inverse`: x is how far the rows are, name and value the load or time of this
/// one. Returns false when the user has asked to stop.
bool run_progress_row(Run* run, double x, const char* name, double value, long n_iteration);

// run_summary.c

/// Why the simulation stopped early, and what can be done; on stderr.
void run_print_failure(const Run* run);

/// Last values of the first few signals, on stderr.
void run_print_signals(const Run* run);

/// How loops were kept, behind a label; nothing where there are none.
void run_print_closure(const ElvClosureReport* closure, const char* label);

/// Why a method without modes has found no solution, in a word or two; NULL: it has.
const char* run_shot_end(ElvShotEnd end);

/// What was done: for people on stderr, or as JSON on stdout.
void run_print_summary(const Run* run);

// run_strong.c

/// Of methods without modes, for people on stderr, and members of the JSON.
void run_print_shooting(const Run* run);
void run_json_strong(const Run* run);

// mode_study.c

/// `--mode-study` of `elver run` and `elver statics`: the whole command. Returns an exit
/// code.
int cli_mode_study(const char* command, const CliModel* loaded, bool is_static, bool is_json);

// plot.c

/// Whether the plot's file can be written, which is better known before a simulation. Prints why not.
bool run_can_plot(const Run* run);

/// Draw the recorded signals as SVG; one panel for each signal and unit. Prints why it fails.
int run_plot(const Run* run);

#endif
