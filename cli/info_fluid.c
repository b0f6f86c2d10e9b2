// SPDX-License-Identifier: Apache-2.0
// What `elver info` prints of the fluid: at t = 0, and by element what it feels.
#include "info.h"

#include <math.h>

void cli_info_fluid(const ElvModel* model) {
    ElvFluidInfo fluid = elv_model_fluid(model, 0.0);
    if (fluid.density == 0.0) {
        return;
    }
    bool is_known = isfinite(fluid.current.x + fluid.current.y + fluid.current.z);
    printf("\nfluid: density %.6g kg/m^3, ", fluid.density);
    if (is_known) {
        printf("current (%.6g, %.6g, %.6g) m/s at t = 0%s, ", fluid.current.x, fluid.current.y,
               fluid.current.z, fluid.is_field ? " at the origin" : "");
    } else {
        printf("current with a pole at the origin, ");
    }
    if (fluid.has_surface) {
        printf("surface at %.6g m\n", fluid.surface);
    } else {
        printf("no surface\n");
    }
    for (int i = 0; i < elv_model_n_node(model); i++) {
        ElvFluidFelt felt = elv_model_fluid_felt(model, i);
        const ElvNodeInfo node = elv_model_node(model, i);
        const struct {
            bool is_felt;
            const char* name;
        } load[] = {{felt.is_buoyant, "buoyancy"},
                    {felt.has_drag, "drag"},
                    {felt.has_lift, "lift"},
                    {felt.is_resisted, "resistance"},
                    {elv_vec3_norm(felt.added) > 0.0, "added mass"},
                    {felt.is_slender, "lighthill"}};
        if (!felt.is_felt) {
            continue;
        }
        printf("  %s feels", node.name);
        int n = 0;
        for (size_t k = 0; k < sizeof load / sizeof load[0]; k++) {
            if (load[k].is_felt) {
                printf("%s %s", n++ > 0 ? "," : "", load[k].name);
            }
        }
        printf("%s; displaces %.6g kg, added mass (%.6g, %.6g, %.6g) kg along its axes\n",
               n == 0 ? " nothing" : "", felt.displaced, felt.added.x, felt.added.y, felt.added.z);
    }
}

static void json_vector(const char* key, ElvVec3 x) {
    const double value[3] = {x.x, x.y, x.z};
    printf(", \"%s\": ", key);
    cli_json_numbers(stdout, value, 3);
}

static void json_felt(const ElvNodeInfo* node, const ElvFluidFelt* felt) {
    printf("{\"name\": ");
    cli_json_text(stdout, node->name);
    printf(", \"buoyancy\": %s, \"drag\": %s, \"lift\": %s, \"resistance\": %s, "
           "\"lighthill\": %s, \"displaced_mass\": ",
           felt->is_buoyant ? "true" : "false", felt->has_drag ? "true" : "false",
           felt->has_lift ? "true" : "false", felt->is_resisted ? "true" : "false",
           felt->is_slender ? "true" : "false");
    cli_json_number(stdout, felt->displaced);
    json_vector("added_mass", felt->added);
    printf("}");
}

void cli_info_fluid_json(const ElvModel* model) {
    ElvFluidInfo fluid = elv_model_fluid(model, 0.0);
    if (fluid.density == 0.0) {
        return;
    }
    printf("  \"fluid\": {\"density\": ");
    cli_json_number(stdout, fluid.density);
    json_vector("current", fluid.current);
    if (fluid.has_surface) {
        printf(", \"surface\": ");
        cli_json_number(stdout, fluid.surface);
    }
    printf(", \"elements\": [");
    for (int i = 0, n = 0; i < elv_model_n_node(model); i++) {
        ElvFluidFelt felt = elv_model_fluid_felt(model, i);
        ElvNodeInfo node = elv_model_node(model, i);
        if (felt.is_felt) {
            printf("%s\n    ", n++ > 0 ? "," : "");
            json_felt(&node, &felt);
        }
    }
    printf("]},\n");
}
