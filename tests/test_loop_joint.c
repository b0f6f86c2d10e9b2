// SPDX-License-Identifier: Apache-2.0
// A loop beside a joint of the tree that does the same: a body hangs on a frame by a joint, behind a carrier
// without mass whose motion is imposed, and a loop of the same type, moved by the same laws, joins the same
// frames. Whatever the state, the loop is closed in positions, velocities and accelerations; its
// coordinates and efforts are those of the joint; and its wrench works on the joint's coordinates as its own
// components say. Constraints on velocities are held against the twists of frames.
#include "loop_case.h"

#include "multibody/loop.h"

enum { N_SEED = IS_SANITIZED ? 2 : 20 };

// ---- the robot

// a carrier on frame a by imposed motions, and a twin on the carrier by the joint
static void add_twin(CheckRandom* r, ElvSpec* spec, const ElvLoopDef* loop) {
    ElvBodyDef carrier = elv_body_def_default();
    carrier.name = "carrier";
    carrier.parent = "a";
    carrier.joint.type = ELV_JOINT_FREE;
    carrier.joint.drive = ELV_DRIVE_MOTION;
    memcpy(carrier.joint.law, loop->pose, sizeof carrier.joint.law);
    add_body(spec, &carrier);
    ElvBodyDef twin = elv_body_def_default();
    twin.name = "twin";
    twin.parent = "carrier";
    twin.joint = loop->joint;
    twin.mass = check_uniform(r, 0.5, 1.5);
    twin.center = random_vec3(r, 0.1);
    twin.inertia = cloud_inertia(r, twin.mass, 0.3);
    twin.has_inertia = true;
    add_body(spec, &twin);
}

static Robot robot_with_twin(uint64_t seed, ElvJointType type, ElvDrive drive) {
    ElvError error;
    Scratch scratch = {.n = 0};
    CheckRandom r = check_random(seed);
    ElvSpec* spec = loop_tree(&r);
    ElvLoopDef loop = elv_loop_def_default();
    loop_frames(&r, spec, (int)(seed % N_LOOP_PAIR));
    loop.name = "knot";
    loop.first = "a";
    loop.second = "twin";
    loop.joint = loop_joint(&r, &scratch, type, drive);
    loop_pose(&r, &scratch, loop.pose);
    add_twin(&r, spec, &loop);
    CHECK_STATUS(elv_spec_add_loop(spec, &loop, &error), &error);
    return robot_compile(spec);
}

static ElvNodeInfo node_of(const Robot* robot, const char* name) {
    for (int i = 0; i < elv_model_n_node(robot->model); i++) {
        if (strcmp(elv_model_node(robot->model, i).name, name) == 0) {
            return elv_model_node(robot->model, i);
        }
    }
    fail();
    return (ElvNodeInfo){0};
}

// any state, with coordinates of the twin so large that it matters which comes first
static void any_state(CheckRandom* r, Robot* robot) {
    ElvNodeInfo twin = node_of(robot, "twin");
    random_state(r, robot, 1.0);
    for (int k = 0; k < twin.n_q; k++) {
        robot->state->q[twin.i_q + k] = check_uniform(r, -2.0, 2.0);
    }
    elv_state_impose(robot->model, robot->state);
}

static void read_signals(Robot* robot, const char* name, double* value) {
    ElvError error;
    ElvSignals* signals = NULL;
    double* tau = new_array(robot->nv);
    CHECK_STATUS(elv_signals_create(robot->model, &name, 1, &signals, &error), &error);
    CHECK_TRUE(elv_signals_n_column(signals) <= 6);
    elv_idm(robot->model, robot->data, robot->state, tau);
    elv_signals_eval(signals, robot->model, robot->data, robot->state, value);
    elv_signals_free(signals);
    free(tau);
}

// ---- what the loop sees

static void check_closed(Robot* robot, uint64_t seed) {
    const ElvLoop* loop = (const ElvLoop*)loop_device(robot->model);
    double c[3][6];
    int n_held = 0;
    loop_motion(robot, robot->state, c);
    for (int i = 0; i < 6; i++) {
        if (elv_loop_row_holds(&loop->row[i])) {
            n_held++;
            // poses of size 1, twists and accelerations of size 10, squared
            CHECK_BOUND(fabs(c[0][i]), 1e-13, seed);
            CHECK_BOUND(fabs(c[1][i]), 1e-12, seed);
            CHECK_BOUND(fabs(c[2][i]), 1e-11, seed);
        } else {
            CHECK_TRUE(c[0][i] == 0.0 && c[1][i] == 0.0);
        }
    }
    ElvNodeInfo twin = node_of(robot, "twin");
    CHECK_TRUE(n_held == 6 - (twin.drive == ELV_DRIVE_MOTION ? 0 : twin.n_v));
}

// a driven turn is part of the joint frame
static bool has_coordinates(const ElvNodeInfo* twin) {
    bool is_turned = twin->joint == ELV_JOINT_SPHERICAL && twin->drive == ELV_DRIVE_MOTION;
    return twin->n_v > 0 && !is_turned;
}

static void check_coordinates(Robot* robot, uint64_t seed) {
    ElvNodeInfo twin = node_of(robot, "twin");
    const double* q = robot->state->q + twin.i_q;
    double value[6], expected[6] = {0.0};
    if (!has_coordinates(&twin)) {
        return;
    }
    memcpy(expected, q, (size_t)twin.n_v * sizeof *q);
    if (twin.joint == ELV_JOINT_SPHERICAL) {
        ElvVec3 turn = elv_quat_log(elv_quat(q[0], q[1], q[2], q[3]));
        expected[0] = turn.x;
        expected[1] = turn.y;
        expected[2] = turn.z;
    }
    read_signals(robot, "loop.knot.coordinate", value);
    for (int k = 0; k < twin.n_v; k++) {
        CHECK_BOUND(fabs(value[k] - expected[k]), 1e-13, seed);
    }
}

// with no wrench the equation of a freedom is minus its effort: that of the joint in the tree
static void check_efforts(Robot* robot, uint64_t seed) {
    const ElvLoop* loop = (const ElvLoop*)loop_device(robot->model);
    ElvNodeInfo twin = node_of(robot, "twin");
    double* upsilon = new_array(robot->nv);
    double c[3][6];
    memset(robot->state->z, 0, 6 * sizeof(double));
    elv_kinematics(robot->model, robot->data, robot->state);
    elv_internal_efforts(robot->model, robot->data, robot->state, upsilon);
    loop_motion(robot, robot->state, c);
    for (int i = 0, k = 0; i < 6; i++) {
        if (!elv_loop_row_holds(&loop->row[i])) {
            CHECK_BOUND(fabs(c[2][i] + upsilon[twin.i_v + k]), 1e-12, seed);
            k++;
        }
    }
    free(upsilon);
}

// the energy of its springs is that of the joint's
static void check_energy(Robot* robot, uint64_t seed) {
    const ElvDevice* device = loop_device(robot->model);
    ElvScene scene = {robot->model, robot->data, robot->state, NULL};
    elv_kinematics(robot->model, robot->data, robot->state);
    for (int j = 0; j < robot->model->n_node; j++) {
        const ElvNode* node = &robot->model->node[j];
        bool is_twin = strcmp(node->name, "twin") == 0;
        if (is_twin && node->info.drive != ELV_DRIVE_MOTION) {
            ElvMeasure sum = {.elastic = 0.0};
            ElvJointInput in = elv_joint_input(robot->model, robot->data, node, robot->state);
            node->joint->ops->measure(node->joint, robot->data->work[j], &in, &sum);
            CHECK_BOUND(fabs(device->ops->energy(device, &scene) - sum.elastic), 1e-12, seed);
        }
    }
}

// the wrench takes part in the inverse dynamics of the joint by its components along the freedoms
static void check_work(Robot* robot, CheckRandom* r, uint64_t seed) {
    ElvNodeInfo twin = node_of(robot, "twin");
    double* without = new_array(robot->nv);
    double* with = new_array(robot->nv);
    double effort[6];
    memset(robot->state->z, 0, 6 * sizeof(double));
    elv_idm(robot->model, robot->data, robot->state, without);
    for (int k = 0; k < 6; k++) {
        robot->state->z[k] = check_uniform(r, -1.0, 1.0);
    }
    elv_idm(robot->model, robot->data, robot->state, with);
    if (has_coordinates(&twin)) {
        read_signals(robot, "loop.knot.effort", effort);
    }
    for (int k = 0; k < twin.n_v && has_coordinates(&twin); k++) {
        CHECK_BOUND(fabs(without[twin.i_v + k] - with[twin.i_v + k] - effort[k]), 1e-12, seed);
    }
    free(without);
    free(with);
}

static void check_twin(uint64_t seed, ElvJointType type, ElvDrive drive) {
    CheckRandom r = check_random(seed + 50);
    Robot robot = robot_with_twin(seed, type, drive);
    any_state(&r, &robot);
    check_closed(&robot, seed);
    check_coordinates(&robot, seed);
    check_efforts(&robot, seed);
    check_energy(&robot, seed);
    check_work(&robot, &r, seed);
    robot_free(&robot);
}

static void test_twin(void** unused) {
    (void)unused;
    for (int i = 0; i < N_LOOP_TYPE; i++) {
        for (uint64_t seed = 1; seed <= N_SEED; seed++) {
            ElvDrive drive = (ElvDrive)(seed % 3);
            bool can_drive = loop_types[i] != ELV_JOINT_FIXED;
            check_twin(seed, loop_types[i], can_drive ? drive : ELV_DRIVE_PASSIVE);
        }
    }
}

// ---- what is measured of the wrench

// The wrench about the second frame's origin: in world axes, and turned into the axes of the joint frame on the
// first and of the second. Its power on the relative motion is that of its components on the coordinates.
static void test_wrench_signals(void** unused) {
    (void)unused;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        CheckRandom r = check_random(seed);
        Robot robot = robot_with_twin(seed, ELV_JOINT_PLANAR, ELV_DRIVE_PASSIVE);
        double value[3][6], back[6];
        any_state(&r, &robot);
        for (int k = 0; k < 6; k++) {
            robot.state->z[k] = check_uniform(&r, -1.0, 1.0);
        }
        read_signals(&robot, "loop.knot.wrench", value[0]);
        read_signals(&robot, "loop.knot.wrench_first", value[1]);
        read_signals(&robot, "loop.knot.wrench_second", value[2]);
        // force, and moment moved to the second origin
        ElvPose twin = elv_frame_pose(robot.model, robot.data, frame_of(&robot, "twin"));
        ElvPose joint = elv_frame_pose(robot.model, robot.data, frame_of(&robot, "carrier"));
        ElvWrench z = elv_wrench_from_array(robot.state->z);
        elv_wrench_to_array(elv_wrench(elv_vec3_sub(z.mom, elv_vec3_cross(twin.p, z.frc)), z.frc),
                            back);
        CHECK_ARRAY_NEAR(value[0], back, 6, 1e-13);
        const ElvMat3 R[2] = {joint.R, twin.R};
        for (int i = 0; i < 2; i++) {
            ElvWrench own = elv_wrench_from_array(value[1 + i]);
            elv_wrench_to_array(
                elv_wrench(elv_mat3_apply(R[i], own.mom), elv_mat3_apply(R[i], own.frc)), back);
            CHECK_ARRAY_NEAR(back, value[0], 6, 1e-13);
        }
        robot_free(&robot);
    }
}

// a spherical loop tells how far its points are from each other, and how fast they part
static void test_gap(void** unused) {
    (void)unused;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        ElvError error;
        CheckRandom r = check_random(seed);
        ElvSpec* spec = loop_tree(&r);
        ElvLoopDef loop = elv_loop_def_default();
        loop_frames(&r, spec, (int)(seed % N_LOOP_PAIR));
        loop.name = "knot";
        loop.first = "a";
        loop.second = "b";
        loop.joint.type = ELV_JOINT_SPHERICAL;
        CHECK_STATUS(elv_spec_add_loop(spec, &loop, &error), &error);
        Robot robot = robot_compile(spec);
        ElvFrame a = frame_of(&robot, "a");
        ElvFrame b = frame_of(&robot, "b");
        double gap[2];
        random_state(&r, &robot, 1.0);
        read_signals(&robot, "loop.knot.gap", gap);
        ElvVec3 from = elv_frame_pose(robot.model, robot.data, a).p;
        ElvVec3 to = elv_frame_pose(robot.model, robot.data, b).p;
        CHECK_NEAR(gap[1], elv_vec3_norm(elv_vec3_sub(to, from)), 1e-13);
        CHECK_TRUE(gap[0] == 0.0);
        robot_free(&robot);
    }
}

// ---- velocities

// the twist of b against that of a, in the axes of b
static void relative_twist(Robot* robot, double eta[6]) {
    ElvFrame a = frame_of(robot, "a");
    ElvFrame b = frame_of(robot, "b");
    ElvPose g_a = elv_frame_pose(robot->model, robot->data, a);
    ElvPose g_b = elv_frame_pose(robot->model, robot->data, b);
    ElvPose g_ba = elv_pose_compose(elv_pose_inverse(g_b), g_a);
    ElvTwist of_a = elv_twist_transform(g_ba, elv_frame_twist(robot->model, robot->data, a));
    ElvTwist of_b = elv_frame_twist(robot->model, robot->data, b);
    elv_twist_to_array(elv_twist_sub(of_b, of_a), eta);
}

static void check_velocities(uint64_t seed, int n_row) {
    ElvError error;
    CheckRandom r = check_random(seed);
    ElvSpec* spec = loop_tree(&r);
    ElvVelocityConstraintDef def = elv_velocity_constraint_def_default();
    loop_frames(&r, spec, (int)(seed % N_LOOP_PAIR));
    def.name = "blade";
    def.on = "a";
    def.at = "b";
    def.n_row = n_row;
    for (int i = 0; i < n_row; i++) {
        def.rate[i] = elv_law_def_formula("sin(3*t)");
        for (int k = 0; k < 6; k++) {
            def.row[i][k] = check_uniform(&r, -1.0, 1.0);
        }
    }
    CHECK_STATUS(elv_spec_add_velocity_constraint(spec, &def, &error), &error);
    Robot robot = robot_compile(spec);
    double c[3][6], eta[6], wrench[6];
    random_state(&r, &robot, 1.0);
    for (int k = 0; k < 6; k++) {
        robot.state->z[k] = check_uniform(&r, -1.0, 1.0);
    }
    loop_motion(&robot, robot.state, c);
    relative_twist(&robot, eta);
    read_signals(&robot, "constraint.blade.wrench_second", wrench);
    for (int i = 0; i < 6; i++) {
        CHECK_TRUE(c[0][i] == 0.0);
        double expected =
            i < n_row ? array_dot(def.row[i], eta, 6) - sin(3.0 * robot.state->t) : 0.0;
        CHECK_BOUND(fabs(c[1][i] - expected), 1e-12, seed);
    }
    // what the other equations ask for is a wrench that does no work on motions which the rows allow
    for (int i = n_row; i < 6; i++) {
        const double* along = ((const ElvLoop*)loop_device(robot.model))->row[i].coefficient;
        CHECK_BOUND(fabs(c[2][i] - array_dot(along, wrench, 6)), 1e-12, seed);
        CHECK_BOUND(fabs(array_norm(along, 6) - 1.0), 1e-12, seed);
        for (int k = 0; k < n_row; k++) {
            CHECK_BOUND(fabs(array_dot(along, def.row[k], 6)), 1e-12, seed);
        }
    }
    robot_free(&robot);
}

static void test_velocities(void** unused) {
    (void)unused;
    for (uint64_t seed = 1; seed <= N_SEED; seed++) {
        check_velocities(seed, 1 + (int)(seed % ELV_VELOCITY_ROWS_MAX));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_twin),
        cmocka_unit_test(test_wrench_signals),
        cmocka_unit_test(test_gap),
        cmocka_unit_test(test_velocities),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
