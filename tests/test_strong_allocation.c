// SPDX-License-Identifier: Apache-2.0
// No allocation in steps of shooting in time, across breakpoints, with dense output and what they hand out, nor in equilibria by
// shooting once the steps along the rods are fine enough: this program's own malloc counts. Address sanitizers bring an
// allocator of their own, so there it is skipped.
#include "finite_case.h"

#include "elver/strong.h"
#include "multibody/data.h"
#include "solve/integrator.h"

#if IS_SANITIZED || !defined(__GLIBC__)

int main(void) {
    return 77;
}

#else

#include "count_calls.h"

// a free base with a rod, whose tendon follows the strain, and a body; the load jumps every 50 ms
static const char CHAIN[] =
    "gravity: [0, 0, -9.81]\n"
    "tree:\n"
    "  - {body: base, joint: %s, mass: 1, inertia: [0.1, 0.1, 0.1]}\n"
    "  - {rod: arm, parent: base, length: 0.4, section: {circle: {diameter: 0.02}},\n"
    "     strain: {reissner: 2}, material: {density: 1000, young: 1e8, damping: 0.02}}\n"
    "  - {body: hand, parent: arm.tip, mass: 0.01, inertia: [1e-5, 1e-5, 1e-5]}\n"
    "loads: [{force: [0, \"%s\", 0], rod: arm}]\n"
    "actuators: [{tendon: t, path: {rod: arm, y: 0.005}, tension: 1, strain_dependence: %s}]\n"
    "simulate: {duration: 1}\n";

static void check_steps(bool has_accelerations, ElvShootSolver solver) {
    ModelCase c = case_open(CHAIN, "free", "if(mod(t, 0.1) < 0.05, 0.1, 0)", "true");
    ElvSimulateDef def = elv_simulate_def_default();
    def.method = ELV_METHOD_SHOOTING;
    def.step = 0.01;
    def.shooting.segments = 3;
    def.shooting.solver = solver;
    def.has_accelerations = has_accelerations;
    ElvState* between = NULL;
    ElvIntegrator* integrator = NULL;
    ElvError error;
    CHECK_STATUS(elv_state_create(c.model, &between, &error), &error);
    CHECK_STATUS(elv_integrator_create(c.model, &def, &integrator, &error), &error);
    long before = n_call;
    CHECK_STATUS(elv_integrator_start(integrator, c.state, &error), &error);
    for (int i = 0; i < 150; i++) {
        double t0 = c.state->t;
        CHECK_STATUS(elv_integrator_step(integrator, 100.0, c.state, &error), &error);
        double t = 0.5 * (t0 + c.state->t);
        CHECK_STATUS(elv_integrator_interpolate(integrator, t, between, &error), &error);
        integrator->ops->see(integrator, between, c.data);
        elv_energy(c.model, c.data, between);
    }
    CHECK_TRUE(elv_integrator_report(integrator).strong.space_error > 0.0);
    // a step that fails
    ElvStatus status = ELV_OK;
    double t_end = c.state->t + 0.01;
    for (double t = c.state->t + 1e-9; status == ELV_OK && t < t_end; t += 1e-9) {
        status = elv_integrator_step(integrator, t, c.state, &error);
    }
    CHECK_TRUE(n_call == before);
    c.data->source = NULL;
    elv_integrator_free(integrator);
    elv_state_free(between);
    case_close(&c);
}

static void test_steps_in_time(void** state) {
    (void)state;
    check_steps(true, ELV_SHOOT_LEVENBERG);
    check_steps(false, ELV_SHOOT_DOGLEG);
}

static void check_equilibria(const char* dependence, int segments) {
    ModelCase c = case_open(CHAIN, "{revolute: {axis: y, stiffness: 5}}", "t", dependence);
    ElvStaticsDef def = elv_statics_def_default();
    ElvShooting* shooting = NULL;
    ElvError error;
    def.shooting.segments = segments;
    CHECK_STATUS(elv_shoot_create(c.model, &def, &shooting, &error), &error);
    // the hardest load has the finest steps
    CHECK_STATUS(elv_shoot_statics(shooting, 4.0, &error), &error);
    ElvPose tip;
    elv_shoot_section(shooting, 1, 1.0, &tip, NULL, NULL);
    long before = n_call;
    for (int i = 0; i < 200; i++) {
        CHECK_STATUS(elv_shoot_statics(shooting, 4.0 * (i % 7) / 7.0, &error), &error);
        elv_shoot_hand_out(shooting, c.data, c.state);
        elv_energy(c.model, c.data, c.state);
    }
    CHECK_TRUE(n_call == before);
    elv_shoot_hold_tip(shooting, &tip);
    CHECK_STATUS(elv_shoot_statics(shooting, 3.9, &error), &error);
    CHECK_TRUE(n_call == before);
    // one that there is not
    CHECK_TRUE(elv_shoot_statics(shooting, NAN, &error) == ELV_ERROR_INPUT);
    CHECK_TRUE(n_call == before);
    CHECK_TRUE(elv_shoot_report(shooting).n_increment > 200);
    c.data->source = NULL;
    elv_shoot_free(shooting);
    case_close(&c);
}

static void test_equilibria(void** state) {
    (void)state;
    check_equilibria("true", 1);
    check_equilibria("false", 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps_in_time),
        cmocka_unit_test(test_equilibria),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
