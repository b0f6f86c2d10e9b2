// SPDX-License-Identifier: Apache-2.0
// Rods without stiffness under the stress that their own inverse dynamics asks for: the limit of a chain
// of rigid links with a motor in every joint [P20 remark 3]. They must follow the motion for which the
// stress was made: one curvature with the closed form of @chain-rigid; three modes in each of two
// directions with elv_idm on a twin of the rod, whose generalised forces tau become the stress
// Lambda_ad = -Phi G^-1 tau, G = integral of Phi^T Phi dX, so that Q_ad = -integral of Phi^T Lambda_ad dX
// is tau again. [P20 (27), (32)]
//
// Nothing holds such a rod near its motion, so what the integrator errs by is not forgotten: some 200 steps
// of 1e-10 each add up to 2e-8, and may grow fifty times before they fail the 1e-6 that is asked.
#include "actuation_case.h"

enum { N_MODE = 3, N_DIRECTION = 2, N_COORDINATE = N_MODE * N_DIRECTION };

// ---- one curvature, in closed form

static double curvature(double t) {
    return 1.5 + 0.5 * sin(3.0 * t);
}

static double chain_error(const Trace* trace) {
    int i_q = trace_column(trace, "rod.q.0");
    double most = 0.0;
    for (int i = 0; i < trace->n_row; i++) {
        double error = fabs(trace->value[i][i_q] - curvature(trace->t[i]));
        most = error <= most ? most : error;
    }
    return most;
}

static void test_one_curvature(void** unused) {
    (void)unused;
    Motion explicit_motion = {.method = ELV_METHOD_EXPLICIT};
    Trace* trace = example_motion("chain-rigid", NULL, 0, &explicit_motion);
    CHECK_NEAR(trace->t[trace->n_row - 1], 4.0, 0.0);
    CHECK_NEAR(chain_error(trace), 0.0, 1e-6);
    trace_free(trace);
    // Newmark, of order 2
    double before = 0.0;
    for (int k = 0; k < 4; k++) {
        Motion motion = {
            .method = ELV_METHOD_NEWMARK, .step = ldexp(0.02, -k), .t_end = 4.0, .every = 0.02};
        trace = example_motion("chain-rigid", NULL, 0, &motion);
        double error = chain_error(trace);
        if (k > 1) {
            CHECK_NEAR(before / error, 4.0, 0.05 * 4.0);
        }
        before = error;
        trace_free(trace);
    }
}

// ---- several modes, by the inverse dynamics of a twin

/// The twin, and the stress that it asks for.
typedef struct {
    Robot twin;
    double t;                    // for which the coefficients are
    double stress[N_COORDINATE]; // of 1, s, s^2 in bend_y, then in bend_z
} Source;

typedef struct {
    Source* source;
    int direction;
} Component;

// the motion: bend_y and bend_z, each 1, s, s^2
static void wanted(double t, double* q, double* v, double* a) {
    static const double mean[N_COORDINATE] = {0.8, -0.5, 0.3, 1.2, 0.4, -0.6};
    static const double size[N_COORDINATE] = {0.3, 0.4, -0.5, 0.5, -0.3, 0.6};
    static const double rate[N_COORDINATE] = {3.0, 2.0, 4.0, 2.5, 3.5, 1.5};
    for (int i = 0; i < N_COORDINATE; i++) {
        double w = rate[i];
        q[i] = mean[i] + size[i] * sin(w * t);
        v[i] = size[i] * w * cos(w * t);
        a[i] = -size[i] * w * w * sin(w * t);
    }
}

// G x = b for G_ij = length/(i + j + 1)
static void solve_gram(double length, const double* b, double* x) {
    double G[N_MODE][N_MODE + 1];
    for (int i = 0; i < N_MODE; i++) {
        for (int j = 0; j < N_MODE; j++) {
            G[i][j] = length / (i + j + 1);
        }
        G[i][N_MODE] = b[i];
    }
    for (int k = 0; k < N_MODE; k++) {
        for (int i = k + 1; i < N_MODE; i++) {
            double factor = G[i][k] / G[k][k];
            for (int j = k; j <= N_MODE; j++) {
                G[i][j] -= factor * G[k][j];
            }
        }
    }
    for (int i = N_MODE - 1; i >= 0; i--) {
        x[i] = G[i][N_MODE];
        for (int j = i + 1; j < N_MODE; j++) {
            x[i] -= G[i][j] * x[j];
        }
        x[i] /= G[i][i];
    }
}

static const double LENGTH = 0.8; // m

// stress of one direction at (t, s)
static double stress_at(Source* source, int direction, double t, double s) {
    if (t != source->t) {
        double tau[N_COORDINATE];
        ElvState* state = source->twin.state;
        state->t = t;
        wanted(t, state->q, state->v, state->a);
        elv_idm(source->twin.model, source->twin.data, state, tau);
        for (int k = 0; k < N_DIRECTION; k++) {
            solve_gram(LENGTH, tau + k * N_MODE, source->stress + k * N_MODE);
        }
        source->t = t;
    }
    const double* c = source->stress + direction * N_MODE;
    return -(c[0] + s * (c[1] + s * c[2]));
}

static void as_law(void* user, double t, double s, ElvJet* jet) {
    Component* component = user;
    *jet = (ElvJet){.v = stress_at(component->source, component->direction, t, s)};
}

static void as_material(void* user,
                        double t,
                        double s,
                        const double* xi,
                        const double* xi_dot,
                        double* stress,
                        double* K,
                        double* D) {
    Source* source = user;
    (void)xi, (void)xi_dot, (void)K, (void)D;
    stress[ELV_STRAIN_BEND_Y] = stress_at(source, 0, t, s);
    stress[ELV_STRAIN_BEND_Z] = stress_at(source, 1, t, s);
}

// a rod without stiffness that hangs in gravity
static ElvSpec* rod_spec(void) {
    ElvSpec* spec = new_spec();
    ElvElementDef element = elv_element_def_default();
    ElvRodDef rod = elv_rod_def_default();
    static const double inertia[6] = {2e-3, 1e-3, 1e-3, 0.5, 0.5, 0.5};
    element.modes[ELV_STRAIN_BEND_Y] = element.modes[ELV_STRAIN_BEND_Z] = N_MODE;
    element.basis[ELV_STRAIN_BEND_Y] = element.basis[ELV_STRAIN_BEND_Z] = ELV_BASIS_MONOMIAL;
    rod.name = "rod";
    rod.length = LENGTH;
    rod.section.kind = ELV_SECTION_NONE;
    rod.stiffness.n = rod.inertia.n = 6;
    for (int i = 0; i < 6; i++) {
        rod.stiffness.entry[i] = elv_law_def_value(0.0);
        rod.inertia.entry[i] = elv_law_def_value(inertia[i]);
    }
    rod.element = &element;
    rod.n_element = 1;
    elv_spec_set_gravity(spec, elv_vec3(2.0, -1.0, 3.0));
    add_rod(spec, &rod);
    return spec;
}

/// How far a rod is from the motion that it should follow.
typedef struct {
    double most;
    int n_row;
} Watch;

static bool watch(void* user, const ElvModel* model, ElvData* data, const ElvState* state) {
    Watch* w = user;
    double q[N_COORDINATE], v[N_COORDINATE], a[N_COORDINATE];
    (void)model, (void)data;
    wanted(state->t, q, v, a);
    for (int i = 0; i < N_COORDINATE; i++) {
        double error = fabs(state->q[i] - q[i]);
        w->most = error <= w->most ? w->most : error;
    }
    w->n_row++;
    return true;
}

// the rod follows for 2 s, from the start of the motion
static double follow(ElvSpec* spec, const ElvSimulateDef* method) {
    ElvError error;
    Watch w = {0};
    Robot robot = robot_compile(spec);
    CHECK_TRUE(robot.nv == N_COORDINATE);
    ElvSimulateOptions options = elv_simulate_options_default(robot.model, robot.state);
    options.method = *method;
    options.t_end = 2.0;
    options.record_every = 0.02;
    options.record = watch;
    options.user = &w;
    wanted(0.0, robot.state->q, robot.state->v, robot.state->a);
    CHECK_STATUS(elv_simulate(robot.model, robot.state, &options, NULL, &error), &error);
    CHECK_TRUE(w.n_row == 101);
    robot_free(&robot);
    return w.most;
}

static ElvSpec* spec_with_law(Source* source, Component component[N_DIRECTION]) {
    ElvError error;
    ElvSpec* spec = rod_spec();
    ElvStressDef stress = elv_stress_def_default();
    stress.rod = "rod";
    for (int k = 0; k < N_DIRECTION; k++) {
        component[k] = (Component){source, k};
        stress.stress[ELV_STRAIN_BEND_Y + k] = elv_law_def_callback(as_law, &component[k]);
    }
    CHECK_STATUS(elv_spec_add_stress(spec, &stress, &error), &error);
    return spec;
}

static void test_six_modes(void** unused) {
    (void)unused;
    ElvError error;
    Component component[N_DIRECTION];
    Source source = {.twin = robot_compile(rod_spec()), .t = NAN};
    ElvSimulateDef method = elv_simulate_def_default();
    method.method = ELV_METHOD_EXPLICIT;
    method.order = 8;
    method.rel_tol = 1e-10;
    method.abs_tol = 1e-12;
    CHECK_NEAR(follow(spec_with_law(&source, component), &method), 0.0, 1e-6);
    // the same as a law of the material
    ElvSpec* spec = rod_spec();
    ElvStressLawDef law = elv_stress_law_def_default();
    law.rod = "rod";
    law.callback = as_material;
    law.user = &source;
    CHECK_STATUS(elv_spec_add_stress_law(spec, &law, &error), &error);
    CHECK_NEAR(follow(spec, &method), 0.0, 1e-6);
    // and without the stress it is soon elsewhere
    CHECK_TRUE(follow(rod_spec(), &method) > 0.1);
    robot_free(&source.twin);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_curvature),
        cmocka_unit_test(test_six_modes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
