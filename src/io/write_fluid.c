// SPDX-License-Identifier: Apache-2.0
// The fluid as YAML, and what bodies and rods feel of it: what differs from the defaults.
#include "io/write_fluid.h"

#include "io/write_tree.h"

static bool has_value(const double* value, int n) {
    for (int i = 0; i < n; i++) {
        if (value[i] != 0.0) {
            return true;
        }
    }
    return false;
}

void elv_write_fluid(ElvWriter* writer, const ElvFluidDef* fluid) {
    if (fluid->density == 0.0) {
        return;
    }
    if (fluid->callback && writer->status == ELV_OK) {
        writer->status =
            elv_error_set(writer->error, ELV_ERROR_INPUT, "fluid", "current",
                          "the current is a C callback, which a file cannot hold: use laws of t");
    }
    elv_write(writer, "\nfluid: {density: ");
    elv_write_number(writer, fluid->density);
    bool is_still = true;
    for (int k = 0; k < 3; k++) {
        is_still = is_still && elv_law_def_is(&fluid->current[k], 0.0);
    }
    if (!is_still) {
        elv_write(writer, ", current: ");
        elv_write_laws(writer, fluid->current, 3);
    }
    if (fluid->has_surface) {
        elv_write(writer, ", surface: ");
        elv_write_number(writer, fluid->surface);
    }
    elv_write(writer, "}");
}

static void write_number(ElvWriteMap* map, const char* key, double value) {
    if (value != 0.0) {
        elv_write_key(map, key);
        elv_write_number(map->writer, value);
    }
}

static void write_flag(ElvWriteMap* map, const char* key, bool value) {
    if (value) {
        elv_write_key(map, key);
        elv_write(map->writer, "true");
    }
}

static void write_vec3(ElvWriteMap* map, const char* key, ElvVec3 value) {
    if (has_value(&value.x, 3)) {
        elv_write_key(map, key);
        elv_write_vec3(map->writer, value);
    }
}

void elv_write_rod_fluid(ElvWriter* writer, const ElvRodFluidDef* fluid) {
    const double value[] = {fluid->drag_normal, fluid->drag_tangential, fluid->lift,
                            fluid->added_mass};
    if (!fluid->is_buoyant && !fluid->is_slender && !has_value(value, 4)) {
        return;
    }
    ElvWriteMap map = {writer, 0};
    elv_write_line(writer, "fluid");
    write_flag(&map, "buoyancy", fluid->is_buoyant);
    if (has_value(value, 2)) {
        ElvWriteMap drag = {writer, 0};
        elv_write_key(&map, "drag");
        write_number(&drag, "normal", fluid->drag_normal);
        write_number(&drag, "tangential", fluid->drag_tangential);
        elv_write_map_end(&drag);
    }
    write_number(&map, "lift", fluid->lift);
    write_number(&map, "added_mass", fluid->added_mass);
    write_flag(&map, "lighthill", fluid->is_slender);
    elv_write_map_end(&map);
}

void elv_write_body_fluid(ElvWriter* writer, const ElvBodyFluidDef* fluid) {
    bool has_numbers = fluid->volume != 0.0 || fluid->added_mass != 0.0 ||
                       has_value(&fluid->drag_area.x, 3) || has_value(&fluid->drag_spin.x, 3) ||
                       has_value(&fluid->lift_area.x, 3);
    if (!fluid->is_buoyant && !has_numbers && !fluid->has_center) {
        return;
    }
    ElvWriteMap map = {writer, 0};
    elv_write_line(writer, "fluid");
    write_flag(&map, "buoyancy", fluid->is_buoyant);
    write_number(&map, "volume", fluid->volume);
    if (fluid->has_center) {
        elv_write_key(&map, "center");
        elv_write_vec3(writer, fluid->center);
    }
    write_vec3(&map, "drag", fluid->drag_area);
    write_vec3(&map, "spin_drag", fluid->drag_spin);
    write_vec3(&map, "lift", fluid->lift_area);
    write_number(&map, "added_mass", fluid->added_mass);
    elv_write_map_end(&map);
}

void elv_write_coefficients(ElvWriter* writer,
                            const double resistance[6],
                            const double added_inertia[6]) {
    if (has_value(resistance, 6)) {
        elv_write_line(writer, "resistance");
        elv_write_numbers(writer, resistance, 6);
    }
    if (has_value(added_inertia, 6)) {
        elv_write_line(writer, "added_inertia");
        elv_write_numbers(writer, added_inertia, 6);
    }
}
