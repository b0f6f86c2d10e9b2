// SPDX-License-Identifier: Apache-2.0
// Constraints on velocities: rows and derivatives against differences, and motions with a closed form: a skate
// on a slope, a cart that is steered by laws of time, a body that keeps the velocity of another.
#include "constraint_case.h"
#include "elver/statics.h"

static const double G = 9.81;

// three rows between two bodies, one of them at the end of a rod; one row against the world
static const char text[] =
    "gravity: [0, 0, -9.81]\n"
    "tree:\n"
    "  - {body: raft, joint: free, mass: 3, inertia: [0.3, 0.2, 0.4]}\n"
    "  - {body: sledge, pose: {xyz: [0.2, 0.1, 1]}, joint: free, mass: 1, inertia: [0.1, 0.2, "
    "0.15]}\n"
    "  - rod: arm\n"
    "    parent: sledge\n"
    "    length: 0.5\n"
    "    section: {circle: {diameter: 0.02}}\n"
    "    material: {density: 1000, young: 1e6, poisson: 0.4}\n"
    "    strain: {kirchhoff: 2}\n"
    "frames:\n"
    "  - {name: deck, on: raft, pose: {xyz: [0.1, -0.2, 0.3], rpy: [0.2, -0.3, 0.4]}}\n"
    "constraints:\n"
    "  - velocity: first\n"
    "    at: arm.tip\n"
    "    on: deck\n"
    "    rows: [[1, 0, 2, 0, 0.5, 0], [0, 0, 0, 1, 1, 0], [0, 1, 0, 0, 0, -1]]\n"
    "    equals: [\"sin(2*t)\", 0, 0.4]\n"
    "  - {velocity: second, at: sledge, direction: [1, 2, 2]}\n";

static void test_rows(void** unused) {
    (void)unused;
    ModelCase c = case_open("%s", text);
    for (uint64_t seed = 1; seed <= 6; seed++) {
        constraint_tangent(&c, seed);
        constraint_acceleration(&c, seed);
    }
    case_close(&c);
}

// no row has a position; the first three of the first hold, and the first of the second
static bool is_asked(int level, int k) {
    return level == 1 && (k < 3 || k == 6);
}

static void test_levels(void** unused) {
    (void)unused;
    ModelCase c = case_open("%s", text);
    for (uint64_t seed = 1; seed <= 6; seed++) {
        double level[12];
        constraint_levels(&c, seed, is_asked);
        elv_kinematics(c.model, c.data, c.state);
        elv_border_motion(c.model, c.data, c.state, 0, 0.0, level);
        CHECK_NEAR(largest(level, 12), 0.0, 0.0);
    }
    case_close(&c);
}

// ---- a skate on a slope (models/knife-edge.yaml)

static const double SLOPE = 0.3, SPIN = 2.0;

// angle and place
static void skate_exact(double t, double* x) {
    double b = G * sin(SLOPE) / (2.0 * SPIN * SPIN);
    x[0] = SPIN * t;
    x[1] = b * sin(SPIN * t) * sin(SPIN * t);
    x[2] = b * (SPIN * t - 0.5 * sin(2.0 * SPIN * t));
}

static void three_numbers(const double* value, double* x) {
    memcpy(x, value, 3 * sizeof *x);
}

static const char* const skate_signal[] = {"skate.q", "constraint.blade.drift",
                                           "constraint.blade.wrench_second"};

static void test_skate_converges(void** unused) {
    (void)unused;
    const ConstraintForm form = {skate_signal, 1, 3, three_numbers, skate_exact};
    ElvModel* model = constraint_model("knife-edge");
    constraint_converge(model, &form, ELV_METHOD_GENERALIZED_ALPHA, 0.01, 2.0);
    constraint_converge(model, &form, ELV_METHOD_NEWMARK, 0.01, 2.0);
    elv_model_free(model);
}

/// The worst that a run has shown.
typedef struct {
    double energy, wrench;
} SkateSeen;

// m = 1: kinetic energy of the spin alone at the start; the blade pushes by 2 g sin(alpha) sin(omega t)
static void see_skate(ConstraintRun* run, ElvData* data, const ElvState* state) {
    SkateSeen* seen = run->user;
    ElvEnergy e = elv_energy(run->model, data, state);
    double energy = e.kinetic + e.elastic + e.gravity;
    const double wrench[6] = {0.0, 0.0, 0.0, 0.0, 2.0 * G * sin(SLOPE) * sin(SPIN * state->t), 0.0};
    seen->energy = fmax(seen->energy, fabs(energy - 0.5 * 0.01 * SPIN * SPIN));
    // the tolerance of Newton, 1e-9, times 1 m in half a step
    CHECK_NEAR(run->value[3], 0.0, 0.0);
    CHECK_NEAR(run->value[4], 0.0, 1e-9 / (0.5 * run->step));
    // forces need a while until they are of second order
    double error = largest_difference(run->value + 5, wrench, 6);
    seen->wrench = state->t >= 1.0 ? fmax(seen->wrench, error) : seen->wrench;
}

static void test_skate_holds(void** unused) {
    (void)unused;
    ElvModel* model = constraint_model("knife-edge");
    SkateSeen seen[2] = {{0}};
    for (int i = 0; i < 2; i++) {
        ConstraintRun run = {.method = ELV_METHOD_GENERALIZED_ALPHA,
                             .step = ldexp(0.005, -i),
                             .t_end = 4.0,
                             .signal = skate_signal,
                             .n_signal = 3,
                             .see = see_skate,
                             .user = &seen[i]};
        constraint_run(model, &run);
    }
    CHECK_TRUE(seen[1].energy < seen[0].energy / 3.5 && seen[1].energy < 1e-5);
    CHECK_TRUE(seen[1].wrench < seen[0].wrench / 3.5 && seen[1].wrench < 1e-4);
    elv_model_free(model);
}

// ---- a cart that is steered

// its velocities are given outright, and at the start taken up from rest
static void cart_exact(double t, double* x) {
    x[0] = 2.0 * t + 0.1 * sin(3.0 * t);
    // by Simpson's rule, whose error is (h^4 / 180) of the fourth derivative, about 1e-12
    enum { N = 2000 };
    double h = t / N;
    x[1] = x[2] = 0.0;
    for (int i = 0; i <= N; i++) {
        double s = i * h;
        double angle = 2.0 * s + 0.1 * sin(3.0 * s);
        double weight = h / 3.0 * (i == 0 || i == N ? 1.0 : i % 2 == 1 ? 4.0 : 2.0);
        x[1] += weight * 0.5 * cos(angle);
        x[2] += weight * 0.5 * sin(angle);
    }
}

static void test_cart(void** unused) {
    (void)unused;
    static const char* const signal[] = {"cart.q"};
    const ConstraintForm form = {signal, 1, 3, three_numbers, cart_exact};
    ModelCase c =
        case_open("tree: [{body: cart, joint: {planar: {axis: z}}, mass: 2, inertia: [1, 1, 1]}]\n"
                  "constraints:\n"
                  "  - velocity: wheels\n"
                  "    at: cart\n"
                  "    rows: [[0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 1, 0]]\n"
                  "    equals: [\"2 + 0.3*cos(3*t)\", 0.5, 0]\n");
    constraint_converge(c.model, &form, ELV_METHOD_GENERALIZED_ALPHA, 0.01, 2.0);
    constraint_converge(c.model, &form, ELV_METHOD_NEWMARK, 0.01, 2.0);
    case_close(&c);
}

// ---- a body that keeps to another

// it has the velocity of a turntable where it is, and so goes round with it
static void rider_exact(double t, double* x) {
    double angle = sin(2.0 * t);
    x[0] = 0.4 * cos(angle);
    x[1] = 0.4 * sin(angle);
    x[2] = 0.1;
}

static void test_rider(void** unused) {
    (void)unused;
    static const char* const signal[] = {"rider.position"};
    const ConstraintForm form = {signal, 1, 3, three_numbers, rider_exact};
    ModelCase c =
        case_open("gravity: [0, 0, -9.81]\n"
                  "tree:\n"
                  "  - {body: table, joint: {revolute: {axis: z, motion: sin(2*t)}}, mass: 1}\n"
                  "  - {body: rider, joint: {free: {position: {xyz: [0.4, 0, 0.1]}}}, mass: 2,\n"
                  "     inertia: [1, 2, 3]}\n"
                  "constraints:\n"
                  "  - velocity: grip\n"
                  "    at: rider\n"
                  "    on: table\n"
                  "    rows: [[0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 1], [0, 0, "
                  "1, 0, 0, 0]]\n");
    constraint_converge(c.model, &form, ELV_METHOD_GENERALIZED_ALPHA, 0.01, 2.0);
    case_close(&c);
}

// velocities at the start that a blade forbids are taken away by the mass: here the centre is ahead of it, and a
// push sideways turns the skate about the blade, (I + m l^2) omega = m l v
static void test_start_is_projected(void** unused) {
    (void)unused;
    ModelCase c = case_open(
        "tree:\n"
        "  - {body: skate, joint: {planar: {axis: z, velocity: [0, 0.7, 0.9]}}, mass: 2,\n"
        "     center: [0.3, 0, 0], inertia: [0.3, 0.3, 0.42]}\n"
        "constraints: [{velocity: blade, at: skate, direction: y}]\n");
    ElvProblem problem;
    ElvError error;
    CHECK_STATUS(elv_problem_create(c.model, &problem, &error), &error);
    elv_state_impose(c.model, c.state);
    CHECK_TRUE(elv_close_position(&problem, c.state) <= 1e-13);
    CHECK_TRUE(elv_close_velocity(&problem, c.state));
    const double velocity[3] = {2.0 * 0.3 * 0.9 / (0.42 + 2.0 * 0.09), 0.7, 0.0};
    CHECK_ARRAY_NEAR(c.state->v, velocity, 3, 1e-13);
    elv_problem_free(&problem);
    case_close(&c);
}

// a blade at 45 degrees on springs, pushed along x: it gives way along itself alone, and carries the rest
static void test_statics(void** unused) {
    (void)unused;
    ModelCase c = case_open(
        "tree:\n"
        "  - {body: along, joint: {prismatic: {axis: x, stiffness: 10}}, mass: 1}\n"
        "  - {body: across, parent: along, joint: {prismatic: {axis: y, stiffness: 10}}, mass: 1}\n"
        "  - {body: skate, parent: across, pose: {rpy: [0, 0, pi/4]}, mass: 1}\n"
        "loads: [{force: [4, 0, 0], at: skate}]\n"
        "constraints: [{velocity: blade, at: skate, direction: y}]\n");
    ElvError error;
    ElvStaticsReport report;
    ElvStaticsOptions options = elv_statics_options_default(c.model);
    CHECK_STATUS(elv_statics_run(c.model, c.state, &options, &report, &error), &error);
    // s = F / (sqrt(2) k) along the blade, F / sqrt(2) across
    CHECK_NEAR(c.state->q[0], 0.2, 1e-10);
    CHECK_NEAR(c.state->q[1], 0.2, 1e-10);
    CHECK_NEAR(c.state->z[3], -2.0, 1e-8);
    CHECK_NEAR(c.state->z[4], 2.0, 1e-8);
    case_close(&c);
}

static void test_bad_law(void** unused) {
    (void)unused;
    ModelCase c = case_open(
        "tree:\n"
        "  - {body: skate, joint: {planar: {axis: z}}, mass: 1, inertia: [1, 1, 1]}\n"
        "constraints: [{velocity: blade, at: skate, direction: y, equals: log(1 - t)}]\n");
    ElvError error;
    CHECK_STATUS(elv_device_check(c.model, 0.5, &error), &error);
    CHECK_TRUE(elv_device_check(c.model, 2.0, &error) == ELV_ERROR_NUMERIC);
    assert_string_equal(error.element, "blade");
    assert_string_equal(error.field, "equals");
    case_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_levels),
        cmocka_unit_test(test_skate_converges),
        cmocka_unit_test(test_skate_holds),
        cmocka_unit_test(test_cart),
        cmocka_unit_test(test_rider),
        cmocka_unit_test(test_start_is_projected),
        cmocka_unit_test(test_statics),
        cmocka_unit_test(test_bad_law),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
