// SPDX-License-Identifier: Apache-2.0
// What the URDF reader says of bad robots: every kind of error has its line, its column and a
// message that helps. Lines and columns are counted by hand in the texts.
#include "bad_file.h"

#include "io/xml_tree.h"

#include <stdlib.h>

// a robot that begins on line 1; what follows begins on line 2
#define ROBOT "<robot name='r'>\n"
// two links, on line 2; what follows begins on line 3
#define LINKS ROBOT "<link name='a'/><link name='b'/>\n"
// a joint without its end tag, on line 3; what follows begins on line 4
#define JOINT(type) LINKS "<joint name='j' type='" type "'><parent link='a'/><child link='b'/>\n"
#define END         "</robot>\n"
#define END_JOINT   "</joint>" END
#define INERTIA     "<inertia ixx='1' iyy='1' izz='1'/>"

static void check_bad(const BadFile* files, size_t n) {
    for (size_t i = 0; i < n; i++) {
        ElvModel* model = NULL;
        ElvError error;
        char message[1024];
        ElvStatus status = elv_model_read_text(files[i].text, strlen(files[i].text), "x.urdf", NULL,
                                               0, &model, &error);
        elv_error_format(&error, message, sizeof message);
        elv_model_free(model);
        if (status != ELV_ERROR_INPUT || error.line != files[i].line ||
            error.column != files[i].column || !strstr(message, files[i].message)) {
            fail_msg("%s\nexpected at %d:%d: %s\nfor:\n%s", message, files[i].line, files[i].column,
                     files[i].message, files[i].text);
        }
        assert_string_equal(error.file, "x.urdf");
    }
}

#define CHECK_BAD(files) check_bad((files), sizeof(files) / sizeof(files)[0])

// ---- text

static void test_xml(void** state) {
    (void)state;
    const BadFile files[] = {
        {"", 1, 1, "x.urdf:1:1: not XML in UTF-8: no element found"},
        {"elver: 1\n", 1, 1, "not XML"},
        {ROBOT "<link name='a'></robot>\n", 2, 18, "not XML in UTF-8: mismatched tag"},
        {ROBOT "<link name='a'/>\n", 3, 1, "no element found"},
        {ROBOT "<link name='a' name='b'/>" END, 2, 16, "duplicate attribute"},
        {ROBOT "<link name='\xFF'/>" END, 2, 13, "invalid token"},
        {ROBOT "<link name='&x;'/>" END, 2, 1, "undefined entity"},
        {"<!DOCTYPE robot [<!ENTITY a 'b'>]>\n" ROBOT END, 1, 17, "<!DOCTYPE ...>"},
        {"<sdf/>\n", 1, 1, "a URDF is one <robot>, found <sdf>"},
        {ROBOT "<xacro:macro/>" END, 2, 1, "this is xacro"},
        {ROBOT "<lnik name='a'/>" END, 2, 1, "unknown element <lnik>, did you mean <link>?"},
    };
    CHECK_BAD(files);
}

// a billion laughs are refused before they are told
static void test_entities(void** state) {
    (void)state;
    const BadFile files[] = {
        {"<?xml version='1.0'?>\n<!DOCTYPE lolz [<!ENTITY lol 'lol'><!ENTITY l1 "
         "'&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;'><!ENTITY l2 "
         "'&l1;&l1;&l1;&l1;&l1;&l1;&l1;&l1;&l1;&l1;'>]>\n<robot name='&l2;'/>\n",
         2, 16, "document types"},
        {"<!DOCTYPE robot SYSTEM '/etc/passwd'>\n<robot name='x'/>\n", 1, 37, "document types"},
    };
    CHECK_BAD(files);
}

static void fail_size(const char* head, const char* item, int n, const char* message) {
    size_t size = strlen(head) + (size_t)n * strlen(item) + 1;
    char* text = calloc(1, size);
    assert_non_null(text);
    memcpy(text, head, strlen(head));
    for (int i = 0; i < n; i++) {
        memcpy(text + strlen(head) + (size_t)i * strlen(item), item, strlen(item));
    }
    ElvModel* model = NULL;
    ElvError error;
    ElvStatus status = elv_model_read_text(text, size - 1, "x.urdf", NULL, 0, &model, &error);
    free(text);
    CHECK_TRUE(status == ELV_ERROR_INPUT && error.line >= 1);
    if (!strstr(error.message, message)) {
        fail_msg("%s\nexpected: %s", error.message, message);
    }
}

static void test_limits(void** state) {
    (void)state;
    fail_size(ROBOT, "<a>", 100, "nested too deep (limit 64)");
    fail_size(ROBOT, "<a>", 3000000, "nested too deep (limit 64)");
    fail_size(ROBOT, "<a/>", 200001, "too many elements (limit 200000)");
    fail_size(ROBOT, "        ", 2100000, "too large (limit 16 MiB)");

    // too many links, each with a name of its own
    size_t size = 5000 * 32;
    char* text = calloc(1, size);
    assert_non_null(text);
    size_t used = (size_t)snprintf(text, size, "<robot name='r'>");
    for (int i = 0; i < 4097; i++) {
        used += (size_t)snprintf(text + used, size - used, "<link name='l%d'/>\n", i);
    }
    used += (size_t)snprintf(text + used, size - used, "</robot>\n");
    fail_size(text, "", 0, "too many links (limit 4096)");
    free(text);
}

// ---- tree

static void test_tree(void** state) {
    (void)state;
    const BadFile files[] = {
        {ROBOT END, 1, 1, "the robot has no links"},
        {ROBOT "<link/>" END, 2, 1, "<link> needs name"},
        {ROBOT "<link name=''/>" END, 2, 1, "<link> needs name"},
        {ROBOT "<link name='a'/>\n<link name='a'/>" END, 3, 1,
         "two links 'a' (the first on line 2)"},
        {LINKS END, 2, 17, "link 'b' is carried by no joint, and neither is 'a'"},
        {LINKS "<joint type='fixed'/>" END, 3, 1, "<joint> needs name"},
        {LINKS "<joint name='j' type='fixed'/>" END, 3, 1, "j: a joint needs <parent link"},
        {LINKS "<joint name='j' type='fixed'><parent link='a'/>\n<child/>" END_JOINT, 4, 1,
         "j: a joint needs <child link"},
        {ROBOT "<link name='base'/><link name='b'/>\n<joint name='j' type='fixed'><parent "
               "link='bsae'/><child link='b'/>" END_JOINT,
         3, 44, "there is no link 'bsae', did you mean 'base'?"},
        {LINKS "<joint name='j' type='fixed'><parent link='wall'/><child link='b'/>" END_JOINT, 3,
         44, "there is no link 'wall': add"},
        {JOINT("fixed") "</joint><joint name='j'/>" END, 4, 9, "two joints 'j'"},
        {JOINT("fixed") "</joint><joint name='k'><parent link='a'/><child link='b'/>" END_JOINT, 4,
         9, "k: link 'b' has two parents, by this joint and by 'j'"},
        {JOINT("fixed") "</joint><joint name='k'><parent link='b'/><child link='a'/>" END_JOINT, 2,
         1, "joints run in a circle"},
        {ROBOT "<link name='root'/>" // the others follow on the same line
               "<link name='a'/><link name='b'/>\n<joint name='j' type='fixed'><parent "
               "link='a'/><child link='b'/></joint>\n<joint name='k' type='fixed'><parent "
               "link='b'/><child link='a'/>" END_JOINT,
         4, 1, "carry link 'a' run in a circle and never reach the root 'root'"},
        {ROBOT "<link name='a'/>\n<joint name='j' type='fixed'><parent link='a'/><child "
               "link='a'/>" END_JOINT,
         2, 1, "joints run in a circle"},
        {ROBOT "<link name='world'><inertial><mass value='1'/>" INERTIA "</inertial></link>" END, 2,
         1, "the root link is called 'world'"},
        {ROBOT "<link name='a b'/><link name='a/b'/>\n<joint name='j' type='fixed'><parent "
               "link='a b'/><child link='a/b'/>" END_JOINT,
         2, 19, "names must be unique"},
    };
    CHECK_BAD(files);
}

// ---- links and joints

static void test_links(void** state) {
    (void)state;
    const BadFile files[] = {
        {ROBOT "<link name='a'>\n<inertial/></link>" END, 3, 1, "a: <inertial> needs <mass"},
        {ROBOT "<link name='a'>\n<inertial><mass value='1'/></inertial></link>" END, 3, 1,
         "<inertial> needs <inertia"},
        {ROBOT "<link name='a'><inertial>\n<mass value='-1'/>" INERTIA "</inertial></link>" END, 3,
         14, "a: mass must not be negative"},
        {ROBOT "<link name='a'><inertial>\n<mass value='nan'/>" INERTIA "</inertial></link>" END, 3,
         14, "a: 'value' is a finite number, found 'nan'"},
        {ROBOT "<link name='a'><inertial>\n<mass value='1e999'/>" INERTIA "</inertial></link>" END,
         3, 14, "finite number"},
        {ROBOT "<link name='a'><inertial>\n<mass value='${m}'/>" INERTIA "</inertial></link>" END,
         3, 14, "this is xacro"},
        {ROBOT "<link name='a'><inertial>\n<mass/>" INERTIA "</inertial></link>" END, 3, 1,
         "<mass> needs value"},
        {ROBOT "<link name='a'><inertial>\n<mass value='0'/>" INERTIA "</inertial></link>" END, 3,
         14, "a body without mass cannot have inertia"},
        {ROBOT "<link name='a'><inertial><mass value='1'/>\n<inertia ixx='1' iyy='1'/></inertial>"
               "</link>" END,
         3, 1, "<inertia> needs izz"},
        {ROBOT "<link name='a'><inertial><mass value='1'/>\n<inertia ixx='-1' iyy='1' izz='1'/>"
               "</inertial></link>" END,
         3, 1, "inertia is impossible"},
        {ROBOT "<link name='a'><inertial><mass value='1'/>\n<inertia ixx='1e308' ixy='1e308' "
               "ixz='1e308' iyy='1e308' iyz='1e308' izz='1e308'/><origin rpy='1 1 1'/></inertial>"
               "</link>" END,
         3, 1, "too large to be computed"},
        {ROBOT "<link name='a'><inertial><mass value='1'/>" INERTIA
               "\n<origin xyz='0 0'/></inertial></link>" END,
         3, 14, "'xyz' takes 3 finite numbers with spaces between, found '0 0'"},
        {ROBOT "<link name='a'><inertial><mass value='1'/>" INERTIA
               "\n<origin\n rpy='0 0 0 0'/></inertial></link>" END,
         4, 7, "'rpy' takes 3 finite numbers"},
        {ROBOT "<link name='a'><visual><geometry>\n<box/></geometry></visual></link>" END, 3, 1,
         "<box> needs size"},
        {ROBOT
         "<link name='a'><visual><geometry>\n<sphere radius='0'/></geometry></visual></link>" END,
         3, 1, "must be positive"},
        {ROBOT "<link name='a'><visual><geometry>\n<cylinder radius='1'/></geometry></visual>"
               "</link>" END,
         3, 1, "<cylinder> needs length"},
    };
    CHECK_BAD(files);
}

static void test_joints(void** state) {
    (void)state;
    const BadFile files[] = {
        {LINKS "<joint name='j'><parent link='a'/><child link='b'/>" END_JOINT, 3, 1,
         "j: <joint> needs type"},
        {JOINT("revolut") END_JOINT, 3, 23,
         "j: unknown joint type 'revolut', did you mean 'revolute'?"},
        {JOINT("ball") END_JOINT, 3, 23, "expected fixed, continuous, revolute"},
        {JOINT("revolute") "<axis xyz='0 0 0'/>" END_JOINT, 4, 12, "axis"},
        {JOINT("revolute") "<axis xyz='0 0 x'/>" END_JOINT, 4, 12, "found '0 0 x'"},
        {JOINT("revolute") "<origin xyz='1,2,3'/>" END_JOINT, 4, 14, "found '1,2,3'"},
        {JOINT("revolute") "<dynamics damping='-1'/>" END_JOINT, 4, 20, "damping"},
        {JOINT("revolute") "<dynamics friction='much'/>" END_JOINT, 4, 21, "found 'much'"},
        {JOINT("revolute") "<limit lower='low' upper='1'/>" END_JOINT, 4, 15, "found 'low'"},
        {JOINT("revolute") "<mimic/>" END_JOINT, 4, 1, "<mimic> needs joint"},
        {JOINT("revolute") "<mimic joint='k'/>" END_JOINT, 4, 15, "no joint 'k' to mimic"},
        {JOINT("revolute") "<mimic joint='j'/>" END_JOINT, 4, 15, "mimics another"},
        {JOINT("planar") "<mimic joint='j'/>" END_JOINT, 4, 15, "mimics another"},
    };
    CHECK_BAD(files);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_xml),  cmocka_unit_test(test_entities), cmocka_unit_test(test_limits),
        cmocka_unit_test(test_tree), cmocka_unit_test(test_links),    cmocka_unit_test(test_joints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
