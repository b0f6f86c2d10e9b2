// SPDX-License-Identifier: Apache-2.0
// Accounts of energy of the shipped swimmers by their implicit methods, at the steps they are shipped with. Powers are
// products of harmonics of the beat omega, of 2 omega: the trapezoidal rule misses (2 omega dt)^2/12 of such a one. That
// share of what went through is the bound for what is left open, also where tensions jump at t = 0 and damping is
// stiff; half the step leaves a quarter.
#include "swimmer_case.h"

#define PI 3.14159265358979323846

typedef struct {
    double work[4]; // actuators, loads, dissipated, fluid
    double error;
    double worst; // error at any record
} Account;

enum { ERROR = 5 };

static double through(const Account* a) {
    return fabs(a->work[0]) + fabs(a->work[1]) + fabs(a->work[2]) + fabs(a->work[3]);
}

static Account account(const char* name, const ElvOverride* set, int n_set, double duration) {
    static const char* const signal[] = {"work"};
    // the run keeps accounts as the signal is recorded
    ElvOverride all[4];
    for (int i = 0; i < n_set; i++) {
        all[i] = set[i];
    }
    all[n_set] = (ElvOverride){"record.signals", "[work]"};
    Swim swim = swim_run(name, all, n_set + 1, duration, signal, 1);
    const double* last = swim.row[swim.n - 1];
    Account a = {{last[1], last[2], last[3], last[4]}, last[ERROR], swim_largest(&swim, ERROR)};
    swim_free(&swim);
    return a;
}

// at the shipped step and at half of it
static void check(const char* name, const char* half, double omega, double dt, double duration) {
    double share = (2.0 * omega * dt) * (2.0 * omega * dt) / 12.0;
    const ElvOverride step[] = {{"simulate.step", half}};
    Account a = account(name, NULL, 0, duration);
    Account b = account(name, step, 1, duration);
    double size = through(&a);
    print_message("%s: actuators %.4g, dissipated %.4g, fluid %.4g, error %.2e J: %.3f %% of what "
                  "went through, %.3f at most (bound %.3f), half the step %.2e J\n",
                  name, a.work[0], a.work[2], a.work[3], a.error, 100.0 * fabs(a.error) / size,
                  100.0 * a.worst / size, 100.0 * share, b.error);
    CHECK_TRUE(size > 0.01);
    CHECK_NEAR(a.worst, 0.0, share * size);
    CHECK_NEAR(b.error, 0.25 * a.error, 0.05 * fabs(a.error));
    // not by mistakes that cancel
    for (int k = 0; k < 4; k++) {
        CHECK_NEAR(b.work[k], a.work[k], share * size);
    }
}

static void test_tendon(void** unused) {
    (void)unused;
    check("swimmer-tendon", "0.005", 5.0 * PI, 0.01, 3.0);
}

static void test_shape(void** unused) {
    (void)unused;
    check("swimmer-shape", "0.005", 2.0 * PI, 0.01, 3.0);
}

static void test_pattern(void** unused) {
    (void)unused;
    check("swimmer-pattern", "0.01", 2.0 * PI, 0.02, 3.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tendon),
        cmocka_unit_test(test_shape),
        cmocka_unit_test(test_pattern),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
