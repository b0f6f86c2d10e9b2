// SPDX-License-Identifier: Apache-2.0
// Ideal wheels as devices: one for what a wheel holds, one for the angle by which it has rolled.
#include "base/spec_names.h"
#include "multibody/compile_device.h"
#include "multibody/wheel.h"

#include <math.h>

// the axis across the frame's z, and ahead
static bool set_directions(const ElvWheelDef* def, ElvWheel* wheel) {
    ElvVec3 up = elv_vec3(0.0, 0.0, 1.0);
    ElvVec3 axis = elv_vec3_scale(1.0 / elv_vec3_norm(def->axis), def->axis);
    ElvVec3 ahead = elv_vec3_cross(axis, up);
    double across = elv_vec3_norm(ahead);
    wheel->ahead = elv_vec3_scale(1.0 / across, ahead);
    wheel->side = elv_vec3_cross(up, wheel->ahead);
    return across > 1e-6;
}

static ElvStatus add_angle(ElvCompiler* c, ElvWheel* wheel, const char* name) {
    ElvWheelAngle* angle = elv_pool_take(&c->model->pool, 1, sizeof *angle);
    if (!angle) {
        return elv_compile_no_memory(c);
    }
    angle->wheel = wheel;
    angle->device.ops = &ELV_WHEEL_ANGLE_OPS;
    angle->device.n_z = 1;
    angle->device.is_differential = true;
    wheel->i_angle = c->model->nz;
    return elv_compile_add_device(c, &angle->device, name);
}

ElvStatus elv_compile_wheel(ElvCompiler* c, const ElvWheelDef* def) {
    ElvModel* model = c->model;
    ElvWheel* wheel = elv_pool_take(&model->pool, 1, sizeof *wheel);
    if (!wheel) {
        return elv_compile_no_memory(c);
    }
    ElvStatus status = elv_compile_held_frame(c, def->at, def->name, "at", &wheel->frame);
    if (status != ELV_OK) {
        return status;
    }
    if (wheel->frame.port == 0) {
        return elv_error_set(
            c->error, ELV_ERROR_INPUT, def->name, "at",
            "'%s' is fixed to '%s', which does not move: a wheel belongs to a body", def->name,
            def->at);
    }
    if (!set_directions(def, wheel)) {
        return elv_error_set(c->error, ELV_ERROR_INPUT, def->name, "axis",
                             "the axis of wheel '%s' is upright: it must lie across the z axis of "
                             "'%s', which points away from the ground",
                             def->name, def->at);
    }
    wheel->radius = def->radius;
    wheel->is_omni = def->is_omni;
    wheel->drive = def->drive;
    wheel->length = fmax(def->radius, model->size);
    wheel->i_angle = -1;
    wheel->device.n_z = !def->is_omni + elv_wheel_is_driven(wheel);
    wheel->device.ops = wheel->device.n_z > 0 ? &ELV_WHEEL_OPS : &ELV_WHEEL_LOOSE_OPS;
    if (def->drive != ELV_WHEEL_FREE) {
        model->is_active = true;
        status = elv_compile_law(c, &def->law, def->name, elv_wheel_drive_names[def->drive],
                                 &wheel->law);
    }
    status = status == ELV_OK ? elv_compile_add_device(c, &wheel->device, def->name) : status;
    return status == ELV_OK && def->drive != ELV_WHEEL_ROTATION ? add_angle(c, wheel, def->name)
                                                                : status;
}
