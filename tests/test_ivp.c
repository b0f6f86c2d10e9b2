// SPDX-License-Identifier: Apache-2.0
// Shots over a chain: order of the method, what is conserved, and the tangent initial value problem against central
// differences of the shot.
#include "model_case.h"
#include "strong/ivp.h"

#define MATERIAL "material: {density: 1000, young: 1e7, poisson: 0.4}"

// two rods, a body between them, one within and one at the tip, gravity, all kinds of loads, a tendon that follows the
// strain, all six strains
static const char CHAIN[] =
    "gravity: [0.3, -2, -9.81]\n"
    "tree:\n"
    "  - {rod: one, pose: {rpy: [0.3, 0.2, 0.1]}, length: 0.4, section: {circle: {diameter: "
    "\"0.03*(1 - 0.4*s)\"}}, " MATERIAL ", strain: {reissner: 2}, reference: {bend_z: \"1 + s\"}}\n"
    "  - {body: ring, parent: one.at(0.5), mass: 0.05, center: [0, 0.02, 0], inertia: [0, 0, 0]}\n"
    "  - {body: hub, parent: one.tip, pose: {xyz: [0.02, 0, 0]}, mass: 0.05, inertia: [0, 0, 0]}\n"
    "  - {rod: two, parent: hub, pose: {xyz: [0.01, 0, 0], rpy: [0, 0.4, 0]}, length: 0.3, "
    "section: "
    "{circle: {diameter: 0.02}}, " MATERIAL ", strain: {kirchhoff: 2}}\n"
    "  - {body: hand, parent: two.tip, mass: 0.02, center: [0.03, 0, 0], inertia: [0, 0, 0]}\n"
    "actuators:\n"
    "  - {tendon: t, path: {rod: one, y: \"0.01*cos(4*s)\", z: \"0.01*sin(4*s)\", outside: true}, "
    "tension: 20}\n"
    "loads:\n"
    "  - {force: [0.1, 0.2, 0.3], torque: [0.01, 0, 0.02], at: hand}\n"
    "  - {force: [0, 0.2, 0.1], torque: [0, 0.01, 0], at: hand, frame: local}\n"
    "  - {distributed: [0, 0.01, 0, 0.1, 0.2, 0.3], rod: two, from: 0.2, to: 0.7}\n"
    "  - {distributed: [0.01, 0, 0, 0.1, -0.2, 0.3], rod: one, frame: local}\n";

static void open_grid(const ModelCase* c, ElvChain* chain, ElvShotGrid* grid, int times) {
    ElvError error;
    CHECK_STATUS(elv_chain_create(c->model, chain, &error), &error);
    CHECK_STATUS(elv_shot_grid_create(chain, 2, 1, times, grid, &error), &error);
    ElvStrongInput in = elv_chain_input(chain, 0.0, 1.0, true);
    CHECK_STATUS(elv_shot_grid_drive(grid, &in, &error), &error);
}

static const double LAM[6] = {0.02, -0.03, 0.05, 0.1, -0.2, 0.15};

// a start that is moved by zeta and dlam
static ElvIvpState
shoot(const ElvShotGrid* grid, const double zeta[6], const double dlam[6], ElvIvpTangent* tangent) {
    ElvPose g =
        elv_pose_compose(grid->chain->rod[0].offset, elv_se3_exp(elv_twist_from_array(zeta)));
    double lam[6];
    for (int i = 0; i < 6; i++) {
        lam[i] = LAM[i] + dlam[i];
    }
    ElvIvpState y = elv_ivp_start(g, elv_wrench_from_array(lam));
    if (tangent) {
        double unit[2][6][ELV_IVP_COLUMN] = {{{0.0}}};
        for (int i = 0; i < 6; i++) {
            unit[0][i][i] = 1.0;
            unit[1][i][6 + i] = 1.0;
        }
        elv_ivp_tangent_start(12, (const double(*)[ELV_IVP_COLUMN])unit[0],
                              (const double(*)[ELV_IVP_COLUMN])unit[1], tangent);
    }
    CHECK_TRUE(elv_ivp_run(grid, 0, grid->n_step, false, &y, tangent, NULL) == ELV_OK);
    return y;
}

// log of the end's pose relative to another, and the difference of the wrenches
static void compare(const ElvIvpState* a, const ElvIvpState* b, double d[12]) {
    ElvPose gap = elv_pose_compose(elv_pose_inverse(elv_ivp_pose(b)), elv_ivp_pose(a));
    elv_twist_to_array(elv_se3_log(gap), d);
    elv_wrench_to_array(elv_wrench_sub(elv_ivp_wrench(a), elv_ivp_wrench(b)), d + 6);
}

static void test_method_is_of_order_eight(void** state) {
    (void)state;
    ModelCase c = case_open("%s", CHAIN);
    ElvIvpState end[4];
    const double zero[6] = {0.0};
    for (int i = 0; i < 4; i++) {
        ElvChain chain;
        ElvShotGrid grid;
        open_grid(&c, &chain, &grid, i == 3 ? 64 : 4 << i);
        end[i] = shoot(&grid, zero, zero, NULL);
        elv_shot_grid_free(&grid);
        elv_chain_free(&chain);
    }
    double error[3];
    for (int i = 0; i < 3; i++) {
        double d[12];
        compare(&end[i], &end[3], d);
        error[i] = largest(d, 12);
    }
    for (int i = 0; i < 2; i++) {
        double order = log2(error[i] / error[i + 1]);
        print_message("errors %.3g %.3g, order %.2f\n", error[i], error[i + 1], order);
        CHECK_TRUE(order > 7.0 && order < 9.5);
    }
    case_close(&c);
}

static void test_tangent_agrees_with_differences(void** state) {
    (void)state;
    ModelCase c = case_open("%s", CHAIN);
    ElvChain chain;
    ElvShotGrid grid;
    ElvIvpTangent tangent;
    double zeta[6][ELV_IVP_COLUMN], d_lam[6][ELV_IVP_COLUMN];
    double error[2];
    open_grid(&c, &chain, &grid, 8);
    const double zero[6] = {0.0};
    ElvIvpState y = shoot(&grid, zero, zero, &tangent);
    elv_ivp_tangent_end(&y, &tangent, zeta, d_lam);
    for (int pass = 0; pass < 2; pass++) {
        double h = pass == 0 ? 1e-2 : 1e-3;
        error[pass] = 0.0;
        for (int k = 0; k < 12; k++) {
            double move[2][12] = {{0.0}};
            double plus[12], minus[12];
            // wrenches of a tenth: displacements of the order of one
            double unit = k < 6 ? h : 0.1 * h;
            move[0][k] = unit;
            move[1][k] = -unit;
            ElvIvpState a = shoot(&grid, move[0], move[0] + 6, NULL);
            ElvIvpState b = shoot(&grid, move[1], move[1] + 6, NULL);
            compare(&a, &y, plus);
            compare(&b, &y, minus);
            for (int i = 0; i < 12; i++) {
                double exact = i < 6 ? zeta[i][k] : d_lam[i - 6][k];
                double difference = (plus[i] - minus[i]) / (2.0 * unit);
                double size = k < 6 ? 1.0 : 10.0;
                error[pass] = fmax(error[pass], fabs(difference - exact) / size);
            }
        }
    }
    print_message("differences: %.3g, %.3g\n", error[0], error[1]);
    // second order: a hundred times smaller, until rounding over h
    CHECK_TRUE(error[1] < 2e-2 * error[0]);
    CHECK_TRUE(error[1] < 1e-5);
    elv_shot_grid_free(&grid);
    elv_chain_free(&chain);
    case_close(&c);
}

static void test_wrench_is_conserved_without_loads(void** state) {
    (void)state;
    ModelCase c =
        case_open("tree:\n  - {rod: r, length: 1, section: {circle: {diameter: 0.02}}, " MATERIAL
                  ", strain: {reissner: 1}}\n");
    ElvChain chain;
    ElvShotGrid grid;
    open_grid(&c, &chain, &grid, 4);
    const double zero[6] = {0.0};
    ElvIvpState y = shoot(&grid, zero, zero, NULL);
    double w[6];
    elv_wrench_to_array(y.w, w);
    // nothing is added to it
    CHECK_ARRAY_NEAR(w, LAM, 6, 0.0);
    elv_shot_grid_free(&grid);
    elv_chain_free(&chain);
    case_close(&c);
}

// under a moment alone the axis is a helix: g = exp(xi X) with the strain of the moment
static void test_helix_is_exact(void** state) {
    (void)state;
    ModelCase c =
        case_open("tree:\n  - {rod: r, length: 1, section: {circle: {diameter: 0.02}}, " MATERIAL
                  ", strain: {kirchhoff: 1}, reference: {twist: 2}}\n");
    ElvChain chain;
    ElvShotGrid grid;
    open_grid(&c, &chain, &grid, 8);
    // a moment along the axis at the start, so that it stays along the axis of each section
    const double dlam[6] = {0.0 - LAM[0] + 0.01, -LAM[1], -LAM[2], -LAM[3], -LAM[4], -LAM[5]};
    const double zero[6] = {0.0};
    ElvIvpState y = shoot(&grid, zero, dlam, NULL);
    double EI = 1e7 * 3.14159265358979323846 * 1e-8 / 4.0;
    double twist = 2.0 + 0.01 / (EI / 1.4);
    ElvPose expected = elv_se3_exp(elv_twist(elv_vec3(twist, 0.0, 0.0), elv_vec3(1.0, 0.0, 0.0)));
    CHECK_ARRAY_NEAR(&y.g.R.m[0][0], &expected.R.m[0][0], 9, 1e-13);
    CHECK_ARRAY_NEAR(&y.g.p.x, &expected.p.x, 3, 1e-13);
    elv_shot_grid_free(&grid);
    elv_chain_free(&chain);
    case_close(&c);
}

static void test_shot_that_runs_away_fails(void** state) {
    (void)state;
    ModelCase c =
        case_open("tree:\n  - {rod: r, length: 1, section: {circle: {diameter: 0.02}}, " MATERIAL
                  ", strain: {kirchhoff: 1}}\n");
    ElvChain chain;
    ElvShotGrid grid;
    open_grid(&c, &chain, &grid, 1);
    ElvIvpState y = elv_ivp_start(elv_pose_identity(),
                                  elv_wrench(elv_vec3(0.0, 0.0, 1e3), elv_vec3(0.0, 0.0, 0.0)));
    CHECK_TRUE(elv_ivp_run(&grid, 0, grid.n_step, false, &y, NULL, NULL) == ELV_ERROR_NUMERIC);
    elv_shot_grid_free(&grid);
    elv_chain_free(&chain);
    case_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_method_is_of_order_eight),
        cmocka_unit_test(test_tangent_agrees_with_differences),
        cmocka_unit_test(test_wrench_is_conserved_without_loads),
        cmocka_unit_test(test_helix_is_exact),
        cmocka_unit_test(test_shot_that_runs_away_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
