// SPDX-License-Identifier: Apache-2.0
// Tendons, chambers and muscles of a view, as points along their paths: where a path runs through a rod, in the
// sections that are drawn and as many between them as its windings ask for; where it is straight, its ends. What they
// are coloured by is the tension where a tendon is pulled, the pressure of a chamber, the activation of a muscle in
// the middle of its path.
#include "view/view_parts.h"

#include "multibody/muscle.h"
#include "multibody/tendon.h"
#include "rod/rod_active.h"

#include <math.h>
#include <string.h>

enum { TURN = 12, MAX_POINT = 1024 }; // points in a winding, points of a path through one rod

// widths of tendons and muscles, in widths of the rod; without rods, in sizes of the robot
static const double TENDON_WIDTH = 0.08, MUSCLE_WIDTH = 0.16, FREE_WIDTH = 0.004;

// ---- points

static ElvStatus
add_point(ElvView* view, ElvViewPath* path, const ElvViewPoint* point, ElvError* error) {
    ElvViewPoint* grown =
        elv_pool_grow(&view->pool, path->point, path->n_point, sizeof *path->point);
    if (!grown) {
        return elv_view_no_memory(error);
    }
    path->point = grown;
    path->point[path->n_point++] = *point;
    return ELV_OK;
}

static int rod_of_node(const ElvView* view, int i_node) {
    for (int i = 0; i < view->n_rod; i++) {
        if (view->rod[i].i_node == i_node) {
            return i;
        }
    }
    return -1;
}

// the station of a rod that s is, or -1
static int station_at(const ElvViewRod* rod, double s) {
    int i = (int)lround(s * (rod->n_station - 1));
    return elv_same_station(rod->station[i], s) ? i : -1;
}

// the fibre of a rod that a channel of the model leads
static const ElvRodFibre* fibre_of(const ElvModel* model, int i_node, int i_channel) {
    const ElvNode* node = &model->node[i_node];
    const ElvRod* rod = (const ElvRod*)node->joint;
    return &rod->active->fibre[rod->active->fibre_of[i_channel - node->i_channel]].def;
}

// the node whose channel it is
static int node_of_channel(const ElvModel* model, int i_channel) {
    int i = 0;
    while (i_channel >= model->node[i].i_channel + model->node[i].joint->n_channel) {
        i++;
    }
    return i;
}

// parts between two stations of the rod, so that windings are seen
static int subdivisions(const ElvViewRod* rod, const ElvRodFibre* fibre) {
    double n_between = (fibre->to - fibre->from) * (rod->n_station - 1);
    double wanted = (double)TURN * elv_fibre_pieces(fibre);
    bool is_straight = elv_fibre_pieces(fibre) <= 1 && elv_law_kind(fibre->y) == ELV_LAW_CONSTANT &&
                       elv_law_kind(fibre->z) == ELV_LAW_CONSTANT;
    double most = (double)MAX_POINT / rod->n_station;
    double n = is_straight ? 1.0 : ceil(wanted / fmax(n_between, 1.0));
    return (int)fmax(1.0, fmin(n, most));
}

// stations of a fibre from root to tip: its ends, and what lies between; returns how many, at most MAX_POINT + 2
static int
list_stations(const ElvViewRod* rod, const ElvRodFibre* fibre, double station[MAX_POINT + 2]) {
    int n_part = subdivisions(rod, fibre);
    int n_all = (rod->n_station - 1) * n_part;
    int n = 0;
    station[n++] = fibre->from;
    for (int i = 0; i <= n_all && n <= MAX_POINT; i++) {
        double s = (double)i / n_all;
        if (s > fibre->from && s < fibre->to && !elv_same_station(s, fibre->from) &&
            !elv_same_station(s, fibre->to)) {
            station[n++] = s;
        }
    }
    station[n++] = fibre->to;
    return n;
}

// the way of a fibre through its rod; where it goes on, its first point is the last one that is there
static ElvStatus
add_fibre(ElvView* view, ElvViewPath* path, int i_node, const ElvRodFibre* fibre, ElvError* error) {
    int i_rod = rod_of_node(view, i_node);
    const ElvViewRod* rod = &view->rod[i_rod];
    double station[MAX_POINT + 2];
    int n = list_stations(rod, fibre, station);
    ElvStatus status = ELV_OK;
    for (int i = path->n_point > 0 ? 1 : 0; i < n && status == ELV_OK; i++) {
        double s = station[fibre->is_reversed ? n - 1 - i : i];
        ElvVec3 place =
            elv_vec3(0.0, elv_law_value(fibre->y, 0.0, s), elv_law_value(fibre->z, 0.0, s));
        ElvViewPoint point = {i_rod, station_at(rod, s), s, 0, place};
        status = add_point(view, path, &point, error);
    }
    return status;
}

static ElvStatus
add_strand(ElvView* view, ElvViewPath* path, const ElvTendonStrand* strand, ElvError* error) {
    ElvStatus status = ELV_OK;
    for (int k = path->n_point > 0 ? 1 : 0; k < 2 && status == ELV_OK; k++) {
        const ElvFrame* end = &strand->end[k];
        ElvViewPoint point = {-1, -1, 0.0, end->port, end->pose.p};
        status = add_point(view, path, &point, error);
    }
    return status;
}

// strands before the first stretch, then each stretch with the strands behind it
static ElvStatus add_tendon(ElvView* view,
                            const ElvModel* model,
                            const ElvTendon* tendon,
                            ElvViewPath* path,
                            ElvError* error) {
    ElvStatus status = ELV_OK;
    for (int i = -1; i < tendon->n_stretch; i++) {
        if (i >= 0) {
            const ElvTendonStretch* stretch = &tendon->stretch[i];
            status = add_fibre(view, path, stretch->i_node,
                               fibre_of(model, stretch->i_node, stretch->i_channel), error);
        }
        for (int k = 0; k < tendon->n_strand && status == ELV_OK; k++) {
            if (tendon->strand[k].stretch == i) {
                status = add_strand(view, path, &tendon->strand[k], error);
            }
        }
        if (status != ELV_OK) {
            return status;
        }
    }
    return status;
}

// ---- create

static bool path_kind(const ElvDevice* device, ElvViewPathKind* kind) {
    const ElvDeviceOps* ops = device->ops;
    bool is_tendon = ops == &ELV_TENDON_OPS || ops == &ELV_TENDON_EXPLICIT_OPS;
    bool is_muscle = ops == &ELV_MUSCLE_OPS || ops == &ELV_PATTERN_MUSCLE_OPS;
    *kind = is_tendon ? ELV_VIEW_TENDON : is_muscle ? ELV_VIEW_MUSCLE : ELV_VIEW_CHAMBER;
    return is_tendon || is_muscle || ops == &ELV_CHAMBER_OPS;
}

static int channel_of(const ElvDevice* device, ElvViewPathKind kind) {
    return kind == ELV_VIEW_CHAMBER ? ((const ElvChamber*)device)->i_channel
                                    : ((const ElvMuscle*)device)->i_channel;
}

static double path_width(const ElvView* view, const ElvViewPath* path, const ElvRodFibre* fibre) {
    static const double PI = 3.14159265358979323846;
    int i_rod = -1;
    for (int i = 0; i < path->n_point && i_rod < 0; i++) {
        i_rod = path->point[i].i_rod;
    }
    if (fibre && path->kind == ELV_VIEW_CHAMBER && fibre->profile) {
        double area = elv_law_value(fibre->profile, 0.0, 0.5 * (fibre->from + fibre->to));
        return area > 0.0 ? sqrt(4.0 / PI * area) : FREE_WIDTH * view->size;
    }
    if (i_rod < 0) {
        return FREE_WIDTH * view->size;
    }
    const ElvViewRod* rod = &view->rod[i_rod];
    int middle = rod->n_station / 2;
    double thin = fmin(rod->width[0][middle], rod->width[1][middle]);
    return thin * (path->kind == ELV_VIEW_TENDON ? TENDON_WIDTH : MUSCLE_WIDTH);
}

static ElvStatus add_path(ElvView* view, const ElvModel* model, int i_device, ElvError* error) {
    static const char* const unit[] = {"N", "Pa", "-"};
    const ElvDevice* device = model->device[i_device];
    ElvViewPath* path = &view->path[view->n_path];
    const ElvRodFibre* fibre = NULL;
    ElvStatus status = ELV_OK;
    (void)path_kind(device, &path->kind);
    path->name = elv_pool_string(&view->pool, device->name);
    if (!path->name) {
        return elv_view_no_memory(error);
    }
    path->i_device = i_device;
    path->unit = unit[path->kind];
    if (path->kind == ELV_VIEW_TENDON) {
        status = add_tendon(view, model, (const ElvTendon*)device, path, error);
    } else {
        int i_channel = channel_of(device, path->kind);
        int i_node = node_of_channel(model, i_channel);
        fibre = fibre_of(model, i_node, i_channel);
        status = add_fibre(view, path, i_node, fibre, error);
    }
    if (status != ELV_OK) {
        return status;
    }
    path->width = path_width(view, path, fibre);
    path->i_points = elv_view_place(view, 3 * path->n_point);
    path->i_value = elv_view_place(view, 1);
    view->n_path++;
    return ELV_OK;
}

ElvStatus elv_view_add_paths(ElvView* view, const ElvModel* model, ElvError* error) {
    ElvViewPathKind kind;
    view->path = elv_pool_take(&view->pool, (size_t)model->n_device, sizeof *view->path);
    if (!view->path) {
        return elv_view_no_memory(error);
    }
    ElvStatus status = ELV_OK;
    for (int i = 0; i < model->n_device && status == ELV_OK; i++) {
        if (path_kind(model->device[i], &kind)) {
            status = add_path(view, model, i, error);
        }
    }
    return status;
}

// ---- numbers

static ElvVec3 point_at(const ElvView* view, const ElvScene* scene, const ElvViewPoint* point) {
    if (point->i_rod < 0) {
        ElvFrame frame = {point->port, elv_pose_identity()};
        return elv_pose_apply(elv_frame_pose(scene->model, scene->data, frame), point->place);
    }
    const ElvViewRod* rod = &view->rod[point->i_rod];
    if (point->i_station >= 0) {
        return elv_pose_apply(rod->pose[point->i_station], point->place);
    }
    ElvPose pose;
    elv_rod_section(scene->model, scene->data, scene->state, rod->i_node, point->s, &pose, NULL,
                    NULL);
    return elv_pose_apply(pose, point->place);
}

static double path_value(const ElvViewPath* path, const ElvScene* scene) {
    const ElvDevice* device = scene->model->device[path->i_device];
    if (path->kind == ELV_VIEW_TENDON) {
        return elv_tendon_first_tension((const ElvTendon*)device, scene);
    }
    double u = scene->data->u[channel_of(device, path->kind)];
    const ElvMuscle* muscle = (const ElvMuscle*)device;
    if (path->kind == ELV_VIEW_MUSCLE && muscle->activation) {
        double middle = 0.5 * (muscle->from + muscle->to);
        return u * elv_law_value(muscle->activation, scene->state->t, middle);
    }
    return u;
}

void elv_view_eval_paths(ElvView* view, const ElvScene* scene, double* value) {
    for (int i = 0; i < view->n_path; i++) {
        const ElvViewPath* path = &view->path[i];
        for (int k = 0; k < path->n_point; k++) {
            elv_view_put_vec3(point_at(view, scene, &path->point[k]),
                              value + path->i_points + 3 * k);
        }
        value[path->i_value] = path_value(path, scene);
    }
}
