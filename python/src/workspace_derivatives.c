// SPDX-License-Identifier: Apache-2.0
// What a workspace tells of derivatives at a state: of the inverse dynamics, of constraints, of the centre of mass; and sums
// and differences of configurations.
#include "module.h"

// the doubles of several arrays that are written, all or none
static bool
take_all(PyObject* const* out, int n_out, Py_ssize_t n, double** data, Py_buffer* view) {
    for (int i = 0; i < n_out; i++) {
        data[i] = doubles_out(out[i], n, "out", &view[i]);
        if (!data[i]) {
            while (i-- > 0) {
                PyBuffer_Release(&view[i]);
            }
            return false;
        }
    }
    return true;
}

// (state, d_q, d_v, d_a), nv x nv each
PyObject* workspace_idm_derivatives(PyObject* object, PyObject* args) {
    WorkspaceObject* self = (WorkspaceObject*)object;
    const ElvModel* model = self->owner->model;
    PyObject *argument, *out[3];
    double* data[3];
    Py_buffer view[3];
    Py_ssize_t nv = elv_model_nv(model);
    if (!PyArg_ParseTuple(args, "OOOO", &argument, &out[0], &out[1], &out[2]) ||
        !take_all(out, 3, nv * nv, data, view)) {
        return NULL;
    }
    const StateObject* state = workspace_enter(self, argument);
    if (state) {
        WORK_BEGIN;
        elv_idm_derivatives(model, self->data, state->state, data[0], data[1], data[2]);
        WORK_END;
    }
    for (int i = 0; i < 3; i++) {
        PyBuffer_Release(&view[i]);
    }
    return state ? workspace_leave(self, ELV_OK, NULL) : NULL;
}

// (state, level, out): defects of constraints (0) or a derivative of them (1, 2); their Jacobian (-1); that of the centre
// of mass (-2)
PyObject* workspace_constraints(PyObject* object, PyObject* args) {
    WorkspaceObject* self = (WorkspaceObject*)object;
    const ElvModel* model = self->owner->model;
    PyObject *argument, *out;
    int level;
    double* data;
    Py_buffer view;
    if (!PyArg_ParseTuple(args, "OiO", &argument, &level, &out)) {
        return NULL;
    }
    Py_ssize_t n_row = level == -2 ? 3 : elv_model_n_constraint(model);
    if (!take_all(&out, 1, n_row * (level < 0 ? elv_model_nv(model) : 1), &data, &view)) {
        return NULL;
    }
    const StateObject* state = workspace_enter(self, argument);
    if (state && level == -2) {
        elv_center_jacobian(model, self->data, state->state, data);
    } else if (state && level == -1) {
        elv_constraint_jacobian(model, self->data, state->state, data);
    } else if (state) {
        elv_constraint_defects(model, self->data, state->state, level, data);
    }
    PyBuffer_Release(&view);
    return state ? workspace_leave(self, ELV_OK, NULL) : NULL;
}

// (q, d or q_end, out, is_difference)
PyObject* workspace_configuration(PyObject* object, PyObject* args) {
    const ElvModel* model = ((WorkspaceObject*)object)->owner->model;
    PyObject *first, *second, *out;
    int is_difference;
    Py_buffer view[3];
    if (!PyArg_ParseTuple(args, "OOOp", &first, &second, &out, &is_difference)) {
        return NULL;
    }
    Py_ssize_t nq = elv_model_nq(model), nv = elv_model_nv(model);
    const double* q = doubles_in(first, nq, "q", &view[0]);
    if (!q) {
        return NULL;
    }
    const double* other =
        doubles_in(second, is_difference ? nq : nv, is_difference ? "q_end" : "d", &view[1]);
    double* result = other ? doubles_out(out, is_difference ? nv : nq, "out", &view[2]) : NULL;
    if (result && is_difference) {
        elv_configuration_difference(model, q, other, result);
    } else if (result) {
        elv_configuration_integrate(model, q, other, result);
    }
    PyBuffer_Release(&view[0]);
    if (other) {
        PyBuffer_Release(&view[1]);
    }
    if (result) {
        PyBuffer_Release(&view[2]);
    }
    return result ? Py_NewRef(Py_None) : NULL;
}
