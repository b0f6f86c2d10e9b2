// SPDX-License-Identifier: Apache-2.0
// Reading HDF5 trajectories back: one record as a state, to restart from, and the model's text.
// A folder stands for the trajectory.h5 in it. POSIX: folders.
#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier): POSIX's own name

#include "elver/io.h"
#include "io/hdf5_quiet.h"
#include "io/trajectory_place.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH_SIZE = 4096 };

static ElvStatus out_of_memory(ElvError* error) {
    return elv_error_set(error, ELV_ERROR_MEMORY, NULL, NULL, "out of memory");
}

// open for reading; the path, or that of the trajectory in a folder, is written to used
static ElvStatus open_file(const char* path, char used[PATH_SIZE], hid_t* file, ElvError* error) {
    struct stat info;
    bool is_folder = stat(path, &info) == 0 && S_ISDIR(info.st_mode);
    int n = snprintf(used, PATH_SIZE, "%s%s", path, is_folder ? "/trajectory.h5" : "");
    if (n >= PATH_SIZE) {
        return elv_error_set(error, ELV_ERROR_FILE, NULL, NULL, "the file name is too long");
    }

    // the system says better than HDF5 why a file cannot be opened
    FILE* probe = fopen(used, "rb");
    if (!probe) {
        return elv_error_set(error, ELV_ERROR_FILE, NULL, NULL, "cannot read '%s': %s", used,
                             strerror(errno));
    }
    fclose(probe);
    if (H5Fis_hdf5(used) <= 0) {
        return elv_error_set(error, ELV_ERROR_FILE, NULL, NULL,
                             "cannot read '%s': it is no HDF5 file", used);
    }
    *file = H5Fopen(used, H5F_ACC_RDONLY, H5P_DEFAULT);
    return *file < 0 ? elv_hdf5_fail("read", used, error) : ELV_OK;
}

// sizes of a dataset of the given rank; false if it is missing or has another rank
static bool dataset_size(hid_t file, const char* name, int rank, hsize_t size[2]) {
    hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
    hid_t space = dataset >= 0 ? H5Dget_space(dataset) : H5I_INVALID_HID;
    bool is_good = space >= 0 && H5Sget_simple_extent_ndims(space) == rank &&
                   H5Sget_simple_extent_dims(space, size, NULL) == rank;
    if (space >= 0) {
        H5Sclose(space);
    }
    if (dataset >= 0) {
        H5Dclose(dataset);
    }
    return is_good;
}

// read count rows of width numbers from row first on; width 0 is one-dimensional
static bool read_rows(
    hid_t file, const char* name, hsize_t first, hsize_t count, hsize_t width, double* value) {
    hsize_t start[] = {first, 0};
    hsize_t size[] = {count, width};
    hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
    hid_t space = H5Dget_space(dataset);
    hid_t memory = H5Screate_simple(width > 0 ? 2 : 1, size, NULL);
    bool is_good = dataset >= 0 &&
                   H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, size, NULL) >= 0 &&
                   H5Dread(dataset, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, value) >= 0;
    H5Sclose(memory);
    H5Sclose(space);
    H5Dclose(dataset);
    return is_good;
}

// a time far from all records is a mistake
static ElvStatus check_time(
    const char* path, const double* times, hsize_t n, double every, double t, ElvError* error) {
    double first = times[0];
    double last = times[n - 1];
    double interval = n > 1 ? fmax(every, (last - first) / (double)(n - 1)) : every;
    if (t < first - interval || t > last + interval) {
        return elv_error_set(error, ELV_ERROR_INPUT, NULL, NULL,
                             "'%.200s' has no record near t = %.9g: its records are from %.9g to "
                             "%.9g",
                             path, t, first, last);
    }
    return ELV_OK;
}

// the record nearest to t, the last one if t is not finite
static ElvStatus find_record(hid_t file,
                             const char* path,
                             double every,
                             double t,
                             hsize_t* i_record,
                             double* t_record,
                             ElvError* error) {
    hsize_t size[2] = {0, 0};
    if (!dataset_size(file, "t", 1, size)) {
        return elv_error_set(error, ELV_ERROR_INPUT, NULL, NULL,
                             "'%s' is no trajectory: it has no times /t", path);
    }
    if (size[0] == 0) {
        return elv_error_set(error, ELV_ERROR_INPUT, NULL, NULL, "'%s' has no record", path);
    }
    double* times = calloc((size_t)size[0], sizeof *times);
    if (!times) {
        return out_of_memory(error);
    }
    ElvStatus status = ELV_OK;
    if (!read_rows(file, "t", 0, size[0], 0, times)) {
        status = elv_hdf5_fail("read", path, error);
    } else if (isfinite(t)) {
        status = check_time(path, times, size[0], every, t, error);
    }
    *i_record = size[0] - 1;
    for (hsize_t i = 0; i < size[0] && isfinite(t); i++) {
        if (fabs(times[i] - t) < fabs(times[*i_record] - t)) {
            *i_record = i;
        }
    }
    *t_record = times[*i_record];
    free(times);
    return status;
}

// ---- the model it belongs to

// compare the text of a node with that of the file
static ElvStatus
compare_node(const char* path, const ElvModel* model, int i, const char* found, ElvError* error) {
    char expected[512];
    elv_trajectory_describe_node(model, i, expected, sizeof expected);
    if (found && strcmp(found, expected) == 0) {
        return ELV_OK;
    }
    return elv_error_set(error, ELV_ERROR_INPUT, NULL, NULL,
                         "'%.120s' comes from another model: there node %d is %.150s; here it is "
                         "%.150s",
                         path, i, found ? found : "missing", expected);
}

static ElvStatus
compare_nodes(hid_t dataset, const char* path, const ElvModel* model, int n, ElvError* error) {
    int n_model = elv_model_n_node(model);
    char** text = calloc((size_t)n + 1, sizeof *text);
    if (!text) {
        return out_of_memory(error);
    }
    hid_t type = H5Dget_type(dataset);
    hid_t space = H5Dget_space(dataset);
    ElvStatus status = ELV_OK;
    if (H5Tis_variable_str(type) <= 0 ||
        H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) < 0) {
        status = elv_hdf5_fail("read", path, error);
    } else {
        for (int i = 0; i < n && i < n_model && status == ELV_OK; i++) {
            status = compare_node(path, model, i, text[i], error);
        }
        H5Dvlen_reclaim(type, space, H5P_DEFAULT, text);
    }
    if (status == ELV_OK && n != n_model) {
        status = elv_error_set(error, ELV_ERROR_INPUT, NULL, NULL,
                               "'%.200s' comes from another model: it has %d nodes, and this model "
                               "has %d",
                               path, n, n_model);
    }
    H5Sclose(space);
    H5Tclose(type);
    free(text);
    return status;
}

// files of other programs may lack the list
static ElvStatus check_nodes(hid_t file, const char* path, const ElvModel* model, ElvError* error) {
    hsize_t size[2] = {0, 0};
    if (H5Lexists(file, "nodes", H5P_DEFAULT) <= 0) {
        return ELV_OK;
    }
    if (!dataset_size(file, "nodes", 1, size) || size[0] > 1000000) {
        return elv_error_set(error, ELV_ERROR_INPUT, NULL, NULL,
                             "'%s' is no trajectory: its /nodes is no list", path);
    }
    hid_t dataset = H5Dopen2(file, "nodes", H5P_DEFAULT);
    ElvStatus status = compare_nodes(dataset, path, model, (int)size[0], error);
    H5Dclose(dataset);
    return status;
}

// ---- one record

// one row of /q, /v or /a
static ElvStatus read_part(hid_t file,
                           const char* path,
                           const char* name,
                           hsize_t i_record,
                           int n,
                           double* value,
                           ElvError* error) {
    hsize_t size[2] = {0, 0};
    if (!dataset_size(file, name, 2, size) || i_record >= size[0]) {
        return elv_error_set(error, ELV_ERROR_INPUT, NULL, NULL,
                             "'%s' is no trajectory: its dataset /%s is missing or too short", path,
                             name);
    }
    if (size[1] != (hsize_t)n) {
        return elv_error_set(error, ELV_ERROR_INPUT, NULL, NULL,
                             "'%s' comes from another model: its /%s has %llu components, and this "
                             "model has %d",
                             path, name, (unsigned long long)size[1], n);
    }
    if (n > 0 && !read_rows(file, name, i_record, 1, size[1], value)) {
        return elv_hdf5_fail("read", path, error);
    }
    for (int i = 0; i < n; i++) {
        if (!isfinite(value[i])) {
            return elv_error_set(error, ELV_ERROR_INPUT, NULL, NULL,
                                 "'%s' holds a number that is not finite in /%s", path, name);
        }
    }
    return ELV_OK;
}

// read into a buffer first: a failure leaves state as it was
static ElvStatus read_record(
    hid_t file, const char* path, double every, double t, ElvState* state, ElvError* error) {
    hsize_t i_record = 0;
    double t_record = 0.0;
    ElvStatus status = find_record(file, path, every, t, &i_record, &t_record, error);
    if (status != ELV_OK) {
        return status;
    }

    size_t nq = (size_t)state->nq;
    size_t nv = (size_t)state->nv;
    size_t nz = (size_t)state->nz;
    double* buffer = calloc(nq + 2 * nv + nz + 1, sizeof *buffer);
    if (!buffer) {
        return out_of_memory(error);
    }
    const char* const name[] = {"q", "v", "a", "z"};
    double* const from[] = {buffer, buffer + nq, buffer + nq + nv, buffer + nq + 2 * nv};
    double* const to[] = {state->q, state->v, state->a, state->z};
    const int n[] = {state->nq, state->nv, state->nv, state->nz};
    // files of models without devices need not have z
    int n_part = nz > 0 ? 4 : 3;
    for (int k = 0; k < n_part && status == ELV_OK; k++) {
        status = read_part(file, path, name[k], i_record, n[k], from[k], error);
    }
    for (int k = 0; k < n_part && status == ELV_OK; k++) {
        memcpy(to[k], from[k], (size_t)n[k] * sizeof *buffer);
        state->t = t_record;
    }
    free(buffer);
    return status;
}

ElvStatus elv_trajectory_read_state(
    const char* path, const ElvModel* model, double t, ElvState* state, ElvError* error) {
    if (state->nq != elv_model_nq(model) || state->nv != elv_model_nv(model)) {
        return elv_error_set(error, ELV_ERROR_INPUT, NULL, NULL,
                             "the state belongs to another model");
    }
    ElvHdf5Quiet quiet = elv_hdf5_quiet_begin();
    char used[PATH_SIZE];
    hid_t file = H5I_INVALID_HID;
    ElvStatus status = open_file(path, used, &file, error);
    if (status == ELV_OK) {
        status = check_nodes(file, used, model, error);
    }
    if (status == ELV_OK) {
        double every = elv_model_record(model).every;
        status = read_record(file, used, every, t, state, error);
    }
    if (file >= 0) {
        H5Fclose(file);
    }
    elv_hdf5_quiet_end(quiet);
    return status;
}

// the text of a scalar dataset of variable length, as memory of ours
static ElvStatus read_text(hid_t file, const char* path, char** text, ElvError* error) {
    if (H5Lexists(file, "model", H5P_DEFAULT) <= 0) {
        return elv_error_set(error, ELV_ERROR_INPUT, NULL, NULL, "'%s' holds no model", path);
    }
    char* loaned = NULL;
    hid_t dataset = H5Dopen2(file, "model", H5P_DEFAULT);
    hid_t type = H5Dget_type(dataset);
    hid_t space = H5Dget_space(dataset);
    ElvStatus status = ELV_OK;
    if (H5Tis_variable_str(type) <= 0 || H5Sget_simple_extent_npoints(space) != 1) {
        status = elv_error_set(error, ELV_ERROR_INPUT, NULL, NULL,
                               "'%s' is no trajectory: its /model is no text", path);
    } else if (H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &loaned) < 0) {
        status = elv_hdf5_fail("read", path, error);
    }
    if (status == ELV_OK) {
        const char* found = loaned ? loaned : "";
        size_t size = strlen(found) + 1;
        *text = malloc(size);
        if (*text) {
            memcpy(*text, found, size);
        } else {
            status = out_of_memory(error);
        }
        H5Dvlen_reclaim(type, space, H5P_DEFAULT, &loaned);
    }
    H5Sclose(space);
    H5Tclose(type);
    H5Dclose(dataset);
    return status;
}

ElvStatus elv_trajectory_read_model(const char* path, char** text, ElvError* error) {
    *text = NULL;
    ElvHdf5Quiet quiet = elv_hdf5_quiet_begin();
    char used[PATH_SIZE];
    hid_t file = H5I_INVALID_HID;
    ElvStatus status = open_file(path, used, &file, error);
    if (status == ELV_OK) {
        status = read_text(file, used, text, error);
        H5Fclose(file);
    }
    elv_hdf5_quiet_end(quiet);
    return status;
}
