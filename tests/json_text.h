// SPDX-License-Identifier: Apache-2.0
// Just enough JSON for tests: whether a text is one value, and members of objects by name.
#ifndef ELVER_TESTS_JSON_TEXT_H
#define ELVER_TESTS_JSON_TEXT_H

#include "check.h"

#include <stdbool.h>
#include <stdlib.h>

static inline const char* json_space(const char* p) {
    while (*p == ' ' || *p == '\n' || *p == '\r' || *p == '\t') {
        p++;
    }
    return p;
}

/// Behind the string that begins at p, or NULL.
static inline const char* json_string(const char* p) {
    if (*p++ != '"') {
        return NULL;
    }
    for (; *p != '"'; p++) {
        if ((unsigned char)*p < 0x20) {
            return NULL;
        }
        if (*p == '\\') {
            p++;
            if (!*p || !strchr("\"\\/bfnrtu", *p)) {
                return NULL;
            }
        }
    }
    return p + 1;
}

/// Behind the number that begins at p, or NULL; JSON has neither nan nor a leading plus.
static inline const char* json_number(const char* p) {
    const char* digit = *p == '-' ? p + 1 : p;
    if (*digit < '0' || *digit > '9') {
        return NULL;
    }
    char* end;
    (void)strtod(p, &end);
    return end;
}

/// Behind the value that begins at p, or NULL.
static inline const char* json_value(const char* p, int depth) {
    p = json_space(p);
    if (depth > 16) {
        return NULL;
    }
    if (strncmp(p, "null", 4) == 0 || strncmp(p, "true", 4) == 0) {
        return p + 4;
    }
    if (strncmp(p, "false", 5) == 0) {
        return p + 5;
    }
    if (*p == '"') {
        return json_string(p);
    }
    if (*p != '{' && *p != '[') {
        return json_number(p);
    }
    bool is_object = *p == '{';
    char close = is_object ? '}' : ']';
    p = json_space(p + 1);
    if (*p == close) {
        return p + 1;
    }
    for (;; p++) {
        if (is_object) {
            p = json_string(json_space(p));
            p = p ? json_space(p) : NULL;
            if (!p || *p++ != ':') {
                return NULL;
            }
        }
        p = json_value(p, depth + 1);
        p = p ? json_space(p) : NULL;
        if (!p || (*p != ',' && *p != close)) {
            return NULL;
        }
        if (*p == close) {
            return p + 1;
        }
    }
}

static inline bool json_is_good(const char* text) {
    const char* end = json_value(text, 0);
    return end && *json_space(end) == '\0';
}

/// Value of a member of the object at p, or NULL.
static inline const char* json_member(const char* p, const char* name) {
    p = json_space(p);
    CHECK_TRUE(*p == '{');
    size_t n = strlen(name);
    for (p = json_space(p + 1); *p == '"' || *p == ','; p = json_space(p)) {
        p = *p == ',' ? json_space(p + 1) : p;
        bool is_it = strncmp(p + 1, name, n) == 0 && p[n + 1] == '"';
        p = json_space(json_space(json_string(p)) + 1);
        if (is_it) {
            return p;
        }
        p = json_value(p, 0);
    }
    return NULL;
}

/// Element i of the array at p, or NULL; i < 0: none is asked for.
static inline const char* json_element(const char* p, int i) {
    p = json_space(p);
    CHECK_TRUE(*p == '[');
    p = json_space(p + 1);
    for (; *p != ']'; i--) {
        if (i == 0) {
            return p;
        }
        p = json_space(json_value(p, 0));
        p = *p == ',' ? json_space(p + 1) : p;
    }
    return NULL;
}

static inline int json_count(const char* p) {
    int n = 0;
    while (json_element(p, n)) {
        n++;
    }
    return n;
}

static inline double json_get(const char* p, const char* name) {
    const char* at = json_member(p, name);
    CHECK_TRUE(at != NULL);
    return strtod(at, NULL);
}

#endif
