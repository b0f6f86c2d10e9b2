// SPDX-License-Identifier: Apache-2.0
// Default values of the Defs of constraints: loops, sliders, velocity constraints, wheels, couplings,
// constraints in C.
//
// As in spec_default.c, a zeroed Def is nearly right and what differs from zero is written here.
#include "elver/spec.h"

#include <string.h>

ElvLoopDef elv_loop_def_default(void) {
    ElvLoopDef loop;
    memset(&loop, 0, sizeof loop);
    loop.first = "world";
    loop.joint = elv_joint_def_default();
    loop.closure = ELV_CLOSURE_EXACT;
    return loop;
}

ElvSliderDef elv_slider_def_default(void) {
    ElvSliderDef slider;
    memset(&slider, 0, sizeof slider);
    slider.station = 0.5;
    return slider;
}

ElvVelocityConstraintDef elv_velocity_constraint_def_default(void) {
    ElvVelocityConstraintDef velocity;
    memset(&velocity, 0, sizeof velocity);
    velocity.on = "world";
    return velocity;
}

ElvRollingDef elv_rolling_def_default(void) {
    ElvRollingDef rolling;
    memset(&rolling, 0, sizeof rolling);
    rolling.on = "world";
    rolling.axis = elv_vec3(0.0, 1.0, 0.0);
    return rolling;
}

ElvContactDef elv_contact_def_default(void) {
    ElvContactDef contact;
    memset(&contact, 0, sizeof contact);
    contact.station.value = 0.5;
    contact.on = "world";
    contact.when.value = 1.0;
    return contact;
}

ElvWheelDef elv_wheel_def_default(void) {
    ElvWheelDef wheel;
    memset(&wheel, 0, sizeof wheel);
    wheel.axis = elv_vec3(0.0, 1.0, 0.0);
    return wheel;
}

ElvCouplingDef elv_coupling_def_default(void) {
    ElvCouplingDef coupling;
    memset(&coupling, 0, sizeof coupling);
    return coupling;
}

ElvConstraintDef elv_constraint_def_default(void) {
    ElvConstraintDef own;
    memset(&own, 0, sizeof own);
    return own;
}
