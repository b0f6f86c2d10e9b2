// SPDX-License-Identifier: Apache-2.0
// `elver reproduce p23-fig16`: the swimmer with tendons [P23] X.D. Control torque tau = D (T_+ -
// T_-) and elastic torque C = EI K_z at the root of the tail over time, their amplitudes and the
// phase between them; speed and course, and what half the step and one more mode in each rod change
// of the speed.
#include "reproduce_swimmer.h"

#include <math.h>
#include <stdio.h>

static const char MODEL[] = "@swimmer-tendon";
static const double EVERY = 0.01, D = 0.05, EI_TAIL = 0.049, OMEGA = 15.707963267948966;

static const char* const SIGNAL[] = {"com.x", "com.y", "tendon.left.tension",
                                     "tendon.right.tension", "tail.strain(0).bend_z"};
enum { N_SIGNAL = 5, COM_X = 1, COM_Y, LEFT, RIGHT, BEND };

// most that half the step and one more mode may change of the speed
static const double BY_STEP = 0.005, BY_MODE = 0.02;

static double control(const SwimmerRun* run, int i) {
    return D * (swimmer_at(run, i, LEFT) - swimmer_at(run, i, RIGHT));
}

static double elastic(const SwimmerRun* run, int i) {
    return EI_TAIL * swimmer_at(run, i, BEND);
}

/// A torque as amplitude cos(omega t - lag), and what is left beside that, root mean square over
/// root mean square.
typedef struct {
    double amplitude, lag, rest;
} Harmonic;

// from row `first` over whole periods of 40 records
static Harmonic
fit(const SwimmerRun* run, double (*torque)(const SwimmerRun*, int), int first, int last) {
    double a = 0.0, b = 0.0, square = 0.0;
    int n = last - first;
    for (int i = first; i < last; i++) {
        double x = torque(run, i);
        a += 2.0 / n * x * cos(OMEGA * swimmer_at(run, i, 0));
        b += 2.0 / n * x * sin(OMEGA * swimmer_at(run, i, 0));
        square += x * x / n;
    }
    double whole = 0.5 * (a * a + b * b);
    Harmonic h = {sqrt(a * a + b * b), atan2(b, a), sqrt(fmax(0.0, square - whole) / square)};
    return h;
}

// the nose leads along -x
static double speed(const SwimmerRun* run) {
    int last = run->n - 1;
    return (swimmer_at(run, 0, COM_X) - swimmer_at(run, last, COM_X)) / swimmer_at(run, last, 0);
}

static void print_torques(const SwimmerRun* run) {
    static const double window[][2] = {{1.0, 3.0}, {3.0, 5.0}, {8.0, 10.0}};
    printf("%-10s %12s %12s %16s %14s\n", "t, s", "tau, N m", "C, N m", "C behind, deg",
           "beside, of C");
    for (int k = 0; k < 3; k++) {
        int first = (int)lround(window[k][0] / EVERY), last = (int)lround(window[k][1] / EVERY);
        if (last >= run->n) {
            continue;
        }
        Harmonic tau = fit(run, control, first, last), C = fit(run, elastic, first, last);
        double lag = remainder(C.lag - tau.lag, 2.0 * 3.14159265358979323846);
        printf("%g to %-5g %12.4f %12.4f %16.1f %13.0f%%\n", window[k][0], window[k][1],
               tau.amplitude, C.amplitude, lag * 180.0 / 3.14159265358979323846, 100.0 * C.rest);
    }
}

static int write_csv(const SwimmerRun* run, const char* out) {
    int code = CLI_DONE;
    FILE* file = swimmer_open(out, &code);
    if (!file) {
        return code;
    }
    fprintf(file, "t,control_torque,elastic_torque,com_x,com_y\n");
    for (int i = 0; i < run->n; i++) {
        fprintf(file, "%.6g,%.17g,%.17g,%.17g,%.17g\n", swimmer_at(run, i, 0), control(run, i),
                elastic(run, i), swimmer_at(run, i, COM_X), swimmer_at(run, i, COM_Y));
    }
    return fclose(file) == 0 ? CLI_DONE
                             : cli_complain("reproduce", CLI_FAILED, "cannot write %s", out);
}

// the speed with something changed
static int
compare(const char* what, const char* set, const char* duration, double reference, double allowed) {
    SwimmerRun run = {0};
    const char* const change[] = {set, duration};
    int code = swimmer_run(MODEL, change, 2, SIGNAL, N_SIGNAL, EVERY, &run);
    if (code == CLI_DONE) {
        double own = speed(&run);
        printf("%-32s %10.4f %+9.2f%%", what, own, 100.0 * (own / reference - 1.0));
        if (isfinite(allowed)) {
            printf("   at most %g%%", 100.0 * allowed);
        }
        printf("\n");
        if (!(fabs(own / reference - 1.0) <= allowed)) {
            code = cli_complain("reproduce", CLI_FAILED, "%s changes the mean speed by too much",
                                what);
        }
    }
    swimmer_run_free(&run);
    return code;
}

static int print_speeds(const SwimmerRun* run, const char* duration) {
    double own = speed(run);
    int last = run->n - 1;
    double ahead = swimmer_at(run, 0, COM_X) - swimmer_at(run, last, COM_X);
    double aside = swimmer_at(run, last, COM_Y) - swimmer_at(run, 0, COM_Y);
    printf("\nIt swims %.3f m ahead and %.3f m aside in %g s.\n\n%-32s %10s %10s\n", ahead, aside,
           swimmer_at(run, last, 0), "", "mean, m/s", "change");
    printf("%-32s %10.4f\n", "dt = 0.01 s, 5 modes in each rod", own);
    if (!(own > 0.0 && fabs(aside) < 0.1 * ahead)) {
        return cli_complain("reproduce", CLI_FAILED, "it does not swim straight ahead");
    }
    int code = compare("half the step", "simulate.step=0.005", duration, own, BY_STEP);
    if (code == CLI_DONE) {
        code = compare("one more mode in each rod", "n=6", duration, own, BY_MODE);
    }
    return code == CLI_DONE
               ? compare("tail as stiff as the trunk", "EI_tail=4.9", duration, own, INFINITY)
               : code;
}

int reproduce_p23_fig16(const ReproduceOptions* options) {
    const char* duration = options->is_quick ? "simulate.duration=3.2" : "simulate.duration=10";
    SwimmerRun run = {0};
    if (options->has_plot || options->is_json) {
        return cli_complain("reproduce", CLI_USAGE, "p23-fig16 takes -o and --quick alone");
    }
    printf("Swimmer with tendons [P23] X.D: control torque tau = D (T+ - T-) and elastic torque C "
           "= EI K_z at "
           "the root of the tail,\nby their part cos(omega t - lag), omega = 5 pi rad/s\n\n");
    int code = swimmer_run(MODEL, &duration, 1, SIGNAL, N_SIGNAL, EVERY, &run);
    if (code == CLI_DONE && options->out) {
        code = write_csv(&run, options->out);
    }
    if (code == CLI_DONE) {
        print_torques(&run);
        code = print_speeds(&run, duration);
    }
    swimmer_run_free(&run);
    return code;
}
