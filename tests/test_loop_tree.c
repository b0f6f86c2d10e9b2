// SPDX-License-Identifier: Apache-2.0
// Loops against trees: a body hangs from the tip of a swinging rod by a joint of every type, with springs,
// dampers and a motor, or with imposed coordinates. As a joint of the tree, and as a free body that a loop
// holds, it moves in the same way, and is held by the same wrench, up to the error of the steps, which is of
// order 2 in both.
#include "loop_case.h"
#include "loop_run.h"

static const double T_END = 0.4;

// ---- the pendulum

static ElvJointDef joint_of(ElvJointType type, ElvDrive drive) {
    static const char* const force[6] = {"0.1*(1 - cos(3*t))", "0.2*(1 - cos(4*t))",
                                         "0.1*(cos(5*t) - 1)"};
    static const char* const motion[6] = {"0.2*(1 - cos(4*t))", "0.1*(1 - cos(5*t))",
                                          "-0.15*(1 - cos(3*t))"};
    ElvJointDef joint = elv_joint_def_default();
    joint.type = type;
    joint.axis = elv_vec3(0.3, 1.0, -0.2);
    joint.axis2 = elv_vec3(0.2, 0.3, 1.0);
    joint.drive = type == ELV_JOINT_FIXED ? ELV_DRIVE_PASSIVE : drive;
    for (int k = 0; k < 3 && type != ELV_JOINT_FIXED; k++) {
        bool is_free = drive != ELV_DRIVE_MOTION;
        joint.stiffness[k] = is_free ? 4.0 + k : 0.0;
        joint.damping[k] = is_free ? 0.02 * (k + 1) : 0.0;
        if (drive != ELV_DRIVE_PASSIVE) {
            joint.law[k] = elv_law_def_formula(is_free ? force[k] : motion[k]);
        }
    }
    return joint;
}

static void add_arm(ElvSpec* spec) {
    ElvElementDef element = elv_element_def_default();
    ElvRodDef rod = elv_rod_def_default();
    rod.name = "arm";
    rod.joint.type = ELV_JOINT_REVOLUTE;
    rod.joint.axis = elv_vec3(0.0, 1.0, 0.0);
    rod.length = 0.5;
    rod.section.kind = ELV_SECTION_CIRCLE;
    rod.section.outer[0] = elv_law_def_value(0.02);
    rod.material.density = 1000.0;
    rod.material.young = 2e6;
    rod.material.poisson = 0.4;
    for (int k = 0; k < 3; k++) {
        element.modes[k] = 2;
        rod.material.damping[k] = 0.01;
    }
    rod.element = &element;
    rod.n_element = 1;
    add_rod(spec, &rod);
}

// a force on the bob that grows smoothly: what begins at once would ring in the multipliers
static void add_load(ElvSpec* spec) {
    static const char* const force[3] = {"0.5*(1 - cos(5*t))", "0.4*(1 - cos(6*t))",
                                         "-0.8*(1 - cos(4*t))"};
    ElvError error;
    ElvWrenchDef load = elv_wrench_def_default();
    load.at = "bob";
    for (int k = 0; k < 3; k++) {
        load.wrench[3 + k] = elv_law_def_formula(force[k]);
    }
    CHECK_STATUS(elv_spec_add_wrench(spec, &load, &error), &error);
}

// the bob on the tip: by a joint of the tree, or free and held by a loop
static Robot pendulum(ElvJointType type, ElvDrive drive, bool is_loop) {
    ElvError error;
    ElvSpec* spec = new_spec();
    ElvBodyDef bob = elv_body_def_default();
    ElvLoopDef loop = elv_loop_def_default();
    add_arm(spec);
    bob.name = "bob";
    bob.parent = is_loop ? "world" : "arm.tip";
    bob.joint = joint_of(type, drive);
    if (is_loop) {
        bob.joint = elv_joint_def_default();
        bob.joint.type = ELV_JOINT_FREE;
        bob.joint.position[3] = 0.5;
    }
    bob.mass = 0.2;
    bob.center = elv_vec3(0.05, 0.02, -0.08);
    bob.inertia = elv_mat3_identity();
    bob.inertia = elv_mat3_scale(1e-3, bob.inertia);
    bob.inertia.m[0][0] = 1.5e-3;
    bob.has_inertia = true;
    add_body(spec, &bob);
    loop.name = "knot";
    loop.first = "arm.tip";
    loop.second = "bob";
    loop.joint = joint_of(type, drive);
    if (is_loop) {
        CHECK_STATUS(elv_spec_add_loop(spec, &loop, &error), &error);
    }
    add_load(spec);
    return robot_compile(spec);
}

// the wrench of the arm on the bob, in the axes and about the origin of the bob
static int
wrench_on_bob(const ElvModel* model, ElvData* data, const ElvState* state, double* value) {
    ElvError error;
    ElvFrame bob;
    CHECK_STATUS(elv_model_frame(model, "bob", &bob, &error), &error);
    ElvWrench W = data->W[bob.port];
    if (state->nz > 0) {
        W = elv_wrench_from_array(state->z);
        W.mom = elv_vec3_sub(W.mom, elv_vec3_cross(data->origin, W.frc));
    }
    elv_wrench_to_array(elv_wrench_transform_inv(data->port[bob.port].g, W), value);
    return 6;
}

static LoopRun* run_pendulum(ElvJointType type, ElvDrive drive, bool is_loop, double step) {
    LoopOptions options = {.method = ELV_METHOD_GENERALIZED_ALPHA,
                           .step = step,
                           .t_end = T_END,
                           .every = 0.1,
                           .signal = {"bob.position", "bob.orientation"},
                           .extra = wrench_on_bob};
    Robot robot = pendulum(type, drive, is_loop);
    LoopRun* run = loop_simulate(&robot, &options);
    CHECK_TRUE(run->n_column == 13);
    robot_free(&robot);
    return run;
}

// ---- order of convergence towards the tree

static void check_type(ElvJointType type, ElvDrive drive) {
    enum { N = 3 };
    static const double step[N] = {0.01, 0.005, 0.0025};
    LoopRun* fine[2];
    for (int i = 0; i < 2; i++) {
        fine[i] = run_pendulum(type, drive, false, i == 0 ? 0.001 : 0.0005);
    }
    // extrapolated: of order 4
    loop_extrapolate(fine[0], fine[1]);
    double pose[N], wrench[N];
    for (int i = 0; i < N; i++) {
        LoopRun* run = run_pendulum(type, drive, true, step[i]);
        pose[i] = loop_distance(run, fine[1], 0, 7);
        wrench[i] = loop_distance(run, fine[1], 7, 13);
        free(run);
    }
    // of a size that can be seen, and with a quarter of it after halving
    CHECK_TRUE(pose[N - 1] > 1e-6 && pose[0] < 1e-3 && wrench[N - 1] > 1e-6 && wrench[0] < 1e-2);
    CHECK_NEAR(pose[N - 2] / pose[N - 1], 4.0, 0.05 * 4.0);
    CHECK_NEAR(wrench[N - 2] / wrench[N - 1], 4.0, 0.1 * 4.0);
    free(fine[0]);
    free(fine[1]);
}

static void test_order(void** unused) {
    (void)unused;
    for (int i = 0; i < N_LOOP_TYPE; i++) {
        for (int drive = 0; drive < 3; drive++) {
            if (!IS_SANITIZED || drive == i % 3) {
                check_type(loop_types[i], (ElvDrive)drive);
            }
        }
    }
}

// ---- from nothing

// Where nothing acts at the start, neither motion nor wrench, a motor in the loop sets all in motion: the first
// wrench is measured by what it must become.
static void test_motor_from_rest(void** unused) {
    (void)unused;
    static const char* const text =
        "tree:\n"
        "  - {body: arm, joint: {revolute: {axis: z}}, mass: 1, center: [0.5, 0, 0],\n"
        "     inertia: [0.1, 0.1, 0.1]}\n"
        "  - {body: bob, %s, mass: 0.2, inertia: [0.01, 0.01, 0.01]}\n"
        "frames: [{name: tip, on: arm, pose: {xyz: [1, 0, 0]}}]\n"
        "%s"
        "simulate: {duration: 1}\n";
    static const char* const joint = "joint: {revolute: {axis: z, force: \"0.1*sin(3*t)\"}}";
    char tree[256], loop[256];
    snprintf(tree, sizeof tree, "parent: tip, %s", joint);
    snprintf(loop, sizeof loop, "loops: [{loop: knot, between: [tip, bob], %s}]\n", joint);
    LoopOptions options = {.method = ELV_METHOD_GENERALIZED_ALPHA,
                           .step = 0.01,
                           .t_end = 1.0,
                           .every = 0.1,
                           .signal = {"bob.position", "bob.orientation"}};
    Robot robot[2] = {loop_robot(text, tree, ""),
                      loop_robot(text, "joint: {free: {position: {xyz: [1, 0, 0]}}}", loop)};
    LoopRun* run[2];
    for (int i = 0; i < 2; i++) {
        run[i] = loop_simulate(&robot[i], &options);
        robot_free(&robot[i]);
    }
    CHECK_TRUE(fabs(run[0]->value[10][6]) > 0.1);
    CHECK_TRUE(loop_distance(run[0], run[1], 0, 7) < 1e-3);
    free(run[0]);
    free(run[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_motor_from_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
