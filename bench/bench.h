// SPDX-License-Identifier: Apache-2.0
// What the benchmarks share: CPU time as the least of several samples, the shipped models, chains
// and rods of growing size.
#ifndef ELVER_BENCH_BENCH_H
#define ELVER_BENCH_BENCH_H

#define _POSIX_C_SOURCE 200809L

#include "elver/elver.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BENCH_SAMPLE = 9, BENCH_MODEL_MAX = 128, BENCH_NAME = 64, BENCH_TEXT = 65536 };

typedef struct {
    ElvModel* model;
    ElvData* data;
    ElvState* state;
} BenchCase;

typedef void (*BenchCall)(BenchCase* c, double* out);

/// Print and leave if a model cannot be had: a benchmark has nothing else to do.
static inline void bench_check(ElvStatus status, const ElvError* error) {
    if (status != ELV_OK) {
        fprintf(stderr, "%s: %s\n", elv_status_text(status), error->message);
        exit(1);
    }
}

static inline double bench_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline BenchCase bench_prepare(ElvModel* model) {
    BenchCase c = {model, NULL, NULL};
    ElvError error;
    bench_check(elv_data_create(model, &c.data, &error), &error);
    bench_check(elv_state_create(model, &c.state, &error), &error);
    // a moving, bent state: small coordinates and velocities everywhere
    for (int i = 0; i < c.state->nv; i++) {
        c.state->v[i] = 0.1 * (double)(i % 7 - 3);
        c.state->a[i] = 0.2 * (double)(i % 5 - 2);
    }
    for (int i = 0; i < c.state->nq; i++) {
        c.state->q[i] += 0.05 * (double)(i % 3);
    }
    elv_state_impose(model, c.state);
    return c;
}

static inline void bench_close(BenchCase* c) {
    elv_state_free(c->state);
    elv_data_free(c->data);
    elv_model_free(c->model);
}

static inline BenchCase bench_read(const char* name) {
    char path[1024];
    ElvModel* model = NULL;
    ElvError error;
    snprintf(path, sizeof path, "%s/models/%.63s.yaml", ELVER_SOURCE_DIR, name);
    bench_check(elv_model_read_file(path, NULL, 0, &model, &error), &error);
    return bench_prepare(model);
}

static inline BenchCase bench_text(const char* text) {
    ElvModel* model = NULL;
    ElvError error;
    bench_check(elv_model_read_text(text, strlen(text), "bench", NULL, 0, &model, &error), &error);
    return bench_prepare(model);
}

/// n rigid links on revolute joints about y and z in turn.
static inline BenchCase bench_chain(int n) {
    static char text[BENCH_TEXT];
    size_t used = (size_t)snprintf(text, sizeof text, "elver: 1\ngravity: [0, 0, -9.81]\ntree:\n");
    for (int i = 0; i < n; i++) {
        char parent[32] = "world";
        if (i > 0) {
            snprintf(parent, sizeof parent, "l%d", i - 1);
        }
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 "  - {body: l%d, parent: %s, pose: {xyz: [%s, 0, 0]}, mass: 1,\n"
                                 "     joint: {revolute: {axis: %s}}, center: [0.1, 0, 0],\n"
                                 "     inertia: [0.01, 0.01, 0.01]}\n",
                                 i, parent, i > 0 ? "0.2" : "0", i % 2 ? "z" : "y");
    }
    return bench_text(text);
}

/// A clamped rod with n modes for twist and for each bending.
static inline BenchCase bench_rod(int n) {
    char text[1024];
    snprintf(text, sizeof text,
             "elver: 1\n"
             "gravity: [0, 0, -9.81]\n"
             "tree:\n"
             "  - rod: rod\n"
             "    length: 1\n"
             "    section: {circle: {diameter: 0.02}}\n"
             "    material: {density: 1000, young: 1e6}\n"
             "    strain: {kirchhoff: %d}\n",
             n);
    return bench_text(text);
}

static inline int bench_compare(const void* a, const void* b) {
    return strcmp(a, b);
}

/// Names of the shipped models, sorted; returns their number.
static inline int bench_list(char name[BENCH_MODEL_MAX][BENCH_NAME]) {
    int n = 0;
    DIR* folder = opendir(ELVER_SOURCE_DIR "/models");
    struct dirent* entry = NULL;
    while (folder && n < BENCH_MODEL_MAX && (entry = readdir(folder)) != NULL) {
        char* ending = strstr(entry->d_name, ".yaml");
        if (ending && (size_t)(ending - entry->d_name) < BENCH_NAME) {
            *ending = '\0';
            snprintf(name[n++], BENCH_NAME, "%.63s", entry->d_name);
        }
    }
    if (folder) {
        closedir(folder);
    }
    qsort(name, (size_t)n, sizeof name[0], bench_compare);
    return n;
}

/// CPU seconds of one call: the least over samples of at least 10 ms.
static inline double bench_time(BenchCall call, BenchCase* c, double* out) {
    long n_call = 1;
    double best = 1e30;
    for (int sample = 0; sample < BENCH_SAMPLE; sample++) {
        double start = bench_seconds();
        for (long i = 0; i < n_call; i++) {
            call(c, out);
        }
        double spent = bench_seconds() - start;
        if (spent < 0.01) {
            // too short to tell: the sample does not count
            n_call *= spent < 0.001 ? 8 : 2;
            sample--;
            continue;
        }
        double each = spent / (double)n_call;
        best = each < best ? each : best;
    }
    return best;
}

/// A program given a model and a number runs that many calls, for instruction counts.
static inline int bench_count(int argc, char** argv, BenchCall call) {
    if (argc < 3) {
        fprintf(stderr, "usage: %s [MODEL CALLS]\n", argv[0]);
        return 2;
    }
    BenchCase c = bench_read(argv[1]);
    double* out = malloc(((size_t)c.state->nv * (size_t)c.state->nv + 1) * sizeof *out);
    for (long i = 0; out && i < strtol(argv[2], NULL, 10); i++) {
        call(&c, out);
    }
    free(out);
    bench_close(&c);
    return 0;
}

/// Every shipped model, then chains and rods of growing size.
static inline void bench_all(void (*measure)(const char* name, BenchCase* c)) {
    static char name[BENCH_MODEL_MAX][BENCH_NAME];
    int n = bench_list(name);
    for (int i = 0; i < n; i++) {
        BenchCase c = bench_read(name[i]);
        measure(name[i], &c);
        bench_close(&c);
    }
    for (int size = 4; size <= 64; size *= 2) {
        char label[BENCH_NAME];
        snprintf(label, sizeof label, "chain of %d links", size);
        BenchCase c = bench_chain(size);
        measure(label, &c);
        bench_close(&c);
    }
    for (int size = 1; size <= 8; size *= 2) {
        char label[BENCH_NAME];
        snprintf(label, sizeof label, "rod, 3 x %d modes", size);
        BenchCase c = bench_rod(size);
        measure(label, &c);
        bench_close(&c);
    }
}

#endif
