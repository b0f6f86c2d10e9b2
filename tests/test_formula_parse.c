// SPDX-License-Identifier: Apache-2.0
// Errors of formulas: the column and the words of each, and hostile texts, which must all be
// refused or accepted without harm.
#include "check.h"
#include "elver/law.h"

#include <stdbool.h>
#include <stdlib.h>

static const ElvParameter parameters[] = {
    {"stiffness", 3.0}, {"k", 2.0}, {"huge", (double)INFINITY}, {NULL, 0.0}};

// NULL in words means that the formula must be accepted
static void check_error(const char* text, int column, const char* words) {
    ElvLaw* law = NULL;
    ElvError error;
    memset(&error, 0xFF, sizeof error);
    ElvStatus status = elv_law_formula(text, parameters, 4, &law, &error);
    bool is_right = status == ELV_ERROR_INPUT && error.status == status && law == NULL &&
                    error.column == column && strstr(error.message, words) != NULL;
    if (!is_right) {
        print_error("'%s': status %d, column %d (expected %d): %s (expected %s)\n", text,
                    (int)status, error.column, column, status == ELV_OK ? "" : error.message,
                    words);
    }
    CHECK_TRUE(is_right);
    CHECK_TRUE(elv_law_formula(text, parameters, 4, &law, NULL) == ELV_ERROR_INPUT);
}

static void test_expected_and_found(void** state) {
    (void)state;
    check_error("", 1, "empty");
    check_error("  \t\n ", 1, "empty");
    check_error("1 +", 4, "expected a number, a name or '(', found the end");
    check_error("1 + * 2", 5, "expected a number, a name or '(', found '*'");
    check_error("(1 + 2", 7, "expected an operator or the ')' of column 1, found the end");
    check_error("2 * (1 + t", 11, "the ')' of column 5");
    check_error("1 + 2)", 6, "expected an operator or the end of the formula, found ')'");
    check_error("2 pi", 3, "expected an operator or the end of the formula, found 'pi'");
    check_error("2t", 2, "found 't'");
    check_error("1.2.3", 4, "found '.3'");
    check_error("1e", 2, "found 'e'");
    check_error("0x10", 2, "found 'x10'");
    check_error("1, 2", 2, "found ','");
    check_error("()", 2, "expected a number, a name or '(', found ')'");
    check_error("sin(t", 6, "expected an operator, ',' or ')', found the end");
    check_error("max(t, )", 8, "expected a number, a name or '(', found ')'");
    check_error("t < 1 < 2", 7, "comparisons do not chain");
    check_error("t <", 4, "found the end");
    check_error("t and", 6, "found the end");
    check_error("and t", 1, "found 'and'");
    check_error("1 + not t", 5, "found 'not'");
}

static void test_characters(void** state) {
    (void)state;
    check_error("t = 1", 3, "write '=='");
    check_error("t & 1", 3, "'and'");
    check_error("|t|", 1, "abs(x)");
    check_error("t % 2", 3, "mod(a, b)");
    check_error("max(t; 1)", 6, "separated by ','");
    check_error("t $ 2", 3, "found '$'");
    check_error("2*\xcf\x80*t", 3, "found byte 0xcf");
    check_error("t\x01", 2, "found byte 0x01");
    check_error(".", 1, "digit");
    check_error("t + .e3", 5, "digit");
    check_error("1e999", 1, "too large");
    check_error("1 + 1e99999999999999999999", 5, "too large");
}

static void test_names(void** state) {
    (void)state;
    check_error("1 + stifness", 5, "unknown name 'stifness': did you mean 'stiffness'?");
    check_error("sqr(t)", 1, "unknown function 'sqr': did you mean 'sqrt'?");
    check_error("1 + Sin(t)", 5, "did you mean 'sin'?");
    check_error("T + 1", 1, "did you mean 't'?");
    check_error("PI", 1, "did you mean 'pi'?");
    check_error("ln(t)", 1, "did you mean 'log'?");
    check_error("2 * time", 5, "did you mean 't'?");
    check_error("heaviside(t)", 1, "did you mean 'step'?");
    check_error("x", 1, "a formula may use t, s, pi, e and parameters");
    check_error("azAZ_09", 1, "unknown name 'azAZ_09'");
    check_error("_z", 1, "unknown name '_z'");
    check_error("foo(t)", 1, "unknown function 'foo'");
    check_error("inf", 1, "'inf' is not a number");
    check_error("1 + nan", 5, "'nan' is not a number");
    check_error("2*sin", 3, "'sin' is a function: write sin(...)");
    check_error("k(1 + t)", 1, "write k*(...) for a product");
    check_error("2*t(1)", 3, "'t' is not a function");
    check_error("pi(1)", 1, "'pi' is not a function");
    check_error("huge*t", 1, "'huge' is not finite");
}

static void test_argument_counts(void** state) {
    (void)state;
    check_error("sin()", 1, "sin takes 1 argument, 0 given");
    check_error("1 + sin(t, 2)", 5, "sin takes 1 argument, 2 given");
    check_error("atan2(t)", 1, "atan2 takes 2 arguments, 1 given");
    check_error("if(t, 1)", 1, "if takes 3 arguments, 2 given");
    check_error("ramp(t, 1, 2, 3)", 1, "ramp takes 3 arguments, 4 given");
    check_error("min(t)", 1, "min takes 2 arguments or more, 1 given");
    check_error("max()", 1, "max takes 2 arguments or more, 0 given");
}

static void test_parameters_may_not_hide_variables(void** state) {
    (void)state;
    const ElvParameter hiding[] = {{"t", 1.0}, {"s", 2.0}};
    ElvLaw* law = NULL;
    ElvError error;
    CHECK_TRUE(elv_law_formula("1 + t", hiding, 2, &law, &error) == ELV_ERROR_INPUT);
    CHECK_TRUE(error.column == 5 && strstr(error.message, "hides the time t") != NULL);
    CHECK_TRUE(elv_law_formula("s", hiding, 2, &law, &error) == ELV_ERROR_INPUT);
    CHECK_TRUE(error.column == 1 && strstr(error.message, "hides the arc length s") != NULL);
}

// compile whatever it is; what is accepted must evaluate and free
static ElvStatus try_text(const char* text) {
    ElvLaw* law = NULL;
    ElvError error;
    ElvStatus status = elv_law_formula(text, parameters, 4, &law, &error);
    if (status == ELV_OK) {
        volatile double value = elv_law_value(law, 0.3, 0.7);
        (void)value;
        double out[8];
        CHECK_TRUE(elv_law_breakpoints(law, ELV_VARIABLE_T, 0.0, 1.0, out, 8) < 100000);
    } else {
        CHECK_TRUE(law == NULL && error.message[0] != '\0');
        CHECK_TRUE(error.column >= 1 && error.column <= 4097);
    }
    elv_law_free(law);
    return status;
}

// the piece written n times, then the end
static ElvStatus try_repeated(const char* start, const char* piece, size_t n, const char* end) {
    size_t n_piece = strlen(piece);
    char* text = calloc(strlen(start) + n * n_piece + strlen(end) + 1, 1);
    CHECK_TRUE(text != NULL);
    strcpy(text, start);
    size_t at = strlen(start);
    for (size_t i = 0; i < n; i++) {
        memcpy(text + at, piece, n_piece);
        at += n_piece;
    }
    strcpy(text + at, end);
    ElvStatus status = try_text(text);
    free(text);
    return status;
}

static void test_deep_and_long(void** state) {
    (void)state;
    static const char* const pieces[] = {
        "(",   "-",     "+",   "!",      "not ", "sin(", "2^",   "2**-", "max(t,", "if(t,t,",
        "t+(", "if(t,", "t<(", "(((-((", "t*-",  "1,",   "))))", "if(",  "t^-"};
    static const size_t counts[] = {1, 10, 63, 64, 65, 200, 600, 10000};
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
        for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
            CHECK_TRUE(try_repeated("", pieces[i], counts[k], "") == ELV_ERROR_INPUT);
            ElvStatus status = try_repeated("", pieces[i], counts[k], "t");
            CHECK_TRUE(counts[k] < 10000 || status == ELV_ERROR_INPUT);
        }
    }

    // long but flat is fine, up to the limit of the text
    CHECK_TRUE(try_repeated("t", "+t", 2047, "") == ELV_OK);
    CHECK_TRUE(try_repeated("t", "+t", 2047, " ") == ELV_OK);
    CHECK_TRUE(try_repeated("t", "+t", 2047, "  ") == ELV_ERROR_INPUT);
    CHECK_TRUE(try_repeated("max(t", ",s", 2000, ")") == ELV_OK);
    CHECK_TRUE(try_repeated("max(t*t", ",t*t", 1000, ")") == ELV_OK);

    // deep in values rather than in levels
    check_error("if(t,t,if(t,t,if(t,t,if(t,t,if(t,t,if(t,t,if(t,t,if(t,t,if(t,t,if(t,t,if(t,t,"
                "if(t,t,if(t,t,if(t,t,if(t,t,if(t,t,if(t,t,if(t,t,if(t,t,if(t,t,if(t,t,if(t,t,"
                "if(t,t,if(t,t,if(t,t,if(t,t,if(t,t,if(t,t,if(t,t,if(t,t,if(t,t,if(t,t,t",
                225, "more than 64 values at once");
}

static void test_nesting_limits(void** state) {
    (void)state;
    char text[1024] = "";
    for (int depth = 1; depth <= 100; depth++) {
        size_t n = (size_t)depth;
        memset(text, '(', n);
        text[n] = 't';
        memset(text + n + 1, ')', n);
        text[2 * n + 1] = '\0';
        // the parser may nest 64 levels, the outermost being one
        CHECK_TRUE((try_text(text) == ELV_OK) == (depth <= 63));
    }
}

static void test_single_bytes(void** state) {
    (void)state;
    for (int c = 1; c < 256; c++) {
        char text[4] = {(char)c, '\0', '\0', '\0'};
        bool is_value = (c >= '0' && c <= '9') || c == 't' || c == 's' || c == 'e' || c == 'k';
        CHECK_TRUE((try_text(text) == ELV_OK) == is_value);
        for (int d = 1; d < 256; d++) {
            text[1] = (char)d;
            (void)try_text(text);
        }
    }
}

static void test_truncations_and_mutations(void** state) {
    (void)state;
    const char* whole = "if(t < 1.5e-1 and not s >= 0.25, ramp(t, 0, k)^2*sin(2*pi*t), "
                        "max(1, -stiffness*t, mod(t, 0.3))) + smooth(t, .1, .2)";
    CHECK_TRUE(try_text(whole) == ELV_OK);
    char text[256];
    size_t n = strlen(whole);
    for (size_t i = 0; i < n; i++) {
        memcpy(text, whole, i);
        text[i] = '\0';
        (void)try_text(text);
    }

    // seeded random damage: replaced, removed and repeated bytes
    static const char letters[] = "()+-*/^,.<>=!&|0123456789etsk in\x80";
    CheckRandom random = check_random(3);
    for (int trial = 0; trial < 3000; trial++) {
        strcpy(text, whole);
        for (int k = 0; k < 1 + trial % 4; k++) {
            size_t length = strlen(text);
            size_t i = (size_t)check_integer(&random, (int)length);
            if (check_integer(&random, 3) == 0) {
                memmove(text + i, text + i + 1, length - i);
            } else {
                text[i] = letters[check_integer(&random, (int)sizeof letters - 1)];
            }
        }
        (void)try_text(text);
    }
}

static void test_long_names_and_numbers(void** state) {
    (void)state;
    CHECK_TRUE(try_repeated("", "a", 63, "") == ELV_ERROR_INPUT);
    CHECK_TRUE(try_repeated("", "a", 3000, "") == ELV_ERROR_INPUT);
    CHECK_TRUE(try_repeated("", "a", 3000, "(t)") == ELV_ERROR_INPUT);
    CHECK_TRUE(try_repeated("0.", "3", 250, "") == ELV_OK);
    CHECK_TRUE(try_repeated("0.", "3", 3000, "") == ELV_ERROR_INPUT);
    CHECK_TRUE(try_repeated("1e", "0", 200, "1") == ELV_OK);
    CHECK_TRUE(try_repeated("1e-", "9", 200, "") == ELV_OK);
    CHECK_TRUE(try_repeated("", "9", 256, "") == ELV_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_expected_and_found),
        cmocka_unit_test(test_characters),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_argument_counts),
        cmocka_unit_test(test_parameters_may_not_hide_variables),
        cmocka_unit_test(test_deep_and_long),
        cmocka_unit_test(test_nesting_limits),
        cmocka_unit_test(test_single_bytes),
        cmocka_unit_test(test_truncations_and_mutations),
        cmocka_unit_test(test_long_names_and_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
