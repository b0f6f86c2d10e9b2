// SPDX-License-Identifier: Apache-2.0
// Frame references of a spec, the order of its elements, and the stations of its rods.
#include "multibody/compile_device.h"

#include "base/sort.h"
#include "multibody/frame_reference.h"
#include "rod/rod.h"

#include <stdio.h>
#include <string.h>

ElvStatus elv_compile_no_memory(const ElvCompiler* c) {
    return elv_error_set(c->error, ELV_ERROR_MEMORY, "", "", "out of memory");
}

static int find_element(const ElvSpec* spec, const char* name) {
    for (int i = 0; i < spec->n_element; i++) {
        if (strcmp(elv_element_name(&spec->element[i]), name) == 0) {
            return i;
        }
    }
    return -1;
}

static int find_frame(const ElvSpec* spec, const char* name) {
    for (int i = 0; i < spec->n_frame; i++) {
        if (strcmp(spec->frame[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

// nearest known name, or NULL
static const char* suggest_name(const ElvSpec* spec, const char* name, bool rods_only) {
    const char* candidate[256];
    size_t n = 0;
    for (int i = 0; i < spec->n_element && n < 255; i++) {
        if (!rods_only || spec->element[i].is_rod) {
            candidate[n++] = elv_element_name(&spec->element[i]);
        }
    }
    for (int i = 0; i < spec->n_frame && n < 255 && !rods_only; i++) {
        candidate[n++] = spec->frame[i].name;
    }
    if (!rods_only) {
        candidate[n++] = "world";
    }
    return elv_suggest(name, candidate, n);
}

static ElvStatus unknown_name(const ElvCompiler* c,
                              const char* name,
                              const char* element,
                              const char* field,
                              const char* what,
                              bool rods_only) {
    const char* near = suggest_name(c->spec, name, rods_only);
    if (near) {
        return elv_error_set(c->error, ELV_ERROR_INPUT, element, field,
                             "no %s is named '%s', did you mean '%s'?", what, name, near);
    }
    return elv_error_set(c->error, ELV_ERROR_INPUT, element, field, "no %s is named '%s'", what,
                         name);
}

ElvStatus
elv_compile_find_rod(const ElvCompiler* c, const char* name, const char* element, int* i_element) {
    int i = find_element(c->spec, name);
    if (i < 0) {
        return unknown_name(c, name, element, "rod", "rod", true);
    }
    if (!c->spec->element[i].is_rod) {
        return elv_error_set(c->error, ELV_ERROR_INPUT, element, "rod",
                             "'%s' is a body, but a rod is needed here", name);
    }
    *i_element = i;
    return ELV_OK;
}

// a rod needs a station, a body has none
static ElvStatus check_station(const ElvCompiler* c,
                               const ElvFrameReference* parsed,
                               bool is_rod,
                               const char* element,
                               const char* field) {
    if (is_rod && !parsed->has_station) {
        return elv_error_set(c->error, ELV_ERROR_INPUT, element, field,
                             "'%s' is a rod: say where on it, e.g. '%s.tip', '%s.root' or "
                             "'%s.at(0.5)'",
                             parsed->name, parsed->name, parsed->name, parsed->name);
    }
    if (!is_rod && parsed->has_station) {
        return elv_error_set(c->error, ELV_ERROR_INPUT, element, field,
                             "'%s' is not a rod and has no stations: write '%s'", parsed->name,
                             parsed->name);
    }
    return ELV_OK;
}

ElvStatus elv_compile_resolve(const ElvCompiler* c,
                              const char* reference,
                              const char* element,
                              const char* field,
                              ElvResolved* resolved) {
    const ElvSpec* spec = c->spec;
    ElvPose pose = elv_pose_identity();
    // a named frame may sit on another: follow at most as many as there are
    for (int depth = 0; depth <= spec->n_frame; depth++) {
        ElvFrameReference parsed;
        if (!elv_frame_reference_parse(reference, &parsed, NULL)) {
            return elv_error_set(c->error, ELV_ERROR_INPUT, element, field,
                                 "'%s' is no frame: expected 'world', a body, 'ROD.tip', "
                                 "'ROD.root', 'ROD.at(0.5)' or the name of a frame",
                                 reference);
        }
        int i_element = find_element(spec, parsed.name);
        int i_frame = find_frame(spec, parsed.name);
        bool is_world = strcmp(parsed.name, "world") == 0;
        if (!is_world && i_element < 0 && i_frame < 0) {
            return unknown_name(c, parsed.name, element, field, "body, rod or frame", false);
        }
        bool is_rod = i_element >= 0 && spec->element[i_element].is_rod;
        ElvStatus status = check_station(c, &parsed, is_rod, element, field);
        if (status != ELV_OK) {
            return status;
        }
        if (i_frame < 0) {
            resolved->i_element = i_element;
            resolved->station = parsed.station;
            resolved->pose = pose;
            return ELV_OK;
        }
        pose = elv_pose_compose(spec->frame[i_frame].pose, pose);
        reference = spec->frame[i_frame].on;
    }
    return elv_error_set(c->error, ELV_ERROR_INPUT, element, field,
                         "the frames that this one sits on form a cycle");
}

static const char* parent_reference(const ElvElement* element) {
    return element->is_rod ? element->rod.parent : element->body.parent;
}

ElvStatus elv_compile_order(ElvCompiler* c) {
    const ElvSpec* spec = c->spec;
    int n_done = 0;
    int* parent = elv_pool_take(&c->model->pool, (size_t)spec->n_element, sizeof *parent);
    bool* is_done = elv_pool_take(&c->model->pool, (size_t)spec->n_element, sizeof *is_done);
    if (!parent || !is_done) {
        return elv_compile_no_memory(c);
    }
    for (int i = 0; i < spec->n_element; i++) {
        ElvResolved resolved;
        ElvStatus status =
            elv_compile_resolve(c, parent_reference(&spec->element[i]),
                                elv_element_name(&spec->element[i]), "parent", &resolved);
        if (status != ELV_OK) {
            return status;
        }
        parent[i] = resolved.i_element;
    }
    // repeated sweeps keep the given order as far as possible
    for (bool has_moved = true; has_moved && n_done < spec->n_element;) {
        has_moved = false;
        for (int i = 0; i < spec->n_element; i++) {
            if (!is_done[i] && (parent[i] < 0 || is_done[parent[i]])) {
                is_done[i] = has_moved = true;
                c->order[n_done++] = i;
            }
        }
    }
    for (int i = 0; i < spec->n_element; i++) {
        if (!is_done[i]) {
            const char* name = elv_element_name(&spec->element[i]);
            return elv_error_set(c->error, ELV_ERROR_INPUT, name, "parent",
                                 "the parents of '%s' form a cycle that never reaches the world",
                                 name);
        }
    }
    return ELV_OK;
}

static ElvStatus add_station(ElvCompiler* c, int i_element, double station) {
    for (int i = 0; i < c->n_station[i_element]; i++) {
        if (elv_same_station(c->station[i_element][i], station)) {
            return ELV_OK;
        }
    }
    double* grown = elv_pool_grow(&c->model->pool, c->station[i_element], c->n_station[i_element],
                                  sizeof *grown);
    if (!grown) {
        return elv_compile_no_memory(c);
    }
    grown[c->n_station[i_element]++] = station;
    c->station[i_element] = grown;
    return ELV_OK;
}

// the station of a reference, if it is on a rod
static ElvStatus
add_reference(ElvCompiler* c, const char* reference, const char* element, const char* field) {
    ElvResolved resolved = {.i_element = -1};
    ElvStatus status = elv_compile_resolve(c, reference, element, field, &resolved);
    if (status != ELV_OK || resolved.i_element < 0 ||
        !c->spec->element[resolved.i_element].is_rod) {
        return status;
    }
    return add_station(c, resolved.i_element, resolved.station);
}

// the ends of the parts of a tendon's path, between which strands may run
static ElvStatus add_path(ElvCompiler* c, const ElvTendonDef* def) {
    ElvStatus status = ELV_OK;
    for (int i = 0; i < def->n_path && def->n_path > 1 && status == ELV_OK; i++) {
        const ElvPathDef* part = &def->path[i];
        if (!part->rod) {
            status = add_reference(c, part->at, def->name, "path.at");
            continue;
        }
        int i_element = 0;
        status = elv_compile_find_rod(c, part->rod, def->name, &i_element);
        if (status == ELV_OK) {
            status = add_station(c, i_element, part->from);
        }
        if (status == ELV_OK) {
            status = add_station(c, i_element, part->to);
        }
    }
    return status;
}

static ElvStatus add_actuator(ElvCompiler* c, const ElvActuator* actuator) {
    if (actuator->kind == ELV_ACTUATOR_TENDON) {
        return add_path(c, &actuator->as.tendon);
    }
    if (actuator->kind == ELV_ACTUATOR_VELOCITY_CONTROL) {
        const ElvVelocityControlDef* def = &actuator->as.velocity_control;
        return add_reference(c, def->at, def->name, "at");
    }
    return ELV_OK;
}

// the frames that a constraint holds; a slider moves along its rod and has no station of its own there
static ElvStatus add_constraint(ElvCompiler* c, const ElvConstraint* k) {
    const char* name = elv_constraint_name(k);
    const char* pair[2][2] = {{NULL, "at"}, {NULL, "on"}}; // reference, key
    char section[ELV_REFERENCE_NAME + 40];
    switch (k->kind) {
    case ELV_CONSTRAINT_LOOP:
        pair[0][0] = k->as.loop.first;
        pair[0][1] = "between[0]";
        pair[1][0] = k->as.loop.second;
        pair[1][1] = "between[1]";
        break;
    case ELV_CONSTRAINT_SLIDER:
        pair[0][0] = k->as.slider.point;
        pair[0][1] = "point";
        break;
    case ELV_CONSTRAINT_VELOCITY:
        pair[0][0] = k->as.velocity.at;
        pair[1][0] = k->as.velocity.on;
        break;
    case ELV_CONSTRAINT_ROLLING:
        pair[0][0] = k->as.rolling.at;
        pair[1][0] = k->as.rolling.on;
        break;
    case ELV_CONSTRAINT_WHEEL:
        pair[0][0] = k->as.wheel.at;
        break;
    case ELV_CONSTRAINT_CONTACT:
        pair[0][0] = elv_contact_section(&k->as.contact, section, sizeof section) ? section : NULL;
        pair[0][1] = "rod";
        pair[1][0] = k->as.contact.on;
        break;
    case ELV_CONSTRAINT_COUPLING:
    case ELV_CONSTRAINT_OWN:
        break;
    }
    ElvStatus status = ELV_OK;
    for (int i = 0; k->kind == ELV_CONSTRAINT_OWN && i < k->as.own.n_frame && status == ELV_OK;
         i++) {
        status = add_reference(c, k->as.own.frame[i], name, "frame");
    }
    for (int i = 0; i < 2 && status == ELV_OK; i++) {
        status = pair[i][0] ? add_reference(c, pair[i][0], name, pair[i][1]) : ELV_OK;
    }
    return status;
}

// a signal such as "arm.at(0.5).position" asks for its station
static ElvStatus add_signal(ElvCompiler* c, const char* signal) {
    ElvFrameReference parsed;
    const char* end = NULL;
    if (!elv_frame_reference_parse(signal, &parsed, &end) || !parsed.has_station) {
        return ELV_OK;
    }
    int i = find_element(c->spec, parsed.name);
    return i >= 0 && c->spec->element[i].is_rod ? add_station(c, i, parsed.station) : ELV_OK;
}

ElvStatus elv_compile_stations(ElvCompiler* c) {
    const ElvSpec* spec = c->spec;
    ElvStatus status = ELV_OK;
    for (int i = 0; i < spec->n_element && status == ELV_OK; i++) {
        if (spec->element[i].is_rod) {
            status = add_station(c, i, 0.0);
            status = status == ELV_OK ? add_station(c, i, 1.0) : status;
        }
        const char* name = elv_element_name(&spec->element[i]);
        status = status == ELV_OK
                     ? add_reference(c, parent_reference(&spec->element[i]), name, "parent")
                     : status;
    }
    for (int i = 0; i < spec->n_frame && status == ELV_OK; i++) {
        status = add_reference(c, spec->frame[i].on, spec->frame[i].name, "on");
    }
    for (int i = 0; i < spec->n_load && status == ELV_OK; i++) {
        char element[32];
        snprintf(element, sizeof element, "loads[%d]", i);
        if (spec->load[i].kind == ELV_LOAD_WRENCH) {
            status = add_reference(c, spec->load[i].wrench.at, element, "at");
        }
    }
    for (int i = 0; i < spec->n_actuator && status == ELV_OK; i++) {
        status = add_actuator(c, &spec->actuator[i]);
    }
    for (int i = 0; i < spec->n_constraint && status == ELV_OK; i++) {
        status = add_constraint(c, &spec->constraint[i]);
    }
    for (int i = 0; i < spec->record.n_signal && status == ELV_OK; i++) {
        status = add_signal(c, spec->record.signal[i]);
    }
    for (int i = 0; i < spec->n_element; i++) {
        elv_sort_doubles(c->station[i], (size_t)c->n_station[i]);
    }
    return status;
}
