// SPDX-License-Identifier: Apache-2.0
// A trajectory that is looked at again: its records, and its states in the model that it holds.
#ifndef ELVER_CLI_REPLAY_H
#define ELVER_CLI_REPLAY_H

#include "cli.h"

typedef struct {
    const char* path; // as given
    ElvTrajectory* trajectory;
    long n_record;
    const CliOverrides* overrides; // put over the model; NULL: none
    // by cli_replay_states
    ElvModel* model;
    ElvState* state;
    ElvData* data;
    double* tau;
} CliReplay;

/// Whether a word names a trajectory: its ending, or a folder that is there.
bool cli_is_trajectory(const char* word);

/// Open a trajectory; a note says, unless is_quiet, that it was cut short. Prints why it fails and returns an exit code.
int cli_replay_open(const char* command, const char* path, bool is_quiet, CliReplay* replay);

/// Whether what was not recorded can be computed: there are states, and their model.
bool cli_replay_has_states(const CliReplay* replay);

/// Make the model, once. Prints why it fails and returns an exit code.
int cli_replay_states(const char* command, CliReplay* replay);

/// Read the state of record i, and compute what signals and pictures need; after cli_replay_states.
ElvStatus cli_replay_read(CliReplay* replay, long i, ElvError* error);

/// Whether a signal is an account of the whole run so far, which a state does not tell.
bool cli_replay_is_account(const char* signal);

void cli_replay_free(CliReplay* replay);

#endif
