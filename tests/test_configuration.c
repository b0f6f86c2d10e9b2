// SPDX-License-Identifier: Apache-2.0
// Sums and differences of configurations on random trees. What pins them down: along d they begin with the rate of the
// velocities d, two parts of a displacement make the whole (so they are motions of constant velocity), and the difference
// is the inverse of the sum.
#include "random_tree.h"

enum { N_TREE = IS_SANITIZED ? 40 : 200 };

// a displacement of moderate turns, and another tree's random state
static double* random_displacement(CheckRandom* r, const Robot* robot, double size) {
    double* d = new_array(robot->nv);
    for (int i = 0; i < robot->nv; i++) {
        d[i] = check_uniform(r, -size, size);
    }
    return d;
}

static Robot random_robot(CheckRandom* r) {
    RandomOptions options = random_options();
    Robot robot = random_tree(r, &options);
    random_state(r, &robot, 1.0);
    elv_state_impose(robot.model, robot.state);
    return robot;
}

static void
integrate_scaled(const Robot* robot, const double* q, double h, const double* d, double* to) {
    double* step = new_array(robot->nv);
    for (int i = 0; i < robot->nv; i++) {
        step[i] = h * d[i];
    }
    elv_configuration_integrate(robot->model, q, step, to);
    free(step);
}

static void test_rate(void** context) {
    (void)context;
    for (uint64_t seed = 1; seed <= N_TREE; seed++) {
        CheckRandom r = check_random(seed);
        Robot robot = random_robot(&r);
        double* d = random_displacement(&r, &robot, 1.0);
        double* rate = new_array(robot.nq);
        double* up = new_array(robot.nq);
        double* down = new_array(robot.nq);
        memcpy(robot.state->v, d, (size_t)robot.nv * sizeof *d);
        elv_state_rate(robot.model, robot.state, rate);
        // central differences of third derivatives below 10: 1e-4 squared
        integrate_scaled(&robot, robot.state->q, 1e-4, d, up);
        integrate_scaled(&robot, robot.state->q, -1e-4, d, down);
        for (int i = 0; i < robot.nq; i++) {
            up[i] = (up[i] - down[i]) / 2e-4;
        }
        CHECK_BOUND(array_distance(up, rate, robot.nq), 1e-7, seed);
        free(d);
        free(rate);
        free(up);
        free(down);
        robot_free(&robot);
    }
}

static void test_parts_make_the_whole(void** context) {
    (void)context;
    for (uint64_t seed = 1; seed <= N_TREE; seed++) {
        CheckRandom r = check_random(seed);
        Robot robot = random_robot(&r);
        double* d = random_displacement(&r, &robot, 1.5);
        double* whole = new_array(robot.nq);
        double* parts = new_array(robot.nq);
        double* back = new_array(robot.nv);
        integrate_scaled(&robot, robot.state->q, 1.0, d, whole);
        integrate_scaled(&robot, robot.state->q, 0.3, d, parts);
        // in place
        integrate_scaled(&robot, parts, 0.7, d, parts);
        CHECK_BOUND(array_distance(whole, parts, robot.nq), 1e-13, seed);
        elv_configuration_difference(robot.model, robot.state->q, whole, back);
        // turns below a half one come back as they were
        CHECK_BOUND(array_distance(back, d, robot.nv), 1e-12, seed);
        free(d);
        free(whole);
        free(parts);
        free(back);
        robot_free(&robot);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rate),
        cmocka_unit_test(test_parts_make_the_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
