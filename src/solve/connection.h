// SPDX-License-Identifier: Apache-2.0
// Motions of first order: free velocities that follow from imposed ones at once, v_f = -A v_i,
// since 1/2 v^T G v is smallest among the velocities that constraints allow
//                                                            [ALI (2.3)-(2.7), (3.31)-(3.32)].
//
// Mechanical: G is the mass matrix, with the inertia that a fluid adds; the momentum of what is
// free stays zero, as in any motion from rest without forces. Stokes: G is the matrix of viscous
// resistances; without inertia all forces on what is free balance at every instant, those of
// springs, weights and loads among them.
//
// Two companions of the model share all its parts but inertia: in one it is the resistance, in one
// there is none.
#ifndef ELVER_SOLVE_CONNECTION_H
#define ELVER_SOLVE_CONNECTION_H

#include "solve/reduced.h"

typedef struct {
    const ElvModel* model;
    ElvConnection kind;
    ElvPool pool;           // of the companions
    const ElvModel* metric; // its mass matrix is G
    const ElvModel* seen;   // what the motion is one of: without inertia under Stokes
    ElvReduced* reduced;    // constraints; without any, all is free
    ElvState* trial;        // for differences
    double* G;              //                                             (nv x nv)
    double* a;              // sums of differences                         (nv)
    double* usual;          // lengths of rows, while one is singular      (nz)
    double* q_dot;          //                                             (nq)
} ElvConnect;

ELV_NODISCARD ElvStatus elv_connect_create(const ElvModel* model,
                                           ElvConnection kind,
                                           ElvConnect** connect,
                                           ElvError* error);
void elv_connect_free(ElvConnect* connect);

/// Free velocities at the configuration and the imposed velocities of a state; rates of unknowns of
/// devices follow. ELV_ERROR_SINGULAR names a joint that nothing resists. Constraints that move by
/// themselves (motors of wheels, rates, moving stations) always have their part. has_forces: so
/// have springs, weights and loads under Stokes, and where rows lose rank the motion through it
/// decides; else the balance is that of imposed motions alone.
ELV_NODISCARD ElvStatus elv_connect_velocity(
    ElvConnect* connect, ElvData* data, ElvState* state, bool has_forces, ElvError* error);

/// Their rates, after elv_connect_velocity on the same state; state->a has those of imposed
/// velocities. They satisfy the constraints on accelerations, laws of motors and stations included.
/// Where constraints leave something free, rates of loads that depend on t (Stokes) and of the
/// directions in which stations that follow a law leave it free are left out of what is along it.
ELV_NODISCARD ElvStatus elv_connect_acceleration(ElvConnect* connect,
                                                 ElvData* data,
                                                 ElvState* state,
                                                 ElvError* error);

/// Reactions of constraints, the smallest ones, in state->z; after elv_connect_acceleration on the
/// same state.                                                                       [ALI (7.3)]
ELV_NODISCARD ElvStatus elv_connect_reaction(ElvConnect* connect,
                                             ElvData* data,
                                             ElvState* state,
                                             ElvError* error);

/// Move the configuration of connect->trial to that of a state, moved by h times its velocities.
void elv_connect_move(ElvConnect* connect, const ElvState* state, double h);

/// How long steps of differences are along the velocities of a state, after elv_connect_velocity;
/// 0: nothing moves.
double elv_connect_step(const ElvConnect* connect, const ElvState* state);

/// Weights of central differences of order 6 at 1, 2, 3 steps, each side.
static inline double elv_central_weight(int k) {
    return k == 1 ? 0.75 : k == 2 ? -0.15 : 1.0 / 60.0;
}

#endif
