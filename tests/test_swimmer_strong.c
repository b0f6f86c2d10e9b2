// SPDX-License-Identifier: Apache-2.0
// Motions in a fluid by methods without modes: shooting and finite differences against modes, on the
// shipped swimmers, and against each other on an arm with drag, lift, buoyancy and a current. Minutes:
// the same equations at an instant, and the first steps, are in test_swimmer_riccati.c. Bounds are
// fractions of the way that was swum.
#include "swimmer_case.h"

// ---- shooting in time

static const char* const PLACES[] = {"body.root.position", "body.tip.position"};

// the same formula and step, and modes enough for a smooth motion: what Newton's method leaves in each
// of some hundred steps, 1e-9 of the length or less, is 1e-6 of the way
static void test_shooting(void** unused) {
    (void)unused;
    const ElvOverride set[] = {
        {"simulate", "{method: shooting, scheme: newmark, step: 0.01, duration: 2}"}};
    Swim modes = swim_run("swimmer-shape", NULL, 0, 2.0, PLACES, 2);
    Swim shot = swim_run("swimmer-shape", set, 1, 2.0, PLACES, 2);
    double distance = swim_distance(&modes, &shot, 1, 7);
    print_message("head and tail of the controlled fish: %.1e m apart\n", distance);
    CHECK_TRUE(distance < 1e-6 * swim_moved(&modes, 1, 7));
    swim_free(&modes);
    swim_free(&shot);
}

// rigid head, tendons and tail, whose tensions begin smoothly: a jump excites what no number of
// modes has
static void test_shooting_of_three_rods(void** unused) {
    (void)unused;
    static const char* const signal[] = {"head.root.position", "tail.tip.position"};
    static const char law[] = "\"T0 + T1*smooth(t, 0, 0.4)*sin(omega*t + pi/2)\"";
    static const char other[] = "\"T0 + T1*smooth(t, 0, 0.4)*sin(omega*t - pi/2)\"";
    const ElvOverride set[] = {{"actuators.0.tension", law},
                               {"actuators.1.tension", other},
                               {"n", "10"},
                               {"simulate", "{method: shooting, scheme: newmark, step: 0.01}"}};
    Swim modes = swim_run("swimmer-tendon", set, 3, 1.0, signal, 2);
    Swim shot = swim_run("swimmer-tendon", set, 4, 1.0, signal, 2);
    double distance = swim_distance(&modes, &shot, 1, 7);
    print_message("head and tail of the fish with tendons: %.1e m apart\n", distance);
    CHECK_TRUE(distance < 1e-6 * swim_moved(&modes, 1, 7));
    swim_free(&modes);
    swim_free(&shot);
}

// Tensions that jump at the start, as shipped. Steps along the rods that are chosen see the added mass
// of the fin, twelve times its own, and the rod that needs most: they err by 1e-8 of the length in a
// step, and 100 of these by less than 1e-5 m.
static void test_chosen_steps(void** unused) {
    (void)unused;
    static const char* const signal[] = {"com", "tail.tip.position"};
    const ElvOverride set[] = {{"simulate", "{method: shooting, step: 0.01}"}};
    const ElvOverride fine[] = {{"simulate", "{method: shooting, step: 0.01, steps: 120}"}};
    Swim chosen = swim_run("swimmer-tendon", set, 1, 1.0, signal, 2);
    Swim exact = swim_run("swimmer-tendon", fine, 1, 1.0, signal, 2);
    double distance = swim_distance(&chosen, &exact, 1, 7);
    print_message("chosen steps along the rods and 120: %.1e m apart\n", distance);
    CHECK_TRUE(distance < 2e-4 * swim_moved(&exact, 1, 7));
    swim_free(&chosen);
    swim_free(&exact);
}

// Finite differences of a fish at rest, free at both ends, which only a controller stiffens: without
// any wrench the first step has nothing to measure its residual by. Both schemes err by dt^2, some
// 1e-5 m here, and interpolation between 81 nodes by as much.
static void test_finite_differences(void** unused) {
    (void)unused;
    static const char* const method[] = {"{method: rkmk, step: 0.005, nodes: 81}",
                                         "{method: till, step: 0.005, nodes: 81}"};
    const ElvOverride same[] = {{"simulate.step", "0.005"}};
    Swim modes = swim_run("swimmer-shape", same, 1, 0.5, PLACES, 2);
    for (int k = 0; k < 2; k++) {
        const ElvOverride set[] = {{"simulate", method[k]}};
        Swim run = swim_run("swimmer-shape", set, 1, 0.5, PLACES, 2);
        double distance = swim_distance(&modes, &run, 1, 7);
        print_message("finite differences and modes: %.1e m apart\n", distance);
        CHECK_TRUE(distance < 1e-3 * swim_moved(&modes, 1, 7));
        swim_free(&run);
    }
    swim_free(&modes);
}

// ---- all methods in time

static const char ARM[] =
    "gravity: [0, 0, -9.81]\n"
    "fluid: {density: 1000, current: [0.1, \"0.3*t\", 0]}\n"
    "tree:\n"
    "  - {rod: rod, length: 0.4, section: {ellipse: {y: 0.02, z: 0.03}}, material: {density: 1500, "
    "young: "
    "1e6, poisson: 0.4, damping: 0.02},\n"
    "     strain: {bend_y: 6, bend_z: 6}, resistance: [0, 0, 0, 0.1, 0.1, 0.1], fluid: {buoyancy: "
    "true, drag: {normal: 1.1, tangential: 0.02},\n"
    "     lift: 0.4, added_mass: 1, lighthill: true}}\n"
    "  - {body: tip, parent: rod.tip, mass: 0.1, inertia: [1e-4, 1e-4, 1e-4],\n"
    "     fluid: {buoyancy: true, volume: 5e-5, drag: [1e-3, 1e-3, 1e-3]}}\n"
    "simulate: {method: %s, duration: %g}\n";

static ElvVec3 arm_tip(const char* method, double duration, double* energy) {
    ModelCase c = case_open(ARM, method, duration);
    ElvError error;
    ElvSimulateOptions options = elv_simulate_options_default(c.model, c.state);
    ElvIntegratorReport report;
    options.record_every = duration;
    CHECK_STATUS(elv_simulate(c.model, c.state, &options, &report, &error), &error);
    ElvVec3 p = case_pose(&c, "rod.tip").p;
    ElvEnergy e = elv_energy(c.model, c.data, c.state);
    *energy = e.kinetic + e.elastic + e.gravity;
    case_close(&c);
    return p;
}

/// A method with its coarsest step, and nodes along the rod; 0: it has none.
typedef struct {
    const char* name;
    double step;
    int nodes;
} ArmMethod;

/// What a method finds, with steps and elements halved twice.
typedef struct {
    ElvVec3 tip[3];
    double energy[3];
} ArmSeries;

static ArmSeries arm_series(const ArmMethod* method, double duration) {
    ArmSeries series;
    for (int k = 0; k < 3; k++) {
        char text[64], nodes[32] = "";
        if (method->nodes > 0) {
            (void)snprintf(nodes, sizeof nodes, ", nodes: %d", ((method->nodes - 1) << k) + 1);
        }
        (void)snprintf(text, sizeof text, "%s, step: %g%s", method->name, method->step / (1 << k),
                       nodes);
        series.tip[k] = arm_tip(text, duration, &series.energy[k]);
    }
    return series;
}

static double apart(ElvVec3 a, ElvVec3 b) {
    return elv_vec3_norm(elv_vec3_sub(a, b));
}

// An arm that sinks in a current, with all that a fluid does. Each method converges by the square of
// its step, and its elements with it: of the change by the first halving the second leaves a quarter,
// or less where errors of step and elements cancel. What the second changed is then three times the
// error that is left: within those of both, all methods find the same tip and the same energy.
static void test_all_methods(void** unused) {
    (void)unused;
    static const ArmMethod method[] = {
        {"newmark", 0.004, 0}, {"shooting", 0.01, 0}, {"rkmk", 0.01, 21}, {"till", 0.01, 21}};
    ArmSeries first = arm_series(&method[0], 0.3);
    double fine = apart(first.tip[1], first.tip[2]);
    double fine_energy = fabs(first.energy[2] - first.energy[1]);
    for (int i = 0; i < 4; i++) {
        ArmSeries own = i == 0 ? first : arm_series(&method[i], 0.3);
        double coarse = apart(own.tip[0], own.tip[1]);
        double change = apart(own.tip[1], own.tip[2]);
        double change_energy = fabs(own.energy[2] - own.energy[1]);
        print_message("%-8s changes by %.1e m, then by %.1e m, %.1e J; apart by %.1e m, %.1e J\n",
                      method[i].name, coarse, change, change_energy,
                      apart(own.tip[2], first.tip[2]), fabs(own.energy[2] - first.energy[2]));
        CHECK_TRUE(coarse / change > 3.0);
        CHECK_TRUE(apart(own.tip[2], first.tip[2]) <= change + fine);
        CHECK_TRUE(fabs(own.energy[2] - first.energy[2]) <= change_energy + fine_energy);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shooting),     cmocka_unit_test(test_shooting_of_three_rods),
        cmocka_unit_test(test_chosen_steps), cmocka_unit_test(test_finite_differences),
        cmocka_unit_test(test_all_methods),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
