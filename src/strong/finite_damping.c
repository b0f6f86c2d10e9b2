// SPDX-License-Identifier: Apache-2.0
// What finite differences take from a motion. The history x_h between nodes is interpolated, and each step smooths the
// fields by that: in the mean over an element a linear one by ds^2/12 d^2/dX^2, the cubic by ds^4/64 d^4/dX^4, which is a
// damping of waves that grows as steps get shorter. The formula in time damps short steps less: (w dt)^3/4 of BDF2,
// w dt/2 of BDF1. Both are measured on a bending wave as long as a rod.
#include "strong/finite.h"

#include "elver/strong.h"
#include "multibody/spec_check.h"

#include <math.h>

static const double TWO_PI = 6.28318530717958647693;

// angular frequency of a bending wave k along a piece, with half the weight of the rod as its tension
static double frequency(const ElvFiniteGrid* grid, const ElvFinitePiece* piece, double k) {
    const ElvStrongStation* at = &elv_finite_node(grid, piece, 0)->at;
    double stiff = fmin(at->H.m[ELV_STRAIN_BEND_Y][ELV_STRAIN_BEND_Y],
                        at->H.m[ELV_STRAIN_BEND_Z][ELV_STRAIN_BEND_Z]);
    double pull = 0.5 * elv_vec3_norm(grid->chain->gravity) * piece->link->strong.length;
    return at->mass > 0.0 ? sqrt(k * k * (k * k * stiff / at->mass + pull)) : 0.0;
}

// damping ratios of the wave as long as the rod of a piece
static ElvFiniteDamping
damping_of(const ElvFiniteGrid* grid, const ElvFinitePiece* piece, double dt) {
    double k = TWO_PI / piece->link->strong.length;
    double w = frequency(grid, piece, k);
    double turn = k * piece->ds;
    bool is_linear = grid->def.interpolation == ELV_HISTORY_LINEAR;
    double loss = is_linear ? turn * turn / 12.0 : turn * turn * turn * turn / 64.0;
    ElvFiniteDamping damping = {0.0, 0.0};
    if (w > 0.0) {
        // only methods with stages between nodes interpolate
        damping.interpolation = grid->table->n_sub > 1 ? loss / (w * dt) : 0.0;
        damping.time = grid->def.order > 1 ? 0.25 * pow(w * dt, 3.0) : 0.5 * w * dt;
    }
    return damping;
}

ElvStatus elv_finite_damping(const ElvModel* model,
                             const ElvSimulateDef* options,
                             ElvFiniteDamping* damping,
                             ElvError* error) {
    ElvChain chain;
    ElvFiniteGrid grid;
    ElvPool pool = {0};
    *damping = (ElvFiniteDamping){0.0, 0.0};
    ElvStatus status = elv_check_simulate(options, error);
    if (status != ELV_OK) {
        return status;
    }
    status = elv_chain_create(model, &chain, error);
    if (status == ELV_OK) {
        status = elv_finite_grid_init(&grid, &chain, &options->finite, &pool, error);
    }
    double dt = options->step > 0.0 ? options->step : 0.01;
    for (int i = 0; status == ELV_OK && i < grid.n_piece; i++) {
        ElvFiniteDamping own = damping_of(&grid, &grid.piece[i], dt);
        *damping = own.interpolation > damping->interpolation ? own : *damping;
    }
    elv_pool_free(&pool);
    elv_chain_free(&chain);
    return status;
}
