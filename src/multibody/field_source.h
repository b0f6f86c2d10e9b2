// SPDX-License-Identifier: Apache-2.0
// Fields along rods that do not come from modes. A method that keeps fields of its own hands out a motion by
// filling origin, port (pose, twist, acceleration in the one frame) and source of an ElvData, and in the state t
// and the coordinates of the root joint; sections, energies, efforts and what devices measure are then asked
// from the source, and never from the coordinates of rods. The next evaluation of coordinates (elv_kinematics, elv_idm)
// lets go of it; until then the owner must live.
#ifndef ELVER_MULTIBODY_FIELD_SOURCE_H
#define ELVER_MULTIBODY_FIELD_SOURCE_H

#include "multibody/data.h"

typedef struct ElvFieldSource {
    void* owner;

    /// Pose in the world, strain and internal wrench at station s of rod node i_node; pointers may be NULL.
    void (*section)(
        void* owner, int i_node, double s, ElvPose* pose, ElvTwist* strain, ElvWrench* lam);

    /// Rate of the strain there; NULL: nothing moves.
    ElvTwist (*rate)(void* owner, int i_node, double s);

    /// Add the energies and momenta of rod node i_node, about origin (the data's).
    void (*measure)(void* owner, int i_node, ElvVec3 origin, ElvMeasure* sum);

    /// Efforts of all drives (nv), as elv_drive_efforts; zero for what has none.
    void (*efforts)(void* owner, double* effort);

    /// Value and rate of every channel of the model, and its input: data->channel, data->u.
    void (*channels)(void* owner, ElvData* data);
} ElvFieldSource;

#endif
