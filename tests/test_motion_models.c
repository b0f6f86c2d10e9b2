// SPDX-License-Identifier: Apache-2.0
// The shipped models of shooting in time, run as their own `simulate:` blocks say. With many modes and the same formula
// and step the modal method must come nearer to them than to itself with half the step: what both leave of the
// start and of the modes is less than what the formula does.
#include "finite_case.h"

// the build with sanitizers has no time for all of it
#if defined(NDEBUG)
static const double SHARE = 1.0;
#else
static const double SHARE = 0.1;
#endif

/// How a file is run.
typedef struct {
    const char* strain; // of the modal method; NULL: shooting, as the file says
    int halving;        // of the step
} Way;

static FinitePath* run_file(const char* name, const Way* way) {
    char file[512];
    ModelCase c = {0};
    ElvError error;
    const ElvOverride set[] = {{"rod.strain", way->strain}};
    snprintf(file, sizeof file, "%s/models/%s.yaml", ELVER_SOURCE_DIR, name);
    CHECK_STATUS(elv_model_read_file(file, set, way->strain ? 1 : 0, &c.model, &error), &error);
    CHECK_STATUS(elv_state_create(c.model, &c.state, &error), &error);
    ElvSimulateDef def = elv_model_simulate(c.model);
    CHECK_TRUE(def.method == ELV_METHOD_SHOOTING && def.scheme == ELV_METHOD_NEWMARK);
    def.method = way->strain ? ELV_METHOD_NEWMARK : def.method;
    def.step = ldexp(def.step, -way->halving);
    FinitePath* path = calloc(1, sizeof *path);
    assert_non_null(path);
    path->tip = case_frame(&c, "rod.tip");
    path->i_rod = elv_model_n_node(c.model) - 1;
    ElvSimulateOptions options = elv_simulate_options_default(c.model, c.state);
    options.method = def;
    options.t_end = SHARE * def.duration;
    options.record = finite_record;
    options.user = path;
    path->status = elv_simulate(c.model, c.state, &options, &path->report, &path->error);
    CHECK_STATUS(path->status, &path->error);
    CHECK_TRUE(path->report.n_step == lround(options.t_end / def.step));
    elv_state_free(c.state);
    elv_model_free(c.model);
    return path;
}

static void check_file(const char* name, const char* strain) {
    FinitePath* shot = run_file(name, &(Way){NULL, 0});
    FinitePath* mode = run_file(name, &(Way){strain, 0});
    FinitePath* fine = run_file(name, &(Way){strain, 1});
    double distance = finite_distance(shot, mode);
    double error = finite_distance(mode, fine);
    print_message("%s: %.2e m from many modes, which half the step moves by %.2e m\n", name,
                  distance, error);
    CHECK_TRUE(distance < error);
    free(shot);
    free(mode);
    free(fine);
}

static void test_release(void** state) {
    (void)state;
    check_file("tacr-release", "{bend_z: 14}");
}

static void test_soft_release(void** state) {
    (void)state;
    check_file("tacr-release-soft", "{bend_z: 14}");
}

static void test_flying_stick(void** state) {
    (void)state;
    check_file("flying-stick", "{kirchhoff: 16}");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_release),
        cmocka_unit_test(test_soft_release),
        cmocka_unit_test(test_flying_stick),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
