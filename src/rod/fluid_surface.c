// SPDX-License-Identifier: Apache-2.0
// Dipping into a surface. With x = height / radius of the centre over the surface, the share below
// it is, inside
// -1 < x < 1,
//     circle  (acos x - x s) / pi,  s = sqrt(1 - x^2),   slope -2 s / pi,        integral (s - s^3/3 - x acos x) / pi
//     sphere  (1 - x)^2 (2 + x) / 4,                     slope -3/4 (1 - x^2),   integral (1 - x)^3 (3 + x) / 16
// and its slope is continuous. The lift share(height) rho V gravity has the potential rho V gravity
// integral(height).
#include "rod/fluid_surface.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

double elv_surface_share(bool is_section, double radius, double height, double* slope) {
    double x = height / radius;
    *slope = 0.0;
    if (!(x > -1.0)) {
        return 1.0;
    }
    if (!(x < 1.0)) {
        return 0.0;
    }
    double square = (1.0 - x) * (1.0 + x);
    if (is_section) {
        double s = sqrt(square);
        *slope = -2.0 * s / (PI * radius);
        return (acos(x) - x * s) / PI;
    }
    *slope = -0.75 * square / radius;
    return 0.25 * (1.0 - x) * (1.0 - x) * (2.0 + x);
}

double elv_surface_integral(bool is_section, double radius, double height) {
    if (!(height > -radius)) {
        return -height;
    }
    if (!(height < radius)) {
        return 0.0;
    }
    double x = height / radius;
    if (is_section) {
        double s = sqrt((1.0 - x) * (1.0 + x));
        return radius * (s - s * s * s / 3.0 - x * acos(x)) / PI;
    }
    double d = 1.0 - x;
    return radius * d * d * d * (3.0 + x) / 16.0;
}

double elv_fluid_potential(const ElvFluidShape* shape, const ElvFluidNow* now, const ElvPose* g) {
    const ElvFluid* fluid = now->fluid;
    if (shape->volume == 0.0 || fluid->gravity == 0.0) {
        return 0.0;
    }
    ElvVec3 x = elv_vec3_add(now->origin, elv_pose_apply(*g, shape->center));
    double height = elv_vec3_dot(fluid->up, x) - (fluid->has_surface ? fluid->surface : 0.0);
    double integral = fluid->has_surface
                          ? elv_surface_integral(shape->is_section, shape->radius, height)
                          : -height;
    return fluid->density * shape->volume * fluid->gravity * integral;
}
