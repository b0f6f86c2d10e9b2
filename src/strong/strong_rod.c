// SPDX-License-Identifier: Apache-2.0
// A rod of a model as functions of s: its pieces, the tables of a station, what acts there at an instant,
// and the constitutive law
//     Lambda = H (xi - xi_o) + D xi_dot + Lambda_ad                                       [OCP (16)]
//     Lambda_ad = stress fields + fibres + kp (xi - xi_d) + kd (xi_dot - xi_d_dot) + stress laws
// Its inverse is in strong_strain.c.
#include "strong/strong_rod.h"

#include "rod/rod_active.h"
#include "rod/rod_segment.h"

#include <math.h>
#include <string.h>

// how far inside a piece laws are taken, which may jump at its ends
static const double INSIDE = 1e-12;

enum { N = ELV_N_STRAIN };

static ElvStatus no_memory(const ElvStrongRod* strong, ElvError* error) {
    return elv_error_set(error, ELV_ERROR_MEMORY, strong->name, "", "out of memory");
}

// ---- pieces

// cuts of the rod as the modes would have them, but without the knots of their bases
static int find_breaks(const ElvStrongRod* strong, ElvPool* pool, double* breaks) {
    const ElvRod* rod = strong->rod;
    ElvRod plain = *rod;
    ElvRodElement* element =
        elv_pool_copy(pool, rod->element, (size_t)rod->n_element, sizeof *element);
    if (!element) {
        return -1;
    }
    for (int i = 0; i < rod->n_element; i++) {
        for (int k = 0; k < N; k++) {
            element[i].basis[k].n_mode = 0;
        }
    }
    plain.element = element;
    return elv_rod_breaks(&plain, rod->section, &strong->fields, breaks);
}

static ElvStrongPiece make_piece(const ElvRod* rod, double s0, double s1) {
    ElvStrongPiece piece = {.s0 = s0, .s1 = s1, .h = (s1 - s0) * rod->length};
    const ElvRodElement* element = &rod->element[elv_rod_element_at(rod, 0.5 * (s0 + s1))];
    for (int k = 0; k < N; k++) {
        piece.is_free[k] = element->basis[k].n_mode > 0;
        if (piece.is_free[k]) {
            piece.free[piece.n_free++] = k;
        }
    }
    return piece;
}

static ElvStatus check_fibres(const ElvStrongRod* strong, ElvError* error) {
    for (int i = 0; i < strong->fields.n_fibre; i++) {
        if (strong->fields.fibre[i].friction != 0.0) {
            return elv_error_set(
                error, ELV_ERROR_INPUT, strong->name, "",
                "a tendon with friction runs along rod '%s': its tension is not "
                "known section by section; use a method with modes, or no friction",
                strong->name);
        }
    }
    return ELV_OK;
}

ElvStatus elv_strong_rod_init(ElvStrongRod* strong,
                              const ElvRod* rod,
                              const ElvLaw* const* input,
                              ElvPool* pool,
                              ElvError* error) {
    memset(strong, 0, sizeof *strong);
    strong->rod = rod;
    strong->name = rod->name;
    strong->length = rod->length;
    strong->input = input;
    if (rod->active) {
        strong->fields = rod->active->fields;
    }
    strong->fields.distributed = rod->distributed;
    strong->fields.n_distributed = rod->n_distributed;
    strong->is_linear = strong->fields.n_law == 0;
    for (int i = 0; i < strong->fields.n_fibre; i++) {
        strong->is_linear = strong->is_linear && strong->fields.fibre[i].neglects_strain;
    }
    ElvStatus status = check_fibres(strong, error);
    if (status != ELV_OK) {
        return status;
    }
    double* breaks = elv_pool_take(pool, ELV_MAX_BREAKS, sizeof *breaks);
    int n_break = breaks ? find_breaks(strong, pool, breaks) : -1;
    ElvStrongPiece* piece =
        n_break > 1 ? elv_pool_take(pool, (size_t)n_break - 1, sizeof *piece) : NULL;
    if (!piece) {
        return no_memory(strong, error);
    }
    for (int i = 0; i + 1 < n_break; i++) {
        piece[i] = make_piece(rod, breaks[i], breaks[i + 1]);
    }
    strong->piece = piece;
    strong->n_piece = n_break - 1;
    return ELV_OK;
}

// ---- stations

static bool holds(double from, double to, double s) {
    return s >= from && s <= to;
}

ElvStatus elv_strong_station(const ElvStrongRod* strong,
                             int i_piece,
                             double s,
                             ElvFibreNode* fibre,
                             ElvStrongStation* station,
                             ElvError* error) {
    const ElvStrongPiece* piece = &strong->piece[i_piece];
    const ElvRodFields* fields = &strong->fields;
    double margin = fmin(INSIDE, 1e-3 * (piece->s1 - piece->s0));
    double at = fmin(fmax(s, piece->s0 + margin), piece->s1 - margin);
    memset(station, 0, sizeof *station);
    station->i_piece = i_piece;
    station->s = at;
    ElvStatus status = elv_cross_section_eval(strong->rod->section, strong->name, at, &station->H,
                                              &station->M, &station->D, error);
    if (status != ELV_OK) {
        return status;
    }
    elv_cross_section_mass(&station->M, &station->inertia, &station->mass, &station->moment);
    // a fluid adds inertia that has no weight: M* = M + M_a                              [OCP (90)]
    station->fluid = elv_strong_fluid(strong->rod, at);
    station->inertia = elv_inertia_add(station->inertia, station->fluid.shape.added);
    station->M = elv_inertia_matrix(station->inertia);
    double xi_o[N];
    for (int k = 0; k < N; k++) {
        xi_o[k] = elv_law_value(strong->rod->reference[k], 0.0, at);
    }
    station->xi_o = elv_twist_from_array(xi_o);
    for (int i = 0; i < fields->n_control; i++) {
        const ElvRodControl* control = &fields->control[i];
        for (int k = 0; k < N && holds(control->from, control->to, at); k++) {
            station->kp[k] += elv_law_value(control->kp[k], 0.0, at);
            station->kd[k] += elv_law_value(control->kd[k], 0.0, at);
        }
    }
    for (int i = 0; i < fields->n_fibre; i++) {
        const ElvRodFibre* def = &fields->fibre[i];
        fibre[i] = elv_fibre_node(def, strong->length, at, station->xi_o);
        if (!holds(def->from, def->to, at)) {
            fibre[i].profile = 0.0;
        }
    }
    station->fibre = fibre;
    return ELV_OK;
}

// ---- what acts

// set points: -kp xi_d - kd xi_d_dot                                                      [OCP (92)]
static void add_set_points(const ElvRodControl* control,
                           const ElvStrongStation* station,
                           const ElvStrongInput* in,
                           double* stress) {
    double xi_o[N];
    elv_twist_to_array(station->xi_o, xi_o);
    for (int k = 0; k < N; k++) {
        ElvJet target = {xi_o[k], 0.0, 0.0};
        if (control->target[k]) {
            target = elv_law_eval(control->target[k], in->t, station->s);
        }
        stress[k] -= elv_law_value(control->kp[k], 0.0, station->s) * target.v;
        stress[k] -=
            in->is_static ? 0.0 : elv_law_value(control->kd[k], 0.0, station->s) * target.d;
    }
}

void elv_strong_drive(const ElvStrongRod* strong,
                      const ElvStrongStation* station,
                      const ElvStrongInput* in,
                      double* tension,
                      ElvStrongDrive* drive) {
    const ElvRodFields* fields = &strong->fields;
    double s = station->s;
    memset(drive, 0, sizeof *drive);
    drive->t = in->t;
    drive->gravity = in->gravity;
    drive->tension = tension;
    drive->fluid = in->fluid;
    elv_rod_loads_at(strong->rod, s, in->t, &drive->dead, &drive->follower);
    drive->dead = elv_wrench_scale(in->load, drive->dead);
    drive->follower = elv_wrench_scale(in->load, drive->follower);
    for (int i = 0; i < fields->n_stress; i++) {
        const ElvRodField* field = &fields->stress[i];
        bool acts =
            holds(field->from, field->to, s) && elv_law_value(field->when, in->t, 0.0) != 0.0;
        for (int k = 0; k < N && acts; k++) {
            drive->stress[k] += in->load * elv_law_value(field->law[k], in->t, s);
        }
    }
    for (int i = 0; i < fields->n_control; i++) {
        if (holds(fields->control[i].from, fields->control[i].to, s)) {
            add_set_points(&fields->control[i], station, in, drive->stress);
        }
    }
    for (int i = 0; i < fields->n_fibre; i++) {
        const ElvLaw* activation = fields->fibre[i].activation;
        const ElvLaw* input = strong->input[i];
        double u = in->load * (input ? elv_law_value(input, in->t, 0.0) : 1.0);
        double a = activation ? elv_law_value(activation, in->t, s) : 1.0;
        tension[i] = station->fibre[i].profile * a * u;
    }
}

ElvWrench elv_strong_wrench(const ElvStrongStation* station,
                            const ElvStrongDrive* drive,
                            const ElvPose* g,
                            ElvTwist eta) {
    // rho A R^T gamma_g, with its moment where the centre is off the axis              [P23 alg 1]
    ElvVec3 gravity = elv_mat3_apply_transpose(g->R, drive->gravity);
    ElvWrench F = elv_wrench(elv_vec3_cross(station->moment, gravity),
                             elv_vec3_scale(station->mass, gravity));
    ElvWrench dead = elv_wrench(elv_mat3_apply_transpose(g->R, drive->dead.mom),
                                elv_mat3_apply_transpose(g->R, drive->dead.frc));
    F = elv_wrench_add(elv_wrench_add(F, dead), drive->follower);
    if (station->fluid.acts) {
        F = elv_wrench_add(
            F, elv_strong_fluid_wrench(&station->fluid.shape, &drive->fluid, g, eta, NULL, NULL));
    }
    return F;
}

ElvWrench elv_strong_wrench_variation(const ElvStrongStation* station,
                                      const ElvStrongDrive* drive,
                                      const ElvPose* g,
                                      ElvTwist eta,
                                      ElvTwist d_zeta,
                                      ElvTwist d_eta) {
    // delta (R^T x) = R^T x cross d_theta
    ElvVec3 gravity = elv_vec3_cross(elv_mat3_apply_transpose(g->R, drive->gravity), d_zeta.ang);
    ElvVec3 mom = elv_vec3_cross(elv_mat3_apply_transpose(g->R, drive->dead.mom), d_zeta.ang);
    ElvVec3 frc = elv_vec3_cross(elv_mat3_apply_transpose(g->R, drive->dead.frc), d_zeta.ang);
    ElvWrench d_F = elv_wrench(elv_vec3_add(elv_vec3_cross(station->moment, gravity), mom),
                               elv_vec3_add_scaled(frc, station->mass, gravity));
    if (!station->fluid.acts) {
        return d_F;
    }
    ElvMat6 by_pose, by_eta;
    elv_strong_fluid_wrench(&station->fluid.shape, &drive->fluid, g, eta, &by_pose, &by_eta);
    return elv_wrench_add(d_F, elv_strong_fluid_vary(&by_pose, &by_eta, d_zeta, d_eta));
}

// ---- the constitutive law

static void add_law(const ElvRodLaw* law,
                    const ElvStrongStation* station,
                    const ElvStrongDrive* drive,
                    const double xi[N],
                    const double xi_dot[N],
                    double stress[N],
                    ElvMat6* K,
                    ElvMat6* D) {
    double own[N] = {0.0};
    ElvMat6 own_K = {{{0.0}}};
    ElvMat6 own_D = {{{0.0}}};
    bool with_matrices = K || D;
    law->callback(law->user, drive->t, station->s, xi, xi_dot, own,
                  with_matrices ? &own_K.m[0][0] : NULL, with_matrices ? &own_D.m[0][0] : NULL);
    for (int i = 0; i < N; i++) {
        stress[i] += own[i];
        for (int j = 0; j < N; j++) {
            if (K) {
                K->m[i][j] += own_K.m[i][j];
            }
            if (D) {
                D->m[i][j] += own_D.m[i][j];
            }
        }
    }
}

// add Lambda_ad and its derivatives
static void add_actuation(const ElvStrongRod* strong,
                          const ElvStrongStation* station,
                          const ElvStrongDrive* drive,
                          ElvTwist xi,
                          ElvTwist xi_dot,
                          double stress[N],
                          ElvMat6* K,
                          ElvMat6* D) {
    const ElvRodFields* fields = &strong->fields;
    double strain[N], rate[N];
    elv_twist_to_array(xi, strain);
    elv_twist_to_array(xi_dot, rate);
    for (int k = 0; k < N; k++) {
        stress[k] += drive->stress[k] + station->kp[k] * strain[k] + station->kd[k] * rate[k];
        if (K) {
            K->m[k][k] += station->kp[k];
        }
        if (D) {
            D->m[k][k] += station->kd[k];
        }
    }
    // fibres: T lam                                                                     [OCP (17)]
    for (int i = 0; i < fields->n_fibre; i++) {
        double T = drive->tension[i];
        if (T == 0.0) {
            continue;
        }
        double lam[N];
        double l = elv_strong_fibre(strong, station, i, xi, lam);
        for (int k = 0; k < N; k++) {
            stress[k] += T * lam[k];
        }
        if (K) {
            elv_fibre_add_hessian(&fields->fibre[i], &station->fibre[i], l, lam, T, K);
        }
    }
    for (int i = 0; i < fields->n_law; i++) {
        if (holds(fields->law[i].from, fields->law[i].to, station->s)) {
            add_law(&fields->law[i], station, drive, strain, rate, stress, K, D);
        }
    }
}

void elv_strong_actuation(const ElvStrongRod* strong,
                          const ElvStrongStation* station,
                          const ElvStrongDrive* drive,
                          ElvTwist xi,
                          ElvTwist xi_dot,
                          double stress[6],
                          ElvMat6* K,
                          ElvMat6* D) {
    memset(stress, 0, N * sizeof *stress);
    if (K) {
        memset(K, 0, sizeof *K);
    }
    if (D) {
        memset(D, 0, sizeof *D);
    }
    add_actuation(strong, station, drive, xi, xi_dot, stress, K, D);
}

void elv_strong_stress(const ElvStrongRod* strong,
                       const ElvStrongStation* station,
                       const ElvStrongDrive* drive,
                       ElvTwist xi,
                       ElvTwist xi_dot,
                       double stress[6],
                       ElvMat6* K,
                       ElvMat6* D) {
    double strain[N], rate[N];
    elv_twist_to_array(elv_twist_sub(xi, station->xi_o), strain);
    elv_twist_to_array(xi_dot, rate);
    for (int i = 0; i < N; i++) {
        stress[i] = 0.0;
        for (int j = 0; j < N; j++) {
            stress[i] += station->H.m[i][j] * strain[j];
        }
    }
    bool moves = false;
    for (int j = 0; j < N; j++) {
        moves = moves || rate[j] != 0.0;
    }
    for (int i = 0; i < N && moves; i++) {
        for (int j = 0; j < N; j++) {
            stress[i] += station->D.m[i][j] * rate[j];
        }
    }
    if (K) {
        *K = station->H;
    }
    if (D) {
        *D = station->D;
    }
    add_actuation(strong, station, drive, xi, xi_dot, stress, K, D);
}

double elv_strong_fibre(const ElvStrongRod* strong,
                        const ElvStrongStation* station,
                        int i_fibre,
                        ElvTwist xi,
                        double lam[6]) {
    return elv_fibre_stretch(&strong->fields.fibre[i_fibre], &station->fibre[i_fibre],
                             station->xi_o, xi, lam);
}
