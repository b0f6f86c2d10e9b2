// SPDX-License-Identifier: Apache-2.0
// Shooting in time as an integrator. Steps end at the multiples of the nominal step and at the breakpoints of laws. A step
// that fails is not cut: variations grow along the chain like exp(l (inertia/(stiffness dt^2))^(1/4)), so a shorter one is
// harder, and below a critical step [OCP (88)] nothing is left of the tip in the numbers of the root.
#include "strong/motion.h"

#include "linalg/cholesky.h"
#include "rod/rod_segment.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Ends of steps that are closer than this fraction of a step are the same.
static const double GRID_SLACK = 1e-6;

// a step of Newton's method, in units of the chain, behind which only rounding is left
static const double SMALL_STEP = 1e-8;

static double nominal_step(const ElvMotionShooting* self) {
    return self->head.options.step > 0.0 ? self->head.options.step : 0.01;
}

static ElvStatus motion_start(ElvIntegrator* integrator, ElvState* state, ElvError* error) {
    ElvMotionShooting* self = (ElvMotionShooting*)integrator;
    memset(&self->report, 0, sizeof self->report);
    ElvStatus status = elv_motion_start_fields(self, state, error);
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
        x->nu[i] = dt * (self->root.w_n[i] + (is_onward ? 0.5 * dt * self->joint.a[i] : 0.0));
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

static ElvStatus
fail(const ElvMotionShooting* self, const ElvRootReport* root, double dt, ElvError* error) {
    static const char help[] = "more segments or a longer step may help, or a method with modes";
    int i = self->lost >= 0 ? self->lost : self->grid.n_step - 1;
    const ElvShotStep* step = &self->grid.step[i];
    const ElvStrongRod* strong = &self->chain.rod[step->i_rod].strong;
    double least = elv_motion_critical(self);
    if (self->lost >= 0 && self->law == ELV_ERROR_SINGULAR) {
        return elv_strong_strain_error(strong, &step->node[0].station, self->law, error);
    }
    const char* what = root->end == ELV_ROOT_LOST       ? "a shot runs away"
                       : root->end == ELV_ROOT_SINGULAR ? "the tip does not answer to the root"
                       : root->end == ELV_ROOT_LIMIT    ? "Newton does not converge"
                                                        : "Newton stalls";
    return elv_error_set(
        error, ELV_ERROR_STEP, strong->name, "",
        "%s in the step from t = %.9g, dt = %.3g s (rod '%s', s = %.3g; residual %.2g; variations "
        "grow by %.1g over a segment): steps below about %.2g s are beyond %d segment%s here; %s",
        what, self->t, dt, strong->name, step->s0, root->norm, self->growth, least,
        self->cut.n_segment, self->cut.n_segment == 1 ? "" : "s", help);
}

// the fields at the end of the step are found: keep them
static ElvStatus settle(ElvMotionShooting* self, double dt, double t_end, ElvError* error) {
    ElvFieldNode* room = self->field_past;
    elv_motion_place(self, &self->cut.now);
    for (int k = 0; k < self->cut.n_segment; k++) {
        ElvMotionState y = elv_motion_start(&self->cut.now.at[k]);
        for (int i = self->cut.first[k]; i < self->cut.first[k + 1]; i++) {
            if (elv_motion_step(&self->motion, i, &y, NULL, &room[self->i_node[i]]) != ELV_OK) {
                return elv_error_set(error, ELV_ERROR_STEP, "", "",
                                     "the fields at t = %.9g cannot be evaluated", t_end);
            }
            elv_motion_pass(&self->motion, i, &y, NULL);
        }
    }
    self->field_past = self->field;
    self->field = room;
    elv_motion_set_effort(self, self->field[0].lam);
    elv_motion_scheme_end(self, dt, t_end);
    self->must_restart = t_end >= self->t_stop;
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
                          .max_iterations = options->max_iterations};
    self->cut.problem.accept(self);
    ElvRootReport found = elv_root_solve(&self->cut.problem, &how, &self->cut.work);
    self->report.n_iteration += found.n_iteration;
    if (found.end == ELV_ROOT_STALLED && found.step <= SMALL_STEP) {
        found.end = ELV_ROOT_FOUND;
    }
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

static ElvRootReport solve(ElvMotionShooting* self, double dt) {
    ElvRootReport found = {.end = ELV_ROOT_LOST};
    for (int i = 0; i < N_GUESS && found.end != ELV_ROOT_FOUND; i++) {
        bool is_made = i != GUESS_STEPS || guess_by_steps(self, dt);
        if (i != GUESS_STEPS) {
            guess(self, i, dt);
        }
        if (is_made) {
            found = search(self);
        }
    }
    return found;
}

static ElvStatus
motion_step(ElvIntegrator* integrator, double t_limit, ElvState* state, ElvError* error) {
    ElvMotionShooting* self = (ElvMotionShooting*)integrator;
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
    // laws are seen from the left of a breakpoint
    double t_law = t_end < self->t_stop ? t_end : nextafter(self->t_stop, -INFINITY);
    elv_motion_scheme_begin(self, dt);
    status = elv_motion_drive(self, t_law, error);
    if (status != ELV_OK) {
        return status;
    }
    ElvRootReport found = solve(self, dt);
    // a device with a bad law is to blame before the step
    status = elv_device_check(integrator->model, t_law, error);
    if (status == ELV_OK) {
        status = found.end == ELV_ROOT_FOUND ? settle(self, dt, t_end, error)
                                             : fail(self, &found, dt, error);
    }
    if (status != ELV_OK) {
        return status;
    }
    self->report.n_step++;
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
    ElvMat6 identity = {{{0.0}}};
    ElvStatus status = elv_data_create(model, &self->data, error);
    status = status == ELV_OK ? elv_state_create(model, &self->modal, error) : status;
    if (status != ELV_OK) {
        return status;
    }
    self->jump = elv_pool_take(&self->pool, (size_t)model->nv + 1, sizeof *self->jump);
    self->gram = elv_pool_take(&self->pool, (size_t)self->chain.n_rod, sizeof *self->gram);
    bool is_whole = self->jump && self->gram;
    for (int i = 0; i < 6; i++) {
        identity.m[i][i] = 1.0;
    }
    for (int i_rod = 0; i_rod < self->chain.n_rod && is_whole; i_rod++) {
        const ElvRod* rod = self->chain.rod[i_rod].strong.rod;
        size_t n = (size_t)rod->joint.n_v;
        double* gram = self->gram[i_rod] = elv_pool_take(&self->pool, n * n, sizeof *gram);
        for (int k = 0; k < rod->n_segment && gram; k++) {
            const ElvRodSegment* seg = &rod->segment[k];
            for (int i = 0; i < seg->n_node; i++) {
                elv_rod_add_generalised(seg, i, rod->joint.n_v, rod->weight[seg->i_node + i],
                                        &identity, gram);
            }
        }
        // independent modes: that was seen when the model was compiled
        is_whole = gram && elv_cholesky_factor(rod->joint.n_v, gram) < 0;
    }
    if (!is_whole) {
        return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    return ELV_OK;
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
    elv_finite_root_init(&self->root, &self->chain);
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
    ElvMotionShooting* self = calloc(1, sizeof *self);
    if (!self) {
        return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    self->lost = -1;
    ElvStatus status = elv_integrator_init(&self->head, &motion_ops, model, options, error);
    status = status == ELV_OK ? set_up(self, error) : status;
    if (status != ELV_OK) {
        self->head.ops = &motion_ops;
        elv_integrator_free(&self->head);
        return status;
    }
    *integrator = &self->head;
    return ELV_OK;
}
