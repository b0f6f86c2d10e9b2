// SPDX-License-Identifier: Apache-2.0
// Robots of rigid bodies that move by their shape [ALI chapter 4]: a snake of three modules against
// numbers computed by other means, by distributed and by projective torques; the satellite and the
// wheeled snake of models/ against closed forms and balances.
#include "locomotion_case.h"

static const double PI = 3.14159265358979323846;

// ---- a snake of three modules at t = 1 s; its head's centre of mass is where it carries its axle

static const char three[] =
    "elver: 1\n"
    "parameters: {l: 0.1, m: 0.25, J: \"m*l^2/3\"}\n"
    "tree:\n"
    "  - {body: b0, joint: planar, mass: \"m\", inertia: [1e-4, \"J\", \"J\"]}\n"
    "  - {body: b1, parent: b0, joint: {revolute: {axis: z, motion: \"0.2*sin(t + pi/16)\"}},\n"
    "     mass: 0.05, inertia: [1e-4, 1e-4, 1e-4]}\n"
    "  - {body: b2, parent: b0, pose: {xyz: [\"l\", 0, 0]},\n"
    "     joint: {revolute: {axis: z, motion: \"0.6*sin(t + 9*pi/16)\"}},\n"
    "     mass: \"m\", center: [\"l\", 0, 0], inertia: [1e-4, \"J\", \"J\"]}\n"
    "  - {body: b3, parent: b2, pose: {xyz: [\"l\", 0, 0]},\n"
    "     joint: {revolute: {axis: z, motion: \"-0.2*sin(t)\"}}, mass: 0.05,\n"
    "     inertia: [1e-4, 1e-4, 1e-4]}\n"
    "  - {body: b4, parent: b2, pose: {xyz: [\"2*l\", 0, 0]},\n"
    "     joint: {revolute: {axis: z, motion: \"0.6*sin(t + 7*pi/16)\"}},\n"
    "     mass: \"m\", center: [\"l\", 0, 0], inertia: [1e-4, \"J\", \"J\"]}\n"
    "  - {body: b5, parent: b4, pose: {xyz: [\"l\", 0, 0]},\n"
    "     joint: {revolute: {axis: z, motion: \"0.2*sin(t - pi/16)\"}}, mass: 0.05,\n"
    "     inertia: [1e-4, 1e-4, 1e-4]}\n"
    "constraints:\n"
    "  - {wheel: w1, at: b1, radius: 0.02}\n"
    "  - {wheel: w3, at: b3, radius: 0.02}\n"
    "  - {wheel: w5, at: b5, radius: 0.02}\n"
    "simulate: {method: explicit, order: 8, rel_tol: 1e-12, abs_tol: 1e-14, duration: 20}\n";

static ElvModel* read_text(const char* text) {
    ElvModel* model = NULL;
    ElvError error;
    CHECK_STATUS(elv_model_read_text(text, strlen(text), "text", NULL, 0, &model, &error), &error);
    return model;
}

// numbers are given to five digits                                                      [ALI (7.3)]
static void test_three_modules(void** unused) {
    (void)unused;
    static const char* const signal[] = {"wheel.w1.force", "wheel.w3.force", "wheel.w5.force",
                                         "b1.effort",      "b2.effort",      "b3.effort",
                                         "b4.effort",      "b5.effort"};
    double value[11];
    Gait gait = gait_start(read_text(three), 1.0, 0.0);
    gait_see(&gait, signal, 8, value);
    CHECK_NEAR(value[0], -0.0250437, 5e-8);
    CHECK_NEAR(value[2], 0.0244663, 5e-8);
    CHECK_NEAR(value[4], 0.0099506, 5e-8);
    const double tau[] = {3.6518e-5, 44.851e-5, 5.0016e-5, 48.799e-5, -2.2856e-5};
    CHECK_ARRAY_NEAR(value + 6, tau, 5, 5e-9);
    CHECK_NEAR(value[6], tau[0], 5e-10);
    double power = gait_power(&gait, NULL, 0);
    CHECK_NEAR(power, -4.6715e-4, 5e-9);
    gait_free(&gait);
    gait = gait_start(read_text(three), 0.5, 0.0);
    CHECK_NEAR(gait_balance(&gait, 1.0, 0.02, NULL, 0, 1e-9), power, 1e-12);
    gait_free(&gait);
}

// the projective recursion misses the balance of power by exactly what it leaves on the head
static void test_projective(void** unused) {
    (void)unused;
    Gait gait = gait_start(read_text(three), 1.0, 0.0);
    ElvError error;
    ElvWrench left;
    double tau[8], power = 0.0;
    CHECK_STATUS(
        elv_locomotion_projective_torques(gait.model, gait.data, gait.state, tau, &left, &error),
        &error);
    CHECK_NEAR(tau[4], 464.5e-5, 5e-7);
    CHECK_NEAR(tau[6], 121.2e-5, 5e-7);
    CHECK_NEAR(left.frc.x, -2.168e-3, 5e-7);
    CHECK_NEAR(left.frc.y, 5.887e-3, 5e-7);
    CHECK_NEAR(left.mom.z, 6.980e-3, 5e-7);
    for (int i = 3; i < 8; i++) {
        power += tau[i] * gait.state->v[i];
    }
    CHECK_NEAR(power, -3.1233e-3, 5e-8);
    ElvFrame head;
    CHECK_STATUS(elv_model_frame(gait.model, "b0", &head, &error), &error);
    elv_kinematics(gait.model, gait.data, gait.state);
    ElvTwist eta = elv_frame_twist(gait.model, gait.data, head);
    CHECK_NEAR(power + elv_power(eta, left), gait_power(&gait, NULL, 0), 1e-15);
    // as signals, beside those that balance
    static const char* const signal[] = {"b2.effort", "b2.effort_projective", "b4.effort",
                                         "b4.effort_projective"};
    double value[4];
    gait_see(&gait, signal, 4, value);
    CHECK_NEAR(value[0], 44.85e-5, 5e-8);
    CHECK_NEAR(value[1], tau[4], 1e-15);
    CHECK_NEAR(value[2], 48.80e-5, 5e-8);
    CHECK_NEAR(value[3], tau[6], 1e-15);
    gait_free(&gait);
}

static void test_projective_rod(void** unused) {
    (void)unused;
    ModelCase c = case_open("tree: [{rod: arm, length: 1, section: {circle: {diameter: 0.01}},\n"
                            "        material: {density: 1e3, young: 1e6}}]\n");
    double tau[64];
    ElvWrench left;
    ElvError error;
    assert_int_equal(
        elv_locomotion_projective_torques(c.model, c.data, c.state, tau, &left, &error),
        ELV_ERROR_INPUT);
    assert_string_equal(error.element, "arm");
    static const char* const name[] = {"arm.effort_projective"};
    ElvSignals* signals = NULL;
    assert_int_equal(elv_signals_create(c.model, name, 1, &signals, &error), ELV_ERROR_INPUT);
    CHECK_TRUE(strstr(error.message, "'arm' is a rod"));
    case_close(&c);
}

// ---- the satellite (models/satellite.yaml): I = diag(2, 2.5, 3), I_w = 0.05

static void rotor_laws(double t, double rate[3], double second[3]) {
    rate[0] = 3.6 * cos(0.9 * t);
    rate[1] = 4.2 * sin(0.7 * t);
    rate[2] = 3.0 + 1.3 * sin(2.6 * t);
    second[0] = -3.24 * sin(0.9 * t);
    second[1] = 2.94 * cos(0.7 * t);
    second[2] = 3.38 * cos(2.6 * t);
}

static void test_satellite(void** unused) {
    (void)unused;
    static const char* const signal[] = {"rotor_x.effort", "rotor_y.effort", "rotor_z.effort",
                                         "momentum"};
    const double I[] = {2.0, 2.5, 3.0}, I_w = 0.05;
    Gait gait = gait_start(constraint_model("satellite"), 0.0, 0.0);
    for (int k = 0; k <= 40; k++) {
        double rate[3], second[3], value[9], H[3], own[3];
        gait_go(&gait, 0.25 * k);
        rotor_laws(gait.state->t, rate, second);
        gait_see(&gait, signal, 4, value);
        const double* omega = gait.state->v;
        for (int i = 0; i < 3; i++) {
            H[i] = I[i] * omega[i] + I_w * rate[i];
        }
        ElvVec3 turn =
            elv_vec3_cross(elv_vec3(omega[0], omega[1], omega[2]), elv_vec3(H[0], H[1], H[2]));
        const double gyro[] = {turn.x, turn.y, turn.z};
        for (int i = 0; i < 3; i++) {
            // (4.4), (4.6)
            own[i] = (-I_w * second[i] - gyro[i]) / I[i];
            CHECK_NEAR(gait.state->a[i], own[i], 1e-12);
            CHECK_NEAR(value[i], I_w * (own[i] + second[i]), 1e-12);
        }
        // R H = H(0) = I_w r_dot(0)
        const double start[] = {I_w * 3.6, 0.0, I_w * 3.0};
        CHECK_ARRAY_NEAR(value + 6, start, 3, 1e-11);
    }
    gait_free(&gait);
}

// from rest one rotor turns the body by -I_w r / I_x, and a closed cycle leaves nothing
static void test_satellite_cycle(void** unused) {
    (void)unused;
    const ElvOverride still[] = {{"rotor_x.joint.revolute.motion", "8*sin(t)^2"},
                                 {"rotor_y.joint.revolute.motion", "0"},
                                 {"rotor_z.joint.revolute.motion", "0"}};
    char path[512];
    ElvError error;
    ElvModel* model = NULL;
    static const char* const signal[] = {"hull.orientation"};
    double q[4];
    snprintf(path, sizeof path, "%s/models/satellite.yaml", ELVER_SOURCE_DIR);
    CHECK_STATUS(elv_model_read_file(path, still, 3, &model, &error), &error);
    Gait gait = gait_start(model, 0.0, 0.0);
    for (int k = 1; k <= 4; k++) {
        double t = 0.25 * PI * k;
        double angle = -0.05 / 2.0 * 8.0 * sin(t) * sin(t);
        gait_go(&gait, t);
        gait_see(&gait, signal, 1, q);
        const double expected[] = {cos(0.5 * angle), sin(0.5 * angle), 0.0, 0.0};
        CHECK_ARRAY_NEAR(q, expected, 4, 1e-11);
    }
    gait_free(&gait);
}

// ---- the wheeled snake (models/snake-wheeled.yaml)

static void test_snake(void** unused) {
    (void)unused;
    // angle and place, from the kinematic connection of three axles integrated by other means
    const double at[3][4] = {{2.0 * 3.14159265358979323846, 0.0, -0.568636, -0.379476},
                             {10.0, 1.233931, -0.896684, -0.615339},
                             {20.0, 0.102425, -1.849419, -1.154442}};
    Gait gait = gait_start(constraint_model("snake-wheeled"), 0.0, 0.0);
    // at the start the constraints lose a direction: the limit
    const double limit[] = {-0.28407, -0.12196, -0.00476};
    CHECK_ARRAY_NEAR(gait.state->v, limit, 3, 1e-5);
    int next = 0;
    for (int k = 1; k <= 80; k++) {
        double t = 0.25 * k;
        for (; next < 3 && at[next][0] <= t; next++) {
            gait_go(&gait, at[next][0]);
            CHECK_ARRAY_NEAR(gait.state->q, at[next] + 1, 3, 1e-5);
        }
        gait_go(&gait, t);
        elv_kinematics(gait.model, gait.data, gait.state);
        double slip[64];
        elv_border_motion(gait.model, gait.data, gait.state, 1, 0.0, slip);
        CHECK_NEAR(largest(slip, (size_t)gait.state->nz), 0.0, 1e-12);
    }
    assert_int_equal(next, 3);
    gait_free(&gait);
}

// Power at instants between the singular ones, and through these without a step aside; in these
// postures themselves reactions would be infinite, and are left finite.
static void test_snake_power(void** unused) {
    (void)unused;
    Gait gait = gait_start(constraint_model("snake-wheeled"), 0.0, 1e-12);
    const double when[] = {0.7, 1.9, 2.8, 4.4, 5.5, 7.1};
    for (int k = 0; k < 6; k++) {
        (void)gait_balance(&gait, when[k], 0.01, NULL, 0, 1e-9);
    }
    gait_free(&gait);
}

// recorded exactly where it loses a direction, and from there on again
static void test_snake_singular(void** unused) {
    (void)unused;
    Gait gait = gait_start(constraint_model("snake-wheeled"), 0.0, 0.0);
    double before[3], after[3];
    const double h = 1e-3;
    for (int k = 1; k <= 3; k++) {
        gait_go(&gait, k * PI - h);
        memcpy(before, gait.state->v, sizeof before);
        gait_go(&gait, k * PI);
        double here[3], second[3];
        memcpy(here, gait.state->v, sizeof here);
        memcpy(second, gait.state->a, sizeof second);
        for (int i = 0; i < gait.state->nv; i++) {
            CHECK_TRUE(isfinite(gait.state->a[i]));
        }
        for (int i = 0; i < gait.state->nz; i++) {
            CHECK_TRUE(isfinite(gait.state->z[i]));
        }
        gait_go(&gait, k * PI + h);
        memcpy(after, gait.state->v, sizeof after);
        // differences of the second order, h^2 = 1e-6
        for (int i = 0; i < 3; i++) {
            CHECK_NEAR(here[i], 0.5 * (before[i] + after[i]), 1e-6);
            CHECK_NEAR(second[i], (after[i] - before[i]) / (2.0 * h), 1e-6);
        }
    }
    gait_free(&gait);
    // a start there, in the posture that it has then
    gait = gait_start(constraint_model("snake-wheeled"), PI, 0.0);
    double speed = hypot(gait.state->v[1], gait.state->v[2]), turn = gait.state->v[0];
    gait_free(&gait);
    // half a period earlier all angles are the opposite ones: the mirror image, which goes as fast
    // and turns back
    gait = gait_start(constraint_model("snake-wheeled"), 0.0, 0.0);
    CHECK_TRUE(speed > 0.01 && fabs(turn) > 0.01);
    CHECK_NEAR(speed, hypot(gait.state->v[1], gait.state->v[2]), 1e-8);
    CHECK_NEAR(turn, -gait.state->v[0], 1e-8);
    gait_free(&gait);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_three_modules),   cmocka_unit_test(test_projective),
        cmocka_unit_test(test_projective_rod),  cmocka_unit_test(test_satellite),
        cmocka_unit_test(test_satellite_cycle), cmocka_unit_test(test_snake),
        cmocka_unit_test(test_snake_power),     cmocka_unit_test(test_snake_singular),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
