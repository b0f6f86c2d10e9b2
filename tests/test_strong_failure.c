// SPDX-License-Identifier: Apache-2.0
// Methods without modes that find no solution say which failure it is, keep what there was before, and foretell the step
// below which shots fail: dt_c = chi l^2 (rho A/EI)^(1/2), where variations grow by exp(20) over a segment.
#include "finite_case.h"

#include "elver/strong.h"

static const double LENGTH = 0.4, YOUNG = 2.07e9, RADIUS = 1e-3, DENSITY = 8000.0;

// a rod that bends in a plane, under a force at its tip
static const char ROD[] =
    "tree:\n"
    "  - {rod: rod, length: 0.4, section: {circle: {radius: 1e-3}}, strain: {bend_z: 5},\n"
    "     material: {density: 8000, young: 2.07e9, poisson: 0.3}}\n"
    "loads: [{force: [0, \"%s\", 0], at: rod.tip}]\n";

static const char WEAK[] =
    "tree:\n"
    "  - {rod: rod, length: 1, stiffness: [1, %g, %g, 1, 1, 1], inertia: [1e-3, 1e-3, 1e-3, 1, 1, "
    "1],\n"
    "     strain: {kirchhoff: 3}}\n"
    "loads: [{force: [0, \"0.1*t\", 0], at: rod.tip}]\n";

static const ElvMethod METHODS[] = {ELV_METHOD_SHOOTING, ELV_METHOD_RKMK, ELV_METHOD_TILL};

enum { N_METHOD = 3 };

static ElvSimulateDef method_of(ElvMethod method, double step, int segments) {
    ElvSimulateDef def = finite_method(method, step, 81, 2, ELV_RUNGE_RK4, ELV_HISTORY_CUBIC);
    def.shooting.segments = segments;
    return def;
}

// what there is of a run is finite, starts at the start and ends with the last good state
static void check_kept(const FinitePath* path, double t_last) {
    CHECK_TRUE(path->n > 0);
    CHECK_NEAR(path->t[0], 0.0, 0.0);
    CHECK_NEAR(path->t[path->n - 1], t_last, 1e-12);
    for (int i = 0; i < path->n; i++) {
        CHECK_TRUE(isfinite(path->p[i].x + path->p[i].y + path->p[i].z + path->energy[i]));
    }
}

static void
check_end(const FinitePath* path, ElvStatus status, ElvShotEnd end, const char* suggestion) {
    if (path->status != status || path->report.strong.end != end ||
        !strstr(path->error.message, suggestion)) {
        fail_msg("status %d, end %d: %s", (int)path->status, (int)path->report.strong.end,
                 path->error.message);
    }
    CHECK_TRUE(strcmp(path->error.element, "rod") == 0);
}

// ---- the critical step

static void test_critical_step_is_that_of_the_growth(void** state) {
    (void)state;
    ModelCase c = case_open(ROD, "0.1");
    ElvError error;
    double unit = LENGTH * LENGTH * sqrt(4.0 * DENSITY / (YOUNG * RADIUS * RADIUS));
    for (int i = 0; i < N_METHOD; i++) {
        // l (b rho A/EI)^(1/4)/2^(1/2) = 20 n, with b = 4/dt^2 (Newmark) or (3/2)^2/dt^2 (BDF2)
        double root = METHODS[i] == ELV_METHOD_SHOOTING ? 2.0 : 1.5;
        for (int n = 1; n <= (i == 0 ? 4 : 1); n *= 2) {
            ElvSimulateDef def = method_of(METHODS[i], 0.01, n);
            double step = 0.0;
            CHECK_STATUS(elv_shoot_critical_step(c.model, &def, &step, &error), &error);
            CHECK_NEAR(step, root * unit / (800.0 * n * n), 2e-3 * step);
        }
    }
    case_close(&c);
}

static void test_steps_below_the_critical_one_are_told(void** state) {
    (void)state;
    static const char* const HELP[] = {"simulate.segments: ", "method shooting with segments",
                                       "method shooting with segments"};
    for (int i = 0; i < N_METHOD; i++) {
        ModelCase c = case_open(ROD, "if(t < 0.002, 0, 0.2)");
        // a twentieth of it
        ElvSimulateDef def = method_of(METHODS[i], 1e-4, 1);
        def.shooting.segments = 1;
        FinitePath* path = finite_run(&c, "rod.tip", &def, 1e-3, 0.1);
        check_end(path, ELV_ERROR_STEP, ELV_SHOT_STEP, HELP[i]);
        CHECK_TRUE(path->report.strong.critical_step > 10.0 * 1e-4);
        // at rest nothing grows
        CHECK_TRUE(path->t[path->n - 1] >= 0.002 - 1e-12);
        check_kept(path, path->t[path->n - 1]);
        CHECK_TRUE(path->report.n_step > 0);
        free(path);
        case_close(&c);
    }
}

// the segments that a message suggests do
static void test_suggested_segments_help(void** state) {
    (void)state;
    ModelCase c = case_open(ROD, "0.2*smooth(t, 0, 0.01)");
    ElvSimulateDef def = method_of(ELV_METHOD_SHOOTING, 1e-4, 1);
    FinitePath* path = finite_run(&c, "rod.tip", &def, 1e-3, 5e-3);
    check_end(path, ELV_ERROR_STEP, ELV_SHOT_STEP, "more segments (simulate.segments: ");
    const char* number = strstr(path->error.message, "simulate.segments: ");
    def.shooting.segments = atoi(number + strlen("simulate.segments: "));
    CHECK_TRUE(def.shooting.segments > 1 && def.shooting.segments <= 8);
    free(path);
    path = finite_run(&c, "rod.tip", &def, 1e-3, 5e-3);
    CHECK_STATUS(path->status, &path->error);
    CHECK_TRUE(path->report.strong.end == ELV_SHOT_FOUND);
    CHECK_TRUE(path->report.strong.critical_step < 1e-4);
    free(path);
    case_close(&c);
}

// ---- other failures

// a blow that no shot survives, after five good steps: those of shooting run away, those of finite differences end far off
static void test_divergence_keeps_what_was_before(void** state) {
    (void)state;
    static const ElvShotEnd END[] = {ELV_SHOT_DIVERGED, ELV_SHOT_UNSOLVED, ELV_SHOT_UNSOLVED};
    for (int i = 0; i < N_METHOD; i++) {
        ModelCase c = case_open(ROD, "if(t < 0.05, 0.01, 1e9)");
        ElvSimulateDef def = method_of(METHODS[i], 0.01, 10);
        FinitePath* path = finite_run(&c, "rod.tip", &def, 0.01, 0.1);
        check_end(path, ELV_ERROR_STEP, END[i], "a method with modes");
        check_kept(path, 0.05);
        CHECK_TRUE(path->n == 6 && path->report.n_step == 5);
        free(path);
        case_close(&c);
    }
}

static void test_a_limit_of_iterations_is_told(void** state) {
    (void)state;
    ModelCase c = case_open(ROD, "if(t < 0.05, 0.01, 0.4)");
    ElvSimulateDef def = method_of(ELV_METHOD_SHOOTING, 0.01, 10);
    def.max_iterations = 1;
    def.newton_tol = 1e-11;
    FinitePath* path = finite_run(&c, "rod.tip", &def, 0.01, 0.1);
    check_end(path, ELV_ERROR_STEP, ELV_SHOT_UNSOLVED, "a method with modes");
    check_kept(path, path->t[path->n - 1]);
    free(path);
    case_close(&c);
}

// H_r = 0, and so small that shots could not be followed
static void test_no_stiffness_is_singular(void** state) {
    (void)state;
    static const double STIFFNESS[] = {0.0, 1e-12, 1e-30, 1e-200};
    for (int k = 0; k < 4; k++) {
        ModelCase c = case_open(WEAK, STIFFNESS[k], STIFFNESS[k]);
        for (int i = 0; i < N_METHOD; i++) {
            ElvSimulateDef def = method_of(METHODS[i], 0.01, 10);
            FinitePath* path = finite_run(&c, "rod.tip", &def, 0.01, 0.1);
            check_end(path, ELV_ERROR_SINGULAR, ELV_SHOT_SINGULAR, "resists");
            CHECK_TRUE(path->n <= 1);
            free(path);
        }
        case_close(&c);
    }
    // where some step of the run would do, it is the step that is too short
    ModelCase c = case_open(WEAK, 1e-9, 1e-9);
    for (int i = 0; i < N_METHOD; i++) {
        ElvSimulateDef def = method_of(METHODS[i], 0.01, 10);
        FinitePath* path = finite_run(&c, "rod.tip", &def, 0.01, 0.1);
        check_end(path, ELV_ERROR_STEP, ELV_SHOT_STEP, "longer steps");
        free(path);
    }
    case_close(&c);
    // where it is small but bears, there is a motion
    c = case_open(WEAK, 1e-3, 1e-3);
    ElvSimulateDef def = method_of(ELV_METHOD_SHOOTING, 0.01, 10);
    FinitePath* path = finite_run(&c, "rod.tip", &def, 0.01, 0.1);
    CHECK_STATUS(path->status, &path->error);
    free(path);
    case_close(&c);
}

// half a rod without stiffness: the message has the station
static void test_the_weak_section_is_named(void** state) {
    (void)state;
    ModelCase c = case_open("tree:\n"
                            "  - {rod: rod, length: 1, stiffness: [1, 1, \"if(s < 0.5, 1, 0)\", 1, "
                            "1, 1], inertia: [1, 1, 1, 1, 1, 1], strain: {bend_z: 3}}\n");
    for (int i = 0; i < N_METHOD; i++) {
        ElvSimulateDef def = method_of(METHODS[i], 0.01, 4);
        FinitePath* path = finite_run(&c, "rod.tip", &def, 0.01, 0.02);
        check_end(path, ELV_ERROR_SINGULAR, ELV_SHOT_SINGULAR, "s = 0.5");
        free(path);
    }
    case_close(&c);
}

// ---- statics

static void check_statics(
    ElvShooting* shooting, double t, ElvStatus status, ElvShotEnd end, const char* suggestion) {
    ElvError error;
    ElvStatus found = elv_shoot_statics(shooting, t, &error);
    ElvShootReport report = elv_shoot_report(shooting);
    if (found != status || report.end != end ||
        (status != ELV_OK && !strstr(error.message, suggestion))) {
        fail_msg("status %d, end %d: %s", (int)found, (int)report.end, error.message);
    }
    CHECK_TRUE(isfinite(report.space_error));
}

static ElvShooting* shoot(const ElvModel* model, double space_tol, int max_iterations) {
    ElvStaticsDef def = elv_statics_def_default();
    ElvShooting* shooting = NULL;
    ElvError error;
    def.method = ELV_STATICS_SHOOTING;
    def.shooting.space_tol = space_tol;
    def.max_iterations = max_iterations;
    CHECK_STATUS(elv_shoot_create(model, &def, &shooting, &error), &error);
    return shooting;
}

static void test_statics_tell_the_same(void** state) {
    (void)state;
    ModelCase c = case_open(ROD, "t");
    // the last equilibrium stays
    ElvShooting* shooting = shoot(c.model, 1e-10, 2);
    check_statics(shooting, 0.001, ELV_OK, ELV_SHOT_FOUND, "");
    ElvPose before, after;
    elv_shoot_section(shooting, 0, 1.0, &before, NULL, NULL);
    check_statics(shooting, 1e3, ELV_ERROR_NUMERIC, ELV_SHOT_UNSOLVED, "statics.segments: 4");
    elv_shoot_section(shooting, 0, 1.0, &after, NULL, NULL);
    CHECK_ARRAY_NEAR(&after.p.x, &before.p.x, 3, 1e-15);
    elv_shoot_free(shooting);
    shooting = shoot(c.model, 1e-18, 30);
    check_statics(shooting, 0.3, ELV_ERROR_NUMERIC, ELV_SHOT_INACCURATE, "statics.space_tol");
    elv_shoot_free(shooting);
    case_close(&c);
    static const double STIFFNESS[] = {0.0, 1e-15, 1e-30, 1e-200};
    for (int k = 0; k < 4; k++) {
        c = case_open(WEAK, STIFFNESS[k], STIFFNESS[k]);
        shooting = shoot(c.model, 1e-10, 30);
        check_statics(shooting, 1.0, ELV_ERROR_SINGULAR, ELV_SHOT_SINGULAR, "resists");
        elv_shoot_free(shooting);
        case_close(&c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_critical_step_is_that_of_the_growth),
        cmocka_unit_test(test_steps_below_the_critical_one_are_told),
        cmocka_unit_test(test_suggested_segments_help),
        cmocka_unit_test(test_divergence_keeps_what_was_before),
        cmocka_unit_test(test_a_limit_of_iterations_is_told),
        cmocka_unit_test(test_no_stiffness_is_singular),
        cmocka_unit_test(test_the_weak_section_is_named),
        cmocka_unit_test(test_statics_tell_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
