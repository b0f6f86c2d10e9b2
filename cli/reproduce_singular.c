// SPDX-License-Identifier: Apache-2.0
// `elver reproduce ocp-singular`: forward dynamics as a singular Riccati sweep [OCP appendix 2], on rods of growing
// slenderness l / r. The stress of a known motion is given, and its strain acceleration u is sought. What is measured: how
// large S grows, by how much an error of the stress is enlarged, and the error of u against the steps along the rod.
#include "reproduce.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N_SLENDERNESS = 6, N_STEPS = 4, NODES = 20 };

static const double slenderness[N_SLENDERNESS] = {2.0, 5.0, 10.0, 20.0, 50.0, 100.0};
static const int steps[N_STEPS] = {8, 32, 128, 512};

// error given to the stress to see it enlarged
static const double NOISE = 1e-9;

// what a thick rod must be found to, and what a slender one that bends in a plane must miss
static const double GOOD = 1e-6;
static const double LOST = 1.0;

/// Rods of one table.
typedef struct {
    const char* title;
    const char* strain;
    double bend;       // size of the curvature that the motion has
    bool must_be_lost; // from l / r = 20 on
} Kind;

static const Kind kinds[] = {
    {"straight, bends in a plane", "{bend_z: 3}", 0.0, true},
    {"bent in a plane", "{bend_z: 3}", 0.5, false},
    {"bent and twisted in space", "{kirchhoff: 2}", 0.5, false},
    {"all six strains free: the stress is known, nothing is swept", "{reissner: 2}", 0.5, false},
};

enum { N_KIND = sizeof kinds / sizeof kinds[0] };

// a rod of unit length and radius r in motion; freed by elv_model_free, elv_riccati_free, elv_state_free
typedef struct {
    ElvModel* model;
    ElvState* state;
    ElvRiccati* riccati;
} Rod;

static ElvStatus open_rod(const Kind* kind, double l_over_r, Rod* rod, ElvError* error) {
    char text[512];
    int n = snprintf(text, sizeof text,
                     "elver: 1\n"
                     "gravity: [0, -9.81, 0]\n"
                     "tree:\n"
                     "  - {rod: rod, length: 1, section: {circle: {radius: %.17g}}, basis: "
                     "legendre, strain: %s,\n"
                     "     material: {density: 1000, young: 1e6, poisson: 0.3}}\n",
                     1.0 / l_over_r, kind->strain);
    ElvStatus status = elv_model_read_text(text, (size_t)n, "rod", NULL, 0, &rod->model, error);
    if (status == ELV_OK) {
        status = elv_state_create(rod->model, &rod->state, error);
    }
    if (status != ELV_OK) {
        return status;
    }
    // any motion of moderate size
    for (int i = 0; i < elv_model_nv(rod->model); i++) {
        rod->state->q[i] = kind->bend * (double)(i % 3);
        rod->state->v[i] = 0.1 * (double)(i % 7 - 3);
        rod->state->a[i] = 0.2 * (double)(i % 5 - 2);
    }
    status = elv_riccati_create(rod->model, 64, &rod->riccati, error);
    return status == ELV_OK ? elv_riccati_solve_state(rod->riccati, rod->state, false, error)
                            : status;
}

static void close_rod(Rod* rod) {
    elv_riccati_free(rod->riccati);
    elv_state_free(rod->state);
    elv_model_free(rod->model);
}

static double error_of(const ElvSingularReport* report) {
    return report->is_finite && isfinite(report->error) ? report->error : INFINITY;
}

static void print_number(double value) {
    if (isfinite(value)) {
        printf(" %9.1e", value);
    } else {
        printf(" %9s", "fails");
    }
}

// one row: a rod by all numbers of steps, and by the most with a wrong stress; *best: least error of u
static ElvStatus print_row(const Kind* kind, double l_over_r, double* best, ElvError* error) {
    Rod rod = {NULL, NULL, NULL};
    ElvSingularReport report[N_STEPS + 1];
    ElvStatus status = open_rod(kind, l_over_r, &rod, error);
    for (int i = 0; i <= N_STEPS && status == ELV_OK; i++) {
        ElvSingularOptions options = {.steps = steps[i < N_STEPS ? i : N_STEPS - 1],
                                      .nodes = NODES,
                                      .noise = i < N_STEPS ? 0.0 : NOISE};
        status = reproduce_check(error);
        status = status == ELV_OK ? elv_singular_sweep(rod.riccati, &options, &report[i], error)
                                  : status;
    }
    close_rod(&rod);
    if (status != ELV_OK) {
        return status;
    }
    *best = INFINITY;
    printf("%8g", l_over_r);
    print_number(exp(report[0].growth));
    print_number(report[N_STEPS - 1].size);
    print_number(error_of(&report[N_STEPS]) / NOISE);
    for (int i = 0; i < N_STEPS; i++) {
        print_number(error_of(&report[i]));
        *best = fmin(*best, error_of(&report[i]));
    }
    printf("\n");
    return ELV_OK;
}

static int print_kind(const Kind* kind) {
    printf("\n%s\n%8s %9s %9s %9s", kind->title, "l/r", "e^(2l/r)", "largest S", "enlarged");
    for (int i = 0; i < N_STEPS; i++) {
        printf(" %9d", steps[i]);
    }
    printf("\n");
    for (int i = 0; i < N_SLENDERNESS; i++) {
        double best = INFINITY;
        ElvError error;
        ElvStatus status = print_row(kind, slenderness[i], &best, &error);
        if (status != ELV_OK) {
            return cli_complain_error("reproduce", cli_exit_code(status), &error);
        }
        if ((i == 0 && !(best < GOOD)) ||
            (kind->must_be_lost && slenderness[i] >= 20.0 && best < LOST)) {
            return cli_complain("reproduce", CLI_FAILED,
                                "%s, l/r = %g: an error of %.1e was not expected", kind->title,
                                slenderness[i], best);
        }
    }
    return CLI_DONE;
}

int reproduce_ocp_singular(void) {
    printf("Forward dynamics as a singular Riccati sweep [OCP appendix 2]: the stress of a motion "
           "is given, its strain\n"
           "acceleration u is sought. On the way solutions grow by e^(2l/r), r the radius of the "
           "rod. S, stress by\n"
           "acceleration, in units of the rod's mass and length; enlarged: error of u by error of "
           "the stress, with %d steps;\n"
           "then the relative error of u by the number of steps\n",
           steps[N_STEPS - 1]);
    for (int i = 0; i < N_KIND; i++) {
        int code = print_kind(&kinds[i]);
        if (code != CLI_DONE) {
            return code;
        }
    }
    return CLI_DONE;
}
