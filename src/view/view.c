// SPDX-License-Identifier: Apache-2.0
// Views: the elements of a model that are drawn, given their places in a record one after the other (rods, bodies,
// frames, paths, arrows, signals), and the numbers of a record.
//
// Signals come last: some of them compute in the workspace again.
#include "view/view.h"

#include "view/view_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

ElvViewOptions elv_view_options_default(void) {
    ElvViewOptions options = {
        .has_strain = true, .has_stress = true, .has_forces = true, .signal = NULL, .n_signal = -1};
    return options;
}

ElvStatus elv_view_no_memory(ElvError* error) {
    return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
}

int elv_view_place(ElvView* view, int n) {
    int index = view->n_value;
    view->n_value += n;
    return index;
}

// ---- create

// "ROD.joint" is the joint at the root of a rod, and no body
static bool is_body(const ElvNode* node) {
    return !node->info.is_rod && !strchr(node->name, '.');
}

ElvViewBody* elv_view_body_at(const ElvView* view, int port) {
    for (int i = 0; i < view->n_body; i++) {
        if (view->body[i].i_port == port) {
            return &view->body[i];
        }
    }
    return NULL;
}

static ElvStatus add_bodies(ElvView* view, const ElvModel* model, ElvError* error) {
    view->body = elv_pool_take(&view->pool, (size_t)model->n_node, sizeof *view->body);
    if (!view->body) {
        return elv_view_no_memory(error);
    }
    for (int i = 0; i < model->n_node; i++) {
        const ElvNode* node = &model->node[i];
        if (!is_body(node)) {
            continue;
        }
        // parents come first, so that they are known here
        const ElvViewBody* parent = elv_view_body_at(view, node->parent_port);
        ElvViewBody* body = &view->body[view->n_body++];
        body->i_parent = parent ? parent->i_pose : -1;
        body->joint = node->offset.p;
        body->name = elv_pool_string(&view->pool, node->name);
        body->i_port = node->i_port;
        body->shape = node->shape;
        body->i_pose = elv_view_place(view, ELV_VIEW_POSE);
        if (!body->name) {
            return elv_view_no_memory(error);
        }
    }
    return ELV_OK;
}

static ElvStatus add_frames(ElvView* view, const ElvModel* model, ElvError* error) {
    view->frame = elv_pool_take(&view->pool, (size_t)model->n_frame, sizeof *view->frame);
    if (!view->frame) {
        return elv_view_no_memory(error);
    }
    for (int i = 0; i < model->n_frame; i++) {
        ElvViewFrame* frame = &view->frame[view->n_frame++];
        frame->name = elv_pool_string(&view->pool, model->frame[i].name);
        frame->frame = model->frame[i].frame;
        frame->i_pose = elv_view_place(view, ELV_VIEW_POSE);
        if (!frame->name) {
            return elv_view_no_memory(error);
        }
    }
    return ELV_OK;
}

static ElvStatus
add_signals(ElvView* view, const ElvModel* model, const ElvViewOptions* options, ElvError* error) {
    bool is_own = options->n_signal >= 0;
    ElvStatus status = elv_signals_create(model, is_own ? options->signal : model->record.signal,
                                          is_own ? options->n_signal : model->record.n_signal,
                                          &view->signals, error);
    if (status == ELV_OK) {
        view->n_signal = elv_signals_n_column(view->signals);
        view->i_signal = elv_view_place(view, view->n_signal);
    }
    return status;
}

static ElvStatus
fill(ElvView* view, const ElvModel* model, const ElvViewOptions* options, ElvError* error) {
    ElvStatus status = elv_view_add_rods(view, model, options, error);
    status = status == ELV_OK ? add_bodies(view, model, error) : status;
    status = status == ELV_OK ? elv_view_add_sticks(view, model, error) : status;
    status = status == ELV_OK ? add_frames(view, model, error) : status;
    status = status == ELV_OK ? elv_view_add_paths(view, model, error) : status;
    if (status == ELV_OK && options->has_forces) {
        status = elv_view_add_arrows(view, model, error);
    }
    status = status == ELV_OK ? add_signals(view, model, options, error) : status;
    status = status == ELV_OK ? elv_view_number(view, error) : status;
    if (status != ELV_OK) {
        return status;
    }
    size_t n_last = (size_t)view->n_rod + (size_t)view->n_body + (size_t)view->n_frame;
    view->last = elv_pool_take(&view->pool, n_last, sizeof *view->last);
    if (!view->last) {
        return elv_view_no_memory(error);
    }
    for (size_t i = 0; i < n_last; i++) {
        view->last[i] = elv_quat_identity();
    }
    return ELV_OK;
}

ElvStatus elv_view_create(const ElvModel* model,
                          const ElvViewOptions* options,
                          ElvView** view,
                          ElvError* error) {
    ElvViewOptions used = options ? *options : elv_view_options_default();
    *view = NULL;
    bool is_good =
        used.stations == 0 || (used.stations >= 2 && used.stations <= ELV_VIEW_STATIONS_MAX);
    if (!is_good) {
        return elv_error_set(error, ELV_ERROR_INPUT, "view", "stations",
                             "a rod is drawn by 2 to %d sections, not %d", ELV_VIEW_STATIONS_MAX,
                             used.stations);
    }
    ElvView* made = calloc(1, sizeof *made);
    if (!made) {
        return elv_view_no_memory(error);
    }
    made->model = model;
    made->size = model->size;
    made->is_statics = used.is_statics;
    ElvStatus status = fill(made, model, &used, error);
    if (status != ELV_OK) {
        elv_view_free(made);
        return status;
    }
    *view = made;
    return ELV_OK;
}

void elv_view_free(ElvView* view) {
    if (view) {
        elv_signals_free(view->signals);
        elv_pool_free(&view->pool);
        free(view);
    }
}

int elv_view_n_value(const ElvView* view) {
    return view->n_value;
}

// ---- numbers

void elv_view_put_pose(ElvPose pose, ElvQuat* last, double* value) {
    ElvQuat q = elv_quat_from_matrix(pose.R);
    double dot = q.w * last->w + q.x * last->x + q.y * last->y + q.z * last->z;
    q = dot < 0.0 ? elv_quat(-q.w, -q.x, -q.y, -q.z) : q;
    // what is not finite must not be remembered
    *last = isfinite(dot) ? q : *last;
    elv_view_put_vec3(pose.p, value);
    value[3] = q.w;
    elv_view_put_vec3(elv_vec3(q.x, q.y, q.z), value + 4);
}

// inputs of channels: tensions, pressures, activations
static void see_inputs(const ElvScene* scene) {
    const struct ElvFieldSource* source = scene->data->source;
    if (source) {
        elv_device_see(scene->model, scene->data, scene->state);
    } else {
        elv_device_input(scene->model, scene->data, scene->state);
    }
}

void elv_view_eval(
    ElvView* view, const ElvModel* model, ElvData* data, const ElvState* state, double* value) {
    ElvScene scene = {model, data, state, NULL};
    ElvQuat* last = view->last + view->n_rod;
    elv_view_eval_rods(view, &scene, value);
    for (int i = 0; i < view->n_body; i++) {
        ElvFrame frame = {view->body[i].i_port, elv_pose_identity()};
        elv_view_put_pose(elv_frame_pose(model, data, frame), last++, value + view->body[i].i_pose);
    }
    for (int i = 0; i < view->n_frame; i++) {
        elv_view_put_pose(elv_frame_pose(model, data, view->frame[i].frame), last++,
                          value + view->frame[i].i_pose);
    }
    if (view->n_path > 0) {
        see_inputs(&scene);
    }
    elv_view_eval_paths(view, &scene, value);
    elv_view_eval_arrows(view, &scene, value);
    elv_signals_eval(view->signals, model, data, state, value + view->i_signal);
    for (int i = 0; i < view->n_value; i++) {
        value[i] = isfinite(value[i]) ? value[i] : 0.0;
    }
}
