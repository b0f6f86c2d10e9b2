// SPDX-License-Identifier: Apache-2.0
// One record of a trajectory as a state, to restart from, and the model's text.
#include "elver/io.h"
#include "io/trajectory_open.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// a time far from all records is a mistake
static ElvStatus check_time(const ElvTrajectory* trajectory,
                            double first,
                            double last,
                            double every,
                            double t,
                            ElvError* error) {
    long n = trajectory->n_record;
    double interval = n > 1 ? fmax(every, (last - first) / (double)(n - 1)) : every;
    if (t < first - interval || t > last + interval) {
        return elv_error_set(error, ELV_ERROR_INPUT, NULL, NULL,
                             "'%.200s' has no record near t = %.9g: its records are from %.9g to "
                             "%.9g",
                             trajectory->path, t, first, last);
    }
    return ELV_OK;
}

// the record nearest to t, the last one if t is not finite
static ElvStatus
find_record(ElvTrajectory* trajectory, double every, double t, long* i_record, ElvError* error) {
    long n = trajectory->n_record;
    if (n == 0) {
        return elv_error_set(error, ELV_ERROR_INPUT, NULL, NULL, "'%.400s' has no record",
                             trajectory->path);
    }
    *i_record = n - 1;
    if (!isfinite(t)) {
        return ELV_OK;
    }
    double first = 0.0;
    double now = 0.0;
    double nearest = INFINITY;
    for (long i = 0; i < n; i++) {
        ElvStatus status = elv_trajectory_read(trajectory, i, NULL, &now, NULL, NULL, error);
        if (status != ELV_OK) {
            return status;
        }
        first = i == 0 ? now : first;
        if (fabs(now - t) < nearest) {
            nearest = fabs(now - t);
            *i_record = i;
        }
    }
    return check_time(trajectory, first, now, every, t, error);
}

ElvStatus elv_trajectory_read_state(
    const char* path, const ElvModel* model, double t, ElvState* state, ElvError* error) {
    ElvTrajectory* trajectory = NULL;
    long i = 0;
    ElvStatus status = elv_trajectory_open(path, &trajectory, error);
    // a file of another model has no time to be asked for
    if (status == ELV_OK && trajectory->n_record > 0) {
        ElvTrajectoryRow row;
        status = trajectory->source->find(trajectory, 0, model, false, &row, error);
    }
    if (status == ELV_OK) {
        status = find_record(trajectory, elv_model_record(model).every, t, &i, error);
    }
    if (status == ELV_OK) {
        status = elv_trajectory_read(trajectory, i, model, NULL, state, NULL, error);
    }
    elv_trajectory_free(trajectory);
    return status;
}

// a copy for the caller
static ElvStatus copy_text(const char* text, char** copy, ElvError* error) {
    size_t size = strlen(text) + 1;
    *copy = malloc(size);
    if (!*copy) {
        return elv_error_set(error, ELV_ERROR_MEMORY, NULL, NULL, "out of memory");
    }
    memcpy(*copy, text, size);
    return ELV_OK;
}

ElvStatus elv_trajectory_read_model(const char* path, char** text, ElvError* error) {
    *text = NULL;
    ElvTrajectory* trajectory = NULL;
    ElvStatus status = elv_trajectory_open(path, &trajectory, error);
    if (status != ELV_OK) {
        return status;
    }
    if (trajectory->model_text) {
        status = copy_text(trajectory->model_text, text, error);
    } else {
        status = elv_error_set(error, ELV_ERROR_INPUT, NULL, NULL, "'%.400s' holds no model",
                               trajectory->path);
    }
    elv_trajectory_free(trajectory);
    return status;
}
