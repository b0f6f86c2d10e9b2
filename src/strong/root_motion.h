// SPDX-License-Identifier: Apache-2.0
// The net motion of a chain whose strains are imposed and whose root nothing drives: its joint in time, with the
// accelerations that inverse dynamics finds at every instant.                              [OCP (85)]
#ifndef ELVER_STRONG_ROOT_MOTION_H
#define ELVER_STRONG_ROOT_MOTION_H

#include "solve/integrator.h"
#include "strong/riccati.h"

enum { ELV_ROOT_STAGE = 7, ELV_ROOT_SIZE = 13 };

typedef struct {
    ElvRiccati* riccati;
    ElvIntegrator head; // breakpoints of the laws, and tolerances
    double t;
    double y[ELV_ROOT_SIZE];                 // coordinates, then velocities of the joint
    double k[ELV_ROOT_STAGE][ELV_ROOT_SIZE]; // rates at the stages of a step
    double h;                                // step to try next; 0: none yet
    double t_begin, t_stop;                  // breakpoints between which the laws are seen
    bool has_first;                          // the first stage of the next step is known
    long n_step;
} ElvRootMotion;

/// From the initial coordinates of the joint at t. riccati is borrowed. Free also after a failure.
ELV_NODISCARD ElvStatus elv_root_motion_start(ElvRootMotion* motion,
                                              ElvRiccati* riccati,
                                              double t,
                                              ElvError* error);
void elv_root_motion_free(ElvRootMotion* motion);

/// On to t, which is not before the last one. On success riccati has solved the motion there, with the
/// acceleration of the root.
ELV_NODISCARD ElvStatus elv_root_motion_to(ElvRootMotion* motion, double t, ElvError* error);

#endif
