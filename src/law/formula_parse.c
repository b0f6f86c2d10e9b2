// SPDX-License-Identifier: Apache-2.0
// Recursive-descent compiler of formulas. One function per level, weakest binding first:
//   expression := both ('or' both)*         both := negation ('and' negation)*
//   negation := 'not' negation | relation   relation := sum [compare sum]
//   sum := product (('+'|'-') product)*     product := signed (('*'|'/') signed)*
//   signed := ('-'|'+') signed | power      power := atom ['^' signed]
//   atom := number | name | function '(' expression (',' expression)* ')' | '(' expression ')'
// Every function returns false once an error is set; nesting is counted so that no text can
// exhaust the C stack.
#include "law/formula_parse.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_LENGTH = 64, SHOWN_LENGTH = NAME_LENGTH + 8 };

static bool parse_signed(ElvParser* p);

// set the error at a byte of the text; always false
bool elv_parser_fail(ElvParser* p, size_t offset, const char* format, ...) {
    char message[ELV_SIZE_MESSAGE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    p->status = elv_error_set(p->error, ELV_ERROR_INPUT, "", "", "%s", message);
    if (p->error) {
        p->error->column = (int)offset + 1;
    }
    return false;
}

// text of a token for a message, cut when long
static void show(const ElvParser* p, const ElvToken* token, char shown[SHOWN_LENGTH]) {
    unsigned char c = (unsigned char)p->text[token->begin];
    int length = token->length < NAME_LENGTH ? (int)token->length : NAME_LENGTH;
    if (token->kind == ELV_TOKEN_END) {
        snprintf(shown, SHOWN_LENGTH, "the end");
    } else if (c < 0x20 || c > 0x7e) {
        snprintf(shown, SHOWN_LENGTH, "byte 0x%02x", c);
    } else {
        snprintf(shown, SHOWN_LENGTH, "'%.*s'", length, p->text + token->begin);
    }
}

// a token that does not fit: its own problem if it has one, else what was expected
bool elv_parser_expected(ElvParser* p, const char* expected) {
    if (p->token.kind == ELV_TOKEN_BAD && p->token.problem) {
        return elv_parser_fail(p, p->token.begin, "%s", p->token.problem);
    }
    char shown[SHOWN_LENGTH];
    show(p, &p->token, shown);
    return elv_parser_fail(p, p->token.begin, "expected %s, found %s", expected, shown);
}

void elv_parser_advance(ElvParser* p) {
    p->token = elv_formula_token(p->text, p->token.begin + p->token.length);
}

static bool enter(ElvParser* p) {
    if (++p->nesting > ELV_FORMULA_NESTING) {
        return elv_parser_fail(p, p->token.begin, "the formula is nested deeper than %d levels",
                               ELV_FORMULA_NESTING);
    }
    return true;
}

bool elv_parser_push(ElvParser* p, size_t offset, ElvOp op, double value) {
    if (!elv_code_push(&p->code, op, value)) {
        return elv_parser_fail(p, offset, "the formula holds more than %d values at once",
                               ELV_FORMULA_STACK);
    }
    return true;
}

static bool parse_group(ElvParser* p) {
    size_t open = p->token.begin;
    elv_parser_advance(p);
    if (!elv_parse_expression(p)) {
        return false;
    }
    if (p->token.kind != ELV_TOKEN_CLOSE) {
        char expected[64];
        snprintf(expected, sizeof expected, "an operator or the ')' of column %d", (int)open + 1);
        return elv_parser_expected(p, expected);
    }
    elv_parser_advance(p);
    return true;
}

static bool parse_atom(ElvParser* p) {
    size_t offset = p->token.begin;
    double value = p->token.value;
    switch (p->token.kind) {
    case ELV_TOKEN_NUMBER:
        elv_parser_advance(p);
        return elv_parser_push(p, offset, ELV_OP_CONSTANT, value);
    case ELV_TOKEN_NAME:
        return elv_parse_name(p);
    case ELV_TOKEN_OPEN:
        return parse_group(p);
    default:
        return elv_parser_expected(p, "a number, a name or '('");
    }
}

static bool parse_power(ElvParser* p) {
    if (!parse_atom(p)) {
        return false;
    }
    if (p->token.kind != ELV_TOKEN_CARET) {
        return true;
    }
    // the exponent may have a sign and is itself a power: right to left
    elv_parser_advance(p);
    if (!parse_signed(p)) {
        return false;
    }
    elv_code_apply(&p->code, ELV_OP_POW);
    return true;
}

static bool parse_signed(ElvParser* p) {
    if (!enter(p)) {
        return false;
    }
    bool is_minus = p->token.kind == ELV_TOKEN_MINUS;
    bool is_ok = false;
    if (is_minus || p->token.kind == ELV_TOKEN_PLUS) {
        elv_parser_advance(p);
        is_ok = parse_signed(p);
    } else {
        is_ok = parse_power(p);
    }
    p->nesting--;
    if (is_ok && is_minus) {
        elv_code_apply(&p->code, ELV_OP_NEG);
    }
    return is_ok;
}

static bool parse_product(ElvParser* p) {
    if (!parse_signed(p)) {
        return false;
    }
    while (p->token.kind == ELV_TOKEN_STAR || p->token.kind == ELV_TOKEN_SLASH) {
        ElvOp op = p->token.kind == ELV_TOKEN_STAR ? ELV_OP_MUL : ELV_OP_DIV;
        elv_parser_advance(p);
        if (!parse_signed(p)) {
            return false;
        }
        elv_code_apply(&p->code, op);
    }
    return true;
}

static bool parse_sum(ElvParser* p) {
    if (!parse_product(p)) {
        return false;
    }
    while (p->token.kind == ELV_TOKEN_PLUS || p->token.kind == ELV_TOKEN_MINUS) {
        ElvOp op = p->token.kind == ELV_TOKEN_PLUS ? ELV_OP_ADD : ELV_OP_SUB;
        elv_parser_advance(p);
        if (!parse_product(p)) {
            return false;
        }
        elv_code_apply(&p->code, op);
    }
    return true;
}

static bool parse_relation(ElvParser* p) {
    if (!parse_sum(p)) {
        return false;
    }
    if (p->token.kind != ELV_TOKEN_COMPARE) {
        return true;
    }
    ElvOp op = p->token.op;
    elv_parser_advance(p);
    if (!parse_sum(p)) {
        return false;
    }
    elv_code_apply(&p->code, op);
    if (p->token.kind == ELV_TOKEN_COMPARE) {
        return elv_parser_fail(p, p->token.begin,
                               "comparisons do not chain: write a < b and b < c");
    }
    return true;
}

static bool parse_negation(ElvParser* p) {
    if (p->token.kind != ELV_TOKEN_NOT) {
        return parse_relation(p);
    }
    if (!enter(p)) {
        return false;
    }
    elv_parser_advance(p);
    if (!parse_negation(p)) {
        return false;
    }
    p->nesting--;
    elv_code_apply(&p->code, ELV_OP_NOT);
    return true;
}

static bool parse_both(ElvParser* p) {
    if (!parse_negation(p)) {
        return false;
    }
    while (p->token.kind == ELV_TOKEN_AND) {
        elv_parser_advance(p);
        if (!parse_negation(p)) {
            return false;
        }
        elv_code_apply(&p->code, ELV_OP_AND);
    }
    return true;
}

bool elv_parse_expression(ElvParser* p) {
    if (!parse_both(p)) {
        return false;
    }
    while (p->token.kind == ELV_TOKEN_OR) {
        elv_parser_advance(p);
        if (!parse_both(p)) {
            return false;
        }
        elv_code_apply(&p->code, ELV_OP_OR);
    }
    return true;
}

static bool parse_formula(ElvParser* p) {
    p->token = elv_formula_token(p->text, 0);
    if (p->token.kind == ELV_TOKEN_END) {
        return elv_parser_fail(p, 0, "the formula is empty");
    }
    if (!elv_parse_expression(p)) {
        return false;
    }
    if (p->token.kind != ELV_TOKEN_END) {
        return elv_parser_expected(p, "an operator or the end of the formula");
    }
    return true;
}

// note the variables, and give back the memory that the code does not need
static void finish(ElvFormula* formula, const ElvCode* code) {
    formula->n_code = code->n_code;
    for (size_t i = 0; i < formula->n_code; i++) {
        formula->depends_on_t |= formula->code[i].op == ELV_OP_T;
        formula->depends_on_s |= formula->code[i].op == ELV_OP_S;
        for (int k = 0; k < 3; k++) {
            formula->uses_place[k] |= formula->code[i].op == (uint8_t)(ELV_OP_X + k);
        }
    }
    assert(formula->n_code > 0);
    ElvInstruction* shorter = realloc(formula->code, formula->n_code * sizeof *formula->code);
    formula->code = shorter ? shorter : formula->code;
}

ElvStatus elv_formula_init(ElvFormula* formula,
                           const char* text,
                           const ElvParameter* parameters,
                           size_t n_parameter,
                           bool has_place,
                           ElvError* error) {
    ElvFormula empty = {0};
    *formula = empty;
    ElvParser p = {0};
    p.text = text;
    p.parameters = parameters;
    p.n_parameter = n_parameter;
    p.has_place = has_place;
    p.error = error;
    const char* end = memchr(text, '\0', ELV_FORMULA_LENGTH + 1);
    if (!end) {
        elv_parser_fail(&p, ELV_FORMULA_LENGTH, "the formula is longer than %d bytes",
                        ELV_FORMULA_LENGTH);
        return p.status;
    }

    // no byte makes more than one instruction
    size_t n_text = (size_t)(end - text) + 1;
    formula->text = malloc(n_text);
    formula->code = calloc(n_text, sizeof *formula->code);
    if (!formula->text || !formula->code) {
        elv_formula_clear(formula);
        return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "no memory for a formula");
    }
    memcpy(formula->text, text, n_text);
    p.code.code = formula->code;
    p.code.capacity = n_text;
    if (!parse_formula(&p)) {
        elv_formula_clear(formula);
        return p.status;
    }
    finish(formula, &p.code);
    return ELV_OK;
}
