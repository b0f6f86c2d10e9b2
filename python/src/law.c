// SPDX-License-Identifier: Apache-2.0
// Callables of Python behind laws of a model, and numbers that Python sets between steps. A callable runs in the thread
// that computes; what it raises is kept by that thread, the rest of the computation sees numbers that are not finite,
// and its caller raises what was kept.
#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier): POSIX's own name

#include "module.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// ---- exceptions

// the first exception of the computation that a thread is in
static _Thread_local PyObject* kept;

void exception_keep(void) {
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    if (trace) {
        PyException_SetTraceback(value, trace);
    }
    if (kept) {
        Py_XDECREF(value);
    } else {
        kept = value;
    }
    Py_XDECREF(type);
    Py_XDECREF(trace);
}

bool exception_is_kept(void) {
    return kept != NULL;
}

bool exception_raise(void) {
    PyObject* raised = kept;
    if (!raised) {
        return false;
    }
    kept = NULL;
    PyErr_SetObject((PyObject*)Py_TYPE(raised), raised);
    Py_DECREF(raised);
    return true;
}

bool watch_is_stopped(Watch* watch) {
    if (work_must_end()) {
        return true;
    }
    struct timespec clock;
    clock_gettime(CLOCK_MONOTONIC, &clock);
    long long now = 1000000000LL * clock.tv_sec + clock.tv_nsec;
    if (now - watch->last > 50000000LL && !kept) {
        watch->last = now;
        PyGILState_STATE lock = PyGILState_Ensure();
        if (PyErr_CheckSignals() < 0) {
            exception_keep();
        }
        PyGILState_Release(lock);
    }
    return kept != NULL;
}

// ---- callables

static bool refuse_result(void) {
    PyErr_SetString(PyExc_TypeError, "a law returns a number, or value, rate and acceleration");
    return false;
}

static bool refuse_motion(void) {
    PyErr_SetString(PyExc_TypeError,
                    "a law of an imposed motion returns value, rate and acceleration");
    return false;
}

// a number, or a sequence of value, rate and acceleration, which motions need
static bool read_jet(PyObject* result, bool is_motion, ElvJet* jet) {
    *jet = (ElvJet){0.0, 0.0, 0.0};
    Py_ssize_t n =
        PyFloat_Check(result) || !PySequence_Check(result) ? -1 : PySequence_Size(result);
    if (n < 0) {
        // arrays without axes are numbers too
        PyErr_Clear();
        jet->v = PyFloat_AsDouble(result);
        bool is_number = !PyErr_Occurred() || refuse_result();
        return is_number && is_motion ? refuse_motion() : is_number;
    }
    double* const part[] = {&jet->v, &jet->d, &jet->dd};
    if (n != 1 && n != 3) {
        return refuse_result();
    }
    if (is_motion && n != 3) {
        return refuse_motion();
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject* item = PySequence_GetItem(result, i);
        *part[i] = item ? PyFloat_AsDouble(item) : NAN;
        Py_XDECREF(item);
        if (PyErr_Occurred()) {
            return refuse_result();
        }
    }
    return true;
}

// after an exception nothing is called any more: NaN ends the computation
static void call_law(void* user, double t, double s, ElvJet* jet) {
    const PyLaw* law = user;
    *jet = (ElvJet){NAN, NAN, NAN};
    if (kept || work_must_end()) {
        return;
    }
    PyGILState_STATE lock = PyGILState_Ensure();
    if (law->callable) {
        // the callable may let its own model go
        PyObject* callable = Py_NewRef(law->callable);
        PyObject* result = law->is_field ? PyObject_CallFunction(callable, "dd", t, s)
                                         : PyObject_CallFunction(callable, "d", t);
        if (!result || !read_jet(result, law->is_motion, jet)) {
            *jet = (ElvJet){NAN, NAN, NAN};
            exception_keep();
        }
        Py_XDECREF(result);
        Py_DECREF(callable);
    }
    PyGILState_Release(lock);
}

// what a law is for; nothing in particular if it is not listed
static ElvInputInfo input_named(const ElvSpec* spec, const char* name) {
    int n = elv_spec_n_input(spec);
    ElvInputInfo info;
    for (int i = 0; i < n; i++) {
        if (elv_spec_input(spec, i, &info, NULL) == ELV_OK && strcmp(info.name, name) == 0) {
            return info;
        }
    }
    return (ElvInputInfo){0};
}

static bool bind_law(const ModuleState* module, ModelObject* self, PyLaw* law, PyObject* pair) {
    const char* name;
    PyObject* callable;
    if (!PyTuple_Check(pair) || !PyArg_ParseTuple(pair, "sO", &name, &callable)) {
        PyErr_SetString(PyExc_TypeError, "laws are pairs of a name and a callable");
        return false;
    }
    if (!PyCallable_Check(callable)) {
        PyErr_Format(PyExc_TypeError, "the law of '%s' is not a callable", name);
        return false;
    }
    ElvInputInfo info = input_named(self->spec, name);
    *law = (PyLaw){Py_NewRef(callable), info.is_field, info.is_motion};
    ElvLawDef def = elv_law_def_callback(call_law, law);
    ElvError error;
    elv_error_clear(&error);
    ElvStatus status = elv_spec_set_law(self->spec, name, &def, &error);
    return is_done(module, status, &error);
}

bool bind_laws(const ModuleState* module, ModelObject* self, PyObject* laws) {
    Py_ssize_t n = PyList_Size(laws);
    self->law = calloc((size_t)n + 1, sizeof *self->law);
    if (!self->law) {
        PyErr_NoMemory();
        return false;
    }
    bool is_good = true;
    for (Py_ssize_t i = 0; i < n && is_good; i++) {
        self->n_law = i + 1;
        is_good = bind_law(module, self, &self->law[i], PyList_GetItem(laws, i));
    }
    return is_good;
}

// ---- inputs

// what Python wants at the moment, held over a step
static void hold_input(void* user, double t, double s, ElvJet* jet) {
    (void)t;
    (void)s;
    *jet = (ElvJet){*(const double*)user, 0.0, 0.0};
}

// an input that is not listed has the value 0
static ElvStatus
find_input(const ElvSpec* spec, const char* name, ElvInputInfo* info, ElvError* error) {
    int n = elv_spec_n_input(spec);
    for (int i = 0; i < n; i++) {
        ElvStatus status = elv_spec_input(spec, i, info, error);
        if (status != ELV_OK || strcmp(info->name, name) == 0) {
            return status;
        }
    }
    *info = (ElvInputInfo){0};
    return ELV_OK;
}

static bool bind_input(const ModuleState* module, ModelObject* self, double* u, const char* name) {
    ElvInputInfo info;
    ElvError error;
    elv_error_clear(&error);
    ElvStatus status = find_input(self->spec, name, &info, &error);
    if (status == ELV_OK && info.is_motion) {
        status = elv_error_set(
            &error, ELV_ERROR_INPUT, name, NULL,
            "an imposed motion needs its rate and acceleration: give it a law, a callable that "
            "returns (value, rate, acceleration), in place of an input");
    }
    if (status == ELV_OK) {
        *u = info.value;
        ElvLawDef def = elv_law_def_callback(hold_input, u);
        status = elv_spec_set_law(self->spec, name, &def, &error);
    }
    return is_done(module, status, &error);
}

static void free_inputs(PyObject* capsule) {
    free(PyCapsule_GetPointer(capsule, "elver.inputs"));
}

bool bind_inputs(const ModuleState* module, ModelObject* self, PyObject* inputs) {
    Py_ssize_t n = PyList_Size(inputs);
    double* u = calloc((size_t)n + 1, sizeof *u);
    if (!u) {
        PyErr_NoMemory();
        return false;
    }
    self->memory = PyCapsule_New(u, "elver.inputs", free_inputs);
    if (!self->memory) {
        free(u);
        return false;
    }
    self->u = u;
    self->n_u = n;
    bool is_good = true;
    for (Py_ssize_t i = 0; i < n && is_good; i++) {
        const char* name = PyUnicode_AsUTF8AndSize(PyList_GetItem(inputs, i), NULL);
        is_good = name && bind_input(module, self, &u[i], name);
    }
    return is_good;
}
