// SPDX-License-Identifier: Apache-2.0
// Whole simulations of the shipped models, as their files ask for them, records included: CPU
// seconds per simulated second, steps, evaluations of the dynamics and the time of each.
//     bench_run            table
//     bench_run MODEL      one simulation, for valgrind --tool=callgrind
#include "bench.h"

enum { N_RUN = 3 };

static bool count_record(void* user, const ElvModel* model, ElvData* data, const ElvState* state) {
    (void)model;
    (void)data;
    (void)state;
    ++*(long*)user;
    return true;
}

// one simulation from the initial state; returns CPU seconds
static double simulate(BenchCase* c, ElvIntegratorReport* report, long* n_record) {
    ElvError error;
    elv_state_reset(c->model, c->state);
    ElvSimulateOptions options = elv_simulate_options_default(c->model, c->state);
    *n_record = 0;
    options.record = count_record;
    options.user = n_record;
    double start = bench_seconds();
    bench_check(elv_simulate(c->model, c->state, &options, report, &error), &error);
    return bench_seconds() - start;
}

static void measure(const char* name) {
    BenchCase c = bench_read(name);
    ElvIntegratorReport report = {0};
    long n_record = 0;
    double best = 1e30;
    double spent = 0.0;
    // once is enough for the long ones
    for (int i = 0; i < N_RUN && spent < 2.0; i++) {
        double seconds = simulate(&c, &report, &n_record);
        spent += seconds;
        best = seconds < best ? seconds : best;
    }
    double duration = elv_model_simulate(c.model).duration;
    printf("%-24s %4d %8.3g %10.3g %8ld %7ld %9ld %8ld %8.2f\n", name, c.state->nv, duration,
           best / duration, report.n_step, report.n_reject, report.n_evaluation, n_record,
           1e6 * best / (double)report.n_evaluation);
    fflush(stdout);
    bench_close(&c);
}

int main(int argc, char** argv) {
    static char name[BENCH_MODEL_MAX][BENCH_NAME];
    printf("%-24s %4s %8s %10s %8s %7s %9s %8s %8s\n", "run", "nv", "s", "CPU s/s", "steps",
           "rejects", "evals", "records", "us/eval");
    if (argc > 1) {
        BenchCase c = bench_read(argv[1]);
        ElvIntegratorReport report;
        long n_record = 0;
        (void)simulate(&c, &report, &n_record);
        bench_close(&c);
        return 0;
    }
    int n = bench_list(name);
    for (int i = 0; i < n; i++) {
        measure(name[i]);
    }
    return 0;
}
