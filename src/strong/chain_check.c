// SPDX-License-Identifier: Apache-2.0
// Whether the methods without modes can take a model: that it is a chain, and that something
// resists every free strain, a stiffness or the gain of a controller, in time also a damping. Where
// stresses depend on the strain by a law or a fibre, only the search can tell.
#include "elver/strong.h"
#include "rod/rod_flux.h"
#include "strong/chain.h"

#include <math.h>

static double resistance(const ElvStrongStation* at, int k, bool is_static) {
    double own = fabs(at->H.m[k][k]) + fabs(at->kp[k]);
    return is_static ? own : own + fabs(at->D.m[k][k]) + fabs(at->kd[k]);
}

static ElvStatus check_piece(
    ElvChain* chain, const ElvStrongRod* strong, int i_piece, bool is_static, ElvError* error) {
    const ElvStrongPiece* piece = &strong->piece[i_piece];
    ElvStrongStation at;
    ElvFibreNode* fibre =
        elv_pool_take(&chain->pool, (size_t)strong->fields.n_fibre, sizeof *fibre);
    if (!fibre) {
        return elv_error_set(error, ELV_ERROR_MEMORY, "", "", "out of memory");
    }
    // sections may end in a point
    double middle = 0.5 * (piece->s0 + piece->s1);
    ElvStatus status = elv_strong_station(strong, i_piece, middle, fibre, &at, error);
    for (int i = 0; i < piece->n_free && status == ELV_OK; i++) {
        int k = piece->free[i];
        if (resistance(&at, k, is_static) == 0.0) {
            return elv_error_set(error, ELV_ERROR_INPUT, strong->name, "",
                                 "nothing resists the strain %s of rod '%s' at s = %.3g: the "
                                 "strong form needs a stiffness there (a method with modes does "
                                 "not), or the strain's modes taken away",
                                 elv_strain_name((ElvStrain)k), strong->name, middle);
        }
    }
    return status;
}

ElvStatus elv_chain_refuse_slender(const ElvModel* model, ElvError* error) {
    for (int i = 0; i < model->n_node; i++) {
        const ElvNode* node = &model->node[i];
        for (int k = 0; k < ELV_N_STRAIN && node->info.is_rod; k++) {
            if (node->info.modes[k] > 0 && elv_rod_meets_flux((const ElvRod*)node->joint, k)) {
                return elv_error_set(error, ELV_ERROR_INPUT, node->name, "fluid",
                                     "rod '%s' is slender in a fluid and free to %s, which the "
                                     "strong form does not know: leave it bend_y and bend_z "
                                     "without added inertia about y and z, or use a method with "
                                     "modes",
                                     node->name, elv_strain_name((ElvStrain)k));
            }
        }
    }
    return ELV_OK;
}

ElvStatus elv_chain_check(const ElvModel* model, bool is_static, ElvError* error) {
    // imposed strains need no stiffness: their remedy is another
    ElvStatus taken = elv_chain_refuse_motion(model, error);
    if (taken != ELV_OK) {
        return taken;
    }
    ElvChain chain;
    ElvStatus status = elv_chain_create(model, &chain, error);
    for (int i = 0; status == ELV_OK && i < chain.n_rod; i++) {
        const ElvStrongRod* strong = &chain.rod[i].strong;
        for (int k = 0; k < strong->n_piece && strong->is_linear && status == ELV_OK; k++) {
            status = check_piece(&chain, strong, k, is_static, error);
        }
    }
    if (status == ELV_OK && !is_static && chain.joint && !chain.joint->joint.is_motion_driven &&
        elv_model_mass(model) == 0.0) {
        const char* name = model->node[chain.i_joint].name;
        status = elv_error_set(error, ELV_ERROR_INPUT, name, "",
                               "'%s' can move, but nothing of the model has mass: give the rods a "
                               "density, or their bodies a mass",
                               name);
    }
    elv_chain_free(&chain);
    return status;
}
