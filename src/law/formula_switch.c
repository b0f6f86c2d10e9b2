// SPDX-License-Identifier: Apache-2.0
// Listing of the switches of a formula, and the affine form slope x + offset of those whose sides
// are built from one variable by sums, and by products and quotients with constants.
#include "law/formula_switch.h"
#include "law/jet.h"

#include <math.h>

typedef struct {
    double slope, offset;
} Affine;

// last instructions of the arguments of instruction i, in order
static void find_arguments(const ElvFormula* formula, size_t i, size_t i_argument[3]) {
    size_t end = i;
    for (size_t k = formula->code[i].n_argument; k-- > 0;) {
        i_argument[k] = end - 1;
        end = formula->code[end - 1].first;
    }
}

// true or false already, with the switches of its own
static bool is_truth(const ElvFormula* formula, size_t i) {
    switch (formula->code[i].op) {
    case ELV_OP_LESS:
    case ELV_OP_LESS_EQUAL:
    case ELV_OP_GREATER:
    case ELV_OP_GREATER_EQUAL:
    case ELV_OP_EQUAL:
    case ELV_OP_NOT_EQUAL:
    case ELV_OP_AND:
    case ELV_OP_OR:
    case ELV_OP_NOT:
        return true;
    default:
        return false;
    }
}

static ElvSwitch new_switch(const ElvFormula* formula, ElvSwitchKind kind, size_t i_left) {
    ElvSwitch sw = {formula, kind, i_left, i_left, i_left, 0.0, 0.0, 0.0};
    return sw;
}

// x against a, b and, when asked, their middle
static size_t edges_of(const ElvFormula* formula, const size_t i[3], size_t n, ElvSwitch* out) {
    static const double weights[3][2] = {{1.0, 0.0}, {0.0, 1.0}, {0.5, 0.5}};
    for (size_t k = 0; k < n; k++) {
        out[k] = new_switch(formula, ELV_SWITCH_SIGN, i[0]);
        out[k].i_a = i[1];
        out[k].i_b = i[2];
        out[k].weight_a = weights[k][0];
        out[k].weight_b = weights[k][1];
    }
    return n;
}

// arguments used as conditions switch where they pass zero
static size_t
conditions_of(const ElvFormula* formula, const size_t* i, size_t n_condition, ElvSwitch* out) {
    size_t n = 0;
    for (size_t k = 0; k < n_condition; k++) {
        if (!is_truth(formula, i[k])) {
            out[n++] = new_switch(formula, ELV_SWITCH_SIGN, i[k]);
        }
    }
    return n;
}

size_t elv_switches_at(const ElvFormula* formula, size_t i, ElvSwitch out[ELV_SWITCH_CAPACITY]) {
    size_t argument[3] = {0, 0, 0};
    find_arguments(formula, i, argument);
    switch (formula->code[i].op) {
    case ELV_OP_ABS:
    case ELV_OP_SIGN:
    case ELV_OP_STEP:
        out[0] = new_switch(formula, ELV_SWITCH_SIGN, argument[0]);
        return 1;
    case ELV_OP_NOT:
    case ELV_OP_IF:
        return conditions_of(formula, argument, 1, out);
    case ELV_OP_AND:
    case ELV_OP_OR:
        return conditions_of(formula, argument, 2, out);
    case ELV_OP_LESS:
    case ELV_OP_LESS_EQUAL:
    case ELV_OP_GREATER:
    case ELV_OP_GREATER_EQUAL:
    case ELV_OP_EQUAL:
    case ELV_OP_NOT_EQUAL:
    case ELV_OP_MIN:
    case ELV_OP_MAX:
        return edges_of(formula, argument, 1, out);
    case ELV_OP_PULSE:
    case ELV_OP_RAMP:
    case ELV_OP_SMOOTH:
        return edges_of(formula, argument, 2, out);
    case ELV_OP_TRIANGLE:
        return edges_of(formula, argument, 3, out);
    case ELV_OP_FLOOR:
    case ELV_OP_CEIL:
        out[0] = new_switch(formula, ELV_SWITCH_LATTICE, argument[0]);
        out[0].weight_1 = 1.0;
        return 1;
    case ELV_OP_MOD:
        out[0] = new_switch(formula, ELV_SWITCH_LATTICE, argument[0]);
        out[0].i_a = argument[1];
        out[0].weight_a = 1.0;
        return 1;
    default:
        return 0;
    }
}

// whether the sub-expression that ends at i_last uses a variable
static bool uses(const ElvFormula* formula, size_t i_last, ElvOp variable) {
    for (size_t i = formula->code[i_last].first; i <= i_last; i++) {
        if (formula->code[i].op == (uint8_t)variable) {
            return true;
        }
    }
    return false;
}

static bool switch_uses(const ElvSwitch* sw, ElvOp variable) {
    return uses(sw->formula, sw->i_left, variable) ||
           (sw->weight_a != 0.0 && uses(sw->formula, sw->i_a, variable)) ||
           (sw->weight_b != 0.0 && uses(sw->formula, sw->i_b, variable));
}

bool elv_switch_depends_only_on(const ElvSwitch* sw, ElvVariable variable) {
    ElvOp wanted = variable == ELV_VARIABLE_T ? ELV_OP_T : ELV_OP_S;
    ElvOp other = variable == ELV_VARIABLE_T ? ELV_OP_S : ELV_OP_T;
    return switch_uses(sw, wanted) && !switch_uses(sw, other) && !switch_uses(sw, ELV_OP_X) &&
           !switch_uses(sw, ELV_OP_Y) && !switch_uses(sw, ELV_OP_Z);
}

static size_t length_of(const ElvFormula* formula, size_t i_last) {
    return i_last - formula->code[i_last].first + 1;
}

size_t elv_switch_cost(const ElvSwitch* sw) {
    return length_of(sw->formula, sw->i_left) +
           (sw->weight_a != 0.0 ? length_of(sw->formula, sw->i_a) : 0) +
           (sw->weight_b != 0.0 ? length_of(sw->formula, sw->i_b) : 0);
}

void elv_switch_eval(
    const ElvSwitch* sw, ElvVariable variable, double x, ElvJet* left, ElvJet* right) {
    // the other variable does not matter
    ElvJet moving = elv_jet(x, 1.0, 0.0);
    ElvJet t = variable == ELV_VARIABLE_T ? moving : elv_jet_constant(0.0);
    ElvJet s = variable == ELV_VARIABLE_S ? moving : elv_jet_constant(0.0);
    *left = elv_formula_eval(sw->formula, sw->i_left, t, s);
    *right = elv_jet_constant(sw->weight_1);
    if (sw->weight_a != 0.0) {
        ElvJet a = elv_formula_eval(sw->formula, sw->i_a, t, s);
        *right = elv_jet_add(*right, elv_jet_scale(sw->weight_a, a));
    }
    if (sw->weight_b != 0.0) {
        ElvJet b = elv_formula_eval(sw->formula, sw->i_b, t, s);
        *right = elv_jet_add(*right, elv_jet_scale(sw->weight_b, b));
    }
}

// one operation on affine forms; false when the result is not affine for sure
static bool apply_affine(ElvOp op, Affine* x, const Affine* y) {
    double scale = 0.0;
    switch (op) {
    case ELV_OP_NEG:
        x->slope = -x->slope;
        x->offset = -x->offset;
        return true;
    case ELV_OP_ADD:
    case ELV_OP_SUB:
        scale = op == ELV_OP_ADD ? 1.0 : -1.0;
        x->slope += scale * y->slope;
        x->offset += scale * y->offset;
        return true;
    case ELV_OP_MUL:
        if (x->slope != 0.0 && y->slope != 0.0) {
            return false;
        }
        x->slope = x->slope * y->offset + x->offset * y->slope;
        x->offset *= y->offset;
        return true;
    case ELV_OP_DIV:
        x->slope /= y->offset;
        x->offset /= y->offset;
        return y->slope == 0.0;
    default:
        return false;
    }
}

// affine form of the sub-expression that ends at i_last; it uses one variable at most
static bool find_affine(const ElvFormula* formula, size_t i_last, Affine* form) {
    Affine stack[ELV_FORMULA_STACK + 1];
    size_t depth = 0;
    stack[0].slope = 0.0;
    stack[0].offset = 0.0;
    for (size_t i = formula->code[i_last].first; i <= i_last; i++) {
        const ElvInstruction* instruction = &formula->code[i];
        if (instruction->n_argument == 0) {
            bool is_constant = instruction->op == ELV_OP_CONSTANT;
            stack[depth].slope = is_constant ? 0.0 : 1.0;
            stack[depth].offset = is_constant ? instruction->value : 0.0;
            depth++;
            continue;
        }
        // constants are folded, so other operations are never affine
        depth -= instruction->n_argument;
        if (!apply_affine((ElvOp)instruction->op, &stack[depth], &stack[depth + 1])) {
            return false;
        }
        depth++;
    }
    *form = stack[0];
    return true;
}

bool elv_switch_affine(const ElvSwitch* sw, double* slope, double* offset) {
    Affine left = {0.0, 0.0};
    Affine a = {0.0, 0.0};
    Affine b = {0.0, 0.0};
    if (!find_affine(sw->formula, sw->i_left, &left) ||
        (sw->weight_a != 0.0 && !find_affine(sw->formula, sw->i_a, &a)) ||
        (sw->weight_b != 0.0 && !find_affine(sw->formula, sw->i_b, &b))) {
        return false;
    }
    Affine right = {sw->weight_a * a.slope + sw->weight_b * b.slope,
                    sw->weight_1 + sw->weight_a * a.offset + sw->weight_b * b.offset};
    bool is_sign = sw->kind == ELV_SWITCH_SIGN;
    if (!apply_affine(is_sign ? ELV_OP_SUB : ELV_OP_DIV, &left, &right)) {
        return false;
    }
    *slope = left.slope;
    *offset = left.offset;
    return isfinite(*slope) && isfinite(*offset);
}
