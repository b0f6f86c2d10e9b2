// SPDX-License-Identifier: Apache-2.0
// Fields between nodes, and the ports that they fill. The one frame of the data is the world's here, with its
// origin: V = Ad_g eta, A = Ad_g eta_dot.
#include "strong/field_view.h"

#include "strong/field_measure.h"

#include <string.h>

// ---- between nodes

int elv_field_weights(const double* s, int n, double x, int* first, double weight[4]) {
    // the interval that holds x, and one node more on either side
    int i = 0;
    while (i < n - 2 && x > s[i + 1]) {
        i++;
    }
    int count = n < 4 ? n : 4;
    int begin = i - 1;
    begin = begin < 0 ? 0 : begin > n - count ? n - count : begin;
    for (int j = 0; j < count; j++) {
        weight[j] = 1.0;
        for (int k = 0; k < count; k++) {
            if (k != j) {
                weight[j] *= (x - s[begin + k]) / (s[begin + j] - s[begin + k]);
            }
        }
    }
    *first = begin;
    return count;
}

ElvPose elv_field_pose(ElvPose g0, ElvTwist u0, ElvPose g1, ElvTwist u1, double x) {
    // nu = log(g0^-1 g) from 0 to d, with the rates u0 and T(d)^-1 u1
    ElvTwist d = elv_se3_log(elv_pose_compose(elv_pose_inverse(g0), g1));
    ElvTwist end = elv_mat6_apply(elv_se3_tangent_inv(d), u1);
    double y = 1.0 - x;
    ElvTwist nu = elv_twist_scale(x * x * (3.0 - 2.0 * x), d);
    nu = elv_twist_add_scaled(nu, x * y * y, u0);
    nu = elv_twist_add_scaled(nu, -x * x * y, end);
    return elv_pose_compose(g0, elv_se3_exp(nu));
}

static ElvTwist between(ElvTwist a, ElvTwist b, double x) {
    return elv_twist_add_scaled(elv_twist_scale(1.0 - x, a), x, b);
}

ElvFieldNode elv_field_within(const ElvFieldNode* a, const ElvFieldNode* b, double dt, double x) {
    ElvFieldNode at;
    at.g = elv_field_pose(a->g, elv_twist_scale(dt, a->eta), b->g, elv_twist_scale(dt, b->eta), x);
    at.eta = between(a->eta, b->eta, x);
    at.eta_dot = between(a->eta_dot, b->eta_dot, x);
    at.xi = between(a->xi, b->xi, x);
    at.xi_dot = between(a->xi_dot, b->xi_dot, x);
    at.lam = elv_wrench_add_scaled(elv_wrench_scale(1.0 - x, a->lam), x, b->lam);
    return at;
}

// the piece of a rod that holds s, the outer one at an end
static const ElvFieldPiece* piece_at(const ElvFieldView* view, int i_rod, double s) {
    const ElvFieldPiece* found = NULL;
    for (int i = 0; i < view->n_piece; i++) {
        const ElvFieldPiece* piece = &view->piece[i];
        if (piece->i_rod == i_rod && (!found || s >= view->s[piece->i_node] ||
                                      elv_same_station(s, view->s[piece->i_node]))) {
            found = piece;
        }
    }
    return found;
}

// the pose, from the nodes on either side
static ElvPose pose_at(const ElvFieldView* view, const ElvFieldPiece* piece, double s) {
    const double* at = view->s + piece->i_node;
    const ElvFieldNode* node = view->node + piece->i_node;
    int i = 0;
    while (i < piece->n_node - 2 && s > at[i + 1]) {
        i++;
    }
    if (s == at[i] || s == at[i + 1]) {
        return s == at[i] ? node[i].g : node[i + 1].g;
    }
    double width = at[i + 1] - at[i];
    double h = width * view->chain->rod[piece->i_rod].strong.length;
    return elv_field_pose(node[i].g, elv_twist_scale(h, node[i].xi), node[i + 1].g,
                          elv_twist_scale(h, node[i + 1].xi), (s - at[i]) / width);
}

ElvFieldNode elv_field_view_at(const ElvFieldView* view, int i_rod, double s) {
    const ElvFieldPiece* piece = piece_at(view, i_rod, s);
    int first;
    double weight[4];
    int n = elv_field_weights(view->s + piece->i_node, piece->n_node, s, &first, weight);
    ElvFieldNode at;
    memset(&at, 0, sizeof at);
    for (int j = 0; j < n; j++) {
        const ElvFieldNode* node = &view->node[piece->i_node + first + j];
        at.eta = elv_twist_add_scaled(at.eta, weight[j], node->eta);
        at.eta_dot = elv_twist_add_scaled(at.eta_dot, weight[j], node->eta_dot);
        at.xi = elv_twist_add_scaled(at.xi, weight[j], node->xi);
        at.xi_dot = elv_twist_add_scaled(at.xi_dot, weight[j], node->xi_dot);
        at.lam = elv_wrench_add_scaled(at.lam, weight[j], node->lam);
    }
    at.g = pose_at(view, piece, s);
    return at;
}

// ---- ports

static ElvMotion motion_of(const ElvFieldNode* at) {
    ElvMotion motion = {at->g, elv_twist_transform(at->g, at->eta),
                        elv_twist_transform(at->g, at->eta_dot)};
    return motion;
}

void elv_field_view_fill(ElvFieldView* view, ElvData* data) {
    const ElvChain* chain = view->chain;
    ElvMotion world = {elv_pose_identity(), elv_twist_zero(), elv_twist_zero()};
    data->origin = elv_vec3(0.0, 0.0, 0.0);
    data->source = &view->source;
    data->fluid = elv_chain_input(chain, view->t, 1.0, false).fluid;
    for (int i = 0; i < chain->model->n_port; i++) {
        const ElvChainPort* port = &chain->port[i];
        ElvMotion at = port->i_rod == ELV_CHAIN_ROOT ? view->root : world;
        if (port->i_rod >= 0) {
            ElvFieldNode section = elv_field_view_at(view, port->i_rod, port->s);
            at = motion_of(&section);
        }
        // what is rigid with a section shares its V and A
        at.g = elv_chain_port_pose(port, at.g);
        data->port[i] = at;
    }
}

// ---- the view

// integrals of the cubics, element by element with two points of Gauss
static void set_weights(ElvFieldView* view, const ElvFieldPiece* piece) {
    static const double POINT[2] = {0.21132486540518711775, 0.78867513459481288225};
    const double* s = view->s + piece->i_node;
    double length = view->chain->rod[piece->i_rod].strong.length;
    for (int i = 0; i + 1 < piece->n_node; i++) {
        for (int k = 0; k < 2; k++) {
            double weight[4];
            int first;
            double width = s[i + 1] - s[i];
            int n = elv_field_weights(s, piece->n_node, s[i] + POINT[k] * width, &first, weight);
            for (int j = 0; j < n; j++) {
                view->weight[piece->i_node + first + j] += 0.5 * width * length * weight[j];
            }
        }
    }
}

ElvStatus elv_field_view_init(ElvFieldView* view,
                              const ElvChain* chain,
                              const ElvFieldPiece* piece,
                              int n_piece,
                              const double* s,
                              const ElvStrongStation* const* station,
                              ElvPool* pool,
                              ElvError* error) {
    memset(view, 0, sizeof *view);
    view->chain = chain;
    view->piece = piece;
    view->n_piece = n_piece;
    view->s = s;
    view->station = station;
    view->source = elv_field_source(view);
    for (int i = 0; i < n_piece; i++) {
        view->n_node += piece[i].n_node;
    }
    view->weight = elv_pool_take(pool, (size_t)view->n_node, sizeof *view->weight);
    view->node = elv_pool_take(pool, (size_t)view->n_node, sizeof *view->node);
    if (!view->weight || !view->node) {
        return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    for (int i = 0; i < n_piece; i++) {
        set_weights(view, &piece[i]);
    }
    return ELV_OK;
}
