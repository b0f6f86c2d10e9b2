// SPDX-License-Identifier: Apache-2.0
// Root searches on problems whose roots are known: both ways of making Newton's method global.
#include "check.h"
#include "strong/root_solve.h"

enum { MAX = 12 };

typedef struct {
    int n;
    double now[MAX], trial[MAX];
    void (*evaluate)(const double* x, double* r, double* J);
    double barrier; // no residual where x[0] is beyond it
} Case;

static bool residual(void* user, double* r) {
    Case* c = user;
    c->evaluate(c->trial, r, NULL);
    return !(c->trial[0] > c->barrier);
}

static bool jacobian(void* user, ElvBand* J) {
    Case* c = user;
    double dense[MAX * MAX] = {0.0}, r[MAX];
    c->evaluate(c->now, r, dense);
    for (int i = 0; i < c->n; i++) {
        for (int j = 0; j < c->n; j++) {
            if (j >= i - J->below && j <= i + J->above) {
                *elv_band_at(J, i, j) = dense[i * c->n + j];
            }
        }
    }
    return true;
}

static void move(void* user, const double* step) {
    Case* c = user;
    for (int i = 0; i < c->n; i++) {
        c->trial[i] = c->now[i] + step[i];
    }
}

static void accept(void* user) {
    Case* c = user;
    memcpy(c->now, c->trial, sizeof c->now);
}

static double norm(void* user, const double* r) {
    double most = 0.0;
    for (int i = 0; i < ((Case*)user)->n; i++) {
        most = fmax(most, fabs(r[i]));
    }
    return most;
}

static ElvRootReport solve(Case* c, bool is_dogleg, int max_iterations) {
    ElvRootProblem problem = {.n = c->n,
                              .below = c->n - 1,
                              .above = c->n - 1,
                              .user = c,
                              .residual = residual,
                              .jacobian = jacobian,
                              .move = move,
                              .accept = accept,
                              .norm = norm};
    ElvRootOptions options = {
        .is_dogleg = is_dogleg, .tol = 1e-12, .max_iterations = max_iterations};
    ElvRootWork work;
    ElvError error;
    CHECK_STATUS(elv_root_work_create(&problem, &work, &error), &error);
    memcpy(c->trial, c->now, sizeof c->now);
    ElvRootReport report = elv_root_solve(&problem, &options, &work);
    elv_root_work_free(&work);
    return report;
}

// the valley of Rosenbrock as two equations; root (1, 1)
static void valley(const double* x, double* r, double* J) {
    r[0] = 10.0 * (x[1] - x[0] * x[0]);
    r[1] = 1.0 - x[0];
    if (J) {
        J[0] = -20.0 * x[0];
        J[1] = 10.0;
        J[2] = -1.0;
    }
}

// arctangents: from afar Newton's steps grow; root 0
static void bent(const double* x, double* r, double* J) {
    for (int i = 0; i < 3; i++) {
        r[i] = atan(x[i]) + 0.1 * x[(i + 1) % 3];
        if (J) {
            J[3 * i + i] = 1.0 / (1.0 + x[i] * x[i]);
            J[3 * i + (i + 1) % 3] = 0.1;
        }
    }
}

static void test_both_ways_find_roots_from_afar(void** state) {
    (void)state;
    for (int way = 0; way < 2; way++) {
        Case c = {.n = 2, .now = {-1.2, 1.0}, .evaluate = valley, .barrier = 1e9};
        ElvRootReport report = solve(&c, way == 1, 100);
        CHECK_TRUE(report.end == ELV_ROOT_FOUND);
        CHECK_NEAR(c.now[0], 1.0, 1e-11);
        CHECK_NEAR(c.now[1], 1.0, 1e-11);
        c = (Case){.n = 3, .now = {8.0, -9.0, 7.0}, .evaluate = bent, .barrier = 1e9};
        report = solve(&c, way == 1, 100);
        CHECK_TRUE(report.end == ELV_ROOT_FOUND);
        for (int i = 0; i < 3; i++) {
            CHECK_NEAR(c.now[i], 0.0, 1e-11);
        }
    }
}

// a valley as narrow as a number: descent on |r|^2 creeps along it, Newton's steps care for no factor
static void canyon(const double* x, double* r, double* J) {
    r[0] = 1e6 * (x[1] - sin(3.0 * x[0]));
    r[1] = 3.0 - x[0];
    if (J) {
        J[0] = -3e6 * cos(3.0 * x[0]);
        J[1] = 1e6;
        J[2] = -1.0;
    }
}

static void test_cut_steps_go_on_where_descent_is_stuck(void** state) {
    (void)state;
    for (int way = 0; way < 2; way++) {
        Case c = {.n = 2, .now = {-3.0, sin(-9.0)}, .evaluate = canyon, .barrier = 1e9};
        ElvRootReport report = solve(&c, way == 1, 15);
        // as many again
        CHECK_TRUE(report.end == ELV_ROOT_FOUND && report.n_iteration > 15);
        CHECK_NEAR(c.now[0], 3.0, 1e-11);
        CHECK_NEAR(c.now[1], sin(9.0), 1e-11);
    }
}

static void test_near_a_root_it_is_newtons_method(void** state) {
    (void)state;
    for (int way = 0; way < 2; way++) {
        Case c = {.n = 3, .now = {0.1, -0.1, 0.05}, .evaluate = bent, .barrier = 1e9};
        ElvRootReport report = solve(&c, way == 1, 100);
        // errors 1e-1, 1e-3, 1e-9, 1e-27
        CHECK_TRUE(report.end == ELV_ROOT_FOUND && report.n_iteration <= 4);
        CHECK_TRUE(report.n_residual == report.n_iteration + 1);
        CHECK_TRUE(report.n_jacobian == report.n_iteration);
    }
}

// searches one after the other: near the last root its factors serve again, far from it they do not
static void test_old_factors_lead_on(void** state) {
    (void)state;
    Case c = {.n = 3, .now = {0.4, -0.3, 0.2}, .evaluate = bent, .barrier = 1e9};
    ElvRootProblem problem = {.n = c.n,
                              .below = c.n - 1,
                              .above = c.n - 1,
                              .user = &c,
                              .residual = residual,
                              .jacobian = jacobian,
                              .move = move,
                              .accept = accept,
                              .norm = norm};
    ElvRootOptions options = {false, 1e-12, 100, true, NULL};
    ElvRootWork work;
    ElvError error;
    CHECK_STATUS(elv_root_work_create(&problem, &work, &error), &error);
    static const double start[3][3] = {{0.4, -0.3, 0.2}, {0.02, -0.01, 0.03}, {8.0, -9.0, 7.0}};
    for (int i = 0; i < 3; i++) {
        memcpy(c.now, start[i], sizeof start[i]);
        memcpy(c.trial, c.now, sizeof c.now);
        ElvRootReport report = elv_root_solve(&problem, &options, &work);
        CHECK_TRUE(report.end == ELV_ROOT_FOUND && work.has_factor);
        // a new Jacobian for each iteration, none, and some again
        CHECK_TRUE(i == 1 ? report.n_jacobian == 0 && report.n_iteration > 0
                          : report.n_jacobian > 0);
        for (int k = 0; k < 3; k++) {
            CHECK_NEAR(c.now[k], 0.0, 1e-11);
        }
    }
    elv_root_work_free(&work);
}

static void test_points_without_residual_are_avoided(void** state) {
    (void)state;
    for (int way = 0; way < 2; way++) {
        // from -3 the first step of Newton goes to about +6, beyond the barrier
        Case c = {.n = 3, .now = {-3.0, 0.0, 0.0}, .evaluate = bent, .barrier = 0.5};
        ElvRootReport report = solve(&c, way == 1, 100);
        CHECK_TRUE(report.end == ELV_ROOT_FOUND);
        c = (Case){.n = 3, .now = {1.0, 0.0, 0.0}, .evaluate = bent, .barrier = 0.5};
        report = solve(&c, way == 1, 100);
        CHECK_TRUE(report.end == ELV_ROOT_LOST && report.n_iteration == 0);
    }
}

// no root: 1 + x^2
static void rootless(const double* x, double* r, double* J) {
    r[0] = 1.0 + x[0] * x[0];
    if (J) {
        J[0] = 2.0 * x[0];
    }
}

// the second equation is the first: a line of roots of neither
static void flat(const double* x, double* r, double* J) {
    r[0] = x[0] + x[1] - 1.0;
    r[1] = x[0] + x[1] - 2.0;
    if (J) {
        J[0] = J[1] = J[2] = J[3] = 1.0;
    }
}

// nothing answers
static void deaf(const double* x, double* r, double* J) {
    (void)x;
    (void)J;
    r[0] = r[1] = 1.0;
}

// a slope whose square is beyond all numbers, and a gradient that is not
static void steep(const double* x, double* r, double* J) {
    r[0] = x[0] == 0.0 ? 1e-100 : 1.0;
    r[1] = x[1] - 1.0;
    if (J) {
        J[0] = 1e200;
        J[3] = 1.0;
    }
}

static void test_no_damping_helps_these(void** state) {
    (void)state;
    for (int way = 0; way < 2; way++) {
        Case c = {.n = 2, .now = {0.3, 0.4}, .evaluate = deaf, .barrier = 1e9};
        ElvRootReport report = solve(&c, way == 1, 200);
        CHECK_TRUE(report.end == ELV_ROOT_SINGULAR && report.i_singular == 0);
        CHECK_NEAR(report.norm, 1.0, 0.0);
        c = (Case){.n = 2, .now = {0.0, 0.0}, .evaluate = steep, .barrier = 1e9};
        report = solve(&c, way == 1, 200);
        CHECK_TRUE(report.end == ELV_ROOT_STALLED);
    }
}

static void test_failures_say_what_failed(void** state) {
    (void)state;
    for (int way = 0; way < 2; way++) {
        Case c = {.n = 1, .now = {0.7}, .evaluate = rootless, .barrier = 1e9};
        ElvRootReport report = solve(&c, way == 1, 200);
        CHECK_TRUE(report.end == ELV_ROOT_STALLED || report.end == ELV_ROOT_SINGULAR);
        CHECK_NEAR(report.norm, 1.0, 1e-6);
        c = (Case){.n = 2, .now = {0.3, 0.4}, .evaluate = flat, .barrier = 1e9};
        report = solve(&c, way == 1, 200);
        CHECK_TRUE(report.end == ELV_ROOT_SINGULAR && report.i_singular == 1);
        // one step, and one more when that is not enough
        c = (Case){.n = 3, .now = {8.0, -9.0, 7.0}, .evaluate = bent, .barrier = 1e9};
        report = solve(&c, way == 1, 1);
        CHECK_TRUE(report.end == ELV_ROOT_LIMIT && report.n_iteration == 2);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_both_ways_find_roots_from_afar),
        cmocka_unit_test(test_cut_steps_go_on_where_descent_is_stuck),
        cmocka_unit_test(test_near_a_root_it_is_newtons_method),
        cmocka_unit_test(test_old_factors_lead_on),
        cmocka_unit_test(test_points_without_residual_are_avoided),
        cmocka_unit_test(test_failures_say_what_failed),
        cmocka_unit_test(test_no_damping_helps_these),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
