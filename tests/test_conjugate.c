// SPDX-License-Identifier: Apache-2.0
// Conjugate points of straight rods where buckling has closed forms: Euler's columns, free and clamped at the far
// end, with stretch and shear; Greenhill's twisted rod; a column under its own weight; sections without stiffness.
#include "model_case.h"

#include "elver/strong.h"
#include "elver/strong_inverse.h"

#define PI 3.14159265358979323846

/// A straight rod along x, turned about it by `turn` per metre, stretched, under a constant wrench.
typedef struct {
    double length, stretch, turn;
    ElvWrench lam;
} Straight;

static void straight_section(void* user, int i_node, double s, ElvPose* pose, ElvWrench* lam) {
    const Straight* rod = user;
    double x = s * rod->length;
    (void)i_node;
    *pose = elv_pose(elv_so3_exp(elv_vec3(rod->turn * x, 0.0, 0.0)),
                     elv_vec3(rod->stretch * x, 0.0, 0.0));
    *lam = rod->lam;
}

static ElvConjugateReport judge(const ModelCase* c, Straight* rod, double t, bool is_tip_held) {
    ElvConjugateReport report;
    ElvError error;
    ElvEquilibrium equilibrium = {
        .t = t, .is_tip_held = is_tip_held, .section = straight_section, .user = rod};
    CHECK_STATUS(elv_conjugate_points(c->model, &equilibrium, 0, &report, &error), &error);
    return report;
}

// points at distances from the tip, with multiplicities
static void check_points(const ElvConjugateReport* report,
                         double length,
                         int n,
                         const double* distance,
                         int multiplicity,
                         double tol) {
    int n_here = 0;
    for (int i = 0; i < n && distance[i] < length; i++) {
        CHECK_TRUE(i < report->n_point);
        CHECK_NEAR(length * (1.0 - report->point[i].s), distance[i], tol * length);
        CHECK_TRUE(report->point[i].multiplicity == multiplicity);
        n_here++;
    }
    CHECK_TRUE(report->n_point == n_here && report->n_negative == multiplicity * n_here);
    CHECK_TRUE(report->is_stiff && report->is_conservative);
    CHECK_TRUE(report->stability == (n_here > 0 ? ELV_STABILITY_UNSTABLE : ELV_STABILITY_STABLE));
}

// ---- columns

static ModelCase open_column(const char* stiffness, const char* strain) {
    return case_open(
        "tree:\n"
        "  - {rod: rod, length: 2, stiffness: %s, inertia: [1, 1, 1, 1, 1, 1], strain: %s}\n"
        "loads:\n"
        "  - {force: [\"-t\", 0, 0], at: rod.tip}\n",
        stiffness, strain);
}

// free far end: cos(k (l - X)) = 0
static void test_euler_column(void** unused) {
    (void)unused;
    static const struct {
        const char *stiffness, *strain;
        double EI, softness; // 1/GA - 1/EA of what is free
        int multiplicity;
    } CASE[] = {
        {"[1, 3, 3, 1, 1, 1]", "{bend_z: 2}", 3.0, 0.0, 1},
        {"[1, 3, 3, 1, 1, 1]", "{kirchhoff: 2}", 3.0, 0.0, 2},
        {"[1, 7, 3, 100, 1, 1]", "{bend_z: 2, stretch: 1}", 3.0, -0.01, 1},
        {"[1, 3, 3, 100, 50, 50]", "{reissner: 1}", 3.0, 0.02 - 0.01, 2},
    };
    for (size_t i = 0; i < sizeof CASE / sizeof *CASE; i++) {
        ModelCase c = open_column(CASE[i].stiffness, CASE[i].strain);
        double critical = PI * PI * CASE[i].EI / 16.0;
        bool is_soft = CASE[i].softness != 0.0;
        for (int load = 0; load < 4; load++) {
            static const double SHARE[4] = {-1.0, 0.9, 3.0, 11.0};
            double P = SHARE[load] * critical;
            // EI theta'' + P (1 + P (1/GA - 1/EA)) theta = 0 by X
            double k2 = P * (1.0 + P * CASE[i].softness) / CASE[i].EI;
            double distance[3];
            for (int n = 0; n < 3; n++) {
                distance[n] = k2 > 0.0 ? (n + 0.5) * PI / sqrt(k2) : INFINITY;
            }
            Straight rod = {
                2.0, is_soft ? 1.0 - P / 100.0 : 1.0, 0.0, {{0.0, 0.0, 0.0}, {-P, 0.0, 0.0}}};
            ElvConjugateReport report = judge(&c, &rod, P, false);
            check_points(&report, 2.0, 3, distance, CASE[i].multiplicity, 1e-9);
        }
        case_close(&c);
    }
}

// two stiffnesses: each plane buckles for itself
static void test_flat_column(void** unused) {
    (void)unused;
    ModelCase c = open_column("[1, 4, 1, 1, 1, 1]", "{kirchhoff: 2}");
    double P = 3.0;
    Straight rod = {2.0, 1.0, 0.0, {{0.0, 0.0, 0.0}, {-P, 0.0, 0.0}}};
    ElvConjugateReport report = judge(&c, &rod, P, false);
    const double distance[2] = {0.5 * PI / sqrt(P), 0.5 * PI / sqrt(P / 4.0)};
    check_points(&report, 2.0, 2, distance, 1, 1e-9);
    case_close(&c);
}

// far end clamped: k (l - X) = 2 pi, 2 * 4.4934, 4 pi
static void test_clamped_column(void** unused) {
    (void)unused;
    ModelCase c = case_open(
        "tree:\n"
        "  - {rod: rod, length: 2, stiffness: [1, 3, 3, 1000, 1, 1], inertia: [1, 1, 1, 1, 1, 1],\n"
        "     strain: {bend_z: 2, stretch: 1}}\n");
    for (int load = 0; load < 3; load++) {
        static const double TURN[3] = {0.9, 1.2, 2.1}; // k l / 2 pi
        double k = TURN[load] * PI;
        // P (1 - P/EA) = EI k^2
        double P = 500.0 * (1.0 - sqrt(1.0 - 4.0 * 3.0 * k * k / 1000.0));
        const double distance[3] = {2.0 * PI / k, 2.0 * 4.493409457909064 / k, 4.0 * PI / k};
        Straight rod = {2.0, 1.0 - P / 1000.0, 0.0, {{0.0, 0.0, 0.0}, {-P, 0.0, 0.0}}};
        ElvConjugateReport report = judge(&c, &rod, 0.0, true);
        check_points(&report, 2.0, 3, distance, 1, 1e-7);
    }
    case_close(&c);
}

// far end held at a point: tan(k (l - X)) = k (l - X); the equilibrium is found by shooting
static void test_pinned_column(void** unused) {
    (void)unused;
    ModelCase c = case_open(
        "tree:\n"
        "  - {rod: rod, length: 2, stiffness: [1, 3, 3, 1000, 1, 1], inertia: [1, 1, 1, 1, 1, 1],\n"
        "     strain: {extensible_kirchhoff: 2}}\n");
    static const double ROOT[3] = {4.493409457909064, 7.725251836937707, 10.90412165942890};
    static const double SHARE[3] = {0.9, 1.2, 2.2}; // k l / 4.49...
    for (int load = 0; load < 3; load++) {
        double k = SHARE[load] * ROOT[0] / 2.0;
        double P = 500.0 * (1.0 - sqrt(1.0 - 4.0 * 3.0 * k * k / 1000.0));
        const double distance[3] = {ROOT[0] / k, ROOT[1] / k, ROOT[2] / k};
        ElvStaticsDef def = elv_statics_def_default();
        ElvVec3 tip = elv_vec3(2.0 * (1.0 - P / 1000.0), 0.0, 0.0);
        ElvShooting* shooting = NULL;
        ElvConjugateReport report;
        ElvError error;
        CHECK_STATUS(elv_shoot_create(c.model, &def, &shooting, &error), &error);
        elv_shoot_hold_point(shooting, &tip);
        CHECK_STATUS(elv_shoot_statics(shooting, 0.0, &error), &error);
        CHECK_NEAR(elv_shoot_tip_wrench(shooting).frc.x, -P, 1e-7 * P);
        CHECK_STATUS(elv_conjugate_points_shooting(shooting, &report, &error), &error);
        // in two planes
        check_points(&report, 2.0, 3, distance, 2, 1e-7);
        elv_shoot_free(shooting);
    }
    case_close(&c);
}

// ---- twist

// Greenhill: a rod clamped at both ends, twisted by M, buckles in two ways at once where M l / EI = 2 * 4.4934
static void test_greenhill(void** unused) {
    (void)unused;
    ModelCase c = case_open(
        "tree:\n"
        "  - {rod: rod, length: 2, stiffness: [2, 3, 3, 1, 1, 1], inertia: [1, 1, 1, 1, 1, 1],\n"
        "     strain: {kirchhoff: 2}}\n");
    for (int load = 0; load < 3; load++) {
        static const double SHARE[3] = {0.99, 1.01, 1.7};
        double M = SHARE[load] * 2.0 * 4.493409457909064 * 3.0 / 2.0;
        // the next root is at 2 * 7.7253
        const double distance[2] = {2.0 / SHARE[load],
                                    2.0 * 7.725251836937707 / 4.493409457909064 / SHARE[load]};
        Straight rod = {2.0, 1.0, M / 2.0, {{M, 0.0, 0.0}, {0.0, 0.0, 0.0}}};
        ElvConjugateReport report = judge(&c, &rod, 0.0, true);
        check_points(&report, 2.0, 2, distance, 2, 1e-7);
        // the same torque on a free end has no potential
        if (load == 1) {
            ModelCase free_end = case_open("tree:\n"
                                           "  - {rod: rod, length: 2, stiffness: [2, 3, 3, 1, 1, "
                                           "1], inertia: [1, 1, 1, 1, 1, 1],\n"
                                           "     strain: {kirchhoff: 2}}\n"
                                           "loads:\n  - {torque: [\"t\", 0, 0], at: rod.tip}\n");
            report = judge(&free_end, &rod, M, false);
            CHECK_TRUE(!report.is_conservative && report.stability == ELV_STABILITY_UNKNOWN);
            case_close(&free_end);
        }
    }
    case_close(&c);
}

// ---- weight

typedef struct {
    double weight; // per metre
} Heavy;

static void heavy_section(void* user, int i_node, double s, ElvPose* pose, ElvWrench* lam) {
    const Heavy* heavy = user;
    (void)i_node;
    *pose = elv_pose(elv_mat3_identity(), elv_vec3(s, 0.0, 0.0));
    *lam = elv_wrench(elv_vec3(0.0, 0.0, 0.0), elv_vec3(-heavy->weight * (1.0 - s), 0.0, 0.0));
}

// a column under its own weight: q (l - X)^3 = 7.837347 EI, from the first zero 1.866351 of J_(-1/3)
static void test_column_under_its_weight(void** unused) {
    (void)unused;
    ModelCase c = case_open("gravity: [-10, 0, 0]\n"
                            "tree:\n"
                            "  - {rod: rod, length: 1, stiffness: [1, 1, 1, 1, 1, 1], inertia: [1, "
                            "1, 1, 1, 1, 1], strain: {kirchhoff: 2}}\n");
    Heavy heavy = {10.0};
    ElvEquilibrium equilibrium = {.section = heavy_section, .user = &heavy};
    ElvConjugateReport report;
    ElvError error;
    CHECK_STATUS(elv_conjugate_points(c.model, &equilibrium, 0, &report, &error), &error);
    double zero = 1.866350858873895;
    const double distance[1] = {cbrt(2.25 * zero * zero / 10.0)};
    check_points(&report, 1.0, 1, distance, 2, 1e-9);
    case_close(&c);
}

// ---- Legendre and Clebsch

static void softening(void* user,
                      double t,
                      double s,
                      const double* xi,
                      const double* xi_dot,
                      double* stress,
                      double* K,
                      double* D) {
    (void)user, (void)t, (void)xi_dot, (void)D;
    // takes more than the bending stiffness away beyond s = 0.6
    double k = s > 0.6 ? 2.0 : 0.5;
    stress[2] = -k * xi[2];
    if (K) {
        K[2 * 6 + 2] = -k;
    }
}

static void test_section_without_stiffness(void** unused) {
    (void)unused;
    static const char TEXT[] = "elver: 1\n"
                               "tree:\n"
                               "  - {rod: rod, length: 2, stiffness: [1, 1, 1, 1, 1, 1], inertia: "
                               "[1, 1, 1, 1, 1, 1], strain: {bend_z: 2}}\n";
    ElvSpec* spec;
    ElvError error;
    ModelCase c = {0};
    ElvStressLawDef law = elv_stress_law_def_default();
    law.rod = "rod";
    law.callback = softening;
    CHECK_STATUS(elv_spec_read_text(TEXT, strlen(TEXT), "case", NULL, 0, &spec, &error), &error);
    CHECK_STATUS(elv_spec_add_stress_law(spec, &law, &error), &error);
    CHECK_STATUS(elv_spec_compile(spec, &c.model, &error), &error);
    elv_spec_free(spec);
    Straight rod = {2.0, 1.0, 0.0, {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}};
    ElvConjugateReport report = judge(&c, &rod, 0.0, false);
    CHECK_TRUE(!report.is_stiff && report.stability == ELV_STABILITY_UNSTABLE);
    CHECK_TRUE(report.weak_node == 0 && report.weak_s > 0.6 && report.weak_s < 0.6 + 1.0 / 32.0);
    elv_model_free(c.model);
}

static void test_sections_are_needed(void** state) {
    (void)state;
    ModelCase c = case_open("tree:\n  - {rod: rod, length: 1, section: {circle: {diameter: 0.1}},\n"
                            "     material: {density: 1000, young: 1e9}, strain: {bend_y: 2}}\n");
    ElvEquilibrium nothing = {.t = 0.0};
    ElvConjugateReport report;
    ElvError error;
    CHECK_TRUE(elv_conjugate_points(c.model, &nothing, 0, &report, &error) == ELV_ERROR_INPUT);
    case_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_euler_column),
        cmocka_unit_test(test_flat_column),
        cmocka_unit_test(test_clamped_column),
        cmocka_unit_test(test_pinned_column),
        cmocka_unit_test(test_greenhill),
        cmocka_unit_test(test_column_under_its_weight),
        cmocka_unit_test(test_section_without_stiffness),
        cmocka_unit_test(test_sections_are_needed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
