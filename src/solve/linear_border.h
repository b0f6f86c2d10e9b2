// SPDX-License-Identifier: Apache-2.0
// Unknowns z of devices in the linearised motion, n components of which move. Three kinds:
//     remembered   z_dot = c: unknowns of their own
//     following    0 = c gives z: eliminated, z = C d_nu + C_w d_w + E d_z
//     rigid        0 = c without z: a constraint C d_nu = 0, whose force z is (loops, tendons that do not stretch)
// Which equation gives which z is found by elimination (linear_sort.c): of the six of a loop, some give
// components of its wrench, and the others are constraints.
#ifndef ELVER_SOLVE_LINEAR_BORDER_H
#define ELVER_SOLVE_LINEAR_BORDER_H

#include "multibody/device.h"

typedef struct {
    int nz;
    int n_own, n_follow, n_rigid;
    int n_rate;                // rigid ones that hold rates alone: C_w d_w = 0
    int *own, *follow, *rigid; // which of the z they are                          (nz)
    int*
        order; // equation that stands in each row once they are sorted: what gives z_k in row k (nz)
    int* held;   // rows of the rigid constraints                                  (nz)
    double* B;   // of the residual by z                                           (n x nz)
    double* C;   // of the equations by nu                                         (nz x n)
    double* C_w; // by w                                                           (nz x n)
    double* E;   // by z                                                           (nz x nz)
    double*
        F; // inverse of E among what follows                                (n_follow x n_follow)
    // where there are rigid ones: motions nu = Z y, and Y with Y^T B = 0; y are n_free of the coordinates
    int n_free;
    int* free_index; // which of the n they are                                    (n)
    int* bound;      // the others                                                 (n)
    double *Z, *Y;   //                                                            (n x n_free)
    double* scratch; // (3 n x n + 2 nz (n + nz))
    int* pivot;      // scratch                                                    (3 nz)
} ElvBorder;

ELV_NODISCARD ElvStatus elv_linear_border_create(const ElvModel* model,
                                                 int n,
                                                 ElvBorder* border,
                                                 ElvError* error);
void elv_linear_border_free(ElvBorder* border);

/// B and E, after elv_tidm_pass and elv_channel_pass; index: the components that move (n).
void elv_linear_border_columns(const ElvModel* model,
                               ElvData* data,
                               const ElvState* state,
                               int n,
                               const int* index,
                               ElvBorder* border);

/// Rows by unknowns nu of the tangent in hand (nz x n): C for rates that do not vary, C + a C_w for such
/// that vary by a d_nu.
void elv_linear_border_rows(const ElvModel* model,
                            ElvData* data,
                            const ElvState* state,
                            int n,
                            const int* index,
                            double* C);

/// Sort the unknowns, eliminate what follows from K, D and the rest, and find the motions that are left; after
/// elv_channel_pass.
ELV_NODISCARD ElvStatus elv_linear_border_condense(const ElvModel* model,
                                                   ElvData* data,
                                                   const ElvState* state,
                                                   int n,
                                                   const double* M,
                                                   double* K,
                                                   double* D,
                                                   ElvBorder* border,
                                                   ElvError* error);

/// The same elimination for inputs: of the residual U (n x n_input), of the equations V (nz x n_input). Rows
/// of what follows then give z by u. Rows come in the order of the equations.
void elv_linear_border_feed(const ElvBorder* border, int n, int n_input, double* U, double* V);

/// Kinds and order, from E as it is (linear_sort.c); rows of C, C_w and E in that order.
void elv_linear_sort(const ElvModel* model, int n, ElvBorder* border);

/// Rows X (nz x width) from the order of the equations into that of the border.
void elv_linear_reorder(const ElvBorder* border, size_t width, double* X);

/// The motions that rigid constraints leave: n_free, free_index, bound, Z, Y (linear_constraint.c). Constraints
/// that follow from others are dropped from the rigid ones, and so are forces that others make up. A coordinate
/// weighs by its mass, against mass (of a motion by one unit). False where the forces do not hold them.
bool elv_linear_constrain(int n, const double* M, double mass, ElvBorder* border);

#endif
