// SPDX-License-Identifier: Apache-2.0
// Actuators against the rest of the spec: rods and frames that are missing, paths that leave the
// section of their rod, amounts that only formulas and parameters tell. The oracle of a path is the
// outline itself: points on it are inside, points a millionth of its size beyond it are not.
#include "check.h"
#include "elver/model.h"
#include "elver/spec.h"

#include <math.h>

enum { N_ANGLE = 16 };

static const double pi = 3.14159265358979323846;

// ---- a rod of 1 m with one tendon

typedef struct {
    ElvSectionDef section;
    ElvPathDef path;
    ElvLawDef tension;
} Case;

static Case case_circle(double diameter) {
    Case c = {.path = elv_path_def_default()};
    c.section = elv_rod_def_default().section;
    c.section.kind = ELV_SECTION_CIRCLE;
    c.section.outer[0] = elv_law_def_value(diameter);
    c.path.rod = "arm";
    return c;
}

static ElvSpec* case_spec(const Case* c) {
    ElvSpec* spec = NULL;
    ElvError error;
    CHECK_STATUS(elv_spec_create("path", &spec, &error), &error);
    CHECK_STATUS(elv_spec_set_parameter(spec, "P", -2.0, &error), &error);
    ElvElementDef element = elv_element_def_default();
    element.modes[ELV_STRAIN_BEND_Y] = 2;
    ElvRodDef rod = elv_rod_def_default();
    rod.name = "arm";
    rod.length = 1.0;
    rod.section = c->section;
    rod.material.density = 1000.0;
    rod.material.young = 1e6;
    rod.element = &element;
    rod.n_element = 1;
    CHECK_STATUS(elv_spec_add_rod(spec, &rod, &error), &error);
    ElvTendonDef tendon = elv_tendon_def_default();
    tendon.name = "cord";
    tendon.path = &c->path;
    tendon.n_path = 1;
    tendon.law = c->tension;
    CHECK_STATUS(elv_spec_add_tendon(spec, &tendon, &error), &error);
    return spec;
}

// compile and free; the outcome must be that of the words, or success without them
static void check_compile(ElvSpec* spec, const char* element, const char* field, const char* word) {
    ElvModel* model = NULL;
    ElvError error;
    ElvStatus status = elv_spec_compile(spec, &model, &error);
    elv_spec_free(spec);
    elv_model_free(model);
    if (!word) {
        CHECK_STATUS(status, &error);
        return;
    }
    if (status != ELV_ERROR_INPUT || strcmp(error.element, element) != 0 ||
        strcmp(error.field, field) != 0 || !strstr(error.message, word)) {
        fail_msg("status %d, %s.%s: %s; expected %s.%s: %s", (int)status, error.element,
                 error.field, error.message, element, field, word);
    }
}

static void check_inside(const Case* c) {
    check_compile(case_spec(c), NULL, NULL, NULL);
}

static void check_outside(const Case* c, const char* word) {
    check_compile(case_spec(c), "cord", "path[0]", word);
}

// ---- outlines

// a point of the outline at an angle
static void outline_point(const Case* c, double angle, double* y, double* z) {
    double a = 0.5 * c->section.outer[0].value;
    double b = c->section.kind == ELV_SECTION_CIRCLE ? a : 0.5 * c->section.outer[1].value;
    *y = a * cos(angle);
    *z = b * sin(angle);
    if (c->section.kind == ELV_SECTION_RECTANGLE) {
        // out to the side of the rectangle
        double larger = fmax(fabs(cos(angle)), fabs(sin(angle)));
        *y /= larger;
        *z /= larger;
    }
}

static void check_outline(Case c) {
    for (int i = 0; i < N_ANGLE; i++) {
        double y = 0.0;
        double z = 0.0;
        outline_point(&c, 2.0 * pi * (i + 0.25) / N_ANGLE, &y, &z);
        c.path.y = elv_law_def_value(y);
        c.path.z = elv_law_def_value(z);
        check_inside(&c);
        c.path.y.value *= 1.0 + 1e-6;
        c.path.z.value *= 1.0 + 1e-6;
        check_outside(&c, "'cord' leaves the section of 'arm' at s = 0");
        c.path.is_outside = true;
        check_inside(&c);
        c.path.is_outside = false;
    }
}

static void test_outlines(void** state) {
    (void)state;
    Case c = case_circle(0.1);
    check_outline(c);
    // the hole does not bind a path
    c.section.is_hollow = true;
    c.section.inner[0] = elv_law_def_value(0.05);
    check_outline(c);
    c = case_circle(0.1);
    c.section.outer[1] = elv_law_def_value(0.03);
    c.section.kind = ELV_SECTION_ELLIPSE;
    check_outline(c);
    c.section.kind = ELV_SECTION_RECTANGLE;
    check_outline(c);
    // numbers alone have no outline
    c.section.kind = ELV_SECTION_EXPLICIT;
    c.section.area = elv_law_def_value(1e-4);
    c.section.inertia_y = c.section.inertia_z = elv_law_def_value(1e-9);
    c.path.y = elv_law_def_value(1.0);
    check_inside(&c);
}

static void test_along_the_rod(void** state) {
    (void)state;
    Case c = case_circle(0.1);
    // a cone, with a tendon on its surface, to the tip where both vanish
    c.section.outer[0] = elv_law_def_formula("0.1*(1 - s)");
    c.path.y = elv_law_def_formula("0.05*(1 - s)");
    check_inside(&c);
    // a straight tendon leaves a cone where it gets too thin
    c.path.y = elv_law_def_value(0.04);
    c.path.to = 0.2;
    check_inside(&c);
    c.path.to = 0.201;
    check_outside(&c,
                  "at s = 0.201: it runs 0.04 m from the axis, where the section ends at 0.03995");
    // from the tip towards the root
    c.path.from = 0.201;
    c.path.to = 0.0;
    check_outside(&c, "at s = 0.201");
    c.path.from = 0.2;
    check_inside(&c);

    // a spike at a knot between the stations that are looked at
    double x[5] = {0.0, 0.412, 0.413, 0.414, 1.0};
    double y[5] = {0.0, 0.0, 0.06, 0.0, 0.0};
    c = case_circle(0.1);
    c.path.z = elv_law_def_table(ELV_VARIABLE_S, ELV_TABLE_LINEAR, x, y, 5);
    check_outside(&c, "at s = 0.413: it runs 0.06 m");
    y[2] = 0.05;
    check_inside(&c);
    // no number at all
    c.path.z = elv_law_def_formula("0.01*sqrt(0.5 - s)");
    check_outside(&c, "has no place in the section");
    c.path.is_outside = true;
    check_outside(&c, "has no place in the section");
}

// ---- laws

static void test_laws(void** state) {
    (void)state;
    Case c = case_circle(0.1);
    c.tension = elv_law_def_formula("3 + P");
    check_compile(case_spec(&c), NULL, NULL, NULL);
    c.tension = elv_law_def_formula("1 + P");
    check_compile(case_spec(&c), "cord", "tension", "must not be negative, got -1");
    c.tension = elv_law_def_formula("s");
    check_compile(case_spec(&c), "cord", "tension", "no station");
    c.tension = elv_law_def_formula("5 +");
    check_compile(case_spec(&c), "cord", "tension", "");
    // what waits for the time is not judged
    c.tension = elv_law_def_formula("sin(t)");
    check_compile(case_spec(&c), NULL, NULL, NULL);
    c.path.y = elv_law_def_formula("t");
    check_compile(case_spec(&c), "cord", "path[0].y", "cannot change in time");
    c.path.y = elv_law_def_formula("0.01*Q");
    check_compile(case_spec(&c), "cord", "path[0].y", "Q");
}

// a good spec, to which an actuator is added
static ElvSpec* good_spec(void) {
    Case c = case_circle(0.1);
    return case_spec(&c);
}

static void test_amounts(void** state) {
    (void)state;
    ElvError error;
    ElvSpec* spec = good_spec();
    ElvChamberDef chamber = elv_chamber_def_default();
    chamber.name = "bag";
    chamber.path.rod = "arm";
    chamber.path.to = 0.5;
    chamber.area = elv_law_def_formula("1e-4*(0.5 - s)");
    CHECK_STATUS(elv_spec_add_chamber(spec, &chamber, &error), &error);
    check_compile(spec, NULL, NULL, NULL);

    spec = good_spec();
    chamber.path.to = 0.51;
    CHECK_STATUS(elv_spec_add_chamber(spec, &chamber, &error), &error);
    check_compile(spec, "bag", "area", "must not be negative, got -1e-06");

    spec = good_spec();
    ElvMuscleDef muscle = elv_muscle_def_default();
    muscle.name = "biceps";
    muscle.path.rod = "arm";
    muscle.activation = elv_law_def_formula("1 + 1e-3*s");
    CHECK_STATUS(elv_spec_add_muscle(spec, &muscle, &error), &error);
    check_compile(spec, "biceps", "activation", "from 0 to 1");
    spec = good_spec();
    muscle.activation = elv_law_def_formula("sin(t)*s");
    muscle.force = elv_law_def_formula("P");
    CHECK_STATUS(elv_spec_add_muscle(spec, &muscle, &error), &error);
    check_compile(spec, "biceps", "force", "must not be negative, got -2");
}

// ---- references

static void no_stress(void* user,
                      double t,
                      double s,
                      const double* xi,
                      const double* xi_dot,
                      double* stress,
                      double* K,
                      double* D) {
    (void)user, (void)t, (void)s, (void)xi, (void)xi_dot, (void)stress, (void)K, (void)D;
}

static void test_references(void** state) {
    (void)state;
    ElvError error;
    Case c = case_circle(0.1);
    c.path.rod = "amr";
    check_compile(case_spec(&c), "cord", "path[0].rod",
                  "no rod is named 'amr', did you mean 'arm'?");

    ElvSpec* spec = good_spec();
    ElvStrainControlDef strain = elv_strain_control_def_default();
    strain.rod = "ram";
    CHECK_STATUS(elv_spec_add_strain_control(spec, &strain, &error), &error);
    check_compile(spec, "actuators[1]", "strain_control", "no rod is named 'ram'");

    spec = good_spec();
    ElvStressLawDef law = elv_stress_law_def_default();
    law.rod = "ar";
    law.callback = no_stress;
    CHECK_STATUS(elv_spec_add_stress_law(spec, &law, &error), &error);
    check_compile(spec, "actuators[1]", "rod", "did you mean 'arm'?");

    spec = good_spec();
    ElvVelocityControlDef velocity = elv_velocity_control_def_default();
    velocity.name = "cruise";
    velocity.at = "arn.tip";
    CHECK_STATUS(elv_spec_add_velocity_control(spec, &velocity, &error), &error);
    check_compile(spec, "cruise", "at", "did you mean 'arm'?");

    spec = good_spec();
    ElvPathDef path[2] = {elv_path_def_default(), elv_path_def_default()};
    path[0].rod = "arm";
    path[1].at = "arm";
    ElvTendonDef tendon = elv_tendon_def_default();
    tendon.name = "second";
    tendon.path = path;
    tendon.n_path = 2;
    CHECK_STATUS(elv_spec_add_tendon(spec, &tendon, &error), &error);
    check_compile(spec, "second", "path[1].at", "'arm' is a rod: say where on it");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_outlines),   cmocka_unit_test(test_along_the_rod),
        cmocka_unit_test(test_laws),       cmocka_unit_test(test_amounts),
        cmocka_unit_test(test_references),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
