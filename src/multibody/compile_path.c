// SPDX-License-Identifier: Apache-2.0
// Checks of actuators that need the rest of the spec: rods and frames that they name, whether a path
// stays within the outline of its rod's section, and the limits of laws whose values are known
// before the start. Paths and laws of s are looked at at many stations and where a law jumps. The
// laws compiled here are freed again: those of the model are made by the steps that use them.
#include "multibody/compile_device.h"
#include "multibody/spec_check.h"

#include <math.h>
#include <stdio.h>

enum {
    N_STATION = 35, // 33 and the two ends
    MAX_BREAK = 64, // of each law
    MAX_STATION = N_STATION + 4 * MAX_BREAK
};

// a path on the outline itself is inside, m
static const double outline_slack = 1e-9;

typedef struct {
    ElvCompiler* c;
    ElvPool pool;
    ElvLawSet laws;
    const char* element; // at fault
} Checker;

// ---- references

static ElvStatus
find_rod(Checker* check, const char* name, const char* field, const ElvRodDef** rod) {
    const ElvCompiler* c = check->c;
    int i_element = 0;
    ElvStatus status = elv_compile_find_rod(c, name, check->element, &i_element);
    if (status != ELV_OK) {
        // the key within the actuator
        if (c->error) {
            snprintf(c->error->field, sizeof c->error->field, "%s", field);
        }
        return status;
    }
    *rod = &c->spec->element[i_element].rod;
    return ELV_OK;
}

static ElvStatus find_frame(Checker* check, const char* reference, const char* field) {
    ElvResolved ignored;
    return elv_compile_resolve(check->c, reference, check->element, field, &ignored);
}

// ---- stations

static size_t
add_breaks(const ElvLaw* law, double lo, double hi, double station[MAX_STATION], size_t n) {
    double found[MAX_BREAK];
    size_t n_found = law ? elv_law_breakpoints(law, ELV_VARIABLE_S, lo, hi, found, MAX_BREAK) : 0;
    for (size_t i = 0; i < n_found && i < MAX_BREAK && n < MAX_STATION; i++) {
        station[n++] = found[i];
    }
    return n;
}

// stations at which n_law laws of s are looked at
static size_t choose_stations(
    double from, double to, const ElvLaw* const* law, size_t n_law, double station[MAX_STATION]) {
    size_t n = 0;
    for (int i = 0; i < N_STATION; i++) {
        station[n++] = from + (to - from) * i / (N_STATION - 1);
    }
    for (size_t i = 0; i < n_law; i++) {
        n = add_breaks(law[i], fmin(from, to), fmax(from, to), station, n);
    }
    return n;
}

// ---- places in the section

typedef struct {
    ElvSectionKind kind;
    const ElvLaw* width[2]; // along y and z; NULL: the same
} Outline;

static ElvStatus make_outline(Checker* check, const ElvRodDef* rod, Outline* outline) {
    bool is_round = rod->section.kind == ELV_SECTION_CIRCLE;
    outline->kind = rod->section.kind;
    for (int i = 0; i < (is_round ? 1 : 2); i++) {
        ElvStatus status =
            elv_law_set_add(&check->laws, &rod->section.outer[i], ELV_LAW_OF_S, rod->name,
                            "section", &outline->width[i], check->c->error);
        if (status != ELV_OK) {
            return status;
        }
    }
    return ELV_OK;
}

static bool has_outline(const ElvRodDef* rod) {
    return rod->section.kind == ELV_SECTION_CIRCLE || rod->section.kind == ELV_SECTION_ELLIPSE ||
           rod->section.kind == ELV_SECTION_RECTANGLE;
}

// distance from the axis to the outline in the direction of (y, z), which is not zero
static double outline_reach(const Outline* outline, double s, double y, double z) {
    double a = 0.5 * elv_law_value(outline->width[0], 0.0, s);
    double b = outline->width[1] ? 0.5 * elv_law_value(outline->width[1], 0.0, s) : a;
    if (!(a > 0.0 && b > 0.0)) {
        return 0.0;
    }
    double times = outline->kind == ELV_SECTION_RECTANGLE ? fmax(fabs(y) / a, fabs(z) / b)
                                                          : hypot(y / a, z / b);
    return hypot(y, z) / times;
}

static ElvStatus check_place(Checker* check,
                             const char* field,
                             const char* rod,
                             double s,
                             const ElvVec3* place,
                             const Outline* outline) {
    ElvError* error = check->c->error;
    double distance = hypot(place->y, place->z);
    if (!isfinite(distance)) {
        return elv_error_set(error, ELV_ERROR_INPUT, check->element, field,
                             "the path has no place in the section at s = %g: (y, z) is (%g, %g)",
                             s, place->y, place->z);
    }
    if (!outline || distance <= outline_slack) {
        return ELV_OK;
    }
    double reach = outline_reach(outline, s, place->y, place->z);
    if (distance <= reach + outline_slack) {
        return ELV_OK;
    }
    return elv_error_set(error, ELV_ERROR_INPUT, check->element, field,
                         "'%s' leaves the section of '%s' at s = %g: it runs %.6g m from the axis, "
                         "where the section ends at %.6g m; change 'y' and 'z', or write "
                         "'outside: true' if discs or guides lead it",
                         check->element, rod, s, distance, reach);
}

// a part of a path along a rod; prefix "path[0]" or "path"
static ElvStatus check_part(Checker* check, const char* prefix, const ElvPathDef* part) {
    const ElvLaw* law[4] = {0};
    const char* const key[2] = {"y", "z"};
    const ElvLawDef* const def[2] = {&part->y, &part->z};
    char field[64];
    const ElvRodDef* rod = NULL;
    snprintf(field, sizeof field, "%s.rod", prefix);
    ElvStatus status = find_rod(check, part->rod, field, &rod);
    for (int i = 0; i < 2 && status == ELV_OK; i++) {
        snprintf(field, sizeof field, "%s.%s", prefix, key[i]);
        status = elv_law_set_add(&check->laws, def[i], ELV_LAW_OF_S, check->element, field, &law[i],
                                 check->c->error);
    }
    Outline outline = {ELV_SECTION_NONE, {NULL, NULL}};
    bool is_bound = status == ELV_OK && has_outline(rod) && !part->is_outside;
    if (is_bound) {
        status = make_outline(check, rod, &outline);
        law[2] = outline.width[0];
        law[3] = outline.width[1];
    }
    double station[MAX_STATION];
    size_t n = status == ELV_OK ? choose_stations(part->from, part->to, law, 4, station) : 0;
    for (size_t i = 0; i < n && status == ELV_OK; i++) {
        ElvVec3 place = elv_vec3(0.0, elv_law_value(law[0], 0.0, station[i]),
                                 elv_law_value(law[1], 0.0, station[i]));
        status =
            check_place(check, prefix, part->rod, station[i], &place, is_bound ? &outline : NULL);
    }
    return status;
}

// ---- amounts

// values that do not wait for the time: all of a constant, those along the path of a law of s
static ElvStatus check_amount(Checker* check, const ElvAmount* amount, const ElvPathDef* path) {
    const ElvLaw* law = NULL;
    int allowed = (amount->has_t ? ELV_LAW_OF_T : 0) | (amount->has_s ? ELV_LAW_OF_S : 0);
    ElvStatus status = elv_law_set_add(&check->laws, amount->law, allowed, check->element,
                                       amount->field, &law, check->c->error);
    if (status != ELV_OK || (amount->has_t && elv_law_depends_on_t(law))) {
        return status;
    }
    double station[MAX_STATION];
    size_t n = amount->has_s && path ? choose_stations(path->from, path->to, &law, 1, station) : 1;
    station[0] = amount->has_s && path ? station[0] : 0.0;
    for (size_t i = 0; i < n; i++) {
        double value = elv_law_value(law, 0.0, station[i]);
        if (!elv_check_amount(check->element, amount, value, check->c->error)) {
            return ELV_ERROR_INPUT;
        }
    }
    return ELV_OK;
}

static ElvStatus
check_amounts(Checker* check, const ElvActuator* actuator, const ElvPathDef* path) {
    ElvAmount amount[ELV_AMOUNTS_MAX];
    int n = elv_actuator_amounts(actuator, amount);
    ElvStatus status = ELV_OK;
    for (int i = 0; i < n && status == ELV_OK; i++) {
        status = check_amount(check, &amount[i], path);
    }
    return status;
}

// ---- actuators

static ElvStatus check_tendon(Checker* check, const ElvActuator* actuator) {
    const ElvTendonDef* def = &actuator->as.tendon;
    ElvStatus status = ELV_OK;
    for (int i = 0; i < def->n_path && status == ELV_OK; i++) {
        char field[64];
        snprintf(field, sizeof field, "path[%d]%s", i, def->path[i].rod ? "" : ".at");
        status = def->path[i].rod ? check_part(check, field, &def->path[i])
                                  : find_frame(check, def->path[i].at, field);
    }
    return status == ELV_OK ? check_amounts(check, actuator, def->path) : status;
}

static ElvStatus
check_one_rod(Checker* check, const ElvActuator* actuator, const ElvPathDef* path) {
    ElvStatus status = check_part(check, "path", path);
    return status == ELV_OK ? check_amounts(check, actuator, path) : status;
}

// its pattern, and whether that has the oscillator
static ElvStatus check_muscle(Checker* check, const ElvActuator* actuator) {
    const ElvMuscleDef* def = &actuator->as.muscle;
    const ElvPatternDef* pattern = NULL;
    ElvStatus status = check_one_rod(check, actuator, &def->path);
    if (status != ELV_OK || !def->pattern) {
        return status;
    }
    status = elv_compile_find_pattern(check->c, def, &pattern);
    if (status != ELV_OK || def->oscillator < pattern->oscillators) {
        return status;
    }
    return elv_error_set(check->c->error, ELV_ERROR_INPUT, def->name, "oscillator",
                         "pattern '%s' has the oscillators 0 to %d, not %d", pattern->name,
                         pattern->oscillators - 1, def->oscillator);
}

static ElvStatus check_actuator(Checker* check, const ElvActuator* actuator) {
    const ElvRodDef* ignored = NULL;
    switch (actuator->kind) {
    case ELV_ACTUATOR_STRESS:
        return find_rod(check, actuator->as.stress.rod, "rod", &ignored);
    case ELV_ACTUATOR_TENDON:
        return check_tendon(check, actuator);
    case ELV_ACTUATOR_CHAMBER:
        return check_one_rod(check, actuator, &actuator->as.chamber.path);
    case ELV_ACTUATOR_MUSCLE:
        return check_muscle(check, actuator);
    case ELV_ACTUATOR_PATTERN:
        return check_amounts(check, actuator, NULL);
    case ELV_ACTUATOR_STRAIN_CONTROL:
        return find_rod(check, actuator->as.strain_control.rod, "strain_control", &ignored);
    case ELV_ACTUATOR_STRESS_LAW:
        return find_rod(check, actuator->as.stress_law.rod, "rod", &ignored);
    case ELV_ACTUATOR_VELOCITY_CONTROL:
        return find_frame(check, actuator->as.velocity_control.at, "at");
    }
    return ELV_OK;
}

ElvStatus elv_compile_check_actuators(ElvCompiler* c) {
    Checker check = {.c = c};
    check.laws.pool = &check.pool;
    check.laws.parameter = c->model->laws.parameter;
    check.laws.n_parameter = c->model->laws.n_parameter;
    ElvStatus status = ELV_OK;
    for (int i = 0; i < c->spec->n_actuator && status == ELV_OK; i++) {
        char place[32];
        const ElvActuator* actuator = &c->spec->actuator[i];
        check.element = elv_actuator_label(actuator, i, place, sizeof place);
        status = check_actuator(&check, actuator);
    }
    elv_law_set_free(&check.laws);
    elv_pool_free(&check.pool);
    return status;
}
