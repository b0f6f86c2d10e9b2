// SPDX-License-Identifier: Apache-2.0
// Inverse dynamics of closed mechanisms, the algorithm of Luh and Walker extended to loops
// [ALI (A.1)-(A.4)]: the motion of passive joints from that of the imposed ones by the constraints,
// multipliers from the dynamics of the passive joints, efforts of the drives from both.
//
// With W a_p = .. of full rank, accelerations and multipliers of forward dynamics are those of [ALI (A.3)]:
// the mass matrix, by which the bordered solve measures, does not matter for them.
#include "solve/inverse.h"

#include "base/number_text.h"
#include "multibody/tidm.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Loops with a larger gap than this, relative to the size of the robot, are open.
static const double OPEN = 1e-10;

// ---- life cycle

// constraints that do not tell positions
static ElvStatus check_constraints(const ElvModel* model, ElvError* error) {
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        bool is_loose = false;
        for (int k = 0; k < device->n_z && device->ops->is_loose; k++) {
            bool is_held = model->is_held[device->i_z + k];
            is_loose = is_loose || (is_held && device->ops->is_loose(device, k));
        }
        if (is_loose) {
            return elv_error_set(
                error, ELV_ERROR_INPUT, device->name, "",
                "where '%s' leads is decided by its history or by springs, so that inverse "
                "dynamics, "
                "which knows only the present, cannot tell; simulate the model, or, if it is a "
                "loop, set its closure to exact",
                device->name);
        }
    }
    return ELV_OK;
}

// Joints without inertia need some for the solve, where it makes no difference to the result
static void set_ballast(ElvProblem* problem, const ElvState* state) {
    const ElvModel* model = problem->model;
    elv_residual(model, problem->data, state, problem->residual);
    elv_tidm_pass(model, problem->data, state, NULL, 0.0, 1.0);
    if (elv_tree_factor(model, problem->data) >= 0) {
        double mass = elv_model_mass(model);
        problem->ballast = mass > 0.0 ? mass * fmin(1.0, model->size * model->size) : 1.0;
    }
}

ElvStatus elv_inverse_create(const ElvModel* model, ElvInverse** solver, ElvError* error) {
    elv_error_clear(error);
    *solver = NULL;
    ElvStatus status = check_constraints(model, error);
    if (status != ELV_OK) {
        return status;
    }
    ElvInverse* self = calloc(1, sizeof *self);
    if (!self) {
        return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    self->model = model;
    self->q = calloc((size_t)model->nq + 1, sizeof *self->q);
    status = self->q ? ELV_OK : elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    status = status == ELV_OK ? elv_problem_create(model, &self->problem, error) : status;
    status = status == ELV_OK ? elv_mobility_create(model, &self->mobility, error) : status;
    status = status == ELV_OK ? elv_state_create(model, &self->now, error) : status;
    status = status == ELV_OK ? elv_state_create(model, &self->next, error) : status;
    if (status != ELV_OK) {
        elv_inverse_free(self);
        return status;
    }
    set_ballast(&self->problem, self->now);
    *solver = self;
    return ELV_OK;
}

void elv_inverse_free(ElvInverse* solver) {
    if (!solver) {
        return;
    }
    elv_problem_free(&solver->problem);
    elv_mobility_free(&solver->mobility);
    elv_state_free(solver->now);
    elv_state_free(solver->next);
    free(solver->q);
    free(solver);
}

// ---- the motion at a time

// z of constraints from nothing, so that those which are not unique are small; others follow from the motion
static ElvStatus begin_unknowns(ElvInverse* self, ElvState* state, ElvError* error) {
    const ElvModel* model = self->model;
    const ElvDevice* open = elv_device_follow(model, self->problem.data, state);
    elv_device_release(model, state->z);
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        if (device == open && !device->ops->motion) {
            return elv_error_set(error, ELV_ERROR_SINGULAR, device->name, "",
                                 "the motion alone does not tell what '%s' does: inverse dynamics "
                                 "needs its force given, not its length",
                                 device->name);
        }
    }
    return ELV_OK;
}

// velocities, accelerations and multipliers at a closed configuration                [ALI (A.1), (A.3)]
static ElvStatus set_motion(ElvInverse* self, ElvState* state, ElvError* error) {
    ElvProblem* problem = &self->problem;
    bool is_solved = true;
    // twice, against rounding
    for (int i = 0; i < 2 && self->model->is_constrained; i++) {
        is_solved = is_solved && elv_close_velocity(problem, state);
    }
    ElvStatus status = begin_unknowns(self, state, error);
    if (status != ELV_OK) {
        return status;
    }
    is_solved = is_solved && elv_consistent_acceleration(problem, state) &&
                elv_refine_acceleration(problem, state);
    if (is_solved) {
        return ELV_OK;
    }
    char when[ELV_NUMBER_TEXT];
    return elv_error_set(error, ELV_ERROR_NUMERIC, "", "",
                         "velocities and accelerations are not finite %s",
                         elv_time_text(state->t, when));
}

// what drives and loops leave undetermined at a state
static ElvStatus check_mobility(ElvInverse* self, const ElvState* state, ElvError* error) {
    const ElvModel* model = self->model;
    ElvProblem* problem = &self->problem;
    elv_residual(model, problem->data, state, problem->residual);
    elv_channel_pass(model, problem->data, state);
    elv_tidm_pass(model, problem->data, state, NULL, 0.0, 1.0);
    elv_mobility_set(&self->mobility, problem->data, state);
    int motion = elv_mobility_free_motion(&self->mobility);
    int effort = motion < 0 ? elv_mobility_free_effort(&self->mobility) : -1;
    int i = motion >= 0 ? motion : effort;
    if (i < 0) {
        self->was_determined = true;
        return ELV_OK;
    }
    const ElvNode* node = &model->node[0];
    while (i >= node->i_v + node->joint->n_v) {
        node++;
    }
    char when[ELV_NUMBER_TEXT];
    if (motion < 0) {
        return elv_error_set(
            error, ELV_ERROR_SINGULAR, node->name, "joint",
            "the motion does not tell the effort of '%s' %s: other drives work against it over the "
            "loops; leave its joint without 'motion', and it follows the others",
            node->name, elv_time_text(state->t, when));
    }
    if (self->was_determined) {
        return elv_error_set(error, ELV_ERROR_SINGULAR, node->name, "joint",
                             "%s the mechanism is in a singular position: '%s' can move while all "
                             "drives hold still; lead it by other joints, or pass by",
                             elv_time_text(state->t, when), node->name);
    }
    if (node->info.is_rod) {
        return elv_error_set(error, ELV_ERROR_SINGULAR, node->name, "strain",
                             "how the rod '%s' bends is decided by forces, not by drives and "
                             "loops: leave out its modes ('strain'), impose its strains "
                             "('motion'), or simulate the model",
                             node->name);
    }
    return elv_error_set(error, ELV_ERROR_SINGULAR, node->name, "joint",
                         "'%s' moves freely: no drive and no loop tells how; impose its joint "
                         "('motion'), hold it by a loop, or simulate the model",
                         node->name);
}

static ElvStatus
fail_open(ElvInverse* self, const ElvState* state, double t_closed, ElvError* error) {
    double defect = 0.0;
    char when[ELV_NUMBER_TEXT];
    const char* name = elv_close_worst(&self->problem, state, &defect);
    if (isnan(t_closed)) {
        return elv_error_set(error, ELV_ERROR_NUMERIC, name, elv_close_field(self->model, name),
                             "'%s' cannot be closed %s: %.3g (m or rad) are left; give an initial "
                             "configuration nearer to a closed one, or look whether its frames can "
                             "meet at all",
                             name, elv_time_text(state->t, when), defect);
    }
    return elv_error_set(error, ELV_ERROR_NUMERIC, name, elv_close_field(self->model, name),
                         "'%s' cannot be closed %s: %.3g (m or rad) are left. The mechanism was "
                         "followed to t = %.9g; there it may have come to a dead point, or its "
                         "drives ask for more than the links can reach",
                         name, elv_time_text(state->t, when), defect, t_closed);
}

ElvStatus elv_inverse_solve(ElvInverse* self, ElvState* state, double t_closed, ElvError* error) {
    ElvStatus status = elv_device_check(self->model, state->t, error);
    if (status != ELV_OK) {
        return status;
    }
    elv_state_impose(self->model, state);
    if (self->model->is_constrained && !(elv_close_position(&self->problem, state) <= OPEN)) {
        return fail_open(self, state, t_closed, error);
    }
    return set_motion(self, state, error);
}

// ---- samples

// motion and efforts at t, from a motion at another time or from a guess at the same
static ElvStatus sample(ElvInverse* self, double t, double* tau, ElvError* error) {
    const ElvModel* model = self->model;
    ElvStatus status = elv_inverse_follow(self, t, error);
    if (status == ELV_OK) {
        status = check_mobility(self, self->now, error);
    }
    if (status != ELV_OK) {
        return status;
    }
    // tau_a = tau_a,tree + W_a^T lambda                                            [ALI (A.2), (A.4)]
    elv_drive_efforts(model, self->problem.data, self->now, tau);
    for (int i = 0; i < model->nv; i++) {
        if (!isfinite(tau[i])) {
            char when[ELV_NUMBER_TEXT];
            return elv_error_set(error, ELV_ERROR_NUMERIC, "", "", "an effort is not finite %s",
                                 elv_time_text(t, when));
        }
    }
    return ELV_OK;
}

// a first motion, at the time of a state
static ElvStatus begin(ElvInverse* self, const ElvState* state, ElvError* error) {
    if (!isfinite(state->t)) {
        return elv_error_set(error, ELV_ERROR_INPUT, "", "", "the time of the state is not finite");
    }
    elv_state_copy(self->now, state);
    self->now->step_past = 0.0;
    self->n_step++;
    return elv_inverse_solve(self, self->now, NAN, error);
}

ElvStatus
elv_inverse_at(ElvInverse* solver, double t, ElvState* state, double* tau, ElvError* error) {
    elv_error_clear(error);
    if (!isfinite(t)) {
        return elv_error_set(error, ELV_ERROR_INPUT, "", "", "the time must be finite, got %g", t);
    }
    ElvStatus status = begin(solver, state, error);
    if (status == ELV_OK) {
        status = sample(solver, t, tau, error);
    }
    if (status == ELV_OK) {
        elv_state_copy(state, solver->now);
    }
    return status;
}

ElvInverseOptions elv_inverse_options_default(const ElvModel* model) {
    ElvInverseOptions options = {0};
    options.duration = elv_model_simulate(model).duration;
    options.every = elv_model_record(model).every;
    return options;
}

// the samples of a whole motion
static ElvStatus
run(ElvInverse* self, ElvState* state, const ElvInverseOptions* options, long* n, ElvError* error) {
    double t_end = options->t_start + options->duration;
    double slack = 1e-9 * options->every;
    double* tau = self->problem.before;
    ElvStatus status = begin(self, state, error);
    for (double t = options->t_start; status == ELV_OK;) {
        status = sample(self, t, tau, error);
        if (status != ELV_OK) {
            break;
        }
        elv_state_copy(state, self->now);
        (*n)++;
        if (options->record &&
            !options->record(options->user, self->model, self->problem.data, state)) {
            return elv_error_set(error, ELV_ERROR_CANCELLED, "", "",
                                 "stopped by the caller at t = %.9g", t);
        }
        if (!(t < t_end)) {
            break;
        }
        t = options->t_start + (double)*n * options->every;
        t = t > t_end - slack ? t_end : t;
    }
    return status;
}

ElvStatus elv_inverse_run_joints(const ElvModel* model,
                                 ElvState* state,
                                 const ElvInverseOptions* options,
                                 ElvInverseReport* report,
                                 ElvError* error) {
    ElvInverse* solver = NULL;
    ElvBrake brake = elv_brake(&options->stop);
    long n_sample = 0;
    ElvStatus status = elv_inverse_create(model, &solver, error);
    if (status == ELV_OK) {
        assert(solver);
        solver->problem.brake = &brake;
        status = run(solver, state, options, &n_sample, error);
    }
    if (status != ELV_OK && brake.is_on) {
        status = elv_error_set(error, ELV_ERROR_CANCELLED, "", "",
                               "stopped by the caller at t = %.9g", state->t);
    }
    if (report) {
        report->n_sample = n_sample;
        report->n_step = solver ? solver->n_step : 0;
    }
    elv_inverse_free(solver);
    return status;
}
