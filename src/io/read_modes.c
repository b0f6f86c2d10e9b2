// SPDX-License-Identifier: Apache-2.0
// Strains of a rod in model files: how many modes each has, in which basis. Presets name the usual
// sets of strains; keys are taken in their order, so that a strain after a preset changes it.
#include "io/format_names.h"
#include "io/read_rod_parts.h"
#include "io/read_value.h"
#include "linalg/quadrature.h"
#include "rod/strain_basis.h"

#include <string.h>

enum { N_PRESET = 4, N_STRAIN_KEY = N_PRESET + ELV_N_STRAIN };

// strains that are counted so far
typedef struct {
    bool is_given[ELV_N_STRAIN];
} GivenStrains;

// ---- strain

static bool preset_has(int i_preset, ElvStrain strain) {
    bool is_bending = strain == ELV_STRAIN_BEND_Y || strain == ELV_STRAIN_BEND_Z;
    switch (i_preset) {
    case 0: // kirchhoff
        return is_bending || strain == ELV_STRAIN_TWIST;
    case 1: // extensible_kirchhoff
        return is_bending || strain == ELV_STRAIN_TWIST || strain == ELV_STRAIN_STRETCH;
    case 2: // reissner
        return true;
    default: // planar
        return strain == ELV_STRAIN_BEND_Z;
    }
}

static bool
read_strain(ElvReader* reader, const ElvYaml* node, ElvElementDef* element, GivenStrains* given) {
    const char* keys[N_STRAIN_KEY] = {"kirchhoff", "extensible_kirchhoff", "reissner", "planar"};
    memcpy(keys + N_PRESET, elv_strain_names, sizeof elv_strain_names);
    if (!elv_read_keys(reader, node, "a map of modes by strain, {bend_y: 3, ...}", keys,
                       N_STRAIN_KEY)) {
        return false;
    }
    for (const ElvYaml* child = node->first; child; child = child->next) {
        long n_mode = 0;
        int i_key = 0;
        if (!elv_read_choice(reader, child->key, "strain", keys, N_STRAIN_KEY, &i_key) ||
            !elv_read_integer(reader, child, 0, ELV_MAX_MODES, &n_mode)) {
            return false;
        }
        for (int i = 0; i < ELV_N_STRAIN; i++) {
            bool is_named =
                i_key < N_PRESET ? preset_has(i_key, (ElvStrain)i) : i == i_key - N_PRESET;
            if (is_named) {
                element->modes[i] = (int)n_mode;
                given->is_given[i] = true;
            }
        }
    }
    return true;
}

// ---- basis

// modes: [[values of mode 1 at the stations], …]
static bool
read_table_modes(ElvReader* reader, const ElvYaml* list, int n_station, ElvBasisTable* table) {
    if (list->kind != ELV_YAML_LIST || list->n == 0 || list->n > ELV_MAX_MODES) {
        return elv_read_fail_expected(reader, list, "a list of modes, each a list of values");
    }
    double* value =
        elv_pool_take(&reader->pool, (size_t)list->n * (size_t)n_station, sizeof *value);
    if (!value) {
        return elv_read_fail_memory(reader);
    }
    table->n_mode = list->n;
    table->value = value;
    for (const ElvYaml* mode = list->first; mode; mode = mode->next, value += n_station) {
        if (!elv_read_numbers(reader, mode, n_station, value)) {
            return false;
        }
    }
    return true;
}

static bool read_basis_table(ElvReader* reader, const ElvYaml* node, ElvBasisTable* table) {
    static const char* const keys[] = {"s", "modes"};
    if (!elv_read_keys(reader, node, "a table {s: [...], modes: [[...], ...]}", keys, 2)) {
        return false;
    }
    const ElvYaml* stations = elv_read_required(reader, node, "s", "stations of the values");
    const ElvYaml* modes =
        stations ? elv_read_required(reader, node, "modes", "one list of values a mode") : NULL;
    double* station = NULL;
    if (!modes || !elv_read_number_list(reader, stations, &station, &table->n_station)) {
        return false;
    }
    table->station = station;
    return read_table_modes(reader, modes, table->n_station, table);
}

// a name, or {table: …}
static bool
read_one_basis(ElvReader* reader, const ElvYaml* node, ElvBasisKind* basis, ElvBasisTable* table) {
    if (node->kind == ELV_YAML_MAP) {
        static const char* const keys[] = {"table"};
        *basis = ELV_BASIS_TABLE;
        const ElvYaml* value = NULL;
        return elv_read_keys(reader, node, "a basis", keys, 1) &&
               (value = elv_read_required(reader, node, "table", "or the name of a basis")) &&
               read_basis_table(reader, value, table);
    }
    int choice = 0;
    bool is_known =
        elv_read_choice(reader, node, "basis", elv_basis_names, ELV_BASIS_TABLE, &choice);
    *basis = (ElvBasisKind)choice;
    return is_known;
}

// a table brings its number of modes, which a given number must repeat
static bool take_table_modes(ElvReader* reader,
                             const ElvYaml* node,
                             int i_strain,
                             const GivenStrains* given,
                             ElvElementDef* element) {
    int n_mode = element->table[i_strain].n_mode;
    if (element->basis[i_strain] != ELV_BASIS_TABLE) {
        return true;
    }
    if (given->is_given[i_strain] && element->modes[i_strain] != n_mode) {
        return elv_read_fail(reader, node, "the table has %d modes, but 'strain' gives %s %d",
                             n_mode, elv_strain_names[i_strain], element->modes[i_strain]);
    }
    element->modes[i_strain] = n_mode;
    return true;
}

static bool read_basis_map(ElvReader* reader,
                           const ElvYaml* node,
                           const GivenStrains* given,
                           ElvElementDef* element) {
    if (!elv_read_keys(reader, node, "a basis", elv_strain_names, ELV_N_STRAIN)) {
        return false;
    }
    for (int i = 0; i < ELV_N_STRAIN; i++) {
        const ElvYaml* value = elv_yaml_get(node, elv_strain_names[i]);
        if (value && (!read_one_basis(reader, value, &element->basis[i], &element->table[i]) ||
                      !take_table_modes(reader, value, i, given, element))) {
            return false;
        }
    }
    return true;
}

static bool read_basis(ElvReader* reader,
                       const ElvYaml* node,
                       const GivenStrains* given,
                       ElvElementDef* element) {
    if (node->kind == ELV_YAML_MAP && !elv_yaml_get(node, "table")) {
        return read_basis_map(reader, node, given, element);
    }
    ElvBasisKind basis = ELV_BASIS_LEGENDRE;
    ElvBasisTable table = {0};
    if (!read_one_basis(reader, node, &basis, &table)) {
        return false;
    }
    int n_taken = 0;
    for (int i = 0; i < ELV_N_STRAIN; i++) {
        // strains without modes have no use for a table
        bool has_modes = element->modes[i] > 0;
        if (basis == ELV_BASIS_TABLE && !has_modes) {
            continue;
        }
        n_taken++;
        element->basis[i] = basis;
        element->table[i] = table;
        if (!take_table_modes(reader, node, i, given, element)) {
            return false;
        }
    }
    if (n_taken == 0) {
        return elv_read_fail(reader, node,
                             "no strain takes the modes of this table: name it, "
                             "basis: {bend_y: {table: ...}}");
    }
    return true;
}

bool elv_read_modes(ElvReader* reader, const ElvYaml* map, ElvElementDef* element) {
    GivenStrains given = {0};
    const ElvYaml* strain = elv_yaml_get(map, "strain");
    const ElvYaml* basis = elv_yaml_get(map, "basis");
    const ElvYaml* nodes = elv_yaml_get(map, "nodes");
    long n_node = 0;
    if ((strain && !read_strain(reader, strain, element, &given)) ||
        (basis && !read_basis(reader, basis, &given, element)) ||
        (nodes && !elv_read_integer(reader, nodes, 0, ELV_MAX_QUADRATURE, &n_node))) {
        return false;
    }
    element->nodes = (int)n_node;
    return true;
}
