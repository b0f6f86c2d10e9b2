// SPDX-License-Identifier: Apache-2.0
// Inverse dynamics of chains without modes: a solver that remembers the last motion it was given.
#include "module.h"

#include <stdlib.h>

typedef struct {
    PyObject head;
    ModelObject* owner;
    PyObject* state; // that of the last motion, which the solver looks into
    ElvRiccati* solver;
    bool has_motion;
    bool is_busy;
} RiccatiObject;

static PyObject* riccati_new(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
    (void)kwargs;
    const ModuleState* module = module_state(type);
    PyObject* owner;
    int steps;
    if (!PyArg_ParseTuple(args, "O!i", module->model, &owner, &steps)) {
        return NULL;
    }
    RiccatiObject* self = (RiccatiObject*)PyType_GenericAlloc(type, 0);
    if (!self) {
        return NULL;
    }
    self->owner = (ModelObject*)Py_NewRef(owner);
    ElvError error;
    elv_error_clear(&error);
    ElvStatus status = elv_riccati_create(self->owner->model, steps, &self->solver, &error);
    if (!is_done(module, status, &error)) {
        Py_CLEAR(self);
    }
    return (PyObject*)self;
}

static int riccati_traverse(PyObject* object, visitproc visit, void* arg) {
    Py_VISIT(((RiccatiObject*)object)->owner);
    Py_VISIT(((RiccatiObject*)object)->state);
    Py_VISIT(Py_TYPE(object));
    return 0;
}

static void riccati_dealloc(PyObject* object) {
    RiccatiObject* self = (RiccatiObject*)object;
    PyObject_GC_UnTrack(object);
    elv_riccati_free(self->solver);
    Py_XDECREF(self->state);
    Py_XDECREF((PyObject*)self->owner);
    release_object(object);
}

static PyObject* leave(RiccatiObject* self, ElvStatus status, const ElvError* error) {
    self->is_busy = false;
    return is_done(module_state(Py_TYPE((PyObject*)self)), status, error) ? Py_NewRef(Py_None)
                                                                          : NULL;
}

// one computation at a time, and after a motion
static bool enter(RiccatiObject* self) {
    if (!self->has_motion) {
        PyErr_SetString(PyExc_ValueError, "no motion was given yet: solve one first");
        return false;
    }
    return enter_once(&self->is_busy, "solver");
}

// (state, is_root_free): a state of its own, which nobody changes
static PyObject* riccati_solve(PyObject* object, PyObject* args) {
    RiccatiObject* self = (RiccatiObject*)object;
    PyObject* argument;
    int is_root_free;
    if (!PyArg_ParseTuple(args, "Op", &argument, &is_root_free)) {
        return NULL;
    }
    const StateObject* state = state_of(module_state(Py_TYPE(object)), argument, self->owner);
    if (!state || !enter_once(&self->is_busy, "solver")) {
        return NULL;
    }
    ElvError error;
    elv_error_clear(&error);
    ElvStatus status;
    PyObject* before = self->state;
    self->state = Py_NewRef(argument);
    WORK_BEGIN;
    status = elv_riccati_solve_state(self->solver, state->state, is_root_free, &error);
    WORK_END;
    Py_XDECREF(before);
    self->has_motion = status == ELV_OK;
    return leave(self, status, &error);
}

// (t, is_static)
static PyObject* riccati_solve_imposed(PyObject* object, PyObject* args) {
    RiccatiObject* self = (RiccatiObject*)object;
    double t;
    int is_static;
    if (!PyArg_ParseTuple(args, "dp", &t, &is_static) || !enter_once(&self->is_busy, "solver")) {
        return NULL;
    }
    ElvError error;
    elv_error_clear(&error);
    ElvStatus status;
    WORK_BEGIN;
    status = elv_riccati_solve_imposed(self->solver, t, is_static, NULL, NULL, &error);
    WORK_END;
    self->has_motion = status == ELV_OK;
    return leave(self, status, &error);
}

// accelerations and efforts of the joint at the root, six each, and the defect
static PyObject* riccati_root(PyObject* object, PyObject* unused) {
    (void)unused;
    RiccatiObject* self = (RiccatiObject*)object;
    if (!enter(self)) {
        return NULL;
    }
    ElvRiccatiRoot root = elv_riccati_root(self->solver);
    self->is_busy = false;
    return Py_BuildValue("(NNd)", doubles_copy(root.a, 6), doubles_copy(root.effort, 6),
                         root.defect);
}

// (node, s, out 46): pose 4x4, strain, velocity, acceleration, internal wrench, actuation
static PyObject* riccati_section(PyObject* object, PyObject* args) {
    RiccatiObject* self = (RiccatiObject*)object;
    int i_node;
    double s;
    PyObject* out;
    Py_buffer view;
    if (!PyArg_ParseTuple(args, "idO", &i_node, &s, &out) ||
        !is_station(self->owner->model, i_node, s) || !enter(self)) {
        return NULL;
    }
    double* result = doubles_out(out, 46, "out", &view);
    if (!result) {
        self->is_busy = false;
        return NULL;
    }
    ElvRiccatiSection section;
    ElvError error;
    elv_error_clear(&error);
    ElvStatus status = elv_riccati_section(self->solver, i_node, s, &section, &error);
    if (status == ELV_OK) {
        pose_write(section.pose, result);
        six_write(section.strain.ang, section.strain.lin, result + 16);
        six_write(section.eta.ang, section.eta.lin, result + 22);
        six_write(section.eta_dot.ang, section.eta_dot.lin, result + 28);
        six_write(section.lam.mom, section.lam.frc, result + 34);
        for (int k = 0; k < 6; k++) {
            result[40 + k] = section.actuation[k];
        }
    }
    PyBuffer_Release(&view);
    return leave(self, status, &error);
}

// tensions and pressures by device, as bytes; what they should give, and what they cannot
static PyObject* riccati_tensions(PyObject* object, PyObject* unused) {
    (void)unused;
    RiccatiObject* self = (RiccatiObject*)object;
    size_t n = (size_t)elv_model_n_device(self->owner->model);
    double* input = calloc(n + 1, sizeof *input);
    if (!input) {
        return PyErr_NoMemory();
    }
    if (!enter(self)) {
        free(input);
        return NULL;
    }
    ElvTensionReport report;
    ElvError error;
    elv_error_clear(&error);
    ElvStatus status;
    WORK_BEGIN;
    status = elv_riccati_tensions(self->solver, NULL, input, &report, &error);
    WORK_END;
    PyObject* none = leave(self, status, &error);
    PyObject* result =
        none ? Py_BuildValue("(Ndd)", doubles_copy(input, n), report.wanted, report.left) : NULL;
    Py_XDECREF(none);
    free(input);
    return result;
}

static PyMethodDef METHODS[] = {{"solve", riccati_solve, METH_VARARGS, NULL},
                                {"solve_imposed", riccati_solve_imposed, METH_VARARGS, NULL},
                                {"root", riccati_root, METH_NOARGS, NULL},
                                {"section", riccati_section, METH_VARARGS, NULL},
                                {"tensions", riccati_tensions, METH_NOARGS, NULL},
                                {NULL, NULL, 0, NULL}};

static PyType_Slot SLOTS[] = {{Py_tp_new, (void*)riccati_new},
                              {Py_tp_dealloc, (void*)riccati_dealloc},
                              {Py_tp_traverse, (void*)riccati_traverse},
                              {Py_tp_methods, METHODS},
                              {0, NULL}};

PyType_Spec RICCATI_SPEC = {.name = "elver._elver.Riccati",
                            .basicsize = sizeof(RiccatiObject),
                            .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
                            .slots = SLOTS};
