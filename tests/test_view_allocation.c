// SPDX-License-Identifier: Apache-2.0
// elv_view_eval allocates nothing. Skipped where the allocators belong to a sanitizer or to another C library.
#include "view_case.h"

#include "model_sample.h"

enum { EXIT_SKIP = 77 };

#if defined(__GLIBC__) && !IS_SANITIZED

#include "count_calls.h"

static void check_eval(Robot robot) {
    Seen seen = see(robot, 0);
    look(&seen);
    double* tau = new_array(robot.nv);
    long before = n_call;
    for (int i = 0; i < 100; i++) {
        robot.state->t = 0.01 * i;
        elv_idm(robot.model, robot.data, robot.state, tau);
        elv_view_eval(seen.view, robot.model, robot.data, robot.state, seen.value);
    }
    CHECK_TRUE(n_call == before);
    free(tau);
    see_free(&seen);
}

static void test_eval(void** context) {
    (void)context;
    long before = n_call;
    check_eval(robot_of_text(sample_actuators));
    // the counter counts
    CHECK_TRUE(n_call > before + 100);
    check_eval(robot_of_text(sample_loops));
    check_eval(robot_of_text(sample_rods));
    check_eval(robot_of_text(sample_motion));
    check_eval(robot_read("models/swimmer-tendon.yaml"));
}

// within the records of methods without modes
typedef struct {
    Seen* seen;
    int n;
} Run;

static bool record(void* user, const ElvModel* model, ElvData* data, const ElvState* state) {
    Run* run = user;
    long before = n_call;
    elv_view_eval(run->seen->view, model, data, state, run->seen->value);
    CHECK_TRUE(n_call == before);
    run->n++;
    return true;
}

static void test_run(void** context) {
    (void)context;
    ElvError error;
    Seen seen = see(robot_read("models/rkmk-1.yaml"), 0);
    Run run = {.seen = &seen};
    ElvSimulateOptions options = elv_simulate_options_default(seen.robot.model, seen.robot.state);
    options.t_end = 0.05;
    options.record = record;
    options.user = &run;
    CHECK_STATUS(elv_simulate(seen.robot.model, seen.robot.state, &options, NULL, &error), &error);
    CHECK_TRUE(run.n > 5);
    see_free(&seen);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_eval), cmocka_unit_test(test_run)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void) {
    return EXIT_SKIP;
}

#endif
