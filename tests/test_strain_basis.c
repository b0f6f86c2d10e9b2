// SPDX-License-Identifier: Apache-2.0
// Strain bases against closed forms (powers, explicit sums, cosines), against what they must
// reproduce (constants, lines, cubics) and against their own description (pieces, degree, support).
#include "rod/strain_basis.h"

#include "check.h"
#include "linalg/barycentric.h"

enum { N_SAMPLE = 101 };

static ElvStrainBasis make_basis(ElvBasisKind kind, int n_mode) {
    ElvStrainBasis basis = {kind, n_mode, NULL};
    return basis;
}

// sum of coefficient times mode
static double combine(const ElvStrainBasis* basis, const double* q, double x) {
    double phi[ELV_MAX_MODES];
    double sum = 0.0;
    elv_strain_basis_eval(basis, x, phi);
    for (int m = 0; m < basis->n_mode; m++) {
        sum += q[m] * phi[m];
    }
    return sum;
}

static void test_monomial(void** state) {
    (void)state;
    ElvStrainBasis basis = make_basis(ELV_BASIS_MONOMIAL, 8);
    for (int i = 0; i < N_SAMPLE; i++) {
        double x = i / (N_SAMPLE - 1.0);
        double phi[8];
        elv_strain_basis_eval(&basis, x, phi);
        for (int m = 0; m < 8; m++) {
            CHECK_NEAR(phi[m], pow(x, m), 1e-15);
        }
    }
}

// P_n(2 x - 1) = (-1)^n sum_k binom(n, k) binom(n + k, k) (-x)^k: terms grow to 1e7 at n = 9
static double legendre_sum(int n, double x) {
    double term = 1.0;
    double sum = 1.0;
    for (int k = 0; k < n; k++) {
        term *= -x * (n - k) * (n + k + 1.0) / ((k + 1.0) * (k + 1.0));
        sum += term;
    }
    return n % 2 ? -sum : sum;
}

static void test_legendre(void** state) {
    (void)state;
    ElvStrainBasis basis = make_basis(ELV_BASIS_LEGENDRE, 10);
    for (int i = 0; i < N_SAMPLE; i++) {
        double x = i / (N_SAMPLE - 1.0);
        double phi[10];
        elv_strain_basis_eval(&basis, x, phi);
        for (int m = 0; m < 10; m++) {
            CHECK_NEAR(phi[m], legendre_sum(m, x), 1e-9);
            CHECK_TRUE(fabs(phi[m]) <= 1.0 + 1e-15);
        }
    }
    // at the ends: 1 on the right, alternating signs on the left
    double left[10], right[10];
    elv_strain_basis_eval(&basis, 0.0, left);
    elv_strain_basis_eval(&basis, 1.0, right);
    for (int m = 0; m < 10; m++) {
        CHECK_TRUE(right[m] == 1.0 && left[m] == (m % 2 ? -1.0 : 1.0));
    }
}

static void test_chebyshev(void** state) {
    (void)state;
    ElvStrainBasis basis = make_basis(ELV_BASIS_CHEBYSHEV, 12);
    for (int i = 0; i < N_SAMPLE; i++) {
        double x = i / (N_SAMPLE - 1.0);
        double phi[12];
        elv_strain_basis_eval(&basis, x, phi);
        for (int m = 0; m < 12; m++) {
            // acos and the recurrence both lose m^2 units near the ends
            CHECK_NEAR(phi[m], cos(m * acos(2.0 * x - 1.0)), 1e-13);
        }
    }
}

// at a knot the piece on its right is taken, at x = 1 the last one
static void test_piecewise_constant(void** state) {
    (void)state;
    ElvStrainBasis basis = make_basis(ELV_BASIS_PIECEWISE_CONSTANT, 4);
    const double x[] = {0.0, 0.1, 0.2499, 0.25, 0.49, 0.5, 0.75, 0.99, 1.0};
    const int piece[] = {0, 0, 0, 1, 1, 2, 3, 3, 3};
    for (size_t i = 0; i < sizeof x / sizeof x[0]; i++) {
        double phi[4];
        elv_strain_basis_eval(&basis, x[i], phi);
        for (int m = 0; m < 4; m++) {
            CHECK_TRUE(phi[m] == (m == piece[i] ? 1.0 : 0.0));
        }
    }
}

static void test_piecewise_linear(void** state) {
    (void)state;
    ElvStrainBasis basis = make_basis(ELV_BASIS_PIECEWISE_LINEAR, 5);
    double knot[5], line[5];
    for (int k = 0; k < 5; k++) {
        double phi[5];
        elv_strain_basis_eval(&basis, 0.25 * k, phi);
        for (int m = 0; m < 5; m++) {
            CHECK_TRUE(phi[m] == (m == k ? 1.0 : 0.0));
        }
        knot[k] = k * k;
        line[k] = 2.0 - 3.0 * 0.25 * k;
    }
    for (int i = 0; i < N_SAMPLE; i++) {
        double x = i / (N_SAMPLE - 1.0);
        CHECK_NEAR(combine(&basis, line, x), 2.0 - 3.0 * x, 1e-15);
    }
    // half-way between knots: the mean of their values
    CHECK_NEAR(combine(&basis, knot, 0.375), 2.5, 1e-15);
    CHECK_NEAR(combine(&basis, knot, 0.875), 12.5, 1e-15);
}

// value and slope at each knot; slopes are per unit of x, not of the piece
static void test_hermite_knots(void** state) {
    (void)state;
    ElvStrainBasis basis = make_basis(ELV_BASIS_HERMITE, 8);
    const double q[8] = {1.0, -2.0, 0.5, 3.0, -1.0, 0.25, 4.0, -5.0};
    double h = 1e-6;
    for (int k = 0; k < 4; k++) {
        double x = k / 3.0;
        CHECK_NEAR(combine(&basis, q, x), q[2 * k], 1e-14);
        // one-sided second-order differences: error h^2 f'''/3 about 1e-10, rounding 1e-9
        double side = k == 3 ? -h : h;
        double slope = (-3.0 * combine(&basis, q, x) + 4.0 * combine(&basis, q, x + side) -
                        combine(&basis, q, x + 2.0 * side)) /
                       (2.0 * side);
        CHECK_NEAR(slope, q[2 * k + 1], 1e-7);
        if (k > 0 && k < 3) {
            slope = (3.0 * combine(&basis, q, x) - 4.0 * combine(&basis, q, x - h) +
                     combine(&basis, q, x - 2.0 * h)) /
                    (2.0 * h);
            CHECK_NEAR(slope, q[2 * k + 1], 1e-7);
        }
    }
}

static void test_hermite_reproduces_cubics(void** state) {
    (void)state;
    for (int n_piece = 1; n_piece <= 5; n_piece++) {
        ElvStrainBasis basis = make_basis(ELV_BASIS_HERMITE, 2 * (n_piece + 1));
        double q[12];
        for (int k = 0; k <= n_piece; k++) {
            double x = (double)k / n_piece;
            q[2 * k] = 1.0 - 2.0 * x + 3.0 * x * x - 4.0 * x * x * x;
            q[2 * k + 1] = -2.0 + 6.0 * x - 12.0 * x * x;
        }
        for (int i = 0; i < N_SAMPLE; i++) {
            double x = i / (N_SAMPLE - 1.0);
            CHECK_NEAR(combine(&basis, q, x), 1.0 - 2.0 * x + 3.0 * x * x - 4.0 * x * x * x, 4e-15);
        }
    }
}

// piecewise bases: the modes that carry values add up to 1
static void test_partition_of_unity(void** state) {
    (void)state;
    const ElvBasisKind kind[] = {ELV_BASIS_PIECEWISE_CONSTANT, ELV_BASIS_PIECEWISE_LINEAR,
                                 ELV_BASIS_HERMITE};
    for (int k = 0; k < 3; k++) {
        ElvStrainBasis basis = make_basis(kind[k], 10);
        for (int i = 0; i < N_SAMPLE; i++) {
            double phi[10];
            double sum = 0.0;
            elv_strain_basis_eval(&basis, i / (N_SAMPLE - 1.0), phi);
            for (int m = 0; m < 10; m += kind[k] == ELV_BASIS_HERMITE ? 2 : 1) {
                sum += phi[m];
            }
            CHECK_NEAR(sum, 1.0, 1e-15);
        }
    }
}

static void test_pieces_and_degree(void** state) {
    (void)state;
    const struct {
        ElvBasisKind kind;
        int n_mode, n_piece, degree;
    } expected[] = {
        {ELV_BASIS_MONOMIAL, 4, 1, 3},
        {ELV_BASIS_LEGENDRE, 1, 1, 0},
        {ELV_BASIS_CHEBYSHEV, 6, 1, 5},
        {ELV_BASIS_PIECEWISE_CONSTANT, 5, 5, 0},
        {ELV_BASIS_PIECEWISE_LINEAR, 5, 4, 1},
        {ELV_BASIS_HERMITE, 8, 3, 3},
        {ELV_BASIS_LEGENDRE, 0, 1, 0},
        {ELV_BASIS_PIECEWISE_CONSTANT, 0, 1, 0},
        {ELV_BASIS_PIECEWISE_LINEAR, 0, 1, 1},
        {ELV_BASIS_HERMITE, 0, 1, 3},
        {ELV_BASIS_PIECEWISE_CONSTANT, 1, 1, 0},
        {ELV_BASIS_PIECEWISE_LINEAR, 2, 1, 1},
        {ELV_BASIS_HERMITE, 4, 1, 3},
    };
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        ElvStrainBasis basis = make_basis(expected[i].kind, expected[i].n_mode);
        CHECK_TRUE(elv_strain_basis_pieces(&basis) == expected[i].n_piece);
        CHECK_TRUE(elv_strain_basis_degree(&basis) == expected[i].degree);
    }
}

// inside a piece the modes of its support, and only those, are not zero; differences of one order
// more than the degree vanish
static void check_piece(const ElvStrainBasis* basis, int piece, int n_piece) {
    int first = -1;
    int n = -1;
    int degree = elv_strain_basis_degree(basis);
    elv_strain_basis_support(basis, piece, &first, &n);
    CHECK_TRUE(first >= 0 && n >= 1 && first + n <= basis->n_mode);
    double difference[ELV_MAX_MODES] = {0.0};
    double largest[ELV_MAX_MODES] = {0.0};
    double sign = 1.0;
    for (int i = 0; i <= degree + 1; i++) {
        double x = (piece + (i + 0.5) / (degree + 2.0)) / n_piece;
        double phi[ELV_MAX_MODES];
        elv_strain_basis_eval(basis, x, phi);
        for (int m = 0; m < basis->n_mode; m++) {
            difference[m] += sign * phi[m];
            largest[m] = fmax(largest[m], fabs(phi[m]));
        }
        sign *= -(degree + 1.0 - i) / (i + 1.0);
    }
    for (int m = 0; m < basis->n_mode; m++) {
        bool is_active = m >= first && m < first + n;
        CHECK_TRUE(is_active ? largest[m] > 1e-6 : largest[m] == 0.0);
        CHECK_NEAR(difference[m], 0.0, 1e-12);
    }
}

static void test_support(void** state) {
    (void)state;
    for (int kind = ELV_BASIS_MONOMIAL; kind <= ELV_BASIS_HERMITE; kind++) {
        for (int n_mode = 4; n_mode <= 10; n_mode += 2) {
            ElvStrainBasis basis = make_basis((ElvBasisKind)kind, n_mode);
            int n_piece = elv_strain_basis_pieces(&basis);
            for (int piece = 0; piece < n_piece; piece++) {
                check_piece(&basis, piece, n_piece);
            }
        }
    }
    // no modes, no support
    for (int kind = ELV_BASIS_MONOMIAL; kind <= ELV_BASIS_HERMITE; kind++) {
        ElvStrainBasis basis = make_basis((ElvBasisKind)kind, 0);
        int first = -1;
        int n = -1;
        elv_strain_basis_support(&basis, 0, &first, &n);
        CHECK_TRUE(n == 0);
    }
}

// derivatives of the polynomial through ten values on a piece, which is the mode itself
static void check_slopes(const ElvStrainBasis* basis, int piece, int n_piece) {
    enum { N = 10 };
    double x[N], D[N * N], phi[N][ELV_MAX_MODES], slope[ELV_MAX_MODES];
    for (int i = 0; i < N; i++) {
        // crowded at the ends, as interpolation wants it, but inside
        x[i] = (piece + 0.5 - 0.5 * cos(3.14159265358979323846 * (i + 0.5) / N)) / n_piece;
        elv_strain_basis_eval(basis, x[i], phi[i]);
    }
    elv_barycentric_derivative(N, x, D);
    for (int i = 0; i < N; i++) {
        memset(slope, 0xFF, sizeof slope);
        elv_strain_basis_slope(basis, x[i], slope);
        for (int m = 0; m < basis->n_mode; m++) {
            double expected = 0.0;
            for (int j = 0; j < N; j++) {
                expected += D[i * N + j] * phi[j][m];
            }
            // slopes reach 2 m^2 = 162, entries of D 100 n_piece
            CHECK_NEAR(slope[m], expected, 1e-11);
        }
    }
}

static void test_slopes(void** state) {
    (void)state;
    for (int kind = ELV_BASIS_MONOMIAL; kind <= ELV_BASIS_HERMITE; kind++) {
        for (int n_mode = 4; n_mode <= 10; n_mode += 2) {
            ElvStrainBasis basis = make_basis((ElvBasisKind)kind, n_mode);
            int n_piece = elv_strain_basis_pieces(&basis);
            for (int piece = 0; piece < n_piece; piece++) {
                check_slopes(&basis, piece, n_piece);
            }
        }
    }
}

// natural splines keep the given values and straight lines; mode m is law m
static void test_table(void** state) {
    (void)state;
    const double station[5] = {0.0, 0.2, 0.5, 0.6, 1.0};
    double value[2][5];
    ElvLaw* law[2];
    for (int i = 0; i < 5; i++) {
        value[0][i] = 3.0 - 2.0 * station[i];
        value[1][i] = sin(7.0 * station[i]);
    }
    for (int m = 0; m < 2; m++) {
        CHECK_STATUS(
            elv_law_table(ELV_VARIABLE_S, ELV_TABLE_CUBIC, station, value[m], 5, &law[m], NULL),
            NULL);
    }
    const ElvLaw* const shape[2] = {law[0], law[1]};
    ElvStrainBasis basis = {ELV_BASIS_TABLE, 2, shape};
    double phi[2];
    for (int i = 0; i < 5; i++) {
        elv_strain_basis_eval(&basis, station[i], phi);
        CHECK_NEAR(phi[0], value[0][i], 1e-14);
        CHECK_NEAR(phi[1], value[1][i], 1e-14);
    }
    elv_strain_basis_eval(&basis, 0.33, phi);
    CHECK_NEAR(phi[0], 3.0 - 2.0 * 0.33, 1e-14);
    elv_strain_basis_slope(&basis, 0.33, phi);
    CHECK_NEAR(phi[0], -2.0, 1e-13);
    int first = -1;
    int n = -1;
    elv_strain_basis_support(&basis, 0, &first, &n);
    CHECK_TRUE(first == 0 && n == 2 && elv_strain_basis_pieces(&basis) == 1);
    elv_law_free(law[0]);
    elv_law_free(law[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_monomial),
        cmocka_unit_test(test_legendre),
        cmocka_unit_test(test_chebyshev),
        cmocka_unit_test(test_piecewise_constant),
        cmocka_unit_test(test_piecewise_linear),
        cmocka_unit_test(test_hermite_knots),
        cmocka_unit_test(test_hermite_reproduces_cubics),
        cmocka_unit_test(test_partition_of_unity),
        cmocka_unit_test(test_pieces_and_degree),
        cmocka_unit_test(test_support),
        cmocka_unit_test(test_slopes),
        cmocka_unit_test(test_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
