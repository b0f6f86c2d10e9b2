// SPDX-License-Identifier: Apache-2.0
// A snake of N rigid modules, whose joints turn by the integrals of the curvature of @snake-2d over
// their spans, against the continuous snake, as N grows. The chain is the midpoint rule for the
// rod: all that is compared converges as 1/N^2.
#include "locomotion_case.h"

enum { SIZE_TEXT = 65536, N_WHEEL = 3 };

static const double PI = 3.14159265358979323846;
static const double A = 10.0, V = -0.5;

static ElvModel* model_of(const char* text) {
    ElvModel* model = NULL;
    ElvError error;
    CHECK_STATUS(elv_model_read_text(text, strlen(text), "text", NULL, 0, &model, &error), &error);
    return model;
}

// angle between the axes at s and s + h
static double turn(double s, double h, double t) {
    return A / (2.0 * PI) * (sin(2.0 * PI * (s + h + V * t)) - sin(2.0 * PI * (s + V * t)));
}

// Modules of length h = 1/N, 1 kg/m and 1e-3 kg m, with their x axes along the snake and origins at
// their front ends
static size_t write_chain(int n, double t, const char* resistance, char* text) {
    double h = 1.0 / n;
    size_t at = 0;
    at += (size_t)snprintf(text, SIZE_TEXT,
                           "elver: 1\nname: chain\ngravity: [0, 0, 0]\n"
                           "parameters: {A: 10, V: -0.5, h: %.17g}\ntree:\n",
                           h);
    for (int i = 0; i < n; i++) {
        at += (size_t)snprintf(text + at, SIZE_TEXT - at, "  - {body: m%d, ", i);
        at += i == 0 ? (size_t)snprintf(text + at, SIZE_TEXT - at,
                                        "joint: {planar: {position: [%.17g, 0, 0]}}",
                                        turn(0.0, 0.5 * h, t))
                     : (size_t)snprintf(text + at, SIZE_TEXT - at,
                                        "parent: m%d, pose: {xyz: [%s, 0, 0]}, joint: {revolute: "
                                        "{axis: z, motion: \"A/(2*pi)*(sin(2*pi*(%d.5*h + V*t)) - "
                                        "sin(2*pi*(%d.5*h + V*t)))\"}}",
                                        i - 1, "\"h\"", i, i - 1);
        at += (size_t)snprintf(text + at, SIZE_TEXT - at,
                               ", mass: \"h\", center: [\"h/2\", 0, 0], inertia: [1e-6, \"1e-3*h + "
                               "h^3/12\", \"1e-3*h + h^3/12\"]%s}\n",
                               resistance);
    }
    CHECK_TRUE(at < SIZE_TEXT);
    return at;
}

/// What errors of the fourth order make of the second: (2 pi / 27)^2 / log(3) = 0.05 for 27 modules
/// on a wave, times a factor of them.
static const double NEXT_ORDER = 0.15;

static double order_of(double coarse, double fine) {
    return log(coarse / fine) / log(3.0);
}

// ---- three ideal wheels, in the middle of the modules at 1/6, 1/2 and 5/6

typedef struct {
    double head[3];
    double force[N_WHEEL];
    double moment; // of the joint at 1/3, as stress
} Sight;

static Sight see_rod(double t0, double t1) {
    static const char* const signal[] = {"contact.a.wrench.fy", "contact.b.wrench.fy",
                                         "contact.c.wrench.fy",
                                         "snake.stress(0.333333333333).moment.z"};
    Gait gait = gait_start(
        model_of("elver: 1\nname: snake\ngravity: [0, 0, 0]\ntree:\n  - {body: head, joint: "
                 "planar}\n  - rod: snake\n    parent: head\n    length: 1\n    inertia: [1e-3, "
                 "1e-3, 1e-3, 1, 1, 1]\n    motion: {bend_z: \"10*cos(2*pi*(s - 0.5*t))\"}\n"
                 "constraints:\n  - {contact: a, rod: snake, type: ring, station: \"1/6\"}\n"
                 "  - {contact: b, rod: snake, type: ring, station: \"1/2\"}\n"
                 "  - {contact: c, rod: snake, type: ring, station: \"5/6\"}\n"
                 "simulate: {method: explicit, duration: 2, rel_tol: 1e-10, abs_tol: 1e-12}\n"),
        t0, 0.0);
    Sight sight;
    double value[4];
    gait_go(&gait, t1);
    gait_see(&gait, signal, 4, value);
    memcpy(sight.head, gait.state->q, sizeof sight.head);
    memcpy(sight.force, value, sizeof sight.force);
    sight.moment = value[3];
    gait_free(&gait);
    return sight;
}

static Sight see_chain(int n, double t0, double t1) {
    static char text[SIZE_TEXT];
    char joint[32];
    Sight sight;
    size_t at = write_chain(n, t0, "", text);
    at += (size_t)snprintf(text + at, SIZE_TEXT - at, "frames:\n");
    for (int i = 0; i < N_WHEEL; i++) {
        int module = (2 * i + 1) * n / 6;
        at +=
            (size_t)snprintf(text + at, SIZE_TEXT - at,
                             "  - {name: f%d, on: m%d, pose: {xyz: [\"h/2\", 0, 0]}}\n", i, module);
    }
    at += (size_t)snprintf(text + at, SIZE_TEXT - at, "constraints:\n");
    for (int i = 0; i < N_WHEEL; i++) {
        at += (size_t)snprintf(text + at, SIZE_TEXT - at,
                               "  - {wheel: w%d, at: f%d, radius: 0.02}\n", i, i);
    }
    (void)snprintf(text + at, SIZE_TEXT - at,
                   "simulate: {method: explicit, duration: 2, rel_tol: 1e-10, abs_tol: 1e-12}\n");
    Gait gait = gait_start(model_of(text), t0, 0.0);
    gait_go(&gait, t1);
    memcpy(sight.head, gait.state->q, sizeof sight.head);
    // the angle of the axis at the front end itself
    sight.head[0] -= turn(0.0, 0.5 / n, t1);
    for (int i = 0; i < N_WHEEL; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "wheel.w%d.force.side", i);
        sight.force[i] = gait_see_one(&gait, name);
    }
    (void)snprintf(joint, sizeof joint, "m%d.effort", n / 3);
    sight.moment = -gait_see_one(&gait, joint);
    gait_free(&gait);
    return sight;
}

static double largest_gap(const double* a, const double* b, int n) {
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(a[i] - b[i]));
    }
    return most;
}

// Between 0.1 and 0.9 s the three axles never meet in a point; where they do, the chain's motion,
// which its joints know to the second order alone, has no limit.
static void test_wheels(void** unused) {
    (void)unused;
    const double t0 = 0.1, t1 = 0.7;
    static const int n[] = {9, 27, 81};
    double gap[3][3];
    Sight rod = see_rod(t0, t1);
    for (int i = 0; i < 3; i++) {
        Sight chain = see_chain(n[i], t0, t1);
        gap[i][0] = largest_gap(chain.head, rod.head, 3);
        gap[i][1] = largest_gap(chain.force, rod.force, N_WHEEL);
        gap[i][2] = fabs(chain.moment - rod.moment);
    }
    for (int k = 0; k < 3; k++) {
        CHECK_TRUE(gap[1][k] < gap[0][k]);
        CHECK_NEAR(order_of(gap[1][k], gap[2][k]), 2.0, NEXT_ORDER);
    }
}

// ---- wheels that slip, on every module: the chain moves so that the sum of the squares of all
// slips is smallest

static void test_slipping(void** unused) {
    (void)unused;
    static const int n[] = {9, 27, 81};
    double gap[3];
    // whole periods: V t J_0(A / (2 pi)), unturned                                     [ALI (6.37)]
    const double t_end = 2.0, travel = -0.2301072644 * t_end;
    static char text[SIZE_TEXT];
    for (int i = 0; i < 3; i++) {
        size_t at = write_chain(n[i], 0.0, ", resistance: [0, 0, 0, 0, \"h\", 0]", text);
        (void)snprintf(text + at, SIZE_TEXT - at,
                       "simulate: {method: connection, connection: stokes, duration: 2, rel_tol: "
                       "1e-9, abs_tol: 1e-11}\n");
        Gait gait = gait_start(model_of(text), 0.0, 0.0);
        gait_go(&gait, t_end);
        double head[3] = {turn(0.0, 0.5 / n[i], t_end), travel, 0.0};
        gap[i] = largest_gap(gait.state->q, head, 3);
        gait_free(&gait);
    }
    CHECK_TRUE(gap[1] < gap[0]);
    CHECK_NEAR(order_of(gap[1], gap[2]), 2.0, NEXT_ORDER);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wheels),
        cmocka_unit_test(test_slipping),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
