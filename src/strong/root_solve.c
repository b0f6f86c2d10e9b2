// SPDX-License-Identifier: Apache-2.0
// Two ways to make Newton's method global for r(x) = 0, on phi = |r|^2 / 2.
//     Levenberg-Marquardt: (J^T J + sigma 1) d = -J^T r, sigma 0 as long as Newton's step lowers phi [OCP (73)]
//     dogleg: within a radius, along the steepest descent to its minimum, then towards Newton's step
// Where the problem changes little from search to search, the factors of an old Jacobian come first. Where phi leads into
// a narrow valley and neither way gets on, Newton's steps are cut until the step that they leave is shorter, whatever
// phi does: that test knows no units (Deuflhard's natural monotonicity).
#include "strong/root_solve.h"

#include <math.h>
#include <string.h>

// fall of phi that a step must bring, relative to what the linear model promises
static const double MIN_FALL = 1e-4;
// a step so small that rounding alone is left
static const double MIN_STEP = 1e-11;
static const double MAX_SIGMA = 1e16;
// fall of |r| that the steps of an old Jacobian must bring, to be worth more than a new one
static const double MIN_RATE = 0.2;
// such steps end below this fraction of the tolerance, as the last step of Newton's method does
static const double OLD_TOL = 0.1;
// a search that stalls with steps this small has met rounding: other steps do not help
static const double ROUNDING_STEP = 1e-8;
// least fraction of Newton's step
static const double MIN_FRACTION = 1e-6;

typedef struct {
    const ElvRootProblem* problem;
    const ElvRootOptions* options;
    ElvRootWork* work;
    ElvRootReport report;
    double phi;
    double sigma;    // Levenberg-Marquardt
    double radius;   // dogleg; 0: not chosen yet
    double fraction; // of Newton's step that may be good next; 0: not known
    bool has_newton; // work->newton is one
} Search;

// ---- pieces

static double dot(int n, const double* a, const double* b) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

static double largest(int n, const double* a) {
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(a[i]));
    }
    return most;
}

// residual of the trial point, in work->trial; infinite where there is none, or no time for it
static double try_point(Search* s) {
    if (elv_brake_ask(s->options->brake)) {
        return INFINITY;
    }
    s->report.n_residual++;
    if (!s->problem->residual(s->problem->user, s->work->trial)) {
        return INFINITY;
    }
    double phi = 0.5 * dot(s->problem->n, s->work->trial, s->work->trial);
    return isfinite(phi) ? phi : INFINITY;
}

static bool is_stopped(const Search* s) {
    return elv_brake_is_on(s->options->brake);
}

static void take_point(Search* s, double phi) {
    size_t n = (size_t)s->problem->n;
    s->problem->accept(s->problem->user);
    memcpy(s->work->r, s->work->trial, n * sizeof *s->work->r);
    s->phi = phi;
    s->report.norm = s->problem->norm(s->problem->user, s->work->r);
}

// Jacobian, gradient and, if there is one, Newton's step at the accepted point
static bool linearize(Search* s) {
    ElvRootWork* w = s->work;
    int n = s->problem->n;
    elv_band_clear(&w->J);
    s->report.n_jacobian++;
    if (!s->problem->jacobian(s->problem->user, &w->J)) {
        return false;
    }
    elv_band_apply_transpose(&w->J, w->r, w->gradient);
    size_t size = elv_band_size(n, w->J.below, w->J.above);
    memcpy(w->factor.a, w->J.a, size * sizeof *w->J.a);
    s->report.i_singular = elv_band_factor(&w->factor, w->pivot);
    s->has_newton = w->has_factor = s->report.i_singular < 0;
    for (int i = 0; i < n; i++) {
        w->newton[i] = -w->r[i];
    }
    if (s->has_newton) {
        elv_band_solve(&w->factor, w->pivot, w->newton);
        s->has_newton = isfinite(dot(n, w->newton, w->newton));
    }
    return isfinite(dot(n, w->gradient, w->gradient));
}

// fall of phi that the linear model promises for work->step
static double promise(const Search* s) {
    const ElvRootWork* w = s->work;
    int n = s->problem->n;
    elv_band_apply(&w->J, w->step, w->product);
    return -dot(n, w->gradient, w->step) - 0.5 * dot(n, w->product, w->product);
}

// ---- Levenberg-Marquardt

// of J^T J
static double largest_diagonal(const ElvBand* J) {
    double most = 0.0;
    for (int j = 0; j < J->n; j++) {
        int first = j - J->above > 0 ? j - J->above : 0;
        int last = j + J->below < J->n - 1 ? j + J->below : J->n - 1;
        double sum = 0.0;
        for (int i = first; i <= last; i++) {
            double a = *elv_band_at(J, i, j);
            sum += a * a;
        }
        most = fmax(most, sum);
    }
    return most;
}

// the step for sigma; false: there is none
static bool damped_step(Search* s) {
    ElvRootWork* w = s->work;
    int n = s->problem->n;
    if (s->sigma == 0.0) {
        memcpy(w->step, w->newton, (size_t)n * sizeof *w->step);
        return s->has_newton;
    }
    elv_band_normal(&w->J, s->sigma, &w->normal);
    if (elv_band_factor(&w->normal, w->normal_pivot) >= 0) {
        return false;
    }
    for (int i = 0; i < n; i++) {
        w->step[i] = -w->gradient[i];
    }
    elv_band_solve(&w->normal, w->normal_pivot, w->step);
    return isfinite(dot(n, w->step, w->step));
}

static bool lower_by_damping(Search* s) {
    double unit = largest_diagonal(&s->work->J);
    // nothing can be damped where nothing answers, or beyond what numbers hold
    if (!(unit > 0.0 && isfinite(unit))) {
        return false;
    }
    while (s->sigma <= MAX_SIGMA * unit && !is_stopped(s)) {
        if (damped_step(s)) {
            s->report.step = largest(s->problem->n, s->work->step);
            s->problem->move(s->problem->user, s->work->step);
            double phi = try_point(s);
            if (phi < s->phi - MIN_FALL * promise(s)) {
                take_point(s, phi);
                s->sigma = s->sigma > 1e-6 * unit ? 0.1 * s->sigma : 0.0;
                return true;
            }
            if (s->report.step <= MIN_STEP) {
                return false;
            }
        }
        s->sigma = fmax(4.0 * s->sigma, 1e-6 * unit);
    }
    return false;
}

// ---- dogleg

static void dogleg_step(Search* s) {
    ElvRootWork* w = s->work;
    int n = s->problem->n;
    // the minimum along the gradient
    elv_band_apply(&w->J, w->gradient, w->product);
    double g2 = dot(n, w->gradient, w->gradient);
    double cauchy = g2 / fmax(dot(n, w->product, w->product), 1e-300);
    double reach = cauchy * sqrt(g2);
    if (!s->has_newton || reach >= s->radius) {
        double factor = reach >= s->radius ? s->radius / sqrt(g2) : cauchy;
        for (int i = 0; i < n; i++) {
            w->step[i] = -factor * w->gradient[i];
        }
        return;
    }
    // from there towards Newton's step, as far as the radius goes
    double a = 0.0, b = 0.0;
    for (int i = 0; i < n; i++) {
        double d = w->newton[i] + cauchy * w->gradient[i];
        a += d * d;
        b -= d * cauchy * w->gradient[i];
    }
    double c = reach * reach - s->radius * s->radius;
    double t = a > 0.0 ? (-b + sqrt(fmax(b * b - a * c, 0.0))) / a : 1.0;
    t = fmin(t, 1.0);
    for (int i = 0; i < n; i++) {
        double start = -cauchy * w->gradient[i];
        w->step[i] = start + t * (w->newton[i] - start);
    }
}

static bool lower_by_dogleg(Search* s) {
    ElvRootWork* w = s->work;
    int n = s->problem->n;
    double full = s->has_newton ? sqrt(dot(n, w->newton, w->newton)) : 1.0;
    if (s->radius == 0.0) {
        s->radius = full;
    }
    for (;;) {
        if (s->has_newton && full <= s->radius) {
            memcpy(w->step, w->newton, (size_t)n * sizeof *w->step);
        } else {
            dogleg_step(s);
        }
        s->report.step = largest(n, w->step);
        double length = sqrt(dot(n, w->step, w->step));
        double promised = promise(s);
        s->problem->move(s->problem->user, w->step);
        double phi = try_point(s);
        double ratio = promised > 0.0 ? (s->phi - phi) / promised : -1.0;
        if (ratio < 0.25) {
            s->radius = 0.25 * fmin(length, s->radius);
        } else if (ratio > 0.75 && length > 0.9 * s->radius) {
            s->radius *= 2.0;
        }
        if (phi < s->phi && ratio > MIN_FALL) {
            take_point(s, phi);
            return true;
        }
        if (!(s->report.step > MIN_STEP) || is_stopped(s)) {
            return false;
        }
    }
}

// ---- Newton's steps, cut

// a fraction of Newton's step such that the one behind it, with the same factors, is shorter
static bool shorten_newton(Search* s) {
    ElvRootWork* w = s->work;
    int n = s->problem->n;
    double full = s->has_newton ? sqrt(dot(n, w->newton, w->newton)) : INFINITY;
    double fraction = s->fraction > 0.0 ? s->fraction : 1.0;
    while (isfinite(full) && fraction > MIN_FRACTION && !is_stopped(s)) {
        for (int i = 0; i < n; i++) {
            w->step[i] = fraction * w->newton[i];
        }
        s->report.step = largest(n, w->step);
        s->problem->move(s->problem->user, w->step);
        double phi = try_point(s);
        for (int i = 0; i < n; i++) {
            w->product[i] = -w->trial[i];
        }
        double left = INFINITY;
        if (isfinite(phi)) {
            elv_band_solve(&w->factor, w->pivot, w->product);
            left = sqrt(dot(n, w->product, w->product));
        }
        if (left <= (1.0 - 0.25 * fraction) * full) {
            // what a straight way would have left tells how far the next step may go
            for (int i = 0; i < n; i++) {
                w->product[i] -= (1.0 - fraction) * w->newton[i];
            }
            double bent = sqrt(dot(n, w->product, w->product));
            double reach = 0.5 * fraction * fraction * full;
            s->fraction = bent > reach ? reach / bent : 1.0;
            take_point(s, phi);
            return true;
        }
        fraction *= 0.5;
    }
    return false;
}

// ---- an old Jacobian

// steps with old factors, as long as they make the residual fall fast
static void follow_factors(Search* s) {
    ElvRootWork* w = s->work;
    int n = s->problem->n;
    bool is_fast = true;
    while (is_fast && !(s->report.norm <= OLD_TOL * s->options->tol)) {
        for (int i = 0; i < n; i++) {
            w->step[i] = -w->r[i];
        }
        elv_band_solve(&w->factor, w->pivot, w->step);
        s->problem->move(s->problem->user, w->step);
        double phi = try_point(s);
        if (!(phi < s->phi)) {
            return;
        }
        is_fast = phi <= MIN_RATE * MIN_RATE * s->phi;
        s->report.n_iteration++;
        s->report.step = largest(n, w->step);
        take_point(s, phi);
    }
}

// ---- the search

// one step after the other until the residual is small
static void iterate(Search* s, bool (*lower)(Search* s)) {
    int n_before = s->report.n_iteration;
    while (!(s->report.norm <= s->options->tol)) {
        s->report.end = ELV_ROOT_LIMIT;
        if (s->report.n_iteration - n_before >= s->options->max_iterations) {
            return;
        }
        s->report.n_iteration++;
        if (!linearize(s)) {
            s->report.end = ELV_ROOT_LOST;
            return;
        }
        if (!lower(s)) {
            s->report.end = s->has_newton ? ELV_ROOT_STALLED : ELV_ROOT_SINGULAR;
            return;
        }
    }
    s->report.end = ELV_ROOT_FOUND;
}

ElvRootReport
elv_root_solve(const ElvRootProblem* problem, const ElvRootOptions* options, ElvRootWork* work) {
    Search s = {.problem = problem, .options = options, .work = work};
    s.report.i_singular = -1;
    s.report.end = ELV_ROOT_LOST;
    s.report.norm = INFINITY;
    double phi = try_point(&s);
    if (!isfinite(phi)) {
        s.report.end = is_stopped(&s) ? ELV_ROOT_STOPPED : ELV_ROOT_LOST;
        return s.report;
    }
    take_point(&s, phi);
    if (options->keeps_jacobian && work->has_factor) {
        follow_factors(&s);
    }
    iterate(&s, options->is_dogleg ? lower_by_dogleg : lower_by_damping);
    ElvRootReport first = s.report;
    bool is_stuck = first.end == ELV_ROOT_LIMIT ||
                    (first.end == ELV_ROOT_STALLED && first.step > ROUNDING_STEP);
    if (is_stuck && !is_stopped(&s)) {
        iterate(&s, shorten_newton);
    }
    // of two failures the first one is told
    if (is_stuck && s.report.end != ELV_ROOT_FOUND) {
        s.report.end = first.end;
        s.report.step = first.step;
    }
    if (is_stopped(&s)) {
        s.report.end = ELV_ROOT_STOPPED;
    }
    return s.report;
}
