// SPDX-License-Identifier: Apache-2.0
// The `inverse:` block of a model file, written.
#include "io/write_inverse.h"

#include "io/format_names.h"

void elv_write_inverse(ElvWriter* writer, const ElvInverseDef* inverse) {
    if (inverse->has_tip) {
        elv_write(writer, "\ninverse: {tip: {xyz: ");
        elv_write_laws(writer, inverse->tip + 3, 3);
        if (inverse->has_rotation) {
            elv_write(writer, ", rpy: ");
            elv_write_laws(writer, inverse->tip, 3);
        }
        elv_write(writer, "}, by: %s}", elv_reach_names[inverse->by]);
    } else if (inverse->is_static || inverse->steps > 0) {
        elv_write(writer, "\ninverse: {static: %s, steps: %d}",
                  inverse->is_static ? "true" : "false", inverse->steps);
    }
}
