// SPDX-License-Identifier: Apache-2.0
// What a fluid does to sections of the strong form.
#include "strong/strong_fluid.h"

#include "rod/fluid.h"
#include "rod/fluid_surface.h"

#include <string.h>

// whether something comes on top of added inertia
static bool acts_on(const ElvRod* rod) {
    const ElvRodFluidDef* def = &rod->fluid_def;
    const ElvFluid* medium = rod->medium;
    bool flows = medium && (medium->callback || medium->current[0] || medium->current[1] ||
                            medium->current[2]);
    return rod->resistance || flows ||
           (medium && (def->is_buoyant || def->drag_normal != 0.0 || def->drag_tangential != 0.0 ||
                       def->lift != 0.0));
}

ElvStrongFluid elv_strong_fluid(const ElvRod* rod, double s) {
    ElvStrongFluid fluid;
    memset(&fluid, 0, sizeof fluid);
    if (rod->fluid || rod->has_added || rod->resistance) {
        fluid.shape = elv_rod_fluid_at(rod, s);
        fluid.is_slender = rod->is_slender;
        fluid.acts = acts_on(rod);
    }
    return fluid;
}

// -R eta in a fluid at rest that has no density
static ElvWrench resist(const ElvInertia* R, ElvTwist eta, ElvMat6* by_pose, ElvMat6* by_eta) {
    if (by_pose) {
        memset(by_pose, 0, sizeof *by_pose);
    }
    if (by_eta) {
        *by_eta = elv_inertia_matrix(elv_inertia_scale(-1.0, *R));
    }
    return elv_wrench_scale(-1.0, elv_inertia_apply(*R, eta));
}

ElvWrench elv_strong_fluid_wrench(const ElvFluidShape* shape,
                                  const ElvFluidNow* now,
                                  const ElvPose* g,
                                  ElvTwist eta,
                                  ElvMat6* by_pose,
                                  ElvMat6* by_eta) {
    return now->fluid ? elv_fluid_wrench(shape, now, g, eta, by_pose, by_eta)
                      : resist(&shape->resistance, eta, by_pose, by_eta);
}

ElvWrench elv_strong_flux(const ElvStrongFluid* fluid,
                          const ElvFluidNow* now,
                          const ElvPose* g,
                          ElvTwist eta) {
    return fluid->is_slender ? elv_fluid_flux(&fluid->shape.added, now, g, eta, NULL, NULL)
                             : elv_wrench_zero();
}

void elv_strong_fluid_measure(const ElvStrongFluid* fluid,
                              const ElvFluidNow* now,
                              const ElvPose* g,
                              ElvTwist eta,
                              ElvTwist xi_dot,
                              double weight,
                              ElvMeasure* sum) {
    if (fluid->acts && now->fluid) {
        sum->gravity += weight * elv_fluid_potential(&fluid->shape, now, g);
        sum->fluid += weight * elv_fluid_power(&fluid->shape, now, g, eta);
    } else if (fluid->acts) {
        sum->fluid += weight * elv_power(eta, elv_inertia_apply(fluid->shape.resistance, eta));
    }
    // Phi resists strains that change
    sum->fluid += weight * elv_power(xi_dot, elv_strong_flux(fluid, now, g, eta));
}

ElvWrench elv_strong_fluid_vary(const ElvMat6* by_pose,
                                const ElvMat6* by_eta,
                                ElvTwist d_zeta,
                                ElvTwist d_eta) {
    ElvTwist sum = elv_twist_add(elv_mat6_apply(*by_pose, d_zeta), elv_mat6_apply(*by_eta, d_eta));
    return elv_wrench(sum.ang, sum.lin);
}
