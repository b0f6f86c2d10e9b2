// SPDX-License-Identifier: Apache-2.0
// Laws of time and place. A jet along a direction u of (t, x, y, z) has u . grad f and u^T H u: the
// four axes give the gradient and the diagonal of H, and the sum of two axes gives
//     2 H_ij = (e_i + e_j)^T H (e_i + e_j) - H_ii - H_jj.
// Directions of variables that the formula does not use are left out.
#include "law/law_field.h"

#include "law/jet.h"
#include "law/law.h"

#include <string.h>

enum { N = 4 };

ElvStatus elv_law_field(const char* text,
                        const ElvParameter* parameters,
                        size_t n_parameter,
                        ElvLaw** law,
                        ElvError* error) {
    return elv_law_formula_of(text, parameters, n_parameter, true, law, error);
}

bool elv_law_depends_on_place(const ElvLaw* law) {
    const ElvFormula* formula = elv_law_kind(law) == ELV_LAW_FORMULA ? &law->formula : NULL;
    return formula && (formula->uses_place[0] || formula->uses_place[1] || formula->uses_place[2]);
}

// the jet along the sum of axes i and j, or along i where they are the same
static ElvJet eval_along(const ElvFormula* formula, const double at[N], int i, int j) {
    ElvJet variable[N];
    for (int k = 0; k < N; k++) {
        variable[k] = elv_jet(at[k], k == i || k == j ? 1.0 : 0.0, 0.0);
    }
    return elv_formula_eval_at(formula, formula->n_code - 1, variable[0], elv_jet_constant(0.0),
                               variable + 1);
}

ElvFieldJet elv_law_eval_field(const ElvLaw* law, double t, ElvVec3 x) {
    ElvFieldJet field;
    memset(&field, 0, sizeof field);
    if (!elv_law_depends_on_place(law)) {
        ElvJet jet = elv_law_eval(law, t, 0.0);
        field.v = jet.v;
        field.d[0] = jet.d;
        field.dd[0][0] = jet.dd;
        return field;
    }
    const ElvFormula* formula = &law->formula;
    const double at[N] = {t, x.x, x.y, x.z};
    const bool uses[N] = {formula->depends_on_t, formula->uses_place[0], formula->uses_place[1],
                          formula->uses_place[2]};
    for (int i = 0; i < N; i++) {
        if (uses[i]) {
            ElvJet jet = eval_along(formula, at, i, i);
            field.v = jet.v;
            field.d[i] = jet.d;
            field.dd[i][i] = jet.dd;
        }
    }
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < i && uses[i]; j++) {
            if (uses[j]) {
                double both = eval_along(formula, at, i, j).dd;
                field.dd[i][j] = field.dd[j][i] = 0.5 * (both - field.dd[i][i] - field.dd[j][j]);
            }
        }
    }
    return field;
}
