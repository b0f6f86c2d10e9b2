// SPDX-License-Identifier: Apache-2.0
// `elver modes`, `elver linearize`, `elver statics --continue` and `--mode-study`: what they print and
// write, and what they refuse.
#define _POSIX_C_SOURCE 200809L

#include "cli_process.h"

#include "elver/elver.h"

static const char mass_text[] =
    "elver: 1\n"
    "name: mass\n"
    "tree:\n"
    "  - body: mass\n"
    "    joint: {prismatic: {axis: x, stiffness: 20, damping: 4, force: 0}}\n"
    "    mass: 2\n"
    "loads:\n"
    "  - {force: [0, 0, 0], at: mass}\n"
    "record: {signals: [mass.position.x]}\n";

static void test_modes(void** context) {
    Process* p = *context;
    write_text(p, "mass.yaml", mass_text);
    run(p, "modes mass.yaml --json");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "\"modes\": 1");
    CHECK_OUT(p, "\"damped\": true");
    CHECK_TRUE(is_balanced_json(p->out));
    CHECK_NEAR(json_number(p->out, "im"), 3.0, 1e-12);
    CHECK_NEAR(json_number(p->out, "re"), -1.0, 1e-12);
    run(p, "modes mass.yaml -o shapes.csv");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "frequency, Hz");
    CHECK_ERR(p, "mass: 1 mode, 0 rigid, 0 unstable");
    CHECK_TRUE(has_file(p, "shapes.csv"));
    run(p, "modes @modes-free --count 7 -o shapes.npy");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "rigid");
    CHECK_ERR(p, "30 modes, 6 rigid");
    // upright stiffness is lost at the critical load
    // ten lowest unless told otherwise
    run(p, "modes @modes-free");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "\n  10 ");
    assert_null(strstr(p->out, "\n  11 "));
    CHECK_ERR(p, "shown      10 of 30");
    run(p, "modes @modes-free --all");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "\n  30 ");
    assert_null(strstr(p->err, "shown"));
    run(p, "modes @modes-free --count 12");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "\n  12 ");
    assert_null(strstr(p->out, "\n  13 "));
    run(p, "modes @modes-free --all --count 12");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "choose one");

    run(p, "modes @euler-buckling --load 1.1 --json");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "\"unstable\": 1");
    run(p, "modes mass.yaml -o shapes.txt");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, ".csv or .npy");
    run(p, "modes mass.yaml --count 0");
    CHECK_CODE(p, 2);
    run(p, "modes mass.yaml --cuont 1");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "count");
    run(p, "modes");
    CHECK_CODE(p, 2);
    run(p, "modes --help");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "usage: elver modes MODEL");
}

static void test_linearize(void** context) {
    Process* p = *context;
    write_text(p, "mass.yaml", mass_text);
    run(p, "linearize mass.yaml -o linear");
    CHECK_CODE(p, 0);
    CHECK_ERR(p, "mass: 2 states, 1 input, 1 output");
    char text[4096];
    read_text(p, "linear/A.csv", text);
    double A[4];
    assert_int_equal(sscanf(text, "%lf,%lf\n%lf,%lf", &A[0], &A[1], &A[2], &A[3]), 4);
    static const double exact[] = {0.0, 1.0, -10.0, -2.0};
    CHECK_ARRAY_NEAR(A, exact, 4, 1e-13);
    CHECK_TRUE(has_file(p, "linear/D.npy") && has_file(p, "linear/names.json"));
    run(p, "linearize mass.yaml --input loads[0].force.x --json");
    CHECK_CODE(p, 0);
    CHECK_TRUE(is_balanced_json(p->out));
    CHECK_OUT(p, "\"inputs\": [\"loads[0].force.x\"]");
    CHECK_OUT(p, "\"states\": [\"mass.nu.0\", \"mass.w.0\"]");
    CHECK_OUT(p, "\"A\": [\n");
    run(p, "linearize mass.yaml --input mass.force");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "'mass.force' is no input");
    run(p, "linearize mass.yaml --signal nothing.position");
    CHECK_CODE(p, 2);
}

// unknowns of devices: tendons of given length, integrals of controllers
static void test_devices(void** context) {
    Process* p = *context;
    run(p, "modes @tendon-by-length --count 3");
    CHECK_CODE(p, 0);
    CHECK_ERR(p, "0 rigid, 0 unstable, at load 0.01");
    run(p, "modes @drones --json");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "\"rigid\": 12,");
    CHECK_OUT(p, "\"unstable\": 0,");
    run(p, "linearize @drones --json");
    CHECK_CODE(p, 0);
    CHECK_TRUE(is_balanced_json(p->out));
    CHECK_OUT(p, "\"control.pilot2.linear.z\"]");
    CHECK_OUT(p, "\"control.pilot2.z.5\"]");
    run(p, "linearize @servo-arm --input shoulder.target --signal hand.position.x --json");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "\"inputs\": [\"shoulder.target.0\"]");
    CHECK_OUT(p, "\"shoulder.z.0\"]");
    run(p, "linearize @tendon-by-length --input tendon.pulled.pull");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "stiffness");
    run(p, "statics --continue @tendon-by-length");
    CHECK_CODE(p, 0);
}

static void test_continue(void** context) {
    Process* p = *context;
    run(p, "statics --continue @snap-through -o path.csv --json");
    CHECK_CODE(p, 0);
    CHECK_TRUE(is_balanced_json(p->out) && has_file(p, "path.csv"));
    CHECK_OUT(p, "\"kind\": \"limit\"");
    CHECK_OUT(p, "\"end\": \"last load\"");
    CHECK_OUT(p, "\"null_vector\": [");
    run(p, "statics --continue --branch - @euler-buckling");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "load,column.tip.position.x");
    CHECK_OUT(p, ",stability\n");
    CHECK_ERR(p, "bifurcates at load 1");
    // the branch that is asked for is not there: all rows, and a failure
    run(p, "statics --continue --branch + --branch-at 7 @euler-buckling");
    CHECK_CODE(p, 1);
    CHECK_OUT(p, "\n3,");
    CHECK_ERR(p, "--branch-at 7: the path meets 1 bifurcation");
    run(p, "statics --continue --branch + @snap-through");
    CHECK_CODE(p, 1);
    CHECK_ERR(p, "no bifurcation");
    run(p, "statics --continue --branch x @euler-buckling");
    CHECK_CODE(p, 2);
    run(p, "statics --max-step 0.1 @euler-buckling");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "--continue");
    run(p, "statics --continue @pendulum");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "loads");
    run(p, "statics --stability @follower-force");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, ",stability\n");
    CHECK_ERR(p, "flutters");
}

// tendons that hold every coordinate: rows are all there
static void test_held(void** context) {
    Process* p = *context;
    write_text(p, "held.yaml",
               "elver: 1\n"
               "tree:\n"
               "  - {rod: rod, length: 0.3, section: {circle: {radius: 0.01}},\n"
               "     material: {density: 1100, young: 2e6}, strain: {bend_z: 1}}\n"
               "actuators:\n"
               "  - {tendon: a, path: {rod: rod, y: 0.006}, pull: t}\n"
               "statics: {loads: [0.001, 0.002, 0.01]}\n");
    run(p, "statics --stability held.yaml");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "load,stability\n0.001,0\n0.002,0\n0.01,0\n");
    CHECK_ERR(p, "stable: nothing is free to move");
    run(p, "statics --continue held.yaml");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "\n0.01,0\n");
}

static void test_mode_study(void** context) {
    Process* p = *context;
    // no force sideways: rounding is no strain
    write_text(
        p, "plane.yaml",
        "elver: 1\n"
        "gravity: [0, 0, -9.81]\n"
        "tree:\n"
        "  - {rod: rod, length: 0.3, section: {circle: {radius: 0.01}},\n"
        "     material: {density: 1100, young: 2e6}, strain: {twist: 2, bend_y: 2, bend_z: 2}}\n");
    run(p, "statics plane.yaml --mode-study");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "twist                 0              0              0\n");
    CHECK_OUT(p, "bend_z                0              0              0\n");
    run(p, "statics @follower-force --mode-study --json");
    CHECK_CODE(p, 0);
    CHECK_TRUE(is_balanced_json(p->out));
    CHECK_OUT(p, "\"strain\": \"bend_z\"");
    run(p, "run @cantilever-swing --mode-study --duration 0.05");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "eps(n+1/n)");
    run(p, "run @cantilever-swing --mode-study -o x.csv");
    CHECK_CODE(p, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_PROCESS(test_modes),    WITH_PROCESS(test_linearize),  WITH_PROCESS(test_devices),
        WITH_PROCESS(test_continue), WITH_PROCESS(test_mode_study), WITH_PROCESS(test_held),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
