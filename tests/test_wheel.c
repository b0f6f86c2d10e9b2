// SPDX-License-Identifier: Apache-2.0
// Ideal wheels: rows, columns and derivatives against differences, on bodies and at the tip of a
// rod; motions with a closed form: a cart on two driven wheels, one that a torque pushes, one that
// an omnidirectional wheel leads; and what files say of them.
#include "constraint_case.h"
#include "multibody/wheel.h"

static const char text[] =
    "gravity: [0, 0, -9.81]\n"
    "tree:\n"
    "  - {body: cart, joint: free, mass: 3, inertia: [0.3, 0.2, 0.4]}\n"
    "  - {body: fork, parent: cart, pose: {xyz: [0.3, 0.1, 0]}, joint: {revolute: {axis: z}},\n"
    "     mass: 0.5, inertia: [0.01, 0.01, 0.01]}\n"
    "  - rod: tail\n"
    "    parent: cart\n"
    "    length: 0.5\n"
    "    section: {circle: {diameter: 0.02}}\n"
    "    material: {density: 1000, young: 1e6, poisson: 0.4}\n"
    "    strain: {kirchhoff: 2}\n"
    "frames:\n"
    "  - {name: axle, on: cart, pose: {xyz: [-0.1, 0.2, 0.05], rpy: [0.2, -0.3, 0.4]}}\n"
    "constraints:\n"
    "  - {wheel: free, at: fork, radius: 0.1}\n"
    "  - {wheel: turned, at: axle, axis: [0.3, 1, 0.2], radius: 0.2, rotation: \"sin(2*t)\"}\n"
    "  - {wheel: pushed, at: tail.tip, axis: -y, radius: 0.05, torque: \"0.3 + t\"}\n"
    "  - {wheel: omni, at: fork, axis: x, radius: 0.1, type: omni, rotation: \"t^2\"}\n"
    "  - {wheel: loose, at: axle, radius: 0.1, type: omni, torque: 0.2}\n";

static void test_rows(void** unused) {
    (void)unused;
    ModelCase c = case_open("%s", text);
    // lateral rows of three, rolling rows of two; angles of those whose rotation is not given
    assert_int_equal(c.model->nz, 3 + 2 + 3);
    for (uint64_t seed = 1; seed <= 6; seed++) {
        constraint_tangent(&c, seed);
    }
    case_close(&c);
}

// rows on accelerations: of multipliers alone, as angles have none
static void test_accelerations(void** unused) {
    (void)unused;
    ModelCase c = case_open(
        "tree:\n"
        "  - {body: cart, joint: free, mass: 3, inertia: [0.3, 0.2, 0.4]}\n"
        "  - {body: fork, parent: cart, joint: {revolute: {axis: z}}, mass: 1, inertia: [1, 1, "
        "1]}\n"
        "constraints:\n"
        "  - {wheel: a, at: fork, radius: 0.1, rotation: \"sin(t)\"}\n"
        "  - {wheel: b, at: cart, axis: [1, 2, 3], type: omni, radius: 0.2, rotation: \"t^2\"}\n");
    assert_int_equal(c.model->nz, 3);
    for (uint64_t seed = 1; seed <= 6; seed++) {
        constraint_acceleration(&c, seed);
    }
    case_close(&c);
}

// rows on velocities; z: free, its angle, turned (2), pushed, its angle, omni, angle of loose
static bool is_asked(int level, int k) {
    return level == 1 && k != 1 && k != 5 && k != 7;
}

static void test_levels(void** unused) {
    (void)unused;
    ModelCase c = case_open("%s", text);
    for (uint64_t seed = 1; seed <= 6; seed++) {
        double level[8];
        constraint_levels(&c, seed, is_asked);
        elv_kinematics(c.model, c.data, c.state);
        elv_border_motion(c.model, c.data, c.state, 0, 0.0, level);
        CHECK_NEAR(largest(level, 8), 0.0, 0.0);
    }
    case_close(&c);
}

// a rate is the derivative of a rotation: the same rows, of velocities and of accelerations
static void test_rate(void** unused) {
    (void)unused;
    static const char cart[] = "tree:\n"
                               "  - {body: cart, joint: free, mass: 3, inertia: [0.3, 0.2, 0.4]}\n"
                               "constraints:\n"
                               "  - {wheel: a, at: cart, radius: 0.2, %s}\n";
    ModelCase by_angle = case_open(cart, "rotation: \"sin(2*t)\"");
    ModelCase by_rate = case_open(cart, "rate: \"2*cos(2*t)\"");
    // an angle that no law gives is integrated
    assert_int_equal(by_angle.model->nz, 2);
    assert_int_equal(by_rate.model->nz, 3);
    for (uint64_t seed = 1; seed <= 6; seed++) {
        double found[3], expected[2], tau[6];
        case_randomize(&by_angle, seed, 0.5);
        case_randomize(&by_rate, seed, 0.5);
        by_angle.state->t = by_rate.state->t = 0.3 * (double)seed;
        elv_idm(by_angle.model, by_angle.data, by_angle.state, tau);
        elv_idm(by_rate.model, by_rate.data, by_rate.state, tau);
        for (int level = 1; level <= 2; level++) {
            elv_border_motion(by_angle.model, by_angle.data, by_angle.state, level, 0.0, expected);
            elv_border_motion(by_rate.model, by_rate.data, by_rate.state, level, 0.0, found);
            CHECK_ARRAY_NEAR(found, expected, 2, 1e-15);
        }
    }
    case_close(&by_angle);
    case_close(&by_rate);
}

// power of the forces of a wheel: what its rows ask of velocities, by itself
static void test_power(void** unused) {
    (void)unused;
    ModelCase c = case_open("%s", text);
    double with[32], without[32];
    for (uint64_t seed = 1; seed <= 6; seed++) {
        case_randomize(&c, seed, 0.5);
        memset(c.state->z, 0, (size_t)c.state->nz * sizeof(double));
        elv_residual(c.model, c.data, c.state, without);
        for (int k = 0; k < c.state->nz; k++) {
            double row[8], power = 0.0;
            c.state->z[k] = 1.0;
            elv_residual(c.model, c.data, c.state, with);
            c.state->z[k] = 0.0;
            for (int i = 0; i < c.nv; i++) {
                power += (with[i] - without[i]) * c.state->v[i];
            }
            c.state->t = 0.0;
            elv_kinematics(c.model, c.data, c.state);
            elv_border_motion(c.model, c.data, c.state, 1, 0.0, row);
            // at t = 0 only the rotation of `turned` has a rate, 2 rad/s
            double rolled = k == 3 ? 0.2 * 2.0 : 0.0;
            CHECK_NEAR(-power, is_asked(1, k) ? row[k] + rolled : 0.0, 1e-12);
        }
    }
    case_close(&c);
}

// ---- a cart on two driven wheels: speed R (w_l + w_r) / 2, turning by R (w_r - w_l) / b

static const char cart[] =
    "tree:\n"
    "  - {body: cart, joint: planar, mass: 3, center: [0.05, 0, 0], inertia: [0.3, 0.2, 0.4]}\n"
    "frames:\n"
    "  - {name: l, on: cart, pose: {xyz: [0, 0.2, 0]}}\n"
    "  - {name: r, on: cart, pose: {xyz: [0, -0.2, 0]}}\n"
    "constraints:\n"
    "  - {wheel: left, at: l, radius: 0.1, rotation: \"3*t + t^2\"}\n"
    "  - {wheel: right, at: r, radius: 0.1, rotation: \"5*t + 2*t^2\"}\n"
    "simulate: {method: explicit, order: 8, rel_tol: 1e-11, abs_tol: 1e-12, duration: 2}\n";

/// What the cart has shown.
typedef struct {
    double worst_angle, worst_rate, worst_slip, worst_power;
} Seen;

static const char* const cart_signal[] = {
    "cart.q",
    "wheel.left.angle",
    "wheel.left.rate",
    "wheel.right.rate",
    "wheel.left.slip",
    "wheel.right.slip",
    "wheel.left.torque",
    "wheel.right.torque",
    "wheel.right.force",
};

static void see_cart(ConstraintRun* run, ElvData* data, const ElvState* state) {
    (void)data;
    Seen* seen = run->user;
    const double* x = run->value;
    double t = state->t;
    double speed = 0.1 * (8.0 + 6.0 * t) / 2.0, turn = 0.1 * (2.0 + 2.0 * t) / 0.4;
    double turn_dot = 0.5, speed_dot = 0.3;
    seen->worst_angle = fmax(seen->worst_angle, fabs(x[0] - 0.25 * (2.0 * t + t * t)));
    seen->worst_angle = fmax(seen->worst_angle, fabs(x[3] - (3.0 * t + t * t)));
    seen->worst_rate = fmax(seen->worst_rate, fabs(x[4] - (3.0 + 2.0 * t)));
    seen->worst_rate = fmax(seen->worst_rate, fabs(x[5] - (5.0 + 4.0 * t)));
    seen->worst_slip = fmax(seen->worst_slip, largest(x + 6, 4));
    // dT/dt, T = (m V^2 + I W^2) / 2 with the inertia about the axle: the centre has no speed of
    // its own along it
    double power = 3.0 * speed * speed_dot + (0.4 + 3.0 * 0.05 * 0.05) * turn * turn_dot;
    double given = x[10] * x[4] + x[11] * x[5];
    seen->worst_power = fmax(seen->worst_power, fabs(given - power));
    CHECK_NEAR(x[13] * 0.1, x[11], 1e-14);
}

static void test_cart(void** unused) {
    (void)unused;
    ModelCase c = case_open("%s", cart);
    Seen seen = {0};
    ConstraintRun run = {.method = ELV_METHOD_EXPLICIT,
                         .step = 0.02,
                         .t_end = 2.0,
                         .signal = cart_signal,
                         .n_signal = 9,
                         .see = see_cart,
                         .user = &seen};
    constraint_run(c.model, &run);
    CHECK_NEAR(seen.worst_angle, 0.0, 1e-9);
    CHECK_NEAR(seen.worst_rate, 0.0, 1e-12);
    CHECK_NEAR(seen.worst_slip, 0.0, 1e-12);
    CHECK_NEAR(seen.worst_power, 0.0, 1e-9);
    // four rows on three velocities, two of them the same: both axes lie on one line
    assert_int_equal(run.report.closure.n_redundant, 1);
    case_close(&c);
}

// ---- straight on by a torque, m x_ddot = T / R

static const char pushed[] = "tree:\n"
                             "  - {body: cart, joint: planar, mass: 2, inertia: [0.3, 0.2, 0.4]}\n"
                             "constraints:\n"
                             "  - {wheel: drive, at: cart, radius: 0.1, torque: 0.4}\n"
                             "  - {wheel: lead, at: cart, axis: x, radius: 0.2, type: omni}\n"
                             "simulate: {duration: 1}\n";

static void check_pushed(ElvMethod method, double tol) {
    static const char* const signal[] = {"cart.q", "wheel.drive.angle", "wheel.drive.torque",
                                         "wheel.lead.angle", "wheel.drive.force"};
    ModelCase c = case_open("%s", pushed);
    ConstraintRun run = {
        .method = method, .step = 0.01, .t_end = 1.0, .signal = signal, .n_signal = 5};
    constraint_run(c.model, &run);
    const double expected[] = {0.0, 1.0, 0.0, 10.0, 0.4, 0.0, 0.0, 4.0};
    CHECK_ARRAY_NEAR(run.value, expected, 8, tol);
    case_close(&c);
}

static void test_pushed(void** unused) {
    (void)unused;
    // implicit methods of order 2 with h = 0.01 s: 4 rad/s^2 of the lead and 20 of the wheel, h^2
    // each
    check_pushed(ELV_METHOD_EXPLICIT, 1e-9);
    check_pushed(ELV_METHOD_GENERALIZED_ALPHA, 4e-3);
    check_pushed(ELV_METHOD_NEWMARK, 4e-3);
    check_pushed(ELV_METHOD_BDF2, 4e-3);
}

// a wheel on a body that turns sideways rolls by nothing; omnidirectional ones do not hold it
static void test_omni(void** unused) {
    (void)unused;
    ModelCase c = case_open(
        "tree:\n"
        "  - {body: cart, joint: {planar: {velocity: [0, 1, 2]}}, mass: 2, inertia: [1, 1, 1]}\n"
        "constraints:\n"
        "  - {wheel: a, at: cart, radius: 0.1, type: omni, rotation: \"20*t\"}\n");
    static const char* const signal[] = {"cart.v", "wheel.a.angle", "wheel.a.slip"};
    ConstraintRun run = {
        .method = ELV_METHOD_EXPLICIT, .step = 0.1, .t_end = 1.0, .signal = signal, .n_signal = 3};
    constraint_run(c.model, &run);
    // rolling asks for 2 m/s ahead; what it has sideways stays
    const double expected[] = {0.0, 2.0, 2.0, 20.0, 2.0, 0.0};
    CHECK_ARRAY_NEAR(run.value, expected, 6, 1e-12);
    case_close(&c);
}

// ---- files

#define WHEEL(line)                                                                                \
    "elver: 1\ntree:\n  - {body: box, joint: planar, mass: 1}\nconstraints:\n  - {" line "}\n"

static void check_message(const char* file, const char* word) {
    ElvError error;
    ElvModel* model = NULL;
    ElvStatus status = elv_model_read_text(file, strlen(file), "x.yaml", NULL, 0, &model, &error);
    assert_int_equal(status, ELV_ERROR_INPUT);
    if (!strstr(error.message, word)) {
        print_error("'%s' is not in: %s\n", word, error.message);
        fail();
    }
    assert_int_equal(error.line, 5);
}

static void test_messages(void** unused) {
    (void)unused;
    check_message(WHEEL("wheel: a, radius: 1"), "missing key 'at'");
    check_message(WHEEL("wheel: a, at: box"), "missing key 'radius'");
    check_message(WHEEL("wheel: a, at: box, radius: 0"), "positive");
    check_message(WHEEL("wheel: a, at: box, radius: 1, axis: z"), "upright");
    check_message(WHEEL("wheel: a, at: box, radius: 1, axis: [0, 0, 0]"), "no direction");
    check_message(WHEEL("wheel: a, at: world, radius: 1"), "does not move");
    check_message(WHEEL("wheel: a, at: bx, radius: 1"), "did you mean 'box'");
    check_message(WHEEL("wheel: a, at: box, radius: 1, type: omi"), "did you mean 'omni'");
    check_message(WHEEL("wheel: a, at: box, radius: 1, torque: 1, rotation: t"),
                  "one of 'rotation', 'rate' and 'torque'");
    check_message(WHEEL("wheel: a, at: box, radius: 1, rotation: t, rate: 1"),
                  "one of 'rotation', 'rate' and 'torque'");
    check_message(WHEEL("wheel: a, at: box, raduis: 1"), "did you mean 'radius'");
    check_message(WHEEL("wheel: box, at: box, radius: 1"), "unique");
}

static void test_bad_law(void** unused) {
    (void)unused;
    ModelCase c =
        case_open("tree: [{body: box, joint: planar, mass: 1, inertia: [1, 1, 1]}]\n"
                  "constraints: [{wheel: a, at: box, radius: 1, torque: \"1/(t - 1)\"}]\n");
    ElvError error;
    CHECK_STATUS(elv_device_check(c.model, 0.0, &error), &error);
    assert_int_equal(elv_device_check(c.model, 1.0, &error), ELV_ERROR_NUMERIC);
    assert_string_equal(error.element, "a");
    assert_string_equal(error.field, "torque");
    case_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),    cmocka_unit_test(test_accelerations),
        cmocka_unit_test(test_levels),  cmocka_unit_test(test_power),
        cmocka_unit_test(test_cart),    cmocka_unit_test(test_pushed),
        cmocka_unit_test(test_omni),    cmocka_unit_test(test_messages),
        cmocka_unit_test(test_bad_law), cmocka_unit_test(test_rate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
