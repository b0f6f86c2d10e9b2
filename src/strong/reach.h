// SPDX-License-Identifier: Apache-2.0
// Inside of an ElvReach: inputs in place of the laws, and the search for them.
#ifndef ELVER_STRONG_REACH_H
#define ELVER_STRONG_REACH_H

#include "elver/strong_inverse.h"
#include "linalg/nnls.h"
#include "strong/reach_tangent.h"

struct ElvReach {
    const ElvModel* model;
    ElvReachBy by;
    ElvPool pool;
    ElvShooting* shooting;
    ElvTipTarget target;
    double t;
    bool has_equilibrium;
    bool is_stopped; // by the caller: no more equilibria are looked for
    long n_equilibrium;
    // by tensions
    ElvChainInputs inputs;
    ElvLaw** law;  // that give value                              (inputs.n)
    double* value; // inputs in use, N or Pa                       (inputs.n)
    double* input; // the same by device                           (n_device)
    double* unit;  // of each: turns or moves the tip by about one (inputs.n)
    bool has_units;
    double *x, *trial, *row; // (inputs.n, and one)
    double *J, *room;        // (6 x inputs.n), (elv_nnls_size)
    int* used;               // (inputs.n)
    bool* is_used;           // (inputs.n)
    ElvReachTangent tangent;
    // by a wrench: where the tip is held
    ElvPose held;
};

/// Pose of the tip in the last equilibrium.
ElvPose elv_reach_tip(ElvReach* reach);

/// Equilibrium at the load in hand.
ELV_NODISCARD ElvStatus elv_reach_balance(ElvReach* reach, ElvError* error);

/// The same at once, with the steps there are: for a point that may be far from any equilibrium.
bool elv_reach_try(ElvReach* reach);

/// Memory of the search for tensions, and their laws in place of the model's (reach_tensions.c).
ELV_NODISCARD ElvStatus elv_reach_take_inputs(ElvReach* reach, ElvError* error);

/// The search itself, from an equilibrium at the load in hand (reach_tensions.c).
ELV_NODISCARD ElvStatus elv_reach_tensions(ElvReach* reach, ElvError* error);

#endif
