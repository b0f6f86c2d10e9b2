// SPDX-License-Identifier: Apache-2.0
// No allocation in a thousand steps of an implicit integrator, across breakpoints, with dense output and
// steps that have to be cut: this program's own malloc counts. Address sanitizers bring an allocator of
// their own, so there it is skipped.
#include "pendulum.h"

#if IS_SANITIZED || !defined(__GLIBC__)

int main(void) {
    return 77;
}

#else

#include "count_calls.h"

static const char* const robot_text =
    "gravity: [0, 0, -9.81]\n"
    "fluid: {density: 10, current: [\"0.1*sin(t)\", 0, 0], surface: 0.05}\n"
    "tree:\n"
    "  - {body: base, joint: free, mass: 1, inertia: [0.1, 0.1, 0.1], fluid: {buoyancy: true,\n"
    "     volume: 1e-3, drag: [0.01, 0.01, 0.01]}}\n"
    "  - {body: hip, parent: base, joint: {revolute: {axis: y, motion: \"0.1*sin(t)\"}}, mass: 1}\n"
    "  - {rod: arm, parent: hip, joint: {universal: {axis: x, axis2: y, damping: 0.1}}, length: "
    "1,\n"
    "     section: {circle: {diameter: 0.02}}, strain: {twist: 1, bend_y: 2, bend_z: 2},\n"
    "     material: {density: 1000, young: 1e5, damping: 0.1}, fluid: {buoyancy: true, "
    "added_mass:\n"
    "     1, drag: {normal: 1, tangential: 0.1}, lift: 0.1, lighthill: true}}\n"
    "  - {body: fin, parent: arm.at(0.5), joint: spherical, mass: 0.1,\n"
    "     inertia: [0.01, 0.01, 0.01]}\n"
    "  - {rod: tail, parent: base, length: 1, inertia: [1e-3, 1e-3, 1e-3, 1, 1, 1], stiffness:\n"
    "     [0.1, 0.1, 0.1, 1, 1, 1], damping: [0.01, 0.01, 0.01, 1, 1, 1], strain: {bend_y: 2},\n"
    "     motion: {bend_z: \"sin(3*s - 2*t)\"}}\n"
    "loads: [{force: [0, \"if(mod(t, 0.01) < 0.005, 0.1, 0)\", 0], rod: arm}]\n"
    "simulate: {duration: 1}\n";

static void check_steps(const ElvSimulateDef* options, bool must_cut) {
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
    ElvIntegratorReport report = elv_integrator_report(integrator);
    CHECK_TRUE(n_call == before);
    CHECK_TRUE(report.n_step == 1000 && (!must_cut || report.n_halving > 0));
    elv_integrator_free(integrator);
    elv_state_free(between);
    case_close(&c);
}

static void test_steps(void** state) {
    (void)state;
    const ElvMethod methods[] = {ELV_METHOD_NEWMARK, ELV_METHOD_HHT, ELV_METHOD_GENERALIZED_ALPHA,
                                 ELV_METHOD_BDF2};
    for (int m = 0; m < 4; m++) {
        ElvSimulateDef options = elv_simulate_def_default();
        options.method = methods[m];
        options.step = 0.004;
        check_steps(&options, false);
    }
    ElvSimulateDef options = elv_simulate_def_default();
    options.step = 0.004;
    options.max_iterations = 1;
    check_steps(&options, true);
    options.max_iterations = 20;
    options.is_adaptive = true;
    options.rel_tol = options.abs_tol = 1e-4;
    check_steps(&options, false);
    options.keeps_work = true;
    check_steps(&options, false);
}

static void test_counter_counts(void** state) {
    (void)state;
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
