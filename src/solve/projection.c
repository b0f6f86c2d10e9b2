// SPDX-License-Identifier: Apache-2.0
// The constraints of a model at a shape, as a dense system: what holds, how far it is from being closed, what
// it does to coordinates, and the forces on these. Springs and motors of loops act by the smallest wrenches
// that carry their efforts; multipliers are left out.
#include "solve/projection.h"

#include "linalg/min_norm.h"
#include "multibody/coupling.h"
#include "multibody/loop.h"
#include "multibody/tidm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DENSE = 500 };

/// Pivots below this, rows and columns scaled, are zero.
static const double RANK_TOL = 1e-10;

// ---- life cycle

// whether the unknowns of a device are wrenches of constraints
static bool is_constraint(const ElvDevice* device) {
    return device->ops == &ELV_LOOP_OPS || device->ops == &ELV_COUPLING_OPS;
}

// unknowns of other devices must be known at a shape
static ElvStatus check_model(const ElvModel* model, ElvError* error) {
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        bool follows = device->ops->resolve && !device->ops->motion;
        bool is_known = device->n_z == 0 || device->is_differential || follows;
        if (!is_known && !is_constraint(device)) {
            return elv_error_set(error, ELV_ERROR_INPUT, device->name, "",
                                 "the projective method can hold loops and couplings, but not "
                                 "'%s' (%s): take 'method: newton' or 'method: relaxation'",
                                 device->name, device->ops->kind);
        }
    }
    if (model->nv > MAX_DENSE) {
        return elv_error_set(error, ELV_ERROR_INPUT, "", "statics.method",
                             "the projective method is for at most %d coordinates, and the model "
                             "has %d: take 'method: newton' or 'method: relaxation'",
                             (int)MAX_DENSE, model->nv);
    }
    return ELV_OK;
}

// coordinates and rows in use
static void list(const ElvModel* model, ElvProjection* p) {
    for (int i = 0; i < model->nv; i++) {
        if (!model->is_driven[i]) {
            p->coordinate[p->n++] = i;
        }
    }
    for (int k = 0; k < model->nz; k++) {
        if (model->is_held[k]) {
            p->row[p->n_row++] = k;
        }
    }
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        for (int k = device->i_z; k < device->i_z + device->n_z && is_constraint(device); k++) {
            if (!model->is_held[k]) {
                p->effort_row[p->n_effort++] = k;
            }
        }
    }
    p->n_square = p->n > p->n_row ? p->n : p->n_row;
}

// places of all buffers in a block, whose length is returned; NULL: to measure it
static size_t place(const ElvModel* model, ElvProjection* p, double* block) {
    size_t nv = (size_t)model->nv;
    size_t nz = (size_t)model->nz;
    size_t most = nv > nz ? nv : nz;
    const struct {
        double** part;
        size_t n;
    } parts[] = {
        {&p->J, nz * nv},
        {&p->defect, nz},
        {&p->force, nv},
        {&p->D, nv * nv},
        {&p->rate, nv},
        {&p->direction, nv},
        {&p->stage, 4 * nv},
        {&p->scale, nv},
        {&p->row_scale, nz},
        {&p->factor, most * most},
        {&p->work, (size_t)elv_min_norm_work((int)most)},
        {&p->H, nv * most},
        {&p->DH, 2 * nv * nv},
        {&p->particular, most},
        {&p->vector, most},
        {&p->reduced, nv},
        {&p->d_z, nz},
        {&p->d_c, nz},
        {&p->effort, nz * nz},
        {&p->z_work, (size_t)elv_min_norm_work((int)nz)},
    };
    size_t size = 0;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        *parts[i].part = block ? block + size : NULL;
        size += parts[i].n;
    }
    return size;
}

ElvStatus
elv_projection_create(const ElvModel* model, ElvProjection** projection, ElvError* error) {
    *projection = NULL;
    ElvStatus status = check_model(model, error);
    if (status != ELV_OK) {
        return status;
    }
    size_t nv = (size_t)model->nv;
    size_t nz = (size_t)model->nz;
    ElvProjection* p = calloc(1, sizeof *p);
    int* index = calloc(2 * nv + 4 * nz + 1, sizeof *index);
    double* block = p ? calloc(place(model, p, NULL) + 1, sizeof *block) : NULL;
    if (!p || !index || !block) {
        free(p);
        free(index);
        free(block);
        return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    (void)place(model, p, block);
    p->model = model;
    p->coordinate = index;
    p->row = index + nv;
    p->effort_row = p->row + nz;
    p->z_column = p->effort_row + nz;
    p->column = p->z_column + nz;
    list(model, p);
    *projection = p;
    return ELV_OK;
}

void elv_projection_free(ElvProjection* projection) {
    if (projection) {
        free(projection->J);
        free(projection->coordinate);
        free(projection);
    }
}

void elv_projection_damp(ElvProjection* projection, const double* block) {
    const ElvModel* model = projection->model;
    size_t n = (size_t)projection->n;
    size_t first = 0;
    memset(projection->D, 0, n * n * sizeof *projection->D);
    for (int j = 0; j < model->n_node; j++) {
        const ElvJoint* joint = model->node[j].joint;
        int n_v = joint->n_v;
        size_t row = first;
        for (int i = 0; i < n_v; i++) {
            size_t column = first;
            for (int k = 0; k < n_v && !elv_joint_is_driven(joint, i); k++) {
                if (!elv_joint_is_driven(joint, k)) {
                    projection->D[row * n + column++] =
                        0.5 * (block[i * n_v + k] + block[k * n_v + i]);
                }
            }
            row += elv_joint_is_driven(joint, i) ? 0 : 1;
        }
        first = row;
        block += (size_t)n_v * (size_t)n_v;
    }
}

// ---- the constraints at a shape

// d_c of all constraints under data->x, d_nu and d_z
static void all_rows(ElvProjection* p, const ElvScene* scene, const double* d_nu) {
    for (int i = 0; i < p->model->n_device; i++) {
        const ElvDevice* device = p->model->device[i];
        if (is_constraint(device)) {
            device->ops->row(device, scene, d_nu, p->d_z, p->d_c + device->i_z);
        }
    }
}

// J and the defects, after elv_tidm_pass; for a clamped tip J is that of its twist     [P20 (51)-(53), (58)]
static void set_rows(ElvProjection* p, ElvProblem* problem) {
    const ElvModel* model = p->model;
    ElvData* data = problem->data;
    ElvScene scene = {model, data, problem->state, &problem->rule};
    double* d_nu = problem->d_nu;
    memset(d_nu, 0, (size_t)model->nv * sizeof *d_nu);
    memset(p->d_z, 0, (size_t)model->nz * sizeof *p->d_z);
    memset(data->x, 0, ELV_N_VARIATION * sizeof *data->x);
    for (int j = 0; j < p->n && p->n_row > 0; j++) {
        d_nu[p->coordinate[j]] = 1.0;
        elv_tree_move(model, data, d_nu);
        all_rows(p, &scene, d_nu);
        d_nu[p->coordinate[j]] = 0.0;
        for (int i = 0; i < p->n_row; i++) {
            p->J[(size_t)i * (size_t)p->n + (size_t)j] = p->d_c[p->row[i]];
        }
    }
    elv_border_motion(model, data, problem->state, 0, 0.0, p->d_c);
    for (int i = 0; i < p->n_row; i++) {
        p->defect[i] = p->d_c[p->row[i]];
    }
}

// Smallest wrenches of loops that carry the efforts of their springs and motors, added to x behind the
// coordinates. Returns whether there are any.
static bool add_efforts(ElvProjection* p, ElvProblem* problem, double* x) {
    const ElvModel* model = p->model;
    ElvScene scene = {model, problem->data, problem->state, &problem->rule};
    size_t nz = (size_t)model->nz;
    const double* equation = problem->residual + model->nv;
    bool acts = false;
    for (int i = 0; i < p->n_effort; i++) {
        acts = acts || equation[p->effort_row[i]] != 0.0;
    }
    if (!acts) {
        return false;
    }
    memset(p->effort, 0, nz * nz * sizeof *p->effort);
    memset(problem->data->x, 0, (size_t)model->n_port * ELV_N_VARIATION * sizeof *problem->data->x);
    for (size_t k = 0; k < nz; k++) {
        p->d_z[k] = 1.0;
        all_rows(p, &scene, problem->d_nu);
        p->d_z[k] = 0.0;
        for (int i = 0; i < p->n_effort; i++) {
            p->effort[(size_t)i * nz + k] = p->d_c[p->effort_row[i]];
        }
    }
    memset(p->d_c, 0, nz * sizeof *p->d_c);
    for (int i = 0; i < p->n_effort; i++) {
        p->d_c[i] = -equation[p->effort_row[i]];
    }
    int rank = elv_min_norm_factor(model->nz, p->effort, p->z_work, p->z_column, RANK_TOL, -1);
    if (rank >= 0) {
        (void)elv_min_norm_solve(model->nz, rank, p->effort, p->z_work, p->z_column, p->d_c, p->d_c,
                                 p->d_z);
    }
    for (size_t k = 0; k < nz; k++) {
        x[(size_t)model->nv + k] += p->d_c[k];
    }
    return true;
}

// unknowns of devices that shapes alone decide on; wrenches of constraints are none yet
static void set_unknowns(const ElvModel* model, ElvProblem* problem, double* x) {
    double* z = x + model->nv;
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        for (int k = device->i_z; k < device->i_z + device->n_z; k++) {
            z[k] = is_constraint(device) ? -problem->z_n[k] : 0.0;
        }
    }
    elv_problem_place(problem, x);
    (void)elv_device_follow(model, problem->data, problem->state);
    for (int k = 0; k < model->nz; k++) {
        z[k] = problem->state->z[k] - problem->z_n[k];
    }
}

// the force on the free coordinates, in the chart
static void set_force(ElvProjection* p, const ElvProblem* problem) {
    const ElvModel* model = p->model;
    double* force = p->force;
    for (int j = 0; j < model->n_node; j++) {
        const ElvNode* node = &model->node[j];
        const double* N0 = problem->data->unknown[j].N0;
        const double* residual = problem->residual + node->i_v;
        int n = node->joint->n_v;
        for (int k = 0; k < n; k++) {
            if (elv_joint_is_driven(node->joint, k)) {
                continue;
            }
            *force = N0 ? 0.0 : residual[k];
            for (int i = 0; i < n && N0; i++) {
                *force += N0[i * n + k] * residual[i];
            }
            force++;
        }
    }
}

void elv_projection_see(ElvProjection* projection, ElvProblem* problem, const double* nu) {
    const ElvModel* model = projection->model;
    double* x = problem->trial;
    memcpy(x, nu, (size_t)model->nv * sizeof *x);
    set_unknowns(model, problem, x);
    elv_problem_residual(problem, x);
    elv_tidm_pass(model, problem->data, problem->state, x, 0.0, 0.0);
    set_rows(projection, problem);
    if (add_efforts(projection, problem, x)) {
        elv_problem_residual(problem, x);
    }
    set_force(projection, problem);
}
