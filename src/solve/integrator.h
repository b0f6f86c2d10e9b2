// SPDX-License-Identifier: Apache-2.0
// Inside of an ElvIntegrator: one interface over explicit and implicit methods.
#ifndef ELVER_SOLVE_INTEGRATOR_H
#define ELVER_SOLVE_INTEGRATOR_H

#include "base/brake.h"
#include "elver/integrate.h"
#include "solve/rank_watch.h"

typedef struct {
    void (*free)(ElvIntegrator* integrator);
    ElvStatus (*start)(ElvIntegrator* integrator, ElvState* state, ElvError* error);
    ElvStatus (*step)(ElvIntegrator* integrator, double t_limit, ElvState* state, ElvError* error);
    ElvStatus (*interpolate)(ElvIntegrator* integrator, double t, ElvState* state, ElvError* error);
    ElvIntegratorReport (*report)(const ElvIntegrator* integrator);

    /// A law has jumped since the last step. NULL: it makes no difference.
    void (*jump)(ElvIntegrator* integrator);

    /// Hand out the motion at state->t, an instant of the last step (or of the start), by a method whose rods have no
    /// coordinates: fill origin, ports and source of data (multibody/field_source.h), in place of elv_idm, and set those
    /// of rods in the state, and their velocities, to the ones whose strains come nearest; accelerations to zero. The
    /// integrator must outlive what is read from data. NULL: the state says all.
    void (*see)(ElvIntegrator* integrator, ElvState* state, ElvData* data);
} ElvIntegratorOps;

/// The head of every integrator.
struct ElvIntegrator {
    const ElvIntegratorOps* ops;
    const ElvModel* model;
    ElvSimulateDef options; // keeps_work also where a work signal is recorded
    ElvBrake brake;         // of options.stop: what fails while it is on was cancelled
    ElvRankWatch* watch;    // on constraints that lose a direction; NULL: there are none
    ElvData* wet;           // to look for slender rods above the surface; NULL: there is no need
    // breakpoints within ]searched_from, searched_to]
    double* breakpoint; // sorted                                        (n_breakpoint)
    size_t n_breakpoint;
    double searched_from, searched_to;
    // the last step; before the first the instant of the start
    double stepped_from, stepped_to;
};

ELV_NODISCARD ElvStatus elv_explicit_create(const ElvModel* model,
                                            const ElvSimulateDef* options,
                                            ElvIntegrator** integrator,
                                            ElvError* error);
ELV_NODISCARD ElvStatus elv_implicit_create(const ElvModel* model,
                                            const ElvSimulateDef* options,
                                            ElvIntegrator** integrator,
                                            ElvError* error);

/// Fill the head.
ELV_NODISCARD ElvStatus elv_integrator_init(ElvIntegrator* integrator,
                                            const ElvIntegratorOps* ops,
                                            const ElvModel* model,
                                            const ElvSimulateDef* options,
                                            ElvError* error);

/// The first breakpoint after t and not after t_limit, or infinity. Allocates nothing.
double elv_integrator_breakpoint(ElvIntegrator* integrator, double t, double t_limit);

#endif
