// SPDX-License-Identifier: Apache-2.0
// Checks of the imposed strains of rods: what else is said of a strain must leave room for its motion.
#include "multibody/spec_check.h"

#include <stdio.h>

enum { FIELD_SIZE = 64 };

bool elv_check_has_free_modes(const ElvRodDef* def) {
    for (int k = 0; k < def->n_element && def->element; k++) {
        for (int i = 0; i < ELV_N_STRAIN; i++) {
            if (def->element[k].modes[i] > 0 && !def->has_motion[i]) {
                return true;
            }
        }
    }
    return false;
}

bool elv_check_is_imposed(const ElvRodDef* def) {
    for (int i = 0; i < ELV_N_STRAIN; i++) {
        if (def->has_motion[i]) {
            return true;
        }
    }
    return false;
}

// what begins as a law says must not be given a beginning
static bool fail_twice(const ElvRodDef* def, const char* key, const char* name, ElvError* error) {
    char field[FIELD_SIZE];
    snprintf(field, sizeof field, "%s.%s", key, name);
    return elv_check_fail(
        error, def->name, field,
        "%s of rod '%s' is imposed by 'motion' from the beginning: leave '%s' out", name, def->name,
        key);
}

bool elv_check_volume(const ElvRodDef* def, ElvError* error) {
    if (def->keeps_volume && def->space != ELV_SPACE_QUADRATURE) {
        return elv_check_fail(error, def->name, "volume",
                              "rods that keep their volume need 'space: quadrature'");
    }
    bool has_added = def->fluid.added_mass != 0.0 || def->fluid.is_slender;
    for (int i = 0; i < 6; i++) {
        has_added = has_added || def->added_inertia[i] != 0.0;
    }
    if (def->keeps_volume && has_added) {
        return elv_check_fail(error, def->name, "volume",
                              "added inertia does not follow the section of '%s': give one of "
                              "'volume' and added inertia",
                              def->name);
    }
    return true;
}

bool elv_check_motion(const ElvRodDef* def, ElvError* error) {
    for (int i = 0; i < ELV_N_STRAIN; i++) {
        char field[FIELD_SIZE];
        const char* name = elv_strain_name((ElvStrain)i);
        const ElvLawDef* rate = &def->initial_rate[i];
        snprintf(field, sizeof field, "motion.%s", name);
        if (!elv_check_laws(def->name, field, &def->motion[i], 1, error)) {
            return false;
        }
        if (!def->has_motion[i]) {
            continue;
        }
        if (def->has_initial[i]) {
            return fail_twice(def, "initial", name, error);
        }
        if (rate->kind != ELV_LAW_CONSTANT || rate->value != 0.0) {
            return fail_twice(def, "initial_rate", name, error);
        }
        // a collapsed rod: the strain is meant, not the elongation
        const ElvLawDef* law = &def->motion[i];
        if (i == ELV_STRAIN_STRETCH && law->kind == ELV_LAW_CONSTANT && !(law->value > 0.0)) {
            return elv_check_fail(
                error, def->name, field,
                "the imposed stretch of rod '%s' must be above 0, got %g: it is 1 "
                "where the rod is not stretched",
                def->name, law->value);
        }
    }
    return true;
}
