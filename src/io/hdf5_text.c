// SPDX-License-Identifier: Apache-2.0
// Texts of HDF5 files that are opened as trajectories, one or a list, of variable length; whether something is there at
// all; and what is said of a file that is none of ours.
#include "io/hdf5_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// what a file cannot have more of
enum { MAX_TEXT = 1000000 };

ElvStatus elv_hdf5_foreign(const char* path, const char* reason, ElvError* error) {
    return elv_error_set(error, ELV_ERROR_INPUT, NULL, NULL, "'%.300s' is no trajectory: %s", path,
                         reason);
}

bool elv_hdf5_exists(hid_t file, const char* name) {
    const char* slash = strchr(name, '/');
    char group[16];
    if (slash) {
        snprintf(group, sizeof group, "%.*s", (int)(slash - name), name);
        if (H5Lexists(file, group, H5P_DEFAULT) <= 0) {
            return false;
        }
    }
    return H5Lexists(file, name, H5P_DEFAULT) > 0;
}

// copies of the n texts of a dataset of variable length
static bool copy_texts(hid_t dataset, ElvPool* pool, size_t n, const char** copied) {
    char** loaned = calloc(n + 1, sizeof *loaned);
    hid_t type = H5Dget_type(dataset);
    hid_t space = H5Dget_space(dataset);
    bool is_good = loaned && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) > 0 &&
                   H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, loaned) >= 0;
    for (size_t i = 0; i < n && is_good; i++) {
        copied[i] = elv_pool_string(pool, loaned[i] ? loaned[i] : "");
        is_good = copied[i] != NULL;
    }
    if (loaned && type >= 0 && space >= 0) {
        H5Dvlen_reclaim(type, space, H5P_DEFAULT, loaned);
    }
    H5Sclose(space);
    H5Tclose(type);
    free(loaned);
    return is_good;
}

ElvStatus elv_hdf5_texts(hid_t file,
                         ElvTrajectory* trajectory,
                         const char* name,
                         int rank,
                         const char* const** text,
                         int* n,
                         ElvError* error) {
    if (!elv_hdf5_exists(file, name)) {
        return ELV_OK;
    }
    hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
    hid_t space = H5Dget_space(dataset);
    hssize_t count = H5Sget_simple_extent_npoints(space);
    bool is_good = H5Sget_simple_extent_ndims(space) == rank && count >= (rank == 0 ? 1 : 0) &&
                   count <= MAX_TEXT;
    H5Sclose(space);
    const char** copied =
        is_good ? elv_pool_take(&trajectory->pool, (size_t)count, sizeof *copied) : NULL;
    if (copied && count > 0) {
        is_good = copy_texts(dataset, &trajectory->pool, (size_t)count, copied);
    }
    H5Dclose(dataset);
    if (!is_good || !copied) {
        char reason[64];
        snprintf(reason, sizeof reason, "its /%s is no %s", name,
                 rank == 0 ? "text" : "list of texts");
        return elv_hdf5_foreign(trajectory->path, reason, error);
    }
    *text = copied;
    *n = (int)count;
    return ELV_OK;
}
