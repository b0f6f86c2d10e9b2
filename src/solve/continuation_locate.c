// SPDX-License-Identifier: Apache-2.0
// Critical places of a path: where an eigenvalue of the tangent stiffness changes its sign (loads with a
// potential), or its determinant does (loads without). Found by regula falsi along the path. The load
// turns round at a limit point: the path's tangent there has no part along it. At a bifurcation another
// path leaves in the direction of the null vector; it is met in the plane at some distance along it.
#include "solve/continuation.h"

#include <math.h>
#include <string.h>

/// Change of the place, relative to the step, at which the search ends.
static const double LOCATED = 1e-11;

/// Share of the load in the tangent, against that of the ends, below which a place is a limit point.
static const double LEVEL = 1e-3;

enum { MAX_SEARCH = 60, MAX_SWITCH = 10 };

// what changes its sign: the i-th eigenvalue, or (i < 0) the determinant, against that of c->here
static double test_value(ElvContinuation* c, ElvPlace* place, int i) {
    bool is_regular = true;
    if (i >= 0 || c->model->is_constrained) {
        elv_continuation_spectrum(c, place);
    } else {
        is_regular = elv_continuation_tangent(c, place);
    }
    if (i >= 0) {
        return i < c->n_counted ? c->pencil.value[i] : NAN;
    }
    double size = exp(fmin(place->log_det - c->here.log_det, 600.0));
    return is_regular ? place->sign * size : 0.0;
}

// The place at *s of the path, into c->found. Where the tangent stiffness is singular to the last bit, or rounding
// drives Newton away along the null vector, one beside it, as near as may be, with *s
static bool probe(ElvContinuation* c, double length, double* s) {
    static const double beside[] = {0.0, -1.0, 1.0, -16.0, 16.0, -1e3, 1e3, -3e4, 3e4, -1e6, 1e6};
    double at = *s;
    for (size_t i = 0; i < sizeof beside / sizeof beside[0]; i++) {
        double off = 0.0;
        *s = at + beside[i] * LOCATED * length;
        if (elv_continuation_step(c, &c->here, *s, &c->found, &off) > 0) {
            return true;
        }
    }
    return false;
}

// the zero between c->here and a place length away, left in c->found; false when it is not found
static bool search(ElvContinuation* c, int i_value, double length, double f_low, double f_high) {
    double low = 0.0;
    double high = length;
    double past = NAN;
    int side = 0;
    for (int i = 0; i < MAX_SEARCH; i++) {
        double s = high - f_high * (high - low) / (f_high - f_low);
        // every now and then by halves
        s = i % 8 == 7 || !(s > low && s < high) ? 0.5 * (low + high) : s;
        double wanted = s;
        if (!probe(c, length, &s)) {
            return false;
        }
        double f = test_value(c, &c->found, i_value);
        if (!isfinite(f)) {
            return false;
        }
        bool is_beside = fabs(s - wanted) > 20.0 * LOCATED * length;
        if (f == 0.0 || fabs(s - past) <= LOCATED * length || high - low <= LOCATED * length ||
            is_beside) {
            return true;
        }
        past = s;
        // an end that stays twice counts half (Illinois)
        if ((f < 0.0) == (f_high < 0.0)) {
            high = s;
            f_high = f;
            f_low *= side > 0 ? 0.5 : 1.0;
            side = 1;
        } else {
            low = s;
            f_low = f;
            f_high *= side < 0 ? 0.5 : 1.0;
            side = -1;
        }
    }
    return true;
}

// the null vector at c->found
static void find_null(ElvContinuation* c, int i_value) {
    elv_continuation_spectrum(c, &c->found);
    elv_continuation_null(c, i_value < c->n_counted ? i_value : -1, &c->here);
}

// a limit point, if the load turns round in the step and the path is level where it is singular: rounding along
// the null vector may make it seem so at a bifurcation
static ElvContinuationKind classify(ElvContinuation* c) {
    bool has_turned = (c->here.tangent_t < 0.0) != (c->there.tangent_t < 0.0);
    double steepest = fmax(fabs(c->here.tangent_t), fabs(c->there.tangent_t));
    if (has_turned && elv_continuation_tangent(c, &c->found)) {
        has_turned = fabs(c->found.tangent_t) <= LEVEL * steepest;
    }
    return has_turned ? ELV_POINT_LIMIT : ELV_POINT_BIFURCATION;
}

// Newton at some distance along the null vector; the distance, or 0
static double reach_branch(ElvContinuation* c) {
    ElvProblem* problem = &c->problem;
    double distance = 0.5 * c->options.max_step;
    for (int i = 0; i < MAX_SWITCH; i++, distance *= 0.5) {
        const ElvPlane plane = {c->null_vector, 0.0, distance};
        elv_continuation_chart(c, &c->found);
        for (int k = 0; k < c->n; k++) {
            problem->nu[k] = distance * c->null_vector[k];
        }
        if (elv_continuation_correct(c, &plane) > 0) {
            return distance;
        }
    }
    return 0.0;
}

// the first place on the path that leaves c->found along the null vector, into c->here
static bool switch_branch(ElvContinuation* c) {
    ElvProblem* problem = &c->problem;
    int n = c->n;
    double unit = sqrt(elv_continuation_product(c, c->null_vector, c->null_vector));
    for (int i = 0; i < n; i++) {
        c->null_vector[i] *= c->options.branch / unit;
    }
    double distance = reach_branch(c);
    // constraints that are redundant here may not be so there
    elv_continuation_pin(c, -1);
    distance = distance > 0.0 ? distance : reach_branch(c);
    if (distance == 0.0) {
        return false;
    }
    elv_continuation_take(c, &c->here);
    c->here.length = c->found.length + distance;
    memcpy(problem->trial, problem->nu, (size_t)n * sizeof(double));
    double dt = c->here.state->t - c->found.state->t;
    if (!elv_continuation_tangent(c, &c->here)) {
        return false;
    }
    // away from the bifurcation
    double ahead = elv_continuation_product(c, c->here.tangent, problem->trial) +
                   c->here.tangent_t * dt / (c->range * c->range);
    for (int i = 0; i < n && ahead < 0.0; i++) {
        c->here.tangent[i] = -c->here.tangent[i];
    }
    c->here.tangent_t = ahead < 0.0 ? -c->here.tangent_t : c->here.tangent_t;
    c->n_neutral = -1;
    elv_continuation_spectrum(c, &c->here);
    c->report.has_branched = true;
    c->step = distance;
    return true;
}

ElvStatus elv_continuation_record(ElvContinuation* c,
                                  const ElvPlace* place,
                                  ElvContinuationKind kind,
                                  ElvError* error) {
    ElvContinuationReport* report = &c->report;
    const ElvState* state = place->state;
    bool is_first = report->n_point++ == 0;
    report->n_limit += kind == ELV_POINT_LIMIT ? 1 : 0;
    report->n_bifurcation += kind == ELV_POINT_BIFURCATION ? 1 : 0;
    report->load_first = is_first ? state->t : report->load_first;
    report->load_last = state->t;
    report->load_min = is_first ? state->t : fmin(report->load_min, state->t);
    report->load_max = is_first ? state->t : fmax(report->load_max, state->t);
    if (!c->options.record) {
        return ELV_OK;
    }
    ElvContinuationPoint point = {.kind = kind,
                                  .is_branch = report->has_branched,
                                  .length = place->length,
                                  .eigenvalue = place->eigenvalue,
                                  .n_negative = place->n_negative,
                                  .null_vector = kind == ELV_POINT_REGULAR ? NULL : c->shape};
    elv_idm(c->model, c->problem.data, state, c->problem.trial);
    if (!c->options.record(c->options.user, c->model, c->problem.data, state, &point)) {
        return elv_error_set(error, ELV_ERROR_CANCELLED, "", "",
                             "stopped by the caller at load %.9g", state->t);
    }
    return ELV_OK;
}

// one critical place
static ElvStatus locate_one(ElvContinuation* c,
                            int i_value,
                            double length,
                            double f_low,
                            double f_high,
                            bool* has_switched,
                            ElvError* error) {
    if (!search(c, i_value, length, f_low, f_high)) {
        return ELV_OK;
    }
    ElvContinuationKind kind = classify(c);
    find_null(c, i_value);
    ElvStatus status = elv_continuation_record(c, &c->found, kind, error);
    bool is_wanted = kind == ELV_POINT_BIFURCATION && c->options.branch != 0 &&
                     !c->report.has_branched && c->report.n_bifurcation == c->options.branch_at;
    if (status == ELV_OK && is_wanted) {
        *has_switched = switch_branch(c);
        if (!*has_switched) {
            return elv_error_set(error, ELV_ERROR_NUMERIC, "", "",
                                 "no other path was found at the bifurcation at load %.9g",
                                 c->found.state->t);
        }
    }
    return status;
}

ElvStatus
elv_continuation_locate(ElvContinuation* c, double length, bool* has_switched, ElvError* error) {
    int before = c->here.n_negative;
    int after = c->there.n_negative;
    ElvStatus status = ELV_OK;
    *has_switched = false;
    // what is neutral at both ends is so between
    c->n_neutral = c->here.n_neutral < c->there.n_neutral ? c->here.n_neutral : c->there.n_neutral;
    if (before < 0 || after < 0) {
        if (c->here.sign * c->there.sign < 0) {
            double f = exp(fmin(c->there.log_det - c->here.log_det, 600.0));
            status =
                locate_one(c, -1, length, c->here.sign, c->there.sign * f, has_switched, error);
        }
        c->n_neutral = -1;
        return status;
    }
    // the lowest first when they sink, the highest first when they rise: in the order of the path
    int change = after > before ? 1 : -1;
    for (int k = before; k != after && status == ELV_OK && !*has_switched; k += change) {
        int i_value = change > 0 ? k : k - 1;
        double f_low = test_value(c, &c->here, i_value);
        double f_high = test_value(c, &c->there, i_value);
        if (isfinite(f_low) && isfinite(f_high) && (f_low < 0.0) != (f_high < 0.0)) {
            status = locate_one(c, i_value, length, f_low, f_high, has_switched, error);
        }
    }
    c->n_neutral = -1;
    return status;
}
