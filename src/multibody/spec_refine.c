// SPDX-License-Identifier: Apache-2.0
// A spec with more modes: a copy that shares everything with the original but the elements of rods, which
// get one mode more for every strain that has any.
#include "multibody/spec_refine.h"

#include "multibody/spec.h"

static void add_modes(ElvElementDef* element) {
    for (int i = 0; i < ELV_N_STRAIN; i++) {
        if (element->modes[i] > 0 && element->basis[i] != ELV_BASIS_TABLE) {
            element->modes[i] += element->basis[i] == ELV_BASIS_HERMITE ? 2 : 1;
        }
    }
}

// elements with more modes; false without memory
static bool refine_rod(ElvPool* pool, ElvRodDef* rod) {
    size_t n = (size_t)rod->n_element;
    ElvElementDef* element = elv_pool_copy(pool, rod->element, n, sizeof *element);
    for (size_t i = 0; i < n && element; i++) {
        add_modes(&element[i]);
    }
    rod->element = element;
    return element != NULL;
}

ElvStatus elv_spec_compile_refined(const ElvSpec* spec, ElvModel** model, ElvError* error) {
    ElvPool pool = {0};
    ElvSpec refined = *spec;
    *model = NULL;
    refined.element =
        elv_pool_copy(&pool, spec->element, (size_t)spec->n_element, sizeof *spec->element);
    bool is_done = refined.element != NULL;
    for (int i = 0; i < spec->n_element && is_done; i++) {
        is_done = !refined.element[i].is_rod || refine_rod(&pool, &refined.element[i].rod);
    }
    ElvStatus status = is_done ? elv_spec_compile(&refined, model, error)
                               : elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    elv_pool_free(&pool);
    return status;
}
