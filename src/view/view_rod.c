// SPDX-License-Identifier: Apache-2.0
// Rods of a view: poses of sections at equally spaced stations, the fields that they may be coloured by, and the
// outline of the sections. Those of rods with modes are gone through from root to tip; others (spectral ones, methods
// without modes) come from elv_rod_section one by one.
//
// A section that is no circle, ellipse or rectangle is drawn as the circle of its area; without an area, as one of a
// fiftieth of the length of the rod.
#include "view/view_parts.h"

#include "multibody/section.h"
#include "rod/rod_part.h"

#include <math.h>
#include <string.h>

// stations of a rod where none are asked for: fewer in crowds, whose pictures must load
enum { STATIONS = 17, STATIONS_CROWD = 9, CROWD = 24 };

static const double THIN = 1.0 / 50.0; // width of a rod without sections, in lengths

// ---- sections

static const ElvRod* rod_of(const ElvModel* model, int i_node) {
    return (const ElvRod*)model->node[i_node].joint;
}

static ElvSectionKind drawn_section(ElvSectionKind kind) {
    return kind == ELV_SECTION_ELLIPSE || kind == ELV_SECTION_RECTANGLE ? kind : ELV_SECTION_CIRCLE;
}

// full widths at station s; what is not a width is thin
static void widths_at(const ElvRod* rod, double s, double width[2]) {
    static const double PI = 3.14159265358979323846;
    const ElvCrossSection* section = rod->section;
    width[0] = width[1] = 0.0;
    if (section->kind == ELV_SECTION_EXPLICIT) {
        width[0] = width[1] = sqrt(4.0 / PI * elv_law_value(section->area, 0.0, s));
    } else if (section->kind != ELV_SECTION_NONE) {
        bool is_round = section->kind == ELV_SECTION_CIRCLE;
        width[0] = elv_law_value(section->outer[0], 0.0, s);
        width[1] = is_round ? width[0] : elv_law_value(section->outer[1], 0.0, s);
    }
    for (int k = 0; k < 2; k++) {
        bool is_width = isfinite(width[k]) && width[k] > 0.0;
        width[k] = is_width ? width[k] : THIN * rod->length;
    }
}

// ---- fields

// whether strains do not come from modes, so that any of them may vary
static bool is_without_modes(const ElvModel* model) {
    return elv_method_is_strong(model->simulate.method) ||
           model->statics.method == ELV_STATICS_SHOOTING || model->inverse.has_tip;
}

static bool can_vary(const ElvModel* model, const ElvViewRod* rod, int strain) {
    const ElvNodeInfo* info = &model->node[rod->i_node].info;
    return info->modes[strain] > 0 || rod_of(model, rod->i_node)->motion[strain] != NULL ||
           is_without_modes(model);
}

static void
place_fields(ElvView* view, const ElvModel* model, const ElvViewOptions* options, ElvViewRod* rod) {
    for (int k = 0; k < ELV_VIEW_FIELDS; k++) {
        bool is_stress = k >= ELV_N_STRAIN;
        bool has_one =
            is_stress ? options->has_stress : options->has_strain && can_vary(model, rod, k);
        rod->i_field[k] = has_one ? elv_view_place(view, rod->n_station) : -1;
    }
    bool keeps_volume = rod_of(model, rod->i_node)->keeps_volume;
    rod->i_scale = keeps_volume ? elv_view_place(view, rod->n_station) : -1;
}

// ---- create

static ElvStatus add_rod(ElvView* view,
                         const ElvModel* model,
                         int i_node,
                         int n_station,
                         const ElvViewOptions* options,
                         ElvError* error) {
    const ElvRod* from = rod_of(model, i_node);
    size_t n = (size_t)n_station;
    ElvViewRod* rod = &view->rod[view->n_rod];
    rod->name = elv_pool_string(&view->pool, model->node[i_node].name);
    rod->station = elv_pool_take(&view->pool, n, sizeof *rod->station);
    rod->width[0] = elv_pool_take(&view->pool, n, sizeof *rod->width[0]);
    rod->width[1] = elv_pool_take(&view->pool, n, sizeof *rod->width[1]);
    rod->pose = elv_pool_take(&view->pool, n, sizeof *rod->pose);
    if (!rod->name || !rod->station || !rod->width[0] || !rod->width[1] || !rod->pose) {
        return elv_view_no_memory(error);
    }
    rod->i_node = i_node;
    rod->length = from->length;
    rod->n_station = n_station;
    rod->section = drawn_section(from->section->kind);
    for (int i = 0; i < n_station; i++) {
        double width[2];
        rod->station[i] = (double)i / (n_station - 1);
        widths_at(from, rod->station[i], width);
        rod->width[0][i] = width[0];
        rod->width[1][i] = width[1];
    }
    rod->i_pose = elv_view_place(view, ELV_VIEW_POSE * n_station);
    place_fields(view, model, options, rod);
    view->n_rod++;
    return ELV_OK;
}

ElvStatus elv_view_add_rods(ElvView* view,
                            const ElvModel* model,
                            const ElvViewOptions* options,
                            ElvError* error) {
    int n_rod = 0;
    for (int i = 0; i < model->n_node; i++) {
        n_rod += model->node[i].info.is_rod;
    }
    view->rod = elv_pool_take(&view->pool, (size_t)n_rod, sizeof *view->rod);
    if (!view->rod) {
        return elv_view_no_memory(error);
    }
    int n_station = options->stations;
    if (n_station == 0) {
        n_station = n_rod > CROWD ? STATIONS_CROWD : STATIONS;
    }
    ElvStatus status = ELV_OK;
    for (int i = 0; i < model->n_node && status == ELV_OK; i++) {
        if (model->node[i].info.is_rod) {
            status = add_rod(view, model, i, n_station, options, error);
        }
    }
    return status;
}

// ---- numbers

// where sections keep their volume, A Gamma is the same, and widths go with the root of A
static double scale_at(const ElvRod* rod, double s, double stretch) {
    double rest = elv_law_value(rod->reference[ELV_STRAIN_STRETCH], 0.0, s);
    return stretch > 0.0 && rest > 0.0 ? sqrt(rest / stretch) : 1.0;
}

// fields of the section at station i
static void put_fields(const ElvViewRod* rod,
                       const ElvModel* model,
                       int i,
                       ElvTwist strain,
                       ElvWrench lam,
                       double* value) {
    double field[ELV_VIEW_FIELDS];
    elv_twist_to_array(strain, field);
    elv_wrench_to_array(lam, field + ELV_N_STRAIN);
    for (int k = 0; k < ELV_VIEW_FIELDS; k++) {
        if (rod->i_field[k] >= 0) {
            value[rod->i_field[k] + i] = field[k];
        }
    }
    if (rod->i_scale >= 0) {
        value[rod->i_scale + i] =
            scale_at(rod_of(model, rod->i_node), rod->station[i], strain.lin.x);
    }
}

// whether some field k in begin .. end - 1 is wanted
static bool has_field(const ElvViewRod* rod, int begin, int end) {
    for (int k = begin; k < end; k++) {
        if (rod->i_field[k] >= 0) {
            return true;
        }
    }
    return false;
}

// a section of a rod, and the pose from which the next one is reached
typedef struct {
    int i_segment; // -1: none yet
    double s;
    ElvPose g; // one frame
} Place;

// whether poses follow from those before
static bool is_marched(const ElvRod* rod, const ElvScene* scene) {
    return !scene->data->source && rod->space == ELV_SPACE_QUADRATURE;
}

// on to station s, which is not before the last one; every segment starts from its own pose
static void march(const ElvRod* rod, const ElvRodWork* work, const double* q, double s, Place* at) {
    int i_segment = elv_rod_segment_at(rod, s);
    if (i_segment != at->i_segment) {
        *at = (Place){i_segment, rod->segment[i_segment].s0, work->end[i_segment].g};
    }
    if (elv_same_station(s, rod->segment[i_segment].s1)) {
        at->g = work->end[i_segment + 1].g;
    } else if (s > at->s) {
        at->g = elv_rod_part_advance(rod, q, i_segment, at->s, s, at->g);
    }
    at->s = s;
}

static void section_at(const ElvViewRod* view_rod,
                       const ElvScene* scene,
                       int i,
                       Place* at,
                       ElvPose* pose,
                       ElvTwist* strain,
                       ElvWrench* lam) {
    int i_node = view_rod->i_node;
    double s = view_rod->station[i];
    const ElvRod* rod = rod_of(scene->model, i_node);
    const double* q = scene->state->q + scene->model->node[i_node].i_q;
    if (!is_marched(rod, scene)) {
        elv_rod_section(scene->model, scene->data, scene->state, i_node, s, pose, strain, lam);
        return;
    }
    march(rod, scene->data->work[i_node], q, s, at);
    *pose = at->g;
    pose->p = elv_vec3_add(at->g.p, scene->data->origin);
    if (strain) {
        *strain = elv_rod_strain_at(rod, q, s);
    }
    if (lam) {
        *lam = elv_rod_wrench_at(scene->model, scene->data, scene->state, i_node, s, at->g);
    }
}

static void eval_rod(ElvViewRod* rod, const ElvScene* scene, ElvQuat* last, double* value) {
    bool has_strain = has_field(rod, 0, ELV_N_STRAIN) || rod->i_scale >= 0;
    bool has_stress = has_field(rod, ELV_N_STRAIN, ELV_VIEW_FIELDS);
    Place at = {-1, 0.0, elv_pose_identity()};
    ElvQuat along = *last;
    for (int i = 0; i < rod->n_station; i++) {
        ElvTwist strain = elv_twist_zero();
        ElvWrench lam = elv_wrench_zero();
        section_at(rod, scene, i, &at, &rod->pose[i], has_strain ? &strain : NULL,
                   has_stress ? &lam : NULL);
        elv_view_put_pose(rod->pose[i], &along, value + rod->i_pose + ELV_VIEW_POSE * i);
        *last = i == 0 ? along : *last;
        put_fields(rod, scene->model, i, strain, lam, value);
    }
}

void elv_view_eval_rods(ElvView* view, const ElvScene* scene, double* value) {
    for (int i = 0; i < view->n_rod; i++) {
        eval_rod(&view->rod[i], scene, &view->last[i], value);
    }
}
