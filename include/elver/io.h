// SPDX-License-Identifier: Apache-2.0
// Model files (YAML) and trajectories (CSV, HDF5, NPY).
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

/// Read a model file into a spec. On failure error has file, line and column.
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

#ifdef __cplusplus
}
#endif

#endif
