// SPDX-License-Identifier: Apache-2.0
// Names in formulas: variables, parameters and constants, and function calls with their arguments.
// A parameter may take the name of a constant (e) or of a function, never that of t or s, nor where
// a formula may use the place that of x, y or z.
#include "law/formula_parse.h"

#include <math.h>
#include <string.h>

enum { NAME_LENGTH = 64 };

static const ElvParameter* find_parameter(const ElvParser* p, const char* name) {
    for (size_t i = 0; i < p->n_parameter; i++) {
        if (p->parameters[i].name && strcmp(p->parameters[i].name, name) == 0) {
            return &p->parameters[i];
        }
    }
    return NULL;
}

static bool fail_unknown(ElvParser* p, size_t offset, const char* name, bool is_function) {
    const char* what = is_function ? "function" : "name";
    if (strcmp(name, "inf") == 0 || strcmp(name, "nan") == 0) {
        return elv_parser_fail(p, offset, "'%s' is not a number that a formula may use", name);
    }
    const char* hint = elv_name_suggest(name, is_function, p->parameters, p->n_parameter);
    if (hint) {
        return elv_parser_fail(p, offset, "unknown %s '%s': did you mean '%s'?", what, name, hint);
    }
    if (is_function) {
        return elv_parser_fail(p, offset, "unknown function '%s'", name);
    }
    return elv_parser_fail(p, offset,
                           "unknown name '%s': a formula may use t, s, pi, e and parameters", name);
}

// t, s and where there is a place x, y, z; ELV_N_OP: no variable
static ElvOp find_variable(const ElvParser* p, const char* name) {
    static const struct {
        const char* name;
        ElvOp op;
    } variable[] = {
        {"t", ELV_OP_T}, {"s", ELV_OP_S}, {"x", ELV_OP_X}, {"y", ELV_OP_Y}, {"z", ELV_OP_Z}};
    for (int i = 0; i < (p->has_place ? 5 : 2); i++) {
        if (strcmp(variable[i].name, name) == 0) {
            return variable[i].op;
        }
    }
    return ELV_N_OP;
}

// a name that is not called: t, s, a parameter or a constant
static bool parse_value_name(ElvParser* p, const char* name, size_t offset) {
    const ElvParameter* parameter = find_parameter(p, name);
    ElvOp variable = find_variable(p, name);
    double value = 0.0;
    if (variable != ELV_N_OP) {
        const char* what = variable == ELV_OP_T ? "time" : "arc length";
        if (parameter) {
            return elv_parser_fail(p, offset, "the parameter '%s' hides the %s %s: rename it", name,
                                   variable >= ELV_OP_X ? "place" : what, name);
        }
        return elv_parser_push(p, offset, variable, 0.0);
    }
    if (parameter) {
        if (!isfinite(parameter->value)) {
            return elv_parser_fail(p, offset, "the parameter '%s' is not finite", name);
        }
        return elv_parser_push(p, offset, ELV_OP_CONSTANT, parameter->value);
    }
    if (elv_name_constant(name, &value)) {
        return elv_parser_push(p, offset, ELV_OP_CONSTANT, value);
    }
    if (elv_name_function(name) != ELV_N_OP) {
        return elv_parser_fail(p, offset, "'%s' is a function: write %s(...)", name, name);
    }
    return fail_unknown(p, offset, name, false);
}

static bool fail_count(ElvParser* p, size_t offset, ElvOp op, int n_given) {
    int n_wanted = elv_op_n_argument(op);
    bool is_open = op == ELV_OP_MIN || op == ELV_OP_MAX;
    return elv_parser_fail(p, offset, "%s takes %d argument%s%s, %d given", elv_op_name(op),
                           n_wanted, n_wanted > 1 ? "s" : "", is_open ? " or more" : "", n_given);
}

// arguments of a function, after its '('
static bool parse_arguments(ElvParser* p, ElvOp op, size_t offset) {
    bool is_open = op == ELV_OP_MIN || op == ELV_OP_MAX;
    int n_given = 0;
    if (p->token.kind == ELV_TOKEN_CLOSE) {
        return fail_count(p, offset, op, 0);
    }
    while (true) {
        if (!elv_parse_expression(p)) {
            return false;
        }
        n_given++;
        // min and max take their arguments two by two
        if (is_open && n_given > 1) {
            elv_code_apply(&p->code, op);
        }
        if (p->token.kind != ELV_TOKEN_COMMA) {
            break;
        }
        elv_parser_advance(p);
    }
    if (p->token.kind != ELV_TOKEN_CLOSE) {
        return elv_parser_expected(p, "an operator, ',' or ')'");
    }
    int n_wanted = elv_op_n_argument(op);
    if (is_open ? n_given < n_wanted : n_given != n_wanted) {
        return fail_count(p, offset, op, n_given);
    }
    if (!is_open) {
        elv_code_apply(&p->code, op);
    }
    elv_parser_advance(p);
    return true;
}

bool elv_parse_name(ElvParser* p) {
    size_t offset = p->token.begin;
    char name[NAME_LENGTH];
    if (p->token.length >= sizeof name) {
        return elv_parser_fail(p, offset, "this name is longer than %d letters", NAME_LENGTH - 1);
    }
    memcpy(name, p->text + offset, p->token.length);
    name[p->token.length] = '\0';
    elv_parser_advance(p);
    if (p->token.kind != ELV_TOKEN_OPEN) {
        return parse_value_name(p, name, offset);
    }

    // a name before '(' is a function, or a product without its sign
    ElvOp op = elv_name_function(name);
    double ignored = 0.0;
    if (op == ELV_N_OP) {
        bool is_value = find_variable(p, name) != ELV_N_OP || elv_name_constant(name, &ignored) ||
                        find_parameter(p, name);
        return is_value ? elv_parser_fail(p, offset,
                                          "'%s' is not a function: write %s*(...) for a product",
                                          name, name)
                        : fail_unknown(p, offset, name, true);
    }
    elv_parser_advance(p);
    return parse_arguments(p, op, offset);
}
