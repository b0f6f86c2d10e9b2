// SPDX-License-Identifier: Apache-2.0
// Paths of equilibria of closed robots. Columns held at both ends: their critical loads, the bent shapes and the
// place where their ends meet against elliptic integrals, the reaction against the balance of moments, in the plane
// and in space, where they turn about their axis for nothing. A truss of two bars and its limit load; two bars under
// a load without potential.
#include "path_case.h"

#include "beam_roots.h"
#include "elastica.h"

static const double PI = 3.14159265358979323846;

// clamped columns that bend to both sides: tan u = u
static double both_sides(const void* beam, double u) {
    (void)beam;
    return sin(u) - u * cos(u);
}

// load at which the ends of a bent column meet
static double load_of_meeting(void) {
    double low = 1.1;
    double high = 4.0;
    for (int i = 0; i < 100; i++) {
        double middle = 0.5 * (low + high);
        double x = 0.0;
        double y = 0.0;
        elastica(middle, &x, &y);
        low = x > 0.0 ? middle : low;
        high = x > 0.0 ? high : middle;
    }
    return low;
}

// ---- critical loads

static void check_critical(const char* name, const char* loads, const double* exact, int n) {
    ModelCase c = open_example(name, loads);
    ElvContinuationReport report;
    Path* path = follow(&c, "column.tip", 0, &report);
    CHECK_TRUE(report.n_bifurcation == n && report.n_limit == 0 && !report.has_branched);
    int n_found = 0;
    for (int i = 0; i < path->n; i++) {
        CHECK_NEAR(path->place[i].x, 1.0, 1e-12);
        CHECK_NEAR(path->place[i].y, 0.0, 1e-12);
        if (path->kind[i] == ELV_POINT_BIFURCATION) {
            CHECK_NEAR(path->load[i], exact[n_found], 1e-6 * exact[n_found]);
            n_found++;
        } else {
            CHECK_TRUE(path->n_negative[i] == n_found);
            CHECK_TRUE((path->stability[i] > 0.0) == (n_found == 0));
        }
    }
    free(path);
    case_close(&c);
}

static void test_critical_loads(void** unused) {
    (void)unused;
    static const double pinned[] = {1.0, 4.0, 9.0, 16.0};
    check_critical("column-pinned", "[0, 20]", pinned, 4);
    double u[2];
    for (int i = 0; i < 2; i++) {
        u[i] = beam_root(both_sides, NULL, 1.0, 0.1, i) / PI;
    }
    const double clamped[] = {1.0, u[0] * u[0], 4.0, u[1] * u[1], 9.0};
    check_critical("column-clamped", "[0, 10]", clamped, 5);
}

// ---- bent columns

static double bent_side(double y, double* side) {
    *side = *side == 0.0 && fabs(y) > 1e-6 ? copysign(1.0, y) : *side;
    return *side;
}

// the head and the middle along a branch
static void check_branch(const char* name, int branch, double* side) {
    ElvContinuationReport report;
    ModelCase c = open_example(name, NULL);
    ModelCase other = open_example(name, NULL);
    Path* head = follow(&c, "column.tip", branch, &report);
    Path* middle = follow(&other, "column.at(0.5)", branch, &report);
    CHECK_TRUE(report.end == ELV_CONTINUATION_DONE && report.has_branched);
    CHECK_TRUE(report.n_bifurcation == 2 && report.n_limit == 0);
    double meeting = load_of_meeting();
    for (int i = 0; i < head->n; i++) {
        double x = 0.0;
        double y = 0.0;
        bool is_early = head->load[i] < meeting - 1e-4;
        if (!head->is_branch[i]) {
            continue;
        }
        elastica(head->load[i], &x, &y);
        CHECK_NEAR(head->place[i].x, x, 1e-5);
        CHECK_NEAR(head->place[i].y, 0.0, 1e-12);
        CHECK_NEAR(middle->place[i].y, bent_side(middle->place[i].y, side) * 0.5 * y, 1e-5);
        CHECK_NEAR(middle->place[i].x, 0.5 * x, 1e-5);
        if (head->kind[i] == ELV_POINT_BIFURCATION) {
            // found as well as rounding along the null vector allows
            CHECK_NEAR(head->load[i], meeting, 1e-5);
            CHECK_NEAR(head->place[i].x, 0.0, 1e-5);
        } else {
            CHECK_TRUE(head->n_negative[i] == (is_early ? 0 : 1));
        }
    }
    CHECK_NEAR(head->load[head->n - 1], 3.0, 0.0);
    free(head);
    free(middle);
    case_close(&c);
    case_close(&other);
}

static void test_bent_columns(void** unused) {
    (void)unused;
    static const char* const name[] = {"column-pinned", "column-clamped"};
    for (int k = 0; k < 2; k++) {
        double side[2] = {0.0, 0.0};
        check_branch(name[k], 1, &side[0]);
        check_branch(name[k], -1, &side[1]);
        CHECK_TRUE(side[0] * side[1] == -1.0);
    }
}

// the guide of a clamped column: no force, and the moment of the load about the bends, halfway up
static void test_reaction(void** unused) {
    (void)unused;
    static const char* const names[] = {"loop.guide.wrench", "column.at(0.5).position.y"};
    ElvError error;
    ElvContinuationReport report;
    ElvSignals* signals = NULL;
    ModelCase c = open_example("column-clamped", NULL);
    Path* path = follow(&c, "column.tip", 1, &report);
    double value[7];
    double x = 0.0;
    double y = 0.0;
    CHECK_STATUS(elv_signals_create(c.model, names, 2, &signals, &error), &error);
    elv_idm(c.model, c.data, c.state, c.state->aux);
    elv_signals_eval(signals, c.model, c.data, c.state, value);
    elastica(3.0, &x, &y);
    double force = 3.0 * 4.0 * PI * PI * 1e8 * PI * 1e-8 / 64.0;
    CHECK_NEAR(value[2], force * 0.25 * y * copysign(1.0, value[6]), 1e-5 * force);
    const double rest[] = {value[0], value[1], value[3], value[4], value[5]};
    CHECK_NEAR(largest(rest, 5), 0.0, 1e-9 * force);
    elv_signals_free(signals);
    free(path);
    case_close(&c);
}

// ---- equilibria without a path

static ElvStaticsReport solve(ModelCase* c, double t) {
    ElvError error;
    ElvStaticsReport report;
    ElvStaticsDef options = elv_model_statics(c->model);
    CHECK_STATUS(elv_statics_solve(c->model, c->state, t, &options, &report, &error), &error);
    return report;
}

static void test_statics(void** unused) {
    (void)unused;
    ModelCase c = open_example("column-pinned", NULL);
    CHECK_TRUE(solve(&c, 0.5).stability == ELV_STABILITY_STABLE);
    CHECK_TRUE(solve(&c, 1.5).stability == ELV_STABILITY_UNSTABLE);
    case_close(&c);
    // from a bent shape, whose loop is open
    c = open_example("column-pinned", NULL);
    c.state->q[0] = 0.4;
    c.state->q[1] = -0.8;
    CHECK_TRUE(solve(&c, 1.5).stability == ELV_STABILITY_STABLE);
    double x = 0.0;
    double y = 0.0;
    elastica(1.5, &x, &y);
    CHECK_NEAR(case_pose(&c, "column.tip").p.x, x, 1e-5);
    CHECK_NEAR(fabs(case_pose(&c, "column.at(0.5)").p.y), 0.5 * y, 1e-5);
    case_close(&c);
}

// ---- in space: to any side, and about its axis

static const char spatial[] =
    "parameters: {d: 0.01, E: 1e8, critical: \"pi^2*E*pi*d^4/64\"}\n"
    "tree:\n"
    "  - {rod: column, joint: {universal: {axis: y, axis2: z}}, length: 1, section: {circle: "
    "{diameter: \"d\"}},\n"
    "     material: {density: 1000, young: \"E\", poisson: 0.3},\n"
    "     strain: {bend_z: 12, bend_y: 12, twist: 2}}\n"
    "  - {body: block, pose: {xyz: [1, 0, 0]}, joint: {prismatic: {axis: x}}, mass: 0.01}\n"
    "frames:\n"
    "  - {name: middle, on: column.at(0.5)}\n"
    "loops:\n"
    "  - {loop: ball, joint: spherical, between: [block, column.tip]}\n"
    "loads:\n"
    "  - {force: [\"-t*critical\", 0, 0], at: block}\n"
    "statics: {loads: [0, %g]}\n";

static void test_spatial_column(void** unused) {
    (void)unused;
    static const double exact[] = {1.0, 1.0, 4.0, 4.0};
    ElvContinuationReport report;
    ModelCase c = case_open(spatial, 5.0);
    Path* path = follow(&c, "column.tip", 0, &report);
    CHECK_TRUE(report.n_bifurcation == 4 && report.n_limit == 0);
    int n_found = 0;
    for (int i = 0; i < path->n; i++) {
        if (path->kind[i] == ELV_POINT_BIFURCATION) {
            CHECK_NEAR(path->load[i], exact[n_found], 1e-6 * exact[n_found]);
            n_found++;
        } else {
            CHECK_TRUE(path->n_negative[i] == n_found);
        }
    }
    free(path);
    case_close(&c);
}

static void test_spatial_branch(void** unused) {
    (void)unused;
    ElvContinuationReport report;
    ModelCase c = case_open(spatial, 2.0);
    Path* path = follow(&c, "middle", 1, &report);
    CHECK_TRUE(report.end == ELV_CONTINUATION_DONE && report.n_bifurcation == 1);
    for (int i = 0; i < path->n; i++) {
        double x = 0.0;
        double y = 0.0;
        if (path->is_branch[i]) {
            elastica(path->load[i], &x, &y);
            CHECK_NEAR(path->place[i].x, 0.5 * x, 3e-5);
            CHECK_NEAR(hypot(path->place[i].y, path->place[i].z), 0.5 * y, 3e-5);
            CHECK_TRUE(path->n_negative[i] == 0);
        }
    }
    ElvError error;
    ElvStabilityReport stability;
    CHECK_STATUS(elv_stability(c.model, c.state, &stability, &error), &error);
    CHECK_TRUE(stability.is_conservative && stability.stability == ELV_STABILITY_UNKNOWN);
    CHECK_TRUE(stability.n_negative == 0);
    free(path);
    case_close(&c);
}

// ---- limit points and loads without potential

// two springs that meet at the height h over their feet, 2 b apart: P = 2 k (L_0 - L) h / L, largest where
// L^3 = L_0 b^2
static void test_truss(void** unused) {
    (void)unused;
    static const char* const spring =
        "  - {body: %s, pose: {xyz: [%g, 0, 0]}, joint: {revolute: {axis: z, position: %.17g}},\n"
        "     mass: 0.1, inertia: [1e-3, 1e-3, 1e-3]}\n"
        "  - {body: %s_bar, parent: %s, mass: 0.1, inertia: [1e-3, 1e-3, 1e-3],\n"
        "     joint: {prismatic: {axis: x, position: %.17g, rest: %.17g, stiffness: 100}}}\n";
    char bar[2][1024];
    double height = 0.4;
    double rest = hypot(1.0, height);
    double angle = atan(height);
    snprintf(bar[0], sizeof bar[0], spring, "left", -1.0, angle, "left", "left", rest, rest);
    snprintf(bar[1], sizeof bar[1], spring, "right", 1.0, PI - angle, "right", "right", rest, rest);
    ModelCase c =
        case_open("tree:\n%s%s"
                  "loops:\n  - {loop: top, joint: revolute, between: [left_bar, right_bar]}\n"
                  "loads:\n  - {force: [0, \"-t\", 0], at: left_bar}\n"
                  "statics: {loads: [0, 30]}\n",
                  bar[0], bar[1]);
    ElvContinuationReport report;
    Path* path = follow(&c, "left_bar", 0, &report);
    double length = cbrt(rest);
    double low = sqrt(length * length - 1.0);
    CHECK_TRUE(report.end == ELV_CONTINUATION_BACK && report.n_limit == 1);
    CHECK_TRUE(report.n_bifurcation == 0);
    for (int i = 0; i < path->n; i++) {
        double h = path->place[i].y;
        CHECK_NEAR(path->place[i].x, 0.0, 1e-9);
        CHECK_NEAR(path->load[i], 200.0 * (rest / hypot(1.0, h) - 1.0) * h, 1e-8);
        if (path->kind[i] == ELV_POINT_LIMIT) {
            CHECK_NEAR(path->load[i], 200.0 * (rest - length) * low / length, 1e-9);
            CHECK_NEAR(h, low, 1e-6);
        } else {
            CHECK_TRUE(path->n_negative[i] == (h > low ? 0 : 1));
        }
    }
    free(path);
    case_close(&c);
}

// two bars, hinged by a loop, a quarter of the load follows: det K = 1 - 9/4 P + 3/4 P^2
static void test_follower(void** unused) {
    (void)unused;
    ModelCase c = case_open(
        "tree:\n"
        "  - {body: low, joint: {revolute: {axis: z, stiffness: 1}}, mass: 1, center: [0.5, 0, "
        "0],\n"
        "     inertia: [0.1, 0.1, 0.1]}\n"
        "  - {body: high, pose: {xyz: [1, 0, 0]}, mass: 1, center: [0.5, 0, 0],\n"
        "     joint: {planar: {axis: z}}, inertia: [0.1, 0.1, 0.1]}\n"
        "frames:\n"
        "  - {name: knee, on: low, pose: {xyz: [1, 0, 0]}}\n"
        "  - {name: top, on: high, pose: {xyz: [1, 0, 0]}}\n"
        "loops:\n"
        "  - {loop: hinge, joint: {revolute: {axis: z, stiffness: 1}}, between: [knee, high]}\n"
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
            // (2 - P) theta_1 = (1 - P/4) theta_2
            double ratio = (2.0 - exact) / (1.0 - 0.25 * exact);
            CHECK_NEAR(path->null_vector[i][1] / path->null_vector[i][0], ratio, 1e-7);
        }
    }
    free(path);
    case_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_critical_loads), cmocka_unit_test(test_bent_columns),
        cmocka_unit_test(test_reaction),       cmocka_unit_test(test_statics),
        cmocka_unit_test(test_spatial_column), cmocka_unit_test(test_spatial_branch),
        cmocka_unit_test(test_truss),          cmocka_unit_test(test_follower),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
