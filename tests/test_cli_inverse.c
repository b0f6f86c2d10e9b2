// SPDX-License-Identifier: Apache-2.0
// `elver inverse`: what it writes and prints, and how it refuses.
#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier): POSIX's own name

#include "cli_process.h"

static void test_rows(void** context) {
    Process* p = *context;
    run(p, "inverse @four-bar --every 0.25 --signal crank.effort --signal rocker.q");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "t,crank.effort.0,rocker.q.0\n0,0.49697433078");
    CHECK_OUT(p, "\n0.75,");
    CHECK_OUT(p, "\n1,");
    CHECK_ERR(p, "crank.effort.0  at most");
    CHECK_ERR(p, " W\n");
    run(p, "inverse @four-bar --duration 0.1 -o torque.csv -q");
    CHECK_CODE(p, 0);
    CHECK_TRUE(has_file(p, "torque.csv"));
    CHECK_TRUE(p->out[0] == '\0' && p->err[0] == '\0');
    run(p, "inverse @four-bar --json -o motion.h5");
    CHECK_CODE(p, 0);
    CHECK_TRUE(is_balanced_json(p->out));
    CHECK_NEAR(json_number(p->out, "records"), 101.0, 0.0);
    CHECK_NEAR(json_number(p->out, "largest"), 0.99694838, 1e-7);
    CHECK_NEAR(json_number(p->out, "power"), 2.0 * 3.14159265358979 * 0.99694838, 1e-6);
    // the trajectory holds its model
    run(p, "inverse motion.h5 --every 0.5 --signal crank.effort");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "0,0.49697433078");
}

// without signals in the file: drives and loops
static void test_defaults(void** context) {
    Process* p = *context;
    write_text(p, "arm.yaml",
               "elver: 1\n"
               "gravity: [0, 0, -10]\n"
               "tree:\n"
               "  - {body: arm, joint: {revolute: {axis: -y, motion: 0}}, mass: 2,\n"
               "     center: [0.5, 0, 0]}\n"
               "  - {body: cart, parent: arm, joint: {prismatic: {axis: x, motion: t}}, mass: 1}\n"
               "simulate: {duration: 1}\n"
               "record: {every: 1}\n");
    run(p, "inverse arm.yaml");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "t,arm.q.0,cart.q.0,arm.v.0,cart.v.0,arm.effort.0,cart.effort.0\n"
                 "0,0,0,0,1,10,0\n1,0,1,0,1,20,0\n");
    CHECK_ERR(p, "arm.effort.0  at most 20 N m, 0 W");
    run(p, "inverse @four-bar --set record.signals=[]");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "t,crank.q.0,crank.v.0,crank.effort.0,loop.pin.wrench.moment.x,");
}

static void test_refused(void** context) {
    Process* p = *context;
    run(p, "inverse @four-bar --set crank.joint={revolute:|{axis:|z}} -o x.csv");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "'crank' moves freely");
    CHECK_TRUE(!has_file(p, "x.csv"));
    run(p, "inverse @four-bar --set crank_length=0.3 -o x.csv");
    CHECK_CODE(p, 1);
    CHECK_ERR(p, "'pin' cannot be closed at t = 0.28");
    CHECK_ERR(p, "the rows until t = 0.27 s are kept in x.csv");
    CHECK_TRUE(has_file(p, "x.csv"));
    run(p, "inverse @pendulum --set record.signals=[]");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "no joint has a 'motion'");
    run(p, "inverse @four-bar --step 0.1");
    CHECK_CODE(p, 2);
    run(p, "inverse");
    CHECK_CODE(p, 2);
    run(p, "inverse --help");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "usage: elver inverse MODEL");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_PROCESS(test_rows),
        WITH_PROCESS(test_defaults),
        WITH_PROCESS(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
