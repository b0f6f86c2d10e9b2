// SPDX-License-Identifier: Apache-2.0
// The shipped examples against trajectories computed by an independent program (projected virtual
// work instead of recursions, another integrator), at every recorded time; the momentum of a beam
// that swims in vacuum; the energy balance of a beam that is damped.
#include "robot.h"

enum { COLUMN_MAX = 12 };

// ---- golden files: a line of names, then numbers

typedef struct {
    int n_column, n_row;
    double* value; // (n_row x n_column)
} Table;

static Table table_read(const char* name) {
    char path[512], line[1024];
    Table table = {0};
    snprintf(path, sizeof path, "%s/tests/golden/%s.csv", ELVER_SOURCE_DIR, name);
    FILE* file = fopen(path, "r");
    CHECK_TRUE(file != NULL && fgets(line, sizeof line, file) != NULL);
    table.n_column = 1;
    for (const char* c = line; *c; c++) {
        table.n_column += *c == ',';
    }
    CHECK_TRUE(table.n_column <= COLUMN_MAX);
    while (fgets(line, sizeof line, file)) {
        table.n_row++;
        size_t n = (size_t)table.n_row * (size_t)table.n_column;
        table.value = realloc(table.value, n * sizeof *table.value);
        char* text = line;
        for (int i = 0; i < table.n_column; i++) {
            char* end = text;
            table.value[n - (size_t)(table.n_column - i)] = strtod(text, &end);
            CHECK_TRUE(end != text && (*end == ',' || i == table.n_column - 1));
            text = end + 1;
        }
    }
    fclose(file);
    return table;
}

// ---- runs

/// One row of a table is compared with the state at its time.
typedef struct {
    Table table;
    int i_row, n_frame;
    ElvFrame frame[2];     // whose positions follow the time
    double tol;            // m
    bool has_coordinates;  // then the coordinates, kinetic and gravity energy
    bool has_velocity;     // then the velocity of the first frame
    double momentum_limit; // of the whole robot; 0 = any
} Comparison;

static void check_vec3(ElvVec3 x, const double* expected, double tol) {
    const double value[3] = {x.x, x.y, x.z};
    CHECK_ARRAY_NEAR(value, expected, 3, tol);
}

static bool compare(void* user, const ElvModel* model, ElvData* data, const ElvState* state) {
    Comparison* c = user;
    CHECK_TRUE(c->i_row < c->table.n_row);
    const double* next = c->table.value + (size_t)c->i_row * (size_t)c->table.n_column;
    c->i_row++;
    CHECK_NEAR(state->t, *next++, 1e-12);
    for (int i = 0; i < c->n_frame; i++, next += 3) {
        check_vec3(elv_frame_pose(model, data, c->frame[i]).p, next, c->tol);
    }
    if (c->has_velocity) {
        // frequencies of the motion are some 10 rad/s
        ElvPose g = elv_frame_pose(model, data, c->frame[0]);
        ElvTwist eta = elv_frame_twist(model, data, c->frame[0]);
        check_vec3(elv_mat3_apply(g.R, eta.lin), next, 10.0 * c->tol);
    }
    if (c->has_coordinates) {
        ElvEnergy energy = elv_energy(model, data, state);
        CHECK_ARRAY_NEAR(state->q, next, (size_t)state->nq, c->tol);
        CHECK_NEAR(energy.kinetic, next[state->nq], 10.0 * c->tol);
        CHECK_NEAR(energy.gravity, next[state->nq + 1], 10.0 * c->tol);
    }
    if (c->momentum_limit > 0.0) {
        const double zero[3] = {0.0, 0.0, 0.0};
        ElvMomentum momentum = elv_momentum(model, data, state);
        check_vec3(momentum.linear, zero, c->momentum_limit);
        check_vec3(momentum.angular, zero, c->momentum_limit);
    }
    return true;
}

static void check_example(const char* name, const char* const frame[], Comparison* c) {
    char file[128];
    snprintf(file, sizeof file, "models/%s.yaml", name);
    Robot robot = robot_read(file);
    c->table = table_read(name);
    for (int i = 0; i < c->n_frame; i++) {
        c->frame[i] = frame_of(&robot, frame[i]);
    }
    ElvSimulateOptions options = elv_simulate_options_default(robot.model, robot.state);
    options.record = compare;
    options.user = c;
    // sanitizers slow the runs down: a quarter of each is enough to see what they look for
    int n_expected = c->table.n_row;
    if (IS_SANITIZED) {
        n_expected = 1 + (c->table.n_row - 1) / 4;
        options.t_end = options.record_every * (n_expected - 1);
    }
    ElvError error;
    CHECK_STATUS(elv_simulate(robot.model, robot.state, &options, NULL, &error), &error);
    CHECK_TRUE(c->i_row == n_expected);
    free(c->table.value);
    robot_free(&robot);
}

static void test_rigid_chain(void** context) {
    (void)context;
    Comparison c = {.n_frame = 1, .tol = 1e-8, .has_coordinates = true};
    check_example("rigid-chain", (const char*[]){"end"}, &c);
}

static void test_rollup_release(void** context) {
    (void)context;
    Comparison small = {.n_frame = 1, .tol = 1e-6};
    check_example("rollup-release-0.8", (const char*[]){"rod.tip"}, &small);
    Comparison large = {.n_frame = 1, .tol = 1e-6};
    check_example("rollup-release-2.3", (const char*[]){"rod.tip"}, &large);
}

static void test_string_pendulum(void** context) {
    (void)context;
    Comparison c = {.n_frame = 1, .tol = 1e-5, .has_velocity = true};
    check_example("string-pendulum", (const char*[]){"rod.tip"}, &c);
}

// nothing acts from outside: the momentum stays zero
static void test_floating_beam(void** context) {
    (void)context;
    Comparison c = {.n_frame = 2, .tol = 1e-6, .momentum_limit = 1e-9};
    check_example("floating-beam", (const char*[]){"rod.root", "rod.tip"}, &c);
}

// ---- a damped beam, rolled up and released: energy goes nowhere but into damping

static double total_energy(const Robot* robot, const ElvState* state) {
    ElvEnergy energy = elv_energy(robot->model, robot->data, state);
    return energy.kinetic + energy.elastic + energy.gravity;
}

// power lost in damping: the internal efforts with velocities, less those without
static double dissipated_power(const Robot* robot, const ElvState* state, double* scratch) {
    elv_internal_efforts(robot->model, robot->data, state, scratch);
    double power = array_dot(scratch, state->v, robot->nv);
    ElvState still = *state;
    double* zero = scratch + robot->nv;
    memset(zero, 0, (size_t)robot->nv * sizeof *zero);
    still.v = zero;
    elv_internal_efforts(robot->model, robot->data, &still, scratch);
    return array_dot(scratch, state->v, robot->nv) - power;
}

// work over the last step, by the three-point Gauss rule on the dense output
static double step_work(const Robot* robot, ElvIntegrator* integrator, double t0, double t1) {
    static const double x[3] = {0.1127016653792583, 0.5, 0.8872983346207417};
    static const double w[3] = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};
    ElvError error;
    double work = 0.0;
    double* scratch = new_array(2 * robot->nv);
    ElvState* state = copy_state(robot, robot->state);
    for (int i = 0; i < 3; i++) {
        double t = t0 + (t1 - t0) * x[i];
        CHECK_STATUS(elv_integrator_interpolate(integrator, t, state, &error), &error);
        work += (t1 - t0) * w[i] * dissipated_power(robot, state, scratch);
    }
    elv_state_free(state);
    free(scratch);
    return work;
}

static void test_energy_balance(void** context) {
    (void)context;
    ElvError error;
    Robot robot = robot_read("models/rollup-release-5.4.yaml");
    ElvSimulateDef options = elv_model_simulate(robot.model);
    ElvIntegrator* integrator = NULL;
    CHECK_STATUS(elv_integrator_create(robot.model, &options, &integrator, &error), &error);
    CHECK_STATUS(elv_integrator_start(integrator, robot.state, &error), &error);
    double start = total_energy(&robot, robot.state);
    // the moment C bends the rod to the curvature C/EI: U = 1/2 C^2 l/EI
    double EI = 1e8 * acos(-1.0) * 1e-8 / 4.0;
    CHECK_NEAR(start, 0.5 * 5.4 * 5.4 / EI, 1e-12 * start);
    double before = start, lost = 0.0;
    double t_end = IS_SANITIZED ? 0.2 : options.duration;
    while (robot.state->t < t_end) {
        double t0 = robot.state->t;
        CHECK_STATUS(elv_integrator_step(integrator, t_end, robot.state, &error), &error);
        double work = step_work(&robot, integrator, t0, robot.state->t);
        double now = total_energy(&robot, robot.state);
        lost += work;
        // never up but by rounding, and down by the work of damping; rel_tol is 1e-8
        CHECK_TRUE(work >= 0.0);
        CHECK_TRUE(now <= before + 1e-14 * start);
        CHECK_NEAR(now + lost, start, 1e-7 * start);
        before = now;
    }
    CHECK_NEAR(robot.state->t, t_end, 0.0);
    CHECK_TRUE(IS_SANITIZED || lost > 0.5 * start);
    elv_integrator_free(integrator);
    robot_free(&robot);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rigid_chain),     cmocka_unit_test(test_rollup_release),
        cmocka_unit_test(test_string_pendulum), cmocka_unit_test(test_floating_beam),
        cmocka_unit_test(test_energy_balance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
