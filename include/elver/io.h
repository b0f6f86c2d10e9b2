// SPDX-License-Identifier: Apache-2.0
// Model files (YAML, URDF) and trajectories (CSV, HDF5, NPY).
#ifndef ELVER_IO_H
#define ELVER_IO_H

#include "elver/integrate.h"
#include "elver/signal.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A value put over one of the model file before it is interpreted: key is the name of a
/// parameter, or a path such as "arm.length", "simulate.duration", "gravity"; value is YAML text.
typedef struct {
    const char* key;
    const char* value;
} ElvOverride;

/// Read a model file into a spec. On failure error has file, line and column. A file whose name ends
/// in .urdf, or which begins as XML does, is a robot in URDF.
ELV_API ELV_NODISCARD ElvStatus elv_spec_read_file(const char* path,
                                                   const ElvOverride* override_list,
                                                   int n_override,
                                                   ElvSpec** spec,
                                                   ElvError* error);

/// The same from text in memory; name stands for the file in messages.
ELV_API ELV_NODISCARD ElvStatus elv_spec_read_text(const char* text,
                                                   size_t size,
                                                   const char* name,
                                                   const ElvOverride* override_list,
                                                   int n_override,
                                                   ElvSpec** spec,
                                                   ElvError* error);

/// Read a robot in URDF: a spec of rigid bodies, named after the links, under gravity along -z, its
/// root link fixed to the world. What a model file can say of the import (docs/model-format.md) has
/// its defaults.
ELV_API ELV_NODISCARD ElvStatus elv_spec_read_urdf_text(
    const char* text, size_t size, const char* name, ElvSpec** spec, ElvError* error);

/// What people should know of how a file was read, "robot.urdf:12:5: ...": parts left out, data
/// that can hardly be meant. i counts from 0; the text lives as long as the spec.
ELV_API int elv_spec_n_note(const ElvSpec* spec);
ELV_API const char* elv_spec_note(const ElvSpec* spec, int i);

/// Read and compile; errors of the compilation are located in the file too.
ELV_API ELV_NODISCARD ElvStatus elv_model_read_file(const char* path,
                                                    const ElvOverride* override_list,
                                                    int n_override,
                                                    ElvModel** model,
                                                    ElvError* error);
ELV_API ELV_NODISCARD ElvStatus elv_model_read_text(const char* text,
                                                    size_t size,
                                                    const char* name,
                                                    const ElvOverride* override_list,
                                                    int n_override,
                                                    ElvModel** model,
                                                    ElvError* error);

/// Write a spec as YAML text (malloc'ed, NUL-terminated; free with elv_text_free). Laws given as C
/// callbacks cannot be written: ELV_ERROR_INPUT names the element.
ELV_API ELV_NODISCARD ElvStatus elv_spec_write_text(const ElvSpec* spec,
                                                    char** text,
                                                    ElvError* error);
ELV_API void elv_text_free(char* text);

/// Give an error that names an element file, line and column from the text of its model; name
/// stands for the file. One that has a file already, or names nothing of the text, stays as it is.
ELV_API void elv_error_locate(const char* text, size_t size, const char* name, ElvError* error);

/// One line "file:line:column: element: message" for people.
ELV_API void elv_error_format(const ElvError* error, char* text, size_t size);

// ---- trajectories

typedef struct ElvTrajectoryWriter ElvTrajectoryWriter;

/// Create a writer; the ending of path chooses the format: .csv, .h5 (or .hdf5), .npy. A path without
/// an ending, with a slash at its end, or of a folder that is there is a folder, which receives
/// trajectory.csv, trajectory.h5 and model.yaml, unless it has a model.yaml of another origin; any
/// other ending is an error. Files are written under temporary names and appear when the writer is
/// closed.
/// model_text (YAML) is stored in HDF5 files, may be NULL.
ELV_API ELV_NODISCARD ElvStatus elv_trajectory_create(const char* path,
                                                      const ElvModel* model,
                                                      const ElvSignals* signals,
                                                      const char* model_text,
                                                      ElvTrajectoryWriter** writer,
                                                      ElvError* error);

/// The same for equilibria: the first column is called `load` in place of `t`, and HDF5 files have it
/// under both names.
ELV_API ELV_NODISCARD ElvStatus elv_trajectory_create_statics(const char* path,
                                                              const ElvModel* model,
                                                              const ElvSignals* signals,
                                                              const char* model_text,
                                                              ElvTrajectoryWriter** writer,
                                                              ElvError* error);

/// Append one record: the signals' columns and (HDF5) the whole state.
ELV_API ELV_NODISCARD ElvStatus elv_trajectory_append(ElvTrajectoryWriter* writer,
                                                      const ElvState* state,
                                                      const double* value,
                                                      ElvError* error);

/// Finish: is_complete marks the file as whole or as cut short by a failure; either way what was
/// recorded appears under the final name.
ELV_API ELV_NODISCARD ElvStatus elv_trajectory_close(ElvTrajectoryWriter* writer,
                                                     bool is_complete,
                                                     ElvError* error);

/// Leave without writing anything.
ELV_API void elv_trajectory_discard(ElvTrajectoryWriter* writer);

/// Read the record nearest to t (the last one if t is not finite) of an HDF5 trajectory into state.
/// A trajectory of another model (names, joints, modes) is ELV_ERROR_INPUT, and so is a t more than
/// a recording interval before the first or after the last record.
ELV_API ELV_NODISCARD ElvStatus elv_trajectory_read_state(
    const char* path, const ElvModel* model, double t, ElvState* state, ElvError* error);

/// The model text stored in an HDF5 trajectory; free with elv_text_free.
ELV_API ELV_NODISCARD ElvStatus elv_trajectory_read_model(const char* path,
                                                          char** text,
                                                          ElvError* error);

// ---- reading trajectories

/// A trajectory opened to be read, one record at a time and by blocks from the disk: .h5 (.hdf5), a folder that holds one,
/// or .csv, which has no states and no units, and whose last line is left out when it has no newline. One per thread.
typedef struct ElvTrajectory ElvTrajectory;

ELV_API ELV_NODISCARD ElvStatus elv_trajectory_open(const char* path,
                                                    ElvTrajectory** trajectory,
                                                    ElvError* error);
ELV_API void elv_trajectory_free(ElvTrajectory* trajectory);

ELV_API long elv_trajectory_n_record(const ElvTrajectory* trajectory);
ELV_API bool elv_trajectory_is_complete(const ElvTrajectory* trajectory);
ELV_API bool elv_trajectory_is_statics(const ElvTrajectory* trajectory); ///< t is a load
ELV_API bool elv_trajectory_has_states(const ElvTrajectory* trajectory);

/// The model's YAML text; NULL where the file has none.
ELV_API const char* elv_trajectory_model_text(const ElvTrajectory* trajectory);

ELV_API int elv_trajectory_n_signal(const ElvTrajectory* trajectory);
ELV_API const char* elv_trajectory_signal_name(const ElvTrajectory* trajectory, int i);
ELV_API const char* elv_trajectory_signal_unit(const ElvTrajectory* trajectory, int i);

/// Time, state and signals (n_signal) of record i, from 0; each may be NULL. A state of another model is ELV_ERROR_INPUT;
/// model, which may be NULL without a state, is compared when it is another one than in the last call, and must not
/// have been freed between two. A failure leaves all as it was.
ELV_API ELV_NODISCARD ElvStatus elv_trajectory_read(ElvTrajectory* trajectory,
                                                    long i,
                                                    const ElvModel* model,
                                                    double* t,
                                                    ElvState* state,
                                                    double* value,
                                                    ElvError* error);

#ifdef __cplusplus
}
#endif

#endif
