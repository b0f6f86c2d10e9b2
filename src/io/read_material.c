// SPDX-License-Identifier: Apache-2.0
// Materials and 6x6 matrices of rods in model files, and laws by strain name.
#include "io/format_names.h"
#include "io/read_law.h"
#include "io/read_rod_parts.h"

#include <string.h>

// ---- materials

// one time constant for all strains, one for each, or a map by strain name
static bool read_damping(ElvReader* reader, const ElvYaml* node, double damping[ELV_N_STRAIN]) {
    if (node->kind == ELV_YAML_LIST) {
        return elv_read_numbers(reader, node, ELV_N_STRAIN, damping);
    }
    if (node->kind == ELV_YAML_MAP) {
        if (!elv_read_keys(reader, node, "a map by strain", elv_strain_names, ELV_N_STRAIN)) {
            return false;
        }
        for (int i = 0; i < ELV_N_STRAIN; i++) {
            if (!elv_read_number_at(reader, node, elv_strain_names[i], &damping[i])) {
                return false;
            }
        }
        return true;
    }
    double all = 0.0;
    if (!elv_read_number(reader, node, &all)) {
        return false;
    }
    for (int i = 0; i < ELV_N_STRAIN; i++) {
        damping[i] = all;
    }
    return true;
}

static bool read_material_map(ElvReader* reader, const ElvYaml* node, ElvMaterialDef* material) {
    static const char* const keys[] = {"density", "young", "poisson", "shear", "damping"};
    memset(material, 0, sizeof *material);
    if (!elv_read_keys(reader, node, "a material {density: ..., young: ..., poisson: ...}", keys,
                       5)) {
        return false;
    }
    const ElvYaml* shear = elv_yaml_get(node, "shear");
    if (shear && elv_yaml_get(node, "poisson")) {
        return elv_read_fail(reader, shear->key, "give 'poisson' or 'shear', not both");
    }
    const ElvYaml* damping = elv_yaml_get(node, "damping");
    return elv_read_number_at(reader, node, "density", &material->density) &&
           elv_read_number_at(reader, node, "young", &material->young) &&
           elv_read_number_at(reader, node, "poisson", &material->poisson) &&
           elv_read_number_at(reader, node, "shear", &material->shear) &&
           (!damping || read_damping(reader, damping, material->damping));
}

static bool fail_material(ElvReader* reader, const ElvYaml* node, const ElvYaml* materials) {
    if (!materials || materials->n == 0) {
        return elv_read_fail(reader, node, "unknown material '%.80s': the file has no 'materials'",
                             node->text);
    }
    // near names are compared one by one, the best so far against the next
    const char* pair[2] = {NULL, NULL};
    for (const ElvYaml* child = materials->first; child; child = child->next) {
        pair[1] = child->key->text;
        pair[0] = elv_suggest(node->text, pair, 2);
    }
    if (pair[0]) {
        return elv_read_fail(reader, node, "unknown material '%.80s', did you mean '%.80s'?",
                             node->text, pair[0]);
    }
    return elv_read_fail(reader, node, "unknown material '%.80s': 'materials' does not name it",
                         node->text);
}

bool elv_read_material(ElvReader* reader, const ElvYaml* node, ElvMaterialDef* material) {
    if (node->kind == ELV_YAML_MAP) {
        return read_material_map(reader, node, material);
    }
    if (node->kind == ELV_YAML_LIST || node->text[0] == '\0') {
        return elv_read_fail_expected(reader, node, "the name of a material, or a map");
    }
    const ElvYaml* materials = elv_yaml_get(reader->root, "materials");
    const ElvYaml* named = elv_yaml_get(materials, node->text);
    return named ? read_material_map(reader, named, material)
                 : fail_material(reader, node, materials);
}

// what a rod's own check would say, also for materials that no rod uses
static bool check_material(ElvReader* reader, const ElvYaml* node) {
    static const char* const keys[] = {"density", "young", "shear"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        const ElvYaml* child = elv_yaml_get(node, keys[i]);
        double value = 0.0;
        if (child && elv_read_number(reader, child, &value) && value < 0.0) {
            return elv_read_fail(reader, child, "'%s' must not be negative, found %g", keys[i],
                                 value);
        }
    }
    return true;
}

bool elv_read_materials(ElvReader* reader, const ElvYaml* node) {
    if (node->kind != ELV_YAML_MAP) {
        return elv_read_fail_expected(reader, node, "a map of materials by name");
    }
    for (const ElvYaml* child = node->first; child; child = child->next) {
        ElvMaterialDef material;
        reader->element = child->key->text;
        if (!read_material_map(reader, child, &material) || !check_material(reader, child)) {
            return false;
        }
    }
    reader->element = "";
    return true;
}

// ---- matrices

bool elv_read_matrix(ElvReader* reader, const ElvYaml* node, ElvMatrixDef* matrix) {
    if (node->kind != ELV_YAML_LIST || node->n != 6) {
        return elv_read_fail_expected(reader, node,
                                      "a list of 6 (the diagonal) or 6 lists of 6, angular first");
    }
    if (node->first->kind != ELV_YAML_LIST) {
        matrix->n = 6;
        return elv_read_laws(reader, node, 6, ELV_READ_S, matrix->entry);
    }
    matrix->n = 36;
    ElvLawDef* entry = matrix->entry;
    for (const ElvYaml* row = node->first; row; row = row->next, entry += 6) {
        if (!elv_read_laws(reader, row, 6, ELV_READ_S, entry)) {
            return false;
        }
    }
    return true;
}

// ---- laws by strain

bool elv_read_strain_laws(ElvReader* reader,
                          const ElvYaml* node,
                          unsigned variables,
                          ElvLawDef law[ELV_N_STRAIN],
                          bool is_given[ELV_N_STRAIN]) {
    if (!elv_read_keys(reader, node, "a map of laws by strain", elv_strain_names, ELV_N_STRAIN)) {
        return false;
    }
    for (int i = 0; i < ELV_N_STRAIN; i++) {
        const ElvYaml* value = elv_yaml_get(node, elv_strain_names[i]);
        if (value && is_given) {
            is_given[i] = true;
        }
        if (value && !elv_read_law(reader, value, variables, &law[i])) {
            return false;
        }
    }
    return true;
}
