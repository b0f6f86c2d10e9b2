// SPDX-License-Identifier: Apache-2.0
// What every number of a record is: files keep positions, orientations, fields and signals with different care
// (view_pack.c). Fields of a rod are groups: their numbers share one range.
#include "view/view_parts.h"

static void set(ElvView* view, int i, int n, ElvViewNumberKind kind, int group) {
    for (int k = 0; k < n; k++) {
        view->number[i + k] = (ElvViewNumber){kind, group};
    }
}

static void set_pose(ElvView* view, int i) {
    set(view, i, 3, ELV_NUMBER_POSITION, 0);
    set(view, i + 3, 4, ELV_NUMBER_QUATERNION, 0);
}

static void set_rod(ElvView* view, const ElvViewRod* rod) {
    static const ElvViewNumberKind kinds[4] = {ELV_NUMBER_CURVATURE, ELV_NUMBER_STRAIN,
                                               ELV_NUMBER_MOMENT, ELV_NUMBER_FORCE};
    for (int i = 0; i < rod->n_station; i++) {
        set_pose(view, rod->i_pose + ELV_VIEW_POSE * i);
    }
    for (int k = 0; k < ELV_VIEW_FIELDS; k++) {
        if (rod->i_field[k] >= 0) {
            set(view, rod->i_field[k], rod->n_station, kinds[k / 3], view->n_group++);
        }
    }
    if (rod->i_scale >= 0) {
        set(view, rod->i_scale, rod->n_station, ELV_NUMBER_VALUE, view->n_group++);
    }
}

ElvStatus elv_view_number(ElvView* view, ElvError* error) {
    view->number = elv_pool_take(&view->pool, (size_t)view->n_value, sizeof *view->number);
    if (!view->number) {
        return elv_view_no_memory(error);
    }
    // group 0 is that of all positions and orientations
    view->n_group = 1;
    for (int i = 0; i < view->n_rod; i++) {
        set_rod(view, &view->rod[i]);
    }
    for (int i = 0; i < view->n_body; i++) {
        set_pose(view, view->body[i].i_pose);
    }
    for (int i = 0; i < view->n_frame; i++) {
        set_pose(view, view->frame[i].i_pose);
    }
    for (int i = 0; i < view->n_path; i++) {
        const ElvViewPath* path = &view->path[i];
        set(view, path->i_points, 3 * path->n_point, ELV_NUMBER_POSITION, 0);
        set(view, path->i_value, 1, ELV_NUMBER_VALUE, view->n_group++);
    }
    for (int i = 0; i < view->n_arrow; i++) {
        set(view, view->arrow[i].index, 3, ELV_NUMBER_POSITION, 0);
        set(view, view->arrow[i].index + 3, 3, ELV_NUMBER_ARROW, view->n_group++);
    }
    for (int i = 0; i < view->n_signal; i++) {
        set(view, view->i_signal + i, 1, ELV_NUMBER_SIGNAL, view->n_group++);
    }
    return ELV_OK;
}
