// SPDX-License-Identifier: Apache-2.0
// Internal efforts and sums of a rod:
//     Upsilon = Q_ad - K q - D q_dot                                   [P20 (25)-(27), P23 (23), (33)]
//     Q_ad    = - integral of Phi^T Lambda_ad dX                                         [P20 (27)]
// and its energies and momenta by the same quadrature.
#include "rod/rod.h"

// y -= A x, A (n x n)
static void subtract_product(int n, const double* A, const double* x, double* y) {
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int j = 0; j < n; j++) {
            sum += A[(size_t)i * (size_t)n + (size_t)j] * x[j];
        }
        y[i] -= sum;
    }
}

// Q_ad of one stress field
static void
add_stress(const ElvRod* rod, const ElvRodField* field, double t, double load, double* upsilon) {
    for (int i_segment = 0; i_segment < rod->n_segment; i_segment++) {
        const ElvRodSegment* seg = &rod->segment[i_segment];
        double middle = 0.5 * (seg->s0 + seg->s1);
        if (middle < field->from || middle > field->to) {
            continue;
        }
        for (int i = 0; i < seg->n_node; i++) {
            double s = rod->s[seg->i_node + i];
            double stress[ELV_N_STRAIN];
            for (int strain = 0; strain < ELV_N_STRAIN; strain++) {
                stress[strain] = elv_law_value(field->law[strain], t, s);
            }
            const double* phi = seg->phi + (size_t)i * (size_t)seg->n_col;
            double weight = load * rod->weight[seg->i_node + i];
            for (int k = 0; k < seg->n_col; k++) {
                upsilon[seg->col[k]] -= weight * phi[k] * stress[seg->strain[k]];
            }
        }
    }
}

void elv_rod_efforts(const ElvJoint* joint, void* work, const ElvJointInput* in, double* upsilon) {
    const ElvRod* rod = (const ElvRod*)joint;
    (void)work;
    for (int k = 0; k < joint->n_v; k++) {
        upsilon[k] = 0.0;
    }
    subtract_product(joint->n_v, rod->K, in->q, upsilon);
    subtract_product(joint->n_v, rod->D, in->v, upsilon);
    for (int i = 0; i < rod->n_stress; i++) {
        if (elv_law_value(rod->stress[i].when, in->t, 0.0) != 0.0) {
            add_stress(rod, &rod->stress[i], in->t, in->load, upsilon);
        }
    }
}

void elv_rod_measure(const ElvJoint* joint, void* work, const ElvJointInput* in, ElvMeasure* sum) {
    const ElvRod* rod = (const ElvRod*)joint;
    const ElvRodWork* w = work;
    for (int i = 0; i < rod->n_node; i++) {
        double weight = rod->weight[i];
        ElvTwist eta = elv_twist_transform_inv(w->g[i], w->V[i]);
        ElvWrench momentum = elv_inertia_apply(rod->inertia[i], eta);
        ElvVec3 moment = elv_vec3_add(elv_vec3_scale(rod->mass[i], w->g[i].p),
                                      elv_mat3_apply(w->g[i].R, rod->moment[i]));
        sum->kinetic += 0.5 * weight * elv_power(eta, momentum);
        sum->gravity -= weight * elv_vec3_dot(moment, in->gravity);
        sum->momentum =
            elv_wrench_add_scaled(sum->momentum, weight, elv_wrench_transform(w->g[i], momentum));
        sum->mass += weight * rod->mass[i];
        sum->moment = elv_vec3_add_scaled(sum->moment, weight, moment);
    }
    // 1/2 q^T K q                                                                        [P20 (26)]
    size_t n = (size_t)joint->n_v;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            sum->elastic += 0.5 * in->q[i] * rod->K[i * n + j] * in->q[j];
        }
    }
}
