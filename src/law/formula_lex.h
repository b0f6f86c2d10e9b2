// SPDX-License-Identifier: Apache-2.0
// Tokens of formulas.
#ifndef ELVER_LAW_FORMULA_LEX_H
#define ELVER_LAW_FORMULA_LEX_H

#include "law/formula.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    ELV_TOKEN_END,
    ELV_TOKEN_NUMBER,
    ELV_TOKEN_NAME,
    ELV_TOKEN_OPEN,
    ELV_TOKEN_CLOSE,
    ELV_TOKEN_COMMA,
    ELV_TOKEN_PLUS,
    ELV_TOKEN_MINUS,
    ELV_TOKEN_STAR,
    ELV_TOKEN_SLASH,
    ELV_TOKEN_CARET,
    ELV_TOKEN_COMPARE, // op says which
    ELV_TOKEN_AND,
    ELV_TOKEN_OR,
    ELV_TOKEN_NOT,
    ELV_TOKEN_BAD // problem says why
} ElvTokenKind;

typedef struct {
    ElvTokenKind kind;
    size_t begin;        // offset of its first byte in the text
    size_t length;       // in bytes
    double value;        // of a number
    ElvOp op;            // of a comparison
    const char* problem; // of a bad token
} ElvToken;

/// The token at or after offset in a terminated text.
ElvToken elv_formula_token(const char* text, size_t offset);

#ifdef __cplusplus
}
#endif

#endif
