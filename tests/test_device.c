// SPDX-License-Identifier: Apache-2.0
// Devices in whole models: strands across drives, runs that go on from a copy of the state, signals and
// listings of every kind of device.
#include "elver/integrate.h"
#include "elver/signal.h"
#include "model_case.h"
#include "multibody/device.h"

// value of one signal at the state as it is
static double signal_at(ModelCase* c, const char* name) {
    ElvSignals* signals = NULL;
    ElvError error;
    double value = 0.0;
    double tau[64];
    CHECK_TRUE(c->nv <= 64);
    CHECK_STATUS(elv_signals_create(c->model, &name, 1, &signals, &error), &error);
    CHECK_TRUE(elv_signals_n_column(signals) == 1);
    elv_idm(c->model, c->data, c->state, tau);
    elv_signals_eval(signals, c->model, c->data, c->state, &value);
    elv_signals_free(signals);
    return value;
}

// points that meet at the start and are parted by a drive have a strand between them, refused as one without
// a direction; apart by a little, its length is the way of the cart
static void test_strand_across_a_drive(void** unused) {
    (void)unused;
    const char* text = "tree:\n"
                       "  - {body: cart, joint: {prismatic: {axis: x, motion: \"t\"}}, mass: 1}\n"
                       "  - {rod: arm, parent: cart, length: 0.2, stiffness: [1, 1, 1, 1, 1, 1],\n"
                       "     inertia: [1e-3, 1e-3, 1e-3, 1, 1, 1], strain: {bend_z: 1}}\n"
                       "actuators:\n"
                       "  - tendon: rope\n"
                       "    path: [{at: world, point: [%s, 0, 0]}, {rod: arm, to: 0.9}]\n"
                       "    tension: 0\n";
    ModelCase c = case_open(text, "-0.1");
    CHECK_NEAR(signal_at(&c, "tendon.rope.length"), 0.1 + 0.18, 1e-12);
    c.state->t = 1.0;
    elv_state_impose(c.model, c.state);
    CHECK_NEAR(signal_at(&c, "tendon.rope.length"), 1.1 + 0.18, 1e-12);
    case_close(&c);
    ElvModel* model = NULL;
    ElvError error;
    char whole[1024] = "elver: 1\n";
    snprintf(whole + strlen(whole), sizeof whole - strlen(whole), text, "0");
    CHECK_TRUE(elv_model_read_text(whole, strlen(whole), "case", NULL, 0, &model, &error) ==
               ELV_ERROR_INPUT);
    assert_string_equal(error.element, "rope");
}

// rods and bodies in series with a tendon through all of them, straight between points
static const char series[] =
    "tree:\n"
    "  - {body: hub, joint: {revolute: {axis: z}}, mass: 1, inertia: [0.1, 0.1, 0.1]}\n"
    "  - {rod: first, parent: hub, length: 0.4, section: {circle: {radius: 0.02}},\n"
    "     material: {density: 1000, young: 1e5}, strain: {kirchhoff: 2, stretch: 1}}\n"
    "  - {body: disc, parent: first.tip, pose: {xyz: [0.02, 0, 0]}, joint: {universal: {axis: y, "
    "axis2: z}},\n"
    "     mass: 0.1, inertia: [1e-3, 1e-3, 1e-3]}\n"
    "  - {rod: second, parent: disc, pose: {xyz: [0.05, 0, 0]}, length: 0.3,\n"
    "     section: {circle: {radius: 0.02}}, material: {density: 1000, young: 1e5}, strain: "
    "{kirchhoff: 2}}\n"
    "actuators:\n"
    "  - tendon: rope\n"
    "    path: [{at: world, point: [-0.2, 0.1, 0.05]}, {rod: first, y: 0.01, z: \"0.01*s\"},\n"
    "           {at: disc, point: [0.01, 0.02, 0.01]}, {rod: second, to: 0.8, y: 0.012}]\n"
    "    tension: %g\n";

// residual where the forces of strands are those of the tension
static void residual_of(ModelCase* c, uint64_t seed, double* residual) {
    case_randomize(c, seed, 0.4);
    CHECK_TRUE(elv_device_follow(c->model, c->data, c->state) == NULL);
    elv_residual(c->model, c->data, c->state, residual);
}

// a tension does the work -T dL: what it adds to the residual is T dL/dq, with the gradient of the length by
// differences of the length alone
static void test_work_of_a_tension(void** unused) {
    (void)unused;
    const double tension = 3.0, h = 1e-5;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        ModelCase slack = case_open(series, 0.0);
        ModelCase taut = case_open(series, tension);
        double without[32], with[32];
        CHECK_TRUE(taut.nv <= 32 && taut.state->nq == taut.nv && taut.state->nz == 9);
        residual_of(&slack, seed, without);
        residual_of(&taut, seed, with);
        for (int k = 0; k < taut.nv; k++) {
            double q = taut.state->q[k];
            taut.state->q[k] = q + h;
            double above = signal_at(&taut, "tendon.rope.length");
            taut.state->q[k] = q - h;
            double below = signal_at(&taut, "tendon.rope.length");
            taut.state->q[k] = q;
            // differences of second order of a length below 1 m: 1e-10, and rounding 1e-16 / 1e-5
            CHECK_NEAR(with[k] - without[k], tension * (above - below) / (2.0 * h), 1e-8);
        }
        case_close(&slack);
        case_close(&taut);
    }
}

// one rod with a tendon of given length, a servo with an integral, a velocity controller, a pattern
static const char everything[] =
    "tree:\n"
    "  - {body: hub, joint: {revolute: {axis: z, kp: 2, kd: 0.1, ki: 3, target: "
    "\"0.3*sin(3*t)\"}},\n"
    "     mass: 1, inertia: [0.1, 0.1, 0.1]}\n"
    "  - {rod: arm, parent: hub, length: 0.3, section: {circle: {radius: 0.01}},\n"
    "     material: {density: 1000, young: 1e6, damping: 0.01}, strain: {bend_z: 2, bend_y: 2}}\n"
    "  - {body: tip, parent: arm.tip, mass: 0.02, inertia: [1e-5, 1e-5, 1e-5]}\n"
    "actuators:\n"
    "  - {tendon: pull, path: {rod: arm, y: 0.005}, pull: \"0.001*sin(4*t)\"}\n"
    "  - {velocity_control: pilot, at: tip, kp: 0.1, ki: 0.2, linear: [0, 0, \"0.1*sin(t)\"]}\n"
    "  - {pattern: wave, oscillators: 2, frequency: 1, phase_lag: 1}\n"
    "  - {muscle: left, rod: arm, y: 0.004, force: 0.5, pattern: wave, oscillator: 1}\n";

static void advance(ElvIntegrator* integrator, double t_end, ElvState* state) {
    ElvError error;
    while (state->t < t_end) {
        CHECK_STATUS(elv_integrator_step(integrator, t_end, state, &error), &error);
    }
}

static void test_resume(void** unused) {
    (void)unused;
    static const ElvMethod methods[] = {ELV_METHOD_NEWMARK, ELV_METHOD_GENERALIZED_ALPHA,
                                        ELV_METHOD_BDF2};
    for (int i = 0; i < 3; i++) {
        ModelCase c = case_open("%s", everything);
        ElvSimulateDef options = elv_simulate_def_default();
        ElvIntegrator* integrator = NULL;
        ElvState* copy = NULL;
        ElvError error;
        options.method = methods[i];
        options.duration = 1.0;
        CHECK_STATUS(elv_state_create(c.model, &copy, &error), &error);
        CHECK_STATUS(elv_integrator_create(c.model, &options, &integrator, &error), &error);
        CHECK_STATUS(elv_integrator_start(integrator, c.state, &error), &error);
        advance(integrator, 0.5, c.state);
        elv_state_copy(copy, c.state);
        advance(integrator, 1.0, c.state);
        // another integrator, from the copy: the same bits
        elv_integrator_free(integrator);
        CHECK_STATUS(elv_integrator_create(c.model, &options, &integrator, &error), &error);
        CHECK_STATUS(elv_integrator_start(integrator, copy, &error), &error);
        advance(integrator, 1.0, copy);
        CHECK_ARRAY_NEAR(copy->q, c.state->q, (size_t)c.state->nq, 0.0);
        CHECK_ARRAY_NEAR(copy->v, c.state->v, (size_t)c.nv, 0.0);
        CHECK_ARRAY_NEAR(copy->z, c.state->z, (size_t)c.state->nz, 0.0);
        CHECK_ARRAY_NEAR(copy->z_rate, c.state->z_rate, (size_t)c.state->nz, 0.0);
        elv_integrator_free(integrator);
        elv_state_free(copy);
        case_close(&c);
    }
}

static void test_listing(void** unused) {
    (void)unused;
    ModelCase c = case_open("%s", everything);
    static const char* const kinds[] = {"tendon", "control", "muscle", "integral", "pattern"};
    CHECK_TRUE(elv_model_n_device(c.model) == 5);
    int n_z = 0;
    for (int i = 0; i < 5; i++) {
        ElvDeviceInfo device = elv_model_device(c.model, i);
        bool is_known = false;
        for (int k = 0; k < 5; k++) {
            is_known = is_known || strcmp(device.kind, kinds[k]) == 0;
        }
        CHECK_TRUE(is_known);
        CHECK_TRUE(device.i_z == n_z);
        n_z += device.n_z;
    }
    CHECK_TRUE(n_z == elv_model_nz(c.model) && n_z == c.state->nz);
    c.state->z[0] = 0.7;
    CHECK_NEAR(signal_at(&c, "tendon.pull.tension"), 0.7, 0.0);
    CHECK_NEAR(signal_at(&c, "integral.hub.value"), 0.0, 0.0);
    CHECK_NEAR(signal_at(&c, "tip.position.x"), 0.3, 1e-12);
    CHECK_NEAR(signal_at(&c, "muscle.left.length"), 0.3, 1e-12);
    CHECK_NEAR(signal_at(&c, "control.pilot.wrench.force.z"), 0.0, 1e-12);
    case_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_strand_across_a_drive),
        cmocka_unit_test(test_work_of_a_tension),
        cmocka_unit_test(test_resume),
        cmocka_unit_test(test_listing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
