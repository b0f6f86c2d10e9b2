// SPDX-License-Identifier: Apache-2.0
// The `statics:` block of a model file, written.
#include "io/write_statics.h"

#include "io/format_names.h"

void elv_write_statics(ElvWriter* writer, const ElvStaticsDef* statics) {
    elv_write(writer, "\nstatics: {method: %s", elv_statics_names[statics->method]);
    if (statics->n_load > 0) {
        elv_write(writer, ", loads: ");
        elv_write_numbers(writer, statics->load, statics->n_load);
    }
    elv_write(writer, ", tolerance: ");
    elv_write_number(writer, statics->tolerance);
    elv_write(writer, ", max_iterations: %d, max_halvings: %d", statics->max_iterations,
              statics->max_halvings);
    // the options that the method uses, and no others
    if (statics->method != ELV_STATICS_SHOOTING) {
        elv_write(writer, ", damping: ");
        elv_write_number(writer, statics->damping);
        if (statics->method == ELV_STATICS_PROJECTIVE) {
            elv_write(writer, ", gain: ");
            elv_write_number(writer, statics->gain);
        }
        elv_write(writer, ", max_steps: %d", statics->max_steps);
    } else {
        const ElvShootingDef* shooting = &statics->shooting;
        elv_write(writer, ", segments: %d, steps: %d, space_tol: ", shooting->segments,
                  shooting->steps);
        elv_write_number(writer, shooting->space_tol);
        elv_write(writer, ", solver: %s", elv_shoot_solver_names[shooting->solver]);
    }
    elv_write(writer, "}");
}
