// SPDX-License-Identifier: Apache-2.0
// Lagrange's equations as an oracle for the IDM and the internal efforts. For scalar coordinates
//     IDM(q, v, 0) = d/dt (dT/dv) - dT/dq + dU_gravity/dq,    Upsilon = -dU_elastic/dq,
// with dT/dv = M(q) v along q + h v, and T, U from elv_energy at q + h e_i: central differences,
// whose error must fall as h^2, extrapolated to h = 0. Nodes enough that the spatial error is below
// what the differences resolve.
#include "random_tree.h"

enum { N_TREE = IS_SANITIZED ? 40 : 150, N_LEVEL = 4, N_TERM = 3 };

// rounding 1e-16 over the smallest step 0.005, summed over the terms of the energies; what is left
// of the differences after three extrapolations, h^8, is less
static const double TOL = 1e-11;

/// Right-hand sides of the three comparisons: velocity terms, gravity, elasticity.
typedef struct {
    double* term[N_TERM]; // (nv)
} Lagrange;

// dT/dv at q + h v
static void momentum_at(const Robot* robot, const ElvState* state, double h, double* M, double* p) {
    for (int i = 0; i < robot->nv; i++) {
        robot->state->q[i] = state->q[i] + h * state->v[i];
    }
    elv_mass_matrix(robot->model, robot->data, robot->state, M);
    array_apply(robot->nv, M, state->v, p);
}

// central differences of step h at a state whose coordinates are all scalar
static void lagrange(const Robot* robot, const ElvState* state, double h, Lagrange* out) {
    int nv = robot->nv;
    double* M = new_array(nv * nv);
    double* p = new_array(nv);
    elv_state_copy(robot->state, state);
    momentum_at(robot, state, -h, M, p);
    momentum_at(robot, state, h, M, out->term[0]);
    elv_state_copy(robot->state, state);
    for (int i = 0; i < nv; i++) {
        robot->state->q[i] = state->q[i] + h;
        ElvEnergy ahead = elv_energy(robot->model, robot->data, robot->state);
        robot->state->q[i] = state->q[i] - h;
        ElvEnergy behind = elv_energy(robot->model, robot->data, robot->state);
        robot->state->q[i] = state->q[i];
        double kinetic = (ahead.kinetic - behind.kinetic) / (2.0 * h);
        out->term[0][i] = (out->term[0][i] - p[i]) / (2.0 * h) - kinetic;
        out->term[1][i] = (ahead.gravity - behind.gravity) / (2.0 * h);
        out->term[2][i] = -(ahead.elastic - behind.elastic) / (2.0 * h);
    }
    free(M);
    free(p);
}

// what the library says: IDM without gravity, gravity alone, internal efforts
static void expect(const Robot* robot, const ElvState* state, Lagrange* out) {
    int nv = robot->nv;
    elv_state_copy(robot->state, state);
    elv_bias(robot->model, robot->data, robot->state, out->term[0]);
    elv_internal_efforts(robot->model, robot->data, robot->state, out->term[2]);
    memset(robot->state->v, 0, (size_t)nv * sizeof(double));
    elv_bias(robot->model, robot->data, robot->state, out->term[1]);
    for (int i = 0; i < nv; i++) {
        out->term[0][i] -= out->term[1][i];
    }
}

static Lagrange new_lagrange(int nv) {
    Lagrange x;
    for (int i = 0; i < N_TERM; i++) {
        x.term[i] = new_array(nv);
    }
    return x;
}

static void free_lagrange(Lagrange* x) {
    for (int i = 0; i < N_TERM; i++) {
        free(x->term[i]);
    }
}

// Romberg's scheme on steps h, h/2, h/4, ...: row[0] becomes the extrapolation
static void extrapolate(int nv, Lagrange row[N_LEVEL], int i_term) {
    for (int level = 1; level < N_LEVEL; level++) {
        double factor = pow(4.0, level);
        for (int i = 0; i + level < N_LEVEL; i++) {
            double* coarse = row[i].term[i_term];
            const double* fine = row[i + 1].term[i_term];
            for (int k = 0; k < nv; k++) {
                coarse[k] = (factor * fine[k] - coarse[k]) / (factor - 1.0);
            }
        }
    }
}

// the size of the terms that cancel: momenta changing over a second, forces, efforts
static double term_scale(const Robot* robot, const ElvState* state, const double* x, int i_term) {
    double* M = new_array(robot->nv * robot->nv);
    double* p = new_array(robot->nv);
    elv_state_copy(robot->state, state);
    momentum_at(robot, state, 0.0, M, p);
    double scale = array_norm(x, robot->nv) + (i_term == 0 ? array_norm(p, robot->nv) : 0.0);
    free(M);
    free(p);
    return scale;
}

static void check_lagrange(uint64_t seed) {
    RandomOptions options = {.n_element_max = 3,
                             .nodes = 24,
                             .is_scalar = true,
                             .is_smooth = seed % 2 == 0,
                             .has_gravity = true,
                             .has_added_mass = true,
                             .has_rotors = true};
    CheckRandom r = check_random(seed);
    Robot robot = random_tree(&r, &options);
    random_state(&r, &robot, 1.0);
    int nv = robot.nv;
    CHECK_TRUE(robot.nq == nv);
    ElvState* state = copy_state(&robot, robot.state);
    Lagrange expected = new_lagrange(nv);
    expect(&robot, state, &expected);
    Lagrange row[N_LEVEL];
    for (int level = 0; level < N_LEVEL; level++) {
        row[level] = new_lagrange(nv);
        lagrange(&robot, state, 0.04 * pow(0.5, level), &row[level]);
    }
    for (int i = 0; i < N_TERM; i++) {
        double scale = term_scale(&robot, state, expected.term[i], i);
        // slope 2 where the error stands out of the rounding: 4 to first order in h^2
        double coarse = array_distance(row[1].term[i], expected.term[i], nv);
        double fine = array_distance(row[2].term[i], expected.term[i], nv);
        if (coarse > 1e-7 * scale) {
            CHECK_BOUND(fabs(coarse / fine - 4.0), 0.05, seed);
        }
        extrapolate(nv, row, i);
        double error = array_distance(row[0].term[i], expected.term[i], nv);
        CHECK_BOUND(error, TOL * scale, seed);
    }
    for (int level = 0; level < N_LEVEL; level++) {
        free_lagrange(&row[level]);
    }
    free_lagrange(&expected);
    elv_state_free(state);
    robot_free(&robot);
}

static void test_lagrange(void** context) {
    (void)context;
    for (uint64_t seed = 1; seed <= N_TREE; seed++) {
        check_lagrange(seed);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lagrange),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
