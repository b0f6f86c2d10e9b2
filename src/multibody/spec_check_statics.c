// SPDX-License-Identifier: Apache-2.0
// Check of how equilibria are to be found.
#include "multibody/spec_check.h"

#include <math.h>
#include <stdio.h>

static bool check_count(const char* field, int value, int lo, int hi, ElvError* error) {
    if (value < lo || value > hi) {
        return elv_check_fail(error, "statics", field, "%s must be from %d to %d, got %d", field,
                              lo, hi, value);
    }
    return true;
}

static bool check_loads(const ElvStaticsDef* def, ElvError* error) {
    if (def->n_load < 0 || (def->n_load > 0 && !def->load)) {
        return elv_check_fail(error, "statics", "loads", "the list of loads is missing");
    }
    for (int i = 0; i < def->n_load; i++) {
        if (!isfinite(def->load[i])) {
            char field[32];
            snprintf(field, sizeof field, "loads[%d]", i);
            return elv_check_fail(error, "statics", field, "loads must be finite, got %g",
                                  def->load[i]);
        }
    }
    return true;
}

static bool check_shooting(const ElvShootingDef* def, ElvError* error) {
    if (!(def->space_tol > 0.0 && def->space_tol < 1.0)) {
        return elv_check_fail(error, "statics", "space_tol",
                              "space_tol must be between 0 and 1, got %g", def->space_tol);
    }
    if ((unsigned)def->solver >= ELV_N_SHOOT_SOLVER) {
        return elv_check_fail(error, "statics", "solver", "unknown solver (%d)", (int)def->solver);
    }
    return check_count("segments", def->segments, 1, ELV_SEGMENTS_MAX, error) &&
           check_count("steps", def->steps, 0, ELV_SHOOT_STEPS_MAX, error);
}

ElvStatus elv_check_statics(const ElvStaticsDef* def, ElvError* error) {
    if ((unsigned)def->method >= ELV_N_STATICS_METHOD) {
        elv_check_fail(error, "statics", "method", "unknown method (%d)", (int)def->method);
        return ELV_ERROR_INPUT;
    }
    if (!(def->tolerance > 0.0 && def->tolerance < 1.0)) {
        elv_check_fail(error, "statics", "tolerance", "tolerance must be between 0 and 1, got %g",
                       def->tolerance);
        return ELV_ERROR_INPUT;
    }
    bool is_right =
        check_loads(def, error) &&
        check_count("max_iterations", def->max_iterations, 1, ELV_ITERATIONS_MAX, error) &&
        check_count("max_halvings", def->max_halvings, 0, ELV_HALVINGS_MAX, error) &&
        elv_check_positive("statics", "damping", def->damping, "seconds", error) &&
        elv_check_positive("statics", "gain", def->gain, "1/s", error) &&
        check_count("max_steps", def->max_steps, 1, ELV_RELAXATION_MAX, error) &&
        check_shooting(&def->shooting, error);
    return is_right ? ELV_OK : ELV_ERROR_INPUT;
}
