// SPDX-License-Identifier: Apache-2.0
// Shooting in time against the modal method with the same formula and step: both take strains for unknowns, so that with
// many modes the modal path must come to the one of shooting. Modes and shooting start from the same fields, for
// what a step in time makes of a start depends on its accelerations.
#include "finite_case.h"

#include "elver/statics.h"
#include "elver/strong.h"

#include <math.h>

static ElvSimulateDef shooting(double step, int segments) {
    ElvSimulateDef def = elv_simulate_def_default();
    def.method = ELV_METHOD_SHOOTING;
    def.step = step;
    def.shooting.segments = segments;
    return def;
}

// ---- release of a tendon robot and of a soft rod

static const char RELEASE[] = "gravity: [9.81, 0, 0]\n"
                              "tree:\n"
                              "  - {rod: rod, length: 0.4, section: {circle: {radius: 1e-3}}, "
                              "material: {density: 8000, young: %g, poisson: 0.3}, "
                              "strain: {bend_z: %d}, basis: legendre}\n"
                              "%s";
static const char TENDON[] = "actuators:\n"
                             "  - {tendon: tendon, path: {rod: rod, y: \"0.02*(1 - s)\", outside: "
                             "true}, tension: 15, strain_dependence: false}\n";
static const char PULL[] = "loads:\n"
                           "  - {force: [0, 0.4, 0], at: rod.tip}\n";

/// The fields of a start, in the coordinates of a few modes.
typedef struct {
    double q[16], a[16];
} Start;

// the equilibrium under the load, and the accelerations without it
static Start find_start(double young, int n, const char* load) {
    ModelCase loaded = case_open(RELEASE, young, n, load);
    ModelCase free_one = case_open(RELEASE, young, n, "");
    Start start = {{0.0}, {0.0}};
    ElvError error;
    ElvStaticsDef statics = elv_statics_def_default();
    CHECK_STATUS(elv_statics_solve(loaded.model, loaded.state, 0.0, &statics, NULL, &error),
                 &error);
    for (int i = 0; i < n; i++) {
        free_one.state->q[i] = start.q[i] = loaded.state->q[i];
    }
    CHECK_STATUS(elv_forward_dynamics(free_one.model, free_one.data, free_one.state, &error),
                 &error);
    for (int i = 0; i < n; i++) {
        start.a[i] = free_one.state->a[i];
    }
    case_close(&loaded);
    case_close(&free_one);
    return start;
}

// a run from a start of n modes; the modal method goes on from it as from a step
static FinitePath*
run_from(const ModelCase* c, const Start* start, int n, const ElvSimulateDef* def, double t_end) {
    FinitePath* path = calloc(1, sizeof *path);
    assert_non_null(path);
    path->tip = case_frame(c, "rod.tip");
    elv_state_reset(c->model, c->state);
    for (int i = 0; i < n; i++) {
        c->state->q[i] = start->q[i];
        c->state->a[i] = c->state->aux[i] = start->a[i];
    }
    c->state->n_calm = 3;
    c->state->step_past = def->method == ELV_METHOD_SHOOTING ? 0.0 : def->step;
    // a step before with the same acceleration all along
    for (int i = 0; i < n; i++) {
        c->state->w_past[i] = -def->step * start->a[i];
    }
    ElvSimulateOptions options = elv_simulate_options_default(c->model, c->state);
    options.method = *def;
    options.method.duration = t_end;
    options.t_end = t_end;
    options.record_every = def->step;
    options.record = finite_record;
    options.user = path;
    path->status = elv_simulate(c->model, c->state, &options, &path->report, &path->error);
    return path;
}

static double release_distance(
    double young, const char* load, int n, int n_many, ElvSimulateDef def, double t_end) {
    ModelCase few = case_open(RELEASE, young, n, "");
    ModelCase many = case_open(RELEASE, young, n_many, "");
    ElvSimulateDef modal = def;
    modal.method = def.scheme;
    modal.newton_tol = 1e-12;
    Start start = find_start(young, n, load);
    FinitePath* shot = run_from(&few, &start, n, &def, t_end);
    FinitePath* mode = run_from(&many, &start, n, &modal, t_end);
    double distance = finite_distance(shot, mode);
    print_message("shooting and %d modes: %.2e m, %.2f iterations a step\n", n_many, distance,
                  (double)shot->report.n_iteration / (double)shot->report.n_step);
    free(shot);
    free(mode);
    case_close(&few);
    case_close(&many);
    return distance;
}

static void test_release_of_a_tendon_robot(void** state) {
    (void)state;
    // [OCP] test 2: to 1e-5 m over a second; the build with sanitizers has no time for all of it
#if defined(NDEBUG)
    double t_end = 1.0;
#else
    double t_end = 0.1;
#endif
    CHECK_TRUE(release_distance(207e9, TENDON, 5, 18, shooting(1e-3, 10), t_end) < 1e-5);
}

static void test_release_of_a_soft_rod(void** state) {
    (void)state;
    double full = release_distance(2.07e9, PULL, 5, 14, shooting(1e-2, 10), 0.5);
    CHECK_TRUE(full < 1e-4);
    // without the equation of accelerations it is another formula, as near as its order makes it
    ElvSimulateDef local = shooting(1e-2, 10);
    local.has_accelerations = false;
    double other = release_distance(2.07e9, PULL, 5, 14, local, 0.5);
    CHECK_TRUE(other > 10.0 * full && other < 2e-2);
}

static void test_schemes_that_damp(void** state) {
    (void)state;
    ElvSimulateDef def = shooting(5e-3, 4);
    def.scheme = ELV_METHOD_HHT;
    def.alpha = 0.1;
    CHECK_TRUE(release_distance(2.07e9, PULL, 4, 14, def, 0.2) < 1e-4);
    def.scheme = ELV_METHOD_GENERALIZED_ALPHA;
    def.spectral_radius = 0.8;
    CHECK_TRUE(release_distance(2.07e9, PULL, 4, 14, def, 0.2) < 1e-4);
}

// ---- a free rod

static void test_flying_stick(void** state) {
    (void)state;
    static const char STICK[] =
        "tree:\n"
        "  - {rod: rod, pose: {xyz: [0, 0.8, 0], rpy: [0, 0, \"-atan2(4, 3)\"]}, joint: free, "
        "length: 1, section: {circle: {diameter: 0.1}}, material: {density: 1e3, young: 1e6, "
        "shear: 1e6}, strain: {kirchhoff: 10}}\n"
        "loads:\n"
        "  - {force: [\"2.14*triangle(t, 0, 1)\", 0, 0], torque: [0, \"-1.07*triangle(t, 0, 1)\", "
        "\"-2.14*triangle(t, 0, 1)\"], at: rod.tip}\n";
    ModelCase c = case_open(STICK);
    ElvSimulateDef modal = elv_simulate_def_default();
    modal.method = ELV_METHOD_NEWMARK;
    modal.step = 0.01;
    ElvSimulateDef def = shooting(0.01, 10);
    FinitePath* mode = finite_run(&c, "rod.tip", &modal, 0.01, 1.0);
    FinitePath* shot = finite_run(&c, "rod.tip", &def, 0.01, 1.0);
    double distance = finite_distance(shot, mode);
    print_message("flying stick: %.2e m from 10 modes\n", distance);
    CHECK_TRUE(distance < 1e-4);
    free(mode);
    free(shot);
    case_close(&c);
}

// ---- chains

static void check_chain(const char* joint, bool has_accelerations) {
    ModelCase c = case_open(FINITE_CHAIN, joint);
    ElvSimulateDef modal = elv_simulate_def_default();
    modal.method = ELV_METHOD_NEWMARK;
    modal.step = 5e-4;
    FinitePath* reference = finite_run(&c, "hand", &modal, 0.02, 0.2);
    double tip[2], effort[2];
    for (int i = 0; i < 2; i++) {
        ElvSimulateDef def = shooting(0.01 / (1 << i), 6);
        def.has_accelerations = has_accelerations;
        FinitePath* path = finite_run(&c, "hand", &def, 0.02, 0.2);
        tip[i] = finite_distance(path, reference);
        effort[i] = 0.0;
        for (int k = 0; k < path->n; k++) {
            effort[i] = fmax(effort[i], fabs(path->effort[k] - reference->effort[k]));
        }
        free(path);
    }
    print_message("%-30.30s tip %.1e %.1e m, effort %.1e %.1e\n", joint, tip[0], tip[1], effort[0],
                  effort[1]);
    // order 2, less what the modal run leaves of its own
    CHECK_TRUE(tip[1] < 2e-3 && tip[0] / tip[1] > 3.0 && tip[0] / tip[1] < 5.0);
    // a motion asks for an effort, of the same order; a law gives it
    if (strstr(joint, "motion")) {
        CHECK_TRUE(effort[0] / effort[1] > 2.8 && effort[0] / effort[1] < 5.5);
    } else {
        CHECK_TRUE(effort[0] < 1e-9);
    }
    free(reference);
    case_close(&c);
}

static void test_order_of_chains(void** state) {
    (void)state;
    check_chain("{revolute: {axis: z, motion: \"2*smooth(t, 0, 0.4)\"}}", true);
    check_chain("{revolute: {axis: y, damping: 0.05, stiffness: 1, force: \"smooth(t, 0, 0.2)\"}}",
                true);
    check_chain("free", true);
    check_chain("{revolute: {axis: z, motion: \"2*smooth(t, 0, 0.4)\"}}", false);
    check_chain("free", false);
}

// ---- limits

static void test_steps_below_the_critical_one_say_so(void** state) {
    (void)state;
    ModelCase c = case_open(RELEASE, 207e9, 5, PULL);
    ElvSimulateDef def = shooting(1e-5, 1);
    FinitePath* path = finite_run(&c, "rod.tip", &def, 1e-3, 2e-3);
    print_message("%s\n", path->error.message);
    CHECK_TRUE(path->status == ELV_ERROR_STEP);
    CHECK_TRUE(path->report.strong.end == ELV_SHOT_STEP);
    CHECK_TRUE(strstr(path->error.message, "below the critical one") != NULL);
    CHECK_TRUE(strstr(path->error.message, "more segments (simulate.segments: ") != NULL);
    CHECK_TRUE(strstr(path->error.message, "longer steps") != NULL);
    CHECK_TRUE(strcmp(path->error.element, "rod") == 0);
    free(path);
    // segments help
    def.shooting.segments = 20;
    path = finite_run(&c, "rod.tip", &def, 1e-4, 2e-4);
    CHECK_STATUS(path->status, &path->error);
    free(path);
    case_close(&c);
}

// a step that is long enough and fails for another reason does not blame its length
static void test_longer_steps_are_not_blamed(void** state) {
    (void)state;
    ModelCase c = case_open(RELEASE, 207e9, 5, PULL);
    ElvSimulateDef def = shooting(1e-2, 1);
    double least = 0.0;
    ElvError error;
    CHECK_STATUS(elv_shoot_critical_step(c.model, &def, &least, &error), &error);
    CHECK_TRUE(least < def.step);
    def.max_iterations = 1;
    FinitePath* path = finite_run(&c, "rod.tip", &def, 1e-2, 2e-2);
    CHECK_TRUE(path->status == ELV_ERROR_STEP);
    CHECK_TRUE(strstr(path->error.message, "does not converge") != NULL);
    CHECK_TRUE(strstr(path->error.message, "steps below") == NULL);
    CHECK_TRUE(strstr(path->error.message, "longer step") == NULL);
    free(path);
    case_close(&c);
}

static void test_no_stiffness_is_singular(void** state) {
    (void)state;
    ModelCase c = case_open("tree:\n"
                            "  - {rod: rod, length: 1, stiffness: [1, 0, 0, 1, 1, 1], inertia: "
                            "[1e-3, 1e-3, 1e-3, 1, 1, 1], strain: {kirchhoff: 3}}\n");
    ElvSimulateDef def = shooting(0.01, 4);
    FinitePath* path = finite_run(&c, "rod.tip", &def, 0.01, 0.02);
    CHECK_TRUE(path->status == ELV_ERROR_SINGULAR);
    CHECK_TRUE(strcmp(path->error.element, "rod") == 0);
    free(path);
    case_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_release_of_a_tendon_robot),
        cmocka_unit_test(test_release_of_a_soft_rod),
        cmocka_unit_test(test_schemes_that_damp),
        cmocka_unit_test(test_flying_stick),
        cmocka_unit_test(test_order_of_chains),
        cmocka_unit_test(test_steps_below_the_critical_one_say_so),
        cmocka_unit_test(test_longer_steps_are_not_blamed),
        cmocka_unit_test(test_no_stiffness_is_singular),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
