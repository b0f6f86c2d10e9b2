// SPDX-License-Identifier: Apache-2.0
// The explicit Runge-Kutta method of order 8 with eleven stages of Cooper and Verner (SIAM J. Numer. Anal. 9,
// 1972). Its stages lie at the five Lobatto nodes of a step, whose weights are its own: a step needs tables
// at five stations, and quadratures of its fields there are of order 8 too.
#ifndef ELVER_STRONG_RUNGE_KUTTA8_H
#define ELVER_STRONG_RUNGE_KUTTA8_H

enum { ELV_RK8_STAGE = 11, ELV_RK8_NODE = 5, ELV_RK8_TERM = 6 };

/// A stage: its node, and y_i = y + h sum_k a[k] f(stage j[k]).
typedef struct {
    int node;
    int n;
    int j[ELV_RK8_TERM];
    double a[ELV_RK8_TERM];
} ElvRk8Stage;

extern const ElvRk8Stage ELV_RK8[ELV_RK8_STAGE];

/// Weights of the stages that count, in the order of the nodes: y + h sum_k b[k] f(stage ELV_RK8_LAST[k]).
extern const int ELV_RK8_LAST[ELV_RK8_NODE];
extern const double ELV_RK8_WEIGHT[ELV_RK8_NODE];

/// Where the nodes are in a step of unit length.
extern const double ELV_RK8_AT[ELV_RK8_NODE];

#endif
