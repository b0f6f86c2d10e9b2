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
    // of a slender rod too
    snprintf(text, sizeof text, FIRST, "", "", "drag: {normal: 1}, added_mass: 1, lighthill: true",
             "stokes");
    write_text(p, "bad.yaml", text);
    run(p, "check bad.yaml");
    CHECK_CODE(p, 2);
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
    // the surface cuts a box as it is
    run(p, "check float.yaml");
    CHECK_CODE(p, 0);
    CHECK_TRUE(!strstr(p->err, "warning"));
}

// what has a volume alone floats as a sphere, which every command says that has to do with it; under water it
// needs not be one
static void test_floats(void** context) {
    Process* p = *context;
    static const char* const commands[] = {"check", "run -o out.csv", "statics -o out.csv", "modes",
                                           "linearize -o out.json"};
    write_text(p, "pill.yaml",
               "elver: 1\ngravity: [0, 0, -9.81]\nfluid: {density: 1000, surface: 0}\ntree:\n"
               "  - {body: pill, joint: {prismatic: {axis: z}}, mass: 5, fluid: "
               "{buoyancy: true, volume: 0.01}}\n"
               "simulate: {duration: 0.1}\n");
    for (int k = 0; k < 5; k++) {
        char command[96];
        const char* rest = strchr(commands[k], ' ');
        int n = rest ? (int)(rest - commands[k]) : (int)strlen(commands[k]);
        snprintf(command, sizeof command, "%.*s pill.yaml%s", n, commands[k], rest ? rest : "");
        run(p, command);
        CHECK_CODE(p, 0);
        CHECK_ERR(p, "warning: body 'pill' lies in the surface and is lifted as the sphere");
    }
    run(p, "check pill.yaml --set fluid.surface=9");
    CHECK_CODE(p, 0);
    CHECK_TRUE(!strstr(p->err, "warning"));
}

// added mass above the surface: at the start, later, and of elongated bodies
static void test_above(void** context) {
    Process* p = *context;
    run(p, "check @swimmer-imposed --set fluid.surface=-1");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "rod 'body' is above the water, whose surface is at -1 m");
    run(p, "run @swimmer-imposed --set fluid.surface=-1 -o out.csv");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "rod 'body' is above the water");
    write_text(
        p, "ball.yaml",
        "elver: 1\ngravity: [0, 0, -9.81]\nfluid: {density: 1000, surface: 0}\ntree:\n"
        "  - {body: ball, joint: {prismatic: {axis: z, position: -0.2, velocity: 4}}, shape: "
        "{sphere: {radius: 0.1}}, density: 900, fluid: {added_mass: 1}}\n"
        "simulate: {duration: 0.2}\nrecord: {every: 0.01, signals: [ball.q]}\n");
    run(p, "check ball.yaml");
    CHECK_TRUE(!strstr(p->err, "warning"));
    run(p, "run ball.yaml -o out.csv");
    CHECK_CODE(p, 0);
    CHECK_ERR(p, "was above the surface, up to 100 % of body 'ball'");
    run(p, "run ball.yaml --json -o out.csv");
    CHECK_OUT(p, "\"above_water\": \"ball\"");
    run(p, "check ball.yaml --set ball.joint.prismatic.position=1");
    CHECK_CODE(p, 0);
    CHECK_ERR(p, "warning: body 'ball' is above the surface at the start");
}

// loads that the mechanical connection leaves out
static void test_left_out(void** context) {
    Process* p = *context;
    static const char* const text =
        "elver: 1\ntree:\n"
        "  - {body: a, joint: planar, mass: 1, inertia: [0.1, 0.1, 0.1]}\n"
        "  - {body: b, parent: a, joint: {revolute: {axis: z, motion: \"sin(t)\"}}, mass: 1, "
        "center: [0.3, 0, 0], inertia: [0.1, 0.1, 0.1]}\n"
        "simulate: {method: connection, duration: 1}\nrecord: {every: 1, signals: [a.q]}\n";
    char loaded[1024];
    snprintf(loaded, sizeof loaded, "%sloads: [{at: a, force: [1, 0, 0]}]\n", text);
    write_text(p, "free.yaml", text);
    write_text(p, "loaded.yaml", loaded);
    run(p, "check free.yaml");
    CHECK_TRUE(!strstr(p->err, "note"));
    run(p, "check loaded.yaml");
    CHECK_CODE(p, 0);
    CHECK_ERR(p, "note: external forces act, which the mechanical connection leaves out");
    run(p, "run loaded.yaml -o out.csv");
    CHECK_CODE(p, 0);
    CHECK_ERR(p, "note: external forces act, which the mechanical connection leaves out");
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

// accounts of energy: quiet where they close, a warning where steps have lost what went to and fro, a word on what
// methods without modes give instead
static void test_accounts(void** context) {
    Process* p = *context;
    run(p, "run @swimmer-tendon --duration 0.3 --signal work -o out.csv");
    CHECK_CODE(p, 0);
    CHECK_ERR(p, "  work      actuators ");
    CHECK_TRUE(!strstr(p->err, "accounts do not close"));
    write_text(
        p, "ringing.yaml",
        "elver: 1\n"
        "tree: [{body: b, joint: {revolute: {axis: z, stiffness: 1, position: 0.5}}, mass: 1,\n"
        "        inertia: [0.01, 0.01, 0.01]}]\n"
        "simulate: {method: generalized-alpha, spectral_radius: 0, step: 0.05, duration: 5}\n");
    run(p, "run ringing.yaml --signal work -o out.csv");
    CHECK_CODE(p, 0);
    CHECK_ERR(p, "warning: the accounts do not close, the error is ");
    CHECK_ERR(p, "lost energy; halve --step and compare");
    run(p, "run @swimmer-tendon --method shooting --signal work -o out.csv");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "record energy and power.fluid, or use a method with modes");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_PROCESS(test_density),  WITH_PROCESS(test_current),  WITH_PROCESS(test_sections),
        WITH_PROCESS(test_no_fluid), WITH_PROCESS(test_jump),     WITH_PROCESS(test_connections),
        WITH_PROCESS(test_info),     WITH_PROCESS(test_signal),   WITH_PROCESS(test_strong),
        WITH_PROCESS(test_examples), WITH_PROCESS(test_floats),   WITH_PROCESS(test_above),
        WITH_PROCESS(test_left_out), WITH_PROCESS(test_accounts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
