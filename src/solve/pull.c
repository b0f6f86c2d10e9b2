// SPDX-License-Identifier: Apache-2.0
// Contacts that would have to pull (pull.h). A force counts where it is larger than rounding
// errors: 1e-9 of the largest reaction so far, or of the kinetic energy per length of the robot.
#include "solve/pull.h"

#include "multibody/rod_contact.h"

#include <math.h>
#include <string.h>

/// Forces that are smaller than this, relative to others, may have either sign.
static const double NO_FORCE = 1e-9;

ElvPullWatch elv_pull_watch(const ElvModel* model) {
    ElvPullWatch watch = {0};
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        bool is_contact =
            device->ops == &ELV_ROD_CONTACT_OPS || device->ops == &ELV_ROD_CONTACT_POINT_OPS;
        watch.is_wanted =
            watch.is_wanted || (is_contact && ((const ElvRodContact*)device)->i_push >= 0);
    }
    return watch;
}

static void note(ElvContactReport* report, const char* name, double t, double force) {
    int i = 0;
    int n_kept = report->n_pull < ELV_CONTACT_PULL_MAX ? report->n_pull : ELV_CONTACT_PULL_MAX;
    while (i < n_kept && strcmp(report->pull[i].contact, name) != 0) {
        i++;
    }
    if (i == ELV_CONTACT_PULL_MAX) {
        return;
    }
    ElvContactPull* pull = &report->pull[i];
    if (i == n_kept) {
        report->n_pull++;
        *pull = (ElvContactPull){.contact = name, .t = t};
    }
    if (force > pull->worst) {
        pull->worst = force;
        pull->t_worst = t;
    }
}

void elv_pull_look(ElvPullWatch* watch,
                   const ElvModel* model,
                   ElvData* data,
                   const ElvState* state) {
    double push = 0.0;
    if (!watch->is_wanted) {
        return;
    }
    elv_kinematics(model, data, state);
    double kinetic = elv_energy(model, data, state).kinetic;
    watch->size = fmax(watch->size, kinetic / model->size);
    for (int i = 0; i < model->n_device; i++) {
        if (elv_rod_contact_push(model->device[i], state, &push)) {
            watch->size = fmax(watch->size, fabs(push));
        }
    }
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        if (elv_rod_contact_push(device, state, &push) && push < -NO_FORCE * watch->size) {
            note(&watch->report, device->name, state->t, -push);
        }
    }
}
