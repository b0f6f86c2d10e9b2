// SPDX-License-Identifier: Apache-2.0
// Trajectories as CSV: one header line with the names alone, "t,arm.tip.position.x,…", then one
// line a record. Each number is written with the fewest digits (15, 16 or 17) that read back exactly.
#include "io/record_stream.h"
#include "io/trajectory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    ElvTrajectoryFile file; // first: a CsvFile* is an ElvTrajectoryFile*
    ElvRecordStream stream;
    int n_column;
} CsvFile;

static void put_text(ElvRecordStream* stream, const char* text) {
    elv_record_stream_put(stream, text, strlen(text));
}

static void put_number(ElvRecordStream* stream, double value) {
    char text[40];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value) {
            break;
        }
    }
    // a caller's locale may have a decimal comma
    char* comma = strchr(text, ',');
    if (comma) {
        *comma = '.';
    }
    put_text(stream, text);
}

// names with separators or quotes are quoted, quotes doubled
static void put_name(ElvRecordStream* stream, const char* name) {
    if (!strpbrk(name, ",\"\r\n")) {
        put_text(stream, name);
        return;
    }
    put_text(stream, "\"");
    for (const char* c = name; *c != '\0'; c++) {
        elv_record_stream_put(stream, c, 1);
        if (*c == '"') {
            elv_record_stream_put(stream, c, 1);
        }
    }
    put_text(stream, "\"");
}

static ElvStatus
csv_append(ElvTrajectoryFile* file, const ElvState* state, const double* value, ElvError* error) {
    CsvFile* csv = (CsvFile*)file;
    put_number(&csv->stream, state->t);
    for (int i = 0; i < csv->n_column; i++) {
        put_text(&csv->stream, ",");
        put_number(&csv->stream, value[i]);
    }
    put_text(&csv->stream, "\n");
    int code = elv_record_stream_end_record(&csv->stream);
    return code != 0 ? elv_trajectory_fail_write(file->path, code, error) : ELV_OK;
}

static ElvStatus csv_finish(ElvTrajectoryFile* file, bool is_complete, ElvError* error) {
    (void)is_complete;
    CsvFile* csv = (CsvFile*)file;
    (void)elv_record_stream_flush(&csv->stream);
    int code = elv_record_stream_close(&csv->stream);
    file->is_whole = !csv->stream.is_torn;
    return code != 0 ? elv_trajectory_fail_write(file->path, code, error) : ELV_OK;
}

static const ElvTrajectoryOps csv_ops = {csv_append, csv_finish};

ElvStatus elv_trajectory_open_csv(ElvPool* pool,
                                  const char* path,
                                  const char* part,
                                  const ElvTrajectoryLayout* layout,
                                  ElvTrajectoryFile** file,
                                  ElvError* error) {
    CsvFile* csv = elv_pool_take(pool, 1, sizeof *csv);
    if (!csv) {
        return elv_error_set(error, ELV_ERROR_MEMORY, NULL, NULL, "out of memory");
    }
    csv->file.ops = &csv_ops;
    csv->file.path = path;
    csv->file.part = part;
    csv->n_column = layout->n_column;
    int code = elv_record_stream_open(&csv->stream, part);
    if (code != 0) {
        return elv_trajectory_fail_write(path, code, error);
    }

    put_text(&csv->stream, elv_trajectory_t_name(layout));
    for (int i = 0; i < layout->n_column; i++) {
        put_text(&csv->stream, ",");
        put_name(&csv->stream, layout->name[i]);
    }
    put_text(&csv->stream, "\n");
    code = elv_record_stream_end_header(&csv->stream);
    if (code != 0) {
        (void)elv_record_stream_close(&csv->stream);
        remove(part);
        return elv_trajectory_fail_write(path, code, error);
    }
    *file = &csv->file;
    return ELV_OK;
}
