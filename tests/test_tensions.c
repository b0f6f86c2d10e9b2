// SPDX-License-Identifier: Apache-2.0
// From a shape to tensions: the equilibrium under known tensions gives them back; what only a push could do is left
// over; a stress that no tension gives is approached as a closed form says; forward of inverse.
#include "model_case.h"

#include "elver/strong.h"
#include "elver/strong_inverse.h"

#define PI 3.14159265358979323846

enum { MAX_DEVICE = 8 };

static void
shot_strain(void* user, int i_node, double s, double xi[6], double xi_dot[6], double xi_ddot[6]) {
    ElvTwist strain;
    (void)xi_dot, (void)xi_ddot;
    elv_shoot_section(user, i_node, s, NULL, &strain, NULL);
    elv_twist_to_array(strain, xi);
}

static ElvShooting* open_shooting(const ElvModel* model) {
    ElvShooting* shooting;
    ElvError error;
    ElvStaticsDef options = elv_model_statics(model);
    options.shooting.space_tol = 1e-12;
    options.tolerance = 1e-12;
    CHECK_STATUS(elv_shoot_create(model, &options, &shooting, &error), &error);
    return shooting;
}

// shape of the equilibrium at load t by shooting, then the tensions for it
static ElvTensionReport find_inputs(const ElvModel* model, double t, double* input) {
    ElvShooting* shooting = open_shooting(model);
    ElvRiccati* riccati;
    ElvTensionReport report;
    ElvError error;
    CHECK_STATUS(elv_shoot_statics(shooting, t, &error), &error);
    CHECK_STATUS(elv_riccati_create(model, 0, &riccati, &error), &error);
    ElvStrainMotion motion = {.t = t, .is_static = true, .strain = shot_strain, .user = shooting};
    CHECK_STATUS(elv_riccati_solve(riccati, &motion, &error), &error);
    CHECK_STATUS(elv_riccati_tensions(riccati, NULL, input, &report, &error), &error);
    elv_riccati_free(riccati);
    elv_shoot_free(shooting);
    return report;
}

static void check_inputs(const char* text, int n, const double* expected) {
    ModelCase c = case_open("%s", text);
    double input[MAX_DEVICE];
    CHECK_TRUE(elv_model_n_device(c.model) == n && n <= MAX_DEVICE);
    ElvTensionReport report = find_inputs(c.model, 1.0, input);
    for (int i = 0; i < n; i++) {
        CHECK_NEAR(input[i], expected[i], 1e-7 * fabs(expected[i]));
    }
    CHECK_TRUE(report.left < 1e-8 * report.wanted && report.wanted > 0.0);
    case_close(&c);
}

#define ROD                                                                                        \
    "length: 0.4, section: {circle: {radius: 2e-3}}, material: {density: 2000, young: 2e9, "       \
    "poisson: 0.3}"

static void test_equilibrium_gives_its_tensions_back(void** unused) {
    (void)unused;
    // three tendons around a rod that may stretch, in gravity
    check_inputs(
        "gravity: [0, 0, -9.81]\n"
        "tree:\n"
        "  - {rod: rod, " ROD ", strain: {extensible_kirchhoff: 4}}\n"
        "  - {body: ball, parent: rod.tip, mass: 0.02, inertia: [0, 0, 0]}\n"
        "actuators:\n"
        "  - {tendon: a, path: {rod: rod, y: 0.008, outside: true}, tension: \"3*t\"}\n"
        "  - {tendon: b, path: {rod: rod, y: -0.004, z: 0.006928, outside: true}, tension: \"t\"}\n"
        "  - {tendon: c, path: {rod: rod, y: -0.004, z: -0.006928, outside: true}, tension: "
        "\"2*t\"}\n",
        3, (double[]){3.0, 1.0, 2.0});
    // convergent and helical ones that see the strain, and one that is slack
    check_inputs("gravity: [9.81, 0, 0]\n"
                 "tree:\n"
                 "  - {rod: rod, " ROD ", strain: {kirchhoff: 4}}\n"
                 "actuators:\n"
                 "  - {tendon: a, path: {rod: rod, y: \"0.01*(1 - 0.8*s)\", outside: true}, "
                 "tension: \"3*t\"}\n"
                 "  - {tendon: b, path: {rod: rod, y: \"0.01*cos(2*pi*s)\", z: "
                 "\"0.01*sin(2*pi*s)\", outside: true}, tension: \"2*t\"}\n"
                 "  - {tendon: c, path: {rod: rod, z: 0.01, to: 0.5, outside: true}, tension: 0}\n",
                 3, (double[]){3.0, 2.0, 0.0});
    // two rods: a tendon through both, a chamber, and others that follow their laws
    check_inputs(
        "gravity: [0, 1, -9.81]\n"
        "tree:\n"
        "  - {rod: one, " ROD ", strain: {extensible_kirchhoff: 4}}\n"
        "  - {rod: two, parent: one.tip, " ROD ", strain: {kirchhoff: 3}}\n"
        "actuators:\n"
        "  - {tendon: a, path: [{rod: one, y: 0.008, outside: true}, {rod: two, y: 0.008, outside: "
        "true}], tension: \"2*t\"}\n"
        "  - {muscle: m, path: {rod: two, z: 0.005, outside: true}, force: 0.5, activation: 0.6}\n"
        "  - {chamber: c, path: {rod: one, z: 0.004, outside: true}, area: 1e-5, pressure: "
        "\"2e4*t\"}\n"
        "  - {strain_control: one, kp: {bend_y: 0.01}, target: {bend_y: \"0.5*t\"}}\n",
        3, (double[]){2.0, 0.0, 2e4});
}

// ---- shapes by hand

static void
bent(void* user, int i_node, double s, double xi[6], double xi_dot[6], double xi_ddot[6]) {
    (void)i_node, (void)s, (void)xi_dot, (void)xi_ddot;
    xi[2] = *(const double*)user;
}

static ElvTensionReport
shape_inputs(const ModelCase* c, double curvature, const double* weight, double* input) {
    ElvRiccati* riccati;
    ElvTensionReport report;
    ElvError error;
    ElvStrainMotion motion = {.is_static = true, .strain = bent, .user = &curvature};
    CHECK_STATUS(elv_riccati_create(c->model, 0, &riccati, &error), &error);
    CHECK_STATUS(elv_riccati_solve(riccati, &motion, &error), &error);
    CHECK_STATUS(elv_riccati_tensions(riccati, weight, input, &report, &error), &error);
    elv_riccati_free(riccati);
    return report;
}

// an arc wants a constant moment -EI k; a tendon at y (1 - s) gives -u y (1 - s) c, c its direction along the axis.
// Least squares: u = 3/2 EI k / (y c), and a quarter of the square is left
static void test_convergent_tendon_for_an_arc(void** unused) {
    (void)unused;
    ModelCase c = case_open("tree:\n"
                            "  - {rod: rod, " ROD ", strain: {bend_z: 1}}\n"
                            "actuators:\n"
                            "  - {tendon: a, path: {rod: rod, y: \"0.01*(1 - s)\", outside: true}, "
                            "tension: 0, strain_dependence: false}\n");
    double EI = 2e9 * PI * 16e-12 / 4.0;
    double k = 3.0, l = 0.4, y = 0.01;
    double direction = 1.0 / sqrt(1.0 + y * y / (l * l));
    double input[1];
    ElvTensionReport report = shape_inputs(&c, k, NULL, input);
    CHECK_NEAR(input[0], 1.5 * EI * k / (y * direction), 1e-10);
    CHECK_NEAR(report.wanted, k * sqrt(EI * l), 1e-12);
    CHECK_NEAR(report.left, 0.5 * k * sqrt(EI * l), 1e-12);
    // weights of one's own measure in their own unit
    const double weight[6] = {1.0, 1.0, 4.0, 1.0, 1.0, 1.0};
    report = shape_inputs(&c, k, weight, input);
    CHECK_NEAR(input[0], 1.5 * EI * k / (y * direction), 1e-10);
    CHECK_NEAR(report.left, 0.5 * 2.0 * EI * k * sqrt(l), 1e-12);
    // the other way it would have to push
    report = shape_inputs(&c, -k, NULL, input);
    CHECK_TRUE(input[0] == 0.0 && report.n_used == 0);
    CHECK_NEAR(report.left, report.wanted, 1e-14);
    case_close(&c);
}

// two tendons, one on each side: the one that pulls the right way does it alone
static void test_antagonists(void** unused) {
    (void)unused;
    ModelCase c =
        case_open("tree:\n"
                  "  - {rod: rod, " ROD ", strain: {bend_z: 1}}\n"
                  "actuators:\n"
                  "  - {tendon: a, path: {rod: rod, y: 0.01, outside: true}, tension: 0}\n"
                  "  - {tendon: b, path: {rod: rod, y: -0.01, outside: true}, tension: 0}\n");
    double EI = 2e9 * PI * 16e-12 / 4.0;
    for (int side = -1; side <= 1; side += 2) {
        double input[2];
        ElvTensionReport report = shape_inputs(&c, 2.0 * side, NULL, input);
        CHECK_NEAR(input[side < 0], EI * 2.0 / 0.01, 1e-10);
        CHECK_TRUE(input[side > 0] == 0.0 && report.n_used == 1);
        CHECK_TRUE(report.left < 1e-12 * report.wanted);
    }
    case_close(&c);
}

static void test_errors(void** unused) {
    (void)unused;
    static const char* const TEXT[] = {
        "tree:\n  - {rod: rod, " ROD ", strain: {bend_z: 1}}\n",
        "tree:\n  - {rod: rod, length: 1, stiffness: [1, 1, 0, 1, 1, 1], inertia: [1, 1, 1, 1, 1, "
        "1], strain: {bend_z: 1}}\n"
        "actuators:\n  - {tendon: a, path: {rod: rod, y: 0.01, outside: true}, tension: 0}\n"};
    for (int i = 0; i < 2; i++) {
        ModelCase c = case_open("%s", TEXT[i]);
        ElvRiccati* riccati;
        ElvTensionReport report;
        ElvError error;
        double k = 1.0, input[1];
        const double weight[6] = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0};
        ElvStrainMotion motion = {.is_static = true, .strain = bent, .user = &k};
        CHECK_STATUS(elv_riccati_create(c.model, 0, &riccati, &error), &error);
        CHECK_STATUS(elv_riccati_solve(riccati, &motion, &error), &error);
        CHECK_TRUE(elv_riccati_tensions(riccati, NULL, input, &report, &error) == ELV_ERROR_INPUT);
        ElvStatus status = elv_riccati_tensions(riccati, weight, input, &report, &error);
        CHECK_TRUE(status == (i == 0 ? ELV_ERROR_INPUT : ELV_OK));
        const double bad[3] = {-1.0, NAN, INFINITY};
        for (int j = 0; j < 3; j++) {
            double own[6] = {1.0, 1.0, bad[j], 1.0, 1.0, 1.0};
            CHECK_TRUE(elv_riccati_tensions(riccati, own, input, &report, &error) ==
                       ELV_ERROR_INPUT);
            CHECK_TRUE(strcmp(error.field, "weight") == 0);
        }
        elv_riccati_free(riccati);
        case_close(&c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equilibrium_gives_its_tensions_back),
        cmocka_unit_test(test_convergent_tendon_for_an_arc),
        cmocka_unit_test(test_antagonists),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
