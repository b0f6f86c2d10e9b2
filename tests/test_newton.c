// SPDX-License-Identifier: Apache-2.0
// Newton's method on static and dynamic steps: quadratic convergence, wild guesses, factors that are
// kept, tolerances that cannot be met, what is singular; and the accelerations at a start.
#include "multibody/data.h"
#include "pendulum.h"
#include "solve/newton.h"

#include <float.h>

// bent by a force that is large for it (f l^2 / EI = 8), under gravity
static const char* const arm_text =
    "gravity: [0, 0, -9.81]\n"
    "tree:\n"
    "  - {rod: arm, length: 1, section: {circle: {diameter: 0.02}}, strain: {kirchhoff: 3},\n"
    "     material: {density: 1000, young: 1e7, poisson: 0.4}}\n"
    "loads: [{force: [0, 0.4, 0.5], at: arm.tip}]\n";

static ElvProblem open_problem(const ModelCase* c, bool is_static) {
    ElvProblem problem;
    ElvError error;
    CHECK_STATUS(elv_problem_create(c->model, &problem, &error), &error);
    problem.is_static = is_static;
    elv_problem_chart(&problem, c->state);
    return problem;
}

// Newmark from rest over dt
static void set_step(ElvProblem* problem, double dt) {
    problem->a = 2.0 / dt;
    problem->b = 4.0 / (dt * dt);
}

static ElvNewtonOptions options(double tol, bool reuse) {
    ElvNewtonOptions o = {.tol = tol, .max_iterations = 50, .reuse_jacobian = reuse};
    return o;
}

// from the first residual below 1e-2 on, each is at most a constant times the square of the one
// before, until rounding
static void check_quadratic(const ElvNewtonReport* report) {
    int n_square = 0;
    for (int i = 1; i <= report->n_iteration && i < ELV_NEWTON_TRACE; i++) {
        double before = report->trace[i - 1];
        double now = report->trace[i];
        if (before < 1e-2 && before > 1e-7) {
            CHECK_TRUE(now <= 20.0 * before * before);
            n_square++;
        }
    }
    CHECK_TRUE(n_square >= 1);
    CHECK_NEAR(report->trace[report->n_iteration], report->residual, 0.0);
}

static void test_quadratic_convergence(void** state) {
    (void)state;
    for (int is_static = 0; is_static < 2; is_static++) {
        ModelCase c = case_open("%s", arm_text);
        ElvProblem problem = open_problem(&c, is_static);
        if (!is_static) {
            set_step(&problem, 0.1);
        }
        ElvNewtonOptions o = options(1e-13, false);
        ElvNewtonReport report;
        CHECK_TRUE(elv_newton_solve(&problem, &o, &report) == ELV_OK);
        // one tangent each, none for a step that is lost in rounding
        CHECK_TRUE(report.n_jacobian == report.n_iteration && report.n_iteration <= 8);
        check_quadratic(&report);
        elv_problem_free(&problem);
        case_close(&c);
    }
}

// f l^2 / EI = 102 in a single load step from straight; where the tip is, another program has found
static void test_hard_equilibrium(void** state) {
    (void)state;
    ModelCase c = {0};
    ElvError error;
    CHECK_STATUS(elv_model_read_file(ELVER_SOURCE_DIR "/models/cantilever-soft.yaml", NULL, 0,
                                     &c.model, &error),
                 &error);
    CHECK_STATUS(elv_data_create(c.model, &c.data, &error), &error);
    CHECK_STATUS(elv_state_create(c.model, &c.state, &error), &error);
    ElvProblem problem = open_problem(&c, true);
    problem.state->t = -1.0;
    ElvNewtonOptions o = options(1e-12, false);
    ElvNewtonReport report;
    CHECK_TRUE(elv_newton_solve(&problem, &o, &report) == ELV_OK);
    CHECK_TRUE(report.n_iteration <= 15);
    check_quadratic(&report);
    elv_state_copy(c.state, problem.state);
    ElvPose tip = case_pose(&c, "rod.tip");
    // both are good to about 1e-9 of the length
    CHECK_NEAR(tip.p.x, 5.08648907072613, 1e-8);
    CHECK_NEAR(tip.p.y, 7.88155919603780, 1e-8);
    elv_problem_free(&problem);
    case_close(&c);
}

// the same solution with factors that are kept, by fewer tangents
static void test_reuse(void** state) {
    (void)state;
    ModelCase c = case_open("%s", arm_text);
    double nu[2][16];
    ElvNewtonReport report[2];
    for (int reuse = 0; reuse < 2; reuse++) {
        ElvProblem problem = open_problem(&c, false);
        set_step(&problem, 0.01);
        ElvNewtonOptions o = options(1e-12, reuse == 1);
        CHECK_TRUE(elv_newton_solve(&problem, &o, &report[reuse]) == ELV_OK);
        memcpy(nu[reuse], problem.nu, (size_t)c.nv * sizeof(double));
        elv_problem_free(&problem);
    }
    CHECK_TRUE(report[1].n_jacobian < report[0].n_jacobian);
    CHECK_TRUE(report[1].n_jacobian < report[1].n_iteration);
    CHECK_ARRAY_NEAR(nu[1], nu[0], (size_t)c.nv, 1e-11 * largest(nu[0], (size_t)c.nv));
    case_close(&c);
}

// where the rate is trusted, the last step is taken without a residual, which is as small as promised
static void test_trusted_step(void** state) {
    (void)state;
    int n_trusted = 0;
    for (double dt = 0.001; dt < 0.2; dt *= 1.5) {
        ModelCase c = case_open("%s", arm_text);
        ElvProblem problem = open_problem(&c, false);
        set_step(&problem, dt);
        ElvNewtonOptions o = options(1e-9, true);
        ElvNewtonReport report;
        CHECK_TRUE(elv_newton_solve(&problem, &o, &report) == ELV_OK);
        CHECK_TRUE(report.residual <= o.tol);
        n_trusted += report.n_evaluation == report.n_iteration;
        // the state that is handed out is the one at nu
        elv_state_copy(c.state, problem.state);
        CHECK_TRUE(elv_problem_evaluate(&problem, problem.nu) <= o.tol);
        CHECK_ARRAY_NEAR(problem.state->q, c.state->q, (size_t)c.state->nq, 0.0);
        CHECK_ARRAY_NEAR(problem.state->v, c.state->v, (size_t)c.nv, 0.0);
        CHECK_ARRAY_NEAR(problem.state->a, c.state->a, (size_t)c.nv, 0.0);
        elv_problem_free(&problem);
        case_close(&c);
    }
    CHECK_TRUE(n_trusted >= 5);
}

// efforts at a wild guess must not make the tolerance blunt: the solution is as good, and the scale
// that is kept is that of the solution
static void test_wild_guess(void** state) {
    (void)state;
    ModelCase c = case_open("%s", arm_text);
    double nu[2][16], scale[2][16];
    for (int wild = 0; wild < 2; wild++) {
        ElvProblem problem = open_problem(&c, false);
        set_step(&problem, 0.1);
        for (int i = 0; i < c.nv; i++) {
            problem.nu[i] = wild ? 0.5 * (i % 3 - 1) : 0.0;
        }
        double guess = elv_problem_guess(&problem);
        CHECK_TRUE(guess > 0.0);
        ElvNewtonOptions o = options(1e-11, false);
        ElvNewtonReport report;
        CHECK_TRUE(elv_newton_solve(&problem, &o, &report) == ELV_OK);
        memcpy(nu[wild], problem.nu, (size_t)c.nv * sizeof(double));
        memcpy(scale[wild], problem.scale, (size_t)c.nv * sizeof(double));
        elv_problem_free(&problem);
    }
    CHECK_ARRAY_NEAR(nu[1], nu[0], (size_t)c.nv, 1e-9);
    CHECK_ARRAY_NEAR(scale[1], scale[0], (size_t)c.nv, 1e-7 * largest(scale[0], (size_t)c.nv));
    case_close(&c);
}

// a tolerance below rounding ends at rounding, as a success
static void test_rounding(void** state) {
    (void)state;
    ModelCase c = case_open("%s", arm_text);
    ElvProblem problem = open_problem(&c, false);
    set_step(&problem, 0.01);
    ElvNewtonOptions o = options(1e-18, false);
    ElvNewtonReport report;
    CHECK_TRUE(elv_newton_solve(&problem, &o, &report) == ELV_OK);
    CHECK_TRUE(report.residual < 1e-11);
    elv_problem_free(&problem);
    case_close(&c);
}

static void test_failures(void** state) {
    (void)state;
    ModelCase c = case_open("%s", arm_text);
    ElvProblem problem = open_problem(&c, true);
    ElvNewtonOptions o = options(1e-12, false);
    ElvNewtonReport report;
    o.max_iterations = 2;
    CHECK_TRUE(elv_newton_solve(&problem, &o, &report) == ELV_ERROR_NUMERIC);
    CHECK_TRUE(report.n_iteration == 2);
    assert_string_equal(elv_problem_culprit(&problem, &report), "arm");
    // not a number is no residual
    problem.nu[0] = NAN;
    o.max_iterations = 20;
    CHECK_TRUE(elv_newton_solve(&problem, &o, &report) == ELV_ERROR_NUMERIC);
    CHECK_TRUE(!isfinite(report.residual));
    elv_problem_free(&problem);
    case_close(&c);

    // a pendulum that nothing holds has no unique equilibrium at rest in space
    c = case_open("tree:\n"
                  "  - {body: still, joint: {revolute: {axis: z, stiffness: 1}}, mass: 1}\n"
                  "  - {body: loose, joint: {revolute: {axis: z}}, mass: 1, center: [1, 0, 0]}\n"
                  "loads: [{torque: [0, 0, 1], force: [0, 0, 0], at: loose}]\n");
    problem = open_problem(&c, true);
    CHECK_TRUE(elv_newton_solve(&problem, &o, &report) == ELV_ERROR_SINGULAR);
    assert_string_equal(elv_problem_culprit(&problem, &report), "loose");
    elv_problem_free(&problem);
    case_close(&c);
}

// ---- accelerations

static const char* const robot_text =
    "gravity: [0, 0, -9.81]\n"
    "tree:\n"
    "  - {body: base, joint: free, mass: 1, inertia: [0.1, 0.2, 0.3]}\n"
    "  - {body: hip, parent: base, joint: {revolute: {axis: y, motion: \"sin(t)\"}}, mass: 1,\n"
    "     inertia: [0.1, 0.1, 0.1], center: [0.1, 0, 0]}\n"
    "  - {rod: leg, parent: hip, joint: {spherical: {damping: 0.1}}, length: 1,\n"
    "     section: {circle: {diameter: 0.05}}, strain: {kirchhoff: 2},\n"
    "     material: {density: 1000, young: 1e6, damping: 0.01}}\n";

// by the tree solve and by the Cholesky factors of forward dynamics
static void test_consistent_acceleration(void** state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        ModelCase c = case_open("%s", robot_text);
        ElvProblem problem = open_problem(&c, false);
        ElvError error;
        case_randomize(&c, seed, 1.0);
        elv_state_copy(problem.state, c.state);
        CHECK_STATUS(elv_forward_dynamics(c.model, c.data, c.state, &error), &error);
        CHECK_TRUE(elv_consistent_acceleration(&problem, problem.state));
        double tol = 1e-9 * largest(c.state->a, (size_t)c.nv);
        CHECK_ARRAY_NEAR(problem.state->a, c.state->a, (size_t)c.nv, tol);
        elv_problem_free(&problem);
        case_close(&c);
    }
}

// x_ddot + c x_dot + k x = 0: the resolved part is a / (1 + h c + h^2 k), and so it is for the linear
// extrapolation of a
static void test_resolved_acceleration(void** state) {
    (void)state;
    double k = 4e4, damping = 30.0;
    ModelCase c =
        case_open("tree:\n"
                  "  - {body: mass, mass: 1, joint: {prismatic: {axis: x, stiffness: %g,\n"
                  "     damping: %g, position: 0.5, velocity: 2}}}\n",
                  k, damping);
    ElvProblem problem = open_problem(&c, false);
    double a = -k * 0.5 - damping * 2.0;
    for (double h = 1e-5; h < 1.0; h *= 10.0) {
        double w_dot = NAN;
        double filter = 1.0 + h * damping + h * h * k;
        c.state->a[0] = 7.0;
        CHECK_TRUE(elv_resolved_acceleration(&problem, c.state, h, 0.0, &w_dot));
        CHECK_NEAR(w_dot, a / filter, 1e-10 * fabs(a));
        // what the state says is left alone
        CHECK_NEAR(c.state->a[0], 7.0, 0.0);
        // the rate of the acceleration, by a difference: half of the digits
        double jerk = -damping * a - k * 2.0;
        c.state->a[0] = a;
        CHECK_TRUE(elv_resolved_acceleration(&problem, c.state, h, -h, &w_dot));
        CHECK_NEAR(w_dot, (a - h * jerk) / filter, 1e-6 * (fabs(a) + h * fabs(jerk)) / filter);
    }
    elv_problem_free(&problem);
    case_close(&c);
}

// without damping and loads that depend on speed, a robot's resolved accelerations differ from the
// consistent ones by h^2
static void test_resolved_tends_to_consistent(void** state) {
    (void)state;
    ModelCase c = case_open("%s", arm_text);
    ElvProblem problem = open_problem(&c, false);
    double w_dot[2][16], error[2];
    CHECK_TRUE(elv_consistent_acceleration(&problem, c.state));
    for (int i = 0; i < 2; i++) {
        CHECK_TRUE(
            elv_resolved_acceleration(&problem, c.state, i == 0 ? 1e-4 : 5e-5, 0.0, w_dot[i]));
        error[i] = largest_difference(w_dot[i], c.state->a, (size_t)c.nv);
    }
    CHECK_NEAR(error[0] / error[1], 4.0, 0.2);
    elv_problem_free(&problem);
    case_close(&c);
}

// an oscillator that is let go is fast from omega dt = sqrt(2) on, whatever falls beside it slowly
static void test_fast_start(void** state) {
    (void)state;
    for (int is_fast = 0; is_fast < 2; is_fast++) {
        double omega = is_fast ? 200.0 : 100.0;
        ModelCase c =
            case_open("gravity: [0, 0, -9.81]\n"
                      "tree:\n"
                      "  - {body: mass, mass: 1, joint: {prismatic: {axis: x, stiffness: %g,\n"
                      "     position: 0.01}}}\n"
                      "  - {body: stone, mass: 0.01, joint: {prismatic: {axis: z}}}\n",
                      omega * omega);
        ElvProblem problem = open_problem(&c, false);
        CHECK_TRUE(elv_consistent_acceleration(&problem, c.state));
        double a = c.state->a[0];
        CHECK_TRUE(elv_start_is_fast(&problem, c.state, 0.01) == (is_fast == 1));
        CHECK_NEAR(c.state->a[0], a, 0.0);
        elv_problem_free(&problem);
        case_close(&c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quadratic_convergence),
        cmocka_unit_test(test_hard_equilibrium),
        cmocka_unit_test(test_reuse),
        cmocka_unit_test(test_trusted_step),
        cmocka_unit_test(test_wild_guess),
        cmocka_unit_test(test_rounding),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_consistent_acceleration),
        cmocka_unit_test(test_resolved_acceleration),
        cmocka_unit_test(test_resolved_tends_to_consistent),
        cmocka_unit_test(test_fast_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
