// SPDX-License-Identifier: Apache-2.0
// A fibre in a rod. Its length against that of the line through its points in space (which knows
// nothing of strains), with first and second derivatives; its stress against the external forces that
// a tendon exerts on the rod by its turning and at its ends; closed forms of a parallel tendon.
#include "fibre_case.h"

// ---- length and volume of the line in space

// integral of the profile along n chords, by the profile in their middles
static double chords(const RodCase* c, double from, double to, int n) {
    const ElvLaw* profile = c->rod.active->fields.fibre[0].profile;
    double sum = 0.0;
    ElvVec3 last = point_at(c, from);
    for (int i = 1; i <= n; i++) {
        double s = from + (to - from) * i / n;
        double middle = from + (to - from) * (i - 0.5) / n;
        ElvVec3 next = point_at(c, s);
        double factor = profile ? elv_law_value(profile, 0.0, middle) : 1.0;
        sum += factor * elv_vec3_norm(elv_vec3_sub(next, last));
        last = next;
    }
    return sum;
}

// Romberg's extrapolation of the chords, an expansion in 1/n^2; five halvings from 8 chords leave
// (chord times curvature)^12 or less
static double measure_in_space(RodCase* c) {
    enum { LEVEL = 6 };
    double table[LEVEL];
    rod_case_forward(c);
    for (int i = 0; i < LEVEL; i++) {
        table[i] = chords(c, FROM, TO, 8 << i);
    }
    for (int k = 1; k < LEVEL; k++) {
        for (int i = LEVEL - 1; i >= k; i--) {
            table[i] += (table[i] - table[i - 1]) / (pow(4.0, k) - 1.0);
        }
    }
    return table[LEVEL - 1];
}

// value, first and second derivative of the length along a direction, by five values
static void differences(RodCase* c, const double* direction, double h, double out[3]) {
    double f[5];
    double q[ROD_NV];
    memcpy(q, c->q, sizeof q);
    for (int i = 0; i < 5; i++) {
        for (int k = 0; k < c->rod.joint.n_v; k++) {
            c->q[k] = q[k] + (i - 2) * h * direction[k];
        }
        f[i] = measure_in_space(c);
    }
    memcpy(c->q, q, sizeof q);
    out[0] = f[2];
    out[1] = (8.0 * (f[3] - f[1]) - (f[4] - f[0])) / (12.0 * h);
    out[2] = (16.0 * (f[3] + f[1]) - (f[4] + f[0]) - 30.0 * f[2]) / (12.0 * h * h);
}

// value, gradient and Hessian of the channel against differences in space. Lengths of 0.4 m are good
// to 1e-13; differences over h then to 1e-13/h and 1e-13/h^2, plus h^4 times fifth and sixth
// derivatives, which are powers of d_c/c = 0.03 h here.
static void check_measure(RodCase* c, double tol) {
    static double Qq[ROD_NV * ROD_NV];
    double effort[ROD_NV], d_value[ROD_NV], d_factor[ROD_NV];
    int n_v = c->rod.joint.n_v;
    double sign = c->rod.active->fields.fibre[0].sign;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        double direction[ROD_NV], expected[3];
        rod_case_randomize(c, 100 + seed, 1.0);
        memcpy(direction, c->q, sizeof direction);
        rod_case_randomize(c, seed, 4.0);
        c->u[0] = 1.0;
        differences(c, direction, 0.05, expected);
        ElvChannel channel = rod_case_channel(c, 0, effort, d_value, d_factor);
        rod_case_tangent(c, 1.0, 0.0, Qq);
        double slope = 0.0;
        double bend = 0.0;
        double rate = 0.0;
        for (int k = 0; k < n_v; k++) {
            slope += d_value[k] * direction[k];
            rate += d_value[k] * c->v[k];
            CHECK_NEAR(effort[k], -sign * d_value[k], 1e-16);
            for (int l = 0; l < n_v; l++) {
                bend += sign * direction[k] * Qq[k * n_v + l] * direction[l];
            }
        }
        CHECK_NEAR(channel.value, expected[0], tol);
        CHECK_NEAR(slope, expected[1], 20.0 * tol);
        CHECK_NEAR(bend, expected[2], 400.0 * tol);
        CHECK_NEAR(channel.rate, rate, 1e-15);
        CHECK_TRUE(channel.factor == 1.0 && array_largest(d_factor, n_v) == 0.0);
        // the second derivative is not small against its tolerance
        CHECK_TRUE(fabs(bend) > 1e4 * tol);
    }
}

static void test_length(void** state) {
    (void)state;
    for (int space = 0; space < ELV_N_SPACE; space++) {
        RodCase c;
        rod_case_begin(&c);
        ElvRodFibre fibre = spiral(&c);
        open_spiral(&c, (ElvSpaceMethod)space, &fibre);
        check_measure(&c, 1e-12);
        CHECK_NEAR(elv_rod_fibre_length(&c.rod, c.work, &c.in, 0), measure_in_space(&c), 1e-12);
        rod_case_end(&c);
    }
}

// the volume of a tapered chamber; pressure pushes, Q = +p dV/dq
static void test_volume(void** state) {
    (void)state;
    RodCase c;
    rod_case_begin(&c);
    ElvRodFibre fibre = spiral(&c);
    fibre.profile = rod_case_law(&c, "0.5*(1.2 - s)^2");
    fibre.sign = -1.0;
    open_spiral(&c, ELV_SPACE_QUADRATURE, &fibre);
    check_measure(&c, 1e-12);
    rod_case_end(&c);
}

// a spiral is cut so that the usual nodes resolve each of its turns: the length of eight turns on a
// bent rod, against space, with the 1e-8 of one turn
static void test_many_turns(void** state) {
    (void)state;
    static const char* const place[4][2] = {{"0.02", "0.03*s"},
                                            {"0.02*cos(2*pi*s)", "0.02*sin(2*pi*s)"},
                                            {"0.02*cos(6*pi*s)", "0.02*sin(6*pi*s)"},
                                            {"0.02*cos(16*pi*s)", "0.02*sin(16*pi*s)"}};
    const int pieces[4] = {1, 1, 3, 8};
    for (int i = 0; i < 4; i++) {
        RodCase c;
        rod_case_begin(&c);
        ElvRodFibre fibre = {.to = 1.0,
                             .y = rod_case_law(&c, place[i][0]),
                             .z = rod_case_law(&c, place[i][1]),
                             .sign = 1.0};
        ElvElementDef element;
        ElvRodDef def = rod_case_def(&element, ELV_BASIS_LEGENDRE, 3, ELV_SPACE_QUADRATURE);
        ElvRodFields fields = {.fibre = &fibre, .n_fibre = 1};
        CHECK_TRUE(elv_fibre_pieces(&fibre) == pieces[i]);
        rod_case_build(&c, &def, NULL, 0, &fields);
        CHECK_TRUE(c.rod.n_segment == pieces[i]);
        rod_case_randomize(&c, 1, 4.0);
        rod_case_forward(&c);
        // chords: error 1/12 (angle of a chord)^2, extrapolated once
        double coarse = chords(&c, 0.0, 1.0, 2000);
        double fine = chords(&c, 0.0, 1.0, 4000);
        double length = elv_rod_fibre_length(&c.rod, c.work, &c.in, 0);
        CHECK_NEAR(length, fine + (fine - coarse) / 3.0, 1e-8);
        rod_case_end(&c);
    }
}

// ---- the tendon as external forces

// Q += J^T of a force at a point of space that moves with a section of twist J per unit v
static void add_force(int n_v, const ElvTwist* J, ElvVec3 at, ElvVec3 force, double* Q) {
    for (int k = 0; k < n_v; k++) {
        ElvVec3 velocity = elv_vec3_add(J[k].lin, elv_vec3_cross(J[k].ang, at));
        Q[k] += elv_vec3_dot(velocity, force);
    }
}

// a tendon of tension T presses with T t' per metre and pulls its ends together: the same Q as its
// stress. 1e-10 of the largest: direction by differences, nodes that resolve the rod.
static void check_external_forces(ElvSpaceMethod space) {
    RodCase c;
    rod_case_begin(&c);
    ElvRodFibre fibre = spiral(&c);
    open_spiral(&c, space, &fibre);
    int n_v = c.rod.joint.n_v;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        static ElvTwist screw[ROD_PORT * ROD_NV];
        double effort[ROD_NV], d_value[ROD_NV], d_factor[ROD_NV];
        double Q[ROD_NV] = {0.0};
        rod_case_randomize(&c, seed, 5.0);
        rod_case_forward(&c);
        c.rod.joint.ops->screws(&c.rod.joint, c.work, screw);
        // J of the nodes
        static ElvInertia port[ROD_PORT];
        static ElvWrench momentum[ROD_NV];
        static double M[ROD_NV * ROD_NV];
        ElvInertia root;
        c.rod.joint.ops->composite(&c.rod.joint, c.work, port, &root, momentum, M, n_v);
        for (int i = 0; i < c.rod.n_node; i++) {
            double s = c.rod.s[i];
            if (s > FROM && s < TO) {
                ElvVec3 at = elv_pose_apply(c.work->g[i], elv_rod_fibre_point(&c.rod, 0, s));
                ElvVec3 force = elv_vec3_scale(c.rod.weight[i], turning_at(&c, s));
                add_force(n_v, c.work->J + i * n_v, at, force, Q);
            }
        }
        // ports: root, FROM, TO, tip
        add_force(n_v, screw + n_v, point_at(&c, FROM), direction_at(&c, FROM), Q);
        add_force(n_v, screw + 2 * n_v, point_at(&c, TO),
                  elv_vec3_scale(-1.0, direction_at(&c, TO)), Q);
        (void)rod_case_channel(&c, 0, effort, d_value, d_factor);
        CHECK_ARRAY_NEAR(effort, Q, (size_t)n_v, 1e-10 * array_largest(effort, n_v));
    }
    rod_case_end(&c);
}

static void test_external_forces(void** state) {
    (void)state;
    check_external_forces(ELV_SPACE_QUADRATURE);
    check_external_forces(ELV_SPACE_SPECTRAL);
}

// ---- closed forms

// a parallel tendon at +y bends to K_3 = T d / EI and shortens by T / EA; both exactly
static void test_parallel_tendon(void** state) {
    (void)state;
    for (int space = 0; space < ELV_N_SPACE; space++) {
        RodCase c;
        rod_case_begin(&c);
        ElvRodFibre fibre = {.to = 1.0, .y = rod_case_law(&c, "0.04"), .sign = 1.0};
        open_planar(&c, (ElvSpaceMethod)space, &fibre);
        double upsilon[ROD_NV];
        c.u[0] = 6.0;
        c.q[0] = 6.0 * 0.04 / 0.5;
        c.q[3] = -6.0 / 40.0;
        rod_case_efforts(&c, upsilon);
        CHECK_TRUE(c.rod.joint.n_v == 5);
        CHECK_ARRAY_NEAR(upsilon, ((double[5]){0.0}), 5, 1e-15 * 6.0);
        // its length: (1 - T/EA - K d) l
        double length = elv_rod_fibre_length(&c.rod, c.work, &c.in, 0);
        CHECK_NEAR(length, 0.6 * (1.0 - 0.15 - 0.48 * 0.04), 1e-15);
        CHECK_TRUE(elv_rod_fibre_tension(&c.rod, c.work, &c.in, 0, 0.3) == 6.0);
        rod_case_end(&c);
    }
}

// directions of the strain at rest: efforts are those at rest, the length is linear, no tangent
static void test_neglected_strain(void** state) {
    (void)state;
    static double Qq[ROD_NV * ROD_NV];
    double effort[2][ROD_NV], d_value[ROD_NV], d_factor[ROD_NV];
    RodCase c;
    rod_case_begin(&c);
    ElvRodFibre fibre[2] = {spiral(&c), spiral(&c)};
    fibre[0].neglects_strain = true;
    fibre[1].channel = 1;
    ElvElementDef element;
    ElvRodDef def = rod_case_def(&element, ELV_BASIS_LEGENDRE, 3, ELV_SPACE_QUADRATURE);
    ElvRodFields fields = {.fibre = fibre, .n_fibre = 2};
    rod_case_build(&c, &def, NULL, 0, &fields);
    int n_v = c.rod.joint.n_v;
    double rest = rod_case_channel(&c, 1, effort[1], d_value, d_factor).value;
    rod_case_randomize(&c, 1, 4.0);
    c.u[1] = 0.0;
    double value = rod_case_channel(&c, 0, effort[0], d_value, d_factor).value;
    CHECK_ARRAY_NEAR(effort[0], effort[1], (size_t)n_v, 0.0);
    for (int k = 0; k < n_v; k++) {
        CHECK_TRUE(d_value[k] == -effort[0][k]);
        rest += d_value[k] * c.q[k];
    }
    CHECK_NEAR(value, rest, 1e-14);
    rod_case_tangent(&c, 1.0, 0.0, Qq);
    CHECK_TRUE(array_largest(Qq, n_v * n_v) == 0.0);
    rod_case_end(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_length),          cmocka_unit_test(test_volume),
        cmocka_unit_test(test_many_turns),      cmocka_unit_test(test_external_forces),
        cmocka_unit_test(test_parallel_tendon), cmocka_unit_test(test_neglected_strain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
