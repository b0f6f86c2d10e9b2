// SPDX-License-Identifier: Apache-2.0
// Whether two constraints of specs are the same, to the bit.
#ifndef ELVER_TESTS_SAME_CONSTRAINT_H
#define ELVER_TESTS_SAME_CONSTRAINT_H

#include "same_actuator.h"

// what joints of loops have; the rest has its defaults in both, as the checks of the spec see to
static inline void check_same_loop_joint(const ElvJointDef* a, const ElvJointDef* b) {
    CHECK_TRUE(a->type == b->type && a->drive == b->drive);
    CHECK_TRUE(a->axis.x == b->axis.x && a->axis.y == b->axis.y && a->axis.z == b->axis.z);
    CHECK_TRUE(a->axis2.x == b->axis2.x && a->axis2.y == b->axis2.y && a->axis2.z == b->axis2.z);
    CHECK_ARRAY_NEAR(a->damping, b->damping, 6, 0.0);
    CHECK_ARRAY_NEAR(a->stiffness, b->stiffness, 6, 0.0);
    CHECK_ARRAY_NEAR(a->rest, b->rest, 6, 0.0);
    check_same_laws(a->law, b->law, 6);
}

static inline void check_same_loop(const ElvLoopDef* a, const ElvLoopDef* b) {
    assert_string_equal(a->first, b->first);
    assert_string_equal(a->second, b->second);
    check_same_laws(a->pose, b->pose, 6);
    check_same_loop_joint(&a->joint, &b->joint);
    assert_int_equal(a->closure, b->closure);
    CHECK_ARRAY_NEAR(a->penalty, b->penalty, 2, 0.0);
}

static inline void check_same_slider(const ElvSliderDef* a, const ElvSliderDef* b) {
    assert_string_equal(a->point, b->point);
    assert_string_equal(a->rod, b->rod);
    CHECK_TRUE(a->is_driven == b->is_driven && a->station == b->station);
    CHECK_NEAR(a->damping, b->damping, 0.0);
    check_same_laws(&a->force, &b->force, 1);
    check_same_laws(&a->drive, &b->drive, 1);
}

static inline void check_same_velocity(const ElvVelocityConstraintDef* a,
                                       const ElvVelocityConstraintDef* b) {
    assert_string_equal(a->at, b->at);
    assert_string_equal(a->on, b->on);
    assert_int_equal(a->n_row, b->n_row);
    CHECK_ARRAY_NEAR(&a->row[0][0], &b->row[0][0], sizeof a->row / sizeof(double), 0.0);
    check_same_laws(a->rate, b->rate, ELV_VELOCITY_ROWS_MAX);
}

static inline void check_same_coupling(const ElvCouplingDef* a, const ElvCouplingDef* b) {
    assert_int_equal(a->n, b->n);
    for (int i = 0; i < ELV_COUPLED_MAX; i++) {
        check_same_text(a->joint[i], b->joint[i]);
        CHECK_TRUE(a->component[i] == b->component[i] && a->factor[i] == b->factor[i]);
    }
    check_same_laws(&a->value, &b->value, 1);
}

static inline void check_same_wheel(const ElvWheelDef* a, const ElvWheelDef* b) {
    assert_string_equal(a->at, b->at);
    CHECK_TRUE(a->axis.x == b->axis.x && a->axis.y == b->axis.y && a->axis.z == b->axis.z);
    CHECK_TRUE(a->radius == b->radius && a->is_omni == b->is_omni && a->drive == b->drive);
    check_same_laws(&a->law, &b->law, 1);
}

static inline void check_same_contact(const ElvContactDef* a, const ElvContactDef* b) {
    assert_string_equal(a->rod, b->rod);
    assert_string_equal(a->on, b->on);
    CHECK_TRUE(a->kind == b->kind && a->slides == b->slides);
    check_same_laws(&a->station, &b->station, 1);
    check_same_laws(&a->when, &b->when, 1);
}

static inline void check_same_constraint(const ElvConstraint* a, const ElvConstraint* b) {
    assert_int_equal(a->kind, b->kind);
    assert_string_equal(elv_constraint_name(a), elv_constraint_name(b));
    const ElvRollingDef* p = &a->as.rolling;
    const ElvRollingDef* q = &b->as.rolling;
    switch (a->kind) {
    case ELV_CONSTRAINT_LOOP:
        check_same_loop(&a->as.loop, &b->as.loop);
        break;
    case ELV_CONSTRAINT_SLIDER:
        check_same_slider(&a->as.slider, &b->as.slider);
        break;
    case ELV_CONSTRAINT_VELOCITY:
        check_same_velocity(&a->as.velocity, &b->as.velocity);
        break;
    case ELV_CONSTRAINT_ROLLING:
        assert_string_equal(p->at, q->at);
        assert_string_equal(p->on, q->on);
        CHECK_TRUE(p->axis.x == q->axis.x && p->axis.y == q->axis.y && p->axis.z == q->axis.z);
        CHECK_TRUE(p->radius == q->radius && p->slips_sideways == q->slips_sideways);
        break;
    case ELV_CONSTRAINT_WHEEL:
        check_same_wheel(&a->as.wheel, &b->as.wheel);
        break;
    case ELV_CONSTRAINT_CONTACT:
        check_same_contact(&a->as.contact, &b->as.contact);
        break;
    case ELV_CONSTRAINT_COUPLING:
        check_same_coupling(&a->as.coupling, &b->as.coupling);
        break;
    case ELV_CONSTRAINT_OWN:
        // no file holds it
        fail();
        break;
    }
}

#endif
