// SPDX-License-Identifier: Apache-2.0
// A model that runs live: start, step, show, and the change to another model of the same robot.
#include "live.h"

#include <math.h>
#include <string.h>

// steps that choose their own length end often enough to be steered
static const double longest_step = 0.02; // s
static const double search_ahead = 1.0;  // s

static void forget_dense(LiveModel* live) {
    live->has_dense = false;
    live->t_before = live->state->t;
    live->t_searched = live->state->t;
    live->t_break = INFINITY;
}

ElvStatus live_model_retry(LiveModel* live, ElvError* error) {
    live->state->step_past = 0.0;
    live->is_changed = false;
    forget_dense(live);
    return elv_integrator_start(live->integrator, live->state, error);
}

ElvStatus live_model_start(LiveModel* live, ElvError* error) {
    elv_state_reset(live->model, live->state);
    if (live->method.starts_static) {
        ElvStaticsDef statics = elv_model_statics(live->model);
        live->state->t = nextafter(0.0, -INFINITY);
        ElvStatus status =
            elv_statics_solve(live->model, live->state, live->state->t, &statics, NULL, error);
        live->state->t = 0.0;
        if (status != ELV_OK) {
            return status;
        }
    }
    return live_model_retry(live, error);
}

// ---- another model in place of this one

bool live_model_fits(const LiveModel* live, const LiveModel* old) {
    const ElvModel* a = live->model;
    const ElvModel* b = old->model;
    bool is_same = live->state->nq == old->state->nq && live->state->nv == old->state->nv &&
                   live->state->nz == old->state->nz &&
                   elv_model_n_node(a) == elv_model_n_node(b) &&
                   elv_model_n_device(a) == elv_model_n_device(b);
    for (int i = 0; is_same && i < elv_model_n_node(a); i++) {
        ElvNodeInfo node_a = elv_model_node(a, i);
        ElvNodeInfo node_b = elv_model_node(b, i);
        is_same = strcmp(node_a.name, node_b.name) == 0 && node_a.joint == node_b.joint &&
                  node_a.i_q == node_b.i_q && node_a.i_v == node_b.i_v &&
                  memcmp(node_a.modes, node_b.modes, sizeof node_a.modes) == 0;
    }
    for (int i = 0; is_same && i < elv_model_n_device(a); i++) {
        is_same = elv_model_device(a, i).i_z == elv_model_device(b, i).i_z;
    }
    return is_same;
}

ElvStatus live_model_adopt(LiveModel* live, const LiveModel* old, ElvError* error) {
    elv_state_copy(live->state, old->state);
    return live_model_retry(live, error);
}

static void inherit_law(LiveLaw* law, const LiveLaw* old, bool is_same_time) {
    law->is_taken = old->is_taken;
    law->t = is_same_time ? old->t : 0.0;
    law->x = is_same_time ? old->x : old->target;
    law->d = is_same_time ? old->d : 0.0;
    law->target = old->target;
}

void live_model_inherit(LiveModel* live, const LiveModel* old, bool is_same_time) {
    for (int i = 0; i < old->n_input; i++) {
        LiveInput* input = live_model_input(live, old->input[i].info.name);
        if (input && input->law.is_scale == old->input[i].law.is_scale) {
            inherit_law(&input->law, &old->input[i].law, is_same_time);
        }
    }
    for (int i = 0; i < old->n_handle && is_same_time; i++) {
        LiveHandle* handle = live_model_handle(live, old->handle[i].element);
        for (int k = 0; handle && k < 6; k++) {
            inherit_law(&handle->law[k], &old->handle[i].law[k], true);
        }
    }
}

// ---- steps

// the next kink of a law behind an input, which the integrator does not see; or as far as they are known
static double next_break(LiveModel* live) {
    double t = live->state->t;
    if (live->t_break <= t) {
        live->t_break = INFINITY;
        live->t_searched = t;
    }
    if (t + longest_step >= live->t_searched && !isfinite(live->t_break)) {
        double t_end = t + search_ahead;
        for (int i = 0; i < live->n_input; i++) {
            live->t_break = fmin(live->t_break, live_law_break(&live->input[i].law, t, t_end));
        }
        live->t_searched = t_end;
    }
    return fmin(live->t_break, live->t_searched);
}

static double step_limit(const LiveModel* live) {
    ElvMethod method = live->method.method;
    bool is_runge = method == ELV_METHOD_EXPLICIT || method == ELV_METHOD_CONNECTION;
    return live->state->t + (is_runge || live->method.is_adaptive ? longest_step : search_ahead);
}

ElvStatus live_model_step(LiveModel* live, ElvError* error) {
    // what the integrator remembers is of other accelerations
    if (live->is_changed) {
        ElvStatus started = live_model_retry(live, error);
        if (started != ELV_OK) {
            return started;
        }
    }
    double t_before = live->state->t;
    double limit = fmin(step_limit(live), next_break(live));
    ElvStatus status = elv_integrator_step(live->integrator, limit, live->state, error);
    if (status != ELV_OK) {
        return status;
    }
    live->t_before = t_before;
    live->has_dense = true;
    return live->state->t >= live->t_break ? live_model_retry(live, error) : ELV_OK;
}

void live_model_show(LiveModel* live, double t) {
    ElvError error;
    bool is_between = live->has_dense && t > live->t_before && t < live->state->t;
    if (!is_between ||
        elv_integrator_interpolate(live->integrator, t, live->shown, &error) != ELV_OK) {
        elv_state_copy(live->shown, live->state);
    }
    elv_idm(live->model, live->data, live->shown, live->tau);
    elv_view_eval(live->view, live->model, live->data, live->shown, live->value);
}

// ---- inputs and handles

void live_model_take(LiveModel* live, LiveLaw* law, double target) {
    live_law_take(law, live->state->t, target);
    live->is_changed = true;
}

LiveInput* live_model_input(LiveModel* live, const char* name) {
    for (int i = 0; i < live->n_input; i++) {
        if (strcmp(live->input[i].info.name, name) == 0) {
            return &live->input[i];
        }
    }
    return NULL;
}

LiveHandle* live_model_handle(LiveModel* live, const char* element) {
    for (int i = 0; i < live->n_handle; i++) {
        if (strcmp(live->handle[i].element, element) == 0) {
            return &live->handle[i];
        }
    }
    return NULL;
}

void live_handle_pull(LiveModel* live, LiveHandle* handle, ElvVec3 point, ElvVec3 force) {
    ElvPose g = elv_frame_pose(live->model, live->data, handle->frame);
    ElvVec3 moment = elv_vec3_cross(elv_vec3_sub(point, g.p), force);
    const double wrench[6] = {moment.x, moment.y, moment.z, force.x, force.y, force.z};
    for (int k = 0; k < 6; k++) {
        live_model_take(live, &handle->law[k], wrench[k]);
    }
}
