// SPDX-License-Identifier: Apache-2.0
// One interface over all methods, and the breakpoints that none of them crosses. They are created in
// src/strong/method.c, which knows them all.
#include "solve/integrator.h"

#include "multibody/fluid_dry.h"
#include "solve/current_jump.h"
#include "solve/work.h"

#include <math.h>
#include <stdlib.h>

enum { MAX_BREAKPOINT = 8192 };

ElvStatus elv_integrator_init(ElvIntegrator* integrator,
                              const ElvIntegratorOps* ops,
                              const ElvModel* model,
                              const ElvSimulateDef* options,
                              ElvError* error) {
    integrator->ops = ops;
    integrator->model = model;
    integrator->options = *options;
    integrator->brake = elv_brake(&options->stop);
    integrator->options.keeps_work = elv_work_is_wanted(model, options);
    if (!(options->duration > 0.0)) {
        integrator->options.duration = 1.0;
    }
    // what has no inertia gets no impulse
    if (options->method != ELV_METHOD_CONNECTION &&
        elv_current_check(model, 0.0, integrator->options.duration, error) != ELV_OK) {
        return ELV_ERROR_INPUT;
    }
    integrator->breakpoint = malloc(MAX_BREAKPOINT * sizeof *integrator->breakpoint);
    if (!integrator->breakpoint) {
        return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    if (options->method != ELV_METHOD_CONNECTION && elv_fluid_may_dry(model) &&
        elv_data_create(model, &integrator->wet, error) != ELV_OK) {
        return ELV_ERROR_MEMORY;
    }
    bool has_modes = ops && !elv_method_is_strong(options->method);
    return has_modes ? elv_rank_watch_create(model, &integrator->watch, error) : ELV_OK;
}

// search the laws in ]t, …], one duration at most, less where breakpoints are crowded
static void search(ElvIntegrator* integrator, double t, double t_limit) {
    double width = fmin(integrator->options.duration, t_limit - t);
    size_t n = 0;
    for (int halving = 0; halving < 64; halving++, width *= 0.5) {
        n = elv_model_breakpoints(integrator->model, t, t + width, integrator->breakpoint,
                                  MAX_BREAKPOINT);
        if (n <= MAX_BREAKPOINT) {
            break;
        }
    }
    integrator->n_breakpoint = n <= MAX_BREAKPOINT ? n : MAX_BREAKPOINT;
    integrator->searched_from = t;
    integrator->searched_to = t + width > t ? t + width : nextafter(t, INFINITY);
}

double elv_integrator_breakpoint(ElvIntegrator* integrator, double t, double t_limit) {
    if (t < integrator->searched_from || t > integrator->searched_to) {
        integrator->n_breakpoint = 0;
        integrator->searched_from = integrator->searched_to = t;
    }
    for (;;) {
        for (size_t i = 0; i < integrator->n_breakpoint; i++) {
            if (integrator->breakpoint[i] > t) {
                return integrator->breakpoint[i];
            }
        }
        if (integrator->searched_to >= t_limit) {
            return INFINITY;
        }
        search(integrator, integrator->searched_to, t_limit);
    }
}

void elv_integrator_free(ElvIntegrator* integrator) {
    if (integrator) {
        free(integrator->breakpoint);
        elv_data_free(integrator->wet);
        elv_rank_watch_free(integrator->watch);
        integrator->ops->free(integrator);
    }
}

static ElvStatus fail_stopped(double t, ElvError* error) {
    return elv_error_set(error, ELV_ERROR_CANCELLED, "", "", "stopped by the caller at t = %.9g",
                         t);
}

ElvStatus elv_integrator_start(ElvIntegrator* integrator, ElvState* state, ElvError* error) {
    integrator->brake.is_on = false;
    ElvStatus status = integrator->ops->start(integrator, state, error);
    integrator->stepped_from = nextafter(state->t, -INFINITY);
    integrator->stepped_to = state->t;
    if (status == ELV_OK && integrator->wet) {
        status = elv_fluid_check_dry(integrator->model, integrator->wet, state, error);
    }
    if (status != ELV_OK && integrator->brake.is_on) {
        return fail_stopped(state->t, error);
    }
    // a device with a bad law is to blame before the joint that it acts on
    if (status == ELV_ERROR_NUMERIC &&
        elv_device_check(integrator->model, state->t, error) != ELV_OK) {
        return ELV_ERROR_NUMERIC;
    }
    if (status == ELV_OK && integrator->watch) {
        elv_rank_watch_start(integrator->watch, state);
    }
    return status;
}

// constraints that lose a direction within a step; one that could not be made may have failed for
// them
static ElvStatus
watch_step(ElvIntegrator* integrator, ElvStatus status, ElvState* state, ElvError* error) {
    ElvRankWatch* watch = integrator->watch;
    ElvError cause;
    if (status == ELV_ERROR_STEP || (status == ELV_ERROR_NUMERIC && error && !error->field[0])) {
        if (elv_rank_watch_blame(watch, &cause) == ELV_OK) {
            return status;
        }
        if (error) {
            *error = cause;
        }
        return cause.status;
    }
    double t = watch->from->t;
    if (status != ELV_OK || !(state->t > t)) {
        return status;
    }
    status = elv_rank_watch_step(watch, state, error);
    if (status != ELV_OK) {
        elv_state_copy(state, watch->kept);
    } else if (elv_integrator_breakpoint(integrator, t, state->t) <= state->t) {
        elv_rank_watch_jump(watch, state);
    }
    return status;
}

// beyond the duration that was looked through at creation: a step may end at a jump of the current,
// and none goes on from there
static ElvStatus check_current(const ElvIntegrator* integrator, ElvError* error) {
    double from = fmax(integrator->stepped_from, integrator->options.duration);
    if (integrator->options.method == ELV_METHOD_CONNECTION || !(from < integrator->stepped_to)) {
        return ELV_OK;
    }
    return elv_current_check(integrator->model, from, integrator->stepped_to, error);
}

ElvStatus
elv_integrator_step(ElvIntegrator* integrator, double t_limit, ElvState* state, ElvError* error) {
    double t = state->t;
    integrator->brake.is_on = false;
    if (elv_brake_ask(&integrator->brake)) {
        return fail_stopped(t, error);
    }
    ElvStatus status = check_current(integrator, error);
    if (status != ELV_OK) {
        return status;
    }
    if (integrator->watch) {
        elv_state_copy(integrator->watch->kept, state);
    }
    status = integrator->ops->step(integrator, t_limit, state, error);
    if (integrator->watch && !integrator->brake.is_on) {
        status = watch_step(integrator, status, state, error);
    }
    if (status == ELV_OK) {
        integrator->stepped_from = integrator->stepped_to;
        integrator->stepped_to = state->t;
    }
    return status != ELV_OK && integrator->brake.is_on ? fail_stopped(t, error) : status;
}

ElvStatus
elv_integrator_interpolate(ElvIntegrator* integrator, double t, ElvState* state, ElvError* error) {
    return integrator->ops->interpolate(integrator, t, state, error);
}

void elv_integrator_jump(ElvIntegrator* integrator) {
    if (integrator->ops->jump) {
        integrator->ops->jump(integrator);
    }
}

ElvIntegratorReport elv_integrator_report(const ElvIntegrator* integrator) {
    ElvIntegratorReport report = integrator->ops->report(integrator);
    if (integrator->watch) {
        report.rank_loss = integrator->watch->report;
    }
    return report;
}
