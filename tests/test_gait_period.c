// SPDX-License-Identifier: Apache-2.0
// Periods of all that is imposed on a robot: short ones in long runs, long ones, those of motors,
// rates, stations and switches beside that of the shape. What the laws say is the oracle.
#include "locomotion_case.h"

static ElvStatus
find(const char* text, const ElvOverride* set, int n_set, ElvGait* gait, ElvError* error) {
    ElvModel* model = NULL;
    ElvState* state = NULL;
    CHECK_STATUS(elv_model_read_text(text, strlen(text), "text", set, n_set, &model, error), error);
    CHECK_STATUS(elv_state_create(model, &state, error), error);
    elv_state_impose(model, state);
    ElvStatus status =
        elv_gait_displacement(model, state, ELV_CONNECTION_MECHANICAL, 0.0, NULL, gait, error);
    elv_state_free(state);
    elv_model_free(model);
    return status;
}

// a platform with an arm
#define ARM(law)                                                                                   \
    "elver: 1\nname: arm\ngravity: [0, 0, 0]\ntree:\n"                                             \
    "  - {body: base, joint: planar, mass: 2, inertia: [1, 1, 1]}\n"                               \
    "  - {body: arm, parent: base, mass: 1, center: [0.2, 0, 0], inertia: [0.1, 0.1, 0.1],\n"      \
    "     joint: {revolute: {axis: z, motion: \"" law "\"}}}\n"

static void check_period(const char* text, const char* duration, double period) {
    const ElvOverride set = {"simulate.duration", duration};
    ElvGait gait;
    ElvError error;
    ElvStatus status = find(text, &set, 1, &gait, &error);
    if (period > 0.0) {
        CHECK_STATUS(status, &error);
        CHECK_NEAR(gait.period, period, 1e-8 * period);
        return;
    }
    assert_int_equal(status, ELV_ERROR_INPUT);
    assert_string_equal(error.field, "period");
}

// from a thousandth of the duration to twice of it
static void test_shape(void** unused) {
    (void)unused;
    check_period(ARM("sin(2*pi*t/0.15)"), "100", 0.15);
    check_period(ARM("sin(2*pi*t/0.1)"), "100", 0.1);
    check_period(ARM("0.3*cos(2*pi*t/3.3) + 0.2*sin(6*pi*t/3.3)"), "10", 3.3);
    check_period(ARM("sin(pi*t)"), "1", 2.0);
    check_period(ARM("sin(2*pi*t/2.2)"), "1", 0.0);
    check_period(ARM("sin(t) + sin(sqrt(2)*t)"), "10", 0.0);
    check_period(ARM("t^2"), "10", 0.0);
    // harmonics alone: the common period is none of theirs
    check_period(ARM("0.1*sin(2*pi*t*2) + 0.1*sin(2*pi*t*3)"), "5", 1.0);
}

// constraints that move by themselves have a part in it
static void test_constraints(void** unused) {
    (void)unused;
    check_period(ARM("sin(2*pi*t)") "constraints:\n  - {wheel: w, at: base, radius: 0.1, "
                                    "rotation: \"sin(2*pi*t/1.5)\"}\n",
                 "10", 3.0);
    check_period(ARM("sin(2*pi*t)") "constraints:\n  - {wheel: w, at: base, radius: 0.1, "
                                    "rate: 3}\n",
                 "10", 1.0);
    check_period(ARM("sin(2*pi*t)") "constraints:\n  - {wheel: w, at: base, radius: 0.1, "
                                    "rotation: \"t^2\"}\n",
                 "10", 0.0);
    check_period(ARM("sin(2*pi*t)") "constraints:\n  - {velocity: v, at: base, rows: "
                                    "[[0, 0, 1, 0, 0, 0]], equals: \"0.001*cos(2*pi*t/2.5)\"}\n",
                 "10", 5.0);
}

// a snake whose shape runs along it in 2.5 s, through rings
static void test_contacts(void** unused) {
    (void)unused;
    if (IS_SANITIZED) {
        skip();
    }
    static const char text[] =
        "elver: 1\nname: snake\ngravity: [0, 0, 0]\ntree:\n"
        "  - {rod: snake, joint: planar, length: 1.2, section: {circle: {diameter: 0.04}},\n"
        "     material: {density: 1000}, follow: {bend_z: \"6*cos(2*pi*x)\", path: \"-0.4*t\"}}\n"
        "constraints:\n"
        "  - {contact: r1, rod: snake, type: ring, station: 0.2}\n"
        "  - {contact: r2, rod: snake, type: ring, station: 0.45}\n"
        "  - {contact: r3, rod: snake, type: ring, station: 0.8}\n"
        "simulate: {method: explicit, duration: 5}\nrecord: {signals: [snake.joint.q]}\n";
    static const struct {
        ElvOverride set;
        double period;
    } change[] = {
        {{"simulate.duration", "5"}, 2.5},
        {{"r1.station", "0.2 + 0.02*sin(2*pi*t/5)"}, 5.0},
        {{"r1.station", "0.2 + 0.01*t"}, 0.0},
        {{"r1.while", "if(sin(2*pi*t/7.5 + 0.3) > -0.5, 1, 0)"}, 7.5},
    };
    for (size_t i = 0; i < sizeof change / sizeof change[0]; i++) {
        ElvGait gait;
        ElvError error;
        ElvStatus status = find(text, &change[i].set, 1, &gait, &error);
        if (change[i].period > 0.0) {
            CHECK_STATUS(status, &error);
            CHECK_NEAR(gait.period, change[i].period, 1e-7);
        } else {
            assert_int_equal(status, ELV_ERROR_INPUT);
        }
    }
}

// without an imposed motion there is none to look for
static void test_nothing(void** unused) {
    (void)unused;
    ElvGait gait;
    ElvError error;
    assert_int_equal(find("elver: 1\nname: x\ntree:\n  - {body: b, joint: free, mass: 1, inertia: "
                          "[1, 1, 1]}\n",
                          NULL, 0, &gait, &error),
                     ELV_ERROR_INPUT);
    assert_string_equal(error.field, "motion");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shape),
        cmocka_unit_test(test_constraints),
        cmocka_unit_test(test_contacts),
        cmocka_unit_test(test_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
