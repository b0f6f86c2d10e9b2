// SPDX-License-Identifier: Apache-2.0
// JSON text in a growing piece of memory.
#ifndef ELVER_VIEW_VIEW_JSON_H
#define ELVER_VIEW_VIEW_JSON_H

#include "view/view_bytes.h"

/// Text as it is.
void elv_json_put(ElvBytes* json, const char* text);

/// A string with its quotes, escaped for JSON and for HTML.
void elv_json_string(ElvBytes* json, const char* text);

/// Numbers; what is not finite is 0.
void elv_json_number(ElvBytes* json, double value, int digits);
void elv_json_int(ElvBytes* json, long value);

/// Key of a member of an object, with the comma before it where one is needed.
void elv_json_key(ElvBytes* json, const char* name);

/// The same with a value.
void elv_json_key_string(ElvBytes* json, const char* name, const char* text);
void elv_json_key_int(ElvBytes* json, const char* name, long value);
void elv_json_key_numbers(ElvBytes* json, const char* name, const double* value, int n);

#endif
