// SPDX-License-Identifier: Apache-2.0
// Cross-sections: area and moments of every shape against closed forms of the handbook, stiffness,
// inertia and damping from them, matrices given directly, laws of s, and what is refused, where.
#include "rod/cross_section.h"

#include "check.h"

static const double PI = 3.14159265358979323846;

// made of a material with E = 2e6, G = 0.7e6, rho = 1100 unless said otherwise
static const double E = 2e6;
static const double G = 0.7e6;
static const double RHO = 1100.0;

typedef struct {
    ElvPool pool;
    ElvLawSet laws;
    ElvCrossSection section;
    ElvError error;
} Case;

static ElvRodDef make_rod(ElvSectionKind kind) {
    ElvRodDef def = elv_rod_def_default();
    def.name = "arm";
    def.section.kind = kind;
    def.section.outer[0] = elv_law_def_value(0.03);
    def.section.outer[1] = elv_law_def_value(0.05);
    def.section.inner[0] = elv_law_def_value(0.01);
    def.section.inner[1] = elv_law_def_value(0.02);
    def.material.density = RHO;
    def.material.young = E;
    def.material.shear = G;
    return def;
}

static ElvStatus case_open(Case* c, const ElvRodDef* def) {
    memset(c, 0, sizeof *c);
    c->laws.pool = &c->pool;
    return elv_cross_section_init(&c->section, def, &c->laws, &c->error);
}

static void case_close(Case* c) {
    elv_law_set_free(&c->laws);
    elv_pool_free(&c->pool);
}

// diagonals against numbers, zeros elsewhere
static void check_diagonal(const ElvMat6* actual, const double expected[6]) {
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            double value = i == j ? expected[i] : 0.0;
            CHECK_NEAR(actual->m[i][j], value, 4e-15 * fabs(value));
        }
    }
}

static void check_section(const ElvRodDef* def, double A, double I_y, double I_z, double J) {
    Case c;
    ElvMat6 H, M, D;
    CHECK_STATUS(case_open(&c, def), &c.error);
    CHECK_STATUS(elv_cross_section_eval(&c.section, "arm", 0.5, &H, &M, &D, &c.error), &c.error);
    check_diagonal(&H, (double[6]){G * J, E * I_y, E * I_z, E * A, G * A, G * A});
    check_diagonal(&M,
                   (double[6]){RHO * (I_y + I_z), RHO * I_y, RHO * I_z, RHO * A, RHO * A, RHO * A});
    check_diagonal(&D, (double[6]){0.0});
    case_close(&c);
}

static void test_full_shapes(void** state) {
    (void)state;
    // circle of diameter d: pi d^2/4, pi d^4/64
    ElvRodDef circle = make_rod(ELV_SECTION_CIRCLE);
    double d = 0.03;
    check_section(&circle, PI * d * d / 4.0, PI * pow(d, 4) / 64.0, PI * pow(d, 4) / 64.0,
                  PI * pow(d, 4) / 32.0);
    // ellipse with semi-axes a along y, b along z: pi a b, pi a b^3/4 about y
    ElvRodDef ellipse = make_rod(ELV_SECTION_ELLIPSE);
    double a = 0.015;
    double b = 0.025;
    check_section(&ellipse, PI * a * b, PI * a * b * b * b / 4.0, PI * b * a * a * a / 4.0,
                  PI * a * b * (a * a + b * b) / 4.0);
    // rectangle of widths y, z: y z, y z^3/12 about y
    ElvRodDef rectangle = make_rod(ELV_SECTION_RECTANGLE);
    double y = 0.03;
    double z = 0.05;
    check_section(&rectangle, y * z, y * z * z * z / 12.0, z * y * y * y / 12.0,
                  y * z * (y * y + z * z) / 12.0);
}

static void test_hollow_shapes(void** state) {
    (void)state;
    ElvRodDef tube = make_rod(ELV_SECTION_CIRCLE);
    tube.section.is_hollow = true;
    double I = PI * (pow(0.03, 4) - pow(0.01, 4)) / 64.0;
    check_section(&tube, PI * (0.03 * 0.03 - 0.01 * 0.01) / 4.0, I, I, 2.0 * I);

    ElvRodDef ring = make_rod(ELV_SECTION_ELLIPSE);
    ring.section.is_hollow = true;
    double I_y = PI * (0.015 * pow(0.025, 3) - 0.005 * pow(0.01, 3)) / 4.0;
    double I_z = PI * (0.025 * pow(0.015, 3) - 0.01 * pow(0.005, 3)) / 4.0;
    check_section(&ring, PI * (0.015 * 0.025 - 0.005 * 0.01), I_y, I_z, I_y + I_z);

    ElvRodDef box = make_rod(ELV_SECTION_RECTANGLE);
    box.section.is_hollow = true;
    I_y = (0.03 * pow(0.05, 3) - 0.01 * pow(0.02, 3)) / 12.0;
    I_z = (0.05 * pow(0.03, 3) - 0.02 * pow(0.01, 3)) / 12.0;
    check_section(&box, 0.03 * 0.05 - 0.01 * 0.02, I_y, I_z, I_y + I_z);
}

static void test_explicit_and_factors(void** state) {
    (void)state;
    ElvRodDef def = make_rod(ELV_SECTION_EXPLICIT);
    def.section.area = elv_law_def_value(2e-4);
    def.section.inertia_y = elv_law_def_value(3e-9);
    def.section.inertia_z = elv_law_def_value(5e-9);
    check_section(&def, 2e-4, 3e-9, 5e-9, 8e-9);
    def.section.has_torsion = true;
    def.section.torsion = elv_law_def_value(6e-9);
    def.section.shear_factor = elv_law_def_value(0.85);
    Case c;
    ElvMat6 H, M, D;
    CHECK_STATUS(case_open(&c, &def), &c.error);
    CHECK_STATUS(elv_cross_section_eval(&c.section, "arm", 0.5, &H, &M, &D, &c.error), &c.error);
    // torsion constant and shear factor enter the stiffness alone
    check_diagonal(
        &H, (double[6]){G * 6e-9, E * 3e-9, E * 5e-9, E * 2e-4, 0.85 * G * 2e-4, 0.85 * G * 2e-4});
    check_diagonal(
        &M, (double[6]){RHO * 8e-9, RHO * 3e-9, RHO * 5e-9, RHO * 2e-4, RHO * 2e-4, RHO * 2e-4});
    case_close(&c);
}

// G = E / (2 (1 + nu)) unless it is given
static void test_shear_modulus(void** state) {
    (void)state;
    ElvRodDef def = make_rod(ELV_SECTION_RECTANGLE);
    def.material.shear = 0.0;
    def.material.poisson = 0.25;
    Case c;
    ElvMat6 H, M, D;
    CHECK_STATUS(case_open(&c, &def), &c.error);
    CHECK_STATUS(elv_cross_section_eval(&c.section, "arm", 0.0, &H, &M, &D, &c.error), &c.error);
    CHECK_NEAR(H.m[4][4], E / 2.5 * 0.03 * 0.05, 1e-12);
    CHECK_NEAR(H.m[3][3], E * 0.03 * 0.05, 1e-12);
    case_close(&c);
}

// widths as laws of s, evaluated at their station
static void test_tapered(void** state) {
    (void)state;
    ElvRodDef def = make_rod(ELV_SECTION_CIRCLE);
    def.section.outer[0] = elv_law_def_formula("0.04*(1 - 0.5*s)");
    def.section.is_hollow = true;
    const double x[2] = {0.0, 1.0};
    const double y[2] = {0.02, 0.01};
    def.section.inner[0] = elv_law_def_table(ELV_VARIABLE_S, ELV_TABLE_LINEAR, x, y, 2);
    Case c;
    CHECK_STATUS(case_open(&c, &def), &c.error);
    for (int i = 0; i <= 4; i++) {
        double s = 0.25 * i;
        double outer = 0.04 * (1.0 - 0.5 * s);
        double inner = 0.02 - 0.01 * s;
        ElvMat6 H, M, D;
        CHECK_STATUS(elv_cross_section_eval(&c.section, "arm", s, &H, &M, &D, &c.error), &c.error);
        CHECK_NEAR(M.m[5][5], RHO * PI * (outer * outer - inner * inner) / 4.0, 1e-15);
        CHECK_NEAR(H.m[1][1], E * PI * (pow(outer, 4) - pow(inner, 4)) / 64.0, 1e-15);
    }
    case_close(&c);
}

static void test_damping(void** state) {
    (void)state;
    ElvRodDef def = make_rod(ELV_SECTION_RECTANGLE);
    for (int i = 0; i < 6; i++) {
        def.material.damping[i] = 1e-3 * (i + 1);
    }
    Case c;
    ElvMat6 H, M, D;
    CHECK_STATUS(case_open(&c, &def), &c.error);
    CHECK_STATUS(elv_cross_section_eval(&c.section, "arm", 0.0, &H, &M, &D, &c.error), &c.error);
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            double expected = i == j ? 1e-3 * (i + 1) * H.m[i][i] : 0.0;
            CHECK_NEAR(D.m[i][j], expected, 1e-15 * fabs(expected));
        }
    }
    case_close(&c);
}

// a coupled stiffness: damping sqrt(mu_i mu_j) H_ij, symmetric
static void test_given_matrices(void** state) {
    (void)state;
    ElvRodDef def = make_rod(ELV_SECTION_NONE);
    def.stiffness.n = 36;
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            def.stiffness.entry[6 * i + j] = elv_law_def_value(i == j ? 10.0 + i : 0.5);
        }
        def.material.damping[i] = (i + 1.0) * (i + 1.0);
    }
    def.inertia.n = 6;
    for (int i = 0; i < 6; i++) {
        def.inertia.entry[i] = elv_law_def_formula(i < 3 ? "1e-3*(1 + s)" : "2 - s");
    }
    Case c;
    ElvMat6 H, M, D;
    CHECK_STATUS(case_open(&c, &def), &c.error);
    CHECK_STATUS(elv_cross_section_eval(&c.section, "arm", 0.25, &H, &M, &D, &c.error), &c.error);
    check_diagonal(&M, (double[6]){1.25e-3, 1.25e-3, 1.25e-3, 1.75, 1.75, 1.75});
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            double expected = i == j ? 10.0 + i : 0.5;
            CHECK_NEAR(H.m[i][j], expected, 0.0);
            CHECK_NEAR(D.m[i][j], (i + 1.0) * (j + 1.0) * expected, 1e-12);
        }
    }
    case_close(&c);

    // a given damping matrix replaces the material's; matrices replace a section's part by part
    ElvRodDef part = make_rod(ELV_SECTION_RECTANGLE);
    part.material.damping[2] = 1.0;
    part.damping.n = 6;
    for (int i = 0; i < 6; i++) {
        part.damping.entry[i] = elv_law_def_value(i);
    }
    CHECK_STATUS(case_open(&c, &part), &c.error);
    CHECK_STATUS(elv_cross_section_eval(&c.section, "arm", 0.25, &H, &M, &D, &c.error), &c.error);
    check_diagonal(&D, (double[6]){0.0, 1.0, 2.0, 3.0, 4.0, 5.0});
    CHECK_NEAR(M.m[3][3], RHO * 0.03 * 0.05, 1e-15);
    case_close(&c);
}

// refused by init or at a station: the key, and a word of the message
static void check_refused(const ElvRodDef* def, double s, const char* field, const char* word) {
    Case c;
    ElvMat6 H, M, D;
    ElvStatus status = case_open(&c, def);
    if (status == ELV_OK) {
        status = elv_cross_section_eval(&c.section, "arm", s, &H, &M, &D, &c.error);
    }
    CHECK_TRUE(status == ELV_ERROR_INPUT);
    assert_string_equal(c.error.element, "arm");
    assert_string_equal(c.error.field, field);
    if (!strstr(c.error.message, word)) {
        print_error("'%s' has no '%s'\n", c.error.message, word);
        fail();
    }
    case_close(&c);
}

static void test_refused_shapes(void** state) {
    (void)state;
    ElvRodDef def = make_rod(ELV_SECTION_CIRCLE);
    def.section.outer[0] = elv_law_def_formula("0.5 - s");
    check_refused(&def, 0.75, "section", "s = 0.5");
    def.section.outer[0] = elv_law_def_formula("t");
    check_refused(&def, 0.0, "section", "time");
    def.section.outer[0] = elv_law_def_formula("sqrt(s - 1)");
    check_refused(&def, 0.5, "section", "positive");

    def = make_rod(ELV_SECTION_RECTANGLE);
    def.section.outer[1] = elv_law_def_value(0.0);
    check_refused(&def, 0.5, "section", "positive");
    def = make_rod(ELV_SECTION_RECTANGLE);
    def.section.is_hollow = true;
    def.section.inner[1] = elv_law_def_formula("0.1*s");
    check_refused(&def, 0.5, "section", "hole");
    def = make_rod(ELV_SECTION_ELLIPSE);
    def.section.is_hollow = true;
    def.section.inner[0] = elv_law_def_value(-0.001);
    check_refused(&def, 0.5, "section", "hole");

    def = make_rod(ELV_SECTION_CIRCLE);
    def.section.shear_factor = elv_law_def_value(0.0);
    check_refused(&def, 0.5, "section", "shear factor");
    def = make_rod(ELV_SECTION_EXPLICIT);
    def.section.area = elv_law_def_value(1e-4);
    def.section.inertia_y = elv_law_def_formula("s - 0.5");
    def.section.inertia_z = elv_law_def_value(1e-9);
    check_refused(&def, 0.25, "section", "not negative");
}

static ElvRodDef make_matrix_rod(void) {
    ElvRodDef def = make_rod(ELV_SECTION_NONE);
    ElvMatrixDef* const matrix[] = {&def.stiffness, &def.inertia, &def.damping};
    for (int m = 0; m < 3; m++) {
        matrix[m]->n = 36;
        for (int i = 0; i < 6; i++) {
            matrix[m]->entry[7 * i] = elv_law_def_value(1.0);
        }
    }
    return def;
}

// zero and semi-definite matrices are allowed, the string has no bending stiffness
static void test_semi_definite(void** state) {
    (void)state;
    ElvRodDef def = make_matrix_rod();
    for (int i = 0; i < 6; i++) {
        def.stiffness.entry[7 * i] = elv_law_def_value(0.0);
    }
    // rank one on (1, 4): [1 2; 2 4]
    def.inertia.entry[6 * 1 + 4] = def.inertia.entry[6 * 4 + 1] = elv_law_def_value(2.0);
    def.inertia.entry[7 * 4] = elv_law_def_value(4.0);
    Case c;
    ElvMat6 H, M, D;
    CHECK_STATUS(case_open(&c, &def), &c.error);
    CHECK_STATUS(elv_cross_section_eval(&c.section, "arm", 0.5, &H, &M, &D, &c.error), &c.error);
    case_close(&c);
}

static void test_refused_matrices(void** state) {
    (void)state;
    // one entry below the diagonal only
    ElvRodDef def = make_matrix_rod();
    def.stiffness.entry[6] = elv_law_def_value(0.1);
    check_refused(&def, 0.5, "stiffness", "symmetric");
    // a negative pivot after elimination: [1 2; 2 1]
    def = make_matrix_rod();
    def.inertia.entry[6 * 2 + 5] = def.inertia.entry[6 * 5 + 2] = elv_law_def_value(2.0);
    check_refused(&def, 0.5, "inertia", "negative");
    def = make_matrix_rod();
    def.damping.entry[7 * 3] = elv_law_def_formula("0.5 - s");
    check_refused(&def, 0.75, "damping", "s = 0.75");
    // coupled to a direction without stiffness: [1 1; 1 0] and [0 1; 1 1]
    for (int i = 0; i < 2; i++) {
        def = make_matrix_rod();
        def.stiffness.entry[7 * i] = elv_law_def_value(0.0);
        def.stiffness.entry[1] = def.stiffness.entry[6] = elv_law_def_value(1.0);
        check_refused(&def, 0.5, "stiffness", "negative");
    }
    def = make_matrix_rod();
    def.stiffness.entry[0] = elv_law_def_formula("sqrt(s - 1)");
    check_refused(&def, 0.5, "stiffness", "symmetric");
    def = make_matrix_rod();
    def.inertia.entry[3] = elv_law_def_formula("t");
    check_refused(&def, 0.5, "inertia", "time");
}

static void test_breakpoints(void** state) {
    (void)state;
    const double x[3] = {0.0, 0.3, 1.0};
    const double y[3] = {0.03, 0.02, 0.01};
    ElvRodDef def = make_rod(ELV_SECTION_CIRCLE);
    def.section.outer[0] = elv_law_def_table(ELV_VARIABLE_S, ELV_TABLE_LINEAR, x, y, 3);
    def.damping.n = 6;
    for (int i = 0; i < 6; i++) {
        def.damping.entry[i] = elv_law_def_value(0.0);
    }
    def.damping.entry[5] = elv_law_def_formula("if(s < 0.75, 1, 2)");
    Case c;
    CHECK_STATUS(case_open(&c, &def), &c.error);
    double out[16] = {0.0};
    size_t n = elv_cross_section_breakpoints(&c.section, out, 16);
    bool has_knot = false;
    bool has_switch = false;
    for (size_t i = 0; i < n; i++) {
        has_knot |= fabs(out[i] - 0.3) < 1e-12;
        has_switch |= fabs(out[i] - 0.75) < 1e-12;
    }
    CHECK_TRUE(n <= 16 && has_knot && has_switch);
    // never more than there is room for
    double one[2] = {-1.0, -1.0};
    CHECK_TRUE(elv_cross_section_breakpoints(&c.section, one, 1) == 1 && one[1] == -1.0);
    case_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_full_shapes),
        cmocka_unit_test(test_hollow_shapes),
        cmocka_unit_test(test_explicit_and_factors),
        cmocka_unit_test(test_shear_modulus),
        cmocka_unit_test(test_tapered),
        cmocka_unit_test(test_damping),
        cmocka_unit_test(test_given_matrices),
        cmocka_unit_test(test_refused_shapes),
        cmocka_unit_test(test_semi_definite),
        cmocka_unit_test(test_refused_matrices),
        cmocka_unit_test(test_breakpoints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
