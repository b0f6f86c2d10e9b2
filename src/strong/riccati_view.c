// SPDX-License-Identifier: Apache-2.0
// What signals see of a motion of inverse dynamics: sections anywhere, energies and momenta, the effort of the root,
// lengths of tendons, and the tensions found for them. Integrals are those of the Runge-Kutta steps, of order 8.
#include "strong/riccati.h"

#include <assert.h>
#include <string.h>

enum { NODE = ELV_RK8_NODE };

// ---- sections

// zero where the tables of a section cannot be made, which could at its neighbours
static ElvRiccatiSection section_at(void* owner, int i_node, double s) {
    ElvRiccatiSection at;
    if (elv_riccati_section(owner, i_node, s, &at, NULL) != ELV_OK) {
        memset(&at, 0, sizeof at);
        at.pose = elv_pose_identity();
    }
    return at;
}

static void
section(void* owner, int i_node, double s, ElvPose* pose, ElvTwist* strain, ElvWrench* lam) {
    ElvRiccatiSection at = section_at(owner, i_node, s);
    if (pose) {
        *pose = at.pose;
    }
    if (strain) {
        *strain = at.strain;
    }
    if (lam) {
        *lam = at.lam;
    }
}

static ElvTwist rate(void* owner, int i_node, double s) {
    return section_at(owner, i_node, s).strain_dot;
}

// ---- sums

// shares of one section; y: its motion
static void add_section(const ElvStrongStation* station,
                        ElvTwist xi,
                        const ElvSweepState* y,
                        ElvVec3 origin,
                        ElvVec3 gravity,
                        double weight,
                        ElvMeasure* sum) {
    double strain[ELV_N_STRAIN];
    ElvPose g = elv_pose(y->g.R, elv_vec3_sub(y->g.p, origin));
    ElvWrench momentum = elv_inertia_apply(station->inertia, y->eta);
    ElvVec3 moment =
        elv_vec3_add(elv_vec3_scale(station->mass, g.p), elv_mat3_apply(g.R, station->moment));
    elv_twist_to_array(elv_twist_sub(xi, station->xi_o), strain);
    for (int k = 0; k < 36; k++) {
        sum->elastic += 0.5 * weight * strain[k / 6] * station->H.m[k / 6][k % 6] * strain[k % 6];
    }
    sum->kinetic += 0.5 * weight * elv_power(y->eta, momentum);
    sum->gravity -= weight * elv_vec3_dot(moment, gravity);
    sum->momentum = elv_wrench_add_scaled(sum->momentum, weight, elv_wrench_transform(g, momentum));
    sum->mass += weight * station->mass;
    sum->moment = elv_vec3_add_scaled(sum->moment, weight, moment);
}

static void measure(void* owner, int i_node, ElvVec3 origin, ElvMeasure* sum) {
    ElvRiccati* r = owner;
    for (int i = 0; i < r->grid.n_step; i++) {
        const ElvShotStep* step = &r->grid.step[i];
        for (int k = 0; k < NODE && r->chain.rod[step->i_rod].i_node == i_node; k++) {
            ElvSweepState y;
            double s = step->s0 + (step->s1 - step->s0) * ELV_RK8_AT[k];
            if (elv_riccati_at(r, i, s, &y, NULL) == ELV_OK) {
                double weight = step->h * ELV_RK8_WEIGHT[k];
                const ElvSweepNode* given = &r->given[i * NODE + k];
                add_section(&step->node[k].station, given->xi, &y, origin, r->chain.gravity, weight,
                            sum);
                elv_strong_fluid_measure(&step->node[k].station.fluid, &r->in.fluid, &y.g, y.eta,
                                         given->xi_dot, weight, sum);
            }
        }
    }
}

// of the joint at the root: what its imposed motion needs, or what its law and controllers give
static void efforts(void* owner, double* effort) {
    const ElvRiccati* r = owner;
    memset(effort, 0, (size_t)r->chain.model->nv * sizeof *effort);
    if (!r->chain.joint) {
        return;
    }
    const ElvJoint* joint = &r->chain.joint->joint;
    double* own = effort + r->chain.model->node[r->chain.i_joint].i_v;
    if (!r->root.is_free) {
        memcpy(own, r->root.effort, (size_t)joint->n_v * sizeof *own);
        return;
    }
    ElvJointInput in = {.t = r->in.t,
                        .load = r->in.load,
                        .gravity = r->in.gravity,
                        .q = r->root.q,
                        .v = r->root.v,
                        .a = r->root.a,
                        .is_static = r->in.is_static};
    joint->ops->drive(joint, &in, own);
}

// ---- tendons, chambers, muscles

// length (volume) of a fibre and its rate
static void measure_fibre(const ElvRiccati* r, int i_rod, int i_fibre, ElvChannel* channel) {
    const ElvStrongRod* strong = &r->chain.rod[i_rod].strong;
    const ElvRodFibre* fibre = &strong->fields.fibre[i_fibre];
    channel->value = channel->rate = 0.0;
    for (int i = 0; i < r->grid.n_step; i++) {
        const ElvShotStep* step = &r->grid.step[i];
        double middle = 0.5 * (step->s0 + step->s1);
        if (step->i_rod != i_rod || middle < fibre->from || middle > fibre->to) {
            continue;
        }
        for (int k = 0; k < NODE; k++) {
            const ElvStrongStation* station = &step->node[k].station;
            const ElvSweepNode* given = &r->given[i * NODE + k];
            double lam[6], xi_dot[6];
            double l = elv_strong_fibre(strong, station, i_fibre, given->xi, lam);
            // the sign belongs to the force
            double profile =
                fibre->measures_length ? 1.0 : fibre->sign * station->fibre[i_fibre].profile;
            double weight = step->h * ELV_RK8_WEIGHT[k] * profile;
            elv_twist_to_array(given->xi_dot, xi_dot);
            channel->value += weight * l;
            for (int j = 0; j < 6; j++) {
                channel->rate += weight * lam[j] * xi_dot[j];
            }
        }
    }
}

static void channels(void* owner, ElvData* data) {
    ElvRiccati* r = owner;
    const ElvModel* model = r->chain.model;
    for (int i = 0; i < r->chain.n_rod; i++) {
        const ElvStrongRod* strong = &r->chain.rod[i].strong;
        for (int k = 0; k < strong->fields.n_fibre; k++) {
            int i_channel = model->node[r->chain.rod[i].i_node].i_channel;
            int at = i_channel + strong->fields.fibre[k].channel;
            int input = r->input ? elv_chain_fibre_input(&r->chain, &r->inputs, i, k) : -1;
            const ElvLaw* law = strong->input[k];
            double own = law ? elv_law_value(law, r->in.t, 0.0) : 1.0;
            measure_fibre(r, i, k, &data->channel[at]);
            data->channel[at].factor = 1.0;
            data->u[at] = input >= 0 ? r->input[r->inputs.device[input]] : own;
        }
    }
}

// ---- handing out

static ElvMotion motion_of(ElvPose g, ElvTwist eta, ElvTwist eta_dot) {
    ElvMotion motion = {g, elv_twist_transform(g, eta), elv_twist_transform(g, eta_dot)};
    return motion;
}

void elv_riccati_hand_out(ElvRiccati* riccati,
                          const double* input,
                          ElvData* data,
                          ElvState* state) {
    ElvRiccati* r = riccati;
    const ElvRiccatiBase* root = &r->root;
    const ElvMotion still = {elv_pose_identity(), elv_twist_zero(), elv_twist_zero()};
    assert(r->is_solved);
    r->input = input;
    r->source = (ElvFieldSource){r, section, rate, measure, efforts, channels};
    data->source = &r->source;
    data->origin = elv_vec3(0.0, 0.0, 0.0);
    data->is_static = r->in.is_static;
    data->fluid = r->in.fluid;
    for (int i = 0; i < r->chain.model->n_port; i++) {
        const ElvChainPort* port = &r->chain.port[i];
        ElvMotion at =
            port->i_rod == ELV_CHAIN_ROOT ? motion_of(root->g, root->eta, root->eta_dot) : still;
        if (port->i_rod >= 0) {
            ElvRiccatiSection own = section_at(r, r->chain.rod[port->i_rod].i_node, port->s);
            at = motion_of(own.pose, own.eta, own.eta_dot);
        }
        // what is rigid with a section shares its V and A
        at.g = elv_chain_port_pose(port, at.g);
        data->port[i] = at;
    }
    state->t = r->in.t;
    if (r->chain.joint) {
        const ElvNode* node = &r->chain.model->node[r->chain.i_joint];
        memcpy(state->q + node->i_q, root->q, (size_t)node->joint->n_q * sizeof *state->q);
        memcpy(state->v + node->i_v, root->v, (size_t)node->joint->n_v * sizeof *state->v);
        memcpy(state->a + node->i_v, root->a, (size_t)node->joint->n_v * sizeof *state->a);
    }
}
