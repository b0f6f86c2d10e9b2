// SPDX-License-Identifier: Apache-2.0
// Added inertia of ellipsoids: Lamb's integrals by sums, and closed forms of spheres, prolate
// spheroids and flat discs.
#include "lie_sample.h"
#include "multibody/ellipsoid_flow.h"

// alpha_i by the midpoint rule in u, x = a^2 (u/(1 - u))^2: smooth at both ends
static double lamb_integral(const double a[3], int i) {
    enum { N = 20000 };
    double sum = 0.0;
    for (int n = 0; n < N; n++) {
        double u = (n + 0.5) / N;
        double w = u / (1.0 - u);
        double x = w * w;
        double slope = 2.0 * w / ((1.0 - u) * (1.0 - u));
        double root = sqrt((a[0] * a[0] + x) * (a[1] * a[1] + x) * (a[2] * a[2] + x));
        sum += slope / ((a[i] * a[i] + x) * root) / N;
    }
    return a[0] * a[1] * a[2] * sum;
}

static void test_ellipsoid(void** unused) {
    (void)unused;
    static const double axes[4][3] = {
        {1.0, 1.0, 1.0}, {2.0, 0.7, 1.1}, {0.3, 1.0, 1.0}, {5.0, 1.0, 0.2}};
    for (int k = 0; k < 4; k++) {
        const double* a = axes[k];
        double alpha[3];
        double mass = 3.0 * 4.0 / 3.0 * sample_pi * a[0] * a[1] * a[2];
        ElvInertia added = elv_ellipsoid_added(3.0, elv_vec3(a[0], a[1], a[2]));
        for (int i = 0; i < 3; i++) {
            alpha[i] = lamb_integral(a, i);
        }
        CHECK_NEAR(alpha[0] + alpha[1] + alpha[2], 2.0, 1e-8);
        for (int i = 0; i < 3; i++) {
            int j = (i + 1) % 3, l = (i + 2) % 3;
            double b = a[j] * a[j], c = a[l] * a[l];
            double turn = b == c ? 0.0
                                 : 0.2 * (b - c) * (b - c) * (alpha[l] - alpha[j]) /
                                       (2.0 * (b - c) + (b + c) * (alpha[j] - alpha[l]));
            CHECK_NEAR(added.M.m[i][i] / mass, alpha[i] / (2.0 - alpha[i]), 1e-7);
            CHECK_NEAR(added.J.m[i][i] / mass, turn, 1e-6);
        }
    }
}

// Discs as spheroids of thickness e: 8/3 rho a^3 along the axis, 16/45 rho a^5 about a diameter
// (Lamb, articles 108 and 115); what is left falls with e
static void test_flat_disc(void** unused) {
    (void)unused;
    double a = 0.3;
    double push = 8.0 / 3.0 * 1000.0 * pow(a, 3.0), turn = 16.0 / 45.0 * 1000.0 * pow(a, 5.0);
    double error[2][2];
    for (int k = 0; k < 2; k++) {
        ElvInertia disc = elv_ellipsoid_added(1000.0, elv_vec3(k == 0 ? 1e-4 : 1e-5, a, a));
        error[k][0] = disc.M.m[0][0] / push - 1.0;
        error[k][1] = disc.J.m[1][1] / turn - 1.0;
    }
    for (int i = 0; i < 2; i++) {
        CHECK_NEAR(error[0][i], 0.0, 3.0 * 1e-4 / a);
        CHECK_NEAR(error[0][i] / error[1][i], 10.0, 0.1);
    }
}

// sphere: half of the displaced mass. Prolate spheroids of eccentricity e in closed form, Lamb,
// article 114: expressions that cancel down to e^3, hence some 1e-15 / e^3
static void test_known_ellipsoids(void** unused) {
    (void)unused;
    static const double length[] = {1.5, 2.0, 3.0, 5.0, 20.0};
    ElvInertia sphere = elv_ellipsoid_added(1000.0, elv_vec3(0.1, 0.1, 0.1));
    CHECK_NEAR(sphere.M.m[1][1], 0.5 * 1000.0 * 4.0 / 3.0 * sample_pi * 1e-3, 1e-14);
    CHECK_NEAR(sphere.J.m[1][1], 0.0, 1e-17);
    for (int k = 0; k < 5; k++) {
        double a = length[k];
        double mass = 4.0 / 3.0 * sample_pi * a;
        double e = sqrt(1.0 - 1.0 / (a * a));
        double alpha = 2.0 * (1.0 - e * e) / (e * e * e) * (atanh(e) - e);
        double beta = 1.0 / (e * e) - (1.0 - e * e) / (e * e * e) * atanh(e);
        double turn = 0.2 * mass * (a * a - 1.0) * (a * a - 1.0) * (beta - alpha) /
                      (2.0 * (a * a - 1.0) + (a * a + 1.0) * (alpha - beta));
        ElvInertia added = elv_ellipsoid_added(1.0, elv_vec3(a, 1.0, 1.0));
        CHECK_NEAR(added.M.m[0][0] / mass, alpha / (2.0 - alpha), 1e-14);
        CHECK_NEAR(added.M.m[1][1] / mass, beta / (2.0 - beta), 1e-14);
        CHECK_NEAR(added.J.m[2][2] / turn, 1.0, 1e-13);
        CHECK_NEAR(added.J.m[0][0], 0.0, 1e-15 * mass);
    }
    // by hand for a = 2: ln(2 + sqrt 3) = 1.31696, e = 0.86603: alpha = 0.34713, 0.21002 of the
    // displaced mass
    ElvInertia two = elv_ellipsoid_added(3.0 / (8.0 * sample_pi), elv_vec3(2.0, 1.0, 1.0));
    CHECK_NEAR(two.M.m[0][0], 0.21002, 1e-5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ellipsoid),
        cmocka_unit_test(test_flat_disc),
        cmocka_unit_test(test_known_ellipsoids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
