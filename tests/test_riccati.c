// SPDX-License-Identifier: Apache-2.0
// Inverse dynamics by composite bodies along rods: the recursions of the modal model on the same motion give the
// same stresses, accelerations and efforts; a free root accelerates as its mass matrix says; a bar that turns, a
// composite body and a deforming ring have closed forms.
#include "model_case.h"

#include "chain_case.h"
#include "elver/strong_inverse.h"
#include "linalg/cholesky.h"
#include "strong/riccati.h"

#define PI 3.14159265358979323846

static ElvRiccati* open_riccati(const ModelCase* c, int steps) {
    ElvRiccati* riccati;
    ElvError error;
    CHECK_STATUS(elv_riccati_create(c->model, steps, &riccati, &error), &error);
    return riccati;
}

static ElvRiccatiSection section_at(ElvRiccati* riccati, int i_node, double s) {
    ElvRiccatiSection section;
    ElvError error;
    CHECK_STATUS(elv_riccati_section(riccati, i_node, s, &section, &error), &error);
    return section;
}

// a wrench beside a size of moments over the length of the rods
static void check_wrench(ElvWrench actual, ElvWrench expected, double size) {
    double a[6], e[6];
    elv_wrench_to_array(actual, a);
    elv_wrench_to_array(expected, e);
    CHECK_ARRAY_NEAR(a, e, 6, 1e-9 * size);
}

static double wrench_size(ElvWrench w) {
    double a[6];
    elv_wrench_to_array(w, a);
    return largest(a, 6);
}

// every station of every rod beside the modal recursion; the state's accelerations are those of the motion
static void check_sections(const ModelCase* c, ElvRiccati* riccati) {
    double tau[128];
    elv_idm(c->model, c->data, c->state, tau);
    for (int i = 0; i < riccati->chain.n_rod; i++) {
        int i_node = riccati->chain.rod[i].i_node;
        ElvWrench lam;
        elv_rod_section(c->model, c->data, c->state, i_node, 0.0, NULL, NULL, &lam);
        double size = wrench_size(lam);
        for (int k = 0; k <= 20; k++) {
            double s = 0.05 * k;
            ElvPose g;
            ElvTwist xi;
            elv_rod_section(c->model, c->data, c->state, i_node, s, &g, &xi, &lam);
            ElvRiccatiSection actual = section_at(riccati, i_node, s);
            check_wrench(actual.lam, lam, size);
            CHECK_ARRAY_NEAR(&actual.pose.p.x, &g.p.x, 3, 1e-12);
            CHECK_ARRAY_NEAR(&actual.pose.R.m[0][0], &g.R.m[0][0], 9, 1e-12);
            // stations at the ends of pieces lie 1e-12 inside
            CHECK_ARRAY_NEAR(&actual.strain.ang.x, &xi.ang.x, 3, 1e-11);
        }
    }
}

// efforts Phi^T Lambda, integrated along a rod by Gauss' rule with four panels, against the IDM: tau = -Q
static void check_efforts(const ModelCase* c, ElvRiccati* riccati, const double* tau) {
    static const double x[5] = {-0.9061798459386640, -0.5384693101056831, 0.0, 0.5384693101056831,
                                0.9061798459386640};
    static const double w[5] = {0.2369268850561891, 0.4786286704993665, 0.5688888888888889,
                                0.4786286704993665, 0.2369268850561891};
    enum { PANEL = 20 };
    for (int i = 0; i < riccati->chain.n_rod; i++) {
        int i_node = riccati->chain.rod[i].i_node;
        ElvNodeInfo info = elv_model_node(c->model, i_node);
        const ElvRod* rod = riccati->chain.rod[i].strong.rod;
        double Q[64] = {0.0};
        double size = 0.0;
        for (int p = 0; p < 5 * PANEL; p++) {
            double s = (p / 5 + 0.5 + 0.5 * x[p % 5]) / PANEL;
            double weight = 0.5 * w[p % 5] * info.length / PANEL;
            double lam[6];
            elv_wrench_to_array(section_at(riccati, i_node, s).lam, lam);
            size = fmax(size, largest(lam, 6));
            for (int k = 0; k < info.n_v; k++) {
                double unit[64] = {0.0}, none[64] = {0.0}, on[6], off[6];
                unit[k] = 1.0;
                elv_twist_to_array(elv_rod_strain_at(rod, unit, s), on);
                elv_twist_to_array(elv_rod_strain_at(rod, none, s), off);
                for (int j = 0; j < 6; j++) {
                    Q[k] += weight * (on[j] - off[j]) * lam[j];
                }
            }
        }
        for (int k = 0; k < info.n_v; k++) {
            CHECK_NEAR(-Q[k], tau[info.i_v + k], 1e-9 * size * info.length);
        }
    }
}

static void test_stress_is_that_of_the_modal_recursion(void** unused) {
    (void)unused;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        ModelCase c = case_open(CHAIN_JOINT, "free");
        ElvRiccati* riccati = open_riccati(&c, 0);
        ElvError error;
        double tau[128];
        CHECK_TRUE(c.nv <= 128);
        case_randomize(&c, seed, 0.5);
        c.state->t = 0.3;
        CHECK_STATUS(elv_riccati_solve_state(riccati, c.state, false, &error), &error);
        CHECK_TRUE(elv_riccati_root(riccati).defect < 1e-12);
        check_sections(&c, riccati);
        elv_idm(c.model, c.data, c.state, tau);
        check_efforts(&c, riccati, tau);
        // the free base, held in its motion by hand, needs the effort that the IDM says
        double size = largest(tau, 6);
        CHECK_ARRAY_NEAR(elv_riccati_root(riccati).effort, tau, 6, 1e-9 * size);
        elv_riccati_free(riccati);
        case_close(&c);
    }
}

static void test_tapered_curved_and_loaded_rod(void** unused) {
    (void)unused;
    ModelCase c = case_open(
        "gravity: [0.5, 2, -9.81]\n"
        "tree:\n"
        "  - {body: hub, joint: {revolute: {axis: [1, 1, 0], stiffness: 2, damping: 0.1, rest: 0.2,"
        " rotor_inertia: 0.01, gear: 3}},\n"
        "     mass: 1, inertia: [0.1, 0.1, 0.1], pose: {xyz: [1, 2, 3], rpy: [0.2, 0.3, 0.4]}}\n"
        "  - {rod: rod, parent: hub, length: 0.8, pose: {xyz: [0.1, 0, 0]},\n"
        "     section: {circle: {diameter: \"0.03 - 0.02*s\"}}, material: {density: 900, young: "
        "1e6, damping: 0.01},\n"
        "     reference: {bend_z: \"2*s\"}, strain: {twist: 2, bend_y: 3, bend_z: 3, stretch: 1}}\n"
        "loads:\n"
        "  - {rod: rod, force: [0, \"1 + s\", 0], from: 0.2, to: 0.7}\n"
        "  - {rod: rod, torque: [0.1, 0, \"s\"], frame: local}\n"
        "  - {force: [0, 3, 1], at: rod.tip, frame: local}\n");
    ElvRiccati* riccati = open_riccati(&c, 0);
    ElvError error;
    double tau[32];
    case_randomize(&c, 8, 0.7);
    CHECK_STATUS(elv_riccati_solve_state(riccati, c.state, false, &error), &error);
    check_sections(&c, riccati);
    elv_residual(c.model, c.data, c.state, tau);
    CHECK_NEAR(elv_riccati_root(riccati).effort[0], tau[0], 1e-9 * fabs(tau[0]));
    elv_idm(c.model, c.data, c.state, tau);
    check_efforts(&c, riccati, tau);
    // what actuators must add is all that the laws of the model, which has none, do not give
    ElvRiccatiSection section = section_at(riccati, 1, 0.45);
    double lam[6];
    elv_wrench_to_array(section.lam, lam);
    double d = 0.03 - 0.02 * 0.45;
    double EI = 1e6 * PI * pow(d, 4.0) / 64.0;
    double strain[6], rate[6], rest[6], none[32] = {0.0};
    const ElvRod* rod = riccati->chain.rod[0].strong.rod;
    elv_twist_to_array(elv_rod_strain_at(rod, c.state->q + 1, 0.45), strain);
    elv_twist_to_array(elv_rod_strain_at(rod, c.state->v + 1, 0.45), rate);
    elv_twist_to_array(elv_rod_strain_at(rod, none, 0.45), rest);
    CHECK_NEAR(section.actuation[2],
               lam[2] - EI * (strain[2] - 0.9) - 0.01 * EI * (rate[2] - rest[2]),
               1e-12 * (1.0 + EI));
    CHECK_TRUE(section.actuation[4] == 0.0 && section.actuation[5] == 0.0);
    elv_riccati_free(riccati);
    case_close(&c);
}

// a_root from the rows of the mass matrix: M_rr a_r = Upsilon_r - c_r - M_rq a_q
static void modal_root(ModelCase* c, int n, double* a) {
    static double M[128 * 128];
    double bias[128], upsilon[128], A[36];
    int nv = c->nv;
    elv_mass_matrix(c->model, c->data, c->state, M);
    elv_bias(c->model, c->data, c->state, bias);
    elv_internal_efforts(c->model, c->data, c->state, upsilon);
    for (int i = 0; i < n; i++) {
        a[i] = upsilon[i] - bias[i];
        for (int j = n; j < nv; j++) {
            a[i] -= M[i * nv + j] * c->state->a[j];
        }
        for (int j = 0; j < n; j++) {
            A[i * n + j] = M[i * nv + j];
        }
    }
    CHECK_TRUE(elv_cholesky_factor(n, A) < 0);
    elv_cholesky_solve(n, A, a);
}

static void test_free_root_accelerates_as_its_mass_matrix_says(void** unused) {
    (void)unused;
    static const struct {
        const char* joint;
        int n_v;
    } CASE[] = {{"free", 6},
                {"{revolute: {axis: [0, 1, 1], damping: 0.2, force: 0.7, rotor_inertia: 0.02}}", 1},
                {"spherical", 3}};
    for (size_t i = 0; i < sizeof CASE / sizeof *CASE; i++) {
        ModelCase c = case_open(CHAIN_JOINT, CASE[i].joint);
        ElvRiccati* riccati = open_riccati(&c, 0);
        ElvError error;
        double a[6];
        case_randomize(&c, 11 + i, 0.5);
        CHECK_STATUS(elv_riccati_solve_state(riccati, c.state, true, &error), &error);
        ElvRiccatiRoot root = elv_riccati_root(riccati);
        modal_root(&c, CASE[i].n_v, a);
        CHECK_ARRAY_NEAR(root.a, a, (size_t)CASE[i].n_v, 1e-9 * largest(a, (size_t)CASE[i].n_v));
        // with that acceleration the whole motion is that of the modal recursion
        memcpy(c.state->a, root.a, (size_t)CASE[i].n_v * sizeof *a);
        check_sections(&c, riccati);
        elv_riccati_free(riccati);
        case_close(&c);
    }
}

// ---- closed forms

static void still_straight(
    void* user, int i_node, double s, double xi[6], double xi_dot[6], double xi_ddot[6]) {
    (void)user, (void)i_node, (void)s, (void)xi, (void)xi_dot, (void)xi_ddot;
}

// a straight bar on a hinge, turning at w with w_dot, gravity across: N = m/l int w^2 x, Q and C by integration
static void test_bar_that_turns(void** unused) {
    (void)unused;
    double w = 3.0, w_dot = 5.0, g = 9.81;
    ModelCase c =
        case_open("gravity: [0, -%.17g, 0]\n"
                  "tree:\n"
                  "  - {body: hub, joint: {revolute: {axis: z}}, mass: 1, inertia: [1, 1, 1]}\n"
                  "  - {rod: bar, parent: hub, length: 2, section: {circle: {diameter: 0.1}},\n"
                  "     material: {density: 500, young: 1e6}, strain: {bend_z: 1}}\n",
                  g);
    ElvRiccati* riccati = open_riccati(&c, 1);
    ElvError error;
    double q = 0.0;
    ElvStrainMotion motion = {.q = &q, .v = &w, .a = &w_dot, .strain = still_straight};
    CHECK_STATUS(elv_riccati_solve(riccati, &motion, &error), &error);
    double A = PI * 0.01 / 4.0, mu = 500.0 * A, J = 500.0 * PI * 1e-4 / 64.0;
    for (int i = 0; i <= 4; i++) {
        double x = 0.5 * i, l = 2.0;
        ElvRiccatiSection at = section_at(riccati, 1, x / l);
        // the part beyond pulls inwards what is before it outwards
        CHECK_NEAR(at.lam.frc.x, mu * w * w * (l * l - x * x) / 2.0, 1e-11);
        CHECK_NEAR(at.lam.frc.y, -mu * (w_dot * (l * l - x * x) / 2.0 + g * (l - x)), 1e-11);
        double moment = w_dot * (l * l * l / 3.0 - x * l * l / 2.0 + x * x * x / 6.0) +
                        g * (l - x) * (l - x) / 2.0;
        CHECK_NEAR(at.lam.mom.z, -mu * moment - J * w_dot * (l - x), 1e-11);
    }
    elv_riccati_free(riccati);
    case_close(&c);
}

// S is minus the inertia of the rest of the rod as it stands: a quarter of a ring against its integral, which
// has a closed form
static void
quarter(void* user, int i_node, double s, double xi[6], double xi_dot[6], double xi_ddot[6]) {
    (void)user, (void)i_node, (void)s, (void)xi_dot, (void)xi_ddot;
    xi[2] = PI / 2.0;
}

static void test_composite_body_of_a_quarter_ring(void** unused) {
    (void)unused;
    ModelCase c = case_open("tree:\n"
                            "  - {rod: arc, length: 1, inertia: [2e-3, 1e-3, 1e-3, 3, 3, 3], "
                            "stiffness: [1, 1, 1, 1, 1, 1],\n"
                            "     strain: {bend_z: 1}}\n");
    ElvRiccati* riccati = open_riccati(&c, 0);
    ElvError error;
    ElvStrainMotion motion = {.strain = quarter};
    CHECK_STATUS(elv_riccati_solve(riccati, &motion, &error), &error);
    ElvInertia S = riccati->step[0].begin.S;
    // radius 2/pi, centre at (0, r): x = r sin(t), y = r (1 - cos t), mass 3 per metre
    double r = 2.0 / PI;
    double mx = 3.0 * r * r, my = 3.0 * r * r * (PI / 2.0 - 1.0);
    double xx = 3.0 * r * r * r * PI / 4.0, yy = 3.0 * r * r * r * (0.75 * PI - 2.0);
    CHECK_NEAR(-S.M.m[0][0], 3.0, 1e-12);
    CHECK_NEAR(-S.M.m[2][2], 3.0, 1e-12);
    CHECK_NEAR(-S.J.m[2][2], xx + yy + 1e-3, 1e-12);
    // the sections turn: 2e-3 along the tangent, 1e-3 across
    CHECK_NEAR(-S.J.m[0][0], yy + 1.5e-3, 1e-12);
    CHECK_NEAR(-S.J.m[1][1], xx + 1.5e-3, 1e-12);
    // H = m hat(c)
    CHECK_NEAR(-S.H.m[1][2], -mx, 1e-12);
    CHECK_NEAR(-S.H.m[0][2], my, 1e-12);
    CHECK_NEAR(-S.H.m[0][1], 0.0, 1e-12);
    elv_riccati_free(riccati);
    case_close(&c);
}

// order of the steps: the defect and the stress at the root fall as h^8
static void test_order_of_the_steps(void** unused) {
    (void)unused;
    ModelCase c = case_open(
        "gravity: [0, 0, -9.81]\n"
        "tree:\n"
        "  - {rod: rod, length: 1, section: {circle: {diameter: 0.02}}, material: {density: 900, "
        "young: 1e6},\n"
        "     strain: {kirchhoff: 4}}\n");
    ElvError error;
    case_randomize(&c, 3, 6.0);
    double tau[64], lam[3][6];
    double reference[6];
    elv_idm(c.model, c.data, c.state, tau);
    ElvRiccati* fine = open_riccati(&c, 256);
    CHECK_STATUS(elv_riccati_solve_state(fine, c.state, false, &error), &error);
    elv_wrench_to_array(section_at(fine, 0, 0.0).lam, reference);
    elv_riccati_free(fine);
    double defect[3], distance[3];
    for (int i = 0; i < 3; i++) {
        ElvRiccati* riccati = open_riccati(&c, 4 << i);
        CHECK_STATUS(elv_riccati_solve_state(riccati, c.state, false, &error), &error);
        elv_wrench_to_array(section_at(riccati, 0, 0.0).lam, lam[i]);
        distance[i] = largest_difference(lam[i], reference, 6);
        defect[i] = elv_riccati_root(riccati).defect;
        elv_riccati_free(riccati);
    }
    for (int i = 0; i < 2; i++) {
        CHECK_TRUE(log2(distance[i] / distance[i + 1]) > 7.0);
        CHECK_TRUE(log2(defect[i] / defect[i + 1]) > 7.0);
    }
    case_close(&c);
}

static void test_errors(void** unused) {
    (void)unused;
    ModelCase c = case_open("tree:\n  - {rod: a, length: 1, stiffness: [1, 1, 1, 1, 1, 1], "
                            "inertia: [1, 1, 1, 1, 1, 1], strain: {bend_z: 1}}\n");
    ElvRiccati* riccati;
    ElvError error;
    ElvRiccatiSection section;
    CHECK_TRUE(elv_riccati_create(c.model, -1, &riccati, &error) == ELV_ERROR_INPUT);
    CHECK_TRUE(riccati == NULL);
    riccati = open_riccati(&c, 2);
    ElvStrainMotion motion = {.strain = still_straight, .is_root_free = true};
    CHECK_TRUE(elv_riccati_solve(riccati, &motion, &error) == ELV_ERROR_INPUT);
    motion.is_root_free = false;
    CHECK_STATUS(elv_riccati_solve(riccati, &motion, &error), &error);
    CHECK_TRUE(elv_riccati_section(riccati, 1, 0.5, &section, &error) == ELV_ERROR_INPUT);
    CHECK_TRUE(elv_riccati_section(riccati, 0, 1.5, &section, &error) == ELV_ERROR_INPUT);
    elv_riccati_free(riccati);
    case_close(&c);
    // a free root without mass about an axis
    c = case_open("tree:\n"
                  "  - {body: b, joint: free}\n"
                  "  - {rod: a, parent: b, length: 1, stiffness: [1, 1, 1, 1, 1, 1], inertia: [0, "
                  "0, 0, 1, 1, 1], strain: {bend_z: 1}}\n");
    riccati = open_riccati(&c, 2);
    CHECK_TRUE(elv_riccati_solve_state(riccati, c.state, true, &error) == ELV_ERROR_SINGULAR);
    CHECK_TRUE(strcmp(error.element, "b") == 0);
    c.state->q[7] = NAN;
    CHECK_TRUE(elv_riccati_solve_state(riccati, c.state, false, &error) == ELV_ERROR_NUMERIC);
    elv_riccati_free(riccati);
    case_close(&c);
}

// a motion without strains is the shape at rest: a bar under its weight, Lambda its moment at the root
static void test_strains_may_be_left_out(void** state) {
    (void)state;
    ModelCase c = case_open("gravity: [0, 0, -9.81]\n"
                            "tree:\n  - {rod: bar, length: 2, section: {circle: {diameter: 0.1}},\n"
                            "     material: {density: 1000, young: 1e9}, strain: {bend_y: 2}}\n");
    ElvRiccati* riccati = open_riccati(&c, 0);
    ElvStrainMotion motion = {.t = 0.0};
    ElvError error;
    CHECK_STATUS(elv_riccati_solve(riccati, &motion, &error), &error);
    // the weight on the half length, about +y
    double weight = 1000.0 * PI * 0.05 * 0.05 * 2.0 * 9.81;
    CHECK_NEAR(fabs(section_at(riccati, 0, 0.0).lam.mom.y), weight, 1e-9 * weight);
    elv_riccati_free(riccati);
    case_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stress_is_that_of_the_modal_recursion),
        cmocka_unit_test(test_tapered_curved_and_loaded_rod),
        cmocka_unit_test(test_free_root_accelerates_as_its_mass_matrix_says),
        cmocka_unit_test(test_bar_that_turns),
        cmocka_unit_test(test_composite_body_of_a_quarter_ring),
        cmocka_unit_test(test_order_of_the_steps),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_strains_may_be_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
