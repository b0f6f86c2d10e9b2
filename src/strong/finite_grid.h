// SPDX-License-Identifier: Apache-2.0
// The grid of the finite differences: nodes along the rods of a chain, stations at which Runge-Kutta stages
// fall, and what is known there during a step in time.
//
// Rates are backward differences, x_dot = c_0 x + x_h with the history x_h of past steps [RKMK (5)-(6)], so that
// a rod at the end of a step obeys ordinary equations along X,
//     g' = g hat(xi),   eta' = xi_dot - ad_xi eta,                                  [RKMK (7)-(8)]
//     Lambda' = ad_xi^T Lambda + M eta_dot - ad_eta^T M eta - F,                        [RKMK (9)]
// with xi the strain that Lambda leaves by the constitutive law. The paper integrates xi in place of Lambda:
// for constant sections and linear interpolation of the history that is the same, number by number, but
// Lambda does not jump where a section does and needs no derivative of the history.
#ifndef ELVER_STRONG_FINITE_GRID_H
#define ELVER_STRONG_FINITE_GRID_H

#include "strong/field_view.h"

// unknowns of a step: the joint (6), Lambda (6); columns: one for each, and one for a mesh
enum { ELV_FINITE_STAGES = 4, ELV_FINITE_UNKNOWNS = 12, ELV_FINITE_COLUMNS = 13 };

/// Runge-Kutta methods whose stage i starts from stage i - 1 alone.
typedef struct {
    int n_stage;
    int n_sub;                   // stations per element
    double a[ELV_FINITE_STAGES]; // of the slope of the stage before
    double b[ELV_FINITE_STAGES]; // of the slopes in the step
    int at[ELV_FINITE_STAGES];   // station, from the first of the element
} ElvRungeTable;

/// A station of a stage.
typedef struct {
    ElvStrongStation at;
    // of the step in hand
    ElvStrongDrive drive;
    ElvTwist xi_h, eta_h; // history
    ElvTwist law_h;       // the one that the constitutive law sees: xi_h but for a printed cubic
    ElvWrench shift;      // by which Lambda is larger for the equation of balance
    ElvTwist xi_0;        // affine laws: xi = xi_0 + C Lambda
    ElvMat6 C;
} ElvFiniteStation;

/// A smooth piece of a rod.
typedef struct {
    const ElvChainRod* link;
    int i_piece;
    int n_element;
    double ds; // m
    int i_station, i_node;
    bool is_first, is_last; // of its rod
} ElvFinitePiece;

typedef struct {
    const ElvChain* chain;
    ElvFiniteDef def;
    const ElvRungeTable* table;
    int n_piece, n_station, n_node;
    ElvFinitePiece* piece;     // (n_piece)
    ElvFiniteStation* station; // (n_station)
    ElvFieldPiece* field;      // the same pieces for a view               (n_piece)
    double* s;                 // station of each node                     (n_node)
    // (n_node)
    const ElvStrongStation** node_station;
    ElvTwist* node_h; // scratch: history at nodes                (2 n_node)
    double length;    // of all rods, m
    bool needs_pose;  // something that acts depends on poses
    // of the step in hand
    double c_0; // 1/s
    ElvStrongInput in;
} ElvFiniteGrid;

/// Formula of backward differences: x_dot = c[0] x + c[1] x_n + c[2] x_(n-1), steps dt and before it past;
/// order 1, or past = 0, is backward Euler.                                            [RKMK (5)]
void elv_finite_formula(int order, double dt, double past, double c[3]);

/// Lay the grid; memory comes from the pool.
ELV_NODISCARD ElvStatus elv_finite_grid_init(ElvFiniteGrid* grid,
                                             const ElvChain* chain,
                                             const ElvFiniteDef* def,
                                             ElvPool* pool,
                                             ElvError* error);

/// A step that ends at time t: what acts then, and the history from the nodes at the two instants before.
ELV_NODISCARD ElvStatus elv_finite_grid_begin(ElvFiniteGrid* grid,
                                              double t,
                                              const double c[3],
                                              const ElvFieldNode* now,
                                              const ElvFieldNode* past,
                                              ElvError* error);

/// Station at node i of a piece.
static inline const ElvFiniteStation*
elv_finite_node(const ElvFiniteGrid* grid, const ElvFinitePiece* piece, int i) {
    return &grid->station[piece->i_station + i * grid->table->n_sub];
}

#endif
