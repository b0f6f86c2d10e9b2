// SPDX-License-Identifier: Apache-2.0
// The equations of motion linearised about a state, in the chart whose origin the state is:
//     M d_w_dot + D d_w + K d_nu + B d_z + (d_residual/d_u) d_u = 0,     d_nu_dot = d_w + S d_nu
//     d_z_dot or 0 = C d_nu + C_w d_w + E d_z + (d_c/d_u) d_u
// Only components that move are unknowns: joints with an imposed motion stay. What unknowns z of devices
// there are, and what becomes of them, is in linear_border.h.
#ifndef ELVER_SOLVE_LINEARIZE_H
#define ELVER_SOLVE_LINEARIZE_H

#include "elver/dynamics.h"
#include "linalg/pencil.h"
#include "solve/linear_border.h"

typedef struct {
    int n;            // components that move
    int* index;       // which of the velocity components they are      (n)
    double* K;        // tangent stiffness, gyroscopic parts included   (n x n)
    double* D;        // by the rates                                   (n x n)
    double* M;        // mass                                           (n x n)
    double* S;        // turning axes of spherical and free joints      (n x n)
    double* N;        // velocities v = N nu_dot                        (nv x n)
    ElvBorder border; // unknowns of devices
    double* full;     // scratch                                        (nv x nv)
    double* vector;   // scratch                                        (2 nv)
} ElvMatrices;

ELV_NODISCARD ElvStatus elv_matrices_create(const ElvModel* model,
                                            ElvMatrices* matrices,
                                            ElvError* error);
void elv_matrices_free(ElvMatrices* matrices);

/// All matrices at a state, the unknowns of devices that follow at once eliminated; leaves in data the
/// residual and the tangent K there.
ELV_NODISCARD ElvStatus elv_matrices_fill(const ElvModel* model,
                                          ElvData* data,
                                          const ElvState* state,
                                          ElvMatrices* matrices,
                                          ElvError* error);

/// Restrict the filled matrices to the motions that rigid constraints leave: n and index are then those of
/// the coordinates that remain.
void elv_matrices_project(const ElvModel* model, ElvMatrices* matrices);

/// Velocities v = N x (nv) of a vector x (n) of the components that move.
void elv_matrices_velocities(const ElvMatrices* matrices, int nv, const double* x, double* v);

/// Size up to which eigenvalue i of K against M is zero: a fraction of the smallest that is not, or what rounding
/// does; of closed robots also what an equilibrium that is not exact does.
double
elv_matrices_zero(const ElvMatrices* matrices, const ElvPencil* pencil, int i, double fraction);

/// Largest |K_ik - K_ki|, relative to the entries and the diagonal: whether K is symmetric enough to have a
/// potential. The masses M tell how stiff coordinates of different units are.
bool elv_is_symmetric(int n, const double* K, const double* M);

/// A := (A + A^T) / 2.
void elv_symmetrise(int n, double* A);

/// Y := N^T X for the rows of joints with a chart, X (nv x n_column).
void elv_pull_back(const ElvModel* model, const ElvData* data, int n_column, double* X);

#endif
