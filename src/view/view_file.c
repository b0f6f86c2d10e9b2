// SPDX-License-Identifier: Apache-2.0
// Files of moving pictures: the format is found by the ending of the path, the order of calls is kept, equilibria get times
// to be shown at, and the first failure stays, so that a file with a hole is never finished.
#include "view/view_file.h"

#include "view/view_parts.h"

#include <stdlib.h>
#include <string.h>

struct ElvViewFile {
    const ElvViewFileOps* ops;
    void* writer;
    int n_trajectory;
    bool is_statics;  // of the trajectory in hand
    long n_record;    // of it
    long n_picture;   // of all, without those left out
    ElvStatus status; // of what failed first, with
    ElvError failure;
};

static const double row_interval = 0.1; // s between equilibria

// formats, one a line
static const ElvViewFileOps* const formats[] = {
    &ELV_VIEW_HTML,
    &ELV_VIEW_GLTF,
    &ELV_VIEW_VTK,
};

enum { N_FORMAT = sizeof formats / sizeof formats[0] };

static bool has_ending(const char* path, const char* ending) {
    size_t n = strlen(path);
    size_t n_ending = strlen(ending);
    bool is_same = n > n_ending && path[n - n_ending - 1] != '/';
    for (size_t i = 0; i < n_ending && is_same; i++) {
        char c = path[n - n_ending + i];
        char low = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
        is_same = low == ending[i];
    }
    return is_same;
}

static const ElvViewFileOps* find_format(const char* path) {
    for (int i = 0; i < N_FORMAT; i++) {
        if (has_ending(path, formats[i]->ending)) {
            return formats[i];
        }
    }
    return NULL;
}

ElvStatus elv_view_file_create(const char* path, ElvViewFile** file, ElvError* error) {
    *file = NULL;
    const ElvViewFileOps* ops = find_format(path);
    if (!ops) {
        return elv_error_set(error, ELV_ERROR_INPUT, "", "",
                             "'%s' has no ending that says what it is: write .html (the viewer), "
                             ".glb (glTF) or .pvd (ParaView)",
                             path);
    }
    ElvViewFile* made = calloc(1, sizeof *made);
    if (!made) {
        return elv_view_no_memory(error);
    }
    made->ops = ops;
    ElvStatus status = ops->create(path, &made->writer, error);
    if (status != ELV_OK) {
        free(made);
        return status;
    }
    *file = made;
    return ELV_OK;
}

// what failed first
static ElvStatus tell(const ElvViewFile* file, ElvError* error) {
    if (file->status != ELV_OK && error) {
        *error = file->failure;
    }
    return file->status;
}

ElvStatus
elv_view_file_begin(ElvViewFile* file, const ElvView* view, const char* title, ElvError* error) {
    if (file->status != ELV_OK) {
        return tell(file, error);
    }
    if (file->n_trajectory >= file->ops->max_trajectory) {
        return elv_error_set(error, ELV_ERROR_INPUT, "", "",
                             "a %s file holds one trajectory: write an .html file to compare "
                             "several",
                             file->ops->ending);
    }
    file->n_trajectory++;
    file->is_statics = view->is_statics;
    file->n_record = 0;
    file->status = file->ops->begin(file->writer, view, title, &file->failure);
    return tell(file, error);
}

ElvStatus elv_view_file_append(ElvViewFile* file, double t, const double* value, ElvError* error) {
    if (file->status != ELV_OK) {
        return tell(file, error);
    }
    if (file->n_trajectory == 0) {
        return elv_error_set(error, ELV_ERROR_INPUT, "", "",
                             "a record belongs to a trajectory: call elv_view_file_begin first");
    }
    // loads may go back
    double t_shown = file->is_statics ? row_interval * (double)file->n_record : t;
    ElvViewPicture picture = {.t = t_shown, .load = t, .value = value};
    file->status = file->ops->append(file->writer, &picture, &file->failure);
    file->n_record++;
    file->n_picture += file->status == ELV_OK && !picture.is_left_out;
    return tell(file, error);
}

long elv_view_file_n_picture(const ElvViewFile* file) {
    return file->n_picture;
}

ElvStatus elv_view_file_close(ElvViewFile* file, ElvError* error) {
    if (file->status == ELV_OK && file->n_trajectory == 0) {
        file->status = elv_error_set(&file->failure, ELV_ERROR_INPUT, "", "",
                                     "a file without a trajectory shows nothing");
    }
    if (file->status != ELV_OK) {
        ElvStatus status = tell(file, error);
        elv_view_file_discard(file);
        return status;
    }
    ElvStatus status = file->ops->close(file->writer, error);
    free(file);
    return status;
}

void elv_view_file_discard(ElvViewFile* file) {
    if (file) {
        file->ops->discard(file->writer);
        free(file);
    }
}
