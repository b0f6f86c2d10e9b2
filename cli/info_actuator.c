// SPDX-License-Identifier: Apache-2.0
// Devices in `elver info`: what pulls or pushes along a path, with its law as the model file has it, its unit and its path; and
// what the unknowns are that devices bring along. The library keeps no text of laws: it is that of the spec as a file.
#include "info.h"

#include <stdlib.h>
#include <string.h>

// the value of a key of "{key: value, ...}", up to a comma or a bracket of its own; where it ends is its length
static const char* find_value(const char* line, const char* key, size_t* n) {
    char word[48];
    snprintf(word, sizeof word, " %s: ", key);
    const char* at = strstr(line, word);
    if (!at) {
        return NULL;
    }
    at += strlen(word);
    int depth = 0;
    bool is_quoted = false;
    for (*n = 0; at[*n]; ++*n) {
        char c = at[*n];
        is_quoted = c == '"' ? !is_quoted : is_quoted;
        if (is_quoted) {
            continue;
        }
        depth += (c == '{' || c == '[') - (c == '}' || c == ']');
        if (depth < 0 || (depth == 0 && c == ',')) {
            break;
        }
    }
    return at;
}

// the line of an actuator in the model as a file, whose lines end in NUL
static const char* find_line(const char* text, size_t size, const ElvDeviceInfo* device) {
    char start[ELV_SIZE_NAME + 32];
    snprintf(start, sizeof start, "  - {%.16s: %.96s,", device->kind, device->name);
    for (size_t i = 0; i < size; i += strlen(text + i) + 1) {
        if (strncmp(text + i, start, strlen(start)) == 0) {
            return text + i;
        }
    }
    return NULL;
}

static void print_law(const char* line, const char* key, const char* unit, bool is_next) {
    size_t n = 0;
    const char* law = find_value(line, key, &n);
    if (!law || n == 0) {
        return;
    }
    bool is_quoted = law[0] == '"' && n > 1;
    printf("%s %s %.*s%s%s", is_next ? "," : ":", key, (int)(is_quoted ? n - 2 : n),
           law + is_quoted, unit[0] ? " " : "", unit);
}

// parts of a path; what is the whole rod is not said
static void print_path(const char* line) {
    static const char whole[] = ", from: 0, to: 1";
    size_t n = 0;
    const char* path = find_value(line, "path", &n);
    printf("%s", path ? "\n  path      " : "");
    for (size_t i = 0; path && i < n;) {
        bool is_outer = (path[i] == '[' && i == 0) || (path[i] == ']' && i + 1 == n);
        if (strncmp(path + i, whole, sizeof whole - 1) == 0) {
            i += sizeof whole - 1;
        } else {
            printf("%.*s", is_outer ? 0 : 1, path + i);
            i++;
        }
    }
}

// parts of a tendon's path along rods
static int count_stretches(const char* line) {
    int n = 0;
    for (const char* at = strstr(line, "{rod: "); at; at = strstr(at + 1, "{rod: ")) {
        n++;
    }
    return n;
}

// of a tendon: by length its tension, stretch and rate; with friction the tension of each further part; three
// components of the force of each straight strand
static void print_tendon_unknowns(const ElvDeviceInfo* device, const char* line) {
    size_t n = 0;
    int n_pull = find_value(line, "pull", &n) ? 3 : 0;
    const char* friction = find_value(line, "friction", &n);
    bool is_rubbing = friction && strtod(friction, NULL) > 0.0;
    int n_friction = is_rubbing ? count_stretches(line) - 1 : 0;
    int n_strand = (device->n_z - n_pull - n_friction) / 3;
    const char* before = ": ";
    if (n_pull > 0) {
        printf("%stension, stretch and its rate", before);
        before = "; ";
    }
    if (n_friction > 0) {
        printf("%s%d tension%s after friction", before, n_friction, n_friction == 1 ? "" : "s");
        before = "; ";
    }
    if (n_strand > 0) {
        printf("%sforce of %d straight strand%s", before, n_strand, n_strand == 1 ? "" : "s");
    }
}

static void print_unknowns(const ElvDeviceInfo* device, const char* line) {
    printf("%s%d unknown%s, %s", line ? "\n  solved    " : ": ", device->n_z,
           device->n_z > 1 ? "s" : "",
           device->is_differential ? "integrated" : "found with the motion");
    if (line && strcmp(device->kind, "tendon") == 0) {
        print_tendon_unknowns(device, line);
    }
}

void cli_info_devices(const CliInfo* info) {
    char* text = NULL;
    ElvError error;
    elv_error_clear(&error);
    // without it laws and paths are not said
    if (elv_spec_write_text(info->spec, &text, &error) != ELV_OK) {
        text = NULL;
    }
    size_t size = text ? strlen(text) : 0;
    for (size_t i = 0; i < size; i++) {
        text[i] = text[i] == '\n' ? '\0' : text[i];
    }
    for (int i = 0; i < elv_model_n_device(info->model); i++) {
        ElvDeviceInfo device = elv_model_device(info->model, i);
        const char* line = find_line(text, size, &device);
        printf("%s%s %s", i == 0 ? "\n" : "", device.kind, device.name);
        if (line) {
            print_law(line, "tension", "N", false);
            print_law(line, "pull", "m", false);
            print_law(line, "pressure", "Pa", false);
            print_law(line, "force", "N", false);
            print_law(line, "activation", "", true);
            print_path(line);
        }
        if (device.n_z > 0) {
            print_unknowns(&device, line);
        }
        printf("\n");
    }
    elv_text_free(text);
}
