// SPDX-License-Identifier: Apache-2.0
// What methods without modes hand out, beside the modal recursions on the same motion: at its start, finite differences
// know the strains of the modes, so ports, sections, energies, momenta, lengths of fibres and efforts must be theirs.
#include "finite_case.h"

#include "strong/finite.h"

#define ROD                                                                                        \
    "length: 0.5, section: {circle: {diameter: 0.03}}, material: {density: 900, young: 1e6, "      \
    "damping: 0.02}, "

static const char CHAIN[] =
    "gravity: [1, 2, -9.81]\n"
    "tree:\n"
    "  - {body: base, pose: {xyz: [0.1, 0, 1], rpy: [0.3, 0.1, 0]}, joint: free, mass: 2, center: "
    "[0.1, 0, 0],\n"
    "     inertia: [0.1, 0.2, 0.3], body_pose: {xyz: [0, 0.1, 0], rpy: [0.3, 0, 0]}}\n"
    "  - {rod: one, parent: base, pose: {xyz: [0.2, 0, 0], rpy: [0, 0, 1]}, " ROD
    "strain: {reissner: 3}}\n"
    "  - {body: ring, parent: one.at(0.4), mass: 0.03, center: [0, 0.02, 0], inertia: [1e-3, 1e-3, "
    "2e-3]}\n"
    "  - {body: hub, parent: one.tip, pose: {xyz: [0.05, 0, 0], rpy: [0.5, 0.2, 0]}, mass: 0.05,\n"
    "     inertia: [1e-3, 1e-3, 1e-3]}\n"
    "  - {rod: two, parent: hub, pose: {rpy: [0, 0.7, 0]}, " ROD "strain: {kirchhoff: 3}}\n"
    "frames:\n"
    "  - {name: finger, on: two.tip, pose: {xyz: [0.1, 0, 0.2], rpy: [0, 0.3, 0]}}\n"
    "actuators:\n"
    "  - {tendon: t, path: [{rod: one, y: 0.01, z: \"0.005*s\"}], tension: 2}\n"
    "  - {chamber: c, path: {rod: two, z: -0.005, from: 0.2, to: 0.7}, area: \"1e-4*(1 + s)\", "
    "pressure: 3e4}\n"
    "  - {muscle: m, path: {rod: two, y: 0.004}, force: \"1 + s\", activation: 0.5}\n"
    "record: {signals: [two.at(0.55).position]}\n";

static const char* const SIGNALS[] = {"base.position",
                                      "finger.position",
                                      "finger.orientation",
                                      "finger.velocity",
                                      "finger.twist",
                                      "ring.velocity",
                                      "two.at(0.55).twist",
                                      "one.strain(0.3)",
                                      "two.strain(1)",
                                      "energy",
                                      "momentum",
                                      "com",
                                      "tendon.t.length",
                                      "tendon.t.rate",
                                      "tendon.t.tension",
                                      "chamber.c.volume",
                                      "chamber.c.pressure",
                                      "muscle.m.length",
                                      "muscle.m.rate",
                                      "base.q",
                                      "base.v"};

enum { N_SIGNAL = sizeof SIGNALS / sizeof SIGNALS[0], MAX_COLUMN = 80 };

static void test_signals_are_those_of_the_modes(void** state) {
    (void)state;
    ModelCase c = case_open("%s", CHAIN);
    ElvSignals* signals = NULL;
    ElvIntegrator* integrator = NULL;
    ElvError error;
    double expected[MAX_COLUMN], actual[MAX_COLUMN], tau[64];
    CHECK_TRUE(c.nv <= 64);
    CHECK_STATUS(elv_signals_create(c.model, SIGNALS, N_SIGNAL, &signals, &error), &error);
    int n = elv_signals_n_column(signals);
    CHECK_TRUE(n <= MAX_COLUMN);
    case_randomize(&c, 3, 0.4);
    memset(c.state->a, 0, (size_t)c.nv * sizeof *c.state->a);
    elv_idm(c.model, c.data, c.state, tau);
    elv_signals_eval(signals, c.model, c.data, c.state, expected);

    ElvSimulateDef def =
        finite_method(ELV_METHOD_RKMK, 0.01, 121, 2, ELV_RUNGE_RK4, ELV_HISTORY_CUBIC);
    CHECK_STATUS(elv_integrator_create(c.model, &def, &integrator, &error), &error);
    CHECK_STATUS(elv_integrator_start(integrator, c.state, &error), &error);
    // nothing of the modal evaluation is left to be read
    memset(c.data->port, 0xFF, (size_t)c.model->n_port * sizeof *c.data->port);
    memset(c.data->channel, 0xFF, (size_t)c.model->n_channel * sizeof *c.data->channel);
    integrator->ops->see(integrator, c.state, c.data);
    elv_signals_eval(signals, c.model, c.data, c.state, actual);
    for (int i = 0; i < n; i++) {
        // integrals of order 4 on 120 elements
        if (!(fabs(actual[i] - expected[i]) < 2e-7 * (1.0 + fabs(expected[i])))) {
            fail_msg("%s: %.12g, expected %.12g", elv_signals_column_name(signals, i), actual[i],
                     expected[i]);
        }
    }
    elv_integrator_free(integrator);
    elv_signals_free(signals);
    case_close(&c);
}

static void test_signals_of_modes_are_refused(void** state) {
    (void)state;
    ModelCase c = case_open("%s", CHAIN);
    static const char* const bad[] = {"one.q", "two.v.1", "one.a", "tendon.t.gradient"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        const char* names[2] = {"base.q", bad[i]};
        ElvSignals* signals = NULL;
        ElvError error;
        CHECK_STATUS(elv_signals_create(c.model, names, 1, &signals, &error), &error);
        CHECK_STATUS(elv_signals_refuse_modal(signals, "rkmk", &error), &error);
        elv_signals_free(signals);
        CHECK_STATUS(elv_signals_create(c.model, names, 2, &signals, &error), &error);
        CHECK_TRUE(elv_signals_refuse_modal(signals, "rkmk", &error) == ELV_ERROR_INPUT);
        CHECK_TRUE(strcmp(error.field, "signals[1]") == 0 && strstr(error.message, "rkmk"));
        elv_signals_free(signals);
    }
    case_close(&c);
}

// ---- interpolation

static void test_weights_are_exact_for_cubics(void** state) {
    (void)state;
    const double s[7] = {0.0, 0.1, 0.25, 0.3, 0.6, 0.8, 1.0};
    for (int n = 2; n <= 7; n++) {
        for (int k = 0; k <= 40; k++) {
            double x = s[n - 1] * k / 40.0;
            double weight[4], sum = 0.0;
            int first = -1;
            int count = elv_field_weights(s, n, x, &first, weight);
            CHECK_TRUE(count == (n < 4 ? n : 4) && first >= 0 && first + count <= n);
            // a polynomial of the highest degree that they can hold
            for (int j = 0; j < count; j++) {
                sum += weight[j] * pow(s[first + j] - 0.3, count - 1);
            }
            CHECK_NEAR(sum, pow(x - 0.3, count - 1), 1e-14);
        }
    }
}

// a pose between two of a motion with a constant twist, and of one without
static void test_poses_between(void** state) {
    (void)state;
    ElvTwist u = elv_twist(elv_vec3(0.5, -1.0, 0.7), elv_vec3(0.2, 0.4, -0.3));
    ElvPose g0 = elv_se3_exp(elv_twist(elv_vec3(0.1, 0.2, 0.3), elv_vec3(1.0, 2.0, 3.0)));
    ElvPose g1 = elv_pose_compose(g0, elv_se3_exp(u));
    ElvPose middle = elv_field_pose(g0, u, g1, u, 0.3);
    ElvPose expected = elv_pose_compose(g0, elv_se3_exp(elv_twist_scale(0.3, u)));
    CHECK_ARRAY_NEAR(&middle.R.m[0][0], &expected.R.m[0][0], 9, 1e-14);
    CHECK_ARRAY_NEAR(&middle.p.x, &expected.p.x, 3, 1e-14);
    // g = exp(a x) exp(b x) has the twist Ad_(exp(b x))^-1 a + b: error of order 4
    ElvTwist a = u;
    ElvTwist b = elv_twist(elv_vec3(-0.4, 0.3, 0.9), elv_vec3(0.1, -0.2, 0.5));
    double error[2];
    for (int i = 0; i < 2; i++) {
        double h = 0.4 / (1 << i);
        ElvPose at[3];
        ElvTwist twist[3];
        for (int k = 0; k < 3; k++) {
            double x = 0.5 * k * h;
            ElvPose second = elv_se3_exp(elv_twist_scale(x, b));
            at[k] = elv_pose_compose(elv_se3_exp(elv_twist_scale(x, a)), second);
            twist[k] = elv_twist_scale(h, elv_twist_add(elv_twist_transform_inv(second, a), b));
        }
        ElvPose found = elv_field_pose(at[0], twist[0], at[2], twist[2], 0.5);
        error[i] = elv_vec3_norm(elv_vec3_sub(found.p, at[1].p));
    }
    CHECK_NEAR(log2(error[0] / error[1]), 4.0, 0.3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_signals_are_those_of_the_modes),
        cmocka_unit_test(test_signals_of_modes_are_refused),
        cmocka_unit_test(test_weights_are_exact_for_cubics),
        cmocka_unit_test(test_poses_between),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
