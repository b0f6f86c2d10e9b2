// SPDX-License-Identifier: Apache-2.0
// Surfaces as triangles: shapes of bodies in their own axes, and the skin of a straight rod.
#ifndef ELVER_VIEW_VIEW_MESH_H
#define ELVER_VIEW_VIEW_MESH_H

#include "view/view.h"

#include <stdint.h>

/// How much shorter a rod is when it is laid straight to be drawn around.
#define ELV_MESH_SHRINK 0.5

/// A point of a surface.
typedef struct {
    ElvVec3 position;
    ElvVec3 normal;    // outwards, of length 1
    int station;       // rods: it moves with this station ...
    double next_share; // ... and with the next one by this part, 0 to 1
} ElvMeshPoint;

typedef struct {
    ElvMeshPoint* point; // (n_point)
    uint32_t* triangle;  // three points each, counter-clockwise from outside   (3 n_triangle)
    size_t n_point, n_triangle;
    size_t room_point, room_triangle;
    bool is_bad; // there was no memory left
} ElvMesh;

/// The surface of a shape, placed in its body; empty for none.
void elv_mesh_shape(const ElvShapeDef* shape, ElvMesh* mesh);

/// The same for a body; one without a shape is sticks between what it holds together, or a small ball.
void elv_mesh_body(const ElvView* view, const ElvViewBody* body, ElvMesh* mesh);

/// The skin of a rod laid straight along x from the origin, sections in y and z. Between stations it follows both, so that
/// it stays smooth: with stations that lie half as far apart as they are, the two tangents, weighted by
/// next_share, meet on the arc between them, to the fourth order of its angle.
void elv_mesh_rod(const ElvViewRod* rod, ElvMesh* mesh);

/// n points, one after the other at the stations 0 to n - 1, and no triangles; false when there is no memory left.
bool elv_mesh_line(int n, ElvMesh* mesh);

void elv_mesh_free(ElvMesh* mesh);

#endif
