// SPDX-License-Identifier: Apache-2.0
// The Jacobian of constraints: defects move with the coordinates as it says (central differences, slope 2), rates of
// defects are J v where no law of time drives them, also of wheels and blades that know no positions.
#include "robot.h"

#include "elver/io.h"

// all rows, of a state moved by h along coordinate k
static void defects_beside(const Robot* robot, int k, double h, double* c) {
    ElvState* moved = copy_state(robot, robot->state);
    double* d = new_array(robot->nv);
    d[k] = h;
    elv_configuration_integrate(robot->model, robot->state->q, d, moved->q);
    elv_constraint_defects(robot->model, robot->data, moved, 0, c);
    free(d);
    elv_state_free(moved);
}

// the largest difference between column k and central differences of step h
static double miss(const Robot* robot, int k, double h, int n, const double* J) {
    double* up = new_array(n);
    double* down = new_array(n);
    double worst = 0.0;
    defects_beside(robot, k, h, up);
    defects_beside(robot, k, -h, down);
    for (int i = 0; i < n; i++) {
        worst = fmax(worst, fabs((up[i] - down[i]) / (2.0 * h) - J[i * robot->nv + k]));
    }
    free(up);
    free(down);
    return worst;
}

// somewhere beside where the model starts
static void disturb(CheckRandom* r, Robot* robot) {
    double* d = new_array(robot->nv);
    for (int i = 0; i < robot->nv; i++) {
        bool is_driven = elv_model_is_driven(robot->model, i);
        d[i] = is_driven ? 0.0 : check_uniform(r, -0.1, 0.1);
        robot->state->v[i] = is_driven ? 0.0 : check_uniform(r, -1.0, 1.0);
    }
    elv_configuration_integrate(robot->model, robot->state->q, d, robot->state->q);
    free(d);
}

static void check_model(const char* file, bool has_positions, bool is_still) {
    Robot robot = robot_read(file);
    CheckRandom r = check_random(7);
    disturb(&r, &robot);
    int n = elv_model_n_constraint(robot.model);
    CHECK_TRUE(n > 0 && elv_model_constraint_device(robot.model, 0) >= 0);
    CHECK_TRUE(elv_model_constraint_device(robot.model, n) == -1);
    double* J = new_array(n * robot.nv);
    double* rate = new_array(n);
    elv_constraint_jacobian(robot.model, robot.data, robot.state, J);
    elv_constraint_defects(robot.model, robot.data, robot.state, 1, rate);
    for (int i = 0; i < n && is_still; i++) {
        CHECK_NEAR(array_dot(J + i * robot.nv, robot.state->v, robot.nv), rate[i], 1e-12);
    }
    for (int k = 0; k < robot.nv && has_positions; k++) {
        if (!elv_model_is_driven(robot.model, k)) {
            double coarse = miss(&robot, k, 1e-2, n, J);
            double fine = miss(&robot, k, 2.5e-3, n, J);
            // a sixteenth is left, and rounding
            CHECK_TRUE(fine <= coarse / 12.0 + 1e-11);
        }
    }
    free(J);
    free(rate);
    robot_free(&robot);
}

static void test_loops(void** context) {
    (void)context;
    check_model("models/stewart-gough.yaml", true, true);
    check_model("models/four-bar.yaml", true, false);
    check_model("models/cpr.yaml", true, true);
    check_model("models/gear-train.yaml", true, true);
}

static void test_velocities(void** context) {
    (void)context;
    check_model("models/rolling-disk.yaml", false, true);
    check_model("models/knife-edge.yaml", false, true);
    check_model("models/bead-on-rod.yaml", false, true);
}

// no constraints: no rows
static void test_none(void** context) {
    (void)context;
    Robot robot = robot_read("models/cantilever-swing.yaml");
    CHECK_TRUE(elv_model_n_constraint(robot.model) == 0);
    elv_constraint_jacobian(robot.model, robot.data, robot.state, NULL);
    elv_constraint_defects(robot.model, robot.data, robot.state, 0, NULL);
    robot_free(&robot);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loops),
        cmocka_unit_test(test_velocities),
        cmocka_unit_test(test_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
