// SPDX-License-Identifier: Apache-2.0
// Trees with devices whose unknowns border the tangent: tendons across rods and bodies, by tension and
// by length, taut and slack, with friction; velocity controllers. The whole tangent of (residual; c)
// against central differences, and the bordered solve against the tangent.
#include "border_case.h"

// a floating chain body - rod - body - rod - body, with a tendon through all of it
static const char chain[] =
    "tree:\n"
    "  - {body: base, joint: free, mass: 1, inertia: [0.02, 0.03, 0.04]}\n"
    "  - rod: first\n"
    "    parent: base\n"
    "    length: 0.5\n"
    "    section: {circle: {diameter: 0.02}}\n"
    "    material: {density: 1000, young: 1e6, poisson: 0.4, damping: 1e-2}\n"
    "    strain: {kirchhoff: 3, stretch: 1}\n"
    "    nodes: 24\n"
    "  - body: disc\n"
    "    parent: first.tip\n"
    "    pose: {xyz: [0.02, 0, 0]}\n"
    "    joint: {universal: {axis: y, axis2: z, stiffness: 0.5}}\n"
    "    mass: 0.1\n"
    "    inertia: [1e-4, 1e-4, 1e-4]\n"
    "  - rod: second\n"
    "    parent: disc\n"
    "    pose: {xyz: [0.03, 0, 0]}\n"
    "    length: 0.4\n"
    "    section: {circle: {diameter: 0.02}}\n"
    "    material: {density: 1000, young: 1e6, poisson: 0.4, damping: 1e-2}\n"
    "    strain: {bend_y: 2, bend_z: 3, twist: 2}\n"
    "    nodes: 24\n"
    "  - {body: tip, parent: second.tip, mass: 0.05, inertia: [1e-5, 1e-5, 1e-5]}\n"
    "actuators:\n"
    "  - tendon: main\n"
    "    path:\n"
    "      - {at: base, point: [-0.1, 0.02, 0.01]}\n"
    "      - {rod: first, y: \"0.008*cos(3*s)\", z: \"0.008*sin(3*s)\"}\n"
    "      - {at: disc, point: [0.01, 0.01, 0]}\n"
    "      - {rod: second, to: 0.7, y: 0.006, z: \"0.004*s\"}\n"
    "%s"
    "  - {velocity_control: pilot, at: tip, kp: [1, 2, 3, 4, 5, 6], ki: [2, 1, 2, 1, 2, 1],\n"
    "     angular: [0.1, \"t\", 0], linear: [1, \"sin(t)\", 0.3]}\n";

static const char* const tension = "    tension: 3\n";
static const char* const tension_friction = "    tension: 3\n    friction: 0.3\n";
static const char* const pulled = "    pull: 0.05\n";
static const char* const pulled_spring = "    pull: 0.05\n    stiffness: 200\n    friction: 0.2\n";
static const char* const slack = "    pull: 0.01\n    slack: 0.5\n";

static void check_tangent(const char* kind, uint64_t seed) {
    ModelCase c = case_open(chain, kind);
    ElvProblem problem = border_start(c.model, seed);
    // slope 2, then rounding
    double coarse = border_error(&problem, 1e-2, seed);
    double fine = border_error(&problem, 1e-3, seed);
    double finest = border_error(&problem, 1e-5, seed);
    CHECK_TRUE(coarse > 0.0 && fine < coarse / 50.0);
    CHECK_NEAR(finest, 0.0, 1e-8);
    elv_problem_free(&problem);
    case_close(&c);
}

static void test_tangent(void** unused) {
    (void)unused;
    static const char* const kinds[] = {tension, tension_friction, pulled, pulled_spring, slack};
    for (int i = 0; i < 5; i++) {
        for (uint64_t seed = 1; seed <= 4; seed++) {
            check_tangent(kinds[i], seed);
        }
    }
}

// the step solves the bordered system: what the tangent makes of it is minus the residual
static void test_solve(void** unused) {
    (void)unused;
    static const char* const kinds[] = {tension, tension_friction, pulled, pulled_spring, slack};
    for (uint64_t seed = 1; seed <= 20; seed++) {
        ModelCase c = case_open(chain, kinds[seed % 5]);
        ElvProblem problem = border_start(c.model, seed);
        int nv = problem.model->nv;
        double back[64];
        elv_tidm_pass(problem.model, problem.data, problem.state, problem.nu, problem.a, problem.b);
        CHECK_TRUE(elv_border_factor(problem.model, problem.data, problem.state, &problem.rule) <
                   0);
        elv_problem_solve(&problem, problem.residual, problem.d_nu);
        elv_border_apply(problem.model, problem.data, problem.state, &problem.rule, problem.d_nu,
                         problem.d_nu + nv, back, back + nv);
        double size = 1.0 + largest(problem.residual, (size_t)problem.n);
        for (int i = 0; i < problem.n; i++) {
            CHECK_NEAR(back[i], -problem.residual[i], 1e-9 * size);
        }
        elv_problem_free(&problem);
        case_close(&c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tangent),
        cmocka_unit_test(test_solve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
