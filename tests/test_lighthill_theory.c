// SPDX-License-Identifier: Apache-2.0
// Elongated body theory from outside: Lighthill's mean thrust of a small wave [OCP (90)-(91)],
// which roots take the flux of a rod before them, and what motions of first order make of a wake.
#include "locomotion_case.h"
#include "model_case.h"

#include "multibody/model.h"

static const double pi = 3.14159265358979323846;

// ---- mean thrust

// h = e sin(k x - omega t) along a rod that is held in a current U along it, or towed the other way
#define WAVE                                                                                       \
    "parameters: {e: %.17g, k: 5, w: 2*pi, U: 0.4}\n"                                              \
    "fluid: {density: 1000, current: [%s, 0, 0]}\n"                                                \
    "tree:\n"                                                                                      \
    "  - rod: fish\n"                                                                              \
    "    joint: {free: {motion: {rpy: [0, 0, \"atan(e*k*cos(w*t))\"], xyz: [\"%s\", "              \
    "\"-e*sin(w*t)\", 0]}}}\n"                                                                     \
    "    length: 1\n"                                                                              \
    "    section: {ellipse: {y: 0.02, z: \"%s\"}}\n"                                               \
    "    material: {density: 1000}\n"                                                              \
    "    nodes: 32\n"                                                                              \
    "    motion: {bend_z: \"-e*k^2*sin(k*s - w*t)\"}\n"                                            \
    "    fluid: {added_mass: 1, lighthill: true}\n"

// mean over a beat of the force that holds the fish, along x: 64 instants integrate it exactly
static double mean_force(double e, bool is_towed, const char* height) {
    enum { N = 64 };
    ModelCase c = case_open(WAVE, e, is_towed ? "0" : "U", is_towed ? "-U*t" : "0", height);
    double sum = 0.0;
    for (int i = 0; i < N; i++) {
        double tau[64];
        CHECK_TRUE(c.nv <= 64);
        c.state->t = (double)i / N;
        elv_state_impose(c.model, c.state);
        elv_idm(c.model, c.data, c.state, tau);
        // efforts belong to the twist of the root
        ElvTwist eta = elv_frame_twist(c.model, c.data, case_frame(&c, "fish.root"));
        CHECK_ARRAY_NEAR(c.state->v, &eta.ang.x, 6, 1e-12);
        ElvVec3 force = elv_vec3(tau[3], tau[4], tau[5]);
        sum += elv_mat3_apply(case_pose(&c, "fish.root").R, force).x / N;
    }
    case_close(&c);
    return sum;
}

// 1/2 m(l) (<h_t^2> - U^2 <h_x^2>), forwards, to the square of the slope: m is that at the tail,
// whether the nose is pointed or blunt
static void test_mean_thrust(void** unused) {
    (void)unused;
    static const char* const height[] = {"0.2*s", "0.2", "0.1 + 0.1*s^2"};
    double m = 1000.0 * pi / 4.0 * 0.2 * 0.2;
    for (int i = 0; i < 6; i++) {
        double error[2];
        for (int k = 0; k < 2; k++) {
            double e = k == 0 ? 0.008 : 0.004, w = 2.0 * pi;
            double thrust = 0.25 * m * e * e * (w * w - 0.4 * 0.4 * 5.0 * 5.0);
            error[k] = mean_force(e, i % 2 == 1, height[i / 2]) / thrust - 1.0;
        }
        print_message("height %-14s thrust errs by %.2e, at half the amplitude %.2e\n",
                      height[i / 2], error[0], error[1]);
        // slopes of 0.04: their square is 1.6e-3
        CHECK_NEAR(error[0], 0.0, 5e-3);
        CHECK_NEAR(error[0] / error[1], 4.0, 0.1);
    }
}

// ---- roots

// behind the tip of a slender rod, over any joint; not behind a body, beside a rod, or behind
// another rod
static void test_roots(void** unused) {
    (void)unused;
#define ROD                                                                                        \
    "length: 1, section: {circle: {radius: 0.01}}, material: {density: 1000, young: 1e6}, "        \
    "strain: {bend_z: 1}"
#define SLENDER ROD ", fluid: {added_mass: 1, lighthill: true}}\n"
    ModelCase c =
        case_open("fluid: {density: 1000}\ntree:\n"
                  "  - {rod: a, joint: free, " SLENDER "  - {rod: b, parent: a.tip, " SLENDER
                  "  - {rod: c, parent: b.tip, joint: {revolute: {axis: z}}, " SLENDER
                  "  - {body: hub, parent: c.tip, mass: 1, inertia: [1, 1, 1]}\n"
                  "  - {rod: d, parent: hub, " SLENDER "  - {rod: e, parent: a.at(0.5), " SLENDER
                  "  - {rod: f, parent: b.tip, " ROD "}\n"
                  "  - {rod: g, parent: f.tip, " SLENDER);
    static const char following[] = "bc";
    int n = 0;
    for (int i = 0; i < c.model->n_node; i++) {
        const ElvNode* node = &c.model->node[i];
        bool follows = node->info.is_rod && strchr(following, node->name[0]) != NULL;
        CHECK_TRUE(node->follows_slender == follows);
        n += node->info.is_rod ? 1 : 0;
    }
    CHECK_TRUE(n == 7);
    case_close(&c);
}

// ---- first order

static ModelCase beating(const char* fluid, const char* connection) {
    return case_open("fluid: {density: 1000}\ntree:\n"
                     "  - rod: tail\n"
                     "    joint: {planar: {axis: z}}\n"
                     "    length: 1\n"
                     "    section: {ellipse: {y: 0.02, z: 0.1}}\n"
                     "    material: {density: 1000}\n"
                     "    resistance: [0, 0, 0, 1, 2, 2]\n"
                     "    motion: {bend_z: \"-2*sin(2*pi*(s - t))\"}\n"
                     "    fluid: {%s}\n"
                     "simulate: {method: connection, connection: %s, duration: 1}\n",
                     fluid, connection);
}

// without inertia there is no wake: one beat goes as far as without
static void test_stokes(void** unused) {
    (void)unused;
    double shift[2][3];
    for (int i = 0; i < 2; i++) {
        ModelCase c =
            beating(i == 0 ? "added_mass: 1" : "added_mass: 1, lighthill: true", "stokes");
        ElvError error;
        ElvSimulateOptions options = elv_simulate_options_default(c.model, c.state);
        CHECK_STATUS(elv_simulate(c.model, c.state, &options, NULL, &error), &error);
        memcpy(shift[i], c.state->q, sizeof shift[i]);
        case_close(&c);
    }
    CHECK_TRUE(hypot(shift[0][1], shift[0][2]) > 1e-3);
    CHECK_ARRAY_NEAR(shift[1], shift[0], 3, 0.0);
}

// the mechanical connection keeps momentum, which a wake takes
static void test_mechanical_is_refused(void** unused) {
    (void)unused;
    ModelCase c = beating("added_mass: 1, lighthill: true", "mechanical");
    ElvSimulateDef method = elv_model_simulate(c.model);
    ElvIntegrator* integrator = NULL;
    ElvError error;
    CHECK_TRUE(elv_integrator_create(c.model, &method, &integrator, &error) == ELV_ERROR_INPUT);
    CHECK_TRUE(strstr(error.message, "'tail'") && strstr(error.message, "lighthill"));
    elv_integrator_free(integrator);
    case_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mean_thrust),
        cmocka_unit_test(test_roots),
        cmocka_unit_test(test_stokes),
        cmocka_unit_test(test_mechanical_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
