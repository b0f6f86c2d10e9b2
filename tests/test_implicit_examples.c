// SPDX-License-Identifier: Apache-2.0
// The cantilevers and flying rods of [P23 fig 5] and [P23 fig 6] against the trajectories of an
// independent program, which are good to 1e-8 of the length: errors of a method of order 2 fall by 4
// as the step halves, and the extrapolation (4 x_fine - x_coarse) / 3 of two runs has no error of that
// order left.
#include "implicit_case.h"

/// An example and the steps at which it is resolved.
typedef struct {
    const char* name;
    int n_end;      // positions in the golden file: tip, or root and tip
    double length;  // m
    double every;   // s, as in the golden file
    double t_end;   // s
    double step[3]; // each half of the one before
} Example;

// the stiff ones resolve their highest mode from these steps on
static const Example examples[] = {
    {"cantilever-soft", 1, 10.0, 0.01, 2.0, {0.01, 0.005, 0.0025}},
    {"cantilever-stiff", 1, 0.4, 0.001, 0.2, {1e-3 / 32, 1e-3 / 64, 1e-3 / 128}},
    {"flying-rod-soft", 2, 10.0, 0.01, 2.5, {0.01, 0.005, 0.0025}},
    {"flying-rod-stiff", 2, 1.0, 0.01, 1.0, {0.01 / 4, 0.01 / 8, 0.01 / 16}},
};

enum { SOFT_CANTILEVER, STIFF_CANTILEVER, SOFT_ROD, STIFF_ROD, N_EXAMPLE };

// columns of a run that belong to the golden ones; the plane cantilevers have x and y alone
static int columns(const Example* example, int column[6]) {
    static const int ends[6] = {1, 2, 3, 4, 5, 6};
    static const int tip[2] = {4, 5};
    int n = example->n_end == 2 ? 6 : 2;
    memcpy(column, n == 6 ? ends : tip, (size_t)n * sizeof *column);
    return n;
}

static ImplicitRun run_example(const Example* example, ElvMethod method, double step) {
    // a sanitizer leaves time for a part
    ImplicitRun run = {.model = example->name,
                       .method = method,
                       .step = step,
                       .t_end = IS_SANITIZED ? 0.1 * example->t_end : example->t_end,
                       .every = example->every};
    run_simulate(&run, "rod");
    return run;
}

// largest distance of fine + factor (fine - coarse) from the golden file, over the length
static double distance(const Example* example,
                       const Golden* golden,
                       const ImplicitRun* fine,
                       const ImplicitRun* coarse,
                       double factor) {
    int column[6];
    int n = columns(example, column);
    double worst = 0.0;
    CHECK_TRUE(fine->n_row == (IS_SANITIZED ? golden->n_row / 10 + 1 : golden->n_row));
    for (int i = 0; i < fine->n_row; i++) {
        CHECK_NEAR(fine->row[i][0], golden->value[i][0], 1e-9);
        for (int k = 0; k < n; k++) {
            double x = fine->row[i][column[k]];
            double more = coarse ? factor * (x - coarse->row[i][column[k]]) : 0.0;
            worst = fmax(worst, fabs(x + more - golden->value[i][1 + k]));
        }
    }
    return worst / example->length;
}

// largest distance of the momenta from the impulses of the loads
static double momentum_error(const Golden* golden, const ImplicitRun* run) {
    double worst = 0.0;
    for (int i = 0; i < run->n_row; i++) {
        for (int k = 0; k < 6; k++) {
            worst = fmax(worst, fabs(run->row[i][7 + k] - golden->value[i][7 + k]));
        }
    }
    return worst;
}

static void check_order(const Example* example, ElvMethod method) {
    Golden* golden = golden_read(example->name);
    ImplicitRun run[3];
    double error[3], momentum[3] = {0.0};
    for (int i = 0; i < 3; i++) {
        run[i] = run_example(example, method, example->step[i]);
        error[i] = distance(example, golden, &run[i], NULL, 0.0);
        if (example->n_end == 2) {
            momentum[i] = momentum_error(golden, &run[i]);
        }
    }
    double rest = distance(example, golden, &run[2], &run[1], 1.0 / 3.0);
    print_message("%s: errors %.3g %.3g %.3g of the length, extrapolated %.2g; momenta %.2g %.2g "
                  "%.2g\n",
                  example->name, error[0], error[1], error[2], rest, momentum[0], momentum[1],
                  momentum[2]);
    CHECK_NEAR(error[0] / error[1], 4.0, 0.2);
    CHECK_NEAR(error[1] / error[2], 4.0, 0.2);
    CHECK_TRUE(rest < 1e-5);
    if (example->n_end == 2) {
        CHECK_NEAR(momentum[0] / momentum[1], 4.0, 0.2);
        CHECK_NEAR(momentum[1] / momentum[2], 4.0, 0.2);
    }
    for (int i = 0; i < 3; i++) {
        run_free(&run[i]);
    }
    free(golden);
}

static void test_newmark(void** state) {
    (void)state;
    for (int i = 0; i < N_EXAMPLE; i++) {
        check_order(&examples[i], ELV_METHOD_NEWMARK);
    }
}

static void test_generalized_alpha(void** state) {
    (void)state;
    for (int i = 0; i < N_EXAMPLE; i++) {
        check_order(&examples[i], ELV_METHOD_GENERALIZED_ALPHA);
    }
}

// ---- whole runs at the step of the paper

static ImplicitRun whole_run(int i, double t_end) {
    ImplicitRun run = {.model = examples[i].name,
                       .method = ELV_METHOD_NEWMARK,
                       .step = 0.01,
                       .t_end = t_end,
                       .every = 0.01};
    run_simulate(&run, "rod");
    return run;
}

// largest change of the energy from record i_first on
static double energy_range(const ImplicitRun* run, int i_first) {
    double low = INFINITY, high = -INFINITY;
    for (int i = i_first; i < run->n_row; i++) {
        low = fmin(low, run->energy[i]);
        high = fmax(high, run->energy[i]);
    }
    return high - low;
}

// energies relative to what is stored at the start, or when the loads are gone. The stiff rods have
// modes that turn through more than a radian a step: their energy is bounded, no more.
static void test_whole_runs(void** state) {
    (void)state;
    ImplicitRun run = whole_run(SOFT_CANTILEVER, 10.0);
    // it hangs at -300.5 J when all has been lost
    CHECK_TRUE(energy_range(&run, 0) < 1e-3 * (run.energy[0] + 300.485));
    CHECK_TRUE(run_iterations(&run) <= 3.0);
    run_free(&run);

    run = whole_run(SOFT_ROD, 10.0);
    CHECK_TRUE(energy_range(&run, 500) < 1e-3 * run.energy[500]);
    CHECK_TRUE(run_iterations(&run) <= 3.0);
    run_free(&run);

    run = whole_run(STIFF_CANTILEVER, 1.0);
    CHECK_TRUE(energy_range(&run, 0) < 0.25 * run.energy[0]);
    CHECK_TRUE(run_iterations(&run) <= 5.0);
    run_free(&run);

    run = whole_run(STIFF_ROD, 5.0);
    CHECK_TRUE(energy_range(&run, 100) < 0.5 * run.energy[100]);
    CHECK_TRUE(run_iterations(&run) <= 5.0);
    run_free(&run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_newmark),
        cmocka_unit_test(test_generalized_alpha),
        cmocka_unit_test(test_whole_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
