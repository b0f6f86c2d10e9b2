// SPDX-License-Identifier: Apache-2.0
// The search for equilibria: Newton's order of convergence, increments of the load, the right branch
// of a buckling column, loads that have a maximum, laws that are not finite, cancelling, relaxation.
#include "model_case.h"
#include "solve/statics.h"

enum { MAX_ROW = 64 };

typedef struct {
    int n, stop;
    double load[MAX_ROW], q[MAX_ROW];
    ElvStaticsReport report;
    ElvError error;
} Log;

static bool on_record(void* user, const ElvModel* model, ElvData* data, const ElvState* state) {
    Log* log = user;
    (void)model;
    (void)data;
    CHECK_TRUE(log->n < MAX_ROW);
    log->load[log->n] = state->t;
    log->q[log->n++] = state->q[0];
    return log->n != log->stop;
}

static ElvStatus run_case(ModelCase* c, Log* log) {
    ElvStaticsOptions options = elv_statics_options_default(c->model);
    options.record = on_record;
    options.user = log;
    return elv_statics_run(c->model, c->state, &options, &log->report, &log->error);
}

// a cantilever of length 1 and stiffness 1 under a force at its tip, formulas of t
static ModelCase open_cantilever(const char* force, const char* statics) {
    return case_open("tree:\n"
                     "  - {rod: rod, length: 1, stiffness: [1, 1, 1, 1, 1, 1], nodes: 30,\n"
                     "     inertia: [1, 1, 1, 1, 1, 1], strain: {bend_z: 14}}\n"
                     "loads:\n"
                     "  - {force: %s, at: rod.tip}\n"
                     "statics: %s\n",
                     force, statics);
}

// ---- Newton

// lengths of the steps, each at most C times the square of the one before: the order that three of
// them show, the last three above rounding
static void test_newton_is_quadratic(void** unused) {
    (void)unused;
    ModelCase c = open_cantilever("[0, 2, 0]", "{}");
    ElvProblem problem;
    ElvNewtonReport report;
    ElvError error;
    const ElvNewtonOptions one = {.tol = 1e-15, .max_iterations = 1};
    double step[20] = {0.0};
    int n = 0;
    CHECK_STATUS(elv_problem_create(c.model, &problem, &error), &error);
    problem.is_static = true;
    elv_problem_chart(&problem, c.state);
    problem.state->t = 0.0;
    do {
        (void)elv_newton_solve(&problem, &one, &report);
        step[n] = largest(problem.d_nu, (size_t)c.nv);
        n++;
    } while (n < 20 && step[n - 1] > 1e-11);
    CHECK_TRUE(n >= 5 && n < 10);
    // the last step lies at the rounding or at the error of the quadrature
    double order = log(step[n - 2] / step[n - 3]) / log(step[n - 3] / step[n - 4]);
    CHECK_TRUE(order > 1.7 && order < 2.5);
    CHECK_TRUE(step[n - 1] <= 10.0 * step[n - 2] * step[n - 2] + 1e-13);
    elv_problem_free(&problem);
    case_close(&c);
}

// ---- paths

// a heavy load from a stress-free shape, with no other load to come from: it is loaded up in parts,
// and ends on the branch without loops, x = sqrt(2/alpha) but for exp(-sqrt(alpha))
static void test_first_equilibrium_is_loaded_up(void** unused) {
    (void)unused;
    ModelCase c = open_cantilever("[0, 100, 0]", "{}");
    Log log = {0};
    CHECK_STATUS(run_case(&c, &log), &log.error);
    CHECK_TRUE(log.n == 1 && log.load[0] == 0.0);
    CHECK_TRUE(log.report.n_increment > 2 && log.report.n_relaxation == 0);
    CHECK_TRUE(log.report.stability == ELV_STABILITY_STABLE);
    CHECK_NEAR(case_pose(&c, "rod.tip").p.x, sqrt(0.02), 1e-4);
    CHECK_TRUE(case_pose(&c, "rod.tip").p.y > 0.94);
    case_close(&c);
}

// a column with a small side load bends to that side, however large the increments beyond the
// critical load pi^2/4
static void test_column_bends_to_its_side(void** unused) {
    (void)unused;
    static const char* const loads[] = {"{loads: [1, 2, 2.2, 2.4, 2.6, 3, 4]}", "{loads: [4]}",
                                        "{loads: [2, 4]}"};
    double y[3];
    for (int k = 0; k < 3; k++) {
        ModelCase c = open_cantilever("[-1*t, 0.01*t, 0]", loads[k]);
        Log log = {0};
        CHECK_STATUS(run_case(&c, &log), &log.error);
        y[k] = case_pose(&c, "rod.tip").p.y;
        CHECK_TRUE(y[k] > 0.7);
        CHECK_TRUE(log.report.stability == ELV_STABILITY_STABLE);
        case_close(&c);
    }
    CHECK_NEAR(y[1], y[0], 1e-8);
    CHECK_NEAR(y[2], y[0], 1e-8);
    // without a side load it stays straight, and that is known to be unstable
    ModelCase c = open_cantilever("[-1*t, 0, 0]", "{loads: [2, 3]}");
    Log log = {0};
    CHECK_STATUS(run_case(&c, &log), &log.error);
    CHECK_NEAR(case_pose(&c, "rod.tip").p.x, 1.0, 1e-12);
    CHECK_TRUE(log.report.stability == ELV_STABILITY_UNSTABLE);
    case_close(&c);
}

// complete elliptic integrals of modulus k by the arithmetic-geometric mean
static void elliptic(double k, double* K, double* E) {
    double a = 1.0;
    double b = sqrt(1.0 - k * k);
    double c = k;
    double sum = 0.5 * c * c;
    for (int i = 1; i < 10; i++) {
        double mean = 0.5 * (a + b);
        c = 0.5 * (a - b);
        b = sqrt(a * b);
        a = mean;
        sum += ldexp(c * c, i - 1);
    }
    *K = 2.0 * atan(1.0) / a;
    *E = *K * (1.0 - sum);
}

// a column under more than its critical load, from a bent shape: the elastica of tip slope beta has,
// with k = sin(beta/2), P = K^2, y = 2 k/K, x = 2 E/K - 1
static void test_post_buckling(void** unused) {
    (void)unused;
    for (double beta = 0.3; beta < 2.6; beta += 0.5) {
        double K = 0.0;
        double E = 0.0;
        elliptic(sin(0.5 * beta), &K, &E);
        for (int side = -1; side <= 1; side += 2) {
            ModelCase c = case_open("tree:\n"
                                    "  - {rod: rod, length: 1, stiffness: [1, 1, 1, 1, 1, 1],\n"
                                    "     inertia: [1, 1, 1, 1, 1, 1], strain: {bend_z: 14},\n"
                                    "     nodes: 30, initial: {bend_z: %d}}\n"
                                    "loads: [{force: [%.17g, 0, 0], at: rod.tip}]\n",
                                    side, -K * K);
            Log log = {0};
            CHECK_STATUS(run_case(&c, &log), &log.error);
            CHECK_NEAR(case_pose(&c, "rod.tip").p.y, side * 2.0 * sin(0.5 * beta) / K, 1e-8);
            CHECK_NEAR(case_pose(&c, "rod.tip").p.x, 2.0 * E / K - 1.0, 1e-8);
            CHECK_TRUE(log.report.stability == ELV_STABILITY_STABLE);
            case_close(&c);
        }
    }
}

// ---- failures

static const char pendulum_text[] = "gravity: [0, 0, -10]\n"
                                    "tree:\n"
                                    "  - {body: bob, joint: {revolute: {axis: y, %s}},\n"
                                    "     mass: 1, center: [0, 0, -1], inertia: [1, 1, 1]}\n"
                                    "statics: {%s}\n";

// a motor lifts a pendulum: m g l sin(q) = t has no solution beyond 10
static void test_load_with_a_maximum(void** unused) {
    (void)unused;
    ModelCase c = case_open(pendulum_text, "force: \"t\"", "loads: [5, 9, 12, 13]");
    Log log = {0};
    CHECK_TRUE(run_case(&c, &log) == ELV_ERROR_NUMERIC);
    CHECK_TRUE(log.n == 2 && log.report.n_load == 2);
    CHECK_NEAR(fabs(log.q[0]), asin(0.5), 1e-10);
    CHECK_NEAR(fabs(log.q[1]), asin(0.9), 1e-10);
    CHECK_TRUE(strcmp(log.error.element, "bob") == 0);
    // the last row is kept, and it is said how far the path goes
    CHECK_NEAR(c.state->t, 9.0, 0.0);
    CHECK_NEAR(c.state->q[0], log.q[1], 0.0);
    CHECK_TRUE(log.report.t_reached > 9.99 && log.report.t_reached <= 10.0);
    CHECK_TRUE(strstr(log.error.message, "load 12") != NULL);
    case_close(&c);

    // relaxation has nowhere to go either
    c = case_open(pendulum_text, "force: \"t\"", "method: relaxation, loads: [5, 12]");
    log = (Log){0};
    CHECK_TRUE(run_case(&c, &log) == ELV_ERROR_NUMERIC && log.n == 1);
    CHECK_NEAR(fabs(c.state->q[0]), asin(0.5), 1e-10);
    case_close(&c);
}

static void test_law_that_is_not_finite(void** unused) {
    (void)unused;
    static const char* const laws[] = {"1/(3 - t)", "log(3 - t)", "sqrt(2.9 - t)"};
    for (int k = 0; k < 3; k++) {
        char force[64];
        snprintf(force, sizeof force, "force: \"%s\"", laws[k]);
        ModelCase c = case_open(pendulum_text, force, "loads: [1, 2, 3]");
        Log log = {0};
        CHECK_TRUE(run_case(&c, &log) == ELV_ERROR_NUMERIC);
        CHECK_TRUE(log.n == 2 && c.state->t == 2.0);
        CHECK_TRUE(strcmp(log.error.element, "bob") == 0);
        CHECK_TRUE(strstr(log.error.message, "not finite at load 3") != NULL);
        case_close(&c);
    }
}

static void test_limits_are_kept(void** unused) {
    (void)unused;
    // one iteration does not bend a rod by 80 degrees, and no increment may be cut
    ModelCase c = open_cantilever(
        "[0, \"t\", 0]", "{loads: [10], max_iterations: 1, max_halvings: 0, max_steps: 1}");
    Log log = {0};
    CHECK_TRUE(run_case(&c, &log) == ELV_ERROR_NUMERIC);
    CHECK_TRUE(log.n == 0 && log.report.n_load == 0);
    CHECK_NEAR(c.state->t, 0.0, 0.0);
    for (int i = 0; i < c.nv; i++) {
        CHECK_NEAR(c.state->q[i], 0.0, 0.0);
    }
    case_close(&c);
}

static void test_caller_may_stop(void** unused) {
    (void)unused;
    ModelCase c = open_cantilever("[0, \"t\", 0]", "{loads: [1, 2, 3, 4]}");
    Log log = {.stop = 2};
    CHECK_TRUE(run_case(&c, &log) == ELV_ERROR_CANCELLED);
    CHECK_TRUE(log.n == 2 && c.state->t == 2.0);
    case_close(&c);
}

// ---- relaxation

// it slides down: from beside the upright position to the lowest one, by damper or by mass alone;
// Newton alone would end at the top
static void test_relaxation_finds_the_bottom(void** unused) {
    (void)unused;
    static const char* const joints[] = {"position: 3.1", "position: 3.1, damping: 0.5",
                                         "position: -3.1, damping: 100"};
    for (int k = 0; k < 6; k++) {
        ModelCase c = case_open(pendulum_text, joints[k % 3],
                                k < 3 ? "method: relaxation" : "method: newton");
        Log log = {0};
        CHECK_STATUS(run_case(&c, &log), &log.error);
        CHECK_NEAR(c.state->q[0], 0.0, 1e-9);
        CHECK_TRUE(log.report.stability == ELV_STABILITY_STABLE);
        case_close(&c);
    }
}

// the same equilibria, to what the tolerance of both leaves
static void test_relaxation_agrees_with_newton(void** unused) {
    (void)unused;
    for (int k = 0; k < 3; k++) {
        static const char* const force[] = {"[0, \"t\", 0]", "[\"-t\", \"0.2*t\", 0]",
                                            "[\"t\", \"t\", 0]"};
        ModelCase a = open_cantilever(force[k], "{loads: [2, 4, 8]}");
        ModelCase b = open_cantilever(force[k], "{loads: [2, 4, 8], method: relaxation}");
        Log log_a = {0};
        Log log_b = {0};
        CHECK_STATUS(run_case(&a, &log_a), &log_a.error);
        CHECK_STATUS(run_case(&b, &log_b), &log_b.error);
        CHECK_TRUE(log_b.report.n_relaxation > 3 && log_a.report.n_relaxation == 0);
        for (int i = 0; i < a.nv; i++) {
            CHECK_NEAR(b.state->q[i], a.state->q[i], 1e-8);
        }
        case_close(&a);
        case_close(&b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_newton_is_quadratic),
        cmocka_unit_test(test_first_equilibrium_is_loaded_up),
        cmocka_unit_test(test_column_bends_to_its_side),
        cmocka_unit_test(test_post_buckling),
        cmocka_unit_test(test_load_with_a_maximum),
        cmocka_unit_test(test_law_that_is_not_finite),
        cmocka_unit_test(test_limits_are_kept),
        cmocka_unit_test(test_caller_may_stop),
        cmocka_unit_test(test_relaxation_finds_the_bottom),
        cmocka_unit_test(test_relaxation_agrees_with_newton),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
