// SPDX-License-Identifier: Apache-2.0
// Accounts of energy of implicit integration (docs/theory/energy.md). The trapezoidal scheme
//     nu = dt (w + w')/2,   M (w' - w) = dt (Q + Q')/2
// moves a step's increment nu against the mean of the efforts at its ends, and so do the accounts: powers of actuators and
// loads are taken with the configuration, accelerations, unknowns of devices and laws of both ends, those of damping
// and fluid, which have no laws of their own, in the middle, all of them at the one mean rate nu/dt of the step. Efforts
// that are linear in rates do then exactly the work that has changed the energy. Rates of the ends would add
// dt (Q' - Q)(w' - w)/4, which after a jump does not fall before steps resolve the decay.
#include "solve/implicit.h"

#include "solve/work.h"

#include <math.h>
#include <string.h>

void elv_implicit_open_work(ElvImplicit* self, ElvState* state) {
    if (self->head.options.keeps_work) {
        elv_work_open(self->head.model, self->problem.data, state);
    }
}

// x of the increment from the start of the step, with its mean rates; imposed motions by their laws at t
static void place(ElvImplicit* self, double x, double t, double dt, const double* nu) {
    ElvProblem* problem = &self->problem;
    for (int i = 0; i < self->mean->nv; i++) {
        problem->before[i] = x * nu[i];
        problem->d_next[i] = nu[i] / dt;
        problem->d_nu[i] = 0.0;
    }
    self->mean->t = t;
    elv_chart_state(self->head.model, self->before->q, problem->before, problem->d_next,
                    problem->d_nu, self->mean);
}

// powers at an end of the step, at its mean rates
static ElvPowers
powers_at(ElvImplicit* self, const ElvState* end, double x, double t, double dt, const double* nu) {
    ElvState* at = self->mean;
    elv_state_copy(at, end);
    place(self, x, t, dt, nu);
    memcpy(at->q, end->q, (size_t)at->nq * sizeof *at->q);
    memcpy(at->a, end->a, (size_t)at->nv * sizeof *at->a);
    return elv_powers(self->head.model, self->problem.data, at);
}

ElvWork elv_implicit_work(ElvImplicit* self, const ElvState* to, const double* nu) {
    const ElvState* from = self->before;
    double dt = to->t - from->t;
    if (!self->head.options.keeps_work || !(dt > 0.0)) {
        return from->work;
    }
    // laws are seen from within the smooth interval
    double t_end = to->t < self->t_stop ? to->t : nextafter(self->t_stop, -INFINITY);
    ElvPowers start = powers_at(self, from, 0.0, nextafter(from->t, INFINITY), dt, nu);
    ElvPowers end = powers_at(self, to, 1.0, t_end, dt, nu);
    place(self, 0.5, 0.5 * (from->t + to->t), dt, nu);
    elv_border_between(from, to, 0.5, self->mean);
    elv_device_place(self->head.model, self->problem.data, self->mean);
    ElvPowers mean = elv_powers(self->head.model, self->problem.data, self->mean);
    mean.actuators = 0.5 * (start.actuators + end.actuators);
    mean.loads = 0.5 * (start.loads + end.loads);
    return elv_work_after(from->work, dt, mean);
}
