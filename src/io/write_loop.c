// SPDX-License-Identifier: Apache-2.0
// Closed loops and constraints as YAML, each a flow map on a line. The list of a spec becomes two lists
// of the file, loops and constraints, each in the order of the spec.
#include "io/write_loop.h"

#include "base/spec_names.h"
#include "io/format_names.h"
#include "io/write_tree.h"
#include "multibody/spec.h"

// ---- parts

static void write_begin(ElvWriter* writer, const char* key, const char* name) {
    elv_write(writer, "\n  - {%s: ", key);
    elv_write_word(writer, name);
}

static void write_word_at(ElvWriter* writer, const char* key, const char* word) {
    elv_write(writer, ", %s: ", key);
    elv_write_word(writer, word);
}

static void write_number_at(ElvWriter* writer, const char* key, double value) {
    elv_write(writer, ", %s: ", key);
    elv_write_number(writer, value);
}

// laws that are all 0 are left out
static void write_law_at(ElvWriter* writer, const char* key, const ElvLawDef* law) {
    if (!elv_law_def_is(law, 0.0)) {
        elv_write(writer, ", %s: ", key);
        elv_write_law(writer, law);
    }
}

static bool has_law(const ElvLawDef* law, int n) {
    for (int i = 0; i < n; i++) {
        if (!elv_law_def_is(&law[i], 0.0)) {
            return true;
        }
    }
    return false;
}

// ---- loops

static void write_loop(ElvWriter* writer, const ElvLoopDef* def) {
    write_begin(writer, "loop", def->name);
    elv_write(writer, ", between: [");
    elv_write_word(writer, def->first);
    elv_write(writer, ", ");
    elv_write_word(writer, def->second);
    elv_write(writer, "], joint: ");
    elv_write_joint(writer, &def->joint);
    if (has_law(def->pose, 6)) {
        elv_write(writer, ", pose: {xyz: ");
        elv_write_laws(writer, def->pose + 3, 3);
        elv_write(writer, ", rpy: ");
        elv_write_laws(writer, def->pose, 3);
        elv_write(writer, "}");
    }
    elv_write(writer, ", closure: %s", elv_closure_names[def->closure]);
    if (def->closure != ELV_CLOSURE_EXACT) {
        elv_write(writer, ", penalty: ");
        elv_write_numbers(writer, def->penalty, 2);
    }
    elv_write(writer, "}");
}

static void write_slider(ElvWriter* writer, const ElvSliderDef* def) {
    write_begin(writer, "slider", def->name);
    write_word_at(writer, "point", def->point);
    write_word_at(writer, "rod", def->rod);
    if (def->is_driven) {
        elv_write(writer, ", drive: ");
        elv_write_law(writer, &def->drive);
    } else {
        write_number_at(writer, "station", def->station);
    }
    write_number_at(writer, "damping", def->damping);
    write_law_at(writer, "force", &def->force);
    elv_write(writer, "}");
}

// ---- constraints

static void write_velocity(ElvWriter* writer, const ElvVelocityConstraintDef* def) {
    write_begin(writer, "velocity", def->name);
    write_word_at(writer, "at", def->at);
    write_word_at(writer, "on", def->on);
    elv_write(writer, ", rows: [");
    for (int i = 0; i < def->n_row; i++) {
        elv_write(writer, "%s", i > 0 ? ", " : "");
        elv_write_numbers(writer, def->row[i], 6);
    }
    elv_write(writer, "]");
    if (has_law(def->rate, def->n_row)) {
        elv_write(writer, ", equals: ");
        elv_write_laws(writer, def->rate, def->n_row);
    }
    elv_write(writer, "}");
}

static void write_rolling(ElvWriter* writer, const ElvRollingDef* def) {
    write_begin(writer, "rolling", def->name);
    write_word_at(writer, "at", def->at);
    write_word_at(writer, "on", def->on);
    elv_write(writer, ", axis: ");
    elv_write_vec3(writer, def->axis);
    write_number_at(writer, "radius", def->radius);
    elv_write(writer, ", sideways: %s}", def->slips_sideways ? "free" : "held");
}

static void write_wheel(ElvWriter* writer, const ElvWheelDef* def) {
    write_begin(writer, "wheel", def->name);
    write_word_at(writer, "at", def->at);
    elv_write(writer, ", axis: ");
    elv_write_vec3(writer, def->axis);
    write_number_at(writer, "radius", def->radius);
    elv_write(writer, ", type: %s", elv_wheel_names[def->is_omni]);
    if (def->drive != ELV_WHEEL_FREE) {
        elv_write(writer, ", %s: ", elv_wheel_drive_names[def->drive]);
        elv_write_law(writer, &def->law);
    }
    elv_write(writer, "}");
}

static void write_coupling(ElvWriter* writer, const ElvCouplingDef* def) {
    write_begin(writer, "coupling", def->name);
    elv_write(writer, ", joints: [");
    for (int i = 0; i < def->n; i++) {
        elv_write(writer, "%s{joint: ", i > 0 ? ", " : "");
        elv_write_word(writer, def->joint[i]);
        write_number_at(writer, "factor", def->factor[i]);
        elv_write(writer, ", component: %d}", def->component[i]);
    }
    elv_write(writer, "]");
    write_law_at(writer, "equals", &def->value);
    elv_write(writer, "}");
}

static void refuse_callback(ElvWriter* writer) {
    if (writer->status == ELV_OK) {
        writer->status = elv_error_set(
            writer->error, ELV_ERROR_INPUT, writer->element, "",
            "'%s' is a constraint written in C, which a file cannot hold: add it after reading",
            writer->element);
    }
}

// ---- the lists

static void write_contact(ElvWriter* writer, const ElvContactDef* def) {
    write_begin(writer, "contact", def->name);
    write_word_at(writer, "rod", def->rod);
    elv_write(writer, ", type: %s, station: ", elv_contact_names[def->kind]);
    elv_write_law(writer, &def->station);
    elv_write(writer, ", slides: %s", def->slides ? "true" : "false");
    write_word_at(writer, "on", def->on);
    elv_write(writer, ", while: ");
    elv_write_law(writer, &def->when);
    if (def->pushes != 0) {
        elv_write(writer, ", pushes: %s", elv_push_names[def->pushes + (def->pushes > 0 ? 2 : 3)]);
    }
    elv_write(writer, ", preload: [");
    for (int i = 0; i < 3; i++) {
        elv_write(writer, i > 0 ? ", " : "");
        elv_write_law(writer, &def->preload[i]);
    }
    elv_write(writer, "]}");
}

static void write_constraint(ElvWriter* writer, const ElvConstraint* constraint) {
    switch (constraint->kind) {
    case ELV_CONSTRAINT_LOOP:
        write_loop(writer, &constraint->as.loop);
        break;
    case ELV_CONSTRAINT_SLIDER:
        write_slider(writer, &constraint->as.slider);
        break;
    case ELV_CONSTRAINT_VELOCITY:
        write_velocity(writer, &constraint->as.velocity);
        break;
    case ELV_CONSTRAINT_ROLLING:
        write_rolling(writer, &constraint->as.rolling);
        break;
    case ELV_CONSTRAINT_WHEEL:
        write_wheel(writer, &constraint->as.wheel);
        break;
    case ELV_CONSTRAINT_CONTACT:
        write_contact(writer, &constraint->as.contact);
        break;
    case ELV_CONSTRAINT_COUPLING:
        write_coupling(writer, &constraint->as.coupling);
        break;
    case ELV_CONSTRAINT_OWN:
        refuse_callback(writer);
        break;
    }
}

// those of a spec that go into one list of the file
static void write_list(ElvWriter* writer, const ElvSpec* spec, const char* key, bool is_loop) {
    bool has_key = false;
    for (int i = 0; i < spec->n_constraint; i++) {
        const ElvConstraint* constraint = &spec->constraint[i];
        if (elv_is_loop(constraint->kind) != is_loop) {
            continue;
        }
        if (!has_key) {
            elv_write(writer, "\n%s:", key);
            has_key = true;
        }
        writer->element = elv_constraint_name(constraint);
        write_constraint(writer, constraint);
    }
    writer->element = "";
}

void elv_write_loops(ElvWriter* writer, const ElvSpec* spec) {
    write_list(writer, spec, "loops", true);
    write_list(writer, spec, "constraints", false);
}
