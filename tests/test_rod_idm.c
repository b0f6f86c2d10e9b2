// SPDX-License-Identifier: Apache-2.0
// Backward sweep of a rod: weight and loads against closed forms, resultants and potentials;
// inertial efforts against Lagrange's equations by differences of the energy; the internal wrench
// along the rod; ports in the middle that must not change anything.
#include "model_case.h"

enum { NV_MAX = 24 };

// rho A = 1.5 kg/m, 2 m
#define ROD_TEXT                                                                                   \
    "tree:\n"                                                                                      \
    "  - rod: rod\n"                                                                               \
    "    length: 2\n"                                                                              \
    "    stiffness: [5, 3, 4, 7, 8, 9]\n"                                                          \
    "    inertia: [0.03, 0.01, 0.02, 1.5, 1.5, 1.5]\n"

static const double LENGTH = 2.0;
static const double MU = 1.5;

// ---- weight

// a straight horizontal rod: M(X) = mu g (L - X)^2/2 projected on powers of s
static void test_weight_of_a_straight_rod(void** state) {
    (void)state;
    ModelCase c = case_open("gravity: [0, 0, -10]\n" ROD_TEXT
                            "    strain: {bend_y: 4, shear_z: 2, bend_z: 2}\n"
                            "    basis: monomial\n");
    double tau[8];
    elv_idm(c.model, c.data, c.state, tau);
    // columns: bend_y 0 … 3, bend_z 0 1, shear_z 0 1
    for (int m = 0; m < 4; m++) {
        // integral of s^m (1 - s)^2 = 2/((m + 1)(m + 2)(m + 3)); bending about y lowers the tip
        double integral = 2.0 / ((m + 1.0) * (m + 2.0) * (m + 3.0));
        CHECK_NEAR(tau[m], -MU * 10.0 * 0.5 * pow(LENGTH, 3) * integral, 1e-13);
    }
    CHECK_ARRAY_NEAR(tau + 4, ((double[2]){0.0}), 2, 1e-14);
    for (int m = 0; m < 2; m++) {
        double integral = 1.0 / ((m + 1.0) * (m + 2.0));
        CHECK_NEAR(tau[6 + m], MU * 10.0 * LENGTH * LENGTH * integral, 1e-13);
    }
    case_close(&c);
}

static double potential(ModelCase* c) {
    return elv_energy(c->model, c->data, c->state).gravity;
}

// a bent rod, with its centre off the axis: the gradient of the potential, differences of slope 2
static void test_weight_of_a_bent_rod(void** state) {
    (void)state;
    ModelCase c = case_open("gravity: [1, -2, -9]\n"
                            "tree:\n"
                            "  - rod: rod\n"
                            "    length: 2\n"
                            "    stiffness: [5, 3, 4, 7, 8, 9]\n"
                            "    inertia:\n"
                            "      - [0.3, 0, 0, 0, -0.2, 0.1]\n"
                            "      - [0, 0.2, 0, 0.2, 0, -0.15]\n"
                            "      - [0, 0, 0.3, -0.1, 0.15, 0]\n"
                            "      - [0, 0.2, -0.1, 1.5, 0, 0]\n"
                            "      - [-0.2, 0, 0.15, 0, 1.5, 0]\n"
                            "      - [0.1, -0.15, 0, 0, 0, 1.5]\n"
                            "    strain: {reissner: 3}\n"
                            "    nodes: 20\n");
    case_randomize(&c, 1, 0.7);
    memset(c.state->v, 0, 18 * sizeof(double));
    memset(c.state->a, 0, 18 * sizeof(double));
    double tau[18];
    elv_idm(c.model, c.data, c.state, tau);
    for (int i = 0; i < 18; i++) {
        double q = c.state->q[i];
        double error[2];
        for (int k = 0; k < 2; k++) {
            double h = k == 0 ? 4e-2 : 2e-2;
            c.state->q[i] = q + h;
            double right = potential(&c);
            c.state->q[i] = q - h;
            double left = potential(&c);
            c.state->q[i] = q;
            error[k] = fabs((right - left) / (2.0 * h) - tau[i]);
        }
        // stretch and shear enter linearly: no error at all
        double slope = log2(error[0] / error[1]);
        CHECK_TRUE(i < 9 ? slope > 1.9 && slope < 2.1 : error[1] < 1e-10);
    }
    case_close(&c);
}

// ---- loads along the rod

// a dead load equal to the weight is the weight
static void test_dead_load_is_weight(void** state) {
    (void)state;
    ModelCase heavy = case_open("gravity: [1, -2, -9]\n" ROD_TEXT "    strain: {reissner: 3}\n");
    ModelCase loaded = case_open(ROD_TEXT "    strain: {reissner: 3}\n"
                                          "loads: [{force: [1.5, -3, -13.5], rod: rod}]\n");
    double tau[2][18];
    case_randomize(&heavy, 2, 0.8);
    elv_state_copy(loaded.state, heavy.state);
    elv_idm(heavy.model, heavy.data, heavy.state, tau[0]);
    elv_idm(loaded.model, loaded.data, loaded.state, tau[1]);
    CHECK_ARRAY_NEAR(tau[0], tau[1], 18, 1e-12);
    case_close(&heavy);
    case_close(&loaded);
}

// the root of a free arc at rest carries minus the resultant, by Simpson's rule on the circle
static void check_resultant(const char* axes, bool is_local) {
    enum { N = 2000 };
    double k = 1.1;
    ModelCase c =
        case_open(ROD_TEXT "    joint: free\n"
                           "    strain: {bend_z: 1}\n"
                           "loads:\n"
                           "  - {distributed: [0.3, 0, \"s\", 1, \"2 - s\", 3], rod: rod,\n"
                           "     from: 0.25, to: 0.8, frame: %s, while: t < 1}\n",
                  axes);
    c.state->q[7] = k; // after quaternion and position
    ElvVec3 moment = elv_vec3(0.0, 0.0, 0.0);
    ElvVec3 force = moment;
    for (int i = 0; i <= 2 * N; i++) {
        double s = 0.25 + 0.55 * i / (2.0 * N);
        double X = LENGTH * s;
        double w = (i == 0 || i == 2 * N ? 1.0 : i % 2 ? 4.0 : 2.0) * 0.55 * LENGTH / (6.0 * N);
        ElvVec3 p = elv_vec3(sin(k * X) / k, (1.0 - cos(k * X)) / k, 0.0);
        double angle = is_local ? k * X : 0.0;
        ElvVec3 f =
            elv_vec3(cos(angle) - sin(angle) * (2.0 - s), sin(angle) + cos(angle) * (2.0 - s), 3.0);
        ElvVec3 m = elv_vec3(0.3 * cos(angle), 0.3 * sin(angle), s);
        force = elv_vec3_add_scaled(force, w, f);
        moment = elv_vec3_add_scaled(moment, w, elv_vec3_add(m, elv_vec3_cross(p, f)));
    }
    double tau[7];
    elv_idm(c.model, c.data, c.state, tau);
    const double expected[6] = {-moment.x, -moment.y, -moment.z, -force.x, -force.y, -force.z};
    CHECK_ARRAY_NEAR(tau, expected, 6, 1e-11);
    c.state->t = 1.0;
    elv_idm(c.model, c.data, c.state, tau);
    CHECK_ARRAY_NEAR(tau, ((double[7]){0.0}), 7, 1e-15);
    case_close(&c);
}

static void test_resultants(void** state) {
    (void)state;
    check_resultant("world", false);
    check_resultant("local", true);
}

// a follower pressure on a full ring has no resultant, and by symmetry no moment
static void test_pressure_on_a_ring(void** state) {
    (void)state;
    ModelCase c = case_open(ROD_TEXT "    joint: free\n"
                                     "    strain: {bend_z: 1}\n"
                                     "loads: [{force: [0, 5, 0], rod: rod, frame: local}]\n");
    c.state->q[7] = 2.0 * 3.14159265358979323846 / LENGTH;
    double tau[7];
    elv_idm(c.model, c.data, c.state, tau);
    CHECK_ARRAY_NEAR(tau, ((double[6]){0.0}), 6, 1e-10);
    case_close(&c);
}

// ---- internal wrench

// Lambda(X) is what the outer part does to the inner one: the weight beyond X and its moment
static void test_internal_wrench(void** state) {
    (void)state;
    ModelCase c = case_open("gravity: [0, 0, -10]\n" ROD_TEXT "    strain: {bend_y: 2}\n"
                            "  - {body: load, parent: rod.at(0.5), mass: 2}\n"
                            "loads: [{wrench: [0.7, 0, 0, 4, 0, 0], at: rod.tip}]\n");
    double tau[2];
    elv_idm(c.model, c.data, c.state, tau);
    for (int i = 0; i <= 20; i++) {
        double s = i / 20.0;
        double beyond = LENGTH * (1.0 - s);
        // at its station the body counts as beyond on the left, not on the right
        bool has_body = s < 0.5;
        double force = -10.0 * (MU * beyond + (has_body ? 2.0 : 0.0));
        double moment = 10.0 * MU * beyond * beyond / 2.0;
        moment += has_body ? 20.0 * LENGTH * (0.5 - s) : 0.0;
        ElvWrench lam;
        elv_rod_section(c.model, c.data, c.state, 0, s, NULL, NULL, &lam);
        const double expected[6] = {0.7, moment, 0.0, 4.0, 0.0, force};
        double actual[6];
        elv_wrench_to_array(lam, actual);
        CHECK_ARRAY_NEAR(actual, expected, 6, 1e-12);
    }
    case_close(&c);
}

// free fall: no effort anywhere
static void test_free_fall(void** state) {
    (void)state;
    ModelCase c =
        case_open("gravity: [1, 2, -9]\n" ROD_TEXT "    joint: free\n"
                  "    strain: {reissner: 3}\n"
                  "  - {body: tool, parent: rod.tip, mass: 1, center: [0.1, 0.2, 0.3]}\n");
    double tau[NV_MAX];
    case_randomize(&c, 3, 0.7);
    memset(c.state->v, 0, (size_t)c.nv * sizeof(double));
    memset(c.state->a, 0, (size_t)c.nv * sizeof(double));
    const double* q = c.state->q;
    ElvMat3 R = elv_quat_to_matrix(elv_quat(q[0], q[1], q[2], q[3]));
    ElvVec3 a = elv_mat3_apply_transpose(R, elv_vec3(1.0, 2.0, -9.0));
    memcpy(c.state->a + 3, &a, sizeof a);
    elv_idm(c.model, c.data, c.state, tau);
    CHECK_ARRAY_NEAR(tau, ((double[NV_MAX]){0.0}), (size_t)c.nv, 1e-12);
    case_close(&c);
}

// ---- inertia

static double kinetic(ModelCase* c) {
    return elv_energy(c->model, c->data, c->state).kinetic;
}

// momentum dT/dv_i, exact because T is quadratic in v
static double conjugate(ModelCase* c, int i) {
    double v = c->state->v[i];
    c->state->v[i] = v + 1.0;
    double right = kinetic(c);
    c->state->v[i] = v - 1.0;
    double left = kinetic(c);
    c->state->v[i] = v;
    return 0.5 * (right - left);
}

static void move_along(ModelCase* c, const ElvState* start, double t) {
    for (int i = 0; i < c->nv; i++) {
        c->state->q[i] = start->q[i] + t * (start->v[i] + 0.5 * t * start->a[i]);
        c->state->v[i] = start->v[i] + t * start->a[i];
    }
}

// d/dt dT/dv - dT/dq by central differences of step h
static void lagrange(ModelCase* c, const ElvState* start, double h, double* tau) {
    for (int i = 0; i < c->nv; i++) {
        double p[2], T[2];
        for (int side = 0; side < 2; side++) {
            move_along(c, start, side ? h : -h);
            p[side] = conjugate(c, i);
            move_along(c, start, 0.0);
            c->state->q[i] += side ? h : -h;
            T[side] = kinetic(c);
        }
        tau[i] = (p[1] - p[0] - T[1] + T[0]) / (2.0 * h);
    }
    elv_state_copy(c->state, start);
}

// inertial, centrifugal and Coriolis efforts of a rod on a turning base
static void test_lagrange(void** state) {
    (void)state;
    ModelCase c = case_open(ROD_TEXT "    joint: {universal: {axis: x, axis2: y}}\n"
                                     "    strain: {reissner: 2}\n"
                                     "    nodes: 16\n");
    ElvState* start = NULL;
    CHECK_STATUS(elv_state_create(c.model, &start, NULL), NULL);
    for (uint64_t seed = 1; seed <= 3; seed++) {
        case_randomize(&c, seed, 0.8);
        elv_state_copy(start, c.state);
        double tau[NV_MAX], coarse[NV_MAX], fine[NV_MAX];
        elv_idm(c.model, c.data, c.state, tau);
        lagrange(&c, start, 4e-3, coarse);
        lagrange(&c, start, 2e-3, fine);
        double error = largest_difference(fine, tau, (size_t)c.nv);
        double slope = log2(largest_difference(coarse, tau, (size_t)c.nv) / error);
        CHECK_TRUE(slope > 1.95 && slope < 2.05);
        CHECK_TRUE(error < 1e-3);
    }
    elv_state_free(start);
    case_close(&c);
}

// ---- ports

// a rod with frames along it moves as one without
static void test_ports_change_nothing(void** state) {
    (void)state;
    ModelCase plain = case_open("gravity: [1, -2, -9]\n" ROD_TEXT "    joint: free\n"
                                "    strain: {reissner: 3}\n    nodes: 20\n");
    ModelCase marked = case_open("gravity: [1, -2, -9]\n" ROD_TEXT "    joint: free\n"
                                 "    strain: {reissner: 3}\n    nodes: 20\n"
                                 "frames:\n"
                                 "  - {name: a, on: rod.at(0.1)}\n"
                                 "  - {name: b, on: rod.at(0.37)}\n"
                                 "  - {name: c, on: rod.at(0.99)}\n");
    CHECK_TRUE(elv_model_node(marked.model, 1).n_segment == 4);
    for (uint64_t seed = 1; seed <= 4; seed++) {
        double tau[2][NV_MAX], M[2][NV_MAX * NV_MAX];
        case_randomize(&plain, seed, 0.8);
        elv_state_copy(marked.state, plain.state);
        elv_idm(plain.model, plain.data, plain.state, tau[0]);
        elv_idm(marked.model, marked.data, marked.state, tau[1]);
        CHECK_ARRAY_NEAR(tau[0], tau[1], (size_t)plain.nv, 1e-11 * largest(tau[0], 24));
        elv_mass_matrix(plain.model, plain.data, plain.state, M[0]);
        elv_mass_matrix(marked.model, marked.data, marked.state, M[1]);
        CHECK_ARRAY_NEAR(M[0], M[1], 24 * 24, 1e-11 * largest(M[0], 24 * 24));
    }
    case_close(&plain);
    case_close(&marked);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_weight_of_a_straight_rod),
        cmocka_unit_test(test_weight_of_a_bent_rod),
        cmocka_unit_test(test_dead_load_is_weight),
        cmocka_unit_test(test_resultants),
        cmocka_unit_test(test_pressure_on_a_ring),
        cmocka_unit_test(test_internal_wrench),
        cmocka_unit_test(test_free_fall),
        cmocka_unit_test(test_lagrange),
        cmocka_unit_test(test_ports_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
