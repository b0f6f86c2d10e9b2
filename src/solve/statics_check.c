// SPDX-License-Identifier: Apache-2.0
// What the tangent at an equilibrium tells: whether something can move freely, and whether the
// equilibrium is a minimum of the energy, among all motions that constraints leave.
#include "linalg/cholesky.h"
#include "linalg/eigen.h"
#include "multibody/device.h"
#include "multibody/tidm.h"
#include "solve/statics.h"

#include <math.h>
#include <string.h>

/// A displacement (m, rad) that efforts as large as those in the model cannot cause unless nothing
/// holds what they move.
static const double FREE_MOTION = 1e8;

/// Efforts of a component count no less than this fraction of the largest ones.
static const double EFFORT_FLOOR = 1e-3;

/// Of a push that moves nothing freely, less than this is left, relative.
static const double UNBALANCED = 1e-3;

/// Asymmetry of the tangent, relative, from which on the loads have no potential.
static const double ASYMMETRY = 1e-5;

/// With constraints, eigenvalues of the tangent, each coordinate in the unit of what its entry is made of: one
/// below this is zero, but for rounding and for what Newton has left.
static const double NEUTRAL = 1e-8;

// ---- free motion

// a number in [-1, 1] from a counter
static double scatter(unsigned* counter) {
    *counter = *counter * 1664525u + 1013904223u;
    return (double)(*counter >> 8) / 8388608.0 - 1.0;
}

// generalized forces Q of some wrench on every port, tips to root
static void push_ports(const ElvModel* model, ElvData* data, double* Q) {
    unsigned counter = 1;
    for (int i = 0; i < 6 * model->n_port; i++) {
        data->e[i] = scatter(&counter);
    }
    for (int j = model->n_node - 1; j >= 0; j--) {
        const ElvNode* node = &model->node[j];
        size_t n = (size_t)node->joint->n_v;
        double* e_root = data->e + (size_t)node->parent_port * 6;
        memset(Q + node->i_v, 0, n * sizeof *Q);
        for (int p = 0; p < node->joint->n_port; p++) {
            const double* P = data->tangent[j].P + (size_t)p * 6 * n;
            const double* e = data->e + (size_t)(node->i_port + p) * 6;
            for (size_t i = 0; i < 6; i++) {
                for (size_t k = 0; k < n; k++) {
                    bool is_driven = elv_joint_is_driven(node->joint, (int)k);
                    Q[node->i_v + (int)k] += is_driven ? 0.0 : P[i * n + k] * e[i];
                }
                e_root[i] += e[i];
            }
        }
    }
}

// make Q as large as the efforts; false when there are none
static bool scale_push(const ElvProblem* problem, double* Q) {
    double largest = 0.0;
    double ratio = 0.0;
    for (int i = 0; i < problem->model->nv; i++) {
        largest = fmax(largest, problem->scale[i]);
    }
    for (int i = 0; i < problem->model->nv; i++) {
        double scale = fmax(problem->scale[i], EFFORT_FLOOR * largest);
        ratio = fmax(ratio, scale > 0.0 ? fabs(Q[i]) / scale : 0.0);
    }
    for (int i = 0; i < problem->model->nv && ratio > 0.0; i++) {
        Q[i] /= ratio;
    }
    return ratio > 0.0;
}

// how far the ports of node j move against its root
static double joint_motion(const ElvModel* model, const ElvData* data, int j) {
    const ElvNode* node = &model->node[j];
    const double* root = data->x + (size_t)node->parent_port * ELV_N_VARIATION;
    double largest = 0.0;
    for (int p = 0; p < node->joint->n_port; p++) {
        const double* x = data->x + (size_t)(node->i_port + p) * ELV_N_VARIATION;
        for (int i = 0; i < 6; i++) {
            double motion = fabs(x[i] - root[i]);
            largest = motion > largest || isnan(motion) ? motion : largest;
        }
    }
    return largest;
}

// With constraints, the joint whose part of a push nothing balances best: where motions cost nothing, the step is
// one of least squares. -1: all is balanced
static int find_unbalanced(ElvProblem* problem, const double* push, const double* step) {
    const ElvModel* model = problem->model;
    int i_free = -1;
    double worst = UNBALANCED;
    double largest = 0.0;
    double* answer = problem->d_next;
    elv_border_apply(model, problem->data, problem->state, &problem->rule, step, step + model->nv,
                     answer, answer + model->nv);
    for (int i = 0; i < model->nv; i++) {
        largest = fmax(largest, fabs(push[i]));
    }
    for (int j = 0; j < model->n_node; j++) {
        const ElvNode* node = &model->node[j];
        for (int k = node->i_v; k < node->i_v + node->joint->n_v; k++) {
            double left = model->is_driven[k] ? 0.0 : fabs(push[k] + answer[k]);
            left /= fmax(fabs(push[k]), EFFORT_FLOOR * largest);
            i_free = left > worst ? j : i_free;
            worst = fmax(worst, left);
        }
    }
    return i_free;
}

// after the factorisation: the joint that a push moves farthest, if that is beyond reason
static int find_free(ElvProblem* problem) {
    const ElvModel* model = problem->model;
    push_ports(model, problem->data, problem->trial);
    bool acts = scale_push(problem, problem->trial);
    if (!acts && !model->is_constrained) {
        return -1;
    }
    memset(problem->trial + model->nv, 0, (size_t)model->nz * sizeof *problem->trial);
    elv_problem_solve(problem, problem->trial, problem->d_nu);
    int unbalanced =
        model->is_constrained ? find_unbalanced(problem, problem->trial, problem->d_nu) : -1;
    if (unbalanced >= 0 || !acts) {
        return unbalanced;
    }
    elv_tree_move(model, problem->data, problem->d_nu);
    int i_free = -1;
    double farthest = FREE_MOTION;
    for (int j = 0; j < model->n_node; j++) {
        double motion = joint_motion(model, problem->data, j);
        if (!(motion <= farthest)) {
            farthest = motion;
            i_free = j;
        }
    }
    return i_free;
}

// ---- stability

// J := N0^T J for the rows of joints with a chart: in the chart's coordinates the tangent at an
// equilibrium is the Hessian of the energy
static void pull_back(const ElvModel* model, ElvData* data, double* J) {
    for (int j = 0; j < model->n_node; j++) {
        const ElvNode* node = &model->node[j];
        const double* N0 = data->unknown[j].N0;
        int n = node->joint->n_v;
        for (int column = 0; column < model->nv && N0; column++) {
            double turned[6] = {0.0};
            double* entry = J + (size_t)node->i_v * (size_t)model->nv + (size_t)column;
            for (int k = 0; k < n; k++) {
                for (int i = 0; i < n; i++) {
                    turned[k] += N0[i * n + k] * entry[(size_t)i * (size_t)model->nv];
                }
            }
            for (int k = 0; k < n; k++) {
                entry[(size_t)k * (size_t)model->nv] = turned[k];
            }
        }
    }
}

// free rows and columns of J, made symmetric; returns their number, or -1 if J is not symmetric
static int symmetrise(const ElvModel* model, ElvData* data, double* J) {
    int n = 0;
    size_t nv = (size_t)model->nv;
    for (int i = 0; i < model->nv; i++) {
        if (!model->is_driven[i]) {
            data->free_index[n++] = i;
        }
    }
    // packed rows end before the rows they come from
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
            J[(size_t)i * (size_t)n + (size_t)k] =
                J[(size_t)data->free_index[i] * nv + (size_t)data->free_index[k]];
        }
    }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++) {
            double* low = &J[(size_t)i * (size_t)n + (size_t)k];
            double* high = &J[(size_t)k * (size_t)n + (size_t)i];
            double a = fabs(J[(size_t)i * (size_t)n + (size_t)i]);
            double b = fabs(J[(size_t)k * (size_t)n + (size_t)k]);
            if (!(fabs(*low - *high) <= ASYMMETRY * (sqrt(a * b) + fabs(*low) + fabs(*high)))) {
                return -1;
            }
            *low = *high = 0.5 * (*low + *high);
        }
    }
    return n;
}

// whether the forces of devices follow the motion: the tangent of the tree is not the whole
static bool has_followers(const ElvModel* model) {
    for (int i = 0; i < model->n_device; i++) {
        if (model->device[i]->n_z > 0 && !model->device[i]->is_differential) {
            return true;
        }
    }
    return false;
}

static ElvStability find_stability(const ElvModel* model, ElvData* data) {
    if (model->nv > ELV_STATICS_MAX_DENSE || has_followers(model)) {
        return ELV_STABILITY_UNKNOWN;
    }
    elv_tidm_matrix(model, data, data->M);
    pull_back(model, data, data->M);
    int n = symmetrise(model, data, data->M);
    if (n < 0) {
        return ELV_STABILITY_UNKNOWN;
    }
    return elv_cholesky_factor(n, data->M) < 0 ? ELV_STABILITY_STABLE : ELV_STABILITY_UNSTABLE;
}

// ---- stability with constraints

// sum of |K| over what coordinate i moves along with itself: its stiffness, before terms cancel
static double size_of(const ElvBorder* border, size_t n, const double* K, size_t i) {
    size_t m = (size_t)border->n_free;
    double sum = 0.0;
    for (int j = -1; j < border->n_rigid; j++) {
        size_t row = (size_t)(j < 0 ? border->free_index[i] : border->bound[j]);
        for (int k = -1; k < border->n_rigid; k++) {
            size_t column = (size_t)(k < 0 ? border->free_index[i] : border->bound[k]);
            sum += fabs(border->Z[row * m + i] * K[row * n + column] * border->Z[column * m + i]);
        }
    }
    return sum;
}

// units of the coordinates that are left, into matrices->vector; before the projection
static void find_units(ElvMatrices* matrices) {
    const ElvBorder* border = &matrices->border;
    size_t n = (size_t)matrices->n;
    for (size_t i = 0; i < (size_t)border->n_free; i++) {
        double size =
            border->n_rigid > 0 ? size_of(border, n, matrices->K, i) : fabs(matrices->K[i * n + i]);
        matrices->vector[i] = size > 0.0 ? 1.0 / sqrt(size) : 1.0;
    }
}

// K in these units, made symmetric; false if it is not
static bool take_units(ElvMatrices* matrices) {
    size_t n = (size_t)matrices->n;
    const double* unit = matrices->vector;
    double* K = matrices->K;
    for (size_t i = 0; i < n; i++) {
        K[i * n + i] *= unit[i] * unit[i];
        for (size_t k = 0; k < i; k++) {
            double low = unit[i] * unit[k] * K[i * n + k];
            double high = unit[i] * unit[k] * K[k * n + i];
            if (!(fabs(low - high) <= ASYMMETRY * (fabs(low) + fabs(high)) + NEUTRAL)) {
                return false;
            }
            K[i * n + k] = K[k * n + i] = 0.5 * (low + high);
        }
    }
    return true;
}

// definiteness of the tangent on the motions that constraints leave
static ElvStability judge(const ElvModel* model, ElvMatrices* matrices) {
    find_units(matrices);
    elv_matrices_project(model, matrices);
    double* value = matrices->full;
    if (!take_units(matrices) || !elv_eigen_symmetric(matrices->n, matrices->K, value)) {
        return ELV_STABILITY_UNKNOWN;
    }
    if (matrices->n > 0 && value[0] < -NEUTRAL) {
        return ELV_STABILITY_UNSTABLE;
    }
    return matrices->n > 0 && value[0] <= NEUTRAL ? ELV_STABILITY_UNKNOWN : ELV_STABILITY_STABLE;
}

static ElvStability find_closed_stability(ElvStaticsSolver* solver) {
    ElvProblem* problem = &solver->problem;
    const ElvModel* model = problem->model;
    ElvMatrices* matrices = &solver->matrices;
    if (!matrices->K) {
        return ELV_STABILITY_UNKNOWN;
    }
    // what holds velocities alone says nothing of equilibria
    ElvStatus status = elv_matrices_fill(model, problem->data, problem->state, matrices, NULL);
    bool is_known = status == ELV_OK && matrices->border.n_rate == 0;
    return is_known ? judge(model, matrices) : ELV_STABILITY_UNKNOWN;
}

// ---- both

int elv_factor_sign(const ElvModel* model, const ElvData* data) {
    int sign = 1;
    for (int j = 0; j < model->n_node; j++) {
        const ElvEliminated* e = &data->eliminated[j];
        int n = model->node[j].joint->n_v;
        for (int k = 0; k < n && !model->node[j].joint->is_motion_driven; k++) {
            sign = e->pivot[k] != k ? -sign : sign;
            sign = e->LU[k * n + k] < 0.0 ? -sign : sign;
        }
    }
    return sign;
}

ElvTangentNature elv_statics_inspect(ElvStaticsSolver* solver) {
    ElvProblem* problem = &solver->problem;
    const ElvModel* model = problem->model;
    ElvTangentNature nature = {-1, 0, ELV_STABILITY_UNKNOWN};
    elv_tidm_pass(model, problem->data, problem->state, problem->nu, 0.0, 0.0);
    solver->report.n_jacobian++;
    nature.i_free = elv_border_factor(model, problem->data, problem->state, &problem->rule);
    if (nature.i_free >= 0) {
        // an unknown of a device is no joint
        nature.i_free = nature.i_free < model->n_node ? nature.i_free : -1;
        return nature;
    }
    nature.sign = model->is_constrained ? 0 : elv_factor_sign(model, problem->data);
    nature.i_free = find_free(problem);
    if (nature.i_free < 0) {
        nature.stability = model->is_constrained ? find_closed_stability(solver)
                                                 : find_stability(model, problem->data);
    }
    return nature;
}

void elv_statics_check(ElvStaticsSolver* solver) {
    ElvProblem* problem = &solver->problem;
    problem->state->t = solver->now->t;
    elv_problem_chart(problem, solver->now);
    memset(problem->nu, 0, (size_t)solver->now->nv * sizeof(double));
    (void)elv_problem_evaluate(problem, problem->nu);
    solver->report.n_evaluation++;
    solver->nature = elv_statics_inspect(solver);
}
