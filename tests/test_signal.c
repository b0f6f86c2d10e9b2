// SPDX-License-Identifier: Apache-2.0
// Values of signals against closed forms: a body turning about a fixed axis, a rod of known strain,
// a rod in equilibrium with a tip force.
#include "signal_sample.h"

static void check_signal(Fixture* f, const char* name, const double* expected, int n, double tol) {
    double value[16];
    assert_int_equal(eval(f, name, value), n);
    CHECK_ARRAY_NEAR(value, expected, (size_t)n, tol);
}

// rounding of a few operations on numbers of order 10
static const double tol_round = 1e-13;

// angle, rate and acceleration of the wheel used below
static const double angle = 0.8, rate = -1.5, accel = 2.5;

static void set_turning(Fixture* f) {
    f->state->t = 0.5;
    elv_state_impose(f->model, f->state);
    f->state->q[0] = angle;
    f->state->v[0] = rate;
    f->state->a[0] = accel;
}

static void test_frame_on_a_circle(void** context) {
    (void)context;
    Fixture f;
    open_fixture(&f, turning_text);
    set_turning(&f);

    // p = r (cos, sin); p_dot = r w (-sin, cos); p_ddot = r a (-sin, cos) - r w^2 (cos, sin)
    double c = cos(angle);
    double s = sin(angle);
    const double r = 0.7;
    double position[] = {r * c, r * s, 0.0};
    double velocity[] = {-r * rate * s, r * rate * c, 0.0};
    double acceleration[] = {-r * accel * s - r * rate * rate * c,
                             r * accel * c - r * rate * rate * s, 0.0};
    double orientation[] = {cos(0.5 * angle), 0.0, 0.0, sin(0.5 * angle)};
    double angular[] = {0.0, 0.0, rate};
    double twist[] = {0.0, 0.0, rate, 0.0, r * rate, 0.0};
    check_signal(&f, "point.position", position, 3, tol_round);
    check_signal(&f, "point.velocity", velocity, 3, tol_round);
    check_signal(&f, "point.acceleration", acceleration, 3, tol_round);
    check_signal(&f, "point.orientation", orientation, 4, tol_round);
    check_signal(&f, "point.angular_velocity", angular, 3, tol_round);
    check_signal(&f, "point.twist", twist, 6, tol_round);

    // the world stands still
    double zero[3] = {0.0, 0.0, 0.0};
    check_signal(&f, "world.position", zero, 3, 0.0);
    check_signal(&f, "world.velocity", zero, 3, 0.0);
    close_fixture(&f);
}

static void test_joint_coordinates_and_efforts(void** context) {
    (void)context;
    Fixture f;
    open_fixture(&f, turning_text);
    set_turning(&f);

    // the slide moves by x = 0.2 t^2; its drive must give m x_ddot, gravity being across
    double q[] = {0.2 * 0.25};
    double v[] = {0.4 * 0.5};
    double a[] = {0.4};
    double drive[] = {4.0 * 0.4};
    check_signal(&f, "slide.q", q, 1, tol_round);
    check_signal(&f, "slide.v", v, 1, tol_round);
    check_signal(&f, "slide.a", a, 1, tol_round);
    check_signal(&f, "slide.effort", drive, 1, tol_round);

    // the wheel's is its law
    double torque[] = {3.5};
    check_signal(&f, "wheel.q", &angle, 1, 0.0);
    check_signal(&f, "wheel.v", &rate, 1, 0.0);
    check_signal(&f, "wheel.a", &accel, 1, 0.0);
    check_signal(&f, "wheel.effort", torque, 1, tol_round);
    close_fixture(&f);
}

static void test_invariants(void** context) {
    (void)context;
    Fixture f;
    open_fixture(&f, turning_text);
    set_turning(&f);

    // wheel: 2 kg at 0.5 m, 0.3 kg m^2 about its centre; slide: 4 kg at x = 0.05 m, 0.2 m/s
    double c = cos(angle);
    double s = sin(angle);
    double kinetic = 0.5 * (0.3 + 2.0 * 0.25) * rate * rate + 0.5 * 4.0 * 0.2 * 0.2;
    double gravity = 2.0 * 10.0 * 0.5 * s;
    double energy[] = {kinetic, 0.0, gravity, kinetic + gravity};
    double momentum[] = {-2.0 * 0.5 * rate * s + 4.0 * 0.2, 2.0 * 0.5 * rate * c, 0.0, 0.0, 0.0,
                         (0.3 + 2.0 * 0.25) * rate};
    double com[] = {(2.0 * 0.5 * c + 4.0 * 0.05) / 6.0, 2.0 * 0.5 * s / 6.0, 0.0};
    check_signal(&f, "energy", energy, 4, tol_round);
    check_signal(&f, "momentum", momentum, 6, tol_round);
    check_signal(&f, "com", com, 3, tol_round);
    close_fixture(&f);
}

static void test_strain_of_a_polynomial(void** context) {
    (void)context;
    Fixture f;
    open_fixture(&f, rod_text);

    // three coefficients of bending, then two of stretch, in powers of s
    ElvNodeInfo node = elv_model_node(f.model, 0);
    assert_int_equal(node.n_q, 5);
    const double q[] = {0.3, -0.2, 0.5, 0.01, 0.02};
    memcpy(f.state->q, q, sizeof q);
    double s = 0.3;
    double strain[] = {0.0, 0.0, q[0] + q[1] * s + q[2] * s * s, 1.0 + q[3] + q[4] * s, 0.0, 0.0};
    check_signal(&f, "arm.strain(0.3)", strain, 6, tol_round);
    check_signal(&f, "arm.q", q, 5, 0.0);
    double bend_z[] = {strain[2]};
    check_signal(&f, "arm.strain(0.3).bend_z", bend_z, 1, tol_round);
    close_fixture(&f);
}

static void test_stress_of_a_tip_force(void** context) {
    (void)context;
    Fixture f;
    open_fixture(&f, rod_text);

    // straight and still: the wrench across a section carries the tip force, moment F_y (L - X)
    double s = 0.25;
    double stress[] = {0.0, 0.0, 7.0 * 2.0 * (1.0 - s), 5.0, 7.0, 0.0};
    check_signal(&f, "arm.stress(0.25)", stress, 6, 1e-12);
    double root[] = {0.0, 0.0, 14.0, 5.0, 7.0, 0.0};
    check_signal(&f, "arm.stress(0)", root, 6, 1e-12);
    double tip[] = {0.0, 0.0, 0.0, 5.0, 7.0, 0.0};
    check_signal(&f, "arm.stress(1)", tip, 6, 1e-12);
    close_fixture(&f);
}

// signals in a list do not disturb each other, whatever computes in the workspace
static void test_list_equals_single_signals(void** context) {
    (void)context;
    static const char* const name[] = {"energy",
                                       "arm.tip.acceleration",
                                       "arm.stress(0.4)",
                                       "momentum",
                                       "arm.tip.twist",
                                       "arm.tip.velocity",
                                       "arm.strain(0.9)",
                                       "com",
                                       "arm.root.position",
                                       "arm.a"};
    enum { N_NAME = 10 };
    Fixture f;
    open_fixture(&f, rod_text);
    CheckRandom random = check_random(11);
    for (int i = 0; i < f.state->nv; i++) {
        f.state->q[i] = check_uniform(&random, -0.1, 0.1);
        f.state->v[i] = check_uniform(&random, -1.0, 1.0);
        f.state->a[i] = check_uniform(&random, -1.0, 1.0);
    }

    ElvError error;
    elv_error_clear(&error);
    ElvSignals* signals = NULL;
    CHECK_STATUS(elv_signals_create(f.model, name, N_NAME, &signals, &error), &error);
    double all[64];
    double again[64];
    elv_idm(f.model, f.data, f.state, f.tau);
    elv_signals_eval(signals, f.model, f.data, f.state, all);
    elv_idm(f.model, f.data, f.state, f.tau);
    elv_signals_eval(signals, f.model, f.data, f.state, again);
    int n_all = elv_signals_n_column(signals);
    elv_signals_free(signals);

    int i_column = 0;
    for (int i = 0; i < N_NAME; i++) {
        double single[16];
        int n = eval(&f, name[i], single);
        CHECK_ARRAY_NEAR(all + i_column, single, (size_t)n, 0.0);
        i_column += n;
    }
    assert_int_equal(i_column, n_all);
    CHECK_ARRAY_NEAR(all, again, (size_t)n_all, 0.0);
    close_fixture(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frame_on_a_circle),
        cmocka_unit_test(test_joint_coordinates_and_efforts),
        cmocka_unit_test(test_invariants),
        cmocka_unit_test(test_strain_of_a_polynomial),
        cmocka_unit_test(test_stress_of_a_tip_force),
        cmocka_unit_test(test_list_equals_single_signals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
