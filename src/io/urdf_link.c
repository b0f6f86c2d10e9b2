// SPDX-License-Identifier: Apache-2.0
// Links of a URDF: inertial data and a shape for display. The inertia is given in axes of its own,
// which are turned into those of the link. Cylinders lie along z in a URDF and along x in a model.
// Inertias that no distribution of mass has are common in URDFs: those that violate the triangle
// inequality alone are taken, with a note.
#include "elver/lie.h"
#include "io/urdf.h"
#include "multibody/body_inertia.h"

#include <math.h>
#include <string.h>

// ---- inertia

// as the checks of bodies do
static bool is_unphysical(ElvMat3 inertia) {
    double j[3] = {0.0};
    elv_principal_moments(inertia, j);
    return !elv_moments_are_physical(j);
}

static bool put_inertia(ElvUrdf* urdf, const ElvXml* xml, const double rpy[3], ElvYaml* body) {
    static const char* const names[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
    double i[6] = {0.0};
    for (int k = 0; k < 6; k++) {
        if (!(k < 3 ? elv_urdf_required(urdf, xml, names[k], 1, &i[k])
                    : elv_urdf_numbers(urdf, xml, names[k], 1, &i[k]))) {
            return false;
        }
    }
    ElvMat3 own = {{{i[0], i[3], i[4]}, {i[3], i[1], i[5]}, {i[4], i[5], i[2]}}};
    if (rpy[0] != 0.0 || rpy[1] != 0.0 || rpy[2] != 0.0) {
        ElvMat3 R = elv_so3_from_rpy(rpy[0], rpy[1], rpy[2]);
        own = elv_mat3_mul(elv_mat3_mul(R, own), elv_mat3_transpose(R));
    }
    const double turned[6] = {own.m[0][0], own.m[1][1], own.m[2][2],
                              own.m[0][1], own.m[0][2], own.m[1][2]};
    for (int k = 0; k < 6; k++) {
        if (!isfinite(turned[k])) {
            return elv_urdf_fail(urdf, xml->line, xml->column,
                                 "the inertia is too large to be computed; check its units");
        }
    }
    elv_urdf_at(urdf, xml);
    elv_urdf_put_numbers(urdf, body, "inertia", 6, turned);
    if (is_unphysical(own)) {
        elv_urdf_note(urdf, ELV_URDF_INERTIAS, xml);
        elv_urdf_put_text(urdf, body, "unphysical", "true");
    }
    return true;
}

// the part of <inertial> that must be there
static const ElvXml* need(const ElvUrdf* urdf, const ElvXml* inertial, const char* name) {
    const ElvXml* part = elv_xml_child(inertial, name);
    if (!part) {
        (void)elv_urdf_fail(urdf, inertial->line, inertial->column, "<inertial> needs <%s .../>",
                            name);
    }
    return part;
}

static bool put_inertial(ElvUrdf* urdf, const ElvXml* inertial, ElvYaml* body) {
    const ElvXml* origin = elv_xml_child(inertial, "origin");
    const ElvXml* mass = need(urdf, inertial, "mass");
    const ElvXml* inertia = mass ? need(urdf, inertial, "inertia") : NULL;
    double xyz[3] = {0.0};
    double rpy[3] = {0.0};
    double kilograms = 0.0;
    if (!inertia || !elv_urdf_numbers(urdf, origin, "xyz", 3, xyz) ||
        !elv_urdf_numbers(urdf, origin, "rpy", 3, rpy) ||
        !elv_urdf_required(urdf, mass, "value", 1, &kilograms)) {
        return false;
    }
    elv_urdf_at_attribute(urdf, mass, "value");
    elv_urdf_put_number(urdf, body, "mass", kilograms);
    elv_urdf_at(urdf, origin ? origin : inertial);
    elv_urdf_put_numbers(urdf, body, "center", 3, xyz);
    return put_inertia(urdf, inertia, rpy, body);
}

// ---- shape

// x of the shape along z of the geometry
static bool put_turned_pose(ElvUrdf* urdf, const ElvXml* visual, ElvYaml* shape) {
    const ElvXml* origin = elv_xml_child(visual, "origin");
    double xyz[3] = {0.0};
    double rpy[3] = {0.0};
    if (!elv_urdf_numbers(urdf, origin, "xyz", 3, xyz) ||
        !elv_urdf_numbers(urdf, origin, "rpy", 3, rpy)) {
        return false;
    }
    ElvMat3 upright = {{{0.0, 0.0, -1.0}, {0.0, 1.0, 0.0}, {1.0, 0.0, 0.0}}};
    ElvMat3 R = elv_mat3_mul(elv_so3_from_rpy(rpy[0], rpy[1], rpy[2]), upright);
    ElvQuat q = elv_quat_from_matrix(R);
    const double wxyz[4] = {q.w, q.x, q.y, q.z};
    elv_urdf_at(urdf, origin ? origin : visual);
    ElvYaml* pose = elv_urdf_put(urdf, shape, "pose", ELV_YAML_MAP);
    elv_urdf_put_numbers(urdf, pose, "xyz", 3, xyz);
    elv_urdf_put_numbers(urdf, pose, "quaternion", 4, wxyz);
    return true;
}

// a box, sphere, cylinder or capsule within <geometry>, or NULL
static const ElvXml* find_primitive(ElvUrdf* urdf, const ElvXml* visual) {
    const ElvXml* geometry = elv_xml_child(visual, "geometry");
    if (geometry && elv_xml_child(geometry, "mesh")) {
        elv_urdf_note(urdf, ELV_URDF_MESHES, visual);
    }
    static const char* const names[] = {"box", "sphere", "cylinder", "capsule"};
    const ElvXml* found = NULL;
    for (size_t i = 0; geometry && !found && i < sizeof names / sizeof names[0]; i++) {
        found = elv_xml_child(geometry, names[i]);
    }
    return found;
}

static bool put_shape(ElvUrdf* urdf, const ElvXml* visual, const ElvXml* primitive, ElvYaml* body) {
    bool is_box = strcmp(primitive->name, "box") == 0;
    bool is_sphere = strcmp(primitive->name, "sphere") == 0;
    double size[3] = {0.0};
    double length = 0.0;
    if (!elv_urdf_required(urdf, primitive, is_box ? "size" : "radius", is_box ? 3 : 1, size) ||
        (!is_box && !is_sphere && !elv_urdf_required(urdf, primitive, "length", 1, &length))) {
        return false;
    }
    elv_urdf_at(urdf, primitive);
    ElvYaml* shape = elv_urdf_put(urdf, body, "shape", ELV_YAML_MAP);
    ElvYaml* sizes = elv_urdf_put(urdf, shape, primitive->name, ELV_YAML_MAP);
    if (is_box) {
        elv_urdf_put_numbers(urdf, sizes, "size", 3, size);
        return elv_urdf_put_origin(urdf, shape, visual);
    }
    elv_urdf_put_number(urdf, sizes, "radius", size[0]);
    if (is_sphere) {
        return elv_urdf_put_origin(urdf, shape, visual);
    }
    elv_urdf_put_number(urdf, sizes, "length", length);
    return put_turned_pose(urdf, visual, shape);
}

// the first primitive of what is seen, or else of what collides
static bool put_display(ElvUrdf* urdf, const ElvXml* xml, ElvYaml* body) {
    static const char* const kinds[] = {"visual", "collision"};
    const ElvXml* from = NULL;
    const ElvXml* primitive = NULL;
    for (int k = 0; k < 2 && !primitive; k++) {
        const ElvXml* visual = elv_xml_child(xml, kinds[k]);
        for (; visual; visual = elv_xml_next(visual, kinds[k])) {
            const ElvXml* found = find_primitive(urdf, visual);
            if (found && primitive) {
                elv_urdf_note(urdf, ELV_URDF_SHAPES, visual);
            } else if (found) {
                primitive = found;
                from = visual;
            }
        }
    }
    return !primitive || put_shape(urdf, from, primitive, body);
}

bool elv_urdf_link(ElvUrdf* urdf, const ElvUrdfLink* link, ElvYaml* body) {
    const ElvXml* inertial = elv_xml_child(link->xml, "inertial");
    return (!inertial || put_inertial(urdf, inertial, body)) && put_display(urdf, link->xml, body);
}
