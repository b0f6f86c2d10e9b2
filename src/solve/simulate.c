// SPDX-License-Identifier: Apache-2.0
// A whole simulation: steps of the integrator, records by dense output at their times.
#include "solve/integrator.h"

#include "elver/locomotion.h"
#include "elver/statics.h"
#include "solve/pull.h"
#include "solve/reduced.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// What a simulation carries along.
typedef struct {
    const ElvModel* model;
    const ElvSimulateOptions* options;
    ElvIntegrator* integrator;
    ElvData* data;
    ElvState* record; // state at a recording time
    ElvState* next;   // state after a step
    double* tau;      // efforts of the record, not used further
    ElvPullWatch pull;
    double t_start;
    long i_record;     // records written
    long i_control;    // calls of the controller
    double t_record;   // of the last one
    bool has_refused;  // the record callback wants no more
    bool is_cancelled; // by either callback
} Simulation;

ElvSimulateOptions elv_simulate_options_default(const ElvModel* model, const ElvState* state) {
    ElvSimulateOptions options = {0};
    options.method = elv_model_simulate(model);
    options.record_every = elv_model_record(model).every;
    options.t_end = state->t + options.method.duration;
    return options;
}

// the i-th recording time: multiples of the interval, the last one at the end
static double record_time(const Simulation* sim, long i) {
    double t = sim->t_start + (double)i * sim->options->record_every;
    double slack = 1e-9 * sim->options->record_every;
    return t > sim->options->t_end - slack ? sim->options->t_end : t;
}

static bool has_records_left(const Simulation* sim) {
    return sim->i_record == 0 || record_time(sim, sim->i_record - 1) < sim->options->t_end;
}

static void write_record(Simulation* sim, ElvState* state) {
    sim->i_record++;
    sim->t_record = state->t;
    elv_pull_look(&sim->pull, sim->model, sim->data, state);
    if (sim->options->record) {
        if (sim->integrator->ops->see) {
            sim->integrator->ops->see(sim->integrator, state, sim->data);
        } else {
            elv_idm(sim->model, sim->data, state, sim->tau);
        }
        sim->has_refused = !sim->options->record(sim->options->user, sim->model, sim->data, state);
        sim->is_cancelled |= sim->has_refused;
    }
}

// every record that lies within the step just made
static ElvStatus write_records(Simulation* sim, double t, ElvError* error) {
    while (!sim->is_cancelled && has_records_left(sim) && record_time(sim, sim->i_record) <= t) {
        double t_record = record_time(sim, sim->i_record);
        ElvStatus status =
            elv_integrator_interpolate(sim->integrator, t_record, sim->record, error);
        if (status != ELV_OK) {
            return status;
        }
        write_record(sim, sim->record);
    }
    return ELV_OK;
}

// when the controller is called next, never where there is none; one that is due at the end is not called
static double control_time(const Simulation* sim) {
    double every = sim->options->control_every;
    double t = sim->t_start + (double)sim->i_control * every;
    return sim->options->control && t < sim->options->t_end - 1e-9 * every ? t : INFINITY;
}

// pairs of high order outrun the dense output, so their steps end at the recording times
static double step_limit(const Simulation* sim) {
    ElvMethod method = sim->options->method.method;
    bool is_runge = method == ELV_METHOD_EXPLICIT || method == ELV_METHOD_CONNECTION;
    double t = is_runge && sim->options->method.order > 5 && has_records_left(sim)
                   ? record_time(sim, sim->i_record)
                   : sim->options->t_end;
    return fmin(t, control_time(sim));
}

// the controller, where it is due; a method without modes finds coordinates of rods for it
static void control(Simulation* sim, ElvState* state) {
    if (sim->is_cancelled || state->t < control_time(sim)) {
        return;
    }
    if (sim->i_control > 0 && sim->integrator->ops->see) {
        sim->integrator->ops->see(sim->integrator, state, sim->data);
    }
    sim->i_control++;
    sim->is_cancelled = !sim->options->control(sim->options->user, state);
    elv_integrator_jump(sim->integrator);
}

// imposed motions that constraints do not allow are found before anything moves; loops are closed
// at the start
static ElvStatus check_motion(const Simulation* sim, const ElvState* state, ElvError* error) {
    bool has_modes =
        !sim->integrator->ops->see || sim->options->method.method == ELV_METHOD_CONNECTION;
    if (!has_modes || !elv_reduced_is_velocity_only(sim->model)) {
        return ELV_OK;
    }
    return elv_locomotion_compatibility(sim->model, state, sim->options->t_end, NULL, error);
}

static ElvStatus run(Simulation* sim, ElvState* state, ElvError* error) {
    const ElvSimulateOptions* options = sim->options;
    ElvStatus status = elv_device_check(sim->model, state->t, error);
    if (status == ELV_OK) {
        status = check_motion(sim, state, error);
    }
    if (status != ELV_OK) {
        return status;
    }
    control(sim, state);
    status = elv_integrator_start(sim->integrator, state, error);
    if (status != ELV_OK) {
        return status;
    }
    write_record(sim, state);
    while (state->t < options->t_end && !sim->is_cancelled) {
        status = elv_integrator_step(sim->integrator, step_limit(sim), sim->next, error);
        if (status != ELV_OK) {
            return status;
        }
        status = write_records(sim, sim->next->t, error);
        if (status != ELV_OK) {
            return status;
        }
        elv_state_copy(state, sim->next);
        elv_pull_look(&sim->pull, sim->model, sim->data, state);
        ElvIntegratorReport report = elv_integrator_report(sim->integrator);
        if (options->progress) {
            sim->is_cancelled |= !options->progress(options->user, state->t, &report);
        }
        control(sim, state);
        if (options->method.max_steps > 0 && report.n_step >= options->method.max_steps &&
            state->t < options->t_end) {
            return elv_error_set(error, ELV_ERROR_STEP, "simulate", "max_steps",
                                 "%ld steps were not enough: t = %.9g of %.9g s reached",
                                 report.n_step, state->t, options->t_end);
        }
    }
    return sim->is_cancelled ? elv_error_set(error, ELV_ERROR_CANCELLED, "", "",
                                             "stopped by the caller at t = %.9g", state->t)
                             : ELV_OK;
}

// a run that stops early ends with a record of the last good state
static void write_last(Simulation* sim, ElvState* state) {
    if (sim->i_record > 0 && !sim->has_refused && state->t > sim->t_record) {
        write_record(sim, state);
    }
}

// the equilibrium under what acts just before the start, for a run from the beginning
static ElvStatus
start_static(const ElvModel* model, const ElvStop* stop, ElvState* state, ElvError* error) {
    double t = state->t;
    ElvStaticsDef statics = elv_model_statics(model);
    statics.stop = *stop;
    state->t = nextafter(t, -INFINITY);
    ElvStatus status = elv_statics_solve(model, state, state->t, &statics, NULL, error);
    state->t = t;
    return status;
}

// what a run from the given state needs; on failure simulation_free is still due
static ElvStatus simulation_create(Simulation* sim, const ElvState* state, ElvError* error) {
    const ElvModel* model = sim->model;
    // breakpoints of laws are searched as far as the duration goes: t_end may lie beyond
    ElvSimulateDef method = sim->options->method;
    method.duration = fmax(method.duration, sim->options->t_end);
    sim->tau = malloc(((size_t)state->nv + 1) * sizeof *sim->tau);
    if (!sim->tau) {
        (void)elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
        return ELV_ERROR_MEMORY;
    }
    ElvStatus status = elv_integrator_create(model, &method, &sim->integrator, error);
    if (status == ELV_OK) {
        status = elv_data_create(model, &sim->data, error);
    }
    if (status == ELV_OK) {
        status = elv_state_create(model, &sim->record, error);
    }
    if (status == ELV_OK) {
        status = elv_state_create(model, &sim->next, error);
    }
    return status;
}

static void simulation_free(Simulation* sim) {
    elv_integrator_free(sim->integrator);
    elv_data_free(sim->data);
    elv_state_free(sim->record);
    elv_state_free(sim->next);
    free(sim->tau);
}

ElvStatus elv_simulate(const ElvModel* model,
                       ElvState* state,
                       const ElvSimulateOptions* options,
                       ElvIntegratorReport* report,
                       ElvError* error) {
    elv_error_clear(error);
    if (!(options->record_every > 0.0) || !(options->t_end > state->t)) {
        return elv_error_set(error, ELV_ERROR_INPUT, "simulate", "",
                             "the recording interval and the duration must be positive");
    }
    if (options->control && !(options->control_every > 0.0)) {
        return elv_error_set(error, ELV_ERROR_INPUT, "simulate", "",
                             "the interval of a controller must be positive");
    }
    if (options->method.starts_static && state->t == 0.0) {
        ElvStatus found = start_static(model, &options->method.stop, state, error);
        if (found != ELV_OK) {
            return found;
        }
    }
    Simulation sim = {.model = model, .options = options, .t_start = state->t};
    ElvStatus status = simulation_create(&sim, state, error);
    if (status == ELV_OK) {
        sim.pull = elv_pull_watch(model);
        status = run(&sim, state, error);
    }
    if (status != ELV_OK) {
        write_last(&sim, state);
    }
    // a method without modes knows the coordinates of rods when it is asked
    if (sim.i_record > 0 && sim.integrator->ops->see) {
        sim.integrator->ops->see(sim.integrator, state, sim.data);
    }
    if (report && sim.integrator) {
        *report = elv_integrator_report(sim.integrator);
        report->contact.n_pull = sim.pull.report.n_pull;
        memcpy(report->contact.pull, sim.pull.report.pull, sizeof report->contact.pull);
    }
    simulation_free(&sim);
    return status;
}
