// SPDX-License-Identifier: Apache-2.0
// Records in memory, written as the files that the program writes: a table, or states and signals with their model. The
// lock of the interpreter stays: the library that writes HDF5 need not bear two threads.
#include "module.h"

typedef struct {
    const char* path;
    const char* text;
    bool is_statics;
    const double* row;
    Py_ssize_t n_record, width;
} Table;

static ElvStatus write_table(const Table* table,
                             const ElvModel* model,
                             const ElvSignals* signals,
                             ElvState* state,
                             ElvError* error) {
    ElvTrajectoryWriter* writer = NULL;
    ElvStatus status =
        table->is_statics
            ? elv_trajectory_create_statics(table->path, model, signals, table->text, &writer,
                                            error)
            : elv_trajectory_create(table->path, model, signals, table->text, &writer, error);
    if (status != ELV_OK) {
        return status;
    }
    for (Py_ssize_t i = 0; i < table->n_record && status == ELV_OK; i++) {
        const double* value = state_take_row(state, table->row + i * table->width);
        status = elv_trajectory_append(writer, state, value, error);
    }
    // all records are there, or the file stays as it was
    if (status != ELV_OK) {
        elv_trajectory_discard(writer);
        return status;
    }
    return elv_trajectory_close(writer, true, error);
}

// (path, model, names of all columns, table as bytes, YAML, whether rows are equilibria)
static PyObject* trajectory_write(PyObject* self, PyObject* args) {
    const ModuleState* module = PyModule_GetState(self);
    Table table;
    PyObject *owner, *names;
    const char* bytes;
    Py_ssize_t n_byte;
    int is_statics;
    if (!PyArg_ParseTuple(args, "sO!O!y#sp", &table.path, module->model, &owner, &PyList_Type,
                          &names, &bytes, &n_byte, &table.text, &is_statics)) {
        return NULL;
    }
    const ElvModel* model = ((ModelObject*)owner)->model;
    ElvSignals* signals = signals_take(module, model, names);
    PyObject* memory = signals ? state_create(module, (ModelObject*)owner) : NULL;
    if (!memory) {
        elv_signals_free(signals);
        return NULL;
    }
    table.is_statics = is_statics;
    table.row = (const double*)(const void*)bytes;
    table.width = 1 + elv_model_nq(model) + 2 * (Py_ssize_t)elv_model_nv(model) +
                  elv_model_nz(model) + elv_signals_n_column(signals);
    table.n_record = n_byte / (table.width * (Py_ssize_t)sizeof(double));
    bool is_good = table.n_record * table.width * (Py_ssize_t)sizeof(double) == n_byte;
    ElvError error;
    elv_error_clear(&error);
    if (is_good) {
        ElvStatus status = write_table(&table, model, signals, state_in(memory), &error);
        is_good = is_done(module, status, &error);
    } else {
        PyErr_SetString(PyExc_ValueError, "rows of the table are not those of the signals");
    }
    Py_DECREF(memory);
    elv_signals_free(signals);
    return is_good ? Py_NewRef(Py_None) : NULL;
}

PyMethodDef TRAJECTORY_METHODS[] = {{"trajectory_write", trajectory_write, METH_VARARGS, NULL},
                                    {NULL, NULL, 0, NULL}};
