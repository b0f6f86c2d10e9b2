// SPDX-License-Identifier: Apache-2.0
// Forward of inverse for robots of models/ that move by their shape: what imposed joints, strain
// modes and motors of wheels need is recorded along a run; then nothing is imposed any more, these
// efforts act instead, and the same motion comes back, to 1e-6. The horizon is one second, or what
// the growth of errors leaves of it, by a rule that does not look at the result (playback_run.h).
// Where it is short test_locomotion_forward still covers the whole run, instant by instant.
//
// It starts with the run, but for the wheeled snake, between two postures in which efforts are
// infinite, t = 0 and pi; and a second time for the inchworm, on its other anchor. Steering angles
// of the car and of the mobile manipulator stay imposed: with four ideal wheels any difference from
// angles whose axes meet in a point stops the car, so that no two torques that are not exact can
// steer it. Rods without stiffness are run to 1e-6 of their strains: of short modes these have
// rounding errors of 1e-8, and what is left in the motion is far below. Swimmers without inertia
// are left out. Snakes with hundreds of modes: test_locomotion_playback_turn.
#include "playback_run.h"

static void test_bodies(void** unused) {
    (void)unused;
    static const Piece piece[] = {
        {"satellite", 0.0, NULL, 1e-11},     {"snakeboard", 0.0, NULL, 1e-11},
        {"snake-wheeled", 0.5, NULL, 1e-11}, {"mobile-manipulator", 0.0, "_fork", 1e-11},
        {"unicycle", 0.0, NULL, 1e-11},      {"car", 0.0, "_fork", 1e-11},
        {"two-axle", 0.0, NULL, 1e-11},      {"three-axle", 0.0, NULL, 1e-11},
        {"falling-cat", 0.0, NULL, 1e-11},   {"ellipse-swimmer", 0.0, NULL, 1e-11},
    };
    for (size_t i = 0; i < sizeof piece / sizeof piece[0]; i++) {
        CHECK_NEAR(playback_play(&piece[i], 1.0), 0.0, MOTION_TOL);
    }
}

static void test_rods(void** unused) {
    (void)unused;
    static const Piece piece[] = {
        {"rod-locomotor", 0.0, NULL, 1e-6},   {"earthworm", 0.0, NULL, 1e-6},
        {"inchworm", 0.0, NULL, 1e-6},        {"inchworm", 1.0, NULL, 1e-6},
        {"snake-2d", 0.0, NULL, 1e-6},        {"snake-2d-reissner", 0.0, NULL, 1e-6},
        {"snake-3d-spiral", 0.0, NULL, 1e-6}, {"imposed-wave", 0.0, NULL, 1e-6},
    };
    for (size_t i = 0; i < sizeof piece / sizeof piece[0]; i++) {
        CHECK_NEAR(playback_play(&piece[i], 1.0), 0.0, MOTION_TOL);
    }
}

// other efforts, another motion: by about one percent of what they do
static void test_gain(void** unused) {
    (void)unused;
    static const Piece board = {"snakeboard", 0.0, NULL, 1e-11},
                       snake = {"snake-2d", 0.0, NULL, 1e-6};
    CHECK_TRUE(playback_play(&board, 1.01) > 1e-3);
    CHECK_TRUE(playback_play(&snake, 1.01) > 1e-3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bodies),
        cmocka_unit_test(test_rods),
        cmocka_unit_test(test_gain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
