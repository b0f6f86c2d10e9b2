// SPDX-License-Identifier: Apache-2.0
// The spectral method of rods: the same model as the quadrature (random trees, every joint, basis and
// load, jumps at the ends of segments), its tangent against differences of its own residual, spectral
// convergence, sections between nodes, and a workspace that holds nothing.
#include "step_case.h"

#include "rod/rod.h"

static const double PI = 3.14159265358979323846;
enum { N_SEED = IS_SANITIZED ? 3 : 12 };

// worst difference relative to the largest number; NaN wins
static double difference(const double* a, const double* b, int n) {
    double worst = 0.0;
    double scale = array_largest(a, n);
    for (int i = 0; i < n; i++) {
        double error = fabs(a[i] - b[i]);
        worst = error <= worst ? worst : error;
    }
    return scale > 0.0 ? worst / scale : worst;
}

// ---- the same as the quadrature

/// What a method makes of a tree in a state.
typedef struct {
    Robot robot;
    Step step;
    double *tau, *residual, *jacobian, *mass, *mass_idm;
} Outcome;

static RandomOptions tree_options(bool is_smooth, double a) {
    RandomOptions options = random_options();
    options.nodes = 20;
    options.is_smooth = is_smooth;
    options.has_drives = a != 0.0; // in statics nothing moves
    return options;
}

static void
outcome_init(Outcome* out, uint64_t seed, const RandomOptions* options, double a, double b) {
    CheckRandom r = check_random(seed);
    out->robot = random_tree(&r, options);
    Robot* robot = &out->robot;
    random_state(&r, robot, a != 0.0 ? 1.0 : 0.0);
    out->step = step_create(&r, robot, a, b);
    out->tau = new_array(robot->nv);
    out->residual = new_array(robot->nv);
    out->jacobian = new_array(robot->nv * robot->nv);
    out->mass = new_array(robot->nv * robot->nv);
    out->mass_idm = new_array(robot->nv * robot->nv);
    elv_idm(robot->model, robot->data, robot->state, out->tau);
    elv_mass_matrix(robot->model, robot->data, robot->state, out->mass);
    // the derivative of the IDM by the accelerations
    elv_idm(robot->model, robot->data, robot->state, out->residual);
    elv_tidm_pass(robot->model, robot->data, robot->state, NULL, 0.0, 1.0);
    elv_tidm_matrix(robot->model, robot->data, out->mass_idm);
    step_residual(&out->step, out->step.nu, out->residual);
    elv_tidm_pass(robot->model, robot->data, out->step.state, out->step.nu, a, b);
    elv_tidm_matrix(robot->model, robot->data, out->jacobian);
}

static void outcome_free(Outcome* out) {
    step_free(&out->step);
    robot_free(&out->robot);
    free(out->tau);
    free(out->residual);
    free(out->jacobian);
    free(out->mass);
    free(out->mass_idm);
}

// rods of at most 3 rad with 20 nodes: spatial errors are below 1e-11 in both methods
static void check_same(uint64_t seed, bool is_smooth, double a, double b) {
    RandomOptions options = tree_options(is_smooth, a);
    Outcome quadrature;
    outcome_init(&quadrature, seed, &options, a, b);
    options.space = ELV_SPACE_SPECTRAL;
    Outcome spectral;
    outcome_init(&spectral, seed, &options, a, b);
    int n = quadrature.robot.nv;
    CHECK_TRUE(n == spectral.robot.nv);
    if (n > 0) {
        CHECK_BOUND(difference(quadrature.tau, spectral.tau, n), 1e-9, seed);
        CHECK_BOUND(difference(quadrature.residual, spectral.residual, n), 1e-9, seed);
        CHECK_BOUND(difference(quadrature.jacobian, spectral.jacobian, n * n), 1e-9, seed);
        CHECK_BOUND(scaled_difference(n, quadrature.mass, spectral.mass, quadrature.mass), 1e-9,
                    seed);
        CHECK_BOUND(difference(quadrature.mass_idm, spectral.mass_idm, n * n), 1e-9, seed);
        ElvEnergy one =
            elv_energy(quadrature.robot.model, quadrature.robot.data, quadrature.step.state);
        ElvEnergy other =
            elv_energy(spectral.robot.model, spectral.robot.data, spectral.step.state);
        CHECK_NEAR(other.kinetic, one.kinetic, 1e-9 * (1.0 + fabs(one.kinetic)));
        CHECK_NEAR(other.elastic, one.elastic, 1e-9 * (1.0 + fabs(one.elastic)));
        CHECK_NEAR(other.gravity, one.gravity, 1e-9 * (1.0 + fabs(one.gravity)));
    }
    outcome_free(&quadrature);
    outcome_free(&spectral);
}

static void test_same_as_quadrature(void** unused) {
    (void)unused;
    for (uint64_t seed = 1; seed <= N_SEED; seed++) {
        check_same(seed, true, 20.0, 400.0);
        check_same(seed + 100, false, 0.7, 1.3);
        check_same(seed + 200, false, 0.0, 0.0);
    }
}

// ---- its own tangent

static void check_tangent(uint64_t seed, double a, double b) {
    RandomOptions options = tree_options(true, a);
    options.space = ELV_SPACE_SPECTRAL;
    options.n_element_max = 3;
    Outcome out;
    outcome_init(&out, seed, &options, a, b);
    if (out.robot.nv > 0) {
        double coarse = tangent_error(&out.step, out.jacobian, 2e-2, 2);
        double fine = tangent_error(&out.step, out.jacobian, 5e-3, 2);
        double finest = tangent_error(&out.step, out.jacobian, 1e-3, 4);
        // slope 2: a quarter of the step, a sixteenth of the error; then the rounding of differences
        CHECK_TRUE(coarse < 1e-8 || (coarse / fine > 14.0 && coarse / fine < 18.0));
        CHECK_BOUND(finest, 1e-9, seed);
    }
    outcome_free(&out);
}

static void test_tangent_is_the_derivative(void** unused) {
    (void)unused;
    for (uint64_t seed = 1; seed <= N_SEED; seed++) {
        check_tangent(seed, 20.0, 400.0);
        check_tangent(seed + 1000, 0.7, 1.3);
        check_tangent(seed + 2000, 0.0, 0.0);
    }
}

// ---- convergence

static Robot bent_rod(ElvSpaceMethod space, int nodes, int modes) {
    ElvSpec* spec = new_spec();
    ElvRodDef def = elv_rod_def_default();
    ElvElementDef element = elv_element_def_default();
    def.name = "rod";
    def.length = 1.0;
    def.space = space;
    def.section.kind = ELV_SECTION_CIRCLE;
    def.section.outer[0] = elv_law_def_value(0.02);
    def.material.density = 1000.0;
    def.material.young = 1e8;
    for (int k = 0; k < 3; k++) {
        element.modes[k] = modes;
    }
    element.nodes = nodes;
    def.element = &element;
    def.n_element = 1;
    add_rod(spec, &def);
    elv_spec_set_gravity(spec, elv_vec3(1.0, 2.0, -9.0));
    return robot_compile(spec);
}

// bent by a full turn, moving
static void set_bent(const Robot* robot, int modes) {
    CheckRandom r = check_random(5);
    for (int i = 0; i < robot->nv; i++) {
        robot->state->q[i] = check_uniform(&r, -2.0, 2.0) / (i % modes + 1);
        robot->state->v[i] = check_uniform(&r, -1.0, 1.0);
        robot->state->a[i] = check_uniform(&r, -1.0, 1.0);
    }
    robot->state->q[modes] = 2.0 * PI;
}

static void evaluate(Robot* robot, double* tau, double* jacobian) {
    double* nu = new_array(robot->nv);
    elv_residual(robot->model, robot->data, robot->state, tau);
    elv_tidm_pass(robot->model, robot->data, robot->state, nu, 20.0, 400.0);
    elv_tidm_matrix(robot->model, robot->data, jacobian);
    free(nu);
}

// errors against the quadrature with 48 nodes: each four nodes more gain a factor of 20 or more, down
// to the rounding of the systems
static void test_spectral_convergence(void** unused) {
    (void)unused;
    enum { MODES = 3, N = 3 * MODES };
    double tau[N], jacobian[N * N], expected[N], expected_jacobian[N * N];
    Robot fine = bent_rod(ELV_SPACE_QUADRATURE, 48, MODES);
    set_bent(&fine, MODES);
    evaluate(&fine, expected, expected_jacobian);
    double before = INFINITY;
    for (int nodes = 10; nodes <= 30; nodes += 4) {
        Robot robot = bent_rod(ELV_SPACE_SPECTRAL, nodes, MODES);
        set_bent(&robot, MODES);
        evaluate(&robot, tau, jacobian);
        double error =
            fmax(difference(expected, tau, N), difference(expected_jacobian, jacobian, N * N));
        CHECK_BOUND(error, fmax(before / 20.0, 1e-11), (uint64_t)nodes);
        before = error;
        robot_free(&robot);
    }
    CHECK_TRUE(before < 1e-11);
    // the default number of nodes gives 1e-8 here
    Robot robot = bent_rod(ELV_SPACE_SPECTRAL, 0, MODES);
    set_bent(&robot, MODES);
    evaluate(&robot, tau, jacobian);
    CHECK_BOUND(difference(expected, tau, N), 1e-8, 0);
    CHECK_BOUND(difference(expected_jacobian, jacobian, N * N), 1e-8, 0);
    robot_free(&robot);
    robot_free(&fine);
}

// constant curvature: an arc, whose tip is known
static void test_arc(void** unused) {
    (void)unused;
    Robot robot = bent_rod(ELV_SPACE_SPECTRAL, 24, 1);
    for (double k = -6.0; k <= 6.0; k += 1.5) {
        robot.state->q[2] = k;
        elv_kinematics(robot.model, robot.data, robot.state);
        ElvPose tip = elv_frame_pose(robot.model, robot.data, frame_of(&robot, "rod.tip"));
        double x = k == 0.0 ? 1.0 : sin(k) / k;
        double y = k == 0.0 ? 0.0 : (1.0 - cos(k)) / k;
        CHECK_NEAR(tip.p.x, x, 1e-12);
        CHECK_NEAR(tip.p.y, y, 1e-12);
        CHECK_NEAR(tip.p.z, 0.0, 1e-14);
        CHECK_NEAR(tip.R.m[1][0], sin(k), 1e-12);
    }
    robot_free(&robot);
}

// ---- sections

// pose, strain and stress at any station, with a child inside the rod where the stress jumps
static void test_sections(void** unused) {
    (void)unused;
    for (uint64_t seed = 1; seed <= N_SEED; seed++) {
        RandomOptions options = tree_options(false, 1.0);
        Outcome quadrature;
        outcome_init(&quadrature, seed, &options, 1.0, 1.0);
        options.space = ELV_SPACE_SPECTRAL;
        Outcome spectral;
        outcome_init(&spectral, seed, &options, 1.0, 1.0);
        for (int j = 0; j < quadrature.robot.model->n_node; j++) {
            for (int i = 0; i <= 12 && quadrature.robot.model->node[j].info.is_rod; i++) {
                ElvPose g[2];
                ElvTwist xi[2];
                ElvWrench lam[2];
                const Outcome* out[2] = {&quadrature, &spectral};
                for (int k = 0; k < 2; k++) {
                    // away from ports, which are at multiples of 0.1
                    elv_rod_section(out[k]->robot.model, out[k]->robot.data, out[k]->step.state, j,
                                    0.02 + 0.08 * i, &g[k], &xi[k], &lam[k]);
                }
                double scale = 1.0 + elv_vec3_norm(lam[0].frc) + elv_vec3_norm(lam[0].mom);
                CHECK_ARRAY_NEAR(&g[1].R.m[0][0], &g[0].R.m[0][0], 9, 1e-9);
                CHECK_ARRAY_NEAR(&g[1].p.x, &g[0].p.x, 3, 1e-9);
                CHECK_ARRAY_NEAR(&xi[1].ang.x, &xi[0].ang.x, 6, 1e-14);
                CHECK_ARRAY_NEAR(&lam[1].mom.x, &lam[0].mom.x, 6, 1e-9 * scale);
            }
        }
        outcome_free(&quadrature);
        outcome_free(&spectral);
    }
}

// ---- the workspace

static void compute_all(const Robot* robot, double* out) {
    int n = robot->nv;
    double* nu = new_array(n);
    elv_residual(robot->model, robot->data, robot->state, out);
    elv_tidm_pass(robot->model, robot->data, robot->state, nu, 3.0, 7.0);
    elv_tidm_matrix(robot->model, robot->data, out + n);
    elv_mass_matrix(robot->model, robot->data, robot->state, out + n + n * n);
    free(nu);
}

// a workspace that another state has been through gives the same bits as a new one
static void test_workspace_holds_nothing(void** unused) {
    (void)unused;
    for (uint64_t seed = 1; seed <= N_SEED; seed++) {
        CheckRandom r = check_random(seed);
        RandomOptions options = tree_options(false, 1.0);
        options.nodes = 0;
        options.space = ELV_SPACE_SPECTRAL;
        Robot robot = random_tree(&r, &options);
        int n = robot.nv;
        size_t size = (size_t)(n + 2 * n * n);
        double* used = new_array((int)size);
        double* fresh = new_array((int)size);
        random_state(&r, &robot, 1.0);
        compute_all(&robot, used);
        random_state(&r, &robot, 1.0);
        compute_all(&robot, used);
        ElvError error;
        elv_data_free(robot.data);
        CHECK_STATUS(elv_data_create(robot.model, &robot.data, &error), &error);
        compute_all(&robot, fresh);
        CHECK_TRUE(memcmp(used, fresh, size * sizeof *used) == 0);
        free(used);
        free(fresh);
        robot_free(&robot);
    }
}

// strains that are no numbers give a residual that is none, and nothing worse
static void test_not_finite(void** unused) {
    (void)unused;
    static const double bad[3] = {NAN, INFINITY, 1e300};
    double tau[9], jacobian[81];
    for (int i = 0; i < 3; i++) {
        Robot robot = bent_rod(ELV_SPACE_SPECTRAL, 0, 3);
        robot.state->q[4] = bad[i];
        evaluate(&robot, tau, jacobian);
        CHECK_TRUE(!isfinite(tau[0] + tau[3] + tau[6]));
        // and the workspace recovers
        robot.state->q[4] = 0.1;
        evaluate(&robot, tau, jacobian);
        CHECK_TRUE(isfinite(tau[0]) && isfinite(jacobian[0]));
        robot_free(&robot);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_as_quadrature),
        cmocka_unit_test(test_tangent_is_the_derivative),
        cmocka_unit_test(test_spectral_convergence),
        cmocka_unit_test(test_arc),
        cmocka_unit_test(test_sections),
        cmocka_unit_test(test_workspace_holds_nothing),
        cmocka_unit_test(test_not_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
