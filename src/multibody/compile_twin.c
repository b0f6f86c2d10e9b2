// SPDX-License-Identifier: Apache-2.0
// Rods that are alike share their tables: a snake of a hundred equal rods has one set of them, which stays in
// the processor's caches. Alike are rods with equal definitions by numbers and formulas, the same stations,
// and nothing that acts along them.
#include "multibody/compile_twin.h"

#include <string.h>

static bool is_same_law(const ElvLawDef* a, const ElvLawDef* b) {
    if (a->kind != b->kind) {
        return false;
    }
    // tables and callbacks are not looked into
    return (a->kind == ELV_LAW_CONSTANT && a->value == b->value) ||
           (a->kind == ELV_LAW_FORMULA && strcmp(a->text, b->text) == 0);
}

static bool is_same_list(const ElvLawDef* a, const ElvLawDef* b, int n) {
    for (int i = 0; i < n; i++) {
        if (!is_same_law(&a[i], &b[i])) {
            return false;
        }
    }
    return true;
}

static bool is_same_section(const ElvSectionDef* a, const ElvSectionDef* b) {
    return a->kind == b->kind && a->is_hollow == b->is_hollow && a->has_torsion == b->has_torsion &&
           is_same_list(a->outer, b->outer, 2) && is_same_list(a->inner, b->inner, 2) &&
           is_same_law(&a->area, &b->area) && is_same_law(&a->inertia_y, &b->inertia_y) &&
           is_same_law(&a->inertia_z, &b->inertia_z) && is_same_law(&a->torsion, &b->torsion) &&
           is_same_law(&a->shear_factor, &b->shear_factor);
}

static bool is_same_material(const ElvMaterialDef* a, const ElvMaterialDef* b) {
    bool is_same = a->density == b->density && a->young == b->young && a->poisson == b->poisson &&
                   a->shear == b->shear;
    for (int i = 0; i < ELV_N_STRAIN; i++) {
        is_same = is_same && a->damping[i] == b->damping[i];
    }
    return is_same;
}

static bool is_same_matrix(const ElvMatrixDef* a, const ElvMatrixDef* b) {
    return a->n == b->n && is_same_list(a->entry, b->entry, a->n);
}

static bool is_same_element(const ElvElementDef* a, const ElvElementDef* b) {
    bool is_same = a->to == b->to && a->nodes == b->nodes;
    for (int i = 0; i < ELV_N_STRAIN; i++) {
        is_same = is_same && a->modes[i] == b->modes[i] && a->basis[i] == b->basis[i] &&
                  a->basis[i] != ELV_BASIS_TABLE;
    }
    return is_same;
}

static bool is_same_fluid(const ElvRodFluidDef* a, const ElvRodFluidDef* b) {
    return a->is_buoyant == b->is_buoyant && a->drag_normal == b->drag_normal &&
           a->drag_tangential == b->drag_tangential && a->lift == b->lift &&
           a->added_mass == b->added_mass && a->is_slender == b->is_slender;
}

static bool is_same_rod(const ElvRodDef* a, const ElvRodDef* b) {
    if (a->length != b->length || a->space != b->space || a->keeps_volume != b->keeps_volume ||
        a->n_element != b->n_element) {
        return false;
    }
    for (int i = 0; i < a->n_element; i++) {
        if (!is_same_element(&a->element[i], &b->element[i])) {
            return false;
        }
    }
    for (int i = 0; i < ELV_N_STRAIN; i++) {
        if (a->has_initial[i] != b->has_initial[i] || a->has_motion[i] != b->has_motion[i] ||
            a->resistance[i] != b->resistance[i] || a->added_inertia[i] != b->added_inertia[i]) {
            return false;
        }
    }
    return is_same_section(&a->section, &b->section) && is_same_fluid(&a->fluid, &b->fluid) &&
           is_same_material(&a->material, &b->material) &&
           is_same_matrix(&a->stiffness, &b->stiffness) &&
           is_same_matrix(&a->inertia, &b->inertia) && is_same_matrix(&a->damping, &b->damping) &&
           is_same_list(a->reference, b->reference, ELV_N_STRAIN) &&
           is_same_list(a->initial, b->initial, ELV_N_STRAIN) &&
           is_same_list(a->initial_rate, b->initial_rate, ELV_N_STRAIN) &&
           is_same_list(a->motion, b->motion, ELV_N_STRAIN);
}

static bool has_fields(const ElvRodFields* fields) {
    return fields->n_distributed > 0 || fields->n_stress > 0 || fields->n_fibre > 0 ||
           fields->n_control > 0 || fields->n_law > 0;
}

const ElvRod* elv_compile_twin(const ElvCompiler* c, int i_element, const ElvRodFields* fields) {
    const ElvRodDef* def = &c->spec->element[i_element].rod;
    int n_station = c->n_station[i_element];
    for (int i = 0; i < c->spec->n_element && !has_fields(fields); i++) {
        // nodes are built in the order of the tree: those after this one have none yet
        if (!c->is_built[i] || !c->spec->element[i].is_rod || c->n_station[i] != n_station ||
            !is_same_rod(def, &c->spec->element[i].rod)) {
            continue;
        }
        const ElvRod* rod = (const ElvRod*)c->model->node[c->node_of[i]].joint;
        bool is_bare = rod->n_distributed == 0 && !rod->active;
        bool has_same_stations = memcmp(c->station[i], c->station[i_element],
                                        (size_t)n_station * sizeof **c->station) == 0;
        if (is_bare && has_same_stations) {
            return rod;
        }
    }
    return NULL;
}
