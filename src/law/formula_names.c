// SPDX-License-Identifier: Apache-2.0
// Names known to formulas, and the one that was probably meant by a name that is not.
#include "law/formula_code.h"

#include <string.h>

static const struct {
    const char* name;
    double value;
} constants[] = {
    {"pi", 3.14159265358979323846},
    {"e", 2.71828182845904523536},
};

// names from other languages and books, too far from ours to be found by spelling
static const struct {
    const char* name;
    const char* ours;
} foreign_names[] = {
    {"ln", "log"},     {"arcsin", "asin"},   {"arccos", "acos"}, {"arctan", "atan"},
    {"fabs", "abs"},   {"arctan2", "atan2"}, {"sgn", "sign"},    {"heaviside", "step"},
    {"fmod", "mod"},   {"power", "pow"},     {"where", "if"},    {"smoothstep", "smooth"},
    {"norm", "hypot"}, {"time", "t"},
};

ElvOp elv_name_function(const char* name) {
    for (int i = 0; i < ELV_N_OP; i++) {
        const char* known = elv_op_name((ElvOp)i);
        if (known[0] != '\0' && strcmp(known, name) == 0) {
            return (ElvOp)i;
        }
    }
    return ELV_N_OP;
}

bool elv_name_constant(const char* name, double* value) {
    for (size_t i = 0; i < sizeof constants / sizeof constants[0]; i++) {
        if (strcmp(constants[i].name, name) == 0) {
            *value = constants[i].value;
            return true;
        }
    }
    return false;
}

// the nearer of two candidates, either of which may be NULL
static const char* nearer(const char* name, const char* best, const char* candidate) {
    const char* pair[2] = {best, candidate};
    return elv_suggest(name, pair, 2);
}

const char* elv_name_suggest(const char* name,
                             bool function_only,
                             const ElvParameter* parameters,
                             size_t n_parameter) {
    for (size_t i = 0; i < sizeof foreign_names / sizeof foreign_names[0]; i++) {
        bool is_function = elv_name_function(foreign_names[i].ours) != ELV_N_OP;
        if (strcmp(foreign_names[i].name, name) == 0 && (is_function || !function_only)) {
            return foreign_names[i].ours;
        }
    }

    const char* best = NULL;
    for (size_t i = 0; i < n_parameter && !function_only; i++) {
        best = nearer(name, best, parameters[i].name);
    }
    for (int i = 0; i < ELV_N_OP; i++) {
        best = nearer(name, best, elv_op_name((ElvOp)i));
    }
    for (size_t i = 0; i < sizeof constants / sizeof constants[0] && !function_only; i++) {
        best = nearer(name, best, constants[i].name);
    }
    if (!function_only) {
        best = nearer(name, best, "t");
        best = nearer(name, best, "s");
    }
    return best;
}
