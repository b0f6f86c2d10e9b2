// SPDX-License-Identifier: Apache-2.0
// M, D and K about states in motion against the mass matrix and against differences of the residual in
// the chart; linear models against the simulation: the error of a step response is quadratic in the step,
// so that half the step leaves a quarter of it; outputs of every kind against differences of their own.
#include "linear_case.h"

#include "elver/integrate.h"
#include "joint/joint.h"
#include "multibody/model.h"
#include "solve/linearize.h"
#include "solve/newton.h"

// every kind of joint that moves, a rod, springs, dampers, dead and following loads
static const char tree[] =
    "gravity: [0, 1, -9.81]\n"
    "tree:\n"
    "  - {body: base, joint: {free: {stiffness: [5, 6, 7, 80, 90, 70], damping: 0.3}},\n"
    "     mass: 2, inertia: [0.2, 0.3, 0.4], center: [0.1, 0, 0.05]}\n"
    "  - {body: hinge, parent: base, pose: {xyz: [0.2, 0, 0]}, joint: {revolute: {axis: y,\n"
    "     stiffness: 3, damping: 0.1, force: 0.2}}, mass: 0.5, inertia: [0.1, 0.1, 0.1],\n"
    "     center: [0, 0, -0.1]}\n"
    "  - {rod: rod, parent: hinge, length: 0.5, section: {circle: {diameter: 0.02}},\n"
    "     material: {density: 1100, young: 2e6, damping: 0.01}, strain: {bend_y: 2, bend_z: 2, "
    "twist: 1}}\n"
    "  - {body: ball, parent: rod.tip, joint: {spherical: {stiffness: 0.5, damping: 0.02}}, mass: "
    "0.2,\n"
    "     inertia: [0.01, 0.02, 0.02], center: [0.05, 0, 0]}\n"
    "loads:\n"
    "  - {force: [0.1, 0.2, 0.3], at: ball}\n"
    "  - {force: [0, 0, 0.5], torque: [0.02, 0, 0], at: rod.tip, frame: local}\n";

// residual in the coordinates of the chart at the base state, charted from it
typedef struct {
    ModelCase c;
    ElvState* base;
    double *nu, *w, *w_dot, *residual;
} Chart;

static Chart open_chart(uint64_t seed) {
    ElvError error;
    Chart chart = {.c = case_open("%s", tree)};
    size_t nv = (size_t)chart.c.nv;
    case_randomize(&chart.c, seed, 0.4);
    CHECK_STATUS(elv_state_create(chart.c.model, &chart.base, &error), &error);
    elv_state_copy(chart.base, chart.c.state);
    chart.nu = calloc(4 * nv, sizeof(double));
    CHECK_TRUE(chart.nu != NULL);
    chart.w = chart.nu + nv;
    chart.w_dot = chart.w + nv;
    chart.residual = chart.w_dot + nv;
    for (int j = 0; j < chart.c.model->n_node; j++) {
        const ElvNode* node = &chart.c.model->node[j];
        node->joint->ops->chart_rates(node->joint, chart.base->q + node->i_q,
                                      chart.base->v + node->i_v, chart.base->a + node->i_v,
                                      chart.w + node->i_v, chart.w_dot + node->i_v);
    }
    return chart;
}

static void close_chart(Chart* chart) {
    free(chart->nu);
    elv_state_free(chart->base);
    case_close(&chart->c);
}

static const double* residual_at(Chart* chart) {
    elv_chart_state(chart->c.model, chart->base->q, chart->nu, chart->w, chart->w_dot,
                    chart->c.state);
    elv_residual(chart->c.model, chart->c.data, chart->c.state, chart->residual);
    return chart->residual;
}

// column k of the derivative by a vector of the chart, to order 4
static void column_of(Chart* chart, double* vector, int k, double h, double* column) {
    static const double weight[4] = {1.0 / 12.0, -2.0 / 3.0, 2.0 / 3.0, -1.0 / 12.0};
    static const double at[4] = {-2.0, -1.0, 1.0, 2.0};
    double base = vector[k];
    memset(column, 0, (size_t)chart->c.nv * sizeof *column);
    for (int i = 0; i < 4; i++) {
        vector[k] = base + at[i] * h;
        const double* residual = residual_at(chart);
        for (int j = 0; j < chart->c.nv; j++) {
            column[j] += weight[i] * residual[j] / h;
        }
    }
    vector[k] = base;
}

static void test_matrices_against_differences(void** unused) {
    (void)unused;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        Chart chart = open_chart(seed);
        ElvMatrices matrices;
        ElvError error;
        size_t n = (size_t)chart.c.nv;
        CHECK_STATUS(elv_matrices_create(chart.c.model, &matrices, &error), &error);
        CHECK_STATUS(elv_matrices_fill(chart.c.model, chart.c.data, chart.base, &matrices, &error),
                     &error);
        CHECK_TRUE(matrices.n == chart.c.nv);
        const double* matrix[3] = {matrices.K, matrices.D, matrices.M};
        double* vector[3] = {chart.nu, chart.w, chart.w_dot};
        double* column = calloc(2 * n, sizeof *column);
        CHECK_TRUE(column != NULL);
        for (int m = 0; m < 3; m++) {
            double size = largest(matrix[m], n * n);
            for (size_t k = 0; k < n; k++) {
                column_of(&chart, vector[m], (int)k, m == 0 ? 2e-3 : 0.1, column);
                // rows in the chart: N^T
                for (size_t i = 0; i < n; i++) {
                    double sum = 0.0;
                    for (size_t j = 0; j < n; j++) {
                        sum += matrices.N[j * n + i] * column[j];
                    }
                    // order 4 with 2e-3, and the quadrature of the rod
                    CHECK_NEAR(matrix[m][i * n + k], sum, 1e-8 * size);
                }
            }
        }
        free(column);
        elv_matrices_free(&matrices);
        close_chart(&chart);
    }
}

// a stiff rod does not spoil its own mass matrix
static void test_mass_is_exact(void** unused) {
    (void)unused;
    ModelCase c = case_open("tree:\n"
                            "  - {rod: rod, length: 1, section: {circle: {diameter: 0.001}},\n"
                            "     material: {density: 1, young: 1e14}, strain: {reissner: 3}}\n");
    size_t n = (size_t)c.nv;
    double* M = calloc(4 * n * n, sizeof *M);
    CHECK_TRUE(M != NULL);
    double* exact = M + n * n;
    double* D = M + 2 * n * n;
    ElvError error;
    CHECK_STATUS(elv_tangent_matrices(c.model, c.data, c.state, M, D, NULL, &error), &error);
    elv_mass_matrix(c.model, c.data, c.state, exact);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < n; k++) {
            double size = sqrt(exact[i * n + i] * exact[k * n + k]);
            CHECK_NEAR(M[i * n + k], exact[i * n + k], 1e-13 * size);
            CHECK_NEAR(D[i * n + k], 0.0, 0.0);
        }
    }
    free(M);
    case_close(&c);
}

// ---- linear models

enum { N_OUTPUT = 6 };

static const char* const outputs[N_OUTPUT] = {
    "rod.tip.position.z",   "rod.tip.position.x", "arm.q.0",
    "rod.strain(0).bend_y", "energy.total",       "rod.tip.acceleration.z"};

// an arm that holds a rod out against its weight; its motor and a force at its tip are stepped
static const char arm[] = "gravity: [0, 0, -9.81]\n"
                          "tree:\n"
                          "  - {body: arm, joint: {revolute: {axis: y, stiffness: 30, damping: "
                          "0.2, force: \"%g*(t >= 0)\"}},\n"
                          "     mass: 1, center: [0.1, 0, 0], inertia: [0.02, 0.02, 0.02]}\n"
                          "  - {rod: rod, parent: arm, pose: {xyz: [0.2, 0, 0]}, length: 0.5,\n"
                          "     section: {circle: {diameter: 0.02}}, material: {density: 1100, "
                          "young: 5e6, damping: 0.02},\n"
                          "     strain: {bend_y: 3}}\n"
                          "loads:\n"
                          "  - {rod: rod, force: [0, 0, 0.1]}\n"
                          "  - {force: [0, 0, \"%g*(t >= 0)\"], at: rod.tip}\n";

// the equilibrium without the steps
static void find_rest(ModelCase* c) {
    ElvError error;
    ElvStaticsDef options = elv_statics_def_default();
    options.tolerance = 1e-13;
    CHECK_STATUS(elv_statics_solve(c->model, c->state, -1.0, &options, NULL, &error), &error);
    c->state->t = 0.0;
}

static void nonlinear_response(double u, double t, double* y) {
    ElvError error;
    ModelCase c = case_open(arm, u, 0.3 * u);
    ElvSignals* signals = NULL;
    find_rest(&c);
    CHECK_STATUS(elv_signals_create(c.model, outputs, N_OUTPUT, &signals, &error), &error);
    ElvSimulateOptions options = elv_simulate_options_default(c.model, c.state);
    options.method.method = ELV_METHOD_EXPLICIT;
    options.method.rel_tol = 1e-12;
    options.method.abs_tol = 1e-14;
    options.t_end = t;
    CHECK_STATUS(elv_simulate(c.model, c.state, &options, NULL, &error), &error);
    CHECK_STATUS(elv_forward_dynamics(c.model, c.data, c.state, &error), &error);
    elv_idm(c.model, c.data, c.state, c.state->aux);
    elv_signals_eval(signals, c.model, c.data, c.state, y);
    elv_signals_free(signals);
    case_close(&c);
}

static void test_step_response(void** unused) {
    (void)unused;
    static const char* const inputs[] = {"arm.effort", "loads[1].force.z"};
    ElvError error;
    ElvLinearModel* linear = NULL;
    ModelCase c = case_open(arm, 0.0, 0.0);
    find_rest(&c);
    CHECK_STATUS(
        elv_linear_model_create(c.model, c.state, inputs, 2, outputs, N_OUTPUT, &linear, &error),
        &error);
    CHECK_TRUE(linear->n_state == 8 && linear->n_input == 2 && linear->n_output == N_OUTPUT);
    assert_string_equal(linear->input_name[0], "arm.effort.0");
    assert_string_equal(linear->input_name[1], "loads[1].force.z");
    assert_string_equal(linear->state_name[0], "arm.nu.0");
    assert_string_equal(linear->state_name[7], "rod.w.2");
    double off[2][N_OUTPUT];
    for (int k = 0; k < 2; k++) {
        double step = k == 0 ? 0.02 : 0.01;
        double u[2] = {step, 0.3 * step};
        double exact[N_OUTPUT];
        double found[N_OUTPUT];
        nonlinear_response(step, 0.3, exact);
        linear_response(linear, u, 0.3, found);
        for (int i = 0; i < N_OUTPUT; i++) {
            off[k][i] = found[i] - exact[i];
            // the step is seen at all
            CHECK_TRUE(fabs(exact[i] - linear->y[i]) > 2.0 * fabs(off[k][i]));
        }
    }
    for (int i = 0; i < N_OUTPUT; i++) {
        CHECK_NEAR(off[0][i] / off[1][i], 4.0, 0.2);
    }
    elv_linear_model_free(linear);
    case_close(&c);
}

// poles are the eigenvalues that modes report: trace and, for a hinge alone, the polynomial
static void test_default_inputs_and_errors(void** unused) {
    (void)unused;
    static const char* const good[] = {"arm.effort.0", "arm.q", "arm.v", "arm.a", "arm.effort"};
    static const char* const bad[] = {"arm.effort.1",  "rod.effort",     "loads[0].force.z",
                                      "loads[1].forc", "loads[2].force", "nothing"};
    ElvError error;
    ElvLinearModel* linear = NULL;
    ModelCase c =
        case_open("tree:\n"
                  "  - {body: arm, joint: {revolute: {axis: y, stiffness: 30, damping: 2,\n"
                  "     force: 0}}, mass: 1, inertia: [0.5, 0.5, 0.5]}\n");
    CHECK_STATUS(elv_linear_model_create(c.model, c.state, NULL, 0, good + 1, 4, &linear, &error),
                 &error);
    assert_string_equal(linear->input_name[0], "arm.effort.0");
    static const double A[4] = {0.0, 1.0, -60.0, -4.0};
    static const double B[2] = {0.0, 2.0};
    static const double C[8] = {1.0, 0.0, 0.0, 1.0, -60.0, -4.0, 0.0, 0.0};
    static const double D[4] = {0.0, 0.0, 2.0, 1.0};
    CHECK_ARRAY_NEAR(linear->A, A, 4, 1e-12);
    CHECK_ARRAY_NEAR(linear->B, B, 2, 1e-12);
    CHECK_ARRAY_NEAR(linear->C, C, 8, 1e-10);
    CHECK_ARRAY_NEAR(linear->D, D, 4, 1e-12);
    elv_linear_model_free(linear);
    case_close(&c);
    c = case_open(arm, 0.0, 0.0);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        CHECK_TRUE(elv_linear_model_create(c.model, c.state, bad + i, 1, NULL, 0, &linear,
                                           &error) == ELV_ERROR_INPUT);
        CHECK_TRUE(linear == NULL && strstr(error.message, bad[i]) != NULL);
    }
    case_close(&c);
}

// a spinning body: x = (d_Theta, d_Omega) in its own turning axes, Euler's equations
static void test_spinning_body(void** unused) {
    (void)unused;
    ElvError error;
    ElvLinearModel* linear = NULL;
    ModelCase c = case_open("tree:\n"
                            "  - {body: top, joint: {spherical: {velocity: [0, 0, 7]}},\n"
                            "     mass: 1, inertia: [1, 1, 1.5]}\n");
    CHECK_STATUS(elv_linear_model_create(c.model, c.state, NULL, 0, NULL, 0, &linear, &error),
                 &error);
    double A[36] = {0.0};
    // d_Theta_dot = d_Omega - Omega x d_Theta
    A[0 * 6 + 1] = 7.0;
    A[1 * 6 + 0] = -7.0;
    A[0 * 6 + 3] = A[1 * 6 + 4] = A[2 * 6 + 5] = 1.0;
    // Omega_x_dot = (1 - 1.5) 7 Omega_y, Omega_y_dot = (1.5 - 1) 7 Omega_x
    A[3 * 6 + 4] = -3.5;
    A[4 * 6 + 3] = 3.5;
    CHECK_ARRAY_NEAR(linear->A, A, 36, 1e-12);
    elv_linear_model_free(linear);
    case_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matrices_against_differences),
        cmocka_unit_test(test_mass_is_exact),
        cmocka_unit_test(test_step_response),
        cmocka_unit_test(test_default_inputs_and_errors),
        cmocka_unit_test(test_spinning_body),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
