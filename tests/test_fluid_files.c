// SPDX-License-Identifier: Apache-2.0
// The fluid in model files and specs: every key is read into its field, written and read back, and
// copied; mistakes are found at their place, with what to write instead.
#include "bad_file.h"
#include "model_sample.h"
#include "multibody/spec.h"
#include "robot.h"
#include "rod/fluid.h"

static ElvSpec* read_spec(const char* source) {
    ElvError error;
    ElvSpec* spec = NULL;
    CHECK_STATUS(elv_spec_read_text(source, strlen(source), "case", NULL, 0, &spec, &error),
                 &error);
    return spec;
}

static void check_spec(const ElvSpec* spec) {
    const ElvBodyFluidDef* box = &spec->element[0].body.fluid;
    const ElvRodFluidDef* fin = &spec->element[2].rod.fluid;
    CHECK_NEAR(spec->fluid.density, 998.0, 0.0);
    CHECK_NEAR(spec->fluid.surface, -0.4, 0.0);
    CHECK_TRUE(spec->fluid.has_surface && !spec->fluid.callback);
    CHECK_NEAR(spec->fluid.current[0].value, 0.1, 0.0);
    assert_string_equal(spec->fluid.current[1].text, "0.2*sin(t)");
    CHECK_TRUE(spec->fluid.current[2].kind == ELV_LAW_TABLE && spec->fluid.current[2].n == 2);
    CHECK_TRUE(box->is_buoyant && box->volume == 5.0 && box->added_mass == 0.0);
    CHECK_TRUE(box->has_center && box->center.x == 0.1 && box->center.z == -0.3);
    CHECK_TRUE(!spec->element[1].body.fluid.has_center);
    CHECK_TRUE(box->lift_area.y == 0.0 && box->lift_area.z == 0.7);
    CHECK_TRUE(box->drag_area.y == 0.2 && box->drag_area.z == 1.2 && box->drag_spin.z == 3.0);
    CHECK_NEAR(spec->element[1].body.fluid.added_mass, 0.9, 0.0);
    CHECK_TRUE(fin->is_buoyant && fin->is_slender && fin->drag_normal == 1.2);
    CHECK_TRUE(fin->drag_tangential == 0.01 && fin->lift == 0.3 && fin->added_mass == 1.0);
    CHECK_TRUE(!elv_fluid_is_felt(&spec->element[3].rod.fluid));
}

static void test_read_and_write(void** unused) {
    (void)unused;
    ElvError error;
    char* written = NULL;
    ElvSpec* spec = read_spec(sample_fluid);
    check_spec(spec);
    CHECK_STATUS(elv_spec_write_text(spec, &written, &error), &error);
    ElvSpec* again = read_spec(written);
    check_spec(again);
    elv_spec_free(spec);
    elv_spec_free(again);
    elv_text_free(written);
}

// a model has what its elements feel and nothing else; ellipse of widths 0.1 and 0.25 at the middle
// of the fin
static void test_compiled(void** unused) {
    (void)unused;
    ElvSpec* spec = read_spec(sample_fluid);
    Robot robot = robot_compile(spec);
    const double pi = 3.14159265358979323846;
    const ElvModel* model = robot.model;
    CHECK_TRUE(model->fluid && model->fluid->has_surface && model->fluid->up.y == 1.0);
    CHECK_NEAR(model->fluid->gravity, 9.81, 0.0);
    for (int j = 0; j < model->n_node; j++) {
        const ElvNode* node = &model->node[j];
        const ElvFluidShape* own = model->port[node->i_port].fluid;
        if (strcmp(node->name, "box") == 0) {
            CHECK_TRUE(own && own->volume == 5.0 && !own->is_section && own->center.z == -0.3);
            CHECK_NEAR(own->radius, cbrt(3.0 * 5.0 / (4.0 * pi)), 1e-15);
        }
        if (node->info.is_rod) {
            const ElvRod* rod = (const ElvRod*)node->joint;
            bool is_fin = strcmp(node->name, "fin") == 0;
            CHECK_TRUE((rod->fluid != NULL) == is_fin && rod->is_slender == is_fin);
            CHECK_TRUE(rod->has_added == is_fin && !own);
            ElvFluidShape shape = elv_rod_fluid_at(rod, 0.5);
            CHECK_NEAR(shape.normal[0], is_fin ? 1.2 * 0.25 : 0.0, 1e-15);
            CHECK_NEAR(shape.normal[1], is_fin ? 1.2 * 0.1 : 0.0, 1e-15);
            CHECK_NEAR(shape.volume, is_fin ? pi / 4.0 * 0.1 * 0.25 : 0.0, 1e-15);
            CHECK_NEAR(shape.added.M.m[1][1], is_fin ? 998.0 * pi / 4.0 * 0.0625 : 0.0, 1e-12);
            CHECK_NEAR(shape.added.M.m[2][2], is_fin ? 998.0 * pi / 4.0 * 0.01 : 0.0, 1e-12);
            CHECK_NEAR(rod->added_end[1].M.m[1][1], is_fin ? 998.0 * pi / 4.0 * 0.04 : 0.0, 1e-12);
        }
    }
    robot_free(&robot);
}

// perimeters by the rectangle rule over the ellipse's parameter, exact to rounding for smooth
// periodic integrands
static void test_perimeter(void** unused) {
    (void)unused;
    static const double width[4][2] = {{0.2, 0.2}, {0.3, 0.1}, {0.1, 0.3}, {1.0, 0.05}};
    for (int k = 0; k < 4; k++) {
        enum { N = 4096 };
        double sum = 0.0;
        for (int i = 0; i < N; i++) {
            double angle = 2.0 * 3.14159265358979323846 * i / N;
            double dy = 0.5 * width[k][0] * sin(angle);
            double dz = 0.5 * width[k][1] * cos(angle);
            sum += sqrt(dy * dy + dz * dz) * 2.0 * 3.14159265358979323846 / N;
        }
        ElvSpec* spec = new_spec();
        ElvError error;
        ElvFluidDef water = elv_fluid_def_default();
        ElvElementDef element = elv_element_def_default();
        ElvRodDef def = elv_rod_def_default();
        water.density = 1.0;
        def.name = "r";
        def.length = 1.0;
        def.section.kind = ELV_SECTION_ELLIPSE;
        def.section.outer[0] = elv_law_def_value(width[k][0]);
        def.section.outer[1] = elv_law_def_value(width[k][1]);
        def.material.density = 1.0;
        def.fluid.drag_tangential = 1.0;
        def.element = &element;
        def.n_element = 1;
        CHECK_STATUS(elv_spec_set_fluid(spec, &water, &error), &error);
        add_rod(spec, &def);
        Robot robot = robot_compile(spec);
        const ElvRod* rod = (const ElvRod*)robot.model->node[0].joint;
        CHECK_NEAR(elv_rod_fluid_at(rod, 0.5).tangential, sum, 1e-13 * sum);
        robot_free(&robot);
    }
}

// a spec keeps nothing of its caller's
static void test_copied(void** unused) {
    (void)unused;
    ElvError error;
    char formula[16] = "2*t";
    double x[2] = {0.0, 1.0};
    ElvSpec* spec = new_spec();
    ElvFluidDef water = elv_fluid_def_default();
    water.density = 1.0;
    water.current[0] = elv_law_def_formula(formula);
    water.current[1] = elv_law_def_table(ELV_VARIABLE_T, ELV_TABLE_LINEAR, x, x, 2);
    CHECK_STATUS(elv_spec_set_fluid(spec, &water, &error), &error);
    memset(formula, '#', sizeof formula - 1);
    x[1] = NAN;
    ElvBodyDef body = elv_body_def_default();
    body.name = "b";
    add_body(spec, &body);
    Robot robot = robot_compile(spec);
    CHECK_NEAR(elv_law_value(robot.model->fluid->current[0], 3.0, 0.0), 6.0, 0.0);
    CHECK_NEAR(elv_law_value(robot.model->fluid->current[1], 0.5, 0.0), 0.5, 0.0);
    robot_free(&robot);
    // a bad one leaves the spec as it was
    spec = new_spec();
    water = elv_fluid_def_default();
    water.density = NAN;
    CHECK_TRUE(elv_spec_set_fluid(spec, &water, &error) == ELV_ERROR_INPUT);
    CHECK_NEAR(spec->fluid.density, 0.0, 0.0);
    assert_string_equal(error.field, "density");
    elv_spec_free(spec);
}

// ---- mistakes

#define WATER "elver: 1\nfluid: {density: 1000}\ntree:\n"

static void test_mistakes(void** unused) {
    (void)unused;
    static const BadFile files[] = {
        {"elver: 1\nfluid: {density: -1}\ntree: [{body: b}]\n", 2, 18,
         "must not be negative, got -1"},
        {"elver: 1\nfluid: {surface: 1}\ntree: [{body: b}]\n", 2, 8, "density"},
        {"elver: 1\nfluid: {density: 1, flow: 1}\ntree: [{body: b}]\n", 2, 21, "flow"},
        {"elver: 1\nfluid: {density: 1, current: [4e8, 0, 0]}\ntree: [{body: b}]\n", 2, 30,
         "faster than light"},
        {"elver: 1\nfluid: {density: 1, current: [\"1e9*t\", 0, 0]}\ntree: [{body: b}]\n", 2, 30,
         "faster than light at t = 0.3"},
        {"elver: 1\nfluid: {density: 1, current: [\"1/t\", 0, 0]}\ntree: [{body: b}]\n", 2, 30,
         "faster than light at t = 0"},
        {"elver: 1\nfluid: {density: 1, current: [\"sqrt(-1 - t)\", 0, 0]}\ntree: [{body: b}]\n", 2,
         30, "not a number at t = 0: give"},
        {"elver: 1\nfluid: {density: 1, current: [1, 2]}\ntree: [{body: b}]\n", 2, 30, "3"},
        {BODY "    fluid: {buoyancy: true, volume: 1}\n", 5, 12,
         "add it to the model, for instance fluid: {density: 1000}"},
        {ROD "    fluid: {added_mass: 1}\n", 7, 12, "there is no fluid"},
        {WATER "  - body: b\n    fluid: {buoyancy: true}\n", 5, 23, "needs a volume"},
        {WATER "  - body: b\n    shape: {sphere: {radius: 1}}\n    fluid: {buoyancy: true, volume: "
               "0}\n",
         6, 37, "got 0: leave it out for that of the body's shape, or write buoyancy: false"},
        {WATER "  - body: b\n    fluid: {added_mass: 1}\n", 5, 25, "spheres and ellipsoids"},
        {WATER "  - body: b\n    fluid: {drag: [1, 1, -1]}\n", 5, 19, "must not be negative"},
        {WATER "  - body: b\n    fluid: {darg: [1, 1, 1]}\n", 5, 13, "drag"},
        {WATER "  - rod: r\n    length: 1\n    section: {circle: {diameter: 0.1}}\n    material: "
               "{density: 1, young: 1}\n"
               "    fluid: {lighthill: true}\n",
         8, 24, "added_mass: 1"},
        {WATER "  - rod: r\n    length: 1\n    inertia: [1, 1, 1, 1, 1, 1]\n    stiffness: [1, 1, "
               "1, 1, 1, 1]\n"
               "    fluid: {drag: {normal: 1}}\n",
         8, 12, "'resistance' and 'added_inertia'"},
        {WATER "  - rod: r\n    length: 1\n    inertia: [1, 1, 1, 1, 1, 1]\n    stiffness: [1, 1, "
               "1, 1, 1, 1]\n"
               "    fluid: {buoyancy: true}\n",
         8, 23, "area of the sections"},
        {"elver: 1\nfluid: {density: 1, surface: 0}\ntree:\n  - body: b\n    fluid: {drag: [1, 1, "
         "1]}\n",
         5, 12, "must know how large"},
        {WATER "  - rod: r\n    length: 1\n    material: {density: 1, young: 1}\n    strain: "
               "{bend_y: 1}\n"
               "    section: {circle: {diameter: {table: {s: [0, 0.5, 1], values: [0.1, 0.05, "
               "-0.001]}}}}\n",
         8, 14, "diameter is -0.001 m at s = 1"},
        {WATER "  - rod: r\n    length: 1\n    material: {density: 1, young: 1}\n    strain: "
               "{bend_y: 1}\n"
               "    section: {ellipse: {y: 0.1, z: \"0.1 - 0.4*s*(1 - s)\"}}\n",
         8, 14, "width z is 0 m at s = 0.5"},
    };
    CHECK_BAD_FILES(files);
}

// a fluid is no field of files where it is a callback
static void still(void* user, double t, ElvVec3 x, ElvCurrent* current) {
    (void)user;
    (void)t;
    current->velocity = x;
}

static void test_callback_is_not_written(void** unused) {
    (void)unused;
    ElvError error;
    char* written = NULL;
    ElvSpec* spec = new_spec();
    ElvFluidDef water = elv_fluid_def_default();
    ElvBodyDef body = elv_body_def_default();
    body.name = "b";
    water.density = 1.0;
    water.callback = still;
    CHECK_STATUS(elv_spec_set_fluid(spec, &water, &error), &error);
    add_body(spec, &body);
    CHECK_TRUE(elv_spec_write_text(spec, &written, &error) == ELV_ERROR_INPUT);
    CHECK_TRUE(strstr(error.message, "callback") != NULL);
    elv_spec_free(spec);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read_and_write),
        cmocka_unit_test(test_compiled),
        cmocka_unit_test(test_perimeter),
        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_callback_is_not_written),
        cmocka_unit_test(test_copied),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
