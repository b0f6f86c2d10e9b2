// SPDX-License-Identifier: Apache-2.0
// Moving pictures of what was recorded: the viewer's page, glTF, or a series for ParaView.
#include "module.h"

#include <stdlib.h>

// one trajectory on its way into a file
typedef struct {
    ModelObject* owner;
    ElvView* view;
    ElvData* data;
    ElvState* state;
    double* tau;
    double* value;
    Watch watch;
} Picture;

static void picture_free(Picture* picture) {
    elv_view_free(picture->view);
    elv_data_free(picture->data);
    elv_state_free(picture->state);
    free(picture->tau);
    free(picture->value);
}

static ElvStatus picture_create(
    ModelObject* owner, int stations, bool is_statics, Picture* picture, ElvError* error) {
    const ElvModel* model = owner->model;
    ElvViewOptions options = elv_view_options_default();
    options.stations = stations;
    options.is_statics = is_statics;
    *picture = (Picture){.owner = owner};
    ElvStatus status = elv_view_create(model, &options, &picture->view, error);
    if (status == ELV_OK) {
        status = elv_data_create(model, &picture->data, error);
    }
    if (status == ELV_OK) {
        status = elv_state_create(model, &picture->state, error);
    }
    if (status != ELV_OK) {
        return status;
    }
    picture->tau = calloc((size_t)elv_model_nv(model) + 1, sizeof *picture->tau);
    picture->value = calloc((size_t)elv_view_n_value(picture->view) + 1, sizeof *picture->value);
    return picture->tau && picture->value
               ? ELV_OK
               : elv_error_set(error, ELV_ERROR_MEMORY, NULL, NULL, "out of memory");
}

// without the lock of the interpreter
static ElvStatus append(Picture* picture, ElvViewFile* file, ElvError* error) {
    const ElvModel* model = picture->owner->model;
    elv_idm(model, picture->data, picture->state, picture->tau);
    elv_view_eval(picture->view, model, picture->data, picture->state, picture->value);
    if (watch_is_stopped(&picture->watch) || exception_is_kept()) {
        return elv_error_set(error, ELV_ERROR_CANCELLED, NULL, NULL, "stopped");
    }
    return elv_view_file_append(file, picture->state->t, picture->value, error);
}

// every so many records, and the last
static bool is_taken(size_t i, size_t n, size_t stride) {
    return i % stride == 0 || i + 1 == n;
}

// reading keeps the lock (trajectory.c)
static ElvStatus append_file(Picture* picture,
                             ElvViewFile* file,
                             ElvTrajectory* trajectory,
                             size_t stride,
                             ElvError* error) {
    ElvStatus status = ELV_OK;
    double t;
    long n = elv_trajectory_n_record(trajectory);
    for (long i = 0; i < n && status == ELV_OK; i++) {
        if (!is_taken((size_t)i, (size_t)n, stride)) {
            continue;
        }
        status = elv_trajectory_read(trajectory, i, picture->owner->model, &t, picture->state, NULL,
                                     error);
        if (status == ELV_OK) {
            WORK_BEGIN;
            status = append(picture, file, error);
            WORK_END;
        }
    }
    return status;
}

// rows of t, q, v, a, z and more; without the lock
static ElvStatus append_rows(Picture* picture,
                             ElvViewFile* file,
                             const double* row,
                             size_t n,
                             size_t width,
                             size_t stride,
                             ElvError* error) {
    ElvStatus status = ELV_OK;
    for (size_t i = 0; i < n && status == ELV_OK; i++, row += width) {
        if (!is_taken(i, n, stride)) {
            continue;
        }
        (void)state_take_row(picture->state, row);
        status = append(picture, file, error);
    }
    return status;
}

// what is shown: a trajectory, or rows of records
typedef struct {
    ModelObject* owner;
    const char* title;
    TrajectoryObject* trajectory; // NULL: rows
    const double* row;
    size_t n_row, width;
    size_t stride; // each of so many records is taken
    int is_statics;
} Source;

// its records, as numbers of the view
static ElvStatus
append_source(const Source* source, Picture* picture, ElvViewFile* file, ElvError* error) {
    ElvStatus status;
    if (source->trajectory) {
        return append_file(picture, file, source->trajectory->file, source->stride, error);
    }
    WORK_BEGIN;
    status = append_rows(picture, file, source->row, source->n_row, source->width, source->stride,
                         error);
    WORK_END;
    return status;
}

// (model, title, Trajectory or bytes of rows, width of a row, whether rows are equilibria)
static bool read_source(const ModuleState* module, PyObject* item, Source* source) {
    PyObject *owner, *data;
    Py_ssize_t width, n = 0;
    char* bytes = NULL;
    if (!PyTuple_Check(item)) {
        PyErr_SetString(PyExc_TypeError, "records or trajectories can be shown");
        return false;
    }
    if (!PyArg_ParseTuple(item, "O!sOnp", module->model, &owner, &source->title, &data, &width,
                          &source->is_statics)) {
        return false;
    }
    source->owner = (ModelObject*)owner;
    source->trajectory =
        PyObject_TypeCheck(data, module->trajectory) ? (TrajectoryObject*)data : NULL;
    if (source->trajectory) {
        if (!trajectory_enter(source->trajectory, source->owner)) {
            return false;
        }
        source->n_row = (size_t)elv_trajectory_n_record(source->trajectory->file);
        return true;
    }
    const ElvModel* model = source->owner->model;
    if (PyBytes_AsStringAndSize(data, &bytes, &n) < 0) {
        return false;
    }
    if (width <
        1 + elv_model_nq(model) + 2 * (Py_ssize_t)elv_model_nv(model) + elv_model_nz(model)) {
        PyErr_SetString(PyExc_ValueError, "these records are not of this model");
        return false;
    }
    source->row = (const double*)(void*)bytes;
    source->width = (size_t)width;
    source->n_row = (size_t)n / (source->width * sizeof(double));
    return true;
}

static bool write_one(const ModuleState* module,
                      ElvViewFile* file,
                      PyObject* item,
                      int stations,
                      bool has_all,
                      Picture* picture) {
    Source source = {0};
    if (!read_source(module, item, &source)) {
        return false;
    }
    ElvError error;
    elv_error_clear(&error);
    ElvStatus status =
        picture_create(source.owner, stations, source.is_statics != 0, picture, &error);
    if (status == ELV_OK) {
        status = elv_view_file_begin(file, picture->view, source.title, &error);
    }
    if (status == ELV_OK) {
        long stride = has_all ? 1 : elv_view_stride(picture->view, (double)source.n_row);
        source.stride = (size_t)stride;
        status = append_source(&source, picture, file, &error);
    }
    if (source.trajectory) {
        source.trajectory->is_busy = false;
    }
    return is_done(module, status, &error);
}

// (path, list of trajectories, stations, whether all records are taken); views live until the file is closed
static PyObject* view_write(PyObject* self, PyObject* args) {
    const ModuleState* module = PyModule_GetState(self);
    const char* path;
    PyObject* list;
    int stations, has_all;
    if (!PyArg_ParseTuple(args, "sO!ip", &path, &PyList_Type, &list, &stations, &has_all)) {
        return NULL;
    }
    // other threads cannot change it
    PyObject* items = PyList_AsTuple(list);
    if (!items) {
        return NULL;
    }
    ElvError error;
    elv_error_clear(&error);
    Py_ssize_t n = PyTuple_Size(items);
    Picture* picture = calloc((size_t)n + 1, sizeof *picture);
    ElvViewFile* file = NULL;
    ElvStatus status = picture
                           ? elv_view_file_create(path, &file, &error)
                           : elv_error_set(&error, ELV_ERROR_MEMORY, NULL, NULL, "out of memory");
    bool is_good = status == ELV_OK;
    for (Py_ssize_t i = 0; i < n && is_good; i++) {
        is_good =
            write_one(module, file, PyTuple_GetItem(items, i), stations, has_all, &picture[i]);
    }
    if (is_good) {
        WORK_BEGIN;
        status = elv_view_file_close(file, &error);
        WORK_END;
    } else if (file) {
        elv_view_file_discard(file);
    }
    for (Py_ssize_t i = 0; picture && i < n; i++) {
        picture_free(&picture[i]);
    }
    free(picture);
    Py_DECREF(items);
    if (PyErr_Occurred() || !is_done(module, status, &error)) {
        return NULL;
    }
    Py_RETURN_NONE;
}

PyMethodDef VIEW_METHODS[] = {{"view_write", view_write, METH_VARARGS, NULL},
                              {NULL, NULL, 0, NULL}};
