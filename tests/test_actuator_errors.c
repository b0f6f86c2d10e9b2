// SPDX-License-Identifier: Apache-2.0
// What is said of bad actuators in model files: line, column and a message that helps. The rod "arm"
// is 1 m long, of 0.1 m diameter; actuators begin on line 8 of the texts.
#include "bad_file.h"

#define ACTUATOR(text) ROD "actuators:\n" text

static void test_keys(void** state) {
    (void)state;
    const BadFile files[] = {
        {ACTUATOR("  - {tendn: a, path: {rod: arm}, tension: 1}\n"), 8, 6,
         "x.yaml:8:6: actuators[0]: unknown key 'tendn', did you mean 'tendon'?"},
        {ACTUATOR("  - {rod: arm}\n"), 8, 5, "an actuator begins with 'tendon: NAME'"},
        {ACTUATOR("  - tendon\n"), 8, 5, "expected an actuator {tendon: ..., path: ...}"},
        {ACTUATOR("  - {tendon: a, muscle: b}\n"), 8, 17,
         "an actuator is one of 'tendon' and 'muscle', not both"},
        {ACTUATOR("  - {tendon: a, pth: {rod: arm}, tension: 1}\n"), 8, 17,
         "x.yaml:8:17: a: unknown key 'pth', did you mean 'path'?"},
        {ACTUATOR("  - {tendon: a, path: [{rod: arm, yy: 0}], tension: 1}\n"), 8, 35,
         "a: unknown key 'yy', did you mean 'y'?"},
        {ACTUATOR("  - {tendon: a, tension: 1}\n"), 8, 5, "a: missing key 'path'"},
        {ACTUATOR("  - {tendon: a, path: arm, tension: 1}\n"), 8, 23,
         "'path': expected a list of parts, [{rod: ..., y: ...}], found 'arm'"},
        {ACTUATOR("  - {tendon: a, path: [], tension: 1}\n"), 8, 23, "expected a list of parts"},
        {ACTUATOR("  - {tendon: a, path: [{y: 0}], tension: 1}\n"), 8, 24,
         "a: missing key 'rod' (along which the path runs; 'at' for a point)"},
        {ACTUATOR("  - {tendon: a, path: [{rod: arm, at: world}], tension: 1}\n"), 8, 25,
         "'rod' does not go with 'at'"},
        {ACTUATOR("  - {tendon: a, path: [{rod: arm, point: [0, 0, 0]}], tension: 1}\n"), 8, 35,
         "'point' does not go with a part along a rod"},
        {ACTUATOR("  - {tendon: a, path: {rod: arm}}\n"), 8, 5,
         "a: a tendon needs one of the keys tension or pull"},
        {ACTUATOR("  - {tendon: a, path: {rod: arm}, tension: 1, pull: 1}\n"), 8, 47,
         "a tendon is one of 'tension' and 'pull', not both"},
        {ACTUATOR("  - {tendon: a, path: {rod: arm}, tension: 1, slack: 1}\n"), 8, 47,
         "'slack' does not go with 'tension'"},
        {ACTUATOR("  - {tendon: a, path: {rod: arm}, tension: 1, strain_dependence: no}\n"), 8, 66,
         "true or false"},
        {ACTUATOR("  - {chamber: a, path: {rod: arm}, rod: arm, area: 1, pressure: 1}\n"), 8, 36,
         "'rod' does not go with 'path'"},
        {ACTUATOR("  - {chamber: a, path: [{rod: arm}, {rod: arm}], area: 1, pressure: 1}\n"), 8,
         24, "expected one part of a rod"},
        {ACTUATOR("  - {chamber: a, rod: arm, pressure: 1}\n"), 8, 5, "missing key 'area'"},
        {ACTUATOR("  - {strain_control: arm}\n"), 8, 5, "actuators[0]: a strain control needs"},
        {ACTUATOR("  - {strain_control: arm, kp: {bend: 1}}\n"), 8, 32, "unknown key 'bend'"},
        {ACTUATOR("  - {strain_control: arm, kp: 3}\n"), 8, 31, "'kp': expected"},
        {ACTUATOR("  - {velocity_control: a, at: arm.tip}\n"), 8, 5, "needs its gains"},
        {ACTUATOR("  - {velocity_control: a, kp: 1}\n"), 8, 5, "missing key 'at'"},
        {ACTUATOR("  - {velocity_control: a, at: arm.tip, kp: [1, 2]}\n"), 8, 44,
         "expected a list of 6 numbers"},
        {ACTUATOR("  - {velocity_control: a, at: arm.tip, kp: 1, linear: [1]}\n"), 8, 55,
         "expected a list of 3 numbers or laws"},
        {ACTUATOR("  - {stress: {}, rod: arm, form: 0}\n"), 8, 28, "did you mean 'from'?"},
        {ROD "actuators: {tendon: a}\n", 7, 12, "expected a list, found a map"},
    };
    CHECK_BAD_FILES(files);
}

static void test_values(void** state) {
    (void)state;
    const BadFile files[] = {
        {ACTUATOR("  - {tendon: a, path: {rod: arm}, tension: -5}\n"), 8, 44,
         "a: tension must not be negative, got -5; a tendon pulls and cannot push"},
        {ACTUATOR("  - {tendon: a, path: {rod: arm}, tension: \"2 - 7\"}\n"), 8, 44,
         "tension must not be negative, got -5"},
        {ACTUATOR("  - {tendon: a, path: {rod: arm}, tension: 5 N}\n"), 8, 44,
         "write 5 instead of '5 N'"},
        {ACTUATOR("  - {tendon: a, path: {rod: arm}, pull: 5 mm}\n"), 8, 41,
         "write 0.005 instead of '5 mm'"},
        {ACTUATOR("  - {tendon: a, path: {rod: arm}, tension: s}\n"), 8, 44,
         "'tension' may not depend on s, only on t"},
        {ACTUATOR("  - {tendon: a, path: {rod: arm, y: t}, tension: 1}\n"), 8, 37,
         "'y' may not depend on t, only on s"},
        {ACTUATOR("  - {tendon: a, path: {rod: arm}, tension: 1, friction: -1}\n"), 8, 57,
         "friction must not be negative"},
        {ACTUATOR("  - {tendon: a, path: {rod: arm}, pull: 1, stiffness: -1}\n"), 8, 55,
         "stiffness must not be negative"},
        // one part without brackets, in a list of one, or third of several
        {ACTUATOR("  - {tendon: a, path: {rod: arm, from: 2}, tension: 1}\n"), 8, 40,
         "'from' must be a station of the rod, from 0 to 1, got 2"},
        {ACTUATOR("  - {tendon: a, path: [{rod: arm, to: 0}], tension: 1}\n"), 8, 39,
         "'from' and 'to' are the same station (0)"},
        {ACTUATOR("  - tendon: a\n    tension: 1\n    path:\n      - {at: world}\n"
                  "      - {rod: arm}\n      - {rod: arm, to: -1}\n"),
         13, 24, "'to' must be a station"},
        {ACTUATOR("  - {tendon: a, path: {at: world}, tension: 1}\n"), 8, 23,
         "a path of one point has no length"},
        {ACTUATOR("  - {tendon: a, path: [{at: world}, {at: world}], tension: 1}\n"), 8, 37,
         "path[1] is the same point as the one before"},
        {ACTUATOR("  - {chamber: a, path: {rod: arm, from: 1, to: 0}, area: 1, pressure: 1}\n"), 8,
         41, "'from' must be a station of the rod, at least 0 and below 1, got 1"},
        {ACTUATOR("  - {chamber: a, path: [{rod: arm, from: 0.5, to: 0.2}], area: 1, "
                  "pressure: 1}\n"),
         8, 51, "'to' must be a station of the rod above 'from' (0.5)"},
        {ACTUATOR("  - {chamber: a, path: {at: world}, area: 1, pressure: 1}\n"), 8, 29,
         "a chamber runs along a rod"},
        {ACTUATOR("  - {chamber: a, rod: arm, to: 2, area: 1, pressure: 1}\n"), 8, 32,
         "'to' must be a station"},
        {ACTUATOR("  - {chamber: a, rod: arm, area: -1, pressure: 1}\n"), 8, 34,
         "area must not be negative, got -1"},
        {ACTUATOR("  - {chamber: a, rod: arm, area: \"0.5 - s\", pressure: 1}\n"), 8, 34,
         "area must not be negative"},
        {ACTUATOR("  - {chamber: a, rod: arm, area: 1, pressure: -1}\n"), 8, 47,
         "pressure must not be negative, got -1"},
        {ACTUATOR("  - {muscle: a, rod: arm, force: -1, activation: 1}\n"), 8, 34,
         "force must not be negative"},
        {ACTUATOR("  - {muscle: a, rod: arm, force: 1, activation: 1.5}\n"), 8, 49,
         "activation must be from 0 to 1, got 1.5"},
        {ACTUATOR("  - {muscle: a, rod: arm, force: 1, activation: 2*s}\n"), 8, 49,
         "activation must be from 0 to 1"},
        {ACTUATOR("  - {strain_control: arm, from: 0.5, to: 0.5, kp: {twist: 1}}\n"), 8, 42,
         "above 'from' (0.5)"},
    };
    CHECK_BAD_FILES(files);
}

static void test_references(void** state) {
    (void)state;
    const BadFile files[] = {
        {ACTUATOR("  - {tendon: a.b, path: {rod: arm}, tension: 1}\n"), 8, 14,
         "'a.b' is not a name: use letters"},
        {ACTUATOR("  - {tendon: arm, path: {rod: arm}, tension: 1}\n"), 8, 14,
         "arm: names must be unique: 'arm' is already a rod"},
        {ACTUATOR("  - {tendon: a, path: {rod: arm}, tension: 1}\n"
                  "  - {chamber: a, rod: arm, area: 0.001, pressure: 1}\n"),
         9, 15, "'a' is already an actuator"},
        {ACTUATOR("  - {tendon: a, path: [{at: world}, {rod: amr}], tension: 1}\n"), 8, 43,
         "a: no rod is named 'amr', did you mean 'arm'?"},
        {ACTUATOR("  - {tendon: a, path: {rod: amr}, tension: 1}\n"), 8, 29, "did you mean 'arm'?"},
        {ACTUATOR("  - {tendon: a, path: [{rod: arm}, {at: am.tip}], tension: 1}\n"), 8, 41,
         "a: no body, rod or frame is named 'am', did you mean 'arm'?"},
        {ACTUATOR("  - {chamber: a, rod: amr, area: 1, pressure: 1}\n"), 8, 23,
         "did you mean 'arm'?"},
        {ACTUATOR("  - {muscle: a, path: [{rod: amr}], force: 1, activation: 1}\n"), 8, 30,
         "did you mean 'arm'?"},
        {ACTUATOR("  - {strain_control: amr, kp: {twist: 1}}\n"), 8, 22,
         "actuators[0]: no rod is named 'amr', did you mean 'arm'?"},
        {ACTUATOR("  - {velocity_control: a, at: arm, kp: 1}\n"), 8, 31,
         "a: 'arm' is a rod: say where on it"},
        // the radius of the arm is 0.05 m
        {ACTUATOR("  - {tendon: a, path: [{at: world}, {rod: arm, y: 0.1*s}], tension: 1}\n"), 8,
         37, "a: 'a' leaves the section of 'arm' at s = "},
        {ACTUATOR("  - {tendon: a, path: {rod: arm, y: 0.06}, tension: 1}\n"), 8, 23,
         "at s = 0: it runs 0.06 m from the axis, where the section ends at 0.05 m; change 'y' and "
         "'z', or write 'outside: true'"},
        {ACTUATOR("  - {chamber: a, rod: arm, z: 0.06, area: 1, pressure: 1}\n"), 8, 5,
         "leaves the section"},
    };
    CHECK_BAD_FILES(files);
}

static void test_patterns(void** state) {
    (void)state;
    const BadFile files[] = {
        {ACTUATOR("  - {muscle: a, rod: arm, force: 1}\n"), 8, 5,
         "a muscle needs one of the keys activation or pattern"},
        {ACTUATOR("  - {muscle: a, rod: arm, force: 1, activation: 1, pattern: p}\n"), 8, 52,
         "a muscle is one of 'activation' and 'pattern', not both"},
        {ACTUATOR("  - {muscle: a, rod: arm, force: 1, activation: 1, phase: 1}\n"), 8, 52,
         "'phase' does not go with 'activation'"},
        {ACTUATOR("  - {tendon: a, pattern: b}\n"), 8, 17,
         "an actuator is one of 'tendon' and 'pattern', not both"},
        {ACTUATOR("  - {pattern: a}\n"), 8, 5, "a: missing key 'frequency'"},
        {ACTUATOR("  - {pattern: a, frequency: 1, lag: 1}\n"), 8, 32, "a: unknown key 'lag'"},
        {ACTUATOR("  - {pattern: a, frequency: 1, oscillators: 65}\n"), 8, 45, "64"},
        {ACTUATOR("  - {pattern: a, frequency: 1, oscillators: 0}\n"), 8, 45, "1"},
        {ACTUATOR("  - {pattern: a, frequency: s}\n"), 8, 29, "may not depend on s, only on t"},
        {ACTUATOR("  - {pattern: a, frequency: 1, amplitude: 1.5}\n"), 8, 43,
         "a: amplitude must be from 0 to 1, got 1.5"},
        {ACTUATOR("  - {pattern: a, frequency: 1, amplitude: \"1 + 1\"}\n"), 8, 43,
         "a: amplitude must be from 0 to 1, got 2"},
        {ACTUATOR("  - {pattern: a, frequency: 1, phase_lag: 90 deg}\n"), 8, 43,
         "write 1.5707963267949 instead of '90 deg'"},
        {ACTUATOR("  - {pattern: a, frequency: 1, coupling: -1}\n"), 8, 42,
         "coupling must not be negative"},
        {ACTUATOR("  - {pattern: a, frequency: 1, rate: 0}\n"), 8, 38, "rate must be"},
        {ACTUATOR("  - {muscle: a, rod: arm, force: 1, pattern: rhytm}\n"
                  "  - {pattern: rhythm, frequency: 1}\n"),
         8, 46, "a: no pattern is named 'rhytm', did you mean 'rhythm'?"},
        {ACTUATOR("  - {muscle: a, rod: arm, force: 1, pattern: rhythm, oscillator: 3}\n"
                  "  - {pattern: rhythm, frequency: 1, oscillators: 3}\n"),
         8, 66, "a: pattern 'rhythm' has the oscillators 0 to 2, not 3"},
        {ACTUATOR("  - {muscle: a, rod: arm, force: 1, pattern: b}\n"
                  "  - {tendon: b, path: {rod: arm}, tension: 1}\n"),
         8, 46, "a: no pattern is named 'b'"},
        // the pattern's own item is meant, not that of the muscle that names it
        {ACTUATOR("  - {muscle: a, rod: arm, force: 1, pattern: rhythm}\n"
                  "  - {pattern: rhythm, frequency: 1, amplitude: \"1 + 1\"}\n"),
         9, 48, "rhythm: amplitude must be from 0 to 1, got 2"},
    };
    CHECK_BAD_FILES(files);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_references),
        cmocka_unit_test(test_patterns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
