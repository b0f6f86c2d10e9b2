// SPDX-License-Identifier: Apache-2.0
// The extension elver._elver: what its files share. It is built for the stable ABI of Python 3.11, knows nothing of
// NumPy but the buffer protocol, and hands memory out as blocks, which arrays look into without a copy.
//
// Rules: memory that is lent belongs to a capsule of its own, which blocks keep alive and which refers to nothing, as
// arrays are hidden from the garbage collector; whatever may take long releases the lock of the interpreter, and
// objects that computations write into are entered by one of them at a time; an error of the library becomes an
// exception of elver.errors with the element named; what a callable raises is kept by its thread until the
// computation has ended.
#ifndef ELVER_PYTHON_MODULE_H
#define ELVER_PYTHON_MODULE_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030b0000
#include <Python.h>

#include "elver/elver.h"

#include <stdbool.h>

// slots of types hold functions as void pointers, which POSIX allows and ISO C does not
#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wpedantic"
#endif

// ---- module (module.c)

typedef struct {
    PyTypeObject *block, *model, *state, *workspace, *simulator, *trajectory, *shooting, *riccati;
    PyObject* error; // the class Error of elver.errors, which has one for each status
} ModuleState;

/// The state of the module that made a type.
ModuleState* module_state(PyTypeObject* type);

/// Raise what a status stands for. Returns NULL.
PyObject* raise_status(const ModuleState* module, ElvStatus status, const ElvError* error);

/// A method by its name; raises and returns false where there is no such one.
bool method_read(const char* name, ElvMethod* method);

/// Raise that an object was closed. Returns NULL.
PyObject* raise_closed(const char* what);

/// Enter an object that one computation at a time may use; raises and returns false if it is taken.
bool enter_once(bool* is_busy, const char* what);

/// Free an object of one of the types here, after its members.
void release_object(PyObject* object);

/// The end of a computation: raise what a callable has raised, or else what the status stands for. True if neither
/// has something to say.
bool is_done(const ModuleState* module, ElvStatus status, const ElvError* error);

// ---- memory (block.c)

extern PyType_Spec BLOCK_SPEC;

/// A block of n_row x n_column doubles (n_column 0: one-dimensional) in memory that owner, a capsule, holds.
PyObject* block_create(const ModuleState* module,
                       PyObject* owner,
                       double* data,
                       Py_ssize_t n_row,
                       Py_ssize_t n_column);

/// The doubles of an argument: contiguous, n of them (below 0: any number), finite where they are read. Raises and
/// returns NULL otherwise; PyBuffer_Release when done.
double* doubles_in(PyObject* object, Py_ssize_t n, const char* what, Py_buffer* view);
double* doubles_out(PyObject* object, Py_ssize_t n, const char* what, Py_buffer* view);

/// A pose as a homogeneous matrix, 4 x 4, and back; two vectors one after the other.
void pose_write(ElvPose pose, double* out);
ElvPose pose_read(const double* in);
void six_write(ElvVec3 first, ElvVec3 second, double* out);

/// Doubles, or texts, as Python has them: bytes, a list.
PyObject* doubles_copy(const double* value, size_t n);
PyObject* texts_copy(const char* const* text, int n);

/// The texts of a list, which must outlive them; free() when done. Raises and returns NULL on failure.
const char** texts_take(PyObject* list, int* n);

// ---- callables (law.c)

/// A callable of Python behind a law.
typedef struct {
    PyObject* callable; // NULL once the garbage collector has cleared its model
    bool is_field;      // called with t and s
    bool is_motion;     // must give rate and acceleration too
    PyObject* name;     // of the input that it is the law of
    const ModuleState* module;
} PyLaw;

typedef struct ModelObject ModelObject;

/// Put callables behind laws: a list of pairs of a name and a callable.
bool bind_laws(const ModuleState* module, ModelObject* self, PyObject* laws);

/// Put numbers that are held over a step behind laws: a list of names.
bool bind_inputs(const ModuleState* module, ModelObject* self, PyObject* inputs);

/// Set the values of inputs from an array, a sequence, or one number; raises and returns false otherwise (input.c).
bool inputs_take(ModelObject* owner, PyObject* argument);

/// Keep the exception that is set until the computation of this thread has ended; has one been kept; raise it, true if
/// there was one. Every computation that may call a law ends with the last.
void exception_keep(void);
bool exception_is_kept(void);
bool exception_raise(void);

/// Whether Ctrl-C has been pressed, looked for a few times a second; the exception is kept. Without the lock.
typedef struct {
    long long last; // when Python was asked last, ns; 0: not begun
} Watch;
bool watch_is_stopped(Watch* watch);

/// The same as a stop of computations, as long as the watch is there.
ElvStop watch_stop(Watch* watch);

// ---- models (model.c, model_list.c)

struct ModelObject {
    PyObject head;
    ElvSpec* spec;
    ElvModel* model;
    unsigned long long layout; // of its coordinates and unknowns: names, joints, modes, devices
    PyLaw* law;                // (n_law)
    Py_ssize_t n_law;
    PyObject* memory; // capsule that holds u
    double* u;        // values of inputs, held over a step   (n_u)
    Py_ssize_t n_u;
};

extern PyType_Spec MODEL_SPEC;
extern PyMethodDef MODEL_METHODS[];

// ---- states (state.c)

typedef struct {
    PyObject head;
    ModelObject* owner;
    PyObject* memory; // capsule that holds the state
    ElvState* state;
} StateObject;

extern PyType_Spec STATE_SPEC;

/// A Python object for a state in a capsule: that of a simulator.
PyObject* state_lend(const ModuleState* module, ModelObject* owner, PyObject* memory);

/// A new state in a capsule; raises and returns NULL on failure.
PyObject* state_create(const ModuleState* module, const ModelObject* owner);

/// The state in a capsule.
ElvState* state_in(PyObject* memory);

/// Set the time to a number of Python; raises and returns false if it is none (NULL too).
bool state_put_t(ElvState* state, PyObject* value);

/// The beginning of a row of records: t, q, v, a, z. Both return where the signals begin.
double* state_put_row(const ElvState* state, double* row);
const double* state_take_row(ElvState* state, const double* row);

/// Whether all numbers of a state are finite; raises otherwise.
bool state_is_finite(const ElvState* state);

/// The state of an argument if it belongs to the model and is finite; raises otherwise.
StateObject* state_of(const ModuleState* module, PyObject* object, const ModelObject* owner);

// ---- what a computation records (record.c)

/// Rows of t, q, v, a, z, signals that grow as they are recorded.
typedef struct {
    ElvSignals* signals;
    Py_ssize_t n_row; // numbers a row
    double* table;
    size_t n_record, capacity;
    bool is_full; // no memory was left for the next row
    Watch watch;
    ModelObject* owner;   // whose inputs a controller sets
    PyObject* controller; // of a run: a callable without arguments that returns inputs, or None
} Record;

/// method: its name, if it is one without modes, which some signals need; else NULL. Raises and returns false on failure;
/// record_free in any case.
bool record_init(const ModuleState* module,
                 const ElvModel* model,
                 PyObject* names,
                 const char* method,
                 Record* record);
void record_free(Record* record);

/// An ElvRecordCallback, with a Record.
bool record_append(void* user, const ElvModel* model, ElvData* data, const ElvState* state);

/// An ElvProgressCallback, with a Record: looks for Ctrl-C.
bool record_look(void* user, double t, const ElvIntegratorReport* report);

/// An ElvControlCallback, with a Record. What the controller raises is kept, and ends the run.
bool record_control(void* user, const ElvState* state);

/// The end of a computation that records: columns, table as bytes, and the exception that is_done would raise, or
/// None, so that what was recorded is not lost. Where no memory is left for a copy of all rows, n_record is cut.
PyObject*
record_result(const ModuleState* module, ElvStatus status, ElvError* error, Record* record);

// ---- files (trajectory.c, trajectory_write.c, view.c)

typedef struct {
    PyObject head;
    ElvTrajectory* file; // NULL: closed
    PyObject* model;     // that states were read for last: the file knows it by its address
    bool is_busy;
} TrajectoryObject;

/// Enter a trajectory that is open, to read states of a model or, NULL, signals alone; raises otherwise.
bool trajectory_enter(TrajectoryObject* self, ModelObject* model);

extern PyType_Spec TRAJECTORY_SPEC;
extern PyMethodDef TRAJECTORY_METHODS[];
extern PyMethodDef VIEW_METHODS[];

// ---- signals (signals.c)

/// Signals of a model by a list of names; raises and returns NULL on failure.
ElvSignals* signals_take(const ModuleState* module, const ElvModel* model, PyObject* list);

/// Names and units of their columns: a list of pairs.
PyObject* signals_columns(const ElvSignals* signals);

// ---- dynamics (workspace.c, workspace_frame.c)

typedef struct {
    PyObject head;
    ModelObject* owner;
    ElvData* data;
    bool is_busy;
} WorkspaceObject;

extern PyType_Spec WORKSPACE_SPEC;

/// A state for a computation in a workspace, which is entered; NULL, with an exception, if it cannot be.
StateObject* workspace_enter(WorkspaceObject* self, PyObject* state);

/// Leave it; None, or NULL with an exception.
PyObject* workspace_leave(WorkspaceObject* self, ElvStatus status, const ElvError* error);

PyObject* workspace_pose(PyObject* object, PyObject* args);
PyObject* workspace_twist(PyObject* object, PyObject* args);
PyObject* workspace_jacobian(PyObject* object, PyObject* args);
PyObject* workspace_section(PyObject* object, PyObject* args);
PyObject* workspace_energy(PyObject* object, PyObject* argument);
PyObject* workspace_powers(PyObject* object, PyObject* argument);
PyObject* workspace_momentum(PyObject* object, PyObject* args);
PyObject* workspace_signals(PyObject* object, PyObject* args);

// derivatives and configurations (workspace_derivatives.c)
PyObject* workspace_idm_derivatives(PyObject* object, PyObject* args);
PyObject* workspace_constraints(PyObject* object, PyObject* args);
PyObject* workspace_configuration(PyObject* object, PyObject* args);

/// Whether node i of a model is a rod and s one of its stations; raises otherwise.
bool is_station(const ElvModel* model, int i_node, double s);

// ---- simulation (simulator.c), rods without modes (shooting.c, riccati.c)

extern PyType_Spec SIMULATOR_SPEC;

/// What a simulator tells of its steps, and of contacts in its last run (simulator_report.c).
PyObject* report_dict(const ElvIntegratorReport* steps, const ElvIntegratorReport* run);
extern PyType_Spec SHOOTING_SPEC;
extern PyType_Spec RICCATI_SPEC;

// ---- analysis (analysis.c, path.c, locomotion.c, study.c)

/// What every function of a model and a state begins with; it ends with is_done.
typedef struct {
    const ModuleState* module;
    ModelObject* owner;
    StateObject* state;
    ElvError error;
} Call;

bool call_begin(PyObject* module, PyObject* model, PyObject* state, Call* call);

extern PyMethodDef ANALYSIS_METHODS[];
extern PyMethodDef PATH_METHODS[];
extern PyMethodDef LOCOMOTION_METHODS[];
extern PyMethodDef STUDY_METHODS[];

// ---- the end of the interpreter (work.c)

/// Around work that may take long, which releases the lock of the interpreter.
#define WORK_BEGIN                                                                                 \
    work_enter();                                                                                  \
    Py_BEGIN_ALLOW_THREADS
#define WORK_END                                                                                   \
    work_leave();                                                                                  \
    Py_END_ALLOW_THREADS

void work_enter(void);

/// Never returns to an interpreter that ends.
void work_leave(void);

/// Whether work of this thread is to end, because the interpreter does.
bool work_must_end(void);

extern PyMethodDef WORK_METHODS[];

#endif
