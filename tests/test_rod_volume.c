// SPDX-License-Identifier: Apache-2.0
// Rods whose sections keep their volume: spin that goes with the stretch, Lagrange's equations from differences of the
// kinetic energy, momentum of a rod that nothing holds, power, tangents, and what is refused.
#include "locomotion_case.h"

static ElvModel* model_of(const char* text) {
    ElvModel* model = NULL;
    ElvError error;
    CHECK_STATUS(elv_model_read_text(text, strlen(text), "text", NULL, 0, &model, &error), &error);
    return model;
}

// A rod that spins about its axis: rho J_o / Gamma Omega stays, so that Omega = Omega_o Gamma(t)
static const char spin_text[] =
    "elver: 1\nname: spin\ngravity: [0, 0, 0]\ntree:\n"
    "  - {body: hub, joint: {revolute: {axis: x, velocity: 3}}}\n"
    "  - rod: rod\n    parent: hub\n    length: 1\n    inertia: [2e-3, 1e-3, 1e-3, 1, 1, 1]\n"
    "    motion: {stretch: \"1 + 0.5*sin(2*t)\"}\n    volume: %s\n"
    "simulate: {%s, duration: 3}\n";

static Gait spin(const char* volume, const char* method) {
    char text[1024];
    (void)snprintf(text, sizeof text, spin_text, volume, method);
    return gait_start(model_of(text), 0.0, 0.0);
}

static const char explicit_method[] = "method: explicit, rel_tol: 1e-11, abs_tol: 1e-12";

static void test_spin(void** unused) {
    (void)unused;
    Gait gait = spin("kept", explicit_method);
    Gait other = spin("free", explicit_method);
    for (int i = 1; i <= 6; i++) {
        double t = 0.5 * i;
        gait_go(&gait, t);
        gait_go(&other, t);
        CHECK_NEAR(gait.state->v[0], 3.0 * (1.0 + 0.5 * sin(2.0 * t)), 1e-9);
        CHECK_NEAR(other.state->v[0], 3.0, 1e-12);
    }
    gait_free(&gait);
    gait_free(&other);
}

// the implicit rule of second order: errors fall to a quarter with half the step, in few iterations
static void test_spin_implicit(void** unused) {
    (void)unused;
    double error[2];
    for (int i = 0; i < 2; i++) {
        Gait gait =
            spin("kept", i == 0 ? "method: newmark, step: 0.02" : "method: newmark, step: 0.01");
        gait_go(&gait, 1.0);
        error[i] = fabs(gait.state->v[0] - 3.0 * (1.0 + 0.5 * sin(2.0)));
        ElvIntegratorReport report = elv_integrator_report(gait.integrator);
        CHECK_TRUE(report.n_iteration <= 3 * report.n_step);
        gait_free(&gait);
    }
    CHECK_TRUE(error[1] < 1e-3);
    CHECK_NEAR(error[0] / error[1], 4.0, 0.2);
}

// tangents of a step, with an imposed stretch and free bends: differences fall with slope 2
static void test_tangent(void** unused) {
    (void)unused;
    ModelCase c = case_open(
        "name: rod\ngravity: [0, 1, 2]\ntree:\n"
        "  - {body: hub, joint: spherical, mass: 0.1, inertia: [0.1, 0.1, 0.1]}\n"
        "  - rod: rod\n    parent: hub\n    length: 0.8\n    inertia: [0.3, 0.2, 0.1, 1, 1, 1]\n"
        "    stiffness: [1, 1, 1, 50, 50, 50]\n    volume: kept\n"
        "    strain: {twist: 1, bend_y: 1, bend_z: 2}\n"
        "    motion: {stretch: \"1 + 0.5*sin(2*t + s)\"}\n");
    constraint_tangent(&c, 11);
    case_close(&c);
}

// ---- Lagrange's equations: tau = d/dt dT/dv - dT/dq

static const char free_text[] =
    "elver: 1\nname: rod\ngravity: [0, 0, 0]\ntree:\n"
    "  - {body: hub, joint: {revolute: {axis: x}}}\n"
    "  - rod: rod\n    parent: hub\n    length: 0.8\n    inertia: [0.03, 0.02, 0.01, 1, 1, 1]\n"
    "    stiffness: [1, 1, 1, 50, 50, 50]\n    volume: kept\n"
    "    strain: {twist: 1, bend_y: 1, bend_z: 2, stretch: 2}\n"
    "simulate: {method: explicit, duration: 1, rel_tol: 1e-11, abs_tol: 1e-12}\n";

enum { NV = 7, N_DIFFERENCE = 7 };

static const double weight[N_DIFFERENCE] = {-1.0, 9.0, -45.0, 0.0, 45.0, -9.0, 1.0};

static double kinetic(Gait* gait) {
    elv_kinematics(gait->model, gait->data, gait->state);
    return elv_energy(gait->model, gait->data, gait->state).kinetic;
}

// dT/dv_k, exact but for rounding: T is quadratic in v
static double momentum_of(Gait* gait, int k) {
    double v = gait->state->v[k];
    gait->state->v[k] = v + 1.0;
    double above = kinetic(gait);
    gait->state->v[k] = v - 1.0;
    double below = kinetic(gait);
    gait->state->v[k] = v;
    return 0.5 * (above - below);
}

static void test_lagrange(void** unused) {
    (void)unused;
    const double q[NV] = {0.4, 0.3, -0.5, 0.7, 0.2, 0.25, -0.15};
    const double v[NV] = {2.0, 0.4, 0.8, -0.6, 0.5, 1.5, -0.7};
    const double a[NV] = {-0.3, 0.9, 0.1, 0.7, -1.1, 0.6, 0.8};
    const double h = 1e-2;
    ElvError error;
    double tau[NV];
    Gait gait = {.model = model_of(free_text)};
    CHECK_STATUS(elv_data_create(gait.model, &gait.data, &error), &error);
    CHECK_STATUS(elv_state_create(gait.model, &gait.state, &error), &error);
    assert_int_equal(gait.state->nv, NV);
    ElvState* state = gait.state;
    memcpy(state->q, q, sizeof q);
    memcpy(state->v, v, sizeof v);
    memcpy(state->a, a, sizeof a);
    elv_idm(gait.model, gait.data, state, tau);
    for (int k = 0; k < NV; k++) {
        double expected = 0.0;
        for (int i = 0; i < N_DIFFERENCE; i++) {
            double t = (i - 3) * h;
            // along the motion
            for (int l = 0; l < NV; l++) {
                state->q[l] = q[l] + v[l] * t + 0.5 * a[l] * t * t;
                state->v[l] = v[l] + a[l] * t;
            }
            expected += weight[i] * momentum_of(&gait, k) / (60.0 * h);
            // by the coordinate
            memcpy(state->q, q, sizeof q);
            memcpy(state->v, v, sizeof v);
            state->q[k] = q[k] + t;
            expected -= weight[i] * kinetic(&gait) / (60.0 * h);
            state->q[k] = q[k];
        }
        // h^6 / 140 of the seventh derivative, some 1e3 here: 1e-11; rounding 1e-15 / h
        CHECK_NEAR(tau[k], expected, 1e-9);
    }
    gait_free(&gait);
}

// the mass matrix is that of the inverse dynamics; a free rod that spins and swings keeps its energy
static void test_free_stretch(void** unused) {
    (void)unused;
    double M[NV * NV], columns[NV * NV];
    Gait gait = gait_start(model_of(free_text), 0.0, 0.0);
    gait.state->v[0] = 3.0;
    gait.state->q[5] = 0.3;
    gait.state->q[3] = 0.6;
    elv_mass_matrix(gait.model, gait.data, gait.state, M);
    elv_mass_matrix_idm(gait.model, gait.data, gait.state, columns);
    CHECK_ARRAY_NEAR(M, columns, NV * NV, 1e-13);
    ElvError error;
    CHECK_STATUS(elv_integrator_start(gait.integrator, gait.state, &error), &error);
    double start = kinetic(&gait) + elv_energy(gait.model, gait.data, gait.state).elastic;
    gait_go(&gait, 1.0);
    CHECK_NEAR(kinetic(&gait) + elv_energy(gait.model, gait.data, gait.state).elastic, start,
               1e-9 * start);
    gait_free(&gait);
}

// ---- a worm that nothing holds

static const char worm_text[] =
    "elver: 1\nname: worm\ngravity: [0, 0, 0]\ntree:\n"
    "  - {body: head, joint: {free: {velocity: [2, -1, 3, 0.1, 0.2, 0]}}}\n"
    "  - rod: worm\n    parent: head\n    length: 1\n    inertia: [0.02, 0.01, 0.015, 1, 1, 1]\n"
    "    motion: {stretch: \"1 + 0.4*sin(2*pi*(s - t))\", bend_z: \"2*sin(3*t + 2*s)\"}\n"
    "    volume: kept\n"
    "simulate: {method: explicit, duration: 2, rel_tol: 1e-11, abs_tol: 1e-13}\n";

static void test_momentum_and_power(void** unused) {
    (void)unused;
    Gait gait = gait_start(model_of(worm_text), 0.0, 0.0);
    elv_kinematics(gait.model, gait.data, gait.state);
    ElvMomentum start = elv_momentum(gait.model, gait.data, gait.state);
    // weights of the differences make 1e-11 of the run 5e-10
    (void)gait_balance(&gait, 0.6, 0.005, NULL, 0, 1e-8);
    gait_go(&gait, 1.0);
    elv_kinematics(gait.model, gait.data, gait.state);
    ElvMomentum end = elv_momentum(gait.model, gait.data, gait.state);
    CHECK_NEAR(elv_vec3_norm(elv_vec3_sub(end.angular, start.angular)), 0.0, 1e-9);
    CHECK_NEAR(elv_vec3_norm(elv_vec3_sub(end.linear, start.linear)), 0.0, 1e-9);
    gait_free(&gait);
}

// ---- what is refused

static void check_refused(const char* text, const char* part) {
    ElvError error;
    ElvModel* model = NULL;
    ElvStatus status = elv_model_read_text(text, strlen(text), "text", NULL, 0, &model, &error);
    if (status == ELV_OK) {
        ElvIntegrator* integrator = NULL;
        ElvSimulateDef method = elv_model_simulate(model);
        status = elv_integrator_create(model, &method, &integrator, &error);
        elv_integrator_free(integrator);
    }
    elv_model_free(model);
    assert_int_equal(status, ELV_ERROR_INPUT);
    CHECK_TRUE(strstr(error.message, part) != NULL);
}

static void test_refused(void** unused) {
    (void)unused;
    static const char rod[] = "elver: 1\nname: rod\ntree:\n  - rod: rod\n    length: 1\n"
                              "    stiffness: [1, 1, 1, 50, 50, 50]\n    volume: kept\n";
    static const struct {
        const char *end, *part;
    } refused[] = {
        {"    inertia: [1, 1, 1, 1, 1, 1]\n    strain: {stretch: 2}\nsimulate: {method: newmark, "
         "duration: 1, step: 0.1}\n",
         "the stretch of 'rod' is free"},
        {"    inertia: [1, 1, 1, 1, 1, 1]\n    strain: {stretch: 2}\n    space: spectral\n",
         "space: quadrature"},
        {"    inertia: [1, 1, 1, 1, 1, 1]\n    strain: {stretch: 2}\n    added_inertia: [0, 0, 0, "
         "1, 1, 1]\n",
         "added inertia"},
        {"    inertia: [[1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0.1], [0, 0, 1, 0, -0.1, 0], [0, 0, 0, "
         "1, 0, 0], [0, 0, -0.1, 0, 1, 0], [0, 0.1, 0, 0, 0, 1]]\n    strain: {stretch: 2}\n",
         "centre of mass off the axis"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        char text[1024];
        (void)snprintf(text, sizeof text, "%s%s", rod, refused[i].end);
        check_refused(text, refused[i].part);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spin),
        cmocka_unit_test(test_spin_implicit),
        cmocka_unit_test(test_lagrange),
        cmocka_unit_test(test_free_stretch),
        cmocka_unit_test(test_momentum_and_power),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_tangent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
