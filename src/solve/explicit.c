// SPDX-License-Identifier: Apache-2.0
// Explicit adaptive integration of the forward dynamics [P20 (37)] by ARKODE's Runge-Kutta pairs.
//
// The unknowns are y = (q, v). Poses stay on the group without projection: a quaternion enters the
// dynamics only through its direction, and its rate 1/2 q (0, Omega) is of degree one in q, so the
// length neither grows nor matters; states are handed out with unit quaternions.
// No step crosses a breakpoint of a law: the step ends there, its last stages see the law's limit
// from the left, and the next step starts anew from the limit on the right.
#include "elver/integrate.h"

#include <arkode/arkode_erkstep.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_types.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_BREAKPOINT = 8192 };

struct ElvIntegrator {
    const ElvModel* model;
    ElvSimulateDef options;
    ElvData* data;
    ElvState* trial; // state at which the dynamics are evaluated
    SUNContext context;
    void* arkode;
    N_Vector y;         // (q, v)                                        (nq + nv)
    N_Vector y_dense;   // dense output                                  (nq + nv)
    double* breakpoint; // sorted                                        (n_breakpoint)
    size_t n_breakpoint;
    double t;          // where y is
    double t_stop;     // end of the smooth interval in progress
    bool must_restart; // the next step starts from a breakpoint
    ElvError cause;    // why the dynamics last failed
    long n_step;
};

static void pack(const ElvState* state, N_Vector y) {
    memcpy(NV_DATA_S(y), state->q, (size_t)state->nq * sizeof(double));
    memcpy(NV_DATA_S(y) + state->nq, state->v, (size_t)state->nv * sizeof(double));
}

static void unpack(const ElvModel* model, double t, N_Vector y, ElvState* state) {
    state->t = t;
    memcpy(state->q, NV_DATA_S(y), (size_t)state->nq * sizeof(double));
    memcpy(state->v, NV_DATA_S(y) + state->nq, (size_t)state->nv * sizeof(double));
    elv_state_impose(model, state);
}

// y_dot = (rate of q, accelerations); a failure asks ARKODE for a smaller step
static int right_hand_side(realtype t, N_Vector y, N_Vector y_dot, void* user) {
    ElvIntegrator* integrator = user;
    ElvState* trial = integrator->trial;
    double* rate = NV_DATA_S(y_dot);
    // seen from the left of the breakpoint that ends this interval
    double t_left = t < integrator->t_stop ? t : nextafter(integrator->t_stop, -INFINITY);
    unpack(integrator->model, t_left, y, trial);
    ElvStatus status =
        elv_forward_dynamics(integrator->model, integrator->data, trial, &integrator->cause);
    if (status != ELV_OK) {
        return 1;
    }
    // the quaternion rate is taken at y itself, so that its length is kept
    memcpy(trial->q, NV_DATA_S(y), (size_t)trial->nq * sizeof(double));
    elv_state_rate(integrator->model, trial, rate);
    memcpy(rate + trial->nq, trial->a, (size_t)trial->nv * sizeof(double));
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
static int set_method(ElvIntegrator* integrator) {
    ARKodeButcherTable pair = load_pair(integrator->options.order);
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
        flag = ERKStepSetTable(integrator->arkode, used);
    }
    if (used != pair) {
        ARKodeButcherTable_Free(used);
    }
    ARKodeButcherTable_Free(pair);
    return flag;
}

static ElvStatus set_options(ElvIntegrator* integrator, ElvError* error) {
    const ElvSimulateDef* options = &integrator->options;
    void* arkode = integrator->arkode;
    int flag = ERKStepSetUserData(arkode, integrator);
    flag |= ERKStepSetErrHandlerFn(arkode, ignore_message, NULL);
    flag |= ERKStepSStolerances(arkode, options->rel_tol, options->abs_tol);
    flag |= set_method(integrator);
    flag |= ERKStepSetInterpolantType(arkode, ARK_INTERP_HERMITE);
    flag |= ERKStepSetInterpolantDegree(arkode, 5);
    flag |= ERKStepSetMaxNumSteps(arkode, -1);
    flag |= ERKStepSetMaxHnilWarns(arkode, -1);
    if (options->step > 0.0) {
        flag |= ERKStepSetMaxStep(arkode, options->step);
    }
    return flag == ARK_SUCCESS ? ELV_OK
                               : elv_error_set(error, ELV_ERROR_INPUT, "simulate", "",
                                               "the integrator refused its options");
}

static ElvStatus create_arkode(ElvIntegrator* integrator, ElvError* error) {
    ElvState* trial = integrator->trial;
    sunindextype n = trial->nq + trial->nv;
    if (SUNContext_Create(NULL, &integrator->context) == 0) {
        integrator->y = N_VNew_Serial(n, integrator->context);
        integrator->y_dense = N_VNew_Serial(n, integrator->context);
    }
    if (!integrator->y || !integrator->y_dense) {
        return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    pack(trial, integrator->y);
    integrator->arkode =
        ERKStepCreate(right_hand_side, trial->t, integrator->y, integrator->context);
    if (!integrator->arkode) {
        return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    return set_options(integrator, error);
}

static ElvStatus list_breakpoints(ElvIntegrator* integrator, ElvError* error) {
    double* all = malloc(MAX_BREAKPOINT * sizeof *all);
    if (!all) {
        return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    // laws are searched over ten durations, so that a longer run lands on them too
    integrator->breakpoint = all;
    integrator->n_breakpoint = elv_model_breakpoints(
        integrator->model, 10.0 * integrator->options.duration, all, MAX_BREAKPOINT);
    return ELV_OK;
}

ElvStatus elv_integrator_create(const ElvModel* model,
                                const ElvSimulateDef* options,
                                ElvIntegrator** integrator,
                                ElvError* error) {
    *integrator = NULL;
    elv_error_clear(error);
    ElvIntegrator* created = calloc(1, sizeof *created);
    if (!created) {
        return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    created->model = model;
    created->options = *options;
    created->t_stop = INFINITY;
    ElvStatus status = elv_data_create(model, &created->data, error);
    if (status == ELV_OK) {
        status = elv_state_create(model, &created->trial, error);
    }
    if (status == ELV_OK) {
        status = list_breakpoints(created, error);
    }
    if (status == ELV_OK) {
        status = create_arkode(created, error);
    }
    if (status != ELV_OK) {
        elv_integrator_free(created);
        return status;
    }
    *integrator = created;
    return ELV_OK;
}

void elv_integrator_free(ElvIntegrator* integrator) {
    if (!integrator) {
        return;
    }
    ERKStepFree(&integrator->arkode);
    N_VDestroy(integrator->y);
    N_VDestroy(integrator->y_dense);
    SUNContext_Free(&integrator->context);
    elv_data_free(integrator->data);
    elv_state_free(integrator->trial);
    free(integrator->breakpoint);
    free(integrator);
}

// the next breakpoint after t
static double next_breakpoint(const ElvIntegrator* integrator, double t) {
    for (size_t i = 0; i < integrator->n_breakpoint; i++) {
        if (integrator->breakpoint[i] > t) {
            return integrator->breakpoint[i];
        }
    }
    return INFINITY;
}

ElvStatus elv_integrator_start(ElvIntegrator* integrator, ElvState* state, ElvError* error) {
    elv_state_impose(integrator->model, state);
    ElvStatus status = elv_forward_dynamics(integrator->model, integrator->data, state, error);
    if (status != ELV_OK) {
        return status;
    }
    pack(state, integrator->y);
    integrator->t = state->t;
    integrator->t_stop = next_breakpoint(integrator, state->t);
    integrator->must_restart = false;
    integrator->n_step = 0;
    if (ERKStepReInit(integrator->arkode, right_hand_side, state->t, integrator->y) !=
        ARK_SUCCESS) {
        return elv_error_set(error, ELV_ERROR_STEP, "", "", "the integrator cannot start");
    }
    return set_options(integrator, error);
}

// write state from y, with the accelerations there; on failure state is as before
static ElvStatus
hand_out(ElvIntegrator* integrator, double t, N_Vector y, ElvState* state, ElvError* error) {
    ElvState* trial = integrator->trial;
    unpack(integrator->model, t, y, trial);
    ElvStatus status = elv_forward_dynamics(integrator->model, integrator->data, trial, error);
    if (status == ELV_OK) {
        elv_state_copy(state, trial);
    }
    return status;
}

// name what stopped the integrator
static ElvStatus step_failure(ElvIntegrator* integrator, int flag, ElvError* error) {
    double h = 0.0;
    (void)ERKStepGetCurrentStep(integrator->arkode, &h);
    if (flag == ARK_FIRST_RHSFUNC_ERR || flag == ARK_REPTD_RHSFUNC_ERR ||
        flag == ARK_RHSFUNC_FAIL || flag == ARK_UNREC_RHSFUNC_ERR) {
        if (integrator->cause.status != ELV_OK) {
            if (error) {
                *error = integrator->cause;
            }
            return integrator->cause.status;
        }
        return elv_error_set(error, ELV_ERROR_NUMERIC, "", "", "the dynamics failed at t = %.9g",
                             integrator->t);
    }
    return elv_error_set(error, ELV_ERROR_STEP, "simulate", "",
                         "no step meets the tolerance at t = %.9g (last step %.3g s): the model is "
                         "too stiff for an explicit method there, or a law is not smooth; try "
                         "material damping, fewer modes or looser tolerances",
                         integrator->t, h);
}

ElvStatus
elv_integrator_step(ElvIntegrator* integrator, double t_limit, ElvState* state, ElvError* error) {
    if (t_limit <= integrator->t) {
        return ELV_OK;
    }
    if (integrator->must_restart) {
        integrator->t_stop = next_breakpoint(integrator, integrator->t);
        integrator->must_restart = false;
        (void)ERKStepReset(integrator->arkode, integrator->t, integrator->y);
    }
    double t_stop = t_limit < integrator->t_stop ? t_limit : integrator->t_stop;
    realtype t = integrator->t;
    elv_error_clear(&integrator->cause);
    int flag = ERKStepSetStopTime(integrator->arkode, t_stop);
    if (flag == ARK_SUCCESS) {
        flag = ERKStepEvolve(integrator->arkode, t_stop, integrator->y, &t, ARK_ONE_STEP);
    }
    if (flag < 0) {
        return step_failure(integrator, flag, error);
    }
    integrator->t = t;
    integrator->n_step++;
    integrator->must_restart = t >= integrator->t_stop;
    return hand_out(integrator, t, integrator->y, state, error);
}

ElvStatus
elv_integrator_interpolate(ElvIntegrator* integrator, double t, ElvState* state, ElvError* error) {
    N_Vector y = integrator->y;
    if (t != integrator->t) {
        y = integrator->y_dense;
        if (ERKStepGetDky(integrator->arkode, t, 0, y) != ARK_SUCCESS) {
            return elv_error_set(error, ELV_ERROR_STEP, "", "",
                                 "t = %.9g is not within the last step", t);
        }
    }
    return hand_out(integrator, t, y, state, error);
}

ElvIntegratorReport elv_integrator_report(const ElvIntegrator* integrator) {
    ElvIntegratorReport report = {integrator->n_step, 0, 0, 0.0};
    (void)ERKStepGetNumErrTestFails(integrator->arkode, &report.n_reject);
    (void)ERKStepGetNumRhsEvals(integrator->arkode, &report.n_evaluation);
    (void)ERKStepGetLastStep(integrator->arkode, &report.last_step);
    return report;
}
