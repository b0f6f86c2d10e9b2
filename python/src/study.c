// SPDX-License-Identifier: Apache-2.0
// Studies of a model: how inputs act at a state, and what one mode more of every strain would change.
#include "module.h"

#include <stdlib.h>

// (model, state, inputs or None): B as bytes, names of inputs
static PyObject* actuation(PyObject* self, PyObject* args) {
    PyObject *model, *state, *inputs;
    Call call;
    if (!PyArg_ParseTuple(args, "OOO", &model, &state, &inputs) ||
        !call_begin(self, model, state, &call)) {
        return NULL;
    }
    if (inputs != Py_None && !PyList_Check(inputs)) {
        PyErr_SetString(PyExc_TypeError, "inputs must be a list of names, or None");
        return NULL;
    }
    int n_input = 0;
    const char** input = inputs == Py_None ? NULL : texts_take(inputs, &n_input);
    if (inputs != Py_None && !input) {
        return NULL;
    }
    ElvActuation* found = NULL;
    ElvStatus status;
    WORK_BEGIN;
    status = elv_actuation_create(call.owner->model, call.state->state, input, n_input, &found,
                                  &call.error);
    WORK_END;
    free((void*)input);
    PyObject* result = NULL;
    if (is_done(call.module, status, &call.error)) {
        result = Py_BuildValue("(NN)",
                               doubles_copy(found->B, (size_t)found->nv * (size_t)found->n_input),
                               texts_copy(found->input_name, found->n_input));
    }
    elv_actuation_free(found);
    return result;
}

static bool goes_on(void* user, double t, const ElvIntegratorReport* report) {
    (void)t;
    (void)report;
    return !watch_is_stopped(user);
}

// name of a rod, and of each strain: whether it has modes, error and size
static PyObject* study_rod(const ElvModeStudyRod* rod) {
    PyObject* strains = PyList_New(ELV_N_STRAIN);
    for (int k = 0; strains && k < ELV_N_STRAIN; k++) {
        PyObject* item = Py_BuildValue("(Odd)", rod->is_active[k] ? Py_True : Py_False,
                                       rod->error[k], rod->size[k]);
        if (!item || PyList_SetItem(strains, k, item) < 0) {
            Py_CLEAR(strains);
        }
    }
    return strains ? Py_BuildValue("(sN)", rod->name, strains) : NULL;
}

// (model, is_static)
static PyObject* mode_study(PyObject* self, PyObject* args) {
    const ModuleState* module = PyModule_GetState(self);
    PyObject* model;
    int is_static;
    if (!PyArg_ParseTuple(args, "O!p", module->model, &model, &is_static)) {
        return NULL;
    }
    ElvModeStudy* study = NULL;
    ElvError error;
    elv_error_clear(&error);
    Watch watch = {0};
    ElvStatus status;
    WORK_BEGIN;
    status = elv_mode_study_create(((ModelObject*)model)->spec, is_static, goes_on, &watch, &study,
                                   &error);
    WORK_END;
    PyObject* list = is_done(module, status, &error) ? PyList_New(study->n_rod) : NULL;
    for (int i = 0; list && i < study->n_rod; i++) {
        PyObject* item = study_rod(&study->rod[i]);
        if (!item || PyList_SetItem(list, i, item) < 0) {
            Py_CLEAR(list);
        }
    }
    elv_mode_study_free(study);
    return list;
}

PyMethodDef STUDY_METHODS[] = {{"actuation", actuation, METH_VARARGS, NULL},
                               {"mode_study", mode_study, METH_VARARGS, NULL},
                               {NULL, NULL, 0, NULL}};
