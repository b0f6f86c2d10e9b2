// SPDX-License-Identifier: Apache-2.0
// Inputs of a spec by name: listed with a range for a slider, read, and replaced.
//
// The suggested range holds what the law takes on from t = 0 to the end of the simulation, twice as far from
// zero as that goes; a law that stays at zero gets a range by its unit. Ranges that are known (stops of joints,
// activations) are kept.
#include "multibody/spec_input.h"

#include "law/law_set.h"
#include "multibody/spec_check.h"
#include "multibody/spec_copy.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { N_SAMPLE = 65 };

#define PI 3.14159265358979323846

// ---- finding

typedef struct {
    const char* name; // NULL: the i-th that is listed
    int i;
    bool is_found;
    ElvInputPlace place;
} Search;

static bool look(void* user, const ElvInputPlace* place) {
    Search* search = user;
    if (search->name) {
        search->is_found = strcmp(search->name, place->name) == 0;
    } else {
        search->is_found = place->is_listed && search->i-- == 0;
    }
    if (search->is_found) {
        search->place = *place;
    }
    return !search->is_found;
}

// the walk hands out places to be written to; whoever has a const spec only reads them
static ElvSpec* open_spec(const ElvSpec* spec) {
    return (ElvSpec*)spec; // NOLINT(clang-diagnostic-cast-qual)
}

static Search find(const ElvSpec* spec, const char* name, int i) {
    Search search = {.name = name, .i = i};
    elv_spec_walk_inputs(open_spec(spec), look, &search);
    return search;
}

/// The nearest name so far.
typedef struct {
    const char* wanted;
    char nearest[ELV_SIZE_INPUT];
    int n_listed;
} Nearness;

static bool compare(void* user, const ElvInputPlace* place) {
    Nearness* nearness = user;
    const char* pair[2] = {nearness->nearest, place->name};
    nearness->n_listed += place->is_listed;
    if (nearness->wanted && elv_suggest(nearness->wanted, pair, 2) == pair[1]) {
        memcpy(nearness->nearest, place->name, sizeof nearness->nearest);
    }
    return true;
}

static ElvStatus complain(const ElvSpec* spec, const char* name, ElvError* error) {
    Nearness nearness = {.wanted = name};
    elv_spec_walk_inputs(open_spec(spec), compare, &nearness);
    if (nearness.nearest[0] != '\0') {
        return elv_error_set(error, ELV_ERROR_INPUT, "", name,
                             "there is no input '%s', did you mean '%s'?", name, nearness.nearest);
    }
    return elv_error_set(
        error, ELV_ERROR_INPUT, "", name,
        "there is no input '%s'; inputs are drives of joints, as 'hinge.effort.0' where the "
        "joint has a force or a controller, actuators, as 'tendon.left.tension', and loads, as "
        "'loads[0].force.z'",
        name);
}

// ---- ranges

static double default_reach(const ElvInputPlace* place) {
    static const struct {
        const char* unit;
        double reach;
    } known[] = {{"rad", PI}, {"m", 0.1},  {"N m", 1.0}, {"N", 10.0},        {"N/m", 10.0},
                 {"Pa", 5e4}, {"Hz", 2.0}, {"m/s", 1.0}, {"rad/s", 2.0 * PI}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(known[i].unit, place->unit) == 0) {
            return known[i].reach;
        }
    }
    return 1.0;
}

// 1, 2 or 5 times a power of ten that is no less
static double round_up(double x) {
    if (!(x > 0.0) || !isfinite(x)) {
        return 1.0;
    }
    double power = pow(10.0, floor(log10(x)));
    double digit = x / power;
    return power * (digit <= 1.0 ? 1.0 : digit <= 2.0 ? 2.0 : digit <= 5.0 ? 5.0 : 10.0);
}

static void suggest_range(const ElvSpec* spec,
                          const ElvInputPlace* place,
                          const ElvLaw* law,
                          ElvInputInfo* info) {
    double s = 0.5 * (place->from + place->to);
    double least = info->value;
    double most = least;
    for (int i = 0; i < N_SAMPLE; i++) {
        double value = elv_law_value(law, spec->simulate.duration * (double)i / (N_SAMPLE - 1), s);
        least = isfinite(value) ? fmin(least, value) : least;
        most = isfinite(value) ? fmax(most, value) : most;
    }
    // angles keep to a whole turn where that is enough
    double largest = fmax(fabs(least), fabs(most));
    double reach = largest > 0.0 ? round_up(2.0 * largest) : default_reach(place);
    if (strcmp(place->unit, "rad") == 0 && largest <= PI) {
        reach = PI;
    }
    info->min = isfinite(place->least) ? fmin(place->least, least)
                : place->is_positive   ? fmin(0.0, least)
                                       : -reach;
    info->max = isfinite(place->most) ? fmax(place->most, most) : reach;
}

// ---- public

// compile the law of a place
static ElvStatus
compile_law(const ElvSpec* spec, const ElvInputPlace* place, ElvLaw** law, ElvError* error) {
    ElvPool pool = {NULL};
    ElvLawSet set = {.pool = &pool, .parameter = spec->parameter, .n_parameter = spec->n_parameter};
    const ElvLaw* compiled = NULL;
    ElvStatus status = elv_law_set_add(&set, place->law, ELV_LAW_OF_T | ELV_LAW_OF_S, place->name,
                                       "", &compiled, error);
    if (status == ELV_OK) {
        status = elv_law_copy(compiled, law, error);
    }
    elv_law_set_free(&set);
    elv_pool_free(&pool);
    return status;
}

int elv_spec_n_input(const ElvSpec* spec) {
    Nearness nearness = {.wanted = NULL};
    elv_spec_walk_inputs(open_spec(spec), compare, &nearness);
    return nearness.n_listed;
}

ElvStatus elv_spec_input(const ElvSpec* spec, int i, ElvInputInfo* info, ElvError* error) {
    Search search = find(spec, NULL, i);
    if (!search.is_found) {
        return elv_error_set(error, ELV_ERROR_INPUT, "", "", "there is no input number %d", i);
    }
    const ElvInputPlace* place = &search.place;
    ElvLaw* law = NULL;
    ElvStatus status = compile_law(spec, place, &law, error);
    if (status != ELV_OK) {
        return status;
    }
    *info = (ElvInputInfo){.kind = place->kind, .unit = place->unit, .is_motion = place->is_motion};
    memcpy(info->name, place->name, sizeof info->name);
    // whether a callback looks at the station is not known
    info->is_field = elv_law_kind(law) != ELV_LAW_CALLBACK && elv_law_depends_on_s(law);
    info->value = elv_law_value(law, 0.0, 0.5 * (place->from + place->to));
    suggest_range(spec, place, law, info);
    elv_law_free(law);
    return ELV_OK;
}

ElvStatus elv_spec_get_law(const ElvSpec* spec, const char* name, ElvLaw** law, ElvError* error) {
    *law = NULL;
    Search search = find(spec, name, 0);
    if (!search.is_found) {
        return complain(spec, name, error);
    }
    return compile_law(spec, &search.place, law, error);
}

ElvStatus elv_spec_set_law(ElvSpec* spec, const char* name, const ElvLawDef* law, ElvError* error) {
    Search search = find(spec, name, 0);
    if (!search.is_found) {
        return complain(spec, name, error);
    }
    if (!elv_check_laws(name, "", law, 1, error)) {
        return ELV_ERROR_INPUT;
    }
    ElvLawDef own = *law;
    if (!elv_law_def_own(&spec->pool, &own)) {
        return elv_error_set(error, ELV_ERROR_MEMORY, name, "", "out of memory");
    }
    *search.place.law = own;
    return ELV_OK;
}

ElvStatus
elv_spec_set_current(ElvSpec* spec, ElvCurrentCallback callback, void* user, ElvError* error) {
    if (spec->fluid.density == 0.0) {
        return elv_error_set(error, ELV_ERROR_INPUT, "fluid", "current",
                             "there is no fluid that could have a current: give the model "
                             "fluid: {density: 1000}");
    }
    spec->fluid.callback = callback;
    spec->fluid.user = user;
    return ELV_OK;
}

int elv_spec_n_parameter(const ElvSpec* spec) {
    return spec->n_parameter;
}

ElvParameter elv_spec_parameter(const ElvSpec* spec, int i) {
    assert(i >= 0 && i < spec->n_parameter);
    return spec->parameter[i];
}
