// SPDX-License-Identifier: Apache-2.0
// Shooting in time as an integrator. Steps end at the multiples of the nominal step and at the breakpoints of laws. A step
// that fails is not cut: variations grow along the chain like exp(l (inertia/(stiffness dt^2))^(1/4)), so a shorter one is
// harder, and below a critical step [OCP (88)] nothing is left of the tip in the numbers of the root.
#include "strong/motion.h"

#include "multibody/spec_check.h"
#include "strong/mode_project.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Ends of steps that are closer than this fraction of a step are the same.
static const double GRID_SLACK = 1e-6;

/// Lengths of steps that differ by this fraction are the same but for the rounding of the time.
static const double ROUNDING = 1e-9;

// a step of Newton's method, in units of the chain, behind which only rounding is left
static const double SMALL_STEP = 1e-8;

// and the residual that rounding may leave, relative to the largest wrench
static const double MAX_RESIDUAL = 1e-6;

static double nominal_step(const ElvMotionShooting* self) {
    return self->head.options.step > 0.0 ? self->head.options.step : 0.01;
}

static ElvStatus motion_start(ElvIntegrator* integrator, ElvState* state, ElvError* error) {
    ElvMotionShooting* self = (ElvMotionShooting*)integrator;
    bool goes_on = self->has_stepped && state->t == self->t;
    memset(&self->report, 0, sizeof self->report);
    self->report.strong.n_segment = self->cut.n_segment;
    self->report.strong.n_step = self->grid.n_step;
    self->report.strong.critical_step = elv_motion_critical(self);
    // the state knows nothing of the fields
    ElvStatus status = elv_motion_check_growth(self, nominal_step(self), error);
    self->report.strong.end = status == ELV_OK           ? ELV_SHOT_FOUND
                              : status == ELV_ERROR_STEP ? ELV_SHOT_STEP
                                                         : ELV_SHOT_SINGULAR;
    if (status == ELV_OK && !goes_on) {
        status = elv_motion_start_fields(self, state, error);
    }
    self->has_stepped = goes_on;
    self->is_rejected = self->is_rejected && status != ELV_OK;
    if (status == ELV_OK) {
        elv_motion_put_state(self, self->t, &self->joint, state);
    }
    return status;
}

// ---- one step

// end of the next step: the nominal grid and the limits, no step much shorter than half of it where that can be
static double choose_end(const ElvMotionShooting* self, double t_limit) {
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

enum { GUESS_ONWARD, GUESS_STILL, GUESS_STEPS, N_GUESS };

// first guesses of a step: all goes on, or stays; the third is what all steps along the chain make of the second
static void guess(ElvMotionShooting* self, int kind, double dt) {
    ElvMotionPoint* x = &self->cut.trial;
    bool is_onward = kind == GUESS_ONWARD;
    double past = self->t - self->t_past;
    double ratio = is_onward && past > 0.0 ? fmin(dt / past, 1.0) : 0.0;
    for (int i = 0; i < self->root.n; i++) {
        x->nu[i] = dt * (self->root.w_n[i] + (is_onward ? 0.5 * dt * self->joint_w_dot[i] : 0.0));
    }
    for (int k = 0; k < self->cut.n_segment; k++) {
        int i = self->i_node[self->cut.first[k]];
        const ElvFieldNode* at = &self->field[i];
        const ElvFieldNode* before = &self->field_past[i];
        ElvMotionSection* to = &x->at[k];
        ElvTwist turn =
            elv_twist_add_scaled(elv_twist_scale(dt, at->eta), 0.5 * dt * dt, at->eta_dot);
        to->g = is_onward ? elv_pose_compose(at->g, elv_se3_exp(turn)) : at->g;
        to->eta = is_onward ? elv_twist_add_scaled(at->eta, dt, at->eta_dot) : at->eta;
        to->eta_dot = at->eta_dot;
        to->lam = elv_wrench_add_scaled(at->lam, ratio, elv_wrench_sub(at->lam, before->lam));
    }
}

// the fields at the end of the step are found: keep them
static ElvStatus settle(ElvMotionShooting* self, double dt, double t_end, ElvError* error) {
    ElvFieldNode* next = self->field_next;
    elv_motion_place(self, &self->cut.now);
    if (!elv_motion_shoot(self, &self->cut.now, self->cut.end, next)) {
        return elv_error_set(error, ELV_ERROR_STEP, "", "",
                             "the fields at t = %.9g cannot be evaluated", t_end);
    }
    self->field_next = self->field_past;
    self->field_past = self->field;
    self->field = next;
    elv_motion_set_effort(self, self->field[0].lam);
    elv_motion_scheme_end(self, dt, t_end);
    self->must_restart = t_end >= self->t_stop;
    self->has_stepped = true;
    self->report.strong.growth = self->growth;
    self->report.n_step++;
    return ELV_OK;
}

static void swap_cuts(ElvMotionShooting* self) {
    ElvMotionCut cut = self->cut;
    self->cut = self->spare;
    self->spare = cut;
}

// from a guess to a root
static ElvRootReport search(ElvMotionShooting* self) {
    const ElvSimulateDef* options = &self->head.options;
    ElvRootOptions how = {.is_dogleg = options->shooting.solver == ELV_SHOOT_DOGLEG,
                          .tol = options->newton_tol,
                          .max_iterations = options->max_iterations,
                          .keeps_jacobian = true,
                          .brake = &self->head.brake};
    self->cut.problem.accept(self);
    ElvRootReport found = elv_root_solve(&self->cut.problem, &how, &self->cut.work);
    self->report.n_iteration += found.n_iteration;
    if (found.end == ELV_ROOT_STALLED && found.step <= SMALL_STEP && found.norm <= MAX_RESIDUAL) {
        found.end = ELV_ROOT_FOUND;
    }
    self->cut.work.has_factor = self->cut.work.has_factor && found.end == ELV_ROOT_FOUND;
    return found;
}

// the guess of short shots that cannot run away: sections where the segments asked for begin
static bool guess_by_steps(ElvMotionShooting* self, double dt) {
    swap_cuts(self);
    guess(self, GUESS_STEPS, dt);
    ElvRootReport found = search(self);
    swap_cuts(self);
    memcpy(self->cut.trial.nu, self->spare.now.nu, sizeof self->cut.trial.nu);
    for (int k = 0; k < self->cut.n_segment; k++) {
        self->cut.trial.at[k] = self->spare.now.at[self->cut.first[k]];
    }
    return found.end == ELV_ROOT_FOUND;
}

// the guess that led to the last solution, then the others
static ElvRootReport solve(ElvMotionShooting* self, double dt) {
    ElvRootReport found = {.end = ELV_ROOT_LOST};
    // a step of another length has another Jacobian
    if (fabs(dt - (self->t - self->t_past)) > GRID_SLACK * dt) {
        self->cut.work.has_factor = self->spare.work.has_factor = false;
        self->i_guess = GUESS_ONWARD;
    }
    int first = self->i_guess;
    for (int i = 0; i < N_GUESS && found.end != ELV_ROOT_FOUND && !self->head.brake.is_on; i++) {
        int kind = (first + i) % N_GUESS;
        bool is_made = kind != GUESS_STEPS || guess_by_steps(self, dt);
        if (kind != GUESS_STEPS) {
            guess(self, kind, dt);
        }
        if (is_made) {
            found = search(self);
        }
        self->i_guess = found.end == ELV_ROOT_FOUND ? kind : first;
    }
    return found;
}

// steps after which the error along the chain is looked at: 1, 2, 4, ... 64, 128, 192, ...
static bool is_checked(long n_step) {
    return (n_step & (n_step - 1)) == 0 || n_step % 64 == 0;
}

// now and then: the error of the grid along the chain, kept within bounds
static ElvStatus check_space(ElvMotionShooting* self, double dt, ElvError* error) {
    if (is_checked(self->report.n_step)) {
        double* most = &self->report.strong.space_error;
        double now = elv_motion_space_error(self);
        self->is_rejected = !(now <= ELV_MOTION_COARSEST);
        *most = self->is_rejected ? now : fmax(*most, now);
    }
    if (self->is_rejected) {
        self->has_stepped = false;
        return elv_motion_fail_coarse(self, dt, error);
    }
    return ELV_OK;
}

static ElvStatus
motion_step(ElvIntegrator* integrator, double t_limit, ElvState* state, ElvError* error) {
    ElvMotionShooting* self = (ElvMotionShooting*)integrator;
    if (self->is_rejected) {
        return elv_motion_fail_coarse(self, self->t - self->t_past, error);
    }
    if (t_limit <= self->t) {
        return ELV_OK;
    }
    ElvStatus status = self->must_restart ? elv_motion_restart(self, error) : ELV_OK;
    if (status != ELV_OK) {
        return status;
    }
    t_limit = fmin(t_limit, self->t + integrator->options.duration);
    self->t_stop = elv_integrator_breakpoint(integrator, self->t, t_limit);
    double t_end = choose_end(self, t_limit);
    double dt = t_end - self->t;
    // rounding of the time does not make another step
    if (fabs(dt - nominal_step(self)) < ROUNDING * dt) {
        dt = nominal_step(self);
    }
    // laws are seen from the left of a breakpoint
    double t_law = t_end < self->t_stop ? t_end : nextafter(self->t_stop, -INFINITY);
    elv_motion_scheme_begin(self, dt);
    status = elv_motion_drive(self, t_law, error);
    if (status != ELV_OK) {
        bool is_singular = status == ELV_ERROR_SINGULAR;
        self->report.strong.end = is_singular ? ELV_SHOT_SINGULAR : ELV_SHOT_UNSOLVED;
        return status;
    }
    ElvRootReport found = solve(self, dt);
    // a device with a bad law is to blame before the step
    status = elv_device_check(integrator->model, t_law, error);
    if (status == ELV_OK) {
        status = found.end == ELV_ROOT_FOUND ? settle(self, dt, t_end, error)
                                             : elv_motion_fail(self, &found, dt, error);
    }
    if (status != ELV_OK) {
        return status;
    }
    status = check_space(self, dt, error);
    if (status != ELV_OK) {
        return status;
    }
    self->report.last_step = dt;
    self->report.last_iterations = found.n_iteration;
    self->report.last_residual = found.norm;
    elv_motion_put_state(self, self->t, &self->joint, state);
    return ELV_OK;
}

static ElvIntegratorReport motion_report(const ElvIntegrator* integrator) {
    return ((const ElvMotionShooting*)integrator)->report;
}

// ---- life

static void motion_free(ElvIntegrator* integrator) {
    ElvMotionShooting* self = (ElvMotionShooting*)integrator;
    elv_root_work_free(&self->cut.work);
    elv_root_work_free(&self->spare.work);
    elv_shot_grid_free(&self->grid);
    elv_chain_free(&self->chain);
    elv_data_free(self->data);
    elv_state_free(self->modal);
    elv_pool_free(&self->pool);
    free(self);
}

static const ElvIntegratorOps motion_ops = {.free = motion_free,
                                            .start = motion_start,
                                            .step = motion_step,
                                            .interpolate = elv_motion_interpolate,
                                            .report = motion_report,
                                            .see = elv_motion_see};

// the modes of the model, where accelerations jump
static ElvStatus take_modal(ElvMotionShooting* self, ElvError* error) {
    const ElvModel* model = self->head.model;
    ElvStatus status = elv_data_create(model, &self->data, error);
    status = status == ELV_OK ? elv_state_create(model, &self->modal, error) : status;
    if (status != ELV_OK) {
        return status;
    }
    self->jump = elv_pool_take(&self->pool, (size_t)model->nv + 1, sizeof *self->jump);
    self->field_next = elv_pool_take(&self->pool, (size_t)self->n_node, sizeof *self->field_next);
    if (!self->jump || !self->field_next || !elv_motion_check_take(self)) {
        return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    return elv_mode_grams(&self->chain, &self->pool, &self->gram, error);
}

static ElvStatus set_up(ElvMotionShooting* self, ElvError* error) {
    ElvSimulateDef scheme = self->head.options;
    scheme.method = scheme.scheme;
    self->scheme = elv_scheme_from_options(&scheme);
    self->motion.is_local = !scheme.has_accelerations;
    self->n_gap = self->motion.is_local ? ELV_MOTION_ROW - 6 : ELV_MOTION_ROW;
    ElvStatus status = elv_chain_create(self->head.model, &self->chain, error);
    status = status == ELV_OK ? elv_motion_build(self, error) : status;
    status = status == ELV_OK ? take_modal(self, error) : status;
    if (status != ELV_OK) {
        return status;
    }
    elv_chain_root_init(&self->root, &self->chain);
    for (int i = 0; i < 2 && status == ELV_OK; i++) {
        self->cut.problem = elv_motion_problem(self);
        status = elv_root_work_create(&self->cut.problem, &self->cut.work, error);
        swap_cuts(self);
    }
    return status;
}

ElvStatus elv_motion_create(const ElvModel* model,
                            const ElvSimulateDef* options,
                            ElvIntegrator** integrator,
                            ElvError* error) {
    ElvStatus status = elv_check_simulate(options, error);
    if (status != ELV_OK) {
        return status;
    }
    ElvMotionShooting* self = calloc(1, sizeof *self);
    if (!self) {
        return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    self->lost = -1;
    status = elv_integrator_init(&self->head, &motion_ops, model, options, error);
    status = status == ELV_OK ? set_up(self, error) : status;
    if (status != ELV_OK) {
        self->head.ops = &motion_ops;
        elv_integrator_free(&self->head);
        return status;
    }
    *integrator = &self->head;
    return ELV_OK;
}
