// SPDX-License-Identifier: Apache-2.0
// Forward sweep of a rod: poses against closed forms (arc, helix, clothoid) and Runge-Kutta on
// matrices, twists and accelerations against differences of poses (slope 2), convergence in the
// number of nodes, stations between nodes, strains at rest that jump.
#include "model_case.h"

#include "rod/rod.h"

// a rod 2 m long; the arguments are its strains, basis, nodes
#define ROD_TEXT                                                                                   \
    "tree:\n"                                                                                      \
    "  - rod: rod\n"                                                                               \
    "    length: 2\n"                                                                              \
    "    section: {circle: {diameter: 0.02}}\n"                                                    \
    "    material: {density: 1000, young: 1e6}\n"                                                  \
    "    strain: %s\n"                                                                             \
    "    basis: %s\n"                                                                              \
    "    nodes: %d\n"

static const double LENGTH = 2.0;

static void check_pose(ElvPose actual, ElvPose expected, double tol) {
    CHECK_ARRAY_NEAR(&actual.R.m[0][0], &expected.R.m[0][0], 9, tol);
    CHECK_ARRAY_NEAR(&actual.p.x, &expected.p.x, 3, tol);
}

static double pose_distance(ElvPose a, ElvPose b) {
    return fmax(largest_difference(&a.R.m[0][0], &b.R.m[0][0], 9),
                largest_difference(&a.p.x, &b.p.x, 3));
}

// ---- closed forms

// bending about z turns x towards y, bending about y turns x towards -z
static void test_arc(void** state) {
    (void)state;
    ModelCase c = case_open(ROD_TEXT "frames: [{name: mid, on: rod.at(0.35)}]\n",
                            "{bend_y: 1, bend_z: 1}", "legendre", 0);
    for (int trial = 0; trial < 5; trial++) {
        double k = 0.6 * trial - 1.0;
        for (int i = 0; i < 2; i++) {
            double X = i == 0 ? 0.35 * LENGTH : LENGTH;
            const char* place = i == 0 ? "mid" : "rod.tip";
            ElvPose z = elv_pose_identity();
            z.R.m[0][0] = z.R.m[1][1] = cos(k * X);
            z.R.m[1][0] = sin(k * X);
            z.R.m[0][1] = -sin(k * X);
            z.p = elv_vec3(sin(k * X) / k, (1.0 - cos(k * X)) / k, 0.0);
            c.state->q[0] = 0.0;
            c.state->q[1] = k;
            check_pose(case_pose(&c, place), z, 1e-14);

            ElvPose y = elv_pose_identity();
            y.R.m[0][0] = y.R.m[2][2] = cos(k * X);
            y.R.m[2][0] = -sin(k * X);
            y.R.m[0][2] = sin(k * X);
            y.p = elv_vec3(sin(k * X) / k, 0.0, -(1.0 - cos(k * X)) / k);
            c.state->q[0] = k;
            c.state->q[1] = 0.0;
            check_pose(case_pose(&c, place), y, 1e-14);
        }
    }
    case_close(&c);
}

// constant strains: a screw about u = K/|K|, also with stretch and shear
static void test_helix(void** state) {
    (void)state;
    ModelCase c = case_open(ROD_TEXT, "{reissner: 1}", "legendre", 0);
    CheckRandom random = check_random(4);
    for (int trial = 0; trial < 20; trial++) {
        for (int i = 0; i < 6; i++) {
            c.state->q[i] = check_uniform(&random, -1.0, 1.0);
        }
        ElvVec3 K = elv_vec3(c.state->q[0], c.state->q[1], c.state->q[2]);
        ElvVec3 gamma = elv_vec3(1.0 + c.state->q[3], c.state->q[4], c.state->q[5]);
        double k = elv_vec3_norm(K);
        ElvVec3 u = elv_vec3_scale(1.0 / k, K);
        ElvVec3 along = elv_vec3_scale(elv_vec3_dot(u, gamma), u);
        ElvVec3 across = elv_vec3_sub(gamma, along);
        ElvVec3 p = elv_vec3_scale(LENGTH, along);
        p = elv_vec3_add_scaled(p, sin(k * LENGTH) / k, across);
        p = elv_vec3_add_scaled(p, (1.0 - cos(k * LENGTH)) / k, elv_vec3_cross(u, across));
        ElvPose tip = case_pose(&c, "rod.tip");
        CHECK_ARRAY_NEAR(&tip.p.x, &p.x, 3, 1e-13);
        // the axis is not turned
        ElvVec3 turned = elv_mat3_apply(tip.R, u);
        CHECK_ARRAY_NEAR(&turned.x, &u.x, 3, 1e-13);
    }
    case_close(&c);
}

// curvature a + b X: position = integral of (cos, sin)(a X + b X^2/2), by Simpson's rule
static void test_clothoid(void** state) {
    (void)state;
    enum { N = 4000 };
    ModelCase c = case_open(ROD_TEXT, "{bend_z: 2}", "monomial", 24);
    double a = -1.5;
    double b = 2.5;
    c.state->q[0] = a;
    c.state->q[1] = b * LENGTH; // modes are powers of s
    double x = 0.0;
    double y = 0.0;
    for (int i = 0; i <= 2 * N; i++) {
        double X = LENGTH * i / (2.0 * N);
        double w = (i == 0 || i == 2 * N ? 1.0 : i % 2 ? 4.0 : 2.0) * LENGTH / (6.0 * N);
        x += w * cos(a * X + 0.5 * b * X * X);
        y += w * sin(a * X + 0.5 * b * X * X);
    }
    ElvPose tip = case_pose(&c, "rod.tip");
    CHECK_NEAR(atan2(tip.R.m[1][0], tip.R.m[0][0]), a * LENGTH + 0.5 * b * LENGTH * LENGTH, 1e-12);
    // Magnus steps of 0.02 m leave 1e-12
    CHECK_NEAR(tip.p.x, x, 1e-11);
    CHECK_NEAR(tip.p.y, y, 1e-11);
    CHECK_NEAR(tip.p.z, 0.0, 1e-14);
    case_close(&c);
}

// ---- a general strain

enum { N_MODE = 3 };

// powers of s with coefficients q[strain][mode]
static ElvTwist polynomial_strain(const double* q, double s) {
    double xi[6] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0};
    for (int i = 0; i < 6; i++) {
        xi[i] += q[N_MODE * i] + s * (q[N_MODE * i + 1] + s * q[N_MODE * i + 2]);
    }
    return elv_twist_from_array(xi);
}

static ElvPose pose_rate(ElvPose g, ElvTwist xi) {
    return elv_pose(elv_mat3_mul(g.R, elv_mat3_hat(xi.ang)), elv_mat3_apply(g.R, xi.lin));
}

static ElvPose pose_add(ElvPose g, double h, ElvPose rate) {
    return elv_pose(elv_mat3_add(g.R, elv_mat3_scale(h, rate.R)),
                    elv_vec3_add_scaled(g.p, h, rate.p));
}

// the classical method of order 4, 4000 steps: error about 1e-13
static ElvPose runge_kutta(const double* q, double s_end) {
    enum { N = 4000 };
    double ds = s_end / N;
    double h = ds * LENGTH;
    ElvPose g = elv_pose_identity();
    for (int i = 0; i < N; i++) {
        ElvTwist left = polynomial_strain(q, i * ds);
        ElvTwist middle = polynomial_strain(q, (i + 0.5) * ds);
        ElvTwist right = polynomial_strain(q, (i + 1) * ds);
        ElvPose k1 = pose_rate(g, left);
        ElvPose k2 = pose_rate(pose_add(g, 0.5 * h, k1), middle);
        ElvPose k3 = pose_rate(pose_add(g, 0.5 * h, k2), middle);
        ElvPose k4 = pose_rate(pose_add(g, h, k3), right);
        g = pose_add(pose_add(g, h / 6.0, k1), h / 3.0, k2);
        g = pose_add(pose_add(g, h / 3.0, k3), h / 6.0, k4);
    }
    return g;
}

static void test_general_strain(void** state) {
    (void)state;
    ModelCase c = case_open(ROD_TEXT, "{reissner: 3}", "monomial", 24);
    for (uint64_t seed = 1; seed <= 4; seed++) {
        case_randomize(&c, seed, 1.0);
        check_pose(case_pose(&c, "rod.tip"), runge_kutta(c.state->q, 1.0), 1e-11);
        // sections between nodes, by integration on demand
        for (int i = 0; i <= 6; i++) {
            double s = i / 6.0;
            ElvPose pose;
            ElvTwist strain;
            elv_rod_section(c.model, c.data, c.state, 0, s, &pose, &strain, NULL);
            check_pose(pose, runge_kutta(c.state->q, s), 1e-11);
            ElvTwist expected = polynomial_strain(c.state->q, s);
            CHECK_ARRAY_NEAR(&strain.ang.x, &expected.ang.x, 3, 1e-14);
            CHECK_ARRAY_NEAR(&strain.lin.x, &expected.lin.x, 3, 1e-14);
        }
    }
    case_close(&c);
}

// ---- twists and accelerations

// q(t) = q + v t + a t^2/2, v(t) = v + a t
static void move_to(ModelCase* c, const ElvState* start, double t) {
    for (int i = 0; i < c->nv; i++) {
        c->state->q[i] = start->q[i] + t * (start->v[i] + 0.5 * t * start->a[i]);
        c->state->v[i] = start->v[i] + t * start->a[i];
    }
    elv_kinematics(c->model, c->data, c->state);
}

static void twist_errors(ModelCase* c, const ElvState* start, double h, double e[2]) {
    ElvFrame tip = case_frame(c, "rod.at(0.7)");
    ElvPose g[2];
    ElvTwist eta[2];
    for (int i = 0; i < 2; i++) {
        move_to(c, start, i == 0 ? -h : h);
        g[i] = elv_frame_pose(c->model, c->data, tip);
        eta[i] = elv_frame_twist(c->model, c->data, tip);
    }
    ElvTwist d_g = elv_se3_log(elv_pose_compose(elv_pose_inverse(g[0]), g[1]));
    ElvTwist d_eta = elv_twist_sub(eta[1], eta[0]);
    move_to(c, start, 0.0);
    double difference[6];
    ElvTwist V = elv_frame_twist(c->model, c->data, tip);
    elv_twist_to_array(elv_twist_add_scaled(V, -0.5 / h, d_g), difference);
    e[0] = largest(difference, 6);
    ElvTwist A = elv_frame_twist_dot(c->model, c->data, tip);
    elv_twist_to_array(elv_twist_add_scaled(A, -0.5 / h, d_eta), difference);
    e[1] = largest(difference, 6);
}

// the rod rides on moving joints with scalar coordinates, so that root terms count too
static void test_twists_against_poses(void** state) {
    (void)state;
    ModelCase c = case_open("tree:\n"
                            "  - {body: cart, joint: {planar: {axis: [1, 2, 3]}}, mass: 1}\n"
                            "  - rod: rod\n"
                            "    parent: cart\n"
                            "    pose: {xyz: [0.1, 0.2, 0.3], rpy: [0.4, 0.5, 0.6]}\n"
                            "    joint: {universal: {axis: x, axis2: y}}\n"
                            "    length: 2\n"
                            "    section: {circle: {diameter: 0.02}}\n"
                            "    material: {density: 1000, young: 1e6}\n"
                            "    strain: {reissner: 3}\n"
                            "    nodes: 24\n"
                            "frames: [{name: here, on: rod.at(0.7)}]\n");
    ElvState* start = NULL;
    CHECK_STATUS(elv_state_create(c.model, &start, NULL), NULL);
    for (uint64_t seed = 1; seed <= 4; seed++) {
        case_randomize(&c, seed, 0.7);
        elv_state_copy(start, c.state);
        double coarse[2], fine[2];
        twist_errors(&c, start, 2e-3, coarse);
        twist_errors(&c, start, 1e-3, fine);
        for (int i = 0; i < 2; i++) {
            double slope = log2(coarse[i] / fine[i]);
            CHECK_TRUE(slope > 1.95 && slope < 2.05);
            CHECK_TRUE(fine[i] < 1e-4);
        }
    }
    elv_state_free(start);
    case_close(&c);
}

// ---- convergence in the number of nodes

// twist and acceleration of the tip of a strongly bent rod
static void tip_motion(int nodes, double motion[12]) {
    ModelCase c = case_open(ROD_TEXT, "{bend_y: 3, bend_z: 3, twist: 2}", "legendre", nodes);
    case_randomize(&c, 7, 1.5);
    elv_kinematics(c.model, c.data, c.state);
    ElvFrame tip = case_frame(&c, "rod.tip");
    elv_twist_to_array(elv_frame_twist(c.model, c.data, tip), motion);
    elv_twist_to_array(elv_frame_twist_dot(c.model, c.data, tip), motion + 6);
    case_close(&c);
}

// spectral: the order measured from n to n + 2 nodes grows with n (down to 1e-10, where the Magnus
// steps, of order 6, are what is left)
static void test_convergence_in_nodes(void** state) {
    (void)state;
    double exact[12];
    tip_motion(60, exact);
    double last = 0.0;
    double last_order = 0.0;
    for (int nodes = 3; nodes <= 11; nodes += 2) {
        double motion[12];
        tip_motion(nodes, motion);
        double error = largest_difference(motion, exact, 12);
        double order = last > 0.0 ? log(last / error) / log(nodes / (nodes - 2.0)) : 0.0;
        print_message("%2d nodes: error %.2e, order %.1f\n", nodes, error, order);
        CHECK_TRUE(nodes == 3 || order > last_order + 1.0);
        last_order = order;
        last = error;
    }
    CHECK_TRUE(last_order > 15.0 && last < 1e-8);
}

// ---- pieces

// strains at rest that jump: a product of two screws
static void test_jump_in_reference(void** state) {
    (void)state;
    ModelCase c =
        case_open(ROD_TEXT "    reference: {bend_z: \"if(s < 0.3, 1, -2)\", twist: 0.5}\n",
                  "{bend_y: 1}", "legendre", 0);
    c.state->q[0] = 0.25;
    ElvPose expected = elv_pose_identity();
    const double part[2] = {0.3, 0.7};
    for (int i = 0; i < 2; i++) {
        ElvTwist xi = elv_twist(elv_vec3(0.5, 0.25, i == 0 ? 1.0 : -2.0), elv_vec3(1.0, 0.0, 0.0));
        expected = elv_pose_compose(expected, elv_se3_exp(elv_twist_scale(part[i] * LENGTH, xi)));
    }
    check_pose(case_pose(&c, "rod.tip"), expected, 1e-13);
    ElvNodeInfo info = elv_model_node(c.model, 0);
    CHECK_TRUE(info.n_segment == 2);
    case_close(&c);
}

// piecewise constant strains: a product of as many screws as pieces, from any station too
static void test_piecewise_constant(void** state) {
    (void)state;
    ModelCase c = case_open(ROD_TEXT, "{bend_z: 4, twist: 2}", "piecewise_constant", 0);
    case_randomize(&c, 5, 2.0);
    const double* q = c.state->q; // two pieces of twist, four of bending
    ElvPose g = elv_pose_identity();
    elv_kinematics(c.model, c.data, c.state);
    for (int piece = 0; piece < 4; piece++) {
        ElvTwist xi = elv_twist(elv_vec3(q[piece / 2], 0.0, q[2 + piece]), elv_vec3(1.0, 0.0, 0.0));
        // at the knot, just after it, and inside
        const double inside[3] = {0.0, 0.01, 0.17};
        for (int i = 0; i < 3; i++) {
            ElvPose pose;
            ElvTwist strain;
            ElvPose part = elv_se3_exp(elv_twist_scale(inside[i] * LENGTH, xi));
            elv_rod_section(c.model, c.data, c.state, 0, 0.25 * piece + inside[i], &pose, &strain,
                            NULL);
            check_pose(pose, elv_pose_compose(g, part), 1e-13);
            CHECK_NEAR(strain.ang.z, xi.ang.z, 0.0);
        }
        g = elv_pose_compose(g, elv_se3_exp(elv_twist_scale(0.25 * LENGTH, xi)));
    }
    check_pose(case_pose(&c, "rod.tip"), g, 1e-13);
    case_close(&c);
}

// the default number of nodes resolves a rod bent by a full turn, its efforts too
static void test_default_nodes(void** state) {
    (void)state;
    ModelCase c = case_open(ROD_TEXT, "{bend_y: 3, bend_z: 3}", "legendre", 0);
    ModelCase fine = case_open(ROD_TEXT, "{bend_y: 3, bend_z: 3}", "legendre", 60);
    double tau[2][6];
    case_randomize(&c, 3, 0.5);
    c.state->q[3] = 2.0 * 3.14159265358979323846 / LENGTH;
    elv_state_copy(fine.state, c.state);
    elv_idm(c.model, c.data, c.state, tau[0]);
    elv_idm(fine.model, fine.data, fine.state, tau[1]);
    CHECK_ARRAY_NEAR(tau[0], tau[1], 6, 1e-9 * largest(tau[1], 6));
    CHECK_TRUE(pose_distance(case_pose(&c, "rod.tip"), case_pose(&fine, "rod.tip")) < 1e-9);
    case_close(&c);
    case_close(&fine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arc),
        cmocka_unit_test(test_helix),
        cmocka_unit_test(test_clothoid),
        cmocka_unit_test(test_general_strain),
        cmocka_unit_test(test_twists_against_poses),
        cmocka_unit_test(test_convergence_in_nodes),
        cmocka_unit_test(test_jump_in_reference),
        cmocka_unit_test(test_piecewise_constant),
        cmocka_unit_test(test_default_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
