// SPDX-License-Identifier: Apache-2.0
// Groups of net motions from the freedoms of a model: chains of simple joints against one joint
// with the same freedoms, and chains that form no group.
#include "connection_case.h"

// two arms that are driven, on a body 'c'
static const char arms[] =
    "  - {body: d, parent: c, mass: 1, center: [0.3, 0, 0.05], inertia: [1, 1.2, 1],\n"
    "     joint: {revolute: {axis: %s, motion: \"sin(2*pi*t)\"}}}\n"
    "  - {body: e, parent: c, mass: 1, center: [0.3, 0.1, 0], inertia: [1, 1, 0.8],\n"
    "     joint: {revolute: {axis: %s, motion: \"cos(2*pi*t)\"}}}\n";

static ElvModel* robot(const char* chain, const char* axis, const char* axis2) {
    char text[2048], tail[512];
    (void)snprintf(tail, sizeof tail, arms, axis, axis2);
    (void)snprintf(text, sizeof text, "elver: 1\nname: x\ngravity: [0, 0, 0]\ntree:\n%s%s", chain,
                   tail);
    return model_of(text);
}

static ElvLocomotionReport report_of(const ElvModel* model) {
    ElvLocomotionReport report;
    ElvState* state = NULL;
    ElvError error;
    CHECK_STATUS(elv_state_create(model, &state, &error), &error);
    CHECK_STATUS(elv_locomotion_classify(model, state, &report, &error), &error);
    elv_state_free(state);
    return report;
}

// ---- chains and one joint with the same freedoms

static const char planar[] =
    "  - {body: c, joint: planar, mass: 3, center: [0.1, 0, 0], inertia: [1, 1, 1]}\n";
static const char planar_chain[] =
    "  - {body: a, joint: {prismatic: {axis: x}}}\n"
    "  - {body: b, parent: a, joint: {prismatic: {axis: y}}}\n"
    "  - {body: c, parent: b, joint: {revolute: {axis: z}}, mass: 3, center: [0.1, 0, 0],\n"
    "     inertia: [1, 1, 1]}\n";
// the other way around, with a joint that does not move in between
static const char planar_chain2[] =
    "  - {body: a, joint: {revolute: {axis: z}}}\n"
    "  - {body: f, parent: a, joint: fixed}\n"
    "  - {body: b, parent: f, joint: {prismatic: {axis: [1, 1, 0]}}}\n"
    "  - {body: c, parent: b, joint: {prismatic: {axis: y}}, mass: 3, center: [0.1, 0, 0],\n"
    "     inertia: [1, 1, 1]}\n";
static const char ball[] =
    "  - {body: c, joint: spherical, mass: 3, center: [0.1, 0, 0], inertia: [1, 2, 1.5]}\n";
static const char ball_chain[] =
    "  - {body: a, joint: {revolute: {axis: x}}}\n"
    "  - {body: b, parent: a, joint: {revolute: {axis: y}}}\n"
    "  - {body: c, parent: b, joint: {revolute: {axis: z}}, mass: 3, center: [0.1, 0, 0],\n"
    "     inertia: [1, 2, 1.5]}\n";
static const char ball_chain2[] =
    "  - {body: a, joint: {universal: {axis: x, axis2: y}}}\n"
    "  - {body: c, parent: a, joint: {revolute: {axis: z}}, mass: 3, center: [0.1, 0, 0],\n"
    "     inertia: [1, 2, 1.5]}\n";
static const char loose[] =
    "  - {body: c, joint: free, mass: 3, center: [0.1, 0, 0], inertia: [1, 2, 1.5]}\n";
static const char loose_chain[] =
    "  - {body: a, joint: {prismatic: {axis: z}}}\n"
    "  - {body: b, parent: a, joint: planar}\n"
    "  - {body: c, parent: b, joint: {universal: {axis: x, axis2: y}}, mass: 3,\n"
    "     center: [0.1, 0, 0], inertia: [1, 2, 1.5]}\n";

// the cycle is integrated to 1e-11 in either: some 1e-11 apart
static void test_twins(void** unused) {
    (void)unused;
    static const struct {
        const char *chain, *twin, *group;
        const char *axis, *axis2;
        int n;
    } pair[] = {
        {planar_chain, planar, "SE(2)", "z", "z", 3}, {planar_chain2, planar, "SE(2)", "z", "z", 3},
        {ball_chain, ball, "SO(3)", "y", "z", 3},     {ball_chain2, ball, "SO(3)", "y", "z", 3},
        {loose_chain, loose, "SE(3)", "y", "z", 6},
    };
    for (size_t i = 0; i < sizeof pair / sizeof pair[0]; i++) {
        ElvModel* chain = robot(pair[i].chain, pair[i].axis, pair[i].axis2);
        ElvModel* twin = robot(pair[i].twin, pair[i].axis, pair[i].axis2);
        ElvLocomotionReport of_chain = report_of(chain), of_twin = report_of(twin);
        assert_string_equal(of_twin.group, pair[i].group);
        assert_string_equal(of_chain.group, pair[i].group);
        assert_string_equal(of_chain.root, "c");
        assert_int_equal(of_chain.n_group, pair[i].n);
        assert_int_equal(of_chain.n_other, 0);
        assert_int_equal(of_chain.n_imposed, 2);
        ElvGait one = cycle_of(chain, ELV_CONNECTION_MECHANICAL, 1.0);
        ElvGait other = cycle_of(twin, ELV_CONNECTION_MECHANICAL, 1.0);
        ElvTwist net = elv_se3_log(other.net);
        CHECK_TRUE(elv_vec3_norm(net.ang) > 1e-4);
        CHECK_ARRAY_NEAR(&one.net.p.x, &other.net.p.x, 3, 1e-10);
        CHECK_ARRAY_NEAR(&one.net.R.m[0][0], &other.net.R.m[0][0], 9, 1e-10);
        elv_model_free(chain);
        elv_model_free(twin);
    }
}

// ---- names

static void test_names(void** unused) {
    (void)unused;
    static const char body[] = "mass: 1, inertia: [1, 1, 1]";
    static const struct {
        const char* joint[4]; // of a chain of bodies b0, b1, ..., 0.3 m apart along x
        const char *group, *root;
        int n_group, n_other;
    } chain[] = {
        {{"{prismatic: {axis: x}}"}, "R", "b0", 1, 0},
        {{"{prismatic: {axis: x}}", "{prismatic: {axis: y}}"}, "R^2", "b1", 2, 0},
        {{"{prismatic: {axis: x}}", "{prismatic: {axis: y}}", "{prismatic: {axis: [1, 1, 1]}}"},
         "R^3",
         "b2",
         3,
         0},
        {{"{revolute: {axis: z}}"}, "SO(2)", "b0", 1, 0},
        {{"{cylindrical: {axis: z}}"}, "R x SO(2)", "b0", 2, 0},
        {{"{helical: {axis: z, pitch: 0.1}}"}, "R", "b0", 1, 0},
        {{"{universal: {axis: x, axis2: y}}"}, "", "b0", 2, 0},
        {{"planar", "{prismatic: {axis: z}}"}, "SE(2) x R", "b1", 4, 0},
        // a pendulum on a cart, and one of two parts: the rest is no group
        {{"{prismatic: {axis: x}}", "{revolute: {axis: y}}"}, "R", "b0", 1, 1},
        {{"{revolute: {axis: z}}", "{revolute: {axis: z}}"}, "SO(2)", "b0", 1, 1},
        // three parallel hinges span se(2) without sliding
        {{"{revolute: {axis: z}}", "{revolute: {axis: z}}", "{revolute: {axis: z}}"},
         "SO(2)",
         "b0",
         1,
         2},
        // a plane that climbs as it turns
        {{"{helical: {axis: z, pitch: 0.1}}", "{prismatic: {axis: x}}", "{prismatic: {axis: y}}"},
         "R",
         "b0",
         1,
         2},
        // axes that do not meet; a hinge that adds nothing
        {{"{revolute: {axis: x}}", "{revolute: {axis: y}}", "{revolute: {axis: z}}"},
         "SO(2)",
         "b0",
         1,
         2},
        {{"planar", "{revolute: {axis: z}}"}, "SE(2)", "b0", 3, 1},
        // imposed from there on
        {{"{prismatic: {axis: x}}", "{prismatic: {axis: y, motion: \"sin(t)\"}}"}, "R", "b0", 1, 0},
        {{"{revolute: {axis: z, motion: \"sin(t)\"}}", "planar"}, "", "", 0, 3},
    };
    for (size_t i = 0; i < sizeof chain / sizeof chain[0]; i++) {
        char text[2048] = "elver: 1\nname: x\ngravity: [0, 0, 0]\ntree:\n";
        for (int k = 0; k < 4 && chain[i].joint[k]; k++) {
            char place[64] = "";
            size_t n = strlen(text);
            if (k > 0) {
                (void)snprintf(place, sizeof place, "parent: b%d, pose: {xyz: [0.3, 0, 0]}, ",
                               k - 1);
            }
            (void)snprintf(text + n, sizeof text - n, "  - {body: b%d, %sjoint: %s, %s}\n", k,
                           place, chain[i].joint[k], body);
        }
        ElvModel* model = model_of(text);
        ElvLocomotionReport report = report_of(model);
        assert_string_equal(report.group, chain[i].group);
        assert_string_equal(report.root, chain[i].root);
        assert_int_equal(report.n_group, chain[i].n_group);
        assert_int_equal(report.n_other, chain[i].n_other);
        elv_model_free(model);
    }
}

// a branch ends the chain: what it carries is not carried by the rest
static void test_branch(void** unused) {
    (void)unused;
    ElvModel* model =
        model_of("elver: 1\nname: x\ngravity: [0, 0, 0]\ntree:\n"
                 "  - {body: a, joint: {prismatic: {axis: x}}, mass: 1, inertia: [1, 1, 1]}\n"
                 "  - {body: b, parent: a, joint: {prismatic: {axis: y}}, mass: 1}\n"
                 "  - {body: c, parent: a, joint: {prismatic: {axis: y}}, mass: 1}\n");
    ElvLocomotionReport report = report_of(model);
    assert_string_equal(report.group, "R");
    assert_string_equal(report.root, "a");
    assert_int_equal(report.n_other, 2);
    elv_model_free(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_twins),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_branch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
