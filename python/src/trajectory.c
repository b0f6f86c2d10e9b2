// SPDX-License-Identifier: Apache-2.0
// A trajectory on disk, read one record, or a range of records, at a time. The lock of the interpreter stays: the library
// that reads HDF5 need not bear two threads.
#include "module.h"

static PyObject* trajectory_new(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
    (void)kwargs;
    const char* path;
    if (!PyArg_ParseTuple(args, "s", &path)) {
        return NULL;
    }
    TrajectoryObject* self = (TrajectoryObject*)PyType_GenericAlloc(type, 0);
    if (!self) {
        return NULL;
    }
    ElvError error;
    elv_error_clear(&error);
    ElvStatus status = elv_trajectory_open(path, &self->file, &error);
    if (!is_done(module_state(type), status, &error)) {
        Py_CLEAR(self);
    }
    return (PyObject*)self;
}

static int trajectory_traverse(PyObject* object, visitproc visit, void* arg) {
    Py_VISIT(((TrajectoryObject*)object)->model);
    Py_VISIT(Py_TYPE(object));
    return 0;
}

static int trajectory_clear(PyObject* object) {
    TrajectoryObject* self = (TrajectoryObject*)object;
    elv_trajectory_free(self->file);
    self->file = NULL;
    Py_CLEAR(self->model);
    return 0;
}

static void trajectory_dealloc(PyObject* object) {
    PyObject_GC_UnTrack(object);
    trajectory_clear(object);
    release_object(object);
}

bool trajectory_enter(TrajectoryObject* self, ModelObject* model) {
    if (!self->file) {
        raise_closed("trajectory");
        return false;
    }
    if (!enter_once(&self->is_busy, "trajectory")) {
        return false;
    }
    if (model) {
        PyObject* before = self->model;
        self->model = Py_NewRef((PyObject*)model);
        Py_XDECREF(before);
    }
    return true;
}

static PyObject* trajectory_close(PyObject* object, PyObject* unused) {
    (void)unused;
    TrajectoryObject* self = (TrajectoryObject*)object;
    if (!enter_once(&self->is_busy, "trajectory")) {
        return NULL;
    }
    self->is_busy = false;
    trajectory_clear(object);
    Py_RETURN_NONE;
}

static PyObject* trajectory_info(PyObject* object, PyObject* unused) {
    (void)unused;
    const ElvTrajectory* file = ((TrajectoryObject*)object)->file;
    if (!file) {
        return raise_closed("trajectory");
    }
    int n = elv_trajectory_n_signal(file);
    PyObject* columns = PyList_New(n);
    for (int i = 0; columns && i < n; i++) {
        PyObject* pair = Py_BuildValue("(ss)", elv_trajectory_signal_name(file, i),
                                       elv_trajectory_signal_unit(file, i));
        if (!pair || PyList_SetItem(columns, i, pair) < 0) {
            Py_CLEAR(columns);
        }
    }
    if (!columns) {
        return NULL;
    }
    return Py_BuildValue("{s:l,s:O,s:O,s:O,s:z,s:N}", "records", elv_trajectory_n_record(file),
                         "complete", elv_trajectory_is_complete(file) ? Py_True : Py_False,
                         "statics", elv_trajectory_is_statics(file) ? Py_True : Py_False, "states",
                         elv_trajectory_has_states(file) ? Py_True : Py_False, "model",
                         elv_trajectory_model_text(file), "columns", columns);
}

// (first, count, stride, out count x (1 + signals)): times and signals
static PyObject* trajectory_read(PyObject* object, PyObject* args) {
    TrajectoryObject* self = (TrajectoryObject*)object;
    long first, count, stride;
    PyObject* out;
    if (!PyArg_ParseTuple(args, "lllO", &first, &count, &stride, &out)) {
        return NULL;
    }
    if (!self->file) {
        return raise_closed("trajectory");
    }
    Py_ssize_t width = 1 + (Py_ssize_t)elv_trajectory_n_signal(self->file);
    if (first < 0 || count < 0 || stride < 1 || count > PY_SSIZE_T_MAX / (8 * width)) {
        PyErr_SetString(PyExc_ValueError, "records are counted from 0");
        return NULL;
    }
    Py_buffer view;
    double* row = doubles_out(out, count * width, "out", &view);
    if (!row || !trajectory_enter(self, NULL)) {
        if (row) {
            PyBuffer_Release(&view);
        }
        return NULL;
    }
    ElvError error;
    elv_error_clear(&error);
    ElvStatus status = ELV_OK;
    bool is_stopped = false;
    for (long i = 0; i < count && status == ELV_OK && !is_stopped; i++, row += width) {
        status =
            elv_trajectory_read(self->file, first + i * stride, NULL, row, NULL, row + 1, &error);
        is_stopped = i % 1024 == 1023 && PyErr_CheckSignals() < 0;
    }
    self->is_busy = false;
    PyBuffer_Release(&view);
    if (is_stopped || !is_done(module_state(Py_TYPE(object)), status, &error)) {
        return NULL;
    }
    Py_RETURN_NONE;
}

// (i, state): the state of a record
static PyObject* trajectory_state(PyObject* object, PyObject* args) {
    TrajectoryObject* self = (TrajectoryObject*)object;
    const ModuleState* module = module_state(Py_TYPE(object));
    long i;
    PyObject* argument;
    if (!PyArg_ParseTuple(args, "lO!", &i, module->state, &argument)) {
        return NULL;
    }
    StateObject* state = (StateObject*)argument;
    if (!trajectory_enter(self, state->owner)) {
        return NULL;
    }
    double t;
    ElvError error;
    elv_error_clear(&error);
    ElvStatus status =
        elv_trajectory_read(self->file, i, state->owner->model, &t, state->state, NULL, &error);
    self->is_busy = false;
    return is_done(module, status, &error) ? PyFloat_FromDouble(t) : NULL;
}

static PyMethodDef METHODS[] = {{"info", trajectory_info, METH_NOARGS, NULL},
                                {"read", trajectory_read, METH_VARARGS, NULL},
                                {"state", trajectory_state, METH_VARARGS, NULL},
                                {"close", trajectory_close, METH_NOARGS, NULL},
                                {NULL, NULL, 0, NULL}};

static PyType_Slot SLOTS[] = {{Py_tp_new, (void*)trajectory_new},
                              {Py_tp_dealloc, (void*)trajectory_dealloc},
                              {Py_tp_traverse, (void*)trajectory_traverse},
                              {Py_tp_clear, (void*)trajectory_clear},
                              {Py_tp_methods, METHODS},
                              {0, NULL}};

PyType_Spec TRAJECTORY_SPEC = {.name = "elver._elver.Trajectory",
                               .basicsize = sizeof(TrajectoryObject),
                               .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
                               .slots = SLOTS};
