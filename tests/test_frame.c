// SPDX-License-Identifier: Apache-2.0
// Motion of frames on random trees, at every kind of joint and along rods: Jacobians against
// differences of poses, accelerations against differences of twists.
#include "random_tree.h"

enum { N_TREE = IS_SANITIZED ? 40 : 150 };

// differences of poses, with nodes enough to resolve the rods
static const double TOL = 1e-9;

static RandomOptions fine_options(uint64_t seed) {
    RandomOptions options = random_options();
    options.n_element_max = 4;
    options.is_smooth = seed % 2 == 0;
    options.nodes = options.is_smooth ? 24 : 16;
    return options;
}

static ElvFrame random_frame(CheckRandom* r, const Robot* robot) {
    ElvFrame frame = {check_integer(r, robot->model->n_port), random_pose(r, 0.5)};
    return frame;
}

// ---- Jacobian

// twist of a frame when q moves along its rate for the velocities of a state, by pose differences:
// R^T R_dot and R^T p_dot, extrapolated twice from steps h, h/2, h/4
static ElvTwist twist_by_poses(const Robot* robot, const ElvState* along, ElvFrame frame) {
    ElvState* moved = copy_state(robot, along);
    double row[3][12];
    for (int i = 0; i < 3; i++) {
        double h = 0.02 * pow(0.5, i);
        advance_state(robot, along, h, moved);
        elv_kinematics(robot->model, robot->data, moved);
        ElvPose ahead = elv_frame_pose(robot->model, robot->data, frame);
        advance_state(robot, along, -h, moved);
        elv_kinematics(robot->model, robot->data, moved);
        ElvPose behind = elv_frame_pose(robot->model, robot->data, frame);
        const double* a = (const double*)&ahead;
        const double* b = (const double*)&behind;
        for (int k = 0; k < 12; k++) {
            row[i][k] = (a[k] - b[k]) / (2.0 * h);
        }
    }
    ElvPose rate;
    double* out = (double*)&rate;
    for (int k = 0; k < 12; k++) {
        double once = (4.0 * row[1][k] - row[0][k]) / 3.0;
        double twice = (4.0 * row[2][k] - row[1][k]) / 3.0;
        out[k] = (16.0 * twice - once) / 15.0;
    }
    elv_state_free(moved);
    elv_kinematics(robot->model, robot->data, along);
    ElvPose g = elv_frame_pose(robot->model, robot->data, frame);
    ElvMat3 spin = elv_mat3_mul(elv_mat3_transpose(g.R), rate.R);
    return elv_twist(elv_vec3(spin.m[2][1], spin.m[0][2], spin.m[1][0]),
                     elv_mat3_apply_transpose(g.R, rate.p));
}

static double twist_distance(ElvTwist a, ElvTwist b) {
    ElvTwist d = elv_twist_sub(a, b);
    return sqrt(elv_vec3_dot(d.ang, d.ang) + elv_vec3_dot(d.lin, d.lin));
}

static double twist_norm(ElvTwist a) {
    return twist_distance(a, elv_twist_zero());
}

static void check_jacobian(uint64_t seed) {
    RandomOptions options = fine_options(seed);
    CheckRandom r = check_random(seed);
    Robot robot = random_tree(&r, &options);
    random_state(&r, &robot, 1.0);
    ElvFrame frame = random_frame(&r, &robot);
    double* J = new_array(6 * robot.nv);
    elv_frame_jacobian(robot.model, robot.data, robot.state, frame, J);
    // J v is the twist
    double x[6];
    for (int i = 0; i < 6; i++) {
        x[i] = array_dot(J + i * robot.nv, robot.state->v, robot.nv);
    }
    ElvTwist eta = elv_frame_twist(robot.model, robot.data, frame);
    double scale = 1.0 + array_norm(J, 6 * robot.nv);
    CHECK_BOUND(twist_distance(elv_twist_from_array(x), eta), 1e-13 * scale, seed);
    // column k is the twist for the k-th unit velocity
    ElvState* unit = copy_state(&robot, robot.state);
    for (int k = 0; k < robot.nv; k++) {
        memset(unit->v, 0, (size_t)robot.nv * sizeof(double));
        unit->v[k] = 1.0;
        for (int i = 0; i < 6; i++) {
            x[i] = J[i * robot.nv + k];
        }
        ElvTwist column = elv_twist_from_array(x);
        ElvTwist expected = twist_by_poses(&robot, unit, frame);
        CHECK_BOUND(twist_distance(column, expected), TOL * (1.0 + twist_norm(expected)), seed);
    }
    elv_state_free(unit);
    free(J);
    robot_free(&robot);
}

static void test_jacobian(void** context) {
    (void)context;
    for (uint64_t seed = 1; seed <= N_TREE; seed++) {
        check_jacobian(seed);
    }
}

// ---- eta_dot

static ElvTwist twist_at(const Robot* robot, const ElvState* state, ElvFrame frame) {
    elv_kinematics(robot->model, robot->data, state);
    return elv_frame_twist(robot->model, robot->data, frame);
}

static void check_twist_dot(uint64_t seed) {
    RandomOptions options = fine_options(seed);
    CheckRandom r = check_random(seed);
    Robot robot = random_tree(&r, &options);
    random_state(&r, &robot, 1.0);
    ElvState* moved = copy_state(&robot, robot.state);
    for (int port = 0; port < robot.model->n_port; port++) {
        ElvFrame frame = {port, random_pose(&r, 0.5)};
        ElvTwist rate[3];
        for (int i = 0; i < 3; i++) {
            double h = 0.02 * pow(0.5, i);
            advance_state(&robot, robot.state, h, moved);
            rate[i] = twist_at(&robot, moved, frame);
            advance_state(&robot, robot.state, -h, moved);
            rate[i] = elv_twist_sub(rate[i], twist_at(&robot, moved, frame));
            rate[i] = elv_twist_scale(0.5 / h, rate[i]);
        }
        // (4 fine - coarse) / 3, then (16 fine - coarse) / 15
        ElvTwist once =
            elv_twist_add_scaled(elv_twist_scale(-1.0 / 3.0, rate[0]), 4.0 / 3.0, rate[1]);
        ElvTwist twice =
            elv_twist_add_scaled(elv_twist_scale(-1.0 / 3.0, rate[1]), 4.0 / 3.0, rate[2]);
        ElvTwist expected =
            elv_twist_add_scaled(elv_twist_scale(-1.0 / 15.0, once), 16.0 / 15.0, twice);
        elv_kinematics(robot.model, robot.data, robot.state);
        ElvTwist eta_dot = elv_frame_twist_dot(robot.model, robot.data, frame);
        double eta = twist_norm(elv_frame_twist(robot.model, robot.data, frame));
        double scale = 1.0 + twist_norm(expected) + eta * eta;
        CHECK_BOUND(twist_distance(eta_dot, expected), TOL * scale, seed);
    }
    elv_state_free(moved);
    robot_free(&robot);
}

static void test_twist_dot(void** context) {
    (void)context;
    for (uint64_t seed = 1; seed <= N_TREE; seed++) {
        check_twist_dot(seed);
    }
}

// the world stands still
static void test_world(void** context) {
    (void)context;
    RandomOptions options = random_options();
    CheckRandom r = check_random(4);
    Robot robot = random_tree(&r, &options);
    random_state(&r, &robot, 1.0);
    elv_kinematics(robot.model, robot.data, robot.state);
    ElvFrame world = frame_of(&robot, "world");
    ElvPose g = elv_frame_pose(robot.model, robot.data, world);
    ElvPose identity = elv_pose_identity();
    CHECK_ARRAY_NEAR((double*)&g, (double*)&identity, 12, 0.0);
    CHECK_NEAR(twist_norm(elv_frame_twist(robot.model, robot.data, world)), 0.0, 0.0);
    CHECK_NEAR(twist_norm(elv_frame_twist_dot(robot.model, robot.data, world)), 0.0, 0.0);
    robot_free(&robot);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_jacobian),
        cmocka_unit_test(test_twist_dot),
        cmocka_unit_test(test_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
