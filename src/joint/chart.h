// SPDX-License-Identifier: Apache-2.0
// Charts in which a time step works: vectors, and SO(3) x R^3 for joints with a quaternion.
#ifndef ELVER_JOINT_CHART_H
#define ELVER_JOINT_CHART_H

#include "joint/joint.h"

// plain coordinates: q = q_n + nu
void elv_vector_rates(const ElvJoint* joint,
                      const double* q,
                      const double* v,
                      const double* a,
                      double* w,
                      double* w_dot);
void elv_vector_state(const ElvJoint* joint,
                      const double* q_n,
                      const double* nu,
                      const double* w,
                      const double* w_dot,
                      double* q,
                      double* v,
                      double* a);

// quaternion (and position): n_v = 3 (spherical) or 6 (free)
void elv_group_rates(
    int n_v, const double* q, const double* v, const double* a, double* w, double* w_dot);
void elv_group_state(int n_v,
                     const double* q_n,
                     const double* nu,
                     const double* w,
                     const double* w_dot,
                     double* q,
                     double* v,
                     double* a);
void elv_group_unknown(int n_v,
                       const double* nu,
                       const double* q,
                       const double* v,
                       const double* vdot,
                       double a,
                       double b,
                       double* N0,
                       double* N1,
                       double* N2);

#endif
