// SPDX-License-Identifier: Apache-2.0
// Building a rod: generalised stiffness against closed integrals of the modes [P20 (26)], damping,
// mass of tapered rods, initial strains by projection, segments, and what cannot be built.
#include "model_case.h"

#include "multibody/model.h"
#include "rod/rod.h"

static const double PI = 3.14159265358979323846;

enum { N = 5 };

// length 2, E I = 3 for each bending, G J = 5, and so on
#define ROD_TEXT                                                                                   \
    "tree:\n"                                                                                      \
    "  - rod: rod\n"                                                                               \
    "    length: 2\n"                                                                              \
    "    stiffness: [5, 3, 4, 7, 8, 9]\n"                                                          \
    "    inertia: [1, 1, 1, 2, 2, 2]\n"                                                            \
    "    damping: [0.5, 0.3, 0.4, 0.7, 0.8, 0.9]\n"

static const ElvRod* get_rod(const ModelCase* c) {
    return (const ElvRod*)c->model->node[c->model->n_node - 1].joint;
}

// integral over [0, 1] of T_i T_j (2 x - 1)
static double chebyshev_product(int i, int j) {
    double sum = 0.0;
    const int k[2] = {i + j, i > j ? i - j : j - i};
    for (int m = 0; m < 2; m++) {
        sum += k[m] % 2 ? 0.0 : 0.5 / (1.0 - (double)k[m] * k[m]);
    }
    return sum;
}

// the Gram matrix of each global basis: Hilbert's for monomials [P20 test 1]
static void test_stiffness_of_polynomials(void** state) {
    (void)state;
    const char* const name[] = {"monomial", "legendre", "chebyshev"};
    for (int kind = 0; kind < 3; kind++) {
        ModelCase c = case_open(ROD_TEXT "    strain: {bend_y: 5}\n    basis: %s\n", name[kind]);
        const ElvRod* rod = get_rod(&c);
        for (int i = 0; i < N; i++) {
            for (int j = 0; j < N; j++) {
                double gram = kind == 0   ? 1.0 / (i + j + 1)
                              : kind == 1 ? (i == j ? 1.0 / (2 * i + 1) : 0.0)
                                          : chebyshev_product(i, j);
                CHECK_NEAR(rod->K[N * i + j], 3.0 * 2.0 * gram, 1e-14);
                CHECK_NEAR(rod->D[N * i + j], 0.3 * 2.0 * gram, 1e-14);
            }
        }
        case_close(&c);
    }
}

// hats on two pieces of width 1/2, cubic Hermite on one piece: the tables of finite elements
static void test_stiffness_of_pieces(void** state) {
    (void)state;
    ModelCase c = case_open(ROD_TEXT "    strain: {bend_z: 3}\n    basis: piecewise_linear\n");
    const double hats[9] = {2, 1, 0, 1, 4, 1, 0, 1, 2};
    for (int i = 0; i < 9; i++) {
        CHECK_NEAR(get_rod(&c)->K[i], 4.0 * 2.0 * 0.5 / 6.0 * hats[i], 1e-14);
    }
    case_close(&c);

    c = case_open(ROD_TEXT "    strain: {stretch: 4}\n    basis: hermite\n");
    const double cubic[16] = {156, 22, 54, -13, 22, 4, 13, -3, 54, 13, 156, -22, -13, -3, -22, 4};
    for (int i = 0; i < 16; i++) {
        CHECK_NEAR(get_rod(&c)->K[i], 7.0 * 2.0 / 420.0 * cubic[i], 1e-14);
    }
    case_close(&c);

    c = case_open(ROD_TEXT "    strain: {twist: 4}\n    basis: piecewise_constant\n");
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            CHECK_NEAR(get_rod(&c)->K[4 * i + j], i == j ? 5.0 * 2.0 / 4.0 : 0.0, 1e-14);
        }
    }
    case_close(&c);
}

// columns: element by element, strain by strain, mode by mode; a coupled H couples the strains
static void test_columns_and_coupling(void** state) {
    (void)state;
    ModelCase c = case_open("tree:\n"
                            "  - rod: rod\n"
                            "    length: 2\n"
                            "    stiffness: [[5, 0.5, 0, 0, 0, 0], [0.5, 3, 0, 0, 0, 0],\n"
                            "                [0, 0, 4, 0.25, 0, 0], [0, 0, 0.25, 7, 0, 0],\n"
                            "                [0, 0, 0, 0, 8, 0], [0, 0, 0, 0, 0, 9]]\n"
                            "    inertia: [1, 1, 1, 2, 2, 2]\n"
                            "    elements:\n"
                            "      - {to: 0.25, strain: {bend_y: 1, twist: 1}}\n"
                            "      - {strain: {stretch: 1, bend_z: 2}}\n");
    // twist, bend_y on the first 0.5 m; bend_z (two modes), stretch on the other 1.5 m
    const double K[25] = {2.5, 0.25,  0, 0, 0, 0.25, 1.5, 0, 0, 0,     0, 0,   6.0,
                          0,   0.375, 0, 0, 0, 2.0,  0,   0, 0, 0.375, 0, 10.5};
    CHECK_ARRAY_NEAR(get_rod(&c)->K, K, 25, 1e-14);
    ElvNodeInfo info = elv_model_node(c.model, 0);
    const int modes[6] = {1, 1, 2, 1, 0, 0};
    for (int i = 0; i < 6; i++) {
        CHECK_TRUE(info.modes[i] == modes[i]);
    }
    case_close(&c);
}

// a stiffness that varies with s: integral of (1 + s) s^(i + j)
static void test_stiffness_along_s(void** state) {
    (void)state;
    ModelCase c = case_open("tree:\n"
                            "  - rod: rod\n"
                            "    length: 2\n"
                            "    stiffness: [1, \"1 + s\", 1, 1, 1, 1]\n"
                            "    inertia: [1, 1, 1, 2, 2, 2]\n"
                            "    strain: {bend_y: 5}\n"
                            "    basis: monomial\n");
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            CHECK_NEAR(get_rod(&c)->K[N * i + j], 2.0 / (i + j + 1) + 2.0 / (i + j + 2), 1e-14);
        }
    }
    case_close(&c);
}

// a cone: rho pi L (D^2 + D d + d^2)/12; a tube with a step; material damping scales stiffness
static void test_mass(void** state) {
    (void)state;
    ModelCase c = case_open("tree:\n"
                            "  - rod: cone\n"
                            "    length: 2\n"
                            "    section: {circle: {diameter: \"0.04 - 0.03*s\"}}\n"
                            "    material: {density: 1200, young: 1e6, damping: 0.02}\n"
                            "    strain: {bend_y: 3}\n");
    double mass = 1200.0 * PI * 2.0 * (0.04 * 0.04 + 0.04 * 0.01 + 0.01 * 0.01) / 12.0;
    CHECK_NEAR(elv_model_mass(c.model), mass, 1e-15);
    const ElvRod* rod = get_rod(&c);
    for (int i = 0; i < 9; i++) {
        CHECK_NEAR(rod->D[i], 0.02 * rod->K[i], 1e-18);
    }
    // centre of mass of a cone, from its base: L (D^2 + 2 D d + 3 d^2) / (4 (D^2 + D d + d^2))
    ElvMomentum momentum = elv_momentum(c.model, c.data, c.state);
    CHECK_NEAR(momentum.center.x, 2.0 * (16.0 + 8.0 + 3.0) / (4.0 * (16.0 + 4.0 + 1.0)), 1e-14);
    case_close(&c);

    c = case_open("tree:\n"
                  "  - rod: stepped\n"
                  "    length: 3\n"
                  "    section: {rectangle: {y: \"if(s < 1/3, 0.02, 0.01)\", z: 0.03}}\n"
                  "    material: {density: 1000, young: 1e6}\n"
                  "    strain: {bend_y: 3}\n");
    CHECK_NEAR(elv_model_mass(c.model), 1000.0 * 0.03 * (0.02 + 0.01 * 2.0), 1e-14);
    case_close(&c);
}

// ---- initial strains

static double strain_of(ModelCase* c, double s, ElvStrain strain) {
    double xi[6];
    elv_twist_to_array(elv_rod_strain_at(get_rod(c), c->state->q, s), xi);
    return xi[strain];
}

// fields in the space of the modes come back, whatever the basis
static void test_projection_is_exact(void** state) {
    (void)state;
    const char* const basis[] = {"monomial", "legendre", "chebyshev", "hermite",
                                 "piecewise_linear"};
    for (int kind = 0; kind < 5; kind++) {
        bool is_linear = kind == 4;
        ModelCase c = case_open(ROD_TEXT "    strain: {bend_y: 6, stretch: 6}\n"
                                         "    basis: %s\n"
                                         "    reference: {bend_y: \"sin(3*s)\", stretch: 1.1}\n"
                                         "    initial: {bend_y: \"sin(3*s) + %s\", stretch: 0.9}\n"
                                         "    initial_rate: {bend_y: \"1 - 2*s\"}\n",
                                basis[kind], is_linear ? "2 - s" : "2 - s + 3*s^2 - s^3");
        for (int i = 0; i <= 20; i++) {
            double s = i / 20.0;
            double added = is_linear ? 2.0 - s : 2.0 - s + 3.0 * s * s - s * s * s;
            CHECK_NEAR(strain_of(&c, s, ELV_STRAIN_BEND_Y), sin(3.0 * s) + added, 1e-11);
            CHECK_NEAR(strain_of(&c, s, ELV_STRAIN_STRETCH), 0.9, 1e-11);
            // rates are coordinates of the same basis, without a reference
            double rate[6];
            ElvTwist xi = elv_rod_strain_at(get_rod(&c), c.state->v, s);
            elv_twist_to_array(xi, rate);
            CHECK_NEAR(rate[ELV_STRAIN_BEND_Y] - sin(3.0 * s), 1.0 - 2.0 * s, 1e-11);
            CHECK_NEAR(rate[ELV_STRAIN_STRETCH], 1.1, 1e-11);
        }
        case_close(&c);
    }
}

// other fields: the best fit is orthogonal to the modes; for Legendre, closed coefficients
static void test_projection_is_best(void** state) {
    (void)state;
    ModelCase c = case_open(ROD_TEXT "    strain: {bend_z: 3}\n"
                                     "    initial: {bend_z: \"s^3\"}\n");
    // s^3 = P0/4 + 9/20 P1 + 1/4 P2 + 1/20 P3
    const double q[3] = {0.25, 0.45, 0.25};
    CHECK_ARRAY_NEAR(c.state->q, q, 3, 1e-14);
    CHECK_ARRAY_NEAR(c.state->v, ((double[3]){0.0}), 3, 0.0);
    case_close(&c);
    // a strain without an initial law stays at rest
    c = case_open(ROD_TEXT "    strain: {bend_y: 2, bend_z: 2}\n"
                           "    reference: {bend_y: \"exp(s)\"}\n"
                           "    initial: {bend_z: 1}\n");
    const double rest[4] = {0.0, 0.0, 1.0, 0.0};
    CHECK_ARRAY_NEAR(c.state->q, rest, 4, 1e-14);
    case_close(&c);
}

// mode shapes by values, on the second element's own coordinate
static void test_table_basis(void** state) {
    (void)state;
    ModelCase c =
        case_open("tree:\n"
                  "  - rod: rod\n"
                  "    length: 2\n"
                  "    stiffness: [5, 3, 4, 7, 8, 9]\n"
                  "    inertia: [1, 1, 1, 2, 2, 2]\n"
                  "    elements:\n"
                  "      - {to: 0.5, strain: {bend_y: 1}}\n"
                  "      - {basis: {bend_y: {table: {s: [0, 1], modes: [[1, 1], [0, 1]]}}}}\n"
                  "    initial: {bend_y: \"if(s < 0.5, 2, 4*s)\"}\n");
    // on the second element x = 2 s - 1: 4 s = 2 + 2 x
    const double q[3] = {2.0, 2.0, 2.0};
    CHECK_ARRAY_NEAR(c.state->q, q, 3, 1e-13);
    CHECK_NEAR(strain_of(&c, 0.49, ELV_STRAIN_BEND_Y), 2.0, 1e-13);
    CHECK_NEAR(strain_of(&c, 0.51, ELV_STRAIN_BEND_Y), 2.04, 1e-13);
    const double K[9] = {3.0, 0, 0, 0, 3.0, 1.5, 0, 1.5, 1.0};
    CHECK_ARRAY_NEAR(get_rod(&c)->K, K, 9, 1e-14);
    case_close(&c);
}

// ---- segments

static void test_segments(void** state) {
    (void)state;
    ModelCase c = case_open("tree:\n"
                            "  - rod: rod\n"
                            "    length: 2\n"
                            "    section: {circle: {diameter: {table: {s: [0, 0.1, 1],\n"
                            "              values: [0.03, 0.02, 0.01]}}}}\n"
                            "    material: {density: 1000, young: 1e6}\n"
                            "    elements:\n"
                            "      - {to: 0.4, strain: {bend_y: 2}, basis: piecewise_constant}\n"
                            "      - {strain: {bend_y: 3}, nodes: 7}\n"
                            "frames: [{name: a, on: rod.at(0.25)}]\n"
                            "loads:\n"
                            "  - {force: [0, 0, -1], rod: rod, from: 0.6, to: 0.9}\n");
    const ElvRod* rod = get_rod(&c);
    // section knot, PCS knot, port, element end, load ends
    const double end[] = {0.1, 0.2, 0.25, 0.4, 0.6, 0.9, 1.0};
    CHECK_TRUE(rod->n_segment == 7);
    double total = 0.0;
    for (int i = 0; i < 7; i++) {
        const ElvRodSegment* seg = &rod->segment[i];
        CHECK_NEAR(seg->s0, i == 0 ? 0.0 : end[i - 1], 1e-14);
        CHECK_NEAR(seg->s1, end[i], 1e-14);
        CHECK_TRUE(seg->i_element == (i < 4 ? 0 : 1));
        CHECK_TRUE(seg->n_col == (i < 4 ? 1 : 3));
        CHECK_TRUE(seg->col[0] == (i < 2 ? 0 : i < 4 ? 1 : 2));
        CHECK_TRUE(i < 4 || seg->n_node == 7);
        CHECK_TRUE(seg->end_port == (i == 2 ? 1 : i == 6 ? 2 : -1));
        for (int k = 0; k < seg->n_node; k++) {
            double s = rod->s[seg->i_node + k];
            CHECK_TRUE(s > seg->s0 && s < seg->s1);
            total += rod->weight[seg->i_node + k];
        }
    }
    CHECK_NEAR(total, 2.0, 1e-14);
    case_close(&c);
}

// ---- what cannot be built

static void check_refused(const char* text, const char* field, const char* word) {
    char whole[2048];
    ElvModel* model = NULL;
    ElvError error;
    snprintf(whole, sizeof whole, "elver: 1\n%s", text);
    ElvStatus status = elv_model_read_text(whole, strlen(whole), "case", NULL, 0, &model, &error);
    CHECK_TRUE(status == ELV_ERROR_INPUT && model == NULL);
    assert_string_equal(error.element, "rod");
    assert_string_equal(error.field, field);
    CHECK_TRUE(strstr(error.message, word) != NULL);
}

static void test_refused(void** state) {
    (void)state;
    // too few nodes for the modes, and mode shapes that are not independent
    check_refused(ROD_TEXT "    strain: {bend_y: 5}\n    nodes: 3\n", "basis", "nodes");
    check_refused(ROD_TEXT "    basis: {bend_y: {table: {s: [0, 1], modes: [[1, 1], [2, 2]]}}}\n",
                  "basis", "mode 1");
    check_refused("tree:\n"
                  "  - rod: rod\n"
                  "    length: 2\n"
                  "    section: {circle: {diameter: \"0.1*(0.5 - s)\"}}\n"
                  "    material: {density: 1000, young: 1e6}\n"
                  "    strain: {bend_y: 2}\n",
                  "section", "positive");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stiffness_of_polynomials),
        cmocka_unit_test(test_stiffness_of_pieces),
        cmocka_unit_test(test_columns_and_coupling),
        cmocka_unit_test(test_stiffness_along_s),
        cmocka_unit_test(test_mass),
        cmocka_unit_test(test_projection_is_exact),
        cmocka_unit_test(test_projection_is_best),
        cmocka_unit_test(test_table_basis),
        cmocka_unit_test(test_segments),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
