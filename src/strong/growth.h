// SPDX-License-Identifier: Apache-2.0
// How fast variations grow along a rod within a step in time, and where that makes the problem singular: shots lose what
// they carry where inertia over stiffness is large, and nothing is left of the tip where the stiffness goes to zero.
#ifndef ELVER_STRONG_GROWTH_H
#define ELVER_STRONG_GROWTH_H

#include "strong/strong_rod.h"

/// Exponent per metre at a station, in a step with xi_dot = a xi + ..., xi_ddot = b xi + ...: bending with the fourth
/// root of inertia over stiffness, twist and stretch with the second.                           [OCP (88)]
double elv_growth_at(const ElvStrongStation* at, const ElvStrongPiece* piece, double a, double b);

/// Weight of a rod in its fluid times the square of its length, beside its bending stiffness at a station, w l^3/EI: from
/// ELV_GROWTH_LIMP on a rod is a cable, and shots run away along it in any number of segments.
double elv_growth_limpness(const ElvStrongRod* strong, const ElvStrongStation* at, ElvVec3 gravity);
extern const double ELV_GROWTH_LIMP;

/// Exponent over a segment beyond which rounding at its start outweighs the residual at its end.
extern const double ELV_GROWTH_CRITICAL;

/// Exponent over a whole chain for a step of length dt.
typedef double (*ElvGrowth)(const void* owner, double dt);

/// The step in time at which the exponent over n segments is critical: it falls with the step.      [OCP (88)]
double elv_growth_step(ElvGrowth growth, const void* owner, int n_segment);

/// Whether shots can follow what grows along a rod, whatever the segments; exponent: over the whole rod, in steps of length dt.
/// ELV_ERROR_STEP: longer ones would do; ELV_ERROR_SINGULAR: none that a run of this duration has, as next to nothing
/// resists the strains, H_r -> 0                                                         [OCP remark 8].
ELV_NODISCARD ElvStatus elv_growth_check(
    const ElvStrongRod* strong, double dt, double duration, double exponent, ElvError* error);

#endif
