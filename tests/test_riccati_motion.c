// SPDX-License-Identifier: Apache-2.0
// Forward of inverse: the stress that inverse dynamics asks for along a motion, given to the forward dynamics of the
// modal model, makes it move so; a clamped rod, and one that floats and turns by its shape alone.
#include "model_case.h"

#include "elver/integrate.h"
#include "elver/strong_inverse.h"
#include "linalg/cholesky.h"

enum { MAX_V = 32 };

/// A motion of rods by sines of their coordinates, and its inverse dynamics.
typedef struct {
    ModelCase c; // without actuators: what the stress is found on
    ElvRiccati* riccati;
    int n_root; // velocities of the free root, before those of the rods
    double t;
} Source;

static void set_motion(const Source* source, double t, ElvState* state) {
    state->t = t;
    int first = source->n_root > 0 ? 7 : 0;
    for (int i = source->n_root; i < source->c.nv; i++) {
        double w = 4.0 + 1.5 * (i % 4);
        double size = 0.9 / (1.0 + i % 3);
        double phase = 0.7 * i;
        state->q[first + i - source->n_root] = size * sin(w * t + phase);
        state->v[i] = size * w * cos(w * t + phase);
        state->a[i] = -size * w * w * sin(w * t + phase);
    }
}

// velocity of the root without momentum: M_rr v_r = -M_rq v_q
static void set_root(Source* source, ElvState* state) {
    static double M[MAX_V * MAX_V];
    double A[36];
    int n = source->n_root;
    int nv = source->c.nv;
    elv_mass_matrix(source->c.model, source->c.data, state, M);
    for (int i = 0; i < n; i++) {
        state->v[i] = 0.0;
        for (int j = n; j < nv; j++) {
            state->v[i] -= M[i * nv + j] * state->v[j];
        }
        for (int j = 0; j < n; j++) {
            A[i * n + j] = M[i * nv + j];
        }
    }
    CHECK_TRUE(elv_cholesky_factor(n, A) < 0);
    elv_cholesky_solve(n, A, state->v);
}

static void solve_at(Source* source, double t) {
    ElvError error;
    if (t == source->t) {
        return;
    }
    source->t = t;
    set_motion(source, t, source->c.state);
    if (source->n_root > 0) {
        set_root(source, source->c.state);
    }
    CHECK_STATUS(
        elv_riccati_solve_state(source->riccati, source->c.state, source->n_root > 0, &error),
        &error);
}

static void needed_stress(void* user,
                          double t,
                          double s,
                          const double* xi,
                          const double* xi_dot,
                          double* stress,
                          double* K,
                          double* D) {
    Source* source = user;
    ElvRiccatiSection section;
    ElvError error;
    (void)xi, (void)xi_dot, (void)K, (void)D;
    solve_at(source, t);
    CHECK_STATUS(elv_riccati_section(source->riccati, source->n_root > 0, s, &section, &error),
                 &error);
    memcpy(stress, section.actuation, 6 * sizeof *stress);
}

// the same model, moved by that stress
static ModelCase open_moved(const char* text, Source* source) {
    ModelCase c = {0};
    ElvSpec* spec;
    ElvError error;
    ElvStressLawDef law = elv_stress_law_def_default();
    law.rod = "rod";
    law.callback = needed_stress;
    law.user = source;
    CHECK_STATUS(elv_spec_read_text(text, strlen(text), "case", NULL, 0, &spec, &error), &error);
    CHECK_STATUS(elv_spec_add_stress_law(spec, &law, &error), &error);
    CHECK_STATUS(elv_spec_compile(spec, &c.model, &error), &error);
    elv_spec_free(spec);
    CHECK_STATUS(elv_data_create(c.model, &c.data, &error), &error);
    CHECK_STATUS(elv_state_create(c.model, &c.state, &error), &error);
    c.nv = c.state->nv;
    return c;
}

static const char CLAMPED[] =
    "elver: 1\n"
    "gravity: [0, 3, -9.81]\n"
    "tree:\n"
    "  - {rod: rod, length: 0.6, section: {circle: {diameter: \"0.03 - 0.01*s\"}}, material: "
    "{density: 1000, young: 2e5, damping: 0.02},\n"
    "     strain: {twist: 2, bend_y: 2, bend_z: 2}, basis: legendre}\n"
    "  - {body: ball, parent: rod.tip, mass: 0.05, inertia: [1e-5, 1e-5, 1e-5]}\n";

static const char FLOATING[] =
    "elver: 1\n"
    "tree:\n"
    "  - {body: head, joint: free, mass: 0.1, inertia: [1e-4, 1e-4, 1e-4]}\n"
    "  - {rod: rod, parent: head, length: 0.6, section: {circle: {diameter: 0.03}}, material: "
    "{density: 1000, young: 2e5, damping: 0.02},\n"
    "     strain: {twist: 2, bend_y: 2, bend_z: 2}, basis: legendre}\n";

static Source open_source(const char* text, int n_root) {
    Source source = {.n_root = n_root, .t = NAN};
    ElvError error;
    CHECK_STATUS(elv_model_read_text(text, strlen(text), "case", NULL, 0, &source.c.model, &error),
                 &error);
    CHECK_STATUS(elv_data_create(source.c.model, &source.c.data, &error), &error);
    CHECK_STATUS(elv_state_create(source.c.model, &source.c.state, &error), &error);
    source.c.nv = source.c.state->nv;
    CHECK_TRUE(source.c.nv <= MAX_V);
    CHECK_STATUS(elv_riccati_create(source.c.model, 16, &source.riccati, &error), &error);
    return source;
}

static void close_source(Source* source) {
    elv_riccati_free(source->riccati);
    case_close(&source->c);
}

// at one instant: accelerations come back
static void check_instant(const char* text, int n_root) {
    Source source = open_source(text, n_root);
    ModelCase c = open_moved(text, &source);
    ElvError error;
    for (int k = 0; k < 4; k++) {
        solve_at(&source, 0.3 * k);
        elv_state_copy(c.state, source.c.state);
        double a[MAX_V];
        memcpy(a, source.c.state->a, (size_t)c.nv * sizeof *a);
        memcpy(a, elv_riccati_root(source.riccati).a, (size_t)n_root * sizeof *a);
        CHECK_STATUS(elv_forward_dynamics(c.model, c.data, c.state, &error), &error);
        CHECK_ARRAY_NEAR(c.state->a, a, (size_t)c.nv, 1e-9 * largest(a, (size_t)c.nv));
    }
    close_source(&source);
    case_close(&c);
}

static void test_accelerations_come_back(void** unused) {
    (void)unused;
    check_instant(CLAMPED, 0);
    check_instant(FLOATING, 6);
}

// over a time: the motion comes back, to the tolerance of the integration enlarged by the motion's own growth
static void check_motion(const char* text, int n_root) {
    Source source = open_source(text, n_root);
    ModelCase c = open_moved(text, &source);
    ElvError error;
    ElvSimulateDef method = elv_simulate_def_default();
    ElvIntegrator* integrator;
    method.method = ELV_METHOD_EXPLICIT;
    method.order = 8;
    method.rel_tol = 1e-9;
    method.abs_tol = 1e-11;
    solve_at(&source, 0.0);
    elv_state_copy(c.state, source.c.state);
    CHECK_STATUS(elv_integrator_create(c.model, &method, &integrator, &error), &error);
    CHECK_STATUS(elv_integrator_start(integrator, c.state, &error), &error);
    while (c.state->t < 0.5) {
        CHECK_STATUS(elv_integrator_step(integrator, 0.5, c.state, &error), &error);
    }
    solve_at(&source, 0.5);
    const ElvState* wanted = source.c.state;
    int n_q = c.state->nq - (n_root > 0 ? 7 : 0);
    int first = c.state->nq - n_q;
    CHECK_ARRAY_NEAR(c.state->q + first, wanted->q + first, (size_t)n_q, 1e-6);
    // velocities of the root as well: without momentum they are a function of the shape
    CHECK_ARRAY_NEAR(c.state->v, wanted->v, (size_t)c.nv, 1e-5);
    elv_integrator_free(integrator);
    close_source(&source);
    case_close(&c);
}

static void test_motion_comes_back(void** unused) {
    (void)unused;
    check_motion(CLAMPED, 0);
    check_motion(FLOATING, 6);
}

// acceleration of the floating root against differences in time of its velocity, which the momentum tells
static void test_root_accelerates_as_its_momentum_says(void** unused) {
    (void)unused;
    Source source = open_source(FLOATING, 6);
    double h = 1e-3;
    solve_at(&source, 0.2);
    ElvRiccatiRoot root = elv_riccati_root(source.riccati);
    double v[4][6], expected[6];
    for (int k = 0; k < 4; k++) {
        static const int AT[4] = {-2, -1, 1, 2};
        set_motion(&source, 0.2 + AT[k] * h, source.c.state);
        set_root(&source, source.c.state);
        memcpy(v[k], source.c.state->v, sizeof v[k]);
    }
    for (int i = 0; i < 6; i++) {
        expected[i] = (v[0][i] - 8.0 * v[1][i] + 8.0 * v[2][i] - v[3][i]) / (12.0 * h);
    }
    // h^4 v^(5)/30 with v of some 1, w up to 8.5: some 1e-9
    CHECK_ARRAY_NEAR(root.a, expected, 6, 1e-7 * largest(expected, 6));
    close_source(&source);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accelerations_come_back),
        cmocka_unit_test(test_motion_comes_back),
        cmocka_unit_test(test_root_accelerates_as_its_momentum_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
