// SPDX-License-Identifier: Apache-2.0
// Arrows of a view: loads as the model file gives them, where they act; reactions, contacts, wheels and controllers as
// signals and the balance of the model give them.
#include "view_case.h"

#include "model_sample.h"

static void
check_arrow(const Seen* seen, const ElvViewArrow* arrow, ElvVec3 p, ElvVec3 vector, double tol) {
    CHECK_TRUE(arrow != NULL);
    const double expected[6] = {p.x, p.y, p.z, vector.x, vector.y, vector.z};
    CHECK_ARRAY_NEAR(seen->value + arrow->index, expected, 6, tol);
}

static const char LOADED[] =
    "elver: 1\n"
    "tree:\n"
    "  - rod: rod\n"
    "    length: 2\n"
    "    section: {circle: {radius: 0.02}}\n"
    "    material: {density: 1000, young: 1e6, poisson: 0.3}\n"
    "    strain: {kirchhoff: 3}\n"
    "loads:\n"
    "  - {force: [1, \"2*t\", 3], at: rod.tip}\n"
    "  - {torque: [0, 0, 4], at: rod.tip, frame: local}\n"
    "  - {force: [0, 5, 0], at: rod.at(0.5), frame: local, while: \"t < 1\"}\n"
    "  - {distributed: [0, 0, 0, 0, \"6*s\", 7], rod: rod, from: 0.25, to: 0.75}\n"
    "  - {distributed: [0, 0, 8, 0, 0, 0], rod: rod, frame: local}\n";

static void test_loads(void** context) {
    (void)context;
    Seen seen = see(robot_of_text(LOADED), 0);
    const Robot* robot = &seen.robot;
    seen.robot.state->t = 0.5;
    shake(&seen.robot, 2, 0.4);
    look(&seen);
    ElvPose tip = elv_frame_pose(robot->model, robot->data, frame_of(robot, "rod.tip"));
    ElvPose half = elv_frame_pose(robot->model, robot->data, frame_of(robot, "rod.at(0.5)"));
    check_arrow(&seen, arrow_named(&seen, "loads[0]", false, 0), tip.p, elv_vec3(1.0, 1.0, 3.0),
                1e-12);
    check_arrow(&seen, arrow_named(&seen, "loads[1]", true, 0), tip.p,
                elv_mat3_apply(tip.R, elv_vec3(0.0, 0.0, 4.0)), 1e-12);
    check_arrow(&seen, arrow_named(&seen, "loads[2]", false, 0), half.p,
                elv_mat3_apply(half.R, elv_vec3(0.0, 5.0, 0.0)), 1e-12);
    // what can never act
    CHECK_TRUE(!arrow_named(&seen, "loads[0]", true, 0));
    CHECK_TRUE(!arrow_named(&seen, "loads[1]", false, 0));
    // and what does not now
    seen.robot.state->t = 1.5;
    look(&seen);
    check_arrow(&seen, arrow_named(&seen, "loads[2]", false, 0), half.p, elv_vec3(0.0, 0.0, 0.0),
                1e-12);
    see_free(&seen);
}

// all pieces of a distributed load make up the whole: of one that is linear in s exactly, with its moment
static void test_distributed(void** context) {
    (void)context;
    Seen seen = see(robot_of_text(LOADED), 0);
    look(&seen);
    double sum[3] = {0.0, 0.0, 0.0};
    double moment = 0.0;
    int n = 0;
    for (const ElvViewArrow* arrow;
         (arrow = arrow_named(&seen, "rod.distributed[0]", false, n)) != NULL; n++) {
        const double* value = seen.value + arrow->index;
        // on the axis of the rod, straight along x, between its quarters
        CHECK_TRUE(value[0] > 0.5 && value[0] < 1.5 && fabs(value[1]) < 1e-12);
        moment += value[0] * value[5];
        for (int k = 0; k < 3; k++) {
            sum[k] += value[3 + k];
        }
    }
    CHECK_TRUE(n == 8);
    // 6 s integrated over 1 m about s = 1/2, and 7 N/m over 1 m about x = 1 m
    CHECK_NEAR(sum[0], 0.0, 1e-12);
    CHECK_NEAR(sum[1], 3.0, 1e-12);
    CHECK_NEAR(sum[2], 7.0, 1e-12);
    CHECK_NEAR(moment, 7.0, 1e-12);
    // moments follow the rod: 8 N m/m over 2 m
    double total = 0.0;
    for (int k = 0; k < 8; k++) {
        const ElvViewArrow* arrow = arrow_named(&seen, "rod.distributed[1]", true, k);
        CHECK_TRUE(arrow != NULL);
        total += seen.value[arrow->index + 5];
    }
    CHECK_NEAR(total, 16.0, 1e-12);
    see_free(&seen);
}

// ---- devices

static void test_loops(void** context) {
    (void)context;
    Seen seen = see(robot_of_text(sample_loops), 0);
    const Robot* robot = &seen.robot;
    double wrench[6], force[3], pair[2];
    CheckRandom random = check_random(9);
    for (int i = 0; i < elv_model_nz(robot->model); i++) {
        // places in z stay where they are: stations of sliders
        double z = robot->state->z[i];
        robot->state->z[i] = z == 0.0 ? check_uniform(&random, -1.0, 1.0) : z;
    }
    look(&seen);
    // on the second side, about its origin
    signal_now(&seen, "loop.apex.wrench", 6, wrench);
    ElvPose right = elv_frame_pose(robot->model, robot->data, frame_of(robot, "right"));
    check_arrow(&seen, arrow_named(&seen, "apex", true, 0), right.p,
                elv_vec3(wrench[0], wrench[1], wrench[2]), 1e-9);
    check_arrow(&seen, arrow_named(&seen, "apex", false, 0), right.p,
                elv_vec3(wrench[3], wrench[4], wrench[5]), 1e-9);
    CHECK_TRUE(array_norm(wrench, 6) > 0.1);
    // a wheel on the ground touches it below its centre
    signal_now(&seen, "rolling.wheel.force", 3, force);
    ElvVec3 f = elv_vec3(force[0], force[1], force[2]);
    ElvPose disk = elv_frame_pose(robot->model, robot->data, frame_of(robot, "disk"));
    check_arrow(&seen, arrow_named(&seen, "wheel", false, 0),
                elv_vec3(disk.p.x, disk.p.y, disk.p.z - 0.1), f, 1e-9);
    // an ideal wheel pushes sideways and ahead
    signal_now(&seen, "wheel.driven.force", 2, pair);
    ElvPose skate = elv_frame_pose(robot->model, robot->data, frame_of(robot, "skate"));
    const ElvViewArrow* driven = arrow_named(&seen, "driven", false, 0);
    CHECK_TRUE(driven != NULL);
    const double* value = seen.value + driven->index;
    const double at[3] = {skate.p.x, skate.p.y, skate.p.z};
    CHECK_ARRAY_NEAR(value, at, 3, 1e-12);
    CHECK_NEAR(array_norm(value + 3, 3), hypot(pair[0], pair[1]), 1e-9);
    see_free(&seen);
}

// a slider acts on the rod
static void test_slider(void** context) {
    (void)context;
    ElvError error;
    double force[3];
    Seen seen = see(robot_read("models/bead-on-rod.yaml"), 0);
    CHECK_STATUS(elv_close_loops(seen.robot.model, seen.robot.state, NULL, &error), &error);
    look(&seen);
    const ElvViewArrow* arrow = NULL;
    char signal[128];
    for (int i = 0; i < seen.view->n_arrow; i++) {
        arrow = seen.view->arrow[i].kind == ELV_VIEW_CONTACT ? &seen.view->arrow[i] : arrow;
    }
    CHECK_TRUE(arrow != NULL);
    (void)snprintf(signal, sizeof signal, "slider.%s.force", arrow->name);
    signal_now(&seen, signal, 3, force);
    CHECK_TRUE(array_norm(force, 3) > 1e-6);
    CHECK_ARRAY_NEAR(seen.value + arrow->index + 3, force, 3, 1e-9);
    see_free(&seen);
}

static void test_control(void** context) {
    (void)context;
    double wrench[6];
    Seen seen = see(robot_of_text(sample_actuators), 0);
    const Robot* robot = &seen.robot;
    shake(&seen.robot, 4, 0.2);
    for (int i = 0; i < elv_model_nz(robot->model); i++) {
        robot->state->z[i] = 0.1 * i;
    }
    look(&seen);
    signal_now(&seen, "control.cruise.wrench", 6, wrench);
    ElvPose hand = elv_frame_pose(robot->model, robot->data, frame_of(robot, "hand"));
    check_arrow(&seen, arrow_named(&seen, "cruise", true, 0), hand.p,
                elv_mat3_apply(hand.R, elv_vec3(wrench[0], wrench[1], wrench[2])), 1e-9);
    check_arrow(&seen, arrow_named(&seen, "cruise", false, 0), hand.p,
                elv_mat3_apply(hand.R, elv_vec3(wrench[3], wrench[4], wrench[5])), 1e-9);
    see_free(&seen);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loads),   cmocka_unit_test(test_distributed),
        cmocka_unit_test(test_loops),   cmocka_unit_test(test_slider),
        cmocka_unit_test(test_control),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
