// SPDX-License-Identifier: Apache-2.0
// Outputs of a linear model: derivatives of signals y(nu, w, w_dot, z, u). By nu and z: central differences
// extrapolated to order 4. By w and w_dot signals are polynomials of degree 2 and 1, for which central
// differences are exact. Accelerations and z follow from x and u (linear_form.c):
//     C = y_nu Z + y_w Z + y_w_dot w_dot_x + y_z z_x,   D = y_u + y_w_dot w_dot_u + y_z z_u.
#include "solve/linear_model.h"
#include "solve/newton.h"

#include <math.h>
#include <string.h>

/// What varies.
typedef enum { BY_NU, BY_W, BY_W_DOT, BY_Z } Variable;

/// Step of the unknowns of devices, relative to them and to 1.
static const double Z_STEP = 1e-3;

void elv_linear_evaluate(ElvLinearizer* l,
                         const ElvModel* model,
                         ElvSignals* signals,
                         double* value) {
    elv_chart_state(model, l->base->q, l->nu, l->w, l->w_dot, l->trial);
    memcpy(l->trial->z, l->z, (size_t)model->nz * sizeof *l->z);
    elv_residual(model, l->data, l->trial, l->matrices.vector);
    elv_signals_eval(signals, model, l->data, l->trial, value);
}

static void evaluate(ElvLinearizer* l, double* value) {
    elv_linear_evaluate(l, l->model, l->signals, value);
}

static void reset(ElvLinearizer* l) {
    size_t size = (size_t)l->model->nv * sizeof(double);
    memset(l->nu, 0, size);
    memcpy(l->w, l->w_base, size);
    memcpy(l->w_dot, l->w_dot_base, size);
    memcpy(l->z, l->base->z, (size_t)l->model->nz * sizeof(double));
    l->trial->t = l->base->t;
}

// (y(h) - y(-h)) / 2h by component i of a variable, in l->high
static void difference(ElvLinearizer* l, Variable variable, int i, double h) {
    double* vector[] = {l->nu, l->w, l->w_dot, l->z};
    double* at = &vector[variable][i];
    double base = *at;
    *at = base - h;
    evaluate(l, l->low);
    *at = base + h;
    evaluate(l, l->high);
    *at = base;
    for (int k = 0; k < l->form.n_output; k++) {
        l->high[k] = (l->high[k] - l->low[k]) / (2.0 * h);
    }
}

static void differentiate(ElvLinearizer* l, Variable variable, int i) {
    double h = variable == BY_Z ? Z_STEP * fmax(1.0, fabs(l->base->z[i])) : l->step[i];
    bool is_polynomial = variable == BY_W || variable == BY_W_DOT;
    // what is a polynomial anyway likes long steps
    difference(l, variable, i, is_polynomial ? 1e3 * h : h);
    if (!is_polynomial) {
        memcpy(l->near, l->high, (size_t)l->form.n_output * sizeof(double));
        difference(l, variable, i, 0.5 * h);
        for (int k = 0; k < l->form.n_output; k++) {
            l->high[k] = (4.0 * l->high[k] - l->near[k]) / 3.0;
        }
    }
}

// the derivative in l->high into C and D, by how its variable i follows from x and u
static void add_derivative(ElvLinearizer* l, Variable variable, size_t i) {
    ElvLinearModel* form = &l->form;
    size_t m = (size_t)l->matrices.border.n_free;
    size_t n_state = (size_t)form->n_state;
    size_t n_input = (size_t)form->n_input;
    const double* map = variable == BY_W_DOT ? l->w_dot_of : l->z_of;
    const double* row = map + i * (n_state + n_input);
    for (size_t k = 0; k < (size_t)form->n_output; k++) {
        double slope = l->high[k];
        double* C = form->C + k * n_state;
        if (variable == BY_NU || variable == BY_W) {
            for (size_t j = 0; j < m; j++) {
                C[(variable == BY_W ? m : 0) + j] += slope * elv_linear_basis(l, i, j);
            }
            continue;
        }
        for (size_t j = 0; j < n_state; j++) {
            C[j] += slope * row[j];
        }
        for (size_t j = 0; j < n_input; j++) {
            form->D[k * n_input + j] += slope * row[n_state + j];
        }
    }
}

// a point load adds to stresses and driving efforts without any motion: one more unit load
static void vary_load(ElvLinearizer* l, const ElvInput* input) {
    ElvModel loaded = *l->model;
    int n_point = loaded.n_point;
    memcpy(l->point, loaded.point, (size_t)n_point * sizeof *l->point);
    l->point[n_point] = loaded.point[input->i];
    for (int k = 0; k < 6; k++) {
        l->point[n_point].law[k] = k == input->k ? l->one : NULL;
    }
    l->point[n_point].when = l->one;
    loaded.point = l->point;
    loaded.n_point++;
    evaluate(l, l->low);
    elv_linear_evaluate(l, &loaded, l->signals, l->high);
    for (int k = 0; k < l->form.n_output; k++) {
        l->high[k] -= l->low[k];
    }
}

// what an input does to the outputs without any motion, in l->high
static ElvStatus vary_input(ElvLinearizer* l, size_t i_input, ElvError* error) {
    const ElvInput* input = &l->input[i_input];
    if (input->kind == ELV_INPUT_LOAD) {
        vary_load(l, input);
        return ELV_OK;
    }
    if (input->kind != ELV_INPUT_EFFORT) {
        return elv_linear_vary_law(l, input, error);
    }
    // an effort that is recorded is an output itself, behind the gear
    double gear = elv_linear_gear(l, input);
    for (int i = 0; i < l->form.n_output; i++) {
        l->high[i] = strcmp(l->form.output_name[i], l->form.input_name[i_input]) == 0 ? gear : 0.0;
    }
    return ELV_OK;
}

ElvStatus elv_linear_outputs(ElvLinearizer* l, ElvError* error) {
    reset(l);
    for (Variable variable = BY_NU; variable <= BY_Z; variable++) {
        int n = variable == BY_Z ? l->model->nz : l->matrices.n;
        for (int i = 0; i < n; i++) {
            differentiate(l, variable, variable == BY_Z ? i : l->matrices.index[i]);
            add_derivative(l, variable, (size_t)i);
        }
    }
    ElvStatus status = ELV_OK;
    size_t n_input = (size_t)l->form.n_input;
    for (size_t k = 0; k < n_input && status == ELV_OK; k++) {
        status = vary_input(l, k, error);
        for (size_t i = 0; i < (size_t)l->form.n_output && status == ELV_OK; i++) {
            l->form.D[i * n_input + k] += l->high[i];
        }
    }
    evaluate(l, l->low);
    memcpy(l->near, l->low, (size_t)l->form.n_output * sizeof(double));
    return status;
}
