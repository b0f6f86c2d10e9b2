// SPDX-License-Identifier: Apache-2.0
// What an equilibrium found by shooting shows: sections between the steps, by one more step from the last one; and
// everything that signals ask for, from sections at the quadrature nodes of the modal rods.
#include "strong/shoot_statics.h"

#include "rod/rod_segment.h"
#include "strong/mode_project.h"

#include <assert.h>
#include <string.h>

enum { NODE = ELV_RK8_NODE };

ElvStatus elv_shoot_store(ElvShooting* s, ElvError* error) {
    if (s->shot != &s->now && !elv_shoot_over(s, &s->now, false)) {
        return elv_error_set(error, ELV_ERROR_NUMERIC, "", "",
                             "an equilibrium cannot be shot over again");
    }
    for (int i = 0; i < s->fine.n_step; i++) {
        const ElvIvpState* y = &s->start[i];
        s->section[i] = (ElvShootSection){elv_ivp_pose(y), elv_ivp_wrench(y), y->xi};
    }
    // behind the tip: what holds it
    const ElvIvpState* end = &s->end[s->n_segment - 1];
    s->tip_wrench = s->has_tip ? elv_ivp_wrench(end) : elv_wrench_zero();
    return ELV_OK;
}

// ---- sections

// the last step of a rod that begins at s or before it, the last one of all for the tip
static int find_step(const ElvShooting* s, int i_rod, double at) {
    int found = -1;
    for (int i = 0; i < s->fine.n_step; i++) {
        const ElvShotStep* step = &s->fine.step[i];
        bool is_here = step->i_rod == i_rod && (found < 0 || step->s0 <= at);
        found = is_here ? i : found;
    }
    return found;
}

static bool make_node(ElvShooting* s, const ElvShotStep* step, double at, int i) {
    const ElvStrongRod* strong = &s->chain.rod[step->i_rod].strong;
    size_t n_fibre = (size_t)strong->fields.n_fibre;
    return elv_shot_node(strong, step->i_piece, at, s->fibre + (size_t)i * n_fibre,
                         s->tension + (size_t)i * n_fibre, &s->node[i], NULL) == ELV_OK &&
           elv_shot_node_drive(strong, &s->in, &s->node[i], NULL) == ELV_OK;
}

// the section at station `at` of a rod of the chain
static ElvShootSection find_section(ElvShooting* s, int i_rod, double at) {
    int i_step = find_step(s, i_rod, at);
    const ElvShotStep* step = &s->fine.step[i_step];
    const ElvStrongRod* strong = &s->chain.rod[i_rod].strong;
    ElvShootSection found = s->section[i_step];
    double h = (at - step->s0) * strong->length;
    bool is_made = true;
    if (h > 0.0) {
        ElvIvpState y = elv_ivp_start(found.g, found.lam);
        y.xi = found.xi;
        for (int i = 0; i < NODE; i++) {
            is_made = is_made && make_node(s, step, step->s0 + (at - step->s0) * ELV_RK8_AT[i], i);
        }
        is_made = is_made && elv_ivp_step(strong, s->node, h, false, &y, NULL) == ELV_OK;
        found = (ElvShootSection){elv_ivp_pose(&y), elv_ivp_wrench(&y), y.xi};
    }
    // the law at the section itself
    if (is_made && make_node(s, step, at, NODE)) {
        const ElvShotNode* node = &s->node[NODE];
        // it had a strain when the equilibrium was found: the guess stays where rounding takes that away
        (void)elv_strong_strain(strong, &node->station, &node->drive, found.lam, 0.0,
                                elv_twist_zero(), &found.xi, NULL);
    }
    return found;
}

static int rod_of_node(const ElvShooting* s, int i_node) {
    int i_rod = 0;
    while (i_rod + 1 < s->chain.n_rod && s->chain.rod[i_rod].i_node != i_node) {
        i_rod++;
    }
    assert(s->chain.rod[i_rod].i_node == i_node);
    return i_rod;
}

ElvShootSection elv_shoot_carried(ElvShooting* shooting, int i_node, double s) {
    assert(shooting->is_balanced && s >= 0.0 && s <= 1.0);
    return find_section(shooting, rod_of_node(shooting, i_node), s);
}

void elv_shoot_section(
    ElvShooting* shooting, int i_node, double s, ElvPose* pose, ElvTwist* strain, ElvWrench* lam) {
    ElvShootSection at = elv_shoot_carried(shooting, i_node, s);
    if (pose) {
        *pose = at.g;
    }
    if (strain) {
        *strain = at.xi;
    }
    if (lam) {
        // Lambda = Lambda* - Phi                                                      [OCP (90)]
        *lam =
            elv_wrench_sub(at.lam, elv_strong_flux(&shooting->node[NODE].station.fluid,
                                                   &shooting->in.fluid, &at.g, elv_twist_zero()));
    }
}

ElvWrench elv_shoot_tip_wrench(const ElvShooting* shooting) {
    return shooting->tip_wrench;
}

// ---- for signals

static void
section(void* owner, int i_node, double s, ElvPose* pose, ElvTwist* strain, ElvWrench* lam) {
    elv_shoot_section(owner, i_node, s, pose, strain, lam);
}

// energies of a rod at the nodes of its quadrature
static void measure(void* owner, int i_node, ElvVec3 origin, ElvMeasure* sum) {
    ElvShooting* s = owner;
    int i_rod = rod_of_node(s, i_node);
    const ElvRod* rod = s->chain.rod[i_rod].strong.rod;
    for (int i = 0; i < rod->n_node; i++) {
        ElvShootSection at = find_section(s, i_rod, rod->s[i]);
        const ElvStrongStation* station = &s->node[NODE].station;
        double weight = rod->weight[i];
        double strain[ELV_N_STRAIN];
        elv_twist_to_array(elv_twist_sub(at.xi, station->xi_o), strain);
        for (int k = 0; k < 36; k++) {
            sum->elastic +=
                0.5 * weight * strain[k / 6] * station->H.m[k / 6][k % 6] * strain[k % 6];
        }
        ElvVec3 p = elv_vec3_sub(at.g.p, origin);
        ElvVec3 moment =
            elv_vec3_add(elv_vec3_scale(station->mass, p), elv_mat3_apply(at.g.R, station->moment));
        sum->gravity -= weight * elv_vec3_dot(moment, s->chain.gravity);
        elv_strong_fluid_measure(&station->fluid, &s->in.fluid, &at.g, elv_twist_zero(),
                                 elv_twist_zero(), weight, sum);
        sum->mass += weight * station->mass;
        sum->moment = elv_vec3_add_scaled(sum->moment, weight, moment);
    }
}

// what drives the joint at the root: its law and controllers, or what an imposed motion needs
static void efforts(void* owner, double* effort) {
    const ElvShooting* s = owner;
    memset(effort, 0, (size_t)s->model->nv * sizeof *effort);
    if (!s->chain.joint) {
        return;
    }
    const ElvJoint* joint = &s->chain.joint->joint;
    double* own = effort + s->model->node[s->chain.i_joint].i_v;
    if (joint->is_motion_driven) {
        elv_shoot_root_residual(&s->last.root, &s->in, s->last.lam[0], own);
        return;
    }
    static const double zero[7] = {0.0};
    ElvJointInput in = {.t = s->in.t,
                        .load = s->in.load,
                        .gravity = s->in.gravity,
                        .q = s->last.root.q,
                        .v = zero,
                        .a = zero,
                        .is_static = true};
    joint->ops->drive(joint, &in, own);
}

// a fibre at one node of the quadrature: its share of the length (of the volume), and of its derivatives
static void add_fibre(const ElvShooting* s,
                      const ElvStrongRod* strong,
                      int k,
                      const ElvRodSegment* seg,
                      int i,
                      ElvTwist xi,
                      ElvChannel* channel) {
    const ElvStrongStation* station = &s->node[NODE].station;
    const ElvRodFibre* fibre = &strong->fields.fibre[k];
    if (station->s < fibre->from || station->s > fibre->to) {
        return;
    }
    double lam[6];
    double l = elv_strong_fibre(strong, station, k, xi, lam);
    double profile = fibre->measures_length ? 1.0 : fibre->sign * station->fibre[k].profile;
    double weight = strong->rod->weight[seg->i_node + i] * profile;
    channel->value += weight * l;
    elv_rod_project(seg, i, weight, lam, channel->d_value);
}

// channels of one rod; derivatives are by the modes that the model has
static void rod_channels(ElvShooting* s, int i_rod, ElvChannel* channel, double* u) {
    const ElvStrongRod* strong = &s->chain.rod[i_rod].strong;
    const ElvRod* rod = strong->rod;
    size_t size = (size_t)rod->joint.n_v * sizeof(double);
    for (int k = 0; k < strong->fields.n_fibre; k++) {
        ElvChannel* own = &channel[strong->fields.fibre[k].channel];
        own->value = own->rate = 0.0;
        own->factor = 1.0;
        memset(own->d_value, 0, size);
        memset(own->d_factor, 0, size);
        memset(own->effort, 0, size);
        double input = strong->input[k] ? elv_law_value(strong->input[k], s->in.t, 0.0) : 1.0;
        u[strong->fields.fibre[k].channel] = s->in.load * input;
    }
    for (int i_segment = 0; i_segment < rod->n_segment; i_segment++) {
        const ElvRodSegment* seg = &rod->segment[i_segment];
        for (int i = 0; i < seg->n_node; i++) {
            ElvShootSection at = find_section(s, i_rod, rod->s[seg->i_node + i]);
            for (int k = 0; k < strong->fields.n_fibre; k++) {
                add_fibre(s, strong, k, seg, i, at.xi, &channel[strong->fields.fibre[k].channel]);
            }
        }
    }
}

static void channels(void* owner, ElvData* data) {
    ElvShooting* s = owner;
    for (int i = 0; i < s->chain.n_rod; i++) {
        int i_channel = s->model->node[s->chain.rod[i].i_node].i_channel;
        if (s->chain.rod[i].strong.fields.n_fibre > 0) {
            rod_channels(s, i, data->channel + i_channel, data->u + i_channel);
        }
    }
}

ElvFieldSource elv_shoot_source(ElvShooting* shooting) {
    return (ElvFieldSource){shooting, section, NULL, measure, efforts, channels};
}

// ---- coordinates

static ElvTwist strain_at(void* owner, int i_rod, double s) {
    ElvShooting* shooting = owner;
    ElvShootSection at = find_section(shooting, i_rod, s);
    return elv_twist_sub(at.xi, shooting->node[NODE].station.xi_o);
}

static void hand_out_ports(ElvShooting* s, ElvData* data) {
    ElvPose root = elv_shoot_root_pose(&s->last.root);
    data->source = &s->source;
    data->origin = s->section[0].g.p;
    data->is_static = true;
    data->fluid = s->in.fluid;
    data->fluid.origin = data->origin;
    for (int i = 0; i < s->model->n_port; i++) {
        const ElvChainPort* port = &s->chain.port[i];
        ElvPose at = port->i_rod >= 0                ? find_section(s, port->i_rod, port->s).g
                     : port->i_rod == ELV_CHAIN_ROOT ? root
                                                     : elv_pose_identity();
        ElvPose g = elv_chain_port_pose(port, at);
        g.p = elv_vec3_sub(g.p, data->origin);
        data->port[i] = (ElvMotion){g, elv_twist_zero(), elv_twist_zero()};
    }
}

void elv_shoot_hand_out(ElvShooting* shooting, ElvData* data, ElvState* state) {
    ElvShooting* s = shooting;
    assert(s->is_balanced);
    hand_out_ports(s, data);
    state->t = s->in.t;
    memset(state->v, 0, (size_t)state->nv * sizeof *state->v);
    memset(state->a, 0, (size_t)state->nv * sizeof *state->a);
    state->step_past = 0.0;
    for (int i = 0; i < s->chain.n_rod; i++) {
        elv_mode_project(&s->chain, s->gram, i, strain_at, s,
                         state->q + s->model->node[s->chain.rod[i].i_node].i_q);
    }
    if (s->chain.joint) {
        const ElvNode* node = &s->model->node[s->chain.i_joint];
        memcpy(state->q + node->i_q, s->last.root.q, (size_t)node->joint->n_q * sizeof *state->q);
    }
}
