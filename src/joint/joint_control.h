// SPDX-License-Identifier: Apache-2.0
// What acts in a lumped joint besides springs, dampers and drive laws: dry friction, stops at the limits,
// the controller of a position, a controller written in C. By velocity component k:
//     friction    -F tanh(v / v_s)
//     stops       -+ k e(p) s(c p_dot), p = q - upper or lower - q; s(x) = x + sqrt(1 + x^2)
//                 e(p) = 0 for p < 0, p^2 / (2 w) for p < w, p - w/2 beyond
//     controller  M tanh(x / M), x = kp (q_d - q) + kd (q_d_dot - v) + ki u
// A stop never pulls: s > 0. Without damping (s = 1) its energy is k times the integral of e. All of it
// is once continuously differentiable. u, the integral of q_d - q, is the input of a channel.
#ifndef ELVER_JOINT_JOINT_CONTROL_H
#define ELVER_JOINT_JOINT_CONTROL_H

#include "elver/law.h"
#include "elver/spec.h"
#include "joint/joint.h"

typedef struct {
    bool is_active; // whether any of this is there
    bool is_scalar; // coordinates are numbers, v their rates
    int n_v;
    double friction[6], friction_speed[6];
    double lower[6], upper[6];
    double stop_stiffness[6], stop_damping[6], stop_width[6];
    double kp[6], kd[6], ki[6], max_effort[6];
    const ElvLaw* target[6]; // NULL: 0
    double start[6];         // initial coordinates, where load stepping has its target at no load
    int n_channel;           // components with ki != 0
    int component[6];        // of each channel                                       (n_channel)
    int channel[6];          // of each component, or -1                              (n_v)
    ElvJointCallback callback;
    void* user;
} ElvJointControl;

/// From a checked definition; the laws are borrowed, NULL stands for none. start: (n_v).
void elv_joint_control_init(ElvJointControl* control,
                            const ElvJointDef* def,
                            int n_v,
                            bool is_scalar,
                            const double* start,
                            const ElvLaw* const target[6]);

/// Add what the joint does by itself: friction and stops.
void elv_joint_control_resist(const ElvJointControl* control,
                              const ElvJointInput* in,
                              double* effort);

/// Add what the controllers do.
void elv_joint_control_drive(const ElvJointControl* control,
                             const ElvJointInput* in,
                             double* effort);

/// What friction and the dampers of stops dissipate, W.
double elv_joint_control_loss(const ElvJointControl* control, const ElvJointInput* in);

/// Elastic energy of the stops, J.
double elv_joint_control_energy(const ElvJointControl* control, const double* q);

/// Add to Qq (n_v x n_v) the variation of minus all these efforts under the unknown of a time step:
/// K u + D d_v, with u = N0 d_nu and d_v the variation of the velocities.
void elv_joint_control_tangent(const ElvJointControl* control,
                               const ElvJointInput* in,
                               const ElvUnknown* unknown,
                               double* Qq);

/// Slope of the controller's effort on component k by what it would be without a limit.
double elv_joint_control_slope(const ElvJointControl* control, const ElvJointInput* in, int k);

/// Channel i: u is the integral of a controller, the value the coordinate it is to lead.
void elv_joint_control_channel(const ElvJointControl* control,
                               const ElvJointInput* in,
                               int i,
                               ElvChannel* channel);

#endif
