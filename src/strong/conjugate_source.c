// SPDX-License-Identifier: Apache-2.0
// Conjugate points of equilibria that were found by modes or by shooting.
#include "rod/rod_flux.h"
#include "strong/conjugate.h"
#include "strong/shoot_statics.h"

#include <stdlib.h>
#include <string.h>

// ---- modes

typedef struct {
    const ElvModel* model;
    ElvData* data;
    const ElvState* state;
} Modal;

static void modal_section(void* user, int i_node, double s, ElvPose* pose, ElvWrench* lam) {
    const Modal* modal = user;
    const ElvRod* rod = (const ElvRod*)modal->model->node[i_node].joint;
    elv_rod_section(modal->model, modal->data, modal->state, i_node, s, pose, NULL, lam);
    // Lambda*: second variations are those of what the equations carry
    *lam = elv_wrench_add(*lam, elv_rod_flux_at(rod, modal->data->work[i_node], s));
}

static ElvStatus
judge_modal(const Modal* modal, ElvChain* chain, ElvConjugateReport* report, ElvError* error) {
    Modal user = *modal;
    ElvEquilibrium equilibrium = {.t = modal->state->t, .section = modal_section, .user = &user};
    if (chain->joint) {
        equilibrium.q = modal->state->q + modal->model->node[chain->i_joint].i_q;
    }
    return elv_conjugate_points(modal->model, &equilibrium, 0, report, error);
}

ElvStatus elv_conjugate_points_state(const ElvModel* model,
                                     const ElvState* state,
                                     ElvConjugateReport* report,
                                     ElvError* error) {
    Modal modal = {model, NULL, NULL};
    ElvState* still = NULL;
    ElvChain chain = {0};
    memset(report, 0, sizeof *report);
    ElvStatus status = elv_chain_create(model, &chain, error);
    status = status == ELV_OK ? elv_data_create(model, &modal.data, error) : status;
    status = status == ELV_OK ? elv_state_create(model, &still, error) : status;
    double* tau = status == ELV_OK ? calloc((size_t)model->nv + 1, sizeof *tau) : NULL;
    if (status == ELV_OK && !tau) {
        status = elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    if (status == ELV_OK) {
        // stresses of the shape at rest
        elv_state_copy(still, state);
        memset(still->v, 0, (size_t)model->nv * sizeof *still->v);
        memset(still->a, 0, (size_t)model->nv * sizeof *still->a);
        modal.state = still;
        elv_idm(model, modal.data, still, tau);
        status = judge_modal(&modal, &chain, report, error);
    }
    free(tau);
    elv_state_free(still);
    elv_data_free(modal.data);
    elv_chain_free(&chain);
    return status;
}

// ---- shooting

static void shot_section(void* user, int i_node, double s, ElvPose* pose, ElvWrench* lam) {
    ElvShootSection at = elv_shoot_carried(user, i_node, s);
    *pose = at.g;
    *lam = at.lam;
}

ElvStatus
elv_conjugate_points_shooting(ElvShooting* shooting, ElvConjugateReport* report, ElvError* error) {
    memset(report, 0, sizeof *report);
    if (!shooting->is_balanced) {
        return elv_error_set(error, ELV_ERROR_INPUT, "", "",
                             "the shooting has found no equilibrium yet");
    }
    ElvEquilibrium equilibrium = {.t = shooting->in.t,
                                  .q = shooting->now.root.q,
                                  .is_tip_held = shooting->has_tip,
                                  .is_tip_pinned = shooting->is_pinned,
                                  .section = shot_section,
                                  .user = shooting};
    return elv_conjugate_find(&shooting->chain, &equilibrium, shooting->in.load, 0, report, error);
}
