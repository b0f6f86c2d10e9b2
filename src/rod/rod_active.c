// SPDX-License-Identifier: Apache-2.0
// Internal actuation of a rod, evaluated:
//     Lambda_ad = stress fields + fibres + kp (xi - xi_d) + kd (xi_dot - xi_d_dot) + stress laws
//     Q_ad      = - integral of Phi^T Lambda_ad dX                             [P20 (27), P23 (61)]
// and minus its variation, c dLambda/dxi + a dLambda/dxi_dot between Phi^T and Phi. The gains of the
// controllers are matrices made at build; only what their set points give is evaluated here. They are
// no elasticity: the elastic energy knows nothing of them.
#include "rod/rod_active.h"

#include "rod/rod_segment.h"

#include <string.h>

// strains of the nodes of a span, with derivatives by X if there is friction
static void
set_strains(const ElvRod* rod, ElvRodWork* work, const ElvJointInput* in, ElvRodSpan x) {
    const ElvRodActive* active = rod->active;
    ElvRodActiveWork* w = work->active;
    for (int i_segment = x.begin; i_segment < x.end; i_segment++) {
        const ElvRodSegment* seg = &rod->segment[i_segment];
        for (int i = 0; i < seg->n_node; i++) {
            int i_node = seg->i_node + i;
            size_t at = (size_t)i * (size_t)seg->n_col;
            const double* phi = seg->phi + at;
            w->xi[i_node] = elv_twist_add(active->xi_o[i_node], elv_rod_combine(seg, phi, in->q));
            if (active->fields.n_law > 0) {
                w->xi_dot[i_node] = elv_rod_combine(seg, phi, in->v);
            }
            if (active->phi_ds) {
                const double* phi_ds = active->phi_ds + active->i_phi_ds[i_segment] + at;
                w->xi_ds[i_node] =
                    elv_twist_add(active->xi_o_ds[i_node], elv_rod_combine(seg, phi_ds, in->q));
            }
        }
    }
}

static ElvRodSpan whole(const ElvRod* rod) {
    return (ElvRodSpan){0, rod->n_segment, 0, rod->n_node};
}

static double* clear_stress(ElvRodWork* work, ElvRodSpan x) {
    double* stress = work->active->stress;
    size_t n = (size_t)(x.last - x.first) * ELV_N_STRAIN;
    memset(stress + (size_t)x.first * ELV_N_STRAIN, 0, n * sizeof *stress);
    return stress;
}

// Q -= integral of Phi^T Lambda_ad dX over a span                             [P20 (27), P23 (61)]
static void subtract_stress(const ElvRod* rod, const ElvRodWork* work, ElvRodSpan x, double* Q) {
    for (int i_segment = x.begin; i_segment < x.end; i_segment++) {
        const ElvRodSegment* seg = &rod->segment[i_segment];
        for (int i = 0; i < seg->n_node; i++) {
            int i_node = seg->i_node + i;
            const double* stress = work->active->stress + (size_t)i_node * ELV_N_STRAIN;
            elv_rod_project(seg, i, -rod->weight[i_node], stress, Q);
        }
    }
}

static double input_of(const ElvFibre* fibre, const ElvJointInput* in) {
    return in->u[fibre->def.channel];
}

// a given stress field                                                                  [P20 (12)]
static void
add_field(const ElvRod* rod, const ElvRodField* field, double t, double load, double* stress) {
    ElvRodSpan span = elv_rod_span(rod, field->from, field->to);
    for (int i = span.first; i < span.last; i++) {
        for (int k = 0; k < ELV_N_STRAIN; k++) {
            stress[ELV_N_STRAIN * i + k] += load * elv_law_value(field->law[k], t, rod->s[i]);
        }
    }
}

// what the set points of a controller add to kp (xi - xi_o) + kd xi_dot:
// kp (xi_o - xi_d) - kd xi_d_dot                                                         [OCP (92)]
static void
add_set_points(const ElvRod* rod, int i_control, const ElvJointInput* in, double* stress) {
    const ElvRodControl* control = &rod->active->fields.control[i_control];
    const ElvControlNode* gain = rod->active->gain[i_control];
    ElvRodSpan span = elv_rod_span(rod, control->from, control->to);
    for (int k = 0; k < ELV_N_STRAIN; k++) {
        for (int i = span.first; i < span.last && control->target[k]; i++) {
            double xi_o[ELV_N_STRAIN];
            elv_twist_to_array(rod->active->xi_o[i], xi_o);
            ElvJet target = elv_law_eval(control->target[k], in->t, rod->s[i]);
            stress[ELV_N_STRAIN * i + k] += gain[i].kp[k] * (xi_o[k] - target.v) -
                                            (in->is_static ? 0.0 : gain[i].kd[k] * target.d);
        }
    }
}

// a stress law at one node; K and D NULL: the stress alone
static void eval_law(const ElvRod* rod,
                     const ElvRodWork* work,
                     const ElvRodLaw* law,
                     double t,
                     int i_node,
                     double stress[6],
                     ElvMat6* K,
                     ElvMat6* D) {
    double xi[ELV_N_STRAIN], xi_dot[ELV_N_STRAIN];
    elv_twist_to_array(work->active->xi[i_node], xi);
    elv_twist_to_array(work->active->xi_dot[i_node], xi_dot);
    memset(stress, 0, ELV_N_STRAIN * sizeof *stress);
    if (K) {
        memset(K, 0, sizeof *K);
        memset(D, 0, sizeof *D);
    }
    law->callback(law->user, t, rod->s[i_node], xi, xi_dot, stress, K ? &K->m[0][0] : NULL,
                  D ? &D->m[0][0] : NULL);
}

static void
add_law(const ElvRod* rod, const ElvRodWork* work, const ElvRodLaw* law, double t, double* stress) {
    ElvRodSpan span = elv_rod_span(rod, law->from, law->to);
    for (int i = span.first; i < span.last; i++) {
        double own[ELV_N_STRAIN];
        eval_law(rod, work, law, t, i, own, NULL, NULL);
        for (int k = 0; k < ELV_N_STRAIN; k++) {
            stress[ELV_N_STRAIN * i + k] += own[k];
        }
    }
}

void elv_rod_active_efforts(const ElvRod* rod,
                            ElvRodWork* work,
                            const ElvJointInput* in,
                            double* upsilon) {
    const ElvRodActive* active = rod->active;
    if (!active) {
        return;
    }
    // the gains of the controllers, then every stress at the nodes
    if (active->K) {
        elv_rod_subtract_product(rod->joint.n_v, active->K, in->q, upsilon);
        elv_rod_subtract_product(rod->joint.n_v, active->D, in->v, upsilon);
    }
    double* stress = clear_stress(work, whole(rod));
    for (int i = 0; i < active->fields.n_stress; i++) {
        const ElvRodField* field = &active->fields.stress[i];
        if (elv_law_value(field->when, in->t, 0.0) != 0.0) {
            add_field(rod, field, in->t, in->load, stress);
        }
    }
    for (int i = 0; i < active->fields.n_control; i++) {
        add_set_points(rod, i, in, stress);
    }
    if (active->needs_strains) {
        set_strains(rod, work, in, whole(rod));
    }
    for (int i = 0; i < active->fields.n_fibre; i++) {
        const ElvFibre* fibre = &active->fibre[i];
        elv_fibre_add_stress(rod, work, fibre, in, input_of(fibre, in), stress);
    }
    for (int i = 0; i < active->fields.n_law; i++) {
        add_law(rod, work, &active->fields.law[i], in->t, stress);
    }
    subtract_stress(rod, work, whole(rod), upsilon);
}

// c K + a D of a stress law
static void add_law_stiffness(const ElvRod* rod,
                              const ElvRodWork* work,
                              const ElvRodLaw* law,
                              double t,
                              const ElvUnknown* unknown) {
    ElvRodSpan span = elv_rod_span(rod, law->from, law->to);
    for (int i = span.first; i < span.last; i++) {
        double stress[ELV_N_STRAIN];
        ElvMat6 K, D;
        eval_law(rod, work, law, t, i, stress, &K, &D);
        for (int k = 0; k < 36; k++) {
            work->active->stiffness[i].m[k / 6][k % 6] +=
                unknown->c * K.m[k / 6][k % 6] + unknown->a * D.m[k / 6][k % 6];
        }
    }
}

void elv_rod_active_tangent(const ElvRod* rod,
                            ElvRodWork* work,
                            const ElvJointInput* in,
                            const ElvUnknown* unknown,
                            double* Qq) {
    const ElvRodActive* active = rod->active;
    if (!active) {
        return;
    }
    size_t n = (size_t)rod->joint.n_v * (size_t)rod->joint.n_v;
    for (size_t i = 0; i < n && active->K; i++) {
        Qq[i] += unknown->c * active->K[i] + unknown->a * active->D[i];
    }
    if (!active->needs_strains) {
        return;
    }
    // stiffness of every kind at the nodes                                               [P23 (62)]
    ElvMat6* stiffness = work->active->stiffness;
    memset(stiffness, 0, (size_t)rod->n_node * sizeof *stiffness);
    set_strains(rod, work, in, whole(rod));
    for (int i = 0; i < active->fields.n_fibre; i++) {
        const ElvFibre* fibre = &active->fibre[i];
        double u = input_of(fibre, in);
        elv_fibre_add_stiffness(rod, work, fibre, in, u, unknown->c, stiffness, Qq);
    }
    for (int i = 0; i < active->fields.n_law; i++) {
        add_law_stiffness(rod, work, &active->fields.law[i], in->t, unknown);
    }
    for (int i_segment = 0; i_segment < rod->n_segment; i_segment++) {
        const ElvRodSegment* seg = &rod->segment[i_segment];
        for (int i = 0; i < seg->n_node; i++) {
            int i_node = seg->i_node + i;
            elv_rod_add_generalised(seg, i, rod->joint.n_v, rod->weight[i_node], &stiffness[i_node],
                                    Qq);
        }
    }
}

void elv_rod_channel(
    const ElvJoint* joint, void* work, const ElvJointInput* in, int i, ElvChannel* channel) {
    const ElvRod* rod = (const ElvRod*)joint;
    const ElvFibre* fibre = &rod->active->fibre[rod->active->fibre_of[i]];
    set_strains(rod, work, in, fibre->span);
    channel->value =
        elv_fibre_measure(rod, work, fibre, !fibre->def.measures_length, channel->d_value);
    channel->factor = elv_fibre_factor(rod, work, fibre, channel->d_factor);
    channel->rate = 0.0;
    for (int k = 0; k < joint->n_v; k++) {
        channel->rate += channel->d_value[k] * in->v[k];
        channel->effort[k] = 0.0;
    }
    double* stress = clear_stress(work, fibre->span);
    elv_fibre_add_stress(rod, work, fibre, in, 1.0, stress);
    subtract_stress(rod, work, fibre->span, channel->effort);
}

ElvVec3 elv_rod_fibre_point(const ElvRod* rod, int i_fibre, double s) {
    const ElvRodFibre* def = &rod->active->fields.fibre[i_fibre];
    return elv_vec3(0.0, elv_law_value(def->y, 0.0, s), elv_law_value(def->z, 0.0, s));
}

double elv_rod_fibre_tension(
    const ElvRod* rod, ElvRodWork* work, const ElvJointInput* in, int i_fibre, double s) {
    const ElvFibre* fibre = &rod->active->fibre[i_fibre];
    if (s < fibre->def.from || s > fibre->def.to) {
        return 0.0;
    }
    set_strains(rod, work, in, fibre->span);
    return elv_fibre_tension(rod, work, fibre, in, input_of(fibre, in), s);
}

double
elv_rod_fibre_length(const ElvRod* rod, ElvRodWork* work, const ElvJointInput* in, int i_fibre) {
    const ElvFibre* fibre = &rod->active->fibre[i_fibre];
    set_strains(rod, work, in, fibre->span);
    return elv_fibre_measure(rod, work, fibre, false, NULL);
}
