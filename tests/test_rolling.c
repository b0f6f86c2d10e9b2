// SPDX-License-Identifier: Apache-2.0
// Wheels that roll on planes: rows and derivatives of their equations against differences, height and slip
// against a rim of points, and motions with a closed form: a disk in a steady circle, wheels on moving planks.
#include "constraint_case.h"
#include "elver/statics.h"

static const double PI = 3.14159265358979323846;

// two wheels: one on a body that carries the plane, one at the end of a rod, free sideways, on the world
static const char text[] =
    "gravity: [0, 0, -9.81]\n"
    "tree:\n"
    "  - {body: raft, joint: free, mass: 3, inertia: [0.3, 0.2, 0.4]}\n"
    "  - {body: fork, pose: {xyz: [0.2, 0.1, 1]}, joint: free, mass: 1, inertia: [0.1, 0.2, "
    "0.15]}\n"
    "  - {body: wheel, parent: fork, pose: {xyz: [0.1, 0.2, -0.1], rpy: [0.3, 0.2, 0.1]},\n"
    "     joint: {revolute: {axis: y}}, mass: 1, inertia: [0.02, 0.04, 0.02]}\n"
    "  - rod: arm\n"
    "    parent: fork\n"
    "    length: 0.5\n"
    "    section: {circle: {diameter: 0.02}}\n"
    "    material: {density: 1000, young: 1e6, poisson: 0.4}\n"
    "    strain: {kirchhoff: 2}\n"
    "frames:\n"
    "  - {name: deck, on: raft, pose: {xyz: [0.1, -0.2, 0.3], rpy: [0.2, -0.3, 0.4]}}\n"
    "  - {name: hub, on: wheel, pose: {xyz: [0, 0.05, 0], rpy: [0.5, 0, 0.1]}}\n"
    "constraints:\n"
    "  - {rolling: first, at: hub, on: deck, axis: [1, 2, -1], radius: 0.4}\n"
    "  - {rolling: second, at: arm.tip, axis: y, radius: 0.2, sideways: free}\n";

static void test_rows(void** unused) {
    (void)unused;
    ModelCase c = case_open("%s", text);
    for (uint64_t seed = 1; seed <= 6; seed++) {
        constraint_tangent(&c, seed);
        constraint_acceleration(&c, seed);
    }
    case_close(&c);
}

// rows 0, 1, 2 of the first and 0, 1 of the second hold; the heights alone are positions
static bool is_asked(int level, int k) {
    return k == 0 || k == 6 || (level == 1 && (k == 1 || k == 2 || k == 7));
}

static void test_levels(void** unused) {
    (void)unused;
    ModelCase c = case_open("%s", text);
    for (uint64_t seed = 1; seed <= 6; seed++) {
        constraint_levels(&c, seed, is_asked);
        constraint_mount(&c, seed);
    }
    case_close(&c);
}

// ---- a rim of points

// where the point at an angle of the rim of the first wheel is, in the frame of the plane
static ElvVec3 rim_point(ModelCase* c, double angle) {
    ElvVec3 a = elv_vec3_scale(1.0 / sqrt(6.0), elv_vec3(1.0, 2.0, -1.0));
    ElvVec3 u = elv_vec3_scale(1.0 / sqrt(2.0), elv_vec3(1.0, 0.0, 1.0));
    ElvVec3 v = elv_vec3_cross(a, u);
    ElvVec3 on_rim =
        elv_vec3_add(elv_vec3_scale(0.4 * cos(angle), u), elv_vec3_scale(0.4 * sin(angle), v));
    ElvPose relative =
        elv_pose_compose(elv_pose_inverse(case_pose(c, "deck")), case_pose(c, "hub"));
    return elv_pose_apply(relative, on_rim);
}

// the angle of the lowest point, by trisection about the best of many
static double lowest_angle(ModelCase* c) {
    enum { N = 200 };
    double best = 0.0;
    for (int i = 1; i < N; i++) {
        double angle = 2.0 * PI * i / N;
        best = rim_point(c, angle).z < rim_point(c, best).z ? angle : best;
    }
    double low = best - 2.0 * PI / N, high = best + 2.0 * PI / N;
    while (high - low > 1e-9) {
        double left = low + (high - low) / 3.0, right = high - (high - low) / 3.0;
        bool is_left = rim_point(c, left).z < rim_point(c, right).z;
        low = is_left ? low : left;
        high = is_left ? right : high;
    }
    return 0.5 * (low + high);
}

// coordinates a time t after those in q_n, by Euler's rule, which does for a central difference
static void drift_on(ModelCase* c, const double* q_n, double t) {
    double q_dot[64];
    memcpy(c->state->q, q_n, (size_t)c->state->nq * sizeof *q_n);
    elv_state_rate(c->model, c->state, q_dot);
    for (int i = 0; i < c->state->nq; i++) {
        c->state->q[i] += t * q_dot[i];
    }
}

// the height is that of the lowest point; the slip is the velocity of the point of the rim that is there
static void test_rim(void** unused) {
    (void)unused;
    const double h = 1e-5;
    ModelCase c = case_open("%s", text);
    for (uint64_t seed = 1; seed <= 6; seed++) {
        double level[2][12], q_n[64];
        case_randomize(&c, seed, 0.7);
        memcpy(q_n, c.state->q, (size_t)c.state->nq * sizeof *q_n);
        double angle = lowest_angle(&c);
        // the search knows the angle to the root of rounding: the height to rounding
        elv_kinematics(c.model, c.data, c.state);
        for (int i = 0; i < 2; i++) {
            elv_border_motion(c.model, c.data, c.state, i, 0.0, level[i]);
        }
        CHECK_NEAR(level[0][0], rim_point(&c, angle).z, 1e-13);
        drift_on(&c, q_n, h);
        ElvVec3 after = rim_point(&c, angle);
        drift_on(&c, q_n, -h);
        ElvVec3 v = elv_vec3_scale(0.5 / h, elv_vec3_sub(after, rim_point(&c, angle)));
        // the angle is known to 1e-8, differences to h^2 and rounding / h
        CHECK_NEAR(level[1][0], v.z, 1e-7);
        CHECK_NEAR(hypot(level[1][1], level[1][2]), hypot(v.x, v.y), 1e-7);
        CHECK_TRUE(hypot(v.x, v.y) > 1e-2);
    }
    case_close(&c);
}

// ---- a disk in a steady circle (models/rolling-disk.yaml)

static const double DISK_R = 0.5, DISK_RADIUS = 0.3, DISK_TILT = 1.1, DISK_MASS = 2.0;

static double disk_rate(void) {
    return sqrt(4.0 * 9.81 * cos(DISK_TILT) /
                (sin(DISK_TILT) * (6.0 * DISK_R + DISK_RADIUS * cos(DISK_TILT))));
}

static void write_pose(const ElvMat3* R, ElvVec3 p, double* x) {
    const ElvVec3 part[4] = {p, elv_mat3_apply(*R, elv_vec3(1.0, 0.0, 0.0)),
                             elv_mat3_apply(*R, elv_vec3(0.0, 1.0, 0.0)),
                             elv_mat3_apply(*R, elv_vec3(0.0, 0.0, 1.0))};
    for (int i = 0; i < 4; i++) {
        x[3 * i] = part[i].x;
        x[3 * i + 1] = part[i].y;
        x[3 * i + 2] = part[i].z;
    }
}

// position and the columns of the rotation
static void disk_numbers(const double* value, double* x) {
    ElvQuat quat = {value[3], value[4], value[5], value[6]};
    ElvMat3 R = elv_quat_to_matrix(quat);
    write_pose(&R, elv_vec3(value[0], value[1], value[2]), x);
}

static void disk_exact(double t, double* x) {
    double W = disk_rate();
    double spin = -W * (DISK_R / DISK_RADIUS + cos(DISK_TILT));
    ElvMat3 R = elv_so3_exp(elv_vec3(0.0, 0.0, W * t));
    R = elv_mat3_mul(R, elv_so3_exp(elv_vec3(0.0, DISK_TILT, 0.0)));
    R = elv_mat3_mul(R, elv_so3_exp(elv_vec3(0.0, 0.0, spin * t)));
    write_pose(&R, elv_vec3(DISK_R * cos(W * t), DISK_R * sin(W * t), DISK_RADIUS * sin(DISK_TILT)),
               x);
}

static const char* const disk_signal[] = {"disk.position",         "disk.orientation",
                                          "rolling.wheel.force",   "rolling.wheel.normal_force",
                                          "rolling.wheel.contact", "rolling.wheel.gap"};

static void test_disk_converges(void** unused) {
    (void)unused;
    const ConstraintForm form = {disk_signal, 2, 12, disk_numbers, disk_exact};
    ElvModel* model = constraint_model("rolling-disk");
    constraint_converge(model, &form, ELV_METHOD_GENERALIZED_ALPHA, 0.004, 1.0);
    constraint_converge(model, &form, ELV_METHOD_NEWMARK, 0.004, 1.0);
    elv_model_free(model);
}

/// The worst that a run has shown.
typedef struct {
    double energy, height, slip, tilt, force, contact;
    double energy_start;
    bool is_started;
} DiskSeen;

static void see_disk(ConstraintRun* run, ElvData* data, const ElvState* state) {
    DiskSeen* seen = run->user;
    const double* value = run->value;
    double W = disk_rate(), t = state->t, c[6], x[12];
    ElvEnergy e = elv_energy(run->model, data, state);
    double energy = e.kinetic + e.elastic + e.gravity;
    seen->energy_start = seen->is_started ? seen->energy_start : energy;
    seen->is_started = true;
    seen->energy = fmax(seen->energy, fabs(energy - seen->energy_start));
    elv_border_motion(run->model, data, state, 0, 0.0, c);
    CHECK_NEAR(value[14], fabs(c[0]), 0.0);
    seen->height = fmax(seen->height, fabs(c[0]));
    elv_border_motion(run->model, data, state, 1, 0.0, c);
    seen->slip = fmax(seen->slip, hypot(c[1], c[2]));
    disk_numbers(value, x);
    seen->tilt = fmax(seen->tilt, fabs(acos(x[11]) - DISK_TILT));
    // the force carries the weight and pulls the centre round
    double pull = DISK_MASS * DISK_R * W * W;
    const double force[4] = {-pull * cos(W * t), -pull * sin(W * t), DISK_MASS * 9.81,
                             DISK_MASS * 9.81};
    seen->force = fmax(seen->force, largest_difference(value + 7, force, 4));
    double out = DISK_R + DISK_RADIUS * cos(DISK_TILT);
    const double contact[3] = {out * cos(W * t), out * sin(W * t), 0.0};
    seen->contact = fmax(seen->contact, largest_difference(value + 11, contact, 3));
}

// with half the step all errors are a quarter; constraints hold to what Newton was asked for
static void test_disk_is_steady(void** unused) {
    (void)unused;
    ElvModel* model = constraint_model("rolling-disk");
    DiskSeen seen[2] = {{0}};
    for (int i = 0; i < 2; i++) {
        ConstraintRun run = {.method = ELV_METHOD_GENERALIZED_ALPHA,
                             .step = ldexp(0.005, -i),
                             .t_end = 4.0,
                             .signal = disk_signal,
                             .n_signal = 6,
                             .see = see_disk,
                             .user = &seen[i]};
        constraint_run(model, &run);
        // the tolerance of Newton, 1e-9, times 1 m, or 1 m in half a step
        CHECK_NEAR(seen[i].height, 0.0, 1e-9);
        CHECK_NEAR(seen[i].slip, 0.0, 1e-9 / (0.5 * run.step));
    }
    CHECK_TRUE(seen[1].energy < seen[0].energy / 3.5 && seen[1].energy < 1e-4);
    CHECK_TRUE(seen[1].tilt < seen[0].tilt / 3.5 && seen[1].tilt < 1e-4);
    CHECK_TRUE(seen[1].force < seen[0].force / 3.5);
    CHECK_TRUE(seen[1].contact < seen[0].contact / 3.5 && seen[1].contact < 1e-3);
    elv_model_free(model);
}

// ---- wheels on planks

// a plank that slides along x, with a disk (C = m r^2 / 2) that stands on it; the axis of the disk is y
static const char plank[] =
    "gravity: [0, 0, -9.81]\n"
    "tree:\n"
    "  - {body: plank, joint: {prismatic: {axis: x%s}}, mass: 4, inertia: [1, 1, 1]}\n"
    "  - {body: disk, joint: {free: {position: {xyz: [0.3, 0, %g]}, velocity: [%s]}}, mass: 3,\n"
    "     inertia: [0.03, 0.06, 0.03]}\n"
    "loads:\n"
    "  - {force: [%s], at: %s}\n"
    "constraints:\n"
    "  - {rolling: wheel, at: disk, on: plank, radius: 0.2%s}\n";

static const char* const plank_signal[] = {"plank.q", "disk.position", "disk.velocity",
                                           "rolling.wheel.force"};

static ConstraintRun plank_run(const ElvModel* model, ElvMethod method, double step) {
    ConstraintRun run = {
        .method = method, .step = step, .t_end = 1.0, .signal = plank_signal, .n_signal = 4};
    constraint_run(model, &run);
    return run;
}

// A force on the plank: the disk lags behind, X_ddot = F / (M + m / 3), x_ddot = X_ddot / 3. Accelerations are
// constant, and both methods are exact.
static void test_plank_is_pulled(void** unused) {
    (void)unused;
    static const ElvMethod methods[] = {ELV_METHOD_GENERALIZED_ALPHA, ELV_METHOD_NEWMARK};
    for (int i = 0; i < 2; i++) {
        ModelCase c = case_open(plank, "", 0.2, "0, 0, 0, 0, 0, 0", "10, 0, 0", "plank", "");
        ConstraintRun run = plank_run(c.model, methods[i], 0.01);
        CHECK_NEAR(run.value[0], 0.5 * 10.0 / 5.0, 1e-9);
        CHECK_NEAR(run.value[1], 0.3 + 0.5 * 10.0 / 15.0, 1e-9);
        CHECK_NEAR(run.value[7], 3.0 * 10.0 / 15.0, 1e-7);
        CHECK_NEAR(run.value[9], 3.0 * 9.81, 1e-7);
        case_close(&c);
    }
}

// the plank is moved by a law: the disk takes a third of it, and its velocity at the start as well
static void test_plank_is_moved(void** unused) {
    (void)unused;
    ModelCase c = case_open(plank, ", motion: \"0.1*sin(4*t)\"", 0.2, "0, 0, 0, 0, 0, 0", "0, 0, 0",
                            "disk", "");
    double error[2];
    for (int i = 0; i < 2; i++) {
        ConstraintRun run = plank_run(c.model, ELV_METHOD_GENERALIZED_ALPHA, ldexp(0.01, -i));
        error[i] = fabs(run.value[1] - 0.3 - 0.1 * sin(4.0) / 3.0);
    }
    CHECK_NEAR(log2(error[0] / error[1]), 2.0, 0.1);
    CHECK_NEAR(error[1], 0.0, 1e-5);
    case_close(&c);
}

// A wheel that is free sideways, pushed there while it rolls ahead: nothing holds it.
static void test_sideways(void** unused) {
    (void)unused;
    ModelCase c = case_open(plank, ", motion: 0", 0.2, "0, 2.5, 0, 0.5, 0, 0", "0, 6, 0", "disk",
                            ", sideways: free");
    ConstraintRun run = plank_run(c.model, ELV_METHOD_NEWMARK, 0.01);
    const double place[3] = {0.3 + 0.5, 0.5 * 6.0 / 3.0, 0.2};
    const double force[3] = {0.0, 0.0, 3.0 * 9.81};
    CHECK_ARRAY_NEAR(run.value + 1, place, 3, 1e-9);
    CHECK_ARRAY_NEAR(run.value + 7, force, 3, 1e-7);
    case_close(&c);
}

// ---- starts

// A disk that hangs above the plank and slides without spin stands on it at the start and is caught, by the
// mass: ahead m v goes over into m v' + C v' / r^2, sideways into a turn about the contact, of I + m r^2.
static void test_start_is_projected(void** unused) {
    (void)unused;
    ModelCase c =
        case_open(plank, ", motion: 0", 0.21, "0, 0, 0, 0.9, 0.3, 0", "0, 0, 0", "disk", "");
    ElvProblem problem;
    ElvError error;
    CHECK_STATUS(elv_problem_create(c.model, &problem, &error), &error);
    elv_state_impose(c.model, c.state);
    CHECK_TRUE(elv_close_position(&problem, c.state) <= 1e-13);
    CHECK_TRUE(elv_close_velocity(&problem, c.state));
    const double place[3] = {0.3, 0.0, 0.2};
    const double velocity[6] = {-1.2, 3.0, 0.0, 0.6, 0.24, 0.0};
    CHECK_ARRAY_NEAR(c.state->q + 5, place, 3, 1e-13);
    CHECK_ARRAY_NEAR(c.state->v + 1, velocity, 6, 1e-12);
    elv_problem_free(&problem);
    case_close(&c);
}

// a wheel that lies on the plane has no lowest point: its equations and rows are finite all the same
static void test_lying_wheel(void** unused) {
    (void)unused;
    ModelCase c = case_open("tree:\n"
                            "  - {body: disk, joint: free, mass: 3, inertia: [0.03, 0.03, 0.06]}\n"
                            "constraints:\n"
                            "  - {rolling: wheel, at: disk, axis: z, radius: 0.2}\n");
    ElvProblem problem = border_start(c.model, 1);
    double direction[12], d[12], level[6];
    memcpy(problem.q_n, c.state->q, 7 * sizeof(double));
    for (int i = 0; i < 12; i++) {
        direction[i] = 1.0;
        problem.nu[i] = i < 6 ? 0.0 : 1.0;
    }
    elv_problem_residual(&problem, problem.nu);
    CHECK_TRUE(isfinite(largest(problem.residual, 12)));
    CHECK_TRUE(isfinite(largest(problem.size, 6)));
    elv_tidm_pass(c.model, problem.data, problem.state, problem.nu, problem.a, problem.b);
    elv_border_apply(c.model, problem.data, problem.state, &problem.rule, direction, direction + 6,
                     d, d + 6);
    CHECK_TRUE(isfinite(largest(d, 12)));
    for (int i = 0; i < 3; i++) {
        elv_border_motion(c.model, problem.data, problem.state, i, 0.0, level);
        CHECK_TRUE(isfinite(largest(level, 6)));
    }
    elv_problem_free(&problem);
    case_close(&c);
}

// ---- statics

// A wheel on a post that can only sink: it cannot roll away, and the floor takes the whole torque on it.
static void test_statics(void** unused) {
    (void)unused;
    ModelCase c = case_open(
        "gravity: [0, 0, -9.81]\n"
        "tree:\n"
        "  - {body: post, joint: {prismatic: {axis: z, stiffness: 100, position: 0.5}}, mass: 1,\n"
        "     inertia: [1, 1, 1]}\n"
        "  - {body: wheel, parent: post, joint: {revolute: {axis: y, stiffness: 3}}, mass: 1,\n"
        "     inertia: [1, 1, 1]}\n"
        "loads: [{torque: [0, 0.6, 0], at: wheel}]\n"
        "constraints: [{rolling: foot, at: wheel, radius: 0.2}]\n");
    ElvError error;
    ElvStaticsReport report;
    ElvStaticsOptions options = elv_statics_options_default(c.model);
    CHECK_STATUS(elv_statics_run(c.model, c.state, &options, &report, &error), &error);
    // moment about the world's origin, where the contact is, and force
    const double wrench[6] = {0.0, 0.0, 0.0, 0.6 / 0.2, 0.0, 2.0 * 9.81 + 100.0 * 0.2};
    CHECK_NEAR(c.state->q[0], 0.2, 1e-10);
    CHECK_NEAR(c.state->q[1], 0.0, 1e-10);
    CHECK_ARRAY_NEAR(c.state->z, wrench, 6, 1e-8);
    case_close(&c);
}

// two frames of one body
static void test_wheel_on_itself(void** unused) {
    (void)unused;
    static const char bad[] = "elver: 1\n"
                              "tree: [{body: cart, joint: free, mass: 1}]\n"
                              "frames: [{name: hub, on: cart}]\n"
                              "constraints: [{rolling: wheel, at: hub, on: cart, radius: 0.2}]\n";
    ElvModel* model = NULL;
    ElvError error;
    CHECK_TRUE(elv_model_read_text(bad, strlen(bad), "bad", NULL, 0, &model, &error) ==
               ELV_ERROR_INPUT);
    CHECK_TRUE(strstr(error.message, "'wheel' cannot roll on what it is fixed to") != NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_levels),
        cmocka_unit_test(test_rim),
        cmocka_unit_test(test_disk_converges),
        cmocka_unit_test(test_disk_is_steady),
        cmocka_unit_test(test_plank_is_pulled),
        cmocka_unit_test(test_plank_is_moved),
        cmocka_unit_test(test_sideways),
        cmocka_unit_test(test_start_is_projected),
        cmocka_unit_test(test_lying_wheel),
        cmocka_unit_test(test_statics),
        cmocka_unit_test(test_wheel_on_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
