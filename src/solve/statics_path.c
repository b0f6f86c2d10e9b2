// SPDX-License-Identifier: Apache-2.0
// Paths of equilibria: increments of a load with a secant predictor, halved where Newton fails, or
// where it might end on another path: where its first steps do not contract, where the determinant of
// the tangent has another sign than at the last equilibrium, or where stability is lost. The last two
// may happen in the smallest increment, when the path itself goes through a bifurcation.
//
// Three loads are stepped by the same loop: t, along the path that the user asks for; a factor from 0
// to 1 on everything that acts (gravity, loads, drives), when the first guess is too far from the first
// equilibrium; and one on the closing of loops, when a robot is mounted from an open layout.
#include "multibody/tidm.h"
#include "solve/statics.h"

#include <math.h>
#include <string.h>

typedef enum { AXIS_T, AXIS_FACTOR, AXIS_CLOSURE } Axis;

/// The second Newton step must be smaller than the first by this factor.
static const double CONTRACTION = 0.5;

/// Loops turn by less than this in an increment, so that they cannot close a turn short of where they should, rad.
static const double SWING = 1.0;

static void set_axis(ElvStaticsSolver* solver, Axis axis, double x) {
    if (axis == AXIS_T) {
        solver->problem.state->t = x;
    } else if (axis == AXIS_FACTOR) {
        solver->problem.data->load = x;
    } else {
        solver->problem.data->closure = x;
    }
}

// the predictors: along the secant of the last two equilibria, then the last one itself
static void predict(ElvStaticsSolver* solver, int attempt, double dx) {
    double ratio = attempt == 0 ? dx / solver->x_past : 0.0;
    for (int i = 0; i < solver->now->nv; i++) {
        solver->problem.nu[i] = ratio * solver->nu_past[i];
    }
}

// how far the last Newton step moves: the largest rotation, or displacement against the size of the
// robot
static double reach(ElvProblem* problem) {
    const ElvData* data = problem->data;
    elv_tidm_apply(problem->model, problem->data, problem->d_nu, problem->trial);
    double size = 0.0;
    double turn = 0.0;
    double shift = 0.0;
    for (int p = 1; p < problem->model->n_port; p++) {
        const double* x = data->x + (size_t)p * ELV_N_VARIATION;
        size = fmax(size, elv_vec3_norm(data->port[p].g.p));
        turn = fmax(turn, elv_vec3_norm(elv_vec3(x[0], x[1], x[2])));
        shift = fmax(shift, elv_vec3_norm(elv_vec3(x[3], x[4], x[5])));
    }
    return fmax(turn, size > 0.0 ? shift / size : shift);
}

// whether the tangent of a Newton iteration may belong to the path
static bool is_same_sign(const ElvStaticsSolver* solver, const ElvNewtonReport* newton) {
    int sign = solver->nature.sign;
    return newton->n_jacobian == 0 || newton->singular_node >= 0 || sign == 0 ||
           sign == elv_factor_sign(solver->problem.model, solver->problem.data);
}

// Newton, given up when it seems to leave the path
static ElvStatus
careful_newton(ElvStaticsSolver* solver, bool is_smallest, ElvNewtonReport* newton) {
    ElvNewtonOptions one = solver->newton;
    one.max_iterations = 1;
    memcpy(solver->problem.scale, solver->scale, (size_t)solver->now->nv * sizeof(double));
    double step[2] = {0.0, 0.0};
    for (int i = 0; i < 2; i++) {
        ElvStatus status = elv_newton_solve(&solver->problem, &one, newton);
        elv_statics_count(solver, newton);
        if (!is_smallest && !is_same_sign(solver, newton)) {
            return ELV_ERROR_NUMERIC;
        }
        if (status == ELV_OK) {
            break;
        }
        // more than the residual before and after: the step was cut
        if (status != ELV_ERROR_NUMERIC || newton->n_evaluation != 2 ||
            !isfinite(newton->residual)) {
            return status;
        }
        step[i] = reach(&solver->problem);
    }
    if (!(step[1] <= CONTRACTION * step[0])) {
        return ELV_ERROR_NUMERIC;
    }
    return elv_statics_newton(solver, newton);
}

// accept the solution, unless it lies on another path
static ElvStatus accept(ElvStaticsSolver* solver, double dx, bool is_smallest) {
    ElvTangentNature nature = elv_statics_inspect(solver);
    const ElvTangentNature* past = &solver->nature;
    bool has_turned = past->sign != 0 && nature.sign != past->sign;
    bool has_tipped =
        past->stability == ELV_STABILITY_STABLE && nature.stability == ELV_STABILITY_UNSTABLE;
    if ((has_turned || has_tipped) && !is_smallest) {
        return ELV_ERROR_NUMERIC;
    }
    solver->nature = nature;
    elv_statics_accept(solver, solver->problem.state->t, dx);
    return ELV_OK;
}

// the equilibrium at x, dx beyond the last one
static ElvStatus try_increment(ElvStaticsSolver* solver,
                               Axis axis,
                               double x,
                               double dx,
                               bool is_smallest,
                               ElvNewtonReport* newton) {
    elv_problem_chart(&solver->problem, solver->now);
    set_axis(solver, axis, x);
    ElvStatus status = ELV_ERROR_NUMERIC;
    for (int attempt = solver->x_past != 0.0 ? 0 : 1;
         attempt < 2 && status != ELV_OK && !solver->brake.is_on; attempt++) {
        predict(solver, attempt, dx);
        status = careful_newton(solver, is_smallest, newton);
    }
    return status == ELV_OK ? accept(solver, dx, is_smallest) : status;
}

// how far an increment turns the sides of a loop against each other, by laws or by what is left of gaps
static double swing(const ElvStaticsSolver* solver, Axis axis, double x, double dx) {
    const ElvModel* model = solver->problem.model;
    double most = 0.0;
    for (int i = 0; i < model->n_device && axis == AXIS_T; i++) {
        const ElvDevice* device = model->device[i];
        most = fmax(most, device->ops->swing ? device->ops->swing(device, x, x + dx) : 0.0);
    }
    for (int i = 0; i < model->n_loop && axis == AXIS_CLOSURE; i++) {
        most = fmax(most, fabs(dx) * elv_vec3_norm(solver->problem.data->gap[i].ang));
    }
    return most;
}

static ElvStatus
march(ElvStaticsSolver* solver, Axis axis, double from, double to, ElvNewtonReport* newton) {
    double x = from;
    double dx = to - from;
    double smallest = fabs(dx) * ldexp(1.0, -solver->options.max_halvings);
    elv_statics_check(solver);
    do {
        dx = fabs(dx) < fabs(to - x) ? dx : to - x;
        while (swing(solver, axis, x, dx) > SWING && 0.5 * fabs(dx) >= smallest) {
            dx *= 0.5;
        }
        bool is_last = fabs(dx) >= fabs(to - x) * (1.0 - 1e-9);
        double next = is_last ? to : x + dx;
        bool is_smallest = !(0.5 * fabs(next - x) >= smallest);
        ElvStatus status = try_increment(solver, axis, next, next - x, is_smallest, newton);
        if (status == ELV_OK) {
            x = next;
            dx *= 2.0;
            continue;
        }
        if (solver->brake.is_on) {
            return ELV_ERROR_CANCELLED;
        }
        dx = 0.5 * (next - x);
        solver->report.n_halving++;
        if (!(fabs(dx) >= smallest) || x + dx == x) {
            return status;
        }
    } while (x != to);
    return ELV_OK;
}

// an equilibrium beyond the end of a path, on the way to t or there
static bool leap(ElvStaticsSolver* solver, double t, ElvNewtonReport* newton) {
    double dt = t - solver->now->t;
    for (int cut = 0; cut <= solver->options.max_halvings && !solver->brake.is_on;
         cut++, dt *= 0.5) {
        elv_state_copy(solver->saddle, solver->now);
        if (elv_statics_reassemble(solver, cut == 0 ? t : solver->now->t + dt, newton) == ELV_OK) {
            return true;
        }
        elv_state_copy(solver->now, solver->saddle);
    }
    return false;
}

ElvStatus elv_statics_follow(ElvStaticsSolver* solver, double t, ElvNewtonReport* newton) {
    enum { MAX_LEAPS = 4 };
    ElvStatus status = march(solver, AXIS_T, solver->now->t, t, newton);
    // where constraints force a shape off a path that ends, it must be moved by hand
    for (int i = 0; i < MAX_LEAPS && status != ELV_OK && solver->problem.model->is_constrained;
         i++) {
        ElvNewtonReport moved;
        if (!leap(solver, t, &moved)) {
            break;
        }
        *newton = moved;
        status = solver->now->t == t ? ELV_OK : march(solver, AXIS_T, solver->now->t, t, newton);
    }
    return status;
}

// from no load to the whole, at the same t
static ElvStatus load_up(ElvStaticsSolver* solver, double t, ElvNewtonReport* newton) {
    solver->problem.state->t = t;
    ElvStatus status = try_increment(solver, AXIS_FACTOR, 0.0, 0.0, true, newton);
    if (status == ELV_OK) {
        status = march(solver, AXIS_FACTOR, 0.0, 1.0, newton);
    }
    solver->problem.data->load = 1.0;
    solver->x_past = 0.0;
    return status;
}

static void restart(ElvStaticsSolver* solver) {
    elv_state_copy(solver->now, solver->guess);
    elv_statics_forget(solver);
}

// whether the shape would be at rest without any load, but for rounding of what the loads do to it
static bool is_relaxed(ElvStaticsSolver* solver) {
    ElvProblem* problem = &solver->problem;
    size_t nv = (size_t)solver->now->nv;
    elv_problem_chart(problem, solver->now);
    memset(problem->nu, 0, nv * sizeof *problem->nu);
    memset(problem->scale, 0, (size_t)problem->n * sizeof *problem->scale);
    (void)elv_problem_evaluate(problem, problem->nu);
    problem->data->load = 0.0;
    double norm = elv_problem_evaluate(problem, problem->nu);
    problem->data->load = 1.0;
    solver->report.n_evaluation += 2;
    return norm <= solver->options.tolerance;
}

// from the open layout, without loads, to closed loops, then to the whole load (section X.C of [P23])
static ElvStatus mount(ElvStaticsSolver* solver, double t, ElvNewtonReport* newton) {
    ElvProblem* problem = &solver->problem;
    problem->state->t = solver->now->t = t;
    elv_border_open(problem->model, problem->data, solver->now);
    problem->data->load = 0.0;
    ElvStatus status = try_increment(solver, AXIS_CLOSURE, 0.0, 0.0, true, newton);
    if (status == ELV_OK) {
        status = march(solver, AXIS_CLOSURE, 0.0, 1.0, newton);
    }
    problem->data->closure = 1.0;
    solver->x_past = 0.0;
    if (status == ELV_OK) {
        status = march(solver, AXIS_FACTOR, 0.0, 1.0, newton);
    }
    problem->data->load = 1.0;
    solver->x_past = 0.0;
    return status;
}

// Newton from the guess. If that fails: a guess without stress is loaded up; one with stress is
// meant, and relaxes. Where stiffness comes from the loads alone, as in a pendulum, loading up
// changes nothing, so that the other way is tried as well.
ElvStatus elv_statics_first(ElvStaticsSolver* solver, double t, ElvNewtonReport* newton) {
    elv_statics_forget(solver);
    ElvStatus status = ELV_ERROR_NUMERIC;
    bool is_open = elv_statics_is_open(solver, t);
    if (is_open) {
        status = mount(solver, t, newton);
        if (status == ELV_OK) {
            return ELV_OK;
        }
        restart(solver);
    }
    status = try_increment(solver, AXIS_T, t, 0.0, true, newton);
    ElvStatus first = status;
    ElvNewtonReport first_newton = *newton;
    bool loads_up = status != ELV_OK && is_relaxed(solver);
    for (int attempt = 0; attempt < 2 && status != ELV_OK && !solver->brake.is_on; attempt++) {
        restart(solver);
        status = loads_up ? load_up(solver, t, newton) : elv_statics_rescue(solver, t, newton);
        loads_up = !loads_up;
    }
    if (status != ELV_OK && solver->problem.model->is_constrained && !solver->brake.is_on) {
        restart(solver);
        status = elv_statics_reassemble(solver, t, newton);
    }
    if (status != ELV_OK) {
        restart(solver);
        *newton = first_newton;
        return first;
    }
    return ELV_OK;
}
