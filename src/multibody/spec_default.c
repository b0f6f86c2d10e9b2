// SPDX-License-Identifier: Apache-2.0
// Default values of every Def of a spec: what a model file means where it says nothing.
//
// A zeroed Def is nearly right already (a zeroed law is the constant 0); what differs from zero is
// written here and nowhere else, so that the model reader, the writer and C programs agree.
#include "elver/spec.h"

#include <math.h>
#include <string.h>

ElvJointDef elv_joint_def_default(void) {
    ElvJointDef joint;
    memset(&joint, 0, sizeof joint);
    joint.type = ELV_JOINT_FIXED;
    joint.axis = elv_vec3(0.0, 0.0, 1.0);
    joint.axis2 = elv_vec3(0.0, 1.0, 0.0);
    joint.drive = ELV_DRIVE_PASSIVE;
    for (int k = 0; k < 6; k++) {
        joint.friction_speed[k] = 1e-3;
        joint.lower[k] = -INFINITY;
        joint.upper[k] = INFINITY;
        joint.stop_width[k] = 1e-3;
        joint.gear[k] = 1.0;
        joint.max_effort[k] = INFINITY;
    }
    return joint;
}

ElvBodyDef elv_body_def_default(void) {
    ElvBodyDef body;
    memset(&body, 0, sizeof body);
    body.parent = "world";
    body.pose = elv_pose_identity();
    body.joint = elv_joint_def_default();
    body.body_pose = elv_pose_identity();
    body.shape.kind = ELV_SHAPE_NONE;
    body.shape.pose = elv_pose_identity();
    return body;
}

ElvElementDef elv_element_def_default(void) {
    ElvElementDef element;
    memset(&element, 0, sizeof element);
    element.to = 1.0;
    for (int i = 0; i < ELV_N_STRAIN; i++) {
        element.basis[i] = ELV_BASIS_LEGENDRE;
    }
    return element;
}

ElvRodDef elv_rod_def_default(void) {
    ElvRodDef rod;
    memset(&rod, 0, sizeof rod);
    rod.parent = "world";
    rod.pose = elv_pose_identity();
    rod.joint = elv_joint_def_default();
    rod.section.kind = ELV_SECTION_NONE;
    rod.section.shear_factor = elv_law_def_value(1.0);
    // straight and unstretched at rest
    rod.reference[ELV_STRAIN_STRETCH] = elv_law_def_value(1.0);
    return rod;
}

ElvFluidDef elv_fluid_def_default(void) {
    ElvFluidDef fluid;
    memset(&fluid, 0, sizeof fluid);
    return fluid;
}

ElvFrameDef elv_frame_def_default(void) {
    ElvFrameDef frame;
    memset(&frame, 0, sizeof frame);
    frame.on = "world";
    frame.pose = elv_pose_identity();
    return frame;
}

ElvWrenchDef elv_wrench_def_default(void) {
    ElvWrenchDef load;
    memset(&load, 0, sizeof load);
    load.axes = ELV_AXES_WORLD;
    load.when = elv_law_def_value(1.0);
    return load;
}

ElvDistributedDef elv_distributed_def_default(void) {
    ElvDistributedDef load;
    memset(&load, 0, sizeof load);
    load.from = 0.0;
    load.to = 1.0;
    load.axes = ELV_AXES_WORLD;
    load.when = elv_law_def_value(1.0);
    return load;
}

ElvStressDef elv_stress_def_default(void) {
    ElvStressDef stress;
    memset(&stress, 0, sizeof stress);
    stress.from = 0.0;
    stress.to = 1.0;
    stress.when = elv_law_def_value(1.0);
    return stress;
}

ElvPathDef elv_path_def_default(void) {
    ElvPathDef path;
    memset(&path, 0, sizeof path);
    path.from = 0.0;
    path.to = 1.0;
    return path;
}

ElvTendonDef elv_tendon_def_default(void) {
    ElvTendonDef tendon;
    memset(&tendon, 0, sizeof tendon);
    tendon.pull = ELV_PULL_TENSION;
    return tendon;
}

ElvChamberDef elv_chamber_def_default(void) {
    ElvChamberDef chamber;
    memset(&chamber, 0, sizeof chamber);
    chamber.path = elv_path_def_default();
    return chamber;
}

ElvMuscleDef elv_muscle_def_default(void) {
    ElvMuscleDef muscle;
    memset(&muscle, 0, sizeof muscle);
    muscle.path = elv_path_def_default();
    return muscle;
}

ElvPatternDef elv_pattern_def_default(void) {
    ElvPatternDef pattern;
    memset(&pattern, 0, sizeof pattern);
    pattern.oscillators = 1;
    pattern.amplitude = elv_law_def_value(1.0);
    pattern.coupling = 10.0;
    pattern.rate = 5.0;
    return pattern;
}

ElvStrainControlDef elv_strain_control_def_default(void) {
    ElvStrainControlDef control;
    memset(&control, 0, sizeof control);
    control.from = 0.0;
    control.to = 1.0;
    return control;
}

ElvStressLawDef elv_stress_law_def_default(void) {
    ElvStressLawDef law;
    memset(&law, 0, sizeof law);
    law.from = 0.0;
    law.to = 1.0;
    return law;
}

ElvVelocityControlDef elv_velocity_control_def_default(void) {
    ElvVelocityControlDef control;
    memset(&control, 0, sizeof control);
    return control;
}

ElvSimulateDef elv_simulate_def_default(void) {
    ElvSimulateDef simulate;
    memset(&simulate, 0, sizeof simulate);
    simulate.method = ELV_METHOD_GENERALIZED_ALPHA;
    simulate.duration = 1.0;
    simulate.rel_tol = 1e-8;
    simulate.abs_tol = 1e-10;
    simulate.order = 5;
    simulate.beta = 0.25;
    simulate.gamma = 0.5;
    simulate.alpha = 0.05;
    simulate.spectral_radius = 0.9;
    simulate.reuse_jacobian = true;
    simulate.projects_velocity = true;
    simulate.newton_tol = 1e-9;
    simulate.max_iterations = 20;
    simulate.max_halvings = 12;
    simulate.shooting.segments = 10;
    simulate.shooting.space_tol = 1e-10;
    simulate.shooting.solver = ELV_SHOOT_LEVENBERG;
    simulate.scheme = ELV_METHOD_NEWMARK;
    simulate.has_accelerations = true;
    simulate.finite.nodes = 21;
    simulate.finite.order = 2;
    simulate.finite.space = ELV_RUNGE_RK4;
    simulate.finite.interpolation = ELV_HISTORY_CUBIC;
    return simulate;
}

ElvStaticsDef elv_statics_def_default(void) {
    ElvStaticsDef statics;
    memset(&statics, 0, sizeof statics);
    statics.method = ELV_STATICS_NEWTON;
    statics.tolerance = 1e-10;
    statics.max_iterations = 30;
    statics.max_halvings = 12;
    statics.damping = 1e-3;
    statics.gain = 20.0;
    statics.max_steps = 1000;
    statics.shooting.segments = 1;
    statics.shooting.space_tol = 1e-10;
    statics.shooting.solver = ELV_SHOOT_LEVENBERG;
    return statics;
}

ElvInverseDef elv_inverse_def_default(void) {
    ElvInverseDef inverse;
    memset(&inverse, 0, sizeof inverse);
    inverse.by = ELV_BY_TENSIONS;
    return inverse;
}

ElvRecordDef elv_record_def_default(void) {
    ElvRecordDef record;
    memset(&record, 0, sizeof record);
    record.every = 0.01;
    return record;
}
