// SPDX-License-Identifier: Apache-2.0
// The error that steps along the chain leave within a step of shooting in time: the estimate against what many more of them
// change, from a state that is bent and moves.
#include "finite_case.h"

#include "multibody/data.h"
#include "solve/integrator.h"
#include "strong/motion.h"

static const char CHAIN[] =
    "gravity: [0, 0, -9.81]\n"
    "tree:\n"
    "  - {body: base, joint: %s, mass: 0.1, inertia: [1e-4, 1e-4, 1e-4]}\n"
    "  - {rod: rod, parent: base, length: 0.4, section: {circle: {diameter: %g}}, strain: %s,\n"
    "     basis: legendre, material: {density: 1200, young: 2e7, poisson: 0.4, damping: 1e-3}}\n"
    "loads: [{force: [0, 0.05, 0.1], at: rod.tip}]\n";

enum { N_STEP = 4 };

/// The tip after some steps in time with so many along the rod, and the estimate.
typedef struct {
    ElvVec3 tip;
    double estimate;
} Outcome;

static Outcome run_with(ModelCase* c, int steps, bool has_accelerations) {
    ElvSimulateDef def = elv_simulate_def_default();
    ElvIntegrator* integrator = NULL;
    ElvError error;
    def.method = ELV_METHOD_SHOOTING;
    def.step = 2e-3;
    def.newton_tol = 1e-13;
    def.shooting.segments = 4;
    def.shooting.steps = steps;
    def.has_accelerations = has_accelerations;
    case_randomize(c, 3, 1.0);
    c->state->t = 0.0;
    CHECK_STATUS(elv_integrator_create(c->model, &def, &integrator, &error), &error);
    CHECK_STATUS(elv_integrator_start(integrator, c->state, &error), &error);
    for (int i = 0; i < N_STEP; i++) {
        CHECK_STATUS(elv_integrator_step(integrator, 1.0, c->state, &error), &error);
    }
    integrator->ops->see(integrator, c->state, c->data);
    Outcome outcome = {elv_frame_pose(c->model, c->data, case_frame(c, "rod.tip")).p,
                       elv_integrator_report(integrator).strong.space_error};
    c->data->source = NULL;
    elv_integrator_free(integrator);
    return outcome;
}

static void
check_estimate(const char* joint, double diameter, const char* strain, bool has_accelerations) {
    ModelCase c = case_open(CHAIN, joint, diameter, strain);
    Outcome fine = run_with(&c, 192, has_accelerations);
    double before = 0.0;
    for (int steps = 24; steps <= 48; steps *= 2) {
        Outcome coarse = run_with(&c, steps, has_accelerations);
        double error = elv_vec3_norm(elv_vec3_sub(coarse.tip, fine.tip)) / 0.4;
        print_message("%d steps: error %.1e, estimate %.1e\n", steps, error, coarse.estimate);
        // errors of four steps in time at the tip, against the worst of a step anywhere
        CHECK_TRUE(coarse.estimate < 20.0 * error && coarse.estimate > 0.3 * error);
        // order 8
        CHECK_TRUE(before == 0.0 ||
                   (before / coarse.estimate > 64.0 && before / coarse.estimate < 1024.0));
        before = coarse.estimate;
    }
    case_close(&c);
}

static void test_estimates(void** state) {
    (void)state;
    check_estimate("{revolute: {axis: z, motion: \"smooth(t, 0, 0.05)\"}}", 0.01, "{kirchhoff: 3}",
                   true);
    check_estimate("free", 0.008, "{kirchhoff: 3}", true);
    check_estimate("free", 0.01, "{kirchhoff: 3}", false);
}

// as many steps as growth takes leave little
static void test_default_steps_are_fine(void** state) {
    (void)state;
    ModelCase c = case_open(CHAIN, "free", 0.01, "{kirchhoff: 3}");
    Outcome outcome = run_with(&c, 0, true);
    CHECK_TRUE(outcome.estimate > 0.0 && outcome.estimate < 1e-7);
    case_close(&c);
}

static ElvIntegrator* start_with(ModelCase* c, double step, int steps) {
    ElvSimulateDef def = elv_simulate_def_default();
    ElvIntegrator* integrator = NULL;
    ElvError error;
    def.method = ELV_METHOD_SHOOTING;
    def.step = step;
    def.shooting.segments = 4;
    def.shooting.steps = steps;
    CHECK_STATUS(elv_integrator_create(c->model, &def, &integrator, &error), &error);
    CHECK_STATUS(elv_integrator_start(integrator, c->state, &error), &error);
    return integrator;
}

// a step that the check rejects is not there: no call goes on from it, a start begins where State is
static void test_rejected_steps(void** state) {
    (void)state;
    ModelCase c = case_open(CHAIN, "fixed", 0.008, "{kirchhoff: 3}");
    ElvIntegrator* integrator = start_with(&c, 0.01, 4);
    ElvError error, again;
    ElvStatus status = ELV_OK;
    int n = 0;
    while (status == ELV_OK && n < 8) {
        status = elv_integrator_step(integrator, 1.0, c.state, &error);
        n += status == ELV_OK;
    }
    double t = c.state->t;
    CHECK_TRUE(status == ELV_ERROR_STEP && strstr(error.message, "has no meaning"));
    for (int i = 0; i < 3; i++) {
        CHECK_TRUE(elv_integrator_step(integrator, 1.0, c.state, &again) == ELV_ERROR_STEP);
        CHECK_NEAR(c.state->t, t, 0.0);
        assert_string_equal(again.message, error.message);
        CHECK_TRUE(elv_integrator_report(integrator).n_step == n + 1);
    }
    // the first step after a start is looked at
    CHECK_STATUS(elv_integrator_start(integrator, c.state, &error), &error);
    CHECK_TRUE(elv_integrator_step(integrator, 1.0, c.state, &error) == ELV_ERROR_STEP);
    CHECK_NEAR(c.state->t, t, 0.0);
    elv_integrator_free(integrator);
    case_close(&c);
}

// an estimate that is no number is told, not left out of the largest
static void test_estimate_without_a_number(void** state) {
    (void)state;
    ModelCase c = case_open(CHAIN, "free", 0.008, "{kirchhoff: 3}");
    case_randomize(&c, 3, 1.0);
    c.state->t = 0.0;
    ElvIntegrator* integrator = start_with(&c, 2e-3, 24);
    ElvMotionShooting* shooting = (ElvMotionShooting*)integrator;
    ElvError error;
    CHECK_STATUS(elv_integrator_step(integrator, 1.0, c.state, &error), &error);
    CHECK_TRUE(elv_motion_space_error(shooting) <= ELV_MOTION_COARSEST);
    shooting->moment = NAN;
    CHECK_TRUE(!(elv_motion_space_error(shooting) <= ELV_MOTION_COARSEST));
    elv_integrator_free(integrator);
    case_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_estimates),
        cmocka_unit_test(test_default_steps_are_fine),
        cmocka_unit_test(test_rejected_steps),
        cmocka_unit_test(test_estimate_without_a_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
