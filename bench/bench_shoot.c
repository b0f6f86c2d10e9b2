// SPDX-License-Identifier: Apache-2.0
// CPU time of shooting. Statics: one equilibrium from a warm start, where the load of the tendon robots of [OCP] test 1 goes
// back and forth between two steps of their path, 60 N and 67.5 N, with the tendon's direction at rest (as in the
// paper) and following the strain. Motion: [OCP] tests 2 and 3, without records.
//     bench_shoot
//     bench_shoot MODEL FOLLOWS SEGMENTS CALLS    statics of one robot, FOLLOWS true or false, for instruction counts
//     bench_shoot MODEL SECONDS                   a run in time, likewise
#include "bench.h"

static ElvShooting* open_robot(const char* name, const char* depends, int segments) {
    char path[512];
    ElvModel* model = NULL;
    ElvShooting* shooting = NULL;
    ElvError error;
    const ElvOverride set[] = {{"tendon.strain_dependence", depends}};
    snprintf(path, sizeof path, "%s/models/%.63s.yaml", ELVER_SOURCE_DIR, name);
    bench_check(elv_model_read_file(path, set, 1, &model, &error), &error);
    ElvStaticsDef method = elv_model_statics(model);
    method.shooting.segments = segments;
    bench_check(elv_shoot_create(model, &method, &shooting, &error), &error);
    // the model is borrowed, and both last as long as the benchmark
    return shooting;
}

static void load(ElvShooting* shooting, long n_call) {
    ElvError error;
    for (long i = 0; i < n_call; i++) {
        bench_check(elv_shoot_statics(shooting, i % 2 == 0 ? 60.0 : 67.5, &error), &error);
    }
}

// least CPU time of an equilibrium, s
static double time_load(ElvShooting* shooting) {
    double least = 1e9;
    load(shooting, 8);
    for (int sample = 0; sample < BENCH_SAMPLE; sample++) {
        enum { CALLS = 20 };
        double start = bench_seconds();
        load(shooting, CALLS);
        double seconds = (bench_seconds() - start) / CALLS;
        least = seconds < least ? seconds : least;
    }
    return least;
}

static void all_statics(void) {
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
}

// a run of some seconds without records
static ElvIntegratorReport run(const char* name, const char* segments, double seconds) {
    char path[512];
    ElvModel* model = NULL;
    ElvState* state = NULL;
    ElvError error;
    const ElvOverride set[] = {{"simulate.segments", segments}};
    snprintf(path, sizeof path, "%s/models/%.63s.yaml", ELVER_SOURCE_DIR, name);
    bench_check(elv_model_read_file(path, set, segments ? 1 : 0, &model, &error), &error);
    bench_check(elv_state_create(model, &state, &error), &error);
    elv_state_reset(model, state);
    ElvSimulateOptions options = elv_simulate_options_default(model, state);
    options.record = NULL;
    options.t_end = seconds;
    ElvIntegratorReport report;
    bench_check(elv_simulate(model, state, &options, &report, &error), &error);
    elv_state_free(state);
    elv_model_free(model);
    return report;
}

static void all_motion(void) {
    static const char* const name[] = {"tacr-release", "tacr-release-soft", "flying-stick"};
    static const char* const segments[] = {"2", "4", "10"};
    printf("\nmotion by shooting  segments  steps  iterations  tangents  shots  CPU s/s\n");
    for (int k = 0; k < 9; k++) {
        double least = 1e9;
        ElvIntegratorReport report = {0};
        for (int sample = 0; sample < 3; sample++) {
            double start = bench_seconds();
            report = run(name[k / 3], segments[k % 3], 0.5);
            double seconds = (bench_seconds() - start) / 0.5;
            least = seconds < least ? seconds : least;
        }
        printf("%-19s %8s %6ld %11ld %9ld %6ld %8.3f\n", name[k / 3], segments[k % 3],
               report.n_step, report.n_iteration, report.n_jacobian, report.n_evaluation, least);
    }
}

int main(int argc, char** argv) {
    if (argc == 5) {
        ElvShooting* shooting = open_robot(argv[1], argv[2], (int)strtol(argv[3], NULL, 10));
        load(shooting, strtol(argv[4], NULL, 10));
        elv_shoot_free(shooting);
    } else if (argc == 3) {
        (void)run(argv[1], NULL, strtod(argv[2], NULL));
    } else {
        all_statics();
        all_motion();
    }
    return 0;
}
