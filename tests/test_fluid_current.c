// SPDX-License-Identifier: Apache-2.0
// Models in currents: uniform ones are another frame, and what is like the fluid goes with it.
#include "model_case.h"

#include "elver/elver.h"
#include "robot.h"

// the state at t_end, by the model's own method
static void run_to(ModelCase* c, double t_end) {
    ElvError error;
    ElvSimulateOptions options = elv_simulate_options_default(c->model, c->state);
    options.t_end = t_end;
    CHECK_STATUS(elv_simulate(c->model, c->state, &options, NULL, &error), &error);
}

#define EXACT                                                                                      \
    "simulate: {method: explicit, rel_tol: 1e-13, abs_tol: 1e-13, order: 8, duration: 1}\n"

// the same start relative to the water, in a uniform steady current and in still water
static const char* const swimmer =
    "gravity: [0, 0, -9.81]\n"
    "fluid: {density: 1000, current: [%g, %g, %g]}\n"
    "tree:\n"
    "  - {body: b, joint: {free: {position: {rpy: [0.2, 0.5, -0.3], xyz: [0, 0, 0]}}}, shape: "
    "{ellipsoid: {radii: [0.2, 0.1, "
    "0.05]}}, density: 1100, resistance: [1e-3, 2e-3, 1e-3, 0.5, 1, 2],\n"
    "     fluid: {buoyancy: true, drag: [0.01, 0.03, 0.05], spin_drag: [1e-4, 1e-4, 1e-4], "
    "added_mass: 0.8}}\n"
    "  - {rod: r, parent: b, joint: {revolute: {axis: z, position: 0.4}}, length: 0.5, section: "
    "{ellipse: {y: 0.02, z: "
    "\"0.03 + 0.05*s\"}}, material: {density: 900, young: 1e5, damping: 0.02}, strain: {bend_z: 2, "
    "bend_y: 1},\n"
    "     fluid: {buoyancy: true, drag: {normal: 1.1}, lift: 0.3, added_mass: 1}}\n"
    "simulate: {method: explicit, rel_tol: 1e-12, abs_tol: 1e-13, order: 8, duration: 1}\n";

static void test_galilean(void** unused) {
    (void)unused;
    ElvVec3 U = elv_vec3(0.7, -0.4, 0.3);
    ModelCase still = case_open(swimmer, 0.0, 0.0, 0.0);
    ModelCase moved = case_open(swimmer, U.x, U.y, U.z);
    ElvPose start = case_pose(&still, "b");
    const double v[7] = {0.4, -0.6, 0.8, 1.0, -0.5, 0.3, 2.0};
    ElvVec3 a = elv_mat3_apply_transpose(start.R, U);
    const double stream[3] = {a.x, a.y, a.z};
    for (int k = 0; k < 7; k++) {
        still.state->v[k] = v[k];
        moved.state->v[k] = v[k] + (k >= 3 && k < 6 ? stream[k - 3] : 0.0);
    }
    run_to(&still, 1.0);
    run_to(&moved, 1.0);
    static const char* const frame[2] = {"b", "r.tip"};
    for (int k = 0; k < 2; k++) {
        ElvPose one = case_pose(&still, frame[k]);
        ElvPose other = case_pose(&moved, frame[k]);
        ElvVec3 shifted = elv_vec3_add(one.p, U);
        CHECK_ARRAY_NEAR(&other.p.x, &shifted.x, 3, 1e-10);
        CHECK_ARRAY_NEAR(&other.R.m[0][0], &one.R.m[0][0], 9, 1e-10);
    }
    case_close(&still);
    case_close(&moved);
}

// what has the density of the fluid, and its velocity at the start, goes with it: x = integral of U
static void check_carried(const char* element, const char* frame) {
    ModelCase c =
        case_open("gravity: [0, 0, -9.81]\n"
                  "fluid: {density: 1000, current: [\"sin(3*t)\", \"0.5*t^2\", \"1 - cos(t)\"]}\n"
                  "tree:\n  - %s\n" EXACT,
                  element);
    ElvPose start = case_pose(&c, frame);
    run_to(&c, 1.0);
    ElvPose end = case_pose(&c, frame);
    ElvVec3 shift = elv_vec3((1.0 - cos(3.0)) / 3.0, 0.5 / 3.0, 1.0 - sin(1.0));
    ElvVec3 expected = elv_vec3_add(start.p, shift);
    CHECK_ARRAY_NEAR(&end.p.x, &expected.x, 3, 1e-10);
    CHECK_ARRAY_NEAR(&end.R.m[0][0], &start.R.m[0][0], 9, 1e-10);
    case_close(&c);
}

static void test_carried(void** unused) {
    (void)unused;
    check_carried("{body: b, joint: {free: {position: {rpy: [0.3, 0.4, 0.5], xyz: [0, 0, 0]}}}, "
                  "shape: {ellipsoid: {radii: [0.3, 0.2, "
                  "0.1]}}, density: 1000, resistance: [0, 0, 0, 1, 2, 3], fluid: {buoyancy: true, "
                  "drag: [1, 1, 2], added_mass: 1}}",
                  "b");
    check_carried("{rod: r, joint: {free: {position: {rpy: [0.3, 0.4, 0.5], xyz: [0, 0, 0]}}}, "
                  "length: 0.5, section: {ellipse: {y: "
                  "0.1, z: 0.05}}, material: {density: 1000, young: 1e5}, strain: {bend_y: 2, "
                  "twist: 1}, fluid: {buoyancy: true, drag: "
                  "{normal: 1, tangential: 0.1}, lift: 0.5, added_mass: 1}}",
                  "r.tip");
}

// without inertia: what a fluid resists goes with its current, and sinks by its weight in it over
// its resistance
static void test_stokes(void** unused) {
    (void)unused;
    ModelCase c = case_open("gravity: [0, 0, -9.81]\n"
                            "fluid: {density: 1000, current: [0.3, \"t\", 0]}\n"
                            "tree:\n"
                            "  - {body: b, joint: free, shape: {sphere: {radius: 0.1}}, density: "
                            "1500, resistance: [1, 1, 1, 40, "
                            "40, 40],\n"
                            "     fluid: {buoyancy: true, added_mass: 1}}\n"
                            "simulate: {method: connection, connection: stokes, duration: 1, "
                            "rel_tol: 1e-11, abs_tol: 1e-12}\n");
    run_to(&c, 1.0);
    ElvVec3 x = case_pose(&c, "b").p;
    double mass = 1000.0 * 4.0 / 3.0 * 3.14159265358979323846 * 1e-3;
    // the pressure of the accelerating fluid adds mass/40 s of its acceleration
    double expected[3] = {0.3, 0.5 + mass / 40.0, -0.5 * mass * 9.81 / 40.0};
    CHECK_ARRAY_NEAR(&x.x, expected, 3, 1e-9);
    case_close(&c);
}

// a current that jumps beyond the duration of the file: steps go there, none goes on from there
static void test_late_jump(void** unused) {
    (void)unused;
    static const char* const method[] = {"explicit", "generalized-alpha, step: 0.05",
                                         "newmark, step: 0.03"};
    for (int k = 0; k < 3; k++) {
        ModelCase c = case_open("fluid: {density: 1000, current: [\"if(t < 2, 0, 1)\", 0, 0]}\n"
                                "tree:\n"
                                "  - {body: b, joint: free, shape: {sphere: {radius: 0.1}}, "
                                "density: 1000, fluid: {added_mass: 1, buoyancy: true}}\n"
                                "simulate: {method: %s, duration: 1}\n",
                                method[k]);
        ElvSimulateDef def = elv_model_simulate(c.model);
        ElvIntegrator* integrator = NULL;
        ElvError error;
        CHECK_STATUS(elv_integrator_create(c.model, &def, &integrator, &error), &error);
        CHECK_STATUS(elv_integrator_start(integrator, c.state, &error), &error);
        ElvStatus status = ELV_OK;
        for (int i = 0; i < 1000 && status == ELV_OK && c.state->t < 2.5; i++) {
            status = elv_integrator_step(integrator, 2.5, c.state, &error);
        }
        CHECK_TRUE(status == ELV_ERROR_INPUT);
        CHECK_NEAR(c.state->t, 2.0, 1e-12);
        assert_non_null(strstr(error.message, "jumps by 1 m/s along x at t = 2"));
        // nor by starting again
        CHECK_STATUS(elv_integrator_start(integrator, c.state, &error), &error);
        CHECK_TRUE(elv_integrator_step(integrator, 2.5, c.state, &error) == ELV_ERROR_INPUT);
        // after it all is as before
        c.state->t = 2.001;
        CHECK_STATUS(elv_integrator_start(integrator, c.state, &error), &error);
        CHECK_STATUS(elv_integrator_step(integrator, 2.5, c.state, &error), &error);
        elv_integrator_free(integrator);
        case_close(&c);
    }
}

// ---- a field

// U = Omega x x about z: the fluid turns like a rigid body
static void vortex(void* user, double t, ElvVec3 x, ElvCurrent* current) {
    double rate = *(const double*)user;
    (void)t;
    current->velocity = elv_vec3(-rate * x.y, rate * x.x, 0.0);
    current->gradient.m[0][1] = -rate;
    current->gradient.m[1][0] = rate;
    current->acceleration = elv_vec3(-rate * rate * x.x, -rate * rate * x.y, 0.0);
    current->rise.m[0][0] = current->rise.m[1][1] = -rate * rate;
}

// a sphere like the fluid goes round with it, by explicit steps and by implicit ones, of second
// order
static void test_vortex(void** unused) {
    (void)unused;
    static const char* const method[3] = {"explicit, rel_tol: 1e-13, abs_tol: 1e-13, order: 8",
                                          "newmark, step: 0.01", "newmark, step: 0.005"};
    double rate = 2.0;
    double miss[3];
    for (int k = 0; k < 3; k++) {
        char text[512];
        ElvError error;
        ElvSpec* spec = NULL;
        ElvFluidDef water = elv_fluid_def_default();
        snprintf(text, sizeof text,
                 "elver: 1\n"
                 "tree:\n"
                 "  - {body: b, joint: {free: {position: {xyz: [1, 0, 0]}, velocity: [0, 0, 0, 0, "
                 "2, 0]}}, shape: {sphere: {radius: "
                 "0.1}}, density: 1000,\n"
                 "     fluid: {buoyancy: true, drag: [0.01, 0.01, 0.01], added_mass: 1}}\n"
                 "simulate: {method: %s, duration: 1}\n",
                 method[k]);
        CHECK_STATUS(elv_spec_read_text(text, strlen(text), "case", NULL, 0, &spec, &error),
                     &error);
        water.density = 1000.0;
        water.callback = vortex;
        water.user = &rate;
        CHECK_STATUS(elv_spec_set_fluid(spec, &water, &error), &error);
        Robot robot = robot_compile(spec);
        ModelCase c = {robot.model, robot.data, robot.state, robot.nv};
        run_to(&c, 1.0);
        ElvVec3 x = case_pose(&c, "b").p;
        miss[k] = hypot(x.x - cos(2.0), x.y - sin(2.0));
        robot_free(&robot);
    }
    CHECK_NEAR(miss[0], 0.0, 1e-10);
    CHECK_TRUE(miss[1] / miss[2] > 3.8 && miss[1] / miss[2] < 4.2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_galilean), cmocka_unit_test(test_carried),
        cmocka_unit_test(test_stokes),   cmocka_unit_test(test_late_jump),
        cmocka_unit_test(test_vortex),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
