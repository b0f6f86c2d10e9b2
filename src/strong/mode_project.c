// SPDX-License-Identifier: Apache-2.0
// Projections on the modes of rods, by their own quadrature. Angles and lengths weigh alike: a metre of stretch
// per metre is as much as a radian of bending per metre.
#include "strong/mode_project.h"

#include "linalg/cholesky.h"
#include "rod/rod_segment.h"

#include <string.h>

static ElvStatus no_memory(ElvError* error) {
    return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
}

static void fill_gram(const ElvRod* rod, double* gram) {
    ElvMat6 identity = {{{0.0}}};
    for (int i = 0; i < 6; i++) {
        identity.m[i][i] = 1.0;
    }
    for (int k = 0; k < rod->n_segment; k++) {
        const ElvRodSegment* seg = &rod->segment[k];
        for (int i = 0; i < seg->n_node; i++) {
            elv_rod_add_generalised(seg, i, rod->joint.n_v, rod->weight[seg->i_node + i], &identity,
                                    gram);
        }
    }
}

ElvStatus elv_mode_grams(const ElvChain* chain, ElvPool* pool, double*** gram, ElvError* error) {
    double** all = elv_pool_take(pool, (size_t)chain->n_rod, sizeof *all);
    *gram = all;
    if (!all) {
        return no_memory(error);
    }
    for (int i_rod = 0; i_rod < chain->n_rod; i_rod++) {
        const ElvRod* rod = chain->rod[i_rod].strong.rod;
        size_t n = (size_t)rod->joint.n_v;
        all[i_rod] = elv_pool_take(pool, n * n, sizeof **all);
        if (!all[i_rod]) {
            return no_memory(error);
        }
        fill_gram(rod, all[i_rod]);
        int i_bad = elv_cholesky_factor(rod->joint.n_v, all[i_rod]);
        if (i_bad >= 0) {
            return elv_error_set(error, ELV_ERROR_SINGULAR, rod->name, "strain",
                                 "mode %d of rod '%s' depends on those before it: coordinates "
                                 "cannot be found from strains",
                                 i_bad, rod->name);
        }
    }
    return ELV_OK;
}

void elv_mode_project(const ElvChain* chain,
                      double* const* gram,
                      int i_rod,
                      ElvModeField field,
                      void* owner,
                      double* x) {
    const ElvRod* rod = chain->rod[i_rod].strong.rod;
    int n = rod->joint.n_v;
    memset(x, 0, (size_t)n * sizeof *x);
    for (int k = 0; k < rod->n_segment; k++) {
        const ElvRodSegment* seg = &rod->segment[k];
        for (int i = 0; i < seg->n_node; i++) {
            int i_node = seg->i_node + i;
            double strain[ELV_N_STRAIN];
            elv_twist_to_array(field(owner, i_rod, rod->s[i_node]), strain);
            elv_rod_project(seg, i, rod->weight[i_node], strain, x);
        }
    }
    elv_cholesky_solve(n, gram[i_rod], x);
}

// ---- states

static ElvTwist strain_at(void* owner, int i_rod, double s) {
    const ElvFieldView* view = owner;
    const ElvRod* rod = view->chain->rod[i_rod].strong.rod;
    double xi_o[ELV_N_STRAIN];
    for (int k = 0; k < ELV_N_STRAIN; k++) {
        xi_o[k] = elv_law_value(rod->reference[k], 0.0, s);
    }
    return elv_twist_sub(elv_field_view_at(view, i_rod, s).xi, elv_twist_from_array(xi_o));
}

static ElvTwist rate_at(void* owner, int i_rod, double s) {
    return elv_field_view_at(owner, i_rod, s).xi_dot;
}

void elv_mode_state(const ElvFieldView* view, double* const* gram, ElvState* state) {
    const ElvChain* chain = view->chain;
    ElvFieldView own = *view;
    for (int i = 0; i < chain->n_rod; i++) {
        const ElvNode* node = &chain->model->node[chain->rod[i].i_node];
        elv_mode_project(chain, gram, i, strain_at, &own, state->q + node->i_q);
        elv_mode_project(chain, gram, i, rate_at, &own, state->v + node->i_v);
        memset(state->a + node->i_v, 0, (size_t)node->joint->n_v * sizeof *state->a);
    }
}
