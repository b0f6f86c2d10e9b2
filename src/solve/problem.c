// SPDX-License-Identifier: Apache-2.0
// The equations of one time step or load step: the state at the unknown nu, its residual, and how
// large a residual is.
//
// The residual of each component is measured against the largest effort (what acts or what resists)
// that the component has met so far, but no finer than a thousandth of the largest of all.
#include "multibody/tidm.h"
#include "solve/newton.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// A component's efforts count no less than this fraction of the largest ones.
static const double SCALE_FLOOR = 1e-3;

/// Where constraints move a robot without effort: efforts that move a coordinate by less than this are as small
/// as rounding, with the tolerance of Newton.
static const double FINEST = 1e-5;

/// Numbers that are larger end in overflow when energies are made of them.
static const double WILD = 1e100;

/// A constraint with a larger relative residual is open.
static const double OPEN = 1e-6;

ElvStatus elv_problem_create(const ElvModel* model, ElvProblem* problem, ElvError* error) {
    memset(problem, 0, sizeof *problem);
    problem->model = model;
    double** part[] = {&problem->f,     &problem->h,      &problem->nu,     &problem->trial,
                       &problem->d_nu,  &problem->w,      &problem->w_dot,  &problem->residual,
                       &problem->scale, &problem->d_next, &problem->before, &problem->bound};
    size_t n_part = sizeof part / sizeof part[0];
    size_t nz = (size_t)model->nz;
    size_t n = (size_t)model->nv + nz;
    double* block = calloc((size_t)model->nq + n_part * n + 3 * nz + 1, sizeof *block);
    ElvStatus status = block ? elv_data_create(model, &problem->data, error)
                             : elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    if (status == ELV_OK) {
        status = elv_state_create(model, &problem->state, error);
    }
    problem->q_n = block;
    if (status != ELV_OK) {
        elv_problem_free(problem);
        return status;
    }
    for (size_t i = 0; i < n_part; i++) {
        *part[i] = block + (size_t)model->nq + i * n;
    }
    problem->n = (int)n;
    problem->size = block + (size_t)model->nq + n_part * n;
    problem->z_n = problem->size + nz;
    problem->rule = (ElvBorderRule){.z_n = problem->z_n, .rate_n = problem->z_n + nz};
    return ELV_OK;
}

void elv_problem_free(ElvProblem* problem) {
    free(problem->q_n);
    elv_data_free(problem->data);
    elv_state_free(problem->state);
    memset(problem, 0, sizeof *problem);
}

// ---- the state at nu

void elv_problem_chart(ElvProblem* problem, const ElvState* from) {
    const ElvModel* model = problem->model;
    memcpy(problem->q_n, from->q, (size_t)from->nq * sizeof *from->q);
    for (int j = 0; j < model->n_node; j++) {
        const ElvNode* node = &model->node[j];
        node->joint->ops->chart_rates(node->joint, from->q + node->i_q, from->v + node->i_v,
                                      from->a + node->i_v, problem->w + node->i_v,
                                      problem->w_dot + node->i_v);
    }
    size_t nz = (size_t)model->nz;
    memcpy(problem->z_n, from->z, nz * sizeof(double));
    memcpy(problem->z_n + nz, from->z_rate, nz * sizeof(double));
    memset(problem->nu + model->nv, 0, nz * sizeof(double));
}

void elv_chart_state(const ElvModel* model,
                     const double* q_n,
                     const double* nu,
                     const double* w,
                     const double* w_dot,
                     ElvState* state) {
    for (int j = 0; j < model->n_node; j++) {
        const ElvNode* node = &model->node[j];
        node->joint->ops->chart_state(node->joint, q_n + node->i_q, nu + node->i_v, w + node->i_v,
                                      w_dot + node->i_v, state->q + node->i_q, state->v + node->i_v,
                                      state->a + node->i_v);
    }
    elv_state_impose(model, state);
}

void elv_problem_place(ElvProblem* problem, const double* nu) {
    const ElvModel* model = problem->model;
    ElvState* state = problem->state;
    for (int i = 0; i < model->nv; i++) {
        problem->w[i] = problem->is_static ? 0.0 : problem->a * nu[i] + problem->f[i];
        problem->w_dot[i] = problem->is_static ? 0.0 : problem->b * nu[i] + problem->h[i];
    }
    elv_chart_state(model, problem->q_n, nu, problem->w, problem->w_dot, state);
    for (int k = 0; k < model->nz; k++) {
        state->z[k] = problem->z_n[k] + nu[model->nv + k];
    }
    if (problem->is_static) {
        memset(state->v, 0, (size_t)model->nv * sizeof *state->v);
        memset(state->a, 0, (size_t)model->nv * sizeof *state->a);
    }
}

void elv_problem_settle(ElvProblem* problem, double dt, const double* w_start) {
    const ElvModel* model = problem->model;
    const ElvState* state = problem->state;
    for (int j = 0; j < model->n_node; j++) {
        const ElvNode* node = &model->node[j];
        if (!node->joint->is_motion_driven && !node->joint->driven) {
            continue;
        }
        // where some coordinates are free, the chart is a vector, and their rates stay as they are
        node->joint->ops->chart_rates(node->joint, state->q + node->i_q, state->v + node->i_v,
                                      state->a + node->i_v, problem->w + node->i_v,
                                      problem->w_dot + node->i_v);
        for (int i = node->i_v; i < node->i_v + node->joint->n_v; i++) {
            double step = 0.5 * dt * (w_start[i] + problem->w[i]);
            problem->nu[i] = model->is_driven[i] ? step : problem->nu[i];
        }
    }
}

// ---- the residual and its size

void elv_problem_residual(ElvProblem* problem, const double* nu) {
    const ElvModel* model = problem->model;
    elv_problem_place(problem, nu);
    elv_residual(model, problem->data, problem->state, problem->residual);
    for (int i = 0; i < model->nv; i++) {
        problem->residual[i] = model->is_driven[i] ? 0.0 : problem->residual[i];
    }
    if (model->nz > 0) {
        elv_border_equation(model, problem->data, problem->state, &problem->rule,
                            problem->residual + model->nv, problem->size);
    }
}

// the largest of what acts and what resists on component i, at the last evaluation
static double effort_at(const ElvProblem* problem, int i) {
    double inertial = fabs(problem->residual[i] + problem->data->upsilon[i]);
    double effort = fmax(inertial, problem->data->effort[i]);
    return problem->model->is_driven[i] || !(effort < WILD) ? 0.0 : effort;
}

// how large the efforts of a constraint are: of its equations, or by the force of one that has none
static double constraint_effort(const ElvProblem* problem, const ElvDevice* device) {
    double largest = 0.0;
    const double* z = problem->state->z + device->i_z;
    for (int k = 0; k < device->n_z && device->ops->is_effort; k++) {
        double own = device->ops->is_effort(device, k) ? problem->size[device->i_z + k] : 0.0;
        largest = isfinite(own) ? fmax(largest, own) : largest;
    }
    if (largest == 0.0 && device->ops->motion && device->n_z >= 6) {
        largest = problem->model->size * elv_vec3_norm(elv_vec3(z[3], z[4], z[5]));
    }
    return isfinite(largest) ? largest : 0.0;
}

// efforts of constraints and in the tree: neither much finer than the other
static void raise_efforts(const ElvProblem* problem, double* scale) {
    const ElvModel* model = problem->model;
    double largest = 0.0;
    for (int i = 0; i < model->n_device; i++) {
        largest = fmax(largest, constraint_effort(problem, model->device[i]));
    }
    for (int i = 0; i < model->nv; i++) {
        scale[i] = model->is_driven[i] ? scale[i] : fmax(scale[i], SCALE_FLOOR * largest);
        largest = fmax(largest, scale[i]);
    }
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        for (int k = 0; k < device->n_z && device->ops->is_effort; k++) {
            double* own = &scale[model->nv + device->i_z + k];
            *own = device->ops->is_effort(device, k) ? fmax(*own, SCALE_FLOOR * largest) : *own;
        }
    }
}

void elv_problem_raise(const ElvProblem* problem, double* scale) {
    for (int i = 0; i < problem->model->nv; i++) {
        scale[i] = fmax(scale[i], effort_at(problem, i));
    }
    for (int k = 0; k < problem->model->nz; k++) {
        double* of_device = &scale[problem->model->nv + k];
        *of_device = isfinite(problem->size[k]) ? fmax(*of_device, problem->size[k]) : *of_device;
    }
    if (problem->model->is_constrained) {
        raise_efforts(problem, scale);
    }
}

void elv_problem_floor(ElvProblem* problem) {
    const ElvModel* model = problem->model;
    for (int j = 0; j < model->n_node && model->is_constrained; j++) {
        const ElvNode* node = &model->node[j];
        const double* LU = problem->data->eliminated[j].LU;
        int n = node->joint->n_v;
        for (int k = 0; k < n; k++) {
            bool is_driven = model->is_driven[node->i_v + k];
            double floor = is_driven ? 0.0 : FINEST * fabs(LU[k * n + k]);
            double* scale = &problem->scale[node->i_v + k];
            *scale = isfinite(floor) ? fmax(*scale, floor) : *scale;
        }
    }
}

double elv_residual_norm(int n, const double* residual, const double* scale) {
    double largest = 0.0;
    double norm = 0.0;
    for (int i = 0; i < n; i++) {
        largest = fmax(largest, scale[i]);
    }
    for (int i = 0; i < n; i++) {
        double size = fabs(residual[i]);
        if (!isfinite(size)) {
            return NAN;
        }
        double bound = fmax(scale[i], SCALE_FLOOR * largest);
        // where nothing acts, only a vanishing residual is small
        norm = fmax(norm, bound > 0.0 ? size / bound : size > 0.0 ? INFINITY : 0.0);
    }
    return norm;
}

double elv_problem_norm(const ElvProblem* problem, const double* residual, const double* scale) {
    int nv = problem->model->nv;
    double norm = elv_residual_norm(nv, residual, scale);
    for (int i = nv; i < problem->n && !isnan(norm); i++) {
        double size = fabs(residual[i]);
        double one = size == 0.0 ? 0.0 : scale[i] > 0.0 ? size / scale[i] : INFINITY;
        norm = isfinite(size) ? fmax(norm, one) : NAN;
    }
    return norm;
}

void elv_problem_solve(ElvProblem* problem, const double* residual, double* step) {
    int nv = problem->model->nv;
    elv_border_solve(problem->model, problem->data, problem->state, &problem->rule, residual,
                     residual + nv, step, step + nv);
}

double elv_problem_evaluate(ElvProblem* problem, const double* nu) {
    elv_problem_residual(problem, nu);
    elv_problem_raise(problem, problem->scale);
    return elv_problem_norm(problem, problem->residual, problem->scale);
}

double elv_problem_guess(ElvProblem* problem) {
    elv_problem_residual(problem, problem->nu);
    problem->is_current = true;
    return elv_problem_norm(problem, problem->residual, problem->scale);
}

bool elv_problem_is_finite(const ElvProblem* problem) {
    const ElvState* state = problem->state;
    double largest = 0.0;
    for (int i = 0; i < state->nq; i++) {
        largest = fmax(largest, isfinite(state->q[i]) ? fabs(state->q[i]) : INFINITY);
    }
    for (int i = 0; i < state->nv; i++) {
        double v = isfinite(state->v[i]) ? fabs(state->v[i]) : INFINITY;
        double a = isfinite(state->a[i]) ? fabs(state->a[i]) : INFINITY;
        largest = fmax(largest, fmax(v, a));
    }
    for (int k = 0; k < state->nz; k++) {
        largest = fmax(largest, isfinite(state->z[k]) ? fabs(state->z[k]) : INFINITY);
    }
    return largest < WILD;
}

// the device that owns unknown k
static const char* device_name(const ElvModel* model, int k) {
    const char* name = "";
    for (int i = 0; i < model->n_device; i++) {
        const ElvDevice* device = model->device[i];
        name = k >= device->i_z && k < device->i_z + device->n_z ? device->name : name;
    }
    return name;
}

const char* elv_problem_culprit(const ElvProblem* problem, const ElvNewtonReport* report) {
    const ElvModel* model = problem->model;
    if (report->singular_node >= model->n_node) {
        return device_name(model, report->singular_node - model->n_node);
    }
    if (report->singular_node >= 0) {
        return model->node[report->singular_node].name;
    }
    const char* name = "";
    double worst = -1.0;
    for (int j = 0; j < model->n_node; j++) {
        const ElvNode* node = &model->node[j];
        for (int k = node->i_v; k < node->i_v + node->joint->n_v; k++) {
            double ratio = fabs(problem->residual[k]) / fmax(problem->scale[k], 1e-300);
            if (!(ratio <= worst)) {
                worst = ratio;
                name = node->name;
            }
        }
    }
    for (int k = 0; k < model->nz; k++) {
        int i = model->nv + k;
        double ratio = fabs(problem->residual[i]) / fmax(problem->scale[i], 1e-300);
        if (!(ratio <= worst)) {
            worst = ratio;
            name = device_name(model, k);
        }
    }
    return name;
}

const char* elv_problem_open_loop(const ElvProblem* problem, double* gap) {
    const ElvModel* model = problem->model;
    double worst = OPEN;
    int held = -1;
    for (int i = model->nv; i < problem->n && model->is_constrained; i++) {
        double ratio = fabs(problem->residual[i]) / fmax(problem->scale[i], 1e-300);
        if (model->is_held[i - model->nv] && !(ratio <= worst)) {
            worst = ratio;
            held = i;
        }
    }
    *gap = held >= 0 ? fabs(problem->residual[held]) : 0.0;
    return held >= 0 ? device_name(model, held - model->nv) : NULL;
}
