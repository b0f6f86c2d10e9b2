// SPDX-License-Identifier: Apache-2.0
// Model files hold SI numbers without units. A number with a unit ("40 cm", "5N", "2 GPa") is found
// here before the formula parser sees it, and answered with the number to write, if the key can have
// that kind of quantity; so are decimal commas and products without their sign.
#include "io/read_unit.h"

#include "base/number_text.h"

#include <stdio.h>
#include <string.h>

// kinds of quantities, as bits
enum {
    LENGTH = 1 << 0,
    ANGLE = 1 << 1,
    MASS = 1 << 2,
    TIME = 1 << 3,
    FORCE = 1 << 4,
    MOMENT = 1 << 5,
    PRESSURE = 1 << 6,
    DENSITY = 1 << 7,
    SPEED = 1 << 8,
    TURN = 1 << 9, // angular speed
    ACCELERATION = 1 << 10,
    SPRING = 1 << 11, // force per length
    INERTIA = 1 << 12,
    AREA = 1 << 13,
    AREA_2 = 1 << 14, // second moment of area
    OTHER = 1 << 15,
    ANY = 0xFFFF
};

typedef struct {
    const char* name;
    double multiplier; // numerator and divisor are exact, so that 40 cm becomes 0.4
    double divisor;
    int kind;
} Unit;

static const Unit units[] = {
    {"m", 1, 1, LENGTH},
    {"dm", 1, 10, LENGTH},
    {"cm", 1, 100, LENGTH},
    {"mm", 1, 1e3, LENGTH},
    {"um", 1, 1e6, LENGTH},
    {"km", 1e3, 1, LENGTH},
    {"in", 0.0254, 1, LENGTH},
    {"meters", 1, 1, LENGTH},
    {"metres", 1, 1, LENGTH},
    {"meter", 1, 1, LENGTH},
    {"metre", 1, 1, LENGTH},
    {"rad", 1, 1, ANGLE},
    {"radians", 1, 1, ANGLE},
    {"deg", 3.14159265358979323846, 180, ANGLE},
    {"degrees", 3.14159265358979323846, 180, ANGLE},
    {"\xC2\xB0", 3.14159265358979323846, 180, ANGLE},
    {"rad/s", 1, 1, TURN},
    {"deg/s", 3.14159265358979323846, 180, TURN},
    {"rpm", 3.14159265358979323846, 30, TURN},
    {"m/s", 1, 1, SPEED},
    {"m/s^2", 1, 1, ACCELERATION},
    {"kg", 1, 1, MASS},
    {"g", 1, 1e3, MASS},
    {"mg", 1, 1e6, MASS},
    {"kg/m^3", 1, 1, DENSITY},
    {"kg/m3", 1, 1, DENSITY},
    {"g/cm^3", 1e3, 1, DENSITY},
    {"g/cm3", 1e3, 1, DENSITY},
    {"N", 1, 1, FORCE},
    {"mN", 1, 1e3, FORCE},
    {"kN", 1e3, 1, FORCE},
    {"N/m", 1, 1, SPRING},
    {"Nm", 1, 1, MOMENT},
    {"N m", 1, 1, MOMENT},
    {"N*m", 1, 1, MOMENT},
    {"Nmm", 1, 1e3, MOMENT},
    {"mNm", 1, 1e3, MOMENT},
    {"Pa", 1, 1, PRESSURE},
    {"kPa", 1e3, 1, PRESSURE},
    {"MPa", 1e6, 1, PRESSURE},
    {"GPa", 1e9, 1, PRESSURE},
    {"bar", 1e5, 1, PRESSURE},
    {"s", 1, 1, TIME},
    {"ms", 1, 1e3, TIME},
    {"us", 1, 1e6, TIME},
    {"min", 60, 1, TIME},
    {"sec", 1, 1, TIME},
    {"seconds", 1, 1, TIME},
    {"kg m^2", 1, 1, INERTIA},
    {"kg*m^2", 1, 1, INERTIA},
    {"mm^2", 1, 1e6, AREA},
    {"cm^2", 1, 1e4, AREA},
    {"m^2", 1, 1, AREA},
    {"mm^4", 1, 1e12, AREA_2},
    {"cm^4", 1, 1e8, AREA_2},
    {"m^4", 1, 1, AREA_2},
    {"%", 1, 100, OTHER},
    {"J", 1, 1, OTHER},
    {"W", 1, 1, OTHER},
    {"Hz", 1, 1, OTHER},
};

static bool find_unit(const char* name, Unit* unit) {
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (strcmp(name, units[i].name) == 0) {
            *unit = units[i];
            return true;
        }
    }
    return false;
}

// ---- what a key can be

typedef struct {
    const char* key;
    int kinds;
    const char* unit; // in which it is written, or NULL when there are several
} KeyKind;

static const KeyKind keys[] = {
    {"mass", MASS, "kg"},
    {"density", DENSITY, "kg/m^3"},
    {"length", LENGTH, "m"},
    {"diameter", LENGTH, "m"},
    {"radius", LENGTH, "m"},
    {"outer", LENGTH, "m"},
    {"inner", LENGTH, "m"},
    {"width", LENGTH, "m"},
    {"height", LENGTH, "m"},
    {"size", LENGTH, "m"},
    {"radii", LENGTH, "m"},
    {"center", LENGTH, "m"},
    {"xyz", LENGTH, "m"},
    {"rpy", ANGLE, "rad"},
    {"young", PRESSURE, "Pa"},
    {"shear", PRESSURE, "Pa"},
    {"duration", TIME, "s"},
    {"step", TIME, "s"},
    {"every", TIME, "s"},
    {"gravity", ACCELERATION, "m/s^2"},
    {"torque", MOMENT, "N m"},
    {"force", FORCE | MOMENT | SPRING, NULL},
    {"wrench", FORCE | MOMENT, NULL},
    {"position", LENGTH | ANGLE, NULL},
    {"rest", LENGTH | ANGLE, NULL},
    {"motion", LENGTH | ANGLE, NULL},
    {"velocity", SPEED | TURN, NULL},
    {"stiffness", SPRING | MOMENT, NULL},
    {"inertia", INERTIA, NULL},
    {"rotor_inertia", INERTIA | MASS, NULL},
    {"damping", TIME, NULL},
    {"friction", FORCE | MOMENT, NULL},
    {"friction_speed", SPEED | TURN, NULL},
    {"lower", LENGTH | ANGLE, NULL},
    {"upper", LENGTH | ANGLE, NULL},
    {"stop_stiffness", SPRING | MOMENT, NULL},
    {"stop_width", LENGTH | ANGLE, NULL},
    {"target", LENGTH | ANGLE, NULL},
    {"max_effort", FORCE | MOMENT, NULL},
    {"area", AREA, "m^2"},
    {"point", LENGTH, "m"},
    {"tension", FORCE, "N"},
    {"pull", LENGTH, "m"},
    {"slack", LENGTH, "m"},
    {"phase", ANGLE, "rad"},
    {"phase_lag", ANGLE, "rad"},
    {"pressure", PRESSURE, "Pa"},
    {"angular", TURN, "rad/s"},
    {"linear", SPEED, "m/s"},
    {"penalty", SPRING | MOMENT, NULL},
    {"equals", SPEED | TURN | LENGTH | ANGLE, NULL},
    {"gain", 0, "1/s"},
};

static const KeyKind* find_key(const char* key) {
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (strcmp(key, keys[i].key) == 0) {
            return &keys[i];
        }
    }
    return NULL;
}

// a parameter may be anything
static bool is_parameter(const ElvYaml* node) {
    const ElvYaml* map = node->parent;
    return map && map->key && strcmp(map->key->text, "parameters") == 0;
}

// ---- products

// whether a name of n letters can be a factor: "3 NAME" is then a product whose sign is missing
static bool is_factor(const ElvReader* reader, const char* name, size_t n) {
    static const char* const known[] = {"t", "s", "pi", "e"};
    for (int i = 0; i < reader->n_parameter; i++) {
        const char* other = reader->parameter[i].name;
        if (strlen(other) == n && memcmp(other, name, n) == 0) {
            return true;
        }
    }
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strlen(known[i]) == n && memcmp(known[i], name, n) == 0) {
            return true;
        }
    }
    return false;
}

static size_t name_length(const char* text) {
    return strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
}

// "0,4", "2t", "3 R"
static bool check_signs(ElvReader* reader, const ElvYaml* node, const char* rest) {
    char label[ELV_READ_LABEL];
    elv_read_label(node, label);
    int n_number = (int)(rest - node->text);
    size_t n_digit = rest[0] == ',' ? strspn(rest + 1, "0123456789") : 0;
    if (n_digit > 0 && rest[1 + n_digit] == '\0') {
        return elv_read_fail(reader, node,
                             "'%s': the decimal mark is a point: write %.*s.%.40s instead of "
                             "'%.40s'",
                             label, n_number, node->text, rest + 1, node->text);
    }
    while (*rest == ' ') {
        rest++;
    }
    size_t n = name_length(rest);
    while (n_number > 0 && node->text[n_number - 1] == ' ') {
        n_number--;
    }
    if (n > 0 && is_factor(reader, rest, n)) {
        return elv_read_fail(reader, node, "'%s': a product needs its sign: write %.*s*%.40s",
                             label, n_number, node->text, rest);
    }
    return true;
}

// ---- units

bool elv_read_check_unit(ElvReader* reader, const ElvYaml* node, double value, const char* rest) {
    const char* after = rest;
    while (*rest == ' ') {
        rest++;
    }
    Unit unit;
    if (!find_unit(rest, &unit)) {
        return check_signs(reader, node, after);
    }
    const KeyKind* key = find_key(elv_read_key(node));
    int kinds = is_parameter(node) ? ANY : key ? key->kinds : 0;
    char product[128] = "";
    if (is_factor(reader, rest, strlen(rest))) {
        char factor[ELV_NUMBER_TEXT];
        elv_number_print(value, 17, factor);
        (void)snprintf(product, sizeof product, " (a product is written %s*%.40s)", factor, rest);
    }
    if (!(kinds & unit.kind)) {
        char label[ELV_READ_LABEL];
        elv_read_label(node, label);
        return elv_read_fail(reader, node,
                             "values are SI numbers without a unit: '%s' is a number%s%s, found "
                             "'%.40s'%s",
                             label, key && key->unit ? " in " : "",
                             key && key->unit ? key->unit : "", node->text, product);
    }

    // 15 digits hide the rounding of the conversion
    char number[ELV_NUMBER_TEXT];
    elv_number_print(value * unit.multiplier / unit.divisor, 15, number);
    return elv_read_fail(reader, node,
                         "values are SI numbers without a unit: write %s instead of '%.40s'%s",
                         number, node->text, product);
}
