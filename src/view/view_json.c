// SPDX-License-Identifier: Apache-2.0
// JSON text that grows. Strings are escaped for JSON, and "<", ">" and "&" too, so that the text can stand in a script
// element of a page.
#include "view/view_json.h"

#include "base/number_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 9 };

void elv_json_put(ElvJson* json, const char* text) {
    size_t n = strlen(text);
    if (json->is_bad) {
        return;
    }
    if (!json->text || json->n + n + 1 > json->room) {
        size_t room = 2 * (json->n + n + 1) + 1024;
        char* grown = realloc(json->text, room);
        if (!grown) {
            json->is_bad = true;
            return;
        }
        json->text = grown;
        json->room = room;
    }
    memcpy(json->text + json->n, text, n + 1);
    json->n += n;
}

void elv_json_string(ElvJson* json, const char* text) {
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

void elv_json_number(ElvJson* json, double value, int digits) {
    char text[ELV_NUMBER_TEXT];
    elv_number_print(isfinite(value) ? value : 0.0, digits, text);
    elv_json_put(json, text);
}

void elv_json_int(ElvJson* json, long value) {
    char text[32];
    (void)snprintf(text, sizeof text, "%ld", value);
    elv_json_put(json, text);
}

void elv_json_key(ElvJson* json, const char* name) {
    char last = json->n > 0 && json->text ? json->text[json->n - 1] : '{';
    elv_json_put(json, last == '{' ? "" : ",");
    elv_json_string(json, name);
    elv_json_put(json, ":");
}

void elv_json_key_string(ElvJson* json, const char* name, const char* text) {
    elv_json_key(json, name);
    elv_json_string(json, text);
}

void elv_json_key_int(ElvJson* json, const char* name, long value) {
    elv_json_key(json, name);
    elv_json_int(json, value);
}

void elv_json_key_numbers(ElvJson* json, const char* name, const double* value, int n) {
    elv_json_key(json, name);
    elv_json_put(json, "[");
    for (int i = 0; i < n; i++) {
        elv_json_put(json, i > 0 ? "," : "");
        elv_json_number(json, value[i], DIGITS);
    }
    elv_json_put(json, "]");
}
