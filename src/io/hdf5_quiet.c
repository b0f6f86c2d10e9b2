// SPDX-License-Identifier: Apache-2.0
// HDF5 without its own error printing. HDF5 keeps a stack of messages of the last failure, the most
// specific one first; that one is what a reader of our message needs.
#include "io/hdf5_quiet.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { REASON_SIZE = 200 };

ElvHdf5Quiet elv_hdf5_quiet_begin(void) {
    ElvHdf5Quiet quiet = {NULL, NULL};
    H5Eget_auto2(H5E_DEFAULT, &quiet.function, &quiet.user);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return quiet;
}

void elv_hdf5_quiet_end(ElvHdf5Quiet quiet) {
    H5Eset_auto2(H5E_DEFAULT, quiet.function, quiet.user);
}

// keep the first message that the walk meets
static herr_t take_reason(unsigned n, const H5E_error2_t* item, void* user) {
    char* reason = user;
    if (n == 0 && item->desc) {
        snprintf(reason, REASON_SIZE, "%s", item->desc);
    }
    return 0;
}

ElvStatus elv_hdf5_fail(const char* verb, const char* path, ElvError* error) {
    char reason[REASON_SIZE] = "HDF5 failed";
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_reason, reason);
    bool is_cut = strncmp(reason, "truncated file", 14) == 0;
    return elv_error_set(error, ELV_ERROR_FILE, NULL, NULL, "cannot %s '%s': %s", verb, path,
                         is_cut ? "the file is cut off" : reason);
}
