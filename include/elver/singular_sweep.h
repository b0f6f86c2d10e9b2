// SPDX-License-Identifier: Apache-2.0
// An experiment: forward dynamics of one rod as the singular linear-quadratic problem that it is,
// by a Riccati sweep.
//                                                                                     [OCP appendix 2]
// Given the stress Lambda_a of the free strains, the strain acceleration u appears only in the
// second derivative of Lambda_a by X, divided by the rotary inertia of the sections. The equations
// have solutions that grow by e^(X sqrt(mass / rotary inertia)), e^(2 X / r) for a round section of
// radius r. No method of the library uses this; `elver reproduce ocp-singular` shows how it fails.
#ifndef ELVER_SINGULAR_SWEEP_H
#define ELVER_SINGULAR_SWEEP_H

#include "elver/strong_inverse.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int steps; // of the Riccati equations along the rod
    int nodes; // of the polynomials by which the fields are differentiated, 4 to 64
    // error given to the stress, relative to its largest: alternating from node to node
    double noise;
} ElvSingularOptions;

typedef struct {
    bool is_finite;
    double error; // largest of u, beside the largest strain acceleration of the motion
    double drift; // largest of B^T Lambda - Lambda_a on the way, beside the largest stress
    // exponent by which solutions grow over the rod: l sqrt(mass / least rotary inertia of free
    // strains)
    double growth;
    double size; // largest entry of S, in units of the rod's mass and length
} ElvSingularReport;

/// Take the stress that the last motion needs, forget its strain acceleration, and find it again.
/// One rod without breaks. ELV_ERROR_INPUT: it is not so; ELV_ERROR_SINGULAR: a free strain without
/// inertia.
ELV_API ELV_NODISCARD ElvStatus elv_singular_sweep(ElvRiccati* riccati,
                                                   const ElvSingularOptions* options,
                                                   ElvSingularReport* report,
                                                   ElvError* error);

#ifdef __cplusplus
}
#endif

#endif
