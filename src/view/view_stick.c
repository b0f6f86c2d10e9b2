// SPDX-License-Identifier: Apache-2.0
// What a picture needs beside shapes: the points that a body holds together, by which one without a shape is drawn as
// sticks; wheels; and the places where the world holds the robot.
//
// The points of a body are its own joint, unless it floats; the joints of its children; where loops, wheels, sliders and
// contacts act on it; and, of bodies without a shape, its named frames, then its centre of mass if fewer
// than two others are known. Points that are one for the eye are there once.
#include "view/view_parts.h"

#include "joint/lumped.h"
#include "multibody/loop.h"
#include "multibody/rod_contact.h"
#include "multibody/rolling.h"
#include "multibody/slider.h"
#include "multibody/wheel.h"
#include "rod/rod.h"

#include <math.h>

// points that are nearer than this part of the robot's size are one
static const double same = 1e-6;

static bool floats(ElvJointType type) {
    return type == ELV_JOINT_FREE || type == ELV_JOINT_PLANAR;
}

static bool has_axis(ElvJointType type) {
    return type == ELV_JOINT_REVOLUTE || type == ELV_JOINT_PRISMATIC || type == ELV_JOINT_HELICAL ||
           type == ELV_JOINT_CYLINDRICAL;
}

// ---- points of bodies

static ElvStatus add_point(ElvView* view, ElvViewBody* body, ElvVec3 point, ElvError* error) {
    for (int i = 0; i < body->n_stick; i++) {
        if (elv_vec3_norm(elv_vec3_sub(body->stick[i], point)) < same * view->size) {
            return ELV_OK;
        }
    }
    ElvVec3* grown = elv_pool_grow(&view->pool, body->stick, body->n_stick, sizeof *body->stick);
    if (!grown) {
        return elv_view_no_memory(error);
    }
    body->stick = grown;
    body->stick[body->n_stick++] = point;
    return ELV_OK;
}

// a frame on anything: bodies alone take it
static ElvStatus add_frame(ElvView* view, ElvFrame frame, ElvError* error) {
    ElvViewBody* body = elv_view_body_at(view, frame.port);
    return body ? add_point(view, body, frame.pose.p, error) : ELV_OK;
}

// its own joint: the moving frame is fixed to the body
static ElvStatus
add_joint(ElvView* view, const ElvModel* model, ElvViewBody* body, ElvError* error) {
    const ElvNode* node = &model->node[model->port[body->i_port].i_node];
    const ElvLumped* lumped = (const ElvLumped*)node->joint;
    ElvPose moving = elv_pose_inverse(lumped->body_pose);
    body->joint_type = node->info.joint;
    body->hinge = moving.p;
    if (has_axis(body->joint_type)) {
        body->axis = elv_mat3_apply(moving.R, lumped->axis);
    }
    return floats(body->joint_type) ? ELV_OK : add_point(view, body, moving.p, error);
}

// frames that a device acts on; returns their number
static int frames_of(const ElvDevice* device, ElvFrame frame[2]) {
    const ElvDeviceOps* ops = device->ops;
    if (ops == &ELV_LOOP_OPS || ops == &ELV_VELOCITY_CONSTRAINT_OPS) {
        const ElvLoop* loop = (const ElvLoop*)device;
        frame[0] = loop->end[0];
        frame[1] = loop->end[1];
        return 2;
    }
    if (ops == &ELV_ROLLING_OPS) {
        frame[0] = ((const ElvRolling*)device)->end[1];
        return 1;
    }
    if (elv_device_is_wheel(device)) {
        frame[0] = ((const ElvWheel*)device)->frame;
        return 1;
    }
    if (ops == &ELV_SLIDER_OPS) {
        frame[0] = ((const ElvSlider*)device)->point;
        return 1;
    }
    if (ops == &ELV_ROD_CONTACT_OPS || ops == &ELV_ROD_CONTACT_POINT_OPS) {
        frame[0] = ((const ElvRodContact*)device)->on;
        return 1;
    }
    return 0;
}

static ElvStatus add_device_points(ElvView* view, const ElvModel* model, ElvError* error) {
    ElvStatus status = ELV_OK;
    for (int i = 0; i < model->n_device; i++) {
        ElvFrame frame[2];
        int n = frames_of(model->device[i], frame);
        for (int k = 0; k < n && status == ELV_OK; k++) {
            status = add_frame(view, frame[k], error);
        }
    }
    return status;
}

// what nothing hangs on, but shows how far a body without a shape reaches
static ElvStatus add_reach(ElvView* view, const ElvModel* model, ElvError* error) {
    ElvStatus status = ELV_OK;
    for (int i = 0; i < model->n_frame && status == ELV_OK; i++) {
        const ElvViewBody* body = elv_view_body_at(view, model->frame[i].frame.port);
        if (body && body->shape.kind == ELV_SHAPE_NONE) {
            status = add_frame(view, model->frame[i].frame, error);
        }
    }
    for (int i = 0; i < view->n_body && status == ELV_OK; i++) {
        ElvViewBody* body = &view->body[i];
        const ElvPort* port = &model->port[body->i_port];
        if (body->shape.kind == ELV_SHAPE_NONE && body->n_stick < 2 && port->mass > 0.0) {
            ElvVec3 center = elv_vec3_scale(1.0 / port->mass, port->moment);
            status = add_point(view, body, center, error);
        }
    }
    return status;
}

// the ellipsoid with the inertia of a body of one point: J_x = m (b^2 + c^2) / 5, where its axes are those of the body
static void add_spread(ElvView* view, const ElvModel* model) {
    for (int i = 0; i < view->n_body; i++) {
        ElvViewBody* body = &view->body[i];
        const ElvPort* port = &model->port[body->i_port];
        if (body->shape.kind != ELV_SHAPE_NONE || body->n_stick != 1 || !(port->mass > 0.0)) {
            continue;
        }
        // about the centre: J + (c^)^2 m
        ElvVec3 c = elv_vec3_scale(1.0 / port->mass, port->moment);
        const double p[] = {c.x, c.y, c.z};
        double J[3];
        double mixed = 0.0;
        for (int k = 0; k < 3; k++) {
            int a = (k + 1) % 3;
            int b = (k + 2) % 3;
            J[k] = port->inertia.J.m[k][k] - port->mass * (p[a] * p[a] + p[b] * p[b]);
            mixed += fabs(port->inertia.J.m[a][b] + port->mass * p[a] * p[b]);
        }
        body->has_spread = !port->fluid && mixed <= same * (J[0] + J[1] + J[2]);
        for (int k = 0; k < 3; k++) {
            double square = 2.5 * (J[(k + 1) % 3] + J[(k + 2) % 3] - J[k]) / port->mass;
            body->spread[k] = sqrt(fmax(square, 0.0));
        }
    }
}

static ElvStatus add_points(ElvView* view, const ElvModel* model, ElvError* error) {
    ElvStatus status = ELV_OK;
    for (int i = 0; i < view->n_body && status == ELV_OK; i++) {
        status = add_joint(view, model, &view->body[i], error);
    }
    for (int i = 0; i < model->n_node && status == ELV_OK; i++) {
        ElvFrame base = {model->node[i].parent_port, model->node[i].offset};
        status = floats(model->node[i].info.joint) ? ELV_OK : add_frame(view, base, error);
    }
    status = status == ELV_OK ? add_device_points(view, model, error) : status;
    status = status == ELV_OK ? add_reach(view, model, error) : status;
    add_spread(view, model);
    return status;
}

// ---- wheels

// index of the pose of a body, or of a section that is drawn; -1: none
static int pose_at(const ElvView* view, const ElvModel* model, int port) {
    const ElvViewBody* body = elv_view_body_at(view, port);
    if (body) {
        return body->i_pose;
    }
    for (int i = 0; i < view->n_rod; i++) {
        const ElvViewRod* rod = &view->rod[i];
        for (int k = 0; k < rod->n_station && rod->i_node == model->port[port].i_node; k++) {
            double d = rod->station[k] - model->port[port].station;
            if (d < same && d > -same) {
                return rod->i_pose + ELV_VIEW_POSE * k;
            }
        }
    }
    return -1;
}

static ElvStatus add_wheel(ElvView* view, ElvViewWheel wheel, const char* name, ElvError* error) {
    ElvViewWheel* grown =
        elv_pool_grow(&view->pool, view->wheel, view->n_wheel, sizeof *view->wheel);
    wheel.name = elv_pool_string(&view->pool, name);
    if (!grown || !wheel.name) {
        return elv_view_no_memory(error);
    }
    view->wheel = grown;
    view->wheel[view->n_wheel++] = wheel;
    return ELV_OK;
}

// a wheel that rolls on a plane may have a shape of its own
static ElvStatus add_wheels(ElvView* view, const ElvModel* model, ElvError* error) {
    ElvStatus status = ELV_OK;
    for (int i = 0; i < model->n_device && status == ELV_OK; i++) {
        const ElvDevice* device = model->device[i];
        const ElvRolling* rolling = (const ElvRolling*)device;
        const ElvWheel* ideal = (const ElvWheel*)device;
        bool is_rolling = device->ops == &ELV_ROLLING_OPS;
        if (!is_rolling && !elv_device_is_wheel(device)) {
            continue;
        }
        ElvFrame frame = is_rolling ? rolling->end[1] : ideal->frame;
        const ElvViewBody* body = elv_view_body_at(view, frame.port);
        bool is_seen = is_rolling && body && body->shape.kind != ELV_SHAPE_NONE;
        ElvViewWheel wheel = {
            .i_pose = pose_at(view, model, frame.port),
            .place = frame.pose.p,
            .axis = elv_mat3_apply(frame.pose.R, is_rolling ? rolling->axis : ideal->side),
            .radius = is_rolling ? rolling->radius : ideal->radius,
        };
        if (wheel.i_pose >= 0 && wheel.radius > 0.0 && !is_seen) {
            status = add_wheel(view, wheel, device->name, error);
        }
    }
    return status;
}

// ---- anchors

static ElvStatus
add_anchor(ElvView* view, ElvViewAnchor anchor, const char* name, ElvError* error) {
    ElvViewAnchor* grown =
        elv_pool_grow(&view->pool, view->anchor, view->n_anchor, sizeof *view->anchor);
    anchor.name = elv_pool_string(&view->pool, name);
    if (!grown || !anchor.name) {
        return elv_view_no_memory(error);
    }
    view->anchor = grown;
    view->anchor[view->n_anchor++] = anchor;
    return ELV_OK;
}

// against gravity; along z where there is none
static ElvVec3 upwards(const ElvModel* model) {
    double g = elv_vec3_norm(model->gravity);
    return g > 0.0 ? elv_vec3_scale(-1.0 / g, model->gravity) : elv_vec3(0.0, 0.0, 1.0);
}

static double root_width(const ElvView* view, int i_node) {
    for (int i = 0; i < view->n_rod; i++) {
        const ElvViewRod* rod = &view->rod[i];
        if (rod->i_node == i_node) {
            return rod->width[0][0] > rod->width[1][0] ? rod->width[0][0] : rod->width[1][0];
        }
    }
    return 0.0;
}

static ElvStatus add_anchors(ElvView* view, const ElvModel* model, ElvError* error) {
    ElvStatus status = ELV_OK;
    for (int i = 0; i < model->n_node && status == ELV_OK; i++) {
        const ElvNode* node = &model->node[i];
        const ElvLumped* lumped = (const ElvLumped*)node->joint;
        if (node->parent_port != 0 || (!node->info.is_rod && floats(node->info.joint))) {
            continue;
        }
        ElvViewAnchor anchor = {.place = node->offset.p, .axis = upwards(model)};
        if (node->info.is_rod) {
            anchor.axis = elv_mat3_apply(node->offset.R, elv_vec3(1.0, 0.0, 0.0));
            anchor.width = root_width(view, i);
        } else if (has_axis(node->info.joint)) {
            anchor.axis = elv_mat3_apply(node->offset.R, lumped->axis);
        }
        status = add_anchor(view, anchor, node->name, error);
    }
    // loops that end on the world
    for (int i = 0; i < model->n_device && status == ELV_OK; i++) {
        const ElvLoop* loop = (const ElvLoop*)model->device[i];
        for (int k = 0; k < 2 && loop->device.ops == &ELV_LOOP_OPS && status == ELV_OK; k++) {
            ElvViewAnchor anchor = {.place = loop->end[k].pose.p, .axis = upwards(model)};
            if (loop->end[k].port == 0) {
                status = add_anchor(view, anchor, loop->device.name, error);
            }
        }
    }
    return status;
}

ElvStatus elv_view_add_sticks(ElvView* view, const ElvModel* model, ElvError* error) {
    ElvStatus status = add_points(view, model, error);
    status = status == ELV_OK ? add_wheels(view, model, error) : status;
    return status == ELV_OK ? add_anchors(view, model, error) : status;
}
