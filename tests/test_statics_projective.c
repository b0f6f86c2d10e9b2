// SPDX-License-Identifier: Apache-2.0
// Equilibria by the projective method: those of Newton and of an independent program for the twisted and pushed
// rod of [P20] test 3, robots mounted from open layouts, springs, motors and drives in loops, and what
// the method refuses.
//
// Newton does the last digits of either method to a residual of 1e-10: equilibria agree to 1e-8, unless they
// are not the same.
#include "actuation_case.h"
#include "model_case.h"

static const ElvOverride projective = {"statics.method", "projective"};

// ---- the twisted and pushed rod

enum { X, Y, Z, ENERGY, N_SIGNAL };
static const char* const signals = "[rod.at(0.5).position, energy.elastic]";

// The rod of the example cannot stretch, and as it is straight at x = l nothing shortens it there: it begins
// twisted and bent a little. The loop may stand at any angle about the axis: its radius counts.
static void test_pushed(void** unused) {
    (void)unused;
    const ElvOverride set[] = {projective,
                               {"record.signals", signals},
                               {"statics.loads", "[1.05, 1.1, 1.2]"},
                               {"rod.initial", "{twist: 2*pi/20, bend_y: 0.02}"}};
    const ElvOverride by_newton[] = {{"record.signals", signals},
                                     {"statics.loads", "[1, 1.05, 1.1, 1.2]"}};
    Reference* r = reference_read("twist-push");
    Trace* own = example_statics("twist-push", set, 4);
    Trace* newton = example_statics("twist-push", by_newton, 2);
    int i_radius = reference_column(r, "n5.radius");
    int i_energy = reference_column(r, "n5.energy");
    for (int i = 0; i < own->n_row; i++) {
        const double* value = own->value[i];
        const double* other = newton->value[i + 1];
        double radius = hypot(value[Y], value[Z]);
        CHECK_NEAR(own->t[i], newton->t[i + 1], 0.0);
        CHECK_NEAR(value[ENERGY], other[ENERGY], 1e-8 * other[ENERGY]);
        CHECK_NEAR(radius, hypot(other[Y], other[Z]), 1e-8 * radius);
        CHECK_NEAR(value[X], other[X], 1e-8);
        // rows of the reference: x/l = 0.95, 0.9, 0.8, closed to 2e-7 m
        CHECK_NEAR(r->value[i][0], 2.0 - own->t[i], 1e-12);
        CHECK_NEAR(radius, r->value[i][i_radius], 1e-6 * radius);
        CHECK_NEAR(value[ENERGY], r->value[i][i_energy], 1e-8 * value[ENERGY]);
    }
    trace_free(own);
    trace_free(newton);
    free(r);
}

// With a stretch, as in the paper, the straight rod is compressed first and buckles by itself, from rounding
// errors. What it gives along its axis takes energy from the rod that cannot stretch, to first order
// int N^2 dX / (2 EA), and the force N along the rod is at most all of the force F.
static void test_extensible(void** unused) {
    (void)unused;
    static const double AXIAL = 2.1e11 * 3.14159265358979323846 / 4.0 * 0.0176 * 0.0176;
    const ElvOverride set[] = {
        projective,
        {"record.signals", "[rod.at(0.5).position, energy.elastic, loop.clamp.wrench]"},
        {"statics.loads", "[0, 0.25, 0.5, 0.75, 1, 1.05, 1.1, 1.2]"},
        {"rod.strain", "{twist: 3, bend_y: 5, bend_z: 5, stretch: 2}"}};
    Reference* r = reference_read("twist-push");
    Trace* own = example_statics("twist-push", set, 4);
    int i_energy = reference_column(r, "n5.energy");
    int i_force = trace_column(own, "loop.clamp.wrench.force.x");
    for (int i = 0; i < own->n_row; i++) {
        const double* value = own->value[i];
        double turn = 2.0 * 3.14159265358979323846 * own->t[i];
        if (i < 5) {
            // a turn of a straight rod: GJ turn^2 / (2 l)
            CHECK_NEAR(value[ENERGY], 0.5 * 763.0194076339942 * turn * turn / 20.0, 1e-8);
            continue;
        }
        double force = array_distance(value + i_force, (double[3]){0.0}, 3);
        double most = 20.0 * force * force / (2.0 * AXIAL);
        double given = r->value[i - 5][i_energy] - value[ENERGY];
        // the energy of the reference is known to 1e-8
        double error = 1e-8 * value[ENERGY];
        CHECK_TRUE(given > 0.2 * most - error && given < most + error);
    }
    trace_free(own);
    free(r);
}

// The heavy rod is taut at first, and much stiffer than its K. Newton finds the same.
static void test_heavy(void** unused) {
    (void)unused;
    const ElvOverride set[] = {{"record.signals", signals},
                               {"statics.loads", "[0, 0.3, 0.6, 1, 1.05, 1.2, 1.6, 2]"},
                               projective};
    Trace* own = example_statics("twist-push-heavy", set, 3);
    Trace* newton = example_statics("twist-push-heavy", set, 2);
    for (int i = 0; i < own->n_row; i++) {
        CHECK_ARRAY_NEAR(own->value[i], newton->value[i], 3, 1e-7);
        CHECK_NEAR(own->value[i][ENERGY], newton->value[i][ENERGY],
                   1e-8 * newton->value[i][ENERGY]);
    }
    trace_free(own);
    trace_free(newton);
}

// ---- robots

// the legs of the planar robot lie apart at first, and the rules of mounting are another's
static void test_open_layout(void** unused) {
    (void)unused;
    const ElvOverride set[] = {
        {"record.signals", "[leg2.tip.position, loop.apex.wrench, loop.apex.gap, energy.elastic]"},
        {"statics.loads", "[0, 1.5, 3]"},
        projective,
        {"leg1.joint.revolute.position", "0.1"},
        {"leg2.joint.revolute.position", "0"}};
    Trace* own = example_statics("cpr", set, 5);
    Trace* newton = example_statics("cpr", set, 2);
    int i_gap = trace_column(own, "loop.apex.gap.angle");
    for (int i = 0; i < own->n_row; i++) {
        CHECK_ARRAY_NEAR(own->value[i], newton->value[i], (size_t)own->n_column, 1e-8);
        CHECK_ARRAY_NEAR(own->value[i] + i_gap, ((double[]){0.0, 0.0}), 2, 1e-10);
    }
    // motors push the apex down
    CHECK_TRUE(own->value[2][0] < own->value[1][0] && own->value[1][0] < own->value[0][0] - 0.01);
    trace_free(own);
    trace_free(newton);
}

static void test_hexapod(void** unused) {
    (void)unused;
    const ElvOverride set[] = {{"statics.loads", "[0, 0.5, 1]"}, projective};
    Trace* own = example_statics("stewart-gough", set, 2);
    Trace* newton = example_statics("stewart-gough", set, 1);
    for (int i = 0; i < own->n_row; i++) {
        CHECK_ARRAY_NEAR(own->value[i], newton->value[i], (size_t)own->n_column, 1e-7);
    }
    trace_free(own);
    trace_free(newton);
}

// a ball, a drive and springs in the tree, on the loop that is the argument; taut, so that there is one equilibrium
static const char* const robot =
    "gravity: [0, 0, -9.81]\n"
    "tree:\n"
    "  - {body: slide, joint: {prismatic: {axis: z, motion: 0.1*t}},\n"
    "     mass: 1, inertia: [1, 1, 1]}\n"
    "  - {rod: arm, parent: slide, joint: spherical, length: 0.7,\n"
    "     stiffness: [2, 3, 4, 200, 300, 300], nodes: 20,\n"
    "     inertia: [1, 1, 1, 0.2, 0.2, 0.2], strain: {bend_y: 3, bend_z: 3, stretch: 1}}\n"
    "  - {body: hand, parent: arm.tip, mass: 0.05,\n"
    "     joint: {spherical: {stiffness: 2}}, inertia: [1, 2, 2]}\n"
    "%s"
    "statics: {method: %s, loads: [0, 1, 2]}\n";

#define PIN "loops:\n  - {loop: pin, between: [world, hand], pose: {xyz: [0.7, 0.2, 0.1]},\n     "

typedef struct {
    int n;
    double t[8], x[8][7];
    ElvStaticsReport report;
    ElvError error;
} Log;

// position and orientation of the hand
static bool on_record(void* user, const ElvModel* model, ElvData* data, const ElvState* state) {
    Log* log = user;
    ElvFrame hand;
    CHECK_STATUS(elv_model_frame(model, "hand", &hand, NULL), NULL);
    elv_kinematics(model, data, state);
    ElvPose g = elv_frame_pose(model, data, hand);
    CHECK_TRUE(log->n < 8);
    double* x = log->x[log->n];
    log->t[log->n++] = state->t;
    const ElvVec3 row = elv_mat3_apply(g.R, elv_vec3(1.0, 0.0, 0.0));
    const double all[7] = {
        g.p.x, g.p.y, g.p.z, row.x, row.y, row.z, elv_energy(model, data, state).elastic};
    memcpy(x, all, sizeof all);
    return true;
}

static ElvStatus run_case(ModelCase* c, Log* log) {
    ElvStaticsOptions options = elv_statics_options_default(c->model);
    options.record = on_record;
    options.user = log;
    return elv_statics_run(c->model, c->state, &options, &log->report, &log->error);
}

// the same by both methods
static void check_robot(const char* what) {
    Log log[2] = {{0}, {0}};
    for (int k = 0; k < 2; k++) {
        ModelCase c = case_open(robot, what, k ? "newton" : "projective");
        CHECK_STATUS(run_case(&c, &log[k]), &log[k].error);
        case_close(&c);
    }
    CHECK_TRUE(log[0].n == 3 && log[1].n == 3 && log[0].report.n_relaxation > 3);
    for (int k = 0; k < 3; k++) {
        CHECK_ARRAY_NEAR(log[0].x[k], log[1].x[k], 7, 1e-8);
    }
}

static void test_closures(void** unused) {
    (void)unused;
    check_robot(PIN "joint: spherical}\n");
    check_robot(PIN "joint: {revolute: {axis: z, stiffness: 3, rest: 0.2, force: 0.7*t}}}\n");
    check_robot(PIN "joint: {revolute: {axis: z, motion: 0.3 + 0.4*t}}}\n");
    check_robot(PIN "joint: {cylindrical: {axis: z, stiffness: [3, 40]}}}\n");
    check_robot(PIN "joint: spherical, closure: penalty, penalty: 300}\n");
    check_robot(PIN "joint: {spherical: {stiffness: 1}}, closure: augmented, penalty: 1e5}\n");
}

// a tendon with a straight strand: its force is an unknown that follows at once
static void test_strand(void** unused) {
    (void)unused;
    check_robot(PIN "joint: {revolute: {axis: z}}}\n"
                    "actuators:\n"
                    "  - {tendon: rope, tension: 5*t,\n"
                    "     path: [{at: world, point: [0.2, 0, 0.5]}, {at: arm.at(0.5)}]}\n");
}

// joints that are coupled, and one that turns freely but for them
static void test_gear(void** unused) {
    (void)unused;
    const ElvOverride set[] = {{"statics.loads", "[0.2, 0.5]"},
                               {"wheel.joint.revolute", "{axis: z, stiffness: 0.3}"},
                               projective};
    Trace* own = example_statics("gear-train", set, 3);
    // the spring feels n^2 less at the motor, and the gear holds: q_motor = -n q_wheel
    for (int i = 0; i < own->n_row; i++) {
        double torque = 0.2 * sin(3.0 * own->t[i]);
        CHECK_NEAR(own->value[i][0], torque * 16.0 / 0.3, 1e-8);
        CHECK_NEAR(own->value[i][1], -torque * 4.0 / 0.3, 1e-8);
    }
    trace_free(own);
}

// ---- what does not work

static void check_fails(const char* name, const ElvOverride* set, int n_set, const char* what) {
    ElvError error;
    ElvState* state = NULL;
    ElvModel* model = example_model(name, set, n_set);
    ElvStaticsOptions options = elv_statics_options_default(model);
    CHECK_STATUS(elv_state_create(model, &state, &error), &error);
    ElvStatus status = elv_statics_run(model, state, &options, NULL, &error);
    CHECK_TRUE(status == ELV_ERROR_INPUT || status == ELV_ERROR_NUMERIC);
    if (!strstr(error.message, what)) {
        print_error("%s: '%s'\n", name, error.message);
        fail();
    }
    elv_state_free(state);
    elv_model_free(model);
}

static void test_refusals(void** unused) {
    (void)unused;
    check_fails("knife-edge", &projective, 1, "not 'blade' (constraint)");
    check_fails("rolling-disk", &projective, 1, "not 'wheel' (rolling)");
    check_fails("bead-on-rod", &projective, 1, "not 'ring' (slider)");
    check_fails("tendon-by-length", &projective, 1, "not 'pulled' (tendon)");
#define MODES "strain: {twist: 21, bend_y: 21, bend_z: 21, stretch: 21, shear_y: 21, shear_z: 21}"
    ModelCase c = case_open("tree:\n"
                            "  - {rod: a, length: 1, stiffness: [1, 1, 1, 1, 1, 1],\n"
                            "     inertia: [1, 1, 1, 1, 1, 1], %s}\n"
                            "  - {rod: b, length: 1, stiffness: [1, 1, 1, 1, 1, 1],\n"
                            "     inertia: [1, 1, 1, 1, 1, 1], %s}\n"
                            "  - {rod: c, length: 1, stiffness: [1, 1, 1, 1, 1, 1],\n"
                            "     inertia: [1, 1, 1, 1, 1, 1], %s}\n"
                            "  - {rod: d, length: 1, stiffness: [1, 1, 1, 1, 1, 1],\n"
                            "     inertia: [1, 1, 1, 1, 1, 1], %s}\n"
                            "statics: {method: projective}\n",
                            MODES, MODES, MODES, MODES);
    Log log = {0};
    CHECK_TRUE(run_case(&c, &log) == ELV_ERROR_INPUT);
    CHECK_TRUE(strstr(log.error.message, "at most 500 coordinates, and the model has 504"));
    case_close(&c);
}

static void test_open_loops(void** unused) {
    (void)unused;
    // a straight rod that cannot stretch
    const ElvOverride straight[] = {projective, {"statics.loads", "[1, 1.05]"}};
    check_fails("twist-push", straight, 2, "'clamp' is still open by 1 m");
    check_fails("twist-push", straight, 2, "nothing shortens a straight rod");
    // no time
    const ElvOverride hasty[] = {projective,
                                 {"statics.loads", "[3]"},
                                 {"statics.max_steps", "5"},
                                 {"leg1.joint.revolute.position", "0"}};
    check_fails("cpr", hasty, 4, "give more max_steps or gain");
    // out of reach
    const ElvOverride far[] = {projective, {"leg1.pose.xyz", "[0, 2.5, 0]"}};
    check_fails("cpr", far, 2, "'apex' is still open by");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pushed),   cmocka_unit_test(test_extensible),
        cmocka_unit_test(test_heavy),    cmocka_unit_test(test_open_layout),
        cmocka_unit_test(test_hexapod),  cmocka_unit_test(test_closures),
        cmocka_unit_test(test_strand),   cmocka_unit_test(test_gear),
        cmocka_unit_test(test_refusals), cmocka_unit_test(test_open_loops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
