// SPDX-License-Identifier: Apache-2.0
// The Newton step [P23 (18)-(19)] of a tree in linear time: the implicit counterpart of the
// articulated-body algorithm, for which the papers have no equation. A subtree, its unknowns
// eliminated, answers a variation x of the port it hangs on by
//     d_W = E x + e                                                          E (6 x 18), e (6)
// A joint with condensed ports, its residual R and its tangent (joint.h) gives
//     A d_nu = -(R + sum P^T e) - (Qx + sum P^T E) x_root,   A = Qq + sum P^T E Xq
//     E_root = Wx + sum E - Y A^-1 (Qx + sum P^T E),         Y = Wq + sum E Xq
//     e_root = sum e - Y A^-1 (R + sum P^T e).
// Motion-driven joints have d_nu = 0 and pass E and e on; a joint of which some coordinates are driven has
// rows and columns of the identity for these.
#include "base/real4.h"
#include "linalg/block_product.h"
#include "linalg/lu.h"
#include "multibody/tidm.h"

#include <math.h>
#include <string.h>

enum { ROW = ELV_N_VARIATION };

// C += A B with A (m x k), B (k x n)
static void add_matrix_product(int m, int k, int n, const double* A, const double* B, double* C) {
    elv_block_add_product(m, k, n, A, k, 1, B, n, C, n);
}

// C += A^T B with A (k x m), B (k x n)
static void
add_transposed_product(int k, int m, int n, const double* A, const double* B, double* C) {
    elv_block_add_product(m, k, n, A, 1, m, B, n, C, n);
}

ELV_INLINE double dot(int n, const double* a, const double* b) {
    ElvReal4 sum = elv_real4(0.0);
    double rest = 0.0;
    int k = 0;
    for (; k + 4 <= n; k += 4) {
        sum += elv_real4_load(a + k) * elv_real4_load(b + k);
    }
    // at most three are left, which the compiler must not take for many
    if (n % 4 >= 2) {
        rest = a[k] * b[k] + a[k + 1] * b[k + 1];
        k += 2;
    }
    if (n % 2 == 1) {
        rest += a[k] * b[k];
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]) + rest;
}

// y += A x with A (m x n)
ELV_VECTOR_CLONES
static void add_applied(int m, int n, const double* A, const double* x, double* y) {
    for (int i = 0; i < m; i++) {
        y[i] += dot(n, A + i * n, x);
    }
}

// y += A^T x with A (6 x n)
static void add_projected(int n, const double* A, const double x[6], double* restrict y) {
    for (int k = 0; k < n; k++) {
        const double* a = A + k;
        y[k] += a[0] * x[0] + a[n] * x[1] + a[2 * n] * x[2] + a[3 * n] * x[3] + a[4 * n] * x[4] +
                a[5 * n] * x[5];
    }
}

static void negate(int n, double* x) {
    for (int i = 0; i < n; i++) {
        x[i] = -x[i];
    }
}

// rows and columns of the identity for driven coordinates, which neither answer nor act
static void hold_driven(const ElvJoint* joint, bool is_grounded, ElvEliminated* e) {
    int n_v = joint->n_v;
    for (int k = 0; k < n_v && joint->driven; k++) {
        if (!joint->driven[k]) {
            continue;
        }
        for (int i = 0; i < n_v; i++) {
            e->LU[k * n_v + i] = e->LU[i * n_v + k] = 0.0;
        }
        e->LU[k * n_v + k] = 1.0;
        for (int i = 0; i < 6; i++) {
            e->Y[i * n_v + k] = 0.0;
        }
        if (!is_grounded) {
            memset(e->AB + (size_t)k * ROW, 0, ROW * sizeof *e->AB);
        }
    }
}

// A, Qx + sum P^T E and Y of a joint from its tangent and its condensed ports
static void gather(const ElvModel* model, ElvData* data, int j) {
    const ElvNode* node = &model->node[j];
    const ElvJointTangent* t = &data->tangent[j];
    ElvEliminated* e = &data->eliminated[j];
    int n_v = node->joint->n_v;
    bool is_grounded = node->parent_port == 0;
    memcpy(e->LU, t->Qq, (size_t)n_v * (size_t)n_v * sizeof(double));
    memcpy(e->Y, t->Wq, 6 * (size_t)n_v * sizeof(double));
    if (!is_grounded) {
        memcpy(e->AB, t->Qx, (size_t)n_v * ROW * sizeof(double));
    }
    for (int p = 0; p < node->joint->n_port; p++) {
        if (!data->has_E[node->i_port + p]) {
            continue;
        }
        const double* E = data->E + (size_t)(node->i_port + p) * 6 * ROW;
        const double* Xq = t->Xq + (size_t)p * ROW * (size_t)n_v;
        const double* P = t->P + (size_t)p * 6 * (size_t)n_v;
        memset(data->G, 0, 6 * (size_t)n_v * sizeof(double));
        add_matrix_product(6, ROW, n_v, E, Xq, data->G);
        add_transposed_product(6, n_v, n_v, P, data->G, e->LU);
        for (int i = 0; i < 6 * n_v; i++) {
            e->Y[i] += data->G[i];
        }
        if (!is_grounded) {
            add_transposed_product(6, n_v, ROW, P, E, e->AB);
        }
    }
    hold_driven(node->joint, is_grounded, e);
}

// E_root = Wx + sum E - Y A^-1 (Qx + sum P^T E) of the port a joint hangs on
static void condense(const ElvModel* model, ElvData* data, int j) {
    const ElvNode* node = &model->node[j];
    double* E_root = data->E + (size_t)node->parent_port * 6 * ROW;
    int n_v = node->joint->n_v;
    const ElvEliminated* e = &data->eliminated[j];
    data->has_E[node->parent_port] = true;
    for (int i = 0; i < 6 * ROW; i++) {
        E_root[i] += data->tangent[j].Wx[i];
    }
    for (int p = 0; p < node->joint->n_port; p++) {
        const double* E = data->E + (size_t)(node->i_port + p) * 6 * ROW;
        for (int i = 0; i < 6 * ROW && data->has_E[node->i_port + p]; i++) {
            E_root[i] += E[i];
        }
    }
    if (!node->joint->is_motion_driven) {
        add_matrix_product(6, n_v, ROW, e->Y, e->AB, E_root);
    }
}

// a singular block with a little more on its diagonal: what nothing holds, and nothing moves, stays
static bool factor_softly(const ElvModel* model, ElvData* data, int j) {
    ElvEliminated* e = &data->eliminated[j];
    const ElvJoint* joint = model->node[j].joint;
    int n_v = joint->n_v;
    double largest = 0.0;
    if (data->softening == 0.0) {
        return false;
    }
    gather(model, data, j);
    for (int k = 0; k < n_v; k++) {
        double entry = fabs(e->LU[k * n_v + k]);
        largest = elv_joint_is_driven(joint, k) ? largest : fmax(largest, entry);
    }
    for (int k = 0; k < n_v; k++) {
        e->LU[k * n_v + k] += elv_joint_is_driven(joint, k) ? 0.0 : data->softening * largest;
    }
    return elv_lu_factor(n_v, e->LU, e->pivot) < 0;
}

int elv_tree_factor(const ElvModel* model, ElvData* data) {
    memcpy(data->E, data->K, (size_t)model->n_port * 6 * ROW * sizeof *data->E);
    memcpy(data->has_E, data->has_K, (size_t)model->n_port * sizeof *data->has_E);
    for (int j = model->n_node - 1; j >= 0; j--) {
        const ElvNode* node = &model->node[j];
        ElvEliminated* e = &data->eliminated[j];
        int n_v = node->joint->n_v;
        if (!node->joint->is_motion_driven) {
            gather(model, data, j);
            if (elv_lu_factor(n_v, e->LU, e->pivot) >= 0 && !factor_softly(model, data, j)) {
                return j;
            }
            if (node->parent_port != 0) {
                elv_lu_solve(n_v, e->LU, e->pivot, ROW, e->AB);
                negate(n_v * ROW, e->AB);
            }
        }
        if (node->parent_port != 0) {
            condense(model, data, j);
        }
    }
    return -1;
}

// z = -A^-1 (R + sum P^T e) and e_root = sum e + Y z of the port the joint hangs on
static void solve_backward(const ElvModel* model, ElvData* data, const double* residual, int j) {
    const ElvNode* node = &model->node[j];
    ElvEliminated* elim = &data->eliminated[j];
    int n_v = node->joint->n_v;
    double* e_root = data->e + (size_t)node->parent_port * 6;
    memcpy(elim->z, residual + node->i_v, (size_t)n_v * sizeof(double));
    for (int p = 0; p < node->joint->n_port; p++) {
        const double* e = data->e + (size_t)(node->i_port + p) * 6;
        const double* P = data->tangent[j].P + (size_t)p * 6 * (size_t)n_v;
        add_projected(n_v, P, e, elim->z);
        for (int i = 0; i < 6; i++) {
            e_root[i] += e[i];
        }
    }
    for (int k = 0; k < n_v && node->joint->driven; k++) {
        elim->z[k] = node->joint->driven[k] ? 0.0 : elim->z[k];
    }
    if (!node->joint->is_motion_driven) {
        elv_lu_solve(n_v, elim->LU, elim->pivot, 1, elim->z);
        negate(n_v, elim->z);
        add_applied(6, n_v, elim->Y, elim->z, e_root);
    }
}

// x = x_root + Xq d_nu of the port a joint hangs on, from the joint that owns it
static const double* move_port(const ElvModel* model, ElvData* data, const double* d_nu, int port) {
    const int j = model->port[port].i_node;
    const ElvNode* owner = &model->node[j];
    int n_v = owner->joint->n_v;
    double* x = data->x + (size_t)port * ROW;
    const double* Xq = data->tangent[j].Xq + (size_t)(port - owner->i_port) * ROW * (size_t)n_v;
    memcpy(x, data->x + (size_t)owner->parent_port * ROW, ROW * sizeof *x);
    add_applied(ROW, n_v, Xq, d_nu + owner->i_v, x);
    return x;
}

// d_nu = z + AB x_root
static void solve_forward(const ElvModel* model, ElvData* data, double* d_nu, int j) {
    const ElvNode* node = &model->node[j];
    const ElvEliminated* elim = &data->eliminated[j];
    int n_v = node->joint->n_v;
    double* own = d_nu + node->i_v;
    for (int k = 0; k < n_v; k++) {
        own[k] = node->joint->is_motion_driven ? 0.0 : elim->z[k];
    }
    // the world does not move
    if (node->parent_port != 0) {
        const double* x_root = move_port(model, data, d_nu, node->parent_port);
        if (!node->joint->is_motion_driven) {
            add_applied(n_v, ROW, elim->AB, x_root, own);
        }
    }
}

void elv_tree_solve_wrenches(const ElvModel* model,
                             ElvData* data,
                             const double* residual,
                             double* d_nu) {
    memset(data->x, 0, ROW * sizeof *data->x);
    for (int j = model->n_node - 1; j >= 0; j--) {
        solve_backward(model, data, residual, j);
    }
    for (int j = 0; j < model->n_node; j++) {
        solve_forward(model, data, d_nu, j);
    }
}

void elv_tree_move(const ElvModel* model, ElvData* data, const double* d_nu) {
    for (int p = 1; p < model->n_port; p++) {
        (void)move_port(model, data, d_nu, p);
    }
}

void elv_tree_solve(const ElvModel* model, ElvData* data, const double* residual, double* d_nu) {
    memset(data->e, 0, (size_t)model->n_port * 6 * sizeof *data->e);
    elv_tree_solve_wrenches(model, data, residual, d_nu);
}
