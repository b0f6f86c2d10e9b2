// SPDX-License-Identifier: Apache-2.0
// Anchors: springs that hold the ports of constraints while a tree is eliminated, in statics.
#ifndef ELVER_MULTIBODY_ANCHOR_H
#define ELVER_MULTIBODY_ANCHOR_H

#include "multibody/data.h"

/// Add the springs to data->K in statics, where there are constraints; data->anchor is their stiffness, or 0.
void elv_anchor_set(const ElvModel* model, ElvData* data);

/// Take them out of data->K again.
void elv_anchor_lift(const ElvModel* model, ElvData* data);

/// Wrenches data->e of unknown k of the anchors (from 0): what takes one component of a spring away.
void elv_anchor_column(const ElvModel* model, ElvData* data, int k);

/// Rows of all anchors, behind the nz of the devices: d_s - K_p Z_p under data->x and d_z.
void elv_anchor_rows(const ElvModel* model, const ElvData* data, const double* d_z, double* d_c);

#endif
