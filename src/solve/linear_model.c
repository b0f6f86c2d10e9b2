// SPDX-License-Identifier: Apache-2.0
// Linear models about a state: x = (d_nu, d_w), and with the matrices of linearize.c
//     A = [S, I; -M^-1 K, -M^-1 D],   B = [0; -M^-1 U]
// where U is how the inputs enter the residual (linear_input.c, linear_feed.c). With what devices remember
// and with rigid constraints it is the solution of linear_form.c. Outputs are in linear_output.c.
// Closed robots are looked at at rest, as in statics: drives stand still.
#include "solve/linear_model.h"

#include "multibody/integral_control.h"
#include "multibody/tidm.h"
#include "solve/newton.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Motion, in rad or sizes of the robot, by which coordinates are moved for differences.
static const double MOTION = 1e-3;

/// A state with no more than this relative residual is in balance: its constraint forces are those it has.
static const double BALANCED = 1e-6;

static ElvStatus out_of_memory(ElvError* error) {
    return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
}

// ---- buffers

static ElvStatus take_buffers(ElvLinearizer* l, ElvError* error) {
    ElvLinearModel* form = &l->form;
    const ElvBorder* border = &l->matrices.border;
    size_t nv = (size_t)l->model->nv;
    size_t nz = (size_t)l->model->nz;
    size_t x = 2 * (size_t)border->n_free + (size_t)border->n_own;
    size_t u = (size_t)form->n_input;
    size_t y = (size_t)form->n_output;
    struct {
        double** at;
        size_t n;
    } part[] = {
        {&form->A, x * x},
        {&form->B, x * u},
        {&form->C, y * x},
        {&form->D, y * u},
        {&l->U, nv * u},
        {&l->V, nz * u},
        {&l->nu, nv},
        {&l->w, nv},
        {&l->w_dot, nv},
        {&l->z, nz},
        {&l->w_base, nv},
        {&l->w_dot_base, nv},
        {&l->low, y},
        {&l->high, y},
        {&l->near, y},
        {&l->step, nv},
        {&l->z_of, nz * (x + u)},
        {&l->w_dot_of, (size_t)l->matrices.n * (x + u)},
    };
    for (size_t i = 0; i < sizeof part / sizeof part[0]; i++) {
        *part[i].at = elv_pool_take(&l->pool, part[i].n, sizeof(double));
        if (!*part[i].at) {
            return out_of_memory(error);
        }
    }
    l->point = elv_pool_take(&l->pool, (size_t)l->model->n_point + 1, sizeof *l->point);
    form->n_state = (int)x;
    form->y = l->near;
    return l->point ? elv_law_constant(1.0, &l->one, error) : out_of_memory(error);
}

// "KIND.NAME.z.K" or, of the integral of a joint's controller, "NODE.z.K"
static const char* name_memory(ElvLinearizer* l, int z) {
    char text[3 * ELV_SIZE_NAME] = "";
    for (int i = 0; i < l->model->n_device; i++) {
        const ElvDevice* device = l->model->device[i];
        bool is_it = z >= device->i_z && z < device->i_z + device->n_z;
        if (is_it && device->ops == &ELV_INTEGRAL_CONTROL_OPS) {
            snprintf(text, sizeof text, "%.96s.z.%d", device->name,
                     ((const ElvIntegralControl*)device)->component);
        } else if (is_it) {
            snprintf(text, sizeof text, "%s.%.96s.z.%d", device->ops->kind, device->name,
                     z - device->i_z);
        }
    }
    return elv_pool_string(&l->pool, text);
}

// "NODE.nu.K", "NODE.w.K" and what devices remember
static ElvStatus name_states(ElvLinearizer* l, ElvError* error) {
    const ElvBorder* border = &l->matrices.border;
    int n = border->n_free;
    const char** name = elv_pool_take(&l->pool, (size_t)l->form.n_state + 1, sizeof *name);
    l->form.state_name = name;
    for (int i = 0; i < n && name; i++) {
        int i_v = l->matrices.index[border->n_rigid > 0 ? border->free_index[i] : i];
        int j = 0;
        while (j + 1 < l->model->n_node && l->model->node[j + 1].i_v <= i_v) {
            j++;
        }
        const ElvNode* node = &l->model->node[j];
        char text[2 * ELV_SIZE_NAME];
        snprintf(text, sizeof text, "%.96s.nu.%d", node->name, i_v - node->i_v);
        name[i] = elv_pool_string(&l->pool, text);
        snprintf(text, sizeof text, "%.96s.w.%d", node->name, i_v - node->i_v);
        name[n + i] = elv_pool_string(&l->pool, text);
        name = name[i] && name[n + i] ? name : NULL;
    }
    for (int i = 0; i < border->n_own && name; i++) {
        name[2 * n + i] = name_memory(l, border->own[i]);
        name = name[2 * n + i] ? name : NULL;
    }
    return name ? ELV_OK : out_of_memory(error);
}

static ElvStatus name_outputs(ElvLinearizer* l, ElvError* error) {
    const char** name = elv_pool_take(&l->pool, (size_t)l->form.n_output + 1, sizeof *name);
    for (int i = 0; i < l->form.n_output && name; i++) {
        name[i] = elv_pool_string(&l->pool, elv_signals_column_name(l->signals, i));
        name = name[i] ? name : NULL;
    }
    l->form.output_name = name;
    return name ? ELV_OK : out_of_memory(error);
}

// accelerations of the base; where it is not in balance also its constraint forces
static ElvStatus accelerate(ElvLinearizer* l, ElvError* error) {
    if (!l->model->is_constrained) {
        return elv_forward_dynamics(l->model, l->data, l->base, error);
    }
    ElvProblem problem;
    ElvStatus status = elv_problem_create(l->model, &problem, error);
    if (status != ELV_OK) {
        return status;
    }
    l->data->is_static = true;
    problem.data->is_static = true;
    problem.is_static = true;
    problem.state->t = l->base->t;
    elv_problem_chart(&problem, l->base);
    memset(l->base->a, 0, (size_t)l->base->nv * sizeof *l->base->a);
    bool is_known = elv_problem_evaluate(&problem, problem.nu) <= BALANCED;
    if (!is_known && !elv_consistent_acceleration(&problem, l->base)) {
        status = elv_error_set(error, ELV_ERROR_SINGULAR, "", "",
                               "constraints and masses do not determine the accelerations: give "
                               "every direction a mass");
    }
    elv_problem_free(&problem);
    return status;
}

static ElvStatus open_linearizer(ElvLinearizer* l,
                                 const ElvState* state,
                                 const char* const* output,
                                 int n_output,
                                 ElvError* error) {
    ElvStatus status = elv_matrices_create(l->model, &l->matrices, error);
    status = status == ELV_OK ? elv_data_create(l->model, &l->data, error) : status;
    status = status == ELV_OK ? elv_state_create(l->model, &l->base, error) : status;
    status = status == ELV_OK ? elv_state_create(l->model, &l->trial, error) : status;
    if (status == ELV_OK) {
        status = elv_signals_create(l->model, output, n_output, &l->signals, error);
    }
    if (status == ELV_OK) {
        elv_state_copy(l->base, state);
        l->form.n_output = elv_signals_n_column(l->signals);
        status = accelerate(l, error);
        elv_state_copy(l->trial, l->base);
    }
    return status == ELV_OK ? elv_matrices_fill(l->model, l->data, l->base, &l->matrices, error)
                            : status;
}

static void close_linearizer(ElvLinearizer* l) {
    elv_matrices_free(&l->matrices);
    elv_data_free(l->data);
    elv_state_free(l->base);
    elv_state_free(l->trial);
    elv_signals_free(l->signals);
    elv_law_free(l->one);
    l->data = NULL;
    l->base = l->trial = NULL;
    l->signals = NULL;
    l->one = NULL;
}

void elv_linear_model_free(ElvLinearModel* linear) {
    ElvLinearizer* l = (ElvLinearizer*)linear;
    if (l) {
        close_linearizer(l);
        elv_pool_free(&l->pool);
        free(l);
    }
}

// ---- the whole

// by how much each coordinate is moved: its own motion of bodies and, on the average, of masses counts
static void choose_steps(ElvLinearizer* l) {
    const ElvModel* model = l->model;
    const ElvMatrices* matrices = &l->matrices;
    size_t n = (size_t)matrices->n;
    double size = 0.0;
    for (int j = 0; j < model->n_node; j++) {
        size += model->node[j].info.length;
    }
    for (int p = 1; p < model->n_port; p++) {
        size = fmax(size, elv_vec3_norm(l->data->port[p].g.p));
    }
    size = size > 0.0 ? size : 1.0;
    double mass = elv_model_mass(model) * size * size;
    for (size_t i = 0; i < n; i++) {
        int i_v = matrices->index[i];
        double motion = mass > 0.0 ? sqrt(fmax(matrices->M[i * n + i], 0.0) / mass) : 0.0;
        l->nu[i_v] = 1.0;
        elv_tidm_apply(model, l->data, l->nu, l->w);
        l->nu[i_v] = 0.0;
        for (int p = 1; p < model->n_port; p++) {
            const double* x = l->data->x + (size_t)p * ELV_N_VARIATION;
            motion = fmax(motion, elv_vec3_norm(elv_vec3(x[0], x[1], x[2])));
            motion = fmax(motion, elv_vec3_norm(elv_vec3(x[3], x[4], x[5])) / size);
        }
        l->step[i_v] = motion > 0.0 ? MOTION / motion : MOTION;
    }
}

static ElvStatus build(ElvLinearizer* l, ElvError* error) {
    ElvStatus status = take_buffers(l, error);
    status = status == ELV_OK ? name_states(l, error) : status;
    status = status == ELV_OK ? name_outputs(l, error) : status;
    if (status != ELV_OK) {
        return status;
    }
    for (int j = 0; j < l->model->n_node; j++) {
        const ElvNode* node = &l->model->node[j];
        node->joint->ops->chart_rates(node->joint, l->base->q + node->i_q, l->base->v + node->i_v,
                                      l->base->a + node->i_v, l->w_base + node->i_v,
                                      l->w_dot_base + node->i_v);
    }
    choose_steps(l);
    status = elv_linear_feed(l, error);
    status = status == ELV_OK ? elv_linear_form(l, error) : status;
    return status == ELV_OK ? elv_linear_outputs(l, error) : status;
}

ElvStatus elv_linear_model_create(const ElvModel* model,
                                  const ElvState* state,
                                  const char* const* input,
                                  int n_input,
                                  const char* const* output,
                                  int n_output,
                                  ElvLinearModel** linear,
                                  ElvError* error) {
    *linear = NULL;
    elv_error_clear(error);
    ElvLinearizer* l = calloc(1, sizeof *l);
    if (!l) {
        return out_of_memory(error);
    }
    l->model = model;
    l->output = output;
    l->n_output = n_output;
    ElvStatus status = open_linearizer(l, state, output, n_output, error);
    status = status == ELV_OK ? elv_linear_inputs(l, input, n_input, error) : status;
    status = status == ELV_OK ? build(l, error) : status;
    if (status != ELV_OK) {
        elv_linear_model_free(&l->form);
        return status;
    }
    close_linearizer(l);
    *linear = &l->form;
    return ELV_OK;
}
