// SPDX-License-Identifier: Apache-2.0
// State of the formula compiler, shared by its levels (formula_parse.c) and its names
// (formula_parse_name.c). Parsing functions return false once an error is set.
#ifndef ELVER_LAW_FORMULA_PARSE_H
#define ELVER_LAW_FORMULA_PARSE_H

#include "law/formula_code.h"
#include "law/formula_lex.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const char* text;
    const ElvParameter* parameters;
    size_t n_parameter;
    bool has_place; // x, y and z are variables
    ElvToken token; // the one to be read next
    int nesting;
    ElvCode code;
    ElvStatus status;
    ElvError* error;
} ElvParser;

/// Set the error at a byte of the text; always false.
bool elv_parser_fail(ElvParser* p, size_t offset, const char* format, ...) ELV_PRINTF(3, 4);

/// Error at the next token: its own problem if it has one, else "expected …, found …".
bool elv_parser_expected(ElvParser* p, const char* expected);

/// Go to the next token.
void elv_parser_advance(ElvParser* p);

/// Emit a value that stands at a byte of the text.
bool elv_parser_push(ElvParser* p, size_t offset, ElvOp op, double value);

/// A whole expression, from its weakest operator.
bool elv_parse_expression(ElvParser* p);

/// A variable, parameter, constant or function call; the next token is its name.
bool elv_parse_name(ElvParser* p);

#ifdef __cplusplus
}
#endif

#endif
