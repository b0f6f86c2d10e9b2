// SPDX-License-Identifier: Apache-2.0
// Explicit adaptive integration of the forward dynamics [P20 (37)] by ARKODE's Runge-Kutta pairs.
//
// The unknowns are y = (q, v, z), z those of devices. Poses stay on the group without projection: a quaternion enters the
// dynamics only through its direction, and its rate 1/2 q (0, Omega) is of degree one in q, so the
// length neither grows nor matters; states are handed out with unit quaternions.
// No step crosses a breakpoint of a law: the step ends there, its last stages see the law's limit
// from the left, and the next step starts anew from the limit on the right.
//
// With constraints, velocities are made to satisfy them wherever the dynamics are evaluated, and those of the
// solution after every step, like positions (reduced.h): reactions only hold, and nothing drifts.
#include "solve/integrator.h"

#include "solve/connection.h"
#include "solve/newton.h"

#include <arkode/arkode_erkstep.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_types.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    ElvIntegrator head; // first: an Explicit* is an ElvIntegrator*
    ElvData* data;
    ElvState* trial; // state at which the dynamics are evaluated
    SUNContext context;
    void* arkode;
    N_Vector y;        // (q, v, z)                                (nq + nv + nz)
    N_Vector y_dense;  // dense output                             (nq + nv + nz)
    double t;          // where y is
    double t_begin;    // breakpoint or start at which the smooth interval in progress began
    double t_stop;     // end of that interval
    bool must_restart; // the next step starts from a breakpoint
    ElvError cause;    // why the dynamics last failed
    double t_trial;    // where they were evaluated last
    long n_step;
    ElvReduced* reduced; // constraints; NULL: there are none
    ElvProblem problem;  // to close them at a start
    ElvConnect* connect; // velocities follow from the configuration; NULL: from accelerations
    ElvClosureReport closure;
} Explicit;

/// A motion that asks for steps below this fraction of the duration runs away.
static const double SMALLEST_STEP = 1e-10;

static void pack(const ElvState* state, N_Vector y) {
    memcpy(NV_DATA_S(y), state->q, (size_t)state->nq * sizeof(double));
    memcpy(NV_DATA_S(y) + state->nq, state->v, (size_t)state->nv * sizeof(double));
    memcpy(NV_DATA_S(y) + state->nq + state->nv, state->z, (size_t)state->nz * sizeof(double));
}

static void unpack(const ElvModel* model, double t, N_Vector y, ElvState* state) {
    state->t = t;
    memcpy(state->q, NV_DATA_S(y), (size_t)state->nq * sizeof(double));
    memcpy(state->v, NV_DATA_S(y) + state->nq, (size_t)state->nv * sizeof(double));
    memcpy(state->z, NV_DATA_S(y) + state->nq + state->nv, (size_t)state->nz * sizeof(double));
    elv_state_impose(model, state);
}

// a time as laws are seen from within the interval between two breakpoints
static double look_inside(const Explicit* self, double t) {
    double t_inside = t < self->t_stop ? t : nextafter(self->t_stop, -INFINITY);
    return t_inside > self->t_begin ? t_inside : nextafter(self->t_begin, INFINITY);
}

// accelerations at a state, whose velocities are made to satisfy the constraints
static ElvStatus accelerate(Explicit* self, ElvState* state, ElvError* error) {
    const ElvModel* model = self->head.model;
    if (self->connect) {
        // a motion of first order: velocities in y are not used, and stay
        memset(state->a, 0, (size_t)state->nv * sizeof *state->a);
        return elv_connect_velocity(self->connect, self->data, state, true, error);
    }
    if (!self->reduced) {
        return elv_forward_dynamics(model, self->data, state, error);
    }
    self->reduced->from = self->t_begin;
    self->reduced->to = self->t_stop;
    if (!elv_reduced_velocity(self->reduced, self->data, state)) {
        return elv_error_set(error, ELV_ERROR_NUMERIC, "", "",
                             "a velocity is not finite at t = %.9g", state->t);
    }
    return elv_reduced_acceleration(self->reduced, self->data, state, error);
}

// y_dot = (rate of q, accelerations, rates of z); a failure asks ARKODE for a smaller step
static int right_hand_side(realtype t, N_Vector y, N_Vector y_dot, void* user) {
    Explicit* self = user;
    ElvState* trial = self->trial;
    double* rate = NV_DATA_S(y_dot);
    self->t_trial = look_inside(self, t);
    unpack(self->head.model, self->t_trial, y, trial);
    if (accelerate(self, trial, &self->cause) != ELV_OK) {
        return 1;
    }
    // the quaternion rate is taken at y itself, so that its length is kept
    memcpy(trial->q, NV_DATA_S(y), (size_t)trial->nq * sizeof(double));
    elv_state_rate(self->head.model, trial, rate);
    memcpy(rate + trial->nq, trial->a, (size_t)trial->nv * sizeof(double));
    memcpy(rate + trial->nq + trial->nv, trial->z_rate, (size_t)trial->nz * sizeof(double));
    return 0;
}

// the end of a step, its positions and velocities made to satisfy the constraints; the dynamics are the same there
static int keep_constraints(realtype t, N_Vector y, void* user) {
    Explicit* self = user;
    unpack(self->head.model, look_inside(self, t), y, self->trial);
    (void)elv_reduced_position(self->reduced, self->data, self->trial);
    if (elv_reduced_velocity(self->reduced, self->data, self->trial)) {
        elv_reduced_remember(self->reduced, false);
        pack(self->trial, y);
    }
    return 0;
}

// ARKODE prints its errors unless told otherwise; ours are reported by status
static void
ignore_message(int code, const char* module, const char* function, char* message, void* user) {
    (void)code;
    (void)module;
    (void)function;
    (void)message;
    (void)user;
}

// the pair of each order
static ARKodeButcherTable load_pair(int order) {
    static const ARKODE_ERKTableID pair[] = {
        [2] = ARKODE_HEUN_EULER_2_1_2, [3] = ARKODE_BOGACKI_SHAMPINE_4_2_3,
        [4] = ARKODE_ZONNEVELD_5_3_4,  [5] = ARKODE_DORMAND_PRINCE_7_4_5,
        [6] = ARKODE_VERNER_8_5_6,     [7] = ARKODE_FEHLBERG_13_7_8,
        [8] = ARKODE_FEHLBERG_13_7_8,
    };
    return order >= 2 && order <= 8 ? ARKodeButcherTable_LoadERK(pair[order]) : NULL;
}

// the same method with one stage more, which is the new solution itself
static ARKodeButcherTable append_solution(const struct ARKodeButcherTableMem* pair) {
    int n = pair->stages;
    ARKodeButcherTable longer = ARKodeButcherTable_Alloc(n + 1, SUNTRUE);
    if (longer) {
        longer->q = pair->q;
        longer->p = pair->p;
        for (int i = 0; i < n; i++) {
            memcpy(longer->A[i], pair->A[i], (size_t)n * sizeof(realtype));
            longer->A[n][i] = longer->b[i] = pair->b[i];
            longer->c[i] = pair->c[i];
            longer->d[i] = pair->d[i];
        }
        longer->c[n] = 1.0;
    }
    return longer;
}

// ARKODE takes a last stage at the end of the step for the new solution, and its derivative for the
// first one of the next step; in the pairs of order 2, 6 and 8 that stage is another point, and the
// order would be lost. With the solution appended as a stage the reuse is right and costs nothing.
static int set_method(Explicit* self) {
    ARKodeButcherTable pair = load_pair(self->head.options.order);
    ARKodeButcherTable used = NULL;
    int flag = ARK_MEM_FAIL;
    if (pair) {
        int last = pair->stages - 1;
        bool is_solution = true;
        for (int i = 0; i <= last; i++) {
            is_solution &= pair->A[last][i] == pair->b[i];
        }
        used = pair->c[last] == 1.0 && !is_solution ? append_solution(pair) : pair;
    }
    if (used) {
        flag = ERKStepSetTable(self->arkode, used);
    }
    if (used != pair) {
        ARKodeButcherTable_Free(used);
    }
    ARKodeButcherTable_Free(pair);
    return flag;
}

static ElvStatus set_options(Explicit* self, ElvError* error) {
    const ElvSimulateDef* options = &self->head.options;
    void* arkode = self->arkode;
    int flag = ERKStepSetUserData(arkode, self);
    flag |= ERKStepSetErrHandlerFn(arkode, ignore_message, NULL);
    flag |= ERKStepSStolerances(arkode, options->rel_tol, options->abs_tol);
    flag |= set_method(self);
    flag |= ERKStepSetInterpolantType(arkode, ARK_INTERP_HERMITE);
    flag |= ERKStepSetInterpolantDegree(arkode, 5);
    flag |= ERKStepSetMaxNumSteps(arkode, -1);
    flag |= ERKStepSetMaxHnilWarns(arkode, -1);
    flag |= ERKStepSetMinStep(arkode, SMALLEST_STEP * options->duration);
    if (options->step > 0.0) {
        flag |= ERKStepSetMaxStep(arkode, options->step);
    }
    if (self->reduced) {
        flag |= ERKStepSetPostprocessStepFn(arkode, keep_constraints);
    }
    return flag == ARK_SUCCESS ? ELV_OK
                               : elv_error_set(error, ELV_ERROR_INPUT, "simulate", "",
                                               "the integrator refused its options");
}

static ElvStatus create_arkode(Explicit* self, ElvError* error) {
    ElvState* trial = self->trial;
    sunindextype n = trial->nq + trial->nv + trial->nz;
    if (SUNContext_Create(NULL, &self->context) == 0) {
        self->y = N_VNew_Serial(n, self->context);
        self->y_dense = N_VNew_Serial(n, self->context);
    }
    if (!self->y || !self->y_dense) {
        return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    pack(trial, self->y);
    self->arkode = ERKStepCreate(right_hand_side, trial->t, self->y, self->context);
    if (!self->arkode) {
        return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    return set_options(self, error);
}

static void explicit_free(ElvIntegrator* integrator) {
    Explicit* self = (Explicit*)integrator;
    ERKStepFree(&self->arkode);
    N_VDestroy(self->y);
    N_VDestroy(self->y_dense);
    SUNContext_Free(&self->context);
    elv_data_free(self->data);
    elv_state_free(self->trial);
    elv_reduced_free(self->reduced);
    elv_connect_free(self->connect);
    if (self->problem.model) {
        elv_problem_free(&self->problem);
    }
    free(self);
}

// a state whose positions and velocities satisfy the constraints, jumps of velocities by the smallest impulses
static ElvStatus close_state(Explicit* self, ElvState* state, ElvError* error) {
    ElvReduced* reduced = self->reduced;
    ElvStatus status = elv_close_start(&self->problem, state, &self->closure.opened, error);
    if (status != ELV_OK) {
        return status;
    }
    (void)elv_close_velocity(&self->problem, state);
    (void)elv_reduced_position(reduced, self->data, state);
    if (!elv_reduced_velocity(reduced, self->data, state) ||
        !elv_reduced_settle(reduced, self->data, state)) {
        return elv_error_set(error, ELV_ERROR_NUMERIC, "", "",
                             "a velocity is not finite at t = %.9g", state->t);
    }
    return elv_reduced_check(reduced, state->t, error);
}

// velocities, their rates and reactions of a motion of first order
static ElvStatus complete_first_order(Explicit* self, ElvState* state, ElvError* error) {
    ElvConnect* connect = self->connect;
    elv_state_impose(self->head.model, state);
    ElvStatus status = elv_connect_velocity(connect, self->data, state, true, error);
    if (status == ELV_OK) {
        self->closure.drift = fmax(self->closure.drift, connect->reduced->missed);
        status = elv_connect_acceleration(connect, self->data, state, error);
    }
    return status == ELV_OK ? elv_connect_reaction(connect, self->data, state, error) : status;
}

// accelerations and reactions at a state that is handed out, and how well it keeps the constraints
static ElvStatus complete(Explicit* self, ElvState* state, ElvError* error) {
    ElvReduced* reduced = self->reduced;
    double gap = reduced ? elv_reduced_position(reduced, self->data, state) : 0.0;
    if (self->connect) {
        self->closure.gap = fmax(self->closure.gap, gap);
        return complete_first_order(self, state, error);
    }
    ElvStatus status = accelerate(self, state, error);
    if (status != ELV_OK || !reduced) {
        return status;
    }
    self->closure.gap = fmax(self->closure.gap, gap);
    self->closure.drift = fmax(self->closure.drift, reduced->missed);
    if (!elv_reduced_reaction(reduced, self->data, state)) {
        return elv_error_set(error, ELV_ERROR_NUMERIC, "", "",
                             "a reaction is not finite at t = %.9g", state->t);
    }
    return elv_reduced_check(reduced, state->t, error);
}

static ElvStatus explicit_start(ElvIntegrator* integrator, ElvState* state, ElvError* error) {
    Explicit* self = (Explicit*)integrator;
    elv_state_impose(integrator->model, state);
    ElvStatus status = elv_device_check(integrator->model, state->t, error);
    // a state may lie on a breakpoint: laws are seen from its right
    self->t = self->t_begin = state->t;
    self->t_stop = INFINITY;
    self->closure = (ElvClosureReport){0};
    if (status == ELV_OK && self->reduced) {
        status = close_state(self, state, error);
    }
    if (status == ELV_OK) {
        status = complete(self, state, error);
    }
    if (status != ELV_OK) {
        return status;
    }
    if (self->reduced) {
        self->closure.n_redundant = elv_reduced_redundant(self->reduced, &self->closure.redundant);
    }
    pack(state, self->y);
    self->must_restart = false;
    self->n_step = 0;
    if (ERKStepReInit(self->arkode, right_hand_side, state->t, self->y) != ARK_SUCCESS) {
        return elv_error_set(error, ELV_ERROR_STEP, "", "", "the integrator cannot start");
    }
    return set_options(self, error);
}

// write state from y, with the accelerations there; on failure state is as before
static ElvStatus hand_out(Explicit* self, double t, N_Vector y, ElvState* state, ElvError* error) {
    ElvState* trial = self->trial;
    unpack(self->head.model, t, y, trial);
    ElvStatus status = complete(self, trial, error);
    if (status == ELV_OK) {
        status = elv_device_range(self->head.model, trial, error);
    }
    if (status == ELV_OK) {
        elv_state_copy(state, trial);
        return ELV_OK;
    }
    // a device with a bad law is to blame before the joint that it acts on
    return elv_device_check(self->head.model, t, error) != ELV_OK ? ELV_ERROR_NUMERIC : status;
}

// name what stopped the integrator
static ElvStatus step_failure(Explicit* self, int flag, ElvError* error) {
    double h = 0.0;
    (void)ERKStepGetCurrentStep(self->arkode, &h);
    // a device with a bad law is to blame before the joint that it acts on
    if (elv_device_check(self->head.model, self->t_trial, error) != ELV_OK) {
        return ELV_ERROR_NUMERIC;
    }
    if (flag == ARK_FIRST_RHSFUNC_ERR || flag == ARK_REPTD_RHSFUNC_ERR ||
        flag == ARK_RHSFUNC_FAIL || flag == ARK_UNREC_RHSFUNC_ERR) {
        if (self->cause.status != ELV_OK) {
            if (error) {
                *error = self->cause;
            }
            return self->cause.status;
        }
        return elv_error_set(error, ELV_ERROR_NUMERIC, "", "", "the dynamics failed at t = %.9g",
                             self->t);
    }
    return elv_error_set(error, ELV_ERROR_STEP, "simulate", "",
                         "no step meets the tolerance at t = %.9g (last step %.3g s): the model is "
                         "too stiff for an explicit method there, or a law is not smooth%s; try an "
                         "implicit method, material damping or looser tolerances",
                         self->t, h,
                         self->head.model->is_active ? ", or a controller is unstable" : "");
}

static ElvStatus
explicit_step(ElvIntegrator* integrator, double t_limit, ElvState* state, ElvError* error) {
    Explicit* self = (Explicit*)integrator;
    if (t_limit <= self->t) {
        return ELV_OK;
    }
    if (self->must_restart) {
        self->t_begin = self->t;
        self->must_restart = false;
        if (self->reduced) {
            // velocities may jump with the laws
            unpack(integrator->model, look_inside(self, self->t), self->y, self->trial);
            (void)elv_close_velocity(&self->problem, self->trial);
            if (elv_reduced_velocity(self->reduced, self->data, self->trial) &&
                elv_reduced_settle(self->reduced, self->data, self->trial)) {
                pack(self->trial, self->y);
            }
        }
        if (ERKStepReset(self->arkode, self->t, self->y) != ARK_SUCCESS) {
            return elv_error_set(error, ELV_ERROR_STEP, "", "", "the integrator cannot restart");
        }
    }
    // laws are searched one duration ahead, and no step goes further
    t_limit = fmin(t_limit, self->t + integrator->options.duration);
    self->t_stop = elv_integrator_breakpoint(integrator, self->t, t_limit);
    double t_stop = t_limit < self->t_stop ? t_limit : self->t_stop;
    realtype t = self->t;
    elv_error_clear(&self->cause);
    int flag = ERKStepSetStopTime(self->arkode, t_stop);
    if (flag == ARK_SUCCESS) {
        flag = ERKStepEvolve(self->arkode, t_stop, self->y, &t, ARK_ONE_STEP);
    }
    if (flag < 0) {
        return step_failure(self, flag, error);
    }
    if (elv_device_check(integrator->model, t < self->t_stop ? t : self->t_trial, error) !=
        ELV_OK) {
        return ELV_ERROR_NUMERIC;
    }
    self->t = t;
    self->n_step++;
    self->must_restart = t >= self->t_stop;
    return hand_out(self, t, self->y, state, error);
}

static ElvStatus
explicit_interpolate(ElvIntegrator* integrator, double t, ElvState* state, ElvError* error) {
    Explicit* self = (Explicit*)integrator;
    N_Vector y = self->y;
    if (t != self->t) {
        y = self->y_dense;
        if (ERKStepGetDky(self->arkode, t, 0, y) != ARK_SUCCESS) {
            return elv_error_set(error, ELV_ERROR_STEP, "", "",
                                 "t = %.9g is not within the last step", t);
        }
    }
    return hand_out(self, t, y, state, error);
}

static ElvIntegratorReport explicit_report(const ElvIntegrator* integrator) {
    const Explicit* self = (const Explicit*)integrator;
    ElvIntegratorReport report = {.n_step = self->n_step, .closure = self->closure};
    (void)ERKStepGetNumErrTestFails(self->arkode, &report.n_reject);
    (void)ERKStepGetNumRhsEvals(self->arkode, &report.n_evaluation);
    (void)ERKStepGetLastStep(self->arkode, &report.last_step);
    return report;
}

static const ElvIntegratorOps explicit_ops = {
    .free = explicit_free,
    .start = explicit_start,
    .step = explicit_step,
    .interpolate = explicit_interpolate,
    .report = explicit_report,
};

// efforts of a motion of first order are those of the model that it is a motion of
static void connection_see(ElvIntegrator* integrator, ElvState* state, ElvData* data) {
    const Explicit* self = (const Explicit*)integrator;
    data->stand_in = self->connect->seen;
    elv_idm(self->connect->seen, data, state, data->tau);
}

static const ElvIntegratorOps connection_ops = {
    .free = explicit_free,
    .start = explicit_start,
    .step = explicit_step,
    .interpolate = explicit_interpolate,
    .report = explicit_report,
    .see = connection_see,
};

// forces of devices must follow from the motion, or from constraints
static ElvStatus prepare_devices(Explicit* self, ElvError* error) {
    const ElvModel* model = self->head.model;
    const ElvDevice* device = elv_device_follow(model, self->data, self->trial);
    if (!device) {
        return ELV_OK;
    }
    ElvStatus status = elv_reduced_create(model, &self->reduced, error);
    return status == ELV_OK ? elv_problem_create(model, &self->problem, error) : status;
}

ElvStatus elv_explicit_create(const ElvModel* model,
                              const ElvSimulateDef* options,
                              ElvIntegrator** integrator,
                              ElvError* error) {
    Explicit* self = calloc(1, sizeof *self);
    if (!self) {
        return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    self->t_begin = -INFINITY;
    self->t_stop = INFINITY;
    bool is_connection = options->method == ELV_METHOD_CONNECTION;
    ElvStatus status = elv_integrator_init(
        &self->head, is_connection ? &connection_ops : &explicit_ops, model, options, error);
    if (status == ELV_OK && is_connection) {
        status = elv_connect_create(model, options->connection, &self->connect, error);
    }
    if (status == ELV_OK) {
        status = elv_data_create(model, &self->data, error);
    }
    if (status == ELV_OK) {
        status = elv_state_create(model, &self->trial, error);
    }
    if (status == ELV_OK) {
        status = prepare_devices(self, error);
    }
    if (status == ELV_OK) {
        status = create_arkode(self, error);
    }
    if (status != ELV_OK) {
        elv_integrator_free(&self->head);
        return status;
    }
    *integrator = &self->head;
    return ELV_OK;
}
