// SPDX-License-Identifier: Apache-2.0
// Random trees of rigid bodies and rods, made through the public API from a seed: all joint types,
// children anywhere along rods, offsets, springs, dampers, rotors, drives, gravity and loads.
// Loads are drawn last and act while t < 1: the same tree without them is the same state at t > 1.
#ifndef ELVER_TESTS_RANDOM_TREE_H
#define ELVER_TESTS_RANDOM_TREE_H

#include "random_rod.h"

enum { TREE_ELEMENT_MAX = 6, FRAME_TEXT = 40 };

/// Everything that the tests of the recursions are run on.
static inline RandomOptions random_options(void) {
    RandomOptions options = {.n_element_max = TREE_ELEMENT_MAX,
                             .has_gravity = true,
                             .has_loads = true,
                             .has_damping = true,
                             .has_added_mass = true,
                             .has_rotors = true};
    return options;
}

static inline ElvLawDef random_law_of_t(CheckRandom* r, Scratch* scratch, double size) {
    return formula(scratch, "%.17g + %.17g*sin(%.17g*t)", check_uniform(r, -size, size),
                   check_uniform(r, -size, size), check_uniform(r, 1.0, 3.0));
}

// ---- joints

static inline ElvJointType random_joint_type(CheckRandom* r, const RandomOptions* options) {
    int n = options->is_scalar ? ELV_JOINT_SPHERICAL : ELV_N_JOINT_TYPE;
    return (ElvJointType)check_integer(r, n);
}

// a joint between elements; must_turn: with rotors on all components, for joints without mass
static inline ElvJointDef
random_joint(CheckRandom* r, Scratch* scratch, const RandomOptions* options, bool must_turn) {
    ElvJointDef joint = elv_joint_def_default();
    joint.type = random_joint_type(r, options);
    joint.axis = random_vec3(r, 1.0);
    joint.axis2 = random_vec3(r, 1.0);
    joint.pitch = check_uniform(r, -0.2, 0.2);
    bool has_spring = flip(r, 0.5);
    bool has_rotor = must_turn || (options->has_rotors && flip(r, 0.3));
    for (int k = 0; k < 6; k++) {
        joint.stiffness[k] = has_spring ? check_uniform(r, 0.2, 2.0) : 0.0;
        joint.rest[k] = check_uniform(r, -0.3, 0.3);
        joint.damping[k] = options->has_damping ? check_uniform(r, 0.0, 0.2) : 0.0;
        joint.rotor_inertia[k] = has_rotor ? check_uniform(r, 0.05, 0.2) : 0.0;
    }
    if (options->has_drives && joint.type != ELV_JOINT_FIXED && flip(r, 0.5)) {
        joint.drive = flip(r, 0.5) ? ELV_DRIVE_FORCE : ELV_DRIVE_MOTION;
        for (int k = 0; k < 6; k++) {
            joint.law[k] = random_law_of_t(r, scratch, 0.5);
        }
    }
    return joint;
}

static inline ElvJointDef free_joint(void) {
    ElvJointDef joint = elv_joint_def_default();
    joint.type = ELV_JOINT_FREE;
    return joint;
}

// ---- bodies

// inertia of a cloud of point masses: symmetric, with moments that obey the triangle inequality
static inline ElvMat3 cloud_inertia(CheckRandom* r, double mass, double size) {
    ElvMat3 J = elv_mat3_zero();
    for (int i = 0; i < 5; i++) {
        ElvMat3 x_hat = elv_mat3_hat(random_vec3(r, size));
        J = elv_mat3_sub(J, elv_mat3_scale(0.2 * mass, elv_mat3_mul(x_hat, x_hat)));
    }
    return J;
}

static inline void random_mass(CheckRandom* r, ElvBodyDef* def) {
    if (flip(r, 0.4)) {
        def->shape.kind = (ElvShapeKind)(1 + check_integer(r, ELV_N_SHAPE - 1));
        def->shape.pose = random_pose(r, 0.2);
        for (int k = 0; k < 3; k++) {
            def->shape.size[k] = check_uniform(r, 0.1, 0.3);
        }
        def->density = check_uniform(r, 100.0, 500.0);
        return;
    }
    def->mass = check_uniform(r, 0.3, 2.0);
    def->center = random_vec3(r, 0.3);
    def->inertia = cloud_inertia(r, def->mass, 0.4);
    def->has_inertia = true;
}

// ---- the tree

/// Names and stations of what was added so far.
typedef struct {
    int n;
    bool is_rod[TREE_ELEMENT_MAX];
} Planted;

static inline void
random_reference_text(CheckRandom* r, const Planted* planted, char text[FRAME_TEXT]) {
    int i = check_integer(r, planted->n);
    if (!planted->is_rod[i]) {
        snprintf(text, FRAME_TEXT, "e%d", i);
        return;
    }
    static const char* const end[3] = {"root", "tip", "tip"};
    if (flip(r, 0.5)) {
        snprintf(text, FRAME_TEXT, "e%d.%s", i, end[check_integer(r, 3)]);
    } else {
        snprintf(text, FRAME_TEXT, "e%d.at(%.2f)", i, 0.1 * (1 + check_integer(r, 9)));
    }
}

static inline void random_element(CheckRandom* r,
                                  Scratch* scratch,
                                  const RandomOptions* options,
                                  Planted* planted,
                                  ElvSpec* spec) {
    char name[16], parent[FRAME_TEXT];
    bool is_first = planted->n == 0;
    bool is_rod = flip(r, 0.5);
    snprintf(name, sizeof name, "e%d", planted->n);
    snprintf(parent, sizeof parent, "%s", options->carriage ? options->carriage->name : "world");
    if (!is_first && (options->is_floating || flip(r, 0.9))) {
        random_reference_text(r, planted, parent);
    }
    bool is_massless = !is_rod && !is_first && flip(r, 0.15);
    ElvJointDef joint = random_joint(r, scratch, options, is_massless);
    joint = options->is_floating && is_first ? free_joint() : joint;
    ElvPose pose = random_pose(r, 0.4);
    if (strcmp(parent, "world") == 0) {
        pose.p = elv_vec3_add(pose.p, options->origin);
    }
    if (is_rod) {
        ElvRodDef def = elv_rod_def_default();
        def.name = name;
        def.parent = parent;
        def.pose = pose;
        def.joint = joint;
        random_rod(r, scratch, options, &def);
        add_rod(spec, &def);
    } else {
        ElvBodyDef def = elv_body_def_default();
        def.name = name;
        def.parent = parent;
        def.pose = pose;
        def.joint = joint;
        def.body_pose = random_pose(r, 0.3);
        if (!is_massless) {
            random_mass(r, &def);
        }
        random_fluid(r, options, def.resistance, def.added_inertia);
        if (options->water) {
            random_body_water(r, &def);
        }
        add_body(spec, &def);
    }
    planted->is_rod[planted->n++] = is_rod;
}

// ---- loads

static inline void
random_point_load(CheckRandom* r, Scratch* scratch, const Planted* planted, ElvSpec* spec) {
    ElvError error;
    char on[FRAME_TEXT], name[16];
    random_reference_text(r, planted, on);
    snprintf(name, sizeof name, "f%d", check_integer(r, 1 << 20));
    ElvFrameDef frame = elv_frame_def_default();
    frame.name = name;
    frame.on = on;
    frame.pose = random_pose(r, 0.3);
    CHECK_STATUS(elv_spec_add_frame(spec, &frame, &error), &error);
    ElvWrenchDef load = elv_wrench_def_default();
    load.at = name;
    load.axes = flip(r, 0.5) ? ELV_AXES_WORLD : ELV_AXES_LOCAL;
    load.when = elv_law_def_formula("t < 1");
    for (int k = 0; k < 6; k++) {
        load.wrench[k] = random_law_of_t(r, scratch, 1.0);
    }
    CHECK_STATUS(elv_spec_add_wrench(spec, &load, &error), &error);
}

static inline ElvLawDef random_law_of_s(CheckRandom* r, Scratch* scratch) {
    return formula(scratch, "%.17g*(1 + %.17g*s)*cos(%.17g*t)", check_uniform(r, -1.0, 1.0),
                   check_uniform(r, -1.0, 1.0), check_uniform(r, 1.0, 3.0));
}

static inline void random_field(CheckRandom* r, Scratch* scratch, const char* rod, ElvSpec* spec) {
    ElvError error;
    ElvDistributedDef load = elv_distributed_def_default();
    load.rod = rod;
    load.from = flip(r, 0.5) ? 0.0 : check_uniform(r, 0.1, 0.4);
    load.to = flip(r, 0.5) ? 1.0 : check_uniform(r, 0.5, 0.9);
    load.axes = flip(r, 0.5) ? ELV_AXES_WORLD : ELV_AXES_LOCAL;
    load.when = elv_law_def_formula("t < 1");
    ElvStressDef stress = elv_stress_def_default();
    stress.rod = rod;
    stress.from = load.from;
    stress.to = load.to;
    stress.when = load.when;
    for (int k = 0; k < 6; k++) {
        load.wrench[k] = random_law_of_s(r, scratch);
        stress.stress[k] = random_law_of_s(r, scratch);
    }
    CHECK_STATUS(elv_spec_add_distributed(spec, &load, &error), &error);
    if (flip(r, 0.5)) {
        CHECK_STATUS(elv_spec_add_stress(spec, &stress, &error), &error);
    }
}

static inline void
random_loads(CheckRandom* r, Scratch* scratch, const Planted* planted, ElvSpec* spec) {
    int n = 1 + check_integer(r, 2);
    for (int i = 0; i < n; i++) {
        random_point_load(r, scratch, planted, spec);
    }
    for (int i = 0; i < planted->n; i++) {
        if (planted->is_rod[i] && flip(r, 0.5)) {
            char rod[16];
            snprintf(rod, sizeof rod, "e%d", i);
            random_field(r, scratch, rod, spec);
        }
    }
}

/// The tree of a seed.
static inline Robot random_tree(CheckRandom* r, const RandomOptions* options) {
    ElvSpec* spec = new_spec();
    Scratch* scratch = calloc(1, sizeof *scratch);
    Planted planted = {0};
    int n = 1 + check_integer(r, options->n_element_max);
    if (options->carriage) {
        add_body(spec, options->carriage);
    }
    for (int i = 0; i < n; i++) {
        random_element(r, scratch, options, &planted, spec);
    }
    if (options->has_gravity) {
        elv_spec_set_gravity(spec, elv_vec3_add(random_vec3(r, 10.0), options->extra_gravity));
    }
    if (options->water) {
        ElvError error;
        CHECK_STATUS(elv_spec_set_fluid(spec, options->water, &error), &error);
    }
    if (options->has_loads) {
        random_loads(r, scratch, &planted, spec);
    }
    free(scratch);
    return robot_compile(spec);
}

/// Any state: moderate strains, any orientation, velocities and accelerations of order size.
static inline void random_state(CheckRandom* r, const Robot* robot, double size) {
    ElvState* state = robot->state;
    state->t = check_uniform(r, 0.0, 0.9);
    for (int i = 0; i < robot->nq; i++) {
        state->q[i] = check_uniform(r, -0.5, 0.5);
    }
    for (int i = 0; i < robot->nv; i++) {
        state->v[i] = check_uniform(r, -size, size);
        state->a[i] = check_uniform(r, -size, size);
    }
    // quaternions of unit length, motions on their laws
    elv_state_impose(robot->model, state);
}

#endif
