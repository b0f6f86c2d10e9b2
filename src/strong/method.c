// SPDX-License-Identifier: Apache-2.0
// The integrator of a method: here, because this layer is the first to know them all.
#include "strong/finite.h"
#include "strong/motion.h"

ElvStatus elv_integrator_create(const ElvModel* model,
                                const ElvSimulateDef* options,
                                ElvIntegrator** integrator,
                                ElvError* error) {
    *integrator = NULL;
    elv_error_clear(error);
    switch (options->method) {
    case ELV_METHOD_EXPLICIT:
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
