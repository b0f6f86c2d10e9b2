// SPDX-License-Identifier: Apache-2.0
// Checks of the fluid and of what bodies and rods feel of it. What needs the whole spec is checked
// on compile (compile_fluid.c).
#include "multibody/spec_check.h"

#include <math.h>

bool elv_check_speed(ElvVec3 current, const char* when, ElvError* error) {
    double speed = elv_vec3_norm(current);
    if (isnan(current.x) || isnan(current.y) || isnan(current.z)) {
        return elv_check_fail(error, "fluid", "current",
                              "the current is not a number%s: give its velocity [x, y, z] in m/s",
                              when);
    }
    if (!(speed <= ELV_SPEED_OF_LIGHT)) {
        return elv_check_fail(
            error, "fluid", "current",
            "the current is faster than light%s: %g m/s, and light has %.0f m/s; give its "
            "velocity [x, y, z] in m/s",
            when, speed, ELV_SPEED_OF_LIGHT);
    }
    return true;
}

// a current of numbers is known already
static bool check_current(const ElvFluidDef* def, ElvError* error) {
    if (def->callback) {
        return true;
    }
    bool is_constant = true;
    for (int k = 0; k < 3; k++) {
        is_constant = is_constant && def->current[k].kind == ELV_LAW_CONSTANT;
    }
    return elv_check_laws("fluid", "current", def->current, 3, error) &&
           (!is_constant || elv_check_speed(elv_vec3(def->current[0].value, def->current[1].value,
                                                     def->current[2].value),
                                            "", error));
}

ElvStatus elv_check_fluid(const ElvFluidDef* def, ElvError* error) {
    bool is_right =
        elv_check_not_negative("fluid", "density", &def->density, 1, "kg/m^3; water has 1000",
                               error) &&
        (!def->has_surface || elv_check_finite("fluid", "surface", &def->surface, 1, error)) &&
        check_current(def, error);
    return is_right ? ELV_OK : ELV_ERROR_INPUT;
}

// ---- rods

static bool needs_widths(const ElvRodFluidDef* fluid) {
    return fluid->drag_normal != 0.0 || fluid->drag_tangential != 0.0 || fluid->lift != 0.0 ||
           fluid->added_mass != 0.0;
}

static bool check_section(const ElvRodDef* def, ElvError* error) {
    bool has_widths = (unsigned)def->section.kind <= ELV_SECTION_RECTANGLE;
    if (needs_widths(&def->fluid) && !has_widths) {
        return elv_check_fail(
            error, def->name, "fluid",
            "drag, lift and added mass need the widths of the sections: give rod '%s' a "
            "section that is a circle, an ellipse or a rectangle, or 'resistance' and "
            "'added_inertia' in their place",
            def->name);
    }
    if (def->fluid.is_buoyant && def->section.kind == ELV_SECTION_NONE) {
        return elv_check_fail(error, def->name, "fluid.buoyancy",
                              "buoyancy needs the area of the sections: give rod '%s' a section",
                              def->name);
    }
    return true;
}

bool elv_check_rod_fluid(const ElvRodDef* def, ElvError* error) {
    const ElvRodFluidDef* fluid = &def->fluid;
    const char* ratio = "a ratio without unit";
    bool is_right =
        elv_check_not_negative(def->name, "fluid.drag.normal", &fluid->drag_normal, 1, ratio,
                               error) &&
        elv_check_not_negative(def->name, "fluid.drag.tangential", &fluid->drag_tangential, 1,
                               ratio, error) &&
        elv_check_not_negative(def->name, "fluid.lift", &fluid->lift, 1, ratio, error) &&
        elv_check_not_negative(def->name, "fluid.added_mass", &fluid->added_mass, 1, ratio, error);
    bool has_added = fluid->added_mass != 0.0;
    for (int k = 0; k < 6; k++) {
        has_added = has_added || def->added_inertia[k] != 0.0;
    }
    if (is_right && fluid->is_slender && !has_added) {
        return elv_check_fail(
            error, def->name, "fluid.lighthill",
            "elongated body theory needs added mass: write added_mass: 1 beside it");
    }
    return is_right && check_section(def, error);
}

// ---- bodies

bool elv_check_body_fluid(const ElvBodyDef* def, ElvError* error) {
    const ElvBodyFluidDef* fluid = &def->fluid;
    bool is_right =
        elv_check_finite(def->name, "fluid.center", &fluid->center.x, 3, error) &&
        elv_check_not_negative(def->name, "fluid.volume", &fluid->volume, 1, "m^3", error) &&
        elv_check_not_negative(def->name, "fluid.drag", &fluid->drag_area.x, 3,
                               "m^2, coefficient times area", error) &&
        elv_check_not_negative(def->name, "fluid.spin_drag", &fluid->drag_spin.x, 3, "m^5",
                               error) &&
        elv_check_not_negative(def->name, "fluid.lift", &fluid->lift_area.x, 3,
                               "m^2, lift slope times area", error) &&
        elv_check_not_negative(def->name, "fluid.added_mass", &fluid->added_mass, 1,
                               "a ratio without unit", error);
    if (!is_right) {
        return false;
    }
    if (fluid->is_buoyant && fluid->volume == 0.0 && def->shape.kind == ELV_SHAPE_NONE) {
        return elv_check_fail(error, def->name, "fluid.buoyancy",
                              "buoyancy needs a volume: give body '%s' a shape, or 'volume' in m^3",
                              def->name);
    }
    bool is_round = def->shape.kind == ELV_SHAPE_SPHERE || def->shape.kind == ELV_SHAPE_ELLIPSOID;
    if (fluid->added_mass != 0.0 && !is_round) {
        return elv_check_fail(
            error, def->name, "fluid.added_mass",
            "added mass is known of spheres and ellipsoids: give body '%s' such a shape, or "
            "'added_inertia' by six numbers beside 'fluid'",
            def->name);
    }
    return true;
}
