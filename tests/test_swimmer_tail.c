// SPDX-License-Identifier: Apache-2.0
// The torques of [P23] fig. 16 on @swimmer-tendon, with a tail as limp as shipped and one as stiff as the trunk: the control
// torque D (T+ - T-) against its law; the torque at the root of the tail, amplitude and phase of its first harmonic, by
// the step, by one more mode and beside shooting, which has no modes; and that both fish swim ahead. The moment there
// follows from the balance of the tail, M = EI (K + tau K_dot), and its elastic part from M; the strain K itself is that of
// modes at their end, where they converge last.
#include "swimmer_case.h"

#define PI 3.14159265358979323846

static const double OMEGA = 5.0 * PI;
static const double D = 0.05;   // of the tendons from the axis, m
static const double TAU = 0.01; // damping of the flesh, s

static const char* const SIGNAL[] = {"com", "tendon.left.tension", "tendon.right.tension",
                                     "tail.stress(0).moment.z", "tail.strain(0).bend_z"};
enum { COM_X = 1, COM_Y, LEFT = 4, RIGHT, MOMENT, ELASTIC };

static Swim run(const char* tail, const char* key, const char* value, double duration) {
    const ElvOverride set[] = {{"EI_tail", tail}, {key, value}};
    Swim swim = swim_run("swimmer-tendon", set, key ? 2 : 1, duration, SIGNAL, 5);
    // C = EI K_z
    for (int i = 0; i < swim.n; i++) {
        swim.row[i][ELASTIC] *= strtod(tail, NULL);
    }
    return swim;
}

typedef struct {
    double amplitude, phase; // of A cos(omega t + phase)
} Harmonic;

static double control_at(const double* row) {
    return D * (row[LEFT] - row[RIGHT]);
}

static double moment_at(const double* row) {
    return row[MOMENT];
}

static double elastic_at(const double* row) {
    return row[ELASTIC];
}

// first harmonic over whole beats up to the end, records without the last
static Harmonic harmonic(const Swim* swim, int n_beat, double (*value)(const double*)) {
    double c = 0.0, s = 0.0;
    int n = 40 * n_beat;
    CHECK_TRUE(swim->n > n);
    for (int i = swim->n - 1 - n; i < swim->n - 1; i++) {
        double t = swim->row[i][0];
        c += 2.0 / n * value(swim->row[i]) * cos(OMEGA * t);
        s -= 2.0 / n * value(swim->row[i]) * sin(OMEGA * t);
    }
    return (Harmonic){hypot(c, s), atan2(s, c)};
}

// the elastic part of the moment: M = C (1 + i omega tau)
static Harmonic elastic_part(const Swim* swim, int n_beat) {
    Harmonic h = harmonic(swim, n_beat, moment_at);
    return (Harmonic){h.amplitude / hypot(1.0, OMEGA * TAU), h.phase - atan(OMEGA * TAU)};
}

// how far a torque is behind the control torque cos(omega t), degrees in [0, 360)
static double lag(Harmonic torque) {
    double x = -torque.phase * 180.0 / PI;
    return x - 360.0 * floor(x / 360.0);
}

static double ahead(const Swim* swim) {
    return swim->row[0][COM_X] - swim->row[swim->n - 1][COM_X];
}

static void print_torques(const char* name, const Swim* swim, int n_beat) {
    Harmonic part = elastic_part(swim, n_beat);
    Harmonic strain = harmonic(swim, n_beat, elastic_at);
    print_message("  %-14s elastic torque %.4f N m, %.1f degrees behind; by the strain %.4f N m, "
                  "%.1f; ahead %.4f m, aside %.4f m\n",
                  name, part.amplitude, lag(part), strain.amplitude, lag(strain), ahead(swim),
                  swim->row[swim->n - 1][COM_Y]);
}

// distance of torques as complex amplitudes, relative: 1 % of amplitude, or 0.57 degrees
static double distance(Harmonic x, Harmonic y) {
    double re = x.amplitude * cos(x.phase) - y.amplitude * cos(y.phase);
    double im = x.amplitude * sin(x.phase) - y.amplitude * sin(y.phase);
    return hypot(re, im) / x.amplitude;
}

static double between(const Swim* a, const Swim* b, int n_beat) {
    return distance(elastic_part(a, n_beat), elastic_part(b, n_beat));
}

static const char* const TAIL[] = {"0.049", "4.9"};

// the torque of the tail is held to what the speed is: 0.5 % by the step, 2 % by modes; the third beat,
// in which little is ahead and modes that the jump has struck still ring, to a tenth
static void test_torques(void** unused) {
    (void)unused;
    double duration = SWIMMER_IS_FULL ? 10.0 : 1.2;
    double by_step = SWIMMER_IS_FULL ? 0.005 : 0.1, by_mode = SWIMMER_IS_FULL ? 0.02 : 0.1;
    int n_beat = SWIMMER_IS_FULL ? 5 : 1;
    for (int k = 0; k < 2; k++) {
        Swim swim = run(TAIL[k], NULL, NULL, duration);
        Swim fine = run(TAIL[k], "simulate.step", "0.005", duration);
        Swim more = run(TAIL[k], "n", "6", duration);
        print_message("EI_tail = %s N m^2\n", TAIL[k]);
        print_torques("shipped", &swim, n_beat);
        print_torques("half the step", &fine, n_beat);
        print_torques("one more mode", &more, n_beat);
        // two expressions of one torque, as the strain at the end of modes converges
        if (SWIMMER_IS_FULL) {
            Swim many = run(TAIL[k], "n", "8", duration);
            print_torques("eight modes", &many, n_beat);
            CHECK_NEAR(distance(elastic_part(&many, 5), harmonic(&many, 5, elastic_at)), 0.0, 0.01);
            CHECK_NEAR(between(&swim, &many, n_beat), 0.0, by_mode);
            swim_free(&many);
        }
        // T+ - T- = 2 T1 cos(omega t)
        Harmonic control = harmonic(&swim, n_beat, control_at);
        CHECK_NEAR(control.amplitude, 2.0 * D * 20.0, 1e-12);
        CHECK_NEAR(control.phase, 0.0, 1e-12);
        CHECK_NEAR(between(&swim, &fine, n_beat), 0.0, by_step);
        CHECK_NEAR(between(&swim, &more, n_beat), 0.0, by_mode);
        // ahead, straight but for the phase in which the tendons begin
        CHECK_TRUE(ahead(&swim) > 0.0);
        CHECK_NEAR(ahead(&fine), ahead(&swim), by_step * ahead(&swim));
        CHECK_NEAR(ahead(&more), ahead(&swim), by_mode * ahead(&swim));
        CHECK_TRUE(!SWIMMER_IS_FULL || fabs(swim.row[swim.n - 1][COM_Y]) < 0.02 * ahead(&swim));
        swim_free(&swim);
        swim_free(&fine);
        swim_free(&more);
    }
}

// the same scheme in time without modes: what modes leave out
static void test_shooting(void** unused) {
    (void)unused;
    for (int k = 0; k < 2 && SWIMMER_IS_FULL; k++) {
        Swim modes = run(TAIL[k], NULL, NULL, 1.2);
        Swim strong = run(TAIL[k], "simulate.method", "shooting", 1.2);
        print_message("EI_tail = %s N m^2, the third beat, %.2e apart\n", TAIL[k],
                      between(&modes, &strong, 1));
        print_torques("modes", &modes, 1);
        print_torques("shooting", &strong, 1);
        CHECK_NEAR(between(&modes, &strong, 1), 0.0, 0.02);
        CHECK_NEAR(distance(elastic_part(&strong, 1), harmonic(&strong, 1, elastic_at)), 0.0, 0.01);
        CHECK_NEAR(ahead(&modes), ahead(&strong), 0.02 * ahead(&strong));
        swim_free(&modes);
        swim_free(&strong);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_torques),
        cmocka_unit_test(test_shooting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
