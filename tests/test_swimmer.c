// SPDX-License-Identifier: Apache-2.0
// The shipped swimmers with modes. With tendons [P23] X.D: it swims straight ahead, half the step
// and one more mode change little, its mirror image swims the mirrored way. With controlled strains
// [OCP] VII.D: as the imposed shape does.
#include "swimmer_case.h"

static const char* const TENDON_SIGNAL[] = {"com", "tail.strain(0).bend_z"};
enum { COM_X = 1, COM_Y, COM_Z, BEND };

static double speed(const Swim* swim) {
    int last = swim->n - 1;
    return (swim->row[0][COM_X] - swim->row[last][COM_X]) / swim->row[last][0];
}

static Swim tendon_run(const char* key, const char* value) {
    const ElvOverride set[] = {{key, value}};
    return swim_run("swimmer-tendon", set, key ? 1 : 0, SWIMMER_IS_FULL ? 10.0 : 0.4, TENDON_SIGNAL,
                    2);
}

static void test_tendons(void** unused) {
    (void)unused;
    Swim swim = tendon_run(NULL, NULL);
    Swim fine = tendon_run("simulate.step", "0.005");
    Swim more = tendon_run("n", "6");
    int last = swim.n - 1;
    double ahead = swim.row[0][COM_X] - swim.row[last][COM_X];
    print_message("%.4f m/s, half the step %.4f, one more mode %.4f, aside %.3f m\n", speed(&swim),
                  speed(&fine), speed(&more), swim.row[last][COM_Y]);
    CHECK_TRUE(ahead > 0.0);
    // a start of 0.4 s, in which little is ahead, changes by a tenth, a path of ten beats by less
    double by_step = SWIMMER_IS_FULL ? 0.005 : 0.1, by_mode = SWIMMER_IS_FULL ? 0.02 : 0.1;
    CHECK_NEAR(speed(&fine), speed(&swim), by_step * speed(&swim));
    CHECK_NEAR(speed(&more), speed(&swim), by_mode * speed(&swim));
    // no loops of the tail of 0.4 m
    CHECK_TRUE(swim_largest(&swim, BEND) < 10.0);
    if (SWIMMER_IS_FULL) {
        // a straight line, but for the phase in which the tendons begin
        CHECK_TRUE(fabs(swim.row[last][COM_Y]) < 0.02 * ahead);
    }
    swim_free(&swim);
    swim_free(&fine);
    swim_free(&more);
}

// tendons on the other sides: y and bending change their signs, and Newton's tolerance of 1e-8 is
// all that differs
static void test_mirror(void** unused) {
    (void)unused;
    const ElvOverride set[] = {{"D", "-0.05"}};
    Swim one = swim_run("swimmer-tendon", NULL, 0, 0.4, TENDON_SIGNAL, 2);
    Swim two = swim_run("swimmer-tendon", set, 1, 0.4, TENDON_SIGNAL, 2);
    for (int i = 0; i < two.n; i++) {
        two.row[i][COM_Y] *= -1.0;
        two.row[i][BEND] *= -1.0;
    }
    CHECK_NEAR(swim_distance(&one, &two, COM_X, COM_Z), 0.0, 1e-9);
    CHECK_NEAR(swim_distance(&one, &two, BEND, BEND + 1), 0.0, 1e-6);
    swim_free(&one);
    swim_free(&two);
}

static const char* const HEAD_SIGNAL[] = {"body.root.twist.linear.x", "body.root.position"};

// the stiffness of the controller leaves some of the shape: what is left falls with it
static void test_shape(void** unused) {
    (void)unused;
    double duration = SWIMMER_IS_FULL ? 10.0 : 0.3;
    const ElvOverride stiff[] = {{"H_r", "500"}};
    Swim control = swim_run("swimmer-shape", NULL, 0, duration, HEAD_SIGNAL, 2);
    Swim stiffer = swim_run("swimmer-shape", stiff, 1, duration, HEAD_SIGNAL, 2);
    Swim imposed = swim_run("swimmer-imposed", NULL, 0, duration, HEAD_SIGNAL, 2);
    double most = swim_largest(&imposed, 1);
    double error = swim_distance(&control, &imposed, 1, 2) / most;
    double stiff_error = swim_distance(&stiffer, &imposed, 1, 2) / most;
    print_message("head %.4f m/s, controlled from imposed %.2e, ten times as stiff %.2e\n", most,
                  error, stiff_error);
    // at the start the head has hardly a velocity to be compared with
    CHECK_TRUE(error < (SWIMMER_IS_FULL ? 0.01 : 0.1));
    CHECK_TRUE(stiff_error < 0.3 * error);
    swim_free(&control);
    swim_free(&stiffer);
    swim_free(&imposed);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tendons),
        cmocka_unit_test(test_mirror),
        cmocka_unit_test(test_shape),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
