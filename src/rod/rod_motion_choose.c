// SPDX-License-Identifier: Apache-2.0
// How many modes an imposed strain needs, and where its elements end. The field is expanded in
// Legendre polynomials at times of the run that form no grid, on which a wave might look as if it
// stood still; modes are so many that the coefficients that they leave out sum up to little. The
// first two time derivatives, from which velocities and accelerations come, are looked at likewise,
// each relative to its own size on the rod, less strictly. What the modes miss between the points
// that they meet is measured in the end.
#include "rod/rod_motion.h"

#include "base/sort.h"
#include "linalg/quadrature.h"

#include <math.h>

const double ELV_MOTION_TOL = 1e-9;

// parts of an element: at most so many; one that needs more than MODES_EASY modes is halved, at
// most so often; and how close to others laws may not jump
enum { N_CUT = 256, MODES_EASY = 32, MAX_HALVINGS = 4 };

// modes that must be left over for the others to be known
enum { N_SPARE = 4 };
static const double SAME_PLACE = 1e-6;

// times at which fields are looked at; stations for their size, and for what modes miss: so many,
// and more with each
enum { N_TIME = 32, N_SIZE = 97, N_STATION = 29, N_PER_MODE = 2 };

// time derivatives that are smaller than this, in the time of the run, count no more
static const double RATE_FLOOR = 1e-6;

// a field as a vector: value above the strain at rest, first and second time derivative
enum { N_JET = 3 };

// How much less finely the derivatives are to be met. Those of the modes are consistent with the
// shape of the modes in any case.
static const double SLACK[N_JET] = {1.0, 10.0, 100.0};

double elv_rod_motion_time(const ElvRod* rod, int i) {
    double x = i == 0 ? 0.0 : i == 1 ? 1.0 : fmod(0.6180339887498949 * i, 1.0);
    return rod->t_from + x * (rod->t_to - rod->t_from);
}

static int n_time(const ElvRod* rod, int strain) {
    return elv_law_depends_on_t(rod->motion[strain]) && rod->t_to > rod->t_from ? N_TIME : 1;
}

// station i of n between two, not quite at them: laws may jump there
static double station_at(double s0, double s1, int i, int n) {
    double x = fmin(fmax((double)i / (n - 1), 1e-9), 1.0 - 1e-9);
    return s0 + x * (s1 - s0);
}

// Whether it is a number; that it is none is left to elv_rod_check.
static bool eval_field(const ElvRod* rod, int strain, double t, double s, double f[N_JET]) {
    ElvJet jet = elv_law_eval(rod->motion[strain], t, s);
    f[0] = jet.v - elv_law_value(rod->reference[strain], 0.0, s);
    f[1] = jet.d;
    f[2] = jet.dd;
    return isfinite(f[0]) && isfinite(f[1]) && isfinite(f[2]);
}

void elv_rod_motion_measure(ElvRod* rod, int strain) {
    double* size = rod->motion_size[strain];
    for (int i = 0; i < n_time(rod, strain); i++) {
        for (int k = 0; k < N_SIZE; k++) {
            double f[N_JET];
            bool is_known = eval_field(rod, strain, elv_rod_motion_time(rod, i),
                                       station_at(0.0, 1.0, k, N_SIZE), f);
            for (int j = 0; j < N_JET && is_known; j++) {
                size[j] = fmax(size[j], fabs(f[j]));
            }
        }
    }
    double duration = rod->t_to - rod->t_from;
    for (int j = 1; j < N_JET && duration > 0.0; j++) {
        size[j] = fmax(size[j], RATE_FLOOR * size[0] / pow(duration, j));
    }
    for (int j = 0; j < N_JET; j++) {
        size[j] *= SLACK[j];
    }
}

// ---- what modes miss

// the worst relative difference at one time between the field and phi c, c (N_JET x ELV_MAX_MODES)
static double
miss(const ElvRod* rod, const ElvRodDrive* drive, double t, double c[N_JET][ELV_MAX_MODES]) {
    const ElvRodElement* element = &rod->element[drive->i_element];
    const ElvStrainBasis* basis = &element->basis[drive->strain];
    double worst = 0.0;
    double phi[ELV_MAX_MODES];
    int n = N_STATION + N_PER_MODE * basis->n_mode;
    for (int i = 0; i < n; i++) {
        double s = station_at(element->s0, element->s1, i, n);
        double f[N_JET];
        if (!eval_field(rod, drive->strain, t, s, f)) {
            continue;
        }
        elv_strain_basis_eval(basis, (s - element->s0) / (element->s1 - element->s0), phi);
        for (int j = 0; j < N_JET; j++) {
            double size = rod->motion_size[drive->strain][j];
            double sum = f[j];
            for (int k = 0; k < basis->n_mode; k++) {
                sum -= phi[k] * c[j][k];
            }
            worst = size > 0.0 && isfinite(sum) ? fmax(worst, fabs(sum) / size) : worst;
        }
    }
    return worst;
}

double elv_rod_motion_error(const ElvRod* rod, const ElvRodDrive* drive) {
    double c[N_JET][ELV_MAX_MODES];
    double worst = 0.0;
    for (int i = 0; i < n_time(rod, drive->strain); i++) {
        double t = elv_rod_motion_time(rod, i);
        elv_rod_drive_eval(rod, drive, t, c[0], c[1], c[2]);
        worst = fmax(worst, miss(rod, drive, t, c));
    }
    return worst;
}

// ---- how many modes

/// Legendre coefficients per value at as many Gauss points.
typedef struct {
    double x[ELV_MOTION_MODES_MAX];
    double transform[ELV_MOTION_MODES_MAX][ELV_MOTION_MODES_MAX];
} Expansion;

static void init_expansion(Expansion* e) {
    double w[ELV_MOTION_MODES_MAX];
    ElvStrainBasis basis = {ELV_BASIS_LEGENDRE, ELV_MOTION_MODES_MAX, NULL};
    elv_gauss_legendre(ELV_MOTION_MODES_MAX, e->x, w);
    for (int i = 0; i < ELV_MOTION_MODES_MAX; i++) {
        elv_strain_basis_eval(&basis, e->x[i], e->transform[i]);
        for (int k = 0; k < ELV_MOTION_MODES_MAX; k++) {
            e->transform[i][k] *= (2.0 * k + 1.0) * w[i];
        }
    }
}

// modes that one expansion needs, or `least` if these are more: what follows them is small
static int modes_of(const double* c, double size, int least) {
    double rest = 0.0;
    int n = ELV_MOTION_MODES_MAX;
    // aliases of what is left out double it
    while (n > least && 2.0 * (rest + fabs(c[n - 1])) < ELV_MOTION_TOL * size) {
        rest += fabs(c[--n]);
    }
    return n > least ? n : least;
}

// modes that the field needs at one time, or `least` if these are more
static int modes_at(
    const ElvRod* rod, int strain, const Expansion* e, double t, double s0, double s1, int least) {
    double c[N_JET][ELV_MOTION_MODES_MAX] = {{0.0}};
    for (int i = 0; i < ELV_MOTION_MODES_MAX; i++) {
        double f[N_JET];
        if (!eval_field(rod, strain, t, s0 + e->x[i] * (s1 - s0), f)) {
            return least;
        }
        for (int j = 0; j < N_JET; j++) {
            for (int k = 0; k < ELV_MOTION_MODES_MAX; k++) {
                c[j][k] += e->transform[i][k] * f[j];
            }
        }
    }
    for (int j = 0; j < N_JET; j++) {
        double size = rod->motion_size[strain][j];
        least = size > 0.0 ? modes_of(c[j], size, least) : least;
    }
    return least;
}

int elv_rod_motion_modes(const ElvRod* rod, int strain, double s0, double s1) {
    Expansion e;
    int n = 1;
    init_expansion(&e);
    for (int i = 0; i < n_time(rod, strain) && n < ELV_MOTION_MODES_MAX; i++) {
        n = modes_at(rod, strain, &e, elv_rod_motion_time(rod, i), s0, s1, n);
    }
    // what needs nearly all of them may need many more
    return n < ELV_MOTION_MODES_MAX - N_SPARE ? n : ELV_MOTION_MODES_MAX + 1;
}

// ---- where elements end

static bool has_modes(const ElvElementDef* element) {
    for (int strain = 0; strain < ELV_N_STRAIN; strain++) {
        if (element->modes[strain] > 0) {
            return true;
        }
    }
    return false;
}

// stations inside at which an imposed law jumps
static int list_cuts(const ElvRod* rod, double s0, double s1, double* cut) {
    size_t n = 0;
    for (int strain = 0; strain < ELV_N_STRAIN; strain++) {
        if (rod->motion[strain]) {
            size_t found = elv_law_breakpoints(rod->motion[strain], ELV_VARIABLE_S, s0, s1, cut + n,
                                               N_CUT - n);
            n = found < N_CUT - n ? n + found : N_CUT;
        }
    }
    elv_sort_doubles(cut, n);
    int n_kept = 0;
    for (size_t i = 0; i < n; i++) {
        double before = n_kept > 0 ? cut[n_kept - 1] : s0;
        if (cut[i] > before + SAME_PLACE && cut[i] < s1 - SAME_PLACE) {
            cut[n_kept++] = cut[i];
        }
    }
    return n_kept;
}

/// Ends of the parts of an element.
typedef struct {
    double end[N_CUT];
    int n;
} Parts;

// Halve a part until it needs few modes. Returns whether its strains are met; where halving does
// not lead to that, as with a kink that moves along the rod, the part stays whole.
static bool halve(const ElvRod* rod, double s0, double s1, int depth, Parts* parts) {
    int most = 0;
    for (int strain = 0; strain < ELV_N_STRAIN; strain++) {
        int n = rod->motion[strain] ? elv_rod_motion_modes(rod, strain, s0, s1) : 0;
        most = n > most ? n : most;
    }
    int n_before = parts->n;
    double middle = 0.5 * (s0 + s1);
    if (most > MODES_EASY && depth > 0 && parts->n + (1 << depth) < N_CUT &&
        halve(rod, s0, middle, depth - 1, parts) && halve(rod, middle, s1, depth - 1, parts)) {
        return true;
    }
    parts->n = n_before;
    parts->end[parts->n++] = s1;
    return most <= ELV_MOTION_MODES_MAX;
}

// parts of an element without given modes
static void cut_element(const ElvRod* rod, double s0, double s1, Parts* parts) {
    double cut[N_CUT];
    int n_cut = list_cuts(rod, s0, s1, cut);
    parts->n = 0;
    for (int k = 0; k <= n_cut && parts->n < N_CUT; k++) {
        double end = k < n_cut && parts->n < N_CUT - 1 ? cut[k] : s1;
        (void)halve(rod, s0, end, MAX_HALVINGS, parts);
        s0 = end;
        if (end == s1) {
            break;
        }
    }
}

const ElvElementDef*
elv_rod_motion_elements(const ElvRod* rod, const ElvRodDef* def, ElvPool* pool, int* n) {
    ElvElementDef* list = NULL;
    Parts parts;
    bool is_imposed = false;
    double s0 = 0.0;
    *n = 0;
    for (int strain = 0; strain < ELV_N_STRAIN; strain++) {
        is_imposed = is_imposed || rod->motion[strain];
    }
    for (int i = 0; i < def->n_element; i++) {
        double s1 = def->element[i].to;
        parts.n = 1;
        parts.end[0] = s1;
        if (is_imposed && !has_modes(&def->element[i])) {
            cut_element(rod, s0, s1, &parts);
        }
        for (int k = 0; k < parts.n; k++) {
            list = elv_pool_grow(pool, list, *n, sizeof *list);
            if (!list) {
                return NULL;
            }
            list[*n] = def->element[i];
            list[(*n)++].to = parts.end[k];
        }
        s0 = s1;
    }
    return list;
}
