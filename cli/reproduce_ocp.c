// SPDX-License-Identifier: Apache-2.0
// `elver reproduce ocp-dtc`: the time step below which shooting fails, for the rod of [OCP] tests 1 and 2 released from
// the shape that its tendon gives it, over stiffness, density, length and segments, with the equation of
// accelerations and without it [OCP (87)-(89)]. A step is good if so many of it succeed one after the other.
#include "reproduce.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N_STEP = 20, N_SEGMENT = 3, N_RATIO = 3 };

// measured to this factor, within this factor of what is foretold
static const double FINE = 1.1;
static const double RANGE = 6.0;

/// A rod, as multiples of the reference.
typedef struct {
    double stiffness, density, length;
} Rod;

static const char MODEL[] =
    "elver: 1\n"
    "tree:\n"
    "  - {rod: rod, length: %.17g, section: {circle: {radius: 1e-3}}, "
    "material: {density: %.17g, young: %.17g, poisson: 0.3}, strain: {bend_z: 5}}\n"
    "actuators:\n"
    "  - {tendon: tendon, path: {rod: rod, y: \"0.02*(1 - s)\", outside: true}, "
    "tension: \"if(t < 0, %.17g, 0)\", strain_dependence: false}\n";

// l^2 (rho A / E I)^(1/2)
static double time_unit(const Rod* rod) {
    double length = 0.4 * rod->length;
    return length * length * sqrt(4.0 * 8000.0 * rod->density / (207e9 * rod->stiffness * 1e-6));
}

static ElvStatus load(const Rod* rod, ElvModel** model, ElvError* error) {
    char text[1024];
    // the same shape whatever the rod
    int n = snprintf(text, sizeof text, MODEL, 0.4 * rod->length, 8000.0 * rod->density,
                     207e9 * rod->stiffness, 15.0 * rod->stiffness / rod->length);
    return elv_model_read_text(text, (size_t)n, "rod", NULL, 0, model, error);
}

// whether shooting gets through
static bool is_good(
    const ElvModel* model, ElvSimulateDef method, double step, ElvStatus* status, ElvError* error) {
    ElvState* state = NULL;
    ElvIntegratorReport report;
    *status = elv_state_create(model, &state, error);
    if (*status != ELV_OK) {
        return false;
    }
    ElvSimulateOptions options = elv_simulate_options_default(model, state);
    method.step = step;
    method.duration = N_STEP * step;
    options.method = method;
    options.record_every = options.t_end = method.duration;
    ElvStatus ran = reproduce_simulate(model, state, &options, &report, error);
    elv_state_free(state);
    *status = ran == ELV_ERROR_STEP ? ELV_OK : ran;
    return ran == ELV_OK;
}

// chi: the critical step in units of the rod
static ElvStatus
measure(const Rod* rod, int segments, bool has_accelerations, double* chi, ElvError* error) {
    ElvModel* model = NULL;
    double middle = 0.0;
    ElvSimulateDef method = elv_simulate_def_default();
    method.method = ELV_METHOD_SHOOTING;
    method.shooting.segments = segments;
    method.has_accelerations = has_accelerations;
    method.max_iterations = 8;
    method.starts_static = true;
    ElvStatus status = load(rod, &model, error);
    if (status == ELV_OK) {
        status = elv_shoot_critical_step(model, &method, &middle, error);
    }
    double least = middle / RANGE;
    double most = middle * RANGE;
    while (status == ELV_OK && most > FINE * least) {
        middle = sqrt(least * most);
        *(is_good(model, method, middle, &status, error) ? &most : &least) = middle;
    }
    *chi = most / time_unit(rod);
    elv_model_free(model);
    return status;
}

static ElvStatus print_segments(bool has_accelerations, ElvError* error) {
    static const int segments[N_SEGMENT] = {1, 2, 4};
    const Rod rod = {1.0, 1.0, 1.0};
    for (int i = 0; i < N_SEGMENT; i++) {
        double chi = 0.0;
        ElvStatus status = measure(&rod, segments[i], has_accelerations, &chi, error);
        if (status != ELV_OK) {
            return status;
        }
        printf("%-24s %8d %12.3g %10s%.0f\n", has_accelerations ? "with accelerations" : "without",
               segments[i], chi * time_unit(&rod), "1/", 1.0 / chi);
    }
    return ELV_OK;
}

// exponent of the critical step in one property, over a factor of 256 (16 for the length), by two segments
static ElvStatus print_exponents(bool has_accelerations, ElvError* error) {
    static const struct {
        const char* name;
        Rod rod;
        double factor, expected;
    } row[N_RATIO] = {{"stiffness", {1.0 / 256.0, 1.0, 1.0}, 1.0 / 256.0, -0.5},
                      {"density", {1.0, 256.0, 1.0}, 256.0, 0.5},
                      {"length", {1.0, 1.0, 16.0}, 16.0, 2.0}};
    const Rod reference = {1.0, 1.0, 1.0};
    double base = 0.0;
    ElvStatus status = measure(&reference, 2, has_accelerations, &base, error);
    for (int i = 0; i < N_RATIO && status == ELV_OK; i++) {
        double chi = 0.0;
        status = measure(&row[i].rod, 2, has_accelerations, &chi, error);
        double ratio = chi * time_unit(&row[i].rod) / (base * time_unit(&reference));
        if (status == ELV_OK) {
            printf("%-24s %10s %10.2f %10.2f\n",
                   has_accelerations ? "with accelerations" : "without", row[i].name,
                   log(ratio) / log(row[i].factor), row[i].expected);
        }
    }
    return status;
}

int reproduce_ocp_dtc(void) {
    ElvError error;
    printf("critical time step of shooting, dt_c = chi l^2 (rho A/EI)^(1/2) [OCP (88)]; published: "
           "chi "
           "about 1/100\n\n%-24s %8s %12s %10s\n",
           "formulation", "segments", "dt_c, s", "chi");
    ElvStatus status = print_segments(true, &error);
    status = status == ELV_OK ? print_segments(false, &error) : status;
    if (status == ELV_OK) {
        printf("\n%-24s %10s %10s %10s\n", "formulation", "of", "exponent", "published");
        status = print_exponents(true, &error);
    }
    status = status == ELV_OK ? print_exponents(false, &error) : status;
    return status == ELV_OK ? CLI_DONE
                            : cli_complain_error("reproduce", cli_exit_code(status), &error);
}
