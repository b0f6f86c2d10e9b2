// SPDX-License-Identifier: Apache-2.0
// Fields at the start, and where laws jump. Strains, their rates and accelerations come from the coordinates of the modes
// at the start; what accelerations jump by later is that of the model with its modes, whose coordinates are those
// nearest to the fields. Given strains, the rest follows: poses and twists from the root, Lambda from the tip.
#include "strong/motion.h"

#include "strong/mode_project.h"

#include <math.h>
#include <string.h>

enum { NODE = ELV_RK8_NODE };

// ---- strains of modes

// modes at a station, for coordinates x: without the strain at rest; inside of the piece, where bases may jump
static ElvTwist
modes_at(const ElvRod* rod, const ElvStrongPiece* piece, const double* x, double s) {
    double margin = 1e-12 * (piece->s1 - piece->s0);
    double at = fmin(fmax(s, piece->s0 + margin), piece->s1 - margin);
    return elv_rod_strain_rate_at(rod, x, at);
}

// visit of a node with the coordinates of its rod in some vector of the state
static ElvTwist visit(const ElvMotionShooting* s, int i_step, int k, const double* x, bool is_q) {
    const ElvShotStep* step = &s->grid.step[i_step];
    const ElvChainRod* link = &s->chain.rod[step->i_rod];
    const ElvNode* node = &s->chain.model->node[link->i_node];
    const ElvStrongPiece* piece = &link->strong.piece[step->i_piece];
    return modes_at(link->strong.rod, piece, x + (is_q ? node->i_q : node->i_v),
                    step->node[k].station.s);
}

// ---- what follows from strains

// poses, twists and wrenches at all nodes for given strains, with the joint as it is
static ElvStatus follow(ElvMotionShooting* s, double t, ElvError* error) {
    ElvMotionGrid given = s->motion;
    given.is_local = false;
    given.is_given = true;
    given.a = given.b = 0.0;
    s->a_compliance = 0.0;
    for (int i = 0; i < s->grid.n_step * NODE; i++) {
        int at = s->i_node[i / NODE] + i % NODE;
        s->motion.past[i] = (ElvMotionPast){
            .p = s->field[at].xi_dot, .q = s->memory[at].xi_ddot, .xi_0 = s->field[at].xi};
    }
    s->grid.in = elv_chain_input(&s->chain, t, 1.0, false);
    for (int i = 0; i < s->grid.n_step; i++) {
        const ElvShotStep* step = &s->grid.step[i];
        const ElvStrongRod* strong = &s->chain.rod[step->i_rod].strong;
        for (int k = 0; k < NODE; k++) {
            ElvShotNode* node = &step->node[k];
            elv_strong_drive(strong, &node->station, &s->grid.in, node->drive.tension,
                             &node->drive);
        }
    }
    elv_chain_root_hold(&s->root, &s->grid.in, &s->joint);
    ElvPose offset = s->chain.rod[0].offset;
    ElvMotionSection root = {.g = elv_pose_compose(s->root.motion.g, offset),
                             .eta = elv_twist_transform_inv(offset, s->root.eta),
                             .eta_dot = elv_twist_transform_inv(offset, s->root.eta_dot)};
    ElvMotionState y = elv_motion_state_at(&root);
    // wrenches add up along the chain, and none is left at the tip
    const int whole[2] = {0, s->grid.n_step};
    ElvStatus status = elv_motion_run(&given, 1, whole, &y, NULL, NULL, &s->lost);
    root.lam = elv_wrench_scale(-1.0, y.w);
    y = elv_motion_state_at(&root);
    if (status == ELV_OK) {
        status = elv_motion_run(&given, 1, whole, &y, NULL, s->field, &s->lost);
    }
    if (status != ELV_OK) {
        return elv_error_set(error, ELV_ERROR_NUMERIC, "", "",
                             "the motion at t = %.9g cannot be followed along the rods", t);
    }
    elv_motion_set_effort(s, s->field[0].lam);
    return ELV_OK;
}

// ---- the start

// accelerations of the model with its modes at its coordinates; zero where nothing has a mass
static ElvStatus accelerate(ElvMotionShooting* s, double t, ElvError* error) {
    s->modal->t = t;
    ElvStatus status = elv_forward_dynamics(s->chain.model, s->data, s->modal, error);
    if (status != ELV_ERROR_SINGULAR) {
        return status;
    }
    elv_error_clear(error);
    memset(s->modal->a, 0, (size_t)s->modal->nv * sizeof *s->modal->a);
    elv_state_impose(s->chain.model, s->modal);
    return ELV_OK;
}

static void take_joint(ElvMotionShooting* s, double t) {
    memset(&s->joint, 0, sizeof s->joint);
    memset(s->joint_aux, 0, sizeof s->joint_aux);
    memset(s->joint_rate_past, 0, sizeof s->joint_rate_past);
    if (!s->chain.joint) {
        return;
    }
    const ElvNode* node = &s->chain.model->node[s->chain.i_joint];
    const ElvJoint* joint = node->joint;
    size_t n_v = (size_t)joint->n_v;
    double w[6];
    memcpy(s->joint.q, s->modal->q + node->i_q, (size_t)joint->n_q * sizeof(double));
    memcpy(s->joint.v, s->modal->v + node->i_v, n_v * sizeof(double));
    memcpy(s->joint.a, s->modal->a + node->i_v, n_v * sizeof(double));
    joint->ops->impose(joint, t, s->joint.q, s->joint.v, s->joint.a);
    joint->ops->chart_rates(joint, s->joint.q, s->joint.v, s->joint.a, w, s->joint_aux);
}

ElvStatus elv_motion_start_fields(ElvMotionShooting* s, const ElvState* state, ElvError* error) {
    // laws are seen from the right of a breakpoint
    double t = nextafter(state->t, INFINITY);
    elv_state_copy(s->modal, state);
    ElvStatus status = accelerate(s, t, error);
    if (status != ELV_OK) {
        return status;
    }
    s->t = s->t_past = state->t;
    s->step_past = s->aux_lead = 0.0;
    s->must_restart = false;
    take_joint(s, t);
    s->joint_past = s->joint;
    for (int i = 0; i < s->grid.n_step; i++) {
        for (int k = 0; k < NODE; k++) {
            int at = s->i_node[i] + k;
            ElvTwist xi_o = s->grid.step[i].node[k].station.xi_o;
            s->field[at].xi = elv_twist_add(visit(s, i, k, s->modal->q, true), xi_o);
            s->field[at].xi_dot = visit(s, i, k, s->modal->v, false);
            s->memory[at].xi_ddot = s->memory[at].aux = visit(s, i, k, s->modal->a, false);
            s->memory[at].rate_past = elv_twist_zero();
        }
    }
    status = follow(s, t, error);
    memcpy(s->effort_past, s->effort, sizeof s->effort);
    memcpy(s->field_past, s->field, (size_t)s->n_node * sizeof *s->field);
    return status;
}

// ---- jumps

// the model with its modes as the fields are
static void set_modal(ElvMotionShooting* s) {
    memcpy(s->view.node, s->field, (size_t)s->n_node * sizeof *s->field);
    elv_mode_state(&s->view, s->gram, s->modal);
    elv_motion_put_state(s, s->t, &s->joint, s->modal);
}

ElvStatus elv_motion_restart(ElvMotionShooting* s, ElvError* error) {
    int nv = s->modal->nv;
    set_modal(s);
    ElvStatus status = accelerate(s, nextafter(s->t, -INFINITY), error);
    memcpy(s->jump, s->modal->a, (size_t)nv * sizeof *s->jump);
    if (status == ELV_OK) {
        status = accelerate(s, nextafter(s->t, INFINITY), error);
    }
    if (status != ELV_OK) {
        return status;
    }
    double most = 0.0;
    for (int i = 0; i < nv; i++) {
        double from = s->jump[i];
        s->jump[i] = s->modal->a[i] - from;
        most = fmax(most, fabs(s->jump[i]) / (1.0 + fabs(from)));
    }
    s->must_restart = false;
    // a kink only
    if (!(most > 1e-9)) {
        return ELV_OK;
    }
    for (int i = 0; i < s->grid.n_step; i++) {
        bool shares = i > 0 && s->i_node[i - 1] + NODE - 1 == s->i_node[i];
        for (int k = shares ? 1 : 0; k < NODE; k++) {
            ElvMotionMemory* memory = &s->memory[s->i_node[i] + k];
            ElvTwist jump = visit(s, i, k, s->jump, false);
            memory->xi_ddot = elv_twist_add(memory->xi_ddot, jump);
            memory->aux = elv_twist_add(memory->aux, jump);
        }
    }
    if (s->chain.joint) {
        const double* own = s->jump + s->chain.model->node[s->chain.i_joint].i_v;
        for (int i = 0; i < s->chain.joint->joint.n_v; i++) {
            s->joint.a[i] += own[i];
            s->joint_aux[i] += own[i];
        }
    }
    // the memory of what was before the jump is of no use
    s->step_past = s->aux_lead = 0.0;
    return follow(s, nextafter(s->t, INFINITY), error);
}
