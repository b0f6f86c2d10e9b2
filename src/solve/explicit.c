// SPDX-License-Identifier: Apache-2.0
// Explicit adaptive integration of the forward dynamics [P20 (37)] by ARKODE's Runge-Kutta pairs.
//
// The unknowns are y = (q, v, z), z those of devices. Poses stay on the group without projection: a quaternion enters the
// dynamics only through its direction, and its rate 1/2 q (0, Omega) is of degree one in q, so the
// length neither grows nor matters; states are handed out with unit quaternions.
// No step crosses a breakpoint of a law: the step ends there, its last stages see the law's limit
// from the left, and the next step starts anew from the limit on the right.
#include "solve/integrator.h"

#include "multibody/device.h"

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

// y_dot = (rate of q, accelerations, rates of z); a failure asks ARKODE for a smaller step
static int right_hand_side(realtype t, N_Vector y, N_Vector y_dot, void* user) {
    Explicit* self = user;
    ElvState* trial = self->trial;
    double* rate = NV_DATA_S(y_dot);
    // laws are seen from within the interval between two breakpoints
    double t_inside = t < self->t_stop ? t : nextafter(self->t_stop, -INFINITY);
    t_inside = t_inside > self->t_begin ? t_inside : nextafter(self->t_begin, INFINITY);
    unpack(self->head.model, t_inside, y, trial);
    self->t_trial = t_inside;
    if (elv_forward_dynamics(self->head.model, self->data, trial, &self->cause) != ELV_OK) {
        return 1;
    }
    // the quaternion rate is taken at y itself, so that its length is kept
    memcpy(trial->q, NV_DATA_S(y), (size_t)trial->nq * sizeof(double));
    elv_state_rate(self->head.model, trial, rate);
    memcpy(rate + trial->nq, trial->a, (size_t)trial->nv * sizeof(double));
    memcpy(rate + trial->nq + trial->nv, trial->z_rate, (size_t)trial->nz * sizeof(double));
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
    free(self);
}

static ElvStatus explicit_start(ElvIntegrator* integrator, ElvState* state, ElvError* error) {
    Explicit* self = (Explicit*)integrator;
    elv_state_impose(integrator->model, state);
    ElvStatus status = elv_device_check(integrator->model, state->t, error);
    if (status == ELV_OK) {
        status = elv_forward_dynamics(integrator->model, self->data, state, error);
    }
    if (status != ELV_OK) {
        return status;
    }
    pack(state, self->y);
    // a state may lie on a breakpoint: laws are seen from its right
    self->t = self->t_begin = state->t;
    self->t_stop = INFINITY;
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
    ElvStatus status = elv_forward_dynamics(self->head.model, self->data, trial, error);
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
    ElvIntegratorReport report = {.n_step = self->n_step};
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

// forces of devices must follow from the motion
static ElvStatus check_devices(Explicit* self, ElvError* error) {
    const ElvDevice* device = elv_device_follow(self->head.model, self->data, self->trial);
    if (!device) {
        return ELV_OK;
    }
    if (device->ops->motion) {
        return elv_error_set(error, ELV_ERROR_INPUT, device->name, "",
                             "the reaction of '%s' cannot be computed by an explicit method: loops "
                             "and constraints need an implicit one, such as generalized-alpha, the "
                             "default",
                             device->name);
    }
    return elv_error_set(error, ELV_ERROR_INPUT, device->name, "",
                         "the force of '%s' does not follow from the motion at once: give it a "
                         "stiffness, or use an implicit method",
                         device->name);
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
    ElvStatus status = elv_integrator_init(&self->head, &explicit_ops, model, options, error);
    if (status == ELV_OK) {
        status = elv_data_create(model, &self->data, error);
    }
    if (status == ELV_OK) {
        status = elv_state_create(model, &self->trial, error);
    }
    if (status == ELV_OK) {
        status = check_devices(self, error);
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
