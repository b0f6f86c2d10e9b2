// SPDX-License-Identifier: Apache-2.0
// Variation of wrenches under (Z, Z_dot, Z_ddot): the 6 x 18 blocks of bodies and sections.
#ifndef ELVER_JOINT_VARIATION_H
#define ELVER_JOINT_VARIATION_H

#include "elver/lie.h"
#include "joint/joint.h"

/// K = [K0 K1 K2] (6 x 18, row-major) with d_f = K (Z, Z_dot, Z_ddot) for the inertial wrench
/// f = I A - ad_V^T I V of an inertia in the one frame.                              [P23 (51), (54)]
/// K is overwritten.
void elv_variation_inertia(const ElvInertia* I,
                           const ElvTwist* V,
                           const ElvTwist* A,
                           double K[108]);

/// K += scale times the variation of the wrench R V of a resistance in the one frame: R Z_dot - ad_Z^T R V.
void elv_variation_resistance(const ElvInertia* R, const ElvTwist* V, double scale, double K[108]);

/// K += scale times the variation of minus a dead force f applied at x: -(d_x x f; 0).
void elv_variation_dead_force(ElvVec3 x, ElvVec3 force, double scale, double K[108]);

/// K += scale times the variation of minus a wrench that follows its body: + ad_Z^T W.
void elv_variation_follower(const ElvWrench* W, double scale, double K[108]);

/// K += scale times the variation of minus the weight: -(d_moment x g; 0), with the first moment of
/// mass about the origin of the one frame.
void elv_variation_weight(
    double mass, ElvVec3 moment, ElvVec3 gravity, double scale, double K[108]);

/// K += scale times the variation of the wrench F of a body or section with pose g, given in its own axes with its
/// derivatives by the pose, delta g = g hat(d_zeta), and by its twist; in the one frame W = Ad_g^-T F varies by
///     Ad_g^-T (by_pose Ad_g^-1 Z + by_eta Ad_g^-1 Z_dot) - ad_Z^T W.
void elv_variation_wrench(const ElvPose* g,
                          const ElvWrench* F,
                          const ElvMat6* by_pose,
                          const ElvMat6* by_eta,
                          double scale,
                          double K[108]);

#endif
