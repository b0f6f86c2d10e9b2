// SPDX-License-Identifier: Apache-2.0
// Coordinates and velocities of a rod at the start: those whose strains and rates come nearest to the given fields,
// by least squares over the rod. The Gram matrix of the basis is factored once for both.
#include "rod/rod_initial.h"

#include "linalg/cholesky.h"
#include "rod/rod_segment.h"

// right-hand side of the projection of a strain field on the basis
static void project_field(const ElvRod* rod,
                          const ElvLaw* const field[ELV_N_STRAIN],
                          bool minus_reference,
                          double* b) {
    for (int i_segment = 0; i_segment < rod->n_segment; i_segment++) {
        const ElvRodSegment* seg = &rod->segment[i_segment];
        for (int i = 0; i < seg->n_node; i++) {
            double s = rod->s[seg->i_node + i];
            const double* phi = seg->phi + (size_t)i * (size_t)seg->n_col;
            for (int k = 0; k < seg->n_col; k++) {
                int strain = seg->strain[k];
                if (field[strain]) {
                    double value = elv_law_value(field[strain], 0.0, s);
                    value -= minus_reference ? elv_law_value(rod->reference[strain], 0.0, s) : 0.0;
                    b[seg->col[k]] += rod->weight[seg->i_node + i] * phi[k] * value;
                }
            }
        }
    }
}

// laws of the initial strains, NULL where none is given, and of their rates
static ElvStatus add_initial_laws(const ElvRod* rod,
                                  const ElvRodDef* def,
                                  ElvLawSet* laws,
                                  const ElvLaw* initial[ELV_N_STRAIN],
                                  const ElvLaw* rate[ELV_N_STRAIN],
                                  ElvError* error) {
    for (int strain = 0; strain < ELV_N_STRAIN; strain++) {
        ElvStatus status = ELV_OK;
        if (def->has_initial[strain]) {
            status = elv_law_set_add(laws, &def->initial[strain], ELV_LAW_OF_S, rod->name,
                                     "initial", &initial[strain], error);
        }
        if (status == ELV_OK) {
            status = elv_law_set_add(laws, &def->initial_rate[strain], ELV_LAW_OF_S, rod->name,
                                     "initial_rate", &rate[strain], error);
        }
        if (status != ELV_OK) {
            return status;
        }
    }
    return ELV_OK;
}

ElvStatus elv_rod_initial(ElvRod* rod, const ElvRodDef* def, ElvLawSet* laws, ElvError* error) {
    static const ElvMat6 identity = {{{1, 0, 0, 0, 0, 0},
                                      {0, 1, 0, 0, 0, 0},
                                      {0, 0, 1, 0, 0, 0},
                                      {0, 0, 0, 1, 0, 0},
                                      {0, 0, 0, 0, 1, 0},
                                      {0, 0, 0, 0, 0, 1}}};
    size_t n_v = (size_t)rod->joint.n_v;
    double* gram = elv_pool_take(laws->pool, n_v * n_v, sizeof *gram);
    double* q0 = elv_pool_take(laws->pool, n_v, sizeof *q0);
    double* v0 = elv_pool_take(laws->pool, n_v, sizeof *v0);
    if (!gram || !q0 || !v0) {
        return elv_error_set(error, ELV_ERROR_MEMORY, rod->name, "", "out of memory");
    }
    const ElvLaw* initial[ELV_N_STRAIN] = {0};
    const ElvLaw* rate[ELV_N_STRAIN] = {0};
    ElvStatus status = add_initial_laws(rod, def, laws, initial, rate, error);
    if (status != ELV_OK) {
        return status;
    }
    for (int i_segment = 0; i_segment < rod->n_segment; i_segment++) {
        const ElvRodSegment* seg = &rod->segment[i_segment];
        for (int i = 0; i < seg->n_node; i++) {
            elv_rod_add_generalised(seg, i, rod->joint.n_v, rod->weight[seg->i_node + i], &identity,
                                    gram);
        }
    }
    int bad = elv_cholesky_factor(rod->joint.n_v, gram);
    if (bad >= 0) {
        return elv_error_set(error, ELV_ERROR_INPUT, rod->name, "basis",
                             "mode %d of the rod depends on the modes before it (or too few "
                             "quadrature nodes): use fewer modes, more nodes or a Legendre basis",
                             bad);
    }
    project_field(rod, initial, true, q0);
    project_field(rod, rate, false, v0);
    elv_cholesky_solve(rod->joint.n_v, gram, q0);
    elv_cholesky_solve(rod->joint.n_v, gram, v0);
    rod->q0 = q0;
    rod->v0 = v0;
    return ELV_OK;
}
