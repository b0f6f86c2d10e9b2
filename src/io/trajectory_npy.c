// SPDX-License-Identifier: Apache-2.0
// Trajectories as NPY: a one-dimensional structured array, one float64 field for t and one for each
// column, so that names and numbers travel in one file. The header holds the number of records; it
// is written with room for any, and again when the file is finished.
#include "io/record_stream.h"
#include "io/trajectory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { NPY_ALIGN = 64, NPY_COUNT_DIGITS = 20, NPY_V1_LIMIT = 65535 };

typedef struct {
    ElvTrajectoryFile file; // first: an NpyFile* is an ElvTrajectoryFile*
    ElvRecordStream stream;
    int n_column;
    char* header;       // all of it, magic string included  (n_header)
    size_t n_header;    // a multiple of 64
    size_t i_shape;     // where the shape begins in header
    unsigned char* row; // one record, little-endian         (8 (1 + n_column))
} NpyFile;

// append a Python string literal; returns the new length, and only counts when text is NULL
static size_t put_literal(char* text, size_t n, const char* name) {
    const char* const ends[] = {"'", name, "'"};
    for (int part = 0; part < 3; part++) {
        for (const char* c = ends[part]; *c != '\0'; c++) {
            bool is_escaped = part == 1 && (*c == '\'' || *c == '\\');
            if (is_escaped) {
                if (text) {
                    text[n] = '\\';
                }
                n++;
            }
            if (text) {
                text[n] = *c;
            }
            n++;
        }
    }
    return n;
}

static size_t put_text(char* text, size_t n, const char* piece) {
    for (const char* c = piece; *c != '\0'; c++, n++) {
        if (text) {
            text[n] = *c;
        }
    }
    return n;
}

static size_t put_field(char* text, size_t n, const char* name) {
    n = put_text(text, n, "(");
    n = put_literal(text, n, name);
    return put_text(text, n, ", '<f8'), ");
}

// the dictionary up to the shape; returns its length, and only counts when text is NULL
static size_t put_dictionary(char* text, const ElvTrajectoryLayout* layout) {
    size_t n = put_text(text, 0, "{'descr': [");
    n = put_field(text, n, elv_trajectory_t_name(layout));
    for (int i = 0; i < layout->n_column; i++) {
        n = put_field(text, n, layout->name[i]);
    }
    return put_text(text, n, "], 'fortran_order': False, 'shape': (");
}

// NPY version: 1 for short ASCII headers, 2 for long ones, 3 for UTF-8
static int header_version(const ElvTrajectoryLayout* layout, size_t n_dictionary) {
    for (int i = 0; i < layout->n_column; i++) {
        for (const char* c = layout->name[i]; *c != '\0'; c++) {
            if ((unsigned char)*c >= 0x80) {
                return 3;
            }
        }
    }
    return n_dictionary <= NPY_V1_LIMIT ? 1 : 2;
}

// build the header with an empty shape, padded with spaces and ended by a newline
static ElvStatus
make_header(NpyFile* npy, ElvPool* pool, const ElvTrajectoryLayout* layout, ElvError* error) {
    size_t n_before = put_dictionary(NULL, layout);
    size_t n_shape = NPY_COUNT_DIGITS + 4; // "N,)}"
    int version = header_version(layout, n_before + n_shape + NPY_ALIGN);
    size_t n_preamble = version == 1 ? 10 : 12;
    size_t n_used = n_preamble + n_before + n_shape + 1;
    npy->n_header = (n_used + NPY_ALIGN - 1) / NPY_ALIGN * NPY_ALIGN;
    npy->i_shape = n_preamble + n_before;
    npy->header = elv_pool_take(pool, npy->n_header, 1);
    if (!npy->header) {
        return elv_error_set(error, ELV_ERROR_MEMORY, NULL, NULL, "out of memory");
    }

    size_t n_dictionary = npy->n_header - n_preamble;
    memset(npy->header, ' ', npy->n_header);
    memcpy(npy->header, "\x93NUMPY", 6);
    npy->header[6] = (char)version;
    npy->header[7] = 0;
    for (size_t i = 0; i < n_preamble - 8; i++) {
        npy->header[8 + i] = (char)(n_dictionary >> (8 * i) & 0xff);
    }
    put_dictionary(npy->header + n_preamble, layout);
    npy->header[npy->n_header - 1] = '\n';
    return ELV_OK;
}

// put the number of records into the header
static void set_count(NpyFile* npy, uint64_t n_record) {
    char shape[NPY_COUNT_DIGITS + 5];
    int n = snprintf(shape, sizeof shape, "%" PRIu64 ",)}", n_record);
    memcpy(npy->header + npy->i_shape, shape, (size_t)n);
}

static void put_double(unsigned char* to, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    for (int i = 0; i < 8; i++) {
        to[i] = (unsigned char)(bits >> (8 * i) & 0xff);
    }
}

static ElvStatus
npy_append(ElvTrajectoryFile* file, const ElvState* state, const double* value, ElvError* error) {
    NpyFile* npy = (NpyFile*)file;
    size_t n_row = 8 * (1 + (size_t)npy->n_column);
    put_double(npy->row, state->t);
    for (int i = 0; i < npy->n_column; i++) {
        put_double(npy->row + 8 * (1 + (size_t)i), value[i]);
    }
    elv_record_stream_put(&npy->stream, npy->row, n_row);
    int code = elv_record_stream_end_record(&npy->stream);
    return code != 0 ? elv_trajectory_fail_write(file->path, code, error) : ELV_OK;
}

static ElvStatus npy_finish(ElvTrajectoryFile* file, bool is_complete, ElvError* error) {
    (void)is_complete;
    NpyFile* npy = (NpyFile*)file;
    (void)elv_record_stream_flush(&npy->stream);
    set_count(npy, npy->stream.n_safe);
    int code = elv_record_stream_rewrite(&npy->stream, npy->header, npy->n_header);
    file->is_whole = code == 0 && !npy->stream.is_torn;
    int first = elv_record_stream_close(&npy->stream);
    code = first != 0 ? first : code;
    return code != 0 ? elv_trajectory_fail_write(file->path, code, error) : ELV_OK;
}

static const ElvTrajectoryOps npy_ops = {npy_append, npy_finish};

ElvStatus elv_trajectory_open_npy(ElvPool* pool,
                                  const char* path,
                                  const char* part,
                                  const ElvTrajectoryLayout* layout,
                                  ElvTrajectoryFile** file,
                                  ElvError* error) {
    NpyFile* npy = elv_pool_take(pool, 1, sizeof *npy);
    unsigned char* row = elv_pool_take(pool, 1 + (size_t)layout->n_column, 8);
    if (!npy || !row) {
        return elv_error_set(error, ELV_ERROR_MEMORY, NULL, NULL, "out of memory");
    }
    npy->file.ops = &npy_ops;
    npy->file.path = path;
    npy->file.part = part;
    npy->n_column = layout->n_column;
    npy->row = row;
    ElvStatus status = make_header(npy, pool, layout, error);
    if (status != ELV_OK) {
        return status;
    }

    int code = elv_record_stream_open(&npy->stream, part);
    if (code != 0) {
        return elv_trajectory_fail_write(path, code, error);
    }
    set_count(npy, 0);
    elv_record_stream_put(&npy->stream, npy->header, npy->n_header);
    code = elv_record_stream_end_header(&npy->stream);
    if (code != 0) {
        (void)elv_record_stream_close(&npy->stream);
        remove(part);
        return elv_trajectory_fail_write(path, code, error);
    }
    *file = &npy->file;
    return ELV_OK;
}
