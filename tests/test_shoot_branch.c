// SPDX-License-Identifier: Apache-2.0
// Which equilibrium static shooting finds first: a rod that is soft for its weight has many, tight coils among them, and
// the one that hangs is the only stable one. Joints that nothing holds are named.
#include "model_case.h"

#include "elver/elver.h"

/// A horizontal clamped rod, too soft to carry itself: rho A g l^3/EI is 1570 for E = 1 MPa.
#define SOFT                                                                                       \
    "gravity: [0, 0, -9.81]\n"                                                                     \
    "tree:\n"                                                                                      \
    "  - {rod: arm, %slength: 1, section: {circle: {diameter: 0.01}},\n"                           \
    "     material: {density: 1000, young: %g}, strain: {kirchhoff: 8}}\n"

static ElvStatus
find(const ModelCase* c, int segments, int max_halvings, ElvShooting** shooting, ElvError* error) {
    ElvStaticsDef def = elv_statics_def_default();
    def.method = ELV_STATICS_SHOOTING;
    def.shooting.segments = segments;
    def.max_halvings = max_halvings;
    CHECK_STATUS(elv_shoot_create(c->model, &def, shooting, error), error);
    return elv_shoot_statics(*shooting, 0.0, error);
}

// Next to the root the rod bends over (EI/w)^(1/3), w the weight per length, and hangs like a rope beyond: the tip is that
// far, or nearer, from the end of a rope
static void test_growing_loads_lead_to_the_one_that_hangs(void** state) {
    (void)state;
    ModelCase c = case_open(SOFT, "", 1e6);
    ElvShooting* shooting = NULL;
    ElvError error;
    CHECK_STATUS(find(&c, 10, 12, &shooting, &error), &error);
    ElvPose tip;
    elv_shoot_section(shooting, 0, 1.0, &tip, NULL, NULL);
    double layer = cbrt(1e6 * 0.01 * 0.01 / 16.0 / (1000.0 * 9.81));
    CHECK_NEAR(tip.p.x, 0.0, layer);
    CHECK_NEAR(tip.p.z, -1.0, layer);
    ElvConjugateReport report;
    CHECK_STATUS(elv_conjugate_points_shooting(shooting, &report, &error), &error);
    CHECK_TRUE(report.stability == ELV_STABILITY_STABLE);
    elv_shoot_free(shooting);
    case_close(&c);
}

// one shot along a rod like that ends on any branch: it is refused
static void test_a_coil_is_no_answer(void** state) {
    (void)state;
    static const double young[] = {3e6, 4e5};
    for (int i = 0; i < 2; i++) {
        ModelCase c = case_open(SOFT, "", young[i]);
        ElvShooting* shooting = NULL;
        ElvError error;
        ElvStatus status = find(&c, 1, 2, &shooting, &error);
        if (status == ELV_OK) {
            ElvConjugateReport report;
            CHECK_STATUS(elv_conjugate_points_shooting(shooting, &report, &error), &error);
            CHECK_TRUE(report.stability == ELV_STABILITY_STABLE);
        } else {
            CHECK_TRUE(status == ELV_ERROR_NUMERIC);
            CHECK_TRUE(strstr(error.message, "segments") != NULL);
        }
        elv_shoot_free(shooting);
        case_close(&c);
    }
}

// a column stays straight beyond its first critical load, pi^2/4 EI/l^2: the way itself loses its stability
static void test_a_column_that_buckles_is_found(void** state) {
    (void)state;
    // EI = 4.91e-10 E; a load of 12 EI/l^2 at the tip, below the second, 22.2 EI/l^2
    ModelCase c =
        case_open("tree:\n  - {rod: arm, length: 1, section: {circle: {diameter: 0.01}},\n"
                  "     material: {density: 1000, young: 1e8}, strain: {bend_z: 4}}\n"
                  "loads:\n  - {force: [%.17g, 0, 0], at: arm.tip}\n",
                  -12.0 * 1e8 * acos(-1.0) * 1e-8 / 64.0);
    ElvShooting* shooting = NULL;
    ElvError error;
    CHECK_STATUS(find(&c, 2, 12, &shooting, &error), &error);
    ElvPose tip;
    elv_shoot_section(shooting, 0, 1.0, &tip, NULL, NULL);
    CHECK_NEAR(tip.p.x, 1.0, 1e-12);
    elv_shoot_free(shooting);
    case_close(&c);
}

static void test_joints_that_nothing_holds_are_named(void** state) {
    (void)state;
    static const char* const joints[] = {"joint: free, ", "joint: {revolute: {axis: x}}, "};
    for (int i = 0; i < 2; i++) {
        ModelCase c = case_open(SOFT, joints[i], 1e8);
        ElvShooting* shooting = NULL;
        ElvError error;
        ElvStatus status = find(&c, 1, 12, &shooting, &error);
        if (status != ELV_ERROR_SINGULAR) {
            fail_msg("%s: %s", elv_status_text(status), error.message);
        }
        CHECK_TRUE(strcmp(error.element, "arm.joint") == 0);
        if (!strstr(error.message, "'arm.joint'") || strstr(error.message, "segments")) {
            fail_msg("%s", error.message);
        }
        elv_shoot_free(shooting);
        case_close(&c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_growing_loads_lead_to_the_one_that_hangs),
        cmocka_unit_test(test_a_coil_is_no_answer),
        cmocka_unit_test(test_a_column_that_buckles_is_found),
        cmocka_unit_test(test_joints_that_nothing_holds_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
