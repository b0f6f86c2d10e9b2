// SPDX-License-Identifier: Apache-2.0
// The equations of a slider between two moving parts, passive, with a motor, driven, on rods of both space
// methods: defects and their two time derivatives along a motion against poses of the public interface; the
// whole tangent of a step against central differences; the bordered solve against the tangent; what
// accelerations do to constraints.
#include "slider_case.h"

#include "multibody/slider.h"

// ---- along a motion

typedef struct {
    ModelCase c;
    ElvProblem problem;
    double rate[3][64]; // of the chart at the start: nu is cubic in time
    double s[3];        // station and its rates
    ElvState* state;
} Path;

// where things are a time tau after the start, with given station: frame minus centreline, world axes
static ElvVec3 path_gap(Path* path, double tau, double s) {
    double nu[64], w[64], w_dot[64];
    const ElvModel* model = path->c.model;
    for (int i = 0; i < path->c.nv; i++) {
        const double rate[3] = {path->rate[0][i], path->rate[1][i], path->rate[2][i]};
        nu[i] = tau * (rate[0] + tau * (rate[1] / 2.0 + tau * rate[2] / 6.0));
        w[i] = rate[0] + tau * (rate[1] + tau * rate[2] / 2.0);
        w_dot[i] = rate[1] + tau * rate[2];
    }
    path->state->t = path->c.state->t + tau;
    elv_chart_state(model, path->problem.q_n, nu, w, w_dot, path->state);
    elv_kinematics(model, path->c.data, path->state);
    const ElvSlider* slider = (const ElvSlider*)model->device[0];
    ElvPose section;
    elv_rod_section(model, path->c.data, path->state, slider->i_node, s, &section, NULL, NULL);
    ElvPose frame = elv_frame_pose(model, path->c.data, slider->point);
    return elv_vec3_sub(frame.p, section.p);
}

static double law(const Path* path, double tau) {
    return path->s[0] + tau * (path->s[1] + tau * path->s[2] / 2.0);
}

// derivative of the gap along the path, order 4; by time with the station held or not
static ElvVec3 path_rate(Path* path, double h, bool holds_station) {
    static const double weight[5] = {1.0 / 12, -8.0 / 12, 0.0, 8.0 / 12, -1.0 / 12};
    ElvVec3 sum = elv_vec3(0.0, 0.0, 0.0);
    for (int i = -2; i <= 2; i++) {
        ElvVec3 gap = path_gap(path, i * h, holds_station ? path->s[0] : law(path, i * h));
        sum = elv_vec3_add_scaled(sum, weight[i + 2] / h, gap);
    }
    return sum;
}

static ElvVec3 path_rate2(Path* path, double h) {
    static const double weight[5] = {-1.0 / 12, 16.0 / 12, -30.0 / 12, 16.0 / 12, -1.0 / 12};
    ElvVec3 sum = elv_vec3(0.0, 0.0, 0.0);
    for (int i = -2; i <= 2; i++) {
        ElvVec3 gap = path_gap(path, i * h, law(path, i * h));
        sum = elv_vec3_add_scaled(sum, weight[i + 2] / (h * h), gap);
    }
    return sum;
}

// dr/ds
static ElvVec3 path_tangent(Path* path, double h) {
    static const double weight[5] = {1.0 / 12, -8.0 / 12, 0.0, 8.0 / 12, -1.0 / 12};
    ElvVec3 sum = elv_vec3(0.0, 0.0, 0.0);
    for (int i = -2; i <= 2; i++) {
        sum = elv_vec3_add_scaled(sum, -weight[i + 2] / h, path_gap(path, 0.0, path->s[0] + i * h));
    }
    return sum;
}

static Path path_create(int robot, int kind, bool is_spectral, uint64_t seed) {
    Path path;
    ElvError error;
    CheckRandom r = check_random(seed + 7);
    memset(&path, 0, sizeof path);
    path.c = slider_open(robot, kind, is_spectral);
    CHECK_STATUS(elv_problem_create(path.c.model, &path.problem, &error), &error);
    CHECK_STATUS(elv_state_create(path.c.model, &path.state, &error), &error);
    case_randomize(&path.c, seed, 0.6);
    path.c.state->t = 0.3;
    path.s[0] = 0.62;
    if (slider_is_free(kind)) {
        path.c.state->z[6] = path.s[0];
    } else {
        path.s[0] = 0.5 + 0.2 * sin(0.6);
        path.s[1] = 0.4 * cos(0.6);
        path.s[2] = -0.8 * sin(0.6);
    }
    elv_problem_chart(&path.problem, path.c.state);
    for (int i = 0; i < path.c.nv; i++) {
        path.rate[0][i] = path.problem.w[i];
        path.rate[1][i] = path.problem.w_dot[i];
        path.rate[2][i] = check_uniform(&r, -1.0, 1.0);
    }
    return path;
}

static void path_close(Path* path) {
    elv_problem_free(&path->problem);
    elv_state_free(path->state);
    case_close(&path->c);
}

static void check_jets(int robot, int kind, bool is_spectral, uint64_t seed) {
    Path path = path_create(robot, kind, is_spectral, seed);
    bool is_free = slider_is_free(kind);
    // truncation h^4 and rounding 1e-15 / h^2, with curvatures and rates of order 10
    double h = 1e-3;
    ElvVec3 t = path_tangent(&path, h);
    double length = elv_vec3_norm(t);
    if (is_free) {
        // the station follows the tangential motion
        path.s[1] = elv_vec3_dot(path_rate(&path, h, true), t) / (length * length);
    }
    ElvVec3 gap = path_gap(&path, 0.0, path.s[0]);
    ElvVec3 first = path_rate(&path, h, false);
    ElvVec3 second = path_rate2(&path, h);
    const ElvDevice* device = path.c.model->device[0];
    ElvScene scene = {path.c.model, path.c.data, path.c.state, NULL};
    elv_kinematics(path.c.model, path.c.data, path.c.state);
    double c[3][7], world[7];
    for (int level = 0; level < 3; level++) {
        device->ops->motion(device, &scene, level, 0.0, c[level]);
    }
    device->ops->motion(device, &scene, 2, 0.5, world);
    ElvSliding sliding = elv_slider_look((const ElvSlider*)device, &scene, false);
    CHECK_NEAR(elv_vec3_norm(elv_vec3_sub(sliding.t, t)), 0.0, 1e-8);
    CHECK_NEAR(sliding.s.d, path.s[1], 1e-8);
    for (int i = 0; i < 3; i++) {
        ElvVec3 e = sliding.e[i];
        CHECK_NEAR(c[0][i], elv_vec3_dot(e, gap), 1e-12);
        CHECK_NEAR(c[1][i], elv_vec3_dot(e, first), 1e-7);
        if (i > 0 || !is_free) {
            CHECK_NEAR(c[2][i], elv_vec3_dot(e, second), 1e-6 * (1.0 + elv_vec3_norm(second)));
        } else {
            CHECK_NEAR(c[2][i], 0.0, 0.0);
        }
    }
    // in steps of length h the equations are in world axes
    const double expected[3] = {second.x, second.y, second.z};
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(world[i], 0.25 * expected[i], 1e-6 * (1.0 + elv_vec3_norm(second)));
    }
    path_close(&path);
}

static void test_jets(void** unused) {
    (void)unused;
    for (int robot = 0; robot < N_SLIDER_ROBOT; robot++) {
        for (int kind = 0; kind < N_SLIDER_KIND; kind++) {
            for (uint64_t seed = 1; seed <= 3; seed++) {
                check_jets(robot, kind, seed == 2, seed);
            }
        }
    }
}

// ---- the tangent of a step

// a step from a random state; the ring somewhere on the rod
static ElvProblem start(const ModelCase* c, int kind, double station, uint64_t seed) {
    ElvProblem problem = border_start(c->model, seed);
    if (slider_is_free(kind)) {
        problem.z_n[6] = station;
        problem.nu[problem.model->nv + 6] = 0.05;
        elv_problem_residual(&problem, problem.nu);
    }
    return problem;
}

static void check_tangent(int robot, int kind, bool is_spectral, uint64_t seed) {
    // on either side of the end of an element, well inside it
    ModelCase c = slider_open(robot, kind, is_spectral);
    ElvProblem problem = start(&c, kind, seed % 2 ? 0.15 : 0.7, seed);
    double coarse = border_error(&problem, 1e-2, seed);
    double fine = border_error(&problem, 1e-3, seed);
    double finest = border_error(&problem, 1e-5, seed);
    // slope 2, then rounding and what the nodes do not resolve
    CHECK_TRUE(coarse > 0.0 && fine < coarse / 50.0);
    CHECK_NEAR(finest, 0.0, 2e-8);
    elv_problem_free(&problem);
    case_close(&c);
}

static void test_tangent(void** unused) {
    (void)unused;
    for (int robot = 0; robot < N_SLIDER_ROBOT; robot++) {
        for (int kind = 0; kind < N_SLIDER_KIND; kind++) {
            for (uint64_t seed = 1; seed <= 4; seed++) {
                check_tangent(robot, kind, seed > 2, seed);
            }
        }
    }
}

// beyond its ends the rod goes on straight: the tangent of gap and wrenches stays right, without a damper
static void test_beyond(void** unused) {
    (void)unused;
    for (int robot = 0; robot < N_SLIDER_ROBOT; robot++) {
        ModelCase c = slider_open(robot, 0, false);
        ElvProblem problem = start(&c, 0, robot == 1 ? -0.3 : 1.2, 5);
        double coarse = border_error(&problem, 1e-2, 5);
        double fine = border_error(&problem, 1e-3, 5);
        CHECK_TRUE(coarse > 0.0 && fine < coarse / 50.0);
        CHECK_NEAR(border_error(&problem, 1e-5, 5), 0.0, 2e-8);
        elv_problem_free(&problem);
        case_close(&c);
    }
}

// the step solves the bordered system: what the tangent makes of it is minus the residual
static void test_solve(void** unused) {
    (void)unused;
    for (int i = 0; i < N_SLIDER_ROBOT * N_SLIDER_KIND; i++) {
        ModelCase c = slider_open(i / N_SLIDER_KIND, i % N_SLIDER_KIND, i % 2 == 0);
        ElvProblem problem = start(&c, i % N_SLIDER_KIND, 0.6, 3);
        int nv = problem.model->nv;
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
        case_close(&c);
    }
}

// ---- accelerations

// the rows of motions are what accelerations and multipliers do to level 2, which is linear in them
static void check_motion_rows(int robot, int kind, uint64_t seed) {
    ModelCase c = slider_open(robot, kind, seed == 2);
    CheckRandom r = check_random(seed);
    double tau[64], d_nu[64], d_z[7] = {0.0}, before[7], after[7], d_c[7];
    case_randomize(&c, seed, 0.5);
    int nz = c.state->nz;
    for (int k = 0; k < nz; k++) {
        c.state->z[k] = k == 6 ? 0.4 : check_uniform(&r, -1.0, 1.0);
    }
    const ElvDevice* device = c.model->device[0];
    ElvBorderRule rule = {.is_motion = true};
    ElvScene scene = {c.model, c.data, c.state, &rule};
    elv_residual(c.model, c.data, c.state, tau);
    device->ops->motion(device, &scene, 2, 0.0, before);
    elv_tidm_pass(c.model, c.data, c.state, NULL, 0.0, 1.0);
    for (int i = 0; i < c.nv; i++) {
        d_nu[i] = check_uniform(&r, -1.0, 1.0);
    }
    for (int k = 0; k < 6; k++) {
        d_z[k] = check_uniform(&r, -1.0, 1.0);
    }
    elv_tidm_apply(c.model, c.data, d_nu, tau);
    device->ops->row(device, &scene, d_nu, d_z, d_c);
    for (int i = 0; i < c.nv; i++) {
        c.state->a[i] += d_nu[i];
    }
    for (int k = 0; k < 6; k++) {
        c.state->z[k] += d_z[k];
    }
    elv_kinematics(c.model, c.data, c.state);
    device->ops->motion(device, &scene, 2, 0.0, after);
    for (int k = 0; k < nz; k++) {
        CHECK_NEAR(d_c[k], after[k] - before[k], 1e-11);
    }
    case_close(&c);
}

static void test_motion_rows(void** unused) {
    (void)unused;
    for (int i = 0; i < N_SLIDER_ROBOT * N_SLIDER_KIND; i++) {
        for (uint64_t seed = 1; seed <= 3; seed++) {
            check_motion_rows(i / N_SLIDER_KIND, i % N_SLIDER_KIND, seed);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_jets),        cmocka_unit_test(test_tangent),
        cmocka_unit_test(test_beyond),      cmocka_unit_test(test_solve),
        cmocka_unit_test(test_motion_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
