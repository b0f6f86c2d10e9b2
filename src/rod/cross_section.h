// SPDX-License-Identifier: Apache-2.0
// Stiffness, inertia and damping of a section, per unit length, as functions of s.
#ifndef ELVER_ROD_CROSS_SECTION_H
#define ELVER_ROD_CROSS_SECTION_H

#include "elver/spec.h"
#include "law/law_set.h"

/// Compiled section: shape and material, and matrices that replace what these give.
typedef struct {
    ElvSectionKind kind;
    bool is_hollow, has_torsion;
    const ElvLaw *outer[2], *inner[2];
    const ElvLaw *area, *inertia_y, *inertia_z, *torsion, *shear_factor;
    ElvMaterialDef material;
    int n_stiffness, n_inertia, n_damping; // 0, 6 or 36
    const ElvLaw *stiffness[36], *inertia[36], *damping[36];
} ElvCrossSection;

ELV_NODISCARD ElvStatus elv_cross_section_init(ElvCrossSection* section,
                                               const ElvRodDef* def,
                                               ElvLawSet* laws,
                                               ElvError* error);

/// H, M, D at station s.                                            [P20 (3), (12); P23 (31), (33)]
/// Fails, naming rod, key and station, where a dimension is not positive, a matrix is not symmetric
/// or has a negative direction.
ELV_NODISCARD ElvStatus elv_cross_section_eval(const ElvCrossSection* section,
                                               const char* rod,
                                               double s,
                                               ElvMat6* H,
                                               ElvMat6* M,
                                               ElvMat6* D,
                                               ElvError* error);

/// The inertia M per metre as an ElvInertia, its mass and its first moment (mass times centre). The weight
/// of a given matrix is the mean of its three translational masses.
void elv_cross_section_mass(const ElvMat6* M, ElvInertia* inertia, double* mass, ElvVec3* moment);

/// Collect the stations at which a law of the section jumps, unsorted. Returns how many were written,
/// at most capacity; if it is capacity, there may be more.
size_t elv_cross_section_breakpoints(const ElvCrossSection* section, double* out, size_t capacity);

#endif
