// SPDX-License-Identifier: Apache-2.0
// `elver reproduce [FIGURE]`: figures and tables of the papers from the shipped examples.
// So far: p23-table1, the cost of four single rods [P23 table I].
#include "cli.h"

#include <math.h>
#include <string.h>
#include <time.h>

/// One row of the table: a shipped example and the published ratios (negative: the method fails).
typedef struct {
    const char* title;
    const char* model;
    double published[5]; // [10] [11], [24], [26], [27], the article
} Bench;

static const Bench benches[] = {
    {"stiff cantilever rod", "@cantilever-stiff", {71.9, 336.0, 6173.0, 4.5, 7.1}},
    {"soft cantilever rod", "@cantilever-soft", {-1.0, 133.0, 1675.0, 1.9, 9.1}},
    {"stiff flying rod", "@flying-rod-stiff", {52.2, 36.0, 2806.0, 7.2, 8.5}},
    {"soft flying rod", "@flying-rod-soft", {-1.0, 1.6, 609.0, 1.8, 7.9}},
};

enum { N_BENCH = sizeof benches / sizeof benches[0], N_REPEAT = 5, NODES = 10 };

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

static int run_bench(const Bench* bench) {
    CliModel loaded;
    CliOverrides overrides = {0};
    char nodes[16];
    snprintf(nodes, sizeof nodes, "%d", NODES);
    if (!cli_override(&overrides, "rod.nodes", nodes)) {
        return cli_complain("reproduce", CLI_FAILED, "out of memory");
    }
    int code = cli_model_load("reproduce", bench->model, &overrides, &loaded);
    cli_overrides_free(&overrides);
    if (code != CLI_DONE) {
        return code;
    }
    ElvError error;
    elv_error_clear(&error);
    Cost implicit_cost, explicit_cost;
    ElvSimulateDef method = elv_model_simulate(loaded.model);
    ElvStatus status = measure(loaded.model, method, &implicit_cost, &error);
    if (status == ELV_OK) {
        method.method = ELV_METHOD_EXPLICIT;
        method.step = 0.0;
        method.rel_tol = 1e-6;
        method.abs_tol = 1e-8;
        status = measure(loaded.model, method, &explicit_cost, &error);
    }
    if (status == ELV_OK) {
        printf("%-21s", bench->title);
        print_published(bench->published);
        printf(" %9.2g %9.2g %10.2f\n", implicit_cost.ratio, explicit_cost.ratio,
               (double)implicit_cost.report.n_iteration / (double)implicit_cost.report.n_step);
    } else {
        code = cli_complain_error("reproduce", cli_exit_code(status), &error);
    }
    cli_model_free(&loaded);
    return code;
}

static int reproduce_table1(void) {
    printf("CPU seconds per simulated second [P23 table I]; Elver: one core, this machine, best of "
           "%d\n"
           "runs, Newmark with dt = 0.01 s, 3 modes per strain, %d nodes a rod; explicit: order 5, "
           "rel_tol 1e-6\n\n",
           N_REPEAT, NODES);
    printf("%-21s %9s %9s %9s %9s %9s %9s %9s %10s\n", "", "[10],[11]", "[24]", "[26]", "[27]",
           "article", "Elver", "explicit", "Newton/step");
    for (int i = 0; i < N_BENCH; i++) {
        int code = run_bench(&benches[i]);
        if (code != CLI_DONE) {
            return code;
        }
    }
    return CLI_DONE;
}

int cli_cmd_reproduce(int argc, char** argv) {
    static const char* const names[] = {"p23-table1"};
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
    if (!name) {
        printf("p23-table1  cost of four single rods, beside the published columns\n");
        return CLI_DONE;
    }
    if (strcmp(name, names[0]) == 0) {
        return reproduce_table1();
    }
    const char* near = elv_suggest(name, names, sizeof names / sizeof names[0]);
    return cli_complain("reproduce", CLI_USAGE,
                        near ? "no figure '%s', did you mean '%s'?"
                             : "no figure '%s'; see `elver reproduce`",
                        name, near);
}
