// SPDX-License-Identifier: Apache-2.0
// An arm on a car [ALI section 4.4], models/mobile-manipulator.yaml: wheels as the thesis has them,
// torques of a fixed base where the platform rests, circles without torque, and the balance of
// power. l = 1, L = 0.5, R = 0.15, beta = sin(0.5 t), xi = 1.
#include "vehicle_case.h"

static const char* const front[] = {"right_front", "left_front"};

// platform and wheels as (4.21) and (4.22) have them, with the steering of both wheels
static void test_manipulator_wheels(void** unused) {
    (void)unused;
    const double k = 0.25, R = 0.15;
    Gait gait = gait_start(vehicle("mobile-manipulator", NULL, 0), 0.0, 0.0);
    for (int i = 1; i <= 12; i++) {
        gait_go(&gait, (double)i);
        double tau = tan(sin(0.5 * gait.state->t)), psi = gait.state->q[0];
        const double* v = gait.state->v;
        CHECK_NEAR(v[0], tau, 1e-12);
        CHECK_NEAR(cos(psi) * v[1] + sin(psi) * v[2], 1.0, 1e-12);
        CHECK_NEAR(cos(psi) * v[2] - sin(psi) * v[1], 0.5 * tau, 1e-12);
        for (int j = 0; j < 2; j++) {
            char rate[64];
            double side = j == 0 ? 1.0 + k * tau : 1.0 - k * tau, beta = gait.state->q[3 + j];
            snprintf(rate, sizeof rate, "wheel.%s.rate", front[j]);
            CHECK_NEAR(tan(beta) * side, tau, 1e-12);
            CHECK_NEAR(gait_see_one(&gait, rate), (side * cos(beta) + tau * sin(beta)) / R, 1e-11);
        }
    }
    gait_free(&gait);
}

// angles by which driven wheels have rolled, for rates that have no integral: Simpson's rule
static void test_manipulator_angle(void** unused) {
    (void)unused;
    enum { N = 2000 };
    const double t = 3.0;
    double angle = 0.0;
    Gait gait = gait_start(vehicle("mobile-manipulator", NULL, 0), 0.0, 0.0);
    for (int i = 0; i <= N; i++) {
        double weight = i == 0 || i == N ? 1.0 : i % 2 ? 4.0 : 2.0;
        double tau = tan(sin(0.5 * t * (double)i / N));
        angle += weight * hypot(1.0 + 0.25 * tau, tau) / 0.15 * t / (3.0 * N);
    }
    gait_go(&gait, t);
    CHECK_NEAR(gait_see_one(&gait, "wheel.right_front.angle"), angle, PATH);
    gait_free(&gait);
}

static void test_manipulator_at_rest(void** unused) {
    (void)unused;
    static const char* const arm[] = {"link_1.effort", "link_2.effort", "link_3.effort",
                                      "link_4.effort", "link_5.effort", "link_6.effort"};
    const ElvOverride rest = {"xi", "0"};
    Gait moving = gait_start(vehicle("mobile-manipulator", &rest, 1), 0.0, 0.0);
    Gait fixed = {.model = fixed_arm()};
    ElvError error;
    CHECK_STATUS(elv_data_create(fixed.model, &fixed.data, &error), &error);
    CHECK_STATUS(elv_state_create(fixed.model, &fixed.state, &error), &error);
    for (int i = 0; i <= 12; i++) {
        double expected[6], found[6], size = 0.0;
        gait_go(&moving, (double)i);
        fixed.state->t = (double)i;
        elv_state_impose(fixed.model, fixed.state);
        gait_see(&moving, arm, 6, found);
        gait_see(&fixed, arm, 6, expected);
        for (int j = 0; j < 6; j++) {
            size = fmax(size, fabs(expected[j]));
        }
        CHECK_TRUE(i == 0 || size > 1.0);
        CHECK_ARRAY_NEAR(found, expected, 6, 1e-10);
        CHECK_NEAR(largest(moving.state->q, 3), 0.0, 1e-12);
    }
    gait_free(&moving);
    elv_state_free(fixed.state);
    elv_data_free(fixed.data);
    elv_model_free(fixed.model);
}

// the torque of two motors that share it equally                                       [ALI (3.86)]
static double equal_torque(Gait* gait) {
    return (gait_see_one(gait, "wheel.right_front.power") +
            gait_see_one(gait, "wheel.left_front.power")) /
           (gait_see_one(gait, "wheel.right_front.rate") +
            gait_see_one(gait, "wheel.left_front.rate"));
}

static void test_manipulator_circle(void** unused) {
    (void)unused;
    const ElvOverride over[] = {
        {"right_fork.joint.revolute.motion", "atan2(0.5, 1 + k*0.5)"},
        {"left_fork.joint.revolute.motion", "atan2(0.5, 1 - k*0.5)"},
        {"right_front.rate", "xi/R*hypot(1 + k*0.5, 0.5)"},
        {"left_front.rate", "xi/R*hypot(1 - k*0.5, 0.5)"},
        {"link_1.joint.revolute.motion", "0.4"},
        {"link_2.joint.revolute.motion", "0.9"},
        {"link_3.joint.revolute.motion", "-0.3"},
    };
    const double a = 0.5, b = 0.25;
    Gait gait = gait_start(vehicle("mobile-manipulator", over, 7), 0.0, 0.0);
    for (int i = 1; i <= 12; i++) {
        gait_go(&gait, (double)i);
        const double* q = gait.state->q;
        CHECK_NEAR(hypot(q[1] + b / a, q[2] - 1.0 / a), sqrt(1.0 + b * b) / a, 1e-10);
        CHECK_NEAR(equal_torque(&gait), 0.0, 1e-10);
    }
    gait_free(&gait);
}

// dE/dt, E with the weight of the arm, by differences of the sixth order
static void test_manipulator_power(void** unused) {
    (void)unused;
    static const double weight[] = {-1.0, 9.0, -45.0, 0.0, 45.0, -9.0, 1.0};
    static const char* const energy[] = {"energy.kinetic", "energy.gravity"};
    const double h = 0.005;
    Gait gait = gait_start(vehicle("mobile-manipulator", NULL, 0), 0.0, 1e-12);
    for (int i = 1; i <= 5; i++) {
        double rate = 0.0, power = 0.0, E[2];
        for (int j = 0; j < 7; j++) {
            gait_go(&gait, 2.0 * i + (j - 3) * h);
            gait_see(&gait, energy, 2, E);
            rate += weight[j] * (E[0] + E[1]) / (60.0 * h);
            power = j == 3 ? gait_power(&gait, front, 2) : power;
        }
        // the tolerance of the energy, over the step of the differences
        CHECK_TRUE(fabs(power) > 1.0);
        CHECK_NEAR(power, rate, 1e-12 * (E[0] + E[1]) / h);
    }
    gait_free(&gait);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_manipulator_wheels),  cmocka_unit_test(test_manipulator_angle),
        cmocka_unit_test(test_manipulator_at_rest), cmocka_unit_test(test_manipulator_circle),
        cmocka_unit_test(test_manipulator_power),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
