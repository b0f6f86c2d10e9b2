// SPDX-License-Identifier: Apache-2.0
// Rods as YAML. Materials stand in the rod itself: a spec does not know what they were called.
#include "io/format_names.h"
#include "io/write_fluid.h"
#include "io/write_tree.h"

// ---- section and material

static void write_widths(ElvWriter* writer, bool is_circle, const ElvLawDef size[2]) {
    elv_write(writer, is_circle ? "diameter: " : "y: ");
    elv_write_law(writer, &size[0]);
    if (!is_circle) {
        elv_write(writer, ", z: ");
        elv_write_law(writer, &size[1]);
    }
}

static void write_section(ElvWriter* writer, const ElvSectionDef* section) {
    static const char* const shapes[] = {[ELV_SECTION_CIRCLE] = "circle",
                                         [ELV_SECTION_ELLIPSE] = "ellipse",
                                         [ELV_SECTION_RECTANGLE] = "rectangle",
                                         [ELV_SECTION_EXPLICIT] = "explicit"};
    bool is_circle = section->kind == ELV_SECTION_CIRCLE;
    elv_write(writer, "{%s: {", shapes[section->kind]);
    if (section->kind == ELV_SECTION_EXPLICIT) {
        elv_write(writer, "area: ");
        elv_write_law(writer, &section->area);
        elv_write(writer, ", inertia_y: ");
        elv_write_law(writer, &section->inertia_y);
        elv_write(writer, ", inertia_z: ");
        elv_write_law(writer, &section->inertia_z);
    } else {
        write_widths(writer, is_circle, section->outer);
        if (section->is_hollow) {
            elv_write(writer, ", hole: {");
            write_widths(writer, is_circle, section->inner);
            elv_write(writer, "}");
        }
    }
    elv_write(writer, "}");
    if (section->has_torsion) {
        elv_write(writer, ", torsion: ");
        elv_write_law(writer, &section->torsion);
    }
    if (!elv_law_def_is(&section->shear_factor, 1.0)) {
        elv_write(writer, ", shear_factor: ");
        elv_write_law(writer, &section->shear_factor);
    }
    elv_write(writer, "}");
}

static bool is_same(const double* value, int n) {
    for (int i = 1; i < n; i++) {
        if (value[i] != value[0]) {
            return false;
        }
    }
    return true;
}

static bool has_material(const ElvMaterialDef* material) {
    bool has_modulus = material->young != 0.0 || material->shear != 0.0;
    bool has_damping = !is_same(material->damping, ELV_N_STRAIN) || material->damping[0] != 0.0;
    return has_modulus || has_damping || material->density != 0.0 || material->poisson != 0.0;
}

static void write_material(ElvWriter* writer, const ElvMaterialDef* material) {
    elv_write(writer, "{density: ");
    elv_write_number(writer, material->density);
    elv_write(writer, ", young: ");
    elv_write_number(writer, material->young);
    bool has_shear = material->shear != 0.0;
    elv_write(writer, has_shear ? ", shear: " : ", poisson: ");
    elv_write_number(writer, has_shear ? material->shear : material->poisson);
    elv_write(writer, ", damping: ");
    if (is_same(material->damping, ELV_N_STRAIN)) {
        elv_write_number(writer, material->damping[0]);
    } else {
        elv_write_numbers(writer, material->damping, ELV_N_STRAIN);
    }
    elv_write(writer, "}");
}

static void write_matrix(ElvWriter* writer, const char* key, const ElvMatrixDef* matrix) {
    if (matrix->n == 0) {
        return;
    }
    elv_write_line(writer, key);
    if (matrix->n == 6) {
        elv_write_laws(writer, matrix->entry, 6);
        return;
    }
    elv_write(writer, "[");
    for (int i = 0; i < 6; i++) {
        elv_write(writer, "%s", i > 0 ? ",\n      " : "");
        elv_write_laws(writer, matrix->entry + 6 * i, 6);
    }
    elv_write(writer, "]");
}

// ---- elements

static void write_basis(ElvWriter* writer, const ElvElementDef* element, int i_strain) {
    const ElvBasisTable* table = &element->table[i_strain];
    if (element->basis[i_strain] != ELV_BASIS_TABLE) {
        elv_write(writer, "%s", elv_basis_names[element->basis[i_strain]]);
        return;
    }
    elv_write(writer, "{table: {s: ");
    elv_write_numbers(writer, table->station, table->n_station);
    elv_write(writer, ", modes: [");
    for (int i = 0; i < table->n_mode; i++) {
        elv_write(writer, "%s", i > 0 ? ", " : "");
        elv_write_numbers(writer, table->value + i * table->n_station, table->n_station);
    }
    elv_write(writer, "]}}");
}

static void write_strain(ElvWriter* writer, const ElvElementDef* element) {
    ElvWriteMap map = {writer, 0};
    for (int i = 0; i < ELV_N_STRAIN; i++) {
        if (element->modes[i] > 0) {
            elv_write_key(&map, elv_strain_names[i]);
            elv_write(writer, "%d", element->modes[i]);
        }
    }
    elv_write_map_end(&map);
}

static void write_bases(ElvWriter* writer, const ElvElementDef* element) {
    ElvWriteMap map = {writer, 0};
    for (int i = 0; i < ELV_N_STRAIN; i++) {
        if (element->modes[i] > 0) {
            elv_write_key(&map, elv_strain_names[i]);
            write_basis(writer, element, i);
        }
    }
    elv_write_map_end(&map);
}

// strain, basis and nodes, each after what separates it from the one before
static void write_modes(ElvWriter* writer, const ElvElementDef* element, const char* separator) {
    bool is_default = true;
    for (int i = 0; i < ELV_N_STRAIN; i++) {
        is_default =
            is_default && (element->modes[i] == 0 || element->basis[i] == ELV_BASIS_LEGENDRE);
    }
    elv_write(writer, "%sstrain: ", separator);
    write_strain(writer, element);
    if (!is_default) {
        elv_write(writer, "%sbasis: ", separator);
        write_bases(writer, element);
    }
    if (element->nodes > 0) {
        elv_write(writer, "%snodes: %d", separator, element->nodes);
    }
}

static void write_elements(ElvWriter* writer, const ElvRodDef* rod) {
    // a rod with one element has its keys itself
    if (rod->n_element == 1) {
        write_modes(writer, rod->element, "\n    ");
        return;
    }
    elv_write(writer, "\n    elements:");
    for (int i = 0; i < rod->n_element; i++) {
        elv_write(writer, "\n      - {to: ");
        elv_write_number(writer, rod->element[i].to);
        write_modes(writer, &rod->element[i], ", ");
        elv_write(writer, "}");
    }
}

// ---- rods

static void write_strains(ElvWriter* writer, const ElvRodDef* rod) {
    bool has_reference[ELV_N_STRAIN];
    bool has_rate[ELV_N_STRAIN];
    bool has_any[4] = {false, false, false, false};
    for (int i = 0; i < ELV_N_STRAIN; i++) {
        has_reference[i] = !elv_law_def_is(&rod->reference[i], i == ELV_STRAIN_STRETCH ? 1.0 : 0.0);
        has_rate[i] = !elv_law_def_is(&rod->initial_rate[i], 0.0);
        has_any[0] = has_any[0] || has_reference[i];
        has_any[1] = has_any[1] || rod->has_initial[i];
        has_any[2] = has_any[2] || has_rate[i];
        has_any[3] = has_any[3] || rod->has_motion[i];
    }
    if (has_any[0]) {
        elv_write_line(writer, "reference");
        elv_write_strain_laws(writer, rod->reference, has_reference);
    }
    if (has_any[1]) {
        elv_write_line(writer, "initial");
        elv_write_strain_laws(writer, rod->initial, rod->has_initial);
    }
    if (has_any[2]) {
        elv_write_line(writer, "initial_rate");
        elv_write_strain_laws(writer, rod->initial_rate, has_rate);
    }
    if (has_any[3]) {
        elv_write_line(writer, "motion");
        elv_write_strain_laws(writer, rod->motion, rod->has_motion);
    }
}

void elv_write_rod(ElvWriter* writer, const ElvRodDef* rod) {
    elv_write(writer, "\n  - rod: ");
    elv_write_word(writer, rod->name);
    elv_write_line(writer, "parent");
    elv_write_word(writer, rod->parent);
    if (!elv_pose_is_identity(&rod->pose)) {
        elv_write_line(writer, "pose");
        elv_write_pose(writer, &rod->pose);
    }
    if (rod->joint.type != ELV_JOINT_FIXED) {
        elv_write_line(writer, "joint");
        elv_write_joint(writer, &rod->joint);
    }
    elv_write_line(writer, "length");
    elv_write_number(writer, rod->length);
    if (rod->section.kind != ELV_SECTION_NONE) {
        elv_write_line(writer, "section");
        write_section(writer, &rod->section);
    }
    if (rod->section.kind != ELV_SECTION_NONE || has_material(&rod->material)) {
        elv_write_line(writer, "material");
        write_material(writer, &rod->material);
    }
    write_matrix(writer, "stiffness", &rod->stiffness);
    write_matrix(writer, "inertia", &rod->inertia);
    write_matrix(writer, "damping", &rod->damping);
    write_elements(writer, rod);
    write_strains(writer, rod);
    if (rod->space != ELV_SPACE_QUADRATURE) {
        elv_write_line(writer, "space");
        elv_write(writer, "%s", elv_space_names[rod->space]);
    }
    if (rod->keeps_volume) {
        elv_write_line(writer, "volume");
        elv_write(writer, "%s", elv_volume_names[1]);
    }
    elv_write_coefficients(writer, rod->resistance, rod->added_inertia);
    elv_write_rod_fluid(writer, &rod->fluid);
}
