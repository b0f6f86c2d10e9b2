// SPDX-License-Identifier: Apache-2.0
// Sliders as devices: a point p of a frame that slides along the centreline r(s) of a rod.
//
// Unknowns are the wrench W = (moment; force) by which the frame acts on the rod, in world axes about the
// world's origin, as for loops, and behind it the station s. Seven equations go with them: p = r(s); no moment of
// W about p; and along the rod, with e the unit tangent,
//     -f . e = force(t) - damping e . (p_dot - v(s)),
// the force of the rod on the point: what drives it, less what slows it down. v(s) is the velocity of the
// section there. Where the station is driven, s is its law: no unknown, and the force along the rod is what the
// drive needs.
//
// W reaches the rod's antecedent as it is, and the rod's coordinates as efforts J(s)^T W (rod/rod_point.h).
// Beyond its ends the rod goes on straight, so that Newton may look there; a step must not end there.
#ifndef ELVER_MULTIBODY_SLIDER_H
#define ELVER_MULTIBODY_SLIDER_H

#include "multibody/device.h"
#include "rod/rod_point.h"

typedef struct {
    ElvDevice device; // first: an ElvSlider* is an ElvDevice*
    ElvFrame point;
    int i_node;     // of the rod
    double station; // at the start, a guess
    double damping; // N s/m
    bool is_driven;
    const ElvLaw* law; // of the station where that is driven, else of the force towards the tip, N
    double length;     // that gaps are compared with, m
    int i_gap;         // place of its gap in ElvData: in lin
} ElvSlider;

/// Workspace in ElvData.
typedef struct {
    // computed by elv_slider_place
    ElvRodPoint at; // the section of the rod
    double s;       // station, perhaps beyond the ends
    // computed by the tangent: of the section's speed along the rod, velocities held
    double* d_speed;        // by the rod's coordinates                    (n_v)
    double d_speed_root[6]; // by the pose of its root
    double* H;              // scratch                                     (n_v x (n_v + 6))
    bool is_at_end; // while positions are closed: nearest is an end, and the point lies beyond it
} ElvSliderWork;

extern const ElvDeviceOps ELV_SLIDER_OPS;

/// Wrench of all sliders on a rod beyond station s, towards the tip, in the one frame: what the backward sweep
/// of the rod does not know.
ElvWrench elv_slider_wrench_beyond(
    const ElvModel* model, const ElvData* data, const ElvState* state, int i_node, double s);

// ---- slider_point.c

/// The point and the section of the rod in motion, in the one frame.
typedef struct {
    const ElvSliderWork* work;
    double beyond; // by which s lies beyond an end of the rod, with its sign
    ElvJet s;      // the station; where it is not driven s.d follows from the motion, s.dd is 0
    ElvVec3 t, t_ds, t_dot; // dr/ds, its derivative by s, and its rate with s held
    ElvVec3 e[3];           // unit: along the rod, and two across
    double stretch;         // |t|, m
    ElvVec3 p, p_dot;       // the point
    ElvVec3 r, v;           // the centreline, s held
    ElvVec3 bend;           // p_ddot - r_ddot but for t s_ddot; where it was asked for
    ElvVec3 gap;            // p - r, less what is still open
    ElvTwist V, V_ds;       // of the section
    ElvWrench W;            // of the frame on the rod, about the origin of the one frame
} ElvSliding;

/// Place the section at the station of the state.
void elv_slider_place(const ElvSlider* slider, const ElvScene* scene);

/// What goes on there, after elv_slider_place on the same state.
ElvSliding elv_slider_look(const ElvSlider* slider, const ElvScene* scene, bool has_bend);

/// Wrench of the frame on the rod, about the origin of the one frame, from six numbers about the world's.
ElvWrench elv_slider_wrench(const ElvData* data, const double* z);

/// Relative speed along the rod, m/s.
double elv_slider_speed(const ElvSliding* sliding);

/// A variation of point and section.
typedef struct {
    ElvVec3 p, r, t;
    ElvVec3 e;    // of the unit tangent
    double speed; // of the relative speed along the rod
} ElvSlidingVariation;

/// The variation under data->x, d_nu (nv) and d_s: of positions, or where accelerations alone vary (is_motion)
/// p and r under these. After the tangent op on the same state.
ElvSlidingVariation elv_slider_vary(const ElvSlider* slider,
                                    const ElvScene* scene,
                                    const ElvSliding* sliding,
                                    const double* d_nu,
                                    double d_s);

/// Station nearest to the point, from a guess, within the rod.
double elv_slider_nearest(const ElvSlider* slider, const ElvScene* scene, double guess);

/// Variations by the tangent: of the rod's efforts, added to data->tangent, and of the section's speed.
void elv_slider_tangent(const ElvDevice* device, const ElvScene* scene);

#endif
