// SPDX-License-Identifier: Apache-2.0
// Inverse dynamics of rods whose strains a model imposes: every signal against the modal recursion on the same motion,
// the net motion of a floating rod against its momentum, and a root joint against the pendulum that it is.
#include "inverse_rows.h"

#include "elver/strong_inverse.h"
#include "linalg/cholesky.h"

enum { MAX_V = 32 };

// ---- a manipulator, signal by signal

// strains of degree one in s, which modes 1, s have too; the second rod keeps its shape
#define ARM                                                                                        \
    "gravity: [1, -2, -9.81]\n"                                                                    \
    "tree:\n"                                                                                      \
    "  - rod: one\n"                                                                               \
    "    joint: {universal: {axis: y, axis2: z, damping: 0.1, stiffness: 2, motion: "              \
    "[\"0.4*sin(3*t)\", \"0.3*t^2\"]}}\n"                                                          \
    "    length: 0.5\n"                                                                            \
    "    section: {circle: {diameter: \"0.03 - 0.01*s\"}}\n"                                       \
    "    material: {density: 1100, young: 3e5, poisson: 0.4, damping: 0.05}\n"                     \
    "    strain: {twist: 2, bend_y: 2, bend_z: 2, stretch: 2}\n"                                   \
    "    basis: monomial\n%s"                                                                      \
    "  - {rod: two, parent: one.tip, length: 0.2, section: {circle: {radius: 0.01}}, material: "   \
    "{density: 900}, reference: {bend_y: 2}}\n"                                                    \
    "  - {body: hand, parent: two.tip, mass: 0.05, inertia: [1e-5, 2e-5, 3e-5], center: [0.01, "   \
    "0.02, 0]}\n"                                                                                  \
    "loads:\n"                                                                                     \
    "  - {wrench: [0.01, 0, \"0.02*t\", \"0.1*sin(t)\", 0.05, 0], at: hand, frame: local}\n"       \
    "  - {force: [0, 0.3, \"s*t\"], rod: one, from: 0.3}\n"                                        \
    "actuators:\n"                                                                                 \
    "  - {muscle: m, path: {rod: one, z: -0.005}, force: 1, activation: \"0.5 + 0.4*sin(t - "      \
    "s)\"}\n"                                                                                      \
    "simulate: {duration: 1}\n"                                                                    \
    "record:\n"                                                                                    \
    "  every: 0.25\n"                                                                              \
    "  signals: [one.tip.position, one.tip.velocity, one.tip.acceleration, hand.orientation, "     \
    "hand.twist, one.joint.q, one.joint.v, one.joint.effort, one.strain(0.7), one.stress(0), "     \
    "one.stress(0.6), two.stress(0.5), one.actuation(0.3), energy, momentum, com, "                \
    "muscle.m.length, muscle.m.rate]\n"

#define ARM_MOTION                                                                                 \
    "    motion: {twist: \"0.5*cos(2*t)*(1 - s)\", bend_y: \"sin(3*t)*(1 + 2*s)\", bend_z: "       \
    "\"2*s*cos(t)\", stretch: \"1 + 0.02*sin(4*t) + 0.01*s\"}\n"

// the same motion by coordinates of the modes, which come behind the two of the joint: each strain has those of 1 and s
static void set_arm(double t, ElvState* state) {
    const double x[8][3] = {{0.5 * cos(2.0 * t), -sin(2.0 * t), -2.0 * cos(2.0 * t)},
                            {-0.5 * cos(2.0 * t), sin(2.0 * t), 2.0 * cos(2.0 * t)},
                            {sin(3.0 * t), 3.0 * cos(3.0 * t), -9.0 * sin(3.0 * t)},
                            {2.0 * sin(3.0 * t), 6.0 * cos(3.0 * t), -18.0 * sin(3.0 * t)},
                            {0.0, 0.0, 0.0},
                            {2.0 * cos(t), -2.0 * sin(t), -2.0 * cos(t)},
                            {0.02 * sin(4.0 * t), 0.08 * cos(4.0 * t), -0.32 * sin(4.0 * t)},
                            {0.01, 0.0, 0.0}};
    CHECK_TRUE(state->nq == 10);
    state->t = t;
    for (int i = 0; i < 8; i++) {
        state->q[2 + i] = x[i][0];
        state->v[2 + i] = x[i][1];
        state->a[2 + i] = x[i][2];
    }
}

static void test_manipulator(void** unused) {
    (void)unused;
    ModelCase c = case_open(ARM, ARM_MOTION);
    ModelCase modal = case_open(ARM, "");
    CHECK_TRUE(elv_inverse_kind(c.model) == ELV_INVERSE_STRAINS && !elv_inverse_is_static(c.model));
    CHECK_TRUE(elv_inverse_kind(modal.model) == ELV_INVERSE_JOINTS);
    Rows* rows = run_rows(c.model);
    CHECK_TRUE(rows->n == 5);
    CHECK_TRUE(rows->report.worst.defect < 1e-12 && rows->report.worst.wanted == 0.0);
    ElvSignals* signals;
    ElvError error;
    ElvRecordDef def = elv_model_record(modal.model);
    CHECK_STATUS(elv_signals_create(modal.model, def.signal, def.n_signal, &signals, &error),
                 &error);
    for (int i = 0; i < rows->n; i++) {
        double tau[MAX_V], value[MAX_COLUMN];
        set_arm(rows->t[i], modal.state);
        elv_state_impose(modal.model, modal.state);
        elv_idm(modal.model, modal.data, modal.state, tau);
        elv_signals_eval(signals, modal.model, modal.data, modal.state, value);
        for (int k = 0; k < rows->n_column; k++) {
            // both integrate smooth fields to rounding
            double tol = 1e-9 * fmax(1.0, fabs(value[k]));
            if (!(fabs(rows->value[i][k] - value[k]) <= tol)) {
                print_error("%s at t = %g\n", elv_signals_column_name(signals, k), rows->t[i]);
            }
            CHECK_NEAR(rows->value[i][k], value[k], tol);
        }
    }
    elv_signals_free(signals);
    case_close(&modal);
    case_close(&c);
}

// ---- the net motion

#define FLOAT                                                                                      \
    "tree:\n"                                                                                      \
    "  - {body: head, joint: free, mass: 0.1, inertia: [1e-4, 1e-4, 1e-4]}\n"                      \
    "  - {rod: rod, parent: head, length: 0.6, section: {circle: {diameter: 0.03}}, material: "    \
    "{density: 1000, young: 2e5}, strain: {bend_y: 1, bend_z: 1}, basis: monomial%s}\n"            \
    "simulate: {method: explicit, duration: 1.5, rel_tol: 1e-10, abs_tol: 1e-12}\n"                \
    "record: {every: 0.3, signals: [head.q, head.v, momentum, com, energy.kinetic]}\n"

static void test_locomotor(void** unused) {
    (void)unused;
    ModelCase c = case_open(
        FLOAT, ", motion: {bend_y: \"4*smooth(t, 0, 1)*cos(5*t)\", bend_z: \"3*smooth(t, 0, "
               "1)*sin(5*t)\"}");
    ModelCase modal = case_open(FLOAT, "");
    Rows* rows = run_rows(c.model);
    CHECK_TRUE(rows->report.n_step > 10);
    double turned = 0.0;
    for (int i = 0; i < rows->n; i++) {
        const double* value = rows->value[i];
        double t = rows->t[i];
        // nothing acts from outside; errors of the steps add up to a few tolerances
        for (int k = 13; k < 19; k++) {
            CHECK_NEAR(value[k], 0.0, 1e-10);
        }
        CHECK_ARRAY_NEAR(value + 19, rows->value[0] + 19, 3, 1e-8);
        // velocity of the head without momentum: M_rr v_r = -M_rq v_q
        double u = fmin(t, 1.0);
        double ramp =
            t < 1.0 ? u - sin(2.0 * 3.14159265358979323846 * u) / 6.28318530717958647692 : 1.0;
        double rate = t < 1.0 ? 1.0 - cos(6.28318530717958647692 * u) : 0.0;
        double M[8 * 8], A[36], v[6];
        ElvState* state = modal.state;
        memcpy(state->q, value, 7 * sizeof *value);
        state->q[7] = 4.0 * ramp * cos(5.0 * t);
        state->q[8] = 3.0 * ramp * sin(5.0 * t);
        state->v[6] = 4.0 * (rate * cos(5.0 * t) - 5.0 * ramp * sin(5.0 * t));
        state->v[7] = 3.0 * (rate * sin(5.0 * t) + 5.0 * ramp * cos(5.0 * t));
        elv_mass_matrix(modal.model, modal.data, state, M);
        for (int a = 0; a < 6; a++) {
            v[a] = -M[a * 8 + 6] * state->v[6] - M[a * 8 + 7] * state->v[7];
            for (int b = 0; b < 6; b++) {
                A[a * 6 + b] = M[a * 8 + b];
            }
        }
        CHECK_TRUE(elv_cholesky_factor(6, A) < 0);
        elv_cholesky_solve(6, A, v);
        CHECK_ARRAY_NEAR(value + 7, v, 6, 1e-7);
        turned = fmax(turned, fabs(value[1]));
    }
    CHECK_TRUE(turned > 0.01);
    case_close(&modal);
    case_close(&c);
}

// a rod that is told to stay straight on a hinge is a pendulum
#define SWING                                                                                      \
    "gravity: [0, 0, -9.81]\n"                                                                     \
    "tree:\n"                                                                                      \
    "  - {rod: rod, joint: {revolute: {axis: y, position: 0.5, velocity: 1, damping: 1e-3}}, "     \
    "length: 0.4, section: {circle: {radius: 0.01}}, material: {density: 1000, young: 1e6}%s}\n"   \
    "simulate: {method: explicit, duration: 1, rel_tol: 1e-10, abs_tol: 1e-12}\n"                  \
    "record: {every: 0.5, signals: [rod.joint.q, rod.joint.v, rod.joint.a, rod.joint.effort]}\n"

static void test_hinge(void** unused) {
    (void)unused;
    ModelCase c = case_open(SWING, ", strain: {bend_y: 2}, motion: {bend_y: 0}");
    ModelCase rigid = case_open(SWING, "");
    ElvError error;
    Rows* rows = run_rows(c.model);
    ElvSimulateOptions options = elv_simulate_options_default(rigid.model, rigid.state);
    CHECK_STATUS(elv_simulate(rigid.model, rigid.state, &options, NULL, &error), &error);
    const double* last = rows->value[rows->n - 1];
    CHECK_NEAR(last[0], rigid.state->q[0], 1e-8);
    CHECK_NEAR(last[1], rigid.state->v[0], 1e-7);
    CHECK_NEAR(last[2], rigid.state->a[0], 1e-6);
    CHECK_TRUE(last[3] == 0.0);
    case_close(&rigid);
    case_close(&c);
}

// ---- statics

static void test_static(void** unused) {
    (void)unused;
    ModelCase c = case_open(
        "tree:\n"
        "  - {rod: rod, length: 0.4, section: {circle: {radius: 2e-3}}, material: {density: 1000, "
        "young: 2e9}, strain: {bend_z: 1}, motion: {bend_z: \"t*(1 + s)\"}}\n"
        "statics: {loads: [1, -2, 3]}\n"
        "inverse: {static: true, steps: 8}\n"
        "record: {signals: [rod.actuation(0.5).moment.z, rod.stress(0.5).moment.z, "
        "rod.tip.velocity]}\n");
    const double load[3] = {1.0, -2.0, 3.0};
    double EI = 2e9 * 3.14159265358979323846 * 16e-12 / 4.0;
    CHECK_TRUE(elv_inverse_is_static(c.model));
    Rows* rows = run_rows(c.model);
    CHECK_TRUE(rows->n == 3);
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(rows->t[i], load[i], 0.0);
        // without loads actuation balances elasticity, and nothing moves
        CHECK_NEAR(rows->value[i][0], -EI * 1.5 * load[i], 1e-12);
        CHECK_NEAR(rows->value[i][1], 0.0, 1e-12);
        CHECK_NEAR(largest(rows->value[i] + 2, 3), 0.0, 0.0);
    }
    case_close(&c);
}

// ---- errors

static void
check_refused(const char* text, ElvStatus expected, const char* element, const char* part) {
    ModelCase c = case_open("%s", text);
    ElvInverseOptions options = elv_inverse_options_default(c.model);
    ElvInverseReport report;
    ElvError error;
    ElvStatus status = elv_inverse_run(c.model, c.state, &options, &report, &error);
    if (status != expected || !strstr(error.message, part) || strcmp(error.element, element) != 0) {
        print_error("%s: %s\n", error.element, error.message);
        fail();
    }
    CHECK_TRUE(report.n_sample == 0);
    case_close(&c);
}

#define BAR "length: 1, section: {circle: {radius: 0.01}}, material: {density: 1, young: 1e6}"

static void test_errors(void** unused) {
    (void)unused;
    check_refused("tree:\n"
                  "  - {rod: a, " BAR ", strain: {bend_z: 1}, motion: {bend_z: 0}}\n"
                  "  - {rod: b, parent: a.tip, " BAR ", strain: {bend_z: 1}}\n",
                  ELV_ERROR_INPUT, "b", "give it a 'motion' too");
    check_refused("tree:\n"
                  "  - {rod: a, joint: free, " BAR ", strain: {bend_z: 1}, motion: {bend_z: 0}}\n"
                  "inverse: {static: true}\n",
                  ELV_ERROR_INPUT, "a.joint", "needs to know where it is");
    check_refused("tree:\n"
                  "  - {rod: a, " BAR ", strain: {bend_z: 1}, motion: {bend_z: 0}}\n"
                  "  - {rod: b, " BAR "}\n",
                  ELV_ERROR_INPUT, "b", "is a second branch");
    check_refused("tree:\n"
                  "  - {rod: a, " BAR ", strain: {bend_z: 1}, motion: {bend_z: \"1/t\"}}\n",
                  ELV_ERROR_NUMERIC, "a", "is not a number at t = 0");
    // nothing weighs: the acceleration of the root does not follow
    check_refused("tree:\n"
                  "  - {rod: a, joint: free, length: 1, section: {circle: {radius: 0.01}}, "
                  "material: {young: 1e6}, strain: {bend_z: 1}, motion: {bend_z: 0}}\n",
                  ELV_ERROR_SINGULAR, "a.joint", "has no mass");
    // what does not know imposed strains says so
    ModelCase c =
        case_open("tree:\n  - {rod: a, " BAR ", strain: {bend_z: 1}, motion: {bend_z: 0}}\n");
    ElvError error;
    ElvSimulateDef simulate = elv_model_simulate(c.model);
    ElvIntegrator* integrator = NULL;
    simulate.method = ELV_METHOD_SHOOTING;
    CHECK_TRUE(elv_integrator_create(c.model, &simulate, &integrator, &error) == ELV_ERROR_INPUT);
    CHECK_TRUE(strcmp(error.field, "motion") == 0 && !integrator);
    case_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_manipulator), cmocka_unit_test(test_locomotor),
        cmocka_unit_test(test_hinge),       cmocka_unit_test(test_static),

        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
