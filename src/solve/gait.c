// SPDX-License-Identifier: Apache-2.0
// The connection as a matrix, its curvature, and what a cycle of shapes does
// [ALI (2.2)-(2.3), (3.32)].
#include "elver/locomotion.h"

#include "solve/connection.h"
#include "solve/gait.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- the work of all questions

void elv_gait_close(ElvGaitStudy* study) {
    elv_connect_free(study->connect);
    elv_data_free(study->data);
    elv_state_free(study->state);
    free(study->number);
}

ElvStatus elv_gait_open(const ElvModel* model,
                        const ElvState* state,
                        ElvConnection kind,
                        ElvGaitStudy* study,
                        ElvError* error) {
    memset(study, 0, sizeof *study);
    study->model = model;
    elv_error_clear(error);
    ElvStatus status = elv_connect_create(model, kind, &study->connect, error);
    status = status == ELV_OK ? elv_data_create(model, &study->data, error) : status;
    status = status == ELV_OK ? elv_state_create(model, &study->state, error) : status;
    study->number = malloc((5 * (size_t)model->nv + 1) * sizeof *study->number);
    if (status == ELV_OK && !study->number) {
        status = elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    if (status != ELV_OK) {
        elv_gait_close(study);
        return status;
    }
    elv_state_copy(study->state, state);
    return ELV_OK;
}

// velocity component of imposed velocity i; -1: there is none
static int imposed_index(const ElvModel* model, int i) {
    for (int k = 0; k < model->nv && i >= 0; k++) {
        if (model->is_driven[k] && i-- == 0) {
            return k;
        }
    }
    return -1;
}

// all velocities (nv) for velocity component i_v alone, constraints at rest
static ElvStatus unit_motion(ElvGaitStudy* study, int i_v, double* v, ElvError* error) {
    ElvState* state = study->state;
    size_t nv = (size_t)state->nv;
    double* rest = study->number + 4 * nv;
    for (int pass = 0; pass < 2; pass++) {
        memset(state->v, 0, nv * sizeof *state->v);
        state->v[i_v] = pass == 0 ? 0.0 : 1.0;
        ElvStatus status = elv_connect_velocity(study->connect, study->data, state, false, error);
        if (status != ELV_OK) {
            return status;
        }
        memcpy(pass == 0 ? rest : v, state->v, nv * sizeof *v);
    }
    for (size_t k = 0; k < nv; k++) {
        v[k] -= rest[k];
    }
    return ELV_OK;
}

ElvStatus elv_connection(
    const ElvModel* model, const ElvState* state, ElvConnection kind, double* A, ElvError* error) {
    ElvGaitStudy study;
    ElvStatus status = elv_gait_open(model, state, kind, &study, error);
    if (status != ELV_OK) {
        return status;
    }
    int n_imposed = 0;
    for (int i = 0; i < model->nv; i++) {
        n_imposed += model->is_driven[i];
    }
    for (int j = 0; j < n_imposed && status == ELV_OK; j++) {
        status = unit_motion(&study, imposed_index(model, j), study.number, error);
        int i = 0;
        for (int k = 0; k < model->nv && status == ELV_OK; k++) {
            if (!model->is_driven[k]) {
                A[(size_t)(i++ * n_imposed + j)] = -study.number[k];
            }
        }
    }
    elv_gait_close(&study);
    return status;
}

// ---- curvature

// F += side times the rate of the motion of j along that of i, both of all velocities
static ElvStatus add_rate(ElvGaitStudy* study,
                          const ElvState* start,
                          const double* along,
                          int i_v,
                          double side,
                          double* F,
                          ElvError* error) {
    ElvConnect* connect = study->connect;
    ElvState* state = study->state;
    size_t nv = (size_t)start->nv;
    double* v = study->number + 3 * nv;
    elv_state_copy(state, start);
    memcpy(state->v, along, nv * sizeof *along);
    double h = elv_connect_step(connect, state);
    for (int i = 0; i < 6; i++) {
        int k = i / 2 + 1;
        double sign = i % 2 == 0 ? 1.0 : -1.0;
        elv_state_copy(state, start);
        memcpy(state->v, along, nv * sizeof *along);
        elv_connect_move(connect, state, sign * (double)k * h);
        memcpy(state->q, connect->trial->q, (size_t)state->nq * sizeof *state->q);
        ElvStatus status = unit_motion(study, i_v, v, error);
        if (status != ELV_OK) {
            return status;
        }
        for (size_t l = 0; l < nv; l++) {
            F[l] += side * sign * elv_central_weight(k) / h * v[l];
        }
    }
    return ELV_OK;
}

// F += [a, b] of joints whose velocities are those of a group in moving axes
static void add_bracket(const ElvModel* model, const double* a, const double* b, double* F) {
    for (int j = 0; j < model->n_node; j++) {
        const ElvNode* node = &model->node[j];
        bool is_free = node->info.joint == ELV_JOINT_FREE;
        if (node->info.is_rod || (!is_free && node->info.joint != ELV_JOINT_SPHERICAL)) {
            continue;
        }
        double left[6] = {0.0}, right[6] = {0.0}, sum[6];
        size_t n = is_free ? 6 : 3;
        memcpy(left, a + node->i_v, n * sizeof *left);
        memcpy(right, b + node->i_v, n * sizeof *right);
        ElvTwist bracket =
            elv_twist_bracket(elv_twist_from_array(left), elv_twist_from_array(right));
        elv_twist_to_array(bracket, sum);
        for (size_t k = 0; k < n; k++) {
            F[(size_t)node->i_v + k] += sum[k];
        }
    }
}

// the bracket of the motions of velocity components i_v and j_v, on what is free
static ElvStatus bracket_of(
    ElvGaitStudy* study, const ElvState* state, int i_v, int j_v, double* F, ElvError* error) {
    const ElvModel* model = study->model;
    size_t nv = (size_t)model->nv;
    double* a = calloc(3 * nv + 1, sizeof *a);
    if (!a) {
        return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    double *b = a + nv, *sum = b + nv;
    ElvStatus status = unit_motion(study, i_v, a, error);
    status = status == ELV_OK ? unit_motion(study, j_v, b, error) : status;
    // [X_i, X_j] = X_i(b) - X_j(a) + [a, b], where a, b = -A_i, -A_j on what is free  [ALI (2.3)]
    status = status == ELV_OK ? add_rate(study, state, a, j_v, 1.0, sum, error) : status;
    status = status == ELV_OK ? add_rate(study, state, b, i_v, -1.0, sum, error) : status;
    if (status == ELV_OK) {
        add_bracket(model, a, b, sum);
    }
    int n = 0;
    for (size_t k = 0; k < nv && status == ELV_OK; k++) {
        if (!model->is_driven[k]) {
            F[n++] = sum[k];
        }
    }
    free(a);
    return status;
}

ElvStatus elv_connection_curvature(const ElvModel* model,
                                   const ElvState* state,
                                   ElvConnection kind,
                                   int i,
                                   int j,
                                   double* F,
                                   ElvError* error) {
    ElvGaitStudy study;
    int i_v = imposed_index(model, i), j_v = imposed_index(model, j);
    if (i_v < 0 || j_v < 0) {
        return elv_error_set(error, ELV_ERROR_INPUT, "", "", "there is no imposed velocity %d",
                             i_v < 0 ? i : j);
    }
    ElvStatus status = elv_gait_open(model, state, kind, &study, error);
    if (status != ELV_OK) {
        return status;
    }
    status = bracket_of(&study, state, i_v, j_v, F, error);
    elv_gait_close(&study);
    return status;
}
