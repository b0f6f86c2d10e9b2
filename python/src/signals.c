// SPDX-License-Identifier: Apache-2.0
// Signals by their names, and the names and units of their columns.
#include "module.h"

#include <stdlib.h>

ElvSignals* signals_take(const ModuleState* module, const ElvModel* model, PyObject* list) {
    int n;
    const char** name = texts_take(list, &n);
    if (!name) {
        return NULL;
    }
    ElvSignals* signals = NULL;
    ElvError error;
    elv_error_clear(&error);
    ElvStatus status = elv_signals_create(model, name, n, &signals, &error);
    free(name);
    return is_done(module, status, &error) ? signals : NULL;
}

PyObject* signals_columns(const ElvSignals* signals) {
    int n = elv_signals_n_column(signals);
    PyObject* list = PyList_New(n);
    for (int i = 0; list && i < n; i++) {
        PyObject* pair = Py_BuildValue("(ss)", elv_signals_column_name(signals, i),
                                       elv_signals_column_unit(signals, i));
        if (!pair || PyList_SetItem(list, i, pair) < 0) {
            Py_CLEAR(list);
        }
    }
    return list;
}
