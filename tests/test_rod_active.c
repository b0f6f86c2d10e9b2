// SPDX-License-Identifier: Apache-2.0
// Internal actuation of a rod against closed integrals: strain controllers, stress laws, muscles; what
// scales with the load and what does not; where segments end; a rod that has none.
#include "rod_case.h"

// ---- closed integrals

// one element of monomials in bend_y on a rod of 0.6 m, straight at rest
static void open_monomial(RodCase* c, ElvSpaceMethod space, const ElvRodFields* fields) {
    ElvElementDef element;
    ElvRodDef def = rod_case_def(&element, ELV_BASIS_MONOMIAL, 0, space);
    element.modes[ELV_STRAIN_BEND_Y] = 3;
    def.reference[ELV_STRAIN_BEND_Y] = elv_law_def_formula("2 - s");
    rod_case_build(c, &def, NULL, 0, fields);
}

// kp = 2 s, kd = 3, target t^2 s: each integral a power of s; no elastic energy
static void test_control(void** state) {
    (void)state;
    for (int space = 0; space < ELV_N_SPACE; space++) {
        RodCase c;
        rod_case_begin(&c);
        ElvRodControl control = {.from = 0.5, .to = 1.0};
        control.kp[ELV_STRAIN_BEND_Y] = rod_case_law(&c, "2*s");
        control.kd[ELV_STRAIN_BEND_Y] = rod_case_law(&c, "3");
        ElvRodFields fields = {.control = &control, .n_control = 1};
        double Q[ROD_NV];
        // without a target the strain at rest is wanted, then a given one
        for (int variant = 0; variant < 2; variant++) {
            control.target[ELV_STRAIN_BEND_Y] = variant ? rod_case_law(&c, "t^2*s") : NULL;
            open_monomial(&c, (ElvSpaceMethod)space, &fields);
            c.in.t = 1.5;
            c.in.load = 0.25; // set points do not scale
            c.q[1] = 0.7;
            c.v[2] = 0.4;
            rod_case_active_efforts(&c, Q);
            for (int m = 0; m < 3; m++) {
                // integrals of s^(m + n) from 0.5 to 1
                double I[5];
                for (int n = 0; n < 5; n++) {
                    I[n] = (1.0 - pow(0.5, m + n + 1)) / (m + n + 1);
                }
                // xi - xi_d = 0.7 s (+ 2 - s - t^2 s), xi_dot - xi_d_dot = 0.4 s^2 (- 2 t s)
                double kp = 2.0 * (0.7 * I[2] + (variant ? 2.0 * I[1] - I[2] - 2.25 * I[2] : 0.0));
                double kd = 3.0 * (0.4 * I[2] - (variant ? 3.0 * I[1] : 0.0));
                // the Chebyshev grid takes laws 1e-12 inside the ends of segments
                CHECK_NEAR(Q[m], -0.6 * (kp + kd), 1e-13);
            }
            ElvMeasure sum = {0};
            rod_case_forward(&c);
            c.rod.joint.ops->measure(&c.rod.joint, c.work, &c.in, &sum);
            // E I = 0.5, 1/2 E I (0.7 s)^2 over the rod
            CHECK_NEAR(sum.elastic, 0.5 * 0.5 * 0.49 * 0.6 / 3.0, 1e-15);
            free(c.block);
        }
        c.block = NULL;
        rod_case_end(&c);
    }
}

// a stress field: its integral on its part, with the load factor
static void test_stress_field(void** state) {
    (void)state;
    RodCase c;
    rod_case_begin(&c);
    ElvRodField field = {.from = 0.2, .to = 0.7, .when = rod_case_law(&c, "t < 1")};
    field.law[ELV_STRAIN_BEND_Y] = rod_case_law(&c, "3*(1 + t)*s");
    ElvRodFields fields = {.stress = &field, .n_stress = 1};
    open_monomial(&c, ELV_SPACE_QUADRATURE, &fields);
    double Q[ROD_NV];
    c.in.t = 0.5;
    c.in.load = 0.25;
    rod_case_active_efforts(&c, Q);
    for (int m = 0; m < 3; m++) {
        double integral = (pow(0.7, m + 2) - pow(0.2, m + 2)) / (m + 2);
        CHECK_NEAR(Q[m], -0.6 * 0.25 * 4.5 * integral, 1e-15);
    }
    c.in.t = 1.5;
    rod_case_active_efforts(&c, Q);
    CHECK_TRUE(array_largest(Q, 3) == 0.0);
    rod_case_end(&c);
}

// the law sees strain, rate, station and time where it acts, and nothing elsewhere
static void cubic(void* user,
                  double t,
                  double s,
                  const double* xi,
                  const double* xi_dot,
                  double* stress,
                  double* K,
                  double* D) {
    int* count = user;
    ++*count;
    CHECK_TRUE(s > 0.25 && s < 0.75);
    for (int i = 0; i < 36; i++) {
        CHECK_TRUE(stress[i % 6] == 0.0 && (!K || (K[i] == 0.0 && D[i] == 0.0)));
    }
    CHECK_NEAR(xi[ELV_STRAIN_STRETCH], 1.0, 0.0);
    stress[ELV_STRAIN_BEND_Y] = t * xi[ELV_STRAIN_BEND_Y] * xi_dot[ELV_STRAIN_BEND_Y];
}

static void test_stress_law(void** state) {
    (void)state;
    RodCase c;
    rod_case_begin(&c);
    int count = 0;
    ElvRodLaw law = {.from = 0.25, .to = 0.75, .callback = cubic, .user = &count};
    ElvRodFields fields = {.law = &law, .n_law = 1};
    open_monomial(&c, ELV_SPACE_QUADRATURE, &fields);
    double Q[ROD_NV];
    c.in.t = 2.0;
    c.q[0] = -2.0; // strain -s
    c.v[1] = 3.0;  // rate 3 s
    rod_case_active_efforts(&c, Q);
    for (int m = 0; m < 3; m++) {
        double integral = (pow(0.75, m + 3) - pow(0.25, m + 3)) / (m + 3);
        CHECK_NEAR(Q[m], 0.6 * 2.0 * 3.0 * integral, 1e-14);
    }
    CHECK_TRUE(count > 0);
    rod_case_end(&c);
}

// a muscle parallel to the axis at z: moment z T about y, T = u force(s) activation(t, s)
static void test_muscle(void** state) {
    (void)state;
    RodCase c;
    rod_case_begin(&c);
    ElvRodFibre fibre = {.from = 0.0,
                         .to = 0.5,
                         .z = rod_case_law(&c, "0.03"),
                         .profile = rod_case_law(&c, "4*s"),
                         .activation = rod_case_law(&c, "0.5*t*s"),
                         .sign = 1.0,
                         .measures_length = true};
    ElvRodFields fields = {.fibre = &fibre, .n_fibre = 1};
    ElvElementDef element;
    ElvRodDef def = rod_case_def(&element, ELV_BASIS_MONOMIAL, 0, ELV_SPACE_QUADRATURE);
    element.modes[ELV_STRAIN_BEND_Y] = 2;
    def.reference[ELV_STRAIN_TWIST] = elv_law_def_value(0.0);
    def.reference[ELV_STRAIN_BEND_Z] = elv_law_def_value(0.0);
    rod_case_build(&c, &def, NULL, 0, &fields);
    CHECK_TRUE(c.rod.joint.n_channel == 1);
    double Q[ROD_NV];
    c.in.t = 1.2;
    c.u[0] = 0.5;
    c.q[0] = 1.0;
    rod_case_active_efforts(&c, Q);
    for (int m = 0; m < 2; m++) {
        // Lambda = D x T e_x: moment about y is z T; T = 0.5 * 2 t s^2
        double integral = 1.2 * pow(0.5, m + 3) / (m + 3);
        CHECK_NEAR(Q[m], -0.6 * 0.03 * integral, 1e-16);
    }
    CHECK_NEAR(elv_rod_fibre_tension(&c.rod, c.work, &c.in, 0, 0.4), 1.2 * 0.16, 1e-16);
    CHECK_TRUE(elv_rod_fibre_tension(&c.rod, c.work, &c.in, 0, 0.6) == 0.0);
    // K_2 z lengthens: Gamma + K x D = (1 + K_2 z, 0, 0)
    CHECK_NEAR(elv_rod_fibre_length(&c.rod, c.work, &c.in, 0), 0.3 * 1.03, 1e-15);
    // which is what its channel measures, and the effort is that of u = 1
    double effort[ROD_NV], d_value[ROD_NV], d_factor[ROD_NV];
    ElvChannel channel = rod_case_channel(&c, 0, effort, d_value, d_factor);
    CHECK_NEAR(channel.value, 0.3 * 1.03, 1e-15);
    CHECK_ARRAY_NEAR(d_value, ((double[2]){0.3 * 0.03, 0.15 * 0.5 * 0.03}), 2, 1e-16);
    CHECK_ARRAY_NEAR(effort, ((double[2]){2.0 * Q[0], 2.0 * Q[1]}), 2, 1e-16);
    rod_case_end(&c);
}

// ---- tables

// segments end where anything begins, ends or has a corner
static void test_breaks(void** state) {
    (void)state;
    RodCase c;
    rod_case_begin(&c);
    const ElvLaw* corner = rod_case_law(&c, "0.01*abs(s - 0.33)");
    ElvRodFibre fibre = {.from = 0.11, .to = 0.87, .y = corner, .sign = 1.0};
    fibre.profile = rod_case_law(&c, "if(s < 0.44, 1, 2)");
    ElvRodControl control = {.from = 0.05, .to = 0.95};
    control.kp[0] = rod_case_law(&c, "max(0.2, s - 0.35)");
    control.kd[1] = rod_case_law(&c, "abs(s - 0.6)");
    control.target[2] = rod_case_law(&c, "t*abs(s - 0.65)");
    ElvRodLaw law = {.from = 0.15, .to = 0.75, .callback = cubic};
    ElvRodFields fields = {.fibre = &fibre,
                           .n_fibre = 1,
                           .control = &control,
                           .n_control = 1,
                           .law = &law,
                           .n_law = 1};
    open_monomial(&c, ELV_SPACE_QUADRATURE, &fields);
    const double expected[12] = {0.05, 0.11, 0.15, 0.33, 0.44, 0.55,
                                 0.6,  0.65, 0.75, 0.87, 0.95, 1.0};
    CHECK_TRUE(c.rod.n_segment == 12);
    for (int i = 0; i < 12; i++) {
        CHECK_NEAR(c.rod.segment[i].s1, expected[i], 1e-12);
    }
    rod_case_end(&c);
}

// a rod without actuation has no channels, no tables, no scratch
static void test_nothing(void** state) {
    (void)state;
    RodCase c;
    rod_case_begin(&c);
    ElvRodFields fields = {0};
    open_monomial(&c, ELV_SPACE_QUADRATURE, &fields);
    CHECK_TRUE(!c.rod.active && !c.work->active && c.rod.joint.n_channel == 0);
    double Q[ROD_NV];
    rod_case_active_efforts(&c, Q);
    CHECK_TRUE(array_largest(Q, 3) == 0.0);
    rod_case_end(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_control),    cmocka_unit_test(test_stress_field),
        cmocka_unit_test(test_stress_law), cmocka_unit_test(test_muscle),
        cmocka_unit_test(test_breaks),     cmocka_unit_test(test_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
