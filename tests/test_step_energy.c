// SPDX-License-Identifier: Apache-2.0
// The energy balance of a step: what gravity, loads, actuators and drives bring is explained, what a
// doctored state has more is not.
#include "pendulum.h"
#include "solve/step_energy.h"

// a step of the default method from the initial state; its growth with velocities at the end times factor
static double growth_of(const char* text, double dt, double factor) {
    ModelCase c = case_open("%s", text);
    ElvSimulateDef options = elv_simulate_def_default();
    ElvProblem problem;
    ElvState* from = NULL;
    ElvError error;
    options.step = dt;
    ElvIntegrator* integrator = start_integrator(&c, &options);
    CHECK_STATUS(elv_state_create(c.model, &from, &error), &error);
    elv_state_copy(from, c.state);
    CHECK_STATUS(elv_integrator_step(integrator, 1.0, c.state, &error), &error);
    CHECK_STATUS(elv_problem_create(c.model, &problem, &error), &error);
    for (int i = 0; i < c.nv; i++) {
        c.state->v[i] *= factor;
    }
    double growth = elv_step_growth(&problem, from, c.state, c.state->nu_past);
    elv_problem_free(&problem);
    elv_state_free(from);
    elv_integrator_free(integrator);
    case_close(&c);
    return growth;
}

// each gains energy from rest, or nearly
static const char* const gain[] = {
    // gravity
    "gravity: [0, 0, -9.81]\n"
    "tree: [{body: stone, mass: 1, joint: {prismatic: {axis: z, velocity: -0.01}}}]\n",
    // a load
    "tree: [{body: puck, mass: 1, joint: {prismatic: {axis: x, velocity: 0.01}}}]\n"
    "loads: [{force: [5, 0, 0], at: puck}]\n",
    // a force drive
    "tree: [{body: cart, mass: 1, joint: {prismatic: {axis: x, force: 5, velocity: 0.01}}}]\n",
    // a motion drive carries an arm that is not driven
    "tree:\n"
    "  - {body: hub, mass: 1, inertia: [1, 1, 1], joint: {revolute: {axis: z,\n"
    "     motion: \"0.01*t + 5*t^2\"}}}\n"
    "  - {body: arm, parent: hub, mass: 1, inertia: [0.1, 0.1, 0.1], center: [0.3, 0, 0],\n"
    "     joint: {revolute: {axis: z, damping: 1}}}\n",
};

enum { N_GAIN = sizeof gain / sizeof gain[0] };

static void test_work_explains(void** state) {
    (void)state;
    for (int i = 0; i < N_GAIN; i++) {
        CHECK_NEAR(growth_of(gain[i], 0.1, 1.0), 0.0, 0.0);
        // a hundred times the energy is too much for any of them
        CHECK_TRUE(growth_of(gain[i], 0.1, 10.0) > 1.0);
    }
}

// without any work the growth is that of the kinetic energy
static void test_growth(void** state) {
    (void)state;
    const char* text =
        "tree: [{body: puck, mass: 1, joint: {prismatic: {axis: x, velocity: 1}}}]\n";
    CHECK_NEAR(growth_of(text, 0.1, 2.0), 3.0, 1e-12);
    CHECK_NEAR(growth_of(text, 0.1, 0.5), 0.0, 0.0);
    // nor is what is not a number
    CHECK_TRUE(!(growth_of(text, 0.1, NAN) <= 0.25));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_work_explains),
        cmocka_unit_test(test_growth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
