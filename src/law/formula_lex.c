// SPDX-License-Identifier: Apache-2.0
// Lexer of formulas: decimal numbers (no hexadecimal, no inf, no nan), names, operators. Character
// classes are plain ASCII and numbers ignore the locale, so that a formula means the same anywhere.
#include "law/formula_lex.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_LENGTH = 256 };

// operators, longest first
static const struct {
    const char* text;
    ElvTokenKind kind;
    ElvOp op;
} operators[] = {
    {"**", ELV_TOKEN_CARET, ELV_OP_POW},
    {"<=", ELV_TOKEN_COMPARE, ELV_OP_LESS_EQUAL},
    {">=", ELV_TOKEN_COMPARE, ELV_OP_GREATER_EQUAL},
    {"==", ELV_TOKEN_COMPARE, ELV_OP_EQUAL},
    {"!=", ELV_TOKEN_COMPARE, ELV_OP_NOT_EQUAL},
    {"&&", ELV_TOKEN_AND, ELV_OP_AND},
    {"||", ELV_TOKEN_OR, ELV_OP_OR},
    {"<", ELV_TOKEN_COMPARE, ELV_OP_LESS},
    {">", ELV_TOKEN_COMPARE, ELV_OP_GREATER},
    {"!", ELV_TOKEN_NOT, ELV_OP_NOT},
    {"^", ELV_TOKEN_CARET, ELV_OP_POW},
    {"+", ELV_TOKEN_PLUS, ELV_OP_ADD},
    {"-", ELV_TOKEN_MINUS, ELV_OP_SUB},
    {"*", ELV_TOKEN_STAR, ELV_OP_MUL},
    {"/", ELV_TOKEN_SLASH, ELV_OP_DIV},
    {"(", ELV_TOKEN_OPEN, ELV_OP_CONSTANT},
    {")", ELV_TOKEN_CLOSE, ELV_OP_CONSTANT},
    {",", ELV_TOKEN_COMMA, ELV_OP_CONSTANT},
};

static bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_name_start(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_name_part(char c) {
    return is_name_start(c) || is_digit(c);
}

static void spoil(ElvToken* token, const char* problem) {
    token->kind = ELV_TOKEN_BAD;
    token->problem = problem;
}

// length of an exponent such as e-3 at text, or 0
static size_t exponent_length(const char* text) {
    size_t i = 0;
    if (text[i] != 'e' && text[i] != 'E') {
        return 0;
    }
    i++;
    if (text[i] == '+' || text[i] == '-') {
        i++;
    }
    size_t begin = i;
    while (is_digit(text[i])) {
        i++;
    }
    return i > begin ? i : 0;
}

// 3.14e5 is converted as 314e3: without a point, strtod does not depend on the locale
static void convert_number(ElvToken* token, const char* text, size_t mantissa, size_t exponent) {
    char digits[NUMBER_LENGTH + 32];
    size_t n_digit = 0;
    size_t n_decimal = 0;
    bool after_point = false;
    for (size_t i = 0; i < mantissa; i++) {
        if (text[i] == '.') {
            after_point = true;
        } else {
            digits[n_digit++] = text[i];
            n_decimal += after_point;
        }
    }

    // exponents beyond any double are all alike
    long shift = exponent > 0 ? strtol(text + mantissa + 1, NULL, 10) : 0;
    shift = shift > 100000 ? 100000 : shift;
    shift = shift < -100000 ? -100000 : shift;
    snprintf(digits + n_digit, sizeof digits - n_digit, "e%ld", shift - (long)n_decimal);
    token->value = strtod(digits, NULL);
    if (isinf(token->value)) {
        spoil(token, "this number is too large");
    }
}

static void scan_number(ElvToken* token, const char* text) {
    size_t n_digit = 0;
    size_t n_point = 0;
    while (is_digit(text[n_digit + n_point]) || (text[n_digit + n_point] == '.' && n_point == 0)) {
        if (text[n_digit + n_point] == '.') {
            n_point++;
        } else {
            n_digit++;
        }
    }
    size_t mantissa = n_digit + n_point;
    size_t exponent = n_digit > 0 ? exponent_length(text + mantissa) : 0;
    token->kind = ELV_TOKEN_NUMBER;
    token->length = mantissa + exponent;
    if (n_digit == 0) {
        spoil(token, "expected a digit beside '.'");
    } else if (token->length > NUMBER_LENGTH) {
        spoil(token, "this number has too many digits");
    } else {
        convert_number(token, text, mantissa, exponent);
    }
}

static bool is_word(const char* text, size_t length, const char* word) {
    return strlen(word) == length && strncmp(text, word, length) == 0;
}

static void scan_name(ElvToken* token, const char* text) {
    token->kind = ELV_TOKEN_NAME;
    while (is_name_part(text[token->length])) {
        token->length++;
    }
    if (is_word(text, token->length, "and")) {
        token->kind = ELV_TOKEN_AND;
    } else if (is_word(text, token->length, "or")) {
        token->kind = ELV_TOKEN_OR;
    } else if (is_word(text, token->length, "not")) {
        token->kind = ELV_TOKEN_NOT;
    }
}

static void scan_operator(ElvToken* token, const char* text) {
    for (size_t i = 0; i < sizeof operators / sizeof operators[0]; i++) {
        size_t length = strlen(operators[i].text);
        if (strncmp(text, operators[i].text, length) == 0) {
            token->kind = operators[i].kind;
            token->op = operators[i].op;
            token->length = length;
            return;
        }
    }

    // near misses from other languages get their own remedy
    token->length = 1;
    switch (text[0]) {
    case '=':
        spoil(token, "'=' does not compare: write '=='");
        break;
    case '&':
        spoil(token, "expected 'and' or '&&'");
        break;
    case '|':
        spoil(token, "expected 'or' or '||'; an absolute value is abs(x)");
        break;
    case '%':
        spoil(token, "'%' is not an operator: write mod(a, b)");
        break;
    case ';':
        spoil(token, "arguments are separated by ','");
        break;
    default:
        spoil(token, NULL);
        break;
    }
}

ElvToken elv_formula_token(const char* text, size_t offset) {
    while (is_space(text[offset])) {
        offset++;
    }
    ElvToken token = {0};
    token.begin = offset;
    char c = text[offset];
    if (c == '\0') {
        token.kind = ELV_TOKEN_END;
    } else if (is_digit(c) || c == '.') {
        scan_number(&token, text + offset);
    } else if (is_name_start(c)) {
        scan_name(&token, text + offset);
    } else {
        scan_operator(&token, text + offset);
    }
    return token;
}
