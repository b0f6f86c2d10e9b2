// SPDX-License-Identifier: Apache-2.0
// Free flight: random trees on a floating base, without gravity, loads and damping. Linear and
// angular momentum and energy stay what they were over ten seconds, with springs, rotors and soft
// rods at work.
#include "random_tree.h"

static const double DURATION = 10.0;

// relative drift of momenta and energy: what twenty nodes leave of rods that turn by some radians
static const double TOL = 1e-9;

/// A tree whose rods bend moderately, so that twenty nodes resolve them, and that flies within a
/// second or two of computing. The cheapest come first.
typedef struct {
    uint64_t seed;
    bool is_smooth; // else bases by pieces and by tables, several elements
} FlightCase;

static const FlightCase cases[] = {
    {10, true}, {26, true}, {23, true},  {37, false},  {9, true},
    {39, true}, {3, true},  {5, true},   {12, true},   {33, true},
    {37, true}, {11, true}, {77, false}, {104, false}, {23, false},
};

enum { N_CASE = IS_SANITIZED ? 4 : sizeof cases / sizeof cases[0] };

typedef struct {
    uint64_t seed;
    int n_record;
    double start[7];
} Flight;

// p, L and E against those of the start
static bool record(void* user, const ElvModel* model, ElvData* data, const ElvState* state) {
    Flight* flight = user;
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
    }
    CHECK_BOUND(array_distance(now, start, 3) / array_norm(start, 3), TOL, flight->seed);
    CHECK_BOUND(array_distance(now + 3, start + 3, 3) / array_norm(start + 3, 3), TOL,
                flight->seed);
    CHECK_BOUND(fabs(now[6] - start[6]) / start[6], TOL, flight->seed);
    return true;
}

static void check_flight(const FlightCase* flight_case) {
    RandomOptions options = {.n_element_max = 3,
                             .nodes = 20,
                             .is_floating = true,
                             .is_smooth = flight_case->is_smooth,
                             .softening = 10.0,
                             .has_rotors = true};
    CheckRandom r = check_random(flight_case->seed);
    Robot robot = random_tree(&r, &options);
    // moderate strains and speeds
    random_state(&r, &robot, 0.1);
    robot.state->t = 0.0;
    for (int i = 7; i < robot.nq; i++) {
        robot.state->q[i] *= 0.2;
    }
    elv_state_impose(robot.model, robot.state);
    ElvState* start = copy_state(&robot, robot.state);
    Flight flight = {.seed = flight_case->seed};
    ElvSimulateOptions simulate = elv_simulate_options_default(robot.model, robot.state);
    simulate.method.method = ELV_METHOD_EXPLICIT;
    simulate.method.duration = simulate.t_end = DURATION;
    simulate.method.rel_tol = 1e-12;
    simulate.method.abs_tol = 1e-13;
    simulate.method.order = 8;
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

static void test_free_flight(void** context) {
    (void)context;
    for (int i = 0; i < N_CASE; i++) {
        check_flight(&cases[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_free_flight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
