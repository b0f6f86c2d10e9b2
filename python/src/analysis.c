// SPDX-License-Identifier: Apache-2.0
// Statics, loops, modes and linear models: functions of a model and a state.
#include "module.h"

#include <stdlib.h>

bool call_begin(PyObject* module, PyObject* model, PyObject* state, Call* call) {
    call->module = PyModule_GetState(module);
    if (!PyObject_TypeCheck(model, call->module->model)) {
        PyErr_SetString(PyExc_TypeError, "a Model is wanted");
        return false;
    }
    call->owner = (ModelObject*)model;
    call->state = state_of(call->module, state, call->owner);
    elv_error_clear(&call->error);
    return call->state != NULL;
}

// ---- equilibria

// (model, state, load): the state becomes the equilibrium
static PyObject* statics(PyObject* self, PyObject* args) {
    PyObject *model, *state;
    double load;
    Call call;
    if (!PyArg_ParseTuple(args, "OOd", &model, &state, &load) ||
        !call_begin(self, model, state, &call)) {
        return NULL;
    }
    ElvStaticsDef options = elv_model_statics(call.owner->model);
    Watch watch = {0};
    options.stop = watch_stop(&watch);
    ElvStaticsReport report = {0};
    ElvStatus status;
    WORK_BEGIN;
    status = elv_statics_solve(call.owner->model, call.state->state, load, &options, &report,
                               &call.error);
    WORK_END;
    if (!is_done(call.module, status, &call.error)) {
        return NULL;
    }
    return Py_BuildValue("{s:l,s:l,s:d,s:z}", "increments", report.n_increment, "iterations",
                         report.n_iteration, "residual", report.last_residual, "loose",
                         report.loose);
}

// (model, state)
static PyObject* close_loops(PyObject* self, PyObject* args) {
    PyObject *model, *state;
    Call call;
    if (!PyArg_ParseTuple(args, "OO", &model, &state) || !call_begin(self, model, state, &call)) {
        return NULL;
    }
    ElvClosureReport report = {0};
    ElvStatus status;
    WORK_BEGIN;
    status = elv_close_loops(call.owner->model, call.state->state, &report, &call.error);
    WORK_END;
    if (!is_done(call.module, status, &call.error)) {
        return NULL;
    }
    return Py_BuildValue("{s:i,s:i,s:d,s:d}", "redundant", report.n_redundant, "free",
                         report.n_free, "opened", report.opened, "gap", report.gap);
}

static PyObject* stability(PyObject* self, PyObject* args) {
    static const char* const text[] = {"unknown", "stable", "unstable"};
    PyObject *model, *state;
    Call call;
    if (!PyArg_ParseTuple(args, "OO", &model, &state) || !call_begin(self, model, state, &call)) {
        return NULL;
    }
    ElvStabilityReport report;
    ElvStatus status;
    WORK_BEGIN;
    status = elv_stability(call.owner->model, call.state->state, &report, &call.error);
    WORK_END;
    if (!is_done(call.module, status, &call.error)) {
        return NULL;
    }
    return Py_BuildValue("{s:s,s:d,s:i,s:d,s:O}", "stability", text[report.stability], "eigenvalue",
                         report.eigenvalue, "negative", report.n_negative, "growth", report.growth,
                         "flutter", report.is_flutter ? Py_True : Py_False);
}

// ---- small motions

// (model, state): modes as a list of tuples, shapes as bytes
static PyObject* modes(PyObject* self, PyObject* args) {
    PyObject *model, *state;
    Call call;
    if (!PyArg_ParseTuple(args, "OO", &model, &state) || !call_begin(self, model, state, &call)) {
        return NULL;
    }
    ElvModes* found = NULL;
    ElvStatus status;
    WORK_BEGIN;
    status = elv_modes_create(call.owner->model, call.state->state, &found, &call.error);
    WORK_END;
    if (!is_done(call.module, status, &call.error)) {
        elv_modes_free(found);
        return NULL;
    }
    PyObject* list = PyList_New(found->n_mode);
    for (int i = 0; list && i < found->n_mode; i++) {
        ElvMode mode = found->mode[i];
        PyObject* item = Py_BuildValue("(ddddO)", mode.frequency, mode.damping, mode.re, mode.im,
                                       mode.is_rigid ? Py_True : Py_False);
        if (!item || PyList_SetItem(list, i, item) < 0) {
            Py_CLEAR(list);
        }
    }
    size_t n = (size_t)found->n_mode * (size_t)found->nv;
    PyObject* result = list ? Py_BuildValue("(NNN)", list, doubles_copy(found->shape, n),
                                            doubles_copy(found->shape_im, n))
                            : NULL;
    elv_modes_free(found);
    return result;
}

static PyObject* linear_result(const ElvLinearModel* linear) {
    size_t nx = (size_t)linear->n_state, nu = (size_t)linear->n_input,
           ny = (size_t)linear->n_output;
    return Py_BuildValue("(NNNNNNNN)", doubles_copy(linear->A, nx * nx),
                         doubles_copy(linear->B, nx * nu), doubles_copy(linear->C, ny * nx),
                         doubles_copy(linear->D, ny * nu), doubles_copy(linear->y, ny),
                         texts_copy(linear->state_name, linear->n_state),
                         texts_copy(linear->input_name, linear->n_input),
                         texts_copy(linear->output_name, linear->n_output));
}

// (model, state, inputs or None, outputs)
static PyObject* linearize(PyObject* self, PyObject* args) {
    PyObject *model, *state, *inputs, *outputs;
    Call call;
    if (!PyArg_ParseTuple(args, "OOOO!", &model, &state, &inputs, &PyList_Type, &outputs) ||
        !call_begin(self, model, state, &call)) {
        return NULL;
    }
    if (inputs != Py_None && !PyList_Check(inputs)) {
        PyErr_SetString(PyExc_TypeError, "inputs must be a list of names, or None");
        return NULL;
    }
    int n_input = 0, n_output = 0;
    const char** input = inputs == Py_None ? NULL : texts_take(inputs, &n_input);
    const char** output = PyErr_Occurred() ? NULL : texts_take(outputs, &n_output);
    PyObject* result = NULL;
    if (output) {
        ElvLinearModel* linear = NULL;
        ElvStatus status;
        WORK_BEGIN;
        status = elv_linear_model_create(call.owner->model, call.state->state, input, n_input,
                                         output, n_output, &linear, &call.error);
        WORK_END;
        result = is_done(call.module, status, &call.error) ? linear_result(linear) : NULL;
        elv_linear_model_free(linear);
    }
    free((void*)input);
    free((void*)output);
    return result;
}

PyMethodDef ANALYSIS_METHODS[] = {
    {"statics", statics, METH_VARARGS, NULL},     {"close_loops", close_loops, METH_VARARGS, NULL},
    {"stability", stability, METH_VARARGS, NULL}, {"modes", modes, METH_VARARGS, NULL},
    {"linearize", linearize, METH_VARARGS, NULL}, {NULL, NULL, 0, NULL}};
