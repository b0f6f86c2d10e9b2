// SPDX-License-Identifier: Apache-2.0
// Robots in URDF on the command line: wherever a model is taken, with notes, places and exit codes.
#define _POSIX_C_SOURCE 200809L

#include "cli_process.h"

static const char robot[] = "<robot name='two'>\n"
                            "  <link name='base'><inertial><mass value='1'/><inertia ixx='1' "
                            "iyy='1' izz='1'/></inertial></link>\n"
                            "  <link name='arm'>\n"
                            "    <inertial><origin xyz='0.5 0 0'/><mass value='1'/>\n"
                            "      <inertia ixx='0.01' iyy='0.01' izz='0.01'/></inertial>\n"
                            "    <visual><geometry><mesh filename='arm.stl'/></geometry></visual>\n"
                            "  </link>\n"
                            "  <joint name='hinge' type='revolute'>\n"
                            "    <parent link='base'/><child link='arm'/><axis xyz='0 1 0'/>\n"
                            "    <limit lower='-1' upper='1' effort='5' velocity='2'/>\n"
                            "  </joint>\n"
                            "</robot>\n";

static void test_commands(void** context) {
    Process* p = *context;
    write_text(p, "two.urdf", robot);
    run(p, "check two.urdf");
    assert_int_equal(p->code, 0);
    assert_non_null(strstr(p->out, "two.urdf: good: 2 nodes, 1 degree of freedom"));
    assert_non_null(strstr(p->err, "elver check: note: two.urdf:6:5: meshes are not read"));
    assert_non_null(strstr(p->err, "note: two.urdf:10:5: limits of joints do not act"));
    run(p, "info two.urdf");
    assert_int_equal(p->code, 0);
    assert_non_null(strstr(p->out, "gravity (0, 0, -9.81)"));
    run(p, "run two.urdf -o out.csv");
    assert_int_equal(p->code, 0);
    read_text(p, "out.csv", p->out);
    CHECK_TRUE(strncmp(p->out, "t,arm.q.0\n", 10) == 0);
    // a joint by its own name, that of its child link, and with a prefix
    run(p, "run two.urdf -o out.csv --signal hinge.q --signal hinge.effort.0 --signal arm.v");
    assert_int_equal(p->code, 0);
    read_text(p, "out.csv", p->out);
    CHECK_TRUE(strncmp(p->out, "t,arm.q.0,arm.effort.0,arm.v.0\n", 31) == 0);
    run(p, "run two.urdf -o out.csv --set urdf.prefix=l_ --signal l_hinge.q");
    assert_int_equal(p->code, 0);
    read_text(p, "out.csv", p->out);
    CHECK_TRUE(strncmp(p->out, "t,l_arm.q.0\n", 12) == 0);
    run(p, "run two.urdf -o out.csv --signal hinge.lenght");
    assert_int_equal(p->code, 2);
    assert_non_null(strstr(p->err, "hinge"));
    run(p, "run two.urdf -o out.h5 --set arm.joint.revolute.damping=1");
    assert_int_equal(p->code, 0);
    run(p, "info out.h5");
    assert_int_equal(p->code, 0);
    run(p, "check two.urdf --set urdf.base=free");
    assert_int_equal(p->code, 0);
    assert_non_null(strstr(p->out, "7 degrees of freedom"));
}

// a link that is called as a joint is what its name says
static void test_shared_name(void** context) {
    Process* p = *context;
    write_text(
        p, "same.urdf",
        "<robot name='same'><link name='base'/><link name='a'/><link name='b'>"
        "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>"
        "<joint name='b' type='continuous'><parent link='base'/><child link='a'/></joint>"
        "<joint name='c' type='continuous'><parent link='a'/><child link='b'/></joint></robot>");
    run(p, "run same.urdf -o out.csv --signal b.q --signal c.v --set simulate.duration=0.01");
    assert_int_equal(p->code, 0);
    read_text(p, "out.csv", p->out);
    CHECK_TRUE(strncmp(p->out, "t,b.q.0,b.v.0\n", 14) == 0);
}

// the model file beside its robot, from another folder; what is exported needs no other file
static void test_export(void** context) {
    Process* p = *context;
    write_text(p, "two.urdf", robot);
    write_text(p, "model.yaml", "elver: 1\nurdf: two.urdf\n");
    char words[512];
    snprintf(words, sizeof words, "export %s -o alone.yaml", path_of(p, "model.yaml"));
    run(p, words);
    assert_int_equal(p->code, 0);
    CHECK_TRUE(remove(path_of(p, "two.urdf")) == 0);
    run(p, "check alone.yaml");
    assert_int_equal(p->code, 0);
    assert_non_null(strstr(p->out, "2 nodes, 1 degree of freedom"));
    run(p, "check model.yaml");
    assert_int_equal(p->code, 2);
    assert_non_null(strstr(p->err, "model.yaml:2:7: urdf: cannot read 'two.urdf'"));
}

static void test_errors(void** context) {
    Process* p = *context;
    write_text(p, "bad.urdf",
               "<robot name='bad'>\n  <link name='a'/>\n  <link name='b'/>\n</robot>\n");
    run(p, "run bad.urdf");
    assert_int_equal(p->code, 2);
    assert_non_null(strstr(p->err, "bad.urdf:3:3: link 'b' is carried by no joint"));
    // what nothing resists is told with its place in the URDF
    write_text(
        p, "light.urdf",
        "<robot name='l'>\n  <link name='a'/>\n  <link name='b'><inertial><mass value='1'/>\n"
        "  <inertia ixx='1' iyy='1' izz='1'/></inertial></link>\n"
        "  <joint name='j' type='continuous'><parent link='a'/><child link='b'/></joint>\n"
        "</robot>\n");
    run(p, "check light.urdf --set urdf.base=free");
    assert_int_equal(p->code, 2);
    assert_non_null(strstr(p->err, "light.urdf:2:3: a: "));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_shared_name, open_process, close_process),
        cmocka_unit_test_setup_teardown(test_commands, open_process, close_process),
        cmocka_unit_test_setup_teardown(test_export, open_process, close_process),
        cmocka_unit_test_setup_teardown(test_errors, open_process, close_process),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
