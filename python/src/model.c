// SPDX-License-Identifier: Apache-2.0
// A compiled model with its spec, from YAML text or a file, with values put over it and callables of Python behind some
// of its laws.
#include "module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- places of errors

// the text of a file that was read a moment ago; free() it. NULL: it cannot be had
static char* file_text(const char* path, size_t* n) {
    FILE* file = fopen(path, "rb");
    long size = file && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    char* text = size >= 0 && fseek(file, 0, SEEK_SET) == 0 ? malloc((size_t)size + 1) : NULL;
    *n = text ? fread(text, 1, (size_t)size, file) : 0;
    if (file) {
        fclose(file);
    }
    return text;
}

// compilation knows elements alone
static void locate(const char* path, const char* text, size_t n_text, ElvError* error) {
    char* own = text ? NULL : file_text(path, &n_text);
    if (text || own) {
        elv_error_locate(text ? text : own, n_text, path, error);
    }
    free(own);
}

// ---- values put over it

// overrides: a list of pairs of texts; the texts live as long as the list
static ElvOverride* take_overrides(PyObject* list, int* n) {
    *n = (int)PyList_Size(list);
    ElvOverride* overrides = calloc((size_t)*n + 1, sizeof *overrides);
    if (!overrides) {
        PyErr_NoMemory();
        return NULL;
    }
    for (int i = 0; i < *n; i++) {
        PyObject* pair = PyList_GetItem(list, i);
        if (!PyTuple_Check(pair) ||
            !PyArg_ParseTuple(pair, "ss", &overrides[i].key, &overrides[i].value)) {
            PyErr_SetString(PyExc_TypeError, "values put over a model are pairs of texts");
            free(overrides);
            return NULL;
        }
    }
    return overrides;
}

// ---- layout

// FNV-1a, going on from a hash
static unsigned long long mix(unsigned long long hash, const void* data, size_t n) {
    const unsigned char* byte = data;
    for (size_t i = 0; i < n; i++) {
        hash = (hash ^ byte[i]) * 0x100000001b3ULL;
    }
    return hash;
}

// what the numbers of a state are: models of one layout can have each other's states
static unsigned long long layout_of(const ElvModel* model) {
    unsigned long long hash = 0xcbf29ce484222325ULL;
    for (int i = 0; i < elv_model_n_node(model); i++) {
        ElvNodeInfo info = elv_model_node(model, i);
        const int size[] = {(int)info.joint, info.i_q, info.n_q, info.i_v, info.n_v};
        hash = mix(hash, info.name, strlen(info.name) + 1);
        hash = mix(hash, info.parent, strlen(info.parent) + 1);
        hash = mix(hash, size, sizeof size);
        hash = mix(hash, info.modes, sizeof info.modes);
    }
    for (int i = 0; i < elv_model_n_device(model); i++) {
        ElvDeviceInfo info = elv_model_device(model, i);
        const int size[] = {info.i_z, info.n_z, info.n_row};
        hash = mix(hash, info.kind, strlen(info.kind) + 1);
        hash = mix(hash, info.name, strlen(info.name) + 1);
        hash = mix(hash, size, sizeof size);
    }
    return hash;
}

// ---- creation

static bool model_fill(const ModuleState* module,
                       ModelObject* self,
                       const char* path,
                       const char* text,
                       Py_ssize_t n_text,
                       PyObject* list,
                       PyObject* laws,
                       PyObject* inputs) {
    int n;
    ElvOverride* overrides = take_overrides(list, &n);
    if (!overrides) {
        return false;
    }
    ElvError error;
    elv_error_clear(&error);
    ElvStatus status =
        text ? elv_spec_read_text(text, (size_t)n_text, path, overrides, n, &self->spec, &error)
             : elv_spec_read_file(path, overrides, n, &self->spec, &error);
    free(overrides);
    if (status == ELV_OK && !(bind_laws(module, self, laws) && bind_inputs(module, self, inputs))) {
        return false;
    }
    if (status == ELV_OK) {
        status = elv_spec_compile(self->spec, &self->model, &error);
    }
    if (status != ELV_OK && error.element[0] != '\0') {
        locate(path, text, (size_t)n_text, &error);
    }
    self->layout = status == ELV_OK ? layout_of(self->model) : 0;
    return is_done(module, status, &error);
}

static PyObject* model_new(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
    (void)kwargs;
    const ModuleState* module = module_state(type);
    const char *path, *text;
    Py_ssize_t n_text;
    PyObject *overrides, *laws, *inputs;
    if (!PyArg_ParseTuple(args, "sz#OOO", &path, &text, &n_text, &overrides, &laws, &inputs)) {
        return NULL;
    }
    if (!PyList_Check(overrides) || !PyList_Check(laws) || !PyList_Check(inputs)) {
        PyErr_SetString(PyExc_TypeError, "overrides, laws and inputs must be lists");
        return NULL;
    }
    ModelObject* self = (ModelObject*)PyType_GenericAlloc(type, 0);
    if (self && !model_fill(module, self, path, text, n_text, overrides, laws, inputs)) {
        Py_CLEAR(self);
    }
    return (PyObject*)self;
}

static int model_traverse(PyObject* object, visitproc visit, void* arg) {
    ModelObject* self = (ModelObject*)object;
    for (Py_ssize_t i = 0; i < self->n_law; i++) {
        Py_VISIT(self->law[i].callable);
    }
    Py_VISIT(Py_TYPE(object));
    return 0;
}

// laws without a callable are never heard of again: a thread that computes holds the model
static int model_clear(PyObject* object) {
    ModelObject* self = (ModelObject*)object;
    for (Py_ssize_t i = 0; i < self->n_law; i++) {
        Py_CLEAR(self->law[i].callable);
    }
    return 0;
}

static void model_dealloc(PyObject* object) {
    ModelObject* self = (ModelObject*)object;
    PyObject_GC_UnTrack(object);
    elv_model_free(self->model);
    elv_spec_free(self->spec);
    model_clear(object);
    for (Py_ssize_t i = 0; i < self->n_law; i++) {
        Py_XDECREF(self->law[i].name);
    }
    free(self->law);
    Py_XDECREF(self->memory);
    release_object(object);
}

static PyType_Slot SLOTS[] = {
    {Py_tp_new, (void*)model_new},           {Py_tp_dealloc, (void*)model_dealloc},
    {Py_tp_traverse, (void*)model_traverse}, {Py_tp_clear, (void*)model_clear},
    {Py_tp_methods, MODEL_METHODS},          {0, NULL}};

PyType_Spec MODEL_SPEC = {.name = "elver._elver.Model",
                          .basicsize = sizeof(ModelObject),
                          .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
                          .slots = SLOTS};
