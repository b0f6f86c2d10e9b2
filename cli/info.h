// SPDX-License-Identifier: Apache-2.0
// What `elver info` shows: a model and its start.
#ifndef ELVER_CLI_INFO_H
#define ELVER_CLI_INFO_H

#include "cli.h"

typedef struct {
    const ElvModel* model;
    const ElvSpec* spec;
    ElvState* state; // at the start
    ElvData* data;
    ElvSignals* signals;
    int n_loop; // loops, sliders and constraints
    bool is_closed;
    bool is_open;    // a loop cannot be closed: the layout as it is
    bool is_started; // what follows is what a run records first
    ElvClosureReport closure;
    bool has_class; // something is imposed, or rolls, and something is free
    ElvLocomotionReport report;
    double* value; // signals at the start           (n_column)
    ElvEnergy energy;
    ElvMomentum momentum;
    double* breakpoint; // the first within the duration (n_breakpoint)
    size_t n_breakpoint;
} CliInfo;

/// Class of a robot at a state; false: it has none.
bool cli_classify(const ElvModel* model, const ElvState* state, ElvLocomotionReport* report);

/// What drives a joint.
const char* cli_drive_name(const ElvNodeInfo* node);

/// Formulas of methods without modes, in space and between instants, as model files spell them.
const char* cli_runge_name(ElvRunge runge);
const char* cli_history_name(ElvHistory history);

/// The fluid and what elements feel of it: nothing without one.
void cli_info_fluid(const ElvModel* model);
void cli_info_fluid_json(const ElvModel* model);

/// Actuators, controllers, loops and constraints: laws with their units, paths, unknowns (info_actuator.c).
void cli_info_devices(const CliInfo* info);

/// The listing for people, and the same as JSON (info_json.c).
void cli_info_print(const CliInfo* info);
void cli_info_print_json(const CliInfo* info);

#endif
