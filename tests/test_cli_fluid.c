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

#define JUMP                                                                                       \
    "elver: 1\nfluid: {density: 1, current: [0, %s, 0]}\ntree:\n"                                  \
    "  - {body: b, joint: free, shape: {sphere: {radius: 1}}, density: 1, fluid: {%s}}\n"          \
    "simulate: {duration: 3}\n"

// a current that jumps has an impulse for what has added mass or displaces; kinks have none, nor has
// what is dragged
static void test_jump(void** context) {
    Process* p = *context;
    static const char* const jumps[] = {
        "\"if(t < 1.5, 0, 0.5)\"", "{table: {t: [0, 1.5], values: [0, 0.5], interpolation: step}}"};
    static const char* const kinks[] = {"\"max(t, 1.5)\"", "\"abs(t - 1.5)\"",
                                        "{table: {t: [0, 1.5], values: [0, 0.5]}}",
                                        "\"if(t < 4, 0, 1)\""};
    static const char* const felt[] = {"added_mass: 1", "buoyancy: true"};
    char text[512];
    for (int k = 0; k < 4; k++) {
        snprintf(text, sizeof text, JUMP, jumps[k / 2], felt[k % 2]);
        check_refused(p, text, "bad.yaml:2:30",
                      "jumps by 0.5 m/s along y at t = 1.5: the added mass or buoyancy of 'b'");
        snprintf(text, sizeof text, JUMP, kinks[k], felt[0]);
        write_text(p, "kink.yaml", text);
        run(p, "check kink.yaml");
        CHECK_CODE(p, 0);
    }
    snprintf(text, sizeof text, JUMP, jumps[0], "drag: [1, 1, 1]");
    write_text(p, "drag.yaml", text);
    run(p, "check drag.yaml");
    CHECK_CODE(p, 0);
}

#define FIRST                                                                                      \
    "elver: 1\nfluid: {density: 1000%s}\ntree:\n"                                                  \
    "  - {rod: r, joint: free, length: 1, section: {circle: {radius: 0.1}}, material: {density: "  \
    "1000},\n     motion: {bend_y: \"sin(t)\"}%s,\n     fluid: {%s}}\n"                            \
    "simulate: {method: connection, connection: %s}\n"

// what takes or brings momentum is refused where momentum is kept; what holds nothing at rest where
// resistance decides
static void test_connections(void** context) {
    Process* p = *context;
    static const struct {
        const char *current, *felt, *place, *message;
    } bad[] = {
        {", current: [0, 0.1, 0]", "added_mass: 1", "bad.yaml:2:33", "a current brings some"},
        {"", "drag: {normal: 1}", "bad.yaml:6:20", "drag of rod 'r' takes momentum"},
        {"", "lift: 1", "bad.yaml:6:20", "lift of rod 'r' takes momentum"},
        {"", "added_mass: 1, lighthill: true", "bad.yaml:6:", "lighthill of rod 'r' takes"},
    };
    char text[512];
    for (int k = 0; k < 4; k++) {
        snprintf(text, sizeof text, FIRST, bad[k].current, "", bad[k].felt, "mechanical");
        check_refused(p, text, bad[k].place, bad[k].message);
        CHECK_ERR(p, "method of second order");
    }
    snprintf(text, sizeof text, FIRST, ", current: [0, 0, 0]", "", "buoyancy: true, added_mass: 1",
             "mechanical");
    write_text(p, "good.yaml", text);
    run(p, "check good.yaml");
    CHECK_CODE(p, 0);
    snprintf(text, sizeof text, FIRST, "", "", "drag: {normal: 1}", "stokes");
    write_text(p, "bad.yaml", text);
    run(p, "check bad.yaml");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "bad.yaml:4:5: r: ");
    CHECK_ERR(p, "give 'r' 'resistance'");
    CHECK_ERR(p, "drag grows with the square of the velocity and holds nothing at rest");
}

// displaced and added masses by hand: a box of 0.1 m^3; half of what a sphere displaces; a rod as
// much across as it displaces, pi/50 m^3
static void test_info(void** context) {
    Process* p = *context;
    write_text(p, "float.yaml",
               "elver: 1\ngravity: [0, 0, -9.81]\n"
               "fluid: {density: 500, current: [\"0.2 + t\", 0, 0.1], surface: 0.25}\ntree:\n"
               "  - {body: hull, joint: free, shape: {box: {size: [1, 0.5, 0.2]}}, density: 400,\n"
               "     fluid: {buoyancy: true, drag: [1, 1, 1]}}\n"
               "  - {body: ball, joint: {free: {position: {xyz: [0, 0, -3]}}}, density: 400,\n"
               "     shape: {sphere: {radius: 0.5}}, fluid: {added_mass: 1}}\n"
               "  - {rod: line, parent: ball, length: 2, section: {circle: {radius: 0.1}},\n"
               "     material: {density: 1000}, fluid: {buoyancy: true, lift: 1, added_mass: 1}}\n"
               "  - {body: dry, mass: 1}\n");
    run(p, "info float.yaml");
    CHECK_CODE(p, 0);
    CHECK_OUT(p,
              "fluid: density 500 kg/m^3, current (0.2, 0, 0.1) m/s at t = 0, surface at 0.25 m");
    CHECK_OUT(p, "hull feels buoyancy, drag; displaces 50 kg, added mass (0, 0, 0) kg");
    CHECK_OUT(p, "ball feels added mass; displaces 0 kg, added mass (130.9, 130.9, 130.9) kg");
    CHECK_OUT(p, "line feels buoyancy, lift, added mass; displaces 31.4159 kg, added mass (0, "
                 "31.4159, 31.4159) kg");
    CHECK_TRUE(!strstr(p->out, "dry feels"));
    run(p, "info float.yaml --json");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "\"fluid\": {\"density\": 500, \"current\": [0.2");
    CHECK_OUT(p, "\"surface\": 0.25");
    CHECK_OUT(p, "{\"name\": \"hull\", \"buoyancy\": true, \"drag\": true, \"lift\": false");
    run(p, "info @rigid-chain");
    CHECK_TRUE(!strstr(p->out, "fluid"));
    // a box in the surface is no sphere; under water it needs not be one
    run(p, "check float.yaml");
    CHECK_CODE(p, 0);
    CHECK_ERR(p, "warning: body 'hull' lies in the surface");
    run(p, "check float.yaml --set fluid.surface=9");
    CHECK_CODE(p, 0);
    CHECK_TRUE(!strstr(p->err, "warning"));
}

static void test_signal(void** context) {
    Process* p = *context;
    run(p, "run @falling-rod --signal fluid.power -o out.csv");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "did you mean 'power.fluid'?");
    run(p, "run @falling-rod --signal fluid_power -o out.csv");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "did you mean 'power.fluid'?");
    run(p, "run @falling-rod --signal power.fluid -o out.csv");
    CHECK_CODE(p, 0);
}

// methods without modes: imposed strains are named before a stiffness that they need not have; too
// few steps along the rods are a failure
static void test_strong(void** context) {
    Process* p = *context;
    run(p, "check @swimmer-imposed --set simulate.method=shooting");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "rod 'body' has imposed strains");
    run(p, "run @swimmer-tendon --set simulate.method=shooting --set simulate.steps=14 --json -o "
           "out.csv");
    CHECK_CODE(p, 1);
    CHECK_ERR(p, "14 steps along each rod leave an error of");
    CHECK_ERR(p, "simulate.steps: 28");
    CHECK_OUT(p, "\"failure\": \"inaccurate\"");
    // a few more leave 2e-4 of the length: a result, with a warning
    run(p, "run @swimmer-tendon --set simulate.method=shooting --set simulate.steps=17 --set "
           "simulate.duration=0.2 --json -o out.csv");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "\"warning\": \"the steps along the rods are too long");
    run(p, "run @swimmer-tendon --set simulate.method=shooting --set simulate.duration=0.05 --json "
           "-o out.csv");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "\"warning\": null");
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
        WITH_PROCESS(test_density),  WITH_PROCESS(test_current), WITH_PROCESS(test_sections),
        WITH_PROCESS(test_no_fluid), WITH_PROCESS(test_jump),    WITH_PROCESS(test_connections),
        WITH_PROCESS(test_info),     WITH_PROCESS(test_signal),  WITH_PROCESS(test_strong),
        WITH_PROCESS(test_examples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
