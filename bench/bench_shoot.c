// SPDX-License-Identifier: Apache-2.0
// CPU time of one static equilibrium by shooting from a warm start: the load of the tendon robots of [OCP] test 1
// goes back and forth between two steps of their path, 60 N and 67.5 N, with the tendon's direction at rest (as in the
// paper) and following the strain.
//     bench_shoot
#include "bench.h"

static ElvShooting* open_robot(const char* name, const char* depends, int segments) {
    char path[512];
    ElvModel* model = NULL;
    ElvShooting* shooting = NULL;
    ElvError error;
    const ElvOverride set[] = {{"tendon.strain_dependence", depends}};
    snprintf(path, sizeof path, "%s/models/%s.yaml", ELVER_SOURCE_DIR, name);
    bench_check(elv_model_read_file(path, set, 1, &model, &error), &error);
    ElvStaticsDef method = elv_model_statics(model);
    method.shooting.segments = segments;
    bench_check(elv_shoot_create(model, &method, &shooting, &error), &error);
    // the model is borrowed, and both last as long as the benchmark
    return shooting;
}

// least CPU time of an equilibrium, s
static double time_load(ElvShooting* shooting) {
    double least = 1e9;
    ElvError error;
    for (int i = 0; i < 8; i++) {
        bench_check(elv_shoot_statics(shooting, i % 2 == 0 ? 60.0 : 67.5, &error), &error);
    }
    for (int sample = 0; sample < BENCH_SAMPLE; sample++) {
        enum { CALLS = 20 };
        double start = bench_seconds();
        for (int i = 0; i < CALLS; i++) {
            bench_check(elv_shoot_statics(shooting, i % 2 == 0 ? 60.0 : 67.5, &error), &error);
        }
        double seconds = (bench_seconds() - start) / CALLS;
        least = seconds < least ? seconds : least;
    }
    return least;
}

int main(void) {
    static const char* const name[] = {"tacr-convergent", "tacr-spiral"};
    static const char* const depends[] = {"false", "true"};
    printf("statics by shooting    strain  segments  steps  iterations     ms\n");
    for (int k = 0; k < 8; k++) {
        int segments = k % 2 == 0 ? 1 : 4;
        ElvShooting* shooting = open_robot(name[k / 4], depends[k / 2 % 2], segments);
        double seconds = time_load(shooting);
        ElvShootReport report = elv_shoot_report(shooting);
        printf("%-20s %8s %9d %6d %11d %6.3f\n", name[k / 4],
               k / 2 % 2 == 0 ? "at rest" : "follows", segments, report.n_step,
               report.last_iterations, 1e3 * seconds);
        elv_shoot_free(shooting);
    }
    return 0;
}
