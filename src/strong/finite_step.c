// SPDX-License-Identifier: Apache-2.0
// Finite differences in time and along the rods as an integrator: each step is a boundary value problem of the rods, shot
// from its root [RKMK (5)-(9)]. Steps end at the multiples of the nominal step and at the breakpoints of laws; the first
// step and those after breakpoints are backward Euler, which forgets what was before. A step that fails is not cut: a
// shorter one is harder here, as its equations grow faster along the rods.
#include "strong/finite.h"

#include "multibody/spec_check.h"
#include "strong/mode_project.h"
#include "strong/rkmk.h"
#include "strong/till.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Ends of steps that are closer than this fraction of a step are the same.
static const double GRID_SLACK = 1e-6;

static double nominal_step(const ElvFinite* self) {
    return self->head.options.step > 0.0 ? self->head.options.step : 0.01;
}

static bool ignores_breakpoints(const ElvFinite* self) {
    return self->grid.def.program.starts_from_past;
}

// effort of the joint's drive: what its motion needs, or its law
static void set_effort(ElvFinite* self, const ElvStrongInput* in, const ElvFieldNode* first) {
    if (!self->chain.joint) {
        return;
    }
    const ElvJoint* joint = &self->chain.joint->joint;
    ElvWrench lam = elv_wrench_transform(self->chain.rod[0].offset, first->lam);
    memcpy(self->effort_past, self->effort, sizeof self->effort);
    elv_chain_root_residual(&self->root, in, lam, self->effort, NULL);
    if (!joint->is_motion_driven) {
        const ElvChainJoint* at = &self->root.joint;
        ElvJointInput input = {in->t, in->load, in->gravity, at->q, at->v,
                               at->a, NULL,     false,       NULL};
        joint->ops->drive(joint, &input, self->effort);
    }
}

static ElvStatus finite_start(ElvIntegrator* integrator, ElvState* state, ElvError* error) {
    ElvFinite* self = (ElvFinite*)integrator;
    bool goes_on = self->has_stepped && state->t == self->t;
    memset(&self->report, 0, sizeof self->report);
    self->report.strong.n_segment = 1;
    self->report.strong.critical_step = elv_finite_critical(self);
    self->report.strong.n_step = self->grid.n_node - self->grid.n_piece;
    self->has_stepped = goes_on;
    if (goes_on) {
        // the state knows nothing of the fields
        elv_finite_put_state(self, self->t, &self->joint, state);
        return ELV_OK;
    }
    ElvStatus status = elv_finite_check_growth(self, nominal_step(self), error);
    if (status == ELV_OK) {
        status = elv_finite_start(self, state, error);
    }
    if (status != ELV_OK) {
        self->report.strong.end = status == ELV_ERROR_STEP ? ELV_SHOT_STEP : ELV_SHOT_SINGULAR;
        return status;
    }
    if (self->grid.def.program.starts_from_past) {
        self->step_past = nominal_step(self);
    }
    set_effort(self, &self->grid.in, &self->now[0]);
    memcpy(self->effort_past, self->effort, sizeof self->effort);
    elv_finite_put_state(self, self->t, &self->joint, state);
    return ELV_OK;
}

// ---- one step

// end of the next step: the nominal grid and the limits, no step much shorter than half of it where that can be
static double choose_end(const ElvFinite* self, double t_limit) {
    double step = nominal_step(self);
    double t = self->t;
    double stop = fmin(t_limit, self->t_stop);
    double end = step * (floor(t / step + GRID_SLACK) + 1.0);
    if (end - t < (0.5 - GRID_SLACK) * step) {
        end += step;
    }
    if (end > stop - GRID_SLACK * step) {
        return stop;
    }
    return stop - end < (0.5 - GRID_SLACK) * step ? 0.5 * (t + stop) : end;
}

enum { GUESS_ONWARD, GUESS_STILL, GUESS_MESH, N_GUESS };

// first guesses of a step: it goes on, it stays, or what all nodes together make of it; false: there is no such one
static bool guess(ElvFinite* self, int i, double dt, double* x) {
    int n = self->root.n;
    double ratio = i == GUESS_ONWARD && self->step_past > 0.0 ? dt / self->step_past : 0.0;
    for (int k = 0; k < n; k++) {
        x[k] = dt * self->root.w_n[k];
    }
    for (int k = 0; k < 6; k++) {
        x[n + k] = self->x[k] + ratio * (self->x[k] - self->x_past[k]);
    }
    if (i != GUESS_MESH) {
        return true;
    }
    int n_shot = 0;
    elv_finite_mesh_guess(&self->mesh, &self->grid, self->now, self->past, dt,
                          self->step_past > 0.0 ? dt / self->step_past : 0.0);
    bool is_found = elv_finite_mesh_solve(&self->sweep, &self->mesh, self->largest, x, &n_shot);
    self->report.n_iteration += n_shot;
    self->report.n_jacobian += n_shot;
    self->report.n_evaluation += n_shot;
    return is_found;
}

// the fields at the end of the step are found: keep them
static ElvStatus accept(ElvFinite* self, double dt, double t_end, double* x, ElvError* error) {
    double residual[ELV_FINITE_UNKNOWNS];
    ElvStatus status = elv_finite_shoot(&self->sweep, x, residual, NULL, self->next);
    if (status != ELV_OK) {
        self->report.strong.end = ELV_SHOT_DIVERGED;
        return elv_error_set(error, ELV_ERROR_STEP, "", "",
                             "the fields at t = %.9g cannot be evaluated", t_end);
    }
    status = elv_finite_check(self, self->next, t_end, error);
    if (status != ELV_OK) {
        self->report.strong.end = ELV_SHOT_INACCURATE;
        return status;
    }
    if (self->grid.def.program.rebuild != ELV_REBUILD_GROUP) {
        bool is_mean = self->grid.def.program.rebuild == ELV_REBUILD_MEAN;
        elv_finite_rebuild(self, is_mean ? self->next : self->now, self->next);
    }
    set_effort(self, &self->grid.in, &self->next[0]);
    self->joint_past = self->joint;
    self->joint = self->root.joint;
    memcpy(self->x_past, self->x, sizeof self->x);
    memcpy(self->x, x + self->root.n, sizeof self->x);
    ElvFieldNode* free_room = self->past;
    self->past = self->now;
    self->now = self->next;
    self->next = free_room;
    self->t_past = self->t;
    self->t = t_end;
    self->largest = fmax(self->largest, elv_finite_largest(&self->grid, self->now));
    bool forgets = t_end >= self->t_stop && !ignores_breakpoints(self);
    self->step_past = forgets ? 0.0 : dt;
    return ELV_OK;
}

// what the step begins with: formulas, histories, what acts at its end
static ElvStatus begin(ElvFinite* self, double dt, double t_end, ElvError* error) {
    double c[3];
    // laws are seen from the left of a breakpoint
    double t_law = t_end < self->t_stop ? t_end : nextafter(self->t_stop, -INFINITY);
    elv_finite_formula(self->grid.def.order, dt, self->step_past, c);
    elv_chain_root_begin(&self->root, c, &self->joint, self->step_past > 0.0);
    const ElvLumped* joint = self->chain.joint;
    if (self->grid.def.program.has_euler_joint && joint && joint->joint.n_q == joint->joint.n_v) {
        for (int i = 0; i < joint->joint.n_v; i++) {
            self->euler_q[i] = self->joint.q[i] + dt * self->joint.v[i];
        }
        self->sweep.euler_q = self->euler_q;
    }
    return elv_finite_grid_begin(&self->grid, t_law, c, self->now, self->past, error);
}

// the end of the step from one guess after the other; what was good for the last step comes first
static ElvFiniteReport search(ElvFinite* self, double dt, double x[ELV_FINITE_UNKNOWNS]) {
    const ElvSimulateDef* options = &self->head.options;
    ElvFiniteReport found = {.end = ELV_FINITE_LOST};
    int first = self->last_guess;
    for (int i = 0; i < N_GUESS && found.end != ELV_FINITE_FOUND && !self->head.brake.is_on; i++) {
        self->last_guess = i == 0 ? first : i <= first ? i - 1 : i;
        if (!guess(self, self->last_guess, dt, x)) {
            continue;
        }
        found = elv_finite_solve(&self->sweep, options->newton_tol, options->max_iterations,
                                 self->largest, x);
        self->report.n_iteration += found.n_iteration;
        self->report.n_jacobian += found.n_shot;
        self->report.n_evaluation += found.n_shot;
    }
    self->last_guess = found.end == ELV_FINITE_FOUND ? self->last_guess : first;
    return found;
}

static ElvStatus
finite_step(ElvIntegrator* integrator, double t_limit, ElvState* state, ElvError* error) {
    ElvFinite* self = (ElvFinite*)integrator;
    if (t_limit <= self->t) {
        return ELV_OK;
    }
    t_limit = fmin(t_limit, self->t + integrator->options.duration);
    self->t_stop = ignores_breakpoints(self)
                       ? INFINITY
                       : elv_integrator_breakpoint(integrator, self->t, t_limit);
    double t_end = choose_end(self, t_limit);
    double dt = t_end - self->t;
    ElvStatus status = begin(self, dt, t_end, error);
    if (status != ELV_OK) {
        bool is_singular = status == ELV_ERROR_SINGULAR;
        self->report.strong.end = is_singular ? ELV_SHOT_SINGULAR : ELV_SHOT_UNSOLVED;
        return status;
    }
    double x[ELV_FINITE_UNKNOWNS];
    ElvFiniteReport found = search(self, dt, x);
    // a device with a bad law is to blame before the step
    status = elv_device_check(integrator->model, self->grid.in.t, error);
    if (status == ELV_OK) {
        status = found.end == ELV_FINITE_FOUND ? accept(self, dt, t_end, x, error)
                                               : elv_finite_fail(self, &found, dt, error);
    }
    if (status != ELV_OK) {
        return status;
    }
    self->has_stepped = true;
    self->report.strong.growth = found.growth;
    self->report.n_step++;
    self->report.last_step = dt;
    self->report.last_iterations = found.n_iteration;
    self->report.last_residual = found.residual;
    elv_finite_put_state(self, self->t, &self->joint, state);
    return ELV_OK;
}

static ElvIntegratorReport finite_report(const ElvIntegrator* integrator) {
    return ((const ElvFinite*)integrator)->report;
}

// ---- life

static void finite_free(ElvIntegrator* integrator) {
    ElvFinite* self = (ElvFinite*)integrator;
    elv_chain_free(&self->chain);
    elv_pool_free(&self->pool);
    free(self);
}

static const ElvIntegratorOps finite_ops = {.free = finite_free,
                                            .start = finite_start,
                                            .step = finite_step,
                                            .interpolate = elv_finite_interpolate,
                                            .report = finite_report,
                                            .see = elv_finite_see};

static ElvStatus take_fields(ElvFinite* self, ElvError* error) {
    size_t n = (size_t)self->grid.n_node;
    self->now = elv_pool_take(&self->pool, n, sizeof *self->now);
    self->past = elv_pool_take(&self->pool, n, sizeof *self->past);
    self->next = elv_pool_take(&self->pool, n, sizeof *self->next);
    if (!self->now || !self->past || !self->next) {
        return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    return elv_field_view_init(&self->view, &self->chain, self->grid.field, self->grid.n_piece,
                               self->grid.s, self->grid.node_station, &self->pool, error);
}

ElvStatus elv_finite_create(const ElvModel* model,
                            const ElvSimulateDef* options,
                            ElvIntegrator** integrator,
                            ElvError* error) {
    ElvStatus status = elv_check_simulate(options, error);
    if (status != ELV_OK) {
        return status;
    }
    ElvFinite* self = calloc(1, sizeof *self);
    if (!self) {
        return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    status = elv_integrator_init(&self->head, &finite_ops, model, options, error);
    if (status == ELV_OK) {
        status = elv_chain_create(model, &self->chain, error);
    }
    if (status == ELV_OK) {
        status =
            elv_finite_grid_init(&self->grid, &self->chain, &options->finite, &self->pool, error);
    }
    if (status == ELV_OK) {
        status = take_fields(self, error);
    }
    if (status == ELV_OK) {
        status = elv_finite_mesh_init(&self->mesh, &self->grid, &self->pool, error);
    }
    if (status == ELV_OK) {
        status = elv_mode_grams(&self->chain, &self->pool, &self->gram, error);
    }
    if (status != ELV_OK) {
        self->head.ops = &finite_ops;
        elv_integrator_free(&self->head);
        return status;
    }
    elv_chain_root_init(&self->root, &self->chain);
    self->sweep = (ElvFiniteSweep){
        .grid = &self->grid,
        .root = &self->root,
        .brake = &self->head.brake,
        .element = options->method == ELV_METHOD_TILL ? elv_till_element : elv_rkmk_element,
    };
    *integrator = &self->head;
    return ELV_OK;
}
