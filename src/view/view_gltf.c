// SPDX-License-Identifier: Apache-2.0
// glTF 2.0 in one binary file: rods as skins over one joint a station, bodies and what they look like as nodes, and an
// animation of all of them. Everything hangs on one node that turns z upwards into the y of glTF. Records are kept as
// numbers of 32 bits until the file is closed; those whose time does not grow are left out.
#include "view/view_gltf.h"
#include "view/view_bytes.h"
#include "view/view_file.h"
#include "view/view_parts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ElvStatus fail_write(const char* path, int code, ElvError* error) {
    return elv_error_set(error, ELV_ERROR_FILE, NULL, NULL, "cannot write '%.400s': %s", path,
                         strerror(code));
}

static void gltf_discard(void* writer) {
    ElvGltf* gltf = writer;
    remove(gltf->part);
    elv_bytes_free(&gltf->frames);
    elv_bytes_free(&gltf->times);
    elv_pool_free(&gltf->pool);
    free(gltf);
}

static ElvStatus gltf_create(const char* path, void** writer, ElvError* error) {
    *writer = NULL;
    ElvGltf* gltf = calloc(1, sizeof *gltf);
    if (!gltf) {
        return elv_view_no_memory(error);
    }
    int n = snprintf(gltf->path, sizeof gltf->path, "%s", path);
    snprintf(gltf->part, sizeof gltf->part, "%s.part", gltf->path);
    // that it can be written is better known now
    int code = n < (int)sizeof gltf->path ? elv_bytes_write(gltf->part, NULL, 0) : ENAMETOOLONG;
    if (code != 0) {
        free(gltf);
        return fail_write(path, code, error);
    }
    *writer = gltf;
    return ELV_OK;
}

// ---- what moves

static void add_track(ElvGltf* gltf, int i_pose, int i_scale, bool is_point) {
    ElvGltfTrack* track = &gltf->track[gltf->n_track++];
    track->i_pose = i_pose;
    track->i_scale = i_scale;
    track->is_point = is_point;
}

static ElvStatus gltf_begin(void* writer, const ElvView* view, const char* title, ElvError* error) {
    ElvGltf* gltf = writer;
    size_t n_track = (size_t)view->n_body;
    for (int i = 0; i < view->n_rod; i++) {
        n_track += (size_t)view->rod[i].n_station;
    }
    for (int i = 0; i < view->n_path; i++) {
        n_track += (size_t)view->path[i].n_point;
    }
    gltf->view = view;
    gltf->title = title ? elv_pool_string(&gltf->pool, title) : "";
    gltf->track = elv_pool_take(&gltf->pool, n_track, sizeof *gltf->track);
    if (!gltf->title || !gltf->track) {
        return elv_view_no_memory(error);
    }
    for (int i = 0; i < view->n_rod; i++) {
        const ElvViewRod* rod = &view->rod[i];
        for (int k = 0; k < rod->n_station; k++) {
            add_track(gltf, rod->i_pose + ELV_VIEW_POSE * k,
                      rod->i_scale < 0 ? -1 : rod->i_scale + k, false);
        }
    }
    for (int i = 0; i < view->n_body; i++) {
        add_track(gltf, view->body[i].i_pose, -1, false);
    }
    for (int i = 0; i < view->n_path; i++) {
        for (int k = 0; k < view->path[i].n_point; k++) {
            add_track(gltf, view->path[i].i_points + 3 * k, -1, true);
        }
    }
    return ELV_OK;
}

// eight numbers a track: position, quaternion x, y, z, w, scale of the section
static ElvStatus gltf_append(void* writer, ElvViewPicture* picture, ElvError* error) {
    ElvGltf* gltf = writer;
    const double* value = picture->value;
    gltf->t_begin = gltf->n_frame > 0 ? gltf->t_begin : picture->t;
    // pictures begin at zero
    float narrow = (float)(picture->t - gltf->t_begin);
    picture->is_left_out = gltf->n_frame > 0 && narrow <= gltf->t_end;
    if (picture->is_left_out) {
        return ELV_OK;
    }
    for (int i = 0; i < gltf->n_track; i++) {
        const ElvGltfTrack* track = &gltf->track[i];
        const double* pose = value + track->i_pose;
        float number[ELV_GLTF_TRACK] = {(float)pose[0], (float)pose[1], (float)pose[2], 0.0F,
                                        0.0F,           0.0F,           1.0F,           1.0F};
        for (int k = 0; k < 4 && !track->is_point; k++) {
            number[3 + k] = (float)pose[k < 3 ? 4 + k : 3];
        }
        if (track->i_scale >= 0) {
            number[7] = (float)value[track->i_scale];
        }
        elv_bytes_put(&gltf->frames, number, sizeof number);
    }
    elv_bytes_put(&gltf->times, &narrow, sizeof narrow);
    if (gltf->frames.is_bad || gltf->times.is_bad) {
        return elv_view_no_memory(error);
    }
    gltf->t_end = narrow;
    gltf->n_frame++;
    return ELV_OK;
}

// ---- the file

// header and two pieces, each behind its length and kind
static int write_file(const char* path, ElvBytes* json, ElvBytes* binary) {
    ElvBytes piece[4];
    memset(piece, 0, sizeof piece);
    elv_bytes_align(json, ' ');
    elv_bytes_align(binary, 0);
    elv_bytes_put(&piece[0], "glTF", 4);
    elv_bytes_u32(&piece[0], 2);
    elv_bytes_u32(&piece[0], (uint32_t)(12 + 8 + json->n + 8 + binary->n));
    elv_bytes_u32(&piece[0], (uint32_t)json->n);
    elv_bytes_put(&piece[0], "JSON", 4);
    elv_bytes_u32(&piece[2], (uint32_t)binary->n);
    elv_bytes_put(&piece[2], "BIN\0", 4);
    piece[1] = *json;
    piece[3] = *binary;
    bool is_bad = piece[0].is_bad || piece[2].is_bad || json->is_bad || binary->is_bad;
    int code = is_bad ? ENOMEM : 0;
    if (code == 0 && (uint64_t)json->n + binary->n > UINT32_MAX - 64) {
        code = EFBIG;
    }
    code = code == 0 ? elv_bytes_write(path, piece, 4) : code;
    elv_bytes_free(&piece[0]);
    elv_bytes_free(&piece[2]);
    return code;
}

static ElvStatus gltf_close(void* writer, ElvError* error) {
    ElvGltf* gltf = writer;
    ElvBytes json = {0};
    ElvBytes binary = {0};
    ElvStatus status = ELV_OK;
    if (!elv_gltf_describe(gltf, &json, &binary)) {
        status = elv_view_no_memory(error);
    } else {
        int code = write_file(gltf->part, &json, &binary);
        if (code == 0 && rename(gltf->part, gltf->path) != 0) {
            code = errno;
        }
        status = code != 0 ? fail_write(gltf->path, code, error) : ELV_OK;
    }
    elv_bytes_free(&json);
    elv_bytes_free(&binary);
    gltf_discard(gltf);
    return status;
}

const ElvViewFileOps ELV_VIEW_GLTF = {
    .ending = ".glb",
    .max_trajectory = 1,
    .create = gltf_create,
    .begin = gltf_begin,
    .append = gltf_append,
    .close = gltf_close,
    .discard = gltf_discard,
};
