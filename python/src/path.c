// SPDX-License-Identifier: Apache-2.0
// Rows of equilibria and of inverse problems: what a model poses, recorded as a run is. Ctrl-C is looked for at every row
// and within.
#include "module.h"

#include <stdlib.h>
#include <string.h>

// records, and numbers of each row beside them
typedef struct {
    Record record; // first: an ElvRecordCallback with a Path is one with a Record
    double* extra; // n_extra numbers a record
    size_t n_extra, capacity;
    const ElvInverseReport* inverse;
} Path;

static void path_free(Path* path) {
    free(path->extra);
    record_free(&path->record);
}

static bool make_room(Path* path, size_t n) {
    if (n <= path->capacity) {
        return true;
    }
    size_t capacity = 2 * path->capacity + 64 * n;
    double* extra = realloc(path->extra, capacity * sizeof *extra);
    if (!extra) {
        path->record.is_full = true;
        return false;
    }
    path->extra = extra;
    path->capacity = capacity;
    return true;
}

// a row and the n numbers beside it: both, or neither, also where Ctrl-C ends them here
static bool append_both(Path* path,
                        const ElvModel* model,
                        ElvData* data,
                        const ElvState* state,
                        const double* value,
                        size_t n) {
    size_t i_record = path->record.n_record;
    path->n_extra = n;
    if (!make_room(path, n * (i_record + 1))) {
        return false;
    }
    bool goes_on = record_append(&path->record, model, data, state);
    if (path->record.n_record > i_record) {
        memcpy(path->extra + n * i_record, value, n * sizeof *value);
    }
    return goes_on;
}

// what was recorded, the numbers beside it, and a word on the end
static PyObject* path_result(Call* call, ElvStatus status, Path* path, const char* end) {
    PyObject* result = record_result(call->module, status, &call->error, &path->record);
    PyObject* extra = doubles_copy(path->extra, path->n_extra * path->record.n_record);
    PyObject* all = result && extra ? Py_BuildValue("(OOs)", result, extra, end) : NULL;
    Py_XDECREF(result);
    Py_XDECREF(extra);
    return all;
}

// loads as an array, or None: those of the model
static bool read_loads(PyObject* object, ElvStaticsDef* method, Py_buffer* view) {
    view->buf = NULL;
    if (object == Py_None) {
        return true;
    }
    const double* load = doubles_in(object, -1, "loads", view);
    method->load = load;
    method->n_load = load ? (int)(view->len / (Py_ssize_t)sizeof *load) : 0;
    return load != NULL;
}

static void release_loads(Py_buffer* view) {
    if (view->buf) {
        PyBuffer_Release(view);
    }
}

// (model, state, loads or None, signals): the state ends as the last equilibrium
static PyObject* statics_path(PyObject* self, PyObject* args) {
    PyObject *model, *state, *loads, *list;
    Call call;
    Path path = {0};
    Py_buffer view;
    if (!PyArg_ParseTuple(args, "OOOO!", &model, &state, &loads, &PyList_Type, &list) ||
        !call_begin(self, model, state, &call)) {
        return NULL;
    }
    ElvStaticsOptions options = elv_statics_options_default(call.owner->model);
    if (!read_loads(loads, &options.method, &view)) {
        return NULL;
    }
    PyObject* result = NULL;
    if (record_init(call.module, call.owner->model, list, NULL, &path.record)) {
        options.record = record_append;
        options.user = &path;
        options.method.stop = watch_stop(&path.record.watch);
        ElvStatus status;
        WORK_BEGIN;
        status = elv_statics_run(call.owner->model, call.state->state, &options, NULL, &call.error);
        WORK_END;
        result = path_result(&call, status, &path, "");
    }
    release_loads(&view);
    path_free(&path);
    return result;
}

// ---- continuation

static bool record_point(void* user,
                         const ElvModel* model,
                         ElvData* data,
                         const ElvState* state,
                         const ElvContinuationPoint* point) {
    Path* path = user;
    const double value[] = {(double)point->kind, point->is_branch ? 1.0 : 0.0, point->length,
                            point->eigenvalue, (double)point->n_negative};
    return append_both(path, model, data, state, value, 5);
}

// (model, state, loads or None, max_step or 0, max_points or 0, branch, branch_at, signals)
static PyObject* continuation(PyObject* self, PyObject* args) {
    static const char* const end[] = {"done", "back", "points", "lost"};
    PyObject *model, *state, *loads, *list;
    double max_step;
    int max_points, branch, branch_at;
    Call call;
    Path path = {0};
    Py_buffer view;
    if (!PyArg_ParseTuple(args, "OOOdiiiO!", &model, &state, &loads, &max_step, &max_points,
                          &branch, &branch_at, &PyList_Type, &list) ||
        !call_begin(self, model, state, &call)) {
        return NULL;
    }
    ElvContinuationOptions options = elv_continuation_options_default(call.owner->model);
    if (!read_loads(loads, &options.method, &view)) {
        return NULL;
    }
    options.max_step = max_step > 0.0 ? max_step : options.max_step;
    options.max_points = max_points > 0 ? max_points : options.max_points;
    options.branch = branch;
    options.branch_at = branch_at;
    options.record = record_point;
    options.user = &path;
    PyObject* result = NULL;
    if (record_init(call.module, call.owner->model, list, NULL, &path.record)) {
        ElvContinuationReport report = {0};
        options.method.stop = watch_stop(&path.record.watch);
        ElvStatus status;
        WORK_BEGIN;
        status = elv_statics_continue(call.owner->model, call.state->state, &options, &report,
                                      &call.error);
        WORK_END;
        result = path_result(&call, status, &path, end[report.end]);
    }
    release_loads(&view);
    path_free(&path);
    return result;
}

// ---- inverse problems

static bool
record_inverse(void* user, const ElvModel* model, ElvData* data, const ElvState* state) {
    Path* path = user;
    ElvInverseRow row = path->inverse->row;
    double value[11] = {row.is_reached ? 1.0 : 0.0, row.distance, row.angle, row.wanted, row.left};
    six_write(row.wrench.mom, row.wrench.frc, value + 5);
    return append_both(path, model, data, state, value, 11);
}

// (model, state, t_start, duration or -1, every or 0, signals)
static PyObject* inverse(PyObject* self, PyObject* args) {
    PyObject *model, *state, *list;
    double t_start, duration, every;
    Call call;
    Path path = {0};
    if (!PyArg_ParseTuple(args, "OOdddO!", &model, &state, &t_start, &duration, &every,
                          &PyList_Type, &list) ||
        !call_begin(self, model, state, &call)) {
        return NULL;
    }
    bool is_strong = elv_inverse_kind(call.owner->model) == ELV_INVERSE_STRAINS;
    if (!record_init(call.module, call.owner->model, list, is_strong ? "of imposed strains" : NULL,
                     &path.record)) {
        path_free(&path);
        return NULL;
    }
    ElvInverseReport report = {0};
    ElvInverseOptions options = elv_inverse_options_default(call.owner->model);
    options.t_start = t_start;
    options.duration = duration >= 0.0 ? duration : options.duration;
    options.every = every > 0.0 ? every : options.every;
    options.record = record_inverse;
    options.stop = watch_stop(&path.record.watch);
    options.user = &path;
    path.inverse = &report;
    ElvStatus status;
    WORK_BEGIN;
    status = elv_inverse_run(call.owner->model, call.state->state, &options, &report, &call.error);
    WORK_END;
    PyObject* result = path_result(&call, status, &path, "");
    path_free(&path);
    return result;
}

PyMethodDef PATH_METHODS[] = {{"statics_path", statics_path, METH_VARARGS, NULL},
                              {"continuation", continuation, METH_VARARGS, NULL},
                              {"inverse", inverse, METH_VARARGS, NULL},
                              {NULL, NULL, 0, NULL}};
