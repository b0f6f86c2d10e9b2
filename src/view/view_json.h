// SPDX-License-Identifier: Apache-2.0
// JSON text that grows.
#ifndef ELVER_VIEW_VIEW_JSON_H
#define ELVER_VIEW_VIEW_JSON_H

#include <stdbool.h>
#include <stddef.h>

/// Zeroed at the start; text is malloc'ed. Without memory nothing more is added, and is_bad says so.
typedef struct {
    char* text; // NUL-terminated, once something was put
    size_t n, room;
    bool is_bad;
} ElvJson;

/// Text as it is.
void elv_json_put(ElvJson* json, const char* text);

/// A string with its quotes, escaped for JSON and for HTML.
void elv_json_string(ElvJson* json, const char* text);

/// Numbers; what is not finite is 0.
void elv_json_number(ElvJson* json, double value, int digits);
void elv_json_int(ElvJson* json, long value);

/// Key of a member of an object, with the comma before it where one is needed.
void elv_json_key(ElvJson* json, const char* name);

/// The same with a value.
void elv_json_key_string(ElvJson* json, const char* name, const char* text);
void elv_json_key_int(ElvJson* json, const char* name, long value);
void elv_json_key_numbers(ElvJson* json, const char* name, const double* value, int n);

#endif
