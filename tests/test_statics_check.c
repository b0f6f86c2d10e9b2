// SPDX-License-Identifier: Apache-2.0
// What equilibria must satisfy: no residual, stationary and lowest energy (by differences of the
// energy itself), nothing that can move freely; on a tree with all it can have, and on random trees.
#include "random_tree.h"

#include "elver/io.h"
#include "solve/statics.h"

static Robot robot_text(const char* text) {
    ElvError error;
    ElvModel* model = NULL;
    CHECK_STATUS(elv_model_read_text(text, strlen(text), "case", NULL, 0, &model, &error), &error);
    return robot_of(model);
}

static ElvStatus solve(Robot* robot, double t, ElvStaticsReport* report, ElvError* error) {
    ElvStaticsDef options = elv_statics_def_default();
    options.max_steps = 50; // enough here, and what has no equilibrium ends soon
    return elv_statics_solve(robot->model, robot->state, t, &options, report, error);
}

// largest residual and largest effort of free components
static void weigh(Robot* robot, const ElvState* state, double* residual, double* effort) {
    double* r = new_array(robot->nv);
    *residual = 0.0;
    *effort = 0.0;
    elv_residual(robot->model, robot->data, state, r);
    for (int i = 0; i < robot->nv; i++) {
        if (!elv_model_is_driven(robot->model, i)) {
            *residual = fmax(*residual, fabs(r[i]));
            *effort = fmax(*effort, fabs(robot->data->upsilon[i]));
            *effort = fmax(*effort, fabs(r[i] + robot->data->upsilon[i]));
        }
    }
    free(r);
}

// residual of an equilibrium against the efforts there and at the start
static double balance(Robot* robot, const ElvState* start) {
    double residual = 0.0;
    double effort = 0.0;
    double before = 0.0;
    weigh(robot, start, &residual, &before);
    weigh(robot, robot->state, &residual, &effort);
    effort = fmax(effort, before);
    return effort > 0.0 ? residual / effort : residual;
}

// ---- energy

static const char tree_text[] =
    "elver: 1\n"
    "gravity: [1, 2, -9.81]\n"
    "tree:\n"
    "  - {body: base, joint: {universal: {axis: x, axis2: y, stiffness: 8, position: [0.2, "
    "-0.1]}},\n"
    "     mass: 1, center: [0.1, 0, 0.2], inertia: [0.1, 0.1, 0.1]}\n"
    "  - {rod: arm, parent: base, length: 0.6, nodes: 26, stiffness: [0.6, 0.8, 1, 60, 40, 40],\n"
    "     inertia: [0.01, 0.01, 0.01, 0.4, 0.4, 0.4], strain: {reissner: 3},\n"
    "     reference: {bend_z: 1}}\n"
    "  - {body: bell, parent: arm.at(0.5), joint: {spherical: {stiffness: [1, 2, 3]}},\n"
    "     mass: 0.3, center: [0, 0.2, 0], inertia: [0.01, 0.01, 0.01]}\n"
    "  - {rod: tail, parent: arm.tip, joint: {revolute: {axis: y, stiffness: 1, rest: 0.3}},\n"
    "     length: 0.5, nodes: 26, stiffness: [0.3, 0.3, 0.3, 1, 1, 1],\n"
    "     inertia: [0, 0.01, 0.01, 0.2, 0.2, 0.2], strain: {kirchhoff: 3}}\n"
    "  - {body: float, parent: tail.tip, mass: 0.1, inertia: [0.1, 0.1, 0.1],\n"
    "     joint: {free: {stiffness: [1, 1, 1, 20, 30, 40], position: {rpy: [0.4, 0.2, 0.1]}}}}\n"
    "frames: [{name: hook, on: float, pose: {xyz: [0.1, 0.2, 0.3]}}]\n"
    "loads: [{force: [0.3, \"-t\", 0.2], at: hook}]\n";

// potential energy, the dead force included, at the state moved by nu
static double energy_at(Robot* robot, const ElvState* from, const double* nu, ElvState* moved) {
    double* zero = new_array(robot->nv);
    moved->t = from->t;
    elv_chart_state(robot->model, from->q, nu, zero, zero, moved);
    ElvEnergy energy = elv_energy(robot->model, robot->data, moved);
    elv_kinematics(robot->model, robot->data, moved);
    ElvVec3 p = elv_frame_pose(robot->model, robot->data, frame_of(robot, "hook")).p;
    free(zero);
    return energy.elastic + energy.gravity - elv_vec3_dot(elv_vec3(0.3, -from->t, 0.2), p);
}

// differences of fourth order: truncation and rounding are both near 1e-11 of the energies
static double slope(Robot* robot, const double* direction, double* nu, ElvState* moved) {
    static const double weight[4] = {1.0 / 12.0, -2.0 / 3.0, 2.0 / 3.0, -1.0 / 12.0};
    static const double place[4] = {-2.0, -1.0, 1.0, 2.0};
    double h = 2e-3;
    double sum = 0.0;
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < robot->nv; k++) {
            nu[k] = h * place[i] * direction[k];
        }
        sum += weight[i] / h * energy_at(robot, robot->state, nu, moved);
    }
    return sum;
}

static void test_energy_is_lowest(void** unused) {
    (void)unused;
    CheckRandom random = check_random(7);
    Robot robot = robot_text(tree_text);
    ElvStaticsReport report;
    ElvError error;
    ElvState* moved = copy_state(&robot, robot.state);
    ElvState* before = copy_state(&robot, robot.state);
    double* direction = new_array(robot.nv);
    double* nu = new_array(robot.nv);
    for (int load = 0; load < 3; load++) {
        CHECK_STATUS(solve(&robot, 2.0 * load, &report, &error), &error);
        CHECK_TRUE(balance(&robot, before) < 1e-10);
        CHECK_TRUE(report.stability == ELV_STABILITY_STABLE);
        for (int k = 0; k < robot.nv; k++) {
            memset(direction, 0, (size_t)robot.nv * sizeof *direction);
            direction[k] = 1.0;
            CHECK_NEAR(slope(&robot, direction, nu, moved), 0.0, 1e-8);
        }
        memset(nu, 0, (size_t)robot.nv * sizeof *nu);
        double bottom = energy_at(&robot, robot.state, nu, moved);
        for (int i = 0; i < 50; i++) {
            for (int k = 0; k < robot.nv; k++) {
                nu[k] = check_uniform(&random, -0.01, 0.01);
            }
            CHECK_TRUE(energy_at(&robot, robot.state, nu, moved) > bottom);
        }
    }
    free(direction);
    free(nu);
    elv_state_free(moved);
    elv_state_free(before);
    robot_free(&robot);
}

// ---- free motion

typedef struct {
    const char* text;    // after the first line
    const char* element; // that moves freely
} Mechanism;

static const Mechanism mechanisms[] = {
    // nothing holds the base
    {"gravity: [0, 0, -9.81]\n"
     "tree: [{body: base, joint: free, mass: 1, inertia: [1, 1, 1]},\n"
     "       {rod: arm, parent: base, length: 1, stiffness: [1, 1, 1, 1, 1, 1],\n"
     "        inertia: [1, 1, 1, 1, 1, 1], strain: {kirchhoff: 3}}]\n",
     "base"},
    // loads in balance, which no place of the base changes
    {"tree: [{rod: beam, joint: free, length: 1, stiffness: [9, 9, 9, 9, 9, 9],\n"
     "        inertia: [1, 1, 1, 1, 1, 1], strain: {kirchhoff: 3}}]\n"
     "loads: [{force: [0.3, 0.1, 0.7], at: beam.tip}, {force: [-0.3, -0.1, -0.7], at: beam.root},\n"
     "        {torque: [0, 0.7, -0.1], at: beam.tip}]\n",
     "beam.joint"},
    // an unloaded hinge behind what is held
    {"tree: [{rod: arm, length: 1, stiffness: [1, 1, 1, 1, 1, 1], inertia: [1, 1, 1, 1, 1, 1],\n"
     "        strain: {kirchhoff: 3}},\n"
     "       {body: flap, parent: arm.tip, joint: revolute, mass: 1, center: [1, 0, 0]}]\n"
     "loads: [{force: [0, 1, 0], at: arm.at(0.5)}]\n",
     "flap"},
    // weight holds a pendulum on a ball joint, but it may spin
    {"gravity: [0, 0, -9.81]\n"
     "tree: [{body: bob, joint: spherical, mass: 1, center: [0, 0, -1], inertia: [1, 1, 1]}]\n",
     "bob"},
    // a slider across the weight
    {"gravity: [0, 0, -9.81]\n"
     "tree: [{body: cart, joint: {prismatic: {axis: x}}, mass: 1}]\n",
     "cart"},
};

static void test_free_motion_is_named(void** unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof mechanisms / sizeof mechanisms[0]; i++) {
        char text[1024];
        snprintf(text, sizeof text, "elver: 1\n%s", mechanisms[i].text);
        for (int relaxes = 0; relaxes < 2; relaxes++) {
            Robot robot = robot_text(text);
            ElvState* before = copy_state(&robot, robot.state);
            ElvStaticsDef options = elv_statics_def_default();
            ElvError error;
            options.method = relaxes ? ELV_STATICS_RELAXATION : ELV_STATICS_NEWTON;
            ElvStatus status =
                elv_statics_solve(robot.model, robot.state, 0.0, &options, NULL, &error);
            if (status != ELV_ERROR_SINGULAR || strcmp(error.element, mechanisms[i].element) != 0) {
                print_error("mechanism %zu: status %d, '%s': %s\n", i, (int)status, error.element,
                            error.message);
            }
            CHECK_TRUE(status == ELV_ERROR_SINGULAR);
            CHECK_TRUE(strcmp(error.element, mechanisms[i].element) == 0);
            CHECK_TRUE(strstr(error.message, "can move freely") != NULL);
            CHECK_ARRAY_NEAR(robot.state->q, before->q, (size_t)robot.nq, 0.0);
            elv_state_free(before);
            robot_free(&robot);
        }
    }
}

// a joint that follows a law does not move freely, and its law gives its place
static void test_imposed_motion(void** unused) {
    (void)unused;
    Robot robot =
        robot_text("elver: 1\n"
                   "gravity: [0, 0, -9.81]\n"
                   "tree:\n"
                   "  - {body: arm, joint: {revolute: {axis: y, motion: \"t^2\"}}, mass: 1}\n"
                   "  - {body: bob, parent: arm, pose: {xyz: [1, 0, 0]}, mass: 1,\n"
                   "     joint: {revolute: {axis: y}}, center: [0, 0, -1]}\n");
    ElvStaticsReport report;
    ElvError error;
    for (int i = 0; i < 4; i++) {
        double t = 0.4 * i;
        CHECK_STATUS(solve(&robot, t, &report, &error), &error);
        CHECK_NEAR(robot.state->q[0], t * t, 0.0);
        CHECK_NEAR(robot.state->q[1], -t * t, 1e-9);
        CHECK_NEAR(robot.state->v[0], 0.0, 0.0);
    }
    robot_free(&robot);
}

// ---- any tree

// found or not: what is found is in balance, what is not found leaves the state alone
static void test_random_trees(void** unused) {
    (void)unused;
    int n_found = 0;
    int n_free = 0;
    for (uint64_t seed = 1; seed <= (IS_SANITIZED ? 12 : 50); seed++) {
        CheckRandom r = check_random(seed);
        RandomOptions options = random_options();
        options.n_element_max = 3;
        options.nodes = 8;
        Robot robot = random_tree(&r, &options);
        ElvState* before = copy_state(&robot, robot.state);
        ElvError error;
        ElvStaticsReport report;
        ElvStatus status = solve(&robot, 0.5, &report, &error);
        if (status == ELV_OK) {
            n_found++;
            if (!(balance(&robot, before) < 1e-9)) {
                print_error("seed %llu: %.3g\n", (unsigned long long)seed, balance(&robot, before));
            }
            CHECK_TRUE(balance(&robot, before) < 1e-9);
            CHECK_NEAR(robot.state->t, 0.5, 0.0);
        } else {
            n_free += status == ELV_ERROR_SINGULAR;
            CHECK_TRUE(status == ELV_ERROR_SINGULAR || status == ELV_ERROR_NUMERIC);
            CHECK_TRUE(error.element[0] != '\0');
            CHECK_ARRAY_NEAR(robot.state->q, before->q, (size_t)robot.nq, 0.0);
            CHECK_NEAR(robot.state->t, before->t, 0.0);
        }
        elv_state_free(before);
        robot_free(&robot);
    }
    // many of them have joints that nothing holds
    CHECK_TRUE(IS_SANITIZED || (n_found >= 12 && n_free >= 12));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_energy_is_lowest),
        cmocka_unit_test(test_free_motion_is_named),
        cmocka_unit_test(test_imposed_motion),
        cmocka_unit_test(test_random_trees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
