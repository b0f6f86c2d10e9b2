// SPDX-License-Identifier: Apache-2.0
// A place for the tip by tensions: the tangent against differences, arcs in closed form, the smallest of
// many tensions by the conditions of Kuhn and Tucker, places out of reach, and forward statics of what was found.
#include "reach_case.h"

// ---- the tangent

static const char CHAIN[] =
    "gravity: [1, 2, -9.81]\n"
    "tree:\n"
    "  - {body: base, joint: {universal: {axis: y, axis2: z, stiffness: [3, 2]}}, mass: 0.1}\n"
    "  - {rod: one, parent: base, length: 0.3, section: {circle: {radius: 3e-3}}, material: "
    "{density: 3000, young: 5e9, poisson: 0.3}, strain: {reissner: 3}}\n"
    "  - {body: ball, parent: one.tip, mass: 0.05, center: [0, 0.01, 0]}\n"
    "  - {body: bead, parent: one.at(0.4), mass: 0.03}\n"
    "  - {rod: two, parent: ball, length: 0.2, section: {circle: {diameter: \"5e-3*(1 - "
    "0.4*s)\"}}, "
    "material: {density: 2000, young: 5e9, poisson: 0.3}, strain: {kirchhoff: 3}, reference: "
    "{bend_y: 1}}\n"
    "  - {body: hand, parent: two.tip, mass: 0.02, inertia: [1e-6, 1e-6, 1e-6]}\n"
    "loads:\n"
    "  - {wrench: [0.01, 0, 0.02, 0.1, 0.05, 0], at: hand, frame: local}\n"
    "  - {force: [0, 0, 0.3], rod: one}\n"
    "actuators:\n"
    "  - {tendon: a, path: [{rod: one, y: 0.01, outside: true}, {rod: two, y: \"0.01*(1 - s)\", "
    "outside: true}], tension: 0}\n"
    "  - {chamber: c, path: {rod: one, z: 0.004, from: 0.2, to: 0.7, outside: true}, area: 1e-5, "
    "pressure: 0}\n"
    "  - {tendon: b, path: {rod: two, z: 0.01, outside: true}, tension: 0, strain_dependence: "
    "false}\n"
    "  - {muscle: m, path: {rod: one, z: -0.005, outside: true}, force: 1, activation: 0.5}\n";

static void give(ElvReach* reach, const double* value) {
    ElvError error;
    memcpy(reach->value, value, (size_t)reach->inputs.n * sizeof *value);
    CHECK_STATUS(elv_reach_balance(reach, &error), &error);
}

// twist of the tip in its own axes per input, by central differences
static void tip_twist(ElvReach* reach, const double* value, int i, double h, double* column) {
    double moved[3];
    ElvPose end[2];
    for (int side = 0; side < 2; side++) {
        memcpy(moved, value, sizeof moved);
        moved[i] += side == 0 ? -h : h;
        give(reach, moved);
        end[side] = elv_reach_tip(reach);
    }
    ElvTwist d = elv_se3_log(elv_pose_compose(elv_pose_inverse(end[0]), end[1]));
    elv_twist_to_array(elv_twist_scale(0.5 / h, d), column);
}

static void test_tangent(void** unused) {
    (void)unused;
    for (int segments = 1; segments <= 4; segments += 3) {
        ModelCase c = case_open("%sstatics: {method: shooting, segments: %d}\n", CHAIN, segments);
        ElvReach* reach = open_reach(c.model, ELV_BY_TENSIONS);
        CHECK_TRUE(reach->inputs.n == 3);
        const double value[3] = {4.0, 3e6, 3.0};
        const double unit[3] = {1.0, 1e6, 1.0};
        double J[18], column[2][6];
        give(reach, value);
        CHECK_TRUE(elv_reach_tangent(&reach->tangent, reach->shooting, &reach->inputs, J) ==
                   ELV_OK);
        double error[2] = {0.0, 0.0};
        for (int i = 0; i < 3; i++) {
            double most = 0.0;
            for (int k = 0; k < 2; k++) {
                tip_twist(reach, value, i, unit[i] * (k == 0 ? 0.2 : 0.1), column[k]);
                for (int j = 0; j < 6; j++) {
                    error[k] = fmax(error[k], unit[i] * fabs(column[k][j] - J[j * 3 + i]));
                    most = fmax(most, unit[i] * fabs(J[j * 3 + i]));
                }
            }
            CHECK_TRUE(most > 1e-3);
            // the log at the first end of the pair is a tangent in the middle up to h^2; its own error is of that order
            for (int j = 0; j < 6; j++) {
                double limit = (4.0 * column[1][j] - column[0][j]) / 3.0;
                CHECK_NEAR(unit[i] * limit, unit[i] * J[j * 3 + i], 2e-5 * most);
            }
        }
        // halving the difference leaves a quarter of its error
        CHECK_NEAR(log2(error[0] / error[1]), 2.0, 0.1);
        elv_reach_free(reach);
        case_close(&c);
    }
}

// ---- arcs

// a tendon beside the axis bends a rod without weight to an arc: EI k = T d

static ElvTipTarget arc_target(double k) {
    return target_at(sin(0.4 * k) / k, (1.0 - cos(0.4 * k)) / k, 0.0);
}

static void test_arc(void** unused) {
    (void)unused;
    ModelCase c =
        case_open(PLANE "actuators:\n"
                        "  - {tendon: a, path: {rod: rod, y: 0.01, outside: true}, tension: 9}\n"
                        "  - {tendon: b, path: {rod: rod, y: -0.01, outside: true}, tension: 9}\n");
    ElvReach* reach = open_reach(c.model, ELV_BY_TENSIONS);
    for (int i = -3; i <= 3; i++) {
        double k = i == 0 ? 1e-6 : 1.5 * i;
        ElvTipTarget target = arc_target(k);
        ElvReachReport report = solve(reach, 0.0, &target);
        const double* u = elv_reach_input(reach);
        CHECK_TRUE(report.is_reached && report.distance < 1e-11);
        // antagonists would only pull against each other
        CHECK_NEAR(u[k > 0.0 ? 0 : 1], PLANE_EI * fabs(k) / 0.01, 1e-7);
        CHECK_TRUE(u[k > 0.0 ? 1 : 0] >= 0.0 && u[k > 0.0 ? 1 : 0] < 1e-7);
    }
    elv_reach_free(reach);
    case_close(&c);
}

// tendons that do the same share: the sum of squares is least with forces as their levers
static void test_shares(void** unused) {
    (void)unused;
    ModelCase c =
        case_open(PLANE "actuators:\n"
                        "  - {tendon: a, path: {rod: rod, y: 0.01, outside: true}, tension: 0}\n"
                        "  - {tendon: b, path: {rod: rod, y: 0.02, outside: true}, tension: 0}\n"
                        "  - {tendon: c, path: {rod: rod, y: -0.02, outside: true}, tension: 0}\n");
    ElvReach* reach = open_reach(c.model, ELV_BY_TENSIONS);
    ElvTipTarget target = arc_target(4.0);
    ElvReachReport report = solve(reach, 0.0, &target);
    const double* u = elv_reach_input(reach);
    CHECK_TRUE(report.is_reached && report.n_used == 2);
    CHECK_NEAR(u[0], 0.01 * 4.0 * PLANE_EI / (0.01 * 0.01 + 0.02 * 0.02), 1e-6);
    CHECK_NEAR(u[1], 2.0 * u[0], 1e-6);
    CHECK_TRUE(u[2] == 0.0);
    elv_reach_free(reach);
    case_close(&c);
}

// nearest point of all arcs, found by hand
static double nearest_arc(double x, double y, double* k) {
    double best = INFINITY;
    for (int i = 1; i < 400000; i++) {
        double trial = 2e-5 * i;
        ElvVec3 p = arc_target(trial).pose.p;
        double d = hypot(p.x - x, p.y - y);
        if (d < best) {
            best = d;
            *k = trial;
        }
    }
    return best;
}

static void test_out_of_reach(void** unused) {
    (void)unused;
    ModelCase c =
        case_open(PLANE "actuators:\n"
                        "  - {tendon: a, path: {rod: rod, y: 0.01, outside: true}, tension: 0}\n");
    const double place[4][2] = {{0.3, 0.3}, {0.1, 0.2}, {0.42, 0.5}, {3.0, 5.0}};
    ElvReach* reach = open_reach(c.model, ELV_BY_TENSIONS);
    for (int i = 0; i < 4; i++) {
        ElvTipTarget target = target_at(place[i][0], place[i][1], 0.0);
        double k = 0.0;
        double nearest = nearest_arc(place[i][0], place[i][1], &k);
        ElvReachReport report = solve(reach, 0.0, &target);
        CHECK_TRUE(!report.is_reached);
        // distances are flat about the nearest point: curvatures to 1e-4 make them exact to 1e-8
        CHECK_NEAR(report.distance, nearest, 1e-7);
        CHECK_NEAR(elv_reach_input(reach)[0] * 0.01 / PLANE_EI, k, 2e-3);
    }
    // on the other side it would have to push
    ElvTipTarget target = target_at(0.35, -0.15, 0.0);
    ElvReachReport report = solve(reach, 0.0, &target);
    CHECK_TRUE(!report.is_reached && elv_reach_input(reach)[0] < 1e-6);
    CHECK_NEAR(report.distance, hypot(0.05, 0.15), 1e-9);
    // and it comes back
    target = arc_target(2.0);
    report = solve(reach, 0.0, &target);
    CHECK_TRUE(report.is_reached);
    elv_reach_free(reach);
    case_close(&c);
}

// place and direction at once, by three tendons that end elsewhere: as many as there are conditions, so that the tensions
// of a known equilibrium come back
static void test_rotation(void** unused) {
    (void)unused;
    static const char text[] =
        "gravity: [0, -9.81, 0]\n"
        "tree:\n"
        "  - {rod: rod, length: 0.4, section: {circle: {radius: 2e-3}}, material: {density: 2000, "
        "young: 2e9}, strain: {bend_z: 2}}\n"
        "actuators:\n"
        "  - {tendon: a, path: {rod: rod, to: 0.4, y: 0.01, outside: true}, tension: \"3*t\"}\n"
        "  - {tendon: b, path: {rod: rod, to: 0.7, y: -0.01, outside: true}, tension: \"2*t\"}\n"
        "  - {tendon: c, path: {rod: rod, y: 0.01, outside: true}, tension: \"4*t\"}\n"
        "statics: {method: shooting}\n";
    ModelCase c = case_open("%s", text);
    ElvShooting* shooting;
    ElvError error;
    ElvStaticsDef options = elv_model_statics(c.model);
    ElvTipTarget target = {elv_pose_identity(), true};
    CHECK_STATUS(elv_shoot_create(c.model, &options, &shooting, &error), &error);
    CHECK_STATUS(elv_shoot_statics(shooting, 1.0, &error), &error);
    elv_shoot_section(shooting, 0, 1.0, &target.pose, NULL, NULL);
    elv_shoot_free(shooting);
    ElvReach* reach = open_reach(c.model, ELV_BY_TENSIONS);
    ElvReachReport report = solve(reach, 1.0, &target);
    const double expected[3] = {3.0, 2.0, 4.0};
    CHECK_TRUE(report.is_reached);
    CHECK_ARRAY_NEAR(elv_reach_input(reach), expected, 3, 1e-5);
    elv_reach_free(reach);
    case_close(&c);
}

// ---- the shipped robot

// position of the tip under given tensions, by forward statics with them as the laws of the tendons
static ElvVec3 forward_tip(const double* u, int n) {
    static const char* const name[] = {"far1", "far2", "far3", "near1", "near2", "near3"};
    ElvOverride set[7];
    char key[6][32], text[6][40];
    CHECK_TRUE(n == 6);
    for (int i = 0; i < n; i++) {
        snprintf(key[i], sizeof key[i], "%s.tension", name[i]);
        snprintf(text[i], sizeof text[i], "%.17g", u[i]);
        set[i] = (ElvOverride){key[i], text[i]};
    }
    set[6] = (ElvOverride){"statics.loads", "[0]"};
    ShootPath path = shoot_shipped("tacr-inverse", set, 7, 1, ELV_SHOOT_LEVENBERG);
    return elv_vec3(path.value[0][0], path.value[0][1], path.value[0][2]);
}

// dp/du_i by differences, to one side where the tension is zero
static ElvVec3 slope(const double* u, int i) {
    const double h = 2e-3;
    double moved[6];
    ElvVec3 p[3];
    bool is_used = u[i] > h;
    for (int k = 0; k < 3; k++) {
        memcpy(moved, u, sizeof moved);
        moved[i] += h * (is_used ? k - 1 : k);
        p[k] = forward_tip(moved, 6);
    }
    ElvVec3 d = is_used ? elv_vec3_sub(p[2], p[0])
                        : elv_vec3_sub(elv_vec3_scale(4.0, p[1]),
                                       elv_vec3_add(elv_vec3_scale(3.0, p[0]), p[2]));
    return elv_vec3_scale(0.5 / h, d);
}

// u = J^T lambda where tensions pull, J^T lambda <= 0 where they do not: there is no smaller u nearby that reaches
// the same point. lambda by least squares over the tensions in use, in 3 x 3
static void check_smallest(const double* u) {
    ElvVec3 J[6];
    ElvMat3 A = elv_mat3_zero();
    ElvVec3 b = elv_vec3(0.0, 0.0, 0.0);
    double size = largest(u, 6);
    for (int i = 0; i < 6; i++) {
        J[i] = slope(u, i);
        if (u[i] > 1e-3) {
            const double x[3] = {J[i].x, J[i].y, J[i].z};
            for (int k = 0; k < 9; k++) {
                A.m[k / 3][k % 3] += x[k / 3] * x[k % 3];
            }
            b = elv_vec3_add_scaled(b, u[i], J[i]);
        }
    }
    // Cramer's rule
    ElvVec3 column[3] = {elv_mat3_column(A, 0), elv_mat3_column(A, 1), elv_mat3_column(A, 2)};
    double det = elv_mat3_det(A);
    ElvVec3 lambda = elv_vec3(elv_vec3_dot(b, elv_vec3_cross(column[1], column[2])) / det,
                              elv_vec3_dot(column[0], elv_vec3_cross(b, column[2])) / det,
                              elv_vec3_dot(column[0], elv_vec3_cross(column[1], b)) / det);
    for (int i = 0; i < 6; i++) {
        double own = elv_vec3_dot(J[i], lambda);
        if (u[i] > 1e-3) {
            CHECK_NEAR(own, u[i], 2e-3 * size);
        } else {
            CHECK_TRUE(own <= 2e-3 * size);
        }
    }
}

static void test_circle(void** unused) {
    (void)unused;
    ElvModel* model = shoot_model("tacr-inverse", NULL, 0);
    ElvReach* reach = open_reach(model, ELV_BY_TENSIONS);
    for (int i = 0; i < 4; i++) {
        double t = 0.1 + 0.5 * PI * i;
        ElvTipTarget target = target_at(0.36, 0.15 * cos(t), 0.15 * sin(t));
        ElvReachReport report = solve(reach, t, &target);
        const double* u = elv_reach_input(reach);
        CHECK_TRUE(report.is_reached);
        for (int k = 0; k < 6; k++) {
            CHECK_TRUE(u[k] >= 0.0 && u[k] < 30.0);
        }
        // forward statics with these tensions, from nothing
        ElvVec3 p = forward_tip(u, 6);
        CHECK_NEAR(elv_vec3_norm(elv_vec3_sub(p, target.pose.p)), 0.0, 1e-8);
        if (i < 2) {
            check_smallest(u);
        }
    }
    elv_reach_free(reach);
    elv_model_free(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tangent),  cmocka_unit_test(test_arc),
        cmocka_unit_test(test_shares),   cmocka_unit_test(test_out_of_reach),
        cmocka_unit_test(test_rotation), cmocka_unit_test(test_circle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
