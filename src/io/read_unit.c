// SPDX-License-Identifier: Apache-2.0
// Model files hold SI numbers without units. A number with a unit ("40 cm", "5N", "2 GPa") is found
// here before the formula parser sees it, and answered with the number to write.
#include "io/read_unit.h"

#include "io/number_text.h"

#include <stdio.h>
#include <string.h>

typedef struct {
    const char* name;
    double multiplier; // numerator and divisor are exact, so that 40 cm becomes 0.4
    double divisor;
} Unit;

static const double pi = 3.14159265358979323846;

static bool find_unit(const char* name, Unit* unit) {
    const Unit units[] = {
        {"m", 1, 1},        {"dm", 1, 10},        {"cm", 1, 100},        {"mm", 1, 1e3},
        {"um", 1, 1e6},     {"km", 1e3, 1},       {"in", 0.0254, 1},     {"rad", 1, 1},
        {"deg", pi, 180},   {"degrees", pi, 180}, {"\xC2\xB0", pi, 180}, {"rad/s", 1, 1},
        {"deg/s", pi, 180}, {"rpm", pi, 30},      {"m/s", 1, 1},         {"m/s^2", 1, 1},
        {"kg", 1, 1},       {"g", 1, 1e3},        {"mg", 1, 1e6},        {"kg/m^3", 1, 1},
        {"kg/m3", 1, 1},    {"g/cm^3", 1e3, 1},   {"g/cm3", 1e3, 1},     {"N", 1, 1},
        {"mN", 1, 1e3},     {"kN", 1e3, 1},       {"N/m", 1, 1},         {"Nm", 1, 1},
        {"N m", 1, 1},      {"N*m", 1, 1},        {"Nmm", 1, 1e3},       {"mNm", 1, 1e3},
        {"Pa", 1, 1},       {"kPa", 1e3, 1},      {"MPa", 1e6, 1},       {"GPa", 1e9, 1},
        {"bar", 1e5, 1},    {"s", 1, 1},          {"ms", 1, 1e3},        {"us", 1, 1e6},
        {"min", 60, 1},     {"%", 1, 100},        {"J", 1, 1},           {"W", 1, 1},
        {"kg m^2", 1, 1},   {"kg*m^2", 1, 1},     {"Hz", 1, 1},          {"sec", 1, 1},
        {"seconds", 1, 1},  {"meters", 1, 1},     {"metres", 1, 1},      {"meter", 1, 1},
        {"metre", 1, 1},    {"radians", 1, 1},    {"mm^2", 1, 1e6},      {"cm^2", 1, 1e4},
        {"m^2", 1, 1},      {"mm^4", 1, 1e12},    {"cm^4", 1, 1e8},      {"m^4", 1, 1},
    };
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (strcmp(name, units[i].name) == 0) {
            *unit = units[i];
            return true;
        }
    }
    return false;
}

// whether "3 NAME" is rather a product whose sign is missing
static bool is_variable(const ElvReader* reader, const char* name) {
    for (int i = 0; i < reader->n_parameter; i++) {
        if (strcmp(reader->parameter[i].name, name) == 0) {
            return true;
        }
    }
    return strcmp(name, "s") == 0;
}

bool elv_read_check_unit(ElvReader* reader, const ElvYaml* node, double value, const char* rest) {
    while (*rest == ' ') {
        rest++;
    }
    Unit unit;
    if (!find_unit(rest, &unit)) {
        return true;
    }

    // 15 digits hide the rounding of the conversion
    char number[ELV_NUMBER_TEXT];
    elv_number_print(value * unit.multiplier / unit.divisor, 15, number);
    char product[128] = "";
    if (is_variable(reader, rest)) {
        char factor[ELV_NUMBER_TEXT];
        elv_number_print(value, 17, factor);
        (void)snprintf(product, sizeof product, " (a product is written %s*%.40s)", factor, rest);
    }
    return elv_read_fail(reader, node,
                         "values are SI numbers without a unit: write %s instead of '%.40s'%s",
                         number, node->text, product);
}
