// SPDX-License-Identifier: Apache-2.0
// Constraints of model files on velocities and on coordinates of joints. The key that begins one tells
// its kind and its name: {velocity: blade, at: skate, direction: y}, {rolling: wheel, ...},
// {wheel: front, ...}, {contact: ring, ...}, {coupling: gear, ...}.
#include "base/spec_names.h"
#include "io/format_names.h"
#include "io/read_joint.h"
#include "io/read_law.h"
#include "io/read_locate.h"
#include "io/read_loop.h"

#include <math.h>

// ---- parts

// the name under the key of the kind; messages use it from here on
static bool read_name(ElvReader* reader, const ElvYaml* node, const char* key, const char** name) {
    if (!elv_read_text_at(reader, node, key, name)) {
        return false;
    }
    reader->element = *name;
    return true;
}

// the frame that is constrained, and the one that it is seen from
static bool
read_frames(ElvReader* reader, const ElvYaml* node, const char** at_name, const char** on_name) {
    const ElvYaml* at = elv_read_required(reader, node, "at", "the frame that is constrained");
    return at && elv_read_text(reader, at, at_name) &&
           elv_read_text_at(reader, node, "on", on_name);
}

// ---- velocities

// one row of linear velocities, along a unit vector
static bool read_direction(ElvReader* reader, const ElvYaml* node, ElvVelocityConstraintDef* def) {
    ElvVec3 direction = elv_vec3(0.0, 0.0, 0.0);
    if (!elv_read_axis(reader, node->parent, "direction", &direction)) {
        return false;
    }
    // scaled first, so that the norm of any finite numbers is finite
    double largest = fmax(fabs(direction.x), fmax(fabs(direction.y), fabs(direction.z)));
    if (largest == 0.0) {
        return elv_read_fail(reader, node,
                             "'direction' is zero: give the direction of the velocity in the axes "
                             "of 'at', such as [0, 1, 0]");
    }
    direction = elv_vec3_scale(1.0 / largest, direction);
    double norm = elv_vec3_norm(direction);
    def->n_row = 1;
    def->row[0][3] = direction.x / norm;
    def->row[0][4] = direction.y / norm;
    def->row[0][5] = direction.z / norm;
    return true;
}

static bool read_rows(ElvReader* reader, const ElvYaml* list, ElvVelocityConstraintDef* def) {
    if (list->kind != ELV_YAML_LIST || list->n < 1 || list->n > ELV_VELOCITY_ROWS_MAX) {
        return elv_read_fail_expected(
            reader, list, "a list of 1 to 5 rows, each of six numbers: angular, linear");
    }
    for (const ElvYaml* item = list->first; item; item = item->next) {
        if (!elv_read_numbers(reader, item, 6, def->row[def->n_row++])) {
            return false;
        }
    }
    return true;
}

// a law for each row; one row may do without the list
static bool read_rates(ElvReader* reader, const ElvYaml* node, ElvVelocityConstraintDef* def) {
    if (def->n_row == 1 && node->kind != ELV_YAML_LIST) {
        return elv_read_law(reader, node, ELV_READ_T, def->rate);
    }
    return elv_read_laws(reader, node, def->n_row, ELV_READ_T, def->rate);
}

static bool read_velocity(ElvReader* reader, const ElvYaml* node) {
    static const char* const keys[] = {"velocity", "at", "on", "direction", "rows", "equals"};
    static const char* const words[] = {"direction", "rows"};
    ElvVelocityConstraintDef def = elv_velocity_constraint_def_default();
    const ElvYaml* value = NULL;
    int choice = 0;
    if (!read_name(reader, node, "velocity", &def.name) ||
        !elv_read_keys(reader, node, "a velocity constraint", keys, 6) ||
        !read_frames(reader, node, &def.at, &def.on) ||
        !elv_read_one_of(reader, node, "velocity constraint", words, 2, &value, &choice) ||
        !(choice == 0 ? read_direction(reader, value, &def) : read_rows(reader, value, &def))) {
        return false;
    }
    const ElvYaml* equals = elv_yaml_get(node, "equals");
    return (!equals || read_rates(reader, equals, &def)) &&
           elv_read_added(reader, node,
                          elv_spec_add_velocity_constraint(reader->spec, &def, reader->error));
}

static bool read_rolling(ElvReader* reader, const ElvYaml* node) {
    static const char* const keys[] = {"rolling", "at", "on", "axis", "radius", "sideways"};
    static const char* const words[] = {"held", "free"};
    ElvRollingDef def = elv_rolling_def_default();
    if (!read_name(reader, node, "rolling", &def.name) ||
        !elv_read_keys(reader, node, "a rolling wheel", keys, 6) ||
        !read_frames(reader, node, &def.at, &def.on)) {
        return false;
    }
    const ElvYaml* radius = elv_read_required(reader, node, "radius", "of the wheel, m");
    const ElvYaml* sideways = elv_yaml_get(node, "sideways");
    int choice = 0;
    if (!radius || !elv_read_number(reader, radius, &def.radius) ||
        !elv_read_axis(reader, node, "axis", &def.axis) ||
        (sideways && !elv_read_choice(reader, sideways, "motion sideways", words, 2, &choice))) {
        return false;
    }
    def.slips_sideways = choice == 1;
    return elv_read_added(reader, node, elv_spec_add_rolling(reader->spec, &def, reader->error));
}

// the motor of a wheel, if it has one
static bool read_motor(ElvReader* reader, const ElvYaml* node, ElvWheelDef* def) {
    const ElvYaml* law = NULL;
    for (int i = ELV_WHEEL_FREE + 1; i < ELV_N_WHEEL_DRIVE; i++) {
        const ElvYaml* found = elv_yaml_get(node, elv_wheel_drive_names[i]);
        if (found && law) {
            return elv_read_fail(reader, found->key,
                                 "a wheel has one of 'rotation', 'rate' and 'torque': the others "
                                 "are what the motion gives");
        }
        if (found) {
            def->drive = (ElvWheelDrive)i;
            law = found;
        }
    }
    return !law || elv_read_law(reader, law, ELV_READ_T, &def->law);
}

static bool read_wheel(ElvReader* reader, const ElvYaml* node) {
    static const char* const keys[] = {"wheel", "at",       "axis", "radius",
                                       "type",  "rotation", "rate", "torque"};
    ElvWheelDef def = elv_wheel_def_default();
    if (!read_name(reader, node, "wheel", &def.name) ||
        !elv_read_keys(reader, node, "a wheel", keys, 8)) {
        return false;
    }
    const ElvYaml* at =
        elv_read_required(reader, node, "at", "the frame that the wheel is fixed to");
    const ElvYaml* radius = elv_read_required(reader, node, "radius", "of the wheel, m");
    const ElvYaml* type = elv_yaml_get(node, "type");
    int choice = 0;
    if (!at || !elv_read_text(reader, at, &def.at) || !radius ||
        !elv_read_number(reader, radius, &def.radius) ||
        !elv_read_axis(reader, node, "axis", &def.axis) ||
        (type && !elv_read_choice(reader, type, "type of wheel", elv_wheel_names, ELV_N_WHEEL_NAME,
                                  &choice))) {
        return false;
    }
    def.is_omni = choice == 1;
    return read_motor(reader, node, &def) &&
           elv_read_added(reader, node, elv_spec_add_wheel(reader->spec, &def, reader->error));
}

// a station that parameters alone give is a number: its section can have a port
static void fold_station(const ElvReader* reader, ElvLawDef* station) {
    ElvLaw* law = NULL;
    ElvError error;
    bool is_formula = station->kind == ELV_LAW_FORMULA;
    if (is_formula && elv_law_formula(station->text, reader->parameter, (size_t)reader->n_parameter,
                                      &law, &error) == ELV_OK) {
        if (!elv_law_depends_on_t(law)) {
            *station = elv_law_def_value(elv_law_value(law, 0.0, 0.0));
        }
        elv_law_free(law);
    }
}

// what a contact may push, and with what it presses besides
static bool read_push(ElvReader* reader, const ElvYaml* node, ElvContactDef* def) {
    const ElvYaml* pushes = elv_yaml_get(node, "pushes");
    const ElvYaml* preload = elv_yaml_get(node, "preload");
    int choice = 0;
    if (pushes) {
        if (!elv_read_choice(reader, pushes, "axis of the section", elv_push_names, ELV_N_PUSH_NAME,
                             &choice)) {
            return false;
        }
        def->pushes = choice < 3 ? choice - 3 : choice - 2;
    }
    return !preload || elv_read_laws(reader, preload, 3, ELV_READ_T, def->preload);
}

// a contact of a rod: where, of what kind, with what, and when
static bool read_contact(ElvReader* reader, const ElvYaml* node) {
    static const char* const keys[] = {"contact", "rod",   "type",   "station", "slides",
                                       "on",      "while", "pushes", "preload"};
    ElvContactDef def = elv_contact_def_default();
    if (!read_name(reader, node, "contact", &def.name) ||
        !elv_read_keys(reader, node, "a contact", keys, 9)) {
        return false;
    }
    const ElvYaml* rod = elv_read_required(reader, node, "rod", "the rod that is touched");
    const ElvYaml* type =
        rod ? elv_read_required(reader, node, "type", "of the contact, 'anchor' or 'ring'") : NULL;
    int choice = 0;
    if (!type || !elv_read_text(reader, rod, &def.rod) ||
        !elv_read_choice(reader, type, "type of contact", elv_contact_names, ELV_N_CONTACT_NAME,
                         &choice)) {
        return false;
    }
    def.kind = (ElvContactKind)choice;
    if (!elv_read_flag_at(reader, node, "slides", &def.slides) ||
        !elv_read_law_at(reader, node, "station", ELV_READ_T, &def.station)) {
        return false;
    }
    fold_station(reader, &def.station);
    return elv_read_text_at(reader, node, "on", &def.on) &&
           elv_read_law_at(reader, node, "while", ELV_READ_T, &def.when) &&
           read_push(reader, node, &def) &&
           elv_read_added(reader, node, elv_spec_add_contact(reader->spec, &def, reader->error));
}

// ---- couplings

static bool read_coupled(ElvReader* reader, const ElvYaml* node, ElvCouplingDef* def) {
    static const char* const keys[] = {"joint", "factor", "component"};
    if (!elv_read_keys(reader, node, "a joint {joint: NAME, factor: ...}", keys, 3)) {
        return false;
    }
    int i = def->n;
    long component = 0;
    const ElvYaml* given = elv_yaml_get(node, "component");
    const ElvYaml* joint =
        elv_read_required(reader, node, "joint", "the body or rod whose joint it is");
    def->factor[i] = 1.0;
    if (!joint || !elv_read_text(reader, joint, &def->joint[i]) ||
        !elv_read_number_at(reader, node, "factor", &def->factor[i]) ||
        (given && !elv_read_integer(reader, given, 0, 5, &component))) {
        return false;
    }
    def->component[i] = (int)component;
    def->n++;
    return true;
}

static bool read_coupling(ElvReader* reader, const ElvYaml* node) {
    static const char* const keys[] = {"coupling", "joints", "equals"};
    ElvCouplingDef def = elv_coupling_def_default();
    if (!read_name(reader, node, "coupling", &def.name) ||
        !elv_read_keys(reader, node, "a coupling", keys, 3)) {
        return false;
    }
    const ElvYaml* joints =
        elv_read_required(reader, node, "joints", "a list [{joint: NAME, factor: ...}, ...]");
    if (!joints) {
        return false;
    }
    if (joints->kind != ELV_YAML_LIST || joints->n < 1 || joints->n > ELV_COUPLED_MAX) {
        return elv_read_fail_expected(reader, joints,
                                      "a list of 1 to 8 joints, [{joint: NAME, factor: ...}, ...]");
    }
    for (const ElvYaml* item = joints->first; item; item = item->next) {
        if (!read_coupled(reader, item, &def)) {
            return false;
        }
    }
    return elv_read_law_at(reader, node, "equals", ELV_READ_T, &def.value) &&
           elv_read_added(reader, node, elv_spec_add_coupling(reader->spec, &def, reader->error));
}

// ---- the list

static const char* const kind_keys[] = {"velocity", "rolling", "wheel", "contact", "coupling"};

enum { N_KIND = sizeof kind_keys / sizeof kind_keys[0] };

static bool (*const read_kind[N_KIND])(ElvReader* reader, const ElvYaml* node) = {
    read_velocity, read_rolling, read_wheel, read_contact, read_coupling};

// no key tells the kind: perhaps one is misspelt, or a loop stands in the wrong list
static bool fail_kind(ElvReader* reader, const ElvYaml* node) {
    static const char* const loop_keys[] = {"loop", "slider", "between"};
    for (int i = 0; i < 3; i++) {
        const ElvYaml* value = elv_yaml_get(node, loop_keys[i]);
        if (value) {
            return elv_read_fail(reader, value->key,
                                 "'%s' belongs to the list 'loops' of the file: put the item there",
                                 loop_keys[i]);
        }
    }
    for (const ElvYaml* child = node->first; child; child = child->next) {
        const char* nearest = elv_suggest(child->key->text, kind_keys, N_KIND);
        if (nearest) {
            return elv_read_fail(reader, child->key, "unknown key '%.80s', did you mean '%s'?",
                                 child->key->text, nearest);
        }
    }
    return elv_read_fail(
        reader, node,
        "a constraint begins with 'velocity: NAME', 'rolling: NAME', 'wheel: NAME', "
        "'contact: NAME' or 'coupling: NAME'");
}

static bool read_constraint(ElvReader* reader, const ElvYaml* node) {
    if (node->kind != ELV_YAML_MAP) {
        return elv_read_fail_expected(reader, node, "a constraint {velocity: NAME, at: ...}");
    }
    int kind = -1;
    for (int i = 0; i < N_KIND; i++) {
        const ElvYaml* value = elv_yaml_get(node, kind_keys[i]);
        if (value && kind >= 0) {
            return elv_read_fail(reader, value->key,
                                 "a constraint is one of '%s' and '%s', not both: begin another "
                                 "item with '- '",
                                 kind_keys[kind], kind_keys[i]);
        }
        kind = value ? i : kind;
    }
    return kind >= 0 ? read_kind[kind](reader, node) : fail_kind(reader, node);
}

bool elv_read_constraints(ElvReader* reader, const ElvYaml* list) {
    return elv_read_items(reader, list, read_constraint);
}
