// SPDX-License-Identifier: Apache-2.0
// The operations of formulas: names, numbers of arguments, and their action on jets.
#include "law/formula.h"
#include "law/jet.h"

#include <assert.h>

static const char* const op_names[] = {
#define OP_NAME(op, name, n_argument) name,
    ELV_OP_LIST(OP_NAME)
#undef OP_NAME
};

static const int op_n_arguments[] = {
#define OP_N_ARGUMENT(op, name, n_argument) n_argument,
    ELV_OP_LIST(OP_N_ARGUMENT)
#undef OP_N_ARGUMENT
};

const char* elv_op_name(ElvOp op) {
    return op_names[op];
}

int elv_op_n_argument(ElvOp op) {
    return op_n_arguments[op];
}

static ElvJet truth(int is_true) {
    return elv_jet_constant(is_true ? 1.0 : 0.0);
}

static ElvJet apply_one(ElvOp op, ElvJet x) {
    switch (op) {
    case ELV_OP_NEG:
        return elv_jet_neg(x);
    case ELV_OP_NOT:
        return elv_jet_not(x);
    case ELV_OP_SIN:
        return elv_jet_sin(x);
    case ELV_OP_COS:
        return elv_jet_cos(x);
    case ELV_OP_TAN:
        return elv_jet_tan(x);
    case ELV_OP_ASIN:
        return elv_jet_asin(x);
    case ELV_OP_ACOS:
        return elv_jet_acos(x);
    case ELV_OP_ATAN:
        return elv_jet_atan(x);
    case ELV_OP_SINH:
        return elv_jet_sinh(x);
    case ELV_OP_COSH:
        return elv_jet_cosh(x);
    case ELV_OP_TANH:
        return elv_jet_tanh(x);
    case ELV_OP_EXP:
        return elv_jet_exp(x);
    case ELV_OP_LOG:
        return elv_jet_log(x);
    case ELV_OP_LOG10:
        return elv_jet_log10(x);
    case ELV_OP_SQRT:
        return elv_jet_sqrt(x);
    case ELV_OP_ABS:
        return elv_jet_abs(x);
    case ELV_OP_SIGN:
        return elv_jet_sign(x);
    case ELV_OP_FLOOR:
        return elv_jet_floor(x);
    case ELV_OP_CEIL:
        return elv_jet_ceil(x);
    default:
        assert(op == ELV_OP_STEP);
        return elv_jet_step(x);
    }
}

static ElvJet apply_two(ElvOp op, ElvJet x, ElvJet y) {
    switch (op) {
    case ELV_OP_ADD:
        return elv_jet_add(x, y);
    case ELV_OP_SUB:
        return elv_jet_sub(x, y);
    case ELV_OP_MUL:
        return elv_jet_mul(x, y);
    case ELV_OP_DIV:
        return elv_jet_div(x, y);
    case ELV_OP_LESS:
        return truth(x.v < y.v);
    case ELV_OP_LESS_EQUAL:
        return truth(x.v <= y.v);
    case ELV_OP_GREATER:
        return truth(x.v > y.v);
    case ELV_OP_GREATER_EQUAL:
        return truth(x.v >= y.v);
    case ELV_OP_EQUAL:
        return truth(x.v == y.v);
    case ELV_OP_NOT_EQUAL:
        return truth(x.v != y.v);
    case ELV_OP_AND:
        return elv_jet_and(x, y);
    case ELV_OP_OR:
        return elv_jet_or(x, y);
    case ELV_OP_POW:
        return elv_jet_pow(x, y);
    case ELV_OP_ATAN2:
        return elv_jet_atan2(x, y);
    case ELV_OP_HYPOT:
        return elv_jet_hypot(x, y);
    case ELV_OP_MOD:
        return elv_jet_mod(x, y);
    case ELV_OP_MIN:
        return elv_jet_min(x, y);
    default:
        assert(op == ELV_OP_MAX);
        return elv_jet_max(x, y);
    }
}

static ElvJet apply_three(ElvOp op, ElvJet x, ElvJet y, ElvJet z) {
    switch (op) {
    case ELV_OP_IF:
        return elv_jet_if(x, y, z);
    case ELV_OP_PULSE:
        return elv_jet_pulse(x, y, z);
    case ELV_OP_RAMP:
        return elv_jet_ramp(x, y, z);
    case ELV_OP_SMOOTH:
        return elv_jet_smooth(x, y, z);
    case ELV_OP_BUMP:
        return elv_jet_bump(x, y, z);
    default:
        assert(op == ELV_OP_TRIANGLE);
        return elv_jet_triangle(x, y, z);
    }
}

ElvJet elv_op_apply(ElvOp op, const ElvJet* x) {
    switch (op_n_arguments[op]) {
    case 1:
        return apply_one(op, x[0]);
    case 2:
        return apply_two(op, x[0], x[1]);
    default:
        assert(op_n_arguments[op] == 3);
        return apply_three(op, x[0], x[1], x[2]);
    }
}
