// SPDX-License-Identifier: Apache-2.0
// Tendons of given length: the tension is an unknown, and the tendon is taut or slack, whichever holds:
//     T = 0 or L = L_free + T / stiffness.
// Two more unknowns are what the next step must know: the stretch L - L_free and its rate.
#include "multibody/tendon.h"

#include <math.h>

// length by which the tendon is stretched
static double stretched(const ElvTendon* tendon, const ElvScene* scene, double length) {
    double pulled = scene->data->load * elv_law_value(tendon->law, scene->state->t, 0.0);
    return length - (tendon->length - pulled);
}

// A tendon that was slack lands: the stretch at the end of the step from which the next one, to zero,
// comes to rest. To zero at once, the trapezoidal rule would turn its speed round, and it would bounce.
static double landing(const ElvTendon* tendon, const ElvScene* scene) {
    const ElvBorderRule* rule = scene->rule;
    if (!rule || rule->step == 0.0 || tendon->stiffness > 0.0) {
        return 0.0;
    }
    const double* z_n = rule->z_n + tendon->device.i_z;
    return z_n[0] > 0.0 ? 0.0 : 0.5 * (z_n[1] + rule->step * z_n[2]);
}

static bool is_taut(const ElvTendon* tendon, double tension, double stretch) {
    double give = tendon->stiffness > 0.0 ? tension / tendon->stiffness : 0.0;
    // one newton weighs as much as one metre: only the way to the solution depends on it
    double weight = tendon->stiffness > 0.0 ? tendon->stiffness : 1.0;
    return tension + weight * (stretch - give) > 0.0;
}

bool elv_tendon_is_taut(const ElvTendon* tendon, const ElvScene* scene) {
    ElvTendonMeasure measure = elv_tendon_measure(tendon, scene);
    double stretch = stretched(tendon, scene, measure.length);
    return is_taut(tendon, measure.tension, stretch - landing(tendon, scene));
}

// half the length of the step in hand; without one, a second
static double half_step(const ElvScene* scene) {
    return scene->rule && scene->rule->step > 0.0 ? scene->rule->step : 1.0;
}

// What a length must be known to, against all of it: an error of a step's end moves the tension by its square
// over the step's length; coarser than a millisecond it does no harm, and rounding sets a limit.
static double resolution(const ElvScene* scene) {
    double ratio = half_step(scene) / 1e-3;
    return fmin(1.0, fmax(1e-5, ratio * ratio));
}

// z_1 is the stretch, z_2 its rate by the trapezoidal rule, for the next step to know
static void remember(const ElvTendon* tendon, const ElvScene* scene, double stretch, double* c) {
    const ElvBorderRule* rule = scene->rule;
    const double* z = scene->state->z + tendon->device.i_z;
    c[1] = z[1] - stretch;
    c[2] = z[2];
    if (rule && rule->step > 0.0) {
        const double* z_n = rule->z_n + tendon->device.i_z;
        c[2] = z[2] + z_n[2] - (stretch - z_n[1]) / rule->step;
    }
}

void elv_tendon_length_equation(const ElvTendon* tendon,
                                const ElvScene* scene,
                                double* c,
                                double* size) {
    ElvTendonMeasure measure = elv_tendon_measure(tendon, scene);
    double stretch = stretched(tendon, scene, measure.length);
    double give = tendon->stiffness > 0.0 ? measure.tension / tendon->stiffness : 0.0;
    double excess = stretch - landing(tendon, scene);
    c[0] = is_taut(tendon, measure.tension, excess) ? give - excess : measure.tension;
    remember(tendon, scene, stretch, c);
    size[0] = size[1] = tendon->length * resolution(scene);
    size[2] = fabs(scene->state->z[tendon->device.i_z + 2]) + tendon->length / half_step(scene);
}

void elv_tendon_length_rows(const ElvTendon* tendon,
                            const ElvScene* scene,
                            double d_length,
                            const double* d_z,
                            double* d_c) {
    const double* d_own = d_z + tendon->device.i_z;
    double d_give = tendon->stiffness > 0.0 ? d_own[0] / tendon->stiffness : 0.0;
    bool has_step = scene->rule && scene->rule->step > 0.0;
    d_c[0] = elv_tendon_is_taut(tendon, scene) ? d_give - d_length : d_own[0];
    d_c[1] = d_own[1] - d_length;
    d_c[2] = d_own[2] - (has_step ? d_length / scene->rule->step : 0.0);
}

void elv_tendon_start(const ElvDevice* device, const ElvScene* scene, double* z) {
    const ElvTendon* tendon = (const ElvTendon*)device;
    ElvTendonMeasure measure = elv_tendon_measure(tendon, scene);
    z[1] = stretched(tendon, scene, measure.length);
    z[2] = measure.rate + scene->data->load * elv_law_eval(tendon->law, scene->state->t, 0.0).d;
}
