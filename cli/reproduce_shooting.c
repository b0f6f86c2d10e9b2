// SPDX-License-Identifier: Apache-2.0
// `elver reproduce p23-table1`, second half: the rods by shooting, whose published column, [10] and [11] of [P23], has
// no entry for soft ones because the step of the table is below their critical one [OCP (88)]. In one segment, as
// published, then in as many as it takes. Rods are not reduced to modes: every strain is resolved along the rod.
#include "reproduce.h"

#include <math.h>

// residuals asked for; over one segment rounding may grow beyond what the first allows
static const double TOLERANCE[] = {1e-10, 1e-4};
enum { N_TOLERANCE = sizeof TOLERANCE / sizeof TOLERANCE[0] };

// a step is good if so many of it succeed; the shortest is found to this factor, within this factor of what is foretold
enum { N_STEP = 20 };
static const double FINE = 1.2;
static const double RANGE = 4.0;

/// What shooting does with a rod.
typedef struct {
    bool is_good;
    double cpu;       // seconds per simulated second
    double reached;   // s
    double tolerance; // of the residual
} Outcome;

void reproduce_shooting_head(void) {
    printf("\nThe first column again: shooting with dt = 0.01 s, as published and here, by dogleg. "
           "One segment, as published: the\n"
           "whole run with a residual of %.0e, where that fails %.0e. dt_c: the step below which "
           "it is expected to fail; found:\n"
           "the shortest of which %d succeed. Several segments: the first %d steps\n\n"
           "%-21s %9s | %13s %8s %6s %9s %9s | %8s %9s %7s\n",
           TOLERANCE[0], TOLERANCE[1], N_STEP, N_STEP, "", "published", "one segment", "residual",
           "agrees", "dt_c, s", "found, s", "segments", "dt_c, s", "CPU s/s");
}

static ElvSimulateDef method_of(const ElvModel* model, int segments) {
    ElvSimulateDef method = elv_model_simulate(model);
    method.method = ELV_METHOD_SHOOTING;
    method.shooting.segments = segments;
    method.shooting.solver = ELV_SHOOT_DOGLEG;
    method.newton_tol = TOLERANCE[0];
    return method;
}

static ElvStatus
measure(const ElvModel* model, const ElvSimulateDef* method, Outcome* outcome, ElvError* error) {
    ReproducePath path = {.n = 0};
    ElvStatus status = reproduce_trace(model, method, method->duration, &path, error);
    outcome->is_good = status == ELV_OK;
    outcome->cpu = path.cpu / method->duration;
    outcome->reached = (double)path.report.n_step * method->step;
    outcome->tolerance = method->newton_tol;
    reproduce_path_free(&path);
    return status == ELV_ERROR_STEP ? ELV_OK : status;
}

// the whole run in one segment, with the residual that it can bear
static ElvStatus measure_one(const ElvModel* model, Outcome* outcome, ElvError* error) {
    ElvStatus status = ELV_OK;
    ElvSimulateDef method = method_of(model, 1);
    for (int i = 0; i < N_TOLERANCE && status == ELV_OK && !outcome->is_good; i++) {
        method.newton_tol = TOLERANCE[i];
        status = measure(model, &method, outcome, error);
    }
    return status;
}

// the shortest good step in one segment
static ElvStatus find_shortest(const ElvModel* model, double* step, ElvError* error) {
    ElvSimulateDef method = method_of(model, 1);
    ElvStatus status = ELV_OK;
    double least = *step / RANGE;
    double most = *step * RANGE;
    while (status == ELV_OK && most > FINE * least) {
        Outcome outcome = {.is_good = false};
        method.step = sqrt(least * most);
        method.duration = N_STEP * method.step;
        status = measure(model, &method, &outcome, error);
        *(outcome.is_good ? &most : &least) = method.step;
    }
    *step = most;
    return status;
}

static void print_outcome(int width, const Outcome* outcome) {
    if (outcome->is_good) {
        printf(" %*.2g", width, outcome->cpu);
    } else {
        char text[32];
        snprintf(text, sizeof text, "fails at t=%.2g", outcome->reached);
        printf(" %*s", width, text);
    }
}

static void print_row(const ReproduceRod* rod,
                      const Outcome* one,
                      const Outcome* several,
                      const double* critical,
                      double shortest) {
    printf("%-21s ", rod->title);
    if (rod->published < 0.0) {
        printf("%9s |", "fails");
    } else {
        printf("%9.4g |", rod->published);
    }
    print_outcome(13, one);
    printf(" %8.0e %6s %9.2g %9.2g | %8d %9.2g", one->tolerance,
           one->is_good == (rod->published >= 0.0) ? "yes" : "no", critical[0], shortest,
           rod->segments, critical[1]);
    print_outcome(7, several);
    printf("\n");
    fflush(stdout);
}

ElvStatus reproduce_shooting(const ReproduceRod* rod, ElvError* error) {
    Outcome one = {.is_good = false};
    Outcome several = one;
    ElvSimulateDef method = method_of(rod->model, 1);
    double critical[2];
    ElvStatus status = elv_shoot_critical_step(rod->model, &method, &critical[0], error);
    if (status != ELV_OK) {
        return status;
    }
    double shortest = critical[0];
    method = method_of(rod->model, rod->segments);
    method.duration = N_STEP * method.step;
    status = elv_shoot_critical_step(rod->model, &method, &critical[1], error);
    if (status == ELV_OK) {
        status = measure(rod->model, &method, &several, error);
    }
    if (status == ELV_OK) {
        status = measure_one(rod->model, &one, error);
    }
    if (status == ELV_OK) {
        status = find_shortest(rod->model, &shortest, error);
    }
    if (status == ELV_OK) {
        print_row(rod, &one, &several, critical, shortest);
    }
    return status;
}
