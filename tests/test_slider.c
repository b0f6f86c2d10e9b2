// SPDX-License-Identifier: Apache-2.0
// Sliders on rails that do not bend, against closed forms: a bead on an incline, with a motor and a damper; a
// bead on an arc, which is a pendulum; a bead that is driven along the arc; a quick-return mechanism. How a ring
// finds its place at the start, and what happens at the end of the rod.
#include "elver/inverse.h"
#include "loop_run.h"
#include "pendulum.h"

static const double PI = 3.141592653589793238463;
static const double GRAVITY = 9.81;

// ---- a straight rail

// 2 m, falling by 30 degrees; the bead at rest at 0.4 m
static const char* const incline =
    "gravity: [0, 0, -9.81]\n"
    "tree:\n"
    "  - rod: rail\n"
    "    pose: {rpy: [0, pi/6, 0]}\n"
    "    length: 2\n"
    "    section: {circle: {diameter: 0.02}}\n"
    "    material: {density: 1000, young: 2e11, poisson: 0.3}\n"
    "    strain: {}\n"
    "  - body: bead\n"
    "    joint: {free: {position: {xyz: [0.4*cos(pi/6), 0, -0.4*sin(pi/6)]}}}\n"
    "    mass: 0.1\n"
    "    inertia: [1e-4, 1e-4, 1e-4]\n"
    "loops:\n"
    "  - {slider: ring, point: bead, rod: rail, station: 0.6, %s}\n";

static const LoopOptions plain = {
    .method = ELV_METHOD_NEWMARK,
    .step = 0.01,
    .t_end = 0.6,
    .every = 0.1,
    .signal = {"slider.ring.station", "slider.ring.speed", "slider.ring.gap", "slider.ring.drift",
               "slider.ring.force", "slider.ring.effort"},
};
enum { STATION, SPEED, GAP, DRIFT, FORCE, EFFORT = 7 };

static void test_incline(void** unused) {
    (void)unused;
    Robot robot = loop_robot(incline, "damping: 0");
    LoopRun* run = loop_simulate(&robot, &plain);
    double normal = 0.1 * GRAVITY * cos(PI / 6);
    for (int i = 0; i < run->n_row; i++) {
        const double* x = run->value[i];
        double t = run->t[i];
        // Newmark is exact for constant accelerations, but for the tolerance of Newton
        CHECK_NEAR(x[STATION], 0.2 + 0.125 * GRAVITY * t * t, 1e-11);
        CHECK_NEAR(x[SPEED], 0.5 * GRAVITY * t, 1e-10);
        CHECK_NEAR(x[GAP], 0.0, 1e-12);
        CHECK_NEAR(x[DRIFT], 0.0, 1e-10);
        // pushes the rail down along its normal
        CHECK_NEAR(x[FORCE], -normal * sin(PI / 6), 1e-8);
        CHECK_NEAR(x[FORCE + 1], 0.0, 1e-10);
        CHECK_NEAR(x[FORCE + 2], -normal * cos(PI / 6), 1e-8);
        CHECK_NEAR(x[EFFORT], 0.0, 1e-11);
    }
    free(run);
    robot_free(&robot);
}

// m v' = m g sin + F - c v
static void test_motor_and_damper(void** unused) {
    (void)unused;
    double c = 0.8;
    double pull = 0.1 * GRAVITY * sin(PI / 6) + 0.3;
    Robot robot = loop_robot(incline, "damping: 0.8, force: 0.3");
    double error[2];
    for (int k = 0; k < 2; k++) {
        LoopOptions options = plain;
        options.step = k == 0 ? 0.01 : 0.005;
        LoopRun* run = loop_simulate(&robot, &options);
        error[k] = 0.0;
        for (int i = 0; i < run->n_row; i++) {
            double t = run->t[i];
            double decay = exp(-c / 0.1 * t);
            double speed = pull / c * (1.0 - decay);
            double way = pull / c * (t - 0.1 / c * (1.0 - decay));
            error[k] = fmax(error[k], fabs(run->value[i][STATION] - 0.2 - 0.5 * way));
            error[k] = fmax(error[k], fabs(run->value[i][SPEED] - speed));
            // the rod holds the motor: the force on the point is what the motor gives, less the damper
            CHECK_NEAR(run->value[i][EFFORT], 0.3 - c * run->value[i][SPEED], 1e-9);
        }
        free(run);
    }
    // order 2, and small against the speed
    CHECK_NEAR(error[0] / error[1], 4.0, 0.3);
    CHECK_NEAR(error[1], 0.0, 1e-3);
    robot_free(&robot);
}

// ---- an arc

// radius 0.5, angles from -2.5 to 2.5 about the lowest point
static const char* const arc =
    "gravity: [0, 0, -9.81]\n"
    "tree:\n"
    "  - rod: rail\n"
    "    pose: {xyz: [0.5*sin(-2.5), 0, -0.5*cos(2.5)], rpy: [0, 2.5, 0]}\n"
    "    length: 2.5\n"
    "    section: {circle: {diameter: 0.02}}\n"
    "    material: {density: 1000, young: 2e11, poisson: 0.3}\n"
    "    strain: {}\n"
    "    nodes: 24\n"
    "    reference: {bend_y: -2}\n"
    "    space: %s\n"
    "  - body: bead\n"
    "    joint: {free: {position: {xyz: [0.5*sin(2), 0, -0.5*cos(2)]}}}\n"
    "    mass: 0.1\n"
    "    inertia: [1e-4, 1e-4, 1e-4]\n"
    "loops:\n"
    "  - {slider: ring, point: bead, rod: rail, %s}\n";

static double angle_at(double station) {
    return 5.0 * station - 2.5;
}

static double pendulum_error(Robot* robot, ElvMethod method, double step) {
    LoopOptions options = plain;
    options.method = method;
    options.step = step;
    options.t_end = 1.6;
    LoopRun* run = loop_simulate(robot, &options);
    double worst = 0.0;
    for (int i = 0; i < run->n_row; i++) {
        double error = fabs(angle_at(run->value[i][STATION]) - pendulum_angle(run->t[i]));
        worst = error <= worst ? worst : error;
        CHECK_NEAR(run->value[i][GAP], 0.0, 1e-10);
    }
    free(run);
    return worst;
}

static void test_pendulum(void** unused) {
    (void)unused;
    static const ElvMethod method[3] = {ELV_METHOD_NEWMARK, ELV_METHOD_GENERALIZED_ALPHA,
                                        ELV_METHOD_BDF2};
    for (int k = 0; k < 4; k++) {
        Robot robot = loop_robot(arc, k == 3 ? "spectral" : "quadrature", "station: 0.8");
        double coarse = pendulum_error(&robot, method[k % 3], 0.004);
        double fine = pendulum_error(&robot, method[k % 3], 0.002);
        CHECK_NEAR(coarse / fine, 4.0, 0.5);
        // more than a period with amplitude 2 rad
        CHECK_NEAR(fine, 0.0, 2e-3);
        robot_free(&robot);
    }
}

// the bead goes round at a constant rate: the rail turns its velocity and carries its weight
static void test_driven(void** unused) {
    (void)unused;
    double error[2];
    Robot robot = loop_robot(arc, "quadrature", "drive: \"0.9 - 0.4*t\"");
    for (int k = 0; k < 2; k++) {
        LoopOptions options = plain;
        options.method = ELV_METHOD_GENERALIZED_ALPHA;
        options.step = k == 0 ? 0.004 : 0.002;
        options.t_end = 2.0;
        LoopRun* run = loop_simulate(&robot, &options);
        error[k] = 0.0;
        for (int i = 1; i < run->n_row; i++) {
            const double* x = run->value[i];
            double a = 2.0 - 2.0 * run->t[i];
            double inward = 0.1 * 4.0 * 0.5;
            // on the rod: weight, and minus what turns the bead
            double f[2] = {inward * sin(a), -0.1 * GRAVITY - inward * cos(a)};
            CHECK_NEAR(x[STATION], 0.9 - 0.4 * run->t[i], 1e-14);
            CHECK_NEAR(x[SPEED], -1.0, 1e-4);
            CHECK_NEAR(x[GAP], 0.0, 1e-10);
            error[k] = fmax(error[k], hypot(x[FORCE] - f[0], x[FORCE + 2] - f[1]));
            error[k] = fmax(error[k], fabs(x[EFFORT] - 0.1 * GRAVITY * sin(a)));
        }
        free(run);
    }
    // forces are as accurate as accelerations: order 2
    CHECK_TRUE(error[1] < error[0] / 3.0);
    CHECK_NEAR(error[1], 0.0, 1e-4);
    robot_free(&robot);
}

// ---- a mechanism

// A crank of 0.1 m about the origin turns a slotted lever about (-0.25, 0): quick return.
static const char* const quick_return = "gravity: [0, -9.81, 0]\n"
                                        "tree:\n"
                                        "  - {body: crank, joint: {revolute: {axis: z, motion: "
                                        "\"2*t + 0.3\"}}, mass: 0.2, center: [0.05, 0, 0],\n"
                                        "     inertia: [1e-4, 1e-4, 1e-4]}\n"
                                        "  - rod: lever\n"
                                        "    pose: {xyz: [-0.25, 0, 0]}\n"
                                        "    joint: {revolute: {axis: z}}\n"
                                        "    length: 0.5\n"
                                        "    section: {circle: {diameter: 0.02}}\n"
                                        "    material: {density: 2000, young: 2e11, poisson: 0.3}\n"
                                        "    strain: {}\n"
                                        "frames:\n"
                                        "  - {name: pin, on: crank, pose: {xyz: [0.1, 0, 0]}}\n"
                                        "loops:\n"
                                        "  - {slider: ring, point: pin, rod: lever}\n";

static double energy_at(ModelCase* c, ElvInverse* solver, double t, double* tau) {
    ElvError error;
    CHECK_STATUS(elv_inverse_at(solver, t, c->state, tau, &error), &error);
    ElvEnergy e = elv_energy(c->model, c->data, c->state);
    return e.kinetic + e.gravity;
}

static void test_mechanism(void** unused) {
    (void)unused;
    ModelCase c = case_open("%s", quick_return);
    ElvError error;
    ElvInverse* solver = NULL;
    double tau[2], ignored[2];
    CHECK_TRUE(c.nv == 2);
    CHECK_STATUS(elv_inverse_create(c.model, &solver, &error), &error);
    for (int i = 0; i < 8; i++) {
        double t = 0.4 * i;
        double h = 1e-4;
        (void)energy_at(&c, solver, t, tau);
        double a = 2.0 * t + 0.3;
        double x = 0.25 + 0.1 * cos(a);
        double y = 0.1 * sin(a);
        // the lever points at the pin
        CHECK_NEAR(c.state->q[1], atan2(y, x), 1e-12);
        CHECK_NEAR(c.state->z[6], hypot(x, y) / 0.5, 1e-12);
        CHECK_NEAR(c.state->v[1], 0.2 * (x * cos(a) + y * sin(a)) / (x * x + y * y), 1e-11);
        // the power of the drive is the rate of the energy: the slider does no work
        double rate =
            (energy_at(&c, solver, t + h, ignored) - energy_at(&c, solver, t - h, ignored)) /
            (2.0 * h);
        CHECK_NEAR(2.0 * tau[0], rate, 1e-6);
        c.state->t = t;
    }
    elv_inverse_free(solver);
    case_close(&c);
}

// ---- starts

// the bead where it is put, off the rail by (x, z) from its middle; the rail can turn
static ElvStatus start_at(double x, double z, double station, double* found, ElvError* error) {
    ModelCase c = case_open("tree:\n"
                            "  - rod: rail\n"
                            "    joint: {revolute: {axis: y}}\n"
                            "    length: 1\n"
                            "    section: {circle: {diameter: 0.02}}\n"
                            "    material: {density: 1000, young: 2e11, poisson: 0.3}\n"
                            "    strain: {}\n"
                            "  - body: bead\n"
                            "    joint: {free: {position: {xyz: [%.17g, 0, %.17g]}}}\n"
                            "    mass: 0.1\n"
                            "    inertia: [1e-4, 1e-4, 1e-4]\n"
                            "loops:\n"
                            "  - {slider: ring, point: bead, rod: rail, station: %.17g}\n",
                            0.5 + x, z, station);
    ElvIntegrator* integrator = NULL;
    ElvSimulateDef options = elv_simulate_def_default();
    CHECK_STATUS(elv_integrator_create(c.model, &options, &integrator, error), error);
    ElvStatus status = elv_integrator_start(integrator, c.state, error);
    if (status == ELV_OK) {
        ElvVec3 p = case_pose(&c, "bead").p;
        double r = elv_vec3_norm(p);
        // on the rail: at its station, in its direction
        CHECK_NEAR(c.state->z[6], r, 1e-12);
        CHECK_NEAR(elv_vec3_norm(elv_vec3_sub(p, elv_vec3_scale(r, case_pose(&c, "rail.tip").p))),
                   0.0, 1e-12);
    }
    *found = c.state->z[6];
    elv_integrator_free(integrator);
    case_close(&c);
    return status;
}

static void test_start(void** unused) {
    (void)unused;
    ElvError error;
    double s = 0.0;
    // on the rail, guesses of all kinds
    for (int i = 0; i <= 4; i++) {
        CHECK_STATUS(start_at(0.2, 0.0, 0.25 * i, &s, &error), &error);
        CHECK_NEAR(s, 0.7, 1e-14);
    }
    // off it: both move, and not far along the rail
    CHECK_STATUS(start_at(0.2, 0.3, 0.5, &s, &error), &error);
    CHECK_NEAR(s, hypot(0.7, 0.3), 0.1);
    // beyond the tip: drawn back to it
    CHECK_STATUS(start_at(0.6, 0.0, 0.5, &s, &error), &error);
    CHECK_NEAR(s, 1.0, 1e-12);
    CHECK_STATUS(start_at(0.6, 0.2, 0.5, &s, &error), &error);
    CHECK_NEAR(s, 1.0, 1e-9);
}

// ---- the end of the rod

static void test_end(void** unused) {
    (void)unused;
    Robot robot = loop_robot(incline, "damping: 0");
    LoopOptions options = plain;
    options.t_end = 2.0;
    LoopRun* run = loop_try(&robot, &options);
    // 0.2 + g t^2 / 8 = 1
    double t_end = sqrt(0.8 * 8.0 / GRAVITY);
    CHECK_TRUE(run->status == ELV_ERROR_NUMERIC);
    CHECK_TRUE(strstr(run->error.message, "'ring' leaves the rod 'rail' at its tip at t = 0.80") !=
               NULL);
    CHECK_TRUE(strcmp(run->error.element, "ring") == 0);
    // the last state is a good one, as near to the end as steps get: 0.01 / 2^10 s
    const double* last = run->value[run->n_row - 1];
    CHECK_TRUE(last[STATION] <= 1.0 && last[STATION] > 1.0 - 1e-4);
    CHECK_NEAR(run->t[run->n_row - 1], t_end, 2e-5);
    CHECK_NEAR(last[GAP], 0.0, 1e-9);
    free(run);
    robot_free(&robot);

    // a drive that leads beyond it
    robot = loop_robot(arc, "quadrature", "drive: \"0.9 - 0.4*t\"");
    options.t_end = 3.0;
    run = loop_try(&robot, &options);
    CHECK_TRUE(run->status == ELV_ERROR_NUMERIC);
    CHECK_TRUE(strstr(run->error.message, "the drive of slider 'ring' leads it off its rod") !=
               NULL);
    CHECK_NEAR(run->t[run->n_row - 1], 2.25, 0.011);
    free(run);
    robot_free(&robot);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_incline),   cmocka_unit_test(test_motor_and_damper),
        cmocka_unit_test(test_pendulum),  cmocka_unit_test(test_driven),
        cmocka_unit_test(test_mechanism), cmocka_unit_test(test_start),
        cmocka_unit_test(test_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
