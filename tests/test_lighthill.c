// SPDX-License-Identifier: Apache-2.0
// Elongated body theory [OCP (90)-(91)] with modes: the weak form against the integral of the
// wrench per metre with the derivative of Phi, rods cut in parts, the power that goes to the wake,
// and tangents.
#include "lighthill_case.h"

#include "model_case.h"
#include "rod/fluid_load.h"

// ---- the weak form

static const Widths TAPER = {0.06, 0.05, 0.14, -0.06};

static Robot rod_in(const char* fluid, const char* rod_fluid, const char* more) {
    ElvError error;
    ElvModel* model = NULL;
    char text[2048];
    int n = snprintf(text, sizeof text,
                     "elver: 1\n%s"
                     "tree:\n"
                     "  - rod: rod\n"
                     "    joint: free\n"
                     "    length: 0.8\n"
                     "    section: {ellipse: {y: \"0.06 + 0.05*s\", z: \"0.14 - 0.06*s\"}}\n"
                     "    material: {density: 900, young: 1e5, poisson: 0.4}\n"
                     "    strain: {reissner: 3}\n"
                     "    basis: monomial\n"
                     "    nodes: 24\n%s%s",
                     fluid, rod_fluid, more);
    CHECK_TRUE(n > 0 && (size_t)n < sizeof text);
    CHECK_STATUS(elv_model_read_text(text, strlen(text), "case", NULL, 0, &model, &error), &error);
    return robot_of(model);
}

static Robot slender_rod(const char* more) {
    return rod_in("fluid: {density: 1000}\n", "    fluid: {added_mass: 1, lighthill: true}\n",
                  more);
}

static void randomize(Robot* robot, uint64_t seed) {
    CheckRandom r = check_random(seed);
    for (int i = 0; i < robot->nq; i++) {
        robot->state->q[i] = check_uniform(&r, -0.5, 0.5);
    }
    for (int i = 0; i < robot->nv; i++) {
        robot->state->v[i] = check_uniform(&r, -1.0, 1.0);
        robot->state->a[i] = check_uniform(&r, -1.0, 1.0);
    }
    elv_state_impose(robot->model, robot->state);
}

static void copy_motion(const Robot* from, Robot* to) {
    memcpy(to->state->q, from->state->q, (size_t)from->nq * sizeof(double));
    memcpy(to->state->v, from->state->v, (size_t)from->nv * sizeof(double));
    memcpy(to->state->a, from->state->a, (size_t)from->nv * sizeof(double));
    to->state->t = from->state->t;
}

static const ElvRod* rod_of(const Robot* robot, const ElvNode** node) {
    *node = &robot->model->node[1];
    return (const ElvRod*)(*node)->joint;
}

static CaseSection* sections_of(Robot* robot) {
    const ElvNode* node;
    const ElvRod* rod = rod_of(robot, &node);
    const ElvState* x = robot->state;
    CaseSection* y = calloc(CASE_STEP + 1, sizeof *y);
    elv_kinematics(robot->model, robot->data, x);
    ElvFrame root = {node->i_port, elv_pose_identity()};
    y[0].g = elv_frame_pose(robot->model, robot->data, root);
    y[0].eta = elv_frame_twist(robot->model, robot->data, root);
    y[0].eta_dot = elv_frame_twist_dot(robot->model, robot->data, root);
    for (int k = 0; k < 6; k++) {
        double unit[6] = {0.0};
        unit[k] = 1.0;
        y[0].J[k] = elv_twist_from_array(unit);
    }
    integrate_sections(rod, x->q + node->i_q, x->v + node->i_v, x->a + node->i_v, 6, y);
    return y;
}

static ElvWrench density_at(const Robot* robot, const CaseSection* y, int i) {
    const ElvNode* node;
    const ElvRod* rod = rod_of(robot, &node);
    const ElvState* x = robot->state;
    double s = (double)i / CASE_STEP;
    Added added = added_of(&TAPER, s);
    return fluid_density(&added, rod->length, elv_rod_strain_at(rod, x->q + node->i_q, s),
                         elv_rod_strain_rate_at(rod, x->v + node->i_v, s), y[i].eta, y[i].eta_dot);
}

// Simpson's rule and Runge and Kutta's method on 1200 steps err by 1e-11, 24 nodes by less
static void check_weak_form(uint64_t seed, const char* space) {
    Robot wet = slender_rod(space);
    Robot dry = rod_in("", "", space);
    randomize(&wet, seed);
    copy_motion(&wet, &dry);
    CaseSection* y = sections_of(&wet);
    double tau[CASE_V], tau_dry[CASE_V], expected[CASE_V] = {0.0};
    CHECK_TRUE(wet.nv == CASE_V);
    elv_idm(wet.model, wet.data, wet.state, tau);
    elv_idm(dry.model, dry.data, dry.state, tau_dry);
    for (int i = 0; i <= CASE_STEP; i++) {
        ElvWrench F = density_at(&wet, y, i);
        for (int k = 0; k < wet.nv; k++) {
            expected[k] -= simpson(0, i, 0.8) * elv_power(y[i].J[k], F);
        }
    }
    // a blunt nose: water there brings nothing, as if sections grew from a point        [OCP (91)]
    Added nose = added_of(&TAPER, 0.0);
    for (int k = 0; k < wet.nv; k++) {
        expected[k] -= elv_power(y[0].J[k], flux_of(&nose, y[0].eta));
    }
    double size = array_largest(expected, wet.nv);
    CHECK_TRUE(size > 1.0);
    for (int k = 0; k < wet.nv; k++) {
        CHECK_NEAR(tau[k] - tau_dry[k], expected[k], 1e-9 * size);
    }
    free(y);
    robot_free(&wet);
    robot_free(&dry);
}

static void test_weak_form(void** unused) {
    (void)unused;
    for (uint64_t seed = 1; seed <= (IS_SANITIZED ? 1 : 4); seed++) {
        check_weak_form(seed, "");
        check_weak_form(seed + 10, "    space: spectral\n");
    }
}

// Lambda, not Lambda*: integrals of what acts from a station to the tip, of dry inertia and the
// fluid
static void check_stress(const char* space, double tol) {
    Robot wet = slender_rod(space);
    randomize(&wet, 3);
    CaseSection* y = sections_of(&wet);
    double tau[CASE_V];
    elv_idm(wet.model, wet.data, wet.state, tau);
    for (int from = 0; from <= CASE_STEP; from += CASE_STEP / 4) {
        ElvWrench W = elv_wrench_zero();
        for (int i = from; i <= CASE_STEP && from < CASE_STEP; i++) {
            double s = (double)i / CASE_STEP;
            double b = 0.06 + 0.05 * s, c = 0.14 - 0.06 * s, A = PI / 4.0 * b * c;
            double M[6] = {A * (b * b + c * c) / 16.0, A * c * c / 16.0, A * b * b / 16.0, A, A, A};
            ElvWrench P = apply_diagonal(M, y[i].eta);
            ElvWrench f =
                elv_wrench_sub(apply_diagonal(M, y[i].eta_dot), elv_twist_coad(y[i].eta, P));
            f = elv_wrench_sub(density_at(&wet, y, i), elv_wrench_scale(900.0, f));
            W = elv_wrench_add_scaled(W, simpson(from, i, 0.8), elv_wrench_transform(y[i].g, f));
        }
        ElvWrench lam, expected = elv_wrench_transform_inv(y[from].g, W);
        double actual[6], given[6];
        elv_rod_section(wet.model, wet.data, wet.state, 1, (double)from / CASE_STEP, NULL, NULL,
                        &lam);
        elv_wrench_to_array(lam, actual);
        elv_wrench_to_array(expected, given);
        CHECK_ARRAY_NEAR(actual, given, 6, tol);
    }
    free(y);
    robot_free(&wet);
}

static void test_stress(void** unused) {
    (void)unused;
    // wrenches are about 10 N and N m
    check_stress("", 1e-8);
    check_stress("    space: spectral\n", 1e-8);
}

// ---- rods cut in parts

/// Root efforts of a fish of 1 m on a free joint in motion, cut at some X.
static void fish_efforts(int n_cut, const double* cut, double t, double effort[6]) {
    char text[8192];
    size_t n = (size_t)snprintf(text, sizeof text, "elver: 1\nfluid: {density: 1000}\ntree:\n");
    for (int i = 0; i + 1 < n_cut; i++) {
        double L = cut[i + 1] - cut[i];
        char parent[32] = "world";
        if (i > 0) {
            snprintf(parent, sizeof parent, "part%d.tip", i - 1);
        }
        // X = cut + L s
        n += (size_t)snprintf(
            text + n, sizeof text - n,
            "  - rod: part%d\n    parent: %s\n    joint: %s\n    length: %.17g\n"
            "    section: {ellipse: {y: \"0.1 - 0.09*(%.17g + %.17g*s)\", z: \"0.02 + 0.1*(%.17g + "
            "%.17g*s)^2\"}}\n"
            "    material: {density: 1000}\n    nodes: 20\n"
            "    fluid: {added_mass: 1, lighthill: true}\n",
            i, parent, i == 0 ? "free" : "fixed", L, cut[i], L, cut[i], L);
        // the head is rigid, and so is the fish where it ends
        if (i > 0) {
            n += (size_t)snprintf(text + n, sizeof text - n,
                                  "    motion: {bend_z: \"(1 + t^2)*(%.17g + %.17g*s - 0.3)^3\", "
                                  "twist: \"t*(%.17g + %.17g*s - 0.3)^3\"}\n",
                                  cut[i], L, cut[i], L);
        }
    }
    CHECK_TRUE(n < sizeof text);
    ElvModel* model = NULL;
    ElvError error;
    CHECK_STATUS(elv_model_read_text(text, n, "fish", NULL, 0, &model, &error), &error);
    Robot robot = robot_of(model);
    double* tau = new_array(robot.nv);
    CheckRandom r = check_random(5);
    for (int k = 0; k < 7; k++) {
        robot.state->q[k] = check_uniform(&r, -1.0, 1.0);
    }
    for (int k = 0; k < 6; k++) {
        robot.state->v[k] = check_uniform(&r, -1.0, 1.0);
        robot.state->a[k] = check_uniform(&r, -1.0, 1.0);
    }
    robot.state->t = t;
    elv_state_impose(robot.model, robot.state);
    elv_idm(robot.model, robot.data, robot.state, tau);
    memcpy(effort, tau, 6 * sizeof *effort);
    free(tau);
    robot_free(&robot);
}

// a rigid head and one rod, which is then cut in two and in three at sections where nothing jumps
static void test_parts(void** unused) {
    (void)unused;
    const double one[] = {0.0, 0.3, 1.0}, two[] = {0.0, 0.3, 0.55, 1.0},
                 three[] = {0.0, 0.3, 0.4, 0.7, 1.0};
    double whole[6], parts[6];
    fish_efforts(3, one, 0.6, whole);
    double size = array_largest(whole, 6);
    CHECK_TRUE(size > 0.1);
    fish_efforts(4, two, 0.6, parts);
    CHECK_ARRAY_NEAR(parts, whole, 6, 1e-10 * size);
    fish_efforts(5, three, 0.6, parts);
    CHECK_ARRAY_NEAR(parts, whole, 6, 1e-10 * size);
}

// ---- power

static const char MOVING[] =
    "fluid: {density: 1000}\n"
    "tree:\n"
    "  - rod: rod\n"
    "    joint: {free: {motion: {rpy: [\"0.3*t\", \"0.2*sin(t)\", \"t^2\"], xyz: "
    "[\"0.5*cos(2*t)\", \"t\", \"0.3*sin(3*t)\"]}}}\n"
    "    length: 0.8\n"
    "    section: {ellipse: {y: \"0.06 + 0.05*s\", z: \"0.14 - 0.06*s\"}}\n"
    "    material: {density: 900}\n"
    "    nodes: 24\n"
    "    motion: {bend_z: \"2*s^2*sin(t)\", bend_y: \"t*s\", twist: \"1 + s%s\", stretch: \"1.1 - "
    "0.1*s\", shear_y: "
    "\"0.1*s^2%s\"}\n"
    "    fluid: {added_mass: 1, lighthill: %s}\n";

static double kinetic_at(ModelCase* c, double t) {
    c->state->t = t;
    elv_state_impose(c->model, c->state);
    elv_kinematics(c->model, c->data, c->state);
    return elv_energy(c->model, c->data, c->state).kinetic;
}

// power that drives put in, the mass of the rod and its added mass, which has no flux without
// Lighthill
static double power_at(ModelCase* c, double t) {
    double tau[64];
    double sum = 0.0;
    c->state->t = t;
    elv_state_impose(c->model, c->state);
    elv_idm(c->model, c->data, c->state, tau);
    for (int k = 0; k < c->nv; k++) {
        sum += tau[k] * c->state->v[k];
    }
    return sum;
}

// V_1 T_f at an end
static double wake_at(ModelCase* c, const char* frame, double s) {
    Added added = added_of(&TAPER, s);
    ElvTwist eta = elv_frame_twist(c->model, c->data, case_frame(c, frame));
    return 0.5 * eta.lin.x * elv_power(eta, apply_diagonal(added.m, eta));
}

// d T/d t by differences of order 4: h^4 and 1e-16 T/h
static double kinetic_rate(ModelCase* c, double t) {
    double h = 1e-3;
    return (8.0 * (kinetic_at(c, t + h) - kinetic_at(c, t - h)) - kinetic_at(c, t + 2.0 * h) +
            kinetic_at(c, t - 2.0 * h)) /
           (12.0 * h);
}

// drives give what kinetic energies of body and water grow by, less V_1 T_f at the tail
static void test_power(void** unused) {
    (void)unused;
    ModelCase c = case_open(MOVING, "", "", "true");
    ModelCase still = case_open(MOVING, "", "", "false");
    double rate = kinetic_rate(&c, 0.8);
    double power = power_at(&c, 0.8);
    double wake = wake_at(&c, "rod.tip", 1.0);
    CHECK_TRUE(fabs(wake) > 0.1);
    CHECK_NEAR(power, rate - wake, 1e-9 * fabs(rate));
    CHECK_NEAR(power_at(&still, 0.8), rate, 1e-9 * fabs(rate));
    case_close(&c);
    case_close(&still);
}

// rates of strains that meet Phi do work against it along the rod
static void test_power_of_strains(void** unused) {
    (void)unused;
    ModelCase c = case_open(MOVING, " + cos(t)*s", "*t", "true");
    double rate = kinetic_rate(&c, 0.8);
    double power = power_at(&c, 0.8);
    double wake = wake_at(&c, "rod.tip", 1.0);
    const ElvNode* node = &c.model->node[1];
    const ElvRod* rod = (const ElvRod*)node->joint;
    CaseSection* y = calloc(CASE_STEP + 1, sizeof *y);
    y[0].eta = elv_frame_twist(c.model, c.data, case_frame(&c, "rod.root"));
    y[0].g = elv_pose_identity();
    integrate_sections(rod, c.state->q + node->i_q, c.state->v + node->i_v, c.state->a + node->i_v,
                       0, y);
    double work = 0.0;
    for (int i = 0; i <= CASE_STEP; i++) {
        double s = (double)i / CASE_STEP;
        Added added = added_of(&TAPER, s);
        ElvTwist xi_dot = elv_rod_strain_rate_at(rod, c.state->v + node->i_v, s);
        work += simpson(0, i, 0.8) * elv_power(xi_dot, flux_of(&added, y[i].eta));
    }
    CHECK_TRUE(fabs(work) > 1e-3);
    CHECK_NEAR(power, rate - wake + work, 1e-9 * fabs(rate));
    free(y);
    case_close(&c);
}

// ---- tangents

static const double steps[2][2] = {{200.0, 40000.0}, {2.0, 4.0}};

static void check_tangent(Robot* robot, uint64_t seed, double a, double b) {
    CheckRandom r = check_random(seed);
    Step step = step_create(&r, robot, a, b);
    double* jacobian = step_tangent(&step);
    double coarse = tangent_error(&step, jacobian, 2e-2, 2);
    double fine = tangent_error(&step, jacobian, 5e-3, 2);
    CHECK_TRUE(coarse < 1e-8 || (coarse / fine > 14.0 && coarse / fine < 18.0));
    // truncation h^4 = 1e-12, rounding 1e-16/h, both times a small factor
    CHECK_TRUE(tangent_error(&step, jacobian, 1e-3, 4) < 1e-9);
    free(jacobian);
    step_free(&step);
}

static void test_tangent(void** unused) {
    (void)unused;
    static const char* const space[2] = {"", "    space: spectral\n"};
    for (int k = 0; k < 4; k++) {
        Robot rod = rod_in("fluid: {density: 1000, current: [\"0.3*sin(t)\", 0.2, -0.1]}\n",
                           "    fluid: {added_mass: 1, lighthill: true}\n", space[k % 2]);
        randomize(&rod, 20 + (uint64_t)k);
        rod.state->t = 0.4;
        check_tangent(&rod, 30 + (uint64_t)k, steps[k / 2][0], steps[k / 2][1]);
        robot_free(&rod);
    }
}

// in statics a current pulls at the ends
static void test_static_tangent(void** unused) {
    (void)unused;
    Robot rod = rod_in("fluid: {density: 1000, current: [0.3, 0.2, -0.1]}\n",
                       "    fluid: {added_mass: 1, lighthill: true}\n", "");
    randomize(&rod, 4);
    memset(rod.state->v, 0, (size_t)rod.nv * sizeof(double));
    memset(rod.state->a, 0, (size_t)rod.nv * sizeof(double));
    check_tangent(&rod, 6, 0.0, 0.0);
    robot_free(&rod);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_weak_form),
        cmocka_unit_test(test_stress),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_power),
        cmocka_unit_test(test_power_of_strains),
        cmocka_unit_test(test_tangent),
        cmocka_unit_test(test_static_tangent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
