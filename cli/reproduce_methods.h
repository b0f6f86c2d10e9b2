// SPDX-License-Identifier: Apache-2.0
// What `elver reproduce methods` finds: @one-rod by six methods, each at several refinements.
#ifndef ELVER_CLI_REPRODUCE_METHODS_H
#define ELVER_CLI_REPRODUCE_METHODS_H

#include "reproduce.h"

enum { METHODS_N = 6, METHODS_LEVEL = 3 };

/// A run of a method.
typedef struct {
    int space;    // modes, segments or nodes
    double step;  // s; the mean where it is adaptive
    double error; // largest distance of the tip from the reference, m
    double order; // in the step, from the run before; NaN: none
    ReproducePath path;
} MethodsRun;

/// A method, and where it leads.
typedef struct {
    const char* name;
    const char* space; // what rods are resolved by
    MethodsRun run[METHODS_LEVEL];
    bool is_extrapolated;
    ReproducePath limit; // of the two finest runs extrapolated to dt = 0, else the finest
    double limit_error;  // m
} MethodsResult;

typedef struct {
    bool is_quick;
    int n_level;
    double every; // s between the instants that are compared
    ReproducePath reference;
    MethodsResult result[METHODS_N];
    double motion;       // largest distance of the tip from where it starts, m
    double apart;        // largest distance of any two methods at their finest, m
    double limits_apart; // the same of their limits
} Methods;

// ---- reproduce_methods_output.c

void methods_print_head(const Methods* methods);
void methods_print_result(const Methods* methods, const MethodsResult* result);
void methods_print_end(const Methods* methods);
void methods_print_json(const Methods* methods);

/// The tip by each method at its finest, and the reference. Prints why it fails and returns an exit code.
int methods_write_csv(const Methods* methods, const char* path);

/// The same curves, and errors over steps, in one picture.
int methods_plot(const Methods* methods, const char* path);

#endif
