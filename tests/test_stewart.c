// SPDX-License-Identifier: Apache-2.0
// One robot, two cuts: the Stewart-Gough platform with loops at the tips of its legs, and with loops at their
// feet ([P23] remark 1). The polynomials by which the legs bend are the same from either end, so that both
// models have the same equilibria and the same motion, to rounding and to the error of the time step, though
// they share neither coordinates nor unknowns. Where one has a joint of the tree, the other has the wrench of
// a loop.
//
// Tolerances. Residuals of statics are 1e-12 of the efforts, some 10 N, or what rounding leaves, a few times
// that; the legs give by 1e-3 m/N at most, and wrenches are as accurate as residuals. 1e-10 leaves a factor of
// two and more in SI units.
#include "stewart_case.h"

static const double SAME = 1e-10;
static const double STATICS_TOL = 1e-12;

static ElvStatus find_equilibria(Stewart* s, const double* load, int n_load, ElvError* error) {
    ElvStaticsReport report;
    ElvStaticsOptions options = elv_statics_options_default(s->robot.model);
    options.method.tolerance = STATICS_TOL;
    options.method.load = load ? load : options.method.load;
    options.method.n_load = load ? n_load : options.method.n_load;
    options.record = stewart_record;
    options.user = s;
    s->n_row = 0;
    ElvStatus status = elv_statics_run(s->robot.model, s->robot.state, &options, &report, error);
    CHECK_TRUE(status != ELV_OK || report.last_residual <= 5.0 * STATICS_TOL);
    return status;
}

// ---- statics

static void check_cuts(bool is_clamped) {
    ElvError error;
    Stewart* s[2];
    for (int cut = 0; cut < 2; cut++) {
        s[cut] = stewart_open((StewartCut)cut, is_clamped);
        CHECK_STATUS(find_equilibria(s[cut], NULL, 0, &error), &error);
        CHECK_TRUE(s[cut]->n_row == 5 && s[cut]->gap < SAME);
    }
    for (int i = 0; i < s[0]->n_row; i++) {
        CHECK_ARRAY_NEAR(s[0]->seen[i], s[1]->seen[i], STEWART_SEEN, SAME);
    }
    // the load has gone around
    CHECK_ARRAY_NEAR(s[0]->seen[4], s[0]->seen[0], STEWART_SEEN, SAME);
    // it is no trivial equilibrium: the platform leans to the side of the ball, about y at t = 0
    CHECK_TRUE(fabs(s[0]->seen[0][5]) > 1e-4 && fabs(s[0]->seen[0][4]) < SAME);
    stewart_close(s[0]);
    stewart_close(s[1]);
}

static void test_equilibria(void** unused) {
    (void)unused;
    check_cuts(false);
}

// five or six loops of six constraints each
static void test_clamped_equilibria(void** unused) {
    (void)unused;
    check_cuts(true);
}

// The plane y = 0 mirrors the robot. It takes the ball from its place at t = 1/4 to that at t = 3/4, and
// the legs to each other. Of a mirrored section frame two axes are mirrored ones, and y is turned round.
static void test_mirror(void** unused) {
    (void)unused;
    static const int partner[STEWART_LEGS] = {1, 0, 5, 4, 3, 2};
    static const double pose[STEWART_POSE] = {1, -1, 1, 1, -1, 1, -1};
    static const double leg[STEWART_LEG] = {1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1};
    const double load[2] = {0.25, 0.75};
    ElvError error;
    Stewart* s = stewart_open(CUT_TIPS, false);
    CHECK_STATUS(find_equilibria(s, load, 2, &error), &error);
    for (int i = 0; i < STEWART_POSE; i++) {
        CHECK_NEAR(s->seen[1][i], pose[i] * s->seen[0][i], SAME);
    }
    for (int k = 0; k < STEWART_LEGS; k++) {
        const double* own = s->seen[0] + STEWART_POSE + k * STEWART_LEG;
        const double* other = s->seen[1] + STEWART_POSE + partner[k] * STEWART_LEG;
        for (int i = 0; i < STEWART_LEG; i++) {
            CHECK_NEAR(other[i], leg[i] * own[i], SAME);
        }
    }
    stewart_close(s);
}

// what the ground gives is what pulls down, force and moment about the world's origin
static void test_balance(void** unused) {
    (void)unused;
    static const char* const names[] = {"loop.ground1.wrench",
                                        "loop.ground2.wrench",
                                        "loop.ground3.wrench",
                                        "loop.ground4.wrench",
                                        "loop.ground5.wrench",
                                        "loop.ground6.wrench",
                                        "com",
                                        "platform.position"};
    const double load[1] = {0.3};
    ElvError error;
    ElvSignals* signals = NULL;
    double value[42];
    Stewart* s = stewart_open(CUT_FEET, false);
    const ElvModel* model = s->robot.model;
    CHECK_STATUS(find_equilibria(s, load, 1, &error), &error);
    CHECK_STATUS(elv_signals_create(model, names, 8, &signals, &error), &error);
    double tau[256];
    elv_idm(model, s->robot.data, s->robot.state, tau);
    elv_signals_eval(signals, model, s->robot.data, s->robot.state, value);

    const double pi = acos(-1.0), F = 20.0, r = 0.15;
    double angle = 2.0 * pi * (0.3 - sin(2.0 * pi * 0.3) / (2.0 * pi));
    double weight = 9.81 * elv_model_mass(model);
    const double *com = value + 36, *p = value + 39;
    ElvVec3 force = elv_vec3(0.0, 0.0, -weight - F);
    ElvVec3 moment = elv_vec3(-weight * com[1] - F * (p[1] + r * sin(angle)),
                              weight * com[0] + F * (p[0] + r * cos(angle)), 0.0);
    for (int k = 0; k < STEWART_LEGS; k++) {
        double at = (double)(k / 2) * 2.0 * pi / 3.0 + (k % 2 ? -0.25 : 0.25);
        ElvVec3 foot = elv_vec3(0.5 * cos(at), 0.5 * sin(at), 0.0);
        ElvWrench W = elv_wrench_from_array(value + 6 * k);
        force = elv_vec3_add(force, W.frc);
        moment = elv_vec3_add(moment, elv_vec3_add(W.mom, elv_vec3_cross(foot, W.frc)));
    }
    CHECK_NEAR(elv_vec3_norm(force), 0.0, SAME);
    CHECK_NEAR(elv_vec3_norm(moment), 0.0, SAME);
    elv_signals_free(signals);
    stewart_close(s);
}

// ---- open layouts

// turn lumped joints out of place, and shift a platform that floats
static void scatter(Stewart* s, uint64_t seed) {
    const Robot* robot = &s->robot;
    CheckRandom random = check_random(seed);
    elv_state_reset(robot->model, robot->state);
    for (int j = 0; j < elv_model_n_node(robot->model); j++) {
        ElvNodeInfo node = elv_model_node(robot->model, j);
        for (int k = 0; k < node.n_q && !node.is_rod; k++) {
            // quaternions turn by twice as much as their components
            double size = node.n_q == 7 && k > 3 ? 0.1 : node.n_q > 2 ? 0.15 : 0.3;
            robot->state->q[node.i_q + k] += check_uniform(&random, -size, size);
        }
    }
    elv_state_impose(robot->model, robot->state);
}

static void test_open_layouts(void** unused) {
    (void)unused;
    enum { N_LAYOUT = IS_SANITIZED ? 2 : 8 };
    const double load[1] = {0.0};
    for (int cut = 0; cut < 2; cut++) {
        ElvError error;
        double assembled[STEWART_SEEN];
        Stewart* s = stewart_open((StewartCut)cut, false);
        CHECK_STATUS(find_equilibria(s, load, 1, &error), &error);
        memcpy(assembled, s->seen[0], sizeof assembled);
        for (uint64_t seed = 1; seed <= N_LAYOUT; seed++) {
            scatter(s, seed);
            CHECK_STATUS(find_equilibria(s, load, 1, &error), &error);
            // orientations are unit quaternions up to their sign
            double* w = s->seen[0] + 3;
            for (int k = 3; k >= 0; k--) {
                w[k] = w[0] < 0.0 ? -w[k] : w[k];
            }
            CHECK_ARRAY_NEAR(s->seen[0], assembled, STEWART_SEEN, SAME);
        }
        stewart_close(s);
    }
}

// ---- dynamics

enum { N_ROW = IS_SANITIZED ? 3 : 6 };

typedef struct {
    double at[N_ROW][STEWART_SEEN];
} Motion;

static void move(Stewart* s, double dt, Motion* motion) {
    ElvError error;
    elv_state_reset(s->robot.model, s->robot.state);
    ElvSimulateOptions options = elv_simulate_options_default(s->robot.model, s->robot.state);
    options.method.step = dt;
    options.method.newton_tol = 1e-11;
    options.record_every = 0.1;
    options.t_end = 0.1 * (N_ROW - 1);
    options.record = stewart_record;
    options.user = s;
    s->n_row = 0;
    CHECK_STATUS(elv_simulate(s->robot.model, s->robot.state, &options, NULL, &error), &error);
    CHECK_TRUE(s->n_row == N_ROW);
    memcpy(motion->at, s->seen, sizeof motion->at);
}

// largest difference of platform and midpoints (m), or of wrenches (N m, N)
static double apart(const Motion* a, const Motion* b, bool is_wrench) {
    double most = 0.0;
    for (int i = 0; i < N_ROW; i++) {
        for (int k = 0; k < STEWART_SEEN; k++) {
            bool is_shape = k < STEWART_POSE || (k - STEWART_POSE) % STEWART_LEG < 3;
            double d = is_shape == is_wrench ? 0.0 : fabs(a->at[i][k] - b->at[i][k]);
            most = d <= most ? most : d; // keeps NaN
        }
    }
    return most;
}

// the error of order two is taken away
static void extrapolate(const Motion* coarse, const Motion* fine, Motion* best) {
    for (int i = 0; i < N_ROW; i++) {
        for (int k = 0; k < STEWART_SEEN; k++) {
            best->at[i][k] = (4.0 * fine->at[i][k] - coarse->at[i][k]) / 3.0;
        }
    }
}

// Steps of 4, 2 and 1 ms: differences fall by 4 +- 5 %, so that what extrapolation leaves of them is less than
// 5 % of the last one: of 1e-6 m, and of 3e-4 N.
static void test_motion(void** unused) {
    (void)unused;
    static Motion run[2][3], best[2], again;
    double left[2][2];
    for (int cut = 0; cut < 2; cut++) {
        Stewart* s = stewart_open((StewartCut)cut, false);
        for (int i = 0; i < 3; i++) {
            move(s, ldexp(4e-3, -i), &run[cut][i]);
        }
        CHECK_TRUE(s->gap < 1e-10);
        extrapolate(&run[cut][1], &run[cut][2], &best[cut]);
        for (int kind = 0; kind < 2; kind++) {
            double first = apart(&run[cut][0], &run[cut][1], kind);
            left[cut][kind] = apart(&run[cut][1], &run[cut][2], kind);
            CHECK_NEAR(first / left[cut][kind], 4.0, 0.2);
        }
        // the same bits again
        move(s, 4e-3, &again);
        assert_memory_equal(&again, &run[cut][0], sizeof again);
        stewart_close(s);
    }
    CHECK_TRUE(left[0][0] < 2e-6 && left[0][1] < 1e-3);
    CHECK_NEAR(apart(&best[0], &best[1], false), 0.0, 0.05 * (left[0][0] + left[1][0]));
    CHECK_NEAR(apart(&best[0], &best[1], true), 0.0, 0.05 * (left[0][1] + left[1][1]));
    // and that is far less than what happens
    const double *start = best[0].at[0], *end = best[0].at[N_ROW - 1];
    CHECK_TRUE(hypot(end[0] - start[0], end[1] - start[1]) > 1e-4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equilibria),   cmocka_unit_test(test_clamped_equilibria),
        cmocka_unit_test(test_mirror),       cmocka_unit_test(test_balance),
        cmocka_unit_test(test_open_layouts), cmocka_unit_test(test_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
