// SPDX-License-Identifier: Apache-2.0
// `elver reproduce [FIGURE]`: figures and tables of the papers from the shipped examples.
// Here: p23-table1, the cost of four single rods [P23 table I]. Each runs with the fewest quadrature nodes,
// an even number, whose error in space is below a tenth of what is allowed. Errors stand beside the cost:
// that in space against twice the nodes, that in time against half the step.
#include "reproduce.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/// One row of the table: a shipped example and the published ratios (negative: the method fails).
typedef struct {
    const char* title;
    const char* model;
    int nodes;           // quadrature nodes of the rod
    double published[5]; // [10] [11], [24], [26], [27], the article
} Bench;

static const Bench benches[] = {
    {"stiff cantilever rod", "@cantilever-stiff", 8, {71.9, 336.0, 6173.0, 4.5, 7.1}},
    {"soft cantilever rod", "@cantilever-soft", 10, {-1.0, 133.0, 1675.0, 1.9, 9.1}},
    {"stiff flying rod", "@flying-rod-stiff", 6, {52.2, 36.0, 2806.0, 7.2, 8.5}},
    {"soft flying rod", "@flying-rod-soft", 8, {-1.0, 1.6, 609.0, 1.8, 7.9}},
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
        status = elv_simulate(model, state, &options, &cost->report, error);
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

/// Where the tip has been, record by record.
typedef struct {
    ElvFrame tip;
    ElvVec3* at;
    int n, capacity;
} Path;

static bool record_tip(void* user, const ElvModel* model, ElvData* data, const ElvState* state) {
    Path* path = user;
    (void)state;
    if (path->n < path->capacity) {
        path->at[path->n++] = elv_frame_pose(model, data, path->tip).p;
    }
    return true;
}

// the path of the tip, a record for each step of the model, by steps cut into n_cut
static ElvStatus trace_tip(const ElvModel* model, int n_cut, Path* path, ElvError* error) {
    ElvState* state = NULL;
    ElvIntegratorReport report;
    ElvStatus status = elv_model_frame(model, "rod.tip", &path->tip, error);
    if (status == ELV_OK) {
        status = elv_state_create(model, &state, error);
    }
    if (status == ELV_OK) {
        ElvSimulateOptions options = elv_simulate_options_default(model, state);
        options.record_every = options.method.step;
        options.record = record_tip;
        options.user = path;
        path->capacity = (int)(options.method.duration / options.method.step) + 2;
        options.method.step /= n_cut;
        path->at = calloc((size_t)path->capacity, sizeof *path->at);
        status = path->at ? elv_simulate(model, state, &options, &report, error)
                          : elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    elv_state_free(state);
    return status;
}

// largest distance of two paths of the tip of a rod, over its length
static double compare_paths(const ElvModel* model, const Path* path, const Path* other) {
    double distance = path->n == other->n ? 0.0 : INFINITY;
    for (int i = 0; i < path->n && i < other->n; i++) {
        distance = fmax(distance, elv_vec3_norm(elv_vec3_sub(path->at[i], other->at[i])));
    }
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
    Path path[3] = {{.n = 0}, {.n = 0}, {.n = 0}};
    ElvStatus status = trace_tip(model, 1, &path[0], error);
    if (status == ELV_OK) {
        status = trace_tip(fine, 1, &path[1], error);
    }
    if (status == ELV_OK) {
        status = trace_tip(model, 2, &path[2], error);
    }
    deviation->space = compare_paths(model, &path[0], &path[1]);
    deviation->time = compare_paths(model, &path[0], &path[2]);
    for (int i = 0; i < 3; i++) {
        free(path[i].at);
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

static int reproduce_table1(void) {
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
    return CLI_DONE;
}

/// What can be reproduced.
static const struct {
    const char* name;
    const char* text;
    int (*run)(void);
} figures[] = {
    {"p23-table1", "cost of four single rods, beside the published columns", reproduce_table1},
    {"rkmk-table3",
     "errors of six schemes of finite differences, as published and as they should be",
     reproduce_rkmk_table3},
};

enum { N_FIGURE = sizeof figures / sizeof figures[0] };

static int reproduce(const char* name) {
    const char* names[N_FIGURE];
    for (int i = 0; i < N_FIGURE; i++) {
        names[i] = figures[i].name;
        if (strcmp(name, names[i]) == 0) {
            return figures[i].run();
        }
    }
    const char* near = elv_suggest(name, names, N_FIGURE);
    return cli_complain("reproduce", CLI_USAGE,
                        near ? "no figure '%s', did you mean '%s'?"
                             : "no figure '%s'; see `elver reproduce`",
                        name, near);
}

int cli_cmd_reproduce(int argc, char** argv) {
    CliParser parser = {.command = "reproduce", .argc = argc, .argv = argv};
    const char* word = NULL;
    const char* name = NULL;
    for (int id = cli_next(&parser, &word); id != CLI_END; id = cli_next(&parser, &word)) {
        if (id == CLI_HELP) {
            cli_print_help("reproduce");
            return CLI_DONE;
        }
        if (id != CLI_OPERAND || name) {
            return id == CLI_BAD ? CLI_USAGE
                                 : cli_complain("reproduce", CLI_USAGE, "one figure at a time");
        }
        name = word;
    }
    if (name) {
        return reproduce(name);
    }
    for (int i = 0; i < N_FIGURE; i++) {
        printf("%-12s %s\n", figures[i].name, figures[i].text);
    }
    return CLI_DONE;
}
