// SPDX-License-Identifier: Apache-2.0
// Models of motions of first order, and cycles of their shapes.
#ifndef ELVER_TESTS_CONNECTION_CASE_H
#define ELVER_TESTS_CONNECTION_CASE_H

#include "locomotion_case.h"

static inline ElvModel* example(const char* name) {
    char path[512];
    ElvModel* model = NULL;
    ElvError error;
    (void)snprintf(path, sizeof path, "%s/models/%s.yaml", ELVER_SOURCE_DIR, name);
    CHECK_STATUS(elv_model_read_file(path, NULL, 0, &model, &error), &error);
    return model;
}

static inline ElvModel* model_of(const char* text) {
    ElvModel* model = NULL;
    ElvError error;
    CHECK_STATUS(elv_model_read_text(text, strlen(text), "text", NULL, 0, &model, &error), &error);
    return model;
}

static inline ElvModel* model_with(const char* format, double a, double b, const char* c) {
    char text[4096];
    int n = snprintf(text, sizeof text, format, a, b, c);
    CHECK_TRUE(n > 0 && (size_t)n < sizeof text);
    return model_of(text);
}

static inline ElvGait cycle_of(ElvModel* model, ElvConnection kind, double period) {
    ElvState* state = NULL;
    ElvGait gait;
    ElvError error;
    CHECK_STATUS(elv_state_create(model, &state, &error), &error);
    elv_state_impose(model, state);
    CHECK_STATUS(elv_gait_displacement(model, state, kind, period, NULL, &gait, &error), &error);
    elv_state_free(state);
    return gait;
}

#endif
