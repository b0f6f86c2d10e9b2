// SPDX-License-Identifier: Apache-2.0
// HDF5 trajectories, read by blocks of records: /t, /q, /v, /a, /z and /signals/values. Files of
// other programs need /t alone; what a caller asks for beyond it must be there when it is read.
#include "elver/io.h"
#include "io/hdf5_quiet.h"
#include "io/hdf5_text.h"
#include "io/trajectory_open.h"
#include "io/trajectory_place.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BLOCK_ROWS = 256,       // of the writer: a block is one of its chunks
    BLOCK_NUMBERS = 1 << 20 // at most, where rows are long
};

// what a file cannot have more of
enum { MAX_WIDTH = 100000000 };

enum { TABLE_T, TABLE_Q, TABLE_V, TABLE_A, TABLE_Z, TABLE_VALUES, N_TABLE };
static const char* const table_name[N_TABLE] = {"t", "q", "v", "a", "z", "signals/values"};

typedef struct {
    hid_t dataset; // H5I_INVALID_HID where there is none
    hsize_t n_row;
    hsize_t width;
    hsize_t n_block; // rows in a block
    hsize_t first;   // of the block in memory
    hsize_t n_held;  // rows in memory
    double* row;     // NULL until it is needed    (n_block x width)
} Table;

typedef struct {
    ElvTrajectory base; // first: a Hdf5Source* is an ElvTrajectory*
    hid_t file;
    Table table[N_TABLE];
    const char* const* node; // (n_node), -1: not told
    int n_node;
    const ElvModel* model; // the last one that was found to be that of the file
} Hdf5Source;

static ElvStatus out_of_memory(ElvError* error) {
    return elv_error_set(error, ELV_ERROR_MEMORY, NULL, NULL, "out of memory");
}

// ---- tables

// open a table of numbers; its dataset stays invalid where there is none of that rank
static void open_table(hid_t file, const char* name, int rank, Table* table) {
    table->dataset = H5I_INVALID_HID;
    if (!elv_hdf5_exists(file, name)) {
        return;
    }
    hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
    hid_t space = H5Dget_space(dataset);
    hid_t type = H5Dget_type(dataset);
    H5T_class_t class = H5Tget_class(type);
    hsize_t size[2] = {0, 1};
    bool is_good = H5Sget_simple_extent_ndims(space) == rank &&
                   H5Sget_simple_extent_dims(space, size, NULL) == rank &&
                   (class == H5T_FLOAT || class == H5T_INTEGER) && size[1] <= MAX_WIDTH;
    H5Tclose(type);
    H5Sclose(space);
    if (!is_good) {
        H5Dclose(dataset);
        return;
    }
    hsize_t n_block = size[1] > 0 ? BLOCK_NUMBERS / size[1] : BLOCK_ROWS;
    n_block = n_block < 1 ? 1 : n_block;
    table->dataset = dataset;
    table->n_row = size[0];
    table->width = size[1];
    table->n_block = n_block < BLOCK_ROWS ? n_block : BLOCK_ROWS;
}

// bring the block with row i to memory
static bool load_block(Table* table, hsize_t i, ElvPool* pool) {
    if (!table->row) {
        table->row = elv_pool_take(pool, table->n_block * table->width, sizeof *table->row);
    }
    hsize_t start[] = {i - i % table->n_block, 0};
    hsize_t left = table->n_row - start[0];
    hsize_t size[] = {left < table->n_block ? left : table->n_block, table->width};
    hid_t space = H5Dget_space(table->dataset);
    int rank = H5Sget_simple_extent_ndims(space);
    hid_t memory = H5Screate_simple(rank, size, NULL);
    bool is_good =
        table->row && H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, size, NULL) >= 0 &&
        H5Dread(table->dataset, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, table->row) >= 0;
    H5Sclose(memory);
    H5Sclose(space);
    table->first = start[0];
    table->n_held = is_good ? size[0] : 0;
    return is_good;
}

// row i of a table
static ElvStatus find_row(Hdf5Source* hdf5, int k, long i, const double** row, ElvError* error) {
    Table* table = &hdf5->table[k];
    hsize_t at = (hsize_t)i;
    if (table->dataset < 0 || at >= table->n_row) {
        char reason[64];
        snprintf(reason, sizeof reason, "its dataset /%s is missing or too short", table_name[k]);
        return elv_hdf5_foreign(hdf5->base.path, reason, error);
    }
    if (table->width == 0) {
        return ELV_OK;
    }
    if (at < table->first || at >= table->first + table->n_held) {
        ElvHdf5Quiet quiet = elv_hdf5_quiet_begin();
        bool is_good = load_block(table, at, &hdf5->base.pool);
        ElvStatus status = ELV_OK;
        if (!is_good) {
            status =
                table->row ? elv_hdf5_fail("read", hdf5->base.path, error) : out_of_memory(error);
        }
        elv_hdf5_quiet_end(quiet);
        if (status != ELV_OK) {
            return status;
        }
    }
    *row = table->row + (at - table->first) * table->width;
    return ELV_OK;
}

// row i of a table of n columns, all finite
static ElvStatus
find_part(Hdf5Source* hdf5, int k, long i, int n, const double** row, ElvError* error) {
    ElvStatus status = find_row(hdf5, k, i, row, error);
    if (status != ELV_OK) {
        return status;
    }
    if (hdf5->table[k].width != (hsize_t)n) {
        return elv_error_set(error, ELV_ERROR_INPUT, NULL, NULL,
                             "'%.300s' comes from another model: its /%s has %llu components, and "
                             "this model has %d",
                             hdf5->base.path, table_name[k],
                             (unsigned long long)hdf5->table[k].width, n);
    }
    for (int j = 0; j < n; j++) {
        if (!isfinite((*row)[j])) {
            return elv_error_set(error, ELV_ERROR_INPUT, NULL, NULL,
                                 "'%.300s' holds a number that is not finite in /%s",
                                 hdf5->base.path, table_name[k]);
        }
    }
    return ELV_OK;
}

// ---- the model of its states

static ElvStatus check_model(Hdf5Source* hdf5, const ElvModel* model, ElvError* error) {
    int n_model = elv_model_n_node(model);
    // the one before may be gone by now, and its place taken by another
    hdf5->model = NULL;
    for (int i = 0; i < hdf5->n_node && i < n_model; i++) {
        char expected[512];
        elv_trajectory_describe_node(model, i, expected, sizeof expected);
        if (strcmp(hdf5->node[i], expected) != 0) {
            return elv_error_set(error, ELV_ERROR_INPUT, NULL, NULL,
                                 "'%.120s' comes from another model: there node %d is %.150s; here "
                                 "it is %.150s",
                                 hdf5->base.path, i, hdf5->node[i], expected);
        }
    }
    // files of other programs may lack the list
    if (hdf5->n_node >= 0 && hdf5->n_node != n_model) {
        return elv_error_set(error, ELV_ERROR_INPUT, NULL, NULL,
                             "'%.200s' comes from another model: it has %d nodes, and this model "
                             "has %d",
                             hdf5->base.path, hdf5->n_node, n_model);
    }
    hdf5->model = model;
    return ELV_OK;
}

static ElvStatus find_state(
    Hdf5Source* hdf5, long i, const ElvModel* model, ElvTrajectoryRow* row, ElvError* error) {
    ElvStatus status = model == hdf5->model ? ELV_OK : check_model(hdf5, model, error);
    const double** const part[] = {&row->q, &row->v, &row->a, &row->z};
    int nv = elv_model_nv(model);
    const int n[] = {elv_model_nq(model), nv, nv, elv_model_nz(model)};
    // files of models without devices need not have z
    int n_part = n[3] > 0 ? 4 : 3;
    for (int k = 0; k < n_part && status == ELV_OK; k++) {
        status = find_part(hdf5, TABLE_Q + k, i, n[k], part[k], error);
    }
    return status;
}

static ElvStatus hdf5_find(ElvTrajectory* trajectory,
                           long i,
                           const ElvModel* model,
                           bool has_values,
                           ElvTrajectoryRow* row,
                           ElvError* error) {
    Hdf5Source* hdf5 = (Hdf5Source*)trajectory;
    ElvStatus status = find_part(hdf5, TABLE_T, i, 1, &row->t, error);
    if (status == ELV_OK && model) {
        status = find_state(hdf5, i, model, row, error);
    }
    if (status == ELV_OK && has_values && trajectory->n_signal > 0) {
        status = find_row(hdf5, TABLE_VALUES, i, &row->value, error);
    }
    return status;
}

static void hdf5_close(ElvTrajectory* trajectory) {
    Hdf5Source* hdf5 = (Hdf5Source*)trajectory;
    ElvHdf5Quiet quiet = elv_hdf5_quiet_begin();
    for (int k = 0; k < N_TABLE; k++) {
        if (hdf5->table[k].dataset >= 0) {
            H5Dclose(hdf5->table[k].dataset);
        }
    }
    if (hdf5->file >= 0) {
        H5Fclose(hdf5->file);
    }
    elv_hdf5_quiet_end(quiet);
}

static const ElvTrajectorySource hdf5_source = {hdf5_find, hdf5_close};

// ---- opening

// files that do not say so are whole
static bool read_complete(hid_t file) {
    int value = 1;
    if (H5Aexists(file, "complete") > 0) {
        hid_t attribute = H5Aopen(file, "complete", H5P_DEFAULT);
        hid_t space = H5Aget_space(attribute);
        if (H5Sget_simple_extent_npoints(space) == 1) {
            H5Aread(attribute, H5T_NATIVE_INT, &value);
        }
        H5Sclose(space);
        H5Aclose(attribute);
    }
    return value != 0;
}

static ElvStatus read_signals(Hdf5Source* hdf5, ElvError* error) {
    ElvTrajectory* base = &hdf5->base;
    const Table* values = &hdf5->table[TABLE_VALUES];
    int n_unit = 0;
    ElvStatus status =
        elv_hdf5_texts(hdf5->file, base, "signals/names", 1, &base->name, &base->n_signal, error);
    if (status == ELV_OK) {
        status = elv_hdf5_texts(hdf5->file, base, "signals/units", 1, &base->unit, &n_unit, error);
    }
    if (status != ELV_OK) {
        return status;
    }
    hsize_t width = values->dataset >= 0 ? values->width : 0;
    if (width != (hsize_t)base->n_signal || (n_unit != base->n_signal && n_unit > 0)) {
        return elv_hdf5_foreign(base->path, "names, units and values of its signals do not agree",
                                error);
    }
    // units need not be told
    if (n_unit == 0 && base->n_signal > 0) {
        const char** none = elv_pool_take(&base->pool, (size_t)base->n_signal, sizeof *none);
        if (!none) {
            return out_of_memory(error);
        }
        for (int i = 0; i < base->n_signal; i++) {
            none[i] = "";
        }
        base->unit = none;
    }
    return ELV_OK;
}

static ElvStatus look_inside(Hdf5Source* hdf5, ElvError* error) {
    ElvTrajectory* base = &hdf5->base;
    hdf5->file = H5Fopen(base->path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (hdf5->file < 0) {
        return elv_hdf5_fail("read", base->path, error);
    }
    for (int k = 0; k < N_TABLE; k++) {
        open_table(hdf5->file, table_name[k], k == TABLE_T ? 1 : 2, &hdf5->table[k]);
    }
    const Table* times = &hdf5->table[TABLE_T];
    if (times->dataset < 0) {
        return elv_hdf5_foreign(base->path, "it has no times /t", error);
    }
    if (times->n_row > (hsize_t)LONG_MAX) {
        return elv_hdf5_foreign(base->path, "it claims more records than a file can hold", error);
    }
    base->n_record = (long)times->n_row;
    base->is_complete = read_complete(hdf5->file);
    base->is_statics = elv_hdf5_exists(hdf5->file, "load");
    base->has_states = hdf5->table[TABLE_Q].dataset >= 0 && hdf5->table[TABLE_V].dataset >= 0 &&
                       hdf5->table[TABLE_A].dataset >= 0;
    const char* const* text = NULL;
    int n_text = 0;
    ElvStatus status = read_signals(hdf5, error);
    if (status == ELV_OK) {
        status = elv_hdf5_texts(hdf5->file, base, "nodes", 1, &hdf5->node, &hdf5->n_node, error);
    }
    if (status == ELV_OK) {
        status = elv_hdf5_texts(hdf5->file, base, "model", 0, &text, &n_text, error);
        base->model_text = text ? text[0] : NULL;
    }
    return status;
}

ElvStatus
elv_trajectory_source_hdf5(const char* path, ElvTrajectory** trajectory, ElvError* error) {
    ElvHdf5Quiet quiet = elv_hdf5_quiet_begin();
    bool is_hdf5 = H5Fis_hdf5(path) > 0;
    elv_hdf5_quiet_end(quiet);
    if (!is_hdf5) {
        return elv_error_set(error, ELV_ERROR_FILE, NULL, NULL,
                             "cannot read '%.300s': it is no HDF5 file; trajectories are read from "
                             ".h5, .csv and folders of these",
                             path);
    }
    Hdf5Source* hdf5 = calloc(1, sizeof *hdf5);
    if (!hdf5) {
        return out_of_memory(error);
    }
    hdf5->base.source = &hdf5_source;
    hdf5->base.path = elv_pool_string(&hdf5->base.pool, path);
    hdf5->file = H5I_INVALID_HID;
    hdf5->n_node = -1;
    for (int k = 0; k < N_TABLE; k++) {
        hdf5->table[k].dataset = H5I_INVALID_HID;
    }
    quiet = elv_hdf5_quiet_begin();
    ElvStatus status = hdf5->base.path ? look_inside(hdf5, error) : out_of_memory(error);
    elv_hdf5_quiet_end(quiet);
    if (status == ELV_OK) {
        *trajectory = &hdf5->base;
    } else {
        elv_trajectory_free(&hdf5->base);
    }
    return status;
}
