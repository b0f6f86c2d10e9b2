// SPDX-License-Identifier: Apache-2.0
// Finite differences against the modal method, which shares nothing with them but the model: chains on moving bases, on
// joints of several degrees of freedom, driven and free, with bodies, loads and tendons. Both must go to one trajectory.
#include "finite_case.h"

/// Distances from a fine modal run, by steps of 10 and 5 ms.
typedef struct {
    double tip[2], effort[2], energy[2];
} Distances;

static double effort_distance(const FinitePath* a, const FinitePath* b) {
    double most = 0.0;
    // the first record is before the first step, which finite differences know nothing of
    for (int i = 1; i < a->n; i++) {
        most = fmax(most, fabs(a->effort[i] - b->effort[i]));
    }
    return most;
}

static double energy_distance(const FinitePath* a, const FinitePath* b) {
    double most = 0.0;
    for (int i = 0; i < a->n; i++) {
        most = fmax(most, fabs(a->energy[i] - b->energy[i]));
    }
    return most;
}

static Distances compare(const char* joint, ElvMethod method, double t_end) {
    ModelCase c = case_open(FINITE_CHAIN, joint);
    ElvSimulateDef modal = elv_simulate_def_default();
    modal.method = ELV_METHOD_NEWMARK;
    modal.step = 1e-3;
    FinitePath* reference = finite_run(&c, "hand", &modal, 0.02, t_end);
    Distances d;
    for (int i = 0; i < 2; i++) {
        ElvSimulateDef def =
            finite_method(method, 0.01 / (1 << i), 21, 2, ELV_RUNGE_RK4, ELV_HISTORY_CUBIC);
        FinitePath* path = finite_run(&c, "hand", &def, 0.02, t_end);
        d.tip[i] = finite_distance(path, reference);
        d.effort[i] = effort_distance(path, reference);
        d.energy[i] = energy_distance(path, reference);
        free(path);
    }
    print_message("%-44.44s tip %.1e %.1e m, effort %.1e %.1e, energy %.1e %.1e J\n", joint,
                  d.tip[0], d.tip[1], d.effort[0], d.effort[1], d.energy[0], d.energy[1]);
    free(reference);
    case_close(&c);
    return d;
}

// the error of BDF2 falls by 4; that of the modal run, 25 times smaller by its step alone, takes a little of it
static void check_meets(const Distances* d, bool is_driven) {
    CHECK_TRUE(d->tip[1] < 5e-3 && d->tip[0] / d->tip[1] > 3.3 && d->tip[0] / d->tip[1] < 4.8);
    CHECK_TRUE(d->energy[0] / d->energy[1] > 3.2 && d->energy[0] / d->energy[1] < 5.0);
    CHECK_TRUE(!is_driven || d->effort[0] / d->effort[1] > 2.8);
}

// a base whose whole pose is imposed
static const char MOVING_BASE[] =
    "{free: {motion: {rpy: [\"0.5*smooth(t, 0, 0.3)\", 0, \"t^2\"], xyz: [0, \"t^2\", "
    "\"0.1*sin(5*t) - 0.5*t\"]}}}";

static void test_driven_joints_and_moving_bases(void** state) {
    (void)state;
    static const char* const joints[] = {
        "{revolute: {axis: z, motion: \"2*smooth(t, 0, 0.4)\"}}",
        "{universal: {axis: z, axis2: y, motion: [\"2*smooth(t, 0, 0.4)\", \"t^2\"]}}",
        "{spherical: {motion: {rpy: [\"t^2\", \"0.5*t^2\", \"2*smooth(t, 0, 0.4)\"]}}}",
        MOVING_BASE,
    };
    for (size_t i = 0; i < sizeof joints / sizeof joints[0]; i++) {
        Distances d = compare(joints[i], ELV_METHOD_RKMK, 0.2);
        check_meets(&d, true);
    }
}

static void test_joints_that_are_free_to_move(void** state) {
    (void)state;
    static const char* const joints[] = {
        "{revolute: {axis: y, damping: 0.05, stiffness: 1, force: \"smooth(t, 0, 0.2)\"}}",
        "{spherical: {damping: 0.05}}",
        "free",
    };
    for (size_t i = 0; i < sizeof joints / sizeof joints[0]; i++) {
        Distances d = compare(joints[i], ELV_METHOD_RKMK, 0.2);
        check_meets(&d, false);
    }
}

static void test_till_meets_them_too(void** state) {
    (void)state;
    Distances d =
        compare("{revolute: {axis: z, motion: \"2*smooth(t, 0, 0.4)\"}}", ELV_METHOD_TILL, 0.2);
    check_meets(&d, true);
    d = compare("free", ELV_METHOD_TILL, 0.2);
    check_meets(&d, false);
}

// ---- starts

static const char BENT[] = "gravity: [0, -9.81, 0]\n"
                           "tree:\n"
                           "  - {rod: rod, " FINITE_ROD "strain: {bend_z: 8, bend_y: 4}, "
                           "initial: {bend_z: \"1 + s\"}, initial_rate: {bend_y: \"2*s\"}}\n";

static void test_starts_from_the_strains_of_the_model(void** state) {
    (void)state;
    ModelCase c = case_open("%s", BENT);
    ElvSimulateDef modal = elv_simulate_def_default();
    modal.step = 5e-4;
    double distance[2];
    FinitePath* reference = finite_run(&c, "rod.tip", &modal, 0.02, 0.2);
    for (int i = 0; i < 2; i++) {
        ElvSimulateDef def = finite_method(ELV_METHOD_RKMK, 0.005 / (1 << i), 41, 2, ELV_RUNGE_RK4,
                                           ELV_HISTORY_CUBIC);
        FinitePath* path = finite_run(&c, "rod.tip", &def, 0.02, 0.2);
        distance[i] = finite_distance(path, reference);
        // before any step all is as the modes have it
        CHECK_ARRAY_NEAR(&path->p[0].x, &reference->p[0].x, 3, 1e-9);
        CHECK_NEAR(path->energy[0], reference->energy[0], 1e-7);
        free(path);
    }
    print_message("from bent and moving: %.1e %.1e m\n", distance[0], distance[1]);
    CHECK_TRUE(distance[1] < 2e-3 && distance[0] / distance[1] > 3.0);
    free(reference);
    case_close(&c);
}

static void test_an_equilibrium_stays(void** state) {
    (void)state;
    ModelCase c = case_open("gravity: [0, 0, -9.81]\n"
                            "tree:\n"
                            "  - {rod: rod, " FINITE_ROD "strain: {reissner: 8}}\n"
                            "  - {body: tip, parent: rod.tip, mass: 0.05}\n");
    ElvSimulateDef def =
        finite_method(ELV_METHOD_RKMK, 0.02, 41, 2, ELV_RUNGE_RK4, ELV_HISTORY_CUBIC);
    def.starts_static = true;
    FinitePath* path = finite_run(&c, "tip", &def, 0.02, 0.4);
    CHECK_STATUS(path->status, &path->error);
    // sagging by a tenth of its length; the fall of the grid's error is of order 4
    CHECK_TRUE(path->p[0].z < -0.04);
    for (int i = 1; i < path->n; i++) {
        CHECK_ARRAY_NEAR(&path->p[i].x, &path->p[0].x, 3, 1e-6);
    }
    free(path);
    case_close(&c);
}

// ---- output

static void test_records_between_steps(void** state) {
    (void)state;
    ModelCase c = case_open(FINITE_CHAIN, "{revolute: {axis: y, damping: 0.05, stiffness: 1}}");
    ElvSimulateDef def =
        finite_method(ELV_METHOD_RKMK, 0.01, 11, 2, ELV_RUNGE_RK4, ELV_HISTORY_CUBIC);
    FinitePath* plain = finite_run(&c, "hand", &def, 0.01, 0.2);
    FinitePath* dense = finite_run(&c, "hand", &def, 0.0025, 0.2);
    CHECK_STATUS(plain->status, &plain->error);
    CHECK_STATUS(dense->status, &dense->error);
    CHECK_TRUE(dense->n == 4 * (plain->n - 1) + 1);
    double most = 0.0;
    for (int i = 0; i < plain->n; i++) {
        // a record does not change the motion
        CHECK_NEAR(dense->t[4 * i], plain->t[i], 1e-12);
        CHECK_ARRAY_NEAR(&dense->p[4 * i].x, &plain->p[i].x, 3, 1e-9);
        // between: the second difference of a smooth path is small beside its steps
        for (int k = 4 * i - 2; k >= 2 && k <= 4 * i + 2 && k + 2 < dense->n; k++) {
            const ElvVec3* p = dense->p + k;
            ElvVec3 turn = elv_vec3_sub(elv_vec3_add(p[-1], p[1]), elv_vec3_scale(2.0, p[0]));
            most = fmax(most, elv_vec3_norm(turn));
        }
    }
    // accelerations are below 100 m/s^2
    CHECK_TRUE(most < 100.0 * 0.0025 * 0.0025);
    free(plain);
    free(dense);
    case_close(&c);
}

static void test_the_same_bits_again(void** state) {
    (void)state;
    ModelCase c = case_open(FINITE_CHAIN, "free");
    ElvSimulateDef def =
        finite_method(ELV_METHOD_RKMK, 0.01, 11, 2, ELV_RUNGE_RK4, ELV_HISTORY_LINEAR);
    FinitePath* one = finite_run(&c, "hand", &def, 0.01, 0.1);
    FinitePath* two = finite_run(&c, "hand", &def, 0.01, 0.1);
    CHECK_TRUE(one->n == 11 && one->n == two->n);
    CHECK_TRUE(memcmp(one->p, two->p, sizeof one->p) == 0);
    free(one);
    free(two);
    case_close(&c);
}

// a start in the middle goes on with the fields, which the state does not hold
static void test_a_start_in_the_middle_goes_on(void** state) {
    (void)state;
    ModelCase c = case_open(FINITE_CHAIN, "free");
    ElvSimulateDef def =
        finite_method(ELV_METHOD_RKMK, 0.01, 11, 2, ELV_RUNGE_RK4, ELV_HISTORY_LINEAR);
    double q[2][7];
    for (int run = 0; run < 2; run++) {
        ElvIntegrator* integrator = NULL;
        ElvError error;
        CHECK_STATUS(elv_integrator_create(c.model, &def, &integrator, &error), &error);
        elv_state_reset(c.model, c.state);
        CHECK_STATUS(elv_integrator_start(integrator, c.state, &error), &error);
        for (int i = 0; i < 10; i++) {
            CHECK_STATUS(elv_integrator_step(integrator, 1.0, c.state, &error), &error);
            if (run == 1 && i == 4) {
                CHECK_STATUS(elv_integrator_start(integrator, c.state, &error), &error);
            }
        }
        memcpy(q[run], c.state->q, sizeof q[run]);
        elv_integrator_free(integrator);
    }
    CHECK_TRUE(memcmp(q[0], q[1], sizeof q[0]) == 0);
    case_close(&c);
}

// ---- failures

static void test_short_steps_on_long_elements_are_refused(void** state) {
    (void)state;
    ModelCase c = case_open(RKMK_HEAD "  - {rod: rod, " RKMK_ROD "}\nloads:\n"
                                      "  - {torque: [0, 0, 5], at: rod.tip, frame: local}\n",
                            0.0);
    // the run of section VI.B of [RKMK] with two elements is unstable
    ElvSimulateDef def =
        finite_method(ELV_METHOD_RKMK, 0.0025, 3, 2, ELV_RUNGE_RK4, ELV_HISTORY_LINEAR);
    FinitePath* path = finite_run(&c, "rod.tip", &def, 0.0025, 1.5);
    CHECK_TRUE(path->status == ELV_ERROR_STEP && path->n > 2);
    CHECK_TRUE(strcmp(path->error.element, "rod") == 0);
    CHECK_TRUE(strstr(path->error.message, "more nodes") && strstr(path->error.message, "modes"));
    print_message("%s\n", path->error.message);
    // what was recorded ends with the last good state
    CHECK_NEAR(path->t[path->n - 1], c.state->t, 0.0);
    free(path);
    // four elements do
    def.finite.nodes = 5;
    path = finite_run(&c, "rod.tip", &def, 0.1, 1.5);
    CHECK_STATUS(path->status, &path->error);
    free(path);
    case_close(&c);
}

// a rod that is long for its step: a wrench grows beyond what doubles hold on its way
static void test_a_shot_that_is_lost_is_reported(void** state) {
    (void)state;
    ModelCase c =
        case_open("gravity: [0, 0, -9.81]\n"
                  "tree:\n  - {rod: rope, length: 20, section: {circle: {diameter: 0.01}},\n"
                  "     material: {density: 1000, young: 1e6}, strain: {reissner: 2}}\n");
    ElvSimulateDef def =
        finite_method(ELV_METHOD_RKMK, 1e-3, 401, 2, ELV_RUNGE_RK4, ELV_HISTORY_LINEAR);
    FinitePath* path = finite_run(&c, "rope.tip", &def, 0.01, 0.1);
    CHECK_TRUE(path->status == ELV_ERROR_STEP);
    print_message("%s\n", path->error.message);
    CHECK_TRUE(strstr(path->error.message, "longer step") != NULL);
    free(path);
    case_close(&c);
}

static void test_what_is_no_chain_is_refused(void** state) {
    (void)state;
    ModelCase c = case_open("tree:\n  - {rod: a, " FINITE_ROD "strain: {bend_z: 2}}\n"
                            "  - {rod: b, " FINITE_ROD "strain: {bend_z: 2}}\n");
    ElvSimulateDef def =
        finite_method(ELV_METHOD_TILL, 0.01, 5, 2, ELV_RUNGE_RK4, ELV_HISTORY_LINEAR);
    ElvIntegrator* integrator = NULL;
    ElvError error;
    CHECK_TRUE(elv_integrator_create(c.model, &def, &integrator, &error) == ELV_ERROR_INPUT);
    CHECK_TRUE(integrator == NULL && strcmp(error.element, "b") == 0);
    case_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_driven_joints_and_moving_bases),
        cmocka_unit_test(test_joints_that_are_free_to_move),
        cmocka_unit_test(test_till_meets_them_too),
        cmocka_unit_test(test_starts_from_the_strains_of_the_model),
        cmocka_unit_test(test_an_equilibrium_stays),
        cmocka_unit_test(test_records_between_steps),
        cmocka_unit_test(test_the_same_bits_again),
        cmocka_unit_test(test_a_start_in_the_middle_goes_on),
        cmocka_unit_test(test_short_steps_on_long_elements_are_refused),
        cmocka_unit_test(test_a_shot_that_is_lost_is_reported),
        cmocka_unit_test(test_what_is_no_chain_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
