// SPDX-License-Identifier: Apache-2.0
// Memory of the library seen from Python: a block exports doubles by the buffer protocol and keeps their owner alive;
// arguments are taken by the same protocol, checked for kind, size and numbers.
#include "module.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    PyObject head;
    PyObject* owner;
    double* data;
    Py_ssize_t shape[2], stride[2];
    int n_dimension;
} BlockObject;

PyObject* block_create(const ModuleState* module,
                       PyObject* owner,
                       double* data,
                       Py_ssize_t n_row,
                       Py_ssize_t n_column) {
    BlockObject* self = (BlockObject*)PyType_GenericAlloc(module->block, 0);
    if (!self) {
        return NULL;
    }
    Py_INCREF(owner);
    self->owner = owner;
    self->data = data;
    self->n_dimension = n_column > 0 ? 2 : 1;
    self->shape[0] = n_row;
    self->shape[1] = n_column;
    self->stride[0] = (n_column > 0 ? n_column : 1) * (Py_ssize_t)sizeof(double);
    self->stride[1] = (Py_ssize_t)sizeof(double);
    return (PyObject*)self;
}

static void block_dealloc(PyObject* object) {
    Py_XDECREF(((BlockObject*)object)->owner);
    release_object(object);
}

static int block_export(PyObject* object, Py_buffer* view, int flags) {
    static char format[] = "d";
    static double nothing; // arrays without elements have an address all the same
    BlockObject* self = (BlockObject*)object;
    Py_ssize_t n = self->shape[0] * (self->n_dimension > 1 ? self->shape[1] : 1);
    view->buf = self->data ? self->data : &nothing;
    view->len = n * (Py_ssize_t)sizeof(double);
    view->itemsize = (Py_ssize_t)sizeof(double);
    view->readonly = 0;
    view->ndim = self->n_dimension;
    view->format = flags & PyBUF_FORMAT ? format : NULL;
    view->shape = flags & PyBUF_ND ? self->shape : NULL;
    view->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? self->stride : NULL;
    view->suboffsets = NULL;
    view->internal = NULL;
    view->obj = object;
    Py_INCREF(object);
    return 0;
}

static PyType_Slot SLOTS[] = {{Py_tp_dealloc, (void*)block_dealloc},
                              {Py_bf_getbuffer, (void*)block_export},
                              {Py_tp_doc, "Memory that arrays look into."},
                              {0, NULL}};

PyType_Spec BLOCK_SPEC = {.name = "elver._elver.Block",
                          .basicsize = sizeof(BlockObject),
                          .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                          .slots = SLOTS};

// ---- arguments

static double*
get_doubles(PyObject* object, Py_ssize_t n, const char* what, int flags, Py_buffer* view) {
    if (PyObject_GetBuffer(object, view, flags | PyBUF_FORMAT | PyBUF_C_CONTIGUOUS) < 0) {
        PyErr_Clear();
        PyErr_Format(PyExc_TypeError, "%s must be a contiguous%s array of doubles", what,
                     flags & PyBUF_WRITABLE ? ", writable" : "");
        return NULL;
    }
    const char* format = view->format ? view->format : "B";
    bool is_double = strcmp(format, "d") == 0 || strcmp(format, "<d") == 0;
    Py_ssize_t size = view->len / (Py_ssize_t)sizeof(double);
    if (!is_double) {
        PyErr_Format(PyExc_TypeError, "%s must hold doubles, not elements of type '%s'", what,
                     format);
    } else if (n >= 0 && size != n) {
        PyErr_Format(PyExc_ValueError, "%s must have %zd numbers, not %zd", what, n, size);
    } else {
        return view->buf;
    }
    PyBuffer_Release(view);
    return NULL;
}

double* doubles_in(PyObject* object, Py_ssize_t n, const char* what, Py_buffer* view) {
    double* data = get_doubles(object, n, what, PyBUF_SIMPLE, view);
    for (Py_ssize_t i = 0; data && i < view->len / (Py_ssize_t)sizeof(double); i++) {
        if (!isfinite(data[i])) {
            PyErr_Format(PyExc_ValueError, "%s[%zd] is not a finite number", what, i);
            PyBuffer_Release(view);
            return NULL;
        }
    }
    return data;
}

double* doubles_out(PyObject* object, Py_ssize_t n, const char* what, Py_buffer* view) {
    return get_doubles(object, n, what, PyBUF_WRITABLE, view);
}

// ---- results

void pose_write(ElvPose pose, double* out) {
    const double p[] = {pose.p.x, pose.p.y, pose.p.z};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            out[4 * i + j] = pose.R.m[i][j];
        }
        out[4 * i + 3] = p[i];
        out[12 + i] = 0.0;
    }
    out[15] = 1.0;
}

ElvPose pose_read(const double* in) {
    ElvPose pose;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            pose.R.m[i][j] = in[4 * i + j];
        }
    }
    pose.p = (ElvVec3){in[3], in[7], in[11]};
    return pose;
}

void six_write(ElvVec3 first, ElvVec3 second, double* out) {
    const double six[] = {first.x, first.y, first.z, second.x, second.y, second.z};
    for (int i = 0; i < 6; i++) {
        out[i] = six[i];
    }
}

PyObject* doubles_copy(const double* value, size_t n) {
    return PyBytes_FromStringAndSize((const char*)value, (Py_ssize_t)(n * sizeof *value));
}

PyObject* texts_copy(const char* const* text, int n) {
    PyObject* list = PyList_New(n);
    for (int i = 0; list && i < n; i++) {
        PyObject* item = PyUnicode_FromString(text[i]);
        if (!item || PyList_SetItem(list, i, item) < 0) {
            Py_CLEAR(list);
        }
    }
    return list;
}

const char** texts_take(PyObject* list, int* n) {
    *n = (int)PyList_Size(list);
    const char** text = calloc((size_t)*n + 1, sizeof *text);
    if (!text) {
        PyErr_NoMemory();
    }
    for (int i = 0; text && i < *n; i++) {
        text[i] = PyUnicode_AsUTF8AndSize(PyList_GetItem(list, i), NULL);
        if (!text[i]) {
            free(text);
            return NULL;
        }
    }
    return text;
}
