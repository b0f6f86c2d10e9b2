// SPDX-License-Identifier: Apache-2.0
// Equilibria by the projective method [P20 (55)-(58)]: at a fixed load the motion of projection_rate.c in a
// fictitious time, by the steps of projection_step.c, until it dies, and Newton for the last digits.
//
// Where a pose has to turn far, targets on the way to it come first, as the paper increments the pose of the
// tip: a sine does not know of turns beyond pi / 2.
#include "solve/statics.h"

#include <float.h>
#include <math.h>
#include <string.h>

/// Motions over the time mu, and defects, that are at rest: rad, m. Newton does the rest, if it leads no
/// farther than NEAR; else they must be smaller, down to TIGHTEST, where only a neutral motion leads farther.
static const double REST = 1e-4;
static const double TIGHTER = 1e-2;
static const double TIGHTEST = 1e-13;
static const double NEAR = 0.05;

/// Turn between two targets, rad, and what must be left of a defect before the next.
static const double TARGET_TURN = 0.7;
static const double TARGET_LEFT = 0.25;

/// Part of the rate of a defect that no motion gives, where it stays open.
static const double STUCK = 0.5;

/// A shape that has moved farther than this runs away.
static const double FAR = 1e6;

/// The motion in hand.
typedef struct {
    double dt;
    double rest; // what is at rest
    int target, n_target;
    double opened; // defect when the target was set
    double way;    // that the shape has gone
} Motion;

// What slows down coordinates that have neither stiffness nor damping: mu times the stiffness that would give
// their masses the lowest frequency of what is elastic, or that of a pendulum.
static void set_bare(ElvStaticsSolver* solver) {
    const ElvModel* model = solver->problem.model;
    double mu = solver->options.damping;
    double square = INFINITY;
    double* mass = solver->nu_past;
    const double* D = solver->D;
    elv_statics_weigh(solver);
    memcpy(mass, solver->bare, (size_t)model->nv * sizeof *mass);
    memset(solver->bare, 0, (size_t)model->nv * sizeof *solver->bare);
    elv_statics_damping(solver);
    for (int j = 0; j < model->n_node; j++) {
        int n = model->node[j].joint->n_v;
        for (int k = 0; k < n; k++) {
            double own = mass[model->node[j].i_v + k];
            double stiffness = D[k * n + k] / mu;
            square = stiffness > 0.0 && own > 0.0 ? fmin(square, stiffness / own) : square;
        }
        D += (size_t)n * (size_t)n;
    }
    square = isfinite(square) ? square : 0.0;
    square += elv_vec3_norm(model->gravity) / model->size;
    square = square > 0.0 ? square : 1.0 / (mu * mu);
    double total = elv_model_mass(model);
    double least = total > 0.0 ? 1e-3 * total * fmin(1.0, model->size * model->size) : 1.0;
    for (int i = 0; i < model->nv; i++) {
        solver->bare[i] = mu * mu * square * fmax(mass[i], least);
    }
}

// how many targets lead to the poses at the load
static int count_targets(ElvStaticsSolver* solver) {
    ElvProblem* problem = &solver->problem;
    double turn = 0.0;
    elv_border_open(problem->model, problem->data, solver->now);
    for (int i = 0; i < problem->model->n_loop; i++) {
        turn = fmax(turn, elv_vec3_norm(problem->data->gap[i].ang));
    }
    return 1 + (int)(turn / TARGET_TURN);
}

static void set_target(ElvStaticsSolver* solver, Motion* motion, int target) {
    motion->target = target;
    motion->opened = 0.0;
    solver->problem.data->closure =
        target == motion->n_target ? 1.0 : (double)target / motion->n_target;
}

static Motion begin(ElvStaticsSolver* solver, double t) {
    ElvProblem* problem = &solver->problem;
    Motion motion = {.dt = solver->options.damping, .rest = REST};
    solver->x_past = 0.0;
    solver->open_loop = NULL;
    problem->state->t = solver->now->t = t;
    elv_state_impose(problem->model, solver->now);
    elv_statics_halt(solver->now);
    elv_problem_chart(problem, solver->now);
    set_bare(solver);
    motion.n_target = count_targets(solver);
    set_target(solver, &motion, 1);
    return motion;
}

// largest defect, m or rad
static double defect_of(const ElvProjection* p) {
    double worst = 0.0;
    for (int i = 0; i < p->n_row; i++) {
        worst = fabs(p->defect[i]) <= worst ? worst : fabs(p->defect[i]);
    }
    return worst;
}

// rates at solver->now
static bool start_step(ElvStaticsSolver* solver) {
    ElvProblem* problem = &solver->problem;
    ElvProjection* p = solver->projection;
    elv_problem_chart(problem, solver->now);
    elv_statics_damping(solver);
    elv_projection_damp(p, solver->D);
    p->n_evaluation++;
    return elv_projection_rate(p, problem, problem->nu, solver->options.gain);
}

// go on over dt, or a shorter time
static void step(ElvStaticsSolver* solver, Motion* motion) {
    ElvProblem* problem = &solver->problem;
    double gain = solver->options.gain;
    if (!elv_projection_step(solver->projection, problem, gain, &motion->dt)) {
        solver->report.n_halving++;
        return;
    }
    motion->way += elv_statics_reach(problem->model, problem->nu);
    elv_problem_place(problem, problem->nu);
    memcpy(solver->now->q, problem->state->q, (size_t)solver->now->nq * sizeof(double));
    solver->report.n_relaxation++;
}

// whether a target on the way is near, and the next one takes its place
static bool goes_on(ElvStaticsSolver* solver, Motion* motion) {
    double defect = defect_of(solver->projection);
    motion->opened = fmax(motion->opened, defect);
    if (motion->target == motion->n_target ||
        defect > fmax(TARGET_LEFT * motion->opened, motion->rest)) {
        return false;
    }
    set_target(solver, motion, motion->target + 1);
    return true;
}

// whether the motion has come to its end, and with what
static bool is_over(ElvStaticsSolver* solver,
                    Motion* motion,
                    double t,
                    ElvStatus* status,
                    ElvNewtonReport* newton) {
    const ElvModel* model = solver->problem.model;
    const ElvProjection* p = solver->projection;
    double defect = defect_of(p);
    double speed = solver->options.damping * elv_statics_reach(model, p->rate);
    if (speed > motion->rest) {
        return false;
    }
    // at rest, and still open: no motion closes it
    if (p->missed > STUCK * solver->options.gain * defect && defect > motion->rest) {
        return true;
    }
    if (motion->target < motion->n_target || defect > motion->rest * fmin(1.0, model->size)) {
        return false;
    }
    motion->rest *= TIGHTER;
    double far = motion->rest < TIGHTEST ? INFINITY : NEAR;
    *status = elv_statics_finish(solver, t, far, newton);
    return *status == ELV_OK || motion->rest < TIGHTEST;
}

ElvStatus elv_statics_project(ElvStaticsSolver* solver, double t, ElvNewtonReport* newton) {
    ElvStatus status = ELV_ERROR_NUMERIC;
    memset(newton, 0, sizeof *newton);
    newton->singular_node = -1;
    Motion motion = begin(solver, t);
    long before = solver->projection->n_evaluation;
    for (int i = 0; i < solver->options.max_steps && motion.way < FAR; i++) {
        if (elv_brake_ask(&solver->brake) || !start_step(solver)) {
            break;
        }
        if (goes_on(solver, &motion)) {
            continue;
        }
        if (is_over(solver, &motion, t, &status, newton)) {
            break;
        }
        step(solver, &motion);
    }
    solver->problem.data->closure = 1.0;
    solver->x_past = 0.0;
    solver->report.n_evaluation += solver->projection->n_evaluation - before;
    if (status != ELV_OK && solver->projection->n_row > 0) {
        solver->open_loop = elv_close_worst(&solver->problem, solver->now, &solver->open);
        solver->open_loop = solver->open > REST ? solver->open_loop : NULL;
    }
    return status;
}

ElvStatus elv_statics_fail_open(const ElvStaticsSolver* solver, double t, ElvError* error) {
    bool is_stuck = solver->projection->missed > STUCK * solver->options.gain * solver->open;
    return elv_error_set(error, ELV_ERROR_NUMERIC, solver->open_loop, "",
                         "'%s' is still open by %.3g m or rad at load %.9g: %s", solver->open_loop,
                         solver->open, fabs(t) < DBL_MIN ? 0.0 : t,
                         is_stuck ? "no motion of this shape closes it, as nothing shortens a "
                                    "straight rod that cannot stretch; start from a shape that "
                                    "is bent a little, or step the load up"
                                  : "step the load up, or give more max_steps or gain");
}
