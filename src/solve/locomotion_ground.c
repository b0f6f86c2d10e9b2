// SPDX-License-Identifier: Apache-2.0
// Whether wheels stay on their ground. A wheel holds motions along its axis and ahead; away from
// the ground, along the z axis of its frame, joints must hold it, or other constraints. With H the
// kernel of all rows, it can leave where z . V(H) is not zero.
#include "elver/locomotion.h"

#include "multibody/wheel.h"
#include "solve/reduced.h"

#include <math.h>
#include <stdlib.h>

/// Speeds below this part of the robot's size in a second are rounding.
static const double STILL = 1e-9;

// the largest speed of a wheel's frame along its z under one unit of a free motion
static double lift_of(const ElvReduced* r, const double* J) {
    const double* z = J + (size_t)5 * (size_t)r->model->nv;
    double most = 0.0;
    for (int i = 0; i < r->n_kernel; i++) {
        double sum = 0.0;
        for (int k = 0; k < r->n; k++) {
            int i_v = r->coordinate[k];
            sum += z[i_v] * r->scale[i_v] * r->H[(size_t)i * (size_t)r->n + (size_t)k];
        }
        most = fmax(most, fabs(sum));
    }
    return most;
}

static const char*
find_loose(ElvReduced* reduced, ElvData* data, const ElvState* state, double* J) {
    const ElvModel* model = reduced->model;
    if (!elv_reduced_rows(reduced, data, state, ELV_ROWS_ALL)) {
        return NULL;
    }
    elv_reduced_kernel(reduced);
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        if (elv_device_is_wheel(device)) {
            elv_frame_jacobian(model, data, state, ((const ElvWheel*)device)->frame, J);
            if (lift_of(reduced, J) > STILL * model->size) {
                return device->name;
            }
        }
    }
    return NULL;
}

const char* elv_locomotion_loose_wheel(const ElvModel* model, const ElvState* state) {
    ElvData* data = NULL;
    ElvState* own = NULL;
    ElvReduced* reduced = NULL;
    const char* name = NULL;
    double* J = malloc(((size_t)model->nv * 6 + 1) * sizeof *J);
    bool is_ready = J && elv_data_create(model, &data, NULL) == ELV_OK &&
                    elv_state_create(model, &own, NULL) == ELV_OK &&
                    elv_reduced_create(model, &reduced, NULL) == ELV_OK;
    if (is_ready) {
        elv_state_copy(own, state);
        elv_state_impose(model, own);
        name = find_loose(reduced, data, own, J);
    }
    elv_reduced_free(reduced);
    elv_state_free(own);
    elv_data_free(data);
    free(J);
    return name;
}
