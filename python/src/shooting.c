// SPDX-License-Identifier: Apache-2.0
// Equilibria of chains without modes: a solver that remembers the last one it found.
#include "module.h"

typedef struct {
    PyObject head;
    ModelObject* owner;
    ElvShooting* solver;
    Watch watch;
    bool is_busy;
} ShootingObject;

static PyObject* shooting_new(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
    (void)kwargs;
    const ModuleState* module = module_state(type);
    PyObject* owner;
    if (!PyArg_ParseTuple(args, "O!", module->model, &owner)) {
        return NULL;
    }
    ShootingObject* self = (ShootingObject*)PyType_GenericAlloc(type, 0);
    if (!self) {
        return NULL;
    }
    self->owner = (ModelObject*)Py_NewRef(owner);
    ElvStaticsDef options = elv_model_statics(self->owner->model);
    options.stop = watch_stop(&self->watch);
    ElvError error;
    elv_error_clear(&error);
    ElvStatus status = elv_shoot_create(self->owner->model, &options, &self->solver, &error);
    if (!is_done(module, status, &error)) {
        Py_CLEAR(self);
    }
    return (PyObject*)self;
}

static int shooting_traverse(PyObject* object, visitproc visit, void* arg) {
    Py_VISIT(((ShootingObject*)object)->owner);
    Py_VISIT(Py_TYPE(object));
    return 0;
}

static void shooting_dealloc(PyObject* object) {
    ShootingObject* self = (ShootingObject*)object;
    PyObject_GC_UnTrack(object);
    elv_shoot_free(self->solver);
    Py_XDECREF((PyObject*)self->owner);
    release_object(object);
}

static PyObject* leave(ShootingObject* self, ElvStatus status, const ElvError* error) {
    self->is_busy = false;
    return is_done(module_state(Py_TYPE((PyObject*)self)), status, error) ? Py_NewRef(Py_None)
                                                                          : NULL;
}

// (load)
static PyObject* shooting_solve(PyObject* object, PyObject* args) {
    ShootingObject* self = (ShootingObject*)object;
    double load;
    if (!PyArg_ParseTuple(args, "d", &load) || !enter_once(&self->is_busy, "solver")) {
        return NULL;
    }
    ElvError error;
    elv_error_clear(&error);
    ElvStatus status;
    WORK_BEGIN;
    status = elv_shoot_statics(self->solver, load, &error);
    WORK_END;
    return leave(self, status, &error);
}

// (pose 4x4, position 3, or None)
static PyObject* shooting_hold_tip(PyObject* object, PyObject* argument) {
    ShootingObject* self = (ShootingObject*)object;
    Py_buffer view = {0};
    const double* in = argument == Py_None ? NULL : doubles_in(argument, -1, "pose", &view);
    Py_ssize_t n = in ? view.len / (Py_ssize_t)sizeof *in : 0;
    if (argument != Py_None && !in) {
        return NULL;
    }
    bool is_good = (!in || n == 16 || n == 3) && enter_once(&self->is_busy, "solver");
    if (!is_good && !PyErr_Occurred()) {
        PyErr_Format(PyExc_ValueError,
                     "a tip is held at a pose (4, 4) or a position (3), not at %zd numbers", n);
    }
    if (is_good && n == 3) {
        ElvVec3 point = {in[0], in[1], in[2]};
        elv_shoot_hold_point(self->solver, &point);
    } else if (is_good) {
        ElvPose pose = in ? pose_read(in) : elv_pose_identity();
        elv_shoot_hold_tip(self->solver, in ? &pose : NULL);
    }
    if (in) {
        PyBuffer_Release(&view);
    }
    if (!is_good) {
        return NULL;
    }
    self->is_busy = false;
    Py_RETURN_NONE;
}

// (node, s, out 28): pose 4x4, strain, internal wrench
static PyObject* shooting_section(PyObject* object, PyObject* args) {
    ShootingObject* self = (ShootingObject*)object;
    int i_node;
    double s;
    PyObject* out;
    Py_buffer view;
    if (!PyArg_ParseTuple(args, "idO", &i_node, &s, &out)) {
        return NULL;
    }
    if (!is_station(self->owner->model, i_node, s) || !enter_once(&self->is_busy, "solver")) {
        return NULL;
    }
    double* result = doubles_out(out, 28, "out", &view);
    if (!result) {
        self->is_busy = false;
        return NULL;
    }
    ElvPose pose;
    ElvTwist strain;
    ElvWrench lam;
    elv_shoot_section(self->solver, i_node, s, &pose, &strain, &lam);
    pose_write(pose, result);
    six_write(strain.ang, strain.lin, result + 16);
    six_write(lam.mom, lam.frc, result + 22);
    PyBuffer_Release(&view);
    return leave(self, ELV_OK, NULL);
}

// (out 6): by which a held tip is held
static PyObject* shooting_tip_wrench(PyObject* object, PyObject* out) {
    ShootingObject* self = (ShootingObject*)object;
    Py_buffer view;
    double* result = doubles_out(out, 6, "out", &view);
    if (!result) {
        return NULL;
    }
    bool is_mine = enter_once(&self->is_busy, "solver");
    if (is_mine) {
        ElvWrench wrench = elv_shoot_tip_wrench(self->solver);
        six_write(wrench.mom, wrench.frc, result);
    }
    PyBuffer_Release(&view);
    return is_mine ? leave(self, ELV_OK, NULL) : NULL;
}

static PyObject* shooting_report(PyObject* object, PyObject* unused) {
    (void)unused;
    ShootingObject* self = (ShootingObject*)object;
    if (!enter_once(&self->is_busy, "solver")) {
        return NULL;
    }
    ElvShootReport report = elv_shoot_report(self->solver);
    self->is_busy = false;
    return Py_BuildValue("{s:i,s:i,s:l,s:l,s:l,s:l,s:i,s:d,s:d,s:d}", "segments", report.n_segment,
                         "steps", report.n_step, "increments", report.n_increment, "iterations",
                         report.n_iteration, "shots", report.n_shot, "halvings", report.n_halving,
                         "last_iterations", report.last_iterations, "last_residual",
                         report.last_residual, "space_error", report.space_error, "load",
                         report.t_reached);
}

static PyMethodDef METHODS[] = {{"solve", shooting_solve, METH_VARARGS, NULL},
                                {"hold_tip", shooting_hold_tip, METH_O, NULL},
                                {"section", shooting_section, METH_VARARGS, NULL},
                                {"tip_wrench", shooting_tip_wrench, METH_O, NULL},
                                {"report", shooting_report, METH_NOARGS, NULL},
                                {NULL, NULL, 0, NULL}};

static PyType_Slot SLOTS[] = {{Py_tp_new, (void*)shooting_new},
                              {Py_tp_dealloc, (void*)shooting_dealloc},
                              {Py_tp_traverse, (void*)shooting_traverse},
                              {Py_tp_methods, METHODS},
                              {0, NULL}};

PyType_Spec SHOOTING_SPEC = {.name = "elver._elver.Shooting",
                             .basicsize = sizeof(ShootingObject),
                             .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
                             .slots = SLOTS};
