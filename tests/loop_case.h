// SPDX-License-Identifier: Apache-2.0
// Random robots with one loop or one constraint on velocities, made through the public API from a seed: a
// floating chain of body, rod and body, a rod on the ground, and frames anywhere on them.
#ifndef ELVER_TESTS_LOOP_CASE_H
#define ELVER_TESTS_LOOP_CASE_H

#include "random_tree.h"

#include "multibody/border.h"

/// The joint types that can close a loop.
static const ElvJointType loop_types[] = {
    ELV_JOINT_FIXED,     ELV_JOINT_REVOLUTE,  ELV_JOINT_PRISMATIC, ELV_JOINT_CYLINDRICAL,
    ELV_JOINT_UNIVERSAL, ELV_JOINT_SPHERICAL, ELV_JOINT_PLANAR};
enum { N_LOOP_TYPE = 7 };

/// Velocity components of a joint, by type.
static inline int loop_freedoms(ElvJointType type) {
    static const int n[ELV_N_JOINT_TYPE] = {
        [ELV_JOINT_REVOLUTE] = 1,  [ELV_JOINT_PRISMATIC] = 1, [ELV_JOINT_CYLINDRICAL] = 2,
        [ELV_JOINT_UNIVERSAL] = 2, [ELV_JOINT_PLANAR] = 3,    [ELV_JOINT_SPHERICAL] = 3};
    return n[type];
}

static inline ElvLawDef loop_law(CheckRandom* r, Scratch* scratch, double size) {
    return formula(scratch, "%.17g + %.17g*sin(%.17g*t)", check_uniform(r, -size, size),
                   check_uniform(r, -size, size), check_uniform(r, 1.0, 3.0));
}

/// A joint with springs, dampers and, by choice, motors or imposed coordinates.
static inline ElvJointDef
loop_joint(CheckRandom* r, Scratch* scratch, ElvJointType type, ElvDrive drive) {
    ElvJointDef joint = elv_joint_def_default();
    joint.type = type;
    joint.axis = random_vec3(r, 1.0);
    joint.axis2 = random_vec3(r, 1.0);
    joint.drive = drive;
    for (int k = 0; k < 6; k++) {
        joint.stiffness[k] = check_uniform(r, 0.5, 2.0);
        joint.rest[k] = type == ELV_JOINT_SPHERICAL ? 0.0 : check_uniform(r, -0.3, 0.3);
        joint.damping[k] = check_uniform(r, 0.5, 2.0);
        if (drive != ELV_DRIVE_PASSIVE) {
            joint.law[k] = loop_law(r, scratch, 0.3);
        }
    }
    return joint;
}

static inline void loop_body(
    CheckRandom* r, ElvSpec* spec, const char* name, const char* parent, const ElvJointDef* joint) {
    ElvBodyDef body = elv_body_def_default();
    body.name = name;
    body.parent = parent;
    body.pose = random_pose(r, 0.3);
    body.joint = *joint;
    body.mass = check_uniform(r, 0.5, 1.5);
    body.center = random_vec3(r, 0.1);
    body.inertia = cloud_inertia(r, body.mass, 0.3);
    body.has_inertia = true;
    add_body(spec, &body);
}

static inline void loop_rod(
    CheckRandom* r, ElvSpec* spec, const char* name, const char* parent, const ElvJointDef* joint) {
    ElvElementDef element = elv_element_def_default();
    ElvRodDef rod = elv_rod_def_default();
    rod.name = name;
    rod.parent = parent;
    rod.pose = random_pose(r, 0.3);
    rod.joint = *joint;
    rod.length = check_uniform(r, 0.4, 0.7);
    rod.section.kind = ELV_SECTION_CIRCLE;
    rod.section.outer[0] = elv_law_def_value(0.02);
    rod.material.density = 1000.0;
    rod.material.young = 1e6;
    rod.material.poisson = 0.4;
    for (int k = 0; k < ELV_N_STRAIN; k++) {
        element.modes[k] = k == ELV_STRAIN_SHEAR_Y || k == ELV_STRAIN_SHEAR_Z ? 0 : 1 + k % 2;
        rod.material.damping[k] = 1e-2;
    }
    rod.element = &element;
    rod.n_element = 1;
    add_rod(spec, &rod);
}

/// base - arm - hand, free to float, and leg on the ground; gravity.
static inline ElvSpec* loop_tree(CheckRandom* r) {
    ElvSpec* spec = new_spec();
    ElvJointDef joint = elv_joint_def_default();
    joint.type = ELV_JOINT_FREE;
    loop_body(r, spec, "base", "world", &joint);
    joint = elv_joint_def_default();
    loop_rod(r, spec, "arm", "base", &joint);
    joint.type = ELV_JOINT_SPHERICAL;
    loop_body(r, spec, "hand", "arm.at(0.8)", &joint);
    loop_rod(r, spec, "leg", "world", &joint);
    elv_spec_set_gravity(spec, random_vec3(r, 5.0));
    return spec;
}

/// Frames a and b somewhere on the tree: tips and stations of rods, bodies, the world.
static inline void loop_frames(CheckRandom* r, ElvSpec* spec, int pair) {
    static const char* const place[][2] = {{"arm.tip", "leg.at(0.4)"}, {"world", "hand"},
                                           {"hand", "leg.tip"},        {"leg.at(0.7)", "world"},
                                           {"arm.at(0.3)", "arm.tip"}, {"leg.root", "base"}};
    static const char* const name[2] = {"a", "b"};
    for (int i = 0; i < 2; i++) {
        ElvError error;
        ElvFrameDef frame = elv_frame_def_default();
        frame.name = name[i];
        frame.on = place[pair][i];
        frame.pose = random_pose(r, 0.2);
        CHECK_STATUS(elv_spec_add_frame(spec, &frame, &error), &error);
    }
}
enum { N_LOOP_PAIR = 6 };

/// Laws of time for the joint frame of a loop; moderate turns.
static inline void loop_pose(CheckRandom* r, Scratch* scratch, ElvLawDef pose[6]) {
    for (int k = 0; k < 6; k++) {
        pose[k] = loop_law(r, scratch, 0.4);
    }
}

/// The loop of a robot with one.
static inline const ElvDevice* loop_device(const ElvModel* model) {
    CHECK_TRUE(model->n_device == 1 && model->is_constrained);
    return model->device[0];
}

/// What the loop says of the motion at a state: c (6) at levels 0, 1 and 2.
static inline void loop_motion(Robot* robot, const ElvState* state, double c[3][6]) {
    const ElvModel* model = robot->model;
    const ElvDevice* device = loop_device(model);
    ElvScene scene = {model, robot->data, state, NULL};
    elv_kinematics(model, robot->data, state);
    for (int level = 0; level < 3; level++) {
        device->ops->motion(device, &scene, level, 0.0, c[level]);
    }
}

#endif
