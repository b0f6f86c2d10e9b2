// SPDX-License-Identifier: Apache-2.0
// Models in a fluid from the command line: what is impossible is refused with its place and what to
// write instead, exit code 2; examples run.
#define _POSIX_C_SOURCE 200809L

#include "cli_process.h"

static const char* const rod = "tree:\n"
                               "  - rod: eel\n"
                               "    length: 1\n"
                               "    material: {density: 1000, young: 1e6}\n"
                               "    strain: {bend_y: 1}\n";

static void check_refused(Process* p, const char* text, const char* place, const char* message) {
    write_text(p, "bad.yaml", text);
    run(p, "check bad.yaml");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, place);
    CHECK_ERR(p, message);
    run(p, "run bad.yaml -o out.csv");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, message);
    CHECK_TRUE(!has_file(p, "out.csv"));
}

static void check_section(Process* p, const char* section, const char* message) {
    char text[1024];
    snprintf(text, sizeof text, "elver: 1\nfluid: {density: 1000}\n%s    section: %s\n", rod,
             section);
    check_refused(p, text, "bad.yaml:8:", message);
}

static void test_density(void** context) {
    Process* p = *context;
    check_refused(p, "elver: 1\nfluid: {density: -1000}\ntree: [{body: b}]\n", "bad.yaml:2:18",
                  "density must not be negative, got -1000");
    run(p, "check @falling-rod --set fluid.density=-1");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "must not be negative");
}

static void test_current(void** context) {
    Process* p = *context;
    check_refused(p, "elver: 1\nfluid: {density: 1, current: [0, 3e8, 0]}\ntree: [{body: b}]\n",
                  "bad.yaml:2:30", "faster than light: 3e+08 m/s, and light has 299792458 m/s");
    check_refused(p,
                  "elver: 1\nfluid: {density: 1, current: [0, \"1e8*t^2\", 0]}\ntree: [{body: b}]\n"
                  "simulate: {duration: 10}\n",
                  "bad.yaml:2:30", "faster than light at t = ");
    check_refused(p, "elver: 1\nfluid: {density: 1, current: [sqrt(t), 0, 0]}\ntree: [{body: b}]\n",
                  "bad.yaml:2:30", "the rate of the current is not finite at t = 0");
    check_refused(
        p, "elver: 1\nfluid: {density: 1, current: [sqrt(0.3-t), 0, 0]}\ntree: [{body: b}]\n",
        "bad.yaml:2:30", "the current is not a number at t = ");
    // slower is allowed, though fast
    write_text(p, "fast.yaml",
               "elver: 1\nfluid: {density: 1, current: [0, 2.9e8, 0]}\ntree: [{body: b}]\n");
    run(p, "check fast.yaml");
    CHECK_CODE(p, 0);
}

static void test_sections(void** context) {
    Process* p = *context;
    check_section(p,
                  "{ellipse: {y: {table: {s: [0, 0.6, 1], values: [0.1, 0.05, -0.01]}}, z: 0.1}}",
                  "width y is -0.01 m at s = 1");
    check_section(p, "{ellipse: {y: 0.1, z: {table: {s: [0, 0.4, 1], values: [0.1, -0.01, 0.1]}}}}",
                  "width z is -0.01 m at s = 0.4");
    // between the knots of a spline
    check_section(p,
                  "{circle: {diameter: {table: {s: [0, 0.3, 0.6, 1], values: [0.5, 0.01, 0.01, "
                  "0.5], interpolation: cubic}}}}",
                  "must be positive");
}

static void test_no_fluid(void** context) {
    Process* p = *context;
    check_refused(p, "elver: 1\ntree:\n  - {body: b, mass: 1, fluid: {drag: [1, 1, 1]}}\n",
                  "bad.yaml:3:", "add it to the model, for instance fluid: {density: 1000}");
}

static void test_examples(void** context) {
    Process* p = *context;
    run(p, "run @falling-rod -o out.csv");
    CHECK_CODE(p, 0);
    run(p, "run @falling-rod --set tilt=pi/2 -o out.csv");
    CHECK_CODE(p, 0);
    // what is exported is read back
    run(p, "export @falling-rod -o copy.yaml");
    CHECK_CODE(p, 0);
    run(p, "check copy.yaml");
    CHECK_CODE(p, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_PROCESS(test_density),  WITH_PROCESS(test_current),  WITH_PROCESS(test_sections),
        WITH_PROCESS(test_no_fluid), WITH_PROCESS(test_examples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
