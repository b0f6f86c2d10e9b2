// SPDX-License-Identifier: Apache-2.0
// Postfix code of formulas: building with constant folding, evaluation on a fixed stack, copy.
// The depth of the stack is checked while the code is built, so evaluation has nothing to check.
#include "law/formula_code.h"
#include "law/jet.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

bool elv_code_push(ElvCode* code, ElvOp op, double value) {
    assert(code->n_code < code->capacity);
    if (code->depth >= ELV_FORMULA_STACK) {
        return false;
    }
    ElvInstruction instruction = {(uint8_t)op, 0, (uint16_t)code->n_code, value};
    code->code[code->n_code++] = instruction;
    code->depth++;
    return true;
}

void elv_code_apply(ElvCode* code, ElvOp op) {
    size_t n_argument = (size_t)elv_op_n_argument(op);
    assert(n_argument >= 1 && n_argument <= 3 && code->depth >= (int)n_argument);
    code->depth -= (int)n_argument - 1;

    // if the last instructions are constants, they are the arguments: fold
    ElvJet x[3] = {{0.0, 0.0, 0.0}};
    size_t n_constant = 0;
    while (n_constant < n_argument) {
        const ElvInstruction* argument = &code->code[code->n_code - 1 - n_constant];
        if (argument->op != ELV_OP_CONSTANT) {
            break;
        }
        x[n_argument - 1 - n_constant] = elv_jet_constant(argument->value);
        n_constant++;
    }
    if (n_constant == n_argument) {
        code->n_code -= n_argument - 1;
        code->code[code->n_code - 1].value = elv_op_apply(op, x).v;
        return;
    }

    // the sub-expression begins where its first argument does
    size_t first = code->n_code;
    for (size_t i = 0; i < n_argument; i++) {
        first = code->code[first - 1].first;
    }
    assert(code->n_code < code->capacity);
    ElvInstruction instruction = {(uint8_t)op, (uint8_t)n_argument, (uint16_t)first, 0.0};
    code->code[code->n_code++] = instruction;
}

ElvJet elv_formula_eval(const ElvFormula* formula, size_t i_last, ElvJet t, ElvJet s) {
    const ElvJet origin[3] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    return elv_formula_eval_at(formula, i_last, t, s, origin);
}

ElvJet elv_formula_eval_at(
    const ElvFormula* formula, size_t i_last, ElvJet t, ElvJet s, const ElvJet place[3]) {
    ElvJet stack[ELV_FORMULA_STACK];
    size_t depth = 0;
    stack[0] = elv_jet_constant(0.0);
    for (size_t i = formula->code[i_last].first; i <= i_last; i++) {
        const ElvInstruction* instruction = &formula->code[i];
        switch (instruction->op) {
        case ELV_OP_CONSTANT:
            stack[depth++] = elv_jet_constant(instruction->value);
            break;
        case ELV_OP_T:
            stack[depth++] = t;
            break;
        case ELV_OP_S:
            stack[depth++] = s;
            break;
        case ELV_OP_X:
        case ELV_OP_Y:
        case ELV_OP_Z:
            stack[depth++] = place[instruction->op - ELV_OP_X];
            break;
        default:
            // arguments are replaced by the result
            depth -= instruction->n_argument;
            stack[depth] = elv_op_apply((ElvOp)instruction->op, &stack[depth]);
            depth++;
            break;
        }
    }
    return stack[0];
}

ElvStatus elv_formula_copy(ElvFormula* copy, const ElvFormula* formula, ElvError* error) {
    *copy = *formula;
    size_t n_text = strlen(formula->text) + 1;
    copy->text = malloc(n_text);
    copy->code = malloc(formula->n_code * sizeof *copy->code);
    if (!copy->text || !copy->code) {
        elv_formula_clear(copy);
        return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "no memory for a formula");
    }
    memcpy(copy->text, formula->text, n_text);
    memcpy(copy->code, formula->code, formula->n_code * sizeof *copy->code);
    return ELV_OK;
}

void elv_formula_clear(ElvFormula* formula) {
    free(formula->text);
    free(formula->code);
    ElvFormula empty = {0};
    *formula = empty;
}
