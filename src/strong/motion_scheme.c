// SPDX-License-Identifier: Apache-2.0
// The time scheme of shooting: histories of strains at the nodes and of the joint. In the full formulation strains and
// joint follow Newmark, HHT or generalized-alpha [OCP (58), (65), (67)-(70)]; without the equation of accelerations
// strains and twists of sections follow the rule of one step [OCP (89)], whose alpha is gamma here,
//     z_dot = c (z - z_n) - (1 - gamma)/gamma z_dot_n,   c = 1/(gamma dt).
#include "strong/motion.h"

#include "linalg/lu.h"

#include <string.h>

enum { NODE = ELV_RK8_NODE };

// ---- histories

// a state of six components, for the formulas of the schemes
typedef struct {
    ElvState state;
    double aux[6], rate_past[6], nu_past[6];
} Lane;

static void
open_lane(const ElvMotionShooting* s, const double* aux, const double* rate_past, Lane* l) {
    memset(l, 0, sizeof *l);
    memcpy(l->aux, aux, sizeof l->aux);
    memcpy(l->rate_past, rate_past, sizeof l->rate_past);
    l->state.aux = l->aux;
    l->state.w_past = l->rate_past;
    l->state.nu_past = l->nu_past;
    l->state.step_past = s->step_past;
    l->state.aux_lead = s->aux_lead;
}

static void open_node(const ElvMotionShooting* s, int i, Lane* lane) {
    double aux[6], rate_past[6];
    elv_twist_to_array(s->memory[i].aux, aux);
    elv_twist_to_array(s->memory[i].rate_past, rate_past);
    open_lane(s, aux, rate_past, lane);
}

// p, q of a node: rates of the increment xi - xi_n become those of xi
static void begin_node(ElvMotionShooting* s, double dt, int i, ElvMotionPast* past) {
    const ElvFieldNode* at = &s->field[i];
    Lane lane;
    double w[6], w_dot[6], f[6], h[6];
    open_node(s, i, &lane);
    elv_twist_to_array(at->xi_dot, w);
    elv_twist_to_array(s->memory[i].xi_ddot, w_dot);
    elv_scheme_begin(&s->scheme, 6, dt, &lane.state, w, w_dot, &s->motion.a, &s->motion.b, f, h);
    past->p = elv_twist_add_scaled(elv_twist_from_array(f), -s->motion.a, at->xi);
    past->q = elv_twist_add_scaled(elv_twist_from_array(h), -s->motion.b, at->xi);
    past->r = elv_twist_zero();
    past->xi_0 = at->xi;
}

// [OCP (89)]
static void begin_local(ElvMotionShooting* s, double dt, int i, ElvMotionPast* past) {
    const ElvFieldNode* at = &s->field[i];
    double gamma = s->scheme.gamma;
    double keep = -(1.0 - gamma) / gamma;
    s->motion.a = 1.0 / (gamma * dt);
    s->motion.b = 0.0;
    past->p = elv_twist_add_scaled(elv_twist_scale(keep, at->xi_dot), -s->motion.a, at->xi);
    past->r = elv_twist_add_scaled(elv_twist_scale(keep, at->eta_dot), -s->motion.a, at->eta);
    past->q = elv_twist_zero();
    past->xi_0 = at->xi;
}

// Unknowns of the joint are velocities of the moving frame, not of its chart: a Jacobian of the last step then holds
// while the chain turns.
static void set_basis(ElvMotionShooting* s) {
    const ElvJoint* joint = &s->chain.joint->joint;
    int n = s->root.n;
    const double zero[6] = {0.0};
    double N[3][36], inverse[36] = {0.0};
    int pivot[6];
    for (int i = 0; i < n; i++) {
        inverse[i * n + i] = 1.0;
    }
    bool has_chart = joint->ops->chart_unknown(joint, zero, s->joint.q, s->joint.v, s->joint.a,
                                               s->root.a, s->root.b, N[0], N[1], N[2]);
    if (has_chart && elv_lu_factor(n, N[0], pivot) < 0) {
        elv_lu_solve(n, N[0], pivot, n, inverse);
    }
    for (int i = 0; i < n; i++) {
        memcpy(s->basis[i], inverse + i * n, (size_t)n * sizeof(double));
    }
}

static void begin_root(ElvMotionShooting* s, double dt) {
    ElvChainRoot* root = &s->root;
    if (!root->is_sought) {
        return;
    }
    const ElvJoint* joint = &s->chain.joint->joint;
    double w_dot[6];
    memcpy(root->q_n, s->joint.q, sizeof root->q_n);
    joint->ops->chart_rates(joint, s->joint.q, s->joint.v, s->joint.a, root->w_n, w_dot);
    memcpy(s->joint_w_dot, w_dot, sizeof w_dot);
    if (s->motion.is_local) {
        double keep = -(1.0 - s->scheme.gamma) / s->scheme.gamma;
        root->a = s->motion.a;
        root->b = root->a * root->a;
        for (int i = 0; i < root->n; i++) {
            root->f[i] = keep * root->w_n[i];
            root->h[i] = root->a * (root->f[i] - root->w_n[i]) + keep * w_dot[i];
        }
        return;
    }
    Lane lane;
    open_lane(s, s->joint_aux, s->joint_rate_past, &lane);
    elv_scheme_begin(&s->scheme, root->n, dt, &lane.state, root->w_n, w_dot, &root->a, &root->b,
                     root->f, root->h);
}

void elv_motion_scheme_begin(ElvMotionShooting* s, double dt) {
    for (int i = 0; i < s->grid.n_step; i++) {
        for (int k = 0; k < NODE; k++) {
            ElvMotionPast* past = &s->motion.past[i * NODE + k];
            if (s->motion.is_local) {
                begin_local(s, dt, s->i_node[i] + k, past);
            } else {
                begin_node(s, dt, s->i_node[i] + k, past);
            }
        }
    }
    begin_root(s, dt);
    if (s->root.is_sought) {
        set_basis(s);
    }
}

ElvStatus elv_motion_drive(ElvMotionShooting* s, double t, ElvError* error) {
    ElvStrongInput in = elv_chain_input(&s->chain, t, 1.0, false);
    bool has_compliance = s->a_compliance == s->motion.a;
    s->grid.in = in;
    s->a_compliance = 0.0;
    for (int i = 0; i < s->grid.n_step; i++) {
        const ElvShotStep* step = &s->grid.step[i];
        const ElvStrongRod* strong = &s->chain.rod[step->i_rod].strong;
        for (int k = 0; k < NODE; k++) {
            ElvShotNode* node = &step->node[k];
            ElvMotionPast* past = &s->motion.past[i * NODE + k];
            elv_strong_drive(strong, &node->station, &in, node->drive.tension, &node->drive);
            if (!strong->is_linear) {
                continue;
            }
            if (has_compliance) {
                elv_strong_strain_affine(strong, &node->station, &node->drive, elv_wrench_zero(),
                                         s->motion.a, past->p, &past->C, &past->xi_0);
                continue;
            }
            ElvStatus status =
                elv_strong_strain(strong, &node->station, &node->drive, elv_wrench_zero(),
                                  s->motion.a, past->p, &past->xi_0, &past->C);
            if (status != ELV_OK) {
                return elv_strong_strain_error(strong, &node->station, status, error);
            }
        }
    }
    s->a_compliance = s->motion.a;
    return ELV_OK;
}

// ---- the end of a step

static void end_node(ElvMotionShooting* s, double dt, int i, const ElvMotionPast* past) {
    const ElvFieldNode* from = &s->field_past[i];
    const ElvFieldNode* to = &s->field[i];
    ElvMotionMemory* memory = &s->memory_next[i];
    Lane lane;
    double w[6], nu[6], w_dot[6];
    open_node(s, i, &lane);
    memory->xi_ddot = elv_twist_add_scaled(past->q, s->motion.b, to->xi);
    elv_twist_to_array(from->xi_dot, w);
    elv_twist_to_array(elv_twist_sub(to->xi, from->xi), nu);
    elv_twist_to_array(memory->xi_ddot, w_dot);
    elv_scheme_end(&s->scheme, 6, dt, w, nu, w_dot, &lane.state);
    memory->aux = elv_twist_from_array(lane.aux);
    memory->rate_past = elv_twist_from_array(lane.rate_past);
}

static void end_root(ElvMotionShooting* s, double dt) {
    if (!s->root.is_sought) {
        return;
    }
    const ElvJoint* joint = &s->chain.joint->joint;
    const ElvChainJoint* at = &s->root.joint;
    Lane lane;
    double w[6], w_dot[6];
    open_lane(s, s->joint_aux, s->joint_rate_past, &lane);
    joint->ops->chart_rates(joint, at->q, at->v, at->a, w, w_dot);
    elv_scheme_end(&s->scheme, s->root.n, dt, s->root.w_n, at->nu, w_dot, &lane.state);
    memcpy(s->joint_aux, lane.aux, sizeof s->joint_aux);
    memcpy(s->joint_rate_past, lane.rate_past, sizeof s->joint_rate_past);
}

void elv_motion_scheme_end(ElvMotionShooting* s, double dt, double t_end) {
    for (int i = 0; i < s->grid.n_step && !s->motion.is_local; i++) {
        for (int k = 0; k < NODE; k++) {
            end_node(s, dt, s->i_node[i] + k, &s->motion.past[i * NODE + k]);
        }
    }
    if (!s->motion.is_local) {
        ElvMotionMemory* room = s->memory;
        s->memory = s->memory_next;
        s->memory_next = room;
    }
    end_root(s, dt);
    s->joint_past = s->joint;
    s->joint = s->root.joint;
    s->t_past = s->t;
    s->t = t_end;
    s->step_past = dt;
    s->aux_lead = elv_scheme_lead(&s->scheme) * dt;
}
