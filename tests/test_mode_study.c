// SPDX-License-Identifier: Apache-2.0
// The distance between solutions with n and n + 1 modes [P20 (61)]: against integrals done by hand, falling
// as [P20] says, and zero where the exact solution has n modes.
#include "model_case.h"

#include "elver/analysis.h"

static ElvModeStudy* study_of(const char* text, bool is_static) {
    ElvError error;
    ElvSpec* spec = NULL;
    ElvModeStudy* study = NULL;
    CHECK_STATUS(elv_spec_read_text(text, strlen(text), "case", NULL, 0, &spec, &error), &error);
    CHECK_STATUS(elv_mode_study_create(spec, is_static, NULL, NULL, &study, &error), &error);
    elv_spec_free(spec);
    return study;
}

// a cantilever of small deflection under a tip force: K = -F (1 - s) / EI. One mode: its mean; two: exact.
// The distance is the integral of (F/EI)^2 (s - 1/2)^2, over loads 1 and 2 times 1e-4
static void test_statics_against_integral(void** unused) {
    (void)unused;
    ElvModeStudy* study = study_of(
        "elver: 1\n"
        "tree:\n"
        "  - {rod: rod, length: 1, stiffness: [1, 2, 1, 1, 1, 1], inertia: [1, 1, 1, 1, 1, 1],\n"
        "     strain: {bend_y: 1}}\n"
        "loads:\n"
        "  - {force: [0, 0, \"1e-4*t\"], at: rod.tip}\n"
        "statics: {loads: [1, 2]}\n",
        true);
    CHECK_TRUE(study->n_rod == 1);
    assert_string_equal(study->rod[0].name, "rod");
    double load = 1e-4 / 2.0;
    double mean = 0.5 * (1.0 + 4.0) * load * load;
    // nonlinear terms are some 1e-8 of it
    CHECK_NEAR(study->rod[0].error[ELV_STRAIN_BEND_Y], mean / 12.0, 1e-6 * mean);
    CHECK_NEAR(study->rod[0].size[ELV_STRAIN_BEND_Y], mean / 3.0, 1e-6 * mean);
    for (int k = 0; k < ELV_N_STRAIN; k++) {
        CHECK_TRUE(study->rod[0].is_active[k] == (k == ELV_STRAIN_BEND_Y));
        if (k != ELV_STRAIN_BEND_Y) {
            CHECK_NEAR(study->rod[0].error[k], 0.0, 0.0);
        }
    }
    elv_mode_study_free(study);
}

// rolled up by a torque the curvature is constant: one mode is exact
static void test_exact_solution_has_no_distance(void** unused) {
    (void)unused;
    ElvModeStudy* study = study_of(
        "elver: 1\n"
        "tree:\n"
        "  - {rod: rod, length: 1, stiffness: [1, 2, 1, 1, 1, 1], inertia: [1, 1, 1, 1, 1, 1],\n"
        "     strain: {bend_y: 1}}\n"
        "loads:\n"
        "  - {torque: [0, t, 0], at: rod.tip}\n"
        "statics: {loads: [1, 2]}\n",
        true);
    CHECK_TRUE(study->rod[0].error[ELV_STRAIN_BEND_Y] <= 1e-18);
    CHECK_NEAR(study->rod[0].size[ELV_STRAIN_BEND_Y], 0.5 * (0.25 + 1.0), 1e-9);
    elv_mode_study_free(study);
}

// strains count from those of the rod at rest: a curved one that nothing bends has none
static void test_size_is_against_reference(void** unused) {
    (void)unused;
    ElvModeStudy* study = study_of(
        "elver: 1\n"
        "tree:\n"
        "  - {rod: rod, length: 1, stiffness: [1, 2, 1, 1, 1, 1], inertia: [1, 1, 1, 1, 1, 1],\n"
        "     strain: {bend_y: 2}, reference: {bend_y: 3 + s}}\n"
        "loads:\n"
        "  - {torque: [0, t, 0], at: rod.tip}\n"
        "statics: {loads: [0, 1]}\n",
        true);
    // 1/2 of curvature at the second load, none at the first
    CHECK_NEAR(study->rod[0].size[ELV_STRAIN_BEND_Y], 0.5 * 0.25, 1e-9);
    elv_mode_study_free(study);
}

// in motion: falls below 1 % of eps(2/1), as [P20] finds
static void test_motion(void** unused) {
    (void)unused;
    double error[5];
    for (int n = 1; n <= 5; n += 2) {
        char text[1024];
        snprintf(text, sizeof text,
                 "elver: 1\n"
                 "tree:\n"
                 "  - rod: rod\n"
                 "    length: 1\n"
                 "    section: {circle: {radius: 0.01}}\n"
                 "    material: {density: 1000, young: 1e8, damping: 1e-3}\n"
                 "    strain: {bend_y: %d}\n"
                 "    basis: chebyshev\n"
                 "    initial: {bend_y: 1}\n"
                 "simulate: {method: generalized-alpha, duration: 0.3, step: 0.002}\n"
                 "record: {every: 0.01, signals: [rod.tip.position]}\n",
                 n);
        ElvModeStudy* study = study_of(text, false);
        error[n - 1] = study->rod[0].error[ELV_STRAIN_BEND_Y];
        CHECK_TRUE(error[n - 1] > 0.0);
        elv_mode_study_free(study);
    }
    CHECK_TRUE(error[2] < 0.3 * error[0]);
    CHECK_TRUE(error[4] < 0.01 * error[0]);
}

/// Steps seen, and after how many to stop.
typedef struct {
    int n_step, n_start, stop;
    double t_last;
} Seen;

static bool see_step(void* user, double t, const ElvIntegratorReport* report) {
    Seen* seen = user;
    seen->n_start += seen->n_step == 0 || t < seen->t_last;
    seen->t_last = t;
    seen->n_step++;
    CHECK_TRUE(report->n_step > 0);
    return seen->n_step != seen->stop;
}

// both motions are followed step by step, and may be stopped
static void test_progress(void** unused) {
    (void)unused;
    static const char text[] = "elver: 1\n"
                               "tree:\n"
                               "  - rod: rod\n"
                               "    length: 1\n"
                               "    section: {circle: {radius: 0.01}}\n"
                               "    material: {density: 1000, young: 1e8}\n"
                               "    strain: {bend_y: 2}\n"
                               "    initial: {bend_y: 1}\n"
                               "simulate: {method: generalized-alpha, duration: 0.1, step: 0.01}\n";
    ElvError error;
    ElvSpec* spec = NULL;
    ElvModeStudy* study = NULL;
    CHECK_STATUS(elv_spec_read_text(text, strlen(text), "test", NULL, 0, &spec, &error), &error);
    Seen seen = {0};
    CHECK_STATUS(elv_mode_study_create(spec, false, see_step, &seen, &study, &error), &error);
    CHECK_TRUE(seen.n_start == 2 && seen.n_step >= 20);
    elv_mode_study_free(study);
    seen = (Seen){.stop = seen.n_step - 3};
    CHECK_TRUE(elv_mode_study_create(spec, false, see_step, &seen, &study, &error) ==
               ELV_ERROR_CANCELLED);
    CHECK_TRUE(!study && seen.n_start == 2);
    elv_spec_free(spec);
}

static void test_errors(void** unused) {
    (void)unused;
    static const char text[] = "elver: 1\n"
                               "tree:\n"
                               "  - {body: box, joint: free, mass: 1, inertia: [1, 1, 1]}\n";
    ElvError error;
    ElvSpec* spec = NULL;
    ElvModeStudy* study = NULL;
    CHECK_STATUS(elv_spec_read_text(text, strlen(text), "case", NULL, 0, &spec, &error), &error);
    CHECK_TRUE(elv_mode_study_create(spec, false, NULL, NULL, &study, &error) == ELV_ERROR_INPUT);
    CHECK_TRUE(study == NULL && strstr(error.message, "no rod") != NULL);
    elv_spec_free(spec);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_statics_against_integral),
        cmocka_unit_test(test_exact_solution_has_no_distance),
        cmocka_unit_test(test_size_is_against_reference),
        cmocka_unit_test(test_motion),
        cmocka_unit_test(test_progress),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
