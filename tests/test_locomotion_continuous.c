// SPDX-License-Identifier: Apache-2.0
// Snakes that move by their shape [ALI chapter 6], as in models/: against the motion of their
// heads, integrated here, against published numbers, and against themselves, as every section goes
// where the head has been; reactions, stresses and the balance of power.
#include "locomotion_case.h"

#include "robot.h"

static const double PI = 3.14159265358979323846;

enum { PLACE_MAX = 101 };

// what contacts slip by, in m/s and rad/s
static double worst_slip(Gait* gait) {
    double slip[64];
    CHECK_TRUE(gait->state->nz <= 64);
    elv_kinematics(gait->model, gait->data, gait->state);
    elv_border_motion(gait->model, gait->data, gait->state, 1, 0.0, slip);
    return largest(slip, (size_t)gait->state->nz);
}

// ---- snakes: eta_o = V (1; 0, K_y, K_z) of the head alone                    [ALI (6.34), (6.50)]

static const double A = 10.0, V = -0.5;

static double bump(double t) {
    double u = (t - 5.0) / 2.0;
    return fabs(u) < 1.0 ? exp(-u * u / (1.0 - u * u)) : 0.0;
}

/// The head of a snake: its speed and curvatures at t.
typedef struct {
    double b, b_y; // bumps
    double shear;
    bool is_spiral;
} Head;

// y: R by rows, then p
static void head_rate(const Head* head, double t, const double* y, double* f) {
    double wave = 2.0 * PI * V * t;
    double speed = V * (1.0 + head->shear * cos(A / (2.0 * PI) * sin(wave)));
    double K_y = head->b_y * bump(t) - (head->is_spiral ? A * sin(wave) : 0.0);
    double K_z = A * cos(wave) + head->b * bump(t);
    double omega_y = V * K_y, omega_z = V * K_z;
    for (int i = 0; i < 3; i++) {
        const double* r = y + 3 * i;
        f[3 * i] = omega_z * r[1] - omega_y * r[2];
        f[3 * i + 1] = -omega_z * r[0];
        f[3 * i + 2] = omega_y * r[0];
        f[9 + i] = speed * r[0];
    }
}

// Runge and Kutta's steps of 0.5 ms: (3 pi / 2000)^4 at most, 5e-10
static void head_go(const Head* head, double from, double to, double* y) {
    static const double half[] = {0.0, 0.5, 0.5, 1.0}, weight[] = {1.0, 2.0, 2.0, 1.0};
    int n = (int)ceil((to - from) / 5e-4);
    double h = (to - from) / n;
    for (int k = 0; k < n; k++) {
        double start[12], sum[12] = {0.0}, f[12] = {0.0};
        memcpy(start, y, sizeof start);
        for (int i = 0; i < 4; i++) {
            for (int j = 0; j < 12; j++) {
                y[j] = start[j] + half[i] * h * f[j];
            }
            head_rate(head, from + (k + half[i]) * h, y, f);
            for (int j = 0; j < 12; j++) {
                sum[j] += weight[i] * f[j];
            }
        }
        for (int j = 0; j < 12; j++) {
            y[j] = start[j] + h / 6.0 * sum[j];
        }
    }
}

// sections at stations j/20, j/10 s after the head: where it was then, as they move at 0.5 m/s along
// 1 m
static void check_sections(const Gait* gait, double (*path)[3], int k) {
    enum { N_STATION = 20 };
    for (int j = 0; j <= N_STATION && j <= k; j++) {
        ElvPose g;
        elv_rod_section(gait->model, gait->data, gait->state, 1, (double)j / N_STATION, &g, NULL,
                        NULL);
        CHECK_ARRAY_NEAR(&g.p.x, path[k - j], 3, 1e-6);
    }
}

/// Run a snake to t_end: its head moves as it should, sections at 21 stations are where it has
/// been, nothing slips. Its last place is written to `last`.
static void
check_snake(const char* name, const Head* head, double t_end, double tol, double* last) {
    static const char* const signal[] = {"head.position"};
    static double path[PLACE_MAX][3];
    double y[12] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0};
    Gait gait = gait_start(constraint_model(name), 0.0, tol);
    int n = (int)(10.0 * t_end + 0.5);
    CHECK_TRUE(n < PLACE_MAX);
    for (int k = 0; k <= n; k++) {
        gait_go(&gait, 0.1 * k);
        gait_see(&gait, signal, 1, path[k]);
        if (k > 0) {
            head_go(head, 0.1 * (k - 1), 0.1 * k, y);
        }
        CHECK_ARRAY_NEAR(path[k], y + 9, 3, 1e-6);
        // where sections shear they do not move along the axis
        if (head->shear == 0.0) {
            check_sections(&gait, path, k);
        }
        // modes meet the rate of the curvature, 2 pi |V| A = 31, to 1e-9 of that
        CHECK_NEAR(worst_slip(&gait), 0.0, 1e-7);
    }
    memcpy(last, path[n], sizeof path[n]);
    gait_free(&gait);
}

static void test_snake(void** unused) {
    (void)unused;
    double t = IS_SANITIZED ? 2.0 : 10.0, last[3];
    check_snake("snake-2d", &(Head){0}, t, 0.0, last);
    const double expected[] = {t * V * bessel_0(A / (2.0 * PI)), 0.0, 0.0};
    CHECK_ARRAY_NEAR(last, expected, 3, 1e-6);
    CHECK_NEAR(10.0 * V * bessel_0(A / (2.0 * PI)), -2.301073, 5e-7);
}

// seven digits, of smallest forces found by other means
static void test_snake_reactions(void** unused) {
    (void)unused;
    static const char* const signal[] = {"contact.ring1.wrench", "contact.ring2.wrench",
                                         "contact.ring3.wrench", "contact.ring4.wrench",
                                         "contact.ring5.wrench", "snake.stress(0)",
                                         "snake.stress(1)"};
    const double expected[] = {0.0138229, -0.2547563, -0.4032572, 0.4158476, 0.2510904};
    double value[42];
    Gait gait = gait_start(constraint_model("snake-2d"), 1.7, 0.0);
    gait_see(&gait, signal, 7, value);
    for (int i = 0; i < 5; i++) {
        CHECK_NEAR(value[6 * i + 4], expected[i], 1e-5 * fabs(expected[i]));
    }
    // both ends are free
    CHECK_NEAR(largest(value + 30, 12), 0.0, 1e-10);
    // with l = lambda there are none at whole periods
    gait_go(&gait, 2.0);
    gait_see(&gait, signal, 7, value);
    CHECK_NEAR(largest(value, 30), 0.0, 1e-8);
    gait_free(&gait);
}

static void test_turn(void** unused) {
    (void)unused;
    double t = IS_SANITIZED ? 1.0 : 10.0, last[3];
    check_snake("snake-2d-turn", &(Head){.b = 2.0}, t, 0.0, last);
    if (t == 10.0) {
        const double expected[] = {-0.515060, 1.352371, 0.0};
        CHECK_ARRAY_NEAR(last, expected, 3, 1e-6);
    }
}

// V b times the integral of the bump, by the trapezoidal rule, which is exact but for rounding
static void test_turn_angle(void** unused) {
    (void)unused;
    double angle = 0.0;
    for (int k = 1; k < 4000; k++) {
        angle += 2.0 * V * bump(3.0 + 1e-3 * k) * 1e-3;
    }
    CHECK_NEAR(angle, V * 2.0 * 2.0 * 1.206900, 1e-6);
    Gait gait = gait_start(constraint_model("snake-2d-turn"), 2.0, 0.0);
    double start = gait.state->q[0];
    gait_go(&gait, IS_SANITIZED ? 2.5 : 8.0);
    if (!IS_SANITIZED) {
        CHECK_NEAR(gait.state->q[0] - start, angle, 1e-6);
    }
    gait_free(&gait);
}

// x = V t (J_0(z) + (a/2) (1 + J_0(2 z))) after whole periods
static void test_reissner(void** unused) {
    (void)unused;
    const double a = 0.1, z = A / (2.0 * PI);
    double t = IS_SANITIZED ? 1.0 : 10.0, last[3];
    check_snake("snake-2d-reissner", &(Head){.shear = a}, t, 0.0, last);
    if (t == 10.0) {
        const double expected[] = {t * V * (bessel_0(z) + 0.5 * a * (1.0 + bessel_0(2.0 * z))), 0.0,
                                   0.0};
        CHECK_ARRAY_NEAR(last, expected, 3, 1e-6);
    }
}

static void test_turn_3d(void** unused) {
    (void)unused;
    double t = IS_SANITIZED ? 0.5 : 10.0, last[3];
    check_snake("snake-3d-turn", &(Head){.b = 2.0, .b_y = 0.5}, t, 0.0, last);
    if (t == 10.0) {
        const double expected[] = {-0.503202, 1.329069, -0.194360};
        CHECK_ARRAY_NEAR(last, expected, 3, 1e-6);
    }
}

// curvature A, torsion 2 pi / lambda: radius A / (A^2 + 4 pi^2), one turn along 2 pi / sqrt(A^2 + 4
// pi^2)
static void test_spiral(void** unused) {
    (void)unused;
    double last[3], square = A * A + 4.0 * PI * PI;
    check_snake("snake-3d-spiral", &(Head){.is_spiral = true}, IS_SANITIZED ? 0.5 : 5.0, 0.0, last);
    double turn = 2.0 * PI / sqrt(square) / fabs(V);
    CHECK_NEAR(turn, 1.064036, 5e-7);
    Gait gait = gait_start(constraint_model("snake-3d-spiral"), 0.0, 0.0);
    double p[5][3], pitch[3], across[3], along = 0.0;
    for (int k = 0; k < 5; k++) {
        const char* const signal = "head.position";
        gait_go(&gait, 0.5 * turn * k);
        gait_see(&gait, &signal, 1, p[k]);
    }
    for (int i = 0; i < 3; i++) {
        pitch[i] = p[2][i] - p[0][i];
        across[i] = p[1][i] - p[0][i] - 0.5 * pitch[i];
        along += across[i] * pitch[i];
    }
    double length = sqrt(pitch[0] * pitch[0] + pitch[1] * pitch[1] + pitch[2] * pitch[2]);
    double width = sqrt(across[0] * across[0] + across[1] * across[1] + across[2] * across[2]);
    // every turn is the same, half a turn is on the other side
    CHECK_NEAR(length, 4.0 * PI * PI / square, 1e-6);
    CHECK_NEAR(length, 0.283043, 1e-6);
    CHECK_NEAR(0.5 * width, A / square, 1e-6);
    CHECK_NEAR(0.5 * width, 0.0716957, 1e-6);
    CHECK_NEAR(along, 0.0, 1e-7);
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(p[4][i] - p[2][i], pitch[i], 1e-6);
    }
    gait_free(&gait);
}

static void test_snake_power(void** unused) {
    (void)unused;
    static const struct {
        const char* name;
        double t;
    } snake[] = {{"snake-2d", 1.3},
                 {"snake-2d-turn", 4.1},
                 {"snake-2d-reissner", 1.3},
                 {"snake-3d-turn", 4.1},
                 {"snake-3d-spiral", 1.3}};
    const double h = 4e-3;
    for (int i = 0; i < 5; i++) {
        Gait gait = gait_start(constraint_model(snake[i].name), snake[i].t - 3.0 * h, 0.0);
        (void)gait_balance(&gait, snake[i].t, h, NULL, 0, 1e-9);
        gait_free(&gait);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_snake),    cmocka_unit_test(test_snake_reactions),
        cmocka_unit_test(test_turn),     cmocka_unit_test(test_turn_angle),
        cmocka_unit_test(test_reissner), cmocka_unit_test(test_turn_3d),
        cmocka_unit_test(test_spiral),   cmocka_unit_test(test_snake_power),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
