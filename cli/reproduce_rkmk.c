// SPDX-License-Identifier: Apache-2.0
// `elver reproduce rkmk-table3`: the accumulated error of six schemes of finite differences on @rkmk-1 [RKMK table III],
// twice: as the authors' program computed it, whose tip position lags by a step and whose joint and reference run have
// errors of their own, and as it should be, against a fine run.
#include "reproduce.h"

#include <math.h>

/// A row: the scheme, its elements, and what is published.
typedef struct {
    const char* title;
    int order;
    ElvRunge space;
    int nodes;
    double error, seconds; // published
} Scheme;

static const Scheme schemes[] = {
    {"BDF1, Euler", 1, ELV_RUNGE_EULER, 11, 1.34, 10.42},
    {"BDF1, RK2", 1, ELV_RUNGE_RK2, 10, 1.35, 14.99},
    {"BDF1, RK4", 1, ELV_RUNGE_RK4, 8, 1.38, 20.04},
    {"BDF2, Euler", 2, ELV_RUNGE_EULER, 13, 0.72, 12.75},
    {"BDF2, RK2", 2, ELV_RUNGE_RK2, 12, 1.16, 19.38},
    {"BDF2, RK4", 2, ELV_RUNGE_RK4, 9, 1.09, 25.30},
};

enum { N_SCHEME = sizeof schemes / sizeof schemes[0], N_INSTANT = 150 };

static const double STEP = 0.01; // of the table, s

// sum of the distances over t_f / dt instants
static double accumulated(const ReproducePath* path, const ReproducePath* reference) {
    double sum = path->n == reference->n ? 0.0 : INFINITY;
    for (int i = 0; i < N_INSTANT && i < path->n && i < reference->n; i++) {
        sum += elv_vec3_norm(elv_vec3_sub(path->at[i], reference->at[i]));
    }
    return sum;
}

static ElvSimulateDef
method_of(const ElvModel* model, int order, ElvRunge space, int nodes, double step) {
    ElvSimulateDef method = elv_model_simulate(model);
    method.method = ELV_METHOD_RKMK;
    method.step = step;
    method.duration = N_INSTANT * STEP;
    method.finite.order = order;
    method.finite.space = space;
    method.finite.nodes = nodes;
    return method;
}

// the switches of the published program
static ElvSimulateDef as_published(ElvSimulateDef method) {
    ElvFiniteProgram program = {.is_tip_undamped = true,
                                .has_euler_joint = true,
                                .starts_from_past = true,
                                .rebuild = ELV_REBUILD_LAGGED};
    method.finite.program = program;
    return method;
}

/// What all rows are compared with: the reference run of the paper, and a fine one.
typedef struct {
    ReproducePath published, fine;
} References;

static ElvStatus find_references(const ElvModel* model, References* references, ElvError* error) {
    ElvSimulateDef method = as_published(method_of(model, 2, ELV_RUNGE_RK4, 101, 0.005));
    ElvStatus status = reproduce_trace(model, &method, STEP, &references->published, error);
    if (status == ELV_OK) {
        method = method_of(model, 2, ELV_RUNGE_RK4, 101, 0.00125);
        method.finite.interpolation = ELV_HISTORY_CUBIC;
        status = reproduce_trace(model, &method, STEP, &references->fine, error);
    }
    return status;
}

static ElvStatus print_row(const ElvModel* model,
                           const Scheme* scheme,
                           const References* references,
                           ReproducePath* path,
                           ElvError* error) {
    ElvSimulateDef method = method_of(model, scheme->order, scheme->space, scheme->nodes, STEP);
    ElvSimulateDef program = as_published(method);
    ElvStatus status = reproduce_trace(model, &program, STEP, path, error);
    double as_printed = accumulated(path, &references->published);
    if (status == ELV_OK) {
        status = reproduce_trace(model, &method, STEP, path, error);
    }
    double right = accumulated(path, &references->fine);
    double cpu = path->cpu;
    if (status == ELV_OK) {
        method.finite.interpolation = ELV_HISTORY_CUBIC;
        status = reproduce_trace(model, &method, STEP, path, error);
    }
    if (status == ELV_OK) {
        printf("%-12s %6.4f %9.2f %9.3f %10.3f %9.3f %10.2f %10.4f\n", scheme->title,
               0.4 / (scheme->nodes - 1), scheme->error, as_printed, right,
               accumulated(path, &references->fine), scheme->seconds, cpu);
    }
    return status;
}

static ElvStatus print_table(const ElvModel* model, ElvError* error) {
    References references = {.fine = {.n = 0}};
    ReproducePath path = {.n = 0};
    ElvStatus status = find_references(model, &references, error);
    for (int i = 0; i < N_SCHEME && status == ELV_OK; i++) {
        status = print_row(model, &schemes[i], &references, &path, error);
    }
    reproduce_path_free(&references.published);
    reproduce_path_free(&references.fine);
    reproduce_path_free(&path);
    return status;
}

int reproduce_rkmk_table3(void) {
    CliModel loaded = {0};
    CliOverrides overrides = {0};
    ElvError error;
    elv_error_clear(&error);
    int code = cli_model_load("reproduce", "@rkmk-1", &overrides, &loaded);
    if (code != CLI_DONE) {
        return code;
    }
    printf("Accumulated distance e of the tip from a reference run, m, over 150 steps of 0.01 s "
           "[RKMK table III].\n"
           "program: with the switches of the published program, whose tip position lags by a "
           "step and whose joint is\n"
           "integrated by Euler's rule, against its own reference (101 nodes, dt = 0.005 s). "
           "right: without them, against\n"
           "a fine run (101 nodes, cubic interpolation, dt = 0.00125 s); cubic: the same with the "
           "cubic interpolation\n"
           "through four nodes. CPU seconds: published, and here (one run, linear)\n\n");
    printf("%-12s %6s %9s %9s %10s %9s %10s %10s\n", "", "ds (m)", "published", "program", "right",
           "cubic", "published", "Elver");
    ElvStatus status = print_table(loaded.model, &error);
    cli_model_free(&loaded);
    return status == ELV_OK ? CLI_DONE
                            : cli_complain_error("reproduce", cli_exit_code(status), &error);
}
