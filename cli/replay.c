// SPDX-License-Identifier: Apache-2.0
// Trajectories that are looked at again: the model is read from the text that they hold. POSIX: folders.
#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier): POSIX's own name

#include "replay.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool cli_is_trajectory(const char* word) {
    struct stat info;
    bool is_folder = word[0] != '@' && stat(word, &info) == 0 && S_ISDIR(info.st_mode);
    return is_folder || cli_ends_in(word, ".h5") || cli_ends_in(word, ".hdf5") ||
           cli_ends_in(word, ".csv");
}

// a run that failed or was interrupted
static void note_short(const char* command, CliReplay* replay) {
    double t = 0.0;
    bool is_statics = elv_trajectory_is_statics(replay->trajectory);
    if (elv_trajectory_read(replay->trajectory, replay->n_record - 1, NULL, &t, NULL, NULL, NULL) ==
        ELV_OK) {
        (void)cli_complain(command, CLI_DONE,
                           "note: '%s' was interrupted or failed: it ends at %s%.6g%s",
                           replay->path, is_statics ? "load " : "t = ", t, is_statics ? "" : " s");
    }
}

int cli_replay_open(const char* command, const char* path, bool is_quiet, CliReplay* replay) {
    ElvError error;
    elv_error_clear(&error);
    memset(replay, 0, sizeof *replay);
    replay->path = path;
    ElvStatus status = elv_trajectory_open(path, &replay->trajectory, &error);
    if (status != ELV_OK) {
        return cli_complain_error(command, cli_exit_code(status), &error);
    }
    replay->n_record = elv_trajectory_n_record(replay->trajectory);
    if (replay->n_record == 0) {
        return cli_complain(command, CLI_USAGE, "'%s' has no record", path);
    }
    if (!is_quiet && !elv_trajectory_is_complete(replay->trajectory)) {
        note_short(command, replay);
    }
    return CLI_DONE;
}

bool cli_replay_has_states(const CliReplay* replay) {
    return elv_trajectory_has_states(replay->trajectory) &&
           elv_trajectory_model_text(replay->trajectory);
}

int cli_replay_states(const char* command, CliReplay* replay) {
    if (replay->model) {
        return CLI_DONE;
    }
    if (!cli_replay_has_states(replay)) {
        return cli_complain(command, CLI_USAGE,
                            "'%s' has signals alone, no states and model: a .h5 file of 'elver "
                            "run' has them",
                            replay->path);
    }
    const char* text = elv_trajectory_model_text(replay->trajectory);
    const CliOverrides* overrides = replay->overrides;
    ElvError error;
    elv_error_clear(&error);
    ElvStatus status =
        elv_model_read_text(text, strlen(text), replay->path, overrides ? overrides->item : NULL,
                            overrides ? overrides->n : 0, &replay->model, &error);
    if (status == ELV_OK) {
        status = elv_state_create(replay->model, &replay->state, &error);
    }
    if (status == ELV_OK) {
        status = elv_data_create(replay->model, &replay->data, &error);
    }
    if (status != ELV_OK) {
        return cli_complain_error(command, cli_exit_code(status), &error);
    }
    replay->tau = calloc((size_t)elv_model_nv(replay->model) + 1, sizeof *replay->tau);
    return replay->tau ? CLI_DONE : cli_complain(command, CLI_FAILED, "out of memory");
}

ElvStatus cli_replay_read(CliReplay* replay, long i, ElvError* error) {
    ElvStatus status =
        elv_trajectory_read(replay->trajectory, i, replay->model, NULL, replay->state, NULL, error);
    if (status == ELV_OK) {
        elv_idm(replay->model, replay->data, replay->state, replay->tau);
    }
    return status;
}

bool cli_replay_is_account(const char* signal) {
    return strcmp(signal, "work") == 0 || strncmp(signal, "work.", 5) == 0;
}

void cli_replay_free(CliReplay* replay) {
    free(replay->tau);
    elv_data_free(replay->data);
    elv_state_free(replay->state);
    elv_model_free(replay->model);
    elv_trajectory_free(replay->trajectory);
    memset(replay, 0, sizeof *replay);
}
