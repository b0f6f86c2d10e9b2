// SPDX-License-Identifier: Apache-2.0
// Rods of model files: what a rod is made of, how it is tied to its parent, and its elements. A rod
// without 'elements' is one element with the modes that stand in the rod itself.
#include "io/read_rod.h"

#include "base/spec_names.h"
#include "io/format_names.h"
#include "io/read_fluid.h"
#include "io/read_joint.h"
#include "io/read_law.h"
#include "io/read_rod_parts.h"

// ---- elements

static bool
read_element(ElvReader* reader, const ElvYaml* node, bool is_last, ElvElementDef* element) {
    static const char* const keys[] = {"to", "strain", "basis", "nodes"};
    *element = elv_element_def_default();
    if (!elv_read_keys(reader, node, "an element {to: ..., strain: ...}", keys, 4)) {
        return false;
    }
    const ElvYaml* to = elv_yaml_get(node, "to");
    if (!to && !is_last) {
        return elv_read_fail(reader, node,
                             "missing key 'to' (the station where the element ends; "
                             "the last element may leave it out)");
    }
    return (!to || elv_read_number(reader, to, &element->to)) &&
           elv_read_modes(reader, node, element);
}

static bool read_elements(ElvReader* reader, const ElvYaml* node, ElvRodDef* rod) {
    const ElvYaml* list = elv_yaml_get(node, "elements");
    if (list && (list->kind != ELV_YAML_LIST || list->n == 0)) {
        return elv_read_fail_expected(reader, list, "a list of elements");
    }
    static const char* const keys[] = {"strain", "basis", "nodes"};
    for (size_t i = 0; list && i < sizeof keys / sizeof keys[0]; i++) {
        const ElvYaml* outside = elv_yaml_get(node, keys[i]);
        if (outside) {
            return elv_read_fail(reader, outside->key, "a rod with 'elements' has '%s' in them",
                                 keys[i]);
        }
    }

    rod->n_element = list ? list->n : 1;
    ElvElementDef* element = elv_pool_take(&reader->pool, (size_t)rod->n_element, sizeof *element);
    if (!element) {
        return elv_read_fail_memory(reader);
    }
    rod->element = element;
    if (!list) {
        *element = elv_element_def_default();
        return elv_read_modes(reader, node, element);
    }
    for (const ElvYaml* item = list->first; item; item = item->next, element++) {
        if (!read_element(reader, item, !item->next, element)) {
            return false;
        }
    }
    return true;
}

// ---- rods

// a rod must say what it is made of
static bool check_given(ElvReader* reader, const ElvYaml* node) {
    // a rod that only moves as it is told may have no stiffness: the spec's checks see to that
    bool has_stiffness = elv_yaml_get(node, "stiffness") || elv_yaml_get(node, "motion") ||
                         elv_yaml_get(node, "follow");
    bool has_matrices = has_stiffness && elv_yaml_get(node, "inertia");
    if (!elv_read_required(reader, node, "length", "in metres")) {
        return false;
    }
    if (!elv_yaml_get(node, "section") && !has_matrices) {
        return elv_read_fail(reader, node,
                             "missing key 'section' (or both 'stiffness' and 'inertia')");
    }
    if (!elv_yaml_get(node, "material") && !has_matrices) {
        return elv_read_fail(reader, node,
                             "missing key 'material' (or both 'stiffness' and 'inertia')");
    }
    return true;
}

// modes that nothing resists are rarely meant: a modulus of zero must be written
static bool check_modulus(ElvReader* reader, const ElvYaml* node, const ElvRodDef* rod) {
    const ElvYaml* material = elv_yaml_get(node, "material");
    if (!material || elv_yaml_get(node, "stiffness")) {
        return true;
    }
    const ElvYaml* map = material;
    if (material->kind == ELV_YAML_SCALAR) {
        map = elv_yaml_get(elv_yaml_get(reader->root, "materials"), material->text);
    }
    bool has_young = elv_yaml_get(map, "young");
    bool has_shear = elv_yaml_get(map, "shear");
    for (int k = 0; k < rod->n_element; k++) {
        for (int i = 0; i < ELV_N_STRAIN; i++) {
            bool is_sheared =
                i == ELV_STRAIN_TWIST || i == ELV_STRAIN_SHEAR_Y || i == ELV_STRAIN_SHEAR_Z;
            bool is_free = rod->element[k].modes[i] > 0 && !rod->has_motion[i];
            if (is_free && !has_young && !(has_shear && is_sheared)) {
                return elv_read_fail(reader, material,
                                     "the material has no 'young', but the rod has modes of %s: "
                                     "give the modulus in Pa, or 'young: 0' for a rod without "
                                     "stiffness",
                                     elv_strain_names[i]);
            }
        }
    }
    return true;
}

static bool read_properties(ElvReader* reader, const ElvYaml* node, ElvRodDef* rod) {
    const ElvYaml* section = elv_yaml_get(node, "section");
    const ElvYaml* material = elv_yaml_get(node, "material");
    const ElvYaml* stiffness = elv_yaml_get(node, "stiffness");
    const ElvYaml* inertia = elv_yaml_get(node, "inertia");
    const ElvYaml* damping = elv_yaml_get(node, "damping");
    return elv_read_number_at(reader, node, "length", &rod->length) &&
           (!section || elv_read_section(reader, section, &rod->section)) &&
           (!material || elv_read_material(reader, material, &rod->material)) &&
           (!stiffness || elv_read_matrix(reader, stiffness, &rod->stiffness)) &&
           (!inertia || elv_read_matrix(reader, inertia, &rod->inertia)) &&
           (!damping || elv_read_matrix(reader, damping, &rod->damping));
}

static bool read_strains(ElvReader* reader, const ElvYaml* node, ElvRodDef* rod) {
    const ElvYaml* reference = elv_yaml_get(node, "reference");
    const ElvYaml* initial = elv_yaml_get(node, "initial");
    const ElvYaml* rate = elv_yaml_get(node, "initial_rate");
    const ElvYaml* motion = elv_yaml_get(node, "motion");
    return (!reference ||
            elv_read_strain_laws(reader, reference, ELV_READ_S, rod->reference, NULL)) &&
           (!initial ||
            elv_read_strain_laws(reader, initial, ELV_READ_S, rod->initial, rod->has_initial)) &&
           (!rate || elv_read_strain_laws(reader, rate, ELV_READ_S, rod->initial_rate, NULL)) &&
           (!motion || elv_read_strain_laws(reader, motion, ELV_READ_T | ELV_READ_S, rod->motion,
                                            rod->has_motion)) &&
           elv_read_follow(reader, node, rod);
}

static bool read_space(ElvReader* reader, const ElvYaml* node, ElvSpaceMethod* space) {
    const ElvYaml* value = elv_yaml_get(node, "space");
    int choice = (int)*space;
    if (value && !elv_read_choice(reader, value, "space", elv_space_names, ELV_N_SPACE, &choice)) {
        return false;
    }
    *space = (ElvSpaceMethod)choice;
    return true;
}

static bool read_volume(ElvReader* reader, const ElvYaml* node, bool* keeps_volume) {
    const ElvYaml* value = elv_yaml_get(node, "volume");
    int choice = 0;
    if (value &&
        !elv_read_choice(reader, value, "volume", elv_volume_names, ELV_N_VOLUME_NAME, &choice)) {
        return false;
    }
    *keeps_volume = choice == 1;
    return true;
}

bool elv_read_rod(ElvReader* reader, const ElvYaml* node, ElvRodDef* rod) {
    static const char* const keys[] = {
        "rod",      "parent",    "pose",      "joint",      "length",        "section",
        "material", "stiffness", "inertia",   "damping",    "strain",        "basis",
        "nodes",    "elements",  "reference", "initial",    "initial_rate",  "motion",
        "follow",   "space",     "volume",    "resistance", "added_inertia", "fluid"};
    *rod = elv_rod_def_default();
    rod->name = reader->element;
    const ElvYaml* joint = elv_yaml_get(node, "joint");
    const ElvYaml* fluid = elv_yaml_get(node, "fluid");
    return elv_read_keys(reader, node, "a rod", keys, sizeof keys / sizeof keys[0]) &&
           check_given(reader, node) && elv_read_text_at(reader, node, "parent", &rod->parent) &&
           elv_read_pose_at(reader, node, "pose", &rod->pose) &&
           (!joint || elv_read_joint(reader, joint, &rod->joint)) &&
           read_properties(reader, node, rod) && read_elements(reader, node, rod) &&
           read_strains(reader, node, rod) && check_modulus(reader, node, rod) &&
           read_space(reader, node, &rod->space) && read_volume(reader, node, &rod->keeps_volume) &&
           elv_read_coefficients(reader, node, rod->resistance, rod->added_inertia) &&
           (!fluid || elv_read_rod_fluid(reader, fluid, &rod->fluid));
}
