// SPDX-License-Identifier: Apache-2.0
// The six equations of a loop, for every joint that can close one and for constraints on velocities, with
// random frames on tips and stations of rods, bodies and the world, moved by laws of time: the defects and
// their two time derivatives along a motion; the tangent of a step against central differences; what
// accelerations and velocities do to constraints.
#include "border_case.h"
#include "loop_case.h"

#include "multibody/loop.h"

static const double PI = 3.141592653589793238463;

enum { N_DRIVE = 3, N_SEED = IS_SANITIZED ? 1 : 12 };

// ---- random loops

static Robot
robot_with_loop(uint64_t seed, ElvJointType type, ElvDrive drive, ElvClosure closure, int pair) {
    ElvError error;
    Scratch scratch = {.n = 0};
    CheckRandom r = check_random(seed);
    ElvSpec* spec = loop_tree(&r);
    ElvLoopDef loop = elv_loop_def_default();
    loop_frames(&r, spec, pair);
    loop.name = "knot";
    loop.first = "a";
    loop.second = "b";
    loop.joint = loop_joint(&r, &scratch, type, drive);
    loop_pose(&r, &scratch, loop.pose);
    loop.closure = closure;
    if (closure != ELV_CLOSURE_EXACT) {
        loop.penalty[0] = 2.0;
        loop.penalty[1] = 3.0;
    }
    CHECK_STATUS(elv_spec_add_loop(spec, &loop, &error), &error);
    return robot_compile(spec);
}

static Robot robot_with_velocities(uint64_t seed, int n_row, int pair) {
    ElvError error;
    Scratch scratch = {.n = 0};
    CheckRandom r = check_random(seed);
    ElvSpec* spec = loop_tree(&r);
    ElvVelocityConstraintDef def = elv_velocity_constraint_def_default();
    loop_frames(&r, spec, pair);
    def.name = "blade";
    def.on = "a";
    def.at = "b";
    def.n_row = n_row;
    for (int i = 0; i < n_row; i++) {
        def.rate[i] = loop_law(&r, &scratch, 0.5);
        for (int k = 0; k < 6; k++) {
            def.row[i][k] = check_uniform(&r, -1.0, 1.0);
        }
    }
    CHECK_STATUS(elv_spec_add_velocity_constraint(spec, &def, &error), &error);
    return robot_compile(spec);
}

// number i of all kinds
static Robot robot_number(int i, uint64_t seed) {
    static const ElvClosure closure[3] = {ELV_CLOSURE_EXACT, ELV_CLOSURE_PENALTY,
                                          ELV_CLOSURE_EXACT};
    int n_loop = N_LOOP_TYPE * N_DRIVE;
    int pair = (int)((uint64_t)i + seed) % N_LOOP_PAIR;
    if (i < n_loop) {
        ElvJointType type = loop_types[i / N_DRIVE];
        ElvDrive drive = (ElvDrive)(i % N_DRIVE);
        drive = type == ELV_JOINT_FIXED ? ELV_DRIVE_PASSIVE : drive;
        return robot_with_loop(seed, type, drive, closure[seed % 3], pair);
    }
    return robot_with_velocities(seed, 1 + i - n_loop, pair);
}
enum { N_ROBOT = N_LOOP_TYPE * N_DRIVE + ELV_VELOCITY_ROWS_MAX };

static const ElvLoop* loop_of(const Robot* robot) {
    return (const ElvLoop*)loop_device(robot->model);
}

// ---- time derivatives

// a smooth motion: increments of a chart, cubic in time
typedef struct {
    ElvProblem problem;
    ElvState* state;
    double rate[3][64];
} Path;

static Path path_create(Robot* robot, uint64_t seed) {
    Path path;
    ElvError error;
    CheckRandom r = check_random(seed + 100);
    CHECK_TRUE(robot->nv <= 64);
    CHECK_STATUS(elv_problem_create(robot->model, &path.problem, &error), &error);
    random_state(&r, robot, 1.0);
    for (int k = 0; k < robot->state->nz; k++) {
        robot->state->z[k] = check_uniform(&r, -1.0, 1.0);
    }
    elv_problem_chart(&path.problem, robot->state);
    for (int i = 0; i < robot->nv; i++) {
        path.rate[0][i] = path.problem.w[i];
        path.rate[1][i] = path.problem.w_dot[i];
        path.rate[2][i] = check_uniform(&r, -1.0, 1.0);
    }
    path.state = copy_state(robot, robot->state);
    return path;
}

static void path_free(Path* path) {
    elv_problem_free(&path->problem);
    elv_state_free(path->state);
}

// the loop's c at a time s after the robot's state
static void path_motion(Robot* robot, Path* path, double s, double c[3][6]) {
    double nu[64], w[64], w_dot[64];
    for (int i = 0; i < robot->nv; i++) {
        const double rate[3] = {path->rate[0][i], path->rate[1][i], path->rate[2][i]};
        nu[i] = s * (rate[0] + s * (rate[1] / 2.0 + s * rate[2] / 6.0));
        w[i] = rate[0] + s * (rate[1] + s * rate[2] / 2.0);
        w_dot[i] = rate[1] + s * rate[2];
    }
    path->state->t = robot->state->t + s;
    elv_chart_state(robot->model, path->problem.q_n, nu, w, w_dot, path->state);
    loop_motion(robot, path->state, c);
}

// largest difference of levels 1 and 2 from central differences, order 4, of levels 0 and 1
static double jet_error(Robot* robot, Path* path, double h) {
    static const double weight[5] = {1.0 / 12, -8.0 / 12, 0.0, 8.0 / 12, -1.0 / 12};
    const ElvLoop* loop = loop_of(robot);
    double here[3][6], there[3][6], slope[2][6] = {{0.0}};
    path_motion(robot, path, 0.0, here);
    for (int side = -2; side <= 2; side++) {
        path_motion(robot, path, side * h, there);
        for (int level = 0; level < 2; level++) {
            for (int i = 0; i < 6; i++) {
                double change = there[level][i] - here[level][i];
                bool is_angle = level == 0 && loop->row[i].kind == ELV_ROW_PIVOT;
                change = is_angle ? remainder(change, 2.0 * PI) : change;
                slope[level][i] += weight[side + 2] * change / h;
            }
        }
    }
    double worst = 0.0;
    for (int i = 0; i < 6; i++) {
        const ElvLoopRow* row = &loop->row[i];
        for (int level = row->kind == ELV_ROW_TWIST; level < 2 && elv_loop_row_holds(row);
             level++) {
            double size = 1.0 + fabs(slope[level][i]);
            double error = fabs(here[level + 1][i] - slope[level][i]) / size;
            worst = error <= worst ? worst : error;
        }
    }
    return worst;
}

static void test_jets(void** unused) {
    (void)unused;
    for (int i = 0; i < N_ROBOT; i++) {
        for (uint64_t seed = 1; seed <= N_SEED; seed++) {
            Robot robot = robot_number(i, seed);
            Path path = path_create(&robot, seed);
            double coarse = jet_error(&robot, &path, 2e-3);
            double fine = jet_error(&robot, &path, 2e-4);
            // order 4 gains 1e4; rounding leaves 1e-15 / h
            CHECK_BOUND(fine, coarse / 1e3 + 1e-10, seed);
            CHECK_BOUND(fine, 1e-7, seed);
            path_free(&path);
            robot_free(&robot);
        }
    }
}

// ---- variations

static void test_tangent(void** unused) {
    (void)unused;
    for (int i = 0; i < N_ROBOT; i++) {
        for (uint64_t seed = 1; seed <= N_SEED; seed++) {
            Robot robot = robot_number(i, seed);
            ElvProblem problem = border_start(robot.model, seed);
            // slope 2, then rounding
            double coarse = border_error(&problem, 1e-2, seed);
            double fine = border_error(&problem, 1e-3, seed);
            double finest = border_error(&problem, 1e-5, seed);
            CHECK_BOUND(fine, coarse / 50.0, seed);
            CHECK_BOUND(finest, 1e-7, seed);
            elv_problem_free(&problem);
            robot_free(&robot);
        }
    }
}

// the bordered solve undoes what the tangent makes of it, where the tangent is regular
static void test_solve(void** unused) {
    (void)unused;
    for (int i = 0; i < N_ROBOT; i++) {
        Robot robot = robot_number(i, 1);
        ElvProblem problem = border_start(robot.model, 1);
        int nv = robot.nv;
        double back[64];
        elv_tidm_pass(problem.model, problem.data, problem.state, problem.nu, problem.a, problem.b);
        CHECK_TRUE(elv_border_factor(problem.model, problem.data, problem.state, &problem.rule) <
                   0);
        elv_problem_solve(&problem, problem.residual, problem.d_nu);
        elv_border_apply(problem.model, problem.data, problem.state, &problem.rule, problem.d_nu,
                         problem.d_nu + nv, back, back + nv);
        double size = 1.0 + largest(problem.residual, (size_t)problem.n);
        for (int k = 0; k < problem.n; k++) {
            CHECK_NEAR(back[k], -problem.residual[k], 1e-9 * size);
        }
        elv_problem_free(&problem);
        robot_free(&robot);
    }
}

// ---- coefficients of accelerations and velocities

// Level 2 is linear in accelerations and wrenches, level 1 in velocities: differences are exact. Rows of
// the motion give both.
static void check_motion_rows(Robot* robot, uint64_t seed) {
    const ElvModel* model = robot->model;
    const ElvLoop* loop = loop_of(robot);
    double here[3][6], there[3][6], d_a[64], d_z[6], d_residual[64], d_c[6];
    double* residual = new_array(robot->nv);
    ElvBorderRule rule = {.is_motion = true};
    CheckRandom r = check_random(seed + 7);
    random_state(&r, robot, 1.0);
    for (int i = 0; i < robot->nv; i++) {
        d_a[i] = check_uniform(&r, -1.0, 1.0);
    }
    for (int k = 0; k < 6; k++) {
        robot->state->z[k] = check_uniform(&r, -1.0, 1.0);
        d_z[k] = check_uniform(&r, -1.0, 1.0);
    }
    ElvState* moved = copy_state(robot, robot->state);
    for (int i = 0; i < robot->nv; i++) {
        moved->v[i] += d_a[i];
    }
    loop_motion(robot, moved, there);
    double by_velocity[6];
    memcpy(by_velocity, there[1], sizeof by_velocity);
    elv_state_copy(moved, robot->state);
    for (int i = 0; i < robot->nv; i++) {
        moved->a[i] += d_a[i];
    }
    for (int k = 0; k < 6; k++) {
        moved->z[k] += d_z[k];
    }
    loop_motion(robot, moved, there);
    loop_motion(robot, robot->state, here);
    elv_residual(model, robot->data, robot->state, residual);
    elv_tidm_pass(model, robot->data, robot->state, NULL, 0.0, 1.0);
    elv_border_apply(model, robot->data, robot->state, &rule, d_a, d_z, d_residual, d_c);
    for (int k = 0; k < 6; k++) {
        double size = 1.0 + fabs(here[2][k]) + fabs(there[2][k]);
        CHECK_BOUND(fabs(there[2][k] - here[2][k] - d_c[k]), 1e-12 * size, seed);
        if (elv_loop_row_holds(&loop->row[k])) {
            size = 1.0 + fabs(here[1][k]) + fabs(by_velocity[k]);
            CHECK_BOUND(fabs(by_velocity[k] - here[1][k] - d_c[k]), 1e-12 * size, seed);
        }
    }
    elv_state_free(moved);
    free(residual);
}

static void test_motion_rows(void** unused) {
    (void)unused;
    for (int i = 0; i < N_ROBOT; i++) {
        for (uint64_t seed = 1; seed <= N_SEED; seed++) {
            Robot robot = robot_number(i, seed);
            check_motion_rows(&robot, seed);
            robot_free(&robot);
        }
    }
}

// ---- steps of length h

// at level 2 with h > 0 a defect counts as an equation of the step does: h^2 of positions, h of velocities
static void test_weights(void** unused) {
    (void)unused;
    static const double h = 0.03;
    for (int i = 0; i < N_ROBOT; i++) {
        Robot robot = robot_number(i, 1);
        const ElvLoop* loop = loop_of(&robot);
        CheckRandom r = check_random(5);
        random_state(&r, &robot, 1.0);
        double c[3][6], weighted[6];
        ElvScene scene = {robot.model, robot.data, robot.state, NULL};
        loop_motion(&robot, robot.state, c);
        loop->device.ops->motion(&loop->device, &scene, 2, h, weighted);
        for (int k = 0; k < 6; k++) {
            const ElvLoopRow* row = &loop->row[k];
            double weight = !elv_loop_row_holds(row) ? 1.0 : row->kind == ELV_ROW_TWIST ? h : h * h;
            CHECK_NEAR(weighted[k], weight * c[2][k], 1e-13 * (1.0 + fabs(c[2][k])));
        }
        robot_free(&robot);
    }
}

// Turned by a right angle across the axis, the vector that shows the angle points along the axis: nothing tells
// the angle, and nothing becomes infinite.
static void test_blind_angle(void** state) {
    (void)state;
    const ElvVec3 e[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    ElvLoopRow row = {.kind = ELV_ROW_PIVOT, .axis = e[2]};
    row.dot[0] = (ElvLoopDot){e[1], e[0]};
    row.dot[1] = (ElvLoopDot){e[0], e[0]};
    for (int k = 0; k < 2; k++) {
        // by exactly that, and as far off as sines are
        double off = k * 1e-16;
        ElvLoopSides sides = {0};
        sides.side[0].g = elv_pose_identity();
        sides.side[1].g = elv_pose_identity();
        sides.side[1].g.R = (ElvMat3){{{off, 0.0, 1.0}, {0.0, 1.0, 0.0}, {-1.0, 0.0, off}}};
        sides.side[1].V.ang = elv_vec3(0.3, -0.2, 0.5);
        sides.side[1].A.ang = elv_vec3(-0.1, 0.4, 0.7);
        ElvLoopVariation v = {0};
        v.Z[1].ang = elv_vec3(0.2, 0.6, -0.3);
        v.d_V[1].ang = elv_vec3(0.5, -0.1, 0.9);
        double d[2] = {1.0, 1.0};
        ElvJet angle = elv_loop_row_motion(&row, &sides);
        elv_loop_row_vary(&row, &sides, &v, d);
        const double all[5] = {angle.v, angle.d, angle.dd, d[0], d[1]};
        const double zero[5] = {0.0};
        CHECK_ARRAY_NEAR(all, zero, 5, 0.0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_jets),    cmocka_unit_test(test_tangent),
        cmocka_unit_test(test_solve),   cmocka_unit_test(test_motion_rows),
        cmocka_unit_test(test_weights), cmocka_unit_test(test_blind_angle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
