// SPDX-License-Identifier: Apache-2.0
// The efforts of the snakes that turn, played back (test_locomotion_playback.c): a bump of curvature
// that runs along them takes hundreds of modes. It is in the middle of them at the start, t = 5 s.
// In the plane errors grow slowly; out of it the snake, which has no stiffness, buckles fast, and the
// rule leaves a horizon so short that the run shows little: there it is test_locomotion_forward that
// covers the motion.
#include "playback_run.h"

static void test_plane(void** unused) {
    (void)unused;
    static const Piece snake = {"snake-2d-turn", 5.0, NULL, 1e-4};
    CHECK_NEAR(playback_play(&snake, 1.0), 0.0, MOTION_TOL);
}

// 551 coordinates
static void test_space(void** unused) {
    (void)unused;
    static const Piece snake = {"snake-3d-turn", 5.0, NULL, 1e-4};
    CHECK_NEAR(playback_play(&snake, 1.0), 0.0, MOTION_TOL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plane),
        cmocka_unit_test(test_space),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
