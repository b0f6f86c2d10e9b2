// SPDX-License-Identifier: Apache-2.0
// `elver reproduce p23-table1`: the cost of four single rods [P23 table I]. Each runs with the fewest quadrature nodes,
// an even number, whose error in space is below a tenth of what is allowed. Errors stand beside the cost:
// that in space against twice the nodes, that in time against half the step.
#include "reproduce.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

/// One row of the table: a shipped example and the published ratios (negative: the method fails).
typedef struct {
    const char* title;
    const char* model;
    int nodes;           // quadrature nodes of the rod
    int segments;        // of shooting, with which it gets through
    double published[5]; // [10] [11], [24], [26], [27], the article
} Bench;

static const Bench benches[] = {
    {"stiff cantilever rod", "@cantilever-stiff", 8, 2, {71.9, 336.0, 6173.0, 4.5, 7.1}},
    {"soft cantilever rod", "@cantilever-soft", 10, 2, {-1.0, 133.0, 1675.0, 1.9, 9.1}},
    {"stiff flying rod", "@flying-rod-stiff", 6, 2, {52.2, 36.0, 2806.0, 7.2, 8.5}},
    {"soft flying rod", "@flying-rod-soft", 8, 32, {-1.0, 1.6, 609.0, 1.8, 7.9}},
};

enum { N_BENCH = sizeof benches / sizeof benches[0], N_REPEAT = 5 };

/// Largest allowed distance of the tip from that of a fine rod, at any time, over the length.
static const double SPACE_ERROR = 1e-4;

static double cpu_seconds(void) {
    return (double)clock() / (double)CLOCKS_PER_SEC;
}

/// What one run cost.
typedef struct {
    double ratio; // CPU seconds per simulated second
    ElvIntegratorReport report;
} Cost;

// the cheapest of some runs of a model with the given method
static ElvStatus
measure(const ElvModel* model, ElvSimulateDef method, Cost* cost, ElvError* error) {
    ElvState* state = NULL;
    ElvStatus status = elv_state_create(model, &state, error);
    cost->ratio = INFINITY;
    for (int i = 0; i < N_REPEAT && status == ELV_OK; i++) {
        elv_state_reset(model, state);
        ElvSimulateOptions options = elv_simulate_options_default(model, state);
        options.method = method;
        options.record_every = method.duration;
        double start = cpu_seconds();
        status = reproduce_simulate(model, state, &options, &cost->report, error);
        double ratio = (cpu_seconds() - start) / method.duration;
        cost->ratio = ratio < cost->ratio ? ratio : cost->ratio;
    }
    elv_state_free(state);
    return status;
}

static void print_published(const double* ratio) {
    for (int i = 0; i < 5; i++) {
        if (ratio[i] < 0.0) {
            printf(" %9s", "fails");
        } else {
            printf(" %9.4g", ratio[i]);
        }
    }
}

// largest distance of two paths of the tip of a rod, over its length
static double
compare(const ElvModel* model, const ReproducePath* path, const ReproducePath* other) {
    double distance = reproduce_distance(path, other);
    for (int i = 0; i < elv_model_n_node(model); i++) {
        ElvNodeInfo node = elv_model_node(model, i);
        distance /= node.is_rod ? node.length : 1.0;
    }
    return distance;
}

/// Largest distance of the tip, over the length.
typedef struct {
    double space; // from that of a rod with twice the nodes
    double time;  // from that of a run with half the step
} Deviation;

static ElvStatus
find_deviation(const ElvModel* model, const ElvModel* fine, Deviation* deviation, ElvError* error) {
    ReproducePath path[3] = {{.n = 0}, {.n = 0}, {.n = 0}};
    ElvSimulateDef method = elv_model_simulate(model);
    double every = method.step;
    ElvStatus status = reproduce_trace(model, &method, every, &path[0], error);
    if (status == ELV_OK) {
        status = reproduce_trace(fine, &method, every, &path[1], error);
    }
    if (status == ELV_OK) {
        method.step *= 0.5;
        status = reproduce_trace(model, &method, every, &path[2], error);
    }
    deviation->space = compare(model, &path[0], &path[1]);
    deviation->time = compare(model, &path[0], &path[2]);
    for (int i = 0; i < 3; i++) {
        reproduce_path_free(&path[i]);
    }
    return status;
}

static int load_bench(const Bench* bench, int n_node, CliModel* loaded) {
    CliOverrides overrides = {0};
    char nodes[16];
    snprintf(nodes, sizeof nodes, "%d", n_node);
    if (!cli_override(&overrides, NULL, "rod.nodes", nodes)) {
        return cli_complain("reproduce", CLI_FAILED, "out of memory");
    }
    int code = cli_model_load("reproduce", bench->model, &overrides, loaded);
    cli_overrides_free(&overrides);
    return code;
}

// one row of the table
static int print_bench(const Bench* bench, const ElvModel* model, const ElvModel* fine) {
    ElvError error;
    elv_error_clear(&error);
    Cost implicit_cost, explicit_cost;
    Deviation deviation = {INFINITY, INFINITY};
    ElvSimulateDef method = elv_model_simulate(model);
    ElvStatus status = measure(model, method, &implicit_cost, &error);
    if (status == ELV_OK) {
        method.method = ELV_METHOD_EXPLICIT;
        method.step = 0.0;
        method.rel_tol = 1e-6;
        method.abs_tol = 1e-8;
        status = measure(model, method, &explicit_cost, &error);
    }
    if (status == ELV_OK) {
        status = find_deviation(model, fine, &deviation, &error);
    }
    if (status != ELV_OK) {
        return cli_complain_error("reproduce", cli_exit_code(status), &error);
    }
    printf("%-21s", bench->title);
    print_published(bench->published);
    printf(" %9.2g %9.2g %11.2f %5d %9.1e %9.1e\n", implicit_cost.ratio, explicit_cost.ratio,
           (double)implicit_cost.report.n_iteration / (double)implicit_cost.report.n_step,
           bench->nodes, deviation.space, deviation.time);
    return deviation.space < SPACE_ERROR
               ? CLI_DONE
               : cli_complain("reproduce", CLI_FAILED, "%s: %d nodes are too few: error %.1e",
                              bench->title, bench->nodes, deviation.space);
}

static int run_bench(const Bench* bench) {
    CliModel loaded = {0};
    CliModel fine = {0};
    int code = load_bench(bench, bench->nodes, &loaded);
    if (code != CLI_DONE) {
        return code;
    }
    code = load_bench(bench, 2 * bench->nodes, &fine);
    if (code == CLI_DONE) {
        code = print_bench(bench, loaded.model, fine.model);
        cli_model_free(&fine);
    }
    cli_model_free(&loaded);
    return code;
}

// one row of the second half
static int run_shooting(const Bench* bench) {
    CliModel loaded = {0};
    ElvError error;
    elv_error_clear(&error);
    int code = load_bench(bench, bench->nodes, &loaded);
    if (code != CLI_DONE) {
        return code;
    }
    ReproduceRod rod = {bench->title, loaded.model, bench->published[0], bench->segments};
    ElvStatus status = reproduce_shooting(&rod, &error);
    cli_model_free(&loaded);
    return status == ELV_OK ? CLI_DONE
                            : cli_complain_error("reproduce", cli_exit_code(status), &error);
}

int reproduce_p23_table1(void) {
    printf("CPU seconds per simulated second [P23 table I]; Elver: one core, this machine, best of "
           "%d runs,\n"
           "Newmark with dt = 0.01 s, 3 modes per strain; explicit: order 5, rel_tol 1e-6. Space: "
           "largest distance\n"
           "of the tip from that of a rod with twice the nodes, over the length; %.0e is allowed. "
           "Time: "
           "the same from a\n"
           "run with half the step: what dt = 0.01 s costs in accuracy\n\n",
           N_REPEAT, SPACE_ERROR);
    printf("%-21s %9s %9s %9s %9s %9s %9s %9s %11s %5s %9s %9s\n", "", "[10],[11]", "[24]", "[26]",
           "[27]", "article", "Elver", "explicit", "Newton/step", "nodes", "space", "time");
    for (int i = 0; i < N_BENCH; i++) {
        int code = run_bench(&benches[i]);
        if (code != CLI_DONE) {
            return code;
        }
    }
    reproduce_shooting_head();
    for (int i = 0; i < N_BENCH; i++) {
        int code = run_shooting(&benches[i]);
        if (code != CLI_DONE) {
            return code;
        }
    }
    return CLI_DONE;
}
