// SPDX-License-Identifier: Apache-2.0
// Bodies and joints as YAML: what differs from the defaults.
#include "io/format_names.h"
#include "io/write_fluid.h"
#include "io/write_tree.h"
#include "joint/lumped.h"

#include <math.h>

void elv_write_line(ElvWriter* writer, const char* key) {
    elv_write(writer, "\n    %s: ", key);
}

// ---- joints

static bool is_spatial(const ElvJointDef* joint) {
    return joint->type == ELV_JOINT_SPHERICAL || joint->type == ELV_JOINT_FREE;
}

static bool has_value(const double* value, int n) {
    for (int i = 0; i < n; i++) {
        if (value[i] != 0.0) {
            return true;
        }
    }
    return false;
}

// .inf and -.inf stand for no limit
static void write_limit(ElvWriter* writer, double value) {
    if (isfinite(value)) {
        elv_write_number(writer, value);
    } else {
        elv_write(writer, "%s", value > 0.0 ? ".inf" : "-.inf");
    }
}

// one number for joints of one component, else a list; nothing when all are the default
static void
write_unlike(ElvWriteMap* map, const char* key, const double* value, int n, double fallback) {
    bool is_unlike = false;
    for (int i = 0; i < n; i++) {
        is_unlike = is_unlike || value[i] != fallback;
    }
    if (!is_unlike) {
        return;
    }
    elv_write_key(map, key);
    for (int i = 0; i < n; i++) {
        elv_write(map->writer, "%s", i > 0 ? ", " : n > 1 ? "[" : "");
        write_limit(map->writer, value[i]);
    }
    elv_write(map->writer, "%s", n > 1 ? "]" : "");
}

static void write_components(ElvWriteMap* map, const char* key, const double* value, int n) {
    write_unlike(map, key, value, n, 0.0);
}

static void write_axes(ElvWriteMap* map, const ElvJointDef* joint) {
    if (!is_spatial(joint)) {
        elv_write_key(map, "axis");
        elv_write_vec3(map->writer, joint->axis);
    }
    if (joint->type == ELV_JOINT_UNIVERSAL) {
        elv_write_key(map, "axis2");
        elv_write_vec3(map->writer, joint->axis2);
    }
    if (joint->type == ELV_JOINT_HELICAL) {
        elv_write_key(map, "pitch");
        elv_write_number(map->writer, joint->pitch);
    }
}

static void write_drive(ElvWriteMap* map, const ElvJointDef* joint, int n) {
    bool is_motion = joint->drive == ELV_DRIVE_MOTION;
    elv_write_key(map, is_motion ? "motion" : "force");
    if (is_motion && is_spatial(joint)) {
        elv_write(map->writer, "{rpy: ");
        elv_write_laws(map->writer, joint->law, 3);
        if (joint->type == ELV_JOINT_FREE) {
            elv_write(map->writer, ", xyz: ");
            elv_write_laws(map->writer, joint->law + 3, 3);
        }
        elv_write(map->writer, "}");
    } else {
        elv_write_laws(map->writer, joint->law, n);
    }
}

static void write_stops(ElvWriteMap* map, const ElvJointDef* joint, int n) {
    ElvJointDef other = elv_joint_def_default();
    write_components(map, "friction", joint->friction, n);
    write_unlike(map, "friction_speed", joint->friction_speed, n, other.friction_speed[0]);
    if (!is_spatial(joint)) {
        write_unlike(map, "lower", joint->lower, n, other.lower[0]);
        write_unlike(map, "upper", joint->upper, n, other.upper[0]);
        write_components(map, "stop_stiffness", joint->stop_stiffness, n);
        write_components(map, "stop_damping", joint->stop_damping, n);
        write_unlike(map, "stop_width", joint->stop_width, n, other.stop_width[0]);
    }
    write_unlike(map, "gear", joint->gear, n, other.gear[0]);
}

static void write_control(ElvWriteMap* map, const ElvJointDef* joint, int n) {
    ElvWriter* writer = map->writer;
    if (joint->callback && writer->status == ELV_OK) {
        writer->status =
            elv_error_set(writer->error, ELV_ERROR_INPUT, writer->element, "joint",
                          "the joint of '%s' has a C callback, which a file cannot hold: use a "
                          "controller with gains, or laws",
                          writer->element);
    }
    if (is_spatial(joint)) {
        return;
    }
    bool has_target = false;
    for (int i = 0; i < n; i++) {
        has_target = has_target || !elv_law_def_is(&joint->target[i], 0.0);
    }
    write_components(map, "kp", joint->kp, n);
    write_components(map, "kd", joint->kd, n);
    write_components(map, "ki", joint->ki, n);
    if (has_target) {
        elv_write_key(map, "target");
        elv_write_laws(writer, joint->target, n);
    }
    write_unlike(map, "max_effort", joint->max_effort, n, INFINITY);
}

static void write_position(ElvWriteMap* map, const ElvJointDef* joint, int n) {
    if (!is_spatial(joint)) {
        write_components(map, "position", joint->position, n);
        return;
    }
    int n_coordinate = joint->type == ELV_JOINT_FREE ? 6 : 3;
    if (!has_value(joint->position, n_coordinate)) {
        return;
    }
    elv_write_key(map, "position");
    elv_write(map->writer, "{rpy: ");
    elv_write_numbers(map->writer, joint->position, 3);
    if (joint->type == ELV_JOINT_FREE) {
        elv_write(map->writer, ", xyz: ");
        elv_write_numbers(map->writer, joint->position + 3, 3);
    }
    elv_write(map->writer, "}");
}

void elv_write_joint(ElvWriter* writer, const ElvJointDef* joint) {
    if (joint->type == ELV_JOINT_FIXED) {
        elv_write(writer, "fixed");
        return;
    }
    int n = elv_lumped_type(joint->type)->n_v;
    ElvWriteMap map = {writer, 0};
    elv_write(writer, "{%s: ", elv_joint_names[joint->type]);
    write_axes(&map, joint);
    write_components(&map, "damping", joint->damping, n);
    write_components(&map, "stiffness", joint->stiffness, n);
    if (!is_spatial(joint)) {
        write_components(&map, "rest", joint->rest, n);
    }
    write_stops(&map, joint, n);
    write_components(&map, "rotor_inertia", joint->rotor_inertia, n);
    if (joint->drive != ELV_DRIVE_PASSIVE) {
        write_drive(&map, joint, n);
    }
    write_control(&map, joint, n);
    // an imposed motion has its own beginning
    if (joint->drive != ELV_DRIVE_MOTION) {
        write_position(&map, joint, n);
        write_components(&map, "velocity", joint->velocity, n);
    }
    elv_write_map_end(&map);
    elv_write(writer, "}");
}

// ---- bodies

static void write_inertia(ElvWriter* writer, const ElvMat3* inertia) {
    elv_write(writer, "[");
    for (int i = 0; i < 3; i++) {
        elv_write(writer, "%s", i > 0 ? ", " : "");
        elv_write_numbers(writer, inertia->m[i], 3);
    }
    elv_write(writer, "]");
}

static void write_shape(ElvWriter* writer, const ElvShapeDef* shape) {
    const double* size = shape->size;
    elv_write(writer, "{%s: {", elv_shape_names[shape->kind]);
    if (shape->kind == ELV_SHAPE_BOX || shape->kind == ELV_SHAPE_ELLIPSOID) {
        elv_write(writer, "%s: ", shape->kind == ELV_SHAPE_BOX ? "size" : "radii");
        elv_write_numbers(writer, size, 3);
    } else {
        elv_write(writer, "radius: ");
        elv_write_number(writer, size[0]);
    }
    if (shape->kind == ELV_SHAPE_CYLINDER || shape->kind == ELV_SHAPE_CAPSULE) {
        elv_write(writer, ", length: ");
        elv_write_number(writer, size[1]);
    }
    elv_write(writer, "}");
    if (!elv_pose_is_identity(&shape->pose)) {
        elv_write(writer, ", pose: ");
        elv_write_pose(writer, &shape->pose);
    }
    elv_write(writer, "}");
}

static void write_mass(ElvWriter* writer, const ElvBodyDef* body) {
    bool has_shape = body->shape.kind != ELV_SHAPE_NONE;
    if (has_shape) {
        elv_write_line(writer, "shape");
        write_shape(writer, &body->shape);
    }
    if (has_shape && body->density > 0.0) {
        elv_write_line(writer, "density");
        elv_write_number(writer, body->density);
    } else {
        elv_write_line(writer, "mass");
        elv_write_number(writer, body->mass);
    }
    double center[3] = {body->center.x, body->center.y, body->center.z};
    if (has_shape ? body->has_center : has_value(center, 3)) {
        elv_write_line(writer, "center");
        elv_write_numbers(writer, center, 3);
    }
    if (body->has_inertia) {
        elv_write_line(writer, "inertia");
        write_inertia(writer, &body->inertia);
    }
    if (body->is_unphysical) {
        elv_write_line(writer, "unphysical");
        elv_write(writer, "true");
    }
}

void elv_write_body(ElvWriter* writer, const ElvBodyDef* body) {
    elv_write(writer, "\n  - body: ");
    elv_write_word(writer, body->name);
    elv_write_line(writer, "parent");
    elv_write_word(writer, body->parent);
    if (!elv_pose_is_identity(&body->pose)) {
        elv_write_line(writer, "pose");
        elv_write_pose(writer, &body->pose);
    }
    elv_write_line(writer, "joint");
    elv_write_joint(writer, &body->joint);
    if (!elv_pose_is_identity(&body->body_pose)) {
        elv_write_line(writer, "body_pose");
        elv_write_pose(writer, &body->body_pose);
    }
    write_mass(writer, body);
    elv_write_coefficients(writer, body->resistance, body->added_inertia);
    elv_write_body_fluid(writer, &body->fluid);
}
