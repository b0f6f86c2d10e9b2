// SPDX-License-Identifier: Apache-2.0
// Decimal numbers as text, the same whatever the locale of the program.
#ifndef ELVER_BASE_NUMBER_TEXT_H
#define ELVER_BASE_NUMBER_TEXT_H

#include <stddef.h>

/// Room for any number that elv_number_print writes.
enum { ELV_NUMBER_TEXT = 32 };

/// Length of the decimal number at the start of text (sign, digits, point, exponent), 0 when there
/// is none; *value is infinite when it is too large for a double. Words such as nan and inf, and
/// hexadecimal digits, are no numbers.
size_t elv_number_scan(const char* text, double* value);

/// The shortest decimal text that reads back as the same (finite) double; with less than 17 digits,
/// at most that many.
void elv_number_print(double value, int max_digits, char text[ELV_NUMBER_TEXT]);

/// When, for messages: "at t = 0.5", or "just before t = 0" for the double before zero, at which runs
/// that start from an equilibrium look at the laws. Returns text.
const char* elv_time_text(double t, char text[ELV_NUMBER_TEXT]);

#endif
