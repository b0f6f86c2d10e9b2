// SPDX-License-Identifier: Apache-2.0
// Texts of HDF5 files that are opened as trajectories. Callers have the messages of HDF5 turned off (hdf5_quiet.h).
#ifndef ELVER_IO_HDF5_TEXT_H
#define ELVER_IO_HDF5_TEXT_H

#include "io/trajectory_open.h"

#include <hdf5.h>

/// Whether something of that name is there; the parts of a path are asked for one by one.
bool elv_hdf5_exists(hid_t file, const char* name);

/// A list of texts, or one text (rank 0), copied to the trajectory; *text and *n stay as they are where there is none.
ElvStatus elv_hdf5_texts(hid_t file,
                         ElvTrajectory* trajectory,
                         const char* name,
                         int rank,
                         const char* const** text,
                         int* n,
                         ElvError* error);

/// "'path' is no trajectory: reason".
ElvStatus elv_hdf5_foreign(const char* path, const char* reason, ElvError* error);

#endif
