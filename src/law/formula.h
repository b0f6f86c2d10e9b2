// SPDX-License-Identifier: Apache-2.0
// Formulas compiled to postfix code over jets. Every instruction leaves one value on a stack of
// fixed depth, and knows where the code of its own sub-expression begins, so that any
// sub-expression is a contiguous range of instructions that can be evaluated alone.
#ifndef ELVER_LAW_FORMULA_H
#define ELVER_LAW_FORMULA_H

#include "elver/law.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    ELV_FORMULA_LENGTH = 4096, // longest text, in bytes
    ELV_FORMULA_STACK = 64,    // deepest evaluation stack
    ELV_FORMULA_NESTING = 64   // deepest nesting of the parser
};

/// Code, name in formulas ("" for what is written with an operator), number of arguments. min and
/// max take more arguments in a formula and are compiled as a chain of pairs.
#define ELV_OP_LIST(X)                                                                             \
    X(ELV_OP_CONSTANT, "", 0)                                                                      \
    X(ELV_OP_T, "", 0)                                                                             \
    X(ELV_OP_S, "", 0)                                                                             \
    X(ELV_OP_X, "", 0)                                                                             \
    X(ELV_OP_Y, "", 0)                                                                             \
    X(ELV_OP_Z, "", 0)                                                                             \
    X(ELV_OP_NEG, "", 1)                                                                           \
    X(ELV_OP_NOT, "", 1)                                                                           \
    X(ELV_OP_SIN, "sin", 1)                                                                        \
    X(ELV_OP_COS, "cos", 1)                                                                        \
    X(ELV_OP_TAN, "tan", 1)                                                                        \
    X(ELV_OP_ASIN, "asin", 1)                                                                      \
    X(ELV_OP_ACOS, "acos", 1)                                                                      \
    X(ELV_OP_ATAN, "atan", 1)                                                                      \
    X(ELV_OP_SINH, "sinh", 1)                                                                      \
    X(ELV_OP_COSH, "cosh", 1)                                                                      \
    X(ELV_OP_TANH, "tanh", 1)                                                                      \
    X(ELV_OP_EXP, "exp", 1)                                                                        \
    X(ELV_OP_LOG, "log", 1)                                                                        \
    X(ELV_OP_LOG10, "log10", 1)                                                                    \
    X(ELV_OP_SQRT, "sqrt", 1)                                                                      \
    X(ELV_OP_ABS, "abs", 1)                                                                        \
    X(ELV_OP_SIGN, "sign", 1)                                                                      \
    X(ELV_OP_FLOOR, "floor", 1)                                                                    \
    X(ELV_OP_CEIL, "ceil", 1)                                                                      \
    X(ELV_OP_STEP, "step", 1)                                                                      \
    X(ELV_OP_ADD, "", 2)                                                                           \
    X(ELV_OP_SUB, "", 2)                                                                           \
    X(ELV_OP_MUL, "", 2)                                                                           \
    X(ELV_OP_DIV, "", 2)                                                                           \
    X(ELV_OP_LESS, "", 2)                                                                          \
    X(ELV_OP_LESS_EQUAL, "", 2)                                                                    \
    X(ELV_OP_GREATER, "", 2)                                                                       \
    X(ELV_OP_GREATER_EQUAL, "", 2)                                                                 \
    X(ELV_OP_EQUAL, "", 2)                                                                         \
    X(ELV_OP_NOT_EQUAL, "", 2)                                                                     \
    X(ELV_OP_AND, "", 2)                                                                           \
    X(ELV_OP_OR, "", 2)                                                                            \
    X(ELV_OP_POW, "pow", 2)                                                                        \
    X(ELV_OP_ATAN2, "atan2", 2)                                                                    \
    X(ELV_OP_HYPOT, "hypot", 2)                                                                    \
    X(ELV_OP_MOD, "mod", 2)                                                                        \
    X(ELV_OP_MIN, "min", 2)                                                                        \
    X(ELV_OP_MAX, "max", 2)                                                                        \
    X(ELV_OP_IF, "if", 3)                                                                          \
    X(ELV_OP_PULSE, "pulse", 3)                                                                    \
    X(ELV_OP_RAMP, "ramp", 3)                                                                      \
    X(ELV_OP_SMOOTH, "smooth", 3)                                                                  \
    X(ELV_OP_BUMP, "bump", 3)                                                                      \
    X(ELV_OP_TRIANGLE, "triangle", 3)

typedef enum {
#define ELV_OP_ENUM(op, name, n_argument) op,
    ELV_OP_LIST(ELV_OP_ENUM)
#undef ELV_OP_ENUM
        ELV_N_OP
} ElvOp;

typedef struct {
    uint8_t op;         // ElvOp
    uint8_t n_argument; // values taken from the stack
    uint16_t first;     // index of the first instruction of this sub-expression
    double value;       // of ELV_OP_CONSTANT
} ElvInstruction;

typedef struct {
    char* text;           // as it was given
    ElvInstruction* code; // postfix               (n_code)
    size_t n_code;
    bool depends_on_t;
    bool depends_on_s;
    bool uses_place[3]; // x, y, z
} ElvFormula;

/// Name of an operation in formulas, "" when it is written with an operator.
const char* elv_op_name(ElvOp op);
int elv_op_n_argument(ElvOp op);

/// Apply an operation with arguments to x[0], x[1], …
ElvJet elv_op_apply(ElvOp op, const ElvJet* x);

/// Compile text; on failure formula is left empty and error->column is set. has_place: it may use
/// x, y and z.
ELV_NODISCARD ElvStatus elv_formula_init(ElvFormula* formula,
                                         const char* text,
                                         const ElvParameter* parameters,
                                         size_t n_parameter,
                                         bool has_place,
                                         ElvError* error);
ELV_NODISCARD ElvStatus elv_formula_copy(ElvFormula* copy,
                                         const ElvFormula* formula,
                                         ElvError* error);
void elv_formula_clear(ElvFormula* formula);

/// Value of the sub-expression that ends at instruction i_last, for given jets of t and s, at the
/// origin.
ElvJet elv_formula_eval(const ElvFormula* formula, size_t i_last, ElvJet t, ElvJet s);

/// The same at a place (x, y, z).
ElvJet elv_formula_eval_at(
    const ElvFormula* formula, size_t i_last, ElvJet t, ElvJet s, const ElvJet place[3]);

/// Switching points in [lo, hi]; see elv_law_breakpoints.
size_t elv_formula_breakpoints(const ElvFormula* formula,
                               ElvVariable variable,
                               double lo,
                               double hi,
                               double* out,
                               size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
