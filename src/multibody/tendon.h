// SPDX-License-Identifier: Apache-2.0
// Tendons across rods and bodies, and chambers: devices on the channels of rods.
#ifndef ELVER_MULTIBODY_TENDON_H
#define ELVER_MULTIBODY_TENDON_H

#include "multibody/device.h"

/// A stretch of a tendon along a rod: a channel of its node.
typedef struct {
    int i_node;
    int i_channel; // in the model
    int i_z;       // tension where the stretch begins, among the tendon's unknowns; -1: the first's
} ElvTendonStretch;

/// A straight strand between two points.
typedef struct {
    ElvFrame end[2];
    int i_z;     // its force on the first end, three of the tendon's unknowns
    int stretch; // the stretch whose tension, at its far end, it carries; -1: the first tension
} ElvTendonStrand;

typedef struct {
    ElvDevice device; // first: an ElvTendon* is an ElvDevice*
    int n_stretch, n_strand;
    const ElvTendonStretch* stretch;
    const ElvTendonStrand* strand;
    ElvPull pull;
    const ElvLaw* law;
    double stiffness; // N/m; 0: inextensible
    double length;    // without tension and not pulled, m
} ElvTendon;

typedef struct {
    ElvDevice device; // first
    int i_channel;    // in the model
    const ElvLaw* pressure;
} ElvChamber;

extern const ElvDeviceOps ELV_TENDON_OPS;
/// A tendon whose tension follows at once: all but the inextensible one of given length.
extern const ElvDeviceOps ELV_TENDON_EXPLICIT_OPS;
extern const ElvDeviceOps ELV_CHAMBER_OPS;

/// Whether a tendon of given length is taut, after elv_channel_pass.
bool elv_tendon_is_taut(const ElvTendon* tendon, const ElvScene* scene);

// ---- tendon_length.c

/// Equations of the tension, the stretch and its rate (3).
void elv_tendon_length_equation(const ElvTendon* tendon,
                                const ElvScene* scene,
                                double* c,
                                double* size);

/// Their variations (3) where the length of the path varies by d_length.
void elv_tendon_length_rows(const ElvTendon* tendon,
                            const ElvScene* scene,
                            double d_length,
                            const double* d_z,
                            double* d_c);

/// Stretch and its rate at the start of a run; the tension stays.
void elv_tendon_start(const ElvDevice* device, const ElvScene* scene, double* z);

// ---- tendon_measure.c

typedef struct {
    double length, rate; // m, m/s
    double tension;      // where it is pulled, N
} ElvTendonMeasure;

/// Length, its rate and the tension, after elv_channel_pass.
ElvTendonMeasure elv_tendon_measure(const ElvTendon* tendon, const ElvScene* scene);

/// Tension where the tendon is pulled.
double elv_tendon_first_tension(const ElvTendon* tendon, const ElvScene* scene);

/// A strand in space, one frame.
typedef struct {
    ElvVec3 p[2]; // ends
    ElvVec3 unit; // from the first to the second
    double length;
} ElvTendonSpan;

ElvTendonSpan elv_tendon_span(const ElvScene* scene, const ElvTendonStrand* strand);

/// Velocity of a point, or its variation, under a spatial twist.
static inline ElvVec3 elv_span_rate(ElvTwist V, ElvVec3 p) {
    return elv_vec3_add(V.lin, elv_vec3_cross(V.ang, p));
}

/// The wrench of a force at a point, about the origin of the one frame.
static inline ElvWrench elv_span_wrench(ElvVec3 p, ElvVec3 f) {
    return elv_wrench(elv_vec3_cross(p, f), f);
}

enum { ELV_N_TENDON_QUANTITY = 4 };
extern const ElvDeviceQuantity ELV_TENDON_QUANTITY[ELV_N_TENDON_QUANTITY];
void elv_tendon_signal(const ElvDevice* device, const ElvScene* scene, int i, double* value);

#endif
