// SPDX-License-Identifier: Apache-2.0
// Paths of equilibria: Euler's column and its bent shapes against elliptic integrals, its higher critical
// loads, lateral buckling of a strip against the zero of a Bessel function, snap-through of a rod against
// shooting, a load without potential against a determinant by hand; a column under a cable through its foot,
// arms with tendons against their equilibria; ends of paths and their errors.
#include "path_case.h"

#include "elastica.h"

static const double PI = 3.14159265358979323846;

// ---- Euler's column

static void check_branch(int branch) {
    ModelCase c = open_example("euler-buckling", NULL);
    ElvContinuationReport report;
    Path* path = follow(&c, "column.tip", branch, &report);
    CHECK_TRUE(report.end == ELV_CONTINUATION_DONE && report.has_branched);
    CHECK_TRUE(report.n_bifurcation == 1 && report.n_limit == 0);
    double side = 0.0;
    for (int i = 0; i < path->n; i++) {
        if (!path->is_branch[i]) {
            CHECK_NEAR(path->place[i].x, 1.0, 1e-12);
            CHECK_NEAR(path->place[i].y, 0.0, 1e-12);
            CHECK_TRUE(path->load[i] <= 1.0 + 1e-9);
            continue;
        }
        double x = 0.0;
        double y = 0.0;
        elastica(path->load[i], &x, &y);
        side = side == 0.0 ? copysign(1.0, path->place[i].y) : side;
        CHECK_NEAR(path->place[i].x, x, 1e-5);
        CHECK_NEAR(path->place[i].y, side * y, 1e-5);
        CHECK_TRUE(path->stability[i] > 0.0 && path->n_negative[i] == 0);
    }
    CHECK_NEAR(path->load[path->n - 1], 3.0, 0.0);
    // the null vector bends to the side that is taken
    CHECK_TRUE(side == branch * copysign(1.0, 1.0));
    free(path);
    case_close(&c);
}

static void test_bent_column(void** unused) {
    (void)unused;
    check_branch(1);
    check_branch(-1);
}

// the straight column: critical loads (2n - 1)^2, where its stiffness has one more negative eigenvalue
static void test_critical_loads(void** unused) {
    (void)unused;
    ModelCase c = open_example("euler-buckling", "[0, 30]");
    ElvContinuationReport report;
    Path* path = follow(&c, "column.tip", 0, &report);
    CHECK_TRUE(report.n_bifurcation == 3 && report.n_limit == 0 && !report.has_branched);
    static const double exact[] = {1.0, 9.0, 25.0};
    int n_found = 0;
    for (int i = 0; i < path->n; i++) {
        if (path->kind[i] == ELV_POINT_BIFURCATION) {
            CHECK_NEAR(path->load[i], exact[n_found], 1e-6 * exact[n_found]);
            CHECK_NEAR(path->stability[i], n_found == 0 ? 0.0 : path->stability[i], 1e-6);
            n_found++;
        } else {
            CHECK_TRUE(path->n_negative[i] == n_found);
            CHECK_TRUE((path->stability[i] > 0.0) == (n_found == 0));
        }
    }
    CHECK_TRUE(n_found == 3);
    CHECK_NEAR(path->load[path->n - 1], 30.0, 0.0);
    free(path);
    case_close(&c);
}

// ---- lateral buckling of a strip: P L^2 = 2 x sqrt(EI GJ) with J_(-1/4)(x) = 0

static double bessel(double x) {
    double sum = 0.0;
    for (int m = 0; m < 40; m++) {
        double sign = m % 2 == 0 ? 1.0 : -1.0;
        sum += sign * pow(0.5 * x, 2 * m) / (tgamma(m + 1.0) * tgamma(m + 0.75));
    }
    return sum;
}

static void test_lateral_buckling(void** unused) {
    (void)unused;
    double low = 1.0;
    double high = 3.0;
    for (int i = 0; i < 100; i++) {
        double middle = 0.5 * (low + high);
        if (bessel(middle) > 0.0) {
            low = middle;
        } else {
            high = middle;
        }
    }
    double critical = 2.0 * low * sqrt(3.0 * 2.0) / (1.5 * 1.5);
    ModelCase c =
        case_open("tree:\n"
                  "  - {rod: strip, length: 1.5, stiffness: [2, 1, 3, 1, 1, 1],\n"
                  "     inertia: [0.01, 0.01, 0.01, 1, 1, 1], strain: {twist: 9, bend_z: 9}}\n"
                  "loads:\n"
                  "  - {force: [0, 0, \"-t\"], at: strip.tip}\n"
                  "statics: {loads: [0, 6]}\n");
    ElvContinuationReport report;
    Path* path = follow(&c, "strip.tip", 1, &report);
    CHECK_TRUE(report.n_bifurcation == 1 && report.has_branched);
    for (int i = 0; i < path->n; i++) {
        if (path->kind[i] == ELV_POINT_BIFURCATION) {
            CHECK_NEAR(path->load[i], critical, 1e-6 * critical);
        } else {
            // sideways on the branch alone
            CHECK_TRUE((fabs(path->place[i].y) > 1e-6) == path->is_branch[i]);
        }
    }
    free(path);
    case_close(&c);
}

// ---- snap-through

static void test_snap_through(void** unused) {
    (void)unused;
    Shot exact = find_snap(1.5 * PI * PI / 4.0);
    ModelCase c = open_example("snap-through", NULL);
    ElvContinuationReport report;
    Path* path = follow(&c, "rod.tip", 0, &report);
    CHECK_TRUE(report.end == ELV_CONTINUATION_DONE);
    CHECK_TRUE(report.n_limit == 2 && report.n_bifurcation == 0);
    int n_limit = 0;
    for (int i = 0; i < path->n; i++) {
        double side = n_limit == 0 ? 1.0 : -1.0;
        if (path->kind[i] == ELV_POINT_LIMIT) {
            // the angle is flat there: its error is that of the modes, the tip's is found by golden section
            CHECK_NEAR(path->load[i], side * exact.angle, 1e-8);
            CHECK_NEAR(path->place[i].x, exact.x, 1e-6);
            CHECK_NEAR(path->place[i].y, side * exact.y, 1e-6);
            n_limit++;
        } else {
            // stable, unstable between the limit points, stable again
            CHECK_TRUE((path->stability[i] < 0.0) == (n_limit == 1));
        }
    }
    CHECK_NEAR(report.load_max, 2.0, 0.0);
    free(path);
    case_close(&c);

    // if the path may go only as far as the first limit point and back, it ends where it began
    c = open_example("snap-through", "[-0.1, 2]");
    path = follow(&c, "rod.tip", 0, &report);
    CHECK_TRUE(report.end == ELV_CONTINUATION_BACK && report.n_limit == 1);
    CHECK_NEAR(path->load[path->n - 1], -0.1, 0.0);
    CHECK_NEAR(report.load_max, exact.angle, 1e-8);
    free(path);
    case_close(&c);
}

// a motor lifts a pendulum: its torque is largest when the arm is level
static void test_motor(void** unused) {
    (void)unused;
    ModelCase c = case_open("gravity: [0, 0, -10]\n"
                            "tree:\n"
                            "  - body: bob\n"
                            "    joint: {revolute: {axis: y, force: \"t\"}}\n"
                            "    mass: 1\n"
                            "    center: [0, 0, -1]\n"
                            "    inertia: [0.1, 0.1, 0.1]\n"
                            "statics: {loads: [0, 20]}\n");
    ElvContinuationReport report;
    Path* path = follow(&c, "bob", 0, &report);
    CHECK_TRUE(report.end == ELV_CONTINUATION_BACK && report.n_limit == 1);
    CHECK_NEAR(report.load_max, 10.0, 1e-8);
    // upside down
    CHECK_NEAR(fabs(c.state->q[0]), PI, 1e-8);
    CHECK_NEAR(path->stability[path->n - 1], -10.0 / 1.1, 1e-6);
    free(path);
    case_close(&c);
}

// ---- without potential: two bars, a quarter of the load follows; det K = 1 - 9/4 P + 3/4 P^2

static void test_follower_divergence(void** unused) {
    (void)unused;
    ModelCase c = case_open(
        "tree:\n"
        "  - {body: low, joint: {revolute: {axis: z, stiffness: 1}}, mass: 1, center: [0.5, 0, "
        "0],\n"
        "     inertia: [0.1, 0.1, 0.1]}\n"
        "  - {body: high, parent: low, pose: {xyz: [1, 0, 0]}, mass: 1, center: [0.5, 0, 0],\n"
        "     joint: {revolute: {axis: z, stiffness: 1}}, inertia: [0.1, 0.1, 0.1]}\n"
        "frames:\n"
        "  - {name: top, on: high, pose: {xyz: [1, 0, 0]}}\n"
        "loads:\n"
        "  - {force: [\"-0.75*t\", 0, 0], at: top}\n"
        "  - {force: [\"-0.25*t\", 0, 0], at: top, frame: local}\n"
        "statics: {loads: [0, 1]}\n");
    ElvContinuationReport report;
    Path* path = follow(&c, "top", 1, &report);
    double exact = (2.25 - sqrt(2.25 * 2.25 - 3.0)) / 1.5;
    CHECK_TRUE(report.n_bifurcation == 1 && report.has_branched);
    for (int i = 0; i < path->n; i++) {
        CHECK_TRUE(path->n_negative[i] == -1 || path->load[i] == 0.0);
        if (path->kind[i] == ELV_POINT_BIFURCATION) {
            CHECK_NEAR(path->load[i], exact, 1e-9);
            // (2 - P) theta_1 = (1 - P/4) theta_2, velocities relative: theta_2 - theta_1 second
            double ratio = (2.0 - exact) / (1.0 - 0.25 * exact) - 1.0;
            CHECK_NEAR(path->null_vector[i][1] / path->null_vector[i][0], ratio, 1e-7);
        }
    }
    free(path);
    case_close(&c);
}

// ---- ends and errors

static bool stop_at_three(void* user,
                          const ElvModel* model,
                          ElvData* data,
                          const ElvState* state,
                          const ElvContinuationPoint* point) {
    (void)model;
    (void)data;
    (void)state;
    (void)point;
    int* n = user;
    return ++*n < 3;
}

static void test_ends(void** unused) {
    (void)unused;
    ElvError error;
    ElvContinuationReport report;
    ModelCase c = open_example("euler-buckling", NULL);
    ElvContinuationOptions options = elv_continuation_options_default(c.model);
    int n = 0;
    options.record = stop_at_three;
    options.user = &n;
    CHECK_TRUE(elv_statics_continue(c.model, c.state, &options, &report, &error) ==
               ELV_ERROR_CANCELLED);
    CHECK_TRUE(n == 3 && report.n_point == 3);
    options.record = NULL;
    options.max_points = 5;
    CHECK_STATUS(elv_statics_continue(c.model, c.state, &options, &report, &error), &error);
    CHECK_TRUE(report.end == ELV_CONTINUATION_POINTS && report.n_point == 5);
    options.method.n_load = 0;
    CHECK_TRUE(elv_statics_continue(c.model, c.state, &options, &report, &error) ==
               ELV_ERROR_INPUT);
    CHECK_TRUE(strstr(error.message, "loads") != NULL);
    static const double same[] = {1.0, 1.0};
    options.method.load = same;
    options.method.n_load = 2;
    CHECK_TRUE(elv_statics_continue(c.model, c.state, &options, &report, &error) ==
               ELV_ERROR_INPUT);
    case_close(&c);
}

static void check_refused(const ModelCase* c, ElvContinuationOptions options, const char* field) {
    ElvError error;
    ElvContinuationReport report;
    CHECK_TRUE(elv_statics_continue(c->model, c->state, &options, &report, &error) ==
               ELV_ERROR_INPUT);
    assert_string_equal(error.field, field);
    CHECK_TRUE(report.n_point == 0 && report.end == ELV_CONTINUATION_LOST);
}

static void test_options(void** unused) {
    (void)unused;
    ModelCase c = open_example("euler-buckling", NULL);
    ElvContinuationOptions good = elv_continuation_options_default(c.model);
    static const double bad[] = {0.0, -1.0, NAN, INFINITY};
    for (int i = 0; i < 4; i++) {
        ElvContinuationOptions options = good;
        options.max_step = bad[i];
        check_refused(&c, options, "max_step");
    }
    ElvContinuationOptions options = good;
    options.max_points = 0;
    check_refused(&c, options, "max_points");
    options = good;
    options.branch = 2;
    check_refused(&c, options, "branch");
    options = good;
    options.branch = -1;
    options.branch_at = 0;
    check_refused(&c, options, "branch_at");
    // a step so small that its halves are zero ends as a lost path, or at max_points
    ElvError error;
    ElvContinuationReport report;
    options = good;
    options.max_step = 1e-310;
    options.max_points = 3;
    ElvStatus status = elv_statics_continue(c.model, c.state, &options, &report, &error);
    CHECK_TRUE(status == (report.end == ELV_CONTINUATION_LOST ? ELV_ERROR_NUMERIC : ELV_OK));
    CHECK_TRUE(report.n_point <= 3);
    case_close(&c);
}

// a column on two driven hubs, the first components: the null vector is zero there and bends the column
static void test_driven_hubs(void** unused) {
    (void)unused;
    ElvContinuationReport report;
    ModelCase c = case_open(
        "tree:\n"
        "  - {body: low, joint: {revolute: {axis: x, motion: 0}}, mass: 1, inertia: [1, 1, 1]}\n"
        "  - {body: high, parent: low, joint: {prismatic: {axis: x, motion: 0}}, mass: 1}\n"
        "  - {body: bar, parent: high, joint: {revolute: {axis: y, stiffness: 2}}, mass: 1,\n"
        "     center: [0.5, 0, 0], inertia: [0.1, 0.1, 0.1]}\n"
        "frames:\n"
        "  - {name: top, on: bar, pose: {xyz: [1, 0, 0]}}\n"
        "loads:\n"
        "  - {force: [\"-t\", 0, 0], at: top}\n"
        "statics: {loads: [0, 3]}\n");
    Path* path = follow(&c, "top", 0, &report);
    CHECK_TRUE(report.n_bifurcation == 1);
    for (int i = 0; i < path->n; i++) {
        if (path->kind[i] == ELV_POINT_BIFURCATION) {
            // k = P L, and unit modal mass with m/4 + I = 0.35
            CHECK_NEAR(path->load[i], 2.0, 1e-9);
            CHECK_NEAR(path->null_vector[i][0], 0.0, 0.0);
            CHECK_NEAR(path->null_vector[i][1], 0.0, 0.0);
            CHECK_NEAR(path->null_vector[i][2], 1.0 / sqrt(0.35), 1e-9);
        }
    }
    free(path);
    case_close(&c);
}

// a column pressed by a cable from its tip to its foot: the load leads through the foot, pi^2 EI / L^2
static void test_cable_column(void** unused) {
    (void)unused;
    ElvContinuationReport report;
    double EI = 1e7 * PI * pow(0.01, 4.0) / 64.0;
    double critical = PI * PI * EI / (0.5 * 0.5);
    ModelCase c = case_open(
        "tree:\n"
        "  - {rod: rod, length: 0.5, section: {circle: {diameter: 0.01}},\n"
        "     material: {density: 1000, young: 1e7}, strain: {bend_y: 10}, basis: legendre}\n"
        "actuators:\n"
        "  - {tendon: cable, path: [{at: world}, {at: rod.tip}], tension: t}\n"
        "statics: {loads: [%.17g, %.17g], tolerance: 1e-12}\n",
        0.3 * critical, 1.5 * critical);
    Path* path = follow(&c, "rod.tip", 0, &report);
    CHECK_TRUE(report.end == ELV_CONTINUATION_DONE && report.n_bifurcation == 1);
    for (int i = 0; i < path->n; i++) {
        if (path->kind[i] == ELV_POINT_BIFURCATION) {
            CHECK_NEAR(path->load[i], critical, 1e-9 * critical);
        }
        CHECK_TRUE(path->kind[i] != ELV_POINT_REGULAR ||
                   path->n_negative[i] == (path->load[i] > critical ? 1 : 0));
    }
    // the force of the cable, an unknown, at the last load: towards the tip
    CHECK_NEAR(c.state->z[0], 1.5 * critical, 1e-9 * critical);
    free(path);
    case_close(&c);
}

// paths of arms with tendons end where the equilibria of statics are
static void test_tendon_arms(void** unused) {
    (void)unused;
    static const char* const tendon[] = {
        "{tendon: a, path: {rod: rod, y: 0.006}, tension: \"200*t\"}",
        ("{tendon: a, path: [{at: world, point: [0, 0.05, 0]}, {rod: rod, from: 0.5, y: 0.006}],\n"
         "     tension: \"20*t\", friction: 0.2}"),
        "{tendon: a, path: {rod: rod, y: 0.006}, pull: t}",
        "{tendon: a, path: {rod: rod, y: 0.006}, pull: t, stiffness: 400}"};
    for (size_t k = 0; k < sizeof tendon / sizeof tendon[0]; k++) {
        ElvError error;
        ElvState* state = NULL;
        ElvContinuationReport report;
        ModelCase c = case_open("tree:\n"
                                "  - {rod: rod, length: 0.4, section: {circle: {radius: 0.01}}, "
                                "material: {density: 1100,\n"
                                "     young: 2e6}, strain: {bend_y: 3, bend_z: 3, stretch: 2}}\n"
                                "actuators:\n  - %s\n"
                                "loads:\n  - {force: [0, -0.01, 0.02], at: rod.tip}\n"
                                "statics: {loads: [0.001, 0.01], tolerance: 1e-11}\n",
                                tendon[k]);
        Path* path = follow(&c, "rod.tip", 0, &report);
        CHECK_TRUE(report.end == ELV_CONTINUATION_DONE);
        CHECK_TRUE(report.n_limit == 0 && report.n_bifurcation == 0);
        CHECK_TRUE(path->stability[path->n - 1] > 0.0);
        CHECK_STATUS(elv_state_create(c.model, &state, &error), &error);
        ElvStaticsDef options = elv_model_statics(c.model);
        CHECK_STATUS(elv_statics_solve(c.model, state, 0.001, &options, NULL, &error), &error);
        CHECK_STATUS(elv_statics_solve(c.model, state, 0.01, &options, NULL, &error), &error);
        CHECK_ARRAY_NEAR(c.state->q, state->q, (size_t)state->nq, 1e-8);
        CHECK_ARRAY_NEAR(c.state->z, state->z, (size_t)state->nz, 1e-8);
        elv_state_free(state);
        free(path);
        case_close(&c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bent_column),
        cmocka_unit_test(test_critical_loads),
        cmocka_unit_test(test_lateral_buckling),
        cmocka_unit_test(test_snap_through),
        cmocka_unit_test(test_motor),
        cmocka_unit_test(test_follower_divergence),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_driven_hubs),
        cmocka_unit_test(test_cable_column),
        cmocka_unit_test(test_tendon_arms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
