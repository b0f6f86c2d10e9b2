// SPDX-License-Identifier: Apache-2.0
// `elver reproduce ocp-fig6`: axial velocity of the head of a swimmer [OCP] VII.D. Forward dynamics
// under a stiff controller of the strains, with modes and by shooting, beside the net motion of the
// imposed shape, whose accelerations are also found by the Riccati equations [OCP (84)-(85)].
#include "reproduce_swimmer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double EVERY = 0.01;
static const char* const SIGNAL[] = {"body.root.twist.linear.x", "body.root.position",
                                     "body.tip.position"};
enum { N_SIGNAL = 3, V_1 = 1, PLACE = 2, N_PLACE = 6 };

// what must hold: forward dynamics against the imposed shape; two methods, m; two ways to the
// acceleration
static const double BY_CONTROL = 0.01, BY_METHOD = 1e-4, BY_RICCATI = 1e-8;

/// Accelerations of the imposed shape by both ways.
typedef struct {
    ElvRiccati* riccati;
    double most, apart;
    ElvStatus status;
    ElvError error;
} Both;

// the larger one, not a number included
static double larger(double most, double value) {
    return value <= most ? most : value;
}

static bool look(void* user, const ElvModel* model, ElvData* data, const ElvState* state) {
    Both* both = user;
    (void)data;
    if (!both->riccati) {
        both->status = elv_riccati_create(model, 64, &both->riccati, &both->error);
    }
    if (both->status == ELV_OK) {
        both->status = elv_riccati_solve_imposed(both->riccati, state->t, false, state->q, state->v,
                                                 &both->error);
    }
    if (both->status != ELV_OK) {
        return false;
    }
    // the joint at the root comes first
    ElvRiccatiRoot root = elv_riccati_root(both->riccati);
    for (int k = 0; k < 6; k++) {
        both->most = larger(both->most, fabs(root.a[k]));
        both->apart = larger(both->apart, fabs(root.a[k] - state->a[k]));
    }
    return true;
}

static double
largest_difference(const SwimmerRun* a, const SwimmerRun* b, int from, int n, double t_end) {
    double most = 0.0;
    for (int i = 0; i < a->n && i < b->n && swimmer_at(a, i, 0) <= t_end; i++) {
        for (int k = from; k < from + n; k++) {
            double d = fabs(swimmer_at(a, i, k) - swimmer_at(b, i, k));
            most = larger(most, d);
        }
    }
    return most;
}

static double largest(const SwimmerRun* run, int column) {
    double most = 0.0;
    for (int i = 0; i < run->n; i++) {
        most = larger(most, fabs(swimmer_at(run, i, column)));
    }
    return most;
}

static int write_csv(const SwimmerRun run[3], const char* out) {
    int code = CLI_DONE;
    FILE* file = swimmer_open(out, &code);
    if (!file) {
        return code;
    }
    fprintf(file, "t,modes,shooting,imposed\n");
    for (int i = 0; i < run[0].n && i < run[1].n && i < run[2].n; i++) {
        fprintf(file, "%.6g,%.17g,%.17g,%.17g\n", swimmer_at(&run[0], i, 0),
                swimmer_at(&run[0], i, V_1), swimmer_at(&run[1], i, V_1),
                swimmer_at(&run[2], i, V_1));
    }
    return fclose(file) == 0 ? CLI_DONE
                             : cli_complain("reproduce", CLI_FAILED, "cannot write %s", out);
}

static int print_results(const SwimmerRun run[3], const Both* both) {
    double most = largest(&run[2], V_1);
    double by_control = largest_difference(&run[0], &run[2], V_1, 1, INFINITY) / most;
    double by_shooting = largest_difference(&run[1], &run[2], V_1, 1, INFINITY) / most;
    double by_method = largest_difference(&run[0], &run[1], PLACE, N_PLACE, 2.0 + 1e-9);
    double by_riccati = both->apart / both->most;
    printf("%6s %12s %12s %12s\n", "t, s", "modes", "shooting", "imposed");
    for (int i = 0; i < run[0].n && i < run[1].n && i < run[2].n; i += 50) {
        printf("%6.2f %12.5f %12.5f %12.5f\n", swimmer_at(&run[0], i, 0),
               swimmer_at(&run[0], i, V_1), swimmer_at(&run[1], i, V_1),
               swimmer_at(&run[2], i, V_1));
    }
    printf("\nlargest |V_1|                                 %.5f m/s\n", most);
    printf("controlled from imposed, with modes           %.3f%%, at most %g%%\n",
           100.0 * by_control, 100.0 * BY_CONTROL);
    printf("controlled from imposed, shooting             %.3f%%\n", 100.0 * by_shooting);
    printf("places of head and tail, modes from shooting  %.1e m up to 2 s, at most %g m\n",
           by_method, BY_METHOD);
    printf("accelerations of the head, Riccati from modal %.1e, at most %g\n", by_riccati,
           BY_RICCATI);
    bool is_good = by_control <= BY_CONTROL && by_method <= BY_METHOD && by_riccati <= BY_RICCATI;
    return is_good ? CLI_DONE
                   : cli_complain("reproduce", CLI_FAILED, "the methods are too far apart");
}

int reproduce_ocp_fig6(const ReproduceOptions* options) {
    const char* duration = options->is_quick ? "simulate.duration=2" : "simulate.duration=10";
    const char* const shooting[] = {
        options->is_quick
            ? "simulate={method: shooting, scheme: newmark, step: 0.01, duration: 2}"
            : "simulate={method: shooting, scheme: newmark, step: 0.01, duration: 10}"};
    SwimmerRun run[3] = {{0}, {0}, {0}};
    Both both = {.status = ELV_OK};
    elv_error_clear(&both.error);
    if (options->has_plot || options->is_json) {
        return cli_complain("reproduce", CLI_USAGE, "ocp-fig6 takes -o and --quick alone");
    }
    printf("Swimmer of [OCP] VII.D: axial velocity V_1 of the head, m/s (the nose leads along -x), "
           "under a strain controller of "
           "50 N m^2\nwith modes and by shooting (Newmark, dt = 0.01 s), and with the shape "
           "imposed\n\n");
    run[2].look = look;
    run[2].user = &both;
    int code = swimmer_run("@swimmer-shape", &duration, 1, SIGNAL, N_SIGNAL, EVERY, &run[0]);
    if (code == CLI_DONE) {
        code = swimmer_run("@swimmer-shape", shooting, 1, SIGNAL, N_SIGNAL, EVERY, &run[1]);
    }
    if (code == CLI_DONE) {
        code = swimmer_run("@swimmer-imposed", &duration, 1, SIGNAL, N_SIGNAL, EVERY, &run[2]);
    }
    elv_riccati_free(both.riccati);
    if (code == CLI_DONE && both.status != ELV_OK) {
        code = cli_complain_error("reproduce", cli_exit_code(both.status), &both.error);
    }
    if (code == CLI_DONE && options->out) {
        code = write_csv(run, options->out);
    }
    code = code == CLI_DONE ? print_results(run, &both) : code;
    for (int i = 0; i < 3; i++) {
        swimmer_run_free(&run[i]);
    }
    return code;
}
