// SPDX-License-Identifier: Apache-2.0
// Checks of what inverse problems are given: where a tip is to be.
#include "multibody/spec_check.h"

ElvStatus elv_check_inverse(const ElvInverseDef* def, ElvError* error) {
    bool is_right = true;
    if ((unsigned)def->by >= ELV_N_REACH_BY) {
        is_right = elv_check_fail(error, "inverse", "by", "unknown means (%d)", (int)def->by);
    } else if (def->steps < 0 || def->steps > ELV_SHOOT_STEPS_MAX) {
        is_right = elv_check_fail(error, "inverse", "steps", "steps must be from 0 to %d, got %d",
                                  (int)ELV_SHOOT_STEPS_MAX, def->steps);
    } else if (def->has_tip) {
        is_right = elv_check_laws("inverse", "tip.rpy", def->tip, 3, error) &&
                   elv_check_laws("inverse", "tip.xyz", def->tip + 3, 3, error);
    }
    return is_right ? ELV_OK : ELV_ERROR_INPUT;
}
