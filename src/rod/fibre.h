// SPDX-License-Identifier: Apache-2.0
// One fibre in a rod: a line at place D(X) = (0, y, z) of the sections that carries a tension T. With
//     c = Gamma + K x D + D',  l = |c|,  t = c / l
// its length grows by l dX and its stress is Lambda = T dl/dxi = T (D x t; t). [P20 (13)-(16), P23 (32)]
//
// Capstan friction lowers the tension by e^(-friction theta), theta the angle by which the fibre's
// direction has turned in space since it entered the rod.
#ifndef ELVER_ROD_FIBRE_H
#define ELVER_ROD_FIBRE_H

#include "rod/rod_segment.h"

/// A fibre at one node of its rod.
typedef struct {
    ElvVec3 D, D_ds, D_dds; // place in the section and its derivatives by X
    double profile;         // sign times profile
    double l_o;             // stretch l at rest
    double lam_o[6];        // dl/dxi at rest
} ElvFibreNode;

typedef struct {
    ElvRodFibre def;
    ElvRodSpan span;
    const ElvFibreNode* node; // by the node of the rod; filled on its segments  (n_node)
} ElvFibre;

/// Equal pieces into which a fibre is to be cut so that its place goes round at most once on each.
int elv_fibre_pieces(const ElvRodFibre* def);

/// Tabulate a fibre on the nodes; xi_o: strain at rest there.
ELV_NODISCARD ElvStatus elv_fibre_init(ElvFibre* fibre,
                                       const ElvRodFibre* def,
                                       const ElvRod* rod,
                                       const ElvTwist* xi_o,
                                       ElvPool* pool,
                                       ElvError* error);

// ---- at any station, for who has no nodes

/// The fibre at station s, where the strain at rest is xi_o.
ElvFibreNode elv_fibre_node(const ElvRodFibre* def, double length, double s, ElvTwist xi_o);

/// Stretch l at strain xi, and lam = dl/dxi; from the strain at rest xi_o if the fibre neglects the rest.
double elv_fibre_stretch(
    const ElvRodFibre* def, const ElvFibreNode* node, ElvTwist xi_o, ElvTwist xi, double lam[6]);

/// Add factor d lam / dxi to H, for l and lam of elv_fibre_stretch.                         [P23 (62)]
void elv_fibre_add_hessian(const ElvRodFibre* def,
                           const ElvFibreNode* node,
                           double l,
                           const double lam[6],
                           double factor,
                           ElvMat6* H);

// ---- at the nodes

// what follows takes strains, and derivatives of strains where there is friction, from work->active

/// Add Lambda with the channel's input u to the stress of the nodes (n_node x 6).
void elv_fibre_add_stress(const ElvRod* rod,
                          ElvRodWork* work,
                          const ElvFibre* fibre,
                          const ElvJointInput* in,
                          double u,
                          double* stress);

/// Add c dLambda/dxi at given u to the stiffness of the nodes (n_node), and what friction adds to the
/// tangent, which is not local, to Qq.                                                      [P23 (62)]
void elv_fibre_add_stiffness(const ElvRod* rod,
                             ElvRodWork* work,
                             const ElvFibre* fibre,
                             const ElvJointInput* in,
                             double u,
                             double c,
                             ElvMat6* stiffness,
                             double* Qq);

/// Integral of l dX, times the profile if asked, and its derivative by the coordinates unless NULL.
double elv_fibre_measure(const ElvRod* rod,
                         const ElvRodWork* work,
                         const ElvFibre* fibre,
                         bool with_profile,
                         double* d_value);

/// e^(-friction theta) where the fibre leaves the rod, and its derivative by the coordinates.
double
elv_fibre_factor(const ElvRod* rod, ElvRodWork* work, const ElvFibre* fibre, double* d_factor);

/// Tension at station s within its stations.
double elv_fibre_tension(const ElvRod* rod,
                         ElvRodWork* work,
                         const ElvFibre* fibre,
                         const ElvJointInput* in,
                         double u,
                         double s);

#endif
