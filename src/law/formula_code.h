// SPDX-License-Identifier: Apache-2.0
// Building of the postfix code of a formula, and lookup of the names that it may use.
#ifndef ELVER_LAW_FORMULA_CODE_H
#define ELVER_LAW_FORMULA_CODE_H

#include "law/formula.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    ElvInstruction* code; // (capacity)
    size_t capacity;
    size_t n_code;
    int depth; // values on the evaluation stack after the code so far
} ElvCode;

/// Append a value (ELV_OP_CONSTANT, ELV_OP_T, ELV_OP_S, ELV_OP_X ...); false when the stack would be too deep.
ELV_NODISCARD bool elv_code_push(ElvCode* code, ElvOp op, double value);

/// Append an operation on the values last pushed; constants are folded.
void elv_code_apply(ElvCode* code, ElvOp op);

/// Function of that name, or ELV_N_OP.
ElvOp elv_name_function(const char* name);

/// Value of a named constant (pi, e); false when there is none.
bool elv_name_constant(const char* name, double* value);

/// Known name nearest to an unknown one, or NULL: functions, and unless function_only constants,
/// variables and parameters.
const char* elv_name_suggest(const char* name,
                             bool function_only,
                             const ElvParameter* parameters,
                             size_t n_parameter);

#ifdef __cplusplus
}
#endif

#endif
