// SPDX-License-Identifier: Apache-2.0
// The module: its types, its exceptions, its version.
#include "module.h"

#include <stdio.h>
#include <string.h>

ModuleState* module_state(PyTypeObject* type) {
    return PyType_GetModuleState(type);
}

static const char* const STATUS_NAMES[] = {
#define STATUS_NAME(code, text) #code,
    ELV_STATUS_LIST(STATUS_NAME)
#undef STATUS_NAME
};

enum { N_STATUS = sizeof STATUS_NAMES / sizeof STATUS_NAMES[0] };

PyObject* raise_status(const ModuleState* module, ElvStatus status, const ElvError* error) {
    char text[2 * ELV_SIZE_MESSAGE];
    elv_error_format(error, text, sizeof text);
    PyObject* raised =
        PyObject_CallMethod(module->error, "from_status", "ssssiiss", STATUS_NAMES[status],
                            text[0] ? text : elv_status_text(status), error->element, error->field,
                            error->line, error->column, error->file, error->message);
    if (raised) {
        PyErr_SetObject((PyObject*)Py_TYPE(raised), raised);
        Py_DECREF(raised);
    }
    return NULL;
}

PyObject* raise_closed(const char* what) {
    PyErr_Format(PyExc_ValueError, "this %s is closed", what);
    return NULL;
}

bool enter_once(bool* is_busy, const char* what) {
    if (*is_busy) {
        PyErr_Format(PyExc_RuntimeError,
                     "another thread, or a law that it calls itself, is in this %s", what);
        return false;
    }
    *is_busy = true;
    return true;
}

void release_object(PyObject* object) {
    PyTypeObject* type = Py_TYPE(object);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

bool is_done(const ModuleState* module, ElvStatus status, const ElvError* error) {
    if (exception_raise()) {
        return false;
    }
    if (status != ELV_OK) {
        raise_status(module, status, error);
    }
    return status == ELV_OK;
}

// the names of all methods, one after the other
static void refuse_method(const char* name) {
    char list[256] = "";
    size_t used = 0;
    for (int i = 0; i < ELV_N_METHOD && used < sizeof list; i++) {
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "",
                                 elv_method_name((ElvMethod)i));
    }
    PyErr_Format(PyExc_ValueError, "unknown method '%s': %s", name, list);
}

bool method_read(const char* name, ElvMethod* method) {
    for (int i = 0; i < ELV_N_METHOD; i++) {
        if (strcmp(elv_method_name((ElvMethod)i), name) == 0) {
            *method = (ElvMethod)i;
            return true;
        }
    }
    refuse_method(name);
    return false;
}

static int add_type(PyObject* module, PyType_Spec* spec, PyTypeObject** type) {
    *type = (PyTypeObject*)PyType_FromModuleAndSpec(module, spec, NULL);
    return *type ? PyModule_AddType(module, *type) : -1;
}

// add a tuple of texts
static int add_names(PyObject* module, const char* key, const char* const* name, int n) {
    PyObject* list = texts_copy(name, n);
    PyObject* tuple = list ? PyList_AsTuple(list) : NULL;
    int done = PyModule_AddObjectRef(module, key, tuple);
    Py_XDECREF(list);
    Py_XDECREF(tuple);
    return done;
}

static int add_all_names(PyObject* module) {
    const char* method[ELV_N_METHOD];
    for (int i = 0; i < ELV_N_METHOD; i++) {
        method[i] = elv_method_name((ElvMethod)i);
    }
    return add_names(module, "statuses", STATUS_NAMES, N_STATUS) < 0
               ? -1
               : add_names(module, "methods", method, ELV_N_METHOD);
}

static int module_exec(PyObject* module) {
    ModuleState* state = PyModule_GetState(module);
    PyObject* errors = PyImport_ImportModule("elver.errors");
    if (!errors) {
        return -1;
    }
    state->error = PyObject_GetAttrString(errors, "Error");
    Py_DECREF(errors);
    bool is_bad = !state->error || add_type(module, &BLOCK_SPEC, &state->block) < 0 ||
                  add_type(module, &MODEL_SPEC, &state->model) < 0 ||
                  add_type(module, &STATE_SPEC, &state->state) < 0 ||
                  add_type(module, &WORKSPACE_SPEC, &state->workspace) < 0 ||
                  add_type(module, &SIMULATOR_SPEC, &state->simulator) < 0 ||
                  add_type(module, &TRAJECTORY_SPEC, &state->trajectory) < 0 ||
                  add_type(module, &SHOOTING_SPEC, &state->shooting) < 0 ||
                  add_type(module, &RICCATI_SPEC, &state->riccati) < 0 ||
                  PyModule_AddFunctions(module, ANALYSIS_METHODS) < 0 ||
                  PyModule_AddFunctions(module, PATH_METHODS) < 0 ||
                  PyModule_AddFunctions(module, LOCOMOTION_METHODS) < 0 ||
                  PyModule_AddFunctions(module, STUDY_METHODS) < 0 ||
                  PyModule_AddFunctions(module, VIEW_METHODS) < 0 ||
                  PyModule_AddFunctions(module, WORK_METHODS) < 0 ||
                  PyModule_AddFunctions(module, TRAJECTORY_METHODS) < 0 ||
                  add_all_names(module) < 0 ||
                  PyModule_AddStringConstant(module, "version", ELV_VERSION_STRING) < 0;
    return is_bad ? -1 : 0;
}

static int module_traverse(PyObject* module, visitproc visit, void* arg) {
    ModuleState* state = PyModule_GetState(module);
    Py_VISIT(state->block);
    Py_VISIT(state->model);
    Py_VISIT(state->state);
    Py_VISIT(state->workspace);
    Py_VISIT(state->simulator);
    Py_VISIT(state->trajectory);
    Py_VISIT(state->shooting);
    Py_VISIT(state->riccati);
    Py_VISIT(state->error);
    return 0;
}

static int module_clear(PyObject* module) {
    ModuleState* state = PyModule_GetState(module);
    Py_CLEAR(state->block);
    Py_CLEAR(state->model);
    Py_CLEAR(state->state);
    Py_CLEAR(state->workspace);
    Py_CLEAR(state->simulator);
    Py_CLEAR(state->trajectory);
    Py_CLEAR(state->shooting);
    Py_CLEAR(state->riccati);
    Py_CLEAR(state->error);
    return 0;
}

static PyModuleDef_Slot SLOTS[] = {{Py_mod_exec, (void*)module_exec}, {0, NULL}};

static struct PyModuleDef MODULE = {.m_base = PyModuleDef_HEAD_INIT,
                                    .m_name = "elver._elver",
                                    .m_doc = "The library libelver, as the package elver uses it.",
                                    .m_size = sizeof(ModuleState),
                                    .m_slots = SLOTS,
                                    .m_traverse = module_traverse,
                                    .m_clear = module_clear};

PyMODINIT_FUNC PyInit__elver(void);
PyMODINIT_FUNC PyInit__elver(void) {
    return PyModuleDef_Init(&MODULE);
}
