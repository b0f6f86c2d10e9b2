// SPDX-License-Identifier: Apache-2.0
// Motions of first order: what a fluid does, and momentum that stays zero. Oracles are closed forms,
// dynamics of second order, and the area rule. Swimmers: test_connection_stokes.c.
#include "connection_case.h"

// ---- the fluid itself

// a rod that turns about its end: integral of c s^2, by either integration along it; a body about
// its centre
static void test_coefficients(void** unused) {
    (void)unused;
    static const char* const space[] = {"quadrature", "spectral"};
    for (int i = 0; i < 2; i++) {
        Gait gait = {.model =
                         model_with("elver: 1\nname: x\ngravity: [0, 0, 0]\ntree:\n"
                                    "  - rod: rod\n    joint: {revolute: {axis: z, velocity: %g}}\n"
                                    "    length: %g\n    section: {circle: {radius: 0.01}}\n"
                                    "    material: {density: 1000, young: 1e6}\n"
                                    "    resistance: [9, 9, 0.2, 9, 3, 9]\n"
                                    "    added_inertia: [9, 9, 0.1, 9, 5, 9]\n    space: %s\n",
                                    2.0, 1.5, space[i])};
        ElvError error;
        double tau[1], M[1];
        CHECK_STATUS(elv_data_create(gait.model, &gait.data, &error), &error);
        CHECK_STATUS(elv_state_create(gait.model, &gait.state, &error), &error);
        elv_idm(gait.model, gait.data, gait.state, tau);
        // gyroscopic moments vanish: this is (c l^3/3 + c_t l) omega
        CHECK_NEAR(tau[0], (3.0 * 1.125 + 0.2 * 1.5) * 2.0, 1e-12);
        elv_mass_matrix(gait.model, gait.data, gait.state, M);
        double rho_A = 1000.0 * 3.14159265358979323846e-4;
        double own = rho_A * (1.125 + 1.5 * 0.25e-4);
        CHECK_NEAR(M[0], own + 5.0 * 1.125 + 0.1 * 1.5, 1e-11);
        gait_free(&gait);
    }
}

// added inertia moves and does not weigh: a body falls at m g / (m + m_a); drag stops it at m g / c
static void test_fall(void** unused) {
    (void)unused;
    static const char text[] =
        "elver: 1\nname: x\ngravity: [0, 0, -10]\ntree:\n  - body: ball\n    joint: free\n"
        "    mass: 2\n    center: [0.1, 0.2, 0.3]\n    inertia: [1, 1, 1]\n"
        "    added_inertia: [0, 0, 0, 3, 3, 3]\n    resistance: [1, 1, 1, 4, 4, 4]\n"
        "simulate: {method: %s}\nrecord: {signals: [ball.q]}\n";
    char whole[1024];
    (void)snprintf(whole, sizeof whole, text, "explicit, duration: 60");
    Gait gait = gait_start(model_of(whole), 0.0, 1e-10);
    CHECK_NEAR(gait.state->a[5], -4.0, 1e-13);
    gait_go(&gait, 60.0);
    CHECK_NEAR(gait.state->v[5], -5.0, 1e-8);
    CHECK_NEAR(gait.state->v[3], 0.0, 1e-8);
    gait_free(&gait);
    // without inertia it falls so at once
    (void)snprintf(whole, sizeof whole, text, "connection, connection: stokes, duration: 2");
    gait = gait_start(model_of(whole), 0.0, 1e-10);
    CHECK_NEAR(gait.state->v[5], -5.0, 1e-13);
    gait_go(&gait, 2.0);
    CHECK_NEAR(gait.state->q[6], -10.0, 1e-11);
    gait_free(&gait);
}

// ---- the cat

static void test_falling_cat(void** unused) {
    (void)unused;
    Gait gait = gait_start(example("falling-cat"), 0.0, 0.0);
    for (int i = 1; i <= 50; i++) {
        gait_go(&gait, 0.02 * i);
        ElvMomentum momentum = elv_momentum(gait.model, gait.data, gait.state);
        CHECK_NEAR(elv_vec3_norm(momentum.angular), 0.0, 1e-12);
        CHECK_NEAR(elv_vec3_norm(momentum.linear), 0.0, 1e-12);
    }
    // the waist is back where it was, the cat is not
    CHECK_NEAR(gait.state->q[7], 0.9, 1e-12);
    CHECK_TRUE(fabs(gait.state->q[0]) < 0.7);
    // two halves by themselves: rotation matrices, momenta by hand, the method of Runge and Kutta;
    // 2000 and 4000 steps agree to 1e-13
    static const double turned[] = {-1.54205287630230, 0.0, 0.75128096890486};
    static const double moved[] = {0.02615326402909, -0.05165135206148, 0.05368126931199};
    const double* q = gait.state->q;
    ElvVec3 turn = elv_quat_log(elv_quat(q[0], q[1], q[2], q[3]));
    // integrated to a relative tolerance of 1e-11
    CHECK_ARRAY_NEAR(&turn.x, turned, 3, 1e-11);
    CHECK_ARRAY_NEAR(q + 4, moved, 3, 1e-11);
    ElvGait cycle = cycle_of(gait.model, ELV_CONNECTION_MECHANICAL, 0.0);
    turn = elv_so3_log(cycle.net.R);
    CHECK_ARRAY_NEAR(&turn.x, turned, 3, 1e-11);
    CHECK_ARRAY_NEAR(&cycle.net.p.x, moved, 3, 1e-11);
    gait_free(&gait);
}

static const char cat_text[] =
    "elver: 1\nname: cat\ngravity: [0, 0, 0]\ntree:\n"
    "  - body: front\n    joint: free\n    mass: 2\n    center: [0.12, 0.01, 0]\n"
    "    inertia: [0.006, 0.014, 0.015]\n"
    "  - body: rear\n    parent: front\n    mass: 1.5\n    center: [-0.1, 0, 0.02]\n"
    "    inertia: [0.005, 0.013, 0.014]\n"
    "    joint: {universal: {axis: y, axis2: z, motion:\n"
    "      [\"0.7 + %g*cos(2*pi*t)\", \"0.4 + %g*sin(2*pi*t)\"]}}\n"
    "simulate: {method: connection, duration: 1}\nrecord: {signals: [front.q]}\n%s";

// around a small circle about a shape: what is free moves by curvature times area, as seen from the
// middle
static double area_rule_error(double radius, double sign) {
    ElvModel* model = model_with(cat_text, radius, sign * radius, "");
    ElvState* state = NULL;
    ElvError error;
    double F[6], net[6], miss = 0.0, size = 0.0;
    ElvGait gait = cycle_of(model, ELV_CONNECTION_MECHANICAL, 1.0);
    CHECK_STATUS(elv_state_create(model, &state, &error), &error);
    elv_state_impose(model, state);
    // curvature in the middle of the circle
    state->q[7] = 0.7;
    state->q[8] = 0.4;
    CHECK_STATUS(elv_connection_curvature(model, state, ELV_CONNECTION_MECHANICAL, 0, 1, F, &error),
                 &error);
    elv_twist_to_array(elv_se3_log(gait.net), net);
    for (int k = 0; k < 6; k++) {
        double area = sign * 3.14159265358979323846 * radius * radius;
        miss = fmax(miss, fabs(net[k] - area * F[k]));
        size = fmax(size, fabs(area * F[k]));
    }
    CHECK_TRUE(size > 0.1 * radius * radius);
    elv_state_free(state);
    elv_model_free(model);
    return miss / size;
}

// the cycle begins on the circle, not in its middle: an error of first order in the radius
static void test_area_rule(void** unused) {
    (void)unused;
    for (int i = 0; i < 2; i++) {
        double sign = i == 0 ? 1.0 : -1.0;
        double coarse = area_rule_error(0.04, sign), fine = area_rule_error(0.01, sign);
        CHECK_TRUE(coarse < 0.1);
        CHECK_NEAR(coarse / fine, 4.0, 0.6);
    }
}

// ---- against dynamics

// from rest, without forces: the same motion by accelerations, and momentum with the fluid's stays
// zero
static void test_from_rest(void** unused) {
    (void)unused;
    Gait first = gait_start(example("ellipse-swimmer"), 0.0, 1e-12);
    ElvModel* model = example("ellipse-swimmer");
    ElvSimulateDef method = elv_model_simulate(model);
    ElvError error;
    Gait second = {.model = model};
    method.method = ELV_METHOD_EXPLICIT;
    method.rel_tol = 1e-12;
    method.abs_tol = 1e-14;
    CHECK_STATUS(elv_data_create(model, &second.data, &error), &error);
    CHECK_STATUS(elv_state_create(model, &second.state, &error), &error);
    CHECK_STATUS(elv_integrator_create(model, &method, &second.integrator, &error), &error);
    CHECK_STATUS(elv_integrator_start(second.integrator, second.state, &error), &error);
    for (int i = 1; i <= 10; i++) {
        gait_go(&first, 0.1 * i);
        gait_go(&second, 0.1 * i);
        CHECK_ARRAY_NEAR(first.state->q, second.state->q, 5, 1e-9);
        CHECK_ARRAY_NEAR(first.state->v, second.state->v, 5, 1e-9);
        // rates of connections are differences of order 6: 1e-11 of the largest, 50
        CHECK_ARRAY_NEAR(first.state->a, second.state->a, 5, 1e-8);
        ElvMomentum momentum = elv_momentum(first.model, first.data, first.state);
        CHECK_NEAR(momentum.linear.x, 0.0, 1e-12);
        CHECK_NEAR(momentum.linear.y, 0.0, 1e-12);
        CHECK_NEAR(momentum.angular.z, 0.0, 1e-12);
    }
    CHECK_TRUE(fabs(first.state->q[1]) > 0.01);
    gait_free(&first);
    gait_free(&second);
}

// a gait that is ramped up has a cycle after the ramp: what dynamics from rest do in it
static void test_ramp(void** unused) {
    (void)unused;
    ElvError error;
    ElvFrame frame;
    ElvGait cycle;
    Gait gait = gait_start(example("imposed-wave"), 0.0, 1e-11);
    CHECK_STATUS(elv_model_frame(gait.model, "body.root", &frame, &error), &error);
    gait_go(&gait, 1.5);
    elv_kinematics(gait.model, gait.data, gait.state);
    ElvPose start = elv_frame_pose(gait.model, gait.data, frame);
    CHECK_STATUS(elv_gait_displacement(gait.model, gait.state, ELV_CONNECTION_MECHANICAL, 0.0, NULL,
                                       &cycle, &error),
                 &error);
    gait_go(&gait, 2.5);
    elv_kinematics(gait.model, gait.data, gait.state);
    ElvPose net =
        elv_pose_compose(elv_pose_inverse(start), elv_frame_pose(gait.model, gait.data, frame));
    CHECK_NEAR(cycle.period, 1.0, 1e-9);
    CHECK_ARRAY_NEAR(&cycle.net.p.x, &net.p.x, 3, 1e-8);
    CHECK_ARRAY_NEAR(&cycle.net.R.m[0][0], &net.R.m[0][0], 9, 1e-8);
    gait_free(&gait);
}

// stiff dynamics with ever less mass go to the motion without inertia, by an error in proportion
static void test_vanishing_mass(void** unused) {
    (void)unused;
    double miss[2];
    Gait first = gait_start(example("three-link-swimmer"), 0.0, 1e-11);
    gait_go(&first, 1.0);
    for (int i = 0; i < 2; i++) {
        static const char* const mass[] = {"1e-3", "2.5e-4"};
        char path[512];
        ElvModel* model = NULL;
        ElvError error;
        ElvOverride set[7];
        static const char* const key[] = {"middle.mass",    "left.mass",    "right.mass",
                                          "middle.inertia", "left.inertia", "right.inertia"};
        char inertia[64];
        (void)snprintf(inertia, sizeof inertia, "[0, %s, %s]", mass[i], mass[i]);
        for (int k = 0; k < 6; k++) {
            set[k] = (ElvOverride){key[k], k < 3 ? mass[i] : inertia};
        }
        set[6] = (ElvOverride){
            "simulate", "{method: generalized-alpha, spectral_radius: 0, step: 2e-4, duration: 1}"};
        (void)snprintf(path, sizeof path, "%s/models/three-link-swimmer.yaml", ELVER_SOURCE_DIR);
        CHECK_STATUS(elv_model_read_file(path, set, 7, &model, &error), &error);
        Gait second = gait_start(model, 0.0, 0.0);
        gait_go(&second, 1.0);
        miss[i] = 0.0;
        for (int k = 0; k < 3; k++) {
            miss[i] = fmax(miss[i], fabs(second.state->q[k] - first.state->q[k]));
        }
        gait_free(&second);
    }
    CHECK_TRUE(miss[0] < 5e-3);
    CHECK_NEAR(miss[0] / miss[1], 4.0, 0.4);
    gait_free(&first);
}

// ---- what is refused

static void check_refused(const char* text, ElvStatus expected, const char* part) {
    ElvModel* model = NULL;
    ElvIntegrator* integrator = NULL;
    ElvState* state = NULL;
    ElvError error;
    ElvStatus status = elv_model_read_text(text, strlen(text), "text", NULL, 0, &model, &error);
    if (status == ELV_OK) {
        ElvSimulateDef method = elv_model_simulate(model);
        status = elv_integrator_create(model, &method, &integrator, &error);
    }
    if (status == ELV_OK) {
        CHECK_STATUS(elv_state_create(model, &state, &error), &error);
        status = elv_integrator_start(integrator, state, &error);
    }
    assert_int_equal(status, expected);
    if (!strstr(error.message, part)) {
        fail_msg("'%s' is not in '%s'", part, error.message);
    }
    elv_state_free(state);
    elv_integrator_free(integrator);
    elv_model_free(model);
}

static void test_refused(void** unused) {
    (void)unused;
    static const char head[] = "elver: 1\nname: x\ngravity: [0, 0, 0]\ntree:\n";
    static const struct {
        const char* text;
        ElvStatus status;
        const char* part;
    } bad[] = {
        {"  - body: b\n    resistance: [0, 0, -1, 0, 0, 0]\n", ELV_ERROR_INPUT, "negative"},
        {"  - body: b\n    added_inertia: [0, 0, 0, 0, 0, .inf]\n", ELV_ERROR_INPUT, "inite"},
        {"  - body: b\n    resistance: [0, 0, 1]\n", ELV_ERROR_INPUT, "6"},
        {"  - body: b\n    resistence: [0, 0, 1, 1, 1, 1]\n", ELV_ERROR_INPUT, "resistance"},
        {"  - body: b\n    joint: free\n    mass: 1\nsimulate: {method: connection, connection: "
         "stoke}\n",
         ELV_ERROR_INPUT, "stokes"},
        {"  - body: b\n    joint: free\n    mass: 1\nsimulate: {method: explicit, connection: "
         "stokes}\n",
         ELV_ERROR_INPUT, "does not belong"},
        {"  - body: b\n    joint: free\n    mass: 1\n    inertia: [1, 1, 1]\n"
         "simulate: {method: connection, connection: stokes}\n",
         ELV_ERROR_SINGULAR, "resistance"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char text[2048];
        (void)snprintf(text, sizeof text, "%s%s", head, bad[i].text);
        check_refused(text, bad[i].status, bad[i].part);
    }
}

// a wheeled snake starts where its constraints lose a direction
static void test_singular_start(void** unused) {
    (void)unused;
    ElvModel* model = example("snake-wheeled");
    ElvState* state = NULL;
    ElvError error;
    CHECK_STATUS(elv_state_create(model, &state, &error), &error);
    ElvSimulateOptions options = elv_simulate_options_default(model, state);
    options.method.method = ELV_METHOD_CONNECTION;
    assert_int_equal(elv_simulate(model, state, &options, NULL, &error), ELV_ERROR_STEP);
    CHECK_TRUE(strstr(error.message, "lose a direction") && strstr(error.message, "'explicit'"));
    elv_state_free(state);
    elv_model_free(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coefficients),   cmocka_unit_test(test_fall),
        cmocka_unit_test(test_falling_cat),    cmocka_unit_test(test_area_rule),
        cmocka_unit_test(test_from_rest),      cmocka_unit_test(test_ramp),
        cmocka_unit_test(test_vanishing_mass), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_singular_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
