// SPDX-License-Identifier: Apache-2.0
// Values of inputs that Python gives for a step: doubles one after the other are copied as they are, other numbers are
// taken one by one; nothing is set unless all of it is good.
#include "module.h"

#include <math.h>
#include <string.h>

// whether an array has one axis and numbers of another type, or apart in memory
static bool is_other_array(PyObject* argument) {
    Py_buffer view;
    if (PyObject_GetBuffer(argument, &view, PyBUF_FORMAT | PyBUF_STRIDES) < 0) {
        PyErr_Clear();
        return false;
    }
    bool is_good = view.ndim == 1 && view.format && strlen(view.format) == 1 &&
                   strchr("bBhHiIlLqQfd", view.format[0]);
    PyBuffer_Release(&view);
    return is_good;
}

// the numbers of an array, of a sequence, or one number
bool inputs_take(ModelObject* owner, PyObject* argument) {
    Py_ssize_t n = owner->n_u;
    double* u = owner->u;
    Py_buffer view;
    if (PyObject_CheckBuffer(argument)) {
        const double* in = doubles_in(argument, n, "u", &view);
        if (in) {
            memcpy(u, in, (size_t)n * sizeof *u);
            PyBuffer_Release(&view);
            return true;
        }
        if (!PyErr_ExceptionMatches(PyExc_TypeError)) {
            return false;
        }
        // arrays of other numbers are taken one by one
        PyObject *type, *value, *trace;
        PyErr_Fetch(&type, &value, &trace);
        if (!is_other_array(argument)) {
            PyErr_Restore(type, value, trace);
            return false;
        }
        Py_XDECREF(type);
        Py_XDECREF(value);
        Py_XDECREF(trace);
    }
    // nothing is set unless all of it is good
    bool is_one = PyNumber_Check(argument) && !PyObject_CheckBuffer(argument);
    PyObject* list = is_one ? Py_BuildValue("[O]", argument) : PySequence_List(argument);
    bool is_good = list && PyList_Size(list) == n;
    if (list && !is_good) {
        PyErr_Format(PyExc_ValueError, "u must have %zd numbers, not %zd", n, PyList_Size(list));
    }
    for (int pass = 0; pass < 2 && is_good; pass++) {
        for (Py_ssize_t i = 0; i < n && is_good; i++) {
            double value = PyFloat_AsDouble(PyList_GetItem(list, i));
            is_good = !PyErr_Occurred();
            if (is_good && !isfinite(value)) {
                PyErr_Format(PyExc_ValueError, "u[%zd] is not a finite number", i);
                is_good = false;
            }
            u[i] = is_good && pass > 0 ? value : u[i];
        }
    }
    Py_XDECREF(list);
    return is_good;
}
