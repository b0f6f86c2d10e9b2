// SPDX-License-Identifier: Apache-2.0
// The tangent of whole models in a fluid against differences of their residual: random trees of
// bodies and rods in an unsteady current, by laws and by a callback, by both ways of integration
// along rods, in motion and in statics.
#include "fluid_case.h"
#include "step_case.h"

/// Coefficients a, b of a time step, and of statics.
static const double steps[2][2] = {{2.0, 4.0}, {0.0, 0.0}};

static ElvFluidDef current_by_laws(void) {
    ElvFluidDef water = elv_fluid_def_default();
    water.density = 300.0;
    water.current[0] = elv_law_def_formula("1 + 0.3*sin(2*t)");
    water.current[1] = elv_law_def_value(-0.7);
    water.current[2] = elv_law_def_formula("0.5*t^2");
    return water;
}

static ElvFluidDef current_by_callback(FluidField* field) {
    ElvFluidDef water = elv_fluid_def_default();
    water.density = 300.0;
    water.callback = fluid_field_eval;
    water.user = field;
    return water;
}

// differences of order 4 and of order 2 with steps h and h/4
typedef struct {
    double floor, coarse, fine;
} Errors;

static Errors tree_errors(uint64_t seed, int k, ElvSpaceMethod space, const ElvFluidDef* water) {
    CheckRandom r = check_random(seed);
    RandomOptions options = random_options();
    options.nodes = 24;
    options.is_smooth = true;
    options.n_element_max = 3;
    options.is_floating = seed % 3 == 0;
    options.has_drives = steps[k][0] != 0.0;
    options.has_fluid = true;
    options.space = space;
    options.water = water;
    Robot robot = random_tree(&r, &options);
    random_state(&r, &robot, steps[k][0] != 0.0 ? 1.0 : 0.0);
    Step step = step_create(&r, &robot, steps[k][0], steps[k][1]);
    double* jacobian = step_tangent(&step);
    Errors errors = {tangent_error(&step, jacobian, 2e-4, 4),
                     tangent_error(&step, jacobian, 4e-3, 2),
                     tangent_error(&step, jacobian, 1e-3, 2)};
    free(jacobian);
    step_free(&step);
    robot_free(&robot);
    return errors;
}

// Differences of order 4 err by 1e-15 and by rounding, 1e-16 / h = 1e-12, both times derivatives of
// the drag where the motion nearly vanishes; those of order 2 by h^2. Below 1e-8 other errors show.
static void check_trees(const ElvFluidDef* water, ElvSpaceMethod space, uint64_t first) {
    for (uint64_t seed = first; seed < first + (IS_SANITIZED ? 4 : 20); seed++) {
        for (int k = 0; k < 2; k++) {
            Errors e = tree_errors(seed, k, space, water);
            bool has_slope =
                e.coarse < 1e-8 || (e.coarse / e.fine > 14.0 && e.coarse / e.fine < 18.0);
            if (!(e.floor < 1e-8) || !has_slope) {
                print_error("seed %llu, step %d: %.3g, %.3g %.3g\n", (unsigned long long)seed, k,
                            e.floor, e.coarse, e.fine);
                CHECK_TRUE(false);
            }
        }
    }
}

static void test_laws(void** unused) {
    (void)unused;
    ElvFluidDef water = current_by_laws();
    check_trees(&water, ELV_SPACE_QUADRATURE, 1);
}

static void test_spectral(void** unused) {
    (void)unused;
    ElvFluidDef water = current_by_laws();
    check_trees(&water, ELV_SPACE_SPECTRAL, 100);
}

static void test_callback(void** unused) {
    (void)unused;
    CheckRandom r = check_random(4);
    FluidField field = fluid_field(&r);
    ElvFluidDef water = current_by_callback(&field);
    check_trees(&water, ELV_SPACE_QUADRATURE, 200);
    check_trees(&water, ELV_SPACE_SPECTRAL, 300);
}

// a thick rod on a free joint, half in the water
static Robot gliding_rod(ElvSpaceMethod space) {
    ElvError error;
    ElvSpec* spec = new_spec();
    ElvRodDef def = elv_rod_def_default();
    ElvElementDef element = elv_element_def_default();
    ElvFluidDef water = elv_fluid_def_default();
    water.density = 300.0;
    water.current[0] = elv_law_def_value(-4.0);
    water.current[1] = elv_law_def_value(2.0);
    water.has_surface = true;
    water.surface = 0.02;
    def.name = "rod";
    def.joint.type = ELV_JOINT_FREE;
    def.length = 1.0;
    def.section.kind = ELV_SECTION_ELLIPSE;
    def.section.outer[0] = elv_law_def_formula("0.3 + 0.05*s");
    def.section.outer[1] = elv_law_def_value(0.4);
    def.material.density = 200.0;
    def.material.young = 1e4;
    def.fluid = (ElvRodFluidDef){.is_buoyant = true,
                                 .drag_normal = 1.1,
                                 .drag_tangential = 0.2,
                                 .lift = 0.3,
                                 .added_mass = 1.0};
    def.resistance[4] = 5.0;
    def.element = &element;
    def.n_element = 1;
    def.space = space;
    element.nodes = 24;
    for (int k = 0; k < ELV_N_STRAIN; k++) {
        element.modes[k] = 2;
    }
    elv_spec_set_gravity(spec, elv_vec3(0.0, 0.0, -9.81));
    CHECK_STATUS(elv_spec_set_fluid(spec, &water, &error), &error);
    add_rod(spec, &def);
    return robot_compile(spec);
}

// It glides along itself, a little bent: tangential drag without a change of sign, and all nodes
// within the reach of the surface. The floor is the spatial error of 24 nodes, as in test_tidm.c
static void check_gliding_rod(ElvSpaceMethod space) {
    Robot robot = gliding_rod(space);
    CheckRandom r = check_random(17);
    // the quaternion comes first
    for (int i = 1; i < robot.nq; i++) {
        robot.state->q[i] = check_uniform(&r, -0.02, 0.02);
    }
    robot.state->q[0] = 1.0;
    for (int i = 0; i < robot.nv; i++) {
        robot.state->v[i] = check_uniform(&r, -0.1, 0.1);
        robot.state->a[i] = check_uniform(&r, -1.0, 1.0);
    }
    elv_state_impose(robot.model, robot.state);
    Step step = step_create(&r, &robot, 2.0, 4.0);
    for (int i = 0; i < robot.nv; i++) {
        step.nu[i] *= 0.1;
        step.f[i] *= 0.1;
    }
    double* jacobian = step_tangent(&step);
    double coarse = tangent_error(&step, jacobian, 1e-3, 2);
    double fine = tangent_error(&step, jacobian, 2.5e-4, 2);
    CHECK_TRUE(coarse / fine > 15.0 && coarse / fine < 17.0);
    CHECK_NEAR(tangent_error(&step, jacobian, 1e-4, 4), 0.0, 1e-9);
    free(jacobian);
    step_free(&step);
    robot_free(&robot);
}

static void test_gliding_rod(void** unused) {
    (void)unused;
    check_gliding_rod(ELV_SPACE_QUADRATURE);
    check_gliding_rod(ELV_SPACE_SPECTRAL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_laws),
        cmocka_unit_test(test_spectral),
        cmocka_unit_test(test_callback),
        cmocka_unit_test(test_gliding_rod),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
