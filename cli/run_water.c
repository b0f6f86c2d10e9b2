// SPDX-License-Identifier: Apache-2.0
// What leaves the water in a run with added inertia, which acts above the surface as below it: seen
// at recorded times.
#include "run.h"

#include <math.h>

void run_watch_water(Run* run, const ElvModel* model, ElvData* data, const ElvState* state) {
    ElvFluidDry dry = elv_fluid_dry(model, data, state);
    if (dry.name && !run->dry.name) {
        run->t_dry = state->t;
    }
    if (dry.name && (!run->dry.name || dry.share > run->dry.share)) {
        run->dry = dry;
    }
}

void run_print_water(const Run* run) {
    const ElvFluidDry* dry = &run->dry;
    if (dry->name) {
        fprintf(stderr,
                "  water     from t = %.6g s on something was above the surface, up to %.0f %% of "
                "%s '%s':\n            its added mass%s acts there as under water\n",
                run->t_dry, 100.0 * dry->share, dry->is_rod ? "rod" : "body", dry->name,
                dry->is_slender ? " and elongated body theory" : "");
    }
}

void run_json_water(const Run* run) {
    cli_json_member_text("above_water", run->dry.name);
    cli_json_member_number("above_water_share", run->dry.share);
    cli_json_member_number("above_water_from", run->dry.name ? run->t_dry : NAN);
}
