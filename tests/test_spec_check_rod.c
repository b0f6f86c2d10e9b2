// SPDX-License-Identifier: Apache-2.0
// What the Def of a rod may hold: each bad value is refused with the key and a word of the message,
// and its good neighbours at the limits are taken.
#include "multibody/spec_check.h"

#include "check.h"
#include "def_outcome.h"

#define ROD(change, field, word)                                                                   \
    CHECK_DEF(ElvRodDef, good_rod(element, 1), elv_spec_add_rod, "arm", change, field, word)
#define ROD_2(change, field, word)                                                                 \
    CHECK_DEF(ElvRodDef, good_rod(element, 2), elv_spec_add_rod, "arm", change, field, word)

static void test_rod_numbers(void** state) {
    (void)state;
    ElvElementDef element[1];
    ROD((void)def, NULL, "");
    ROD(def.parent = NULL, "parent", "empty");
    ROD(def.pose.R = elv_mat3_zero(), "pose", "not a rotation");
    ROD(def.joint.damping[0] = -1.0, "joint.damping", "negative");
    ROD(def.length = 0.0, "length", "length must be positive and finite, got 0");
    ROD(def.length = NAN, "length", "positive");
    ROD(def.length = INFINITY, "length", "finite");
    ROD(def.material.density = -1.0, "material.density", "negative");
    ROD(def.material.density = 0.0, NULL, "");
    ROD(def.material.young = -1.0, "material.young", "negative");
    ROD(def.material.young = 0.0, NULL, "");
    ROD(def.material.shear = NAN, "material.shear", "finite");
    ROD(def.material.damping[3] = -1.0, "material.damping", "negative");
    ROD(def.material.poisson = 0.5, NULL, "");
    ROD(def.material.poisson = 0.51, "material.poisson", "at most 0.5, got 0.51");
    ROD(def.material.poisson = -1.0, "material.poisson", "above -1");
    ROD(def.material.poisson = NAN, "material.poisson", "above -1");
}

static void test_rod_sections(void** state) {
    (void)state;
    ElvElementDef element[1];
    ElvLawDef one = elv_law_def_value(1.0);
    ROD(def.section.kind = ELV_N_SECTION, "section", "unknown kind");
    ROD(def.section.outer[0].value = 0.0, "section.circle.diameter", "positive");
    ROD(def.section.kind = ELV_SECTION_ELLIPSE, "section.ellipse.z", "positive, got 0");
    ROD(def.section.kind = ELV_SECTION_RECTANGLE, "section.rectangle.z", "positive, got 0");
    ROD((def.section.kind = ELV_SECTION_RECTANGLE, def.section.outer[1] = one), NULL, "");
    ROD((def.section.is_hollow = true, def.section.inner[0].value = 0.02), "section.circle.hole",
        "smaller than its outer size");
    ROD((def.section.is_hollow = true, def.section.inner[0].value = 0.019), NULL, "");
    ROD((def.section.kind = ELV_SECTION_RECTANGLE, def.section.outer[1] = one,
         def.section.is_hollow = true, def.section.inner[0].value = 0.01,
         def.section.inner[1].value = 1.5),
        "section.rectangle.hole.z", "the hole of the section (1.5)");
    ROD(def.section.is_hollow = true, "section.circle.hole", "positive, got 0");
    ROD(def.section.kind = ELV_SECTION_EXPLICIT, "section.explicit.area", "positive");
    ROD((def.section.kind = ELV_SECTION_EXPLICIT, def.section.area = one,
         def.section.inertia_y = one, def.section.inertia_z = one),
        NULL, "");
    // moments may vanish, as a law may
    ROD((def.section.kind = ELV_SECTION_EXPLICIT, def.section.area = one), NULL, "");
    ROD(def.section.has_torsion = true, NULL, "");
    ROD((def.section.has_torsion = true, def.section.torsion.value = -1.0), "section.torsion",
        "must not be negative, got -1; moments of area are in m^4");
    ROD((def.section.kind = ELV_SECTION_EXPLICIT, def.section.area = one,
         def.section.inertia_z.value = -2.0),
        "section.explicit.inertia_z", "must not be negative, got -2");
    // each size has its own unit
    ROD(def.section.outer[0].value = -1.0, "section.circle.diameter",
        "got -1; sizes are in metres");
    ROD(def.section.kind = ELV_SECTION_EXPLICIT, "section.explicit.area", "areas are in m^2");
    ROD(def.section.shear_factor.value = 0.0, "section.shear_factor",
        "must be positive, got 0; it has no unit");
    ROD(def.section.outer[0] = elv_law_def_formula(" "), "section", "formula is empty");
    // a law of s is judged on compile
    ROD(def.section.outer[0] = elv_law_def_formula("-1"), NULL, "");
}

static void test_rod_matrices(void** state) {
    (void)state;
    ElvElementDef element[1];
    ROD(def.section.kind = ELV_SECTION_NONE, "section",
        "rod 'arm' has no section: give section: {circle: {diameter: ");
    ROD((def.section.kind = ELV_SECTION_NONE, def.stiffness.n = 6), "inertia",
        "has stiffness but neither inertia nor a section");
    ROD((def.section.kind = ELV_SECTION_NONE, def.inertia.n = 6), "stiffness",
        "has inertia but neither stiffness nor a section");
    ROD((def.section.kind = ELV_SECTION_NONE, def.inertia.n = 6, def.stiffness.n = 36), NULL, "");
    ROD(def.stiffness.n = 5, "stiffness", "6 rows of 6, got 5");
    ROD((def.damping.n = 6, def.damping.entry[5].value = NAN), "damping", "component 6 of 6");
    ROD((def.inertia.n = 6, def.inertia.entry[2].value = -1.0), "inertia", "got -1 in row 3");
    ROD((def.inertia.n = 36, def.inertia.entry[14].value = -1.0), "inertia", "got -1 in row 3");
    ROD((def.stiffness.n = 36, def.stiffness.entry[1].value = -1.0), "stiffness",
        "row 2, column 1 is 0, but row 1, column 2 is -1");
    ROD((def.stiffness.n = 36, def.stiffness.entry[1].value = -1.0,
         def.stiffness.entry[6].value = -1.0),
        NULL, "");
}

static void test_rod_strains(void** state) {
    (void)state;
    ElvElementDef element[2];
    int y = ELV_STRAIN_BEND_Y;
    ROD(def.reference[3].value = NAN, "reference.stretch", "finite");
    ROD(def.initial[0] = elv_law_def_formula(""), "initial.twist", "empty");
    ROD(def.initial_rate[5].value = NAN, "initial_rate.shear_z", "finite");
    ROD(def.n_element = 0, "strain", "no elements");
    ROD(def.element = NULL, "strain", "no elements");
    ROD(element[0].to = 0.9, "elements[0].to", "got 0.9 after 0");
    ROD_2((void)def, NULL, "");
    ROD_2(element[0].to = 1.0, "elements[1].to", "got 1 after 1");
    ROD_2(element[0].to = 0.0, "elements[0].to", "got 0 after 0");
    ROD_2(element[1].to = NAN, "elements[1].to", "increasing");
    ROD_2(element[1].to = 1.1, "elements[1].to", "increasing");
    ROD_2(element[1].nodes = 1, "elements[1].nodes", "from 2 to 64");
    ROD(element[0].nodes = 65, "nodes", "from 2 to 64, or 0 to have it chosen, got 65");
    ROD(element[0].nodes = 64, NULL, "");
    ROD(element[0].modes[y] = -1, "strain.bend_y", "from 0 to 256, got -1");
    ROD(element[0].modes[y] = 257, "strain.bend_y", "from 0 to 256");
    ROD(element[0].modes[y] = 64, NULL, "");
    ROD(element[0].modes[y] = 65, "strain.bend_y", "at most 64 modes");
    ROD((element[0].basis[y] = ELV_BASIS_PIECEWISE_CONSTANT, element[0].modes[y] = 256), NULL, "");
    ROD_2(element[1].modes[y] = -1, "elements[1].strain.bend_y", "from 0 to 256");
    ROD(element[0].basis[y] = ELV_N_BASIS, "strain.bend_y", "unknown basis");
    ROD(element[0].basis[y] = ELV_BASIS_HERMITE, NULL, "");
    ROD((element[0].basis[y] = ELV_BASIS_HERMITE, element[0].modes[y] = 5), "strain.bend_y",
        "even");
    ROD((element[0].basis[y] = ELV_BASIS_HERMITE, element[0].modes[y] = 2), "strain.bend_y",
        "even");
    ROD((element[0].basis[y] = ELV_BASIS_PIECEWISE_LINEAR, element[0].modes[y] = 1),
        "strain.bend_y", "one mode more than pieces");
    ROD((element[0].basis[y] = ELV_BASIS_PIECEWISE_LINEAR, element[0].modes[y] = 2), NULL, "");
}

static void test_rod_tables(void** state) {
    (void)state;
    ElvElementDef element[1];
    int y = ELV_STRAIN_BEND_Y;
    double station[3], value[12];
// a good table of four modes at three stations, then a change
#define TABLE(change, field, word)                                                                 \
    do {                                                                                           \
        ElvBasisTable table = {3, 4, station, value};                                              \
        for (int i = 0; i < 12; i++) {                                                             \
            value[i] = i;                                                                          \
            station[i % 3] = 0.5 * (i % 3);                                                        \
        }                                                                                          \
        change;                                                                                    \
        ROD((element[0].basis[y] = ELV_BASIS_TABLE, element[0].table[y] = table), field, word);    \
    } while (0)
    TABLE((void)table, NULL, "");
    TABLE(table.n_mode = 3, "strain.bend_y", "has 3 mode shapes, but the strain has 4 modes");
    TABLE(table.n_station = 1, "strain.bend_y", "at least 2 stations, got 1");
    TABLE(table.n_station = 2, NULL, "");
    TABLE(table.station = NULL, "strain.bend_y", "at least 2 stations");
    TABLE(table.value = NULL, "strain.bend_y", "at least 2 stations");
    TABLE(station[1] = 0.0, "strain.bend_y", "increase within [0, 1], got 0 at place 2");
    TABLE(station[2] = 1.5, "strain.bend_y", "got 1.5 at place 3");
    TABLE(station[0] = NAN, "strain.bend_y", "at place 1");
    TABLE(value[11] = NAN, "strain.bend_y", "mode shape 4 is not finite at place 3");
#undef TABLE
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rod_numbers),  cmocka_unit_test(test_rod_sections),
        cmocka_unit_test(test_rod_matrices), cmocka_unit_test(test_rod_strains),
        cmocka_unit_test(test_rod_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
