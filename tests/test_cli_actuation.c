// SPDX-License-Identifier: Apache-2.0
// Models with actuators on the command line: which of them messages blame, when, with what advice and
// exit code, and what is left behind.
#define _POSIX_C_SOURCE 200809L

#include "cli_process.h"

// an arm with a tendon, whose law and way of pulling are parameters of the test
#define ARM(tendon)                                                                                \
    "elver: 1\n"                                                                                   \
    "name: arm\n"                                                                                  \
    "tree:\n"                                                                                      \
    "  - {rod: arm, length: 0.5, section: {circle: {radius: 0.01}}, strain: {bend_y: 2},\n"        \
    "     material: {density: 1000, young: 1e6, damping: 0.01}}\n"                                 \
    "actuators:\n"                                                                                 \
    "  - {tendon: pulled, path: {rod: arm, z: 0.005}, " tendon "}\n"                               \
    "simulate: {duration: 0.1}\n"                                                                  \
    "record: {every: 0.01, signals: [arm.tip.position, arm.strain(0.5)]}\n"

static void test_bad_laws(void** context) {
    Process* p = *context;
    write_text(p, "nan.yaml", ARM("tension: \"log(-1 - t)\""));
    run(p, "check nan.yaml");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "the tension of tendon 'pulled' is not a number at t = 0\n");
    run(p, "info nan.yaml");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "the tension of tendon 'pulled' is not a number at t = 0\n");
    run(p, "run nan.yaml -o out.csv");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "the tension of tendon 'pulled' is not a number at t = ");
    run(p, "run nan.yaml --method explicit -o out.csv");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "the tension of tendon 'pulled' is not a number at t = ");
    // the remedy is in the message
    write_text(p, "negative.yaml", ARM("tension: \"1 - 100*t\""));
    run(p, "run negative.yaml -o out.csv");
    CHECK_CODE(p, 1);
    CHECK_ERR(p, "a tendon cannot push; max(0, ...) in its law keeps it slack");
    CHECK_TRUE(!strstr(p->err, "look for a load or spring"));
    // the law just before the start
    write_text(p, "start.yaml", ARM("tension: \"if(t < 0, -1, 1)\""));
    run(p, "run start.yaml --set simulate.start=statics -o out.csv");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "the tension of tendon 'pulled' is -1 N just before t = 0: ");
}

// laws with their units, paths, and what is unknown of a tendon
static void test_info(void** context) {
    Process* p = *context;
    write_text(p, "arm.yaml", ARM("tension: \"1 + t\""));
    run(p, "info arm.yaml");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "tendon pulled: tension 1 + t N\n  path      {rod: arm, y: 0, z: 0.005}\n\n");
    write_text(p, "arm.yaml", ARM("pull: 1e-3"));
    run(p, "info arm.yaml");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "tendon pulled: pull 0.001 m\n");
    CHECK_OUT(p, "3 unknowns, found with the motion: tension, stretch and its rate\n");
    // a line of one actuator is not one of another
    run(p, "info @swimmer-pattern");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "muscle left0: force F N\n  path      {rod: body, from: 0, to: 0.2, ");
}

static void test_misspelt_keys(void** context) {
    Process* p = *context;
    write_text(p, "key.yaml", ARM("tenson: 1"));
    run(p, "check key.yaml");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "unknown key 'tenson', did you mean 'tension'?");
}

static void test_signals(void** context) {
    Process* p = *context;
    write_text(p, "arm.yaml", ARM("tension: 1"));
    run(p, "run arm.yaml --signal energy --signal tendon.pulld.tension -o out.csv");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "--signal: there is no tendon 'pulld', did you mean 'tendon.pulled.tension'?");
    CHECK_TRUE(!strstr(p->err, "--set"));
    run(p, "run arm.yaml --duration -1 -o out.csv");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "--duration: duration must be positive");
    run(p, "run arm.yaml --set simulate.duration=-1 -o out.csv");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "--set simulate.duration=-1: simulate: duration must be positive");
    // components of one name and two units
    run(p, "run arm.yaml -o out.csv");
    CHECK_CODE(p, 0);
    CHECK_ERR(p, "\n  arm.tip.position  (");
    CHECK_ERR(p, "\n  arm.strain(0.5).twist, bend_y, bend_z  (");
    CHECK_ERR(p, "\n  arm.strain(0.5).stretch, shear_y, shear_z  (");
}

static void test_method_refuses(void** context) {
    Process* p = *context;
    write_text(p, "length.yaml", ARM("pull: 0.001*t"));
    run(p, "run length.yaml --method explicit -o out.csv");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "the force of 'pulled' does not follow from the motion at once");
    CHECK_TRUE(!has_file(p, "out.csv") && !has_file(p, "out.csv.part"));
    run(p, "check length.yaml --set simulate.method=explicit");
    CHECK_CODE(p, 2);
    run(p, "check length.yaml");
    CHECK_CODE(p, 0);
    // standard output stays empty, without the header of a table
    run(p, "run length.yaml --method explicit");
    CHECK_CODE(p, 2);
    assert_string_equal(p->out, "");
}

static void test_servos_in_info(void** context) {
    Process* p = *context;
    run(p, "info @servo-arm");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "revolute      servo ");
    CHECK_TRUE(!strstr(p->out, "passive"));
    run(p, "info @servo-arm --set shoulder.joint.revolute.force=1 --json");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "\"drive\": \"force+servo\"");
    CHECK_OUT(p, "\"drive\": \"servo\"");
    run(p, "info @pendulum");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "passive");
}

#define WITH_PROCESS(test) cmocka_unit_test_setup_teardown(test, open_process, close_process)

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_PROCESS(test_bad_laws),       WITH_PROCESS(test_info),
        WITH_PROCESS(test_misspelt_keys),  WITH_PROCESS(test_signals),
        WITH_PROCESS(test_method_refuses), WITH_PROCESS(test_servos_in_info),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
