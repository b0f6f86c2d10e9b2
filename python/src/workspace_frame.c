// SPDX-License-Identifier: Apache-2.0
// What a workspace tells of frames, sections and sums at a state. Poses, twists and Jacobians are those of the last pass over
// the same workspace: kinematics, or, for internal wrenches, idm.
#include "module.h"

#include <stdlib.h>

// ---- frames

static bool find_frame(WorkspaceObject* self, const char* name, ElvFrame* frame) {
    ElvError error;
    elv_error_clear(&error);
    ElvStatus status = elv_model_frame(self->owner->model, name, frame, &error);
    return is_done(module_state(Py_TYPE((PyObject*)self)), status, &error);
}

// (frame, out 4x4), after kinematics
PyObject* workspace_pose(PyObject* object, PyObject* args) {
    WorkspaceObject* self = (WorkspaceObject*)object;
    const char* name;
    PyObject* out;
    ElvFrame frame;
    Py_buffer view;
    if (!PyArg_ParseTuple(args, "sO", &name, &out) || !find_frame(self, name, &frame)) {
        return NULL;
    }
    double* result = doubles_out(out, 16, "out", &view);
    if (!result) {
        return NULL;
    }
    bool is_mine = enter_once(&self->is_busy, "workspace");
    if (is_mine) {
        pose_write(elv_frame_pose(self->owner->model, self->data, frame), result);
    }
    PyBuffer_Release(&view);
    return is_mine ? workspace_leave(self, ELV_OK, NULL) : NULL;
}

// (frame, out 6, is_rate), after kinematics
PyObject* workspace_twist(PyObject* object, PyObject* args) {
    WorkspaceObject* self = (WorkspaceObject*)object;
    const char* name;
    PyObject* out;
    int is_rate;
    ElvFrame frame;
    Py_buffer view;
    if (!PyArg_ParseTuple(args, "sOp", &name, &out, &is_rate) || !find_frame(self, name, &frame)) {
        return NULL;
    }
    double* result = doubles_out(out, 6, "out", &view);
    if (!result) {
        return NULL;
    }
    bool is_mine = enter_once(&self->is_busy, "workspace");
    if (is_mine) {
        ElvTwist twist = is_rate ? elv_frame_twist_dot(self->owner->model, self->data, frame)
                                 : elv_frame_twist(self->owner->model, self->data, frame);
        six_write(twist.ang, twist.lin, result);
    }
    PyBuffer_Release(&view);
    return is_mine ? workspace_leave(self, ELV_OK, NULL) : NULL;
}

// (state, frame, out 6 x nv), after kinematics
PyObject* workspace_jacobian(PyObject* object, PyObject* args) {
    WorkspaceObject* self = (WorkspaceObject*)object;
    const char* name;
    PyObject *argument, *out;
    ElvFrame frame;
    Py_buffer view;
    if (!PyArg_ParseTuple(args, "OsO", &argument, &name, &out) || !find_frame(self, name, &frame)) {
        return NULL;
    }
    double* result =
        doubles_out(out, 6 * (Py_ssize_t)elv_model_nv(self->owner->model), "out", &view);
    const StateObject* state = result ? workspace_enter(self, argument) : NULL;
    if (state) {
        elv_frame_jacobian(self->owner->model, self->data, state->state, frame, result);
    }
    if (result) {
        PyBuffer_Release(&view);
    }
    return state ? workspace_leave(self, ELV_OK, NULL) : NULL;
}

// ---- sections

bool is_station(const ElvModel* model, int i_node, double s) {
    bool is_rod =
        i_node >= 0 && i_node < elv_model_n_node(model) && elv_model_node(model, i_node).is_rod;
    if (!is_rod || !(s >= 0.0 && s <= 1.0)) {
        PyErr_SetString(PyExc_ValueError,
                        is_rod ? "stations go from 0 to 1" : "this node is not a rod");
        return false;
    }
    return true;
}

// (state, node, s, out 28): pose 4x4, strain 6, internal wrench 6, after idm
PyObject* workspace_section(PyObject* object, PyObject* args) {
    WorkspaceObject* self = (WorkspaceObject*)object;
    PyObject *argument, *out;
    int i_node;
    double s;
    Py_buffer view;
    if (!PyArg_ParseTuple(args, "OidO", &argument, &i_node, &s, &out) ||
        !is_station(self->owner->model, i_node, s)) {
        return NULL;
    }
    double* result = doubles_out(out, 28, "out", &view);
    const StateObject* state = result ? workspace_enter(self, argument) : NULL;
    if (state) {
        ElvPose pose;
        ElvTwist strain;
        ElvWrench lam;
        elv_rod_section(self->owner->model, self->data, state->state, i_node, s, &pose, &strain,
                        &lam);
        pose_write(pose, result);
        six_write(strain.ang, strain.lin, result + 16);
        six_write(lam.mom, lam.frc, result + 22);
    }
    if (result) {
        PyBuffer_Release(&view);
    }
    return state ? workspace_leave(self, ELV_OK, NULL) : NULL;
}

// ---- sums

// the result of a computation, unless something was raised in it
static PyObject* leave_with(WorkspaceObject* self, PyObject* result) {
    PyObject* none = workspace_leave(self, ELV_OK, NULL);
    if (!none) {
        Py_CLEAR(result);
    }
    Py_XDECREF(none);
    return result;
}

PyObject* workspace_energy(PyObject* object, PyObject* argument) {
    WorkspaceObject* self = (WorkspaceObject*)object;
    const StateObject* state = workspace_enter(self, argument);
    if (!state) {
        return NULL;
    }
    ElvEnergy energy = elv_energy(self->owner->model, self->data, state->state);
    return leave_with(self, Py_BuildValue("ddd", energy.kinetic, energy.elastic, energy.gravity));
}

PyObject* workspace_powers(PyObject* object, PyObject* argument) {
    WorkspaceObject* self = (WorkspaceObject*)object;
    const StateObject* state = workspace_enter(self, argument);
    if (!state) {
        return NULL;
    }
    ElvPowers powers = elv_powers(self->owner->model, self->data, state->state);
    return leave_with(self, Py_BuildValue("dddd", powers.actuators, powers.loads, powers.dissipated,
                                          powers.fluid));
}

// (state, out 10): linear, angular, centre, mass
PyObject* workspace_momentum(PyObject* object, PyObject* args) {
    WorkspaceObject* self = (WorkspaceObject*)object;
    PyObject *argument, *out;
    Py_buffer view;
    if (!PyArg_ParseTuple(args, "OO", &argument, &out)) {
        return NULL;
    }
    double* result = doubles_out(out, 10, "out", &view);
    const StateObject* state = result ? workspace_enter(self, argument) : NULL;
    if (state) {
        ElvMomentum momentum = elv_momentum(self->owner->model, self->data, state->state);
        six_write(momentum.linear, momentum.angular, result);
        result[6] = momentum.center.x;
        result[7] = momentum.center.y;
        result[8] = momentum.center.z;
        result[9] = momentum.mass;
    }
    if (result) {
        PyBuffer_Release(&view);
    }
    return state ? workspace_leave(self, ELV_OK, NULL) : NULL;
}

// (state, names): columns and values as bytes
PyObject* workspace_signals(PyObject* object, PyObject* args) {
    WorkspaceObject* self = (WorkspaceObject*)object;
    const ElvModel* model = self->owner->model;
    PyObject *argument, *list;
    if (!PyArg_ParseTuple(args, "OO!", &argument, &PyList_Type, &list)) {
        return NULL;
    }
    ElvSignals* signals = signals_take(module_state(Py_TYPE(object)), model, list);
    if (!signals) {
        return NULL;
    }
    size_t n = (size_t)elv_signals_n_column(signals);
    double* value = calloc(n + (size_t)elv_model_nv(model) + 1, sizeof *value);
    const StateObject* state = value ? workspace_enter(self, argument) : NULL;
    PyObject* result = value ? NULL : PyErr_NoMemory();
    if (state) {
        elv_idm(model, self->data, state->state, value + n);
        elv_signals_eval(signals, model, self->data, state->state, value);
        result = leave_with(
            self, Py_BuildValue("(NN)", signals_columns(signals), doubles_copy(value, n)));
    }
    free(value);
    elv_signals_free(signals);
    return result;
}
