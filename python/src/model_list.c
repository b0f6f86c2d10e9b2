// SPDX-License-Identifier: Apache-2.0
// What a model consists of, as lists and dictionaries.
#include "module.h"

static PyObject* model_sizes(PyObject* object, PyObject* unused) {
    (void)unused;
    const ElvModel* model = ((ModelObject*)object)->model;
    ElvVec3 g = elv_model_gravity(model);
    return Py_BuildValue("{s:s,s:i,s:i,s:i,s:d,s:d,s:(ddd),s:O}", "name", elv_model_name(model),
                         "nq", elv_model_nq(model), "nv", elv_model_nv(model), "nz",
                         elv_model_nz(model), "mass", elv_model_mass(model), "duration",
                         elv_model_simulate(model).duration, "gravity", g.x, g.y, g.z, "stokes",
                         elv_model_simulate(model).connection == ELV_CONNECTION_STOKES ? Py_True
                                                                                       : Py_False);
}

static PyObject* node_dict(const ElvModel* model, int i) {
    ElvNodeInfo info = elv_model_node(model, i);
    return Py_BuildValue("{s:s,s:s,s:O,s:s,s:(ii),s:(ii),s:d,s:d,s:(iiiiii)}", "name", info.name,
                         "parent", info.parent, "is_rod", info.is_rod ? Py_True : Py_False, "joint",
                         elv_joint_type_name(info.joint), "q", info.i_q, info.n_q, "v", info.i_v,
                         info.n_v, "mass", info.mass, "length", info.length, "modes", info.modes[0],
                         info.modes[1], info.modes[2], info.modes[3], info.modes[4], info.modes[5]);
}

static PyObject* device_dict(const ElvModel* model, int i) {
    ElvDeviceInfo info = elv_model_device(model, i);
    return Py_BuildValue("{s:s,s:s,s:(ii),s:i}", "kind", info.kind, "name", info.name, "z",
                         info.i_z, info.n_z, "rows", info.n_row);
}

static PyObject* list_of(const ElvModel* model, int n, PyObject* (*make)(const ElvModel*, int)) {
    PyObject* list = PyList_New(n);
    for (int i = 0; list && i < n; i++) {
        PyObject* item = make(model, i);
        if (!item || PyList_SetItem(list, i, item) < 0) {
            Py_CLEAR(list);
        }
    }
    return list;
}

static PyObject* model_nodes(PyObject* object, PyObject* unused) {
    (void)unused;
    const ElvModel* model = ((ModelObject*)object)->model;
    return list_of(model, elv_model_n_node(model), node_dict);
}

static PyObject* model_devices(PyObject* object, PyObject* unused) {
    (void)unused;
    const ElvModel* model = ((ModelObject*)object)->model;
    return list_of(model, elv_model_n_device(model), device_dict);
}

static PyObject* input_dict(const ElvInputInfo* info) {
    return Py_BuildValue("{s:s,s:s,s:s,s:d,s:d,s:d,s:O,s:O}", "name", info->name, "kind",
                         info->kind, "unit", info->unit, "value", info->value, "min", info->min,
                         "max", info->max, "is_motion", info->is_motion ? Py_True : Py_False,
                         "is_field", info->is_field ? Py_True : Py_False);
}

// values at t = 0 are asked of laws
static PyObject* model_inputs(PyObject* object, PyObject* unused) {
    (void)unused;
    const ModelObject* self = (ModelObject*)object;
    int n = elv_spec_n_input(self->spec);
    PyObject* list = PyList_New(0);
    for (int i = 0; list && i < n; i++) {
        ElvInputInfo info;
        ElvError error;
        elv_error_clear(&error);
        ElvStatus status = elv_spec_input(self->spec, i, &info, &error);
        PyObject* item =
            is_done(module_state(Py_TYPE(object)), status, &error) ? input_dict(&info) : NULL;
        if (!item || PyList_Append(list, item) < 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(item);
    }
    return list;
}

static PyObject* model_parameters(PyObject* object, PyObject* unused) {
    (void)unused;
    const ElvSpec* spec = ((ModelObject*)object)->spec;
    int n = elv_spec_n_parameter(spec);
    PyObject* dict = PyDict_New();
    for (int i = 0; dict && i < n; i++) {
        ElvParameter parameter = elv_spec_parameter(spec, i);
        PyObject* value = PyFloat_FromDouble(parameter.value);
        if (!value || PyDict_SetItemString(dict, parameter.name, value) < 0) {
            Py_CLEAR(dict);
        }
        Py_XDECREF(value);
    }
    return dict;
}

static PyObject* model_record(PyObject* object, PyObject* unused) {
    (void)unused;
    ElvRecordDef record = elv_model_record(((ModelObject*)object)->model);
    PyObject* list = texts_copy(record.signal, record.n_signal);
    return list ? Py_BuildValue("(dN)", record.every, list) : NULL;
}

// how the model file wants statics and inverse problems: loads, kind, whether rows are equilibria
static PyObject* model_problem(PyObject* object, PyObject* unused) {
    (void)unused;
    static const char* const kind[] = {"joints", "strains", "tip"};
    const ElvModel* model = ((ModelObject*)object)->model;
    ElvStaticsDef statics = elv_model_statics(model);
    PyObject* loads = PyList_New(statics.n_load);
    for (int i = 0; loads && i < statics.n_load; i++) {
        PyObject* load = PyFloat_FromDouble(statics.load[i]);
        if (!load || PyList_SetItem(loads, i, load) < 0) {
            Py_CLEAR(loads);
        }
    }
    return loads ? Py_BuildValue("(NsO)", loads, kind[elv_inverse_kind(model)],
                                 elv_inverse_is_static(model) ? Py_True : Py_False)
                 : NULL;
}

static PyObject* model_is_imposed(PyObject* object, PyObject* unused) {
    (void)unused;
    const ElvModel* model = ((ModelObject*)object)->model;
    int nv = elv_model_nv(model);
    PyObject* list = PyList_New(nv);
    for (int i = 0; list && i < nv; i++) {
        if (PyList_SetItem(list, i, PyBool_FromLong(elv_model_is_driven(model, i))) < 0) {
            Py_CLEAR(list);
        }
    }
    return list;
}

// the device of each row of constraints
static PyObject* model_constraints(PyObject* object, PyObject* unused) {
    (void)unused;
    const ElvModel* model = ((ModelObject*)object)->model;
    int n = elv_model_n_constraint(model);
    PyObject* list = PyList_New(n);
    for (int i = 0; list && i < n; i++) {
        PyObject* item = PyLong_FromLong(elv_model_constraint_device(model, i));
        if (!item || PyList_SetItem(list, i, item) < 0) {
            Py_CLEAR(list);
        }
    }
    return list;
}

// values of the inputs, a view
static PyObject* model_u(PyObject* object, PyObject* unused) {
    (void)unused;
    ModelObject* self = (ModelObject*)object;
    return block_create(module_state(Py_TYPE(object)), self->memory, self->u, self->n_u, 0);
}

// (is_static): the method of simulations, or of statics where it is one without modes
static PyObject* model_method(PyObject* object, PyObject* is_static) {
    const ElvModel* model = ((ModelObject*)object)->model;
    if (!PyObject_IsTrue(is_static)) {
        return PyUnicode_FromString(elv_method_name(elv_model_simulate(model).method));
    }
    bool is_shooting = elv_model_statics(model).method == ELV_STATICS_SHOOTING;
    return PyUnicode_FromString(is_shooting ? "shooting" : "newton");
}

static PyObject* model_yaml(PyObject* object, PyObject* unused) {
    (void)unused;
    char* text = NULL;
    ElvError error;
    elv_error_clear(&error);
    ElvStatus status = elv_spec_write_text(((ModelObject*)object)->spec, &text, &error);
    if (status != ELV_OK) {
        return raise_status(module_state(Py_TYPE(object)), status, &error);
    }
    PyObject* result = PyUnicode_FromString(text);
    elv_text_free(text);
    return result;
}

PyMethodDef MODEL_METHODS[] = {{"sizes", model_sizes, METH_NOARGS, NULL},
                               {"nodes", model_nodes, METH_NOARGS, NULL},
                               {"devices", model_devices, METH_NOARGS, NULL},
                               {"inputs", model_inputs, METH_NOARGS, NULL},
                               {"parameters", model_parameters, METH_NOARGS, NULL},
                               {"record", model_record, METH_NOARGS, NULL},
                               {"problem", model_problem, METH_NOARGS, NULL},
                               {"is_imposed", model_is_imposed, METH_NOARGS, NULL},
                               {"constraints", model_constraints, METH_NOARGS, NULL},
                               {"u", model_u, METH_NOARGS, NULL},
                               {"method", model_method, METH_O, NULL},
                               {"yaml", model_yaml, METH_NOARGS, NULL},
                               {NULL, NULL, 0, NULL}};
