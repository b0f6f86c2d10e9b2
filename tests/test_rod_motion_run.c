// SPDX-License-Identifier: Apache-2.0
// Runs of rods some or all of whose strains are imposed: implicit steps against explicit ones,
// momentum of a rod that nothing holds, equilibria against rods that have the imposed shape at
// rest, jumps of a law in time, laws that are no numbers, and a motion played back by the stresses
// that it took.
#include "pendulum.h"
#include "robot.h"

#include "elver/statics.h"

// ---- implicit against explicit

// bend_z is imposed, twist and bend_y are free, a driven joint below and a body above
static const char* const mixed_text =
    "gravity: [0, 0, -9.81]\n"
    "tree:\n"
    "  - {body: hub, joint: {revolute: {axis: y, motion: \"0.3*sin(2*t)\"}}, mass: 1,\n"
    "     inertia: [0.01, 0.01, 0.01]}\n"
    "  - rod: arm\n"
    "    parent: hub\n"
    "    pose: {xyz: [0.1, 0, 0]}\n"
    "    length: 0.5\n"
    "    section: {circle: {diameter: 0.06}}\n"
    "    material: {density: 1000, young: 2e5, poisson: 0.4, damping: 0.02}\n"
    "    strain: {twist: 2, bend_y: 3}\n"
    "    motion: {bend_z: \"3*sin(3*s - 4*t)\"}\n"
    "  - {body: load, parent: arm.tip, joint: {revolute: {axis: y, stiffness: 0.5}}, mass: 0.2,\n"
    "     center: [0.05, 0, 0.02], inertia: [1e-3, 1e-3, 1e-3]}\n"
    "simulate: {duration: 1}\n";

// free coordinates and velocities at t_end
static int run_to(const ElvSimulateDef* options, double t_end, double* free_part) {
    ModelCase c = case_open("%s", mixed_text);
    ElvIntegrator* integrator = start_integrator(&c, options);
    integrate_to(integrator, t_end, c.state);
    int n = 0;
    for (int i = 0; i < c.nv; i++) {
        // all joints here have scalar coordinates
        if (!elv_model_is_driven(c.model, i)) {
            free_part[n++] = c.state->q[i];
            free_part[n++] = c.state->v[i];
        }
    }
    elv_integrator_free(integrator);
    case_close(&c);
    return n;
}

static void test_implicit_meets_explicit(void** unused) {
    (void)unused;
    enum { N = 12 };
    double exact[N], coarse[N], fine[N], finest[N];
    const double t_end = IS_SANITIZED ? 0.1 : 0.2;
    ElvSimulateDef options = explicit_options();
    options.rel_tol = 1e-12;
    options.abs_tol = 1e-13;
    assert_int_equal(run_to(&options, t_end, exact), N);
    options = elv_simulate_def_default();
    options.newton_tol = 1e-13;
    options.step = 4e-4;
    (void)run_to(&options, t_end, coarse);
    options.step = 2e-4;
    (void)run_to(&options, t_end, fine);
    options.step = 1e-4;
    (void)run_to(&options, t_end, finest);
    double size = largest(exact, N);
    double ratio = largest_difference(coarse, fine, N) / largest_difference(fine, finest, N);
    // order two: a quarter of the error with half of the step
    CHECK_TRUE(ratio > 3.8 && ratio < 4.2);
    // what is left of it beside h^2 is of third order: 1e-12 times the frequencies
    for (int i = 0; i < N; i++) {
        CHECK_NEAR((4.0 * finest[i] - fine[i]) / 3.0, exact[i], 1e-8 * size);
    }
}

// ---- nothing outside

static const char* const swimmer_text =
    "tree:\n"
    "  - rod: eel\n"
    "    joint: {free: {velocity: [0.1, -0.2, 0.3, 0.4, 0.5, -0.6]}}\n"
    "    length: 1\n"
    "    section: {ellipse: {y: 0.05, z: 0.08}}\n"
    "    material: {density: 1000, young: 1e6, poisson: 0.4}\n"
    "    motion: {bend_z: \"4*sin(2*pi*(s - t))\", bend_y: \"(1 - cos(3*t))*s\"}\n"
    "    %s\n"
    "simulate: {duration: 1}\n";

static void check_momentum(const char* strains) {
    ModelCase c = case_open(swimmer_text, strains);
    ElvSimulateDef options = explicit_options();
    options.rel_tol = 1e-12;
    options.abs_tol = 1e-14;
    options.order = 8;
    ElvMomentum before = elv_momentum(c.model, c.data, c.state);
    ElvIntegrator* integrator = start_integrator(&c, &options);
    integrate_to(integrator, IS_SANITIZED ? 0.02 : 0.4, c.state);
    ElvMomentum after = elv_momentum(c.model, c.data, c.state);
    CHECK_TRUE(elv_vec3_norm(before.linear) > 1.0 && elv_vec3_norm(before.angular) > 0.5);
    CHECK_ARRAY_NEAR(&after.linear.x, &before.linear.x, 3, 1e-11 * elv_vec3_norm(before.linear));
    CHECK_ARRAY_NEAR(&after.angular.x, &before.angular.x, 3, 1e-11 * elv_vec3_norm(before.linear));
    elv_integrator_free(integrator);
    case_close(&c);
}

static void test_momentum(void** unused) {
    (void)unused;
    check_momentum("");
    check_momentum("space: spectral");
    check_momentum("strain: {twist: 2}");
}

// ---- statics

// a rod that is told its bend_z, and one that has it at rest
static const char* const hanging_text = "gravity: [0, 2, -9.81]\n"
                                        "tree:\n"
                                        "  - rod: arm\n"
                                        "    length: 0.6\n"
                                        "    section: {circle: {diameter: 0.02}}\n"
                                        "    material: {density: 1000, young: 5e5, poisson: 0.4}\n"
                                        "    strain: {twist: 3, bend_y: 4}\n"
                                        "    %s\n"
                                        "  - {body: load, parent: arm.tip, mass: 0.05}\n"
                                        "statics: {method: %s, loads: [1]}\n";

static void check_equilibrium(const char* method) {
    static const char* const shape[2] = {"motion: {bend_z: \"t*(2 + 3*s)\"}",
                                         "reference: {bend_z: \"2 + 3*s\"}"};
    ElvTwist strain[2];
    ElvVec3 tip[2];
    for (int i = 0; i < 2; i++) {
        ModelCase c = case_open(hanging_text, shape[i], method);
        ElvStaticsDef statics = elv_model_statics(c.model);
        ElvError error;
        CHECK_STATUS(elv_statics_solve(c.model, c.state, 1.0, &statics, NULL, &error), &error);
        tip[i] = case_pose(&c, "arm.tip").p;
        elv_rod_section(c.model, c.data, c.state, 0, 0.3, NULL, &strain[i], NULL);
        case_close(&c);
    }
    // it does sag, and out of the plane of the imposed shape
    CHECK_TRUE(fabs(strain[0].ang.y) > 0.5 && fabs(strain[0].ang.x) > 0.1);
    CHECK_ARRAY_NEAR(&tip[0].x, &tip[1].x, 3, 1e-8);
    CHECK_ARRAY_NEAR(&strain[0].ang.x, &strain[1].ang.x, 3, 1e-7);
}

static void test_equilibria(void** unused) {
    (void)unused;
    check_equilibrium("newton");
    check_equilibrium("relaxation");
    check_equilibrium("projective");
}

// ---- laws in time

static void test_breakpoints(void** unused) {
    (void)unused;
    ModelCase c = case_open("tree:\n"
                            "  - rod: arm\n"
                            "    length: 1\n"
                            "    section: {circle: {diameter: 0.05}}\n"
                            "    material: {density: 1000}\n"
                            "    motion: {bend_z: \"if(t < 0.33, s*t, 0.33*s)\"}\n"
                            "simulate: {duration: 1, step: 0.1}\n");
    double found[4];
    assert_int_equal(elv_model_breakpoints(c.model, 0.0, 1.0, found, 4), 1);
    CHECK_NEAR(found[0], 0.33, 1e-15);
    ElvSimulateDef options = elv_model_simulate(c.model);
    ElvIntegrator* integrator = start_integrator(&c, &options);
    bool has_landed = false;
    ElvError error;
    while (c.state->t < 1.0) {
        CHECK_STATUS(elv_integrator_step(integrator, 1.0, c.state, &error), &error);
        has_landed = has_landed || c.state->t == found[0];
    }
    CHECK_TRUE(has_landed);
    // the second of its modes, 2 s - 1, carries half of the slope
    CHECK_NEAR(c.state->q[1], 0.165, 1e-15);
    CHECK_NEAR(c.state->v[1], 0.0, 1e-15);
    elv_integrator_free(integrator);
    case_close(&c);
}

// the run ends where the law does, with the name of the rod
static void test_no_number(void** unused) {
    (void)unused;
    static const char* const law[3] = {"bend_z: \"if(t < 0.52, s, 0/0)\"", "bend_z: \"sqrt(t)*s\"",
                                       "stretch: \"1 - 2*t\""};
    static const char* const said[3] = {"bend_z of rod 'arm' is not a number",
                                        "has a time derivative that is not a number",
                                        "it must be above 0, and is 1 where"};
    for (int i = 0; i < 3; i++) {
        ModelCase c = case_open("tree:\n"
                                "  - rod: arm\n"
                                "    joint: free\n"
                                "    length: 1\n"
                                "    section: {circle: {diameter: 0.05}}\n"
                                "    material: {density: 1000}\n"
                                "    motion: {%s}\n"
                                "simulate: {duration: 1, step: 0.1}\n",
                                law[i]);
        ElvSimulateDef options = elv_model_simulate(c.model);
        ElvIntegrator* integrator = NULL;
        ElvError error;
        CHECK_STATUS(elv_integrator_create(c.model, &options, &integrator, &error), &error);
        ElvStatus status = elv_integrator_start(integrator, c.state, &error);
        // at t = 0 alone, which steps do not look at
        status = i == 1 && status == ELV_OK ? elv_device_check(c.model, 0.0, &error) : status;
        while (c.state->t < 1.0 && status == ELV_OK) {
            status = elv_integrator_step(integrator, 1.0, c.state, &error);
        }
        assert_int_equal(status, ELV_ERROR_NUMERIC);
        assert_string_equal(error.element, "arm");
        assert_string_equal(error.field, "motion");
        assert_non_null(strstr(error.message, said[i]));
        CHECK_TRUE(c.state->t < 0.6);
        elv_integrator_free(integrator);
        case_close(&c);
    }
}

// ---- playback

// what follows "strain"
static const char* const player_text = "gravity: [0, -9.81, 0]\n"
                                       "tree:\n"
                                       "  - rod: arm\n"
                                       "    length: 0.7\n"
                                       "    section: {circle: {diameter: 0.08}}\n"
                                       "    material: {density: 1000, young: 0}\n"
                                       "    strain: {bend_z: 3, stretch: 2}\n"
                                       "    %s\n"
                                       "simulate: {duration: 0.5}\n";

/// A robot whose stresses are asked for, at one time after the other.
typedef struct {
    ModelCase* imposed;
    int strain;
} Player;

static void play(void* user, double t, double s, ElvJet* jet) {
    const Player* player = user;
    ModelCase* c = player->imposed;
    double tau[5];
    double stress[6];
    ElvWrench lam;
    if (c->state->t != t) {
        c->state->t = t;
        elv_state_impose(c->model, c->state);
        elv_idm(c->model, c->data, c->state, tau);
    }
    elv_rod_section(c->model, c->data, c->state, 0, s, NULL, NULL, &lam);
    elv_wrench_to_array(lam, stress);
    *jet = (ElvJet){stress[player->strain], 0.0, 0.0};
}

static void test_playback(void** unused) {
    (void)unused;
    ModelCase imposed = case_open(
        player_text, "motion: {bend_z: \"(1 + s - s^2)*sin(4*t)\", stretch: \"1 + 0.1*s*t^2\"}");
    Player player[2] = {{&imposed, ELV_STRAIN_BEND_Z}, {&imposed, ELV_STRAIN_STRETCH}};
    // the same rod without a motion of its own, pulled by these stresses
    char text[1024] = "elver: 1\n";
    snprintf(text + strlen(text), sizeof text - strlen(text), player_text,
             "initial_rate: {bend_z: \"4*(1 + s - s^2)\"}");
    ElvSpec* spec = NULL;
    ElvError error;
    CHECK_STATUS(elv_spec_read_text(text, strlen(text), "free", NULL, 0, &spec, &error), &error);
    ElvStressDef def = {.rod = "arm", .to = 1.0, .when = elv_law_def_value(1.0)};
    for (int i = 0; i < 2; i++) {
        def.stress[player[i].strain] = elv_law_def_callback(play, &player[i]);
    }
    CHECK_STATUS(elv_spec_add_stress(spec, &def, &error), &error);
    ModelCase c = {0};
    CHECK_STATUS(elv_spec_compile(spec, &c.model, &error), &error);
    CHECK_STATUS(elv_data_create(c.model, &c.data, &error), &error);
    CHECK_STATUS(elv_state_create(c.model, &c.state, &error), &error);
    elv_spec_free(spec);
    ElvSimulateDef options = explicit_options();
    options.rel_tol = options.abs_tol = 1e-11;
    ElvIntegrator* integrator = start_integrator(&c, &options);
    const double t_end = IS_SANITIZED ? 0.05 : 0.5;
    integrate_to(integrator, t_end, c.state);
    imposed.state->t = t_end;
    elv_state_impose(imposed.model, imposed.state);
    CHECK_TRUE(largest(imposed.state->q, 5) > 2.0 * t_end);
    CHECK_ARRAY_NEAR(c.state->q, imposed.state->q, 5, 1e-6);
    CHECK_ARRAY_NEAR(c.state->v, imposed.state->v, 5, 1e-6);
    elv_integrator_free(integrator);
    case_close(&c);
    case_close(&imposed);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_implicit_meets_explicit),
        cmocka_unit_test(test_momentum),
        cmocka_unit_test(test_equilibria),
        cmocka_unit_test(test_breakpoints),
        cmocka_unit_test(test_no_number),
        cmocka_unit_test(test_playback),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
