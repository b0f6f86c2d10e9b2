// SPDX-License-Identifier: Apache-2.0
// Actuators of model files. The key that begins an actuator tells its kind, and its name where it
// has one: {tendon: left, path: [...], tension: 5}, {stress: {...}, rod: arm}.
#include "io/read_actuator.h"

#include "io/read_law.h"
#include "io/read_locate.h"
#include "io/read_rod_parts.h"

// ---- parts

// the name under the key of the kind; messages use it from here on
static bool read_name(ElvReader* reader, const ElvYaml* node, const char* key, const char** name) {
    if (!elv_read_text_at(reader, node, key, name)) {
        return false;
    }
    reader->element = *name;
    return true;
}

// six laws by strain, or a list of them
static bool read_by_strain(ElvReader* reader,
                           const ElvYaml* node,
                           unsigned variables,
                           ElvLawDef law[ELV_N_STRAIN],
                           bool is_given[ELV_N_STRAIN]) {
    if (node->kind != ELV_YAML_LIST) {
        return elv_read_strain_laws(reader, node, variables, law, is_given);
    }
    for (int i = 0; is_given && i < ELV_N_STRAIN; i++) {
        is_given[i] = true;
    }
    return elv_read_laws(reader, node, ELV_N_STRAIN, variables, law);
}

// strain_dependence: false for directions of the strain at rest
static bool read_dependence(ElvReader* reader, const ElvYaml* node, bool* neglects_strain) {
    bool depends = !*neglects_strain;
    bool is_read = elv_read_flag_at(reader, node, "strain_dependence", &depends);
    *neglects_strain = !depends;
    return is_read;
}

static bool read_needed_law(ElvReader* reader,
                            const ElvYaml* node,
                            const char* key,
                            const char* what,
                            unsigned variables,
                            ElvLawDef* law) {
    const ElvYaml* value = elv_read_required(reader, node, key, what);
    return value && elv_read_law(reader, value, variables, law);
}

// one number for all six, or a list of six
static bool read_gain(ElvReader* reader, const ElvYaml* node, const char* key, double gain[6]) {
    const ElvYaml* value = elv_yaml_get(node, key);
    if (!value || value->kind != ELV_YAML_SCALAR) {
        return !value || elv_read_numbers(reader, value, 6, gain);
    }
    double all = 0.0;
    bool is_read = elv_read_number(reader, value, &all);
    for (int i = 0; i < 6; i++) {
        gain[i] = all;
    }
    return is_read;
}

static bool
read_count(ElvReader* reader, const ElvYaml* node, const char* key, long lo, long hi, int* count) {
    const ElvYaml* value = elv_yaml_get(node, key);
    long number = *count;
    bool is_read = !value || elv_read_integer(reader, value, lo, hi, &number);
    *count = (int)number;
    return is_read;
}

// ---- along a path

static bool read_pull(ElvReader* reader, const ElvYaml* node, ElvTendonDef* def) {
    static const char* const words[] = {"tension", "pull"};
    static const char* const refused[] = {"stiffness", "slack"};
    const ElvYaml* law = NULL;
    int choice = 0;
    if (!elv_read_one_of(reader, node, "tendon", words, 2, &law, &choice) ||
        !elv_read_law(reader, law, ELV_READ_T, &def->law)) {
        return false;
    }
    def->pull = choice == 0 ? ELV_PULL_TENSION : ELV_PULL_LENGTH;
    return def->pull == ELV_PULL_LENGTH ||
           elv_read_refuse(reader, node, refused, 2,
                           "'tension': it belongs to a tendon whose length is pulled in, 'pull'");
}

static bool read_tendon(ElvReader* reader, const ElvYaml* node) {
    static const char* const keys[] = {"tendon",    "path",  "tension",  "pull",
                                       "stiffness", "slack", "friction", "strain_dependence"};
    ElvTendonDef def = elv_tendon_def_default();
    if (!read_name(reader, node, "tendon", &def.name) ||
        !elv_read_keys(reader, node, "a tendon", keys, sizeof keys / sizeof keys[0])) {
        return false;
    }
    const ElvYaml* path =
        elv_read_required(reader, node, "path", "a list of parts, [{rod: ..., y: ..., z: ...}]");
    return path && elv_read_path(reader, path, &def.path, &def.n_path) &&
           read_pull(reader, node, &def) &&
           elv_read_number_at(reader, node, "stiffness", &def.stiffness) &&
           elv_read_number_at(reader, node, "slack", &def.slack) &&
           elv_read_number_at(reader, node, "friction", &def.friction) &&
           read_dependence(reader, node, &def.neglects_strain) &&
           elv_read_added(reader, node, elv_spec_add_tendon(reader->spec, &def, reader->error));
}

static bool read_chamber(ElvReader* reader, const ElvYaml* node) {
    static const char* const keys[] = {
        "chamber",          "path", "rod", "from", "to", "y", "z", "outside", "area", "pressure",
        "strain_dependence"};
    ElvChamberDef def = elv_chamber_def_default();
    return read_name(reader, node, "chamber", &def.name) &&
           elv_read_keys(reader, node, "a chamber", keys, sizeof keys / sizeof keys[0]) &&
           elv_read_one_path(reader, node, &def.path) &&
           read_needed_law(reader, node, "area", "of the chamber, m^2", ELV_READ_S, &def.area) &&
           read_needed_law(reader, node, "pressure", "above that outside, Pa", ELV_READ_T,
                           &def.pressure) &&
           read_dependence(reader, node, &def.neglects_strain) &&
           elv_read_added(reader, node, elv_spec_add_chamber(reader->spec, &def, reader->error));
}

// the activation of a muscle: a law, or an oscillator of a pattern
static bool read_drive(ElvReader* reader, const ElvYaml* node, ElvMuscleDef* def) {
    static const char* const words[] = {"activation", "pattern"};
    static const char* const refused[] = {"oscillator", "phase"};
    const ElvYaml* value = NULL;
    int choice = 0;
    if (!elv_read_one_of(reader, node, "muscle", words, 2, &value, &choice)) {
        return false;
    }
    if (choice == 0) {
        return elv_read_law(reader, value, ELV_READ_T | ELV_READ_S, &def->activation) &&
               elv_read_refuse(reader, node, refused, 2,
                               "'activation': it belongs to a muscle with a 'pattern'");
    }
    return elv_read_text(reader, value, &def->pattern) &&
           read_count(reader, node, "oscillator", 0, ELV_OSCILLATORS_MAX - 1, &def->oscillator) &&
           elv_read_number_at(reader, node, "phase", &def->phase);
}

static bool read_muscle(ElvReader* reader, const ElvYaml* node) {
    static const char* const keys[] = {
        "muscle",  "path",  "rod",        "from",    "to",         "y",     "z",
        "outside", "force", "activation", "pattern", "oscillator", "phase", "strain_dependence"};
    ElvMuscleDef def = elv_muscle_def_default();
    return read_name(reader, node, "muscle", &def.name) &&
           elv_read_keys(reader, node, "a muscle", keys, sizeof keys / sizeof keys[0]) &&
           elv_read_one_path(reader, node, &def.path) &&
           read_needed_law(reader, node, "force", "of full activation, N", ELV_READ_S,
                           &def.force) &&
           read_drive(reader, node, &def) && read_dependence(reader, node, &def.neglects_strain) &&
           elv_read_added(reader, node, elv_spec_add_muscle(reader->spec, &def, reader->error));
}

static bool read_pattern(ElvReader* reader, const ElvYaml* node) {
    static const char* const keys[] = {"pattern",   "oscillators", "frequency", "amplitude",
                                       "phase_lag", "coupling",    "rate",      "feedback"};
    ElvPatternDef def = elv_pattern_def_default();
    return read_name(reader, node, "pattern", &def.name) &&
           elv_read_keys(reader, node, "a pattern", keys, sizeof keys / sizeof keys[0]) &&
           read_count(reader, node, "oscillators", 1, ELV_OSCILLATORS_MAX, &def.oscillators) &&
           read_needed_law(reader, node, "frequency", "of the oscillators, Hz", ELV_READ_T,
                           &def.frequency) &&
           elv_read_law_at(reader, node, "amplitude", ELV_READ_T, &def.amplitude) &&
           elv_read_number_at(reader, node, "phase_lag", &def.phase_lag) &&
           elv_read_number_at(reader, node, "coupling", &def.coupling) &&
           elv_read_number_at(reader, node, "rate", &def.rate) &&
           elv_read_number_at(reader, node, "feedback", &def.feedback) &&
           elv_read_added(reader, node, elv_spec_add_pattern(reader->spec, &def, reader->error));
}

// ---- spread over a rod

static bool read_stress(ElvReader* reader, const ElvYaml* node) {
    static const char* const keys[] = {"stress", "rod", "from", "to", "while"};
    if (!elv_read_keys(reader, node, "an actuator {stress: {...}, rod: ...}", keys, 5)) {
        return false;
    }
    ElvStressDef def = elv_stress_def_default();
    const ElvYaml* rod = elv_read_required(reader, node, "rod", "in which the stress acts");
    return rod && elv_read_text(reader, rod, &def.rod) &&
           read_by_strain(reader, elv_yaml_get(node, "stress"), ELV_READ_T | ELV_READ_S, def.stress,
                          NULL) &&
           elv_read_number_at(reader, node, "from", &def.from) &&
           elv_read_number_at(reader, node, "to", &def.to) &&
           elv_read_law_at(reader, node, "while", ELV_READ_T, &def.when) &&
           elv_read_added(reader, node, elv_spec_add_stress(reader->spec, &def, reader->error));
}

static bool read_strain_control(ElvReader* reader, const ElvYaml* node) {
    static const char* const keys[] = {"strain_control", "from", "to", "kp", "kd", "target"};
    ElvStrainControlDef def = elv_strain_control_def_default();
    if (!elv_read_keys(reader, node, "a strain control", keys, 6)) {
        return false;
    }
    const ElvYaml* kp = elv_yaml_get(node, "kp");
    const ElvYaml* kd = elv_yaml_get(node, "kd");
    const ElvYaml* target = elv_yaml_get(node, "target");
    if (!kp && !kd) {
        return elv_read_fail(reader, node, "a strain control needs its gains, 'kp', 'kd' or both");
    }
    return elv_read_text_at(reader, node, "strain_control", &def.rod) &&
           elv_read_number_at(reader, node, "from", &def.from) &&
           elv_read_number_at(reader, node, "to", &def.to) &&
           (!kp || read_by_strain(reader, kp, ELV_READ_S, def.kp, NULL)) &&
           (!kd || read_by_strain(reader, kd, ELV_READ_S, def.kd, NULL)) &&
           (!target ||
            read_by_strain(reader, target, ELV_READ_T | ELV_READ_S, def.target, def.has_target)) &&
           elv_read_added(reader, node,
                          elv_spec_add_strain_control(reader->spec, &def, reader->error));
}

// ---- on a frame

static bool read_velocity_control(ElvReader* reader, const ElvYaml* node) {
    static const char* const keys[] = {"velocity_control", "at", "kp", "ki", "angular", "linear"};
    ElvVelocityControlDef def = elv_velocity_control_def_default();
    if (!read_name(reader, node, "velocity_control", &def.name) ||
        !elv_read_keys(reader, node, "a velocity control", keys, 6)) {
        return false;
    }
    const ElvYaml* angular = elv_yaml_get(node, "angular");
    const ElvYaml* linear = elv_yaml_get(node, "linear");
    if (!elv_yaml_get(node, "kp") && !elv_yaml_get(node, "ki")) {
        return elv_read_fail(reader, node,
                             "a velocity control needs its gains, 'kp', 'ki' or both");
    }
    const ElvYaml* at = elv_read_required(reader, node, "at", "the frame that is controlled");
    return at && elv_read_text(reader, at, &def.at) && read_gain(reader, node, "kp", def.kp) &&
           read_gain(reader, node, "ki", def.ki) &&
           (!angular || elv_read_laws(reader, angular, 3, ELV_READ_T, def.velocity)) &&
           (!linear || elv_read_laws(reader, linear, 3, ELV_READ_T, def.velocity + 3)) &&
           elv_read_added(reader, node,
                          elv_spec_add_velocity_control(reader->spec, &def, reader->error));
}

// ---- the list

static const char* const kind_keys[] = {"stress",  "tendon",         "chamber",         "muscle",
                                        "pattern", "strain_control", "velocity_control"};

enum { MUSCLE = 3, PATTERN = 4, N_KIND = sizeof kind_keys / sizeof kind_keys[0] };

static bool (*const read_kind[N_KIND])(ElvReader* reader, const ElvYaml* node) = {
    read_stress,  read_tendon,         read_chamber,          read_muscle,
    read_pattern, read_strain_control, read_velocity_control,
};

// no key tells the kind: perhaps one is misspelt
static bool fail_kind(ElvReader* reader, const ElvYaml* node) {
    for (const ElvYaml* child = node->first; child; child = child->next) {
        const char* nearest = elv_suggest(child->key->text, kind_keys, N_KIND);
        if (nearest) {
            return elv_read_fail(reader, child->key, "unknown key '%.80s', did you mean '%s'?",
                                 child->key->text, nearest);
        }
    }
    return elv_read_fail(
        reader, node,
        "an actuator begins with 'tendon: NAME', 'chamber: NAME', 'muscle: NAME', "
        "'pattern: NAME', 'strain_control: ROD', 'velocity_control: NAME' or 'stress: {...}'");
}

static bool read_actuator(ElvReader* reader, const ElvYaml* node) {
    if (node->kind != ELV_YAML_MAP) {
        return elv_read_fail_expected(reader, node, "an actuator {tendon: ..., path: ...}");
    }
    int kind = -1;
    for (int i = 0; i < N_KIND; i++) {
        const ElvYaml* value = elv_yaml_get(node, kind_keys[i]);
        // a muscle may name its pattern
        if (kind == MUSCLE && i == PATTERN) {
            continue;
        }
        if (value && kind >= 0) {
            return elv_read_fail(reader, value->key,
                                 "an actuator is one of '%s' and '%s', not both: begin another "
                                 "item with '- '",
                                 kind_keys[kind], kind_keys[i]);
        }
        kind = value ? i : kind;
    }
    return kind >= 0 ? read_kind[kind](reader, node) : fail_kind(reader, node);
}

bool elv_read_actuators(ElvReader* reader, const ElvYaml* list) {
    return elv_read_items(reader, list, read_actuator);
}
