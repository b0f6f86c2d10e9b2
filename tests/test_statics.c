// SPDX-License-Identifier: Apache-2.0
// Equilibria of the shipped examples: the exact circle of a rolled-up beam in every basis, the beam
// under a follower force and the 45 degree bend against numbers made by an independent program
// (tests/golden), the elastica against its closed form in elliptic integrals.
#include "golden.h"
#include "model_case.h"

#include "elver/statics.h"

enum { MAX_ROW = GOLDEN_ROW, MAX_SET = 4 };

static const double PI = 3.14159265358979323846;

/// Tip positions at every load.
typedef struct {
    double load[MAX_ROW];
    ElvVec3 tip[MAX_ROW];
    ElvFrame frame;
    int n;
} Path;

static bool on_record(void* user, const ElvModel* model, ElvData* data, const ElvState* state) {
    Path* path = user;
    CHECK_TRUE(path->n < MAX_ROW);
    path->load[path->n] = state->t;
    path->tip[path->n++] = elv_frame_pose(model, data, path->frame).p;
    for (int i = 0; i < state->nv; i++) {
        CHECK_TRUE(state->v[i] == 0.0 && state->a[i] == 0.0);
    }
    return true;
}

// the path of a shipped model with some of its values changed
static Path find_path(const char* name, const char* tip, const ElvOverride* set, int n_set) {
    char file[512];
    ElvError error;
    ElvModel* model = NULL;
    ElvState* state = NULL;
    ElvStaticsReport report;
    Path path = {.n = 0};
    snprintf(file, sizeof file, "%s/models/%s.yaml", ELVER_SOURCE_DIR, name);
    CHECK_STATUS(elv_model_read_file(file, set, n_set, &model, &error), &error);
    CHECK_STATUS(elv_state_create(model, &state, &error), &error);
    CHECK_STATUS(elv_model_frame(model, tip, &path.frame, &error), &error);
    ElvStaticsOptions options = elv_statics_options_default(model);
    options.record = on_record;
    options.user = &path;
    CHECK_STATUS(elv_statics_run(model, state, &options, &report, &error), &error);
    CHECK_TRUE(report.n_load == path.n && path.n == options.method.n_load);
    CHECK_TRUE(report.last_residual <= 1e-10);
    CHECK_NEAR(state->t, options.method.load[path.n - 1], 0.0);
    elv_state_free(state);
    elv_model_free(model);
    return path;
}

// ---- the roll-up

// bent by a torque C about (0, 1, 1)/sqrt(2) into an arc of curvature C/EI, more than two turns
static void check_circle(const char* strain, const char* basis, const char* method) {
    const ElvOverride set[] = {{"rod.strain", strain},
                               {"rod.basis", basis},
                               {"statics.method", method},
                               {"statics.loads", "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]"}};
    Path path = find_path("rollup", "rod.tip", set, 4);
    double EI = 1e8 * PI * 1e-8 / 4.0;
    for (int i = 0; i < path.n; i++) {
        double kappa = path.load[i] / EI;
        double lift = (1.0 - cos(kappa)) / kappa / sqrt(2.0);
        CHECK_NEAR(path.tip[i].x, sin(kappa) / kappa, 1e-10);
        CHECK_NEAR(path.tip[i].y, lift, 1e-10);
        CHECK_NEAR(path.tip[i].z, -lift, 1e-10);
    }
}

static void test_rollup_is_a_circle_in_every_basis(void** unused) {
    (void)unused;
    check_circle("{bend_y: 5, bend_z: 5}", "monomial", "newton");
    check_circle("{bend_y: 5, bend_z: 5}", "legendre", "newton");
    check_circle("{bend_y: 5, bend_z: 5}", "chebyshev", "newton");
    check_circle("{bend_y: 3, bend_z: 3}", "piecewise_constant", "newton");
    check_circle("{bend_y: 4, bend_z: 4}", "piecewise_linear", "newton");
    check_circle("{bend_y: 6, bend_z: 6}", "hermite", "newton");
    check_circle("{bend_y: 1, bend_z: 1}", "legendre", "newton");
    // strains that stay at rest may be free too
    check_circle("{reissner: 3}", "legendre", "newton");
    check_circle("{bend_y: 5, bend_z: 5}", "monomial", "relaxation");
}

// ---- the follower force

enum { N_MODES = 5 };

static void test_follower_force(void** unused) {
    (void)unused;
    static const char* const modes[N_MODES] = {"5", "7", "9", "12", "16"};
    double golden[GOLDEN_ROW][GOLDEN_COLUMN];
    int n = golden_read("follower-force", golden);
    CHECK_TRUE(n == 13);
    for (int k = 0; k < N_MODES; k++) {
        const ElvOverride set[] = {{"rod.strain.bend_z", modes[k]}};
        Path path = find_path("follower-force", "rod.tip", set, 1);
        CHECK_TRUE(path.n == n);
        for (int i = 0; i < n; i++) {
            // both programs err by their quadrature, some 1e-10 of the length
            CHECK_NEAR(path.load[i], golden[i][0], 0.0);
            CHECK_NEAR(path.tip[i].x, golden[i][3 + 2 * k], 1e-9 * 100.0);
            CHECK_NEAR(path.tip[i].y, golden[i][4 + 2 * k], 1e-9 * 100.0);
            CHECK_NEAR(path.tip[i].z, 0.0, 1e-12);
        }
    }
    // with modes enough, the rod itself
    const ElvOverride set[] = {{"rod.strain.bend_z", "26"}};
    Path path = find_path("follower-force", "rod.tip", set, 1);
    for (int i = 0; i < n; i++) {
        CHECK_NEAR(path.tip[i].x, golden[i][1], 1e-9 * 100.0);
        CHECK_NEAR(path.tip[i].y, golden[i][2], 1e-9 * 100.0);
    }
}

// one increment from no load finds what thirteen do, and so does relaxation
static void test_path_does_not_matter(void** unused) {
    (void)unused;
    const ElvOverride at_once[] = {{"statics.loads", "[13e4]"}};
    const ElvOverride relaxed[] = {{"statics.method", "relaxation"}};
    Path steps = find_path("follower-force", "rod.tip", NULL, 0);
    Path one = find_path("follower-force", "rod.tip", at_once, 1);
    Path slow = find_path("follower-force", "rod.tip", relaxed, 1);
    CHECK_TRUE(one.n == 1 && slow.n == 13);
    CHECK_NEAR(one.tip[0].x, steps.tip[12].x, 1e-7);
    CHECK_NEAR(one.tip[0].y, steps.tip[12].y, 1e-7);
    for (int i = 0; i < 13; i++) {
        CHECK_NEAR(slow.tip[i].x, steps.tip[i].x, 1e-7);
        CHECK_NEAR(slow.tip[i].y, steps.tip[i].y, 1e-7);
    }
}

// ---- the 45 degree bend

static void test_bend45(void** unused) {
    (void)unused;
    static const char* const model[] = {"bend45", "bend45-kirchhoff", "bend45-inextensible"};
    static const char* const key[] = {"bend.strain.reissner", "bend.strain.extensible_kirchhoff",
                                      "bend.strain.kirchhoff"};
    double golden[GOLDEN_ROW][GOLDEN_COLUMN];
    int n = golden_read("bend45", golden);
    CHECK_TRUE(n == 36);
    for (int i = 0; i < n; i += 3) {
        char modes[8];
        int k = (int)golden[i][0];
        snprintf(modes, sizeof modes, "%d", (int)golden[i][1]);
        const ElvOverride set[] = {{key[k], modes}};
        Path path = find_path(model[k], "bend.tip", set, 1);
        CHECK_TRUE(path.n == 3);
        for (int j = 0; j < 3; j++) {
            // as above, against the radius of 100 m
            CHECK_NEAR(path.load[j], golden[i + j][2], 0.0);
            CHECK_NEAR(path.tip[j].x, golden[i + j][3], 1e-9 * 100.0);
            CHECK_NEAR(path.tip[j].y, golden[i + j][4], 1e-9 * 100.0);
            CHECK_NEAR(path.tip[j].z, golden[i + j][5], 1e-9 * 100.0);
        }
    }
}

// ---- the elastica: P L^2/EI = 1, 5, 10, (x, w)/L to the nine digits of its tables

static void test_elastica(void** unused) {
    (void)unused;
    static const double alpha[3] = {1.0, 5.0, 10.0};
    static const double tip[3][2] = {
        {0.943566764, 0.301720774}, {0.612371639, 0.713791524}, {0.445004402, 0.810609025}};
    ModelCase c = case_open("tree:\n"
                            "  - {rod: rod, length: 2, stiffness: [1, 1, 3, 1, 1, 1],\n"
                            "     inertia: [1, 1, 1, 1, 1, 1], strain: {bend_z: 14}}\n"
                            "loads:\n"
                            "  - {force: [0, \"t*3/4\", 0], at: rod.tip}\n");
    ElvStaticsDef options = elv_statics_def_default();
    ElvStaticsReport report;
    ElvError error;
    // up and down again: the second time from a shape beyond it
    for (int k = 0; k < 6; k++) {
        int i = k < 3 ? k : 5 - k;
        CHECK_STATUS(elv_statics_solve(c.model, c.state, alpha[i], &options, &report, &error),
                     &error);
        CHECK_NEAR(c.state->t, alpha[i], 0.0);
        ElvVec3 p = case_pose(&c, "rod.tip").p;
        CHECK_NEAR(p.x / 2.0, tip[i][0], 1e-9);
        CHECK_NEAR(p.y / 2.0, tip[i][1], 1e-9);
        CHECK_TRUE(report.stability == ELV_STABILITY_STABLE);
    }
    // sqrt(2/alpha) but for terms like exp(-sqrt(alpha)): a load that is not taken in one step, from a
    // shape that is straight but for rounding; to either side
    for (int side = -1; side <= 1; side += 2) {
        CHECK_STATUS(elv_statics_solve(c.model, c.state, 0.0, &options, &report, &error), &error);
        CHECK_STATUS(elv_statics_solve(c.model, c.state, 200.0 * side, &options, &report, &error),
                     &error);
        CHECK_TRUE(report.n_halving > 0 && report.n_increment > 2 && report.n_relaxation == 0);
        CHECK_NEAR(case_pose(&c, "rod.tip").p.x / 2.0, 0.1, 1e-6);
        CHECK_TRUE(side * case_pose(&c, "rod.tip").p.y > 0.0);
    }
    case_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rollup_is_a_circle_in_every_basis),
        cmocka_unit_test(test_follower_force),
        cmocka_unit_test(test_path_does_not_matter),
        cmocka_unit_test(test_bend45),
        cmocka_unit_test(test_elastica),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
