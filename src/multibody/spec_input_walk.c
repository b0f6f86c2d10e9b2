// SPDX-License-Identifier: Apache-2.0
// The laws of a spec that are inputs, in the order of the tree, the loads, the actuators and the constraints,
// with their names as include/elver/input.h spells them.
#include "multibody/spec_input.h"

#include <math.h>
#include <stdio.h>

/// What a walk carries along.
typedef struct {
    ElvInputVisit visit;
    void* user;
    bool is_over;
    ElvInputPlace place;
} Walk;

static const char* const twist_part[6] = {"angular.x", "angular.y", "angular.z",
                                          "linear.x",  "linear.y",  "linear.z"};
static const char* const wrench_part[6] = {"torque.x", "torque.y", "torque.z",
                                           "force.x",  "force.y",  "force.z"};
static const char* const pose_part[6] = {"roll", "pitch", "yaw", "x", "y", "z"};

static bool is_zero(const ElvLawDef* law) {
    return law->kind == ELV_LAW_CONSTANT && law->value == 0.0;
}

// a place that knows nothing yet but its law
static ElvInputPlace*
begin(Walk* walk, const char* kind, const char* part, const char* unit, ElvLawDef* law) {
    walk->place = (ElvInputPlace){.kind = kind,
                                  .part = part,
                                  .unit = unit,
                                  .law = law,
                                  .is_listed = true,
                                  .to = 1.0,
                                  .least = -INFINITY,
                                  .most = INFINITY};
    return &walk->place;
}

static void offer(Walk* walk) {
    if (!walk->is_over) {
        walk->is_over = !walk->visit(walk->user, &walk->place);
    }
}

// an input "KIND.NAME.PART"
static void offer_named(Walk* walk, const char* name) {
    snprintf(walk->place.name, sizeof walk->place.name, "%s.%.96s.%s", walk->place.kind, name,
             walk->place.part);
    offer(walk);
}

// ---- joints

// velocity components of a joint, and how many of the first are rotations
static int joint_size(ElvJointType type, int* n_angle) {
    static const int n_v[ELV_N_JOINT_TYPE] = {0, 1, 1, 1, 2, 2, 3, 3, 6};
    static const int n_rotation[ELV_N_JOINT_TYPE] = {0, 1, 0, 1, 1, 2, 1, 3, 3};
    *n_angle = (unsigned)type < ELV_N_JOINT_TYPE ? n_rotation[type] : 0;
    return (unsigned)type < ELV_N_JOINT_TYPE ? n_v[type] : 0;
}

static void offer_component(Walk* walk, const char* owner, int k) {
    snprintf(walk->place.name, sizeof walk->place.name, "%.120s.%s.%d", owner, walk->place.part, k);
    offer(walk);
}

// coordinates stay within stops
static void limit(ElvInputPlace* place, const ElvJointDef* joint, int k) {
    place->least = joint->lower[k];
    place->most = joint->upper[k];
}

static void walk_joint(Walk* walk, const char* owner, ElvJointDef* joint) {
    int n_angle = 0;
    int n = joint_size(joint->type, &n_angle);
    for (int k = 0; k < n; k++) {
        const char* length = k < n_angle ? "rad" : "m";
        if (joint->drive == ELV_DRIVE_FORCE) {
            (void)begin(walk, "motor", "effort", k < n_angle ? "N m" : "N", &joint->law[k]);
            offer_component(walk, owner, k);
        }
        if (joint->drive == ELV_DRIVE_MOTION) {
            ElvInputPlace* place = begin(walk, "motor", "motion", length, &joint->law[k]);
            place->is_motion = true;
            limit(place, joint, k);
            offer_component(walk, owner, k);
        }
        if (joint->kp[k] != 0.0 || joint->ki[k] != 0.0 || joint->kd[k] != 0.0) {
            ElvInputPlace* place = begin(walk, "motor", "target", length, &joint->target[k]);
            place->is_motion = true;
            limit(place, joint, k);
            offer_component(walk, owner, k);
        }
    }
}

// ---- loads

static void walk_load(Walk* walk, ElvLoad* load, int i) {
    bool is_spread = load->kind == ELV_LOAD_DISTRIBUTED;
    ElvLawDef* law = is_spread ? load->distributed.wrench : load->wrench.wrench;
    for (int k = 0; k < 6; k++) {
        const char* unit = k < 3 ? (is_spread ? "N" : "N m") : (is_spread ? "N/m" : "N");
        ElvInputPlace* place = begin(walk, "load", "load", unit, &law[k]);
        place->is_listed = !is_zero(&law[k]);
        if (is_spread) {
            place->from = load->distributed.from;
            place->to = load->distributed.to;
        }
        snprintf(place->name, sizeof place->name, "loads[%d].%s", i, wrench_part[k]);
        offer(walk);
    }
}

// ---- actuators

static void walk_stress(Walk* walk, ElvStressDef* stress, int i) {
    for (int k = 0; k < ELV_N_STRAIN; k++) {
        ElvInputPlace* place =
            begin(walk, "actuator", "stress", k < 3 ? "N m" : "N", &stress->stress[k]);
        place->is_listed = !is_zero(&stress->stress[k]);
        place->from = stress->from;
        place->to = stress->to;
        snprintf(place->name, sizeof place->name, "actuators[%d].stress.%s", i,
                 elv_strain_name((ElvStrain)k));
        offer(walk);
    }
}

static void walk_velocity(Walk* walk, ElvVelocityControlDef* control) {
    for (int k = 0; k < 6; k++) {
        ElvInputPlace* place =
            begin(walk, "control", "velocity", k < 3 ? "rad/s" : "m/s", &control->velocity[k]);
        place->is_listed = control->kp[k] != 0.0 || control->ki[k] != 0.0;
        snprintf(place->name, sizeof place->name, "control.%.96s.%s", control->name, twist_part[k]);
        offer(walk);
    }
}

static void walk_tendon(Walk* walk, ElvTendonDef* tendon) {
    bool is_tension = tendon->pull == ELV_PULL_TENSION;
    ElvInputPlace* place = begin(walk, "tendon", is_tension ? "tension" : "pull",
                                 is_tension ? "N" : "m", &tendon->law);
    place->is_positive = is_tension;
    place->is_motion = !is_tension;
    offer_named(walk, tendon->name);
}

static void walk_muscle(Walk* walk, ElvMuscleDef* muscle) {
    ElvInputPlace* place = begin(walk, "muscle", "activation", "-", &muscle->activation);
    place->from = fmin(muscle->path.from, muscle->path.to);
    place->to = fmax(muscle->path.from, muscle->path.to);
    place->least = 0.0;
    place->most = 1.0;
    offer_named(walk, muscle->name);
}

static void walk_pattern(Walk* walk, ElvPatternDef* pattern) {
    begin(walk, "pattern", "frequency", "Hz", &pattern->frequency)->is_positive = true;
    offer_named(walk, pattern->name);
    ElvInputPlace* place = begin(walk, "pattern", "amplitude", "-", &pattern->amplitude);
    place->least = 0.0;
    place->most = 1.0;
    offer_named(walk, pattern->name);
}

static void walk_actuator(Walk* walk, ElvActuator* actuator, int i) {
    switch (actuator->kind) {
    case ELV_ACTUATOR_STRESS:
        walk_stress(walk, &actuator->as.stress, i);
        break;
    case ELV_ACTUATOR_TENDON:
        walk_tendon(walk, &actuator->as.tendon);
        break;
    case ELV_ACTUATOR_CHAMBER:
        begin(walk, "chamber", "pressure", "Pa", &actuator->as.chamber.pressure)->is_positive =
            true;
        offer_named(walk, actuator->as.chamber.name);
        break;
    case ELV_ACTUATOR_MUSCLE:
        if (!actuator->as.muscle.pattern) {
            walk_muscle(walk, &actuator->as.muscle);
        }
        break;
    case ELV_ACTUATOR_PATTERN:
        walk_pattern(walk, &actuator->as.pattern);
        break;
    case ELV_ACTUATOR_VELOCITY_CONTROL:
        walk_velocity(walk, &actuator->as.velocity_control);
        break;
    default:
        break;
    }
}

// ---- constraints

static void walk_loop(Walk* walk, ElvLoopDef* loop) {
    char owner[ELV_SIZE_NAME + 8];
    snprintf(owner, sizeof owner, "loop.%.96s", loop->name);
    walk_joint(walk, owner, &loop->joint);
    for (int k = 0; k < 6; k++) {
        ElvInputPlace* place = begin(walk, "loop", "pose", k < 3 ? "rad" : "m", &loop->pose[k]);
        place->is_motion = true;
        place->is_listed = loop->pose[k].kind != ELV_LAW_CONSTANT;
        snprintf(place->name, sizeof place->name, "%s.pose.%s", owner, pose_part[k]);
        offer(walk);
    }
}

static void walk_slider(Walk* walk, ElvSliderDef* slider) {
    if (slider->is_driven) {
        ElvInputPlace* place = begin(walk, "slider", "station", "-", &slider->drive);
        place->is_motion = true;
        place->least = 0.0;
        place->most = 1.0;
    } else {
        begin(walk, "slider", "force", "N", &slider->force)->is_listed = !is_zero(&slider->force);
    }
    offer_named(walk, slider->name);
}

static void walk_wheel(Walk* walk, ElvWheelDef* wheel) {
    static const char* const part[ELV_N_WHEEL_DRIVE] = {NULL, "rotation", "torque", "rate"};
    static const char* const unit[ELV_N_WHEEL_DRIVE] = {NULL, "rad", "N m", "rad/s"};
    if (wheel->drive == ELV_WHEEL_FREE || (unsigned)wheel->drive >= ELV_N_WHEEL_DRIVE) {
        return;
    }
    begin(walk, "wheel", part[wheel->drive], unit[wheel->drive], &wheel->law)->is_motion =
        wheel->drive != ELV_WHEEL_TORQUE;
    offer_named(walk, wheel->name);
}

static void walk_constraint(Walk* walk, ElvConstraint* constraint) {
    if (constraint->kind == ELV_CONSTRAINT_LOOP) {
        walk_loop(walk, &constraint->as.loop);
    } else if (constraint->kind == ELV_CONSTRAINT_SLIDER) {
        walk_slider(walk, &constraint->as.slider);
    } else if (constraint->kind == ELV_CONSTRAINT_WHEEL) {
        walk_wheel(walk, &constraint->as.wheel);
    }
}

void elv_spec_walk_inputs(ElvSpec* spec, ElvInputVisit visit, void* user) {
    Walk walk = {.visit = visit, .user = user};
    for (int i = 0; i < spec->n_element; i++) {
        ElvElement* element = &spec->element[i];
        // as the nodes of the model are called
        char owner[ELV_SIZE_NAME + 8];
        snprintf(owner, sizeof owner, element->is_rod ? "%.96s.joint" : "%.96s",
                 elv_element_name(element));
        walk_joint(&walk, owner, element->is_rod ? &element->rod.joint : &element->body.joint);
    }
    for (int i = 0; i < spec->n_load; i++) {
        walk_load(&walk, &spec->load[i], i);
    }
    for (int i = 0; i < spec->n_actuator; i++) {
        walk_actuator(&walk, &spec->actuator[i], i);
    }
    for (int i = 0; i < spec->n_constraint; i++) {
        walk_constraint(&walk, &spec->constraint[i]);
    }
}
