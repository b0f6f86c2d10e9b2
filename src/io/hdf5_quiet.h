// SPDX-License-Identifier: Apache-2.0
// HDF5 without its own error printing: its messages become ours.
#ifndef ELVER_IO_HDF5_QUIET_H
#define ELVER_IO_HDF5_QUIET_H

#include "elver/status.h"

#include <hdf5.h>

/// The caller's setting of HDF5's automatic error printing.
typedef struct {
    H5E_auto2_t function;
    void* user;
} ElvHdf5Quiet;

/// Switch the printing off, and back to what it was.
ElvHdf5Quiet elv_hdf5_quiet_begin(void);
void elv_hdf5_quiet_end(ElvHdf5Quiet quiet);

/// ELV_ERROR_FILE "cannot VERB 'PATH': what HDF5 says".
ElvStatus elv_hdf5_fail(const char* verb, const char* path, ElvError* error);

#endif
