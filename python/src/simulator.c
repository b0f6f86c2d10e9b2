// SPDX-License-Identifier: Apache-2.0
// A simulation that Python drives step by step, or lets run: integrator, state, signals and what was recorded. The lock
// of the interpreter is released while the library works; Ctrl-C is looked for a few times a second.
#include "module.h"

#include <math.h>
#include <string.h>

typedef struct {
    PyObject head;
    ModelObject* owner;
    ElvSimulateDef method;
    double dt; // of step(), s
    Watch watch;
    ElvIntegrator* integrator;
    PyObject* memory; // capsule that holds the state
    ElvState* state;
    bool is_started;
    bool is_busy; // a thread is in it
    double* past; // t, q, v, z after the last step: who changes them by hand starts again
    bool has_past;
    double* u_past; // inputs of the last step     (n_u)
    // steps are counted from a start, so that times do not gather rounding: the k-th ends at t_start + k dt
    double t_start;
    long n_step;
    ElvIntegratorReport last; // of the last run
} SimulatorObject;

/// That of implicit methods where the model file has none, s.
static const double DEFAULT_STEP = 0.01;

// ---- options

static bool create_integrator(const ModuleState* module, SimulatorObject* self) {
    ElvError error;
    elv_error_clear(&error);
    ElvStatus status;
    WORK_BEGIN;
    status = elv_integrator_create(self->owner->model, &self->method, &self->integrator, &error);
    WORK_END;
    return is_done(module, status, &error);
}

// (model, method or None, step or 0)
static PyObject* simulator_new(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
    (void)kwargs;
    const ModuleState* module = module_state(type);
    PyObject* owner;
    const char* name;
    double step;
    if (!PyArg_ParseTuple(args, "O!zd", module->model, &owner, &name, &step)) {
        return NULL;
    }
    ElvSimulateDef method = elv_model_simulate(((ModelObject*)owner)->model);
    if (name && !method_read(name, &method.method)) {
        return NULL;
    }
    if (!isfinite(step) || step < 0.0) {
        PyErr_SetString(PyExc_ValueError, "dt must be a positive number");
        return NULL;
    }
    method.step = step > 0.0 ? step : method.step;
    SimulatorObject* self = (SimulatorObject*)PyType_GenericAlloc(type, 0);
    if (!self) {
        return NULL;
    }
    self->owner = (ModelObject*)Py_NewRef(owner);
    self->method = method;
    self->method.stop = watch_stop(&self->watch);
    self->dt = method.step > 0.0 ? method.step : DEFAULT_STEP;
    self->memory = state_create(module, self->owner);
    if (!self->memory || !create_integrator(module, self)) {
        Py_CLEAR(self);
        return NULL;
    }
    self->state = state_in(self->memory);
    size_t n = (size_t)self->state->nq + (size_t)self->state->nv + (size_t)self->state->nz;
    self->past = PyMem_Calloc(n + 1, sizeof *self->past);
    self->u_past = PyMem_Calloc((size_t)self->owner->n_u + 1, sizeof *self->u_past);
    if (!self->past || !self->u_past) {
        PyErr_NoMemory();
        Py_CLEAR(self);
    }
    return (PyObject*)self;
}

static int simulator_traverse(PyObject* object, visitproc visit, void* arg) {
    Py_VISIT(((SimulatorObject*)object)->owner);
    Py_VISIT(Py_TYPE(object));
    return 0;
}

static void simulator_dealloc(PyObject* object) {
    SimulatorObject* self = (SimulatorObject*)object;
    PyObject_GC_UnTrack(object);
    elv_integrator_free(self->integrator);
    PyMem_Free(self->past);
    PyMem_Free(self->u_past);
    Py_XDECREF(self->memory);
    Py_XDECREF((PyObject*)self->owner);
    release_object(object);
}

// ---- changes by hand

// compare t, q, v, z with what the last step has left, or keep them; true where they are the same. Accelerations are
// results: whoever asks for those of this state changes nothing.
static bool is_past(SimulatorObject* self, bool keeps) {
    const ElvState* state = self->state;
    const double* const part[] = {&state->t, state->q, state->v, state->z};
    const int n[] = {1, state->nq, state->nv, state->nz};
    double* past = self->past;
    bool is_same = true;
    for (int i = 0; i < 4; i++) {
        size_t size = (size_t)n[i] * sizeof *past;
        if (keeps && size > 0) {
            memcpy(past, part[i], size);
        } else if (size > 0) {
            is_same = is_same && memcmp(past, part[i], size) == 0;
        }
        past += n[i];
    }
    self->has_past = self->has_past || keeps;
    return is_same;
}

// start again from a state that was changed by hand; raises and returns false if it is not finite
static bool look_at_state(SimulatorObject* self) {
    bool is_changed = self->has_past && !is_past(self, false);
    if (is_changed) {
        self->is_started = false;
        self->state->step_past = 0.0;
    }
    return self->is_started || state_is_finite(self->state);
}

// inputs that are others than in the last step have jumped, however they were set
static void look_at_inputs(SimulatorObject* self) {
    size_t size = (size_t)self->owner->n_u * sizeof *self->u_past;
    if (size > 0 && memcmp(self->u_past, self->owner->u, size) != 0) {
        memcpy(self->u_past, self->owner->u, size);
        elv_integrator_jump(self->integrator);
    }
}

// ---- steps

// a state of an earlier step goes on with the times of that step
static void count_from_here(SimulatorObject* self) {
    double t = self->state->t;
    double n = round((t - self->t_start) / self->dt);
    bool is_step = fabs(n) < 1e15 && fabs(self->t_start + n * self->dt - t) < 1e-9 * self->dt;
    self->t_start = is_step ? self->t_start : t;
    self->n_step = is_step ? (long)n : 0;
}

// internal steps to the end of one time step; the state is the last good one on failure
static ElvStatus advance(SimulatorObject* self, ElvError* error) {
    ElvStatus status = ELV_OK;
    if (!self->is_started) {
        status = elv_integrator_start(self->integrator, self->state, error);
        self->is_started = status == ELV_OK;
        count_from_here(self);
    }
    double t_end = self->t_start + (double)++self->n_step * self->dt;
    while (status == ELV_OK && self->state->t < t_end) {
        status = elv_integrator_step(self->integrator, t_end, self->state, error);
    }
    return status;
}

// (inputs or None): one step of the time step
static PyObject* simulator_step(PyObject* object, PyObject* const* args, Py_ssize_t n) {
    SimulatorObject* self = (SimulatorObject*)object;
    if (n > 1) {
        PyErr_SetString(PyExc_TypeError, "step takes the values of the inputs, or nothing");
        return NULL;
    }
    if (!enter_once(&self->is_busy, "simulator")) {
        return NULL;
    }
    if (!look_at_state(self) ||
        (n == 1 && args[0] != Py_None && !inputs_take(self->owner, args[0]))) {
        self->is_busy = false;
        return NULL;
    }
    look_at_inputs(self);
    ElvError error;
    ElvStatus status;
    elv_error_clear(&error);
    WORK_BEGIN;
    status = advance(self, &error);
    WORK_END;
    is_past(self, true);
    self->is_busy = false;
    if (status == ELV_OK && !exception_is_kept()) {
        return PyFloat_FromDouble(self->state->t);
    }
    self->is_started = false;
    is_done(module_state(Py_TYPE(object)), status, &error);
    return NULL;
}

// ---- runs

// how a run of this simulator goes
static ElvSimulateOptions
run_options(SimulatorObject* self, double duration, double every, Record* record) {
    ElvSimulateOptions options = elv_simulate_options_default(self->owner->model, self->state);
    options.method = self->method;
    options.method.duration = duration;
    options.t_end = self->state->t + duration;
    options.record_every = every > 0.0 ? every : options.record_every;
    options.record = record_append;
    options.progress = record_look;
    options.control = record->controller == Py_None ? NULL : record_control;
    options.control_every = self->dt;
    options.user = record;
    return options;
}

// (duration, every or 0, signals, controller or None): what was recorded, and the exception that ended it
static PyObject* simulator_run(PyObject* object, PyObject* args) {
    SimulatorObject* self = (SimulatorObject*)object;
    const ModuleState* module = module_state(Py_TYPE(object));
    const ElvModel* model = self->owner->model;
    double duration, every;
    PyObject* list;
    PyObject* controller;
    Record record;
    if (!PyArg_ParseTuple(args, "ddO!O", &duration, &every, &PyList_Type, &list, &controller)) {
        return NULL;
    }
    ElvMethod method = self->method.method;
    const char* strong = elv_method_is_strong(method) ? elv_method_name(method) : NULL;
    if (!record_init(module, model, list, strong, &record) ||
        !enter_once(&self->is_busy, "simulator")) {
        record_free(&record);
        return NULL;
    }
    record.owner = self->owner;
    record.controller = controller;
    if (!look_at_state(self)) {
        self->is_busy = false;
        record_free(&record);
        return NULL;
    }
    ElvIntegratorReport report = {0};
    ElvSimulateOptions options = run_options(self, duration, every, &record);
    ElvError error;
    elv_error_clear(&error);
    ElvStatus status;
    WORK_BEGIN;
    status = elv_simulate(model, self->state, &options, &report, &error);
    WORK_END;
    is_past(self, true);
    self->last = report;
    self->is_started = false;
    self->is_busy = false;
    PyObject* result = record_result(module, status, &error, &record);
    record_free(&record);
    return result;
}

// ---- the rest

static PyObject* simulator_state(PyObject* object, void* closure) {
    (void)closure;
    SimulatorObject* self = (SimulatorObject*)object;
    return state_lend(module_state(Py_TYPE(object)), self->owner, self->memory);
}

// the end of what changes the state
static PyObject* leave(SimulatorObject* self) {
    self->is_busy = false;
    return exception_raise() || PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}

// the state was changed from outside: start from it again
static PyObject* simulator_restart(PyObject* object, PyObject* unused) {
    (void)unused;
    SimulatorObject* self = (SimulatorObject*)object;
    if (!enter_once(&self->is_busy, "simulator")) {
        return NULL;
    }
    self->is_started = false;
    self->state->step_past = 0.0;
    return leave(self);
}

// become a copy of another state, with what an integrator remembers of it
static PyObject* simulator_assign(PyObject* object, PyObject* other) {
    SimulatorObject* self = (SimulatorObject*)object;
    const StateObject* from = state_of(module_state(Py_TYPE(object)), other, self->owner);
    if (!from || !enter_once(&self->is_busy, "simulator")) {
        return NULL;
    }
    elv_state_copy(self->state, from->state);
    self->has_past = false;
    self->is_started = false;
    return leave(self);
}

// back to the initial state
static PyObject* simulator_reset(PyObject* object, PyObject* unused) {
    (void)unused;
    SimulatorObject* self = (SimulatorObject*)object;
    if (!enter_once(&self->is_busy, "simulator")) {
        return NULL;
    }
    elv_state_reset(self->owner->model, self->state);
    self->state->step_past = 0.0;
    self->has_past = false;
    self->is_started = false;
    return leave(self);
}

// changes by hand, of which no step may see a part: the time, and imposed motions
static PyObject* simulator_set_t(PyObject* object, PyObject* value) {
    SimulatorObject* self = (SimulatorObject*)object;
    if (!enter_once(&self->is_busy, "simulator")) {
        return NULL;
    }
    (void)state_put_t(self->state, value);
    return leave(self);
}

static PyObject* simulator_impose(PyObject* object, PyObject* unused) {
    (void)unused;
    SimulatorObject* self = (SimulatorObject*)object;
    if (!enter_once(&self->is_busy, "simulator")) {
        return NULL;
    }
    elv_state_impose(self->owner->model, self->state);
    return leave(self);
}

static PyObject* simulator_report(PyObject* object, PyObject* unused) {
    (void)unused;
    SimulatorObject* self = (SimulatorObject*)object;
    if (!enter_once(&self->is_busy, "simulator")) {
        return NULL;
    }
    ElvIntegratorReport report = elv_integrator_report(self->integrator);
    ElvIntegratorReport last = self->last;
    self->is_busy = false;
    return report_dict(&report, &last);
}

static PyObject* simulator_u(PyObject* object, void* closure) {
    (void)closure;
    SimulatorObject* self = (SimulatorObject*)object;
    return block_create(module_state(Py_TYPE(object)), self->owner->memory, self->owner->u,
                        self->owner->n_u, 0);
}

static PyObject* simulator_dt(PyObject* object, void* closure) {
    (void)closure;
    return PyFloat_FromDouble(((SimulatorObject*)object)->dt);
}

static PyMethodDef METHODS[] = {
    {"step", (PyCFunction)(void (*)(void))simulator_step, METH_FASTCALL, NULL},
    {"run", simulator_run, METH_VARARGS, NULL},
    {"restart", simulator_restart, METH_NOARGS, NULL},
    {"assign", simulator_assign, METH_O, NULL},
    {"reset", simulator_reset, METH_NOARGS, NULL},
    {"set_t", simulator_set_t, METH_O, NULL},
    {"impose", simulator_impose, METH_NOARGS, NULL},
    {"report", simulator_report, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL}};

static PyGetSetDef GETSET[] = {{"state", simulator_state, NULL, NULL, NULL},
                               {"u", simulator_u, NULL, NULL, NULL},
                               {"dt", simulator_dt, NULL, NULL, NULL},
                               {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot SLOTS[] = {{Py_tp_new, (void*)simulator_new},
                              {Py_tp_dealloc, (void*)simulator_dealloc},
                              {Py_tp_traverse, (void*)simulator_traverse},
                              {Py_tp_methods, METHODS},
                              {Py_tp_getset, GETSET},
                              {0, NULL}};

PyType_Spec SIMULATOR_SPEC = {.name = "elver._elver.Simulator",
                              .basicsize = sizeof(SimulatorObject),
                              .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
                              .slots = SLOTS};
