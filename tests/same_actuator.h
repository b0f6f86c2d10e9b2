// SPDX-License-Identifier: Apache-2.0
// Whether two actuators of specs are the same, to the bit.
#ifndef ELVER_TESTS_SAME_ACTUATOR_H
#define ELVER_TESTS_SAME_ACTUATOR_H

#include "check.h"
#include "multibody/spec.h"

static inline void check_same_text(const char* a, const char* b) {
    CHECK_TRUE((a == NULL) == (b == NULL));
    if (a && b) {
        assert_string_equal(a, b);
    }
}

static inline void check_same_laws(const ElvLawDef* a, const ElvLawDef* b, int n) {
    for (int i = 0; i < n; i++) {
        assert_int_equal(a[i].kind, b[i].kind);
        CHECK_NEAR(a[i].value, b[i].value, 0.0);
        check_same_text(a[i].text, b[i].text);
        CHECK_TRUE(a[i].variable == b[i].variable && a[i].table == b[i].table);
        assert_int_equal(a[i].n, b[i].n);
        CHECK_ARRAY_NEAR(a[i].x, b[i].x, a[i].n, 0.0);
        CHECK_ARRAY_NEAR(a[i].y, b[i].y, a[i].n, 0.0);
        CHECK_TRUE(a[i].callback == b[i].callback && a[i].user == b[i].user);
    }
}

static inline void check_same_path(const ElvPathDef* a, const ElvPathDef* b, int n) {
    for (int i = 0; i < n; i++) {
        check_same_text(a[i].rod, b[i].rod);
        check_same_text(a[i].at, b[i].at);
        CHECK_TRUE(a[i].from == b[i].from && a[i].to == b[i].to);
        CHECK_TRUE(a[i].is_outside == b[i].is_outside);
        CHECK_TRUE(a[i].point.x == b[i].point.x && a[i].point.y == b[i].point.y &&
                   a[i].point.z == b[i].point.z);
        check_same_laws(&a[i].y, &b[i].y, 1);
        check_same_laws(&a[i].z, &b[i].z, 1);
    }
}

static inline void check_same_tendon(const ElvTendonDef* a, const ElvTendonDef* b) {
    assert_int_equal(a->n_path, b->n_path);
    check_same_path(a->path, b->path, a->n_path);
    check_same_laws(&a->law, &b->law, 1);
    CHECK_TRUE(a->pull == b->pull && a->neglects_strain == b->neglects_strain);
    CHECK_NEAR(a->stiffness, b->stiffness, 0.0);
    CHECK_NEAR(a->slack, b->slack, 0.0);
    CHECK_NEAR(a->friction, b->friction, 0.0);
}

static inline void check_same_stress(const ElvStressDef* a, const ElvStressDef* b) {
    assert_string_equal(a->rod, b->rod);
    CHECK_TRUE(a->from == b->from && a->to == b->to);
    check_same_laws(a->stress, b->stress, ELV_N_STRAIN);
    check_same_laws(&a->when, &b->when, 1);
}

static inline void check_same_strain_control(const ElvStrainControlDef* a,
                                             const ElvStrainControlDef* b) {
    assert_string_equal(a->rod, b->rod);
    CHECK_TRUE(a->from == b->from && a->to == b->to);
    check_same_laws(a->kp, b->kp, ELV_N_STRAIN);
    check_same_laws(a->kd, b->kd, ELV_N_STRAIN);
    check_same_laws(a->target, b->target, ELV_N_STRAIN);
    assert_memory_equal(a->has_target, b->has_target, sizeof a->has_target);
}

static inline void check_same_velocity_control(const ElvVelocityControlDef* a,
                                               const ElvVelocityControlDef* b) {
    assert_string_equal(a->at, b->at);
    CHECK_ARRAY_NEAR(a->kp, b->kp, 6, 0.0);
    CHECK_ARRAY_NEAR(a->ki, b->ki, 6, 0.0);
    check_same_laws(a->velocity, b->velocity, 6);
}

static inline void check_same_pattern(const ElvPatternDef* a, const ElvPatternDef* b) {
    assert_int_equal(a->oscillators, b->oscillators);
    check_same_laws(&a->frequency, &b->frequency, 1);
    check_same_laws(&a->amplitude, &b->amplitude, 1);
    CHECK_NEAR(a->phase_lag, b->phase_lag, 0.0);
    CHECK_NEAR(a->coupling, b->coupling, 0.0);
    CHECK_NEAR(a->rate, b->rate, 0.0);
    CHECK_NEAR(a->feedback, b->feedback, 0.0);
}

static inline void check_same_actuator(const ElvActuator* a, const ElvActuator* b) {
    assert_int_equal(a->kind, b->kind);
    check_same_text(elv_actuator_name(a), elv_actuator_name(b));
    switch (a->kind) {
    case ELV_ACTUATOR_STRESS:
        check_same_stress(&a->as.stress, &b->as.stress);
        break;
    case ELV_ACTUATOR_TENDON:
        check_same_tendon(&a->as.tendon, &b->as.tendon);
        break;
    case ELV_ACTUATOR_CHAMBER:
        check_same_path(&a->as.chamber.path, &b->as.chamber.path, 1);
        check_same_laws(&a->as.chamber.area, &b->as.chamber.area, 1);
        check_same_laws(&a->as.chamber.pressure, &b->as.chamber.pressure, 1);
        CHECK_TRUE(a->as.chamber.neglects_strain == b->as.chamber.neglects_strain);
        break;
    case ELV_ACTUATOR_MUSCLE:
        check_same_path(&a->as.muscle.path, &b->as.muscle.path, 1);
        check_same_laws(&a->as.muscle.force, &b->as.muscle.force, 1);
        check_same_laws(&a->as.muscle.activation, &b->as.muscle.activation, 1);
        CHECK_TRUE(a->as.muscle.neglects_strain == b->as.muscle.neglects_strain);
        check_same_text(a->as.muscle.pattern, b->as.muscle.pattern);
        assert_int_equal(a->as.muscle.oscillator, b->as.muscle.oscillator);
        CHECK_NEAR(a->as.muscle.phase, b->as.muscle.phase, 0.0);
        break;
    case ELV_ACTUATOR_PATTERN:
        check_same_pattern(&a->as.pattern, &b->as.pattern);
        break;
    case ELV_ACTUATOR_STRAIN_CONTROL:
        check_same_strain_control(&a->as.strain_control, &b->as.strain_control);
        break;
    case ELV_ACTUATOR_STRESS_LAW:
        assert_string_equal(a->as.stress_law.rod, b->as.stress_law.rod);
        CHECK_TRUE(a->as.stress_law.callback == b->as.stress_law.callback);
        break;
    case ELV_ACTUATOR_VELOCITY_CONTROL:
        check_same_velocity_control(&a->as.velocity_control, &b->as.velocity_control);
        break;
    }
}

#endif
