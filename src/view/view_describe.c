// SPDX-License-Identifier: Apache-2.0
// The description of a view as JSON text (docs/viewer.md). Fields that no rod has are
// left out.
#include "view/view_describe.h"

#include "rod/fluid_load.h"
#include "view/view_parts.h"

enum { DIGITS = 9 };

// ---- names of kinds

const char* elv_view_path_kind(ElvViewPathKind kind) {
    static const char* const name[] = {"tendon", "chamber", "muscle"};
    return name[kind];
}

const char* elv_view_arrow_kind(ElvViewArrowKind kind) {
    static const char* const name[] = {"load", "contact", "wheel", "loop", "control"};
    return name[kind];
}

const char* elv_view_section_kind(ElvSectionKind kind) {
    return kind == ELV_SECTION_ELLIPSE     ? "ellipse"
           : kind == ELV_SECTION_RECTANGLE ? "rectangle"
                                           : "circle";
}

const char* elv_view_shape_kind(ElvShapeKind kind) {
    static const char* const name[ELV_N_SHAPE] = {"none",     "sphere",  "box",
                                                  "cylinder", "capsule", "ellipsoid"};
    return name[kind];
}

int elv_view_shape_sizes(ElvShapeKind kind) {
    static const int n[ELV_N_SHAPE] = {0, 1, 3, 2, 2, 3};
    return n[kind];
}

void elv_view_field_text(int i, const char** name, const char** unit, const char** label) {
    static const char* const text[ELV_VIEW_FIELDS][3] = {
        {"twist", "1/m", "twist"},
        {"bend_y", "1/m", "bending about y"},
        {"bend_z", "1/m", "bending about z"},
        {"stretch", "-", "stretch"},
        {"shear_y", "-", "shear along y"},
        {"shear_z", "-", "shear along z"},
        {"stress.twist", "N m", "twisting moment"},
        {"stress.bend_y", "N m", "bending moment about y"},
        {"stress.bend_z", "N m", "bending moment about z"},
        {"stress.stretch", "N", "axial force"},
        {"stress.shear_y", "N", "shear force along y"},
        {"stress.shear_z", "N", "shear force along z"},
    };
    *name = text[i][0];
    *unit = text[i][1];
    *label = text[i][2];
}

static void key_index(ElvBytes* json, const char* name, int index) {
    if (index >= 0) {
        elv_json_key_int(json, name, index);
    } else {
        elv_json_key(json, name);
        elv_json_put(json, "null");
    }
}

static void key_vec3(ElvBytes* json, const char* name, ElvVec3 x) {
    const double value[3] = {x.x, x.y, x.z};
    elv_json_key_numbers(json, name, value, 3);
}

static void put_numbers(ElvBytes* json, const double* x, int n) {
    for (int i = 0; i < n; i++) {
        elv_json_put(json, i > 0 ? "," : "[");
        elv_json_number(json, x[i], DIGITS);
    }
    elv_json_put(json, "]");
}

// ---- elements

static void describe_rod(ElvBytes* json, const ElvViewRod* rod) {
    elv_json_key_string(json, "name", rod->name);
    elv_json_key(json, "length");
    elv_json_number(json, rod->length, DIGITS);
    elv_json_key_numbers(json, "stations", rod->station, rod->n_station);
    elv_json_key_string(json, "section", elv_view_section_kind(rod->section));
    elv_json_key(json, "width");
    for (int k = 0; k < 2; k++) {
        elv_json_put(json, k == 0 ? "[" : ",");
        put_numbers(json, rod->width[k], rod->n_station);
    }
    elv_json_put(json, "]");
    key_index(json, "pose", rod->i_pose);
    key_index(json, "scale", rod->i_scale);
    elv_json_key(json, "fields");
    elv_json_put(json, "{");
    for (int k = 0; k < ELV_VIEW_FIELDS; k++) {
        const char *name, *unit, *label;
        elv_view_field_text(k, &name, &unit, &label);
        if (rod->i_field[k] >= 0) {
            elv_json_key_int(json, name, rod->i_field[k]);
        }
    }
    elv_json_put(json, "}");
}

static void describe_body(ElvBytes* json, const ElvViewBody* body) {
    const ElvShapeDef* shape = &body->shape;
    bool has_shape = shape->kind != ELV_SHAPE_NONE;
    ElvPose pose = has_shape ? shape->pose : elv_pose_identity();
    ElvQuat q = elv_quat_from_matrix(pose.R);
    double place[ELV_VIEW_POSE] = {pose.p.x, pose.p.y, pose.p.z, q.w, q.x, q.y, q.z};
    elv_json_key_string(json, "name", body->name);
    key_index(json, "pose", body->i_pose);
    elv_json_key_string(json, "shape", elv_view_shape_kind(shape->kind));
    elv_json_key_numbers(json, "size", shape->size, elv_view_shape_sizes(shape->kind));
    elv_json_key_numbers(json, "place", place, ELV_VIEW_POSE);
    key_index(json, "parent", body->i_parent);
    key_vec3(json, "joint", body->joint);
    elv_json_key(json, "hinge");
    elv_json_put(json, "{");
    elv_json_key_string(json, "type", elv_joint_type_name(body->joint_type));
    key_vec3(json, "place", body->hinge);
    key_vec3(json, "axis", body->axis);
    elv_json_put(json, "}");
    elv_json_key_numbers(json, "spread", body->spread, body->has_spread ? 3 : 0);
    elv_json_key(json, "sticks");
    elv_json_put(json, "[");
    for (int i = 0; i < body->n_stick; i++) {
        const double point[3] = {body->stick[i].x, body->stick[i].y, body->stick[i].z};
        elv_json_put(json, i > 0 ? "," : "");
        put_numbers(json, point, 3);
    }
    elv_json_put(json, "]");
}

static void describe_wheel(ElvBytes* json, const ElvViewWheel* wheel) {
    elv_json_key_string(json, "name", wheel->name);
    key_index(json, "pose", wheel->i_pose);
    key_vec3(json, "place", wheel->place);
    key_vec3(json, "axis", wheel->axis);
    elv_json_key(json, "radius");
    elv_json_number(json, wheel->radius, DIGITS);
}

static void describe_anchor(ElvBytes* json, const ElvViewAnchor* anchor) {
    elv_json_key_string(json, "name", anchor->name);
    key_vec3(json, "place", anchor->place);
    key_vec3(json, "axis", anchor->axis);
    elv_json_key(json, "width");
    elv_json_number(json, anchor->width, DIGITS);
}

static void describe_path(ElvBytes* json, const ElvViewPath* path) {
    elv_json_key_string(json, "kind", elv_view_path_kind(path->kind));
    elv_json_key_string(json, "name", path->name);
    elv_json_key_int(json, "n", path->n_point);
    key_index(json, "points", path->i_points);
    key_index(json, "value", path->i_value);
    elv_json_key_string(json, "unit", path->unit);
    elv_json_key(json, "width");
    elv_json_number(json, path->width, DIGITS);
}

static void describe_arrow(ElvBytes* json, const ElvViewArrow* arrow) {
    elv_json_key_string(json, "kind", elv_view_arrow_kind(arrow->kind));
    elv_json_key_string(json, "name", arrow->name);
    key_index(json, "index", arrow->index);
    elv_json_key_string(json, "unit", arrow->is_moment ? "N m" : "N");
}

// fields that some rod has
static void describe_fields(ElvBytes* json, const ElvView* view) {
    elv_json_key(json, "fields");
    elv_json_put(json, "[");
    bool is_first = true;
    for (int k = 0; k < ELV_VIEW_FIELDS; k++) {
        bool has_one = false;
        for (int i = 0; i < view->n_rod; i++) {
            has_one = has_one || view->rod[i].i_field[k] >= 0;
        }
        if (!has_one) {
            continue;
        }
        const char *name, *unit, *label;
        elv_view_field_text(k, &name, &unit, &label);
        elv_json_put(json, is_first ? "{" : ",{");
        elv_json_key_string(json, "name", name);
        elv_json_key_string(json, "unit", unit);
        elv_json_key_string(json, "label", label);
        elv_json_put(json, "}");
        is_first = false;
    }
    elv_json_put(json, "]");
}

// ---- the whole

static void describe_head(ElvBytes* json, const ElvView* view, const char* title) {
    const ElvModel* model = view->model;
    elv_json_key_int(json, "format", 1);
    elv_json_key_string(json, "name", model->name ? model->name : "");
    elv_json_key_string(json, "title", title ? title : "");
    elv_json_key(json, "is_statics");
    elv_json_put(json, view->is_statics ? "true" : "false");
    elv_json_key_int(json, "n_value", view->n_value);
    key_vec3(json, "gravity", model->gravity);
    elv_json_key(json, "size");
    elv_json_number(json, view->size, DIGITS);
    elv_json_key(json, "surface");
    if (model->fluid && model->fluid->has_surface) {
        elv_json_number(json, model->fluid->surface, DIGITS);
    } else {
        elv_json_put(json, "null");
    }
}

typedef enum { RODS, BODIES, WHEELS, ANCHORS, PATHS, ARROWS, FRAMES, SIGNALS } List;

static void describe_element(ElvBytes* json, const ElvView* view, List list, int i) {
    switch (list) {
    case RODS:
        describe_rod(json, &view->rod[i]);
        break;
    case BODIES:
        describe_body(json, &view->body[i]);
        break;
    case WHEELS:
        describe_wheel(json, &view->wheel[i]);
        break;
    case ANCHORS:
        describe_anchor(json, &view->anchor[i]);
        break;
    case PATHS:
        describe_path(json, &view->path[i]);
        break;
    case ARROWS:
        describe_arrow(json, &view->arrow[i]);
        break;
    case FRAMES:
        elv_json_key_string(json, "name", view->frame[i].name);
        key_index(json, "pose", view->frame[i].i_pose);
        break;
    case SIGNALS:
        elv_json_key_string(json, "name", elv_signals_column_name(view->signals, i));
        elv_json_key_string(json, "unit", elv_signals_column_unit(view->signals, i));
        key_index(json, "index", view->i_signal + i);
        break;
    }
}

static void describe_list(ElvBytes* json, const ElvView* view, List list, const char* name, int n) {
    elv_json_key(json, name);
    elv_json_put(json, "[");
    for (int i = 0; i < n; i++) {
        elv_json_put(json, i > 0 ? ",{" : "{");
        describe_element(json, view, list, i);
        elv_json_put(json, "}");
    }
    elv_json_put(json, "]");
}

void elv_view_describe_into(ElvBytes* json, const ElvView* view, const char* title) {
    elv_json_put(json, "{");
    describe_head(json, view, title);
    describe_list(json, view, RODS, "rods", view->n_rod);
    describe_fields(json, view);
    describe_list(json, view, BODIES, "bodies", view->n_body);
    describe_list(json, view, WHEELS, "wheels", view->n_wheel);
    describe_list(json, view, ANCHORS, "anchors", view->n_anchor);
    describe_list(json, view, PATHS, "paths", view->n_path);
    describe_list(json, view, ARROWS, "arrows", view->n_arrow);
    describe_list(json, view, FRAMES, "frames", view->n_frame);
    describe_list(json, view, SIGNALS, "signals", view->n_signal);
}

ElvStatus elv_view_describe(const ElvView* view, char** json, ElvError* error) {
    ElvBytes made = {0};
    *json = NULL;
    elv_view_describe_into(&made, view, view->model->name);
    // with the NUL that ends a text
    elv_bytes_put(&made, "}", 2);
    if (made.is_bad) {
        elv_bytes_free(&made);
        return elv_view_no_memory(error);
    }
    *json = made.data;
    return ELV_OK;
}
