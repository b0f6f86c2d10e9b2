// SPDX-License-Identifier: Apache-2.0
// Accounts of energy in a fluid: without drives, damping and loads, the energy of random trees
// changes by what they give to the fluid, and nothing else: with added mass, buoyancy, drag and
// lift, slender rods, in still water and in a current.
#include "fluid_case.h"
#include "model_case.h"
#include "random_tree.h"

static double total_at(Robot* robot, const ElvState* from, double h, ElvState* scratch) {
    advance_state(robot, from, h, scratch);
    ElvEnergy energy = elv_energy(robot->model, robot->data, scratch);
    return energy.kinetic + energy.elastic + energy.gravity;
}

/// Terms of the balance, W: what energy changes by, what goes to the fluid, and their size.
typedef struct {
    double rate, power, size;
} Balance;

// differences of order four along the motion, h = 1e-5, as stiff rods have accelerations of 1e3:
// rounding is 1e-11 of the energy
static Balance
balance_of(uint64_t seed, ElvSpaceMethod space, int nodes, const ElvFluidDef* water) {
    CheckRandom r = check_random(seed);
    ElvError error;
    RandomOptions options = random_options();
    options.nodes = nodes;
    options.is_smooth = true;
    options.n_element_max = 3;
    options.is_floating = seed % 2 == 0;
    options.has_drives = options.has_damping = options.has_loads = false;
    options.has_fluid = seed % 3 == 0;
    options.space = space;
    options.water = water;
    Robot robot = random_tree(&r, &options);
    random_state(&r, &robot, 1.0);
    CHECK_STATUS(elv_forward_dynamics(robot.model, robot.data, robot.state, &error), &error);
    ElvState* scratch = copy_state(&robot, robot.state);
    double h = 1e-5;
    double rate = 8.0 * (total_at(&robot, robot.state, h, scratch) -
                         total_at(&robot, robot.state, -h, scratch)) -
                  (total_at(&robot, robot.state, 2.0 * h, scratch) -
                   total_at(&robot, robot.state, -2.0 * h, scratch));
    rate /= 12.0 * h;
    double power = elv_power_to_fluid(robot.model, robot.data, robot.state);
    ElvEnergy energy = elv_energy(robot.model, robot.data, robot.state);
    double size = 1.0 + fabs(power) + energy.kinetic + energy.elastic + fabs(energy.gravity);
    elv_state_free(scratch);
    robot_free(&robot);
    return (Balance){rate, power, size};
}

static void check_balance(uint64_t seed, ElvSpaceMethod space, const ElvFluidDef* water) {
    Balance b = balance_of(seed, space, 24, water);
    // the cascade of collocation is no exact adjoint of its own forward one: 24 nodes leave that
    // much, and less with more nodes (test_nodes)
    double tol = space == ELV_SPACE_SPECTRAL ? 1e-6 : 1e-8;
    if (!(fabs(b.rate + b.power) < tol * b.size)) {
        print_error("seed %llu: energy changes by %.15g W, %.15g W go to the fluid, size %.3g\n",
                    (unsigned long long)seed, b.rate, b.power, b.size);
        CHECK_TRUE(false);
    }
}

// what collocation leaves falls with its nodes faster than by any order, to what differences leave
static void test_nodes(void** unused) {
    (void)unused;
    static const int nodes[3] = {8, 14, 32};
    double most[3] = {0.0};
    ElvFluidDef water = elv_fluid_def_default();
    water.density = 300.0;
    water.current[0] = elv_law_def_formula("1 + 0.3*sin(2*t)");
    for (int k = 0; k < 3; k++) {
        for (uint64_t seed = 101; seed <= (IS_SANITIZED ? 104 : 120); seed++) {
            Balance b = balance_of(seed, ELV_SPACE_SPECTRAL, nodes[k], &water);
            double error = fabs(b.rate + b.power) / b.size;
            most[k] = error <= most[k] ? most[k] : error;
        }
    }
    print_message("8, 14, 32 nodes: %.1e %.1e %.1e\n", most[0], most[1], most[2]);
    CHECK_TRUE(most[1] < 0.1 * most[0]);
    CHECK_TRUE(most[2] < 1e-8);
}

static void test_balance(void** unused) {
    (void)unused;
    ElvFluidDef still = elv_fluid_def_default();
    ElvFluidDef moving = elv_fluid_def_default();
    still.density = moving.density = 300.0;
    moving.current[0] = elv_law_def_formula("1 + 0.3*sin(2*t)");
    moving.current[2] = elv_law_def_value(-0.6);
    for (uint64_t seed = 1; seed <= (IS_SANITIZED ? 6 : 40); seed++) {
        ElvSpaceMethod space = seed % 2 == 0 ? ELV_SPACE_QUADRATURE : ELV_SPACE_SPECTRAL;
        check_balance(seed, space, &still);
        check_balance(seed + 100, space, &moving);
    }
}

// a current that varies in place
static void test_field(void** unused) {
    (void)unused;
    CheckRandom r = check_random(9);
    FluidField field = fluid_field(&r);
    ElvFluidDef water = elv_fluid_def_default();
    water.density = 300.0;
    water.callback = fluid_field_eval;
    water.user = &field;
    for (uint64_t seed = 201; seed <= (IS_SANITIZED ? 204 : 220); seed++) {
        check_balance(seed, ELV_SPACE_QUADRATURE, &water);
    }
}

// a run: the work of the drag on a sphere that is thrown, by Simpson's rule
static void test_thrown(void** unused) {
    (void)unused;
    ElvError error;
    ModelCase c = case_open(
        "gravity: [0, 0, -9.81]\n"
        "fluid: {density: 1000}\n"
        "tree:\n"
        "  - {body: b, joint: {free: {velocity: [1, 2, 0, 3, 0, 2]}}, shape: {sphere: {radius: "
        "0.05}}, density: 3000,\n"
        "     fluid: {buoyancy: true, drag: [4e-3, 4e-3, 4e-3], spin_drag: [1e-6, 1e-6, 1e-6], "
        "added_mass: 1}}\n"
        "simulate: {method: explicit, rel_tol: 1e-12, abs_tol: 1e-13, order: 8, duration: 1}\n");
    enum { N = 400 };
    double work = 0.0;
    ElvEnergy start = elv_energy(c.model, c.data, c.state);
    for (int i = 0; i <= N; i++) {
        double weight = i == 0 || i == N ? 1.0 : i % 2 == 1 ? 4.0 : 2.0;
        ElvSimulateOptions options = elv_simulate_options_default(c.model, c.state);
        options.t_end = (double)i / N;
        if (i > 0) {
            CHECK_STATUS(elv_simulate(c.model, c.state, &options, NULL, &error), &error);
        }
        work += weight / (3.0 * N) * elv_power_to_fluid(c.model, c.data, c.state);
    }
    ElvEnergy end = elv_energy(c.model, c.data, c.state);
    double loss = start.kinetic - end.kinetic + start.gravity - end.gravity;
    CHECK_TRUE(work > 5.0);
    CHECK_NEAR(loss, work, 1e-7 * work);
    case_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_balance),
        cmocka_unit_test(test_nodes),
        cmocka_unit_test(test_field),
        cmocka_unit_test(test_thrown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
