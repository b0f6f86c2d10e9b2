// SPDX-License-Identifier: Apache-2.0
// Everything of a model that changes in time. Its arrays are views of the library's own memory.
#include "module.h"

#include <math.h>
#include <string.h>

static const char CAPSULE[] = "elver.state";

static void free_state(PyObject* memory) {
    elv_state_free(PyCapsule_GetPointer(memory, CAPSULE));
}

ElvState* state_in(PyObject* memory) {
    return PyCapsule_GetPointer(memory, CAPSULE);
}

PyObject* state_create(const ModuleState* module, const ModelObject* owner) {
    ElvState* state = NULL;
    ElvError error;
    elv_error_clear(&error);
    ElvStatus status = elv_state_create(owner->model, &state, &error);
    PyObject* memory =
        is_done(module, status, &error) ? PyCapsule_New(state, CAPSULE, free_state) : NULL;
    if (!memory) {
        elv_state_free(state);
    }
    return memory;
}

PyObject* state_lend(const ModuleState* module, ModelObject* owner, PyObject* memory) {
    StateObject* self = (StateObject*)PyType_GenericAlloc(module->state, 0);
    if (self) {
        self->owner = (ModelObject*)Py_NewRef((PyObject*)owner);
        self->memory = Py_NewRef(memory);
        self->state = state_in(memory);
    }
    return (PyObject*)self;
}

static PyObject* state_new(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
    (void)kwargs;
    const ModuleState* module = module_state(type);
    PyObject* owner;
    if (!PyArg_ParseTuple(args, "O!", module->model, &owner)) {
        return NULL;
    }
    PyObject* memory = state_create(module, (ModelObject*)owner);
    PyObject* self = memory ? state_lend(module, (ModelObject*)owner, memory) : NULL;
    Py_XDECREF(memory);
    return self;
}

// ---- rows of records

double* state_put_row(const ElvState* state, double* row) {
    const double* const part[] = {state->q, state->v, state->a, state->z};
    const int n[] = {state->nq, state->nv, state->nv, state->nz};
    *row++ = state->t;
    for (int i = 0; i < 4; i++) {
        if (n[i] > 0) {
            memcpy(row, part[i], (size_t)n[i] * sizeof *row);
        }
        row += n[i];
    }
    return row;
}

const double* state_take_row(ElvState* state, const double* row) {
    double* const part[] = {state->q, state->v, state->a, state->z};
    const int n[] = {state->nq, state->nv, state->nv, state->nz};
    state->t = *row++;
    for (int i = 0; i < 4; i++) {
        if (n[i] > 0) {
            memcpy(part[i], row, (size_t)n[i] * sizeof *row);
        }
        row += n[i];
    }
    return row;
}

// ---- as arguments

static bool check_finite(const double* value, int n, const char* name) {
    for (int i = 0; i < n; i++) {
        if (!isfinite(value[i])) {
            PyErr_Format(PyExc_ValueError, "%s[%d] of the state is not a finite number", name, i);
            return false;
        }
    }
    return true;
}

bool state_is_finite(const ElvState* state) {
    return check_finite(state->q, state->nq, "q") && check_finite(state->v, state->nv, "v") &&
           check_finite(state->a, state->nv, "a") && check_finite(state->z, state->nz, "z");
}

StateObject* state_of(const ModuleState* module, PyObject* object, const ModelObject* owner) {
    if (!PyObject_TypeCheck(object, module->state)) {
        PyErr_SetString(PyExc_TypeError, "a State is wanted");
        return NULL;
    }
    StateObject* self = (StateObject*)object;
    // simulators have models of their own, with the same coordinates
    if (self->owner->layout != owner->layout) {
        PyErr_SetString(PyExc_ValueError, "this state belongs to another model, whose elements, "
                                          "joints, modes or devices are others");
        return NULL;
    }
    return state_is_finite(self->state) ? self : NULL;
}

static int state_traverse(PyObject* object, visitproc visit, void* arg) {
    StateObject* self = (StateObject*)object;
    Py_VISIT(self->owner);
    Py_VISIT(Py_TYPE(object));
    return 0;
}

static void state_dealloc(PyObject* object) {
    StateObject* self = (StateObject*)object;
    PyObject_GC_UnTrack(object);
    Py_XDECREF((PyObject*)self->owner);
    Py_XDECREF(self->memory);
    release_object(object);
}

// ---- arrays

// which of them a getter is for: its closure points to one of these
static const int PART[] = {0, 1, 2, 3};

static PyObject* state_part(PyObject* object, void* closure) {
    const StateObject* self = (StateObject*)object;
    const ElvState* state = self->state;
    const ModuleState* module = module_state(Py_TYPE(object));
    double* const data[] = {state->q, state->v, state->a, state->z};
    const int n[] = {state->nq, state->nv, state->nv, state->nz};
    int part = *(const int*)closure;
    return block_create(module, self->memory, data[part], n[part], 0);
}

static PyObject* state_get_t(PyObject* object, void* closure) {
    (void)closure;
    return PyFloat_FromDouble(((StateObject*)object)->state->t);
}

bool state_put_t(ElvState* state, PyObject* value) {
    double t = value ? PyFloat_AsDouble(value) : NAN;
    if (PyErr_Occurred()) {
        return false;
    }
    if (!isfinite(t)) {
        PyErr_SetString(PyExc_ValueError, "t must be a finite number");
        return false;
    }
    state->t = t;
    return true;
}

static int state_set_t(PyObject* object, PyObject* value, void* closure) {
    (void)closure;
    return state_put_t(((StateObject*)object)->state, value) ? 0 : -1;
}

// whoever changes coordinates makes an integrator forget what it remembers
static PyObject* state_touch(PyObject* object, PyObject* unused) {
    (void)unused;
    ((StateObject*)object)->state->step_past = 0.0;
    Py_RETURN_NONE;
}

static PyObject* state_assign(PyObject* object, PyObject* other) {
    StateObject* self = (StateObject*)object;
    const StateObject* from = state_of(module_state(Py_TYPE(object)), other, self->owner);
    if (!from) {
        return NULL;
    }
    elv_state_copy(self->state, from->state);
    Py_RETURN_NONE;
}

static PyObject* state_duplicate(PyObject* object, PyObject* unused) {
    (void)unused;
    StateObject* self = (StateObject*)object;
    const ModuleState* module = module_state(Py_TYPE(object));
    PyObject* memory = state_create(module, self->owner);
    if (!memory) {
        return NULL;
    }
    elv_state_copy(state_in(memory), self->state);
    PyObject* copy = state_lend(module, self->owner, memory);
    Py_DECREF(memory);
    return copy;
}

static PyObject* state_reset(PyObject* object, PyObject* unused) {
    (void)unused;
    StateObject* self = (StateObject*)object;
    elv_state_reset(self->owner->model, self->state);
    return exception_raise() ? NULL : Py_NewRef(Py_None);
}

static PyObject* state_impose(PyObject* object, PyObject* unused) {
    (void)unused;
    StateObject* self = (StateObject*)object;
    elv_state_impose(self->owner->model, self->state);
    return exception_raise() ? NULL : Py_NewRef(Py_None);
}

static PyGetSetDef GETSET[] = {
    {"t", state_get_t, state_set_t, NULL, NULL},    {"q", state_part, NULL, NULL, (void*)&PART[0]},
    {"v", state_part, NULL, NULL, (void*)&PART[1]}, {"a", state_part, NULL, NULL, (void*)&PART[2]},
    {"z", state_part, NULL, NULL, (void*)&PART[3]}, {NULL, NULL, NULL, NULL, NULL}};

static PyMethodDef METHODS[] = {
    {"assign", state_assign, METH_O, NULL},    {"copy", state_duplicate, METH_NOARGS, NULL},
    {"reset", state_reset, METH_NOARGS, NULL}, {"impose", state_impose, METH_NOARGS, NULL},
    {"touch", state_touch, METH_NOARGS, NULL}, {NULL, NULL, 0, NULL}};

static PyType_Slot SLOTS[] = {{Py_tp_new, (void*)state_new},
                              {Py_tp_dealloc, (void*)state_dealloc},
                              {Py_tp_traverse, (void*)state_traverse},
                              {Py_tp_methods, METHODS},
                              {Py_tp_getset, GETSET},
                              {0, NULL}};

PyType_Spec STATE_SPEC = {.name = "elver._elver.State",
                          .basicsize = sizeof(StateObject),
                          .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
                          .slots = SLOTS};
