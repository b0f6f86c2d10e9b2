// SPDX-License-Identifier: Apache-2.0
// Checks of loads, parameters, and of what to simulate and record. Loads have no names: errors name
// them by their place, counted from 0.
#include "multibody/spec_check.h"

#include <stdio.h>
#include <string.h>

static bool check_axes(const char* element, ElvAxes axes, ElvError* error) {
    if ((unsigned)axes > ELV_AXES_LOCAL) {
        return elv_check_fail(error, element, "frame", "unknown axes of a load (%d)", (int)axes);
    }
    return true;
}

ElvStatus elv_check_wrench(const ElvSpec* spec, const ElvWrenchDef* def, ElvError* error) {
    char place[32];
    snprintf(place, sizeof place, "loads[%d]", spec->n_load);
    bool is_right = elv_check_reference(place, "at", def->at, error) &&
                    check_axes(place, def->axes, error) &&
                    elv_check_laws(place, "wrench", def->wrench, 6, error) &&
                    elv_check_laws(place, "while", &def->when, 1, error);
    return is_right ? ELV_OK : ELV_ERROR_INPUT;
}

ElvStatus
elv_check_distributed(const ElvSpec* spec, const ElvDistributedDef* def, ElvError* error) {
    char place[32];
    snprintf(place, sizeof place, "loads[%d]", spec->n_load);
    bool is_right = elv_check_reference(place, "rod", def->rod, error) &&
                    elv_check_range(place, "", def->from, def->to, error) &&
                    check_axes(place, def->axes, error) &&
                    elv_check_laws(place, "distributed", def->wrench, 6, error) &&
                    elv_check_laws(place, "while", &def->when, 1, error);
    return is_right ? ELV_OK : ELV_ERROR_INPUT;
}

ElvStatus elv_check_gravity(ElvVec3 gravity, ElvError* error) {
    return elv_check_vec3("", "gravity", gravity, error) ? ELV_OK : ELV_ERROR_INPUT;
}

static bool check_tolerance(const char* field, double value, ElvError* error) {
    if (!(value > 0.0 && value < 1.0)) {
        return elv_check_fail(error, "simulate", field, "%s must be between 0 and 1, got %g", field,
                              value);
    }
    return true;
}

static bool check_interval(
    const char* field, double value, double lo, double hi, const char* what, ElvError* error) {
    if (!(value >= lo && value <= hi)) {
        return elv_check_fail(error, "simulate", field, "%s must be from %g to %g, got %g; %s",
                              field, lo, hi, value, what);
    }
    return true;
}

static bool check_count(const char* field, int value, int lo, int hi, ElvError* error) {
    if (value < lo || value > hi) {
        return elv_check_fail(error, "simulate", field, "%s must be from %d to %d, got %d", field,
                              lo, hi, value);
    }
    return true;
}

// parameters of the implicit formulas
static bool check_scheme(const ElvSimulateDef* def, ElvError* error) {
    if (!elv_check_positive("simulate", "beta", def->beta, "1/4 is the default", error)) {
        return false;
    }
    if (!(def->gamma >= 0.5 && def->gamma <= 1.5)) {
        return elv_check_fail(error, "simulate", "gamma",
                              "gamma must be from 0.5 to 1.5, got %g; below 0.5 every motion "
                              "would grow without bound, above it damps and is of order 1",
                              def->gamma);
    }
    return check_interval("alpha", def->alpha, 0.0, 1.0 / 3.0, "0 is Newmark without damping",
                          error) &&
           check_interval("spectral_radius", def->spectral_radius, 0.0, 1.0,
                          "1 keeps the highest frequencies, 0 removes them in one step", error);
}

static bool check_newton(const ElvSimulateDef* def, ElvError* error) {
    return check_tolerance("newton_tol", def->newton_tol, error) &&
           check_count("max_iterations", def->max_iterations, 1, ELV_ITERATIONS_MAX, error) &&
           check_count("max_halvings", def->max_halvings, 0, ELV_HALVINGS_MAX, error);
}

static bool check_choice(const char* field, unsigned value, unsigned n, ElvError* error) {
    return value < n ||
           elv_check_fail(error, "simulate", field, "unknown choice of %s (%u)", field, value);
}

static bool check_finite(const ElvFiniteDef* def, ElvError* error) {
    return check_count("nodes", def->nodes, 2, ELV_FINITE_NODES_MAX, error) &&
           check_count("time", def->order, 1, 2, error) &&
           check_choice("space", (unsigned)def->space, ELV_N_RUNGE, error) &&
           check_choice("interpolation", (unsigned)def->interpolation, ELV_N_HISTORY, error) &&
           check_choice("rebuild", (unsigned)def->program.rebuild, ELV_REBUILD_LAGGED + 1, error);
}

static bool check_shooting(const ElvSimulateDef* def, ElvError* error) {
    bool is_scheme = def->scheme == ELV_METHOD_NEWMARK || def->scheme == ELV_METHOD_HHT ||
                     def->scheme == ELV_METHOD_GENERALIZED_ALPHA;
    if (!is_scheme) {
        return elv_check_fail(error, "simulate", "scheme",
                              "the scheme of shooting is newmark, hht or generalized-alpha");
    }
    return check_count("segments", def->shooting.segments, 1, ELV_SEGMENTS_MAX, error) &&
           check_count("steps", def->shooting.steps, 0, ELV_SHOOT_STEPS_MAX, error) &&
           check_choice("solver", (unsigned)def->shooting.solver, ELV_N_SHOOT_SOLVER, error);
}

ElvStatus elv_check_simulate(const ElvSimulateDef* def, ElvError* error) {
    if ((unsigned)def->method >= ELV_N_METHOD) {
        elv_check_fail(error, "simulate", "method", "unknown method (%d)", (int)def->method);
        return ELV_ERROR_INPUT;
    }
    bool is_limit = def->method == ELV_METHOD_EXPLICIT || def->method == ELV_METHOD_CONNECTION;
    const char* unit = is_limit ? "seconds; 0 sets no limit" : "seconds; 0 is the default, 0.01 s";
    if (!elv_check_positive("simulate", "duration", def->duration, "seconds", error) ||
        !elv_check_not_negative("simulate", "step", &def->step, 1, unit, error) ||
        !check_tolerance("rel_tol", def->rel_tol, error) ||
        !check_tolerance("abs_tol", def->abs_tol, error) ||
        !check_count("order", def->order, 2, 8, error) || !check_scheme(def, error) ||
        !check_newton(def, error) || !check_finite(&def->finite, error) ||
        !check_choice("connection", (unsigned)def->connection, ELV_N_CONNECTION, error) ||
        !check_shooting(def, error)) {
        return ELV_ERROR_INPUT;
    }
    if (def->max_steps < 0) {
        elv_check_fail(error, "simulate", "max_steps",
                       "max_steps must not be negative, got %ld; 0 sets no limit", def->max_steps);
        return ELV_ERROR_INPUT;
    }
    return ELV_OK;
}

ElvStatus elv_check_record(const ElvRecordDef* def, ElvError* error) {
    if (!elv_check_positive("record", "every", def->every, "seconds", error)) {
        return ELV_ERROR_INPUT;
    }
    if (def->n_signal < 0 || (def->n_signal > 0 && !def->signal)) {
        elv_check_fail(error, "record", "signals", "the list of signals is missing");
        return ELV_ERROR_INPUT;
    }
    for (int i = 0; i < def->n_signal; i++) {
        char field[32];
        snprintf(field, sizeof field, "signals[%d]", i);
        if (!elv_check_reference("record", field, def->signal[i], error)) {
            return ELV_ERROR_INPUT;
        }
    }
    return ELV_OK;
}

// names of formulas: letters, digits and '_'
static bool is_formula_name(const char* name) {
    bool is_right = name[0] != '\0' && !(name[0] >= '0' && name[0] <= '9');
    for (const char* c = name; *c; c++) {
        bool is_letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || *c == '_';
        is_right = is_right && (is_letter || (*c >= '0' && *c <= '9'));
    }
    return is_right;
}

ElvStatus elv_check_parameter(const char* name, double value, ElvError* error) {
    const char* field = name ? name : "";
    if (!is_formula_name(field)) {
        elv_check_fail(error, "parameters", field,
                       "'%s' cannot be the name of a parameter: use letters, digits and '_', "
                       "starting with a letter or '_'",
                       field);
        return ELV_ERROR_INPUT;
    }
    if (strcmp(field, "t") == 0 || strcmp(field, "s") == 0) {
        elv_check_fail(error, "parameters", field,
                       "the parameter '%s' would hide the %s of formulas: rename it", field,
                       field[0] == 't' ? "time" : "arc length");
        return ELV_ERROR_INPUT;
    }
    return elv_check_finite("parameters", field, &value, 1, error) ? ELV_OK : ELV_ERROR_INPUT;
}
