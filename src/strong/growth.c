// SPDX-License-Identifier: Apache-2.0
// Growth of variations along a rod, from its stiffness, that of controllers, and its inertia, with
// what a fluid adds.
#include "strong/growth.h"

#include <math.h>

const double ELV_GROWTH_CRITICAL = 20.0;
const double ELV_GROWTH_LIMP = 1e5;

// a quarter for each of the most steps that a rod may have
static const double MAX_EXPONENT = 0.25 * ELV_SHOOT_STEPS_MAX;

double elv_growth_at(const ElvStrongStation* at, const ElvStrongPiece* piece, double a, double b) {
    // which way sections move: about x, along z and y where they bend, and as they strain
    static const int moves[ELV_N_STRAIN] = {0, 5, 4, 3, 4, 5};
    double most = 0.0;
    for (int k = 0; k < piece->n_free; k++) {
        int strain = piece->free[k];
        double stiffness = at->H.m[strain][strain] + fabs(at->kp[strain]) +
                           a * (at->D.m[strain][strain] + fabs(at->kd[strain]));
        double inertia = at->M.m[moves[strain]][moves[strain]];
        bool bends = strain == 1 || strain == 2;
        if (stiffness > 0.0) {
            double wave = sqrt(b * inertia / stiffness);
            most = fmax(most, bends ? sqrt(0.5 * wave) : wave);
        }
    }
    return most;
}

double
elv_growth_limpness(const ElvStrongRod* strong, const ElvStrongStation* at, ElvVec3 gravity) {
    const ElvStrongPiece* piece = &strong->piece[at->i_piece];
    const ElvFluid* fluid = strong->rod->medium;
    double displaced = fluid ? fluid->density * at->fluid.shape.volume : 0.0;
    double weight = fabs(at->mass - displaced) * elv_vec3_norm(gravity);
    double least = INFINITY;
    for (int k = 1; k <= 2; k++) {
        double own = at->H.m[k][k] + fabs(at->kp[k]);
        least = piece->is_free[k] && own > 0.0 ? fmin(least, own) : least;
    }
    return weight * strong->length * strong->length * strong->length / least;
}

double elv_growth_step(ElvGrowth growth, const void* owner, int n_segment) {
    double least = 1e-12;
    double most = 1e6;
    while (most > 1.001 * least) {
        double middle = sqrt(least * most);
        bool is_hard = growth(owner, middle) > ELV_GROWTH_CRITICAL * n_segment;
        *(is_hard ? &least : &most) = middle;
    }
    return most;
}

ElvStatus elv_growth_check(
    const ElvStrongRod* strong, double dt, double duration, double exponent, ElvError* error) {
    if (exponent <= MAX_EXPONENT) {
        return ELV_OK;
    }
    // that of bending falls with the root of the step
    double ratio = exponent / MAX_EXPONENT;
    double least = dt * ratio * ratio;
    if (least <= duration) {
        return elv_error_set(error, ELV_ERROR_STEP, strong->name, "",
                             "in steps of %.3g s variations grow by exp(%.3g) along rod '%s', more "
                             "than shots can follow in any number of segments: use longer steps "
                             "(from about %.2g s on), or a method with modes",
                             dt, exponent, strong->name, least);
    }
    return elv_error_set(error, ELV_ERROR_SINGULAR, strong->name, "",
                         "next to nothing resists the strains of rod '%s': in steps of %.3g s "
                         "variations grow by exp(%.3g) along it, and the problem is singular; "
                         "use longer steps, a stiffer rod, or a method with modes",
                         strong->name, dt, exponent);
}
