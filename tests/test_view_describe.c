// SPDX-License-Identifier: Apache-2.0
// Descriptions of views: JSON for every model that there is, with every number of a record in one place, names that
// hold anything; and every model can be looked at as it starts.
#include "view_case.h"

#include "json_text.h"
#include "model_files.h"

static char* describe(const ElvView* view) {
    ElvError error;
    char* json = NULL;
    CHECK_STATUS(elv_view_describe(view, &json, &error), &error);
    CHECK_TRUE(json_is_good(json));
    return json;
}

// count the numbers of a record that the description places
typedef struct {
    int n;
    int* count; // (n)
} Places;

static void place(Places* places, double index, int n) {
    int i = (int)index;
    for (int k = 0; k < n; k++) {
        CHECK_TRUE(i + k >= 0 && i + k < places->n);
        places->count[i + k]++;
    }
}

static void place_rod(Places* places, const char* rod) {
    static const char* const fields[] = {"twist",          "bend_y",         "bend_z",
                                         "stretch",        "shear_y",        "shear_z",
                                         "stress.twist",   "stress.bend_y",  "stress.bend_z",
                                         "stress.stretch", "stress.shear_y", "stress.shear_z"};
    int n = json_count(json_member(rod, "stations"));
    const char* width = json_member(rod, "width");
    CHECK_TRUE(n >= 2 && json_count(width) == 2);
    CHECK_TRUE(json_count(json_element(width, 0)) == n && json_count(json_element(width, 1)) == n);
    place(places, json_get(rod, "pose"), 7 * n);
    for (int k = 0; k < 12; k++) {
        const char* at = json_member(json_member(rod, "fields"), fields[k]);
        if (at) {
            place(places, strtod(at, NULL), n);
        }
    }
    const char* scale = json_member(rod, "scale");
    if (strncmp(scale, "null", 4) != 0) {
        place(places, strtod(scale, NULL), n);
    }
}

static void place_list(Places* places, const char* json, const char* list, const char* key, int n) {
    const char* array = json_member(json, list);
    for (int i = 0; i < json_count(array); i++) {
        place(places, json_get(json_element(array, i), key), n);
    }
}

// every number has one place
static void check_places(const ElvView* view, const char* json) {
    Places places = {.n = elv_view_n_value(view)};
    places.count = calloc((size_t)places.n + 1, sizeof *places.count);
    const char* rods = json_member(json, "rods");
    const char* paths = json_member(json, "paths");
    CHECK_TRUE((int)json_get(json, "n_value") == places.n && json_get(json, "size") > 0.0);
    for (int i = 0; i < json_count(rods); i++) {
        place_rod(&places, json_element(rods, i));
    }
    for (int i = 0; i < json_count(paths); i++) {
        const char* path = json_element(paths, i);
        place(&places, json_get(path, "points"), 3 * (int)json_get(path, "n"));
        CHECK_TRUE(json_get(path, "n") >= 2.0 && json_get(path, "width") > 0.0);
    }
    place_list(&places, json, "bodies", "pose", 7);
    place_list(&places, json, "frames", "pose", 7);
    place_list(&places, json, "paths", "value", 1);
    place_list(&places, json, "arrows", "index", 6);
    place_list(&places, json, "signals", "index", 1);
    for (int i = 0; i < places.n; i++) {
        CHECK_TRUE(places.count[i] == 1);
    }
    free(places.count);
}

static void check_unit(const double* pose) {
    CHECK_NEAR(array_norm(pose + 3, 4), 1.0, 1e-9);
}

// the rod is gone through from root to tip; each section by itself is the same
static void check_section(const Seen* seen, const ElvViewRod* rod, int k) {
    ElvPose pose;
    elv_rod_section(seen->robot.model, seen->robot.data, seen->robot.state, rod->i_node,
                    rod->station[k], &pose, NULL, NULL);
    check_pose(seen->value + rod->i_pose + 7 * k, pose, 1e-9 * fmax(1.0, rod->length));
}

// the moving frame of a joint, as the body has it, is where the parent has it
static void check_joint(const Seen* seen, int i) {
    const ElvModel* model = seen->robot.model;
    const ElvViewBody* body = &seen->view->body[i];
    const ElvNode* node = &model->node[model->port[body->i_port].i_node];
    bool is_pivot = body->joint_type == ELV_JOINT_FIXED || body->joint_type == ELV_JOINT_REVOLUTE ||
                    body->joint_type == ELV_JOINT_UNIVERSAL ||
                    body->joint_type == ELV_JOINT_SPHERICAL;
    if (is_pivot) {
        ElvFrame own = {body->i_port, elv_pose_identity()};
        ElvFrame base = {node->parent_port, node->offset};
        ElvVec3 a = elv_pose_apply(elv_frame_pose(model, seen->robot.data, own), body->hinge);
        ElvVec3 b = elv_frame_pose(model, seen->robot.data, base).p;
        CHECK_NEAR(elv_vec3_norm(elv_vec3_sub(a, b)), 0.0, 1e-9 * fmax(1.0, seen->view->size));
    }
}

// as it starts: what is not finite would be a quaternion of 0
static void check_start(Seen* seen) {
    const ElvView* view = seen->view;
    look(seen);
    for (int i = 0; i < view->n_rod; i++) {
        for (int k = 0; k < view->rod[i].n_station; k++) {
            check_unit(seen->value + view->rod[i].i_pose + 7 * k);
            CHECK_TRUE(view->rod[i].width[0][k] > 0.0 && view->rod[i].width[1][k] > 0.0);
            check_section(seen, &view->rod[i], k);
        }
    }
    for (int i = 0; i < view->n_body; i++) {
        check_unit(seen->value + view->body[i].i_pose);
        check_joint(seen, i);
    }
    for (int i = 0; i < view->n_frame; i++) {
        check_unit(seen->value + view->frame[i].i_pose);
    }
}

static void test_all_models(void** context) {
    (void)context;
    static ModelFiles files;
    model_files_open(&files);
    CHECK_TRUE(files.n > 50);
    for (int i = 0; i < files.n; i++) {
        Seen seen = see(robot_of_text(files.text[i]), 0);
        char* json = describe(seen.view);
        check_places(seen.view, json);
        check_start(&seen);
        // curvatures that the nodes of a rod resolve
        shake(&seen.robot, (uint64_t)i + 1, 0.2 / fmax(1.0, seen.view->size));
        check_start(&seen);
        elv_text_free(json);
        see_free(&seen);
    }
    model_files_close(&files);
}

// ---- what is said

static void test_members(void** context) {
    (void)context;
    static const char text[] =
        "elver: 1\n"
        "name: \"a \\\"quoted\\\" \\\\ </script><!-- \\u00e4\"\n"
        "gravity: [0, 0, -9.81]\n"
        "fluid: {density: 1000, surface: 0.25}\n"
        "tree:\n"
        "  - {body: ball, joint: free, shape: {sphere: {radius: 0.1}}, density: 500}\n"
        "  - {body: box, shape: {box: {size: [0.1, 0.2, 0.3]}, pose: {xyz: [1, 2, 3]}}, mass: 1}\n"
        "  - {body: point, mass: 1}\n"
        "  - {body: pin, shape: {cylinder: {radius: 0.02, length: 0.5}}, mass: 1}\n"
        "record: {signals: [ball.position, energy.kinetic]}\n";
    Seen seen = see(robot_of_text(text), 0);
    char* json = describe(seen.view);
    // nothing that would end a script element
    CHECK_TRUE(!strchr(json, '<') && !strchr(json, '>'));
    CHECK_TRUE(strstr(json, "\"a \\\"quoted\\\" \\\\ \\u003c/script\\u003e\\u003c!-- \xc3\xa4\""));
    CHECK_TRUE(json_get(json, "format") == 1.0);
    CHECK_NEAR(json_get(json, "surface"), 0.25, 1e-12);
    CHECK_NEAR(strtod(json_element(json_member(json, "gravity"), 2), NULL), -9.81, 1e-12);
    const char* bodies = json_member(json, "bodies");
    CHECK_TRUE(json_count(bodies) == 4);
    const char* box = json_element(bodies, 1);
    CHECK_TRUE(strncmp(json_member(box, "shape"), "\"box\"", 5) == 0);
    CHECK_TRUE(json_count(json_member(box, "size")) == 3);
    CHECK_NEAR(strtod(json_element(json_member(box, "size"), 2), NULL), 0.3, 1e-12);
    CHECK_NEAR(strtod(json_element(json_member(box, "place"), 2), NULL), 3.0, 1e-12);
    CHECK_NEAR(strtod(json_element(json_member(box, "place"), 3), NULL), 1.0, 1e-12);
    CHECK_TRUE(json_count(json_member(json_element(bodies, 2), "size")) == 0);
    CHECK_TRUE(json_count(json_member(json_element(bodies, 3), "size")) == 2);
    const char* signals = json_member(json, "signals");
    CHECK_TRUE(json_count(signals) == 4);
    CHECK_TRUE(strncmp(json_member(json_element(signals, 3), "name"), "\"energy.kinetic\"", 16) ==
               0);
    CHECK_TRUE(strncmp(json_member(json_element(signals, 3), "unit"), "\"J\"", 3) == 0);
    elv_text_free(json);
    see_free(&seen);
}

static const char* named(const char* list, const char* name) {
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\"", name);
    for (int i = 0; i < json_count(list); i++) {
        const char* element = json_element(list, i);
        if (strncmp(json_member(element, "name"), quoted, strlen(quoted)) == 0) {
            return element;
        }
    }
    fail_msg("nothing is called %s", name);
    return NULL;
}

static void check_vec3(const char* array, double x, double y, double z) {
    double actual[3];
    double expected[3] = {x, y, z};
    CHECK_TRUE(json_count(array) == 3);
    for (int k = 0; k < 3; k++) {
        actual[k] = strtod(json_element(array, k), NULL);
    }
    // nine digits are written
    CHECK_ARRAY_NEAR(actual, expected, 3, 1e-8);
}

static const char sticks_text[] =
    "elver: 1\n"
    "gravity: [0, 0, -9.81]\n"
    "tree:\n"
    // hung at its upper end, with a child at the other one, a loop in between, a frame beside
    "  - {body: arm, pose: {xyz: [1, 2, 3], rpy: [0, 0, pi/2]}, joint: {revolute: {axis: x}},\n"
    "     body_pose: {xyz: [0, 0, -0.5]}, mass: 1, inertia: [1, 1, 1]}\n"
    "  - {body: hand, parent: arm, pose: {xyz: [0, 0, -0.5]}, joint: spherical, mass: 1,\n"
    "     center: [0.1, 0, -0.2], inertia: [1, 1, 1]}\n"
    "  - {body: buoy, joint: free, mass: 2, center: [0, 0.3, 0],\n"
    "     inertia: [2*0.05/5, 2*0.1/5, 2*0.13/5]}\n"
    "  - {body: box, joint: free, mass: 1, shape: {box: {size: [0.1, 0.2, 0.3]}}}\n"
    "  - {body: cart, joint: planar, mass: 1, inertia: [1, 1, 1]}\n"
    "  - {rod: beam, pose: {xyz: [0, 5, 0], rpy: [0, -pi/2, 0]}, length: 1, material: m,\n"
    "     section: {rectangle: {y: 0.02, z: 0.05}}, strain: {bend_y: 1}}\n"
    "materials: {m: {density: 1000, young: 1e6, poisson: 0.5}}\n"
    "frames:\n"
    "  - {name: elbow, on: arm, pose: {xyz: [0, 0.25, 0.1]}}\n"
    "  - {name: lid, on: box, pose: {xyz: [0, 0, 0.4]}}\n"
    "  - {name: eye, on: box, pose: {xyz: [0.6, 0, 0]}}\n"
    "  - {name: again, on: arm, pose: {xyz: [0, 0, -0.5]}}\n"
    "  - {name: hub, on: cart, pose: {xyz: [0, 0.3, 0], rpy: [0, 0, pi/2]}}\n"
    "  - {name: hook, on: world, pose: {xyz: [0, 0, 7]}}\n"
    "loops: [{loop: rope, joint: spherical, between: [hook, lid]}]\n"
    "constraints: [{wheel: left, at: hub, radius: 0.15}]\n";

// by hand, from the text above
static void test_sticks(void** context) {
    (void)context;
    Seen seen = see(robot_of_text(sticks_text), 0);
    char* json = describe(seen.view);
    const char* bodies = json_member(json, "bodies");
    const char* arm = named(bodies, "arm");
    const char* sticks = json_member(arm, "sticks");
    CHECK_TRUE(json_count(sticks) == 3);
    check_vec3(json_element(sticks, 0), 0, 0, 0.5);
    check_vec3(json_element(sticks, 1), 0, 0, -0.5);
    check_vec3(json_element(sticks, 2), 0, 0.25, 0.1);
    CHECK_TRUE(strncmp(json_member(json_member(arm, "hinge"), "type"), "\"revolute\"", 10) == 0);
    check_vec3(json_member(json_member(arm, "hinge"), "place"), 0, 0, 0.5);
    check_vec3(json_member(json_member(arm, "hinge"), "axis"), 1, 0, 0);
    // one joint and the centre of mass
    sticks = json_member(named(bodies, "hand"), "sticks");
    CHECK_TRUE(json_count(sticks) == 2);
    check_vec3(json_element(sticks, 0), 0, 0, 0);
    check_vec3(json_element(sticks, 1), 0.1, 0, -0.2);
    check_vec3(json_member(json_member(named(bodies, "hand"), "hinge"), "axis"), 0, 0, 0);
    // what floats has no joint; a body with a shape keeps where the loop holds it
    sticks = json_member(named(bodies, "buoy"), "sticks");
    CHECK_TRUE(json_count(sticks) == 1);
    check_vec3(json_element(sticks, 0), 0, 0.3, 0);
    // an ellipsoid of semi-axes a, b, c has m (b^2 + c^2) / 5 about x
    check_vec3(json_member(named(bodies, "buoy"), "spread"), 0.3, 0.2, 0.1);
    CHECK_TRUE(json_count(json_member(arm, "spread")) == 0);
    sticks = json_member(named(bodies, "box"), "sticks");
    CHECK_TRUE(json_count(sticks) == 1);
    check_vec3(json_element(sticks, 0), 0, 0, 0.4);
    elv_text_free(json);
    see_free(&seen);
}

static void test_wheels_and_anchors(void** context) {
    (void)context;
    Seen seen = see(robot_of_text(sticks_text), 0);
    char* json = describe(seen.view);
    // the axis of a wheel is the y axis of its frame, here -x of the cart
    const char* wheels = json_member(json, "wheels");
    CHECK_TRUE(json_count(wheels) == 1);
    const char* wheel = named(wheels, "left");
    CHECK_NEAR(json_get(wheel, "radius"), 0.15, 1e-9);
    check_vec3(json_member(wheel, "place"), 0, 0.3, 0);
    CHECK_NEAR(fabs(strtod(json_element(json_member(wheel, "axis"), 0), NULL)), 1.0, 1e-8);
    CHECK_TRUE(json_get(wheel, "pose") ==
               json_get(named(json_member(json, "bodies"), "cart"), "pose"));
    // along the hinge; up; along the rod
    const char* anchors = json_member(json, "anchors");
    CHECK_TRUE(json_count(anchors) == 3);
    check_vec3(json_member(named(anchors, "arm"), "place"), 1, 2, 3);
    check_vec3(json_member(named(anchors, "arm"), "axis"), 0, 1, 0);
    CHECK_NEAR(json_get(named(anchors, "arm"), "width"), 0.0, 0.0);
    check_vec3(json_member(named(anchors, "rope"), "place"), 0, 0, 7);
    check_vec3(json_member(named(anchors, "rope"), "axis"), 0, 0, 1);
    check_vec3(json_member(named(anchors, "beam"), "place"), 0, 5, 0);
    check_vec3(json_member(named(anchors, "beam"), "axis"), 0, 0, 1);
    CHECK_NEAR(json_get(named(anchors, "beam"), "width"), 0.05, 1e-9);
    elv_text_free(json);
    see_free(&seen);
}

// the test's own reader refuses what is not JSON
static void test_reader(void** context) {
    (void)context;
    CHECK_TRUE(json_is_good("{\"a\":[1,-2.5e3,null,{\"b\":\"x\\\"\"}],\"c\":{}}"));
    CHECK_TRUE(!json_is_good("{\"a\":nan}") && !json_is_good("{\"a\":1,}"));
    CHECK_TRUE(!json_is_good("[1,2") && !json_is_good("{\"a\" 1}") && !json_is_good("\"\n\""));
    CHECK_TRUE(!json_is_good("[1] 2") && !json_is_good("[1 2]"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reader),     cmocka_unit_test(test_members),
        cmocka_unit_test(test_sticks),     cmocka_unit_test(test_wheels_and_anchors),
        cmocka_unit_test(test_all_models),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
