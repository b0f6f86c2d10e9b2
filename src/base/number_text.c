// SPDX-License-Identifier: Apache-2.0
// Decimal numbers as text. strtod and printf write the decimal separator of the locale, which the
// program around the library may have set; here it is a point always.
#include "base/number_text.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DIGITS = 400 };

static size_t count_digits(const char* text) {
    size_t n = 0;
    while (text[n] >= '0' && text[n] <= '9') {
        n++;
    }
    return n;
}

// length by the grammar [+-] (digits [. digits] | . digits) [e [+-] digits]
static size_t scan_length(const char* text) {
    size_t at = text[0] == '+' || text[0] == '-' ? 1 : 0;
    size_t whole = count_digits(text + at);
    at += whole;
    size_t fraction = 0;
    if (text[at] == '.') {
        fraction = count_digits(text + at + 1);
        at += whole + fraction > 0 ? 1 + fraction : 0;
    }
    if (whole + fraction == 0) {
        return 0;
    }
    if (text[at] == 'e' || text[at] == 'E') {
        size_t sign = text[at + 1] == '+' || text[at + 1] == '-' ? 1 : 0;
        size_t digits = count_digits(text + at + 1 + sign);
        at += digits > 0 ? 1 + sign + digits : 0;
    }
    return at;
}

size_t elv_number_scan(const char* text, double* value) {
    size_t length = scan_length(text);
    char copy[MAX_DIGITS];
    if (length == 0 || length >= sizeof copy) {
        return 0;
    }
    memcpy(copy, text, length);
    copy[length] = '\0';
    char* point = strchr(copy, '.');
    if (point) {
        *point = localeconv()->decimal_point[0];
    }
    *value = strtod(copy, NULL);
    return length;
}

// value with that many digits; whole numbers below a million are written out
static void print_digits(double value, int digits, char text[ELV_NUMBER_TEXT]) {
    bool is_whole = value == floor(value) && fabs(value) < 1e6;
    (void)snprintf(text, ELV_NUMBER_TEXT, "%.*g", is_whole && digits < 6 ? 6 : digits, value);
    char* point = strchr(text, localeconv()->decimal_point[0]);
    if (point) {
        *point = '.';
    }
}

// 1e+06 and 1e-06 become 1e6 and 1e-6
static void shorten_exponent(char* text) {
    char* to = strchr(text, 'e');
    if (!to) {
        return;
    }
    const char* from = to + 1;
    to++;
    if (*from == '-') {
        to++;
    }
    from++;
    while (*from == '0' && from[1] != '\0') {
        from++;
    }
    memmove(to, from, strlen(from) + 1);
}

void elv_number_print(double value, int max_digits, char text[ELV_NUMBER_TEXT]) {
    for (int digits = 1; digits <= max_digits; digits++) {
        print_digits(value, digits, text);
        double back = 0.0;
        if (elv_number_scan(text, &back) > 0 && back == value) {
            break;
        }
    }
    shorten_exponent(text);
}

const char* elv_time_text(double t, char text[ELV_NUMBER_TEXT]) {
    if (t < 0.0 && t > -DBL_MIN) {
        (void)snprintf(text, ELV_NUMBER_TEXT, "just before t = 0");
    } else {
        (void)snprintf(text, ELV_NUMBER_TEXT, "at t = %.9g", t);
    }
    return text;
}
