// SPDX-License-Identifier: Apache-2.0
// Paths of equilibria by pseudo-arclength: from a place a step along the tangent, then Newton in the plane
// normal to it, so that a path is followed where its load turns round. Steps grow after easy corrections
// and are halved where Newton fails, or where path or tangent turn too fast to be sure of the same path.
#include "solve/continuation.h"

#include "multibody/data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Cosine of the largest angle between the tangents at the ends of a step.
static const double ALIGNED = 0.9;

/// Largest correction, relative to the step.
static const double CORRECTION = 0.3;

/// Constraints may leave motions that cost nothing, such as the turn of a loop about its axis.
static const double SOFTENING = 1e-9;

enum { EASY_ITERATIONS = 3, HARD_ITERATIONS = 6 };

ElvContinuationOptions elv_continuation_options_default(const ElvModel* model) {
    ElvContinuationOptions options = {
        .method = elv_model_statics(model), .max_step = 0.05, .max_points = 2000, .branch_at = 1};
    return options;
}

// ---- buffers

static ElvStatus open_place(const ElvModel* model, ElvPlace* place, ElvError* error) {
    size_t n = (size_t)model->nv + (size_t)model->nz;
    place->tangent = calloc((1 + ELV_NEUTRAL_MAX) * n + 1, sizeof *place->tangent);
    if (!place->tangent) {
        return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    place->neutral = place->tangent + n;
    return elv_state_create(model, &place->state, error);
}

static void close_path(ElvContinuation* c) {
    ElvPlace* place[] = {&c->here, &c->there, &c->found};
    for (int i = 0; i < 3; i++) {
        elv_state_free(place[i]->state);
        free(place[i]->tangent);
    }
    if (c->problem.model) {
        elv_problem_free(&c->problem);
    }
    elv_matrices_free(&c->matrices);
    elv_pencil_free(&c->pencil);
    free(c->weight);
}

static ElvStatus open_path(const ElvModel* model, ElvContinuation* c, ElvError* error) {
    ElvPlace* place[] = {&c->here, &c->there, &c->found};
    size_t n = (size_t)model->nv + (size_t)model->nz;
    c->model = model;
    c->n = (int)n;
    ElvStatus status = elv_problem_create(model, &c->problem, error);
    for (int i = 0; i < 3 && status == ELV_OK; i++) {
        status = open_place(model, place[i], error);
    }
    status = status == ELV_OK ? elv_matrices_create(model, &c->matrices, error) : status;
    if (status != ELV_OK) {
        return status;
    }
    c->weight = calloc(6 * n + 1, sizeof *c->weight);
    if (!c->weight || !elv_pencil_create(c->matrices.n, &c->pencil)) {
        return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    c->scale = c->weight + n;
    c->nu_t = c->scale + n;
    c->R_t = c->nu_t + n;
    c->null_vector = c->R_t + n;
    c->shape = c->null_vector + n;
    c->problem.is_static = true;
    c->problem.data->is_static = true;
    c->problem.data->softening = model->is_constrained ? SOFTENING : 0.0;
    c->n_neutral = -1;
    return ELV_OK;
}

// ---- the start

// share of the mass that a coordinate moves by as much as the robot is large; the size of the robot is
// that of its rods and of the places of its bodies
static void weigh(ElvContinuation* c) {
    const ElvModel* model = c->model;
    const ElvMatrices* matrices = &c->matrices;
    const ElvData* data = c->problem.data;
    size_t n = (size_t)matrices->n;
    double size = 0.0;
    for (int j = 0; j < model->n_node; j++) {
        size += model->node[j].info.length;
    }
    for (int p = 1; p < model->n_port; p++) {
        size = fmax(size, elv_vec3_norm(data->port[p].g.p));
    }
    double mass = elv_model_mass(model) * size * size;
    for (size_t i = 0; i < n; i++) {
        double entry = matrices->M[i * n + i];
        c->weight[matrices->index[i]] = entry > 0.0 && mass > 0.0 ? entry / mass : 1.0;
    }
}

static ElvStatus check_options(const ElvContinuationOptions* options, ElvError* error) {
    if (!(isfinite(options->max_step) && options->max_step > 0.0)) {
        return elv_error_set(error, ELV_ERROR_INPUT, "", "max_step",
                             "the longest step of a path must be positive and finite, not %.9g",
                             options->max_step);
    }
    if (options->max_points < 1) {
        return elv_error_set(error, ELV_ERROR_INPUT, "", "max_points",
                             "a path has at least one point, not %d", options->max_points);
    }
    if (options->branch < -1 || options->branch > 1) {
        return elv_error_set(error, ELV_ERROR_INPUT, "", "branch", "a branch is 0, 1 or -1, not %d",
                             options->branch);
    }
    if (options->branch != 0 && options->branch_at < 1) {
        return elv_error_set(error, ELV_ERROR_INPUT, "", "branch_at",
                             "bifurcations count from 1, not %d", options->branch_at);
    }
    return ELV_OK;
}

static ElvStatus check_range(ElvContinuation* c, const ElvState* state, ElvError* error) {
    const ElvStaticsDef* method = &c->options.method;
    if (method->n_load == 0) {
        return elv_error_set(error, ELV_ERROR_INPUT, "statics", "loads",
                             "a path needs loads to lead from and to: statics: {loads: [0, 10]}");
    }
    c->t_first = method->n_load > 1 ? method->load[0] : state->t;
    c->t_last = method->load[method->n_load - 1];
    c->range = fabs(c->t_last - c->t_first);
    if (!(c->range > 0.0)) {
        return elv_error_set(error, ELV_ERROR_INPUT, "statics", "loads",
                             "a path needs two different loads, its first and its last");
    }
    return ELV_OK;
}

static void reverse(ElvContinuation* c, ElvPlace* place) {
    for (int i = 0; i < c->n; i++) {
        place->tangent[i] = -place->tangent[i];
    }
    place->tangent_t = -place->tangent_t;
}

// the first equilibrium and where the path leads from there
static ElvStatus start(ElvContinuation* c, ElvState* state, ElvError* error) {
    ElvStatus status = check_range(c, state, error);
    if (status == ELV_OK) {
        status = elv_statics_solve(c->model, state, c->t_first, &c->options.method, NULL, error);
    }
    if (status != ELV_OK) {
        return status;
    }
    elv_state_copy(c->here.state, state);
    status = elv_matrices_fill(c->model, c->problem.data, c->here.state, &c->matrices, error);
    if (status != ELV_OK) {
        return status;
    }
    weigh(c);
    elv_continuation_spectrum(c, &c->here);
    if (!elv_continuation_tangent(c, &c->here)) {
        return elv_error_set(error, ELV_ERROR_NUMERIC, "", "",
                             "the tangent is singular at the first load %.9g: begin beside it",
                             c->t_first);
    }
    elv_problem_raise(&c->problem, c->scale);
    if ((c->here.tangent_t > 0.0) != (c->t_last > c->t_first)) {
        reverse(c, &c->here);
    }
    c->step = 0.5 * c->options.max_step;
    return elv_continuation_record(c, &c->here, ELV_POINT_REGULAR, error);
}

// ---- a step

// tangent at c->there in the direction of c->here's; the cosine between them, or -1
static double align(ElvContinuation* c) {
    elv_continuation_pin(c, -1);
    bool is_regular = elv_continuation_tangent(c, &c->there);
    elv_continuation_pin(c, c->here.rank);
    if (!is_regular) {
        return -1.0;
    }
    double cosine = elv_continuation_product(c, c->here.tangent, c->there.tangent) +
                    c->here.tangent_t * c->there.tangent_t / (c->range * c->range);
    if (cosine < 0.0) {
        reverse(c, &c->there);
    }
    return fabs(cosine);
}

// a step of a length at which all goes well; 0 when there is none
static double advance(ElvContinuation* c) {
    double smallest = c->options.max_step * ldexp(1.0, -8 - c->options.method.max_halvings);
    elv_continuation_pin(c, c->here.rank);
    while (c->step > 0.0 && c->step >= smallest && !c->brake.is_on) {
        double length = c->step;
        double off = 0.0;
        int n_iteration = elv_continuation_step(c, &c->here, length, &c->there, &off);
        if (n_iteration > 0 && off <= CORRECTION && align(c) >= ALIGNED) {
            double growth = n_iteration <= EASY_ITERATIONS   ? 1.5
                            : n_iteration >= HARD_ITERATIONS ? 0.6
                                                             : 1.0;
            c->step = fmin(growth * length, c->options.max_step);
            return length;
        }
        c->step *= 0.5;
        c->report.n_cut++;
    }
    return 0.0;
}

// where a path that leaves the range of loads ends: at the bound itself. Returns the length of the last
// step
static double end_at(ElvContinuation* c, double bound, double length) {
    const ElvPlane plane = {NULL, 1.0, (bound - c->here.state->t) / (c->range * c->range)};
    ElvProblem* problem = &c->problem;
    double share = (bound - c->here.state->t) / (c->there.state->t - c->here.state->t);
    elv_continuation_chart(c, &c->here);
    for (int i = 0; i < c->n; i++) {
        problem->nu[i] = share * length * c->here.tangent[i];
    }
    problem->state->t = bound;
    if (elv_continuation_correct(c, &plane) == 0) {
        return length;
    }
    double reached = elv_continuation_product(c, c->here.tangent, problem->nu) +
                     c->here.tangent_t * (bound - c->t_chart) / (c->range * c->range);
    problem->state->t = bound;
    elv_continuation_take(c, &c->there);
    c->there.length = c->here.length + reached;
    (void)align(c);
    return reached;
}

// whether c->there ends the path, and how
static bool is_end(ElvContinuation* c, double* length) {
    double direction = c->t_last > c->t_first ? 1.0 : -1.0;
    double t = c->there.state->t;
    if ((t - c->t_last) * direction >= 0.0) {
        c->report.end = ELV_CONTINUATION_DONE;
        *length = end_at(c, c->t_last, *length);
        return true;
    }
    if ((t - c->t_first) * direction < 0.0) {
        c->report.end = ELV_CONTINUATION_BACK;
        *length = end_at(c, c->t_first, *length);
        return true;
    }
    return false;
}

static void swap_places(ElvContinuation* c) {
    ElvPlace place = c->here;
    c->here = c->there;
    c->there = place;
}

// c->here is the last point that was recorded
static ElvStatus fail_stopped(ElvContinuation* c, ElvError* error) {
    c->report.end = ELV_CONTINUATION_LOST;
    return elv_error_set(error, ELV_ERROR_CANCELLED, "", "", "stopped by the caller at load %.9g",
                         c->here.state->t);
}

static ElvStatus follow(ElvContinuation* c, ElvError* error) {
    ElvStatus status = ELV_OK;
    bool is_over = false;
    while (status == ELV_OK && !is_over) {
        if (c->report.n_point >= c->options.max_points) {
            c->report.end = ELV_CONTINUATION_POINTS;
            return ELV_OK;
        }
        double length = advance(c);
        if (c->brake.is_on) {
            return fail_stopped(c, error);
        }
        if (length == 0.0) {
            c->report.end = ELV_CONTINUATION_LOST;
            return elv_error_set(
                error, ELV_ERROR_NUMERIC, "", "",
                "the path is lost beyond load %.9g: a law may have a jump there, or "
                "paths cross",
                c->here.state->t);
        }
        is_over = is_end(c, &length);
        elv_continuation_spectrum(c, &c->there);
        bool has_switched = false;
        status = elv_continuation_locate(c, length, &has_switched, error);
        if (c->brake.is_on) {
            return fail_stopped(c, error);
        }
        if (status == ELV_OK && !has_switched) {
            swap_places(c);
        }
        is_over = is_over && !has_switched;
        if (status == ELV_OK) {
            status = elv_continuation_record(c, &c->here, ELV_POINT_REGULAR, error);
        }
    }
    return status;
}

ElvStatus elv_statics_continue(const ElvModel* model,
                               ElvState* state,
                               const ElvContinuationOptions* options,
                               ElvContinuationReport* report,
                               ElvError* error) {
    elv_error_clear(error);
    if (report) {
        *report = (ElvContinuationReport){.end = ELV_CONTINUATION_LOST};
    }
    ElvStatus checked = check_options(options, error);
    if (checked != ELV_OK) {
        return checked;
    }
    ElvContinuation* c = calloc(1, sizeof *c);
    if (!c) {
        return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    c->options = *options;
    c->brake = elv_brake(&options->method.stop);
    c->report.end = ELV_CONTINUATION_LOST;
    ElvStatus status = open_path(model, c, error);
    status = status == ELV_OK ? start(c, state, error) : status;
    if (status == ELV_OK) {
        status = follow(c, error);
        memcpy(state->q, c->here.state->q, (size_t)state->nq * sizeof *state->q);
        memcpy(state->z, c->here.state->z, (size_t)state->nz * sizeof *state->z);
        state->t = c->here.state->t;
    }
    if (report) {
        *report = c->report;
    }
    close_path(c);
    free(c);
    return status;
}
