// SPDX-License-Identifier: Apache-2.0
// Trajectory writers: one file, or a folder of several, filled under temporary names ("PATH.part")
// and renamed when the writer is closed, so that a file under its final name is always whole.
// A record is checked before any file sees it: what is not finite is never written.
// POSIX: folders.
#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier): POSIX's own name

#include "io/trajectory.h"

#include "io/trajectory_place.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_FILES = 2 };

struct ElvTrajectoryWriter {
    ElvPool pool;
    ElvTrajectoryLayout layout;
    ElvTrajectoryFile* file[MAX_FILES]; // (n_file)
    int n_file;
    const char* folder;   // NULL when path is a single file
    bool has_made_folder; // by this writer
};

static ElvStatus out_of_memory(ElvError* error) {
    return elv_error_set(error, ELV_ERROR_MEMORY, NULL, NULL, "out of memory");
}

ElvStatus elv_trajectory_fail_write(const char* path, int code, ElvError* error) {
    return elv_error_set(error, ELV_ERROR_FILE, NULL, NULL, "cannot write '%s': %s", path,
                         elv_trajectory_reason(path, code));
}

// a + b + c in the pool
static char* join(ElvPool* pool, const char* a, const char* b, const char* c) {
    size_t size = strlen(a) + strlen(b) + strlen(c) + 1;
    char* text = elv_pool_take(pool, size, 1);
    if (text) {
        snprintf(text, size, "%s%s%s", a, b, c);
    }
    return text;
}

// ---- creation

// one text for each node, to know the model again by
static const char* const* describe_nodes(ElvPool* pool, const ElvModel* model) {
    int n_node = elv_model_n_node(model);
    const char** node = elv_pool_take(pool, (size_t)n_node + 1, sizeof *node);
    for (int i = 0; node && i < n_node; i++) {
        char text[512];
        elv_trajectory_describe_node(model, i, text, sizeof text);
        node[i] = elv_pool_string(pool, text);
        node = node[i] ? node : NULL;
    }
    return node;
}

// columns and texts, copied: the signals may be freed before the writer
static ElvStatus copy_layout(ElvTrajectoryWriter* writer,
                             const ElvModel* model,
                             const ElvSignals* signals,
                             const char* model_text,
                             ElvError* error) {
    ElvPool* pool = &writer->pool;
    int n_column = signals ? elv_signals_n_column(signals) : 0;
    const char** name = elv_pool_take(pool, (size_t)n_column, sizeof *name);
    const char** unit = elv_pool_take(pool, (size_t)n_column, sizeof *unit);
    if (!name || !unit) {
        return out_of_memory(error);
    }
    for (int i = 0; i < n_column; i++) {
        name[i] = elv_pool_string(pool, elv_signals_column_name(signals, i));
        unit[i] = elv_pool_string(pool, elv_signals_column_unit(signals, i));
        if (!name[i] || !unit[i]) {
            return out_of_memory(error);
        }
    }

    const char* model_name = elv_model_name(model);
    ElvTrajectoryLayout* layout = &writer->layout;
    layout->node = describe_nodes(pool, model);
    layout->n_node = elv_model_n_node(model);
    layout->name = name;
    layout->unit = unit;
    layout->n_column = n_column;
    layout->nq = elv_model_nq(model);
    layout->nv = elv_model_nv(model);
    layout->nz = elv_model_nz(model);
    layout->model_name = elv_pool_string(pool, model_name ? model_name : "");
    layout->model_text = model_text ? elv_pool_string(pool, model_text) : NULL;
    bool is_whole = layout->node && layout->model_name && (layout->model_text || !model_text);
    return is_whole ? ELV_OK : out_of_memory(error);
}

// open one file of the writer under its temporary name
static ElvStatus open_file(ElvTrajectoryWriter* writer,
                           const char* path,
                           ElvTrajectoryOpen open_format,
                           ElvError* error) {
    // renaming over a folder would fail at the end: say so now
    struct stat info;
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode)) {
        return elv_trajectory_fail_write(path, EISDIR, error);
    }
    const char* final = elv_pool_string(&writer->pool, path);
    const char* part = join(&writer->pool, path, ".part", "");
    if (!final || !part) {
        return out_of_memory(error);
    }
    ElvTrajectoryFile* file = NULL;
    ElvStatus status = open_format(&writer->pool, final, part, &writer->layout, &file, error);
    if (status != ELV_OK) {
        return status;
    }
    writer->file[writer->n_file++] = file;
    return ELV_OK;
}

// make the folder, unless it is there already
static ElvStatus make_folder(ElvTrajectoryWriter* writer, const char* path, ElvError* error) {
    writer->folder = elv_pool_string(&writer->pool, path);
    if (!writer->folder) {
        return out_of_memory(error);
    }
    if (mkdir(path, 0777) == 0) {
        writer->has_made_folder = true;
        return ELV_OK;
    }
    int code = errno;
    struct stat info;
    if (code == EEXIST && stat(path, &info) == 0) {
        if (S_ISDIR(info.st_mode)) {
            return ELV_OK;
        }
        return elv_error_set(error, ELV_ERROR_FILE, NULL, NULL,
                             "cannot write '%s': it is there and is no folder; a name that ends in "
                             ".csv, .h5 or .npy makes a file",
                             path);
    }
    return elv_error_set(error, ELV_ERROR_FILE, NULL, NULL, "cannot make the folder '%s': %s", path,
                         elv_trajectory_reason(path, code));
}

static ElvStatus open_folder(ElvTrajectoryWriter* writer, const char* path, ElvError* error) {
    ElvStatus status = make_folder(writer, path, error);
    if (status != ELV_OK) {
        return status;
    }
    const char* csv = join(&writer->pool, path, "/trajectory", ".csv");
    const char* hdf5 = join(&writer->pool, path, "/trajectory", ".h5");
    const char* yaml = join(&writer->pool, path, "/model", ".yaml");
    if (!csv || !hdf5 || !yaml) {
        return out_of_memory(error);
    }
    if (writer->layout.model_text) {
        status = elv_trajectory_check_model(yaml, error);
        if (status != ELV_OK) {
            return status;
        }
    }
    status = open_file(writer, csv, elv_trajectory_open_csv, error);
    if (status == ELV_OK) {
        status = open_file(writer, hdf5, elv_trajectory_open_hdf5, error);
    }
    return status;
}

static ElvStatus create(const char* path,
                        const ElvModel* model,
                        const ElvSignals* signals,
                        const char* model_text,
                        bool is_statics,
                        ElvTrajectoryWriter** writer,
                        ElvError* error) {
    *writer = NULL;
    if (path[0] == '\0') {
        return elv_error_set(error, ELV_ERROR_FILE, NULL, NULL,
                             "the name of the trajectory's file is empty");
    }
    ElvTrajectoryWriter* made = calloc(1, sizeof *made);
    if (!made) {
        return out_of_memory(error);
    }
    made->layout.is_statics = is_statics;
    ElvStatus status = copy_layout(made, model, signals, model_text, error);
    if (status == ELV_OK) {
        ElvTrajectoryOpen open_format = NULL;
        status = elv_trajectory_format(path, &open_format, error);
        if (status == ELV_OK) {
            status = open_format ? open_file(made, path, open_format, error)
                                 : open_folder(made, path, error);
        }
    }
    if (status != ELV_OK) {
        elv_trajectory_discard(made);
        return status;
    }
    *writer = made;
    return ELV_OK;
}

ElvStatus elv_trajectory_create(const char* path,
                                const ElvModel* model,
                                const ElvSignals* signals,
                                const char* model_text,
                                ElvTrajectoryWriter** writer,
                                ElvError* error) {
    return create(path, model, signals, model_text, false, writer, error);
}

ElvStatus elv_trajectory_create_statics(const char* path,
                                        const ElvModel* model,
                                        const ElvSignals* signals,
                                        const char* model_text,
                                        ElvTrajectoryWriter** writer,
                                        ElvError* error) {
    return create(path, model, signals, model_text, true, writer, error);
}

// ---- records

// the first number of an array that is not finite, or n
static int first_bad(const double* value, int n) {
    for (int i = 0; i < n; i++) {
        if (!isfinite(value[i])) {
            return i;
        }
    }
    return n;
}

static ElvStatus check_record(const ElvTrajectoryLayout* layout,
                              const ElvState* state,
                              const double* value,
                              ElvError* error) {
    if (!isfinite(state->t)) {
        return elv_error_set(error, ELV_ERROR_NUMERIC, "t", NULL, "the time t is not finite");
    }
    int i = first_bad(value, layout->n_column);
    if (i < layout->n_column) {
        return elv_error_set(error, ELV_ERROR_NUMERIC, layout->name[i], NULL,
                             "the signal '%s' is not finite at t = %.9g s", layout->name[i],
                             state->t);
    }
    const double* const part[] = {state->q, state->v, state->a, state->z};
    const int n_part[] = {layout->nq, layout->nv, layout->nv, layout->nz};
    for (int k = 0; k < 4; k++) {
        i = first_bad(part[k], n_part[k]);
        if (i < n_part[k]) {
            return elv_error_set(error, ELV_ERROR_NUMERIC, NULL, NULL,
                                 "%c[%d] of the state is not finite at t = %.9g s", "qvaz"[k], i,
                                 state -> t);
        }
    }
    return ELV_OK;
}

ElvStatus elv_trajectory_append(ElvTrajectoryWriter* writer,
                                const ElvState* state,
                                const double* value,
                                ElvError* error) {
    ElvStatus status = check_record(&writer->layout, state, value, error);
    for (int i = 0; i < writer->n_file && status == ELV_OK; i++) {
        ElvTrajectoryFile* file = writer->file[i];
        status = file->ops->append(file, state, value, error);
    }
    return status;
}

// ---- the end

// write the model beside the trajectories of a folder
static ElvStatus write_model(ElvTrajectoryWriter* writer, ElvError* error) {
    const char* path = join(&writer->pool, writer->folder, "/model.yaml", "");
    const char* part = join(&writer->pool, writer->folder, "/model.yaml.part", "");
    if (!path || !part) {
        return out_of_memory(error);
    }
    FILE* stream = fopen(part, "wb");
    if (!stream) {
        return elv_trajectory_fail_write(path, errno, error);
    }
    const char* mark = elv_trajectory_model_mark;
    bool has_mark = strncmp(writer->layout.model_text, mark, strlen(mark)) == 0;
    bool is_good =
        (has_mark || fputs(mark, stream) >= 0) && fputs(writer->layout.model_text, stream) >= 0;
    is_good = fclose(stream) == 0 && is_good;
    if (!is_good || rename(part, path) != 0) {
        int code = errno;
        remove(part);
        return elv_trajectory_fail_write(path, code, error);
    }
    return ELV_OK;
}

// a file that did not end with a whole record has been removed: say so after the reason
static ElvStatus fail_removed(const char* path, ElvStatus status, ElvError* error) {
    char reason[ELV_SIZE_MESSAGE];
    bool has_reason = error && status != ELV_OK;
    snprintf(reason, sizeof reason, "%s", has_reason ? error->message : "cannot write it");
    return elv_error_set(error, status != ELV_OK ? status : ELV_ERROR_FILE, NULL, NULL,
                         "%.200s; nothing of '%.200s' is kept, for its records are not whole",
                         reason, path);
}

ElvStatus elv_trajectory_close(ElvTrajectoryWriter* writer, bool is_complete, ElvError* error) {
    // finish every file and keep what is whole; the first failure is reported
    ElvStatus status = ELV_OK;
    for (int i = 0; i < writer->n_file; i++) {
        ElvTrajectoryFile* file = writer->file[i];
        ElvError* detail = status == ELV_OK ? error : NULL;
        ElvStatus done = file->ops->finish(file, is_complete, detail);
        if (!file->is_whole) {
            remove(file->part);
            done = fail_removed(file->path, done, detail);
        } else if (rename(file->part, file->path) != 0) {
            done = elv_trajectory_fail_write(file->path, errno, detail);
            remove(file->part);
        }
        status = status == ELV_OK ? done : status;
    }
    if (status == ELV_OK && writer->folder && writer->layout.model_text) {
        status = write_model(writer, error);
    }
    elv_pool_free(&writer->pool);
    free(writer);
    return status;
}

void elv_trajectory_discard(ElvTrajectoryWriter* writer) {
    if (!writer) {
        return;
    }
    for (int i = 0; i < writer->n_file; i++) {
        ElvTrajectoryFile* file = writer->file[i];
        ElvStatus ignored = file->ops->finish(file, false, NULL);
        (void)ignored;
        remove(file->part);
    }
    if (writer->has_made_folder) {
        rmdir(writer->folder);
    }
    elv_pool_free(&writer->pool);
    free(writer);
}
