// SPDX-License-Identifier: Apache-2.0
// What a computation records on its way: rows of times, states and signals, handed over with the exception, if there is
// one, that ended it.
#include "module.h"

#include <stdlib.h>

bool record_init(const ModuleState* module,
                 const ElvModel* model,
                 PyObject* names,
                 const char* method,
                 Record* record) {
    *record = (Record){.signals = signals_take(module, model, names)};
    if (!record->signals) {
        return false;
    }
    ElvError error;
    elv_error_clear(&error);
    ElvStatus status = method ? elv_signals_refuse_modal(record->signals, method, &error) : ELV_OK;
    record->n_row = 1 + elv_model_nq(model) + 2 * (Py_ssize_t)elv_model_nv(model) +
                    elv_model_nz(model) + elv_signals_n_column(record->signals);
    return is_done(module, status, &error);
}

void record_free(Record* record) {
    free(record->table);
    elv_signals_free(record->signals);
}

static bool make_room(Record* record) {
    if (record->n_record < record->capacity) {
        return true;
    }
    size_t capacity = record->capacity > 0 ? 2 * record->capacity : 256;
    double* table = realloc(record->table, capacity * (size_t)record->n_row * sizeof *table);
    if (!table) {
        record->is_full = true;
        return false;
    }
    record->table = table;
    record->capacity = capacity;
    return true;
}

bool record_append(void* user, const ElvModel* model, ElvData* data, const ElvState* state) {
    Record* record = user;
    if (!make_room(record)) {
        return false;
    }
    double* row = record->table + record->n_record++ * (size_t)record->n_row;
    elv_signals_eval(record->signals, model, data, state, state_put_row(state, row));
    return !watch_is_stopped(&record->watch);
}

bool record_look(void* user, double t, const ElvIntegratorReport* report) {
    (void)t;
    (void)report;
    return !watch_is_stopped(&((Record*)user)->watch);
}

bool record_control(void* user, const ElvState* state) {
    (void)state;
    const Record* record = user;
    if (exception_is_kept() || work_must_end()) {
        return false;
    }
    PyGILState_STATE lock = PyGILState_Ensure();
    PyObject* u = PyObject_CallNoArgs(record->controller);
    if (!u || (u != Py_None && !inputs_take(record->owner, u))) {
        exception_keep();
    }
    Py_XDECREF(u);
    PyGILState_Release(lock);
    return !exception_is_kept();
}

// the rows as bytes; if memory is short, the first half of them, or of that half
static PyObject* copy_table(Record* record) {
    PyObject* table = doubles_copy(record->table, record->n_record * (size_t)record->n_row);
    while (!table && record->n_record > 0) {
        PyErr_Clear();
        record->is_full = true;
        record->n_record /= 2;
        table = doubles_copy(record->table, record->n_record * (size_t)record->n_row);
    }
    return table;
}

PyObject*
record_result(const ModuleState* module, ElvStatus status, ElvError* error, Record* record) {
    PyObject* table = copy_table(record);
    if (!table || record->is_full) {
        PyErr_Clear();
        status = elv_error_set(error, ELV_ERROR_MEMORY, NULL, NULL,
                               "no memory left for what is recorded");
    }
    is_done(module, status, error);
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    if (trace) {
        PyException_SetTraceback(value, trace);
    }
    if (!table) {
        PyErr_Restore(type, value, trace);
        return NULL;
    }
    PyObject* columns = signals_columns(record->signals);
    PyObject* result =
        columns ? Py_BuildValue("(OOO)", columns, table, value ? value : Py_None) : NULL;
    Py_XDECREF(columns);
    Py_DECREF(table);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(trace);
    return result;
}
