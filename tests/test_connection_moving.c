// SPDX-License-Identifier: Apache-2.0
// Accelerations and forces of motions of first order under constraints that move by themselves:
// motors of wheels, rates that are given, stations that sweep. Oracles are the reduced dynamics
// where constraints decide on all, and differences of velocities in time where they do not.
#include "locomotion_case.h"

static const ElvOverride first_order[] = {{"simulate.method", "connection"}};

// a model file or text with its own method, or as a motion of first order
static ElvModel* read_case(const char* name, const char* text, bool is_first_order) {
    char path[512];
    ElvModel* model = NULL;
    ElvError error;
    int n = is_first_order ? 1 : 0;
    (void)snprintf(path, sizeof path, "%s/models/%s.yaml", ELVER_SOURCE_DIR, name);
    ElvStatus status =
        text ? elv_model_read_text(text, strlen(text), "text", first_order, n, &model, &error)
             : elv_model_read_file(path, first_order, n, &model, &error);
    CHECK_STATUS(status, &error);
    return model;
}

// ---- against reduced dynamics

// a cart on a rail: one motor, whose torque is R m a
#define CART(law)                                                                                  \
    "elver: 1\nname: cart\ngravity: [0, 0, 0]\ntree:\n"                                            \
    "  - {body: cart, joint: {prismatic: {axis: x}}, mass: 3, inertia: [1, 1, 1]}\n"               \
    "constraints:\n  - {wheel: w, at: cart, radius: 0.2, " law "}\n"                               \
    "simulate: {method: explicit, duration: 2}\nrecord: {signals: [cart.q]}\n"

static void test_cart(void** unused) {
    (void)unused;
    Gait gait = gait_start(read_case("", CART("rate: 3"), true), 0.3, 0.0);
    CHECK_NEAR(gait.state->v[0], 0.6, 1e-14);
    CHECK_NEAR(gait.state->a[0], 0.0, 1e-14);
    CHECK_NEAR(gait_see_one(&gait, "wheel.w.torque"), 0.0, 1e-14);
    gait_free(&gait);
    gait = gait_start(read_case("", CART("rotation: \"5*t^2 + sin(3*t)\""), true), 0.3, 0.0);
    double a = 0.2 * (10.0 - 9.0 * sin(0.9));
    CHECK_NEAR(gait.state->a[0], a, 1e-13);
    CHECK_NEAR(gait_see_one(&gait, "wheel.w.torque"), 0.2 * 3.0 * a, 1e-13);
    gait_free(&gait);
}

// a planar robot whose rates are all given, while an arm turns on it
static const char rates_text[] =
    "elver: 1\nname: rates\ngravity: [0, 0, 0]\ntree:\n"
    "  - {body: base, joint: planar, mass: 2, inertia: [1, 1, 1]}\n"
    "  - {body: arm, parent: base, pose: {xyz: [0.3, 0, 0]}, mass: 1, center: [0.2, 0, 0],\n"
    "     inertia: [0.1, 0.1, 0.1], joint: {revolute: {axis: z, motion: \"sin(2*t)\"}}}\n"
    "constraints:\n"
    "  - {velocity: turn, at: arm, rows: [[0, 0, 1, 0, 0, 0]], equals: \"cos(3*t)\"}\n"
    "  - {velocity: ahead, at: base, rows: [[0, 0, 0, 1, 0, 0]], equals: \"0.4 + t^2\"}\n"
    "  - {velocity: side, at: base, rows: [[0, 0, 0, 0, 1, 0]], equals: \"0.1*sin(t)\"}\n"
    "simulate: {method: explicit, duration: 2}\nrecord: {signals: [base.q]}\n";

// where constraints decide on all, both find the same motion, accelerations, forces and power
static void test_decided(void** unused) {
    (void)unused;
    static const struct {
        const char *name, *text;
        const char* motor[2];
        int n_motor;
    } robot[] = {
        {"car", NULL, {"left_back", "right_back"}, 2},
        {"mobile-manipulator", NULL, {0}, 0},
        {"earthworm", NULL, {0}, 0},
        {"inchworm", NULL, {0}, 0},
        {"rates", rates_text, {0}, 0},
    };
    for (size_t i = 0; i < sizeof robot / sizeof robot[0]; i++) {
        for (int k = 0; k < 3; k++) {
            double t = 0.13 + 0.21 * k;
            Gait a = gait_start(read_case(robot[i].name, robot[i].text, true), t, 0.0);
            Gait b = gait_start(read_case(robot[i].name, robot[i].text, false), t, 0.0);
            double size = 0.0, force = 0.0;
            for (int l = 0; l < a.state->nv; l++) {
                size = fmax(size, fabs(b.state->v[l]) + fabs(b.state->a[l]));
            }
            for (int l = 0; l < a.state->nz; l++) {
                force = fmax(force, fabs(b.state->z[l]));
            }
            // both solve with the same rows: rounding is left
            CHECK_ARRAY_NEAR(a.state->v, b.state->v, (size_t)a.state->nv, 1e-11 * size);
            CHECK_ARRAY_NEAR(a.state->a, b.state->a, (size_t)a.state->nv, 1e-10 * size);
            CHECK_ARRAY_NEAR(a.state->z, b.state->z, (size_t)a.state->nz, 1e-9 * force);
            double power = gait_power(&b, robot[i].motor, robot[i].n_motor);
            CHECK_NEAR(gait_power(&a, robot[i].motor, robot[i].n_motor), power,
                       1e-9 * (fabs(power) + force * size));
            gait_free(&a);
            gait_free(&b);
        }
    }
}

// a start in which rows lose rank: velocities and accelerations are those of the limit
static void test_singular_start(void** unused) {
    (void)unused;
    Gait a = gait_start(read_case("snake-wheeled", NULL, true), 0.0, 0.0);
    Gait b = gait_start(read_case("snake-wheeled", NULL, false), 0.0, 0.0);
    CHECK_ARRAY_NEAR(a.state->v, b.state->v, (size_t)a.state->nv, 1e-10);
    // time differences over 2e-5 s of what is exact to 1e-13
    CHECK_ARRAY_NEAR(a.state->a, b.state->a, (size_t)a.state->nv, 1e-7);
    CHECK_TRUE(fabs(b.state->a[0]) > 0.5);
    gait_free(&a);
    gait_free(&b);
}

// ---- against differences in time

// something is left free, and decided on by inertia or resistance
#define FREE_ROBOT(more)                                                                           \
    "elver: 1\nname: free\ngravity: [0, 0, 0]\ntree:\n"                                            \
    "  - {body: base, joint: planar, mass: 2, inertia: [1, 1, 0.3], resistance: [0, 0, 1, 1, 4, "  \
    "0]}\n"                                                                                        \
    "  - {body: arm, parent: base, pose: {xyz: [0.3, 0, 0]}, mass: 1, center: [0.2, 0.1, 0],\n"    \
    "     inertia: [0.1, 0.1, 0.1], resistance: [0, 0, 0.2, 1, 3, 0],\n"                           \
    "     joint: {revolute: {axis: z, motion: \"sin(2*t)\"}}}\n" more                              \
    "simulate: {method: connection, order: 8, rel_tol: 1e-12, abs_tol: 1e-14, duration: 2"

#define MOTOR                                                                                      \
    "frames: [{name: hub, on: arm, pose: {xyz: [0.4, 0.05, 0]}}]\n"                                \
    "constraints:\n  - {wheel: w, at: hub, radius: 0.1, rotation: \"4*t + sin(3*t)\"}\n"
#define RATE                                                                                       \
    "constraints:\n  - {velocity: v, at: arm, rows: [[0, 0, 0.3, 1, 0.2, 0]], equals: "            \
    "\"0.4 + sin(2*t)\"}\n"
#define RAILS                                                                                      \
    "constraints:\n  - {velocity: v, at: arm, rows: [[0, 0, 0, 0, 1, 0], [0, 0, 0.1, 1, 0, 0]],"   \
    "\n     equals: [0, \"cos(t)\"]}\n"

static void test_differences(void** unused) {
    (void)unused;
    static const char* const text[] = {
        FREE_ROBOT(MOTOR) "}\n",
        FREE_ROBOT(RATE) "}\n",
        FREE_ROBOT(RAILS) "}\n",
        FREE_ROBOT(MOTOR) ", connection: stokes}\n",
        FREE_ROBOT(RATE) ", connection: stokes}\n",
    };
    static const double weight[] = {-1.0, 9.0, -45.0, 0.0, 45.0, -9.0, 1.0};
    for (size_t i = 0; i < sizeof text / sizeof text[0]; i++) {
        const double h = 5e-3, middle = 0.4;
        double rate[4] = {0.0}, a[4] = {0.0};
        Gait gait = gait_start(read_case("", text[i], false), 0.0, 0.0);
        for (int k = 0; k < 7; k++) {
            gait_go(&gait, middle + (k - 3) * h);
            for (int l = 0; l < 4; l++) {
                rate[l] += weight[k] * gait.state->v[l] / (60.0 * h);
                a[l] = k == 3 ? gait.state->a[l] : a[l];
            }
        }
        // differences of order 6 of motions at 3 rad/s: (3 h)^6 / 140 of 10, 1e-12, and rounding
        CHECK_ARRAY_NEAR(a, rate, 4, 1e-9);
        CHECK_TRUE(fabs(a[0]) + fabs(a[1]) > 0.1);
        gait_free(&gait);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cart),
        cmocka_unit_test(test_decided),
        cmocka_unit_test(test_singular_start),
        cmocka_unit_test(test_differences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
