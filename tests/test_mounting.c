// SPDX-License-Identifier: Apache-2.0
// Closing of loops from wherever a robot stands: open layouts, joints upside down, straight rods that must buckle,
// turns beyond pi; and what is said where no equilibrium exists.
#include "actuation_case.h"
#include "elastica.h"

static const double PI = 3.14159265358979323846;

// ---- open layouts

static double gap_of(Robot* robot, const char* const* name, double* place) {
    ElvError error;
    ElvSignals* signals = NULL;
    double value[8], tau[64];
    CHECK_TRUE(robot->nv <= 64);
    CHECK_STATUS(elv_signals_create(robot->model, name, 3, &signals, &error), &error);
    elv_idm(robot->model, robot->data, robot->state, tau);
    elv_signals_eval(signals, robot->model, robot->data, robot->state, value);
    elv_signals_free(signals);
    memcpy(place, value, 4 * sizeof *place);
    return fmax(value[4], value[5]);
}

// Nothing acts on the robot of two legs, hinged at both ends, at t = 0: where it rests stably the legs are
// straight, and the apex is on one side of the base or on the other. With bent legs the forces of the two
// would have to be opposite, along one line, and the apex on the base between them: no minimum of the energy.
static void test_random_layouts(void** unused) {
    (void)unused;
    enum { N_LAYOUT = IS_SANITIZED ? 20 : 200 };
    static const char* const seen[] = {"leg1.tip.position", "energy.elastic", "loop.apex.gap"};
    Robot robot = robot_of(example_model("cpr", NULL, 0));
    ElvStaticsDef options = elv_model_statics(robot.model);
    double apex = sqrt(1.0 - 0.35 * 0.35);
    int n_found = 0;
    for (uint64_t seed = 1; seed <= N_LAYOUT; seed++) {
        ElvError error;
        ElvStaticsReport report;
        double place[4];
        CheckRandom random = check_random(seed);
        elv_state_reset(robot.model, robot.state);
        for (int j = 0; j < elv_model_n_node(robot.model); j++) {
            ElvNodeInfo node = elv_model_node(robot.model, j);
            if (!node.is_rod) {
                robot.state->q[node.i_q] = check_uniform(&random, -1.5, 1.5);
            }
        }
        CHECK_STATUS(elv_statics_solve(robot.model, robot.state, 0.0, &options, &report, &error),
                     &error);
        CHECK_TRUE(report.stability == ELV_STABILITY_STABLE);
        CHECK_NEAR(gap_of(&robot, seen, place), 0.0, 1e-9);
        CHECK_NEAR(fabs(place[0]), apex, 1e-8);
        CHECK_NEAR(place[1], 0.0, 1e-8);
        CHECK_NEAR(place[3], 0.0, 1e-12);
        n_found++;
    }
    CHECK_TRUE(n_found == N_LAYOUT);
    robot_free(&robot);
}

// ---- joints upside down

static Robot robot_text(const char* text) {
    ElvError error;
    ElvModel* model = NULL;
    CHECK_STATUS(elv_model_read_text(text, strlen(text), "case", NULL, 0, &model, &error), &error);
    return robot_of(model);
}

// cosine of the turn of a frame about its most turned axis
static double uprightness(Robot* robot, const char* frame) {
    elv_kinematics(robot->model, robot->data, robot->state);
    ElvPose g = elv_frame_pose(robot->model, robot->data, frame_of(robot, frame));
    return fmin(g.R.m[0][0], fmin(g.R.m[1][1], g.R.m[2][2]));
}

static void one_step(Robot* robot) {
    ElvError error;
    ElvSimulateOptions options = elv_simulate_options_default(robot->model, robot->state);
    options.t_end = 1e-4;
    CHECK_STATUS(elv_simulate(robot->model, robot->state, &options, NULL, &error), &error);
}

// a rod clamped at its tip, its root turned by more than a right angle: the sine of the turn would vanish at
// pi as well
static void test_upside_down(void** unused) {
    (void)unused;
    static const double turn[] = {1.7, 2.9, 3.1, -2.5};
    for (int i = 0; i < 4; i++) {
        for (int is_moving = 0; is_moving < 2; is_moving++) {
            char text[1024];
            ElvError error;
            snprintf(text, sizeof text,
                     "elver: 1\n"
                     "tree:\n"
                     "  - rod: rod\n"
                     "    joint: {revolute: {axis: x, position: %.17g}}\n"
                     "    length: 1\n"
                     "    section: {circle: {diameter: 0.01}}\n"
                     "    material: {density: 1000, young: 1e8, poisson: 0.4, damping: 1e-2}\n"
                     "    strain: {kirchhoff: 4, stretch: 2}\n"
                     "loops: [{loop: clamp, between: [world, rod.tip], pose: {xyz: [1, 0, 0]}}]\n"
                     "simulate: {step: 1e-4}\n",
                     turn[i]);
            Robot robot = robot_text(text);
            ElvStaticsDef options = elv_model_statics(robot.model);
            if (is_moving) {
                one_step(&robot);
            } else {
                CHECK_STATUS(
                    elv_statics_solve(robot.model, robot.state, 0.0, &options, NULL, &error),
                    &error);
            }
            CHECK_NEAR(uprightness(&robot, "rod.tip"), 1.0, 1e-9);
            robot_free(&robot);
        }
    }
}

// a hinge whose two axes point away from each other
static void test_hinge_upside_down(void** unused) {
    (void)unused;
    Robot robot =
        robot_text("elver: 1\n"
                   "tree:\n"
                   "  - body: body\n"
                   "    joint: {spherical: {position: {rpy: [2.8, 0.1, 0.2]}}}\n"
                   "    mass: 1\n"
                   "    inertia: [0.1, 0.2, 0.3]\n"
                   "loops: [{loop: hinge, between: [world, body], joint: revolute, axis: z}]\n"
                   "simulate: {step: 1e-4}\n");
    one_step(&robot);
    elv_kinematics(robot.model, robot.data, robot.state);
    ElvPose g = elv_frame_pose(robot.model, robot.data, frame_of(&robot, "body"));
    CHECK_NEAR(g.R.m[2][2], 1.0, 1e-9);
    robot_free(&robot);
}

// ---- along a path

// one turn is one turn, in however many loads: the clamp comes back to where it was, the rod is twisted
static void test_whole_turn(void** unused) {
    (void)unused;
    static const char* const loads[] = {"[0, 1]", "[0, 0.5, 1]", "[0, 0.3, 0.9, 1]", "[1]"};
    for (int i = 0; i < 4; i++) {
        const ElvOverride set[] = {{"statics.loads", loads[i]},
                                   {"record.signals", "[rod.strain(0.5).twist]"}};
        Trace* trace = example_statics("twist-push", set, 2);
        CHECK_NEAR(trace->value[trace->n_row - 1][0], 2.0 * PI / 20.0, 1e-9);
        trace_free(trace);
    }
}

// A straight rod that cannot stretch, with its ends pushed together: no path leads out of it. It buckles into
// an elastica of four quarter waves, L = 4 K sqrt(EI/F), with ends at 2 E/K - 1 of the length and the middle
// k L/K beside. The curvature has harmonics (2 m + 1) of about (k/4)^(2 m), k^2 < 0.3: Legendre modes up to degree
// 24 hold those up to m = 3, and 1e-6 of m = 4, 1e-7 of the whole; the force errs by the square.
static void test_buckling(void** unused) {
    (void)unused;
    static const char* const loads[] = {"[0, 0.05]", "[0, 0.4]", "[0.05]", "[0, 0.001, 0.05]"};
    static const double shortening[] = {0.05, 0.4, 0.05, 0.05};
    const double EI = 2.1e11 * PI * pow(0.0176, 4) / 64.0, L = 20.0;
    for (int i = 0; i < (IS_SANITIZED ? 2 : 4); i++) {
        const ElvOverride set[] = {{"statics.loads", loads[i]},
                                   {"clamp.pose", "{xyz: [\"l*(1 - t)\", 0, 0]}"},
                                   {"rod.strain", "{twist: 1, bend_y: 25, bend_z: 25}"},
                                   {"record.signals", "[rod.at(0.5).position, loop.clamp.wrench]"}};
        double K = 0.0, E = 0.0, low = 0.0, high = 0.999;
        for (int step = 0; step < 60; step++) {
            double k = 0.5 * (low + high);
            elliptic(k, &K, &E);
            if (2.0 * E / K - 1.0 > 1.0 - shortening[i]) {
                low = k;
            } else {
                high = k;
            }
        }
        Trace* trace = example_statics("twist-push", set, 4);
        const double* own = trace->value[trace->n_row - 1];
        double F = EI * pow(4.0 * K / L, 2);
        CHECK_NEAR(own[0], 0.5 * L * (1.0 - shortening[i]), 1e-9 * L);
        CHECK_NEAR(hypot(own[1], own[2]), low * L / K, 1e-7 * L);
        CHECK_NEAR(own[6], -F, 1e-8 * F);
        trace_free(trace);
    }
}

// ---- what cannot be

static void test_out_of_reach(void** unused) {
    (void)unused;
    const ElvOverride set[] = {{"leg1.length", "0.3"}, {"leg2.length", "0.3"}};
    ElvError error;
    ElvStaticsReport report;
    Robot robot = robot_of(example_model("cpr", set, 2));
    ElvStaticsDef options = elv_model_statics(robot.model);
    ElvState* before = copy_state(&robot, robot.state);
    // legs of 0.3 m on motors that are 0.7 m apart
    ElvStatus status = elv_statics_solve(robot.model, robot.state, 0.0, &options, &report, &error);
    CHECK_TRUE(status == ELV_ERROR_NUMERIC && report.n_load == 0);
    assert_string_equal(error.element, "apex");
    CHECK_TRUE(strstr(error.message, "'apex' cannot be closed") != NULL);
    CHECK_ARRAY_NEAR(robot.state->q, before->q, (size_t)robot.nq, 0.0);
    elv_state_free(before);
    robot_free(&robot);
}

// A four-bar linkage that nothing drives and nothing pulls down: its loop closes, but it can go on moving, and the
// report says so. With a weight, with a spring, or with a drive it rests.
static void test_mechanism(void** unused) {
    (void)unused;
    static const ElvOverride set[][2] = {
        {{"crank.joint", "{revolute: {axis: z}}"}, {"gravity", "[0, 0, 0]"}},
        {{"crank.joint", "{revolute: {axis: z}}"}, {"gravity", "[0, -9.81, 0]"}},
        {{"crank.joint", "{revolute: {axis: z, stiffness: 1}}"}, {"gravity", "[0, 0, 0]"}},
        {{"crank.joint", "{revolute: {axis: z, motion: 0.3}}"}, {"gravity", "[0, 0, 0]"}}};
    for (int i = 0; i < 4; i++) {
        ElvError error;
        ElvStaticsReport report;
        Robot robot = robot_of(example_model("four-bar", set[i], 2));
        ElvStaticsDef options = elv_model_statics(robot.model);
        CHECK_STATUS(elv_statics_solve(robot.model, robot.state, 0.0, &options, &report, &error),
                     &error);
        CHECK_NEAR(report.closure.gap, 0.0, 1e-9);
        if (i > 0) {
            CHECK_TRUE(report.loose == NULL);
            CHECK_TRUE(report.stability == ELV_STABILITY_STABLE);
        } else {
            CHECK_TRUE(report.stability == ELV_STABILITY_UNKNOWN);
            CHECK_TRUE(report.loose && (strcmp(report.loose, "crank") == 0 ||
                                        strcmp(report.loose, "coupler") == 0 ||
                                        strcmp(report.loose, "rocker") == 0));
        }
        robot_free(&robot);
    }
}

// the same with a load that follows it around: there is no equilibrium, and what moves is named
static void test_driven_mechanism(void** unused) {
    (void)unused;
    const ElvOverride set[] = {{"crank.joint", "{revolute: {axis: z}}"},
                               {"gravity", "[0, 0, 0]"},
                               {"loads", "[{torque: [0, 0, 1], at: crank}]"}};
    ElvError error;
    Robot robot = robot_of(example_model("four-bar", set, 3));
    ElvStaticsDef options = elv_model_statics(robot.model);
    ElvStatus status = elv_statics_solve(robot.model, robot.state, 0.0, &options, NULL, &error);
    CHECK_TRUE(status != ELV_OK);
    CHECK_TRUE(strcmp(error.element, "crank") == 0 || strcmp(error.element, "coupler") == 0 ||
               strcmp(error.element, "rocker") == 0);
    robot_free(&robot);
}

typedef struct {
    int n_row;
    double q[64];
} Last;

static bool keep_last(void* user, const ElvModel* model, ElvData* data, const ElvState* state) {
    (void)model;
    (void)data;
    Last* last = user;
    last->n_row++;
    memcpy(last->q, state->q, (size_t)state->nq * sizeof *state->q);
    return true;
}

// the ends of a rod that cannot stretch are pulled apart, beyond its length: the last rows stay, and so does
// the last shape
static void test_lost_path(void** unused) {
    (void)unused;
    const ElvOverride set[] = {{"clamp.pose", "{xyz: [\"l*t\", 0, 0]}"},
                               {"statics.loads", "[0.7, 0.8, 0.9, 1.1, 1.2]"}};
    ElvError error;
    ElvStaticsReport report;
    Last last = {0};
    Robot robot = robot_of(example_model("twist-push", set, 2));
    ElvStaticsOptions options = elv_statics_options_default(robot.model);
    options.record = keep_last;
    options.user = &last;
    ElvStatus status = elv_statics_run(robot.model, robot.state, &options, &report, &error);
    CHECK_TRUE(status == ELV_ERROR_NUMERIC);
    assert_string_equal(error.element, "clamp");
    CHECK_TRUE(last.n_row == 3 && report.n_load == 3);
    CHECK_NEAR(robot.state->t, 0.9, 0.0);
    CHECK_ARRAY_NEAR(robot.state->q, last.q, (size_t)robot.nq, 0.0);
    // it is as far as a rod of that length reaches
    CHECK_TRUE(report.t_reached >= 0.9 && report.t_reached <= 1.0 + 1e-9);
    // and it is still an equilibrium, from which a path leads on
    CHECK_STATUS(elv_statics_solve(robot.model, robot.state, 0.8, &options.method, NULL, &error),
                 &error);
    robot_free(&robot);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_layouts),    cmocka_unit_test(test_upside_down),
        cmocka_unit_test(test_hinge_upside_down), cmocka_unit_test(test_whole_turn),
        cmocka_unit_test(test_buckling),          cmocka_unit_test(test_out_of_reach),
        cmocka_unit_test(test_mechanism),         cmocka_unit_test(test_driven_mechanism),
        cmocka_unit_test(test_lost_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
