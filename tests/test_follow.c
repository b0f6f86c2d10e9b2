// SPDX-License-Identifier: Apache-2.0
// Rods whose sections follow the head ('follow'): the snake of the thesis in the short form, and a law in space that
// nobody has written before, against the curve with these curvatures, integrated here; and what is refused.
#include "locomotion_case.h"

#include "robot.h"

static ElvStatus read(const char* follow, const char* more, ElvModel** model, ElvError* error) {
    char text[4096];
    int n = snprintf(text, sizeof text,
                     "elver: 1\nname: snake\ngravity: [0, 0, 0]\nparameters: {A: 10, V: -0.5}\n"
                     "tree:\n  - {body: head, joint: free}\n  - rod: snake\n    parent: head\n"
                     "    length: 1.6\n    inertia: [1e-3, 1e-3, 1e-3, 1, 1, 1]\n"
                     "    follow: %s\n%s"
                     "constraints:\n"
                     "  - {contact: ring1, rod: snake, type: ring, station: 0.1}\n"
                     "  - {contact: ring2, rod: snake, type: ring, station: 0.4}\n"
                     "  - {contact: ring3, rod: snake, type: ring, station: 0.6}\n"
                     "  - {contact: ring4, rod: snake, type: ring, station: 0.9}\n"
                     "simulate: {method: explicit, duration: 4, rel_tol: 1e-9, abs_tol: 1e-10}\n",
                     follow, more);
    CHECK_TRUE(n > 0 && (size_t)n < sizeof text);
    *model = NULL;
    return elv_model_read_text(text, (size_t)n, "text", NULL, 0, model, error);
}

static Gait snake(const char* follow) {
    ElvModel* model = NULL;
    ElvError error;
    CHECK_STATUS(read(follow, "", &model, &error), &error);
    return gait_start(model, 0.0, 0.0);
}

// @snake-2d in the short form, of another length: V t J_0(A / (2 pi)) after whole periods
static void test_snake(void** unused) {
    (void)unused;
    double t = IS_SANITIZED ? 2.0 : 10.0, value[3];
    const char* const signal = "head.position";
    Gait gait = snake("{bend_z: \"A*cos(2*pi*x)\", path: \"V*t\"}");
    gait_go(&gait, t);
    gait_see(&gait, &signal, 1, value);
    const double expected[] = {-0.23010726440 * t, 0.0, 0.0};
    CHECK_ARRAY_NEAR(value, expected, 3, 1e-8);
    gait_free(&gait);
}

// ---- a law of one's own

static const char own_law[] =
    "{bend_y: \"3*sin(4*x) + 2/(1 + x^2)\", bend_z: \"4*cos(5*x) - 1.5*tanh(3*(x - 0.4))\", path: "
    "\"0.4*t + 0.1*sin(2*t)\"}";

static double path(double t) {
    return 0.4 * t + 0.1 * sin(2.0 * t);
}

// R' = R hat(K), p' = R e_x; y: R by rows, then p
static void curve_rate(double x, const double* y, double* f) {
    double K_y = 3.0 * sin(4.0 * x) + 2.0 / (1.0 + x * x);
    double K_z = 4.0 * cos(5.0 * x) - 1.5 * tanh(3.0 * (x - 0.4));
    for (int i = 0; i < 3; i++) {
        const double* r = y + 3 * i;
        f[3 * i] = K_z * r[1] - K_y * r[2];
        f[3 * i + 1] = -K_z * r[0];
        f[3 * i + 2] = K_y * r[0];
        f[9 + i] = r[0];
    }
}

// Runge and Kutta's steps of 1e-3 m: (5e-3)^4 / 100
static void curve_to(double x, double* y) {
    static const double half[] = {0.0, 0.5, 0.5, 1.0}, weight[] = {1.0, 2.0, 2.0, 1.0};
    const double unit[12] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0};
    int n = (int)ceil(x / 1e-3) + 1;
    double h = x / n;
    memcpy(y, unit, sizeof unit);
    for (int k = 0; k < n; k++) {
        double start[12], sum[12] = {0.0}, f[12] = {0.0};
        memcpy(start, y, sizeof start);
        for (int i = 0; i < 4; i++) {
            for (int j = 0; j < 12; j++) {
                y[j] = start[j] + half[i] * h * f[j];
            }
            curve_rate((k + half[i]) * h, y, f);
            for (int j = 0; j < 12; j++) {
                sum[j] += weight[i] * f[j];
            }
        }
        for (int j = 0; j < 12; j++) {
            y[j] = start[j] + h / 6.0 * sum[j];
        }
    }
}

// at all times the section at X is where the curve is at X + path(t), and so where the head comes by
static void test_own_law(void** unused) {
    (void)unused;
    Gait gait = snake(own_law);
    int n = IS_SANITIZED ? 2 : 8;
    for (int k = 0; k <= n; k++) {
        double t = 0.5 * k;
        gait_go(&gait, t);
        elv_kinematics(gait.model, gait.data, gait.state);
        for (int i = 0; i <= 8; i++) {
            ElvPose section;
            double y[12], s = 0.125 * i;
            elv_rod_section(gait.model, gait.data, gait.state, 1, s, &section, NULL, NULL);
            curve_to(1.6 * s + path(t), y);
            const double p[] = {section.p.x, section.p.y, section.p.z};
            CHECK_ARRAY_NEAR(p, y + 9, 3, 1e-6);
            CHECK_ARRAY_NEAR(&section.R.m[0][0], y, 9, 1e-6);
        }
    }
    gait_free(&gait);
}

// the laws that come of it are the written ones, with their time derivatives
static void test_jets(void** unused) {
    (void)unused;
    ElvModel *first = NULL, *second = NULL;
    ElvState *a = NULL, *b = NULL;
    ElvError error;
    CHECK_STATUS(read("{bend_y: 2, bend_z: \"exp(-x) + max(x, 3)*(x)\", path: \"t^2/8\"}\n"
                      "    strain: {bend_z: 20}",
                      "", &first, &error),
                 &error);
    CHECK_STATUS(elv_state_create(first, &a, &error), &error);
    // the same by hand
    char text[] = "elver: 1\nname: snake\ntree:\n  - rod: snake\n    length: 1.6\n    inertia: [1, "
                  "1, 1, 1, 1, 1]\n    strain: {bend_z: 20}\n    motion: {bend_y: 2, bend_z: "
                  "\"exp(-1.6*s - t^2/8) + 3*(1.6*s + t^2/8)\"}\n";
    CHECK_STATUS(elv_model_read_text(text, strlen(text), "text", NULL, 0, &second, &error), &error);
    CHECK_STATUS(elv_state_create(second, &b, &error), &error);
    a->t = b->t = 0.7;
    elv_state_impose(first, a);
    elv_state_impose(second, b);
    size_t n = (size_t)b->nv;
    CHECK_TRUE(n >= 20 && a->nv == b->nv + 6);
    CHECK_ARRAY_NEAR(a->q + a->nq - b->nv, b->q, n, 1e-12);
    CHECK_ARRAY_NEAR(a->v + 6, b->v, n, 1e-12);
    CHECK_ARRAY_NEAR(a->a + 6, b->a, n, 1e-12);
    elv_state_free(a);
    elv_state_free(b);
    elv_model_free(first);
    elv_model_free(second);
}

static void test_refused(void** unused) {
    (void)unused;
    static const struct {
        const char *follow, *more, *part;
    } refused[] = {
        {"{bend_z: \"sin(x)\", path: \"t\"}", "    motion: {stretch: \"1 + 0.1*sin(t)\"}\n",
         "'motion' or a 'follow'"},
        {"{bend_z: \"sin(x)\", path: \"t\"}",
         "    strain: {stretch: 2}\n    stiffness: [1, 1, 1, 1, 1, 1]\n", "stretch of 'strain'"},
        {"{bend_z: \"sin(x)\", path: \"t\"}", "    reference: {twist: 0.1}\n",
         "twist of 'reference'"},
        {"{bend_z: \"sin(x + t)\", path: \"t\"}", "", "x alone"},
        {"{bend_z: \"sin(x + s)\", path: \"t\"}", "", "x alone"},
        {"{bend_z: \"x0*(x)\", path: \"t\"}", "", "'x0'"},
        {"{bend_z: \"sin(y)\", path: \"t\"}", "", "'y'"},
        {"{bend_z: \"sin(x)\"}", "", "'path'"},
        {"{bend_z: \"sin(x)\", path: {table: {t: [0, 1], values: [0, 1]}}}", "", "a formula of t"},
        {"{bend_z: \"sin(x)\", path: \"t + s\"}", "", "depend on s"},
        {"{path: \"t\"}", "", "names no bend"},
        {"{stretch: \"1 + x\", path: \"t\"}", "", "'stretch'"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        ElvModel* model = NULL;
        ElvError error;
        ElvStatus status = read(refused[i].follow, refused[i].more, &model, &error);
        assert_int_equal(status, ELV_ERROR_INPUT);
        CHECK_TRUE(strstr(error.message, refused[i].part) != NULL);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_snake),
        cmocka_unit_test(test_own_law),
        cmocka_unit_test(test_jets),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
