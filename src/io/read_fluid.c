// SPDX-License-Identifier: Apache-2.0
// The fluid of model files, and what bodies and rods feel of it: coefficients that have defaults of
// zero.
#include "io/read_fluid.h"

#include "io/read_law.h"
#include "io/read_locate.h"
#include "io/read_value.h"

bool elv_read_fluid(ElvReader* reader, const ElvYaml* map) {
    static const char* const keys[] = {"density", "current", "surface"};
    ElvFluidDef def = elv_fluid_def_default();
    reader->element = "fluid";
    if (!elv_read_keys(reader, map, "a map {density: 1000}", keys, 3) ||
        !elv_read_required(reader, map, "density", "of the fluid, in kg/m^3")) {
        return false;
    }
    const ElvYaml* current = elv_yaml_get(map, "current");
    def.has_surface = elv_yaml_get(map, "surface") != NULL;
    if (!elv_read_number_at(reader, map, "density", &def.density) ||
        !elv_read_number_at(reader, map, "surface", &def.surface) ||
        (current && !elv_read_laws(reader, current, 3, ELV_READ_T | ELV_READ_PLACE, def.current))) {
        return false;
    }
    ElvStatus status = elv_spec_set_fluid(reader->spec, &def, reader->error);
    reader->element = "";
    return elv_read_added(reader, map, status);
}

static bool read_drag(ElvReader* reader, const ElvYaml* map, ElvRodFluidDef* fluid) {
    static const char* const keys[] = {"normal", "tangential"};
    return elv_read_keys(reader, map, "a map {normal: 1.1, tangential: 0.01}", keys, 2) &&
           elv_read_number_at(reader, map, "normal", &fluid->drag_normal) &&
           elv_read_number_at(reader, map, "tangential", &fluid->drag_tangential);
}

bool elv_read_rod_fluid(ElvReader* reader, const ElvYaml* map, ElvRodFluidDef* fluid) {
    static const char* const keys[] = {"buoyancy", "drag", "lift", "added_mass", "lighthill"};
    const ElvYaml* drag = elv_yaml_get(map, "drag");
    return elv_read_keys(reader, map, "a map such as {buoyancy: true, added_mass: 1}", keys, 5) &&
           elv_read_flag_at(reader, map, "buoyancy", &fluid->is_buoyant) &&
           (!drag || read_drag(reader, drag, fluid)) &&
           elv_read_number_at(reader, map, "lift", &fluid->lift) &&
           elv_read_number_at(reader, map, "added_mass", &fluid->added_mass) &&
           elv_read_flag_at(reader, map, "lighthill", &fluid->is_slender);
}

// 0 is what a spec says for that of the shape: a file leaves the key out
static bool read_volume(ElvReader* reader, const ElvYaml* node, double* volume) {
    if (!elv_read_number(reader, node, volume)) {
        return false;
    }
    if (*volume == 0.0) {
        return elv_read_fail(reader, node,
                             "the volume must be positive, got 0: leave it out for that of the "
                             "body's shape, or write buoyancy: false for a body that displaces "
                             "nothing");
    }
    return true;
}

bool elv_read_body_fluid(ElvReader* reader, const ElvYaml* map, ElvBodyFluidDef* fluid) {
    static const char* const keys[] = {"buoyancy",  "volume", "center",    "drag",
                                       "spin_drag", "lift",   "added_mass"};
    const ElvYaml* volume = elv_yaml_get(map, "volume");
    fluid->has_center = elv_yaml_get(map, "center") != NULL;
    return elv_read_keys(reader, map, "a map such as {buoyancy: true, drag: [1, 1, 1]}", keys, 7) &&
           elv_read_flag_at(reader, map, "buoyancy", &fluid->is_buoyant) &&
           (!volume || read_volume(reader, volume, &fluid->volume)) &&
           elv_read_vec3_at(reader, map, "center", &fluid->center) &&
           elv_read_vec3_at(reader, map, "drag", &fluid->drag_area) &&
           elv_read_vec3_at(reader, map, "spin_drag", &fluid->drag_spin) &&
           elv_read_vec3_at(reader, map, "lift", &fluid->lift_area) &&
           elv_read_number_at(reader, map, "added_mass", &fluid->added_mass);
}

bool elv_read_coefficients(ElvReader* reader,
                           const ElvYaml* node,
                           double resistance[6],
                           double added_inertia[6]) {
    const ElvYaml* viscous = elv_yaml_get(node, "resistance");
    const ElvYaml* added = elv_yaml_get(node, "added_inertia");
    return (!viscous || elv_read_numbers(reader, viscous, 6, resistance)) &&
           (!added || elv_read_numbers(reader, added, 6, added_inertia));
}
