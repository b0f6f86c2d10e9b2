// SPDX-License-Identifier: Apache-2.0
// Callables of Python behind laws of a model, and numbers that Python sets between steps. A callable runs in the thread
// that computes; what it raises is kept by that thread, the rest of the computation sees numbers that are not finite,
// and its caller raises what was kept.
#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier): POSIX's own name

#include "module.h"

#include <float.h>
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
    watch->last = watch->last > 0 ? watch->last : now;
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

static bool is_stopped(void* user) {
    return watch_is_stopped(user);
}

ElvStop watch_stop(Watch* watch) {
    return (ElvStop){is_stopped, watch};
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

// what is not finite would be blamed on whatever meets it first
static bool check_finite(const PyLaw* law, double t, const ElvJet* jet) {
    if (isfinite(jet->v) && isfinite(jet->d) && isfinite(jet->dd)) {
        return true;
    }
    const char* name = PyUnicode_AsUTF8AndSize(law->name, NULL);
    ElvError error;
    elv_error_clear(&error);
    ElvStatus status =
        elv_error_set(&error, ELV_ERROR_NUMERIC, name ? name : "", NULL,
                      "the law of Python is not a finite number at t = %.9g: value %g, rate %g, "
                      "acceleration %g",
                      fabs(t) < DBL_MIN ? 0.0 : t, jet->v, jet->d, jet->dd);
    raise_status(law->module, status, &error);
    return false;
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
        if (!result || !read_jet(result, law->is_motion, jet) || !check_finite(law, t, jet)) {
            *jet = (ElvJet){NAN, NAN, NAN};
            exception_keep();
        }
        Py_XDECREF(result);
        Py_DECREF(callable);
    }
    PyGILState_Release(lock);
}

// ---- currents

// distance of the points between which the current of a callable is differentiated
static const double CURRENT_STEP = 1e-5;

static bool refuse_current(void) {
    PyErr_SetString(PyExc_TypeError,
                    "a current returns its velocity, three numbers, or velocity, gradient (3 x 3), "
                    "acceleration and the gradient of that");
    return false;
}

static bool read_vector(PyObject* list, double value[3]) {
    bool is_good = PySequence_Check(list) && PySequence_Size(list) == 3;
    for (int i = 0; i < 3 && is_good; i++) {
        PyObject* item = PySequence_GetItem(list, i);
        value[i] = item ? PyFloat_AsDouble(item) : NAN;
        Py_XDECREF(item);
        is_good = !PyErr_Occurred();
    }
    return is_good;
}

static bool read_matrix(PyObject* list, double value[9]) {
    bool is_good = PySequence_Check(list) && PySequence_Size(list) == 3;
    for (int i = 0; i < 3 && is_good; i++) {
        PyObject* row = PySequence_GetItem(list, i);
        is_good = row && read_vector(row, value + 3 * (size_t)i);
        Py_XDECREF(row);
    }
    return is_good;
}

// velocity alone, or all; *is_whole tells
static bool call_at(PyObject* callable, double t, ElvVec3 x, bool* is_whole, ElvCurrent* current) {
    PyObject* result = PyObject_CallFunction(callable, "d(ddd)", t, x.x, x.y, x.z);
    if (!result) {
        return false;
    }
    *is_whole = PySequence_Check(result) && PySequence_Size(result) == 4;
    double part[4][9] = {{0.0}};
    bool is_good = *is_whole || read_vector(result, part[0]);
    for (int i = 0; i < 4 && *is_whole && is_good; i++) {
        PyObject* item = PySequence_GetItem(result, i);
        is_good = item && (i % 2 == 0 ? read_vector(item, part[i]) : read_matrix(item, part[i]));
        Py_XDECREF(item);
    }
    Py_DECREF(result);
    current->velocity = elv_vec3(part[0][0], part[0][1], part[0][2]);
    current->acceleration = elv_vec3(part[2][0], part[2][1], part[2][2]);
    for (int i = 0; i < 9; i++) {
        current->gradient.m[i / 3][i % 3] = part[1][i];
        current->rise.m[i / 3][i % 3] = part[3][i];
    }
    return is_good || refuse_current();
}

// the velocity at a point near by
static bool velocity_at(PyObject* callable, double t, ElvVec3 x, double velocity[3]) {
    ElvCurrent current = {0};
    bool is_whole = false;
    bool is_good = call_at(callable, t, x, &is_whole, &current);
    velocity[0] = current.velocity.x;
    velocity[1] = current.velocity.y;
    velocity[2] = current.velocity.z;
    return is_good;
}

// gradient and acceleration by central differences; that of the acceleration only speeds up steps
static bool differentiate(PyObject* callable, double t, ElvVec3 x, ElvCurrent* current) {
    double plus[3] = {0.0};
    double minus[3] = {0.0};
    double rate[3] = {0.0};
    const double U[3] = {current->velocity.x, current->velocity.y, current->velocity.z};
    for (int k = 0; k < 4; k++) {
        double h = CURRENT_STEP;
        const double e[4] = {k == 0 ? h : 0.0, k == 1 ? h : 0.0, k == 2 ? h : 0.0,
                             k == 3 ? h : 0.0};
        ElvVec3 step = elv_vec3(e[1], e[2], e[3]);
        if (!velocity_at(callable, t + e[0], elv_vec3_add(x, step), plus) ||
            !velocity_at(callable, t - e[0], elv_vec3_sub(x, step), minus)) {
            return false;
        }
        for (int i = 0; i < 3; i++) {
            double slope = (plus[i] - minus[i]) / (2.0 * h);
            rate[i] += k == 0 ? slope : slope * U[k - 1];
            if (k > 0) {
                current->gradient.m[i][k - 1] = slope;
            }
        }
    }
    current->acceleration = elv_vec3(rate[0], rate[1], rate[2]);
    return true;
}

static void call_current(void* user, double t, ElvVec3 x, ElvCurrent* current) {
    const PyLaw* law = user;
    bool is_good = false;
    if (!kept && !work_must_end()) {
        PyGILState_STATE lock = PyGILState_Ensure();
        PyObject* callable = law->callable ? Py_NewRef(law->callable) : NULL;
        bool is_whole = false;
        is_good = callable && call_at(callable, t, x, &is_whole, current) &&
                  (is_whole || differentiate(callable, t, x, current));
        if (!is_good && PyErr_Occurred()) {
            exception_keep();
        }
        Py_XDECREF(callable);
        PyGILState_Release(lock);
    }
    if (!is_good) {
        current->velocity = current->acceleration = elv_vec3(NAN, NAN, NAN);
    }
}

// ---- binding

// what a law is for; one that is not listed, or cannot be compiled, is for nothing in particular and has the value 0
static ElvInputInfo find_input(const ElvSpec* spec, const char* name) {
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
    if (strcmp(name, "fluid.current") == 0) {
        ElvError reason;
        elv_error_clear(&reason);
        *law = (PyLaw){.callable = Py_NewRef(callable), .is_field = true};
        return is_done(module, elv_spec_set_current(self->spec, call_current, law, &reason),
                       &reason);
    }
    ElvInputInfo info = find_input(self->spec, name);
    *law = (PyLaw){Py_NewRef(callable), info.is_field, info.is_motion, PyUnicode_FromString(name),
                   module};
    if (!law->name) {
        return false;
    }
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

static bool bind_input(const ModuleState* module, ModelObject* self, double* u, const char* name) {
    ElvInputInfo info = find_input(self->spec, name);
    ElvStatus status = ELV_OK;
    ElvError error;
    elv_error_clear(&error);
    if (info.is_motion) {
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
