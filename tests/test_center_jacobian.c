// SPDX-License-Identifier: Apache-2.0
// The Jacobian of the centre of mass on random trees: times the velocities and the mass it is the linear momentum, and
// its columns are differences of the centre along the coordinates. Under loads, which it must not see.
#include "random_tree.h"

enum { N_TREE = IS_SANITIZED ? 30 : 120 };

static ElvVec3 center_beside(const Robot* robot, int k, double h) {
    ElvState* moved = copy_state(robot, robot->state);
    double* d = new_array(robot->nv);
    d[k] = h;
    elv_configuration_integrate(robot->model, robot->state->q, d, moved->q);
    ElvVec3 center = elv_momentum(robot->model, robot->data, moved).center;
    free(d);
    elv_state_free(moved);
    return center;
}

static void test_jacobian(void** context) {
    (void)context;
    for (uint64_t seed = 1; seed <= N_TREE; seed++) {
        RandomOptions options = random_options();
        // momentum counts added mass, the centre does not
        options.has_added_mass = false;
        CheckRandom r = check_random(seed);
        Robot robot = random_tree(&r, &options);
        random_state(&r, &robot, 1.0);
        double* J = new_array(3 * robot.nv);
        elv_center_jacobian(robot.model, robot.data, robot.state, J);
        ElvMomentum momentum = elv_momentum(robot.model, robot.data, robot.state);
        const double linear[] = {momentum.linear.x, momentum.linear.y, momentum.linear.z};
        double scale = 1.0 + elv_vec3_norm(momentum.linear);
        for (int i = 0; i < 3; i++) {
            double own = momentum.mass * array_dot(J + i * robot.nv, robot.state->v, robot.nv);
            CHECK_BOUND(fabs(own - linear[i]), 1e-11 * scale, seed);
        }
        for (int k = 0; k < robot.nv; k++) {
            // second order: third derivatives are of the size of the robot
            ElvVec3 up = center_beside(&robot, k, 1e-4);
            ElvVec3 slope = elv_vec3_scale(5e3, elv_vec3_sub(up, center_beside(&robot, k, -1e-4)));
            ElvVec3 column = elv_vec3(J[k], J[robot.nv + k], J[2 * robot.nv + k]);
            CHECK_BOUND(elv_vec3_norm(elv_vec3_sub(slope, column)), 1e-7, seed);
        }
        free(J);
        robot_free(&robot);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_jacobian)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
