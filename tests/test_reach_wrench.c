// SPDX-License-Identifier: Apache-2.0
// A place for the tip by a wrench: known loads come back, stiffnesses of beams, places out of reach; and what is refused.
#include "reach_case.h"

// the tip held where a known load brings it takes that load
static void check_hold(bool has_rotation) {
    static const char text[] =
        "gravity: [0, 0, -9.81]\n"
        "tree:\n"
        "  - {rod: rod, length: 0.5, section: {circle: {radius: 3e-3}}, material: {density: 2000, "
        "young: 5e9, poisson: 0.3}, strain: {reissner: 2}}\n"
        "loads:\n"
        "  - {wrench: [%.17g, %.17g, %.17g, %.17g, %.17g, %.17g], at: rod.tip}\n"
        "statics: {method: shooting}\n";
    double mom = has_rotation ? 1.0 : 0.0;
    const double w[6] = {0.02 * mom, 0.1 * mom, -0.15 * mom, 0.3, 1.2, 1.0};
    ModelCase loaded = case_open(text, w[0], w[1], w[2], w[3], w[4], w[5]);
    ElvShooting* shooting;
    ElvError error;
    ElvTipTarget target = {elv_pose_identity(), has_rotation};
    ElvStaticsDef options = elv_model_statics(loaded.model);
    CHECK_STATUS(elv_shoot_create(loaded.model, &options, &shooting, &error), &error);
    CHECK_STATUS(elv_shoot_statics(shooting, 0.0, &error), &error);
    elv_shoot_section(shooting, 0, 1.0, &target.pose, NULL, NULL);
    CHECK_TRUE(elv_vec3_norm(elv_vec3_sub(target.pose.p, elv_vec3(0.5, 0.0, 0.0))) > 0.1);
    elv_shoot_free(shooting);
    case_close(&loaded);

    for (int segments = 1; segments <= 3; segments += 2) {
        ModelCase c = case_open(text, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
        ElvReach* reach = NULL;
        options = elv_model_statics(c.model);
        options.shooting.segments = segments;
        CHECK_STATUS(elv_reach_create(c.model, &options, ELV_BY_WRENCH, &reach, &error), &error);
        ElvReachReport report = solve(reach, 0.0, &target);
        double found[6];
        CHECK_TRUE(report.is_reached && report.distance < 1e-10 && report.angle < 1e-10);
        elv_wrench_to_array(report.wrench, found);
        CHECK_ARRAY_NEAR(found, w, 6, 1e-6);
        elv_reach_free(reach);
        case_close(&c);
    }
}

static void test_wrench(void** unused) {
    (void)unused;
    check_hold(true);
    check_hold(false);
}

// small deflections of a cantilever: 3 EI/l^3 at a point, 12 EI/l^3 where the direction is kept too
static void test_wrench_of_a_beam(void** unused) {
    (void)unused;
    ModelCase c = case_open(PLANE);
    double d = 1e-6, l = 0.4;
    for (int k = 0; k < 2; k++) {
        ElvReach* reach = open_reach(c.model, ELV_BY_WRENCH);
        // shortening is of second order: 3/5 d^2/l
        ElvTipTarget target = target_at(l - 0.6 * d * d / l, d, 0.0);
        target.has_rotation = k == 1;
        if (k == 1) {
            target.pose.p.x = l - 0.6 * d * d / l;
        }
        ElvReachReport report = solve(reach, 0.0, &target);
        CHECK_TRUE(report.is_reached);
        // terms of higher order are of the size of d/l
        double stiffness = (k == 0 ? 3.0 : 12.0) * PLANE_EI / (l * l * l);
        CHECK_NEAR(report.wrench.frc.y / (stiffness * d), 1.0, 1e-2);
        elv_reach_free(reach);
    }
    case_close(&c);
}

// further away than a rod that does not stretch is long: as far as it could be led
static void test_wrench_out_of_reach(void** unused) {
    (void)unused;
    ModelCase c = case_open(PLANE);
    ElvReach* reach = open_reach(c.model, ELV_BY_WRENCH);
    ElvTipTarget near = target_at(0.3, 0.2, 0.0);
    ElvReachReport report = solve(reach, 0.0, &near);
    CHECK_TRUE(report.is_reached);
    ElvTipTarget far = target_at(0.45, 0.4, 0.0);
    report = solve(reach, 0.0, &far);
    CHECK_TRUE(!report.is_reached);
    ElvVec3 tip = elv_reach_tip(reach).p;
    CHECK_TRUE(elv_vec3_norm(tip) < 0.4 && elv_vec3_norm(tip) > 0.36);
    CHECK_NEAR(report.distance, elv_vec3_norm(elv_vec3_sub(tip, far.pose.p)), 1e-12);
    // on the way from one place to the other
    ElvVec3 way = elv_vec3_sub(far.pose.p, near.pose.p);
    ElvVec3 done = elv_vec3_sub(tip, near.pose.p);
    CHECK_NEAR(elv_vec3_norm(elv_vec3_cross(way, done)), 0.0, 1e-9);
    report = solve(reach, 0.0, &near);
    CHECK_TRUE(report.is_reached);
    elv_reach_free(reach);
    case_close(&c);
}

static void test_errors(void** unused) {
    (void)unused;
    ModelCase c = case_open(PLANE);
    ElvReach* reach = NULL;
    ElvError error;
    ElvStaticsDef options = elv_model_statics(c.model);
    CHECK_TRUE(elv_reach_create(c.model, &options, ELV_BY_TENSIONS, &reach, &error) ==
               ELV_ERROR_INPUT);
    CHECK_TRUE(!reach && strstr(error.message, "no tendon and no chamber"));
    elv_reach_free(NULL);
    case_close(&c);
    c = case_open("tree:\n  - {body: box, mass: 1}\n");
    CHECK_TRUE(elv_reach_create(c.model, &options, ELV_BY_WRENCH, &reach, &error) ==
               ELV_ERROR_INPUT);
    CHECK_TRUE(!reach && strstr(error.message, "no rod"));
    case_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrench),
        cmocka_unit_test(test_wrench_of_a_beam),
        cmocka_unit_test(test_wrench_out_of_reach),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
