// SPDX-License-Identifier: Apache-2.0
// Tangents of a rod's internal actuation against central differences of its efforts: every kind alone
// and all together, on all bases and both methods of space; channels and the joint's tangent.
#include "rod_case.h"

// ---- one of everything

typedef struct {
    ElvRodField stress[1];
    ElvRodFibre fibre[4];
    ElvRodControl control[1];
    ElvRodLaw law[1];
} Actuation;

// a stress with every coupling: softening in the strain, a rate factor, varying along the rod
static void soften(void* user,
                   double t,
                   double s,
                   const double* xi,
                   const double* xi_dot,
                   double* stress,
                   double* K,
                   double* D) {
    double stiffness = *(const double*)user * (1.0 + s) * (1.0 + 0.1 * t);
    for (int i = 0; i < 6; i++) {
        int j = (i + 1) % 6;
        double x = xi[i] - 0.3 * xi[j];
        double root = sqrt(1.0 + x * x);
        stress[i] += stiffness * x / root + 0.2 * xi_dot[j] * xi_dot[j] * xi[i];
        if (!K) {
            continue;
        }
        K[6 * i + i] += stiffness / (root * root * root) + 0.2 * xi_dot[j] * xi_dot[j];
        K[6 * i + j] -= 0.3 * stiffness / (root * root * root);
        D[6 * i + j] += 0.4 * xi_dot[j] * xi[i];
    }
}

static double SOFTNESS = 0.7;

static void fill_actuation(RodCase* c, Actuation* a) {
    memset(a, 0, sizeof *a);
    const ElvLaw* y = rod_case_law(c, "0.03*cos(5*s)");
    const ElvLaw* z = rod_case_law(c, "0.02 + 0.01*s^2");
    // tendons with friction, towards the tip and back, a chamber and a muscle
    a->fibre[0] = (ElvRodFibre){.from = 0.1, .to = 0.9, .y = y, .z = z, .sign = 1.0, .channel = 0};
    a->fibre[0].friction = 0.4;
    a->fibre[1] = (ElvRodFibre){.from = 0.0, .to = 0.7, .y = z, .z = y, .sign = 1.0, .channel = 2};
    a->fibre[1].friction = 0.3;
    a->fibre[1].is_reversed = true;
    a->fibre[2] = (ElvRodFibre){.from = 0.3, .to = 1.0, .y = z, .z = z, .sign = -1.0, .channel = 1};
    a->fibre[2].profile = rod_case_law(c, "1.5 - s");
    a->fibre[3] = (ElvRodFibre){.from = 0.2, .to = 0.8, .y = y, .z = y, .sign = 1.0, .channel = 3};
    a->fibre[3].profile = rod_case_law(c, "2 + s");
    a->fibre[3].activation = rod_case_law(c, "0.5 + 0.4*sin(3*t - 6*s)");
    a->stress[0] = (ElvRodField){.from = 0.0, .to = 0.5, .when = rod_case_law(c, "1")};
    for (int k = 0; k < 6; k++) {
        a->stress[0].law[k] = rod_case_law(c, "sin(t + s)");
        a->control[0].kp[k] = rod_case_law(c, "0.3 + s");
        a->control[0].kd[k] = rod_case_law(c, "0.1*s");
    }
    a->control[0].from = 0.2;
    a->control[0].to = 0.9;
    a->control[0].target[ELV_STRAIN_BEND_Y] = rod_case_law(c, "3*sin(2*t - 4*s)");
    a->law[0] = (ElvRodLaw){.from = 0.0, .to = 0.6, .callback = soften, .user = &SOFTNESS};
}

enum { STRESS = 1, TENDON = 2, CHAMBER = 4, MUSCLE = 8, CONTROL = 16, LAW = 32, ALL = 63 };

static void open_kinds(
    RodCase* c, Actuation* a, ElvBasisKind basis, int modes, ElvSpaceMethod space, int kinds) {
    static ElvRodFibre fibre[4];
    ElvElementDef element;
    rod_case_begin(c);
    fill_actuation(c, a);
    ElvRodFields fields = {.stress = a->stress,
                           .n_stress = (kinds & STRESS) != 0,
                           .fibre = fibre,
                           .control = a->control,
                           .n_control = (kinds & CONTROL) != 0,
                           .law = a->law,
                           .n_law = (kinds & LAW) != 0};
    for (int i = 0; i < 4; i++) {
        int kind = i < 2 ? TENDON : i == 2 ? CHAMBER : MUSCLE;
        if (kinds & kind) {
            // channels of one kind alone are numbered as they come
            int n = fields.n_fibre++;
            fibre[n] = a->fibre[i];
            fibre[n].channel = kinds == ALL ? a->fibre[i].channel : n;
        }
    }
    ElvRodDef def = rod_case_def(&element, basis, modes, space);
    rod_case_build(c, &def, NULL, 0, &fields);
    c->in.t = 0.4;
}

// ---- tangents

// central difference of minus the efforts along a direction of x (q or v)
static void difference(RodCase* c, double* x, const double* direction, double h, double* d) {
    double x0[ROD_NV], side[2][ROD_NV];
    memcpy(x0, x, sizeof x0);
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < c->rod.joint.n_v; k++) {
            x[k] = x0[k] + (i ? h : -h) * direction[k];
        }
        rod_case_active_efforts(c, side[i]);
    }
    memcpy(x, x0, sizeof x0);
    for (int k = 0; k < c->rod.joint.n_v; k++) {
        d[k] = -(side[1][k] - side[0][k]) / (2.0 * h);
    }
}

// largest difference of tangent times direction and the central difference, extrapolated or not,
// relative to the largest entry
static double tangent_error(RodCase* c, bool by_rate, double h, bool is_extrapolated) {
    static double Qq[ROD_NV * ROD_NV];
    int n_v = c->rod.joint.n_v;
    double direction[ROD_NV] = {0.0};
    double d[2][ROD_NV];
    CheckRandom r = check_random(99);
    for (int k = 0; k < n_v; k++) {
        direction[k] = check_uniform(&r, -1.0, 1.0);
    }
    double* x = by_rate ? c->v : c->q;
    difference(c, x, direction, h, d[0]);
    difference(c, x, direction, 0.5 * h, d[1]);
    rod_case_tangent(c, by_rate ? 0.0 : 1.0, by_rate ? 1.0 : 0.0, Qq);
    double error = 0.0;
    double size = 0.0;
    for (int k = 0; k < n_v; k++) {
        double sum = 0.0;
        for (int l = 0; l < n_v; l++) {
            sum += Qq[k * n_v + l] * direction[l];
        }
        double expected = is_extrapolated ? (4.0 * d[1][k] - d[0][k]) / 3.0 : d[0][k];
        error = fmax(error, fabs(sum - expected));
        size = fmax(size, fabs(expected));
    }
    return size > 0.0 ? error / size : error;
}

static const int MODES[ELV_N_BASIS] = {3, 3, 3, 2, 3, 4, 2};

// each kind alone: 1e-8 of the largest entry
static void test_tangent_of_each_kind(void** state) {
    (void)state;
    for (int space = 0; space < ELV_N_SPACE; space++) {
        for (int kind = STRESS; kind <= ALL; kind = kind == LAW ? ALL : 2 * kind) {
            for (int basis = 0; basis < ELV_N_BASIS; basis++) {
                RodCase c;
                Actuation a;
                open_kinds(&c, &a, (ElvBasisKind)basis, MODES[basis], (ElvSpaceMethod)space, kind);
                rod_case_randomize(&c, (uint64_t)basis + 1, 3.0);
                CHECK_NEAR(tangent_error(&c, false, 4e-3, true), 0.0, 1e-8);
                CHECK_NEAR(tangent_error(&c, true, 4e-3, true), 0.0, 1e-8);
                rod_case_end(&c);
                if (kind == ALL) {
                    break;
                }
            }
        }
    }
}

// the error of plain central differences falls with slope 2
static void test_tangent_slope(void** state) {
    (void)state;
    const int kinds[4] = {TENDON, CHAMBER, MUSCLE, LAW};
    for (int i = 0; i < 4; i++) {
        RodCase c;
        Actuation a;
        open_kinds(&c, &a, ELV_BASIS_LEGENDRE, 3, ELV_SPACE_QUADRATURE, kinds[i]);
        rod_case_randomize(&c, 7, 3.0);
        double error[2] = {tangent_error(&c, false, 2e-3, false),
                           tangent_error(&c, false, 1e-3, false)};
        double slope = log2(error[0] / error[1]);
        CHECK_TRUE(slope > 1.9 && slope < 2.1 && error[1] < 1e-2);
        rod_case_end(&c);
    }
}

// the factor of a tendon with friction and its derivative
static void test_factor_derivative(void** state) {
    (void)state;
    RodCase c;
    Actuation a;
    open_kinds(&c, &a, ELV_BASIS_LEGENDRE, 3, ELV_SPACE_QUADRATURE, ALL);
    double effort[ROD_NV], d_value[ROD_NV], d_factor[ROD_NV], unused[ROD_NV];
    int n_v = c.rod.joint.n_v;
    CHECK_TRUE(c.rod.joint.n_channel == 4);
    rod_case_randomize(&c, 3, 3.0);
    for (int i = 0; i < 4; i++) {
        ElvChannel now = rod_case_channel(&c, i, effort, d_value, d_factor);
        CHECK_TRUE(i % 2 == 1 ? now.factor == 1.0 : now.factor < 0.9 && now.factor > 0.1);
        for (int k = 0; k < n_v; k++) {
            double difference_of[2] = {0.0, 0.0};
            double q = c.q[k];
            for (int level = 0; level < 2; level++) {
                double h = level ? 1e-3 : 2e-3;
                double side[2];
                for (int j = 0; j < 2; j++) {
                    c.q[k] = q + (j ? h : -h);
                    side[j] = rod_case_channel(&c, i, effort, d_value, unused).factor;
                }
                c.q[k] = q;
                difference_of[level] = (side[1] - side[0]) / (2.0 * h);
            }
            double expected = (4.0 * difference_of[1] - difference_of[0]) / 3.0;
            CHECK_NEAR(d_factor[k], expected, 1e-10);
        }
    }
    rod_case_end(&c);
}

// ---- behind the joint interface

// efforts are linear in the inputs, with the channels' efforts as derivatives
static void test_efforts_by_channels(void** state) {
    (void)state;
    for (int space = 0; space < ELV_N_SPACE; space++) {
        RodCase c;
        Actuation a;
        open_kinds(&c, &a, ELV_BASIS_LEGENDRE, 3, (ElvSpaceMethod)space, ALL);
        int n_v = c.rod.joint.n_v;
        double with[ROD_NV], without[ROD_NV], effort[ROD_NV], d_value[ROD_NV], d_factor[ROD_NV];
        rod_case_randomize(&c, 5, 3.0);
        rod_case_efforts(&c, with);
        double u[ROD_CHANNEL];
        memcpy(u, c.u, sizeof u);
        memset(c.u, 0, sizeof c.u);
        rod_case_efforts(&c, without);
        for (int i = 0; i < c.rod.joint.n_channel; i++) {
            (void)rod_case_channel(&c, i, effort, d_value, d_factor);
            for (int k = 0; k < n_v; k++) {
                without[k] += u[i] * effort[k];
            }
        }
        CHECK_ARRAY_NEAR(with, without, (size_t)n_v, 1e-14 * array_largest(with, n_v));
        rod_case_end(&c);
    }
}

// Qq of the rod's tangent at rest in space: elasticity, damping and actuation, and what inertia adds,
// which a rod without actuation has too
static void test_tangent_operation(void** state) {
    (void)state;
    enum { N = 18 };
    for (int space = 0; space < ELV_N_SPACE; space++) {
        static double Xq[2 * 18 * N], P[2 * 6 * N], Qq[2][N * N], Qx[N * 18], Wq[6 * N], Wx[6 * 18];
        static double expected[ROD_NV * ROD_NV];
        for (int i = 0; i < 2; i++) {
            RodCase c;
            Actuation a;
            open_kinds(&c, &a, ELV_BASIS_LEGENDRE, 3, (ElvSpaceMethod)space, i ? ALL : 0);
            ElvMotion root = {.g = elv_pose_identity()};
            ElvWrench port[2] = {elv_wrench_zero(), elv_wrench_zero()};
            ElvWrench W;
            double tau[N];
            ElvUnknown unknown = {.c = 1.0, .a = 20.0, .b = 400.0};
            ElvJointTangent tangent = {Xq, P, Qq[i], Qx, Wq, Wx};
            rod_case_randomize(&c, 2, 3.0);
            rod_case_forward(&c);
            c.rod.joint.ops->backward(&c.rod.joint, c.work, &c.in, port, &W, tau);
            c.rod.joint.ops->tangent(&c.rod.joint, c.work, &c.in, &unknown, &root, port, true,
                                     &tangent);
            if (i == 1) {
                rod_case_tangent(&c, unknown.c, unknown.a, expected);
            }
            rod_case_end(&c);
        }
        // segments differ, and with them the error of space: far below what is added
        for (int k = 0; k < N * N; k++) {
            expected[k] += Qq[0][k];
        }
        CHECK_ARRAY_NEAR(Qq[1], expected, N * N, 1e-7 * array_largest(expected, N * N));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tangent_of_each_kind), cmocka_unit_test(test_tangent_slope),
        cmocka_unit_test(test_factor_derivative),    cmocka_unit_test(test_efforts_by_channels),
        cmocka_unit_test(test_tangent_operation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
