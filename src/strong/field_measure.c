// SPDX-License-Identifier: Apache-2.0
// Sections, energies, efforts and lengths from fields at nodes: the answers of a view as an ElvFieldSource.
#include "strong/field_measure.h"

#include <string.h>

// the rod of the chain that a node of the model is
static int rod_of(const ElvChain* chain, int i_node) {
    int i = 0;
    while (i < chain->n_rod - 1 && chain->rod[i].i_node != i_node) {
        i++;
    }
    return i;
}

// Phi at a station of a slender rod, which the fields carry with Lambda                          [OCP (90)]
static ElvWrench flux_at(const ElvFieldView* view, int i_rod, double s, const ElvFieldNode* at) {
    const ElvChain* chain = view->chain;
    const ElvRod* rod = chain->rod[i_rod].strong.rod;
    if (!rod->is_slender) {
        return elv_wrench_zero();
    }
    ElvStrongFluid fluid = elv_strong_fluid(rod, s);
    ElvStrongInput in = elv_chain_input(chain, view->t, 1.0, false);
    return elv_strong_flux(&fluid, &in.fluid, &at->g, at->eta);
}

static void
section(void* owner, int i_node, double s, ElvPose* pose, ElvTwist* strain, ElvWrench* lam) {
    const ElvFieldView* view = owner;
    int i_rod = rod_of(view->chain, i_node);
    ElvFieldNode at = elv_field_view_at(view, i_rod, s);
    if (pose) {
        *pose = at.g;
    }
    if (strain) {
        *strain = at.xi;
    }
    if (lam) {
        *lam = elv_wrench_sub(at.lam, flux_at(view, i_rod, s, &at));
    }
}

static ElvTwist rate(void* owner, int i_node, double s) {
    const ElvFieldView* view = owner;
    return elv_field_view_at(view, rod_of(view->chain, i_node), s).xi_dot;
}

// 1/2 (xi - xi_o)^T H (xi - xi_o) per metre                                               [P20 (3)]
static double elastic_density(const ElvStrongStation* station, ElvTwist xi) {
    double strain[ELV_N_STRAIN];
    double sum = 0.0;
    elv_twist_to_array(elv_twist_sub(xi, station->xi_o), strain);
    for (int i = 0; i < ELV_N_STRAIN; i++) {
        for (int j = 0; j < ELV_N_STRAIN; j++) {
            sum += 0.5 * strain[i] * station->H.m[i][j] * strain[j];
        }
    }
    return sum;
}

static void measure(void* owner, int i_node, ElvVec3 origin, ElvMeasure* sum) {
    const ElvFieldView* view = owner;
    int i_rod = rod_of(view->chain, i_node);
    ElvStrongInput in = elv_chain_input(view->chain, view->t, 1.0, false);
    for (int i = 0; i < view->n_piece; i++) {
        const ElvFieldPiece* piece = &view->piece[i];
        for (int k = 0; k < piece->n_node && piece->i_rod == i_rod; k++) {
            const ElvFieldNode* node = &view->node[piece->i_node + k];
            const ElvStrongStation* station = view->station[piece->i_node + k];
            double weight = view->weight[piece->i_node + k];
            ElvPose g = elv_pose(node->g.R, elv_vec3_sub(node->g.p, origin));
            ElvWrench momentum = elv_inertia_apply(station->inertia, node->eta);
            ElvVec3 moment = elv_vec3_add(elv_vec3_scale(station->mass, g.p),
                                          elv_mat3_apply(g.R, station->moment));
            sum->kinetic += 0.5 * weight * elv_power(node->eta, momentum);
            sum->elastic += weight * elastic_density(station, node->xi);
            sum->gravity -= weight * elv_vec3_dot(moment, view->chain->gravity);
            sum->momentum =
                elv_wrench_add_scaled(sum->momentum, weight, elv_wrench_transform(g, momentum));
            elv_strong_fluid_measure(&station->fluid, &in.fluid, &node->g, node->eta, node->xi_dot,
                                     weight, sum);
            sum->mass += weight * station->mass;
            sum->moment = elv_vec3_add_scaled(sum->moment, weight, moment);
        }
    }
}

static void efforts(void* owner, double* effort) {
    const ElvFieldView* view = owner;
    const ElvChain* chain = view->chain;
    memset(effort, 0, (size_t)chain->model->nv * sizeof *effort);
    if (chain->joint) {
        const ElvNode* node = &chain->model->node[chain->i_joint];
        memcpy(effort + node->i_v, view->effort, (size_t)node->joint->n_v * sizeof *effort);
    }
}

// integral of the stretch of a fibre and of its rate; with its profile where that is what is measured
static void measure_fibre(const ElvFieldView* view, int i_rod, int i_fibre, ElvChannel* channel) {
    const ElvStrongRod* strong = &view->chain->rod[i_rod].strong;
    const ElvRodFibre* fibre = &strong->fields.fibre[i_fibre];
    channel->value = channel->rate = 0.0;
    for (int i = 0; i < view->n_piece; i++) {
        const ElvFieldPiece* piece = &view->piece[i];
        if (piece->i_rod != i_rod) {
            continue;
        }
        const ElvStrongPiece* part = &strong->piece[piece->i_piece];
        double middle = 0.5 * (part->s0 + part->s1);
        if (middle < fibre->from || middle > fibre->to) {
            continue;
        }
        for (int k = 0; k < piece->n_node; k++) {
            const ElvFieldNode* node = &view->node[piece->i_node + k];
            const ElvStrongStation* station = view->station[piece->i_node + k];
            double lam[ELV_N_STRAIN], rate[ELV_N_STRAIN];
            double l = elv_strong_fibre(strong, station, i_fibre, node->xi, lam);
            // the sign belongs to the force
            double profile =
                fibre->measures_length ? 1.0 : fibre->sign * station->fibre[i_fibre].profile;
            double weight = view->weight[piece->i_node + k] * profile;
            elv_twist_to_array(node->xi_dot, rate);
            channel->value += weight * l;
            for (int j = 0; j < ELV_N_STRAIN; j++) {
                channel->rate += weight * lam[j] * rate[j];
            }
        }
    }
}

static void channels(void* owner, ElvData* data) {
    const ElvFieldView* view = owner;
    const ElvModel* model = view->chain->model;
    for (int i = 0; i < view->chain->n_rod; i++) {
        const ElvChainRod* link = &view->chain->rod[i];
        for (int k = 0; k < link->strong.fields.n_fibre; k++) {
            const ElvLaw* input = link->strong.input[k];
            int at = model->node[link->i_node].i_channel + link->strong.fields.fibre[k].channel;
            measure_fibre(view, i, k, &data->channel[at]);
            data->channel[at].factor = 1.0;
            data->u[at] = input ? elv_law_value(input, view->t, 0.0) : 1.0;
        }
    }
}

ElvFieldSource elv_field_source(ElvFieldView* view) {
    return (ElvFieldSource){view, section, rate, measure, efforts, channels};
}
