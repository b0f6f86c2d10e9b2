// SPDX-License-Identifier: Apache-2.0
// Motions in a fictitious time that lead to equilibria, by steps [P20 (45)] or projected on constraints
// [P20 (55)-(58)]: the damping D that both have, and the end of both.
//
// D is mu times the stiffness of rods and joints, and the damping of the model. A joint that has neither
// is slowed down by its mass over mu, or by what else the method puts there.
#include "multibody/tidm.h"
#include "solve/statics.h"

#include <math.h>
#include <string.h>

void elv_statics_weigh(ElvStaticsSolver* solver) {
    const ElvModel* model = solver->problem.model;
    ElvData* data = solver->problem.data;
    elv_mass_matrix(model, data, solver->now, data->M);
    for (int i = 0; i < model->nv; i++) {
        solver->bare[i] = data->M[(size_t)i * (size_t)model->nv + (size_t)i];
    }
}

// with constraints, no forces of devices; what is a place or remembered stays
static void slacken(const ElvModel* model, double* z) {
    for (int i = 0; i < model->n_device && model->is_constrained; i++) {
        const ElvDevice* device = model->device[i];
        int n_force = device->is_differential ? 0 : device->n_z - device->n_place;
        memset(z + device->i_z, 0, (size_t)n_force * sizeof *z);
    }
}

void elv_statics_damping(ElvStaticsSolver* solver) {
    ElvProblem* problem = &solver->problem;
    const ElvModel* model = problem->model;
    // without loads, at rest, the tangent is that of springs and dampers alone
    double mu = solver->options.damping;
    double* D = solver->D;
    memset(problem->nu, 0, (size_t)model->nv * sizeof *problem->nu);
    problem->data->load = 0.0;
    // z_n of the chart keeps the forces
    size_t nz = model->is_constrained ? (size_t)model->nz : 0;
    slacken(model, solver->now->z);
    elv_residual(model, problem->data, solver->now, problem->residual);
    elv_tidm_pass(model, problem->data, solver->now, problem->nu, 1.0 / mu, 0.0);
    memcpy(solver->now->z, problem->z_n, nz * sizeof(double));
    problem->data->load = 1.0;
    for (int j = 0; j < model->n_node; j++) {
        int n = model->node[j].joint->n_v;
        const double* Qq = problem->data->tangent[j].Qq;
        const double* N0 = problem->data->unknown[j].N0;
        for (int i = 0; i < n; i++) {
            bool is_bare = Qq[i * n + i] == 0.0;
            double mass = is_bare ? solver->bare[model->node[j].i_v + i] / mu : 0.0;
            for (int k = 0; k < n; k++) {
                D[i * n + k] = mu * Qq[i * n + k] + mass * (N0 ? N0[i * n + k] : i == k);
            }
        }
        D += (size_t)n * (size_t)n;
    }
}

double elv_statics_reach(const ElvModel* model, const double* nu) {
    double longest = 0.0;
    for (int j = 0; j < model->n_node; j++) {
        const ElvNode* node = &model->node[j];
        double length = node->info.is_rod ? node->info.length : 1.0;
        for (int k = node->i_v; k < node->i_v + node->joint->n_v; k++) {
            // keeps NaN
            longest = fabs(nu[k]) * length <= longest ? longest : fabs(nu[k]) * length;
        }
    }
    return longest;
}

ElvStatus
elv_statics_finish(ElvStaticsSolver* solver, double t, double far, ElvNewtonReport* newton) {
    ElvProblem* problem = &solver->problem;
    memset(problem->nu, 0, (size_t)solver->now->nv * sizeof(double));
    problem->state->t = t;
    ElvStatus status = elv_statics_newton(solver, newton);
    if (status == ELV_OK && !(elv_statics_reach(problem->model, problem->nu) <= far)) {
        return ELV_ERROR_NUMERIC;
    }
    if (status == ELV_OK) {
        elv_statics_accept(solver, t, 0.0);
    }
    return status;
}
