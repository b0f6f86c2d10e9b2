// SPDX-License-Identifier: Apache-2.0
// How finely a rod with imposed strains is to be integrated. Twists and wrenches along it are
// integrals of its rotation R(s) and its strains, and of products of two of them: nodes must
// resolve these, which a strongly bent rod makes harder than the strains alone. Free strains are
// taken at rest.
#include "rod/rod_motion.h"

#include "linalg/quadrature.h"
#include "rod/magnus.h"
#include "rod/rod_segment.h"

#include <math.h>
#include <string.h>

enum {
    N_TIME = 8, // times that are looked at
    N_TURN = 4, // and for steps
    N_FEW =
        32, // points of the expansions, where these are enough, which is below degree FEW_DEGREE
    N_POINT = 64, // and where they are not
    FEW_DEGREE = 24,
    N_MARGIN = 2, // nodes beyond the degree
    N_ROTATION = 9,
    N_FUNCTION = N_ROTATION + ELV_N_STRAIN,
    WAVE_MARGIN = 6 // degree that a part of a wave needs beyond its length
};

// coefficients of the expansions that are smaller do not count
static const double SMALL = 1e-6;

// rotations over a part that differ by less are the same
static const double SAME_TURN = 1e-13;

// a shorter part of a rod is not cut again
static const double SHORTEST = 1.0 / 64.0;

/// The expansion in n Legendre polynomials on [0, 1] from values at n Gauss points.
typedef struct {
    int n;
    double x[N_POINT];
    double transform[N_POINT][N_POINT]; // coefficient per value at a point
} Expansion;

static void init_expansion(Expansion* e, int n) {
    double w[N_POINT];
    ElvStrainBasis basis = {ELV_BASIS_LEGENDRE, n, NULL};
    e->n = n;
    elv_gauss_legendre(n, e->x, w);
    for (int i = 0; i < n; i++) {
        double phi[N_POINT];
        elv_strain_basis_eval(&basis, e->x[i], phi);
        for (int k = 0; k < n; k++) {
            e->transform[k][i] = (2.0 * k + 1.0) * w[i] * phi[k];
        }
    }
}

static double strain_at(const ElvRod* rod, int strain, double t, double s) {
    return rod->motion[strain] ? elv_law_value(rod->motion[strain], t, s)
                               : elv_law_value(rod->reference[strain], 0.0, s);
}

// rotation over one Magnus step
static ElvMat3 step_rotation(const ElvRod* rod, double t, double s0, double s1) {
    ElvVec3 a[3] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    for (int p = 0; p < ELV_MAGNUS_POINT; p++) {
        double s = s0 + (s1 - s0) * ELV_MAGNUS_NODE[p];
        ElvVec3 K =
            elv_vec3(strain_at(rod, 0, t, s), strain_at(rod, 1, t, s), strain_at(rod, 2, t, s));
        for (int m = 0; m < 3; m++) {
            a[m] = elv_vec3_add_scaled(a[m], (s1 - s0) * rod->length * ELV_MAGNUS_MOMENT[m][p], K);
        }
    }
    return elv_so3_exp(elv_magnus_log(a));
}

// entries of the rotation at the points, from that at s0, by one step from point to point
static void
set_rotations(const ElvRod* rod, const Expansion* e, double t, double s0, double s1, double* f) {
    ElvMat3 now = elv_mat3_identity();
    double s = s0;
    for (int i = 0; i < e->n; i++) {
        double next = s0 + (s1 - s0) * e->x[i];
        now = elv_mat3_mul(now, step_rotation(rod, t, s, next));
        s = next;
        for (int k = 0; k < N_ROTATION; k++) {
            f[k * N_POINT + i] = now.m[k / 3][k % 3];
        }
    }
}

// strains at the points, relative to the largest value of each
static void
set_strains(const ElvRod* rod, const Expansion* e, double t, double s0, double s1, double* f) {
    for (int k = 0; k < ELV_N_STRAIN; k++, f += N_POINT) {
        double most = 0.0;
        for (int i = 0; i < e->n; i++) {
            f[i] = strain_at(rod, k, t, s0 + (s1 - s0) * e->x[i]);
            most = fmax(most, fabs(f[i]));
        }
        for (int i = 0; i < e->n && most > 0.0; i++) {
            f[i] /= most;
        }
    }
}

// Degree beyond which the coefficients of a product are small, or `least` if that is more. NaN
// counts as small.
static int product_degree(const Expansion* e, const double* a, const double* b, int least) {
    double product[N_POINT];
    for (int i = 0; i < e->n; i++) {
        product[i] = a[i] * b[i];
    }
    for (int k = e->n - 1; k > least; k--) {
        double c = 0.0;
        for (int i = 0; i < e->n; i++) {
            c += e->transform[k][i] * product[i];
        }
        if (fabs(c) > SMALL) {
            return k;
        }
    }
    return least;
}

// degree of the products of what is integrated, at the times of the rod, by n points
static int field_degree(const ElvRod* rod, double s0, double s1, int n) {
    Expansion e;
    double f[N_FUNCTION][N_POINT];
    int degree = 0;
    bool is_moved = false;
    for (int c = 0; c < ELV_N_STRAIN; c++) {
        is_moved = is_moved || (rod->motion[c] && elv_law_depends_on_t(rod->motion[c]));
    }
    init_expansion(&e, n);
    memset(f, 0, sizeof f);
    for (int i = 0; i < (is_moved ? N_TIME : 1) && degree < n - 1; i++) {
        double t = elv_rod_motion_time(rod, i);
        set_rotations(rod, &e, t, s0, s1, f[0]);
        set_strains(rod, &e, t, s0, s1, f[N_ROTATION]);
        for (int j = 0; j < N_FUNCTION; j++) {
            for (int k = 0; k <= j; k++) {
                degree = product_degree(&e, f[j], f[k], degree);
            }
        }
    }
    return degree;
}

// Degree that a part of a polynomial needs: with x = (1 - cos theta) / 2 the waves of P_p have
// equal lengths in theta, p / pi half-waves to the radian.
static int
part_degree(const ElvRodElement* element, const ElvStrainBasis* basis, double s0, double s1) {
    int p = elv_strain_basis_degree(basis);
    double width = element->s1 - element->s0;
    double x0 = fmax(0.0, (s0 - element->s0) / width);
    double x1 = fmin(1.0, (s1 - element->s0) / width);
    double theta = acos(1.0 - 2.0 * x1) - acos(1.0 - 2.0 * x0);
    double waves = ceil(0.5 * p * theta) + WAVE_MARGIN;
    return elv_strain_basis_pieces(basis) > 1 || waves > p ? p : (int)waves;
}

int elv_rod_motion_nodes(const ElvRod* rod, const ElvRodElement* element, double s0, double s1) {
    int degree = field_degree(rod, s0, s1, N_FEW);
    degree = degree < FEW_DEGREE ? degree : field_degree(rod, s0, s1, N_POINT);
    int n = degree + 1 + N_MARGIN;
    for (int strain = 0; strain < ELV_N_STRAIN; strain++) {
        if (rod->motion[strain]) {
            // products of two modes are integrated exactly, up to degree 2 n - 1
            int own = part_degree(element, &element->basis[strain], s0, s1) + 1;
            n = own > n ? own : n;
        }
    }
    return n;
}

// rotation over the part, with so many steps from node to node
static ElvMat3
turn(const ElvRod* rod, int n, const double* x, double t, double s0, double s1, int n_step) {
    ElvMat3 R = elv_mat3_identity();
    for (int i = 0; i <= n; i++) {
        double a = s0 + (s1 - s0) * (i == 0 ? 0.0 : x[i - 1]);
        double ds = (s0 + (s1 - s0) * (i == n ? 1.0 : x[i]) - a) / n_step;
        for (int k = 0; k < n_step; k++) {
            R = elv_mat3_mul(R, step_rotation(rod, t, a + k * ds, a + (k + 1) * ds));
        }
    }
    return R;
}

int elv_rod_motion_steps(const ElvRod* rod, int n, const double* x, double s0, double s1) {
    for (int n_step = 1; n_step <= 2; n_step++) {
        double worst = 0.0;
        for (int i = 0; i < N_TURN; i++) {
            // neither the first time nor the last, where motions often rest
            double t = elv_rod_motion_time(rod, i + 2);
            ElvMat3 coarse = turn(rod, n, x, t, s0, s1, n_step);
            ElvMat3 fine = turn(rod, n, x, t, s0, s1, 2 * n_step);
            for (int k = 0; k < N_ROTATION; k++) {
                worst = fmax(worst, fabs(coarse.m[k / 3][k % 3] - fine.m[k / 3][k % 3]));
            }
        }
        if (worst < SAME_TURN) {
            return n_step;
        }
    }
    return ELV_ROD_SUBSTEP;
}

int elv_rod_motion_cut(const ElvRod* rod, double* breaks, int* nodes, int n, int capacity) {
    for (int i = 0; i + 1 < n && rod->n_drive > 0;) {
        double s0 = breaks[i];
        double s1 = breaks[i + 1];
        const ElvRodElement* element = &rod->element[elv_rod_element_at(rod, 0.5 * (s0 + s1))];
        bool is_chosen = element->nodes == 0;
        nodes[i] = is_chosen ? elv_rod_motion_nodes(rod, element, s0, s1) : 0;
        if (nodes[i] <= ELV_MAX_QUADRATURE || s1 - s0 <= SHORTEST || n >= capacity) {
            i++;
            continue;
        }
        for (int k = n++; k > i + 1; k--) {
            breaks[k] = breaks[k - 1];
        }
        breaks[i + 1] = 0.5 * (s0 + s1);
    }
    return n;
}
