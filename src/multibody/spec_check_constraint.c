// SPDX-License-Identifier: Apache-2.0
// Checks of constraints: sliders, constraints on velocities, wheels, couplings and constraints in C; loops are
// checked in spec_check_loop.c, contacts in spec_check_contact.c. Whether what they refer to exists is seen on
// compile.
#include "base/spec_names.h"
#include "multibody/frame_reference.h"
#include "multibody/spec_check.h"
#include "multibody/velocity_rows.h"

#include <stdio.h>
#include <string.h>

// rows whose part at right angles to those before is shorter than this are combinations of them
static const double row_tol = 1e-9;

// ---- references

static bool check_frame(const char* name, const char* field, const char* text, ElvError* error) {
    ElvFrameReference parsed;
    if (!elv_check_reference(name, field, text, error)) {
        return false;
    }
    return elv_frame_reference_parse(text, &parsed, NULL) ||
           elv_check_fail(error, name, field,
                          "'%s' is no frame: expected 'world', a body, 'ROD.tip', 'ROD.root', "
                          "'ROD.at(0.5)' or the name of a frame",
                          text);
}

// a rod, or a body or rod, named without a place on it
static bool check_element(
    const char* name, const char* field, const char* text, const char* what, ElvError* error) {
    ElvFrameReference parsed;
    if (!elv_check_reference(name, field, text, error)) {
        return false;
    }
    if (!elv_frame_reference_parse(text, &parsed, NULL) || parsed.has_station) {
        return elv_check_fail(error, name, field,
                              "'%s' is not the name of a %s: give the name alone", text, what);
    }
    return true;
}

bool elv_check_pair(const char* name,
                    const char* field_a,
                    const char* a,
                    const char* field_b,
                    const char* b,
                    ElvError* error) {
    if (!check_frame(name, field_a, a, error) || !check_frame(name, field_b, b, error)) {
        return false;
    }
    return strcmp(a, b) != 0 ||
           elv_check_fail(error, name, field_b,
                          "a constraint is between two frames, but both are '%s': name another one",
                          a);
}

// ---- sliders

static bool is_zero(const ElvLawDef* law) {
    return law->kind == ELV_LAW_CONSTANT && law->value == 0.0;
}

static bool check_station(const char* name, const char* field, double station, ElvError* error) {
    return (station >= 0.0 && station <= 1.0) ||
           elv_check_fail(error, name, field,
                          "'%s' must be a station of the rod, from 0 to 1, got %g", field, station);
}

static bool check_drive(const ElvSliderDef* def, ElvError* error) {
    if (!def->is_driven) {
        return is_zero(&def->drive) ||
               elv_check_fail(
                   error, def->name, "drive",
                   "'drive' has no effect on a slider that is not driven: set is_driven");
    }
    if (!elv_check_laws(def->name, "drive", &def->drive, 1, error) ||
        (def->drive.kind == ELV_LAW_CONSTANT &&
         !check_station(def->name, "drive", def->drive.value, error))) {
        return false;
    }
    return is_zero(&def->force) ||
           elv_check_fail(
               error, def->name, "force",
               "a station that is driven leaves nothing to push: take 'force' or 'drive' "
               "away");
}

static bool check_slider(const ElvSpec* spec, const ElvSliderDef* def, ElvError* error) {
    return elv_check_name(spec, def->name, "slider", error) &&
           check_frame(def->name, "point", def->point, error) &&
           check_element(def->name, "rod", def->rod, "rod", error) &&
           check_station(def->name, "station", def->station, error) &&
           elv_check_not_negative(def->name, "damping", &def->damping, 1, "N s/m", error) &&
           elv_check_laws(def->name, "force", &def->force, 1, error) && check_drive(def, error);
}

// ---- velocities

static bool check_row(const char* name, const double* row, int i, ElvError* error) {
    char field[32];
    snprintf(field, sizeof field, "rows[%d]", i);
    if (!elv_check_finite(name, field, row, 6, error)) {
        return false;
    }
    for (int k = 0; k < 6; k++) {
        if (row[k] != 0.0) {
            return true;
        }
    }
    return elv_check_fail(error, name, field,
                          "row %d is zero and constrains nothing: give the coefficients of angular "
                          "and linear velocity, or take the row away",
                          i + 1);
}

static bool check_velocity(const ElvSpec* spec, const ElvVelocityConstraintDef* def, ElvError* e) {
    double direction[ELV_VELOCITY_ROWS_MAX][6];
    if (!elv_check_name(spec, def->name, "velocity", e) ||
        !elv_check_pair(def->name, "at", def->at, "on", def->on, e)) {
        return false;
    }
    if (def->n_row < 1 || def->n_row > ELV_VELOCITY_ROWS_MAX) {
        return elv_check_fail(e, def->name, "rows",
                              "a velocity constraint has from 1 to %d rows, got %d%s",
                              ELV_VELOCITY_ROWS_MAX, def->n_row,
                              def->n_row > ELV_VELOCITY_ROWS_MAX
                                  ? "; a frame held in all six is a loop with a fixed joint"
                                  : "");
    }
    for (int i = 0; i < def->n_row; i++) {
        if (!check_row(def->name, def->row[i], i, e)) {
            return false;
        }
        if (!(elv_velocity_row_reduce(def->row[i], direction, i) > row_tol)) {
            char field[32];
            snprintf(field, sizeof field, "rows[%d]", i);
            return elv_check_fail(e, def->name, field,
                                  "row %d is a combination of those before it: take it away",
                                  i + 1);
        }
    }
    return elv_check_laws(def->name, "equals", def->rate, def->n_row, e);
}

static bool check_rolling(const ElvSpec* spec, const ElvRollingDef* def, ElvError* error) {
    return elv_check_name(spec, def->name, "rolling", error) &&
           elv_check_pair(def->name, "at", def->at, "on", def->on, error) &&
           elv_check_axis(def->name, "axis", def->axis, error) &&
           elv_check_positive(def->name, "radius", def->radius, "m", error);
}

static bool check_wheel(const ElvSpec* spec, const ElvWheelDef* def, ElvError* error) {
    if (!elv_check_name(spec, def->name, "wheel", error)) {
        return false;
    }
    if ((unsigned)def->drive >= ELV_N_WHEEL_DRIVE) {
        return elv_check_fail(error, def->name, "drive", "unknown kind of motor");
    }
    if (!def->at || !def->at[0]) {
        return elv_check_fail(error, def->name, "at",
                              "'at' is missing: name the frame that the wheel is fixed to");
    }
    return elv_check_axis(def->name, "axis", def->axis, error) &&
           elv_check_positive(def->name, "radius", def->radius, "m", error) &&
           (def->drive == ELV_WHEEL_FREE ||
            elv_check_laws(def->name, elv_wheel_drive_names[def->drive], &def->law, 1, error));
}

// ---- couplings

// the n-th coordinate, and that it is not one of those before
static bool check_coupled(const ElvCouplingDef* def, int i, ElvError* error) {
    char joint[32];
    char component[32];
    char factor[32];
    snprintf(joint, sizeof joint, "joints[%d].joint", i);
    snprintf(component, sizeof component, "joints[%d].component", i);
    snprintf(factor, sizeof factor, "joints[%d].factor", i);
    if (!check_element(def->name, joint, def->joint[i], "body or rod", error) ||
        !elv_check_finite(def->name, factor, &def->factor[i], 1, error)) {
        return false;
    }
    if (def->factor[i] == 0.0) {
        return elv_check_fail(error, def->name, factor,
                              "a factor of 0 couples nothing: take '%s' away or give its factor",
                              def->joint[i]);
    }
    if (def->component[i] < 0 || def->component[i] > 5) {
        return elv_check_fail(error, def->name, component,
                              "coordinates of a joint are counted from 0 to at most 5, got %d",
                              def->component[i]);
    }
    for (int j = 0; j < i; j++) {
        if (strcmp(def->joint[i], def->joint[j]) == 0 && def->component[i] == def->component[j]) {
            return elv_check_fail(error, def->name, joint,
                                  "coordinate %d of '%s' is there twice: add its factors",
                                  def->component[i], def->joint[i]);
        }
    }
    return true;
}

static bool check_coupling(const ElvSpec* spec, const ElvCouplingDef* def, ElvError* error) {
    if (!elv_check_name(spec, def->name, "coupling", error)) {
        return false;
    }
    if (def->n < 1 || def->n > ELV_COUPLED_MAX) {
        return elv_check_fail(error, def->name, "joints",
                              "a coupling has from 1 to %d coordinates of joints, got %d",
                              ELV_COUPLED_MAX, def->n);
    }
    for (int i = 0; i < def->n; i++) {
        if (!check_coupled(def, i, error)) {
            return false;
        }
    }
    return elv_check_laws(def->name, "equals", &def->value, 1, error);
}

// ---- constraints of one's own

static bool check_own(const ElvSpec* spec, const ElvConstraintDef* def, ElvError* error) {
    if (!elv_check_name(spec, def->name, "constraint", error)) {
        return false;
    }
    if (!def->callback) {
        return elv_check_fail(error, def->name, "callback",
                              "a constraint of one's own needs a callback");
    }
    if (def->n_row < 1 || def->n_row > ELV_OWN_ROWS_MAX || def->n_frame < 0 ||
        def->n_frame > ELV_OWN_FRAMES_MAX || def->n_joint < 0 ||
        def->n_joint > ELV_OWN_JOINTS_MAX || def->n_frame + def->n_joint == 0) {
        return elv_check_fail(error, def->name, "n_row",
                              "'%s' needs 1 to %d rows on 1 to %d frames or 1 to %d joints",
                              def->name, ELV_OWN_ROWS_MAX, ELV_OWN_FRAMES_MAX, ELV_OWN_JOINTS_MAX);
    }
    for (int i = 0; i < def->n_frame; i++) {
        if (!elv_check_reference(def->name, "frame", def->frame[i], error)) {
            return false;
        }
    }
    for (int i = 0; i < def->n_joint; i++) {
        if (!def->joint[i] || def->component[i] < 0 || def->component[i] > 5) {
            return elv_check_fail(error, def->name, "joint",
                                  "joint %d of '%s' needs a name and a component from 0 to 5", i,
                                  def->name);
        }
    }
    return true;
}

ElvStatus
elv_check_constraint(const ElvSpec* spec, const ElvConstraint* constraint, ElvError* error) {
    bool is_right = false;
    switch (constraint->kind) {
    case ELV_CONSTRAINT_LOOP:
        is_right = elv_check_loop(spec, &constraint->as.loop, error);
        break;
    case ELV_CONSTRAINT_SLIDER:
        is_right = check_slider(spec, &constraint->as.slider, error);
        break;
    case ELV_CONSTRAINT_VELOCITY:
        is_right = check_velocity(spec, &constraint->as.velocity, error);
        break;
    case ELV_CONSTRAINT_ROLLING:
        is_right = check_rolling(spec, &constraint->as.rolling, error);
        break;
    case ELV_CONSTRAINT_WHEEL:
        is_right = check_wheel(spec, &constraint->as.wheel, error);
        break;
    case ELV_CONSTRAINT_CONTACT:
        is_right = elv_check_contact(spec, &constraint->as.contact, error);
        break;
    case ELV_CONSTRAINT_COUPLING:
        is_right = check_coupling(spec, &constraint->as.coupling, error);
        break;
    case ELV_CONSTRAINT_OWN:
        is_right = check_own(spec, &constraint->as.own, error);
        break;
    }
    return is_right ? ELV_OK : ELV_ERROR_INPUT;
}
