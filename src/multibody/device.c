// SPDX-License-Identifier: Apache-2.0
// The devices of a model, one after the other.
#include "multibody/device.h"

#include "multibody/field_source.h"

#include <math.h>
#include <string.h>

const ElvDevice* elv_device_restless(const ElvModel* model, const double* rate) {
    const ElvDevice* restless = NULL;
    double fastest = 0.0;
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        for (int k = device->i_z; k < device->i_z + device->n_z; k++) {
            if (device->is_differential && !device->ops->initial && fabs(rate[k]) > fastest) {
                fastest = fabs(rate[k]);
                restless = device;
            }
        }
    }
    return restless;
}

void elv_device_input(const ElvModel* model, ElvData* data, const ElvState* state) {
    ElvScene scene = {model, data, state, NULL};
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        if (device->ops->input) {
            device->ops->input(device, &scene);
        }
    }
}

void elv_device_effort(const ElvModel* model,
                       ElvData* data,
                       const ElvState* state,
                       double* upsilon) {
    ElvScene scene = {model, data, state, NULL};
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        if (device->ops->effort) {
            device->ops->effort(device, &scene, upsilon);
        }
    }
}

double elv_closure_resolution(const ElvScene* scene) {
    double half = scene->rule && scene->rule->step > 0.0 ? scene->rule->step : 1.0;
    return fmin(0.05, fmax(1e-5, half * half * 1e6));
}

void elv_device_load(const ElvModel* model, ElvData* data, const ElvState* state) {
    ElvScene scene = {model, data, state, NULL};
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        if (device->ops->load) {
            device->ops->load(device, &scene);
        }
    }
}

void elv_channel_pass(const ElvModel* model, ElvData* data, const ElvState* state) {
    for (int j = 0; j < model->n_node; j++) {
        const ElvNode* node = &model->node[j];
        ElvJointInput in = elv_joint_input(model, data, node, state);
        for (int i = 0; i < node->joint->n_channel; i++) {
            node->joint->ops->channel(node->joint, data->work[j], &in, i,
                                      &data->channel[node->i_channel + i]);
        }
    }
}

void elv_device_see(const ElvModel* model, ElvData* data, const ElvState* state) {
    if (data->source) {
        data->source->channels(data->source->owner, data);
        return;
    }
    elv_kinematics(model, data, state);
    elv_device_input(model, data, state);
    elv_channel_pass(model, data, state);
}

void elv_device_equation(const ElvScene* scene, double* c, double* size) {
    for (int i = 0; i < scene->model->n_device; i++) {
        const ElvDevice* device = scene->model->device[i];
        if (device->n_z > 0) {
            device->ops->equation(device, scene, c + device->i_z, size + device->i_z);
        }
    }
}

static void project(const ElvModel* model, ElvData* data, bool is_whole, double* tau) {
    for (int j = model->n_node - 1; j >= 0; j--) {
        const ElvNode* node = &model->node[j];
        int n_v = is_whole || elv_has_free_screws(node) ? node->joint->n_v : 0;
        double* e_root = data->e + (size_t)node->parent_port * 6;
        for (int p = 0; p < node->joint->n_port; p++) {
            const double* e = data->e + (size_t)(node->i_port + p) * 6;
            const ElvTwist* screw = data->screw + node->i_screw + (size_t)(p * n_v);
            ElvWrench W = elv_wrench_from_array(e);
            for (int k = 0; k < n_v; k++) {
                tau[node->i_v + k] += elv_power(screw[k], W);
            }
            for (int i = 0; i < 6; i++) {
                e_root[i] += e[i];
            }
        }
    }
}

void elv_project_wrenches(const ElvModel* model, ElvData* data, double* tau) {
    elv_screw_pass(model, data);
    project(model, data, true, tau);
}

void elv_project_free(const ElvModel* model, ElvData* data, double* tau) {
    project(model, data, false, tau);
}

void elv_device_variation(const ElvModel* model, ElvData* data, const ElvState* state) {
    ElvScene scene = {model, data, state, NULL};
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        if (device->ops->variation) {
            device->ops->variation(device, &scene);
        }
    }
}

void elv_device_tangent(const ElvModel* model, ElvData* data, const ElvState* state) {
    ElvScene scene = {model, data, state, NULL};
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        if (device->ops->tangent) {
            device->ops->tangent(device, &scene);
        }
    }
}

const ElvDevice* elv_device_follow(const ElvModel* model, ElvData* data, ElvState* state) {
    ElvScene scene = {model, data, state, NULL};
    const ElvDevice* unresolved = NULL;
    if (model->nz == 0) {
        return NULL;
    }
    elv_kinematics(model, data, state);
    elv_channel_pass(model, data, state);
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        if (device->n_z > 0 && device->is_differential) {
            device->ops->equation(device, &scene, state->z_rate + device->i_z, data->d_c);
        } else if (device->n_z > 0 && device->ops->resolve) {
            device->ops->resolve(device, &scene, state->z + device->i_z);
        } else if (device->n_z > 0) {
            if (device->ops->start) {
                device->ops->start(device, &scene, state->z + device->i_z);
            }
            unresolved = unresolved ? unresolved : device;
        }
    }
    return unresolved;
}

// whether the imposed motion of a joint between bodies is a number
static ElvStatus check_motion(const ElvJoint* joint, const char* name, double t, ElvError* error) {
    enum { N_MAX = 7 };
    double part[3][N_MAX] = {{0.0}};
    if (!joint->is_motion_driven || joint->n_q > N_MAX) {
        return ELV_OK;
    }
    joint->ops->impose(joint, t, part[0], part[1], part[2]);
    for (int i = 0; i < 3 * N_MAX; i++) {
        if (!isfinite(part[i / N_MAX][i % N_MAX])) {
            return elv_error_set(error, ELV_ERROR_NUMERIC, name, "motion",
                                 "the imposed motion of '%s'%s is not a number at t = %.9g", name,
                                 i < N_MAX ? "" : " has a time derivative that", t);
        }
    }
    return ELV_OK;
}

ElvStatus elv_device_check(const ElvModel* model, double t, ElvError* error) {
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        ElvStatus status = device->ops->check ? device->ops->check(device, t, error) : ELV_OK;
        if (status != ELV_OK) {
            return status;
        }
    }
    for (int i = 0; i < model->n_node; i++) {
        const ElvJoint* joint = model->node[i].joint;
        ElvStatus status = joint->ops->check ? joint->ops->check(joint, t, error)
                                             : check_motion(joint, model->node[i].name, t, error);
        if (status != ELV_OK) {
            return status;
        }
    }
    return ELV_OK;
}

void elv_device_place(const ElvModel* model, ElvData* data, ElvState* state) {
    ElvScene scene = {model, data, state, NULL};
    bool has_forward = false;
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        if (device->n_place > 0) {
            if (!has_forward) {
                elv_kinematics(model, data, state);
                has_forward = true;
            }
            device->ops->start(device, &scene, state->z + device->i_z);
        }
    }
}

void elv_device_release(const ElvModel* model, double* z) {
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        if (device->ops->motion) {
            memset(z + device->i_z, 0, (size_t)(device->n_z - device->n_place) * sizeof *z);
        }
    }
}

ElvStatus elv_device_range(const ElvModel* model, const ElvState* state, ElvError* error) {
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        ElvStatus status =
            device->ops->range ? device->ops->range(device, model, state, error) : ELV_OK;
        if (status != ELV_OK) {
            return status;
        }
    }
    return ELV_OK;
}
