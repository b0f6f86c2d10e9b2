// SPDX-License-Identifier: Apache-2.0
// A rod of N pieces of constant curvature against a chain of rigid links on N revolute joints with
// springs k = EI N/l, two ways to discretise one clamped beam.
//
// With the joint in the middle of its piece, the kink theta_i stands for the curvature theta_i N/l
// spread over the piece: the moments of order 0 and 1 about the middle agree, and the models differ
// by O(1/N^2). With the joint at the beginning of the piece every kink is moved by half a piece, and
// they differ by O(1/N).
#include "linalg/cholesky.h"

#include "robot.h"

enum { N_MAX = 64 };

static const double EI = 2.0, RHO_A = 0.5, LENGTH = 1.5;

typedef enum { JOINT_MIDDLE, JOINT_BEGINNING } JointPlace;

// ---- the two models; neither has rotary inertia of sections

static Robot make_rod(int n, int n_element) {
    ElvElementDef element[N_MAX];
    for (int i = 0; i < n_element; i++) {
        element[i] = elv_element_def_default();
        element[i].to = i + 1 == n_element ? 1.0 : (i + 1.0) / n_element;
        element[i].modes[ELV_STRAIN_BEND_Z] = n / n_element;
        element[i].basis[ELV_STRAIN_BEND_Z] = ELV_BASIS_PIECEWISE_CONSTANT;
    }
    ElvRodDef def = elv_rod_def_default();
    def.name = "rod";
    def.length = LENGTH;
    def.stiffness.n = def.inertia.n = 6;
    for (int k = 0; k < 6; k++) {
        def.stiffness.entry[k] = elv_law_def_value(EI);
        def.inertia.entry[k] = elv_law_def_value(k < 3 ? 0.0 : RHO_A);
    }
    def.element = element;
    def.n_element = n_element;
    ElvSpec* spec = new_spec();
    add_rod(spec, &def);
    return robot_compile(spec);
}

static Robot make_chain(int n, JointPlace place) {
    ElvError error;
    double h = LENGTH / n;
    double first = place == JOINT_MIDDLE ? 0.5 * h : 0.0;
    ElvSpec* spec = new_spec();
    char name[16], parent[16] = "world";
    for (int i = 0; i < n; i++) {
        // a thin bar from this joint to the next one, or to the end of the beam
        double length = i + 1 < n ? h : h - first;
        ElvBodyDef def = elv_body_def_default();
        snprintf(name, sizeof name, "link%d", i);
        def.name = name;
        def.parent = parent;
        def.pose.p = elv_vec3(i == 0 ? first : h, 0.0, 0.0);
        def.joint.type = ELV_JOINT_REVOLUTE;
        def.joint.stiffness[0] = EI / h;
        def.mass = RHO_A * length;
        def.center = elv_vec3(0.5 * length, 0.0, 0.0);
        double J = def.mass * length * length / 12.0;
        def.inertia = elv_mat3_diag(0.0, J, J);
        def.has_inertia = true;
        add_body(spec, &def);
        snprintf(parent, sizeof parent, "%s", name);
    }
    ElvFrameDef tip = elv_frame_def_default();
    tip.name = "tip";
    tip.on = parent;
    tip.pose.p = elv_vec3(h - first, 0.0, 0.0);
    CHECK_STATUS(elv_spec_add_frame(spec, &tip, &error), &error);
    return robot_compile(spec);
}

// ---- lowest natural frequency of the straight beam

// K e_j = -Upsilon(q = e_j)
static void stiffness_matrix(const Robot* robot, double* K) {
    double* upsilon = new_array(robot->nv);
    for (int j = 0; j < robot->nv; j++) {
        memset(robot->state->q, 0, (size_t)robot->nq * sizeof(double));
        robot->state->q[j] = 1.0;
        elv_internal_efforts(robot->model, robot->data, robot->state, upsilon);
        for (int i = 0; i < robot->nv; i++) {
            K[i * robot->nv + j] = -upsilon[i];
        }
    }
    memset(robot->state->q, 0, (size_t)robot->nq * sizeof(double));
    free(upsilon);
}

// inverse iteration x <- K^-1 M x; the second eigenvalue is 39 times the first
static double lowest_frequency(Robot* robot) {
    int n = robot->nv;
    double* K = new_array(n * n);
    double* M = new_array(n * n);
    double* x = new_array(n);
    double* y = new_array(n);
    stiffness_matrix(robot, K);
    elv_mass_matrix(robot->model, robot->data, robot->state, M);
    CHECK_TRUE(elv_cholesky_factor(n, K) == -1);
    double growth = 0.0;
    for (int i = 0; i < n; i++) {
        x[i] = 1.0;
    }
    for (int iteration = 0; iteration < 20; iteration++) {
        array_apply(n, M, x, y);
        elv_cholesky_solve(n, K, y);
        growth = array_norm(y, n) / array_norm(x, n);
        for (int i = 0; i < n; i++) {
            x[i] = y[i] / growth;
        }
    }
    free(K);
    free(M);
    free(x);
    free(y);
    robot_free(robot);
    return sqrt(1.0 / growth);
}

// halving the pieces divides the difference by 2^order; the next term of the expansion, a factor
// 1/N or 1/N^2 smaller, is allowed for by the width
static void check_order(const double* difference, int n, double order, double width) {
    for (int i = 1; i < n; i++) {
        CHECK_NEAR(log2(fabs(difference[i - 1] / difference[i])), order, width);
    }
}

static void test_frequency(void** context) {
    (void)context;
    // clamped and free: cos(x) cosh(x) = -1
    double x = 1.8751040687119611, exact = x * x * sqrt(EI / RHO_A) / (LENGTH * LENGTH);
    double middle[4], beginning[4], rod[4];
    for (int i = 0; i < 4; i++) {
        int n = 8 << i;
        Robot robot = make_rod(n, 1);
        rod[i] = lowest_frequency(&robot);
        robot = make_chain(n, JOINT_MIDDLE);
        middle[i] = rod[i] - lowest_frequency(&robot);
        robot = make_chain(n, JOINT_BEGINNING);
        beginning[i] = rod[i] - lowest_frequency(&robot);
        rod[i] -= exact;
    }
    check_order(rod, 4, 2.0, 0.05);
    check_order(middle, 4, 2.0, 0.05);
    check_order(beginning, 4, 1.0, 0.1);
}

// ---- shape and motion far from straight

// curvature k (1 - s)^2, compatible with a free tip: its mean over each piece
static void bend(Robot* robot, double k, double unit) {
    int n = robot->nv;
    for (int i = 0; i < n; i++) {
        double a = 1.0 - (double)i / n, b = 1.0 - (i + 1.0) / n;
        robot->state->q[i] = unit * k * n * (a * a * a - b * b * b) / 3.0;
    }
}

// position of the tip after some time from rest, t = 0: where it starts
static ElvVec3 tip_after(Robot* robot, const char* tip, double t) {
    ElvFrame frame = frame_of(robot, tip);
    if (t > 0.0) {
        ElvError error;
        ElvSimulateOptions options = elv_simulate_options_default(robot->model, robot->state);
        options.method.method = ELV_METHOD_EXPLICIT;
        options.method.rel_tol = 1e-9;
        options.method.abs_tol = 1e-10;
        options.t_end = options.record_every = t;
        CHECK_STATUS(elv_simulate(robot->model, robot->state, &options, NULL, &error), &error);
    }
    elv_kinematics(robot->model, robot->data, robot->state);
    ElvVec3 p = elv_frame_pose(robot->model, robot->data, frame).p;
    robot_free(robot);
    return p;
}

static void tip_differences(int n_first, double t, JointPlace place, double difference[3]) {
    for (int i = 0; i < 3; i++) {
        int n = n_first << i;
        Robot rod = make_rod(n, 1);
        Robot chain = make_chain(n, place);
        bend(&rod, 1.5, 1.0);
        bend(&chain, 1.5, LENGTH / n);
        ElvVec3 p = tip_after(&rod, "rod.tip", t);
        difference[i] = elv_vec3_norm(elv_vec3_sub(p, tip_after(&chain, "tip", t)));
    }
}

static void test_tip(void** context) {
    (void)context;
    double difference[3];
    tip_differences(8, 0.0, JOINT_MIDDLE, difference);
    check_order(difference, 3, 2.0, 0.05);
    tip_differences(8, 0.0, JOINT_BEGINNING, difference);
    check_order(difference, 3, 1.0, 0.1);
    // 1/40 of the lowest period: the modes that move are resolved, and explicit steps affordable
    tip_differences(4, 0.05, JOINT_MIDDLE, difference);
    check_order(difference, 3, 2.0, 0.1);
}

// ---- one element of N pieces is N elements of one

static void test_elements(void** context) {
    (void)context;
    int n = 16;
    Robot pieces = make_rod(n, 1);
    Robot elements = make_rod(n, n);
    CHECK_TRUE(pieces.nv == n && elements.nv == n);
    bend(&pieces, 3.0, 1.0);
    bend(&elements, 3.0, 1.0);
    double* M = new_array(n * n);
    double* M_other = new_array(n * n);
    elv_mass_matrix(pieces.model, pieces.data, pieces.state, M);
    elv_mass_matrix(elements.model, elements.data, elements.state, M_other);
    CHECK_ARRAY_NEAR(M_other, M, (size_t)(n * n), 1e-14);
    free(M);
    free(M_other);
    robot_free(&pieces);
    robot_free(&elements);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frequency),
        cmocka_unit_test(test_tip),
        cmocka_unit_test(test_elements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
