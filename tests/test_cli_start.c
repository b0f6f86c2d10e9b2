// SPDX-License-Identifier: Apache-2.0
// Starts of robots on the command line: `elver info` shows the state that `elver run` starts from,
// and models that cannot start are bad input for every command, with a place in their file.
#define _POSIX_C_SOURCE 200809L

#include "cli_process.h"

// kinetic energy of the first row that a run writes
static double first_energy(Process* p, const char* model) {
    char words[256];
    double t = NAN, value = NAN;
    snprintf(words, sizeof words, "run %s --quiet --signal energy.kinetic -o first.csv", model);
    run(p, words);
    CHECK_CODE(p, 0);
    read_text(p, "first.csv", p->out);
    const char* line = strchr(p->out, '\n');
    CHECK_TRUE(line && sscanf(line, "%lf,%lf", &t, &value) == 2);
    CHECK_NEAR(t, 0.0, 0.0);
    return value;
}

// contacts, wheels in a singular posture, connections by momentum and by resistance
static void test_info_is_the_start(void** context) {
    static const char* const model[] = {"@snake-2d", "@earthworm", "@snake-wheeled", "@falling-cat",
                                        "@three-link-swimmer"};
    Process* p = *context;
    for (size_t i = 0; i < sizeof model / sizeof model[0]; i++) {
        char words[256];
        double expected = first_energy(p, model[i]);
        snprintf(words, sizeof words, "info %s --json", model[i]);
        run(p, words);
        CHECK_CODE(p, 0);
        CHECK_TRUE(is_balanced_json(p->out));
        // the file has 16 digits or more
        CHECK_NEAR(json_number(p->out, "kinetic"), expected, 1e-13 * expected);
    }
}

// from rest nothing gains momentum; a scallop that begins to open from rest meets no resistance yet
static void test_info_of_connections(void** context) {
    Process* p = *context;
    run(p, "info @falling-cat --json");
    const char* start = strstr(p->out, "\"linear\": [");
    double linear[3];
    CHECK_TRUE(start && sscanf(start, "\"linear\": [%lf, %lf, %lf]", &linear[0], &linear[1],
                               &linear[2]) == 3);
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(linear[i], 0.0, 1e-12);
    }
    run(p, "info @scallop");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "lower.effort.0               0  N m");
}

// without mass forward dynamics have no answer, and a connection needs none
static void test_info_without_mass(void** context) {
    Process* p = *context;
    write_text(
        p, "swimmer.yaml",
        "elver: 1\n"
        "tree:\n"
        "  - {body: m, joint: planar, resistance: [0.1, 0.1, 0.1, 1, 2, 2]}\n"
        "  - {body: l, parent: m, pose: {xyz: [1, 0, 0]}, joint: {revolute: {motion: \"t\"}},\n"
        "     resistance: [0.1, 0.1, 0.1, 1, 2, 2]}\n"
        "simulate: {method: connection, connection: stokes, duration: 1}\n"
        "record: {signals: [l.effort]}\n");
    run(p, "info swimmer.yaml");
    CHECK_CODE(p, 0);
    CHECK_OUT(p, "l.effort.0");
}

static void test_contacts_count(void** context) {
    Process* p = *context;
    run(p, "info @snake-2d");
    CHECK_OUT(p, "degrees of freedom 19 (0 with drives and loops)");
    CHECK_OUT(p, "loops and constraints 5, closed");
    run(p, "check @earthworm");
    CHECK_OUT(p, "0 with drives and loops");
}

// ---- models that cannot start

static const char* const slipping =
    "elver: 1\n"
    "tree:\n"
    "  - {body: a, joint: planar, mass: 1, inertia: [1, 1, 1]}\n"
    "  - {body: b, parent: a, pose: {xyz: [1, 0, 0]}, mass: 1, inertia: [1, 1, 1],\n"
    "     joint: {revolute: {motion: \"0.5*sin(t)\"}}}\n"
    "frames:\n"
    "  - {name: f, on: b, pose: {xyz: [1, 0, 0]}}\n"
    "constraints:\n"
    "  - {wheel: w1, at: a, radius: 0.1, rotation: \"t\"}\n"
    "  - {wheel: w2, at: b, radius: 0.1, rotation: \"t\"}\n"
    "  - {wheel: w3, at: f, radius: 0.1}\n"
    "simulate: {method: explicit, duration: 2}\n";

// every command that starts a motion, with the same words and the same code
static void check_bad_start(Process* p, const char* model, const char* message) {
    static const char* const command[] = {"check", "run", "info"};
    for (size_t i = 0; i < sizeof command / sizeof command[0]; i++) {
        char words[512];
        snprintf(words, sizeof words, "%s %s", command[i], model);
        run(p, words);
        CHECK_CODE(p, 2);
        CHECK_ERR(p, message);
    }
}

static void test_bad_starts(void** context) {
    Process* p = *context;
    write_text(p, "slip.yaml", slipping);
    check_bad_start(p, "slip.yaml", "slip.yaml:11:5: w3: the imposed motion does not agree");
    CHECK_ERR(p, " m/s at t = ");
    check_bad_start(
        p, "@earthworm --set anchor.station=1.2-t",
        "earthworm.yaml:21:57: anchor: the station of contact 'anchor' is 1.2 at t = 0");
    check_bad_start(p, "@earthworm --set worm.motion={stretch:|\"t-1\"}",
                    "the imposed stretch of rod 'worm' is -1 at t = 0");
    check_bad_start(p, "@earthworm --set anchor.preload=[1,0,0]",
                    "anchor: contacts cannot hold the preload");
    check_bad_start(p, "@earthworm --set anchor.preload=[\"log(t-1)\",0,0]",
                    "the preload of contact 'anchor' is not a number at t = 0");
}

// a robot of a millimetre, whose motors want 1 and 1.005 mm/s while it spins by 10 rad/s: what is small
// beside the one is not beside the other
static void test_small_slips(void** context) {
    Process* p = *context;
    write_text(p, "small.yaml",
               "elver: 1\n"
               "tree:\n"
               "  - {body: a, joint: planar, mass: 1, inertia: [1, 1, 1]}\n"
               "  - {body: b, parent: a, pose: {xyz: [1e-3, 0, 0]}, joint: fixed, mass: 1,\n"
               "     inertia: [1, 1, 1]}\n"
               "constraints:\n"
               "  - {velocity: spin, at: a, rows: [[0, 0, 1, 0, 0, 0]], equals: 10}\n"
               "  - {wheel: one, at: a, radius: 1e-3, rate: 1}\n"
               "  - {wheel: two, at: a, radius: 1e-3, rate: 1.005}\n"
               "simulate: {method: explicit, duration: 1}\n");
    run(p, "check small.yaml");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "would have to slip by 2.5e-06 m/s");
}

// what resists in a viscous fluid is resistance, and no remedy speaks of mass
static void test_nothing_resists(void** context) {
    Process* p = *context;
    check_bad_start(p,
                    "@satellite --set simulate.method=connection --set simulate.connection=stokes",
                    "nothing resists a free motion of");
    run(p, "run @satellite --set simulate.method=connection --set simulate.connection=stokes");
    CHECK_TRUE(!strstr(p->err, "mass or inertia to move"));
}

// ---- laws that end on the way

static void test_laws_that_end(void** context) {
    Process* p = *context;
    write_text(p, "wave.yaml",
               "elver: 1\n"
               "tree:\n"
               "  - rod: body\n"
               "    joint: planar\n"
               "    length: 0.5\n"
               "    section: {ellipse: {y: 0.03, z: 0.05}}\n"
               "    material: {density: 1000}\n"
               "    motion: {bend_z: \"1 + sqrt(1 - t)*s\"}\n"
               "simulate: {method: explicit, duration: 2}\n");
    // where the law ends its rate has no bound: steps fail before its end
    run(p, "run wave.yaml");
    CHECK_CODE(p, 1);
    CHECK_ERR(p, "wave.yaml:8:13: body: the imposed bend_z of rod 'body' is not a number at t = 1");
    // a wheel's law is named before anything moves
    write_text(p, "cart.yaml",
               "elver: 1\n"
               "tree:\n"
               "  - {body: cart, joint: planar, mass: 1, inertia: [1, 1, 1]}\n"
               "frames:\n"
               "  - {name: left, on: cart, pose: {xyz: [0, 1, 0]}}\n"
               "constraints:\n"
               "  - {wheel: inner, at: cart, radius: 0.1, rotation: \"sqrt(0.5 - t)\"}\n"
               "  - {wheel: outer, at: left, radius: 0.1}\n"
               "simulate: {method: explicit, duration: 2}\n");
    run(p, "check cart.yaml");
    CHECK_CODE(p, 2);
    CHECK_ERR(p, "cart.yaml:7:53: inner: the rotation of wheel 'inner' is not a number");
}

// ---- wheels without a ground

static void test_wheels_that_fall(void** context) {
    Process* p = *context;
    write_text(p, "cart.yaml",
               "elver: 1\n"
               "gravity: [0, 0, -9.81]\n"
               "tree:\n"
               "  - {body: cart, joint: planar, mass: 1, inertia: [1, 1, 1]}\n"
               "constraints:\n"
               "  - {wheel: front, at: cart, radius: 0.1, rate: \"1 + t\"}\n"
               "simulate: {method: explicit, duration: 0.1}\n");
    run(p, "check cart.yaml");
    CHECK_CODE(p, 0);
    CHECK_TRUE(!strstr(p->err, "warning"));
    run(p, "run cart.yaml");
    CHECK_CODE(p, 0);
    CHECK_TRUE(!strstr(p->err, "loops"));
    run(p, "check cart.yaml --set cart.joint=free");
    CHECK_CODE(p, 0);
    CHECK_ERR(p, "warning: nothing keeps wheel 'front' on the ground");
    run(p, "run cart.yaml --set cart.joint=free");
    CHECK_CODE(p, 0);
    CHECK_ERR(p, "warning: nothing keeps wheel 'front' on the ground");
}

// ---- imposed motions that jump

static void test_motions_that_jump(void** context) {
    Process* p = *context;
    write_text(
        p, "arm.yaml",
        "elver: 1\n"
        "tree:\n"
        "  - {body: base, joint: {revolute: {axis: z}}, mass: 1, inertia: [1, 1, 1]}\n"
        "  - {body: arm, parent: base, mass: 1, center: [0.2, 0, 0], inertia: [0.1, 0.1, 0.1],\n"
        "     joint: {revolute: {axis: z, motion: \"smooth(t, 0.2, 0.3)\"}}}\n"
        "simulate: {duration: 0.5}\n");
    run(p, "check arm.yaml");
    CHECK_CODE(p, 0);
    CHECK_TRUE(!strstr(p->err, "warning"));
    static const char* const law[] = {"max(t-0.25,0)", "step(t-0.25)"};
    for (int i = 0; i < 2; i++) {
        char words[128];
        snprintf(words, sizeof words, "check arm.yaml --set arm.joint.revolute.motion=%s", law[i]);
        run(p, words);
        CHECK_CODE(p, 0);
        CHECK_ERR(p, "warning: the imposed motion of 'arm' or its velocity jumps at t = 0.25");
    }
    // nothing is free to get the impulse
    run(p, "check arm.yaml --set arm.joint.revolute.motion=step(t-0.25) --set base.joint=fixed");
    CHECK_CODE(p, 0);
    CHECK_TRUE(!strstr(p->err, "warning"));
}

// ---- efforts that are infinite

static void test_infinite_current(void** context) {
    Process* p = *context;
    write_text(p, "ball.yaml",
               "elver: 1\n"
               "fluid: {density: 1000, current: [\"1/y\", 0, 0]}\n"
               "tree:\n"
               "  - {body: ball, joint: free, shape: {sphere: {radius: 0.1}}, density: 1000,\n"
               "     fluid: {buoyancy: true, added_mass: 1}}\n"
               "simulate: {duration: 0.1}\n"
               "record: {signals: [ball.position]}\n");
    run(p, "check ball.yaml");
    CHECK_CODE(p, 2);
    run(p, "run ball.yaml -o out.csv");
    CHECK_TRUE(p->code != 0);
    CHECK_ERR(p, "ball.yaml:4:5: ball: an effort on 'ball' is not finite at t = 0");
    // beside the line on which it is infinite
    run(p, "run ball.yaml --set fluid.current=[1/(y+1),0,0] -o out.csv");
    CHECK_CODE(p, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_PROCESS(test_info_is_the_start), WITH_PROCESS(test_info_of_connections),
        WITH_PROCESS(test_info_without_mass), WITH_PROCESS(test_contacts_count),
        WITH_PROCESS(test_bad_starts),        WITH_PROCESS(test_small_slips),
        WITH_PROCESS(test_nothing_resists),   WITH_PROCESS(test_laws_that_end),
        WITH_PROCESS(test_wheels_that_fall),  WITH_PROCESS(test_motions_that_jump),
        WITH_PROCESS(test_infinite_current),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
