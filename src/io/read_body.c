// SPDX-License-Identifier: Apache-2.0
// Rigid bodies of model files: joint, mass, centre and inertia, or a shape with a mass or a density.
#include "io/read_body.h"

#include "io/format_names.h"
#include "io/read_fluid.h"
#include "io/read_joint.h"
#include "io/read_value.h"

#include <string.h>

// ---- inertia

// nested 3x3 list
static bool read_inertia_matrix(ElvReader* reader, const ElvYaml* node, ElvMat3* inertia) {
    double m[3][3];
    int i_row = 0;
    for (const ElvYaml* row = node->first; row; row = row->next) {
        if (!elv_read_numbers(reader, row, 3, m[i_row++])) {
            return false;
        }
    }
    memcpy(inertia->m, m, sizeof m);
    return true;
}

static bool read_inertia(ElvReader* reader, const ElvYaml* node, ElvMat3* inertia) {
    bool is_list = node->kind == ELV_YAML_LIST;
    if (is_list && node->n == 3 && node->first->kind == ELV_YAML_LIST) {
        return read_inertia_matrix(reader, node, inertia);
    }
    if (!is_list || (node->n != 3 && node->n != 6)) {
        return elv_read_fail_expected(reader, node,
                                      "[Ixx, Iyy, Izz], [Ixx, Iyy, Izz, Ixy, Ixz, Iyz] or 3x3");
    }
    double x[6] = {0.0};
    if (!elv_read_numbers(reader, node, node->n, x)) {
        return false;
    }
    *inertia = elv_mat3_diag(x[0], x[1], x[2]);
    inertia->m[0][1] = inertia->m[1][0] = x[3];
    inertia->m[0][2] = inertia->m[2][0] = x[4];
    inertia->m[1][2] = inertia->m[2][1] = x[5];
    return true;
}

// ---- shapes

// the sizes of each shape by key; a key with n numbers is a list
static bool read_size(ElvReader* reader, const ElvYaml* node, ElvShapeDef* shape) {
    static const char* const radius_keys[] = {"radius"};
    static const char* const round_keys[] = {"radius", "length"};
    static const char* const box_keys[] = {"size"};
    static const char* const ellipsoid_keys[] = {"radii"};
    const char* const* keys = radius_keys;
    size_t n_key = 1;
    bool is_list = false;
    switch (shape->kind) {
    case ELV_SHAPE_BOX:
        keys = box_keys;
        is_list = true;
        break;
    case ELV_SHAPE_ELLIPSOID:
        keys = ellipsoid_keys;
        is_list = true;
        break;
    case ELV_SHAPE_CYLINDER:
    case ELV_SHAPE_CAPSULE:
        keys = round_keys;
        n_key = 2;
        break;
    default:
        break;
    }

    if (!elv_read_keys(reader, node, "a map with the sizes of the shape", keys, n_key)) {
        return false;
    }
    for (size_t i = 0; i < n_key; i++) {
        const ElvYaml* value = elv_read_required(reader, node, keys[i], "in metres");
        if (!value || !(is_list ? elv_read_numbers(reader, value, 3, shape->size)
                                : elv_read_number(reader, value, &shape->size[i]))) {
            return false;
        }
    }
    return true;
}

static bool read_shape(ElvReader* reader, const ElvYaml* node, ElvShapeDef* shape) {
    const char* keys[ELV_N_SHAPE];
    memcpy(keys, elv_shape_names, sizeof keys);
    keys[ELV_SHAPE_NONE] = "pose";
    const ElvYaml* size = NULL;
    int choice = 0;
    if (!elv_read_keys(reader, node, "a shape such as {sphere: {radius: 0.1}}", keys,
                       ELV_N_SHAPE) ||
        !elv_read_one_of(reader, node, "shape", elv_shape_names, ELV_N_SHAPE, &size, &choice)) {
        return false;
    }
    shape->kind = (ElvShapeKind)choice;
    return read_size(reader, size, shape) && elv_read_pose_at(reader, node, "pose", &shape->pose);
}

// ---- bodies

// mass, centre and inertia come from one place each
static bool check_mass(ElvReader* reader, const ElvYaml* node) {
    const ElvYaml* density = elv_yaml_get(node, "density");
    const ElvYaml* center = elv_yaml_get(node, "center");
    if (density && elv_yaml_get(node, "mass")) {
        return elv_read_fail(reader, density->key, "give 'mass' or 'density', not both");
    }
    if (density && !elv_yaml_get(node, "shape")) {
        return elv_read_fail(reader, density->key, "'density' needs a 'shape'");
    }
    bool is_given = elv_yaml_get(node, "mass") && elv_yaml_get(node, "inertia");
    if (center && elv_yaml_get(node, "shape") && !is_given) {
        return elv_read_fail(reader, center->key,
                             "the shape's 'pose' places the centre of mass: remove 'center', or "
                             "give 'mass' and 'inertia' too, so that the shape gives none of them");
    }
    return true;
}

bool elv_read_body(ElvReader* reader, const ElvYaml* node, ElvBodyDef* body) {
    static const char* const keys[] = {
        "body",    "parent", "pose",    "joint",      "body_pose",     "mass",  "center",
        "inertia", "shape",  "density", "resistance", "added_inertia", "fluid", "unphysical"};
    *body = elv_body_def_default();
    body->name = reader->element;
    const ElvYaml* joint = elv_yaml_get(node, "joint");
    const ElvYaml* inertia = elv_yaml_get(node, "inertia");
    const ElvYaml* shape = elv_yaml_get(node, "shape");
    const ElvYaml* fluid = elv_yaml_get(node, "fluid");
    body->has_inertia = inertia != NULL;
    body->has_center = shape && elv_yaml_get(node, "center");
    return elv_read_keys(reader, node, "a body", keys, sizeof keys / sizeof keys[0]) &&
           check_mass(reader, node) && elv_read_text_at(reader, node, "parent", &body->parent) &&
           elv_read_pose_at(reader, node, "pose", &body->pose) &&
           (!joint || elv_read_joint(reader, joint, &body->joint)) &&
           elv_read_pose_at(reader, node, "body_pose", &body->body_pose) &&
           elv_read_number_at(reader, node, "mass", &body->mass) &&
           elv_read_vec3_at(reader, node, "center", &body->center) &&
           (!inertia || read_inertia(reader, inertia, &body->inertia)) &&
           elv_read_flag_at(reader, node, "unphysical", &body->is_unphysical) &&
           (!shape || read_shape(reader, shape, &body->shape)) &&
           elv_read_number_at(reader, node, "density", &body->density) &&
           elv_read_coefficients(reader, node, body->resistance, body->added_inertia) &&
           (!fluid || elv_read_body_fluid(reader, fluid, &body->fluid));
}
