// SPDX-License-Identifier: Apache-2.0
// Robots on wheels: their models, and the arm of one of them alone.
#ifndef ELVER_TESTS_VEHICLE_CASE_H
#define ELVER_TESTS_VEHICLE_CASE_H

#include "locomotion_case.h"

#include <stdlib.h>

/// Tolerance of positions, m, and headings, rad, of closed forms.
#define PATH 1e-8

/// A model of models/ with some values put over it.
static inline ElvModel* vehicle(const char* name, const ElvOverride* over, int n_over) {
    char path[512];
    ElvError error;
    ElvModel* model = NULL;
    snprintf(path, sizeof path, "%s/models/%s.yaml", ELVER_SOURCE_DIR, name);
    CHECK_STATUS(elv_model_read_file(path, over, n_over, &model, &error), &error);
    return model;
}

/// The mobile manipulator with its platform fixed to the world, without wheels.
static inline ElvModel* fixed_arm(void) {
    enum { MAX = 16384 };
    static const char root[] = "platform, joint: ";
    char path[512], *text = calloc(1, MAX), *whole = calloc(1, MAX);
    ElvError error;
    ElvModel* model = NULL;
    CHECK_TRUE(text && whole);
    snprintf(path, sizeof path, "%s/models/mobile-manipulator.yaml", ELVER_SOURCE_DIR);
    FILE* file = fopen(path, "r");
    CHECK_TRUE(file != NULL);
    size_t n = fread(text, 1, MAX - 1, file);
    fclose(file);
    CHECK_TRUE(n < MAX - 1);
    char* joint = strstr(text, root);
    char* end = strstr(text, "\nconstraints:");
    CHECK_TRUE(joint && end);
    joint += sizeof root - 1;
    end[1] = '\0';
    const char* rest = joint + strlen("planar");
    snprintf(whole, MAX, "%.*sfixed%s", (int)(joint - text), text, rest);
    CHECK_STATUS(elv_model_read_text(whole, strlen(whole), "arm", NULL, 0, &model, &error), &error);
    free(text);
    free(whole);
    return model;
}

#endif
