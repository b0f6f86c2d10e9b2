// SPDX-License-Identifier: Apache-2.0
// Inverse dynamics of a chain whose rods have imposed strains, row by row: three passes along the chain for each, the
// net motion in between where nothing drives the root, and tensions for the stress where there are tendons.
#include "strong/inverse_rows.h"
#include "strong/root_motion.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    ElvInverseRows* rows;
    ElvRiccati* riccati;
    ElvRootMotion root;
    double* input; // of tendons and chambers, or NULL: there are none  (n_device)
    bool is_static;
} Strains;

// ---- what must be given

// a rod that could bend is imposed as others are, in all of its strains
static ElvStatus check_rod(const ElvNode* node, ElvError* error) {
    const ElvRod* rod = (const ElvRod*)node->joint;
    if (!node->info.is_imposed && node->joint->n_v > 0) {
        return elv_error_set(
            error, ELV_ERROR_INPUT, node->name, "motion",
            "the strains of another rod are imposed, and nothing tells how '%s' bends: "
            "give it a 'motion' too, or leave out its modes",
            node->name);
    }
    for (int i = 0; i < ELV_N_STRAIN; i++) {
        const char* name = elv_strain_name((ElvStrain)i);
        if (node->info.modes[i] > 0 && !rod->motion[i]) {
            return elv_error_set(error, ELV_ERROR_INPUT, node->name, "motion",
                                 "%s of rod '%s' has modes but no motion, and elver inverse is not "
                                 "told how it moves: give it one, as in motion: {%s: 0}, or leave "
                                 "out its modes; elver run finds the motion of what is free",
                                 name, node->name, name);
        }
    }
    return ELV_OK;
}

static ElvStatus check(const Strains* self, ElvError* error) {
    const ElvModel* model = self->rows->model;
    const ElvLumped* joint = self->riccati->chain.joint;
    ElvStatus status = ELV_OK;
    for (int i = 0; i < model->n_node && status == ELV_OK; i++) {
        if (model->node[i].info.is_rod) {
            status = check_rod(&model->node[i], error);
        }
    }
    if (status == ELV_OK && self->is_static && joint && !joint->joint.is_motion_driven) {
        const char* name = model->node[self->riccati->chain.i_joint].name;
        return elv_error_set(error, ELV_ERROR_INPUT, name, "joint",
                             "'%s' is free, and inverse statics needs to know where it is: impose "
                             "its 'motion', or leave out 'static' of 'inverse'",
                             name);
    }
    return status;
}

// ---- rows

static ElvStatus add_row(Strains* self, double t, ElvError* error) {
    ElvInverseRow row = {.is_reached = true};
    ElvStatus status = elv_device_check(self->rows->model, t, error);
    if (status == ELV_OK) {
        status = self->is_static
                     ? elv_riccati_solve_imposed(self->riccati, t, true, NULL, NULL, error)
                     : elv_root_motion_to(&self->root, t, error);
    }
    if (status == ELV_OK && self->input) {
        ElvTensionReport tensions;
        status = elv_riccati_tensions(self->riccati, NULL, self->input, &tensions, error);
        row.wanted = status == ELV_OK ? tensions.wanted : 0.0;
        row.left = status == ELV_OK ? tensions.left : 0.0;
    }
    if (status != ELV_OK) {
        return status;
    }
    row.defect = elv_riccati_root(self->riccati).defect;
    self->rows->report->row = row;
    self->rows->report->n_step = self->root.n_step;
    elv_riccati_hand_out(self->riccati, self->input, self->rows->data, self->rows->state);
    return elv_inverse_add_row(self->rows, error);
}

static ElvStatus add_loads(Strains* self, ElvError* error) {
    const ElvModel* model = self->rows->model;
    ElvStatus status = ELV_OK;
    for (int i = 0; i < elv_inverse_n_load(model) && status == ELV_OK; i++) {
        status = add_row(self, elv_inverse_load(model, i), error);
    }
    return status;
}

static ElvStatus add_times(Strains* self, ElvError* error) {
    const ElvInverseOptions* options = self->rows->options;
    double t_end = options->t_start + options->duration;
    double slack = 1e-9 * options->every;
    double t = options->t_start;
    for (long n = 1;; n++) {
        ElvStatus status = add_row(self, t, error);
        if (status != ELV_OK || !(t < t_end)) {
            return status;
        }
        t = options->t_start + (double)n * options->every;
        t = t > t_end - slack ? t_end : t;
    }
}

static ElvStatus run(Strains* self, ElvError* error) {
    const ElvModel* model = self->rows->model;
    ElvStatus status = elv_riccati_create(model, model->inverse.steps, &self->riccati, error);
    status = status == ELV_OK ? check(self, error) : status;
    if (status == ELV_OK) {
        double t = self->rows->options->t_start;
        status = elv_root_motion_start(&self->root, self->riccati, t, error);
        self->root.head.brake = elv_brake(&self->rows->options->stop);
    }
    if (status == ELV_OK && self->riccati->inputs.n > 0) {
        self->input = calloc((size_t)model->n_device, sizeof *self->input);
        status =
            self->input ? ELV_OK : elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    if (status != ELV_OK) {
        return status;
    }
    return self->is_static ? add_loads(self, error) : add_times(self, error);
}

ElvStatus elv_inverse_run_strains(ElvInverseRows* rows, ElvError* error) {
    Strains self = {.rows = rows, .is_static = rows->model->inverse.is_static};
    ElvStatus status = run(&self, error);
    free(self.input);
    elv_root_motion_free(&self.root);
    elv_riccati_free(self.riccati);
    return status;
}
