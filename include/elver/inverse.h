// SPDX-License-Identifier: Apache-2.0
// Inverse problems that a model poses, row by row; and inverse dynamics of mechanisms with closed loops: imposed joints
// in, efforts of their drives out. Those of rods, one instant at a time: elver/strong_inverse.h.
//
// Joints and loops with a `motion` lead the mechanism. Where they and the loops leave nothing free, the
// configuration at a time t, its velocities and accelerations follow from the constraints alone, and the
// efforts from them; nothing is integrated.                                      [ALI (A.1)-(A.4)]
#ifndef ELVER_INVERSE_H
#define ELVER_INVERSE_H

#include "elver/integrate.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A model with its workspace: one per thread.
typedef struct ElvInverse ElvInverse;

/// Fails with ELV_ERROR_INPUT where a constraint does not tell positions: a wheel, a blade, a loop that
/// springs hold (closure penalty). All memory is taken here.
ELV_API ELV_NODISCARD ElvStatus elv_inverse_create(const ElvModel* model,
                                                   ElvInverse** solver,
                                                   ElvError* error);
ELV_API void elv_inverse_free(ElvInverse* solver);

/// Motion and efforts at time t. With state->t = t, the configuration in state is a first guess, which is
/// closed. Else the mechanism is closed at state->t and followed from there to t, forth or back, in steps
/// short enough to stay on its branch. On success state holds the whole motion, with the wrenches of loops
/// in z: the smallest ones where some constraints repeat others. What devices remember (integrals) is
/// taken as it is. tau: effort of every drive (elv_drive_efforts), N m or N (nv).
/// On failure state is as before. ELV_ERROR_SINGULAR: a joint or rod is not held by drives and loops, or the
/// effort of a drive is not determined as others work against it; error->element names it.
/// ELV_ERROR_NUMERIC: a loop, which error->element names, cannot be closed, or a law is not finite.
ELV_API ELV_NODISCARD ElvStatus
elv_inverse_at(ElvInverse* solver, double t, ElvState* state, double* tau, ElvError* error);

// ---- a whole motion

/// The inverse problem of a model: elv_inverse_kind.
typedef enum {
    ELV_INVERSE_JOINTS, // joints with a motion: their efforts                      [ALI (A.1)-(A.4)]
    ELV_INVERSE_STRAINS, // rods with a motion: their stress, and the net motion    [OCP (84)-(86)]
    ELV_INVERSE_TIP      // `inverse.tip`: the tensions or the wrench for it
} ElvInverseKind;

ELV_API ElvInverseKind elv_inverse_kind(const ElvModel* model);

/// Whether rows are equilibria, one for each load of `statics.loads` (at t = 0 if there are none).
ELV_API bool elv_inverse_is_static(const ElvModel* model);

typedef struct {
    double t_start;           // s
    double duration;          // s; 0: one sample
    double every;             // s between samples
    ElvRecordCallback record; // called at every sample; may be NULL
    void* user;
    ElvStop stop; // asked within samples
} ElvInverseOptions;

/// The last row, beside its signals.
typedef struct {
    // strains: size of the stress that tendons and chambers should give, and of what they cannot, as in
    // ElvTensionReport; 0 without such
    double wanted, left;
    double defect; // strains: estimate of the error of the steps along the rods
    // tip
    bool is_reached;
    double distance;  // m, between the tip and where it is to be
    double angle;     // rad; 0 where no rotation is asked for
    ElvWrench wrench; // that holds the tip, on it, world axes; zero by tensions
} ElvInverseRow;

/// What was done so far.
typedef struct {
    long n_sample;
    // joints: steps of the mechanism's motion, one for each sample, more where it moves far between two; strains: steps of
    // the net motion; tip: equilibria
    long n_step;
    ElvInverseRow row;
    ElvInverseRow worst; // largest of each number, over all rows; is_reached: by all
    long n_missed;       // tip: rows that did not reach it
} ElvInverseReport;

/// From t = 0, duration and interval from the model file.
ELV_API ElvInverseOptions elv_inverse_options_default(const ElvModel* model);

/// The inverse problem of the model, row by row. Rows of time: at t_start, at every multiple of the interval after it, and
/// at the end. Joints: from the configuration in state at state->t on, which is closed. The callback finds the
/// efforts by elv_drive_efforts, or as signals, and the rest in report->row. state ends as the last sample, also on failure; by
/// methods without modes (strains) it has the joint at the root alone. A tip that is not reached is a row, as near
/// as it came, and no failure. report may be NULL.
ELV_API ELV_NODISCARD ElvStatus elv_inverse_run(const ElvModel* model,
                                                ElvState* state,
                                                const ElvInverseOptions* options,
                                                ElvInverseReport* report,
                                                ElvError* error);

#ifdef __cplusplus
}
#endif

#endif
