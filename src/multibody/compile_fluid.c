// SPDX-License-Identifier: Apache-2.0
// The fluid of a model: its laws, and for each body the shape that the fluid acts on, with added
// inertia in the body's inertia. Rods have theirs in rod/fluid.c.
#include "multibody/compile_fluid.h"

#include "law/law_field.h"
#include "multibody/ellipsoid_flow.h"
#include "multibody/spec_check.h"
#include "rod/fluid.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N_SAMPLE = 64 };

static const double pi = 3.14159265358979323846;

// ---- what elements feel

static bool is_dragged(const ElvBodyFluidDef* fluid) {
    return elv_vec3_norm(fluid->drag_area) > 0.0 || elv_vec3_norm(fluid->drag_spin) > 0.0 ||
           elv_vec3_norm(fluid->lift_area) > 0.0;
}

static bool is_felt(const ElvElement* element) {
    const ElvBodyFluidDef* body = &element->body.fluid;
    if (element->is_rod) {
        return elv_fluid_is_felt(&element->rod.fluid);
    }
    return body->is_buoyant || body->volume != 0.0 || body->added_mass != 0.0 || is_dragged(body);
}

static ElvStatus check_elements(const ElvCompiler* c) {
    for (int i = 0; i < c->spec->n_element; i++) {
        const char* name = elv_element_name(&c->spec->element[i]);
        if (is_felt(&c->spec->element[i])) {
            return elv_error_set(
                c->error, ELV_ERROR_INPUT, name, "fluid",
                "'%s' has a key 'fluid', but there is no fluid: add it to the model, for instance "
                "fluid: {density: 1000}",
                name);
        }
    }
    return ELV_OK;
}

// ---- the fluid

// at some times of the simulation and loads of statics; a field at the origin, where it may have a
// pole
static ElvStatus check_speeds(const ElvCompiler* c, const ElvFluid* fluid) {
    double from = 0.0;
    double to = fmax(0.0, c->spec->simulate.duration);
    for (int i = 0; i < c->spec->statics.n_load; i++) {
        from = fmin(from, c->spec->statics.load[i]);
        to = fmax(to, c->spec->statics.load[i]);
    }
    for (int i = 0; i <= N_SAMPLE; i++) {
        char when[48];
        double t = from + (to - from) * i / N_SAMPLE;
        ElvJet x = elv_law_eval(fluid->current[0], t, 0.0);
        ElvJet y = elv_law_eval(fluid->current[1], t, 0.0);
        ElvJet z = elv_law_eval(fluid->current[2], t, 0.0);
        snprintf(when, sizeof when, " at %st = %g", fluid->is_field ? "the origin, " : "", t);
        if (fluid->is_field && !(isfinite(x.v) && isfinite(y.v) && isfinite(z.v))) {
            continue;
        }
        if (!elv_check_speed(elv_vec3(x.v, y.v, z.v), when, c->error)) {
            return ELV_ERROR_INPUT;
        }
        if (!fluid->is_field && !(isfinite(x.d) && isfinite(y.d) && isfinite(z.d))) {
            return elv_error_set(c->error, ELV_ERROR_INPUT, "fluid", "current",
                                 "the rate of the current is not finite%s: what it accelerates "
                                 "would get an infinite force; round the law off there",
                                 when);
        }
    }
    return ELV_OK;
}

ElvStatus elv_compile_fluid(ElvCompiler* c) {
    const ElvFluidDef* def = &c->spec->fluid;
    if (def->density == 0.0) {
        return check_elements(c);
    }
    ElvFluid* fluid = elv_pool_take(&c->model->pool, 1, sizeof *fluid);
    if (!fluid) {
        return elv_compile_no_memory(c);
    }
    memset(fluid, 0, sizeof *fluid);
    fluid->density = def->density;
    fluid->callback = def->callback;
    fluid->is_field = def->callback != NULL;
    fluid->user = def->user;
    fluid->has_surface = def->has_surface;
    fluid->surface = def->surface;
    fluid->gravity = elv_vec3_norm(c->spec->gravity);
    fluid->up = fluid->gravity > 0.0 ? elv_vec3_scale(-1.0 / fluid->gravity, c->spec->gravity)
                                     : elv_vec3(0.0, 0.0, 1.0);
    c->model->fluid = fluid;
    for (int k = 0; k < 3 && !def->callback; k++) {
        ElvStatus status =
            elv_law_set_add(&c->model->laws, &def->current[k], ELV_LAW_OF_T | ELV_LAW_OF_PLACE,
                            "fluid", "current", &fluid->current[k], c->error);
        if (status != ELV_OK) {
            return status;
        }
        fluid->is_field |= elv_law_depends_on_place(fluid->current[k]);
    }
    return def->callback ? ELV_OK : check_speeds(c, fluid);
}

// ---- bodies

// of its shape, in body axes, about the origin
static ElvInertia added_inertia(const ElvBodyDef* def, double density) {
    const double* size = def->shape.size;
    ElvVec3 radii = def->shape.kind == ELV_SHAPE_SPHERE ? elv_vec3(size[0], size[0], size[0])
                                                        : elv_vec3(size[0], size[1], size[2]);
    ElvInertia own = elv_ellipsoid_added(density * def->fluid.added_mass, radii);
    return elv_inertia_transform(def->shape.pose, own);
}

// what of a body the fluid acts on
static ElvStatus
build_shape(const ElvCompiler* c, const ElvBodyDef* def, ElvVec3 center, ElvFluidShape* shape) {
    double own = elv_shape_volume(&def->shape);
    double volume = def->fluid.volume > 0.0 ? def->fluid.volume : own;
    memset(shape, 0, sizeof *shape);
    shape->area = def->fluid.drag_area;
    shape->spin = def->fluid.drag_spin;
    shape->volume = def->fluid.is_buoyant ? volume : 0.0;
    shape->fin = def->fluid.lift_area;
    // its own shape, scaled to the volume
    shape->hull = def->shape.kind;
    shape->hull_axes = def->shape.pose.R;
    for (int k = 0; k < 3 && own > 0.0; k++) {
        shape->hull_size[k] =
            volume == own ? def->shape.size[k] : def->shape.size[k] * cbrt(volume / own);
    }
    shape->radius = cbrt(3.0 * volume / (4.0 * pi));
    shape->center = def->fluid.has_center ? def->fluid.center : center;
    if (c->model->fluid->has_surface && is_dragged(&def->fluid) && volume == 0.0) {
        return elv_error_set(
            c->error, ELV_ERROR_INPUT, def->name, "fluid",
            "the fluid has a surface, which must know how large body '%s' is: give it a shape, or "
            "'volume' in m^3",
            def->name);
    }
    return ELV_OK;
}

ElvStatus elv_compile_body_fluid(ElvCompiler* c,
                                 const ElvBodyDef* def,
                                 const ElvMassProperties* mass,
                                 ElvPort* port) {
    const ElvFluid* fluid = c->model->fluid;
    ElvInertia added = elv_fluid_matrix(def->added_inertia, mass->center);
    bool has_added = elv_fluid_acts(def->added_inertia);
    if (fluid && def->fluid.added_mass > 0.0) {
        added = elv_inertia_add(added, added_inertia(def, fluid->density));
        has_added = true;
    }
    if (has_added) {
        port->inertia = elv_inertia_add(port->inertia, added);
    }
    port->is_massive = mass->mass > 0.0 || has_added;
    port->is_resisted = elv_fluid_acts(def->resistance);
    port->resistance = elv_fluid_matrix(def->resistance, mass->center);
    c->model->is_resisted |= port->is_resisted || (fluid && is_dragged(&def->fluid));
    const ElvElement element = {.is_rod = false, .body = *def};
    if (!fluid || !(is_felt(&element) || has_added || port->is_resisted)) {
        return ELV_OK;
    }
    ElvFluidShape* shape = elv_pool_take(&c->model->pool, 1, sizeof *shape);
    if (!shape) {
        return elv_compile_no_memory(c);
    }
    ElvStatus status =
        build_shape(c, def, def->has_center ? def->shape.pose.p : mass->center, shape);
    shape->added = added;
    shape->resistance = port->resistance;
    shape->is_resisted = port->is_resisted;
    port->fluid = shape;
    return status;
}
