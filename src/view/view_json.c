// SPDX-License-Identifier: Apache-2.0
// JSON text. Strings are escaped for JSON, and "<", ">" and "&" too, so that the text can stand in a script
// element of a page.
#include "view/view_json.h"

#include "base/number_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DIGITS = 9 };

void elv_json_put(ElvBytes* json, const char* text) {
    elv_bytes_put(json, text, strlen(text));
}

void elv_json_string(ElvBytes* json, const char* text) {
    elv_json_put(json, "\"");
    for (const char* p = text; *p; p++) {
        unsigned char c = (unsigned char)*p;
        char part[8] = {*p, '\0'};
        if (c == '"' || c == '\\') {
            (void)snprintf(part, sizeof part, "\\%c", c);
        } else if (c < 0x20 || c == '<' || c == '>' || c == '&' || c == 0x7f) {
            (void)snprintf(part, sizeof part, "\\u%04x", c);
        }
        elv_json_put(json, part);
    }
    elv_json_put(json, "\"");
}

void elv_json_number(ElvBytes* json, double value, int digits) {
    char text[ELV_NUMBER_TEXT];
    elv_number_print(isfinite(value) ? value : 0.0, digits, text);
    elv_json_put(json, text);
}

void elv_json_int(ElvBytes* json, long value) {
    char text[32];
    (void)snprintf(text, sizeof text, "%ld", value);
    elv_json_put(json, text);
}

void elv_json_key(ElvBytes* json, const char* name) {
    char last = json->n > 0 ? json->data[json->n - 1] : '{';
    elv_json_put(json, last == '{' ? "" : ",");
    elv_json_string(json, name);
    elv_json_put(json, ":");
}

void elv_json_key_string(ElvBytes* json, const char* name, const char* text) {
    elv_json_key(json, name);
    elv_json_string(json, text);
}

void elv_json_key_int(ElvBytes* json, const char* name, long value) {
    elv_json_key(json, name);
    elv_json_int(json, value);
}

void elv_json_key_numbers(ElvBytes* json, const char* name, const double* value, int n) {
    elv_json_key(json, name);
    elv_json_put(json, "[");
    for (int i = 0; i < n; i++) {
        elv_json_put(json, i > 0 ? "," : "");
        elv_json_number(json, value[i], DIGITS);
    }
    elv_json_put(json, "]");
}
