// SPDX-License-Identifier: Apache-2.0
// Wheels as devices: a thin wheel that rolls on the plane z = 0 of a frame.
//
// The contact is the lowest point of the wheel, seen along the normal n of the plane. With the wheel's axis
// a, its centre p and its radius r, all in the one frame,
//     s = |n x a|,   d = ((n . a) a - n) / s,   p_c = p + r d.
// Unknowns are the six of a wrench W = (moment; force) of the plane on the wheel, in world axes about the
// world's origin, as for loops. Six equations go with it: the height of p_c over the plane is 0; the slip,
// which is the velocity of the wheel at p_c against that of the plane, is 0 ahead (along a x n) and sideways;
// the moment of W about p_c is 0. A wheel that slips sideways has no force there instead.
#ifndef ELVER_MULTIBODY_ROLLING_H
#define ELVER_MULTIBODY_ROLLING_H

#include "multibody/device.h"

typedef struct {
    ElvDevice device; // first: an ElvRolling* is an ElvDevice*
    ElvFrame end[2];  // the plane, the wheel
    ElvVec3 axis;     // of the wheel, in the axes of its frame; unit
    double radius;    // m
    bool slips_sideways;
    double length; // that heights are compared with, m
    int i_gap;     // place of its gap in ElvData: the height is in lin.z
} ElvRolling;

extern const ElvDeviceOps ELV_ROLLING_OPS;

// ---- rolling_contact.c

enum { ELV_CONTACT_NORMAL, ELV_CONTACT_AHEAD, ELV_CONTACT_SIDEWAYS };

/// A contact in the one frame.
typedef struct {
    ElvMotion side[2]; // the plane, the wheel
    ElvVec3 a;         // axis of the wheel
    ElvVec3 e[3];      // unit: normal, ahead, sideways; right-handed (ahead, sideways, normal)
    ElvVec3 d;         // unit: from the centre to the contact
    ElvVec3 p;         // the contact
    double k, s;       // n . a, |n x a|
    double height;     // of the contact over the plane
} ElvContact;

/// What a small motion of both sides does to a contact.
typedef struct {
    ElvVec3 e[3];
    ElvVec3 p;
} ElvContactRate;

ElvContact elv_rolling_contact(const ElvRolling* rolling, const ElvData* data);

/// Rates of a contact under twists of the plane and the wheel, or its variation under such.
ElvContactRate elv_contact_move(const ElvContact* contact, double radius, const ElvTwist twist[2]);

/// Motion of the wheel at the contact against the plane, under twists of both, along e: height, ahead,
/// sideways.
void elv_contact_slip(const ElvContact* contact, const ElvTwist twist[2], double slip[3]);

/// Time derivatives of that under the twists of the sides.
void elv_contact_slip_dot(const ElvContact* contact, double radius, double slip_dot[3]);

/// Variation of it where the poses vary by Z and the twists by d_V.
void elv_contact_vary_slip(const ElvContact* contact,
                           double radius,
                           const ElvTwist Z[2],
                           const ElvTwist d_V[2],
                           double d_slip[3]);

#endif
