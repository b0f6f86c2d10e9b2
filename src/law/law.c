// SPDX-License-Identifier: Apache-2.0
// Laws: making, copying and evaluating the four kinds. A law owns all its memory but the user
// pointer of a callback, which copies share.
#include "law/law.h"
#include "law/jet.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

// a new law of the given kind, or an error
static ElvStatus new_law(ElvLawKind kind, ElvLaw** law, ElvError* error) {
    *law = calloc(1, sizeof **law);
    if (!*law) {
        return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "no memory for a law");
    }
    (*law)->kind = kind;
    return ELV_OK;
}

// free a law that could not be completed
static ElvStatus keep_or_free(ElvStatus status, ElvLaw** law) {
    if (status != ELV_OK) {
        elv_law_free(*law);
        *law = NULL;
    }
    return status;
}

ElvStatus elv_law_formula(const char* text,
                          const ElvParameter* parameters,
                          size_t n_parameter,
                          ElvLaw** law,
                          ElvError* error) {
    return elv_law_formula_of(text, parameters, n_parameter, false, law, error);
}

ElvStatus elv_law_formula_of(const char* text,
                             const ElvParameter* parameters,
                             size_t n_parameter,
                             bool has_place,
                             ElvLaw** law,
                             ElvError* error) {
    assert(law && (parameters || n_parameter == 0));
    *law = NULL;
    if (!text) {
        return elv_error_set(error, ELV_ERROR_INPUT, "", "", "a formula needs a text");
    }
    ElvStatus status = new_law(ELV_LAW_FORMULA, law, error);
    if (*law) {
        status =
            elv_formula_init(&(*law)->formula, text, parameters, n_parameter, has_place, error);
    }
    return keep_or_free(status, law);
}

ElvStatus elv_law_constant(double value, ElvLaw** law, ElvError* error) {
    assert(law);
    *law = NULL;
    if (!isfinite(value)) {
        return elv_error_set(error, ELV_ERROR_INPUT, "", "", "a constant must be finite, not %g",
                             value);
    }
    ElvStatus status = new_law(ELV_LAW_CONSTANT, law, error);
    if (*law) {
        (*law)->constant = value;
    }
    return status;
}

ElvStatus elv_law_table(ElvVariable variable,
                        ElvTableKind kind,
                        const double* x,
                        const double* y,
                        size_t n,
                        ElvLaw** law,
                        ElvError* error) {
    assert(law);
    ElvStatus status = new_law(ELV_LAW_TABLE, law, error);
    if (*law) {
        status = elv_table_init(&(*law)->table, variable, kind, x, y, n, error);
    }
    return keep_or_free(status, law);
}

ElvStatus elv_law_callback(ElvLawCallback callback, void* user, ElvLaw** law, ElvError* error) {
    assert(law);
    *law = NULL;
    if (!callback) {
        return elv_error_set(error, ELV_ERROR_INPUT, "", "", "a callback law needs a function");
    }
    ElvStatus status = new_law(ELV_LAW_CALLBACK, law, error);
    if (*law) {
        (*law)->callback = callback;
        (*law)->user = user;
    }
    return status;
}

ElvStatus elv_law_copy(const ElvLaw* law, ElvLaw** copy, ElvError* error) {
    assert(copy);
    *copy = NULL;
    if (!law) {
        return ELV_OK;
    }
    const ElvTable* table = &law->table;
    ElvStatus status = ELV_OK;
    switch (law->kind) {
    case ELV_LAW_CONSTANT:
        return elv_law_constant(law->constant, copy, error);
    case ELV_LAW_TABLE:
        return elv_law_table(table->variable, table->kind, table->x, table->y, table->n, copy,
                             error);
    case ELV_LAW_CALLBACK:
        return elv_law_callback(law->callback, law->user, copy, error);
    default:
        assert(law->kind == ELV_LAW_FORMULA);
        status = new_law(ELV_LAW_FORMULA, copy, error);
        if (*copy) {
            status = elv_formula_copy(&(*copy)->formula, &law->formula, error);
        }
        return keep_or_free(status, copy);
    }
}

void elv_law_free(ElvLaw* law) {
    if (law) {
        elv_formula_clear(&law->formula);
        elv_table_clear(&law->table);
        free(law);
    }
}

ElvJet elv_law_eval(const ElvLaw* law, double t, double s) {
    ElvJet jet = {0.0, 0.0, 0.0};
    if (!law) {
        return jet;
    }
    switch (law->kind) {
    case ELV_LAW_CONSTANT:
        jet.v = law->constant;
        return jet;
    case ELV_LAW_FORMULA:
        return elv_formula_eval(&law->formula, law->formula.n_code - 1, elv_jet(t, 1.0, 0.0),
                                elv_jet_constant(s));
    case ELV_LAW_TABLE:
        // a table of s does not move with time
        return law->table.variable == ELV_VARIABLE_T
                   ? elv_table_eval(&law->table, t)
                   : elv_jet_constant(elv_table_eval(&law->table, s).v);
    default:
        assert(law->kind == ELV_LAW_CALLBACK);
        law->callback(law->user, t, s, &jet);
        return jet;
    }
}

// distance of the values from which a callback is differentiated by s: truncation, h^4, and rounding,
// 1e-16 / h^2 in the second derivative, are then both near 1e-10 for laws of a few waves
static const double CALLBACK_STEP = 1e-3;

// a callback by s: quartic through five values, by powers of u = (s - middle) / h
static ElvJet callback_eval_s(const ElvLaw* law, double t, double s) {
    double h = CALLBACK_STEP;
    bool is_inside = s >= 0.0 && s <= 1.0;
    double middle = is_inside ? fmin(fmax(s, 2.0 * h), 1.0 - 2.0 * h) : s;
    double f[5];
    for (int i = 0; i < 5; i++) {
        f[i] = elv_law_value(law, t, middle + (i - 2) * h);
    }
    double odd[2] = {f[3] - f[1], f[4] - f[0]};
    double even[2] = {f[3] + f[1] - 2.0 * f[2], f[4] + f[0] - 2.0 * f[2]};
    double c1 = (8.0 * odd[0] - odd[1]) / 12.0;
    double c2 = (16.0 * even[0] - even[1]) / 24.0;
    double c3 = (odd[1] - 2.0 * odd[0]) / 12.0;
    double c4 = (even[1] - 4.0 * even[0]) / 24.0;
    double u = (s - middle) / h;
    double d = c1 + u * (2.0 * c2 + u * (3.0 * c3 + u * 4.0 * c4));
    double dd = 2.0 * c2 + u * (6.0 * c3 + u * 12.0 * c4);
    return elv_jet(elv_law_value(law, t, s), d / h, dd / (h * h));
}

ElvJet elv_law_eval_s(const ElvLaw* law, double t, double s) {
    switch (elv_law_kind(law)) {
    case ELV_LAW_FORMULA:
        return elv_formula_eval(&law->formula, law->formula.n_code - 1, elv_jet_constant(t),
                                elv_jet(s, 1.0, 0.0));
    case ELV_LAW_TABLE:
        // a table of t is the same everywhere
        return law->table.variable == ELV_VARIABLE_S ? elv_table_eval(&law->table, s)
                                                     : elv_jet_constant(elv_law_value(law, t, s));
    case ELV_LAW_CALLBACK:
        return callback_eval_s(law, t, s);
    default:
        return elv_jet_constant(elv_law_value(law, t, s));
    }
}

double elv_law_value(const ElvLaw* law, double t, double s) {
    // most laws are numbers
    if (!law || law->kind == ELV_LAW_CONSTANT) {
        return law ? law->constant : 0.0;
    }
    return elv_law_eval(law, t, s).v;
}

ElvLawKind elv_law_kind(const ElvLaw* law) {
    return law ? law->kind : ELV_LAW_CONSTANT;
}

// what a law can see of a variable; a callback may use both
static bool depends_on(const ElvLaw* law, ElvVariable variable) {
    switch (elv_law_kind(law)) {
    case ELV_LAW_FORMULA:
        return variable == ELV_VARIABLE_T ? law->formula.depends_on_t : law->formula.depends_on_s;
    case ELV_LAW_TABLE:
        return law->table.variable == variable;
    default:
        return elv_law_kind(law) == ELV_LAW_CALLBACK;
    }
}

bool elv_law_depends_on_t(const ElvLaw* law) {
    return depends_on(law, ELV_VARIABLE_T);
}

bool elv_law_depends_on_s(const ElvLaw* law) {
    return depends_on(law, ELV_VARIABLE_S);
}

const char* elv_law_text(const ElvLaw* law) {
    return elv_law_kind(law) == ELV_LAW_FORMULA ? law->formula.text : NULL;
}

size_t elv_law_table_data(const ElvLaw* law,
                          ElvVariable* variable,
                          ElvTableKind* kind,
                          const double** x,
                          const double** y) {
    if (elv_law_kind(law) != ELV_LAW_TABLE) {
        return 0;
    }
    if (variable) {
        *variable = law->table.variable;
    }
    if (kind) {
        *kind = law->table.kind;
    }
    if (x) {
        *x = law->table.x;
    }
    if (y) {
        *y = law->table.y;
    }
    return law->table.n;
}
