// SPDX-License-Identifier: Apache-2.0
// CPU time of kinematics, inverse dynamics and both mass matrices, for the shipped models and for
// chains and rods of growing size. Ratios are to the inverse dynamics of the same model and run.
//     bench_idm                 table
//     bench_idm MODEL CALLS     inverse dynamics alone, for valgrind --tool=callgrind
#include "bench.h"

static void kinematics(BenchCase* c, double* out) {
    (void)out;
    elv_kinematics(c->model, c->data, c->state);
}

static void idm(BenchCase* c, double* out) {
    elv_idm(c->model, c->data, c->state, out);
}

static void mass_matrix(BenchCase* c, double* out) {
    elv_mass_matrix(c->model, c->data, c->state, out);
}

static void mass_matrix_idm(BenchCase* c, double* out) {
    elv_mass_matrix_idm(c->model, c->data, c->state, out);
}

static void measure(const char* name, BenchCase* c) {
    static const BenchCall call[] = {kinematics, idm, mass_matrix, mass_matrix_idm};
    size_t nv = (size_t)c->state->nv;
    double* out = malloc((nv * nv + 1) * sizeof *out);
    double us[4] = {0.0};
    for (int i = 0; i < 4 && out; i++) {
        us[i] = 1e6 * bench_time(call[i], c, out);
    }
    printf("%-24s %4zu %9.3f %9.3f %9.3f %9.3f %7.2f %7.2f %7.2f\n", name, nv, us[1], us[0], us[2],
           us[3], us[0] / us[1], us[2] / us[1], us[3] / us[1]);
    fflush(stdout);
    free(out);
}

int main(int argc, char** argv) {
    if (argc > 1) {
        return bench_count(argc, argv, idm);
    }
    printf("%-24s %4s %9s %9s %9s %9s %23s\n", "us per call", "nv", "idm", "kinemat.", "M",
           "M by idm", "ratios to idm");
    bench_all(measure);
    return 0;
}
