// SPDX-License-Identifier: Apache-2.0
// How the singular Riccati sweep of forward dynamics fails: error of the strain acceleration that it finds, against
// the number of steps along the rod, for rods of growing slenderness l / r. Solutions grow by e^(2 l / r) on the
// way. docs/theory/strong-inverse.md says what the table means.
#include "bench.h"

#include "strong/singular_sweep.h"

#include <math.h>

static ElvRiccati* open_rod(double slenderness, const char* strain, double bend, BenchCase* c) {
    char text[1024];
    ElvRiccati* riccati;
    ElvError error;
    snprintf(
        text, sizeof text,
        "elver: 1\n"
        "gravity: [0, -9.81, 0]\n"
        "tree:\n"
        "  - {rod: rod, length: 1, section: {circle: {radius: %.17g}},\n"
        "     material: {density: 1000, young: 1e6, poisson: 0.3}, strain: %s, basis: legendre}\n",
        1.0 / slenderness, strain);
    *c = bench_text(text);
    for (int i = 0; i < c->state->nq; i++) {
        c->state->q[i] *= bend;
    }
    bench_check(elv_riccati_create(c->model, 64, &riccati, &error), &error);
    bench_check(elv_riccati_solve_state(riccati, c->state, false, &error), &error);
    return riccati;
}

static void print_table(const char* strain, double bend, double noise) {
    static const double SLENDERNESS[] = {2.0, 5.0, 10.0, 20.0, 50.0, 100.0};
    static const int STEPS[] = {8, 16, 32, 64, 128, 256, 512};
    enum { N_STEPS = sizeof STEPS / sizeof *STEPS };
    printf("\nstrains %s, curvature about %g / l, error %g in the stress\n%8s %10s %10s", strain,
           0.1 * bend, noise, "l/r", "e^(2l/r)", "|S|");
    for (int k = 0; k < N_STEPS; k++) {
        printf(" %9d", STEPS[k]);
    }
    printf("\n");
    for (size_t i = 0; i < sizeof SLENDERNESS / sizeof *SLENDERNESS; i++) {
        BenchCase c;
        ElvRiccati* riccati = open_rod(SLENDERNESS[i], strain, bend, &c);
        ElvSingularReport report[N_STEPS];
        for (int k = 0; k < N_STEPS; k++) {
            ElvSingularOptions options = {.steps = STEPS[k], .nodes = 20, .noise = noise};
            ElvError error;
            bench_check(elv_singular_sweep(riccati, &options, &report[k], &error), &error);
        }
        printf("%8g %10.1e %10.1e", SLENDERNESS[i], exp(report[0].growth),
               report[N_STEPS - 1].size);
        for (int k = 0; k < N_STEPS; k++) {
            printf(" %9.1e", report[k].is_finite ? report[k].error : INFINITY);
        }
        printf("\n");
        elv_riccati_free(riccati);
        bench_close(&c);
    }
}

int main(void) {
    printf("relative error of the strain acceleration, by steps along the rod\n");
    print_table("{bend_z: 3}", 0.0, 0.0);
    print_table("{bend_z: 3}", 0.0, 1e-9);
    print_table("{bend_z: 3}", 10.0, 0.0);
    print_table("{kirchhoff: 2}", 10.0, 0.0);
    print_table("{reissner: 2}", 10.0, 0.0);
    return 0;
}
