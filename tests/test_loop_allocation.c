// SPDX-License-Identifier: Apache-2.0
// No allocation in a thousand steps of a robot with loops: redundant ones, an imposed pose, a motor that
// switches, velocities projected or left alone. This program's own malloc counts. Address sanitizers bring
// an allocator of their own, so there it is skipped.
#include "pendulum.h"

#if IS_SANITIZED || !defined(__GLIBC__)

int main(void) {
    return 77;
}

#else

#include "count_calls.h"

// two elastic legs and their apex, in a plane and closed twice; a box that is led, and a ball on a spring
static const char* const robot_text =
    "gravity: [0, -9.81, 0]\n"
    "materials: {rubber: {density: 1000, young: 1e6, damping: 0.1}}\n"
    "tree:\n"
    "  - {rod: left, joint: {revolute: {axis: z, position: pi/3}}, length: 1,\n"
    "     section: {circle: {diameter: 0.04}}, material: rubber, strain: {bend_z: 2}}\n"
    "  - {rod: right, pose: {xyz: [1, 0, 0]}, joint: {revolute: {axis: z, position: 2*pi/3}},\n"
    "     length: 1, section: {circle: {diameter: 0.04}}, material: rubber, strain: {bend_z: 2}}\n"
    "  - {body: box, joint: free, mass: 1, inertia: [0.1, 0.1, 0.1]}\n"
    "  - {body: ball, joint: {free: {position: {xyz: [0.3, 0, 0]}}}, mass: 0.2,\n"
    "     inertia: [0.01, 0.02, 0.02]}\n"
    "loops:\n"
    "  - {loop: apex, between: [left.tip, right.tip], joint: {revolute: {axis: z,\n"
    "     force: \"if(mod(t, 0.05) < 0.025, 0.01, 0)\"}}}\n"
    "  - {loop: again, between: [left.tip, right.tip], joint: spherical}\n"
    "  - {loop: hand, between: [world, box], joint: fixed, pose: {rpy: [0, 0, \"sin(t)\"]}}\n"
    "  - {loop: neck, between: [box, ball], joint: {spherical: {stiffness: 1, damping: 0.01}},\n"
    "     pose: {xyz: [0.3, 0, 0]}, closure: augmented, penalty: 1e4}\n"
    "simulate: {duration: 4}\n";

static void check_steps(const ElvSimulateDef* options) {
    ModelCase c = case_open("%s", robot_text);
    ElvState* between = NULL;
    ElvError error;
    CHECK_STATUS(elv_state_create(c.model, &between, NULL), NULL);
    ElvIntegrator* integrator = start_integrator(&c, options);
    long before = n_call;
    CHECK_STATUS(elv_integrator_start(integrator, c.state, &error), &error);
    for (int i = 0; i < 1000; i++) {
        double t0 = c.state->t;
        CHECK_STATUS(elv_integrator_step(integrator, 100.0, c.state, &error), &error);
        double t = 0.5 * (t0 + c.state->t);
        CHECK_STATUS(elv_integrator_interpolate(integrator, t, between, &error), &error);
    }
    CHECK_TRUE(n_call == before);
    CHECK_TRUE(elv_integrator_report(integrator).n_step == 1000);
    elv_integrator_free(integrator);
    elv_state_free(between);
    case_close(&c);
}

static void test_steps(void** unused) {
    (void)unused;
    const ElvMethod methods[] = {ELV_METHOD_NEWMARK, ELV_METHOD_HHT, ELV_METHOD_GENERALIZED_ALPHA,
                                 ELV_METHOD_BDF2};
    for (int m = 0; m < 8; m++) {
        ElvSimulateDef options = elv_simulate_def_default();
        options.method = methods[m % 4];
        options.step = 0.004;
        options.projects_velocity = m >= 4;
        check_steps(&options);
    }
}

static void test_counter_counts(void** unused) {
    (void)unused;
    long before = n_call;
    ModelCase c = case_open("%s", robot_text);
    CHECK_TRUE(n_call > before + 10);
    case_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counter_counts),
        cmocka_unit_test(test_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
