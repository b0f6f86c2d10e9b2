// SPDX-License-Identifier: Apache-2.0
// Fields at the start: strains and their rates from the coordinates of the modes, poses and twists by integrating them
// along the rods. What the modes do not know is taken at rest: eta_dot, and Lambda of strains that are not free.
#include "strong/finite.h"

#include <math.h>
#include <string.h>

enum { N_SUB = 4 }; // steps of RK4 in an element

/// What is integrated: strains of a rod at its coordinates q and velocities v.
typedef struct {
    const ElvRod* rod;
    const double *q, *v;
    double s0, s1; // of the piece
} Shape;

static ElvTwist strain_at(const Shape* shape, double s) {
    return elv_rod_strain_at(shape->rod, shape->q, s);
}

static ElvTwist rate_at(const Shape* shape, double s) {
    return elv_rod_strain_rate_at(shape->rod, shape->v, s);
}

// inside of the piece, where bases may jump at its ends
static double inside(const Shape* shape, double s) {
    double margin = 1e-12 * (shape->s1 - shape->s0);
    return fmin(fmax(s, shape->s0 + margin), shape->s1 - margin);
}

// eta' = xi_dot - ad_xi eta
static ElvTwist twist_slope(const Shape* shape, double s, ElvTwist eta) {
    return elv_twist_sub(rate_at(shape, s), elv_twist_bracket(strain_at(shape, s), eta));
}

// poses and twists over h = width length metres from s: RK4, on the group for the pose
static void step(const Shape* shape, double s, double width, ElvPose* g, ElvTwist* eta) {
    double h = width * shape->rod->length;
    double s_end = inside(shape, s + width);
    double s_mid = s + 0.5 * width;
    s = inside(shape, s);
    ElvTwist a = strain_at(shape, s), b = strain_at(shape, s_mid), c = strain_at(shape, s_end);
    // k_i = T(u_i)^-1 xi_i
    ElvTwist k2 = elv_mat6_apply(elv_se3_tangent_inv(elv_twist_scale(0.5 * h, a)), b);
    ElvTwist k3 = elv_mat6_apply(elv_se3_tangent_inv(elv_twist_scale(0.5 * h, k2)), b);
    ElvTwist k4 = elv_mat6_apply(elv_se3_tangent_inv(elv_twist_scale(h, k3)), c);
    ElvTwist u = elv_twist_add(elv_twist_add(a, k4), elv_twist_scale(2.0, elv_twist_add(k2, k3)));
    *g = elv_pose_compose(*g, elv_se3_exp(elv_twist_scale(h / 6.0, u)));
    ElvTwist e1 = twist_slope(shape, s, *eta);
    ElvTwist e2 = twist_slope(shape, s_mid, elv_twist_add_scaled(*eta, 0.5 * h, e1));
    ElvTwist e3 = twist_slope(shape, s_mid, elv_twist_add_scaled(*eta, 0.5 * h, e2));
    ElvTwist e4 = twist_slope(shape, s_end, elv_twist_add_scaled(*eta, h, e3));
    ElvTwist sum =
        elv_twist_add(elv_twist_add(e1, e4), elv_twist_scale(2.0, elv_twist_add(e2, e3)));
    *eta = elv_twist_add_scaled(*eta, h / 6.0, sum);
}

// nodes of a piece from the section before its first
static void lay_piece(const ElvFinite* self,
                      const ElvFinitePiece* piece,
                      const Shape* shape,
                      ElvPose* g,
                      ElvTwist* eta) {
    for (int i = 0; i <= piece->n_element; i++) {
        ElvFieldNode* node = &self->now[piece->i_node + i];
        double s = self->grid.s[piece->i_node + i];
        memset(node, 0, sizeof *node);
        node->g = *g;
        node->eta = *eta;
        node->xi = strain_at(shape, inside(shape, s));
        node->xi_dot = rate_at(shape, inside(shape, s));
        double width = (shape->s1 - shape->s0) / (piece->n_element * N_SUB);
        for (int k = 0; k < N_SUB && i < piece->n_element; k++) {
            step(shape, s + k * width, width, g, eta);
        }
    }
}

// Lambda by the constitutive law
static void set_stress(ElvFinite* self, const ElvFinitePiece* piece) {
    const ElvStrongPiece* part = &piece->link->strong.piece[piece->i_piece];
    for (int i = 0; i <= piece->n_element; i++) {
        ElvFieldNode* node = &self->now[piece->i_node + i];
        const ElvFiniteStation* station = elv_finite_node(&self->grid, piece, i);
        double stress[ELV_N_STRAIN];
        elv_strong_stress(&piece->link->strong, &station->at, &station->drive, node->xi,
                          node->xi_dot, stress, NULL, NULL);
        for (int k = 0; k < ELV_N_STRAIN; k++) {
            stress[k] = part->is_free[k] ? stress[k] : 0.0;
        }
        node->lam = elv_wrench_from_array(stress);
    }
}

// the joint as the state has it
static void start_joint(ElvFinite* self, const ElvState* state) {
    memset(&self->joint, 0, sizeof self->joint);
    if (self->chain.joint) {
        const ElvNode* node = &self->chain.model->node[self->chain.i_joint];
        size_t n_q = (size_t)node->joint->n_q, n_v = (size_t)node->joint->n_v;
        memcpy(self->joint.q, state->q + node->i_q, n_q * sizeof(double));
        memcpy(self->joint.v, state->v + node->i_v, n_v * sizeof(double));
        node->joint->ops->impose(node->joint, state->t, self->joint.q, self->joint.v,
                                 self->joint.a);
        memcpy(self->euler_q, self->joint.q, sizeof self->euler_q);
    }
}

ElvStatus elv_finite_start(ElvFinite* self, const ElvState* state, ElvError* error) {
    static const double still[3] = {1.0, -1.0, 0.0};
    self->t = self->t_past = state->t;
    self->step_past = 0.0;
    self->largest = 0.0;
    self->last_guess = 0;
    start_joint(self, state);
    self->joint_past = self->joint;
    // laws are seen from the right of a breakpoint
    ElvStrongInput in = elv_chain_input(&self->chain, nextafter(state->t, INFINITY), 1.0, false);
    elv_chain_root_hold(&self->root, &in, &self->joint);
    ElvPose g = self->root.motion.g;
    ElvTwist eta = self->root.eta;
    for (int i = 0; i < self->grid.n_piece; i++) {
        const ElvFinitePiece* piece = &self->grid.piece[i];
        const ElvStrongPiece* part = &piece->link->strong.piece[piece->i_piece];
        const ElvNode* node = &self->chain.model->node[piece->link->i_node];
        Shape shape = {piece->link->strong.rod, state->q + node->i_q, state->v + node->i_v,
                       part->s0, part->s1};
        if (piece->is_first) {
            g = elv_pose_compose(g, piece->link->offset);
            eta = elv_twist_transform_inv(piece->link->offset, eta);
        }
        lay_piece(self, piece, &shape, &g, &eta);
    }
    ElvStatus status = elv_finite_grid_begin(&self->grid, in.t, still, self->now, self->now, error);
    for (int i = 0; i < self->grid.n_piece && status == ELV_OK; i++) {
        set_stress(self, &self->grid.piece[i]);
    }
    elv_wrench_to_array(self->now[0].lam, self->x);
    memcpy(self->x_past, self->x, sizeof self->x_past);
    memcpy(self->past, self->now, (size_t)self->grid.n_node * sizeof *self->now);
    return status;
}
