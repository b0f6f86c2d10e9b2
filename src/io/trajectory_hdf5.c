// SPDX-License-Identifier: Apache-2.0
// Trajectories as HDF5: the whole state of every record, and the signals.
//   /t (n)   /q (n, nq)   /v (n, nv)   /a (n, nv)   /z (n, nz)   float64, one row a record
//   /load                                                  the same as /t, in statics
//   /signals/values (n, n_column)   /signals/names (n_column)   /signals/units (n_column)
//   /model                                                 YAML text, if there is one
//   /nodes (n_node)                                        name, joint and modes of each, as text
//   attributes of /: format = 1, elver_version, model (its name), units, complete (0 or 1)
// Rows are gathered in memory and written by blocks, each dataset growing by one block at a time.
// HDF5 does not survive a full disk (its own clean-up at exit then crashes), so that the space of a
// block is reserved before its rows are taken.
#include "elver/version.h"
#include "io/hdf5_quiet.h"
#include "io/record_stream.h"
#include "io/trajectory.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { BLOCK_ROWS = 128, N_TABLE = 6, INDEX_SIZE = 1 << 16 };

// a dataset that grows by rows, with its pending rows
typedef struct {
    hid_t dataset;
    int n_column;
    double* row; // (BLOCK_ROWS, n_column)
} Table;

typedef struct {
    ElvTrajectoryFile file; // first: an Hdf5File* is an ElvTrajectoryFile*
    hid_t id;
    Table table[N_TABLE]; // t, q, v, a, z, signals
    hsize_t n_written;
    int n_pending;
    int code; // why the disk has no room for another block, as errno; 0 if it has
} Hdf5File;

// ---- texts

static hid_t text_type(void) {
    hid_t type = H5Tcopy(H5T_C_S1);
    if (type >= 0 &&
        (H5Tset_size(type, H5T_VARIABLE) < 0 || H5Tset_cset(type, H5T_CSET_UTF8) < 0)) {
        H5Tclose(type);
        return H5I_INVALID_HID;
    }
    return type;
}

static bool write_text_attribute(hid_t object, const char* name, const char* text) {
    hid_t type = text_type();
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    bool is_good = attribute >= 0 && H5Awrite(attribute, type, &text) >= 0;
    is_good = H5Aclose(attribute) >= 0 && is_good;
    H5Sclose(space);
    H5Tclose(type);
    return is_good;
}

static bool write_int_attribute(hid_t object, const char* name, int value) {
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate2(object, name, H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT);
    bool is_good = attribute >= 0 && H5Awrite(attribute, H5T_NATIVE_INT, &value) >= 0;
    is_good = H5Aclose(attribute) >= 0 && is_good;
    H5Sclose(space);
    return is_good;
}

// a list of texts, or a single one when n is negative
static bool write_texts(hid_t file, const char* name, const char* const* text, int n) {
    hsize_t size = n > 0 ? (hsize_t)n : 0;
    hid_t type = text_type();
    hid_t space = n < 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &size, NULL);
    hid_t dataset = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool is_good = dataset >= 0;
    if (is_good && n != 0) {
        is_good = H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0;
    }
    is_good = H5Dclose(dataset) >= 0 && is_good;
    H5Sclose(space);
    H5Tclose(type);
    return is_good;
}

// ---- tables

// an empty table of n_column columns; n_column < 0 makes it one-dimensional
static bool create_table(hid_t file, const char* name, int n_column, ElvPool* pool, Table* table) {
    int rank = n_column < 0 ? 1 : 2;
    hsize_t width = n_column < 0 ? 1 : (hsize_t)n_column;
    hsize_t size[] = {0, width};
    hsize_t limit[] = {H5S_UNLIMITED, width > 0 ? width : H5S_UNLIMITED};
    hsize_t chunk[] = {BLOCK_ROWS, width > 0 ? width : 1};

    table->n_column = (int)width;
    table->row = elv_pool_take(pool, BLOCK_ROWS * (size_t)width, sizeof(double));
    hid_t space = H5Screate_simple(rank, size, limit);
    hid_t options = H5Pcreate(H5P_DATASET_CREATE);
    // blocks are whole chunks: without a cache they are given their place in the file at once
    hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
    bool is_good = table->row && H5Pset_chunk(options, rank, chunk) >= 0 &&
                   H5Pset_chunk_cache(access, 0, 0, H5D_CHUNK_CACHE_W0_DEFAULT) >= 0;
    table->dataset = H5Dcreate2(file, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, options, access);
    H5Pclose(access);
    H5Pclose(options);
    H5Sclose(space);
    return is_good && table->dataset >= 0;
}

// write the first n pending rows of a table after its n_written rows
static bool flush_table(const Table* table, hsize_t n_written, int n) {
    hsize_t width = (hsize_t)table->n_column;
    hsize_t start[] = {n_written, 0};
    hsize_t count[] = {(hsize_t)n, width};
    hsize_t size[] = {n_written + (hsize_t)n, width};
    if (H5Dset_extent(table->dataset, size) < 0) {
        return false;
    }
    if (width == 0) {
        return true;
    }

    // a one-dimensional dataset reads the first entry of each array
    hid_t space = H5Dget_space(table->dataset);
    int rank = H5Sget_simple_extent_ndims(space);
    hid_t memory = H5Screate_simple(rank, count, NULL);
    bool is_good =
        H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
        H5Dwrite(table->dataset, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, table->row) >= 0;
    H5Sclose(memory);
    H5Sclose(space);
    return is_good;
}

static bool flush_tables(Hdf5File* hdf5) {
    bool is_good = true;
    for (int i = 0; i < N_TABLE && hdf5->n_pending > 0; i++) {
        is_good = flush_table(&hdf5->table[i], hdf5->n_written, hdf5->n_pending) && is_good;
    }
    hdf5->n_written += (hsize_t)hdf5->n_pending;
    hdf5->n_pending = 0;
    return is_good;
}

// room for the next block: its chunks, and some for the index of the chunks
static void reserve_block(Hdf5File* hdf5) {
    hsize_t size = 0;
    if (H5Fget_filesize(hdf5->id, &size) < 0) {
        return;
    }
    for (int i = 0; i < N_TABLE; i++) {
        size += BLOCK_ROWS * sizeof(double) * (hsize_t)hdf5->table[i].n_column;
    }
    hdf5->code = elv_disk_reserve(hdf5->file.part, size + INDEX_SIZE);
}

// ---- the format

static ElvStatus
hdf5_append(ElvTrajectoryFile* file, const ElvState* state, const double* value, ElvError* error) {
    Hdf5File* hdf5 = (Hdf5File*)file;
    if (hdf5->code != 0) {
        return elv_trajectory_fail_write(file->path, hdf5->code, error);
    }
    const double* const from[N_TABLE] = {&state->t, state->q, state->v, state->a, state->z, value};
    for (int i = 0; i < N_TABLE; i++) {
        const Table* table = &hdf5->table[i];
        size_t n_column = (size_t)table->n_column;
        for (size_t j = 0; j < n_column; j++) {
            table->row[(size_t)hdf5->n_pending * n_column + j] = from[i][j];
        }
    }
    hdf5->n_pending++;
    if (hdf5->n_pending < BLOCK_ROWS) {
        return ELV_OK;
    }
    ElvHdf5Quiet quiet = elv_hdf5_quiet_begin();
    ElvStatus status = flush_tables(hdf5) ? ELV_OK : elv_hdf5_fail("write", file->path, error);
    reserve_block(hdf5);
    elv_hdf5_quiet_end(quiet);
    return status;
}

static bool set_complete(hid_t file, int is_complete) {
    hid_t attribute = H5Aopen(file, "complete", H5P_DEFAULT);
    bool is_good = attribute >= 0 && H5Awrite(attribute, H5T_NATIVE_INT, &is_complete) >= 0;
    return H5Aclose(attribute) >= 0 && is_good;
}

static ElvStatus hdf5_finish(ElvTrajectoryFile* file, bool is_complete, ElvError* error) {
    Hdf5File* hdf5 = (Hdf5File*)file;
    ElvHdf5Quiet quiet = elv_hdf5_quiet_begin();
    bool is_good = flush_tables(hdf5);
    is_good = set_complete(hdf5->id, is_complete) && is_good;
    ElvStatus status = is_good ? ELV_OK : elv_hdf5_fail("write", file->path, error);

    // close everything, whatever happened before
    for (int i = 0; i < N_TABLE; i++) {
        is_good = H5Dclose(hdf5->table[i].dataset) >= 0 && is_good;
    }
    is_good = H5Fclose(hdf5->id) >= 0 && is_good;
    if (!is_good && status == ELV_OK) {
        status = elv_hdf5_fail("write", file->path, error);
    }
    elv_hdf5_quiet_end(quiet);
    elv_disk_release(file->part);
    file->is_whole = status == ELV_OK;
    return status;
}

static const ElvTrajectoryOps hdf5_ops = {hdf5_append, hdf5_finish};

// room for a new file: the texts, with what HDF5 keeps around each, and empty tables
static uint64_t start_size(const ElvTrajectoryLayout* layout) {
    uint64_t size = INDEX_SIZE + (layout->model_text ? strlen(layout->model_text) : 0);
    for (int i = 0; i < layout->n_column; i++) {
        size += 128 + strlen(layout->name[i]) + strlen(layout->unit[i]);
    }
    for (int i = 0; i < layout->n_node; i++) {
        size += 64 + strlen(layout->node[i]);
    }
    return size;
}

// attributes, texts and empty tables of a new file
static bool write_frame(Hdf5File* hdf5, ElvPool* pool, const ElvTrajectoryLayout* layout) {
    hid_t id = hdf5->id;
    hid_t group = H5Gcreate2(id, "signals", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool is_good = group >= 0 && H5Gclose(group) >= 0;
    is_good = is_good && write_int_attribute(id, "format", 1) &&
              write_int_attribute(id, "complete", 0) &&
              write_text_attribute(id, "elver_version", ELV_VERSION_STRING) &&
              write_text_attribute(id, "model", layout->model_name) &&
              write_text_attribute(id, "units", "SI: m, kg, s, N, rad") &&
              write_texts(id, "signals/names", layout->name, layout->n_column) &&
              write_texts(id, "signals/units", layout->unit, layout->n_column) &&
              write_texts(id, "nodes", layout->node, layout->n_node);
    if (layout->model_text) {
        is_good = is_good && write_texts(id, "model", &layout->model_text, -1);
    }
    const char* const name[N_TABLE] = {"t", "q", "v", "a", "z", "signals/values"};
    const int n_column[N_TABLE] = {-1,         layout->nq, layout->nv,
                                   layout->nv, layout->nz, layout->n_column};
    for (int i = 0; i < N_TABLE && is_good; i++) {
        is_good = create_table(id, name[i], n_column[i], pool, &hdf5->table[i]);
    }
    // loads are found under their own name and where times are
    if (is_good && layout->is_statics) {
        is_good = H5Lcreate_hard(id, "t", id, "load", H5P_DEFAULT, H5P_DEFAULT) >= 0;
    }
    const char* unit = layout->is_statics ? "-" : "s";
    return is_good && write_text_attribute(hdf5->table[0].dataset, "units", unit);
}

static void close_all(Hdf5File* hdf5) {
    for (int i = 0; i < N_TABLE; i++) {
        if (hdf5->table[i].dataset > 0) {
            H5Dclose(hdf5->table[i].dataset);
        }
    }
    H5Fclose(hdf5->id);
}

static ElvStatus
open_quietly(Hdf5File* hdf5, ElvPool* pool, const ElvTrajectoryLayout* layout, ElvError* error) {
    const ElvTrajectoryFile* file = &hdf5->file;
    hdf5->id = H5Fcreate(file->part, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    if (hdf5->id < 0 || elv_disk_reserve(file->part, start_size(layout)) != 0 ||
        !write_frame(hdf5, pool, layout)) {
        ElvStatus status = elv_hdf5_fail("write", file->path, error);
        close_all(hdf5);
        return status;
    }
    reserve_block(hdf5);
    if (hdf5->code != 0) {
        close_all(hdf5);
        return elv_trajectory_fail_write(file->path, hdf5->code, error);
    }
    return ELV_OK;
}

// the system says better than HDF5 why a file cannot be made
static int probe(const char* part, const ElvTrajectoryLayout* layout) {
    FILE* stream = fopen(part, "wb");
    if (!stream) {
        return errno;
    }
    fclose(stream);
    int code = elv_disk_reserve(part, start_size(layout));
    if (code != 0) {
        remove(part);
    }
    return code;
}

ElvStatus elv_trajectory_open_hdf5(ElvPool* pool,
                                   const char* path,
                                   const char* part,
                                   const ElvTrajectoryLayout* layout,
                                   ElvTrajectoryFile** file,
                                   ElvError* error) {
    Hdf5File* hdf5 = elv_pool_take(pool, 1, sizeof *hdf5);
    if (!hdf5) {
        return elv_error_set(error, ELV_ERROR_MEMORY, NULL, NULL, "out of memory");
    }
    hdf5->file.ops = &hdf5_ops;
    hdf5->file.path = path;
    hdf5->file.part = part;

    int code = probe(part, layout);
    if (code != 0) {
        return elv_trajectory_fail_write(path, code, error);
    }
    ElvHdf5Quiet quiet = elv_hdf5_quiet_begin();
    ElvStatus status = open_quietly(hdf5, pool, layout, error);
    elv_hdf5_quiet_end(quiet);
    if (status == ELV_OK) {
        *file = &hdf5->file;
    } else {
        remove(part);
    }
    return status;
}
