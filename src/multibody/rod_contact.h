// SPDX-License-Identifier: Apache-2.0
// Ideal contacts of rods as devices [ALI section 5.5]: some components of the twist of one section
// are those of an obstacle, and the multipliers of these rows are the components of the wrench
// there.
//
// With eta the twist of the section at C, in its own axes, and eta_c that of the obstacle, in the
// same axes,
//     locked anchorage     eta = eta_c                                  C constant     [ALI (5.35)]
//     sweeping anchorage   eta + xi C_dot = eta_c                       C a law of t   [ALI (5.38)]
//     annular contact      V_Y, V_Z, Omega_X = those of eta_c           C any; it may slide
//                                                                                      [ALI (5.40)]
// An annular contact that slides stays with its obstacle: V_X + Gamma_X C_dot = V_cX; C is then the
// unknown of a device of its own. A contact acts while a law of t is not zero; else its forces are.
//
// A section at a constant station that touches what is fixed has a port of its own, and its
// tangents are exact. Other contacts act at points of the rod (rod/rod_point.h), for explicit
// methods alone.
#ifndef ELVER_MULTIBODY_ROD_CONTACT_H
#define ELVER_MULTIBODY_ROD_CONTACT_H

#include "multibody/device.h"
#include "rod/rod_point.h"

typedef struct {
    ElvDevice device; // first: an ElvRodContact* is an ElvDevice*
    int i_node;       // of the rod
    ElvFrame at;      // the section, where is_port
    bool is_port;
    ElvFrame on;           // the obstacle
    const ElvLaw* station; // law of t
    int i_station;         // z of a station that slides, in [0, 1]; -1: the law
    bool sweeps;           // the place on the rod is held, not the section
    int component[6];      // of the twist that row k holds               (n_z)
    const ElvLaw* when;
    double length; // that slips are compared with, m
    int i_push;    // z of the force that has one sign alone, from i_z; -1: none has
    double side;   // this sign
    bool has_preload;
    const ElvLaw* preload[3];
} ElvRodContact;

/// The station of a contact that slides.
typedef struct {
    ElvDevice device; // first
    const ElvRodContact* contact;
} ElvContactStation;

// ---- where they meet (rod_contact_meeting.c)

/// A section and its motion against the obstacle.
typedef struct {
    ElvPose g;
    ElvTwist V;     // of the section, one frame
    ElvTwist rel;   // Ad_g^-1 (V - V_c), section axes
    ElvTwist swept; // xi C_dot, section axes
    ElvTwist
        second; // time derivative of what the contact holds, rel (+ swept); where it was asked for
    double stretch; // Gamma_X; of contacts at points
} ElvMeeting;

const ElvRod* elv_contact_rod(const ElvRodContact* contact, const ElvModel* model);

/// Where its point of the rod is kept; of contacts at points.
ElvRodPoint* elv_contact_point(const ElvRodContact* contact, const ElvScene* scene);

bool elv_contact_is_active(const ElvRodContact* contact, double t);

/// Whether a device is a contact that does not act at a time.
bool elv_device_is_off(const ElvDevice* device, double t);

/// Station in [0, 1]; its rates where it is a law.
ElvJet elv_contact_station(const ElvRodContact* contact, const ElvScene* scene);

/// Pose of the section alone, without its motion. Places the point.
ElvPose elv_contact_pose(const ElvRodContact* contact, const ElvScene* scene);

/// After the forward pass. Places the point.
ElvMeeting elv_contact_meet(const ElvRodContact* contact, const ElvScene* scene, bool has_second);

/// Speed of a station that slides, 1/s: it stays with the obstacle.
double elv_contact_slide_rate(const ElvMeeting* meeting, double length);

// ---- what a contact may not do

/// Force with which a contact that can only push does so, N; negative: it would have to pull.
/// Returns false where the device is no such contact, or does not act.
bool elv_rod_contact_push(const ElvDevice* device, const ElvState* state, double* push);

// ---- devices

/// Of contacts at ports, of those at points of the rod, and of stations that slide.
extern const ElvDeviceOps ELV_ROD_CONTACT_OPS;
extern const ElvDeviceOps ELV_ROD_CONTACT_POINT_OPS;
extern const ElvDeviceOps ELV_CONTACT_STATION_OPS;

/// Wrench of all contacts at points of a rod beyond station s, towards the tip, in the one frame:
/// what the backward sweep of the rod does not know.
ElvWrench elv_rod_contact_beyond(
    const ElvModel* model, ElvData* data, const ElvState* state, int i_node, double s);

/// For all that needs tangents, which contacts at points and preloads have none of: ELV_ERROR_INPUT
/// names the first such contact.
ElvStatus elv_rod_contact_refuse(const ElvModel* model, ElvError* error);

#endif
