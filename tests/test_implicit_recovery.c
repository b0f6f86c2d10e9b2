// SPDX-License-Identifier: Apache-2.0
// Steps that fail: cut and saved, or given up with a name and the last good state. Runs that repeat, and
// runs that go on from a copy of their State: the same bits.
#include "pendulum.h"

static const ElvMethod methods[] = {ELV_METHOD_NEWMARK, ELV_METHOD_HHT,
                                    ELV_METHOD_GENERALIZED_ALPHA, ELV_METHOD_BDF2};

// every kind of joint chart, a motion drive, loads that switch every 7 ms
static const char* const robot_text =
    "gravity: [0, 0, -9.81]\n"
    "tree:\n"
    "  - {body: base, joint: {free: {velocity: [1, 2, 0.5, 0.1, 0, 0]}}, mass: 1,\n"
    "     inertia: [0.1, 0.2, 0.15]}\n"
    "  - {body: hip, parent: base, joint: {revolute: {axis: y, motion: \"0.3*sin(5*t)\"}}, mass: "
    "1,\n"
    "     inertia: [0.1, 0.1, 0.1]}\n"
    "  - {rod: arm, parent: hip, joint: {universal: {axis: x, axis2: y, damping: 0.1}}, length: "
    "1,\n"
    "     section: {circle: {diameter: 0.02}}, strain: {kirchhoff: 2},\n"
    "     material: {density: 1000, young: 1e5}}\n"
    "  - {body: fin, parent: arm.at(0.5), joint: spherical, mass: 0.1,\n"
    "     inertia: [0.01, 0.01, 0.01], center: [0.1, 0, 0]}\n"
    "loads:\n"
    "  - {force: [0, \"if(mod(t, 0.014) < 0.007, 0.3, 0)\", 0], at: fin}\n"
    "simulate: {duration: 1}\n";

static bool same_bits(const ElvState* a, const ElvState* b) {
    size_t nq = (size_t)a->nq * sizeof(double), nv = (size_t)a->nv * sizeof(double);
    return a->t == b->t && a->step_past == b->step_past && a->step_next == b->step_next &&
           a->aux_lead == b->aux_lead && a->n_calm == b->n_calm && memcmp(a->q, b->q, nq) == 0 &&
           memcmp(a->v, b->v, nv) == 0 && memcmp(a->a, b->a, nv) == 0 &&
           memcmp(a->aux, b->aux, nv) == 0 && memcmp(a->nu_past, b->nu_past, nv) == 0 &&
           memcmp(a->w_past, b->w_past, nv) == 0 && memcmp(a->effort, b->effort, nv) == 0;
}

static ElvState* copy_of(const ModelCase* c) {
    ElvState* copy = NULL;
    CHECK_STATUS(elv_state_create(c->model, &copy, NULL), NULL);
    elv_state_copy(copy, c->state);
    return copy;
}

// ---- recovery

// too few iterations for a whole step: half steps need fewer, and the run goes through
static void test_halving_saves(void** state) {
    (void)state;
    double tip[2];
    for (int i = 0; i < 2; i++) {
        ModelCase c =
            case_open("gravity: [0, 0, -9.81]\n"
                      "tree:\n"
                      "  - {rod: arm, length: 1, stiffness: [1, 1, 1, 1, 1, 1],\n"
                      "     inertia: [0.1, 0.1, 0.1, 1, 1, 1], strain: {kirchhoff: 3}}\n");
        ElvSimulateDef options = elv_simulate_def_default();
        options.step = i == 0 ? 0.05 : 0.002;
        options.max_iterations = i == 0 ? 2 : 20;
        options.reuse_jacobian = false;
        ElvIntegrator* integrator = start_integrator(&c, &options);
        integrate_to(integrator, 0.5, c.state);
        ElvIntegratorReport report = elv_integrator_report(integrator);
        CHECK_TRUE(i == 1 || (report.n_halving > 0 && report.n_step > 10));
        CHECK_TRUE(i == 0 || (report.n_halving == 0 && report.n_step == 250));
        CHECK_NEAR(c.state->t, 0.5, 0.0);
        tip[i] = case_pose(&c, "arm.tip").p.z;
        elv_integrator_free(integrator);
        case_close(&c);
    }
    CHECK_NEAR(tip[0], tip[1], 0.01);
}

// after a cut the steps grow again, and end on the multiples of the nominal step
static void test_back_to_the_grid(void** state) {
    (void)state;
    ModelCase c = case_open("tree:\n"
                            "  - {body: mass, mass: 1, joint: {prismatic: {axis: x}}}\n");
    ElvSimulateDef options = elv_simulate_def_default();
    options.step = 0.01;
    ElvIntegrator* integrator = start_integrator(&c, &options);
    integrate_to(integrator, 0.02, c.state);
    // as if the last try had been cut to a quarter
    c.state->step_next = 0.0025;
    CHECK_STATUS(elv_integrator_start(integrator, c.state, NULL), NULL);
    const double expected[] = {0.0225, 0.0275, 0.03, 0.04, 0.05};
    for (int i = 0; i < 5; i++) {
        CHECK_STATUS(elv_integrator_step(integrator, 1.0, c.state, NULL), NULL);
        CHECK_NEAR(c.state->t, expected[i], 1e-15);
    }
    elv_integrator_free(integrator);
    case_close(&c);
}

// no drift: 100000 steps of 0.1 ms end where they should, none of them a sliver
static void test_no_slivers(void** state) {
    (void)state;
    ModelCase c = case_open("tree:\n"
                            "  - {body: mass, mass: 1, joint: {prismatic: {axis: x}}}\n");
    ElvSimulateDef options = elv_simulate_def_default();
    options.step = 1e-4;
    ElvIntegrator* integrator = start_integrator(&c, &options);
    integrate_to(integrator, 10.0, c.state);
    assert_int_equal(elv_integrator_report(integrator).n_step, 100000);
    elv_integrator_free(integrator);
    case_close(&c);
}

// ---- giving up

// the force is not a number from t = 0.25 on
static void test_gives_up(void** state) {
    (void)state;
    for (int m = 0; m < 4; m++) {
        ModelCase c = case_open("tree:\n"
                                "  - {body: calm, mass: 1, joint: {prismatic: {axis: x}}}\n"
                                "  - {body: wild, mass: 1, joint: {prismatic: {axis: x,\n"
                                "     force: \"sqrt(0.25 - t)\"}}}\n"
                                "simulate: {duration: 1}\n");
        ElvSimulateDef options = elv_simulate_def_default();
        options.method = methods[m];
        options.step = 0.1;
        ElvIntegrator* integrator = start_integrator(&c, &options);
        ElvError error;
        ElvStatus status = ELV_OK;
        ElvState* last = NULL;
        while (status == ELV_OK) {
            elv_state_free(last);
            last = copy_of(&c);
            status = elv_integrator_step(integrator, 1.0, c.state, &error);
        }
        assert_int_equal(status, ELV_ERROR_STEP);
        assert_string_equal(error.element, "wild");
        CHECK_TRUE(strstr(error.message, "'wild'") && strstr(error.message, "t = 0.2"));
        // as before the step, and as near to the end as the smallest step allows
        CHECK_TRUE(same_bits(c.state, last));
        CHECK_TRUE(c.state->t <= 0.25 && c.state->t > 0.25 - 0.1 / 2048.0);
        // the exact motion: x_ddot = sqrt(0.25 - t)
        double u = pow(0.25 - c.state->t, 2.5) - pow(0.25, 2.5);
        double x = 4.0 / 15.0 * u + 2.0 / 3.0 * pow(0.25, 1.5) * c.state->t;
        CHECK_NEAR(c.state->q[1], x, 1e-3);
        // and again the same
        CHECK_TRUE(elv_integrator_step(integrator, 1.0, c.state, &error) == status);
        elv_state_free(last);
        elv_integrator_free(integrator);
        case_close(&c);
    }
}

static void test_singular(void** state) {
    (void)state;
    ModelCase c = case_open("tree:\n"
                            "  - {body: arm, mass: 1, joint: {revolute: {axis: z}},\n"
                            "     inertia: [1, 1, 1]}\n"
                            "  - {body: ghost, parent: arm, joint: {revolute: {axis: z}}}\n"
                            "loads: [{torque: [0, 0, 1], force: [0, 0, 0], at: ghost}]\n");
    ElvSimulateDef options = elv_simulate_def_default();
    ElvIntegrator* integrator = start_integrator(&c, &options);
    ElvError error;
    assert_int_equal(elv_integrator_step(integrator, 1.0, c.state, &error), ELV_ERROR_SINGULAR);
    assert_string_equal(error.element, "ghost");
    CHECK_NEAR(c.state->t, 0.0, 0.0);
    elv_integrator_free(integrator);
    case_close(&c);
}

// elv_simulate keeps the last good state too
static void test_simulate_gives_up(void** state) {
    (void)state;
    ModelCase c = case_open("tree:\n"
                            "  - {body: wild, mass: 1, joint: {prismatic: {axis: x,\n"
                            "     force: \"sqrt(0.25 - t)\"}}}\n"
                            "simulate: {duration: 1, step: 0.01}\n");
    ElvSimulateOptions options = elv_simulate_options_default(c.model, c.state);
    ElvIntegratorReport report;
    ElvError error;
    assert_int_equal(elv_simulate(c.model, c.state, &options, &report, &error), ELV_ERROR_STEP);
    assert_string_equal(error.element, "wild");
    CHECK_TRUE(c.state->t > 0.2499 && c.state->t <= 0.25 && c.state->q[0] > 0.0);
    CHECK_TRUE(report.n_step >= 25 && report.n_halving > 0);
    case_close(&c);
}

// ---- the same bits

/// How a run of the robot is set up.
typedef struct {
    ElvMethod method;
    bool is_adaptive;
    int max_iterations;
} Setup;

static ElvSimulateDef setup_options(const Setup* setup) {
    ElvSimulateDef options = elv_simulate_def_default();
    options.method = setup->method;
    options.step = 0.01;
    options.is_adaptive = setup->is_adaptive;
    options.rel_tol = options.abs_tol = 1e-5;
    options.max_iterations = setup->max_iterations;
    return options;
}

enum { N_STEP = 60 };

// N_STEP steps; a copy of the state after each of them
static void follow(const Setup* setup, ElvState* trace[N_STEP]) {
    ModelCase c = case_open("%s", robot_text);
    ElvSimulateDef options = setup_options(setup);
    ElvIntegrator* integrator = start_integrator(&c, &options);
    for (int i = 0; i < N_STEP; i++) {
        CHECK_STATUS(elv_integrator_step(integrator, 1.0, c.state, NULL), NULL);
        trace[i] = copy_of(&c);
    }
    ElvIntegratorReport report = elv_integrator_report(integrator);
    CHECK_TRUE(!setup->is_adaptive || report.n_reject > 0);
    CHECK_TRUE(setup->max_iterations > 5 || report.n_halving > 0);
    elv_integrator_free(integrator);
    case_close(&c);
}

// from copies after every third step, by an integrator that has done other things before
static void resume(const Setup* setup, ElvState* trace[N_STEP]) {
    ModelCase c = case_open("%s", robot_text);
    ElvSimulateDef options = setup_options(setup);
    ElvIntegrator* integrator = start_integrator(&c, &options);
    for (int i = 0; i < N_STEP; i += 3) {
        elv_state_copy(c.state, trace[i]);
        CHECK_STATUS(elv_integrator_start(integrator, c.state, NULL), NULL);
        for (int k = i + 1; k < N_STEP && k <= i + 7; k++) {
            CHECK_STATUS(elv_integrator_step(integrator, 1.0, c.state, NULL), NULL);
            CHECK_TRUE(same_bits(c.state, trace[k]));
        }
    }
    elv_integrator_free(integrator);
    case_close(&c);
}

static void test_same_bits(void** state) {
    (void)state;
    for (int m = 0; m < 4; m++) {
        // fixed steps, adaptive ones, and steps that have to be cut
        const Setup setups[] = {
            {methods[m], false, 20}, {methods[m], true, 20}, {methods[m], false, 1}};
        for (int k = 0; k < 3; k++) {
            ElvState *first[N_STEP], *second[N_STEP];
            Setup setup = setups[k];
            follow(&setup, first);
            follow(&setup, second);
            for (int i = 0; i < N_STEP; i++) {
                CHECK_TRUE(same_bits(first[i], second[i]));
                elv_state_free(second[i]);
            }
            resume(&setup, first);
            for (int i = 0; i < N_STEP; i++) {
                elv_state_free(first[i]);
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_halving_saves), cmocka_unit_test(test_back_to_the_grid),
        cmocka_unit_test(test_no_slivers),    cmocka_unit_test(test_gives_up),
        cmocka_unit_test(test_singular),      cmocka_unit_test(test_simulate_gives_up),
        cmocka_unit_test(test_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
