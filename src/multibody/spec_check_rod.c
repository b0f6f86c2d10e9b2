// SPDX-License-Identifier: Apache-2.0
// Checks of rods: length, material, cross-section or matrices, strain laws, elements and bases.
// Dimensions that are laws of s are checked at the quadrature nodes when the spec is compiled;
// here, those that are plain numbers.
#include "linalg/quadrature.h"
#include "multibody/spec_check.h"
#include "rod/strain_basis.h"

#include <math.h>
#include <stdio.h>

// relative tolerance on the symmetry of a 6x6 matrix given by numbers
static const double symmetry_tol = 1e-9;

static const char size_unit[] = "sizes are in metres";

enum { FIELD_SIZE = 64 };

// ---- material and section

static bool check_material(const char* rod, const ElvMaterialDef* material, ElvError* error) {
    if (!elv_check_not_negative(rod, "material.density", &material->density, 1, "kg/m^3", error) ||
        !elv_check_not_negative(rod, "material.young", &material->young, 1, "Pa", error) ||
        !elv_check_not_negative(rod, "material.shear", &material->shear, 1, "Pa", error) ||
        !elv_check_not_negative(rod, "material.damping", material->damping, ELV_N_STRAIN,
                                "time constants in s", error)) {
        return false;
    }
    if (!(material->poisson > -1.0 && material->poisson <= 0.5)) {
        return elv_check_fail(error, rod, "material.poisson",
                              "material.poisson must be above -1 and at most 0.5, got %g",
                              material->poisson);
    }
    return true;
}

// a dimension of a section: complete, and positive where it is a number; remark says its unit
static bool check_size(const char* rod,
                       const char* field,
                       const ElvLawDef* size,
                       const char* remark,
                       ElvError* error) {
    if (!elv_check_laws(rod, field, size, 1, error)) {
        return false;
    }
    if (size->kind == ELV_LAW_CONSTANT && !(size->value > 0.0)) {
        return elv_check_fail(error, rod, field, "%s must be positive, got %g; %s", field,
                              size->value, remark);
    }
    return true;
}

// a moment of a section: complete, and not negative where it is a number
static bool
check_moment(const char* rod, const char* field, const ElvLawDef* moment, ElvError* error) {
    if (!elv_check_laws(rod, field, moment, 1, error)) {
        return false;
    }
    if (moment->kind == ELV_LAW_CONSTANT && !(moment->value >= 0.0)) {
        return elv_check_fail(error, rod, field,
                              "%s must not be negative, got %g; moments of area are in m^4", field,
                              moment->value);
    }
    return true;
}

// a hole: positive, and smaller than the outer size where both are numbers
static bool check_hole(const char* rod,
                       const char* field,
                       const ElvLawDef* outer,
                       const ElvLawDef* inner,
                       ElvError* error) {
    if (!check_size(rod, field, inner, size_unit, error)) {
        return false;
    }
    bool is_known = outer->kind == ELV_LAW_CONSTANT && inner->kind == ELV_LAW_CONSTANT;
    if (is_known && !(inner->value < outer->value)) {
        return elv_check_fail(error, rod, field,
                              "the hole of the section (%g) must be smaller than its outer size "
                              "(%g)",
                              inner->value, outer->value);
    }
    return true;
}

// circle, ellipse and rectangle
static bool check_outline(const char* rod, const ElvSectionDef* section, ElvError* error) {
    // keys of the sizes, and of those of a hole
    static const char* const outer_keys[][2] = {
        [ELV_SECTION_CIRCLE] = {"section.circle.diameter", NULL},
        [ELV_SECTION_ELLIPSE] = {"section.ellipse.y", "section.ellipse.z"},
        [ELV_SECTION_RECTANGLE] = {"section.rectangle.y", "section.rectangle.z"},
    };
    static const char* const inner_keys[][2] = {
        [ELV_SECTION_CIRCLE] = {"section.circle.hole", NULL},
        [ELV_SECTION_ELLIPSE] = {"section.ellipse.hole.y", "section.ellipse.hole.z"},
        [ELV_SECTION_RECTANGLE] = {"section.rectangle.hole.y", "section.rectangle.hole.z"},
    };
    for (int i = 0; i < 2 && outer_keys[section->kind][i]; i++) {
        const ElvLawDef* outer = &section->outer[i];
        const ElvLawDef* inner = &section->inner[i];
        if (!check_size(rod, outer_keys[section->kind][i], outer, size_unit, error) ||
            (section->is_hollow &&
             !check_hole(rod, inner_keys[section->kind][i], outer, inner, error))) {
            return false;
        }
    }
    return true;
}

// without a section both matrices must be there; where all that moves is imposed, stiffness may be left out
static bool check_given(const ElvRodDef* def, ElvError* error) {
    bool needs_stiffness = elv_check_has_free_modes(def) || !elv_check_is_imposed(def);
    bool has_stiffness = def->stiffness.n > 0 || !needs_stiffness;
    bool has_inertia = def->inertia.n > 0;
    if (has_stiffness && has_inertia) {
        return true;
    }
    if (!has_stiffness && !has_inertia) {
        return elv_check_fail(error, def->name, "section",
                              "rod '%s' has no section: give section: {circle: {diameter: ...}}, "
                              "or both stiffness and inertia",
                              def->name);
    }
    const char* missing = has_stiffness ? "inertia" : "stiffness";
    return elv_check_fail(error, def->name, missing,
                          "rod '%s' has %s but neither %s nor a section: give %s, or section: "
                          "{circle: {diameter: ...}}",
                          def->name, has_stiffness ? "stiffness" : "inertia", missing, missing);
}

static bool check_section(const ElvRodDef* def, ElvError* error) {
    const char* rod = def->name;
    const ElvSectionDef* section = &def->section;
    // every law is copied, so every law must be whole
    if (!elv_check_laws(rod, "section", section->outer, 2, error) ||
        !elv_check_laws(rod, "section", section->inner, 2, error) ||
        !elv_check_laws(rod, "section.explicit.area", &section->area, 1, error) ||
        !elv_check_laws(rod, "section.explicit.inertia_y", &section->inertia_y, 1, error) ||
        !elv_check_laws(rod, "section.explicit.inertia_z", &section->inertia_z, 1, error) ||
        !elv_check_laws(rod, "section.torsion", &section->torsion, 1, error) ||
        !check_size(rod, "section.shear_factor", &section->shear_factor, "it has no unit", error) ||
        (section->has_torsion && !check_moment(rod, "section.torsion", &section->torsion, error))) {
        return false;
    }
    switch (section->kind) {
    case ELV_SECTION_CIRCLE:
    case ELV_SECTION_ELLIPSE:
    case ELV_SECTION_RECTANGLE:
        return check_outline(rod, section, error);
    case ELV_SECTION_EXPLICIT:
        return check_size(rod, "section.explicit.area", &section->area, "areas are in m^2",
                          error) &&
               check_moment(rod, "section.explicit.inertia_y", &section->inertia_y, error) &&
               check_moment(rod, "section.explicit.inertia_z", &section->inertia_z, error);
    case ELV_SECTION_NONE:
        return check_given(def, error);
    case ELV_N_SECTION:
        break;
    }
    return elv_check_fail(error, rod, "section", "unknown kind of section (%d)",
                          (int)section->kind);
}

// ---- matrices

// diagonal not negative, and a_ij = a_ji, where they are numbers
static bool
check_entries(const char* rod, const char* field, const ElvMatrixDef* matrix, ElvError* error) {
    int stride = matrix->n == 36 ? 7 : 1;
    for (int i = 0; i < 6; i++) {
        const ElvLawDef* d = &matrix->entry[stride * i];
        if (d->kind == ELV_LAW_CONSTANT && d->value < 0.0) {
            return elv_check_fail(error, rod, field,
                                  "the diagonal of %s must not be negative, got %g in row %d",
                                  field, d->value, i + 1);
        }
    }
    for (int i = 0; i < 6 && matrix->n == 36; i++) {
        for (int j = 0; j < i; j++) {
            const ElvLawDef* a = &matrix->entry[6 * i + j];
            const ElvLawDef* b = &matrix->entry[6 * j + i];
            if (a->kind != ELV_LAW_CONSTANT || b->kind != ELV_LAW_CONSTANT) {
                continue;
            }
            if (fabs(a->value - b->value) > symmetry_tol * fmax(fabs(a->value), fabs(b->value))) {
                return elv_check_fail(error, rod, field,
                                      "%s must be symmetric: row %d, column %d is %g, but row %d, "
                                      "column %d is %g",
                                      field, i + 1, j + 1, a->value, j + 1, i + 1, b->value);
            }
        }
    }
    return true;
}

static bool
check_matrix(const char* rod, const char* field, const ElvMatrixDef* matrix, ElvError* error) {
    if (matrix->n == 0) {
        return true;
    }
    if (matrix->n != 6 && matrix->n != 36) {
        return elv_check_fail(error, rod, field,
                              "%s must have 6 numbers (its diagonal) or 6 rows of 6, got %d", field,
                              matrix->n);
    }
    return elv_check_laws(rod, field, matrix->entry, matrix->n, error) &&
           check_entries(rod, field, matrix, error);
}

// ---- strains

static bool check_strains(const char* rod, const char* key, const ElvLawDef* law, ElvError* error) {
    for (int i = 0; i < ELV_N_STRAIN; i++) {
        char field[FIELD_SIZE];
        snprintf(field, sizeof field, "%s.%s", key, elv_strain_name((ElvStrain)i));
        if (!elv_check_laws(rod, field, &law[i], 1, error)) {
            return false;
        }
    }
    return true;
}

static bool check_table(
    const char* rod, const char* field, const ElvBasisTable* table, int modes, ElvError* error) {
    if (table->n_station < 2 || !table->station || !table->value) {
        return elv_check_fail(error, rod, field,
                              "a table of mode shapes needs at least 2 stations, got %d",
                              table->n_station);
    }
    if (table->n_mode != modes) {
        return elv_check_fail(error, rod, field,
                              "the table has %d mode shapes, but the strain has %d modes",
                              table->n_mode, modes);
    }
    for (int i = 0; i < table->n_station; i++) {
        double s = table->station[i];
        if (!(s >= 0.0 && s <= 1.0) || (i > 0 && s <= table->station[i - 1])) {
            return elv_check_fail(error, rod, field,
                                  "the stations of a table of mode shapes must increase within "
                                  "[0, 1], got %g at place %d",
                                  s, i + 1);
        }
    }
    for (int m = 0; m < modes; m++) {
        for (int i = 0; i < table->n_station; i++) {
            double value = table->value[(size_t)m * (size_t)table->n_station + (size_t)i];
            if (!isfinite(value)) {
                return elv_check_fail(error, rod, field,
                                      "mode shape %d is not finite at place %d: %g", m + 1, i + 1,
                                      value);
            }
        }
    }
    return true;
}

// one polynomial over the whole element
static bool is_polynomial(ElvBasisKind basis) {
    return basis == ELV_BASIS_MONOMIAL || basis == ELV_BASIS_LEGENDRE ||
           basis == ELV_BASIS_CHEBYSHEV;
}

// the modes of one strain of one element
static bool check_basis(const char* rod,
                        const char* field,
                        const ElvElementDef* element,
                        int i_strain,
                        ElvError* error) {
    int modes = element->modes[i_strain];
    if (modes < 0 || modes > ELV_MAX_MODES) {
        return elv_check_fail(error, rod, field, "the number of modes must be from 0 to %d, got %d",
                              ELV_MAX_MODES, modes);
    }
    if ((unsigned)element->basis[i_strain] >= ELV_N_BASIS) {
        return elv_check_fail(error, rod, field, "unknown basis (%d)",
                              (int)element->basis[i_strain]);
    }
    if (modes == 0) {
        return true;
    }
    if (is_polynomial(element->basis[i_strain]) && modes > ELV_MAX_QUADRATURE) {
        return elv_check_fail(error, rod, field,
                              "a polynomial basis has at most %d modes, as many as there are "
                              "quadrature nodes, got %d: use fewer, more elements or a piecewise "
                              "basis",
                              ELV_MAX_QUADRATURE, modes);
    }
    if (element->basis[i_strain] == ELV_BASIS_PIECEWISE_LINEAR && modes < 2) {
        return elv_check_fail(error, rod, field,
                              "a piecewise linear basis has one mode more than pieces: give 2 or "
                              "more, got %d",
                              modes);
    }
    if (element->basis[i_strain] == ELV_BASIS_HERMITE && (modes < 4 || modes % 2 != 0)) {
        return elv_check_fail(error, rod, field,
                              "a Hermite basis has two modes at each knot: give an even number of "
                              "4 or more, got %d",
                              modes);
    }
    if (element->basis[i_strain] == ELV_BASIS_TABLE) {
        return check_table(rod, field, &element->table[i_strain], modes, error);
    }
    return true;
}

// keys of a rod's only element stand in the rod itself
static void element_field(const ElvRodDef* def, int i_element, const char* key, char* field) {
    if (def->n_element == 1) {
        snprintf(field, FIELD_SIZE, "%s", key);
    } else {
        snprintf(field, FIELD_SIZE, "elements[%d].%s", i_element, key);
    }
}

static bool check_element(const ElvRodDef* def, int i_element, ElvError* error) {
    const ElvElementDef* element = &def->element[i_element];
    char field[FIELD_SIZE];
    // ends: 0 < to_1 < to_2 < ... = 1
    double previous = i_element > 0 ? def->element[i_element - 1].to : 0.0;
    bool is_last = i_element == def->n_element - 1;
    if (!(element->to > previous && element->to <= 1.0) || (is_last && element->to != 1.0)) {
        snprintf(field, sizeof field, "elements[%d].to", i_element);
        return elv_check_fail(error, def->name, field,
                              "elements must end at increasing stations, the last one at 1: got %g "
                              "after %g",
                              element->to, previous);
    }
    if (element->nodes != 0 && (element->nodes < 2 || element->nodes > ELV_MAX_QUADRATURE)) {
        element_field(def, i_element, "nodes", field);
        return elv_check_fail(error, def->name, field,
                              "the number of quadrature nodes must be from 2 to %d, or 0 to have "
                              "it chosen, got %d",
                              ELV_MAX_QUADRATURE, element->nodes);
    }
    for (int i = 0; i < ELV_N_STRAIN; i++) {
        char key[FIELD_SIZE / 2];
        snprintf(key, sizeof key, "strain.%s", elv_strain_name((ElvStrain)i));
        element_field(def, i_element, key, field);
        if (!check_basis(def->name, field, element, i, error)) {
            return false;
        }
    }
    return true;
}

static bool check_elements(const ElvRodDef* def, ElvError* error) {
    if (def->n_element < 1 || !def->element) {
        return elv_check_fail(error, def->name, "strain",
                              "rod '%s' has no elements: give the modes of its strains, e.g. "
                              "strain: {bend_y: 3}",
                              def->name);
    }
    for (int i = 0; i < def->n_element; i++) {
        if (!check_element(def, i, error)) {
            return false;
        }
    }
    return true;
}

static bool check_space(const ElvRodDef* def, ElvError* error) {
    return (unsigned)def->space < ELV_N_SPACE ||
           elv_check_fail(error, def->name, "space", "unknown kind of space integration (%d)",
                          (int)def->space);
}

ElvStatus elv_check_rod(const ElvSpec* spec, const ElvRodDef* def, ElvError* error) {
    bool is_right = elv_check_name(spec, def->name, "rod", error) &&
                    elv_check_reference(def->name, "parent", def->parent, error) &&
                    elv_check_pose(def->name, "pose", &def->pose, error) &&
                    elv_check_joint(def->name, &def->joint, error) &&
                    elv_check_positive(def->name, "length", def->length, "metres", error) &&
                    check_material(def->name, &def->material, error) &&
                    check_matrix(def->name, "stiffness", &def->stiffness, error) &&
                    check_matrix(def->name, "inertia", &def->inertia, error) &&
                    check_matrix(def->name, "damping", &def->damping, error) &&
                    check_section(def, error) &&
                    check_strains(def->name, "reference", def->reference, error) &&
                    check_strains(def->name, "initial", def->initial, error) &&
                    check_strains(def->name, "initial_rate", def->initial_rate, error) &&
                    check_elements(def, error) && elv_check_motion(def, error) &&
                    check_space(def, error) && elv_check_volume(def, error) &&
                    elv_check_not_negative(def->name, "resistance", def->resistance, 6,
                                           "N s and N s/m^2", error) &&
                    elv_check_not_negative(def->name, "added_inertia", def->added_inertia, 6,
                                           "kg m and kg/m", error) &&
                    elv_check_rod_fluid(def, error);
    return is_right ? ELV_OK : ELV_ERROR_INPUT;
}
