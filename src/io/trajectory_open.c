// SPDX-License-Identifier: Apache-2.0
// Trajectories opened to be read, one record at a time. The ending says the format, and a folder
// stands for the trajectory.h5 in it, or the trajectory.csv where there is none. POSIX: folders.
#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier): POSIX's own name

#include "io/trajectory_open.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH_SIZE = 4096 };

static ElvStatus fail_read(const char* path, const char* reason, ElvError* error) {
    return elv_error_set(error, ELV_ERROR_FILE, NULL, NULL, "cannot read '%.400s': %s", path,
                         reason);
}

// the file that a path stands for: itself, or what a folder holds
static bool file_of(const char* path, char used[PATH_SIZE]) {
    static const char* const inside[] = {"/trajectory.h5", "/trajectory.csv"};
    struct stat info;
    bool is_folder = stat(path, &info) == 0 && S_ISDIR(info.st_mode);
    int n = snprintf(used, PATH_SIZE, "%s%s", path, is_folder ? inside[0] : "");
    if (is_folder && n < PATH_SIZE && stat(used, &info) != 0) {
        // messages are about the first, unless the second is there
        char other[PATH_SIZE];
        n = snprintf(other, PATH_SIZE, "%s%s", path, inside[1]);
        if (n < PATH_SIZE && stat(other, &info) == 0) {
            memcpy(used, other, (size_t)n + 1);
        }
    }
    return n < PATH_SIZE;
}

static bool ends_in(const char* text, const char* ending) {
    size_t n = strlen(text);
    size_t n_ending = strlen(ending);
    return n >= n_ending && strcmp(text + n - n_ending, ending) == 0;
}

// what reads blocks here and there needs a file, not a pipe
static ElvStatus check_file(const char* path, ElvError* error) {
    struct stat info;
    FILE* probe = stat(path, &info) == 0 ? fopen(path, "rb") : NULL;
    if (!probe) {
        return fail_read(path, strerror(errno), error);
    }
    fclose(probe);
    if (!S_ISREG(info.st_mode)) {
        return fail_read(path, "it is no file that can be read here and there", error);
    }
    return ELV_OK;
}

ElvStatus elv_trajectory_open(const char* path, ElvTrajectory** trajectory, ElvError* error) {
    *trajectory = NULL;
    char used[PATH_SIZE];
    if (!file_of(path, used)) {
        return elv_error_set(error, ELV_ERROR_FILE, NULL, NULL, "the file name is too long");
    }
    ElvStatus status = check_file(used, error);
    if (status != ELV_OK) {
        return status;
    }
    bool is_csv = ends_in(used, ".csv");
    return (is_csv ? elv_trajectory_source_csv : elv_trajectory_source_hdf5)(used, trajectory,
                                                                             error);
}

void elv_trajectory_free(ElvTrajectory* trajectory) {
    if (trajectory) {
        trajectory->source->close(trajectory);
        elv_pool_free(&trajectory->pool);
        free(trajectory);
    }
}

// ---- what it holds

long elv_trajectory_n_record(const ElvTrajectory* trajectory) {
    return trajectory->n_record;
}

bool elv_trajectory_is_complete(const ElvTrajectory* trajectory) {
    return trajectory->is_complete;
}

bool elv_trajectory_is_statics(const ElvTrajectory* trajectory) {
    return trajectory->is_statics;
}

bool elv_trajectory_has_states(const ElvTrajectory* trajectory) {
    return trajectory->has_states;
}

const char* elv_trajectory_model_text(const ElvTrajectory* trajectory) {
    return trajectory->model_text;
}

int elv_trajectory_n_signal(const ElvTrajectory* trajectory) {
    return trajectory->n_signal;
}

const char* elv_trajectory_signal_name(const ElvTrajectory* trajectory, int i) {
    assert(i >= 0 && i < trajectory->n_signal);
    return trajectory->name[i];
}

const char* elv_trajectory_signal_unit(const ElvTrajectory* trajectory, int i) {
    assert(i >= 0 && i < trajectory->n_signal);
    return trajectory->unit[i];
}

// ---- one record

static void copy(double* to, const double* from, int n) {
    if (n > 0 && from) {
        memcpy(to, from, (size_t)n * sizeof *to);
    }
}

// whether record i can be asked for, with a state
static ElvStatus check_call(const ElvTrajectory* trajectory,
                            long i,
                            const ElvModel* model,
                            const ElvState* state,
                            ElvError* error) {
    if (i < 0 || i >= trajectory->n_record) {
        return elv_error_set(error, ELV_ERROR_INPUT, NULL, NULL,
                             "'%.400s' has no record %ld: it has %ld", trajectory->path, i,
                             trajectory->n_record);
    }
    if (!state) {
        return ELV_OK;
    }
    if (!model || state->nq != elv_model_nq(model) || state->nv != elv_model_nv(model) ||
        state->nz != elv_model_nz(model)) {
        return elv_error_set(error, ELV_ERROR_INPUT, NULL, NULL,
                             "the state belongs to another model");
    }
    if (ends_in(trajectory->path, ".csv")) {
        return elv_error_set(error, ELV_ERROR_INPUT, NULL, NULL,
                             "'%.400s' has no states, only signals: trajectories with states are "
                             ".h5 files",
                             trajectory->path);
    }
    return ELV_OK;
}

ElvStatus elv_trajectory_read(ElvTrajectory* trajectory,
                              long i,
                              const ElvModel* model,
                              double* t,
                              ElvState* state,
                              double* value,
                              ElvError* error) {
    ElvStatus status = check_call(trajectory, i, model, state, error);
    ElvTrajectoryRow row = {NULL, NULL, NULL, NULL, NULL, NULL};
    if (status == ELV_OK) {
        status = trajectory->source->find(trajectory, i, state ? model : NULL, value != NULL, &row,
                                          error);
    }
    // a failure leaves all as it was
    if (status != ELV_OK) {
        return status;
    }
    if (t) {
        *t = *row.t;
    }
    if (value) {
        copy(value, row.value, trajectory->n_signal);
    }
    if (state) {
        state->t = *row.t;
        copy(state->q, row.q, state->nq);
        copy(state->v, row.v, state->nv);
        copy(state->a, row.a, state->nv);
        copy(state->z, row.z, state->nz);
    }
    return ELV_OK;
}
