// SPDX-License-Identifier: Apache-2.0
// A long trajectory of many rods as an HTML file: time of looking at a state, of packing and writing, and its size.
//     bench_view [RODS [RECORDS [FILE.html]]]        50 rods, 10,000 records
#include "bench.h"

#include "elver/view.h"

#include <math.h>
#include <sys/stat.h>

// rods side by side, each with bending in two planes
static char* make_text(int n_rod) {
    char* text = calloc((size_t)n_rod + 2, 512);
    if (!text) {
        exit(1);
    }
    char* at = text;
    at += sprintf(at, "elver: 1\nname: reed\ngravity: [0, 0, -9.81]\ntree:\n");
    for (int i = 0; i < n_rod; i++) {
        at += sprintf(at,
                      "  - {rod: r%d, pose: {xyz: [%g, %g, 0], rpy: [0, -1.57, 0]}, length: 0.5,\n"
                      "     section: {circle: {diameter: 0.02}}, strain: {bend_y: 3, bend_z: 3},\n"
                      "     material: {density: 1000, young: 1e6, poisson: 0.3}}\n",
                      i, 0.1 * (i % 10), 0.1 * (i / 10));
    }
    (void)sprintf(at, "record: {signals: [energy, r0.tip.position]}\n");
    return text;
}

// sway as reed in the wind, each rod with frequencies of its own
static void sway(ElvState* state, double t) {
    state->t = t;
    for (int i = 0; i < state->nq; i++) {
        double omega = 3.0 + 0.7 * (i % 11) + 4.0 * (i % 3);
        double size = 2.0 / (1.0 + 3.0 * (i % 3));
        state->q[i] = size * sin(omega * t + i);
        state->v[i] = size * omega * cos(omega * t + i);
        state->a[i] = -omega * omega * state->q[i];
    }
}

int main(int argc, char** argv) {
    int n_rod = argc > 1 ? atoi(argv[1]) : 50;
    int n_record = argc > 2 ? atoi(argv[2]) : 10000;
    const char* path = argc > 3 ? argv[3] : "bench_view.html";
    ElvError error;
    ElvView* view = NULL;
    ElvViewFile* file = NULL;
    struct stat info;
    char* text = make_text(n_rod);
    BenchCase c = bench_text(text);
    bench_check(elv_view_create(c.model, NULL, &view, &error), &error);
    double* value = calloc((size_t)elv_view_n_value(view), sizeof *value);
    double* tau = calloc((size_t)elv_model_nv(c.model), sizeof *tau);
    bench_check(elv_view_file_create(path, &file, &error), &error);
    bench_check(elv_view_file_begin(file, view, "reed", &error), &error);
    double look = 0.0, write = 0.0;
    for (int i = 0; i < n_record; i++) {
        double start = bench_seconds();
        sway(c.state, 0.01 * i);
        elv_idm(c.model, c.data, c.state, tau);
        elv_view_eval(view, c.model, c.data, c.state, value);
        double seen = bench_seconds();
        bench_check(elv_view_file_append(file, c.state->t, value, &error), &error);
        look += seen - start;
        write += bench_seconds() - seen;
    }
    double start = bench_seconds();
    bench_check(elv_view_file_close(file, &error), &error);
    write += bench_seconds() - start;
    long size = stat(path, &info) == 0 ? (long)info.st_size : 0;
    printf("%d rods, %d records of %d numbers: look %.2f s, write %.2f s, %.1f MB, %.2f bytes a "
           "number\n",
           n_rod, n_record, elv_view_n_value(view), look, write, 1e-6 * (double)size,
           (double)size / n_record / elv_view_n_value(view));
    if (argc <= 3) {
        (void)remove(path);
    }
    free(text);
    free(value);
    free(tau);
    elv_view_free(view);
    bench_close(&c);
    return 0;
}
