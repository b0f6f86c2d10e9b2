// SPDX-License-Identifier: Apache-2.0
// Worms that move by their shape [ALI sections 6.1, 6.2], as in models/: the earthworm and the
// inchworm against closed forms, forces of their anchors, and the balance of power.
#include "locomotion_case.h"

static const double PI = 3.14159265358979323846;

static ElvModel* model_with(const char* name, const ElvOverride* change, int n_change) {
    char path[512];
    ElvError error;
    ElvModel* model = NULL;
    (void)snprintf(path, sizeof path, "%s/models/%s.yaml", ELVER_SOURCE_DIR, name);
    CHECK_STATUS(elv_model_read_file(path, change, n_change, &model, &error), &error);
    return model;
}

// ---- the earthworm: x = -(c t + epsilon lambda (1 - cos(omega t)) / (2 pi)), v(X) = -c Gamma(X)
//                                                                               [ALI (6.14)-(6.22)]

static void test_earthworm(void** unused) {
    (void)unused;
    static const char* const signal[] = {"head.q", "head.v", "worm.tip.velocity",
                                         "contact.anchor.station", "contact.anchor.wrench"};
    const double c = 0.05, epsilon = 0.5, omega = 2.0 * PI * c;
    Gait gait = gait_start(constraint_model("earthworm"), 0.0, 0.0);
    double t_end = IS_SANITIZED ? 10.0 : 100.0, value[12];
    for (double t = 0.5; t <= t_end; t += 0.5) {
        gait_go(&gait, t);
        gait_see(&gait, signal, 5, value);
        CHECK_NEAR(value[0], -c * t - epsilon * (1.0 - cos(omega * t)) / (2.0 * PI), 1e-10);
        CHECK_NEAR(value[1], -c * (1.0 + epsilon * sin(omega * t)), 1e-10);
        CHECK_NEAR(value[2], -c * (1.0 + epsilon * sin(omega * t - 2.0 * PI)), 1e-10);
        CHECK_NEAR(value[5], fmod(c * t + 0.25, 1.0), 1e-10);
        CHECK_NEAR(largest(value + 6, 6), 0.0, 1e-10);
        if (t == 0.5) {
            CHECK_NEAR(value[5], 0.275, 1e-10);
        }
        if (t == 100.0) {
            CHECK_NEAR(value[0], -5.0, 1e-10);
        }
    }
    gait_free(&gait);
}

// With a wave of speed c = a t + b the momentum is -m c, and the anchor pushes by -m a
// [ALI (6.20), E13]. It holds a place along the worm, not a section: sections go by at -Gamma c,
// and the anchor works on them.
static void test_earthworm_faster(void** unused) {
    (void)unused;
    static const ElvOverride change[] = {
        {"worm.motion.stretch", "1 + epsilon*sin(2*pi*(0.01*t^2 + c*t - s))"},
        {"anchor.station", "mod(0.01*t^2 + c*t + 0.25, 1)"},
    };
    const double a = 0.02, b = 0.05, epsilon = 0.5;
    Gait gait = gait_start(model_with("earthworm", change, 2), 0.0, 0.0);
    for (int k = 0; k < 5; k++) {
        double t = 0.3 + 0.5 * k, wrench[6], rate = 0.0;
        static const double weight[] = {-1.0, 9.0, -45.0, 0.0, 45.0, -9.0, 1.0};
        const char* const signal = "contact.anchor.wrench";
        double power = 0.0;
        for (int i = 0; i < 7; i++) {
            gait_go(&gait, t + 0.01 * (i - 3));
            rate += weight[i] * gait_see_one(&gait, "energy.kinetic") / 0.6;
            if (i == 3) {
                power = gait_power(&gait, NULL, 0);
                gait_see(&gait, &signal, 1, wrench);
            }
        }
        double c = a * t + b;
        CHECK_NEAR(wrench[3], -a, 1e-10);
        // at the anchor sin = -1: the worm is thickest
        CHECK_NEAR(power + wrench[3] * -c * (1.0 - epsilon), rate, 1e-9 * a * c);
        gait_go(&gait, t + 0.05);
        double phase = 0.5 * a * gait.state->t * gait.state->t + b * gait.state->t;
        CHECK_NEAR(gait.state->q[0], -phase - epsilon * (1.0 - cos(2.0 * PI * phase)) / (2.0 * PI),
                   1e-10);
    }
    gait_free(&gait);
}

static void test_earthworm_power(void** unused) {
    (void)unused;
    Gait gait = gait_start(constraint_model("earthworm"), 1.0, 0.0);
    for (int k = 0; k < 3; k++) {
        (void)gait_balance(&gait, 2.0 + 3.0 * k, 0.05, NULL, 0, 1e-9);
    }
    gait_free(&gait);
}

// ---- the inchworm: a stride of l (1 - J_0(alpha)) in every period of 2 s

static void test_inchworm(void** unused) {
    (void)unused;
    static const char* const signal[] = {"head.position", "worm.tip.position"};
    const double stride = 1.0 - bessel_0(2.0);
    CHECK_NEAR(stride, 0.776109, 5e-7);
    Gait gait = gait_start(constraint_model("inchworm"), 0.0, 0.0);
    int n = IS_SANITIZED ? 3 : 15;
    for (int k = 1; k <= n; k++) {
        double value[6];
        for (int i = 0; i < 2; i++) {
            gait_go(&gait, k - 0.5 + 0.5 * i);
            gait_see(&gait, signal, 2, value);
            // both ends stay at the wall
            CHECK_NEAR(value[0], 0.0, 1e-8);
            CHECK_NEAR(value[3], 0.0, 1e-8);
        }
        // in odd periods the head holds on, and the tail comes up
        int n_head = k / 2, n_tail = (k + 1) / 2;
        CHECK_NEAR(value[1], n_head * stride, 1e-8);
        CHECK_NEAR(value[4], n_tail * stride - 1.0, 1e-8);
    }
    gait_free(&gait);
}

// d^2/dt^2 of J_0(alpha sin(omega t)^2), by differences of the fourth order
static double arch_rate(double t) {
    static const double weight[] = {-1.0, 16.0, -30.0, 16.0, -1.0};
    const double h = 2e-3;
    double sum = 0.0;
    for (int i = 0; i < 5; i++) {
        double s = sin(0.5 * PI * (t + (i - 2) * h));
        sum += weight[i] * bessel_0(2.0 * s * s) / (12.0 * h * h);
    }
    return sum;
}

// the anchor at the head carries N = m (g - (l/2) d^2/dt^2 J_0), upwards: against the section's
// axis
static void test_inchworm_force(void** unused) {
    (void)unused;
    const char* const signal[] = {"contact.front.wrench", "contact.rear.wrench"};
    for (int k = 0; k < 4; k++) {
        double t = 0.3 * k, value[12];
        Gait gait = gait_start(constraint_model("inchworm"), t, 0.0);
        gait_see(&gait, signal, 2, value);
        // h^4 / 90 of the sixth derivative, some (2 omega)^6 = 1000: 2e-10; rounding 1e-16 / h^2 =
        // 3e-11
        CHECK_NEAR(-value[3], 9.81 - 0.5 * arch_rate(t), 1e-8);
        CHECK_NEAR(largest(value + 6, 6), 0.0, 0.0);
        if (k == 0) {
            CHECK_NEAR(value[3], -9.81, 1e-8);
            // the body starts to arch: its centre by alpha omega^2 / pi
            CHECK_NEAR(value[4], 0.5 * PI, 1e-8);
        }
        gait_free(&gait);
    }
}

// dT/dt = power of the drives + power of gravity, with either end held
static void test_inchworm_power(void** unused) {
    (void)unused;
    static const double weight[] = {-1.0, 9.0, -45.0, 0.0, 45.0, -9.0, 1.0};
    const double h = 0.005;
    const char* const com = "com";
    Gait gait = gait_start(constraint_model("inchworm"), 0.0, 1e-13);
    for (int k = 0; k < 4; k++) {
        double t = 0.3 + 0.45 * k, rate = 0.0, power = 0.0, size = 0.0;
        for (int i = 0; i < 7; i++) {
            double place[3];
            gait_go(&gait, t + (i - 3) * h);
            gait_see(&gait, &com, 1, place);
            double energy = gait_see_one(&gait, "energy.kinetic") + 9.81 * place[1];
            rate += weight[i] * energy / (60.0 * h);
            size = fmax(size, fabs(energy));
            power = i == 3 ? gait_power(&gait, NULL, 0) : power;
        }
        // what is known of the energy, over the step of the differences; theirs are of the sixth
        // order
        CHECK_NEAR(power, rate, 1e-12 * size / h + 1e-9 * fabs(rate));
    }
    gait_free(&gait);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_earthworm),       cmocka_unit_test(test_earthworm_faster),
        cmocka_unit_test(test_earthworm_power), cmocka_unit_test(test_inchworm),
        cmocka_unit_test(test_inchworm_force),  cmocka_unit_test(test_inchworm_power),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
