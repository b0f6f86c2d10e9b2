// SPDX-License-Identifier: Apache-2.0
// From a spec to a model: frame references and where they lead, the order of the elements, the
// stations of rods, and what is said of references that lead nowhere.
#include "robot.h"

// ---- a spec to build on

static ElvBodyDef body_def(const char* name, const char* parent) {
    ElvBodyDef def = elv_body_def_default();
    def.name = name;
    def.parent = parent;
    def.joint.type = ELV_JOINT_REVOLUTE;
    def.pose.p = elv_vec3(0.3, 0.1, 0.0);
    def.center = elv_vec3(0.1, 0.0, 0.0);
    def.mass = 1.0;
    return def;
}

static void put_body(ElvSpec* spec, const char* name, const char* parent) {
    ElvBodyDef def = body_def(name, parent);
    add_body(spec, &def);
}

static void put_rod(ElvSpec* spec, const char* name, const char* parent) {
    ElvElementDef element = elv_element_def_default();
    element.modes[ELV_STRAIN_BEND_Y] = 2;
    element.modes[ELV_STRAIN_BEND_Z] = 2;
    ElvRodDef def = elv_rod_def_default();
    def.name = name;
    def.parent = parent;
    def.length = 0.8;
    def.section.kind = ELV_SECTION_CIRCLE;
    def.section.outer[0] = elv_law_def_value(0.02);
    def.material.density = 1000.0;
    def.material.young = 1e6;
    def.element = &element;
    def.n_element = 1;
    add_rod(spec, &def);
}

static void put_frame(ElvSpec* spec, const char* name, const char* on, double x) {
    ElvError error;
    ElvFrameDef def = elv_frame_def_default();
    def.name = name;
    def.on = on;
    def.pose = elv_se3_exp(elv_twist(elv_vec3(0.2, x, 0.1), elv_vec3(x, 0.5, 0.0)));
    CHECK_STATUS(elv_spec_add_frame(spec, &def, &error), &error);
}

static void put_load(ElvSpec* spec, const char* at) {
    ElvError error;
    ElvWrenchDef def = elv_wrench_def_default();
    def.at = at;
    CHECK_STATUS(elv_spec_add_wrench(spec, &def, &error), &error);
}

static void put_distributed(ElvSpec* spec, const char* rod) {
    ElvError error;
    ElvDistributedDef def = elv_distributed_def_default();
    def.rod = rod;
    CHECK_STATUS(elv_spec_add_distributed(spec, &def, &error), &error);
}

static void put_stress(ElvSpec* spec, const char* rod) {
    ElvError error;
    ElvStressDef def = elv_stress_def_default();
    def.rod = rod;
    CHECK_STATUS(elv_spec_add_stress(spec, &def, &error), &error);
}

static void put_signal(ElvSpec* spec, const char* signal) {
    ElvError error;
    ElvRecordDef def = elv_record_def_default();
    def.signal = &signal;
    def.n_signal = 1;
    CHECK_STATUS(elv_spec_set_record(spec, &def, &error), &error);
}

/// upper - arm - hand, and a frame on the arm
static ElvSpec* arm_spec(void) {
    ElvSpec* spec = new_spec();
    put_body(spec, "upper", "world");
    put_rod(spec, "arm", "upper");
    put_body(spec, "hand", "arm.tip");
    put_frame(spec, "camera", "arm.at(0.5)", 0.1);
    return spec;
}

// ---- order

static int node_index(const ElvModel* model, const char* name) {
    for (int i = 0; i < elv_model_n_node(model); i++) {
        if (strcmp(elv_model_node(model, i).name, name) == 0) {
            return i;
        }
    }
    return -1;
}

static ElvVec3 position_of(const Robot* robot, const char* frame) {
    return elv_frame_pose(robot->model, robot->data, frame_of(robot, frame)).p;
}

// coordinates by name, so that the order of the nodes does not matter
static void set_coordinates(const Robot* robot) {
    for (int i = 0; i < elv_model_n_node(robot->model); i++) {
        ElvNodeInfo node = elv_model_node(robot->model, i);
        for (int k = 0; k < node.n_q; k++) {
            robot->state->q[node.i_q + k] = 0.1 * node.name[0] - 10.0 + 0.3 * k;
        }
    }
    elv_kinematics(robot->model, robot->data, robot->state);
}

// parents come first whatever the order in which the elements were given, which is kept otherwise
static void test_order(void** context) {
    (void)context;
    ElvSpec* spec = new_spec();
    put_body(spec, "d", "c.at(0.5)");
    put_rod(spec, "c", "b");
    put_body(spec, "b", "e");
    put_body(spec, "a", "world");
    put_frame(spec, "e", "a", 0.2);
    put_body(spec, "f", "world");
    Robot backward = robot_compile(spec);
    spec = new_spec();
    put_body(spec, "a", "world");
    put_frame(spec, "e", "a", 0.2);
    put_body(spec, "b", "e");
    put_rod(spec, "c", "b");
    put_body(spec, "d", "c.at(0.5)");
    put_body(spec, "f", "world");
    Robot forward = robot_compile(spec);
    static const char* const given[] = {"a", "b", "c", "d", "f"};
    for (int i = 0; i < 5; i++) {
        assert_string_equal(elv_model_node(forward.model, i).name, given[i]);
    }
    const ElvModel* model = backward.model;
    CHECK_TRUE(node_index(model, "a") < node_index(model, "b"));
    CHECK_TRUE(node_index(model, "b") < node_index(model, "c"));
    CHECK_TRUE(node_index(model, "c") < node_index(model, "d"));
    CHECK_TRUE(node_index(model, "a") < node_index(model, "f"));
    set_coordinates(&backward);
    set_coordinates(&forward);
    static const char* const frame[] = {"a", "b", "c.tip", "d", "e", "f"};
    for (int i = 0; i < 6; i++) {
        ElvVec3 d = elv_vec3_sub(position_of(&backward, frame[i]), position_of(&forward, frame[i]));
        CHECK_NEAR(elv_vec3_norm(d), 0.0, 1e-14);
    }
    robot_free(&backward);
    robot_free(&forward);
}

// ---- frames and stations

static void test_frames(void** context) {
    (void)context;
    ElvSpec* spec = arm_spec();
    put_frame(spec, "lens", "camera", 0.3);
    put_frame(spec, "mark", "world", 0.4);
    put_body(spec, "eye", "lens");
    Robot robot = robot_compile(spec);
    set_coordinates(&robot);
    // a frame on a frame: the poses compose, and both sit on the same section
    ElvPose camera = elv_se3_exp(elv_twist(elv_vec3(0.2, 0.1, 0.1), elv_vec3(0.1, 0.5, 0.0)));
    ElvPose lens = elv_se3_exp(elv_twist(elv_vec3(0.2, 0.3, 0.1), elv_vec3(0.3, 0.5, 0.0)));
    ElvPose mark = elv_se3_exp(elv_twist(elv_vec3(0.2, 0.4, 0.1), elv_vec3(0.4, 0.5, 0.0)));
    ElvPose section;
    int i_arm = node_index(robot.model, "arm");
    elv_rod_section(robot.model, robot.data, robot.state, i_arm, 0.5, &section, NULL, NULL);
    ElvPose expected = elv_pose_compose(section, elv_pose_compose(camera, lens));
    ElvPose found = elv_frame_pose(robot.model, robot.data, frame_of(&robot, "lens"));
    CHECK_ARRAY_NEAR((double*)&found, (double*)&expected, 12, 1e-11);
    CHECK_TRUE(frame_of(&robot, "lens").port == frame_of(&robot, "arm.at(0.5)").port);
    found = elv_frame_pose(robot.model, robot.data, frame_of(&robot, "mark"));
    CHECK_ARRAY_NEAR((double*)&found, (double*)&mark, 12, 1e-14);
    // a child of a frame: g = g_frame  pose  joint(q)
    ElvNodeInfo eye = elv_model_node(robot.model, node_index(robot.model, "eye"));
    ElvPose joint =
        elv_pose(elv_so3_exp(elv_vec3(0.0, 0.0, robot.state->q[eye.i_q])), elv_vec3(0.3, 0.1, 0.0));
    expected = elv_pose_compose(expected, joint);
    found = elv_frame_pose(robot.model, robot.data, frame_of(&robot, "eye"));
    CHECK_ARRAY_NEAR((double*)&found, (double*)&expected, 12, 1e-11);
    assert_string_equal(eye.parent, "lens");
    robot_free(&robot);
}

// stations of children, frames, loads and signals, each once, ends always
static void test_stations(void** context) {
    (void)context;
    ElvSpec* spec = arm_spec();
    put_body(spec, "thumb", "arm.at(0.25)");
    put_load(spec, "arm.at(0.50)");
    put_load(spec, "arm.at(0.75)");
    put_signal(spec, "arm.at(0.1).position.x");
    Robot robot = robot_compile(spec);
    static const char* const known[] = {"arm.root",    "arm.at(0.1)",  "arm.at(0.25)",
                                        "arm.at(0.5)", "arm.at(0.75)", "arm.tip"};
    int first = frame_of(&robot, "arm.root").port;
    for (int i = 0; i < 6; i++) {
        CHECK_TRUE(frame_of(&robot, known[i]).port == first + i);
    }
    CHECK_TRUE(frame_of(&robot, "arm.at(0)").port == first);
    CHECK_TRUE(frame_of(&robot, "arm.at(1)").port == first + 5);
    robot_free(&robot);
}

static void test_model_frame_errors(void** context) {
    (void)context;
    static const struct {
        const char *reference, *word;
    } bad[] = {
        {"arm.at(0.3)", "station 0.3 of rod 'arm' is not known"},
        {"arm", "'arm' is a rod: say where on it, e.g. 'arm.tip'"},
        {"hand.tip", "'hand' is not a rod"},
        {"hnad", "did you mean 'hand'?"},
        {"camra", "did you mean 'camera'?"},
        {"zzz", "no body, rod or frame is named 'zzz'"},
        {"arm.at(1.5)", "no body, rod or frame"},
        {"", "no body, rod or frame"},
    };
    Robot robot = robot_compile(arm_spec());
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ElvError error;
        ElvFrame frame;
        ElvStatus status = elv_model_frame(robot.model, bad[i].reference, &frame, &error);
        assert_int_equal(status, ELV_ERROR_INPUT);
        if (!strstr(error.message, bad[i].word)) {
            print_error("'%s': %s\n", bad[i].reference, error.message);
            fail();
        }
    }
    robot_free(&robot);
}

// a rod with a root joint is two nodes; a spec without elements is a model without coordinates
static void test_nodes(void** context) {
    (void)context;
    ElvElementDef element = elv_element_def_default();
    ElvRodDef def = elv_rod_def_default();
    def.name = "rod";
    def.length = 1.0;
    def.joint.type = ELV_JOINT_SPHERICAL;
    def.stiffness.n = def.inertia.n = 6;
    for (int k = 0; k < 6; k++) {
        def.inertia.entry[k] = elv_law_def_value(1.0);
    }
    def.element = &element;
    def.n_element = 1;
    ElvSpec* spec = new_spec();
    add_rod(spec, &def);
    Robot robot = robot_compile(spec);
    CHECK_TRUE(elv_model_n_node(robot.model) == 2 && robot.nq == 4 && robot.nv == 3);
    ElvNodeInfo joint = elv_model_node(robot.model, 0);
    ElvNodeInfo rod = elv_model_node(robot.model, 1);
    assert_string_equal(joint.name, "rod.joint");
    assert_string_equal(joint.parent, "world");
    assert_string_equal(rod.name, "rod");
    assert_string_equal(rod.parent, "rod.joint");
    CHECK_TRUE(joint.joint == ELV_JOINT_SPHERICAL && rod.is_rod && !joint.is_rod);
    robot_free(&robot);
    robot = robot_compile(new_spec());
    CHECK_TRUE(robot.nq == 0 && robot.nv == 0 && elv_model_n_node(robot.model) == 0);
    CHECK_NEAR(elv_energy(robot.model, robot.data, robot.state).kinetic, 0.0, 0.0);
    robot_free(&robot);
}

// ---- references that lead nowhere

// the spec does not compile, for this reason; frees it
static void
check_refused(ElvSpec* spec, const char* element, const char* field, const char* word, int line) {
    ElvError error;
    ElvModel* model = (ElvModel*)spec;
    ElvStatus status = elv_spec_compile(spec, &model, &error);
    if (status != ELV_ERROR_INPUT || model || strcmp(error.element, element) != 0 ||
        strcmp(error.field, field) != 0 || !strstr(error.message, word)) {
        print_error("line %d: status %d at '%s'.'%s': %s\n", line, (int)status, error.element,
                    error.field, error.message);
        _fail(__FILE__, line);
    }
    elv_spec_free(spec);
}

/// The arm with one more statement, refused.
#define REFUSED(statement, element, field, word)                                                   \
    do {                                                                                           \
        ElvSpec* spec = arm_spec();                                                                \
        statement;                                                                                 \
        check_refused(spec, element, field, word, __LINE__);                                       \
    } while (0)

static void test_bad_references(void** context) {
    (void)context;
    const char* expected = "is no frame: expected";
    REFUSED(put_body(spec, "x", "uper"), "x", "parent", "did you mean 'upper'?");
    REFUSED(put_body(spec, "x", "camrea"), "x", "parent", "did you mean 'camera'?");
    REFUSED(put_body(spec, "x", "wrold"), "x", "parent", "did you mean 'world'?");
    REFUSED(put_body(spec, "x", "qqqqqq"), "x", "parent",
            "no body, rod or frame is named 'qqqqqq'");
    REFUSED(put_body(spec, "x", "arm"), "x", "parent", "'arm.tip', 'arm.root' or 'arm.at(0.5)'");
    REFUSED(put_body(spec, "x", "hand.tip"), "x", "parent", "has no stations: write 'hand'");
    REFUSED(put_body(spec, "x", "camera.tip"), "x", "parent", "has no stations: write 'camera'");
    REFUSED(put_body(spec, "x", "world.tip"), "x", "parent", "has no stations");
    REFUSED(put_body(spec, "x", "arm.at(1.01)"), "x", "parent", expected);
    REFUSED(put_body(spec, "x", "arm.at(-0.1)"), "x", "parent", expected);
    REFUSED(put_body(spec, "x", "arm.at(nan)"), "x", "parent", expected);
    REFUSED(put_body(spec, "x", "arm.at(half)"), "x", "parent", expected);
    REFUSED(put_body(spec, "x", "arm.at(0x1p-1)"), "x", "parent", expected);
    REFUSED(put_body(spec, "x", "arm.at(0,5)"), "x", "parent", expected);
    REFUSED(put_body(spec, "x", "arm.at(0.5"), "x", "parent", expected);
    REFUSED(put_body(spec, "x", "arm.middle"), "x", "parent", expected);
    REFUSED(put_body(spec, "x", "arm.tip.tip"), "x", "parent", expected);
    REFUSED(put_body(spec, "x", " arm.tip"), "x", "parent", expected);
    REFUSED(put_rod(spec, "x", "amr.tip"), "x", "parent", "did you mean 'arm'?");
    REFUSED(put_frame(spec, "x", "hnad", 0.0), "x", "on", "did you mean 'hand'?");
    REFUSED(put_frame(spec, "x", "arm", 0.0), "x", "on", "say where on it");
    REFUSED(put_load(spec, "hadn"), "loads[0]", "at", "did you mean 'hand'?");
    REFUSED((put_load(spec, "hand"), put_load(spec, "arm")), "loads[1]", "at", "say where on it");
    REFUSED(put_distributed(spec, "amr"), "loads[0]", "rod", "did you mean 'arm'?");
    // only rods are suggested where a rod is needed
    REFUSED(put_distributed(spec, "uper"), "loads[0]", "rod", "no rod is named 'uper'");
    REFUSED((put_load(spec, "hand"), put_distributed(spec, "hand")), "loads[1]", "rod",
            "'hand' is a body, but a rod is needed here");
    REFUSED(put_stress(spec, "amr"), "actuators[0]", "rod", "did you mean 'arm'?");
    REFUSED(put_stress(spec, "upper"), "actuators[0]", "rod", "is a body");
    REFUSED(put_signal(spec, "hadn.position"), "record", "signals[0]", "hand");
    REFUSED(put_signal(spec, "amr.at(0.3).position"), "record", "signals[0]", "arm");
}

static void test_cycles(void** context) {
    (void)context;
    const char* word = "cycle";
    REFUSED(put_body(spec, "x", "x"), "x", "parent", word);
    REFUSED((put_body(spec, "x", "y"), put_body(spec, "y", "x")), "x", "parent", word);
    REFUSED((put_rod(spec, "x", "z"), put_body(spec, "y", "x.tip"), put_body(spec, "z", "y")), "x",
            "parent", word);
    // through a frame
    REFUSED((put_body(spec, "x", "mark"), put_frame(spec, "mark", "x", 0.0)), "x", "parent", word);
    // frames alone
    REFUSED(put_frame(spec, "mark", "mark", 0.0), "mark", "on", word);
    REFUSED((put_frame(spec, "m", "n", 0.0), put_frame(spec, "n", "m", 0.0)), "m", "on", word);
    REFUSED((put_frame(spec, "m", "m", 0.0), put_body(spec, "x", "m")), "x", "parent", word);
}

// laws that do not parse, or depend on what they may not
static void put_driven(ElvSpec* spec, const char* law) {
    ElvBodyDef def = body_def("x", "hand");
    def.joint.drive = ELV_DRIVE_FORCE;
    def.joint.law[0] = elv_law_def_formula(law);
    add_body(spec, &def);
}

static void test_bad_laws(void** context) {
    (void)context;
    REFUSED(put_driven(spec, "2*"), "x", "joint.force", "");
    REFUSED(put_driven(spec, "sin(s)"), "x", "joint.force", "");
    REFUSED(put_driven(spec, "amplitude*t"), "x", "joint.force", "amplitude");
    REFUSED(elv_spec_set_gravity(spec, elv_vec3(0.0, NAN, 0.0)), "", "gravity", "finite");
}

// the model stands alone: nothing of the spec is needed afterwards, and the spec can be used again
static void test_independence(void** context) {
    (void)context;
    ElvError error;
    ElvSpec* spec = arm_spec();
    ElvModel* first = NULL;
    CHECK_STATUS(elv_spec_compile(spec, &first, &error), &error);
    put_body(spec, "finger", "hand");
    Robot second = robot_compile(spec);
    Robot robot = robot_of(first);
    CHECK_TRUE(robot.nv == 6 && second.nv == 7);
    set_coordinates(&robot);
    set_coordinates(&second);
    ElvVec3 d = elv_vec3_sub(position_of(&robot, "hand"), position_of(&second, "hand"));
    CHECK_NEAR(elv_vec3_norm(d), 0.0, 1e-14);
    assert_string_equal(elv_model_name(robot.model), "test");
    robot_free(&robot);
    robot_free(&second);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),        cmocka_unit_test(test_frames),
        cmocka_unit_test(test_stations),     cmocka_unit_test(test_model_frame_errors),
        cmocka_unit_test(test_nodes),        cmocka_unit_test(test_bad_references),
        cmocka_unit_test(test_cycles),       cmocka_unit_test(test_bad_laws),
        cmocka_unit_test(test_independence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
