// SPDX-License-Identifier: Apache-2.0
// Closed forms: accelerations and periods of pendulums, rigid and flexible, of mechanisms on each
// kind of joint, of a top and of a free body; efforts of driven joints.
#include "robot.h"

static const double G = 9.81;

static double pi(void) {
    return acos(-1.0);
}

// a point mass at the end of a light arm along x, on a joint at the world's origin
static ElvBodyDef bob(ElvJointType type, double length, double mass) {
    ElvBodyDef def = elv_body_def_default();
    def.name = "bob";
    def.joint.type = type;
    def.center = elv_vec3(length, 0.0, 0.0);
    def.mass = mass;
    return def;
}

static Robot make_robot(const ElvBodyDef* def, ElvVec3 gravity) {
    ElvSpec* spec = new_spec();
    elv_spec_set_gravity(spec, gravity);
    add_body(spec, def);
    return robot_compile(spec);
}

static const double* accelerate(const Robot* robot) {
    ElvError error;
    CHECK_STATUS(elv_forward_dynamics(robot->model, robot->data, robot->state, &error), &error);
    return robot->state->a;
}

static void simulate(const Robot* robot, double t_end) {
    ElvError error;
    ElvSimulateOptions options = elv_simulate_options_default(robot->model, robot->state);
    options.method.method = ELV_METHOD_EXPLICIT;
    options.method.rel_tol = 1e-12;
    options.method.abs_tol = 1e-13;
    options.method.order = 8;
    options.method.duration = options.t_end = options.record_every = t_end;
    CHECK_STATUS(elv_simulate(robot->model, robot->state, &options, NULL, &error), &error);
}

// ---- one joint

// gravity along x: l theta'' = -g sin(theta), period 4 sqrt(l/g) K(sin(theta_0/2)), with K from the
// arithmetic-geometric mean
static void test_simple_pendulum(void** context) {
    (void)context;
    double l = 0.7, theta = 2.0;
    ElvBodyDef def = bob(ELV_JOINT_REVOLUTE, l, 1.7);
    def.joint.position[0] = theta;
    Robot robot = make_robot(&def, elv_vec3(G, 0.0, 0.0));
    CHECK_NEAR(accelerate(&robot)[0], -G / l * sin(theta), 1e-14 * G / l);
    double a = 1.0, b = cos(0.5 * theta);
    for (int i = 0; i < 6; i++) {
        double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    double period = 2.0 * pi() * sqrt(l / G) / a;
    simulate(&robot, period);
    CHECK_NEAR(robot.state->q[0], theta, 1e-10);
    CHECK_NEAR(robot.state->v[0], 0.0, 1e-9);
    robot_free(&robot);
}

// a physical pendulum, its centre off the body frame, a rotor, a spring and a damper on its joint:
// (J_c + m c^2 + J_rotor) theta'' = -m g c sin(theta) - k (theta - theta_0) - d theta'
static void test_physical_pendulum(void** context) {
    (void)context;
    double m = 2.0, c = 0.4, J = 0.05, rotor = 0.03, k = 1.5, rest = 0.2, d = 0.3;
    ElvBodyDef def = elv_body_def_default();
    def.name = "body";
    def.joint.type = ELV_JOINT_REVOLUTE;
    def.body_pose.p = elv_vec3(0.9, 0.0, 0.0);
    def.center = elv_vec3(c - 0.9, 0.0, 0.3);
    def.mass = m;
    def.inertia = elv_mat3_diag(0.02, 0.04, J);
    def.has_inertia = true;
    def.joint.rotor_inertia[0] = rotor;
    def.joint.stiffness[0] = k;
    def.joint.rest[0] = rest;
    def.joint.damping[0] = d;
    Robot robot = make_robot(&def, elv_vec3(G, 0.0, 0.0));
    robot.state->q[0] = 0.8;
    robot.state->v[0] = -1.1;
    double moment = -m * G * c * sin(0.8) - k * (0.8 - rest) + d * 1.1;
    CHECK_NEAR(accelerate(&robot)[0], moment / (J + m * c * c + rotor), 1e-13);
    robot_free(&robot);
}

// sliding down an incline: a = g sin; down a screw of pitch p: (J + m p^2) theta'' = m g p
static void test_slide_and_screw(void** context) {
    (void)context;
    ElvBodyDef def = bob(ELV_JOINT_PRISMATIC, 0.0, 3.0);
    def.joint.axis = elv_vec3(3.0, 0.0, -4.0);
    Robot robot = make_robot(&def, elv_vec3(0.0, 0.0, -G));
    CHECK_NEAR(accelerate(&robot)[0], 0.8 * G, 1e-13);
    robot_free(&robot);
    def.joint.type = ELV_JOINT_HELICAL;
    def.joint.axis = elv_vec3(0.0, 0.0, 1.0);
    def.joint.pitch = 0.1;
    def.inertia = elv_mat3_diag(0.02, 0.02, 0.03);
    def.has_inertia = true;
    robot = make_robot(&def, elv_vec3(0.0, 0.0, -G));
    CHECK_NEAR(accelerate(&robot)[0], -3.0 * G * 0.1 / (0.03 + 3.0 * 0.01), 1e-12);
    robot_free(&robot);
}

// cylindrical: turning and falling are independent; planar: r'' = r w^2 outwards in the plane is
// absent, the centre flies straight while the frame turns about it
static void test_cylinder_and_plane(void** context) {
    (void)context;
    double l = 0.5;
    ElvBodyDef def = bob(ELV_JOINT_CYLINDRICAL, l, 2.0);
    Robot robot = make_robot(&def, elv_vec3(G, 0.0, -2.0 * G));
    robot.state->q[0] = 0.7;
    robot.state->v[0] = 3.0;
    const double* a = accelerate(&robot);
    CHECK_NEAR(a[0], -G / l * sin(0.7), 1e-12);
    CHECK_NEAR(a[1], -2.0 * G, 1e-13);
    robot_free(&robot);
    def.joint.type = ELV_JOINT_PLANAR;
    def.inertia = elv_mat3_diag(0.1, 0.1, 0.1);
    def.has_inertia = true;
    robot = make_robot(&def, elv_vec3(0.0, G, 0.0));
    robot.state->q[0] = 0.7;
    robot.state->v[0] = 3.0;
    a = accelerate(&robot);
    // frame origin = centre - l (cos, sin): no torque about the centre
    CHECK_NEAR(a[0], 0.0, 1e-12);
    CHECK_NEAR(a[1], l * 9.0 * cos(0.7), 1e-12);
    CHECK_NEAR(a[2], G + l * 9.0 * sin(0.7), 1e-12);
    robot_free(&robot);
}

// a universal joint whose axes cross at right angles is a pendulum in spherical angles: with
// R = Rz(phi) Ry(theta) the bob is at l (cos theta cos phi, cos theta sin phi, -sin theta), and
//     phi'' cos(theta) = 2 theta' phi' sin(theta),  theta'' = -phi'^2 sin(theta) cos(theta) + g/l cos
// for gravity along -z
static void test_spherical_angles(void** context) {
    (void)context;
    double l = 0.6, theta = 0.4, phi_dot = 1.3, theta_dot = -0.8;
    ElvBodyDef def = bob(ELV_JOINT_UNIVERSAL, l, 1.2);
    Robot robot = make_robot(&def, elv_vec3(0.0, 0.0, -G));
    robot.state->q[0] = 0.9;
    robot.state->q[1] = theta;
    robot.state->v[0] = phi_dot;
    robot.state->v[1] = theta_dot;
    const double* a = accelerate(&robot);
    CHECK_NEAR(a[0], 2.0 * theta_dot * phi_dot * tan(theta), 1e-13);
    CHECK_NEAR(a[1], (G / l - phi_dot * phi_dot * sin(theta)) * cos(theta), 1e-12);
    robot_free(&robot);
}

// ---- tops

// a heavy symmetric top whose axis lies level precesses steadily, w = m g c / (J_3 spin) when the
// spin about the figure axis is the total one and J_1 w^2 sin cos = 0 there
static void test_level_top(void** context) {
    (void)context;
    double m = 0.5, c = 0.1, J3 = 2e-3, spin = 120.0;
    ElvBodyDef def = bob(ELV_JOINT_SPHERICAL, c, m);
    def.inertia = elv_mat3_diag(J3, 1.5e-3, 1.5e-3);
    def.has_inertia = true;
    Robot robot = make_robot(&def, elv_vec3(0.0, 0.0, -G));
    double w = m * G * c / (J3 * spin);
    robot.state->v[0] = spin;
    robot.state->v[2] = w;
    // after a quarter turn the figure axis is along y
    simulate(&robot, 0.5 * pi() / w);
    elv_kinematics(robot.model, robot.data, robot.state);
    ElvVec3 axis =
        elv_mat3_column(elv_frame_pose(robot.model, robot.data, frame_of(&robot, "bob")).R, 0);
    CHECK_NEAR(axis.x, 0.0, 1e-9);
    CHECK_NEAR(axis.y, 1.0, 1e-9);
    CHECK_NEAR(axis.z, 0.0, 1e-9);
    robot_free(&robot);
}

// a free symmetric body: w_3 constant, the transverse rate turns at (J_3 - J_1) w_3 / J_1 in the
// body, while the centre of mass, off the frame's origin, flies straight
static void test_free_body(void** context) {
    (void)context;
    double J1 = 0.3, J3 = 0.5, spin = 4.0, side = 1.0, t = 2.5;
    ElvBodyDef def = bob(ELV_JOINT_FREE, 0.2, 1.5);
    def.inertia = elv_mat3_diag(J3, J1, J1);
    def.has_inertia = true;
    Robot robot = make_robot(&def, elv_vec3(0.0, 0.0, 0.0));
    robot.state->v[0] = spin;
    robot.state->v[1] = side;
    robot.state->v[5] = 0.7;
    ElvMomentum before = elv_momentum(robot.model, robot.data, robot.state);
    simulate(&robot, t);
    double angle = (J3 - J1) / J1 * spin * t;
    CHECK_NEAR(robot.state->v[0], spin, 1e-10);
    CHECK_NEAR(robot.state->v[1], side * cos(angle), 1e-9);
    CHECK_NEAR(robot.state->v[2], side * sin(angle), 1e-9);
    ElvMomentum after = elv_momentum(robot.model, robot.data, robot.state);
    ElvVec3 expected = elv_vec3_add_scaled(before.center, t / 1.5, before.linear);
    CHECK_NEAR(elv_vec3_norm(elv_vec3_sub(after.center, expected)), 0.0, 1e-9);
    robot_free(&robot);
}

// ---- two links

// equations of the double pendulum in absolute angles, gravity along x, rods without mass:
//     (m1 + m2) l1 A + m2 l2 B cos(d) + m2 l2 b^2 sin(d) = -(m1 + m2) g sin(alpha)
//     l2 B + l1 A cos(d) - l1 a^2 sin(d) = -g sin(beta),    d = alpha - beta
static void test_double_pendulum(void** context) {
    (void)context;
    double m1 = 1.1, m2 = 0.6, l1 = 0.5, l2 = 0.8;
    double alpha = 0.9, beta = -0.4, a = 1.7, b = -2.2, d = alpha - beta;
    ElvBodyDef def = bob(ELV_JOINT_REVOLUTE, l1, m1);
    ElvSpec* spec = new_spec();
    elv_spec_set_gravity(spec, elv_vec3(G, 0.0, 0.0));
    add_body(spec, &def);
    def = bob(ELV_JOINT_REVOLUTE, l2, m2);
    def.name = "second";
    def.parent = "bob";
    def.pose.p = elv_vec3(l1, 0.0, 0.0);
    add_body(spec, &def);
    Robot robot = robot_compile(spec);
    robot.state->q[0] = alpha;
    robot.state->q[1] = beta - alpha;
    robot.state->v[0] = a;
    robot.state->v[1] = b - a;
    accelerate(&robot);
    double A = robot.state->a[0], B = robot.state->a[0] + robot.state->a[1];
    double first = (m1 + m2) * (l1 * A + G * sin(alpha)) + m2 * l2 * (B * cos(d) + b * b * sin(d));
    double second = l2 * B + l1 * A * cos(d) - l1 * a * a * sin(d) + G * sin(beta);
    CHECK_NEAR(first, 0.0, 1e-12);
    CHECK_NEAR(second, 0.0, 1e-12);
    robot_free(&robot);
}

// ---- rods as pendulums

static ElvRodDef thin_rod(const ElvElementDef* element) {
    ElvRodDef def = elv_rod_def_default();
    def.name = "rod";
    def.length = 0.9;
    def.joint.type = ELV_JOINT_REVOLUTE;
    def.stiffness.n = def.inertia.n = 6;
    for (int k = 0; k < 6; k++) {
        def.stiffness.entry[k] = elv_law_def_value(1.0);
        def.inertia.entry[k] = elv_law_def_value(k < 3 ? 0.0 : 0.4);
    }
    def.element = element;
    def.n_element = 1;
    return def;
}

// without modes a rod is a rigid bar: theta'' = -3 g sin(theta) / (2 l); bent at rest to a half
// circle it is a rigid arc: radius r = l/pi, centre of mass 2 r/pi from the circle's centre
static void test_rigid_rods(void** context) {
    (void)context;
    ElvElementDef element = elv_element_def_default();
    element.nodes = 24;
    ElvRodDef def = thin_rod(&element);
    ElvSpec* spec = new_spec();
    elv_spec_set_gravity(spec, elv_vec3(G, 0.0, 0.0));
    add_rod(spec, &def);
    Robot robot = robot_compile(spec);
    robot.state->q[0] = 0.5;
    CHECK_NEAR(accelerate(&robot)[0], -1.5 * G / 0.9 * sin(0.5), 1e-12);
    robot_free(&robot);
    // the arc starts along x and turns to y: its chord, 2 r, is along y
    double r = 0.9 / pi(), m = 0.4 * 0.9;
    def.reference[ELV_STRAIN_BEND_Z] = elv_law_def_value(1.0 / r);
    spec = new_spec();
    elv_spec_set_gravity(spec, elv_vec3(G, 0.0, 0.0));
    add_rod(spec, &def);
    robot = robot_compile(spec);
    // centre of mass c = (2 r/pi, r); J = m r^2 about the circle's centre (0, r), so that about the
    // root J = m r^2 - m (2 r/pi)^2 + m |c|^2 = 2 m r^2
    double moment = -m * G * r;
    CHECK_NEAR(accelerate(&robot)[0], moment / (2.0 * m * r * r), 1e-11);
    robot_free(&robot);
}

// ---- loads

// a force along y and a torque about z at the bob: a dead force works on the arm l cos(theta), a
// follower one on l
static void test_loads(void** context) {
    (void)context;
    double l = 0.5, m = 2.0, theta = 0.8;
    for (int i = 0; i < 2; i++) {
        ElvError error;
        ElvBodyDef def = bob(ELV_JOINT_REVOLUTE, l, m);
        ElvFrameDef frame = elv_frame_def_default();
        frame.name = "end";
        frame.on = "bob";
        frame.pose.p = elv_vec3(l, 0.0, 0.0);
        ElvWrenchDef load = elv_wrench_def_default();
        load.at = "end";
        load.axes = i == 0 ? ELV_AXES_WORLD : ELV_AXES_LOCAL;
        load.wrench[2] = elv_law_def_value(0.4);
        load.wrench[4] = elv_law_def_formula("3*t");
        load.when = elv_law_def_formula("t < 2");
        ElvSpec* spec = new_spec();
        add_body(spec, &def);
        CHECK_STATUS(elv_spec_add_frame(spec, &frame, &error), &error);
        CHECK_STATUS(elv_spec_add_wrench(spec, &load, &error), &error);
        Robot robot = robot_compile(spec);
        robot.state->t = 1.5;
        robot.state->q[0] = theta;
        double arm = i == 0 ? l * cos(theta) : l;
        CHECK_NEAR(accelerate(&robot)[0], (0.4 + 4.5 * arm) / (m * l * l), 1e-13);
        robot.state->t = 2.5;
        CHECK_NEAR(accelerate(&robot)[0], 0.0, 0.0);
        robot_free(&robot);
    }
}

// ---- driven joints

// the effort of a driven pendulum: J theta'' + m g l sin(theta) + k theta + d theta'
static void test_driven_pendulum(void** context) {
    (void)context;
    double m = 1.3, l = 0.5, k = 0.7, d = 0.2, t = 0.4;
    ElvBodyDef def = bob(ELV_JOINT_REVOLUTE, l, m);
    def.joint.drive = ELV_DRIVE_MOTION;
    def.joint.law[0] = elv_law_def_formula("0.8*sin(3*t)");
    def.joint.stiffness[0] = k;
    def.joint.damping[0] = d;
    Robot robot = make_robot(&def, elv_vec3(G, 0.0, 0.0));
    robot.state->t = t;
    accelerate(&robot);
    double q = 0.8 * sin(3.0 * t), v = 2.4 * cos(3.0 * t), a = -7.2 * sin(3.0 * t), effort = 0.0;
    elv_drive_efforts(robot.model, robot.data, robot.state, &effort);
    CHECK_NEAR(effort, m * l * l * a + m * G * l * sin(q) + k * q + d * v, 1e-13);
    robot_free(&robot);
}

// a bob on a carriage that is moved by x = b sin(w t): theta'' = -(g sin(theta) + y'' cos(theta))/l,
// with gravity along x and the motion along y
static void test_moving_pivot(void** context) {
    (void)context;
    double l = 0.5, t = 0.3, theta = 0.6;
    ElvBodyDef carriage = elv_body_def_default();
    carriage.name = "carriage";
    carriage.joint.type = ELV_JOINT_PRISMATIC;
    carriage.joint.axis = elv_vec3(0.0, 1.0, 0.0);
    carriage.joint.drive = ELV_DRIVE_MOTION;
    carriage.joint.law[0] = elv_law_def_formula("0.2*sin(5*t)");
    ElvBodyDef def = bob(ELV_JOINT_REVOLUTE, l, 1.0);
    def.parent = "carriage";
    ElvSpec* spec = new_spec();
    elv_spec_set_gravity(spec, elv_vec3(G, 0.0, 0.0));
    add_body(spec, &carriage);
    add_body(spec, &def);
    Robot robot = robot_compile(spec);
    robot.state->t = t;
    robot.state->q[1] = theta;
    double y_ddot = -5.0 * sin(5.0 * t);
    double expected = -(G * sin(theta) + y_ddot * cos(theta)) / l, effort[2];
    CHECK_NEAR(accelerate(&robot)[1], expected, 1e-13);
    // Newton's law across: the drive carries m (y'' + l theta'' cos(theta)), at rest theta' = 0
    elv_drive_efforts(robot.model, robot.data, robot.state, effort);
    CHECK_NEAR(effort[0], y_ddot + l * expected * cos(theta), 1e-13);
    CHECK_NEAR(effort[1], 0.0, 0.0);
    robot_free(&robot);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_simple_pendulum),  cmocka_unit_test(test_physical_pendulum),
        cmocka_unit_test(test_slide_and_screw),  cmocka_unit_test(test_cylinder_and_plane),
        cmocka_unit_test(test_spherical_angles), cmocka_unit_test(test_level_top),
        cmocka_unit_test(test_free_body),        cmocka_unit_test(test_double_pendulum),
        cmocka_unit_test(test_rigid_rods),       cmocka_unit_test(test_driven_pendulum),
        cmocka_unit_test(test_moving_pivot),     cmocka_unit_test(test_loads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
