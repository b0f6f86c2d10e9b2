// SPDX-License-Identifier: Apache-2.0
// Constraints of an ElvSpec: loops, sliders, velocity constraints, wheels, couplings and constraints in C
// are one list, in the order of addition. As for all of a spec, a failed add leaves it as it was.
#include "multibody/spec.h"

#include "multibody/spec_check.h"
#include "multibody/spec_copy.h"

// check a constraint, copy what it points to and append it
static ElvStatus add_constraint(ElvSpec* spec, ElvConstraint* constraint, ElvError* error) {
    ElvStatus status = elv_check_constraint(spec, constraint, error);
    if (status != ELV_OK) {
        return status;
    }
    const char* name = elv_constraint_name(constraint);
    ElvConstraint* list =
        elv_pool_grow(&spec->pool, spec->constraint, spec->n_constraint, sizeof *list);
    if (!list || !elv_constraint_own(&spec->pool, constraint)) {
        return elv_error_set(error, ELV_ERROR_MEMORY, name, "", "out of memory");
    }
    spec->constraint = list;
    list[spec->n_constraint++] = *constraint;
    return ELV_OK;
}

ElvStatus elv_spec_add_loop(ElvSpec* spec, const ElvLoopDef* def, ElvError* error) {
    ElvConstraint constraint = {.kind = ELV_CONSTRAINT_LOOP, .as.loop = *def};
    return add_constraint(spec, &constraint, error);
}

ElvStatus elv_spec_add_slider(ElvSpec* spec, const ElvSliderDef* def, ElvError* error) {
    ElvConstraint constraint = {.kind = ELV_CONSTRAINT_SLIDER, .as.slider = *def};
    return add_constraint(spec, &constraint, error);
}

ElvStatus elv_spec_add_velocity_constraint(ElvSpec* spec,
                                           const ElvVelocityConstraintDef* def,
                                           ElvError* error) {
    ElvConstraint constraint = {.kind = ELV_CONSTRAINT_VELOCITY, .as.velocity = *def};
    return add_constraint(spec, &constraint, error);
}

ElvStatus elv_spec_add_rolling(ElvSpec* spec, const ElvRollingDef* def, ElvError* error) {
    ElvConstraint constraint = {.kind = ELV_CONSTRAINT_ROLLING, .as.rolling = *def};
    return add_constraint(spec, &constraint, error);
}

ElvStatus elv_spec_add_contact(ElvSpec* spec, const ElvContactDef* def, ElvError* error) {
    ElvConstraint constraint = {.kind = ELV_CONSTRAINT_CONTACT, .as.contact = *def};
    return add_constraint(spec, &constraint, error);
}

ElvStatus elv_spec_add_wheel(ElvSpec* spec, const ElvWheelDef* def, ElvError* error) {
    ElvConstraint constraint = {.kind = ELV_CONSTRAINT_WHEEL, .as.wheel = *def};
    return add_constraint(spec, &constraint, error);
}

ElvStatus elv_spec_add_constraint(ElvSpec* spec, const ElvConstraintDef* def, ElvError* error) {
    ElvConstraint constraint = {.kind = ELV_CONSTRAINT_OWN, .as.own = *def};
    return add_constraint(spec, &constraint, error);
}

ElvStatus elv_spec_add_coupling(ElvSpec* spec, const ElvCouplingDef* def, ElvError* error) {
    ElvConstraint constraint = {.kind = ELV_CONSTRAINT_COUPLING, .as.coupling = *def};
    return add_constraint(spec, &constraint, error);
}
