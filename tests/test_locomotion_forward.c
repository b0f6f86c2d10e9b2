// SPDX-License-Identifier: Apache-2.0
// Forward of inverse at instants of whole runs, for every robot of models/ that moves by its shape
// and has inertia: the efforts that the imposed motion takes, given to the same robot in the same
// state with nothing imposed, return the imposed accelerations.
//
// Instants are the middles of 64 equal parts of the run, so that they meet all phases of contacts
// and no instant at which these change. The one rule by which some are left out is for the wheeled
// snake, whose efforts are infinite at t = k pi: nothing nearer than 0.01 s to these is looked at.
// Errors are measured in rad/s^2 and m/s^2 that coordinates mean for the robot, relative to the
// largest of the run (playback_measure.h): a limp short mode has next to no inertia, and rounding
// of its effort makes it accelerate without moving anything. Rounding leaves 1e-15 to 3e-10. The
// snakes that turn are at 3e-7 where the front of the bump passes a ring: modes meet the law to
// 1e-7 of its acceleration, so that imposed accelerations miss rings by as much, which free ones
// do not.
#include "playback_case.h"
#include "playback_measure.h"

static const double ACCELERATION_TOL = 1e-6; // of the largest

enum { N_INSTANT = 64 };

// efforts are finite
static bool is_regular(const char* name, double t) {
    static const double PI = 3.14159265358979323846;
    return strcmp(name, "snake-wheeled") != 0 || fabs(remainder(t, PI)) > 0.01;
}

static void check_robot(const char* name) {
    static Playback p;
    Extent error = {0}, size = {0};
    int n_seen = 0;
    playback_open(&p, name, NULL, 1e-10);
    Gait gait = gait_start(p.model, 0.0, 0.0);
    double duration = elv_model_simulate(p.model).duration;
    for (int k = 0; k < N_INSTANT; k++) {
        double t = duration * (k + 0.5) / N_INSTANT;
        gait_go(&gait, t);
        if (!is_regular(name, t)) {
            continue;
        }
        tape_record(&p.tape, &gait, 0);
        playback_forward(&p, 0);
        extent_rates(&size, p.model, p.tape.a[0], NULL);
        extent_rates(&error, p.model, p.play.state->a, p.tape.a[0]);
        n_seen++;
    }
    double relative = extent_relative(error, size, p.model->size);
    print_message("%-18s %3d coordinates, %2d instants of %5.1f s, accelerations to %.1e\n", name,
                  p.model->nv, n_seen, duration, relative);
    CHECK_TRUE(n_seen >= 50);
    CHECK_NEAR(relative, 0.0, ACCELERATION_TOL);
    playback_end(&gait);
    playback_close(&p);
}

static void test_bodies(void** unused) {
    (void)unused;
    static const char* const robot[] = {
        "satellite", "snakeboard", "snake-wheeled", "mobile-manipulator", "unicycle",
        "car",       "two-axle",   "three-axle",    "falling-cat",        "ellipse-swimmer",
    };
    for (size_t i = 0; i < sizeof robot / sizeof robot[0]; i++) {
        check_robot(robot[i]);
    }
}

static void test_rods(void** unused) {
    (void)unused;
    static const char* const robot[] = {
        "rod-locomotor",     "earthworm",       "inchworm",     "snake-2d",
        "snake-2d-reissner", "snake-3d-spiral", "imposed-wave",
    };
    for (size_t i = 0; i < sizeof robot / sizeof robot[0]; i++) {
        check_robot(robot[i]);
    }
}

static void test_turning_snakes(void** unused) {
    (void)unused;
    check_robot("snake-2d-turn");
    check_robot("snake-3d-turn");
}

// other efforts, other accelerations
static void test_gain(void** unused) {
    (void)unused;
    static Playback p;
    Extent error = {0}, size = {0};
    playback_open(&p, "snake-2d", NULL, 1e-10);
    Gait gait = gait_start(p.model, 0.3, 0.0);
    tape_record(&p.tape, &gait, 0);
    p.tape.gain = 1.0 + 1e-4;
    playback_forward(&p, 0);
    extent_rates(&size, p.model, p.tape.a[0], NULL);
    extent_rates(&error, p.model, p.play.state->a, p.tape.a[0]);
    CHECK_TRUE(extent_relative(error, size, p.model->size) > 1e-5);
    playback_end(&gait);
    playback_close(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bodies),
        cmocka_unit_test(test_rods),
        cmocka_unit_test(test_turning_snakes),
        cmocka_unit_test(test_gain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
