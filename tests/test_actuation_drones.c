// SPDX-License-Identifier: Apache-2.0
// Two drones and their payload [P23 section X.B] against the motion computed by an independent program
// (tests/golden): velocity controllers with their integrals, on a chain of bodies and rods that floats.
//
// The reference is good to 2e-8 m (its quadrature; its time steps to 3e-13). An implicit method of order 2
// errs by C dt^2 + O(dt^4): halving dt divides its error by 4, and (4 u(dt/2) - u(dt))/3 has an error of
// order 4 in dt.
#include "actuation_case.h"

enum { N_STEP = 4, N_BODY = 3 };

static const double T_END = 5.0; // s
static const double EVERY = 0.2; // s, a multiple of every step
static const double STEP[N_STEP] = {0.04, 0.02, 0.01, 0.005};

static const ElvOverride signals[] = {
    {"record.signals", "[left.position, payload.position, right.position]"}};

// where the reference has the time of a row
static const double* reference_at(const Reference* r, double t) {
    for (int i = 0; i < r->n_row; i++) {
        if (fabs(r->value[i][0] - t) < 1e-9) {
            return r->value[i] + 1;
        }
    }
    print_error("the reference has no row at t = %g\n", t);
    fail();
    return NULL;
}

// root mean square and largest distance of c0 a + c1 b from the reference, over times and bodies
typedef struct {
    double mean, most;
} Distance;

static Distance distance(const Reference* r, const Trace* a, double c0, const Trace* b, double c1) {
    Distance d = {0.0, 0.0};
    for (int i = 0; i < a->n_row; i++) {
        const double* expected = reference_at(r, a->t[i]);
        CHECK_NEAR(a->t[i], b->t[i], 1e-12);
        for (int k = 0; k < 3 * N_BODY; k++) {
            double error = c0 * a->value[i][k] + c1 * b->value[i][k] - expected[k];
            d.mean += error * error / a->n_row;
            d.most = fabs(error) <= d.most ? d.most : fabs(error);
        }
    }
    d.mean = sqrt(d.mean);
    return d;
}

static void check_order(ElvMethod method, const Reference* r) {
    Trace* trace[N_STEP];
    double error[N_STEP], extrapolated[N_STEP];
    for (int i = 0; i < N_STEP; i++) {
        Motion motion = {.method = method, .step = STEP[i], .t_end = T_END, .every = EVERY};
        trace[i] = example_motion("drones", signals, 1, &motion);
        CHECK_TRUE(trace[i]->n_row == 26 && trace[i]->n_column == 9);
        error[i] = distance(r, trace[i], 1.0, trace[i], 0.0).mean;
    }
    for (int i = 1; i < N_STEP; i++) {
        Distance left = distance(r, trace[i], 4.0 / 3.0, trace[i - 1], -1.0 / 3.0);
        extrapolated[i] = left.mean;
        CHECK_NEAR(error[i - 1] / error[i], 4.0, 0.05 * 4.0);
        // what the extrapolation leaves is of order 4: nearer to 16 than to the 8 of order 3
        CHECK_TRUE(i < 2 || extrapolated[i - 1] / extrapolated[i] > 12.0);
        CHECK_TRUE(i < N_STEP - 1 || left.most < 1e-5);
    }
    for (int i = 0; i < N_STEP; i++) {
        trace_free(trace[i]);
    }
}

static void test_implicit(void** unused) {
    (void)unused;
    Reference* r = reference_read("drones");
    check_order(ELV_METHOD_NEWMARK, r);
    check_order(ELV_METHOD_GENERALIZED_ALPHA, r);
    free(r);
}

// errors of 1e-9 a step in 2 s, and the 2e-8 of the reference
static void test_explicit(void** unused) {
    (void)unused;
    Reference* r = reference_read("drones");
    Motion motion = {.method = ELV_METHOD_EXPLICIT,
                     .rel_tol = 1e-9,
                     .t_end = IS_SANITIZED ? 0.4 : 2.0,
                     .every = EVERY};
    Trace* trace = example_motion("drones", signals, 1, &motion);
    CHECK_TRUE(trace->n_row >= 3);
    CHECK_TRUE(distance(r, trace, 1.0, trace, 0.0).most < 1e-7);
    trace_free(trace);
    free(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_implicit),
        cmocka_unit_test(test_explicit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
