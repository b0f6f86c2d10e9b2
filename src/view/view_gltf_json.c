// SPDX-License-Identifier: Apache-2.0
// The JSON text of a glTF file and the numbers that it refers to. The lists of glTF refer to each other by index, and
// are written side by side: nodes, meshes, skins, buffer views, accessors, animation.
//
// Node 0 is the root; then, for each track, its node; then the skins of rods and the lines of paths.
#include "view/view_gltf.h"

#include "elver/version.h"
#include "view/view_json.h"

#include <stdio.h>
#include <string.h>

// ---- nodes

// the node of a track as it is in the first record; an open brace stays
static void begin_node(ElvGltfDocument* document, const char* name, int i_station, int i_track) {
    const ElvGltf* gltf = document->gltf;
    ElvBytes* text = &document->nodes;
    char full[2 * ELV_SIZE_NAME];
    if (i_station < 0) {
        snprintf(full, sizeof full, "%s", name);
    } else {
        snprintf(full, sizeof full, "%s.%d", name, i_station);
    }
    elv_gltf_next(text);
    elv_bytes_print(text, "{\"name\":");
    elv_json_string(text, full);
    if (gltf->n_frame > 0) {
        float first[ELV_GLTF_TRACK];
        double number[ELV_GLTF_TRACK];
        memcpy(first, gltf->frames.data + (size_t)i_track * sizeof first, sizeof first);
        for (int k = 0; k < ELV_GLTF_TRACK; k++) {
            number[k] = first[k];
        }
        elv_bytes_print(text, ",\"translation\":");
        elv_gltf_numbers(text, number, 3);
        if (!gltf->track[i_track].is_point) {
            elv_bytes_print(text, ",\"rotation\":");
            elv_gltf_numbers(text, number + 3, 4);
        }
        if (gltf->track[i_track].i_scale >= 0) {
            const double scale[3] = {1.0, number[7], number[7]};
            elv_bytes_print(text, ",\"scale\":");
            elv_gltf_numbers(text, scale, 3);
        }
    }
    document->n_node++;
}

// joints from first_node on, at these places where the skin is drawn around them
static void add_skin(ElvGltfDocument* document,
                     const char* name,
                     int first_node,
                     int n,
                     ElvVec3 (*place)(const void*, int),
                     const void* user) {
    size_t begin = document->binary->n;
    for (int k = 0; k < n; k++) {
        ElvVec3 p = place(user, k);
        const double shift[3] = {-p.x, -p.y, -p.z};
        for (int j = 0; j < 16; j++) {
            double entry = j % 5 == 0 ? 1.0 : 0.0;
            elv_bytes_f32(document->binary, j >= 12 && j < 15 ? shift[j - 12] : entry);
        }
    }
    int bind = elv_gltf_accessor(document, begin, ELV_GLTF_FREE, ELV_GLTF_F32, "MAT4", (size_t)n,
                                 NULL, NULL, 0);
    ElvBytes* text = &document->skins;
    elv_gltf_next(text);
    elv_bytes_print(text, "{\"name\":");
    elv_json_string(text, name);
    elv_bytes_print(text, ",\"inverseBindMatrices\":%d,\"joints\":[", bind);
    for (int k = 0; k < n; k++) {
        elv_bytes_print(text, "%s%d", k > 0 ? "," : "", first_node + k);
    }
    elv_bytes_print(text, "]}");
    document->n_skin++;
}

static ElvVec3 place_station(const void* user, int k) {
    const ElvViewRod* rod = user;
    return elv_vec3(ELV_MESH_SHRINK * rod->station[k] * rod->length, 0.0, 0.0);
}

static ElvVec3 place_point(const void* user, int k) {
    const ElvMesh* mesh = user;
    return mesh->point[k].position;
}

// nodes of all tracks: stations of rods, bodies with what they look like, points of paths
static void add_tracks(ElvGltfDocument* document) {
    const ElvView* view = document->gltf->view;
    int i_track = 0;
    for (int i = 0; i < view->n_rod; i++) {
        for (int k = 0; k < view->rod[i].n_station; k++) {
            begin_node(document, view->rod[i].name, k, i_track++);
            elv_bytes_print(&document->nodes, "}");
        }
    }
    for (int i = 0; i < view->n_body; i++) {
        const ElvViewBody* body = &view->body[i];
        ElvMesh mesh;
        elv_mesh_body(view, body, &mesh);
        begin_node(document, body->name, -1, i_track++);
        if (mesh.n_triangle > 0) {
            elv_bytes_print(&document->nodes, ",\"mesh\":%d",
                            elv_gltf_mesh(document, body->name, &mesh, false));
        }
        elv_bytes_print(&document->nodes, "}");
        document->binary->is_bad = document->binary->is_bad || mesh.is_bad;
        elv_mesh_free(&mesh);
    }
    for (int i = 0; i < view->n_path; i++) {
        for (int k = 0; k < view->path[i].n_point; k++) {
            begin_node(document, view->path[i].name, k, i_track++);
            elv_bytes_print(&document->nodes, "}");
        }
    }
}

// the node of a mesh that follows others
static void add_skin_node(ElvGltfDocument* document, const char* name, int i_mesh) {
    elv_gltf_next(&document->nodes);
    elv_bytes_print(&document->nodes, "{\"name\":");
    elv_json_string(&document->nodes, name);
    elv_bytes_print(&document->nodes, ",\"mesh\":%d,\"skin\":%d}", i_mesh, document->n_skin);
    document->n_node++;
}

static void add_rods(ElvGltfDocument* document) {
    const ElvView* view = document->gltf->view;
    int first_node = 1;
    for (int i = 0; i < view->n_rod; i++) {
        const ElvViewRod* rod = &view->rod[i];
        ElvMesh mesh;
        elv_mesh_rod(rod, &mesh);
        int i_mesh = elv_gltf_mesh(document, rod->name, &mesh, true);
        document->binary->is_bad = document->binary->is_bad || mesh.is_bad;
        elv_mesh_free(&mesh);
        add_skin_node(document, rod->name, i_mesh);
        add_skin(document, rod->name, first_node, rod->n_station, place_station, rod);
        first_node += rod->n_station;
    }
}

// tendons, chambers and muscles as lines, drawn as they are in the first record
static void add_paths(ElvGltfDocument* document) {
    const ElvGltf* gltf = document->gltf;
    const ElvView* view = gltf->view;
    int i_track = gltf->n_track;
    for (int i = 0; i < view->n_path; i++) {
        i_track -= view->path[i].n_point;
    }
    for (int i = 0; i < view->n_path; i++) {
        const ElvViewPath* path = &view->path[i];
        ElvMesh line;
        if (!elv_mesh_line(path->n_point, &line)) {
            document->binary->is_bad = true;
            return;
        }
        for (int k = 0; k < path->n_point && gltf->n_frame > 0; k++) {
            float first[ELV_GLTF_TRACK];
            size_t at = (size_t)(i_track + k) * sizeof first;
            memcpy(first, gltf->frames.data + at, sizeof first);
            line.point[k].position = elv_vec3(first[0], first[1], first[2]);
        }
        add_skin_node(document, path->name, elv_gltf_line(document, path->name, &line));
        add_skin(document, path->name, 1 + i_track, path->n_point, place_point, &line);
        elv_mesh_free(&line);
        i_track += path->n_point;
    }
}

// ---- animation

// numbers first to first + n - 1 of a track over all frames
static void
add_channel(ElvGltfDocument* document, int i_track, int first, int n, const char* path, int input) {
    const ElvGltf* gltf = document->gltf;
    size_t begin = document->binary->n;
    for (size_t i = 0; i < gltf->n_frame; i++) {
        float number[ELV_GLTF_TRACK];
        size_t at = (i * (size_t)gltf->n_track + (size_t)i_track) * sizeof number;
        memcpy(number, gltf->frames.data + at, sizeof number);
        if (n == 1) {
            elv_bytes_f32(document->binary, 1.0);
            elv_bytes_f32(document->binary, number[first]);
        }
        for (int k = 0; k < n; k++) {
            elv_bytes_f32(document->binary, number[first + k]);
        }
    }
    int output = elv_gltf_accessor(document, begin, ELV_GLTF_FREE, ELV_GLTF_F32,
                                   n == 4 ? "VEC4" : "VEC3", gltf->n_frame, NULL, NULL, 0);
    elv_gltf_next(&document->samplers);
    elv_bytes_print(&document->samplers, "{\"input\":%d,\"output\":%d}", input, output);
    elv_gltf_next(&document->channels);
    elv_bytes_print(&document->channels,
                    "{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"%s\"}}",
                    document->n_sampler++, 1 + i_track, path);
}

static void add_animation(ElvGltfDocument* document) {
    const ElvGltf* gltf = document->gltf;
    if (gltf->n_frame == 0 || gltf->n_track == 0) {
        return;
    }
    size_t begin = document->binary->n;
    for (size_t i = 0; i < gltf->n_frame; i++) {
        float t = 0.0F;
        memcpy(&t, gltf->times.data + i * sizeof t, sizeof t);
        elv_bytes_f32(document->binary, t);
    }
    const double lo = 0.0;
    const double hi = gltf->t_end;
    int input = elv_gltf_accessor(document, begin, ELV_GLTF_FREE, ELV_GLTF_F32, "SCALAR",
                                  gltf->n_frame, &lo, &hi, 1);
    for (int i = 0; i < gltf->n_track; i++) {
        add_channel(document, i, 0, 3, "translation", input);
        if (!gltf->track[i].is_point) {
            add_channel(document, i, 3, 4, "rotation", input);
        }
        if (gltf->track[i].i_scale >= 0) {
            add_channel(document, i, 7, 1, "scale", input);
        }
    }
}

// ---- all of it

static void put_list(ElvBytes* json, const char* name, const ElvBytes* list) {
    if (list->n > 0) {
        elv_bytes_print(json, ",\n\"%s\":[\n", name);
        elv_bytes_put(json, list->data, list->n);
        elv_bytes_print(json, "\n]");
    }
}

static void put_materials(const ElvGltfDocument* document, ElvBytes* json) {
    const ElvView* view = document->gltf->view;
    static const char* const material[] = {
        "{\"name\":\"rods\",\"pbrMetallicRoughness\":{\"baseColorFactor\":"
        "[0.86,0.35,0.14,1],\"metallicFactor\":0,\"roughnessFactor\":0.6}}",
        "{\"name\":\"bodies\",\"pbrMetallicRoughness\":{\"baseColorFactor\":"
        "[0.28,0.42,0.62,1],\"metallicFactor\":0.1,\"roughnessFactor\":0.5}}",
        "{\"name\":\"paths\",\"pbrMetallicRoughness\":{\"baseColorFactor\":"
        "[0.05,0.06,0.08,1],\"metallicFactor\":0,\"roughnessFactor\":0.9}}"};
    const int n[] = {view->n_rod, view->n_body, view->n_path};
    ElvBytes list = {0};
    for (int i = 0; i < 3; i++) {
        if (n[i] > 0) {
            elv_gltf_next(&list);
            elv_bytes_print(&list, "%s", material[i]);
        }
    }
    put_list(json, "materials", &list);
    json->is_bad = json->is_bad || list.is_bad;
    elv_bytes_free(&list);
}

static void put_document(const ElvGltfDocument* document, ElvBytes* json) {
    const ElvGltf* gltf = document->gltf;
    elv_bytes_print(json, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"Elver %s\"},\n",
                    ELV_VERSION_STRING);
    // skins follow their joints alone, so that their own nodes stand beside the root
    elv_bytes_print(json, "\"scene\":0,\"scenes\":[{\"nodes\":[0");
    int n_child = 1 + gltf->n_track;
    for (int i = n_child; i < document->n_node; i++) {
        elv_bytes_print(json, ",%d", i);
    }
    elv_bytes_print(json, "]");
    if (gltf->title[0] != '\0') {
        elv_bytes_print(json, ",\"name\":");
        elv_json_string(json, gltf->title);
    }
    // a quarter turn about x: z becomes y
    elv_bytes_print(json, "}],\n\"nodes\":[\n{\"name\":\"elver\",\"rotation\":["
                          "-0.707106769,0,0,0.707106769]");
    elv_bytes_print(json, "%s", n_child > 1 ? ",\"children\":[" : "");
    for (int i = 1; i < n_child; i++) {
        elv_bytes_print(json, "%s%d", i > 1 ? "," : "", i);
    }
    elv_bytes_print(json, "%s}%s", n_child > 1 ? "]" : "", document->n_node > 1 ? ",\n" : "");
    elv_bytes_put(json, document->nodes.data, document->nodes.n);
    elv_bytes_print(json, "\n]");
    put_list(json, "meshes", &document->meshes);
    put_list(json, "skins", &document->skins);
    put_materials(document, json);
    put_list(json, "accessors", &document->accessors);
    put_list(json, "bufferViews", &document->views);
    if (document->n_sampler > 0) {
        elv_bytes_print(json, ",\n\"animations\":[{\"name\":\"motion\",\"samplers\":[\n");
        elv_bytes_put(json, document->samplers.data, document->samplers.n);
        elv_bytes_print(json, "\n],\"channels\":[\n");
        elv_bytes_put(json, document->channels.data, document->channels.n);
        elv_bytes_print(json, "\n]}]");
    }
    if (document->binary->n > 0) {
        elv_bytes_print(json, ",\n\"buffers\":[{\"byteLength\":%zu}]", document->binary->n);
    }
    elv_bytes_print(json, "}\n");
}

bool elv_gltf_describe(const ElvGltf* gltf, ElvBytes* json, ElvBytes* binary) {
    ElvGltfDocument document;
    memset(&document, 0, sizeof document);
    document.gltf = gltf;
    document.binary = binary;
    document.n_node = 1;
    add_tracks(&document);
    add_rods(&document);
    add_paths(&document);
    add_animation(&document);
    put_document(&document, json);
    ElvBytes* const list[] = {&document.nodes,
                              &document.meshes,
                              &document.skins,
                              &document.views,
                              &document.accessors,
                              &document.samplers,
                              &document.channels,
                              json,
                              binary};
    bool is_good = true;
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        is_good = is_good && !list[i]->is_bad;
        if (i < 7) {
            elv_bytes_free(list[i]);
        }
    }
    return is_good;
}
