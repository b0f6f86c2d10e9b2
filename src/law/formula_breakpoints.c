// SPDX-License-Identifier: Apache-2.0
// Breakpoints of formulas. A switch is a key that takes another value when it switches: the sign
// of left - right, or the whole number of times that left holds right. Affine switches are solved;
// a root at which rounding keeps the sides apart is moved to the very number at which the evaluated
// key changes. The others are sampled and bisected to the last bit. The number of points and the work are both bounded.
#include "law/formula_switch.h"
#include "law/jet.h"

#include <float.h>
#include <math.h>

enum {
    N_POINT = ELV_MAX_BREAKPOINT, // most points kept
    N_SAMPLE = 2048,              // intervals of the sampled range
    N_BISECT = 128,               // halvings that reach neighbouring numbers
    N_TURN = 40,                  // halvings towards an extremum
    N_WIDEN = 16,                 // widenings of the bracket about a solved root
    N_WORK = 1 << 24              // instructions evaluated in all
};

typedef struct {
    double x;
    bool is_exact; // solved, not sampled
} Point;

typedef struct {
    ElvSwitch sw;
    ElvVariable variable;
    double lo, hi;
    long work; // instructions left
    size_t n_point;
    Point points[N_POINT];
} Finder;

// the key at x, with the rate of left - right or of left/right
typedef struct {
    double x, key, rate;
} Sample;

static bool is_spent(const Finder* f) {
    return f->work <= 0 || f->n_point >= N_POINT;
}

static void add_point(Finder* f, double x, bool is_exact) {
    if (x >= f->lo && x <= f->hi && f->n_point < N_POINT) {
        // adding zero turns -0 into 0
        f->points[f->n_point].x = x + 0.0;
        f->points[f->n_point].is_exact = is_exact;
        f->n_point++;
    }
}

static Sample sample_at(Finder* f, double x) {
    ElvJet left;
    ElvJet right;
    elv_switch_eval(&f->sw, f->variable, x, &left, &right);
    f->work -= (long)elv_switch_cost(&f->sw);
    Sample sample = {x, 0.0, 0.0};
    if (f->sw.kind == ELV_SWITCH_SIGN) {
        ElvJet gap = elv_jet_sub(left, right);
        sample.key = elv_jet_sign(gap).v;
        sample.rate = gap.d;
    } else {
        sample.key = elv_floor_quotient(left.v, right.v);
        sample.rate = elv_jet_div(left, right).d;
    }
    return sample;
}

// first number after low whose key is not that of low; high is one such
static Sample bisect(Finder* f, Sample low, Sample high) {
    for (int i = 0; i < N_BISECT; i++) {
        double middle = low.x + 0.5 * (high.x - low.x);
        if (!(middle > low.x && middle < high.x)) {
            break;
        }
        Sample sample = sample_at(f, middle);
        if (sample.key == low.key) {
            low = sample;
        } else {
            high = sample;
        }
    }
    return high;
}

// every change of key from low to high, each taken to be a staircase
static void add_changes(Finder* f, Sample low, Sample high) {
    while (low.key != high.key && !isnan(low.key) && !isnan(high.key) && !is_spent(f)) {
        low = bisect(f, low, high);
        add_point(f, low.x, false);
    }
}

// where the key differs near an extremum between two samples of the same key, else low
static Sample find_turn(Finder* f, Sample low, Sample high) {
    Sample start = low;
    bool is_away = f->sw.kind == ELV_SWITCH_SIGN && low.key * low.rate >= 0.0;
    if (is_away || !(low.rate * high.rate < 0.0)) {
        return start;
    }
    for (int i = 0; i < N_TURN; i++) {
        Sample middle = sample_at(f, low.x + 0.5 * (high.x - low.x));
        if (middle.key != start.key) {
            return middle;
        }
        if ((middle.rate > 0.0) == (low.rate > 0.0)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return start;
}

// whether the two sides meet exactly at x
static bool is_hit(Finder* f, double x) {
    ElvJet left;
    ElvJet right;
    elv_switch_eval(&f->sw, f->variable, x, &left, &right);
    f->work -= (long)elv_switch_cost(&f->sw);
    return f->sw.kind == ELV_SWITCH_SIGN ? left.v == right.v : fmod(left.v, right.v) == 0.0;
}

static void find_sampled(Finder* f) {
    Sample before = sample_at(f, f->lo);
    double width = f->hi - f->lo;
    for (int i = 1; i <= N_SAMPLE && width > 0.0 && !is_spent(f); i++) {
        Sample now = sample_at(f, i == N_SAMPLE ? f->hi : f->lo + width * ((double)i / N_SAMPLE));
        if (i == 1 && before.key != now.key && is_hit(f, f->lo)) {
            // the range begins on a root
            add_point(f, f->lo, false);
        }
        Sample turn = before.key == now.key ? find_turn(f, before, now) : before;
        add_changes(f, before, turn);
        add_changes(f, turn, now);
        before = now;
    }
}

// move a solved root to the number where the evaluated key changes
static double polish(Finder* f, double root) {
    double reach = 2.0 * DBL_EPSILON * fabs(root) + DBL_MIN;
    for (int i = 0; i < N_WIDEN; i++) {
        Sample low = sample_at(f, root - reach);
        Sample high = sample_at(f, root + reach);
        if (low.key != high.key && !isnan(low.key) && !isnan(high.key)) {
            return bisect(f, low, high).x;
        }
        reach *= 4.0;
    }
    return root;
}

static void add_root(Finder* f, double root) {
    double margin = 1e-9 * fmax(fabs(f->lo), fabs(f->hi));
    if (!(root >= f->lo - margin && root <= f->hi + margin)) {
        return;
    }
    // where rounding lets the sides meet over several numbers, the root is the cleanest of them
    add_point(f, is_hit(f, root) ? root : polish(f, root), true);
}

// solve slope x + offset = k for k = 0, or for every integer k, in the order of growing x
static void find_solved(Finder* f, double slope, double offset) {
    if (slope == 0.0) {
        return;
    }
    if (f->sw.kind == ELV_SWITCH_SIGN) {
        add_root(f, -offset / slope);
        return;
    }
    double from = slope * f->lo + offset;
    double to = slope * f->hi + offset;
    double way = slope > 0.0 ? 1.0 : -1.0;
    double k_first = slope > 0.0 ? ceil(from) - 1.0 : floor(from) + 1.0;
    double n_root = fabs(to - from) + 4.0;
    for (int i = 0; i < n_root && i < N_POINT && !is_spent(f); i++) {
        add_root(f, (k_first + way * i - offset) / slope);
    }
}

// the points of the current switch, if it is single (one solved root) or not, as asked
static void find_one(Finder* f, bool wants_single) {
    double slope = 0.0;
    double offset = 0.0;
    if (is_spent(f) || !elv_switch_depends_only_on(&f->sw, f->variable)) {
        return;
    }
    bool is_affine = elv_switch_affine(&f->sw, &slope, &offset);
    bool is_single = is_affine && f->sw.kind == ELV_SWITCH_SIGN;
    if (is_single != wants_single) {
        return;
    }
    if (is_affine) {
        find_solved(f, slope, offset);
    } else {
        find_sampled(f);
    }
}

static void find_all(Finder* f, const ElvFormula* formula, bool wants_single) {
    for (size_t i = 0; i < formula->n_code; i++) {
        ElvSwitch switches[ELV_SWITCH_CAPACITY];
        size_t n_switch = elv_switches_at(formula, i, switches);
        for (size_t k = 0; k < n_switch; k++) {
            f->sw = switches[k];
            find_one(f, wants_single);
        }
    }
}

// Shell's sort, in place: the search runs within time steps, where nothing may be allocated
static void sort_points(Point* point, size_t n) {
    for (size_t gap = n / 2; gap > 0; gap = gap == 2 ? 1 : (size_t)((double)gap / 2.2)) {
        for (size_t i = gap; i < n; i++) {
            Point value = point[i];
            size_t k = i;
            for (; k >= gap && point[k - gap].x > value.x; k -= gap) {
                point[k] = point[k - gap];
            }
            point[k] = value;
        }
    }
}

// sort, and join what rounding alone tells apart; a solved point stands for sampled ones
static void merge_points(Finder* f) {
    sort_points(f->points, f->n_point);
    double range = fmax(fabs(f->lo), fabs(f->hi));
    size_t n = 0;
    for (size_t i = 0; i < f->n_point; i++) {
        Point point = f->points[i];
        Point* last = n > 0 ? &f->points[n - 1] : NULL;
        bool are_exact = last && last->is_exact && point.is_exact;
        double scale = are_exact ? fabs(point.x) : range;
        if (last && point.x - last->x <= 4.0 * DBL_EPSILON * scale) {
            if (point.is_exact && !last->is_exact) {
                *last = point;
            }
            continue;
        }
        f->points[n++] = point;
    }
    f->n_point = n;
}

size_t elv_formula_breakpoints(const ElvFormula* formula,
                               ElvVariable variable,
                               double lo,
                               double hi,
                               double* out,
                               size_t capacity) {
    // an endless range is cut where differences stay finite
    Finder f;
    f.variable = variable;
    f.lo = fmax(lo, -0.25 * DBL_MAX);
    f.hi = fmin(hi, 0.25 * DBL_MAX);
    f.work = N_WORK;
    f.n_point = 0;
    // single roots first, so that no crowd of others can push them out
    find_all(&f, formula, true);
    find_all(&f, formula, false);
    merge_points(&f);
    for (size_t i = 0; i < f.n_point && i < capacity; i++) {
        out[i] = f.points[i].x;
    }
    return f.n_point;
}
