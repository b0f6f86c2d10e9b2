// SPDX-License-Identifier: Apache-2.0
// Dynamics at a state: a workspace of a model, whose methods write into arrays of the caller. One computation at a time
// is in it; the lock of the interpreter is released meanwhile.
#include "module.h"

#include <string.h>

static PyObject* workspace_new(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
    (void)kwargs;
    const ModuleState* module = module_state(type);
    PyObject* owner;
    if (!PyArg_ParseTuple(args, "O!", module->model, &owner)) {
        return NULL;
    }
    WorkspaceObject* self = (WorkspaceObject*)PyType_GenericAlloc(type, 0);
    if (!self) {
        return NULL;
    }
    self->owner = (ModelObject*)Py_NewRef(owner);
    ElvError error;
    elv_error_clear(&error);
    ElvStatus status = elv_data_create(self->owner->model, &self->data, &error);
    if (!is_done(module, status, &error)) {
        Py_CLEAR(self);
    }
    return (PyObject*)self;
}

static int workspace_traverse(PyObject* object, visitproc visit, void* arg) {
    Py_VISIT(((WorkspaceObject*)object)->owner);
    Py_VISIT(Py_TYPE(object));
    return 0;
}

static void workspace_dealloc(PyObject* object) {
    WorkspaceObject* self = (WorkspaceObject*)object;
    PyObject_GC_UnTrack(object);
    elv_data_free(self->data);
    Py_XDECREF((PyObject*)self->owner);
    release_object(object);
}

StateObject* workspace_enter(WorkspaceObject* self, PyObject* state) {
    StateObject* found = state_of(module_state(Py_TYPE((PyObject*)self)), state, self->owner);
    return found && enter_once(&self->is_busy, "workspace") ? found : NULL;
}

PyObject* workspace_leave(WorkspaceObject* self, ElvStatus status, const ElvError* error) {
    self->is_busy = false;
    return is_done(module_state(Py_TYPE((PyObject*)self)), status, error) ? Py_NewRef(Py_None)
                                                                          : NULL;
}

// ---- vectors and matrices of the whole model

typedef void (*Evaluation)(const ElvModel*, ElvData*, const ElvState*, double*);

// (state, out): out has nv numbers, or nv x nv
static PyObject* evaluate(PyObject* object, PyObject* args, Evaluation evaluation, bool is_matrix) {
    WorkspaceObject* self = (WorkspaceObject*)object;
    const ElvModel* model = self->owner->model;
    PyObject *argument, *out;
    Py_buffer view;
    if (!PyArg_ParseTuple(args, "OO", &argument, &out)) {
        return NULL;
    }
    Py_ssize_t nv = elv_model_nv(model);
    double* result = doubles_out(out, is_matrix ? nv * nv : nv, "out", &view);
    const StateObject* state = result ? workspace_enter(self, argument) : NULL;
    if (state) {
        WORK_BEGIN;
        evaluation(model, self->data, state->state, result);
        WORK_END;
    }
    if (result) {
        PyBuffer_Release(&view);
    }
    return state ? workspace_leave(self, ELV_OK, NULL) : NULL;
}

static PyObject* workspace_idm(PyObject* self, PyObject* args) {
    return evaluate(self, args, elv_idm, false);
}

static PyObject* workspace_internal_efforts(PyObject* self, PyObject* args) {
    return evaluate(self, args, elv_internal_efforts, false);
}

static PyObject* workspace_residual(PyObject* self, PyObject* args) {
    return evaluate(self, args, elv_residual, false);
}

static PyObject* workspace_bias(PyObject* self, PyObject* args) {
    return evaluate(self, args, elv_bias, false);
}

static PyObject* workspace_drive_efforts(PyObject* self, PyObject* args) {
    return evaluate(self, args, elv_drive_efforts, false);
}

static PyObject* workspace_mass_matrix(PyObject* self, PyObject* args) {
    return evaluate(self, args, elv_mass_matrix, true);
}

static PyObject* workspace_kinematics(PyObject* object, PyObject* argument) {
    WorkspaceObject* self = (WorkspaceObject*)object;
    const StateObject* state = workspace_enter(self, argument);
    if (!state) {
        return NULL;
    }
    elv_kinematics(self->owner->model, self->data, state->state);
    return workspace_leave(self, ELV_OK, NULL);
}

static PyObject* workspace_forward_dynamics(PyObject* object, PyObject* argument) {
    WorkspaceObject* self = (WorkspaceObject*)object;
    StateObject* state = workspace_enter(self, argument);
    if (!state) {
        return NULL;
    }
    ElvError error;
    elv_error_clear(&error);
    ElvStatus status;
    WORK_BEGIN;
    status = elv_forward_dynamics(self->owner->model, self->data, state->state, &error);
    WORK_END;
    return workspace_leave(self, status, &error);
}

// (state, M, D, K)
static PyObject* workspace_tangent(PyObject* object, PyObject* args) {
    WorkspaceObject* self = (WorkspaceObject*)object;
    PyObject *argument, *out[3];
    if (!PyArg_ParseTuple(args, "OOOO", &argument, &out[0], &out[1], &out[2])) {
        return NULL;
    }
    Py_ssize_t n = (Py_ssize_t)elv_model_nv(self->owner->model) * elv_model_nv(self->owner->model);
    Py_buffer view[3];
    double* matrix[3] = {NULL, NULL, NULL};
    int n_view = 0;
    while (n_view < 3 && (matrix[n_view] = doubles_out(out[n_view], n, "out", &view[n_view]))) {
        n_view++;
    }
    const StateObject* state = n_view == 3 ? workspace_enter(self, argument) : NULL;
    ElvError error;
    elv_error_clear(&error);
    ElvStatus status = ELV_OK;
    if (state) {
        WORK_BEGIN;
        status = elv_tangent_matrices(self->owner->model, self->data, state->state, matrix[0],
                                      matrix[1], matrix[2], &error);
        WORK_END;
    }
    for (int i = 0; i < n_view; i++) {
        PyBuffer_Release(&view[i]);
    }
    return state ? workspace_leave(self, status, &error) : NULL;
}

// ---- many states at once

static Evaluation evaluation_of(const char* name) {
    static const struct {
        const char* name;
        Evaluation evaluation;
    } known[] = {{"idm", elv_idm},
                 {"residual", elv_residual},
                 {"bias", elv_bias},
                 {"internal_efforts", elv_internal_efforts}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(known[i].name, name) == 0) {
            return known[i].evaluation;
        }
    }
    PyErr_Format(PyExc_ValueError, "'%s' is not evaluated at many states", name);
    return NULL;
}

// rows of q, v, a in, of nv numbers out; the state is the scratch of the caller
static void evaluate_rows(WorkspaceObject* self,
                          Evaluation evaluation,
                          ElvState* state,
                          double* const part[4],
                          Py_ssize_t n) {
    const int size[] = {state->nq, state->nv, state->nv};
    double* const into[] = {state->q, state->v, state->a};
    Watch watch = {0};
    for (Py_ssize_t i = 0; i < n && !watch_is_stopped(&watch); i++) {
        for (int k = 0; k < 3; k++) {
            memcpy(into[k], part[k] + i * size[k], (size_t)size[k] * sizeof(double));
        }
        evaluation(self->owner->model, self->data, state, part[3] + i * state->nv);
    }
}

// (name, state as scratch, n, q, v, a, out)
static PyObject* workspace_many(PyObject* object, PyObject* args) {
    WorkspaceObject* self = (WorkspaceObject*)object;
    const ElvModel* model = self->owner->model;
    const char* name;
    PyObject *scratch, *array[4];
    Py_ssize_t n;
    if (!PyArg_ParseTuple(args, "sOnOOOO", &name, &scratch, &n, &array[0], &array[1], &array[2],
                          &array[3])) {
        return NULL;
    }
    static const char* const what[] = {"q", "v", "a", "out"};
    const Py_ssize_t size[] = {elv_model_nq(model), elv_model_nv(model), elv_model_nv(model),
                               elv_model_nv(model)};
    Evaluation evaluation = evaluation_of(name);
    double* part[4] = {NULL};
    Py_buffer view[4];
    int n_view = 0;
    while (evaluation && n_view < 4) {
        part[n_view] =
            n_view < 3 ? doubles_in(array[n_view], n * size[n_view], what[n_view], &view[n_view])
                       : doubles_out(array[3], n * size[3], "out", &view[3]);
        if (!part[n_view]) {
            break;
        }
        n_view++;
    }
    StateObject* state = n_view == 4 ? workspace_enter(self, scratch) : NULL;
    if (state) {
        WORK_BEGIN;
        evaluate_rows(self, evaluation, state->state, part, n);
        WORK_END;
    }
    for (int i = 0; i < n_view; i++) {
        PyBuffer_Release(&view[i]);
    }
    return state ? workspace_leave(self, ELV_OK, NULL) : NULL;
}

static PyMethodDef METHODS[] = {
    {"signals", workspace_signals, METH_VARARGS, NULL},
    {"idm", workspace_idm, METH_VARARGS, NULL},
    {"internal_efforts", workspace_internal_efforts, METH_VARARGS, NULL},
    {"residual", workspace_residual, METH_VARARGS, NULL},
    {"bias", workspace_bias, METH_VARARGS, NULL},
    {"drive_efforts", workspace_drive_efforts, METH_VARARGS, NULL},
    {"mass_matrix", workspace_mass_matrix, METH_VARARGS, NULL},
    {"many", workspace_many, METH_VARARGS, NULL},
    {"kinematics", workspace_kinematics, METH_O, NULL},
    {"forward_dynamics", workspace_forward_dynamics, METH_O, NULL},
    {"tangent", workspace_tangent, METH_VARARGS, NULL},
    {"pose", workspace_pose, METH_VARARGS, NULL},
    {"twist", workspace_twist, METH_VARARGS, NULL},
    {"jacobian", workspace_jacobian, METH_VARARGS, NULL},
    {"section", workspace_section, METH_VARARGS, NULL},
    {"energy", workspace_energy, METH_O, NULL},
    {"powers", workspace_powers, METH_O, NULL},
    {"momentum", workspace_momentum, METH_VARARGS, NULL},
    {"idm_derivatives", workspace_idm_derivatives, METH_VARARGS, NULL},
    {"constraints", workspace_constraints, METH_VARARGS, NULL},
    {"configuration", workspace_configuration, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL}};

static PyType_Slot SLOTS[] = {{Py_tp_new, (void*)workspace_new},
                              {Py_tp_dealloc, (void*)workspace_dealloc},
                              {Py_tp_traverse, (void*)workspace_traverse},
                              {Py_tp_methods, METHODS},
                              {0, NULL}};

PyType_Spec WORKSPACE_SPEC = {.name = "elver._elver.Workspace",
                              .basicsize = sizeof(WorkspaceObject),
                              .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
                              .slots = SLOTS};
