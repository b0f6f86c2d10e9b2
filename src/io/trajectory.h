// SPDX-License-Identifier: Apache-2.0
// One file of a trajectory writer, and the formats it may have. A format fills a temporary file;
// what is common to all (checks, temporary names, the final renaming) is in trajectory.c.
#ifndef ELVER_IO_TRAJECTORY_H
#define ELVER_IO_TRAJECTORY_H

#include "base/pool.h"
#include "elver/io.h"

/// What the records of a trajectory consist of; the column of t comes before the others.
typedef struct {
    bool is_statics;         // that column is called "load", not "t"
    const char* const* name; // of the columns         (n_column)
    const char* const* unit; // of the columns         (n_column)
    int n_column;
    int nq, nv, nz;
    const char* const* node; // what they are          (n_node)
    int n_node;
    const char* model_name;
    const char* model_text; // YAML, may be NULL
} ElvTrajectoryLayout;

static inline const char* elv_trajectory_t_name(const ElvTrajectoryLayout* layout) {
    return layout->is_statics ? "load" : "t";
}

typedef struct ElvTrajectoryFile ElvTrajectoryFile;

typedef struct {
    /// Write a record; its numbers are finite.
    ElvStatus (*append)(ElvTrajectoryFile* file,
                        const ElvState* state,
                        const double* value,
                        ElvError* error);

    /// Write what is pending and close the temporary file, also when that fails; says in is_whole
    /// whether the file may be kept.
    ElvStatus (*finish)(ElvTrajectoryFile* file, bool is_complete, ElvError* error);
} ElvTrajectoryOps;

/// The head of every file.
struct ElvTrajectoryFile {
    const ElvTrajectoryOps* ops;
    const char* path; // final name
    const char* part; // temporary name, in the same folder
    bool is_whole;    // set by finish: every record in the file is whole
};

/// Open a file of a format under its temporary name; path is its final one. *file lives in the
/// pool; names and layout must stay valid until finish.
typedef ElvStatus (*ElvTrajectoryOpen)(ElvPool* pool,
                                       const char* path,
                                       const char* part,
                                       const ElvTrajectoryLayout* layout,
                                       ElvTrajectoryFile** file,
                                       ElvError* error);

ElvStatus elv_trajectory_open_csv(ElvPool* pool,
                                  const char* path,
                                  const char* part,
                                  const ElvTrajectoryLayout* layout,
                                  ElvTrajectoryFile** file,
                                  ElvError* error);
ElvStatus elv_trajectory_open_npy(ElvPool* pool,
                                  const char* path,
                                  const char* part,
                                  const ElvTrajectoryLayout* layout,
                                  ElvTrajectoryFile** file,
                                  ElvError* error);
ElvStatus elv_trajectory_open_hdf5(ElvPool* pool,
                                   const char* path,
                                   const char* part,
                                   const ElvTrajectoryLayout* layout,
                                   ElvTrajectoryFile** file,
                                   ElvError* error);

/// ELV_ERROR_FILE "cannot write 'PATH': reason", the reason being that of errno.
ElvStatus elv_trajectory_fail_write(const char* path, int code, ElvError* error);

#endif
