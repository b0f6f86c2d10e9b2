// SPDX-License-Identifier: Apache-2.0
// The projective method at one shape [P20 (53)-(58)]: the Jacobian of a clamped tip against its integral,
// rates against the equations that they solve, the decay of defects against an exponential, and the order of
// the steps.
#include "linalg/min_norm.h"
#include "linalg/quadrature.h"
#include "model_case.h"
#include "multibody/border.h"
#include "solve/statics.h"

static const double MU = 1e-3;
static const double GAIN = 20.0;

typedef struct {
    ModelCase c;
    ElvStaticsSolver solver;
    ElvProblem* problem;
    ElvProjection* p;
} Shape;

// a model at a random shape, which closes no loop
static Shape open_shape(const char* text, double size) {
    Shape s = {
        .c = case_open("%sstatics: {method: projective, damping: %g, gain: %g}\n", text, MU, GAIN)};
    ElvError error;
    ElvStaticsDef options = elv_model_statics(s.c.model);
    CHECK_STATUS(elv_statics_create(s.c.model, &options, &s.solver, &error), &error);
    case_randomize(&s.c, 7, size);
    elv_state_copy(s.solver.now, s.c.state);
    elv_statics_halt(s.solver.now);
    s.p = s.solver.projection;
    return s;
}

// the chart and the damping there; the solver must not move any more, for it is pointed to
static void settle(Shape* s) {
    s->problem = &s->solver.problem;
    s->problem->state->t = s->solver.now->t;
    elv_problem_chart(s->problem, s->solver.now);
    elv_statics_weigh(&s->solver);
    elv_statics_damping(&s->solver);
    elv_projection_damp(s->p, s->solver.D);
}

static void close_shape(Shape* s) {
    elv_statics_free(&s->solver);
    case_close(&s->c);
}

static void rate_at(Shape* s, const double* nu) {
    CHECK_TRUE(elv_projection_rate(s->p, s->problem, nu, GAIN));
}

// ---- models

#define CLAMPED(strain)                                                                            \
    "tree:\n"                                                                                      \
    "  - {rod: rod, length: 1.3, stiffness: [2, 3, 3, 200, 300, 300], nodes: 40,\n"                \
    "     inertia: [1, 1, 1, 1, 1, 1], strain: " strain ", basis: chebyshev}\n"                    \
    "loops:\n"                                                                                     \
    "  - {loop: clamp, between: [world, rod.tip], joint: fixed,\n"                                 \
    "     pose: {xyz: [1, 0.1, 0], rpy: [0.3, 0.1, 0]}}\n"

static const char* const clamped =
    CLAMPED("{twist: 3, bend_y: 5, bend_z: 5, stretch: 2}") "gravity: [0, 0, -9.81]\n";

// tree and loop with balls, springs and a motor, and a drive
static const char* const robot =
    "gravity: [0, 0, -9.81]\n"
    "tree:\n"
    "  - {body: slide, joint: {prismatic: {axis: z, motion: \"0.1*t\"}}, mass: 1,\n"
    "     inertia: [1, 1, 1]}\n"
    "  - {rod: arm, parent: slide, joint: spherical, length: 0.7, nodes: 20,\n"
    "     stiffness: [2, 3, 3, 200, 300, 300], inertia: [1, 1, 1, 1, 1, 1],\n"
    "     strain: {bend_y: 3, bend_z: 3}}\n"
    "  - {body: hand, parent: arm.tip, joint: {spherical: {stiffness: 2}}, mass: 0.5,\n"
    "     center: [0.1, 0, 0], inertia: [1, 2, 2]}\n"
    "loops:\n"
    "  - {loop: pin, between: [world, hand],\n"
    "     joint: {revolute: {axis: z, stiffness: 3, rest: 0.2, force: 0.7}}, pose: {xyz: [0.6, "
    "0.2, "
    "0.1]}}\n";

// a plane loop: three of five constraints hold already
static const char* const plane =
    "tree:\n"
    "  - {body: a, joint: {revolute: {axis: z, stiffness: 1}}, mass: 1, inertia: [1, 1, 1]}\n"
    "  - {body: b, parent: a, pose: {xyz: [1, 0, 0]}, joint: {revolute: {axis: z}}, mass: 1,\n"
    "     inertia: [1, 1, 1]}\n"
    "  - {body: c, parent: b, pose: {xyz: [1, 0, 0]}, joint: {revolute: {axis: z}}, mass: 1,\n"
    "     inertia: [1, 1, 1]}\n"
    "loops:\n"
    "  - {loop: pin, between: [world, c], joint: revolute, axis: z, pose: {xyz: [1.2, 0.6, 0]}}\n"
    "gravity: [0, -9.81, 0]\n";

static const char* const free_rod =
    "tree:\n"
    "  - {rod: rod, length: 1.3, stiffness: [2, 3, 3, 200, 300, 300], nodes: 30,\n"
    "     inertia: [1, 1, 1, 1, 1, 1], strain: {twist: 2, bend_y: 3, bend_z: 3}}\n"
    "gravity: [0, 0, -9.81]\n";

// ---- the Jacobian of the tip

// J_1 = Ad_g(1)^-1 int Ad_g B Phi dX, with B Phi of a coordinate the strain that it makes        [P20 (53)]
static void integrate_jacobian(ModelCase* c, double length, double* J) {
    double x[40], w[40];
    ElvPose tip = case_pose(c, "rod.tip");
    elv_gauss_legendre(40, x, w);
    memset(J, 0, 6 * (size_t)c->nv * sizeof *J);
    for (int k = 0; k < c->nv; k++) {
        for (int i = 0; i < 40; i++) {
            ElvPose g;
            ElvTwist with, without;
            double column[6];
            elv_kinematics(c->model, c->data, c->state);
            elv_rod_section(c->model, c->data, c->state, 0, x[i], &g, &without, NULL);
            c->state->q[k] += 1.0;
            elv_rod_section(c->model, c->data, c->state, 0, x[i], NULL, &with, NULL);
            c->state->q[k] -= 1.0;
            ElvTwist own = elv_twist_transform(g, elv_twist_sub(with, without));
            elv_twist_to_array(elv_twist_transform_inv(tip, own), column);
            for (int row = 0; row < 6; row++) {
                J[row * c->nv + k] += length * w[i] * column[row];
            }
        }
    }
}

// G = J^T J, which no rotation of rows changes
static void gram(int n_row, int n, const double* J, double* G) {
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
            G[i * n + k] = 0.0;
            for (int row = 0; row < n_row; row++) {
                G[i * n + k] += J[row * n + i] * J[row * n + k];
            }
        }
    }
}

static void test_tip_jacobian(void** unused) {
    (void)unused;
    Shape s = open_shape(clamped, 0.4);
    settle(&s);
    double J[6 * 15], integral[6 * 15], G[15 * 15], expected[15 * 15];
    CHECK_TRUE(s.c.nv == 15 && s.p->n == 15 && s.p->n_row == 6);
    elv_frame_jacobian(s.c.model, s.c.data, s.c.state, case_frame(&s.c, "rod.tip"), J);
    // both integrals have 40 nodes, and are smooth: exact but for rounding
    integrate_jacobian(&s.c, 1.3, integral);
    CHECK_ARRAY_NEAR(J, integral, 6 * 15, 1e-11);
    // rows of the clamp are those of the tip's twist where it is closed: its frame is put there
    elv_border_open(s.c.model, s.problem->data, s.solver.now);
    s.problem->data->closure = 0.0;
    elv_projection_see(s.p, s.problem, s.problem->nu);
    CHECK_ARRAY_NEAR(s.p->defect, ((double[6]){0.0}), 6, 1e-14);
    gram(6, 15, J, expected);
    gram(6, 15, s.p->J, G);
    CHECK_ARRAY_NEAR(G, expected, 15 * 15, 1e-12);
    close_shape(&s);
}

// J against central differences of the defects; errors are third derivatives times h^2, and rounding over h
static void check_rows(Shape* s) {
    const double h = 1e-5;
    int n = s->p->n;
    double nu[64] = {0.0}, J[640], defect[2][16];
    CHECK_TRUE(s->c.nv <= 64 && s->p->n_row * n <= 640 && s->p->n_row <= 16);
    for (int k = 0; k < n; k++) {
        nu[s->p->coordinate[k]] = 0.3 / (1.0 + k);
    }
    elv_projection_see(s->p, s->problem, nu);
    memcpy(J, s->p->J, (size_t)(s->p->n_row * n) * sizeof *J);
    for (int k = 0; k < n; k++) {
        double own = nu[s->p->coordinate[k]];
        for (int side = 0; side < 2; side++) {
            nu[s->p->coordinate[k]] = own + (side ? h : -h);
            elv_projection_see(s->p, s->problem, nu);
            memcpy(defect[side], s->p->defect, (size_t)s->p->n_row * sizeof(double));
        }
        nu[s->p->coordinate[k]] = own;
        for (int i = 0; i < s->p->n_row; i++) {
            CHECK_NEAR(J[i * n + k], (defect[1][i] - defect[0][i]) / (2.0 * h), 1e-8);
        }
    }
}

// ---- rates

// what is left of r when the range of J^T is taken away; the largest entry
static double beyond_rows(const Shape* s, const double* r) {
    static double S[64 * 64], work[4 * 64 + 1], scratch[64];
    double b[64] = {0.0}, left = 0.0;
    int column[64];
    int n = s->p->n;
    memset(S, 0, sizeof S);
    // J^T in a square
    for (int i = 0; i < n; i++) {
        b[i] = r[i];
        for (int k = 0; k < s->p->n_row && k < n; k++) {
            S[i * n + k] = s->p->J[k * n + i];
        }
    }
    int rank = elv_min_norm_factor(n, S, work, column, 1e-10, -1);
    double x[64];
    (void)elv_min_norm_solve(n, rank, S, work, column, b, x, scratch);
    for (int i = 0; i < n; i++) {
        double sum = r[i];
        for (int k = 0; k < s->p->n_row && k < n; k++) {
            sum -= s->p->J[k * n + i] * x[k];
        }
        left = fmax(left, fabs(sum));
    }
    return left;
}

// J q_dot = -k_p Phi, and D q_dot + K q + Q_c is made up by J^T                                 [P20 (55)]
static void check_rate(Shape* s) {
    int n = s->p->n;
    double r[64];
    rate_at(s, s->problem->nu);
    double largest_defect = largest(s->p->defect, (size_t)s->p->n_row);
    for (int i = 0; i < s->p->n_row; i++) {
        double sum = 0.0;
        for (int k = 0; k < n; k++) {
            sum += s->p->J[i * n + k] * s->p->rate[s->p->coordinate[k]];
        }
        CHECK_NEAR(sum, -GAIN * s->p->defect[i], 1e-12 * GAIN * largest_defect);
    }
    CHECK_TRUE(s->p->missed <= 1e-12 * GAIN * largest_defect);
    double size = 0.0;
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int k = 0; k < n; k++) {
            sum += s->p->D[i * n + k] * s->p->rate[s->p->coordinate[k]];
        }
        r[i] = sum + s->p->force[i];
        size = fmax(size, fabs(sum) + fabs(s->p->force[i]));
    }
    CHECK_TRUE(size > 0.1);
    CHECK_TRUE(beyond_rows(s, r) <= 1e-11 * size);
}

static void test_rates(void** unused) {
    (void)unused;
    static const struct {
        const char* text;
        double size;
        int rank;
    } model[] = {{clamped, 0.4, 6}, {robot, 0.3, 5}, {plane, 0.8, 2}, {free_rod, 0.5, 0}};
    for (int i = 0; i < 4; i++) {
        Shape s = open_shape(model[i].text, model[i].size);
        settle(&s);
        check_rows(&s);
        check_rate(&s);
        CHECK_TRUE(s.p->rank == model[i].rank);
        close_shape(&s);
    }
}

// Of a rod without weight K q is the slope of E = q^T K q / 2, and D = mu K.
static void test_stiffness(void** unused) {
    (void)unused;
    Shape s = open_shape(CLAMPED("{twist: 3, bend_y: 5, bend_z: 5, stretch: 2}"), 0.4);
    settle(&s);
    const double* q = s.c.state->q;
    double force = 0.0, damping = 0.0;
    elv_projection_see(s.p, s.problem, s.problem->nu);
    for (int i = 0; i < 15; i++) {
        force += s.p->force[i] * q[i];
        for (int k = 0; k < 15; k++) {
            damping += q[i] * s.p->D[i * 15 + k] * q[k];
        }
    }
    double twice = 2.0 * elv_energy(s.c.model, s.c.data, s.solver.now).elastic;
    CHECK_NEAR(force, twice, 1e-12 * twice);
    CHECK_NEAR(damping, MU * twice, 1e-12 * MU * twice);
    close_shape(&s);
}

// ---- the motion

// nu after a time, by n steps of the classical method of fourth order
static void flow(Shape* s, double time, int n, double* nu) {
    static const double node[4] = {0.0, 0.5, 0.5, 1.0};
    static const double weight[4] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
    double h = time / n;
    double at[64], next[64], rate[64] = {0.0};
    for (int i = 0; i < n; i++) {
        memcpy(next, nu, (size_t)s->c.nv * sizeof *next);
        for (int k = 0; k < 4; k++) {
            for (int j = 0; j < s->c.nv; j++) {
                at[j] = nu[j] + node[k] * h * rate[j];
            }
            rate_at(s, at);
            for (int j = 0; j < s->c.nv; j++) {
                rate[j] = s->p->rate[j];
                next[j] += weight[k] * h * rate[j];
            }
        }
        memcpy(nu, next, (size_t)s->c.nv * sizeof *nu);
    }
}

// Every defect decays as exp(-k_p t), however the shape moves                                   [P20 (58)]
static void test_defects_decay(void** unused) {
    (void)unused;
    static const char* const model[] = {clamped, robot, plane};
    for (int i = 0; i < 3; i++) {
        Shape s = open_shape(model[i], 0.3);
        settle(&s);
        double nu[64] = {0.0}, start[16];
        rate_at(&s, nu);
        memcpy(start, s.p->defect, (size_t)s.p->n_row * sizeof *start);
        double size = largest(start, (size_t)s.p->n_row);
        CHECK_TRUE(size > 0.05);
        double past = size;
        for (int part = 1; part <= 4; part++) {
            // over half of 1/k_p, by steps h of a sixteenth of mu: errors of the order (h/mu)^4/120 in what
            // decays at the rate 1/mu
            flow(&s, 0.5 / GAIN, 400, nu);
            elv_projection_see(s.p, s.problem, nu);
            for (int k = 0; k < s.p->n_row; k++) {
                CHECK_NEAR(s.p->defect[k], exp(-0.5 * part) * start[k], 1e-6 * size);
            }
            double now = largest(s.p->defect, (size_t)s.p->n_row);
            CHECK_NEAR(log(past / now) / (0.5 / GAIN), GAIN, 1e-4 * GAIN);
            past = now;
        }
        close_shape(&s);
    }
}

// a step of second order errs by the third power of its length
static void test_step_order(void** unused) {
    (void)unused;
    double error[3];
    for (int i = 0; i < 3; i++) {
        Shape s = open_shape(clamped, 0.1);
        settle(&s);
        double h = ldexp(0.2 * MU, -i);
        double dt = h;
        double exact[64] = {0.0};
        flow(&s, h, 20, exact);
        elv_problem_chart(s.problem, s.solver.now);
        memset(s.problem->nu, 0, (size_t)s.c.nv * sizeof(double));
        rate_at(&s, s.problem->nu);
        CHECK_TRUE(elv_projection_step(s.p, s.problem, GAIN, &dt) && dt > h);
        error[i] = largest_difference(s.problem->nu, exact, (size_t)s.c.nv);
        close_shape(&s);
    }
    CHECK_TRUE(error[2] > 1e-14);
    CHECK_NEAR(log(error[0] / error[1]) / log(2.0), 3.0, 0.3);
    CHECK_NEAR(log(error[1] / error[2]) / log(2.0), 3.0, 0.3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tip_jacobian), cmocka_unit_test(test_rates),
        cmocka_unit_test(test_stiffness),    cmocka_unit_test(test_defects_decay),
        cmocka_unit_test(test_step_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
