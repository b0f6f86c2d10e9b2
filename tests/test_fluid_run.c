// SPDX-License-Identifier: Apache-2.0
// Models in a fluid against closed forms: added mass, terminal speeds, rest, a surface, statics.
#include "model_case.h"

#include "elver/elver.h"
#include "robot.h"

static const double pi = 3.14159265358979323846;
static const double g = 9.81;

// the state at t_end, by the model's own method
static void run_to(ModelCase* c, double t_end) {
    ElvError error;
    ElvSimulateOptions options = elv_simulate_options_default(c->model, c->state);
    options.t_end = t_end;
    CHECK_STATUS(elv_simulate(c->model, c->state, &options, NULL, &error), &error);
}

static double energy_of(ModelCase* c) {
    ElvEnergy energy = elv_energy(c->model, c->data, c->state);
    return energy.kinetic + energy.elastic + energy.gravity;
}

#define EXACT                                                                                      \
    "simulate: {method: explicit, rel_tol: 1e-13, abs_tol: 1e-13, order: 8, duration: 1}\n"

// ---- added mass

// a sphere and an ellipsoid, off the origin of their bodies, pulled at their centres in still
// water: the force over the sum of its mass and the added one, from the closed form for prolate
// spheroids; 1e-10 asked, rounding expected
static void check_pull(const char* shape, int axis, double mass, double added) {
    static const char* const force[3] = {"[3, 0, 0]", "[0, 3, 0]", "[0, 0, 3]"};
    ElvError error;
    ModelCase c = case_open(
        "fluid: {density: 1000}\n"
        "tree:\n"
        "  - {body: b, joint: free, shape: {%s, pose: {xyz: [0.1, 0.2, 0.3]}}, density: 700,\n"
        "     fluid: {added_mass: 1, drag: [1, 1, 1]}}\n"
        "frames: [{name: c, on: b, pose: {xyz: [0.1, 0.2, 0.3]}}]\n"
        "loads: [{force: %s, at: c}]\n" EXACT,
        shape, force[axis]);
    CHECK_STATUS(elv_forward_dynamics(c.model, c.data, c.state, &error), &error);
    for (int k = 0; k < 6; k++) {
        CHECK_NEAR(c.state->a[k], k == 3 + axis ? 3.0 / (mass + added) : 0.0, 1e-12);
    }
    case_close(&c);
}

static void test_added_mass(void** unused) {
    (void)unused;
    double sphere = 4.0 / 3.0 * pi * 1e-3;
    check_pull("sphere: {radius: 0.1}", 1, 700.0 * sphere, 500.0 * sphere);
    // a = 2 b: e^2 = 3/4
    double e = sqrt(0.75);
    double alpha = 2.0 * 0.25 / (e * e * e) * (atanh(e) - e);
    double beta = 1.0 - 0.5 * alpha;
    double volume = 4.0 / 3.0 * pi * 0.2 * 0.1 * 0.1;
    check_pull("ellipsoid: {radii: [0.2, 0.1, 0.1]}", 0, 700.0 * volume,
               1000.0 * volume * alpha / (2.0 - alpha));
    check_pull("ellipsoid: {radii: [0.2, 0.1, 0.1]}", 2, 700.0 * volume,
               1000.0 * volume * beta / (2.0 - beta));
}

// a run, not an instant: x = F t^2 / (2 (m + m_a)), no drag
static void test_straight_line(void** unused) {
    (void)unused;
    double volume = 4.0 / 3.0 * pi * 1e-3;
    ModelCase c =
        case_open("fluid: {density: 1000}\n"
                  "tree:\n"
                  "  - {body: b, joint: free, shape: {sphere: {radius: 0.1}}, density: 700,\n"
                  "     fluid: {added_mass: 1}}\n"
                  "loads: [{force: [3, 4, 0], at: b}]\n" EXACT);
    run_to(&c, 1.0);
    ElvPose at = case_pose(&c, "b");
    CHECK_NEAR(at.p.x, 1.5 / (1200.0 * volume), 1e-10);
    CHECK_NEAR(at.p.y, 2.0 / (1200.0 * volume), 1e-10);
    case_close(&c);
}

// an elliptic rod pushed along y, along z, along x and about x: pi/4 rho b_z^2, pi/4 rho b_y^2,
// none, pi/8 rho (..)^2
static void test_added_mass_of_rod(void** unused) {
    (void)unused;
    static const char* const load[4] = {"force: [6, 0, 0]", "force: [0, 6, 0]", "force: [0, 0, 6]",
                                        "torque: [6, 0, 0]"};
    static const int component[4] = {3, 4, 5, 0};
    double area = pi / 4.0 * 0.1 * 0.04;
    double polar = area / 16.0 * (0.1 * 0.1 + 0.04 * 0.04);
    double difference = 0.05 * 0.05 - 0.02 * 0.02;
    double mass[4] = {700.0 * area, 700.0 * area + 250.0 * pi * 0.0016,
                      700.0 * area + 250.0 * pi * 0.01,
                      700.0 * polar + 125.0 * pi * difference * difference};
    for (int k = 0; k < 4; k++) {
        ElvError error;
        ModelCase c =
            case_open("fluid: {density: 1000}\n"
                      "tree:\n"
                      "  - {rod: r, joint: free, pose: {xyz: [-1, 0, 0]}, length: 2,\n"
                      "     section: {ellipse: {y: 0.1, z: 0.04}}, strain: {},\n"
                      "     material: {density: 700, young: 1e6}, fluid: {added_mass: 1}}\n"
                      "loads: [{%s, at: r.at(0.5)}]\n" EXACT,
                      load[k]);
        CHECK_STATUS(elv_forward_dynamics(c.model, c.data, c.state, &error), &error);
        CHECK_NEAR(c.state->a[component[k]], 6.0 / (2.0 * mass[k]), 1e-10 * 3.0 / mass[k]);
        case_close(&c);
    }
}

// ---- falling

typedef struct {
    double tilt, C_n, C_t, R_n, R_t;
} Fall;

// the terminal speed of @falling-rod, from its balance: R V + 1/2 rho C b V^2 = (rho_rod - rho) A g
static double terminal_speed(const Fall* fall) {
    bool is_along = fall->tilt > 0.0;
    double w = 1000.0 * pi / 4.0 * 4e-4 * g;
    double R = is_along ? fall->R_t : fall->R_n;
    double k = 500.0 * (is_along ? fall->C_t * pi * 0.02 : fall->C_n * 0.02);
    return k > 0.0 ? (sqrt(R * R + 4.0 * k * w) - R) / (2.0 * k) : w / R;
}

static void check_fall(const Fall* fall) {
    static const char* const path[5] = {"tilt", "C_n", "C_t", "R_n", "R_t"};
    const double value[5] = {fall->tilt, fall->C_n, fall->C_t, fall->R_n, fall->R_t};
    char text[5][32];
    ElvOverride override[5];
    ElvError error;
    ModelCase c = {0};
    for (int k = 0; k < 5; k++) {
        snprintf(text[k], sizeof text[k], "%.17g", value[k]);
        override[k] = (ElvOverride){path[k], text[k]};
    }
    CHECK_STATUS(elv_model_read_file(ELVER_SOURCE_DIR "/models/falling-rod.yaml", override, 5,
                                     &c.model, &error),
                 &error);
    CHECK_STATUS(elv_data_create(c.model, &c.data, &error), &error);
    CHECK_STATUS(elv_state_create(c.model, &c.state, &error), &error);
    run_to(&c, 10.0);
    double speed = terminal_speed(fall);
    elv_kinematics(c.model, c.data, c.state);
    CHECK_NEAR(c.state->v[0], -speed, 1e-6 * speed);
    case_close(&c);
}

static void test_falling_rod(void** unused) {
    (void)unused;
    for (int k = 0; k < 2; k++) {
        double tilt = k == 0 ? 0.0 : pi / 2.0;
        check_fall(&(Fall){tilt, 1.1, 0.01, 0.01, 0.1});
        check_fall(&(Fall){tilt, 1.1, 0.01, 0.0, 0.0});
        check_fall(&(Fall){tilt, 0.0, 0.0, 5.0, 2.0});
    }
}

// from rest under quadratic drag: v = V tanh(t w / (m V)), m with the added mass
static void test_approach(void** unused) {
    (void)unused;
    ModelCase c =
        case_open("gravity: [0, 0, -9.81]\n"
                  "fluid: {density: 1000}\n"
                  "tree:\n"
                  "  - {body: b, joint: free, shape: {sphere: {radius: 0.05}}, density: 3000,\n"
                  "     fluid: {buoyancy: true, drag: [4e-3, 4e-3, 4e-3], added_mass: 1}}\n" EXACT);
    double volume = 4.0 / 3.0 * pi * 1.25e-4;
    double w = 2000.0 * volume * g;
    double speed = sqrt(w / (500.0 * 4e-3));
    for (int k = 1; k <= 4; k++) {
        run_to(&c, 0.3 * k);
        CHECK_NEAR(c.state->v[5], -speed * tanh(0.3 * k * w / (3500.0 * volume * speed)), 1e-10);
    }
    case_close(&c);
}

// ---- rest

// weight and buoyancy are equal but for rounding, 1e-16 g: half of that times t^2 = 1e6 s^2 is
// 5e-10 m. Turned by any angle, with drag, resistance and added mass
static void check_rest(const char* element, const char* frame, double length) {
    ModelCase c = case_open("gravity: [0, 0, -9.81]\n"
                            "fluid: {density: 1000}\n"
                            "tree:\n  - %s\n"
                            "simulate: {method: generalized-alpha, step: 1, duration: 1000}\n",
                            element);
    ElvVec3 root = case_pose(&c, frame).p;
    run_to(&c, 1000.0);
    ElvPose after = case_pose(&c, frame);
    CHECK_NEAR(elv_vec3_norm(elv_vec3_sub(after.p, root)), 0.0, 1e-9);
    CHECK_NEAR(largest(c.state->v, (size_t)c.nv) * length, 0.0, 1e-11);
    case_close(&c);
}

static void test_neutral_rest(void** unused) {
    (void)unused;
    check_rest("{body: b, joint: free, shape: {ellipsoid: {radii: [0.3, 0.2, 0.1]}}, density: "
               "1000, fluid: {buoyancy: true}}",
               "b", 0.3);
    check_rest("{body: b, joint: {free: {position: {rpy: [0.3, 0.4, 0.5], xyz: [0, 0, -3]}}}, "
               "shape: {sphere: {radius: 0.1}, pose: "
               "{xyz: [0.2, 0.1, 0]}}, density: 1000, fluid: {buoyancy: true, drag: [1, 1, 1], "
               "added_mass: 1}}",
               "b", 0.3);
    check_rest(
        "{rod: r, joint: {free: {position: {rpy: [0.3, 0.4, 0.5], xyz: [0, 0, -3]}}}, length: 1, "
        "section: {ellipse: {y: "
        "\"0.1 - 0.05*s\", z: 0.06}}, material: {density: 1000, young: 1e7, damping: 0.01}, "
        "strain: {bend_y: 2, bend_z: 2}, "
        "fluid: {buoyancy: true, drag: {normal: 1, tangential: 0.1}, lift: 0.3, added_mass: 1}}",
        "r.tip", 1.0);
}

// ---- surface
//
// Forces have kinks in their slope where a body leaves the water: methods of order 5 find them by
// their error estimates.

static const char* const buoy =
    "gravity: [0, 0, -9.81]\n"
    "fluid: {density: 1000, surface: 0.7}\n"
    "tree:\n"
    "  - {body: b, joint: {free: {position: {rpy: [0, 0, 0], xyz: [0, 0, %.17g]}}}, shape: "
    "{sphere: {radius: 0.1}}, density: %.17g,\n"
    "     fluid: {buoyancy: true, added_mass: %g}}\n"
    "simulate: {method: explicit, rel_tol: 1e-13, abs_tol: 1e-13, order: 5, duration: 5}\n";

// at x = height/radius the share below is (1 - x)^2 (2 + x)/4: with x = 1/2 a sphere of 0.15625 of
// the density floats, and statics finds it from elsewhere
static void test_floating_depth(void** unused) {
    (void)unused;
    ModelCase c = case_open(buoy, 0.75, 156.25, 1.0);
    run_to(&c, 5.0);
    CHECK_NEAR(case_pose(&c, "b").p.z, 0.75, 1e-12);
    case_close(&c);
    ModelCase s = case_open("gravity: [0, 0, -9.81]\n"
                            "fluid: {density: 1000, surface: 0.7}\n"
                            "tree:\n"
                            "  - {body: b, joint: {prismatic: {axis: z, position: 0.69}}, shape: "
                            "{sphere: {radius: 0.1}}, density: 156.25,\n"
                            "     fluid: {buoyancy: true}}\n");
    ElvError error;
    ElvStaticsDef options = elv_statics_def_default();
    CHECK_STATUS(elv_statics_solve(s.model, s.state, 0.0, &options, NULL, &error), &error);
    CHECK_NEAR(s.state->q[0], 0.75, 1e-10);
    case_close(&s);
}

// bobbing through the whole surface, out of the water and under it: the energy stays, without and
// with added mass; near the equilibrium the period is that of the slope of the share, -3/4 (1 -
// x^2)/r
static void test_bobbing(void** unused) {
    (void)unused;
    for (int k = 0; k < 2; k++) {
        ModelCase c = case_open(buoy, 1.0, 400.0, (double)k);
        double start = energy_of(&c);
        double lowest = 1.0;
        for (int i = 1; i <= 100; i++) {
            run_to(&c, 0.05 * i);
            CHECK_NEAR(energy_of(&c), start, 1e-9 * 0.4 * 4.0 / 3.0 * pi * g);
            lowest = fmin(lowest, case_pose(&c, "b").p.z);
        }
        CHECK_TRUE(lowest < 0.6);
        case_close(&c);
        double omega = sqrt(1000.0 * g * 0.75 * 0.75 / 0.1 / (156.25 + 500.0 * k));
        ModelCase small = case_open(buoy, 0.75 + 1e-5, 156.25, (double)k);
        run_to(&small, pi / omega);
        CHECK_NEAR(case_pose(&small, "b").p.z, 0.75 - 1e-5, 1e-8);
        case_close(&small);
    }
}

// a bent rod that falls into the water, aslant
static void test_splashing_rod(void** unused) {
    (void)unused;
    ModelCase c = case_open(
        "gravity: [0, 0, -9.81]\n"
        "fluid: {density: 1000, surface: 0}\n"
        "tree:\n"
        "  - {rod: r, joint: {free: {position: {rpy: [0, 0.2, 0], xyz: [0, 0, 0.3]}}}, length: 1, "
        "section: {circle: "
        "{diameter: 0.08}}, material: {density: 500, young: 1e6}, strain: {bend_y: 2, bend_z: 1}, "
        "fluid: {buoyancy: "
        "true, added_mass: 1}}\n"
        "simulate: {method: explicit, rel_tol: 1e-12, abs_tol: 1e-12, order: 5, duration: 2}\n");
    double start = energy_of(&c);
    for (int i = 1; i <= 20; i++) {
        run_to(&c, 0.1 * i);
        CHECK_NEAR(energy_of(&c), start, 1e-8 * 2.5 * g);
    }
    case_close(&c);
}

// ---- statics

// a sphere on an arm without mass in a horizontal current: tan(angle) = drag / (weight - buoyancy)
static void test_tether(void** unused) {
    (void)unused;
    ModelCase c =
        case_open("gravity: [0, 0, -9.81]\n"
                  "fluid: {density: 1000, current: [0.5, 0, 0]}\n"
                  "tree:\n"
                  "  - {body: arm, joint: {revolute: {axis: y}}, shape: {sphere: {radius: 0.05}, "
                  "pose: {xyz: [0, 0, -1]}}, density: 2000,\n"
                  "     fluid: {buoyancy: true, drag: [4e-3, 4e-3, 4e-3], added_mass: 1}}\n");
    ElvError error;
    ElvStaticsDef options = elv_statics_def_default();
    CHECK_STATUS(elv_statics_solve(c.model, c.state, 0.0, &options, NULL, &error), &error);
    double weight = 1000.0 * 4.0 / 3.0 * pi * 1.25e-4 * g;
    CHECK_NEAR(tan(-c.state->q[0]), 500.0 * 4e-3 * 0.25 / weight, 1e-9);
    case_close(&c);
}

// A neutral body whose buoyancy and drag act d above its centre of mass, tilted about y:
//     I theta'' = d (F cos(theta) - m g sin(theta)),   F = 1/2 rho C A U^2 along the current,
// and the centre of mass is accelerated by F/m.
static void test_righting(void** unused) {
    (void)unused;
    static const double speed[2] = {0.0, 0.3};
    for (int i = 0; i < 2; i++) {
        double d = 0.03, angle = 0.7, F = 500.0 * 0.01 * speed[i] * speed[i];
        ModelCase c = case_open(
            "gravity: [0, 0, -9.81]\nfluid: {density: 1000, current: [%g, 0, 0]}\ntree:\n"
            "  - {body: hull, joint: {free: {position: {rpy: [0, 0.7, 0]}}}, mass: 2, center: "
            "[0.1, 0, 0.2], inertia: [0.05, 0.04, 0.06],\n"
            "     fluid: {buoyancy: true, volume: 2e-3, center: [0.1, 0, 0.23], drag: [0.01, "
            "0.01, 0.01]}}\n",
            speed[i]);
        ElvError error;
        CHECK_STATUS(elv_forward_dynamics(c.model, c.data, c.state, &error), &error);
        CHECK_NEAR(c.state->a[1], d * (F * cos(angle) - 2.0 * g * sin(angle)) / 0.04, 1e-12);
        elv_kinematics(c.model, c.data, c.state);
        ElvFrame hull = case_frame(&c, "hull");
        ElvTwist rate = elv_frame_twist_dot(c.model, c.data, hull);
        ElvVec3 at = elv_vec3_add(rate.lin, elv_vec3_cross(rate.ang, elv_vec3(0.1, 0.0, 0.2)));
        CHECK_NEAR(elv_vec3_norm(at), F / 2.0, 1e-12);
        case_close(&c);
    }
}

// a clamped rod across a current: the line load q = 1/2 rho C b U^2 bends its tip by q L^4 / (8 E
// I), to the square of its slope, 4e-6; the curvature is quadratic along it. Without added mass,
// whose moment of Munk is linear in the slope
static void test_bent_by_current(void** unused) {
    (void)unused;
    ModelCase c = case_open("fluid: {density: 1000, current: [0, 0.1, 0]}\n"
                            "tree:\n"
                            "  - {rod: r, length: 1, section: {circle: {diameter: 0.02}}, "
                            "material: {density: 2000, young: 1e9}, "
                            "strain: {bend_y: 3, bend_z: 3},\n"
                            "     fluid: {buoyancy: true, drag: {normal: 1, tangential: 0.01}, "
                            "lift: 0.2}}\n");
    ElvError error;
    ElvStaticsDef options = elv_statics_def_default();
    CHECK_STATUS(elv_statics_solve(c.model, c.state, 0.0, &options, NULL, &error), &error);
    double expected = 0.1 / (8.0 * 1e9 * pi / 64.0 * 1.6e-7);
    CHECK_NEAR(case_pose(&c, "r.tip").p.y, expected, 2e-5 * expected);
    case_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_added_mass),        cmocka_unit_test(test_straight_line),
        cmocka_unit_test(test_added_mass_of_rod), cmocka_unit_test(test_falling_rod),
        cmocka_unit_test(test_approach),          cmocka_unit_test(test_neutral_rest),
        cmocka_unit_test(test_floating_depth),    cmocka_unit_test(test_bobbing),
        cmocka_unit_test(test_splashing_rod),     cmocka_unit_test(test_tether),
        cmocka_unit_test(test_righting),          cmocka_unit_test(test_bent_by_current),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
