// SPDX-License-Identifier: Apache-2.0
// Numbers of a glTF file: accessors, and the meshes that they are put together to.
#include "view/view_gltf.h"

#include "view/view_json.h"

#include <math.h>

void elv_gltf_next(ElvBytes* list) {
    if (list->n > 0) {
        elv_bytes_put(list, ",\n", 2);
    }
}

void elv_gltf_numbers(ElvBytes* text, const double* value, int n) {
    elv_bytes_put(text, "[", 1);
    for (int i = 0; i < n; i++) {
        elv_bytes_put(text, ",", i > 0 ? 1 : 0);
        elv_bytes_number(text, value[i]);
    }
    elv_bytes_put(text, "]", 1);
}

int elv_gltf_accessor(ElvGltfDocument* document,
                      size_t begin,
                      int target,
                      int component,
                      const char* type,
                      size_t count,
                      const double* lo,
                      const double* hi,
                      int n_bound) {
    elv_gltf_next(&document->views);
    elv_bytes_print(&document->views, "{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu", begin,
                    document->binary->n - begin);
    if (target != ELV_GLTF_FREE) {
        elv_bytes_print(&document->views, ",\"target\":%d", target);
    }
    elv_bytes_put(&document->views, "}", 1);
    ElvBytes* text = &document->accessors;
    elv_gltf_next(text);
    elv_bytes_print(text, "{\"bufferView\":%d,\"componentType\":%d,\"type\":\"%s\",\"count\":%zu",
                    document->n_view++, component, type, count);
    if (lo) {
        elv_bytes_print(text, ",\"min\":");
        elv_gltf_numbers(text, lo, n_bound);
        elv_bytes_print(text, ",\"max\":");
        elv_gltf_numbers(text, hi, n_bound);
    }
    elv_bytes_put(text, "}", 1);
    elv_bytes_align(document->binary, 0);
    return document->n_accessor++;
}

// ---- meshes

static int add_positions(ElvGltfDocument* document, const ElvMesh* mesh) {
    double lo[3] = {INFINITY, INFINITY, INFINITY};
    double hi[3] = {-INFINITY, -INFINITY, -INFINITY};
    size_t begin = document->binary->n;
    for (size_t i = 0; i < mesh->n_point; i++) {
        ElvVec3 p = mesh->point[i].position;
        const double x[3] = {p.x, p.y, p.z};
        for (int k = 0; k < 3; k++) {
            // bounds are those of the numbers as they are written
            lo[k] = fmin(lo[k], (double)(float)x[k]);
            hi[k] = fmax(hi[k], (double)(float)x[k]);
            elv_bytes_f32(document->binary, x[k]);
        }
    }
    return elv_gltf_accessor(document, begin, ELV_GLTF_POINTS, ELV_GLTF_F32, "VEC3", mesh->n_point,
                             lo, hi, 3);
}

static int add_normals(ElvGltfDocument* document, const ElvMesh* mesh) {
    size_t begin = document->binary->n;
    for (size_t i = 0; i < mesh->n_point; i++) {
        ElvVec3 normal = mesh->point[i].normal;
        elv_bytes_f32(document->binary, normal.x);
        elv_bytes_f32(document->binary, normal.y);
        elv_bytes_f32(document->binary, normal.z);
    }
    return elv_gltf_accessor(document, begin, ELV_GLTF_POINTS, ELV_GLTF_F32, "VEC3", mesh->n_point,
                             NULL, NULL, 0);
}

static int add_triangles(ElvGltfDocument* document, const ElvMesh* mesh) {
    size_t begin = document->binary->n;
    for (size_t i = 0; i < 3 * mesh->n_triangle; i++) {
        elv_bytes_u32(document->binary, mesh->triangle[i]);
    }
    return elv_gltf_accessor(document, begin, ELV_GLTF_TRIANGLES, ELV_GLTF_U32, "SCALAR",
                             3 * mesh->n_triangle, NULL, NULL, 0);
}

// each point follows two stations
static int add_joints(ElvGltfDocument* document, const ElvMesh* mesh) {
    size_t begin = document->binary->n;
    for (size_t i = 0; i < mesh->n_point; i++) {
        const ElvMeshPoint* point = &mesh->point[i];
        unsigned station = (unsigned)point->station;
        elv_bytes_u16(document->binary, station);
        elv_bytes_u16(document->binary, point->next_share > 0.0 ? station + 1 : 0);
        elv_bytes_u32(document->binary, 0);
    }
    return elv_gltf_accessor(document, begin, ELV_GLTF_POINTS, ELV_GLTF_U16, "VEC4", mesh->n_point,
                             NULL, NULL, 0);
}

static int add_weights(ElvGltfDocument* document, const ElvMesh* mesh) {
    size_t begin = document->binary->n;
    for (size_t i = 0; i < mesh->n_point; i++) {
        double share = mesh->point[i].next_share;
        elv_bytes_f32(document->binary, 1.0 - share);
        elv_bytes_f32(document->binary, share);
        elv_bytes_f32(document->binary, 0.0);
        elv_bytes_f32(document->binary, 0.0);
    }
    return elv_gltf_accessor(document, begin, ELV_GLTF_POINTS, ELV_GLTF_F32, "VEC4", mesh->n_point,
                             NULL, NULL, 0);
}

int elv_gltf_line(ElvGltfDocument* document, const char* name, const ElvMesh* mesh) {
    const ElvView* view = document->gltf->view;
    int position = add_positions(document, mesh);
    int joints = add_joints(document, mesh);
    int weights = add_weights(document, mesh);
    ElvBytes* text = &document->meshes;
    elv_gltf_next(text);
    elv_bytes_print(text, "{\"name\":");
    elv_json_string(text, name);
    elv_bytes_print(text,
                    ",\"primitives\":[{\"mode\":3,\"attributes\":{\"POSITION\":%d,"
                    "\"JOINTS_0\":%d,\"WEIGHTS_0\":%d},\"material\":%d}]}",
                    position, joints, weights, (view->n_rod > 0) + (view->n_body > 0));
    return document->n_mesh++;
}

int elv_gltf_mesh(ElvGltfDocument* document, const char* name, const ElvMesh* mesh, bool is_skin) {
    int position = add_positions(document, mesh);
    int normal = add_normals(document, mesh);
    int triangles = add_triangles(document, mesh);
    ElvBytes* text = &document->meshes;
    elv_gltf_next(text);
    elv_bytes_print(text, "{\"name\":");
    elv_json_string(text, name);
    elv_bytes_print(text, ",\"primitives\":[{\"attributes\":{\"POSITION\":%d,\"NORMAL\":%d",
                    position, normal);
    if (is_skin) {
        int joints = add_joints(document, mesh);
        int weights = add_weights(document, mesh);
        elv_bytes_print(text, ",\"JOINTS_0\":%d,\"WEIGHTS_0\":%d", joints, weights);
    }
    elv_bytes_print(text, "},\"indices\":%d,\"material\":%d}]}", triangles,
                    is_skin || document->gltf->view->n_rod == 0 ? 0 : 1);
    return document->n_mesh++;
}
