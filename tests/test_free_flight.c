// SPDX-License-Identifier: Apache-2.0
// Free flight: random trees on a floating base, without gravity, loads and damping. Linear and
// angular momentum and energy stay what they were over ten seconds, with springs, rotors and soft
// rods at work: every tree of a range of seeds, with every joint, basis and strain.
// How far rods bend is bounded beforehand, by the energy that they can get.
#include "joint/lumped.h"
#include "linalg/cholesky.h"
#include "rod/rod.h"

#include "random_tree.h"

static const double DURATION = 10.0;

// bound on the turns of all sections and springs, rad, derived below. A section that turns by theta
// over a smooth piece is interpolated on n Gauss nodes with an error of about (theta/4)^n / n!:
// 1e-21 for TURN on 20 nodes; 1e-12 on 12 nodes for the half of a rod, which turns by about
// TURN/sqrt(2) at most. And a spring that turns by less than pi never meets its cut.
static const double TURN = 3.0;
enum { NODES = 20, PIECE_NODES = 12 };

// the rods' fastest vibration, rad/s: what an explicit method pays for. Stiffer rods are softened
static const double FASTEST = 9.0;

// relative drift; time steps leave some 1e-11
static const double TOL = 1e-9;
static const double REL_TOL = 1e-11;

enum { N_SEED = 40, COLUMN_MAX = 128 };

/// What all flights together have met.
typedef struct {
    bool joint[ELV_N_JOINT_TYPE], basis[ELV_N_BASIS], strain[ELV_N_STRAIN];
    int n_branching;                   // trees in which a body or rod carries two or more
    double linear, angular, energy;    // largest drifts
    double turn, twist, bend, stretch; // largest turns of a rod's section, rad; linear strains
} Tally;

typedef struct {
    uint64_t seed;
    int n_record;
    double start[7];                // linear and angular momentum, energy
    double linear, angular, energy; // what drifts are relative to
    Tally* tally;
} Flight;

// the rod of node j, if it has strains
static const ElvRod* rod_of(const ElvModel* model, int j) {
    const ElvNode* node = &model->node[j];
    return node->info.is_rod && node->joint->n_v > 0 ? (const ElvRod*)node->joint : NULL;
}

static bool has_quaternion(const ElvNode* node) {
    return !node->info.is_rod &&
           (node->info.joint == ELV_JOINT_SPHERICAL || node->info.joint == ELV_JOINT_FREE);
}

// strain at a node of the quadrature, less the one at rest
static ElvTwist strain_at_node(const ElvRod* rod, const double* q, int i) {
    static const double rest[COLUMN_MAX] = {0.0};
    CHECK_TRUE(rod->joint.n_v <= COLUMN_MAX);
    ElvTwist xi = elv_rod_strain_at(rod, q, rod->s[i]);
    return elv_twist_sub(xi, elv_rod_strain_at(rod, rest, rod->s[i]));
}

// ---- bounds
//
// The internal energy E, all but that of the centre of mass, is kept, and no part of it is
// negative: 1/2 q^T K q <= E for every rod, for ever. With G the integral of Phi^T Phi over the
// columns of twist and bending, the section turns along the rod, beyond the shape at rest, by
//     theta = integral |kappa| dX <= sqrt(L q^T G q) <= sqrt(2 E L lambda),
// lambda the largest eigenvalue of K^-1 G. The spring of a spherical or free joint, k its least
// stiffness, turns by sqrt(2 E / k) at most. Springs and rods start unstrained, so that E is
// kinetic, and velocities are scaled until the largest of these bounds is TURN.

static double trace(int n, const double* A) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += A[i * n + i];
    }
    return sum;
}

// no less than the largest eigenvalue of B^-1 A, A >= 0 and B > 0 symmetric, and at most n^(1/64)
// times it: (trace of the 64th power)^(1/64), by squaring
static double largest_eigenvalue(int n, const double* A, const double* B) {
    size_t size = (size_t)n * (size_t)n * sizeof(double);
    double* L = new_array(n * n);
    double* P = new_array(n * n);
    double* square = new_array(n * n);
    memcpy(L, B, size);
    memcpy(P, A, size);
    CHECK_TRUE(elv_cholesky_factor(n, L) < 0);
    for (int i = 0; i < n; i++) {
        elv_cholesky_solve(n, L, P + (size_t)i * (size_t)n);
    }
    double scale = trace(n, P);
    double value = scale;
    for (int power = 2; power <= 64 && scale > 0.0; power *= 2) {
        for (int i = 0; i < n * n; i++) {
            P[i] /= scale;
        }
        for (int i = 0; i < n * n; i++) {
            square[i] = 0.0;
            for (int k = 0; k < n; k++) {
                square[i] += P[i / n * n + k] * P[k * n + i % n];
            }
        }
        memcpy(P, square, size);
        scale = trace(n, P);
        value *= pow(scale, 1.0 / power);
    }
    free(L);
    free(P);
    free(square);
    return value;
}

// theta^2 / (2 E) of a rod: L lambda
static double rod_flexibility(const ElvRod* rod) {
    int n = rod->joint.n_v;
    double* G = new_array(n * n);
    double* unit = new_array(n);
    ElvVec3* column = calloc((size_t)n, sizeof *column);
    for (int i = 0; i < rod->n_node; i++) {
        for (int k = 0; k < n; k++) {
            unit[k] = 1.0;
            column[k] = strain_at_node(rod, unit, i).ang;
            unit[k] = 0.0;
        }
        for (int k = 0; k < n * n; k++) {
            G[k] += rod->weight[i] * elv_vec3_dot(column[k / n], column[k % n]);
        }
    }
    double flexibility = rod->length * largest_eigenvalue(n, G, rod->K);
    free(G);
    free(unit);
    free(column);
    return flexibility;
}

// theta^2 / (2 E) of what turns most easily; 0 if nothing does
static double tree_flexibility(const ElvModel* model) {
    double largest = 0.0;
    for (int j = 1; j < model->n_node; j++) {
        const ElvNode* node = &model->node[j];
        const ElvRod* rod = rod_of(model, j);
        if (rod) {
            largest = fmax(largest, rod_flexibility(rod));
        } else if (has_quaternion(node)) {
            const double* k = ((const ElvLumped*)node->joint)->stiffness;
            double least = fmin(k[0], fmin(k[1], k[2]));
            largest = least > 0.0 ? fmax(largest, 1.0 / least) : largest;
        }
    }
    return largest;
}

// of the rods, in the state of the robot
static double fastest_vibration(const Robot* robot) {
    int n = robot->nv;
    double* M = new_array(n * n);
    double* K = new_array(n * n);
    elv_mass_matrix(robot->model, robot->data, robot->state, M);
    for (int j = 0; j < robot->model->n_node; j++) {
        const ElvRod* rod = rod_of(robot->model, j);
        int i_v = robot->model->node[j].i_v;
        int n_v = rod ? rod->joint.n_v : 0;
        for (int i = 0; i < n_v * n_v; i++) {
            K[(i_v + i / n_v) * n + i_v + i % n_v] = rod->K[i];
        }
    }
    double omega = sqrt(largest_eigenvalue(n, K, M));
    free(M);
    free(K);
    return omega;
}

// ---- the start of a flight

// strains zero, springs at rest; the base stays anywhere
static void relax(const Robot* robot) {
    for (int j = 1; j < robot->model->n_node; j++) {
        const ElvNode* node = &robot->model->node[j];
        double* q = robot->state->q + node->i_q;
        for (int k = 0; k < node->joint->n_q; k++) {
            q[k] = has_quaternion(node) ? k == 0
                   : node->info.is_rod  ? 0.0
                                        : ((const ElvLumped*)node->joint)->rest[k];
        }
    }
}

static Robot unstrained_tree(uint64_t seed, double softening) {
    RandomOptions options = {.n_element_max = 4,
                             .nodes = NODES,
                             .piece_nodes = PIECE_NODES,
                             .is_floating = true,
                             .is_smooth = seed % 2 == 0,
                             .softening = softening,
                             .has_rotors = true};
    CheckRandom r = check_random(seed);
    Robot robot = random_tree(&r, &options);
    random_state(&r, &robot, 0.3);
    robot.state->t = 0.0;
    relax(&robot);
    return robot;
}

// kinetic and elastic energy less those of the centre of mass
static double internal_energy(ElvEnergy energy, ElvMomentum m) {
    double p = elv_vec3_norm(m.linear);
    return energy.kinetic + energy.elastic - 0.5 * p * p / m.mass;
}

// scale all velocities but that of translation, which has no part in the internal energy E, until
// E = TURN^2 / (2 flexibility)
static void limit_energy(const Robot* robot) {
    const ElvModel* model = robot->model;
    ElvState* state = robot->state;
    ElvEnergy energy = elv_energy(model, robot->data, state);
    CHECK_TRUE(energy.elastic == 0.0);
    double flexibility = tree_flexibility(model);
    if (flexibility > 0.0) {
        double limit = TURN * TURN / (2.0 * flexibility);
        double E = internal_energy(energy, elv_momentum(model, robot->data, state));
        for (int i = 0; i < robot->nv; i++) {
            bool is_translation = i >= 3 && i < 6;
            state->v[i] *= is_translation ? 1.0 : sqrt(limit / E);
        }
        energy = elv_energy(model, robot->data, state);
        E = internal_energy(energy, elv_momentum(model, robot->data, state));
        CHECK_NEAR(E / limit, 1.0, 1e-9);
    }
}

// ---- the flight

static void measure_turns(const ElvModel* model, const ElvState* state, Tally* tally) {
    for (int j = 0; j < model->n_node; j++) {
        const ElvRod* rod = rod_of(model, j);
        double turn = 0.0;
        double twist = 0.0;
        double bend = 0.0;
        for (int i = 0; rod && i < rod->n_node; i++) {
            ElvTwist xi = strain_at_node(rod, state->q + model->node[j].i_q, i);
            turn += rod->weight[i] * elv_vec3_norm(xi.ang);
            twist += rod->weight[i] * fabs(xi.ang.x);
            bend += rod->weight[i] * hypot(xi.ang.y, xi.ang.z);
            tally->stretch = fmax(tally->stretch, elv_vec3_norm(xi.lin));
        }
        tally->turn = fmax(tally->turn, turn);
        tally->twist = fmax(tally->twist, twist);
        tally->bend = fmax(tally->bend, bend);
    }
}

// drifts of the momenta and of the energy, against the linear momentum, the angular momentum about
// the centre of mass and the internal energy at the start: no choice of origin, no uniform motion
// makes the last two larger
static bool record(void* user, const ElvModel* model, ElvData* data, const ElvState* state) {
    Flight* flight = user;
    Tally* tally = flight->tally;
    ElvEnergy energy = elv_energy(model, data, state);
    ElvMomentum m = elv_momentum(model, data, state);
    double now[7] = {m.linear.x,
                     m.linear.y,
                     m.linear.z,
                     m.angular.x,
                     m.angular.y,
                     m.angular.z,
                     energy.kinetic + energy.elastic};
    const double* start = flight->start;
    if (flight->n_record++ == 0) {
        memcpy(flight->start, now, sizeof now);
        flight->linear = elv_vec3_norm(m.linear);
        flight->angular =
            elv_vec3_norm(elv_vec3_sub(m.angular, elv_vec3_cross(m.center, m.linear)));
        flight->energy = internal_energy(energy, m);
    }
    double linear = array_distance(now, start, 3) / flight->linear;
    double angular = array_distance(now + 3, start + 3, 3) / flight->angular;
    double drift = fabs(now[6] - start[6]) / flight->energy;
    CHECK_BOUND(linear, TOL, flight->seed);
    CHECK_BOUND(angular, TOL, flight->seed);
    CHECK_BOUND(drift, TOL, flight->seed);
    tally->linear = fmax(tally->linear, linear);
    tally->angular = fmax(tally->angular, angular);
    tally->energy = fmax(tally->energy, drift);
    measure_turns(model, state, tally);
    return true;
}

static void count_kinds(const ElvModel* model, Tally* tally) {
    int n_child[4 * TREE_ELEMENT_MAX] = {0};
    bool is_branching = false;
    for (int j = 1; j < model->n_node; j++) {
        const ElvNode* node = &model->node[j];
        int parent = model->port[node->parent_port].i_node;
        is_branching |= ++n_child[parent] == 2;
        tally->joint[node->info.joint] |= !node->info.is_rod;
        const ElvRod* rod = rod_of(model, j);
        for (int i = 0; rod && i < rod->n_element * ELV_N_STRAIN; i++) {
            int strain = i % ELV_N_STRAIN;
            const ElvStrainBasis* basis = &rod->element[i / ELV_N_STRAIN].basis[strain];
            tally->basis[basis->kind] |= basis->n_mode > 0;
            tally->strain[strain] |= basis->n_mode > 0;
        }
        CHECK_TRUE(!node->info.is_rod || node->info.n_quadrature >= NODES);
    }
    tally->n_branching += is_branching;
}

static void check_flight(uint64_t seed, Tally* tally) {
    // the same tree twice: as stiff as it is drawn, then as soft as it has to be
    Robot robot = unstrained_tree(seed, 1.0);
    double ratio = fastest_vibration(&robot) / FASTEST;
    robot_free(&robot);
    robot = unstrained_tree(seed, fmax(1.0, ratio * ratio));
    limit_energy(&robot);
    count_kinds(robot.model, tally);
    ElvState* start = copy_state(&robot, robot.state);
    Flight flight = {.seed = seed, .tally = tally};
    ElvSimulateOptions simulate = elv_simulate_options_default(robot.model, robot.state);
    simulate.method.method = ELV_METHOD_EXPLICIT;
    simulate.method.duration = simulate.t_end = DURATION;
    simulate.method.rel_tol = REL_TOL;
    simulate.method.abs_tol = 0.1 * REL_TOL;
    simulate.method.order = 7;
    simulate.record_every = 0.5;
    simulate.record = record;
    simulate.user = &flight;
    ElvError error;
    CHECK_STATUS(elv_simulate(robot.model, robot.state, &simulate, NULL, &error), &error);
    CHECK_TRUE(flight.n_record == 21);
    // and it did move
    CHECK_TRUE(array_distance(start->q, robot.state->q, robot.nq) > 0.1);
    elv_state_free(start);
    robot_free(&robot);
}

static bool are_all(const bool* is_met, int n) {
    bool are = true;
    for (int i = 0; i < n; i++) {
        are &= is_met[i];
    }
    return are;
}

static void test_free_flight(void** context) {
    (void)context;
    Tally tally = {0};
    for (uint64_t seed = 0; seed < N_SEED; seed++) {
        check_flight(seed, &tally);
    }
    print_message("%d seeds: drift of linear momentum %.1e, angular %.1e, energy %.1e\n", N_SEED,
                  tally.linear, tally.angular, tally.energy);
    print_message("a section turned by %.2f rad: twist %.2f, bending %.2f; linear strain %.2f\n",
                  tally.turn, tally.twist, tally.bend, tally.stretch);
    // the bound was kept; displacements were large
    CHECK_TRUE(tally.turn <= TURN);
    CHECK_TRUE(tally.twist > 0.3 && tally.bend > 0.5 && tally.stretch > 0.1);
    CHECK_TRUE(tally.turn > 1.0 && tally.n_branching >= 5);
    CHECK_TRUE(are_all(tally.joint, ELV_N_JOINT_TYPE));
    CHECK_TRUE(are_all(tally.basis, ELV_N_BASIS));
    CHECK_TRUE(are_all(tally.strain, ELV_N_STRAIN));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_free_flight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
