// SPDX-License-Identifier: Apache-2.0
// Sliders on rods that bend: statics against point loads and closed forms of beams, the wrench inside the rod;
// a ring that rests on a wire; energy and momentum of robots whose parts slide along each other, by both space
// methods; the shipped example.
#include "elver/analysis.h"
#include "loop_run.h"

static const double PI = 3.141592653589793238463;

// ---- statics

static void solve_statics(Robot* robot, double t) {
    ElvError error;
    ElvStaticsDef options = elv_model_statics(robot->model);
    CHECK_STATUS(elv_statics_solve(robot->model, robot->state, t, &options, NULL, &error), &error);
    double* tau = new_array(robot->nv);
    elv_idm(robot->model, robot->data, robot->state, tau);
    free(tau);
}

static void read_signal(const Robot* robot, const char* name, double* value) {
    ElvError error;
    ElvSignals* signals = NULL;
    CHECK_STATUS(elv_signals_create(robot->model, &name, 1, &signals, &error), &error);
    elv_signals_eval(signals, robot->model, robot->data, robot->state, value);
    elv_signals_free(signals);
}

// a soft cantilever of 1 m, EI = 0.01 N m^2, and what hangs on it; a ring does not hold what turns about it
#define CANTILEVER                                                                                 \
    "gravity: [0, 0, -9.81]\n"                                                                     \
    "tree:\n"                                                                                      \
    "  - rod: rail\n"                                                                              \
    "    length: 1\n"                                                                              \
    "    stiffness: [0.01, 0.01, 0.01, 100, 100, 100]\n"                                           \
    "    inertia: [1e-6, 1e-6, 1e-6, 0.001, 0.001, 0.001]\n"                                       \
    "    strain: {bend_y: 8, stretch: 2, bend_z: 1}\n"                                             \
    "    nodes: 40\n"                                                                              \
    "    space: %s\n"

static const char* const carried =
    CANTILEVER "  - {body: bead, joint: {free: {position: {xyz: [%.17g, 0, 0]}, stiffness: [1, 1, "
               "1, 0, 0, 0]}}, mass: %.17g}\n"
               "loops:\n"
               "  - {slider: ring, point: bead, rod: rail, drive: %.17g}\n";

static const char* const pushed =
    CANTILEVER "loads:\n"
               "  - {wrench: [0, 0, 0, 0, 0, %.17g], at: rail.at(%.17g)}\n";

// a bead that is held at a station loads the rod as a dead force there does, in large deflections too
static void check_point_load(const char* space, double s, double mass) {
    Robot ring = loop_robot(carried, space, s, mass, s);
    Robot load = loop_robot(pushed, space, -9.81 * mass, s);
    solve_statics(&ring, 0.0);
    solve_statics(&load, 0.0);
    double tip[3], ring_tip[3], force[3];
    read_signal(&load, "rail.tip.position", tip);
    read_signal(&ring, "rail.tip.position", ring_tip);
    // modes alone differ, through the nodes: the station ends a segment of the loaded rod
    CHECK_ARRAY_NEAR(ring_tip, tip, 3, 1e-7);
    CHECK_TRUE(tip[2] < -0.1);
    read_signal(&ring, "slider.ring.force", force);
    const double weight[3] = {0.0, 0.0, -9.81 * mass};
    CHECK_ARRAY_NEAR(force, weight, 3, 1e-9);
    // the wrench inside the rod, before and beyond the bead
    static const char* const inside[2] = {"rail.stress(0.3)", "rail.stress(0.8)"};
    for (int i = 0; i < 2; i++) {
        double a[6], b[6];
        read_signal(&ring, inside[i], a);
        read_signal(&load, inside[i], b);
        CHECK_ARRAY_NEAR(a, b, 6, 1e-6 * 9.81 * mass);
    }
    robot_free(&ring);
    robot_free(&load);
}

static void test_point_load(void** unused) {
    (void)unused;
    check_point_load("quadrature", 0.6, 0.004);
    check_point_load("quadrature", 0.45, 0.012);
    check_point_load("spectral", 0.6, 0.004);
}

// a weight P is carried along a cantilever: where it is, the deflection is P a^3 / (3 EI)
static void test_moving_load(void** unused) {
    (void)unused;
    double P = 1e-4 * 9.81;
    Robot robot =
        loop_robot("gravity: [0, 0, -9.81]\n"
                   "tree:\n"
                   "  - rod: rail\n"
                   "    length: 1\n"
                   "    stiffness: [0.01, 0.01, 0.01, 100, 100, 100]\n"
                   "    inertia: [0, 0, 0, 0, 0, 0]\n"
                   "    strain: {bend_y: 14}\n"
                   "  - {body: bead, joint: {free: {stiffness: [1, 1, 1, 0, 0, 0]}}, mass: 1e-4}\n"
                   "loops:\n"
                   "  - {slider: ring, point: bead, rod: rail, drive: t}\n");
    for (int i = 1; i <= 5; i++) {
        double a = 0.2 * i;
        double z[3], tip[3];
        solve_statics(&robot, a);
        read_signal(&robot, "bead.position", z);
        read_signal(&robot, "rail.tip.position", tip);
        double under = -P * a * a * a / 0.03;
        double end = -P * a * a * (3.0 - a) / 0.06;
        // deflections to their square; a bending moment with a kink, in polynomials of degree 13, to a percent
        // of a percent of the end deflection
        CHECK_NEAR(z[2], under, 1e-4 * P / 0.03 + under * under);
        CHECK_NEAR(tip[2], end, 1e-4 * P / 0.03 + end * end);
    }
    robot_free(&robot);
}

// A cantilever through an eyelet at x = a, with a load P at its tip: the eyelet carries P (3 L - a) / (2 a)
static void test_eyelet(void** unused) {
    (void)unused;
    double P = 1e-4;
    Robot robot = loop_robot("tree:\n"
                             "  - rod: rail\n"
                             "    length: 1\n"
                             "    stiffness: [0.01, 0.01, 0.01, 100, 100, 100]\n"
                             "    inertia: [0, 0, 0, 0, 0, 0]\n"
                             "    strain: {bend_y: 14}\n"
                             "frames:\n"
                             "  - {name: eye, on: world, pose: {xyz: [0.6, 0, 0]}}\n"
                             "loads:\n"
                             "  - {wrench: [0, 0, 0, 0, 0, -1e-4], at: rail.tip}\n"
                             "loops:\n"
                             "  - {slider: ring, point: eye, rod: rail, station: 0.3}\n");
    double force[3], gap, station;
    solve_statics(&robot, 0.0);
    read_signal(&robot, "slider.ring.force", force);
    read_signal(&robot, "slider.ring.gap", &gap);
    read_signal(&robot, "slider.ring.station", &station);
    // up, on the rod; slopes are below 0.01, moments as above
    CHECK_NEAR(force[2], P * (3.0 - 0.6) / 1.2, 1e-3 * P);
    CHECK_NEAR(gap, 0.0, 1e-12);
    CHECK_NEAR(station, 0.6, 1e-4);
    robot_free(&robot);
}

// a bent wire with a free end
#define WIRE                                                                                       \
    "gravity: [0, 0, -9.81]\n"                                                                     \
    "parameters: {R: 0.4}\n"                                                                       \
    "tree:\n"                                                                                      \
    "  - rod: wire\n"                                                                              \
    "    pose: {xyz: [-R, 0, 0], rpy: [0, pi/2, 0]}\n"                                             \
    "    length: pi*R\n"                                                                           \
    "    section: {circle: {diameter: 0.003}}\n"                                                   \
    "    material: {density: 7800, young: 2.1e11, poisson: 0.3}\n"                                 \
    "    strain: {bend_y: 6}\n"                                                                    \
    "    reference: {bend_y: -1/R}\n"                                                              \
    "  - {body: bead, joint: {free: {position: {xyz: [0, 0, -R]}, stiffness: [1, 1, 1, 0, 0, "     \
    "0]}}, mass: 0.05, inertia: [1e-5, "                                                           \
    "1e-5, 1e-5]}\n"                                                                               \
    "loops:\n"

static double energy_of(Robot* robot) {
    ElvEnergy e = elv_energy(robot->model, robot->data, robot->state);
    return e.elastic + e.gravity;
}

// a ring on the wire comes to rest where the energy is least, and the wire level
static void test_rest(void** unused) {
    (void)unused;
    Robot robot = loop_robot(WIRE "  - {slider: ring, point: bead, rod: wire}\n");
    double s, force[3];
    solve_statics(&robot, 0.0);
    read_signal(&robot, "slider.ring.station", &s);
    read_signal(&robot, "slider.ring.force", force);
    CHECK_NEAR(force[0], 0.0, 1e-9);
    CHECK_NEAR(force[2], -0.05 * 9.81, 1e-9);
    double least = energy_of(&robot);
    double beside[2];
    for (int i = 0; i < 2; i++) {
        Robot held = loop_robot(WIRE "  - {slider: ring, point: bead, rod: wire, drive: %.17g}\n",
                                s + (i == 0 ? -0.01 : 0.01));
        solve_statics(&held, 0.0);
        beside[i] = energy_of(&held);
        robot_free(&held);
    }
    CHECK_TRUE(beside[0] > least && beside[1] > least);
    // a parabola: the slope at s is small against the changes
    CHECK_NEAR(beside[0] - beside[1], 0.0, 0.1 * (beside[0] + beside[1] - 2.0 * least));
    robot_free(&robot);
}

// about its lowest point a bead on an arc of radius R that hardly bends is a pendulum, sqrt(g / R); gravity
// alone holds it, through the station that follows
static void test_modes(void** unused) {
    (void)unused;
    ElvError error;
    ElvModes* modes = NULL;
    Robot robot =
        loop_robot("gravity: [0, 0, -9.81]\n"
                   "tree:\n"
                   "  - rod: rail\n"
                   "    pose: {xyz: [-0.5, 0, 0], rpy: [0, pi/2, 0]}\n"
                   "    length: pi/2\n"
                   "    section: {circle: {diameter: 0.05}}\n"
                   "    material: {density: 1000, young: 1e12, poisson: 0.3}\n"
                   "    strain: {bend_y: 2, bend_z: 1}\n"
                   "    reference: {bend_y: -2}\n"
                   "  - body: bead\n"
                   "    joint: {free: {position: {xyz: [0.1, 0, -0.5]}, stiffness: [1, 1, 1, "
                   "0, 0, 0]}}\n"
                   "    mass: 0.1\n"
                   "    inertia: [1e-4, 1e-4, 1e-4]\n"
                   "loops:\n"
                   "  - {slider: ring, point: bead, rod: rail}\n");
    solve_statics(&robot, 0.0);
    CHECK_STATUS(elv_modes_create(robot.model, robot.state, &modes, &error), &error);
    // nine coordinates less the two that the rail takes
    CHECK_TRUE(modes->n_mode == 7 && modes->n_rigid == 0 && modes->n_unstable == 0);
    // the arc sinks by 1e-5 m
    CHECK_NEAR(modes->mode[0].frequency, sqrt(9.81 / 0.5) / (2.0 * PI), 1e-4);
    // springs that turn the bead
    CHECK_NEAR(modes->mode[1].frequency, sqrt(1.0 / 1e-4) / (2.0 * PI), 1e-6);
    elv_modes_free(modes);
    robot_free(&robot);
}

// ---- motion

// a rod on a floating body, and on it the tip of another floating one's rod
static const char* const couple = "tree:\n"
                                  "  - {body: base, joint: {free: {velocity: [0.3, -0.2, 0.5, 0.1, "
                                  "0, 0.2]}}, mass: 0.5, inertia: "
                                  "[1e-3, 2e-3, 2e-3]}\n"
                                  "  - rod: rail\n"
                                  "    parent: base\n"
                                  "    length: 0.8\n"
                                  "    section: {circle: {diameter: 0.02}}\n"
                                  "    material: {density: 1000, young: 2e6, poisson: 0.3}\n"
                                  "    strain: {twist: 1, bend_y: 3, bend_z: 3}\n"
                                  "    space: %s\n"
                                  "    nodes: 16\n"
                                  "  - body: other\n"
                                  "    joint: {free: {position: {xyz: [0.3, -0.5, 0], rpy: [0, 0, "
                                  "pi/2]}, velocity: [0.2, 0.4, -0.1, "
                                  "0, -0.6, 0.1]}}\n"
                                  "    mass: 0.4\n"
                                  "    inertia: [1e-3, 2e-3, 2e-3]\n"
                                  "  - rod: finger\n"
                                  "    parent: other\n"
                                  "    length: 0.5\n"
                                  "    section: {circle: {diameter: 0.02}}\n"
                                  "    material: {density: 1000, young: 2e6, poisson: 0.3}\n"
                                  "    strain: {bend_y: 2, bend_z: 2}\n"
                                  "loops:\n"
                                  "  - {slider: ring, point: finger.tip, rod: rail}\n";

static const LoopOptions moving = {
    .method = ELV_METHOD_NEWMARK,
    .t_end = 0.5,
    .every = 0.125,
    .signal = {"momentum", "slider.ring.station", "slider.ring.gap", "slider.ring.drift",
               "base.position", "finger.tip.position"},
};
enum { STATION = 6, GAP, DRIFT, N_COLUMN = 15 };

// the larger one, and NaN where one is
static double larger(double a, double b) {
    return b <= a ? a : b;
}

// what of momentum and energy changes, and what velocities violate
static double change_of(const LoopRun* run) {
    double worst = 0.0;
    for (int i = 1; i < run->n_row; i++) {
        for (int k = 0; k < STATION; k++) {
            worst = larger(worst, fabs(run->value[i][k] - run->value[0][k]));
        }
        worst = larger(worst, fabs(run->energy[i] - run->energy[0]));
        CHECK_NEAR(run->value[i][GAP], 0.0, 1e-11);
        // velocities satisfy the constraint to the order of the method
        worst = larger(worst, run->value[i][DRIFT]);
    }
    return worst;
}

static void test_two_parts(void** unused) {
    (void)unused;
    LoopRun* run[2][3];
    for (int space = 0; space < 2; space++) {
        Robot robot = loop_robot(couple, space == 0 ? "quadrature" : "spectral");
        for (int k = 0; k < 3; k++) {
            LoopOptions options = moving;
            options.step = ldexp(1.0, -8 - k);
            run[space][k] = loop_simulate(&robot, &options);
        }
        const double* first = run[space][2]->value[0];
        const double* last = run[space][2]->value[run[space][2]->n_row - 1];
        // it slides by a good part of the rod
        CHECK_TRUE(fabs(last[STATION] - first[STATION]) > 0.2);
        double change[2] = {change_of(run[space][1]), change_of(run[space][2])};
        CHECK_NEAR(change[0] / change[1], 4.0, 0.8);
        CHECK_NEAR(change[1], 0.0, 1e-4);
        double coarse = loop_distance(run[space][0], run[space][1], STATION, N_COLUMN);
        double fine = loop_distance(run[space][1], run[space][2], STATION, N_COLUMN);
        CHECK_NEAR(coarse / fine, 4.0, 0.8);
        robot_free(&robot);
    }
    // the methods of space agree far beyond the error of the steps
    CHECK_NEAR(loop_distance(run[0][2], run[1][2], 0, N_COLUMN), 0.0, 1e-8);
    for (int i = 0; i < 6; i++) {
        free(run[i / 3][i % 3]);
    }
}

// the example: a bead on a wire, to and fro, without loss
static void test_example(void** unused) {
    (void)unused;
    LoopRun* run[2];
    Robot robot = robot_read("models/bead-on-rod.yaml");
    ElvSimulateDef own = elv_model_simulate(robot.model);
    for (int k = 0; k < 2; k++) {
        LoopOptions options = {.method = own.method,
                               .step = k == 0 ? own.step : 0.5 * own.step,
                               .t_end = IS_SANITIZED ? 0.5 : own.duration,
                               .every = 0.05,
                               .signal = {"slider.ring.station", "bead.position"}};
        run[k] = loop_simulate(&robot, &options);
    }
    double lowest = 1.0;
    double highest = 0.0;
    for (int i = 0; i < run[0]->n_row; i++) {
        lowest = fmin(lowest, run[0]->value[i][0]);
        highest = fmax(highest, run[0]->value[i][0]);
        // of some tenths of a joule
        CHECK_NEAR(run[0]->energy[i], run[0]->energy[0], 5e-6);
    }
    CHECK_TRUE(lowest < 0.2 && (IS_SANITIZED || highest > 0.9));
    // steps are short enough for the picture
    CHECK_NEAR(loop_distance(run[0], run[1], 0, 4), 0.0, 0.01);
    free(run[0]);
    free(run[1]);
    robot_free(&robot);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_point_load), cmocka_unit_test(test_moving_load),
        cmocka_unit_test(test_eyelet),     cmocka_unit_test(test_rest),
        cmocka_unit_test(test_modes),      cmocka_unit_test(test_two_parts),
        cmocka_unit_test(test_example),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
