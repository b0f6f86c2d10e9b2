// SPDX-License-Identifier: Apache-2.0
// Nothing is allocated inside a step: the C library's allocators are replaced by ones that count
// (for the library and for what it is linked with), and the count stands still over a thousand
// steps and over every function of the dynamics. Skipped where the allocators belong to a sanitizer
// or to another C library.
#include "random_tree.h"

#include "elver/strong.h"

#include <errno.h>

enum { EXIT_SKIP = 77 };

#if defined(__GLIBC__) && !IS_SANITIZED

// glibc's own allocators under their second names
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* memory, size_t size);
void* __libc_memalign(size_t alignment, size_t size);
int posix_memalign(void** memory, size_t alignment, size_t size);

static long n_allocation;

void* malloc(size_t size) {
    n_allocation++;
    return __libc_malloc(size);
}

void* calloc(size_t count, size_t size) {
    n_allocation++;
    return __libc_calloc(count, size);
}

void* realloc(void* memory, size_t size) {
    n_allocation++;
    return __libc_realloc(memory, size);
}

void* aligned_alloc(size_t alignment, size_t size) {
    n_allocation++;
    return __libc_memalign(alignment, size);
}

int posix_memalign(void** memory, size_t alignment, size_t size) {
    n_allocation++;
    *memory = __libc_memalign(alignment, size);
    return *memory ? 0 : ENOMEM;
}

// the counter counts, also what the linked libraries take
static void test_counter(void** context) {
    (void)context;
    long before = n_allocation;
    Robot robot = robot_read("models/rigid-chain.yaml");
    long model = n_allocation - before;
    CHECK_TRUE(model > 10);
    ElvError error;
    ElvIntegrator* integrator = NULL;
    ElvSimulateDef options = elv_model_simulate(robot.model);
    before = n_allocation;
    CHECK_STATUS(elv_integrator_create(robot.model, &options, &integrator, &error), &error);
    CHECK_TRUE(n_allocation - before > 5);
    elv_integrator_free(integrator);
    robot_free(&robot);
}

// ---- steps

// a thousand steps after the first, beyond the given time
static void check_steps(const char* file, int order, double t_passed) {
    ElvError error;
    ElvIntegrator* integrator = NULL;
    Robot robot = robot_read(file);
    ElvSimulateDef options = elv_model_simulate(robot.model);
    options.order = order;
    options.keeps_work = order > 5;
    CHECK_STATUS(elv_integrator_create(robot.model, &options, &integrator, &error), &error);
    CHECK_STATUS(elv_integrator_start(integrator, robot.state, &error), &error);
    CHECK_STATUS(elv_integrator_step(integrator, 1e9, robot.state, &error), &error);
    long before = n_allocation;
    for (int i = 0; i < 1000; i++) {
        CHECK_STATUS(elv_integrator_step(integrator, 1e9, robot.state, &error), &error);
    }
    CHECK_TRUE(n_allocation == before);
    CHECK_TRUE(robot.state->t > t_passed);
    // dense output
    double t = elv_integrator_report(integrator).last_step;
    CHECK_STATUS(
        elv_integrator_interpolate(integrator, robot.state->t - 0.5 * t, robot.state, &error),
        &error);
    CHECK_TRUE(n_allocation == before);
    elv_integrator_free(integrator);
    robot_free(&robot);
}

static void test_steps(void** context) {
    (void)context;
    check_steps("models/rigid-chain.yaml", 5, 0.0);
    // the waves are blended in until t = 0.25
    check_steps("models/floating-beam.yaml", 5, 0.25);
    check_steps("models/string-pendulum.yaml", 4, 0.0);
    check_steps("models/rollup-release-0.8.yaml", 8, 0.0);
    // through postures in which the constraints lose rank
    check_steps("models/snake-wheeled.yaml", 5, 3.5);
}

// ---- evaluations

static void check_evaluations(const Robot* robot, ElvSignals* signals, double* out) {
    ElvError error;
    const ElvModel* model = robot->model;
    ElvFrame last = {model->n_port - 1, elv_pose_identity()};
    elv_kinematics(model, robot->data, robot->state);
    elv_idm(model, robot->data, robot->state, out);
    elv_signals_eval(signals, model, robot->data, robot->state, out);
    elv_internal_efforts(model, robot->data, robot->state, out);
    elv_residual(model, robot->data, robot->state, out);
    elv_drive_efforts(model, robot->data, robot->state, out);
    elv_bias(model, robot->data, robot->state, out);
    elv_mass_matrix(model, robot->data, robot->state, out);
    elv_mass_matrix_idm(model, robot->data, robot->state, out);
    elv_frame_jacobian(model, robot->data, robot->state, last, out);
    elv_idm_derivatives(model, robot->data, robot->state, out, out, out);
    elv_center_jacobian(model, robot->data, robot->state, out);
    elv_constraint_jacobian(model, robot->data, robot->state, out);
    elv_configuration_difference(model, robot->state->q, robot->state->q, out);
    elv_configuration_integrate(model, robot->state->q, robot->state->v, out);
    (void)elv_energy(model, robot->data, robot->state);
    (void)elv_momentum(model, robot->data, robot->state);
    elv_state_impose(model, robot->state);
    elv_state_rate(model, robot->state, out);
    CHECK_STATUS(elv_forward_dynamics(model, robot->data, robot->state, &error), &error);
}

static void test_evaluations(void** context) {
    (void)context;
    static const char* const name[] = {"energy", "momentum", "com"};
    RandomOptions options = random_options();
    options.has_drives = true;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        ElvError error;
        ElvSignals* signals = NULL;
        CheckRandom r = check_random(seed);
        Robot robot = random_tree(&r, &options);
        random_state(&r, &robot, 1.0);
        CHECK_STATUS(elv_signals_create(robot.model, name, 3, &signals, &error), &error);
        double* out = new_array((robot.nv + 6) * (robot.nv + 6) + 2 * robot.nq + 20);
        long before = n_allocation;
        check_evaluations(&robot, signals, out);
        CHECK_TRUE(n_allocation == before);
        free(out);
        elv_signals_free(signals);
        robot_free(&robot);
    }
}

// every recorded signal of a model with rods, a driven joint and stations
static void test_signals(void** context) {
    (void)context;
    static const char* const name[] = {"rod.tip.position",
                                       "rod.tip.orientation",
                                       "rod.tip.velocity",
                                       "rod.tip.acceleration",
                                       "rod.tip.twist",
                                       "rod.strain(0.3)",
                                       "rod.stress(0.7)",
                                       "base.effort",
                                       "energy",
                                       "momentum",
                                       "com"};
    enum { N_NAME = sizeof name / sizeof name[0] };
    ElvError error;
    ElvSignals* signals = NULL;
    Robot robot = robot_read("models/string-pendulum.yaml");
    CHECK_STATUS(elv_signals_create(robot.model, name, N_NAME, &signals, &error), &error);
    double* out = new_array(elv_signals_n_column(signals) + robot.nv);
    long before = n_allocation;
    elv_idm(robot.model, robot.data, robot.state, out);
    elv_signals_eval(signals, robot.model, robot.data, robot.state, out);
    CHECK_TRUE(n_allocation == before);
    free(out);
    elv_signals_free(signals);
    robot_free(&robot);
}

// once the steps along the rod are fine enough
static void test_shooting(void** context) {
    (void)context;
    ElvError error;
    ElvShooting* shooting = NULL;
    Robot robot = robot_read("models/tacr-spiral.yaml");
    ElvStaticsDef options = elv_model_statics(robot.model);
    options.shooting.segments = 3;
    CHECK_STATUS(elv_shoot_create(robot.model, &options, &shooting, &error), &error);
    CHECK_STATUS(elv_shoot_statics(shooting, 70.0, &error), &error);
    long before = n_allocation;
    for (int i = 0; i < 20; i++) {
        CHECK_STATUS(elv_shoot_statics(shooting, 40.0 + i % 2 * 20.0, &error), &error);
        elv_shoot_hand_out(shooting, robot.data, robot.state);
    }
    CHECK_TRUE(n_allocation == before);
    elv_shoot_free(shooting);
    robot_free(&robot);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counter),     cmocka_unit_test(test_steps),
        cmocka_unit_test(test_evaluations), cmocka_unit_test(test_signals),
        cmocka_unit_test(test_shooting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void) {
    return EXIT_SKIP;
}

#endif
