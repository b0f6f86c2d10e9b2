// SPDX-License-Identifier: Apache-2.0
// The rate of a motion at a state, for explicit integration: by forward dynamics, by reduced
// dynamics where there are constraints (reduced.h), or of first order (connection.h).
#ifndef ELVER_SOLVE_FLOW_H
#define ELVER_SOLVE_FLOW_H

#include "elver/integrate.h"
#include "solve/connection.h"
#include "solve/newton.h"

typedef struct {
    const ElvModel* model;
    ElvData* data;
    ElvReduced* reduced; // constraints; NULL: there are none
    ElvProblem problem;  // to close them at a start
    ElvConnect* connect; // velocities follow from the configuration; NULL: from accelerations
    ElvClosureReport closure;
    ElvContactReport contact;
    double t_begin, t_stop; // the interval in progress, in which laws are smooth
} ElvFlow;

/// options: the method, and the connection of a motion of first order. On failure elv_flow_free is
/// still due.
ELV_NODISCARD ElvStatus elv_flow_create(const ElvModel* model,
                                        const ElvSimulateDef* options,
                                        ElvFlow* flow,
                                        ElvError* error);
void elv_flow_free(ElvFlow* flow);

/// A time as laws are seen from within the interval.
double elv_flow_inside(const ElvFlow* flow, double t);

/// Accelerations and rates of z at a state, whose velocities are made to satisfy the constraints.
ELV_NODISCARD ElvStatus elv_flow_rate(ElvFlow* flow, ElvState* state, ElvError* error);

/// Accelerations and reactions at a state that is handed out, and how well it keeps the
/// constraints.
ELV_NODISCARD ElvStatus elv_flow_complete(ElvFlow* flow, ElvState* state, ElvError* error);

/// ELV_ERROR_STEP: no step from t on meets the tolerance, h the last that was tried; says why that
/// may be.
ElvStatus elv_flow_no_step(const ElvFlow* flow, double t, double h, ElvError* error);

/// What the motion is one of: the model, or without inertia its companion.
const ElvModel* elv_flow_seen(const ElvFlow* flow);

/// Rates of the accounts of energy (ELV_N_WORK) at a state, after elv_flow_rate.
ELV_NODISCARD ElvStatus elv_flow_powers(ElvFlow* flow,
                                        ElvState* state,
                                        double* rate,
                                        ElvError* error);

/// A start: positions and velocities satisfy the constraints, jumps of velocities by the smallest
/// impulses; completed. The interval begins at the state.
ELV_NODISCARD ElvStatus elv_flow_start(ElvFlow* flow, ElvState* state, ElvError* error);

/// With constraints, at the end of a step: positions and velocities satisfy them. On failure the
/// state cannot be used.
ELV_NODISCARD ElvStatus elv_flow_keep(ElvFlow* flow, ElvState* state, ElvError* error);

/// With constraints, at a breakpoint: velocities may jump with the laws. On failure the state
/// cannot be used.
ELV_NODISCARD ElvStatus elv_flow_jump(ElvFlow* flow, ElvState* state, ElvError* error);

#endif
