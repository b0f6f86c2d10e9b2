// SPDX-License-Identifier: Apache-2.0
// Friction, stops and controllers of joints: the laws themselves against their formulas and the energy
// of the stops, and the tangent of the whole residual against its differences, for every type of joint,
// each feature alone and all together.
#include "joint/joint_control.h"

#include "step_case.h"

// ---- single laws

typedef struct {
    ElvJointDef def;
    ElvJointControl control;
    double q[6], v[6], u[6];
    ElvJointInput in;
} Case;

// one component, at rest in 0
static void case_init(Case* c, const ElvLaw* target) {
    const ElvLaw* targets[6] = {target};
    elv_joint_control_init(&c->control, &c->def, 1, true, c->def.position, targets);
    c->in = (ElvJointInput){.load = 1.0, .q = c->q, .v = c->v, .a = c->v, .u = c->u};
}

static double resist(Case* c, double q, double v) {
    double effort = 0.0;
    c->q[0] = q;
    c->v[0] = v;
    elv_joint_control_resist(&c->control, &c->in, &effort);
    return effort;
}

static double drive(Case* c, double q, double v) {
    double effort = 0.0;
    c->q[0] = q;
    c->v[0] = v;
    elv_joint_control_drive(&c->control, &c->in, &effort);
    return effort;
}

static void test_friction(void** unused) {
    (void)unused;
    Case c = {.def = elv_joint_def_default()};
    c.def.friction[0] = 5.0;
    case_init(&c, NULL);
    // far above the speed of the transition the friction is whole, at it 1 - 0.24 of it
    CHECK_NEAR(resist(&c, 0.0, 1.0), -5.0, 0.0);
    CHECK_NEAR(resist(&c, 0.0, -0.1), 5.0, 1e-15);
    CHECK_NEAR(resist(&c, 0.0, 1e-3), -5.0 * 0.76159415595576489, 1e-14);
    CHECK_NEAR(resist(&c, 0.0, 0.0), 0.0, 0.0);
    CHECK_NEAR(drive(&c, 0.0, 1.0), 0.0, 0.0);
}

static void stop_init(Case* c, double damping) {
    c->def = elv_joint_def_default();
    c->def.lower[0] = -0.5;
    c->def.upper[0] = 0.8;
    c->def.stop_stiffness[0] = 100.0;
    c->def.stop_damping[0] = damping;
    c->def.stop_width[0] = 0.1;
    case_init(c, NULL);
}

// nothing between the limits; the push is minus the slope of the energy; exact values by hand
static void test_stop_energy(void** unused) {
    (void)unused;
    Case c;
    stop_init(&c, 0.0);
    CHECK_NEAR(resist(&c, 0.79, 9.0), 0.0, 0.0);
    CHECK_NEAR(resist(&c, -0.49, -9.0), 0.0, 0.0);
    CHECK_NEAR(resist(&c, 0.85, 0.0), -100.0 * 0.05 * 0.05 / 0.2, 1e-14);
    CHECK_NEAR(resist(&c, 1.1, 0.0), -100.0 * 0.25, 1e-13);
    CHECK_NEAR(resist(&c, -0.8, 0.0), 100.0 * 0.25, 1e-13);
    for (double q = -1.0; q < 1.3; q += 0.0137) {
        double U[4], h = 1e-4;
        for (int i = 0; i < 4; i++) {
            double at = q + (i < 2 ? i - 2 : i - 1) * h;
            U[i] = elv_joint_control_energy(&c.control, &at);
        }
        // fourth order: exact on the cubic pieces but where one ends within the stencil
        double slope = (8.0 * (U[2] - U[1]) - (U[3] - U[0])) / (12.0 * h);
        CHECK_NEAR(resist(&c, q, 3.0), -slope, 100.0 / 0.1 * h * h);
    }
}

// a stop pushes whatever the speed, grows with the speed of approach, and has no kink in q
static void test_stop_damping(void** unused) {
    (void)unused;
    Case c, still;
    stop_init(&c, 0.4);
    stop_init(&still, 0.0);
    for (double v = -200.0; v <= 200.0; v += 7.3) {
        double last = resist(&c, 0.95, v);
        CHECK_TRUE(last < 0.0 && resist(&c, -0.6, v) > 0.0);
        CHECK_TRUE(resist(&c, 0.95, v + 1.0) < last);
        // s(x) s(-x) = 1
        double elastic = resist(&still, 0.95, 0.0);
        CHECK_NEAR(last * resist(&c, 0.95, -v), elastic * elastic, 1e-11 * elastic * elastic);
    }
    // Hunt and Crossley to first order
    double slope = (resist(&c, 1.0, 1e-4) - resist(&c, 1.0, -1e-4)) / 2e-4;
    CHECK_NEAR(slope / resist(&c, 1.0, 0.0), 0.4, 1e-8);

    // one-sided slopes agree at the limit and where the ramp ends, to what h changes them
    const double place[4] = {0.8, 0.9, -0.5, -0.6};
    for (int i = 0; i < 4; i++) {
        double h = 1e-6, q = place[i], f = resist(&c, q, 2.0);
        double right = (resist(&c, q + h, 2.0) - f) / h, left = (f - resist(&c, q - h, 2.0)) / h;
        CHECK_NEAR(right, left, 100.0 / 0.1 * 3.0 * h);
    }
}

static void test_controller(void** unused) {
    (void)unused;
    ElvError error;
    ElvLaw* target = NULL;
    CHECK_STATUS(elv_law_formula("0.5 + 2*t^2", NULL, 0, &target, &error), &error);
    Case c = {.def = elv_joint_def_default()};
    c.def.kp[0] = 3.0;
    c.def.kd[0] = 0.7;
    c.def.ki[0] = 1.3;
    c.def.position[0] = 0.2;
    case_init(&c, target);
    CHECK_TRUE(c.control.n_channel == 1 && c.control.channel[0] == 0);
    c.in.t = 0.4;
    c.u[0] = -0.6;
    double x = 3.0 * (0.82 - 0.1) + 0.7 * (1.6 - 0.25) - 1.3 * 0.6;
    CHECK_NEAR(drive(&c, 0.1, 0.25), x, 1e-15);
    CHECK_NEAR(resist(&c, 0.1, 0.25), 0.0, 0.0);

    // statics: laws have no rates; load stepping starts where the joint is
    c.in.is_static = true;
    CHECK_NEAR(drive(&c, 0.1, 0.0), x - 0.7 * 1.35, 1e-15);
    c.in.load = 0.0;
    CHECK_NEAR(drive(&c, 0.2, 0.0), -1.3 * 0.6, 1e-15);
    c.in.is_static = false;
    c.in.load = 1.0;

    // the limit is never passed, and does nothing to small efforts: tanh x = x - x^3/3
    c.def.max_effort[0] = 2.0;
    case_init(&c, target);
    c.in.t = 0.4;
    CHECK_NEAR(drive(&c, 0.1, 0.25), 2.0 * tanh(x / 2.0), 1e-15);
    CHECK_NEAR(drive(&c, -1e6, 0.0), 2.0, 0.0);
    CHECK_NEAR(drive(&c, 1e6, 0.0), -2.0, 0.0);
    elv_law_free(target);
}

// the channel: what the integral does to the effort, and what it measures
static void test_channel(void** unused) {
    (void)unused;
    ElvJointControl control;
    ElvJointDef def = elv_joint_def_default();
    for (int k = 0; k < 3; k++) {
        def.kp[k] = 2.0;
        def.kd[k] = 0.3;
        def.max_effort[k] = 1.5;
    }
    def.ki[1] = 4.0;
    elv_joint_control_init(&control, &def, 3, true, def.position, NULL);
    CHECK_TRUE(control.n_channel == 1 && control.component[0] == 1 && control.channel[0] == -1);
    double q[3] = {0.1, 0.2, 0.3}, v[3] = {0.5, -0.6, 0.7}, u = 0.15;
    double effort[3], d_value[3], d_factor[3], sum[2][3] = {{0.0}};
    ElvJointInput in = {.load = 1.0, .q = q, .v = v, .a = v, .u = &u};
    ElvChannel channel = {.effort = effort, .d_value = d_value, .d_factor = d_factor};
    elv_joint_control_channel(&control, &in, 0, &channel);
    const double h = 1e-4, unit[3] = {0.0, 1.0, 0.0}, zero[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < 2; i++) {
        u = 0.15 + (i == 0 ? -h : h);
        elv_joint_control_drive(&control, &in, sum[i]);
    }
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(effort[k], (sum[1][k] - sum[0][k]) / (2.0 * h), 64.0 * h * h);
    }
    CHECK_ARRAY_NEAR(d_value, unit, 3, 0.0);
    CHECK_ARRAY_NEAR(d_factor, zero, 3, 0.0);
    CHECK_NEAR(channel.value, 0.2, 0.0);
    CHECK_NEAR(channel.rate, -0.6, 0.0);
    CHECK_NEAR(channel.factor, 1.0, 0.0);
}

// ---- tangents

enum { FRICTION = 1, STOPS = 2, CONTROL = 4, LIMIT = 8, CALLBACK = 16, GEAR = 32, ALL = 63 };

/// A controller that couples the components; with a quaternion: the moment of a weight, and a brake.
typedef struct {
    int n;
    bool has_quaternion;
} Coupling;

static void couple(
    void* user, double t, const double* q, const double* v, double* effort, double* K, double* D) {
    const Coupling* coupling = user;
    int n = coupling->n;
    for (int i = 0; i < n; i++) {
        int j = (i + 1) % n;
        effort[i] -= v[i] * v[j] * v[j] + t * v[j];
        if (D) {
            D[i * n + i] += v[j] * v[j];
            D[i * n + j] += 2.0 * v[i] * v[j] + t;
        }
        if (!coupling->has_quaternion) {
            effort[i] += sin(q[i] + 2.0 * q[j]) * v[i];
            if (K) {
                K[i * n + i] -= cos(q[i] + 2.0 * q[j]) * v[i];
                K[i * n + j] -= 2.0 * cos(q[i] + 2.0 * q[j]) * v[i];
                D[i * n + i] -= sin(q[i] + 2.0 * q[j]);
            }
        }
    }
    if (coupling->has_quaternion) {
        // m x (R^T g): d(R^T g) = (R^T g) x u
        ElvVec3 m = elv_vec3(0.3, -0.2, 0.5), g = elv_vec3(1.0, 2.0, -3.0);
        ElvMat3 R = elv_quat_to_matrix(elv_quat(q[0], q[1], q[2], q[3]));
        ElvVec3 g_body = elv_mat3_apply_transpose(R, g), moment = elv_vec3_cross(m, g_body);
        effort[0] += moment.x;
        effort[1] += moment.y;
        effort[2] += moment.z;
        ElvMat3 slope = elv_mat3_mul(elv_mat3_hat(m), elv_mat3_hat(g_body));
        for (int i = 0; i < 9 && K; i++) {
            K[i / 3 * n + i % 3] -= slope.m[i / 3][i % 3];
        }
    }
}

static void add_features(ElvJointDef* joint, int features, Coupling* coupling, CheckRandom* r) {
    bool is_scalar = joint->type != ELV_JOINT_SPHERICAL && joint->type != ELV_JOINT_FREE;
    for (int k = 0; k < 6; k++) {
        if (features & FRICTION) {
            joint->friction[k] = check_uniform(r, 1.0, 3.0);
            joint->friction_speed[k] = check_uniform(r, 0.5, 1.5);
        }
        if (features & GEAR) {
            joint->gear[k] = check_uniform(r, -3.0, -2.0);
            joint->rotor_inertia[k] = check_uniform(r, 0.05, 0.1);
        }
        if ((features & STOPS) && is_scalar) {
            // coordinates are within 0.8: deep in one of the stops, on either piece of its law
            bool is_upper = check_uniform(r, 0.0, 1.0) < 0.5;
            joint->lower[k] = is_upper ? -INFINITY : 1.5;
            joint->upper[k] = is_upper ? -1.5 : INFINITY;
            joint->stop_stiffness[k] = check_uniform(r, 2.0, 4.0);
            joint->stop_damping[k] = check_uniform(r, 0.2, 0.8);
            joint->stop_width[k] = check_uniform(r, 0.0, 1.0) < 0.5 ? 0.3 : 4.0;
        }
        if ((features & (CONTROL | LIMIT)) && is_scalar) {
            joint->kp[k] = check_uniform(r, 2.0, 4.0);
            joint->kd[k] = check_uniform(r, 0.5, 1.0);
            joint->target[k] = elv_law_def_formula("0.4*sin(2*t) + 0.1");
            joint->max_effort[k] = features & LIMIT ? check_uniform(r, 2.0, 4.0) : INFINITY;
        }
    }
    if ((features & CALLBACK) && coupling->n > 0) {
        joint->callback = couple;
        joint->user = coupling;
    }
}

static Robot feature_robot(ElvJointType type, int features, Coupling* coupling, CheckRandom* r) {
    ElvSpec* spec = new_spec();
    ElvBodyDef body = elv_body_def_default();
    body.name = "base";
    body.mass = 2.0;
    body.inertia = elv_mat3_diag(0.3, 0.4, 0.5);
    body.has_inertia = true;
    body.joint.type = ELV_JOINT_FREE;
    add_body(spec, &body);
    body.name = "arm";
    body.parent = "base";
    body.pose.p = elv_vec3(0.1, 0.2, -0.3);
    body.center = elv_vec3(0.2, -0.1, 0.1);
    body.joint.type = type;
    body.joint.pitch = 0.1;
    body.joint.axis = elv_vec3(0.3, 0.4, 1.0);
    add_features(&body.joint, features, coupling, r);
    add_body(spec, &body);
    body.name = "hand";
    body.parent = "arm";
    body.joint = elv_joint_def_default();
    body.joint.type = ELV_JOINT_REVOLUTE;
    add_body(spec, &body);
    return robot_compile(spec);
}

static const int kinds[] = {FRICTION, STOPS, CONTROL, LIMIT, CALLBACK, GEAR, ALL};
static const double coefficients[2][2] = {{2.0, 4.0}, {0.0, 0.0}};

static void check_tangent(int type, int features, const double ab[2]) {
    static const int n_v[ELV_N_JOINT_TYPE] = {0, 1, 1, 1, 2, 2, 3, 3, 6};
    CheckRandom r = check_random((uint64_t)(1000 * type + features));
    Coupling coupling = {n_v[type], type >= ELV_JOINT_SPHERICAL};
    Robot robot = feature_robot((ElvJointType)type, features, &coupling, &r);
    random_state(&r, &robot, ab[0] != 0.0 ? 1.0 : 0.0);
    Step step = step_create(&r, &robot, ab[0], ab[1]);
    double* jacobian = step_tangent(&step);
    double coarse = tangent_error(&step, jacobian, 2e-2, 2);
    double fine = tangent_error(&step, jacobian, 5e-3, 2);
    // order 4: truncation (a h)^4 = 1e-11 times fifth derivatives of tens, rounding 1e-13
    double floor = tangent_error(&step, jacobian, 1e-3, 4);
    bool is_slope_two = coarse < 1e-8 || (coarse / fine > 14.0 && coarse / fine < 18.0);
    if (!is_slope_two || !(floor < 1e-8)) {
        print_error("%s, features %d: errors %.3g %.3g, floor %.3g\n",
                    elv_joint_type_name((ElvJointType)type), features, coarse, fine, floor);
        CHECK_TRUE(false);
    }
    free(jacobian);
    step_free(&step);
    robot_free(&robot);
}

static void test_tangent(void** unused) {
    (void)unused;
    for (int type = 0; type < ELV_N_JOINT_TYPE; type++) {
        for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
            // a fixed joint has no effort at all
            int features = type == ELV_JOINT_FIXED ? 0 : kinds[i];
            check_tangent(type, features, coefficients[0]);
            check_tangent(type, features, coefficients[1]);
        }
    }
}

// the tangent with accelerations alone is the mass matrix, rotors behind gears included
static void test_gear_mass(void** unused) {
    (void)unused;
    CheckRandom r = check_random(3);
    Coupling coupling = {1, false};
    Robot robot = feature_robot(ELV_JOINT_CYLINDRICAL, GEAR, &coupling, &r);
    random_state(&r, &robot, 1.0);
    int n = robot.nv;
    double *M = new_array(n * n), *M_idm = new_array(n * n);
    elv_mass_matrix(robot.model, robot.data, robot.state, M);
    elv_mass_matrix_idm(robot.model, robot.data, robot.state, M_idm);
    CHECK_BOUND(scaled_difference(n, M, M_idm, M), 1e-13, r.seed);
    free(M);
    free(M_idm);
    robot_free(&robot);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_friction),     cmocka_unit_test(test_stop_energy),
        cmocka_unit_test(test_stop_damping), cmocka_unit_test(test_controller),
        cmocka_unit_test(test_channel),      cmocka_unit_test(test_tangent),
        cmocka_unit_test(test_gear_mass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
