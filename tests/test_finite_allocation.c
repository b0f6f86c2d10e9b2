// SPDX-License-Identifier: Apache-2.0
// No allocation in steps of the finite differences, across breakpoints, with dense output and what they hand out: this
// program's own malloc counts. Address sanitizers bring an allocator of their own, so there it is skipped.
#include "finite_case.h"

#include "multibody/data.h"
#include "solve/integrator.h"

#if IS_SANITIZED || !defined(__GLIBC__)

int main(void) {
    return 77;
}

#else

#include "count_calls.h"

static void check_steps(ElvMethod method) {
    ModelCase c = case_open(
        "gravity: [0, 0, -9.81]\n"
        "tree:\n"
        "  - {body: base, joint: free, mass: 1, inertia: [0.1, 0.1, 0.1]}\n"
        "  - {rod: arm, parent: base, length: 0.4, section: {circle: {diameter: 0.02}},\n"
        "     strain: {reissner: 2}, material: {density: 1000, young: 1e8, damping: 0.02}}\n"
        "loads: [{force: [0, \"if(mod(t, 0.1) < 0.05, 0.1, 0)\", 0], rod: arm}]\n"
        "actuators: [{tendon: t, path: {rod: arm, y: 0.005}, tension: 1}]\n"
        "simulate: {duration: 1}\n");
    ElvSimulateDef def = finite_method(method, 0.01, 6, 2, ELV_RUNGE_RK4, ELV_HISTORY_CUBIC);
    ElvState* between = NULL;
    ElvIntegrator* integrator = NULL;
    ElvError error;
    CHECK_STATUS(elv_state_create(c.model, &between, &error), &error);
    CHECK_STATUS(elv_integrator_create(c.model, &def, &integrator, &error), &error);
    long before = n_call;
    CHECK_STATUS(elv_integrator_start(integrator, c.state, &error), &error);
    for (int i = 0; i < 1000; i++) {
        double t0 = c.state->t;
        CHECK_STATUS(elv_integrator_step(integrator, 100.0, c.state, &error), &error);
        double t = 0.5 * (t0 + c.state->t);
        CHECK_STATUS(elv_integrator_interpolate(integrator, t, between, &error), &error);
        integrator->ops->see(integrator, between, c.data);
        elv_energy(c.model, c.data, between);
    }
    CHECK_TRUE(n_call == before);
    elv_integrator_free(integrator);
    elv_state_free(between);
    case_close(&c);
}

static void test_steps(void** state) {
    (void)state;
    check_steps(ELV_METHOD_RKMK);
    check_steps(ELV_METHOD_TILL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
