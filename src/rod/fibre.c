// SPDX-License-Identifier: Apache-2.0
// The fibre of a rod: tables, stress, and the derivatives of its length.
// With G = dc/dxi = [-hat(D) 1] the stretch l = |c| has                       [P20 (14), (16), P23 (32)]
//     lam     = dl/dxi      = G^T t = (D x t; t)
//     d lam / dxi           = G^T (1 - t t^T) G / l,
// symmetric, and exact at any strain. A fibre that neglects the strain has
// lam of the strain at rest and l = l_o + lam_o . (xi - xi_o), so that work and length agree.
#include "rod/fibre.h"

#include "rod/fibre_friction.h"
#include "rod/rod_active.h"
#include "rod/rod_segment.h"

#include <math.h>
#include <string.h>

// stations at which the place of a fibre is looked at for its turns, and the angle of one turn, with
// room for a spiral of exactly one
enum { PLACE_SAMPLE = 512 };
static const double TURN = 6.5;

// stretch at one node and its derivative by the strain
typedef struct {
    double l;
    double lam[6];
} Stretch;

// c = Gamma + K x D + D'
static Stretch stretch_at(const ElvFibreNode* node, ElvTwist xi) {
    ElvVec3 c = elv_vec3_add(elv_vec3_add(xi.lin, elv_vec3_cross(xi.ang, node->D)), node->D_ds);
    Stretch stretch;
    stretch.l = elv_vec3_norm(c);
    ElvVec3 t = elv_vec3_scale(1.0 / stretch.l, c);
    elv_wrench_to_array(elv_wrench(elv_vec3_cross(node->D, t), t), stretch.lam);
    return stretch;
}

// the same as the fibre sees it
double elv_fibre_stretch(
    const ElvRodFibre* def, const ElvFibreNode* node, ElvTwist xi_o, ElvTwist xi, double lam[6]) {
    if (!def->neglects_strain) {
        Stretch stretch = stretch_at(node, xi);
        memcpy(lam, stretch.lam, sizeof stretch.lam);
        return stretch.l;
    }
    double l = node->l_o;
    double strain[ELV_N_STRAIN];
    elv_twist_to_array(elv_twist_sub(xi, xi_o), strain);
    for (int k = 0; k < ELV_N_STRAIN; k++) {
        lam[k] = node->lam_o[k];
        l += node->lam_o[k] * strain[k];
    }
    return l;
}

static Stretch
node_stretch(const ElvRod* rod, const ElvRodWork* work, const ElvFibre* fibre, int i_node) {
    Stretch stretch;
    stretch.l = elv_fibre_stretch(&fibre->def, &fibre->node[i_node], rod->active->xi_o[i_node],
                                  work->active->xi[i_node], stretch.lam);
    return stretch;
}

int elv_fibre_pieces(const ElvRodFibre* def) {
    // mean |D''| against the largest |D'|: the wave number of a helix, less for anything straighter
    double steepest = 0.0;
    double mean = 0.0;
    for (int i = 0; i < PLACE_SAMPLE; i++) {
        double s = def->from + (def->to - def->from) * (i + 0.5) / PLACE_SAMPLE;
        ElvJet y = elv_law_eval_s(def->y, 0.0, s);
        ElvJet z = elv_law_eval_s(def->z, 0.0, s);
        steepest = fmax(steepest, hypot(y.d, z.d));
        mean += hypot(y.dd, z.dd) / PLACE_SAMPLE;
    }
    double angle = steepest > 0.0 ? (def->to - def->from) * mean / steepest : 0.0;
    return 1 + (int)fmin(angle / TURN, PLACE_SAMPLE / 8.0);
}

ElvFibreNode elv_fibre_node(const ElvRodFibre* def, double length, double s, ElvTwist xi_o) {
    ElvJet y = elv_law_eval_s(def->y, 0.0, s);
    ElvJet z = elv_law_eval_s(def->z, 0.0, s);
    ElvFibreNode node = {
        .D = elv_vec3(0.0, y.v, z.v),
        .D_ds = elv_vec3_scale(1.0 / length, elv_vec3(0.0, y.d, z.d)),
        .D_dds = elv_vec3_scale(1.0 / (length * length), elv_vec3(0.0, y.dd, z.dd)),
        .profile = def->sign * (def->profile ? elv_law_value(def->profile, 0.0, s) : 1.0)};
    Stretch rest = stretch_at(&node, xi_o);
    node.l_o = rest.l;
    for (int k = 0; k < ELV_N_STRAIN; k++) {
        node.lam_o[k] = rest.lam[k];
    }
    return node;
}

ElvStatus elv_fibre_init(ElvFibre* fibre,
                         const ElvRodFibre* def,
                         const ElvRod* rod,
                         const ElvTwist* xi_o,
                         ElvPool* pool,
                         ElvError* error) {
    ElvFibreNode* node = elv_pool_take(pool, (size_t)rod->n_node, sizeof *node);
    if (!node) {
        return elv_error_set(error, ELV_ERROR_MEMORY, rod->name, "", "out of memory");
    }
    fibre->def = *def;
    fibre->node = node;
    fibre->span = elv_rod_span(rod, def->from, def->to);
    for (int i = fibre->span.first; i < fibre->span.last; i++) {
        node[i] = elv_fibre_node(def, rod->length, rod->s[i], xi_o[i]);
    }
    return ELV_OK;
}

// tension at station s where the fibre has turned by theta
static double tension(const ElvFibre* fibre,
                      const ElvJointInput* in,
                      double u,
                      double profile,
                      double s,
                      double theta) {
    const ElvLaw* law = fibre->def.activation;
    double activation = law ? elv_law_value(law, in->t, s) : 1.0;
    return profile * activation * u * exp(-fibre->def.friction * theta);
}

static double node_tension(const ElvRod* rod,
                           const ElvRodWork* work,
                           const ElvFibre* fibre,
                           const ElvJointInput* in,
                           double u,
                           int i_node) {
    double theta = elv_fibre_has_friction(fibre) ? work->active->theta[i_node] : 0.0;
    return tension(fibre, in, u, fibre->node[i_node].profile, rod->s[i_node], theta);
}

void elv_fibre_add_stress(const ElvRod* rod,
                          ElvRodWork* work,
                          const ElvFibre* fibre,
                          const ElvJointInput* in,
                          double u,
                          double* stress) {
    if (elv_fibre_has_friction(fibre)) {
        (void)elv_fibre_turn(rod, work, fibre);
    }
    for (int i = fibre->span.first; i < fibre->span.last; i++) {
        double T = node_tension(rod, work, fibre, in, u, i);
        Stretch stretch = node_stretch(rod, work, fibre, i);
        for (int k = 0; k < ELV_N_STRAIN; k++) {
            stress[ELV_N_STRAIN * i + k] += T * stretch.lam[k];
        }
    }
}

// H += factor d lam / dxi
void elv_fibre_add_hessian(const ElvRodFibre* def,
                           const ElvFibreNode* node,
                           double l,
                           const double lam[6],
                           double factor,
                           ElvMat6* H) {
    if (def->neglects_strain) {
        return;
    }
    // P = (1 - t t^T) factor / l
    const double* t = lam + 3;
    double c = factor / l;
    double P[3][3];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            P[i][j] = (i == j ? c : 0.0) - c * t[i] * t[j];
        }
    }
    double DP[3][3], DPD[3][3];
    for (int j = 0; j < 3; j++) {
        // columns of hat(D) P, then of hat(D) (hat(D) P)^T = -hat(D) P hat(D)
        ElvVec3 x = elv_vec3_cross(node->D, elv_vec3(P[j][0], P[j][1], P[j][2]));
        DP[0][j] = x.x;
        DP[1][j] = x.y;
        DP[2][j] = x.z;
    }
    for (int j = 0; j < 3; j++) {
        ElvVec3 x = elv_vec3_cross(node->D, elv_vec3(DP[j][0], DP[j][1], DP[j][2]));
        DPD[0][j] = x.x;
        DPD[1][j] = x.y;
        DPD[2][j] = x.z;
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            H->m[i][j] += DPD[i][j];
            H->m[i][j + 3] += DP[i][j];
            H->m[j + 3][i] += DP[i][j];
            H->m[i + 3][j + 3] += P[i][j];
        }
    }
}

// the part of friction, segment by segment along the path
static void add_friction(const ElvRod* rod,
                         ElvRodWork* work,
                         const ElvFibre* fibre,
                         const ElvJointInput* in,
                         double u,
                         double c,
                         double* Qq) {
    double* force = work->active->force;
    elv_fibre_friction_begin(rod, work);
    for (int n = 0; n < fibre->span.end - fibre->span.begin; n++) {
        int i_segment = fibre->def.is_reversed ? fibre->span.end - 1 - n : fibre->span.begin + n;
        const ElvRodSegment* seg = &rod->segment[i_segment];
        for (int i = 0; i < seg->n_node; i++) {
            int i_node = seg->i_node + i;
            double T = node_tension(rod, work, fibre, in, u, i_node);
            double factor = c * rod->weight[i_node] * T;
            Stretch stretch = node_stretch(rod, work, fibre, i_node);
            for (int k = 0; k < seg->n_col; k++) {
                int at = i * seg->n_col + k;
                force[at] = factor * seg->phi[at] * stretch.lam[seg->strain[k]];
            }
        }
        elv_fibre_friction_segment(rod, work, fibre, i_segment, Qq);
    }
}

void elv_fibre_add_stiffness(const ElvRod* rod,
                             ElvRodWork* work,
                             const ElvFibre* fibre,
                             const ElvJointInput* in,
                             double u,
                             double c,
                             ElvMat6* stiffness,
                             double* Qq) {
    if (elv_fibre_has_friction(fibre)) {
        (void)elv_fibre_turn(rod, work, fibre);
        add_friction(rod, work, fibre, in, u, c, Qq);
    }
    for (int i = fibre->span.first; i < fibre->span.last && !fibre->def.neglects_strain; i++) {
        double T = node_tension(rod, work, fibre, in, u, i);
        Stretch stretch = node_stretch(rod, work, fibre, i);
        elv_fibre_add_hessian(&fibre->def, &fibre->node[i], stretch.l, stretch.lam, c * T,
                              &stiffness[i]);
    }
}

double elv_fibre_measure(const ElvRod* rod,
                         const ElvRodWork* work,
                         const ElvFibre* fibre,
                         bool with_profile,
                         double* d_value) {
    double value = 0.0;
    for (int k = 0; k < rod->joint.n_v && d_value; k++) {
        d_value[k] = 0.0;
    }
    for (int i_segment = fibre->span.begin; i_segment < fibre->span.end; i_segment++) {
        const ElvRodSegment* seg = &rod->segment[i_segment];
        for (int i = 0; i < seg->n_node; i++) {
            int i_node = seg->i_node + i;
            Stretch stretch = node_stretch(rod, work, fibre, i_node);
            // the sign belongs to the force
            double profile = with_profile ? fibre->def.sign * fibre->node[i_node].profile : 1.0;
            double weight = rod->weight[i_node] * profile;
            value += weight * stretch.l;
            if (d_value) {
                elv_rod_project(seg, i, weight, stretch.lam, d_value);
            }
        }
    }
    return value;
}

double elv_fibre_tension(const ElvRod* rod,
                         ElvRodWork* work,
                         const ElvFibre* fibre,
                         const ElvJointInput* in,
                         double u,
                         double s) {
    double profile = fibre->def.profile ? elv_law_value(fibre->def.profile, 0.0, s) : 1.0;
    double theta = 0.0;
    if (elv_fibre_has_friction(fibre)) {
        (void)elv_fibre_turn(rod, work, fibre);
        theta = elv_fibre_angle_at(rod, work, fibre, s);
    }
    return tension(fibre, in, u, fibre->def.sign * profile, s, theta);
}
