// SPDX-License-Identifier: Apache-2.0
// What drives and constraints leave undetermined in a mechanism: motions of passive joints, and efforts of
// drives.
#ifndef ELVER_SOLVE_MOBILITY_H
#define ELVER_SOLVE_MOBILITY_H

#include "multibody/device.h"

/// The matrices of a mechanism, dense: nz equations, and n = n_passive + nz unknowns.
typedef struct {
    const ElvModel* model;
    int n_passive, n;
    int* passive;      // velocity components that are not imposed    (n_passive)
    int* column;       // of the factors                              (n)
    double* motion;    // constraints by passive motions and by z     (nz x n)
    double* efforts;   // efforts and equations of z, by z            (nz x n)
    double* on_drive;  // efforts of drives, by z                     (nz x nv)
    double* factor;    // one of them, square                         (n x n)
    double* scale;     // of its columns                              (n)
    double* work;      // of its factors                              (elv_min_norm_work(n))
    double* x;         // scratch                                     (n)
    double* b;         // scratch                                     (n)
    double* d_nu;      // scratch                                     (nv)
    double* d_z;       // scratch                                     (nz)
    double* d_c;       // scratch                                     (nz)
    double* row_scale; // of its rows                                (nz)
} ElvMobility;

/// All buffers in one block. Free with elv_mobility_free.
ELV_NODISCARD ElvStatus elv_mobility_create(const ElvModel* model,
                                            ElvMobility* mobility,
                                            ElvError* error);
void elv_mobility_free(ElvMobility* mobility);

/// The matrices at a state, after elv_residual, elv_channel_pass and elv_tidm_pass (accelerations alone) on
/// it.
void elv_mobility_set(ElvMobility* mobility, ElvData* data, const ElvState* state);

/// The first passive velocity component, from the base on, that takes a good part in motions which
/// drives and constraints do not determine; -1: they determine all.
int elv_mobility_free_motion(ElvMobility* mobility);

/// The imposed velocity component whose effort the motion determines least, as other drives may work
/// against it over the constraints; -1: all are determined.
int elv_mobility_free_effort(ElvMobility* mobility);

#endif
