// SPDX-License-Identifier: Apache-2.0
// The actuation matrix: a joint's motor behind its gear, a point load by the Jacobian of its frame, and tensions, which the internal efforts
// of an arm depend on linearly, so that two evaluations of the model tell the column; names that are none are refused.
#include "robot.h"

#include "elver/analysis.h"

// an arm with a tendon, of some tension, a motor at its root and a load at its tip
static Robot arm(double tension) {
    ElvSpec* spec = new_spec();
    char text[1024];
    ElvError error;
    (void)snprintf(text, sizeof text,
                   "elver: 1\n"
                   "tree:\n"
                   "  - body: base\n"
                   "    joint: {revolute: {axis: z, force: 1, gear: 3}}\n"
                   "    mass: 1\n"
                   "    inertia: [1, 1, 1]\n"
                   "  - rod: arm\n"
                   "    parent: base\n"
                   "    length: 0.5\n"
                   "    section: {circle: {diameter: 0.02}}\n"
                   "    material: {density: 1100, young: 1e6}\n"
                   "    strain: {bend_y: 3, bend_z: 2}\n"
                   "actuators:\n"
                   "  - {tendon: pull, path: {rod: arm, y: 0.008, z: 0.002}, tension: %.17g}\n"
                   "loads:\n"
                   "  - {at: arm.tip, force: [0, 0, 1]}\n",
                   tension);
    elv_spec_free(spec);
    CHECK_STATUS(elv_spec_read_text(text, strlen(text), "arm", NULL, 0, &spec, &error), &error);
    Robot robot = robot_compile(spec);
    for (int i = 0; i < robot.nv; i++) {
        robot.state->q[i] = 0.3 * (i + 1) - 0.1 * i * i;
    }
    return robot;
}

static void test_columns(void** context) {
    (void)context;
    Robot one = arm(2.0);
    Robot other = arm(5.0);
    const char* const input[] = {"base.effort.0", "tendon.pull.tension", "loads[0].force.z"};
    ElvActuation* actuation = NULL;
    ElvError error;
    CHECK_STATUS(elv_actuation_create(one.model, one.state, input, 3, &actuation, &error), &error);
    CHECK_TRUE(actuation->n_input == 3 && actuation->nv == one.nv);
    CHECK_TRUE(strcmp(actuation->input_name[1], "tendon.pull.tension") == 0);
    double* upsilon = new_array(one.nv);
    double* more = new_array(one.nv);
    double* tau = new_array(one.nv);
    double* J = new_array(6 * one.nv);
    elv_idm(one.model, one.data, one.state, tau);
    elv_internal_efforts(one.model, one.data, one.state, upsilon);
    elv_idm(other.model, other.data, one.state, tau);
    elv_internal_efforts(other.model, other.data, one.state, more);
    ElvFrame tip = frame_of(&one, "arm.tip");
    elv_frame_jacobian(one.model, one.data, one.state, tip, J);
    ElvMat3 R = elv_frame_pose(one.model, one.data, tip).R;
    for (int i = 0; i < one.nv; i++) {
        const double* row = actuation->B + (size_t)i * 3;
        ElvVec3 lin = elv_vec3(J[3 * one.nv + i], J[4 * one.nv + i], J[5 * one.nv + i]);
        CHECK_NEAR(row[0], i == 0 ? 3.0 : 0.0, 1e-15);
        CHECK_NEAR(row[1], (more[i] - upsilon[i]) / 3.0, 1e-13);
        CHECK_NEAR(row[2], elv_mat3_apply(R, lin).z, 1e-13);
    }
    free(upsilon);
    free(more);
    free(tau);
    free(J);
    elv_actuation_free(actuation);
    robot_free(&one);
    robot_free(&other);
}

static void test_all_and_none(void** context) {
    (void)context;
    Robot robot = arm(2.0);
    ElvActuation* actuation = NULL;
    ElvError error;
    // all drives and actuators, no loads
    CHECK_STATUS(elv_actuation_create(robot.model, robot.state, NULL, 0, &actuation, &error),
                 &error);
    CHECK_TRUE(actuation->n_input == 2);
    elv_actuation_free(actuation);
    const char* const wrong[] = {"tendon.push"};
    ElvStatus status = elv_actuation_create(robot.model, robot.state, wrong, 1, &actuation, &error);
    CHECK_TRUE(status == ELV_ERROR_INPUT && !actuation);
    elv_actuation_free(NULL);
    robot_free(&robot);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_columns),
                                       cmocka_unit_test(test_all_and_none)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
