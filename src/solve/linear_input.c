// SPDX-License-Identifier: Apache-2.0
// Inputs of a linear model by their names: efforts of force-driven joints, "NODE.effort.K"; components of
// point loads, "loads[I].force.x" ... "loads[I].torque.z"; set points of joint controllers, "NODE.target.K" and
// "NODE.target_rate.K"; laws of devices, "tendon.NAME.tension", "control.NAME.linear.z" ... The beginning of
// a name up to one of its dots stands for all that begin so.
#include "solve/linear_model.h"

#include "joint/lumped.h"

#include <stdio.h>
#include <string.h>

static const char* const load_part[6] = {"torque.x", "torque.y", "torque.z",
                                         "force.x",  "force.y",  "force.z"};

enum { N_TEXT = 3 * ELV_SIZE_NAME };

/// A request: one name, or NULL for all drives and actuators; and what it found.
typedef struct {
    const char* wanted;
    const char** names; // of all inputs so far
    int n_found;
} Request;

static ElvStatus out_of_memory(ElvError* error) {
    return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
}

static ElvStatus
add_input(ElvLinearizer* l, ElvInput input, const char* text, Request* request, ElvError* error) {
    int n = l->form.n_input;
    ElvInput* grown = elv_pool_grow(&l->pool, l->input, n, sizeof *grown);
    const char** list = elv_pool_grow(&l->pool, request->names, n, sizeof *list);
    const char* copy = elv_pool_string(&l->pool, text);
    if (!grown || !list || !copy) {
        return out_of_memory(error);
    }
    grown[n] = input;
    list[n] = copy;
    l->input = grown;
    request->names = list;
    request->n_found++;
    l->form.n_input++;
    return ELV_OK;
}

// whether an input moves what is rigid: its second derivative would act
static ElvStatus
find_rigid(ElvLinearizer* l, const ElvInput* input, bool* is_rigid, ElvError* error) {
    const ElvBorder* border = &l->matrices.border;
    double* residual = l->matrices.vector;
    *is_rigid = false;
    if (border->n_rigid == 0) {
        return ELV_OK;
    }
    double* d_c = elv_pool_take(&l->pool, (size_t)border->nz, sizeof *d_c);
    if (!d_c) {
        return out_of_memory(error);
    }
    ElvStatus status = elv_linear_feed_one(l, input, residual, d_c, error);
    for (int i = 0; i < border->n_rigid && status == ELV_OK; i++) {
        *is_rigid = *is_rigid || d_c[border->order[border->held[i]]] != 0.0;
    }
    return status;
}

// take an input if it is asked for
static ElvStatus
offer(ElvLinearizer* l, ElvInput input, const char* text, Request* request, ElvError* error) {
    const char* wanted = request->wanted;
    size_t n = wanted ? strlen(wanted) : 0;
    bool is_asked = wanted ? strncmp(text, wanted, n) == 0 && (text[n] == '.' || text[n] == '\0')
                           : input.kind != ELV_INPUT_LOAD;
    if (!is_asked) {
        return ELV_OK;
    }
    bool is_rigid = false;
    ElvStatus status = find_rigid(l, &input, &is_rigid, error);
    if (status == ELV_OK && is_rigid && wanted) {
        return elv_error_set(error, ELV_ERROR_INPUT, "", text,
                             "'%s' would move what does not stretch, and act by its second "
                             "derivative: give the tendon a stiffness",
                             text);
    }
    return status == ELV_OK && !is_rigid ? add_input(l, input, text, request, error) : status;
}

static ElvStatus offer_node(ElvLinearizer* l, int j, Request* request, ElvError* error) {
    const ElvNode* node = &l->model->node[j];
    ElvStatus status = ELV_OK;
    char text[N_TEXT];
    for (int k = 0; k < node->joint->n_v && status == ELV_OK; k++) {
        if (node->info.drive == ELV_DRIVE_FORCE) {
            snprintf(text, sizeof text, "%.96s.effort.%d", node->name, k);
            status = offer(l, (ElvInput){ELV_INPUT_EFFORT, node->i_v + k, 0}, text, request, error);
        }
    }
    if (node->info.is_rod) {
        return status;
    }
    const ElvJointControl* control = &((const ElvLumped*)node->joint)->control;
    for (int k = 0; k < control->n_v && control->is_scalar && status == ELV_OK; k++) {
        if (control->kp[k] != 0.0 || control->ki[k] != 0.0) {
            snprintf(text, sizeof text, "%.96s.target.%d", node->name, k);
            status = offer(l, (ElvInput){ELV_INPUT_TARGET, j, k}, text, request, error);
        }
        if (control->kd[k] != 0.0 && status == ELV_OK) {
            snprintf(text, sizeof text, "%.96s.target_rate.%d", node->name, k);
            status = offer(l, (ElvInput){ELV_INPUT_TARGET_RATE, j, k}, text, request, error);
        }
    }
    return status;
}

static ElvStatus offer_load(ElvLinearizer* l, int i, Request* request, ElvError* error) {
    ElvStatus status = ELV_OK;
    for (int k = 0; k < 6 && status == ELV_OK; k++) {
        char text[N_TEXT];
        snprintf(text, sizeof text, "loads[%d].%s", l->model->point[i].i_load, load_part[k]);
        status = offer(l, (ElvInput){ELV_INPUT_LOAD, i, k}, text, request, error);
    }
    return status;
}

static ElvStatus offer_device(ElvLinearizer* l, int i, Request* request, ElvError* error) {
    const ElvDevice* device = l->model->device[i];
    const ElvDeviceCommands* commands = device->ops->commands;
    ElvStatus status = ELV_OK;
    for (int k = 0; commands && commands->name(device, k) && status == ELV_OK; k++) {
        char text[N_TEXT];
        snprintf(text, sizeof text, "%s.%.96s.%s", device->ops->kind, device->name,
                 commands->name(device, k));
        status = offer(l, (ElvInput){ELV_INPUT_COMMAND, i, k}, text, request, error);
    }
    return status;
}

static ElvStatus answer(ElvLinearizer* l, Request* request, ElvError* error) {
    ElvStatus status = ELV_OK;
    request->n_found = 0;
    for (int j = 0; j < l->model->n_node && status == ELV_OK; j++) {
        status = offer_node(l, j, request, error);
    }
    for (int i = 0; i < l->model->n_point && status == ELV_OK; i++) {
        status = offer_load(l, i, request, error);
    }
    for (int i = 0; i < l->model->n_device && status == ELV_OK; i++) {
        status = offer_device(l, i, request, error);
    }
    if (status == ELV_OK && request->wanted && request->n_found == 0) {
        return elv_error_set(
            error, ELV_ERROR_INPUT, "", request->wanted,
            "'%s' is no input: inputs are efforts of joints driven by a force, as "
            "'hinge.effort.0', "
            "set points of controllers, as 'hinge.target.0', components of point loads, as "
            "'loads[0].force.z', and laws of actuators, as 'tendon.left.tension'",
            request->wanted);
    }
    return status;
}

ElvStatus
elv_linear_inputs(ElvLinearizer* l, const char* const* name, int n_name, ElvError* error) {
    Request request = {NULL, NULL, 0};
    ElvStatus status = name ? ELV_OK : answer(l, &request, error);
    for (int i = 0; i < n_name && name && status == ELV_OK; i++) {
        request.wanted = name[i];
        status = answer(l, &request, error);
    }
    l->form.input_name = request.names;
    return status;
}
