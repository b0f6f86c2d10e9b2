// SPDX-License-Identifier: Apache-2.0
// Robots on wheels [ALI table 3.1, fig 3.7]: each is recognised as its class; unicycle, car, two
// and three axles follow closed forms to 1e-8. Paths are integrals of exp(i psi), psi the heading,
// as series of Bessel functions.
#include "vehicle_case.h"

static const double PI = 3.14159265358979323846;
// ---- classes

typedef struct {
    const char* name;
    const char *key, *value; // put over the model, or NULL
    ElvLocomotionClass kind;
    int n_row, rank, n_actuated, n_free;
} Class;

static const Class classes[] = {
    {"satellite", NULL, NULL, ELV_LOCOMOTION_FLOATING, 0, 0, 0, 3},
    {"snake-wheeled", NULL, NULL, ELV_LOCOMOTION_CONSTRAINED, 10, 10, 0, 0},
    {"snakeboard", NULL, NULL, ELV_LOCOMOTION_UNDER, 2, 2, 0, 1},
    {"car", NULL, NULL, ELV_LOCOMOTION_ACTUATED, 6, 3, 1, 0},
    {"mobile-manipulator", NULL, NULL, ELV_LOCOMOTION_ACTUATED, 6, 3, 1, 0},
    {"unicycle", NULL, NULL, ELV_LOCOMOTION_MIXED, 3, 2, 1, 1},
    {"two-axle", NULL, NULL, ELV_LOCOMOTION_UNDER, 4, 2, 0, 1},
    {"three-axle", NULL, NULL, ELV_LOCOMOTION_CONSTRAINED, 6, 3, 0, 0},
    // one motor more: nothing is left free; a motor that pushes decides on nothing
    {"two-axle", "rear_left.rotation", "3*t", ELV_LOCOMOTION_ACTUATED, 5, 3, 1, 0},
    {"two-axle", "rear_left.rate", "3", ELV_LOCOMOTION_ACTUATED, 5, 3, 1, 0},
    {"two-axle", "rear_left.torque", "3", ELV_LOCOMOTION_UNDER, 4, 2, 0, 1},
    // both wheels of a unicycle
    {"unicycle", "right.rotation", "t", ELV_LOCOMOTION_ACTUATED, 4, 3, 2, 0},
};

static void check_class(ElvModel* model, const Class* expected) {
    ElvState* state = NULL;
    ElvLocomotionReport report;
    ElvError error;
    CHECK_STATUS(elv_state_create(model, &state, &error), &error);
    CHECK_STATUS(elv_locomotion_classify(model, state, &report, &error), &error);
    if (report.kind != expected->kind) {
        print_error("%s: %s: %s\n", expected->name, elv_locomotion_class_text(report.kind),
                    report.reason);
        fail();
    }
    assert_int_equal(report.n_row, expected->n_row);
    assert_int_equal(report.rank, expected->rank);
    assert_int_equal(report.n_actuated, expected->n_actuated);
    assert_int_equal(report.n_free, expected->n_free);
    elv_state_free(state);
    elv_model_free(model);
}

static void test_classes(void** unused) {
    (void)unused;
    static const Class arm = {"arm", NULL, NULL, ELV_LOCOMOTION_IMPOSED, 0, 0, 0, 0};
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
        const ElvOverride over = {classes[i].key, classes[i].value};
        check_class(vehicle(classes[i].name, &over, classes[i].key != NULL), &classes[i]);
    }
    check_class(fixed_arm(), &arm);
}

// ---- series

// Bessel function J_n, n >= 0, of a small x
static double bessel(int n, double x) {
    double term = 1.0, sum = 0.0;
    for (int k = 1; k <= n; k++) {
        term *= 0.5 * x / (double)k;
    }
    for (int k = 1; k <= 40; k++) {
        sum += term;
        term *= -0.25 * x * x / ((double)k * (double)(k + n));
    }
    return sum;
}

// integral from 0 to t of exp(i (c s + B sin(w s + phase))), by the series of Jacobi and Anger
static void integral(double c, double B, double w, double phase, double t, double z[2]) {
    z[0] = z[1] = 0.0;
    for (int n = -30; n <= 30; n++) {
        double J = (n < 0 && n % 2 != 0 ? -1.0 : 1.0) * bessel(abs(n), B);
        double k = c + n * w;
        double x = fabs(k) > 1e-9 ? sin(k * t) / k : t;
        double y = fabs(k) > 1e-9 ? (1.0 - cos(k * t)) / k : 0.0;
        z[0] += J * (cos(n * phase) * x - sin(n * phase) * y);
        z[1] += J * (sin(n * phase) * x + cos(n * phase) * y);
    }
}

static void check_pose(Gait* gait, double psi, double x, double y) {
    const double expected[] = {psi, x, y};
    CHECK_ARRAY_NEAR(gait->state->q, expected, 3, PATH);
}

// ---- unicycle (models/unicycle.yaml): d = 0.25, R = 0.1, m = 10, J = 0.4, theta = 4 (t - sin(t))

static void test_unicycle_from_rest(void** unused) {
    (void)unused;
    const double d = 0.25, R = 0.1, m = 10.0, J = 0.4, k = m * d / (J + m * d * d);
    const double radius = J / (m * d);
    Gait gait = gait_start(vehicle("unicycle", NULL, 0), 0.0, 0.0);
    for (int i = 1; i <= 20; i++) {
        double t = 0.3 * i;
        double psi = -k * R * 4.0 * (t - sin(t)), second = -k * R * 4.0 * sin(t);
        gait_go(&gait, t);
        // about the point at -radius to the left of the start
        check_pose(&gait, psi, -radius * sin(psi), radius * (cos(psi) - 1.0));
        CHECK_NEAR(gait_see_one(&gait, "wheel.right.angle"), (d - radius) * psi / R, PATH / R);
        CHECK_NEAR(gait_see_one(&gait, "wheel.left.torque"), -R * m * radius * second, PATH);
        // all its energy is that of a turn about the point
        double first = -k * R * 4.0 * (1.0 - cos(t)), inertia = J + m * radius * radius;
        CHECK_NEAR(gait_see_one(&gait, "energy.kinetic"), 0.5 * inertia * first * first, 1e-9);
        CHECK_NEAR(gait_see_one(&gait, "wheel.left.power"), inertia * first * second, 1e-9);
    }
    gait_free(&gait);
}

// with a spin w_o at the start there is a mean motion: u = C/k + (d - 1/k) psi_dot with psi = C t -
// k R theta
static void test_unicycle_spinning(void** unused) {
    (void)unused;
    const double d = 0.25, R = 0.1, m = 10.0, J = 0.4, k = m * d / (J + m * d * d), C = 0.3;
    const double B = 4.0 * k * R, radius = J / (m * d);
    // the left wheel rests at the start: u = d w_o
    const ElvOverride over = {"chassis.joint", "{planar: {velocity: [0.3, 0.075, 0]}}"};
    Gait gait = gait_start(vehicle("unicycle", &over, 1), 0.0, 0.0);
    for (int i = 1; i <= 20; i++) {
        double t = 0.3 * i, psi = (C - B) * t + B * sin(t), z[2];
        integral(C - B, B, 1.0, 0.0, t, z);
        gait_go(&gait, t);
        check_pose(&gait, psi, C / k * z[0] - radius * sin(psi),
                   C / k * z[1] + radius * (cos(psi) - 1.0));
    }
    gait_free(&gait);
}

// ---- car (models/car.yaml): l = 1, L = 0.5, xi = 1, tan(beta) = 0.6 cos(0.8 t)

static void test_car(void** unused) {
    (void)unused;
    static const char* const motor[] = {"right_back", "left_back"};
    const double w = 0.8, B = 0.6 / w;
    Gait gait = gait_start(vehicle("car", NULL, 0), 0.0, 0.0);
    for (int i = 1; i <= 15; i++) {
        double t = 0.5 * i, psi = B * sin(w * t), z[2];
        // the middle of the rear axle moves along the heading
        integral(0.0, B, w, 0.0, t, z);
        gait_go(&gait, t);
        check_pose(&gait, psi, z[0] - 0.5 + 0.5 * cos(psi), z[1] + 0.5 * sin(psi));
        CHECK_NEAR(gait_see_one(&gait, "wheel.right_front.slip"), 0.0, 1e-12);
    }
    gait_free(&gait);
    gait = gait_start(vehicle("car", NULL, 0), 0.0, 0.0);
    (void)gait_balance(&gait, 1.0, 0.02, motor, 2, 1e-9);
    (void)gait_balance(&gait, 3.0, 0.02, motor, 2, 1e-9);
    gait_free(&gait);
}

// one period brings it ahead by xi T J_0(B)
static void test_car_cycle(void** unused) {
    (void)unused;
    ElvModel* model = vehicle("car", NULL, 0);
    ElvState* state = NULL;
    ElvGait cycle;
    ElvError error;
    CHECK_STATUS(elv_state_create(model, &state, &error), &error);
    CHECK_STATUS(
        elv_gait_displacement(model, state, ELV_CONNECTION_MECHANICAL, 0.0, NULL, &cycle, &error),
        &error);
    CHECK_NEAR(cycle.period, 2.5 * PI, 1e-9);
    CHECK_NEAR(cycle.net.p.x, 2.5 * PI * bessel(0, 0.75), PATH);
    CHECK_NEAR(cycle.net.p.y, 0.0, PATH);
    elv_state_free(state);
    elv_model_free(model);
}

// tan(beta) = 0.5, held: O goes around a circle of radius l sqrt(1 + b^2) / (a l), without work
static void test_car_circle(void** unused) {
    (void)unused;
    const ElvOverride over[] = {
        {"right_fork.joint.revolute.motion", "atan2(0.5, 1 + k*0.5)"},
        {"left_fork.joint.revolute.motion", "atan2(0.5, 1 - k*0.5)"},
        {"right_back.rotation", "xi/R*(1 + k*0.5)*t"},
        {"left_back.rotation", "xi/R*(1 - k*0.5)*t"},
    };
    const double a = 0.5, b = 0.25;
    Gait gait = gait_start(vehicle("car", over, 4), 0.0, 0.0);
    for (int i = 1; i <= 12; i++) {
        double t = 0.6 * i, psi = a * t;
        gait_go(&gait, t);
        // about the point (-b, 1) / a
        const double *q = gait.state->q, c[] = {-b / a, 1.0 / a};
        CHECK_NEAR(hypot(q[1] - c[0], q[2] - c[1]), sqrt(1.0 + b * b) / a, PATH);
        check_pose(&gait, psi, c[0] - c[0] * cos(psi) + c[1] * sin(psi),
                   c[1] - c[0] * sin(psi) - c[1] * cos(psi));
        CHECK_NEAR(gait_see_one(&gait, "wheel.right_back.power") +
                       gait_see_one(&gait, "wheel.left_back.power"),
                   0.0, 1e-10);
    }
    gait_free(&gait);
}

// ---- two axles (models/two-axle.yaml): l = 0.3, U_o = 0.5, sin(r/2) = 0.5 cos(2 t), J = m l^2

// velocity of the hinge: exp(i phi) (U_o - i l r_dot / (2 cos(r/2)))
static void hinge_velocity(double t, double v[2]) {
    const double l = 0.3, U = 0.5, a = 0.5, w = 2.0;
    double phi = U * a / (l * w) * sin(w * t), s = a * cos(w * t);
    double across = l * a * w * sin(w * t) / (1.0 - s * s);
    v[0] = cos(phi) * U - sin(phi) * across;
    v[1] = sin(phi) * U + cos(phi) * across;
}

// from 0 to t by Simpson's rule
static void hinge_path(double t, double z[2]) {
    enum { N = 4000 };
    double v[2];
    z[0] = z[1] = 0.0;
    for (int i = 0; i <= N; i++) {
        double weight = i == 0 || i == N ? 1.0 : i % 2 ? 4.0 : 2.0;
        hinge_velocity(t * (double)i / N, v);
        z[0] += weight * v[0] * t / (3.0 * N);
        z[1] += weight * v[1] * t / (3.0 * N);
    }
}

static void test_two_axle(void** unused) {
    (void)unused;
    static const char* const signal[] = {"front.position"};
    const double l = 0.3, U = 0.5, a = 0.5, w = 2.0;
    Gait gait = gait_start(vehicle("two-axle", NULL, 0), 0.0, 0.0);
    for (int i = 1; i <= 12; i++) {
        double t = 0.5 * i, half = asin(a * cos(w * t)), z[2], p[3];
        double psi = U * a / (l * w) * sin(w * t) - half;
        hinge_path(t, z);
        z[0] += l * cos(asin(a));
        z[1] -= l * a;
        gait_go(&gait, t);
        gait_see(&gait, signal, 1, p);
        CHECK_NEAR(gait.state->q[0], psi, PATH);
        CHECK_ARRAY_NEAR(p, z, 2, PATH);
        check_pose(&gait, psi, z[0] - l * cos(psi), z[1] - l * sin(psi));
    }
    gait_free(&gait);
    gait = gait_start(vehicle("two-axle", NULL, 0), 0.0, 0.0);
    (void)gait_balance(&gait, 1.1, 0.01, NULL, 0, 1e-9);
    (void)gait_balance(&gait, 2.3, 0.01, NULL, 0, 1e-9);
    gait_free(&gait);
}

// a hinge that is held: both axles on a circle of radius l / tan(r/2), at a constant speed
static void test_two_axle_circle(void** unused) {
    (void)unused;
    const ElvOverride over = {"front.joint.revolute.motion", "0.8"};
    Gait gait = gait_start(vehicle("two-axle", &over, 1), 0.0, 0.0);
    const double radius = 0.3 / tan(0.4), *q = gait.state->q;
    double psi = q[0], speed = hypot(gait.state->v[1], gait.state->v[2]);
    const double c[] = {-radius * sin(psi), radius * cos(psi)};
    CHECK_TRUE(speed > 0.3);
    for (int i = 1; i <= 6; i++) {
        gait_go(&gait, (double)i);
        psi = -asin(0.5) + speed / radius * gait.state->t;
        check_pose(&gait, psi, c[0] + radius * sin(psi), c[1] - radius * cos(psi));
    }
    gait_free(&gait);
}

// ---- three axles (models/three-axle.yaml): l = 0.3, b = 0.5, w = 1

// through t = pi/2, 3 pi/2, ..., where the three axles meet
static void test_three_axle(void** unused) {
    (void)unused;
    const double l = 0.3, B = sqrt(0.5);
    Gait gait = gait_start(vehicle("three-axle", NULL, 0), 0.0, 0.0);
    for (int i = 1; i <= 24; i++) {
        double t = PI / 6.0 * i, psi = B * (cos(t) - 1.0), z[2];
        integral(0.0, B, 1.0, 0.5 * PI, t, z);
        gait_go(&gait, t);
        check_pose(&gait, psi, l * (cos(B) * z[0] + sin(B) * z[1]),
                   l * (cos(B) * z[1] - sin(B) * z[0]));
        CHECK_NEAR(hypot(gait.state->v[1], gait.state->v[2]), l, PATH);
        CHECK_NEAR(gait_see_one(&gait, "wheel.front_left.slip"), 0.0, 1e-12);
    }
    gait_free(&gait);
    gait = gait_start(vehicle("three-axle", NULL, 0), 0.0, 0.0);
    (void)gait_balance(&gait, 0.7, 0.01, NULL, 0, 1e-9);
    (void)gait_balance(&gait, 2.5, 0.01, NULL, 0, 1e-9);
    gait_free(&gait);
}

// A start where the axles meet. Each has two wheels, so that rows depend on each other on all three
// bodies, beside the direction that is lost: u = l w and psi_dot = -sqrt(2) b w sin(w t), as along
// the way.
static void test_three_axle_singular(void** unused) {
    (void)unused;
    for (int i = 0; i < 2; i++) {
        double t = PI * (0.5 + i);
        Gait gait = gait_start(vehicle("three-axle", NULL, 0), t, 0.0);
        CHECK_NEAR(gait.state->v[0], -sqrt(0.5) * sin(t), PATH);
        CHECK_NEAR(gait.state->v[1], 0.3, PATH);
        CHECK_NEAR(gait.state->v[2], 0.0, PATH);
        gait_go(&gait, t + 1.0);
        CHECK_NEAR(hypot(gait.state->v[1], gait.state->v[2]), 0.3, PATH);
        CHECK_NEAR(gait.state->q[0], sqrt(0.5) * (cos(t + 1.0) - cos(t)), PATH);
        gait_free(&gait);
    }
}

// u = l (q - p)_dot / (p + q), psi_dot = -(p q)_dot / (p + q); p, q: tangents of half the angles at
// rear and front
static void test_three_axle_connection(void** unused) {
    (void)unused;
    ElvModel* model = vehicle("three-axle", NULL, 0);
    ElvState* state = NULL;
    ElvGait cycle;
    ElvError error;
    double A[6];
    CHECK_STATUS(elv_state_create(model, &state, &error), &error);
    for (int i = 0; i < 5; i++) {
        state->q[3] = 0.3 + 0.1 * i;
        state->q[4] = 0.9 - 0.25 * i;
        CHECK_STATUS(elv_connection(model, state, ELV_CONNECTION_MECHANICAL, A, &error), &error);
        double p = tan(0.5 * state->q[3]), q = tan(0.5 * state->q[4]);
        double dp = 0.5 * (1.0 + p * p), dq = 0.5 * (1.0 + q * q);
        const double expected[] = {
            q * dp / (p + q), p * dq / (p + q), 0.3 * dp / (p + q), -0.3 * dq / (p + q), 0.0, 0.0};
        CHECK_ARRAY_NEAR(A, expected, 6, 1e-12);
    }
    elv_state_reset(model, state);
    CHECK_STATUS(
        elv_gait_displacement(model, state, ELV_CONNECTION_MECHANICAL, 0.0, NULL, &cycle, &error),
        &error);
    double B = sqrt(0.5), ahead = 2.0 * PI * 0.3 * bessel(0, B);
    CHECK_NEAR(cycle.net.p.x, ahead * cos(B), PATH);
    CHECK_NEAR(cycle.net.p.y, -ahead * sin(B), PATH);
    elv_state_free(state);
    elv_model_free(model);
}

// a cycle that starts where three axles meet, which no connection at that instant could tell
static void test_singular_cycle(void** unused) {
    (void)unused;
    ElvModel* model = vehicle("snake-wheeled", NULL, 0);
    ElvState* state = NULL;
    ElvGait cycle;
    ElvError error;
    CHECK_STATUS(elv_state_create(model, &state, &error), &error);
    CHECK_STATUS(
        elv_gait_displacement(model, state, ELV_CONNECTION_MECHANICAL, 0.0, NULL, &cycle, &error),
        &error);
    CHECK_NEAR(cycle.net.p.x, -0.568636, 1e-6);
    CHECK_NEAR(cycle.net.p.y, -0.379476, 1e-6);
    elv_state_free(state);
    elv_model_free(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_classes),
        cmocka_unit_test(test_unicycle_from_rest),
        cmocka_unit_test(test_unicycle_spinning),
        cmocka_unit_test(test_car),
        cmocka_unit_test(test_car_cycle),
        cmocka_unit_test(test_car_circle),
        cmocka_unit_test(test_two_axle),
        cmocka_unit_test(test_two_axle_circle),
        cmocka_unit_test(test_three_axle),
        cmocka_unit_test(test_three_axle_singular),
        cmocka_unit_test(test_three_axle_connection),
        cmocka_unit_test(test_singular_cycle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
