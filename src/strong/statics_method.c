// SPDX-License-Identifier: Apache-2.0
// Equilibria one after the other by the method asked for: with modes (src/solve/statics.c) or by shooting, whose
// stability is that of conjugate points.
#include "solve/statics.h"

#include "elver/strong_inverse.h"
#include "strong/shoot_statics.h"

// what the reports have in common
static void fill_report(const ElvShootReport* from, ElvStaticsReport* report) {
    report->n_increment = from->n_increment;
    report->n_iteration = from->n_iteration;
    report->n_jacobian = from->n_jacobian;
    report->n_evaluation = from->n_shot;
    report->n_halving = from->n_halving;
    report->last_iterations = from->last_iterations;
    report->last_residual = from->last_residual;
    report->t_reached = from->t_reached;
    report->shooting = *from;
}

// stability of the equilibrium at hand; that it cannot be found is no failure of the equilibrium
static void judge(ElvShooting* shooting, ElvStaticsReport* report) {
    ElvConjugateReport* own = &report->conjugate;
    report->has_conjugate = elv_conjugate_points_shooting(shooting, own, NULL) == ELV_OK;
    report->stability = report->has_conjugate ? own->stability : ELV_STABILITY_UNKNOWN;
}

static ElvStatus step_through(ElvShooting* shooting,
                              ElvData* data,
                              ElvState* state,
                              const ElvStaticsOptions* options,
                              ElvStaticsReport* report,
                              ElvError* error) {
    int n_load = options->method.n_load;
    for (int i = 0; i < (n_load > 0 ? n_load : 1); i++) {
        double t = n_load > 0 ? options->method.load[i] : 0.0;
        ElvStatus status = elv_shoot_statics(shooting, t, error);
        if (status != ELV_OK) {
            return status;
        }
        report->n_load++;
        if (options->has_conjugate) {
            judge(shooting, report);
        }
        elv_shoot_hand_out(shooting, data, state);
        if (options->record && !options->record(options->user, shooting->model, data, state)) {
            return elv_error_set(error, ELV_ERROR_CANCELLED, "", "",
                                 "stopped by the caller at load %.9g", t);
        }
    }
    return ELV_OK;
}

static ElvStatus run_shooting(const ElvModel* model,
                              ElvState* state,
                              const ElvStaticsOptions* options,
                              ElvStaticsReport* report,
                              ElvError* error) {
    ElvShooting* shooting = NULL;
    ElvData* data = NULL;
    ElvStaticsReport unread = {.n_load = 0};
    bool is_read = report != NULL;
    report = is_read ? report : &unread;
    *report = (ElvStaticsReport){.n_load = 0};
    ElvStatus status = elv_shoot_create(model, &options->method, &shooting, error);
    if (status == ELV_OK) {
        status = elv_data_create(model, &data, error);
    }
    if (status == ELV_OK) {
        status = step_through(shooting, data, state, options, report, error);
    }
    if (shooting) {
        ElvShootReport own = elv_shoot_report(shooting);
        fill_report(&own, report);
    }
    if (is_read && report->n_load > 0 && !options->has_conjugate) {
        judge(shooting, report);
    }
    elv_data_free(data);
    elv_shoot_free(shooting);
    return status;
}

ElvStatus elv_statics_run(const ElvModel* model,
                          ElvState* state,
                          const ElvStaticsOptions* options,
                          ElvStaticsReport* report,
                          ElvError* error) {
    return options->method.method == ELV_STATICS_SHOOTING
               ? run_shooting(model, state, options, report, error)
               : elv_statics_run_modes(model, state, options, report, error);
}
