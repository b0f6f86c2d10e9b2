// SPDX-License-Identifier: Apache-2.0
// Options of the finite differences: methods `rkmk` and `till`, which know rods by their values at
// nodes and have no modes. Part of elver/spec.h.
#ifndef ELVER_FINITE_H
#define ELVER_FINITE_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How a rod is integrated from node to node.
typedef enum {
    ELV_RUNGE_EULER,
    ELV_RUNGE_RK2, // Heun
    ELV_RUNGE_RK4,
    ELV_N_RUNGE
} ElvRunge;

/// How the past is interpolated between nodes.
typedef enum {
    ELV_HISTORY_LINEAR, // order 2
    ELV_HISTORY_CUBIC,  // through the four nearest nodes, order 4
    ELV_N_HISTORY
} ElvHistory;

/// How poses follow from strains; other than by the group they are for the record alone, and no
/// load sees them.
typedef enum {
    ELV_REBUILD_GROUP, // as the method integrates them
    ELV_REBUILD_MEAN,  // one exponential per element, of the mean of its ends
    ELV_REBUILD_LAGGED // the same of its first node, at the step before
} ElvRebuild;

/// Where the program that was published with [RKMK] departs from it; false is right. Not in model
/// files.
typedef struct {
    bool is_tip_undamped;   // K (xi - xi_o) at the tip balances the load, without damping
    bool adds_distributed;  // distributed loads act backwards
    bool has_euler_joint;   // scalar coordinates by q + dt v in place of their law
    bool starts_from_past;  // BDF2 from the first step on, as if at rest before; loads may jump
    bool has_printed_cubic; // the cubic interpolation as printed
    ElvRebuild rebuild;     // of poses
} ElvFiniteProgram;

typedef struct {
    int nodes; // of each rod, both ends included
    int order; // of the formula in time: 1 or 2, backward differences  [RKMK (5)]
    ElvRunge space;
    ElvHistory interpolation;
    ElvFiniteProgram program;
} ElvFiniteDef;

#ifdef __cplusplus
}
#endif

#endif
