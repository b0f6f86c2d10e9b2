// SPDX-License-Identifier: Apache-2.0
// The integrator of a method, and its critical step: here, because this layer is the first to know them all.
#include "elver/strong.h"
#include "strong/chain.h"
#include "strong/finite.h"
#include "strong/motion.h"

ElvStatus elv_integrator_create(const ElvModel* model,
                                const ElvSimulateDef* options,
                                ElvIntegrator** integrator,
                                ElvError* error) {
    *integrator = NULL;
    elv_error_clear(error);
    if (elv_method_is_strong(options->method) && elv_chain_refuse_motion(model, error) != ELV_OK) {
        return ELV_ERROR_INPUT;
    }
    switch (options->method) {
    case ELV_METHOD_EXPLICIT:
    case ELV_METHOD_CONNECTION:
        return elv_explicit_create(model, options, integrator, error);
    case ELV_METHOD_RKMK:
    case ELV_METHOD_TILL:
        return elv_finite_create(model, options, integrator, error);
    case ELV_METHOD_SHOOTING:
        return elv_motion_create(model, options, integrator, error);
    default:
        return elv_implicit_create(model, options, integrator, error);
    }
}

ElvStatus elv_shoot_critical_step(const ElvModel* model,
                                  const ElvSimulateDef* options,
                                  double* step,
                                  ElvError* error) {
    ElvIntegrator* integrator = NULL;
    ElvSimulateDef method = *options;
    *step = 0.0;
    bool is_finite = method.method == ELV_METHOD_RKMK || method.method == ELV_METHOD_TILL;
    method.method = is_finite ? method.method : ELV_METHOD_SHOOTING;
    ElvStatus status = elv_integrator_create(model, &method, &integrator, error);
    if (status == ELV_OK) {
        *step = is_finite ? elv_finite_critical((const ElvFinite*)integrator)
                          : elv_motion_critical((const ElvMotionShooting*)integrator);
        elv_integrator_free(integrator);
    }
    return status;
}
