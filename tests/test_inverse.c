// SPDX-License-Identifier: Apache-2.0
// Inverse dynamics of closed mechanisms: efforts against [ALI (A.4)] computed word for word from dense Jacobians
// (inverse_case.h), rates against differences, and how mechanisms are followed in time.
#include "inverse_case.h"

static const ElvVec3 ex = {1.0, 0.0, 0.0};
static const ElvVec3 ey = {0.0, 1.0, 0.0};
static const ElvVec3 ez = {0.0, 0.0, 1.0};

/// Of efforts, relative to the largest.
static const double TOL = 1e-9;

// ---- mechanisms

#define LINK                                                                                       \
    "mass: 0.7, center: [0.1, 0.02, 0.01], inertia: [0.002, 0.006, 0.007, 1e-4, -2e-4, 3e-4]"

// a slider-crank: crank, coupler and slider in the plane x-y, a prismatic joint closes the loop
static const char slider_crank[] =
    "gravity: [0, -9.81, 0]\n"
    "tree:\n"
    "  - {body: crank, joint: {revolute: {axis: z, motion: \"%s\"}}, " LINK "}\n"
    "  - {body: coupler, parent: crank, pose: {xyz: [0.1, 0, 0]}, " LINK ",\n"
    "     joint: {revolute: {axis: z, position: -0.9, damping: 0.05, stiffness: 0.3}}}\n"
    "  - {body: slider, parent: coupler, pose: {xyz: [0.3, 0, 0]}, mass: 1.5,\n"
    "     inertia: [0.001, 0.001, 0.002], joint: {revolute: {axis: z, position: 0.3}}}\n"
    "loops:\n"
    "  - {loop: guide, between: [world, slider], joint: {prismatic: {axis: x, damping: %g}},\n"
    "     pose: {xyz: [0, 0.02, 0]}%s}\n"
    "loads:\n"
    "  - {force: [\"-3 - sin(t)\", 0, 0], at: slider}\n";

// crank, universal joint, coupler, ball, rocker: axes askew
static const char spatial[] =
    "gravity: [0.3, -0.4, -9.7]\n"
    "tree:\n"
    "  - {body: crank, joint: {revolute: {axis: [0.1, 0.2, 1], motion: \"0.4 + 3*t + "
    "0.2*sin(2*t)\"}},\n"
    "     " LINK "}\n"
    "  - {body: coupler, parent: crank, pose: {xyz: [0.05, 0.01, 0.05], rpy: [0.1, 0.2, 0]}, " LINK
    ",\n"
    "     joint: {universal: {axis: z, axis2: y, damping: [0.02, 0.03], stiffness: [0.1, 0.2]}}}\n"
    "  - {body: rocker, pose: {xyz: [0.45, -0.1, 0.05], rpy: [0.3, 0.2, 2.0]}, " LINK ",\n"
    "     joint: {revolute: {axis: z, force: \"0.2*cos(3*t)\"}}}\n"
    "frames:\n"
    "  - {name: coupler_end, on: coupler, pose: {xyz: [0.4, 0, 0.02]}}\n"
    "  - {name: rocker_end, on: rocker, pose: {xyz: [0.3, 0.02, 0]}}\n"
    "loops:\n"
    "  - {loop: ball, between: [coupler_end, rocker_end], joint: spherical}\n";

// crank, ball in the tree, coupler, universal joint as the loop, rocker
static const char universal[] =
    "gravity: [0, 0, -9.81]\n"
    "tree:\n"
    "  - {body: crank, joint: {revolute: {axis: z, motion: \"0.4 + 3*t\"}}, " LINK "}\n"
    "  - {body: coupler, parent: crank, pose: {xyz: [0.05, 0, 0.05]}, " LINK ",\n"
    "     joint: {spherical: {damping: 0.02}}}\n"
    "  - {body: rocker, pose: {xyz: [0.45, -0.1, 0.05], rpy: [0.3, 0.2, 2.0]}, " LINK ",\n"
    "     joint: {revolute: {axis: z}}}\n"
    "frames:\n"
    "  - {name: coupler_end, on: coupler, pose: {xyz: [0.4, 0, 0.02], rpy: [0.2, 0, 0]}}\n"
    "  - {name: rocker_end, on: rocker, pose: {xyz: [0.3, 0.02, 0], rpy: [0.1, 0.3, 0]}}\n"
    "loops:\n"
    "  - {loop: cross, between: [rocker_end, coupler_end],\n"
    "     joint: {universal: {axis: x, axis2: [0.1, 0, 1]}}}\n";

// a planar four-bar, its four parts as given
static const char four_bar[] =
    "gravity: [0, -9.81, 0]\n"
    "tree:\n"
    "  - {body: crank, joint: {revolute: {axis: z, %s}}, " LINK "}\n"
    "  - {body: coupler, parent: crank, pose: {xyz: [%g, 0, 0]},\n"
    "     joint: {revolute: {axis: z, position: 0.37}}, %s}\n"
    "  - {body: rocker, pose: {xyz: [0.4, 0, 0]}, joint: {revolute: {axis: z, %s}}, " LINK "}\n"
    "frames:\n"
    "  - {name: coupler_end, on: coupler, pose: {xyz: [0.35, 0, 0]}}\n"
    "  - {name: rocker_end, on: rocker, pose: {xyz: [0.25, 0, 0]}}\n"
    "loops:\n"
    "  - {loop: pin, between: [coupler_end, rocker_end], joint: {revolute: {axis: z}}%s}\n";

static ModelCase open_four_bar(const char* crank) {
    return case_open(four_bar, crank, 0.1, LINK, "position: 1.7", "");
}

static const InverseRow planar_pin[2] = {{false, {1.0, 0.0, 0.0}}, {false, {0.0, 1.0, 0.0}}};

// efforts of the solver against those of W between two frames
static void check_literal(
    InverseCase* c, const char* first, const char* second, const InverseRow* row, int n_row) {
    double W[INVERSE_MAX * INVERSE_MAX];
    double tau[INVERSE_MAX];
    size_t nv = (size_t)c->model.nv;
    inverse_rows(&c->model, first, second, row, n_row, W);
    // the motion satisfies the constraints                                              [ALI (A.1)]
    for (int i = 0; i < n_row; i++) {
        double rate = 0.0;
        for (size_t k = 0; k < nv; k++) {
            rate += W[(size_t)i * nv + k] * c->model.state->v[k];
        }
        CHECK_NEAR(rate, 0.0, 1e-12);
    }
    inverse_literal(&c->model, W, n_row, tau);
    for (size_t i = 0; i < nv; i++) {
        if (elv_model_is_driven(c->model.model, (int)i)) {
            CHECK_NEAR(c->tau[i], tau[i], TOL * (0.1 + largest(tau, nv)));
        }
    }
    // what passive joints get is what their force laws give
    elv_residual(c->model.model, c->model.data, c->model.state, tau);
    for (size_t i = 0; i < nv; i++) {
        if (!elv_model_is_driven(c->model.model, (int)i)) {
            CHECK_NEAR(tau[i], 0.0, 1e-11);
        }
    }
}

// ---- efforts

static void test_slider_crank(void** context) {
    (void)context;
    const InverseRow row[2] = {{false, ey}, {true, ez}};
    InverseCase c = {.model = case_open(slider_crank, "0.6 + 4*t", 0.0, "")};
    inverse_start(&c);
    for (double t = 0.0; t < 1.6; t += 0.1) {
        inverse_solve(&c, t);
        check_literal(&c, "world", "slider", row, 2);
        CHECK_NEAR(case_pose(&c.model, "slider").p.y, 0.02, 1e-13);
    }
    inverse_check_rates(&c, 0.7, 2e-3, 1e-8);
    inverse_close(&c);
}

// a damper along the guide is felt by the crank: its power is that of the crank
static void test_damped_guide(void** context) {
    (void)context;
    const double damping = 2.5;
    InverseCase c = {.model = case_open(slider_crank, "0.6 + 4*t", 0.0, "")};
    InverseCase damped = {.model = case_open(slider_crank, "0.6 + 4*t", damping, "")};
    inverse_start(&c);
    inverse_start(&damped);
    for (double t = 0.0; t < 1.6; t += 0.1) {
        inverse_solve(&c, t);
        inverse_solve(&damped, t);
        elv_kinematics(c.model.model, c.model.data, c.model.state);
        ElvFrame slider = case_frame(&c.model, "slider");
        ElvMat3 R = elv_frame_pose(c.model.model, c.model.data, slider).R;
        ElvVec3 v = elv_mat3_apply(R, elv_frame_twist(c.model.model, c.model.data, slider).lin);
        CHECK_NEAR(4.0 * (damped.tau[0] - c.tau[0]), damping * v.x * v.x, 1e-10);
    }
    inverse_close(&damped);
    inverse_close(&c);
}

static void test_spatial(void** context) {
    (void)context;
    const InverseRow row[3] = {{false, ex}, {false, ey}, {false, ez}};
    InverseCase c = {.model = case_open("%s", spatial)};
    inverse_start(&c);
    for (double t = 0.0; t < 2.2; t += 0.1) {
        inverse_solve(&c, t);
        check_literal(&c, "coupler_end", "rocker_end", row, 3);
    }
    inverse_check_rates(&c, 0.7, 2e-3, 1e-8);
    // a passive joint's own motor is a drive as well
    CHECK_NEAR(c.tau[3], 0.2 * cos(2.1), 1e-15);
    inverse_close(&c);
}

static void test_universal(void** context) {
    (void)context;
    InverseCase c = {.model = case_open("%s", universal)};
    inverse_start(&c);
    for (double t = 0.0; t < 2.2; t += 0.1) {
        inverse_solve(&c, t);
        ElvVec3 n = elv_mat3_apply(case_pose(&c.model, "rocker_end").R, ex);
        ElvVec3 m = elv_mat3_apply(case_pose(&c.model, "coupler_end").R,
                                   elv_vec3_scale(1.0 / sqrt(1.01), elv_vec3(0.1, 0.0, 1.0)));
        CHECK_NEAR(elv_vec3_dot(n, m), 0.1 / sqrt(1.01), 1e-13);
        const InverseRow row[4] = {
            {false, ex}, {false, ey}, {false, ez}, {true, elv_vec3_cross(n, m)}};
        check_literal(&c, "rocker_end", "coupler_end", row, 4);
    }
    inverse_close(&c);
}

// [ALI (A.4)] needs no mass: a coupler without any carries forces along itself
static void test_massless(void** context) {
    (void)context;
    InverseCase c = {
        .model = case_open(four_bar, "motion: \"0.3 + 3*t\"", 0.1, "mass: 0", "position: 1.7", "")};
    inverse_start(&c);
    for (double t = 0.0; t < 2.2; t += 0.1) {
        inverse_solve(&c, t);
        check_literal(&c, "coupler_end", "rocker_end", planar_pin, 2);
        ElvVec3 along = elv_mat3_apply(case_pose(&c.model, "coupler").R, ex);
        const double* force = c.model.state->z + 3;
        double across = along.x * force[1] - along.y * force[0];
        CHECK_NEAR(across, 0.0, 1e-11 * (1.0 + largest(force, 3)));
    }
    inverse_close(&c);
}

// springs that help Newton change nothing
static void test_augmented(void** context) {
    (void)context;
    InverseCase c = {.model = case_open(four_bar, "motion: \"0.3 + 3*t\"", 0.1, LINK,
                                        "position: 1.7", ", closure: augmented, penalty: 1e3")};
    inverse_start(&c);
    for (double t = 0.0; t < 2.2; t += 0.2) {
        inverse_solve(&c, t);
        check_literal(&c, "coupler_end", "rocker_end", planar_pin, 2);
    }
    inverse_close(&c);
}

// The motion may be imposed where the loop is cut: the same mechanism, led by its guide
static void test_driven_loop(void** context) {
    (void)context;
    InverseCase c = {
        .model =
            case_open("gravity: [0, -9.81, 0]\n"
                      "tree:\n"
                      "  - {body: crank, joint: {revolute: {axis: z, position: 1.2}}, " LINK "}\n"
                      "  - {body: coupler, parent: crank, pose: {xyz: [0.1, 0, 0]}, " LINK ",\n"
                      "     joint: {revolute: {axis: z, position: -1.5}}}\n"
                      "frames: [{name: end, on: coupler, pose: {xyz: [0.3, 0, 0]}}]\n"
                      "loops:\n"
                      "  - {loop: guide, between: [world, end],\n"
                      "     joint: {planar: {axis: z, damping: 0}}}\n"
                      "  - {loop: lead, between: [world, end], joint: spherical,\n"
                      "     pose: {xyz: [\"0.32 + 0.03*sin(2*t)\", 0, 0]}}\n")};
    inverse_start(&c);
    for (double t = 0.0; t < 3.0; t += 0.3) {
        inverse_solve(&c, t);
        ElvPose end = case_pose(&c.model, "end");
        CHECK_NEAR(end.p.x, 0.32 + 0.03 * sin(2.0 * t), 1e-13);
        CHECK_NEAR(end.p.y, 0.0, 1e-13);
        ElvVec3 v = elv_mat3_apply(
            end.R, elv_frame_twist(c.model.model, c.model.data, case_frame(&c.model, "end")).lin);
        CHECK_NEAR(v.x, 0.06 * cos(2.0 * t), 1e-12);
        // the lead does what energy asks for: f v = d/dt E, here as tau_tree . v
        double tree[2];
        double z[12];
        memcpy(z, c.model.state->z, sizeof z);
        memset(c.model.state->z, 0, sizeof z);
        elv_residual(c.model.model, c.model.data, c.model.state, tree);
        memcpy(c.model.state->z, z, sizeof z);
        double power = tree[0] * c.model.state->v[0] + tree[1] * c.model.state->v[1];
        CHECK_NEAR(z[9] * v.x, power, 1e-10);
    }
    inverse_close(&c);
}

// without loops it is plain inverse dynamics of imposed joints
static void test_tree(void** context) {
    (void)context;
    InverseCase c = {
        .model = case_open("gravity: [0, 0, -9.81]\n"
                           "tree:\n"
                           "  - {body: arm, joint: {revolute: {axis: y, motion: \"0.5*sin(3*t)\",\n"
                           "     damping: 0.2}}, mass: 2, center: [0.3, 0, 0]}\n")};
    inverse_start(&c);
    for (double t = -1.0; t < 1.0; t += 0.2) {
        inverse_solve(&c, t);
        double q = 0.5 * sin(3.0 * t);
        double v = 1.5 * cos(3.0 * t);
        double a = -4.5 * sin(3.0 * t);
        // about y a positive angle turns x downwards
        CHECK_NEAR(c.tau[0], 2.0 * 0.09 * a + 0.2 * v - 2.0 * 9.81 * 0.3 * cos(q), 1e-12);
    }
    inverse_close(&c);
}

// a gear tells how a joint moves as a loop does: q_1 + 2 q_2 = 0
static void test_gear(void** context) {
    (void)context;
    InverseCase c = {
        .model = case_open(
            "tree:\n"
            "  - {body: pinion, joint: {revolute: {axis: z, motion: \"sin(2*t)\"}},\n"
            "     mass: 1, inertia: [1, 1, 0.3]}\n"
            "  - {body: wheel, joint: {revolute: {axis: z}}, mass: 1, inertia: [1, 1, 0.8]}\n"
            "constraints:\n"
            "  - {coupling: gear,\n"
            "     joints: [{joint: pinion}, {joint: wheel, factor: 2}]}\n")};
    inverse_start(&c);
    for (double t = 0.0; t < 2.0; t += 0.3) {
        inverse_solve(&c, t);
        CHECK_NEAR(c.model.state->q[1], -0.5 * sin(2.0 * t), 1e-14);
        CHECK_NEAR(c.tau[0], -(0.3 + 0.8 / 4.0) * 4.0 * sin(2.0 * t), 1e-13);
    }
    inverse_close(&c);
}

// ---- following

// far samples stay on the branch of the start, forth and back
static void test_branch(void** context) {
    (void)context;
    InverseCase fine = {.model = open_four_bar("motion: \"0.3 + 6*t\"")};
    InverseCase coarse = {.model = open_four_bar("motion: \"0.3 + 6*t\"")};
    inverse_start(&fine);
    inverse_start(&coarse);
    for (int k = 0; k <= 300; k++) {
        inverse_solve(&fine, 0.01 * k);
    }
    inverse_solve(&coarse, 3.0);
    CHECK_ARRAY_NEAR(coarse.model.state->q, fine.model.state->q, 3, 1e-12);
    CHECK_NEAR(coarse.tau[0], fine.tau[0], 1e-10);
    inverse_solve(&coarse, 0.0);
    inverse_solve(&fine, 0.0);
    CHECK_ARRAY_NEAR(coarse.model.state->q, fine.model.state->q, 3, 1e-12);
    CHECK_TRUE(sin(coarse.model.state->q[2]) > 0.5);
    inverse_close(&coarse);
    inverse_close(&fine);
}

// the other branch from another guess
static void test_guess(void** context) {
    (void)context;
    InverseCase c = {.model = open_four_bar("motion: \"0.3 + 6*t\"")};
    inverse_start(&c);
    c.model.state->q[1] = -1.0;
    c.model.state->q[2] = -1.6;
    c.model.state->t = 0.5;
    inverse_solve(&c, 0.5);
    CHECK_TRUE(sin(c.model.state->q[2]) < 0.0);
    inverse_solve(&c, 0.0);
    CHECK_TRUE(sin(c.model.state->q[2]) < 0.0);
    inverse_close(&c);
}

// ---- whole motions

typedef struct {
    double t[64];
    double effort[64];
    int n, n_most;
} Samples;

static bool keep(void* user, const ElvModel* model, ElvData* data, const ElvState* state) {
    Samples* samples = user;
    double effort[INVERSE_MAX];
    elv_drive_efforts(model, data, state, effort);
    samples->t[samples->n] = state->t;
    samples->effort[samples->n++] = effort[0];
    return samples->n < samples->n_most;
}

static ElvStatus
run(ModelCase* c, double t_end, Samples* samples, ElvInverseReport* report, ElvError* error) {
    ElvInverseOptions options = elv_inverse_options_default(c->model);
    options.t_start = 0.25;
    options.duration = t_end - 0.25;
    options.every = 0.1;
    options.record = keep;
    options.user = samples;
    return elv_inverse_run(c->model, c->state, &options, report, error);
}

static void test_run(void** context) {
    (void)context;
    ModelCase c = open_four_bar("motion: \"0.3 + 6*t\"");
    InverseCase single = {.model = open_four_bar("motion: \"0.3 + 6*t\"")};
    Samples samples = {.n_most = 64};
    ElvInverseReport report;
    ElvError error;
    inverse_start(&single);
    CHECK_STATUS(run(&c, 1.3, &samples, &report, &error), &error);
    // 0.25, 0.35 ... 1.25, and the end
    CHECK_TRUE(samples.n == 12 && report.n_sample == 12 && report.n_step >= 12);
    CHECK_NEAR(samples.t[10], 1.25, 1e-12);
    CHECK_NEAR(samples.t[11], 1.3, 0.0);
    CHECK_NEAR(c.state->t, 1.3, 0.0);
    for (int i = 0; i < samples.n; i++) {
        inverse_solve(&single, samples.t[i]);
        CHECK_NEAR(samples.effort[i], single.tau[0], 1e-10);
    }
    // a sample that the caller does not want more of is the last
    samples = (Samples){.n_most = 3};
    CHECK_TRUE(run(&c, 1.3, &samples, NULL, &error) == ELV_ERROR_CANCELLED);
    CHECK_TRUE(samples.n == 3);
    CHECK_NEAR(c.state->t, 0.45, 1e-12);
    inverse_close(&single);
    case_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slider_crank), cmocka_unit_test(test_damped_guide),
        cmocka_unit_test(test_spatial),      cmocka_unit_test(test_universal),
        cmocka_unit_test(test_massless),     cmocka_unit_test(test_augmented),
        cmocka_unit_test(test_driven_loop),  cmocka_unit_test(test_tree),
        cmocka_unit_test(test_gear),         cmocka_unit_test(test_branch),
        cmocka_unit_test(test_guess),        cmocka_unit_test(test_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
