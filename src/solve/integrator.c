// SPDX-License-Identifier: Apache-2.0
// One interface over all methods, and the breakpoints that none of them crosses. They are created in
// src/strong/method.c, which knows them all.
#include "solve/integrator.h"

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
    integrator->options.keeps_work = elv_work_is_wanted(model, options);
    if (!(options->duration > 0.0)) {
        integrator->options.duration = 1.0;
    }
    // what has no inertia gets no impulse
    if (options->method != ELV_METHOD_CONNECTION &&
        elv_current_check(model, integrator->options.duration, error) != ELV_OK) {
        return ELV_ERROR_INPUT;
    }
    integrator->breakpoint = malloc(MAX_BREAKPOINT * sizeof *integrator->breakpoint);
    if (!integrator->breakpoint) {
        return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    return ELV_OK;
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
        integrator->ops->free(integrator);
    }
}

ElvStatus elv_integrator_start(ElvIntegrator* integrator, ElvState* state, ElvError* error) {
    ElvStatus status = integrator->ops->start(integrator, state, error);
    // a device with a bad law is to blame before the joint that it acts on
    if (status == ELV_ERROR_NUMERIC &&
        elv_device_check(integrator->model, state->t, error) != ELV_OK) {
        return ELV_ERROR_NUMERIC;
    }
    return status;
}

ElvStatus
elv_integrator_step(ElvIntegrator* integrator, double t_limit, ElvState* state, ElvError* error) {
    return integrator->ops->step(integrator, t_limit, state, error);
}

ElvStatus
elv_integrator_interpolate(ElvIntegrator* integrator, double t, ElvState* state, ElvError* error) {
    return integrator->ops->interpolate(integrator, t, state, error);
}

ElvIntegratorReport elv_integrator_report(const ElvIntegrator* integrator) {
    return integrator->ops->report(integrator);
}
