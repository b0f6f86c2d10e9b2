// SPDX-License-Identifier: Apache-2.0
// A glTF file that is being made: its records, and the text and numbers it becomes.
#ifndef ELVER_VIEW_VIEW_GLTF_H
#define ELVER_VIEW_VIEW_GLTF_H

#include "view/view.h"
#include "view/view_bytes.h"
#include "view/view_mesh.h"

enum { ELV_GLTF_TRACK = 8, ELV_GLTF_PATH = 4096 };

/// A node that moves: where its numbers are in a record.
typedef struct {
    int i_pose;
    int i_scale;   // -1: none
    bool is_point; // a position alone
} ElvGltfTrack;

typedef struct {
    char path[ELV_GLTF_PATH];
    char part[ELV_GLTF_PATH + 8];
    ElvPool pool;
    const ElvView* view;
    const char* title;
    ElvGltfTrack* track; // stations of rods, bodies, points of paths   (n_track)
    int n_track;
    ElvBytes frames; // float (n_frame x n_track x ELV_GLTF_TRACK)
    ElvBytes times;  // float (n_frame), from the first on
    size_t n_frame;
    double t_begin; // of the first
    float t_end;    // of the last, after that
} ElvGltf;

/// The JSON text of the file, and its numbers; false when there is no memory left.
bool elv_gltf_describe(const ElvGltf* gltf, ElvBytes* json, ElvBytes* binary);

/// Lists of the file, as text.
typedef struct {
    const ElvGltf* gltf;
    ElvBytes* binary;
    ElvBytes nodes, meshes, skins, views, accessors, samplers, channels;
    int n_node, n_mesh, n_skin, n_view, n_accessor, n_sampler;
} ElvGltfDocument;

// view_gltf_data.c

/// The separator before a further entry of a list.
void elv_gltf_next(ElvBytes* list);

/// A list of numbers as text.
void elv_gltf_numbers(ElvBytes* text, const double* value, int n);

enum { ELV_GLTF_U16 = 5123, ELV_GLTF_U32 = 5125, ELV_GLTF_F32 = 5126 };
enum { ELV_GLTF_FREE = 0, ELV_GLTF_POINTS = 34962, ELV_GLTF_TRIANGLES = 34963 };

/// The numbers from begin to the end of the binary piece become a view and an accessor, whose index is returned. lo, hi:
/// bounds of each component (n_bound), NULL: not told.
int elv_gltf_accessor(ElvGltfDocument* document,
                      size_t begin,
                      int target,
                      int component,
                      const char* type,
                      size_t count,
                      const double* lo,
                      const double* hi,
                      int n_bound);

/// Returns the index of the mesh. is_skin: of a rod, with joints and weights.
int elv_gltf_mesh(ElvGltfDocument* document, const char* name, const ElvMesh* mesh, bool is_skin);

/// The same of a line through the points of mesh, each of which follows its own joint.
int elv_gltf_line(ElvGltfDocument* document, const char* name, const ElvMesh* mesh);

#endif
