// SPDX-License-Identifier: Apache-2.0
// Rods without modes: the differential equations of rods and bodies in series, solved as they are.
//
// Shooting finds the equilibrium of a chain: one joint at most that moves, at the root; rods that
// follow each other tip to root, rigid bodies and loads on them. Of the modes of the model it takes
// only which strains are free. As in all statics t is the value of the load that is stepped.
#ifndef ELVER_STRONG_H
#define ELVER_STRONG_H

#include "elver/statics.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Whether methods without modes can take a model at all: ELV_ERROR_INPUT names what is no chain, a
/// joint that moves nothing that has mass, and rods of which nothing resists a free strain; statics
/// want a stiffness, motions are content with a damping.
ELV_API ELV_NODISCARD ElvStatus elv_chain_check(const ElvModel* model,
                                                bool is_static,
                                                ElvError* error);

/// A chain, and the equilibrium that was found last.
typedef struct ElvShooting ElvShooting;

/// A solver for a model that is a chain; ELV_ERROR_INPUT names what is not. options: tolerance,
/// max_iterations, max_halvings, shooting and stop. All memory that shots need is taken here, but for
/// finer steps.
ELV_API ELV_NODISCARD ElvStatus elv_shoot_create(const ElvModel* model,
                                                 const ElvStaticsDef* options,
                                                 ElvShooting** shooting,
                                                 ElvError* error);
ELV_API void elv_shoot_free(ElvShooting* shooting);

/// The equilibrium at load t, from the last one, in one increment or as many as it takes.
///                                                                                  [OCP (50)-(52)]
/// On failure the last equilibrium stays; the error says whether a shot ran away, nothing lowered
/// the residual or something can move freely, and what may help. So it does where options.stop ends
/// the search.
ELV_API ELV_NODISCARD ElvStatus elv_shoot_statics(ElvShooting* shooting, double t, ElvError* error);

/// Hold the tip of the last rod at a pose (in the world); NULL: free again. Its wrench becomes an
/// unknown. The next elv_shoot_statics starts from the last equilibrium and steps loads alone: lead
/// the tip by moves that are small beside the length, with an equilibrium for each.
ELV_API void elv_shoot_hold_tip(ElvShooting* shooting, const ElvPose* pose);

/// Hold its position alone, by a force; NULL: free again.
ELV_API void elv_shoot_hold_point(ElvShooting* shooting, const ElvVec3* point);

/// What has been done so far; the report is described in elver/shooting.h.
ELV_API ElvShootReport elv_shoot_report(const ElvShooting* shooting);

/// The step in time below which a method without modes, shooting where options->method is none, is
/// expected to fail, because variations grow over a segment beyond what double precision bears;
/// more segments lower it. Finite differences (rkmk, till) have one.                     [OCP (88)]
ELV_API ELV_NODISCARD ElvStatus elv_shoot_critical_step(const ElvModel* model,
                                                        const ElvSimulateDef* options,
                                                        double* step,
                                                        ElvError* error);

/// Damping ratios of a bending wave as long as a rod under finite differences (rkmk and till).
typedef struct {
    double interpolation; // of the past between nodes: larger for shorter steps, longer elements
    double time;          // of the formula in time
} ElvFiniteDamping;

/// What finite differences with these options take from the motion of the rod that suffers most, by
/// a rule of thumb. Where the interpolation takes more than the formula in time, shorter steps make
/// results worse, and more nodes help.
ELV_API ELV_NODISCARD ElvStatus elv_finite_damping(const ElvModel* model,
                                                   const ElvSimulateDef* options,
                                                   ElvFiniteDamping* damping,
                                                   ElvError* error);

// ---- the equilibrium

/// Pose in the world, strain and internal wrench (section axes) at station s, 0 to 1, of rod node i_node, by
/// integration from the step before. Where strain or wrench jump, those of the outer side. Pointers
/// may be NULL.
ELV_API void elv_shoot_section(
    ElvShooting* shooting, int i_node, double s, ElvPose* pose, ElvTwist* strain, ElvWrench* lam);

/// Wrench by which a held tip is held, beside the loads there; its section's axes.
ELV_API ElvWrench elv_shoot_tip_wrench(const ElvShooting* shooting);

/// Fill a workspace and a state with the equilibrium: poses of all frames; t, coordinates of the
/// joint at the root, and of rods those whose strains come nearest to the ones found. Signals of
/// frames, strains, stresses, energies, efforts and lengths read the equilibrium from data as long
/// as the solver lives and finds no other.
ELV_API void elv_shoot_hand_out(ElvShooting* shooting, ElvData* data, ElvState* state);

#ifdef __cplusplus
}
#endif

#endif
