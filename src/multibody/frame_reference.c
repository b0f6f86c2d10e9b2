// SPDX-License-Identifier: Apache-2.0
// Frame references as text: "world", "BODY", "ROD.root", "ROD.tip", "ROD.at(0.5)", "FRAME".
#include "multibody/frame_reference.h"

#include "base/number_text.h"

#include <string.h>

// ASCII whatever the locale
static bool is_name_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
}

// whether text begins with word and the word ends there
static bool begins_with(const char* text, const char* word) {
    size_t n = strlen(word);
    return strncmp(text, word, n) == 0 && !is_name_character(text[n]);
}

// ".root", ".tip" or ".at(NUMBER)"; returns the end, or NULL if there is none of these
static const char* parse_station(const char* text, double* station) {
    if (begins_with(text, ".root")) {
        *station = 0.0;
        return text + strlen(".root");
    }
    if (begins_with(text, ".tip")) {
        *station = 1.0;
        return text + strlen(".tip");
    }
    if (strncmp(text, ".at(", 4) != 0) {
        return NULL;
    }
    const char* argument = text + 4;
    size_t n = elv_number_scan(argument, station);
    if (n == 0 || argument[n] != ')' || !(*station >= 0.0 && *station <= 1.0)) {
        return NULL;
    }
    return argument + n + 1;
}

bool elv_frame_reference_parse(const char* text, ElvFrameReference* reference, const char** end) {
    memset(reference, 0, sizeof *reference);
    size_t n = 0;
    while (is_name_character(text[n])) {
        n++;
    }
    if (n == 0 || n >= sizeof reference->name) {
        return false;
    }
    memcpy(reference->name, text, n);
    const char* rest = text + n;
    const char* after = parse_station(rest, &reference->station);
    reference->has_station = after != NULL;
    rest = after ? after : rest;
    if (end) {
        *end = rest;
        return true;
    }
    return *rest == '\0';
}
