// SPDX-License-Identifier: Apache-2.0
// Locomotion: what a robot whose shape is imposed is free to do, and how far a cycle of shapes takes it.
#include "module.h"

// (model, state)
static PyObject* classify(PyObject* self, PyObject* args) {
    PyObject *model, *state;
    Call call;
    if (!PyArg_ParseTuple(args, "OO", &model, &state) || !call_begin(self, model, state, &call)) {
        return NULL;
    }
    ElvLocomotionReport report;
    ElvStatus status;
    WORK_BEGIN;
    status = elv_locomotion_classify(call.owner->model, call.state->state, &report, &call.error);
    WORK_END;
    if (!is_done(call.module, status, &call.error)) {
        return NULL;
    }
    return Py_BuildValue("{s:s,s:s,s:s,s:i,s:i,s:i,s:i,s:i,s:s}", "kind",
                         elv_locomotion_class_text(report.kind), "root", report.root, "group",
                         report.group, "n_group", report.n_group, "n_imposed", report.n_imposed,
                         "n_row", report.n_row, "rank", report.rank, "n_free", report.n_free,
                         "reason", report.reason);
}

// (model, state, t_end): that motions and constraints do not agree is a result, not a failure
static PyObject* compatibility(PyObject* self, PyObject* args) {
    PyObject *model, *state;
    double t_end;
    Call call;
    if (!PyArg_ParseTuple(args, "OOd", &model, &state, &t_end) ||
        !call_begin(self, model, state, &call)) {
        return NULL;
    }
    ElvCompatibility report = {0};
    ElvStatus status;
    WORK_BEGIN;
    status = elv_locomotion_compatibility(call.owner->model, call.state->state, t_end, &report,
                                          &call.error);
    WORK_END;
    bool is_answer = status == ELV_ERROR_NUMERIC && report.constraint && report.constraint[0];
    if (!is_done(call.module, is_answer ? ELV_OK : status, &call.error)) {
        return NULL;
    }
    return Py_BuildValue("{s:O,s:s,s:d,s:d,s:s}", "is_compatible",
                         report.is_compatible ? Py_True : Py_False, "constraint",
                         report.constraint ? report.constraint : "", "t", report.t, "slip",
                         report.slip, "reason", is_answer ? call.error.message : "");
}

// ---- connections

static int count_imposed(const ElvModel* model) {
    int n = 0;
    for (int i = 0; i < elv_model_nv(model); i++) {
        n += elv_model_is_driven(model, i);
    }
    return n;
}

static ElvConnection connection_kind(int is_stokes) {
    return is_stokes ? ELV_CONNECTION_STOKES : ELV_CONNECTION_MECHANICAL;
}

// (model, state, is_stokes, out n_free x n_imposed)
static PyObject* connection(PyObject* self, PyObject* args) {
    PyObject *model, *state, *out;
    int is_stokes;
    Call call;
    if (!PyArg_ParseTuple(args, "OOpO", &model, &state, &is_stokes, &out) ||
        !call_begin(self, model, state, &call)) {
        return NULL;
    }
    int n_imposed = count_imposed(call.owner->model);
    int n_free = elv_model_nv(call.owner->model) - n_imposed;
    Py_buffer view;
    double* A = doubles_out(out, (Py_ssize_t)n_free * n_imposed, "out", &view);
    if (!A) {
        return NULL;
    }
    ElvStatus status;
    WORK_BEGIN;
    status = elv_connection(call.owner->model, call.state->state, connection_kind(is_stokes), A,
                            &call.error);
    WORK_END;
    PyBuffer_Release(&view);
    return is_done(call.module, status, &call.error) ? Py_NewRef(Py_None) : NULL;
}

// (model, state, is_stokes, i, j, out n_free)
static PyObject* curvature(PyObject* self, PyObject* args) {
    PyObject *model, *state, *out;
    int is_stokes, i, j;
    Call call;
    if (!PyArg_ParseTuple(args, "OOpiiO", &model, &state, &is_stokes, &i, &j, &out) ||
        !call_begin(self, model, state, &call)) {
        return NULL;
    }
    int n_imposed = count_imposed(call.owner->model);
    if (i < 0 || j < 0 || i >= n_imposed || j >= n_imposed) {
        PyErr_Format(PyExc_IndexError, "imposed velocities run from 0 to %d", n_imposed - 1);
        return NULL;
    }
    Py_buffer view;
    double* F = doubles_out(out, elv_model_nv(call.owner->model) - n_imposed, "out", &view);
    if (!F) {
        return NULL;
    }
    ElvStatus status;
    WORK_BEGIN;
    status = elv_connection_curvature(call.owner->model, call.state->state,
                                      connection_kind(is_stokes), i, j, F, &call.error);
    WORK_END;
    PyBuffer_Release(&view);
    return is_done(call.module, status, &call.error) ? Py_NewRef(Py_None) : NULL;
}

// (model, state, is_stokes, period, out 4x4)
static PyObject* gait(PyObject* self, PyObject* args) {
    PyObject *model, *state, *out;
    int is_stokes;
    double period;
    Call call;
    Py_buffer view;
    if (!PyArg_ParseTuple(args, "OOpdO", &model, &state, &is_stokes, &period, &out) ||
        !call_begin(self, model, state, &call)) {
        return NULL;
    }
    double* net = doubles_out(out, 16, "out", &view);
    if (!net) {
        return NULL;
    }
    ElvGait found;
    Watch watch = {0};
    ElvStop stop = watch_stop(&watch);
    ElvStatus status;
    WORK_BEGIN;
    status = elv_gait_displacement(call.owner->model, call.state->state, connection_kind(is_stokes),
                                   period, &stop, &found, &call.error);
    WORK_END;
    if (status == ELV_OK) {
        pose_write(found.net, net);
    }
    PyBuffer_Release(&view);
    return is_done(call.module, status, &call.error)
               ? Py_BuildValue("(dd)", found.period, found.opening)
               : NULL;
}

// (model, state, period, out 4x4, change n_free)
static PyObject* gait_dynamics(PyObject* self, PyObject* args) {
    PyObject *model, *state, *out, *other;
    double period;
    Call call;
    Py_buffer view, view_change;
    if (!PyArg_ParseTuple(args, "OOdOO", &model, &state, &period, &out, &other) ||
        !call_begin(self, model, state, &call)) {
        return NULL;
    }
    double* net = doubles_out(out, 16, "out", &view);
    if (!net) {
        return NULL;
    }
    int n_free = elv_model_nv(call.owner->model) - count_imposed(call.owner->model);
    double* change = doubles_out(other, n_free, "change", &view_change);
    if (!change) {
        PyBuffer_Release(&view);
        return NULL;
    }
    ElvGait found;
    Watch watch = {0};
    ElvStop stop = watch_stop(&watch);
    ElvStatus status;
    WORK_BEGIN;
    status = elv_gait_dynamics(call.owner->model, call.state->state, period, &stop, &found, change,
                               &call.error);
    WORK_END;
    if (status == ELV_OK) {
        pose_write(found.net, net);
    }
    PyBuffer_Release(&view);
    PyBuffer_Release(&view_change);
    return is_done(call.module, status, &call.error) ? PyFloat_FromDouble(found.period) : NULL;
}

// ---- torques

// (model, state, tau nv, left 6)
static PyObject* projective_torques(PyObject* self, PyObject* args) {
    PyObject *model, *state, *out, *rest;
    Call call;
    Py_buffer view, view_rest;
    if (!PyArg_ParseTuple(args, "OOOO", &model, &state, &out, &rest) ||
        !call_begin(self, model, state, &call)) {
        return NULL;
    }
    double* tau = doubles_out(out, elv_model_nv(call.owner->model), "tau", &view);
    if (!tau) {
        return NULL;
    }
    double* left = doubles_out(rest, 6, "left", &view_rest);
    if (!left) {
        PyBuffer_Release(&view);
        return NULL;
    }
    ElvData* data = NULL;
    ElvWrench wrench;
    ElvStatus status;
    WORK_BEGIN;
    status = elv_data_create(call.owner->model, &data, &call.error);
    status = status == ELV_OK
                 ? elv_locomotion_projective_torques(call.owner->model, data, call.state->state,
                                                     tau, &wrench, &call.error)
                 : status;
    elv_data_free(data);
    WORK_END;
    if (status == ELV_OK) {
        elv_wrench_to_array(wrench, left);
    }
    PyBuffer_Release(&view);
    PyBuffer_Release(&view_rest);
    return is_done(call.module, status, &call.error) ? Py_NewRef(Py_None) : NULL;
}

PyMethodDef LOCOMOTION_METHODS[] = {{"classify", classify, METH_VARARGS, NULL},
                                    {"compatibility", compatibility, METH_VARARGS, NULL},
                                    {"connection", connection, METH_VARARGS, NULL},
                                    {"curvature", curvature, METH_VARARGS, NULL},
                                    {"gait", gait, METH_VARARGS, NULL},
                                    {"gait_dynamics", gait_dynamics, METH_VARARGS, NULL},
                                    {"projective_torques", projective_torques, METH_VARARGS, NULL},
                                    {NULL, NULL, 0, NULL}};
