// SPDX-License-Identifier: Apache-2.0
// CPU time of one forward dynamics, for the shipped models and for chains and rods of growing size.
//     bench_forward_dynamics                 table
//     bench_forward_dynamics MODEL CALLS     calls alone, for valgrind --tool=callgrind
#include "bench.h"

static void forward_dynamics(BenchCase* c, double* out) {
    ElvError error;
    bench_check(elv_forward_dynamics(c->model, c->data, c->state, &error), &error);
    out[0] = c->state->a[0];
}

static void measure(const char* name, BenchCase* c) {
    double out[1];
    double seconds = bench_time(forward_dynamics, c, out);
    int nv = c->state->nv;
    printf("%-24s %4d %10.3f %10.3f\n", name, nv, 1e6 * seconds, 1e6 * seconds / nv);
    fflush(stdout);
}

int main(int argc, char** argv) {
    if (argc > 1) {
        return bench_count(argc, argv, forward_dynamics);
    }
    printf("%-24s %4s %10s %10s\n", "forward dynamics", "nv", "us", "us/nv");
    bench_all(measure);
    return 0;
}
