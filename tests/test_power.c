// SPDX-License-Identifier: Apache-2.0
// Powers by account at an instant, each against what it is by definition: tension times the rate of a length, pressure
// times that of a volume, force times velocity, closed forms of dampers and of imposed motions; rates of lengths and
// volumes come from central differences along the velocity.
#include "model_case.h"

#include "elver/signal.h"

static void set_random(ModelCase* c, uint64_t seed) {
    CheckRandom random = check_random(seed);
    for (int i = 0; i < c->nv; i++) {
        c->state->v[i] = check_uniform(&random, -1.0, 1.0);
    }
    elv_state_impose(c->model, c->state);
}

static double signal_at(ModelCase* c, const char* name) {
    ElvError error;
    ElvSignals* signals = NULL;
    double value[16];
    double tau[64];
    CHECK_STATUS(elv_signals_create(c->model, &name, 1, &signals, &error), &error);
    elv_idm(c->model, c->data, c->state, tau);
    elv_signals_eval(signals, c->model, c->data, c->state, value);
    elv_signals_free(signals);
    return value[0];
}

// rate of a signal along the velocity, of coordinates that are numbers: order 4, error h^4 of the fifth derivative
static double rate_of(ModelCase* c, const char* name) {
    const double h = 1e-3;
    const double weight[4] = {1.0 / 12.0, -2.0 / 3.0, 2.0 / 3.0, -1.0 / 12.0};
    const double at[4] = {-2.0, -1.0, 1.0, 2.0};
    double sum = 0.0;
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < c->nv; i++) {
            c->state->q[i] += at[k] * h * c->state->v[i];
        }
        sum += weight[k] * signal_at(c, name);
        for (int i = 0; i < c->nv; i++) {
            c->state->q[i] -= at[k] * h * c->state->v[i];
        }
    }
    return sum / h;
}

#define ARM                                                                                        \
    "tree:\n"                                                                                      \
    "  - rod: arm\n"                                                                               \
    "    length: 0.5\n"                                                                            \
    "    section: {circle: {diameter: 0.02}}\n"                                                    \
    "    material: {density: 1000, young: 1e6, poisson: 0.4}\n"                                    \
    "    strain: {kirchhoff: 3, stretch: 1}\n"

// ---- actuators along rods

static void test_fibres(void** unused) {
    (void)unused;
    static const struct {
        const char* actuator;
        const char* signal;
        double push; // power per rate of the signal
    } cases[] = {
        {"{tendon: a, path: {rod: arm, y: 0.008*cos(3*s), z: 0.008*sin(3*s)}, tension: 7}",
         "tendon.a.length", -7.0},
        {"{tendon: a, path: [{at: world, point: [-0.2, 0.03, 0]}, {rod: arm, y: 0.006, to: 0.7}], "
         "tension: 3}",
         "tendon.a.length", -3.0},
        {"{muscle: a, rod: arm, from: 0.2, y: 0.006, force: 5, activation: 0.4}", "muscle.a.length",
         -2.0},
        {"{chamber: a, rod: arm, z: 0.004, area: 2e-5, pressure: 1e5}", "chamber.a.volume", 1e5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ModelCase c = case_open(ARM "actuators: [%s]\n", cases[i].actuator);
        ElvError error;
        set_random(&c, i + 1);
        CHECK_STATUS(elv_forward_dynamics(c.model, c.data, c.state, &error), &error);
        ElvPowers powers = elv_powers(c.model, c.data, c.state);
        double expected = cases[i].push * rate_of(&c, cases[i].signal);
        CHECK_TRUE(fabs(expected) > 1e-4);
        CHECK_NEAR(powers.actuators, expected, 1e-8 * fabs(expected) + 1e-10);
        CHECK_TRUE(powers.loads == 0.0 && powers.dissipated == 0.0 && powers.fluid == 0.0);
        case_close(&c);
    }
}

// a moment M that bends the whole rod does M times the rate of the angle between its ends, against the curvature
static void test_stress(void** unused) {
    (void)unused;
    ModelCase c = case_open(
        "tree: [{rod: arm, length: 0.5, section: {circle: {diameter: 0.02}}, strain: {bend_z: 3},\n"
        "        material: {density: 1000, young: 1e6, poisson: 0.4}}]\n"
        "actuators: [{stress: {bend_z: 0.3}, rod: arm}]\n");
    set_random(&c, 3);
    elv_kinematics(c.model, c.data, c.state);
    double spin = elv_frame_twist(c.model, c.data, case_frame(&c, "arm.tip")).ang.z;
    CHECK_TRUE(fabs(spin) > 0.01);
    CHECK_NEAR(elv_powers(c.model, c.data, c.state).actuators, -0.3 * spin, 1e-13);
    case_close(&c);
}

// ---- loads

static void test_loads(void** unused) {
    (void)unused;
    ModelCase c = case_open(ARM "gravity: [0, 0, -9.81]\n"
                                "loads:\n"
                                "  - {wrench: [0.1, 0.2, 0.3, 1, 2, 3], at: arm.tip}\n"
                                "  - {wrench: [0, 0.4, 0, 0, 5, 0], at: arm.at(0.5), frame: "
                                "local}\n"
                                "  - {distributed: [0, 0, 0, 4, 3, 2], rod: arm}\n");
    set_random(&c, 5);
    elv_kinematics(c.model, c.data, c.state);
    ElvFrame tip = case_frame(&c, "arm.tip");
    ElvTwist eta = elv_frame_twist(c.model, c.data, tip);
    ElvMat3 R = elv_frame_pose(c.model, c.data, tip).R;
    double expected = elv_vec3_dot(elv_vec3(0.1, 0.2, 0.3), elv_mat3_apply(R, eta.ang)) +
                      elv_vec3_dot(elv_vec3(1.0, 2.0, 3.0), elv_mat3_apply(R, eta.lin));
    ElvTwist middle = elv_frame_twist(c.model, c.data, case_frame(&c, "arm.at(0.5)"));
    expected += 0.4 * middle.ang.y + 5.0 * middle.lin.y;
    // a uniform rod: the mean velocity is that of the centre of mass
    ElvMomentum momentum = elv_momentum(c.model, c.data, c.state);
    expected += 0.5 / momentum.mass * elv_vec3_dot(elv_vec3(4.0, 3.0, 2.0), momentum.linear);
    ElvPowers powers = elv_powers(c.model, c.data, c.state);
    CHECK_TRUE(fabs(expected) > 0.1);
    CHECK_NEAR(powers.loads, expected, 1e-12 * fabs(expected));
    CHECK_TRUE(powers.actuators == 0.0 && powers.dissipated == 0.0 && powers.fluid == 0.0);
    case_close(&c);
}

// ---- losses

static void test_losses(void** unused) {
    (void)unused;
    ModelCase c = case_open(
        "tree:\n"
        "  - {body: a, joint: {revolute: {damping: 0.3, friction: 0.5, friction_speed: 0.2,\n"
        "     stiffness: 4, force: 2}}, mass: 1, inertia: [1, 1, 1]}\n"
        "  - {body: b, joint: {prismatic: {axis: x, upper: 0.5, stop_stiffness: 100,\n"
        "     stop_damping: 0.3, stop_width: 0.01}}, mass: 1}\n"
        "  - {rod: r, length: 0.5, section: {circle: {diameter: 0.02}}, strain: {bend_z: 1},\n"
        "     material: {density: 1000, young: 1e6, poisson: 0.4, damping: 0.02}}\n");
    c.state->q[0] = 0.3;
    c.state->v[0] = 0.7;
    c.state->q[1] = 0.6;
    c.state->v[1] = 2.0;
    c.state->v[2] = 3.0;
    ElvPowers powers = elv_powers(c.model, c.data, c.state);
    double joint = 0.3 * 0.49 + 0.5 * tanh(3.5) * 0.7;
    // the spring of the stop beyond its width, times sqrt(1 + x^2) + x, less itself
    double x = 0.3 * 2.0;
    double stop = 100.0 * (0.1 - 0.005) * (sqrt(1.0 + x * x) + x - 1.0) * 2.0;
    // the rate of a uniform curvature is the only velocity
    double I = 3.14159265358979323846 / 4.0 * 1e-8;
    double spin = elv_frame_twist(c.model, c.data, case_frame(&c, "r.tip")).ang.z;
    double rod = 0.02 * 1e6 * I * (spin / 0.5) * (spin / 0.5) * 0.5;
    CHECK_NEAR(powers.dissipated, joint + stop + rod, 1e-12 * (joint + stop + rod));
    CHECK_NEAR(powers.actuators, 2.0 * 0.7, 1e-14);
    CHECK_TRUE(rod > 1e-4 && powers.fluid == 0.0);
    case_close(&c);
}

// R diag in body axes about the centre of mass; a rod that moves without bending
static void test_fluid(void** unused) {
    (void)unused;
    ModelCase c =
        case_open("tree:\n"
                  "  - {body: a, joint: free, mass: 1, center: [0.1, 0, 0], inertia: [1, 1, 1],\n"
                  "     resistance: [1, 2, 3, 4, 5, 6]}\n"
                  "  - {rod: r, parent: world, joint: {planar: {axis: z}}, length: 0.5, strain: "
                  "{bend_z: 2},\n"
                  "     section: {circle: {diameter: 0.02}}, resistance: [0, 0, 0.1, 2, 3, 4],\n"
                  "     material: {density: 1000, young: 1e6, poisson: 0.4}}\n");
    const double v[6] = {0.1, -0.2, 0.3, 1.0, 2.0, -0.5};
    memcpy(c.state->v, v, sizeof v);
    // angle, then displacements
    const double w[3] = {0.6, 0.2, -0.4};
    memcpy(c.state->v + 6, w, sizeof w);
    // velocity of the centre of mass: v + omega x (0.1, 0, 0)
    double body = 1.0 * v[0] * v[0] + 2.0 * v[1] * v[1] + 3.0 * v[2] * v[2] + 4.0 * v[3] * v[3];
    body += 5.0 * (v[4] + 0.1 * v[2]) * (v[4] + 0.1 * v[2]);
    body += 6.0 * (v[5] - 0.1 * v[1]) * (v[5] - 0.1 * v[1]);
    // along the rod 2 x velocity; across w_y + omega s, integrated from 0 to 0.5
    double across = (pow(w[2] + 0.5 * w[0], 3.0) - pow(w[2], 3.0)) / (3.0 * w[0]);
    double rod = 0.5 * (0.1 * w[0] * w[0] + 2.0 * w[1] * w[1]) + 3.0 * across;
    ElvError error;
    CHECK_STATUS(elv_forward_dynamics(c.model, c.data, c.state, &error), &error);
    ElvPowers powers = elv_powers(c.model, c.data, c.state);
    CHECK_NEAR(powers.fluid, body + rod, 1e-12 * (body + rod));
    CHECK_TRUE(powers.actuators == 0.0 && powers.loads == 0.0 && powers.dissipated == 0.0);
    case_close(&c);
}

// ---- imposed motions

// a pendulum of mass 2 at 0.5 m with q = sin(3 t): torque (J + m l^2) q_ddot + m g l cos(q) + damping q_dot + k q,
// of which springs and weight are stored
static void test_motion(void** unused) {
    (void)unused;
    ModelCase c = case_open(
        "gravity: [0, -10, 0]\n"
        "tree: [{body: a, joint: {revolute: {axis: z, motion: \"sin(3*t)\", damping: 0.2,\n"
        "        stiffness: 4}}, mass: 2, center: [0.5, 0, 0], inertia: [0.1, 0.2, 0.3]}]\n");
    double t = 0.4;
    double q = sin(3.0 * t);
    double v = 3.0 * cos(3.0 * t);
    double torque = (0.3 + 2.0 * 0.25) * -9.0 * q + 2.0 * 10.0 * 0.5 * cos(q) + 0.2 * v + 4.0 * q;
    c.state->t = t;
    elv_state_impose(c.model, c.state);
    ElvPowers powers = elv_powers(c.model, c.data, c.state);
    CHECK_NEAR(powers.actuators, torque * v, 1e-12 * fabs(torque * v));
    CHECK_NEAR(powers.dissipated, 0.2 * v * v, 1e-13);
    case_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fibres), cmocka_unit_test(test_stress), cmocka_unit_test(test_loads),
        cmocka_unit_test(test_losses), cmocka_unit_test(test_fluid),  cmocka_unit_test(test_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
