// SPDX-License-Identifier: Apache-2.0
// Explicit adaptive integration of the forward dynamics [P20 (37)] by ARKODE's Runge-Kutta pairs.
//
// What is integrated is flow.h, its unknowns in one vector are explicit_vector.h. Poses stay on the group
// without projection: a quaternion enters the dynamics only through its direction, and its rate
// 1/2 q (0, Omega) is of degree one in q, so the length neither grows nor matters; states are handed
// out with unit quaternions. No step crosses a breakpoint of a law: the step ends there, its last stages
// see the law's limit from the left, and the next step starts anew from the limit on the right.
#include "solve/integrator.h"

#include "solve/explicit_pair.h"
#include "solve/explicit_vector.h"
#include "solve/flow.h"
#include "solve/work.h"

#include <arkode/arkode_erkstep.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_types.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    ElvIntegrator head; // first: an Explicit* is an ElvIntegrator*
    ElvFlow flow;
    ElvState* trial; // state at which the dynamics are evaluated
    SUNContext context;
    void* arkode;
    N_Vector y;        // (q, v, z), and accounts of energy         (nq + nv + nz, + 4)
    N_Vector y_dense;  // dense output                              (the same)
    double t;          // where y is
    bool must_restart; // the next step starts from a breakpoint
    ElvError cause;    // why the dynamics last failed
    ElvError law;      // the law to blame for that, in this step
    double t_trial;    // where they were evaluated last
    long n_step;
} Explicit;

/// A motion that asks for steps below this fraction of the duration runs away.
static const double SMALLEST_STEP = 1e-10;

// a law that is no number is to blame before what it acts on, also where the step is cut until it
// is one again
static void note_law(Explicit* self) {
    ElvError law;
    if (elv_device_check(self->head.model, self->t_trial, &law) != ELV_OK) {
        self->law = law;
    }
}

// y_dot = (rate of q, accelerations, rates of z); a failure asks ARKODE for a smaller step
static int right_hand_side(realtype t, N_Vector y, N_Vector y_dot, void* user) {
    Explicit* self = user;
    ElvState* trial = self->trial;
    double* rate = NV_DATA_S(y_dot);
    self->t_trial = elv_flow_inside(&self->flow, t);
    elv_explicit_unpack(self->head.model, self->t_trial, y, trial);
    if (elv_flow_rate(&self->flow, trial, &self->cause) != ELV_OK) {
        note_law(self);
        return 1;
    }
    if (self->head.options.keeps_work &&
        elv_flow_powers(&self->flow, trial, rate + trial->nq + trial->nv + trial->nz,
                        &self->cause) != ELV_OK) {
        return 1;
    }
    // the quaternion rate is taken at y itself, so that its length is kept
    memcpy(trial->q, NV_DATA_S(y), (size_t)trial->nq * sizeof(double));
    elv_state_rate(self->head.model, trial, rate);
    memcpy(rate + trial->nq, trial->a, (size_t)trial->nv * sizeof(double));
    memcpy(rate + trial->nq + trial->nv, trial->z_rate, (size_t)trial->nz * sizeof(double));
    (void)elv_explicit_hold(self->head.model, rate);
    return 0;
}

// the end of a step, its positions and velocities made to satisfy the constraints; the dynamics are
// the same there
static int keep_constraints(realtype t, N_Vector y, void* user) {
    Explicit* self = user;
    elv_explicit_unpack(self->head.model, elv_flow_inside(&self->flow, t), y, self->trial);
    if (elv_flow_keep(&self->flow, self->trial, &self->cause) != ELV_OK) {
        return 1;
    }
    elv_explicit_pack(self->trial, y);
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

static ElvStatus set_options(Explicit* self, ElvError* error) {
    const ElvSimulateDef* options = &self->head.options;
    void* arkode = self->arkode;
    // errors are means over all of y: those of what is integrated are not to vanish among what is
    // not
    double n = (double)N_VGetLength(self->y);
    double n_integrated = n - elv_explicit_hold(self->head.model, NULL);
    double spread = n_integrated > 0.0 ? sqrt(n / n_integrated) : 1.0;
    int flag = ERKStepSetUserData(arkode, self);
    flag |= ERKStepSetErrHandlerFn(arkode, ignore_message, NULL);
    flag |= ERKStepSStolerances(arkode, options->rel_tol / spread, options->abs_tol / spread);
    flag |= elv_explicit_set_pair(arkode, options->order);
    flag |= ERKStepSetInterpolantType(arkode, ARK_INTERP_HERMITE);
    flag |= ERKStepSetInterpolantDegree(arkode, 5);
    flag |= ERKStepSetMaxNumSteps(arkode, -1);
    flag |= ERKStepSetMaxHnilWarns(arkode, -1);
    flag |= ERKStepSetMinStep(arkode, SMALLEST_STEP * options->duration);
    if (options->step > 0.0) {
        flag |= ERKStepSetMaxStep(arkode, options->step);
    }
    if (self->flow.reduced) {
        flag |= ERKStepSetPostprocessStepFn(arkode, keep_constraints);
    }
    return flag == ARK_SUCCESS ? ELV_OK
                               : elv_error_set(error, ELV_ERROR_INPUT, "simulate", "",
                                               "the integrator refused its options");
}

static ElvStatus create_arkode(Explicit* self, ElvError* error) {
    ElvState* trial = self->trial;
    int n_work = self->head.options.keeps_work ? ELV_N_WORK : 0;
    sunindextype n = trial->nq + trial->nv + trial->nz + n_work;
    if (SUNContext_Create(NULL, &self->context) == 0) {
        self->y = N_VNew_Serial(n, self->context);
        self->y_dense = N_VNew_Serial(n, self->context);
    }
    if (!self->y || !self->y_dense) {
        return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    elv_explicit_pack(trial, self->y);
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
    elv_flow_free(&self->flow);
    elv_state_free(self->trial);
    free(self);
}

static ElvStatus explicit_start(ElvIntegrator* integrator, ElvState* state, ElvError* error) {
    Explicit* self = (Explicit*)integrator;
    elv_state_impose(integrator->model, state);
    ElvStatus status = elv_device_check(integrator->model, state->t, error);
    self->t = state->t;
    if (status == ELV_OK) {
        status = elv_flow_start(&self->flow, state, error);
    }
    if (status != ELV_OK) {
        return status;
    }
    if (integrator->options.keeps_work) {
        elv_work_open(elv_flow_seen(&self->flow), self->flow.data, state);
    }
    self->trial->work = state->work;
    elv_explicit_pack(state, self->y);
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
    elv_explicit_unpack(self->head.model, t, y, trial);
    ElvStatus status = elv_flow_complete(&self->flow, trial, error);
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

// whether a law is no number any more shortly after where the integrator stopped: it ends in a
// singularity
static bool ends_law(const Explicit* self, ElvError* error) {
    const double FARTHEST = 1e-6;
    bool is_bad = false;
    for (double part = SMALLEST_STEP; part <= FARTHEST && !is_bad; part *= 10.0) {
        double t = self->t + part * self->head.options.duration;
        is_bad = elv_device_check(self->head.model, t, error) != ELV_OK;
    }
    return is_bad;
}

// name what stopped the integrator
static ElvStatus step_failure(Explicit* self, int flag, ElvError* error) {
    double h = 0.0;
    (void)ERKStepGetCurrentStep(self->arkode, &h);
    // a device with a bad law is to blame before the joint that it acts on
    if (elv_device_check(self->head.model, self->t_trial, error) != ELV_OK) {
        return ELV_ERROR_NUMERIC;
    }
    if (self->law.status != ELV_OK) {
        if (error) {
            *error = self->law;
        }
        return self->law.status;
    }
    if (flag == ARK_FIRST_RHSFUNC_ERR || flag == ARK_REPTD_RHSFUNC_ERR ||
        flag == ARK_RHSFUNC_FAIL || flag == ARK_UNREC_RHSFUNC_ERR ||
        flag == ARK_POSTPROCESS_STEP_FAIL) {
        if (self->cause.status != ELV_OK) {
            if (error) {
                *error = self->cause;
            }
            return self->cause.status;
        }
        return elv_error_set(error, ELV_ERROR_NUMERIC, "", "", "the dynamics failed at t = %.9g",
                             self->t);
    }
    if (ends_law(self, error)) {
        return ELV_ERROR_NUMERIC;
    }
    return elv_flow_no_step(&self->flow, self->t, h, error);
}

// go on from a breakpoint, with the laws on its right
static ElvStatus restart(Explicit* self, ElvError* error) {
    ElvFlow* flow = &self->flow;
    flow->t_begin = self->t;
    self->must_restart = false;
    if (flow->reduced) {
        elv_explicit_unpack(self->head.model, elv_flow_inside(flow, self->t), self->y, self->trial);
        ElvStatus status = elv_flow_jump(flow, self->trial, error);
        if (status != ELV_OK) {
            return status;
        }
        elv_explicit_pack(self->trial, self->y);
    }
    if (ERKStepReset(self->arkode, self->t, self->y) != ARK_SUCCESS) {
        return elv_error_set(error, ELV_ERROR_STEP, "", "", "the integrator cannot restart");
    }
    return ELV_OK;
}

static ElvStatus
explicit_step(ElvIntegrator* integrator, double t_limit, ElvState* state, ElvError* error) {
    Explicit* self = (Explicit*)integrator;
    if (t_limit <= self->t) {
        return ELV_OK;
    }
    ElvStatus status = self->must_restart ? restart(self, error) : ELV_OK;
    if (status != ELV_OK) {
        return status;
    }
    // laws are searched one duration ahead, and no step goes further
    t_limit = fmin(t_limit, self->t + integrator->options.duration);
    self->flow.t_stop = elv_integrator_breakpoint(integrator, self->t, t_limit);
    double t_stop = t_limit < self->flow.t_stop ? t_limit : self->flow.t_stop;
    realtype t = self->t;
    elv_error_clear(&self->cause);
    elv_error_clear(&self->law);
    int flag = ERKStepSetStopTime(self->arkode, t_stop);
    if (flag == ARK_SUCCESS) {
        flag = ERKStepEvolve(self->arkode, t_stop, self->y, &t, ARK_ONE_STEP);
    }
    if (flag < 0) {
        return step_failure(self, flag, error);
    }
    if (elv_device_check(integrator->model, t < self->flow.t_stop ? t : self->t_trial, error) !=
        ELV_OK) {
        return ELV_ERROR_NUMERIC;
    }
    self->t = t;
    self->n_step++;
    self->must_restart = t >= self->flow.t_stop;
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

// derivatives that were kept are those before the jump
static void explicit_jump(ElvIntegrator* integrator) {
    ((Explicit*)integrator)->must_restart = true;
}

static ElvIntegratorReport explicit_report(const ElvIntegrator* integrator) {
    const Explicit* self = (const Explicit*)integrator;
    ElvIntegratorReport report = {
        .n_step = self->n_step, .closure = self->flow.closure, .contact = self->flow.contact};
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
    .jump = explicit_jump,
};

// efforts of a motion of first order are those of the model that it is a motion of
static void connection_see(ElvIntegrator* integrator, ElvState* state, ElvData* data) {
    const Explicit* self = (const Explicit*)integrator;
    data->stand_in = self->flow.connect->seen;
    elv_idm(self->flow.connect->seen, data, state, data->tau);
}

static const ElvIntegratorOps connection_ops = {
    .free = explicit_free,
    .start = explicit_start,
    .step = explicit_step,
    .interpolate = explicit_interpolate,
    .report = explicit_report,
    .jump = explicit_jump,
    .see = connection_see,
};

ElvStatus elv_explicit_create(const ElvModel* model,
                              const ElvSimulateDef* options,
                              ElvIntegrator** integrator,
                              ElvError* error) {
    Explicit* self = calloc(1, sizeof *self);
    if (!self) {
        return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    bool is_connection = options->method == ELV_METHOD_CONNECTION;
    ElvStatus status = elv_integrator_init(
        &self->head, is_connection ? &connection_ops : &explicit_ops, model, options, error);
    if (status == ELV_OK) {
        status = elv_flow_create(model, options, &self->flow, error);
    }
    if (status == ELV_OK) {
        status = elv_state_create(model, &self->trial, error);
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
