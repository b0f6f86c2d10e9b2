// SPDX-License-Identifier: Apache-2.0
// What methods without modes refuse, from the command line: models that are no chain and rods that nothing holds together
// are bad input, with file and line, whatever the command, and leave no file.
#define _POSIX_C_SOURCE 200809L

#include "cli_process.h"

#include "elver/elver.h"

#define HEAD                                                                                       \
    "elver: 1\n"                                                                                   \
    "gravity: [0, 0, -9.81]\n"                                                                     \
    "statics: {method: shooting}\n"                                                                \
    "simulate: {method: rkmk, duration: 0.1}\n"                                                    \
    "record: {signals: [a.tip.position]}\n"                                                        \
    "tree:\n"
#define ROD                                                                                        \
    "length: 0.5, section: {circle: {diameter: 0.01}}, material: {density: 1000, young: 1e7}, "    \
    "strain: {kirchhoff: 3}}\n"

static void check_refusal(Process* p, const char* text, const char* place, const char* why) {
    static const char* const commands[] = {"check m.yaml", "run m.yaml -o y.csv",
                                           "statics m.yaml -o y.csv"};
    write_text(p, "m.yaml", text);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        run(p, commands[i]);
        CHECK_CODE(p, 2);
        CHECK_ERR(p, place);
        CHECK_ERR(p, why);
        // nothing is summed up, and nothing is written
        assert_null(strstr(p->err, "Newton"));
        assert_null(strstr(p->err, "kept"));
        CHECK_TRUE(access(path_of(p, "y.csv"), F_OK) != 0);
    }
}

static void test_what_is_no_chain(void** context) {
    Process* p = *context;
    check_refusal(p,
                  HEAD "  - {rod: a, " ROD "  - {rod: b, parent: a.tip, " ROD
                       "  - {rod: c, parent: a.tip, " ROD,
                  "m.yaml:9:5: c: ", "second branch");
    check_refusal(p, HEAD "  - {rod: a, " ROD "  - {rod: b, parent: a.tip, joint: revolute, " ROD,
                  "m.yaml:8:", "'b.joint' moves on a rod");
    check_refusal(p,
                  HEAD "  - {rod: a, " ROD "actuators:\n"
                       "  - {tendon: T, path: {rod: a, z: 0.004}, pull: 0.01}\n",
                  "m.yaml:9:5: T: ", "takes tendons whose tension is given");
}

static void test_what_nothing_resists(void** context) {
    Process* p = *context;
    check_refusal(p,
                  HEAD "  - {rod: a, length: 0.5, section: {circle: {diameter: 0.01}}, "
                       "material: {density: 1000, young: 0}, strain: {bend_z: 2}}\n",
                  "m.yaml:7:5: a: ", "nothing resists the strain bend_z of rod 'a'");
}

static void test_what_has_no_mass(void** context) {
    Process* p = *context;
    run(p, "run @flying-stick --set rod.material.density=0 -o y.csv");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "'rod.joint' can move, but nothing of the model has mass");
    run(p, "check @flying-stick --set rod.material.density=0");
    CHECK_CODE(p, 2);
}

// the force on the shipped stick, a triangle of 2.14 N within a second, gives it 1.07 N s
static void test_momentum_of_the_flying_stick(void** context) {
    Process* p = *context;
    run(p, "run @flying-stick --json -o y.csv");
    CHECK_CODE(p, 0);
    CHECK_NEAR(json_number(p->out, "momentum.linear.x"), 1.07, 0.05);
    CHECK_NEAR(json_number(p->out, "momentum.linear.y"), 0.0, 0.05);
    CHECK_NEAR(json_number(p->out, "momentum.linear.z"), 0.0, 0.05);
}

static void test_help_names_the_methods(void** context) {
    Process* p = *context;
    run(p, "help run");
    CHECK_OUT(p, "shooting");
    CHECK_OUT(p, "rkmk or till");
    run(p, "run @flying-stick --method newmark");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "a block of its own");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_what_is_no_chain, open_process, close_process),
        cmocka_unit_test_setup_teardown(test_what_nothing_resists, open_process, close_process),
        cmocka_unit_test_setup_teardown(test_what_has_no_mass, open_process, close_process),
        cmocka_unit_test_setup_teardown(test_momentum_of_the_flying_stick, open_process,
                                        close_process),
        cmocka_unit_test_setup_teardown(test_help_names_the_methods, open_process, close_process),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
