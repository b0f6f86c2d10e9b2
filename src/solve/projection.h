// SPDX-License-Identifier: Apache-2.0
// Quasi-static motions that constraints allow [P20 (55)-(58)]: rates of the coordinates at a shape, dense.
#ifndef ELVER_SOLVE_PROJECTION_H
#define ELVER_SOLVE_PROJECTION_H

#include "solve/newton.h"

/// The constraints at a shape and what they leave free. Coordinates are those that are not imposed, in the
/// chart of the problem; rows are the equations of devices that hold something.
typedef struct {
    const ElvModel* model;
    int n, n_row;    // coordinates, rows
    int n_effort;    // equations of efforts in free directions of loops
    int n_square;    // the larger of both
    int rank;        // of J
    int* coordinate; // velocity component of each            (n)
    int* row;        // equation of the devices of each       (n_row)
    int* effort_row; // the same of equations of efforts      (n_effort)
    int* column;     // of the factors of J                   (n_square)
    int* z_column;   // of the factors of the efforts         (nz)
    double* J;       // d(defects) / d(coordinates)           (n_row x n)
    double* defect;  // of each row                           (n_row)
    double* force;   // K q + Q_c without multipliers         (n)
    double* D;       // damping                               (n x n)
    double* rate;    // of nu, all components                 (nv)
    double missed;   // largest part of the defects' rates that no motion gives
    long n_evaluation;
    // computed by elv_projection_step
    double radius;     // rate of the fastest motion, 1/s; 0: not known yet
    double* direction; // of that motion                      (nv)
    double* stage;     // four points or rates in a step      (4 x nv)
    // scratch
    double* scale;      // of the coordinates: D has ones on its diagonal then  (n)
    double* row_scale;  //                                     (n_row)
    double* factor;     // of J, scaled                        (n_square x n_square)
    double* work;       //                                     (elv_min_norm_work(n_square))
    double* H;          // kernel of J, a vector in each row   (n x n_square)
    double* DH;         // D of each, then H^T D H             (n x n, twice)
    double* particular; //                                     (n_square)
    double* vector;     //                                     (n_square)
    double* reduced;    // rates along the kernel              (n)
    double* d_z;        //                                     (nz)
    double* d_c;        //                                     (nz)
    double* effort;     // factors of equations of efforts     (nz x nz)
    double* z_work;     //                                     (elv_min_norm_work(nz))
} ElvProjection;

/// ELV_ERROR_INPUT: the model is too large, or has a device whose unknowns are not what this method knows.
ELV_NODISCARD ElvStatus elv_projection_create(const ElvModel* model,
                                              ElvProjection** projection,
                                              ElvError* error);
void elv_projection_free(ElvProjection* projection);

/// Take over D from the blocks of all joints, n_v x n_v each.
void elv_projection_damp(ElvProjection* projection, const double* block);

/// J, defects and forces at nu; problem->state, data and residual are those at nu, without multipliers.
void elv_projection_see(ElvProjection* projection, ElvProblem* problem, const double* nu);

/// elv_projection_see, and the rates of the coordinates [P20 (57)] that let every defect decay at the rate
/// `gain`. Returns false when nothing damps a motion, or a number is not finite.
bool elv_projection_rate(ElvProjection* projection,
                         ElvProblem* problem,
                         const double* nu,
                         double gain);

/// A step of about *dt from the origin of the chart, where elv_projection_rate has just run; adapts *dt. Returns
/// true with nu of its end in problem->nu, unknowns of devices zero, or false when it erred too much.
bool elv_projection_step(ElvProjection* projection, ElvProblem* problem, double gain, double* dt);

#endif
