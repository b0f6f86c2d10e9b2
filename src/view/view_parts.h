// SPDX-License-Identifier: Apache-2.0
// The kinds of elements of a view: each file makes its elements from a model, giving them their places in a record,
// and computes their numbers.
#ifndef ELVER_VIEW_VIEW_PARTS_H
#define ELVER_VIEW_VIEW_PARTS_H

#include "view/view.h"

/// The next n numbers of a record: the index of the first.
int elv_view_place(ElvView* view, int n);

ElvStatus elv_view_no_memory(ElvError* error);

/// The body at a port; NULL: there is none.
ElvViewBody* elv_view_body_at(const ElvView* view, int port);

/// Seven numbers of a pose; the quaternion's sign is that nearer to *last, which it replaces.
void elv_view_put_pose(ElvPose pose, ElvQuat* last, double* value);

static inline void elv_view_put_vec3(ElvVec3 x, double* value) {
    value[0] = x.x;
    value[1] = x.y;
    value[2] = x.z;
}

// view_rod.c
ELV_NODISCARD ElvStatus elv_view_add_rods(ElvView* view,
                                          const ElvModel* model,
                                          const ElvViewOptions* options,
                                          ElvError* error);
void elv_view_eval_rods(ElvView* view, const ElvScene* scene, double* value);

// view_path.c
ELV_NODISCARD ElvStatus elv_view_add_paths(ElvView* view, const ElvModel* model, ElvError* error);

/// After elv_view_eval_rods on the same state, and the devices' inputs.
void elv_view_eval_paths(ElvView* view, const ElvScene* scene, double* value);

// view_arrow.c
ELV_NODISCARD ElvStatus elv_view_add_arrows(ElvView* view, const ElvModel* model, ElvError* error);
void elv_view_eval_arrows(const ElvView* view, const ElvScene* scene, double* value);

// view_stick.c

/// What bodies hold together, wheels, and where the world holds the robot; after rods and bodies. No numbers of a record.
ELV_NODISCARD ElvStatus elv_view_add_sticks(ElvView* view, const ElvModel* model, ElvError* error);

// view_number.c

/// What every number of a record is; after all elements have their places.
ELV_NODISCARD ElvStatus elv_view_number(ElvView* view, ElvError* error);

#endif
