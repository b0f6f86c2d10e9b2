// SPDX-License-Identifier: Apache-2.0
// A trajectory that is read, and the formats it may have. A format finds what is in a file when it
// opens it, and reads blocks of records when they are asked for.
#ifndef ELVER_IO_TRAJECTORY_OPEN_H
#define ELVER_IO_TRAJECTORY_OPEN_H

#include "base/pool.h"
#include "elver/io.h"

/// One record in the memory of a trajectory, until the next one is asked for.
typedef struct {
    const double* t;
    const double* q;     // these four: NULL where there are no states
    const double* v;     //
    const double* a;     //
    const double* z;     //
    const double* value; // of the signals, NULL where there are none    (n_signal)
} ElvTrajectoryRow;

typedef struct {
    /// Find record i, which is there. model: NULL leaves the state out; else it must be the one of
    /// the states.
    ElvStatus (*find)(ElvTrajectory* trajectory,
                      long i,
                      const ElvModel* model,
                      bool has_values,
                      ElvTrajectoryRow* row,
                      ElvError* error);
    void (*close)(ElvTrajectory* trajectory);
} ElvTrajectorySource;

/// The head of every format; all its memory is in the pool.
struct ElvTrajectory {
    const ElvTrajectorySource* source;
    ElvPool pool;
    const char* path; // of the file itself, in a folder too
    long n_record;
    bool is_complete, is_statics, has_states;
    const char* model_text;  // may be NULL
    const char* const* name; // of the signals   (n_signal)
    const char* const* unit; //                  (n_signal)
    int n_signal;
};

/// What a format makes of a file that can be opened. On failure nothing of it is left.
ElvStatus elv_trajectory_source_hdf5(const char* path, ElvTrajectory** trajectory, ElvError* error);
ElvStatus elv_trajectory_source_csv(const char* path, ElvTrajectory** trajectory, ElvError* error);

#endif
