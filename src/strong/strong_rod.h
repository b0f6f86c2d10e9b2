// SPDX-License-Identifier: Apache-2.0
// One rod without modes: what its differential equations need at any station s.
//
// The strains that have modes in the model are free (the matrix B of [OCP (6)]), the others keep their
// value at rest. With strains xi and rates xi_dot,
//     Lambda_free = B^T (H (xi - xi_o) + D xi_dot + Lambda_ad(t, s, xi, xi_dot))       [OCP (16)]
// A rod is cut into pieces on which everything is smooth: integrate piece by piece. Who integrates on a
// fixed grid tabulates its stations once (ElvStrongStation), what acts there once for each time
// (ElvStrongDrive), and then evaluates stresses and wrenches, which calls no laws. Wrenches, twists
// and strains are in the axes of the section, per metre where not said otherwise; poses are in the world.
#ifndef ELVER_STRONG_STRONG_ROD_H
#define ELVER_STRONG_STRONG_ROD_H

#include "rod/fibre.h"
#include "rod/rod.h"
#include "strong/strong_fluid.h"

/// A smooth piece of a rod.
typedef struct {
    double s0, s1;
    double h;               // its length, m
    int n_free;             // strains that are free on it, and which              [OCP (6)]
    int free[ELV_N_STRAIN]; // (n_free)
    bool is_free[ELV_N_STRAIN];
} ElvStrongPiece;

typedef struct {
    const ElvRod* rod;
    const char* name;
    double length; // m
    int n_piece;
    const ElvStrongPiece* piece;
    ElvRodFields fields;
    const ElvLaw* const* input; // of the channel of each fibre, law of t; NULL: 1  (fields.n_fibre)
    bool is_linear;             // Lambda is affine in strain and rate: no iterations
} ElvStrongRod;

/// What does not change at a station. fibre: room of the caller.
typedef struct {
    int i_piece;
    double s;           // a little inside of the piece, where laws may jump at its ends
    ElvMat6 H, D;       // stiffness and damping                                [P20 (3), P23 (33)]
    ElvMat6 M;          // inertia, with what a fluid adds
    ElvInertia inertia; // the same
    double mass;
    ElvVec3 moment;                            // first moment: mass times centre
    ElvTwist xi_o;                             // strain at rest
    double kp[ELV_N_STRAIN], kd[ELV_N_STRAIN]; // gains of all strain controllers      [OCP (92)]
    ElvStrongFluid fluid;
    const ElvFibreNode* fibre; // profile 0 where a fibre is not  (fields.n_fibre)
} ElvStrongStation;

/// The instant: time, and the factor on gravity, loads and inputs of actuators.
typedef struct {
    double t;
    double load;       // 1, less while statics steps the loads up
    ElvVec3 gravity;   // world axes, with that factor
    bool is_static;    // t is a load, and laws have no rates
    ElvFluidNow fluid; // not used without one
} ElvStrongInput;

/// What acts at a station at an instant. tension: room of the caller; an inverse problem may overwrite it.
typedef struct {
    double t;
    ElvVec3 gravity;    // world axes
    ElvWrench dead;     // distributed loads, world axes
    ElvWrench follower; // distributed loads, section axes
    double stress[6];   // stress fields and set points of controllers
    double* tension;    // of each fibre: sign profile activation input        (fields.n_fibre)
    ElvFluidNow fluid;  // where the fluid acts
} ElvStrongDrive;

/// Pieces and fields of a compiled rod. input: law of the channel of each fibre, in the order of the
/// rod's fibres (borrowed). Memory comes from the pool. Refuses fibres with friction: their tension is
/// not local.
ELV_NODISCARD ElvStatus elv_strong_rod_init(ElvStrongRod* strong,
                                            const ElvRod* rod,
                                            const ElvLaw* const* input,
                                            ElvPool* pool,
                                            ElvError* error);

/// Tabulate station s of a piece; at its ends everything has the value of the piece. fibre:
/// room for fields.n_fibre nodes (NULL if there are none). Fails where the section is none.
ELV_NODISCARD ElvStatus elv_strong_station(const ElvStrongRod* strong,
                                           int i_piece,
                                           double s,
                                           ElvFibreNode* fibre,
                                           ElvStrongStation* station,
                                           ElvError* error);

/// What acts at a station at an instant. tension: room for fields.n_fibre numbers (NULL if none).
void elv_strong_drive(const ElvStrongRod* strong,
                      const ElvStrongStation* station,
                      const ElvStrongInput* in,
                      double* tension,
                      ElvStrongDrive* drive);

// ---- what follows evaluates no laws (stress laws in C excepted) and allocates nothing

/// External wrench per metre on a section of pose g and twist eta: weight, distributed loads, fluid.
ElvWrench elv_strong_wrench(const ElvStrongStation* station,
                            const ElvStrongDrive* drive,
                            const ElvPose* g,
                            ElvTwist eta);

/// Its variation where the pose varies by delta g = g hat(d_zeta) and the twist by d_eta.
ElvWrench elv_strong_wrench_variation(const ElvStrongStation* station,
                                      const ElvStrongDrive* drive,
                                      const ElvPose* g,
                                      ElvTwist eta,
                                      ElvTwist d_zeta,
                                      ElvTwist d_eta);

/// Lambda_ad (6) at a strain and its rate, all that comes on top of H (xi - xi_o) + D xi_dot; K and D,
/// its derivatives by xi and xi_dot, unless NULL.                                    [OCP (17)]
void elv_strong_actuation(const ElvStrongRod* strong,
                          const ElvStrongStation* station,
                          const ElvStrongDrive* drive,
                          ElvTwist xi,
                          ElvTwist xi_dot,
                          double stress[6],
                          ElvMat6* K,
                          ElvMat6* D);

/// The constitutive law: H (xi - xi_o) + D xi_dot + Lambda_ad, all six components (those that are not
/// free say nothing of Lambda), with its derivatives unless NULL.                        [OCP (16)]
void elv_strong_stress(const ElvStrongRod* strong,
                       const ElvStrongStation* station,
                       const ElvStrongDrive* drive,
                       ElvTwist xi,
                       ElvTwist xi_dot,
                       double stress[6],
                       ElvMat6* K,
                       ElvMat6* D);

/// The law solved for the strain: xi with B^T Lambda = B^T stress(xi, rate_0 + c xi).  [OCP (50), (60)]
/// Statics has c = 0 and rate_0 = 0; a time scheme with xi_dot = c xi + rate_0 damps by c. xi: first guess
/// in (any finite one; that of the station before saves iterations), solution out. compliance: d xi / d Lambda
/// there (6 x 6, zero where strains are not free; to 1e-8 where the law is not affine), unless NULL.
/// ELV_ERROR_SINGULAR: nothing resists a free strain; ELV_ERROR_NUMERIC: no strain was found.
ElvStatus elv_strong_strain(const ElvStrongRod* strong,
                            const ElvStrongStation* station,
                            const ElvStrongDrive* drive,
                            ElvWrench lam,
                            double c,
                            ElvTwist rate_0,
                            ElvTwist* xi,
                            ElvMat6* compliance);

/// The same strain of a rod that is_linear, whose compliance is known: it depends on the station and on c alone.
void elv_strong_strain_affine(const ElvStrongRod* strong,
                              const ElvStrongStation* station,
                              const ElvStrongDrive* drive,
                              ElvWrench lam,
                              double c,
                              ElvTwist rate_0,
                              const ElvMat6* compliance,
                              ElvTwist* xi);

/// Fill error for a status of elv_strong_strain, naming rod and station; returns it.
ElvStatus elv_strong_strain_error(const ElvStrongRod* strong,
                                  const ElvStrongStation* station,
                                  ElvStatus status,
                                  ElvError* error);

/// Stretch of fibre i (its length per metre of rod) and lam = dl/dxi, its stress at unit tension.
double elv_strong_fibre(const ElvStrongRod* strong,
                        const ElvStrongStation* station,
                        int i_fibre,
                        ElvTwist xi,
                        double lam[6]);

/// M eta_dot - ad_eta^T M eta.                                                        [OCP (61)]
static inline ElvWrench elv_strong_inertial(ElvInertia M, ElvTwist eta, ElvTwist eta_dot) {
    return elv_wrench_sub(elv_inertia_apply(M, eta_dot),
                          elv_twist_coad(eta, elv_inertia_apply(M, eta)));
}

/// Its variation: M d_eta_dot - ad_(d_eta)^T M eta - ad_eta^T M d_eta.                [OCP (80)]
static inline ElvWrench
elv_strong_inertial_variation(ElvInertia M, ElvTwist eta, ElvTwist d_eta, ElvTwist d_eta_dot) {
    ElvWrench turned = elv_wrench_add(elv_twist_coad(d_eta, elv_inertia_apply(M, eta)),
                                      elv_twist_coad(eta, elv_inertia_apply(M, d_eta)));
    return elv_wrench_sub(elv_inertia_apply(M, d_eta_dot), turned);
}

#endif
