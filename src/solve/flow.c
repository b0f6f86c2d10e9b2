// SPDX-License-Identifier: Apache-2.0
// The rate of a motion at a state (flow.h). With constraints, velocities are made to satisfy them
// wherever the dynamics are evaluated, and those of the solution after every step, like positions
// (reduced.h): reactions only hold, and nothing drifts [ALI (3.45), (3.69)]. In a motion of first
// order [ALI (3.31)-(3.32)] velocities are found anew everywhere, and those of the solution are not
// used.
#include "solve/flow.h"

#include "solve/step_failure.h"
#include "solve/work.h"

#include <math.h>
#include <string.h>

double elv_flow_inside(const ElvFlow* flow, double t) {
    double t_inside = t < flow->t_stop ? t : nextafter(flow->t_stop, -INFINITY);
    return t_inside > flow->t_begin ? t_inside : nextafter(flow->t_begin, INFINITY);
}

ElvStatus elv_flow_rate(ElvFlow* flow, ElvState* state, ElvError* error) {
    if (flow->connect) {
        // a motion of first order: velocities in y are not used, and stay
        memset(state->a, 0, (size_t)state->nv * sizeof *state->a);
        return elv_connect_velocity(flow->connect, flow->data, state, true, error);
    }
    if (!flow->reduced) {
        return elv_forward_dynamics(flow->model, flow->data, state, error);
    }
    flow->reduced->from = flow->t_begin;
    flow->reduced->to = flow->t_stop;
    if (!elv_reduced_velocity(flow->reduced, flow->data, state)) {
        return elv_reduced_fail_velocity(flow->reduced, state->t, error);
    }
    return elv_reduced_acceleration(flow->reduced, flow->data, state, error);
}

// how much of a preload contacts balance at a state that is handed out
static void note_preload(ElvFlow* flow, const ElvReduced* reduced) {
    if (reduced->preloaded) {
        double share = reduced->preload_share;
        flow->contact.preload_share =
            flow->contact.has_preload ? fmin(flow->contact.preload_share, share) : share;
        flow->contact.has_preload = true;
    }
}

// velocities, their rates and reactions of a motion of first order
static ElvStatus complete_first_order(ElvFlow* flow, ElvState* state, ElvError* error) {
    ElvConnect* connect = flow->connect;
    connect->reduced->from = flow->t_begin;
    connect->reduced->to = flow->t_stop;
    elv_state_impose(flow->model, state);
    ElvStatus status = elv_connect_velocity(connect, flow->data, state, true, error);
    if (status == ELV_OK) {
        flow->closure.drift = fmax(flow->closure.drift, connect->reduced->missed);
        status = elv_connect_acceleration(connect, flow->data, state, error);
    }
    if (status == ELV_OK) {
        status = elv_connect_reaction(connect, flow->data, state, error);
        note_preload(flow, connect->reduced);
    }
    return status;
}

ElvStatus elv_flow_complete(ElvFlow* flow, ElvState* state, ElvError* error) {
    ElvReduced* reduced = flow->reduced;
    double gap = reduced ? elv_reduced_position(reduced, flow->data, state) : 0.0;
    if (flow->connect) {
        flow->closure.gap = fmax(flow->closure.gap, gap);
        return complete_first_order(flow, state, error);
    }
    ElvStatus status = elv_flow_rate(flow, state, error);
    if (status != ELV_OK || !reduced) {
        return status;
    }
    flow->closure.gap = fmax(flow->closure.gap, gap);
    flow->closure.drift = fmax(flow->closure.drift, reduced->missed);
    if (!elv_reduced_reaction(reduced, flow->data, state)) {
        return elv_error_set(error, ELV_ERROR_NUMERIC, "", "",
                             "a reaction is not finite at t = %.9g", state->t);
    }
    note_preload(flow, reduced);
    return elv_reduced_check(reduced, state->t, error);
}

// whether the rows that a motion of first order was last taken from are nearly dependent
static bool is_nearly_lost(const ElvFlow* flow) {
    const double NEAR = 1e-3;
    const ElvRowSpace* space = flow->connect ? &flow->connect->reduced->space : NULL;
    return space && space->k > 0 && space->sigma[space->k - 1] < NEAR * space->sigma[0];
}

ElvStatus elv_flow_no_step(const ElvFlow* flow, double t, double h, ElvError* error) {
    if (is_nearly_lost(flow)) {
        return elv_error_set(
            error, ELV_ERROR_STEP, "simulate", "method",
            "no step meets the tolerance at t = %.9g (last step %.3g s): the "
            "constraints nearly lose a direction in this posture, where "
            "velocities that follow from them are uncertain; the method 'explicit' "
            "goes through it, or try tolerances of 1e-8 and above",
            t, h);
    }
    return elv_error_set(
        error, ELV_ERROR_STEP, "simulate", "",
        "no step meets the tolerance at t = %.9g (last step %.3g s): the model is "
        "too stiff for an explicit method there, or a law is not smooth%s; try an "
        "implicit method, material damping or looser tolerances",
        t, h, elv_model_has_controller(flow->model) ? ", or a controller is unstable" : "");
}

const ElvModel* elv_flow_seen(const ElvFlow* flow) {
    return flow->connect ? flow->connect->seen : flow->model;
}

ElvStatus elv_flow_powers(ElvFlow* flow, ElvState* state, double* rate, ElvError* error) {
    if (flow->connect) {
        // inertia takes part by the rates of velocities that the motion of first order has
        elv_state_impose(flow->model, state);
        ElvStatus status = elv_connect_acceleration(flow->connect, flow->data, state, error);
        if (status != ELV_OK) {
            return status;
        }
    }
    elv_work_rate(elv_powers(elv_flow_seen(flow), flow->data, state), rate);
    return ELV_OK;
}

// ---- starts, ends of steps, jumps

static ElvStatus close_state(ElvFlow* flow, ElvState* state, ElvError* error) {
    ElvReduced* reduced = flow->reduced;
    ElvStatus status = elv_close_start(&flow->problem, state, &flow->closure.opened, error);
    if (status != ELV_OK) {
        return status;
    }
    (void)elv_close_velocity(&flow->problem, state);
    (void)elv_reduced_position(reduced, flow->data, state);
    if (!elv_reduced_velocity(reduced, flow->data, state) ||
        !elv_reduced_settle(reduced, flow->data, state)) {
        return elv_reduced_fail_velocity(flow->reduced, state->t, error);
    }
    return elv_reduced_check(reduced, state->t, error);
}

ElvStatus elv_flow_start(ElvFlow* flow, ElvState* state, ElvError* error) {
    // a state may lie on a breakpoint: laws are seen from its right
    flow->t_begin = state->t;
    flow->t_stop = INFINITY;
    flow->closure = (ElvClosureReport){0};
    flow->contact = (ElvContactReport){0};
    ElvStatus status = flow->reduced ? close_state(flow, state, error) : ELV_OK;
    if (status == ELV_OK) {
        status = elv_flow_complete(flow, state, error);
    }
    const ElvReduced* reduced = flow->connect ? flow->connect->reduced : flow->reduced;
    if (status == ELV_OK && reduced) {
        status = elv_reduced_check_preload(reduced, error);
    }
    if (status == ELV_OK && flow->reduced) {
        flow->closure.n_redundant = elv_reduced_redundant(flow->reduced, &flow->closure.redundant);
    }
    return status;
}

ElvStatus elv_flow_keep(ElvFlow* flow, ElvState* state, ElvError* error) {
    (void)elv_reduced_position(flow->reduced, flow->data, state);
    if (!elv_reduced_velocity(flow->reduced, flow->data, state)) {
        return elv_reduced_fail_velocity(flow->reduced, state->t, error);
    }
    elv_reduced_remember(flow->reduced, false);
    return ELV_OK;
}

ElvStatus elv_flow_jump(ElvFlow* flow, ElvState* state, ElvError* error) {
    (void)elv_close_velocity(&flow->problem, state);
    if (!elv_reduced_velocity(flow->reduced, flow->data, state) ||
        !elv_reduced_settle(flow->reduced, flow->data, state)) {
        return elv_reduced_fail_velocity(flow->reduced, state->t, error);
    }
    return ELV_OK;
}

// ---- life

// forces of devices must follow from the motion, or from constraints
static ElvStatus prepare_devices(ElvFlow* flow, ElvError* error) {
    ElvState* state = NULL;
    ElvStatus status = elv_state_create(flow->model, &state, error);
    if (status != ELV_OK) {
        return status;
    }
    if (elv_device_follow(flow->model, flow->data, state)) {
        status = elv_reduced_create(flow->model, &flow->reduced, error);
        if (status == ELV_OK) {
            status = elv_problem_create(flow->model, &flow->problem, error);
        }
    }
    elv_state_free(state);
    return status;
}

ElvStatus elv_flow_create(const ElvModel* model,
                          const ElvSimulateDef* options,
                          ElvFlow* flow,
                          ElvError* error) {
    ElvStatus status = ELV_OK;
    *flow = (ElvFlow){.model = model, .t_begin = -INFINITY, .t_stop = INFINITY};
    if (options->method == ELV_METHOD_CONNECTION) {
        status = elv_connect_create(model, options->connection, &flow->connect, error);
    }
    if (status == ELV_OK) {
        status = elv_data_create(model, &flow->data, error);
    }
    return status == ELV_OK ? prepare_devices(flow, error) : status;
}

void elv_flow_free(ElvFlow* flow) {
    elv_data_free(flow->data);
    elv_reduced_free(flow->reduced);
    elv_connect_free(flow->connect);
    if (flow->problem.model) {
        elv_problem_free(&flow->problem);
    }
}
