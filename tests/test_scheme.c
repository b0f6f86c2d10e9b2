// SPDX-License-Identifier: Apache-2.0
// The formulas of implicit time integration, without any solver: coefficients as printed, polynomials
// that they must reproduce, and the amplification of linear oscillators, whose step is solved by hand.
#include "check.h"
#include "solve/scheme.h"

#include <float.h>

/// A scalar coordinate and what the formulas remember of it.
typedef struct {
    ElvScheme scheme;
    ElvState state;
    double aux, nu_past, w_past; // memory of the state
    double x, w, w_dot;          // coordinate, rate, acceleration
} Scalar;

static ElvSimulateDef method(ElvMethod kind) {
    ElvSimulateDef options = elv_simulate_def_default();
    options.method = kind;
    return options;
}

static void scalar_init(Scalar* s, const ElvSimulateDef* options, double x, double w, double a) {
    memset(s, 0, sizeof *s);
    s->scheme = elv_scheme_from_options(options);
    s->state.nv = 1;
    s->state.aux = &s->aux;
    s->state.nu_past = &s->nu_past;
    s->state.w_past = &s->w_past;
    s->x = x;
    s->w = w;
    s->w_dot = s->aux = a;
}

// end of a step with increment nu
static void scalar_end(Scalar* s, double dt, double nu, double w, double w_dot) {
    elv_scheme_end(&s->scheme, 1, dt, &s->w, &nu, &w_dot, &s->state);
    s->x += nu;
    s->w = w;
    s->w_dot = w_dot;
}

// a step of x_ddot + 2 damping x_dot + omega^2 x = 0
static void scalar_oscillate(Scalar* s, double dt, double omega, double damping) {
    double a, b, f, h;
    elv_scheme_begin(&s->scheme, 1, dt, &s->state, &s->w, &s->w_dot, &a, &b, &f, &h);
    double k = omega * omega;
    double nu = -(h + 2.0 * damping * f + k * s->x) / (b + 2.0 * damping * a + k);
    scalar_end(s, dt, nu, a * nu + f, b * nu + h);
}

// ---- coefficients

// a, b, f, h of Newmark                                                             [P23 (71)-(73)]
static void test_newmark_as_printed(void** state) {
    (void)state;
    const double cases[3][2] = {{0.25, 0.5}, {1.0 / 6.0, 0.5}, {0.49, 0.9}};
    for (int i = 0; i < 3; i++) {
        ElvSimulateDef options = method(ELV_METHOD_NEWMARK);
        double beta = options.beta = cases[i][0];
        double gamma = options.gamma = cases[i][1];
        double dt = 0.03, a, b, f, h;
        Scalar s;
        scalar_init(&s, &options, 0.0, 1.3, -0.7);
        elv_scheme_begin(&s.scheme, 1, dt, &s.state, &s.w, &s.w_dot, &a, &b, &f, &h);
        CHECK_NEAR(a, gamma / (beta * dt), 1e-12 * a);
        CHECK_NEAR(b, 1.0 / (beta * dt * dt), 1e-12 * b);
        CHECK_NEAR(f, (1.0 - gamma / beta) * 1.3 + dt * (1.0 - gamma / (2.0 * beta)) * -0.7, 1e-14);
        CHECK_NEAR(h, -1.3 / (beta * dt) + (1.0 - 1.0 / (2.0 * beta)) * -0.7, 1e-12);
    }
}

// the mean of accelerations that generalized-alpha is made of
static void test_generalized_alpha_relations(void** state) {
    (void)state;
    for (int i = 0; i <= 10; i++) {
        double rho = 0.1 * i, dt = 0.02, a, b, f, h, nu = 0.011;
        ElvSimulateDef options = method(ELV_METHOD_GENERALIZED_ALPHA);
        options.spectral_radius = rho;
        Scalar s;
        scalar_init(&s, &options, 0.0, 0.4, 1.1);
        s.aux = 0.9;
        double aux = s.aux, w = s.w, w_dot = s.w_dot;
        elv_scheme_begin(&s.scheme, 1, dt, &s.state, &s.w, &s.w_dot, &a, &b, &f, &h);
        scalar_end(&s, dt, nu, a * nu + f, b * nu + h);
        double am = (2.0 * rho - 1.0) / (rho + 1.0), af = rho / (rho + 1.0);
        double gamma = 0.5 - am + af, beta = 0.25 * (1.0 - am + af) * (1.0 - am + af);
        CHECK_NEAR((1.0 - am) * s.aux + am * aux, (1.0 - af) * s.w_dot + af * w_dot, 1e-10);
        CHECK_NEAR(s.w, w + dt * ((1.0 - gamma) * aux + gamma * s.aux), 1e-12);
        CHECK_NEAR(nu, dt * w + dt * dt * ((0.5 - beta) * aux + beta * s.aux), 1e-15);
        CHECK_NEAR(s.scheme.radius, rho, 0.0);
    }
}

// ---- amplification

// 3 x 3 matrix of one step of an oscillator in (x, dt w, dt^2 aux); the acceleration is -omega^2 x
static void amplification(const ElvSimulateDef* options, double omega_dt, double A[3][3]) {
    for (int k = 0; k < 3; k++) {
        double start[3] = {0.0};
        start[k] = 1.0;
        Scalar s;
        scalar_init(&s, options, start[0], start[1], -omega_dt * omega_dt * start[0]);
        s.aux = start[2];
        scalar_oscillate(&s, 1.0, omega_dt, 0.0);
        A[0][k] = s.x;
        A[1][k] = s.w;
        A[2][k] = s.aux;
    }
}

// coefficients of det(lambda - A) = lambda^3 - c[0] lambda^2 + c[1] lambda - c[2]
static void characteristic(double A[3][3], double c[3]) {
    c[0] = A[0][0] + A[1][1] + A[2][2];
    c[1] = 0.0;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3;
        c[1] += A[i][i] * A[j][j] - A[i][j] * A[j][i];
    }
    c[2] = A[0][0] * (A[1][1] * A[2][2] - A[1][2] * A[2][1]) -
           A[0][1] * (A[1][0] * A[2][2] - A[1][2] * A[2][0]) +
           A[0][2] * (A[1][0] * A[2][1] - A[1][1] * A[2][0]);
}

// at infinite frequency all three roots of generalized-alpha are -rho
static void test_radius_of_generalized_alpha(void** state) {
    (void)state;
    for (int i = 0; i <= 10; i++) {
        double rho = 0.1 * i, A[3][3], c[3];
        ElvSimulateDef options = method(ELV_METHOD_GENERALIZED_ALPHA);
        options.spectral_radius = rho;
        amplification(&options, 1e6, A);
        characteristic(A, c);
        // the roots differ from their limit by 1 / (omega dt)^2, and products lose 1e-16 * 1e3
        CHECK_NEAR(c[0], -3.0 * rho, 1e-8);
        CHECK_NEAR(c[1], 3.0 * rho * rho, 1e-8);
        CHECK_NEAR(c[2], -rho * rho * rho, 1e-8);
    }
}

// HHT: a double root (1 - alpha) / (1 + alpha), and a smaller one alpha / (1 - alpha)
static void test_radius_of_hht(void** state) {
    (void)state;
    for (int i = 0; i <= 10; i++) {
        double alpha = i / 30.0, A[3][3], c[3];
        ElvSimulateDef options = method(ELV_METHOD_HHT);
        options.alpha = alpha;
        amplification(&options, 1e6, A);
        characteristic(A, c);
        double rho = (1.0 - alpha) / (1.0 + alpha), third = alpha / (1.0 - alpha);
        CHECK_NEAR(c[0], -2.0 * rho - third, 1e-8);
        CHECK_NEAR(c[1], rho * rho + 2.0 * rho * third, 1e-8);
        CHECK_NEAR(c[2], -rho * rho * third, 1e-8);
        CHECK_NEAR(elv_scheme_from_options(&options).radius, rho, 1e-15);
    }
}

// Newmark keeps the energy of an oscillator at every frequency
static void test_newmark_keeps_energy(void** state) {
    (void)state;
    ElvSimulateDef options = method(ELV_METHOD_NEWMARK);
    for (double omega = 1e-2; omega < 1e5; omega *= 10.0) {
        Scalar s;
        scalar_init(&s, &options, 1.0, 0.3 * omega, -omega * omega);
        double start = 0.5 * s.w * s.w + 0.5 * omega * omega * s.x * s.x;
        for (int i = 0; i < 1000; i++) {
            scalar_oscillate(&s, 1.0, omega, 0.0);
        }
        double end = 0.5 * s.w * s.w + 0.5 * omega * omega * s.x * s.x;
        // rounding of 1000 steps, each of which loses (omega dt)^2 eps where that is large
        CHECK_NEAR(end, start, 1e-9 * start);
    }
}

// BDF2 forgets an infinitely stiff oscillator at once
static void test_bdf2_is_l_stable(void** state) {
    (void)state;
    ElvSimulateDef options = method(ELV_METHOD_BDF2);
    Scalar s;
    scalar_init(&s, &options, 1.0, 1.0, -1e16);
    for (int i = 0; i < 3; i++) {
        scalar_oscillate(&s, 1.0, 1e8, 0.0);
    }
    CHECK_NEAR(s.x, 0.0, 1e-15);
}

// all roots within the unit circle at every frequency, with and without damping
static void test_unconditional_stability(void** state) {
    (void)state;
    const ElvMethod kind[] = {ELV_METHOD_NEWMARK, ELV_METHOD_HHT, ELV_METHOD_GENERALIZED_ALPHA,
                              ELV_METHOD_BDF2};
    for (int m = 0; m < 4; m++) {
        ElvSimulateDef options = method(kind[m]);
        for (double omega = 1e-2; omega < 1e4; omega *= 1.7) {
            for (double zeta = 0.0; zeta <= 3.0; zeta += 1.5) {
                Scalar s;
                scalar_init(&s, &options, 1.0, 0.0, -omega * omega);
                double most = 0.0;
                for (int i = 0; i < 2000; i++) {
                    scalar_oscillate(&s, 1.0, omega, zeta * omega);
                    most = i >= 1000 ? fmax(most, fabs(s.x)) : most;
                }
                CHECK_TRUE(most <= 1.0 + 1e-6);
            }
        }
    }
}

// ---- polynomials

static double cubic(const double c[4], double t) {
    return c[0] + t * (c[1] + t * (c[2] + t * c[3]));
}

static double cubic_rate(const double c[4], double t) {
    return c[1] + t * (2.0 * c[2] + 3.0 * t * c[3]);
}

static double cubic_acceleration(const double c[4], double t) {
    return 2.0 * c[2] + 6.0 * t * c[3];
}

// two-step formulas of steps of any length differentiate parabolas exactly
static void test_bdf2_of_unequal_steps(void** state) {
    (void)state;
    const double c[4] = {0.3, -0.2, 0.7, 0.0};
    ElvSimulateDef options = method(ELV_METHOD_BDF2);
    for (double ratio = 0.1; ratio < 2.5; ratio += 0.3) {
        double past = 0.1, dt = ratio * past, a, b, f, h;
        Scalar s;
        scalar_init(&s, &options, cubic(c, 0.0), cubic_rate(c, 0.0), cubic_acceleration(c, 0.0));
        scalar_end(&s, past, cubic(c, past) - cubic(c, 0.0), cubic_rate(c, past),
                   cubic_acceleration(c, past));
        elv_scheme_begin(&s.scheme, 1, dt, &s.state, &s.w, &s.w_dot, &a, &b, &f, &h);
        double nu = cubic(c, past + dt) - cubic(c, past);
        CHECK_NEAR(a * nu + f, cubic_rate(c, past + dt), 1e-13);
        CHECK_NEAR(b * nu + h, cubic_acceleration(c, past + dt), 1e-11);
    }
}

// on a cubic the change of acceleration goes on as before: the extrapolation is exact
static void test_extrapolation(void** state) {
    (void)state;
    const double c[4] = {0.3, -0.2, 0.7, 1.1};
    ElvSimulateDef options = method(ELV_METHOD_NEWMARK);
    Scalar s;
    scalar_init(&s, &options, cubic(c, 0.0), cubic_rate(c, 0.0), cubic_acceleration(c, 0.0));
    s.nu_past = cubic(c, 0.0) - cubic(c, -0.1);
    s.w_past = cubic_rate(c, -0.1);
    s.state.step_past = 0.1;
    double nu;
    elv_scheme_extrapolate(&s.scheme, 1, 0.07, &s.state, &s.w, &nu);
    CHECK_NEAR(nu, cubic(c, 0.07) - cubic(c, 0.0), 1e-15);
    // without a step before, by the acceleration alone
    s.state.step_past = 0.0;
    elv_scheme_extrapolate(&s.scheme, 1, 0.07, &s.state, &s.w, &nu);
    CHECK_NEAR(nu, 0.07 * (c[1] + 0.07 * c[2]), 1e-15);
}

// what the formula of nu misses on a cubic, when the rest of the formulas is exact
static double true_defect(const Scalar* s, const double c[4], double t, double dt, double ahead) {
    double nu = cubic(c, t + dt) - cubic(c, t);
    if (s->scheme.is_bdf2) {
        double a, b, f, h;
        elv_scheme_begin(&s->scheme, 1, dt, &s->state, &s->w, &s->w_dot, &a, &b, &f, &h);
        return fabs((cubic_rate(c, t + dt) - f) / a - nu);
    }
    double aux = cubic_acceleration(c, t + ahead * dt);
    double aux_end = cubic_acceleration(c, t + (1.0 + ahead) * dt);
    double beta = s->scheme.beta;
    return fabs(dt * cubic_rate(c, t) + dt * dt * ((0.5 - beta) * aux + beta * aux_end) - nu);
}

static void test_defect(void** state) {
    (void)state;
    const double c[4] = {0.3, -0.2, 0.7, 1.1};
    const ElvMethod kind[] = {ELV_METHOD_NEWMARK, ELV_METHOD_HHT, ELV_METHOD_GENERALIZED_ALPHA,
                              ELV_METHOD_BDF2};
    for (int m = 0; m < 4; m++) {
        ElvSimulateDef options = method(kind[m]);
        double t = 0.1, dt = 0.06, defect;
        Scalar before, after;
        scalar_init(&before, &options, cubic(c, t), cubic_rate(c, t), cubic_acceleration(c, t));
        double ahead = before.scheme.alpha_m - before.scheme.alpha_f;
        // the step before had length t
        before.aux = cubic_acceleration(c, t + ahead * t);
        before.w_past = cubic_rate(c, 0.0);
        before.nu_past = cubic(c, t) - cubic(c, 0.0);
        before.state.step_past = t;
        before.state.aux_lead = ahead * t;
        scalar_init(&after, &options, 0.0, 0.0, 0.0);
        after.aux = cubic_acceleration(c, t + (1.0 + ahead) * dt);
        double w_end = cubic_rate(c, t + dt);
        elv_scheme_defect(&before.scheme, 1, dt, &before.state, &after.state, &before.w, &w_end,
                          &defect);
        CHECK_NEAR(defect, true_defect(&before, c, t, dt, ahead), 1e-15);
        CHECK_TRUE(defect > 1e-6);
    }
}

// steps of changing length keep the order: the auxiliary acceleration follows them
static void test_unequal_steps(void** state) {
    (void)state;
    const ElvMethod kind[] = {ELV_METHOD_NEWMARK, ELV_METHOD_HHT, ELV_METHOD_GENERALIZED_ALPHA,
                              ELV_METHOD_BDF2};
    for (int m = 0; m < 4; m++) {
        ElvSimulateDef options = method(kind[m]);
        options.spectral_radius = 0.5;
        options.alpha = 0.3;
        double error[2];
        for (int i = 0; i < 2; i++) {
            int n = 100 << i;
            Scalar s;
            scalar_init(&s, &options, 1.0, 0.0, -4.0);
            for (int k = 0; k < n; k++) {
                scalar_oscillate(&s, 0.65 / n, 2.0, 0.0);
                scalar_oscillate(&s, 0.35 / n, 2.0, 0.0);
            }
            error[i] = fabs(s.x - cos(2.0));
        }
        CHECK_NEAR(log2(error[0] / error[1]), 2.0, 0.05);
    }
}

// three steps of the calming method leave nothing of an infinite frequency; a method that damps nothing
// has none
static void test_calming(void** state) {
    (void)state;
    ElvSimulateDef options = method(ELV_METHOD_GENERALIZED_ALPHA);
    double omega = 1e6;
    Scalar s;
    scalar_init(&s, &options, 1.0, 0.3, -0.5);
    s.scheme = elv_scheme_calming(&s.scheme);
    for (int i = 0; i < 3; i++) {
        scalar_oscillate(&s, 1.0, omega, 0.0);
    }
    // but for 1 / (omega dt)^2, times some
    const double left[3] = {s.x, s.w, s.aux}, none[3] = {0.0};
    CHECK_ARRAY_NEAR(left, none, 3, 1e-10);
    options.spectral_radius = 1.0;
    ElvScheme scheme = elv_scheme_from_options(&options);
    CHECK_NEAR(elv_scheme_calming(&scheme).beta, 0.25, 1e-15);
    CHECK_TRUE(!elv_scheme_recovery(&scheme).is_euler);
}

// backward Euler, whatever has been before
static void test_recovery(void** state) {
    (void)state;
    ElvSimulateDef options = method(ELV_METHOD_HHT);
    double a, b, f, h, dt = 0.1;
    Scalar s;
    scalar_init(&s, &options, 1.0, 0.3, -0.5);
    scalar_oscillate(&s, 0.2, 2.0, 0.0);
    ElvScheme euler = elv_scheme_recovery(&s.scheme);
    elv_scheme_begin(&euler, 1, dt, &s.state, &s.w, &s.w_dot, &a, &b, &f, &h);
    CHECK_NEAR(a * 0.7 + f, 0.7 / dt, 1e-13);
    CHECK_NEAR(b * 0.7 + h, (0.7 / dt - s.w) / dt, 1e-12);
}

// a change of the method moves the auxiliary acceleration, and keeps the order
static void test_change_of_method(void** state) {
    (void)state;
    double error[2];
    for (int i = 0; i < 2; i++) {
        int n = 200 << i;
        double dt = 1.0 / n;
        ElvSimulateDef options = method(ELV_METHOD_GENERALIZED_ALPHA);
        Scalar s;
        // the accelerations of cos(2 t), where the calming method wants them
        scalar_init(&s, &options, 1.0, 0.0, -4.0 * cos(2.0 * dt));
        ElvScheme steady = s.scheme;
        for (int k = 0; k < n; k++) {
            s.scheme = k / 3 % 2 == 0 ? elv_scheme_calming(&steady) : steady;
            scalar_oscillate(&s, dt, 2.0, 0.0);
        }
        error[i] = fabs(s.x - cos(2.0));
    }
    CHECK_NEAR(log2(error[0] / error[1]), 2.0, 0.05);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_newmark_as_printed),
        cmocka_unit_test(test_generalized_alpha_relations),
        cmocka_unit_test(test_radius_of_generalized_alpha),
        cmocka_unit_test(test_radius_of_hht),
        cmocka_unit_test(test_newmark_keeps_energy),
        cmocka_unit_test(test_bdf2_is_l_stable),
        cmocka_unit_test(test_unconditional_stability),
        cmocka_unit_test(test_bdf2_of_unequal_steps),
        cmocka_unit_test(test_extrapolation),
        cmocka_unit_test(test_defect),
        cmocka_unit_test(test_unequal_steps),
        cmocka_unit_test(test_calming),
        cmocka_unit_test(test_recovery),
        cmocka_unit_test(test_change_of_method),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
