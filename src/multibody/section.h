// SPDX-License-Identifier: Apache-2.0
// Sections of rods whose pose is known already (frame.c).
#ifndef ELVER_MULTIBODY_SECTION_H
#define ELVER_MULTIBODY_SECTION_H

#include "multibody/data.h"

/// Lambda at station s, where the section has the pose g in the one frame, as the last elv_idm left it; of rods with
/// modes, not of fields (data->source).
ElvWrench elv_rod_wrench_at(
    const ElvModel* model, ElvData* data, const ElvState* state, int i_node, double s, ElvPose g);

#endif
