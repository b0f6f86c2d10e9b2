// SPDX-License-Identifier: Apache-2.0
// Why no equilibrium was found at a load, and what may help: something can move freely, loops stay open, the shape does
// not come to rest, a path is lost, a law is no number; or the caller has had enough.
#include "solve/statics.h"

#include <float.h>
#include <math.h>

// a load as messages show it: the double before zero, at which a run that starts from an equilibrium
// looks at the laws, as zero
static double shown(double t) {
    return fabs(t) < DBL_MIN ? 0.0 : t;
}

// whether something is held by nothing; a rod that closes a loop holds itself
static bool is_loose(const ElvStaticsSolver* solver) {
    const ElvModel* model = solver->problem.model;
    int j = solver->nature.i_free;
    return j >= 0 && !(model->is_constrained && model->node[j].info.is_rod);
}

ElvStatus elv_statics_fail_free(const ElvStaticsSolver* solver, double t, ElvError* error) {
    const char* name = solver->problem.model->node[solver->nature.i_free].name;
    return elv_error_set(
        error, ELV_ERROR_SINGULAR, name, "",
        "'%s' can move freely, so that there is no equilibrium to find (load %.9g): "
        "fix it, give it a spring, or let a load hold it",
        name, shown(t));
}

// whether loops stay open at load t, whatever forces would do
static bool cannot_close(ElvStaticsSolver* solver, double t, ElvError* error) {
    double left = 0.0;
    const char* loop = "";
    if (elv_statics_can_close(solver, t, &loop, &left)) {
        return false;
    }
    (void)elv_error_set(
        error, ELV_ERROR_NUMERIC, loop, "",
        "'%s' cannot be closed at load %.9g: %.3g m or rad are left; its frames may "
        "be out of each other's reach, or the layout from which it is mounted too "
        "far from a closed one",
        loop, shown(t), left);
    return true;
}

ElvStatus elv_statics_fail_search(ElvStaticsSolver* solver,
                                  double t,
                                  const ElvNewtonReport* newton,
                                  ElvError* error) {
    const ElvProblem* problem = &solver->problem;
    const char* name = elv_problem_culprit(problem, newton);
    double residual = newton->residual;
    double reached = solver->now->t;
    if (solver->open_loop) {
        return elv_statics_fail_open(solver, t, error);
    }
    if (cannot_close(solver, t, error)) {
        return ELV_ERROR_NUMERIC;
    }
    solver->now->t = solver->is_balanced ? reached : t;
    elv_statics_check(solver);
    if (is_loose(solver)) {
        return elv_statics_fail_free(solver, t, error);
    }
    if (solver->options.method != ELV_STATICS_NEWTON) {
        return elv_error_set(
            error, ELV_ERROR_NUMERIC, name, "",
            "the shape does not come to rest at load %.9g (residual %.3g, worst at "
            "'%s'): it may have no equilibrium there; more max_steps, or more "
            "damping of the model, may help",
            shown(t), residual, name);
    }
    if (!solver->is_balanced) {
        return elv_error_set(
            error, ELV_ERROR_NUMERIC, name, "",
            "no equilibrium was found at load %.9g from the initial shape (residual "
            "%.3g, worst at '%s'): start from a shape nearer to it, or step the load "
            "up",
            shown(t), residual, name);
    }
    return elv_error_set(error, ELV_ERROR_NUMERIC, name, "",
                         "the equilibrium is lost on the way to load %.9g, beyond %.9g (residual "
                         "%.3g, worst at '%s'): the load may have a maximum there, or a law a "
                         "jump; 'method: relaxation' lets the shape snap to another equilibrium",
                         shown(t), shown(reached), residual, name);
}

ElvStatus elv_statics_fail_stopped(const ElvStaticsSolver* solver, double t, ElvError* error) {
    if (!solver->is_balanced) {
        return elv_error_set(error, ELV_ERROR_CANCELLED, "", "",
                             "stopped by the caller in the search for an equilibrium at load %.9g",
                             shown(t));
    }
    return elv_error_set(error, ELV_ERROR_CANCELLED, "", "",
                         "stopped by the caller on the way to load %.9g, at %.9g", shown(t),
                         shown(solver->report.t_reached));
}

ElvStatus elv_statics_fail_infinite(const ElvStaticsSolver* solver, double t, ElvError* error) {
    const ElvNewtonReport none = {.singular_node = -1};
    const char* name = elv_problem_culprit(&solver->problem, &none);
    return elv_error_set(error, ELV_ERROR_NUMERIC, name, "",
                         "what acts on '%s' is not finite at load %.9g: look at the laws there",
                         name, shown(t));
}
